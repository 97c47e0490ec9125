//! Invariants of caches, for any calls at any times: a cache answers as a naive model of it.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use robots::cache::{Cache, CacheDecision, DEFAULT_TICKET_TTL, Ticket};
use robots::{Crawler, Dialect, Error, Failure, Outcome, OutcomeKind, Reason, Verdict};
use std::collections::BTreeMap;

pub const NOW: u64 = 1_800_000_000;
pub const TTL: u64 = DEFAULT_TICKET_TTL;
pub const DAY: u64 = 86_400;
pub const BODY: &str = "User-agent: *\nDisallow: /private/\nCrawl-delay: 0.7\n\nUser-agent: Second\nDisallow: /public/\nCrawl-delay: 90\n";

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
    /// The first slot that nobody holds, and how long that was after the clock that set it, both in milliseconds.
    line: Option<(u64, u64)>,
    /// Nothing is sent before this time.
    open: u64,
    /// That after the last request.
    delay: u64,
    /// Until this time not even the robots.txt is fetched.
    rest_until: u64,
}

/// SPEC 3.9: the unit in which a cache keeps the second part of a slot, and its longest.
const WAIT_UNIT: u64 = 4_000;
const MAX_WAIT: u64 = 65_535 * WAIT_UNIT;
/// The defaults.
const MAX_DELAY: u64 = 60_000;
const HORIZON: u64 = 60_000;

impl Site {
    /// The end of the line by a clock that may have been set back.
    fn line_at(&mut self, now: u64) -> u64 {
        let Some((at, wait)) = self.line else {
            return 0;
        };
        if at > now + wait + SKEW * 1_000 {
            // The slots that were reserved are lost.
            self.open = (now + wait).saturating_sub(at - self.open).max(now);
            self.set_line(self.open, now);
            self.rest_until = self.rest_until.min(self.open);
            return self.open;
        }
        at
    }

    fn set_line(&mut self, at: u64, now: u64) {
        let wait = at.saturating_sub(now).div_ceil(WAIT_UNIT) * WAIT_UNIT;
        self.line = (at > 0).then_some((at, wait.min(MAX_WAIT)));
    }

    /// A page was answered.
    fn answered(&mut self, now: u64) {
        if self.delay > 0 {
            self.close(now + self.delay, now);
        }
    }

    /// Nothing is sent before `at`.
    fn close(&mut self, at: u64, now: u64) {
        let line = self.line_at(now);
        self.open = self.open.max(at);
        if line < at {
            self.set_line(at, now);
        }
    }
}

/// How far the readings of two threads may differ (SPEC 2.18).
const SKEW: u64 = 60;
/// The first time in milliseconds that is not one in seconds (SPEC 3.9).
const FIRST_MS: u64 = 100_000_000_000;
/// The last second of the year 9999.
pub const LAST: u64 = 253_402_300_799;

