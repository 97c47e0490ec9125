//! The rules that one crawler obeys, compiled to an image.
//!
//! - `compiler`: collects the rules while the parser reads, then writes the parts of the image.
//! - `nodes`: the literal rules, as a hash trie.
//! - `wildcards`: the wildcard rules, as a list with an index if it is long.
//! - `output`: the buffer that they write to.

mod compiler;
mod nodes;
mod output;
mod wildcards;

pub(crate) use compiler::{Compiler, whole_site};
