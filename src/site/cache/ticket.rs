//! The right to fetch an origin's robots.txt, and how its outcome enters the cache.

use std::sync::Arc;

use super::entry::{Entry, LeaseState};
use super::key::Key;
use super::store::{Entries, Full, Store};
use crate::base::error::Error;
use crate::base::limits::{CLOCK_SKEW, ERROR_WAIT, validate_time};
use crate::site::fetch::{Fetch, Outcome, fingerprint};

/// The right to fetch the robots.txt of one origin: no other caller of the cache fetches it while the ticket is valid.
///
/// [`Ticket::fetch`] starts the retrieval, [`Ticket::finish`] submits its outcome. Dropping a ticket returns it, and the
/// next caller gets one. After a ticket has expired ([`super::Cache::with_ticket_ttl`]), another may be issued, and the cache
/// uses a late outcome only if it has no newer one. A ticket keeps the memory of the cache allocated.
#[must_use = "a dropped ticket returns to the cache"]
pub struct Ticket {
    /// The contents, on the heap so that a decision without a ticket is small.
    held: Box<Held>,
}

struct Held {
    store: Arc<Store>,
    key: Key,
    id: u64,
    previous: Option<Outcome>,
}

impl core::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Ticket").field(&self.origin()).finish()
    }
}

impl Ticket {
    pub(super) fn new(store: Arc<Store>, key: Key, id: u64, previous: Option<Outcome>) -> Ticket {
        let held = Box::new(Held {
            store,
            key,
            id,
            previous,
        });
        Ticket { held }
    }

    /// Returns the key of the origin whose robots.txt is to be fetched, such as `https://example.com`.
    pub fn origin(&self) -> &str {
        self.held.key.text()
    }

    /// Starts the retrieval, with the outcome in the cache as the [previous](Fetch::set_previous) one (SPEC 2.11). `now`:
    /// seconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// Those of [`Fetch::new`].
    pub fn fetch(&self, now: u64) -> Result<Fetch, Error> {
        let url = format!("{}/robots.txt", self.origin());
        let mut fetch = Fetch::new(&self.held.store.crawlers, url, now)?;
        if let Some(previous) = &self.held.previous {
            fetch.set_previous(previous)?;
        }
        Ok(fetch)
    }

    /// Submits the outcome and returns the ticket. `now`: seconds since 1970-01-01 UTC. An outcome that lies more than a
    /// minute in the future of `now` is not used, and the next caller gets a ticket (SPEC 2.18).
    ///
    /// # Errors
    /// [`Error::Argument`] for the outcome of another origin or other crawlers, and for a time after the year 9999; then the
    /// cache is unchanged. [`Error::Memory`] for an outcome that does not fit into the cache. The cache then returns this
    /// error for the origin until the TTL of the outcome ends, and no caller fetches the file again.
    /// [`Error::InvalidState`] in a forked child.
    pub fn finish(self, outcome: Outcome, now: u64) -> Result<(), Error> {
        let Held { store, key, id, .. } = &*self.held;
        if !store.is_ours() {
            return Err(Error::InvalidState);
        }
        let is_theirs = outcome.crawlers == fingerprint(&store.crawlers);
        if outcome.origin.key() != key.text() || !is_theirs {
            return Err(Error::Argument);
        }
        validate_time(now)?;
        if outcome.is_ahead_of(now.saturating_add(CLOCK_SKEW)) {
            return Ok(());
        }
        store
            .settle(key, *id, outcome, now)
            .map_err(|Full| Error::Memory)
    }
}

impl Drop for Ticket {
    /// Returns the ticket, unless it is finished, or expired and another was issued.
    fn drop(&mut self) {
        let Held { store, key, id, .. } = &*self.held;
        if !store.is_ours() {
            return;
        }
        let entries = store.entries();
        let locked = Store::locked(&entries, key);
        if let Some((entry, mut locked)) = locked.filter(|(_, locked)| locked.lease.is_of(*id)) {
            if entry.outcome.is_none() && locked.slots.line().is_unused() {
                store.remove(&entries, key, (entry, locked))
            } else {
                locked.lease = LeaseState::Free
            }
        }
    }
}

