//! SPEC 13: what a page may be used for. Every case of `tests/data/section-13-uses.jsonl`, and generated ones that the oracle
//! decides as well.

use crate::oracle::uses::{self as naive, Statements, TdmRule};
use crate::oracle::{self, Setup};
use crate::support::runner::{URLS, cases, reached, runner};
use crate::support::uses::{Case, PURPOSES, SITE, read};
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

fn page(case: &Case) -> Option<PageControls> {
    let mut page = PageControls::new(&case.crawler());
    for [name, value] in case.pairs("headers") {
        page.add_header(name, value).unwrap();
    }
    for [name, content] in case.pairs("metas") {
        page.add_meta(name, content).unwrap();
    }
    case.knows_page().then_some(page)
}

fn uses_of(case: &Case) -> Uses {
    let site = Origin::from_url(SITE).unwrap();
    let uses = Uses::new(&case.crawler(), Some(&site), case.text("robots")).unwrap();
    match case.tdm_file() {
        Some(json) => uses.with_tdm_file(json).unwrap(),
        None => uses,
    }
}

#[test]
fn the_cases_of_section_13() {
    let mut faults = Vec::new();
    for case in read() {
        let (place, fields) = (&case.place, &case.fields);
        let (uses, page) = (uses_of(&case), page(&case));
        let url = case.text("url").unwrap();
        for (name, purpose) in PURPOSES {
            let answer = uses.use_for(url, purpose, page.as_ref());
            if fields["expect"]["error"] == "url" {
                assert_eq!(answer, Err(Error::Url), "{place}");
                continue;
            }
            let answer = answer.unwrap();
            let expected = fields["expect"][name].as_str().unwrap_or("unstated");
            if shown(&answer) != expected {
                faults.push(format!(
                    "{place}: {name}: {}, not {expected}",
                    shown(&answer)
                ));
            }
            if let Some(expected) = fields["signals"][name].as_array() {
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

/// SPEC 13.7: a receipt says what the answer says.
#[test]
fn receipts_say_what_answers_say() {
    for case in read()
        .iter()
        .filter(|case| case.fields["expect"]["error"].is_null())
    {
        let (uses, page) = (uses_of(case), page(case));
        let url = case.text("url").unwrap();
        let url = match url.strip_prefix('/') {
            Some(path) => format!("{SITE}{path}"),
            None => url.to_owned(),
        };
        for (name, purpose) in PURPOSES {
            let answer = uses.use_for(&url, purpose, page.as_ref()).unwrap();
            let receipt = uses
                .receipt(&url, purpose, page.as_ref(), 1_795_000_000)
                .unwrap();
            let value: Value = serde_json::from_str(&receipt).unwrap();
            let place = format!("{}: {name}: {receipt}", case.place);
            assert_eq!(value["url"], json!(url), "{place}");
            assert_eq!(value["purpose"], json!(name), "{place}");
            assert_eq!(value["use"], json!(use_word(answer.says())), "{place}");
            assert_eq!(value["fetched_at"], json!(1_795_000_000), "{place}");
            assert_eq!(
                value["robots"].is_null(),
                case.text("robots").is_none(),
                "{place}"
            );
            assert_eq!(
                value["tdmrep"].is_null(),
                case.tdm_file().is_none(),
                "{place}"
            );
            let signals = value["signals"].as_array().unwrap();
            assert_eq!(signals.len(), answer.signals().len(), "{place}");
            for (written, signal) in signals.iter().zip(answer.signals()) {
                let part = |name: &str| written[name].as_str().unwrap_or_default().to_owned();
                let line = written["line"].as_u64().unwrap_or_default();
                let token = match part("token").as_str() {
                    "" => String::new(),
                    token => format!("{token} "),
                };
                let text = part("text");
                let found = format!("{} {} {line} {token}{text}", part("says"), part("source"));
                assert_eq!(found, words(signal), "{place}");
            }
            assert!(!receipt.contains('\n'), "{place}");
        }
    }
}

/// Rules of a page name crawlers: those for another crawler say nothing to this one.
#[test]
fn the_page_of_another_crawler_is_refused() {
    let crawler = |name: &str| Crawler::new(name).unwrap();
    let uses = Uses::new(
        &crawler("ExampleBot"),
        None,
        Some("Content-Signal: ai-train=yes\n"),
    )
    .unwrap();
    let mut page = PageControls::new(&crawler("OtherBot"));
    page.add_header("X-Robots-Tag", "examplebot: noai").unwrap();
    let url = "https://a.example/tea";
    let answer = uses.use_for(url, Purpose::Training, Some(&page));
    assert_eq!(answer, Err(Error::Argument));
    let receipt = uses.receipt(url, Purpose::Training, Some(&page), 0);
    assert_eq!(receipt, Err(Error::Argument));
}

/// A receipt is text about one URL of one site.
#[test]
fn a_receipt_has_an_absolute_url_in_utf_8() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let uses = Uses::new(&crawler, None, Some("")).unwrap();
    let receipt = |url: &[u8]| uses.receipt(url, Purpose::Search, None, 0);
    assert_eq!(receipt(b"/tea"), Err(Error::Url));
    assert_eq!(receipt(b"https://a.example/\xFF"), Err(Error::Url));
    assert_eq!(receipt(b"mailto:a@a.example"), Err(Error::Scheme));
    let escaped = receipt("https://a.example/é\"\\\u{1}".as_bytes()).unwrap();
    assert!(escaped.contains(r#"/\u00e9\"\\\u0001""#), "{escaped}");
    assert!(escaped.is_ascii());
}

/// The range is that of all times (SPEC 2.18).
#[test]
fn a_receipt_has_a_time_up_to_the_year_9999() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let uses = Uses::new(&crawler, None, Some("")).unwrap();
    let receipt = |time| uses.receipt("https://a.example/", Purpose::Search, None, time);
    let last = 253_402_300_799;
    assert!(receipt(last).unwrap().contains(&last.to_string()));
    assert_eq!(receipt(last + 1), Err(Error::Argument));
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
        ("Content-Usage", "train-ai=y"), ("Content-Usage", "train-ai=n, search=y"), ("Content-Usage", "other=y"), ("Content-Usage", "\tsearch=n \t"),
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
        "/a/../robots.txt",
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
            uses = uses.with_tdm_file(tdm_text(tdm.as_deref())).unwrap();
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
            let answer = uses.use_for(url, value, page.as_ref()).unwrap();
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
        let answer = uses.use_for("/", Purpose::Search, Some(&page)).unwrap();
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
        let uses = uses.with_tdm_file(&text).unwrap();
        let answer = uses.use_for("/a", Purpose::Training, Some(&page)).unwrap();
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
