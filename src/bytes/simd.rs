//! Vector search, 16 bytes at a time: finds a byte, a pair of bytes, or several bytes at fixed distances.

use core::ops::Range;

use super::lanes::{to_bitmask_64, u8x16};
use crate::bytes::chunks::as_chunks;

pub(crate) const LANES: usize = 16;

/// The number of bytes in a block. A search sets one bit, a *mark*, for each byte that it finds, so the marks of a block fit a
/// 64-bit word.
pub(crate) const BLOCK: usize = 4 * LANES;

/// Returns the offset of the first byte that `marks` marks. An input of less than 16 bytes is padded with zeros; a mark on the
/// padding is ignored.
#[inline(always)]
pub(crate) fn first_mark(bytes: &[u8], marks: impl Fn(u8x16) -> u8x16) -> Option<usize> {
    let (whole, tail) = as_chunks::<LANES>(bytes);
    let mut base = 0;
    for lanes in whole {
        let found = marks(u8x16::new(*lanes)).to_bitmask();
        if found != 0 {
            return Some(base + found.trailing_zeros() as usize);
        }
        base += LANES;
    }
    // The last two vectors may overlap.
    let (base, lanes) = match bytes.last_chunk() {
        _ if tail.is_empty() => return None,
        Some(last) => (bytes.len() - LANES, *last),
        None => (0, padded_u128(bytes).to_le_bytes()),
    };
    let at = base + marks(u8x16::new(lanes)).to_bitmask().trailing_zeros() as usize;
    (at < bytes.len()).then_some(at)
}

/// Returns the marks of the first 64 bytes; the lowest bit is for the first byte. An input of less than 64 bytes is padded with
/// zeros.
#[inline(always)]
pub(crate) fn marks_in_block(bytes: &[u8], marks: impl Fn(u8x16) -> u8x16) -> u64 {
    let Some(block) = bytes.first_chunk::<BLOCK>() else {
        return marks_in_last(bytes, marks);
    };
    let ([a, b, c, d], _) = as_chunks::<LANES>(block) else {
        return 0;
    };
    to_bitmask_64([a, b, c, d].map(|lanes| marks(u8x16::new(*lanes))))
}

/// Returns the same as [`marks_in_block`] for less than 64 bytes.
#[cold]
#[inline(never)]
fn marks_in_last(bytes: &[u8], marks: impl Fn(u8x16) -> u8x16) -> u64 {
    let mut block = [0; BLOCK];
    if let Some(place) = block.get_mut(..bytes.len()) {
        place.copy_from_slice(bytes);
    }
    marks_in_block(&block, marks)
}

/// Returns at most 16 bytes, padded with zeros, as a little-endian number.
#[inline(always)]
pub(crate) fn padded_u128(bytes: &[u8]) -> u128 {
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            let after = u128::from(u64::from_le_bytes(*last)) << 64;
            u128::from(u64::from_le_bytes(*first))
                | (after >> (8 * (LANES - bytes.len()))) & !u128::from(u64::MAX)
        }
        _ => u128::from(padded_u64(bytes)),
    }
}

/// Returns less than 8 bytes, padded with zeros, as a little-endian number.
#[inline(always)]
pub(crate) fn padded_u64(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let after = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
            u64::from(u32::from_le_bytes(*first)) | after
        }
        _ => match *bytes {
            [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a] => u64::from(a),
            _ => 0,
        },
    }
}

/// Returns the first eight bytes, padded with zeros, as a little-endian number.
#[inline(always)]
pub(crate) fn first_word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => padded_u64(bytes),
    }
}

/// Returns a word whose first `len` bytes, at most eight, are 0xFF and whose other bytes are 0.
#[inline(always)]
pub(crate) fn low_bytes(len: usize) -> u64 {
    // With shifts instead of the table, a verdict takes 2 % more instructions.
    const OF_LEN: [u64; 9] = [
        0,
        !0 >> 56,
        !0 >> 48,
        !0 >> 40,
        !0 >> 32,
        !0 >> 24,
        !0 >> 16,
        !0 >> 8,
        !0,
    ];
    OF_LEN.get(len.min(8)).copied().unwrap_or(0)
}

/// Returns the sum of the eight bytes of a word.
#[inline(always)]
pub(crate) fn sum_of_bytes(word: u64) -> usize {
    const EVEN: u64 = u64::MAX / 0xFFFF * 0xFF;
    let pairs = (word & EVEN) + (word >> 8 & EVEN);
    // The highest 16 bits of this product are the sum of the four pairs.
    (pairs.wrapping_mul(u64::MAX / 0xFFFF) >> 48) as usize
}

/// Returns a number whose lowest `count` bits, 1 to 64, are set.
#[inline(always)]
pub(crate) fn low_bits(count: usize) -> u64 {
    !0 >> (64_usize.wrapping_sub(count) & 63)
}

