//! Sites by the names that sources give them: hosts, origins, URLs, paths of files.

use std::path::Path;

use robots::Origin;

/// Whether a key is that of an origin, without a path.
pub(super) fn is_origin(key: &str) -> bool {
    key.split_once("://")
        .is_some_and(|(_, rest)| !rest.contains('/'))
}

/// Returns the origin of a URL of a robots.txt.
pub(super) fn robots_origin(url: &[u8]) -> Option<Origin> {
    let authority = url.strip_suffix(b"/robots.txt")?;
    let scheme = memchr::memmem::find(authority, b"://")?;
    let host = authority.get(scheme + 3..)?;
    if host.is_empty()
        || host
            .iter()
            .any(|byte| matches!(byte, b'/' | b'?' | b'#' | b'\\'))
    {
        return None;
    }
    Origin::from_url(url).ok()
}

/// Returns the keys of the origins that a name means: of a host both schemes, of an origin that one.
pub(super) fn keys_of_name(name: &str) -> Option<Vec<String>> {
    let key = |url: String| Some(Origin::from_url(url).ok()?.key().to_owned());
    if name.contains("://") {
        return Some(vec![key(name.to_owned())?]);
    }
    let is_host = |byte: u8| !matches!(byte, b'/' | b'?' | b'#' | b'\\' | b'@' | b' ');
    // A name without a dot, such as README, is hardly a host; `localhost` and `host:80` are.
    let looks_right = name.contains(['.', ':']) || name == "localhost";
    if name.starts_with('.') || !looks_right || !name.bytes().all(is_host) {
        return None;
    }
    Some(vec![
        key(format!("https://{name}"))?,
        key(format!("http://{name}"))?,
    ])
}

/// Whether a file of a folder or a tar is compressed by its name.
pub(super) fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Returns the keys that the path of a file means: `HOST`, `HOST.txt`, `HOST/robots.txt`, each also with `.gz`, or an origin with `/` and `:`
/// written %2F and %3A.
pub(super) fn keys_of_path(path: &Path) -> Option<Vec<String>> {
    let mut names = path
        .components()
        .rev()
        .filter_map(|part| part.as_os_str().to_str());
    let mut name = names.next()?;
    if matches!(name, "robots.txt" | "robots.txt.gz") {
        name = names.next()?;
    }
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let name = name.strip_suffix(".txt").unwrap_or(name);
    let name = ["%2F", "%2f"]
        .iter()
        .fold(name.to_owned(), |name, code| name.replace(code, "/"));
    let name = ["%3A", "%3a"]
        .iter()
        .fold(name, |name, code| name.replace(code, ":"));
    keys_of_name(&name)
}
