//! Counts the steps of a check, and bounds its work on a forged image by a budget of image bytes.
//!
//! A run is a walk through the nodes, or one search of the list, for one reading of a URL. In an image that this library wrote,
//! nodes, rules and index do not overlap, so a run pays for no byte twice. In a forged image, nodes may overlap, or an index
//! may name one rule 200,000 times. So each visit pays for its bytes, and a run may pay for as many bytes as the image has.

use crate::core::image::View;

/// The work of a check, in steps and in bytes of the image.
pub(super) struct Meter {
    /// Number of bytes left in the budget.
    bytes: usize,
    pub(super) steps: usize,
}

impl Meter {
    #[inline(always)]
    pub(super) fn new(image: View<'_>) -> Meter {
        Meter {
            bytes: image.bytes().len(),
            steps: 0,
        }
    }

    /// Pays for bytes of the image. Returns `None` if the budget is spent, which shows that the image is forged.
    #[inline(always)]
    pub(super) fn pay(&mut self, bytes: usize) -> Option<()> {
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    /// Restores the budget, before a run.
    #[inline(always)]
    pub(super) fn restart(&mut self, image: View<'_>) {
        self.bytes = image.bytes().len();
    }

    #[inline(always)]
    pub(super) fn count(&mut self, steps: usize) {
        self.steps += steps;
    }
}
