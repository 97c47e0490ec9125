//! SPEC 2.18: clocks that are wrong, set back, or count milliseconds.

use super::server::*;
use robots::{
    Cause, Dialect, Error, Failure, Fetch, FetchOption, Outcome, OutcomeKind, Reason, Step,
};

/// The last second of the year 9999.
const LAST: u64 = 253_402_300_799;

#[test]
fn spec_2_18_times_end_with_the_year_9999() {
    let crawlers = [standard()];
    let made = |now| Outcome::from_status(&crawlers, URL, 404, "", now);
    assert_eq!(made(LAST).unwrap().fetched_at, LAST);
    let missing = made(NOW).unwrap();
    for late in [LAST + 1, NOW * 1000, u64::MAX] {
        assert_eq!(made(late).err(), Some(Error::Argument));
        assert_eq!(
            Fetch::new(&crawlers, URL, late).err(),
            Some(Error::Argument)
        );
        let verdict = missing.check(0, URL, late);
        assert_eq!(
            (verdict.allowed(), verdict.error()),
            (false, Some(Error::Argument))
        );
        // An event at such a time changes nothing.
        let mut fetch = Fetch::new(&crawlers, URL, NOW).unwrap();
        assert_eq!(fetch.status(404, late), Err(Error::Argument));
        assert_eq!(fetch.fail(Failure::Dns, late), Err(Error::Argument));
        assert_eq!(fetch.step(), Step::Get);
        assert_eq!(fetch.status(503, NOW), Ok(Step::Headers));
        assert_eq!(fetch.headers_end(), Ok(Step::Done));
        assert_eq!(fetch.outcome().unwrap().attempted_at, NOW);
    }
}

/// Milliseconds made an outage an opening after 44 minutes.
#[test]
fn spec_2_18_milliseconds_are_no_seconds() {
    let outcome = first(&standard(), &[plain(503)], NOW);
    let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
    fetch.set_previous(&outcome).unwrap();
    let opened = fetch.fail(Failure::Timeout, (NOW + 45 * MINUTE) * 1000);
    assert_eq!(opened, Err(Error::Argument));
}

/// One wrong reading in the middle of a fetch does not date the outcome.
#[test]
fn spec_2_18_the_last_reading_dates_the_outcome() {
    for status in [200, 404, 503] {
        let mut fetch = Fetch::new(&[standard()], URL, NOW).unwrap();
        fetch.status(301, NOW + 365 * DAY).unwrap();
        fetch.header("Location", "/x").unwrap();
        fetch.headers_end().unwrap();
        let outcome = run(&mut fetch, &[plain(status)], NOW + 1);
        assert_eq!(
            (outcome.fetched_at, outcome.attempted_at),
            (NOW + 1, NOW + 1)
        );
        assert!(outcome.retry_at <= NOW + 1 + DAY);
    }
}

/// An outcome that lies in the future decides nothing.
#[test]
fn spec_2_18_an_outcome_of_the_future_decides_nothing() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        for act in [plain(200), plain(403), plain(404), plain(503)] {
            let outcome = first(&crawler, std::slice::from_ref(&act), NOW);
            for early in [0, NOW - DAY, NOW - 1] {
                let verdict = outcome.check(0, "https://example.com/open", early);
                assert_eq!(
                    (verdict.allowed(), verdict.reason()),
                    (false, Reason::Defer),
                    "{dialect:?} {act:?} {early}"
                );
            }
        }
    }
}

