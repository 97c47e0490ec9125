//! The headers of a response (SPEC 3). They come from a stranger: each value has a size limit, numbers saturate, and an
//! invalid value counts as absent or as the shortest time.

use crate::error::Error;
use crate::extensions::page_controls::date::http_date;
use crate::util::try_alloc::copy;

/// The longest value that is read.
const MAX_VALUE: usize = 8 * 1024;
/// The longest validator that is stored and sent back.
const MAX_VALIDATOR: usize = 512;

/// The headers of one response.
#[derive(Clone, Debug, Default)]
pub(crate) struct Headers {
    /// The raw value; empty if it is too long.
    pub(crate) location: Option<Box<[u8]>>,
    pub(crate) etag: Option<Box<[u8]>>,
    pub(crate) last_modified: Option<Box<[u8]>>,
    retry_after: Option<Retry>,
    /// In seconds; 0 for `no-store` and `no-cache`.
    max_age: Option<u64>,
    age: Option<u64>,
    /// In seconds since 1970, like all times here; 0, which is in the past, for an invalid date.
    expires: Option<u64>,
    date: Option<u64>,
    content_length: Option<u64>,
    /// A content coding was applied: the length is that of the encoded body.
    encoded: bool,
    /// A transfer coding was applied: the length means nothing.
    transfer_encoded: bool,
}

#[derive(Clone, Copy, Debug)]
enum Retry {
    After(u64),
    At(u64),
}

impl Headers {
    /// Reads one header. Of a header that may occur once only the first counts. On allocation failure nothing changes.
    pub(crate) fn read(&mut self, name: &[u8], value: &[u8]) -> Result<(), Error> {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let value = value.trim_ascii();
        if value.len() > MAX_VALUE {
            // A target that is too long is no target; an unreadable TTL is 0.
            if is("location") {
                self.location.get_or_insert_default();
            } else if is("cache-control") {
                self.max_age = Some(0);
            }
        } else if is("location") {
            store(&mut self.location, value)?;
        } else if is("etag") {
            if is_validator(value) {
                store(&mut self.etag, value)?;
            }
        } else if is("last-modified") {
            if is_validator(value) {
                store(&mut self.last_modified, value)?;
            }
        } else if is("cache-control") {
            self.control(value);
        } else if is("age") {
            self.age = self.age.or_else(|| seconds(value));
        } else if is("expires") {
            self.expires
                .get_or_insert(http_date(value).unwrap_or_default());
        } else if is("date") {
            self.date = self.date.or_else(|| http_date(value));
        } else if is("retry-after") {
            let given = seconds(value)
                .map(Retry::After)
                .or_else(|| http_date(value).map(Retry::At));
            self.retry_after = self.retry_after.or(given);
        } else if is("content-length") {
            self.content_length = self.content_length.or_else(|| seconds(value));
        } else if is("content-encoding") {
            self.encoded |= !value.is_empty() && !value.eq_ignore_ascii_case(b"identity");
        } else if is("transfer-encoding") {
            self.transfer_encoded = true;
        }
        Ok(())
    }

    /// Reads a `Cache-Control`. Of several (SPEC 3.2) the shortest TTL counts.
    fn control(&mut self, value: &[u8]) {
        for directive in directives(value) {
            let (name, argument) = match directive.iter().position(|byte| *byte == b'=') {
                Some(at) => (directive.get(..at), directive.get(at + 1..)),
                None => (Some(directive), None),
            };
            let name = name.unwrap_or_default().trim_ascii();
            let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
            let ttl = if is("no-store") || is("no-cache") {
                0
            } else if is("max-age") {
                // An unreadable TTL is 0.
                seconds(unquoted(argument.unwrap_or_default().trim_ascii())).unwrap_or_default()
            } else {
                continue;
            };
            self.max_age = Some(self.max_age.map_or(ttl, |other| other.min(ttl)));
        }
    }

    /// The TTL in seconds from `now`, if the headers state one (SPEC 3.2, 3.3).
    pub(crate) fn ttl(&self, now: u64) -> Option<u64> {
        let ttl = self.max_age.or_else(|| {
            let expires = self.expires?;
            // Both times are by the server's clock, so a wrong clock does no harm.
            Some(expires.saturating_sub(self.date.unwrap_or(now)))
        })?;
        Some(ttl.saturating_sub(self.age.unwrap_or_default()))
    }

    /// The length of the decoded body, if the headers state it.
    pub(crate) fn body_len(&self) -> Option<u64> {
        self.content_length
            .filter(|_| !self.encoded && !self.transfer_encoded)
    }

