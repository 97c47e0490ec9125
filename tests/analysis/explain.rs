//! Explanations agree with the engine and with the oracle; a gallery shows their text.
//!
//! `UPDATE_EXPECTED=1 cargo test --test engine analysis::explain` writes `tests/golden/explain/gallery.txt` anew.

use crate::invariants::explain::holds;
use crate::oracle;
use crate::oracle::{Dialect, Setup};
use crate::support;
use crate::support::runner::{URLS, as_case, run};
use crate::support::{files, urls};
use proptest::collection::vec;
use proptest::test_runner::TestCaseError;
use robots::{Crawler, Error, MatchResult, explain};
use std::fmt::Write as _;
use std::path::Path;

fn agrees(dialect: Dialect) {
    let scenario = (
        files::setup(dialect),
        files::file(),
        vec(urls::recipe(), URLS / 10),
    );
    run(&scenario, |(setup, file, recipes)| {
        let body = file.bytes(setup.max_bytes);
        let site = oracle::parse(&setup, &body);
        let paths = files::rule_paths(&body);
        for recipe in recipes {
            let url = recipe.url(&paths);
            holds(&setup, &body, &url, &site).map_err(|fault| {
                TestCaseError::fail(format!("{fault}\n{}", as_case(&setup, &body, &url)))
            })?;
        }
        Ok(())
    });
}

#[test]
fn rfc9309_is_explained_as_it_decides() {
    agrees(Dialect::Rfc9309);
}

#[test]
fn google_is_explained_as_it_decides() {
    agrees(Dialect::Google);
}

#[test]
fn koster1996_is_explained_as_it_decides() {
    agrees(Dialect::Koster1996);
}

/// The same over real files, or generated ones of their shape.
#[test]
fn real_files_are_explained_as_they_decide() {
    let (mut asked, mut faults) = (0, Vec::new());
    for (name, body) in support::corpus::files(100) {
        let mut numbers = urls::Numbers::of(&body);
        let rules = files::rule_paths(&body);
        for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
            let setup = Setup::new(dialect, &[b"Googlebot-News", b"Googlebot"]);
            let site = oracle::parse(&setup, &body);
            let rule = rules.get(numbers.below(rules.len().max(1)));
            let rule = rule.map_or(&b"/"[..], Vec::as_slice);
            for url in [urls::expand(rule, &[b"a"], false), b"/a/b?c".to_vec()] {
                let fault = holds(&setup, &body, &url, &site).err();
                faults.extend(fault.map(|fault| format!("{name} {dialect:?}: {fault}")));
                asked += 1;
            }
        }
    }
    println!("{asked} explanations");
    assert!(asked > 0 && faults.is_empty(), "{}", faults.join("\n"));
}

/// A query, and what the gallery shows of it.
struct Shown {
    title: &'static str,
    tokens: &'static [&'static str],
    dialect: robots::Dialect,
    ignore_star: bool,
    body: String,
    url: String,
}

fn shown(title: &'static str, body: &str, url: &str) -> Shown {
    Shown {
        title,
        tokens: &["ExampleBot"],
        dialect: robots::Dialect::Rfc9309,
        ignore_star: false,
        body: body.to_owned(),
        url: url.to_owned(),
    }
}

impl Shown {
    fn in_dialect(self, dialect: robots::Dialect) -> Shown {
        Shown { dialect, ..self }
    }

    fn by(self, tokens: &'static [&'static str]) -> Shown {
        Shown { tokens, ..self }
    }

    fn crawler(&self) -> Crawler {
        let mut tokens = self.tokens.iter();
        let first = Crawler::new(tokens.next().unwrap()).unwrap();
        tokens
            .fold(first, |crawler, token| crawler.with_token(token).unwrap())
            .with_dialect(self.dialect)
            .unwrap()
            .with_ignore_star(self.ignore_star)
    }
}

const SHOP: &str = "User-agent: *
Disallow: /

