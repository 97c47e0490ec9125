//! A rule's canonical path, split at its wildcards (SPEC 8.3, 8.4, 8.7).

use super::writer::BuildFailure;
use super::{Width, node};
use crate::dialect::Dialect;
use crate::parser::group::RawRule;
use crate::rule::{Priority, RuleRef};
use crate::url::canonical::{Canonical, Form, Side};
use crate::util::simd;

/// What must follow the literal start of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Anything: the rule is a prefix.
    Open,
    /// The end of the URL.
    End,
    /// The pieces after the first wildcard, in this order.
    Wild,
    /// The same, the last of them at the end of the URL.
    WildEnd,
}

/// A rule, ready to be indexed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern<'t> {
    /// The canonical bytes, without a `$` that stands for the end.
    bytes: &'t [u8],
    /// How many of them stand before the first wildcard.
    pub(crate) prefix_len: u32,
    /// Of the canonical path, `*` and `$` counted.
    pub(crate) length: u32,
    pub(crate) rule: RuleRef,
    pub(crate) tail: Tail,
}

impl<'t> Pattern<'t> {
    /// Takes a rule apart.
    #[inline]
    pub(crate) fn new(text: CanonicalPath<'t>, rule: RuleRef) -> Pattern<'t> {
        let CanonicalPath {
            bytes,
            anchored,
            star,
        } = text;
        let behind = bytes.get(star..).unwrap_or_default();
        let tail = match (behind, anchored) {
            ([], false) => Tail::Open,
            ([], true) => Tail::End,
            _ if behind.iter().all(|byte| *byte == b'*') => Tail::Open,
            // A `*` at the end takes what is left, whether or not a `$` stands after it.
            ([.., b'*'], _) | (_, false) => Tail::Wild,
            _ => Tail::WildEnd,
        };
        Pattern {
            bytes,
            prefix_len: star as u32,
            length: bytes.len() as u32 + u32::from(anchored),
            rule,
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

    /// The canonical bytes up to the first wildcard.
    #[inline]
    pub(crate) fn prefix(&self) -> &'t [u8] {
        self.bytes
            .get(..self.prefix_len as usize)
            .unwrap_or(self.bytes)
    }

    /// The literal pieces after the first wildcard.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &'t [u8]> + use<'t> {
        let behind = self.bytes.get(self.prefix_len as usize..);
        behind
            .unwrap_or_default()
            .split(|byte| *byte == b'*')
            .filter(|piece| !piece.is_empty())
    }

    #[inline]
    pub(crate) fn priority(&self, dialect: Dialect) -> Priority {
        if dialect.first_match_wins() {
            Priority::from_line(self.rule.line())
        } else {
            Priority::new(self.length, self.rule.allow(), self.rule.line())
        }
    }
}

/// The canonical path of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalPath<'t> {
    /// Without the final `$`.
    pub(crate) bytes: &'t [u8],
    /// There is a final `$` (SPEC 8.4).
    anchored: bool,
    /// Where the first wildcard stands, or the end.
    star: usize,
}

impl<'t> CanonicalPath<'t> {
    pub(crate) fn new(bytes: &'t [u8], anchored: bool, dialect: Dialect) -> CanonicalPath<'t> {
        CanonicalPath {
            bytes,
            anchored,
            star: star(bytes, dialect),
        }
    }

    /// SPEC 8.10: the directory that an allow rule for its index file stands for, too.
    pub(crate) fn directory_of_index(&self, dialect: Dialect) -> Option<CanonicalPath<'t>> {
        if !dialect.index_stands_for_directory() {
            return None;
        }
        let slash = memchr::memrchr(b'/', self.bytes)?;
        let (directory, rest) = self.bytes.split_at_checked(slash + 1)?;
        rest.starts_with(b"index.htm")
            .then(|| CanonicalPath::new(directory, true, dialect))
    }
}

/// The rules of an image, with their canonical paths. Most of these stand in the file; only the others are written down.
pub(crate) struct Patterns<'a> {
    pub(crate) dialect: Dialect,
    body: &'a [u8],
    /// The canonical bytes of the rules whose path is not canonical in the file. Offsets continue after the body.
    arena: Vec<u8>,
    rules: Vec<RawRule>,
    /// The last line of a rule.
    pub(crate) last_line: u32,
}

