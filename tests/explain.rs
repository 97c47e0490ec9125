//! Explanations: what they tell agrees with the engine and with the oracle, and reads as it should.
//!
//! `UPDATE_EXPECTED=1 cargo test --test explain` writes the texts of `tests/explain/` anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod oracle;
mod support;

use oracle::{Dialect, Setup};
use proptest::collection::vec;
use proptest::test_runner::TestCaseError;
use robots::{Crawler, Error, Explanation, Fate, Reason, explain};
use std::path::{Path, PathBuf};
use support::runner::{URLS, as_case, run};
use support::{bridge, files, urls};

/// What an explanation must hold whatever was asked; the fault otherwise.
fn holds(setup: &Setup, body: &[u8], url: &[u8], site: &oracle::Site) -> Result<(), String> {
    let crawler = bridge::crawler(setup);
    let verdict = crawler.parse(body).check(url);
    let why = match explain(&crawler, body, url) {
        Ok(why) => why,
        Err(error) if verdict.error() == Some(error) => return Ok(()),
        Err(error) => return Err(format!("{error:?}, but the engine says {verdict:?}")),
    };
    if why.verdict() != verdict {
        return Err(format!(
            "explained {:?}, decided {verdict:?}",
            why.verdict()
        ));
    }
    // The line that decides is the first of those that match; what decides nothing stands nowhere else.
    let first = why.matched().first();
    if first.map_or(0, robots::Matched::line) != verdict.line() {
        return Err(format!(
            "the strongest rule is {first:?}, decided {verdict:?}"
        ));
    }
    let by_rule = matches!(
        verdict.reason(),
        Reason::RuleAllowed | Reason::RuleDisallowed
    );
    let winner = why.winner().map(|rule| (rule.line(), rule.allow()));
    if winner != by_rule.then_some((verdict.line(), verdict.allowed())) {
        return Err(format!("the winner is {winner:?}, decided {verdict:?}"));
    }
    // The oracle tried every rule by itself.
    if verdict.reason() != Reason::RobotsTxt {
        let mut expected = site.matching(url);
        let mut is: Vec<_> = why
            .matched()
            .iter()
            .map(|rule| (rule.line(), rule.allow(), rule.length()))
            .collect();
        expected.sort_unstable();
        is.sort_unstable();
        if is != expected {
            return Err(format!(
                "rules that match: explained {is:?}, the oracle {expected:?}"
            ));
        }
    }
    if site.rule_count() != (why.agents().first().map(|_| why.rule_count())) {
        return Err(format!(
            "{} rules by {:?}, the oracle says {:?}",
            why.rule_count(),
            why.agents(),
            site.rule_count()
        ));
    }
    if why.token().is_some() != site.rule_count().is_some() {
        return Err(format!("token {:?}, decided {verdict:?}", why.token()));
    }
    for other in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
        let answer = oracle::parse(
            &Setup {
                dialect: other,
                ..setup.clone()
            },
            body,
        )
        .decide(url);
        let is = why.verdict_in(bridge::dialect(other));
        if bridge::answer(is) != Some(answer) {
            return Err(format!(
                "{other:?}: explained {is:?}, the oracle {answer:?}"
            ));
        }
    }
    // Whatever the file holds, a terminal is shown nothing but lines of characters that are seen.
    let text = why.to_string();
    let is_hidden = |c: char| c.is_control() && c != '\n' || ('\u{202A}'..='\u{202E}').contains(&c);
    if text.chars().any(is_hidden) || text.len() > 100_000 {
        return Err(format!("shown: {text:?}"));
    }
    Ok(())
}

fn agrees(dialect: Dialect) {
    let scenario = (
        files::setup(dialect),
        files::file(),
        vec(urls::recipe(), URLS / 10),
    );
    run(&scenario, |(setup, file, recipes)| {
        let body = file.octets(setup.max_bytes);
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

/// The same over real files: `ROBOTS_CORPUS` names a folder of them.
#[test]
fn real_files_are_explained_as_they_decide() {
    let Some(folder) = std::env::var_os("ROBOTS_CORPUS") else {
        println!("skipped: set ROBOTS_CORPUS to a folder of robots.txt files to explain them");
        return;
    };
    let (mut asked, mut faults) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let body = std::fs::read(&path).unwrap();
        let mut numbers = urls::Numbers::of(&body);
        let rules = files::rule_paths(&body);
        for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
            let setup = Setup::new(dialect, &[b"Googlebot-News", b"Googlebot"]);
            let site = oracle::parse(&setup, &body);
            let rule = rules.get(numbers.below(rules.len().max(1)));
            let rule = rule.map_or(&b"/"[..], Vec::as_slice);
            for url in [urls::expand(rule, &[b"a"], false), b"/a/b?c".to_vec()] {
                let fault = holds(&setup, &body, &url, &site).err();
                faults
                    .extend(fault.map(|fault| format!("{} {dialect:?}: {fault}", path.display())));
                asked += 1;
            }
        }
    }
    println!("{asked} explanations");
    assert!(asked > 0 && faults.is_empty(), "{}", faults.join("\n"));
}
