//! Looks over bytes 16 at a time: where one of a few stands, where a pair stands, and whether a path
//! is its own canonical form.

use super::lanes::u8x16;
use crate::util::chunks::as_chunks;

/// How many bytes are examined together.
const LANES: usize = 16;

/// Bytes that are examined together.
struct Chunk {
    lanes: u8x16,
    /// Where they begin.
    base: usize,
    /// A bit for each that is one.
    live: u32,
}

const ALL: u32 = (1 << LANES) - 1;

/// Calls `look` for all of `bytes`, the last of them perhaps twice, until it gives something.
#[inline(always)]
fn chunks<T>(bytes: &[u8], mut look: impl FnMut(Chunk) -> Option<T>) -> Option<T> {
    let (whole, tail) = as_chunks::<LANES>(bytes);
    let mut base = 0;
    for chunk in whole {
        let lanes = u8x16::new(*chunk);
        if let Some(found) = look(Chunk {
            lanes,
            base,
            live: ALL,
        }) {
            return Some(found);
        }
        base += LANES;
    }
    if tail.is_empty() {
        return None;
    }
    let chunk = match bytes.last_chunk() {
        Some(last) => Chunk {
            lanes: u8x16::new(*last),
            base: bytes.len() - LANES,
            live: ALL,
        },
        None => Chunk {
            lanes: u8x16::new(few(bytes).to_le_bytes()),
            base: 0,
            live: !(!0 << bytes.len()),
        },
    };
    look(chunk)
}

/// At most 16 bytes, zeros after them.
#[inline(always)]
pub(crate) fn few(bytes: &[u8]) -> u128 {
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            let behind = u128::from(u64::from_le_bytes(*last)) << 64;
            u128::from(u64::from_le_bytes(*first))
                | (behind >> (8 * (LANES - bytes.len()))) & !u128::from(u64::MAX)
        }
        _ => u128::from(fewer(bytes)),
    }
}

/// Fewer than 8 bytes, zeros after them.
#[inline(always)]
pub(crate) fn fewer(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let behind = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
            u64::from(u32::from_le_bytes(*first)) | behind
        }
        _ => match *bytes {
            [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a] => u64::from(a),
            _ => 0,
        },
    }
}

/// Whether the first `len` bytes behind `start` stand for themselves in the path of a URL in rfc9309 (SPEC
/// 8.6 c, d, f). It returns false for `!`, `#` and `~`, too, which are too rare to be distinguished.
#[inline(always)]
pub(crate) fn starts_plain(url: &[u8], start: usize, len: usize) -> bool {
    if len <= LANES {
        if let Some((lanes, skipped)) = lanes_at(url, start) {
            return (odd(lanes).to_bitmask() >> skipped) & !(!0 << len) == 0;
        }
    }
    url.get(start..start + len).is_some_and(is_plain)
}

/// The 16 bytes at `start`, or the last 16, and how many of these stand before `start`.
#[inline(always)]
fn lanes_at(bytes: &[u8], start: usize) -> Option<(u8x16, usize)> {
    let first = start.min(bytes.len().checked_sub(LANES)?);
    let chunk = bytes.get(first..)?.first_chunk()?;
    Some((u8x16::new(*chunk), (start - first) & 31))
}

/// The same for all of a path.
#[inline(never)]
pub(crate) fn is_plain(path: &[u8]) -> bool {
    let len = path.len();
    if len < LANES {
        return odd(u8x16::new(few(path).to_le_bytes())).to_bitmask() & !(!0 << len) == 0;
    }
    // Branches cost more than looking at some bytes twice: of all but long paths the same four chunks
    // are taken, two from either end. Nearly every path is plain, so it is asked once, at the end.
    let last = len - LANES;
    let chunk = |start: usize| match path.get(start..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => odd(u8x16::new(*chunk)),
        None => u8x16::ZERO,
    };
    let mut marks =
        chunk(0) | chunk(last.min(LANES)) | chunk(last.saturating_sub(LANES)) | chunk(last);
    if len > 4 * LANES {
        for middle in as_chunks::<LANES>(path).0 {
            marks |= odd(u8x16::new(*middle));
        }
    }
    marks.to_bitmask() == 0
}

/// How many bytes of a path stand for themselves before the first that may not.
#[inline]
pub(crate) fn plain_len(path: &[u8]) -> usize {
    let first_odd = chunks(path, |Chunk { lanes, base, live }| {
        let odd = odd(lanes).to_bitmask() & live;
        (odd != 0).then(|| base + odd.trailing_zeros() as usize)
    });
    first_odd.unwrap_or(path.len())
}

