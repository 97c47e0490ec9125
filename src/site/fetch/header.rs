//! Reads the headers of a response (SPEC 3). Headers are untrusted: each value has a size limit, numbers saturate, and an
//! invalid value counts as absent or as the shortest time.

use crate::base::error::Error;
use crate::base::limits::{MAX_CACHE_CONTROL, MAX_URL, MAX_VALIDATOR};
use crate::bytes::date::http_date;
use crate::bytes::list::{codings, saturating as number, split_outside_quotes};
use crate::bytes::try_alloc::copy;

#[derive(Clone, Debug, Default)]
pub(crate) struct Headers {
    /// The value of `Location`, cut after [`MAX_URL`] + 1 bytes. A value of this length is too long.
    pub(crate) location: Option<Box<[u8]>>,
    pub(crate) etag: Option<Box<[u8]>>,
    pub(crate) last_modified: Option<Box<[u8]>>,
    retry_after: Option<Retry>,
    /// The shortest TTL that `Cache-Control` states, in seconds; 0 for `no-store` and `no-cache`.
    max_age: Option<u64>,
    age: Option<u64>,
    /// Time in seconds since 1970. An invalid date counts as 0, which is in the past.
    expires: Option<u64>,
    date: Option<u64>,
    pub(crate) content_length: Option<u64>,
    /// Whether two `Content-Length`s differ, or a `Content-Length` is not a number. Then the end of the body is unknown.
    pub(crate) lengths_differ: bool,
    /// The content codings that were applied.
    pub(crate) coding: Coding,
    /// Whether a transfer coding was applied. Then `Content-Length` means nothing.
    pub(crate) transfer_encoded: bool,
    /// Whether there is a transfer coding in addition to one `chunked`. HTTP clients undo only `chunked`.
    pub(crate) transfer_compressed: bool,
}

/// The content codings that `Content-Encoding` states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Coding {
    #[default]
    None,
    /// gzip alone.
    Gzip,
    /// Another coding, or several.
    Other,
}

/// The value of a `Retry-After`, in seconds.
#[derive(Clone, Copy, Debug)]
enum Retry {
    After(u64),
    At(u64),
}

impl Retry {
    fn read(value: &[u8], now: u64) -> Option<Retry> {
        let date = || http_date(value, now).map(Retry::At);
        number(value).map(Retry::After).or_else(date)
    }

    fn seconds_from(self, now: u64) -> u64 {
        match self {
            Retry::After(seconds) => seconds,
            Retry::At(time) => time.saturating_sub(now),
        }
    }
}

impl Headers {
    /// Reads one header of a response at the time `now`. If a header that may occur only once is repeated, the first header
    /// counts. If an allocation fails, nothing changes.
    pub(crate) fn read(&mut self, name: &[u8], value: &[u8], now: u64) -> Result<(), Error> {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let value = value.trim_ascii();
        if is("location") {
            store(&mut self.location, value.get(..=MAX_URL).unwrap_or(value))?;
        } else if is("etag") && is_validator(value) {
            store(&mut self.etag, value)?;
        } else if is("last-modified") && is_validator(value) {
            store(&mut self.last_modified, value)?;
        } else if is("cache-control") {
            self.control(value);
        } else if is("age") {
            self.age = self.age.or_else(|| number(value));
        } else if is("expires") {
            self.expires
                .get_or_insert(http_date(value, now).unwrap_or_default());
        } else if is("date") {
            self.date = self.date.or_else(|| http_date(value, now));
        } else if is("retry-after") {
            self.retry_after = self.retry_after.or_else(|| Retry::read(value, now));
        } else if is("content-length") {
            for length in value.split(|byte| *byte == b',') {
                let length = number(length.trim_ascii());
                let known = self.content_length.or(length);
                self.lengths_differ |= length.is_none() || length != known;
                self.content_length = known;
            }
        } else if is("content-encoding") {
            for coding in codings(value) {
                let is = |known: &[u8]| coding.eq_ignore_ascii_case(known);
                self.coding = match self.coding {
                    Coding::None if is(b"gzip") || is(b"x-gzip") => Coding::Gzip,
                    _ => Coding::Other,
                };
            }
        } else if is("transfer-encoding") {
            for coding in codings(value) {
                let is_chunked = coding.eq_ignore_ascii_case(b"chunked");
                self.transfer_compressed |= self.transfer_encoded || !is_chunked;
                self.transfer_encoded = true;
            }
        }
        Ok(())
    }

    /// Reads a `Cache-Control`. If there are several TTLs, the shortest counts (SPEC 3.2).
    fn control(&mut self, value: &[u8]) {
        if value.len() > MAX_CACHE_CONTROL {
            self.max_age = Some(0);
        }
        for directive in split_outside_quotes(value) {
            let mut parts = directive
                .splitn(2, |byte| *byte == b'=')
                .map(<[u8]>::trim_ascii);
            let (name, argument) = (parts.next().unwrap_or_default(), parts.next());
            let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
            let ttl = if is("no-store") || is("no-cache") {
                0
            } else if is("max-age") {
                // An invalid TTL counts as 0.
                number(unquoted(argument.unwrap_or_default())).unwrap_or_default()
            } else {
                continue;
            };
            self.max_age = Some(self.max_age.map_or(ttl, |other| other.min(ttl)));
        }
    }

    /// Returns the TTL in seconds from `now`, if the headers state one (SPEC 3.2, 3.3).
    pub(crate) fn ttl(&self, now: u64) -> Option<u64> {
        let ttl = self.max_age.or_else(|| {
            let expires = self.expires?;
            // Both times come from the server's clock, so an error of this clock cancels out.
            Some(expires.saturating_sub(self.date.unwrap_or(now)))
        })?;
        Some(ttl.saturating_sub(self.age.unwrap_or_default()))
    }

    /// Returns how many seconds after `now` the server permits the next attempt, if `Retry-After` states it (SPEC 3.6).
    pub(crate) fn retry_after(&self, now: u64) -> Option<u64> {
        let retry = self.retry_after?;
        Some(retry.seconds_from(self.date.unwrap_or(now)))
    }
}

/// Returns the seconds from `now` to the time that a page's `Retry-After` states; `None` if the value is invalid.
pub(crate) fn retry_after(value: &[u8], now: u64) -> Option<u64> {
    Retry::read(value.trim_ascii(), now).map(|retry| retry.seconds_from(now))
}

/// Stores a value unless there is one already.
fn store(place: &mut Option<Box<[u8]>>, value: &[u8]) -> Result<(), Error> {
    if place.is_none() {
        *place = Some(copy(value)?.into());
    }
    Ok(())
}

/// Returns whether a value can be sent back in a request header: it has no control character and is not too long.
pub(crate) fn is_validator(value: &[u8]) -> bool {
    let is_text = |byte: &u8| *byte >= b' ' && *byte != 0x7F;
    (1..=MAX_VALIDATOR).contains(&value.len()) && value.iter().all(is_text)
}

fn unquoted(value: &[u8]) -> &[u8] {
    value
        .strip_prefix(b"\"")
        .and_then(|value| value.strip_suffix(b"\""))
        .unwrap_or(value)
}
