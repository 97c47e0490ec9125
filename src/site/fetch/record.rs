//! The record of an outcome, to store or send: a restarted process has a warm cache.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | magic, `rbto` |
//! | 1 | version, 2 |
//! | 1 | flags: 1 downgraded, 2 stale, 4 there is an `unreachable_since`, 8 an `ETag`, 16 a `Last-Modified`, 32 a slot |
//! | 2 | status of the last response |
//! | 1, 1, 1, 1 | kind, cause, hops, number of images: one for each crawler, or none if there is no file |
//! | 4 | checksum of everything else, as that of an image |
//! | 8 | fingerprint of the crawlers |
//! | 8 each | fetched at, attempted at, fresh until, usable until, retry at, unreachable since (or 0) |
//! | 8 | only if there is one: the slot of the site, as a cache keeps it (SPEC 3.9) |
//! | | each after its length (8 bytes): key of the origin, last URL, `ETag`, `Last-Modified` (or empty), the images |
//!
//! Numbers are little-endian. A record can be checked in place ([`Outcome::check_record`]). The checksum detects damage, not
//! forgery: a process that can write records can write rules.

use super::header::is_validator;
use super::outcome::{Cause, Outcome, OutcomeParts, fingerprint};
use super::status_policy::{site_wide, site_wide_flag};
use crate::base::error::Error;
use crate::base::limits::{MAX_CRAWLERS, MAX_URL, MAX_USE, validate_time};
use crate::base::verdict::{Reason, Verdict};
use crate::core::check::check_image;
use crate::core::compile;
use crate::core::image::{checksum, header::CHECKSUM};
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::url::origin::{self, Origin};

const MAGIC: &[u8; 4] = b"rbto";
const VERSION: u8 = 2;

/// The flags of an outcome, in a record and in a cache.
pub(crate) mod flag {
    pub(crate) const DOWNGRADED: u8 = 1;
    pub(crate) const STALE: u8 = 2;
    pub(crate) const UNREACHABLE: u8 = 4;
    pub(crate) const ETAG: u8 = 8;
    pub(crate) const LAST_MODIFIED: u8 = 16;
    pub(super) const SLOT: u8 = 32;
    pub(super) const ALL: u8 = 63;
}

impl OutcomeParts {
    pub(crate) fn flags(&self) -> u8 {
        [
            (self.downgraded, flag::DOWNGRADED),
            (self.stale, flag::STALE),
            (self.unreachable_since.is_some(), flag::UNREACHABLE),
            (self.etag.is_some(), flag::ETAG),
            (self.last_modified.is_some(), flag::LAST_MODIFIED),
        ]
        .into_iter()
        .fold(0, |all, (on, flag)| all | (u8::from(on) * flag))
    }
}

