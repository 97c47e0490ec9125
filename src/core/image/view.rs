//! Reads an image in place. Every read is checked against the end of the image, so a damaged image causes only `None` or a
//! wrong verdict.

use super::{
    ANCHORED, BYTE_ORDER, MAGIC, MARK_BITS, MAX_BITS, NUMBER, VERSION, flag, hash, header,
    marks_len, node,
};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::RuleRef;
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::chunks::as_chunks;
use crate::bytes::simd;

#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    bytes: &'a [u8],
}

impl<'a> View<'a> {
    /// Validates magic, version, byte order and length, in constant time.
    #[inline]
    pub(crate) fn open(bytes: &'a [u8]) -> Result<View<'a>, Error> {
        const HEAD: u64 = u32::from_le_bytes(MAGIC) as u64
            | (VERSION as u64) << (8 * header::VERSION)
            | (BYTE_ORDER as u64) << (8 * header::BYTE_ORDER);
        /// The first eight bytes without the flags.
        const MASK: u64 = !(0xFF << (8 * header::FLAGS));
        let view = View { bytes };
        let head = view.word(0).ok_or(Error::Image)?;
        if head & MASK != HEAD {
            return Err(if head as u32 == HEAD as u32 {
                Error::ImageFormat
            } else {
                Error::Image
            });
        }
        let len = view.u32(header::LENGTH).map(u64::from);
        if len != Some(bytes.len() as u64) || bytes.len() < header::LEN {
            return Err(Error::Image);
        }
        Ok(view)
    }

    /// Returns a view without validating the header. The bytes were validated before, or the caller accepts wrong results.
    #[inline(always)]
    pub(crate) fn new_trusted(bytes: &'a [u8]) -> View<'a> {
        View { bytes }
    }

    #[inline(always)]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the flags. If the image is too short for a header, which [`View::open`] rejects, returns the safe flag
    /// `UNREACHABLE`.
    #[inline]
    pub(crate) fn flags(self) -> u8 {
        let flags = self.bytes.get(header::FLAGS);
        flags.copied().unwrap_or(flag::UNREACHABLE)
    }

    /// Returns the dialect; `None` for an unknown number.
    #[inline]
    pub(crate) fn dialect(self) -> Option<Dialect> {
        Dialect::from_code(u64::from(*self.bytes.get(header::DIALECT)?))
    }

    /// Returns whether /robots.txt is allowed regardless of the rules (SPEC 8.9); false if the body was an address, because
    /// then nothing is allowed (SPEC 4.7).
    pub(crate) fn frees_robots_txt(self, dialect: Dialect) -> bool {
        dialect.frees_robots_txt() && self.flags() & flag::ADDRESS == 0
    }

    /// Returns the verdict on a path that no rule of the image matches.
    #[inline(always)]
    pub(crate) fn default_verdict(self) -> Verdict {
        let Some(line) = self.u32(header::DEFAULT_LINE) else {
            return Verdict::from_error(Error::Image);
        };
        const RULE_ALLOWS: u8 = flag::GROUP | flag::ALLOW_ALL;
        const RULE_DISALLOWS: u8 = flag::GROUP | flag::DISALLOW_ALL;
        let flags = self.flags();
        let (reason, allow) = match flags & flag::VERDICT {
            0 => (Reason::NoGroup, true),
            flag::GROUP => (Reason::NoRule, true),
            RULE_ALLOWS => (Reason::RuleAllowed, true),
            RULE_DISALLOWS => (Reason::RuleDisallowed, false),
            flag::ALLOW_ALL => (Reason::AllowAll, true),
            flag::DISALLOW_ALL => (Reason::DisallowAll, false),
            flag::UNREACHABLE => (Reason::Unreachable, false),
            flag::ADDRESS => return Verdict::from_error(Error::Argument),
            _ => return Verdict::from_error(Error::Image),
        };
        Verdict::new(reason, allow, line).on_site(flags & flag::SITE_WIDE != 0)
    }

    pub(crate) fn crawl_delay(self) -> Option<f64> {
        let seconds = f64::from_bits(self.word(header::CRAWL_DELAY)?);
        (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
    }

    /// Returns the number of sitemaps: at most the length of the image, even if the image is damaged.
    pub(crate) fn sitemap_count(self) -> usize {
        (self.u32(header::SITEMAP_COUNT).unwrap_or(0) as usize).min(self.bytes.len())
    }

    pub(crate) fn sitemap(self, index: usize) -> Option<&'a [u8]> {
        let count = self.sitemap_count();
        if index >= count {
            return None;
        }
        let table = self.u32(header::SITEMAPS)? as usize;
        let text = self
            .bytes
            .get(table.checked_add(count.checked_mul(NUMBER)?)?..)?;
        let end = |index: usize| self.u32(table.checked_add(index * NUMBER)?);
        let start = if index == 0 { 0 } else { end(index - 1)? };
        text.get(start as usize..end(index)? as usize)
    }

    #[inline(always)]
    pub(crate) fn word(self, at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(self.array(at)?))
    }

    #[inline(always)]
    pub(crate) fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.array(at)?))
    }

    #[inline(always)]
    pub(crate) fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    #[inline(always)]
    pub(crate) fn node(self, at: usize) -> Option<LiteralNode> {
        let [fan, label_len, count] = self.array::<{ node::HEAD }>(at)?;
        if fan > node::MAX_FAN {
            return None;
        }
        let label = at + node::HEAD;
        let table = label + usize::from(label_len);
        Some(LiteralNode {
            fan,
            count: usize::from(count),
            label,
            table,
            keys: table + node::entries(fan) * NUMBER,
        })
    }

    /// Returns the offsets in the table of a node, from the last to the first, without entries of 0. An offset is `None` if the
    /// image is damaged.
    #[inline(always)]
    pub(crate) fn children(self, node: &LiteralNode) -> impl Iterator<Item = Option<u32>> {
        let table = node.table;
        let entries = (0..node::entries(node.fan)).rev();
        let offsets = entries.map(move |entry| self.u32(table + entry * NUMBER));
        offsets.filter(|offset| *offset != Some(0))
    }

    /// Returns the total length of the tails of a node before the tail of rule `number`.
    #[inline(always)]
    pub(crate) fn tails_before(self, node: &LiteralNode, number: usize) -> Option<usize> {
        /// Mask for a word of eight tail lengths: all bits except the flag in each byte.
        const LENS: u64 = !(u64::MAX / 255 * node::THEN_STAR as u64);
        // The loop reads all lengths of the node, including lengths after `number`, because a branch on the count of rules is
        // easier to predict than a branch on `number`.
        let lens = self.bytes.get(node.lens()..)?;
        let words = lens.get(..node.count.div_ceil(8) * 8)?;
        let mut sum = 0;
        let mut left = number;
        for word in as_chunks::<8>(words).0 {
            let lens = u64::from_le_bytes(*word) & LENS & simd::low_bytes(left);
            sum += simd::sum_of_bytes(lens);
            left = left.saturating_sub(8);
        }
        Some(sum)
    }

    /// Returns rule `number` of a node.
    pub(crate) fn literal(self, node: &LiteralNode, number: usize) -> Option<NodeRule<'a>> {
        let low = self.u32(node.keys + 4 * number)?;
        let high = self.u32(node.keys + 4 * (node.count + number))?;
        let len = *self.bytes.get(node.lens() + number)?;
        let text = node.text() + self.tails_before(node, number)?;
        Some(NodeRule {
            key: u64::from(high) << 32 | u64::from(low),
            tail: self
                .bytes
                .get(text..text + usize::from(len & !node::THEN_STAR))?,
            has_star: len & node::THEN_STAR != 0,
            rule: RuleRef(self.u32(node.rules() + number * NUMBER)?),
        })
    }

    /// Returns the head of the list at offset `at`.
    #[inline(always)]
    pub(crate) fn wildcards(self, at: u32) -> Option<WildcardList<'a>> {
        let at = at as usize;
        // After this test `at` is in the image, so the sums below do not overflow, even if addresses have 32 bits.
        self.bytes.get(at..)?;
        let count = self.u32(at + NUMBER)? as usize;
        let index = self.u32(at + 2 * NUMBER)? as usize;
        let keys = at + 3 * NUMBER;
        let mut offsets = keys;
        let mut pairs: &[[u8; 2]] = &[];
        if index == 0 {
            let columns = self.bytes.get(keys..)?.get(..count.checked_mul(10)?)?;
            (pairs, _) = as_chunks(columns.get(count * 8..)?);
            offsets += columns.len();
        }
        Some(WildcardList {
            longest: self.u32(at)?,
            count,
            index,
            keys,
            pairs,
            offsets,
        })
    }

    /// Returns the two columns of `count` keys as vectors. The last vectors may extend past the columns.
    #[inline(always)]
    pub(crate) fn keys(self, at: usize, count: usize) -> Option<Keys<'a>> {
        let len = count.div_ceil(4) * 16;
        let (lows, _) = as_chunks(self.bytes.get(at..)?.get(..len)?);
        let (highs, _) = as_chunks(self.bytes.get(at + 4 * count..)?.get(..len)?);
        Some((lows, highs))
    }

    /// Returns the part of an index that starts at an offset.
    pub(crate) fn buckets(self, at: usize) -> Option<Buckets> {
        let bits = u32::from(*self.bytes.get(at)?);
        let marks = at + 1;
        (bits <= MAX_BITS).then_some(Buckets { marks, bits })
    }

    /// Returns whether the mark of the key is set. If it is not set, no rule has the key.
    #[inline(always)]
    pub(crate) fn is_marked(self, buckets: Buckets, key: u32) -> Option<bool> {
        let mark = hash(key, buckets.bits + MARK_BITS);
        let byte = self.bytes.get(buckets.marks + mark / 8)?;
        Some(byte >> (mark % 8) & 1 != 0)
    }

    #[inline]
    pub(crate) fn rule_offset(self, list: &WildcardList<'_>, number: usize) -> Option<usize> {
        Some(self.u32(list.offsets.checked_add(number.checked_mul(NUMBER)?)?)? as usize)
    }

    #[inline]
    pub(crate) fn rule(self, list: &WildcardList<'_>, number: usize) -> Option<WildcardRule<'a>> {
        let at = self.rule_offset(list, number)?;
        let mut pieces = Pieces {
            rest: self.bytes.get(at + WILDCARD_RULE_HEAD..)?,
            is_damaged: false,
        };
        let prefix_len = pieces.read_len()?;
        let (prefix, rest) = pieces.rest.split_at_checked(prefix_len)?;
        pieces.rest = rest;
        Some(WildcardRule {
            length: self.u32(at)?,
            rule: RuleRef(self.u32(at + NUMBER)?),
            is_anchored: *self.bytes.get(at + 2 * NUMBER)? & ANCHORED != 0,
            prefix,
            pieces,
        })
    }
}

