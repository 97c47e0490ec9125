//! Stores the sites: shards of a map, a limit in bytes, and second-chance eviction.
//!
//! A shard has two locks. Decisions read `sites`, whose lock has eight parts. Each reading thread takes one part, so most
//! readers neither wait for each other nor write the same memory. A thread that changes a site locks `asides` first, so that no
//! other thread changes the shard. The thread then locks all parts of `sites`, but only to add, replace or remove an element.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};

use hashbrown::HashTable;

use super::counters::{Counters, Event};
use super::images::Images;
use super::name::{Seed, SiteName, origin_of};
use super::site::Site;
use super::slot::{Pace, Slots};
use super::striped::Striped;
use crate::base::error::Error;
use crate::base::limits::MAX_TICKET_TTL;
use crate::bytes::try_alloc::{block, copy, push, reserved};
use crate::crawler::Crawler;
use crate::site::cache::fork::ProcessMark;
use crate::site::fetch::{Outcome, fingerprint};

/// The maximum number of used sites that one eviction spares. This bound and [`EXAMINED`] limit the time of an eviction,
/// however many sites there are.
const SPARED: usize = 64;

/// The maximum number of sites that one eviction examines.
const EXAMINED: usize = 256;

/// The maximum number of shards. The locks of a shard take 1 KiB.
const MAX_SHARDS: usize = 256;

/// Number of bytes of a cache's limit for each shard.
const BYTES_OF_SHARD: usize = 1 << 20;

/// Minimum number of asides in a table that is swept: before a full table grows, its needless asides are dropped.
const SWEPT: usize = 7;

/// While there are outcomes to evict, slots take at most the limit of the cache divided by this number.
const ASIDE_SHARE: usize = 4;

/// Number of milliseconds that a site keeps its slots after the last slot, so that a response to the last request still counts
/// (SPEC 3.9).
const GRACE_MS: u64 = 600_000;

pub(super) struct Store {
    process: ProcessMark,
    pub(super) crawlers: Vec<Crawler>,
    /// Validity of a ticket, in seconds.
    pub(super) ticket_ttl: u64,
    pub(super) pace: Pace,
    pub(super) counters: Counters,
    max_bytes: usize,
    bytes: AtomicUsize,
    /// Number of sites with slots.
    paced: AtomicUsize,
    len: AtomicUsize,
    pub(super) seed: Seed,
    pub(super) images: Images,
    shards: Box<[Shard]>,
    hand: Mutex<Hand>,
    tickets: AtomicU64,
}

struct Shard {
    sites: Striped<HashTable<Site>>,
    asides: Mutex<HashTable<Aside>>,
    /// Wakes the threads that wait for the end of a lease. They wait with the mutex `asides`.
    ended: Condvar,
}

/// Data that only few sites have: a lease, or slots.
pub(super) struct Aside {
    name: Box<[u8]>,
    pub(super) lease: Option<Lease>,
    pub(super) slots: Slots,
}

/// The right of a ticket's holder to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    pub(super) id: u64,
    pub(super) issued: u64,
    /// Whether a thread waits for the end of the lease: [`Store::wait`].
    pub(super) is_awaited: bool,
}

/// The next element that an eviction examines.
#[derive(Default)]
struct Hand {
    shard: usize,
    bucket: usize,
}

/// Why the cache refuses an outcome or an aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The outcome or aside alone exceeds the limit of the cache.
    TooLarge,
    /// There is no room, and nothing may be evicted now.
    Full,
    Memory,
}

impl From<Error> for Refused {
    fn from(_: Error) -> Refused {
        Refused::Memory
    }
}

impl From<Refused> for Error {
    fn from(_: Refused) -> Error {
        Error::Memory
    }
}

impl Lease {
    /// Returns the time at which the ticket expires at the latest; `None` if the ticket has expired. A ticket expires when the
    /// clock is `ttl` seconds after or before the time of issue. So setting the clock back does not prolong a ticket, and a
    /// small difference between the clocks of two threads does not end a ticket.
    pub(super) fn live_until(self, now: u64, ttl: u64) -> Option<u64> {
        let is_live = now.abs_diff(self.issued) < ttl;
        is_live.then(|| self.issued.saturating_add(ttl))
    }
}

impl Aside {
    fn find<'a>(asides: &'a HashTable<Aside>, name: SiteName<'_>) -> Option<&'a Aside> {
        asides.find(name.hash, |aside| *aside.name == *name.bytes)
    }

    fn is_paced(&self) -> bool {
        self.slots != Slots::UNUSED
    }

    fn is_empty(&self) -> bool {
        self.lease.is_none() && self.slots == Slots::UNUSED
    }

