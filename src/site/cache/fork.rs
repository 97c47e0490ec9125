//! Whether a process is a forked child of the one that created a value.
//!
//! Only the thread that calls `fork` exists in the child. A lock that another thread held stays locked there,
//! and what it was changing stays half changed. So what threads share must not be used in the child.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::base::error::Error;

/// How many forks lie between the first process and this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessMark(u32);

impl ProcessMark {
    pub(crate) fn new() -> Result<ProcessMark, Error> {
        watch()?;
        Ok(ProcessMark(FORKS.load(Relaxed)))
    }

    /// Whether this is the process that created the mark.
    #[inline(always)]
    pub(crate) fn is_current(self) -> bool {
        self.0 == FORKS.load(Relaxed)
    }
}

/// Lets each fork count in its child, from the first call on.
#[cfg(unix)]
fn watch() -> Result<(), Error> {
    use std::sync::atomic::AtomicBool;

    // Not a `OnceLock`, which a fork could leave locked.
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

/// Nothing to count: processes do not fork here.
#[cfg(not(unix))]
fn watch() -> Result<(), Error> {
    Ok(())
}
