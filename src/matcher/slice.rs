//! The path that rules are matched with: canonical bytes in memory.

use core::ops::Range;

use crate::util::simd;

/// A canonical path.
#[derive(Clone, Copy)]
pub(crate) struct Slice<'a> {
    /// The path and the bytes around it: at least [`WORD`] bytes.
    bytes: &'a [u8],
    start: usize,
    end: usize,
}

/// The bytes that are read at once.
const WORD: usize = Slice::MIN;

impl<'a> Slice<'a> {
    /// The fewest bytes that can be read.
    pub(crate) const MIN: usize = 8;

    /// Returns `bytes` themselves, or a copy of those too few to be read by words.
    #[inline(always)]
    pub(crate) fn readable(bytes: &'a [u8], short: &'a mut [u8; Slice::MIN]) -> &'a [u8] {
        if bytes.len() >= Slice::MIN {
            return bytes;
        }
        let pairs = short.iter_mut().zip(bytes);
        pairs.for_each(|(to, from)| *to = *from);
        short
    }

    /// The bytes of `range`; `None` if there are too few to be read by words, or if it is no range of them.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], range: Range<usize>) -> Option<Slice<'a>> {
        let Range { start, end } = range;
        let is_sound = bytes.len() >= WORD && start <= end && end <= bytes.len();
        is_sound.then_some(Slice { bytes, start, end })
    }

    /// The path itself.
    #[inline(always)]
    pub(crate) fn path(&self) -> &'a [u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the path starts; positions are counted from the start of the bytes around it.
    #[inline(always)]
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The bytes of the path before `at`.
    #[inline(always)]
    pub(super) fn depth(&self, at: usize) -> usize {
        at - self.start
    }

    /// The number of bytes of the path before `at`, or of all.
    #[inline(always)]
    pub(super) fn before(&self, at: usize) -> usize {
        at.min(self.end) - self.start
    }

    /// The number of bytes from `at` to the end.
    #[inline(always)]
    pub(super) fn rest(&self, at: usize) -> usize {
        self.end.saturating_sub(at)
    }

    /// Whether the path continues at `at` with the `len` bytes at `text[start]`. `None` where there are none.
    #[inline(always)]
    pub(super) fn continues(
        &self,
        at: usize,
        text: &[u8],
        start: usize,
        len: usize,
    ) -> Option<bool> {
        let difference = |from: usize| {
            let word = u64::from_le_bytes(*text.get(start + from..)?.first_chunk()?);
            Some((self.bytes_at(at + from) ^ word) & simd::low_bytes(len - from))
        };
        // The first and the last eight bytes, the same ones twice if there are fewer: that takes no branch.
        let different = difference(0)? | difference(len.saturating_sub(WORD))?;
        if (different != 0) | (len > self.rest(at)) {
            return Some(false);
        }
        if len > 2 * WORD {
            return Some(self.bytes.get(at..at + len)? == text.get(start..start + len)?);
        }
        Some(true)
    }

    /// The position `count` bytes after `at`, or the end.
    #[inline(always)]
    pub(super) fn skip(&self, at: usize, count: usize) -> usize {
        at.saturating_add(count).min(self.end)
    }

    /// Eight bytes of the path from `at` on, zeros after its end.
    #[inline(always)]
    pub(super) fn word(&self, at: usize) -> u64 {
        self.bytes_at(at) & simd::low_bytes(self.rest(at))
    }

    /// The same, where bytes after the end of the path may be among them.
    #[inline(always)]
    fn bytes_at(&self, at: usize) -> u64 {
        // Near the end the last eight bytes are read and shifted, which takes no branch.
        let start = at.min(self.bytes.len() - WORD);
        let bytes = self.bytes.get(start..start + WORD);
        bytes
            .and_then(|bytes| bytes.first_chunk())
            .map_or(0, |bytes| {
                u64::from_le_bytes(*bytes) >> (((at - start) * 8) & 63)
            })
    }
}
