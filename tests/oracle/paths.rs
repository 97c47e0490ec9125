//! SPEC 8.1 and 8.5b (what of a URL is matched), 8.6 (canonical forms).

use super::Dialect;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Rule,
    Url,
}

/// 8.6 for the path of a rule.
pub fn canonical_rule(dialect: Dialect, path: &[u8]) -> Vec<u8> {
    match dialect {
        Dialect::Rfc9309 => canonical_rfc9309(path, Side::Rule),
        Dialect::Google => escaped_rule_google(path),
        Dialect::Koster1996 => decoded_koster1996(path),
    }
}

/// 8.1, 8.5b, 8.6 for a URL: its path and query in canonical form; `None` when it is no URL.
pub fn canonical_url(dialect: Dialect, url: &[u8]) -> Option<Vec<u8>> {
    match dialect {
        Dialect::Rfc9309 => Some(canonical_rfc9309(&path_and_query(url)?, Side::Url)),
        // 8.6: the URL is taken as given. 4.4: what follows a NUL in it is unseen.
        Dialect::Google => {
            path_and_query(url)?;
            // A path that starts with `//` stays one.
            let path = match url.starts_with(b"/") {
                true => path_params_query_google(&[b"http://h", url].concat()),
                false => path_params_query_google(url),
            };
            Some(path.into_iter().take_while(|&byte| byte != 0).collect())
        }
        Dialect::Koster1996 => Some(decoded_koster1996(&path_and_query(url)?)),
    }
}

/// 8.1, 8.5b, RFC 3986.
pub fn path_and_query(url: &[u8]) -> Option<Vec<u8>> {
    // 8.1: without fragment.
    let url = url.split(|&byte| byte == b'#').next()?;
    if url.starts_with(b"/") {
        return Some(url.to_vec());
    }
    // 8.5b: absolute, that is `scheme://…`.
    let colon = url.iter().position(|&byte| byte == b':')?;
    let (scheme, rest) = url.split_at(colon);
    let rest = rest.strip_prefix(b"://")?;
    let (first, more) = scheme.split_first()?;
    let in_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    if !first.is_ascii_alphabetic() || !more.iter().all(in_scheme) {
        return None;
    }
    // 8.5b: browsers would take the host from what follows.
    if rest.first().is_none_or(|byte| b"/\\?\t\r\n".contains(byte)) {
        return None;
    }
    // 8.1: without authority; no path is `/`.
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?'))
        .unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    // 8.5b: a port or a user alone is no host. Browsers end the host at `\`, too.
    let authority = authority.split(|&byte| byte == b'\\').next()?;
    if authority.starts_with(b":") || authority.ends_with(b"@") {
        return None;
    }
    if path.starts_with(b"/") {
        Some(path.to_vec())
    } else {
        Some([b"/", path].concat())
    }
}

/// 8.6 a to f.
pub fn canonical_rfc9309(path: &[u8], side: Side) -> Vec<u8> {
    let mut canonical = Vec::new();
    let mut in_query = false;
    let mut at = 0;
    while at < path.len() {
        let byte = path[at];
        if byte == b'%' {
            match escape_at(path, at) {
                Some(escaped) => {
                    // a, and e: everywhere, and e: in the query.
                    let decoded = is_unreserved(escaped)
                        || b":[]@!&'()+,;=".contains(&escaped)
                        || in_query && matches!(escaped, b'/' | b'?');
                    if decoded {
                        canonical.push(escaped);
                    } else {
                        // b
                        push_escaped(&mut canonical, escaped);
                    }
                    at += 3;
                    continue;
                }
                // d
                None => push_escaped(&mut canonical, b'%'),
            }
        } else if byte == b'*' {
            // f: in a rule always the wildcard, in a URL `%2A`.
            match side {
                Side::Rule => canonical.push(b'*'),
                Side::Url => push_escaped(&mut canonical, b'*'),
            }
        } else if byte == b'$' {
            // 8.4, f: the end of the URL as the last byte of a rule, else `%24`.
            if side == Side::Rule && at + 1 == path.len() {
                canonical.push(b'$');
            } else {
                push_escaped(&mut canonical, b'$');
            }
        } else if may_not_stand_in_url(byte) {
            // c
            push_escaped(&mut canonical, byte);
        } else {
            if byte == b'?' {
                in_query = true;
            }
            canonical.push(byte);
        }
        at += 1;
    }
    canonical
}

/// 8.6, google: in rules bytes ≥ 0x80 are escaped, and hex digits become upper case.
fn escaped_rule_google(path: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::new();
    let mut at = 0;
    while at < path.len() {
        if let Some(byte) = escape_at(path, at) {
            push_escaped(&mut escaped, byte);
            at += 3;
            continue;
        }
        if path[at] >= 0x80 {
            push_escaped(&mut escaped, path[at]);
        } else {
            escaped.push(path[at]);
        }
        at += 1;
    }
    escaped
}

/// 8.6, koster1996: every `%hh` but `%2F` (= `%2f`) is decoded, in one pass.
fn decoded_koster1996(path: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut at = 0;
    while at < path.len() {
        match escape_at(path, at) {
            Some(b'/') => decoded.extend_from_slice(b"%2F"),
            Some(byte) => decoded.push(byte),
            None => {
                decoded.push(path[at]);
                at += 1;
                continue;
            }
        }
        at += 3;
    }
    decoded
}

/// What Google's path extraction returns for any text; `/` for what it cannot read.
pub fn path_params_query_google(url: &[u8]) -> Vec<u8> {
    // Two slashes at the start are passed over.
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let starts_path = |byte: &u8| matches!(byte, b'/' | b'?' | b';');
    let from = |at: usize| {
        url[at..]
            .iter()
            .position(starts_path)
            .map(|found| at + found)
    };
    let hash = (start..url.len()).find(|&at| url[at] == b'#');
    // `://` ends a scheme only where no path, query or parameter begins before it.
    let scheme_end = (start..url.len()).find(|&at| url[at..].starts_with(b"://"));
    let after_scheme = match (scheme_end, from(start)) {
        (Some(end), Some(early)) if early < end => start,
        (Some(end), _) => end + 3,
        (None, _) => start,
    };
    let Some(path) = from(after_scheme) else {
        return b"/".to_vec();
    };
    match hash {
        Some(hash) if hash < path => b"/".to_vec(),
        _ => {
            let text = &url[path..hash.unwrap_or(url.len())];
            if text.starts_with(b"/") {
                text.to_vec()
            } else {
                [b"/", text].concat()
            }
        }
    }
}

/// The byte that `%hh` at this place stands for.
fn escape_at(path: &[u8], at: usize) -> Option<u8> {
    let (b'%', high, low) = (*path.get(at)?, *path.get(at + 1)?, *path.get(at + 2)?) else {
        return None;
    };
    let digit = |hex: u8| (hex as char).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

fn push_escaped(to: &mut Vec<u8>, byte: u8) {
    to.extend_from_slice(format!("%{byte:02X}").as_bytes());
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn may_not_stand_in_url(byte: u8) -> bool {
    byte >= 0x80 || byte.is_ascii_control() || b" \"<>\\^`{|}".contains(&byte)
}
