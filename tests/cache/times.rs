//! When the cache decides, offers a refresh or defers (SPEC 2.8, 2.11, 3.4, 3.8), and clocks that jump.

use crate::*;

/// SPEC 3.4: the old rules serve everybody while one refreshes them.
#[test]
fn spec_3_4_stale_rules_serve_while_they_are_refreshed() {
    let cache = cache();
    fetched(&cache, 200, NOW);
    // In the last tenth of their TTL (SPEC 3.8).
    let due = NOW + DAY - DAY / 10;
    assert!(decided(cache.check(0, URL, due - 1)).1.is_none());
    let (verdict, refresh) = decided(cache.check(0, URL, due));
    let refresh = refresh.expect("a refresh is due");
    assert_eq!(verdict.reason(), Reason::RuleDisallowed);
    for _ in 0..3 {
        let (verdict, second) = decided(cache.check(0, URL, due));
        assert_eq!(verdict.reason(), Reason::RuleDisallowed);
        assert!(second.is_none());
    }
    refresh.finish(outcome(SITE, 404, due), due).unwrap();
    let (verdict, refresh) = decided(cache.check(0, URL, due));
    assert_eq!(verdict.reason(), Reason::AllowAll);
    assert!(refresh.is_none());
}

/// SPEC 3.8: rules whose refresh nobody tried decide for 24 hours after their fetch (koster1996: 7 days), and no longer.
#[test]
fn spec_3_8_rules_that_nobody_refreshes_stop_deciding() {
    for dialect in robots::Dialect::ALL {
        let crawlers = [Crawler::new("First")
            .unwrap()
            .with_dialect(dialect)
            .unwrap()];
        let longest = match dialect {
            robots::Dialect::Koster1996 => 7 * DAY,
            _ => DAY,
        };
        let cache = Cache::new(&crawlers, 1_000_000).unwrap();
        let outcome = support::outcome(&crawlers, SITE, 200, BODY, NOW);
        ticket(cache.check(0, URL, NOW))
            .finish(outcome, NOW)
            .unwrap();
        // Each caller drops the ticket it gets.
        for now in [NOW + longest - longest / 10, NOW + longest - 1] {
            let (verdict, refresh) = decided(cache.check(0, URL, now));
            assert_eq!(verdict.reason(), Reason::RuleDisallowed);
            drop(refresh.expect("it is offered early"));
        }
        for now in [NOW + longest, NOW + longest + DAY, NOW + 400 * DAY] {
            let held = ticket(cache.check(0, URL, now));
            assert!(matches!(
                cache.check(0, URL, now),
                CacheDecision::Wait { .. }
            ));
            drop(held);
        }
        // Once an attempt has failed they decide again (SPEC 3.4).
        let now = NOW + 400 * DAY;
        let held = ticket(cache.check(0, URL, now));
        let mut fetch = held.fetch(now).unwrap();
        fetch.fail(Failure::Connect, now).unwrap();
        let failed = fetch.outcome().unwrap().clone();
        held.finish(failed, now).unwrap();
        let (verdict, refresh) = decided(cache.check(0, URL, now));
        assert_eq!(verdict.reason(), Reason::RuleDisallowed);
        assert!(refresh.is_none());
    }
}

/// SPEC 3.8: rules with a short TTL decide past it, but not past a day.
#[test]
fn spec_3_8_a_short_ttl_ends_after_a_day_at_the_latest() {
    let cache = cache();
    let held = ticket(cache.check(0, URL, NOW));
    let mut fetch = held.fetch(NOW).unwrap();
    fetch.status(200, NOW).unwrap();
    fetch.header("Cache-Control", "max-age=3600").unwrap();
    fetch.headers_end().unwrap();
    fetch.body(BODY).unwrap();
    fetch.end().unwrap();
    held.finish(fetch.outcome().unwrap().clone(), NOW).unwrap();
    assert!(decided(cache.check(0, URL, NOW + 3_239)).1.is_none());
    for after in [3_240, 3_600, DAY - 1] {
        let (verdict, refresh) = decided(cache.check(0, URL, NOW + after));
        assert_eq!(verdict.reason(), Reason::RuleDisallowed, "{after}");
        // While one refresh is in progress the others get the verdict alone.
        assert!(decided(cache.check(0, URL, NOW + after)).1.is_none());
        drop(refresh.expect("a refresh is due"));
    }
    drop(ticket(cache.check(0, URL, NOW + DAY)));
}

