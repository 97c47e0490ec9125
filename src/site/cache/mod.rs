//! The outcomes of many sites in bounded memory, for many threads.
//!
//! - `store`: a lock-free hash map (papaya) from origin to entry, a byte count, and a queue for second-chance eviction.
//! - `entry`: the outcome of one origin, and the lock of its lease and slots, which only callers that fetch or request take.
//! - `ticket`: the right to fetch one robots.txt, and how its outcome enters the cache.
//! - `slot`, `pace`: when the next requests to a site may be sent.
//! - `counters`: event counters without contention.
//! - `key`: the origin, hashed with a random seed.
//! - `record`: export to and import from another process.
//! - `fork`: detection of forked children.

mod counters;
mod entry;
#[allow(unsafe_code, reason = "a handler that runs after a fork")]
mod fork;
mod key;
mod pace;
mod record;
mod slot;
mod store;
mod ticket;

use std::borrow::Cow;
use std::sync::Arc;

pub use pace::CacheRequest;
pub use record::Export;
pub use slot::{DEFAULT_HORIZON_MS, DEFAULT_MAX_DELAY_MS};
pub use ticket::Ticket;

use crate::base::error::Error;
use crate::base::limits::{
    ERROR_WAIT, MAX_CRAWLERS, MAX_TICKET_TTL, MIN_CACHE_BYTES, validate_time,
};
use crate::base::verdict::Verdict;
use crate::bytes::try_alloc::push;
use crate::crawler::Crawler;
use crate::site::fetch::Outcome;
use crate::url::origin;
use crate::url::scan::authority_end;
use crate::url::target::after_scheme;
use counters::Event;
use entry::{Entry, LeaseState};
use key::{Key, KeyRef};
use store::{Full, Store};

/// The outcomes of many sites' fetches, by origin, for one crawler or several (SPEC 3.7).
///
/// A clone shares the cache, and threads may share it. A decision from the cache takes no lock; for ordinary URLs it
/// allocates nothing ([`Cache::check`]). Times are seconds since 1970-01-01 UTC by the caller's clock, which is one clock
/// for all threads (SPEC 2.18). An outcome that lies more than a minute in the future of `now` decides nothing: the next
/// caller fetches the file again.
///
/// A forked child must not use the cache of its parent, whose threads may have left it locked. There, every call that can
/// fail returns [`Error::InvalidState`]. Create a cache in the child and [import](Cache::import) records.
///
/// ```
/// use robots::cache::{CacheDecision, Cache};
/// use robots::{Crawler, Outcome};
///
/// let crawlers = [Crawler::new("ExampleBot")?];
/// let cache = Cache::new(&crawlers, 100_000_000)?;
/// let (url, now) = ("https://example.com/private/page", 1_800_000_000);
/// let CacheDecision::Fetch(ticket) = cache.check(0, url, now) else { panic!("the cache is empty") };
/// // Here the crawler fetches, see `Ticket::fetch`. Until it has finished, other callers get `Wait`.
/// assert!(matches!(cache.check(0, url, now), CacheDecision::Wait { .. }));
/// let body = b"User-agent: *\nDisallow: /private/";
/// ticket.finish(Outcome::from_status(&crawlers, url, 200, body, now)?, now)?;
/// assert!(matches!(cache.check(0, url, now), CacheDecision::Decided { verdict, .. } if !verdict.allowed()));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone)]
pub struct Cache {
    store: Arc<Store>,
}

/// The next action of the crawler for a URL.
#[derive(Debug)]
#[must_use]
pub enum CacheDecision {
    /// Obey the verdict. A verdict with an error is also final: the text is no URL of a site ([`Error::Url`], [`Error::Scheme`]).
    Decided {
        /// Whether the URL may be fetched.
        verdict: Verdict,
        /// Ticket to fetch the robots.txt again: the last tenth of its TTL has begun. Until the ticket is finished, the old
        /// outcome decides for all callers, for at most 24 hours after its fetch (SPEC 3.8; koster1996: 7 days).
        refresh: Option<Ticket>,
    },
    /// The cache has no usable outcome of the site: fetch its robots.txt, submit the outcome and check the URL again.
    Fetch(Ticket),
    /// Another thread fetches the robots.txt, or there is no room. Check the URL again soon.
    Wait {
        /// Time at which the other thread's ticket expires at the latest.
        until: u64,
    },
    /// No caller may fetch anything of the site now, including its robots.txt (SPEC 2.7 to 2.10). Keep the URL.
    Defer {
        /// Verdict that is not allowed, with [`Reason::Unreachable`](crate::Reason::Unreachable),
        /// [`Reason::Defer`](crate::Reason::Defer) or an error.
        verdict: Verdict,
        /// Time of the next check: later than `now` (SPEC 2.18).
        until: u64,
    },
}

