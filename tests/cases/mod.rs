//! Runs every case of `tests/data/*.case` against the library and against the oracle, and every pair of `tests/data/*.pair` and
//! every script of `tests/data/*.script` against the library. `support/cases.rs` and `tests/drivers/scripts.rs` describe the formats.

mod batch;
mod vectors;

use crate::drivers::{fields, rust, scripts, shared};
use crate::oracle;
use crate::support::bridge;
use crate::support::cases::{Case, Expectation, read_folder};
use robots::{Crawler, Error, Reason};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Returns the settings of a case. Panics on unknown words.
fn setup(case: &Case) -> oracle::Setup {
    let dialect = match case.dialect.as_str() {
        "" | "rfc9309" => oracle::Dialect::Rfc9309,
        "google" => oracle::Dialect::Google,
        "koster1996" => oracle::Dialect::Koster1996,
        other => panic!("{}: no dialect {other:?}", case.place),
    };
    let mut setup = oracle::Setup::new(dialect, &[]);
    setup.tokens.clone_from(&case.tokens);
    if setup.tokens.is_empty() {
        setup.tokens.push(b"ExampleBot".to_vec());
    }
    for (option, value) in &case.options {
        setup.set(option, *value);
    }
    setup
}

/// Differences from the expectations of cases, one line each.
type Faults = Vec<String>;

fn fault(faults: &mut Faults, case: &Case, place: &str, who: &str, what: &str) {
    faults.push(format!(
        "{place}: {who}: {what} (SPEC {}: {})",
        case.rows.join(" "),
        case.title
    ));
}

fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::None => "none",
        Reason::RuleAllowed => "rule_allowed",
        Reason::RuleDisallowed => "rule_disallowed",
        Reason::NoRule => "no_rule",
        Reason::NoGroup => "no_group",
        Reason::RobotsTxt => "robots_txt",
        Reason::AllowAll => "allow_all",
        Reason::DisallowAll => "disallow_all",
        Reason::Defer => "defer",
        Reason::Unreachable => "unreachable",
        _ => "a reason that the cases do not know",
    }
}

fn oracle_word(reason: oracle::Reason) -> &'static str {
    match reason {
        oracle::Reason::None => "none",
        oracle::Reason::RuleAllowed => "rule_allowed",
        oracle::Reason::RuleDisallowed => "rule_disallowed",
        oracle::Reason::NoRule => "no_rule",
        oracle::Reason::NoGroup => "no_group",
        oracle::Reason::RobotsTxt => "robots_txt",
        oracle::Reason::Unreachable => "unreachable",
    }
}

/// A verdict as a case writes it.
fn verdict_words(allowed: bool, line: u32, reason: &str) -> String {
    format!(
        "{} {line} {reason}",
        if allowed { "allowed" } else { "disallowed" }
    )
}

