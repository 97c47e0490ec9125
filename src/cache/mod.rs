//! What is known of many sites: outcomes of fetches by origin, in a bounded piece of memory, for many threads.

mod entry;
mod key;
mod record;
mod store;
mod ticket;

use std::sync::Arc;

pub use record::Export;
pub use ticket::Ticket;

use crate::crawler::Crawler;
use crate::error::Error;
use crate::fetch::Outcome;
use crate::limits::{MAX_CRAWLERS, MIN_CACHE_BYTES};
use crate::url::origin;
use crate::url::target::after_scheme;
use crate::util::simd;
use crate::util::try_alloc::push;
use crate::verdict::Verdict;
use entry::{Entry, LeaseState};
use key::{Key, KeyRef};
use store::{Full, Store};

/// The outcomes of many sites' fetches, by origin, for one crawler or several (SPEC 3.7).
///
/// Cheap to clone; clones are the same cache. Any number of threads may ask at once: an answer from the cache takes no
/// lock and allocates nothing (for ordinary URLs, see [`Cache::check`]). Times are seconds since 1970-01-01 UTC and
/// come from the caller; a clock that is set back or differs a little between threads does no harm.
///
/// ```
/// use robots::cache::{CacheDecision, Cache};
/// use robots::{Crawler, Outcome};
///
/// let crawlers = [Crawler::new("ExampleBot")?];
/// let cache = Cache::new(&crawlers, 100_000_000)?;
/// let (url, now) = ("https://example.com/private/page", 1_800_000_000);
/// let CacheDecision::Fetch(ticket) = cache.check(0, url, now) else { panic!("nothing is known yet") };
/// // Here the crawler fetches, see `Ticket::fetch`, while others are told to wait.
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

/// What is to be done with a URL.
#[derive(Debug)]
#[must_use]
pub enum CacheDecision {
    /// The verdict, to be obeyed now. An error is in it and allows nothing.
    Decided {
        /// Whether the URL may be fetched.
        verdict: Verdict,
        /// The outcome behind the verdict is past its life, and whoever gets this is asked to fetch the robots.txt
        /// anew. Until then the old one serves everybody (SPEC 3.4).
        refresh: Option<Ticket>,
    },
    /// Nothing is known of the site: fetch its robots.txt, hand the outcome in and ask again.
    Fetch(Ticket),
    /// Somebody else is fetching the robots.txt, or there is no room. Ask again in a while.
    Wait {
        /// When the other's ticket will be dead at the latest.
        until: u64,
    },
    /// Nobody may fetch anything of the site now, its robots.txt included (SPEC 2.7 to 2.10). Keep the URL.
    Defer {
        /// Not allowed, with [`Reason::Unreachable`](crate::Reason::Unreachable) or
        /// [`Reason::Defer`](crate::Reason::Defer).
        verdict: Verdict,
        /// When to ask again.
        until: u64,
    },
}

/// Seconds a ticket lives, unless set.
pub const DEFAULT_TICKET_TTL: u64 = 120;

impl Cache {
    /// A cache for `crawlers` (1 to 16) that takes at most `max_bytes` octets of memory: 65,536 or more. That counts keys,
    /// rules and what the allocator and the map add, about 800 octets for the site of a small robots.txt. A few entries
    /// just replaced or evicted may stay in memory beside it until threads that read them are done.
    ///
    /// # Errors
    /// [`Error::Argument`] outside those ranges.
    pub fn new(crawlers: &[Crawler], max_bytes: usize) -> Result<Cache, Error> {
        let in_range = (1..=MAX_CRAWLERS).contains(&crawlers.len()) && max_bytes >= MIN_CACHE_BYTES;
        if !in_range {
            return Err(Error::Argument);
        }
        let store = Store::new(crawlers.to_vec(), max_bytes, DEFAULT_TICKET_TTL);
        Ok(Cache {
            store: Arc::new(store),
        })
    }

    /// Sets how many seconds a ticket lives, 1 to 86,400; [`DEFAULT_TICKET_TTL`] until then. More than the longest
    /// retrieval takes with all its redirects: past it, another may fetch the same file.
    ///
    /// # Errors
    /// [`Error::Argument`] outside that range, [`Error::InvalidState`] once something is kept or there are clones or tickets.
    pub fn with_ticket_ttl(mut self, seconds: u64) -> Result<Cache, Error> {
        self.set_ticket_ttl(seconds)?;
        Ok(self)
    }

    pub(crate) fn set_ticket_ttl(&mut self, seconds: u64) -> Result<(), Error> {
        if !(1..=86_400).contains(&seconds) {
            return Err(Error::Argument);
        }
        self.unused()?.ticket_ttl = seconds;
        Ok(())
    }

    /// Adds a crawler.
    pub(crate) fn add_crawler(&mut self, crawler: Crawler) -> Result<(), Error> {
        let store = self.unused()?;
        if store.crawlers.len() >= MAX_CRAWLERS {
            return Err(Error::Argument);
        }
        push(&mut store.crawlers, crawler)
    }

    /// The store, while nobody else has it and nothing is in it.
    fn unused(&mut self) -> Result<&mut Store, Error> {
        Arc::get_mut(&mut self.store)
            .filter(|store| store.len() == 0)
            .ok_or(Error::InvalidState)
    }

