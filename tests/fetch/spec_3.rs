//! SPEC 3: the lifetime of a result.

use super::server::*;
use robots::{
    Cause, Crawler, Dialect, Error, Failure, Fetch, FetchOption, Outcome, OutcomeKind, Reason,
};

/// SPEC 3.1, 3.2, 3.3: the lifetime in each dialect. What headers say is tested where they are read.
#[test]
pub(crate) fn spec_3_1_ttls() {
    const CC: &str = "Cache-Control";
    const DATE: (&str, &str) = ("Date", "Fri, 15 Jan 2027 08:00:00 GMT");
    type Row<'a> = (&'a [(&'static str, &'static str)], [u64; 3]);
    #[rustfmt::skip]
    let rows: &[Row] = &[
        (&[], [DAY, DAY, 7 * DAY]),
        (&[(CC, "max-age=7200")], [2 * HOUR; 3]),
        (&[(CC, "max-age=172800")], [DAY, 2 * DAY, 2 * DAY]),
        (&[(CC, "max-age=99999999999999999999")], [DAY, 30 * DAY, 30 * DAY]),
        (&[(CC, "max-age=1")], [5 * MINUTE; 3]),
        (&[(CC, "no-store")], [5 * MINUTE; 3]),
        (&[(CC, "no-cache"), (CC, "max-age=7200")], [5 * MINUTE; 3]),
        (&[(CC, "s-maxage=7200")], [DAY, DAY, 7 * DAY]),
        (&[(CC, "max-age=7200"), ("Age", "3600")], [HOUR; 3]),
        (&[("Expires", "Fri, 15 Jan 2027 10:00:00 GMT"), DATE], [2 * HOUR; 3]),
        (&[("Expires", "Fri, 15 Jan 2027 10:00:00 GMT"), DATE, (CC, "max-age=3600")], [HOUR; 3]),
        (&[("Expires", "0"), DATE], [5 * MINUTE; 3]),
        (&[("Expires", "-1")], [5 * MINUTE; 3]),
        (&[("Expires", "Sat, 15 Jan 2028 08:00:00 GMT"), DATE], [DAY, 30 * DAY, 30 * DAY]),
    ];
    for (headers, ttls) in rows {
        for (dialect, ttl) in Dialect::ALL.into_iter().zip(ttls) {
            let outcome = first(&crawler(dialect), &with(headers), NOW);
            let until = NOW + ttl;
            assert_eq!(
                (outcome.fetched_at, outcome.fresh_until),
                (NOW, until),
                "{dialect:?} {headers:?}"
            );
            // SPEC 3.8: it decides during a refresh, but not later than a day after its fetch.
            let longest = match dialect {
                Dialect::Koster1996 => 7 * DAY,
                _ => DAY,
            };
            let end = until.max(NOW + longest);
            assert_eq!((outcome.retry_at, outcome.usable_until), (until, end));
            let verdict = |now| outcome.check(0, "https://example.com/open", now);
            assert!(verdict(until - 1).allowed() && verdict(end - 1).allowed());
            assert!(!verdict(end).allowed() && verdict(end).reason() == Reason::Defer);
        }
    }
    let clamp = |option, value| standard().with_fetch_option(option, value).unwrap();
    let ttl =
        |crawler: &Crawler, headers: &[_]| first(crawler, &with(headers), NOW).fresh_until - NOW;
    assert_eq!(
        ttl(
            &clamp(FetchOption::MaxTTL, 3 * DAY),
            &[(CC, "max-age=172800")]
        ),
        2 * DAY
    );
    assert_eq!(
        ttl(&clamp(FetchOption::MinTTL, HOUR), &[(CC, "no-store")]),
        HOUR
    );
    assert_eq!(ttl(&clamp(FetchOption::DefaultTTL, HOUR), &[]), HOUR);
    // The upper bound is the stronger.
    assert_eq!(ttl(&clamp(FetchOption::MinTTL, 9 * DAY), &[]), DAY);
}

