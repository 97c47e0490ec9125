//! What lint must never say, and must never leave out, over generated files.

use super::{crawler, linted};
use crate::invariants::lint::is_sound;
use crate::oracle;
use crate::support::runner::{reached, run};
use crate::support::{files, urls};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use robots::{Code, Crawler, Dialect, LineKind, Report, Rules, Verdict, lint};
use std::collections::BTreeMap;

/// Removing these changes no verdict and no reported line.
const NEVER_DECIDES: [Code; 3] = [Code::Duplicate, Code::Conflict, Code::NeverWins];
/// Removing these changes no verdict.
const CHANGES_NOTHING: [Code; 2] = [Code::Redundant, Code::AllowedAnyway];

/// The file without the paths of some rules: they still end runs of user-agent lines, and the lines keep their
/// numbers.
fn without_paths(body: &[u8], lines: &[u32]) -> Vec<u8> {
    let mut left = Vec::new();
    for (number, line) in (1_u32..).zip(body.split_inclusive(|byte| *byte == b'\n')) {
        if lines.contains(&number) {
            left.extend_from_slice(b"Disallow:\n");
        } else {
            left.extend_from_slice(line);
        }
    }
    left
}

/// Every path of `/` and up to `most` of some pieces.
fn paths_of(pieces: &[&[u8]], most: usize) -> Vec<Vec<u8>> {
    let mut paths: Vec<Vec<u8>> = vec![b"/".to_vec()];
    let mut from = 0;
    for _ in 0..most {
        let end = paths.len();
        for at in from..end {
            for piece in pieces {
                paths.push([&paths[at], *piece].concat());
            }
        }
        from = end;
    }
    paths
}

/// Every path of up to five characters out of the few that the rules below are made of.
fn short_urls() -> Vec<Vec<u8>> {
    let mut urls = paths_of(&[b"a", b"b", b"/", b"7", b"%7F"], 4);
    urls.extend(
        [
            &b"/index.html"[..],
            b"/a/index.htm",
            b"/robots.txt",
            b"/x$",
            b"/%2Aa",
        ]
        .map(<[u8]>::to_vec),
    );
    urls
}

fn small_path() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a", "b", "/", "*", "**", "7", "%7F", "%61", "\u{7f}", "ab", "%", "$", "a",
    ];
    let path = (
        select(&["/", "/", "/", "/", "*"][..]),
        vec(select(PIECES), 0..4),
        any::<u8>(),
    );
    path.prop_map(|(start, pieces, end)| {
        let end = match end {
            0..60 => "$",
            60..66 => "/index.html",
            _ => "",
        };
        format!("{start}{}{end}", pieces.concat())
    })
}

/// Files in which rules get into each other's way: few names, short paths of few characters.
fn crowded_file() -> impl Strategy<Value = String> {
    let names = vec(select(&["a", "b", "*", "c"][..]), 1..3);
    let rule = (any::<bool>(), small_path());
    let group = (names, vec(rule, 0..7), any::<bool>());
    vec(group, 1..5).prop_map(|groups| {
        let mut body = String::new();
        for (names, rules, blank) in groups {
            names
                .iter()
                .for_each(|name| body += &format!("User-agent: {name}\n"));
            for (allow, path) in rules {
                body += &format!("{}: {path}\n", if allow { "Allow" } else { "Disallow" });
            }
            body += if blank { "\n" } else { "" };
        }
        body
    })
}

