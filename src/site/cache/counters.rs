//! The event counters of a cache.
//!
//! With one shared counter, every check would write the same word. So each of the first [`OWN`] threads has a cache line of its
//! own, and needs a load and a store instead of an atomic addition. Further threads share [`SHARED`] lines.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::base::error::Error;

/// Number of threads with a line of their own. All lines take 4.5 KiB.
const OWN: usize = 64;
/// Number of lines that the other threads share.
const SHARED: usize = 8;

/// A counted event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Event {
    Hit = 0,
    StaleHit = 1,
    Fetch = 2,
    Wait = 3,
    Defer = 4,
    Evict = 5,
}

const EVENTS: usize = 6;

/// The counters of one thread, in one cache line.
#[repr(align(64))]
#[derive(Default)]
struct CacheLine([AtomicU64; EVENTS]);

pub(super) struct Counters {
    lines: Box<[CacheLine]>,
}

impl Counters {
    pub(super) fn new() -> Result<Counters, Error> {
        let mut lines = Vec::new();
        lines
            .try_reserve_exact(OWN + SHARED)
            .map_err(|_| Error::Memory)?;
        lines.resize_with(OWN + SHARED, CacheLine::default);
        Ok(Counters {
            lines: lines.into_boxed_slice(),
        })
    }

    /// Counts an event. `thread`: the number of the calling thread; no other thread has the same number at that time.
    #[inline(always)]
    pub(super) fn count(&self, event: Event, thread: usize) {
        if thread < OWN {
            if let Some(counter) = self.counter(event, thread) {
                counter.store(counter.load(Relaxed).wrapping_add(1), Relaxed);
            }
        } else if let Some(counter) = self.counter(event, OWN + thread % SHARED) {
            counter.fetch_add(1, Relaxed);
        }
    }

    #[inline(always)]
    fn counter(&self, event: Event, line: usize) -> Option<&AtomicU64> {
        self.lines.get(line)?.0.get(event as usize)
    }

    /// Returns the number of events so far. Other threads may go on counting.
    pub(super) fn sum(&self, event: Event) -> u64 {
        (0..self.lines.len())
            .filter_map(|line| self.counter(event, line))
            .fold(0, |sum, counter| sum.wrapping_add(counter.load(Relaxed)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn no_event_is_lost_or_mixed_up() {
        let counters = Counters::new().unwrap();
        let counters = &counters;
        std::thread::scope(|scope| {
            // Numbers of their own, and numbers that share lines.
            for thread in [
                0,
                1,
                OWN - 1,
                OWN,
                OWN + SHARED,
                OWN + 2 * SHARED,
                usize::MAX,
            ] {
                scope.spawn(move || {
                    for _ in 0..10_000 {
                        counters.count(Event::Hit, thread);
                        counters.count(Event::Evict, thread);
                        counters.count(Event::Evict, thread);
                    }
                });
            }
        });
        assert_eq!(counters.sum(Event::Hit), 70_000);
        assert_eq!(counters.sum(Event::Evict), 140_000);
        for event in [Event::StaleHit, Event::Fetch, Event::Wait, Event::Defer] {
            assert_eq!(counters.sum(event), 0);
        }
    }
}
