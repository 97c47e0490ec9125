//! SPEC 1, 2 and 3, row by row, with scripted servers and a clock of the tests' own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

use robots::{
    Cause, Crawler, Dialect, Error, Failure, Fetch, FetchOption, Origin, Outcome, OutcomeKind,
    Reason, Step,
};

const NOW: u64 = 1_800_000_000;
const MINUTE: u64 = 60;
const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;
const URL: &str = "https://example.com/any/page";
const ROBOTS: &str = "https://example.com/robots.txt";
const BODY: &str = "User-agent: *\nDisallow: /private/\n";

fn crawler(dialect: Dialect) -> Crawler {
    Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(dialect)
        .unwrap()
}

fn standard() -> Crawler {
    crawler(Dialect::Rfc9309)
}

/// What a server does with one request.
#[derive(Clone, Debug)]
enum Act<'a> {
    Respond(u16, Vec<(&'a str, &'a str)>, &'a [u8]),
    /// A response that breaks off.
    Break(u16, &'a [u8], Failure),
    Fail(Failure),
}
use Act::{Break, Fail, Respond};

fn plain(status: u16) -> Act<'static> {
    Respond(status, vec![], BODY.as_bytes())
}

fn to(location: &str) -> Act<'_> {
    Respond(301, vec![("Location", location)], b"moved")
}

/// Runs a fetch against a script, of which each act answers one request; it must want all of them, and no more.
fn run(fetch: &mut Fetch, script: &[Act], now: u64) -> Outcome {
    for act in script {
        assert_eq!(fetch.step(), Step::Get, "{act:?} is one too many");
        let (status, headers, body, end) = match act {
            Fail(failure) => {
                assert_eq!(fetch.fail(*failure, now), Ok(Step::Done));
                continue;
            }
            Respond(status, headers, body) => (*status, headers.clone(), *body, None),
            Break(status, body, failure) => (*status, vec![], *body, Some(*failure)),
        };
        assert_eq!(fetch.status(status, now), Ok(Step::Headers));
        for (name, value) in headers {
            assert_eq!(fetch.header(name, value), Ok(Step::Headers));
        }
        if fetch.headers_end().unwrap() != Step::Body {
            continue;
        }
        for piece in body.chunks(1000) {
            if fetch.body(piece).unwrap() == Step::Done {
                break;
            }
        }
        match end {
            Some(failure) => assert_eq!(fetch.fail(failure, now), Ok(Step::Done)),
            None if fetch.step() == Step::Done => {}
            None => assert_eq!(fetch.end(), Ok(Step::Done)),
        }
    }
    assert_eq!(fetch.step(), Step::Done, "{script:?}");
    fetch.outcome().unwrap().clone()
}

/// The first fetch of a site.
fn first(crawler: &Crawler, script: &[Act], now: u64) -> Outcome {
    run(
        &mut Fetch::new(std::slice::from_ref(crawler), URL, now).unwrap(),
        script,
        now,
    )
}

/// A later one.
fn again(crawler: &Crawler, previous: &Outcome, script: &[Act], now: u64) -> Outcome {
    let mut fetch = Fetch::new(std::slice::from_ref(crawler), URL, now).unwrap();
    fetch.after(previous).unwrap();
    run(&mut fetch, script, now)
}

/// Kind, cause, whether `/open` and `/private/x` may be fetched just afterwards.
fn seen(outcome: &Outcome, now: u64) -> (OutcomeKind, Cause, bool, bool) {
    let allowed = |path: &str| {
        let verdict = outcome.check(0, format!("https://example.com{path}"), now);
        assert_eq!(verdict, outcome.check(0, path, now));
        assert_eq!(
            verdict.reason() == Reason::Defer,
            outcome.kind() == OutcomeKind::Defer
        );
        verdict.allowed()
    };
    (
        outcome.kind(),
        outcome.cause(),
        allowed("/open"),
        allowed("/private/x"),
    )
}

const RULES: (OutcomeKind, bool, bool) = (OutcomeKind::Rules, true, false);
const ALLOW: (OutcomeKind, bool, bool) = (OutcomeKind::AllowAll, true, true);
const DISALLOW: (OutcomeKind, bool, bool) = (OutcomeKind::DisallowAll, false, false);
const DEFER: (OutcomeKind, bool, bool) = (OutcomeKind::Defer, false, false);

/// One row of SPEC 2 in the three dialects.
fn row(script: &[Act], cause: Cause, wanted: [(OutcomeKind, bool, bool); 3]) {
    for (dialect, (kind, open, private)) in Dialect::ALL.into_iter().zip(wanted) {
        let outcome = first(&crawler(dialect), script, NOW);
        assert_eq!(
            seen(&outcome, NOW),
            (kind, cause, open, private),
            "{dialect:?} {script:?}"
        );
    }
}

// --- SPEC 1 ------------------------------------------------------------------------------------------------

/// SPEC 1.1, 1.2, 1.3, 1.4, 1.7
#[test]
fn spec_1_origins() {
    for (url, key) in [
        ("https://example.com/folder/file", "https://example.com"),
        ("https://example.com", "https://example.com"),
        ("https://example.com?q", "https://example.com"),
        ("https://example.com#f", "https://example.com"),
        ("http://example.com/folder/robots.txt", "http://example.com"),
        (
            "https://example.com:8181/robots.txt",
            "https://example.com:8181",
        ),
        ("https://example.com:443/", "https://example.com"),
        ("https://example.com:0443/", "https://example.com"),
        ("https://example.com:/", "https://example.com"),
        ("https://example.com:444/", "https://example.com:444"),
        ("http://example.com:80/", "http://example.com"),
        ("http://example.com:443/", "http://example.com:443"),
        ("ftp://example.com:21/", "ftp://example.com"),
        ("ftp://example.com/robots.txt", "ftp://example.com"),
        (
            "https://www.ex\u{e4}mple.com/",
            "https://www.xn--exmple-cua.com",
        ),
        (
            "https://www.EX\u{c4}MPLE.com/",
            "https://www.xn--exmple-cua.com",
        ),
        (
            "https://www.xn--exmple-cua.com/",
            "https://www.xn--exmple-cua.com",
        ),
        (
            "https://www.XN--EXMPLE-CUA.com/",
            "https://www.xn--exmple-cua.com",
        ),
        ("https://ex%C3%A4mple.com/", "https://xn--exmple-cua.com"),
        ("HTTPS://Example.COM/Path", "https://example.com"),
        ("https://user:secret@example.com/", "https://example.com"),
        ("https://a@b@example.com/", "https://example.com"),
        ("https://us\u{e9}r@example.com/", "https://example.com"),
        ("https://other.com@example.com/", "https://example.com"),
        ("https://example.com/@other.com", "https://example.com"),
        ("https://example.com?@other.com", "https://example.com"),
        ("https://example.com./", "https://example.com."),
    ] {
        let origin = Origin::of(url).unwrap();
        assert_eq!(origin.key(), key, "{url}");
        assert_eq!(origin.robots_url(), format!("{key}/robots.txt"));
        assert!(origin.governs(url) && origin.governs(key), "{url}");
    }
    // Octets that are not UTF-8 stand in the way of no origin, but in a host they do.
    assert_eq!(
        Origin::of(b"http://\xFF@a.com/\xFF\0").unwrap().key(),
        "http://a.com"
    );
    assert_eq!(Origin::of(b"http://\xFF.com/"), Err(Error::Url));
}

