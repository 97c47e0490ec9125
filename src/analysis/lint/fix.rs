//! Fixes: edits of the file that remove a fault.

use core::ops::Range;
use std::borrow::Cow;

use crate::error::Error;

/// An edit of the file that removes a fault: one range of bytes and the text in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub(super) span: Range<usize>,
    pub(super) replacement: Cow<'static, str>,
    pub(super) safe: bool,
}

impl Fix {
    /// Returns the range of bytes to replace, counted from 0. It is empty for an insertion. It may end after the
    /// line's end: a line that is removed loses its line end, too.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the text to write in its place. It may be empty, and may hold line ends.
    pub fn replacement(&self) -> &str {
        &self.replacement
    }

    /// Returns whether the fix changes no verdict of any crawler with one token that reads the file in the dialect of
    /// the report; rfc9309 and google count as one dialect here. This also holds for all safe fixes together.
    pub fn is_safe(&self) -> bool {
        self.safe
    }
}

/// A fix that may be missing, or may have failed to allocate.
pub(super) struct FixResult(pub(super) Result<Option<Fix>, Error>);

impl FixResult {
    /// Without a fix.
    pub(super) const NONE: FixResult = FixResult(Ok(None));

    pub(super) fn new(span: Range<usize>, replacement: impl Into<Cow<'static, str>>) -> FixResult {
        FixResult(Ok(Some(Fix {
            span,
            replacement: replacement.into(),
            safe: false,
        })))
    }

    /// Marks the fix as safe if it is.
    pub(super) fn safe_if(mut self, is_safe: bool) -> FixResult {
        if let Ok(Some(fix)) = &mut self.0 {
            fix.safe = is_safe;
        }
        self
    }
}
