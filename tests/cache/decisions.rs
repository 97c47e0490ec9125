//! Who fetches and who waits, for which origin and crawler (SPEC 1, 3.7).

use crate::*;

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
    let kept = cache
        .outcome("https://example.com:443/any")
        .unwrap()
        .unwrap();
    assert_eq!((kept.fetched_at, kept.origin.key()), (NOW, SITE));
    assert!(cache.outcome("https://other.example/").unwrap().is_none());
    // Nobody is third, also where there is no file to obey.
    let none = self::cache();
    fetched(&none, 404, NOW);
    for cache in [&cache, &none] {
        let (verdict, until) = deferred(cache.check(2, public, NOW));
        assert_eq!((verdict.error(), until), (Some(Error::Argument), NOW + 60));
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

/// SPEC 1.3, 1.4: however an origin is written, it has one entry.
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