/// SPEC 1.2, and the examples below 1.7
#[test]
fn spec_1_2_governs_its_own_origin_alone() {
    for (robots, url, governs) in [
        (ROBOTS, "https://example.com/folder/file", true),
        (ROBOTS, "https://other.example.com/", false),
        (ROBOTS, "http://example.com/", false),
        (ROBOTS, "https://example.com:8181/", false),
        (ROBOTS, "https://example.com./", false),
        (ROBOTS, "/folder", false),
        (ROBOTS, "", false),
        (
            "https://www.example.com/robots.txt",
            "https://example.com/",
            false,
        ),
        (
            "https://www.example.com/robots.txt",
            "https://shop.www.example.com/",
            false,
        ),
        ("ftp://example.com/robots.txt", "ftp://example.com/x", true),
        (
            "ftp://example.com/robots.txt",
            "http://example.com/x",
            false,
        ),
        (
            "https://example.com:8181/robots.txt",
            "https://example.com:8181/x",
            true,
        ),
        (
            "https://example.com:8181/robots.txt",
            "https://example.com/x",
            false,
        ),
    ] {
        assert_eq!(
            Origin::of(robots).unwrap().governs(url),
            governs,
            "{robots} {url}"
        );
    }
}

/// SPEC 1.5
#[test]
fn spec_1_5_addresses() {
    for (url, key) in [
        ("http://212.96.82.21/x", "http://212.96.82.21"),
        ("http://0xd4.96.82.21/x", "http://212.96.82.21"),
        ("http://3563082261/x", "http://212.96.82.21"),
        ("http://[::1]:8080/x", "http://[::1]:8080"),
        ("http://[0:0:0:0:0:0:0:1]:80/x", "http://[::1]"),
        ("http://[2001:DB8::A]/", "http://[2001:db8::a]"),
    ] {
        assert_eq!(Origin::of(url).unwrap().key(), key, "{url}");
    }
    assert!(
        !Origin::of("http://212.96.82.21/")
            .unwrap()
            .governs("http://example.com/")
    );
    for url in [
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://[::1/",
        "http://[v1.a]/",
    ] {
        assert_eq!(Origin::of(url), Err(Error::Url), "{url}");
    }
}

/// SPEC 1.6
#[test]
fn spec_1_6_schemes() {
    for url in [
        "ws://example.com/",
        "file:///etc/passwd",
        "mailto:a@example.com",
        "javascript:x",
        "data:,",
        "httpss://a/",
    ] {
        assert_eq!(Origin::of(url), Err(Error::Scheme), "{url}");
        assert_eq!(
            Fetch::new(&[standard()], url, NOW).err(),
            Some(Error::Scheme)
        );
    }
    let long = format!("http://{}/", "a".repeat(5000));
    for url in [
        "",
        "/",
        "/robots.txt",
        "example.com",
        "://example.com/",
        "http:/example.com/",
        "http:example.com",
        "http://",
        "http:///x",
        "https://:80/",
        "https://@/",
        "http://a b/",
        "http://a\\b/",
        "http://a.com\\@b.com/",
        "ht\ntp://a/",
        " http://a.com/",
        "http://a\t.com/",
        "http://a.com:65536/",
        "http://a.com:-1/",
        "http://a.com:8 0/",
        "http://xn--a/",
        "1http://a/",
        "http://a%2Fb/",
        "http://a<b/",
        &long,
    ] {
        assert_eq!(Origin::of(url), Err(Error::Url), "{url}");
    }
}

// --- SPEC 2 ------------------------------------------------------------------------------------------------

/// SPEC 2.1
#[test]
fn spec_2_1_success() {
    for status in [200, 201, 203, 206, 299] {
        row(&[plain(status)], Cause::Found, [RULES; 3]);
    }
    row(
        &[Respond(204, vec![], b"")],
        Cause::Found,
        [(OutcomeKind::Rules, true, true); 3],
    );
}

/// SPEC 2.1, 4.3, 4.4: what is no robots.txt has no rules.
#[test]
fn spec_2_1_odd_bodies() {
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(BODY.bytes().flat_map(|o| [o, 0]))
        .collect();
    let gzip = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x0B, 0x2D, 0x4E, 0x2D, 0xD2, 0x4D,
    ];
    let html = b"<!doctype html>\n<html><head><title>Not found</title></head>\n<body>Disallow nothing</body></html>\n";
    for body in [&utf16[..], &gzip, html, &[0; 100], b""] {
        row(
            &[Respond(200, vec![], body)],
            Cause::Found,
            [(OutcomeKind::Rules, true, true); 3],
        );
    }
}

/// SPEC 2.4: a page that sends browsers elsewhere is a file like any other.
#[test]
fn spec_2_4_html_redirects() {
    let html = b"<meta http-equiv=\"refresh\" content=\"0; url=https://example.com/other\">\n<frameset><frame src=x>\n";
    let refresh = Respond(
        200,
        vec![("Refresh", "0; url=/x"), ("Location", "/y")],
        html,
    );
    row(
        &[refresh],
        Cause::Found,
        [(OutcomeKind::Rules, true, true); 3],
    );
}