fn run_library(case: &Case, faults: &mut Faults) {
    let setup = setup(case);
    for token in &case.bad_tokens {
        let alone = oracle::Setup {
            tokens: vec![token.clone()],
            ..setup.clone()
        };
        let further = oracle::Setup {
            tokens: vec![b"ExampleBot".to_vec(), token.clone()],
            ..setup.clone()
        };
        for wrong in [alone, further] {
            let result = bridge::checked_crawler(&wrong).map(|_| ());
            if result != Err(Error::Token) {
                let what = format!("token {} gives {result:?}", token.escape_ascii());
                fault(faults, case, &case.place, "library", &what);
            }
        }
    }
    let crawler = match bridge::checked_crawler(&setup) {
        Ok(_) => bridge::crawler(&setup),
        Err(error) => {
            return fault(
                faults,
                case,
                &case.place,
                "library",
                &format!("refuses its tokens: {error:?}"),
            );
        }
    };
    let rules = crawler.parse(&case.body);
    for (place, expected) in &case.expectations {
        match expected {
            Expectation::Verdict {
                allowed,
                line,
                reason,
                url,
            } => {
                let verdict = rules.check(url);
                let once = crawler.check_once(&case.body, url);
                if once != verdict {
                    fault(
                        faults,
                        case,
                        place,
                        "library",
                        &format!("says once {once:?}"),
                    );
                }
                let is = verdict_words(
                    verdict.allowed(),
                    verdict.line(),
                    reason_word(verdict.reason()),
                );
                if is != verdict_words(*allowed, *line, reason) || verdict.error().is_some() {
                    let error = verdict
                        .error()
                        .map(|error| format!(", {error:?}"))
                        .unwrap_or_default();
                    fault(
                        faults,
                        case,
                        place,
                        "library",
                        &format!("answers {is}{error}"),
                    );
                }
                if rules.is_allowed(url) != *allowed {
                    fault(faults, case, place, "library", "is_allowed says otherwise");
                }
            }
            Expectation::UrlError { url } => {
                let verdict = rules.check(url);
                let right = verdict.error() == Some(Error::Url) && verdict.reason() == Reason::None;
                if !right || verdict.allowed() || verdict.line() != 0 || rules.is_allowed(url) {
                    fault(
                        faults,
                        case,
                        place,
                        "library",
                        &format!("answers {verdict:?}"),
                    );
                }
            }
            Expectation::Delay(seconds) => {
                if rules.crawl_delay() != *seconds {
                    fault(
                        faults,
                        case,
                        place,
                        "library",
                        &format!("delay {:?}", rules.crawl_delay()),
                    );
                }
            }
            Expectation::Sitemaps(all) => {
                if !rules.sitemaps().eq(all.iter().map(Vec::as_slice)) {
                    let is: Vec<_> = rules
                        .sitemaps()
                        .map(|s| s.escape_ascii().to_string())
                        .collect();
                    fault(faults, case, place, "library", &format!("sitemaps {is:?}"));
                }
            }
        }
    }
}

fn run_oracle(case: &Case, faults: &mut Faults) {
    let site = oracle::parse(&setup(case), &case.body);
    for (place, expected) in &case.expectations {
        let (right, is) = match expected {
            Expectation::Verdict {
                allowed,
                line,
                reason,
                url,
            } => {
                let answer = site.decide(url);
                let is = verdict_words(answer.allowed, answer.line, oracle_word(answer.reason));
                (
                    is == verdict_words(*allowed, *line, reason) && !answer.url_error,
                    is,
                )
            }
            Expectation::UrlError { url } => {
                let answer = site.decide(url);
                (answer.url_error && !answer.allowed, format!("{answer:?}"))
            }
            Expectation::Delay(seconds) => (
                site.crawl_delay == *seconds,
                format!("delay {:?}", site.crawl_delay),
            ),
            Expectation::Sitemaps(all) => (
                site.sitemaps == *all,
                format!("{} sitemaps", site.sitemaps.len()),
            ),
        };
        if !right {
            fault(faults, case, place, "oracle", &format!("answers {is}"));
        }
    }
}

