//! The edits of a file that fixes consist of.

use core::ops::Range;

use super::fix::FixResult;
use super::lines::{File, LineParts};
use crate::util::try_alloc::append;

/// The longest text that a fix writes. A longer one has advice only: it would take as much memory as the file.
const MAX_TEXT: usize = 256;

/// The most bytes that all safe fixes together may add to a file: longer lines at the end of a file that is nearly as
/// long as the limit would move beyond it.
const MAX_GROWTH: usize = 64 << 10;

impl File {
    /// Replaces a part of the file.
    pub(super) fn replace(&self, part: &[u8], with: &'static str) -> FixResult {
        FixResult::new(self.span(part), with)
    }

    /// Inserts text.
    pub(super) fn insert(&self, at: usize, text: &'static str) -> FixResult {
        FixResult::new(at..at, text)
    }

    /// Replaces a part of the file by bytes of it, if they are UTF-8 and not too long.
    pub(super) fn rewrite<'p>(
        &self,
        part: &[u8],
        with: impl IntoIterator<Item = &'p [u8]>,
    ) -> FixResult {
        let mut text = Vec::new();
        for piece in with {
            if text.len() + piece.len() > MAX_TEXT {
                return FixResult::NONE;
            }
            if let Err(error) = append(&mut text, piece) {
                return FixResult(Err(error));
            }
        }
        match String::from_utf8(text) {
            Ok(text) => FixResult::new(self.span(part), text),
            Err(_) => FixResult::NONE,
        }
    }

    /// Replaces a range of the file by a text.
    pub(super) fn replace_span(&self, span: Range<usize>, with: &'static str) -> FixResult {
        FixResult::new(span, with)
    }

    /// Replaces a rule by `Disallow:`, which keeps its group apart from the next one.
    pub(super) fn empty_rule(&self, line: LineParts<'_>) -> FixResult {
        let start = self.span(line.name).start;
        FixResult::new(start..self.span(line.value).end.max(start), "Disallow:")
    }

    /// Removes a line with its end.
    pub(super) fn remove_line(&self, number: u32) -> FixResult {
        let line = self.whole_line(number);
        let end = line.end + self.end_of_line(number).len();
        let before = line.start.checked_sub(1).and_then(|at| self.body.get(at));
        // The two would become one line end.
        if before == Some(&b'\r') && self.body.get(end) == Some(&b'\n') {
            return FixResult::NONE;
        }
        FixResult::new(line.start..end, "")
    }

    /// Returns the end of a line as it is written; empty at the end of the file.
    pub(super) fn end_of_line(&self, number: u32) -> &'static str {
        match self.body.get(self.whole_line(number).end..) {
            Some([b'\r', b'\n', ..]) => "\r\n",
            Some([b'\r', ..]) => "\r",
            Some([b'\n', ..]) => "\n",
            _ => "",
        }
    }

    /// Returns the line end of the file: that of its first line.
    pub(super) fn line_end(&self) -> &'static str {
        match self.end_of_line(1) {
            "" => "\n",
            end => end,
        }
    }

    /// Whether a safe fix is possible: if the limit cuts the file, any edit moves the cut.
    pub(super) fn has_room(&self) -> bool {
        self.full_len + MAX_GROWTH <= self.max_bytes
    }
}
