//! The header `Link` (RFC 8288): the targets with the relation `license`.

/// Returns the targets of a `Link` value whose relation is `license`. An element that is no link is skipped.
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

/// Reads the parameters of a link, up to the comma that ends it, and returns whether its first relation has the word `license`.
fn has_license(rest: &mut &[u8]) -> bool {
    let (mut relation, mut is_end) = (None, false);
    while !is_end && !rest.is_empty() {
        let parameter = parameter(rest, &mut is_end);
        let equals = memchr::memchr(b'=', parameter).unwrap_or(parameter.len());
        let (name, value) = parameter.split_at(equals);
        if name.trim_ascii().eq_ignore_ascii_case(b"rel") && relation.is_none() {
            relation = Some(value.get(1..).unwrap_or_default());
        }
    }
    let mut words = relation
        .unwrap_or_default()
        .split(|byte| b" \t\"".contains(byte));
    words.any(|word| word.eq_ignore_ascii_case(b"license"))
}

/// Reads and returns the bytes up to the next `;` or `,` outside quotes, and skips that separator. `is_end`: set to whether the
/// separator is a comma.
fn parameter<'v>(rest: &mut &'v [u8], is_end: &mut bool) -> &'v [u8] {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let end = rest.iter().position(|byte| {
        let ends = !is_quoted && matches!(byte, b';' | b',');
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ => {}
        }
        ends
    });
    let (parameter, others) = rest.split_at(end.unwrap_or(rest.len()));
    *is_end = others.first() == Some(&b',');
    *rest = others.get(1..).unwrap_or_default();
    parameter
}
