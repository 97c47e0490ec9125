//! A sieve for short lists: where in a path which of their rules may match, found in one look over it.
//!
//! The rules of a list stand in up to eight buckets, the strongest in the first. Of each rule two octets
//! that stand side by side in whatever it matches are known. Four tables of 16 octets tell, for the
//! lower and the upper half of the first octet and of the second, the buckets that have such a rule:
//! where a bit is in all four, a rule of that bucket may match.
//!
//! The tables fit a shuffle of 16 octets. x86-64 has it in SSSE3, which not every build may assume: so it
//! is asked for at run time, and this is with `block` the one place outside the C API with `unsafe`. What that buys
//! stands in `benches/README.md`.
#![allow(unsafe_code, reason = "calls what the processor was found to have")]

/// The octets of the tables.
pub(crate) const LEN: usize = 64;

/// How many buckets there are.
pub(crate) const BUCKETS: usize = 8;

/// How many rules of a list of `count` share a bucket.
#[inline]
pub(crate) fn rules_per_bucket(count: usize) -> usize {
    count.div_ceil(BUCKETS).max(1)
}

/// The tables for rules with these pairs of octets, in the order of the list. A pair of one octet twice
/// stands for that octet alone, whatever follows it.
pub(crate) fn tables(pairs: &[[u8; 2]]) -> [u8; LEN] {
    let per_bucket = rules_per_bucket(pairs.len());
    let mut tables = [0; LEN];
    for (number, [first, second]) in pairs.iter().enumerate() {
        let bit = 1 << (number / per_bucket);
        let (low, high) = if first == second {
            (0..=0xF, 0..=0xF)
        } else {
            (second & 0xF..=second & 0xF, second >> 4..=second >> 4)
        };
        let firsts = [first & 0xF, 16 + (first >> 4)].into_iter();
        let entries = firsts
            .chain(low.map(|half| 32 + half))
            .chain(high.map(|half| 48 + half));
        for entry in entries {
            if let Some(buckets) = tables.get_mut(usize::from(entry)) {
                *buckets |= bit;
            }
        }
    }
    tables
}

/// Calls `look` for the places in `octets` where a rule may match, from the first on: with the place of
/// the pair and the buckets, a bit each, of the rules that have it. Rules of other buckets do not match.
/// `look` gives the buckets that are still sought; none end the search.
#[inline(always)]
pub(crate) fn candidates(tables: &[u8; LEN], octets: &[u8], look: impl FnMut(usize, u8) -> u8) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("ssse3") {
        // SAFETY: the processor has SSSE3, which is all that the function asks for.
        return unsafe { ssse3::candidates(tables, octets, look) };
    }
    portable(tables, octets, look);
}

