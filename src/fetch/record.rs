//! An outcome as a record, to store or send: a restarted process has a warm cache.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | magic, `rbto` |
//! | 1 | version, 2 |
//! | 1 | flags: 1 downgraded, 2 stale, 4 there is an `unreachable_since`, 8 an `ETag`, 16 a `Last-Modified` |
//! | 2 | status of the last response |
//! | 1, 1, 1, 1 | kind, cause, hops, number of images: one for each crawler, or none if there is no file |
//! | 4 | checksum of everything else, as that of an image |
//! | 8 | fingerprint of the crawlers |
//! | 8 each | fetched at, attempted at, fresh until, usable until, retry at, unreachable since (or 0) |
//! | | each after its length (8 bytes): key of the origin, last URL, `ETag`, `Last-Modified` (or empty), the images |
//!
//! Numbers are little-endian. The checksum detects damage, not forgery: who can write records can write rules.

use super::header::is_validator;
use super::outcome::{Cause, Outcome, OutcomeParts, fingerprint};
use super::status_policy::site_wide;
use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::error::Error;
use crate::image::{checksum, header::CHECKSUM};
use crate::limits::{MAX_URL, validate_time};
use crate::rules::Rules;
use crate::url::origin::Origin;

const MAGIC: &[u8; 4] = b"rbto";
const VERSION: u8 = 2;

mod flag {
    pub(super) const DOWNGRADED: u8 = 1;
    pub(super) const STALE: u8 = 2;
    pub(super) const UNREACHABLE: u8 = 4;
    pub(super) const ETAG: u8 = 8;
    pub(super) const LAST_MODIFIED: u8 = 16;
    pub(super) const ALL: u8 = 31;
}

impl Outcome {
    /// Returns the outcome as one block of bytes, to store or send; [`Outcome::decode`] reads it.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let parts = self.parts();
        let flags = [
            (parts.downgraded, flag::DOWNGRADED),
            (parts.stale, flag::STALE),
            (parts.unreachable_since.is_some(), flag::UNREACHABLE),
            (parts.etag.is_some(), flag::ETAG),
            (parts.last_modified.is_some(), flag::LAST_MODIFIED),
        ];
        let flags = flags
            .into_iter()
            .fold(0, |all, (on, flag)| all | (u8::from(on) * flag));
        // Site-wide rules are not stored but created again.
        let rules = parts.file_rules();
        let count = u8::try_from(rules.len()).map_err(|_| Error::Argument)?;
        let texts = [
            parts.origin.key().as_bytes(),
            parts.final_url.as_bytes(),
            parts.etag.as_deref().unwrap_or_default(),
            parts.last_modified.as_deref().unwrap_or_default(),
        ];
        let texts = || texts.into_iter().chain(rules.iter().map(Rules::image));
        let numbers = [
            parts.crawlers,
            parts.fetched_at,
            parts.attempted_at,
            parts.fresh_until,
            parts.usable_until,
            parts.retry_at,
            parts.unreachable_since.unwrap_or_default(),
        ];

