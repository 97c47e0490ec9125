//! The conformance suite's chapters that come from `tests/data` and from the hostile files. `tests/fetch` and
//! `tests/extensions` write the others.

use crate::hostile;
use crate::oracle::page_controls::Input;
use crate::suite::{DIALECTS, Fields, Suite, bytes};
use crate::support::cases::{self, Case, Expectation};
use crate::support::{page, uses};
use robots::{Crawler, Dialect};
use serde_json::{Map, Value, json};
use std::path::Path;

#[test]
fn the_conformance_suite_is_what_the_tables_say() {
    let mut suite = Suite::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for case in cases::read_folder(&data) {
        add_case(&mut suite, &case);
    }
    for line in include_str!("../data/google-matcher.jsonl").lines() {
        add_recorded(&mut suite, &serde_json::from_str(line).unwrap());
    }
    for case in page::read(include_str!("../data/section-9-page-controls.page")) {
        add_page(&mut suite, &case);
    }
    for case in uses::read() {
        add_use(&mut suite, &case);
    }
    add_hostile(&mut suite);
    suite.finish();
}

/// Every row of the specification has a level and a source.
#[test]
fn every_row_has_a_level() {
    let spec = include_str!("../../src/spec.md");
    let mut rows: Vec<&str> = spec.split("**").skip(1).step_by(2).collect();
    rows.retain(|row| row.starts_with(|c: char| c.is_ascii_digit()));
    let suite = Suite::new();
    let levels = suite.rows();
    let lacks = |from: &[&str], row: &&str| !from.contains(row);
    let missing: Vec<&&str> = rows.iter().filter(|row| lacks(&levels, row)).collect();
    let unknown: Vec<&&str> = levels.iter().filter(|row| lacks(&rows, row)).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "tests/conformance/rows.tsv lacks the rows {missing:?} of src/spec.md: add a line for each; it has {unknown:?}, which \
         src/spec.md has not"
    );
    assert_eq!(levels, rows, "the order of rows.tsv is that of src/spec.md");
}

fn chapter(row: &str, dialect: &str) -> &'static str {
    match (dialect, row) {
        (_, "9.1" | "9.2") => "lines",
        ("google", _) => "google",
        ("koster1996", _) => "koster1996",
        (_, "4.2" | "4.4") => "encodings",
        (_, row) if row.starts_with("8.6") => "encodings",
        (_, "4.5" | "4.6") => "limits",
        (_, row) if row.starts_with("6.") || row.starts_with("7.") => "groups",
        _ => "rfc9309",
    }
}

fn texts(all: &[Vec<u8>]) -> Value {
    all.iter().map(|text| bytes(text)).collect()
}

fn add_case(suite: &mut Suite, case: &Case) {
    let rows: Vec<&str> = case.rows.iter().map(String::as_str).collect();
    let dialect = match case.dialect.as_str() {
        "" => "rfc9309",
        other => other,
    };
    let chapter = chapter(rows[0], dialect);
    let default = [b"ExampleBot".to_vec()];
    let agents = match case.tokens.as_slice() {
        [] => &default,
        tokens => tokens,
    };
    let options: Map<String, Value> = case
        .options
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    let question = |kind: &str, agents: &[Vec<u8>], url: Option<&[u8]>| {
        let mut fields: Fields = vec![("kind", json!(kind)), ("agents", texts(agents))];
        if !options.is_empty() {
            fields.push(("options", json!(options)));
        }
        fields.push(("robots", bytes(&case.body)));
        fields.extend(url.map(|url| ("url", bytes(url))));
        fields
    };
    let mut add = |question, expect| {
        suite.add(chapter, &rows, dialect, &case.title, question, expect);
    };
    // `*` stands for any crawler in many parsers.
    for token in case.bad_tokens.iter().filter(|token| *token != b"*") {
        let token = std::slice::from_ref(token);
        add(
            question("check", token, Some(b"/")),
            json!({"answer": "error"}),
        );
    }
    for (_, expectation) in &case.expectations {
        match expectation {
            Expectation::Verdict {
                allowed,
                line,
                reason,
                url,
            } => {
                let word = match (allowed, reason.as_str()) {
                    (true, _) => "allow",
                    (false, "unreachable" | "defer") => "defer",
                    (false, _) => "deny",
                };
                let expect = json!({"answer": word, "line": line});
                add(question("check", agents, Some(url)), expect);
            }
            Expectation::UrlError { url } => {
                add(
                    question("check", agents, Some(url)),
                    json!({"answer": "error"}),
                );
            }
            Expectation::Delay(delay) => {
                let value = delay.map_or("none".to_owned(), |seconds| seconds.to_string());
                add(
                    question("crawl-delay", agents, None),
                    json!({"answer": "value", "value": value}),
                );
            }
            Expectation::Sitemaps(all) => {
                add(
                    question("sitemaps", agents, None),
                    json!({"answer": "value", "values": texts(all)}),
                );
            }
        }
    }
}

