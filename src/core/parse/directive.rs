//! Parses a line to its field and value (SPEC 5), including misspelled fields.

use memchr::memchr;

use crate::base::dialect::Dialect;
use crate::bytes::lanes::u8x16;
use crate::core::parse::line::Line;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
}

/// A line that the parser understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Directive<'a> {
    pub(crate) field: Field,
    /// The value, without a comment and without white space at both ends.
    pub(crate) value: &'a [u8],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PathInBody<'a> {
    pub(crate) bytes: &'a [u8],
    /// The body from the path on. The slice includes bytes after the path, so that a vector may be loaded without a copy.
    pub(crate) rest: &'a [u8],
}

impl<'a> PathInBody<'a> {
    /// Returns `path`, a part of `rest`, together with the rest of the body.
    #[inline]
    pub(crate) fn within(rest: &'a [u8], path: &'a [u8]) -> PathInBody<'a> {
        let start = path.as_ptr().addr().wrapping_sub(rest.as_ptr().addr());
        PathInBody {
            bytes: path,
            rest: rest.get(start..).unwrap_or(path),
        }
    }
}

/// The names of the fields and their misspellings (SPEC 5.3, 5.4).
const NAMES: [(&[u8], Field); 13] = [
    (b"allow", Field::Allow),
    (b"crawl-delay", Field::CrawlDelay),
    (b"disallow", Field::Disallow),
    (b"dissallow", Field::Disallow),
    (b"dissalow", Field::Disallow),
    (b"disalow", Field::Disallow),
    (b"diasllow", Field::Disallow),
    (b"disallaw", Field::Disallow),
    (b"sitemap", Field::Sitemap),
    (b"site-map", Field::Sitemap),
    (b"user-agent", Field::UserAgent),
    (b"useragent", Field::UserAgent),
    (b"user agent", Field::UserAgent),
];

/// An OR with this word makes the letters of eight bytes lower case.
const LOWER: u64 = 0x2020_2020_2020_2020;
const DISALLOW: u64 = u64::from_le_bytes(*b"disallow");
const USER_AGE: u64 = u64::from_le_bytes(*b"user-age");
const ALLOW: u64 = u64::from_le_bytes(*b"allow\0\0\0");
const SITEMAP: u64 = u64::from_le_bytes(*b"sitemap:");

impl Field {
    /// Returns the name in its usual form.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Field::UserAgent => "User-agent",
            Field::Allow => "Allow",
            Field::Disallow => "Disallow",
            Field::Sitemap => "Sitemap",
            Field::CrawlDelay => "Crawl-delay",
        }
    }

    #[inline]
    fn from_name(name: &[u8], dialect: Dialect) -> Option<Field> {
        let is_named = |known: &[u8]| match name.get(..known.len()) {
            Some(start) if dialect.fields_by_prefix() => start.eq_ignore_ascii_case(known),
            Some(_) => name.eq_ignore_ascii_case(known),
            None => false,
        };
        let mut names = NAMES.iter();
        names
            .find(|(known, _)| is_named(known))
            .map(|(_, field)| *field)
    }
}

/// Returns the field of a name or misspelling (SPEC 5.3, 5.4).
pub(crate) fn field(name: &[u8]) -> Option<Field> {
    Field::from_name(name, Dialect::Rfc9309)
}

/// Parses a rule in the most common form: the field without a misspelling, a colon, a space, and a path that starts with `/` and
/// ends without white space. Returns whether the rule allows, and its path; `None` for any other line, even if it is a rule.
#[inline(always)]
pub(crate) fn common_rule<'a>(line: &Line<'a>) -> Option<(bool, PathInBody<'a>)> {
    const LETTERS: u64 = LOWER >> (8 * 3);
    const ALLOW: u64 = u64::from_le_bytes(*b"allow: /");
    const COLON: u32 = u32::from_be_bytes(*b"\0/ :");
    let head: &[u8; 16] = line.rest.first_chunk()?;
    let start = u64::from_le_bytes(*head.first_chunk()?);
    let (allow, len) = if start | LOWER == DISALLOW {
        let after = u32::from_le_bytes(*head.get(8..)?.first_chunk()?);
        if after << 8 != COLON << 8 {
            return None;
        }
        (false, 10)
    } else if start | LETTERS == ALLOW {
        (true, 7)
    } else {
        return None;
    };
    let path = PathInBody {
        bytes: line.text.get(len..)?,
        rest: line.rest.get(len..)?,
    };
    (*path.bytes.last()? > b' ').then_some((allow, path))
}

/// Parses a line to a directive; `None` if the line is not understood (SPEC 4.3). `text`: the line without its comment.
#[inline(always)]
pub(crate) fn read(text: &[u8], dialect: Dialect) -> Option<Directive<'_>> {
    if let Some((field, value)) = common_field(text) {
        return Some(Directive {
            field,
            value: dialect.trim(value),
        });
    }
    any_field(text, dialect)
}

