//! The entry of one origin. A new outcome makes a new entry: only lease, slots and marks of an entry change.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::counters::Event;
use super::key::Key;
use super::slot::Slots;
use crate::base::error::Error;
use crate::base::limits::{CLOCK_SKEW, MAX_TIME};
use crate::base::verdict::{Reason, Verdict};
use crate::core::rules::Rules;
use crate::crawler::options::OutcomeKind;
use crate::site::fetch::Outcome;

pub(super) struct Entry {
    /// Start of the outcome's use: before it, the outcome lies in the future (SPEC 2.18).
    settled_from: u64,
    /// Number of seconds in which no fetch is due and the rules or the refusal decide. [`Entry::is_settled`] needs one
    /// comparison.
    settled_for: u64,
    /// Time from which a fetch is due: the end of `settled_for`, or later if the rules expire first.
    due: u64,
    /// Rules of the first crawler; `None` if the entry has no rules to decide by, see `refusal`.
    rules: Option<Rules>,
    /// Verdict on every URL before `due` if there are no usable rules.
    pub(super) refusal: Verdict,
    pub(super) outcome: Option<Outcome>,
    /// The oldest of several imported outcomes: an import has no clock that shows whether a later one lies in the future.
    pub(super) oldest: Option<Outcome>,
    locked: Mutex<Locked>,
    /// Number of the origin's first entry, by which the eviction queue identifies the origin.
    pub(super) serial: u64,
    /// Whether a caller used the entry since the last eviction pass.
    pub(super) used: AtomicBool,
    /// Event that is counted when the rules decide.
    pub(super) event: Event,
}

/// The part of an entry that changes, under a lock that hits do not take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locked {
    pub(super) lease: LeaseState,
    pub(super) slots: Slots,
}

/// The state of the right to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeaseState {
    /// No caller fetches.
    Free,
    /// The holder of this ticket fetches.
    Ticket { id: u64, issued: u64 },
    /// The entry was replaced or removed: look it up again.
    Closed,
}

impl LeaseState {
    /// Returns when a live ticket expires at the latest. A ticket expires when the clock differs from its issue by `ttl` seconds
    /// in either direction. So a clock that is set back does not prolong it, and a small difference between the clocks of two
    /// threads does not end it.
    pub(super) fn live_until(self, now: u64, ttl: u64) -> Option<u64> {
        match self {
            LeaseState::Ticket { issued, .. } if now.abs_diff(issued) < ttl => {
                Some(issued.saturating_add(ttl))
            }
            _ => None,
        }
    }

    /// Returns whether a ticket, live or expired, is the last one issued.
    pub(super) fn is_of(self, ticket: u64) -> bool {
        matches!(self, LeaseState::Ticket { id, .. } if id == ticket)
    }
}

impl Entry {
    /// Creates an entry without an outcome.
    pub(super) fn pending(lease: LeaseState, serial: u64) -> Entry {
        Entry {
            settled_from: 0,
            settled_for: 0,
            due: 0,
            rules: None,
            refusal: Verdict::new(Reason::Defer, false, 0),
            outcome: None,
            oldest: None,
            locked: Mutex::new(Locked {
                lease,
                slots: Slots::UNUSED,
            }),
            serial,
            used: AtomicBool::new(false),
            event: Event::Hit,
        }
    }

    pub(super) fn new(outcome: Outcome, lease: LeaseState, serial: u64) -> Entry {
        let decides = match outcome.kind {
            OutcomeKind::Rules | OutcomeKind::AllowAll | OutcomeKind::DisallowAll => true,
            OutcomeKind::Defer | OutcomeKind::Unreachable => false,
        };
        let from = outcome.made_at().saturating_sub(CLOCK_SKEW);
        // No entry is settled after the last valid time.
        let due = outcome.refresh_from().min(MAX_TIME + 1);
        // A settled entry decides without `usable_until`.
        let end = if decides {
            due.min(outcome.usable_until)
        } else {
            due
        };
        let reason = match outcome.kind {
            OutcomeKind::Unreachable => Reason::Unreachable,
            _ => Reason::Defer,
        };
        Entry {
            settled_from: from,
            settled_for: end.saturating_sub(from),
            due,
            rules: outcome.rules(0).filter(|_| decides).cloned(),
            refusal: Verdict::new(reason, false, 0),
            event: if outcome.stale {
                Event::StaleHit
            } else {
                Event::Hit
            },
            outcome: Some(outcome),
            ..Entry::pending(lease, serial)
        }
    }

