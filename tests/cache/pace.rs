//! SPEC 3.9, 3.10: the slots of sites. `model.rs` tests any sequence, and `tests/data/cache.script` the rows.

use crate::*;
use robots::cache::CacheRequest;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

const NOW_MS: u64 = NOW * 1_000;
const PAGE: &str = "https://example.com/public/page";

fn with_body(cache: &Cache, url: &str, body: &str, now: u64) {
    let outcome = Outcome::from_status(cache.crawlers(), url, 200, body, now).unwrap();
    match cache.check(0, url, now) {
        CacheDecision::Fetch(ticket) => ticket.finish(outcome, now).unwrap(),
        other => panic!("a ticket was expected, not {other:?}"),
    }
}

/// One crawler; the file states a delay of 0.2 seconds.
fn paced() -> Cache {
    let cache = Cache::new(&[Crawler::new("First").unwrap()], 10_000_000).unwrap();
    with_body(
        &cache,
        PAGE,
        "User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n",
        NOW,
    );
    cache
}

#[track_caller]
fn allowed(request: CacheRequest) -> u64 {
    let verdict = decided(request.decision).0;
    assert!(verdict.allowed(), "{verdict:?}");
    request.at_ms
}

/// SPEC 3.9: seconds, microseconds and nanoseconds are no milliseconds.
#[test]
fn times_are_milliseconds() {
    let cache = paced();
    for wrong in [
        0,
        NOW,
        99_999_999_999,
        (LAST + 1) * 1_000,
        NOW_MS * 1_000,
        u64::MAX,
    ] {
        let request = cache.request(0, PAGE, 0, wrong);
        let (verdict, until) = deferred(request.decision);
        assert_eq!((verdict.error(), request.at_ms), (Some(Error::Argument), 0));
        assert!(until > wrong / 1_000);
        assert_eq!(
            cache.retry_after(PAGE, 429, "1", wrong),
            Err(Error::Argument)
        );
    }
    // The last time that is valid: its outcomes have expired, and nothing overflows.
    assert!(!matches!(
        cache.request(0, PAGE, 0, LAST * 1_000 + 999).decision,
        CacheDecision::Decided { .. }
    ));
}

#[test]
fn a_delay_is_the_files_or_the_default_within_limits() {
    let delay = |body: &str, default, most| {
        let cache = Cache::new(&[Crawler::new("First").unwrap()], 1_000_000).unwrap();
        let cache = cache
            .with_default_delay(default)
            .unwrap()
            .with_max_delay(most)
            .unwrap();
        let cache = cache.with_horizon(86_400_000).unwrap();
        with_body(&cache, PAGE, body, NOW);
        let request = cache.request(0, PAGE, 0, NOW_MS + 500);
        assert_eq!(request.at_ms, NOW_MS + 500 + request.crawl_delay_ms);
        (request.crawl_delay_ms, request.crawl_delay_cut)
    };
    let stated = |seconds: &str| format!("User-agent: *\nCrawl-delay: {seconds}\n");
    assert_eq!(delay("User-agent: *\nDisallow:", 700, 60_000), (700, false));
    for (seconds, default, most, expected) in [
        ("0.2", 700, 60_000, (200, false)),
        ("0", 700, 60_000, (0, false)),
        ("1.0001", 0, 60_000, (1_001, false)),
        ("60", 0, 60_000, (60_000, false)),
        ("61", 0, 60_000, (60_000, true)),
        ("99999999999999999999999999", 0, 60_000, (60_000, true)),
        ("5", 0, 0, (0, true)),
        ("5", 1_000, 0, (1_000, true)),
        ("0.5", 1_000, 0, (500, false)),
    ] {
        assert_eq!(
            delay(&stated(seconds), default, most),
            expected,
            "{seconds} {default} {most}"
        );
    }
}

/// SPEC 3.9: threads that wait for their slots and wake late, by one clock.
#[test]
fn what_threads_send_is_a_delay_apart() {
    let cache = Cache::new(&[Crawler::new("First").unwrap()], 1_000_000)
        .unwrap()
        .with_horizon(86_400_000)
        .unwrap();
    with_body(&cache, PAGE, "User-agent: *\nCrawl-delay: 0.2\n", NOW);
    let clock = AtomicU64::new(NOW_MS);
    let visit = || {
        let mut slot = 0;
        loop {
            let now = clock.fetch_add(1, SeqCst);
            let at = allowed(cache.request(0, PAGE, slot, now));
            if at == now {
                // The ticks of the other threads are its way to the server and back.
                cache
                    .retry_after(PAGE, 200, "", clock.load(SeqCst))
                    .unwrap();
                return now;
            }
            // It wakes between 0 and 150 ms late. In the meantime the other threads run.
            std::thread::sleep(std::time::Duration::from_micros(50));
            clock.fetch_max(at + at * 31 % 150, SeqCst);
            slot = at;
        }
    };
    let mut sent: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..100).map(|_| visit()).collect::<Vec<_>>()))
            .collect();
        let threads = threads.into_iter();
        threads.flat_map(|one| one.join().unwrap()).collect()
    });
    sent.sort_unstable();
    assert!(sent.len() == 400 && sent.windows(2).all(|pair| pair[1] - pair[0] >= 200));
}