impl Store {
    /// Stores the outcome of a ticket. If the ticket has expired, the outcome must be newer than that of the entry.
    fn settle(&self, key: &Key, ticket: u64, outcome: Outcome, now: u64) -> Result<(), Full> {
        let entries = self.entries();
        loop {
            let Some((entry, locked)) = Store::locked(&entries, key) else {
                let entry = Entry::new(outcome.clone(), LeaseState::Free, self.new_serial());
                if self.add(&entries, key.clone(), entry, Some(now))? {
                    return Ok(());
                }
                continue;
            };
            let next = match locked.lease {
                held if held.is_of(ticket) => LeaseState::Free,
                held => {
                    // An outcome that lies in the future is not newer (SPEC 2.18).
                    let latest = now.saturating_add(CLOCK_SKEW);
                    let kept = entry
                        .outcome
                        .as_ref()
                        .filter(|kept| !kept.is_ahead_of(latest));
                    if kept.is_some_and(|kept| kept.fetched_at >= outcome.fetched_at) {
                        return Ok(());
                    }
                    held
                }
            };
            let retry_at = outcome.retry_at;
            let new = Entry::new(outcome, next, entry.serial);
            let fits = self.fits(new.cost(key));
            if let Err(full) = self.replace(&entries, key, (entry, locked), new, Some(now)) {
                // The cache remembers this, so that not every caller fetches the file again: for its TTL if it can never fit.
                let until = match fits {
                    Ok(()) => retry_at.min(now.saturating_add(self.ticket_ttl)),
                    Err(Full) => retry_at,
                };
                let until = until.max(now.saturating_add(ERROR_WAIT));
                self.mark_too_large(key, ticket, now, until);
                return Err(full);
            }
            return Ok(());
        }
    }

    /// Stores an imported outcome. The latest outcome decides. The oldest stays beside it until a caller's clock shows whether
    /// the latest lies in the future (SPEC 2.18): an import has no clock.
    pub(super) fn merge(&self, key: &Key, outcome: &Outcome) -> Result<(), Full> {
        let entries = self.entries();
        loop {
            let Some((entry, locked)) = Store::locked(&entries, key) else {
                let entry = Entry::new(outcome.clone(), LeaseState::Free, self.new_serial());
                if self.add(&entries, key.clone(), entry, None)? {
                    return Ok(());
                }
                continue;
            };
            // Of equal ages, the entry's outcomes are preferred.
            let kept = [entry.oldest.as_ref(), Some(outcome), entry.outcome.as_ref()];
            let by_age = |kept: &&Outcome| kept.fetched_at;
            let latest = kept.into_iter().flatten().max_by_key(by_age);
            let oldest = kept.into_iter().flatten().min_by_key(by_age);
            let (latest, oldest) = (latest.unwrap_or(outcome), oldest.unwrap_or(outcome));
            let is_new = |kept: &Outcome| core::ptr::eq(kept, outcome);
            if !is_new(latest) && !is_new(oldest) {
                return Ok(());
            }
            let other = (!core::ptr::eq(latest, oldest)).then(|| oldest.clone());
            let new = Entry::new(latest.clone(), locked.lease, entry.serial).with_oldest(other);
            return match self.replace(&entries, key, (entry, locked), new, None) {
                // There may be no room for an older outcome.
                Err(Full) if !is_new(latest) => Ok(()),
                result => result,
            };
        }
    }

    /// Replaces the latest outcome by the oldest imported one if the latest lies in the future. Returns whether it did.
    pub(super) fn forget_future(&self, entries: &Entries<'_>, key: &Key, now: u64) -> bool {
        let is_ahead = |kept: &Outcome| kept.is_ahead_of(now.saturating_add(CLOCK_SKEW));
        let Some((entry, locked)) = Store::locked(entries, key) else {
            return false;
        };
        match (&entry.outcome, &entry.oldest) {
            (Some(latest), Some(oldest)) if is_ahead(latest) && !is_ahead(oldest) => {
                let new = Entry::new(oldest.clone(), locked.lease, entry.serial);
                // One outcome takes less room than two, so this does not fail.
                self.replace(entries, key, (entry, locked), new, None)
                    .is_ok()
            }
            _ => false,
        }
    }

    /// Records that an outcome does not fit, if the entry still has this ticket.
    fn mark_too_large(&self, key: &Key, id: u64, now: u64, until: u64) {
        let entries = self.entries();
        let locked = Store::locked(&entries, key);
        if let Some((entry, locked)) = locked.filter(|(_, locked)| locked.lease.is_of(id)) {
            let new = Entry::too_large(now, until, LeaseState::Free, entry.serial);
            // An entry without an outcome is never larger, so this does not fail.
            drop(self.replace(&entries, key, (entry, locked), new, None));
        }
    }

    /// Removes the outcome of an origin, and the origin itself unless it has a ticket.
    pub(super) fn forget(&self, key: &Key) {
        let entries = self.entries();
        let Some((entry, locked)) = Store::locked(&entries, key) else {
            return;
        };
        match locked.lease {
            LeaseState::Free => self.remove(&entries, key, (entry, locked)),
            held => {
                let new = Entry::pending(held, entry.serial);
                // An entry without an outcome is smaller, so this does not fail.
                drop(self.replace(&entries, key, (entry, locked), new, None));
            }
        }
    }
}
