//! Preferences against the oracle, and large files (SPEC 9.5, 10).

use super::oracle;
use super::shown;
use super::support::runner::run;
use super::support::{self, bridge, files};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use robots::{Choice, Crawler, Extensions, Preferences, Vocabulary};

/// What the engine of the library finds by its index, found by trying every line.
#[test]
fn preferences_agree_with_the_oracle() {
    let path = prop_oneof![Just(None), files::rule_path().prop_map(Some)];
    let wish = select(&["p=y", "p=n", "q=y", "q=n", "p", "p=y, q=n", "p=("][..]);
    let lines = vec((path, wish), 0..8);
    let dialect = select(&[
        oracle::Dialect::Rfc9309,
        oracle::Dialect::Google,
        oracle::Dialect::Koster1996,
    ]);
    run(
        &(dialect, lines, support::urls::recipe()),
        |(dialect, lines, recipe)| {
            let setup = oracle::Setup::new(dialect, &[b"ExampleBot"]);
            let (mut body, mut rules) = (b"user-agent: *\n".to_vec(), b"user-agent: *\n".to_vec());
            let mut wishes = Vec::new();
            for (path, wish) in &lines {
                let path = path.as_deref().unwrap_or(b"/");
                // What a content-usage line cannot hold as a path.
                if path.first() != Some(&b'/')
                    || path.iter().any(|o| b" \t\r\n#\0".contains(o))
                    || path.len() > 9_000
                {
                    continue;
                }
                body.extend([b"content-usage: ", path, b" ", wish.as_bytes(), b"\n"].concat());
                rules.extend([b"disallow: ", path, b"\n"].concat());
                wishes.push(*wish);
            }
            let url = recipe.url(&files::rule_paths(&rules));
            let site = oracle::parse(&setup, &rules);
            let answer = site.decide(&url);
            let is = Extensions::parse(&bridge::crawler(&setup), &body)
                .unwrap()
                .preferences(&url);
            if answer.url_error {
                prop_assert!(is.is_err());
                return Ok(());
            }
            let verdict = oracle::parse(&setup, &body).decide(&url);
            let is_page = verdict.reason != oracle::Reason::RobotsTxt;
            let mut expected: Vec<(&str, Choice)> = Vec::new();
            for reading in site.readings(&url) {
                let answer = site.decide_as_is(&reading);
                let matching = site.matching_as_is(&reading);
                let length = matching
                    .iter()
                    .find(|(line, ..)| *line == answer.line)
                    .map(|(_, _, length)| *length);
                for (line, _, of) in &matching {
                    if Some(*of) == length && is_page {
                        expected.extend(match wishes[*line as usize - 2] {
                            "p=y" => vec![("p", Choice::Yes)],
                            "p=n" => vec![("p", Choice::No)],
                            "q=y" => vec![("q", Choice::Yes)],
                            "q=n" => vec![("q", Choice::No)],
                            "p" => vec![("p", Choice::Unknown)],
                            "p=y, q=n" => vec![("p", Choice::Yes), ("q", Choice::No)],
                            _ => vec![],
                        });
                    }
                }
            }
            expected.sort_unstable();
            expected.dedup_by_key(|(label, _)| *label);
            let is = is.unwrap();
            let is: Vec<(&[u8], Choice)> = is.iter().map(|one| (&*one.label, one.choice)).collect();
            let expected: Vec<(&[u8], Choice)> =
                expected.iter().map(|(l, c)| (l.as_bytes(), *c)).collect();
            if is != expected {
                return Err(TestCaseError::fail(format!(
                    "{dialect:?}: {is:?}, expected {expected:?} of {}\n{}",
                    url.escape_ascii(),
                    body.escape_ascii()
                )));
            }
            Ok(())
        },
    );
}

/// SPEC 10: any bytes, and lots of them.
#[test]
fn strange_and_large_files() {
    let bytes: Vec<u8> = (0..=255).collect();
    Preferences::from_header(&bytes).unwrap();
    let crawler = Crawler::new("ExampleBot").unwrap();
    let start = std::time::Instant::now();
    let many = format!(
        "user-agent: *\n{}",
        "content-usage: /a p=y\n".repeat(20_000)
    );
    let extensions = Extensions::parse(&crawler, &many).unwrap();
    assert_eq!(shown(&extensions.preferences("/a").unwrap()), "u p=y@2");
    let keys: String = (0..100_000)
        .map(|n| format!("k{}=n,", n % 50_000))
        .collect();
    let preferences = Preferences::from_header(format!("{keys}a=y")).unwrap();
    assert_eq!(preferences.iter().len(), 50_001);
    assert_eq!(
        preferences.choice(Vocabulary::ContentUsage, "a"),
        Some(Choice::Yes)
    );
    assert_eq!(preferences.choice(Vocabulary::ContentSignal, "a"), None);
    println!("{:?}", start.elapsed());
    assert!(start.elapsed().as_secs() < 30);
}