/// Callers that sleep until their slot and wake late, by a simulated clock: all requests are a delay apart, and little time is lost.
#[test]
fn late_callers_shorten_no_gap() {
    // Returns when the caller of this number wakes from a sleep until a time; and an upper bound on the time lost by it.
    type Wake = fn(u64, u64) -> u64;
    const TENTH: u64 = NOW_MS / 5_000;
    let runs: [(Wake, u64); 5] = [
        (|_, due| due, 0),
        (|_, due| due + 7, 700),
        (|number, due| due + number * 37 % 150, 8_000),
        (
            |number, due| due + if number % 10 == 3 { 1_000 } else { 1 },
            11_000,
        ),
        // The process is suspended for 5 seconds.
        (
            |_, due| {
                if due / 5_000 == TENTH {
                    NOW_MS + 5_000
                } else {
                    due
                }
            },
            5_300,
        ),
    ];
    for (run, (wake, most)) in runs.into_iter().enumerate() {
        let cache = paced();
        let (mut sent, mut asked) = (Vec::new(), 0);
        let mut waiting: Vec<_> = (0..50).map(|_| (NOW_MS, 0)).collect();
        while !waiting.is_empty() {
            waiting.sort_unstable();
            let (now, held) = waiting.remove(0);
            asked += 1;
            let at = allowed(cache.request(0, PAGE, held, now));
            if at == now {
                sent.push(now);
                cache.retry_after(PAGE, 200, "", now + 3).unwrap();
            } else {
                waiting.push((wake(asked, at), at));
            }
        }
        assert!(sent.len() == 50 && asked < 5 * 50, "{run}: {asked}");
        let is_apart = |pair: &[u64]| pair[1] - pair[0] >= 203;
        assert!(sent.windows(2).all(is_apart), "{run}: {sent:?}");
        let lost = sent[49] - sent[0] - 49 * 203;
        assert!(lost <= most, "{run}: {lost}");
    }
}

#[test]
fn options_have_limits_and_come_first() {
    let cache = || Cache::new(&crawlers(), 1_000_000).unwrap();
    let day = 86_400_000;
    assert!(
        cache().with_default_delay(day).is_ok()
            && cache().with_max_delay(day).is_ok()
            && cache().with_horizon(day).is_ok()
    );
    for made in [
        cache().with_default_delay(day + 1),
        cache().with_max_delay(u64::MAX),
        cache().with_horizon(day + 1),
    ] {
        assert_eq!(made.unwrap_err(), Error::Argument);
    }
    assert_eq!(paced().with_horizon(1).unwrap_err(), Error::InvalidState);
}

/// SPEC 3.10.
#[test]
fn a_busy_site_rests() {
    let at = |status, value: &str| {
        let cache = paced();
        cache.retry_after(PAGE, status, value, NOW_MS).unwrap();
        cache.request(0, PAGE, 0, NOW_MS).at_ms - NOW_MS
    };
    // The first slot is after the robots.txt.
    for (status, value, expected) in [
        (200, "10", 200),
        (404, "10", 200),
        (500, "10", 200),
        (429, "10", 10_000),
        (503, " 10 ", 10_000),
        (503, "0", 200),
        (429, "", 5_000),
        (429, "soon", 5_000),
        (429, "-1", 5_000),
        (429, "Fri, 15 Jan 2027 08:00:30 GMT", 30_000),
        (429, "Fri, 15 Jan 2027 07:00:00 GMT", 200),
        (429, "99999999999999999999999", 86_400_000),
    ] {
        assert_eq!(at(status, value), expected, "{status} {value:?}");
    }
}

/// SPEC 3.10: whatever the crawler permits, a rest is at most the longest wait of a slot.
#[test]
fn a_rest_of_a_month_is_one_of_three_days() {
    let option = (robots::FetchOption::MaxRetryAfter, 30 * DAY);
    let crawler = Crawler::new("First").unwrap();
    let crawler = crawler.with_fetch_option(option.0, option.1).unwrap();
    let cache = Cache::new(&[crawler], 1_000_000).unwrap();
    with_body(&cache, PAGE, "", NOW);
    cache.retry_after(PAGE, 429, "2592000", NOW_MS).unwrap();
    let at_ms = cache.request(0, PAGE, 0, NOW_MS).at_ms;
    assert_eq!(at_ms - NOW_MS, 65_535 * 4_000);
}

