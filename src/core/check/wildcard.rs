//! Matches the wildcard rules (SPEC 8.3, 10.1): scans a list of up to 64 rules, and looks up a longer list by its n-gram index.
//!
//! A scan compares the keys of all rules with the path. For each rule whose key matches, it searches the path for a pair of
//! bytes of the rule (a packed-pair prefilter). Rules are in order of priority, so the first match of a scan wins. An index
//! names the rules whose key is in the path, and few others. Example: the key of `/*/a12/*.php$` is `a12/`, so the rule is tried
//! for paths with these four bytes.
//!
//! The first run has no scratch memory for fingerprints. If its searches for pieces exceed the budget of
//! [`pieces`](super::pieces), a second run with scratch starts from the beginning.

use super::meter::Meter;
use super::pieces::{PieceSearch, scratch_len};
use crate::base::error::Error;
use crate::base::rule::{Priority, RuleRef, Winner};
use crate::bytes::simd;
use crate::bytes::try_alloc::with_zeros;
use crate::core::image::{
    Buckets, KEY_LENS, LONGEST_WITHOUT_INDEX, MAX_BITS, NUMBER, Pieces, View, WILDCARD_RULE_HEAD,
    WildcardList, WildcardRule, hash, marks_len,
};

/// The winner so far, and what is known about the priorities of the rules.
#[derive(Clone, Copy)]
pub(super) struct Contest {
    /// The winner so far; at first, the winner of the literal rules.
    pub(super) winner: Winner,
    /// Upper bound on the priority of each matching rule without an end anchor.
    pub(super) below: Priority,
    pub(super) first_match_wins: bool,
}

/// Returns the rule with the highest priority among the matching rules of the list and `contest.winner`, the best literal rule.
#[inline(always)]
pub(super) fn find(
    image: View<'_>,
    list: u32,
    path: &[u8],
    contest: Contest,
    meter: &mut Meter,
) -> Result<Winner, Error> {
    let winner = contest.winner;
    // The compiler writes no empty list, so an image with an empty list is damaged.
    let list = image.wildcards(list).filter(|list| list.count > 0);
    let list = list.ok_or(Error::Image)?;
    meter.count(STEPS_PER_RULE);
    let highest = Priority::new(RuleRef::new(0, true), list.longest, false);
    if highest <= winner.priority {
        return Ok(winner);
    }
    let mut possible = 0;
    if list.index == 0 {
        possible = possible_rules(image, &list, path, meter).ok_or(Error::Image)?;
        if possible == 0 {
            return Ok(winner);
        }
    }
    try_list(image, &list, possible, path, contest, meter)
}

/// Returns a bit for each rule that could match; `None` if the list is too long for 64 bits, or the image is damaged.
#[inline(always)]
fn possible_rules(
    image: View<'_>,
    list: &WildcardList<'_>,
    path: &[u8],
    meter: &mut Meter,
) -> Option<u64> {
    if list.count > LONGEST_WITHOUT_INDEX {
        return None;
    }
    let (lows, highs) = image.keys(list.keys, list.count)?;
    let word = simd::first_word(path.get(1..).unwrap_or_default());
    let possible = simd::keys_of(word, lows, highs) & simd::low_bits(list.count);
    meter.count(lows.len());
    if possible == 0 {
        return Some(0);
    }
    let blocks = path.len() / simd::BLOCK + 1;
    meter.count(blocks * possible.count_ones() as usize);
    Some(simd::pairs_in(path, list.pairs, possible))
}

/// Tries the rules of the list that could match. `possible`: a bit for each of these rules, if the list is short.
#[inline(never)]
fn try_list(
    image: View<'_>,
    list: &WildcardList<'_>,
    possible: u64,
    path: &[u8],
    contest: Contest,
    meter: &mut Meter,
) -> Result<Winner, Error> {
    let mut run = |scratch: &mut [u8]| {
        meter.restart(image);
        let mut search = Search {
            image,
            path,
            pieces: PieceSearch::new(path, scratch),
            contest,
            meter: &mut *meter,
        };
        let tried = match list.index {
            0 => search.scan(list, possible),
            _ => search.look_up(list),
        };
        search.meter.count(search.pieces.steps);
        let winner = tried.map(|()| search.contest.winner);
        (winner, search.pieces.lacks_scratch)
    };
    let found = match run(&mut []) {
        (_, true) => with_zeros(scratch_len(path.len()), |scratch| run(scratch).0)?,
        (found, false) => found,
    };
    found.ok_or(Error::Image)
}

/// A search for the winner in a list.
struct Search<'p, 'a, 'm> {
    image: View<'a>,
    path: &'p [u8],
    pieces: PieceSearch<'p>,
    contest: Contest,
    meter: &'m mut Meter,
}

