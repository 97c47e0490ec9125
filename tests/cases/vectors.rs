//! Recorded answers of Google's open-source matcher, quirks included: `tests/data/google-matcher.jsonl` has a case a line. Answers
//! are those of the matcher for the same case with other names.
//!
//! More vectors, which are not part of this repository, with the correctness part of Google's compliance cases:
//!
//! ```text
//! ROBOTS_VECTORS=<folder with google-observed.jsonl and ctc-correctness.jsonl> cargo test --test engine cases::vectors
//! ```

use crate::oracle;
use crate::support;
use crate::support::bridge;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use std::path::Path;

const FILES: [(&str, usize); 2] = [
    ("google-observed.jsonl", 373),
    ("ctc-correctness.jsonl", 146),
];

/// The lines of `tests/data/google-matcher.jsonl`.
const OWN: usize = 143;

struct Vector {
    id: String,
    setup: oracle::Setup,
    body: Vec<u8>,
    url: Vec<u8>,
    allowed: bool,
    /// 0: no line decides. `None`: not known.
    line: Option<u64>,
}

/// Reads a case of this repository; the number of its line is its name.
fn read_own((number, text): (usize, &str)) -> Vector {
    let value: Value = serde_json::from_str(text).unwrap();
    let bytes = |value: &Value| value.as_str().unwrap().as_bytes().to_vec();
    let mut setup = oracle::Setup::new(oracle::Dialect::Google, &[]);
    setup.tokens = value["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(bytes)
        .collect();
    setup.merge_tokens = true;
    Vector {
        id: format!("line {}", number + 1),
        setup,
        body: bytes(&value["robots"]),
        url: bytes(&value["url"]),
        allowed: value["allowed"].as_bool().unwrap(),
        line: value.get("line").map(|line| line.as_u64().unwrap()),
    }
}

fn read(text: &str) -> Vector {
    let value: Value = serde_json::from_str(text).unwrap();
    let bytes = |name: &str| {
        BASE64_STANDARD
            .decode(value[name].as_str().unwrap())
            .unwrap()
    };
    let dialect = match value["dialect"].as_str().unwrap() {
        "rfc9309" => oracle::Dialect::Rfc9309,
        "google" => oracle::Dialect::Google,
        "koster1996" => oracle::Dialect::Koster1996,
        other => panic!("dialect {other}"),
    };
    let agents = value["agents"].as_array().unwrap();
    let mut setup = oracle::Setup::new(dialect, &[]);
    setup.tokens = agents
        .iter()
        .map(|agent| agent.as_str().unwrap().as_bytes().to_vec())
        .collect();
    setup.merge_tokens = value["merge_tokens"].as_bool().unwrap();
    Vector {
        id: value["id"].as_str().unwrap().to_owned(),
        setup,
        body: bytes("robots_base64"),
        url: bytes("url_base64"),
        allowed: value["allowed"].as_bool().unwrap(),
        line: value.get("line").map(|line| line.as_u64().unwrap()),
    }
}

fn check(vector: &Vector, who: &str, allowed: bool, line: u32, faults: &mut Vec<String>) {
    let line_differs = vector
        .line
        .is_some_and(|expected| expected != u64::from(line));
    if allowed != vector.allowed || line_differs {
        let expected = format!("allowed {} line {:?}", vector.allowed, vector.line);
        faults.push(format!(
            "{}: {who} says allowed {allowed} line {line}, expected {expected}",
            vector.id
        ));
    }
}

/// Returns a text as a URL. Google's matcher extracts a path from any text; librobots refuses what is neither a URL nor a path
/// (SPEC 8.5b), and asks for the path that Google extracts, as `googlebot/robots.h` does.
fn as_url(site: &oracle::Site, text: Vec<u8>) -> Vec<u8> {
    if site.decide(&text).url_error || text.starts_with(b"//") {
        return [b"http://h", &*oracle::path_params_query_google(&text)].concat();
    }
    text
}

/// Compares the oracle and the library with vectors; panics with all faults.
fn compare(name: &str, vectors: impl Iterator<Item = Vector>, expected: usize) {
    let mut faults = Vec::new();
    let mut seen = 0;
    for mut vector in vectors {
        seen += 1;
        let parsed = oracle::parse(&vector.setup, &vector.body);
        vector.url = as_url(&parsed, vector.url);
        let answer = parsed.decide(&vector.url);
        check(
            &vector,
            "the oracle",
            answer.allowed,
            answer.line,
            &mut faults,
        );
        let rules = bridge::crawler(&vector.setup).parse(&vector.body);
        let verdict = rules.check(&vector.url);
        check(
            &vector,
            "the library",
            verdict.allowed(),
            verdict.line(),
            &mut faults,
        );
        if let Err(fault) = bridge::compare(&rules, &parsed, &vector.url) {
            faults.push(format!("{}: {fault}", vector.id));
        }
    }
    assert_eq!(seen, expected, "vectors in {name}");
    assert!(
        faults.is_empty(),
        "{} faults in {name}:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn own_vectors() {
    let text = include_str!("../data/google-matcher.jsonl");
    compare(
        "google-matcher.jsonl",
        text.lines().enumerate().map(read_own),
        OWN,
    );
}

#[test]
fn all_given_vectors() {
    let Some(folder) = support::folder("ROBOTS_VECTORS", "vectors::all_given_vectors") else {
        return;
    };
    for (name, expected) in FILES {
        let path = Path::new(&folder).join(name);
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        compare(name, text.lines().map(read), expected);
        println!("{name}: {expected} vectors");
    }
}