    /// Whether the headers name a content coding.
    pub(crate) fn is_encoded(&self) -> bool {
        self.encoded
    }

    /// The seconds from `now` to the next attempt, if the headers state them (SPEC 3.6).
    pub(crate) fn retry_after(&self, now: u64) -> Option<u64> {
        self.retry_after.map(|retry| match retry {
            Retry::After(seconds) => seconds,
            Retry::At(time) => time.saturating_sub(self.date.unwrap_or(now)),
        })
    }
}

/// Stores the first value.
fn store(place: &mut Option<Box<[u8]>>, value: &[u8]) -> Result<(), Error> {
    if place.is_none() {
        *place = Some(copy(value)?.into());
    }
    Ok(())
}

/// Whether a value may be sent back in a header of a request: no byte ends the line.
pub(crate) fn is_validator(value: &[u8]) -> bool {
    let is_text = |byte: &u8| *byte >= b' ' && *byte != 0x7F;
    (1..=MAX_VALIDATOR).contains(&value.len()) && value.iter().all(is_text)
}

/// The parts between commas. A comma in quotes does not separate.
fn directives(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut quoted, mut escaped) = (false, false);
    value.split(move |byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ => return *byte == b',' && !quoted,
        }
        false
    })
}

fn unquoted(value: &[u8]) -> &[u8] {
    value
        .strip_prefix(b"\"")
        .and_then(|value| value.strip_suffix(b"\""))
        .unwrap_or(value)
}