impl Search<'_, '_, '_> {
    /// Tries the rules of a short list that have a bit in `possible`, in order of priority, until no later rule can win.
    /// Returns `None` if the image is damaged or scratch is missing.
    #[inline(always)]
    fn scan(&mut self, list: &WildcardList<'_>, mut possible: u64) -> Option<()> {
        while possible != 0 {
            let number = possible.trailing_zeros() as usize;
            possible &= possible - 1;
            let rule = self.image.rule(list, number)?;
            if self.attempt(rule)? {
                break;
            }
        }
        Some(())
    }

    /// Tries the rules whose key is in the path; `None` as in [`Search::scan`].
    #[inline(never)]
    fn look_up(&mut self, list: &WildcardList<'_>) -> Option<()> {
        if list.count <= LONGEST_WITHOUT_INDEX {
            return None;
        }
        let mut index = list.index;
        // The number of the first rule that cannot win: only rules before it are tried.
        let mut found = list.count;
        for len in KEY_LENS {
            let buckets = self.image.buckets(index)?;
            if buckets.bits == 0 {
                index += 1;
                continue;
            }
            self.meter.pay(marks_len(buckets.bits))?;
            self.pieces
                .count(STEPS_PER_KEY_LENGTH + self.path.len() / 4);
            self.look_up_keys(list, len, buckets, &mut found)?;
            let numbers = buckets.numbers();
            let count = self.image.u32(numbers - NUMBER)? as usize;
            index = numbers.checked_add(count.checked_mul(NUMBER)?)?;
        }
        Some(())
    }

    /// Tries the rules whose key has `len` bytes. `found`: the number of the first rule that cannot win.
    fn look_up_keys(
        &mut self,
        list: &WildcardList<'_>,
        len: usize,
        buckets: Buckets,
        found: &mut usize,
    ) -> Option<()> {
        let numbers = buckets.numbers();
        // One bit for each bucket. A bucket is looked up once, even if its keys occur in the path several times.
        let mut seen = [0u64; (1 << MAX_BITS) / 64];
        let image = self.image;
        let path = self.path;
        let mut look_up = |key: u32| -> Option<()> {
            let bucket = hash(key, buckets.bits);
            let start = buckets.starts() + bucket * NUMBER;
            let (first, end) = (
                image.u32(start)? as usize,
                image.u32(start + NUMBER)? as usize,
            );
            let seen = seen.get_mut(bucket / 64)?;
            let bit = 1 << (bucket % 64);
            if *seen & bit != 0 {
                return Some(());
            }
            *seen |= bit;
            for entry in first..end {
                let at = numbers.checked_add(entry.checked_mul(NUMBER)?)?;
                let number = image.u32(at)? as usize;
                self.meter.pay(NUMBER)?;
                if number >= *found {
                    break;
                }
                let rule = image.rule(list, number)?;
                if self.attempt(rule)? {
                    *found = number;
                }
            }
            Some(())
        };
        // Each new byte shifts the oldest byte out of the key.
        let newest = 8 * (len as u32 - 1);
        let Some((first, rest)) = path.split_at_checked(len - 1) else {
            return Some(());
        };
        let push = |key: u32, byte: &u8| key >> 8 | u32::from(*byte) << newest;
        let mut key = first.iter().fold(0, push);
        // Few n-grams of a path are keys. The n-grams that may be keys are collected without a branch.
        for bytes in rest.chunks(COLLECTED) {
            let mut keys = [0; COLLECTED];
            let mut count = 0;
            for byte in bytes {
                key = push(key, byte);
                *keys.get_mut(count)? = key;
                count += usize::from(image.is_marked(buckets, key)?);
            }
            keys.iter().take(count).try_for_each(|key| look_up(*key))?;
        }
        Some(())
    }

    /// Tries a rule, which becomes the winner if it matches. Returns whether the winner beats all rules after this rule.
    #[inline(never)]
    fn attempt(&mut self, mut rule: WildcardRule<'_>) -> Option<bool> {
        self.pieces.count(STEPS_PER_RULE);
        let priority = Priority::new(rule.rule, rule.length, self.contest.first_match_wins);
        let head = WILDCARD_RULE_HEAD + NUMBER + 1 + rule.prefix.len();
        self.meter.pay(head)?;
        if priority <= self.contest.winner.priority {
            return Some(true);
        }
        if !rule.is_anchored && priority > self.contest.below {
            return Some(false);
        }
        // Comparing the last piece with the end of the path is cheaper than searching for the pieces before it.
        let is_paid = rule.is_anchored && self.pieces.is_over_budget();
        if is_paid && !self.ends_with(rule.pieces.clone())? {
            return Some(false);
        }
        let left = rule.pieces.len();
        let is_match = self
            .pieces
            .matches(rule.prefix, &mut rule.pieces, rule.is_anchored);
        if rule.pieces.is_damaged || self.pieces.lacks_scratch {
            return None;
        }
        if !is_paid {
            self.meter.pay(left - rule.pieces.len())?;
        }
        if is_match {
            self.contest.winner.offer(rule.rule, priority);
        }
        Some(is_match)
    }

    /// Reads and pays for all pieces, and returns whether the path ends with the last piece. Returns `None` if the budget of
    /// image bytes is spent.
    #[cold]
    fn ends_with(&mut self, mut pieces: Pieces<'_>) -> Option<bool> {
        let left = pieces.len();
        let last = pieces.by_ref().last();
        let read = left - pieces.len();
        self.pieces.count(read / simd::BLOCK);
        self.meter.pay(read)?;
        Some(last.is_none_or(|last| self.path.ends_with(last.bytes)))
    }
}

/// The number of steps for a rule that is tried, without its pieces.
const STEPS_PER_RULE: usize = 2;

/// The number of steps to zero the bits of the buckets: 1 KiB, at 64 bytes per step.
const STEPS_PER_KEY_LENGTH: usize = 16;

/// The number of n-grams whose marks are tested before the marked n-grams are looked up. With 16 a check takes up to 1.08 times
/// as long as with 32, with 8 up to 1.27 times, and with 64 as long.
const COLLECTED: usize = 32;
