//! The cache: its decisions, its times, its limits, and a comparison with a naive model. The outcomes themselves are
//! tested with the fetch.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod decisions;
mod file;
#[path = "../invariants/cache.rs"]
mod invariants;
mod limits;
mod model;
mod pace;
mod times;

use invariants::{BODY, DAY, HeldSlot, LAST, NOW, Step, TTL, crawlers};
use proptest::prelude::*;
use robots::cache::{Cache, CacheDecision, Ticket};
use robots::{Crawler, Error, Failure, Outcome, Reason, Verdict};

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

/// The verdict of a deferred URL, and when to check again.
#[track_caller]
fn deferred(answer: CacheDecision) -> (Verdict, u64) {
    match answer {
        CacheDecision::Defer { verdict, until } => (verdict, until),
        other => panic!("a URL to keep was expected, not {other:?}"),
    }
}

#[track_caller]
fn fetched(cache: &Cache, status: u16, now: u64) {
    let ticket = ticket(cache.check(0, URL, now));
    ticket.finish(outcome(SITE, status, now), now).unwrap();
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
