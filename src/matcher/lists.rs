//! The rules with wildcards (SPEC 8.3, 10.1): lists that are looked through, and long ones that are
//! looked up. A rule matches when its pieces stand in the path one after the other, and taking
//! each as early as it stands is never wrong: so there is no going back.

use super::{Text, Winner};
use crate::image::list::MAX_BITS;
use crate::image::{ANCHORED, List, MAX_KEY, Rule, Slot, View, Width, bucket, filter};
use crate::pattern::Strength;

/// The winner among `winner` and the rules of the lists from `list` up the tree.
/// `None` where the image is damaged.
#[inline(never)]
pub(crate) fn improve<W: Width, T: Text>(
    image: View<'_>,
    list: u32,
    path: &T,
    winner: Winner,
) -> Option<Slot> {
    let mut search = Search {
        image,
        path,
        slot: winner.slot,
        strength: Strength::NONE,
    };
    if winner.slot != Slot::NONE {
        search.strength = Strength::new(winner.length, winner.slot.allow(), winner.slot.line());
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
    slot: Slot,
    strength: Strength,
}

impl<T: Text> Search<'_, '_, T> {
    /// Whether a rule of `list` could be stronger than the winner so far.
    #[inline]
    fn can_improve(&self, list: &List<'_>) -> bool {
        Strength::new(list.longest, true, 0) > self.strength
    }

    /// Tries the rules of a short list, the strongest first, until one matches or none is stronger
    /// than what was found already.
    #[inline(always)]
    fn look_through<W: Width>(&mut self, list: &List<'_>, start: T::Cursor) -> Option<()> {
        let Some(tables) = list.filter else {
            self.try_in_order::<W>(list, 0..list.count, start)?;
            return Some(());
        };
        let mut buckets = self.path.buckets(start, tables);
        let per_bucket = filter::rules_per_bucket(list.count);
        while buckets != 0 {
            let first = buckets.trailing_zeros() as usize * per_bucket;
            let rules = first..(first + per_bucket).min(list.count);
            if self.try_in_order::<W>(list, rules, start)? {
                break;
            }
            buckets &= buckets - 1;
        }
        Some(())
    }

    /// Tries rules from the strongest on; true when there is no use in trying weaker ones.
    #[inline]
    fn try_in_order<W: Width>(
        &mut self,
        list: &List<'_>,
        rules: core::ops::Range<usize>,
        start: T::Cursor,
    ) -> Option<bool> {
        for number in rules {
            let rule = self.image.rule::<W>(list, number)?;
            if self.attempt(rule, start)? != Attempt::Failed {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tries the rules whose key stands in the path.
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
            let buckets = Buckets {
                starts: index,
                bits,
            };
            let numbers = index + ((1 << bits) + 1) * W::LEN;
            self.look_up_keys::<W>(list, start, len, buckets, &mut found)?;
            let count = self.image.width::<W>(numbers - W::LEN)? as usize;
            index = numbers + count * W::LEN;
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
        let numbers = buckets.starts + ((1 << buckets.bits) + 1) * W::LEN;
        // A key that stands in the path often is looked up once.
        let mut seen = [0u64; (1 << MAX_BITS) / 64];
        let mask = if len == MAX_KEY {
            u32::MAX
        } else {
            (1 << (8 * len)) - 1
        };
        let mut at = start;
        loop {
            let (key, available) = self.path.key(at);
            if available < len {
                return Some(());
            }
            let bucket = bucket(key & mask, buckets.bits);
            let seen = seen.get_mut(bucket / 64)?;
            let bit = 1 << (bucket % 64);
            if *seen & bit == 0 {
                *seen |= bit;
                let first = self.image.width::<W>(buckets.starts + bucket * W::LEN)? as usize;
                let end = self
                    .image
                    .width::<W>(buckets.starts + (bucket + 1) * W::LEN)?
                    as usize;
                for entry in first..end {
                    let number = self.image.width::<W>(numbers + entry * W::LEN)? as usize;
                    if number >= *found {
                        break;
                    }
                    let rule = self.image.rule::<W>(list, number)?;
                    if self.attempt(rule, start)? == Attempt::Won {
                        *found = number;
                    }
                }
            }
            at = self.path.skip(at, 1);
        }
    }

    /// Tries a rule, which becomes the winner if it matches.
    #[inline]
    fn attempt(&mut self, rule: Rule<'_>, start: T::Cursor) -> Option<Attempt> {
        let strength = Strength::new(rule.length, rule.slot.allow(), rule.slot.line());
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

/// Where the buckets of an index start.
#[derive(Clone, Copy)]
struct Buckets {
    starts: usize,
    bits: u32,
}
