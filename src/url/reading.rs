//! The second reading of a URL (SPEC 8.11): browsers and URL libraries (WHATWG) drop TAB, CR and LF, take `\` for `/`, and
//! remove dot segments; other clients send the URL as it is. `/a/../private` is two paths then, and both must be allowed.
//!
//! Few URLs have two readings. [`is_single`] finds those that have one in a pass of vector operations; [`decide_each`] and
//! [`second`] do the rest.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::url::target::{Target, after_scheme};
use crate::util::chunks::as_chunks;
use crate::util::lanes::u8x16;
use crate::util::simd::{LANES, equal, padded_u128};
use crate::util::try_alloc;
use crate::verdict::Verdict;

/// Returns whether a URL has one reading. `path`: the URL from its path on, which starts with `/`. False negatives are
/// allowed for other starts.
#[inline(always)]
pub(crate) fn is_single(path: &[u8]) -> bool {
    !has_marks(path) || is_single_by_segments(path)
}

/// Returns whether a byte after the first is `\` or a control below 0x0E, or a `/` precedes a `.` or a `%`.
#[inline(never)]
fn has_marks(path: &[u8]) -> bool {
    let len = path.len();
    let Some(last) = len.checked_sub(LANES + 1) else {
        let bytes = padded_u128(path);
        let pairs = marks(bytes.to_le_bytes(), (bytes >> 8).to_le_bytes());
        return pairs.to_bitmask() & !(!0 << len.saturating_sub(1)) != 0;
    };
    // As in `is_plain`: the same four chunks of all but long paths, some bytes twice, and one branch at the end.
    let chunk = |start: usize| {
        let first = path.get(start..).and_then(|rest| rest.first_chunk());
        let second = path.get(start + 1..).and_then(|rest| rest.first_chunk());
        match (first, second) {
            (Some(first), Some(second)) => marks(*first, *second),
            _ => u8x16::ZERO,
        }
    };
    let mut found =
        chunk(0) | chunk(last.min(LANES)) | chunk(last.saturating_sub(LANES)) | chunk(last);
    if len > 4 * LANES {
        let after = path.get(1..).unwrap_or_default();
        for (first, second) in as_chunks(path).0.iter().zip(as_chunks(after).0) {
            found |= marks(*first, *second);
        }
    }
    found.to_bitmask() != 0
}

/// Marks the pairs of bytes that [`has_marks`] seeks.
#[inline(always)]
fn marks(first: [u8; LANES], second: [u8; LANES]) -> u8x16 {
    const LAST_CONTROL: u8 = b'\r';
    let (first, second) = (u8x16::new(first), u8x16::new(second));
    let begins_segment = equal(first, b'/') & (equal(second, b'.') | equal(second, b'%'));
    let control = equal(second.max(u8x16::splat(LAST_CONTROL)), LAST_CONTROL);
    begins_segment | equal(second, b'\\') | control
}

/// Returns the same as [`is_single`], exactly.
#[cold]
#[inline(never)]
fn is_single_by_segments(url: &[u8]) -> bool {
    let url = until(url, |byte| byte == b'#');
    let path = until(url, |byte| byte == b'?');
    let is_dots = |segment: &[u8]| dots(segment) != 0;
    !(url.iter().any(|byte| is_skipped(*byte))
        || path.contains(&b'\\')
        || path.split(|byte| *byte == b'/').any(is_dots))
}

/// Decides on each reading of a URL: the verdict of the first that is not allowed, else that of the last.
#[cold]
#[inline(never)]
pub(crate) fn decide_each(
    url: &[u8],
    dialect: Dialect,
    mut decide: impl FnMut(&[u8]) -> Verdict,
) -> Verdict {
    let first = decide(url);
    if !first.allowed() {
        return first;
    }
    match second(url, dialect, decide) {
        Ok(second) => second.unwrap_or(first),
        Err(error) => Verdict::from_error(error),
    }
}

/// The bytes of a reading on the stack.
const BUFFERS: [usize; 2] = [1 << 10, (1 << 14) + 1];

