//! The wildcard rules (SPEC 8.3, 10.1): short lists are scanned, long ones have an index. A rule matches when its pieces
//! stand in the path one after the other. Taking each at its first occurrence is never wrong, so there is no
//! backtracking.
//!
//! # Damaged images
//!
//! An image that nobody validated may let lists share an index, or buckets share a rule, so that few bytes cause endless
//! work. In a genuine image all of these are disjoint. So each decision has a budget of image bytes, their number, and
//! pays for what it visits: a list for the least its node, its head and its rules take, an index for its marks and
//! numbers, a rule for its pieces. A genuine image cannot exceed that. The budget bounds how many lists and rules are
//! visited by what an image of that length could really hold.

use super::piece_search::PieceSearch;
use super::winner::{Decision, Winner};
use crate::image::wildcard_list::{LONGEST_WITHOUT_INDEX, MAX_BITS};
use crate::image::{ANCHORED, List, MARK_BITS, MAX_KEY, Pieces, View, Width, WildcardRule, hash};
use crate::rule::{Priority, RuleRef};
use crate::util::simd;

/// Decides among `winner` and the rules of the lists from `list` up the tree.
#[inline(never)]
pub(crate) fn improve<W: Width>(
    image: View<'_>,
    list: u32,
    path: &[u8],
    winner: Winner,
) -> Decision {
    let mut search = Search {
        image,
        path,
        pieces: PieceSearch::new(path),
        rule: winner.rule,
        priority: Priority::NONE,
        budget: image.bytes().len().min(W::MAX_IMAGE),
    };
    if winner.rule != RuleRef::NONE {
        search.priority = Priority::new(winner.length, winner.rule.allow(), winner.rule.line());
    }
    let tried = search.try_lists::<W>(list);
    Decision {
        rule: tried.map(|()| search.rule),
        steps: search.pieces.steps(),
    }
}

/// The bytes that a list and its node take at least, without indexes and the pieces of the rules: the node's first byte
/// and fields, the list's head, and of each rule its offset, its pair, its length, its slot, its flags and its end.
/// `None` for an empty list, which a genuine image does not hold.
fn least_of_list<W: Width>(list: &List<'_>) -> Option<usize> {
    let of_pair = if list.index == 0 { 2 } else { 0 };
    let of_rule = 3 * W::LEN + 2 + of_pair;
    let of_rules = list.count.saturating_mul(of_rule);
    (list.count > 0).then(|| of_rules.saturating_add(9 * W::LEN + 1))
}

/// How it went with a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    Won,
    Failed,
    /// Its priority is not higher than the winner's so far.
    Weaker,
}

struct Search<'p, 'a> {
    image: View<'a>,
    path: &'p [u8],
    pieces: PieceSearch<'p>,
    /// The winner so far.
    rule: RuleRef,
    priority: Priority,
    /// Bytes of the image that may still be visited.
    budget: usize,
}

impl Search<'_, '_> {
    /// Tries the lists from the one at `next` up the tree. `None` where the image is damaged.
    #[inline(always)]
    fn try_lists<W: Width>(&mut self, mut next: u32) -> Option<()> {
        while next != 0 {
            let list = self.image.list::<W>(next)?;
            // Lists stand after those up the tree: those of a damaged image end, too.
            if list.next >= next {
                return None;
            }
            next = list.next;
            self.pay(least_of_list::<W>(&list)?)?;
            self.pieces.add_steps(STEPS_PER_RULE);
            if !self.can_improve(&list) {
                continue;
            }
            let start = list.depth.min(self.path.len());
            if list.index == 0 {
                self.scan::<W>(&list, start)?
            } else {
                self.look_up::<W>(&list, start)?
            }
        }
        Some(())
    }

    /// Pays for bytes of the image. `None` where a genuine image has no more.
    #[inline(always)]
    fn pay(&mut self, bytes: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(bytes)?;
        Some(())
    }

    /// Whether a rule of `list` could have a higher priority than the winner so far.
    #[inline]
    fn can_improve(&self, list: &List<'_>) -> bool {
        Priority::new(list.longest, true, 0) > self.priority
    }

