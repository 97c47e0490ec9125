//! Parses and orders the dates of captures (SPEC 11.5, 11.6).

use std::borrow::Cow;

use crate::bytes::date::iso_seconds;

/// When a response was captured. Of the captures of a URL, the capture with the greatest value decides (SPEC 11.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// The date is unknown.
    Unknown,
    /// Position in a sequence of files or rows whose order counts.
    Position(u64),
    /// Nanoseconds since 1970-01-01 UTC.
    Date(i128),
}

/// Nanoseconds per second.
const SECOND: i128 = 1_000_000_000;

/// Returns the unit of a date, guessed from its size: 0 for seconds, 1 for milliseconds, up to 3 for nanoseconds. For any
/// number that is no time from 1993 to 2100 in these units, such as a year, the result is 4 or more and depends on the number
/// of digits.
pub(super) fn unit(date: i128) -> u32 {
    const FIRST: i128 = 725_846_400; // 1993
    const END: i128 = 4_102_444_800; // 2100
    let seconds = date / SECOND;
    let is_of = |unit: &u32| {
        let parts = 1000_i128.pow(*unit);
        (FIRST * parts..END * parts).contains(&seconds)
    };
    let digits = || match seconds {
        ..10_000_000 => 0,
        _ => seconds.ilog10(),
    };
    (0..4).find(is_of).unwrap_or_else(|| 4 + digits())
}

/// Parses an ISO 8601 date, or the 14 digits of a date in the index of an archive. Returns nanoseconds since 1970-01-01 UTC. A
/// date without a zone is UTC.
///
/// ```
/// use robots::parse_date;
///
/// assert_eq!(parse_date("2026-02-01T12:00:00.5+02:00"), Some(1_769_940_000_500_000_000));
/// assert_eq!(parse_date("20260201100000"), parse_date("2026-02-01 10:00"));
/// assert_eq!(parse_date("01.02.2026"), None);
/// ```
pub fn parse_date(text: impl AsRef<[u8]>) -> Option<i128> {
    let text = core::str::from_utf8(text.as_ref()).ok()?.trim_ascii();
    let is_index = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = match text.split_at_checked(8).filter(|_| is_index) {
        Some((day, time)) => Cow::from(format!("{day}T{time}")),
        None => Cow::from(text),
    };
    // A fraction of a second follows a point or a comma.
    let is_digit = |byte: char| byte.is_ascii_digit();
    let point = text.find(['.', ',']).filter(|at| *at > 10);
    let (whole, rest) = text.split_at(point.unwrap_or(text.len()));
    let fraction = rest.get(1..).unwrap_or_default();
    let zone = fraction.trim_start_matches(is_digit);
    let digits = fraction.strip_suffix(zone).unwrap_or_default();
    let nanoseconds: i128 = match digits {
        "" if rest.is_empty() => 0,
        digits => format!("{digits:0<9}")
            .get(..9)?
            .parse()
            .ok()
            .filter(|_| !digits.is_empty())?,
    };
    let seconds = iso_seconds(&format!("{whole}{zone}"))?;
    (!text.starts_with("0000")).then_some(i128::from(seconds) * SECOND + nanoseconds)
}
