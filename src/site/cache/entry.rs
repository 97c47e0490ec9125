//! The entry of one origin. An entry never changes but in its marks: a new outcome makes a new entry.

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
    /// The outcome is used from here: before it, the outcome lies in the future (SPEC 2.18).
    settled_from: u64,
    /// For so many seconds no fetch is due, and the rules or the refusal decide. One comparison, see
    /// [`Entry::is_settled`].
    settled_for: u64,
    /// From then on a fetch is due: at the end of `settled_for`, or later if the rules expire first.
    due: u64,
    /// Rules of the first crawler. `None`: the entry has no rules to decide by, see `refusal`.
    rules: Option<Rules>,
    /// Verdict on every URL before `due` if there are no usable rules.
    pub(super) refusal: Verdict,
    pub(super) outcome: Option<Outcome>,
    /// The oldest of several that were imported: an import has no clock that shows whether a later one lies in the future.
    pub(super) oldest: Option<Outcome>,
    locked: Mutex<Locked>,
    /// Number of the origin's first entry: the eviction queue knows by it which origin it evicts.
    pub(super) serial: u64,
    /// Whether a caller asked for it since the last eviction pass.
    pub(super) used: AtomicBool,
    /// What is counted when its rules decide.
    pub(super) event: Event,
}

/// What changes in an entry. Each has its own lock, which hits do not touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locked {
    pub(super) lease: LeaseState,
    pub(super) slots: Slots,
}

/// Who fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeaseState {
    /// Nobody.
    Free,
    /// The holder of this ticket.
    Ticket { id: u64, issued: u64 },
    /// The entry was replaced or removed: look it up again.
    Closed,
}

impl LeaseState {
    /// When a live ticket expires at the latest. It expires when the clock differs from its issue by `ttl` seconds in either
    /// direction: a clock set back does not prolong it, and clocks of two threads that differ a little do not end it.
    pub(super) fn live_until(self, now: u64, ttl: u64) -> Option<u64> {
        match self {
            LeaseState::Ticket { issued, .. } if now.abs_diff(issued) < ttl => {
                Some(issued.saturating_add(ttl))
            }
            _ => None,
        }
    }

    pub(super) fn is_of(self, ticket: u64) -> bool {
        matches!(self, LeaseState::Ticket { id, .. } if id == ticket)
    }
}

impl Entry {
    /// An entry without an outcome.
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
        // No entry is settled after the last time that is valid.
        let due = outcome.refresh_from().min(MAX_TIME + 1);
        // A settled entry decides without `usable_until`.
        let end = match decides {
            true => due.min(outcome.usable_until),
            false => due,
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
            event: match outcome.stale {
                true => Event::StaleHit,
                false => Event::Hit,
            },
            outcome: Some(outcome),
            ..Entry::pending(lease, serial)
        }
    }

    /// The entry of an outcome that does not fit: before `until` no caller fetches it again.
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

    /// Whether no fetch is due, and the entry decides.
    #[inline(always)]
    pub(super) fn is_settled(&self, now: u64) -> bool {
        now.wrapping_sub(self.settled_from) < self.settled_for
    }

    /// When the next fetch is due; `None` if it is due now.
    pub(super) fn due_after(&self, now: u64) -> Option<u64> {
        (self.settled_from..self.due)
            .contains(&now)
            .then_some(self.due)
    }

    /// The rules to decide by; `None` for an entry without an outcome that decides.
    #[inline(always)]
    pub(super) fn rules(&self, crawler: usize) -> Option<&Rules> {
        let first = self.rules.as_ref()?;
        if crawler == 0 {
            return Some(first);
        }
        self.outcome.as_ref()?.rules(crawler)
    }

    /// The rules, unless they are no longer usable.
    pub(super) fn rules_at(&self, crawler: usize, now: u64) -> Option<&Rules> {
        let usable_until = self.outcome.as_ref()?.usable_until;
        let is_usable = (self.settled_from..usable_until).contains(&now);
        self.rules(crawler).filter(|_| is_usable)
    }

    /// Marks it as used. Usually it is marked already: then nothing is written, and no other processor has to reload the
    /// cache line.
    #[inline(always)]
    pub(super) fn mark_used(&self) {
        if !self.used.load(Relaxed) {
            self.used.store(true, Relaxed);
        }
    }

    pub(super) fn with_oldest(self, oldest: Option<Outcome>) -> Entry {
        Entry { oldest, ..self }
    }

    /// The entry of the same origin that takes its place, with its slots.
    pub(super) fn with_slots(self, slots: Slots) -> Entry {
        self.lock().slots = slots;
        self
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Locked> {
        // Both parts are plain values, so a panic in another thread leaves them whole.
        self.locked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As `lock`; `None` while another thread has it locked.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, Locked>> {
        match self.locked.try_lock() {
            Ok(locked) => Some(locked),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }

    /// The bytes it takes, with what the allocator adds.
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

/// The share of an entry in the map's table (9 bytes per slot, at worst half of them free, and twice that while it
/// grows) and in the eviction queue (16 bytes, at worst half of its capacity free).
const SHARE: usize = 36 + 32;

/// Counts all of it, although other threads and callers may share it.
fn outcome_cost(outcome: &Outcome) -> usize {
    // The shared part, the list of rules, key and final URL, validators; and each crawler's image.
    const BLOCKS: usize = 6;
    outcome.size() + (BLOCKS + outcome.rules.len()) * (block(0) - 16)
}

/// Bytes of a heap block: an 8-byte header, rounded up to 16.
fn block(len: usize) -> usize {
    (len.saturating_add(8 + 15) & !15).max(32)
}
