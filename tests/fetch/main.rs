//! SPEC 1, 2, 3 and 7.6, row by row, with scripted servers and a clock of the tests' own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod around;
#[path = "../support/conformance.rs"]
mod conformance;
#[path = "../drivers/fields.rs"]
mod fields;
mod headers;
#[path = "../invariants"]
mod invariants {
    pub mod fetch;
}
mod model;
#[path = "../oracle/mod.rs"]
mod oracle;
mod properties;
mod questions;
mod record;
#[allow(dead_code, reason = "what other tests call")]
#[path = "../support/runner.rs"]
mod runner;
mod server;
mod spec_1;
mod spec_2;
mod spec_2_18;
mod spec_2_bodies;
mod spec_2_gzip;
mod spec_2_outages;
mod spec_2_redirects;
mod spec_3;
mod spec_7;