/// The contents of a cache and its events since it was created: [`Cache::counts`]. Errors of the caller are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheCounts {
    /// Number of sites, including sites whose first fetch is in progress.
    pub sites: usize,
    /// Number of bytes that the sites take.
    pub bytes: usize,
    /// Number of URLs that a fresh outcome decided.
    pub hits: u64,
    /// Number of URLs that an outcome decided after its TTL: the refresh is due, or failed.
    pub stale_hits: u64,
    /// Number of tickets.
    pub fetches: u64,
    /// Number of URLs that waited for a fetch of another thread, or for room.
    pub waits: u64,
    /// Number of deferred URLs: the robots.txt cannot be reached, or the slot is later than the horizon.
    pub deferred: u64,
    /// Number of outcomes that were evicted for others.
    pub evicted: u64,
}

impl CacheDecision {
    /// Returns the decision after an error.
    pub(crate) fn after(error: Error, now: u64) -> CacheDecision {
        let verdict = Verdict::from_error(error);
        match error {
            Error::Url | Error::Scheme => decided(verdict),
            _ => CacheDecision::Defer {
                verdict,
                until: now.saturating_add(ERROR_WAIT),
            },
        }
    }
}

/// Default validity of a ticket, in seconds.
pub const DEFAULT_TICKET_TTL: u64 = 120;

impl Cache {
    /// Creates a cache for `crawlers` (1 to 16) with a memory limit of `max_bytes`, at least 65,536. The limit includes keys,
    /// rules, and allocator and map overhead; a small robots.txt takes about 800 bytes. An eviction keeps future slots (SPEC
    /// 3.9), unless all sites that it examines, up to 256, have one. Replaced and evicted entries do not count. They stay in
    /// memory until the threads that read them are done: usually a few, more while the system suspends such a thread.
    ///
    /// # Errors
    /// [`Error::Argument`] outside these ranges; [`Error::Memory`].
    pub fn new(crawlers: &[Crawler], max_bytes: usize) -> Result<Cache, Error> {
        let in_range = (1..=MAX_CRAWLERS).contains(&crawlers.len()) && max_bytes >= MIN_CACHE_BYTES;
        if !in_range {
            return Err(Error::Argument);
        }
        let store = Store::new(crawlers.to_vec(), max_bytes, DEFAULT_TICKET_TTL)?;
        Ok(Cache {
            store: Arc::new(store),
        })
    }

    /// Sets how many seconds a ticket is valid, 1 to 86,400; default: [`DEFAULT_TICKET_TTL`]. Choose more than the longest
    /// retrieval takes, including redirects: after the ticket has expired, another thread may fetch the same file.
    ///
    /// # Errors
    /// [`Error::Argument`] outside this range; [`Error::InvalidState`] if the cache has content, clones or tickets.
    pub fn with_ticket_ttl(mut self, seconds: u64) -> Result<Cache, Error> {
        self.set_ticket_ttl(seconds)?;
        Ok(self)
    }

    pub(crate) fn set_ticket_ttl(&mut self, seconds: u64) -> Result<(), Error> {
        if !(1..=MAX_TICKET_TTL).contains(&seconds) {
            return Err(Error::Argument);
        }
        self.unused()?.ticket_ttl = seconds;
        Ok(())
    }

    /// Adds a crawler, before the cache has content.
    pub(crate) fn add_crawler(&mut self, crawler: Crawler) -> Result<(), Error> {
        let store = self.unused()?;
        if store.crawlers.len() >= MAX_CRAWLERS {
            return Err(Error::Argument);
        }
        push(&mut store.crawlers, crawler)
    }

    /// Returns the store, unless it is shared or has content.
    fn unused(&mut self) -> Result<&mut Store, Error> {
        Arc::get_mut(&mut self.store)
            .filter(|store| store.len() == 0 && store.is_ours())
            .ok_or(Error::InvalidState)
    }

    /// Returns the next action of the crawler with this index for `url`, an absolute URL, at the time `now`.
    ///
    /// A decision from the cache takes no lock. It allocates nothing if the origin in the URL is canonical: ASCII, lower case,
    /// no user name. Errors are in the verdict:
    ///
    /// - [`CacheDecision::Decided`]: [`Error::Url`] and [`Error::Scheme`] (SPEC 1.6) are final.
    /// - [`CacheDecision::Defer`] for 60 seconds: [`Error::Argument`] for an unknown crawler or a time after the year 9999,
    ///   [`Error::InvalidState`] in a forked child.
    /// - [`CacheDecision::Defer`] for as long as the cache remembers that the robots.txt does not fit: [`Error::Memory`].
    #[inline]
    pub fn check(&self, crawler: usize, url: impl AsRef<[u8]>, now: u64) -> CacheDecision {
        self.check_bytes(crawler, url.as_ref(), now)
    }

