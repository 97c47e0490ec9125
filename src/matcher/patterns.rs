//! The rules that are not literal (SPEC 8.3, 10.1): a short list is scanned, a long one has an index. A rule matches when the path
//! begins with its literal start, and its pieces stand after that one after the other. Taking each at its first occurrence is never wrong, so there is no
//! backtracking.
//!
//! # Damaged images
//!
//! An image that nobody validated may let buckets share a rule, or rules their bytes, so that few bytes cause endless work. In a
//! genuine image all of these are disjoint. So each decision has a budget of image bytes, their number, and pays for what it
//! visits: the list for the least its rules take, the index for its marks and numbers, a rule for its pieces. A genuine image
//! cannot exceed that.

use super::piece_search::PieceSearch;
use super::winner::{Decision, Winner};
use crate::image::pattern_list::{LONGEST_WITHOUT_INDEX, MAX_BITS};
use crate::image::{ANCHORED, List, ListRule, MARK_BITS, MAX_KEY, View, Width, hash};
use crate::rule::Priority;
use crate::util::simd;

/// Decides among `winner` and the rules of the list.
#[inline(never)]
pub(crate) fn improve<W: Width>(
    image: View<'_>,
    list: u32,
    path: &[u8],
    winner: Winner,
    first_match_wins: bool,
) -> Decision {
    let mut search = Search {
        image,
        path,
        pieces: PieceSearch::new(path),
        winner,
        first_match_wins,
        budget: image.bytes().len().min(W::MAX_IMAGE),
    };
    let tried = search.try_list::<W>(list);
    Decision {
        rule: tried.map(|()| search.winner.rule),
        steps: search.pieces.steps(),
    }
}

/// The bytes that a list takes at least, without its index and the texts of the rules: its head, and of each rule its offset, its
/// key, its pair, its length, its slot, its flags, the length of its literal start and its end. `None` for an empty list, which
/// a genuine image does not hold.
fn least_of_list<W: Width>(list: &List<'_>) -> Option<usize> {
    let of_key = if list.index == 0 { 10 } else { 0 };
    let of_rules = list.count.saturating_mul(3 * W::LEN + 3 + of_key);
    (list.count > 0).then(|| of_rules.saturating_add(3 * W::LEN))
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
    winner: Winner,
    /// SPEC 8.7.
    first_match_wins: bool,
    /// Bytes of the image that may still be visited.
    budget: usize,
}

impl Search<'_, '_> {
    /// Tries the rules of the list. `None` where the image is damaged.
    #[inline(always)]
    fn try_list<W: Width>(&mut self, at: u32) -> Option<()> {
        let list = self.image.list::<W>(at)?;
        self.pay(least_of_list::<W>(&list)?)?;
        self.pieces.add_steps(STEPS_PER_RULE);
        if !self.can_improve(&list) {
            Some(())
        } else if list.index == 0 {
            self.scan::<W>(&list)
        } else {
            self.look_up::<W>(&list)
        }
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
        Priority::new(list.longest, true, 0) > self.winner.priority
    }

    /// Tries the rules of a short list that could match, in order of priority, until one does or none has a higher priority
    /// than what was found already.
    #[inline(always)]
    fn scan<W: Width>(&mut self, list: &List<'_>) -> Option<()> {
        if list.count > LONGEST_WITHOUT_INDEX {
            return None;
        }
        let (lows, highs) = self.image.keys(list.keys, list.count)?;
        let word = simd::first_word(self.path.get(1..).unwrap_or_default());
        let mut possible = simd::keys_of(word, lows, highs) & simd::low_bits(list.count);
        self.pieces.add_steps(lows.len());
        if possible == 0 {
            return Some(());
        }
        let blocks = self.path.len() / simd::BLOCK + 1;
        self.pieces
            .add_steps(blocks * possible.count_ones() as usize);
        possible = simd::pairs_in(self.path, list.pairs, possible);
        while possible != 0 {
            let number = possible.trailing_zeros() as usize;
            possible &= possible - 1;
            let rule = self.image.rule::<W>(list, number)?;
            if self.attempt(rule)? != Attempt::Failed {
                break;
            }
        }
        Some(())
    }

    /// Tries the rules whose key stands in the path.
    #[inline(never)]
    fn look_up<W: Width>(&mut self, list: &List<'_>) -> Option<()> {
        if list.count <= LONGEST_WITHOUT_INDEX {
            return None;
        }
        let path_len = self.path.len();
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
            self.pieces.add_steps(STEPS_PER_KEY_LENGTH + path_len / 4);
            self.look_up_keys::<W>(list, len, buckets, &mut found)?;
            let numbers = buckets.numbers::<W>();
            let count = self.image.width::<W>(numbers - W::LEN)? as usize;
            index = numbers.checked_add(count.checked_mul(W::LEN)?)?;
        }
        Some(())
    }

    fn look_up_keys<W: Width>(
        &mut self,
        list: &List<'_>,
        len: usize,
        buckets: Buckets,
        found: &mut usize,
    ) -> Option<()> {
        let numbers = buckets.numbers::<W>();
        // A key that stands in the path often is looked up once.
        let mut seen = [0u64; (1 << MAX_BITS) / 64];
        let image = self.image;
        let path = self.path;
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
                if self.attempt(rule)? == Attempt::Won {
                    *found = number;
                }
            }
            Some(())
        };
        // Each byte pushes the one out that stands `len` before it.
        let newest = 8 * (len as u32 - 1);
        let Some((first, rest)) = path.split_at_checked(len - 1) else {
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
    fn attempt(&mut self, rule: ListRule<'_>) -> Option<Attempt> {
        self.pieces.add_steps(STEPS_PER_RULE);
        let winner = Winner::new(rule.slot, rule.length, self.first_match_wins);
        if winner.priority <= self.winner.priority {
            return Some(Attempt::Weaker);
        }
        if !self.matches(&rule)? {
            return Some(Attempt::Failed);
        }
        self.winner = winner;
        Some(Attempt::Won)
    }

    /// Whether the path begins with the literal start, and the pieces stand after it one after the other, the last of an anchored
    /// rule at the end.
    #[inline(always)]
    fn matches(&mut self, rule: &ListRule<'_>) -> Option<bool> {
        self.pay(rule.prefix.len())?;
        self.pieces.add_steps(rule.prefix.len() / simd::BLOCK);
        // Every path begins with the `/` of a literal start.
        if rule.prefix.len() > 1 && !self.path.starts_with(rule.prefix) {
            return Some(false);
        }
        let is_anchored = rule.flags & ANCHORED != 0;
        let mut at = rule.prefix.len();
        let mut pieces = rule.pieces.clone();
        if pieces.is_done() {
            return Some(!is_anchored || at == self.path.len());
        }
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
