//! The reader of `tests/golden/lint/*.txt`: bad files by topic, each with the reports of lint after it.
//!
//! ```text
//! === title
//! | User-agent: *           a line of the file, with the escapes of `cases`; a `\` as the last byte: no LF
//! --- rfc9309               the report in this dialect, to the next line that begins with `---` or `===`
//! ```

#![allow(dead_code)]

use robots::Dialect;
use std::path::{Path, PathBuf};

pub struct Bad {
    pub title: String,
    /// The title and the lines of the file as they are written.
    pub input: String,
    pub body: Vec<u8>,
    /// The dialects in which lint reads the file, and the recorded reports.
    pub reports: Vec<(Dialect, String)>,
}

/// Returns the gallery files in the order of their names.
pub fn paths() -> Vec<PathBuf> {
    // The package is the root or `bindings/cli`.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = "tests/golden/lint";
    let mut roots = package.ancestors().map(|root| root.join(folder));
    let folder = roots.find(|folder| folder.is_dir()).unwrap();
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns the files of all topics.
pub fn all() -> Vec<Bad> {
    let read = |path: PathBuf| parse(&std::fs::read_to_string(path).unwrap());
    paths().into_iter().flat_map(read).collect()
}

/// Returns titles and bodies.
pub fn bodies() -> Vec<(String, Vec<u8>)> {
    let of_each = all().into_iter();
    of_each.map(|bad| (bad.title, bad.body)).collect()
}

/// Returns the files of one topic.
pub fn parse(text: &str) -> Vec<Bad> {
    let mut found: Vec<Bad> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("=== ") {
            found.push(Bad {
                title: title.to_owned(),
                input: String::new(),
                body: Vec::new(),
                reports: Vec::new(),
            });
        }
        let bad = found.last_mut().unwrap();
        if let Some(name) = line.strip_prefix("--- ") {
            let mut all = Dialect::ALL.into_iter();
            let dialect = all.find(|dialect| word(*dialect) == name).unwrap();
            bad.reports.push((dialect, String::new()));
        } else if let Some((_, report)) = bad.reports.last_mut() {
            report.push_str(&format!("{line}\n"));
        } else {
            bad.input.push_str(&format!("{line}\n"));
            if let Some(line) = line.strip_prefix('|') {
                super::cases::push_line(&mut bad.body, line.strip_prefix(' ').unwrap_or(line));
            }
        }
    }
    // A blank line stands before the next title.
    for (_, report) in found.iter_mut().flat_map(|bad| &mut bad.reports) {
        report.truncate(report.trim_end().len() + 1);
    }
    found
}

fn word(dialect: Dialect) -> String {
    format!("{dialect:?}").to_ascii_lowercase()
}

/// Returns the text of a topic.
pub fn text(topic: &[Bad]) -> String {
    let of_report =
        |(dialect, report): &(Dialect, String)| format!("--- {}\n{report}", word(*dialect));
    let of_bad =
        |bad: &Bad| bad.input.clone() + &bad.reports.iter().map(of_report).collect::<String>();
    topic.iter().map(of_bad).collect::<Vec<_>>().join("\n")
}