/// The part of an index for keys of one length.
#[derive(Clone, Copy)]
pub(crate) struct Buckets {
    /// Offset of the marks.
    marks: usize,
    /// Number of bits of a bucket's number; 0 if no key has this length.
    pub(crate) bits: u32,
}

impl Buckets {
    /// Returns the offset of the column of bucket starts.
    #[inline(always)]
    pub(crate) fn starts(self) -> usize {
        self.marks + marks_len(self.bits)
    }

    /// Returns the offset of the rule numbers.
    #[inline(always)]
    pub(crate) fn numbers(self) -> usize {
        self.starts() + ((1 << self.bits) + 1) * NUMBER
    }
}

/// The number of bytes of a wildcard rule before its prefix: length, rule reference and flags.
pub(crate) const WILDCARD_RULE_HEAD: usize = 2 * NUMBER + 1;

/// The lower and the upper halves of keys.
pub(crate) type Keys<'a> = (&'a [[u8; 16]], &'a [[u8; 16]]);

/// The offsets of the parts of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralNode {
    pub(crate) fan: u8,
    pub(crate) count: usize,
    pub(crate) label: usize,
    pub(crate) table: usize,
    pub(crate) keys: usize,
}

impl LiteralNode {
    #[inline(always)]
    pub(crate) fn label_len(&self) -> usize {
        self.table - self.label
    }