    /// Tries the rules of a short list that could match, in order of priority, until one does or none has a higher priority
    /// than what was found already.
    #[inline(always)]
    fn scan<W: Width>(&mut self, list: &List<'_>, start: usize) -> Option<()> {
        // Once paths are prepared, trying a rule costs no more than looking for its pair.
        if self.pieces.is_over_budget() {
            return self.try_all::<W>(list, start);
        }
        let rest = self.path.get(start..)?;
        let mut possible = simd::pairs_in(rest, list.pairs);
        self.pieces
            .add_steps((rest.len() / simd::BLOCK + 1) * list.pairs.len());
        while possible != 0 {
            let number = possible.trailing_zeros() as usize;
            possible &= possible - 1;
            let rule = self.image.rule::<W>(list, number)?;
            if self.attempt(rule, start)? != Attempt::Failed {
                break;
            }
        }
        Some(())
    }

    /// Tries all rules of a list, in order of priority.
    #[inline(never)]
    fn try_all<W: Width>(&mut self, list: &List<'_>, start: usize) -> Option<()> {
        for number in 0..list.count {
            let rule = self.image.rule::<W>(list, number)?;
            if self.attempt(rule, start)? != Attempt::Failed {
                break;
            }
        }
        Some(())
    }

    /// Tries the rules whose key stands in the path.
    #[inline(never)]
    fn look_up<W: Width>(&mut self, list: &List<'_>, start: usize) -> Option<()> {
        if list.count <= LONGEST_WITHOUT_INDEX {
            return None;
        }
        let rest = self.path.get(start..)?;
        if self.pieces.is_over_budget() && is_faster_tried(list.count, rest.len()) {
            return self.try_all::<W>(list, start);
        }
        let mut index = list.index;
        // The number of the best rule that matched: only better ones are tried from then on.
        let mut found = list.count;
        for len in 1..=MAX_KEY {
            let bits = u32::from(*self.image.bytes().get(index)?);
            index += 1;
            if bits == 0 {
                continue;
            }
            if bits > MAX_BITS {
                return None;
            }
            let buckets = Buckets { marks: index, bits };
            self.pay(1 << (bits + MARK_BITS - 3))?;
            self.pieces.add_steps(STEPS_PER_KEY_LENGTH + rest.len() / 4);
            self.look_up_keys::<W>(list, start, len, buckets, &mut found)?;
            let numbers = buckets.numbers::<W>();
            let count = self.image.width::<W>(numbers - W::LEN)? as usize;
            index = numbers.checked_add(count.checked_mul(W::LEN)?)?;
        }
        Some(())
    }

    fn look_up_keys<W: Width>(
        &mut self,
        list: &List<'_>,
        start: usize,
        len: usize,
        buckets: Buckets,
        found: &mut usize,
    ) -> Option<()> {
        let numbers = buckets.numbers::<W>();
        // A key that stands in the path often is looked up once.
        let mut seen = [0u64; (1 << MAX_BITS) / 64];
        let image = self.image;
        let rest = self.path.get(start..)?;
        let mut look_up = |key: u32| -> Option<()> {
            let bucket = hash(key, buckets.bits);
            let (first, end) = buckets.range::<W>(self.image, bucket)?;
            let seen = seen.get_mut(bucket / 64)?;
            let bit = 1 << (bucket % 64);
            if *seen & bit != 0 {
                return Some(());
            }
            *seen |= bit;
            for entry in first..end {
                let at = numbers.checked_add(entry.checked_mul(W::LEN)?)?;
                let number = self.image.width::<W>(at)? as usize;
                self.pay(W::LEN)?;
                if number >= *found {
                    break;
                }
                let rule = self.image.rule::<W>(list, number)?;
                if self.attempt(rule, start)? == Attempt::Won {
                    *found = number;
                }
            }
            Some(())
        };
        // Each byte pushes the one out that stands `len` before it.
        let newest = 8 * (len as u32 - 1);
        let Some((first, rest)) = rest.split_at_checked(len - 1) else {
            return Some(());
        };
        let push = |key: u32, byte: &u8| key >> 8 | u32::from(*byte) << newest;
        let mut key = first.iter().fold(0, push);
        // Hardly a key is in the index; those that are get collected, without a branch.
        for bytes in rest.chunks(COLLECTED) {
            let mut keys = [0; COLLECTED];
            let mut count = 0;
            for byte in bytes {
                key = push(key, byte);
                *keys.get_mut(count)? = key;
                count += usize::from(buckets.may_hold(image, key)?);
            }
            keys.iter().take(count).try_for_each(|key| look_up(*key))?;
        }
        Some(())
    }

