//! Body to lines: byte order mark, line ends, size limit (SPEC 4), comments (SPEC 5.1).

use memchr::memchr;

use crate::base::dialect::Dialect;
use crate::bytes::chunks::as_chunks;
use crate::bytes::lanes::{to_bitmask_64, u8x16};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// What the dialect sees of it, without the comment.
    pub(crate) text: &'a [u8],
    /// The body from where the line starts, for those who read eight bytes and examine later which are of the line.
    pub(crate) rest: &'a [u8],
    pub(crate) is_commented: bool,
}

/// The lines of a robots.txt, as a dialect sees them.
///
/// Each 64 bytes are compared with LF, CR and `#` together. The result is a mask, and a line costs a few operations on its
/// bits. No method takes a reference that a call keeps alive: the state stays in registers.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    body: &'a [u8],
    start: usize,
    /// The number of the line last given; the first is 1.
    number: u32,
    /// Where the block begins that `marks` is about: a multiple of [`BLOCK`].
    block: usize,
    /// A bit for each LF, CR and `#` of the block that no line was given of, the first byte lowest.
    marks: u64,
    /// The bytes of a line that count (SPEC 4.6).
    limit: usize,
    /// The body holds a NUL and the dialect stops reading a line there (SPEC 4.4).
    nul_ends: bool,
}

impl<'a> Lines<'a> {
    /// The lines of at most `max_bytes` bytes of `body`.
    #[inline(always)]
    pub(crate) fn new(body: &'a [u8], max_bytes: usize, dialect: Dialect) -> Lines<'a> {
        let body = within_limit(body, max_bytes, dialect);
        let body = without_byte_order_mark(body);
        Lines {
            body,
            start: 0,
            number: 0,
            block: 0,
            marks: marks(body),
            limit: dialect.line_limit(),
            nul_ends: dialect.nul_ends() && memchr(0, body).is_some(),
        }
    }

    /// The number of the line that [`Iterator::next`] gave last.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The byte at the next mark and where it stands; at the end of the body `None` and the end.
    #[inline(always)]
    fn next_mark(&mut self) -> (Option<u8>, usize) {
        while self.marks == 0 {
            self.block += BLOCK;
            match self.body.get(self.block..) {
                Some(rest) if !rest.is_empty() => self.marks = marks(rest),
                _ => {
                    self.block -= BLOCK;
                    return (None, self.body.len());
                }
            }
        }
        let place = self.block + self.marks.trailing_zeros() as usize;
        self.marks &= self.marks.wrapping_sub(1);
        (self.body.get(place).copied(), place)
    }

    #[inline(always)]
    fn seen(&self, text: &'a [u8]) -> &'a [u8] {
        let text = text.get(..self.limit).unwrap_or(text);
        if !self.nul_ends {
            return text;
        }
        let end = memchr(0, text).unwrap_or(text.len());
        text.get(..end).unwrap_or(text)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Line<'a>> {
        let (mut mark, text_end) = self.next_mark();
        let rest = self.body.get(self.start..)?;
        let text = rest.get(..text_end.checked_sub(self.start)?)?;
        let mut end = text_end;
        let is_commented = mark == Some(b'#');
        while mark == Some(b'#') {
            (mark, end) = self.next_mark();
        }
        self.start = end + 1;
        match mark {
            Some(b'\n') => {}
            Some(_) if self.body.get(self.start) == Some(&b'\n') => {
                // One line end of two bytes, whose second has a mark of its own.
                self.start += 1;
                self.next_mark();
            }
            None if rest.is_empty() => return None,
            _ => {}
        }
        self.number += 1;
        Some(Line {
            text: self.seen(text),
            rest,
            is_commented,
        })
    }
}

const BLOCK: usize = 64;

/// A bit for each of the first 64 bytes that is an LF, a CR or a `#`.
#[inline(always)]
fn marks(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(block) => marks_of_block(block),
        None => marks_of_last(bytes),
    }
}

#[inline(always)]
fn marks_of_block(block: &[u8; BLOCK]) -> u64 {
    let ([a, b, c, d], _) = as_chunks::<16>(block) else {
        return 0;
    };
    let marks = [a, b, c, d].map(|chunk| {
        let lanes = u8x16::new(*chunk);
        let is = |byte: u8| lanes.simd_eq(u8x16::splat(byte));
        is(b'\n') | is(b'\r') | is(b'#')
    });
    to_bitmask_64(marks)
}

/// The same for less than a block.
#[cold]
#[inline(never)]
fn marks_of_last(bytes: &[u8]) -> u64 {
    let mut block = [0; BLOCK];
    if let Some(place) = block.get_mut(..bytes.len()) {
        place.copy_from_slice(bytes);
    }
    marks_of_block(&block)
}

/// Bytes past the limit are ignored. Most dialects also ignore the cut line (SPEC 4.5).
pub(crate) fn within_limit(body: &[u8], max_bytes: usize, dialect: Dialect) -> &[u8] {
    let Some((kept, past)) = body.split_at_checked(max_bytes) else {
        return body;
    };
    let is_end = |byte: Option<&u8>| matches!(byte, Some(b'\n' | b'\r'));
    if past.is_empty() || dialect.keeps_cut_line() || is_end(past.first()) {
        return kept;
    }
    let whole = memchr::memrchr2(b'\n', b'\r', kept).map_or(0, |end| end + 1);
    kept.get(..whole).unwrap_or_default()
}

/// SPEC 4.2: one mark is skipped, also one cut short.
pub(crate) fn without_byte_order_mark(body: &[u8]) -> &[u8] {
    match body {
        [0xEF, 0xBB, 0xBF, rest @ ..] | [0xEF, 0xBB, rest @ ..] | [0xEF, rest @ ..] => rest,
        _ => body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SPEC 4.5
    #[test]
    fn a_line_that_the_limit_cuts_leaves_the_lines_before_it_whole() {
        for (limit, kept) in [
            (2, &b""[..]),
            (3, b"abc"),
            (4, b"abc\n"),
            (5, b"abc\n"),
            (7, b"abc\ndef"),
            (8, b"abc\ndef"),
        ] {
            assert_eq!(within_limit(b"abc\ndef", limit, Dialect::Rfc9309), kept);
        }
        assert_eq!(within_limit(b"abc\ndef", 5, Dialect::Google), b"abc\nd");
    }
}