fn run(with: fn(&Case, &mut Faults)) {
    let mut faults = Vec::new();
    for case in read_folder(&data()) {
        // A case that expects nothing would pass whatever the library does.
        if case.expectations.is_empty() && case.bad_tokens.is_empty() {
            fault(&mut faults, &case, &case.place, "case", "expects nothing");
        }
        with(&case, &mut faults);
    }
    assert!(
        faults.is_empty(),
        "{} expectations are not met:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn the_library_meets_every_script() {
    let scripts: Vec<_> = scripts::scripts().into_iter().flatten().collect();
    assert!(scripts.len() > 40, "only {} scripts", scripts.len());
    for script in scripts {
        let answers = rust::answer(&script.question);
        let answers: Vec<String> = answers.split('\t').map(scripts::canonical).collect();
        assert_eq!(answers.len(), script.expected.len(), "{}", script.place);
        for ((place, expected), answer) in script.expected.iter().zip(answers) {
            assert_eq!(answer, *expected, "{place}");
        }
    }
}

/// The first path counts: the drivers of the other languages are compared with Rust on all of them.
#[test]
fn the_library_meets_every_pair() {
    let pairs = shared::pairs();
    assert!(pairs.len() > 12, "only {} pairs", pairs.len());
    for pair in pairs {
        let asked = shared::of_pair(&pair);
        assert_eq!(pair.sides.len(), 2, "{}: other", asked.place);
        let answer = rust::answer(&asked.question);
        let mut words = answer.split(' ').skip(1).take(8).map(fields::unescaped);
        let answer = words.by_ref().collect::<Vec<_>>().join(&b' ');
        assert_eq!(
            answer.escape_ascii().to_string(),
            pair.difference,
            "{}",
            asked.place
        );
    }
}

#[test]
fn the_library_meets_every_case() {
    run(run_library);
}

#[test]
fn the_oracle_meets_every_case() {
    run(run_oracle);
}

/// Rows that a case cannot show: the rows, why, and the test that names each of them.
#[rustfmt::skip]
const WITHOUT_CASE: &[(&str, &str, &str)] = &[
    ("1.1 1.2 1.3 1.4 1.5 1.6 1.7", "an origin, not a file", "tests/fetch/spec_1.rs"),
    ("2.1 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.14 2.19", "a fetch", "tests/fetch/spec_2.rs"),
    ("2.2 2.3 2.15", "a redirect", "tests/fetch/spec_2_redirects.rs"),
    ("2.11 2.12 2.13", "an outage", "tests/fetch/spec_2_outages.rs"),
    ("2.16 2.17 2.20", "a body", "tests/fetch/spec_2_bodies.rs"),
    ("2.18", "a clock", "tests/fetch/spec_2_18.rs"),
    ("3.1 3.2 3.3 3.5 3.6 3.7 3.8", "a lifetime", "tests/fetch/spec_3.rs"),
    ("3.4", "an outage", "tests/fetch/spec_2_outages.rs"),
    ("3.9 3.10", "a slot", "tests/cache/pace.rs"),
    ("7.9", "a text, not a token", "tests/fetch/spec_7.rs"),
    ("4.7", "no file", "tests/cases/mod.rs"),
    ("8.12", "allocations", "tests/bounds/allocations.rs"),
    ("8.13", "all URLs", "tests/properties/mod.rs"),
    ("9.3 9.7", "no rule", "tests/extensions/lines.rs"),
    ("9.4 9.5", "no rule", "tests/extensions/preferences.rs"),
    ("9.6", "a page", "tests/extensions/page_controls.rs"),
    ("9.8", "a diagnostic", "tests/analysis/lint.rs"),
    ("10.0 10.1 10.2", "a cost", "tests/bounds/mod.rs"),
    ("10.3", "any input", "tests/properties/mod.rs"),
    ("11.1 11.2 11.3 11.4 11.5 11.6 11.7 11.8", "a capture", "tests/data/captures.jsonl"),
    ("12.1 12.2 12.3", "two files", "tests/data/section-12-differences.pair"),
    ("13.1 13.2 13.3 13.4 13.5 13.6", "a use", "tests/data/section-13-uses.jsonl"),
    ("13.7", "a receipt", "tests/extensions/uses.rs"),
];

/// Returns the rows of the specification: `**8.6e**` at the start of a paragraph or of a table's line.
fn rows() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/spec.md");
    let row = |line: &str| {
        let line = line.strip_prefix("| ").unwrap_or(line);
        let line = match line.split_once("></a>") {
            Some((anchor, line)) if anchor.starts_with("<a id=") => line,
            _ => line,
        };
        let (row, _) = line.strip_prefix("**")?.split_once("**")?;
        row.contains('.').then(|| row.to_owned())
    };
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter_map(row).collect()
}