/// A recorded answer of Google's matcher, which merges the groups of its tokens.
fn add_recorded(suite: &mut Suite, line: &Value) {
    let agents = line["agents"].as_array().unwrap();
    let is_token = |agent: &Value| {
        let agent = agent.as_str().unwrap();
        let is_of_token = |c: char| c.is_ascii_alphabetic() || "_-".contains(c);
        !agent.is_empty() && agent.chars().all(is_of_token)
    };
    // Google's matcher takes any name; an engine may refuse one that is no product token.
    if !agents.iter().all(is_token) {
        return;
    }
    // It also extracts a path from any text, and from a path that starts with `//` (SPEC 8.5b).
    let url = line["url"].as_str().unwrap();
    let has_host = url
        .find("://")
        .is_some_and(|end| end > 0 && url[..end].chars().all(|c| c.is_ascii_alphanumeric()));
    if !has_host && (!url.starts_with('/') || url.starts_with("//")) {
        return;
    }
    let text = |name: &str| bytes(line[name].as_str().unwrap().as_bytes());
    let mut question: Fields = vec![("kind", json!("check")), ("agents", line["agents"].clone())];
    if agents.len() > 1 {
        question.push(("options", json!({"merge_tokens": 1})));
    }
    question.extend([("robots", text("robots")), ("url", text("url"))]);
    let word = if line["allowed"] == json!(true) {
        "allow"
    } else {
        "deny"
    };
    let mut expect = json!({"answer": word});
    if let Some(number) = line.get("line") {
        expect["line"] = number.clone();
    }
    let why = "Google's open-source matcher answered so";
    suite.add("google", &["4.3"], "google", why, question, expect);
}

/// One case for each control that a response restricts, and for one that it does not.
fn add_page(suite: &mut Suite, case: &page::Case) {
    let mut headers: Vec<Value> = case
        .others
        .iter()
        .map(|(name, value)| json!([bytes(name), bytes(value)]))
        .collect();
    let mut metas = Vec::new();
    for input in &case.inputs {
        match input {
            Input::XRobotsTag(value) => headers.push(json!(["X-Robots-Tag", bytes(value)])),
            Input::RobotsTag(value) => headers.push(json!(["Robots-Tag", bytes(value)])),
            Input::Meta(name, content) => metas.push(json!([bytes(name), bytes(content)])),
        }
    }
    let (rows, title) = case
        .title
        .strip_prefix("SPEC ")
        .unwrap()
        .split_once(": ")
        .unwrap();
    let rows: Vec<&str> = rows.split(' ').collect();
    let unrestricted = ["index", "follow"]
        .into_iter()
        .filter(|control| case.values.iter().all(|(name, _)| name != control))
        .map(|control| (control.to_owned(), 1));
    let values = case.values.iter().cloned().chain(unrestricted);
    let values = values.map(|(name, value)| ("page", name, value.to_string()));
    for (kind, control, value) in values {
        let question = vec![
            ("kind", json!(kind)),
            ("agents", texts(&case.tokens)),
            ("headers", json!(headers)),
            ("metas", json!(metas)),
            ("control", json!(control)),
        ];
        let expect = json!({"answer": "value", "value": value});
        suite.add("page-controls", &rows, "rfc9309", title, question, expect);
    }
}

