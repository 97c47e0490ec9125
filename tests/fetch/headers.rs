//! SPEC 3.2, 3.3, 3.6: what each header says, to a crawler whose bounds change no value.

use super::server::*;
use robots::{Cause, Crawler, Fetch, FetchOption, Step};

/// 1994-11-06 08:49:37 UTC, the date of RFC 9110.
const THEN: u64 = 784_111_777;
const LONGEST: u64 = 3_650 * DAY;
/// The TTL if no header states one.
const DEFAULT: u64 = 12_345;
/// The longest value that is read.
const MAX_VALUE: usize = 8 * 1024;

fn unbounded() -> Crawler {
    use FetchOption::*;
    let options = [
        (MinTTL, 0),
        (MaxTTL, LONGEST),
        (DefaultTTL, DEFAULT),
        (FailureTTL, 1),
        (MaxRetryAfter, LONGEST),
    ];
    let set = |crawler: Crawler, (option, value)| crawler.with_fetch_option(option, value).unwrap();
    options.into_iter().fold(standard(), set)
}

fn ttl(headers: &[(&str, &str)]) -> u64 {
    let file = Respond(200, headers.to_vec(), b"");
    first(&unbounded(), &[file], THEN).fresh_until - THEN
}

#[test]
fn spec_3_2_ttls() {
    const CC: &str = "Cache-Control";
    const THEN_TEXT: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const LATER: &str = "Sun, 06 Nov 1994 09:49:37 GMT";
    type Row<'a> = (&'a [(&'a str, &'a str)], Option<u64>);
    #[rustfmt::skip]
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
        (&[(CC, "max-age=99999999999999999999999")], Some(LONGEST)),
        (&[(CC, "max-age=60"), ("Age", "20")], Some(40)),
        (&[(CC, "max-age=60"), ("Age", "100")], Some(0)),
        (&[(CC, "max-age=60"), ("Age", "99999999999999999999999")], Some(0)),
        (&[(CC, "max-age=60"), ("Age", "old")], Some(60)),
        (&[(CC, "max-age=60"), ("Age", "-5"), ("Age", "20")], Some(40)),
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
        (&[("Expires", "Sun Nov  6 09:49:37 1994 x")], Some(0)),
        (&[("Expires", "Nov  6 09:49:37 1994")], Some(0)),
        // Two digits of a year: at most fifty years ahead.
        (&[("Expires", "Friday, 06-Nov-43 08:49:37 GMT")], Some(LONGEST)),
        (&[("Expires", "Monday, 06-Nov-45 08:49:37 GMT")], Some(0)),
        // An invalid date is in the past.
        (&[("Expires", "0")], Some(0)),
        (&[("Expires", "-1")], Some(0)),
        (&[("Expires", "")], Some(0)),
        (&[("Expires", "Thu, 01 Jan 1970 00:00:00 GMT")], Some(0)),
        (&[("Expires", "Sun, 06 Nov 9999999 09:49:37 GMT")], Some(0)),
        (&[("Expires", "Sun, 31 Nov 1994 09:49:37 GMT")], Some(0)),
        (&[("Expires", "Sun, 06 Nov 1994 09:49:37")], Some(0)),
        (&[("Expires", "1994-11-06T09:49:37Z")], Some(0)),
        // A clock years ahead: only the difference counts, of dates and of a TTL.
        (&[("Date", "Sun, 06 Nov 2094 08:49:37 GMT"), (CC, "max-age=60")], Some(60)),
        (&[("Date", "Sat, 06 Nov 2094 08:49:37 GMT"), ("Expires", "Sat, 06 Nov 2094 08:50:37 GMT")], Some(60)),
    ];
    for (lines, wanted) in rows {
        assert_eq!(ttl(lines), wanted.unwrap_or(DEFAULT), "{lines:?}");
    }
}

/// SPEC 3.2: a value that is too long is not read, so it counts as the shortest time.
#[test]
fn a_value_has_a_longest_length() {
    const END: &str = ", max-age=60";
    let value = |len: usize| format!("x={}{END}", "a".repeat(len - 2 - END.len()));
    assert_eq!(ttl(&[("Cache-Control", &value(MAX_VALUE))]), 60);
    assert_eq!(ttl(&[("Cache-Control", &value(MAX_VALUE + 1))]), 0);
    assert_eq!(ttl(&[("Expires", &value(MAX_VALUE + 1))]), 0);
    let date = |gap: usize| format!("Sun, 06 Nov 1994 09:49:37{:gap$}GMT", "");
    assert_eq!(ttl(&[("Expires", &date(100))]), 3600);
    assert_eq!(ttl(&[("Expires", &date(101))]), 0);
    // A target that is too long cannot be followed, and the first counts.
    let long = "/".repeat(MAX_VALUE + 1);
    let lines = vec![("Location", &*long), ("Location", "/x")];
    let outcome = first(&standard(), &[Respond(301, lines, b"")], THEN);
    assert_eq!(outcome.cause, Cause::BadRedirect);
    let mut fetch = Fetch::new(&[standard()], URL, THEN).unwrap();
    fetch.status(301, THEN).unwrap();
    fetch.header("LOCATION", " /x ").unwrap();
    assert_eq!(fetch.headers_end(), Ok(Step::Get));
    assert_eq!(fetch.url(), "https://example.com/x");
}

#[test]
fn spec_3_6_waits() {
    let wait = |lines: Vec<(&str, &str)>| {
        first(&unbounded(), &[Respond(503, lines, b"")], THEN).retry_at - THEN
    };
    // The shortest wait is a second, without a header, too.
    for (value, seconds) in [
        ("120", 120),
        ("0", 1),
        ("99999999999999999999999", LONGEST),
        ("Sun, 06 Nov 1994 08:51:37 GMT", 120),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 1),
        ("-1", 1),
        ("soon", 1),
        ("", 1),
    ] {
        assert_eq!(wait(vec![("retry-after", value)]), seconds, "{value}");
    }
    assert_eq!(wait(vec![("Retry-After", "x"), ("Retry-After", "7")]), 7);
}

/// SPEC 3.5: what is sent back ends no line.
#[test]
fn spec_3_5_validators_end_no_line() {
    let outcome =
        |lines: &[(&str, &str)]| first(&standard(), &[Respond(200, lines.to_vec(), b"")], THEN);
    let longest = "e".repeat(512);
    for value in [
        "\"a\r\nX: y\"",
        "",
        "a\0b",
        "\"\x7F\"",
        &format!("{longest}e"),
    ] {
        assert_eq!(
            outcome(&[("ETag", value)]).etag.as_deref(),
            None,
            "{value:?}"
        );
    }
    assert_eq!(
        outcome(&[("ETag", &longest)]).etag.as_deref(),
        Some(longest.as_bytes())
    );
    let both = outcome(&[
        ("ETag", " W/\"1\" "),
        ("etag", "\"2\""),
        ("Last-Modified", "whenever"),
    ]);
    assert_eq!(both.etag.as_deref(), Some(&b"W/\"1\""[..]));
    assert_eq!(both.last_modified.as_deref(), Some(&b"whenever"[..]));
}
