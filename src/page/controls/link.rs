//! Reads the header `Link` (RFC 8288): the targets whose `rel` has the word `license`.

use core::mem;

/// Returns the targets of a `Link` value whose `rel` has the word `license`. Skips an element that is no link.
pub(super) fn licenses(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = value;
    core::iter::from_fn(move || {
        loop {
            let start = memchr::memchr(b'<', rest)?;
            let after = rest.get(start + 1..)?;
            let end = memchr::memchr(b'>', after)?;
            let target = after.get(..end)?;
            rest = after.get(end + 1..)?;
            if has_license(&mut rest) {
                return Some(target.trim_ascii());
            }
        }
    })
}

/// Reads the parameters of a link, up to the comma that ends it, and returns whether its first `rel` has the word `license`.
fn has_license(rest: &mut &[u8]) -> bool {
    let (mut relation, mut is_end) = (None, false);
    while !is_end && !rest.is_empty() {
        let (name, value) = parameter(rest, &mut is_end);
        if name.eq_ignore_ascii_case(b"rel") && relation.is_none() {
            relation = Some(value);
        }
    }
    has_word_license(relation.unwrap_or_default())
}

/// Returns name and value of the next parameter, and reads the `;` or `,` after the parameter. A value that starts with a quote
/// is a string, and keeps its quotes and escapes. `is_end`: set to whether a comma ended the parameter.
fn parameter<'v>(rest: &mut &'v [u8], is_end: &mut bool) -> (&'v [u8], &'v [u8]) {
    let name = take_until(rest, |byte| matches!(byte, b'=' | b';' | b','));
    if let Some(value) = rest.strip_prefix(b"=") {
        *rest = value.trim_ascii_start();
    }
    let mut is_string = rest.first() == Some(&b'"');
    let (mut is_quoted, mut is_escaped) = (false, false);
    let value = take_until(rest, |byte| {
        let ends = !is_quoted && matches!(byte, b';' | b',');
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = mem::take(&mut is_string),
            _ => {}
        }
        ends
    });
    *is_end = rest.first() == Some(&b',');
    *rest = rest.get(1..).unwrap_or_default();
    (name.trim_ascii(), value)
}

/// Reads and returns the bytes before the first byte that `is_end` accepts.
fn take_until<'v>(rest: &mut &'v [u8], mut is_end: impl FnMut(u8) -> bool) -> &'v [u8] {
    let end = rest.iter().position(|byte| is_end(*byte));
    let (taken, others) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = others;
    taken
}

/// Returns whether a `rel` has the word `license`. In a string, an escape such as `\c` stands for `c`.
fn has_word_license(value: &[u8]) -> bool {
    const WORD: &[u8] = b"license";
    let has_escapes = value.first() == Some(&b'"');
    // The bytes that the current word still needs to equal `WORD`; `None` if the word differs from `WORD`.
    let mut left = Some(WORD);
    let mut bytes = value.iter();
    while let Some(byte) = bytes.next() {
        let is_escape = has_escapes && *byte == b'\\';
        let Some(byte) = (if is_escape { bytes.next() } else { Some(byte) }) else {
            break;
        };
        let ends_word = matches!(byte, b' ' | b'\t') || *byte == b'"' && !is_escape;
        if ends_word && left == Some(b"") {
            return true;
        }
        let next = left.and_then(<[u8]>::split_first);
        left = match next.filter(|(first, _)| byte.eq_ignore_ascii_case(first)) {
            _ if ends_word => Some(WORD),
            next => next.map(|(_, left)| left),
        };
    }
    left == Some(b"")
}
