//! Invariants of caches, for any calls at any times: a cache answers as a naive model of it.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use robots::cache::{Cache, CacheDecision, DEFAULT_TICKET_TTL, Ticket};
use robots::{Crawler, Dialect, Error, Failure, Outcome, OutcomeKind, Reason, Verdict};
use std::collections::BTreeMap;

pub const NOW: u64 = 1_800_000_000;
pub const TTL: u64 = DEFAULT_TICKET_TTL;
pub const DAY: u64 = 86_400;
pub const BODY: &str =
    "User-agent: *\nDisallow: /private/\n\nUser-agent: Second\nDisallow: /public/\n";

pub fn crawlers() -> [Crawler; 2] {
    [
        Crawler::new("First").unwrap(),
        Crawler::new("Second").unwrap(),
    ]
}

pub const SITES: [&str; 4] = [
    "https://a.example",
    "http://a.example",
    "https://a.example:8443",
    "https://a-host-with-a-name-that-is-longer-than-most-of-them.b.example",
];

/// The model: a table of sites, without a capacity, for one thread.
#[derive(Default)]
struct Model {
    sites: BTreeMap<String, Site>,
}

#[derive(Clone, Default)]
struct Site {
    outcome: Option<Outcome>,
    /// Number and time of issue.
    ticket: Option<(usize, u64)>,
}

/// How far the readings of two threads may differ (SPEC 2.18).
const SKEW: u64 = 60;
/// The last second of the year 9999.
pub const LAST: u64 = 253_402_300_799;

/// SPEC 2.18
fn is_ahead(outcome: &Outcome, now: u64) -> bool {
    outcome.attempted_at() > now.saturating_add(SKEW)
}

#[derive(Debug, PartialEq)]
enum Expected {
    Decided { verdict: Verdict, refresh: bool },
    Fetch,
    Wait,
    Defer(Reason, u64),
}

impl Model {
    /// `next`: the number of the ticket, if one is issued.
    fn check(
        &mut self,
        crawler: usize,
        origin: &str,
        path: &[u8],
        now: u64,
        next: usize,
    ) -> Expected {
        let site = self.sites.entry(origin.to_owned()).or_default();
        let mut verdict = None;
        if let Some(outcome) = site.outcome.as_ref().filter(|known| !is_ahead(known, now)) {
            let refusal = match outcome.kind() {
                OutcomeKind::Defer => Some(Reason::Defer),
                OutcomeKind::Unreachable => Some(Reason::Unreachable),
                _ => None,
            };
            if refusal.is_none() && now < outcome.usable_until() {
                verdict = Some(outcome.rules(crawler).unwrap().check(path));
            }
            // SPEC 3.8: what was answered is refreshed in the last tenth of its TTL. No time is later than 9999.
            let due = match outcome.stale() || outcome.unreachable_since().is_some() {
                true => outcome.retry_at(),
                false => {
                    outcome.fresh_until() - (outcome.fresh_until() - outcome.fetched_at()) / 10
                }
            }
            .min(LAST + 1);
            if now < due {
                return match verdict {
                    Some(verdict) => Expected::Decided {
                        verdict,
                        refresh: false,
                    },
                    // A copy of koster1996 may expire before the next attempt is due (SPEC 2.11).
                    None => Expected::Defer(refusal.unwrap_or(Reason::Defer), due),
                };
            }
        }
        let is_live = site
            .ticket
            .is_some_and(|(_, issued)| now.abs_diff(issued) < TTL);
        if !is_live {
            site.ticket = Some((next, now));
        }
        match verdict {
            Some(verdict) => Expected::Decided {
                verdict,
                refresh: !is_live,
            },
            None if is_live => Expected::Wait,
            None => Expected::Fetch,
        }
    }

    fn finish(&mut self, number: usize, origin: &str, outcome: Outcome, now: u64) {
        if is_ahead(&outcome, now) {
            return self.give_back(number, origin);
        }
        let site = self.sites.entry(origin.to_owned()).or_default();
        let is_own = site.ticket.is_some_and(|(held, _)| held == number);
        let is_newer = site
            .outcome
            .as_ref()
            .is_none_or(|known| is_ahead(known, now) || known.fetched_at() < outcome.fetched_at());
        if is_own || is_newer {
            site.outcome = Some(outcome);
        }
        if is_own {
            site.ticket = None;
        }
    }

    fn give_back(&mut self, number: usize, origin: &str) {
        if let Some(site) = self.sites.get_mut(origin)
            && site.ticket.is_some_and(|(held, _)| held == number)
        {
            site.ticket = None;
            if site.outcome.is_none() {
                self.sites.remove(origin);
            }
        }
    }

    fn remove(&mut self, origin: &str) {
        if let Some(site) = self.sites.get_mut(origin) {
            site.outcome = None;
            if site.ticket.is_none() {
                self.sites.remove(origin);
            }
        }
    }
}

