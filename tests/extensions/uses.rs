//! SPEC 13: what a page may be used for. Every case of `tests/data/section-13-uses.jsonl`, and generated ones that the oracle
//! decides as well.
//!
//! A line of that file is a case: the robots.txt (`null`: it is not known), the `url`, `headers` and `metas` of the page (`page` is
//! false if they are not known), and `tdm`, the tdmrep.json (`null`: it is not known). `expect` has the answer and the deciding signal of each purpose; the
//! others are unstated, with no signal that decides. `signals` has all signals of a purpose, in order.

use crate::oracle::uses::{self as naive, Statements, TdmRule};
use crate::oracle::{self, Setup};
use crate::support::runner::{URLS, cases, reached, runner};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use robots::{
    Crawler, Error, Origin, PageControls, Purpose, Use, UseAnswer, UseSignal, UseSource, Uses,
};
use serde_json::{Value, json};
use std::cell::Cell;

const PURPOSES: [(&str, Purpose); 6] = [
    ("search", Purpose::Search),
    ("ai_search", Purpose::AiSearch),
    ("training", Purpose::Training),
    ("user_request", Purpose::UserRequest),
    ("archive", Purpose::Archive),
    ("other", Purpose::Other),
];

fn use_word(says: Use) -> &'static str {
    match says {
        Use::Denied => "denied",
        Use::Licensed => "licensed",
        Use::Allowed => "allowed",
        Use::Unstated => "unstated",
    }
}

fn source_word(source: UseSource) -> &'static str {
    match source {
        UseSource::NotRead => "not_read",
        UseSource::Rule => "rule",
        UseSource::TokenRule => "token_rule",
        UseSource::ContentUsageLine => "content_usage_line",
        UseSource::ContentSignalLine => "content_signal_line",
        UseSource::LicenseLine => "license_line",
        UseSource::ContentUsageHeader => "content_usage_header",
        UseSource::ContentSignalHeader => "content_signal_header",
        UseSource::LinkHeader => "link_header",
        UseSource::PageRule => "page_rule",
        UseSource::TdmHeader => "tdm_header",
        UseSource::TdmMeta => "tdm_meta",
        UseSource::TdmFile => "tdm_file",
        _ => "a source that the cases do not know",
    }
}

/// A signal as a case writes it.
fn words(signal: &UseSignal<'_>) -> String {
    let (says, source) = (use_word(signal.says), source_word(signal.source));
    let token = if signal.token.is_empty() {
        String::new()
    } else {
        format!("{} ", signal.token)
    };
    let text = String::from_utf8_lossy(signal.text);
    format!("{says} {source} {} {token}{text}", signal.line)
}

/// An answer as `expect` writes it.
fn shown(answer: &UseAnswer<'_>) -> String {
    let by = answer.decided_by().map(words);
    let by = by.unwrap_or_else(|| "unstated".to_owned());
    assert!(by.starts_with(use_word(answer.says())), "{answer:?}");
    let is_licensed = answer.says() == Use::Licensed;
    assert_eq!(answer.terms().is_some(), is_licensed, "{answer:?}");
    by
}

fn crawler(case: &Value) -> Crawler {
    let name = case["crawler"].as_str().unwrap_or("ExampleBot");
    Crawler::preset(name)
        .or_else(|_| Crawler::new(name))
        .unwrap()
}

fn page(case: &Value) -> Option<PageControls> {
    let mut page = PageControls::new(&crawler(case));
    let pairs = |key: &str| case[key].as_array().cloned().unwrap_or_default();
    for header in pairs("headers") {
        page.add_header(header[0].as_str().unwrap(), header[1].as_str().unwrap())
            .unwrap();
    }
    for meta in pairs("metas") {
        page.add_meta(meta[0].as_str().unwrap(), meta[1].as_str().unwrap())
            .unwrap();
    }
    (case["page"] != Value::Bool(false)).then_some(page)
}

