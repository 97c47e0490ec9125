//! SPEC 2.2, 2.3: redirects, and those that lead nowhere.

use crate::server::*;
use robots::{Cause, Error, Failure, Fetch, FetchOption, Step};

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