/// SPEC 3.1: results that are none live their own, shorter time, and never beyond it.
#[test]
pub(crate) fn spec_3_1_negative_ttls() {
    #[rustfmt::skip]
    let rows = [
        (plain(404), 6 * HOUR),
        (Respond(404, vec![("Cache-Control", "max-age=600")], b""), 10 * MINUTE),
        (Respond(404, vec![("Cache-Control", "max-age=31536000")], b""), 6 * HOUR),
        (plain(403), 6 * HOUR),
        (to("mailto:x"), 6 * HOUR),
        (plain(500), 10 * MINUTE),
        (Respond(500, vec![("Cache-Control", "max-age=31536000")], b""), 10 * MINUTE),
        (Fail(Failure::Dns), 10 * MINUTE),
    ];
    for (act, ttl) in rows {
        let outcome = first(&standard(), std::slice::from_ref(&act), NOW);
        let until = NOW + ttl;
        assert_eq!(outcome.fresh_until, until, "{act:?}");
        assert_eq!((outcome.retry_at, outcome.usable_until), (until, until));
        let late = outcome.check(0, "https://example.com/open", until);
        assert_eq!((late.allowed(), late.reason()), (false, Reason::Defer));
    }
}

/// SPEC 3.2, 3.6: bounds of lifetimes are none of waits.
#[test]
pub(crate) fn spec_3_2_min_ttl_bounds_neither_a_missing_file_nor_a_wait() {
    let set = |crawler: Crawler, (option, value)| crawler.with_fetch_option(option, value).unwrap();
    let crawler = [
        (FetchOption::MinTTL, 10 * HOUR),
        (FetchOption::FailureTTL, MINUTE),
    ]
    .into_iter()
    .fold(standard(), set);
    let wait = |status, value| {
        let act = Respond(status, vec![("Retry-After", value)], b"");
        first(&crawler, &[act], NOW).retry_at - NOW
    };
    assert_eq!(wait(404, ""), 6 * HOUR);
    assert_eq!((wait(503, ""), wait(503, "90")), (MINUTE, 90));
}

/// SPEC 2.8: keep retrying; the longer it fails the less often, but every day.
#[test]
fn retries() {
    let crawler = standard();
    let mut outcome = first(&crawler, &[plain(500)], NOW);
    let mut tries = 1;
    while outcome.kind == OutcomeKind::Unreachable {
        let now = outcome.retry_at;
        outcome = again(&crawler, &outcome, &[plain(500)], now);
        assert!((10 * MINUTE..=DAY).contains(&(outcome.retry_at - now)));
        tries += 1;
    }
    assert_eq!(outcome.cause, Cause::UnreachableLong);
    assert!((35..45).contains(&tries), "{tries}");
}

/// SPEC 3.5
#[test]
pub(crate) fn spec_3_5_not_modified() {
    const ETAG: (&str, &str) = ("ETag", "W/\"abc\"");
    const MODIFIED: (&str, &str) = ("Last-Modified", "Fri, 01 Jan 2027 00:00:00 GMT");
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let ttl = crawler.fetch_option(FetchOption::DefaultTTL);
        let found = first(&crawler, &with(&[ETAG, MODIFIED]), NOW);
        assert_eq!(found.etag.as_deref(), Some(ETAG.1.as_bytes()));
        let now = NOW + 9 * DAY;
        let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, now).unwrap();
        assert_eq!(fetch.request_headers().count(), 0);
        fetch.set_previous(&found).unwrap();
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
        assert_eq!((renewed.fetched_at, renewed.fresh_until), (now, now + ttl));
        assert_eq!((renewed.stale, renewed.http_status), (false, 304));
        assert_eq!(
            renewed.rules(0).unwrap().image(),
            found.rules(0).unwrap().image()
        );
        assert_eq!(
            (renewed.etag.as_deref(), renewed.last_modified.as_deref()),
            (Some(&b"\"new\""[..]), found.last_modified.as_deref())
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
            (up.stale, up.unreachable_since, up.fresh_until),
            (false, None, now + 10 * DAY + 600)
        );
    }
}

