//! From the bytes of a robots.txt to the verdict on a URL: `src/DESIGN.md` explains how.
//!
//! - [`parse`]: from bytes to lines and groups.
//! - [`image`]: the format of compiled rules.
//! - [`compile`]: from the rules that a crawler obeys to an image.
//! - [`check`]: from an image and a URL to a verdict.
//! - [`rules`]: the public type [`Rules`](crate::Rules).

pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod image;
pub(crate) mod parse;
pub(crate) mod rules;
