//! Each C name in a page, a manual page or a comment of a header exists in the headers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Pages and headers that users read. A packaged crate has only some of them.
#[rustfmt::skip]
const PAGES: [&str; 20] = [
    "README.md", "CHANGELOG.md", "SECURITY.md", "src/spec.md", "examples/README.md", "bindings/README.md", "bindings/c/README.md",
    "bindings/cli/README.md", "bindings/go/README.md", "bindings/java/README.md", "bindings/js/README.md",
    "bindings/python/README.md", "bindings/java/librobots-spark/README.md", "bindings/c/librobots.3.in",
    "bindings/c/librobots-cache.7.in", "bindings/c/librobots-fetch.7.in", "include/librobots.h", "include/librobots_tools.h",
    "include/librobots.hpp", "include/librobots/googlebot/robots.h",
];
/// Words that look like names of C: a reason, the version of the symbols, a variable of the environment, functions of Spark.
const OTHERS: [&str; 5] = [
    "ROBOTS_TXT",
    "ROBOTS_0",
    "ROBOTS_CORPUS",
    "robots_images",
    "robots_warc",
];

/// The words of a text that start with `robots_` or `ROBOTS_`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "_.-/".contains(c)))
        .map(|word| word.trim_end_matches(['.', '-', '/']))
        .filter(|word| word.starts_with("robots_") || word.starts_with("ROBOTS_"))
        .filter(|word| !word.contains(['.', '-', '/']))
}

/// A line, if it is text: all of a page, of a header what its comments say.
fn text<'a>(page: &str, line: &'a str) -> &'a str {
    let is_comment = || line.trim_start().starts_with(['*', '/']);
    match page.rsplit('.').next() {
        Some("h" | "hpp") if !is_comment() => {
            line.find("/**<").map_or("", |at| line.get(at..).unwrap())
        }
        _ => line,
    }
}

#[test]
fn every_c_name_in_a_page_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let headers: Vec<String> = ["include/librobots.h", "include/librobots_tools.h"]
        .iter()
        .map(|header| fs::read_to_string(root.join(header)).unwrap())
        .collect();
    let code = headers.iter().flat_map(|header| header.lines());
    let code = code.map(|line| match line.trim_start().starts_with(['*', '/']) {
        true => "",
        false => line.split("/*").next().unwrap(),
    });
    let defined: BTreeSet<&str> = code.flat_map(names).chain(OTHERS).collect();
    assert!(defined.len() > 300, "the headers define {}", defined.len());

    let mut unknown = Vec::new();
    for page in PAGES {
        let Ok(all) = fs::read_to_string(root.join(page)) else {
            continue;
        };
        for (number, line) in all.lines().enumerate() {
            // `ROBOTS_FAILURE_` is the prefix of many names.
            let exists = |name: &str| {
                defined.contains(name)
                    || name.ends_with('_') && defined.iter().any(|one| one.starts_with(name))
            };
            for name in names(text(page, line)).filter(|name| !exists(name)) {
                unknown.push(format!("{page}:{}: {name}", number + 1));
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "no header has these names:\n{}",
        unknown.join("\n")
    );
}
