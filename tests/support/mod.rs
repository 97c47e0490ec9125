//! What the tests share: the readers of the case files and of the gallery of lint, the bridge between the library's types and the
//! oracle's, the generators of robots.txt files and of URLs, and what runs a
//! property on them.

pub mod bridge;
pub mod cases;
pub mod corpus;
pub mod files;
pub mod gallery;
pub mod page;
pub mod page_values;
pub mod paths;
pub mod runner;
pub mod urls;
pub mod uses;
pub mod words;

use std::io::Write as _;
use std::path::PathBuf;

/// Returns the folder that an environment variable names. Without it, says that the test is skipped: the harness counts it as passed,
/// and captures what `println!` prints, but not this line, which `tests/scripts/run` counts.
pub fn folder(variable: &str, test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        let line = format!("\nSKIP test {test}: {variable} names no folder\n");
        std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
    }
    folder
}
