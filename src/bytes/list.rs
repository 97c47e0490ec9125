//! Parses lists and numbers in the values of HTTP headers.

/// Splits a header at the commas that are not in quotes.
pub(crate) fn split_outside_quotes(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut quoted, mut escaped) = (false, false);
    value.split(move |byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ => return !quoted && *byte == b',',
        }
        false
    })
}

/// Returns the content codings of a header, without `identity`.
pub(crate) fn codings(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let all = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    all.filter(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity"))
}

/// Parses decimal digits. A larger number than `u64::MAX` becomes `u64::MAX`.
pub(crate) fn saturating(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let add = |number: u64, digit: &u8| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    };
    is_number.then(|| digits.iter().fold(0, add))
}
