//! The dates of SPEC 9.6, in the forms of RFC 822, RFC 850, ISO 8601 and RFC 9651.

/// White space.
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

const MONTHS: &str =
    "january february march april may june july august september october november december";
const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

/// The place of a name in a list; its first three letters suffice.
fn place(list: &str, word: &str) -> Option<usize> {
    let word = word.to_ascii_lowercase();
    let is_it = |name: &str| name == word || name[..3] == word;
    list.split(' ').position(is_it)
}

/// A date, in seconds since 1970, and whether its zone is known.
pub fn date(text: &str) -> Option<(i64, &'static str)> {
    if text.len() > 128 || !text.is_ascii() {
        return None;
    }
    if let Some(seconds) = text.strip_prefix('@') {
        let digits = seconds.strip_prefix('-').unwrap_or(seconds);
        let is_number =
            (1..=15).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit());
        let seconds: i64 = seconds.parse().ok().filter(|_| is_number)?;
        return Some((seconds.max(0), "known"));
    }
    let lower = text.to_ascii_lowercase();
    let spaced = lower.replace(',', " , ");
    let words: Vec<&str> = spaced.split_ascii_whitespace().collect();
    let (day, time, zone) = numbers_only(&lower).or_else(|| with_names(&words))?;
    let Some(time) = time else {
        return Some(((day * 86_400).max(0), "missing"));
    };
    let (offset, zone) = match zone.as_str() {
        "" => (0, "missing"),
        "z" | "ut" | "utc" | "gmt" => (0, "known"),
        "edt" => (-4 * 60, "known"),
        "est" | "cdt" => (-5 * 60, "known"),
        "cst" | "mdt" => (-6 * 60, "known"),
        "mst" | "pdt" => (-7 * 60, "known"),
        "pst" => (-8 * 60, "known"),
        other => match other.as_bytes() {
            [sign @ (b'+' | b'-'), rest @ ..] => {
                let digits: Vec<i64> = rest
                    .iter()
                    .filter(|byte| **byte != b':')
                    .map(|byte| char::from(*byte).to_digit(10).map(i64::from))
                    .collect::<Option<_>>()?;
                let is_form = matches!((rest.len(), rest.get(2)), (2, None) | (5, Some(b':')))
                    || rest.len() == 4 && !rest.contains(&b':');
                let minutes = match digits[..] {
                    [a, b] if is_form => (a * 10 + b) * 60,
                    [a, b, c, d] if is_form && a * 10 + b < 24 && c < 6 => {
                        (a * 10 + b) * 60 + c * 10 + d
                    }
                    _ => return None,
                };
                if minutes >= 24 * 60 {
                    return None;
                }
                (if *sign == b'-' { -minutes } else { minutes }, "known")
            }
            // A rule is no zone.
            b"all" | b"index" | b"none" | b"noai" => return None,
            letters if letters.len() <= 5 && letters.iter().all(u8::is_ascii_alphabetic) => {
                (0, "unknown")
            }
            [first, ..]
                if first.is_ascii_alphabetic()
                    && other.contains('/')
                    && other
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || "/_+-".contains(c)) =>
            {
                (0, "unknown")
            }
            _ => return None,
        },
    };
    Some(((day * 86_400 + time - offset * 60).max(0), zone))
}

type Parts = (i64, Option<i64>, String);