/// The same, one octet at a time.
fn portable(tables: &[u8; LEN], octets: &[u8], mut look: impl FnMut(usize, u8) -> u8) {
    let entry = |table: u8, half: u8| tables.get(usize::from(table + half)).copied().unwrap_or(0);
    let seconds = octets.iter().skip(1).chain([&0]);
    let mut sought = !0;
    for (at, (first, second)) in octets.iter().zip(seconds).enumerate() {
        let firsts = entry(0, first & 0xF) & entry(16, first >> 4);
        let found = sought & firsts & entry(32, second & 0xF) & entry(48, second >> 4);
        if found != 0 {
            sought = look(at, found);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod ssse3 {
    use core::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_movemask_epi8,
        _mm_set_epi64x, _mm_set1_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_epi16,
        _mm_srli_si128, _mm_unpackhi_epi64,
    };

    use super::LEN;
    use crate::scan;

    const LANES: usize = 16;

    #[target_feature(enable = "ssse3")]
    #[inline]
    fn lanes(octets: u128) -> __m128i {
        _mm_set_epi64x((octets >> 64) as i64, octets as i64)
    }

    #[target_feature(enable = "ssse3")]
    #[inline]
    pub(super) fn candidates(
        tables: &[u8; LEN],
        octets: &[u8],
        mut look: impl FnMut(usize, u8) -> u8,
    ) {
        let (tables, _) = tables.as_chunks::<LANES>();
        let &[first_low, first_high, second_low, second_high] = tables else {
            return;
        };
        let table = |table: [u8; LANES]| lanes(u128::from_le_bytes(table));
        let first = (table(first_low), table(first_high));
        let second = (table(second_low), table(second_high));
        let half = _mm_set1_epi8(0xF);
        let entries = |(low, high): (__m128i, __m128i), octets: __m128i| {
            let low = _mm_shuffle_epi8(low, _mm_and_si128(octets, half));
            let high = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16::<4>(octets), half));
            _mm_and_si128(low, high)
        };
        let mut sought = !0u8;
        let mut at = 0;
        loop {
            // Sixteen octets and those behind each of them; or the last, a zero behind the very last.
            let rest = octets.get(at..).unwrap_or_default();
            let (base, firsts, seconds) = match (rest.first_chunk(), rest.get(1..)) {
                (Some(firsts), Some(seconds)) if rest.len() > LANES => (
                    at,
                    lanes(u128::from_le_bytes(*firsts)),
                    seconds
                        .first_chunk()
                        .map_or(_mm_setzero_si128(), |seconds| {
                            lanes(u128::from_le_bytes(*seconds))
                        }),
                ),
                _ => {
                    let last = lanes(match octets.last_chunk() {
                        Some(last) => u128::from_le_bytes(*last),
                        None => scan::few(octets),
                    });
                    let base = octets.len().saturating_sub(LANES);
                    (base, last, _mm_srli_si128::<1>(last))
                }
            };
            let found = _mm_and_si128(entries(first, firsts), entries(second, seconds));
            let found = _mm_and_si128(found, _mm_set1_epi8(sought as i8));
            if _mm_movemask_epi8(_mm_cmpeq_epi8(found, _mm_setzero_si128())) != 0xFFFF {
                let words = [found, _mm_unpackhi_epi64(found, found)];
                for (word, base) in words.into_iter().zip([base, base + 8]) {
                    let mut word = _mm_cvtsi128_si64(word) as u64;
                    while word != 0 {
                        let lane = word.trailing_zeros() / 8;
                        let buckets = (word >> (8 * lane)) as u8 & sought;
                        word &= !(0xFF << (8 * lane));
                        let place = base + lane as usize;
                        // Of the last octets some are looked at for the second time.
                        if buckets != 0 && place >= at {
                            sought = look(place, buckets);
                        }
                    }
                }
                if sought == 0 {
                    return;
                }
            }
            at += LANES;
            if at >= octets.len() {
                return;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// Where a pair stands in `octets`, plainly.
    fn places(octets: &[u8], [first, second]: [u8; 2]) -> Vec<usize> {
        let is_here = |at: &usize| {
            octets[*at] == first && (first == second || octets.get(at + 1) == Some(&second))
        };
        (0..octets.len()).filter(is_here).collect()
    }

    #[test]
    fn no_rule_that_may_match_is_sieved_out() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let pairs: Vec<[u8; 2]> = (0..=random(32))
                .map(|_| [b'a' + random(4) as u8, b'a' + random(4) as u8])
                .collect();
            let octets: Vec<u8> = (0..random(70)).map(|_| b'a' + random(20) as u8).collect();
            let tables = tables(&pairs);
            // Some buckets are sought no more after the first places.
            let enough = random(6);
            let look = |places: &mut Vec<(usize, u8)>, at, buckets| {
                places.push((at, buckets));
                if places.len() > enough {
                    0b1010_0101
                } else {
                    !0
                }
            };
            let (mut found, mut plain) = (Vec::new(), Vec::new());
            candidates(&tables, &octets, |at, buckets| {
                look(&mut found, at, buckets)
            });
            portable(&tables, &octets, |at, buckets| {
                look(&mut plain, at, buckets)
            });
            assert_eq!(found, plain, "{pairs:?} {octets:?}");
            for (number, pair) in pairs.iter().enumerate() {
                let bit = 1 << (number / rules_per_bucket(pairs.len()));
                for at in places(&octets, *pair) {
                    let is_sought = found.len() <= enough || bit & 0b1010_0101 != 0;
                    assert!(
                        !is_sought || found.iter().any(|(a, b)| *a == at && b & bit != 0),
                        "{pair:?} at {at} in {octets:?}"
                    );
                }
            }
        }
    }
}