/// Each row has a case in the file of its section, or is excepted by name, with a reason and a test.
#[test]
fn every_row_has_a_case() {
    let rows = rows();
    let cases = read_folder(&data());
    for case in &cases {
        for row in &case.rows {
            assert!(
                rows.contains(row),
                "{}: src/spec.md has no row {row}: add it there, or name another one",
                case.place
            );
        }
    }
    let mut without = BTreeSet::new();
    for (all, _, file) in WITHOUT_CASE {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(path).unwrap();
        for row in all.split(' ') {
            let test = format!("spec_{}", row.replace('.', "_"));
            assert!(
                names(&text, row) || names(&text, &test),
                "{file} names no row {row}: add a test with `SPEC {row}` in its comment, or a case"
            );
            without.insert(row);
        }
    }
    for row in &rows {
        let (section, _) = row.split_once('.').unwrap();
        let file = format!("section-{section}-");
        let has_case = cases
            .iter()
            .any(|case| case.place.starts_with(&file) && case.rows.contains(row));
        assert!(
            has_case != without.contains(row.as_str()),
            "row {row} of src/spec.md: add a case to tests/data/{file}*.case, or name it in WITHOUT_CASE of \
             tests/cases/mod.rs, with the reason and its test; not both"
        );
    }
    for row in without {
        assert!(
            rows.iter().any(|known| known == row),
            "WITHOUT_CASE names row {row}, which src/spec.md does not have"
        );
    }
}

/// Each option of reading is known to the oracle, and set by a case.
#[test]
fn every_option_has_a_case() {
    let api: serde_json::Value = serde_json::from_str(include_str!("../data/api.json")).unwrap();
    let options = api["crawler_options"].as_array().unwrap().iter();
    let mut names: BTreeSet<&str> = options
        .map(|option| option["name"].as_str().unwrap())
        .collect();
    // The case files have a word for it.
    assert!(names.remove("dialect"));
    // No verdict depends on it.
    assert!(names.remove("lint_all"));
    let oracle = oracle::Setup::new(oracle::Dialect::Rfc9309, &[]).options();
    let known: BTreeSet<&str> = oracle.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        known, names,
        "left: Setup::options of tests/oracle/mod.rs, right: tests/data/api.json"
    );
    let cases = read_folder(&data());
    for (name, default) in oracle {
        let is_set = |case: &Case| {
            let mut options = case.options.iter();
            options.any(|(option, value)| option == name && *value != default)
        };
        assert!(
            cases.iter().any(is_set),
            "no case has `set {name} VALUE` with another value than {default}: add one to tests/data"
        );
    }
}

/// Returns whether a text has a word, which no letter or digit follows.
fn names(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let ends = |next: Option<char>| !next.is_some_and(char::is_alphanumeric);
        ends(before) && before != Some('.') && ends(after)
    })
}

/// The site-wide rules that stand for the result of a fetch.
#[test]
fn allow_all_and_disallow_all() {
    let cases = [
        (robots::Rules::allow_all(), true, Reason::AllowAll),
        (robots::Rules::disallow_all(), false, Reason::DisallowAll),
    ];
    for (rules, allowed, reason) in cases {
        for url in ["/", "/x", "http://example.com", "https://example.com/a?b#c"] {
            let verdict = rules.check(url);
            let is = (
                verdict.allowed(),
                verdict.reason(),
                verdict.line(),
                verdict.error(),
            );
            assert_eq!(is, (allowed, reason, 0, None), "{url}");
            assert_eq!(rules.is_allowed(url), allowed);
        }
        assert_eq!(rules.crawl_delay(), None);
        assert_eq!(rules.sitemaps().count(), 0);
        // 8.5b: no verdict on what is no URL, whatever the rules.
        let verdict = rules.check("no url");
        assert_eq!(
            (verdict.allowed(), verdict.error(), verdict.reason()),
            (false, Some(Error::Url), Reason::None)
        );
    }
}

