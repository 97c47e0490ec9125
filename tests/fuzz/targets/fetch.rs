//! A fetch that is told anything at any time (SPEC 2, 3), and records that are damaged or forged.

use super::input::{Octets, dialect};
use crate::invariants::fetch::{Event, drive};
use crate::invariants::image::seal;
use crate::support::bridge;
use robots::{Crawler, Outcome};

const STATUSES: &[u16] = &[
    200, 200, 204, 301, 302, 304, 307, 401, 403, 404, 410, 418, 429, 500, 503,
];
const NAMES: &[&str] = &[
    "Location",
    "ETag",
    "Last-Modified",
    "Cache-Control",
    "Age",
    "Expires",
    "Date",
    "Retry-After",
];
const BODIES: &[&str] = &[
    "user-agent: *\ndisallow: /\n",
    "user-agent: *\nallow: /\n",
    "",
    "\u{feff}x",
];
const RECORD: u8 = 0x80;

/// An octet for the dialect, or for a record; then events.
pub fn run(data: &[u8]) {
    let mut octets = Octets(data);
    let first = octets.next();
    if first & RECORD != 0 {
        return record(octets);
    }
    let events = events(&mut octets);
    drive(bridge::dialect(dialect(first)), &events)
        .unwrap_or_else(|fault| panic!("{fault}\n{events:?}"));
}

fn events(octets: &mut Octets) -> Vec<Event> {
    let mut events = Vec::new();
    while !octets.0.is_empty() && events.len() < 200 {
        events.push(match octets.next() % 10 {
            0 => Event::Status(octets.pick(STATUSES), time(octets)),
            1 => {
                let status = u16::from_be_bytes([octets.next(), octets.next()]);
                Event::Status(status, time(octets))
            }
            2 => Event::Header(octets.text().to_vec(), octets.text().to_vec()),
            3 | 4 => Event::Header(octets.pick(NAMES).into(), octets.text().to_vec()),
            5 => Event::HeadersEnd,
            6 => Event::Body(octets.pick(BODIES).into()),
            7 => {
                let times = usize::from(octets.next());
                let text = octets.text();
                Event::Body(text.repeat(if times > 250 { 4_000 } else { 1 }))
            }
            8 => Event::End,
            _ => Event::Fail(u32::from(octets.next()) % 7 + 1, time(octets)),
        });
    }
    events
}

/// Seconds, hours or days from 1970 on, or any number.
fn time(octets: &mut Octets) -> u64 {
    match octets.next() {
        255 => octets.number(),
        unit => u64::from(octets.next()) * [1, 60, 3_600, 86_400][usize::from(unit & 3)],
    }
}

/// A record of an outcome, changed in some places, its checksum right: refused, or an outcome.
fn record(mut octets: Octets) {
    let crawlers = [Crawler::new("bot").unwrap(), Crawler::new("other").unwrap()];
    let crawlers = &crawlers[..1 + usize::from(octets.next() & 1)];
    let url = "https://example.com:8080/x";
    let (status, now) = (octets.pick(STATUSES), time(&mut octets));
    let Ok(outcome) = Outcome::from_status(crawlers, url, status, octets.text(), now) else {
        return; // a redirect leads somewhere else
    };
    let mut record = outcome.encode().unwrap();
    while !octets.0.is_empty() {
        let at = usize::from(u16::from_be_bytes([octets.next(), octets.next()])) % record.len();
        match octets.next() % 4 {
            0 => record[at] = octets.next(),
            1 => record[at] = record[at].wrapping_add(octets.next()),
            2 => drop(record.splice(at..at, octets.text().iter().copied())),
            _ => record.truncate(at.max(16)),
        }
    }
    seal(&mut record);
    let Ok(outcome) = Outcome::decode(&record, crawlers) else {
        return;
    };
    for now in [
        0,
        now,
        outcome.fetched_at(),
        outcome.usable_until(),
        u64::MAX,
    ] {
        for crawler in 0..3 {
            let verdict = outcome.check(crawler, url, now);
            assert!(verdict.error().is_none() || !verdict.allowed());
        }
    }
    let again = Outcome::decode(&outcome.encode().unwrap(), crawlers).unwrap();
    assert_eq!(format!("{again:?}"), format!("{outcome:?}"));
    // Whoever forged it, the next fetch can go on from it.
    let mut fetch = robots::Fetch::new(crawlers, url, now).unwrap();
    if fetch.set_previous(&outcome).is_ok() {
        fetch.fail(robots::Failure::Timeout, now).unwrap();
        fetch.outcome().unwrap().encode().unwrap();
    }
}
