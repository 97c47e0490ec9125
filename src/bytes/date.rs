//! Parses dates of HTTP headers, and of `unavailable_after` (SPEC 9.6) in the forms of RFC 822, RFC 850 and ISO 8601.

use crate::base::limits::MAX_DATE;

codes! {
    /// What a date says about its time zone.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(u32)]
    pub enum Zone: robots_zone("ROBOTS_ZONE_") in page_controls, "Time zones of dates." {
        /// Known, or the rule has no date.
        Known = 0 ROBOTS_ZONE_KNOWN,
        /// The date names no zone; it is read as UTC.
        Missing = 1 ROBOTS_ZONE_MISSING,
        /// The date names an unknown zone; it is read as UTC.
        Unknown = 2 ROBOTS_ZONE_UNKNOWN,
    }
    ALL: pub(self), from_code: pub(self) u32
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    /// Seconds since 1970-01-01 00:00 UTC, at least 0.
    pub(crate) seconds: i64,
    pub(crate) zone: Zone,
}

/// The maximum number of words of a date: weekday, day, month, year, time and zone.
pub(crate) const MAX_DATE_WORDS: usize = 6;

const MONTHS: &str =
    "january february march april may june july august september october november december";

const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

/// The zones of RFC 822 and `UTC`, with their offsets in hours. Of the zones of one letter, only `Z` is known, because RFC 1123
/// says that the others carry no information.
const ZONES: [(&str, i64); 12] = [
    ("z", 0),
    ("ut", 0),
    ("utc", 0),
    ("gmt", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
];

/// A function that returns whether a word after a date is certainly not a zone. Example: `none`, which is a rule.
pub(crate) type NoZone = fn(&str) -> bool;

/// Parses a date without surrounding white space.
///
/// - RFC 822 and RFC 850: `[weekday[,]] day month year [time [zone]]`. White space or `-` separates day, month and year.
///   The month may come first; then a comma may follow the day. A comma may follow the year.
/// - ISO 8601: `2027-06-25` or `20270625`, then optionally `T` or white space, a time and a zone.
/// - RFC 9651: `@` and seconds since 1970.
///
/// A wrong weekday is accepted. A year of two digits is 1970 to 2069. A date without a time is the start of that day.
pub(crate) fn parse(text: &[u8], is_no_zone: NoZone) -> Option<Date> {
    if text.len() > MAX_DATE {
        return None;
    }
    let text = core::str::from_utf8(text).ok()?;
    if let Some(digits) = text.strip_prefix('@') {
        let negative = digits.strip_prefix('-').map(|digits| (digits, -1));
        let (digits, sign) = negative.unwrap_or((digits, 1));
        // RFC 9651 allows 15 digits.
        let seconds = number(digits, 1..=15)?;
        return Some(date_at(seconds * sign, Zone::Known));
    }
    iso_8601(text, is_no_zone).or_else(|| in_words(text, END_OF_2069, is_no_zone))
}

/// Parses the date of an HTTP header, in any of the three forms of RFC 9110 (5.6.7), to seconds since 1970.
///
/// Returns `None` if the date names no zone or is not after the start of 1970. A year of two digits becomes the latest year
/// whose date is at most 50 years after `now`.
pub(crate) fn http_date(text: &[u8], now: u64) -> Option<u64> {
    let latest = i64::try_from(now).ok()? + 50 * YEAR;
    let text = core::str::from_utf8(text)
        .ok()
        .filter(|text| text.len() <= MAX_DATE)?;
    let in_words = || in_words(text, latest, |_| false).filter(|date| date.zone == Zone::Known);
    let seconds = asctime(text).or_else(|| in_words().map(|date| date.seconds))?;
    u64::try_from(seconds).ok().filter(|seconds| *seconds > 0)
}

/// Parses a date of ISO 8601 to seconds since 1970. A date without a zone is UTC. Returns `None` for an unknown zone.
pub(crate) fn iso_seconds(text: &str) -> Option<i64> {
    let date = iso_8601(text, |_| false).filter(|date| date.zone != Zone::Unknown)?;
    Some(date.seconds)
}

/// Parses the form of the C function `asctime`, such as `Sun Nov  6 08:49:37 1994`.
fn asctime(text: &str) -> Option<i64> {
    let mut words = text.split_ascii_whitespace();
    named(WEEKDAYS, words.next()?)?;
    let month = named(MONTHS, words.next()?)? + 1;
    let day = number(words.next()?, 1..=2)?;
    let time = clock_time(words.next()?)?;
    let days = days(number(words.next()?, 4..=4)?, month, day)?;
    words.next().is_none().then_some(days * DAY + time)
}

fn iso_8601(text: &str, is_no_zone: NoZone) -> Option<Date> {
    let end = text.find(|byte: char| !byte.is_ascii_digit() && byte != '-');
    let (day, rest) = text.split_at(end.unwrap_or(text.len()));
    let (year, month, day) = match day.len() {
        10 => dashed(day)?,
        8 => (day.get(..4)?, day.get(4..6)?, day.get(6..)?),
        _ => return None,
    };
    let year = number(year, 4..=4)?;
    let days = days(year, number(month, 2..=2)?, number(day, 2..=2)?)?;
    if rest.is_empty() {
        return Some(date_at(days * DAY, Zone::Missing));
    }
    let rest = match rest.strip_prefix(['T', 't']) {
        Some(rest) => rest,
        None => rest.strip_prefix(is_blank)?.trim_start_matches(is_blank),
    };
    let is_time = |byte: char| byte.is_ascii_digit() || byte == ':' || byte == '.';
    let end = rest.find(|byte| !is_time(byte)).unwrap_or(rest.len());
    let (time, zone) = rest.split_at(end);
    let time = clock_time(time).or_else(|| basic_time(time))?;
    let zone = zone_of(zone.trim_start_matches(is_blank), is_no_zone)?;
    Some(date_at(days * DAY + time - zone.0, zone.1))
}

/// Splits a text at its two `-`.
fn dashed(text: &str) -> Option<(&str, &str, &str)> {
    let (first, rest) = text.split_once('-')?;
    let (second, third) = rest.split_once('-')?;
    (!third.contains('-')).then_some((first, second, third))
}

/// Parses the forms with the name of a month. A year of two digits becomes the latest year whose date is not after `latest`.
fn in_words(text: &str, latest: i64, is_no_zone: NoZone) -> Option<Date> {
    let mut words = DateWords { rest: text };
    let mut word = words.next()?;
    if named(WEEKDAYS, word).is_some() {
        words.skip_comma();
        word = words.next()?;
    }
    let (day, month, year) = if word.contains('-') {
        dashed(word)?
    } else if named(MONTHS, word).is_some() {
        let day = words.next()?;
        words.skip_comma();
        (day, word, words.next()?)
    } else {
        (word, words.next()?, words.next()?)
    };
    let (month, day) = (named(MONTHS, month)? + 1, number(day, 1..=2)?);
    let (time, zone) = match words.rest.is_empty() {
        true => (0, (0, Zone::Missing)),
        false => {
            words.skip_comma();
            (clock_time(words.next()?)?, zone_of(words.rest, is_no_zone)?)
        }
    };
    let in_year = |year| Some(days(year, month, day)? * DAY + time);
    let seconds = match year.len() {
        2 => {
            let next = 1970 + latest / YEAR + 1;
            let last = next - (next - number(year, 2..=2)?).rem_euclid(100);
            // A leap second at the end of a day (second 60) still belongs to this day.
            let leap = i64::from(time == DAY);
            let late = in_year(last).filter(|seconds| *seconds - leap <= latest);
            late.or_else(|| in_year(last - 100))?
        }
        _ => in_year(number(year, 4..=4)?)?,
    };
    Some(date_at(seconds - zone.0, zone.1))
}

/// A reader of words that white space separates. Only [`DateWords::skip_comma`] skips a comma.
struct DateWords<'t> {
    rest: &'t str,
}

