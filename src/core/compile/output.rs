//! The buffer that an image is written to.

use crate::base::dialect::Dialect;
use crate::base::rule::{RawRule, RuleText};

/// A buffer whose length is the upper bound on the image's length. A write past its end is a bug of the compiler, and panics.
pub(super) struct Output<'o> {
    bytes: &'o mut [u8],
    end: usize,
}

/// The number of bytes that [`Output::copy`] copies without a call: one vector. Most tails are shorter.
const COPIED: usize = 16;

/// The maximum number of bytes that [`Output::copy`] writes after the copied bytes. Later writes replace them.
pub(super) const SLACK: usize = COPIED;

#[allow(
    clippy::indexing_slicing,
    reason = "the buffer has room for the whole image"
)]
impl<'o> Output<'o> {
    pub(super) fn new(bytes: &'o mut [u8]) -> Output<'o> {
        Output { bytes, end: 0 }
    }

    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Returns the next `len` bytes, for the caller to write.
    #[inline(always)]
    pub(super) fn room(&mut self, len: usize) -> &mut [u8] {
        let start = self.end;
        self.end += len;
        &mut self.bytes[start..self.end]
    }

    #[inline(always)]
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
    }

    #[inline(always)]
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }

    #[inline(always)]
    pub(super) fn number(&mut self, value: usize) {
        self.bytes(&(value as u32).to_le_bytes());
    }

    #[inline]
    pub(super) fn leb128(&mut self, mut len: usize) {
        while len >= 0x80 {
            self.byte(len as u8 | 0x80);
            len >>= 7;
        }
        self.byte(len as u8);
    }

    #[inline(always)]
    pub(super) fn zeros(&mut self, count: usize) {
        self.room(count).fill(0);
    }

    /// Writes the first `len` bytes of `from`, one vector at a time where both slices have 16 bytes.
    #[inline(always)]
    pub(super) fn copy(&mut self, from: &[u8], len: usize) {
        let mut at = 0;
        while at < len {
            let place = &mut self.bytes[self.end + at..];
            match (place.first_chunk_mut::<COPIED>(), from[at..].first_chunk()) {
                (Some(place), Some(bytes)) => *place = *bytes,
                _ => place[..len - at].copy_from_slice(&from[at..len]),
            }
            at += COPIED;
        }
        self.end += len;
    }

    #[inline(always)]
    pub(super) fn set_number(&mut self, at: usize, value: usize) {
        self.set(at, (value as u32).to_le_bytes());
    }

    #[inline(always)]
    pub(super) fn set<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        self.bytes[at..at + N].copy_from_slice(&bytes);
    }

    /// Sets bit number `bit` of the bitmap at offset `marks`.
    pub(super) fn mark(&mut self, marks: usize, bit: usize) {
        self.bytes[marks + bit / 8] |= 1 << (bit % 8);
    }

    pub(super) fn written(&self) -> &[u8] {
        &self.bytes[..self.end]
    }
}

/// Sorts the rules by path. Of several rules with the same path, keeps only the rule with the highest priority, so that each
/// path is stored and matched once. Returns the number of kept rules, which are at the start of the slice.
pub(super) fn merge_equal(rules: &mut [RawRule], text: RuleText<'_>, dialect: Dialect) -> usize {
    let path = |rule: &RawRule| (text.path(rule).bytes, rule.is_anchored());
    rules.sort_unstable_by(|a, b| {
        let by_path = path(a).cmp(&path(b));
        by_path.then_with(|| b.priority(dialect).cmp(&a.priority(dialect)))
    });
    let mut count: usize = 0;
    for at in 0..rules.len() {
        let is_first = match (rules.get(at), count.checked_sub(1)) {
            (Some(rule), Some(last)) => rules.get(last).map(path) != Some(path(rule)),
            _ => true,
        };
        if is_first {
            rules.swap(count, at);
            count += 1;
        }
    }
    count
}