/// SPEC 8.7: a rule reported as "never wins" decides nothing; a rule reported as "changes nothing" changes nothing.
/// This holds one by one and for all together, in every dialect, for every crawler.
#[test]
fn what_never_decides_can_be_removed() {
    let urls = short_urls();
    let all = select(&[Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][..]);
    let seen = std::cell::RefCell::new(BTreeMap::<Code, u64>::new());
    run(&(all, crowded_file()), |(dialect, body)| {
        let report = lint(&crawler(dialect), &body).unwrap();
        let lines = |codes: &[Code]| -> Vec<u32> {
            let found = report
                .diagnostics()
                .iter()
                .filter(|found| codes.contains(&found.code));
            found.map(|found| found.line).collect()
        };
        let (never, needless) = (lines(&NEVER_DECIDES), lines(&CHANGES_NOTHING));
        for found in report.diagnostics() {
            *seen.borrow_mut().entry(found.code).or_default() += 1;
        }
        let all: Vec<u32> = never.iter().chain(&needless).copied().collect();
        if all.is_empty() {
            return Ok(());
        }
        for name in ["a", "b", "c", "d"] {
            let crawler = Crawler::new(name).unwrap().with_dialect(dialect).unwrap();
            let before = crawler.parse(&body);
            let before: Vec<Verdict> = urls.iter().map(|url| before.check(url)).collect();
            let one_by_one = all.iter().map(|line| vec![*line]);
            for removed in one_by_one.chain([never.clone(), all.clone()]) {
                let same_line =
                    removed.iter().all(|line| never.contains(line)) && dialect != Dialect::Google;
                let after = crawler.parse(without_paths(body.as_bytes(), &removed));
                for (url, was) in urls.iter().zip(&before) {
                    let is = after.check(url);
                    let same = if same_line {
                        let deciding = |it: Verdict| (it.allowed(), it.reason(), it.line());
                        deciding(is) == deciding(*was)
                    } else {
                        is.allowed() == was.allowed()
                    };
                    prop_assert!(
                        same,
                        "{dialect:?}, {name}, {}: {was:?}, without {removed:?} {is:?}\n{body}\n{report}",
                        url.escape_ascii()
                    );
                }
            }
        }
        Ok(())
    });
    let seen = seen.into_inner();
    println!("{seen:?}");
    for code in NEVER_DECIDES.iter().chain(&CHANGES_NOTHING) {
        let count = seen.get(code).copied().unwrap_or_default();
        reached(&code.to_string(), count, 100);
    }
}

/// A rule that changes nothing is reported: without each other rule some verdict changes, in the file or in what is left of it without
/// the rules that are reported.
#[test]
fn what_is_left_is_needed() {
    let paths = paths_of(&[b"a", b"b", b"/", b"x"], 5);
    let path = (
        select(&["/", "/", "/", "*"][..]),
        vec(select(&["a", "b", "/", "*"][..]), 0..3),
        select(&["", "", "", "$"][..]),
    );
    let path = path.prop_map(|(start, pieces, end)| format!("{start}{}{end}", pieces.concat()));
    let dialects = select(&[Dialect::Rfc9309, Dialect::Google][..]);
    let rules = vec((any::<bool>(), path), 1..6);
    let (left, gone) = (std::cell::Cell::new(0_u64), std::cell::Cell::new(0_u64));
    run(&(dialects, rules), |(dialect, rules)| {
        let mut body = "User-agent: *\n".to_owned();
        for (allow, path) in &rules {
            body += &format!("{}: {path}\n", if *allow { "Allow" } else { "Disallow" });
        }
        let report = lint(&crawler(dialect), &body).unwrap();
        let found = report.diagnostics().iter();
        let codes = [NEVER_DECIDES.as_slice(), &CHANGES_NOTHING].concat();
        let found = found.filter(|found| codes.contains(&found.code));
        let (removed, asked): (Vec<_>, Vec<_>) = found.partition(|found| found.fix.is_some());
        let [removed, asked] = [removed, asked]
            .map(|found| -> Vec<u32> { found.iter().map(|found| found.line).collect() });
        gone.set(gone.get() + removed.len() as u64);
        let verdicts = |lines: &[u32]| -> Vec<bool> {
            let crawler = Crawler::new("a").unwrap().with_dialect(dialect).unwrap();
            let rules = crawler.parse(without_paths(body.as_bytes(), lines));
            // A host before the path keeps `//` from being read as one.
            let url = |path: &Vec<u8>| [&b"http://x"[..], path].concat();
            paths
                .iter()
                .map(|path| rules.is_allowed(url(path)))
                .collect()
        };
        for (line, (allow, path)) in (2..).zip(&rules) {
            // `Allow: /` may stand to say that everything is allowed.
            let is_statement = *allow && ["/", "*", "/*"].contains(&path.as_str());
            if is_statement || removed.contains(&line) || asked.contains(&line) {
                continue;
            }
            left.set(left.get() + 1);
            let reported = [removed.as_slice(), &asked].concat();
            let is_needed = [&[][..], &removed, &reported].into_iter().any(|without| {
                let more = [without, &[line]].concat();
                verdicts(&more) != verdicts(without)
            });
            prop_assert!(
                is_needed,
                "{dialect:?}: line {line} is not reported\n{body}\n{report}"
            );
        }
        Ok(())
    });
    reached("rules that are needed", left.get(), 100);
    reached("rules that are not", gone.get(), 100);
}

