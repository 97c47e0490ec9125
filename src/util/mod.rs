//! What the stages share: vector search, enums by number, shared bytes, fallible allocation.

pub(crate) mod chunks;
pub(crate) mod codes;
pub(crate) mod display;
#[allow(unsafe_code, reason = "a handler that runs after a fork")]
pub(crate) mod fork;
pub(crate) mod lanes;
#[allow(unsafe_code, reason = "an allocation that may fail")]
pub(crate) mod shared_bytes;
pub(crate) mod simd;
pub(crate) mod try_alloc;
