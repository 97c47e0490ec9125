//! Makes example URLs for the path of a rule.

/// Returns URLs that a rule with this path matches, with text instead of each `*`. A path without a final `$` gives two
/// URLs; the first URL continues after the path. Returns nothing if the path can match no URL.
///
/// ```
/// let urls: Vec<_> = robots::probe_urls(b"/*.gif$").collect();
/// assert_eq!(urls, [b"/7c1.gif"]);
/// ```
pub fn probe_urls(path: &[u8]) -> impl Iterator<Item = Vec<u8>> + use<> {
    let (path, is_open) = match path.strip_suffix(b"$") {
        Some(path) => (path, false),
        None => (path, true),
    };
    let mut url = Vec::new();
    if path.first() == Some(&b'*') {
        url.push(b'/');
    }
    for byte in path {
        match byte {
            b'*' => url.extend_from_slice(b"7c1"),
            // Clients percent-encode this byte (SPEC 8.6 c).
            byte if !byte.is_ascii_graphic() => {
                url.extend_from_slice(format!("%{byte:02X}").as_bytes())
            }
            byte => url.push(*byte),
        }
    }
    let is_path = url.first() == Some(&b'/');
    let longer = (is_open && is_path).then(|| [&*url, b"7c1f3a.html"].concat());
    longer.into_iter().chain(is_path.then_some(url))
}
