//! The canonicaliser: turns rule paths and URL paths into the bytes that are compared (SPEC 8.6).
//!
//! The canonicaliser copies runs of canonical bytes, and decodes or escapes the symbol after each run. A symbol is one byte, or
//! an escape (`%HH`) of three bytes. Example: `/a b%7e` is the run `/a`, the symbol ` `, the run `b` and the symbol `%7e`. This
//! path becomes `/a%20b~`.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::{MAX_PATH, SAFE_PATH};
use crate::bytes::simd::{equal, first_mark};
use crate::bytes::try_alloc::with_zeros;
use crate::url::scan;
use crate::url::target;

/// The source of a path: `*` is a wildcard in a rule and an ordinary byte in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Rule,
    Url,
}

/// The canonical form of a dialect, for rules or for URLs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    dialect: Dialect,
    side: Side,
}

/// Upper bound on the length of a run that is copied without a call: one vector. Most runs are shorter.
const COPIED: usize = 16;

impl Form {
    pub(crate) const fn new(dialect: Dialect, side: Side) -> Form {
        Form { dialect, side }
    }

    /// Returns whether the path of a URL is already canonical and has no fragment. False negatives are allowed.
    pub(crate) fn is_canonical(self, path: &[u8]) -> bool {
        match self.dialect {
            Dialect::Koster1996 => memchr::memchr2(b'%', b'#', path).is_none(),
            _ => self.canonical_len(path) == path.len(),
        }
    }

    /// Writes the canonical form of a URL's path, with a leading `/`, to `buffer`. Returns the number of bytes written; `None`
    /// if the form does not fit.
    fn fill_url(self, raw: &[u8], buffer: &mut [u8]) -> Option<usize> {
        if raw.first() == Some(&b'/') {
            return self.fill(raw, buffer);
        }
        let (first, rest) = buffer.split_first_mut()?;
        *first = b'/';
        Some(1 + self.fill(raw, rest)?)
    }

    /// Writes the canonical form of `raw` to `buffer`. Returns the number of bytes written; `None` if the form does not fit.
    pub(crate) fn fill(self, mut raw: &[u8], buffer: &mut [u8]) -> Option<usize> {
        let mut len = 0;
        let mut in_query = false;
        loop {
            let (run, rest) = raw.split_at_checked(self.canonical_len(raw))?;
            let place = buffer.get_mut(len..)?;
            match (place.first_chunk_mut::<COPIED>(), raw.first_chunk()) {
                // The copy may include bytes after the run. Later writes replace these bytes, or the result ends before them.
                (Some(place), Some(bytes)) if run.len() <= COPIED => *place = *bytes,
                _ => place.get_mut(..run.len())?.copy_from_slice(run),
            }
            len += run.len();
            in_query = in_query || first_mark(run, |lanes| equal(lanes, b'?')).is_some();
            let Some((symbol, raw_len)) = self.symbol(rest, in_query) else {
                return Some(len);
            };
            // Only a literal `?` starts the query.
            in_query |= rest.first() == Some(&b'?');
            raw = rest.get(raw_len..)?;
            let place = buffer.get_mut(len..)?;
            match symbol {
                Symbol::Byte(byte) => {
                    *place.first_mut()? = byte;
                    len += 1;
                }
                Symbol::Escape(byte) => {
                    *place.first_chunk_mut()? = escape(byte);
                    len += 3;
                }
            }
        }
    }

    /// Appends the canonical form of `raw` to `out`.
    pub(crate) fn append(self, raw: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        // A byte becomes at most an escape of three bytes.
        let max_len = raw.len().checked_mul(3).ok_or(Error::Memory)?;
        out.try_reserve(max_len).map_err(|_| Error::Memory)?;
        out.resize(start + max_len, 0);
        let place = out.get_mut(start..).unwrap_or_default();
        #[allow(clippy::expect_used, reason = "an invariant")]
        let len = self.fill(raw, place).expect("a byte becomes at most three");
        out.truncate(start + len);
        Ok(())
    }

    /// Returns the length of a canonical prefix of a path. A longer prefix may be canonical, too.
    #[inline]
    fn canonical_len(self, path: &[u8]) -> usize {
        match (self.dialect, self.side) {
            (Dialect::Google, Side::Url) => path.len(),
            (Dialect::Rfc9309 | Dialect::Google, _) => scan::canonical_len(path),
            (Dialect::Koster1996, _) => memchr::memchr(b'%', path).unwrap_or(path.len()),
        }
    }

