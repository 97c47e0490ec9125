//! The bytes of a robots.txt to the rules that one crawler obeys: lines, directives, groups.

pub(crate) mod directive;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod reader;
#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests;

use crate::dialect::Dialect;

/// Returns whether a body is no robots.txt in the dialect, because it is compressed (SPEC 4.4).
pub(crate) fn is_compressed(body: &[u8], dialect: Dialect) -> bool {
    !matches!(dialect, Dialect::Google) && begins_compressed(body)
}

/// Returns whether a body begins like a file compressed by gzip or zstd (SPEC 2.17).
pub(crate) fn begins_compressed(body: &[u8]) -> bool {
    body.starts_with(&[0x1F, 0x8B]) || body.starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
}
