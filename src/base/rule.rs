//! Rules: line, allow or disallow, path, priority (SPEC 8.3, 8.4, 8.7).

use crate::base::dialect::Dialect;

/// The line of a rule and whether the rule allows, in 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleRef(pub(crate) u32);

impl RuleRef {
    /// No rule: its line is 0, and lines start at 1.
    pub(crate) const NONE: RuleRef = RuleRef(0);

    #[inline]
    pub(crate) const fn new(line: u32, allow: bool) -> RuleRef {
        RuleRef(line << 1 | allow as u32)
    }
    #[inline]
    pub(crate) const fn line(self) -> u32 {
        self.0 >> 1
    }
    #[inline]
    pub(crate) const fn allow(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The priority of a rule: the matching rule with the highest priority wins (SPEC 8.7).
///
/// The order is: the longer path, then allow before disallow, then the earlier line. In koster1996, only the line counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority(u64);

impl Priority {
    /// Lower than the priority of every rule.
    pub(crate) const NONE: Priority = Priority(0);

    /// Higher than the priority of every rule.
    pub(crate) const MAX: Priority = Priority(u64::MAX);

    /// Returns the priority of a rule. `length`: the length of its canonical path in bytes, below 2^31.
    #[inline(always)]
    pub(crate) const fn new(rule: RuleRef, length: u32, first_match_wins: bool) -> Priority {
        let by_line = !rule.line() as u64;
        if first_match_wins {
            Priority(by_line)
        } else {
            Priority((length as u64) << 33 | (rule.allow() as u64) << 32 | by_line)
        }
    }
}

/// An allow or disallow line that the crawler obeys and that could match some URL.
///
/// The size is 16 bytes. A line of 8 bytes can be a rule, so lists of rules dominate the memory use of a parse (SPEC 10.2).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RawRule {
    /// Start offset of the canonical path in the [`RuleText`].
    pub(crate) start: u32,
    /// Length of the path without a `$` that means the end of the URL (SPEC 8.4).
    pub(crate) len: u32,
    /// Length of the path before its first wildcard, with the flag [`RawRule::ANCHORED`].
    pub(crate) prefix_len: u32,
    pub(crate) rule: RuleRef,
}

impl RawRule {
    /// Flag: a `$` that means the end of the URL follows the path.
    pub(crate) const ANCHORED: u32 = 1 << 31;

    #[inline(always)]
    pub(crate) fn is_anchored(&self) -> bool {
        self.prefix_len & RawRule::ANCHORED != 0
    }

    #[inline(always)]
    pub(crate) fn prefix_len(&self) -> usize {
        (self.prefix_len & !RawRule::ANCHORED) as usize
    }

    pub(crate) fn priority(&self, dialect: Dialect) -> Priority {
        let length = self.len + u32::from(self.is_anchored());
        Priority::new(self.rule, length, dialect.first_match_wins())
    }
}

/// The texts that hold the paths of all [`RawRule`]s. Most paths are canonical in the body of the robots.txt. The arena has the
/// canonical form of every other path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleText<'t> {
    pub(crate) body: &'t [u8],
    /// Canonical forms of paths that are not canonical in the body. The first byte of the arena has the offset `body.len()`.
    pub(crate) arena: &'t [u8],
}

impl<'t> RuleText<'t> {
    /// Returns all bytes from an offset on, including bytes after the path, so that a caller may read whole words.
    #[inline(always)]
    pub(crate) fn after(&self, start: usize) -> &'t [u8] {
        let bytes = match start.checked_sub(self.body.len()) {
            None => self.body.get(start..),
            Some(start) => self.arena.get(start..),
        };
        #[allow(clippy::expect_used, reason = "an invariant")]
        bytes.expect("the offset of a rule is in the body or in the arena")
    }

    #[inline]
    pub(crate) fn path(&self, rule: &RawRule) -> RulePath<'t> {
        let bytes = self.after(rule.start as usize).get(..rule.len as usize);
        #[allow(clippy::expect_used, reason = "an invariant")]
        let bytes = bytes.expect("the path of a rule is in the body or in the arena");
        RulePath::from_parts(bytes, rule.is_anchored(), rule.prefix_len())
    }

    /// Returns whether the path of a rule was copied to the arena.
    #[inline(always)]
    pub(crate) fn is_in_arena(&self, rule: &RawRule) -> bool {
        rule.start as usize >= self.body.len()
    }
}