/// SPEC 2.1, 4.5: of 10 MB what counts is read, and no more is asked for.
#[test]
fn spec_2_1_ten_megabytes() {
    let line = b"Disallow: /a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/01\n";
    let mut body = BODY.as_bytes().to_vec();
    while body.len() < 10_000_000 {
        body.extend_from_slice(line);
    }
    body.extend_from_slice(b"Disallow: /\n");
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, NOW).unwrap();
        fetch.status(200, NOW).unwrap();
        fetch.headers_end().unwrap();
        let mut told = 0;
        for piece in body.chunks(16 * 1024) {
            told += piece.len();
            if fetch.body(piece).unwrap() == Step::Done {
                break;
            }
        }
        assert_eq!(fetch.step(), Step::Done);
        assert!((512_001..512_001 + 16 * 1024).contains(&told), "{told}");
        let outcome = fetch.outcome().unwrap();
        assert_eq!(
            outcome.rules(0).unwrap().image(),
            crawler.parse(&body).image()
        );
        assert_eq!(
            seen(outcome, NOW),
            (OutcomeKind::Rules, Cause::Found, true, false)
        );
    }
}

/// SPEC 4.5: in whatever pieces it comes, and wherever it ends near the limit.
#[test]
fn spec_4_5_pieces() {
    let crawler = standard();
    for len in [0, 1, 511_999, 512_000, 512_001, 512_100] {
        let mut body = b"User-agent: *\n".to_vec();
        while body.len() < len {
            body.extend_from_slice(b"Disallow: /private/a\n");
        }
        body.truncate(len);
        for piece in [1, 999, 512_000, 600_000] {
            if piece == 1 && len > 10 {
                continue;
            }
            let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, NOW).unwrap();
            fetch.status(200, NOW).unwrap();
            fetch.headers_end().unwrap();
            for piece in body.chunks(piece) {
                if fetch.body(piece).unwrap() == Step::Done {
                    break;
                }
            }
            assert_eq!(fetch.step() == Step::Done, len > 512_000);
            if fetch.step() != Step::Done {
                fetch.end().unwrap();
            }
            assert_eq!(
                fetch.outcome().unwrap().rules(0).unwrap().image(),
                crawler.parse(&body).image()
            );
        }
    }
}

/// SPEC 2.1, 3.1: a slow drip is a file; its life begins with the response.
#[test]
fn slow_drip() {
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(200, NOW).unwrap();
    fetch.headers_end().unwrap();
    for octet in BODY.as_bytes() {
        assert_eq!(fetch.body([*octet]), Ok(Step::Body));
        assert_eq!(fetch.body([]), Ok(Step::Body));
    }
    fetch.end().unwrap();
    let outcome = fetch.outcome().unwrap();
    assert_eq!(outcome.fresh_until(), NOW + DAY);
    assert_eq!(
        seen(outcome, NOW),
        (OutcomeKind::Rules, Cause::Found, true, false)
    );
}

/// SPEC 2.2: five hops, also to other hosts and paths; the rules govern the first origin.
#[test]
fn spec_2_2_redirects() {
    let hops = [
        to("https://www.example.com/robots.txt"),
        to("//cdn.example.net/a/b"),
        to("../robots.txt?x=1#fragment"),
        to("http://other.example:8080/robots.txt"),
        to("other"),
        plain(200),
    ];
    row(&[to("/other.txt"), plain(200)], Cause::Found, [RULES; 3]);
    row(&hops, Cause::Found, [RULES; 3]);
    for status in [300, 301, 302, 303, 305, 307, 308, 399] {
        row(
            &[Respond(status, vec![("location", "/x")], b""), plain(200)],
            Cause::Found,
            [RULES; 3],
        );
    }

    let outcome = first(&standard(), &hops, NOW);
    assert_eq!(outcome.final_url(), "http://other.example:8080/other");
    assert_eq!((outcome.hops(), outcome.downgraded()), (5, true));
    assert_eq!(outcome.origin().key(), "https://example.com");
    let elsewhere = outcome.check(0, "http://other.example:8080/open", NOW);
    assert_eq!(
        (elsewhere.allowed(), elsewhere.error()),
        (false, Some(Error::Url))
    );

    let safe = first(
        &standard(),
        &[
            to("http://example.com/x"),
            to("https://example.com/y"),
            plain(200),
        ],
        NOW,
    );
    assert!(safe.downgraded(), "on the way, if not at the end");
    assert!(!first(&standard(), &[to("https://a.example/"), plain(200)], NOW).downgraded());
    // What is behind a redirect counts as if it had been there at once.
    row(&[to("/x"), plain(404)], Cause::Missing, [ALLOW; 3]);
    row(
        &[to("/x"), Fail(Failure::Reset)],
        Cause::Reset,
        [DISALLOW, DISALLOW, DEFER],
    );
}

/// SPEC 2.2: how a target is read.
#[test]
fn spec_2_2_targets() {
    for (location, url) in [
        ("/x", "https://example.com/x"),
        (" /x ", "https://example.com/x"),
        ("//b.example", "https://b.example/"),
        ("HTTP://B.Example:80/", "http://b.example/"),
        ("https://user:secret@b.example/x#y", "https://b.example/x"),
        (
            "https://b\u{e4}r.example/\u{e4}",
            "https://xn--br-via.example/%C3%A4",
        ),
        ("/a b", "https://example.com/a%20b"),
        ("?q", "https://example.com/robots.txt?q"),
        ("\\\\b.example\\x", "https://b.example/x"),
    ] {
        let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
        fetch.status(302, NOW).unwrap();
        fetch.header("Location", location).unwrap();
        assert_eq!(fetch.headers_end(), Ok(Step::Get), "{location}");
        assert_eq!(fetch.url(), url);
    }
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(302, NOW).unwrap();
    fetch.header("Location", b"/\xE4\xFF").unwrap();
    fetch.headers_end().unwrap();
    assert_eq!(fetch.url(), "https://example.com/%E4%FF");
}

/// SPEC 2.3
#[test]
fn spec_2_3_bad_redirects() {
    let names: Vec<String> = (0..6).map(|n| format!("/{n}")).collect();
    let six: Vec<Act> = names.iter().map(|name| to(name)).collect();
    row(&six, Cause::TooManyRedirects, [ALLOW; 3]);
    row(&[to(ROBOTS)], Cause::RedirectLoop, [ALLOW; 3]);
    row(&[to("#x")], Cause::RedirectLoop, [ALLOW; 3]);
    row(
        &[to("/a"), to("/b"), to("/a")],
        Cause::RedirectLoop,
        [ALLOW; 3],
    );
    row(&[Respond(301, vec![], b"")], Cause::BadRedirect, [ALLOW; 3]);
    let long = format!("/{}", "a".repeat(9000));
    let growing = format!("/{}", "\u{e4}".repeat(2000));
    for location in [
        "",
        "   ",
        "mailto:a@example.com",
        "ftp://example.com/robots.txt",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/plain,User-agent: *",
        "http://",
        "http://[::1",
        "http://a:99999/",
        "https://xn--a/",
        &long,
        &growing,
    ] {
        row(&[to(location)], Cause::BadRedirect, [ALLOW; 3]);
    }
    // The number is an option.
    for most in [0, 1, 5, 6, 20] {
        let crawler = standard()
            .with_fetch_option(FetchOption::MaxRedirects, most)
            .unwrap();
        let names: Vec<String> = (0..=most).map(|n| format!("/{n}")).collect();
        let hops: Vec<Act> = names.iter().map(|name| to(name)).collect();
        assert_eq!(first(&crawler, &hops, NOW).cause(), Cause::TooManyRedirects);
        let (_, enough) = hops.split_last().unwrap();
        let found = [enough, &[plain(200)]].concat();
        assert_eq!(first(&crawler, &found, NOW).cause(), Cause::Found);
    }
}