    /// Returns whether a ticket of the site is valid.
    fn is_leased(&self, now: u64, ttl: u64) -> bool {
        let until = self.lease.and_then(|lease| lease.live_until(now, ttl));
        until.is_some()
    }

    fn cost(&self) -> usize {
        // Between 7/16 and 7/8 of the table's places are in use.
        block(self.name.len()) + (size_of::<Aside>() + 1) * 3 / 2
    }
}

impl Shard {
    fn find<'a>(sites: &'a HashTable<Site>, name: SiteName<'_>) -> Option<&'a Site> {
        sites.find(name.hash, |site| site.name() == name.bytes)
    }

    fn has(&self, name: SiteName<'_>) -> bool {
        Shard::find(&self.sites.read(), name).is_some()
    }
}

/// Replaces a table that has become much too large by a smaller table, if there is memory for the smaller table.
fn shrink<T>(table: &mut HashTable<T>, hash: impl Fn(&T) -> u64) {
    let mut small = HashTable::new();
    let room = 2 * table.len() + 8;
    if table.capacity() > 8 * room && small.try_reserve(room, &hash).is_ok() {
        for item in table.drain() {
            small.insert_unique(hash(&item), item, &hash);
        }
        *table = small;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Even if a thread panics, the data that these locks guard are never half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        locked => locked.ok(),
    }
}

impl Store {
    pub(super) fn new(
        crawlers: Vec<Crawler>,
        max_bytes: usize,
        ticket_ttl: u64,
    ) -> Result<Store, Error> {
        let count = (max_bytes / BYTES_OF_SHARD).clamp(1, MAX_SHARDS);
        let mut shards = reserved(count.next_power_of_two())?;
        shards.resize_with(count.next_power_of_two(), || Shard {
            sites: Striped::new(HashTable::new()),
            asides: Mutex::new(HashTable::new()),
            ended: Condvar::new(),
        });
        Ok(Store {
            process: ProcessMark::new()?,
            crawlers,
            ticket_ttl,
            pace: Pace::default(),
            counters: Counters::new()?,
            max_bytes,
            bytes: AtomicUsize::new(0),
            paced: AtomicUsize::new(0),
            len: AtomicUsize::new(0),
            seed: Seed::new(),
            images: Images::new(max_bytes)?,
            shards: shards.into_boxed_slice(),
            hand: Mutex::default(),
            tickets: AtomicU64::new(0),
        })
    }

    /// Returns whether this is the process that created the store, and not a forked child.
    #[inline(always)]
    pub(super) fn is_ours(&self) -> bool {
        self.process.is_current()
    }

    /// Returns a new lease. `expired`: the expired lease that the new lease replaces.
    pub(super) fn new_lease(&self, now: u64, expired: Option<Lease>) -> Lease {
        Lease {
            id: self.tickets.fetch_add(1, Relaxed),
            issued: now,
            is_awaited: expired.is_some_and(|expired| expired.is_awaited),
        }
    }

