//! The entries: a map with lock-free reads, a limit in bytes, and a queue for second-chance eviction.

use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use papaya::{Equivalent, HashMap, LocalGuard};
use seize::Guard;

use super::counters::{Counters, Event};
use super::entry::{Entry, LeaseState, Locked};
use super::key::{ByHash, Carried, Key, Seed};
use super::slot::Pace;
use crate::base::error::Error;
use crate::crawler::Crawler;
use crate::site::cache::fork::ProcessMark;

/// The maximum number of used entries that one eviction spares, and of entries that it examines. They bound the time of an
/// eviction, whatever the number of entries.
const SPARED: usize = 64;
const EXAMINED: usize = 256;

/// Number of replaced or removed entries that a thread collects before it frees them. An entry may hold megabytes, so this is
/// less than the default of 32.
const UNRECLAIMED: usize = 8;

pub(super) struct Store {
    process: ProcessMark,
    pub(super) crawlers: Vec<Crawler>,
    /// Validity of a ticket, in seconds.
    pub(super) ticket_ttl: u64,
    pub(super) pace: Pace,
    pub(super) counters: Counters,
    max_bytes: usize,
    bytes: AtomicUsize,
    pub(super) seed: Seed,
    map: Map,
    /// One element for each origin, in the order of examination. Hits do not touch the queue.
    queue: Mutex<VecDeque<QueueEntry>>,
    serials: AtomicU64,
}

/// An origin in the queue, from its first entry to its eviction.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueEntry {
    pub(super) hash: u64,
    pub(super) serial: u64,
}

/// The error if there is no room, and no entry may be evicted now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Store {
    pub(super) fn new(
        crawlers: Vec<Crawler>,
        max_bytes: usize,
        ticket_ttl: u64,
    ) -> Result<Store, Error> {
        Ok(Store {
            process: ProcessMark::new()?,
            crawlers,
            ticket_ttl,
            pace: Pace::default(),
            counters: Counters::new()?,
            max_bytes,
            bytes: AtomicUsize::new(0),
            seed: Seed::new(),
            map: empty_map(),
            queue: Mutex::new(VecDeque::new()),
            serials: AtomicU64::new(0),
        })
    }

    /// Returns whether this is the process that created the store, and not a forked child.
    #[inline(always)]
    pub(super) fn is_ours(&self) -> bool {
        self.process.is_current()
    }

    /// Returns the entries with a guard. Drop it soon: replaced entries stay in memory while a guard exists.
    #[inline(always)]
    pub(super) fn entries(&self) -> Entries<'_> {
        Entries {
            map: &self.map,
            guard: self.map.guard(),
        }
    }

    pub(super) fn new_serial(&self) -> u64 {
        self.serials.fetch_add(1, Relaxed)
    }

    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Adds the entry of a new origin. Returns whether it was added: another thread may have added one first.
    pub(super) fn add(
        &self,
        entries: &Entries<'_>,
        key: Key,
        entry: Entry,
        now: Option<u64>,
    ) -> Result<bool, Full> {
        let cost = entry.cost(&key);
        self.reserve(cost, now)?;
        let queued = QueueEntry {
            hash: key.hash,
            serial: entry.serial,
        };
        if entries.map.try_insert(key, entry, &entries.guard).is_err() {
            self.release(cost);
            return Ok(false);
        }
        self.enqueue(queued);
        Ok(true)
    }

    /// Replaces and closes `entry`, which the caller has locked. The new entry takes over the slots.
    pub(super) fn replace(
        &self,
        entries: &Entries<'_>,
        key: &Key,
        (entry, mut locked): (&Entry, MutexGuard<'_, Locked>),
        new: Entry,
        now: Option<u64>,
    ) -> Result<(), Full> {
        let (before, after) = (entry.cost(key), new.cost(key));
        self.fits(after)?;
        self.reserve(after.saturating_sub(before), now)?;
        if entry.used.load(Relaxed) {
            new.mark_used();
        }
        let new = new.with_slots(locked.slots);
        entries.map.insert(key.clone(), new, &entries.guard);
        locked.lease = LeaseState::Closed;
        self.release(before.saturating_sub(after));
        Ok(())
    }

    /// Removes and closes `entry`, which the caller has locked. Its slots are lost.
    pub(super) fn remove(
        &self,
        entries: &Entries<'_>,
        key: &Key,
        (entry, mut locked): (&Entry, MutexGuard<'_, Locked>),
    ) {
        entries.map.remove(key, &entries.guard);
        locked.lease = LeaseState::Closed;
        self.release(entry.cost(key));
    }

    /// Returns a copy of the queue, from which the map may differ by now.
    pub(super) fn queued(&self) -> Vec<QueueEntry> {
        if !self.is_ours() {
            return Vec::new();
        }
        self.queue().iter().copied().collect()
    }

    /// Returns the entry of a queued origin, unless it was removed.
    pub(super) fn find<'a>(
        entries: &'a Entries<'_>,
        queued: QueueEntry,
    ) -> Option<(&'a Key, &'a Entry)> {
        entries
            .map
            .get_key_value(&ByHash(queued.hash), &entries.guard)
            .filter(|(_, entry)| entry.serial == queued.serial)
    }

    /// Returns the entry of an origin, locked.
    pub(super) fn locked<'a>(
        entries: &'a Entries<'_>,
        key: &Key,
    ) -> Option<(&'a Entry, MutexGuard<'a, Locked>)> {
        loop {
            let entry = entries.get(&key.by_ref())?;
            let locked = entry.lock();
            if locked.lease != LeaseState::Closed {
                return Some((entry, locked));
            }
        }
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<QueueEntry>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enqueue(&self, queued: QueueEntry) {
        let mut queue = self.queue();
        // Removed origins are still queued. They are dropped before they outnumber the others.
        if queue.len() > 2 * self.map.len() + 64 {
            let entries = self.entries();
            queue.retain(|queued| Store::find(&entries, *queued).is_some());
            queue.shrink_to(2 * self.map.len() + 64);
        }
        queue.push_back(queued);
    }

    /// Returns an error if an entry of this size exceeds the limit alone.
    pub(super) fn fits(&self, bytes: usize) -> Result<(), Full> {
        if bytes > self.max_bytes {
            return Err(Full);
        }
        Ok(())
    }

    /// Adds `more` bytes to the count and evicts as many entries as necessary. Without the time it evicts no entry, because it
    /// does not know which tickets are valid.
    fn reserve(&self, more: usize, now: Option<u64>) -> Result<(), Full> {
        self.fits(more)?;
        if self.try_count(more) {
            return Ok(());
        }
        let now = now.ok_or(Full)?;
        let mut queue = self.queue();
        while !self.try_count(more) {
            if !self.evict_one(&mut queue, now) {
                return Err(Full);
            }
        }
        Ok(())
    }

    fn try_count(&self, more: usize) -> bool {
        let sum = |bytes: usize| bytes.checked_add(more).filter(|sum| *sum <= self.max_bytes);
        self.bytes.fetch_update(Relaxed, Relaxed, sum).is_ok()
    }

    fn release(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Relaxed);
    }

    /// Evicts an entry by second-chance eviction; returns whether there was one. An entry that was used since its last turn goes
    /// to the end of the queue once; the first unused entry is evicted. An entry with a valid ticket or a held lock stays. An
    /// entry with a future slot loses only its outcome. If no other entry is left, the one whose slots end first is evicted.
    fn evict_one(&self, queue: &mut VecDeque<QueueEntry>, now: u64) -> bool {
        let entries = self.entries();
        let mut spared = 0;
        let mut resting: Option<(u64, QueueEntry)> = None;
        // Entries are only tried, never waited for: the thread that holds an entry's lock may wait for the queue.
        let is_idle = |locked: &MutexGuard<'_, Locked>| {
            let lease = locked.lease;
            lease != LeaseState::Closed && lease.live_until(now, self.ticket_ttl).is_none()
        };
        for _ in 0..queue.len().min(EXAMINED) {
            let Some(queued) = queue.pop_front() else {
                return false;
            };
            let Some((key, entry)) = Store::find(&entries, queued) else {
                continue;
            };
            queue.push_back(queued);
            let Some(locked) = entry.try_lock().filter(is_idle) else {
                continue;
            };
            if spared < SPARED && entry.used.swap(false, Relaxed) {
                spared += 1;
            } else if !locked.slots.is_after(now.saturating_mul(1_000)) {
                self.remove(&entries, key, (entry, locked));
                self.counters.count(Event::Evict, entries.thread());
                queue.pop_back();
                return true;
            } else if entry.outcome.is_some() {
                let new = Entry::pending(LeaseState::Free, entry.serial);
                // An entry without an outcome is smaller, so this does not fail.
                drop(self.replace(&entries, key, (entry, locked), new, None));
                self.counters.count(Event::Evict, entries.thread());
                return true;
            } else {
                let end = locked.slots.line().at();
                if resting.is_none_or(|(first, _)| end < first) {
                    resting = Some((end, queued));
                }
            }
        }
        let found = resting.and_then(|(_, queued)| Store::find(&entries, queued));
        let Some((key, entry)) = found else {
            return false;
        };
        let locked = entry.try_lock().filter(is_idle);
        locked.is_some_and(|locked| {
            self.remove(&entries, key, (entry, locked));
            self.counters.count(Event::Evict, entries.thread());
            true
        })
    }
}

