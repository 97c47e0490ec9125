//! Real files, or generated ones of their shape: in every dialect and for two crawlers, the verdicts on 20 URLs from the rules of each file and on 20
//! unrelated URLs are those of the oracle.
//!
//! ```text
//! ROBOTS_CORPUS=<folder of robots.txt files> cargo test --release --test engine properties::corpus -- --nocapture
//! ```

use crate::oracle;
use crate::oracle::{Dialect, Setup};
use crate::support;
use crate::support::urls::Numbers;
use crate::support::{bridge, files, urls};

const OWN: usize = 20;
const OTHER: usize = 20;

const FILLS: &[&[u8]] = &[
    b"",
    b"a",
    b"x/y",
    b"page.html",
    b"?q=1",
    b"%2F",
    "é".as_bytes(),
    b"*",
];
#[rustfmt::skip]
const BACKS: &[&[u8]] = &[
    b"", b"", b"", b"x", b"/", b"?a=b", b".html", b"#top", b"%20", b"/index.html",
];
const FRONTS: &[&[u8]] = &[b"", b"https://www.example.com", b"http://example.com:8080"];
const WORDS: &[&[u8]] = &[
    b"/",
    b"/",
    b"/",
    b"index.html",
    b"wp-admin",
    b"search",
    b"?q=",
    b"&",
    b"a",
    b"images",
    b".gif",
    b"cgi-bin",
    b"user",
    b"login",
    b".php",
    b"%20",
    b"%2F",
    b"tag",
    b"2019",
    b"~",
    b"-",
    b"_",
    "ü".as_bytes(),
    b"feed",
    b"page",
    b"=1",
    b";",
    b"sort",
];

/// Returns 20 URLs from the file's rules, if it has any, and 20 from words that sites use.
fn urls_for(body: &[u8]) -> Vec<Vec<u8>> {
    let mut numbers = Numbers::of(body);
    let rules = files::rule_paths(body);
    let mut urls = Vec::new();
    for _ in 0..if rules.is_empty() { 0 } else { OWN } {
        let rule = &rules[numbers.below(rules.len())];
        let fills = [numbers.pick(FILLS), numbers.pick(FILLS)];
        let mut path = urls::expand(rule, &fills, numbers.below(8) == 0);
        match numbers.below(6) {
            0 => drop(path.pop()),
            1 => {
                let at = numbers.below(path.len().max(1));
                if let Some(byte) = path.get(at) {
                    let escape = format!("%{byte:02x}");
                    path.splice(at..=at, escape.bytes());
                }
            }
            2 => path.extend_from_slice(numbers.pick(BACKS)),
            _ => {}
        }
        urls.push([numbers.pick(FRONTS), &path, numbers.pick(BACKS)].concat());
    }
    while urls.len() < OWN + OTHER {
        let mut path = b"/".to_vec();
        for _ in 0..numbers.below(7) {
            path.extend_from_slice(numbers.pick(WORDS));
        }
        urls.push([numbers.pick(FRONTS), &path].concat());
    }
    urls
}

#[test]
fn real_files_are_answered_as_the_oracle_answers() {
    let files = support::corpus::files(100);
    let (mut answers, mut by_rules) = (0_u64, 0_u64);
    let mut faults = Vec::new();
    for (name, body) in &files {
        let urls = urls_for(body);
        for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
            for token in ["ExampleBot", "Googlebot"] {
                let setup = Setup::new(dialect, &[token.as_bytes()]);
                let crawler = bridge::crawler(&setup);
                let rules = crawler.parse(body);
                let site = oracle::parse(&setup, body);
                let mut note = |result: Result<(), String>| {
                    let fault = result.err();
                    faults
                        .extend(fault.map(|fault| format!("{name} {dialect:?} {token}: {fault}")));
                };
                note(bridge::compare_extensions(&rules, &site));
                for (number, url) in urls.iter().enumerate() {
                    note(bridge::compare(&rules, &site, url));
                    if number % 4 == 0 {
                        note(bridge::compare_once(&crawler, body, &rules, url));
                    }
                    answers += 1;
                    by_rules += u64::from(site.decide(url).line > 0);
                }
            }
        }
    }
    println!(
        "{} files, {answers} answers compared, {by_rules} of them by a rule",
        files.len()
    );
    assert!(by_rules > 0, "no rule of any file decided anything");
    faults.truncate(50);
    assert!(
        faults.is_empty(),
        "the library and the oracle differ:\n{}",
        faults.join("\n")
    );
}
