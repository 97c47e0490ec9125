//! The rule that wins, while the matcher runs and at its end.

use crate::rule::RuleRef;

/// The rule that won so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Winner {
    /// [`RuleRef::NONE`] if no rule matched.
    pub(super) rule: RuleRef,
    /// SPEC 8.7: the length of its canonical path.
    pub(super) length: u32,
}

/// The rule that decides, and the work that took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// [`RuleRef::NONE`] if no rule matches; `None` where the image is damaged.
    pub(crate) rule: Option<RuleRef>,
    /// See [`PieceSearch::steps`](super::PieceSearch::steps); the walk down the tree counts a step for each byte.
    pub(crate) steps: usize,
}
