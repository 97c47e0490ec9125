//! SPEC 8.11: the readings of a URL.

use super::Dialect;

/// Each reading of a URL as a URL, the one as it is first.
pub fn readings(dialect: Dialect, url: &[u8]) -> Vec<Vec<u8>> {
    let mut readings = vec![url.to_vec()];
    if dialect != Dialect::Google {
        readings.extend(as_browsers(url));
    }
    readings
}

/// The path and query as browsers and URL libraries (WHATWG) read them; `None` where the scheme is none.
fn as_browsers(url: &[u8]) -> Option<Vec<u8>> {
    let kept: Vec<u8> = url
        .iter()
        .copied()
        .filter(|byte| !b"\t\r\n".contains(byte))
        .collect();
    let text = kept.split(|&byte| byte == b'#').next()?;
    let rest = if url.starts_with(b"/") {
        text
    } else {
        let scheme = text.windows(3).position(|bytes| bytes == b"://")?;
        let rest = &text[scheme + 3..];
        let end = rest.iter().position(|byte| b"/\\?".contains(byte));
        &rest[end.unwrap_or(rest.len())..]
    };
    let (path, query) = match rest.iter().position(|&byte| byte == b'?') {
        Some(mark) => rest.split_at(mark),
        None => (rest, &b""[..]),
    };
    let path: Vec<u8> = path
        .iter()
        .map(|&byte| if byte == b'\\' { b'/' } else { byte })
        .collect();
    // What stands before the first slash is nothing.
    let mut segments: Vec<Vec<u8>> = Vec::new();
    let given: Vec<&[u8]> = path.split(|&byte| byte == b'/').skip(1).collect();
    for (at, segment) in given.iter().enumerate() {
        let dots = String::from_utf8_lossy(segment)
            .to_lowercase()
            .replace("%2e", ".");
        let is_last = at + 1 == given.len();
        if dots == ".." {
            segments.pop();
        }
        if dots != "." && dots != ".." {
            segments.push(segment.to_vec());
        } else if is_last {
            segments.push(Vec::new());
        }
    }
    let mut browser = Vec::new();
    for segment in &segments {
        browser.push(b'/');
        browser.extend_from_slice(segment);
    }
    if browser.is_empty() {
        browser.push(b'/');
    }
    Some([&browser[..], query].concat())
}
