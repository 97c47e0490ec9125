//! The slots of a site: when its next requests may be sent (SPEC 3.9).
//!
//! Two times in milliseconds since 1970, guarded by the lock of the entry:
//!
//! - The end of the line. A caller that has to wait reserves the slot there, and the next slot is a delay later. So callers
//!   wait in order, each for a time of its own that it knows immediately.
//! - The opening of the site. No request is sent before it. It is a delay after the last request, and after the last
//!   response. A caller whose slot is due asks again: if the site is open, its request counts as sent now; otherwise it waits
//!   a little longer. So a caller that wakes late delays later callers, instead of sending right before them.
//!
//! Invariant: a site opens no later than the line ends. A caller that misses the slot after its own has lost its place: it
//! takes a new slot at the end of the line. So few callers wait for the same opening. If the clock is set back, all callers
//! lose their places.

use crate::base::limits::{CLOCK_SKEW, MAX_TIME_MS};
use crate::core::rules::Rules;

const WAIT_BITS: u32 = 16;
/// Unit of a wait in milliseconds. The longest wait is three days.
const WAIT_UNIT: u64 = 4_000;
const MAX_WAIT: u64 = ((1 << WAIT_BITS) - 1) * WAIT_UNIT;
/// The highest time that a slot can store: every valid request and every wait ends before it.
const MAX_AT: u64 = (1 << (64 - WAIT_BITS)) - 2;

/// Default of the longest obeyed crawl-delay, in milliseconds.
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
    /// Returns the obeyed delay, and whether the file states a longer one.
    pub(super) fn delay(self, rules: &Rules) -> (u64, bool) {
        let Some(seconds) = rules.crawl_delay() else {
            return (self.default_delay, false);
        };
        // The conversion saturates.
        let stated = (seconds * 1_000.0).ceil() as u64;
        let longest = self.max_delay.max(self.default_delay);
        (stated.min(longest), stated > longest)
    }
}

/// The slots of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    line: LineEnd,
    /// Opening of the site.
    open_at: u64,
    /// Delay after the last request.
    delay: u64,
}

/// The first slot that no caller holds, as a record stores it; 0 without a request or a rest.
///
/// The upper 48 bits are its time. The lower 16 bits are the wait from the setting thread's clock to this time, in
/// [`WAIT_UNIT`]s, rounded up. A longer wait shows that the clock was set back: then the site waits as long as before, by the
/// new clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineEnd(u64);

/// A caller's demand for a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Time of the demand, in milliseconds since 1970, as all times here.
    pub(super) now: u64,
    /// Slot that the caller has reserved; 0: none.
    pub(super) held: u64,
    /// Lower bound on a new slot.
    pub(super) earliest: u64,
    /// Delay from this request to the next.
    pub(super) delay: u64,
    /// Longest time from `now` to a slot that is reserved.
    pub(super) horizon: u64,
}

/// The answer to a [`Demand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The reserved slot. If it is now, send the request. Otherwise ask again at this time, with it as the held slot.
    At(u64),
    /// A slot later than the horizon, which is not reserved.
    TooLate(u64),
}

impl LineEnd {
    fn new(at: u64, now: u64) -> LineEnd {
        let at = at.min(MAX_AT);
        let wait = at.saturating_sub(now).div_ceil(WAIT_UNIT);
        LineEnd(at << WAIT_BITS | wait.min(MAX_WAIT / WAIT_UNIT))
    }

    /// Parses the value of a record; `None` for a value that no cache writes.
    pub(super) fn from_bits(bits: u64) -> Option<LineEnd> {
        (bits >> WAIT_BITS <= MAX_AT).then_some(LineEnd(bits))
    }

    pub(super) fn bits(self) -> u64 {
        self.0
    }

    pub(super) fn is_unused(self) -> bool {
        self.0 == 0
    }

    pub(super) fn at(self) -> u64 {
        self.0 >> WAIT_BITS
    }

    fn wait(self) -> u64 {
        (self.0 & ((1 << WAIT_BITS) - 1)) * WAIT_UNIT
    }

    /// Returns the value by the clock that shows `now`. If the value is much further away than when it was set, the clock was set
    /// back.
    fn seen_at(self, now: u64) -> LineEnd {
        let latest = now
            .saturating_add(self.wait())
            .saturating_add(CLOCK_SKEW * 1_000);
        if self.at() > latest {
            LineEnd::new(now.saturating_add(self.wait()), now)
        } else {
            self
        }
    }
}

impl Slots {
    pub(super) const UNUSED: Slots = Slots {
        line: LineEnd(0),
        open_at: 0,
        delay: 0,
    };

    /// Returns the end of the line.
    pub(super) fn line(self) -> LineEnd {
        self.line
    }

    /// Returns whether a slot lies after `now`.
    pub(super) fn is_after(self, now: u64) -> bool {
        self.line.seen_at(now).at() > now
    }

