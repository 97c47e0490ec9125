//! The C API: one file per C type. Each function converts its arguments, calls one function of the
//! core and writes the result. The core makes all decisions.
//!
//! # Safety
//! The promises of the caller, which are the same for every function. A SAFETY comment that names them means all of these:
//! - A handle is null, or came from this library and was not freed as often as it was created and retained.
//! - A string, list or image is readable for its length, and no one writes to it during the call.
//! - An `out` is null, or valid for reads and writes by this call alone; it overlaps with no other argument. A struct with a
//!   `size` is writable for as many bytes as its `size` says, a buffer for its capacity.
//! - A function may be called as its type says.
//! - During a call with `*mut T` no other thread uses that object.
#![allow(non_camel_case_types, reason = "these are the names of C")]

#[macro_use]
mod constants;
pub mod api;
mod cache;
mod convert;
mod crawler;
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
mod rule_list;
mod rules;
mod status;
mod string;
mod ticket;
mod verdict;
#[cfg(target_arch = "wasm32")]
mod wasm;
