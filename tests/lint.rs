//! What lint says, word by word, over a gallery of bad files; what it must never say; and that nothing makes it
//! slow or long. `UPDATE_LINT=1 cargo test --test lint` renews the gallery.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

use robots::{Code, Crawler, Dialect, Report, lint};
use std::path::{Path, PathBuf};

fn crawler(dialect: Dialect) -> Crawler {
    Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(dialect)
        .unwrap()
}

fn linted(body: &[u8]) -> Report {
    lint(&crawler(Dialect::Rfc9309), body).unwrap()
}

fn gallery() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files
}

/// Each file of the gallery has exactly the report that stands beside it. A file whose name ends in `.google` or
/// `.koster` before the `.txt` is read in that dialect.
#[test]
fn the_gallery() {
    let files = gallery();
    assert!(files.len() >= 60, "{} files", files.len());
    let mut wrong = Vec::new();
    for path in &files {
        let body = std::fs::read(path).unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let dialect = match stem.rsplit_once('.') {
            Some((_, "google")) => Dialect::Google,
            Some((_, "koster")) => Dialect::Koster1996,
            _ => Dialect::Rfc9309,
        };
        let report = lint(&crawler(dialect), &body).unwrap().to_string();
        let beside = path.with_extension("expected");
        if std::env::var_os("UPDATE_LINT").is_some() {
            std::fs::write(&beside, &report).unwrap();
        }
        if std::fs::read_to_string(&beside).unwrap_or_default() != report {
            wrong.push(format!("{stem}:\n{report}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "not as expected (UPDATE_LINT=1 renews): {}",
        wrong.join("\n")
    );
}

/// The catalogue: numbers rise, every example has its diagnostic, and every code is in the gallery but those
/// that need a file too long for it.
#[test]
fn every_code_has_an_example() {
    const LONG: [Code; 2] = [Code::TooLong, Code::LongLine];
    let shown: String = gallery()
        .iter()
        .map(|path| std::fs::read_to_string(path.with_extension("expected")).unwrap_or_default())
        .collect();
    assert!(Code::ALL.is_sorted_by_key(|code| code.number()));
    for code in Code::ALL.iter().copied() {
        assert_eq!(Code::from_number(code.number()), Some(code));
        assert!(
            !code.title().is_empty() && code.explanation().ends_with('.'),
            "{code}"
        );
        if LONG.contains(&code) {
            continue;
        }
        let found = linted(code.example());
        assert!(
            found.diagnostics().iter().any(|found| found.code() == code),
            "{code}\n{found}"
        );
        assert!(
            shown.contains(&format!("[{code}]")),
            "{code} is not in the gallery"
        );
    }
    assert_eq!(Code::from_number(0), None);
    assert_eq!(Code::from_number(9_999), None);
}