#[test]
fn the_cases_of_section_13() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/section-13-uses.jsonl"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let site = Origin::from_url("https://a.example/").unwrap();
    let mut faults = Vec::new();
    for (line, case) in text.lines().enumerate() {
        let case: Value = serde_json::from_str(case).unwrap();
        let place = format!("line {}, SPEC {}: {}", line + 1, case["rows"], case["name"]);
        let mut uses = Uses::new(&crawler(&case), Some(&site), case["robots"].as_str()).unwrap();
        if let Some(tdm) = case.get("tdm") {
            uses = uses.with_tdm_file(tdm.as_str()).unwrap();
        }
        let page = page(&case);
        let url = case["url"].as_str().unwrap();
        for (name, purpose) in PURPOSES {
            let answer = uses.answer(url, purpose, page.as_ref());
            if case["expect"]["error"] == "url" {
                assert_eq!(answer, Err(Error::Url), "{place}");
                continue;
            }
            let answer = answer.unwrap();
            let expected = case["expect"][name].as_str().unwrap_or("unstated");
            if shown(&answer) != expected {
                faults.push(format!(
                    "{place}: {name}: {}, not {expected}",
                    shown(&answer)
                ));
            }
            if let Some(expected) = case["signals"][name].as_array() {
                let found: Vec<_> = answer.signals().iter().map(words).collect();
                let expected: Vec<_> = expected.iter().map(|one| one.as_str().unwrap()).collect();
                if found != expected {
                    faults.push(format!("{place}: {name}: {found:#?}, not {expected:#?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Lines that say whom the next lines are for, what they may fetch and use, and others.
fn line() -> impl Strategy<Value = &'static str> {
    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "User-agent: *", "User-agent: Googlebot", "User-agent: Applebot", "User-agent: ExampleBot", "User-agent: other",
        "User-agent: Google-Extended", "User-agent: Applebot-Extended", "User-agent: __usage_ai-training",
        "Disallow: /", "Disallow: /a", "Disallow: /*b", "Allow: /", "Allow: /a", "Allow: /ab$", "Disallow:", "",
        "Content-Signal: search=yes, ai-input=no", "Content-Signal: ai-train=yes", "Content-Signal: AI-Train = No, use=full",
        "Content-Signal: ai-input=yes, search=no", "Content-Usage: train-ai=n", "Content-Usage: /a train-ai=y, search=n",
        "Content-Usage: search=y", "Content-Usage: /ab train-ai=y", "Content-Usage: train-ai=x, other=n",
        "License: https://a.example/license.xml", "License: /license.xml", "Sitemap: https://a.example/s.xml",
    ];
    select(LINES)
}

fn header() -> impl Strategy<Value = (&'static str, String)> {
    #[rustfmt::skip]
    const HEADERS: &[(&str, &str)] = &[
        ("Content-Signal", "ai-train=yes"), ("Content-Signal", "search=no"), ("Content-Signal", "ai-input=yes,ai-train=no"),
        ("Content-Usage", "train-ai=y"), ("Content-Usage", "train-ai=n, search=y"), ("Content-Usage", "other=y"),
        ("Link", "<https://a.example/l>; rel=license"), ("Link", "</l>; rel=license"),
        ("X-Robots-Tag", "noindex"), ("X-Robots-Tag", "googlebot: noai"), ("X-Robots-Tag", "examplebot: nosnippet, other: noindex"),
        ("X-Robots-Tag", "noimageai"), ("X-Robots-Tag", "noarchive"), ("X-Robots-Tag", "max-snippet: 0"), ("X-Robots-Tag", "nofollow"),
        ("tdm-reservation", "1"), ("tdm-reservation", "0"), ("tdm-reservation", "x"),
        ("tdm-policy", "https://a.example/p"), ("tdm-policy", "p"), ("Content-Type", "text/html"),
    ];
    select(HEADERS).prop_map(|(name, value)| (name, value.to_owned()))
}

fn meta() -> impl Strategy<Value = (&'static str, String)> {
    #[rustfmt::skip]
    const METAS: &[(&str, &str)] = &[
        ("robots", "none"), ("robots", "noai, nosnippet"), ("robots", "nocache"), ("robots", "all"),
        ("tdm-reservation", "1"), ("tdm-reservation", "0"), ("tdm-policy", "https://a.example/m"), ("author", "noai"),
    ];
    select(METAS).prop_map(|(name, value)| (name, value.to_owned()))
}

fn tdm_rule() -> impl Strategy<Value = TdmRule> {
    (
        select(&["/", "/a", "/*b", "/ab$", "*", "/%61", "/c"][..]).prop_map(str::to_owned),
        option::weighted(0.9, select(&["1", "0", "2", "true"][..])),
        option::of(select(&["https://a.example/f", "/f"][..])),
    )
}

fn statements() -> impl Strategy<Value = Statements> {
    let body = vec(line(), 0..12).prop_map(|lines| lines.join("\n").into_bytes());
    let tdm = option::weighted(0.9, vec(tdm_rule(), 0..4));
    (
        option::weighted(0.95, body),
        option::weighted(0.95, vec(header(), 0..4)),
        vec(meta(), 0..2),
        option::weighted(0.4, tdm),
    )
        .prop_map(|(body, headers, metas, tdm)| Statements {
            body,
            headers,
            metas,
            tdm,
        })
}

/// The text of a tdmrep.json.
fn tdm_text(rules: Option<&[TdmRule]>) -> String {
    let Some(rules) = rules else {
        return "[{".to_owned();
    };
    let object = |(location, reservation, policy): &TdmRule| {
        let mut object = json!({"location": location, "x": {"y": [1, "]"]}});
        if let Some(reservation) = reservation {
            object["tdm-reservation"] = serde_json::from_str(reservation).unwrap();
        }
        if let Some(policy) = policy {
            object["tdm-policy"] = json!(policy);
        }
        object
    };
    Value::Array(rules.iter().map(object).collect()).to_string()
}

/// SPEC 13: the answer for each purpose is what the oracle finds by asking every statement.
#[test]
fn uses_agree_with_the_oracle() {
    const CONTROLS: &[(&str, oracle::Dialect, &[&str])] = &[(
        "Google-Extended",
        oracle::Dialect::Google,
        &["ai_search", "training"],
    )];
    const EXTENDED: &[(&str, oracle::Dialect, &[&str])] =
        &[("Applebot-Extended", oracle::Dialect::Rfc9309, &["training"])];
    let naive = [
        (
            "ExampleBot",
            oracle::Dialect::Rfc9309,
            &["ExampleBot"][..],
            &[][..],
        ),
        (
            "Googlebot",
            oracle::Dialect::Google,
            &["Googlebot"],
            CONTROLS,
        ),
        (
            "Applebot",
            oracle::Dialect::Rfc9309,
            &["Applebot", "Googlebot"],
            EXTENDED,
        ),
    ]
    .map(|(name, dialect, tokens, controls)| {
        let tokens: Vec<_> = tokens.iter().map(|token| token.as_bytes()).collect();
        let setup = Setup::new(dialect, &tokens);
        (name, naive::Crawler { setup, controls })
    });
    const URLS_OF_SITE: &[&str] = &[
        "/",
        "/a",
        "/ab",
        "/abc",
        "/b",
        "/c/../a",
        "/robots.txt",
        "/%61b",
        "/xb?q",
    ];
    let reach = Cell::new([0_u64; 4]);
    let mut runner = runner(cases().saturating_mul(URLS as u64));
    let scenario = (statements(), 0..naive.len(), select(URLS_OF_SITE));
    let result = runner.run(&scenario, |(said, number, url)| {
        let (name, naive) = &naive[number];
        let crawler = Crawler::preset(name)
            .or_else(|_| Crawler::new(name))
            .unwrap();
        let mut uses = Uses::new(&crawler, None, said.body.as_ref()).unwrap();
        if let Some(tdm) = &said.tdm {
            uses = uses.with_tdm_file(Some(tdm_text(tdm.as_deref()))).unwrap();
        }
        let page = said.headers.as_ref().map(|headers| {
            let mut page = PageControls::new(&crawler);
            for (name, value) in headers {
                page.add_header(name, value).unwrap();
            }
            for (name, value) in &said.metas {
                page.add_meta(name, value).unwrap();
            }
            page
        });
        for (purpose, value) in PURPOSES {
            let answer = uses.answer(url, value, page.as_ref()).unwrap();
            let expected = naive::answer(naive, &said, url.as_bytes(), purpose);
            let is = use_word(answer.says()).chars().next().unwrap();
            prop_assert_eq!(
                is,
                expected,
                "{} {} {}: {:?}\n{:?}",
                name,
                purpose,
                url,
                &said,
                &answer
            );
            shown(&answer);
            let mut count = reach.get();
            count["dlau".find(is).unwrap()] += 1;
            reach.set(count);
        }
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    for (what, count) in ["denied", "licensed", "allowed", "unstated"]
        .into_iter()
        .zip(reach.get())
    {
        reached(what, count, 8_000);
    }
}

/// SPEC 13.6: what follows after the limit of row 4.5 may say less.
#[test]
fn a_robots_txt_that_is_cut_permits_nothing() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let page = PageControls::new(&crawler);
    for (len, expected) in [(512_000, Use::Allowed), (512_001, Use::Unstated)] {
        let mut body = b"User-agent: *\nContent-Signal: search=yes\n".to_vec();
        body.resize(len, b'#');
        let uses = Uses::new(&crawler, None, Some(body)).unwrap();
        let answer = uses.answer("/", Purpose::Search, Some(&page)).unwrap();
        assert_eq!(answer.says(), expected, "{len} bytes");
    }
}

/// Pieces of JSON, and what looks like it.
fn json_piece() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        r#"{"location":"/","tdm-reservation":1}"#, r#"{"location":"/a","tdm-reservation":0}"#, r#"{"location":"/\u0061","tdm-reservation":1}"#,
        r#"{"tdm-reservation":1,"tdm-policy":"https://a.example/p","location":"\/"}"#, r#"{"location":5}"#, r#"{"location":"x"}"#,
        r#"{"location":"/","location":null,"tdm-reservation":1}"#, r#"{"tdm-reservation":0,"tdm-reservation":1,"location":"*"}"#,
        r#"{"location":"/","tdm-reservation":1.0}"#, r#"{"location":"/","tdm-reservation":[1]}"#, r#"{"x":{"y":[1,-2e5,"]\"}"]},"location":"/"}"#,
        "{}", "[]", "null", "1", r#""/""#, "[", "]", "{", "}", ",", ":", " \t\r\n", r#""\ud83d\ude00""#, r#""\ud83d""#, "\u{feff}",
    ];
    select(PIECES).prop_map(str::to_owned)
}

/// SPEC 13.4: a tdmrep.json is an array of objects, as serde_json reads it.
#[test]
fn a_tdm_file_is_read_as_json() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let page = PageControls::new(&crawler);
    let array = vec(json_piece(), 0..4).prop_map(|pieces| format!("[{}]", pieces.join(",")));
    let text =
        prop_oneof![3 => array, 1 => vec(json_piece(), 0..5).prop_map(|pieces| pieces.concat())];
    let reach = Cell::new([0_u64; 2]);
    let mut runner = runner(cases().saturating_mul(URLS as u64));
    let result = runner.run(&text, |text| {
        let uses = Uses::new(&crawler, None, Some("")).unwrap();
        let uses = uses.with_tdm_file(Some(&text)).unwrap();
        let answer = uses.answer("/a", Purpose::Training, Some(&page)).unwrap();
        let without_mark = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let value = serde_json::from_str::<Value>(without_mark).unwrap_or_default();
        let objects = value
            .as_array()
            .map(|array| array.iter().all(Value::is_object));
        let is_file = objects == Some(true);
        let expected = match value.as_array().filter(|_| is_file) {
            None => "unstated not_read 0 tdmrep.json".to_owned(),
            Some(rules) => {
                let is_here =
                    |rule: &&Value| matches!(rule["location"].as_str(), Some("/" | "/a" | "*"));
                let rule = rules.iter().find(is_here);
                let policy = rule.and_then(|rule| rule["tdm-policy"].as_str());
                match rule
                    .map(|rule| rule["tdm-reservation"].to_string())
                    .as_deref()
                {
                    Some("0") => "allowed tdm_file 0 0".to_owned(),
                    Some("1") => policy.map_or("denied tdm_file 0 1".to_owned(), |policy| {
                        format!("licensed tdm_file 0 {policy}")
                    }),
                    _ => "unstated".to_owned(),
                }
            }
        };
        prop_assert_eq!(shown(&answer), expected, "{}", text);
        let mut count = reach.get();
        count[usize::from(is_file)] += 1;
        reach.set(count);
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    for (what, count) in ["no file", "a file"].into_iter().zip(reach.get()) {
        reached(what, count, 3_000);
    }
}