    /// Waits until a site has no lease, at most for `timeout`. Returns whether the site has no lease.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn wait(&self, name: SiteName<'_>, timeout: std::time::Duration) -> bool {
        let shard = self.shard(name);
        let is_leased = |asides: &mut HashTable<Aside>| {
            let aside = asides.find_mut(name.hash, |aside| *aside.name == *name.bytes);
            let lease = aside.and_then(|aside| aside.lease.as_mut());
            lease.map(|lease| lease.is_awaited = true).is_some()
        };
        let asides = lock(&shard.asides);
        let waited = shard.ended.wait_timeout_while(asides, timeout, is_leased);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Returns the number of sites with an outcome, a ticket or a slot.
    pub(super) fn len(&self) -> usize {
        self.len.load(Relaxed)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn name<'a>(&self, origin: &'a str) -> SiteName<'a> {
        self.seed.name(origin.as_bytes())
    }

    /// Returns the outcome of a site, of any age.
    pub(super) fn outcome(&self, name: SiteName<'_>) -> Result<Option<Outcome>, Error> {
        let crawlers = (fingerprint(&self.crawlers), self.crawlers.len());
        self.read(name, |site| site.outcome(crawlers))
            .unwrap_or(Ok(None))
    }

    #[inline(always)]
    fn shard(&self, name: SiteName<'_>) -> &Shard {
        // The map uses other bits for place and tag. The number of shards is a power of two, so the mask gives an index in range.
        let index = (name.hash >> 40) as usize & (self.shards.len() - 1);
        #[allow(clippy::indexing_slicing, reason = "a masked index")]
        &self.shards[index]
    }

    /// Calls `work` with a site, which does not change during this call; `None` if the site has no outcome.
    #[inline(always)]
    pub(super) fn read<R>(&self, name: SiteName<'_>, work: impl FnOnce(&Site) -> R) -> Option<R> {
        let sites = self.shard(name).sites.read();
        Shard::find(&sites, name).map(work)
    }

    pub(super) fn lock<'a>(&'a self, name: SiteName<'a>) -> Locked<'a> {
        self.locked(name, lock(&self.shard(name).asides))
    }

    /// Locks a site for changes; `None` while another thread changes the shard.
    pub(super) fn try_lock<'a>(&'a self, name: SiteName<'a>) -> Option<Locked<'a>> {
        let asides = try_lock(&self.shard(name).asides)?;
        Some(self.locked(name, asides))
    }

    fn locked<'a>(&'a self, name: SiteName<'a>, asides: AsidesGuard<'a>) -> Locked<'a> {
        Locked {
            store: self,
            shard: self.shard(name),
            asides,
            name,
        }
    }

    /// Returns the origins of the sites in a shard; `None` after the last shard.
    pub(super) fn origins(&self, shard: usize) -> Option<Result<Vec<String>, Error>> {
        let shard = self.shards.get(shard).filter(|_| self.is_ours())?;
        let asides = lock(&shard.asides);
        let sites = shard.sites.read();
        let alone = asides
            .iter()
            .map(|aside| &*aside.name)
            .filter(|name| Shard::find(&sites, self.seed.name(name)).is_none());
        let mut origins = Vec::new();
        let names = sites.iter().map(Site::name).chain(alone);
        let listed = names
            .map(origin_of)
            .try_for_each(|origin| push(&mut origins, origin?));
        Some(listed.map(|()| origins))
    }

    /// Removes all outcomes and slots. Tickets stay valid.
    pub(super) fn clear(&self) {
        for shard in &self.shards {
            let mut asides = lock(&shard.asides);
            let sites = core::mem::take(&mut *shard.sites.write());
            sites
                .into_iter()
                .for_each(|site| self.free_alone(&asides, site));
            for aside in asides.iter_mut() {
                self.paced.fetch_sub(aside.is_paced().into(), Relaxed);
                aside.slots = Slots::UNUSED;
            }
            for aside in asides.extract_if(|aside| aside.is_empty()) {
                self.uncount_aside(shard, &aside);
            }
            shrink(&mut asides, |aside| self.seed.hash(&aside.name));
        }
    }

    fn hash(&self) -> impl Fn(&Site) -> u64 {
        |site| self.seed.hash(site.name())
    }

    fn count(&self, more: usize) -> bool {
        let sum = |bytes: usize| bytes.checked_add(more).filter(|sum| *sum <= self.max_bytes);
        self.bytes.fetch_update(Relaxed, Relaxed, sum).is_ok()
    }

    fn uncount(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Relaxed);
    }

    /// Updates the counts after an aside was removed.
    fn uncount_aside(&self, shard: &Shard, aside: &Aside) {
        self.uncount(aside.cost());
        self.paced.fetch_sub(aside.is_paced().into(), Relaxed);
        if !shard.has(self.seed.name(&aside.name)) {
            self.len.fetch_sub(1, Relaxed);
        }
    }

    /// Removes a site from a shard and frees it. `take`: takes the site out of the table.
    fn remove(
        &self,
        shard: &Shard,
        asides: &HashTable<Aside>,
        take: impl FnOnce(&mut HashTable<Site>) -> Option<Site>,
    ) {
        let mut sites = shard.sites.write();
        if let Some(site) = take(&mut sites) {
            shrink(&mut sites, self.hash());
            drop(sites);
            self.free_alone(asides, site);
        }
    }

    /// Frees a site that was removed. If the site has no aside, updates the number of sites.
    fn free_alone(&self, asides: &HashTable<Aside>, site: Site) {
        let is_alone = Aside::find(asides, self.seed.name(site.name())).is_none();
        self.len.fetch_sub(is_alone.into(), Relaxed);
        self.free(site);
    }

    fn free(&self, site: Site) {
        self.uncount(site.release(&self.images, &self.seed));
    }
}

type AsidesGuard<'a> = MutexGuard<'a, HashTable<Aside>>;

/// A site whose shard no other thread changes.
pub(super) struct Locked<'a> {
    store: &'a Store,
    shard: &'a Shard,
    asides: AsidesGuard<'a>,
    name: SiteName<'a>,
}

