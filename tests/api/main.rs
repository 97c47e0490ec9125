//! What the languages have in common, as the source says it: `tests/data/api.json` and what is made of it. `make api` (or
//! `UPDATE_API=1 cargo test --test api`) writes all of it anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod go;
mod json;
mod words;

use std::fs;
use std::path::Path;

/// A file that is generated: its path and what is in it.
type Generated = (&'static str, String);

#[test]
fn generated_files_are_up_to_date() {
    let files: [Generated; 4] = [
        ("tests/data/api.json", json::text()),
        ("bindings/go/constants.go", go::constants()),
        ("bindings/go/options.go", go::options()),
        ("bindings/go/options_test.go", go::numbers()),
    ];
    for (path, generated) in files {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if std::env::var_os("UPDATE_API").is_some() {
            fs::write(&place, &generated).unwrap();
        }
        let committed = fs::read_to_string(&place).unwrap_or_default();
        let place = (1..)
            .zip(committed.lines().chain([""]))
            .zip(generated.lines());
        let first = place.into_iter().find(|((_, old), new)| old != new);
        assert!(
            committed == generated,
            "{path} is not what src says: run `make api` and commit the result; the first difference: {first:?}"
        );
    }
}
