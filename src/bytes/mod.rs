//! Tools for bytes: vector search, fallible allocation, shared blocks, near words, SHA-256, dates and lists
//! of HTTP headers.

#[allow(unsafe_code, reason = "casts a slice to a slice of arrays")]
pub(crate) mod chunks;
pub(crate) mod date;
pub(crate) mod display;
pub(crate) mod host_seed;
pub(crate) mod lanes;
pub(crate) mod list;
pub(crate) mod near_word;
pub(crate) mod sha256;
#[allow(unsafe_code, reason = "allocates and frees its own blocks")]
pub(crate) mod shared_bytes;
pub(crate) mod simd;
pub(crate) mod sort;
pub(crate) mod try_alloc;
