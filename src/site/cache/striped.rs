//! A lock for many readers: a reader takes one of eight locks, a writer takes all eight. So readers do not wait for each other,
//! and readers of different locks do not write the same memory.

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::counters::thread;

/// Number of locks. More locks make a writer slower; with fewer, more threads share a lock.
const LOCKS: usize = 8;

/// A lock that has two cache lines to itself, because processors load cache lines in pairs.
#[repr(align(128))]
#[derive(Default)]
struct Padded(RwLock<()>);

pub(super) struct Striped<T> {
    locks: Box<[Padded; LOCKS]>,
    value: UnsafeCell<T>,
}

// SAFETY: as for `RwLock`. A reader's reference lives only while its guard holds one lock for reading. A writer's reference
// lives only while its guard holds all locks for writing. So while a writer has a reference, there is no other reference.
// `Sync`: readers of several threads share the value. `Send`: a writer may move the value to its own thread.
unsafe impl<T: Send + Sync> Sync for Striped<T> {}

/// A reader's guard. It has the cell instead of a reference to the value: a reference in a parameter must be valid for the
/// whole call, but `drop(guard)` unlocks before it returns.
pub(super) struct ReadGuard<'a, T> {
    value: &'a UnsafeCell<T>,
    _lock: RwLockReadGuard<'a, ()>,
}

pub(super) struct WriteGuard<'a, T> {
    value: &'a UnsafeCell<T>,
    _locks: [RwLockWriteGuard<'a, ()>; LOCKS],
}

impl<T> Striped<T> {
    pub(super) fn new(value: T) -> Striped<T> {
        Striped {
            locks: Box::default(),
            value: UnsafeCell::new(value),
        }
    }

    #[inline(always)]
    pub(super) fn read(&self) -> ReadGuard<'_, T> {
        #[allow(clippy::indexing_slicing, reason = "a remainder")]
        let lock = &self.locks[thread() % LOCKS].0;
        let lock = lock.read().unwrap_or_else(PoisonError::into_inner);
        ReadGuard {
            value: &self.value,
            _lock: lock,
        }
    }

    pub(super) fn write(&self) -> WriteGuard<'_, T> {
        // Writers take the locks in one order, so that two of them cannot deadlock.
        let locks = self.locks.each_ref().map(|lock| {
            let lock = lock.0.write();
            lock.unwrap_or_else(PoisonError::into_inner)
        });
        WriteGuard {
            value: &self.value,
            _locks: locks,
        }
    }
}

impl<T> Deref for ReadGuard<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: a writer needs the lock that this guard holds.
        unsafe { &*self.value.get() }
    }
}

impl<T> Deref for WriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: readers and writers need a lock that this guard holds.
        unsafe { &*self.value.get() }
    }
}

impl<T> DerefMut for WriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above. The guard is borrowed for as long as the reference to the value is used.
        unsafe { &mut *self.value.get() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads that take different locks see each change whole.
    #[test]
    fn readers_see_whole_changes() {
        const ROUNDS: u64 = if cfg!(miri) { 4 } else { 500 };
        let striped = Striped::new((0_u64, 0_u64));
        std::thread::scope(|scope| {
            for _ in 0..2 * LOCKS {
                scope.spawn(|| {
                    for _ in 0..ROUNDS {
                        let seen = *striped.read();
                        assert_eq!(seen.0, seen.1);
                        let mut changed = striped.write();
                        changed.0 += 1;
                        std::hint::spin_loop();
                        changed.1 += 1;
                    }
                });
            }
        });
        let all = 2 * LOCKS as u64 * ROUNDS;
        assert_eq!(*striped.read(), (all, all));
    }
}
