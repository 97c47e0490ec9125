//! Text that a closure writes: `core::fmt::from_fn` of Rust 1.93.

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