/// SPEC 2.5
#[test]
fn spec_2_5_unavailable() {
    for status in [400, 402, 404, 405, 410, 418, 428, 430, 451, 499] {
        row(&[plain(status)], Cause::Missing, [ALLOW; 3]);
    }
}

/// SPEC 2.5: the copy of up to 24 h, which is an option.
#[test]
fn spec_2_5_copy() {
    let found = first(&standard(), &[plain(200)], NOW);
    let gone = again(&standard(), &found, &[plain(404)], NOW + HOUR);
    assert_eq!(
        seen(&gone, NOW + HOUR),
        (OutcomeKind::AllowAll, Cause::Missing, true, true)
    );

    let keeps = standard()
        .with_fetch_option(FetchOption::MissingKeepsCopy, 1)
        .unwrap();
    let kept = again(&keeps, &found, &[plain(404)], NOW + HOUR);
    assert_eq!(
        seen(&kept, NOW + HOUR),
        (OutcomeKind::Rules, Cause::Missing, true, false)
    );
    assert_eq!(
        (kept.stale(), kept.retry_at(), kept.usable_until()),
        (true, NOW + 7 * HOUR, NOW + DAY)
    );
    // However often it is asked, the copy grows old.
    let kept = again(&keeps, &kept, &[plain(404)], NOW + 23 * HOUR);
    assert_eq!((kept.stale(), kept.retry_at()), (true, NOW + DAY));
    let late = kept.check(0, "https://example.com/open", NOW + DAY);
    assert_eq!((late.allowed(), late.reason()), (false, Reason::Defer));
    let gone = again(&keeps, &kept, &[plain(404)], NOW + DAY);
    assert_eq!(
        seen(&gone, NOW + DAY),
        (OutcomeKind::AllowAll, Cause::Missing, true, true)
    );
}

/// SPEC 2.6
#[test]
fn spec_2_6_forbidden() {
    for status in [401, 403] {
        row(&[plain(status)], Cause::Forbidden, [ALLOW, ALLOW, DISALLOW]);
    }
    for (treatment, kind) in [
        (1, OutcomeKind::AllowAll),
        (2, OutcomeKind::DisallowAll),
        (3, OutcomeKind::Defer),
    ] {
        let crawler = standard()
            .with_fetch_option(FetchOption::OnForbidden, treatment)
            .unwrap();
        // The choice is the crawler's, whatever its dialect becomes.
        for dialect in Dialect::ALL {
            let crawler = crawler.clone().with_dialect(dialect).unwrap();
            assert_eq!(first(&crawler, &[plain(403)], NOW).kind(), kind);
        }
    }
}

/// SPEC 2.7
#[test]
fn spec_2_7_too_many_requests() {
    row(
        &[plain(429)],
        Cause::TooManyRequests,
        [DISALLOW, DISALLOW, DEFER],
    );
    let lenient = standard()
        .with_fetch_option(FetchOption::OnTooManyRequests, 1)
        .unwrap();
    let found = first(&standard(), &[plain(200)], NOW);
    // As 404: it is an answer, so that the copy is no longer used.
    let outcome = again(&lenient, &found, &[plain(429)], NOW + DAY);
    assert_eq!(
        seen(&outcome, NOW + DAY),
        (OutcomeKind::AllowAll, Cause::TooManyRequests, true, true)
    );
    assert_eq!(outcome.unreachable_since(), None);
}

/// SPEC 2.8, 2.14
#[test]
fn spec_2_8_server_errors() {
    for status in [500, 502, 503, 504, 599] {
        row(
            &[plain(status)],
            Cause::ServerError,
            [DISALLOW, DISALLOW, DEFER],
        );
    }
    for dialect in Dialect::ALL {
        let mut fetch = Fetch::new(&[crawler(dialect)], URL, NOW).unwrap();
        fetch.set(FetchOption::ServerErrorIsMissing, 1).unwrap();
        let outcome = run(&mut fetch, &[plain(503)], NOW);
        assert_eq!(
            seen(&outcome, NOW),
            (OutcomeKind::AllowAll, Cause::Missing, true, true)
        );
        let defers = crawler(dialect)
            .with_fetch_option(FetchOption::OnServerError, 3)
            .unwrap();
        assert_eq!(
            first(&defers, &[plain(500)], NOW).kind(),
            OutcomeKind::Defer
        );
        let allows = crawler(dialect)
            .with_fetch_option(FetchOption::OnServerError, 1)
            .unwrap();
        assert_eq!(
            first(&allows, &[plain(500)], NOW).kind(),
            OutcomeKind::AllowAll
        );
    }
}

/// SPEC 2.9
#[test]
fn spec_2_9_other_status() {
    for status in [0, 1, 100, 101, 103, 199, 600, 777, 999, u16::MAX] {
        row(
            &[plain(status)],
            Cause::OddStatus,
            [DISALLOW, DISALLOW, DEFER],
        );
    }
    // Nobody asked whether it was modified.
    row(&[plain(304)], Cause::OddStatus, [DISALLOW, DISALLOW, DEFER]);
    let strict = crawler(Dialect::Google)
        .with_fetch_option(FetchOption::OnUnreachable, 3)
        .unwrap();
    assert_eq!(
        first(&strict, &[plain(600)], NOW).kind(),
        OutcomeKind::Defer
    );
}

