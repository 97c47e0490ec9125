//! When the cache decides, offers a refresh or defers (SPEC 2.11, 3.8) where `tests/data/cache.script` does not say so, and clocks
//! that jump.

use crate::*;

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
        // Once an attempt has failed they decide again (SPEC 3.4), but not in koster1996 (SPEC 2.11).
        let now = NOW + 400 * DAY;
        let held = ticket(cache.check(0, URL, now));
        let mut fetch = held.fetch(now).unwrap();
        fetch.fail(Failure::Connect, now).unwrap();
        let failed = fetch.outcome().unwrap().clone();
        let retry_at = failed.retry_at;
        held.finish(failed, now).unwrap();
        if dialect == robots::Dialect::Koster1996 {
            for now in [now, retry_at - 1] {
                let answer = cache.check(0, URL, now);
                assert!(
                    matches!(answer, CacheDecision::Defer { until, .. } if until == retry_at),
                    "{answer:?}"
                );
            }
            drop(ticket(cache.check(0, URL, retry_at)));
            continue;
        }
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
    // Those past the TTL, which is an hour.
    assert_eq!(cache.counts().stale_hits, 4);
    drop(ticket(cache.check(0, URL, NOW + DAY)));
}

/// SPEC 2.11 of koster1996: the copy decides within its TTL. Then the site is deferred until the next attempt is due.
#[test]
fn spec_2_11_koster1996_defers_at_the_end_of_the_ttl() {
    let crawlers = [Crawler::new("First")
        .unwrap()
        .with_dialect(robots::Dialect::Koster1996)
        .unwrap()];
    let cache = Cache::new(&crawlers, 1_000_000).unwrap();
    let found = support::outcome(&crawlers, SITE, 200, BODY, NOW);
    let end = found.fresh_until;
    ticket(cache.check(0, URL, NOW)).finish(found, NOW).unwrap();
    let now = end - 60;
    let (_, refresh) = decided(cache.check(0, URL, now));
    let refresh = refresh.unwrap();
    let mut fetch = refresh.fetch(now).unwrap();
    fetch.fail(Failure::Timeout, now).unwrap();
    let outcome = fetch.outcome().unwrap().clone();
    let retry_at = outcome.retry_at;
    assert_eq!((outcome.usable_until, retry_at), (end, now + 600));
    refresh.finish(outcome, now).unwrap();
    for now in [now, end - 1] {
        let (verdict, refresh) = decided(cache.check(0, URL, now));
        assert_eq!(verdict.reason(), Reason::RuleDisallowed);
        assert!(refresh.is_none());
    }
    for now in [end, retry_at - 1] {
        let answer = cache.check(0, "https://example.com/", now);
        assert!(
            matches!(answer, CacheDecision::Defer { verdict, until }
                if until == retry_at && verdict.reason() == Reason::Defer),
            "{answer:?}"
        );
        let (verdict, until) = deferred(cache.check(1, URL, now));
        assert_eq!((verdict.error(), until), (Some(Error::Argument), now + 60));
    }
    drop(ticket(cache.check(0, URL, retry_at)));
}

#[test]
fn spec_2_18_a_ticket_of_a_wrong_clock_blocks_nobody() {
    let cache = cache();
    let lost = ticket(cache.check(0, URL, NOW));
    drop(ticket(cache.check(0, URL, NOW - 1000 * DAY)));
    drop(lost);
    // Threads whose readings differ a little.
    let held = ticket(cache.check(0, URL, NOW));
    assert!(matches!(
        cache.check(0, URL, NOW - 5),
        CacheDecision::Wait { .. }
    ));
    held.finish(outcome(SITE, 200, NOW), NOW).unwrap();
    assert!(decided(cache.check(0, URL, NOW - 5)).1.is_none());
}

/// SPEC 2.18: an outcome that lies in the future is asked for again at once, whatever it says.
#[test]
fn spec_2_18_a_clock_set_back_opens_and_closes_nothing() {
    for status in [200, 404, 503] {
        for back in [61, TTL, 3_600, 1000 * DAY] {
            let cache = cache();
            fetched(&cache, status, NOW);
            for now in [NOW - back, NOW - back - 1] {
                drop(ticket(cache.check(0, URL, now)));
            }
            let held = ticket(cache.check(0, URL, NOW - back));
            let now = NOW - back;
            held.finish(outcome(SITE, 200, now), now).unwrap();
            let (verdict, _) = decided(cache.check(0, URL, now));
            assert_eq!(verdict.reason(), Reason::RuleDisallowed);
        }
    }
}

/// SPEC 2.18: one wrong reading at the end of a fetch neither opens nor closes the site, now or when that time comes.
#[test]
fn spec_2_18_an_outcome_dated_ahead_is_worth_nothing() {
    for status in [200, 404, 503] {
        let ahead = outcome(SITE, status, NOW + 365 * DAY);
        let cache = cache();
        let held = ticket(cache.check(0, URL, NOW));
        held.finish(ahead.clone(), NOW).unwrap();
        for now in [NOW, NOW + DAY, NOW + 365 * DAY, NOW + 365 * DAY + 1] {
            drop(ticket(cache.check(0, URL, now)));
        }
        // What the cache knew stays until its own time.
        fetched(&cache, 200, NOW);
        let (_, refresh) = decided(cache.check(0, URL, NOW + DAY - 1));
        refresh.unwrap().finish(ahead, NOW + DAY - 1).unwrap();
        let (verdict, refresh) = decided(cache.check(0, URL, NOW + DAY - 1));
        assert_eq!(verdict.reason(), Reason::RuleDisallowed);
        drop(refresh.expect("the site is asked again at once"));
        drop(ticket(cache.check(0, URL, NOW + 365 * DAY)));
    }
}

/// SPEC 2.18: milliseconds are an error, and change nothing.
#[test]
fn spec_2_18_times_end_with_the_year_9999() {
    let cache = cache();
    fetched(&cache, 404, NOW);
    for late in [LAST + 1, NOW * 1000, u64::MAX] {
        for url in [URL, "https://other.example/", "HTTPS://EXAMPLE.com/"] {
            let (verdict, until) = deferred(cache.check(0, url, late));
            assert_eq!(verdict.error(), Some(Error::Argument));
            assert_eq!(until, late.saturating_add(60));
        }
        let other = "https://other.example";
        let held = ticket(cache.check(0, other, NOW));
        assert_eq!(held.fetch(late).err(), Some(Error::Argument));
        let made = outcome(other, 404, NOW);
        assert_eq!(held.finish(made, late), Err(Error::Argument));
        assert_eq!(cache.len(), 1);
    }
    // The longest TTL, at the end of all time.
    let crawlers = crawlers().map(|crawler| {
        let crawler = crawler.with_fetch_option(robots::FetchOption::MaxTTL, 3_650 * DAY);
        let crawler = crawler.unwrap();
        crawler
            .with_fetch_option(robots::FetchOption::DefaultTTL, 3_650 * DAY)
            .unwrap()
    });
    let cache = Cache::new(&crawlers, 1_000_000).unwrap();
    let made = support::outcome(&crawlers, SITE, 200, BODY, LAST - 10);
    ticket(cache.check(0, URL, LAST - 10))
        .finish(made, LAST - 10)
        .unwrap();
    assert!(decided(cache.check(0, URL, LAST)).1.is_none());
    let (verdict, _) = deferred(cache.check(0, URL, LAST + 1));
    assert_eq!(verdict.error(), Some(Error::Argument));
}
