//! The tables of `src/DESIGN.md` that name files, functions, types and constants: each is where its row says.

use std::fs;
use std::path::Path;

/// The headings of the tables. The last cell of a row has parts such as "`core/check/mod.rs`: `check_path`".
const TABLES: [&str; 2] = ["## Where is", "## Where to start a change"];

/// Returns the rows of the table below a heading, without the head of the table.
fn rows<'d>(design: &'d str, heading: &str) -> Vec<&'d str> {
    let (_, section) = design.split_once(&format!("\n{heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    rows.skip(1).collect()
}

/// Returns the files of a row's last cell, each with the names in it. Names in parentheses do not count.
fn places(row: &str) -> Vec<(&str, Vec<&str>)> {
    let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
    let mut found = Vec::new();
    for part in cell.split("; ").flat_map(|part| part.split(". ")) {
        let Some((file, names)) = part.split_once(".rs`: ") else {
            continue;
        };
        let file = file.rsplit('`').next().unwrap();
        let names = names.split('(').next().unwrap();
        let more = part.split("), ").skip(1);
        let names = std::iter::once(names).chain(more.map(|more| more.split('(').next().unwrap()));
        let names = names.flat_map(|names| names.split('`').skip(1).step_by(2));
        found.push((file, names.collect()));
    }
    found
}

/// Returns whether a source defines a name.
fn defines(source: &str, name: &str) -> bool {
    let kinds = ["fn", "const", "struct", "enum", "trait", "macro_rules!"];
    kinds.iter().any(|kind| {
        let definition = format!("{kind} {name}");
        let mut places = source.match_indices(&definition);
        places.any(|(at, _)| {
            let next = source[at + definition.len()..].chars().next();
            !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
        })
    })
}

#[test]
fn each_row_of_the_design_names_what_is_in_its_file() {
    let design = fs::read_to_string("src/DESIGN.md").unwrap();
    let mut faults = Vec::new();
    for heading in TABLES {
        let rows = rows(&design, heading);
        assert!(rows.len() >= 10, "{heading}: {} rows", rows.len());
        for row in rows {
            let places = places(row);
            assert!(!places.is_empty(), "no file: {row}");
            for (file, names) in places {
                let file = format!("{file}.rs");
                let in_src = Path::new("src").join(&file);
                let source = fs::read_to_string(in_src).or_else(|_| fs::read_to_string(&file));
                let Ok(source) = source else {
                    faults.push(format!("no file {file}"));
                    continue;
                };
                assert!(!names.is_empty(), "no name in {file}: {row}");
                let missing = names.iter().filter(|name| !defines(&source, name));
                faults.extend(missing.map(|name| format!("{file} does not define {name}")));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_name_that_its_file_does_not_define_is_found() {
    let row = "| a | `x/y.rs`: `one`, `TWO` (`three`), `four`; and `z.rs`: `five` |";
    let found = places(row);
    assert_eq!(
        found,
        [("x/y", vec!["one", "TWO", "four"]), ("z", vec!["five"])]
    );
    assert!(defines("fn one(", "one") && defines("const TWO: u8", "TWO"));
    assert!(!defines("fn one_more(", "one") && !defines("one()", "one"));
}
