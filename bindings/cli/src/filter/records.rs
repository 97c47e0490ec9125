//! Outcomes as the library encodes them, one after another.

use std::io::Read;

use robots::{Crawler, Error, Outcome};

use super::counts::LeftOut;
use super::item::{Content, Event, Item, Sink};

/// The bytes of a record up to its length.
const START: u64 = 24;

/// No record is longer: a robots.txt is read up to 1 GiB.
const LONGEST: u64 = 1 << 31;

pub(super) fn read(
    source: &mut dyn Read,
    crawler: &Crawler,
    now: u64,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    for number in 1_u64.. {
        let outcome = next(source, crawler).map_err(|error| format!("record {number} {error}"))?;
        let Some(outcome) = outcome else { break };
        let origin = outcome.origin.key();
        // The clock of a record of the future was wrong, so it decides nothing (SPEC 2.18).
        let made_at = outcome.fetched_at.max(outcome.attempted_at);
        let event = if made_at > now || outcome.usable_until <= now {
            Event::LeftOut(LeftOut::Expired, origin.to_owned())
        } else {
            Event::Item(Item {
                keys: vec![outcome.origin.robots_url().into()],
                date: Some(i128::from(outcome.fetched_at) * 1_000_000_000),
                content: Content::Outcome(outcome),
            })
        };
        if !sink(event) {
            break;
        }
    }
    Ok(())
}

/// Reads the next outcome; `None` at the end.
fn next(source: &mut dyn Read, crawler: &Crawler) -> Result<Option<Outcome>, String> {
    let mut record = Vec::new();
    append(source, START, &mut record)?;
    if record.is_empty() {
        return Ok(None);
    }
    let is_start = record.len() as u64 == START;
    let len = if is_start {
        Outcome::record_len(&record).map_err(refused)?.max(START)
    } else {
        START
    };
    if len > LONGEST {
        return Err(refused(Error::Image));
    }
    append(source, len - record.len() as u64, &mut record)?;
    if len > record.len() as u64 {
        return Err("is cut short: the file ends".into());
    }
    let outcome = Outcome::decode(&record, std::slice::from_ref(crawler));
    outcome.map(Some).map_err(refused)
}

fn append(source: &mut dyn Read, count: u64, to: &mut Vec<u8>) -> Result<(), String> {
    let read = source.take(count).read_to_end(to);
    read.map(|_| ())
        .map_err(|error| format!("cannot be read: {error}"))
}

fn refused(error: Error) -> String {
    match error {
        Error::Image => "is damaged".into(),
        Error::ImageFormat => "is of another version, or for another crawler: give the tokens and options it was made with, or fetch the file again".into(),
        error => format!("is refused: {error}"),
    }
}
