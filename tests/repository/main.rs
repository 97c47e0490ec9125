//! What the sources themselves must keep: the order of the stages, and rows of the specification that exist.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod layers;
mod options;
mod spec_citations;
mod structs;