    /// Implements [`Cache::check`], inlined into each caller.
    #[inline(always)]
    pub(crate) fn check_bytes(&self, crawler: usize, url: &[u8], now: u64) -> CacheDecision {
        if !self.store.is_ours() {
            return CacheDecision::after(Error::InvalidState, now);
        }
        // Fast path: look up the raw bytes before the path. All keys of the map are canonical, so raw bytes that equal a key
        // need no parsing.
        if let Some(origin) = raw_origin(url) {
            let key = self.store.seed.key_ref(origin);
            if let Some(decision) = self.decide(crawler, key, url, now) {
                return decision;
            }
        }
        self.ask(crawler, url, now)
    }

    /// Returns the decision on a URL of this origin, if its entry is settled.
    #[inline(always)]
    fn decide(
        &self,
        crawler: usize,
        origin: KeyRef<'_>,
        url: &[u8],
        now: u64,
    ) -> Option<CacheDecision> {
        let entries = self.store.entries();
        let entry = entries.get(&origin)?;
        match entry.rules(crawler) {
            Some(rules) if entry.is_settled(now) => {
                entry.mark_used();
                self.store.counters.count(entry.event, entries.thread());
                Some(decided(rules.check_bytes(url)))
            }
            _ => self.refuse(crawler, entry, now, entries.thread()),
        }
    }

    /// Returns the decision of an entry without usable rules; `None` if a fetch is due or there is no such crawler.
    #[cold]
    fn refuse(
        &self,
        crawler: usize,
        entry: &Entry,
        now: u64,
        thread: usize,
    ) -> Option<CacheDecision> {
        let until = entry.due_after(now)?;
        if crawler >= self.store.crawlers.len() {
            return None;
        }
        entry.mark_used();
        self.store.counters.count(Event::Defer, thread);
        let verdict = entry.refusal;
        Some(CacheDecision::Defer { verdict, until })
    }

    /// Implements [`Cache::check`] for a URL that the fast path does not decide.
    #[cold]
    #[inline(never)]
    fn ask(&self, crawler: usize, url: &[u8], now: u64) -> CacheDecision {
        let store = &self.store;
        if let Err(error) = validate_time(now) {
            return CacheDecision::after(error, now);
        }
        let origin = match origin::key(url) {
            Ok(origin) if crawler < store.crawlers.len() => origin,
            Ok(_) => return CacheDecision::after(Error::Argument, now),
            Err(error) => return CacheDecision::after(error, now),
        };
        let origin = store.seed.key_ref(origin.as_bytes());
        if let Some(decision) = self.decide(crawler, origin, url, now) {
            return decision;
        }
        let key = Key::new(origin);
        let entries = store.entries();
        loop {
            let Some(entry) = entries.get(&origin) else {
                let id = store.new_serial();
                let entry = Entry::pending(LeaseState::Ticket { id, issued: now }, id);
                match store.add(&entries, key.clone(), entry, Some(now)) {
                    Ok(true) => {
                        store.counters.count(Event::Fetch, entries.thread());
                        return CacheDecision::Fetch(self.ticket(key, id, None));
                    }
                    Ok(false) => continue,
                    Err(Full) => {
                        store.counters.count(Event::Wait, entries.thread());
                        let until = now.saturating_add(1);
                        return CacheDecision::Wait { until };
                    }
                }
            };
            if entry.oldest.is_some() && store.forget_future(&entries, &key, now) {
                continue;
            }
            // A fetch is due, although the outcome may still be fresh.
            let verdict = entry.rules_at(crawler, now).map(|rules| rules.check(url));
            let event = match &entry.outcome {
                Some(outcome) if now < outcome.fresh_until => entry.event,
                _ => Event::StaleHit,
            };
            let mut locked = match (entry.try_lock(), verdict) {
                (Some(locked), _) => locked,
                // Another thread holds the lock: the entry decides, and this caller gets no ticket.
                (None, Some(verdict)) => {
                    store.counters.count(event, entries.thread());
                    return decided(verdict);
                }
                (None, None) => entry.lock(),
            };
            if locked.lease == LeaseState::Closed {
                continue;
            }
            // Another thread may have settled the origin since the look-up above.
            if let Some(decision) = self.decide(crawler, origin, url, now) {
                return decision;
            }
            entry.mark_used();
            if let Some(until) = locked.lease.live_until(now, store.ticket_ttl) {
                let event = verdict.map_or(Event::Wait, |_| event);
                store.counters.count(event, entries.thread());
                return verdict.map_or(CacheDecision::Wait { until }, decided);
            }
            store.counters.count(Event::Fetch, entries.thread());
            let id = store.new_serial();
            locked.lease = LeaseState::Ticket { id, issued: now };
            let ticket = self.ticket(key, id, entry.outcome.clone());
            return match verdict {
                Some(verdict) => {
                    store.counters.count(event, entries.thread());
                    CacheDecision::Decided {
                        verdict,
                        refresh: Some(ticket),
                    }
                }
                None => CacheDecision::Fetch(ticket),
            };
        }
    }