    /// Returns the canonical form of the symbol at the start of `raw`, and its raw length. `in_query`: a literal `?` precedes
    /// `raw`.
    #[inline(always)]
    pub(crate) fn symbol(self, raw: &[u8], in_query: bool) -> Option<(Symbol, usize)> {
        let byte = *raw.first()?;
        Some(match (self.dialect, escaped(raw)) {
            (Dialect::Rfc9309, Some(value)) => (decoded(value, in_query), 3),
            (Dialect::Rfc9309, None) => (self.rfc9309(byte), 1),
            // A URL is not changed. In a rule, the hex digits of escapes become upper case, and bytes >= 0x80 are escaped.
            (Dialect::Google, Some(value)) if self.side == Side::Rule => (Symbol::Escape(value), 3),
            (Dialect::Google, None) if self.side == Side::Rule && !byte.is_ascii() => {
                (Symbol::Escape(byte), 1)
            }
            (Dialect::Google, _) => (Symbol::Byte(byte), 1),
            (Dialect::Koster1996, Some(b'/')) => (Symbol::Escape(b'/'), 3),
            (Dialect::Koster1996, Some(value)) => (Symbol::Byte(value), 3),
            (Dialect::Koster1996, None) => (Symbol::Byte(byte), 1),
        })
    }

    /// Returns the canonical form in rfc9309 of a byte that is not part of an escape (SPEC 8.6 c, d, f).
    #[inline]
    fn rfc9309(self, byte: u8) -> Symbol {
        match byte {
            b'*' if self.side == Side::Rule => Symbol::Byte(byte),
            b'*' | b'$' | b'%' | b' ' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|'
            | b'}' => Symbol::Escape(byte),
            _ if byte.is_ascii_control() || !byte.is_ascii() => Symbol::Escape(byte),
            _ => Symbol::Byte(byte),
        }
    }
}

/// Returns the canonical form of the escape of `value`: `value` itself, or the escape in upper case (SPEC 8.6 a, b, e).
#[inline]
fn decoded(value: u8, in_query: bool) -> Symbol {
    match value {
        b':' | b'[' | b']' | b'@' => Symbol::Byte(value),
        b'!' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b';' | b'=' => Symbol::Byte(value),
        b'/' | b'?' if in_query => Symbol::Byte(value),
        _ if is_unreserved(value) => Symbol::Byte(value),
        _ => Symbol::Escape(value),
    }
}

/// The sizes of the buffers for a canonical path. The first buffer that the path fits in is used. A path of up to 16 KiB needs
/// no allocation (SPEC 8.12); smaller buffers take less time to zero.
const BUFFERS: [usize; 4] = [1 << 10, 1 << 12, 1 << 14, MAX_PATH];

/// Calls `work` with the canonical path of a URL. Most paths are already canonical, and are not copied.
pub(crate) fn with_path<R>(
    url: &[u8],
    dialect: Dialect,
    work: impl FnOnce(&[u8]) -> R,
) -> Result<R, Error> {
    let raw = target::range(url, dialect).and_then(|range| url.get(range));
    let raw = raw.ok_or(Error::Url)?;
    let is_short = raw.len() <= SAFE_PATH;
    if raw.first() == Some(&b'/') && is_short && Form::new(dialect, Side::Url).is_canonical(raw) {
        return Ok(work(raw));
    }
    with_canonical(url, dialect, |buffer, len| {
        work(buffer.get(..len).unwrap_or_default())
    })
}

/// Calls `work` with a buffer that starts with the canonical path of a URL, and with the length of the path.
pub(crate) fn with_canonical<R>(
    url: &[u8],
    dialect: Dialect,
    work: impl FnOnce(&[u8], usize) -> R,
) -> Result<R, Error> {
    let form = Form::new(dialect, Side::Url);
    let raw = target::path_of(url, dialect)?;
    let mut work = Some(work);
    // A buffer that is too short for the raw path is skipped, because the canonical path is rarely shorter. The last buffer is
    // always tried.
    for size in BUFFERS {
        if raw.len() > size && size < MAX_PATH {
            continue;
        }
        let result = with_zeros(size, |buffer| {
            let len = form.fill_url(raw, buffer)?;
            work.take().map(|work| work(buffer, len))
        })?;
        if let Some(result) = result {
            return Ok(result);
        }
    }
    Err(Error::Url)
}

/// What a symbol becomes: a byte, or the escape of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Byte(u8),
    Escape(u8),
}

/// Returns whether a byte is unreserved (RFC 3986, section 2.3).
#[inline]
pub(crate) const fn is_unreserved(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~')
}

/// Returns the byte that the escape at the start of `raw` stands for.
#[inline]
pub(crate) fn escaped(raw: &[u8]) -> Option<u8> {
    match raw {
        [b'%', high, low, ..] => Some(hex(*high)? << 4 | hex(*low)?),
        _ => None,
    }
}

/// Returns the value of a hex digit.
#[inline]
pub(crate) const fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[inline]
pub(crate) const fn escape(byte: u8) -> [u8; 3] {
    [b'%', digit(byte >> 4), digit(byte & 0xF)]
}

/// Returns the hex digit of a nibble, in upper case.
#[inline]
pub(crate) const fn digit(nibble: u8) -> u8 {
    match nibble {
        0..=9 => b'0' + nibble,
        _ => b'A' + nibble - 10,
    }
}
