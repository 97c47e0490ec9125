//! Keeps a random number for hash seeds. The host sets the number, because a WebAssembly module has neither random addresses
//! nor random numbers.

use std::sync::OnceLock;

static SEED: OnceLock<u64> = OnceLock::new();

/// Returns the number of the host; 0 if the host did not set a number.
pub(crate) fn get() -> u64 {
    SEED.get().copied().unwrap_or(0)
}

/// Sets the host's number; only the first call has an effect.
#[cfg(any(test, target_arch = "wasm32"))]
pub(crate) fn set(seed: u64) {
    let _ = SEED.set(seed);
}
