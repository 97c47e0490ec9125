//! SPEC 2.11 to 2.13: sites that cannot be reached for long.

use super::server::*;
use robots::{Cause, Crawler, Dialect, Failure, Fetch, FetchOption, Outcome, OutcomeKind, Reason};

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

/// The dialects in which a copy stays in use past its TTL, and an outage opens a site after 30 days.
const PATIENT: [Dialect; 2] = [Dialect::Rfc9309, Dialect::Google];

/// SPEC 2.11, 2.13, 3.4: the copy goes on being used.
#[test]
pub(crate) fn spec_2_11_copy_while_unreachable() {
    for dialect in PATIENT {
        let crawler = crawler(dialect);
        for act in outages() {
            let mut outcome = first(&crawler, &[plain(200)], NOW);
            let fresh_until = outcome.fresh_until;
            // An outage of 32 days, and one that starts anew after a pause.
            for (later, since) in (8..=40)
                .map(|day| (day * DAY, 8 * DAY))
                .chain([(48 * DAY, 48 * DAY), (4000 * DAY, 4000 * DAY)])
            {
                let now = NOW + later;
                outcome = again(&crawler, &outcome, std::slice::from_ref(&act), now);
                let (kind, _, open, private) = seen(&outcome, now);
                assert_eq!((kind, open, private), RULES, "{dialect:?} {act:?} {later}");
                assert!(outcome.stale && outcome.retry_at > now);
                assert_eq!(
                    (outcome.fetched_at, outcome.fresh_until),
                    (NOW, fresh_until)
                );
                assert_eq!(outcome.unreachable_since, Some(NOW + since));
                assert_eq!(&*outcome.final_url, ROBOTS);
            }
            let back = again(&crawler, &outcome, &[plain(200)], NOW + 4001 * DAY);
            assert_eq!((back.stale, back.unreachable_since), (false, None));
            let kept = again(&crawler, &back, &[plain(503)], NOW + 4002 * DAY);
            assert_eq!((kept.stale, kept.http_status), (true, 503));
        }
    }
}

/// SPEC 2.11, 2.13, 3.4 of koster1996: the copy is used within its TTL. Past it the site is deferred until the copy is
/// verified, however often and for however long that fails.
#[test]
pub(crate) fn spec_2_11_koster1996_verifies_a_copy() {
    let crawler = crawler(Dialect::Koster1996);
    let found = first(&crawler, &with(&[("ETag", "\"x\"")]), NOW);
    let end = found.fresh_until;
    for act in outages().into_iter().filter(|act| *act != plain(304)) {
        let script = std::slice::from_ref(&act);
        let kept = again(&crawler, &found, script, end - 1);
        let (kind, _, open, private) = seen(&kept, end - 1);
        assert_eq!((kind, open, private), RULES, "{act:?}");
        assert_eq!((kept.stale, kept.usable_until), (true, end));
        let late = kept.check(0, "https://example.com/open", end);
        assert_eq!((late.allowed(), late.reason()), (false, Reason::Defer));

        let mut outcome = kept;
        for day in 0..60 {
            let now = end + day * DAY;
            outcome = again(&crawler, &outcome, script, now);
            let (kind, _, open, private) = seen(&outcome, now);
            assert_eq!((kind, open, private), DEFER, "{act:?} {day}");
            assert!(!outcome.stale && outcome.retry_at > now);
            assert_eq!(outcome.fetched_at, NOW);
        }
        // Also where it leads nowhere, and after it was stored.
        let now = end + 60 * DAY;
        let crawlers = std::slice::from_ref(&crawler);
        let read = Outcome::decode(&outcome.encode().unwrap(), crawlers).unwrap();
        let lost = again(&crawler, &read, &[to("mailto:x")], now);
        assert_eq!(seen(&lost, now).0, OutcomeKind::Defer);
        // The condition is still sent, and a 304 verifies the copy.
        let verified = again(&crawler, &lost, &[plain(304)], now + DAY);
        let (kind, cause, open, private) = seen(&verified, now + DAY);
        assert_eq!((kind, open, private), RULES);
        assert_eq!(
            (cause, verified.fetched_at),
            (Cause::NotModified, now + DAY)
        );
        let gone = again(&crawler, &lost, &[plain(404)], now + DAY);
        assert_eq!(gone.kind, OutcomeKind::AllowAll);
    }
}

