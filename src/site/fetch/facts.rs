//! Packs the facts of an outcome as bytes for records and caches. The facts are everything except origin, crawlers and rules.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | flags: 1 downgraded, 2 stale, 4 there is an `unreachable_since`, 8 an `ETag`, 16 a `Last-Modified` |
//! | 1, 1, 1 | kind, cause, hops |
//! | 2 | status of the last response, little-endian |
//! | | fetched at; then, as differences from it: attempted at, fresh until, usable until, retry at, unreachable since (or 0) |
//! | | last URL (empty for the origin's /robots.txt), `ETag`, `Last-Modified`: each after its length; nothing if all are empty |
//!
//! Numbers are LEB128: 7 bits in each byte, the lowest first; a high bit of 1 shows that another byte follows. Differences are
//! in zigzag form, in which small negative differences are small numbers, too.

use super::header::is_validator;
use super::outcome::{Cause, Outcome, OutcomeParts};
use crate::base::error::Error;
use crate::base::limits::{MAX_TIME, MAX_URL};
use crate::bytes::try_alloc::{append, copy, push, reserved};
use crate::core::rules::Rules;
use crate::crawler::options::OutcomeKind;
use crate::url::origin::Origin;

mod flag {
    pub(super) const DOWNGRADED: u8 = 1;
    pub(super) const STALE: u8 = 2;
    pub(super) const UNREACHABLE: u8 = 4;
    pub(super) const ETAG: u8 = 8;
    pub(super) const LAST_MODIFIED: u8 = 16;
    pub(super) const ALL: u8 = 31;
}

#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    flags: u8,
    pub(crate) kind: OutcomeKind,
    cause: Cause,
    hops: u8,
    http_status: u16,
    pub(crate) fetched_at: u64,
    pub(super) attempted_at: u64,
    pub(crate) fresh_until: u64,
    pub(crate) usable_until: u64,
    pub(super) retry_at: u64,
    pub(super) unreachable_since: u64,
    final_url: &'a [u8],
    etag: &'a [u8],
    last_modified: &'a [u8],
}

impl<'a> Facts<'a> {
    /// Returns `name`, followed by the facts of an outcome.
    pub(crate) fn pack(name: &[u8], outcome: &OutcomeParts) -> Result<Vec<u8>, Error> {
        let flags = [
            (outcome.downgraded, flag::DOWNGRADED),
            (outcome.stale, flag::STALE),
            (outcome.unreachable_since.is_some(), flag::UNREACHABLE),
            (outcome.etag.is_some(), flag::ETAG),
            (outcome.last_modified.is_some(), flag::LAST_MODIFIED),
        ];
        let flags = flags.into_iter().filter(|(is_on, _)| *is_on);
        let flags = flags.fold(0, |all, (_, flag)| all | flag);
        let texts = [
            match outcome.final_url.strip_prefix(outcome.origin.key()) {
                Some("/robots.txt") => &[],
                _ => outcome.final_url.as_bytes(),
            },
            outcome.etag.as_deref().unwrap_or_default(),
            outcome.last_modified.as_deref().unwrap_or_default(),
        ];
        let room: usize = texts.iter().map(|text| 3 + text.len()).sum();
        let mut facts = reserved(name.len() + 6 + 6 * 10 + room)?;
        append(&mut facts, name)?;
        let [kind, cause] = [outcome.kind as u8, outcome.cause as u8];
        append(&mut facts, &[flags, kind, cause, outcome.hops])?;
        append(&mut facts, &outcome.http_status.to_le_bytes())?;
        push_number(&mut facts, outcome.fetched_at)?;
        for time in [
            outcome.attempted_at,
            outcome.fresh_until,
            outcome.usable_until,
            outcome.retry_at,
            outcome.unreachable_since.unwrap_or(outcome.fetched_at),
        ] {
            let after = time.wrapping_sub(outcome.fetched_at) as i64;
            push_number(&mut facts, (after << 1 ^ after >> 63) as u64)?;
        }
        if texts.iter().any(|text| !text.is_empty()) {
            for text in texts {
                push_number(&mut facts, text.len() as u64)?;
                append(&mut facts, text)?;
            }
        }
        copy(&facts)
    }

