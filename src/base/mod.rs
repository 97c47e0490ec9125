//! The types that all folders of `src` use: errors, codes of the C API, verdicts, rules, dialects, limits.

#[macro_use]
pub(crate) mod codes;
pub(crate) mod dialect;
pub(crate) mod error;
pub mod limits;
pub(crate) mod rule;
pub(crate) mod verdict;
