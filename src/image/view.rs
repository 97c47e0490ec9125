//! Reads an image in place. Every read is checked: a damaged image gives `None`, never more.

use super::{BYTE_ORDER, Fields, MAGIC, VERSION, flag, header, node};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::rule::RuleRef;
use crate::util::chunks::as_chunks;
use crate::util::simd;
use crate::verdict::{Reason, Verdict};

/// An image, borrowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    bytes: &'a [u8],
}

impl<'a> View<'a> {
    /// Looks at the header alone, in constant time: enough to read the rest in safety, since every
    /// further read is checked.
    #[inline]
    pub(crate) fn open(bytes: &'a [u8]) -> Result<View<'a>, Error> {
        const HEAD: u64 = u32::from_le_bytes(MAGIC) as u64
            | (VERSION as u64) << (8 * header::VERSION)
            | (BYTE_ORDER as u64) << (8 * header::BYTE_ORDER);
        /// All of the first eight bytes but the flags.
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

    /// The same for an image that this library made and nobody could write to since.
    #[inline(always)]
    pub(crate) fn new_trusted(bytes: &'a [u8]) -> View<'a> {
        View { bytes }
    }

    #[inline(always)]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    #[inline]
    pub(crate) fn flags(self) -> u8 {
        self.bytes.get(header::FLAGS).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn is_wide(self) -> bool {
        self.flags() & flag::WIDE != 0
    }

    /// `None` for a dialect that there is none of.
    #[inline]
    pub(crate) fn dialect(self) -> Option<Dialect> {
        Dialect::from_code(u64::from(*self.bytes.get(header::DIALECT)?))
    }

    /// Where no rule matches.
    #[inline(always)]
    pub(crate) fn default_verdict(self) -> Verdict {
        const OF_FLAGS: [(Reason, bool); 16] = {
            let mut table = [(Reason::NoGroup, true); 16];
            let mut flags = 0;
            while flags < 16 {
                #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
                if flags & flag::GROUP >> 1 != 0 {
                    table[flags as usize] = (Reason::NoRule, true);
                } else if flags & flag::ALLOW_ALL >> 1 != 0 {
                    table[flags as usize] = (Reason::AllowAll, true);
                } else if flags & flag::DISALLOW_ALL >> 1 != 0 {
                    table[flags as usize] = (Reason::DisallowAll, false);
                } else if flags & flag::UNREACHABLE >> 1 != 0 {
                    table[flags as usize] = (Reason::Unreachable, false);
                }
                flags += 1;
            }
            table
        };
        let line = self.u32(header::DEFAULT_LINE).unwrap_or(0);
        let of_flags = OF_FLAGS.get(usize::from(self.flags() >> 1 & 15));
        let (reason, allow) = of_flags.copied().unwrap_or((Reason::NoGroup, true));
        Verdict::new(reason, allow, line)
    }

    /// Returns the verdict on every URL except /robots.txt, if the image has no rules.
    pub(crate) fn site_verdict(self) -> Option<Verdict> {
        (self.flags() & flag::GROUP == 0).then(|| self.default_verdict())
    }

    pub(crate) fn crawl_delay(self) -> Option<f64> {
        let seconds = f64::from_bits(self.word(header::CRAWL_DELAY)?);
        (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
    }

    /// No more than there is room for, so that nobody counts through what a damaged image claims.
    pub(crate) fn sitemap_count(self) -> usize {
        (self.u32(header::SITEMAP_COUNT).unwrap_or(0) as usize).min(self.bytes.len())
    }

    pub(crate) fn sitemap(self, index: usize) -> Option<&'a [u8]> {
        if self.is_wide() {
            self.sitemap_of::<Offset32>(index)
        } else {
            self.sitemap_of::<Offset16>(index)
        }
    }

    fn sitemap_of<W: Width>(self, index: usize) -> Option<&'a [u8]> {
        let count = self.sitemap_count();
        if index >= count {
            return None;
        }
        let table = self.u32(header::SITEMAPS)? as usize;
        let text = self
            .bytes
            .get(table.checked_add(count.checked_mul(W::LEN)?)?..)?;
        let end = |index: usize| self.width::<W>(table.checked_add(index * W::LEN)?);
        let start = if index == 0 {
            0
        } else {
            end(index - 1)? as usize
        };
        text.get(start..end(index)? as usize)
    }

    /// The eight bytes at `at`.
    #[inline(always)]
    pub(crate) fn word(self, at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(self.array(at)?))
    }

    #[inline(always)]
    pub(crate) fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.array(at)?))
    }

    /// The offset or slot at `at`.
    #[inline(always)]
    pub(crate) fn width<W: Width>(self, at: usize) -> Option<u32> {
        W::read(self, at)
    }

    #[inline(always)]
    pub(crate) fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    /// What the root says, and its children.
    #[inline(always)]
    pub(crate) fn root<W: Width>(self) -> Option<(Fields, Children)> {
        let fields = W::fields(self, header::LEN, 3)?;
        let at = header::LEN + 4 * W::LEN;
        let count = usize::from(u16::from_le_bytes(self.array(at)?));
        Some((
            fields,
            Children {
                keys: at + 2,
                count,
            },
        ))
    }

    /// The node at `at`, as far as its label.
    #[inline(always)]
    pub(crate) fn head(self, at: u32) -> Option<NodeHead<'a>> {
        let at = at as usize;
        let start = u32::from_le_bytes(self.array(at)?);
        let first = start as u8;
        let mut len = usize::from(first & node::LABEL_LEN);
        let mut at = at + 1;
        let mut count = (start >> 8) as u8;
        if len == usize::from(node::LONG) {
            len = usize::from(count);
            count = (start >> 16) as u8;
            at += 1;
        }
        let has_children = first & node::CHILDREN != 0;
        Some(NodeHead {
            kind: usize::from(first >> node::KIND_SHIFT & 3),
            children: if has_children {
                usize::from(count) + 1
            } else {
                0
            },
            label: Label {
                image: self,
                at: at + usize::from(has_children),
                len,
            },
        })
    }

    /// The rest of the node.
    #[inline(always)]
    pub(crate) fn node<W: Width>(self, head: &NodeHead<'_>) -> Option<(Fields, Children)> {
        let at = head.label.at + head.label.len;
        let fields = W::fields(self, at, head.kind)?;
        let keys = at + W::LEN * node::fields(head.kind);
        let count = head.children;
        Some((fields, Children { keys, count }))
    }

    /// The child whose first byte is `byte`; 0 if there is none.
    #[inline(always)]
    pub(crate) fn child<W: Width>(self, children: Children, byte: u8) -> Option<u32> {
        let Children { keys, count } = children;
        // Sixteen keys at once, and what stands after the last.
        let found = simd::equal_lanes(&self.array(keys)?, byte) & !(u32::MAX << count.min(16));
        if found != 0 {
            let offset = keys + count + found.trailing_zeros() as usize * W::LEN;
            return self.width::<W>(offset);
        }
        if count <= 16 {
            return Some(0);
        }
        self.child_of_many::<W>(children, byte)
    }

    #[inline(never)]
    fn child_of_many<W: Width>(self, children: Children, byte: u8) -> Option<u32> {
        let Children { keys, count } = children;
        let found = memchr::memchr(byte, self.bytes.get(keys..keys + count)?);
        found.map_or(Some(0), |index| {
            self.width::<W>(keys + count + index * W::LEN)
        })
    }

    #[inline]
    pub(crate) fn list<W: Width>(self, at: u32) -> Option<List<'a>> {
        let at = at as usize;
        // What lies in the image can be added to, even where addresses have 32 bits.
        self.bytes.get(at..)?;
        let count = self.width::<W>(at + 3 * W::LEN)? as usize;
        let index = self.width::<W>(at + 4 * W::LEN)? as usize;
        let mut offsets = at + 5 * W::LEN;
        let mut pairs: &[[u8; 2]] = &[];
        if index == 0 {
            let bytes = self.bytes.get(offsets..)?.get(..count.checked_mul(2)?)?;
            (pairs, _) = as_chunks(bytes);
            offsets += bytes.len();
        }
        Some(List {
            depth: self.width::<W>(at)? as usize,
            next: self.width::<W>(at + W::LEN)?,
            longest: self.width::<W>(at + 2 * W::LEN)?,
            count,
            index,
            pairs,
            offsets,
        })
    }

    /// Where a rule of a list stands.
    #[inline]
    pub(crate) fn rule_offset<W: Width>(self, list: &List<'_>, number: usize) -> Option<usize> {
        Some(self.width::<W>(list.offsets.checked_add(number.checked_mul(W::LEN)?)?)? as usize)
    }

    #[inline]
    pub(crate) fn rule<W: Width>(self, list: &List<'_>, number: usize) -> Option<WildcardRule<'a>> {
        let at = self.rule_offset::<W>(list, number)?;
        Some(WildcardRule {
            length: self.width::<W>(at)?,
            slot: RuleRef(self.width::<W>(at + W::LEN)?),
            flags: *self.bytes.get(at + 2 * W::LEN)?,
            pieces: Pieces {
                rest: self.bytes.get(at + 2 * W::LEN + 1..)?,
            },
        })
    }
}

