//! Bytes, whatever they mean: vector search, fallible allocation, shared blocks, dates and lists of HTTP headers.

#[allow(unsafe_code, reason = "a slice as arrays: vectors are loaded from it")]
pub(crate) mod chunks;
pub(crate) mod date;
pub(crate) mod display;
pub(crate) mod host_seed;
pub(crate) mod lanes;
pub(crate) mod list;
#[allow(unsafe_code, reason = "an allocation that may fail")]
pub(crate) mod shared_bytes;
pub(crate) mod simd;
pub(crate) mod try_alloc;
