//! The bytes of a robots.txt to the rules that one crawler obeys: lines, directives, groups.

pub(crate) mod directive;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod reader;
#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests;

use crate::dialect::Dialect;

/// Returns whether a body begins like a compressed file, gzip or zstd, and so is no robots.txt (SPEC 4.4).
pub(crate) fn is_compressed(body: &[u8], dialect: Dialect) -> bool {
    !matches!(dialect, Dialect::Google)
        && (body.starts_with(&[0x1F, 0x8B]) || body.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]))
}
