//! Generated files, crawlers and URLs: the library must answer what the oracle answers, in all dialects,
//! and keep a few promises that need no oracle.
//!
//! One case is one file and one URL. `ROBOTS_CASES` says how many per dialect (50,000 unless set), and
//! `ROBOTS_SEED` which (1 unless set). This runs a million per dialect:
//!
//! ```text
//! ROBOTS_CASES=1000000 cargo test --release --test engine properties::
//! ```
//!
//! What a run finds is printed as a case for `tests/data/`, made as small as possible.

mod corpus;
mod effective_rules;
mod form_to_send;

use crate::oracle::{self, Dialect, Setup};
use crate::support::runner::{URLS, as_case, reached, run};
use crate::support::{bridge, files, urls};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use robots::Crawler;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often the generated files and URLs of a run reach what matters.
#[derive(Default)]
struct Seen(RefCell<BTreeMap<&'static str, u64>>);

impl Seen {
    fn note(&self, what: &'static str, is: bool) {
        *self.0.borrow_mut().entry(what).or_default() += u64::from(is);
    }

    fn file(&self, setup: &Setup, body: &[u8], paths: usize, site: &oracle::Site) {
        self.note("files with a delay", site.crawl_delay.is_some());
        self.note("files with sitemaps", !site.sitemaps.is_empty());
        self.note("files past the limit", body.len() > setup.max_bytes);
        self.note("files with many rules", paths > 50);
    }

    fn url(&self, dialect: Dialect, url: &[u8], paths: usize, answer: &oracle::Answer) {
        use oracle::Reason;
        self.note("rule allowed", answer.reason == Reason::RuleAllowed);
        self.note("rule disallowed", answer.reason == Reason::RuleDisallowed);
        self.note("no rule", answer.reason == Reason::NoRule);
        self.note("no group", answer.reason == Reason::NoGroup);
        if dialect != Dialect::Google {
            self.note("robots.txt", answer.reason == Reason::RobotsTxt);
        }
        self.note("no URL", answer.url_error);
        let decided = answer.line > 0;
        let (long, escaped) = (url.len() > 1_100, url.contains(&b'%'));
        self.note("decided by a rule among many", decided && paths > 50);
        self.note("decided, long URL", decided && long);
        self.note("decided, long URL with escapes", decided && long && escaped);
        self.note("decided, URL over 10 KB", decided && url.len() > 10_000);
        self.note("decided, URL with escapes", decided && escaped);
        let beyond = !url.is_ascii();
        self.note("decided, URL with bytes over 0x80", decided && beyond);
    }

    /// The comparison is worth what the generators reach: each must come up often enough.
    fn is_enough(&self, dialect: Dialect) {
        for (what, count) in self.0.borrow().iter() {
            let least = if what.starts_with("files") { 16 } else { 33 };
            reached(&format!("{dialect:?}: {what}"), *count, least);
        }
    }
}

fn agrees_with_the_oracle(dialect: Dialect) {
    let seen = Seen::default();
    let scenario = (
        files::setup(dialect),
        files::file(),
        vec(urls::recipe(), URLS),
    );
    run(&scenario, |(setup, file, recipes)| {
        let body = file.bytes(setup.max_bytes);
        let crawler = bridge::crawler(&setup);
        let rules = crawler.parse(&body);
        let site = oracle::parse(&setup, &body);
        let paths = files::rule_paths(&body);
        let fail = |fault: String, url: &[u8]| {
            TestCaseError::fail(format!("{fault}\n{}", as_case(&setup, &body, url)))
        };
        bridge::compare_extensions(&rules, &site).map_err(|fault| fail(fault, b""))?;
        seen.file(&setup, &body, paths.len(), &site);
        for recipe in recipes {
            let url = recipe.url(&paths);
            bridge::compare(&rules, &site, &url).map_err(|fault| fail(fault, &url))?;
            let answer = bridge::answer(rules.check(&url)).unwrap(); // the oracle's, which is slow
            seen.url(dialect, &url, paths.len(), &answer);
            bridge::compare_once(&crawler, &body, &rules, &url)
                .map_err(|fault| fail(fault, &url))?;
        }
        Ok(())
    });
    seen.is_enough(dialect);
}

#[test]
fn rfc9309_agrees_with_the_oracle() {
    agrees_with_the_oracle(Dialect::Rfc9309);
}

#[test]
fn google_agrees_with_the_oracle() {
    agrees_with_the_oracle(Dialect::Google);
}

#[test]
fn koster1996_agrees_with_the_oracle() {
    agrees_with_the_oracle(Dialect::Koster1996);
}

fn any_dialect() -> impl Strategy<Value = Dialect> {
    select(&[Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][..])
}

/// SPEC 8.3 where it is hard: pieces of two letters, sought in long URLs of the same two letters in which
/// they nearly stand again and again; URLs that must be brought into canonical form and URLs that need not.
#[test]
fn wildcards_in_long_urls() {
    let rule = (vec((any::<u64>(), 1_usize..15), 1..4), any::<bool>());
    let url = (any::<u64>(), 10_usize..1_800, any::<bool>());
    let dialect = select(&[Dialect::Rfc9309, Dialect::Google][..]);
    let input = (dialect, vec(rule, 1..8), vec(url, URLS));
    run(&input, |(dialect, rules, urls)| {
        let two_letters = |seed, length| {
            let mut numbers = urls::Numbers::new(seed);
            (0..length).map(move |_| b"ab"[numbers.below(2)])
        };
        let mut body = b"User-agent: *\n".to_vec();
        for (pieces, anchored) in rules {
            body.extend_from_slice(b"Disallow: /");
            for (seed, length) in pieces {
                body.push(b'*');
                body.extend(two_letters(seed, length));
            }
            body.extend_from_slice(if anchored { b"$\n" } else { b"\n" });
        }
        let setup = Setup::new(dialect, &[b"ExampleBot"]);
        let crawler = bridge::crawler(&setup);
        let rules = crawler.parse(&body);
        let site = oracle::parse(&setup, &body);
        for (seed, length, escaped) in urls {
            let mut url = if escaped {
                b"/%61".to_vec()
            } else {
                b"/".to_vec()
            };
            url.extend(two_letters(seed, length));
            let once = || bridge::compare_once(&crawler, &body, &rules, &url);
            bridge::compare(&rules, &site, &url)
                .and_then(|()| once())
                .map_err(|fault| {
                    TestCaseError::fail(format!("{fault}\n{}", as_case(&setup, &body, &url)))
                })?;
        }
        Ok(())
    });
}

/// Paths of words that have the same bucket in every table: at each depth, rules that no table separates.
#[test]
fn rules_in_one_bucket() {
    let bucket = |word: &[u8; 4]| u32::from_le_bytes(*word).wrapping_mul(0x9E37_79B1) >> 17;
    let letters = b"/abcdefghijklmnopqrstuvwxyz-";
    let word = |n: usize| [1, 28, 784, 21_952].map(|place| letters[n / place % 28]);
    let words = (0..28_usize.pow(4)).map(word);
    let words: Vec<[u8; 4]> = words
        .filter(|word| bucket(word) == bucket(b"prod"))
        .collect();
    // Half of the words are the first, so many rules have the most frequent word of their bucket.
    let place = prop_oneof![Just(0), 0..words.len()];
    let rule = (vec(place, 1..5), any::<usize>(), select(&[0, 1, 5, 9][..]));
    let input = (any_dialect(), vec(rule, 1..200), vec(urls::recipe(), URLS));
    run(&input, |(dialect, rules, recipes)| {
        let mut body = b"User-agent: *\n".to_vec();
        for (number, (places, last, less)) in rules.into_iter().enumerate() {
            let path = places.iter().flat_map(|place| words[*place]);
            let path: Vec<u8> = path
                .chain(format!("/{}", last % 100).into_bytes())
                .collect();
            let path = &path[..path.len().saturating_sub(less).max(1)];
            let field: &[u8] = if number % 3 == 0 {
                b"Allow: /"
            } else {
                b"Disallow: /"
            };
            let has_star = last % 16 == 0 && dialect != Dialect::Koster1996;
            let end: &[u8] = if has_star { b"*\n" } else { b"\n" };
            body.extend([field, path, end].concat());
        }
        let setup = Setup::new(dialect, &[b"ExampleBot"]);
        let crawler = bridge::crawler(&setup);
        let rules = crawler.parse(&body);
        let site = oracle::parse(&setup, &body);
        let paths = files::rule_paths(&body);
        // The validator accepts the image, and each rule in a node is a rule of the file.
        let copy = robots::Rules::from_image(rules.image()).unwrap();
        for rule in copy.effective_rules().unwrap().iter() {
            prop_assert!(paths.iter().any(|path| path == rule.pattern()));
        }
        for recipe in recipes {
            let url = recipe.url(&paths);
            bridge::compare(&rules, &site, &url)
                .and_then(|()| bridge::compare_once(&crawler, &body, &rules, &url))
                .map_err(|fault| {
                    TestCaseError::fail(format!("{fault}\n{}", as_case(&setup, &body, &url)))
                })?;
        }
        Ok(())
    });
}

/// SPEC 4, 5: lines about the end of a block that is read at once, by the reader of rules and by that of explanations.
#[test]
fn lines_about_the_end_of_a_block() {
    #[rustfmt::skip]
    const PATHS: [&[u8]; 9] = [
        b"/", b"/ab", b"/a/b", b"/A", b"/x", b"/y", b"/z", b"/~!", b"/index.html",
    ];
    let input = (any_dialect().prop_flat_map(files::setup), files::blocks());
    run(&input, |(setup, body)| {
        let crawler = bridge::crawler(&setup);
        let rules = crawler.parse(&body);
        let site = oracle::parse(&setup, &body);
        let fail = |fault: String, url: &[u8]| {
            TestCaseError::fail(format!("{fault}\n{}", as_case(&setup, &body, url)))
        };
        bridge::compare_extensions(&rules, &site).map_err(|fault| fail(fault, b""))?;
        for url in PATHS {
            bridge::compare(&rules, &site, url)
                .and_then(|()| bridge::compare_once(&crawler, &body, &rules, url))
                .map_err(|fault| fail(fault, url))?;
            let why = robots::explain(&crawler, &body, url).unwrap();
            let matched = why.matched.iter();
            let mut matched: Vec<(u32, bool)> =
                matched.map(|rule| (rule.quote.line, rule.allow)).collect();
            matched.sort_unstable();
            let expected = site.matching(url).into_iter();
            let expected: Vec<(u32, bool)> =
                expected.map(|(line, allow, _)| (line, allow)).collect();
            prop_assert_eq!(matched, expected, "{}", fail(String::new(), url));
        }
        Ok(())
    });
}

/// SPEC 10.3, 4.3: any bytes are a file, and any bytes are answered.
#[test]
fn any_octets_are_read_and_answered() {
    let bytes = || vec(any::<u8>(), 0..200);
    let input = (
        any_dialect(),
        bytes(),
        vec(prop_oneof![bytes(), urls::path()], 5),
    );
    run(&input, |(dialect, tail, urls)| {
        let setup = Setup::new(dialect, &[b"ExampleBot"]);
        for body in [
            tail.clone(),
            [b"User-agent: *\nDisallow: /", tail.as_slice()].concat(),
        ] {
            let rules = bridge::crawler(&setup).parse(&body);
            let site = oracle::parse(&setup, &body);
            bridge::compare_extensions(&rules, &site).map_err(TestCaseError::fail)?;
            for url in &urls {
                bridge::compare(&rules, &site, url).map_err(|fault| {
                    TestCaseError::fail(format!("{fault}\n{}", as_case(&setup, &body, url)))
                })?;
            }
        }
        Ok(())
    });
}

/// A URL that is none is never allowed, and the word that C sees says what the accessors say.
#[test]
fn a_verdict_is_one_consistent_word() {
    let input = (
        any_dialect().prop_flat_map(files::setup),
        files::file(),
        vec(urls::recipe(), URLS),
    );
    run(&input, |(setup, file, recipes)| {
        let body = file.bytes(setup.max_bytes);
        let rules = bridge::crawler(&setup).parse(&body);
        let paths = files::rule_paths(&body);
        for recipe in recipes {
            let url = recipe.url(&paths);
            let verdict = rules.check(&url);
            let status = verdict
                .error()
                .map_or(0, |error| if error == robots::Error::Url { 3 } else { 99 });
            let word = u64::from(verdict.allowed())
                | u64::from(verdict.is_site_wide()) << 1
                | (verdict.reason() as u64) << 8
                | status << 16
                | u64::from(verdict.line()) << 32;
            prop_assert_eq!(verdict.bits(), word);
            prop_assert_eq!(rules.is_allowed(&url), verdict.allowed());
            if verdict.error().is_some() {
                prop_assert!(!verdict.allowed());
                prop_assert_eq!(verdict.line(), 0);
                prop_assert_eq!(verdict.reason(), robots::Reason::None);
            } else {
                prop_assert_eq!(
                    verdict.allowed(),
                    verdict.reason() != robots::Reason::RuleDisallowed
                );
            }
        }
        Ok(())
    });
}

/// SPEC 8.13: the verdict that is said to be site-wide is that of each other URL.
#[test]
fn a_site_wide_verdict_is_that_of_every_url() {
    let input = (
        any_dialect().prop_flat_map(files::setup),
        files::file(),
        vec(urls::recipe(), URLS),
    );
    let seen = std::cell::Cell::new(0);
    run(&input, |(setup, file, recipes)| {
        let body = file.bytes(setup.max_bytes);
        let rules = bridge::crawler(&setup).parse(&body);
        let paths = files::rule_paths(&body);
        let verdicts = recipes.iter().map(|recipe| rules.check(recipe.url(&paths)));
        let mut verdicts: Vec<_> = verdicts.collect();
        verdicts.retain(|is| is.error().is_none() && is.reason() != robots::Reason::RobotsTxt);
        let site_wide = verdicts.iter().find(|verdict| verdict.is_site_wide());
        if let Some(one) = site_wide {
            prop_assert!(verdicts.iter().all(|other| other == one), "{verdicts:?}");
            seen.set(seen.get() + u64::from(verdicts.len() > 1));
        }
        Ok(())
    });
    reached("sites with one verdict", seen.get(), 50);
}

/// Ways to write one thing (SPEC 8.6 a to f), in a path.
const ENCODINGS: &[&[&[u8]]] = &[
    &[b"a", b"%61"],
    &[b"b", b"%62"],
    &[b"Z", b"%5A", b"%5a"],
    &[b"-", b"%2D", b"%2d"],
    &[b".", b"%2E", b"%2e"],
    &[b"_", b"%5F", b"%5f"],
    &[b"~", b"%7E", b"%7e"],
    &[b"0", b"%30"],
    &[b"/"],
    &[b"%2F", b"%2f"],
    &[b"%3F", b"%3f"],
    &["ツ".as_bytes(), b"%E3%83%84", b"%e3%83%84", b"%E3\x83%84"],
    &[b"\xff", b"%FF", b"%ff", b"%fF"],
    &[b" ", b"%20"],
    &[b"\"", b"%22"],
    &[b"<", b"%3C", b"%3c"],
    &[b">", b"%3E", b"%3e"],
    &[b"\\", b"%5C", b"%5c"],
    &[b"^", b"%5E", b"%5e"],
    &[b"`", b"%60"],
    &[b"{", b"%7B", b"%7b"],
    &[b"|", b"%7C", b"%7c"],
    &[b"}", b"%7D", b"%7d"],
    &[b"\x01", b"%01"],
    &[b"\0", b"%00"],
    &[b"\x7f", b"%7F", b"%7f"],
    &[b":", b"%3A", b"%3a"],
    &[b"[", b"%5B", b"%5b"],
    &[b"]", b"%5D", b"%5d"],
    &[b"@", b"%40"],
    &[b"%25"],
    &[b"%zz", b"%25zz"],
    &[b"!", b"%21"],
    &[b"&", b"%26"],
    &[b"'", b"%27"],
    &[b"(", b"%28"],
    &[b")", b"%29"],
    &[b"+", b"%2B", b"%2b"],
    &[b",", b"%2C", b"%2c"],
    &[b";", b"%3B", b"%3b"],
    &[b"=", b"%3D", b"%3d"],
    &[b"%23"],
];
/// In a URL only: in a rule they mean more.
const URL_ENCODINGS: &[&[&[u8]]] = &[&[b"*", b"%2A", b"%2a"], &[b"$", b"%24"]];
/// In the query.
const QUERY_ENCODINGS: &[&[&[u8]]] = &[&[b"/", b"%2F", b"%2f"], &[b"?", b"%3F", b"%3f"]];

/// Two encodings of one path, each choosing for every piece of it.
fn spelt_twice(wild: bool) -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let pieces = |of: Vec<&'static [&'static [u8]]>, up_to| {
        vec((select(of), any::<usize>(), any::<usize>()), 0..up_to).prop_map(|pieces| {
            let pick = |second: bool| -> Vec<u8> {
                let choose = |(ways, one, other): &(&'static [&'static [u8]], usize, usize)| {
                    ways[if second { other } else { one } % ways.len()]
                };
                pieces.iter().map(choose).collect::<Vec<_>>().concat()
            };
            (pick(false), pick(true))
        })
    };
    let more = if wild {
        Vec::new()
    } else {
        URL_ENCODINGS.to_vec()
    };
    let in_path = [ENCODINGS.to_vec(), more.clone()].concat();
    // In the query the escapes of `/` and `?` are further encodings of those.
    let plain = ENCODINGS
        .iter()
        .copied()
        .filter(|ways| !matches!(ways[0], b"/" | b"%2F" | b"%3F"));
    let in_query = [plain.collect(), more, QUERY_ENCODINGS.to_vec()].concat();
    (pieces(in_path, 8), prop::option::of(pieces(in_query, 6))).prop_map(|(path, query)| {
        let join = |path: Vec<u8>, query: Option<Vec<u8>>| match query {
            Some(query) => [b"/", path.as_slice(), b"?", &query].concat(),
            None => [b"/", path.as_slice()].concat(),
        };
        let (one, other) = query.unzip();
        (join(path.0, one), join(path.1, other))
    })
}

