//! What the matcher needs of a path, and the path that lies in memory in canonical form.

use core::ops::Range;

use memchr::memmem;

use crate::image::{Label, MAX_KEY};
use crate::util::simd;

/// A canonical path, read from the front.
pub(crate) trait PathText {
    /// A place in the path; what lies before it is done with.
    type Cursor: Copy;

    fn start(&self) -> Self::Cursor;
    /// The octets before it.
    fn depth(&self, at: Self::Cursor) -> usize;
    /// The octet here and the place behind it; `None` at the end.
    fn octet(&self, at: Self::Cursor) -> Option<(u8, Self::Cursor)>;
    /// The place behind `label`, if that is what stands here.
    fn strip(&self, at: Self::Cursor, label: &Label<'_>) -> Option<Self::Cursor>;
    /// The place `count` octets on, or the end.
    fn skip(&self, at: Self::Cursor, count: usize) -> Self::Cursor;
    /// The place behind the first occurrence of `piece` from here on. Takes time linear in the
    /// octets passed over. `rarest`: where its rarest pair of octets stands.
    fn find(&self, at: Self::Cursor, piece: &[u8], rarest: usize) -> Option<Self::Cursor>;
    /// Whether `piece` ends the path and does not begin before `at`.
    fn ends_with(&self, at: Self::Cursor, piece: &[u8]) -> bool;
    /// The next octets, up to [`MAX_KEY`], the first lowest, and how many there are.
    fn key(&self, at: Self::Cursor) -> (u32, usize);
    /// The octets from here on, where they lie in memory.
    fn octets(&self, at: Self::Cursor) -> Option<&[u8]>;
}

/// A path in memory.
#[derive(Clone, Copy)]
pub(crate) struct Slice<'a> {
    /// The path and what stands around it: at least [`WORD`] octets.
    octets: &'a [u8],
    start: usize,
    end: usize,
}

/// The octets that are read at once.
const WORD: usize = Slice::MIN;

impl<'a> Slice<'a> {
    /// The fewest octets that can be read.
    pub(crate) const MIN: usize = 8;

    /// `octets` themselves, or a copy of those too few to be read by words.
    #[inline(always)]
    pub(crate) fn readable(octets: &'a [u8], short: &'a mut [u8; Slice::MIN]) -> &'a [u8] {
        if octets.len() >= Slice::MIN {
            return octets;
        }
        let pairs = short.iter_mut().zip(octets);
        pairs.for_each(|(to, from)| *to = *from);
        short
    }

    /// The octets of `range`; `None` if there are too few to be read by words, or if it is no range of them.
    #[inline(always)]
    pub(crate) fn new(octets: &'a [u8], range: Range<usize>) -> Option<Slice<'a>> {
        let Range { start, end } = range;
        let is_sound = octets.len() >= WORD && start <= end && end <= octets.len();
        is_sound.then_some(Slice { octets, start, end })
    }

    /// The octets from `at` on; what stands behind the end of the path may be among them.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        // Near the end the last eight octets are read and shifted, which takes no branch.
        let start = at.min(self.octets.len() - WORD);
        let octets = self.octets.get(start..start + WORD);
        octets
            .and_then(|octets| octets.first_chunk())
            .map_or(0, |octets| {
                u64::from_le_bytes(*octets) >> (((at - start) * 8) & 63)
            })
    }

    fn rest(&self, at: usize) -> &'a [u8] {
        self.octets.get(at..self.end).unwrap_or_default()
    }
}

impl PathText for Slice<'_> {
    type Cursor = usize;

    #[inline(always)]
    fn start(&self) -> usize {
        self.start
    }

    #[inline(always)]
    fn depth(&self, at: usize) -> usize {
        at - self.start
    }

    #[inline(always)]
    fn octet(&self, at: usize) -> Option<(u8, usize)> {
        if at < self.end {
            Some((*self.octets.get(at)?, at + 1))
        } else {
            None
        }
    }

    #[inline(always)]
    fn strip(&self, at: usize, label: &Label<'_>) -> Option<usize> {
        /// The octets of a word that belong to a label of so many.
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
        if len > WORD && self.octets.get(at..at + len)? != label.octets()? {
            return None;
        }
        Some(at + len)
    }

    #[inline(always)]
    fn skip(&self, at: usize, count: usize) -> usize {
        at.saturating_add(count).min(self.end)
    }

    #[inline]
    fn find(&self, at: usize, piece: &[u8], rarest: usize) -> Option<usize> {
        let rest = self.rest(at);
        let found = match piece {
            [octet] => memchr::memchr(*octet, rest)?,
            _ => simd::find(rest, piece, rarest).unwrap_or_else(|| memmem::find(rest, piece))?,
        };
        Some(at + found + piece.len())
    }

    #[inline]
    fn ends_with(&self, at: usize, piece: &[u8]) -> bool {
        self.rest(at).ends_with(piece)
    }

    #[inline(always)]
    fn key(&self, at: usize) -> (u32, usize) {
        let len = (self.end - at).min(MAX_KEY);
        (if len == 0 { 0 } else { self.word(at) as u32 }, len)
    }

    #[inline(always)]
    fn octets(&self, at: usize) -> Option<&[u8]> {
        self.octets.get(at..self.end)
    }
}