        let len =
            texts().map(|text| 8 + text.len()).sum::<usize>() + CHECKSUM + 4 + 8 * numbers.len();
        let mut record = Vec::new();
        record.try_reserve_exact(len).map_err(|_| Error::Memory)?;
        record.extend_from_slice(MAGIC);
        record.extend_from_slice(&[VERSION, flags]);
        record.extend_from_slice(&parts.http_status.to_le_bytes());
        record.extend_from_slice(&[parts.kind as u8, parts.cause as u8, parts.hops, count]);
        record.extend_from_slice(&[0; 4]);
        for number in numbers {
            record.extend_from_slice(&number.to_le_bytes());
        }
        for text in texts() {
            record.extend_from_slice(&(text.len() as u64).to_le_bytes());
            record.extend_from_slice(text);
        }
        let sum = checksum::compute(&record);
        if let Some(place) = record.get_mut(CHECKSUM..CHECKSUM + 4) {
            place.copy_from_slice(&sum.to_le_bytes());
        }
        Ok(record)
    }

    /// Reads an outcome from its record, for the same crawlers in the same order.
    ///
    /// # Errors
    /// [`Error::Image`] for a damaged record; [`Error::ImageFormat`] for another version of records or images, or for
    /// other crawlers: fetch the file again; [`Error::Argument`] for a time after the year 9999; [`Error::Memory`].
    pub fn decode(record: &[u8], crawlers: &[Crawler]) -> Result<Outcome, Error> {
        let mut reader = RecordReader { rest: record };
        if reader.take()? != *MAGIC {
            return Err(Error::Image);
        }
        let [version, flags] = reader.take()?;
        if version != VERSION {
            return Err(Error::ImageFormat);
        }
        let http_status = u16::from_le_bytes(reader.take()?);
        let [kind, cause, hops, count] = reader.take()?;
        let sum = u32::from_le_bytes(reader.take()?);
        if sum != checksum::compute(record) || flags & !flag::ALL != 0 {
            return Err(Error::Image);
        }
        if reader.number()? != fingerprint(crawlers) {
            return Err(Error::ImageFormat);
        }
        let fetched_at = reader.number()?;
        let attempted_at = reader.number()?;
        let fresh_until = reader.number()?;
        let usable_until = reader.number()?;
        let retry_at = reader.number()?;
        let unreachable_since = reader.number()?;
        for past in [fetched_at, attempted_at, unreachable_since] {
            validate_time(past)?;
        }
        let key = reader.text()?;
        let origin = Origin::from_url(key).map_err(|_| Error::Image)?;
        if origin.key().as_bytes() != key {
            return Err(Error::Image);
        }
        let final_url = core::str::from_utf8(reader.text()?).map_err(|_| Error::Image)?;
        if final_url.len() > MAX_URL.max(key.len() + "/robots.txt".len()) {
            return Err(Error::Image);
        }
        let mut validator = |flag| match reader.text()? {
            [] if flags & flag == 0 => Ok(None),
            value if flags & flag != 0 && is_validator(value) => Ok(Some(value.into())),
            _ => Err(Error::Image),
        };
        let etag = validator(flag::ETAG)?;
        let last_modified = validator(flag::LAST_MODIFIED)?;
        let kind = OutcomeKind::from_code(kind.into()).ok_or(Error::Image)?;
        let has_file = kind == OutcomeKind::Rules || count > 0;
        if has_file && usize::from(count) != crawlers.len() {
            return Err(Error::Image);
        }
        let site_wide = (kind != OutcomeKind::Rules).then(|| Ok(site_wide(kind)));
        let images = (0..count).map(|_| Rules::from_image(reader.text()?));
        let rules = site_wide
            .into_iter()
            .chain(images)
            .collect::<Result<_, _>>()?;
        if !reader.rest.is_empty() {
            return Err(Error::Image);
        }
        Ok(Outcome::new(OutcomeParts {
            origin,
            crawlers: fingerprint(crawlers),
            served: crawlers.len(),
            kind,
            cause: Cause::from_code(cause.into()).ok_or(Error::Image)?,
            http_status,
            hops,
            downgraded: flags & flag::DOWNGRADED != 0,
            stale: flags & flag::STALE != 0,
            fetched_at,
            attempted_at,
            fresh_until,
            usable_until,
            retry_at,
            unreachable_since: (flags & flag::UNREACHABLE != 0).then_some(unreachable_since),
            final_url: final_url.into(),
            etag,
            last_modified,
            rules,
        }))
    }
}

/// The rest of a record.
struct RecordReader<'a> {
    rest: &'a [u8],
}

impl<'a> RecordReader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Error::Image)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u64, Error> {
        self.take().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<&'a [u8], Error> {
        let len = usize::try_from(self.number()?).map_err(|_| Error::Image)?;
        let (text, rest) = self.rest.split_at_checked(len).ok_or(Error::Image)?;
        self.rest = rest;
        Ok(text)
    }
}
