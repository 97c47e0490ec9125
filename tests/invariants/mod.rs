//! What must hold of each thing, whatever the input: said once, for the tests that generate inputs and for the
//! fuzzer that looks for them. A fault is an error or a panic.

pub mod cache;
pub mod explain;
pub mod fetch;
pub mod format;
#[allow(unsafe_code)]
pub mod image;
pub mod lint;
pub mod work;