/// SPEC 2.10: half a body is none, whatever it says.
#[test]
fn spec_2_10_failures() {
    let failures = [
        (Failure::Dns, Cause::Dns),
        (Failure::Connect, Cause::Connect),
        (Failure::Tls, Cause::Tls),
        (Failure::Timeout, Cause::Timeout),
        (Failure::Reset, Cause::Reset),
        (Failure::Truncated, Cause::Truncated),
        (Failure::Other, Cause::OtherFailure),
    ];
    for (failure, cause) in failures {
        row(&[Fail(failure)], cause, [DISALLOW, DISALLOW, DEFER]);
        row(
            &[Break(200, b"User-agent: *\nAllow: /\nDisa", failure)],
            cause,
            [DISALLOW, DISALLOW, DEFER],
        );
    }
    // Before the headers ended, of a status that would have allowed all.
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(404, NOW).unwrap();
    fetch.fail(Failure::Reset, NOW).unwrap();
    assert_eq!(fetch.outcome().unwrap().kind(), OutcomeKind::DisallowAll);
}

/// All that makes a site unreachable.
fn outages() -> Vec<Act<'static>> {
    vec![
        plain(429),
        plain(500),
        plain(503),
        plain(600),
        plain(101),
        plain(304),
        Fail(Failure::Dns),
        Fail(Failure::Timeout),
        Break(200, b"x", Failure::Truncated),
    ]
}

/// SPEC 2.11, 2.13, 3.4: the copy goes on being used, for ever.
#[test]
fn spec_2_11_copy_while_unreachable() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        for act in outages() {
            let mut outcome = first(&crawler, &[plain(200)], NOW);
            let fresh_until = outcome.fresh_until();
            for later in [8 * DAY, 20 * DAY, 38 * DAY, 39 * DAY, 4000 * DAY] {
                let now = NOW + later;
                outcome = again(&crawler, &outcome, std::slice::from_ref(&act), now);
                let (kind, _, open, private) = seen(&outcome, now);
                assert_eq!((kind, open, private), RULES, "{dialect:?} {act:?} {later}");
                assert!(outcome.stale() && outcome.retry_at() > now);
                assert_eq!(
                    (outcome.fetched_at(), outcome.fresh_until()),
                    (NOW, fresh_until)
                );
                assert_eq!(outcome.unreachable_since(), Some(NOW + 8 * DAY));
                assert_eq!(outcome.final_url(), ROBOTS);
            }
            let back = again(&crawler, &outcome, &[plain(200)], NOW + 4001 * DAY);
            assert_eq!((back.stale(), back.unreachable_since()), (false, None));
        }
    }
}

/// SPEC 2.11: that there was no file is no copy of one.
#[test]
fn spec_2_11_missing_is_no_copy() {
    let missing = first(&standard(), &[plain(404)], NOW);
    let outcome = again(&standard(), &missing, &[plain(500)], NOW + HOUR);
    assert_eq!(
        seen(&outcome, NOW + HOUR),
        (OutcomeKind::DisallowAll, Cause::ServerError, false, false)
    );
}

/// SPEC 2.12
#[test]
fn spec_2_12_thirty_days() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        for act in outages() {
            let script = std::slice::from_ref(&act);
            let down = first(&crawler, script, NOW);
            assert_eq!(down.unreachable_since(), Some(NOW));
            let now = NOW + 30 * DAY;
            let still = again(&crawler, &down, script, now);
            assert!(!seen(&still, now).2, "30 days are not more than 30 days");
            let now = now + 1;
            let long = again(&crawler, &still, script, now);
            assert_eq!(
                seen(&long, now),
                (OutcomeKind::AllowAll, Cause::UnreachableLong, true, true)
            );
            let longer = again(&crawler, &long, script, now + 300 * DAY);
            assert_eq!(
                (longer.kind(), longer.unreachable_since()),
                (OutcomeKind::AllowAll, Some(NOW))
            );
            // One answer, and the days are counted anew.
            let answered = again(&crawler, &longer, &[plain(404)], now + 301 * DAY);
            let down = again(&crawler, &answered, script, now + 302 * DAY);
            assert_eq!(down.unreachable_since(), Some(now + 302 * DAY));
            assert!(!seen(&down, now + 302 * DAY).2);
        }
    }
    let hasty = standard()
        .with_fetch_option(FetchOption::UnreachableLife, HOUR)
        .unwrap();
    let down = first(&hasty, &[plain(500)], NOW);
    assert_eq!(
        again(&hasty, &down, &[plain(500)], NOW + HOUR + 1).kind(),
        OutcomeKind::AllowAll
    );
}

// --- SPEC 3 ------------------------------------------------------------------------------------------------

fn with(headers: &[(&'static str, &'static str)]) -> [Act<'static>; 1] {
    [Respond(200, headers.to_vec(), BODY.as_bytes())]
}

/// SPEC 3.1, 3.2, 3.3: the life in each dialect. What headers say is tested where they are read.
#[test]
fn spec_3_1_lives() {
    const CC: &str = "Cache-Control";
    const DATE: (&str, &str) = ("Date", "Fri, 15 Jan 2027 08:00:00 GMT");
    type Row<'a> = (&'a [(&'static str, &'static str)], [u64; 3]);
    let rows: &[Row] = &[
        (&[], [DAY, DAY, 7 * DAY]),
        (&[(CC, "max-age=7200")], [2 * HOUR; 3]),
        (&[(CC, "max-age=172800")], [DAY, 2 * DAY, 2 * DAY]),
        (
            &[(CC, "max-age=99999999999999999999")],
            [DAY, 30 * DAY, 30 * DAY],
        ),
        (&[(CC, "max-age=1")], [5 * MINUTE; 3]),
        (&[(CC, "no-store")], [5 * MINUTE; 3]),
        (&[(CC, "no-cache"), (CC, "max-age=7200")], [5 * MINUTE; 3]),
        (&[(CC, "s-maxage=7200")], [DAY, DAY, 7 * DAY]),
        (&[(CC, "max-age=7200"), ("Age", "3600")], [HOUR; 3]),
        (
            &[("Expires", "Fri, 15 Jan 2027 10:00:00 GMT"), DATE],
            [2 * HOUR; 3],
        ),
        (
            &[
                ("Expires", "Fri, 15 Jan 2027 10:00:00 GMT"),
                DATE,
                (CC, "max-age=3600"),
            ],
            [HOUR; 3],
        ),
        (&[("Expires", "0"), DATE], [5 * MINUTE; 3]),
        (&[("Expires", "-1")], [5 * MINUTE; 3]),
        (
            &[("Expires", "Sat, 15 Jan 2028 08:00:00 GMT"), DATE],
            [DAY, 30 * DAY, 30 * DAY],
        ),
    ];
    for (headers, lives) in rows {
        for (dialect, life) in Dialect::ALL.into_iter().zip(lives) {
            let outcome = first(&crawler(dialect), &with(headers), NOW);
            let until = NOW + life;
            assert_eq!(
                (outcome.fetched_at(), outcome.fresh_until()),
                (NOW, until),
                "{dialect:?} {headers:?}"
            );
            assert_eq!(
                (outcome.retry_at(), outcome.usable_until()),
                (until, until + DAY)
            );
            // SPEC 3.4: it serves while it is fetched again, and no longer.
            let verdict = |now| outcome.check(0, "https://example.com/open", now);
            assert!(verdict(until - 1).allowed() && verdict(until + DAY - 1).allowed());
            assert!(
                !verdict(until + DAY).allowed() && verdict(until + DAY).reason() == Reason::Defer
            );
        }
    }
    let clamp = |option, value| standard().with_fetch_option(option, value).unwrap();
    let life =
        |crawler: &Crawler, headers: &[_]| first(crawler, &with(headers), NOW).fresh_until() - NOW;
    assert_eq!(
        life(
            &clamp(FetchOption::MaxLife, 3 * DAY),
            &[(CC, "max-age=172800")]
        ),
        2 * DAY
    );
    assert_eq!(
        life(&clamp(FetchOption::MinLife, HOUR), &[(CC, "no-store")]),
        HOUR
    );
    assert_eq!(life(&clamp(FetchOption::DefaultLife, HOUR), &[]), HOUR);
    // The upper bound is the stronger.
    assert_eq!(life(&clamp(FetchOption::MinLife, 9 * DAY), &[]), DAY);
}