/// SPEC 2.11: a refresh that fails keeps the rules, and nobody tries again before it is time.
#[test]
fn spec_2_11_stale_rules_serve_while_the_site_is_unreachable() {
    let cache = cache();
    fetched(&cache, 200, NOW);
    let mut now = NOW + DAY - 1;
    for _ in 0..100 {
        let (verdict, refresh) = decided(cache.check(0, URL, now));
        assert_eq!(verdict.reason(), Reason::RuleDisallowed);
        let refresh = refresh.expect("it is time to try again");
        let mut fetch = refresh.fetch(now).unwrap();
        fetch.fail(Failure::Timeout, now).unwrap();
        let outcome = fetch.outcome().unwrap().clone();
        assert!(outcome.stale() && outcome.retry_at() > now);
        let retry_at = outcome.retry_at();
        refresh.finish(outcome, now).unwrap();
        let (verdict, refresh) = decided(cache.check(0, URL, retry_at - 1));
        assert_eq!(verdict.reason(), Reason::RuleDisallowed);
        assert!(refresh.is_none());
        now = retry_at;
    }
}

/// SPEC 2.8: a site that fails is not asked again before its time, nothing of it is allowed, and no URL of it is lost.
#[test]
fn spec_2_8_failures_are_kept_for_their_own_time() {
    let cache = cache();
    fetched(&cache, 503, NOW);
    let retry_at = outcome(SITE, 503, NOW).retry_at();
    for now in [NOW, retry_at - 1] {
        for crawler in [0, 1] {
            match cache.check(crawler, URL, now) {
                CacheDecision::Defer { verdict, until } => {
                    assert_eq!((verdict.allowed(), verdict.error()), (false, None));
                    assert_eq!((verdict.reason(), until), (Reason::Unreachable, retry_at));
                }
                other => panic!("an outage is no verdict of the site: {other:?}"),
            }
        }
        let (verdict, _) = decided(cache.check(2, URL, now));
        assert_eq!(verdict.error(), Some(Error::Argument));
    }
    drop(ticket(cache.check(0, URL, retry_at)));
}

/// SPEC 2.7, 2.8 of koster1996: ask later, not before.
#[test]
fn deferred_sites_say_until_when() {
    let crawlers = [Crawler::new("First")
        .unwrap()
        .with_dialect(robots::Dialect::Koster1996)
        .unwrap()];
    let cache = Cache::new(&crawlers, 1_000_000).unwrap();
    let outcome = support::outcome(&crawlers, SITE, 503, "", NOW);
    assert_eq!(outcome.kind(), OutcomeKind::Defer);
    let retry_at = outcome.retry_at();
    ticket(cache.check(0, URL, NOW))
        .finish(outcome, NOW)
        .unwrap();
    let answer = cache.check(0, URL, retry_at - 1);
    assert!(
        matches!(answer, CacheDecision::Defer { verdict, until }
            if until == retry_at && verdict.reason() == Reason::Defer),
        "{answer:?}"
    );
    let again = ticket(cache.check(0, URL, retry_at));
    assert!(matches!(
        cache.check(0, URL, retry_at),
        CacheDecision::Wait { .. }
    ));
    drop(again);
}

#[test]
fn a_clock_set_back_or_at_its_ends_holds_nothing_up() {
    // Set back by years, with a ticket out and with an outcome kept.
    let cache = cache();
    let lost = ticket(cache.check(0, URL, NOW));
    drop(ticket(cache.check(0, URL, NOW - 1000 * DAY)));
    drop(lost);
    fetched(&cache, 200, NOW);
    let (verdict, refresh) = decided(cache.check(0, URL, NOW - 1000 * DAY));
    assert_eq!(verdict.reason(), Reason::RuleDisallowed);
    assert!(refresh.is_some(), "times of a wrong clock mean nothing");
    drop(refresh);
    // Threads whose clocks differ a little.
    cache.clear();
    let held = ticket(cache.check(0, URL, NOW));
    assert!(matches!(
        cache.check(0, URL, NOW - 5),
        CacheDecision::Wait { .. }
    ));
    held.finish(outcome(SITE, 200, NOW), NOW).unwrap();
    assert!(decided(cache.check(0, URL, NOW - 5)).1.is_none());

    for now in [0, u64::MAX] {
        cache.clear();
        let held = ticket(cache.check(0, URL, now));
        assert!(matches!(
            cache.check(0, URL, now),
            CacheDecision::Wait { .. }
        ));
        held.finish(outcome(SITE, 500, now), now).unwrap();
        if let CacheDecision::Decided { verdict, .. } = cache.check(0, URL, now) {
            assert!(!verdict.allowed());
        }
    }
}