    /// Tries a rule, which becomes the winner if it matches.
    #[inline(never)]
    fn attempt(&mut self, rule: WildcardRule<'_>, start: usize) -> Option<Attempt> {
        self.pieces.add_steps(STEPS_PER_RULE);
        let priority = Priority::new(rule.length, rule.slot.allow(), rule.slot.line());
        if priority <= self.priority {
            return Some(Attempt::Weaker);
        }
        if !self.matches(rule.pieces, rule.flags & ANCHORED != 0, start)? {
            return Some(Attempt::Failed);
        }
        self.rule = rule.slot;
        self.priority = priority;
        Some(Attempt::Won)
    }

    /// Whether the pieces stand in the path one after the other, the last of an anchored rule at its end.
    #[inline(always)]
    fn matches(&mut self, mut pieces: Pieces<'_>, is_anchored: bool, start: usize) -> Option<bool> {
        let mut at = start;
        while let Some(piece) = pieces.next()? {
            self.pay(piece.bytes.len() + 2)?;
            if is_anchored && pieces.is_done() {
                return Some(self.pieces.ends_with(at, piece.bytes));
            }
            match self.pieces.find(at, piece.bytes, piece.rarest) {
                Some(after) => at = after,
                None => return Some(false),
            }
        }
        Some(true)
    }
}

/// Steps for a rule that is tried, whatever its pieces.
const STEPS_PER_RULE: usize = 2;

/// Steps for the buckets that a look-up of keys of one length marks as seen.
const STEPS_PER_KEY_LENGTH: usize = 16;

/// Whether trying all rules of a long list takes fewer steps than looking up all keys of a path of `len` bytes.
fn is_faster_tried(count: usize, len: usize) -> bool {
    let per_rule = STEPS_PER_RULE + 2 + len / simd::BLOCK;
    count.saturating_mul(per_rule) < MAX_KEY * (STEPS_PER_KEY_LENGTH + len / 4)
}

/// How many keys of a path are sought in an index before any is looked up.
const COLLECTED: usize = 32;

/// The part of an index for keys of one length.
#[derive(Clone, Copy)]
struct Buckets {
    /// Where the marks start.
    marks: usize,
    bits: u32,
}

impl Buckets {
    /// Where the starts of the buckets stand.
    #[inline(always)]
    fn starts(self) -> usize {
        self.marks + (1 << (self.bits + MARK_BITS - 3))
    }

    /// Where the numbers of the rules start.
    #[inline(always)]
    fn numbers<W: Width>(self) -> usize {
        self.starts() + ((1 << self.bits) + 1) * W::LEN
    }

    /// The numbers of the rules in a bucket: from, up to.
    #[inline(always)]
    fn range<W: Width>(self, image: View<'_>, bucket: usize) -> Option<(usize, usize)> {
        let place = self.starts() + bucket * W::LEN;
        let first = image.width::<W>(place)? as usize;
        Some((first, image.width::<W>(place + W::LEN)? as usize))
    }

    /// Whether a rule may have that key.
    #[inline(always)]
    fn may_hold(self, image: View<'_>, key: u32) -> Option<bool> {
        let mark = hash(key, self.bits + MARK_BITS);
        let byte = image.bytes().get(self.marks + mark / 8)?;
        Some(byte >> (mark % 8) & 1 != 0)
    }
}
