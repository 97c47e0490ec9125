//! Detects a forked child of the process that created a value.
//!
//! Only the thread that calls `fork` exists in the child. In the child, a lock that another thread held stays locked forever,
//! and data that the other thread was changing stay half changed. So the child must not use data that threads share.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::base::error::Error;

/// Number of forks between the first process and this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// A mark that identifies the process that created a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessMark(u32);

impl ProcessMark {
    pub(crate) fn new() -> Result<ProcessMark, Error> {
        watch()?;
        Ok(ProcessMark(FORKS.load(Relaxed)))
    }

    /// Returns whether this is the process that created the mark.
    #[inline(always)]
    pub(crate) fn is_current(self) -> bool {
        self.0 == FORKS.load(Relaxed)
    }
}

/// Registers a handler that increments [`FORKS`] in each forked child. Further calls do nothing.
#[cfg(all(unix, not(miri)))]
fn watch() -> Result<(), Error> {
    use std::sync::atomic::AtomicBool;

    // An atomic and not a `OnceLock`, because a fork can leave a `OnceLock` locked.
    static IS_WATCHING: AtomicBool = AtomicBool::new(false);

    extern "C" fn count_fork() {
        FORKS.fetch_add(1, Relaxed);
    }

    if IS_WATCHING.swap(true, Relaxed) {
        return Ok(());
    }
    // SAFETY: the handler only adds to an atomic number, which is safe in the child of any process.
    if unsafe { libc::pthread_atfork(None, None, Some(count_fork)) } != 0 {
        IS_WATCHING.store(false, Relaxed);
        return Err(Error::Memory);
    }
    Ok(())
}

/// Does nothing: processes do not fork on this platform, or under Miri.
#[cfg(not(all(unix, not(miri))))]
fn watch() -> Result<(), Error> {
    Ok(())
}