/// A new outcome, an outage and a returned ticket leave the slot as it is; the removal of the site does not.
#[test]
fn a_slot_survives_the_outcome() {
    let cache = paced();
    let last = (0..50)
        .map(|_| allowed(cache.request(0, PAGE, 0, NOW_MS)))
        .max()
        .unwrap();
    let soon = NOW + DAY - 60;
    // Every change of the entry, one after the other.
    let ticket = decided(cache.check(0, PAGE, soon)).1.unwrap();
    drop(ticket);
    let ticket = decided(cache.check(0, PAGE, soon)).1.unwrap();
    let outcome = Outcome::from_status(
        cache.crawlers(),
        PAGE,
        200,
        "User-agent: *\nCrawl-delay: 0.2",
        soon,
    )
    .unwrap();
    ticket.finish(outcome, soon).unwrap();
    assert_eq!(
        allowed(cache.request(0, PAGE, 0, NOW_MS + 86_390_000)),
        NOW_MS + 86_390_000
    );
    let cache = paced();
    allowed(cache.request(0, PAGE, 0, NOW_MS));
    cache.retry_after(PAGE, 503, "3600", NOW_MS).unwrap();
    let record: Vec<_> = cache.export().collect();
    cache.remove(PAGE).unwrap();
    with_body(&cache, PAGE, "", NOW);
    assert_eq!(allowed(cache.request(0, PAGE, 0, NOW_MS)), NOW_MS);
    assert_eq!(last, NOW_MS + 200 * 50);
    // The slot goes with the record; the later one of two stays; a record without one changes nothing.
    cache.import(&record[0]).unwrap();
    assert_eq!(cache.request(0, PAGE, 0, NOW_MS).at_ms, NOW_MS + 3_600_000);
    // Nobody here holds a slot of the other process.
    assert_eq!(
        cache.request(0, PAGE, NOW_MS + 1, NOW_MS + 1).at_ms,
        NOW_MS + 3_600_000
    );
    cache.import(paced().export().next().unwrap()).unwrap();
    assert_eq!(cache.request(0, PAGE, 0, NOW_MS).at_ms, NOW_MS + 3_600_000);
    let outcome = Outcome::decode(&record[0], cache.crawlers()).unwrap();
    let without = outcome.encode().unwrap();
    assert_eq!(without.len(), record[0].len());
    assert_ne!(without, record[0]);
}

/// A full cache evicts the outcome of a site, but not its slot while that lies in the future; nothing grows without bound.
#[test]
fn a_slot_in_the_future_survives_eviction() {
    let cache = Cache::new(&[Crawler::new("First").unwrap()], 65_536).unwrap();
    let url = |site: usize| format!("https://{site}.example/");
    let body = format!(
        "User-agent: *\nCrawl-delay: 50\n{}",
        "Disallow: /a/long/path/of/a/rule\n".repeat(20)
    );
    let evicted = |cache: &Cache| {
        (0..40)
            .filter(|site| cache.outcome(url(*site)).unwrap().is_none())
            .count()
    };
    for site in 0..40 {
        with_body(&cache, &url(site), &body, NOW);
        assert_eq!(
            allowed(cache.request(0, url(site), 0, NOW_MS)),
            NOW_MS + 50_000
        );
    }
    for site in 40..2_040 {
        let _ = cache.check(0, url(site), NOW);
        with_body(&cache, &url(site + 3_000), &body, NOW);
    }
    assert!(evicted(&cache) > 0 && cache.counts().evicted > 0 && cache.bytes() <= 65_536);
    let mut kept = 0;
    for site in 0..40 {
        if let CacheDecision::Fetch(ticket) = cache.check(0, url(site), NOW) {
            let outcome = Outcome::from_status(cache.crawlers(), url(site), 404, "", NOW).unwrap();
            ticket.finish(outcome, NOW).unwrap();
            let request = cache.request(0, url(site), 0, NOW_MS);
            kept += usize::from(request.at_ms == NOW_MS + 100_000);
        }
    }
    assert!(kept > 0, "no slot survived the eviction of its outcome");
    // When the slots have passed, their entries are the first to go; and slots alone do not fill a cache without end.
    for site in 6_000..8_000 {
        cache
            .retry_after(url(site), 429, "86400", NOW_MS + 200_000)
            .unwrap();
    }
    assert!(cache.bytes() <= 65_536 && cache.len() < 700);
    with_body(&cache, &url(9_999), "", NOW + 200);
}

