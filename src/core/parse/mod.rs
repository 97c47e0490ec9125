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

/// Returns whether the caller passed the address of a file instead of its content: a body of one word without a field, at most
/// 4,096 bytes, that is an http or https URL or ends with `robots.txt` (SPEC 4.7).
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
    // Nearly every robots.txt has neither, and skips the tests below.
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

/// Returns whether a body starts like a file compressed by gzip, zstd, xz or zlib (SPEC 4.4), with or without a byte order mark.
/// Brotli has no signature. The signature `78 5E` of zlib is the text `x^`, so it does not count.
pub(crate) fn begins_compressed(body: &[u8]) -> bool {
    match without_byte_order_mark(body) {
        [0x1F, 0x8B, ..] | [0x28, 0xB5, 0x2F, 0xFD, ..] => true,
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] | [b'x', 0x01 | 0x9C, ..] => true,
        // DA is also the first byte of some UTF-8 characters, so `x` and DA may start a text. They do so if the first 64 bytes
        // are valid UTF-8.
        text @ [b'x', 0xDA, ..] => {
            let start = core::str::from_utf8(text.get(..64).unwrap_or(text));
            start.is_err_and(|error| error.error_len().is_some())
        }
        _ => false,
    }
}