    /// Answers a demand.
    pub(super) fn take(&mut self, demand: Demand) -> Turn {
        let Demand {
            now,
            held,
            earliest,
            delay,
            horizon,
        } = demand;
        self.see(now);
        // A slot after the end of the line was reserved before the clock was set back.
        let held = Some(held).filter(|held| *held != 0 && *held <= self.line.at());
        let in_place = held
            .map(|held| (held, held.max(self.open_at).max(now)))
            .filter(|(held, at)| *at == now || at - held < delay)
            .map(|(_, at)| at);
        let at = in_place.unwrap_or_else(|| self.line.at().max(earliest).max(now));
        if at - now > horizon {
            return Turn::TooLate(at);
        }
        if at == now {
            self.delay = delay;
            self.open_from(now.saturating_add(delay), now);
        } else if in_place.is_none() {
            self.line = LineEnd::new(at.saturating_add(delay), now);
        }
        Turn::At(at)
    }

    /// Records a response to a page: the delay counts from now, because the request may have arrived no earlier.
    pub(super) fn answered(&mut self, now: u64) {
        if self.delay > 0 {
            self.rest(now.saturating_add(self.delay), now);
        }
    }

    /// Closes the site until `until`, as it asked.
    pub(super) fn rest(&mut self, until: u64, now: u64) {
        self.see(now);
        self.open_from(until, now);
    }

    /// Keeps the later end of two lines. The second is that of a record, whose slots are held by other processes.
    pub(super) fn merge(&mut self, other: LineEnd) {
        if self.line.at() < other.at() {
            self.line = other;
            self.open_at = other.at();
        }
    }

    /// Opens the site no earlier than `at`.
    fn open_from(&mut self, at: u64, now: u64) {
        self.open_at = self.open_at.max(at.min(MAX_AT));
        if self.line.at() < at {
            self.line = LineEnd::new(at, now);
        }
    }

    /// Moves the times to a clock that was set back. The reserved slots are lost and each caller takes a new one, so the line ends
    /// where the site opens. Otherwise each setting back would lengthen the line.
    fn see(&mut self, now: u64) {
        let seen = self.line.seen_at(now);
        if seen != self.line {
            let reserved = self.line.at().saturating_sub(self.open_at);
            self.open_at = seen.at().saturating_sub(reserved).max(now);
            self.line = LineEnd::new(self.open_at, now);
        }
    }
}

