//! The cache: what it answers, against a naive model, and what comes of odd times, late tickets and odd records
//! (SPEC 2.11, 3.4, 3.7; 2 and 3 else are the fetch's, which makes the outcomes).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

#[path = "invariants/cache.rs"]
mod invariants;

use invariants::{BODY, DAY, NOW, Step, TTL, agrees_with_model, crawlers};
use proptest::prelude::*;
use robots::cache::{Cache, CacheDecision, Ticket};
use robots::{Crawler, Error, Failure, Outcome, OutcomeKind, Reason, Verdict};

const SITE: &str = "https://example.com";
const URL: &str = "https://example.com/private/page";

fn cache() -> Cache {
    Cache::new(&crawlers(), 10_000_000).unwrap()
}

fn outcome(origin: &str, status: u16, now: u64) -> Outcome {
    support::outcome(&crawlers(), origin, status, BODY, now)
}

#[track_caller]
fn ticket(answer: CacheDecision) -> Ticket {
    match answer {
        CacheDecision::Fetch(ticket) => ticket,
        other => panic!("a ticket was expected, not {other:?}"),
    }
}

/// The verdict, and the ticket to refresh.
#[track_caller]
fn decided(answer: CacheDecision) -> (Verdict, Option<Ticket>) {
    match answer {
        CacheDecision::Decided { verdict, refresh } => (verdict, refresh),
        other => panic!("a verdict was expected, not {other:?}"),
    }
}

#[track_caller]
fn fetched(cache: &Cache, status: u16, now: u64) {
    let ticket = ticket(cache.check(0, URL, now));
    ticket.finish(outcome(SITE, status, now), now).unwrap();
}

#[test]
fn spec_3_7_one_fetch_serves_several_crawlers() {
    let cache = cache();
    fetched(&cache, 200, NOW);
    let (private, public) = (URL, "https://example.com/public/page");
    let allowed = |crawler, url| {
        let (verdict, refresh) = decided(cache.check(crawler, url, NOW));
        assert!(refresh.is_none() && verdict.error().is_none());
        verdict.allowed()
    };
    assert_eq!([allowed(0, private), allowed(0, public)], [false, true]);
    assert_eq!([allowed(1, private), allowed(1, public)], [true, false]);
    // Nobody is third, also where there is no file to obey.
    let none = self::cache();
    fetched(&none, 404, NOW);
    for cache in [&cache, &none] {
        let (verdict, _) = decided(cache.check(2, public, NOW));
        assert_eq!(
            (verdict.allowed(), verdict.error()),
            (false, Some(Error::Argument))
        );
    }
}

#[test]
fn one_fetches_and_the_others_wait() {
    let cache = cache();
    let first = ticket(cache.check(0, URL, NOW));
    assert_eq!(first.origin(), SITE);
    for crawler in [0, 1] {
        let answer = cache.check(crawler, URL, NOW + TTL - 1);
        assert!(
            matches!(answer, CacheDecision::Wait { until } if until == NOW + TTL),
            "{answer:?}"
        );
    }
    // Another origin is another matter (SPEC 1.2).
    for other in [
        "http://example.com/",
        "https://example.com:8443/",
        "https://www.example.com/",
    ] {
        drop(ticket(cache.check(0, other, NOW)));
    }
    drop(first);
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
    drop(ticket(cache.check(0, URL, NOW)));
}

/// SPEC 1.3, 1.4: however an origin is spelt, it has one entry.
#[test]
fn all_spellings_of_an_origin_are_one() {
    let cache = cache();
    fetched(&cache, 200, NOW);
    for url in [
        "https://example.com:443/private/page",
        "HTTPS://EXAMPLE.com/private/page",
        "https://user:secret@example.com/private/page",
    ] {
        assert_eq!(
            decided(cache.check(0, url, NOW)).0.reason(),
            Reason::RuleDisallowed,
            "{url}"
        );
    }
    assert!(
        decided(cache.check(0, "https://example.com", NOW))
            .0
            .allowed()
    );
    assert!(
        decided(cache.check(0, "https://example.com?private", NOW))
            .0
            .allowed()
    );
    assert_eq!(cache.len(), 1);
}

#[test]
fn spec_1_6_what_is_no_url_of_a_site_is_an_error() {
    let cache = cache();
    for (url, error) in [
        ("", Error::Url),
        ("/private", Error::Url),
        ("example.com", Error::Url),
        ("https://", Error::Url),
        ("gopher://example.com/", Error::Scheme),
    ] {
        let (verdict, refresh) = decided(cache.check(0, url, NOW));
        assert_eq!(
            (verdict.allowed(), verdict.error()),
            (false, Some(error)),
            "{url}"
        );
        assert!(refresh.is_none());
    }
    assert_eq!(cache.remove("/private"), Err(Error::Url));
    assert!(cache.is_empty());
}

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