/// SPEC 2.18
fn is_ahead(outcome: &Outcome, now: u64) -> bool {
    outcome.attempted_at > now.saturating_add(SKEW)
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
        now_ms: u64,
        next: usize,
    ) -> Expected {
        let now = now_ms / 1_000;
        let site = self.sites.entry(origin.to_owned()).or_default();
        let mut verdict = None;
        if let Some(outcome) = site.outcome.as_ref().filter(|known| !is_ahead(known, now)) {
            let refusal = match outcome.kind {
                OutcomeKind::Defer => Some(Reason::Defer),
                OutcomeKind::Unreachable => Some(Reason::Unreachable),
                _ => None,
            };
            if refusal.is_none() && now < outcome.usable_until {
                verdict = Some(outcome.rules(crawler).unwrap().check(path));
            }
            // SPEC 3.8: what was answered is refreshed in the last tenth of its TTL. No time is later than 9999.
            let due = match outcome.stale || outcome.unreachable_since.is_some() {
                true => outcome.retry_at,
                false => outcome.fresh_until - (outcome.fresh_until - outcome.fetched_at) / 10,
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
        // SPEC 3.10.
        let mut rests = false;
        if !is_live {
            site.line_at(now_ms);
            rests = site.rest_until > now_ms;
        }
        let refresh = !is_live && !rests;
        if refresh {
            site.ticket = Some((next, now));
        }
        match verdict {
            Some(verdict) => Expected::Decided { verdict, refresh },
            None if is_live => Expected::Wait,
            None if rests => Expected::Defer(Reason::Defer, site.rest_until.div_ceil(1_000)),
            None => Expected::Fetch,
        }
    }

    /// The time of the request and the delay after it, for a URL that is allowed; whether it is deferred.
    fn request(&mut self, crawler: usize, origin: &str, held: u64, now: u64) -> (u64, u64, bool) {
        let site = self.sites.get_mut(origin).unwrap();
        let outcome = site.outcome.as_ref().unwrap();
        let stated = outcome.rules(crawler).unwrap().crawl_delay();
        let delay = stated.map_or(0, |seconds| ((seconds * 1_000.0) as u64).min(MAX_DELAY));
        if delay == 0 && site.line.is_none() {
            return (now, delay, false);
        }
        let fetched = outcome.fetched_at.max(outcome.attempted_at) * 1_000;
        // The fetch counts as a request, once.
        let line = site.line_at(now);
        if fetched <= now && line < fetched + delay || fetched > now && line < now {
            site.close((fetched + 1_000).min(now) + delay, now);
        }
        let mut at = site.line_at(now).max(now);
        let mut is_new = true;
        if held != 0 && held <= site.line_at(now) {
            let due = held.max(site.open).max(now);
            if due == now || due < held + delay {
                (at, is_new) = (due, false);
            }
        }
        if at > now + HORIZON {
            return (at, delay, true);
        }
        if at == now {
            site.delay = delay;
            site.close(now + delay, now);
        } else if is_new {
            site.set_line(at + delay, now);
        }
        (at, delay, false)
    }

    /// The end of a rest that ends in this second; else 0.
    fn rest_until(&self, origin: &str, until: u64, now: u64) -> u64 {
        let rest = self.sites[origin].rest_until;
        let is_it = rest > now && rest.div_ceil(1_000) == until;
        if is_it { rest } else { 0 }
    }

    fn rest(&mut self, origin: &str, seconds: u64, now: u64) {
        let site = self.sites.entry(origin.to_owned()).or_default();
        site.answered(now);
        let until = now + seconds.min(DAY) * 1_000;
        site.close(until, now);
        site.rest_until = site.rest_until.max(until);
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
            .is_none_or(|known| is_ahead(known, now) || known.fetched_at < outcome.fetched_at);
        if is_own || is_newer {
            site.outcome = Some(outcome);
        }
        if is_own {
            site.ticket = None;
        }
    }

    fn give_back(&mut self, number: usize, origin: &str) {
        let is_its = |site: &&mut Site| site.ticket.is_some_and(|(held, _)| held == number);
        if let Some(site) = self.sites.get_mut(origin).filter(is_its) {
            site.ticket = None;
            if site.outcome.is_none() && site.line.is_none() {
                self.sites.remove(origin);
            }
        }
    }

    fn remove(&mut self, origin: &str) {
        let ticket = self.sites.remove(origin).and_then(|site| site.ticket);
        if ticket.is_some() {
            let site = Site {
                ticket,
                ..Site::default()
            };
            self.sites.insert(origin.to_owned(), site);
        }
    }
}

/// The slot that a request says it holds.
#[derive(Clone, Copy, Debug)]
pub enum HeldSlot {
    None,
    /// One of those that the site gave, modulo their number.
    Given(usize),
    /// It is due, whatever the site said.
    Now,
}

#[derive(Clone, Debug)]
pub enum Step {
    Check {
        crawler: usize,
        site: usize,
        path: Vec<u8>,
    },
    /// As `Check`, for a request at so many milliseconds after the time.
    Request {
        crawler: usize,
        site: usize,
        path: Vec<u8>,
        held: HeldSlot,
        ms: u64,
    },
    /// A page was answered 200, at so many milliseconds after the time.
    Answered {
        site: usize,
        ms: u64,
    },
    /// A page was answered 429, with this `Retry-After`.
    Busy {
        site: usize,
        seconds: u64,
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
    // Its sites are in one shard.
    let cache = Cache::new(&crawlers, 1_000_000).unwrap();
    let mut model = Model::default();
    let mut held: Vec<(usize, Ticket)> = Vec::new();
    let mut issued = 0;
    let mut now = NOW;
    // The slots that each site gave; when its last request was sent, and the delay after it, while no clock is set back.
    let mut given: [Vec<u64>; SITES.len()] = Default::default();
    let mut sent = [None; SITES.len()];
    for step in steps {
        if let Step::Back(_) | Step::Jump(_) | Step::Remove { .. } = step {
            sent = [None; SITES.len()];
        }
        let asked = match &step {
            Step::Request { ms, .. } => now.saturating_mul(1_000).saturating_add(*ms),
            _ => 0,
        };
        match step {
            Step::Check {
                crawler,
                site: number,
                ref path,
            }
            | Step::Request {
                crawler,
                site: number,
                ref path,
                ..
            } => {
                let site = SITES[number];
                let held_slot = match step {
                    Step::Request {
                        held: HeldSlot::Given(at),
                        ..
                    } if !given[number].is_empty() => given[number][at % given[number].len()],
                    Step::Request {
                        held: HeldSlot::Now,
                        ..
                    } => asked,
                    _ => 0,
                };
                let url = [site.as_bytes(), path].concat();
                let (answer, at, delay) = match asked {
                    0 => (cache.check(crawler, url, now), 0, 0),
                    now_ms => {
                        let request = cache.request(crawler, url, held_slot, now_ms);
                        (request.decision, request.at_ms, request.crawl_delay_ms)
                    }
                };
                // SPEC 2.18: who follows the answer does not spin. Nothing is later than the last number.
                if let CacheDecision::Wait { until } | CacheDecision::Defer { until, .. } = answer {
                    let clock = if asked > 0 { asked / 1_000 } else { now };
                    prop_assert!(until > clock || now == u64::MAX, "{:?} at {}", answer, now);
                }
                if now > LAST || asked > 0 && now < FIRST_MS / 1_000 {
                    let CacheDecision::Defer { verdict, .. } = answer else {
                        return Err(TestCaseError::fail(format!("{answer:?}")));
                    };
                    prop_assert_eq!(verdict.error(), Some(Error::Argument));
                    continue;
                }
                let mut expected = model.check(
                    crawler,
                    site,
                    if path.is_empty() { b"/" } else { path },
                    asked.max(now * 1_000),
                    issued,
                );
                let mut slot = (0, 0);
                if let (Expected::Defer(_, until), true) = (&expected, asked > 0) {
                    slot.0 = model.rest_until(site, *until, asked);
                }
                let allowed = match &expected {
                    Expected::Decided { verdict, refresh } if asked > 0 && verdict.allowed() => {
                        Some(*refresh)
                    }
                    _ => None,
                };
                if let Some(refresh) = allowed {
                    let (at, delay, is_late) = model.request(crawler, site, held_slot, asked);
                    slot = (at, delay);
                    given[number].push(at);
                    if at == asked {
                        // SPEC 3.9, whatever the model says.
                        let (before, delay_before) = sent[number].unwrap_or_default();
                        let is_apart = delay_before == 0 || at >= before + delay_before;
                        prop_assert!(is_apart, "{} {}", at, before);
                        sent[number] = Some((at, delay));
                    }
                    if is_late {
                        // The ticket went back.
                        if refresh {
                            model.give_back(issued, site);
                        }
                        expected = Expected::Defer(Reason::Defer, at.div_ceil(1_000));
                    }
                }
                prop_assert_eq!((at, delay), slot);
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
            Step::Busy { site, seconds } => {
                let now_ms = now.saturating_mul(1_000);
                let result = cache.retry_after(SITES[site], 429, seconds.to_string(), now_ms);
                if (FIRST_MS / 1_000..=LAST).contains(&now) {
                    prop_assert_eq!(result, Ok(()));
                    model.rest(SITES[site], seconds, now_ms);
                } else {
                    prop_assert_eq!(result, Err(Error::Argument));
                }
            }
            Step::Answered { site, ms } => {
                let now_ms = now.saturating_mul(1_000).saturating_add(ms);
                let result = cache.retry_after(SITES[site], 200, "", now_ms);
                if (FIRST_MS / 1_000..=LAST).contains(&now) {
                    prop_assert_eq!(result, Ok(()));
                    if let Some(site) = model.sites.get_mut(SITES[site]) {
                        site.answered(now_ms);
                    }
                } else {
                    prop_assert_eq!(result, Err(Error::Argument));
                }
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
    let is_known = |site: &&Site| site.outcome.is_some() || site.line.is_some();
    prop_assert_eq!(warm.len(), model.sites.values().filter(is_known).count());
    // Nothing is counted twice or never given back.
    held.clear();
    cache.clear();
    prop_assert_eq!((cache.len(), cache.bytes()), (0, 0));
    Ok(())
}