/// The start of a node of the radix tree.
pub(crate) struct NodeHead<'a> {
    /// Tells how many fields: see [`node::fields`].
    kind: usize,
    children: usize,
    pub(crate) label: Label<'a>,
}

/// The bytes on the way to a node, but for the first.
pub(crate) struct Label<'a> {
    image: View<'a>,
    at: usize,
    pub(crate) len: usize,
}

impl<'a> Label<'a> {
    #[inline(always)]
    pub(crate) fn bytes(&self) -> Option<&'a [u8]> {
        self.image.bytes.get(self.at..self.at + self.len)
    }

    /// The first eight bytes, or fewer and what stands after them.
    #[inline(always)]
    pub(crate) fn word(&self) -> Option<u64> {
        self.image.word(self.at)
    }
}

/// The children of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Children {
    /// Where the first byte of each stands; after them, the offset of each.
    pub(crate) keys: usize,
    pub(crate) count: usize,
}

impl Children {
    /// Where the node ends.
    pub(crate) fn end<W: Width>(&self) -> usize {
        self.keys + self.count * (1 + W::LEN)
    }
}

/// The head of a list of wildcard rules.
pub(crate) struct List<'a> {
    pub(crate) depth: usize,
    pub(crate) next: u32,
    /// The length of its highest-priority rule.
    pub(crate) longest: u32,
    pub(crate) count: usize,
    /// 0 for none.
    pub(crate) index: usize,
    /// Of each rule two bytes that stand side by side in whatever it matches; none where there is an index.
    pub(crate) pairs: &'a [[u8; 2]],
    /// Where the offsets of the rules stand.
    pub(crate) offsets: usize,
}

