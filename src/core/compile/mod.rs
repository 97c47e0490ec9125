//! The rules that one crawler obeys, compiled to an image.
//!
//! - `compiler`: collects the rules while the parser reads, then writes the parts of the image.
//! - `nodes`: the literal rules, as a hash trie.
//! - `list`: the wildcard rules, as a list with an index if it is long.
//! - `output`: the buffer that they write to.

mod compiler;
mod list;
mod nodes;
mod output;

pub(crate) use compiler::{Compiler, whole_site};
