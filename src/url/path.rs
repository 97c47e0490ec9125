//! The path that rules are matched with: canonical bytes in memory, read by words.

use core::ops::Range;

use crate::bytes::simd;

#[derive(Clone, Copy)]
pub(crate) struct UrlPath<'a> {
    /// The bytes up to the end of the path, padded with zeros to [`WORD`].
    bytes: &'a [u8],
    start: usize,
    end: usize,
}

const WORD: usize = UrlPath::MIN;

impl<'a> UrlPath<'a> {
    /// The minimum number of bytes that is read.
    pub(crate) const MIN: usize = 8;

    /// The path at `range` of `bytes`; `None` if that is no range of them. `short`: zeros, with room for a copy of less than a
    /// word.
    #[inline(always)]
    pub(crate) fn new(
        bytes: &'a [u8],
        range: Range<usize>,
        short: &'a mut [u8; UrlPath::MIN],
    ) -> Option<UrlPath<'a>> {
        let Range { start, end } = range;
        let mut bytes = bytes.get(..end)?;
        if start > end {
            return None;
        }
        if bytes.len() < WORD {
            let pairs = short.iter_mut().zip(bytes);
            pairs.for_each(|(to, from)| *to = *from);
            bytes = short;
        }
        Some(UrlPath { bytes, start, end })
    }

    #[inline(always)]
    pub(crate) fn path(&self) -> &'a [u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the path starts; positions are counted from the start of the bytes around it.
    #[inline(always)]
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The bytes of the path before `at`.
    #[inline(always)]
    pub(crate) fn depth(&self, at: usize) -> usize {
        at - self.start
    }

    /// The number of bytes of the path before `at`, or of all.
    #[inline(always)]
    pub(crate) fn before(&self, at: usize) -> usize {
        at.min(self.end) - self.start
    }

    /// The number of bytes from `at` to the end.
    #[inline(always)]
    pub(crate) fn rest(&self, at: usize) -> usize {
        self.end.saturating_sub(at)
    }

    /// Whether the path continues at `at` with the `len` bytes at `text[start]`. `None` where there are none.
    #[inline(always)]
    pub(crate) fn continues(
        &self,
        at: usize,
        text: &[u8],
        start: usize,
        len: usize,
    ) -> Option<bool> {
        // The first and the last eight bytes, which may overlap: that takes no branch.
        let last = len.saturating_sub(WORD);
        let first = self.difference(at, text, start)?;
        let different =
            (first | self.difference(at + last, text, start + last)?) & simd::low_bytes(len);
        if (different != 0) | (len > self.rest(at)) {
            return Some(false);
        }
        if len > 2 * WORD {
            return Some(self.bytes.get(at..at + len)? == text.get(start..start + len)?);
        }
        Some(true)
    }

    /// The bits in which the word at `at` differs from that at `text[start]`.
    #[inline(always)]
    fn difference(&self, at: usize, text: &[u8], start: usize) -> Option<u64> {
        let word = u64::from_le_bytes(*text.get(start..)?.first_chunk()?);
        Some(self.word(at) ^ word)
    }

    /// The position `count` bytes after `at`, or the end.
    #[inline(always)]
    pub(crate) fn skip(&self, at: usize, count: usize) -> usize {
        at.saturating_add(count).min(self.end)
    }

    /// Eight bytes of the path from `at` on, zeros after its end.
    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> u64 {
        // Near the end the last eight bytes are read and shifted, which takes no branch.
        let start = at.min(self.bytes.len() - WORD);
        let bytes = self.bytes.get(start..start + WORD);
        let bytes = bytes.and_then(|bytes| bytes.first_chunk());
        let word = bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
        word.checked_shr((at - start) as u32 * 8).unwrap_or(0)
    }
}
