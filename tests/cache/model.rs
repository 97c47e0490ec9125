//! Any sequence of steps, against a naive model of the cache.

use crate::invariants::agrees_with_model;
use crate::*;

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
    let paths = || prop::sample::select(vec!["/", "/private/a", "/public/b", "/robots.txt", ""]);
    prop_oneof![
        10 => (0..2_usize, 0..4_usize, paths())
            .prop_map(|(crawler, site, path)| Step::Check { crawler, site, path: path.into() }),
        8 => (0..2_usize, 0..4_usize, paths(), held(), 0..1_000_u64)
            .prop_map(|(crawler, site, path, held, ms)| Step::Request { crawler, site, path: path.into(), held, ms }),
        2 => (0..4_usize, 0..1_000_u64).prop_map(|(site, ms)| Step::Answered { site, ms }),
        1 => (0..4_usize, seconds()).prop_map(|(site, seconds)| Step::Busy { site, seconds }),
        5 => (0..8_usize, prop::sample::select(vec![200_u16, 200, 200, 404, 429, 500, 503, 0]), 0..200_u64, ahead())
            .prop_map(|(held, status, took, ahead)| Step::Finish { held, status, took, ahead }),
        1 => (0..8_usize).prop_map(|held| Step::GiveBack { held }),
        1 => (0..4_usize).prop_map(|site| Step::Remove { site }),
        3 => seconds().prop_map(Step::Forward),
        1 => seconds().prop_map(Step::Back),
        1 => prop::sample::select(vec![0, NOW, LAST, LAST + 1, u64::MAX]).prop_map(Step::Jump),
    ]
}

fn held() -> impl Strategy<Value = HeldSlot> {
    prop_oneof![
        2 => Just(HeldSlot::None),
        3 => any::<usize>().prop_map(HeldSlot::Given),
        1 => Just(HeldSlot::Now),
    ]
}

/// Mostly none.
fn ahead() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => Just(0),
        1 => 0..400_u64,
        1 => prop::sample::select(vec![DAY, 365 * DAY, LAST]),
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// SPEC 2.18: who does what the cache says gets on, also with a full cache, a file that does not fit, the shortest times
    /// and misuse. What is deferred has a later time, and what was fetched now is not fetched again now.
    #[test]
    fn who_follows_the_answers_does_not_spin(
        dialect in dialect(),
        min_ttl in prop::sample::select(vec![0_u64, 1, 300]),
        steps in prop::collection::vec((0..150_usize, status(), 0..3_usize, pause(), any::<bool>()), 1..150),
    ) {
        let large: String = (0..10_000).map(|n| format!("Disallow: /{n}{}\n", n * 7919)).collect();
        let bodies = ["", BODY, &["User-agent: *\n", &large].concat()];
        let crawlers = crawlers().map(|crawler| {
            let crawler = crawler.with_fetch_option(robots::FetchOption::MinTTL, min_ttl);
            crawler.unwrap().with_dialect(dialect).unwrap()
        });
        let cache = Cache::new(&crawlers, 65_536).unwrap();
        let mut lost = Vec::new();
        let mut now = NOW;
        for (site, status, body, pause, is_lost) in steps {
            let url = format!("https://{}.{site}.example/", "long".repeat(50));
            for crawler in [0, 2] {
                let answer = cache.check(crawler, &url, now);
                let ticket = match answer {
                    CacheDecision::Wait { until } | CacheDecision::Defer { until, .. } => {
                        prop_assert!(until > now, "{:?} at {}", answer, now);
                        continue;
                    }
                    CacheDecision::Fetch(ticket) => ticket,
                    CacheDecision::Decided { refresh: Some(ticket), .. } => ticket,
                    CacheDecision::Decided { .. } => continue,
                };
                if is_lost {
                    lost.push(ticket);
                    continue;
                }
                let mut fetch = ticket.fetch(now).unwrap();
                fetch.status(status, now).unwrap();
                fetch.header("Cache-Control", "no-store").unwrap();
                fetch.header("Retry-After", "0").unwrap();
                if fetch.headers_end().unwrap() == robots::Step::Body {
                    fetch.body(bodies[body]).unwrap();
                    if fetch.step() == robots::Step::Body {
                        fetch.end().unwrap();
                    }
                }
                let _ = ticket.finish(fetch.outcome().unwrap().clone(), now);
                let answer = cache.check(crawler, &url, now);
                prop_assert!(!matches!(answer, CacheDecision::Fetch(_)), "{} at {}", status, now);
            }
            now = (now + pause).min(LAST);
        }
    }
}

fn pause() -> impl Strategy<Value = u64> {
    prop::sample::select(vec![0, 0, 0, 1, 60, 600, DAY])
}

fn status() -> impl Strategy<Value = u16> {
    prop::sample::select(vec![
        200_u16, 200, 200, 302, 304, 401, 403, 404, 429, 500, 503,
    ])
}