/// SPEC 3.1: results that are none live their own, shorter time, and never beyond it.
#[test]
fn spec_3_1_negative_lives() {
    for (act, life) in [
        (plain(404), 6 * HOUR),
        (
            Respond(404, vec![("Cache-Control", "max-age=600")], b""),
            10 * MINUTE,
        ),
        (
            Respond(404, vec![("Cache-Control", "max-age=31536000")], b""),
            6 * HOUR,
        ),
        (plain(403), 6 * HOUR),
        (to(ROBOTS), 6 * HOUR),
        (plain(500), 10 * MINUTE),
        (
            Respond(500, vec![("Cache-Control", "max-age=31536000")], b""),
            10 * MINUTE,
        ),
        (Fail(Failure::Dns), 10 * MINUTE),
    ] {
        let outcome = first(&standard(), std::slice::from_ref(&act), NOW);
        let until = NOW + life;
        assert_eq!(outcome.fresh_until(), until, "{act:?}");
        assert_eq!((outcome.retry_at(), outcome.usable_until()), (until, until));
        let late = outcome.check(0, "https://example.com/open", until);
        assert_eq!((late.allowed(), late.reason()), (false, Reason::Defer));
    }
}

/// SPEC 2.8: keep retrying; the longer it fails the less often, but every day.
#[test]
fn retries() {
    let crawler = standard();
    let mut outcome = first(&crawler, &[plain(500)], NOW);
    let mut tries = 1;
    while outcome.kind() == OutcomeKind::DisallowAll {
        let now = outcome.retry_at();
        outcome = again(&crawler, &outcome, &[plain(500)], now);
        assert!((10 * MINUTE..=DAY).contains(&(outcome.retry_at() - now)));
        tries += 1;
    }
    assert_eq!(outcome.cause(), Cause::UnreachableLong);
    assert!((35..45).contains(&tries), "{tries}");
}

/// SPEC 3.5
#[test]
fn spec_3_5_not_modified() {
    const ETAG: (&str, &str) = ("ETag", "W/\"abc\"");
    const MODIFIED: (&str, &str) = ("Last-Modified", "Fri, 01 Jan 2027 00:00:00 GMT");
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let life = crawler.fetch_option(FetchOption::DefaultLife);
        let found = first(&crawler, &with(&[ETAG, MODIFIED]), NOW);
        assert_eq!(found.etag(), Some(ETAG.1.as_bytes()));
        let now = NOW + 9 * DAY;
        let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, now).unwrap();
        assert_eq!(fetch.request_headers().count(), 0);
        fetch.after(&found).unwrap();
        let sent: Vec<_> = fetch.request_headers().collect();
        assert_eq!(
            sent,
            [
                ("If-None-Match", ETAG.1.as_bytes()),
                ("If-Modified-Since", MODIFIED.1.as_bytes())
            ]
        );
        let renewed = run(
            &mut fetch,
            &[Respond(304, vec![("ETag", "\"new\"")], b"")],
            now,
        );
        assert_eq!(
            seen(&renewed, now),
            (OutcomeKind::Rules, Cause::NotModified, true, false)
        );
        assert_eq!(
            (renewed.fetched_at(), renewed.fresh_until()),
            (now, now + life)
        );
        assert_eq!((renewed.stale(), renewed.http_status()), (false, 304));
        assert_eq!(
            renewed.rules(0).unwrap().image(),
            found.rules(0).unwrap().image()
        );
        assert_eq!(
            (renewed.etag(), renewed.last_modified()),
            (Some(&b"\"new\""[..]), found.last_modified())
        );
        // After an outage too.
        let down = again(&crawler, &renewed, &[plain(503)], now + 9 * DAY);
        let up = again(
            &crawler,
            &down,
            &[Respond(304, vec![("Cache-Control", "max-age=600")], b"")],
            now + 10 * DAY,
        );
        assert_eq!(
            (up.stale(), up.unreachable_since(), up.fresh_until()),
            (false, None, now + 10 * DAY + 600)
        );
    }
}

/// SPEC 3.5: validators go only to where they came from.
#[test]
fn spec_3_5_validators_stay_home() {
    let moved = [
        to("https://cdn.example.net/r"),
        Respond(200, vec![("ETag", "\"cdn\"")], BODY.as_bytes()),
    ];
    let found = first(&standard(), &moved, NOW);
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.after(&found).unwrap();
    assert_eq!(fetch.request_headers().count(), 0);
    fetch.status(301, NOW).unwrap();
    fetch
        .header("Location", "https://cdn.example.net/r")
        .unwrap();
    fetch.headers_end().unwrap();
    assert_eq!(
        fetch.request_headers().collect::<Vec<_>>(),
        [("If-None-Match", &b"\"cdn\""[..])]
    );
    fetch.status(304, NOW).unwrap();
    fetch.headers_end().unwrap();
    assert_eq!(
        (
            fetch.outcome().unwrap().cause(),
            fetch.outcome().unwrap().hops()
        ),
        (Cause::NotModified, 1)
    );
    // A 304 from where nothing was asked renews nothing, but the copy is still there (SPEC 2.11).
    let odd = again(&standard(), &found, &[plain(304)], NOW + DAY);
    assert_eq!(
        (odd.cause(), odd.stale(), odd.kind()),
        (Cause::OddStatus, true, OutcomeKind::Rules)
    );
}

