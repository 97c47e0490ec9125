//! From the rules that one crawler obeys to an image, the block of bytes that checks read (`image`).
//!
//! - `compiler`: collects the rules while the parser reads, then writes the parts of the image.
//! - `nodes`: writes the literal rules, as a hash trie.
//! - `wildcards`: writes the wildcard rules, as a list. A list of more than 64 rules has an n-gram index.
//! - `output`: the buffer that the image is written to.

mod compiler;
mod nodes;
mod output;
mod wildcards;

pub(crate) use compiler::{compile, whole_site};