/// SPEC 8.6: two encodings of one URL get one verdict, line included.
#[test]
fn spellings_of_a_url_get_one_verdict() {
    let input = (
        vec(files::rule_path(), 1..12),
        vec(spelt_twice(false), URLS),
    );
    run(&input, |(mut rules, encodings)| {
        // Rules that are about these very URLs: the start of one of their encodings, or with a wildcard in it.
        for (at, (one, other)) in encodings.iter().enumerate() {
            rules.push(one[..one.len().min(1 + at)].to_vec());
            rules.push(
                [
                    &other[..other.len().min(1 + at / 2)],
                    b"*",
                    other.last_chunk::<1>().unwrap(),
                ]
                .concat(),
            );
        }
        let mut body = b"User-agent: *\n".to_vec();
        for (at, rule) in rules.iter().enumerate() {
            body.extend_from_slice(if at % 3 == 0 {
                b"Allow: "
            } else {
                b"Disallow: "
            });
            body.extend_from_slice(rule);
            body.push(b'\n');
        }
        let rules = Crawler::new("ExampleBot").unwrap().parse(&body);
        // Clients read some encodings as other paths (SPEC 8.11).
        let site = oracle::parse(&Setup::new(Dialect::Rfc9309, &[b"ExampleBot"]), &body);
        let is_one_path = |url: &Vec<u8>| site.readings(url).iter().all(|reading| reading == url);
        let of_one_path = encodings
            .iter()
            .filter(|(one, other)| is_one_path(one) && is_one_path(other));
        for (one, other) in of_one_path {
            let verdicts = (rules.check(one), rules.check(other));
            let texts = (
                one.escape_ascii().to_string(),
                other.escape_ascii().to_string(),
            );
            prop_assert_eq!(
                verdicts.0,
                verdicts.1,
                "{:?} in\n{}",
                texts,
                body.escape_ascii()
            );
        }
        Ok(())
    });
}

