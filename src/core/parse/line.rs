//! Splits a body into lines: byte order mark, line ends, size limit (SPEC 4), comments (SPEC 5.1).

use memchr::memchr;

use crate::base::dialect::Dialect;
use crate::bytes::simd::{BLOCK, equal, marks_in_block};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The part of the line that counts in the dialect, without the comment.
    pub(crate) text: &'a [u8],
    /// The body from the start of the line on. The slice includes later lines, so that a word may be loaded without a copy.
    pub(crate) rest: &'a [u8],
    pub(crate) is_commented: bool,
}

/// The lines of a robots.txt, as a dialect reads them.
///
/// Vector operations compare each block of 64 bytes with LF, CR and `#`. The result is a mask of 64 bits, and a line takes a
/// few operations on the mask. All methods are inlined, so the state stays in registers.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    body: &'a [u8],
    start: usize,
    /// Number of the line that was returned last, from 1; 0 before the first line.
    number: u32,
    /// Offset of the current block: a multiple of [`BLOCK`].
    block: usize,
    /// A bit for each LF, CR and `#` of the block that `next_mark` has not yet returned; the lowest bit is for the first byte.
    marks: u64,
    /// Number of bytes of a line that count (SPEC 4.6).
    limit: usize,
    /// The body has a NUL, and a NUL ends a line in the dialect (SPEC 4.4).
    nul_ends: bool,
}

impl<'a> Lines<'a> {
    /// Returns the lines of the first `max_bytes` bytes of `body`.
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

    /// Returns the number of the line that [`Iterator::next`] returned last.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Returns the next LF, CR or `#` and its offset; at the end, `None` and the length of the body.
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

    /// Returns the part of a line that counts in the dialect.
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
                // CRLF is one line end with two marks.
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

/// Returns a bit for each of the first 64 bytes that is an LF, a CR or a `#`.
#[inline(always)]
fn marks(bytes: &[u8]) -> u64 {
    marks_in_block(bytes, |lanes| {
        equal(lanes, b'\n') | equal(lanes, b'\r') | equal(lanes, b'#')
    })
}

/// Returns the bytes within the size limit. A line that the limit cuts is left out, except in google (SPEC 4.5).
fn within_limit(body: &[u8], max_bytes: usize, dialect: Dialect) -> &[u8] {
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

/// Returns a body without its UTF-8 byte order mark. One or two bytes of an incomplete mark are removed, too (SPEC 4.2).
pub(crate) fn without_byte_order_mark(body: &[u8]) -> &[u8] {
    match body {
        [0xEF, 0xBB, 0xBF, rest @ ..] | [0xEF, 0xBB, rest @ ..] | [0xEF, rest @ ..] => rest,
        _ => body,
    }
}
