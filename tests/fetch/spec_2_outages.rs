//! SPEC 2.11 to 2.13: sites that cannot be reached for long.

use crate::server::*;
use robots::{Cause, Crawler, Dialect, Failure, FetchOption, Outcome, OutcomeKind};

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

/// SPEC 2.11, 2.13, 3.4: the copy goes on being used.
#[test]
fn spec_2_11_copy_while_unreachable() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        for act in outages() {
            let mut outcome = first(&crawler, &[plain(200)], NOW);
            let fresh_until = outcome.fresh_until();
            // An outage of 32 days, and one that starts anew after a pause.
            for (later, since) in (8..=40)
                .map(|day| (day * DAY, 8 * DAY))
                .chain([(48 * DAY, 48 * DAY), (4000 * DAY, 4000 * DAY)])
            {
                let now = NOW + later;
                outcome = again(&crawler, &outcome, std::slice::from_ref(&act), now);
                let (kind, _, open, private) = seen(&outcome, now);
                assert_eq!((kind, open, private), RULES, "{dialect:?} {act:?} {later}");
                assert!(outcome.stale() && outcome.retry_at() > now);
                assert_eq!(
                    (outcome.fetched_at(), outcome.fresh_until()),
                    (NOW, fresh_until)
                );
                assert_eq!(outcome.unreachable_since(), Some(NOW + since));
                assert_eq!(outcome.final_url(), ROBOTS);
            }
            let back = again(&crawler, &outcome, &[plain(200)], NOW + 4001 * DAY);
            assert_eq!((back.stale(), back.unreachable_since()), (false, None));
            let kept = again(&crawler, &back, &[plain(503)], NOW + 4002 * DAY);
            assert_eq!((kept.stale(), kept.http_status()), (true, 503));
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

/// SPEC 2.12
#[test]
fn spec_2_12_thirty_days() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        for act in outages() {
            let script = std::slice::from_ref(&act);
            let daily = [DAY; 30];
            let still = failing(&crawler, script, NOW, &daily);
            let now = NOW + 30 * DAY;
            assert_eq!(still.unreachable_since(), Some(NOW));
            assert!(!seen(&still, now).2, "30 days are not more than 30 days");
            let now = now + 1;
            let long = again(&crawler, &still, script, now);
            assert_eq!(
                seen(&long, now),
                (OutcomeKind::AllowAll, Cause::UnreachableLong, true, true)
            );
            let longer = again(&crawler, &long, script, now + 7 * DAY);
            assert_eq!(
                (longer.kind(), longer.unreachable_since()),
                (OutcomeKind::AllowAll, Some(NOW))
            );
            // One answer, and the days are counted anew.
            let now = now + 8 * DAY;
            let answered = again(&crawler, &longer, &[plain(404)], now);
            let down = again(&crawler, &answered, script, now + DAY);
            assert_eq!(down.unreachable_since(), Some(now + DAY));
            assert!(!seen(&down, now + DAY).2);
        }
    }
    let hasty = standard()
        .with_fetch_option(FetchOption::UnreachableTTL, HOUR)
        .unwrap();
    let outcome = failing(&hasty, &[plain(500)], NOW, &[HOUR + 1]);
    assert_eq!(outcome.kind(), OutcomeKind::AllowAll);
}

/// SPEC 2.12: an outage is not two accidents. A pause of more than 7 days starts it anew.
#[test]
fn spec_2_12_a_pause_starts_the_outage_anew() {
    for dialect in Dialect::ALL {
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
                assert_eq!(outcome.unreachable_since(), Some(since), "{case}");
                let is_long = now - since > 30 * DAY;
                assert_eq!(seen(&outcome, now).2, is_long, "{case}");
            }
            // After the site was allowed, too.
            let long = failing(&crawler, script, NOW, &[week, week, week, week, week]);
            assert_eq!(long.cause(), Cause::UnreachableLong);
            let now = NOW + 5 * week + 8 * DAY;
            let anew = again(&crawler, &long, script, now);
            assert_eq!(anew.unreachable_since(), Some(now));
            assert!(!seen(&anew, now).2);
        }
        // What is stored knows when the last attempt was.
        let down = failing(&crawler, &[plain(503)], NOW, &[DAY]);
        let read =
            Outcome::decode(&down.encode().unwrap(), std::slice::from_ref(&crawler)).unwrap();
        for (outcome, now) in [(&down, NOW + 8 * DAY), (&read, NOW + 8 * DAY)] {
            let next = again(&crawler, outcome, &[plain(503)], now);
            assert_eq!(next.unreachable_since(), Some(NOW));
            let next = again(&crawler, outcome, &[plain(503)], now + 1);
            assert_eq!(next.unreachable_since(), Some(now + 1));
        }
    }
}

/// SPEC 2.12: the waits that a fetch asks for never make the pause too long.
#[test]
fn spec_2_12_every_dialect_reaches_thirty_days() {
    for dialect in Dialect::ALL {
        let crawler = crawler(dialect);
        let mut outcome = first(&crawler, &[plain(500)], NOW);
        let mut now = NOW;
        while outcome.cause() != Cause::UnreachableLong {
            assert!(outcome.retry_at() - now <= DAY && now < NOW + 32 * DAY);
            now = outcome.retry_at() + HOUR;
            outcome = again(&crawler, &outcome, &[plain(500)], now);
        }
        assert!(now > NOW + 30 * DAY);
    }
}
