//! Encodes an outcome as a record: bytes to store or send, so that a restarted process has a warm cache.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | magic, `rbto` |
//! | 1 | version, 3 |
//! | 1 | number of images: one for each crawler, or none if there is no file |
//! | 2, 4 | length of the key; length of the facts |
//! | 4 | checksum of all other bytes, computed as for an image |
//! | 8 | length of the record |
//! | 8 | fingerprint of the crawlers |
//! | 8 | slot: the time at which the site opens (SPEC 3.9), as a `LineEnd` of the cache, or 0 |
//! | | key of the origin; the facts (`facts`); the images, each after its length (8 bytes) |
//!
//! Numbers are little-endian. A record can be checked in place ([`Outcome::check_record`]). The checksum detects damage, but no
//! forgery: whatever process writes a record can choose its rules.

use super::facts::Facts;
use super::outcome::{Outcome, OutcomeParts, fingerprint};
use super::status_policy::{site_wide, site_wide_flag};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::{MAX_CRAWLERS, MAX_USE, validate_time};
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::try_alloc::{append, reserved};
use crate::core::check::check_image;
use crate::core::compile;
use crate::core::image::{checksum, header::CHECKSUM};
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::url::origin::{self, Origin};

const MAGIC: &[u8; 4] = b"rbto";
const VERSION: u8 = 3;
const HEAD: usize = 40;

impl Outcome {
    /// Returns the outcome as one block of bytes, to store or send; [`Outcome::decode`] reads it.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        self.encode_with(0)
    }

    /// Returns the record. `slot`: the slot of the site, or 0.
    pub(crate) fn encode_with(&self, slot: u64) -> Result<Vec<u8>, Error> {
        let parts: &OutcomeParts = self;
        // Site-wide rules are not stored, because `decode` creates them from the kind of the outcome.
        let images = || parts.file_rules().iter().map(Rules::image);
        let count = u8::try_from(parts.file_rules().len()).map_err(|_| Error::Argument)?;
        let (key, facts) = (parts.origin.key().as_bytes(), Facts::pack(&[], parts)?);
        let key_len = u16::try_from(key.len()).map_err(|_| Error::Url)?;
        let facts_len = u32::try_from(facts.len()).map_err(|_| Error::Url)?;
        let images_len = images().map(|image| 8 + image.len()).sum::<usize>();
        let len = HEAD + key.len() + facts.len() + images_len;
        let mut record = reserved(len)?;
        append(&mut record, MAGIC)?;
        append(&mut record, &[VERSION, count])?;
        append(&mut record, &key_len.to_le_bytes())?;
        append(&mut record, &facts_len.to_le_bytes())?;
        append(&mut record, &[0; 4])?;
        append(&mut record, &(len as u64).to_le_bytes())?;
        append(&mut record, &parts.crawlers.to_le_bytes())?;
        append(&mut record, &slot.to_le_bytes())?;
        append(&mut record, key)?;
        append(&mut record, &facts)?;
        for image in images() {
            append(&mut record, &(image.len() as u64).to_le_bytes())?;
            append(&mut record, image)?;
        }
        let sum = checksum::compute(&record);
        if let Some(place) = record.get_mut(CHECKSUM..CHECKSUM + 4) {
            place.copy_from_slice(&sum.to_le_bytes());
        }
        Ok(record)
    }

    /// Returns the length of a record in bytes, so that a reader can split a file of several records. `start`: the first 24
    /// bytes of the record, or more.
    ///
    /// # Errors
    /// [`Error::Image`] if `start` is not the start of a record or has fewer than 24 bytes; [`Error::ImageFormat`] for another
    /// version of records.
    ///
    /// ```
    /// use robots::{Crawler, Outcome};
    ///
    /// let outcome = |url| Outcome::from_status(&[Crawler::new("ExampleBot")?], url, 404, "", 1_800_000_000);
    /// let (first, second) = (outcome("https://a.example/")?.encode()?, outcome("https://b.example/")?.encode()?);
    /// let both = [&first[..], &second].concat();
    /// assert_eq!(Outcome::record_len(&both[..24])?, first.len() as u64);
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn record_len(start: &[u8]) -> Result<u64, Error> {
        let mut rest = start;
        read_start(&mut rest).map(|start| start.len)
    }

    /// Parses the record of an outcome. `crawlers`: the crawlers of the fetch, in the same order.
    ///
    /// # Errors
    /// [`Error::Image`] for a damaged record; [`Error::ImageFormat`] for another version of records or images, or for other
    /// crawlers (then fetch the file again); [`Error::Argument`] for a time after the year 9999; [`Error::Memory`].
    pub fn decode(record: &[u8], crawlers: &[Crawler]) -> Result<Outcome, Error> {
        Outcome::decode_with(record, crawlers).map(|(outcome, _)| outcome)
    }

    /// Returns the outcome, and the slot of the site or 0.
    pub(crate) fn decode_with(
        record: &[u8],
        crawlers: &[Crawler],
    ) -> Result<(Outcome, u64), Error> {
        let mut read = Record::read(record)?;
        if read.sum != checksum::compute(record) {
            return Err(Error::Image);
        }
        if read.crawlers != fingerprint(crawlers) {
            return Err(Error::ImageFormat);
        }
        let facts = read.facts;
        for past in [
            facts.fetched_at,
            facts.attempted_at,
            facts.unreachable_since,
        ] {
            validate_time(past)?;
        }
        let origin = Origin::from_url(read.key).map_err(|_| Error::Image)?;
        let decides = facts.kind == OutcomeKind::Rules;
        let is_served = usize::from(read.count) == crawlers.len();
        let has_images = decides || read.count > 0;
        if origin.key().as_bytes() != read.key || has_images && !is_served {
            return Err(Error::Image);
        }
        let site_wide = (!decides).then(|| Ok(site_wide(facts.kind)));
        let images = (0..read.count).map(|_| Rules::from_image(read.image()?));
        let rules = site_wide
            .into_iter()
            .chain(images)
            .collect::<Result<_, _>>()?;
        if !read.images.is_empty() {
            return Err(Error::Image);
        }
        let outcome = facts.outcome(origin, (read.crawlers, crawlers.len()), rules)?;
        Ok((outcome, read.slot))
    }

    /// Checks a URL with a record ([`Outcome::encode`]) in place, and returns what [`Outcome::check`] returns. The call only
    /// reads the record, so processes, including forked children, may share the record in memory. [`Outcome::decode`] verifies
    /// the checksum and the crawlers of a record; this function does not.
    ///
    /// A verdict with an error allows nothing. The errors include [`Error::Image`] for a damaged record and
    /// [`Error::ImageFormat`] for another version.
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
    let mut read = Record::read(record)?;
    let (facts, count) = (read.facts, read.count);
    validate_time(now)?;
    origin::expect(read.key, url)?;
    let has_file = facts.kind == OutcomeKind::Rules;
    // A record without images does not state the number of crawlers.
    let served = match count {
        0 => MAX_CRAWLERS,
        count => usize::from(count),
    };
    if crawler >= served || has_file && count == 0 {
        return Err(Error::Argument);
    }
    if facts.kind == OutcomeKind::Defer || !(facts.made_at()..facts.usable_until).contains(&now) {
        return Ok(Verdict::of_site(Reason::Defer));
    }
    if !has_file {
        let image = site_wide_flag(facts.kind);
        return compile::whole_site(image, Dialect::default(), |image| {
            Ok(check_image(image, url).verdict)
        });
    }
    for _ in 0..crawler {
        read.image()?;
    }
    Ok(check_image(read.image()?, url).verdict)
}