    #[inline(always)]
    pub(crate) fn lens(&self) -> usize {
        self.keys + node::KEY * self.count
    }

    #[inline(always)]
    pub(crate) fn rules(&self) -> usize {
        self.lens() + self.count
    }

    #[inline(always)]
    pub(crate) fn text(&self) -> usize {
        self.rules() + NUMBER * self.count
    }

    /// Returns the offset of the table's entry for a path that continues with `window`.
    #[inline(always)]
    pub(crate) fn entry(&self, window: u32) -> usize {
        self.table + hash(window, u32::from(self.fan.saturating_sub(1))) * NUMBER
    }
}

pub(crate) struct NodeRule<'a> {
    key: u64,
    pub(crate) tail: &'a [u8],
    /// The rule ends with a `*`.
    pub(crate) has_star: bool,
    pub(crate) rule: RuleRef,
}

impl NodeRule<'_> {
    /// Returns the first eight bytes after the label, with zeros after the end of the rule.
    pub(crate) fn key(&self) -> [u8; node::KEY] {
        self.key.to_le_bytes()
    }

    pub(crate) fn key_len(&self) -> usize {
        node::KEY - self.key.leading_zeros() as usize / 8
    }
}

/// The head of the list of wildcard rules.
pub(crate) struct WildcardList<'a> {
    pub(crate) longest: u32,
    pub(crate) count: usize,
    /// Offset of the index; 0 if the list has no index.
    pub(crate) index: usize,
    /// Offset of the keys of the rules, if there is no index.
    pub(crate) keys: usize,
    /// For each rule, two adjacent bytes that every matching path has; empty if there is an index.
    pub(crate) pairs: &'a [[u8; 2]],
    /// Offset of the column with the offset of each rule.
    pub(crate) offsets: usize,
}

