//! The bytes of a robots.txt to the rules that one crawler obeys: lines, directives, groups.

pub(crate) mod directive;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod line_index;
#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests;
