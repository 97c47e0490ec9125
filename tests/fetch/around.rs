//! Misuse, clocks, records, options, presets.

use super::server::*;
use robots::{
    Cause, Crawler, Dialect, Error, Failure, Fetch, FetchOption, Outcome, OutcomeKind, Preset, Step,
};

/// An event out of turn is an error and changes nothing.
#[test]
fn order() {
    let found = first(&standard(), &[plain(200)], NOW);
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    assert_eq!(fetch.header("Location", "/x"), Err(Error::InvalidState));
    assert_eq!(fetch.headers_end(), Err(Error::InvalidState));
    assert_eq!(fetch.body("User-agent: *"), Err(Error::InvalidState));
    assert_eq!(fetch.end(), Err(Error::InvalidState));
    assert_eq!(fetch.status(200, NOW), Ok(Step::Headers));
    assert_eq!(fetch.set_previous(&found), Err(Error::InvalidState));
    assert_eq!(fetch.status(404, NOW), Err(Error::InvalidState));
    assert_eq!(fetch.body("x"), Err(Error::InvalidState));
    assert_eq!(fetch.end(), Err(Error::InvalidState));
    assert_eq!(fetch.headers_end(), Ok(Step::Body));
    assert_eq!(
        fetch.header("Cache-Control", "no-store"),
        Err(Error::InvalidState)
    );
    assert_eq!(fetch.headers_end(), Err(Error::InvalidState));
    assert_eq!(fetch.body(BODY), Ok(Step::Body));
    assert!(fetch.outcome().is_none());
    assert_eq!(fetch.end(), Ok(Step::Done));
    for _ in 0..2 {
        assert_eq!(fetch.status(404, NOW), Err(Error::InvalidState));
        assert_eq!(fetch.body("x"), Err(Error::InvalidState));
        assert_eq!(fetch.end(), Err(Error::InvalidState));
        assert_eq!(fetch.fail(Failure::Reset, NOW), Err(Error::InvalidState));
        assert_eq!(fetch.set(FetchOption::MinTTL, 1), Err(Error::InvalidState));
    }
    let outcome = fetch.outcome().unwrap();
    assert_eq!(
        seen(outcome, NOW),
        (OutcomeKind::Rules, Cause::Found, true, false)
    );
    assert_eq!(outcome.fresh_until, NOW + DAY);

    // Also after a redirect, whose step is the first one again.
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.status(302, NOW).unwrap();
    fetch.header("Location", "/other").unwrap();
    assert_eq!(fetch.headers_end(), Ok(Step::Get));
    assert_eq!(fetch.set_previous(&found), Err(Error::InvalidState));
    let other =
        Outcome::from_status(&[standard()], "https://other.example/", 200, BODY, NOW).unwrap();
    assert_eq!(
        Fetch::new(&[standard()], URL, NOW)
            .unwrap()
            .set_previous(&other),
        Err(Error::Argument)
    );
}

/// The end of a transfer is reported at any step, once for each request.
#[test]
fn ends_of_transfers() {
    let start = || Fetch::new(&[standard()], URL, NOW).unwrap();
    let mut fetch = start();
    assert_eq!(fetch.transfer_ended(None, NOW), Err(Error::InvalidState));
    let lost = Some(Failure::Dns);
    assert_eq!(fetch.transfer_ended(lost, NOW), Ok(Step::Done));
    assert_eq!(fetch.outcome().unwrap().cause, Cause::Dns);
    assert_eq!(fetch.transfer_ended(lost, NOW), Err(Error::InvalidState));

    // The end of a response that has led to a redirect changes nothing. That of the next request does.
    for end in [None, lost] {
        let mut fetch = start();
        fetch.status(302, NOW).unwrap();
        fetch.header("Location", "/other").unwrap();
        assert_eq!(fetch.headers_end(), Ok(Step::Get));
        assert_eq!(fetch.transfer_ended(end, NOW), Ok(Step::Get));
        assert_eq!(fetch.transfer_ended(lost, NOW), Ok(Step::Done));
        assert_eq!(fetch.outcome().unwrap().cause, Cause::Dns);
    }

    // Headers that do not end, a body, and an outcome that needs none.
    for (status, has_headers, end, cause) in [
        (200, false, None, Cause::OtherFailure),
        (200, true, None, Cause::Found),
        (200, true, lost, Cause::Dns),
        (404, true, lost, Cause::Missing),
    ] {
        let mut fetch = start();
        fetch.status(status, NOW).unwrap();
        if has_headers {
            fetch.headers_end().unwrap();
        }
        assert_eq!(fetch.transfer_ended(end, NOW), Ok(Step::Done));
        assert_eq!(fetch.outcome().unwrap().cause, cause, "{status} {end:?}");
        assert_eq!(fetch.transfer_ended(end, NOW), Err(Error::InvalidState));
    }
}

