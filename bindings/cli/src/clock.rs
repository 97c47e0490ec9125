//! The clock, and times as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the seconds since 1970-01-01 UTC.
pub(crate) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}

/// Returns a time as `2026-11-22 05:00:00 UTC`.
pub(crate) fn text(time: u64) -> String {
    let (days, seconds) = (time / 86_400, time % 86_400);
    // Days to a date of the Gregorian calendar, in years that begin in March (Hinnant, days_from_civil reversed).
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Returns a length of time in words, such as `2 hours`.
#[cfg(any(feature = "live", test))]
pub(crate) fn span(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..120 => (seconds, "second"),
        120..7_200 => (seconds / 60, "minute"),
        7_200..172_800 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (time, wanted) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_795_323_723, "2026-11-22 05:02:03 UTC"),
            (4_107_542_399, "2100-02-28 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(text(time), wanted);
        }
        for (seconds, wanted) in [
            (1, "1 second"),
            (119, "119 seconds"),
            (3_600, "60 minutes"),
            (86_400, "24 hours"),
            (2_592_000, "30 days"),
        ] {
            assert_eq!(span(seconds), wanted);
        }
    }
}
