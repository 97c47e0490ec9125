//! Vector tests of URL bytes: which bytes of a path are canonical (SPEC 8.6), and where an authority ends.

use crate::base::dialect::Dialect;
use crate::bytes::chunks::as_chunks;
use crate::bytes::lanes::u8x16;
use crate::bytes::simd::{LANES, equal, first_mark, is_below, padded_u128};

/// Returns whether a URL's path is canonical in rfc9309 (SPEC 8.6 c, d, f) and has one reading (SPEC 8.11): no segment starts
/// with a dot, and the path does not end with `?`. `path`: starts with `/`. False negatives are paths with `%`, `!`, `#` or
/// `~`, with a segment such as `.well-known`, or with a second `?` at the end.
#[inline(never)]
pub(crate) fn is_canonical_and_single(path: &[u8]) -> bool {
    let ends_with_mark = path.last() == Some(&b'?');
    !ends_with_mark
        && !has_pair(path, |first, second| {
            not_canonical(second) | equal(first, b'/') & equal(second, b'.')
        })
}

/// Returns whether `marks` marks some pair of adjacent bytes of a path.
///
/// A branch costs more than reading some bytes twice. So the function always reads two chunks from each end of the path, and
/// further chunks only of a path of more than 65 bytes. Nearly no path has a mark, so the marks are tested once, at the end.
#[inline(always)]
pub(crate) fn has_pair(path: &[u8], marks: impl Fn(u8x16, u8x16) -> u8x16) -> bool {
    let len = path.len();
    let Some(last) = len.checked_sub(LANES + 1) else {
        let bytes = padded_u128(path);
        let second = u8x16::new((bytes >> 8).to_le_bytes());
        let found = marks(u8x16::new(bytes.to_le_bytes()), second).to_bitmask();
        return found & !(!0 << len.saturating_sub(1)) != 0;
    };
    let chunk = |start: usize| {
        let pairs: Option<&[u8; LANES + 1]> = path.get(start..).and_then(|rest| rest.first_chunk());
        match pairs.map(|pairs| (pairs.first_chunk(), pairs.last_chunk())) {
            Some((Some(first), Some(second))) => marks(u8x16::new(*first), u8x16::new(*second)),
            _ => u8x16::ZERO,
        }
    };
    let mut found =
        chunk(0) | chunk(last.min(LANES)) | chunk(last.saturating_sub(LANES)) | chunk(last);
    if last > 3 * LANES {
        for start in (2 * LANES..last).step_by(LANES) {
            found = found | chunk(start);
        }
    }
    found.to_bitmask() != 0
}

/// Returns the length of a prefix that is canonical in rfc9309. A longer prefix may be canonical, too.
#[inline]
pub(crate) fn canonical_len(path: &[u8]) -> usize {
    first_mark(path, not_canonical).unwrap_or(path.len())
}

/// The result of a pass over the path of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathScan {
    /// All bytes are canonical in every dialect. False negatives are allowed.
    pub(crate) is_canonical: bool,
    /// Length of the part before the first `*`.
    star: u32,
}

impl PathScan {
    /// Returns the length of the part of the path before its first wildcard.
    #[inline(always)]
    pub(crate) fn prefix_len(self, path: &[u8], dialect: Dialect) -> usize {
        if dialect.has_wildcards() {
            self.star as usize
        } else {
            path.len()
        }
    }
}

/// Examines the path of a rule, which has less than 4 GiB. A `*` counts as canonical. `rest` starts with the path; the bytes
/// after the path have no effect.
#[inline(always)]
pub(crate) fn rule_path(path: &[u8], rest: &[u8]) -> PathScan {
    // Nearly all paths have at most 32 bytes, and are not in the last 32 bytes of the file.
    if let (len @ ..=32, Some(near)) = (path.len(), rest.first_chunk::<32>()) {
        if let ([low, high], _) = as_chunks::<LANES>(near) {
            let (low, high) = (u8x16::new(*low), u8x16::new(*high));
            let bits = |low: u8x16, high: u8x16| low.to_bitmask() | high.to_bitmask() << LANES;
            let marks = bits(not_canonical(low), not_canonical(high));
            let stars = u64::from(bits(equal(low, b'*'), equal(high, b'*'))) | 1 << len;
            let marks = u64::from(marks) & !stars & ((1 << len) - 1);
            return PathScan {
                is_canonical: marks == 0,
                star: stars.trailing_zeros(),
            };
        }
    }
    long_rule_path(path)
}

/// Returns the same as [`rule_path`] for a path of any length.
#[inline(never)]
fn long_rule_path(path: &[u8]) -> PathScan {
    let marks = |lanes| not_canonical(lanes).and_not(equal(lanes, b'*'));
    PathScan {
        is_canonical: first_mark(path, marks).is_none(),
        star: first_mark(path, |lanes| equal(lanes, b'*')).unwrap_or(path.len()) as u32,
    }
}

/// Marks the bytes that are not canonical, each `%` (also of a canonical escape), and `!`, `#` and `~`.
#[inline(always)]
fn not_canonical(lanes: u8x16) -> u8x16 {
    // Controls, space ! " # $ %, { | } ~ DEL and bytes >= 0x80: all except the 0x55 bytes from & to z.
    const AFTER: u8 = b'z' + 1;
    let marks = is_below(lanes - u8x16::splat(AFTER), b'&'.wrapping_sub(AFTER));
    // Among the bytes from & to z, only < > \ ^ become ~ by this OR. The other two bytes to mark are * and `.
    let marks = marks | equal(lanes | u8x16::splat(0x62), b'~');
    marks | equal(lanes, b'*') | equal(lanes, b'`')
}

/// Returns the earliest end, over all readings (SPEC 8.11), of the authority that starts at `start`: the offset of the first
/// `/`, `?`, `#` or `\`. Returns `None` if none of these bytes follows.
#[inline(always)]
pub(crate) fn authority_end(url: &[u8], start: usize) -> Option<usize> {
    let is_end = |lanes: u8x16| {
        // `/` and `?` differ in one bit, and are the only bytes that become `?` when this bit is set.
        let is_path = equal(lanes | u8x16::splat(b'/' ^ b'?'), b'?');
        is_path | equal(lanes, b'#') | equal(lanes, b'\\')
    };
    // Most URLs are longer than 32 bytes, and most authorities are shorter.
    if let Some(last) = url.len().checked_sub(2 * LANES) {
        let first = start.min(last);
        let near = url.get(first..).unwrap_or_default();
        if let ([low, high, ..], _) = as_chunks::<LANES>(near) {
            let [low, high] = [low, high].map(|lanes| is_end(u8x16::new(*lanes)).to_bitmask());
            let found = (low | high << LANES) >> (start - first).min(31);
            if found != 0 {
                return Some(start + found.trailing_zeros() as usize);
            }
        }
    }
    far_authority_end(url, start, is_end)
}

/// Returns the same as [`authority_end`] for an authority of any length.
#[inline(never)]
fn far_authority_end(url: &[u8], start: usize, is_end: impl Fn(u8x16) -> u8x16) -> Option<usize> {
    Some(start + first_mark(url.get(start..)?, is_end)?)
}
