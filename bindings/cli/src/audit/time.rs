//! Times of log lines.
//!
//! Most lines of a log share their minute with the line before. So only a new minute is parsed as a date.

use robots::parse_date;

/// The time of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time {
    /// Milliseconds since 1970-01-01 UTC.
    pub(super) ms: i64,
    /// The log has whole seconds: the request was up to a second later.
    pub(super) is_whole: bool,
}

/// Milliseconds of a day.
pub(super) const DAY: i64 = 86_400_000;

/// A reader of times, which remembers the last minute.
#[derive(Default)]
pub(super) struct Times {
    minute: Vec<u8>,
    zone: Vec<u8>,
    ms: i64,
}

impl Times {
    /// Parses a time: `10/Oct/2026:13:55:36 -0700`, ISO 8601, 14 digits, or a number since 1970 whose size gives its unit.
    pub(super) fn parse(&mut self, text: &[u8]) -> Option<Time> {
        let text = text.trim_ascii();
        match (text.get(2), text.get(4), text.get(16)) {
            (Some(b'/'), ..) => self.in_minute(text, 17),
            (_, Some(b'-'), Some(b':')) => self.in_minute(text, 16),
            _ => number(text).or_else(|| Some(whole(milliseconds(text)?))),
        }
    }

    /// Parses a time whose minute has `len` bytes.
    fn in_minute(&mut self, text: &[u8], len: usize) -> Option<Time> {
        let (minute, rest) = text.split_at_checked(len)?;
        let [b':', tens @ b'0'..=b'6', ones @ b'0'..=b'9', rest @ ..] = rest else {
            return None;
        };
        let seconds = i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
        let is_fraction = matches!(rest, [b'.' | b',', ..]);
        let digits = rest.get(usize::from(is_fraction)..).unwrap_or_default();
        let count = match is_fraction {
            true => digits
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count(),
            false => 0,
        };
        let (digits, zone) = digits.split_at_checked(count)?;
        if minute != self.minute || zone != self.zone || self.minute.is_empty() {
            self.ms = milliseconds(&joined(minute, zone)?)?;
            self.minute = minute.to_vec();
            self.zone = zone.to_vec();
        }
        let fraction = digits.iter().take(3).chain([b'0'; 3].iter()).take(3);
        let fraction = fraction.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        Some(Time {
            ms: self.ms + seconds * 1000 + fraction,
            is_whole: count == 0,
        })
    }
}

/// Returns the start of a minute in ISO 8601.
fn joined(minute: &[u8], zone: &[u8]) -> Option<Vec<u8>> {
    let zone = zone.trim_ascii();
    if minute.get(4) == Some(&b'-') {
        return Some([minute, b":00", zone].concat());
    }
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let name = minute.get(3..6)?;
    let month = MONTHS.chunks(3).position(|month| month == name)? + 1;
    let (day, year, clock) = (minute.get(..2)?, minute.get(7..11)?, minute.get(12..)?);
    let month = format!("-{month:02}-");
    Some([year, month.as_bytes(), day, b"T", clock, b":00", zone].concat())
}

fn milliseconds(text: &[u8]) -> Option<i64> {
    i64::try_from(parse_date(text)? / 1_000_000).ok()
}

/// Parses a number since 1970; 14 digits are a date.
fn number(text: &[u8]) -> Option<Time> {
    let text = std::str::from_utf8(text).ok()?;
    if text.len() == 14 || !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    match text.parse::<u64>() {
        Ok(number) => Time::of_whole(number),
        Err(_) => Time::of_seconds(text.parse().ok()?),
    }
}

fn whole(ms: i64) -> Time {
    Time { ms, is_whole: true }
}

impl Time {
    /// Returns a time in seconds, milliseconds, microseconds or nanoseconds since 1970: the unit is the one with a year before 5138.
    pub(super) fn of_whole(number: u64) -> Option<Time> {
        const MOST: u64 = 100_000_000_000;
        let (factor, divisor) = match number {
            ..MOST => (1000, 1),
            _ if number < MOST * 1000 => (1, 1),
            _ if number < MOST * 1_000_000 => (1, 1000),
            _ => (1, 1_000_000),
        };
        let ms = i64::try_from(number / divisor * factor).ok()?;
        Some(Time {
            ms,
            is_whole: factor > 1,
        })
    }

    /// Returns a time in seconds since 1970.
    pub(super) fn of_seconds(seconds: f64) -> Option<Time> {
        let is_time = (0.0..1e11).contains(&seconds);
        is_time.then_some(Time {
            ms: (seconds * 1000.0) as i64,
            is_whole: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_logs_are_read() {
        let mut times = Times::default();
        for (text, wanted) in [
            ("10/Oct/2000:13:55:36 -0700", Some((971_211_336_000, true))),
            ("10/Oct/2000:13:55:37 -0700", Some((971_211_337_000, true))),
            ("10/Oct/2000:13:55:37 +0000", Some((971_186_137_000, true))),
            ("2000-10-10T20:55:36Z", Some((971_211_336_000, true))),
            ("2000-10-10T20:55:36.5Z", Some((971_211_336_500, false))),
            ("2000-10-10 20:55:36", Some((971_211_336_000, true))),
            (
                "2000-10-10T13:55:36.123456789-07:00",
                Some((971_211_336_123, false)),
            ),
            ("20001010205536", Some((971_211_336_000, true))),
            ("971211336", Some((971_211_336_000, true))),
            ("971211336.25", Some((971_211_336_250, false))),
            ("971211336250", Some((971_211_336_250, false))),
            ("971211336250000000", Some((971_211_336_250, false))),
            ("10/Okt/2000:13:55:36 -0700", None),
            ("31/Feb/2000:13:55:36 -0700", None),
            ("10/Oct/2000:13:55", None),
            ("10/Oct/2000:13:55:7x +0000", None),
            ("", None),
            ("-", None),
            ("nan", None),
        ] {
            let time = times
                .parse(text.as_bytes())
                .map(|time| (time.ms, time.is_whole));
            assert_eq!(time, wanted, "{text}");
        }
    }
}
