//! Panics on demand inside functions of the C API, to test the panic boundary (`make test-panics`). A release build
//! refuses the feature `inject-panics`.

#[cfg(not(debug_assertions))]
compile_error!(
    "the feature inject-panics is for librobots' own tests: leave it out of a release build"
);

use core::cell::Cell;

thread_local! {
    static IS_ARMED: Cell<bool> = const { Cell::new(false) };
}

/// Panics if this thread is armed, and disarms the thread.
pub(super) fn panic_if_armed() {
    if IS_ARMED.replace(false) {
        // Unlike `panic!`, this writes no message to standard error.
        std::panic::resume_unwind(Box::new("injected"));
    }
}

/// Arms the next call of this thread to panic, or disarms it if `arm` is 0.
///
/// Returns 1 if a panic was armed before, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn robots_inject_panic(arm: u32) -> u32 {
    IS_ARMED.replace(arm != 0).into()
}
