//! What the languages have in common, as the source says it: `tests/data/api.json` and what is made of it. `make api` (or
//! `UPDATE_API=1 cargo test --test api`) writes all of it anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod c;
mod cli;
mod go;
mod java;
mod json;
mod python;
mod words;

use std::fs;
use std::path::Path;

/// A file that is generated: its path and what is in it.
type Generated = (&'static str, String);

macro_rules! java {
    ($class:literal) => {
        concat!(
            "bindings/java/librobots/src/main/java/io/github/librobots/",
            $class,
            ".java"
        )
    };
}

/// Returns whether a line is no comment: a comment has no name, and moves with its value.
fn is_code(line: &str) -> bool {
    !line.trim_start().starts_with(['/', '*', '#'])
}

/// Returns the first of these lines that differs: its number, as it is committed, and as it is generated.
fn difference<'a>(
    committed: &'a str,
    generated: &'a str,
    counts: fn(&str) -> bool,
) -> Option<(usize, &'a str, &'a str)> {
    let old = (1..).zip(committed.lines().chain(["nothing"]));
    let old = old.filter(|(_, line)| counts(line));
    let new = generated.lines().filter(|line| counts(line));
    let mut pairs = old.zip(new);
    let ((line, old), new) = pairs.find(|((_, old), new)| old != new)?;
    Some((line, old, new))
}

#[test]
fn generated_files_are_up_to_date() {
    let files: [Generated; 12] = [
        ("tests/data/api.json", json::text()),
        ("tests/c/options.h", c::options()),
        ("bindings/go/constants.go", go::constants()),
        ("bindings/go/options.go", go::options()),
        ("bindings/go/options_test.go", go::numbers()),
        ("tests/differential/options.go", go::driver()),
        ("bindings/cli/src/words.rs", cli::words()),
        (
            "bindings/python/python/librobots/_enums.py",
            python::enums(),
        ),
        (java!("Dialect"), java::dialect()),
        (java!("Reason"), java::reason()),
        (java!("FetchOption"), java::fetch_option()),
        (java!("BuilderOptions"), java::builder()),
    ];
    let mut faults = Vec::new();
    for (path, generated) in files {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if std::env::var_os("UPDATE_API").is_some() {
            fs::write(&place, &generated).unwrap();
        }
        let committed = fs::read_to_string(&place).unwrap_or_default();
        let other = difference(&committed, &generated, is_code)
            .or_else(|| difference(&committed, &generated, |_| true));
        if let Some((line, old, new)) = other {
            faults.push(format!(
                "{path}:{line} has `{}`, src says `{}`",
                old.trim(),
                new.trim()
            ));
        } else if committed != generated {
            faults.push(format!("{path} has more than src says"));
        }
    }
    assert!(
        faults.is_empty(),
        "run `make api` and commit the result:\n{}",
        faults.join("\n")
    );
}

#[test]
fn what_is_written_by_hand_is_that_of_the_source() {
    let faults = [c::faults(), cli::faults(), java::faults(), python::faults()].concat();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