/// SPEC 3.9: however often the clock is set back, a request waits as long as before.
#[test]
fn a_clock_set_back_again_and_again_adds_no_wait() {
    let cache = Cache::new(&[Crawler::new("First").unwrap()], 1_000_000).unwrap();
    let body = "User-agent: *\nCrawl-delay: 10\n";
    let (mut now, mut slot, mut waits) = (NOW, 0, Vec::new());
    for _ in 0..8 {
        let fetched = if slot == 0 { now - 20 } else { now };
        with_body(&cache, PAGE, body, fetched);
        let at = allowed(cache.request(0, PAGE, slot, now * 1_000));
        if slot == 0 {
            assert_eq!(at, now * 1_000);
            slot = allowed(cache.request(0, PAGE, 0, now * 1_000));
        } else {
            slot = at;
        }
        waits.push(slot / 1_000 - now);
        now -= 3_600;
    }
    assert!(
        waits.iter().all(|wait| (10..=16).contains(wait)),
        "{waits:?}"
    );
}

/// SPEC 3.9: where nothing but rests fills the cache, the one that ends first is dropped.
#[test]
fn the_longest_rests_survive() {
    let cache = Cache::new(&[Crawler::new("First").unwrap()], 65_536).unwrap();
    let rest = |url: &str, seconds: &str| cache.retry_after(url, 503, seconds, NOW_MS).unwrap();
    rest(PAGE, "36001");
    for site in 0..501 {
        rest(&format!("https://{site}.wild.example/"), "36000");
    }
    assert!(cache.counts().evicted > 200);
    let (verdict, until) = deferred(cache.check(0, PAGE, NOW));
    assert_eq!((verdict.reason(), until), (Reason::Defer, NOW + 36_001));
}

/// SPEC 3.10: tickets, however many, end no rest.
#[test]
fn a_rest_survives_many_tickets() {
    let cache = Cache::new(&[Crawler::new("First").unwrap()], 65_536).unwrap();
    cache.retry_after(PAGE, 503, "80000", NOW_MS).unwrap();
    let tickets: Vec<_> = (0..200)
        .map(|site| cache.check(0, format!("https://{site}.example/"), NOW))
        .collect();
    assert!(cache.bytes() < 60_000 && cache.counts().fetches == 200);
    assert_eq!(deferred(cache.check(0, PAGE, NOW + 1)).1, NOW + 80_000);
    drop(tickets);
}

/// SPEC 3.10: not even the robots.txt, neither its first fetch nor a refresh.
#[test]
fn a_site_that_rests_gets_no_request() {
    let cache = paced();
    let due = NOW + DAY - 60;
    cache.retry_after(PAGE, 429, "7200", due * 1_000).unwrap();
    assert!(decided(cache.check(0, PAGE, due)).1.is_none());
    // The outcome is over, the rest is not.
    assert_eq!(deferred(cache.check(0, PAGE, NOW + DAY)).1, due + 7_200);
    let at_end = due * 1_000 + 7_200_000;
    let refused = cache.request(0, PAGE, 0, at_end - 1);
    assert_eq!(
        (deferred(refused.decision).1, refused.at_ms),
        (due + 7_200, at_end)
    );
    let fetched = cache.request(0, PAGE, 0, at_end).decision;
    assert!(matches!(fetched, CacheDecision::Fetch(_)), "{fetched:?}");
}

/// SPEC 3.9: a slot that is too late to be reserved is had at its time, whenever the fetch ended.
#[test]
fn who_comes_back_at_the_named_time_may_send() {
    for after in [0, 1, 137, 873, 999, 1_000, 1_863] {
        for horizon in [0, 500] {
            let cache = Cache::new(&[Crawler::new("First").unwrap()], 1_000_000).unwrap();
            let cache = cache.with_horizon(horizon).unwrap();
            with_body(&cache, PAGE, "User-agent: *\nCrawl-delay: 1\n", NOW);
            let first = cache.request(0, PAGE, 0, NOW_MS + after);
            let named = first.at_ms;
            let held = match first.decision {
                CacheDecision::Decided { .. } => named,
                _ => 0,
            };
            assert_eq!(named, NOW_MS + 1_000 + after.min(1_000));
            let at = cache.request(0, PAGE, held, named).at_ms;
            assert_eq!(at, named, "{after} {horizon}");
        }
    }
}

