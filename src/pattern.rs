//! A rule's canonical path taken apart at its wildcards (SPEC 8.3, 8.4, 8.7).

use crate::dialect::Dialect;
use crate::error::Error;
use crate::group::RawRule;
use crate::path::{Canonical, Form, Side};

/// How strong a rule is: of two that match, the one with the greater strength wins (SPEC 8.7).
///
/// Length, then allow before disallow, then the earlier line; in koster1996 the line alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Strength(u64);

impl Strength {
    /// Weaker than every rule.
    pub(crate) const NONE: Strength = Strength(0);

    /// `length` is that of the canonical path, below 2^31.
    #[inline]
    pub(crate) const fn new(length: u32, allow: bool, line: u32) -> Strength {
        Strength((length as u64) << 33 | (allow as u64) << 32 | !line as u64)
    }

    /// SPEC 8.7, koster1996: the line alone.
    #[inline]
    pub(crate) const fn of_line(line: u32) -> Strength {
        Strength(!line as u64)
    }
}

/// What must follow the literal start of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail<'t> {
    /// Anything: the rule is a prefix.
    Open,
    /// The end of the URL.
    End,
    /// These octets, in which `*` stands for any octets; with `anchored`, up to the end of the URL.
    Wild { pieces: &'t [u8], anchored: bool },
}

/// A rule, ready to be indexed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern<'t> {
    /// The canonical octets up to the first wildcard.
    pub(crate) prefix: &'t [u8],
    pub(crate) tail: Tail<'t>,
    /// Of the canonical path, `*` and `$` counted.
    pub(crate) length: u32,
    pub(crate) line: u32,
    pub(crate) allow: bool,
}

impl<'t> Pattern<'t> {
    /// Takes a rule apart.
    #[inline]
    pub(crate) fn new(text: Text<'t>, raw: &RawRule<'_>) -> Pattern<'t> {
        let (prefix, tail) = taken_apart(text);
        let length = text.octets.len() as u32 + u32::from(text.anchored);
        Pattern {
            prefix,
            tail,
            length,
            line: raw.line,
            allow: raw.allow,
        }
    }

    #[inline]
    pub(crate) fn strength(&self, dialect: Dialect) -> Strength {
        if dialect.first_match_wins() {
            Strength::of_line(self.line)
        } else {
            Strength::new(self.length, self.allow, self.line)
        }
    }
}

#[inline]
fn taken_apart(
    Text {
        octets,
        anchored,
        star,
    }: Text<'_>,
) -> (&[u8], Tail<'_>) {
    let Some((prefix, rest)) = star.and_then(|star| octets.split_at_checked(star)) else {
        return (octets, if anchored { Tail::End } else { Tail::Open });
    };
    // A `*` at the end takes what is left, whether or not a `$` stands behind it.
    let anchored = anchored && rest.last() != Some(&b'*');
    if rest.iter().all(|octet| *octet == b'*') {
        return (prefix, Tail::Open);
    }
    (
        prefix,
        Tail::Wild {
            pieces: rest,
            anchored,
        },
    )
}

/// The literal pieces of a [`Tail::Wild`].
pub(crate) fn pieces(tail: &[u8]) -> impl Iterator<Item = &[u8]> {
    tail.split(|octet| *octet == b'*')
        .filter(|piece| !piece.is_empty())
}

/// The canonical path of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    /// Without the final `$`.
    pub(crate) octets: &'t [u8],
    /// There is a final `$` (SPEC 8.4).
    anchored: bool,
    /// Where the first wildcard stands.
    star: Option<usize>,
}

impl<'t> Text<'t> {
    /// Of a path in a dialect with wildcards.
    pub(crate) fn new(octets: &'t [u8], anchored: bool) -> Text<'t> {
        Text {
            octets,
            anchored,
            star: memchr::memchr(b'*', octets),
        }
    }
}

/// The canonical paths of rules: most stand in the file, only the others are written down.
pub(crate) struct Texts {
    dialect: Dialect,
    /// The canonical octets of the rules whose path is not canonical in the file.
    arena: Vec<u8>,
    /// Where those of each such rule end.
    ends: Vec<usize>,
}

impl Texts {
    pub(crate) fn of(rules: &[RawRule<'_>], dialect: Dialect) -> Result<Texts, Error> {
        let form = Form::new(dialect, Side::Rule);
        let mut texts = Texts {
            dialect,
            arena: Vec::new(),
            ends: Vec::new(),
        };
        for rule in rules.iter().filter(|rule| !rule.seen.is_plain) {
            // The canonical form is at most three times as long.
            texts
                .arena
                .try_reserve(rule.path.len().saturating_mul(3))
                .map_err(|_| Error::Memory)?;
            texts.ends.try_reserve(1).map_err(|_| Error::Memory)?;
            texts.arena.extend(Canonical::new(form, rule.path));
            texts.ends.push(texts.arena.len());
        }
        Ok(texts)
    }

    /// The canonical path of each of the rules that these are of.
    pub(crate) fn iter<'t>(&'t self, rules: &'t [RawRule<'t>]) -> impl Iterator<Item = Text<'t>> {
        let mut ends = self.ends.iter();
        let mut start = 0;
        rules.iter().map(move |rule| {
            let (mut octets, mut star) = (rule.path, rule.seen.star);
            if !rule.seen.is_plain {
                let end = ends.next().copied().unwrap_or(start);
                octets = self.arena.get(start..end).unwrap_or_default();
                star = memchr::memchr(b'*', octets);
                start = end;
            }
            Text {
                octets,
                anchored: rule.anchored,
                star: star.filter(|_| self.dialect.has_wildcards()),
            }
        })
    }
}
