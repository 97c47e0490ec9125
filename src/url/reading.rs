//! The readings of a URL (SPEC 8.11): the paths that different clients send for the URL. `/a/../private` has two readings,
//! `/a/../private` and `/private`, and both must be allowed.
//!
//! Nearly all URLs have one reading, and [`is_single`] recognises them in one pass of vector operations. For all other URLs,
//! [`each`] computes the readings.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::SAFE_PATH;
use crate::bytes::simd::{equal, is_below};
use crate::bytes::try_alloc::{with_zeros, zeros};
use crate::url::canonical::{Form, Side};
use crate::url::scan::{self, has_pair};
use crate::url::target::{after_scheme, is_skipped, path_of};

/// Returns whether rules are matched with a raw path, without a copy: the path starts with `/`, has at most [`SAFE_PATH`]
/// bytes, is canonical, and has one reading. In google every URL path is canonical and has one reading. False negatives cost
/// time, not correctness.
#[inline(always)]
pub(crate) fn is_matched_as_is(path: &[u8], dialect: Dialect) -> bool {
    if path.first() != Some(&b'/') || path.len() > SAFE_PATH {
        return false;
    }
    match dialect {
        Dialect::Rfc9309 => {
            scan::is_canonical_and_single(path) || is_canonical_and_single(path, dialect)
        }
        Dialect::Google => true,
        Dialect::Koster1996 => is_canonical_and_single(path, dialect),
    }
}

/// Returns whether a path is canonical and has one reading, in two passes.
#[inline(never)]
fn is_canonical_and_single(path: &[u8], dialect: Dialect) -> bool {
    Form::new(dialect, Side::Url).is_canonical(path) && is_single(path)
}

/// Returns whether a URL has one reading. `path`: the URL from its path on. False negatives are allowed if `path` does not
/// start with `/`.
#[inline(always)]
pub(crate) fn is_single(path: &[u8]) -> bool {
    let may_be_shortened = path
        .last()
        .is_some_and(|last| *last <= b' ' || *last == b'?');
    !(has_marks(path) | may_be_shortened) || is_single_by_segments(path)
}

/// Returns whether the path has `/.`, `/%` or `?#`, or, after its first byte, a `\` or a control character below 0x0E.
#[inline(never)]
fn has_marks(path: &[u8]) -> bool {
    has_pair(path, |first, second| {
        let begins_segment = equal(first, b'/') & (equal(second, b'.') | equal(second, b'%'));
        let ends_query = equal(first, b'?') & equal(second, b'#');
        begins_segment | ends_query | equal(second, b'\\') | is_below(second, b'\r' + 1)
    })
}

/// Returns the same as [`is_single`], without false negatives.
#[cold]
#[inline(never)]
fn is_single_by_segments(url: &[u8]) -> bool {
    let (url, trimmed) = (until(url, is_hash), until(trimmed(url), is_hash));
    let path = until(url, |byte| byte == b'?');
    let is_dots = |segment: &[u8]| dots(segment, true) != 0;
    !(url.len() > trimmed.len()
        || without_query(url).is_some()
        || url.iter().any(|byte| is_skipped(*byte))
        || path.contains(&b'\\')
        || path.split(|byte| *byte == b'/').any(is_dots))
}

/// A set of the changes below, which a client makes to a URL before it sends the URL. Each such client also removes dot
/// segments (RFC 3986, section 5.2.4) and the fragment. A client may keep or remove an empty query, so both forms are checked.
type Changes = u8;

/// TAB, CR and LF are removed anywhere; control characters and spaces are removed at the end.
const DROPS: Changes = 1;
/// A `\` before the query is a `/`.
const SLASHES: Changes = 2;
/// `%2e` is a dot.
const ESCAPES: Changes = 4;
/// A `..` at the root removes the root, and the next empty segment becomes the root: `/..//a` is `/a`, not `//a`.
const ROOTS: Changes = 8;

/// The reading of browsers, Node.js, OkHttp and reqwest (WHATWG).
const BROWSERS: Changes = DROPS | SLASHES | ESCAPES;

/// The readings after the first reading. The first reading is the URL as it is, which the HTTP clients of Go, Java and Python
/// send.
const READINGS: [Changes; 5] = [
    BROWSERS,
    // RFC 3986: curl until 2025, wget, references that Java resolves.
    0,
    // RFC 3986 after the decoding of escaped unreserved bytes (section 6.2.2): yarl, later curl.
    ESCAPES,
    // References that Python resolves: Scrapy.
    DROPS,
    // urllib3, requests, references that Go resolves.
    ESCAPES | ROOTS,
];

#[derive(Clone, Copy)]
pub(crate) struct Reading<'r> {
    /// The URL as it is, or a path with its query.
    pub(crate) url: &'r [u8],
    /// `url` is the previous reading without its empty query.
    pub(crate) is_bare: bool,
}