const _: () = assert!(MAX_TIME_MS + MAX_WAIT < MAX_AT);

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    const NOW: u64 = 1_800_000_000_000;

    fn demand(held: u64, now: u64) -> Demand {
        Demand {
            now,
            held,
            earliest: 0,
            delay: 200,
            horizon: 60_000,
        }
    }

    #[track_caller]
    fn at(turn: Turn) -> u64 {
        match turn {
            Turn::At(at) => at,
            Turn::TooLate(_) => panic!("{turn:?}"),
        }
    }

    #[test]
    fn slots_are_a_delay_apart() {
        let mut slots = Slots::UNUSED;
        for number in 0..=300 {
            assert_eq!(slots.take(demand(0, NOW)), Turn::At(NOW + 200 * number));
        }
        let late = Turn::TooLate(NOW + 60_200);
        assert_eq!(
            [slots.take(demand(0, NOW)), slots.take(demand(0, NOW))],
            [late, late]
        );
        assert_eq!(slots.take(demand(0, NOW + 200)), Turn::At(NOW + 60_200));
        // After a pause nothing is saved up.
        assert_eq!(slots.take(demand(0, NOW + 90_000)), Turn::At(NOW + 90_000));
        assert_eq!(slots.take(demand(0, NOW + 90_000)), Turn::At(NOW + 90_200));
    }

    /// Callers that sleep until their slot and wake late, by a simulated clock: all requests are a delay apart.
    #[test]
    fn late_callers_shorten_no_gap() {
        // Returns when the caller of this number wakes from a sleep until a time; and an upper bound on the time lost by it.
        type Wake = fn(u64, u64) -> u64;
        let runs: [(Wake, u64); 5] = [
            (|_, due| due, 0),
            (|_, due| due + 7, 700),
            (|number, due| due + number * 37 % 150, 8_000),
            (
                |number, due| due + [1, 1_000][usize::from(number % 10 == 3)],
                11_000,
            ),
            // The process is suspended for 5 seconds.
            (
                |_, due| {
                    if due / 5_000 == NOW / 5_000 {
                        NOW + 5_000
                    } else {
                        due
                    }
                },
                5_300,
            ),
        ];
        for (run, (wake, most)) in runs.into_iter().enumerate() {
            let mut slots = Slots::UNUSED;
            let (mut sent, mut asked) = (Vec::new(), 0);
            let mut waiting: Vec<_> = (0..50).map(|_| (NOW, 0)).collect();
            while !waiting.is_empty() {
                waiting.sort_unstable();
                let (now, held) = waiting.remove(0);
                asked += 1;
                match at(slots.take(demand(held, now))) {
                    at if at == now => {
                        sent.push(now);
                        slots.answered(now + 3);
                    }
                    later => waiting.push((wake(asked, later), later)),
                }
            }
            assert!(sent.len() == 50 && asked < 5 * 50, "{run}: {asked}");
            let is_apart = |pair: &[u64]| pair[1] - pair[0] >= 203;
            assert!(sent.windows(2).all(is_apart), "{run}: {sent:?}");
            let lost = sent[49] - sent[0] - 49 * 203;
            assert!(lost <= most, "{run}: {lost}");
        }
    }

    #[test]
    fn a_caller_out_of_turn_waits() {
        let mut slots = Slots::UNUSED;
        assert_eq!(at(slots.take(demand(0, NOW))), NOW);
        assert_eq!(at(slots.take(demand(0, NOW))), NOW + 200);
        // Too early, with its own slot and with another.
        assert_eq!(at(slots.take(demand(NOW + 200, NOW + 50))), NOW + 200);
        assert_eq!(at(slots.take(demand(NOW + 50, NOW + 50))), NOW + 200);
        // The second is sent 30 late; one that did not wait for its slot waits at the end of the line.
        assert_eq!(at(slots.take(demand(NOW + 200, NOW + 230))), NOW + 230);
        assert_eq!(at(slots.take(demand(NOW + 230, NOW + 230))), NOW + 430);
        // A rest also applies to callers that hold a slot. If it is longer than their turn, they queue anew, in order.
        slots.rest(NOW + 5_000, NOW + 300);
        assert_eq!(at(slots.take(demand(NOW + 430, NOW + 430))), NOW + 5_000);
        assert_eq!(at(slots.take(demand(NOW + 630, NOW + 630))), NOW + 5_200);
        slots.rest(NOW + 100_000, NOW + 700);
        assert_eq!(
            slots.take(demand(NOW + 5_000, NOW + 5_000)),
            Turn::TooLate(NOW + 100_000)
        );
    }

    #[test]
    fn a_clock_that_is_set_back_neither_opens_a_flood_nor_a_wait_without_end() {
        const YEAR: u64 = 365 * 86_400_000;
        for back in [1, 59_000, 61_000, 3_600_000, YEAR] {
            let mut slots = Slots::UNUSED;
            let first = at(slots.take(demand(0, NOW)));
            let held = at(slots.take(demand(0, first)));
            let now = NOW - back;
            // A slot of the old clock is not waited for.
            let (Turn::At(again) | Turn::TooLate(again)) = slots.take(demand(held, now));
            assert!(again - now <= 400 + 61_000 + WAIT_UNIT, "{back} {again}");
            let mut before = None;
            for _ in 0..200 {
                let at = at(slots.take(Demand {
                    horizon: YEAR,
                    ..demand(0, now)
                }));
                let wait = at - now;
                assert!(
                    (200..=200 * 203 + 61_000 + WAIT_UNIT).contains(&wait),
                    "{wait}"
                );
                assert!(before.is_none_or(|before| at == before + 200));
                before = Some(at);
            }
        }
        // A rest of an hour stays one of about an hour, however often a caller asks.
        let mut slots = Slots::UNUSED;
        slots.rest(NOW + 3_600_000, NOW);
        let now = NOW - YEAR;
        for later in [0, 10_000, 3_000_000] {
            let Turn::TooLate(at) = slots.take(demand(0, now + later)) else {
                panic!("the site has no rest")
            };
            assert!(at.abs_diff(now + 3_600_000) <= WAIT_UNIT, "{at}");
        }
        assert_eq!(at(slots.take(demand(0, now + 3_700_000))), now + 3_700_000);
    }

    #[test]
    fn extreme_numbers_saturate() {
        for now in [0, NOW, MAX_TIME_MS] {
            for delay in [0, 1, 86_400_000, u64::MAX] {
                for horizon in [0, 1, u64::MAX] {
                    for held in [0, 1, now, u64::MAX] {
                        let mut slots = Slots::UNUSED;
                        for _ in 0..3 {
                            let (Turn::At(at) | Turn::TooLate(at)) = slots.take(Demand {
                                now,
                                held,
                                earliest: 0,
                                delay,
                                horizon,
                            });
                            assert!(at >= now);
                        }
                        slots.answered(now);
                        slots.rest(u64::MAX, now);
                        let line = slots.line();
                        assert!(line.at() == MAX_AT && line.wait() <= MAX_WAIT);
                        assert!(slots.open_at <= MAX_AT);
                    }
                }
            }
        }
    }

    #[test]
    fn the_later_end_of_two_lines_stays() {
        let mut slots = Slots::UNUSED;
        assert_eq!(LineEnd::from_bits(0), Some(slots.line()));
        slots.take(demand(0, NOW));
        let line = slots.line();
        assert!(slots.is_after(NOW) && !slots.is_after(NOW + 200));
        assert_eq!(LineEnd::from_bits(line.bits()), Some(line));
        assert_eq!(LineEnd::from_bits(u64::MAX), None);
        let mut other = Slots::UNUSED;
        other.merge(line);
        assert_eq!((other.line(), other.open_at), (line, NOW + 200));
        other.merge(LineEnd::new(NOW, NOW));
        assert_eq!(other.line(), line);
    }
}
