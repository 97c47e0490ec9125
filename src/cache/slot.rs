//! The slot of a site: when its next request may be sent, for any number of threads (SPEC 3.9).
//!
//! A slot is one word, changed by compare-and-swap: the time in its upper 48 bits, in milliseconds since 1970, and in its
//! lower 16 bits how long that was after the clock of the thread that set it, rounded up to [`WAIT_UNIT`]. The second shows
//! that the clock was set back: then the site waits as long as before, by the new clock.
//!
//! The word moves to the new entry when the outcome of a site is replaced. [`Slot::seal`] ends its use in the old one, so
//! that no reservation is lost: a thread that finds it sealed looks the entry up again.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::limits::{CLOCK_SKEW, MAX_TIME_MS};
use crate::rules::Rules;

/// No reservation, no rest.
const UNUSED: u64 = 0;
/// The entry was replaced or removed. No time is as late.
const SEALED: u64 = u64::MAX;

const WAIT_BITS: u32 = 16;
/// Milliseconds. The longest wait is three days.
const WAIT_UNIT: u64 = 4_000;
const MAX_WAIT: u64 = ((1 << WAIT_BITS) - 1) * WAIT_UNIT;
/// The highest time: every request and every wait ends before it.
const MAX_AT: u64 = (1 << (64 - WAIT_BITS)) - 2;

/// Default of the longest crawl-delay that is obeyed, in milliseconds.
pub const DEFAULT_MAX_DELAY_MS: u64 = 60_000;
/// Default of how far ahead a slot is reserved, in milliseconds.
pub const DEFAULT_HORIZON_MS: u64 = 60_000;

/// The options of pacing, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) default_delay: u64,
    pub(crate) max_delay: u64,
    pub(crate) horizon: u64,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            default_delay: 0,
            max_delay: DEFAULT_MAX_DELAY_MS,
            horizon: DEFAULT_HORIZON_MS,
        }
    }
}

impl Pace {
    /// The delay that is obeyed, and whether the file states a longer one.
    pub(super) fn delay(self, rules: &Rules) -> (u64, bool) {
        let Some(seconds) = rules.crawl_delay() else {
            return (self.default_delay, false);
        };
        // The conversion saturates.
        let stated = (seconds * 1_000.0).ceil() as u64;
        let most = self.max_delay.max(self.default_delay);
        (stated.min(most), stated > most)
    }
}

/// When the next request may be sent.
pub(super) struct Slot(AtomicU64);

/// The value of a [`Slot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reserved(u64);

/// What a thread asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Milliseconds since 1970, as the other times here.
    pub(super) now: u64,
    /// The slot is not earlier.
    pub(super) earliest: u64,
    /// From this request to the next.
    pub(super) delay: u64,
    /// How long after `now` a slot is still reserved.
    pub(super) horizon: u64,
}

/// The answer to a [`Demand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It is reserved: send the request at this time.
    At(u64),
    /// It is later than the horizon, and not reserved.
    TooLate(u64),
}

impl Reserved {
    pub(super) const UNUSED: Reserved = Reserved(UNUSED);

    /// The value after a change by a thread whose clock shows `now`.
    fn new(at: u64, now: u64) -> Reserved {
        let at = at.min(MAX_AT);
        let wait = at.saturating_sub(now).div_ceil(WAIT_UNIT);
        Reserved(at << WAIT_BITS | wait.min(MAX_WAIT / WAIT_UNIT))
    }

    /// The value with these bits, from a record; `None` for one that no cache writes.
    pub(super) fn from_bits(bits: u64) -> Option<Reserved> {
        (bits >> WAIT_BITS <= MAX_AT).then_some(Reserved(bits))
    }

    pub(super) fn bits(self) -> u64 {
        self.0
    }

    pub(super) fn is_unused(self) -> bool {
        self.0 == UNUSED
    }

    /// When the next request may be sent.
    fn at(self) -> u64 {
        self.0 >> WAIT_BITS
    }

    fn wait(self) -> u64 {
        (self.0 & ((1 << WAIT_BITS) - 1)) * WAIT_UNIT
    }