/// Returns whether a URL may have several readings; false if it is not a URL.
#[inline]
pub(crate) fn has_several(url: &[u8], dialect: Dialect) -> bool {
    let rest = start(url).and_then(|start| url.get(start..));
    dialect.has_readings() && rest.is_some_and(|rest| !is_single(rest))
}

/// Returns the offset of the authority in a URL; 0 for a path, which has no authority.
fn start(url: &[u8]) -> Option<usize> {
    match url.first() {
        Some(b'/') => Some(0),
        _ => after_scheme(url),
    }
}

/// Calls `work` with each distinct reading of a URL until `work` returns `Some`. The first reading is the URL as it is; each
/// further reading is a path with its query. Allocates for a URL of 32 KiB or more.
#[cold]
#[inline(never)]
pub(crate) fn each<R>(
    url: &[u8],
    dialect: Dialect,
    mut work: impl FnMut(Reading<'_>) -> Option<R>,
) -> Result<Option<R>, Error> {
    let is_bare = false;
    let found = work(Reading { url, is_bare });
    if found.is_some() || !has_several(url, dialect) {
        return Ok(found);
    }
    let own = path_of(url, dialect)?;
    // Room for the `/` that a URL without a path gets.
    let len = url.len() + 1;
    let work = |buffer: &mut [u8]| in_buffer(url, own, buffer, work);
    // `work` itself takes up to 48 KiB of the stack, to search for the pieces of rules.
    if len > 1 << 15 {
        return Ok(work(&mut zeros(len)?));
    }
    with_zeros(len, work)
}

/// Calls `work` with the path and query that browsers send for an absolute URL.
pub(crate) fn of_browsers<R>(url: &[u8], work: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
    let start = after_scheme(url).ok_or(Error::Url)?;
    with_zeros(url.len() + 1, |buffer| {
        work(read(BROWSERS, url, start, buffer).0)
    })
}

/// Calls `work` with the readings after the first reading. `own`: the path of the first reading. `buffer`: longer than the URL.
#[inline(never)]
fn in_buffer<R>(
    url: &[u8],
    own: &[u8],
    buffer: &mut [u8],
    mut work: impl FnMut(Reading<'_>) -> Option<R>,
) -> Option<R> {
    // A reading adds a `/` to a path without a leading `/`.
    let is_rooted = own.first() == Some(&b'/');
    let is_own = |path: &[u8]| path.get(usize::from(!is_rooted)..) == Some(own);
    let bare = match own {
        b"?" => Some(&b"/"[..]),
        own => without_query(own),
    };
    if let Some(url) = bare {
        let found = work(Reading { url, is_bare: true });
        if found.is_some() {
            return found;
        }
    }
    let mut seen = [None; READINGS.len()];
    for (number, reading) in READINGS.into_iter().enumerate() {
        // Most URLs with several readings only have dot segments, which all readings of `READINGS` remove. So a reading equals
        // the browsers' reading if it makes each change that had an effect on the browsers' reading.
        let browsers: Option<Changes> = seen.first().copied().flatten();
        let is_equal = |effective| reading & ROOTS == 0 && effective & !reading == 0;
        if browsers.is_some_and(is_equal) {
            continue;
        }
        let (url, effective) = read(reading, url, start(url)?, buffer);
        let is_known = is_own(url) || seen.contains(&Some(effective));
        if let Some(place) = seen.get_mut(number) {
            *place = Some(effective);
        }
        if is_known {
            continue;
        }
        let is_bare = false;
        let mut found = work(Reading { url, is_bare });
        if let (None, Some(url)) = (&found, without_query(url)) {
            found = work(Reading { url, is_bare: true });
        }
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Returns a path without its empty query; `None` if the path has no query, or a query that is not empty.
fn without_query(path: &[u8]) -> Option<&[u8]> {
    let bare = path.strip_suffix(b"?")?;
    (!bare.contains(&b'?')).then_some(bare)
}

/// Applies `changes` to the path and query of a URL. Returns the result, which is in `buffer`, and the changes that had an
/// effect. Two results are equal if the same changes had an effect. `start`: as from [`start()`].
fn read<'b>(
    changes: Changes,
    url: &[u8],
    start: usize,
    buffer: &'b mut [u8],
) -> (&'b [u8], Changes) {
    let drops = changes & DROPS != 0;
    let rest_of = |url: &'_ [u8]| until(url.get(start..).unwrap_or_default(), is_hash).len();
    let len = rest_of(if drops { trimmed(url) } else { url });
    let rest = url.get(start..start + len).unwrap_or_default();
    let is_slash = |byte: u8| byte == b'/' || changes & SLASHES != 0 && byte == b'\\';
    let authority = match start {
        0 => 0,
        _ => until(rest, |byte| byte == b'?' || is_slash(byte)).len(),
    };
    let rest = rest.get(authority..).unwrap_or_default();
    let path = until(rest, |byte| byte == b'?');
    let query = rest.get(path.len()..).unwrap_or_default();
    let is_dropped = |byte: &u8| drops && is_skipped(*byte);
    let kept = |byte: &&u8| !is_dropped(byte);
    let mut resolved = ResolvedPath::new(buffer, changes);
    if len < rest_of(url) || rest.iter().any(is_dropped) {
        resolved.effective |= DROPS;
    }
    if path.contains(&b'\\') {
        resolved.effective |= changes & SLASHES;
    }
    // `ResolvedPath::new` has already written the root.
    for byte in path.iter().skip(1).filter(kept) {
        match is_slash(*byte) {
            true => resolved.end_segment(true),
            false => resolved.push(*byte),
        }
    }
    resolved.end_segment(false);
    for byte in query.iter().filter(kept) {
        resolved.push(*byte);
    }
    let buffer: &[u8] = resolved.buffer;
    let path = buffer.get(..resolved.len).unwrap_or_default();
    (path, resolved.effective)
}

/// A path under construction without its dot segments (RFC 3986, section 5.2.4): `/a/../b` becomes `/b`, `/a/b/..` becomes
/// `/a/`, `//a/../b` becomes `//b`.
struct ResolvedPath<'b> {
    buffer: &'b mut [u8],
    len: usize,
    changes: Changes,
    /// The changes that had an effect.
    effective: Changes,
    /// A `..` removed the root, and no `/` has replaced it.
    rootless: bool,
    /// Start offset of the last segment, after a `/`.
    segment: usize,
}

impl<'b> ResolvedPath<'b> {
    /// Returns the path `/`. `buffer`: has room for the whole path.
    fn new(buffer: &'b mut [u8], changes: Changes) -> ResolvedPath<'b> {
        let mut path = ResolvedPath {
            buffer,
            len: 0,
            changes,
            effective: 0,
            rootless: false,
            segment: 0,
        };
        path.push(b'/');
        path.segment = path.len;
        path
    }

    #[allow(clippy::expect_used, reason = "an invariant")]
    fn push(&mut self, byte: u8) {
        let place = self.buffer.get_mut(self.len);
        *place.expect("a reading is at most one byte longer than its URL") = byte;
        self.len += 1;
    }

    fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    /// Ends the last segment. `is_followed`: a `/` follows.
    fn end_segment(&mut self, is_followed: bool) {
        let segment = self.bytes().get(self.segment..).unwrap_or_default();
        let takes_root = self.rootless && segment.is_empty();
        let count = dots(segment, self.changes & ESCAPES != 0);
        if count != dots(segment, false) {
            self.effective |= ESCAPES;
        }
        match count {
            0 if is_followed => {
                self.rootless = false;
                if takes_root {
                    self.effective |= ROOTS;
                } else {
                    self.push(b'/');
                    self.segment = self.len;
                }
            }
            0 => {}
            1 => self.len = self.segment,
            _ => {
                self.rootless = self.changes & ROOTS != 0 && self.segment == 1;
                let before = self.bytes().get(..self.segment - 1).unwrap_or_default();
                let parent = before.iter().rposition(|byte| *byte == b'/');
                self.segment = parent.map_or(1, |slash| slash + 1);
                self.len = self.segment;
            }
        }
    }
}

/// Returns 1 for the segment `.`, 2 for `..`, and 0 for any other segment. `escapes`: whether `%2e` is a dot.
pub(crate) fn dots(segment: &[u8], escapes: bool) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while count < 3 && !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] => rest,
            [b'%', b'2', b'e' | b'E', rest @ ..] if escapes => rest,
            _ => return 0,
        };
        count += 1;
    }
    if count < 3 { count } else { 0 }
}