#[inline(never)]
fn any_field(text: &[u8], dialect: Dialect) -> Option<Directive<'_>> {
    // Most lines that get here are comments or blank. A test of the first letter rejects these lines.
    let text = dialect.trim_start(without_indentation(text));
    let first = *text.first()?;
    if !matches!(first | 0x20, b'a' | b'c' | b'd' | b's' | b'u') {
        return None;
    }
    let (name, value) = split(text, dialect)?;
    Some(Directive {
        field: Field::from_name(name, dialect)?,
        value,
    })
}

/// Returns one of the four most common fields, and the rest of the line, if the name is correct and directly before the colon.
/// All dialects read this line alike.
#[inline(always)]
fn common_field(text: &[u8]) -> Option<(Field, &[u8])> {
    let (start, rest) = text.split_first_chunk()?;
    // The OR makes letters lower case. Only the upper and the lower case of a letter become this letter. Only `-` and CR become
    // `-`, and no line has a CR. Each arm tests the `:`, since the OR also changes other bytes to `:`.
    let start = u64::from_le_bytes(*start) | LOWER;
    match start {
        DISALLOW => match rest {
            [b':', value @ ..] => Some((Field::Disallow, value)),
            _ => None,
        },
        USER_AGE => match rest {
            [b'n' | b'N', b't' | b'T', b':', value @ ..] => Some((Field::UserAgent, value)),
            _ => None,
        },
        SITEMAP => (text.get(7) == Some(&b':')).then_some((Field::Sitemap, rest)),
        _ if start << 24 == ALLOW << 24 && text.get(5) == Some(&b':') => {
            Some((Field::Allow, text.get(6..)?))
        }
        _ => None,
    }
}

/// Splits a line into a name, known or not, and a value (SPEC 5.1, 5.5); `None` if there is no separator or no name.
pub(crate) fn split(text: &[u8], dialect: Dialect) -> Option<(&[u8], &[u8])> {
    match memchr(b':', text).and_then(|at| text.split_at_checked(at)) {
        Some((name, [b':', value @ ..])) => {
            let name = dialect.trim(name);
            (!name.is_empty()).then_some((name, dialect.trim(value)))
        }
        _ => two_words(text, dialect),
    }
}

/// Splits a line without a colon into its two words; `None` if the line has fewer or more words (SPEC 5.5).
fn two_words(line: &[u8], dialect: Dialect) -> Option<(&[u8], &[u8])> {
    let is_gap = |byte: &u8| matches!(byte, b' ' | b'\t');
    let line = dialect.trim(line);
    let gap = line.iter().position(is_gap)?;
    let (name, rest) = line.split_at_checked(gap)?;
    let value = rest.get(rest.iter().position(|byte| !is_gap(byte))?..)?;
    if value.iter().any(is_gap) {
        return None;
    }
    Some((dialect.trim(name), dialect.trim(value)))
}

/// Returns `text` without the spaces and tabs at its start. Blanks in its last 15 bytes may stay. In a web page that is served
/// as a robots.txt, most bytes are indentation.
#[inline(always)]
fn without_indentation(mut text: &[u8]) -> &[u8] {
    while let Some((start, rest)) = text.split_first_chunk() {
        let len = blanks(start).trailing_ones() as usize;
        if len < 16 {
            return text.get(len..).unwrap_or(text);
        }
        text = rest;
    }
    text
}

/// Returns whether a line, after white space, begins with `u` or `s`, upper or lower case. No other line can name a user agent
/// or a sitemap.
#[inline(always)]
pub(crate) fn begins_with_u_or_s(line: &Line<'_>, dialect: Dialect) -> bool {
    // The indentation varies in web pages, so no branch depends on it.
    let first = line.rest.first_chunk().and_then(|head| {
        let len = (!blanks(head)).trailing_zeros() as usize;
        line.rest.get(len)
    });
    match first {
        Some(b'u' | b's' | b'U' | b'S') => true,
        Some(b'\n' | b'\r' | b'!'..) => false,
        // The line starts with 16 or more blanks, with other white space, or less than 16 bytes before the end of the body.
        Some(_) | None => far_begins_with_u_or_s(line.text, dialect),
    }
}

#[inline(never)]
fn far_begins_with_u_or_s(text: &[u8], dialect: Dialect) -> bool {
    let text = dialect.trim_start(without_indentation(text));
    matches!(text.first(), Some(b'u' | b's' | b'U' | b'S'))
}

/// Returns a bit for each byte that is a space or a tab; the lowest bit is for the first byte.
#[inline(always)]
fn blanks(bytes: &[u8; 16]) -> u32 {
    let lanes = u8x16::new(*bytes);
    let blanks = lanes.simd_eq(u8x16::splat(b' ')) | lanes.simd_eq(u8x16::splat(b'\t'));
    blanks.to_bitmask()
}