/// Past the last crawler there are no rules and nothing is allowed, also where one word is for the whole site.
#[test]
fn past_the_last_crawler() {
    let crawlers = [standard(), standard().with_ignore_star(true)];
    for (served, status) in [(1, 200), (1, 404), (1, 503), (2, 200), (2, 404), (2, 503)] {
        let crawlers = &crawlers[..served];
        let made = Outcome::from_status(crawlers, URL, status, BODY, NOW).unwrap();
        let read = Outcome::decode(&made.encode().unwrap(), crawlers).unwrap();
        for outcome in [made, read] {
            for place in 0..served {
                assert!(outcome.rules(place).is_some());
                assert_eq!(outcome.check(place, URL, NOW).error(), None);
            }
            for place in [served, 16, usize::MAX] {
                let verdict = outcome.check(place, URL, NOW);
                assert!(outcome.rules(place).is_none() && !verdict.allowed());
                assert_eq!(verdict.error(), Some(Error::Argument), "{status}");
            }
        }
    }
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
        let now = outcome.attempted_at;
        assert_eq!(seen(&read, now), seen(outcome, now));
        assert_eq!(
            (
                read.etag.as_deref(),
                read.last_modified.as_deref(),
                read.hops,
                read.downgraded,
                read.unreachable_since
            ),
            (
                outcome.etag.as_deref(),
                outcome.last_modified.as_deref(),
                outcome.hops,
                outcome.downgraded,
                outcome.unreachable_since
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
                    "bit {bit} of byte {at}"
                );
            }
        }
        assert!(Outcome::decode(&[&record[..], b"\0"].concat(), &crawlers).is_err());
    }
    for other in [crawler(Dialect::Google), Crawler::new("Other").unwrap()] {
        assert_eq!(
            Outcome::decode(&found.encode().unwrap(), &[other]).err(),
            Some(Error::ImageFormat)
        );
    }
    // All that changes rules counts, in every combination.
    let switched = |switches: usize| {
        let crawler = standard()
            .with_max_bytes(512_000 + switches / 8)
            .unwrap()
            .with_ignore_star(switches & 1 != 0)
            .with_merge_tokens(switches & 2 != 0)
            .with_crawl_delay_ends_agents(switches & 4 != 0);
        [crawler]
    };
    for one in 0..16 {
        let outcome = Outcome::from_status(&switched(one), URL, 404, "", NOW).unwrap();
        for other in 0..16 {
            let read = Outcome::decode(&outcome.encode().unwrap(), &switched(other));
            assert_eq!(read.is_ok(), one == other, "{one} {other}");
        }
    }
    // The case of a token does not matter (SPEC 7.2).
    for name in ["examplebot", "EXAMPLEBOT"] {
        let same = [Crawler::new(name).unwrap()];
        let read = Outcome::decode(&found.encode().unwrap(), &same).unwrap();
        assert_eq!(seen(&read, NOW), seen(&found, NOW));
        let mut fetch = Fetch::new(&same, URL, NOW).unwrap();
        assert_eq!(fetch.set_previous(&found), Ok(()));
    }
    // What is done about failures is no matter of the rules.
    let patient = standard()
        .with_fetch_option(FetchOption::FailureTTL, 5)
        .unwrap();
    assert!(Outcome::decode(&found.encode().unwrap(), &[patient]).is_ok());
}

/// The size counts each image, and each byte of the texts.
#[test]
fn sizes() {
    let outcome = |count: usize, url: &str| {
        let crawlers = vec![standard(); count];
        Outcome::from_status(&crawlers, url, 200, BODY, NOW).unwrap()
    };
    let (one, two) = (
        outcome(1, "https://a.example"),
        outcome(2, "https://a.example"),
    );
    let image = one.rules(0).unwrap().image().len();
    let share = two.size() - one.size();
    assert!((image + 16..image + 64).contains(&share), "{share}");
    // The origin and the final URL.
    let longer = outcome(1, "https://aaaaaaaaaaa.example");
    assert_eq!(longer.size() - one.size(), 2 * 10);
    let [plain, dated, tagged] = [
        vec![],
        vec![("Last-Modified", "then")],
        vec![("ETag", "\"x\"")],
    ]
    .map(|headers| first(&standard(), &with(&headers), NOW).size());
    assert_eq!((dated - plain, tagged - plain), (4, 3));
}