    /// Returns the origin key of a URL; an error in a forked child.
    fn origin_key<'a>(&self, url: &'a [u8]) -> Result<Cow<'a, str>, Error> {
        self.expect_own_process()?;
        origin::key(url)
    }

    /// Returns an error in a forked child.
    pub(crate) fn expect_own_process(&self) -> Result<(), Error> {
        let is_ours = self.store.is_ours();
        is_ours.then_some(()).ok_or(Error::InvalidState)
    }

    fn ticket(&self, key: Key, id: u64, previous: Option<Outcome>) -> Ticket {
        Ticket::new(Arc::clone(&self.store), key, id, previous)
    }

    /// Returns the outcome of `url`'s site, of any age, with the crawl-delay, sitemaps and times that a verdict lacks; `None`
    /// if the cache has no outcome.
    ///
    /// # Errors
    /// [`Error::Url`], [`Error::Scheme`] and [`Error::InvalidState`], as for [`Cache::check`].
    pub fn outcome(&self, url: impl AsRef<[u8]>) -> Result<Option<Outcome>, Error> {
        let origin = self.origin_key(url.as_ref())?;
        let entries = self.store.entries();
        let entry = entries.get(&self.store.seed.key_ref(origin.as_bytes()));
        Ok(entry.and_then(|entry| entry.outcome.clone()))
    }

    /// Removes the outcome of `url`'s site. A ticket for the site stays valid.
    ///
    /// # Errors
    /// [`Error::Url`], [`Error::Scheme`] and [`Error::InvalidState`], as for [`Cache::check`].
    pub fn remove(&self, url: impl AsRef<[u8]>) -> Result<(), Error> {
        let origin = self.origin_key(url.as_ref())?;
        self.store
            .forget(&Key::new(self.store.seed.key_ref(origin.as_bytes())));
        Ok(())
    }

    /// Removes the outcomes of all sites. Tickets stay valid.
    pub fn clear(&self) {
        for queued in self.store.queued() {
            let key = Store::find(&self.store.entries(), queued).map(|(key, _)| key.clone());
            if let Some(key) = key {
                self.store.forget(&key);
            }
        }
    }

    /// Returns the number of sites, including sites whose first fetch is in progress.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns whether the cache holds no site.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes that the sites take, as [`Cache::new`] counts them; never more than the limit.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// Returns the contents of the cache and its events since it was created.
    pub fn counts(&self) -> CacheCounts {
        let store = &self.store;
        let sum = |event| store.counters.sum(event);
        CacheCounts {
            sites: self.len(),
            bytes: self.bytes(),
            hits: sum(Event::Hit),
            stale_hits: sum(Event::StaleHit),
            fetches: sum(Event::Fetch),
            waits: sum(Event::Wait),
            deferred: sum(Event::Defer),
            evicted: sum(Event::Evict),
        }
    }

    /// Returns the crawlers that the cache serves, by index.
    pub fn crawlers(&self) -> &[Crawler] {
        &self.store.crawlers
    }
}

impl core::fmt::Debug for Cache {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Cache")
            .field("len", &self.len())
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

#[inline(always)]
fn decided(verdict: Verdict) -> CacheDecision {
    CacheDecision::Decided {
        verdict,
        refresh: None,
    }
}

/// Returns the bytes before the path of an absolute URL; `None` if clients disagree about the host (SPEC 8.11).
#[inline(always)]
fn raw_origin(url: &[u8]) -> Option<&[u8]> {
    let end = authority_end(url, after_scheme(url)?).unwrap_or(url.len());
    url.get(..end).filter(|_| url.get(end) != Some(&b'\\'))
}
