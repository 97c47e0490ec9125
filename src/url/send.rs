//! Converts a URL to the form that every client sends unchanged (SPEC 8.11).

use std::borrow::Cow;

use crate::base::error::Error;
use crate::base::limits::MAX_PATH;
use crate::bytes::try_alloc::reserved;
use crate::url::canonical::{escape, escaped, is_unreserved};
use crate::url::{origin, reading};

/// Returns the form of an absolute URL that a crawler checks and then sends (SPEC 8.11). Each HTTP client sends this form byte
/// for byte, so the form has only one reading. The result is borrowed if the URL already has this form.
///
/// The form starts with the key of the [`Origin`](crate::Origin), so it has no user name and no password. Path and query are
/// those that a browser reads, written with the ASCII characters that RFC 3986 permits. Escapes are in upper case, and
/// unreserved characters are not escaped. There is no empty query and no fragment. In rfc9309 and koster1996, an allowed URL
/// has an allowed form.
///
/// ```
/// let form = robots::url_to_send("HTTPS://Example.com:443/a/../caf\u{e9} %7euser\\?#top")?;
/// assert_eq!(form, "https://example.com/caf%C3%A9%20~user/");
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Errors
/// The errors of [`Origin::from_url`](crate::Origin::from_url); [`Error::Url`] if path and query have more than 64 KiB in this
/// form; [`Error::Memory`].
pub fn url_to_send<U: AsRef<[u8]> + ?Sized>(url: &U) -> Result<Cow<'_, str>, Error> {
    to_send(url.as_ref())
}

/// Implements [`url_to_send`].
#[allow(clippy::expect_used, reason = "an invariant")]
pub(crate) fn to_send(url: &[u8]) -> Result<Cow<'_, str>, Error> {
    let key = origin::key(url)?;
    if url.strip_prefix(key.as_bytes()).is_some_and(is_form) {
        let form = core::str::from_utf8(url).expect("key and form are ASCII");
        return Ok(Cow::Borrowed(form));
    }
    let form = reading::of_browsers(url, |path| {
        // A byte becomes at most an escape of three bytes.
        let mut form = reserved(key.len() + path.len() * 3)?;
        form.extend_from_slice(key.as_bytes());
        append(path, &mut form);
        if form.len() - key.len() > MAX_PATH {
            return Err(Error::Url);
        }
        Ok(form)
    })??;
    let form = String::from_utf8(form).expect("key and form are ASCII");
    Ok(Cow::Owned(form))
}

/// Returns whether a URL certainly has the form to send. `path`: the URL after its key. False negatives are allowed.
fn is_form(path: &[u8]) -> bool {
    // A `%` may start the escape of an unreserved byte, so a URL with a `%` returns false.
    let is_kept = |byte: &u8| *byte != b'\'' && is_allowed(*byte);
    path.first() == Some(&b'/')
        && path.len() <= MAX_PATH
        && path.iter().all(is_kept)
        && reading::is_single(path)
        && !ends_with_parameter(path)
}

/// Returns whether the path before the query ends with `;`, which urllib and Scrapy remove.
fn ends_with_parameter(path: &[u8]) -> bool {
    let mut parts = path.split(|byte| *byte == b'?');
    parts.next().is_some_and(|path| path.ends_with(b";"))
}

/// Appends a path and its query to `form`, in the form to send.
fn append(path: &[u8], form: &mut Vec<u8>) {
    let mut in_query = false;
    let mut rest = path;
    while let [byte, others @ ..] = rest {
        if let Some(value) = escaped(rest) {
            rest = rest.get(3..).unwrap_or_default();
            match is_unreserved(value) {
                true => form.push(value),
                false => form.extend(escape(value)),
            }
            continue;
        }
        rest = others;
        let is_end = matches!(rest, [] | [b'?', ..]);
        match byte {
            b'?' if !in_query && rest.is_empty() => {}
            b';' if !in_query && is_end => form.extend(escape(b';')),
            b'\'' if in_query => form.extend(escape(b'\'')),
            byte if is_allowed(*byte) => form.push(*byte),
            byte => form.extend(escape(*byte)),
        }
        in_query |= *byte == b'?';
    }
}

/// Returns whether a path and query may have this byte (RFC 3986, sections 3.3 and 3.4).
fn is_allowed(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(
            byte,
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'='
        )
        || matches!(byte, b':' | b'@' | b'/' | b'?')
}
