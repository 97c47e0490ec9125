//! Sites by the names that sources give them: hosts, origins, paths of files.

use std::path::Path;

use robots::Capture;

/// Returns the keys of the robots.txt files that a name means: of a host both schemes, of an origin that one.
pub(super) fn keys_of_name(name: &str) -> Option<Vec<Box<str>>> {
    let key = |origin: &str| Capture::key_of_origin(origin);
    if name.contains("://") {
        return Some(vec![key(name)?]);
    }
    let is_host = |byte: u8| !matches!(byte, b'/' | b'?' | b'#' | b'\\' | b'@' | b' ');
    // A name without a dot, such as README, is hardly a host; `localhost` and `host:80` are.
    let looks_right = name.contains(['.', ':']) || name == "localhost";
    if name.starts_with('.') || !looks_right || !name.bytes().all(is_host) {
        return None;
    }
    Some(vec![
        key(&format!("https://{name}"))?,
        key(&format!("http://{name}"))?,
    ])
}

/// Whether a file of a folder or a tar is compressed by its name.
pub(super) fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Returns the keys that the path of a file means: `HOST`, `HOST.txt`, `HOST/robots.txt`, each also with `.gz`, or an origin with `/` and `:`
/// written %2F and %3A.
pub(super) fn keys_of_path(path: &Path) -> Option<Vec<Box<str>>> {
    let mut names = path
        .components()
        .rev()
        .filter_map(|part| part.as_os_str().to_str());
    let mut name = names.next()?;
    if matches!(name, "robots.txt" | "robots.txt.gz") {
        name = names.next()?;
    }
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let name = ["%2F", "%2f"]
        .iter()
        .fold(name.to_owned(), |name, code| name.replace(code, "/"));
    let name = ["%3A", "%3a"]
        .iter()
        .fold(name, |name, code| name.replace(code, ":"));
    // The URL of a robots.txt ends in .txt itself.
    let bare = name.strip_suffix(".txt").unwrap_or(&name);
    keys_of_name(bare).or_else(|| keys_of_name(&name).filter(|_| name.contains("://")))
}