    /// What the crawler of this index is to do with `url`, an absolute URL, at `now`.
    ///
    /// An answer from the cache takes no lock, and allocates nothing where the URL spells its origin as it is kept: lower
    /// case, ASCII, no user. [`Error::Url`], [`Error::Scheme`] (SPEC 1.6) and [`Error::Argument`] (no such crawler) are in
    /// the verdict.
    #[inline]
    pub fn check(&self, crawler: usize, url: impl AsRef<[u8]>, now: u64) -> CacheDecision {
        let url = url.as_ref();
        // What the URL has before its path is looked up as it is spelt. Only origin keys are found, and whatever is
        // spelt like a key has that key; so nothing else need be looked at.
        let decision = match raw_origin(url) {
            Some(origin) => self.decide(crawler, self.store.seek(origin), url, now),
            None => None,
        };
        match decision {
            Some(decision) => decision,
            None => self.ask(crawler, url, now),
        }
    }

    /// The decision on a URL of this origin, if its entry is settled.
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
        if !entry.is_settled(now) {
            return None;
        }
        match entry.rules(crawler) {
            Some(rules) => {
                entry.mark_used();
                Some(decided(rules.check(url)))
            }
            None => self.refuse(crawler, entry, now),
        }
    }

    /// The decision of a settled entry without rules; `None` if there is no such crawler.
    #[cold]
    fn refuse(&self, crawler: usize, entry: &Entry, now: u64) -> Option<CacheDecision> {
        let until = entry.settled_until(now)?;
        if crawler >= self.store.crawlers.len() {
            return None;
        }
        entry.mark_used();
        let verdict = entry.refusal();
        Some(match verdict.error() {
            Some(_) => decided(verdict),
            None => CacheDecision::Defer { verdict, until },
        })
    }

    /// The rest of [`Cache::check`].
    #[cold]
    #[inline(never)]
    fn ask(&self, crawler: usize, url: &[u8], now: u64) -> CacheDecision {
        let store = &self.store;
        let origin = match origin::key(url) {
            Ok(origin) if crawler < store.crawlers.len() => origin,
            Ok(_) => return decided(Verdict::from_error(Error::Argument)),
            Err(error) => return decided(Verdict::from_error(error)),
        };
        let origin = store.seek(origin.as_bytes());
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
                    Ok(true) => return CacheDecision::Fetch(self.ticket(key, id, None)),
                    Ok(false) => continue,
                    Err(Full) => {
                        let until = now.saturating_add(1);
                        return CacheDecision::Wait { until };
                    }
                }
            };
            let verdict = entry.rules_at(crawler, now).map(|rules| rules.check(url));
            let mut lease = match (entry.try_lease(), verdict) {
                (Some(lease), _) => lease,
                // Another thread is about to take or finish the ticket: the entry decides meanwhile.
                (None, Some(verdict)) => return decided(verdict),
                (None, None) => entry.lease(),
            };
            if *lease == LeaseState::Closed {
                continue;
            }
            // Another thread may have settled the origin since the look-up above.
            if let Some(decision) = self.decide(crawler, origin, url, now) {
                return decision;
            }
            entry.mark_used();
            if let Some(until) = lease.live_until(now, store.ticket_ttl) {
                return verdict.map_or(CacheDecision::Wait { until }, decided);
            }
            let id = store.new_serial();
            *lease = LeaseState::Ticket { id, issued: now };
            let ticket = self.ticket(key, id, entry.outcome().cloned());
            return match verdict {
                Some(verdict) => CacheDecision::Decided {
                    verdict,
                    refresh: Some(ticket),
                },
                None => CacheDecision::Fetch(ticket),
            };
        }
    }

    fn ticket(&self, key: Key, id: u64, previous: Option<Outcome>) -> Ticket {
        Ticket::new(Arc::clone(&self.store), key, id, previous)
    }

    /// What is known of the site of `url`, whatever its age: for its crawl-delay, its sitemaps or its times, which a
    /// verdict does not tell. `None` where nothing is known.
    ///
    /// # Errors
    /// [`Error::Url`] and [`Error::Scheme`], as for [`Cache::check`].
    pub fn outcome(&self, url: impl AsRef<[u8]>) -> Result<Option<Outcome>, Error> {
        let origin = origin::key(url.as_ref())?;
        let entries = self.store.entries();
        let entry = entries.get(&self.store.seek(origin.as_bytes()));
        Ok(entry.and_then(|entry| entry.outcome().cloned()))
    }

    /// Forgets what is known of the site of `url`. A ticket for it stays good.
    ///
    /// # Errors
    /// [`Error::Url`] and [`Error::Scheme`], as for [`Cache::check`].
    pub fn remove(&self, url: impl AsRef<[u8]>) -> Result<(), Error> {
        let origin = origin::key(url.as_ref())?;
        self.store
            .forget(&Key::new(self.store.seek(origin.as_bytes())));
        Ok(())
    }

    /// Forgets all sites. Tickets stay good.
    pub fn clear(&self) {
        for stay in self.store.stays() {
            let key = Store::find(&self.store.entries(), stay).map(|(key, _)| key.clone());
            if let Some(key) = key {
                self.store.forget(&key);
            }
        }
    }

    /// How many sites are kept, those that are being fetched for the first time among them.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether no site is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many octets they take, as [`Cache::new`] counts; never more than the bound.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// The crawlers it decides for, by index.
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

/// What stands before the path of an absolute URL.
#[inline(always)]
fn raw_origin(url: &[u8]) -> Option<&[u8]> {
    let authority = after_scheme(url)?;
    url.get(..simd::authority_end(url, authority).unwrap_or(url.len()))
}