/// What is seen of the path of a rule at a look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RulePath {
    /// Every byte stands for itself in every dialect; it may be false where all do.
    pub(crate) is_plain: bool,
    /// Where the first `*` stands, or the end.
    pub(crate) star: u32,
}

/// Looks at the path of a rule, of less than 4 GiB, in which a `*` stands for itself.
#[inline]
pub(crate) fn rule_path(path: &[u8]) -> RulePath {
    let mut star = path.len();
    let odd = chunks(path, |Chunk { lanes, base, live }| {
        let stars = equal(lanes, b'*').to_bitmask() & live;
        if stars != 0 {
            star = star.min(base + stars.trailing_zeros() as usize);
        }
        (odd(lanes).to_bitmask() & live & !stars != 0).then_some(())
    });
    RulePath {
        is_plain: odd.is_none(),
        star: star as u32,
    }
}

/// Marks what does not stand for itself, and `!`, `#` and `~`.
#[inline(always)]
fn odd(lanes: u8x16) -> u8x16 {
    // Controls, space ! " # $ %; { | } ~ DEL and bytes >= 0x80: all but the 0x55 from & to z.
    let shifted = lanes - u8x16::splat(b'&');
    let odd = shifted.max(u8x16::splat(0x55)).simd_eq(shifted);
    // < > \ ^ alone become ~ this way, of what is left; then * and `.
    let odd = odd | equal(lanes | u8x16::splat(0x62), b'~');
    odd | equal(lanes, b'*') | equal(lanes, b'`')
}

#[inline(always)]
fn equal(lanes: u8x16, byte: u8) -> u8x16 {
    lanes.simd_eq(u8x16::splat(byte))
}

/// A bit for each of 16 bytes that is `byte`, the first lowest.
#[inline(always)]
pub(crate) fn equal_lanes(bytes: &[u8; LANES], byte: u8) -> u32 {
    equal(u8x16::new(*bytes), byte).to_bitmask()
}

/// Where the authority of a URL ends that begins at `start`: at the first `/`, `?` or `#` from there on.
#[inline(always)]
pub(crate) fn authority_end(url: &[u8], start: usize) -> Option<usize> {
    // Most URLs are longer than 32 bytes, and most authorities shorter.
    if let Some(last) = url.len().checked_sub(2 * LANES) {
        let first = start.min(last);
        let near = url.get(first..).map_or(&[][..], |rest| rest);
        if let ([low, high, ..], _) = as_chunks::<LANES>(near) {
            let is_end = |lanes: u8x16| {
                // A `/` and a `?` differ in one bit, which no other byte shares with just them.
                equal(lanes | u8x16::splat(b'/' ^ b'?'), b'?') | equal(lanes, b'#')
            };
            let low = is_end(u8x16::new(*low)).to_bitmask();
            let found = low | is_end(u8x16::new(*high)).to_bitmask() << LANES;
            let found = found >> (start - first).min(31);
            if found != 0 {
                return Some(start + found.trailing_zeros() as usize);
            }
        }
    }
    first(url.get(start..)?, [b'/', b'?', b'#']).map(|end| start + end)
}

/// Where the text of a line ends: at the first LF, CR or `#`.
#[inline(always)]
pub(crate) fn text_end(bytes: &[u8]) -> Option<usize> {
    first(bytes, [b'\n', b'\r', b'#'])
}

/// Where one of three bytes first stands, most likely among the first 32.
#[inline(always)]
fn first(bytes: &[u8], sought: [u8; 3]) -> Option<usize> {
    if let ([low, high, ..], _) = as_chunks::<LANES>(bytes) {
        let found = any_of(u8x16::new(*low), sought) | any_of(u8x16::new(*high), sought) << LANES;
        if found != 0 {
            return Some(found.trailing_zeros() as usize);
        }
        let [a, b, c] = sought;
        let far = bytes.get(2 * LANES..)?;
        return memchr::memchr3(a, b, c, far).map(|at| 2 * LANES + at);
    }
    chunks(bytes, |Chunk { lanes, base, live }| {
        let found = any_of(lanes, sought) & live;
        (found != 0).then(|| base + found.trailing_zeros() as usize)
    })
}

/// A bit for each lane that is one of three bytes.
#[inline(always)]
fn any_of(lanes: u8x16, [a, b, c]: [u8; 3]) -> u32 {
    (equal(lanes, a) | equal(lanes, b) | equal(lanes, c)).to_bitmask()
}

