//! `format` changes the layout of a robots.txt and no verdict: for generated files, for the case files, and for real
//! files (`ROBOTS_CORPUS` names a folder of them).

use crate::invariants::format::{looks_right, says_the_same};
use crate::oracle::{Dialect, Setup};
use crate::support;
use crate::support::runner::{URLS, as_case, run};
use crate::support::{bridge, cases, files, urls};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use robots::{Crawler, Unformatted, format};
use std::path::Path;

fn formatted(body: &str) -> String {
    String::from_utf8(format(body).unwrap().text).unwrap()
}

#[test]
fn a_file_gets_the_canonical_layout() {
    let before = "\u{feff}\r\n\r\n# Shop \r\nUSER-AGENT :*\r\n\tdissallow:/a  # why\r\nallow /b\r\r\r\
        # Images\nuseragent: img\n# not now\nUser Agent: Img2\ncrawl-DELAY:5\nDisallow:\nuser-agent:x\nsite-map:\thttps://e/s\ncontent-signal:search=yes\n\n";
    let after = "# Shop\nUser-agent: *\nDisallow: /a # why\nAllow: /b\n\n# Images\nUser-agent: img\n# not now\n\
        User-agent: Img2\nCrawl-delay: 5\nDisallow:\n\nUser-agent: x\nSitemap: https://e/s\nContent-Signal: search=yes\n";
    assert_eq!(formatted(before), after);
    assert_eq!(
        format(before).unwrap().origins,
        [3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 0, 15, 16, 17]
    );
}

/// SPEC 6.6, 5.5, 5.6, 4.6, 4.4, 4.2: a rewrite would change the meaning of each of these lines.
#[test]
fn what_would_change_its_meaning_stays() {
    for kept in [
        // In koster1996 these records end at the blank line.
        "User-agent: a\n\nDisallow: /\n",
        "User-agent: a\n\nUser-agent: b\nDisallow: /\n",
        "User-agent: a\nDisallow: /x\n\nDisallow: /y\n",
        // They do not end before the second name, though a crawl-delay stands there.
        "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /\n",
        // google alone understands these.
        "Allowance: /x\n",
        "User-agents: x\n",
        "Disallow /x:\n",
        // Nobody does.
        "Disallow / x\n",
        "nonsense here\n",
        "host example.com\n",
        "http://example.com/\n",
        "<a href=\"https://example.com\">\n",
        // The value ends in what only google trims, or goes on after a NUL for all but google.
        "Disallow: /x\u{b}\n",
        "Disallow\0: /x\n",
    ] {
        assert_eq!(formatted(kept), kept);
    }
    // google cuts this line in its blanks, so that the rule is empty there and long elsewhere.
    let long = [&b"Disallow:"[..], &vec![b' '; 16_660], b"/x\n"].concat();
    assert_eq!(format(&long).unwrap().text, long);
    // A second mark would be skipped in the place of the first.
    let marks = b"\xEF\xBB\xBF\xEF\xBB\xBFUser-agent: *\n";
    assert_eq!(format(marks).unwrap().text, marks);
    // What looks like one comes first when the blank line before it goes.
    let hidden = format(b"\n\xEFUser-agent: *\nDisallow: /\n").unwrap();
    assert_eq!(hidden.text, b"\xEF\xBB\xBF\xEFUser-agent: *\nDisallow: /\n");
    // So would what looks like the mark of UTF-16.
    for first in [&b"\n\xFF\xFE\n"[..], b"\xEF\xFF\xFE", b"\xEF\xBB\xFF\xFE\n"] {
        let hidden = format(first).unwrap().text;
        assert_eq!(hidden, b"\xEF\xBB\xBF\xFF\xFE\n");
        assert_eq!(format(&hidden).unwrap().text, hidden);
    }
}

/// SPEC 4.4: a file stays one when what is before its first line goes.
#[test]
fn no_file_becomes_a_compressed_one() {
    for body in [&b"\n\x1F\x8B\n"[..], b"  \n\x1F\x8B\n"] {
        assert_eq!(format(body).unwrap().text, b"\n\x1F\x8B\n");
    }
    for body in [&b" \x1F\x8B\n"[..], b"\tx\x9C \n", b"\n x\x01\nallow: /\n"] {
        let formatted = format(body).unwrap().text;
        let crawler = Crawler::new("ExampleBot").unwrap();
        assert!(crawler.parse(&formatted).is_allowed("/"));
        assert_eq!(format(&formatted).unwrap().text, formatted);
    }
}