/// A rule with wildcards.
pub(crate) struct WildcardRule<'a> {
    pub(crate) length: u32,
    pub(crate) slot: RuleRef,
    pub(crate) flags: u8,
    pub(crate) pieces: Pieces<'a>,
}

/// The pieces of a rule: what stands between its wildcards.
#[derive(Clone)]
pub(crate) struct Pieces<'a> {
    rest: &'a [u8],
}

/// A piece, and where its rarest pair of bytes stands in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) rarest: usize,
}

impl<'a> Pieces<'a> {
    /// `Some(None)` after the last, `None` where the image is damaged.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "damage is not the end")]
    pub(crate) fn next(&mut self) -> Option<Option<Piece<'a>>> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        let mut len = usize::from(*byte);
        if len >= 0x80 {
            len = self.rest_of_len(len & 0x7F)?;
        }
        if len == 0 {
            return Some(None);
        }
        let (rarest, rest) = self.rest.split_first()?;
        let (bytes, rest) = rest.split_at_checked(len)?;
        self.rest = rest;
        let rarest = usize::from(*rarest);
        if rarest >= len {
            return None;
        }
        Some(Some(Piece { bytes, rarest }))
    }

    /// Reads the rest of a length of more than 7 bits. `len`: its first bits.
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

    /// The bytes from here to the end of the image.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether there is no further piece.
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.rest.first() == Some(&0)
    }
}

/// The widths of offsets and slots.
pub(crate) trait Width: Copy {
    const LEN: usize;
    /// The most bytes that such offsets reach.
    const MAX_IMAGE: usize;
    fn read(image: View<'_>, at: usize) -> Option<u32>;
    /// The first of the fields at `at`, as many as `kind` tells; the others are zero.
    fn fields(image: View<'_>, at: usize, kind: usize) -> Option<Fields>;
}

/// Offsets and slots of 2 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Offset16;
/// Offsets and slots of 4 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Offset32;

impl Width for Offset16 {
    const LEN: usize = 2;
    const MAX_IMAGE: usize = 1 << 16;
    #[inline(always)]
    fn read(image: View<'_>, at: usize) -> Option<u32> {
        Some(u32::from(u16::from_le_bytes(image.array(at)?)))
    }
    #[inline(always)]
    fn fields(image: View<'_>, at: usize, kind: usize) -> Option<Fields> {
        const MASKS: [u64; 4] = [0, 0xFFFF, 0xFFFF_FFFF, !0];
        // All four are read, whatever they are: that takes no branch.
        let fields = image.word(at)? & MASKS.get(kind)?;
        Some(Fields {
            slot: fields as u32 & 0xFFFF,
            extra: fields as u32 >> 16,
            exact: (fields >> 32) as u32 & 0xFFFF,
            list: (fields >> 48) as u32,
        })
    }
}

impl Width for Offset32 {
    const LEN: usize = 4;
    const MAX_IMAGE: usize = usize::MAX;
    #[inline(always)]
    fn read(image: View<'_>, at: usize) -> Option<u32> {
        image.u32(at)
    }
    #[inline(always)]
    fn fields(image: View<'_>, at: usize, kind: usize) -> Option<Fields> {
        const MASKS: [(u64, u64); 4] = [(0, 0), (0xFFFF_FFFF, 0), (!0, 0), (!0, !0)];
        let (first, second) = MASKS.get(kind)?;
        let fields = u128::from_le_bytes(image.array(at)?);
        let (first, second) = (fields as u64 & first, (fields >> 64) as u64 & second);
        Some(Fields {
            slot: first as u32,
            extra: (first >> 32) as u32,
            exact: second as u32,
            list: (second >> 32) as u32,
        })
    }
}
