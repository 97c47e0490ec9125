//! The entries: a map that is read without a lock, a bound in octets, and a queue that says who goes first.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use papaya::{HashMap, HashMapRef, LocalGuard};

use super::entry::{Entry, LeaseState};
use super::key::{ByHash, Carried, Key, KeyRef, Secret};
use crate::crawler::Crawler;

/// How many entries one eviction spares because they were asked for meanwhile, and how many it looks at in
/// all: it never takes long, however many entries there are.
const SPARED: usize = 64;
const LOOKED_AT: usize = 256;

/// How many replaced or removed entries of one thread may await the end of those who read them.
const UNRECLAIMED: usize = 8;

pub(super) struct Store {
    pub(super) crawlers: Vec<Crawler>,
    /// Seconds.
    pub(super) ticket_ttl: u64,
    max_bytes: usize,
    bytes: AtomicUsize,
    secret: Secret,
    map: HashMap<Key, Entry, Carried>,
    /// Each origin's stay, the next to be looked at first. Touched when an origin comes, never by a hit.
    queue: Mutex<VecDeque<QueueEntry>>,
    serials: AtomicU64,
}

/// That an origin is kept, from its first entry to its eviction.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueEntry {
    pub(super) hash: u64,
    pub(super) serial: u64,
}

/// There is no room, and nothing may be evicted now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Store {
    pub(super) fn new(crawlers: Vec<Crawler>, max_bytes: usize, ticket_ttl: u64) -> Store {
        let collector = seize::Collector::new().batch_size(UNRECLAIMED);
        Store {
            crawlers,
            ticket_ttl,
            max_bytes,
            bytes: AtomicUsize::new(0),
            secret: Secret::new(),
            map: HashMap::builder()
                .hasher(Carried::default())
                .collector(collector)
                .build(),
            queue: Mutex::new(VecDeque::new()),
            serials: AtomicU64::new(0),
        }
    }

    /// The entries, to be read until it is dropped. Short: what others replace meanwhile stays in memory.
    #[inline(always)]
    pub(super) fn entries(&self) -> Entries<'_> {
        self.map.pin()
    }

    #[inline(always)]
    pub(super) fn seek<'a>(&self, origin: &'a [u8]) -> KeyRef<'a> {
        self.secret.seek(origin)
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

    /// Adds the entry of an origin of which there is none. `Ok(false)`: there is one by now.
    pub(super) fn add(
        &self,
        entries: &Entries<'_>,
        key: Key,
        entry: Entry,
        now: Option<u64>,
    ) -> Result<bool, Full> {
        let cost = entry.cost(&key);
        self.reserve(cost, now)?;
        let stay = QueueEntry {
            hash: key.hash(),
            serial: entry.serial,
        };
        if entries.try_insert(key, entry).is_err() {
            self.release(cost);
            return Ok(false);
        }
        self.queue_up(stay);
        Ok(true)
    }

    /// Replaces `entry`, whose hold the caller has in hand, and closes it.
    pub(super) fn replace(
        &self,
        entries: &Entries<'_>,
        key: &Key,
        (entry, mut hold): (&Entry, MutexGuard<'_, LeaseState>),
        new: Entry,
        now: Option<u64>,
    ) -> Result<(), Full> {
        let (before, after) = (entry.cost(key), new.cost(key));
        self.fits(after)?;
        self.reserve(after.saturating_sub(before), now)?;
        if entry.is_used() {
            new.mark_used();
        }
        entries.insert(key.clone(), new);
        *hold = LeaseState::Closed;
        self.release(before.saturating_sub(after));
        Ok(())
    }

    /// Removes `entry`, whose hold the caller has in hand, and closes it.
    pub(super) fn remove(
        &self,
        entries: &Entries<'_>,
        key: &Key,
        (entry, mut hold): (&Entry, MutexGuard<'_, LeaseState>),
    ) {
        entries.remove(key);
        *hold = LeaseState::Closed;
        self.release(entry.cost(key));
    }

    /// A list of who is kept; origins may come and go afterwards.
    pub(super) fn stays(&self) -> Vec<QueueEntry> {
        self.queue().iter().copied().collect()
    }

    pub(super) fn find<'a>(
        entries: &'a Entries<'_>,
        stay: QueueEntry,
    ) -> Option<(&'a Key, &'a Entry)> {
        entries
            .get_key_value(&ByHash(stay.hash))
            .filter(|(_, entry)| entry.serial == stay.serial)
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<QueueEntry>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue_up(&self, stay: QueueEntry) {
        let mut queue = self.queue();
        // Origins that were removed are still queued. Before they could be more than the others, they go.
        if queue.len() > 2 * self.map.len() + 64 {
            let entries = self.entries();
            queue.retain(|stay| Store::find(&entries, *stay).is_some());
            queue.shrink_to(2 * self.map.len() + 64);
        }
        queue.push_back(stay);
    }

    /// Whether something of this size can be kept at all.
    pub(super) fn fits(&self, bytes: usize) -> Result<(), Full> {
        if bytes > self.max_bytes {
            return Err(Full);
        }
        Ok(())
    }

    /// Counts `more` octets in, evicting as many others as that takes; none where the time is not known, and so
    /// not which tickets live.
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

    /// Second chance: who was asked for since the last look goes to the end of the queue once, the first who
    /// was not is evicted. Whoever is being fetched, or changed just now, stays.
    fn evict_one(&self, queue: &mut VecDeque<QueueEntry>, now: u64) -> bool {
        let entries = self.entries();
        let mut spared = 0;
        for _ in 0..queue.len().min(LOOKED_AT) {
            let Some(stay) = queue.pop_front() else {
                return false;
            };
            let Some((key, entry)) = Store::find(&entries, stay) else {
                continue;
            };
            // Never waits: whoever has the hold may be waiting for the queue.
            match entry.try_lease() {
                Some(hold) if *hold == LeaseState::Closed => (),
                Some(hold) if !hold.is_live(now, self.ticket_ttl) => {
                    if spared == SPARED || !entry.take_used_mark() {
                        self.remove(&entries, key, (entry, hold));
                        return true;
                    }
                    spared += 1;
                }
                _ => (),
            }
            queue.push_back(stay);
        }
        false
    }
}

pub(super) type Entries<'a> = HashMapRef<'a, Key, Entry, Carried, LocalGuard<'a>>;