    /// Creates the entry of an outcome that does not fit: before `until` no caller fetches it again.
    pub(super) fn too_large(now: u64, until: u64, lease: LeaseState, serial: u64) -> Entry {
        let from = now.saturating_sub(CLOCK_SKEW);
        let due = until.min(MAX_TIME + 1);
        Entry {
            settled_from: from,
            settled_for: due.saturating_sub(from),
            due,
            refusal: Verdict::from_error(Error::Memory),
            ..Entry::pending(lease, serial)
        }
    }

    /// Returns whether no fetch is due and the entry decides.
    #[inline(always)]
    pub(super) fn is_settled(&self, now: u64) -> bool {
        now.wrapping_sub(self.settled_from) < self.settled_for
    }

    /// Returns when the next fetch is due; `None` if it is due now.
    pub(super) fn due_after(&self, now: u64) -> Option<u64> {
        (self.settled_from..self.due)
            .contains(&now)
            .then_some(self.due)
    }

    /// Returns the rules to decide by; `None` without an outcome that decides.
    #[inline(always)]
    pub(super) fn rules(&self, crawler: usize) -> Option<&Rules> {
        let first = self.rules.as_ref()?;
        if crawler == 0 {
            return Some(first);
        }
        self.outcome.as_ref()?.rules(crawler)
    }

    /// Returns the rules if they are usable at the time `now`.
    pub(super) fn rules_at(&self, crawler: usize, now: u64) -> Option<&Rules> {
        let usable_until = self.outcome.as_ref()?.usable_until;
        let is_usable = (self.settled_from..usable_until).contains(&now);
        self.rules(crawler).filter(|_| is_usable)
    }

    /// Marks the entry as used. It usually is already: then nothing is written, and no other processor has to reload the cache
    /// line.
    #[inline(always)]
    pub(super) fn mark_used(&self) {
        if !self.used.load(Relaxed) {
            self.used.store(true, Relaxed);
        }
    }

    pub(super) fn with_oldest(self, oldest: Option<Outcome>) -> Entry {
        Entry { oldest, ..self }
    }

    /// Returns the entry with the slots of the entry that it replaces.
    pub(super) fn with_slots(self, slots: Slots) -> Entry {
        self.lock().slots = slots;
        self
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Locked> {
        // Both parts are plain values, so a panic in another thread leaves them valid.
        self.locked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As `lock`; returns `None` while another thread holds the lock.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, Locked>> {
        match self.locked.try_lock() {
            Ok(locked) => Some(locked),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }

    /// Returns the memory use of the entry in bytes, with the allocator's overhead.
    pub(super) fn cost(&self, key: &Key) -> usize {
        let entry = block(size_of::<Key>() + size_of::<Entry>()) + SHARE;
        let key = match key.heap_len() {
            0 => 0,
            len => block(len),
        };
        let outcomes = [&self.outcome, &self.oldest].into_iter().flatten();
        entry + key + outcomes.map(outcome_cost).sum::<usize>()
    }
}

/// Upper bound on an entry's share of the map and the eviction queue, in bytes. A slot of the map's table has 9 bytes; half of
/// the slots may be free, and a growing table takes twice as much. An element of the queue has 16 bytes; half of its capacity
/// may be free.
const SHARE: usize = 36 + 32;

/// Returns the memory use of an outcome in bytes, although other threads and callers may share it.
fn outcome_cost(outcome: &Outcome) -> usize {
    // Shared part, list of rules, key, final URL, two validators. Each crawler's image is one more.
    const BLOCKS: usize = 6;
    outcome.size() + (BLOCKS + outcome.rules.len()) * (block(0) - 16)
}

/// Returns the size of a heap block in bytes: 8 more for the header, rounded up to 16.
fn block(len: usize) -> usize {
    (len.saturating_add(8 + 15) & !15).max(32)
}
