//! The rules with wildcards (SPEC 8.3, 10.1): lists that are looked through, and long ones that are
//! looked up. A rule matches when its pieces stand in the path one after the other, and taking
//! each as early as it stands is never wrong: so there is no going back.

use super::{PathText, Winner};
use crate::image::wildcard_list::{LONGEST_WITHOUT_INDEX, MAX_BITS};
use crate::image::{ANCHORED, List, MARK_BITS, MAX_KEY, Rule, View, Width, hash};
use crate::rule::Priority;
use crate::rule::RuleRef;
use crate::util::simd;

/// The winner among `winner` and the rules of the lists from `list` up the tree.
/// `None` where the image is damaged.
#[inline(never)]
pub(crate) fn improve<W: Width, T: PathText>(
    image: View<'_>,
    list: u32,
    path: &T,
    winner: Winner,
) -> Option<RuleRef> {
    let mut search = Search {
        image,
        path,
        slot: winner.slot,
        strength: Priority::NONE,
    };
    if winner.slot != RuleRef::NONE {
        search.strength = Priority::new(winner.length, winner.slot.allow(), winner.slot.line());
    }
    let mut next = list;
    while next != 0 {
        let list = image.list::<W>(next)?;
        // Lists stand behind those up the tree: those of a damaged image end, too.
        if list.next >= next {
            return None;
        }
        next = list.next;
        if !search.can_improve(&list) {
            continue;
        }
        let start = path.skip(path.start(), list.depth);
        if list.index == 0 {
            search.look_through::<W>(&list, start)?
        } else {
            search.look_up::<W>(&list, start)?
        }
    }
    Some(search.slot)
}

/// How it went with a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    Won,
    Failed,
    /// It is not stronger than the winner so far.
    Weaker,
}

struct Search<'s, 'a, T> {
    image: View<'a>,
    path: &'s T,
    /// Of the winner so far.
    slot: RuleRef,
    strength: Priority,
}

impl<T: PathText> Search<'_, '_, T> {
    /// Whether a rule of `list` could be stronger than the winner so far.
    #[inline]
    fn can_improve(&self, list: &List<'_>) -> bool {
        Priority::new(list.longest, true, 0) > self.strength
    }

    /// Tries the rules of a short list that could match, from the strongest on, until one does or none is
    /// stronger than what was found already.
    #[inline(always)]
    fn look_through<W: Width>(&mut self, list: &List<'_>, start: T::Cursor) -> Option<()> {
        let mut possible = match self.path.octets(start) {
            Some(octets) => simd::pairs_in(octets, list.pairs),
            None => ((1_u64 << list.pairs.len().min(LONGEST_WITHOUT_INDEX)) - 1) as u32,
        };
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

    /// Tries the rules whose key stands in the path.
    #[inline(never)]
    fn look_up<W: Width>(&mut self, list: &List<'_>, start: T::Cursor) -> Option<()> {
        let mut index = list.index;
        // The number of the strongest rule that matched: only stronger ones are tried from then on.
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
        start: T::Cursor,
        len: usize,
        buckets: Buckets,
        found: &mut usize,
    ) -> Option<()> {
        let numbers = buckets.numbers::<W>();
        // A key that stands in the path often is looked up once.
        let mut seen = [0u64; (1 << MAX_BITS) / 64];
        let path = self.path;
        let image = self.image;
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
        // Each octet pushes the one out that stands `len` before it.
        let newest = 8 * (len as u32 - 1);
        if let Some(octets) = path.octets(start) {
            let Some((first, rest)) = octets.split_at_checked(len - 1) else {
                return Some(());
            };
            let push = |key: u32, octet: &u8| key >> 8 | u32::from(*octet) << newest;
            let mut key = first.iter().fold(0, push);
            // Hardly a key is in the index; those that are get collected, without a branch.
            for octets in rest.chunks(COLLECTED) {
                let mut keys = [0; COLLECTED];
                let mut count = 0;
                for octet in octets {
                    key = push(key, octet);
                    *keys.get_mut(count)? = key;
                    count += usize::from(buckets.may_hold(image, key)?);
                }
                keys.iter().take(count).try_for_each(|key| look_up(*key))?;
            }
            return Some(());
        }
        let mut at = start;
        loop {
            let (key, available) = path.key(at);
            if available < len {
                return Some(());
            }
            look_up(key & u32::MAX >> (24 - newest))?;
            at = path.skip(at, 1);
        }
    }

    /// Tries a rule, which becomes the winner if it matches.
    #[inline(never)]
    fn attempt(&mut self, rule: Rule<'_>, start: T::Cursor) -> Option<Attempt> {
        let strength = Priority::new(rule.length, rule.slot.allow(), rule.slot.line());
        if strength <= self.strength {
            return Some(Attempt::Weaker);
        }
        let mut pieces = rule.pieces;
        let mut at = start;
        while let Some(piece) = pieces.next()? {
            if rule.flags & ANCHORED != 0 && pieces.is_done() {
                if !self.path.ends_with(at, piece.octets) {
                    return Some(Attempt::Failed);
                }
                break;
            }
            match self.path.find(at, piece.octets, piece.rarest) {
                Some(behind) => at = behind,
                None => return Some(Attempt::Failed),
            }
        }
        self.slot = rule.slot;
        self.strength = strength;
        Some(Attempt::Won)
    }
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
        let octet = image.bytes().get(self.marks + mark / 8)?;
        Some(octet >> (mark % 8) & 1 != 0)
    }
}
