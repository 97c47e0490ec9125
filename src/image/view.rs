//! Reads an image in place. Every read is checked: a damaged image gives `None`, never more.

use super::{BYTE_ORDER, MAGIC, Slot, VERSION, Width, flag, header, node};
use crate::dialect::Dialect;
use crate::error::Error;

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
        /// All of the first eight octets but the flags.
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
        if view.u32(header::LENGTH) != Some(bytes.len() as u32) || bytes.len() < header::LEN {
            return Err(Error::Image);
        }
        Ok(view)
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

    #[inline]
    pub(crate) fn default_line(self) -> u32 {
        self.u32(header::DEFAULT_LINE).unwrap_or(0)
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
            self.sitemap_of::<super::Wide>(index)
        } else {
            self.sitemap_of::<super::Narrow>(index)
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

    /// The eight octets at `at`.
    #[inline(always)]
    pub(crate) fn word(self, at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?))
    }

    #[inline(always)]
    pub(crate) fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?))
    }

    /// The offset or slot at `at`.
    #[inline(always)]
    pub(crate) fn width<W: Width>(self, at: usize) -> Option<u32> {
        // The padding makes a word readable wherever an offset or slot lies.
        Some(W::low(self.word(at)?))
    }

    #[inline(always)]
    pub(crate) fn node<W: Width>(self, at: usize) -> Option<Node<'a>> {
        let head = self.word(at)?;
        let flags = head as u8;
        let label_len = (head >> 8) as u8 as usize;
        let mut next = at + 2;
        let mut children = usize::from(flags >> node::CHILDREN_SHIFT);
        if children == usize::from(node::MANY) {
            children = usize::from(*self.bytes.get(next)?) + 1;
            next += 1;
        }
        let mut field = |is_there: u8| -> Option<u32> {
            if flags & is_there == 0 {
                return Some(0);
            }
            let value = self.width::<W>(next)?;
            next += W::LEN;
            Some(value)
        };
        let slot = field(node::SLOT)?;
        let mut extra = 0;
        if flags & node::EXTRA != 0 {
            extra = u32::from(*self.bytes.get(next)?);
            next += 1;
        }
        let mut field = |is_there: u8| -> Option<u32> {
            if flags & is_there == 0 {
                return Some(0);
            }
            let value = self.width::<W>(next)?;
            next += W::LEN;
            Some(value)
        };
        let exact = field(node::EXACT)?;
        let list = field(node::LIST)?;
        let label = self.label(next, label_len)?;
        let keys = next + label_len;
        Some(Node {
            flags,
            slot: Slot(slot),
            extra,
            exact: Slot(exact),
            list,
            label,
            keys,
            children,
        })
    }

    #[inline(always)]
    fn label(self, at: usize, len: usize) -> Option<Label<'a>> {
        Some(Label {
            head: self.word(at)?,
            octets: self.bytes.get(at..at + len)?,
        })
    }

    /// The child of `node` whose first octet is `octet`; `Ok(None)` if there is none.
    #[inline(always)]
    pub(crate) fn child<W: Width>(self, node: &Node<'_>, octet: u8) -> Option<Child> {
        let sought = u64::from(octet) * LOW_BITS;
        let mut first = 0;
        while first < node.children {
            let difference = self.word(node.keys + first)? ^ sought;
            let zeros = difference.wrapping_sub(LOW_BITS) & !difference & HIGH_BITS;
            if zeros != 0 {
                // The lowest mark is exact; the ones above it may be borrowed.
                let index = first + (zeros.trailing_zeros() / 8) as usize;
                if index >= node.children {
                    break;
                }
                let offset = self.width::<W>(node.keys + node.children + index * W::LEN)?;
                return Some(Child::At(offset as usize));
            }
            first += 8;
        }
        Some(Child::None)
    }

    #[inline]
    pub(crate) fn list<W: Width>(self, at: u32) -> Option<List> {
        let at = at as usize;
        Some(List {
            depth: self.width::<W>(at)? as usize,
            next: self.width::<W>(at + W::LEN)?,
            count: self.width::<W>(at + 2 * W::LEN)? as usize,
            index: self.width::<W>(at + 3 * W::LEN)? as usize,
            pairs: at + 4 * W::LEN,
        })
    }

    /// The pairs of a list.
    #[inline]
    pub(crate) fn pairs(self, list: &List) -> Option<&'a [[u8; 2]]> {
        let len = list.count.checked_mul(2)?;
        Some(
            self.bytes
                .get(list.pairs..list.pairs.checked_add(len)?)?
                .as_chunks()
                .0,
        )
    }

    /// Where a rule of a list stands.
    #[inline]
    pub(crate) fn rule_offset<W: Width>(self, list: &List, number: usize) -> Option<usize> {
        let offsets = list.pairs.checked_add(list.count.checked_mul(2)?)?;
        Some(self.width::<W>(offsets.checked_add(number.checked_mul(W::LEN)?)?)? as usize)
    }

    #[inline]
    pub(crate) fn rule<W: Width>(self, list: &List, number: usize) -> Option<Rule<'a>> {
        let at = self.rule_offset::<W>(list, number)?;
        Some(Rule {
            length: self.width::<W>(at)?,
            slot: Slot(self.width::<W>(at + W::LEN)?),
            flags: *self.bytes.get(at + 2 * W::LEN)?,
            pieces: Pieces {
                rest: self.bytes.get(at + 2 * W::LEN + 1..)?,
            },
        })
    }
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// A node of the prefix tree, as far as a walk needs it.
pub(crate) struct Node<'a> {
    pub(crate) flags: u8,
    pub(crate) slot: Slot,
    pub(crate) extra: u32,
    pub(crate) exact: Slot,
    pub(crate) list: u32,
    pub(crate) label: Label<'a>,
    /// Where the first octets of the children stand.
    pub(crate) keys: usize,
    pub(crate) children: usize,
}