struct Record<'a> {
    count: u8,
    sum: u32,
    crawlers: u64,
    slot: u64,
    key: &'a [u8],
    facts: Facts<'a>,
    /// The images that [`Record::image`] has not returned yet.
    images: &'a [u8],
}

impl<'a> Record<'a> {
    fn read(record: &'a [u8]) -> Result<Record<'a>, Error> {
        let mut rest = record;
        let start = read_start(&mut rest)?;
        if start.len != record.len() as u64 {
            return Err(Error::Image);
        }
        let crawlers = u64::from_le_bytes(take(&mut rest)?);
        let slot = u64::from_le_bytes(take(&mut rest)?);
        let key = take_text(&mut rest, start.key_len.into())?;
        let facts =
            Facts::unpack(take_text(&mut rest, start.facts_len.into())?).ok_or(Error::Image)?;
        let ends = [facts.fresh_until, facts.usable_until, facts.retry_at];
        if ends.into_iter().max() > Some(facts.made_at().saturating_add(MAX_USE)) {
            return Err(Error::Image);
        }
        Ok(Record {
            count: start.count,
            sum: start.sum,
            crawlers,
            slot,
            key,
            facts,
            images: rest,
        })
    }

    /// Returns the next image.
    fn image(&mut self) -> Result<&'a [u8], Error> {
        let len = u64::from_le_bytes(take(&mut self.images)?);
        take_text(&mut self.images, len)
    }
}

/// The fields of a record up to its length field.
struct RecordStart {
    count: u8,
    key_len: u16,
    facts_len: u32,
    sum: u32,
    len: u64,
}

fn read_start(rest: &mut &[u8]) -> Result<RecordStart, Error> {
    if take(rest)? != *MAGIC {
        return Err(Error::Image);
    }
    let [version, count] = take(rest)?;
    if version != VERSION {
        return Err(Error::ImageFormat);
    }
    Ok(RecordStart {
        count,
        key_len: u16::from_le_bytes(take(rest)?),
        facts_len: u32::from_le_bytes(take(rest)?),
        sum: u32::from_le_bytes(take(rest)?),
        len: u64::from_le_bytes(take(rest)?),
    })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Error> {
    let (taken, after) = rest.split_first_chunk().ok_or(Error::Image)?;
    *rest = after;
    Ok(*taken)
}

fn take_text<'a>(rest: &mut &'a [u8], len: u64) -> Result<&'a [u8], Error> {
    let len = usize::try_from(len).map_err(|_| Error::Image)?;
    let (text, after) = rest.split_at_checked(len).ok_or(Error::Image)?;
    *rest = after;
    Ok(text)
}
