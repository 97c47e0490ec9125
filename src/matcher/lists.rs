//! The rules with wildcards (SPEC 8.3, 10.1): lists that are looked through, and long ones that are
//! looked up. A rule matches when its pieces stand in the path one after the other, and taking
//! each as early as it stands is never wrong: so there is no going back.

use super::{Text, Winner};
use crate::group::Slot;
use crate::image::list::MAX_BITS;
use crate::image::{ANCHORED, List, MAX_KEY, Rule, View, Width, bucket, filter};
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

    /// Tries the rules of a short list that could be stronger than what was found already.
    #[inline(always)]
    fn look_through<W: Width>(&mut self, list: &List<'_>, start: T::Cursor) -> Option<()> {
        let path = self.path;
        match (list.filter, path.octets(start)) {
            (Some(tables), Some(octets)) => self.sieve::<W>(list, tables, octets, start),
            _ => self.try_in_order::<W>(list, start),
        }
    }

    /// Tries the rules that the filter lets through. A rule of one piece is only compared where it does
    /// so; others, and one that was compared in vain too often, are tried on the whole path at the end,
    /// from the strongest on, as most of them need not be tried then.
    #[inline(always)]
    fn sieve<W: Width>(
        &mut self,
        list: &List<'_>,
        tables: &[u8; filter::LEN],
        octets: &[u8],
        start: T::Cursor,
    ) -> Option<()> {
        let per_bucket = filter::rules_per_bucket(list.count);
        let mut state = Sieve {
            sought: !0,
            later: 0,
            misses: 0,
        };
        let mut is_sound = true;
        filter::candidates(tables, octets, |at, mut buckets| {
            while buckets != 0 {
                let bucket = buckets.trailing_zeros();
                buckets &= buckets - 1;
                let first = bucket as usize * per_bucket;
                for number in first..(first + per_bucket).min(list.count) {
                    let place = Place { octets, at };
                    match self.try_at::<W>(list, number, place, &mut state) {
                        Some(Attempt::Failed) => continue,
                        // What stands further down the list is weaker; what stands before it in the
                        // bucket is not.
                        Some(Attempt::Weaker | Attempt::Won) => {
                            let buckets = bucket + u32::from(number > first);
                            state.sought &= ((1u16 << buckets) - 1) as u8;
                        }
                        None => (state.sought, is_sound) = (0, false),
                    }
                    break;
                }
                buckets &= state.sought;
            }
            state.sought
        });
        if !is_sound {
            return None;
        }
        while state.later != 0 {
            let number = state.later.trailing_zeros() as usize;
            state.later &= state.later - 1;
            let rule = self.image.rule::<W>(list, number)?;
            if self.attempt(rule, start)? != Attempt::Failed {
                break;
            }
        }
        Some(())
    }

    /// Tries a rule that may match at `place`.
    #[inline(always)]
    fn try_at<W: Width>(
        &mut self,
        list: &List<'_>,
        number: usize,
        place: Place<'_>,
        state: &mut Sieve,
    ) -> Option<Attempt> {
        let bit = 1u32.checked_shl(number as u32)?;
        if state.later & bit != 0 {
            return Some(Attempt::Failed);
        }
        let rule = self.image.rule::<W>(list, number)?;
        let strength = Strength::new(rule.length, rule.slot.allow(), rule.slot.line());
        if strength <= self.strength {
            return Some(Attempt::Weaker);
        }
        let mut pieces = rule.pieces.clone();
        let piece = pieces.next()??;
        if !pieces.is_done() || state.misses >= MOST_MISSES {
            state.later |= bit;
            return Some(Attempt::Failed);
        }
        let matched = place.at.checked_sub(piece.rarest).is_some_and(|at| {
            let behind = at + piece.octets.len();
            place.octets.get(at..behind) == Some(piece.octets)
                && (rule.flags & ANCHORED == 0 || behind == place.octets.len())
        });
        if !matched {
            state.misses += 1;
            return Some(Attempt::Failed);
        }
        self.slot = rule.slot;
        self.strength = strength;
        Some(Attempt::Won)
    }

    /// Tries the rules from the strongest on, until one matches or none is stronger than what was
    /// found already.
    #[inline]
    fn try_in_order<W: Width>(&mut self, list: &List<'_>, start: T::Cursor) -> Option<()> {
        for number in 0..list.count {
            let rule = self.image.rule::<W>(list, number)?;
            if self.attempt(rule, start)? != Attempt::Failed {
                break;
            }
        }
        Some(())
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
        let path = self.path;
        let image = self.image;
        let mut look_up = |key: u32| -> Option<()> {
            let (first, end) = buckets.range::<W>(self.image, key)?;
            let bucket = bucket(key, buckets.bits);
            let seen = seen.get_mut(bucket / 64)?;
            let bit = 1 << (bucket % 64);
            if *seen & bit != 0 {
                return Some(());
            }
            *seen |= bit;
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
                    count += usize::from(buckets.holds::<W>(image, key)?);
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

/// How often rules may be compared in vain at a place before they are tried on the whole path, which
/// takes linear time whatever the path repeats.
const MOST_MISSES: usize = 32;

/// What goes on while a list is sieved.
struct Sieve {
    /// The buckets of which a rule could be stronger than the winner so far.
    sought: u8,
    /// A bit for each rule that is still to be tried on the whole path.
    later: u32,
    misses: usize,
}

/// Where a rule may match.
#[derive(Clone, Copy)]
struct Place<'p> {
    /// The path behind the literal start of the list.
    octets: &'p [u8],
    /// Where a pair of octets of the rule stands in them.
    at: usize,
}

/// How many keys of a path are sought in an index before any is looked up.
const COLLECTED: usize = 32;

/// Where the buckets of an index start.
#[derive(Clone, Copy)]
struct Buckets {
    starts: usize,
    bits: u32,
}

impl Buckets {
    /// The numbers of the rules in the bucket of `key`: from, up to.
    #[inline(always)]
    fn range<W: Width>(self, image: View<'_>, key: u32) -> Option<(usize, usize)> {
        let place = self.starts + bucket(key, self.bits) * W::LEN;
        let first = image.width::<W>(place)? as usize;
        Some((first, image.width::<W>(place + W::LEN)? as usize))
    }

    /// Whether a rule has that key, or another of its bucket.
    #[inline(always)]
    fn holds<W: Width>(self, image: View<'_>, key: u32) -> Option<bool> {
        let (first, end) = self.range::<W>(image, key)?;
        Some(first < end)
    }
}
