//! The canonicaliser: turns rule paths and URL paths into the bytes that are compared (SPEC 8.6).
//!
//! It reads a raw path symbol by symbol: a symbol is one byte, or an escape (`%HH`) of three bytes.
//! [`Canonical`] yields the canonical bytes one at a time. The image builder reads rule paths with it; a
//! decision reads the URL's path with it, into a buffer or as a stream.

use crate::dialect::Dialect;
use crate::url::plain;
use crate::url::target::Target;
use crate::util::simd;

/// Where a path comes from: `*` is a wildcard in a rule and an ordinary byte in a URL.
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

impl Form {
    pub(crate) const fn new(dialect: Dialect, side: Side) -> Form {
        Form { dialect, side }
    }

    /// Returns whether `path` is already canonical and has no fragment. Most paths are, and are not copied.
    /// False negatives are allowed: they cost time, not correctness.
    #[inline(always)]
    pub(crate) fn is_plain(self, path: &[u8]) -> bool {
        match self.dialect {
            Dialect::Rfc9309 => plain::is_plain(path),
            Dialect::Google => true,
            Dialect::Koster1996 => memchr::memchr2(b'%', b'#', path).is_none(),
        }
    }

    /// Returns [`Form::is_plain`] of the first `len` bytes of the path that starts at `url[start]`.
    #[inline(always)]
    pub(crate) fn starts_plain(self, url: &[u8], start: usize, len: usize) -> bool {
        match self.dialect {
            Dialect::Rfc9309 => plain::starts_plain(url, start, len),
            _ => self.is_plain(url.get(start..start + len).unwrap_or(url)),
        }
    }

    /// Returns how many bytes at the start of a path are already canonical, or fewer.
    #[inline]
    fn plain_len(self, path: &[u8]) -> usize {
        match (self.dialect, self.side) {
            (Dialect::Google, Side::Url) => path.len(),
            (Dialect::Rfc9309 | Dialect::Google, _) => plain::plain_len(path),
            (Dialect::Koster1996, _) => memchr::memchr(b'%', path).unwrap_or(path.len()),
        }
    }

