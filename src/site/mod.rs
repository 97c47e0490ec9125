//! `fetch`: one retrieval of a robots.txt, and what its result means. `cache`: the outcomes of many sites.

pub mod cache;
pub(crate) mod fetch;
