//! Looks over octets 16 at a time: where one of a few stands, where a pair stands, and whether a path
//! is its own canonical form.

use wide::u8x16;

/// How many octets are looked at together.
const LANES: usize = 16;

/// Octets that are looked at together.
struct Chunk {
    lanes: u8x16,
    /// Where they begin.
    base: usize,
    /// A bit for each that is one.
    live: u32,
}

const ALL: u32 = (1 << LANES) - 1;

/// Calls `look` for all of `octets`, the last of them perhaps twice, until it gives something.
#[inline(always)]
fn chunks<T>(octets: &[u8], mut look: impl FnMut(Chunk) -> Option<T>) -> Option<T> {
    let (whole, tail) = octets.as_chunks::<LANES>();
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
    let chunk = match octets.last_chunk() {
        Some(last) => Chunk {
            lanes: u8x16::new(*last),
            base: octets.len() - LANES,
            live: ALL,
        },
        None => Chunk {
            lanes: u8x16::new(few(octets).to_le_bytes()),
            base: 0,
            live: !(!0 << octets.len()),
        },
    };
    look(chunk)
}

/// Fewer than 16 octets, zeros behind them.
#[inline(always)]
pub(crate) fn few(octets: &[u8]) -> u128 {
    match (octets.first_chunk::<8>(), octets.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            let behind = u128::from(u64::from_le_bytes(*last)) << 64;
            u128::from(u64::from_le_bytes(*first))
                | (behind >> (8 * (LANES - octets.len()))) & !u128::from(u64::MAX)
        }
        _ => u128::from(fewer(octets)),
    }
}

/// Fewer than 8 octets, zeros behind them.
#[inline(always)]
pub(crate) fn fewer(octets: &[u8]) -> u64 {
    match (octets.first_chunk::<4>(), octets.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let behind = u64::from(u32::from_le_bytes(*last)) << (8 * (octets.len() - 4));
            u64::from(u32::from_le_bytes(*first)) | behind
        }
        _ => octets
            .iter()
            .rev()
            .fold(0, |word, octet| word << 8 | u64::from(*octet)),
    }
}

/// Whether every octet of the path of a URL stands for itself in rfc9309 (SPEC 8.6 c, d, f). It says no
/// for `!`, `#` and `~`, too, which are too rare to be told apart.
#[inline(always)]
pub(crate) fn is_plain(path: &[u8]) -> bool {
    chunks(path, |Chunk { lanes, live, .. }| {
        (odd(lanes).to_bitmask() & live != 0).then_some(())
    })
    .is_none()
}

/// What is seen of the path of a rule at a look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RulePath {
    /// Every octet stands for itself in every dialect; it may be false where all do.
    pub(crate) is_plain: bool,
    /// Where the first `*` stands.
    pub(crate) star: Option<usize>,
}

/// Looks at the path of a rule, in which a `*` stands for itself.
#[inline]
pub(crate) fn rule_path(path: &[u8]) -> RulePath {
    let mut star = None;
    let odd = chunks(path, |Chunk { lanes, base, live }| {
        let stars = equal(lanes, b'*').to_bitmask() & live;
        if stars != 0 && star.is_none() {
            star = Some(base + stars.trailing_zeros() as usize);
        }
        (odd(lanes).to_bitmask() & live & !stars != 0).then_some(())
    });
    RulePath {
        is_plain: odd.is_none(),
        star,
    }
}

/// Marks what does not stand for itself, and `!`, `#` and `~`.
#[inline(always)]
fn odd(lanes: u8x16) -> u8x16 {
    // Controls, space ! " # $ %; { | } ~ DEL and octets >= 0x80: all but the 0x55 from & to z.
    let shifted = lanes - u8x16::splat(b'&');
    let odd = shifted.max(u8x16::splat(0x55)).simd_eq(shifted);
    // < > \ ^ alone become ~ this way, of what is left; then * and `.
    let odd = odd | equal(lanes | u8x16::splat(0x62), b'~');
    odd | equal(lanes, b'*') | equal(lanes, b'`')
}

#[inline(always)]
fn equal(lanes: u8x16, octet: u8) -> u8x16 {
    lanes.simd_eq(u8x16::splat(octet))
}

/// Where the authority of a URL ends: at the first `/`, `?` or `#`.
#[inline(always)]
pub(crate) fn authority_end(octets: &[u8]) -> Option<usize> {
    chunks(octets, |Chunk { lanes, base, live }| {
        let ends = equal(lanes, b'/') | equal(lanes, b'?') | equal(lanes, b'#');
        let ends = ends.to_bitmask() & live;
        (ends != 0).then(|| base + ends.trailing_zeros() as usize)
    })
}

/// Where the text of a line ends: at the first LF, CR or `#`.
#[inline(always)]
pub(crate) fn text_end(octets: &[u8]) -> Option<usize> {
    chunks(octets, |Chunk { lanes, base, live }| {
        let ends = equal(lanes, b'\n') | equal(lanes, b'\r') | equal(lanes, b'#');
        let ends = ends.to_bitmask() & live;
        (ends != 0).then(|| base + ends.trailing_zeros() as usize)
    })
}

/// Where `pair` first stands in `octets`; of a pair of the same octet twice, where that octet does.
#[inline(always)]
pub(crate) fn find_pair(octets: &[u8], [first, second]: [u8; 2]) -> Option<usize> {
    if first == second {
        return memchr::memchr(first, octets);
    }
    // Whether the chunk before ended in the first octet of the pair.
    let mut carry = 0;
    chunks(octets, |Chunk { lanes, base, live }| {
        let firsts = equal(lanes, first).to_bitmask();
        let pairs = (firsts << 1 | carry) & equal(lanes, second).to_bitmask() & live;
        carry = firsts >> (LANES - 1);
        (pairs != 0).then(|| base + pairs.trailing_zeros() as usize - 1)
    })
}

/// How often a pair of octets may stand in a text without the piece around it before
/// [`find`] leaves the search to an algorithm that is linear for any text.
const MOST_MISSES: usize = 32;

/// Where `piece`, of at least two octets, first stands in `octets`, by the pair of its octets at
/// `rarest`. `None`: it was given up, since that pair stands nearly everywhere.
#[inline]
pub(crate) fn find(octets: &[u8], piece: &[u8], rarest: usize) -> Option<Option<usize>> {
    let (Some(&first), Some(&second)) = (piece.get(rarest), piece.get(rarest + 1)) else {
        return None;
    };
    // Where the pair may stand so that the piece around it fits.
    let Some(last) = octets.len().checked_sub(piece.len()) else {
        return Some(None);
    };
    let Some(region) = octets.get(rarest..=last + rarest + 1) else {
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
        if octets.get(at..).is_some_and(|rest| rest.starts_with(piece)) {
            return Some(Some(at));
        }
        from = at + 1;
    }
    None
}
