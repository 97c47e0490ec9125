//! What is kept of one origin. An entry is never changed but in its marks: a new outcome makes a new entry.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key::Key;
use crate::crawler::options::OutcomeKind;
use crate::fetch::Outcome;
use crate::rules::Rules;

pub(super) struct Entry {
    /// From here there is no reason to fetch...
    settled_from: u64,
    /// ...for so many seconds. One comparison tells, see [`Entry::is_settled`].
    settled_for: u64,
    /// The first crawler's rules, at hand. None: no outcome, or one that defers.
    rules: Option<Rules>,
    outcome: Option<Outcome>,
    hold: Mutex<LeaseState>,
    /// Since the origin's first entry; tells the eviction queue which stay it speaks of.
    pub(super) serial: u64,
    /// Asked for since eviction looked last.
    used: AtomicBool,
}

/// Who fetches. A lock of this origin alone, not touched by hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeaseState {
    /// Nobody.
    Free,
    /// The holder of this ticket.
    Ticket { id: u64, issued: u64 },
    /// The entry was replaced or removed: look again.
    Closed,
}

impl LeaseState {
    /// A ticket is dead when the clock is `life` seconds from its issue, whichever way it went: a clock set
    /// back does not prolong it, and readings of two threads that differ a little do not end it.
    pub(super) fn is_live(self, now: u64, life: u64) -> bool {
        self.live_until(now, life).is_some()
    }

    /// When a ticket that lives will be dead at the latest.
    pub(super) fn live_until(self, now: u64, life: u64) -> Option<u64> {
        match self {
            LeaseState::Ticket { issued, .. } if now.abs_diff(issued) < life => {
                Some(issued.saturating_add(life))
            }
            _ => None,
        }
    }

    pub(super) fn is_of(self, ticket: u64) -> bool {
        matches!(self, LeaseState::Ticket { id, .. } if id == ticket)
    }
}

impl Entry {
    /// Nothing is known yet.
    pub(super) fn pending(hold: LeaseState, serial: u64) -> Entry {
        Entry {
            settled_from: 0,
            settled_for: 0,
            rules: None,
            outcome: None,
            hold: Mutex::new(hold),
            serial,
            used: AtomicBool::new(false),
        }
    }

    /// `since`: the time by the clock that the outcome's times are of. It counts until its next try is due, but not
    /// before `since`: if the clock was wrong then, and has been set right, the outcome's times mean nothing.
    pub(super) fn new(outcome: Outcome, since: u64, hold: LeaseState, serial: u64) -> Entry {
        // Rules are good until the next try is due at least; others would not be served to the end.
        let has_rules =
            outcome.kind() != OutcomeKind::Defer && outcome.usable_until() >= outcome.retry_at();
        Entry {
            settled_from: since,
            settled_for: outcome.retry_at().saturating_sub(since),
            rules: outcome.rules(0).filter(|_| has_rules).cloned(),
            outcome: Some(outcome),
            ..Entry::pending(hold, serial)
        }
    }

    /// Whether there is no reason to fetch.
    #[inline(always)]
    pub(super) fn is_settled(&self, now: u64) -> bool {
        now.wrapping_sub(self.settled_from) < self.settled_for
    }

    /// Until when that is so.
    pub(super) fn settled_until(&self, now: u64) -> Option<u64> {
        self.is_settled(now)
            .then(|| self.settled_from.saturating_add(self.settled_for))
    }

    /// The rules to decide by; none while there is no outcome, or one that defers.
    #[inline(always)]
    pub(super) fn rules(&self, crawler: usize) -> Option<&Rules> {
        let first = self.rules.as_ref()?;
        if crawler == 0 {
            return Some(first);
        }
        self.outcome.as_ref()?.rules(crawler)
    }

    /// The same, unless they may not be used any more.
    pub(super) fn rules_at(&self, crawler: usize, now: u64) -> Option<&Rules> {
        let usable_until = self.outcome.as_ref()?.usable_until();
        self.rules(crawler).filter(|_| now < usable_until)
    }

    pub(super) fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Marks it as asked for. Nearly always it is so already: then nothing is written that other
    /// processors would have to hear of.
    #[inline(always)]
    pub(super) fn mark_used(&self) {
        if !self.used.load(Relaxed) {
            self.used.store(true, Relaxed);
        }
    }

    pub(super) fn is_used(&self) -> bool {
        self.used.load(Relaxed)
    }

    pub(super) fn take_used_mark(&self) -> bool {
        self.used.swap(false, Relaxed)
    }

    pub(super) fn hold(&self) -> MutexGuard<'_, LeaseState> {
        // A panic elsewhere leaves no half-changed word behind.
        self.hold.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hold, unless somebody is about to change it.
    pub(super) fn try_hold(&self) -> Option<MutexGuard<'_, LeaseState>> {
        match self.hold.try_lock() {
            Ok(hold) => Some(hold),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }

    /// The octets it takes, with what the system's allocator adds.
    pub(super) fn cost(&self, key: &Key) -> usize {
        let entry = block(size_of::<Key>() + size_of::<Entry>()) + SHARE;
        let key = match key.heap_len() {
            0 => 0,
            len => block(len),
        };
        entry + key + self.outcome.as_ref().map_or(0, outcome_cost)
    }
}

/// The share of an entry in the map's table (9 octets a place, half of them free at worst, twice that while it
/// grows) and in the eviction queue (16 octets, half of its room free at worst).
const SHARE: usize = 36 + 32;

/// Other threads and callers may hold it, too; it is counted whole all the same.
fn outcome_cost(outcome: &Outcome) -> usize {
    // The shared part, the rules' list, key and final URL, validators; and each crawler's image.
    const BLOCKS: usize = 6;
    outcome.size() + (BLOCKS + outcome.parts().rules.len()) * (block(0) - 16)
}

/// A block of the heap: 8 octets before it, rounded up to 16.
fn block(len: usize) -> usize {
    (len.saturating_add(8 + 15) & !15).max(32)
}