/// SPEC 2.11: the option by which an outage closes a site although there is a copy.
#[test]
pub(crate) fn spec_2_11_an_option_closes_a_site_with_a_copy() {
    for dialect in Dialect::ALL {
        let strict = crawler(dialect)
            .with_fetch_option(FetchOption::UnreachableOverridesCopy, 1)
            .unwrap();
        let down = match dialect {
            Dialect::Koster1996 => DEFER,
            _ => UNREACHABLE,
        };
        let found = first(&strict, &with(&[("ETag", "\"x\"")]), NOW);
        let mut outcome = found.clone();
        for hour in 1..48 {
            let now = NOW + hour * HOUR;
            outcome = again(&strict, &outcome, &[plain(503)], now);
            let (kind, _, open, private) = seen(&outcome, now);
            assert_eq!((kind, open, private), down, "{dialect:?}");
            assert!(!outcome.stale);
        }
        // The copy is not lost.
        let now = NOW + 3 * DAY;
        let crawlers = std::slice::from_ref(&strict);
        let read = Outcome::decode(&outcome.encode().unwrap(), crawlers).unwrap();
        for outcome in [&outcome, &read] {
            let back = again(&strict, outcome, &[plain(304)], now);
            assert_eq!(back.cause, Cause::NotModified);
            assert_eq!(seen(&back, now).0, OutcomeKind::Rules);
        }
        // SPEC 2.13: after 30 days it is used.
        for day in 3..40 {
            outcome = again(&strict, &outcome, &[plain(503)], NOW + day * DAY);
        }
        let long = outcome.kind;
        match dialect {
            Dialect::Koster1996 => assert_eq!(long, OutcomeKind::Defer),
            _ => assert_eq!((long, outcome.stale), (OutcomeKind::Rules, true)),
        }
        // For one fetch alone.
        let mut fetch = Fetch::new(&[crawler(dialect)], URL, NOW + HOUR).unwrap();
        fetch.set_previous(&found).unwrap();
        fetch.set(FetchOption::UnreachableOverridesCopy, 1).unwrap();
        let outcome = run(&mut fetch, &[Fail(Failure::Dns)], NOW + HOUR);
        assert!(!seen(&outcome, NOW + HOUR).2);
    }
}

/// SPEC 2.11: that there was no file is no copy of one.
#[test]
pub(crate) fn spec_2_11_missing_is_no_copy() {
    let missing = first(&standard(), &[plain(404)], NOW);
    let outcome = again(&standard(), &missing, &[plain(500)], NOW + HOUR);
    assert_eq!(
        seen(&outcome, NOW + HOUR),
        (OutcomeKind::Unreachable, Cause::ServerError, false, false)
    );
}

/// One failed attempt after the other, each so many seconds after the one before.
fn failing(crawler: &Crawler, script: &[Act], start: u64, pauses: &[u64]) -> Outcome {
    let mut now = start;
    let mut outcome = first(crawler, script, now);
    for pause in pauses {
        now += pause;
        outcome = again(crawler, &outcome, script, now);
    }
    outcome
}

/// SPEC 2.12: koster1996 defers until the file can be had.
#[test]
pub(crate) fn spec_2_12_koster1996_never_opens() {
    let crawler = crawler(Dialect::Koster1996);
    for act in outages() {
        let script = std::slice::from_ref(&act);
        let outcome = failing(&crawler, script, NOW, &[DAY; 400]);
        let now = NOW + 400 * DAY;
        assert_eq!(outcome.unreachable_since, Some(NOW));
        let (kind, _, open, private) = seen(&outcome, now);
        assert_eq!((kind, open, private), DEFER, "{act:?}");
    }
}

/// SPEC 2.12
#[test]
pub(crate) fn spec_2_12_thirty_days() {
    for dialect in PATIENT {
        let crawler = crawler(dialect);
        for act in outages() {
            let script = std::slice::from_ref(&act);
            let daily = [DAY; 30];
            let still = failing(&crawler, script, NOW, &daily);
            let now = NOW + 30 * DAY;
            assert_eq!(still.unreachable_since, Some(NOW));
            assert!(!seen(&still, now).2, "30 days are not more than 30 days");
            let now = now + 1;
            let long = again(&crawler, &still, script, now);
            assert_eq!(
                seen(&long, now),
                (OutcomeKind::AllowAll, Cause::UnreachableLong, true, true)
            );
            let longer = again(&crawler, &long, script, now + 7 * DAY);
            assert_eq!(
                (longer.kind, longer.unreachable_since),
                (OutcomeKind::AllowAll, Some(NOW))
            );
            // One answer, and the days are counted anew.
            let now = now + 8 * DAY;
            let answered = again(&crawler, &longer, &[plain(404)], now);
            let down = again(&crawler, &answered, script, now + DAY);
            assert_eq!(down.unreachable_since, Some(now + DAY));
            assert!(!seen(&down, now + DAY).2);
        }
    }
    let hasty = standard()
        .with_fetch_option(FetchOption::UnreachableTTL, HOUR)
        .unwrap();
    let outcome = failing(&hasty, &[plain(500)], NOW, &[HOUR + 1]);
    assert_eq!(outcome.kind, OutcomeKind::AllowAll);
}

