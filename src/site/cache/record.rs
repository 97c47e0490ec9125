//! Export and import of a cache, one record for each site.

use super::Cache;
use super::entry::{Entry, LeaseState};
use super::key::Key;
use super::slot::LineEnd;
use super::store::{Full, QueueEntry, Store};
use crate::base::error::Error;
use crate::site::fetch::{Fetch, Outcome};

/// An iterator over the records of a cache: [`Cache::export`].
#[derive(Debug)]
pub struct Export {
    cache: Cache,
    queued: std::vec::IntoIter<QueueEntry>,
}

impl Cache {
    /// Exports the sites, each as one record ([`Outcome::encode`]) with its slot, in the order of eviction. The record of a
    /// site with a slot and without an outcome decides nothing. The export may omit sites that are added while it runs, and it
    /// omits removed ones. No other thread waits for it. In a forked child it is empty.
    pub fn export(&self) -> Export {
        Export {
            cache: self.clone(),
            queued: self.store.queued().into_iter(),
        }
    }

    /// Imports the record of a site, unless the cache has an outcome of the same age or newer. A record of the future replaces
    /// none (SPEC 2.18). Of two slots the later one stays. The options of the cache's first crawler limit the times of the
    /// outcome, such as the TTL. An import evicts no site: a full cache imports no more.
    ///
    /// # Errors
    /// [`Error::Image`] for a damaged record; [`Error::ImageFormat`] for another format version or other crawlers;
    /// [`Error::Argument`] for a time after the year 9999; [`Error::Memory`] for a record that does not fit;
    /// [`Error::InvalidState`] in a forked child. The cache is then unchanged; go on with the next record.
    pub fn import(&self, record: impl AsRef<[u8]>) -> Result<(), Error> {
        self.expect_own_process()?;
        let store = &self.store;
        let (mut outcome, slot) = Outcome::decode_with(record.as_ref(), &store.crawlers)?;
        let line = LineEnd::from_bits(slot).ok_or(Error::Image)?;
        if let Some(first) = store.crawlers.first() {
            outcome = outcome.within_limits(first);
        }
        let key = Key::new(store.seed.key_ref(outcome.origin.key().as_bytes()));
        let added = if outcome.is_unknown() {
            let new = Entry::pending(LeaseState::Free, store.new_serial());
            store
                .add(&store.entries(), key.clone(), new, None)
                .map(drop)
        } else {
            store.merge(&key, &outcome)
        };
        added.map_err(|Full| Error::Memory)?;
        if let Some((_, mut locked)) = Store::locked(&store.entries(), &key) {
            locked.slots.merge(line);
        }
        Ok(())
    }
}

impl Export {
    /// Returns the next record, or [`Error::Memory`] for a site whose record could not be allocated.
    pub(crate) fn next_record(&mut self) -> Option<Result<Vec<u8>, Error>> {
        if !self.cache.store.is_ours() {
            return None;
        }
        self.queued.by_ref().find_map(|queued| {
            let entries = self.cache.store.entries();
            let (key, entry) = Store::find(&entries, queued)?;
            let line = entry.lock().slots.line();
            let outcome = match &entry.outcome {
                Some(outcome) => Ok(outcome.clone()),
                None if line.is_unused() => return None,
                None => {
                    Fetch::new(self.cache.crawlers(), key.text(), 0).map(|fetch| fetch.unknown())
                }
            };
            Some(outcome.and_then(|outcome| outcome.encode_with(line.bits())))
        })
    }
}

impl Iterator for Export {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Ok(record) = self.next_record()? {
                return Some(record);
            }
        }
    }
}