/// SPEC 4.7: a program passes the address of a file in place of its content. No entry allows anything, and none fails.
#[test]
fn an_address_is_no_body() {
    let addresses = [
        "https://example.com/robots.txt",
        "HTTP://example.com\r\n",
        "http://example.com:8080/a?b=c#d",
        "robots.txt",
        "\u{feff}  /etc/Robots.TXT\n",
        "../site/robots.txt",
        "C:\\site\\robots.txt",
        "file:///etc/robots.txt",
        "https:/example.com/robots.txt",
        "example.com/robots.txt",
        "x\u{1}/robots.txt",
    ];
    let files = [
        "Disallow:/robots.txt",
        "Disallow /robots.txt",
        "Sitemap:https://example.com/robots.txt",
        "#robots.txt",
        "# https://example.com/robots.txt",
        "https://example.com/robots.txt\nUser-agent: *",
        "see https://example.com/robots.txt",
        "mailto:user@example.com",
        "/etc/hosts",
        "",
    ];
    for dialect in robots::Dialect::ALL {
        let crawler = Crawler::without_token().with_dialect(dialect).unwrap();
        for url in [
            "/x",
            "https://example.com/a/../b",
            "/",
            "/robots.txt",
            "/robots%2Etxt",
        ] {
            for body in addresses {
                let verdict = crawler.parse(body).check(url);
                let is = (verdict.allowed(), verdict.error(), verdict.line());
                assert_eq!(is, (false, Some(Error::Argument), 0), "{body:?}");
                assert_eq!(crawler.check_once(body, url), verdict, "{body:?}");
                let why = robots::explain(&crawler, body, url);
                assert_eq!(why.map(|_| ()), Err(Error::Argument), "{body:?}");
                let rules = robots::Rules::from_image(crawler.parse(body).image());
                assert_eq!(rules.unwrap().check(url), verdict, "{body:?}");
                // A server may send it: that is a file without rules.
                let crawlers = [crawler.clone()];
                let site = "https://example.com";
                let outcome = robots::Outcome::from_status(&crawlers, site, 200, body, 1).unwrap();
                let is_zlib = body.starts_with("x\u{1}");
                let allowed = outcome.rules(0).unwrap().is_allowed(url);
                assert!(allowed || is_zlib, "{body:?}");
            }
            let others = files.iter().filter(|_| !url.starts_with("/robots"));
            for body in others {
                assert!(crawler.parse(body).is_allowed(url), "{body:?}");
                assert!(crawler.check_once(body, url).allowed(), "{body:?}");
            }
        }
    }
}

/// 7.1, 2: what rules report about themselves.
#[test]
fn facts_about_rules() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let facts = |rules: &robots::Rules| {
        let about = rules.about();
        let site = (about.allows_all, about.disallows_all, about.unreachable);
        (about.has_group, site, about.dialect)
    };
    let rfc = robots::Dialect::Rfc9309;
    let none = (false, false, false);
    let all = (true, false, false);
    let parsed = crawler.parse("User-agent: *\nDisallow: /a\n");
    assert_eq!(facts(&parsed), (true, none, rfc));
    let other = crawler.parse("User-agent: Other\nDisallow: /a\n");
    assert_eq!(facts(&other), (false, all, rfc));
    let open = crawler.parse("User-agent: *\nDisallow:\nCrawl-delay: 2\n");
    assert_eq!(facts(&open), (true, all, rfc));
    let shut = crawler.parse("User-agent: *\nDisallow: /\n");
    assert_eq!(facts(&shut), (true, (false, true, false), rfc));
    let koster = crawler.clone().with_dialect(robots::Dialect::Koster1996);
    let koster = koster.unwrap().parse("User-agent: ExampleBot\n");
    assert_eq!(facts(&koster), (true, all, robots::Dialect::Koster1996));
    let allowed = robots::Rules::allow_all();
    assert_eq!(facts(&allowed), (false, (true, false, false), rfc));
    let disallowed = robots::Rules::disallow_all();
    assert_eq!(facts(&disallowed), (false, (false, true, false), rfc));
    let crawlers = [crawler];
    let site = "https://example.com";
    let outage = robots::Outcome::from_status(&crawlers, site, 503, "", 1).unwrap();
    let rules = outage.rules(0).unwrap();
    assert_eq!(facts(rules), (false, (false, false, true), rfc));
    let verdict = rules.check("/x");
    assert_eq!(
        (verdict.allowed(), reason_word(verdict.reason())),
        (false, "unreachable")
    );
}

