//! The tests of the engine in one program, so that they share one build of the oracle, the generators and the invariants. A folder is
//! a module: `cargo test --test engine cases::` runs one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod analysis;
mod api;
mod bounds;
mod cases;
mod conformance;
mod drivers;
mod extensions;
mod fetch;
#[path = "../fuzz/replay.rs"]
mod fuzz;
#[allow(unsafe_code)]
#[path = "support/heap.rs"]
mod heap;
#[path = "support/hostile.rs"]
mod hostile;
mod images;
mod invariants;
mod oracle;
mod properties;
mod repository;
#[path = "support/conformance.rs"]
mod suite;
mod support;

/// Counts for the thread that asks, so no test sees another one.
#[global_allocator]
static HEAP: heap::Counting = heap::Counting;
