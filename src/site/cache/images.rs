//! Equal images are kept once: templates of robots.txt files repeat without end.
//!
//! A table of fixed size has the images that were added last, and those that several sites have, if there was a place for them. An
//! image that no other site shared may leave the table, and is then never shared. Images are equal if all bytes are: a hash only finds them.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::error::Error;
use crate::bytes::shared_bytes::HEAD;
use crate::bytes::try_alloc::{block, reserved};
use crate::core::rules::Rules;

/// Number of images with the same place in the table.
const WAYS: usize = 4;
/// The maximum number of sets of places: the table takes 2.4 MB then.
const MAX_SETS: usize = 1 << 15;
/// Bytes of a cache for one set of places, so that the table takes at most 2 % of them.
const BYTES_OF_SET: usize = 1 << 12;

#[derive(Default)]
pub(super) struct Images {
    sets: Box<[Mutex<[SharedImage; WAYS]>]>,
    /// Number of images that sites have, equal ones counted once.
    pub(super) distinct: AtomicUsize,
    /// Number of bytes that the sites would take beside theirs if each had an image of its own.
    pub(super) saved: AtomicUsize,
}

/// An image in the table.
#[derive(Default)]
struct SharedImage {
    rules: Option<Rules>,
    /// Number of sites that have this image.
    sites: usize,
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

    /// Takes the image of another site if one has the same. Returns how many bytes that saves.
    pub(super) fn share(&self, hash: u64, rules: &mut Rules) -> usize {
        let mut set = self.set(hash);
        for place in set.iter_mut() {
            if let Some(shared) = place
                .rules
                .as_ref()
                .filter(|shared| shared.image() == rules.image())
            {
                *rules = shared.clone();
                place.sites += 1;
                let bytes = cost(rules);
                self.saved.fetch_add(bytes, Relaxed);
                return bytes;
            }
        }
        self.distinct.fetch_add(1, Relaxed);
        let place = set.iter_mut().min_by_key(|place| place.sites);
        if let Some(place) = place.filter(|place| place.sites < 2) {
            *place = SharedImage {
                rules: Some(rules.clone()),
                sites: 1,
            };
        }
        0
    }

    /// Ends what [`Images::share`] began. Returns how many bytes nobody takes any more.
    pub(super) fn release(&self, hash: u64, rules: &Rules) -> usize {
        let bytes = cost(rules);
        let mut set = self.set(hash);
        let is_it = |place: &&mut SharedImage| {
            let shared = place.rules.as_ref();
            shared.is_some_and(|shared| core::ptr::eq(shared.image(), rules.image()))
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::crawler::Crawler;

    /// More images than places, and threads that share and release them: each keeps its rules, and nothing stays counted.
    #[test]
    fn threads_share_images() {
        const ROUNDS: usize = if cfg!(miri) { 12 } else { 3_000 };
        let crawler = Crawler::new("First").unwrap();
        let files: Vec<_> = (0..6)
            .map(|number| crawler.parse(format!("User-agent: *\nDisallow: /{number}")))
            .collect();
        let images = Images::new(0).unwrap();
        let bytes = AtomicUsize::new(0);
        let change = |held: &mut Vec<Rules>, round: usize, number: usize| {
            let file = files.get(number % files.len()).unwrap();
            // A block of its own.
            let mut rules = Rules::from_image(file.image()).unwrap();
            let more = cost(&rules) - images.share(0, &mut rules);
            bytes.fetch_add(more, Relaxed);
            assert_eq!(rules.image(), file.image());
            held.push(rules);
            if round % 3 > 0 {
                let less = images.release(0, &held.swap_remove(number % held.len()));
                bytes.fetch_sub(less, Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (images, bytes, change) = (&images, &bytes, &change);
                scope.spawn(move || {
                    let mut held = Vec::new();
                    (0..ROUNDS).for_each(|round| change(&mut held, round, thread + round / 2));
                    for rules in held {
                        bytes.fetch_sub(images.release(0, &rules), Relaxed);
                    }
                });
            }
        });
        let counts = [&bytes, &images.distinct, &images.saved];
        assert_eq!(counts.map(|count| count.load(Relaxed)), [0; 3]);
    }
}