impl<'a> Patterns<'a> {
    /// Takes over the rules of a file.
    pub(crate) fn new(
        body: &'a [u8],
        rules: Vec<RawRule>,
        dialect: Dialect,
    ) -> Result<Patterns<'a>, BuildFailure> {
        let last_line = rules.last().map_or(0, |raw| raw.rule.line());
        let mut patterns = Patterns {
            dialect,
            body,
            arena: Vec::new(),
            rules,
            last_line,
        };
        patterns.canonicalise()?;
        if dialect.index_stands_for_directory() {
            patterns.add_directories()?;
        }
        Ok(patterns)
    }

    /// Brings the paths that are not canonical into canonical form.
    fn canonicalise(&mut self) -> Result<(), BuildFailure> {
        let form = Form::new(self.dialect, Side::Rule);
        let body = self.body;
        let raw_path = |raw: &RawRule| {
            let start = raw.start as usize;
            body.get(start..start + raw.len as usize)
        };
        let mut len = 0;
        for raw in self.rules.iter().filter(|raw| !raw.is_plain()) {
            let path = raw_path(raw).ok_or(BuildFailure::Defect)?;
            len += Canonical::new(form, path).canonical_len();
        }
        if len == 0 {
            return Ok(());
        }
        // Offsets have 32 bits, and priorities 31 for a length.
        if len >= 1 << 31 {
            return Err(BuildFailure::Memory);
        }
        self.arena
            .try_reserve_exact(len)
            .map_err(|_| BuildFailure::Memory)?;
        for raw in self.rules.iter_mut().filter(|raw| !raw.is_plain()) {
            let start = self.arena.len();
            let path = raw_path(raw).ok_or(BuildFailure::Defect)?;
            Canonical::new(form, path).append_to(&mut self.arena);
            let path = self.arena.get(start..).ok_or(BuildFailure::Defect)?;
            if path.len() >= 1 << 30 {
                return Err(BuildFailure::Memory);
            }
            *raw = RawRule::new(
                (body.len() + start) as u32,
                path.len() as u32,
                star(path, self.dialect) as u32,
                raw.is_anchored(),
                raw.rule,
            );
        }
        Ok(())
    }

    /// SPEC 8.10: adds the directories that rules stand for. Where such a rule matches itself it is the longer of the two.
    fn add_directories(&mut self) -> Result<(), BuildFailure> {
        for number in 0..self.rules.len() {
            let raw = *self.rules.get(number).ok_or(BuildFailure::Defect)?;
            if !raw.rule.allow() {
                continue;
            }
            let path = CanonicalPath::new(self.path(&raw)?, raw.is_anchored(), self.dialect);
            let directory = path.directory_of_index(self.dialect);
            let directory = directory.map(|path| (path.bytes.len() as u32, path.star as u32));
            if let Some((len, star)) = directory {
                let more = (self.rules.len() / 4).max(1);
                if self.rules.len() == self.rules.capacity() {
                    let room = self.rules.try_reserve_exact(more);
                    room.map_err(|_| BuildFailure::Memory)?;
                }
                self.rules
                    .push(RawRule::new(raw.start, len, star, true, raw.rule));
            }
        }
        Ok(())
    }

    #[inline]
    fn path(&self, raw: &RawRule) -> Result<&[u8], BuildFailure> {
        let (start, len) = (raw.start as usize, raw.len as usize);
        let path = match start.checked_sub(self.body.len()) {
            None => self.body.get(start..start + len),
            Some(start) => self.arena.get(start..start + len),
        };
        path.ok_or(BuildFailure::Defect)
    }

    /// A rule by its number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Result<Pattern<'_>, BuildFailure> {
        let raw = self
            .rules
            .get(number as usize)
            .ok_or(BuildFailure::Defect)?;
        let path = CanonicalPath {
            bytes: self.path(raw)?,
            anchored: raw.is_anchored(),
            star: raw.star() as usize,
        };
        Ok(Pattern::new(path, raw.rule))
    }

    /// The literal start of a rule.
    #[inline]
    pub(crate) fn prefix(&self, number: u32) -> Result<&[u8], BuildFailure> {
        let raw = self
            .rules
            .get(number as usize)
            .ok_or(BuildFailure::Defect)?;
        let path = self.path(raw)?;
        path.get(..raw.star() as usize).ok_or(BuildFailure::Defect)
    }

    /// A rule that [`Patterns::split`] found literal.
    #[inline]
    pub(crate) fn literal(&self, number: u32) -> Result<Literal<'_>, BuildFailure> {
        let raw = self
            .rules
            .get(number as usize)
            .ok_or(BuildFailure::Defect)?;
        let start = raw.start as usize;
        let source = match start.checked_sub(self.body.len()) {
            None => self.body.get(start..),
            Some(start) => self.arena.get(start..),
        };
        Ok(Literal {
            source: source.ok_or(BuildFailure::Defect)?,
            len: raw.star() as usize,
            has_star: raw.star() < raw.len,
            rule: raw.rule,
        })
    }

    /// Returns the numbers of the rules, those first that nodes can hold, and how many these are.
    pub(crate) fn split(&self) -> Result<(Vec<u32>, usize), BuildFailure> {
        let mut numbers = Vec::new();
        let room = numbers.try_reserve_exact(self.rules.len());
        room.map_err(|_| BuildFailure::Memory)?;
        numbers.resize(self.rules.len(), 0);
        // Literal rules fill it from the front, the others from the back.
        let (mut literals, mut others) = (0, numbers.len());
        for (number, raw) in self.rules.iter().enumerate() {
            let place = if self.is_literal(raw)? {
                literals += 1;
                literals - 1
            } else {
                others -= 1;
                others
            };
            *numbers.get_mut(place).ok_or(BuildFailure::Defect)? = number as u32;
        }
        Ok((numbers, literals))
    }

    /// Whether a node can hold the rule: it matches whatever starts with its path, but for a `*` at its end.
    #[inline]
    fn is_literal(&self, raw: &RawRule) -> Result<bool, BuildFailure> {
        let open = raw.star() + 1 >= raw.len && !raw.is_anchored();
        if !open || raw.star() == 0 || raw.len as usize > node::MAX_TAIL {
            return Ok(false);
        }
        // In a key a zero stands for any byte. No path has one where it is canonical as it is written.
        let is_written = (raw.start as usize) < self.body.len();
        Ok(is_written || memchr::memchr(0, self.path(raw)?).is_none())
    }

    /// Returns about how many bytes the rules take in an image, rather too many than too few.
    pub(crate) fn likely_image_len<W: Width>(&self) -> Result<usize, BuildFailure> {
        let mut sum = 0;
        for raw in &self.rules {
            let path = self.path(raw)?;
            let pieces = path
                .get(raw.star() as usize..)
                .ok_or(BuildFailure::Defect)?;
            sum += path.len() + W::LEN + 10;
            if pieces.len() > 1 {
                // Its part of an index, and of each piece its length and its rarest pair.
                sum += 4 * W::LEN + memchr::memchr_iter(b'*', pieces).count();
            }
        }
        Ok(sum)
    }
}

/// A rule that matches whatever starts with its path, but for a `*` at its end.
pub(crate) struct Literal<'t> {
    /// The path, and whatever is written after it.
    pub(crate) source: &'t [u8],
    /// The length of the path without the `*`.
    pub(crate) len: usize,
    pub(crate) has_star: bool,
    pub(crate) rule: RuleRef,
}

impl Literal<'_> {
    /// Returns eight bytes from `depth` on, zeros after the end of the path, and how many bytes there are to the end.
    #[inline(always)]
    pub(crate) fn word(&self, depth: usize) -> (u64, usize) {
        let len = self.len.saturating_sub(depth);
        let source = self.source.get(depth..).unwrap_or_default();
        (simd::first_word(source) & simd::low_bytes(len), len)
    }
}

/// Where the first wildcard of a canonical path stands, or the end.
fn star(path: &[u8], dialect: Dialect) -> usize {
    if dialect.has_wildcards() {
        memchr::memchr(b'*', path).unwrap_or(path.len())
    } else {
        path.len()
    }
}
