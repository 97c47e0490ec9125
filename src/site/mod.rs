//! A site over time: one retrieval of its robots.txt, what the result means, and the cache that keeps it.

pub mod cache;
pub(crate) mod fetch;
