//! Each option of `tests/data/api.json` is where the recipe of CONTRIBUTING.md wants it. What is generated, and what a
//! compiler asks for, is not listed here.

use std::path::Path;

/// A file, and the text that it must have: `{}` is the name of the option. Case, `_` and `-` do not count.
type Place = (&'static str, &'static str);

/// Places of an option that changes how a file is read.
const OF_READING: &[Place] = &[("src/crawler/mod.rs", "pub fn with_{}(")];

/// Places of an option for fetches.
const OF_FETCH: &[Place] = &[("tests/c/test_status.c", "ROBOTS_OPT_{}")];

fn plain(text: &str) -> String {
    text.to_lowercase().replace(['_', '-'], "")
}

/// The places that lack an option.
fn missing(list: &str, places: &[Place], recipe: &str) -> Vec<String> {
    let api: serde_json::Value = serde_json::from_str(include_str!("../data/api.json")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = Vec::new();
    for (place, pattern) in places {
        let text = plain(&std::fs::read_to_string(root.join(place)).unwrap());
        for option in api[list].as_array().unwrap() {
            let name = option["name"].as_str().unwrap();
            let wanted = pattern.replace("{}", name);
            if !text.contains(&plain(&wanted)) {
                missing.push(format!(
                    "{place} lacks `{wanted}`: see {recipe:?} in CONTRIBUTING.md"
                ));
            }
        }
    }
    missing
}

#[test]
fn every_option_is_in_every_language() {
    let mut faults = missing("crawler_options", OF_READING, "An option of reading");
    faults.extend(missing("fetch_options", OF_FETCH, "An option of fetch"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