/// Each option takes its range and nothing else; what is not set is the dialect's.
#[test]
fn options() {
    use FetchOption::*;
    const TABLE: &str =
        "differs from TABLE of src/crawler/options.rs: make this list and that table agree";
    #[rustfmt::skip]
    let list = [
        (MaxRedirects, 16, 0, 20, [5, 5, 20]),
        (OnForbidden, 17, 1, 4, [1, 1, 2]),
        (OnTooManyRequests, 18, 1, 4, [4, 4, 3]),
        (OnServerError, 19, 1, 4, [4, 4, 3]),
        (OnUnreachable, 20, 1, 4, [4, 4, 3]),
        (ServerErrorIsMissing, 21, 0, 1, [0, 0, 0]),
        (DefaultTTL, 22, 1, 3650 * DAY, [DAY, DAY, 7 * DAY]),
        (MinTTL, 23, 0, 3650 * DAY, [300; 3]),
        (MaxTTL, 24, 1, 3650 * DAY, [DAY, 30 * DAY, 30 * DAY]),
        (FailureTTL, 25, 1, 3650 * DAY, [600; 3]),
        (MaxRetryAfter, 26, 0, 3650 * DAY, [DAY; 3]),
        (UnreachableTTL, 27, 0, 3650 * DAY, [30 * DAY, 30 * DAY, u32::MAX.into()]),
        (MissingKeepsCopy, 28, 0, 1, [0; 3]),
        (MissingTTL, 29, 1, 3650 * DAY, [6 * HOUR; 3]),
        (OnBadRedirect, 30, 1, 4, [1; 3]),
        (NonGlobalRedirects, 31, 0, 1, [0; 3]),
        (UnreachableOverridesCopy, 32, 0, 1, [0; 3]),
        (OnHtml, 33, 1, 4, [0; 3]),
    ];
    let listed: Vec<FetchOption> = list.iter().map(|row| row.0).collect();
    let all: Vec<FetchOption> = FetchOption::all().collect();
    assert_eq!(listed, all, "the list of options {TABLE}");
    for (option, number, least, most, defaults) in list {
        assert_eq!(
            FetchOption::from_code(number),
            Some(option),
            "the number of {option:?} {TABLE}"
        );
        for (dialect, default) in Dialect::ALL.into_iter().zip(defaults) {
            assert_eq!(
                crawler(dialect).fetch_option(option),
                default,
                "the default of {option:?} in {dialect:?} {TABLE}"
            );
        }
        for value in [least, most] {
            let set = standard().with_fetch_option(option, value);
            let set = set
                .unwrap_or_else(|_| panic!("{value} for {option:?} is refused: its range {TABLE}"));
            assert_eq!(
                set.with_dialect(Dialect::Koster1996)
                    .unwrap()
                    .fetch_option(option),
                value,
                "{option:?}: another dialect must not change an option that is set"
            );
        }
        for value in [least.wrapping_sub(1), most + 1, 1 << 32, u64::MAX] {
            assert_eq!(
                standard().with_fetch_option(option, value).err(),
                Some(Error::Argument),
                "{value} for {option:?} is taken: its range {TABLE}"
            );
        }
    }
    let numbers = list.map(|row| row.1);
    for number in [numbers[0] - 1, numbers[numbers.len() - 1] + 1] {
        assert_eq!(FetchOption::from_code(number), None, "{number}");
    }
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
            "AdsBot-Google-Mobile-Apps",
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
    for preset in Preset::all() {
        let name = preset.name();
        assert_eq!(Preset::find(name.to_ascii_uppercase()), Some(preset));
        let has_name = |other: &&str| other.eq_ignore_ascii_case(name);
        assert_eq!(Crawler::presets().filter(has_name).count(), 1, "{name}");
        let is_address = |address: &str| address.starts_with("https://") && !address.contains(' ');
        assert!(preset.documentation().is_none_or(is_address), "{name}");
        let crawler = preset.crawler().unwrap();
        let wanted = preset.tokens().iter().map(|token| token.as_bytes());
        assert!(crawler.tokens().eq(wanted), "{name}");
    }
    assert_eq!(Preset::all().filter(Preset::is_control_token).count(), 2);
    assert_eq!(Preset::all().filter(Preset::ignores_star).count(), 4);
    let fetchers: Vec<_> = Preset::all().filter(Preset::ignores_robots_txt).collect();
    assert!(fetchers.iter().all(Preset::may_ignore));
    assert_eq!(fetchers.len(), 9);
    for name in ["", "*", "Google", "Googlebot-", "ExampleBot", "Mozilla/5.0"] {
        assert_eq!(Crawler::preset(name).err(), Some(Error::Token));
    }
}