impl Drop for Store {
    /// Leaks map and queue in a forked child: the parent's threads may have left them half changed.
    fn drop(&mut self) {
        if !self.is_ours() {
            core::mem::forget(core::mem::replace(&mut self.map, empty_map()));
            let queue = self.queue.get_mut().unwrap_or_else(PoisonError::into_inner);
            core::mem::forget(core::mem::take(queue));
        }
    }
}

fn empty_map() -> Map {
    HashMap::builder()
        .hasher(Carried::default())
        .collector(seize::Collector::new().batch_size(UNRECLAIMED))
        .build()
}

type Map = HashMap<Key, Entry, Carried>;

/// The map with the guard of one thread: the entries that it reads stay in memory until the guard is dropped.
pub(super) struct Entries<'a> {
    map: &'a Map,
    guard: LocalGuard<'a>,
}

impl Entries<'_> {
    /// Returns the number of this thread; no other thread has the same number at this time.
    #[inline(always)]
    pub(super) fn thread(&self) -> usize {
        self.guard.thread_id()
    }

    #[inline(always)]
    pub(super) fn get(&self, key: &(impl Equivalent<Key> + Hash)) -> Option<&Entry> {
        self.map.get(key, &self.guard)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_another_thread_replaces_is_not_evicted() {
        let store = Store::new(Vec::new(), 1_000_000, 120).unwrap();
        let key = Key::new(store.seed.key_ref(b"https://a.example"));
        let entries = store.entries();
        let entry = Entry::pending(LeaseState::Free, 0);
        assert_eq!(store.add(&entries, key.clone(), entry, None), Ok(true));
        entries.get(&key).unwrap().lock().lease = LeaseState::Closed;
        assert!(!store.evict_one(&mut store.queue(), 0) && store.len() == 1);
    }
}
