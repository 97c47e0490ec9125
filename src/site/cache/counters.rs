//! The event counters of a cache.
//!
//! With one shared counter, every check would write the same word. So each of up to [`LINES`] threads has a cache line of its
//! own; further threads share them.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::base::error::Error;
use crate::bytes::try_alloc::reserved;

/// Number of lines. They take 4 KiB.
const LINES: usize = 64;

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

/// The counters of a thread, in one cache line.
#[repr(align(64))]
#[derive(Default)]
struct CacheLine([AtomicU64; EVENTS]);

pub(super) struct Counters(Box<[CacheLine]>);

thread_local! {
    static THREAD: usize = {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        THREADS.fetch_add(1, Relaxed)
    };
}

/// Returns the number of this thread, from 0.
#[inline(always)]
pub(super) fn thread() -> usize {
    THREAD.with(|thread| *thread)
}

impl Counters {
    pub(super) fn new() -> Result<Counters, Error> {
        let mut lines = reserved(LINES)?;
        lines.resize_with(LINES, CacheLine::default);
        Ok(Counters(lines.into_boxed_slice()))
    }

    #[inline(always)]
    pub(super) fn count(&self, event: Event) {
        let line = self.0.get(thread() % LINES);
        let counter = line.and_then(|line| line.0.get(event as usize));
        if let Some(counter) = counter {
            counter.fetch_add(1, Relaxed);
        }
    }

    /// Returns the number of events so far. Other threads may go on counting.
    pub(super) fn sum(&self, event: Event) -> u64 {
        let counters = self.0.iter().filter_map(|line| line.0.get(event as usize));
        counters.fold(0, |sum, counter| sum.wrapping_add(counter.load(Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::unwrap_used)]
    fn no_event_is_lost_or_mixed_up() {
        let counters = Counters::new().unwrap();
        let counters = &counters;
        std::thread::scope(|scope| {
            // More threads than lines.
            for _ in 0..2 * LINES {
                scope.spawn(move || {
                    for _ in 0..1_000 {
                        counters.count(Event::Hit);
                        counters.count(Event::Evict);
                        counters.count(Event::Evict);
                    }
                });
            }
        });
        assert_eq!(counters.sum(Event::Hit), 2_000 * LINES as u64);
        assert_eq!(counters.sum(Event::Evict), 4_000 * LINES as u64);
        for event in [Event::StaleHit, Event::Fetch, Event::Wait, Event::Defer] {
            assert_eq!(counters.sum(event), 0);
        }
    }
}