/// SPEC 3.6
#[test]
fn spec_3_6_retry_after() {
    let asked = |status, value| Respond(status, vec![("Retry-After", value)], b"");
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        for (act, wait) in [
            (asked(429, "3600"), HOUR),
            (asked(503, "3600"), HOUR),
            (asked(503, "Fri, 15 Jan 2027 09:00:00 GMT"), HOUR),
            (asked(503, "0"), 5 * MINUTE),
            (asked(503, "99999999999999999999"), DAY),
            (asked(503, "Thu, 15 Jan 2099 09:00:00 GMT"), DAY),
            (asked(503, "tomorrow"), 10 * MINUTE),
            (asked(500, "3600"), 10 * MINUTE),
        ] {
            let outcome = first(&crawler, std::slice::from_ref(&act), NOW);
            assert_eq!(outcome.retry_at(), NOW + wait, "{act:?}");
            assert!(!seen(&outcome, NOW).2);
            let found = first(&crawler, &[plain(200)], NOW - DAY);
            let kept = again(&crawler, &found, &[act], NOW);
            assert_eq!(
                (kept.retry_at(), kept.kind()),
                (NOW + wait, OutcomeKind::Rules)
            );
        }
    }
}

/// SPEC 3.7
#[test]
fn spec_3_7_several_crawlers() {
    let body = "User-agent: one\nDisallow: /a\n\nUser-agent: two\nDisallow: /b\n";
    let crawlers = ["one", "two", "three"].map(|name| Crawler::new(name).unwrap());
    let mut fetch = Fetch::new(&crawlers, URL, NOW).unwrap();
    let outcome = run(&mut fetch, &[Respond(200, vec![], body.as_bytes())], NOW);
    let allowed = |index, path: &str| outcome.check(index, path, NOW).allowed();
    assert_eq!(
        [0, 1, 2].map(|i| (allowed(i, "/a"), allowed(i, "/b"))),
        [(false, true), (true, false), (true, true)]
    );
    assert_eq!(outcome.check(3, "/a", NOW).error(), Some(Error::Argument));
    assert!(outcome.rules(3).is_none());
    // Rules made for others are not taken.
    for others in [
        &crawlers[..2],
        &[
            crawlers[1].clone(),
            crawlers[0].clone(),
            crawlers[2].clone(),
        ][..],
    ] {
        assert_eq!(
            Fetch::new(others, URL, NOW).unwrap().after(&outcome),
            Err(Error::Argument)
        );
        let record = outcome.encode().unwrap();
        assert_eq!(
            Outcome::decode(&record, others).err(),
            Some(Error::ImageFormat)
        );
    }
    let seventeen: Vec<Crawler> = (0..17).map(|_| standard()).collect();
    assert_eq!(
        Fetch::new(&seventeen, URL, NOW).err(),
        Some(Error::Argument)
    );
    assert_eq!(Fetch::new(&[], URL, NOW).err(), Some(Error::Argument));
    // The largest limit counts for reading, each crawler's own for what it obeys.
    let large = standard().with_max_bytes(600_000).unwrap();
    let mut body = b"User-agent: *\n".to_vec();
    body.resize(550_000, b'\n');
    body.extend_from_slice(b"Disallow: /\n");
    let outcome = Outcome::of_status(&[standard(), large], URL, 200, &body, NOW).unwrap();
    assert!(outcome.check(0, "/x", NOW).allowed() && !outcome.check(1, "/x", NOW).allowed());
}

// --- misuse, records, set-up ---------------------------------------------------------------------------------

/// An event out of turn is an error and changes nothing.
#[test]
fn order() {
    let found = first(&standard(), &[plain(200)], NOW);
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    assert_eq!(fetch.header("Location", "/x"), Err(Error::Order));
    assert_eq!(fetch.headers_end(), Err(Error::Order));
    assert_eq!(fetch.body("User-agent: *"), Err(Error::Order));
    assert_eq!(fetch.end(), Err(Error::Order));
    assert_eq!(fetch.status(200, NOW), Ok(Step::Headers));
    assert_eq!(fetch.after(&found), Err(Error::Order));
    assert_eq!(fetch.status(404, NOW), Err(Error::Order));
    assert_eq!(fetch.body("x"), Err(Error::Order));
    assert_eq!(fetch.end(), Err(Error::Order));
    assert_eq!(fetch.headers_end(), Ok(Step::Body));
    assert_eq!(fetch.header("Cache-Control", "no-store"), Err(Error::Order));
    assert_eq!(fetch.headers_end(), Err(Error::Order));
    assert_eq!(fetch.body(BODY), Ok(Step::Body));
    assert!(fetch.outcome().is_none());
    assert_eq!(fetch.end(), Ok(Step::Done));
    for _ in 0..2 {
        assert_eq!(fetch.status(404, NOW), Err(Error::Order));
        assert_eq!(fetch.body("x"), Err(Error::Order));
        assert_eq!(fetch.end(), Err(Error::Order));
        assert_eq!(fetch.fail(Failure::Reset, NOW), Err(Error::Order));
        assert_eq!(fetch.set(FetchOption::MinLife, 1), Err(Error::Order));
    }
    let outcome = fetch.outcome().unwrap();
    assert_eq!(
        seen(outcome, NOW),
        (OutcomeKind::Rules, Cause::Found, true, false)
    );
    assert_eq!(outcome.fresh_until(), NOW + DAY);

    let other =
        Outcome::of_status(&[standard()], "https://other.example/", 200, BODY, NOW).unwrap();
    assert_eq!(
        Fetch::new(&[standard()], URL, NOW).unwrap().after(&other),
        Err(Error::Argument)
    );
}

