//! The compiled rules: one flat, position-independent block of octets.
//!
//! An image holds no pointers, needs no alignment and is written little-endian on every machine, so
//! it may be stored, sent and mapped, and is used in place. Offsets are counted from its start.
//!
//! # Layout
//!
//! `W` is 2 octets, or 4 in a *wide* image (flag `WIDE`): one of 64 KiB or more, or with a rule at or
//! past line 32,768. A *slot* is a `W` that holds `line * 2 + allow`.
//!
//! | header | octets | what |
//! |---|---|---|
//! | 0 | 4 | magic, `rbts` |
//! | 4 | 1 | format version, 1 |
//! | 5 | 1 | flags: 1 `WIDE`, 2 `GROUP` (some group applies), 4 `ALLOW_ALL`, 8 `DISALLOW_ALL` |
//! | 6 | 2 | byte order, 0xFEFF |
//! | 8 | 4 | length of the image |
//! | 12 | 4 | checksum of everything else (`checksum`) |
//! | 16 | 1 | dialect, as in [`Dialect`]; 3 octets of zero follow |
//! | 20 | 4 | line reported where no rule matches (SPEC 8.8), or 0 |
//! | 24 | 4 | offset of the sitemaps |
//! | 28 | 4 | number of sitemaps |
//! | 32 | 8 | crawl-delay in seconds, a 64-bit float; NaN for none |
//! | 40 | | the root node |
//!
//! **Nodes** form a prefix tree over the literal starts of the rules. A node stands for the octets on
//! the way to it. Each is followed by its list, if it has one, and then by its children.
//!
//! | node | what |
//! |---|---|
//! | 1 | flags: 1 `SLOT`, 2 `EXTRA`, 4 `EXACT`, 8 `LIST`; number of children in the upper 4 bits, 15 for 15 or more |
//! | 1 | length of the label |
//! | | label |
//! | 1 if 15 or more | number of children - 1 |
//! | W if `SLOT` | slot of the rule that matches whatever starts like this |
//! | W if `EXTRA` | how much longer than the octets so far that rule is (`*` and `$` at its end count) |
//! | W if `EXACT` | slot of the rule that matches just this (`/path$`) |
//! | W if `LIST` | offset of the list of the rules whose literal start this is |
//! | | the first octet of each child, in order, then the offset of each child (W each), that of the first only if `LIST` |
//!
//! Without a list the first child stands right behind its parent. A child's label does not repeat its
//! first octet. A rule that can never win (an ancestor's rule
//! matches whenever it does, and is stronger) is not in the image.
//!
//! **Lists** hold the rules with wildcards behind their literal start, the strongest first.
//!
//! | list | what |
//! |---|---|
//! | W | octets before the first wildcard (the depth of its node) |
//! | W | offset of the next list up the tree, or 0 |
//! | W | length of its strongest rule |
//! | W | number of rules, n |
//! | W | offset of the index, or 0 |
//! | 64 if n > 2 and there is no index | the tables of the filter (see `filter`) |
//! | W n | for each rule its offset |
//!
//! | rule of a list | what |
//! |---|---|
//! | W | length (SPEC 8.7) |
//! | W | slot |
//! | 1 | flags: 1 `ANCHORED` |
//! | pieces | each: length (LEB128), offset of its rarest pair of octets (1), octets; a length of 0 ends them |
//!
//! **Indexes** find the rules of a long list whose key, 1 to 4 octets of one piece, stands in a path.
//! For keys of 1, 2, 3 and 4 octets, in this order: `1` bits b (0: none of this length), and if there
//! are any: `W` × (2^b + 1) starts of the buckets in the numbers, `W` × starts\[2^b\] numbers of rules
//! in the list. The bucket of a key is its hash (`bucket`).
//!
//! **Sitemaps**: the end of each (`W` octets, counted from the first sitemap's start), then their octets.
//! Eight octets of zero end the image.

pub(crate) mod build;
pub(crate) mod checksum;
pub(crate) mod filter;
pub(crate) mod list;
mod out;
mod tree;
mod validate;
mod view;

pub(crate) use validate::validate;
pub(crate) use view::{Child, Label, List, Rule, View};

/// `rbts`, and the format version.
pub(crate) const MAGIC: [u8; 4] = *b"rbts";
pub(crate) const VERSION: u8 = 1;
pub(crate) const BYTE_ORDER: u16 = 0xFEFF;

/// Offsets of the header's fields.
pub(crate) mod header {
    pub(crate) const VERSION: usize = 4;
    pub(crate) const FLAGS: usize = 5;
    pub(crate) const BYTE_ORDER: usize = 6;
    pub(crate) const LENGTH: usize = 8;
    pub(crate) const CHECKSUM: usize = 12;
    pub(crate) const DIALECT: usize = 16;
    pub(crate) const DEFAULT_LINE: usize = 20;
    pub(crate) const SITEMAPS: usize = 24;
    pub(crate) const SITEMAP_COUNT: usize = 28;
    pub(crate) const CRAWL_DELAY: usize = 32;
    /// The header's length, and the offset of the root node.
    pub(crate) const LEN: usize = 40;
}

/// Flags of the header.
pub(crate) mod flag {
    pub(crate) const WIDE: u8 = 1;
    pub(crate) const GROUP: u8 = 2;
    pub(crate) const ALLOW_ALL: u8 = 4;
    pub(crate) const DISALLOW_ALL: u8 = 8;
    pub(crate) const ALL: u8 = 15;
}

/// Flags of a node.
pub(crate) mod node {
    pub(crate) const SLOT: u8 = 1;
    pub(crate) const EXTRA: u8 = 2;
    pub(crate) const EXACT: u8 = 4;
    pub(crate) const LIST: u8 = 8;
    pub(crate) const CHILDREN_SHIFT: u32 = 4;
    /// In place of a number of children: it stands in an octet of its own.
    pub(crate) const MANY: u8 = 15;
    pub(crate) const MAX_LABEL: usize = 255;
}

/// Flag of a rule with wildcards: its last piece ends at the end of the path.
pub(crate) const ANCHORED: u8 = 1;

/// Octets of zero at the end, so that a word can be read wherever a label lies.
pub(crate) const PADDING: usize = 8;

/// The longest key of an index.
pub(crate) const MAX_KEY: usize = 4;

/// The widths of offsets and slots.
pub(crate) trait Width: Copy {
    const LEN: usize;
    fn read(image: View<'_>, at: usize) -> Option<u32>;
}

/// Offsets and slots of 2 octets.
#[derive(Clone, Copy)]
pub(crate) struct Narrow;
/// Offsets and slots of 4 octets.
#[derive(Clone, Copy)]
pub(crate) struct Wide;

impl Width for Narrow {
    const LEN: usize = 2;
    #[inline(always)]
    fn read(image: View<'_>, at: usize) -> Option<u32> {
        Some(u32::from(u16::from_le_bytes(image.array(at)?)))
    }
}

impl Width for Wide {
    const LEN: usize = 4;
    #[inline(always)]
    fn read(image: View<'_>, at: usize) -> Option<u32> {
        image.u32(at)
    }
}

/// The bucket, of 2^bits, of a key.
#[inline(always)]
pub(crate) fn bucket(key: u32, bits: u32) -> usize {
    (key.wrapping_mul(0x9E37_79B1) >> (32 - bits)) as usize
}

/// A slot's line and whether it allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    /// No rule's: lines are counted from 1.
    pub(crate) const NONE: Slot = Slot(0);

    pub(crate) const fn new(line: u32, allow: bool) -> Slot {
        Slot(line << 1 | allow as u32)
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
