//! A site over time: one retrieval of its robots.txt, the meaning of the result, and the cache that keeps it.

pub mod cache;
pub(crate) mod fetch;
