//! Verdicts as rows of text and as lines of JSON.

use std::io::Write as _;

use robots::{Reason, Rules, Verdict};
use serde_json::Error;

use crate::screen;
use crate::words::reason_name;

/// Whether the URL is to be kept and checked again later: an outage is no ban by the site.
pub(crate) fn is_deferred(verdict: Verdict) -> bool {
    matches!(verdict.reason(), Reason::Defer | Reason::Unreachable)
}

/// Returns `allowed`, `disallowed`, `deferred` or `error`.
pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict.error() {
        Some(_) => "error",
        None if verdict.allowed() => "allowed",
        None if is_deferred(verdict) => "deferred",
        None => "disallowed",
    }
}

/// Returns the line that decides. Google's parser has a line for a verdict to which an empty rule leads, and no rule decides it.
pub(crate) fn deciding_line(verdict: Verdict) -> Option<u32> {
    let is_decided = verdict.line() > 0 && verdict.reason() != Reason::NoRule;
    is_decided.then(|| verdict.line())
}

/// Returns the line that decides; 0 if none does.
pub(crate) fn line_number(verdict: Verdict) -> u32 {
    deciding_line(verdict).unwrap_or_default()
}

/// Returns whether two verdicts are shown alike.
pub(crate) fn is_same(a: Verdict, b: Verdict) -> bool {
    (a.allowed(), a.error(), line_number(a)) == (b.allowed(), b.error(), line_number(b))
}

/// Appends a decimal number, at least `width` bytes wide.
pub(crate) fn push_number(out: &mut Vec<u8>, mut number: u32, width: usize) {
    let mut digits = [b' '; 10];
    let mut len = 0;
    for place in digits.iter_mut().rev() {
        *place = b'0' + (number % 10) as u8;
        number /= 10;
        len += 1;
        if number == 0 {
            break;
        }
    }
    out.extend(std::iter::repeat_n(b' ', width.saturating_sub(len)));
    out.extend_from_slice(digits.get(digits.len() - len..).unwrap_or_default());
}

/// Appends `disallowed    15  URL`, without a line end; the URL as given.
pub(crate) fn push_row(out: &mut Vec<u8>, verdict: Verdict, url: &[u8], is_coloured: bool) {
    let word: &[u8] = match verdict.error() {
        Some(_) => b"error       ",
        None if verdict.allowed() => b"allowed     ",
        None if is_deferred(verdict) => b"deferred    ",
        None => b"disallowed  ",
    };
    if is_coloured {
        // Writing to memory cannot fail.
        let _ = write!(out, "\x1b[{}m", screen::escape_of(verdict));
    }
    out.extend_from_slice(word);
    if is_coloured {
        out.extend_from_slice(b"\x1b[0m");
    }
    match deciding_line(verdict) {
        None => out.extend_from_slice(b"   -"),
        Some(line) => push_number(out, line, 4),
    }
    out.extend_from_slice(b"  ");
    out.extend_from_slice(url);
}

/// Appends a text as a string of JSON. Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn push_json_text(out: &mut Vec<u8>, text: &[u8]) -> Result<(), Error> {
    // Fast path for nearly every URL: printable ASCII without quote and backslash.
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if text.iter().all(is_plain) {
        out.push(b'"');
        out.extend_from_slice(text);
        out.push(b'"');
        return Ok(());
    }
    let json = serde_json::to_string(&String::from_utf8_lossy(text))?;
    out.extend_from_slice(screen::json_escaped(json).as_bytes());
    Ok(())
}

/// Appends a line of JSON after `bindings/cli/schema/check.json`. `file` is a JSON string, and `fault` replaces the text of the
/// verdict's error.
pub(crate) fn push_json(
    out: &mut Vec<u8>,
    file: &[u8],
    verdict: Verdict,
    fault: Option<&str>,
    url: &[u8],
) -> Result<(), Error> {
    out.extend_from_slice(b"{\"file\":");
    out.extend_from_slice(file);
    out.extend_from_slice(b",\"url\":");
    push_json_text(out, url)?;
    out.extend_from_slice(b",\"allowed\":");
    out.extend_from_slice(if verdict.allowed() { b"true" } else { b"false" });
    out.extend_from_slice(b",\"reason\":\"");
    out.extend_from_slice(reason_name(verdict.reason()).as_bytes());
    out.extend_from_slice(b"\",\"line\":");
    push_number(out, line_number(verdict), 0);
    out.extend_from_slice(b",\"error\":");
    match (fault, verdict.error()) {
        (Some(fault), _) => push_json_text(out, fault.as_bytes())?,
        (None, None) => out.extend_from_slice(b"null"),
        (None, Some(error)) => push_json_text(out, error.to_string().as_bytes())?,
    }
    out.extend_from_slice(b"}\n");
    Ok(())
}

/// Returns the verdict on an invalid URL, or on one of a site whose rules are not known.
pub(crate) fn none() -> Verdict {
    Rules::disallow_all().check("")
}
