//! Deciding on a URL of at most 16 KiB allocates nothing, whatever the dialect and the rules, as the allocator counts (SPEC 8.12).

use crate::heap::calls;
use robots::cache::{Cache, CacheDecision};
use robots::{Control, Crawler, Dialect, Outcome, PageControls, Rules};
use std::hint::black_box;

#[test]
fn the_counter_counts() {
    let count = calls(|| drop(black_box(vec![1_u8; 100])));
    assert_eq!(count, 2);
    assert_eq!(calls(|| {}), 0);
}

/// robots.txt files that lead to every way of deciding.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let rules = |count: usize, rule: fn(usize) -> String| {
        let mut body = String::from("User-agent: *\nCrawl-delay: 3\n");
        for index in 0..count {
            let field = if index % 3 == 0 { "Allow" } else { "Disallow" };
            body += &format!("{field}: {}\n", rule(index));
        }
        body.into_bytes()
    };
    let hostile = format!("User-agent: *\nDisallow: /{}b$\n", "*a".repeat(50));
    vec![
        ("empty", Vec::new()),
        ("another's", b"User-agent: Other\nDisallow: /\n".to_vec()),
        ("small", "User-agent: *\nDisallow: /a\nAllow: /a/*.php$\nDisallow: /%7Ejoe\nDisallow: /ツ\nDisallow: /*?*=%2F\nDisallow:\n".into()),
        ("index.htm", b"User-agent: *\nDisallow: /\nAllow: /a/index.html\n".to_vec()),
        ("literals", rules(5_000, |index| format!("/a/{index}/page"))),
        ("wildcards", rules(5_000, |index| format!("/*/a{index}/*.php$"))),
        ("wildcards under one prefix", rules(2_000, |index| format!("/a/*{index}*x"))),
        ("stars", rules(300, |index| format!("/{}{index}", "*a".repeat(index % 40)))),
        ("escapes", rules(1_000, |index| format!("/%61/%e3%83%84{index}*%2f$x"))),
        ("hostile", hostile.into_bytes()),
        // The pieces of ordinary rules that exceed the budget of the first search.
        ("queries", rules(200, |index| format!("/*?*f{index}=*&sort={index}"))),
        ("periods", rules(2_000, |index| format!("/*{}b{index}", "a".repeat(20)))),
    ]
}

fn urls() -> Vec<Vec<u8>> {
    let mut urls: Vec<Vec<u8>> = Vec::new();
    // Plain, escaped, not ASCII, escapes that change their length, `*` and `$`, a query, escapes that are none.
    #[rustfmt::skip]
    let pieces: &[&str] = &[
        "a", "/a", "a/b", "%61", "%2f", "ツ", "%e3%83%84", "*", "$", "?x=%2F&", "%", "%zz", " ", "a%2",
    ];
    for size in [10, 1_000, 1_023, 1_024, 1_025, 16_384, 21_000, 1_000_000] {
        for piece in pieces {
            for front in ["/", "http://example.com/a/"] {
                urls.push(
                    front
                        .bytes()
                        .chain(piece.bytes().cycle())
                        .take(size)
                        .collect(),
                );
            }
        }
        urls.push(
            b"/a/77/page"
                .iter()
                .copied()
                .chain(std::iter::repeat_n(b'x', size))
                .collect(),
        );
        // One escape, at the very end of much that is plain.
        urls.push(
            b"/a/"
                .iter()
                .copied()
                .chain(std::iter::repeat_n(b'x', size))
                .chain(*b"%61.php")
                .collect(),
        );
        urls.push(
            std::iter::repeat_n(b'h', size)
                .chain(*b"://example.com/a")
                .collect(),
        );
        urls.push(
            b"http://example.com/a#"
                .iter()
                .copied()
                .chain(std::iter::repeat_n(b'%', size))
                .collect(),
        );
        // No URLs.
        urls.push(vec![b'x'; size]);
        urls.push(
            std::iter::repeat_n(b'1', size)
                .chain(*b"://example.com/")
                .collect(),
        );
    }
    // Every key of "queries".
    let fields: String = (0..200).map(|n| format!("f{n}=&sort={n}z&")).collect();
    urls.push(format!("/page?{fields}").into_bytes());
    for url in [
        "",
        "/",
        "relative",
        "http:/h",
        "mailto:a@b",
        "/robots.txt",
        "http://h",
        "http://h?x",
        "http://h/a%00\0",
        "/a/7/a7/x.php",
        "/q/a77/q.php",
    ] {
        urls.push(url.into());
    }
    urls
}

/// What a crawler does with a URL, and with the rest of what it knows.
fn decide(rules: &Rules, url: &[u8]) {
    let _ = black_box(rules.check(black_box(url)));
    let _ = black_box(rules.is_allowed(black_box(url)));
}

