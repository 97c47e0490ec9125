//! Each option of reading in `tests/data/api.json` has a setter in Rust, as the recipe of CONTRIBUTING.md wants it. What is
//! generated, and what a compiler asks for, needs no test.

use std::path::Path;

#[test]
fn every_option_is_in_every_language() {
    let api: serde_json::Value = serde_json::from_str(include_str!("../data/api.json")).unwrap();
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/crawler/mod.rs");
    let text = std::fs::read_to_string(place).unwrap();
    for option in api["crawler_options"].as_array().unwrap() {
        let wanted = format!("pub fn with_{}(", option["name"].as_str().unwrap());
        assert!(
            text.contains(&wanted),
            "src/crawler/mod.rs lacks `{wanted}`: see \"An option of reading\" in CONTRIBUTING.md"
        );
    }
}