/// A page, and whether it may be used for each purpose that the case names.
fn add_use(suite: &mut Suite, case: &uses::Case) {
    let crawler = case.crawler();
    let tokens: Vec<_> = crawler.tokens().map(<[u8]>::to_vec).collect();
    let options: Map<String, Value> = case
        .options()
        .into_iter()
        .map(|(name, value)| (name, json!(value)))
        .collect();
    let pairs = |name: &str| {
        let pairs = case.pairs(name).into_iter();
        pairs
            .map(|pair| json!(pair.map(|text| bytes(text.as_bytes()))))
            .collect::<Value>()
    };
    let expect = &case.fields["expect"];
    let is_asked = |name: &str| expect[name].is_string() || name == "training";
    for (purpose, _) in uses::PURPOSES
        .into_iter()
        .filter(|(name, _)| is_asked(name))
    {
        let mut question: Fields = vec![("kind", json!("use")), ("agents", texts(&tokens))];
        if !options.is_empty() {
            question.push(("options", json!(options)));
        }
        for (name, text) in [("robots", case.text("robots")), ("tdm", case.tdm_file())] {
            question.extend(text.map(|text| (name, bytes(text.as_bytes()))));
        }
        question.push(("site", json!(uses::SITE)));
        if case.knows_page() {
            question.extend([("headers", pairs("headers")), ("metas", pairs("metas"))]);
        } else {
            question.push(("page", json!("unknown")));
        }
        question.push(("url", bytes(case.text("url").unwrap().as_bytes())));
        question.push(("purpose", json!(purpose)));
        let said = expect[purpose].as_str().unwrap_or("unstated");
        let (word, _) = said.split_once(' ').unwrap_or((said, ""));
        let expect = match expect["error"].is_null() {
            true => json!({"answer": "value", "value": word}),
            false => json!({"answer": "error"}),
        };
        let title = case.text("name").unwrap();
        suite.add(
            "uses",
            &case.rows(),
            case.dialect(),
            title,
            question,
            expect,
        );
    }
}

/// The bound of SPEC 10.1 for a URL of 2 KiB, in steps of 4 ns.
const STEPS: u32 = 5_000_000;

/// Files that another parser misread, as its project reports: the row, the report with the versions that were run here, the file,
/// and the URL.
const REPORTED: [(&str, &str, &str, &str); 4] = [
    (
        "10.1",
        "CVE-2026-55520: Protego 0.6.1 does not answer in 20 seconds; 0.6.2 and 0.7.0 do at once",
        "User-agent: ExampleBot\nDisallow: /*a*a*a*a*a*a*a*a*a*a*b\n",
        "/",
    ),
    (
        "7.1",
        "httrack issue 1695: httrack 3.49-4 (Debian 12) adds the rules of the * group to its own",
        "User-agent: ExampleBot\nDisallow: /secret/\n\nUser-agent: *\nDisallow: /public/\n",
        "/public/",
    ),
    (
        "6.1",
        "httrack issue 1695: httrack 3.49-4 (Debian 12) ignores its group if another name follows",
        "User-agent: ExampleBot\nUser-agent: OtherBot\nDisallow: /secret/\n",
        "/secret/",
    ),
    (
        "6.4",
        "httrack issue 1695: httrack 3.49-4 (Debian 12) obeys the last of its groups alone",
        "User-agent: ExampleBot\nDisallow: /secret/\n\nUser-agent: ExampleBot\nDisallow: /public/\n",
        "/secret/",
    ),
];

/// Files made to cost as much work as they can: whole where they repeat a line, else their first 8 KB. Then the reported files.
fn add_hostile(suite: &mut Suite) {
    for shape in hostile::SHAPES {
        let whole = shape.body(512_000);
        let body = match bytes(&whole).to_string().len() {
            0..4096 => whole,
            _ => shape.body(8 << 10),
        };
        let why = format!("a hostile file ({}) costs bounded work", shape.name);
        for dialect in 0..Dialect::ALL.len() {
            add_timed(suite, dialect, "10.1", &why, &body, &shape.url(2 << 10));
        }
    }
    for (row, why, body, url) in REPORTED {
        let url = format!("{url:a<2048}"); // enough letters that a search which goes back does not end
        add_timed(suite, 0, row, why, body.as_bytes(), url.as_bytes());
    }
}

/// Adds a question that must be answered in time, as librobots answers it.
fn add_timed(suite: &mut Suite, dialect: usize, row: &str, why: &str, body: &[u8], url: &[u8]) {
    let crawler = Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(Dialect::ALL[dialect])
        .unwrap();
    let verdict = crawler.parse(body).check(url);
    let word = if verdict.allowed() { "allow" } else { "deny" };
    let question = vec![
        ("kind", json!("check")),
        ("agents", json!(["ExampleBot"])),
        ("robots", bytes(body)),
        ("url", bytes(url)),
        ("limit", json!({"seconds": 2, "steps": STEPS})),
    ];
    let expect = json!({"answer": word, "line": verdict.line()});
    suite.add("hostile", &[row], DIALECTS[dialect], why, question, expect);
}