User-agent: ExampleBot   # welcome
Allow: /shop
Disallow: /shop/cart     # nothing to see
Disallow: /*.pdf$
Crawl-delay: 1
";

#[rustfmt::skip]
fn gallery() -> Vec<Shown> {
    use robots::Dialect::{Google, Koster1996};
    let shop = |title, url| shown(title, SHOP, url);
    let stars = "User-agent: *\nAllow: /p\nDisallow: /p\nAllow: /p*\nDisallow: /*/q\nAllow: /p/q\nDisallow: /p/q\nAllow: /p/q\n";
    let many: String = (0..30)
        .map(|n| format!("Disallow: /a{}\n", "*".repeat(n)))
        .collect();
    let names = "User-agent: ExampleBot\n".repeat(25);
    let tricks = "User-agent: *\nDisallow: /\x1b[2J\u{202e}caf\u{e9}\u{200b}\t\u{7}\\x\"'\n";
    let long = format!("User-agent: *\nDisallow: /{}/end\n", "long".repeat(100));
    let long_url = format!("https://example.com/{}/end", "long".repeat(100));
    let index = "User-agent: *\nDisallow: /x/\nAllow: /x/index.html\n";
    let empty = "User-agent: *\nDisallow:\nAllow:\nDisallow: /x\n";
    let records =
        "User-agent: *\nAllow: /open\nDisallow: /\nAllow: /open/more\n\nDisallow: /never\n";
    let images = "User-agent: Googlebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: Googlebot-Image\nDisallow: /c\n\nUser-agent: googlebot/2.1\nAllow: /a/b\n";
    vec![
        shop("the longest rule wins", "https://example.com/shop/cart?id=1"),
        shop("a wildcard and the end", "https://example.com/shop/list.pdf"),
        shop("no rule matches", "https://example.com/about"),
        shop("the robots.txt itself", "https://example.com/robots.txt"),
        shop("another crawler, another group", "/shop").by(&["OtherBot"]),
        shown("no group", "User-agent: a\nDisallow: /\n", "/x").by(&["B", "C"]),
        Shown { ignore_star: true, ..shown("groups for everyone are ignored", "User-agent: *\nDisallow: /\n", "/x").by(&["AdsBot-Google"]) },
        shown("an empty file", "", "/x"),
        shown("a group without rules", "User-agent: *\n", "/x"),
        shown("one rule, which does not match", "User-agent: *\nDisallow: /y\n", "/x"),
        shown("ties: allow wins, the first of equals is reported", stars, "/p/q"),
        shown("what is compared is not what is written", "User-agent: *\nDisallow: /caf\u{e9}/%7ejoe/a$b\n", "http://example.com/caf%c3%a9/~joe/a$b?x=%2F#top"),
        shown("many rules", &format!("User-agent: *\n{many}"), "/ab"),
        shown("many names", &format!("{names}Disallow: /\n"), "/ab"),
        shown("what a terminal would obey is escaped", tricks, "/\u{1b}[2J\u{202e}caf\u{e9}\u{200b}\t\u{7}\\x\"'"),
        shown("long lines and URLs are cut in the middle", &long, &long_url),
        shown("two tokens, the first one named counts", images, "/a/b").by(&["Googlebot-Image", "Googlebot"]),
        shown("groups of one name are one", images, "/a/b").by(&["Googlebot"]),
        shown("google: index.html stands for its directory", index, "/x/").in_dialect(Google),
        shown("rfc9309: index.html is a file", index, "/x/"),
        shown("google: rules without a path", empty, "/y").in_dialect(Google),
        shown("google: they decide nothing", empty, "/x").in_dialect(Google),
        shown("the second reading of a URL decides", "User-agent: *\nDisallow: /private\nAllow: /a/\n", "https://example.com/a/..\\private/x?y=/../z"),
        shown("the first reading of a URL decides", "User-agent: *\nDisallow: /a/\n", "/a/../b"),
        shown("both readings of a URL are allowed", "User-agent: *\nDisallow: /c\n", "/a/../b"),
        shown("koster1996: the first rule wins", records, "/open/more").in_dialect(Koster1996),
        shown("koster1996: a blank line ends a record", records, "/never").in_dialect(Koster1996),
    ]
}

