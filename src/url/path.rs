//! The canonical path of a URL, and its comparison with rules in words of eight bytes.

use core::ops::Range;

use crate::bytes::simd::{low_bytes, padded_u64};

/// A path within its URL. Each position is an offset from the start of the URL.
#[derive(Clone, Copy)]
pub(crate) struct UrlPath<'a> {
    /// The URL up to the end of the path; padded with zeros if it is shorter than [`WORD`] bytes.
    bytes: &'a [u8],
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The number of bytes in a word.
pub(crate) const WORD: usize = 8;

impl<'a> UrlPath<'a> {
    /// Returns the path at `range` of `bytes`; `None` if the range is not in `bytes`. `short`: the buffer for the padded copy of
    /// a URL that is shorter than a word.
    #[inline(always)]
    pub(crate) fn new(
        bytes: &'a [u8],
        range: Range<usize>,
        short: &'a mut [u8; WORD],
    ) -> Option<UrlPath<'a>> {
        let Range { start, end } = range;
        let mut bytes = bytes.get(..end)?;
        if start > end {
            return None;
        }
        if bytes.len() < WORD {
            *short = padded_u64(bytes).to_le_bytes();
            bytes = short;
        }
        Some(UrlPath { bytes, start, end })
    }

    #[inline(always)]
    pub(crate) fn path(&self) -> &'a [u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the number of bytes from `at` to the end of the path.
    #[inline(always)]
    pub(crate) fn rest(&self, at: usize) -> usize {
        self.end.saturating_sub(at)
    }

    /// Returns whether the bytes of the path at `at` equal the `len` bytes of `text` at `start`; `None` if `text` is too short.
    #[inline(always)]
    pub(crate) fn continues(
        &self,
        at: usize,
        text: &[u8],
        start: usize,
        len: usize,
    ) -> Option<bool> {
        // The first and the last eight bytes are compared without a branch. The two words overlap if `len` is less than 16.
        let last = len.saturating_sub(WORD);
        let first = self.difference(at, text, start)?;
        let different = (first | self.difference(at + last, text, start + last)?) & low_bytes(len);
        if (different != 0) | (len > self.rest(at)) {
            return Some(false);
        }
        if len > 2 * WORD {
            return Some(self.bytes.get(at..at + len)? == text.get(start..start + len)?);
        }
        Some(true)
    }

    /// Returns the bits in which the word of the path at `at` differs from the word of `text` at `start`.
    #[inline(always)]
    fn difference(&self, at: usize, text: &[u8], start: usize) -> Option<u64> {
        let word = u64::from_le_bytes(*text.get(start..)?.first_chunk()?);
        Some(self.word(at) ^ word)
    }

    /// Returns the eight bytes from `at` on, with zeros after the end of the path.
    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> u64 {
        // Near the end of `bytes`, the last eight bytes are read and shifted, because this needs no branch.
        let start = at.min(self.bytes.len() - WORD);
        let bytes = self.bytes.get(start..start + WORD);
        let bytes = bytes.and_then(|bytes| bytes.first_chunk());
        let word = bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
        word.checked_shr((at - start) as u32 * 8).unwrap_or(0)
    }
}
