//! Preferences against the oracle, and large files (SPEC 9.5, 10).

use super::preferences;
use crate::oracle::{self, preferences::plain_dictionary};
use crate::support::runner::{URLS, cases, reached, runner};
use crate::support::{self, bridge, files, uses};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use robots::Uses;
use std::cell::Cell;

/// Lines that say something of preferences, and those that decide whom they are for.
fn preference_line() -> impl Strategy<Value = Vec<u8>> {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "User-agent: *", "user-agent: ExampleBot", "User-agent: other", "Disallow: /b", "Allow: /", "",
        "Content-Usage:", "Content-Signals: search=no",
    ];
    const USAGES: &[&str] = &[
        "p=y", "p=n", "q=y", "q=n", "p", "p=y, q=n", "p=n,p=y", "p=no", "p=(", "P=n", "", "p=y,",
    ];
    const SIGNALS: &[&str] = &[
        "search=yes",
        "Search = NO, use=full",
        "search=no, search=yes",
        "ai-train=no,, =no, ai-input",
        "ai-TRAIN=Yes;search=no",
        "ai-train=yes=no",
    ];
    let path = prop_oneof![
        2 => Just(b"".to_vec()),
        2 => select(&["/", "/a", "/a/", "/*b", "/ab"][..]).prop_map(|path| path.as_bytes().to_vec()),
        2 => files::rule_path(),
    ];
    // A path that a content-usage line cannot hold is `/`.
    let path = path.prop_map(|path| {
        let is_path = matches!(path.first(), None | Some(b'/')) && path.len() < 9_000;
        let is_word = !path.iter().any(|byte| b" \t\r\n#\0".contains(byte));
        if is_path && is_word {
            path
        } else {
            b"/".to_vec()
        }
    });
    let usage =
        (path, select(&[" ", "\t", " \x0C"][..]), select(USAGES)).prop_map(|(path, gap, usage)| {
            [b"content-usage: ", &*path, gap.as_bytes(), usage.as_bytes()].concat()
        });
    let signal =
        select(SIGNALS).prop_map(|signal| format!("Content-Signal: {signal}").into_bytes());
    prop_oneof![
        3 => usage,
        1 => signal,
        2 => select(OTHERS).prop_map(|line| line.as_bytes().to_vec()),
    ]
}

/// SPEC 9.4, 9.5: the preferences for a URL are what the oracle finds by trying every line.
#[test]
fn preferences_agree_with_the_oracle() {
    let dialect = select(&[
        oracle::Dialect::Rfc9309,
        oracle::Dialect::Google,
        oracle::Dialect::Koster1996,
    ]);
    let reach = Cell::new([0_u64; 4]);
    // The runner counts files of 20 URLs; here each file has one.
    let mut runner = runner(cases().saturating_mul(URLS as u64 / 3));
    let scenario = (
        dialect,
        vec(preference_line(), 0..10),
        support::urls::recipe(),
    );
    let result = runner.run(&scenario, |(dialect, lines, recipe)| {
        let setup = oracle::Setup::new(dialect, &[b"ExampleBot"]);
        let body = lines.join(&b'\n');
        let mut rules = Vec::new();
        for line in &lines {
            if let Some(path) = line.strip_prefix(b"content-usage: ") {
                rules.extend([b"disallow: ", path, b"\n"].concat());
            }
        }
        let url = recipe.url(&files::rule_paths(&rules));
        let expected = oracle::parse(&setup, &body).preferences(&url, plain_dictionary);
        let is = Uses::new(&bridge::crawler(&setup), None, Some(&body)).unwrap();
        let is = uses::preferences(&is, &url, None).ok();
        let is = is.map(|all| {
            let word = |is_signal| if is_signal { "signal" } else { "usage" };
            let all = all.into_iter();
            all.map(|((is_signal, label), (said, _))| ((word(is_signal), label), said))
                .collect::<oracle::preferences::Preferences>()
        });
        let mut count = reach.get();
        for ((vocabulary, _), choice) in expected.iter().flatten() {
            count[usize::from(*vocabulary == "usage") * 2 + usize::from(*choice == 'n')] += 1;
        }
        reach.set(count);
        let (url, body) = (url.escape_ascii(), body.escape_ascii());
        prop_assert_eq!(is, expected, "{:?}: {} of\n{}", dialect, url, body);
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    for (what, count) in ["signal", "signal no", "usage", "usage no"]
        .into_iter()
        .zip(reach.get())
    {
        reached(what, count, 700);
    }
}

/// SPEC 10: any bytes, and lots of them.
#[test]
fn strange_and_large_files() {
    let bytes: Vec<u8> = (0..=255).collect();
    uses::of_header(&bytes);
    let start = std::time::Instant::now();
    let many = format!(
        "user-agent: *\n{}",
        "content-usage: /a p=y\n".repeat(20_000)
    );
    assert_eq!(preferences(&many, "/a"), "u p=y@2");
    let keys: String = (0..50_000).map(|n| format!("k{}=n,", n % 25_000)).collect();
    let many = preferences(&format!("user-agent: *\ncontent-usage: {keys}a=y\n"), "/a");
    assert_eq!(
        (many.matches(", u ").count(), &many[..7]),
        (25_000, "u a=y@2")
    );
    println!("{:?}", start.elapsed());
    assert!(start.elapsed().as_secs() < 30);
}