    /// Whether it lies after `now`.
    pub(super) fn is_after(self, now: u64) -> bool {
        self.seen_at(now).at() > now
    }

    /// The value by the clock that shows `now`. One that is much further away than when it was set was set by a clock that
    /// ran ahead.
    fn seen_at(self, now: u64) -> Reserved {
        let latest = now
            .saturating_add(self.wait())
            .saturating_add(CLOCK_SKEW * 1_000);
        match self.at() > latest {
            true => Reserved::new(now.saturating_add(self.wait()), now),
            false => self,
        }
    }

    /// Answers a demand, and returns the value after it.
    fn take(self, demand: Demand) -> (Turn, Reserved) {
        let Demand {
            now,
            earliest,
            delay,
            horizon,
        } = demand;
        let seen = self.seen_at(now);
        let at = seen.at().max(earliest).max(now);
        if at - now > horizon {
            return (Turn::TooLate(at), seen);
        }
        (Turn::At(at), Reserved::new(at.saturating_add(delay), now))
    }

    /// The value after a site asked for a rest until `until`.
    pub(super) fn rest(self, until: u64, now: u64) -> Reserved {
        let seen = self.seen_at(now);
        match seen.at() < until {
            true => Reserved::new(until, now),
            false => seen,
        }
    }
}

impl Slot {
    pub(super) fn new(value: Reserved) -> Slot {
        Slot(AtomicU64::new(value.0))
    }

    /// Its value; that of a sealed one is unused.
    pub(super) fn get(&self) -> Reserved {
        match self.0.load(Relaxed) {
            SEALED => Reserved::UNUSED,
            bits => Reserved(bits),
        }
    }

    /// Reserves a slot. `None`: it is sealed.
    pub(super) fn take(&self, demand: Demand) -> Option<Turn> {
        self.change(|value| value.take(demand))
    }

    /// The site asks for a rest until `until`. `None`: it is sealed.
    pub(super) fn rest(&self, until: u64, now: u64) -> Option<()> {
        self.change(|value| ((), value.rest(until, now)))
    }

    /// Keeps the later one of two values. `None`: it is sealed.
    pub(super) fn merge(&self, other: Reserved) -> Option<()> {
        self.change(|value| match value.at() < other.at() {
            true => ((), other),
            false => ((), value),
        })
    }

    /// Ends its use in this entry, and returns its last value.
    pub(super) fn seal(&self) -> Reserved {
        match self.0.swap(SEALED, Relaxed) {
            SEALED => Reserved::UNUSED,
            bits => Reserved(bits),
        }
    }

    /// Opens it again, for a thread that holds the lock of the entry and knows that it was not replaced.
    pub(super) fn unseal(&self) {
        // The order of the lock makes the swap of another holder visible here.
        let _ = self.0.compare_exchange(SEALED, UNUSED, Relaxed, Relaxed);
    }

    fn change<T>(&self, how: impl Fn(Reserved) -> (T, Reserved)) -> Option<T> {
        let mut before = self.0.load(Relaxed);
        while before != SEALED {
            let (answer, after) = how(Reserved(before));
            if after.0 == before {
                return Some(answer);
            }
            match self
                .0
                .compare_exchange_weak(before, after.0, Relaxed, Relaxed)
            {
                Ok(_) => return Some(answer),
                Err(other) => before = other,
            }
        }
        None
    }
}