/// Clocks that jump do no harm: no overflow, no life in the past, no outage that is made up.
#[test]
fn clocks() {
    for now in [0, 1, NOW, u64::MAX - 1, u64::MAX] {
        for act in [plain(200), plain(404), plain(503), Fail(Failure::Reset)] {
            let outcome = first(&standard(), std::slice::from_ref(&act), now);
            assert!(
                outcome.fresh_until() >= now
                    && outcome.retry_at() >= now
                    && outcome.usable_until() >= now
            );
            for later in [0, NOW, u64::MAX] {
                let next = again(&standard(), &outcome, &[plain(500)], later);
                assert!(next.retry_at() >= later);
                assert!(next.unreachable_since().unwrap() <= later);
            }
        }
    }
    // Earlier than told before counts as that.
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(200, 5).unwrap();
    fetch.headers_end().unwrap();
    fetch.end().unwrap();
    assert_eq!(fetch.outcome().unwrap().fetched_at(), NOW);
}

/// Every outcome survives being stored; no damaged record does.
#[test]
fn records() {
    let crawlers = [standard()];
    let found = first(
        &standard(),
        &with(&[("ETag", "\"x\""), ("Last-Modified", "then")]),
        NOW,
    );
    let kept = again(&standard(), &found, &[plain(500)], NOW + 9 * DAY);
    let down = first(&crawler(Dialect::Rfc9309), &[Fail(Failure::Dns)], NOW);
    let moved = first(&standard(), &[to("http://a.example/"), plain(404)], NOW);
    for outcome in [&found, &kept, &down, &moved] {
        let record = outcome.encode().unwrap();
        let read = Outcome::decode(&record, &crawlers).unwrap();
        assert_eq!(format!("{read:?}"), format!("{outcome:?}"));
        assert_eq!(read.encode().unwrap(), record);
        assert_eq!(seen(&read, NOW), seen(outcome, NOW));
        assert_eq!(
            (
                read.etag(),
                read.last_modified(),
                read.hops(),
                read.downgraded(),
                read.unreachable_since()
            ),
            (
                outcome.etag(),
                outcome.last_modified(),
                outcome.hops(),
                outcome.downgraded(),
                outcome.unreachable_since()
            ),
        );
        assert!(outcome.size() >= record.len() / 2);
        for len in 0..record.len() {
            assert!(
                Outcome::decode(&record[..len], &crawlers).is_err(),
                "cut to {len}"
            );
        }
        for at in 0..record.len() {
            for bit in 0..8 {
                let mut damaged = record.clone();
                damaged[at] ^= 1 << bit;
                assert!(
                    Outcome::decode(&damaged, &crawlers).is_err(),
                    "bit {bit} of octet {at}"
                );
            }
        }
        assert!(Outcome::decode(&[&record[..], b"\0"].concat(), &crawlers).is_err());
    }
    for other in [
        crawler(Dialect::Google),
        standard().with_ignore_star(true),
        Crawler::new("Other").unwrap(),
    ] {
        assert_eq!(
            Outcome::decode(&found.encode().unwrap(), &[other]).err(),
            Some(Error::ImageFormat)
        );
    }
    // What is done about failures is no matter of the rules.
    let patient = standard()
        .with_fetch_option(FetchOption::FailureLife, 5)
        .unwrap();
    assert!(Outcome::decode(&found.encode().unwrap(), &[patient]).is_ok());
}

/// Each option takes its range and nothing else; what is not set is the dialect's.
#[test]
fn options() {
    use FetchOption::*;
    for (option, number, least, most, defaults) in [
        (MaxRedirects, 16, 0, 20, [5, 5, 5]),
        (OnForbidden, 17, 1, 3, [1, 1, 2]),
        (OnTooManyRequests, 18, 1, 3, [2, 2, 3]),
        (OnServerError, 19, 1, 3, [2, 2, 3]),
        (OnUnreachable, 20, 1, 3, [2, 2, 3]),
        (ServerErrorIsMissing, 21, 0, 1, [0, 0, 0]),
        (DefaultLife, 22, 1, 3650 * DAY, [DAY, DAY, 7 * DAY]),
        (MinLife, 23, 0, 3650 * DAY, [300; 3]),
        (MaxLife, 24, 1, 3650 * DAY, [DAY, 30 * DAY, 30 * DAY]),
        (FailureLife, 25, 1, 3650 * DAY, [600; 3]),
        (MaxRetryAfter, 26, 0, 3650 * DAY, [DAY; 3]),
        (UnreachableLife, 27, 0, 3650 * DAY, [30 * DAY; 3]),
        (MissingKeepsCopy, 28, 0, 1, [0; 3]),
        (MissingLife, 29, 1, 3650 * DAY, [6 * HOUR; 3]),
    ] {
        assert_eq!(FetchOption::from_code(number), Some(option));
        for (dialect, default) in Dialect::ALL.into_iter().zip(defaults) {
            assert_eq!(crawler(dialect).fetch_option(option), default, "{option:?}");
        }
        for value in [least, most] {
            let set = standard().with_fetch_option(option, value).unwrap();
            assert_eq!(
                set.with_dialect(Dialect::Koster1996)
                    .unwrap()
                    .fetch_option(option),
                value
            );
        }
        for value in [least.wrapping_sub(1), most + 1, 1 << 32, u64::MAX] {
            assert_eq!(
                standard().with_fetch_option(option, value).err(),
                Some(Error::Argument),
                "{option:?} {value}"
            );
        }
    }
    assert_eq!(FetchOption::all().count(), 14);
    assert_eq!(
        (FetchOption::from_code(15), FetchOption::from_code(30)),
        (None, None)
    );
}

/// SPEC 7.1, 7.5 for the crawlers that everyone knows.
#[test]
fn presets() {
    for name in Crawler::presets() {
        let crawler = Crawler::preset(name.to_ascii_lowercase()).unwrap();
        assert_eq!(crawler.tokens().next(), Some(name.as_bytes()));
        assert!(
            !crawler
                .parse(format!("user-agent: {name}\ndisallow: /"))
                .is_allowed("/x")
        );
        let ignores = [
            "AdsBot-Google",
            "AdsBot-Google-Mobile",
            "Mediapartners-Google",
        ]
        .contains(&name);
        assert_eq!(
            crawler.parse("user-agent: *\ndisallow: /").is_allowed("/x"),
            ignores,
            "{name}"
        );
        let falls_back = [
            "Googlebot",
            "Googlebot-Image",
            "Googlebot-News",
            "Googlebot-Video",
            "Google-InspectionTool",
            "Applebot",
        ];
        let obeys = !crawler
            .parse("user-agent: googlebot\ndisallow: /")
            .is_allowed("/x");
        assert_eq!(obeys, falls_back.contains(&name), "{name}");
    }
    for name in ["", "*", "Google", "Googlebot-", "ExampleBot", "Mozilla/5.0"] {
        assert_eq!(Crawler::preset(name).err(), Some(Error::Token));
    }
}