/// SPEC 8.6, 8.7: two encodings of one rule decide alike, against any other rule.
#[test]
fn spellings_of_a_rule_decide_alike() {
    const LAST: &[&[u8]] = &[b"", b"$", b"*", b"*a"];
    let input = (
        spelt_twice(true),
        select(LAST),
        files::rule_path(),
        vec(urls::recipe(), URLS),
    );
    run(&input, |((one, other), end, rival, recipes)| {
        let parse = |path: &[u8]| {
            let body = [
                b"User-agent: *\nDisallow: ",
                path,
                end,
                b"\nAllow: ",
                &rival,
            ]
            .concat();
            Crawler::new("ExampleBot").unwrap().parse(body)
        };
        // What is trimmed from the end of a line is no part of the rule, and a `#` would end it.
        prop_assume!(!(end.is_empty() && (one.ends_with(b" ") || other.ends_with(b" "))));
        let rules = (parse(&one), parse(&other));
        for recipe in recipes {
            let url = recipe.url(&[
                [one.as_slice(), end].concat(),
                [other.as_slice(), end].concat(),
            ]);
            let (is, also) = (rules.0.check(&url), rules.1.check(&url));
            prop_assert_eq!(
                is,
                also,
                "{} of {} and {}",
                url.escape_ascii(),
                one.escape_ascii(),
                other.escape_ascii()
            );
        }
        Ok(())
    });
}
