//! The compiled rules: one flat, position-independent block of bytes.
//!
//! An image holds no pointers, needs no alignment and is written little-endian on every machine, so
//! it may be stored, sent and mapped, and is used in place. Offsets are counted from its start.
//!
//! # Layout
//!
//! Numbers have 4 bytes unless the table says otherwise. A *rule reference* is a number that holds `line * 2 + allow`.
//!
//! | header | bytes | what |
//! |---|---|---|
//! | 0 | 4 | magic, `rbts` |
//! | 4 | 1 | format version, 3 |
//! | 5 | 1 | flags: 1 `GROUP` (some group applies), 2 `ALLOW_ALL`, 4 `DISALLOW_ALL`, 8 `UNREACHABLE` |
//! | 6 | 2 | byte order, 0xFEFF |
//! | 8 | 4 | length of the image |
//! | 12 | 4 | checksum of everything else (`checksum`) |
//! | 16 | 1 | dialect, as in [`Dialect`]; 3 bytes of zero follow |
//! | 20 | 4 | line reported where no rule matches (SPEC 8.8), or 0 |
//! | 24 | 4 | offset of the sitemaps |
//! | 28 | 4 | number of sitemaps |
//! | 32 | 8 | crawl-delay in seconds, a 64-bit float; NaN for none |
//! | 40 | 4 | offset of the list, or 0 |
//! | 44 | | the root node |
//!
//! **Literal rules** match every path that starts with their bytes: `/path`, and `/path*`. *Nodes* of up to 64 rules hold them.
//! A node tests the first eight bytes of all of its rules together, so nothing is sorted. A group of more rules gets a hash table
//! of four bytes of the path, which leads to further nodes.
//!
//! | node | what |
//! |---|---|
//! | 1 | fan f: 0 for no table, else the table has 2^(f - 1) entries |
//! | 1 | length of the label |
//! | 1 | number of rules, n, 0 to 64 |
//! | | label: bytes that all rules of the node and below it continue with |
//! | 4 x 2^(f - 1) | table: the offset of a node, or 0 |
//! | 4 n | bytes 0 to 3 of each rule after the label, zeros after its end |
//! | 4 n | bytes 4 to 7 likewise |
//! | n | bits 0-6: length of the tail of each rule; bit 7: a `*` follows |
//! | 4 n | rule reference of each rule |
//! | | the tails one after the other: the bytes of each rule from the ninth on |
//!
//! The root stands for the `/` that every path begins with. The entry of a path is the hash (`hash`) of the four bytes after the
//! label; a shorter path has none. A table of one entry is no hash table: every path goes on to its node. Rules with the same
//! hash share a node, whose label holds their common bytes.
//!
//! **The list** holds all other rules, in order of priority: those with a wildcard in the middle or a `$`, and the rare
//! literal ones that nodes cannot hold (longer than 127 bytes, a zero byte among them).
//!
//! | list | what |
//! |---|---|
//! | 4 | length of its longest rule |
//! | 4 | number of rules, n |
//! | 4 | offset of the index, or 0 |
//! | 4 n, 4 n if there is no index | bytes 1 to 4 and 5 to 8 of the prefix of each rule, zeros after its end |
//! | 2 n if there is no index | two adjacent bytes of whatever each rule matches; one byte twice for that byte alone |
//! | 4 n | the offset of each rule |
//!
//! | rule of the list | what |
//! |---|---|
//! | 4 | length (SPEC 8.7) |
//! | 4 | rule reference |
//! | 1 | flags: 1 `ANCHORED` |
//! | | length (LEB128) and bytes of its prefix |
//! | pieces | each: length (LEB128), offset of its rarest pair of bytes (1), bytes; a length of 0 ends them |
//!
//! **The index** is an n-gram index of a long list. Each rule has one key, of 1, 2 or 4 bytes of a piece or of its prefix; only
//! the rules whose key stands in the path are tried. For keys of 1, 2 and 4 bytes, in this order: `1` bits b (0: none of this
//! length), and if there are any: 2^(b + 2) bytes of marks, 2^b + 1 starts of the buckets in the numbers, and
//! starts\[2^b\] numbers of rules in the list. The bucket of a key is the first b bits of its hash (`hash`). The first
//! b + 5 bits number its mark, a bit that is set where a rule has that key. Most keys of a path have no mark.
//!
//! **Sitemaps**: the end of each, counted from the first sitemap's start, then their bytes. Twelve bytes of zero end the image.

pub(crate) mod checksum;
mod validate;
mod view;

pub(crate) use validate::validate;
pub(crate) use view::{
    LiteralNode, Piece, Pieces, View, WILDCARD_RULE_HEAD, WildcardList, WildcardRule,
};

pub(crate) const MAGIC: [u8; 4] = *b"rbts";
pub(crate) const VERSION: u8 = 3;
pub(crate) const BYTE_ORDER: u16 = 0xFEFF;

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
    pub(crate) const WILDCARDS: usize = 40;
    /// The header's length, and the offset of the root.
    pub(crate) const LEN: usize = 44;
}

pub(crate) mod flag {
    pub(crate) const GROUP: u8 = 1;
    pub(crate) const ALLOW_ALL: u8 = 2;
    pub(crate) const DISALLOW_ALL: u8 = 4;
    /// Nothing may be fetched, because the file is unreachable (SPEC 2).
    pub(crate) const UNREACHABLE: u8 = 8;
    pub(crate) const ALL: u8 = 15;
}

pub(crate) mod node {
    /// The bytes before the label.
    pub(crate) const HEAD: usize = 3;
    /// The most rules of one node: a bit for each.
    pub(crate) const MAX_RULES: usize = 64;
    pub(crate) const MAX_LABEL: usize = 255;
    /// The bytes of a rule that are tested first.
    pub(crate) const KEY: usize = 8;
    /// The bytes whose hash is the entry of a table.
    pub(crate) const WINDOW: usize = 4;
    /// The most of a table: 2^15 entries.
    pub(crate) const MAX_FAN: u8 = 16;
    /// Of the length of a tail: a `*` follows.
    pub(crate) const THEN_STAR: u8 = 1 << 7;
    pub(crate) const MAX_TAIL: usize = 127;

    #[inline(always)]
    pub(crate) const fn entries(fan: u8) -> usize {
        (1 << fan) >> 1
    }
}

/// Flag of a rule of the list: its last piece ends at the end of the path.
pub(crate) const ANCHORED: u8 = 1;

/// Bytes of zero at the end, so that eight can be read wherever a tail or its length stands, and keys 16 at a time.
pub(crate) const PADDING: usize = 12;

/// Number of bytes of an offset, a rule reference or another number.
pub(crate) const NUMBER: usize = 4;

/// A list of more rules has an index; a shorter one is faster scanned, with a bit for each rule.
pub(crate) const LONGEST_WITHOUT_INDEX: usize = 64;

pub(crate) const KEY_LENS: [usize; 3] = [1, 2, 4];

/// The most bits of an index: a decision keeps a bit for each bucket on the stack.
pub(crate) const MAX_BITS: u32 = 13;

/// The number of a mark has this many bits more than that of a bucket.
pub(crate) const MARK_BITS: u32 = 5;

#[inline(always)]
pub(crate) const fn marks_len(bits: u32) -> usize {
    1 << (bits + MARK_BITS - 3)
}

/// The first `bits` bits, of at most 32, of the hash of a key.
#[inline(always)]
pub(crate) fn hash(key: u32, bits: u32) -> usize {
    (u64::from(key.wrapping_mul(0x9E37_79B1)) >> (32 - bits)) as usize
}
