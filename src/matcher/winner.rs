//! The rule that wins, while the matcher runs and at its end.

use crate::rule::{Priority, RuleRef};

/// The rule that won so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Winner {
    /// [`RuleRef::NONE`] if no rule matched.
    pub(super) rule: RuleRef,
    pub(super) priority: Priority,
}

impl Winner {
    pub(super) const NONE: Winner = Winner {
        rule: RuleRef::NONE,
        priority: Priority::NONE,
    };

    /// A rule that matched. `length`: of its canonical path (SPEC 8.7).
    #[inline(always)]
    pub(super) fn new(rule: RuleRef, length: u32, first_match_wins: bool) -> Winner {
        let priority = if first_match_wins {
            Priority::from_line(rule.line())
        } else {
            Priority::new(length, rule.allow(), rule.line())
        };
        Winner { rule, priority }
    }
}

/// The rule that decides, and the work that took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// [`RuleRef::NONE`] if no rule matches; `None` where the image is damaged.
    pub(crate) rule: Option<RuleRef>,
    /// See [`PieceSearch::steps`](super::PieceSearch::steps); literal rules count one for each byte examined, and for each four rules.
    pub(crate) steps: usize,
}
