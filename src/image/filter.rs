//! A sieve for short lists: which of their rules may match a path, found in one look over it.
//!
//! The rules of a list stand in up to eight buckets, the strongest in the first. Of each rule two octets
//! that stand side by side in whatever it matches are known. Four tables of 16 octets tell, for the
//! lower and the upper half of the first octet and of the second, the buckets that have such a rule:
//! where a bit is in all four, a rule of that bucket may match.
//!
//! The tables fit a shuffle of 16 octets. x86-64 has it in SSSE3, which not every build may assume: so it
//! is asked for at run time, and this is the one place outside the C API with `unsafe`. What that buys
//! stands in `benches/README.md`.
#![allow(unsafe_code, reason = "calls what the processor was found to have")]

use crate::scan;

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

/// The buckets, a bit each, of which a rule may match `octets`; the others' rules do not.
#[inline(always)]
pub(crate) fn buckets(tables: &[u8; LEN], octets: &[u8]) -> u8 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("ssse3") {
        // SAFETY: the processor has SSSE3, which is all that the function asks for.
        return unsafe { ssse3::buckets(tables, octets) };
    }
    portable(tables, octets)
}

/// The same, one octet at a time.
fn portable(tables: &[u8; LEN], octets: &[u8]) -> u8 {
    let entry = |table: u8, half: u8| tables.get(usize::from(table + half)).copied().unwrap_or(0);
    let seconds = octets.iter().skip(1).chain([&0]);
    octets
        .iter()
        .zip(seconds)
        .fold(0, |buckets, (first, second)| {
            let firsts = entry(0, first & 0xF) & entry(16, first >> 4);
            buckets | firsts & entry(32, second & 0xF) & entry(48, second >> 4)
        })
}

#[cfg(target_arch = "x86_64")]
mod ssse3 {
    use core::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cvtsi128_si64, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
        _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_epi16, _mm_srli_si128, _mm_unpackhi_epi64,
    };

    use super::{LEN, scan};

    #[target_feature(enable = "ssse3")]
    #[inline]
    fn lanes(octets: u128) -> __m128i {
        _mm_set_epi64x((octets >> 64) as i64, octets as i64)
    }

    #[target_feature(enable = "ssse3")]
    pub(super) fn buckets(tables: &[u8; LEN], octets: &[u8]) -> u8 {
        let (tables, _) = tables.as_chunks::<16>();
        let &[first_low, first_high, second_low, second_high] = tables else {
            return !0;
        };
        let table = |table: [u8; 16]| lanes(u128::from_le_bytes(table));
        let first = (table(first_low), table(first_high));
        let second = (table(second_low), table(second_high));
        let half = _mm_set1_epi8(0xF);
        let mut buckets = _mm_setzero_si128();
        let entries = |(low, high): (__m128i, __m128i), octets: __m128i| {
            let low = _mm_shuffle_epi8(low, _mm_and_si128(octets, half));
            let high = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16::<4>(octets), half));
            _mm_and_si128(low, high)
        };
        let look = |firsts: __m128i, seconds: __m128i| {
            _mm_and_si128(entries(first, firsts), entries(second, seconds))
        };
        let mut rest = octets;
        // Sixteen octets, and those behind each of them.
        while let Some((firsts, _)) = rest.split_first_chunk::<16>()
            && let Some(seconds) = rest.get(1..).and_then(|rest| rest.first_chunk::<16>())
        {
            let found = look(
                lanes(u128::from_le_bytes(*firsts)),
                lanes(u128::from_le_bytes(*seconds)),
            );
            buckets = _mm_or_si128(buckets, found);
            rest = rest.get(16..).unwrap_or_default();
        }
        // The last, some perhaps for the second time; a zero stands behind the very last.
        let last = match octets.last_chunk::<16>() {
            Some(last) => u128::from_le_bytes(*last),
            None => scan::few(octets),
        };
        let last = lanes(last);
        buckets = _mm_or_si128(buckets, look(last, _mm_srli_si128::<1>(last)));
        let both = _mm_or_si128(buckets, _mm_unpackhi_epi64(buckets, buckets));
        let mut bits = _mm_cvtsi128_si64(both) as u64;
        bits |= bits >> 32;
        bits |= bits >> 16;
        (bits | bits >> 8) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a pair stands in `octets`, plainly.
    fn holds(octets: &[u8], [first, second]: [u8; 2]) -> bool {
        if first == second {
            octets.contains(&first)
        } else {
            octets.windows(2).any(|w| w == [first, second])
        }
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
            let found = buckets(&tables, &octets);
            assert_eq!(found, portable(&tables, &octets), "{pairs:?} {octets:?}");
            for (number, pair) in pairs.iter().enumerate() {
                let bit = 1 << (number / rules_per_bucket(pairs.len()));
                assert!(
                    !holds(&octets, *pair) || found & bit != 0,
                    "{pair:?} in {octets:?}"
                );
            }
        }
    }
}
