//! Vector tests of URL bytes: which bytes of a path are already canonical (SPEC 8.6), and where an authority ends.

use crate::util::chunks::as_chunks;
use crate::util::lanes::u8x16;
use crate::util::simd::{self, Chunk, LANES, chunks, equal, padded_u128};

/// Returns [`is_plain`] of the `len` bytes at `url[start]`.
#[inline(always)]
pub(crate) fn starts_plain(url: &[u8], start: usize, len: usize) -> bool {
    // Most URLs are longer than 32 bytes, and nearly always no more are examined.
    if len <= 2 * LANES {
        if let Some(last) = url.len().checked_sub(2 * LANES) {
            let first = start.min(last);
            let near = url.get(first..).unwrap_or_default();
            if let ([low, high, ..], _) = as_chunks::<LANES>(near) {
                let low = u64::from(not_plain(u8x16::new(*low)).to_bitmask());
                let high = u64::from(not_plain(u8x16::new(*high)).to_bitmask());
                let bits = (low | high << LANES) >> ((start - first) & 63);
                return bits & !(!0 << len) == 0;
            }
        }
    }
    url.get(start..start + len).is_some_and(is_plain)
}

/// Returns whether every byte of a URL's path is canonical in rfc9309 (SPEC 8.6 c, d, f). False for `%` and for the
/// rare `!`, `#` and `~`, too.
#[inline(never)]
pub(crate) fn is_plain(path: &[u8]) -> bool {
    let len = path.len();
    if len < LANES {
        return not_plain(u8x16::new(padded_u128(path).to_le_bytes())).to_bitmask() & !(!0 << len)
            == 0;
    }
    // Branches cost more than reading some bytes twice: of all but long paths the same four chunks
    // are taken, two from either end. Nearly every path is plain, so it is asked once, at the end.
    let last = len - LANES;
    let chunk = |start: usize| match path.get(start..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => not_plain(u8x16::new(*chunk)),
        None => u8x16::ZERO,
    };
    let mut marks =
        chunk(0) | chunk(last.min(LANES)) | chunk(last.saturating_sub(LANES)) | chunk(last);
    if len > 4 * LANES {
        for middle in as_chunks::<LANES>(path).0 {
            marks |= not_plain(u8x16::new(*middle));
        }
    }
    marks.to_bitmask() == 0
}

/// Returns how many bytes at the start of a path are plain.
#[inline]
pub(crate) fn plain_len(path: &[u8]) -> usize {
    let first = chunks(path, |Chunk { lanes, base, live }| {
        let marks = not_plain(lanes).to_bitmask() & live;
        (marks != 0).then(|| base + marks.trailing_zeros() as usize)
    });
    first.unwrap_or(path.len())
}

/// What one pass over the path of a rule finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathScan {
    /// Every byte is canonical in every dialect. False negatives are allowed.
    pub(crate) is_plain: bool,
    /// The index of the first `*`, or the length.
    pub(crate) star: u32,
}

/// Examines the path of a rule, of less than 4 GiB, in which `*` is canonical. `rest` starts with the path, and nothing
/// is concluded from what follows it there.
#[inline(always)]
pub(crate) fn rule_path(path: &[u8], rest: &[u8]) -> PathScan {
    // Nearly all have at most 32 bytes, and most are not among the last of the file.
    if let (len @ ..=32, Some(near)) = (path.len(), rest.first_chunk::<32>()) {
        if let ([low, high], _) = as_chunks::<LANES>(near) {
            let (low, high) = (u8x16::new(*low), u8x16::new(*high));
            let bits = |low: u8x16, high: u8x16| low.to_bitmask() | high.to_bitmask() << LANES;
            let marks = bits(not_plain(low), not_plain(high));
            let stars = u64::from(bits(equal(low, b'*'), equal(high, b'*'))) | 1 << len;
            let marks = u64::from(marks) & !stars & ((1 << len) - 1);
            return PathScan {
                is_plain: marks == 0,
                star: stars.trailing_zeros(),
            };
        }
    }
    long_rule_path(path)
}

/// The same for a path of any length.
#[inline(never)]
fn long_rule_path(path: &[u8]) -> PathScan {
    let mut star = path.len();
    let marks = chunks(path, |Chunk { lanes, base, live }| {
        let stars = equal(lanes, b'*').to_bitmask() & live;
        if stars != 0 {
            star = star.min(base + stars.trailing_zeros() as usize);
        }
        (not_plain(lanes).to_bitmask() & live & !stars != 0).then_some(())
    });
    PathScan {
        is_plain: marks.is_none(),
        star: star as u32,
    }
}

/// Marks the bytes that are not canonical, and `!`, `#` and `~`.
#[inline(always)]
fn not_plain(lanes: u8x16) -> u8x16 {
    // Controls, space ! " # $ %; { | } ~ DEL and bytes >= 0x80: all but the 0x55 from & to z.
    let shifted = lanes - u8x16::splat(b'&');
    let marks = shifted.max(u8x16::splat(0x55)).simd_eq(shifted);
    // < > \ ^ alone become ~ this way, of what is left; then * and `.
    let marks = marks | equal(lanes | u8x16::splat(0x62), b'~');
    marks | equal(lanes, b'*') | equal(lanes, b'`')
}

/// Returns the end of the authority that starts at `start`, in any reading (SPEC 8.11): the index of the first `/`, `?`, `#` or
/// `\`; `None` if there is none.
#[inline(always)]
pub(crate) fn authority_end(url: &[u8], start: usize) -> Option<usize> {
    // Most URLs are longer than 32 bytes, and most authorities shorter.
    if let Some(last) = url.len().checked_sub(2 * LANES) {
        let first = start.min(last);
        let near = url.get(first..).map_or(&[][..], |rest| rest);
        if let ([low, high, ..], _) = as_chunks::<LANES>(near) {
            let is_end = |lanes: u8x16| {
                // A `/` and a `?` differ in one bit, which no other byte shares with just them.
                equal(lanes | u8x16::splat(b'/' ^ b'?'), b'?')
                    | equal(lanes, b'#')
                    | equal(lanes, b'\\')
            };
            let low = is_end(u8x16::new(*low)).to_bitmask();
            let found = low | is_end(u8x16::new(*high)).to_bitmask() << LANES;
            let found = found >> (start - first).min(31);
            if found != 0 {
                return Some(start + found.trailing_zeros() as usize);
            }
        }
    }
    let rest = url.get(start..)?;
    let end = simd::first(rest, [b'/', b'?', b'#']);
    let authority = rest.get(..end.unwrap_or(rest.len()))?;
    memchr::memchr(b'\\', authority)
        .or(end)
        .map(|end| start + end)
}