/// The exact text.
#[test]
fn the_gallery_is_unchanged() {
    let mut text = String::new();
    for shown in gallery() {
        let crawler = shown.crawler();
        let why = explain(&crawler, &shown.body, &shown.url).unwrap();
        assert_eq!(
            why.verdict,
            crawler.parse(&shown.body).check(&shown.url),
            "{}",
            shown.title
        );
        if !text.is_empty() {
            text.push('\n');
        }
        writeln!(text, "=== {} ({})", shown.title, shown.tokens.join(", ")).unwrap();
        if shown.body.len() < 300 {
            for (number, line) in shown.body.lines().enumerate() {
                writeln!(text, "{:>3} | {}", number + 1, line.escape_debug()).unwrap();
            }
        }
        writeln!(text, "---\n{why}").unwrap();
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/explain/gallery.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    for (number, (is, was)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(is, was, "tests/golden/explain/gallery.txt:{}", number + 1);
    }
    assert_eq!(text.lines().count(), expected.lines().count());
}

/// SPEC 4.4: its lines are none.
#[test]
fn a_compressed_file_is_explained() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    for start in [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd", b"x\x9c"] {
        let body = [start, b"\nUser-agent: *\nAllow: /\n"].concat();
        let why = explain(&crawler, &body, "/x").unwrap();
        assert_eq!(why.verdict, crawler.parse(&body).check("/x"));
        assert_eq!(why.verdict.reason(), robots::Reason::Unreachable);
        assert!(why.agents.is_empty() && why.matched.is_empty() && why.token.is_none());
        let text = why.to_string();
        let file = "      file  it is compressed, so it counts as unreachable: undo its content coding first\n";
        assert!(text.contains(file), "{text}");
        assert!(
            !text.contains("group  ") && !text.contains("rules  "),
            "{text}"
        );
        assert!(
            text.contains("koster1996  agrees: disallowed, the file is compressed\n"),
            "{text}"
        );
        let itself = explain(&crawler, &body, "/robots.txt").unwrap();
        assert!(itself.verdict.allowed());
    }
}

/// SPEC 8.7, 8.8, 8.10: each result.
#[test]
fn every_match_result() {
    let results = |dialect, body: &str, url: &str| -> Vec<(u32, MatchResult)> {
        let crawler = Crawler::new("ExampleBot")
            .unwrap()
            .with_dialect(dialect)
            .unwrap();
        let why = explain(&crawler, body, url).unwrap();
        why.matched
            .iter()
            .map(|rule| (rule.quote.line, rule.result))
            .collect()
    };
    let body = "user-agent: *\ndisallow: /a*\nallow: /ab\nallow: /ab\ndisallow: /\n";
    assert_eq!(
        results(robots::Dialect::Rfc9309, body, "/ab"),
        [
            (3, MatchResult::Won),
            (4, MatchResult::LaterEqual),
            (2, MatchResult::TieLostToAllow),
            (5, MatchResult::Shorter),
        ]
    );
    assert_eq!(
        results(robots::Dialect::Koster1996, body, "/ab"),
        [
            (3, MatchResult::Won),
            (4, MatchResult::AfterFirstMatch),
            (5, MatchResult::AfterFirstMatch)
        ]
    );
    let empty = "user-agent: *\ndisallow:\nallow:\n";
    assert_eq!(
        results(robots::Dialect::Google, empty, "/"),
        [(3, MatchResult::Empty), (2, MatchResult::Empty)]
    );
    assert_eq!(results(robots::Dialect::Rfc9309, empty, "/"), []);
}

