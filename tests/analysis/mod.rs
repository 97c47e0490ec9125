//! Explanations, lint and format: what people read about a file.

mod difference;
mod explain;
mod format;
mod guide;
mod lint;
mod lint_claims;
mod lint_fixes;
mod lint_properties;
mod recipes;

use robots::{Crawler, Dialect, Report, lint as lint_file};

/// Returns a crawler for which lint reports every code.
fn crawler(dialect: Dialect) -> Crawler {
    let crawler = Crawler::new("ExampleBot").unwrap().with_lint_all(true);
    crawler.with_dialect(dialect).unwrap()
}

fn linted(body: &[u8]) -> Report {
    lint_file(&crawler(Dialect::Rfc9309), body).unwrap()
}
