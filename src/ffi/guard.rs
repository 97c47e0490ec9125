//! The panic boundary: no panic leaves a function of the C API.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::base::error::Error;

/// Runs the body of a function. A panic, which is a defect of the library, becomes [`Error::Panic`].
#[inline(always)]
pub(super) fn guarded<T, E: From<Error>>(body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    // Unwind-safe: an immutable handle cannot be half changed, a crawler is replaced as a whole, and a fetch is dropped.
    let body = AssertUnwindSafe(|| {
        #[cfg(feature = "inject-panics")]
        super::inject::panic_if_armed();
        body()
    });
    catch_unwind(body).unwrap_or_else(|_| Err(Error::Panic.into()))
}
