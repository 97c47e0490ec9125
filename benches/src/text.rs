//! Numbers as text.

/// Nanoseconds in the unit that fits.
pub fn time(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{ns:.1} ns"),
        1e3..1e6 => format!("{:.2} us", ns / 1e3),
        1e6..1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// A bound on nanoseconds, which is a round number.
pub fn bound(ns: f64) -> String {
    match ns {
        ..1e9 => format!("{} ms", ns / 1e6),
        _ => format!("{} s", ns / 1e9),
    }
}

/// 31000 as 31,000.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
