//! From a compiled robots.txt and the URL to the winning rule.
//!
//! [`decide`] is the way of a URL: locate its path, match the literal rules ([`literal`], a hash trie), match the others
//! ([`wildcard`], a scan of a short list or an n-gram index of a long one), return the verdict. [`piece_search`] finds the pieces of
//! a wildcard rule in the path, and says why the work is bounded.
//!
//! Nothing here locks, backtracks or allocates.

pub(crate) mod decide;
mod literal;
pub(crate) mod piece_search;
mod wildcard;

use crate::core::image::View;

/// The account of a decision, chosen when the code is compiled.
pub(crate) trait Meter {
    /// Pays for bytes of the image. `None` if a genuine image would have no more: this one is damaged.
    fn pay(&mut self, bytes: usize) -> Option<()>;

    /// Nodes or the list are visited again, from their start.
    fn restart(&mut self);

    /// Counts steps: a step examines [`simd::BLOCK`](crate::bytes::simd::BLOCK) bytes, or does something else of about that cost.
    fn count(&mut self, steps: usize);
}

/// The account for an image that this library made: nothing is counted.
pub(crate) struct Trusted;

impl Meter for Trusted {
    #[inline(always)]
    fn pay(&mut self, _bytes: usize) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn restart(&mut self) {}

    #[inline(always)]
    fn count(&mut self, _steps: usize) {}
}

/// The account for an image that was not validated.
///
/// In a genuine image the nodes on a path, the rules of the list and the numbers of the index are disjoint, so a decision
/// visits no byte twice. In another one nodes may overlap, or an index may name one rule 200,000 times. So each visit pays
/// for its bytes, and a decision has as many as the image.
pub(crate) struct Foreign {
    /// Those of the image.
    all: usize,
    /// Those that are left.
    bytes: usize,
    pub(crate) steps: usize,
}

impl Foreign {
    #[inline(always)]
    pub(crate) fn new(image: View<'_>) -> Foreign {
        let all = image.bytes().len();
        Foreign {
            all,
            bytes: all,
            steps: 0,
        }
    }
}

impl Meter for Foreign {
    #[inline(always)]
    fn pay(&mut self, bytes: usize) -> Option<()> {
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    #[inline(always)]
    fn restart(&mut self) {
        self.bytes = self.all;
    }

    #[inline(always)]
    fn count(&mut self, steps: usize) {
        self.steps += steps;
    }
}
