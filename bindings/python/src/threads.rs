//! Threads that share the work on many URLs.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// The URLs that a thread takes at a time: their text fits the cache of a core.
pub(crate) const BLOCK: usize = 4096;

/// A further thread starts for each of so many URLs. They take much longer than its start.
const PER_THREAD: usize = 16_384;
const MAX_THREADS: usize = 16;

/// Returns how many threads check so many URLs.
pub(crate) fn count(urls: usize, use_threads: bool) -> usize {
    let wanted = (urls / PER_THREAD).min(MAX_THREADS);
    if wanted < 2 || !use_threads {
        return 1;
    }
    let available = thread::available_parallelism().map_or(1, NonZero::get);
    wanted.min(available)
}

/// Fills `codes` in blocks, by several threads. `check` gets the index of the first code of a block, and the block.
pub(crate) fn fill<C: Send, E: Send>(
    codes: &mut [C],
    use_threads: bool,
    check: impl Fn(usize, &mut [C]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let threads = count(codes.len(), use_threads);
    fill_blocks(codes, threads, BLOCK, check)
}

/// As [`fill`], by so many threads and in blocks of this length.
pub(crate) fn fill_blocks<C: Send, E: Send>(
    codes: &mut [C],
    threads: usize,
    block: usize,
    check: impl Fn(usize, &mut [C]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let blocks = Mutex::new(codes.chunks_mut(block).enumerate());
    let work = || {
        loop {
            let next = lock(&blocks).next();
            match next {
                Some((number, codes)) => check(number * block, codes)?,
                None => return Ok(()),
            }
        }
    };
    thread::scope(|scope| {
        let others = start(scope, threads - 1, &work);
        let own = work();
        others.into_iter().fold(own, |all, other| {
            let other = other
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            all.and(other)
        })
    })
}

/// Starts threads, as many as the system permits.
pub(crate) fn start<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    count: usize,
    work: &'env (impl Fn() -> T + Sync),
) -> Vec<ScopedJoinHandle<'scope, T>> {
    let thread = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
    (0..count).map_while(thread).collect()
}

/// Locks a mutex. What it holds is complete also if a thread panicked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
