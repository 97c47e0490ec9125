//! The command, run as its users run it.
//!
//! `sessions/*.session` show the text output; the other modules test what they cannot show: JSON and SARIF
//! as other programs read them, long and endless inputs, and the promises about speed of the streaming.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod audit;
mod bounds;
mod captures;
// The gallery has its escapes.
#[allow(dead_code)]
#[path = "../../../../tests/support/cases.rs"]
mod cases;
#[path = "../../../../tests/support/corpus.rs"]
mod corpus;
mod expect;
mod filter;
mod fixes;
#[path = "../../../../tests/support/gallery.rs"]
mod gallery;
mod json;
mod names;
mod options;
mod pages;
mod replay;
mod schema;
mod sessions;
mod streams;
#[allow(dead_code)]
#[path = "../../../../tests/support/uses.rs"]
mod uses;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The folder of the files that the tests speak of; commands run there.
fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_robots"))
}

/// Runs a line of shell in which `robots` is the program, in the folder of the files.
fn shell(line: &str) -> Output {
    shell_in(&files(), line)
}

/// The same in another folder. What the line leaves in the temporary folder is removed.
fn shell_in(folder: &Path, line: &str) -> Output {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let run = RUNS.fetch_add(1, Relaxed);
    let temporary = std::env::temp_dir().join(format!("robots-cli-{}-{run}", std::process::id()));
    std::fs::create_dir_all(&temporary).unwrap();
    let path = std::env::join_paths(
        [program().parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("bash")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        // Not "dumb", as that of a build daemon or an editor: the terminals of these tests have colours.
        .env("TERM", "xterm")
        .env("TMPDIR", &temporary)
        .env_remove("NO_COLOR")
        .env_remove("RUST_BACKTRACE")
        .output();
    std::fs::remove_dir_all(&temporary).unwrap();
    output.unwrap()
}

/// What a line of shell prints; it must end with this status and complain about nothing.
fn printed(line: &str, status: i32) -> String {
    let output = shell(line);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        (output.status.code(), complaint.as_str()),
        (Some(status), ""),
        "{line}"
    );
    String::from_utf8(output.stdout).unwrap()
}