const _: () = assert!(MAX_TIME_MS + MAX_WAIT < MAX_AT);

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    const NOW: u64 = 1_800_000_000_000;

    fn demand(now: u64) -> Demand {
        Demand {
            now,
            earliest: 0,
            delay: 200,
            horizon: 60_000,
        }
    }

    #[test]
    fn slots_are_a_delay_apart() {
        let slot = Slot::new(Reserved::UNUSED);
        for number in 0..300 {
            assert_eq!(slot.take(demand(NOW)), Some(Turn::At(NOW + 200 * number)));
        }
        assert_eq!(slot.take(demand(NOW)), Some(Turn::At(NOW + 60_000)));
        let late = Some(Turn::TooLate(NOW + 60_200));
        assert_eq!(
            [slot.take(demand(NOW)), slot.take(demand(NOW))],
            [late, late]
        );
        assert_eq!(slot.take(demand(NOW + 200)), Some(Turn::At(NOW + 60_200)));
        // After a pause nothing is saved up.
        assert_eq!(
            slot.take(demand(NOW + 90_000)),
            Some(Turn::At(NOW + 90_000))
        );
        assert_eq!(
            slot.take(demand(NOW + 90_000)),
            Some(Turn::At(NOW + 90_200))
        );
    }

    #[test]
    fn a_clock_that_is_set_back_neither_opens_a_flood_nor_a_wait_without_end() {
        const YEAR: u64 = 365 * 86_400_000;
        for back in [1, 59_000, 61_000, 3_600_000, YEAR] {
            let slot = Slot::new(Reserved::UNUSED);
            slot.take(demand(NOW)).unwrap();
            let now = NOW - back;
            let mut before = None;
            for _ in 0..200 {
                let Some(Turn::At(at)) = slot.take(Demand {
                    horizon: YEAR,
                    ..demand(now)
                }) else {
                    panic!("a slot is sealed or too late")
                };
                let wait = at - now;
                assert!(
                    (200..=200 * 200 + 61_000 + WAIT_UNIT).contains(&wait),
                    "{wait}"
                );
                assert!(before.is_none_or(|before| at == before + 200));
                before = Some(at);
            }
        }
        // A rest of an hour stays one of about an hour, however often it is asked for.
        let slot = Slot::new(Reserved::UNUSED);
        slot.rest(NOW + 3_600_000, NOW).unwrap();
        let now = NOW - YEAR;
        for later in [0, 10_000, 3_000_000] {
            let Some(Turn::TooLate(at)) = slot.take(demand(now + later)) else {
                panic!("the site has no rest")
            };
            assert!(at.abs_diff(now + 3_600_000) <= WAIT_UNIT, "{at}");
        }
        assert!(matches!(
            slot.take(demand(now + 3_700_000)),
            Some(Turn::At(_))
        ));
    }

    #[test]
    fn extreme_numbers_saturate() {
        for now in [0, NOW, MAX_TIME_MS] {
            for delay in [0, 1, 86_400_000, u64::MAX] {
                for horizon in [0, 1, u64::MAX] {
                    let slot = Slot::new(Reserved::UNUSED);
                    for _ in 0..3 {
                        let turn = slot.take(Demand {
                            now,
                            earliest: 0,
                            delay,
                            horizon,
                        });
                        let (Turn::At(at) | Turn::TooLate(at)) = turn.unwrap();
                        assert!(at >= now);
                    }
                    slot.rest(u64::MAX, now).unwrap();
                    assert!(slot.get().at() == MAX_AT && slot.get().wait() <= MAX_WAIT);
                }
            }
        }
    }

    #[test]
    fn a_sealed_slot_is_not_changed() {
        let slot = Slot::new(Reserved::UNUSED);
        slot.take(demand(NOW)).unwrap();
        let value = slot.seal();
        assert!(value.is_after(NOW) && !value.is_after(NOW + 200));
        assert_eq!(
            (
                slot.take(demand(NOW)),
                slot.rest(NOW, NOW),
                slot.merge(value)
            ),
            (None, None, None)
        );
        assert!(slot.get().is_unused() && slot.seal().is_unused());
        slot.unseal();
        slot.merge(value).unwrap();
        assert_eq!(slot.get(), value);
        assert_eq!(Reserved::from_bits(value.bits()), Some(value));
        assert_eq!(Reserved::from_bits(SEALED), None);
    }

    #[test]
    fn threads_never_share_a_slot() {
        let slot = Slot::new(Reserved::UNUSED);
        let demand = Demand {
            horizon: u64::MAX,
            ..demand(NOW)
        };
        let mut taken = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        (0..1_000)
                            .map(|_| slot.take(demand).unwrap())
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .map(|turn| match turn {
                    Turn::At(at) | Turn::TooLate(at) => at,
                })
                .collect::<Vec<_>>()
        });
        taken.sort_unstable();
        assert!(
            taken
                .iter()
                .enumerate()
                .all(|(number, at)| *at == NOW + 200 * number as u64)
        );
    }
}
