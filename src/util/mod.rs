//! What the stages share: vector search, shared bytes, fallible allocation.

pub(crate) mod chunks;
pub(crate) mod display;
#[allow(unsafe_code, reason = "a handler that runs after a fork")]
pub(crate) mod fork;
pub(crate) mod host_seed;
pub(crate) mod lanes;
#[allow(unsafe_code, reason = "an allocation that may fail")]
pub(crate) mod shared_bytes;
pub(crate) mod simd;
pub(crate) mod try_alloc;