/// Digits as a number, which saturates.
fn seconds(value: &[u8]) -> Option<u64> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(value.iter().fold(0_u64, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 1994-11-06 08:49:37 UTC, the date of RFC 9110.
    const THEN: u64 = 784_111_777;

    fn headers(lines: &[(&str, &str)]) -> Headers {
        let mut headers = Headers::default();
        for (name, value) in lines {
            headers.read(name.as_bytes(), value.as_bytes()).unwrap();
        }
        headers
    }

    /// SPEC 3.2, 3.3
    #[test]
    fn ttls() {
        const CC: &str = "Cache-Control";
        const THEN_TEXT: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
        const LATER: &str = "Sun, 06 Nov 1994 09:49:37 GMT";
        type Row<'a> = (&'a [(&'a str, &'a str)], Option<u64>);
        let rows: &[Row] = &[
            (&[], None),
            (&[(CC, "max-age=60")], Some(60)),
            (&[("cache-CONTROL", " Max-Age = 60 ")], Some(60)),
            (&[(CC, "max-age=\"60\"")], Some(60)),
            (&[(CC, "public, max-age=60, must-revalidate")], Some(60)),
            (&[(CC, "s-maxage=5")], None),
            (&[(CC, "s-maxage=5, max-age=60")], Some(60)),
            (&[(CC, "x-max-age=5")], None),
            (&[(CC, "private=\"a, max-age=5\", max-age=60")], Some(60)),
            (&[(CC, "x=\"\\\", max-age=5\", max-age=60")], Some(60)),
            (&[(CC, "x=\"never closed, max-age=60")], None),
            // A backslash outside of quotes escapes nothing.
            (&[(CC, "x=a\\, max-age=60")], Some(60)),
            (&[(CC, "max-age=60"), (CC, "max-age=30")], Some(30)),
            (&[(CC, "max-age=60, max-age=90")], Some(60)),
            (&[(CC, "max-age=60"), (CC, "no-store")], Some(0)),
            (&[(CC, "no-cache"), (CC, "max-age=60")], Some(0)),
            (&[(CC, "NO-CACHE=\"set-cookie\"")], Some(0)),
            (&[(CC, "max-age")], Some(0)),
            (&[(CC, "max-age=")], Some(0)),
            (&[(CC, "max-age=-1")], Some(0)),
            (&[(CC, "max-age=1.5")], Some(0)),
            (&[(CC, "max-age=1e9")], Some(0)),
            (&[(CC, "max-age=99999999999999999999999")], Some(u64::MAX)),
            (&[(CC, "max-age=60"), ("Age", "20")], Some(40)),
            (&[(CC, "max-age=60"), ("Age", "100")], Some(0)),
            (
                &[(CC, "max-age=60"), ("Age", "99999999999999999999999")],
                Some(0),
            ),
            (&[(CC, "max-age=60"), ("Age", "old")], Some(60)),
            (
                &[(CC, "max-age=60"), ("Age", "-5"), ("Age", "20")],
                Some(40),
            ),
            (&[("Age", "20")], None),
            (&[("Expires", LATER)], Some(3600)),
            (&[("Expires", LATER), ("Date", THEN_TEXT)], Some(3600)),
            (&[("Expires", LATER), ("Date", LATER)], Some(0)),
            (&[("Expires", LATER), ("Date", "no date")], Some(3600)),
            (&[("Expires", LATER), ("Age", "600")], Some(3000)),
            (&[("Expires", LATER), (CC, "max-age=60")], Some(60)),
            (&[("Expires", LATER), (CC, "public")], Some(3600)),
            // RFC 850 and asctime, which are still HTTP.
            (&[("Expires", "Sunday, 06-Nov-94 09:49:37 GMT")], Some(3600)),
            (&[("Expires", "Sun Nov  6 09:49:37 1994")], Some(3600)),
            // An invalid date is in the past.
            (&[("Expires", "0")], Some(0)),
            (&[("Expires", "-1")], Some(0)),
            (&[("Expires", "")], Some(0)),
            (&[("Expires", "Thu, 01 Jan 1970 00:00:00 GMT")], Some(0)),
            (&[("Expires", "Sun, 06 Nov 9999999 09:49:37 GMT")], Some(0)),
            // A clock years ahead: only the difference counts, of dates and of a TTL.
            (
                &[
                    ("Date", "Sun, 06 Nov 2094 08:49:37 GMT"),
                    (CC, "max-age=60"),
                ],
                Some(60),
            ),
            (
                &[
                    ("Date", "Sat, 06 Nov 2094 08:49:37 GMT"),
                    ("Expires", "Sat, 06 Nov 2094 08:50:37 GMT"),
                ],
                Some(60),
            ),
        ];
        for (lines, ttl) in rows {
            assert_eq!(headers(lines).ttl(THEN), *ttl, "{lines:?}");
        }
        let long = format!("x={}, max-age=60", "a".repeat(MAX_VALUE));
        assert_eq!(headers(&[(CC, &long)]).ttl(THEN), Some(0));
    }

    /// SPEC 3.6
    #[test]
    fn waits() {
        for (value, wait) in [
            ("120", Some(120)),
            ("0", Some(0)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sun, 06 Nov 1994 08:51:37 GMT", Some(120)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(
                headers(&[("retry-after", value)]).retry_after(THEN),
                wait,
                "{value}"
            );
        }
        assert_eq!(
            headers(&[("Retry-After", "x"), ("Retry-After", "7")]).retry_after(THEN),
            Some(7)
        );
    }

    #[test]
    fn validators_end_no_line() {
        for value in [
            "\"a\r\nX: y\"",
            "",
            "a\0b",
            "\"\x7F\"",
            &"e".repeat(MAX_VALIDATOR + 1),
        ] {
            assert_eq!(headers(&[("ETag", value)]).etag, None, "{value:?}");
        }
        let both = headers(&[
            ("ETag", " W/\"1\" "),
            ("etag", "\"2\""),
            ("Last-Modified", "whenever"),
        ]);
        assert_eq!(both.etag.as_deref(), Some(&b"W/\"1\""[..]));
        assert_eq!(both.last_modified.as_deref(), Some(&b"whenever"[..]));
    }

    #[test]
    fn long_targets_are_none() {
        let long = "/".repeat(MAX_VALUE + 1);
        assert_eq!(
            headers(&[("Location", &long), ("Location", "/x")])
                .location
                .unwrap()
                .len(),
            0
        );
        assert_eq!(
            headers(&[("LOCATION", " /x ")]).location.as_deref(),
            Some(&b"/x"[..])
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Nothing panics, and validators are valid.
        #[test]
        fn any_bytes(
            lines in prop::collection::vec((
                prop::sample::select(vec![
                    "location", "etag", "last-modified", "cache-control", "age", "expires", "date", "retry-after",
                ]),
                prop::collection::vec(any::<u8>(), 0..40),
            ), 0..12),
            text in "[-0-9A-Za-z ,:=\"]{0,40}",
            now: u64,
        ) {
            let mut headers = Headers::default();
            for (name, value) in &lines {
                headers.read(name.as_bytes(), value).unwrap();
                headers.read(name.as_bytes(), text.as_bytes()).unwrap();
            }
            let _ = (headers.ttl(now), headers.retry_after(now));
            prop_assert!(headers.etag.is_none_or(|etag| is_validator(&etag)));
        }
    }

    #[test]
    fn a_value_of_the_greatest_length_is_read() {
        let longest = "x".repeat(MAX_VALUE);
        let read = headers(&[("Location", &longest)]).location;
        assert_eq!(read.as_deref(), Some(longest.as_bytes()));
        let read = headers(&[("Location", &[&longest, "x"].concat())]).location;
        assert_eq!(read.as_deref(), Some(&b""[..]));
    }
}