#[test]
fn settings_have_ranges_and_their_time() {
    let crawlers = crawlers();
    assert_eq!(Cache::new(&[], 1_000_000).unwrap_err(), Error::Argument);
    assert_eq!(Cache::new(&crawlers, 65_535).unwrap_err(), Error::Argument);
    let many = vec![crawlers[0].clone(); 17];
    assert_eq!(Cache::new(&many, 1_000_000).unwrap_err(), Error::Argument);
    for life in [0, 86_401, u64::MAX] {
        assert_eq!(cache().with_ticket_ttl(life).unwrap_err(), Error::Argument);
    }
    let cache = cache().with_ticket_ttl(5).unwrap();
    let held = ticket(cache.check(0, URL, NOW));
    assert!(matches!(
        cache.check(0, URL, NOW + 4),
        CacheDecision::Wait { .. }
    ));
    drop(ticket(cache.check(0, URL, NOW + 5)));
    assert_eq!(
        cache.clone().with_ticket_ttl(6).unwrap_err(),
        Error::InvalidState
    );
    drop(held);
}

#[test]
fn the_bound_holds_and_who_is_asked_for_stays() {
    let crawlers = crawlers();
    let cache = Cache::new(&crawlers, 200_000).unwrap();
    let url = |n: u32| format!("https://site-{n}.example/private/page");
    let fill = |n: u32| {
        let url = url(n);
        let held = ticket(cache.check(0, &url, NOW));
        let origin = held.origin().to_owned();
        held.finish(outcome(&origin, 200, NOW), NOW).unwrap();
        assert!(cache.bytes() <= 200_000);
    };
    (0..50).for_each(fill);
    for n in 50..3_000 {
        // The first is asked for all the time.
        assert!(decided(cache.check(0, url(0), NOW)).1.is_none(), "{n}");
        fill(n);
    }
    assert!(cache.len() > 100, "{cache:?}");
    drop(ticket(cache.check(0, url(1), NOW)));

    // What is being fetched is never evicted; when nothing else is left, newcomers wait.
    cache.clear();
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
    let mut held = Vec::new();
    let full = loop {
        match cache.check(0, url(held.len() as u32), NOW) {
            CacheDecision::Fetch(ticket) => held.push(ticket),
            other => break other,
        }
    };
    assert!(matches!(full, CacheDecision::Wait { until } if until == NOW + 1));
    assert!(held.len() > 100 && cache.bytes() <= 200_000);
    for n in 0..held.len() as u32 {
        assert!(matches!(
            cache.check(0, url(n), NOW),
            CacheDecision::Wait { .. }
        ));
    }
    held.clear();
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
}

#[test]
fn an_outcome_that_is_larger_than_the_cache_is_refused() {
    let crawlers = crawlers();
    let cache = Cache::new(&crawlers, 65_536).unwrap();
    let body: String = (0..20_000).fold("User-agent: *\n".to_owned(), |body, n| {
        body + &format!("Disallow: /{n}{}\n", n * 7919)
    });
    let small = ticket(cache.check(0, "https://small.example/", NOW));
    small
        .finish(outcome("https://small.example", 200, NOW), NOW)
        .unwrap();
    let held = ticket(cache.check(0, URL, NOW));
    let large = support::outcome(&crawlers, SITE, 200, &body, NOW);
    assert_eq!(held.finish(large, NOW), Err(Error::Memory));
    // Nobody made room for what cannot fit.
    assert_eq!(cache.len(), 2);
    assert!(
        decided(cache.check(0, "https://small.example/", NOW))
            .0
            .error()
            .is_none()
    );
    // Nobody fetches it again for each URL: the cache remembers that it does not fit, for its TTL.
    for now in [NOW, NOW + DAY - 1] {
        for n in 0..100 {
            let (verdict, refresh) = decided(cache.check(n % 2, URL, now));
            assert_eq!(
                (verdict.allowed(), verdict.error()),
                (false, Some(Error::Memory))
            );
            assert!(refresh.is_none());
        }
    }
    assert!(cache.outcome(URL).unwrap().is_none());
    // Then it is fetched anew, and a smaller one is kept.
    let held = ticket(cache.check(0, URL, NOW + DAY));
    held.finish(outcome(SITE, 200, NOW + DAY), NOW + DAY)
        .unwrap();
    assert_eq!(
        decided(cache.check(0, URL, NOW + DAY)).0.reason(),
        Reason::RuleDisallowed
    );

    // The same where older rules are kept: they are no longer those of the site.
    let due = NOW + 2 * DAY - 1;
    let (_, refresh) = decided(cache.check(0, URL, due));
    let large = support::outcome(&crawlers, SITE, 200, &body, due);
    assert_eq!(refresh.unwrap().finish(large, due), Err(Error::Memory));
    let (verdict, refresh) = decided(cache.check(0, URL, due));
    assert_eq!(
        (verdict.error(), refresh.is_none()),
        (Some(Error::Memory), true)
    );
    cache.remove(URL).unwrap();
    drop(ticket(cache.check(0, URL, due)));
}