/// A rule as written and as compared.
#[test]
fn the_parts_of_an_explanation() {
    let body = "\u{feff}User-agent: examplebot/2\n  DISALLOW :\t/caf\u{e9}$  # no\n";
    let crawler = Crawler::new("ExampleBot").unwrap();
    let why = explain(&crawler, body, "https://example.com/caf%c3%a9#x").unwrap();
    assert_eq!(why.url, b"https://example.com/caf%c3%a9#x");
    assert_eq!(why.path, b"/caf%C3%A9");
    assert_eq!(why.token.as_deref(), Some(&b"ExampleBot"[..]));
    assert_eq!(why.dialect(), robots::Dialect::Rfc9309);
    let agents: Vec<_> = why
        .agents
        .iter()
        .map(|agent| (agent.line, &*agent.text))
        .collect();
    assert_eq!(agents, [(1, &b"User-agent: examplebot/2"[..])]);
    let rule = why.winner().unwrap();
    assert_eq!(
        (rule.quote.line, rule.allow, rule.pattern.len()),
        (2, false, 11)
    );
    assert_eq!(rule.quote.text, "DISALLOW :\t/caf\u{e9}$".as_bytes());
    assert_eq!(rule.path(), "/caf\u{e9}$".as_bytes());
    assert_eq!(rule.pattern, b"/caf%C3%A9$");
    assert_eq!(why.others.len(), 2);
    let google = &why.others[0];
    assert_eq!(google.dialect, robots::Dialect::Google);
    assert!(google.verdict.allowed() && google.quote.is_none());
}

/// SPEC 6.1: with the option, a crawl-delay ends the user-agent lines.
#[test]
fn a_crawl_delay_may_end_the_user_agent_lines() {
    let body = "User-agent: Other\nCrawl-delay: 1\nUser-agent: ExampleBot\nDisallow: /";
    for (ends, rules) in [(false, 1), (true, 0)] {
        let crawler = Crawler::new("Other").unwrap();
        let crawler = crawler.with_crawl_delay_ends_agents(ends);
        let why = explain(&crawler, body, "/").unwrap();
        assert_eq!((why.rule_count, why.verdict.allowed()), (rules, ends));
        assert_eq!(why.agents.len(), 1);
    }
}

/// SPEC 8.12: escapes make the path too long in other dialects.
#[test]
fn a_path_may_be_too_long_in_another_dialect() {
    let url = format!("/{}", "{".repeat(40_000));
    let google = Crawler::preset("Googlebot").unwrap();
    let why = explain(&google, SHOP, &url).unwrap();
    let rfc9309 = why.verdict_in(robots::Dialect::Rfc9309);
    assert!(why.verdict.error().is_none() && rfc9309.error() == Some(Error::Url));
    assert!(
        why.to_string()
            .contains("rfc9309  differs: in its form the path is too long\n")
    );
}

/// SPEC 8.5b: an invalid URL is an error.
#[test]
fn an_invalid_url_is_an_error() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    for url in ["", "x", "example.com/x", "1http://x/", "\0"] {
        assert_eq!(
            explain(&crawler, SHOP, url).map(|_| ()),
            Err(Error::Url),
            "{url:?}"
        );
    }
}

/// SPEC 10: a file full of rules that match, a URL far longer than any.
#[test]
fn large_files_are_explained_in_little_time_and_text() {
    let body = format!(
        "User-agent: *\n{}",
        "Disallow: /*a\nAllow:/\n".repeat(20_000)
    );
    let crawler = Crawler::new("ExampleBot").unwrap();
    let start = std::time::Instant::now();
    let why = explain(&crawler, &body, "/bba").unwrap();
    assert_eq!(why.matched.len(), why.rule_count);
    assert!(why.rule_count > 39_000 && why.to_string().len() < 4_000);
    let url = format!("/{}", "a/".repeat(30_000));
    let why = explain(&crawler, SHOP, &url).unwrap();
    assert!(why.to_string().len() < 4_000);
    println!("{:?}", start.elapsed());
    assert!(start.elapsed().as_secs() < 30);
}
