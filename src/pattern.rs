//! A rule's canonical path taken apart at its wildcards (SPEC 8.3, 8.4, 8.7).

use crate::dialect::Dialect;
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
    /// Takes apart a rule whose canonical path is `text`, without its final `$` where `anchored`.
    pub(crate) fn new(
        text: &'t [u8],
        anchored: bool,
        raw: &RawRule<'_>,
        dialect: Dialect,
    ) -> Pattern<'t> {
        let (prefix, tail) = if dialect.has_wildcards() {
            taken_apart(text, anchored)
        } else {
            (text, Tail::Open)
        };
        let length = text.len() as u32 + u32::from(anchored);
        Pattern {
            prefix,
            tail,
            length,
            line: raw.line,
            allow: raw.allow,
        }
    }

    pub(crate) fn strength(&self, dialect: Dialect) -> Strength {
        if dialect.first_match_wins() {
            Strength::of_line(self.line)
        } else {
            Strength::new(self.length, self.allow, self.line)
        }
    }
}

fn taken_apart(text: &[u8], anchored: bool) -> (&[u8], Tail<'_>) {
    let Some((prefix, rest)) = memchr::memchr(b'*', text).and_then(|at| text.split_at_checked(at))
    else {
        return (text, if anchored { Tail::End } else { Tail::Open });
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

/// Canonical paths of rules: borrowed from the file where the file is canonical, else from an arena.
pub(crate) struct Canonicaliser {
    dialect: Dialect,
    form: Form,
}

/// Where the canonical path of a rule lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    File(&'a [u8]),
    Arena { start: usize, end: usize },
}

impl<'a> Place<'a> {
    pub(crate) fn text<'t>(self, arena: &'t [u8]) -> &'t [u8]
    where
        'a: 't,
    {
        match self {
            Place::File(text) => text,
            Place::Arena { start, end } => arena.get(start..end).unwrap_or_default(),
        }
    }
}

impl Canonicaliser {
    pub(crate) fn new(dialect: Dialect) -> Canonicaliser {
        Canonicaliser {
            dialect,
            form: Form::new(dialect, Side::Rule),
        }
    }

    /// The canonical path of `raw` without its final `$`, and whether it had one (SPEC 8.4).
    #[inline]
    pub(crate) fn place<'a>(&self, raw: &'a [u8], arena: &mut Vec<u8>) -> (Place<'a>, bool) {
        let (path, anchored) = match raw {
            [path @ .., b'$'] if self.dialect.has_wildcards() => (path, true),
            _ => (raw, false),
        };
        if self.form.is_plain(path) {
            return (Place::File(path), anchored);
        }
        let start = arena.len();
        arena.extend(Canonical::new(self.form, path));
        (
            Place::Arena {
                start,
                end: arena.len(),
            },
            anchored,
        )
    }
}