impl Node<'_> {
    #[inline(always)]
    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// The octets on the way to a node, but for the first.
pub(crate) struct Label<'a> {
    /// The first eight octets, and what follows a shorter label.
    pub(crate) head: u64,
    pub(crate) octets: &'a [u8],
}

pub(crate) enum Child {
    None,
    At(usize),
}

/// The head of a list of rules with wildcards.
pub(crate) struct List {
    pub(crate) depth: usize,
    pub(crate) next: u32,
    pub(crate) count: usize,
    pub(crate) index: usize,
    pairs: usize,
}

/// A rule with wildcards.
pub(crate) struct Rule<'a> {
    pub(crate) length: u32,
    pub(crate) slot: Slot,
    pub(crate) flags: u8,
    pub(crate) pieces: Pieces<'a>,
}

/// The pieces of a rule: what stands between its wildcards.
#[derive(Clone)]
pub(crate) struct Pieces<'a> {
    rest: &'a [u8],
}

/// A piece, and where its rarest pair of octets stands in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) octets: &'a [u8],
    pub(crate) rarest: usize,
}

impl<'a> Pieces<'a> {
    /// `Ok(None)` after the last, `None` where the image is damaged.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "damage is not the end")]
    pub(crate) fn next(&mut self) -> Option<Option<Piece<'a>>> {
        let mut len = 0usize;
        let mut shift = 0;
        loop {
            let (octet, rest) = self.rest.split_first()?;
            self.rest = rest;
            len |= usize::from(octet & 0x7F) << shift;
            if octet & 0x80 == 0 {
                break;
            }
            shift += 7;
            if shift > 28 {
                return None;
            }
        }
        if len == 0 {
            return Some(None);
        }
        let (rarest, rest) = self.rest.split_first()?;
        let (octets, rest) = rest.split_at_checked(len)?;
        self.rest = rest;
        let rarest = usize::from(*rarest);
        if rarest >= len {
            return None;
        }
        Some(Some(Piece { octets, rarest }))
    }

    /// The octets from here to the end of the image.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether there is no further piece.
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.rest.first() == Some(&0)
    }
}