    /// Parses `facts`; `None` if the bytes are invalid or too many.
    pub(crate) fn unpack(facts: &'a [u8]) -> Option<Facts<'a>> {
        let ([flags, kind, cause, hops, low, high], mut rest) = facts.split_first_chunk()?;
        let fetched_at = take_number(&mut rest)?;
        let mut later = [0; 5];
        for time in &mut later {
            let after = take_number(&mut rest)?;
            *time = fetched_at.wrapping_add(after >> 1 ^ (after & 1).wrapping_neg());
        }
        let [
            attempted_at,
            fresh_until,
            usable_until,
            retry_at,
            unreachable_since,
        ] = later;
        let mut texts: [&[u8]; 3] = [&[]; 3];
        for text in texts.iter_mut().take_while(|_| !rest.is_empty()) {
            let len = usize::try_from(take_number(&mut rest)?).ok()?;
            (*text, rest) = rest.split_at_checked(len)?;
        }
        let [final_url, etag, last_modified] = texts;
        let facts = Facts {
            flags: *flags,
            kind: OutcomeKind::from_code((*kind).into())?,
            cause: Cause::from_code((*cause).into())?,
            hops: *hops,
            http_status: u16::from_le_bytes([*low, *high]),
            fetched_at,
            attempted_at,
            fresh_until,
            usable_until,
            retry_at,
            unreachable_since,
            final_url,
            etag,
            last_modified,
        };
        (rest.is_empty() && flags & !flag::ALL == 0).then_some(facts)
    }

    /// Returns the outcome. `crawlers`: the fingerprint of the crawlers; `served`: their number.
    pub(crate) fn outcome(
        self,
        origin: Origin,
        (crawlers, served): (u64, usize),
        rules: Box<[Rules]>,
    ) -> Result<Outcome, Error> {
        let has = |flag| self.flags & flag != 0;
        let validator = |flag, value: &[u8]| match has(flag) {
            false if value.is_empty() => Ok(None),
            true if is_validator(value) => Ok(Some(value.into())),
            _ => Err(Error::Image),
        };
        let final_url = match self.final_url {
            [] => origin.robots_url(),
            url if url.len() <= MAX_URL => core::str::from_utf8(url)
                .map_err(|_| Error::Image)?
                .to_owned(),
            _ => return Err(Error::Image),
        };
        Ok(Outcome::new(OutcomeParts {
            origin,
            crawlers,
            served,
            kind: self.kind,
            cause: self.cause,
            http_status: self.http_status,
            hops: self.hops,
            downgraded: has(flag::DOWNGRADED),
            stale: has(flag::STALE),
            fetched_at: self.fetched_at,
            attempted_at: self.attempted_at,
            fresh_until: self.fresh_until,
            usable_until: self.usable_until,
            retry_at: self.retry_at,
            unreachable_since: has(flag::UNREACHABLE).then_some(self.unreachable_since),
            final_url: final_url.into(),
            etag: validator(flag::ETAG, self.etag)?,
            last_modified: validator(flag::LAST_MODIFIED, self.last_modified)?,
            rules,
        }))
    }

    /// Returns when the next fetch is due: at the start of the last tenth of the TTL, so that no caller has to wait (SPEC 3.8).
    /// For stale rules and in an outage, it is due at `retry_at`. The result is at most one second after [`MAX_TIME`], because
    /// no outcome is used later.
    pub(crate) fn due(&self) -> u64 {
        let due = if self.flags & (flag::STALE | flag::UNREACHABLE) != 0 {
            self.retry_at
        } else {
            let ttl = self.fresh_until.saturating_sub(self.fetched_at);
            self.fresh_until - ttl / 10
        };
        due.min(MAX_TIME + 1)
    }

    /// Returns the time of the fetch or of the last attempt, whichever is later.
    pub(crate) fn made_at(&self) -> u64 {
        self.fetched_at.max(self.attempted_at)
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) -> Result<(), Error> {
    while number >= 0x80 {
        push(bytes, number as u8 | 0x80)?;
        number >>= 7;
    }
    push(bytes, number as u8)
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
