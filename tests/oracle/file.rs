//! SPEC 4 (the file) and 5 (a line): bytes to numbered lines, lines to fields and values.

use super::{Dialect, Setup, preferences};

pub struct Line {
    /// Counted from 1.
    pub number: u32,
    pub meaning: Meaning,
}

pub enum Meaning {
    UserAgent(Vec<u8>),
    Allow(Vec<u8>),
    Disallow(Vec<u8>),
    Sitemap(Vec<u8>),
    CrawlDelay(Vec<u8>),
    /// 9.4, 9.5, 9.7: with a value.
    Preference(preferences::Line),
    /// Only spaces and tabs, or nothing at all (6.6).
    Blank,
    /// Comments, unknown fields, whatever is not understood (4.3).
    Other,
}

pub fn lines(setup: &Setup, body: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(split(setup, body)) {
        lines.push(Line {
            number,
            meaning: meaning(setup.dialect, &text),
        });
    }
    lines
}

/// The lines of the part of the file that is read.
fn split(setup: &Setup, body: &[u8]) -> Vec<Vec<u8>> {
    // 4.5: what lies past the limit is ignored.
    let read = &body[..body.len().min(setup.max_bytes)];
    // 4.5: was a line cut in two? Not when its end is the first byte past the limit.
    let last_line_is_cut = match body.get(setup.max_bytes) {
        None | Some(b'\n' | b'\r') => false,
        Some(_) => true,
    };

    // 4.2: EF BB BF, EF BB or EF at the start is no part of the text.
    let mut text = read;
    for mark in [0xEF, 0xBB, 0xBF] {
        match text.strip_prefix(&[mark]) {
            Some(rest) => text = rest,
            None => break,
        }
    }

    // 4.1: LF, CR or CRLF.
    let mut lines = Vec::new();
    let mut line = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'\r' | b'\n' => {
                lines.push(std::mem::take(&mut line));
                if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') {
                    at += 1;
                }
            }
            byte => line.push(byte),
        }
        at += 1;
    }
    // The last line may have no end. 4.5: cut by the limit, it is used as it is in google, else ignored.
    if !line.is_empty() && (!last_line_is_cut || setup.dialect == Dialect::Google) {
        lines.push(line);
    }
    lines
}

/// 5: what one line says.
fn meaning(dialect: Dialect, line: &[u8]) -> Meaning {
    if line.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        return Meaning::Blank;
    }
    let Some((field, value)) = field_and_value(dialect, line) else {
        return Meaning::Other;
    };
    // 5.3, 5.4
    const USER_AGENT: &[&str] = &["user-agent", "useragent", "user agent"];
    const ALLOW: &[&str] = &["allow"];
    const DISALLOW: &[&str] = &[
        "disallow",
        "dissallow",
        "dissalow",
        "disalow",
        "diasllow",
        "disallaw",
    ];
    const SITEMAP: &[&str] = &["sitemap", "site-map"];
    const CRAWL_DELAY: &[&str] = &["crawl-delay"];
    let is = |names: &[&str]| names.iter().any(|name| is_field(dialect, field, name));
    let value = value.to_vec();
    if is(USER_AGENT) {
        Meaning::UserAgent(value)
    } else if is(ALLOW) {
        Meaning::Allow(value)
    } else if is(DISALLOW) {
        Meaning::Disallow(value)
    } else if is(SITEMAP) {
        Meaning::Sitemap(value)
    } else if is(CRAWL_DELAY) {
        Meaning::CrawlDelay(value)
    } else if value.is_empty() {
        Meaning::Other
    } else {
        // 9.3: the whole field, in google, too.
        match &*field.to_ascii_lowercase() {
            b"content-signal" => Meaning::Preference(preferences::Line::Signal(value)),
            b"content-usage" => Meaning::Preference(preferences::Line::Usage(value)),
            b"license" => Meaning::Preference(preferences::Line::License(value)),
            _ => Meaning::Other,
        }
    }
}

/// 5.2: in any letter case. 5.6: google compares the start of the field, the others the whole.
fn is_field(dialect: Dialect, field: &[u8], name: &str) -> bool {
    let field = field.to_ascii_lowercase();
    match dialect {
        Dialect::Google => field.starts_with(name.as_bytes()),
        Dialect::Rfc9309 | Dialect::Koster1996 => field == name.as_bytes(),
    }
}

