//! `robots_verdict`: the result of checking a URL, in one register.

use core::ffi::c_char;

use super::guard::guarded;
use crate::base::error::Error;
use crate::base::verdict::{Reason, Verdict};

/// The result of checking one URL. Read it with `ROBOTS_VERDICT_ALLOWED` and the other macros. A verdict whose status is
/// not `ROBOTS_OK` does not allow the URL. The type is a struct so that `if (verdict)` does not compile.
#[repr(C)]
#[derive(Clone, Copy)]
#[must_use]
pub struct robots_verdict {
    /// Bit 0: allowed; bit 1: site-wide; bits 8-15: reason; bits 16-31: status; bits 32-63: line of the deciding rule.
    pub bits: u64,
}

impl From<Verdict> for robots_verdict {
    #[inline(always)]
    fn from(verdict: Verdict) -> robots_verdict {
        robots_verdict {
            bits: verdict.bits(),
        }
    }
}

/// Returns one English sentence that says what a reason means, and whether to drop or keep a URL that is not allowed.
///
/// Parameters: `reason`: any number. The sentence for a number that is not a reason says that it is unknown.
/// Returns: a NUL-terminated string, never NULL.
/// Owner: the library; valid until it is unloaded.
#[unsafe(no_mangle)]
pub extern "C" fn robots_reason_text(reason: u32) -> *const c_char {
    let unknown = c"unknown reason: not a number that this version of librobots returns";
    let text = || Reason::from_code(reason).map_or(unknown, Reason::text);
    guarded(|| Ok(text())).unwrap_or_else(Error::text).as_ptr()
}
