//! Stores the outcomes of many sites in bounded memory, for many threads.
//!
//! - `store`: shards of a map from name to site, a byte count, second-chance eviction. An *aside* holds data that only few
//!   sites have: a valid ticket, or slots.
//! - `site`: name and outcome of a site, packed. `images`: a table that stores equal images once.
//! - `name`: the origin, hashed with a random seed.
//! - `ticket`: the right to fetch one robots.txt, and how its outcome enters the cache.
//! - `slot`, `pace`: when the next requests to a site may be sent. A *slot* is the time at which one caller may send its
//!   request.
//! - `counters`: event counters without contention; `striped`: a lock without contention between readers.
//! - `record`: export to and import from another process; `file`: all records in one file.
//! - `fork`: detection of forked children.

mod counters;
mod file;
#[allow(unsafe_code, reason = "a handler that runs after a fork")]
mod fork;
mod images;
mod name;
mod pace;
mod record;
mod site;
mod slot;
mod store;
#[allow(unsafe_code, reason = "a value that several locks guard")]
mod striped;
mod ticket;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

pub use file::LoadedRecords;
pub use pace::CacheRequest;
pub use record::Export;
pub use slot::{DEFAULT_HORIZON_MS, DEFAULT_MAX_DELAY_MS};
pub use ticket::Ticket;

use crate::base::error::Error;
use crate::base::limits::{
    ERROR_WAIT, MAX_CRAWLERS, MAX_TICKET_TTL, MIN_CACHE_BYTES, validate_time,
};
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::try_alloc::push;
use crate::crawler::Crawler;
use crate::site::fetch::Outcome;
use crate::url::origin;
use crate::url::scan::authority_end;
use crate::url::target::after_scheme;
use counters::Event;
use name::SiteName;
use site::Site;
use store::{Locked, Refused, Store};

