//! Display helpers: text that a closure writes (`core::fmt::from_fn` of Rust 1.93), and names in a sentence.

use core::fmt::{Display, Formatter, Result};

pub(crate) fn from_fn<F: Fn(&mut Formatter<'_>) -> Result>(write: F) -> FromFn<F> {
    FromFn(write)
}

pub(crate) struct FromFn<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> Result> Display for FromFn<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (self.0)(f)
    }
}

/// The maximum number of names in a sentence.
pub(crate) const MOST_NAMES: usize = 3;

/// Joins names for a sentence: the first [`MOST_NAMES`] names, and the number of all further names.
pub(crate) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_NAMES).map(T::as_ref).collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
