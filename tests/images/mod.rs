//! Images from strangers: a sound one answers as the rules it was made from, a damaged one is refused
//! or answers wrongly, but nothing crashes, hangs or is read outside it.
//!
//! `ROBOTS_FUZZ_SECONDS` says how long damage is tried at random (2 unless set):
//!
//! ```text
//! ROBOTS_FUZZ_SECONDS=600 cargo test --release --test engine images::
//! ```

mod exchange;
mod forged;

use crate::invariants::image::{check, is_refused_or_answers, seal};
use crate::oracle;
use crate::support::runner::{cases, runner};
use crate::support::{bridge, files, urls};
use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use robots::{Crawler, Dialect, Error, Rules};
use std::time::{Duration, Instant};

/// Images of generated files, each with URLs that its rules are about.
fn samples(count: usize) -> Vec<(Rules, Vec<Vec<u8>>)> {
    let mut runner = runner(count as u64);
    let dialects = oracle_dialects();
    (0..count)
        .map(|number| {
            let scenario = (
                files::setup(dialects[number % 3]),
                files::file(),
                vec(urls::recipe(), 4..5),
            );
            let (setup, file, recipes) = scenario.new_tree(&mut runner).unwrap().current();
            let body = file.bytes(setup.max_bytes);
            let paths = files::rule_paths(&body);
            let urls = recipes.iter().map(|recipe| recipe.url(&paths)).collect();
            (bridge::crawler(&setup).parse(&body), urls)
        })
        .collect()
}

fn oracle_dialects() -> [oracle::Dialect; 3] {
    [
        oracle::Dialect::Rfc9309,
        oracle::Dialect::Google,
        oracle::Dialect::Koster1996,
    ]
}

/// An byte of pseudo-random choice.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn an_image_answers_as_its_rules() {
    for (rules, urls) in samples(300) {
        let again = Rules::from_image(rules.image()).unwrap();
        assert_eq!(again.image(), rules.image());
        assert_eq!(
            again.crawl_delay().map(f64::to_bits),
            rules.crawl_delay().map(f64::to_bits)
        );
        assert!(again.sitemaps().eq(rules.sitemaps()));
        for url in urls {
            assert_eq!(again.check(&url), rules.check(&url));
            assert_eq!(check(rules.image(), &url), rules.check(&url).bits());
        }
    }
}

/// A thousand images, if `ROBOTS_CASES` does not ask for fewer cases than there mostly are.
#[test]
fn every_octet_of_a_thousand_images_changed_once() {
    let count = (cases() / 50).clamp(10, 1000) as usize;
    let mut random = Random(1);
    let mut changed = 0;
    for (rules, urls) in samples(count) {
        // The bytes of the largest images are sampled; all of the others are changed.
        let step = rules.image().len() / 4000 + 1;
        for at in (0..rules.image().len()).step_by(step) {
            let mut image = rules.image().to_vec();
            image[at] ^= 1 + random.below(255) as u8;
            assert!(
                Rules::from_image(&image).is_err(),
                "byte {at} changed, and nobody noticed"
            );
            check(&image, &urls[at % urls.len()]);
            changed += 1;
        }
    }
    assert!(changed > 100 * count, "{changed}");
}

/// In koster1996 every byte can follow a `/`, so that a node has up to 256 children: one more than an byte counts.
#[test]
fn a_rule_for_every_octet() {
    let crawler = Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(Dialect::Koster1996)
        .unwrap();
    let raw = |byte: usize| match byte {
        // The one escape that is not decoded.
        0x2F => "/".to_owned(),
        _ => format!("%{byte:02X}"),
    };
    // The root and a node further down, early and late in a file.
    for (start, lines_before) in [("/", 0), ("/p/", 0), ("/", 40_000), ("/p/", 40_000)] {
        for count in [255, 256] {
            let rules: String = (0..count)
                .map(|byte| format!("Disallow: {start}{}\n", raw(byte)))
                .collect();
            let comments = "#\n".repeat(lines_before);
            let rules = crawler.parse(format!("{comments}User-agent: *\n{rules}"));
            let again = Rules::from_image(rules.image()).unwrap();
            for byte in 0..256 {
                let url = format!("{start}{}x", raw(byte));
                let line = if byte < count {
                    lines_before + byte + 2
                } else {
                    0
                };
                let verdict = rules.check(&url);
                assert_eq!(
                    verdict.line() as usize,
                    line,
                    "{url} of {count} after {start}"
                );
                assert_eq!(
                    verdict.allowed(),
                    byte >= count,
                    "{url} of {count} after {start}"
                );
                assert_eq!(again.check(&url), verdict);
                assert_eq!(check(rules.image(), url.as_bytes()), verdict.bits());
            }
        }
    }
}

/// Two paths that differ at their ends only are compiled in a time that is linear in their length.
#[test]
fn long_paths_that_begin_alike() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let crawler = crawler.with_max_bytes(64_000_000).unwrap();
    let path = "a".repeat(16_000_000);
    let body = format!("User-agent: *\nDisallow: /{path}b\nDisallow: /{path}c\n");
    let start = Instant::now();
    let rules = crawler.parse(&body);
    let taken = start.elapsed();
    // It takes a tenth of a second; reading the rest of the path for each node took minutes.
    assert!(taken < Duration::from_secs(20), "{taken:?}");
    assert_eq!(rules.effective_rules().unwrap().len(), 2);
    assert_eq!(rules.check(format!("/{path}c")).error(), Some(Error::Url));
}