/// 5.1, 5.5: `<field> : <value> # comment`
fn field_and_value(dialect: Dialect, line: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut line = line;
    if dialect == Dialect::Google {
        // 4.6
        line = &line[..line.len().min(16_663)];
        // 4.4: what follows a NUL is unseen.
        line = until(line, 0);
    }
    // 5.1: the first `#` starts a comment, everywhere.
    line = trim(dialect, until(line, b'#'));
    if let Some(colon) = line.iter().position(|&byte| byte == b':') {
        // 5.1: the first `:` separates.
        let field = trim(dialect, &line[..colon]);
        let value = trim(dialect, &line[colon + 1..]);
        return (!field.is_empty()).then_some((field, value));
    }
    // 5.5: exactly two words, with spaces or tabs between them.
    let words: Vec<&[u8]> = line
        .split(|byte| matches!(byte, b' ' | b'\t'))
        .filter(|word| !word.is_empty())
        .collect();
    match words[..] {
        [field, value] => {
            let (field, value) = (trim(dialect, field), trim(dialect, value));
            (!field.is_empty()).then_some((field, value))
        }
        _ => None,
    }
}

fn until(line: &[u8], byte: u8) -> &[u8] {
    line.split(|&other| other == byte)
        .next()
        .unwrap_or_default()
}

/// 5.1: spaces and tabs; google: any ASCII white space.
pub fn trim(dialect: Dialect, text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [first, rest @ ..] = text {
        if !is_white(dialect, *first) {
            break;
        }
        text = rest;
    }
    while let [rest @ .., last] = text {
        if !is_white(dialect, *last) {
            break;
        }
        text = rest;
    }
    text
}

pub fn is_white(dialect: Dialect, byte: u8) -> bool {
    match dialect {
        Dialect::Google => matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C),
        Dialect::Rfc9309 | Dialect::Koster1996 => matches!(byte, b' ' | b'\t'),
    }
}

/// 4.4: gzip, zstd, xz or zlib, after a byte order mark (4.2) or without one.
pub fn begins_compressed(body: &[u8]) -> bool {
    let marks: [&[u8]; 4] = [b"\xEF\xBB\xBF", b"\xEF\xBB", b"\xEF", b""];
    let mark = marks.into_iter().find(|mark| body.starts_with(mark));
    let body = &body[mark.unwrap().len()..];
    let start = &body[..body.len().min(64)];
    // A character that the 64 bytes cut is no error.
    let is_utf8 =
        std::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true);
    let is_control = |byte: &u8| byte.is_ascii_control() && !b"\t\n\x0C\r\x1A".contains(byte);
    let is_binary = !is_utf8 || start.iter().any(is_control);
    let is_one = |starts: &[&[u8]]| starts.iter().any(|start| body.starts_with(start));
    let is_text_of = |starts: &[&str]| {
        starts
            .iter()
            .any(|start| body.starts_with(start.as_bytes()))
    };
    is_one(&[b"\x1F\x8B", b"(\xB5/\xFD", b"\xFD7zXZ\0"])
        // ISO 8859-1, Windows-1252, and UTF-8 with U+FFFD for what is none.
        || is_text_of(&["\x1F\u{8B}", "\x1F‹", "\x1F\u{FFFD}", "(µ/ý", "(\u{FFFD}/\u{FFFD}"])
        || is_binary && is_one(&[b"x\x01", b"x^", b"x\x9C", b"x\xDA"])
        || is_binary && is_text_of(&["x\u{9C}", "xœ", "xÚ", "x\u{FFFD}"])
}

/// 4.7: the body is the address of a file.
pub fn is_address(body: &[u8]) -> bool {
    let body = String::from_utf8_lossy(body).to_lowercase();
    let word = body.trim_start_matches(['\u{feff}', '\u{fffd}']);
    let word = word.trim_matches([' ', '\t', '\n', '\r', '\u{c}']);
    if word.contains([' ', '\t', '\n', '\r', '\u{c}']) || word.len() > 4_000 {
        return false;
    }
    let names_file = word.ends_with("robots.txt");
    match word.split_once(':') {
        Some(("http" | "https", rest)) => rest.starts_with("//") || names_file,
        Some(("ftp" | "file", _)) => names_file,
        Some((drive, _)) => {
            drive.len() == 1 && drive.as_bytes()[0].is_ascii_lowercase() && names_file
        }
        None => names_file && !word.starts_with('#'),
    }
}
