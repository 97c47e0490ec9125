//! The entries: a map that is read without a lock, a limit in bytes, and a queue for second-chance eviction.

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

/// How many used entries one eviction spares, and how many it examines at most: it is quick however many entries there
/// are.
const SPARED: usize = 64;
const EXAMINED: usize = 256;

/// How many replaced or removed entries of one thread may wait for their readers.
const UNRECLAIMED: usize = 8;

pub(super) struct Store {
    process: ProcessMark,
    pub(super) crawlers: Vec<Crawler>,
    /// Seconds.
    pub(super) ticket_ttl: u64,
    pub(super) pace: Pace,
    pub(super) counters: Counters,
    max_bytes: usize,
    bytes: AtomicUsize,
    pub(super) seed: Seed,
    map: Map,
    /// One element for each origin, the next to examine first. Hits do not touch it.
    queue: Mutex<VecDeque<QueueEntry>>,
    serials: AtomicU64,
}

/// An origin in the queue, from its first entry to its eviction.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueEntry {
    pub(super) hash: u64,
    pub(super) serial: u64,
}

/// There is no room, and no entry may be evicted now.
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

    /// Whether this is the process that created the store, and not a forked child.
    #[inline(always)]
    pub(super) fn is_ours(&self) -> bool {
        self.process.is_current()
    }

    /// The entries, readable until the guard is dropped. Drop it soon: replaced entries stay in memory while it exists.
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

    /// Adds the entry of a new origin. `Ok(false)`: another thread added one first.
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

    /// Replaces `entry`, which the caller has locked, and closes it. The new one has its slots.
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

    /// Removes `entry`, which the caller has locked, with its slots, and closes it.
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

    /// The origins in the queue; some may come and go afterwards.
    pub(super) fn queued(&self) -> Vec<QueueEntry> {
        if !self.is_ours() {
            return Vec::new();
        }
        self.queue().iter().copied().collect()
    }

    pub(super) fn find<'a>(
        entries: &'a Entries<'_>,
        queued: QueueEntry,
    ) -> Option<(&'a Key, &'a Entry)> {
        entries
            .map
            .get_key_value(&ByHash(queued.hash), &entries.guard)
            .filter(|(_, entry)| entry.serial == queued.serial)
    }

    /// The entry of an origin, locked.
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
        // Removed origins are still queued. They leave before they outnumber the others.
        if queue.len() > 2 * self.map.len() + 64 {
            let entries = self.entries();
            queue.retain(|queued| Store::find(&entries, *queued).is_some());
            queue.shrink_to(2 * self.map.len() + 64);
        }
        queue.push_back(queued);
    }

    /// Whether an entry of this size fits at all.
    pub(super) fn fits(&self, bytes: usize) -> Result<(), Full> {
        if bytes > self.max_bytes {
            return Err(Full);
        }
        Ok(())
    }

    /// Adds `more` bytes to the count and evicts as many entries as that takes. Without the time it evicts none, because
    /// it does not know which tickets are valid.
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

    /// Second-chance eviction: an entry used since its last turn goes to the end of the queue once; the first unused one
    /// is evicted. An entry that is being fetched, or changed just now, stays. A slot in the future outlives its outcome: the
    /// entry stays without it. If there is nothing else, the one whose slots end first is evicted.
    fn evict_one(&self, queue: &mut VecDeque<QueueEntry>, now: u64) -> bool {
        let entries = self.entries();
        let mut spared = 0;
        let mut resting: Option<(u64, QueueEntry)> = None;
        // Never waits: the thread that has an entry locked may wait for the queue.
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
            if let Some(locked) = entry.try_lock().filter(is_idle) {
                let is_unused = spared == SPARED || !entry.used.swap(false, Relaxed);
                let rests = locked.slots.is_after(now.saturating_mul(1_000));
                match (is_unused, rests, &entry.outcome) {
                    (true, false, _) => {
                        self.remove(&entries, key, (entry, locked));
                        self.counters.count(Event::Evict, entries.thread());
                        return true;
                    }
                    (true, true, Some(_)) => {
                        let new = Entry::pending(LeaseState::Free, entry.serial);
                        // An entry without an outcome is smaller, so this does not fail.
                        drop(self.replace(&entries, key, (entry, locked), new, None));
                        self.counters.count(Event::Evict, entries.thread());
                        queue.push_back(queued);
                        return true;
                    }
                    (true, true, None) => {
                        let end = locked.slots.line().at();
                        if resting.is_none_or(|(first, _)| end < first) {
                            resting = Some((end, queued));
                        }
                    }
                    (false, ..) => spared += 1,
                }
            }
            queue.push_back(queued);
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
    /// In a forked child the parent's threads may have left map and queue half changed: their memory is not freed.
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

/// The map, and the guard of one thread: what it reads stays in memory until the guard is dropped.
pub(super) struct Entries<'a> {
    map: &'a Map,
    guard: LocalGuard<'a>,
}

impl Entries<'_> {
    /// The number of this thread; no other thread has it at this time.
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