/// The file after all advice to remove a rule is followed: the line goes, or loses its path where the advice says so.
fn without_advised(body: &str, report: &Report) -> String {
    let mut left = String::new();
    for (number, line) in (1_u32..).zip(body.split_inclusive('\n')) {
        let advice = report.diagnostics().iter().find_map(|found| {
            let advice = found.suggestion.as_deref()?;
            let is_removal =
                ["remove the rule", "remove it", "remove one of the two"].contains(&advice);
            let is_emptied = advice.starts_with("write `Disallow:` in its place");
            (found.line == number && (is_removal || is_emptied)).then_some(is_emptied)
        });
        match advice {
            None => left += line,
            Some(true) => left += "Disallow:\n",
            Some(false) => {}
        }
    }
    left
}

/// SPEC 6.1: a group that loses its last rule joins the next one. Following all advice changes no verdict.
#[test]
fn advice_to_remove_changes_no_verdict() {
    let urls = short_urls();
    let all = select(&[Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][..]);
    let followed = std::cell::Cell::new(0_u64);
    run(&(all, crowded_file()), |(dialect, body)| {
        let report = lint(&crawler(dialect), &body).unwrap();
        let left = without_advised(&body, &report);
        if left == body {
            return Ok(());
        }
        followed.set(followed.get() + 1);
        for name in ["a", "b", "c", "d"] {
            let crawler = Crawler::new(name).unwrap().with_dialect(dialect).unwrap();
            let (before, after) = (crawler.parse(&body), crawler.parse(&left));
            for url in &urls {
                prop_assert_eq!(
                    after.is_allowed(url),
                    before.is_allowed(url),
                    "{:?}, {}, {}\n{}\nafter:\n{}",
                    dialect,
                    name,
                    url.escape_ascii(),
                    report,
                    left
                );
            }
        }
        Ok(())
    });
    reached("advice to remove a rule", followed.get(), 100);
}