/// A cache of fetch outcomes: one for each origin, for one crawler or several (SPEC 3.7).
///
/// A clone is the same cache, and threads may share a cache. Decisions do not wait for each other. For ordinary URLs, a
/// decision allocates nothing ([`Cache::check`]). Times are seconds since 1970-01-01 UTC by the caller's clock; all threads
/// must use the same clock (SPEC 2.18). An outcome whose times are more than a minute after `now` decides nothing: the next
/// caller fetches the file again.
///
/// A forked child must not use the cache of its parent: threads of the parent may have left the cache locked. In the child,
/// every call that can fail returns [`Error::InvalidState`]. Create a new cache there and [import](Cache::import) records.
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
    /// Obey the verdict. A verdict with an error is final, too: the text is no URL of a site ([`Error::Url`],
    /// [`Error::Scheme`]).
    Decided {
        /// Whether the URL may be fetched.
        verdict: Verdict,
        /// Ticket to fetch the robots.txt again, because the last tenth of its TTL has begun. Until the ticket is finished, the
        /// old outcome decides for all callers, but at most until 24 hours after the fetch of this outcome (SPEC 3.8;
        /// koster1996: 7 days).
        refresh: Option<Ticket>,
    },
    /// The cache has no usable outcome of the site: fetch its robots.txt, submit the outcome and check the URL again.
    Fetch(Ticket),
    /// Another thread fetches the robots.txt: [wait](Cache::wait) until this fetch has ended, usually less than a second, and
    /// check the URL again.
    Wait {
        /// Time at which the other thread's ticket expires, so that another caller gets a ticket. Do not sleep until this time:
        /// the fetch usually ends earlier.
        until: u64,
    },
    /// No caller may fetch anything of the site now, including its robots.txt (SPEC 2.7 to 2.10), or the cache has no room.
    /// Keep the URL, and continue with URLs of other sites.
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
    /// Number of URLs that an outcome decided after the end of its TTL, while the refresh was unfinished or after it failed.
    pub stale_hits: u64,
    /// Number of tickets that callers got.
    pub fetches: u64,
    /// Number of URLs that waited for a fetch of another thread.
    pub waits: u64,
    /// Number of deferred URLs: the robots.txt cannot be reached, the slot is later than the horizon, or the cache has no room.
    pub deferred: u64,
    /// Number of outcomes and slots that were evicted for others.
    pub evicted: u64,
    /// Number of distinct images. Sites whose robots.txt files compile to the same rules share one image.
    pub images: usize,
    /// Number of bytes that sharing images saves.
    pub saved_bytes: usize,
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
    /// Creates a cache for `crawlers` (1 to 16) with a memory limit of `max_bytes`, at least 65,536. The limit includes the
    /// overhead of map and allocator. A site takes about 115 bytes, and its rules take about 32 bytes more than their image. Sites
    /// with equal images share one image. If the outcome of a site is evicted, the site's future slots stay (SPEC 3.9). Slots
    /// take at most a quarter of the limit while there are outcomes to evict. Two things are not in the limit: the table that
    /// finds equal images (at most 2.4 MB, and at most 2 % of the limit), and locks and counters (6 KiB, and 1 KiB for each MiB
    /// of the limit, up to 256 KiB).
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

    /// Adds a crawler; an error if the cache has content, clones or tickets.
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
    /// Decisions do not wait for each other. A decision allocates nothing if the origin in the URL is canonical: ASCII, lower case,
    /// no user name. Errors are in the verdict:
    ///
    /// - [`CacheDecision::Decided`]: [`Error::Url`] and [`Error::Scheme`] (SPEC 1.6) are final.
    /// - [`CacheDecision::Defer`] for 60 seconds: [`Error::Argument`] for an unknown crawler or a time after the year 9999,
    ///   [`Error::InvalidState`] in a forked child.
    /// - [`CacheDecision::Defer`] while the cache remembers that the robots.txt does not fit: [`Error::Memory`].
    #[inline]
    pub fn check(&self, crawler: usize, url: impl AsRef<[u8]>, now: u64) -> CacheDecision {
        self.check_bytes(crawler, url.as_ref(), now)
    }

    /// Implements [`Cache::check`], inlined into each caller.
    #[inline(always)]
    pub(crate) fn check_bytes(&self, crawler: usize, url: &[u8], now: u64) -> CacheDecision {
        self.check_at(crawler, url, now, now.saturating_mul(1_000))
    }

    /// Returns the next action for a URL, as [`Cache::check`] does. `now_ms`: the same time in milliseconds, which is needed
    /// only to decide whether a site still rests (SPEC 3.10).
    #[inline(always)]
    fn check_at(&self, crawler: usize, url: &[u8], now: u64, now_ms: u64) -> CacheDecision {
        if !self.store.is_ours() {
            return CacheDecision::after(Error::InvalidState, now);
        }
        // Fast path: look up scheme and authority as they are in the URL. All names in the map are canonical. So if the raw
        // bytes equal a name, no URL needs to be parsed.
        if let Some(origin) = raw_origin(url) {
            let name = self.store.seed.name(origin);
            let start = Some(origin.len());
            if let Some(decision) = self.decide(crawler, name, url, start, now) {
                return decision;
            }
        }
        self.ask(crawler, url, now, now_ms)
    }

    /// Returns the decision on a URL of this site; `None` if the site has no outcome, a fetch is due, or there is no such
    /// crawler. `start`: the length of scheme and authority, if known.
    #[inline(always)]
    fn decide(
        &self,
        crawler: usize,
        name: SiteName<'_>,
        url: &[u8],
        start: Option<usize>,
        now: u64,
    ) -> Option<CacheDecision> {
        if crawler >= self.store.crawlers.len() {
            return None;
        }
        let decide = |site: &Site| match site.rules(crawler) {
            Some(rules) if site.is_settled(now) => {
                site.mark_used();
                self.store.counters.count(site.event());
                Some(decided(rules.check_from(url, start)))
            }
            _ => self.refuse(site, now),
        };
        self.store.read(name, decide)?
    }

    /// Returns the decision for a site without usable rules; `None` if a fetch is due.
    #[cold]
    fn refuse(&self, site: &Site, now: u64) -> Option<CacheDecision> {
        let until = site.due_after(now)?;
        site.mark_used();
        self.store.counters.count(Event::Defer);
        let verdict = site.refusal();
        Some(CacheDecision::Defer { verdict, until })
    }

    /// Returns the verdict of rules that are still usable although a fetch is due; `None` without usable rules.
    fn decide_stale(
        &self,
        crawler: usize,
        name: SiteName<'_>,
        url: &[u8],
        now: u64,
    ) -> Option<Verdict> {
        let decide = |site: &Site| {
            site.mark_used();
            let rules = site.rules_at(crawler, now)?;
            let is_fresh = site.facts().is_some_and(|facts| now < facts.fresh_until);
            self.store.counters.count(match is_fresh {
                true => site.event(),
                false => Event::StaleHit,
            });
            Some(rules.check(url))
        };
        self.store.read(name, decide)?
    }

    /// Implements [`Cache::check`] for a URL that the fast path does not decide.
    #[cold]
    #[inline(never)]
    fn ask(&self, crawler: usize, url: &[u8], now: u64, now_ms: u64) -> CacheDecision {
        let store = &self.store;
        if let Err(error) = validate_time(now) {
            return CacheDecision::after(error, now);
        }
        let origin = match origin::key(url) {
            Ok(origin) if crawler < store.crawlers.len() => origin,
            Ok(_) => return CacheDecision::after(Error::Argument, now),
            Err(error) => return CacheDecision::after(error, now),
        };
        let name = store.name(&origin);
        let mut locked = store.try_lock(name);
        loop {
            // Another thread may have stored an outcome since the last look-up.
            if let Some(decision) = self.decide(crawler, name, url, None, now) {
                return decision;
            }
            let stale = self.decide_stale(crawler, name, url, now);
            return match (stale, &mut locked) {
                // The rules decide, even if this caller gets no ticket or another thread is changing the shard.
                (Some(verdict), locked) => CacheDecision::Decided {
                    verdict,
                    refresh: locked
                        .as_mut()
                        .and_then(|locked| self.new_ticket(locked, &origin, now_ms).ok()),
                },
                (None, Some(locked)) => match self.new_ticket(locked, &origin, now_ms) {
                    Ok(ticket) => CacheDecision::Fetch(ticket),
                    Err(decision) => {
                        match &decision {
                            CacheDecision::Wait { .. } => store.counters.count(Event::Wait),
                            CacheDecision::Defer { verdict, .. } if verdict.error().is_none() => {
                                store.counters.count(Event::Defer)
                            }
                            _ => (),
                        }
                        decision
                    }
                },
                (None, None) => {
                    locked = Some(store.lock(name));
                    continue;
                }
            };
        }
    }

    /// Returns a ticket, or the decision for a caller that gets no ticket and has no rules.
    fn new_ticket(
        &self,
        locked: &mut Locked<'_>,
        origin: &str,
        now_ms: u64,
    ) -> Result<Ticket, CacheDecision> {
        let store = &self.store;
        let now = now_ms / 1_000;
        let defer = |until| CacheDecision::Defer {
            verdict: Verdict::of_site(Reason::Defer),
            until,
        };
        let held = locked.lease();
        if let Some(until) = held.and_then(|lease| lease.live_until(now, store.ticket_ttl)) {
            return Err(CacheDecision::Wait { until });
        }
        let mut slots = locked.slots();
        let rest = slots.rests_until(now_ms);
        if slots != locked.slots() {
            // The clock was set back. The site has slots, so nothing is allocated.
            let _ = locked.set_aside(None, |aside| aside.slots = slots);
        }
        if let Some(until) = rest {
            return Err(defer(until.div_ceil(1_000)));
        }
        let lease = store.new_lease(now, held);
        let refused = locked.set_aside(Some(now), |aside| aside.lease = Some(lease));
        refused.map_err(|refused| match refused {
            Refused::Memory => CacheDecision::after(Error::Memory, now),
            // All sites in the cache have tickets. A ticket is valid for a short time; then its site can be evicted.
            Refused::TooLarge | Refused::Full => defer(now.saturating_add(1)),
        })?;
        store.counters.count(Event::Fetch);
        Ok(Ticket::new(Arc::clone(store), origin, lease.id))
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

    /// Waits until no other thread fetches the robots.txt of `url`'s site, at most for `timeout`. Call this after
    /// [`CacheDecision::Wait`]; then read the clock and check the URL again. The call returns when the ticket is finished or
    /// dropped, or immediately if there is no ticket. The expiry of a ticket does not end the call, so let `timeout` end at the
    /// expiry. Returns whether the site has no ticket now.
    ///
    /// ```
    /// # use robots::cache::{Cache, CacheDecision};
    /// # use std::time::Duration;
    /// # fn now() -> u64 { 1_800_000_000 }
    /// # fn decide(cache: &Cache, url: &str) -> Result<CacheDecision, robots::Error> {
    /// loop {
    ///     match cache.check(0, url, now()) {
    ///         CacheDecision::Wait { until } => {
    ///             cache.wait(url, Duration::from_secs(until - now()))?;
    ///         }
    ///         decision => return Ok(decision),
    ///     }
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Url`], [`Error::Scheme`] and [`Error::InvalidState`], as for [`Cache::check`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self, url: impl AsRef<[u8]>, timeout: std::time::Duration) -> Result<bool, Error> {
        let origin = self.origin_key(url.as_ref())?;
        Ok(self.store.wait(self.store.name(&origin), timeout))
    }

    /// Returns the outcome of `url`'s site, of any age; `None` if the cache has no outcome. Unlike a verdict, an outcome has a
    /// crawl-delay, sitemaps and times.
    ///
    /// # Errors
    /// [`Error::Url`], [`Error::Scheme`] and [`Error::InvalidState`], as for [`Cache::check`]; [`Error::Memory`].
    pub fn outcome(&self, url: impl AsRef<[u8]>) -> Result<Option<Outcome>, Error> {
        let origin = self.origin_key(url.as_ref())?;
        self.store.outcome(self.store.name(&origin))
    }

    /// Removes the outcome of `url`'s site. A ticket for the site stays valid.
    ///
    /// # Errors
    /// [`Error::Url`], [`Error::Scheme`] and [`Error::InvalidState`], as for [`Cache::check`].
    pub fn remove(&self, url: impl AsRef<[u8]>) -> Result<(), Error> {
        let origin = self.origin_key(url.as_ref())?;
        self.store.forget(self.store.name(&origin));
        Ok(())
    }

    /// Removes the outcomes of all sites. Tickets stay valid.
    pub fn clear(&self) {
        if self.store.is_ours() {
            self.store.clear();
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
            images: store.images.distinct.load(Relaxed),
            saved_bytes: store.images.saved.load(Relaxed),
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

/// Returns scheme and authority of an absolute URL, unchanged; `None` if clients disagree about the host (SPEC 8.11).
#[inline(always)]
fn raw_origin(url: &[u8]) -> Option<&[u8]> {
    let end = authority_end(url, after_scheme(url)?).unwrap_or(url.len());
    url.get(..end).filter(|_| url.get(end) != Some(&b'\\'))
}
