//! The path and query of a URL, which rules are matched with (SPEC 8.1, 8.5b).

use core::ops::Range;

use memchr::{memchr, memchr3, memmem};

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::url::scan::authority_end;

/// Returns the raw path and query of an absolute URL or of a path. The leading `/` is missing in `http://host?query`.
pub(crate) fn path_of(url: &[u8], dialect: Dialect) -> Result<&[u8], Error> {
    let range = range(url, dialect).ok_or(Error::Url)?;
    let mut raw = url.get(range).unwrap_or_default();
    if dialect.has_readings() && raw.first() == Some(&b'\\') {
        // Only browsers end the authority here. The URL as it is has a longer one.
        let end = memchr3(b'/', b'?', b'#', raw);
        raw = raw.get(end.unwrap_or(raw.len())..).unwrap_or_default();
    }
    let end = memchr(b'#', raw).unwrap_or(raw.len());
    Ok(raw.get(..end).unwrap_or(raw))
}

/// Returns the range of path and query in `url`; `None` if it is not a URL. The leading `/` may be missing, and the range may
/// include a fragment. If the range starts with `\`, the path starts there for browsers only.
#[inline(always)]
pub(crate) fn range(url: &[u8], dialect: Dialect) -> Option<Range<usize>> {
    match dialect {
        Dialect::Google => Some(google(url)),
        _ => Some(generic(url)?..url.len()),
    }
}

/// Returns the offset after scheme and authority (RFC 3986).
#[inline(always)]
fn generic(url: &[u8]) -> Option<usize> {
    if url.first() == Some(&b'/') {
        return Some(0);
    }
    let start = after_scheme(url)?;
    // A URL without a host is refused: browsers read `https:///h/x` as `/x` at the host `h`.
    let has_host = url.get(start).is_some_and(|first| !is_skipped(*first));
    let end = authority_end(url, start).unwrap_or(url.len());
    (has_host && end > start).then_some(end)
}

/// Returns the offset after `scheme://`.
#[inline(always)]
pub(crate) fn after_scheme(url: &[u8]) -> Option<usize> {
    // Nearly all URLs start with one of two schemes: one 8-byte comparison each.
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

/// Returns whether some clients remove the byte anywhere in a URL.
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

/// Returns the range that Google's matcher uses as path and query; empty if it finds none.
#[inline(never)]
fn google(url: &[u8]) -> Range<usize> {
    let none = url.len()..url.len();
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let find = |from: usize| {
        let rest = url.get(from..)?;
        memchr3(b'/', b'?', b';', rest).map(|at| from + at)
    };
    let authority = url
        .get(start..)
        .and_then(|rest| memmem::find(rest, b"://"))
        .map(|at| start + at)
        // A "://" inside a path, parameter or query does not end a scheme.
        .filter(|scheme_end| find(start).is_none_or(|early| early >= *scheme_end))
        .map_or(start, |scheme_end| scheme_end + 3);
    let Some(path_start) = find(authority) else {
        return none;
    };
    let hash = url
        .get(start..)
        .and_then(|rest| memchr(b'#', rest))
        .map_or(url.len(), |at| start + at);
    // The range is empty if it would start in the fragment.
    let path = url.get(path_start..hash).unwrap_or_default();
    path_start..path_start + memchr(0, path).unwrap_or(path.len())
}