/// The converse, for one group of rules without wildcards: lint reports every rule that no short URL needs.
#[test]
fn all_needless_literal_rules_are_found() {
    let urls: Vec<Vec<u8>> = short_urls()
        .into_iter()
        .filter(|url| url != b"/robots.txt")
        .collect();
    let path =
        vec(select(&["a", "b", "/"][..]), 0..3).prop_map(|pieces| format!("/{}", pieces.concat()));
    let rules = vec((any::<bool>(), path, any::<u8>()), 1..7);
    run(&rules, |rules| {
        let mut lines = vec!["User-agent: *\n".to_owned()];
        for (allow, path, end) in rules {
            let end = if end < 60 { "$" } else { "" };
            let line = format!(
                "{}: {path}{end}\n",
                if allow { "Allow" } else { "Disallow" }
            );
            // Of two that are the same only the second is reported, though either could go.
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let body = lines.concat();
        let report = linted(body.as_bytes());
        let crawler = Crawler::new("x").unwrap();
        let allowed =
            |rules: &Rules| -> Vec<bool> { urls.iter().map(|url| rules.is_allowed(url)).collect() };
        let before = allowed(&crawler.parse(&body));
        for line in 2..=report.line_count() {
            let left = without_paths(body.as_bytes(), &[line]);
            let is_needless = allowed(&crawler.parse(&left)) == before;
            let codes = NEVER_DECIDES.iter().chain(&CHANGES_NOTHING);
            let is_found = report
                .diagnostics()
                .iter()
                .any(|found| found.line == line && codes.clone().any(|code| *code == found.code));
            // `Allow: /` is how people say that everything is allowed.
            let value = report.line(line).unwrap().value;
            let is_slash = &report.body()[value] == b"/";
            prop_assert!(
                is_found == is_needless || is_slash,
                "line {line} of\n{body}\n{report}"
            );
        }
        Ok(())
    });
}

/// SPEC 6.1: lint reports a crawl-delay among user-agent lines if and only if it changes a verdict whether the
/// crawl-delay ends the run. The rules have no wildcards, since lint tries only the URLs of each rule alone.
#[test]
fn crawl_delays_that_decide_are_reported() {
    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "User-agent: a", "User-agent: b", "User-agent: c", "User-agent: *", "Crawl-delay: 1", "Crawl-delay: 1",
        "Disallow: /", "Disallow: /a", "Disallow: /a/b", "Disallow:", "Allow: /a", "Allow: /b",
        "Sitemap: https://example.com/map", "",
    ];
    let all = select(&[Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][..]);
    let seen = std::cell::Cell::new(0);
    run(&(all, vec(select(LINES), 3..14)), |(dialect, lines)| {
        let body = lines.join("\n");
        let matters = ["a", "b", "c", "d"].iter().any(|name| {
            let joined = Crawler::new(name).unwrap().with_dialect(dialect).unwrap();
            let ended = joined.clone().with_crawl_delay_ends_agents(true);
            let (joined, ended) = (joined.parse(&body), ended.parse(&body));
            ["/", "/a", "/ab", "/a/b", "/b"]
                .iter()
                .any(|url| joined.is_allowed(url) != ended.is_allowed(url))
        });
        let report = lint(&crawler(dialect), &body).unwrap();
        let is_said = report
            .diagnostics()
            .iter()
            .any(|found| found.code == Code::CrawlDelayBetweenAgents);
        prop_assert_eq!(is_said, matters, "{:?}\n{}\n{}", dialect, body, report);
        seen.set(seen.get() + u64::from(matters));
        Ok(())
    });
    reached("delays that matter", seen.get(), 10);
}

/// Whatever the file holds: no panic, spans inside their lines, columns that say the same, a text without control
/// characters, and every rule that decides anything is a line that lint calls a rule of a group.
#[test]
fn any_bytes_are_linted() {
    let all = select(&[Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][..]);
    let bytes = prop_oneof![
        files::file().prop_map(|file| file.bytes(512_000)),
        vec(any::<u8>(), 0..200),
        vec(
            select(&b"User-agent: *\nDisallow: /a*$%#\0\t\r\xEF\xBB\xBF\xE2\x80\xAE<,;"[..]),
            0..300
        ),
    ];
    run(
        &(all, bytes, vec(urls::recipe(), 5)),
        |(dialect, body, recipes)| {
            let paths = files::rule_paths(&body);
            let urls: Vec<Vec<u8>> = recipes.iter().map(|recipe| recipe.url(&paths)).collect();
            is_sound(&crawler(dialect), &body, &urls)?;
            Ok(())
        },
    );
}

/// SPEC 6.4, 7.1: the groups that lint numbers are those of the oracle: each line that decides for a crawler is of
/// a group that names it.
#[test]
fn groups_are_those_that_crawlers_obey() {
    let all = select(&[Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][..]);
    run(&(all, crowded_file()), |(dialect, body)| {
        let report = lint(&crawler(dialect), &body).unwrap();
        for name in ["a", "b", "c", "d"] {
            let setup = oracle::Setup::new(
                match dialect {
                    Dialect::Google => oracle::Dialect::Google,
                    Dialect::Koster1996 => oracle::Dialect::Koster1996,
                    _ => oracle::Dialect::Rfc9309,
                },
                &[name.as_bytes()],
            );
            let site = oracle::parse(&setup, body.as_bytes());
            for url in [&b"/"[..], b"/a", b"/b/a", b"/ab7"] {
                let line = site.decide(url).line;
                if line == 0 {
                    continue;
                }
                let group = report.line(line).unwrap().group;
                let named = report.lines().any(|line| {
                    let value = &report.body()[line.value.clone()];
                    line.kind == LineKind::UserAgent
                        && line.group == group
                        && (value == name.as_bytes() || value == b"*")
                });
                prop_assert!(group > 0 && named, "line {line} for {name} in\n{body}");
            }
        }
        Ok(())
    });
}