/// SPEC 4.4, 4.5: files that `format` refuses.
#[test]
fn some_files_are_refused() {
    assert_eq!(format(b"\xFF\xFEU\0s\0"), Err(Unformatted::Utf16));
    assert_eq!(format(b"\xFE\xFF\0U\0s"), Err(Unformatted::Utf16));
    for start in [
        &b"\x1F\x8B"[..],
        b"\xEF\xBB\xBF\x1F\x8B",
        b"x\x9C",
        b"\x28\xB5\x2F\xFD\nallow:/",
    ] {
        assert_eq!(format(start), Err(Unformatted::Compressed));
    }
    let rules = |count: usize| b"allow:/\n".repeat(count);
    assert_eq!(format(rules(64_001)), Err(Unformatted::TooLong));
    // Read whole as it is, too long once each colon has its space.
    assert_eq!(format(rules(64_000)), Err(Unformatted::TooLong));
    assert!(format(rules(56_000)).is_ok());
    assert_eq!(format(b"").unwrap().text, b"");
    assert_eq!(format(b"\n \r\n\t").unwrap().text, b"");
}

fn any_setup() -> impl Strategy<Value = Setup> {
    select(&[Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][..])
        .prop_flat_map(files::setup)
}

#[test]
fn generated_files_keep_every_verdict() {
    let scenario = (any_setup(), files::file(), vec(urls::recipe(), URLS));
    let (tried, changed) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    run(&scenario, |(setup, file, recipes)| {
        let body = file.bytes(setup.max_bytes);
        let Ok(formatted) = format(&body) else {
            // Only then; what cannot be read wholly is left alone.
            prop_assert!(body.len() > 400_000 || body.starts_with(b"\xFF\xFE"));
            return Ok(());
        };
        tried.set(tried.get() + 1);
        changed.set(changed.get() + u32::from(formatted.text != body));
        let paths = files::rule_paths(&body);
        let urls: Vec<Vec<u8>> = recipes.iter().map(|recipe| recipe.url(&paths)).collect();
        says_the_same(&bridge::crawler(&setup), &body, &formatted, &urls).map_err(
            |(fault, url)| {
                let text = as_case(&setup, &body, &url);
                TestCaseError::fail(format!("{fault}\n{text}"))
            },
        )?;
        looks_right(&formatted).map_err(|fault| {
            let text = as_case(&setup, &body, b"/");
            TestCaseError::fail(format!("{fault}\n{text}"))
        })
    });
    let (tried, changed) = (tried.get(), changed.get());
    assert!(
        tried > 0 && changed > tried / 2,
        "only {changed} of {tried} were changed"
    );
}

/// A file and the URLs that its rules name, for crawlers of all dialects.
fn check_file(name: &str, body: &[u8]) {
    let Ok(formatted) = format(body) else {
        return;
    };
    looks_right(&formatted).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let mut urls = vec![b"/".to_vec(), b"/index.html".to_vec()];
    for path in files::rule_paths(body).into_iter().take(300) {
        let plain = path.replace(b"*", b"x");
        urls.push(plain.strip_suffix(b"$").unwrap_or(&plain).to_vec());
        urls.push([&plain[..], b"/more"].concat());
    }
    for dialect in robots::Dialect::ALL {
        for token in ["ExampleBot", "Googlebot", "bingbot", "GPTBot", "Yandex"] {
            for ends in [false, true] {
                let crawler = Crawler::new(token).unwrap();
                let crawler = crawler.with_dialect(dialect).unwrap();
                let crawler = crawler.with_crawl_delay_ends_agents(ends);
                says_the_same(&crawler, body, &formatted, &urls).unwrap_or_else(|(fault, url)| {
                    panic!(
                        "{name}, {token}, {dialect:?}: {}: {fault}",
                        url.escape_ascii()
                    )
                });
            }
        }
    }
}

trait Replace {
    fn replace(&self, from: &[u8], to: &[u8]) -> Vec<u8>;
}

impl Replace for Vec<u8> {
    fn replace(&self, from: &[u8], to: &[u8]) -> Vec<u8> {
        let parts: Vec<&[u8]> = self.split(|byte| from.contains(byte)).collect();
        parts.join(to)
    }
}

#[test]
fn the_case_files_keep_every_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let all = cases::read_folder(&folder);
    assert!(all.len() > 200);
    for case in all {
        check_file(&case.place, &case.body);
    }
}

#[test]
fn real_files_keep_every_verdict() {
    for (name, body) in support::corpus::files(100) {
        check_file(&name, &body);
    }
}