/// ISO 8601.
fn numbers_only(text: &str) -> Option<Parts> {
    let day_len = if text.get(4..5) == Some("-") { 10 } else { 8 };
    let (day, rest) = text.split_at_checked(day_len)?;
    let digits: String = day.chars().filter(|c| c.is_ascii_digit()).collect();
    let is_form = digits.len() == 8
        && (day_len == 8 || day.get(4..5) == Some("-") && day.get(7..8) == Some("-"));
    if !is_form {
        return None;
    }
    let day = day_number(
        digits[..4].parse().ok()?,
        digits[4..6].parse().ok()?,
        digits[6..].parse().ok()?,
    )?;
    if rest.is_empty() {
        return Some((day, None, String::new()));
    }
    let rest = match rest.strip_prefix('t') {
        Some(rest) => rest,
        None if rest.starts_with(is_blank) => rest.trim_start_matches(is_blank),
        None => return None,
    };
    let is_time = |c: &char| c.is_ascii_digit() || *c == ':' || *c == '.';
    let time: String = rest.chars().take_while(is_time).collect();
    let zone = rest[time.len()..].trim_start_matches(is_blank);
    let all_digits = time.chars().all(|c| c.is_ascii_digit());
    let seconds = match time.len() {
        4 if all_digits => clock(&format!("{}:{}", &time[..2], &time[2..])),
        6 if all_digits => clock(&format!("{}:{}:{}", &time[..2], &time[2..4], &time[4..])),
        _ => clock(&time),
    };
    Some((day, Some(seconds?), zone.to_owned()))
}

/// RFC 822 and RFC 850, also with the month first.
fn with_names(words: &[&str]) -> Option<Parts> {
    let without_comma = |words: &[&str]| usize::from(words.first() == Some(&","));
    let mut at = 0;
    if place(WEEKDAYS, words.first()?).is_some() {
        at = 1;
        at += without_comma(&words[at..]);
    }
    let (day, month, year) = match words[at..] {
        [whole, ..] if whole.contains('-') => {
            at += 1;
            let parts: Vec<&str> = whole.split('-').collect();
            let [day, month, year] = parts[..] else {
                return None;
            };
            (day, month, year)
        }
        [month, day, ",", year, ..] if place(MONTHS, month).is_some() => {
            at += 4;
            (day, month, year)
        }
        [month, day, year, ..] if place(MONTHS, month).is_some() => {
            at += 3;
            (day, month, year)
        }
        [day, month, year, ..] => {
            at += 3;
            (day, month, year)
        }
        _ => return None,
    };
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if !is_number(day) || !(1..=2).contains(&day.len()) || !is_number(year) {
        return None;
    }
    let year: i64 = match (year.len(), year.parse().ok()?) {
        (2, year @ 0..70) => year + 2000,
        (2, year) => year + 1900,
        (4, year) => year,
        _ => return None,
    };
    let month = place(MONTHS, month)? as i64 + 1;
    let day = day_number(year, month, day.parse().ok()?)?;
    match &words[at..] {
        [] => Some((day, None, String::new())),
        [",", time] | [time] => Some((day, Some(clock(time)?), String::new())),
        [",", time, zone] | [time, zone] => Some((day, Some(clock(time)?), (*zone).to_owned())),
        _ => None,
    }
}

/// `h:mm`, `h:mm:ss`, `h:mm:ss.fraction`.
fn clock(text: &str) -> Option<i64> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |text: &str, most: usize| {
        let is_number = text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty();
        (is_number && text.len() <= most)
            .then(|| text.parse::<i64>().ok())
            .flatten()
    };
    let two = |text: &str| number(text, 2).filter(|_| text.len() == 2);
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (hour, minute, "00"),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let second = match second.split_once('.') {
        Some((second, fraction)) => {
            number(fraction, 9)?;
            second
        }
        None => second,
    };
    let (hour, minute, second) = (number(hour, 2)?, two(minute)?, two(second)?);
    (hour <= 23 && minute <= 59 && second <= 60).then_some(hour * 3600 + minute * 60 + second)
}

/// Counts the days from 1970, one year and one month after the other.
pub fn day_number(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = |year: i64| year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
    let of_month = |month: i64| match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=12).contains(&month) || day < 1 || day > of_month(month) {
        return None;
    }
    let of_year = |year: i64| if is_leap(year) { 366 } else { 365 };
    let years: i64 = if year >= 1970 {
        (1970..year).map(of_year).sum()
    } else {
        -(year..1970).map(of_year).sum::<i64>()
    };
    let months: i64 = (1..month).map(of_month).sum();
    Some(years + months + day - 1)
}