/// Calls `work` with the path and query of a URL as browsers read them, if these are others than the URL's own. Allocates
/// for a URL of more than 16 KiB.
pub(crate) fn second<R>(
    url: &[u8],
    dialect: Dialect,
    work: impl FnOnce(&[u8]) -> R,
) -> Result<Option<R>, Error> {
    if !dialect.reads_as_browsers() {
        return Ok(None);
    }
    let start = match url.first() {
        Some(b'/') => 0,
        _ => after_scheme(url).ok_or(Error::Url)?,
    };
    let rest = url.get(start..).unwrap_or_default();
    if rest.first() != Some(&b'\\') && is_single(rest) {
        return Ok(None);
    }
    // A path of a `/` alone may be missing.
    let len = url.len() + 1;
    if len <= BUFFERS[0] {
        return in_buffer(url, start, &mut [0; BUFFERS[0]], work);
    }
    if len <= BUFFERS[1] {
        return in_buffer(url, start, &mut [0; BUFFERS[1]], work);
    }
    in_buffer(url, start, &mut try_alloc::zeros(len)?, work)
}

/// Implements [`second`]. `start`: where the authority or the path starts. `buffer`: longer than the URL.
#[inline(never)]
fn in_buffer<R>(
    url: &[u8],
    start: usize,
    buffer: &mut [u8],
    work: impl FnOnce(&[u8]) -> R,
) -> Result<Option<R>, Error> {
    let own = Target::locate(url, Dialect::Rfc9309)?;
    let rest = until(url.get(start..).unwrap_or_default(), |byte| byte == b'#');
    let authority = match start {
        0 => 0,
        _ => until(rest, |byte| matches!(byte, b'/' | b'\\' | b'?')).len(),
    };
    let rest = rest.get(authority..).unwrap_or_default();
    let path = until(rest, |byte| byte == b'?');
    let query = rest.get(path.len()..).unwrap_or_default();
    let mut browser = BrowserPath::new(buffer);
    // The root is there; a path may lack it.
    for byte in path.iter().skip(1).filter(|byte| !is_skipped(**byte)) {
        match byte {
            b'/' | b'\\' => browser.end_segment(true),
            byte => browser.push(*byte),
        }
    }
    browser.end_segment(false);
    for byte in query.iter().filter(|byte| !is_skipped(**byte)) {
        browser.push(*byte);
    }
    let browser = browser.bytes();
    let is_same = match browser.split_first() {
        Some((_, rest)) if !own.rooted => rest == own.raw,
        _ => browser == own.raw,
    };
    Ok((!is_same).then(|| work(browser)))
}

/// A path while its dot segments are removed (RFC 3986, section 5.2.4): `/a/../b` is `/b`, `/a/b/..` is `/a/`, `//a/../b` is
/// `//b`.
struct BrowserPath<'b> {
    buffer: &'b mut [u8],
    len: usize,
    /// Where the last segment starts, after a `/`.
    segment: usize,
}

impl<'b> BrowserPath<'b> {
    /// The root. `buffer` has room for all that is written.
    fn new(buffer: &'b mut [u8]) -> BrowserPath<'b> {
        let mut path = BrowserPath {
            buffer,
            len: 0,
            segment: 0,
        };
        path.push(b'/');
        path.segment = path.len;
        path
    }

    #[allow(clippy::expect_used, reason = "an invariant, not an input")]
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
        match dots(self.bytes().get(self.segment..).unwrap_or_default()) {
            0 if is_followed => {
                self.push(b'/');
                self.segment = self.len;
            }
            0 => {}
            1 => self.len = self.segment,
            _ => {
                let before = self.bytes().get(..self.segment - 1).unwrap_or_default();
                let parent = before.iter().rposition(|byte| *byte == b'/');
                self.segment = parent.map_or(1, |slash| slash + 1);
                self.len = self.segment;
            }
        }
    }
}

/// Returns 1 for the segment `.`, 2 for `..`, 0 for any other. `%2e` is a dot.
fn dots(segment: &[u8]) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while count < 3 && !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return 0,
        };
        count += 1;
    }
    if count < 3 { count } else { 0 }
}

