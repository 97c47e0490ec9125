//! The one permission to fetch an origin's robots.txt.

use std::sync::Arc;

use super::entry::{Entry, LeaseState};
use super::key::Key;
use super::store::{Full, Store};
use crate::error::Error;
use crate::fetch::{Fetch, Outcome, fingerprint};

/// The holder fetches the robots.txt of one origin, and nobody else does meanwhile.
///
/// [`Ticket::fetch`] starts the retrieval, [`Ticket::finish`] hands its outcome in. A ticket that is dropped is
/// given back, and the next who asks gets one. It dies when its life is over ([`super::Cache::with_ticket_ttl`]):
/// then another may be issued, and what its holder hands in late is used only where nothing newer is there.
/// It keeps the cache's memory alive, even when the cache itself is dropped.
#[derive(Debug)]
#[must_use = "a ticket that is dropped is given back"]
pub struct Ticket {
    // On the heap, so that an answer without one is small.
    held: Box<Held>,
}

struct Held {
    store: Arc<Store>,
    key: Key,
    id: u64,
    previous: Option<Outcome>,
}

impl core::fmt::Debug for Held {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Held")
            .field("origin", &self.key.text())
            .field("id", &self.id)
            .finish_non_exhaustive()
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

    /// The key of the origin whose robots.txt is to be fetched, such as `https://example.com`.
    pub fn origin(&self) -> &str {
        self.held.key.text()
    }

    /// The retrieval, told of the outcome the cache has: it asks the server whether the file changed, and goes on
    /// using it where the server cannot be reached (SPEC 2.11). `now`: seconds since 1970-01-01 UTC.
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

    /// Hands the outcome in and gives the ticket back. `now`: seconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// [`Error::Argument`] for the outcome of another origin or of other crawlers; [`Error::Memory`] for one that does
    /// not fit into the cache. The ticket is then given back, and the cache is as if nobody had fetched.
    pub fn finish(self, outcome: Outcome, now: u64) -> Result<(), Error> {
        let Held { store, key, id, .. } = &*self.held;
        let is_theirs = outcome.parts().crawlers == fingerprint(&store.crawlers);
        if outcome.origin().key() != key.text() || !is_theirs {
            return Err(Error::Argument);
        }
        store
            .settle(key, Some(*id), outcome, Some(now))
            .map_err(|Full| Error::Memory)
    }
}

impl Drop for Ticket {
    /// Gives it back, unless that is done or its life was over and another was issued.
    fn drop(&mut self) {
        let Held { store, key, id, .. } = &*self.held;
        let entries = store.entries();
        while let Some(entry) = entries.get(&key.sought()) {
            let mut hold = entry.lease();
            match *hold {
                LeaseState::Closed => continue,
                held if !held.is_of(*id) => (),
                _ if entry.outcome().is_some() => *hold = LeaseState::Free,
                _ => store.remove(&entries, key, (entry, hold)),
            }
            return;
        }
    }
}

impl Store {
    /// Keeps an outcome: that of the ticket's holder (`ticket`), or one that comes otherwise, which counts only
    /// if nothing is there that is as new. Threads' readings of the clock may differ by a ticket's life.
    pub(super) fn settle(
        &self,
        key: &Key,
        ticket: Option<u64>,
        outcome: Outcome,
        now: Option<u64>,
    ) -> Result<(), Full> {
        let since = now.map_or(outcome.fetched_at(), |now| {
            now.saturating_sub(self.ticket_ttl)
        });
        let entries = self.entries();
        loop {
            let Some(entry) = entries.get(&key.sought()) else {
                let entry = Entry::new(outcome.clone(), since, LeaseState::Free, self.new_serial());
                if self.add(&entries, key.clone(), entry, now)? {
                    return Ok(());
                }
                continue;
            };
            let hold = entry.lease();
            let next = match *hold {
                LeaseState::Closed => continue,
                held if ticket.is_some_and(|id| held.is_of(id)) => LeaseState::Free,
                held => {
                    let newest = entry.outcome().map(Outcome::fetched_at);
                    if newest >= Some(outcome.fetched_at()) {
                        return Ok(());
                    }
                    held
                }
            };
            let retry_at = outcome.retry_at();
            let new = Entry::new(outcome, since, next, entry.serial);
            let fits = self.fits(new.cost(key));
            let full = match self.replace(&entries, key, (entry, hold), new, now) {
                Ok(()) => return Ok(()),
                Err(full) => full,
            };
            if let (Some(id), Some(now)) = (ticket, now) {
                // Remembered, so that not every caller fetches it again: for the TTL if it never fits, else for a while.
                let until = match fits {
                    Ok(()) => retry_at.min(now.saturating_add(self.ticket_ttl)),
                    Err(Full) => retry_at,
                };
                self.refuse(key, id, (since, until));
            }
            return Err(full);
        }
    }

    /// Replaces the entry of an origin whose outcome does not fit, unless another has its ticket by now.
    fn refuse(&self, key: &Key, id: u64, (since, until): (u64, u64)) {
        let entries = self.entries();
        while let Some(entry) = entries.get(&key.sought()) {
            let lease = entry.lease();
            match *lease {
                LeaseState::Closed => continue,
                held if held.is_of(id) => {
                    let new = Entry::too_large(since, until, LeaseState::Free, entry.serial);
                    // An entry without an outcome is never larger, so this does not fail.
                    drop(self.replace(&entries, key, (entry, lease), new, None));
                }
                _ => (),
            }
            return;
        }
    }

    /// Drops the outcome of an origin, and the origin itself unless somebody holds its ticket.
    pub(super) fn forget(&self, key: &Key) {
        let entries = self.entries();
        while let Some(entry) = entries.get(&key.sought()) {
            let hold = entry.lease();
            match *hold {
                LeaseState::Closed => continue,
                LeaseState::Free => self.remove(&entries, key, (entry, hold)),
                // An entry without an outcome is smaller, so this does not fail.
                held => {
                    let new = Entry::pending(held, entry.serial);
                    drop(self.replace(&entries, key, (entry, hold), new, None));
                }
            }
            return;
        }
    }
}