/// SPEC 3.5: validators go only to where they came from.
#[test]
pub(crate) fn spec_3_5_validators_stay_home() {
    let moved = [
        to("https://cdn.example.net/r"),
        Respond(200, vec![("ETag", "\"cdn\"")], BODY.as_bytes()),
    ];
    let found = first(&standard(), &moved, NOW);
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.set_previous(&found).unwrap();
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
            fetch.outcome().unwrap().cause,
            fetch.outcome().unwrap().hops
        ),
        (Cause::NotModified, 1)
    );
    // A 304 from where nothing was asked renews nothing, but the copy is still there (SPEC 2.11).
    let unasked = again(&standard(), &found, &[plain(304)], NOW + DAY);
    assert_eq!(
        (unasked.cause, unasked.stale, unasked.kind),
        (Cause::OddStatus, true, OutcomeKind::Rules)
    );
}

/// SPEC 3.6
#[test]
pub(crate) fn spec_3_6_retry_after() {
    let asked = |status, value| Respond(status, vec![("Retry-After", value)], b"");
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        for (act, wait) in [
            (asked(429, "3600"), HOUR),
            (asked(503, "3600"), HOUR),
            (asked(503, "Fri, 15 Jan 2027 09:00:00 GMT"), HOUR),
            // Not before the back-off.
            (asked(503, "0"), 10 * MINUTE),
            (asked(503, "2"), 10 * MINUTE),
            (asked(503, "99999999999999999999"), DAY),
            (asked(503, "Thu, 15 Jan 2099 09:00:00 GMT"), DAY),
            (asked(503, "tomorrow"), 10 * MINUTE),
            (asked(500, "3600"), 10 * MINUTE),
        ] {
            let outcome = first(&crawler, std::slice::from_ref(&act), NOW);
            assert_eq!(
                outcome.retry_at,
                NOW + wait,
                "{dialect:?}: SPEC 3.6 sets another wait after {act:?}: see src/site/fetch/status_policy.rs"
            );
            assert!(
                !seen(&outcome, NOW).2,
                "{dialect:?}: {act:?} opens a site in an outage"
            );
            let found = first(&crawler, &[plain(200)], NOW - HOUR);
            let kept = again(&crawler, &found, &[act], NOW);
            assert_eq!(
                (kept.retry_at, kept.kind),
                (NOW + wait, OutcomeKind::Rules),
                "{dialect:?}: a refresh keeps the copy, and waits as long as a first fetch"
            );
        }
        // However little a site may ask for, it is left alone for the shortest wait.
        for (most, wait) in [
            (0, 10 * MINUTE),
            (MINUTE, 10 * MINUTE),
            (HOUR / 2, HOUR / 2),
        ] {
            let crawler = crawler.clone();
            let clamped = crawler.with_fetch_option(FetchOption::MaxRetryAfter, most);
            let outcome = first(&clamped.unwrap(), &[asked(429, "3600")], NOW);
            assert_eq!(
                outcome.retry_at,
                NOW + wait,
                "{dialect:?}: with max_retry_after {most}"
            );
        }
    }
}

/// SPEC 3.6: a short `Retry-After`, again and again, does not beat the back-off.
#[test]
pub(crate) fn spec_3_6_a_short_retry_after_does_not_beat_the_back_off() {
    for dialect in Dialect::ALL {
        for status in [429, 503] {
            let crawler = crawler(dialect);
            let hasty = Respond(status, vec![("Retry-After", "2")], b"");
            let (script, silent) = ([hasty], [plain(status)]);
            let mut outcome = first(&crawler, &script, NOW);
            let mut expected = first(&crawler, &silent, NOW);
            for _ in 0..20 {
                assert_eq!(outcome.retry_at, expected.retry_at);
                let now = outcome.retry_at;
                outcome = again(&crawler, &outcome, &script, now);
                expected = again(&crawler, &expected, &silent, now);
            }
            assert_eq!(outcome.retry_at - outcome.attempted_at, DAY);
        }
    }
}

/// SPEC 3.7
#[test]
pub(crate) fn spec_3_7_several_crawlers() {
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
            Fetch::new(others, URL, NOW).unwrap().set_previous(&outcome),
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
    let outcome = Outcome::from_status(&[standard(), large], URL, 200, &body, NOW).unwrap();
    assert!(outcome.check(0, "/x", NOW).allowed() && !outcome.check(1, "/x", NOW).allowed());
}