impl<'t> DateWords<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let end = self.rest.find(|byte| is_blank(byte) || byte == ',');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start_matches(is_blank);
        (!word.is_empty()).then_some(word)
    }

    fn skip_comma(&mut self) {
        if let Some(rest) = self.rest.strip_prefix(',') {
            self.rest = rest.trim_start_matches(is_blank);
        }
    }
}

fn is_blank(byte: char) -> bool {
    byte.is_ascii_whitespace()
}

/// Returns the index of the name that equals `word`, or whose first three letters equal `word`. Case is ignored.
fn named(names: &str, word: &str) -> Option<i64> {
    let is_it = |name: &str| {
        let short = name.get(..3).unwrap_or(name);
        word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(short)
    };
    Some(names.split(' ').position(is_it)? as i64)
}

/// Parses decimal digits without a sign. `len`: the permitted numbers of digits.
fn number(digits: &str, len: core::ops::RangeInclusive<usize>) -> Option<i64> {
    let is_number = len.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Parses `h:mm[:ss[.fraction]]` to seconds. Second 60 is a leap second.
fn clock_time(text: &str) -> Option<i64> {
    let (hour, rest) = text.split_once(':')?;
    let (minute, second) = rest.split_once(':').unwrap_or((rest, "00"));
    let (whole, fraction) = second.split_once('.').unwrap_or((second, "0"));
    number(fraction, 1..=9)?;
    let second = number(whole, 2..=2)?;
    seconds(number(hour, 1..=2)?, number(minute, 2..=2)?, second)
}

/// Parses `hhmm` and `hhmmss` to seconds.
fn basic_time(text: &str) -> Option<i64> {
    number(text, 4..=6)?;
    let (minutes, second) = text.split_at_checked(4)?;
    let (hour, minute) = minutes.split_at_checked(2)?;
    let second = if second.is_empty() { "00" } else { second };
    let two_digits = |digits| number(digits, 2..=2);
    seconds(two_digits(hour)?, two_digits(minute)?, two_digits(second)?)
}

fn seconds(hour: i64, minute: i64, second: i64) -> Option<i64> {
    (hour < 24 && minute < 60 && second <= 60).then_some((hour * 60 + minute) * 60 + second)
}

/// Parses a zone to its offset in seconds: a name of [`ZONES`], `+hhmm`, `+hh:mm` or `+hh`. Another word that looks like a zone
/// is an unknown zone, and any other text is `None`.
fn zone_of(text: &str, is_no_zone: NoZone) -> Option<(i64, Zone)> {
    if text.is_empty() {
        return Some((0, Zone::Missing));
    }
    let mut zones = ZONES.iter();
    if let Some((_, hours)) = zones.find(|(name, _)| text.eq_ignore_ascii_case(name)) {
        return Some((hours * 3600, Zone::Known));
    }
    if let Some(digits) = text.strip_prefix(['+', '-']) {
        let (hours, minutes) = match digits.len() {
            2 => (digits, "00"),
            4 => digits.split_at_checked(2)?,
            _ => digits.split_once(':')?,
        };
        let offset = seconds(number(hours, 2..=2)?, number(minutes, 2..=2)?, 0)?;
        let sign = if text.starts_with('-') { -1 } else { 1 };
        return Some((sign * offset, Zone::Known));
    }
    let is_short =
        text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) && !is_no_zone(text);
    let is_place_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"/_+-".contains(&byte);
    let is_place = text.starts_with(|byte: char| byte.is_ascii_alphabetic())
        && text.contains('/')
        && text.bytes().all(is_place_byte);
    (is_short || is_place).then_some((0, Zone::Unknown))
}

const DAY: i64 = 24 * 60 * 60;
/// The average year of the Gregorian calendar: 365.2425 days.
const YEAR: i64 = 31_556_952;
/// 2069-12-31 23:59:59 UTC: in a page, a year of two digits means 1970 to 2069 (SPEC 9.6).
const END_OF_2069: i64 = 3_155_759_999;

/// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar; `None` if the day does not exist.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    // Years start in March, so a leap day is the last day of its year.
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    Some(year * 365 + leap_days + day_of_year - 719_468)
}

/// Returns a date. A date before 1970 becomes the start of 1970, because both are in the past.
fn date_at(seconds: i64, zone: Zone) -> Date {
    Date {
        seconds: seconds.max(0),
        zone,
    }
}
