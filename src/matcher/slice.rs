//! The path that rules are matched with: canonical bytes in memory.

use core::ops::Range;

use crate::image::Label;

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

    /// The byte at `at` and the position after it; `None` at the end.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> Option<(u8, usize)> {
        if at < self.end {
            Some((*self.bytes.get(at)?, at + 1))
        } else {
            None
        }
    }

    /// The position after `label`, if the path continues with it at `at`.
    #[inline(always)]
    pub(super) fn strip(&self, at: usize, label: &Label<'_>) -> Option<usize> {
        /// The bytes of a word that belong to a label of each length.
        const OF_LABEL: [u64; 9] = [
            0,
            0xFF,
            0xFFFF,
            0xFF_FFFF,
            0xFFFF_FFFF,
            0xFF_FFFF_FFFF,
            0xFFFF_FFFF_FFFF,
            0xFF_FFFF_FFFF_FFFF,
            !0,
        ];
        let len = label.len;
        let mask = OF_LABEL.get(len.min(WORD))?;
        if ((self.word(at) ^ label.word()?) & mask != 0) | (len > self.end - at) {
            return None;
        }
        if len > WORD && self.bytes.get(at..at + len)? != label.bytes()? {
            return None;
        }
        Some(at + len)
    }

    /// The position `count` bytes after `at`, or the end.
    #[inline(always)]
    pub(super) fn skip(&self, at: usize, count: usize) -> usize {
        at.saturating_add(count).min(self.end)
    }

    /// The bytes from `at` on; bytes after the end of the path may be among them.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
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