    /// Returns the symbol at the start of `raw` and its raw length.
    /// `in_query`: a literal `?` precedes it.
    #[inline]
    fn symbol(self, raw: &[u8], in_query: bool) -> Option<(Symbol, usize)> {
        let byte = *raw.first()?;
        let escaped = match raw {
            [b'%', high, low, ..] => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        Some(match (self.dialect, escaped) {
            (Dialect::Rfc9309, Some(value)) => (decoded(value, in_query), 3),
            (Dialect::Rfc9309, None) => (self.rfc9309(byte), 1),
            // A URL stays as it is. In a rule, hex digits become upper case and bytes >= 0x80 are escaped.
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

    /// Returns the symbol of a byte that is not part of an escape (SPEC 8.6 c, d, f).
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

/// Returns the symbol of the escape of `value`: the byte itself, or the escape in upper case (SPEC 8.6 a, b, e).
#[inline]
fn decoded(value: u8, in_query: bool) -> Symbol {
    match value {
        b'-' | b'.' | b'_' | b'~' => Symbol::Byte(value),
        b':' | b'[' | b']' | b'@' => Symbol::Byte(value),
        b'!' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b';' | b'=' => Symbol::Byte(value),
        b'/' | b'?' if in_query => Symbol::Byte(value),
        _ if value.is_ascii_alphanumeric() => Symbol::Byte(value),
        _ => Symbol::Escape(value),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Byte(u8),
    /// Written `%HH`.
    Escape(u8),
}

/// Iterator over the canonical bytes of a raw path. Cheap to copy; a copy continues at the same position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canonical<'a> {
    form: Form,
    raw: &'a [u8],
    /// A literal `?` was read.
    in_query: bool,
    /// The hex digits of the current escape that were not returned yet.
    pending: [u8; 2],
    pending_len: u8,
}

impl<'a> Canonical<'a> {
    #[inline]
    pub(crate) fn new(form: Form, raw: &'a [u8]) -> Canonical<'a> {
        Canonical {
            form,
            raw,
            in_query: false,
            pending: [0; 2],
            pending_len: 0,
        }
    }

    /// Returns the canonical bytes of a URL's path, with the leading `/` added if it is missing.
    pub(crate) fn from_url(form: Form, target: Target<'a>) -> Canonical<'a> {
        let missing = if target.rooted { 0 } else { 1 };
        Canonical {
            pending: [b'/'; 2],
            pending_len: missing,
            ..Canonical::new(form, target.raw)
        }
    }
}

/// How many bytes of a run are copied at once.
const WIDE: usize = 16;

impl Canonical<'_> {
    /// Writes the rest of a path to `buffer` and returns its length; `None` if it does not fit.
    pub(crate) fn fill(self, buffer: &mut [u8]) -> Option<usize> {
        let mut len = 0;
        self.try_runs(|bytes, count| {
            let place = buffer.get_mut(len..)?;
            match (place.first_chunk_mut::<WIDE>(), bytes.first_chunk::<WIDE>()) {
                // What stands behind the run is overwritten. Most runs are short, so no function is called.
                (Some(place), Some(bytes)) if count <= WIDE => *place = *bytes,
                _ => place.get_mut(..count)?.copy_from_slice(bytes.get(..count)?),
            }
            len += count;
            Some(())
        })?;
        Some(len)
    }

    /// Adds the rest of a path to `bytes`, which have room for it.
    pub(crate) fn append_to(self, bytes: &mut Vec<u8>) {
        self.try_runs(|run, count| {
            bytes.extend_from_slice(run.get(..count)?);
            Some(())
        });
    }

    /// Returns the length of the rest of a path.
    pub(crate) fn canonical_len(self) -> usize {
        let mut len = 0;
        self.try_runs(|_, count| {
            len += count;
            Some(())
        });
        len
    }

    /// Calls `add` with the rest of a path, a run of plain bytes or a symbol at a time, until that returns `None`. The first
    /// `count` of the bytes that it gets are the run. Same bytes as the iterator.
    #[inline]
    fn try_runs(mut self, mut add: impl FnMut(&[u8], usize) -> Option<()>) -> Option<()> {
        while self.pending_len > 0 {
            add(&[self.step()?], 1)?;
        }
        loop {
            let count = self.form.plain_len(self.raw);
            add(self.raw, count)?;
            let (run, rest) = self.raw.split_at_checked(count)?;
            self.in_query = self.in_query || simd::holds(run, b'?');
            self.raw = rest;
            match self.symbol() {
                None => return Some(()),
                Some(Symbol::Byte(byte)) => add(&[byte], 1)?,
                Some(Symbol::Escape(byte)) => add(&escape(byte), 3)?,
            }
        }
    }

    #[inline]
    fn step(&mut self) -> Option<u8> {
        let [high, low] = self.pending;
        match self.pending_len {
            2 => {
                self.pending_len = 1;
                return Some(high);
            }
            1 => {
                self.pending_len = 0;
                return Some(low);
            }
            _ => {}
        }
        Some(match self.symbol()? {
            Symbol::Byte(byte) => byte,
            Symbol::Escape(byte) => {
                let [percent, high, low] = escape(byte);
                self.pending = [high, low];
                self.pending_len = 2;
                percent
            }
        })
    }

    /// Takes the next symbol.
    #[inline]
    fn symbol(&mut self) -> Option<Symbol> {
        let (symbol, raw_len) = self.form.symbol(self.raw, self.in_query)?;
        // Only a literal `?` starts the query; an escaped one is decoded only inside it.
        self.in_query |= self.raw.first() == Some(&b'?');
        self.raw = self.raw.get(raw_len..).unwrap_or_default();
        Some(symbol)
    }
}

impl Iterator for Canonical<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        self.step()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let pending = usize::from(self.pending_len);
        // Three bytes may become one (an escape decoded), one may become three (a byte escaped).
        (
            pending + self.raw.len() / 3,
            self.raw
                .len()
                .checked_mul(3)
                .and_then(|n| n.checked_add(pending)),
        )
    }
}

#[inline]
const fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

/// Returns the escape of a byte.
#[inline]
const fn escape(byte: u8) -> [u8; 3] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_writes_what_the_iterator_yields() {
        const PIECES: [&[u8]; 12] = [
            b"/a-rather-long-and-plain-run/",
            b"a",
            b"/",
            b"?",
            b"%2f",
            b"%3F",
            b"%41",
            b"%",
            b" ",
            b"*$",
            b"\xC3\xA4",
            b"%e4~!",
        ];
        // Every sequence of four pieces.
        for number in 0..PIECES.len().pow(4) {
            let raw: Vec<u8> = (0..4)
                .filter_map(|place| PIECES.get(number / PIECES.len().pow(place) % PIECES.len()))
                .flat_map(|piece| piece.iter().copied())
                .collect();
            for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
                let target = Target {
                    raw: &raw,
                    rooted: number % 2 == 0,
                };
                for path in [
                    Canonical::from_url(Form::new(dialect, Side::Url), target),
                    Canonical::new(Form::new(dialect, Side::Rule), &raw),
                ] {
                    let bytes: Vec<u8> = path.collect();
                    let mut buffer = vec![0; bytes.len()];
                    assert_eq!(
                        path.fill(&mut buffer),
                        Some(bytes.len()),
                        "{dialect:?} {raw:?}"
                    );
                    assert_eq!(buffer, bytes, "{dialect:?} {raw:?}");
                    assert_eq!(path.canonical_len(), bytes.len(), "{dialect:?} {raw:?}");
                    let mut appended = Vec::new();
                    path.append_to(&mut appended);
                    assert_eq!(appended, bytes, "{dialect:?} {raw:?}");
                    buffer.pop();
                    assert!(bytes.is_empty() || path.fill(&mut buffer).is_none());
                }
            }
        }
    }

    #[test]
    fn the_hint_of_the_size_is_a_tight_bound() {
        for (raw, hint, len) in [
            (&b"%41%42%43"[..], (3, Some(27)), 3),
            (b"   ", (1, Some(9)), 9),
            (b"/abcd", (1, Some(15)), 5),
            (b"", (0, Some(0)), 0),
        ] {
            let path = Canonical::new(Form::new(Dialect::Rfc9309, Side::Url), raw);
            assert_eq!((path.size_hint(), path.count()), (hint, len));
        }
        // With the `/` that is missing.
        let target = Target {
            raw: b"?%41%42",
            rooted: false,
        };
        let path = Canonical::from_url(Form::new(Dialect::Rfc9309, Side::Url), target);
        assert_eq!((path.size_hint(), path.count()), ((3, Some(22)), 4));
    }
}