/// The matching rule with the highest priority so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Winner {
    /// [`RuleRef::NONE`] if no rule matched.
    pub(crate) rule: RuleRef,
    pub(crate) priority: Priority,
}

impl Winner {
    pub(crate) const NONE: Winner = Winner {
        rule: RuleRef::NONE,
        priority: Priority::NONE,
    };

    /// Replaces the winner if the matching `rule` has a higher priority.
    #[inline(always)]
    pub(crate) fn offer(&mut self, rule: RuleRef, priority: Priority) {
        if priority > self.priority {
            *self = Winner { rule, priority };
        }
    }
}

/// The path of a rule in canonical form, split at its first wildcard (SPEC 8.3, 8.4).
///
/// `/a*b*c$` has the prefix `/a`, the pieces `b` and `c`, and an anchor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RulePath<'t> {
    /// The path without a `$` that means the end of the URL.
    pub(crate) bytes: &'t [u8],
    /// A `$` that means the end of the URL follows.
    pub(crate) is_anchored: bool,
    /// Length of the part before the first wildcard.
    prefix_len: usize,
}

impl<'t> RulePath<'t> {
    /// Splits a canonical path that may end with `$`.
    pub(crate) fn split(canonical: &'t [u8], dialect: Dialect) -> RulePath<'t> {
        let (bytes, is_anchored) = without_end(canonical, dialect);
        RulePath::new(bytes, is_anchored, dialect)
    }

    /// Splits a canonical path. `bytes`: the path without its final `$`.
    pub(crate) fn new(bytes: &'t [u8], is_anchored: bool, dialect: Dialect) -> RulePath<'t> {
        let star = memchr::memchr(b'*', bytes).filter(|_| dialect.has_wildcards());
        RulePath::from_parts(bytes, is_anchored, star.unwrap_or(bytes.len()))
    }

    #[inline(always)]
    pub(crate) fn from_parts(
        bytes: &'t [u8],
        is_anchored: bool,
        prefix_len: usize,
    ) -> RulePath<'t> {
        RulePath {
            bytes,
            is_anchored,
            prefix_len,
        }
    }

    /// Returns the length that SPEC 8.7 compares: `*` and `$` count.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.bytes.len() + usize::from(self.is_anchored)
    }

    #[inline]
    pub(crate) fn prefix(&self) -> &'t [u8] {
        self.bytes.get(..self.prefix_len).unwrap_or(self.bytes)
    }

    /// Returns the bytes from the first wildcard on.
    #[inline]
    pub(crate) fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.prefix_len..).unwrap_or_default()
    }

    /// Returns the literal pieces after the first wildcard.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &'t [u8]> + use<'t> {
        let pieces = self.rest().split(|byte| *byte == b'*');
        pieces.filter(|piece| !piece.is_empty())
    }

    /// Returns whether the last piece, or a path without pieces, must end where the URL ends. The result is false for a path
    /// that ends with `*$`, because the `*` matches any rest of the URL.
    #[inline]
    pub(crate) fn ends(&self) -> bool {
        self.is_anchored && self.bytes.last() != Some(&b'*')
    }

    /// Returns whether the path can match some URL. `x` matches no URL, because paths of URLs start with `/` (SPEC 8.5).
    #[inline]
    pub(crate) fn can_match(&self) -> bool {
        match self.prefix() {
            [] => !self.rest().is_empty() || !self.is_anchored,
            [first, ..] => *first == b'/',
        }
    }

    /// Returns the directory of a rule for an index file: `/x/$` for `/x/index.html` (SPEC 8.10).
    pub(crate) fn directory_of_index(&self, dialect: Dialect) -> Option<RulePath<'t>> {
        if !dialect.index_stands_for_directory() {
            return None;
        }
        let slash = memchr::memrchr(b'/', self.bytes)?;
        let (directory, file) = self.bytes.split_at_checked(slash + 1)?;
        let is_index = file.starts_with(b"index.htm");
        is_index
            .then(|| RulePath::from_parts(directory, true, self.prefix_len.min(directory.len())))
    }
}

/// Returns the path of a rule without a `$` that means the end of the URL (SPEC 8.4), and whether the path had this `$`.
#[inline]
pub(crate) fn without_end(path: &[u8], dialect: Dialect) -> (&[u8], bool) {
    match path {
        [path @ .., b'$'] if dialect.has_wildcards() => (path, true),
        _ => (path, false),
    }
}
