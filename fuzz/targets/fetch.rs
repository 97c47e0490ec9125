//! A fetch that receives any event at any time (SPEC 2, 3), and records that are damaged or forged.

use super::input::{Bytes, dialect};
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

/// A byte for the dialect, or for a record; then events.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let first = bytes.next();
    if first & RECORD != 0 {
        return record(bytes);
    }
    let events = events(&mut bytes);
    drive(bridge::dialect(dialect(first)), &events)
        .unwrap_or_else(|fault| panic!("{fault}\n{events:?}"));
}

fn events(bytes: &mut Bytes) -> Vec<Event> {
    let mut events = Vec::new();
    while !bytes.0.is_empty() && events.len() < 200 {
        events.push(match bytes.next() % 10 {
            0 => Event::Status(bytes.pick(STATUSES), time(bytes)),
            1 => {
                let status = u16::from_be_bytes([bytes.next(), bytes.next()]);
                Event::Status(status, time(bytes))
            }
            2 => Event::Header(bytes.text().to_vec(), bytes.text().to_vec()),
            3 | 4 => Event::Header(bytes.pick(NAMES).into(), bytes.text().to_vec()),
            5 => Event::HeadersEnd,
            6 => Event::Body(bytes.pick(BODIES).into()),
            7 => {
                let times = usize::from(bytes.next());
                let text = bytes.text();
                Event::Body(text.repeat(if times > 250 { 4_000 } else { 1 }))
            }
            8 => Event::End,
            _ => Event::Fail(u32::from(bytes.next()) % 7 + 1, time(bytes)),
        });
    }
    events
}

/// Seconds, hours or days from 1970 on, or any number.
fn time(bytes: &mut Bytes) -> u64 {
    match bytes.next() {
        255 => bytes.number(),
        unit => u64::from(bytes.next()) * [1, 60, 3_600, 86_400][usize::from(unit & 3)],
    }
}

/// A record of an outcome, changed in some places, its checksum right: refused, or an outcome.
fn record(mut bytes: Bytes) {
    let crawlers = [Crawler::new("bot").unwrap(), Crawler::new("other").unwrap()];
    let crawlers = &crawlers[..1 + usize::from(bytes.next() & 1)];
    let url = "https://example.com:8080/x";
    let (status, now) = (bytes.pick(STATUSES), time(&mut bytes));
    let Ok(outcome) = Outcome::from_status(crawlers, url, status, bytes.text(), now) else {
        return; // a redirect leads somewhere else
    };
    let mut record = outcome.encode().unwrap();
    while !bytes.0.is_empty() {
        let at = usize::from(u16::from_be_bytes([bytes.next(), bytes.next()])) % record.len();
        match bytes.next() % 4 {
            0 => record[at] = bytes.next(),
            1 => record[at] = record[at].wrapping_add(bytes.next()),
            2 => drop(record.splice(at..at, bytes.text().iter().copied())),
            _ => record.truncate(at.max(16)),
        }
    }
    seal(&mut record);
    let Ok(outcome) = Outcome::decode(&record, crawlers) else {
        return;
    };
    for now in [0, now, outcome.fetched_at, outcome.usable_until, u64::MAX] {
        for crawler in 0..3 {
            let verdict = outcome.check(crawler, url, now);
            assert!(verdict.error().is_none() || !verdict.allowed());
        }
    }
    let again = Outcome::decode(&outcome.encode().unwrap(), crawlers).unwrap();
    assert_eq!(format!("{again:?}"), format!("{outcome:?}"));
    // A forged outcome, too, can be the previous one of a fetch.
    let mut fetch = robots::Fetch::new(crawlers, url, now).unwrap();
    if fetch.set_previous(&outcome).is_ok() {
        fetch.fail(robots::Failure::Timeout, now).unwrap();
        fetch.outcome().unwrap().encode().unwrap();
    }
}
