//! The right to fetch an origin's robots.txt, and how its outcome enters the cache.

use std::sync::Arc;

use super::name::SiteName;
use super::site::Site;
use super::slot::Slots;
use super::store::{Refused, Store};
use crate::base::error::Error;
use crate::base::limits::{CLOCK_SKEW, ERROR_WAIT, validate_time};
use crate::site::fetch::{Fetch, Outcome, fingerprint};

/// The right to fetch the robots.txt of one origin. While the ticket is valid, no other caller of the cache gets a ticket for
/// this origin.
///
/// [`Ticket::fetch`] starts the retrieval, [`Ticket::finish`] submits its outcome. Dropping a ticket returns it to the cache,
/// and the next caller gets a new ticket. After a ticket has expired ([`super::Cache::with_ticket_ttl`]), another caller may
/// get a ticket. The cache uses the outcome of an expired ticket only if the cache has no newer outcome. A ticket keeps the
/// memory of the cache allocated.
#[must_use = "a dropped ticket returns to the cache"]
pub struct Ticket {
    /// The contents, on the heap so that a decision without a ticket is small.
    held: Box<Held>,
}

struct Held {
    store: Arc<Store>,
    origin: Box<str>,
    lease: u64,
}

impl core::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Ticket").field(&self.origin()).finish()
    }
}

impl Ticket {
    pub(super) fn new(store: Arc<Store>, origin: &str, lease: u64) -> Ticket {
        let held = Box::new(Held {
            store,
            origin: origin.into(),
            lease,
        });
        Ticket { held }
    }

    /// Returns the key of the origin whose robots.txt is to be fetched, such as `https://example.com`.
    pub fn origin(&self) -> &str {
        &self.held.origin
    }

    /// Starts the retrieval. The outcome in the cache becomes the [previous outcome](Fetch::set_previous) (SPEC 2.11). `now`:
    /// seconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// The errors of [`Fetch::new`]; [`Error::InvalidState`] in a forked child; [`Error::Memory`].
    pub fn fetch(&self, now: u64) -> Result<Fetch, Error> {
        let Held { store, origin, .. } = &*self.held;
        if !store.is_ours() {
            return Err(Error::InvalidState);
        }
        let mut fetch = Fetch::new(&store.crawlers, format!("{origin}/robots.txt"), now)?;
        if let Some(previous) = store.outcome(store.name(origin))? {
            fetch.set_previous(&previous)?;
        }
        Ok(fetch)
    }

    /// Submits the outcome and returns the ticket. `now`: seconds since 1970-01-01 UTC. An outcome whose times are more than a
    /// minute after `now` is not used, and the next caller gets a ticket (SPEC 2.18).
    ///
    /// # Errors
    /// [`Error::Argument`] for the outcome of another origin or other crawlers, and for a time after the year 9999; the cache
    /// is then unchanged. [`Error::Memory`] for an outcome that does not fit into the cache. For some time, the cache then
    /// returns this error for the origin, and no caller fetches the file again. If the outcome can never fit, this time is the
    /// TTL of the outcome, else about the validity of a ticket. [`Error::InvalidState`] in a forked child.
    pub fn finish(self, outcome: Outcome, now: u64) -> Result<(), Error> {
        let (store, origin) = (&self.held.store, &*self.held.origin);
        if !store.is_ours() {
            return Err(Error::InvalidState);
        }
        let is_theirs = outcome.crawlers == fingerprint(&store.crawlers);
        if outcome.origin.key() != origin || !is_theirs {
            return Err(Error::Argument);
        }
        validate_time(now)?;
        if outcome.is_ahead_of(now.saturating_add(CLOCK_SKEW)) {
            return Ok(());
        }
        store.settle(origin, self.held.lease, &outcome, now)
    }
}

impl Drop for Ticket {
    /// Returns the ticket to the cache, unless the ticket is finished or another ticket has replaced it.
    fn drop(&mut self) {
        let store = &self.held.store;
        if store.is_ours() {
            let name = store.name(&self.held.origin);
            store.lock(name).end_lease(self.held.lease);
        }
    }
}

impl Store {
    /// Stores the outcome of a ticket. If another ticket has replaced this ticket, the outcome is stored only if it is newer
    /// than the outcome in the cache.
    fn settle(&self, origin: &str, ticket: u64, outcome: &Outcome, now: u64) -> Result<(), Error> {
        let name = self.name(origin);
        let site = Site::pack(name.bytes, outcome)?;
        let mut locked = self.lock(name);
        let is_last = locked.end_lease(ticket);
        if !is_last {
            // An outcome that lies in the future is not newer (SPEC 2.18).
            let latest = now.saturating_add(CLOCK_SKEW);
            let is_newer = |kept: &Site| {
                let facts = kept.facts();
                facts.is_some_and(|kept| {
                    kept.made_at() <= latest && kept.fetched_at >= outcome.fetched_at
                })
            };
            if locked.read(is_newer) == Some(true) {
                return Ok(());
            }
        }
        let refused = match locked.put(site, Some(now)) {
            Err(refused) if is_last => refused,
            result => return Ok(result?),
        };
        // The cache remembers that the outcome does not fit, so that not every caller fetches the file again. If the outcome
        // can never fit, the cache remembers this for the whole TTL.
        let until = match refused {
            Refused::TooLarge => outcome.retry_at,
            Refused::Full | Refused::Memory => {
                outcome.retry_at.min(now.saturating_add(self.ticket_ttl))
            }
        };
        let until = until.max(now.saturating_add(ERROR_WAIT));
        locked.remove();
        // If there is no room for this entry either, the next caller gets a ticket.
        Site::too_large(name.bytes, now, until)
            .map_err(Refused::from)
            .and_then(|site| locked.put(site, Some(now)))
            .unwrap_or_default();
        Err(refused.into())
    }

    /// Removes the outcome and the slots of an origin. A ticket stays valid.
    pub(super) fn forget(&self, name: SiteName<'_>) {
        let mut locked = self.lock(name);
        locked.remove();
        // Unused slots need no aside, so nothing is allocated.
        let _ = locked.set_aside(None, |aside| aside.slots = Slots::UNUSED);
    }
}
