//! Outcomes as the library encodes them, one after another.
//!
//! A record has no mark of its end. Its length follows from its fields: a header of 72 bytes with the number of images in
//! byte 11, then four texts and the images, each after its length in 8 bytes.

use std::io::{self, Read};

use robots::{Crawler, Error, Outcome};

use super::counts::LeftOut;
use super::item::{Content, Event, Item, Sink};

const HEADER: usize = 72;
const IMAGES: usize = 11;
const TEXTS: usize = 4;

/// No record is longer: a robots.txt is read up to 1 GiB.
const LONGEST: u64 = 1 << 31;

pub(super) fn read(
    source: &mut dyn Read,
    crawler: &Crawler,
    now: u64,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    let mut number = 0_u64;
    while let Some(record) = record(source).map_err(|error| error.to_string())? {
        number += 1;
        let outcome = Outcome::decode(&record, std::slice::from_ref(crawler));
        let outcome = outcome.map_err(|error| match error {
            Error::ImageFormat => format!(
                "record {number} is of another version, or for another crawler: give the tokens and options it was made with, or fetch the file again"
            ),
            error => format!("record {number}: {error}"),
        })?;
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

/// Reads the next record; `None` at the end.
fn record(source: &mut dyn Read) -> io::Result<Option<Vec<u8>>> {
    let mut record = Vec::new();
    append(source, HEADER as u64, &mut record)?;
    if record.is_empty() {
        return Ok(None);
    }
    let cut = || io::Error::new(io::ErrorKind::UnexpectedEof, "the last record is cut short");
    let images = *record
        .get(IMAGES)
        .filter(|_| record.len() == HEADER)
        .ok_or_else(cut)?;
    for _ in 0..TEXTS + usize::from(images) {
        let at = record.len();
        append(source, 8, &mut record)?;
        let length = record.get(at..).and_then(|bytes| bytes.try_into().ok());
        let length = u64::from_le_bytes(length.ok_or_else(cut)?);
        if record.len() as u64 + length > LONGEST {
            return Err(io::Error::other("a record is damaged"));
        }
        let before = record.len() as u64;
        append(source, length, &mut record)?;
        if record.len() as u64 != before + length {
            return Err(cut());
        }
    }
    Ok(Some(record))
}

fn append(source: &mut dyn Read, count: u64, to: &mut Vec<u8>) -> io::Result<()> {
    source.take(count).read_to_end(to).map(|_| ())
}
