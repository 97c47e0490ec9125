//! SPEC 2.2, 2.3: redirects, and those that lead nowhere.

use super::server::*;
use robots::{Cause, Dialect, Error, Failure, Fetch, FetchOption, OutcomeKind, Step};

/// SPEC 2.2: five hops, also to other hosts and paths; the rules govern the first origin.
#[test]
pub(crate) fn spec_2_2_redirects() {
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
    assert_eq!(&*outcome.final_url, "http://other.example:8080/other");
    assert_eq!((outcome.hops, outcome.downgraded), (5, true));
    assert_eq!(outcome.origin.key(), "https://example.com");
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
    assert!(safe.downgraded, "on the way, if not at the end");
    assert!(!first(&standard(), &[to("https://a.example/"), plain(200)], NOW).downgraded);
    // What a redirect leads to counts as if it had been there at once.
    row(&[to("/x"), plain(404)], Cause::Missing, [ALLOW; 3]);
    row(
        &[to("/x"), Fail(Failure::Reset)],
        Cause::Reset,
        [UNREACHABLE, UNREACHABLE, DEFER],
    );
}

/// SPEC 2.2: how a target is read.
#[test]
pub(crate) fn spec_2_2_targets() {
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
        // SPEC 8.11: the form to send.
        ("/a b", "https://example.com/a%20b"),
        ("/%7e|?'#", "https://example.com/~%7C?%27"),
        ("/x?", "https://example.com/x"),
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
pub(crate) fn spec_2_3_bad_redirects() {
    for (dialect, (kind, open, private)) in Dialect::ALL.into_iter().zip(ENDLESS) {
        let names = too_many(dialect);
        assert_eq!(
            names.len(),
            if dialect == Dialect::Koster1996 {
                21
            } else {
                6
            }
        );
        let hops: Vec<Act> = names.iter().map(|name| to(name)).collect();
        let outcome = first(&crawler(dialect), &hops, NOW);
        let expected = (kind, Cause::TooManyRedirects, open, private);
        assert_eq!(seen(&outcome, NOW), expected, "{dialect:?}");
        let (_, enough) = hops.split_last().unwrap();
        let found = first(&crawler(dialect), &[enough, &[plain(200)]].concat(), NOW);
        assert_eq!(found.cause, Cause::Found);
    }
    row(
        &[to("/a"), to("/b"), to("/a")],
        Cause::RedirectLoop,
        ENDLESS,
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
    ] {
        row(&[to(location)], Cause::BadRedirect, [ALLOW; 3]);
    }
    // There is a target, but it is too long to follow. The longest target has 8 KiB.
    let of_len = |len: usize| format!("{ROBOTS}?{}", "a".repeat(len - ROBOTS.len() - 1));
    let longest = first(&standard(), &[to(&of_len(8192)), plain(200)], NOW);
    assert_eq!(longest.cause, Cause::Found);
    for location in [&long, &growing, &of_len(8193)] {
        row(
            &[to(location)],
            Cause::BadRedirect,
            [UNREACHABLE, UNREACHABLE, DEFER],
        );
    }
    // The number is an option.
    for most in [0, 1, 5, 6, 20] {
        let crawler = standard()
            .with_fetch_option(FetchOption::MaxRedirects, most)
            .unwrap();
        let names: Vec<String> = (0..=most).map(|n| format!("/{n}")).collect();
        let hops: Vec<Act> = names.iter().map(|name| to(name)).collect();
        assert_eq!(first(&crawler, &hops, NOW).cause, Cause::TooManyRedirects);
        let (_, enough) = hops.split_last().unwrap();
        let found = [enough, &[plain(200)]].concat();
        assert_eq!(first(&crawler, &found, NOW).cause, Cause::Found);
    }
}

/// SPEC 2.2: a redirect to the same URL counts like any other; some sites set a cookie so.
#[test]
pub(crate) fn spec_2_2_redirects_to_itself() {
    for target in [
        ROBOTS,
        "#x",
        "/robots.txt",
        "HTTPS://EXAMPLE.COM:443/robots.txt",
    ] {
        let mut script = vec![to(target), plain(200)];
        row(&script, Cause::Found, [RULES; 3]);
        assert_eq!(first(&standard(), &script, NOW).hops, 1);
        script = vec![to(target); 5];
        script.push(plain(200));
        row(&script, Cause::Found, [RULES; 3]);
        assert_eq!(first(&standard(), &script, NOW).hops, 5);
        for (dialect, (kind, _, _)) in Dialect::ALL.into_iter().zip(ENDLESS) {
            let hops = vec![to(target); too_many(dialect).len()];
            let outcome = first(&crawler(dialect), &hops, NOW);
            assert_eq!(
                (outcome.kind, outcome.cause),
                (kind, Cause::TooManyRedirects)
            );
        }
    }
    // Further on, too; but a way back is a loop.
    row(
        &[to("/a"), to("/a"), to("/b"), plain(200)],
        Cause::Found,
        [RULES; 3],
    );
    row(
        &[to("/a"), to("/a"), to(ROBOTS)],
        Cause::RedirectLoop,
        ENDLESS,
    );
    row(
        &[to(ROBOTS), to("/a"), to(ROBOTS)],
        Cause::RedirectLoop,
        ENDLESS,
    );
}

/// All redirects that lead nowhere.
fn nowhere(dialect: Dialect) -> Vec<(Vec<Act<'static>>, Cause)> {
    vec![
        (
            vec![to(ROBOTS); too_many(dialect).len()],
            Cause::TooManyRedirects,
        ),
        (vec![to("/a"), to("/b"), to("/a")], Cause::RedirectLoop),
        (vec![Respond(301, vec![], b"")], Cause::BadRedirect),
        (vec![to("mailto:a@example.com")], Cause::BadRedirect),
        (
            vec![to("http://127.0.0.1/robots.txt")],
            Cause::NonGlobalRedirect,
        ),
    ]
}

/// SPEC 2.15: with a copy, a redirect that leads nowhere is as if the site was unreachable.
#[test]
pub(crate) fn spec_2_15_bad_redirects_keep_the_copy() {
    for dialect in Dialect::ALL {
        for treatment in [None, Some(1), Some(2), Some(3), Some(4)] {
            let crawler = match treatment {
                Some(value) => crawler(dialect)
                    .with_fetch_option(FetchOption::OnBadRedirect, value)
                    .unwrap(),
                None => crawler(dialect),
            };
            for (script, cause) in nowhere(dialect) {
                let mut outcome = first(&crawler, &[plain(200)], NOW);
                for day in [1, 2, 40, 400] {
                    let now = NOW + day * DAY;
                    outcome = again(&crawler, &outcome, &script, now);
                    assert_eq!(outcome.fetched_at, NOW);
                    if dialect == Dialect::Koster1996 && day > 7 {
                        let kind = match treatment {
                            Some(2) => OutcomeKind::DisallowAll,
                            Some(4) => OutcomeKind::Unreachable,
                            _ => OutcomeKind::Defer,
                        };
                        assert_eq!(seen(&outcome, now), (kind, cause, false, false));
                        continue;
                    }
                    assert_eq!(
                        seen(&outcome, now),
                        (OutcomeKind::Rules, cause, true, false),
                        "{dialect:?} {script:?}"
                    );
                    assert!(outcome.stale && outcome.retry_at > now);
                }
            }
        }
    }
}

/// SPEC 2.3: without a copy an option decides.
#[test]
pub(crate) fn spec_2_3_bad_redirects_are_an_option() {
    for (script, cause) in nowhere(Dialect::Rfc9309) {
        assert_eq!(first(&standard(), &script, NOW).kind, OutcomeKind::AllowAll);
        for (treatment, kind) in [
            (1, OutcomeKind::AllowAll),
            (2, OutcomeKind::DisallowAll),
            (3, OutcomeKind::Defer),
            (4, OutcomeKind::Unreachable),
        ] {
            let crawler = standard()
                .with_fetch_option(FetchOption::OnBadRedirect, treatment)
                .unwrap();
            let outcome = first(&crawler, &script, NOW);
            assert_eq!((outcome.kind, outcome.cause), (kind, cause), "{script:?}");
            let koster = self::crawler(Dialect::Koster1996)
                .with_fetch_option(FetchOption::MaxRedirects, 5)
                .unwrap();
            let mut fetch = Fetch::new(&[koster], URL, NOW).unwrap();
            fetch.set(FetchOption::OnBadRedirect, treatment).unwrap();
            assert_eq!(run(&mut fetch, &script, NOW).kind, kind);
        }
    }
    // That there was no file is no copy.
    let missing = first(&standard(), &[plain(404)], NOW);
    let outcome = again(&standard(), &missing, &[to("mailto:x")], NOW + DAY);
    assert_eq!(outcome.kind, OutcomeKind::AllowAll);
}

/// Hosts that are literal addresses of no public network, and names that are never one.
#[rustfmt::skip]
const INWARD: [&str; 55] = [
    "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7F000001", "0177.0.0.1", "127.0.0.1.", "%31%32%37.0.0.1",
    "\u{ff11}27.0.0.1", "127.0.0.1:8080", "0.0.0.0", "0", "10.0.0.1", "100.64.0.1", "100.127.255.255",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.8", "192.0.2.1", "192.88.99.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "255.255.255.255", "[::]", "[::1]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]", "[64:ff9b::10.0.0.1]",
    "[2002:7f00:1::]", "[2002:c0a8:101::]", "[2001::1]", "[2001:db8::1]", "[3fff::1]", "[fc00::1]", "[fe80::1]", "[ff02::1]",
    "localhost", "a.LocalHost.", "localhost.localdomain", "localhost6.localdomain6", "ip6-localhost", "ip6-loopback", "router",
    "router.local", "metadata.google.internal", "nas.home.arpa", "b\u{e4}r", "localhost:8080",
];

#[rustfmt::skip]
const OUTWARD: [&str; 24] = [
    "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.0.0.1", "128.0.0.1", "169.253.0.1",
    "172.15.0.1", "172.32.0.1", "192.167.0.1", "192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
    "134744072", "[2606:4700::1111]", "[::ffff:8.8.8.8]", "[64:ff9b::8.8.8.8]", "[2002:808:808::1]", "localhost.example",
    "local.example", "arpa.example", "notlocal.example.",
];

/// Redirects inward are refused: a stranger's site must not aim a crawler at the crawler's own network.
#[test]
fn redirects_inward_are_refused() {
    let target = |host: &str| format!("http://{host}/robots.txt");
    for host in INWARD {
        let location = target(host);
        row(&[to(&location)], Cause::NonGlobalRedirect, [ALLOW; 3]);
        let relative = format!("//{host}/x");
        row(
            &[to("http://b.example/"), to(&relative)],
            Cause::NonGlobalRedirect,
            [ALLOW; 3],
        );
        // Where the option says so, or the first URL led inward itself.
        let trusting = standard()
            .with_fetch_option(FetchOption::NonGlobalRedirects, 1)
            .unwrap();
        let script = [to(&location), plain(200)];
        assert_eq!(first(&trusting, &script, NOW).cause, Cause::Found, "{host}");
        for inside in [
            "http://10.1.2.3/x",
            "http://[::1]:80/",
            "https://localhost/",
        ] {
            let mut fetch = Fetch::new(&[standard()], inside, NOW).unwrap();
            assert_eq!(run(&mut fetch, &script, NOW).cause, Cause::Found, "{host}");
        }
    }
    for host in OUTWARD {
        let location = target(host);
        row(&[to(&location), plain(200)], Cause::Found, [RULES; 3]);
    }
    // A public address is no pass.
    let mut fetch = Fetch::new(&[standard()], "http://1.1.1.1/", NOW).unwrap();
    let outcome = run(&mut fetch, &[to("http://10.0.0.1/")], NOW);
    assert_eq!(outcome.cause, Cause::NonGlobalRedirect);
    // Only a redirect is refused: a caller may ask for what it likes.
    for host in ["127.0.0.1", "[::1]", "localhost"] {
        let fetch = Fetch::new(&[standard()], target(host), NOW).unwrap();
        assert_eq!(fetch.url(), target(host));
    }
}