/// 7.4, 7.6: `*` alone is a crawler without a token of its own.
#[test]
fn a_crawler_for_everyone() {
    let anyone = Crawler::without_token();
    assert_eq!(anyone.tokens().count(), 0);
    let further = Crawler::new("ExampleBot").unwrap().with_token("*");
    assert_eq!(further.map(|_| ()), Err(Error::Token));
    for dialect in robots::Dialect::ALL {
        let anyone = anyone.clone().with_dialect(dialect).unwrap();
        let rules =
            anyone.parse("User-agent: ExampleBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n");
        assert!(rules.is_allowed("/a") && !rules.is_allowed("/b"));
    }
    assert_eq!(anyone.agent_name(b"Other2/1"), Some(&b"Other"[..]));
    assert_eq!(anyone.agent_name(b"* x"), Some(&b"*"[..]));
    assert_eq!(anyone.agent_name(b"/"), None);
}

/// 7.6, 7.8: koster1996 permits tokens of RFC 1945. They are added once the dialect is set.
#[test]
fn tokens_of_koster1996() {
    let koster = Crawler::without_token().with_dialect(robots::Dialect::Koster1996);
    let crawler = koster.unwrap().with_token("W3C!Bot*").unwrap();
    let rules =
        crawler.parse("User-agent: w3c!bot*\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n");
    assert!(!rules.is_allowed("/a") && rules.is_allowed("/b"));
    for dialect in [robots::Dialect::Rfc9309, robots::Dialect::Google] {
        let other = crawler.clone().with_dialect(dialect);
        assert_eq!(other.map(|_| ()), Err(Error::Token));
    }
}

/// 7.3: names are read in the alphabet of the crawler's token.
#[test]
fn names_in_user_agent_lines() {
    let crawler = |tokens: &[&str]| {
        let mut tokens = tokens.iter();
        let first = Crawler::new(tokens.next().unwrap()).unwrap();
        tokens.try_fold(first, Crawler::with_token).unwrap()
    };
    let both = crawler(&["MJ12bot", "MJ"]);
    assert_eq!(both.agent_name(b"mj12BOT/v1"), Some(&b"mj12BOT"[..]));
    assert_eq!(both.agent_name(b"MJ1"), Some(&b"MJ"[..]));
    assert_eq!(both.agent_name(b"Other2"), Some(&b"Other2"[..]));
    let example = crawler(&["ExampleBot"]);
    assert_eq!(example.agent_name(b"ExampleBot2"), Some(&b"ExampleBot"[..]));
    assert_eq!(example.agent_name(b"Other2"), Some(&b"Other"[..]));
    assert_eq!(example.agent_name(b"2"), None);
}

/// 7.6: messages say what to pass; they end in no NUL.
#[test]
fn messages_of_errors() {
    for error in Error::ALL {
        let text = error.to_string();
        assert!(text.contains(": ") && !text.contains('\0'), "{text}");
        assert_eq!(Error::from_code(error.code()), Some(error));
    }
    assert_eq!(Error::from_code(0), None);
    let memory = Error::Memory.to_string();
    assert!(memory.contains("was raised, lower it"), "{memory}");
    assert!(Error::Token.to_string().contains("not a whole User-Agent"));
    // All languages show these texts, so they name nothing that is written so in one of them only.
    let is_identifier = |word: &str| word.trim_matches('_').contains('_');
    for error in Error::ALL {
        let text = error.to_string();
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        assert!(!words.any(is_identifier), "{text}");
    }
}

/// 4.5: the limit may be raised, but is never below 500 KiB.
#[test]
fn size_limits_below_500_kib_are_refused() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    for refused in [0, 1, 511_999] {
        assert_eq!(
            crawler.clone().with_max_bytes(refused).map(|_| ()),
            Err(Error::Argument),
            "{refused}"
        );
    }
    for taken in [512_000, 512_001, 10_000_000] {
        assert!(crawler.clone().with_max_bytes(taken).is_ok(), "{taken}");
    }
}
