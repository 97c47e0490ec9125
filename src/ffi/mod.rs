//! The C API: one file per C type. Each function converts its arguments, calls one function of the core and writes the
//! result. The core makes all decisions.
//!
//! # Safety
//! Every exported function relies on the same promises of its caller (`exported!` in `convert.rs`):
//! - A handle is null, or came from this library and has a reference that was not freed.
//! - A string, list or image is readable for its length. No one writes to it during the call.
//! - An `out` is null, or valid for reads and writes by this call alone. It overlaps with no other argument.
//! - A struct with a `size` is writable for `size` bytes, and a buffer for its capacity.
//! - A function pointer may be called as its type says.
//! - During a call with `*mut T` no other thread uses that object.
#![allow(non_camel_case_types, reason = "these are the names of C")]

#[macro_use]
mod constants;
pub mod api;
mod cache;
#[cfg(not(target_arch = "wasm32"))]
mod cache_file;
mod convert;
mod crawler;
mod difference;
mod explain;
mod extensions;
mod fetch;
mod guard;
mod image;
#[cfg(feature = "inject-panics")]
mod inject;
mod lint;
mod origin;
mod outcome;
mod page_controls;
mod refusal;
mod rule_list;
mod rules;
mod status;
mod string;
#[cfg(test)]
mod tests;
mod ticket;
mod uses;
mod verdict;
#[cfg(target_arch = "wasm32")]
mod wasm;