/// An earlier outcome that lies in the future is no copy, no condition, and no outage.
#[test]
fn spec_2_18_an_earlier_outcome_of_the_future_is_none() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let ahead = first(&crawler, &with(&[("ETag", "\"x\"")]), NOW + DAY);
        let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, NOW).unwrap();
        fetch.set_previous(&ahead).unwrap();
        assert_eq!(fetch.request_headers().count(), 0);
        let outcome = run(&mut fetch, &[plain(503)], NOW);
        let none = first(&crawler, &[plain(503)], NOW);
        assert_eq!(format!("{outcome:?}"), format!("{none:?}"));
        // Nobody asked whether it was modified.
        let unasked = again(&crawler, &ahead, &[plain(304)], NOW);
        assert_eq!(
            (unasked.cause, unasked.rules(0).is_some()),
            (Cause::OddStatus, true)
        );
        assert_ne!(unasked.kind, OutcomeKind::Rules);

        let down = first(&crawler, &[plain(503)], NOW + DAY);
        let next = again(&crawler, &down, &[plain(503)], NOW);
        assert_eq!(next.unreachable_since, Some(NOW));
    }
    // A 304 answers the condition that was sent, whatever the clock says by then.
    let found = first(&standard(), &with(&[("ETag", "\"x\"")]), NOW);
    let mut fetch = Fetch::new(&[standard()], URL, NOW - DAY).unwrap();
    fetch.set_previous(&found).unwrap();
    let outcome = run(&mut fetch, &[plain(304)], NOW + DAY);
    assert_eq!(outcome.cause, Cause::OddStatus);
}

/// No sequence of clock readings makes a time of an outcome lie before it, or its wait longer than the options say.
#[test]
fn spec_2_18_waits_start_with_the_attempt() {
    let longest = standard().fetch_option(FetchOption::DefaultTTL);
    for now in [0, 1, NOW, LAST] {
        for act in [plain(200), plain(404), plain(503), Fail(Failure::Reset)] {
            let outcome = first(&standard(), std::slice::from_ref(&act), now);
            for later in [0, NOW, LAST] {
                let next = again(&standard(), &outcome, &[plain(500)], later);
                assert!((later..=later + longest).contains(&next.retry_at));
                assert!(next.unreachable_since.unwrap() <= later);
                assert_eq!(next.attempted_at, later);
            }
        }
    }
}

/// SPEC 2.18: an earlier outcome of the future does not replace one of the past.
#[test]
fn spec_2_18_an_earlier_outcome_of_the_future_replaces_none() {
    let good = first(&standard(), &[plain(200)], NOW);
    let ahead = first(&standard(), &[plain(404)], NOW + DAY);
    let mut fetch = Fetch::new(&[standard()], URL, NOW + 60).unwrap();
    fetch.set_previous(&good).unwrap();
    fetch.set_previous(&ahead).unwrap();
    fetch.fail(Failure::Connect, NOW + 60).unwrap();
    let outcome = fetch.outcome().unwrap();
    assert_eq!(
        seen(outcome, NOW + 60),
        (OutcomeKind::Rules, Cause::Connect, true, false)
    );
}

/// A clock that is set back within a fetch loses no copy: it counts as fetched at the new time.
#[test]
fn spec_2_18_a_clock_set_back_within_a_fetch_keeps_the_copy() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let found = first(&crawler, &with(&[("ETag", "\"x\"")]), NOW);
        for back in [5, DAY] {
            let now = NOW - back;
            let result = |act: &Act| {
                let mut fetch = Fetch::new(std::slice::from_ref(&crawler), URL, NOW + 1).unwrap();
                fetch.set_previous(&found).unwrap();
                run(&mut fetch, std::slice::from_ref(act), now)
            };
            let renewed = result(&plain(304));
            assert_eq!(
                (renewed.cause, renewed.fetched_at),
                (Cause::NotModified, now)
            );
            for act in [plain(503), Fail(Failure::Dns)] {
                let kept = result(&act);
                let (kind, _, open, private) = seen(&kept, now);
                assert_eq!((kind, open, private), RULES, "{dialect:?} {act:?} {back}");
                assert_eq!((kept.stale, kept.fetched_at), (true, now));
                assert!(kept.fresh_until <= now + (found.fresh_until - NOW));
            }
        }
    }
}

/// A clock set back before a fetch, by a second, forgets the failed attempt, and keeps the copy.
#[test]
fn spec_2_18_an_attempt_of_the_future_takes_no_copy_away() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let found = first(&crawler, &[plain(200)], NOW);
        let down = again(&crawler, &found, &[plain(503)], NOW + HOUR);
        let now = NOW + HOUR - 1;
        for act in [plain(503), to(""), Fail(Failure::Dns)] {
            let kept = again(&crawler, &down, std::slice::from_ref(&act), now);
            let (kind, _, open, private) = seen(&kept, now);
            assert_eq!((kind, open, private), RULES, "{dialect:?} {act:?}");
        }
    }
}