/// Returns a bit for each key of eight bytes that matches `word`; the lowest bit is for the first key.
///
/// A zero byte of a key matches any byte. `lows` has the first four bytes of each key, `highs` the last four.
#[inline(always)]
pub(crate) fn keys_of(word: u64, lows: &[[u8; LANES]], highs: &[[u8; LANES]]) -> u64 {
    let low = u8x16::splat_u32(word as u32);
    let high = u8x16::splat_u32((word >> 32) as u32);
    let differs = |keys: &[u8; LANES], word: u8x16| {
        let keys = u8x16::new(*keys);
        keys.and_not(keys.simd_eq(word))
    };
    let mut found = 0;
    for (lows, highs) in lows.iter().zip(highs).rev() {
        let differs = differs(lows, low) | differs(highs, high);
        found = found << 4 | u64::from(differs.zero_u32());
    }
    found
}

#[inline(always)]
pub(crate) fn equal(lanes: u8x16, byte: u8) -> u8x16 {
    lanes.simd_eq(u8x16::splat(byte))
}

/// Marks the lanes below `end`. A vector comparison is signed, so 0x80 is subtracted from both sides.
#[inline(always)]
pub(crate) fn is_below(lanes: u8x16, end: u8) -> u8x16 {
    u8x16::splat(end.wrapping_sub(0x80)).signed_gt(lanes - u8x16::splat(0x80))
}

/// Returns the first position of a pair in `bytes`. A pair of two equal bytes stands for a single such byte.
#[inline(always)]
pub(crate) fn find_pair(bytes: &[u8], [first, second]: [u8; 2]) -> Option<usize> {
    if first == second {
        return memchr::memchr(first, bytes);
    }
    // Compares 16 bytes with the first byte of the pair, and the 16 bytes one position later with the second.
    let pairs_from = |start: usize| {
        let firsts = bytes.get(start..)?.first_chunk()?;
        let seconds = bytes.get(start + 1..)?.first_chunk()?;
        let pairs = equal(u8x16::new(*firsts), first) & equal(u8x16::new(*seconds), second);
        Some(pairs.to_bitmask())
    };
    let Some(last) = bytes.len().checked_sub(LANES + 1) else {
        let bytes = padded_u128(bytes);
        let firsts = equal(u8x16::new(bytes.to_le_bytes()), first);
        let seconds = equal(u8x16::new((bytes >> 8).to_le_bytes()), second);
        let pairs = (firsts & seconds).to_bitmask();
        return (pairs != 0).then(|| pairs.trailing_zeros() as usize);
    };
    let mut start = 0;
    loop {
        let pairs = pairs_from(start)?;
        if pairs != 0 {
            return Some(start + pairs.trailing_zeros() as usize);
        }
        if start >= last {
            return None;
        }
        start = (start + LANES).min(last);
    }
}

/// The number of bytes that one pass searches for pairs. Most paths are shorter, and take one pass.
const NEAR: usize = 4 * LANES + 1;

/// Returns the bits of `among` whose pairs occur in `bytes`; the lowest bit is for the first pair. A pair of two equal bytes
/// stands for a single such byte.
#[inline]
pub(crate) fn pairs_in(bytes: &[u8], pairs: &[[u8; 2]], among: u64) -> u64 {
    let mut found = pairs_near(bytes, pairs, among);
    let mut rest = bytes;
    // Passes overlap in one byte, because a pair may start with the last byte of a pass.
    while let Some(after) = rest.get(NEAR - 1..).filter(|after| after.len() > 1) {
        found |= pairs_near(after, pairs, among);
        rest = after;
    }
    found
}

/// Returns the same as [`pairs_in`] for the first [`NEAR`] bytes.
#[inline(always)]
fn pairs_near(bytes: &[u8], pairs: &[[u8; 2]], among: u64) -> u64 {
    let near = bytes.get(..NEAR).unwrap_or(bytes);
    let mut short = [0; LANES + 1];
    let near = if near.len() > LANES {
        near
    } else {
        if let Some(place) = short.first_chunk_mut() {
            *place = near
                .first_chunk()
                .copied()
                .unwrap_or_else(|| padded_u128(near).to_le_bytes());
        }
        &short
    };
    // Chunks that overlap need no branch for the rest.
    let last = near.len() - LANES - 1;
    if last <= LANES {
        pairs_at(near, [0, last], pairs, among)
    } else {
        pairs_at(near, [0, LANES, last - LANES, last], pairs, among)
    }
}

/// Returns the same as [`pairs_in`] for pairs at the [`LANES`] positions from each of `starts` on.
#[inline(always)]
fn pairs_at<const N: usize>(
    near: &[u8],
    starts: [usize; N],
    pairs: &[[u8; 2]],
    mut among: u64,
) -> u64 {
    let lanes = |start: usize| match near.get(start..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => u8x16::new(*chunk),
        None => u8x16::ZERO,
    };
    let firsts = starts.map(lanes);
    let seconds = starts.map(|start| lanes(start + 1));
    let mut found = 0;
    while among != 0 {
        let number = among.trailing_zeros();
        among &= among - 1;
        let Some([first, second]) = pairs.get(number as usize) else {
            break;
        };
        let is_alone = first == second;
        let (a, b) = (u8x16::splat(*first), u8x16::splat(*second));
        let any = u8x16::splat(u8::from(is_alone).wrapping_neg());
        let mut here = u8x16::ZERO;
        for (firsts, seconds) in firsts.iter().zip(&seconds) {
            here = here | firsts.simd_eq(a) & (seconds.simd_eq(b) | any);
        }
        let ends = is_alone & (near.last() == Some(first));
        found |= u64::from((here.to_bitmask() != 0) | ends) << number;
    }
    found
}

