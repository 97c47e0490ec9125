//! Panics on demand inside the functions of the C API, for the test of the panic boundary (`make test-panics`). Only
//! with the feature `inject-panics`, which no library that is shipped has.

#[cfg(not(debug_assertions))]
compile_error!(
    "the feature inject-panics is for librobots' own tests: leave it out of a release build"
);

use core::cell::Cell;

thread_local! {
    static IS_ARMED: Cell<bool> = const { Cell::new(false) };
}

/// Panics if that was asked for; then it is no longer.
pub(super) fn panic_if_armed() {
    if IS_ARMED.replace(false) {
        // As `panic!`, without the message to standard error.
        std::panic::resume_unwind(Box::new("injected"));
    }
}

/// Makes the next call of this thread panic inside, with `arm` other than 0, or takes that back.
///
/// Returns: 1 if a panic was still to come, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn robots_inject_panic(arm: u32) -> u32 {
    IS_ARMED.replace(arm != 0).into()
}
