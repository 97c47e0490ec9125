//! From the bytes of a robots.txt to the rules that one crawler obeys: lines, directives, groups.

pub(crate) mod directive;
pub(crate) mod file_kind;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod reader;

use self::line::without_byte_order_mark;
use crate::base::dialect::Dialect;
use crate::url::target::split_scheme;

/// Returns whether a body counts as compressed in the dialect (SPEC 4.4).
pub(crate) fn is_compressed(body: &[u8], dialect: Dialect) -> bool {
    !matches!(dialect, Dialect::Google) && begins_compressed(body)
}

/// Returns whether the body is the address of a file instead of its content (SPEC 4.7). An address is one word of at most 4,096
/// bytes, without a field. The word is an http or https URL, or ends with `robots.txt`.
pub(crate) fn is_address(body: &[u8]) -> bool {
    const LONGEST: usize = 4096;
    if body.len() > LONGEST {
        return false;
    }
    let text = without_byte_order_mark(body).trim_ascii();
    let start = text.first_chunk::<4>();
    let begins_web = start.is_some_and(|start| start.eq_ignore_ascii_case(b"http"));
    let end = text.last_chunk::<10>();
    let names_file = end.is_some_and(|end| end.eq_ignore_ascii_case(b"robots.txt"));
    // Nearly every robots.txt has neither this start nor this end, and skips the tests below.
    if !begins_web && !names_file {
        return false;
    }
    let may_be = match split_scheme(text) {
        Some(([_drive], _)) => names_file,
        // Another scheme may be a field: `Disallow:/robots.txt` is a rule.
        Some((scheme, rest)) => {
            let is = |known: &[u8]| scheme.eq_ignore_ascii_case(known);
            let is_web = is(b"http") || is(b"https");
            is_web && rest.starts_with(b"//") || (is_web || is(b"ftp") || is(b"file")) && names_file
        }
        // `#robots.txt` is a comment.
        None => names_file && !text.contains(&b':') && !text.starts_with(b"#"),
    };
    may_be && !text.iter().any(u8::is_ascii_whitespace)
}

/// Returns whether a body starts with a byte order mark of UTF-16 (SPEC 4.4).
pub(crate) fn begins_utf16(body: &[u8]) -> bool {
    matches!(body, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
}

/// Returns whether a body starts like a file compressed by gzip, zstd, xz or zlib (SPEC 4.4), with or without a byte order mark: with
/// its bytes, or with the text that a client made of them. Brotli has no signature.
pub(crate) fn begins_compressed(body: &[u8]) -> bool {
    let body = without_byte_order_mark(body);
    let start = body.get(..64).unwrap_or(body);
    let begins =
        |signature: &[u8]| start.starts_with(signature) || begins_decoded(start, signature);
    match start.first() {
        Some(0x1F) => begins(b"\x1F\x8B"),
        Some(0x28) => begins(b"\x28\xB5\x2F\xFD"),
        Some(0xFD) => start.starts_with(b"\xFD7zXZ\0"),
        // The headers of a zlib stream with the largest window and no dictionary (RFC 1950, section 2.2). `x^` is text, too.
        Some(b'x') => {
            let levels = [b"x\x01", b"x\x5E", b"x\x9C", b"x\xDA"];
            levels.into_iter().any(|header| begins(header))
                && (has_control(start) || !is_utf8(start))
        }
        _ => false,
    }
}

/// Returns whether a body starts with the characters that a client made of the bytes of a signature: those of ISO 8859-1 or
/// Windows-1252, or U+FFFD in place of a byte from 0x80.
fn begins_decoded(body: &[u8], signature: &[u8]) -> bool {
    let text = body.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut characters = text.chars();
    let is_of = |character, byte: u8| match character {
        '\u{FFFD}' => byte >= 0x80,
        '‹' => byte == 0x8B,
        'œ' => byte == 0x9C,
        character => character == char::from(byte),
    };
    let mut is_next = |byte| {
        characters
            .next()
            .is_some_and(|character| is_of(character, byte))
    };
    signature.iter().all(|byte| is_next(*byte))
}

/// Returns whether bytes contain a control character that text may not contain. Text may contain TAB, LF, FF, CR, and SUB,
/// which once marked the end of a file.
pub(crate) fn has_control(body: &[u8]) -> bool {
    let is_text = |byte: u8| matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1A);
    body.iter()
        .any(|byte| byte.is_ascii_control() && !is_text(*byte))
}

/// Returns whether bytes are UTF-8. The last character may be incomplete, because the size limit may cut it.
pub(crate) fn is_utf8(body: &[u8]) -> bool {
    core::str::from_utf8(body).map_or_else(|error| error.error_len().is_none(), |_| true)
}