/// Where `pair` first stands in `bytes`; of a pair of the same byte twice, where that byte does.
#[inline(always)]
pub(crate) fn find_pair(bytes: &[u8], [first, second]: [u8; 2]) -> Option<usize> {
    if first == second {
        return memchr::memchr(first, bytes);
    }
    // Sixteen places at once: that many bytes and those after each of them.
    let at = |start: usize| {
        let firsts = bytes.get(start..)?.first_chunk()?;
        let seconds = bytes.get(start + 1..)?.first_chunk()?;
        let pairs = equal(u8x16::new(*firsts), first) & equal(u8x16::new(*seconds), second);
        Some(pairs.to_bitmask())
    };
    let Some(last) = bytes.len().checked_sub(LANES + 1) else {
        let bytes = few(bytes);
        let firsts = equal(u8x16::new(bytes.to_le_bytes()), first);
        let seconds = equal(u8x16::new((bytes >> 8).to_le_bytes()), second);
        let pairs = (firsts & seconds).to_bitmask();
        return (pairs != 0).then(|| pairs.trailing_zeros() as usize);
    };
    let mut start = 0;
    loop {
        let pairs = at(start)?;
        if pairs != 0 {
            return Some(start + pairs.trailing_zeros() as usize);
        }
        if start >= last {
            return None;
        }
        start = (start + LANES).min(last);
    }
}

/// The bytes of a path that are examined together for pairs: enough for nearly all.
const NEAR: usize = 4 * LANES + 1;

/// A bit for each of at most 32 pairs of bytes that stands in `bytes`, the first lowest. A pair of the
/// same byte twice stands for that byte alone.
#[inline]
pub(crate) fn pairs_in(bytes: &[u8], pairs: &[[u8; 2]]) -> u32 {
    let mut found = pairs_near(bytes, pairs);
    let mut rest = bytes;
    // The last byte of those that were examined may be the first of a pair.
    while let Some(behind) = rest.get(NEAR - 1..).filter(|behind| behind.len() > 1) {
        found |= pairs_near(behind, pairs);
        rest = behind;
    }
    found
}

/// The same for the first [`NEAR`] bytes.
#[inline(always)]
fn pairs_near(bytes: &[u8], pairs: &[[u8; 2]]) -> u32 {
    let near = bytes.get(..NEAR).unwrap_or(bytes);
    let mut short = [0; LANES + 1];
    let near = if near.len() > LANES {
        near
    } else {
        if let Some(place) = short.first_chunk_mut() {
            *place = near
                .first_chunk()
                .copied()
                .unwrap_or_else(|| few(near).to_le_bytes());
        }
        &short
    };
    // Looking at some bytes twice takes no branch.
    let last = near.len() - LANES - 1;
    if last <= LANES {
        pairs_at(near, [0, last], pairs)
    } else {
        pairs_at(near, [0, LANES, last - LANES, last], pairs)
    }
}

/// The same for the bytes from each of `starts` on.
#[inline(always)]
fn pairs_at<const N: usize>(near: &[u8], starts: [usize; N], pairs: &[[u8; 2]]) -> u32 {
    let lanes = |start: usize| match near.get(start..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => u8x16::new(*chunk),
        None => u8x16::ZERO,
    };
    let firsts = starts.map(lanes);
    let seconds = starts.map(|start| lanes(start + 1));
    let mut found = 0;
    for (number, [first, second]) in pairs.iter().enumerate().take(u32::BITS as usize) {
        let is_alone = first == second;
        let (a, b) = (u8x16::splat(*first), u8x16::splat(*second));
        let any = u8x16::splat(u8::from(is_alone).wrapping_neg());
        let mut here = u8x16::ZERO;
        for (firsts, seconds) in firsts.iter().zip(&seconds) {
            here |= firsts.simd_eq(a) & (seconds.simd_eq(b) | any);
        }
        let ends = is_alone & (near.last() == Some(first));
        found |= u32::from((here.to_bitmask() != 0) | ends) << number;
    }
    found
}

/// How many bytes [`find_in_both`] examines in one step.
pub(crate) const BLOCK: usize = 4 * LANES;

