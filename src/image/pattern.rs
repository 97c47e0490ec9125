//! A rule's canonical path taken apart at its wildcards (SPEC 8.3, 8.4, 8.7).

use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::group::RawRule;
use crate::rule::{Priority, RuleRef};
use crate::url::canonical::{Canonical, Form, Side};

/// What must follow the literal start of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Anything: the rule is a prefix.
    Open,
    /// The end of the URL.
    End,
    /// The pieces behind the first wildcard, in this order.
    Wild,
    /// The same, the last of them at the end of the URL.
    WildEnd,
}

/// A rule, ready to be indexed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern<'t> {
    /// The canonical octets, without a `$` that stands for the end.
    octets: &'t [u8],
    /// How many of them stand before the first wildcard.
    pub(crate) prefix_len: u32,
    /// Of the canonical path, `*` and `$` counted.
    pub(crate) length: u32,
    pub(crate) slot: RuleRef,
    pub(crate) tail: Tail,
}

impl<'t> Pattern<'t> {
    /// Takes a rule apart.
    #[inline]
    pub(crate) fn new(text: CanonicalPath<'t>, slot: RuleRef) -> Pattern<'t> {
        let CanonicalPath {
            octets,
            anchored,
            star,
        } = text;
        let behind = octets.get(star..).unwrap_or_default();
        let tail = match (behind, anchored) {
            ([], false) => Tail::Open,
            ([], true) => Tail::End,
            _ if behind.iter().all(|octet| *octet == b'*') => Tail::Open,
            // A `*` at the end takes what is left, whether or not a `$` stands behind it.
            ([.., b'*'], _) | (_, false) => Tail::Wild,
            _ => Tail::WildEnd,
        };
        Pattern {
            octets,
            prefix_len: star as u32,
            length: octets.len() as u32 + u32::from(anchored),
            slot,
            tail,
        }
    }

    /// Whether it matches any path: every path begins with a `/` (SPEC 8.5).
    #[inline]
    pub(crate) fn can_match(&self) -> bool {
        match self.prefix() {
            [] => self.tail != Tail::End,
            [first, ..] => *first == b'/',
        }
    }

    /// The canonical octets up to the first wildcard.
    #[inline]
    pub(crate) fn prefix(&self) -> &'t [u8] {
        self.octets
            .get(..self.prefix_len as usize)
            .unwrap_or(self.octets)
    }

    /// The literal pieces behind the first wildcard.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &'t [u8]> + use<'t> {
        let behind = self.octets.get(self.prefix_len as usize..);
        behind
            .unwrap_or_default()
            .split(|octet| *octet == b'*')
            .filter(|piece| !piece.is_empty())
    }

    #[inline]
    pub(crate) fn strength(&self, dialect: Dialect) -> Priority {
        if dialect.first_match_wins() {
            Priority::from_line(self.slot.line())
        } else {
            Priority::new(self.length, self.slot.allow(), self.slot.line())
        }
    }
}

/// The canonical path of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalPath<'t> {
    /// Without the final `$`.
    pub(crate) octets: &'t [u8],
    /// There is a final `$` (SPEC 8.4).
    anchored: bool,
    /// Where the first wildcard stands, or the end.
    star: usize,
}

impl<'t> CanonicalPath<'t> {
    pub(crate) fn new(octets: &'t [u8], anchored: bool, dialect: Dialect) -> CanonicalPath<'t> {
        let star = if dialect.has_wildcards() {
            memchr::memchr(b'*', octets)
        } else {
            None
        };
        CanonicalPath {
            octets,
            anchored,
            star: star.unwrap_or(octets.len()),
        }
    }

    /// SPEC 8.10: the directory that an allow rule for its index file stands for, too.
    pub(crate) fn directory_of_index(&self, dialect: Dialect) -> Option<CanonicalPath<'t>> {
        if !dialect.index_stands_for_directory() {
            return None;
        }
        let slash = memchr::memrchr(b'/', self.octets)?;
        let (directory, rest) = self.octets.split_at_checked(slash + 1)?;
        rest.starts_with(b"index.htm")
            .then(|| CanonicalPath::new(directory, true, dialect))
    }
}

/// The canonical paths of rules: most stand in the file, only the others are written down.
pub(crate) struct CanonicalPaths {
    dialect: Dialect,
    /// The canonical octets of the rules whose path is not canonical in the file.
    arena: Vec<u8>,
    /// Where those of each such rule end.
    ends: Vec<usize>,
}

impl CanonicalPaths {
    pub(crate) fn new(rules: &[RawRule<'_>], dialect: Dialect) -> Result<CanonicalPaths, Error> {
        let form = Form::new(dialect, Side::Rule);
        let mut texts = CanonicalPaths {
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
    pub(crate) fn iter<'t>(
        &'t self,
        rules: &'t [RawRule<'t>],
    ) -> impl Iterator<Item = CanonicalPath<'t>> {
        let mut ends = self.ends.iter();
        let mut start = 0;
        rules.iter().map(move |rule| {
            let (mut octets, mut star) = (rule.path, rule.seen.star as usize);
            if !rule.seen.is_plain {
                let end = ends.next().copied().unwrap_or(start);
                octets = self.arena.get(start..end).unwrap_or_default();
                star = memchr::memchr(b'*', octets).unwrap_or(octets.len());
                start = end;
            }
            if !self.dialect.has_wildcards() {
                star = octets.len();
            }
            CanonicalPath {
                octets,
                anchored: rule.anchored,
                star,
            }
        })
    }
}