/// SPEC 2.12: an outage is not two accidents. A pause of more than 7 days starts it anew.
#[test]
pub(crate) fn spec_2_12_a_pause_starts_the_outage_anew() {
    for dialect in PATIENT {
        let crawler = crawler(dialect);
        for act in outages() {
            let script = std::slice::from_ref(&act);
            let week = 7 * DAY;
            for (start, pauses, since) in [
                (NOW, &[31 * DAY][..], NOW + 31 * DAY),
                // A clock that was not set yet.
                (0, &[NOW], NOW),
                (NOW, &[week, week, week, week, 2 * DAY + 1], NOW),
                (NOW, &[week, week, week, week, week + 1], NOW + 35 * DAY + 1),
                (NOW, &[31 * DAY, 31 * DAY, 31 * DAY], NOW + 93 * DAY),
            ] {
                let outcome = failing(&crawler, script, start, pauses);
                let now = start + pauses.iter().sum::<u64>();
                let case = format!("{dialect:?} {act:?} {pauses:?}");
                assert_eq!(outcome.unreachable_since, Some(since), "{case}");
                let is_long = now - since > 30 * DAY;
                assert_eq!(seen(&outcome, now).2, is_long, "{case}");
            }
            // After the site was allowed, too.
            let long = failing(&crawler, script, NOW, &[week, week, week, week, week]);
            assert_eq!(long.cause, Cause::UnreachableLong);
            let now = NOW + 5 * week + 8 * DAY;
            let anew = again(&crawler, &long, script, now);
            assert_eq!(anew.unreachable_since, Some(now));
            assert!(!seen(&anew, now).2);
        }
        // What is stored knows when the last attempt was.
        let down = failing(&crawler, &[plain(503)], NOW, &[DAY]);
        let read =
            Outcome::decode(&down.encode().unwrap(), std::slice::from_ref(&crawler)).unwrap();
        for (outcome, now) in [(&down, NOW + 8 * DAY), (&read, NOW + 8 * DAY)] {
            let next = again(&crawler, outcome, &[plain(503)], now);
            assert_eq!(next.unreachable_since, Some(NOW));
            let next = again(&crawler, outcome, &[plain(503)], now + 1);
            assert_eq!(next.unreachable_since, Some(now + 1));
        }
    }
}

/// SPEC 2.12: the waits that a fetch asks for never make the pause too long.
#[test]
pub(crate) fn spec_2_12_the_waits_reach_thirty_days() {
    for dialect in PATIENT {
        let crawler = crawler(dialect);
        let mut outcome = first(&crawler, &[plain(500)], NOW);
        let mut now = NOW;
        while outcome.cause != Cause::UnreachableLong {
            assert!(outcome.retry_at - now <= DAY && now < NOW + 32 * DAY);
            now = outcome.retry_at + HOUR;
            outcome = again(&crawler, &outcome, &[plain(500)], now);
        }
        assert!(now > NOW + 30 * DAY);
    }
}

/// SPEC 2.12: no outage opens a site that an option closes.
#[test]
pub(crate) fn spec_2_12_disallow_all_stays() {
    let closes = [
        FetchOption::OnTooManyRequests,
        FetchOption::OnServerError,
        FetchOption::OnUnreachable,
    ]
    .into_iter()
    .fold(standard(), |crawler, option| {
        crawler.with_fetch_option(option, 2).unwrap()
    });
    for act in outages() {
        let outcome = failing(&closes, &[act], NOW, &[DAY; 60]);
        let now = NOW + 60 * DAY;
        let (kind, _, open, _) = seen(&outcome, now);
        assert_eq!((kind, open), (OutcomeKind::DisallowAll, false));
        assert_eq!(outcome.unreachable_since, Some(NOW));
    }
}

/// SPEC 2.11, 2.15: the option that closes a site outranks the permission of a redirect that leads nowhere.
#[test]
fn spec_2_11_a_bad_redirect_opens_no_site_that_an_option_closes() {
    for dialect in Dialect::ALL {
        let strict = crawler(dialect)
            .with_fetch_option(FetchOption::UnreachableOverridesCopy, 1)
            .unwrap()
            .with_fetch_option(FetchOption::OnBadRedirect, 1)
            .unwrap();
        let found = first(&strict, &[plain(200)], NOW);
        let outcome = again(&strict, &found, &[to("gopher://example.com/")], NOW + HOUR);
        let closed = match dialect {
            Dialect::Koster1996 => DEFER,
            _ => UNREACHABLE,
        };
        let (kind, cause, open, private) = seen(&outcome, NOW + HOUR);
        assert_eq!((kind, open, private), closed, "{dialect:?}");
        assert_eq!(cause, Cause::BadRedirect);
    }
}