/// Returns whether browsers drop the byte, wherever it stands.
fn is_skipped(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Returns the bytes before the first that ends them.
fn until(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> &[u8] {
    let end = bytes.iter().position(|byte| is_end(*byte));
    bytes.get(..end.unwrap_or(bytes.len())).unwrap_or(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(url: &str) -> Option<String> {
        let reading = second(url.as_bytes(), Dialect::Rfc9309, <[u8]>::to_vec);
        reading
            .unwrap()
            .map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn dot_segments_backslashes_and_skipped_bytes_make_a_second_reading() {
        for (url, reading) in [
            ("https://h/a/../private/x", "/private/x"),
            ("https://h\\private", "/private"),
            ("https://h/\tprivate", "/private"),
            ("https://h/pri\r\nvate?a\tb", "/private?ab"),
            ("/a/%2e%2E/b", "/b"),
            ("/a/.%2e/b?x=/../y", "/b?x=/../y"),
            ("/a/b/..", "/a/"),
            ("/a/b/.", "/a/b/"),
            ("/..", "/"),
            ("/../../x#/../y", "/x"),
            ("//x/../y", "//y"),
            ("/a//../b", "/a/b"),
            ("/a\\..\\b", "/b"),
            ("/.\t./b", "/b"),
            ("https://h\\@other/private", "/@other/private"),
            ("https://\\x", "/x"),
        ] {
            assert_eq!(read(url).as_deref(), Some(reading), "{url:?}");
        }
    }

    #[test]
    fn other_urls_have_one_reading() {
        for url in [
            "https://h/",
            "https://h",
            "https://h\\",
            "https://h\\?q",
            "https://h?q=\\",
            "https://h/.well-known/x",
            "/...",
            "/a/..b/.c/d.",
            "/%2ea",
            "/a?x=/../y",
            "/a#/../y\t",
            "/a?\\",
            "https://h/a%5c..%2f",
            "//x/y",
        ] {
            assert_eq!(read(url), None, "{url:?}");
        }
        let google = second(b"/a/../b", Dialect::Google, <[u8]>::to_vec);
        assert_eq!(google, Ok(None));
    }

    #[test]
    fn a_reading_longer_than_the_buffers_is_whole() {
        for len in [
            1000, 1021, 1022, 1023, 16_380, 16_382, 16_383, 16_384, 70_000,
        ] {
            let url = ["/a/../", &"b".repeat(len)].concat();
            assert_eq!(read(&url).unwrap(), ["/", &"b".repeat(len)].concat());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// The crate `url` is one of the libraries that read this way. It knows no path alone, and escapes other bytes.
        #[test]
        fn the_url_crate_reads_the_same(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "a", "b", "/", "\\", ".", "..", "%2e", "%2E", "\t", "\n", "\r", "?", "#", "/../", "/./", "longer-than-a-vector",
            ]), 0..12),
        ) {
            let url = ["https://h/", &pieces.concat(), "x"].concat();
            let parsed = url::Url::parse(&url).unwrap();
            let path = match parsed.query() {
                Some(query) => [parsed.path(), "?", query].concat(),
                None => parsed.path().to_owned(),
            };
            let own = Target::locate(url.as_bytes(), Dialect::Rfc9309).unwrap().raw;
            let wanted = (path.as_bytes() != own).then_some(path);
            prop_assert_eq!(read(&url), wanted, "{:?}", url);
        }

        /// What the vector test lets pass has one reading.
        #[test]
        fn marks_are_found_wherever_they_stand(
            len in 1_usize..100,
            place in 0_usize..100,
            mark in prop::sample::select(vec!["/.", "/%", "\\", "\t", "\r", "\n", "x", ".", "%"]),
        ) {
            let mut path = vec![b'a'; len];
            path[0] = b'/';
            let place = (1 + place).min(len);
            let end = (place + mark.len()).min(len);
            path[place..end].copy_from_slice(&mark.as_bytes()[..end - place]);
            let pairs = path.windows(2);
            let wanted = pairs.clone().any(|pair| matches!(pair, [b'/', b'.' | b'%'] | [_, b'\\' | 0..=13]));
            prop_assert_eq!(has_marks(&path), wanted, "{}", path.escape_ascii());
        }
    }
}
