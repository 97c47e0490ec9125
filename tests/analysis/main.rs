//! Explanations, lint and format: what people read about a file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod explain;
mod format;
mod guide;
#[path = "../invariants"]
mod invariants {
    pub mod explain;
    pub mod format;
    pub mod lint;
}
mod lint;
mod lint_fixes;
mod lint_properties;
#[path = "../oracle/mod.rs"]
mod oracle;
mod recipes;
#[path = "../support/mod.rs"]
mod support;

use robots::{Crawler, Dialect, Report, lint as lint_file};

/// Returns a crawler for which lint reports every code.
fn crawler(dialect: Dialect) -> Crawler {
    let crawler = Crawler::new("ExampleBot").unwrap().with_lint_all(true);
    crawler.with_dialect(dialect).unwrap()
}

fn linted(body: &[u8]) -> Report {
    lint_file(&crawler(Dialect::Rfc9309), body).unwrap()
}
