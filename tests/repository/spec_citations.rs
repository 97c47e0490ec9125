//! Every row of the specification that a comment cites exists in `src/spec.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files that cite rows. A packaged crate has only some of them.
#[rustfmt::skip]
const PLACES: [&str; 9] = [
    "src", "include", "bindings", "examples", "tests", "benches", "fuzz", "README.md", "SECURITY.md",
];

/// The rows (`8.6e`) and sections (`8`) that the specification defines, in its order.
///
/// `## 8 Title` starts a section. `<a id="8.6e"></a>**8.6e**` at the start of a paragraph or of a table's line defines a row.
fn defined(spec: &str) -> Vec<String> {
    spec.lines()
        .filter_map(|line| {
            let section = line
                .strip_prefix("## ")
                .and_then(|title| title.split(' ').next());
            let row = line
                .strip_prefix("| ")
                .unwrap_or(line)
                .strip_prefix("<a id=")
                .and_then(|anchor| anchor.split_once("></a>**"))
                .map(|(_, bold)| bold)
                .and_then(|rest| rest.split_once("**"))
                .map(|(row, _)| row)
                .filter(|row| row.contains('.'));
            section.or(row)
        })
        .filter(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// A row's or section's place in the order of the specification: 2.9 before 2.10, 8.6 before 8.6a.
fn order(number: &str) -> (u32, u32, String) {
    let Some((section, row)) = number.split_once('.') else {
        return (number.parse().unwrap(), 0, String::new());
    };
    let digits = row.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let letter = row[digits.len()..].to_owned();
    // A section comes before its row 0.
    let row: u32 = digits.parse().unwrap();
    (section.parse().unwrap(), row + 1, letter)
}

/// A number at the start of `text`, as `8`, `8.6` or `8.6e`, and what follows it.
fn number(text: &str) -> Option<(&str, &str)> {
    let digits = |from: usize| {
        text[from..]
            .find(|c: char| !c.is_ascii_digit())
            .map_or(text.len(), |length| from + length)
    };
    let mut end = digits(0);
    if end == 0 {
        return None;
    }
    if text[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
        let mut rest = text[end..].chars();
        let letter = rest.next().is_some_and(|c| c.is_ascii_lowercase());
        if letter && !rest.next().is_some_and(char::is_alphanumeric) {
            end += 1;
        }
    }
    Some(text.split_at(end))
}

/// `text` without the white space at its start; the next line of a comment goes on where the first one ended.
fn after_space(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    text.strip_prefix('\n').map_or(text, |next| {
        next.trim_start_matches([' ', '\t', '/', '*', '#', '!'])
    })
}

/// Each number that follows `SPEC` in `text`, with its line: `SPEC 8.6e`, `SPEC 2.5, 2.6 and 2.11`, `SPEC 8.3 to 8.6`,
/// `SPEC sections 4 to 8, 9.1`. After the first number, only rows count, or sections after a section.
fn citations(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("SPEC") {
        let part_of_a_word = |c: char| c.is_alphanumeric() || c == '_';
        if text[..at].ends_with(part_of_a_word) {
            continue;
        }
        let line = text[..at].matches('\n').count() + 1;
        let mut rest = after_space(&text[at + "SPEC".len()..]);
        for word in ["sections", "section", "rows", "row"] {
            rest = rest.strip_prefix(word).map_or(rest, after_space);
        }
        let mut sections = true;
        while let Some((cited, next)) = number(rest) {
            let section = !cited.contains('.');
            if section && !sections {
                break;
            }
            sections = section;
            found.push((line, cited.to_owned()));
            rest = after_space(next.strip_prefix([',', '-']).unwrap_or(next));
            for word in ["and ", "or ", "to "] {
                rest = rest.strip_prefix(word).map_or(rest, after_space);
            }
        }
    }
    found
}

/// The citations of `text` that name nothing in `spec`, as `LINE: SPEC NUMBER`.
fn unknown(text: &str, spec: &str) -> Vec<String> {
    let defined: BTreeSet<String> = defined(spec).into_iter().collect();
    citations(text)
        .into_iter()
        .filter(|(_, cited)| !defined.contains(cited))
        .map(|(line, cited)| format!("{line}: SPEC {cited}"))
        .collect()
}

/// All files of a place, without those that a build wrote.
fn files(place: &Path, found: &mut Vec<PathBuf>) {
    if place.is_file() {
        found.push(place.to_owned());
    } else if place.is_dir() && !place.ends_with("target") {
        for entry in fs::read_dir(place).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    }
}

fn specification() -> String {
    fs::read_to_string("src/spec.md").unwrap()
}

#[test]
fn every_cited_row_exists() {
    let spec = specification();
    let mut faults = Vec::new();
    let mut rows = BTreeSet::new();
    for place in PLACES {
        let mut found = Vec::new();
        files(Path::new(place), &mut found);
        // This file makes numbers up.
        for file in found.iter().filter(|file| !file.ends_with(file!())) {
            // Test data may be any bytes; what is not text cites nothing.
            let text = fs::read(file).unwrap();
            let text = String::from_utf8_lossy(&text);
            rows.extend(citations(&text).into_iter().map(|(_, cited)| cited));
            faults.extend(
                unknown(&text, &spec)
                    .into_iter()
                    .map(|fault| format!("{}:{fault}", file.display())),
            );
        }
    }
    assert!(
        faults.is_empty(),
        "src/spec.md does not define these rows. Add them there, or cite a row that exists:\n{}",
        faults.join("\n")
    );
    // Most rows are cited somewhere, so the scan reads the files.
    assert!(
        rows.len() > 60,
        "only {} numbers are cited: does `files` still read PLACES?",
        rows.len()
    );
}

#[test]
fn the_rows_are_unique_in_order_and_in_their_section() {
    let defined = defined(&specification());
    assert!(
        defined.is_sorted_by(|a, b| order(a) < order(b)),
        "src/spec.md: put the rows into numeric order: {defined:?}"
    );
    let sections: Vec<_> = defined.iter().filter(|n| !n.contains('.')).collect();
    assert_eq!(
        sections.len(),
        13,
        "src/spec.md has thirteen sections (`## 1 Title`): {sections:?}"
    );
    for row in defined.iter().filter(|n| n.contains('.')) {
        assert!(
            defined.iter().any(|n| *n == order(row).0.to_string()),
            "src/spec.md: row {row} has no section: add `## {} Title`",
            order(row).0
        );
    }
    // No row is lost by a change of layout: each follows the one before it.
    let rows = defined.iter().filter(|n| n.contains('.')).map(|n| order(n));
    for (before, row) in rows.clone().zip(rows.skip(1)) {
        let starts_section = row.0 != before.0 && row.1 <= 2;
        let follows = row.0 == before.0 && row.1 <= before.1 + 1;
        assert!(
            starts_section || follows,
            "src/spec.md: {row:?} follows {before:?}: is a row between them missing, or not at the start of its line?"
        );
    }
}

#[test]
fn a_row_that_does_not_exist_is_found() {
    let spec = "## 8 Matching\n\n<a id=\"8.1\"></a>**8.1** A row.\n<a id=\"8.6e\"></a>**8.6e** Another.\n\n\
                | <a id=\"8.7\"></a>**8.7** | a table |\n\nSee **8.9**.\n";
    assert_eq!(defined(spec), ["8", "8.1", "8.6e", "8.7"]);
    assert_eq!(
        unknown("/// As SPEC 8.1, 8.6e and 8.7 say (SPEC 8).", spec),
        [""; 0]
    );
    assert_eq!(unknown("SPEC 8.2", spec), ["1: SPEC 8.2"]);
    assert_eq!(unknown("one\n# SPEC 8.1, 8.3.\n", spec), ["2: SPEC 8.3"]);
    assert_eq!(unknown("SPEC 8.1 to 8.99)", spec), ["1: SPEC 8.99"]);
    assert_eq!(
        unknown("case SPEC 8.1 8.6x: a title", spec),
        ["1: SPEC 8.6x"]
    );
    assert_eq!(unknown("SPEC 9: other lines", spec), ["1: SPEC 9"]);
    assert_eq!(unknown("See **8.9** of SPEC 8.9", spec), ["1: SPEC 8.9"]);
}

#[test]
fn lists_ranges_and_wrapped_lines_are_read_whole() {
    let cited = |text| -> Vec<String> {
        citations(text)
            .into_iter()
            .map(|(_, cited)| cited)
            .collect()
    };
    assert_eq!(cited("(SPEC 2.5, 2.6, and 2.11)"), ["2.5", "2.6", "2.11"]);
    assert_eq!(
        cited("SPEC 8.3 to 8.6 and 9.1 or 10.2."),
        ["8.3", "8.6", "9.1", "10.2"]
    );
    assert_eq!(cited("SPEC 6.1 6.3 8.7: a title"), ["6.1", "6.3", "8.7"]);
    assert_eq!(
        cited("SPEC sections 4 to 8, 9.1 and 9.2"),
        ["4", "8", "9.1", "9.2"]
    );
    assert_eq!(
        cited("/// as in SPEC\n    /// 8.6a,\n    /// 8.6b"),
        ["8.6a", "8.6b"]
    );
    assert_eq!(cited(" * SPEC 2.11,\n * 2.13 */"), ["2.11", "2.13"]);
    // What follows a row need not be one.
    assert_eq!(
        cited("SPEC 4.5, 500 KiB; SPEC 8.7. 3 bytes"),
        ["4.5", "8.7"]
    );
    assert_eq!(
        cited("SPEC 8.6and; SPECS 1.1; MY_SPEC 1.2; SPEC x"),
        ["8.6"]
    );
}
