//! The compiled rules: one flat, position-independent block of bytes.
//!
//! An image holds no pointers, needs no alignment and is written little-endian on every machine, so
//! it may be stored, sent and mapped, and is used in place. Offsets are counted from its start.
//!
//! # Layout
//!
//! `W` is 2 bytes, or 4 in a *wide* image (flag `WIDE`): one of 64 KiB or more, or with a rule at or
//! past line 32,768. A *slot* is a `W` that holds `line * 2 + allow`.
//!
//! | header | bytes | what |
//! |---|---|---|
//! | 0 | 4 | magic, `rbts` |
//! | 4 | 1 | format version, 1 |
//! | 5 | 1 | flags: 1 `WIDE`, 2 `GROUP` (some group applies), 4 `ALLOW_ALL`, 8 `DISALLOW_ALL`, 16 `UNREACHABLE` |
//! | 6 | 2 | byte order, 0xFEFF |
//! | 8 | 4 | length of the image |
//! | 12 | 4 | checksum of everything else (`checksum`) |
//! | 16 | 1 | dialect, as in [`Dialect`]; 3 bytes of zero follow |
//! | 20 | 4 | line reported where no rule matches (SPEC 8.8), or 0 |
//! | 24 | 4 | offset of the sitemaps |
//! | 28 | 4 | number of sitemaps |
//! | 32 | 8 | crawl-delay in seconds, a 64-bit float; NaN for none |
//! | 40 | | the root |
//!
//! **Nodes** form a radix tree over the literal starts of the rules. A node stands for the bytes on
//! the way to it. Each is followed by its list, if it has one, and then by its children. What a node
//! says of rules are up to four *fields* of `W`, zero where there is nothing to say:
//!
//! | field | what |
//! |---|---|
//! | slot | of the rule that matches whatever starts like this |
//! | extra | how much longer than the bytes so far that rule is (`*` and `$` at its end count) |
//! | exact | slot of the rule that matches just this (`/path$`) |
//! | list | offset of the list of the rules whose literal start this is |
//!
//! The root stands for `/`, with which every path begins:
//!
//! | root | what |
//! |---|---|
//! | 4 W | its fields |
//! | 2 | number of children, n, 0 to 256 |
//! | n | the first byte of each child, in order |
//! | n W | the offset of each child |
//!
//! | node | what |
//! |---|---|
//! | 1 | bits 0-4: length of the label, 31 for 31 or more; bits 5-6: 0 for no field, 1 for the slot, 2 for slot and extra, 3 for all four; bit 7: it has children |
//! | 1 if the length is 31 or more | length of the label |
//! | 1 if it has children | number of children less one, n - 1 |
//! | | label: the bytes on the way to it but for those of its parent and the first after them |
//! | | fields |
//! | n, n W | as for the root |
//!
//! A rule that can never win (an ancestor's rule matches whenever it does, and is stronger) is not in
//! the image.
//!
//! **Lists** hold the wildcard rules after their literal start, in order of priority.
//!
//! | list | what |
//! |---|---|
//! | W | bytes before the first wildcard (the depth of its node) |
//! | W | offset of the next list up the tree, or 0 |
//! | W | length of its highest-priority rule |
//! | W | number of rules, n |
//! | W | offset of the index, or 0 |
//! | 2 n if there is no index | of each rule two bytes that stand side by side in whatever it matches; one byte twice for that byte alone |
//! | W n | for each rule its offset |
//!
//! | rule of a list | what |
//! |---|---|
//! | W | length (SPEC 8.7) |
//! | W | slot |
//! | 1 | flags: 1 `ANCHORED` |
//! | pieces | each: length (LEB128), offset of its rarest pair of bytes (1), bytes; a length of 0 ends them |
//!
//! **Indexes** find the rules of a long list whose key, 1 to 4 bytes of one piece, stands in a path.
//! For keys of 1, 2, 3 and 4 bytes, in this order: `1` bits b (0: none of this length), and if there
//! are any: 2^(b + 1) bytes of marks, `W` × (2^b + 1) starts of the buckets in the numbers, `W` × starts\[2^b\]
//! numbers of rules in the list. The bucket of a key is the first b bits of its hash (`hash`); the first
//! b + 4 bits number its mark, a bit that is set where a rule has that key: so few keys of a path need be sought.
//! Each rule of the list has one key: its number stands in the index once.
//!
//! **Sitemaps**: the end of each (`W` bytes, counted from the first sitemap's start), then their bytes.
//! Sixteen bytes of zero end the image.

pub(crate) mod builder;
pub(crate) mod checksum;
pub(crate) mod pattern;
mod tree;
mod validate;
mod view;
pub(crate) mod wildcard_list;
mod writer;

pub(crate) use validate::validate;
pub(crate) use view::{Label, List, Offset16, Offset32, Pieces, View, Width, WildcardRule};

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
    /// The header's length, and the offset of the root.
    pub(crate) const LEN: usize = 40;
}

/// Flags of the header.
pub(crate) mod flag {
    pub(crate) const WIDE: u8 = 1;
    pub(crate) const GROUP: u8 = 2;
    pub(crate) const ALLOW_ALL: u8 = 4;
    pub(crate) const DISALLOW_ALL: u8 = 8;
    /// Nothing may be fetched, because the file cannot be reached (SPEC 2).
    pub(crate) const UNREACHABLE: u8 = 16;
    pub(crate) const ALL: u8 = 31;
}

/// The first byte of a node.
pub(crate) mod node {
    /// Of the label's length, or [`LONG`].
    pub(crate) const LABEL_LEN: u8 = 31;
    /// In place of a length: it stands in a byte of its own.
    pub(crate) const LONG: u8 = 31;
    /// The kind of the node, which tells how many fields there are.
    pub(crate) const KIND_SHIFT: u32 = 5;
    pub(crate) const CHILDREN: u8 = 1 << 7;
    pub(crate) const MAX_LABEL: usize = 255;

    /// How many fields a node of this kind has: none, the first, the first two, or all four.
    #[inline(always)]
    pub(crate) const fn fields(kind: usize) -> usize {
        // What is after them waits for this: a sum is sooner there than an entry of a table.
        kind + (kind == 3) as usize
    }
}

/// Flag of a rule with wildcards: its last piece ends at the end of the path.
pub(crate) const ANCHORED: u8 = 1;

/// Bytes of zero at the end, so that 16 can be read wherever labels, fields and keys lie.
pub(crate) const PADDING: usize = 16;

/// The longest key of an index.
pub(crate) const MAX_KEY: usize = 4;

/// What a node says of rules; 0 stands for nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) slot: u32,
    pub(crate) extra: u32,
    pub(crate) exact: u32,
    pub(crate) list: u32,
}

impl Fields {
    pub(crate) const NONE: Fields = Fields {
        slot: 0,
        extra: 0,
        exact: 0,
        list: 0,
    };
}

/// The first `bits` bits, of at most 32, of the hash of a key.
#[inline(always)]
pub(crate) fn hash(key: u32, bits: u32) -> usize {
    (key.wrapping_mul(0x9E37_79B1) >> (32 - bits)) as usize
}

/// How many bits more number a mark than a bucket.
pub(crate) const MARK_BITS: u32 = 4;