#[derive(Clone, Debug)]
pub enum Step {
    Check {
        crawler: usize,
        site: usize,
        path: Vec<u8>,
    },
    /// The ticket at this place among those held, modulo their number; the status, of no response if it is 0; how long the
    /// fetch took; how many seconds its last reading was ahead.
    Finish {
        held: usize,
        status: u16,
        took: u64,
        ahead: u64,
    },
    GiveBack {
        held: usize,
    },
    Remove {
        site: usize,
    },
    Forward(u64),
    Back(u64),
    Jump(u64),
}

/// Does the steps with a cache and with the model.
pub fn agrees_with_model(dialect: Dialect, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let crawlers = crawlers().map(|crawler| crawler.with_dialect(dialect).unwrap());
    let cache = Cache::new(&crawlers, 10_000_000).unwrap();
    let mut model = Model::default();
    let mut held: Vec<(usize, Ticket)> = Vec::new();
    let mut issued = 0;
    let mut now = NOW;
    for step in steps {
        match step {
            Step::Check {
                crawler,
                site,
                path,
            } => {
                let site = SITES[site];
                let answer = cache.check(crawler, [site.as_bytes(), &path].concat(), now);
                // SPEC 2.18: who follows the answer does not spin. Nothing is later than the last number.
                if let CacheDecision::Wait { until } | CacheDecision::Defer { until, .. } = answer {
                    prop_assert!(until > now || now == u64::MAX, "{:?} at {}", answer, now);
                }
                if now > LAST {
                    let CacheDecision::Defer { verdict, .. } = answer else {
                        return Err(TestCaseError::fail(format!("{answer:?}")));
                    };
                    prop_assert_eq!(verdict.error(), Some(Error::Argument));
                    continue;
                }
                let expected = model.check(
                    crawler,
                    site,
                    if path.is_empty() { b"/" } else { &path },
                    now,
                    issued,
                );
                let (found, ticket) = match answer {
                    CacheDecision::Decided { verdict, refresh } => (
                        Expected::Decided {
                            verdict,
                            refresh: refresh.is_some(),
                        },
                        refresh,
                    ),
                    CacheDecision::Fetch(ticket) => (Expected::Fetch, Some(ticket)),
                    CacheDecision::Wait { .. } => (Expected::Wait, None),
                    CacheDecision::Defer { verdict, until } => {
                        prop_assert!(!verdict.allowed());
                        (Expected::Defer(verdict.reason(), until), None)
                    }
                };
                prop_assert_eq!(found, expected);
                if let Some(ticket) = ticket {
                    prop_assert_eq!(ticket.origin(), site);
                    held.push((issued, ticket));
                    issued += 1;
                }
            }
            Step::Finish {
                held: at,
                status,
                took,
                ahead,
            } if !held.is_empty() => {
                let (number, ticket) = held.remove(at % held.len());
                let origin = ticket.origin().to_owned();
                let at = (now.saturating_sub(took).saturating_add(ahead)).min(LAST);
                // It knows the outcome that the cache had when it issued the ticket.
                let mut fetch = ticket.fetch(at).unwrap();
                if status == 0 {
                    fetch.fail(Failure::Timeout, at).unwrap();
                } else {
                    fetch.status(status, at).unwrap();
                    if fetch.headers_end().unwrap() == robots::Step::Body {
                        fetch.body(BODY).unwrap();
                        fetch.end().unwrap();
                    }
                }
                let outcome = fetch.outcome().unwrap().clone();
                let result = ticket.finish(outcome.clone(), now);
                if now > LAST {
                    prop_assert_eq!(result, Err(Error::Argument));
                    model.give_back(number, &origin);
                    continue;
                }
                prop_assert_eq!(result, Ok(()));
                model.finish(number, &origin, outcome, now);
            }
            Step::GiveBack { held: at } if !held.is_empty() => {
                let (number, ticket) = held.remove(at % held.len());
                model.give_back(number, ticket.origin());
                drop(ticket);
            }
            Step::Remove { site } => {
                cache.remove(SITES[site]).unwrap();
                model.remove(SITES[site]);
            }
            Step::Forward(seconds) => now = now.saturating_add(seconds),
            Step::Back(seconds) => now = now.saturating_sub(seconds),
            Step::Jump(to) => now = to,
            _ => (),
        }
        prop_assert_eq!(cache.len(), model.sites.len());
        prop_assert_eq!(cache.bytes() == 0, cache.is_empty());
    }
    // What is known can be taken along, and no more than that.
    let warm = Cache::new(&crawlers, 10_000_000).unwrap();
    for record in cache.export() {
        prop_assert_eq!(warm.import(record), Ok(()));
    }
    let known = model.sites.values().filter(|site| site.outcome.is_some());
    prop_assert_eq!(warm.len(), known.count());
    // Nothing is counted twice or never given back.
    held.clear();
    cache.clear();
    prop_assert_eq!((cache.len(), cache.bytes()), (0, 0));
    Ok(())
}
