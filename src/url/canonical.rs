//! The one canonicaliser: rule paths and URL paths to the bytes that are compared (SPEC 8.6).
//!
//! A spelling is read symbol by symbol: a byte, or an escape that is written as three bytes.
//! [`Canonical`] gives those bytes one at a time, and so serves the builder of an image (rule
//! paths), the stack buffer of a decision (URL paths) and the stream that takes its place for a
//! path that does not fit it.

use crate::dialect::Dialect;
use crate::url::target::Target;
use crate::util::simd;

/// What is spelt: `*` is special in a rule and an ordinary byte in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Rule,
    Url,
}

/// How a spelling is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    dialect: Dialect,
    side: Side,
}

impl Form {
    pub(crate) const fn new(dialect: Dialect, side: Side) -> Form {
        Form { dialect, side }
    }

    /// Whether the bytes of a path are their own canonical form, and none of them starts a fragment: true
    /// for most, and then nothing is copied. It may say no where they are.
    #[inline(always)]
    pub(crate) fn is_plain(self, path: &[u8]) -> bool {
        match self.dialect {
            Dialect::Rfc9309 => simd::is_plain(path),
            Dialect::Google => true,
            Dialect::Koster1996 => memchr::memchr2(b'%', b'#', path).is_none(),
        }
    }

    /// The same for the first `len` bytes of the path that begins at `start` of a URL.
    #[inline(always)]
    pub(crate) fn starts_plain(self, url: &[u8], start: usize, len: usize) -> bool {
        match self.dialect {
            Dialect::Rfc9309 => simd::starts_plain(url, start, len),
            _ => self.is_plain(url.get(start..start + len).unwrap_or(url)),
        }
    }

    /// How many bytes at the start of the path of a URL are their own canonical form.
    #[inline]
    fn plain_len(self, path: &[u8]) -> usize {
        match self.dialect {
            Dialect::Rfc9309 => simd::plain_len(path),
            Dialect::Google => path.len(),
            Dialect::Koster1996 => memchr::memchr(b'%', path).unwrap_or(path.len()),
        }
    }

    /// The symbol at the start of `raw`, and how many bytes it is spelt with.
    /// `in_query`: a literal `?` came before.
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
            // The URL is taken as given; of a rule, escapes in upper case and bytes >= 0x80 escaped.
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

    /// SPEC 8.6 c, d, f: a byte that is not part of an escape.
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

/// SPEC 8.6 a, b, e: the byte that an escape stands for, or the escape in upper case.
#[inline]
fn decoded(value: u8, in_query: bool) -> Symbol {
    match value {
        b'-' | b'.' | b'_' | b'~' | b':' | b'[' | b']' | b'@' => Symbol::Byte(value),
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

/// The canonical bytes of a spelling, one at a time. Cheap to copy: a copy goes on from where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canonical<'a> {
    form: Form,
    raw: &'a [u8],
    /// A literal `?` was read.
    in_query: bool,
    /// What is left of an escape: its hexadecimal digits not yet given.
    pending: [u8; 2],
    pending_len: u8,
    /// How many bytes were given.
    given: usize,
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
            given: 0,
        }
    }

    /// Of the path of a URL, with the `/` that it may lack.
    pub(crate) fn from_url(form: Form, target: Target<'a>) -> Canonical<'a> {
        let missing = if target.rooted { 0 } else { 1 };
        Canonical {
            pending: [b'/'; 2],
            pending_len: missing,
            ..Canonical::new(form, target.raw)
        }
    }
}

impl Canonical<'_> {
    /// How many bytes were given.
    pub(crate) fn given(&self) -> usize {
        self.given
    }

    /// Writes what is left of the path of a URL to `buffer`, and tells how many bytes that are; `None` if they
    /// do not fit. As byte after byte gives it, but for runs of plain ones, which are copied.
    pub(crate) fn fill(mut self, buffer: &mut [u8]) -> Option<usize> {
        let mut len = 0;
        loop {
            if self.pending_len == 0 {
                let (run, rest) = self.raw.split_at_checked(self.form.plain_len(self.raw))?;
                buffer
                    .get_mut(len..)?
                    .get_mut(..run.len())?
                    .copy_from_slice(run);
                len += run.len();
                self.in_query |= memchr::memchr(b'?', run).is_some();
                self.raw = rest;
            }
            let Some(byte) = self.step() else {
                return Some(len);
            };
            *buffer.get_mut(len)? = byte;
            len += 1;
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
        let (symbol, spelt) = self.form.symbol(self.raw, self.in_query)?;
        // Only a `?` that is spelt as itself starts the query; a decoded one is part of it already.
        self.in_query |= self.raw.first() == Some(&b'?');
        self.raw = self.raw.get(spelt..).unwrap_or_default();
        Some(match symbol {
            Symbol::Byte(byte) => byte,
            Symbol::Escape(byte) => {
                self.pending = [digit(byte >> 4), digit(byte & 0xF)];
                self.pending_len = 2;
                b'%'
            }
        })
    }
}

impl Iterator for Canonical<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.step()?;
        self.given += 1;
        Some(byte)
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

/// A hexadecimal digit in upper case.
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
    fn a_buffer_is_filled_with_what_comes_byte_by_byte() {
        const SPELT: [&[u8]; 12] = [
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
        // Every four of them one behind the other.
        for number in 0..SPELT.len().pow(4) {
            let raw: Vec<u8> = (0..4)
                .filter_map(|place| SPELT.get(number / SPELT.len().pow(place) % SPELT.len()))
                .flat_map(|spelt| spelt.iter().copied())
                .collect();
            for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
                let target = Target {
                    raw: &raw,
                    rooted: number % 2 == 0,
                };
                let path = Canonical::from_url(Form::new(dialect, Side::Url), target);
                let bytes: Vec<u8> = path.collect();
                let mut buffer = vec![0; bytes.len()];
                assert_eq!(
                    path.fill(&mut buffer),
                    Some(bytes.len()),
                    "{dialect:?} {raw:?}"
                );
                assert_eq!(buffer, bytes, "{dialect:?} {raw:?}");
                buffer.pop();
                assert!(bytes.is_empty() || path.fill(&mut buffer).is_none());
            }
        }
    }
}