impl Locked<'_> {
    /// Calls `work` with the site; `None` if it has no outcome.
    pub(super) fn read<R>(&self, work: impl FnOnce(&Site) -> R) -> Option<R> {
        Shard::find(&self.shard.sites.read(), self.name).map(work)
    }

    pub(super) fn name(&self) -> SiteName<'_> {
        self.name
    }

    fn aside(&self) -> Option<&Aside> {
        Aside::find(&self.asides, self.name)
    }

    pub(super) fn lease(&self) -> Option<Lease> {
        self.aside()?.lease
    }

    pub(super) fn slots(&self) -> Slots {
        self.aside().map_or(Slots::UNUSED, |aside| aside.slots)
    }

    /// Ends the lease with this number. Returns `false` if the site has another lease or none.
    pub(super) fn end_lease(&mut self, id: u64) -> bool {
        let Some(lease) = self.lease().filter(|lease| lease.id == id) else {
            return false;
        };
        // The site has an aside, so nothing is allocated.
        let _ = self.set_aside(None, |aside| aside.lease = None);
        if lease.is_awaited {
            self.shard.ended.notify_all();
        }
        true
    }

    /// Changes the aside of the site. A missing aside is added, and an empty one is removed.
    pub(super) fn set_aside(
        &mut self,
        now: Option<u64>,
        change: impl FnOnce(&mut Aside),
    ) -> Result<(), Refused> {
        let (store, name) = (self.store, self.name);
        let is_it = |aside: &Aside| *aside.name == *name.bytes;
        if let Ok(mut entry) = self.asides.find_entry(name.hash, is_it) {
            let aside = entry.get_mut();
            store.paced.fetch_sub(aside.is_paced().into(), Relaxed);
            change(aside);
            store.paced.fetch_add(aside.is_paced().into(), Relaxed);
            if aside.is_empty() {
                let (aside, _) = entry.remove();
                store.uncount_aside(self.shard, &aside);
                shrink(&mut self.asides, |aside| store.seed.hash(&aside.name));
            }
            return Ok(());
        }
        let mut aside = Aside {
            name: copy(name.bytes)?.into(),
            lease: None,
            slots: Slots::UNUSED,
        };
        change(&mut aside);
        if aside.is_empty() {
            return Ok(());
        }
        let bytes = aside.cost();
        if self.asides.len() == self.asides.capacity().max(SWEPT) {
            now.into_iter().for_each(|now| self.sweep(now));
        }
        let paced = store.paced.load(Relaxed).saturating_mul(bytes);
        let is_much = aside.is_paced() && paced > store.max_bytes / ASIDE_SHARE;
        if let Some(now) = now.filter(|_| is_much) {
            self.drop_slots(now);
        }
        self.reserve(bytes, now)?;
        let hash = |aside: &Aside| store.seed.hash(&aside.name);
        if self.asides.try_reserve(1, hash).is_err() {
            store.uncount(bytes);
            return Err(Refused::Memory);
        }
        store.paced.fetch_add(aside.is_paced().into(), Relaxed);
        self.asides.insert_unique(self.name.hash, aside, hash);
        if !self.shard.has(self.name) {
            store.len.fetch_add(1, Relaxed);
        }
        Ok(())
    }

    /// Replaces the outcome of the site. The new images are shared with equal images of other sites. The mark of use stays.
    pub(super) fn put(&mut self, mut site: Site, now: Option<u64>) -> Result<(), Refused> {
        let store = self.store;
        let bytes = site.cost();
        let sites = self.shard.sites.read();
        let old = Shard::find(&sites, self.name);
        let more = bytes - site.share(&store.images, &store.seed, old);
        drop(sites);
        self.reserve(more, now).inspect_err(|_| {
            // The number of freed bytes is known only now, because another site may have started or stopped sharing an image.
            let released = site.release(&store.images, &store.seed);
            store.bytes.fetch_add(more.wrapping_sub(released), Relaxed);
        })?;
        let mut sites = self.shard.sites.write();
        if sites.try_reserve(1, store.hash()).is_err() {
            drop(sites);
            store.free(site);
            return Err(Refused::Memory);
        }
        let name = self.name;
        let old = match sites.find_mut(name.hash, |site| site.name() == name.bytes) {
            Some(old) => {
                site.keep_mark(old);
                Some(core::mem::replace(old, site))
            }
            None => {
                sites.insert_unique(name.hash, site, store.hash());
                None
            }
        };
        drop(sites);
        match old {
            Some(old) => store.free(old),
            None if self.aside().is_none() => drop(store.len.fetch_add(1, Relaxed)),
            None => (),
        }
        Ok(())
    }

    pub(super) fn remove(&mut self) {
        let name = self.name;
        let find = |sites: &mut HashTable<Site>| {
            let entry = sites.find_entry(name.hash, |site| site.name() == name.bytes);
            Some(entry.ok()?.remove().0)
        };
        self.store.remove(self.shard, &self.asides, find);
    }

    /// Drops the asides that are no longer needed.
    fn sweep(&mut self, now: u64) {
        // The holder of an expired ticket may still submit an outcome, so keep each lease for the longest possible validity.
        let ttl = MAX_TICKET_TTL;
        let past = now.saturating_mul(1_000).saturating_sub(GRACE_MS);
        let is_needless =
            |aside: &mut Aside| !aside.is_leased(now, ttl) && !aside.slots.is_after(past);
        let store = self.store;
        for aside in self.asides.extract_if(is_needless) {
            store.uncount_aside(self.shard, &aside);
        }
        shrink(&mut self.asides, |aside| store.seed.hash(&aside.name));
    }

    /// Examines some asides without a valid ticket, and drops the aside whose slots end first. Returns whether it dropped an
    /// aside.
    fn drop_slots(&mut self, now: u64) -> bool {
        let ttl = self.store.ticket_ttl;
        let ends = (0..self.asides.num_buckets()).filter_map(|bucket| {
            let aside = self.asides.get_bucket(bucket)?;
            (!aside.is_leased(now, ttl)).then(|| (aside.slots.line().at(), bucket))
        });
        let first = ends.take(EXAMINED).min();
        let entry = first.and_then(|(_, bucket)| self.asides.get_bucket_entry(bucket).ok());
        let removed = entry.map(|entry| entry.remove().0);
        if let Some(aside) = &removed {
            self.store.uncount_aside(self.shard, aside);
            self.store.counters.count(Event::Evict);
        }
        removed.is_some()
    }

    /// Adds `more` bytes to the count and evicts as many sites as necessary. Without `now` it evicts nothing, because only the
    /// time shows which tickets are valid.
    fn reserve(&mut self, more: usize, now: Option<u64>) -> Result<(), Refused> {
        if more > self.store.max_bytes {
            return Err(Refused::TooLarge);
        }
        while !self.store.count(more) {
            let now = now.ok_or(Refused::Full)?;
            if !self.evict(now) && !self.drop_slots(now) {
                return Err(Refused::Full);
            }
        }
        Ok(())
    }

    /// Evicts the outcome of a site by second-chance eviction. Returns whether there was an outcome to evict. The *hand*, a
    /// position in the map, moves over the sites in a cycle. The hand spares sites that were used since its last pass, and
    /// sites with a valid ticket. The first other site is evicted.
    fn evict(&mut self, now: u64) -> bool {
        let store = self.store;
        let mut hand = lock(&store.hand);
        let (mut spared, mut examined, mut passed) = (0, 0, 0);
        while examined < EXAMINED && passed <= store.shards.len() {
            let Some(shard) = store.shards.get(hand.shard) else {
                hand.shard = 0;
                continue;
            };
            // Do not wait for the lock of another shard. The thread that holds this lock may wait for the hand, so both would
            // wait forever.
            let is_own = core::ptr::eq(shard, self.shard);
            let other = (!is_own).then(|| try_lock(&shard.asides)).flatten();
            let asides = match is_own {
                true => Some(&*self.asides),
                false => other.as_deref(),
            };
            let found = asides.and_then(|asides| {
                let sites = shard.sites.read();
                let mut buckets = hand.bucket..sites.num_buckets();
                let (bucket, site) = buckets
                    .find_map(|bucket| sites.get_bucket(bucket).map(|site| (bucket, site)))?;
                let aside = Aside::find(asides, store.seed.name(site.name()));
                let is_spared = aside.is_some_and(|aside| aside.is_leased(now, store.ticket_ttl))
                    || site.take_mark() && spared < SPARED;
                Some((bucket, is_spared, asides))
            });
            let Some((bucket, is_spared, asides)) = found else {
                (hand.shard, hand.bucket) = (hand.shard + 1, 0);
                passed += 1;
                continue;
            };
            hand.bucket = bucket + 1;
            examined += 1;
            if is_spared {
                spared += 1;
                continue;
            }
            store.remove(shard, asides, |sites| {
                Some(sites.get_bucket_entry(bucket).ok()?.remove().0)
            });
            store.counters.count(Event::Evict);
            return true;
        }
        false
    }
}

impl Drop for Store {
    /// Leaks the sites in a forked child: the parent's threads may have left them half changed.
    fn drop(&mut self) {
        if !self.is_ours() {
            core::mem::forget(core::mem::take(&mut self.shards));
            core::mem::forget(core::mem::take(&mut self.images));
        }
    }
}
