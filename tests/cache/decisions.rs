//! Tickets that are late, of another cache or of other crawlers; `tests/data/cache.script` says who fetches and who waits.

use crate::*;
use std::time::{Duration, Instant};

#[test]
fn a_dead_ticket_blocks_nobody_and_its_late_outcome_replaces_nothing_newer() {
    let cache = cache();
    let dead = ticket(cache.check(0, URL, NOW));
    let second = ticket(cache.check(0, URL, NOW + TTL));
    // Its outcome is better than none; the second ticket stays good.
    dead.finish(outcome(SITE, 200, NOW + TTL), NOW + TTL)
        .unwrap();
    assert_eq!(
        decided(cache.check(0, URL, NOW + TTL)).0.reason(),
        Reason::RuleDisallowed
    );
    let later = NOW + TTL + 10;
    second.finish(outcome(SITE, 404, later), later).unwrap();
    assert_eq!(
        decided(cache.check(0, URL, later)).0.reason(),
        Reason::AllowAll
    );

    // A dead one that comes after the second's newer outcome is too late.
    cache.clear();
    let dead = ticket(cache.check(0, URL, NOW));
    let second = ticket(cache.check(0, URL, NOW + TTL));
    second
        .finish(outcome(SITE, 404, NOW + TTL), NOW + TTL)
        .unwrap();
    dead.finish(outcome(SITE, 200, NOW + 1), NOW + TTL + 1)
        .unwrap();
    assert_eq!(
        decided(cache.check(0, URL, NOW + TTL + 1)).0.reason(),
        Reason::AllowAll
    );
    // To drop one is to give back one's own only.
    let due = NOW + 10 * DAY;
    let dead = ticket(cache.check(0, URL, due));
    let second = ticket(cache.check(0, URL, due + TTL));
    drop(dead);
    assert!(matches!(
        cache.check(0, URL, due + TTL),
        CacheDecision::Wait { .. }
    ));
    drop(second);
}

#[test]
fn a_ticket_outlives_its_cache() {
    let cache = cache();
    let first = ticket(cache.check(0, URL, NOW));
    let second = ticket(cache.check(0, "https://other.example/", NOW));
    drop(cache);
    first.finish(outcome(SITE, 200, NOW), NOW).unwrap();
    assert_eq!(second.origin(), "https://other.example");
}

#[test]
fn outcomes_of_others_are_refused() {
    let cache = cache();
    let held = ticket(cache.check(0, URL, NOW));
    assert_eq!(
        held.finish(outcome("https://other.example", 404, NOW), NOW),
        Err(Error::Argument)
    );
    // It was given back.
    let held = ticket(cache.check(0, URL, NOW));
    let others = [Crawler::new("Third").unwrap()];
    let theirs = support::outcome(&others, SITE, 404, "", NOW);
    assert_eq!(held.finish(theirs, NOW), Err(Error::Argument));
    assert!(cache.is_empty());
}

/// A crawler that the cache does not have is an error, whatever the outcome.
#[test]
fn an_unknown_crawler_is_refused() {
    for status in [200, 404, 403, 503] {
        let cache = cache();
        for crawler in [2, 16, usize::MAX] {
            let (verdict, _) = deferred(cache.check(crawler, URL, NOW));
            assert_eq!(verdict.error(), Some(Error::Argument));
        }
        fetched(&cache, status, NOW);
        for crawler in [2, 16, usize::MAX] {
            for now in [NOW, NOW + DAY - 1] {
                let (verdict, _) = deferred(cache.check(crawler, URL, now));
                assert_eq!(verdict.error(), Some(Error::Argument), "{status}");
            }
            let request = cache.request(crawler, URL, 0, NOW * 1_000);
            assert_eq!(deferred(request.decision).0.error(), Some(Error::Argument));
        }
    }
}

/// More threads than counters have cache lines, each with a hit, a wait and a deferred URL: no event is lost or mixed up.
#[test]
fn events_of_many_threads_count() {
    const ROUNDS: u64 = 200;
    const THREADS: u64 = 100;
    let cache = cache();
    fetched(&cache, 200, NOW);
    let down = ticket(cache.check(0, "https://down.example", NOW));
    let outcome = outcome("https://down.example", 503, NOW);
    down.finish(outcome, NOW).unwrap();
    let _held = ticket(cache.check(0, "https://new.example", NOW));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    let _ = cache.check(0, URL, NOW);
                    let _ = cache.check(1, URL, NOW);
                    let _ = cache.check(0, "https://down.example/a", NOW);
                    let _ = cache.check(0, "https://new.example/a", NOW);
                }
            });
        }
    });
    let counts = cache.counts();
    let all = THREADS * ROUNDS;
    assert_eq!(
        (counts.hits, counts.deferred, counts.waits),
        (2 * all, all, all)
    );
    assert_eq!(
        (counts.fetches, counts.stale_hits, counts.evicted),
        (3, 0, 0)
    );
}

/// Eight workers on one site wake when its ticket is finished or dropped, expired or not. A wait without a ticket, and one after the deadline, returns.
#[test]
fn a_waiter_wakes_when_the_ticket_ends() {
    const LONG: Duration = Duration::from_secs(60);
    for way in ["finished", "dropped", "expired"] {
        let cache = cache();
        let mut held = ticket(cache.check(0, URL, NOW));
        let ended = std::thread::scope(|scope| {
            let waits = || {
                assert_eq!(cache.wait(URL, LONG), Ok(true));
                Instant::now()
            };
            let mut workers: Vec<_> = (0..8).map(|_| scope.spawn(waits)).collect();
            std::thread::sleep(Duration::from_millis(100));
            assert!(workers.iter().all(|worker| !worker.is_finished()), "{way}");
            if way == "expired" {
                let late = ticket(cache.check(0, URL, NOW + TTL));
                drop(core::mem::replace(&mut held, late));
            }
            let end = Instant::now();
            match way {
                "dropped" => drop(held),
                _ => held.finish(outcome(SITE, 200, NOW), NOW).unwrap(),
            }
            workers
                .drain(..)
                .map(|worker| worker.join().unwrap() - end)
                .max()
        });
        assert!(ended < Some(LONG / 2), "{way}: {ended:?}");
    }
    let cache = cache();
    let begin = Instant::now();
    assert_eq!(cache.wait(URL, LONG), Ok(true));
    assert!(begin.elapsed() < LONG / 2);
    let _held = ticket(cache.check(0, URL, NOW));
    // Another site, and the deadline.
    assert_eq!(cache.wait("https://other.example/", LONG), Ok(true));
    assert_eq!(cache.wait(URL, Duration::from_millis(20)), Ok(false));
    assert!((Duration::from_millis(20)..LONG / 2).contains(&begin.elapsed()));
    assert_eq!(cache.wait("example.com", LONG), Err(Error::Url));
    assert_eq!(cache.wait("mailto:a@b.example", LONG), Err(Error::Scheme));
}
