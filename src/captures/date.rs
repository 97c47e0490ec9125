//! The date of a capture (SPEC 11.5, 11.6).

/// When a response was captured, in the order of preference: of the captures of a URL the last one decides (SPEC 11.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Not known.
    Unknown,
    /// The position in a sequence of files or rows whose order counts.
    Position(u64),
    /// Nanoseconds since 1970-01-01 UTC.
    Date(i128),
}

/// The nanoseconds of a second.
const SECOND: i128 = 1_000_000_000;

/// Returns the unit that a date has by its size: 0 for seconds, 1 for milliseconds and so on; another number for what is no time
/// since 1993, by its number of digits: years and days as numbers, and counters.
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

/// Returns the days from 0001-01-01 to the first day of a year.
fn days_before(year: i128) -> i128 {
    let past = year - 1;
    past * 365 + past / 4 - past / 100 + past / 400 + 1
}

/// Returns the nanoseconds since 1970 of a date of ISO 8601, or of its digits alone, as indexes of archives have them. Without a
/// zone it is UTC.
///
/// ```
/// use robots::parse_date;
///
/// assert_eq!(parse_date("2026-02-01T12:00:00.5+02:00"), Some(1_769_940_000_500_000_000));
/// assert_eq!(parse_date("20260201100000"), parse_date("2026-02-01 10:00"));
/// assert_eq!(parse_date("01.02.2026"), None);
/// ```
pub fn parse_date(text: impl AsRef<[u8]>) -> Option<i128> {
    let text = text.as_ref().trim_ascii();
    if text.iter().all(u8::is_ascii_digit) && matches!(text.len(), 8 | 14) {
        let (date, time) = text.split_at(8);
        let seconds = if time.is_empty() { 0 } else { clock(time)? };
        return Some((day(date)? * 86_400 + seconds) * SECOND);
    }
    let (date, time) = text.split_at_checked(10)?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *date else {
        return None;
    };
    let day = day(&[y0, y1, y2, y3, m0, m1, d0, d1])?;
    let Some((separator, time)) = time.split_first() else {
        return Some(day * 86_400 * SECOND);
    };
    if !matches!(separator, b'T' | b't' | b' ') {
        return None;
    }
    let zone = time
        .iter()
        .position(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-'));
    let (time, zone) = time.split_at(zone.unwrap_or(time.len()));
    let (time, fraction) = match time.iter().position(|byte| matches!(byte, b'.' | b',')) {
        Some(at) => (time.get(..at)?, time.get(at + 1..)?),
        None => (time, &b"0"[..]),
    };
    let time = match *time.trim_ascii_end() {
        [h0, h1, b':', m0, m1] => clock(&[h0, h1, m0, m1, b'0', b'0'])?,
        [h0, h1, b':', m0, m1, b':', s0, s1] => clock(&[h0, h1, m0, m1, s0, s1])?,
        _ => return None,
    };
    let nanoseconds = fraction.trim_ascii_end();
    let nanoseconds = digits(nanoseconds.get(..nanoseconds.len().min(9))?)?
        * 10_i128.pow(9_u32.saturating_sub(nanoseconds.len() as u32));
    let offset = match *zone {
        [] | [b'Z' | b'z'] => 0,
        [sign, h0, h1] => signed(sign, clock(&[h0, h1, b'0', b'0', b'0', b'0'])?)?,
        [sign, h0, h1, m0, m1] | [sign, h0, h1, b':', m0, m1] => {
            signed(sign, clock(&[h0, h1, m0, m1, b'0', b'0'])?)?
        }
        _ => return None,
    };
    Some((day * 86_400 + time - offset) * SECOND + nanoseconds)
}

fn signed(sign: u8, seconds: i128) -> Option<i128> {
    match sign {
        b'+' => Some(seconds),
        b'-' => Some(-seconds),
        _ => None,
    }
}

/// Returns the number of up to 9 digits.
fn digits(text: &[u8]) -> Option<i128> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let value = |sum, digit: &u8| sum * 10 + i128::from(digit - b'0');
    is_number.then(|| text.iter().fold(0, value))
}

/// Returns the days from 1970-01-01 to a day. `text` has its eight digits.
fn day(text: &[u8]) -> Option<i128> {
    const BEFORE: [i128; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
    let (year, month, day) = (
        digits(text.get(..4)?)?,
        digits(text.get(4..6)?)?,
        digits(text.get(6..)?)?,
    );
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let month = usize::try_from(month).ok()?.checked_sub(1)?;
    let (before, after) = (*BEFORE.get(month)?, *BEFORE.get(month + 1)?);
    let length = after - before + i128::from(is_leap && month == 1);
    let leap = i128::from(is_leap && month > 1);
    let is_valid = year >= 1 && (1..=length).contains(&day);
    is_valid.then(|| days_before(year) - days_before(1970) + before + leap + day - 1)
}

/// Returns the seconds of a time of day. `text` has its six digits. A leap second counts.
fn clock(text: &[u8]) -> Option<i128> {
    let (hours, minutes, seconds) = (
        digits(text.get(..2)?)?,
        digits(text.get(2..4)?)?,
        digits(text.get(4..)?)?,
    );
    let is_valid = hours < 24 && minutes < 60 && seconds <= 60;
    is_valid.then(|| hours * 3600 + minutes * 60 + seconds)
}
