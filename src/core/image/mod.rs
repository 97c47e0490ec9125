//! The image: compiled rules as one flat, position-independent block of bytes.
//!
//! An image has no pointers, needs no alignment and is little-endian on every machine. So a program may store an image, send
//! it, map it into memory, and use it in place. Offsets are counted from the start of the image.
//!
//! # Layout
//!
//! Numbers have 4 bytes unless the table says otherwise. A *rule reference* is a number that holds `line * 2 + allow`.
//!
//! | header | bytes | what |
//! |---|---|---|
//! | 0 | 4 | magic, `rbts` |
//! | 4 | 1 | format version, 4 |
//! | 5 | 1 | flags, see below |
//! | 6 | 2 | byte order, 0xFEFF |
//! | 8 | 4 | length of the image |
//! | 12 | 4 | checksum of all other bytes (`checksum`) |
//! | 16 | 1 | dialect, as in [`Dialect`](crate::Dialect); 3 bytes of zero follow |
//! | 20 | 4 | line of the default verdict, or 0 |
//! | 24 | 4 | offset of the sitemaps |
//! | 28 | 4 | number of sitemaps |
//! | 32 | 8 | crawl-delay in seconds, a 64-bit float; NaN if there is none |
//! | 40 | 4 | offset of the list, or 0 |
//! | 44 | | the root node |
//!
//! The flags state the *default verdict*: the verdict on a path that no rule of the image matches.
//!
//! | flags | default verdict |
//! |---|---|
//! | 0 | allowed: no group applies |
//! | 1 `GROUP` | allowed: no rule matches (SPEC 8.8) |
//! | 1 `GROUP` + 2 `ALLOW_ALL` or 4 `DISALLOW_ALL` | the group has only rules `/` and `*`, and the best of them decides; the image stores no rule |
//! | 2 `ALLOW_ALL`, 4 `DISALLOW_ALL`, 8 `UNREACHABLE` | no file decides (SPEC 2) |
//! | 16 `ADDRESS` | an error: the body was an address (SPEC 4.7) |
//! | 32 `SITE_WIDE`, added | the image has no rule, so this is the verdict on every path (`/robots.txt`: SPEC 8.9) |
//!
//! **Literal rules** match every path that starts with their bytes: `/path`, and `/path*`. A *node* holds up to 64 literal
//! rules. The *key* of a rule in a node is its first eight bytes after the label. All keys of a node are compared together, so
//! the rules need no order. Of many rules, a table leads to further nodes, by a hash of four bytes of the path
//! (`compile/nodes.rs` says when).
//!
//! | node | what |
//! |---|---|
//! | 1 | fan f: 0 if there is no table, else the table has 2^(f - 1) entries |
//! | 1 | length of the label |
//! | 1 | number of rules, n, 0 to 64 |
//! | | label: the next bytes of all rules of the node and of the nodes below it |
//! | 4 x 2^(f - 1) | table: the offset of a node, or 0 |
//! | 4 n | bytes 0 to 3 of each rule after the label, with zeros after the end of the rule |
//! | 4 n | bytes 4 to 7 of each rule likewise |
//! | n | bits 0-6: length of the tail of each rule; bit 7: a `*` follows |
//! | 4 n | rule reference of each rule |
//! | | tails: the bytes of each rule from the ninth on, one rule after the other |
//!
//! The root covers the `/` that every path starts with. The hash (`hash`) of the path's four bytes after the label selects an
//! entry of the table; a path that is too short has no entry. If a table has one entry, every path has this entry. Rules with
//! the same hash share a node. The label of this node is their common prefix, or empty.
//!
//! **The list** has all other rules, in order of priority: rules with a final `$`, rules with a `*` before the last byte, and
//! the rule `*`. The list also has the rare literal rules that no node can hold: rules with more than 127 bytes, or with a zero
//! byte. All rules of the list are called wildcard rules.
//!
//! | list | what |
//! |---|---|
//! | 4 | length of its longest rule |
//! | 4 | number of rules, n |
//! | 4 | offset of the index, or 0 |
//! | 4 n, 4 n if there is no index | bytes 1 to 4 and 5 to 8 of the prefix of each rule, with zeros after its end |
//! | 2 n if there is no index | two adjacent bytes that each matching path has; one byte twice means that byte alone |
//! | 4 n | offset of each rule |
//!
//! | rule of the list | what |
//! |---|---|
//! | 4 | length (SPEC 8.7) |
//! | 4 | rule reference |
//! | 1 | flags: 1 `ANCHORED` |
//! | | prefix: length (LEB128), bytes |
//! | | for each piece: length (LEB128), offset of its rarest pair of bytes (1), bytes; a length of 0 follows the last piece |
//!
//! **The index** is an n-gram index of a list of more than 64 rules. Each rule has one key: 1, 2 or 4 adjacent bytes of a piece
//! or of its prefix. A check tries only rules in the buckets of the path's n-grams. The index has three parts: for keys of 1
//! byte, of 2 bytes and of 4 bytes.
//!
//! | part of the index | what |
//! |---|---|
//! | 1 | number of bits b; 0 if no key has this length: then the part ends here |
//! | 2^(b + 2) | marks: 2^(b + 5) bits |
//! | 4 (2^b + 1) | start of each bucket among the rule numbers, and the end of the last bucket |
//! | 4 each | rule numbers: places in the list |
//!
//! The first b bits of a key's hash (`hash`) are the number of the key's bucket. The first b + 5 bits are the number of the
//! key's mark. This bit is set if some rule has the key, or a key whose hash has the same first b + 5 bits. The marks of most
//! n-grams of a path are not set.
//!
//! **Sitemaps**: first the end offset of each sitemap, counted from the start of the first sitemap's text. The text of all
//! sitemaps follows. Twelve zeros end the image.

