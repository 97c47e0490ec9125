//! Line to field and value (SPEC 5). Misspellings live here and nowhere else.

use memchr::memchr;

use crate::dialect::Dialect;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
}

/// A line that was understood.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directive<'a> {
    pub(crate) field: Field,
    /// Without the white space around it and without a comment.
    pub(crate) value: &'a [u8],
}

/// SPEC 5.3 and 5.4: the names of the fields, by their first letter, as they are written right and wrong.
const A: &[(&[u8], Field)] = &[(b"allow", Field::Allow)];
const C: &[(&[u8], Field)] = &[(b"crawl-delay", Field::CrawlDelay)];
const D: &[(&[u8], Field)] = &[
    (b"disallow", Field::Disallow),
    (b"dissallow", Field::Disallow),
    (b"dissalow", Field::Disallow),
    (b"disalow", Field::Disallow),
    (b"diasllow", Field::Disallow),
    (b"disallaw", Field::Disallow),
];
const S: &[(&[u8], Field)] = &[(b"sitemap", Field::Sitemap), (b"site-map", Field::Sitemap)];
const U: &[(&[u8], Field)] = &[
    (b"user-agent", Field::UserAgent),
    (b"useragent", Field::UserAgent),
    (b"user agent", Field::UserAgent),
];

impl Field {
    /// How it should be written.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Field::UserAgent => "User-agent",
            Field::Allow => "Allow",
            Field::Disallow => "Disallow",
            Field::Sitemap => "Sitemap",
            Field::CrawlDelay => "Crawl-delay",
        }
    }

    /// The field of this name, in any case.
    #[inline]
    fn from_name(name: &[u8], dialect: Dialect) -> Option<Field> {
        let names = match name.first()?.to_ascii_lowercase() {
            b'a' => A,
            b'c' => C,
            b'd' => D,
            b's' => S,
            b'u' => U,
            _ => return None,
        };
        let is_named = |known: &[u8]| match name.get(..known.len()) {
            Some(start) if dialect.fields_by_prefix() => start.eq_ignore_ascii_case(known),
            Some(_) => name.eq_ignore_ascii_case(known),
            None => false,
        };
        names
            .iter()
            .find(|(known, _)| is_named(known))
            .map(|(_, field)| *field)
    }
}

/// Whether this is a field that is understood, misspelled or not (SPEC 5.3, 5.4).
pub(crate) fn is_field(name: &[u8]) -> bool {
    Field::from_name(name, Dialect::Rfc9309).is_some()
}

/// Reads the text of one line, which holds no comment; `None` for one that is not understood
/// (SPEC 4.3).
#[inline(always)]
pub(crate) fn read(text: &[u8], dialect: Dialect) -> Option<Directive<'_>> {
    if let Some((field, value)) = usual(text) {
        return Some(Directive {
            field,
            value: trim(value, dialect),
        });
    }
    unusual(text, dialect)
}

#[inline(never)]
fn unusual(text: &[u8], dialect: Dialect) -> Option<Directive<'_>> {
    // A line that is not understood by its first letter, comments and blank lines among them, is
    // most of what gets here.
    let text = trim_start(without_indentation(text), dialect);
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

/// The four fields that nearly all lines are about, correct from the first byte to the colon: a
/// short cut that all dialects agree on.
#[inline(always)]
fn usual(text: &[u8]) -> Option<(Field, &[u8])> {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    const DISALLOW: u64 = u64::from_le_bytes(*b"disallow");
    const USER_AGE: u64 = u64::from_le_bytes(*b"user-age");
    const ALLOW: u64 = u64::from_le_bytes(*b"allow:\0\0");
    const SITEMAP: u64 = u64::from_le_bytes(*b"sitemap:");
    let (start, rest) = text.split_first_chunk()?;
    // Lower case: of each letter, `-` and `:` only its two cases become it, or what is in no line (CR).
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
        _ if start & 0xFFFF_FFFF_FFFF == ALLOW && text.get(5) == Some(&b':') => {
            Some((Field::Allow, text.get(6..)?))
        }
        _ => None,
    }
}

/// SPEC 5.1 and 5.5: the name and the value of a line, whatever the name; `None` where there is no
/// separator or no name.
pub(crate) fn split(text: &[u8], dialect: Dialect) -> Option<(&[u8], &[u8])> {
    match memchr(b':', text).and_then(|at| text.split_at_checked(at)) {
        Some((name, [b':', value @ ..])) => {
            let name = trim(name, dialect);
            (!name.is_empty()).then_some((name, trim(value, dialect)))
        }
        _ => two_words(text, dialect),
    }
}

/// SPEC 5.5: a missing colon is forgiven where the line is exactly two words.
fn two_words(line: &[u8], dialect: Dialect) -> Option<(&[u8], &[u8])> {
    let is_gap = |byte: &u8| matches!(byte, b' ' | b'\t');
    let line = trim(line, dialect);
    let gap = line.iter().position(is_gap)?;
    let (name, rest) = line.split_at_checked(gap)?;
    let value = rest.get(rest.iter().position(|byte| !is_gap(byte))?..)?;
    if value.iter().any(is_gap) {
        return None;
    }
    Some((trim(name, dialect), trim(value, dialect)))
}

/// `text` without the white space around it.
#[inline(always)]
pub(crate) fn trim(text: &[u8], dialect: Dialect) -> &[u8] {
    let mut text = trim_start(text, dialect);
    while let [rest @ .., last] = text {
        if *last > b' ' || !dialect.is_space(*last) {
            break;
        }
        text = rest;
    }
    text
}

/// `text` without the white space before it.
#[inline(always)]
fn trim_start(mut text: &[u8], dialect: Dialect) -> &[u8] {
    while let [first, rest @ ..] = text {
        if *first > b' ' || !dialect.is_space(*first) {
            break;
        }
        text = rest;
    }
    text
}

/// `text` without the blanks before it, eight at a time: a web page in the place of a robots.txt is
/// mostly indentation.
#[inline(always)]
fn without_indentation(mut text: &[u8]) -> &[u8] {
    while let Some((b"        ", rest)) = text.split_first_chunk::<8>() {
        text = rest;
    }
    text
}