/// A path too long for any buffer is matched as a stream, which asks other things of an image.
#[test]
fn a_damaged_image_and_a_long_path() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let short: String = (0..4).map(|n| format!("Disallow: /*x{n}*y\n")).collect();
    let long: String = (0..40).map(|n| format!("Disallow: /*x{n}*y\n")).collect();
    let url = format!("https://example.com/{}", "%41x3/y".repeat(3300));
    for rules in [short, long] {
        let rules = crawler.parse(format!("User-agent: *\n{rules}"));
        assert!(!rules.check(&url).allowed());
        for at in 0..rules.image().len() {
            let mut image = rules.image().to_vec();
            image[at] = 0;
            check(&image, url.as_bytes());
        }
    }
}

#[test]
fn other_versions_and_byte_orders_are_told_apart() {
    let rules = Crawler::new("ExampleBot")
        .unwrap()
        .parse("User-agent: *\nDisallow: /x\n");
    let with = |at: usize, byte: u8| {
        let mut image = rules.image().to_vec();
        image[at] = byte;
        seal(&mut image);
        Rules::from_image(&image).err()
    };
    assert_eq!(with(4, 1), Some(Error::ImageFormat), "format version");
    assert_eq!(with(4, 3), Some(Error::ImageFormat), "format version");
    assert_eq!(with(6, 0xFE), Some(Error::ImageFormat), "byte order");
    assert_eq!(with(0, b'R'), Some(Error::Image), "magic");
    assert_eq!(with(16, 3), Some(Error::Image), "dialect");
    assert_eq!(with(5, rules.image()[5] | 64), Some(Error::Image), "flag");
    assert_eq!(with(40, rules.image()[40]), None, "sealed as it was");
    for len in 0..rules.image().len() {
        assert!(
            Rules::from_image(&rules.image()[..len]).is_err(),
            "cut at {len}"
        );
        assert_eq!(check(&rules.image()[..len], b"/x") & 1, 0, "cut at {len}");
    }
}

/// No two bits that change together are missed.
#[test]
fn each_pair_of_damaged_bits_is_found() {
    let crawler = Crawler::new("bot").unwrap();
    let rules = crawler.parse("user-agent: bot\ndisallow: /abcdefgh\nallow: /zzzzzzzzzzzz\n");
    let mut image = rules.image().to_vec();
    let bits = 8 * image.len();
    for first in 0..bits {
        image[first / 8] ^= 1 << (first % 8);
        for second in first + 1..bits {
            image[second / 8] ^= 1 << (second % 8);
            assert!(
                Rules::from_image(&image).is_err(),
                "bits {first} and {second}"
            );
            image[second / 8] ^= 1 << (second % 8);
        }
        image[first / 8] ^= 1 << (first % 8);
    }
}

/// A path whose tail a node cannot hold is in the list: both decide by the last byte.
#[test]
fn paths_around_the_longest_tail() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    for len in 100..320 {
        let path = |first: char| -> String {
            let rest = (1..len).map(|at| char::from(b'a' + (at % 23) as u8));
            ['/', first].into_iter().chain(rest).collect()
        };
        let (long, starred) = (path('x'), path('y'));
        let rules = format!("User-agent: *\nDisallow: {long}\nDisallow: {starred}*\n");
        let rules = crawler.parse(rules);
        for path in [&long, &starred] {
            let cut = &path[..path.len() - 1];
            for (url, allowed) in [
                (path.clone(), false),
                (format!("{path}z"), false),
                (cut.to_owned(), true),
                (format!("{cut}z"), true),
            ] {
                assert_eq!(
                    rules.is_allowed(&url),
                    allowed,
                    "{} bytes: {url}",
                    path.len()
                );
            }
        }
    }
}

/// What passes validation is decided on without an error, also if a stranger made it.
#[test]
fn forged_images_are_refused_or_answered() {
    let seconds =
        std::env::var("ROBOTS_FUZZ_SECONDS").map_or(2, |seconds| seconds.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let samples = samples(400);
    let mut random = Random(7);
    let (mut tried, mut passed) = (0u64, 0u64);
    while Instant::now() < end {
        let (rules, urls) = &samples[random.below(samples.len())];
        let mut image = rules.image().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(image.len());
            match random.below(6) {
                0 => image.truncate(at.max(48)),
                1 => image[at] = 0xFF,
                2 => image[at] = 0,
                3 => image[at] = image[random.below(at + 1)],
                4 => image[at] = image[at].wrapping_add(1),
                _ => image[at] ^= 1 << random.below(8),
            }
        }
        let len = image.len() as u32;
        image[8..12].copy_from_slice(&len.to_le_bytes());
        seal(&mut image);
        tried += 1;
        passed += u64::from(is_refused_or_answers(&image, urls));
    }
    println!("{tried} forged images, {passed} of them sound");
    assert!(tried > 100 && passed > 0);
}

#[test]
fn arbitrary_octets_are_no_image() {
    let mut random = Random(3);
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..random.below(300))
            .map(|_| random.below(256) as u8)
            .collect();
        assert!(Rules::from_image(&bytes).is_err());
        assert_eq!(check(&bytes, b"/x") & 1, 0);
    }
}

#[test]
fn whole_sites_are_images_too() {
    for (rules, allowed) in [(Rules::allow_all(), true), (Rules::disallow_all(), false)] {
        let again = Rules::from_image(rules.image()).unwrap();
        assert_eq!(again.is_allowed("https://example.com/x"), allowed);
        assert!(
            again.is_allowed("https://example.com/robots.txt"),
            "SPEC 8.9"
        );
        assert_eq!(again.check("no-url").error(), Some(Error::Url));
    }
    let google = Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(Dialect::Google)
        .unwrap();
    assert!(
        !google
            .parse("User-agent: *\nDisallow: /\n")
            .is_allowed("/robots.txt")
    );
}
