//! From the bytes of a robots.txt to the verdict on a URL: `src/DESIGN.md` explains how.
//!
//! - [`parse`]: bytes to lines to groups.
//! - [`image`]: the format of compiled rules.
//! - [`compile`]: rules that a crawler obeys to an image.
//! - [`check`]: image and URL to a verdict.
//! - [`rules`]: the public type [`Rules`](crate::Rules).

pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod image;
pub(crate) mod parse;
pub(crate) mod rules;
