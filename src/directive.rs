//! Line to field and value (SPEC 5). Misspellings live here and nowhere else.

use memchr::{memchr, memchr2};

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
    /// The field of this name, in any case.
    #[inline]
    fn of(name: &[u8], dialect: Dialect) -> Option<Field> {
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

/// Reads one line; `None` for one that is not understood (SPEC 4.3).
#[inline]
pub(crate) fn read(line: &[u8], dialect: Dialect) -> Option<Directive<'_>> {
    let (name, value) = split(line, dialect)?;
    Some(Directive {
        field: Field::of(name, dialect)?,
        value,
    })
}

/// SPEC 5.1 and 5.5: the name and the value of a line, whatever the name; `None` where there is no
/// separator or no name.
#[inline]
fn split(line: &[u8], dialect: Dialect) -> Option<(&[u8], &[u8])> {
    match memchr2(b':', b'#', line).and_then(|at| line.split_at_checked(at)) {
        Some((name, [b':', value @ ..])) => {
            let end = memchr(b'#', value).unwrap_or(value.len());
            let name = trim(name, dialect);
            (!name.is_empty()).then_some((name, trim(value.get(..end)?, dialect)))
        }
        Some((before_comment, _)) => two_words(before_comment, dialect),
        None => two_words(line, dialect),
    }
}

/// SPEC 5.5: a missing colon is forgiven where the line is exactly two words.
fn two_words(line: &[u8], dialect: Dialect) -> Option<(&[u8], &[u8])> {
    let is_gap = |octet: &u8| matches!(octet, b' ' | b'\t');
    let line = trim(line, dialect);
    let gap = line.iter().position(is_gap)?;
    let (name, rest) = line.split_at_checked(gap)?;
    let value = rest.get(rest.iter().position(|octet| !is_gap(octet))?..)?;
    if value.iter().any(is_gap) {
        return None;
    }
    Some((trim(name, dialect), trim(value, dialect)))
}

/// `text` without the white space around it.
#[inline]
pub(crate) fn trim(mut text: &[u8], dialect: Dialect) -> &[u8] {
    while let [first, rest @ ..] = text
        && dialect.is_space(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && dialect.is_space(*last)
    {
        text = rest;
    }
    text
}

/// SPEC 6.6: whether nothing but white space stands on a line.
#[inline]
pub(crate) fn is_blank(line: &[u8], dialect: Dialect) -> bool {
    trim(line, dialect).is_empty()
}