/// SPEC 3.9: nobody sends at a slot that no cache gave.
#[test]
fn an_invented_slot_is_none() {
    for held in [1, NOW_MS, NOW_MS + 1, u64::MAX] {
        let at = allowed(paced().request(0, PAGE, held, NOW_MS));
        assert_eq!(at, NOW_MS + 200, "{held}");
    }
}

/// SPEC 3.9: a process that ends holds no slots.
#[test]
fn a_saved_cache_keeps_the_gap_and_no_reserved_slots() {
    let folder = crate::file::Folder::new("reserved");
    let file = folder.file();
    let crawlers = [Crawler::new("First").unwrap()];
    let mut cache = paced();
    for _ in 0..8 {
        for _ in 0..40 {
            allowed(cache.request(0, PAGE, 0, NOW_MS));
        }
        cache.save(&file).unwrap();
        cache = Cache::new(&crawlers, 1_000_000).unwrap();
        cache.load(&file).unwrap();
    }
    assert_eq!(allowed(cache.request(0, PAGE, 0, NOW_MS)), NOW_MS + 200);
    // What was sent keeps its gap.
    assert_eq!(
        allowed(cache.request(0, PAGE, NOW_MS + 200, NOW_MS + 250)),
        NOW_MS + 250
    );
    cache.save(&file).unwrap();
    let cache = Cache::new(&crawlers, 1_000_000).unwrap();
    cache.load(&file).unwrap();
    assert_eq!(
        allowed(cache.request(0, PAGE, 0, NOW_MS + 250)),
        NOW_MS + 450
    );
}

/// SPEC 3.9: the rest of a site without an outcome moves, too.
#[test]
fn a_rest_without_an_outcome_is_exported() {
    let cache = Cache::new(&[Crawler::new("First").unwrap()], 1_000_000).unwrap();
    cache.retry_after(PAGE, 503, "36000", NOW_MS).unwrap();
    let records: Vec<_> = cache.export().collect();
    assert_eq!(records.len(), 1);
    let known = Cache::new(cache.crawlers(), 1_000_000).unwrap();
    with_body(&known, PAGE, "", NOW);
    let empty = Cache::new(cache.crawlers(), 1_000_000).unwrap();
    for other in [known, empty] {
        other.import(&records[0]).unwrap();
        if other.outcome(PAGE).unwrap().is_none() {
            with_body(&other, PAGE, "", NOW);
        }
        let request = other.request(0, PAGE, 0, NOW_MS);
        assert_eq!(request.at_ms, NOW_MS + 36_000_000);
    }
    let verdict = Outcome::check_record(&records[0], 0, PAGE, NOW);
    assert_eq!(
        (verdict.allowed(), verdict.reason()),
        (false, Reason::Defer)
    );
}

/// A record decides in place as its outcome.
#[test]
fn a_record_decides_as_its_outcome() {
    let crawlers = crawlers();
    #[rustfmt::skip]
    let urls = [
        "https://example.com/private/x", "https://example.com/public/x", "/private/x", "/robots.txt", "x", "",
        "https://other.example/", "file:///x", "htaps://h/", "mailto:x", "https://example.com/%70rivate/x",
    ];
    for status in [200, 401, 404, 429, 503, 302] {
        for options in [0, 1] {
            let crawlers = crawlers.clone().map(|crawler| match options {
                0 => crawler,
                _ => crawler.with_dialect(robots::Dialect::Koster1996).unwrap(),
            });
            let outcome = Outcome::from_status(&crawlers, PAGE, status, BODY, NOW).unwrap();
            for slot in [false, true] {
                let cache = Cache::new(&crawlers, 1_000_000).unwrap();
                let CacheDecision::Fetch(ticket) = cache.check(0, PAGE, NOW) else {
                    panic!("no ticket")
                };
                ticket.finish(outcome.clone(), NOW).unwrap();
                if slot {
                    cache.retry_after(PAGE, 429, "", NOW_MS).unwrap();
                }
                let record = cache.export().next().unwrap();
                for url in urls {
                    for now in [0, NOW - 1, NOW, NOW + 599, NOW + DAY, LAST, LAST + 1] {
                        for crawler in 0..2 {
                            let expected = outcome.check(crawler, url, now);
                            let found = Outcome::check_record(&record, crawler, url, now);
                            assert_eq!(found, expected, "{status} {url} {now}");
                        }
                    }
                }
                assert_eq!(
                    Outcome::check_record(&record, 16, "/", NOW).error(),
                    Some(Error::Argument)
                );
                for len in 0..record.len() {
                    assert!(
                        !Outcome::check_record(&record[..len], 1, "/private/x", NOW).allowed()
                            || status == 401
                            || status == 404
                    );
                }
            }
        }
    }
}
