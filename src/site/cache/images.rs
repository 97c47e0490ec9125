//! Stores equal images once, because many sites use the same template of a robots.txt.
//!
//! A table of fixed size holds images that several sites share, and in its free places the newest images of single sites. The
//! image of a single site may lose its place; after that no site can share it. A hash finds candidates; two images are equal
//! only if all their bytes are equal.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::error::Error;
use crate::bytes::shared_bytes::HEAD;
use crate::bytes::try_alloc::{block, reserved};
use crate::core::rules::Rules;

/// Number of places in a set. The hash of an image selects a set, and the image may have any place of this set.
const WAYS: usize = 4;
/// The maximum number of sets. With this number, the table takes 2.4 MB.
const MAX_SETS: usize = 1 << 15;
/// The table has one set for each 4,096 bytes of the cache's limit, so it takes at most 2 % of the limit.
const BYTES_OF_SET: usize = 1 << 12;

#[derive(Default)]
pub(super) struct Images {
    sets: Box<[Mutex<[SharedImage; WAYS]>]>,
    /// Number of images that the sites have. A shared image counts once.
    pub(super) distinct: AtomicUsize,
    /// Number of bytes that sharing saves.
    pub(super) saved: AtomicUsize,
}

#[derive(Default)]
struct SharedImage {
    rules: Option<Rules>,
    /// Number of sites that have this image.
    sites: usize,
}

impl SharedImage {
    fn image(&self) -> Option<&[u8]> {
        self.rules.as_ref().map(Rules::image)
    }
}

impl Images {
    pub(super) fn new(max_bytes: usize) -> Result<Images, Error> {
        let count = (max_bytes / BYTES_OF_SET).clamp(1, MAX_SETS);
        let mut sets = reserved(count)?;
        sets.resize_with(count, Mutex::default);
        Ok(Images {
            sets: sets.into_boxed_slice(),
            ..Images::default()
        })
    }

    /// Counts the image of a site's new outcome. If the table has an equal image, the site shares that image. `is_kept`:
    /// whether the site's old outcome has the same image and is not released yet. Returns the number of bytes saved.
    pub(super) fn share(&self, hash: u64, rules: &mut Rules, is_kept: bool) -> usize {
        let mut set = self.set(hash);
        let bytes = cost(rules);
        let is_equal = |shared: &SharedImage| shared.image() == Some(rules.image());
        if let Some(place) = set.iter_mut().find(|shared| is_equal(shared)) {
            place.sites += 1;
            place
                .rules
                .iter()
                .for_each(|shared| *rules = shared.clone());
        } else {
            let place = set.iter_mut().min_by_key(|place| place.sites);
            let free = place.filter(|place| place.sites < 2);
            let is_kept = is_kept && free.is_some();
            if let Some(place) = free {
                place.rules = Some(rules.clone());
                place.sites = 1 + usize::from(is_kept);
            }
            if !is_kept {
                self.distinct.fetch_add(1, Relaxed);
                return 0;
            }
        }
        self.saved.fetch_add(bytes, Relaxed);
        bytes
    }

    /// Removes one site from the number of sites that have this image. Returns the number of bytes that become free.
    pub(super) fn release(&self, hash: u64, rules: &Rules) -> usize {
        let bytes = cost(rules);
        let mut set = self.set(hash);
        let is_it = |place: &&mut SharedImage| {
            place
                .image()
                .is_some_and(|image| core::ptr::eq(image, rules.image()))
        };
        if let Some(place) = set.iter_mut().find(is_it) {
            place.sites -= 1;
            if place.sites > 0 {
                self.saved.fetch_sub(bytes, Relaxed);
                return 0;
            }
            *place = SharedImage::default();
        }
        self.distinct.fetch_sub(1, Relaxed);
        bytes
    }

    fn set(&self, hash: u64) -> MutexGuard<'_, [SharedImage; WAYS]> {
        #[allow(
            clippy::indexing_slicing,
            reason = "a remainder; there is at least one set"
        )]
        let set = &self.sets[hash as usize % self.sets.len()];
        set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the memory use of an image in bytes.
pub(super) fn cost(rules: &Rules) -> usize {
    block(HEAD + rules.image().len())
}
