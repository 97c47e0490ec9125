//! Taking a cache to another process or machine, one record a site.

use super::Cache;
use super::key::Key;
use super::store::{Full, QueueEntry, Store};
use crate::error::Error;
use crate::fetch::Outcome;

/// The records of a cache, see [`Cache::export`].
#[derive(Debug)]
pub struct Export {
    cache: Cache,
    stays: std::vec::IntoIter<QueueEntry>,
}

impl Cache {
    /// The outcomes that are kept, each as one record ([`Outcome::encode`]), those first that would be evicted first. Sites
    /// that come meanwhile may be left out, and sites that go are; nobody is held up.
    pub fn export(&self) -> Export {
        Export {
            cache: self.clone(),
            stays: self.store.stays().into_iter(),
        }
    }

    /// Takes the record of a site over, unless as new an outcome of it is here. It evicts nobody: a full
    /// cache takes no more.
    ///
    /// # Errors
    /// [`Error::Image`] for a damaged record, [`Error::ImageFormat`] for one of another format version or of other
    /// crawlers; [`Error::Memory`] for one that does not fit. Nothing has changed then; go on with the next.
    pub fn import(&self, record: impl AsRef<[u8]>) -> Result<(), Error> {
        let store = &self.store;
        let outcome = Outcome::decode(record.as_ref(), &store.crawlers)?;
        let key = Key::new(store.seek(outcome.origin().key().as_bytes()));
        store
            .settle(&key, None, outcome, None)
            .map_err(|Full| Error::Memory)
    }
}

impl Iterator for Export {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        self.stays.by_ref().find_map(|stay| {
            let entries = self.cache.store.entries();
            let (_, entry) = Store::find(&entries, stay)?;
            entry.outcome()?.encode().ok()
        })
    }
}