/// Returns a URL without the control characters and spaces at its end.
fn trimmed(url: &[u8]) -> &[u8] {
    let last = url.iter().rposition(|byte| *byte > b' ');
    url.get(..last.map_or(0, |last| last + 1)).unwrap_or(url)
}

fn is_hash(byte: u8) -> bool {
    byte == b'#'
}

/// Returns the bytes before the first byte that `is_end` accepts.
fn until(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> &[u8] {
    let mut parts = bytes.split(|byte| is_end(*byte));
    parts.next().unwrap_or(bytes)
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// The vector test agrees with a naive test.
        #[test]
        fn marks_are_found_at_each_position(
            len in 1_usize..100,
            place in 0_usize..100,
            mark in prop::sample::select(vec!["/.", "/%", "\\", "\t", "\r", "\n", "?#", "x", ".", "%"]),
        ) {
            let mut path = vec![b'a'; len];
            path[0] = b'/';
            let place = (1 + place).min(len);
            let end = (place + mark.len()).min(len);
            path[place..end].copy_from_slice(&mark.as_bytes()[..end - place]);
            let pairs = path.windows(2);
            let wanted = pairs.clone().any(|pair| matches!(pair, [b'/', b'.' | b'%'] | [b'?', b'#'] | [_, b'\\' | 0..=13]));
            prop_assert_eq!(has_marks(&path), wanted, "{}", path.escape_ascii());
        }
    }
}