pub(crate) mod checksum;
mod validate;
mod view;

pub(crate) use validate::validate;
pub(crate) use view::{
    Buckets, Piece, Pieces, View, WILDCARD_RULE_HEAD, WildcardList, WildcardRule,
};

pub(crate) const MAGIC: [u8; 4] = *b"rbts";
pub(crate) const VERSION: u8 = 4;
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
    /// The length of the header, and the offset of the root.
    pub(crate) const LEN: usize = 44;
}

pub(crate) mod flag {
    pub(crate) const GROUP: u8 = 1;
    pub(crate) const ALLOW_ALL: u8 = 2;
    pub(crate) const DISALLOW_ALL: u8 = 4;
    /// Nothing may be fetched, because the file is unreachable (SPEC 2).
    pub(crate) const UNREACHABLE: u8 = 8;
    /// The body was the address of a file (SPEC 4.7), so each verdict is an error.
    pub(crate) const ADDRESS: u8 = 16;
    /// The default verdict is the verdict on every path.
    pub(crate) const SITE_WIDE: u8 = 32;
    /// The flags that state the default verdict.
    pub(crate) const VERDICT: u8 = 31;
    pub(crate) const ALL: u8 = VERDICT | SITE_WIDE;
}

pub(crate) mod node {
    /// The number of bytes before the label.
    pub(crate) const HEAD: usize = 3;
    /// The maximum number of rules of a node: a check has one bit of a 64-bit word for each rule.
    pub(crate) const MAX_RULES: usize = 64;
    pub(crate) const MAX_LABEL: usize = 255;
    /// The length of a key: one word of the path.
    pub(crate) const KEY: usize = 8;
    /// The number of bytes whose hash selects the entry of a table.
    pub(crate) const WINDOW: usize = 4;
    /// The maximum fan: 2^15 entries, enough for 262,144 rules at eight per bucket.
    pub(crate) const MAX_FAN: u8 = 16;
    /// Flag in the length byte of a tail: the rule ends with `*`.
    pub(crate) const THEN_STAR: u8 = 1 << 7;
    pub(crate) const MAX_TAIL: usize = 127;

    #[inline(always)]
    pub(crate) const fn entries(fan: u8) -> usize {
        (1 << fan) >> 1
    }
}

/// Flag of a rule of the list: the rule's last piece, or its prefix if it has no piece, must be at the end of the path.
pub(crate) const ANCHORED: u8 = 1;

/// The number of zeros at the end of an image: a check reads tails and their lengths 8 bytes at a time, and keys 16 at a time.
pub(crate) const PADDING: usize = 12;

/// The number of bytes of an offset, a rule reference or another number.
pub(crate) const NUMBER: usize = 4;

/// The maximum number of rules of a list without an index: a scan has one bit of a 64-bit word for each rule.
pub(crate) const LONGEST_WITHOUT_INDEX: usize = 64;

/// The lengths of keys, in bytes.
pub(crate) const KEY_LENS: [usize; 3] = [1, 2, 4];

/// The maximum number of bits of a bucket's number. A check has a bit on the stack for each bucket: 1 KiB for 2^13 buckets.
pub(crate) const MAX_BITS: u32 = 13;

/// The number of a mark has 5 bits more than the number of a bucket. With 32 marks per bucket, most marks are not set.
pub(crate) const MARK_BITS: u32 = 5;

#[inline(always)]
pub(crate) const fn marks_len(bits: u32) -> usize {
    1 << (bits + MARK_BITS - 3)
}

/// Returns the first `bits` bits, at most 32, of the hash of a key. The multiplier is a prime near 2^32 divided by the golden ratio
/// (Fibonacci hashing).
#[inline(always)]
pub(crate) fn hash(key: u32, bits: u32) -> usize {
    (u64::from(key.wrapping_mul(0x9E37_79B1)) >> (32 - bits)) as usize
}