/// Returns the first position in `range` where all probes match. A probe `(distance, byte)` matches a position if `byte` is
/// `distance` bytes after the position.
#[inline]
pub(crate) fn find_all(bytes: &[u8], range: Range<usize>, probes: &[(u16, u8)]) -> Option<usize> {
    let mut base = range.start;
    while base < range.end {
        let mut found = low_bits((range.end - base).min(BLOCK));
        for (distance, byte) in probes {
            let bytes = bytes.get(base + usize::from(*distance)..)?;
            found &= marks_in_block(bytes, |lanes| equal(lanes, *byte));
            if found == 0 {
                break;
            }
        }
        if found != 0 {
            return Some(base + found.trailing_zeros() as usize);
        }
        base += BLOCK;
    }
    None
}

/// The number of false candidates after which [`find`] gives up. Each false candidate costs a comparison; after 32 of them the
/// Two-Way search of `memchr`, which takes linear time, is cheaper.
const MAX_MISSES: usize = 32;

/// Returns the first position in `bytes` of a piece of at least two bytes. The search compares the piece only where the pair at
/// offset `rarest` of the piece occurs. The outer `None` means that the search gave up, because the pair is too common;
/// `Some(None)` means that the piece does not occur.
#[inline]
pub(crate) fn find(bytes: &[u8], piece: &[u8], rarest: usize) -> Option<Option<usize>> {
    let (Some(&first), Some(&second)) = (piece.get(rarest), piece.get(rarest + 1)) else {
        return None;
    };
    // If `bytes` contains the whole piece, the pair is in this region.
    let Some(last) = bytes.len().checked_sub(piece.len()) else {
        return Some(None);
    };
    let Some(region) = bytes.get(rarest..=last + rarest + 1) else {
        return Some(None);
    };
    let mut from = 0;
    for _ in 0..MAX_MISSES {
        let rest = region.get(from..).unwrap_or_default();
        let Some(at) = find_pair(rest, [first, second]) else {
            return Some(None);
        };
        let at = from + at;
        if bytes.get(at..).is_some_and(|rest| rest.starts_with(piece)) {
            return Some(Some(at));
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// Returns a function that returns pseudorandom numbers below its argument.
    fn random(mut state: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below
        }
    }

    #[test]
    fn find_all_agrees_with_a_naive_search() {
        let mut random = random(5);
        for _ in 0..50_000 {
            let letters = 2 + random(5);
            let bytes: Vec<u8> = (0..random(300)).map(|_| random(letters) as u8).collect();
            let distances = random(20);
            let probes: Vec<(u16, u8)> = (0..1 + random(4))
                .map(|_| (random(distances + 1) as u16, random(letters) as u8))
                .collect();
            let end = bytes.len().saturating_sub(distances);
            let range = random(end + 1)..end;
            let matches = |at: &usize| {
                probes
                    .iter()
                    .all(|(far, byte)| bytes[at + usize::from(*far)] == *byte)
            };
            let naive = range.clone().find(matches);
            assert_eq!(find_all(&bytes, range, &probes), naive);
        }
    }

    #[test]
    fn bytes_of_words() {
        assert_eq!([0, 1, 7, 8, 9].map(low_bytes), [0, 0xFF, !0 >> 8, !0, !0]);
        assert_eq!(sum_of_bytes(u64::MAX), 8 * 255);
        assert_eq!(
            sum_of_bytes(u64::from_le_bytes([1, 2, 3, 4, 5, 6, 7, 8])),
            36
        );
    }

    #[test]
    fn pairs_in_agrees_with_a_naive_search() {
        let mut random = random(1);
        for _ in 0..20_000 {
            let letters = 2 + random(24);
            let pairs: Vec<[u8; 2]> = (0..=random(63))
                .map(|_| [b'a' + random(letters) as u8, b'a' + random(letters) as u8])
                .collect();
            let bytes: Vec<u8> = (0..random(200))
                .map(|_| b'a' + random(letters) as u8)
                .collect();
            let contains = |pair: &[u8; 2]| match pair {
                [first, second] if first == second => bytes.contains(first),
                _ => bytes.windows(2).any(|two| two == pair),
            };
            let naive = pairs.iter().enumerate();
            let naive = naive.fold(0, |found, (number, pair)| {
                found | u64::from(contains(pair)) << number
            });
            let among = (random(1 << 30) as u64) << 34 | (random(1 << 30) as u64) << 4 | 5;
            assert_eq!(
                pairs_in(&bytes, &pairs, among),
                naive & among,
                "{pairs:?} {bytes:?}"
            );
        }
    }
}
