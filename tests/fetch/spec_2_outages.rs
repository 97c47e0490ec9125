//! SPEC 2.11 to 2.13: sites that cannot be reached for long.

use crate::server::*;
use robots::{Cause, Dialect, Failure, FetchOption, OutcomeKind};

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
        .with_fetch_option(FetchOption::UnreachableTTL, HOUR)
        .unwrap();
    let down = first(&hasty, &[plain(500)], NOW);
    assert_eq!(
        again(&hasty, &down, &[plain(500)], NOW + HOUR + 1).kind(),
        OutcomeKind::AllowAll
    );
}