pub(crate) struct WildcardRule<'a> {
    pub(crate) length: u32,
    pub(crate) rule: RuleRef,
    /// The last piece, or the prefix if there is no piece, must be at the end of the path.
    pub(crate) is_anchored: bool,
    pub(crate) prefix: &'a [u8],
    pub(crate) pieces: Pieces<'a>,
}

/// The pieces of a rule: the bytes between its wildcards.
#[derive(Clone)]
pub(crate) struct Pieces<'a> {
    rest: &'a [u8],
    /// The image is damaged, so pieces at the end may be missing.
    pub(crate) is_damaged: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) bytes: &'a [u8],
    /// Offset of the piece's rarest pair of bytes.
    pub(crate) rarest: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    #[inline]
    fn next(&mut self) -> Option<Piece<'a>> {
        let piece = self.read();
        self.is_damaged |= piece.is_none();
        piece.flatten()
    }
}

impl<'a> Pieces<'a> {
    /// Reads a piece; returns `Some(None)` after the last piece, and `None` if the image is damaged.
    #[inline]
    fn read(&mut self) -> Option<Option<Piece<'a>>> {
        let len = self.read_len()?;
        if len == 0 {
            return Some(None);
        }
        let (rarest, rest) = self.rest.split_first()?;
        let (bytes, rest) = rest.split_at_checked(len)?;
        self.rest = rest;
        let rarest = usize::from(*rarest);
        (rarest < len).then_some(Some(Piece { bytes, rarest }))
    }

    #[inline(always)]
    fn read_len(&mut self) -> Option<usize> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        let len = usize::from(*byte);
        if len >= 0x80 {
            self.rest_of_len(len & 0x7F)
        } else {
            Some(len)
        }
    }

    /// Reads the rest of a length of more than 7 bits. `len`: the lowest 7 bits.
    #[cold]
    fn rest_of_len(&mut self, mut len: usize) -> Option<usize> {
        for shift in (7..32).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            len |= usize::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(len);
            }
        }
        None
    }

    /// Returns the number of bytes from the next piece to the end of the image.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }
}