#[test]
fn deciding_allocates_nothing() {
    let urls = urls();
    let mut decisions = 0;
    for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
        let crawler = Crawler::new("ExampleBot")
            .unwrap()
            .with_dialect(dialect)
            .unwrap();
        let mut all: Vec<(&str, Rules)> = files()
            .iter()
            .map(|(name, body)| (*name, crawler.parse(body)))
            .collect();
        all.push(("allow all", Rules::allow_all()));
        all.push(("disallow all", Rules::disallow_all()));
        for (name, rules) in &all {
            for url in &urls {
                // A megabyte against thousands of wildcard rules is a matter of time, not of memory.
                if url.len() > 100_000
                    && !matches!(
                        *name,
                        "empty" | "small" | "literals" | "allow all" | "hostile"
                    )
                {
                    continue;
                }
                let count = calls(|| decide(rules, url));
                let start = url[..url.len().min(40)].escape_ascii();
                // A byte becomes three at most in canonical form. `decide` decides a few times.
                let most = if url.len() <= (16 << 10) / 3 { 0 } else { 40 };
                assert!(
                    count <= most,
                    "{dialect:?}, {name} rules, a URL of {} bytes: {count} calls, {start}",
                    url.len()
                );
                decisions += 1;
            }
        }
    }
    println!("{decisions} decisions, no allocation");
}

/// A second owner, the crawl-delay and the sitemaps cost nothing either.
#[test]
fn sharing_and_reading_allocates_nothing() {
    let body = "User-agent: *\nCrawl-delay: 2\nSitemap: https://example.com/1\nSitemap: https://example.com/2\nDisallow: /a\n";
    let rules = Crawler::new("ExampleBot").unwrap().parse(body);
    let count = calls(|| {
        let second = black_box(rules.clone());
        assert_eq!(second.crawl_delay(), Some(2.0));
        assert_eq!(second.sitemaps().map(<[u8]>::len).sum::<usize>(), 42);
    });
    assert_eq!(count, 0);
}

/// A hit of the cache, whatever its outcome and whichever crawler asks.
#[test]
fn a_hit_of_the_cache_allocates_nothing() {
    const NOW: u64 = 1_800_000_000;
    let crawlers = [
        Crawler::new("First").unwrap(),
        Crawler::new("Second").unwrap(),
    ];
    let cache = Cache::new(&crawlers, 10_000_000).unwrap();
    let host = "a-label-that-is-as-long-as-labels-are-rarely-in-practice";
    let mut hits = 0;
    for (site, status) in [
        ("https://example.com", 200),
        ("http://example.com:8080", 404),
        (&format!("https://{host}.{host}.example"), 200),
        ("ftp://files.example", 503),
    ] {
        let CacheDecision::Fetch(ticket) = cache.check(0, site, NOW) else {
            panic!("nothing is known of {site} yet");
        };
        let outcome = Outcome::from_status(
            &crawlers,
            site,
            status,
            "User-agent: *\nDisallow: /a\n",
            NOW,
        );
        ticket.finish(outcome.unwrap(), NOW).unwrap();
        for path in ["", "/", "/a/b", "/b?c", "?d", "/%61", "#e"] {
            let url = format!("{site}{path}");
            for crawler in [0, 1, 2] {
                let count = calls(|| {
                    let answer = cache.check(crawler, black_box(&url), NOW);
                    assert!(matches!(
                        answer,
                        CacheDecision::Decided { refresh: None, .. } | CacheDecision::Defer { .. }
                    ));
                });
                // The third crawler is none.
                if crawler < 2 {
                    assert_eq!(count, 0, "{url}");
                    hits += 1;
                }
            }
        }
    }
    println!("{hits} hits, no allocation");
}

/// Reading the controls of a page allocates nothing, whatever was added (SPEC 9.6).
#[test]
fn page_controls_are_read_without_allocation() {
    let crawler = Crawler::new("ExampleBot").unwrap();
    let mut page = PageControls::new(&crawler);
    for value in [
        "noindex, indexifembedded, x",
        "examplebot: unavailable_after: 2027-06-25, max-snippet: 5",
    ] {
        page.add_header("X-Robots-Tag", value).unwrap();
    }
    let count = calls(|| {
        for control in Control::ALL {
            black_box((
                page.get(control),
                page.decided_by(control).map(|rule| rule.agent.as_deref()),
            ));
        }
        black_box((page.may_index(), page.unavailable_after()));
        black_box(page.unknown().map(|rule| rule.text.len()).sum::<usize>());
    });
    assert_eq!(count, 0);
    assert_eq!(page.unknown().len(), 1);
}
