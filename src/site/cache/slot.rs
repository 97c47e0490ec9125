//! Assigns the slots of a site: when its next requests may be sent (SPEC 3.9).
//!
//! A caller gets a *slot*: the time at which it may send its request. The callers of a site form a waiting line. A site has two
//! times in milliseconds since 1970, which the lock of its shard guards:
//!
//! - The end of the line: the first slot that no caller holds. A caller that has to wait reserves this slot, and the end of the
//!   line moves one delay later. So callers wait in order, and each caller knows its slot immediately.
//! - The opening of the site: no request is sent before this time. The site opens one delay after the last request, and one
//!   delay after the last response. A caller whose slot is due calls again. If the site is open, the caller's request counts as
//!   sent now; otherwise the caller waits a little longer. So a caller that wakes late delays later callers, and requests are
//!   never closer than the delay.
//!
//! Invariant: the opening is never after the end of the line. If a slot is due, but the site opens only a delay or more after
//! it, the caller loses the slot and gets a new slot at the end of the line. So few callers wait for the same opening. If the
//! clock is set back, all callers lose their slots.

use crate::base::limits::{CLOCK_SKEW, MAX_TIME_MS};
use crate::core::rules::Rules;

const WAIT_BITS: u32 = 16;
/// Unit of a stored wait, in milliseconds: the longest wait, three days, is 64,800 units and so fits in 16 bits.
const WAIT_UNIT: u64 = 4_000;
const MAX_WAIT: u64 = ((1 << WAIT_BITS) - 1) * WAIT_UNIT;
/// The highest time that a slot can store. Even the longest wait after the last valid time ends earlier.
const MAX_AT: u64 = (1 << (64 - WAIT_BITS)) - 2;

/// Default of the longest obeyed crawl-delay, in milliseconds.
pub const DEFAULT_MAX_DELAY_MS: u64 = 60_000;
/// Default horizon in milliseconds: how far ahead a slot is reserved.
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
    /// Returns the obeyed delay, and whether the file states a longer delay.
    pub(super) fn delay(self, rules: &Rules) -> (u64, bool) {
        let Some(seconds) = rules.crawl_delay() else {
            return (self.default_delay, false);
        };
        // The conversion from a float saturates, so any number of seconds is valid.
        let stated = (seconds * 1_000.0).ceil() as u64;
        let longest = self.max_delay.max(self.default_delay);
        (stated.min(longest), stated > longest)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    line: LineEnd,
    /// Opening of the site, in milliseconds since 1970.
    open_at: u64,
    /// Delay after the last request, in milliseconds.
    delay: u64,
    /// End of the rest that the site asked for, in milliseconds since 1970.
    rest_until: u64,
}

/// The first slot that no caller holds, packed in 64 bits; 0 if the site had no request and no rest. A record stores the
/// opening of its site in the same form.
///
/// The upper 48 bits are the time of the slot. The lower 16 bits are the wait until the slot at the time when the slot was set,
/// in units of [`WAIT_UNIT`], rounded up. If the wait is longer when a thread reads the slot, the clock was set back. Then the
/// slot moves to the stored wait after the new time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineEnd(u64);

#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Time of the demand. All times in this struct are milliseconds since 1970, and all delays are milliseconds.
    pub(super) now: u64,
    /// Slot that the caller has reserved; 0: none.
    pub(super) held: u64,
    /// Start of the second in which the fetch of the robots.txt ended.
    pub(super) fetched: u64,
    /// Delay from this request to the next.
    pub(super) delay: u64,
    /// Longest time from `now` to a slot that may be reserved.
    pub(super) horizon: u64,
}

/// The answer to a [`Demand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The reserved slot. If the slot is `now`, send the request. Otherwise make a new demand when the slot is due, with the
    /// slot as [`Demand::held`].
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

    /// Returns the slot, moved to the new clock if the clock was set back since the slot was set.
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
        rest_until: 0,
    };

    pub(super) fn line(self) -> LineEnd {
        self.line
    }

    /// Returns the opening of the site, in the form of a line end.
    pub(super) fn opening(self) -> LineEnd {
        let set_at = self.line.at().saturating_sub(self.line.wait());
        match self.line.is_unused() {
            true => self.line,
            false => LineEnd::new(self.open_at, set_at),
        }
    }

    /// Returns whether the line ends after `now`.
    pub(super) fn is_after(self, now: u64) -> bool {
        self.line.seen_at(now).at() > now
    }

    pub(super) fn take(&mut self, demand: Demand) -> Turn {
        let Demand {
            now,
            held,
            fetched,
            delay,
            horizon,
        } = demand;
        self.see(now);
        // The fetch of the robots.txt counts as one request.
        let after_fetch = match fetched <= now {
            true => fetched.saturating_add(delay),
            false => now,
        };
        if self.line.at() < after_fetch {
            let end = fetched.saturating_add(1_000).min(now);
            self.open_from(end.saturating_add(delay), now);
        }
        // If a held slot is after the end of the line, the clock was set back since the slot was reserved.
        let held = Some(held).filter(|held| *held != 0 && *held <= self.line.at());
        let in_place = held
            .map(|held| (held, held.max(self.open_at).max(now)))
            .filter(|(held, at)| *at == now || at - held < delay)
            .map(|(_, at)| at);
        let at = in_place.unwrap_or_else(|| self.line.at().max(now));
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

    /// Records the response to a page request: the delay counts from now, because the server may have received the request only
    /// now.
    pub(super) fn answered(&mut self, now: u64) {
        if self.delay > 0 {
            self.see(now);
            self.open_from(now.saturating_add(self.delay), now);
        }
    }

    /// Closes the site until `until`, because the site asked for a rest.
    pub(super) fn rest(&mut self, until: u64, now: u64) {
        self.see(now);
        self.open_from(until, now);
        self.rest_until = self.rest_until.max(until.min(MAX_AT));
    }

    /// Returns when the rest of the site ends; `None` if it does not rest.
    pub(super) fn rests_until(&mut self, now: u64) -> Option<u64> {
        self.see(now);
        Some(self.rest_until).filter(|until| *until > now)
    }

    /// Opens the site no earlier than `other`, the opening in a record.
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

    /// If the clock was set back, moves the times to the new clock. All reserved slots are lost, and each caller gets a new
    /// slot, so the end of the line moves to the opening. If the line kept the lost slots, it would grow each time that the
    /// clock is set back.
    fn see(&mut self, now: u64) {
        let seen = self.line.seen_at(now);
        if seen != self.line {
            let reserved = self.line.at().saturating_sub(self.open_at);
            self.open_at = seen.at().saturating_sub(reserved).max(now);
            self.line = LineEnd::new(self.open_at, now);
            self.rest_until = self.rest_until.min(self.open_at);
        }
    }
}

const _: () = assert!(MAX_TIME_MS + MAX_WAIT < MAX_AT);
