//! Body to lines: byte order mark, line ends, size limit (SPEC 4), comments (SPEC 5.1).

use memchr::{memchr, memchr2};

use crate::dialect::Dialect;
use crate::util::simd;

/// One line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// What the dialect sees of it, without the comment.
    pub(crate) text: &'a [u8],
    /// It has a comment.
    pub(crate) is_commented: bool,
}

/// The lines of a robots.txt, as a dialect sees them.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the line last given; the first is 1.
    number: u32,
    /// The bytes of a line that count (SPEC 4.6).
    limit: usize,
    /// The body holds a NUL and the dialect stops reading a line there (SPEC 4.4).
    nul_ends: bool,
}

impl<'a> Lines<'a> {
    /// The lines of at most `max_bytes` bytes of `body`.
    pub(crate) fn new(body: &'a [u8], max_bytes: usize, dialect: Dialect) -> Lines<'a> {
        let rest = within_limit(body, max_bytes, dialect);
        let rest = without_byte_order_mark(rest);
        Lines {
            rest,
            number: 0,
            limit: dialect.line_limit(),
            nul_ends: dialect.nul_ends() && memchr(0, rest).is_some(),
        }
    }

    /// The number of the line that [`Iterator::next`] gave last.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// What the dialect sees of a line.
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
        if self.rest.is_empty() {
            return None;
        }
        let end = simd::text_end(self.rest).unwrap_or(self.rest.len());
        let (text, mut after) = self.rest.split_at_checked(end)?;
        let is_commented = after.first() == Some(&b'#');
        if is_commented {
            after = after.get(memchr2(b'\n', b'\r', after).unwrap_or(after.len())..)?;
        }
        self.rest = match after {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => after,
        };
        self.number += 1;
        Some(Line {
            text: self.seen(text),
            is_commented,
        })
    }
}

/// SPEC 4.5: what lies past the limit is ignored, and so is, in most dialects, the line it cuts.
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

/// SPEC 4.2: one mark is skipped, also one cut short.
pub(crate) fn without_byte_order_mark(body: &[u8]) -> &[u8] {
    match body {
        [0xEF, 0xBB, 0xBF, rest @ ..] | [0xEF, 0xBB, rest @ ..] | [0xEF, rest @ ..] => rest,
        _ => body,
    }
}
