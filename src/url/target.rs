//! Finds the path and query of a URL: the part that rules are matched with (SPEC 8.1, 8.5b).

use core::ops::Range;

use memchr::{memchr, memchr3};

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::url::scan::authority_end;

/// Returns the raw path and query of an absolute URL or of a path. For `http://host?query` the result has no leading `/`.
pub(crate) fn path_of(url: &[u8], dialect: Dialect) -> Result<&[u8], Error> {
    let range = range(url, dialect).ok_or(Error::Url)?;
    let mut raw = url.get(range).unwrap_or_default();
    if dialect.has_readings() && raw.first() == Some(&b'\\') {
        // Only browsers end the authority at `\`. For other clients the authority ends before the next `/`, `?` or `#`.
        let end = memchr3(b'/', b'?', b'#', raw);
        raw = raw.get(end.unwrap_or(raw.len())..).unwrap_or_default();
    }
    let end = memchr(b'#', raw).unwrap_or(raw.len());
    Ok(raw.get(..end).unwrap_or(raw))
}

/// Returns the range of path and query in `url`; `None` if `url` is no URL. The leading `/` may be missing, and the range may
/// include a fragment. If the range starts with `\`, the path starts there for browsers only.
#[inline(always)]
pub(crate) fn range(url: &[u8], dialect: Dialect) -> Option<Range<usize>> {
    let (authority, end) = generic(url)?;
    Some(match dialect {
        Dialect::Google => google(url, authority),
        _ => end..url.len(),
    })
}

/// Returns the start and end offsets of the authority (RFC 3986); both are 0 for a path.
#[inline(always)]
fn generic(url: &[u8]) -> Option<(usize, usize)> {
    if url.first() == Some(&b'/') {
        return Some((0, 0));
    }
    let start = after_scheme(url)?;
    // A URL without a host is rejected, because browsers read `https:///h/x` as the path `/x` of the host `h`. `http://:80/x`
    // and `http://user@/x` have no host, either.
    let first = *url.get(start)?;
    let end = authority_end(url, start).unwrap_or(url.len());
    // The last byte of the authority; if the authority is empty, the last `/` of `://`.
    let last = *url.get(end - 1)?;
    let has_host = !is_skipped(first) && first != b':' && !matches!(last, b'/' | b'@');
    has_host.then_some((start, end))
}

/// Returns the offset after `scheme://`.
#[inline(always)]
pub(crate) fn after_scheme(url: &[u8]) -> Option<usize> {
    // Nearly all URLs start with one of these two schemes. A test for each scheme is one comparison of eight bytes.
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"http://\0");
    if let Some(start) = url.first_chunk() {
        let start = u64::from_le_bytes(*start);
        if start == HTTPS {
            return Some(8);
        }
        if start & !(0xFF << 56) == HTTP {
            return Some(7);
        }
    }
    after_any_scheme(url)
}

/// Returns whether some clients remove this byte wherever it is in a URL.
#[inline(always)]
pub(crate) fn is_skipped(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

#[cold]
fn after_any_scheme(url: &[u8]) -> Option<usize> {
    let (scheme, rest) = split_scheme(url)?;
    rest.starts_with(b"//").then_some(scheme.len() + 3)
}

/// Splits a URL into its scheme and the rest after the `:` (RFC 3986, section 3.1).
pub(crate) fn split_scheme(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let (scheme, rest) = url.split_at_checked(memchr(b':', url)?)?;
    let (first, others) = scheme.split_first()?;
    let is_scheme = first.is_ascii_alphabetic()
        && others
            .iter()
            .all(|o| o.is_ascii_alphanumeric() || matches!(o, b'+' | b'-' | b'.'));
    is_scheme.then_some((scheme, rest.get(1..)?))
}

/// Returns the range that Google's matcher uses as path and query. This matcher also ends the authority at a `;`, and ends the
/// path at a NUL.
#[inline(never)]
fn google(url: &[u8], authority: usize) -> Range<usize> {
    let rest = url.get(authority..).unwrap_or_default();
    let rest = rest
        .get(..memchr(b'#', rest).unwrap_or(rest.len()))
        .unwrap_or(rest);
    let start = memchr3(b'/', b'?', b';', rest).unwrap_or(rest.len());
    let path = rest.get(start..).unwrap_or_default();
    let len = memchr(0, path).unwrap_or(path.len());
    authority + start..authority + start + len
}