impl Outcome {
    /// Returns the outcome as one block of bytes, to store or send; [`Outcome::decode`] reads it.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        self.encode_with(0)
    }

    /// Returns the record with the slot of the site; 0 for none.
    pub(crate) fn encode_with(&self, slot: u64) -> Result<Vec<u8>, Error> {
        let parts: &OutcomeParts = self;
        let flags = parts.flags() | (u8::from(slot != 0) * flag::SLOT);
        // Site-wide rules are not stored: `decode` creates them again.
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
        let slot = (slot != 0).then_some(slot);
        let numbers = || numbers.into_iter().chain(slot);

        let len = texts().map(|text| 8 + text.len()).sum::<usize>()
            + CHECKSUM
            + 4
            + 8 * numbers().count();
        let mut record = Vec::new();
        record.try_reserve_exact(len).map_err(|_| Error::Memory)?;
        record.extend_from_slice(MAGIC);
        record.extend_from_slice(&[VERSION, flags]);
        record.extend_from_slice(&parts.http_status.to_le_bytes());
        record.extend_from_slice(&[parts.kind as u8, parts.cause as u8, parts.hops, count]);
        record.extend_from_slice(&[0; 4]);
        for number in numbers() {
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

    /// Parses the record of an outcome, for the same crawlers in the same order.
    ///
    /// # Errors
    /// [`Error::Image`] for a damaged record; [`Error::ImageFormat`] for another version of records or images, or for
    /// other crawlers: fetch the file again; [`Error::Argument`] for a time after the year 9999; [`Error::Memory`].
    pub fn decode(record: &[u8], crawlers: &[Crawler]) -> Result<Outcome, Error> {
        Outcome::decode_with(record, crawlers).map(|(outcome, _)| outcome)
    }

    /// Returns the outcome and the slot of the site; 0 for none.
    pub(crate) fn decode_with(
        record: &[u8],
        crawlers: &[Crawler],
    ) -> Result<(Outcome, u64), Error> {
        let (head, mut reader) = RecordHead::read(record)?;
        if head.sum != checksum::compute(record) {
            return Err(Error::Image);
        }
        if head.crawlers != fingerprint(crawlers) {
            return Err(Error::ImageFormat);
        }
        for past in [head.fetched_at, head.attempted_at, head.unreachable_since] {
            validate_time(past)?;
        }
        let key = reader.text()?;
        let origin = Origin::from_url(key).map_err(|_| Error::Image)?;
        if origin.key().as_bytes() != key {
            return Err(Error::Image);
        }
        let final_url = core::str::from_utf8(reader.text()?).map_err(|_| Error::Image)?;
        let longest = MAX_URL.max(key.len() + "/robots.txt".len());
        if !(1..=longest).contains(&final_url.len()) {
            return Err(Error::Image);
        }
        let has = |flag| head.flags & flag != 0;
        let mut validator = |flag| match reader.text()? {
            [] if !has(flag) => Ok(None),
            value if has(flag) && is_validator(value) => Ok(Some(value.into())),
            _ => Err(Error::Image),
        };
        let etag = validator(flag::ETAG)?;
        let last_modified = validator(flag::LAST_MODIFIED)?;
        let decides = head.kind == OutcomeKind::Rules;
        if (decides || head.count > 0) && usize::from(head.count) != crawlers.len() {
            return Err(Error::Image);
        }
        let site_wide = (!decides).then(|| Ok(site_wide(head.kind)));
        let images = (0..head.count).map(|_| Rules::from_image(reader.text()?));
        let rules = site_wide
            .into_iter()
            .chain(images)
            .collect::<Result<_, _>>()?;
        if !reader.rest.is_empty() {
            return Err(Error::Image);
        }
        let outcome = Outcome::new(OutcomeParts {
            origin,
            crawlers: head.crawlers,
            served: crawlers.len(),
            kind: head.kind,
            cause: Cause::from_code(head.cause.into()).ok_or(Error::Image)?,
            http_status: head.http_status,
            hops: head.hops,
            downgraded: has(flag::DOWNGRADED),
            stale: has(flag::STALE),
            fetched_at: head.fetched_at,
            attempted_at: head.attempted_at,
            fresh_until: head.fresh_until,
            usable_until: head.usable_until,
            retry_at: head.retry_at,
            unreachable_since: has(flag::UNREACHABLE).then_some(head.unreachable_since),
            final_url: final_url.into(),
            etag,
            last_modified,
            rules,
        });
        Ok((outcome, head.slot))
    }

    /// Checks a URL by a record ([`Outcome::encode`]) in place, with the result of [`Outcome::check`]. It reads only the record,
    /// so processes may share it in memory, including forked children. It compares neither the checksum nor the crawlers that
    /// the record was made for: [`Outcome::decode`] does.
    ///
    /// An error allows nothing, including [`Error::Image`] for a damaged record and [`Error::ImageFormat`] for another version.
    ///
    /// ```
    /// use robots::{Crawler, Outcome};
    ///
    /// let (url, now) = ("https://example.com/private/page", 1_800_000_000);
    /// let body = b"User-agent: *\nDisallow: /private/";
    /// let record = Outcome::from_status(&[Crawler::new("ExampleBot")?], url, 200, body, now)?.encode()?;
    /// assert!(!Outcome::check_record(&record, 0, url, now).allowed());
    /// assert!(Outcome::check_record(&record, 0, "https://example.com/", now).allowed());
    /// assert!(!Outcome::check_record(&record, 0, "https://example.com/", now + 86_400).allowed());
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn check_record(record: &[u8], crawler: usize, url: impl AsRef<[u8]>, now: u64) -> Verdict {
        check(record, crawler, url.as_ref(), now).unwrap_or_else(Verdict::from_error)
    }
}

fn check(record: &[u8], crawler: usize, url: &[u8], now: u64) -> Result<Verdict, Error> {
    let (head, mut reader) = RecordHead::read(record)?;
    validate_time(now)?;
    origin::expect(reader.text()?, url)?;
    let has_file = head.kind == OutcomeKind::Rules;
    // The record of a site-wide rule does not state its number of crawlers.
    let served = match head.count {
        0 => MAX_CRAWLERS,
        count => usize::from(count),
    };
    if crawler >= served || has_file && head.count == 0 {
        return Err(Error::Argument);
    }
    let made_at = head.fetched_at.max(head.attempted_at);
    if head.kind == OutcomeKind::Defer || !(made_at..head.usable_until).contains(&now) {
        return Ok(Verdict::new(Reason::Defer, false, 0));
    }
    if !has_file {
        let image = site_wide_flag(head.kind);
        return compile::whole_site(image, |image| Ok(check_image(image, url).verdict));
    }
    // Skips the last URL, the validators, and the images of other crawlers.
    for _ in 0..3 + crawler {
        reader.text()?;
    }
    Ok(check_image(reader.text()?, url).verdict)
}

/// The part of a record before its texts.
struct RecordHead {
    flags: u8,
    http_status: u16,
    kind: OutcomeKind,
    cause: u8,
    hops: u8,
    count: u8,
    sum: u32,
    crawlers: u64,
    fetched_at: u64,
    attempted_at: u64,
    fresh_until: u64,
    usable_until: u64,
    retry_at: u64,
    unreachable_since: u64,
    slot: u64,
}

impl RecordHead {
    fn read(record: &[u8]) -> Result<(RecordHead, RecordReader<'_>), Error> {
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
        if flags & !flag::ALL != 0 {
            return Err(Error::Image);
        }
        let head = RecordHead {
            flags,
            http_status,
            kind: OutcomeKind::from_code(kind.into()).ok_or(Error::Image)?,
            cause,
            hops,
            count,
            sum,
            crawlers: reader.number()?,
            fetched_at: reader.number()?,
            attempted_at: reader.number()?,
            fresh_until: reader.number()?,
            usable_until: reader.number()?,
            retry_at: reader.number()?,
            unreachable_since: reader.number()?,
            slot: match flags & flag::SLOT {
                0 => 0,
                _ => reader.number()?,
            },
        };
        let made_at = head.fetched_at.max(head.attempted_at);
        let ends = [head.fresh_until, head.usable_until, head.retry_at];
        if ends.into_iter().max() > Some(made_at.saturating_add(MAX_USE)) {
            return Err(Error::Image);
        }
        Ok((head, reader))
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
