//! SPEC 8.11: the readings of a URL.

use super::Dialect;

/// Each reading of a URL as a URL, the one as it is first.
pub fn readings(dialect: Dialect, url: &[u8]) -> Vec<Vec<u8>> {
    if dialect == Dialect::Google {
        return vec![url.to_vec()];
    }
    let cleaned = cleaned(url);
    let resolved = [
        // Browsers (WHATWG).
        resolved(&cleaned, b"/\\", &[".", "%2e"], false),
        // RFC 3986 alone, and after escapes of unreserved bytes were decoded.
        resolved(url, b"/", &["."], false),
        resolved(url, b"/", &[".", "%2e"], false),
        // Python's urljoin.
        resolved(&cleaned, b"/", &["."], false),
        // urllib3.
        resolved(url, b"/", &[".", "%2e"], true),
    ];
    let mut readings = Vec::new();
    for reading in std::iter::once(url.to_vec()).chain(resolved.into_iter().flatten()) {
        let bare = without_query(&reading);
        readings.push(reading);
        readings.extend(bare);
    }
    readings
}

/// The URL without its fragment and its query, if that is empty.
fn without_query(url: &[u8]) -> Option<Vec<u8>> {
    let url = url.split(|&byte| byte == b'#').next()?;
    let mark = url.iter().position(|&byte| byte == b'?')?;
    (mark + 1 == url.len()).then(|| url[..mark].to_vec())
}

/// The URL without the bytes that some clients remove.
fn cleaned(url: &[u8]) -> Vec<u8> {
    let mut end = url.len();
    while end > 0 && url[end - 1] <= 0x20 {
        end -= 1;
    }
    let kept = |byte: &u8| !b"\t\r\n".contains(byte);
    url[..end].iter().copied().filter(kept).collect()
}

/// Path and query of a URL without dot segments; `None` where it has no scheme. `slashes`: the bytes that end a segment.
/// `dots`: the forms of a dot. `roots`: a `..` at the root removes it, and an empty segment is the root then.
fn resolved(url: &[u8], slashes: &[u8], dots: &[&str], roots: bool) -> Option<Vec<u8>> {
    let text = url.split(|&byte| byte == b'#').next()?;
    let rest = if url.starts_with(b"/") {
        text
    } else {
        let scheme = text.windows(3).position(|bytes| bytes == b"://")?;
        let rest = &text[scheme + 3..];
        let ends = |byte: &u8| *byte == b'?' || slashes.contains(byte);
        &rest[rest.iter().position(ends).unwrap_or(rest.len())..]
    };
    let (path, query) = match rest.iter().position(|&byte| byte == b'?') {
        Some(mark) => rest.split_at(mark),
        None => (rest, &b""[..]),
    };
    // What stands before the first slash is nothing.
    let mut segments: Vec<Vec<u8>> = Vec::new();
    let mut rootless = false;
    let given: Vec<&[u8]> = path.split(|byte| slashes.contains(byte)).skip(1).collect();
    for (at, segment) in given.iter().enumerate() {
        let text = String::from_utf8_lossy(segment).to_lowercase();
        let is_one = dots.contains(&&*text);
        let is_two = dots.iter().any(|dot| {
            text.strip_prefix(dot)
                .is_some_and(|rest| dots.contains(&rest))
        });
        if is_two && segments.pop().is_none() {
            rootless = roots;
        }
        if !is_one && !is_two {
            if !(rootless && segment.is_empty()) {
                segments.push(segment.to_vec());
            }
            rootless = false;
        } else if at + 1 == given.len() {
            segments.push(Vec::new());
        }
    }
    let mut path = segments
        .iter()
        .flat_map(|segment| [b"/", segment.as_slice()].concat());
    let mut path: Vec<u8> = path.by_ref().collect();
    if path.is_empty() {
        path.push(b'/');
    }
    Some([&path[..], query].concat())
}
