//! Exports and imports a cache, one record for each site.

use super::Cache;
use super::site::Site;
use super::slot::LineEnd;
use crate::base::error::Error;
use crate::site::fetch::{Fetch, Outcome};

/// An iterator over the records of a cache: [`Cache::export`].
#[derive(Debug)]
pub struct Export {
    cache: Cache,
    /// Number of the next shard.
    shard: usize,
    /// The origins of the sites of the current shard that are not yet exported.
    origins: std::vec::IntoIter<String>,
}

impl Cache {
    /// Exports the sites in any order, each as one record ([`Outcome::encode`]). A record has the *opening* of its site: the
    /// time before which no request may be sent. The opening is a crawl-delay after the last request, or the end of a rest.
    /// Slots that callers of this cache have reserved are not exported. A site without an outcome is exported if its opening is
    /// in the future; its record decides nothing. The export omits sites that are removed during the export, and may omit sites
    /// that are added. No other thread waits for the export. In a forked child the export is empty.
    pub fn export(&self) -> Export {
        Export {
            cache: self.clone(),
            shard: 0,
            origins: Vec::new().into_iter(),
        }
    }

    /// Imports the record of a site, unless the cache has an outcome of the same age or newer. An import does not know the
    /// time. So even an outcome with times in the future replaces an older outcome, and the next caller fetches the file again
    /// (SPEC 2.18). Of the site's opening in the cache and in the record, the later one counts. The options of the cache's
    /// first crawler limit the times of the outcome, such as the TTL. An import evicts no site, so it fails if the cache is
    /// full.
    ///
    /// # Errors
    /// [`Error::Image`] for a damaged record; [`Error::ImageFormat`] for another format version or other crawlers;
    /// [`Error::Argument`] for a time after the year 9999; [`Error::Memory`] for a record that does not fit;
    /// [`Error::InvalidState`] in a forked child. After [`Error::Memory`] the cache may have the outcome without the opening;
    /// after any other error the cache is unchanged. Continue with the next record.
    pub fn import(&self, record: impl AsRef<[u8]>) -> Result<(), Error> {
        self.expect_own_process()?;
        let store = &self.store;
        let (mut outcome, slot) = Outcome::decode_with(record.as_ref(), &store.crawlers)?;
        let line = LineEnd::from_bits(slot).ok_or(Error::Image)?;
        if let Some(first) = store.crawlers.first() {
            outcome = outcome.within_limits(first);
        }
        let mut locked = store.lock(store.name(outcome.origin.key()));
        let kept = locked.read(|site| site.facts().map(|facts| facts.fetched_at));
        let is_newer = kept.flatten().is_none_or(|kept| outcome.fetched_at > kept);
        if is_newer && !outcome.is_unknown() {
            locked.put(Site::pack(locked.name().bytes, &outcome)?, None)?;
        }
        let mut slots = locked.slots();
        slots.merge(line);
        Ok(locked.set_aside(None, |aside| aside.slots = slots)?)
    }
}

impl Export {
    /// Returns the next record, or [`Error::Memory`] for sites whose records could not be allocated.
    pub(crate) fn next_record(&mut self) -> Option<Result<Vec<u8>, Error>> {
        let store = &self.cache.store;
        loop {
            let Some(origin) = self.origins.next() else {
                let origins = store.origins(self.shard)?;
                self.shard += 1;
                match origins {
                    Ok(origins) => self.origins = origins.into_iter(),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            if !store.is_ours() {
                return None;
            }
            let name = store.name(&origin);
            let line = store.lock(name).slots().opening();
            let outcome = match store.outcome(name) {
                Ok(Some(outcome)) => Ok(outcome),
                Err(error) => Err(error),
                Ok(None) if line.is_unused() => continue,
                Ok(None) => {
                    Fetch::new(self.cache.crawlers(), &origin, 0).map(|fetch| fetch.unknown())
                }
            };
            return Some(outcome.and_then(|outcome| outcome.encode_with(line.bits())));
        }
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