#[test]
fn a_cache_is_taken_along() {
    let cache = cache();
    for (n, status) in [200, 404, 503, 200].into_iter().enumerate() {
        let url = format!("https://site-{n}.example/private/page");
        let held = ticket(cache.check(0, &url, NOW));
        let origin = held.origin().to_owned();
        held.finish(outcome(&origin, status, NOW + n as u64), NOW + n as u64)
            .unwrap();
    }
    let open = ticket(cache.check(0, URL, NOW)); // nothing to export yet
    let records: Vec<Vec<u8>> = cache.export().collect();
    assert_eq!(records.len(), 4);
    drop(open);

    let warm = Cache::new(&crawlers(), 10_000_000).unwrap();
    let mut random = 12_345_u64;
    for record in &records {
        // Cut, lengthened, or changed anywhere: refused, and nothing has changed.
        for len in 0..record.len() {
            assert!(warm.import(&record[..len]).is_err(), "{len} octets");
        }
        assert!(warm.import([record.as_slice(), b"x"].concat()).is_err());
        for at in 0..record.len() {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let mut damaged = record.clone();
            damaged[at] ^= 1 << (random >> 61);
            assert!(warm.import(damaged).is_err(), "octet {at}");
        }
    }
    assert!(warm.is_empty());
    // Those of other crawlers.
    let others = Cache::new(&[Crawler::new("Third").unwrap()], 1_000_000).unwrap();
    for record in &records {
        assert!(others.import(record).is_err());
    }
    for record in &records {
        assert_eq!(warm.import(record), Ok(()));
    }
    assert_eq!(warm.len(), 4);
    for n in 0..4 {
        let url = format!("https://site-{n}.example/private/page");
        let [one, other] = [&cache, &warm].map(|cache| match cache.check(1, &url, NOW + 3) {
            CacheDecision::Decided {
                verdict,
                refresh: None,
            } => (verdict, 0),
            CacheDecision::Defer { verdict, until } => (verdict, until),
            other => panic!("{other:?}"),
        });
        assert_eq!(one, other);
    }
    // What is here is newer, or the same: it stays. So does the ticket of who fetches.
    let url = "https://site-0.example/private/page";
    let held = ticket(warm.check(0, url, NOW + DAY));
    let newer = outcome("https://site-0.example", 404, NOW + DAY);
    held.finish(newer, NOW + DAY).unwrap();
    for record in &records {
        warm.import(record).unwrap();
    }
    let (verdict, _) = decided(warm.check(0, url, NOW + DAY));
    assert_eq!(verdict.reason(), Reason::AllowAll);
    let fresh = Cache::new(&crawlers(), 10_000_000).unwrap();
    let held = ticket(fresh.check(0, url, NOW));
    for record in &records {
        fresh.import(record).unwrap();
    }
    let (_, second) = decided(fresh.check(0, url, NOW + DAY / 2));
    assert!(second.is_none());
    drop(held);
    assert_eq!(fresh.len(), 4);
}

// --- the naive model ------------------------------------------------------------------------------------------------

fn step() -> impl Strategy<Value = Step> {
    let seconds = || {
        prop::sample::select(vec![
            0_u64,
            1,
            5,
            60,
            119,
            120,
            121,
            299,
            300,
            301,
            600,
            3_600,
            21_600,
            DAY - 1,
            DAY,
            DAY + 1,
            2 * DAY,
            7 * DAY,
            31 * DAY,
        ])
    };
    let paths = prop::sample::select(vec!["/", "/private/a", "/public/b", "/robots.txt", ""]);
    prop_oneof![
        10 => (0..2_usize, 0..4_usize, paths)
            .prop_map(|(crawler, site, path)| Step::Check { crawler, site, path: path.into() }),
        5 => (0..8_usize, prop::sample::select(vec![200_u16, 200, 200, 404, 429, 500, 503]), 0..200_u64)
            .prop_map(|(held, status, took)| Step::Finish { held, status, took }),
        1 => (0..8_usize).prop_map(|held| Step::GiveBack { held }),
        1 => (0..4_usize).prop_map(|site| Step::Remove { site }),
        3 => seconds().prop_map(Step::Forward),
        1 => seconds().prop_map(Step::Back),
        1 => prop::sample::select(vec![0, NOW, u64::MAX]).prop_map(Step::Jump),
    ]
}

fn dialect() -> impl Strategy<Value = robots::Dialect> {
    use robots::Dialect::*;
    prop::sample::select(vec![Rfc9309, Google, Koster1996])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_script_agrees_with_the_model(
        dialect in dialect(),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        agrees_with_model(dialect, steps)?;
    }
}

mod support {
    use super::*;

    /// That of a response that is known as a whole.
    pub fn outcome(
        crawlers: &[Crawler],
        origin: &str,
        status: u16,
        body: &str,
        now: u64,
    ) -> Outcome {
        Outcome::from_status(crawlers, origin, status, body, now).unwrap()
    }
}