/// Returns the first position where `firsts` holds `first` and `seconds` holds `second`.
#[inline]
pub(crate) fn find_in_both(firsts: &[u8], first: u8, seconds: &[u8], second: u8) -> Option<usize> {
    let len = firsts.len().min(seconds.len());
    let (firsts, seconds) = (firsts.get(..len)?, seconds.get(..len)?);
    let both = |firsts: &[u8; LANES], seconds: &[u8; LANES]| {
        equal(u8x16::new(*firsts), first) & equal(u8x16::new(*seconds), second)
    };
    let (blocks, short) = as_chunks::<BLOCK>(firsts);
    let (other_blocks, other_short) = as_chunks::<BLOCK>(seconds);
    for (number, (block, other)) in blocks.iter().zip(other_blocks).enumerate() {
        let ([a, b, c, d], _) = as_chunks::<LANES>(block) else {
            return None;
        };
        let ([e, f, g, h], _) = as_chunks::<LANES>(other) else {
            return None;
        };
        let found = [both(a, e), both(b, f), both(c, g), both(d, h)];
        if found
            .iter()
            .fold(u8x16::ZERO, |any, lanes| any | *lanes)
            .to_bitmask()
            != 0
        {
            let bits = found.iter().rev().fold(0, |bits, lanes| {
                bits << LANES | u64::from(lanes.to_bitmask())
            });
            return Some(number * BLOCK + bits.trailing_zeros() as usize);
        }
    }
    let base = len - short.len();
    let (chunks, tail) = as_chunks::<LANES>(short);
    let (other_chunks, other_tail) = as_chunks::<LANES>(other_short);
    for (number, (chunk, other)) in chunks.iter().zip(other_chunks).enumerate() {
        let found = both(chunk, other).to_bitmask();
        if found != 0 {
            return Some(base + number * LANES + found.trailing_zeros() as usize);
        }
    }
    let live = !(!0 << tail.len());
    let found = both(&few(tail).to_le_bytes(), &few(other_tail).to_le_bytes()).to_bitmask() & live;
    (found != 0).then(|| len - tail.len() + found.trailing_zeros() as usize)
}

/// How often a pair of bytes may stand in a text without the piece around it before
/// [`find`] leaves the search to an algorithm that is linear for any text.
const MOST_MISSES: usize = 32;

/// Where `piece`, of at least two bytes, first stands in `bytes`, by the pair of its bytes at
/// `rarest`. `None`: it was given up, since that pair stands nearly everywhere.
#[inline]
pub(crate) fn find(bytes: &[u8], piece: &[u8], rarest: usize) -> Option<Option<usize>> {
    let (Some(&first), Some(&second)) = (piece.get(rarest), piece.get(rarest + 1)) else {
        return None;
    };
    // Where the pair may stand so that the piece around it fits.
    let Some(last) = bytes.len().checked_sub(piece.len()) else {
        return Some(None);
    };
    let Some(region) = bytes.get(rarest..=last + rarest + 1) else {
        return Some(None);
    };
    let mut from = 0;
    for _ in 0..MOST_MISSES {
        let Some(at) = region
            .get(from..)
            .and_then(|rest| find_pair(rest, [first, second]))
        else {
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

    #[test]
    fn two_bytes_at_a_distance_are_found_wherever_they_stand() {
        let mut state = 5u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..50_000 {
            let letters = 2 + random(20);
            let mut text =
                |len: usize| -> Vec<u8> { (0..len).map(|_| random(letters) as u8).collect() };
            let (first_len, second_len) = (text(1)[0] as usize * 9, text(1)[0] as usize * 9);
            let (firsts, seconds) = (text(first_len), text(second_len));
            let naive = firsts
                .iter()
                .zip(&seconds)
                .position(|(a, b)| (*a, *b) == (0, 1));
            assert_eq!(find_in_both(&firsts, 0, &seconds, 1), naive);
        }
    }

    #[test]
    fn pairs_are_found_wherever_they_stand() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let letters = 2 + random(24);
            let pairs: Vec<[u8; 2]> = (0..=random(32))
                .map(|_| [b'a' + random(letters) as u8, b'a' + random(letters) as u8])
                .collect();
            let bytes: Vec<u8> = (0..random(200))
                .map(|_| b'a' + random(letters) as u8)
                .collect();
            let stands = |pair: &[u8; 2]| match pair {
                [first, second] if first == second => bytes.contains(first),
                _ => bytes.windows(2).any(|two| two == pair),
            };
            let plainly = pairs.iter().enumerate().take(32);
            let plainly = plainly.fold(0, |found, (number, pair)| {
                found | u32::from(stands(pair)) << number
            });
            assert_eq!(pairs_in(&bytes, &pairs), plainly, "{pairs:?} {bytes:?}");
        }
    }
}
