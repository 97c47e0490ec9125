//! The memory limit, settings, and the way to another process.

use crate::*;

#[test]
fn settings_have_ranges_and_their_time() {
    let crawlers = crawlers();
    assert_eq!(Cache::new(&[], 1_000_000).unwrap_err(), Error::Argument);
    assert_eq!(Cache::new(&crawlers, 65_535).unwrap_err(), Error::Argument);
    let many = vec![crawlers[0].clone(); 17];
    assert_eq!(Cache::new(&many, 1_000_000).unwrap_err(), Error::Argument);
    for ttl in [0, 86_401, u64::MAX] {
        assert_eq!(cache().with_ticket_ttl(ttl).unwrap_err(), Error::Argument);
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
    let is_gone = |n: &u32| cache.outcome(url(*n)).unwrap().is_none();
    assert!((1..50).filter(is_gone).count() > 5);

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
    assert_eq!(deferred(full).1, NOW + 1);
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
            let (verdict, until) = deferred(cache.check(n % 2, URL, now));
            assert_eq!((verdict.error(), until), (Some(Error::Memory), NOW + DAY));
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
    let (verdict, _) = deferred(cache.check(0, URL, due));
    assert_eq!(verdict.error(), Some(Error::Memory));
    cache.remove(URL).unwrap();
    drop(ticket(cache.check(0, URL, due)));
}

/// A ticket that expired does not end the ticket of another caller.
#[test]
fn a_late_outcome_that_is_too_large_changes_nothing() {
    let crawlers = crawlers();
    let cache = Cache::new(&crawlers, 65_536).unwrap();
    let body: String = (0..20_000).fold("User-agent: *\n".to_owned(), |body, n| {
        body + &format!("Disallow: /{n}{}\n", n * 7919)
    });
    let expired = ticket(cache.check(0, URL, NOW));
    let now = NOW + TTL;
    let held = ticket(cache.check(0, URL, now));
    let large = support::outcome(&crawlers, SITE, 200, &body, now);
    assert_eq!(expired.finish(large, now), Err(Error::Memory));
    assert!(matches!(
        cache.check(0, URL, now),
        CacheDecision::Wait { until } if until == now + TTL
    ));
    held.finish(outcome(SITE, 200, now), now).unwrap();
    let (verdict, _) = decided(cache.check(0, URL, now));
    assert_eq!(verdict.reason(), Reason::RuleDisallowed);
}

/// A record obeys the options of the cache that imports it, not of the one that made it.
#[test]
fn a_record_obeys_the_limits_of_the_cache() {
    use robots::FetchOption::{
        DefaultTTL, FailureTTL, MaxRetryAfter, MaxTTL, MinTTL, MissingKeepsCopy, MissingTTL,
    };
    let long = [DefaultTTL, FailureTTL, MaxRetryAfter, MaxTTL, MissingTTL];
    let patient = crawlers().map(|crawler| {
        let crawler = crawler.with_fetch_option(MissingKeepsCopy, 1).unwrap();
        long.into_iter().fold(crawler, |crawler, option| {
            crawler.with_fetch_option(option, 3_650 * DAY).unwrap()
        })
    });
    for dialect in robots::Dialect::ALL {
        let patient = patient
            .clone()
            .map(|one| one.with_dialect(dialect).unwrap());
        let own = crawlers().map(|one| one.with_dialect(dialect).unwrap());
        let found = support::outcome(&patient, SITE, 200, BODY, NOW);
        assert_eq!(found.fresh_until, NOW + 3_650 * DAY);
        let after = |status: Option<u16>| {
            let mut fetch = robots::Fetch::new(&patient, SITE, NOW + 60).unwrap();
            fetch.set_previous(&found).unwrap();
            match status {
                Some(status) => {
                    fetch.status(status, NOW + 60).unwrap();
                    fetch.headers_end().unwrap();
                }
                None => drop(fetch.fail(Failure::Dns, NOW + 60).unwrap()),
            }
            fetch.outcome().unwrap().clone()
        };
        let missing = support::outcome(&patient, SITE, 404, "", NOW);
        let down = support::outcome(&patient, SITE, 503, "", NOW);
        for outcome in [found.clone(), after(None), after(Some(404)), missing, down] {
            let cache = Cache::new(&own, 1_000_000).unwrap();
            cache.import(outcome.encode().unwrap()).unwrap();
            let kept = cache.outcome(URL).unwrap().unwrap();
            let longest = own[0].fetch_option(MaxTTL).max(own[0].fetch_option(MinTTL));
            let end = NOW + longest + 2 * DAY;
            let times = [kept.fresh_until, kept.retry_at, kept.usable_until];
            assert!(
                times.iter().all(|time| *time <= end),
                "{dialect:?} {kept:?}"
            );
            assert_eq!(
                (kept.kind, kept.cause, kept.stale, kept.fetched_at),
                (outcome.kind, outcome.cause, outcome.stale, NOW)
            );
            drop(ticket(cache.check(0, URL, end)));
        }
        // Nothing else changes.
        for status in [200, 403, 404, 429, 503] {
            let outcome = support::outcome(&own, SITE, status, BODY, NOW);
            let cache = Cache::new(&own, 1_000_000).unwrap();
            let record = outcome.encode().unwrap();
            cache.import(&record).unwrap();
            let kept = cache.outcome(URL).unwrap().unwrap();
            assert_eq!(kept.encode().unwrap(), record);
        }
    }
}

/// SPEC 7.2: a record made for `FIRST` is one of `First`.
#[test]
fn spec_7_2_records_fold_the_case_of_tokens() {
    let shouting = ["FIRST", "second"].map(|name| Crawler::new(name).unwrap());
    let record = support::outcome(&shouting, SITE, 200, BODY, NOW).encode();
    let cache = cache();
    assert_eq!(cache.import(record.unwrap()), Ok(()));
    let (verdict, _) = decided(cache.check(0, URL, NOW));
    assert_eq!(verdict.reason(), Reason::RuleDisallowed);
}

/// SPEC 2.18: a record of a clock that was ahead decides nothing; one in milliseconds is refused.
#[test]
fn spec_2_18_records_of_the_future_decide_nothing() {
    let cache = cache();
    let ahead = outcome(SITE, 404, NOW + DAY).encode().unwrap();
    cache.import(&ahead).unwrap();
    drop(ticket(cache.check(0, URL, NOW)));
    fetched(&cache, 200, NOW);
    let (verdict, _) = decided(cache.check(0, URL, NOW));
    assert_eq!(verdict.reason(), Reason::RuleDisallowed);
}

/// SPEC 2.18: an import keeps the latest outcome, in any order. One of the future decides nothing, and the site is fetched again.
#[test]
fn spec_2_18_an_import_keeps_the_latest_outcome() {
    let [good, later, ahead] =
        [(200, NOW), (503, NOW + 1), (404, NOW + 365 * DAY)].map(|(status, time)| {
            let outcome = outcome(SITE, status, time);
            (outcome.encode().unwrap(), time)
        });
    for (first, second) in [(&good, &later), (&later, &good), (&good, &good)] {
        let latest = first.1.max(second.1);
        let warm = cache();
        warm.import(&first.0).unwrap();
        warm.import(&second.0).unwrap();
        assert_eq!(warm.outcome(URL).unwrap().unwrap().fetched_at, latest);
        let one = cache();
        one.import(if first.1 == latest {
            &first.0
        } else {
            &second.0
        })
        .unwrap();
        assert_eq!((warm.len(), warm.bytes()), (1, one.bytes()));
        // That of the future is the latest.
        warm.import(&ahead.0).unwrap();
        warm.import(&good.0).unwrap();
        let held = ticket(warm.check(0, URL, NOW + 2));
        // The fetch starts without it.
        let mut fetch = held.fetch(NOW + 2).unwrap();
        fetch.fail(Failure::Connect, NOW + 2).unwrap();
        let failed = fetch.outcome().unwrap().clone();
        assert_eq!(failed.unreachable_since, Some(NOW + 2));
        held.finish(failed, NOW + 2).unwrap();
        let (verdict, _) = deferred(warm.check(0, URL, NOW + 2));
        assert_eq!(verdict.reason(), Reason::Unreachable);
    }
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
            assert!(warm.import(&record[..len]).is_err(), "{len} bytes");
        }
        assert!(warm.import([record.as_slice(), b"x"].concat()).is_err());
        for at in 0..record.len() {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let mut damaged = record.clone();
            damaged[at] ^= 1 << (random >> 61);
            assert!(warm.import(damaged).is_err(), "byte {at}");
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

/// What fits to the last byte is kept, and one byte more is not.
#[test]
fn the_last_byte_counts() {
    // The second crawler has rules of its own, so nothing is shared.
    let start = "User-agent: Second\nDisallow: /\n\nUser-agent: *\n".to_owned();
    let body: String = (0..10_000).fold(start, |body, n| {
        body + &format!("Disallow: /{n}{}\n", n * 7919)
    });
    let finish = |max_bytes: usize| {
        let cache = Cache::new(&crawlers(), max_bytes).unwrap();
        let held = ticket(cache.check(0, URL, NOW));
        let result = held.finish(support::outcome(&crawlers(), SITE, 200, &body, NOW), NOW);
        (cache.bytes(), result)
    };
    let (bytes, _) = finish(100_000_000);
    assert!(bytes > 65_536);
    assert_eq!(finish(bytes), (bytes, Ok(())));
    assert_eq!(finish(bytes - 1).1, Err(Error::Memory));
}

/// A site takes a block of 96 bytes and its share of the map, 16; a longer text and images are in blocks of their own: 8 bytes
/// before each, a multiple of 16 in all. Equal images count once, and as long as any site has them.
#[test]
fn everything_counts() {
    let crawler = [Crawler::new("First").unwrap()];
    let block = |len: usize| ((len + 8 + 15) & !15).max(32);
    let image = |outcome: &Outcome| block(16 + outcome.rules(0).unwrap().image().len());
    let bytes = |host: usize, status: u16, body: &str| {
        let cache = Cache::new(&crawler, 1_000_000).unwrap();
        let origin = format!("https://{}", "x".repeat(host));
        let held = ticket(cache.check(0, &origin, NOW));
        assert!((100..400).contains(&cache.bytes()), "{cache:?}");
        let outcome = support::outcome(&crawler, &origin, status, body, NOW);
        let image = image(&outcome);
        held.finish(outcome, NOW).unwrap();
        assert_eq!((cache.len(), cache.counts().images), (1, 1));
        let bytes = cache.bytes();
        cache.remove(&origin).unwrap();
        assert_eq!(
            (cache.len(), cache.bytes(), cache.counts().images),
            (0, 0, 0)
        );
        bytes - image
    };
    assert_eq!(bytes(1, 404, ""), 96 + 16);
    assert_eq!(bytes(1, 200, "User-agent: *\nDisallow: /a"), 96 + 16);
    // Beside the name there are 22 bytes of facts.
    for (host, more) in [(32, 0), (33, block(33 + 22)), (200, block(200 + 22))] {
        assert_eq!(bytes(host, 404, ""), 96 + 16 + more, "{host}");
    }

    let cache = Cache::new(&crawler, 10_000_000).unwrap();
    let url = |n: usize| format!("https://{n}.example");
    let bodies = ["User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /b"];
    let outcome = |n: usize| support::outcome(&crawler, &url(n), 200, bodies[n % 2], NOW);
    for n in 0..1_000 {
        let held = ticket(cache.check(0, url(n), NOW));
        held.finish(outcome(n), NOW).unwrap();
    }
    let size = image(&outcome(0));
    let counts = cache.counts();
    assert_eq!((counts.images, counts.saved_bytes), (2, 998 * size));
    assert_eq!(cache.bytes(), 1_000 * (96 + 16) + 2 * size);
    for n in (0..998).chain([999]) {
        cache.remove(url(n)).unwrap();
    }
    let counts = cache.counts();
    assert_eq!((counts.images, counts.saved_bytes), (1, 0));
    assert_eq!(cache.bytes(), 96 + 16 + size);
    assert!(!decided(cache.check(0, url(998) + "/a", NOW)).0.allowed());
}

/// Sites come, change, go and are evicted: each has the rules of its own file, and nothing is counted twice or never given back.
#[test]
fn sites_that_share_images_keep_their_own_rules() {
    let cache = Cache::new(&crawlers(), 66_000).unwrap();
    let url = |n: u64| format!("https://{n}.example/{}", n % 3);
    // More images than the table of a small cache holds.
    let body = |kind: u64| match kind {
        0 => String::new(),
        _ => format!(
            "User-agent: *\nDisallow: /{}\n# {kind}\nAllow: /{kind}",
            kind % 3
        ),
    };
    let mut random = 1_u64;
    let mut kinds = std::collections::HashMap::new();
    for step in 0..60_000_u64 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let (site, kind, now) = (random >> 40 & 1_023, (random >> 50) % 40, NOW + step * 60);
        if random >> 60 == 0 {
            cache.remove(url(site)).unwrap();
            assert!(cache.outcome(url(site)).unwrap().is_none());
        }
        let refresh = match cache.check(0, url(site), now) {
            CacheDecision::Fetch(ticket) => Some(ticket),
            CacheDecision::Decided { verdict, refresh } => {
                let expected = crawlers()[0].parse(body(kinds[&site])).check(url(site));
                assert_eq!(verdict, expected, "{step}");
                refresh
            }
            other => panic!("{other:?}"),
        };
        if let Some(held) = refresh {
            let outcome = support::outcome(&crawlers(), &url(site), 200, &body(kind), now);
            held.finish(outcome, now).unwrap();
            kinds.insert(site, kind);
        }
        assert!(cache.bytes() <= 66_000);
    }
    let counts = cache.counts();
    assert!(
        counts.evicted > 1_000 && counts.images < counts.sites,
        "{counts:?}"
    );
    cache.clear();
    let counts = cache.counts();
    assert_eq!(
        (
            counts.sites,
            counts.bytes,
            counts.images,
            counts.saved_bytes
        ),
        (0, 0, 0, 0)
    );
}

/// A site for which there was no place among the shared images is counted once after a refresh that keeps its rules.
#[test]
fn a_refresh_shares_the_image_that_it_keeps() {
    let cache = Cache::new(&crawlers(), 1_000_000).unwrap();
    let fetch = |n: usize, status, now| {
        let url = format!("https://{n}.example/");
        let held = match cache.check(0, &url, now) {
            CacheDecision::Fetch(ticket) => ticket,
            answer => decided(answer).1.unwrap(),
        };
        let mut fetch = held.fetch(now).unwrap();
        fetch.status(status, now).unwrap();
        fetch.header("ETag", "\"1\"").unwrap();
        fetch.headers_end().unwrap();
        if status == 200 {
            // Both crawlers have the same rules.
            let body = format!("User-agent: *\nDisallow: /{n}");
            fetch.body(body.as_bytes()).unwrap();
            fetch.transfer_ended(None, now).unwrap();
        }
        held.finish(fetch.outcome().unwrap().clone(), now).unwrap();
    };
    const SITES: usize = 50;
    // Twice as many images as the table has places.
    (SITES..2_000).for_each(|n| fetch(n, 200, NOW));
    (0..SITES).for_each(|n| fetch(n, 200, NOW));
    let before = cache.counts();
    assert!(before.images > 2_000, "{before:?}");
    for n in SITES..2_000 {
        cache.remove(format!("https://{n}.example/")).unwrap();
    }
    (0..SITES).for_each(|n| fetch(n, 304, NOW + DAY - 1));
    let counts = cache.counts();
    let image = cache.outcome("https://0.example/").unwrap().unwrap();
    let image = 16 + image.rules(0).unwrap().image().len() + 8;
    assert_eq!((counts.sites, counts.images), (SITES, SITES));
    assert_eq!(counts.saved_bytes / SITES, image.next_multiple_of(16));
    cache.clear();
    assert_eq!((cache.bytes(), cache.counts().saved_bytes), (0, 0));
}

/// A refresh of a file that another site has, too, needs no room for another image.
#[test]
fn a_refresh_of_a_shared_image_evicts_nothing() {
    let cache = Cache::new(&crawlers(), 600_000).unwrap();
    let body: String = (0..9_000).fold("User-agent: *\n".to_owned(), |body, n| {
        body + &format!("Disallow: /{n}{}\n", n * 7919)
    });
    let finish = |n: usize, now| {
        let url = format!("https://{n}.example/");
        let held = match cache.check(0, &url, now) {
            CacheDecision::Fetch(ticket) => ticket,
            answer => decided(answer).1.unwrap(),
        };
        let body = if n < 2 { body.as_str() } else { "" };
        held.finish(support::outcome(&crawlers(), &url, 200, body, now), now)
            .unwrap();
    };
    (0..2_000).for_each(|n| finish(n, NOW));
    let before = cache.counts();
    assert!(before.bytes > 300_000 && before.images < 5, "{before:?}");
    finish(0, NOW + DAY - 1);
    let after = cache.counts();
    assert_eq!(
        (after.evicted, after.sites, after.bytes),
        (0, 2_000, before.bytes)
    );
}

/// Origins of every length are distinct.
#[test]
fn keys_of_every_length() {
    let cache = cache();
    let origin = |len: usize| {
        format!(
            "https://{}.x",
            ["a.", "b."].concat().repeat(60)[..len].to_owned() + "z"
        )
    };
    for len in 0..230 {
        let held = ticket(cache.check(0, origin(len), NOW));
        assert_eq!(held.origin(), origin(len));
        held.finish(
            outcome(&origin(len), 404, NOW + len as u64),
            NOW + len as u64,
        )
        .unwrap();
    }
    for len in 0..230 {
        let kept = cache.outcome(origin(len)).unwrap().unwrap();
        assert_eq!(kept.fetched_at, NOW + len as u64);
    }
}

/// Second chance: where all sites were used, an eviction spares some and then takes one.
#[test]
fn an_eviction_spares_a_limited_number() {
    let cache = Cache::new(&crawlers(), 200_000).unwrap();
    let url = |n: usize| format!("https://site-{n:04}.example/");
    let mut count = 0;
    while cache.counts().evicted == 0 {
        let held = ticket(cache.check(0, url(count), NOW));
        let origin = held.origin().to_owned();
        held.finish(outcome(&origin, 200, NOW), NOW).unwrap();
        let (_, refresh) = decided(cache.check(0, url(count), NOW));
        assert!(refresh.is_none());
        count += 1;
    }
    let gone = (0..count).filter(|n| cache.outcome(url(*n)).unwrap().is_none());
    assert!(count > 500 && gone.count() == 1, "{count}");
}

/// A new outcome keeps the mark of use: of 20 such sites most survive where half of the others, which nobody used, are evicted.
#[test]
fn a_refreshed_site_was_used() {
    let now = NOW + DAY - 1;
    let survives = |_: &u32| {
        let cache = Cache::new(&crawlers(), 200_000).unwrap();
        let url = |n: usize| format!("https://site-{n:04}.example/");
        let finish = |held: Ticket, now| {
            let origin = held.origin().to_owned();
            held.finish(outcome(&origin, 200, now), now).unwrap();
        };
        finish(ticket(cache.check(0, url(0), NOW)), NOW);
        finish(decided(cache.check(0, url(0), now)).1.unwrap(), now);
        let fill = |n: usize| finish(ticket(cache.check(0, url(n), now)), now);
        (1..1_000).for_each(fill);
        let is_gone = |n: &usize| cache.outcome(url(*n)).unwrap().is_none();
        let mut next = 1_000..;
        while (0..1_000).filter(is_gone).count() < 500 {
            next.by_ref().take(20).for_each(fill);
        }
        !is_gone(&0)
    };
    let survived = (0..20).filter(survives).count();
    assert!(survived >= 16, "{survived}");
}

/// Threads that change sites of the same file, and threads that read them, which see each outcome whole. `make test-miri` runs it.
#[test]
fn threads_change_sites() {
    const FILES: [&str; 2] = [BODY, "User-agent: *\nDisallow: /private/\nDisallow: /b"];
    let rounds = if cfg!(miri) { 2 } else { 20_000 };
    let cache = Cache::new(&crawlers(), 100_000).unwrap();
    let cache = &cache;
    let url = |site: usize| format!("https://{site}.example/private/");
    let record = |site: usize, now| {
        let file = FILES[(site + now as usize) % 2];
        let outcome = support::outcome(&crawlers(), &url(site), 200, file, now);
        outcome.encode().unwrap()
    };
    let records = [0, 1].map(|site| [NOW, NOW + 1].map(|now| record(site, now)));
    let read = || {
        for number in 0..rounds {
            match cache.check(number % 2, url(number / 2 % 2), NOW + 1) {
                CacheDecision::Decided { verdict, .. } => {
                    assert!(!verdict.allowed() || number % 2 == 1)
                }
                answer => assert!(
                    matches!(answer, CacheDecision::Fetch(_) | CacheDecision::Wait { .. }),
                    "{answer:?}"
                ),
            }
        }
    };
    std::thread::scope(|scope| {
        for (site, records) in records.iter().enumerate() {
            scope.spawn(move || {
                (0..rounds).for_each(|_| {
                    for record in records {
                        cache.import(record).unwrap();
                    }
                    cache.remove(url(site)).unwrap();
                });
            });
        }
        scope.spawn(read);
        scope.spawn(read);
    });
    let counts = cache.counts();
    assert_eq!(
        (
            counts.sites,
            counts.bytes,
            counts.images,
            counts.saved_bytes
        ),
        (0, 0, 0, 0)
    );
    let answers = counts.hits + counts.stale_hits + counts.waits + counts.fetches;
    assert!(answers >= 2 * rounds as u64, "{counts:?}");
}
