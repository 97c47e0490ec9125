//! From a compiled robots.txt and the path of a URL to the winning rule.
//!
//! The literal rules stand in nodes. A node tests up to 64 rules together by their first eight bytes; a hash table leads from
//! node to node where there are more ([`LiteralMatch`]). The other rules stand in one list. [`patterns`] tries those of a
//! higher priority: a short list by the first eight bytes and a packed-pair prefilter, a long one by an n-gram index.
//! [`piece_search`] finds the pieces of a rule in the path, and says why the work is bounded. [`decide`] is the hot path from a
//! URL to a verdict.
//!
//! Nothing here locks or backtracks. Nothing allocates, but for two cases: a canonical path of more than 64 KiB, and rules
//! that exceed the budget of `piece_search`.

pub(crate) mod decide;
mod literal;
mod patterns;
mod piece_search;
mod slice;
mod winner;

pub(crate) use literal::LiteralMatch;
pub(crate) use piece_search::PieceSearch;
pub(crate) use slice::Slice;
pub(crate) use winner::Decision;

use crate::image::{View, Width, header};

impl LiteralMatch {
    /// Decides on `path`, which was matched. `list`: the offset of the list of the other rules.
    #[inline(always)]
    pub(crate) fn decide<W: Width>(
        self,
        image: View<'_>,
        list: u32,
        path: &Slice<'_>,
        first_match_wins: bool,
    ) -> Decision {
        let mut decision = if self.is_damaged {
            Decision {
                rule: None,
                steps: 0,
            }
        } else if list != 0 {
            patterns::improve::<W>(image, list, path.path(), self.winner, first_match_wins)
        } else {
            Decision {
                rule: Some(self.winner.rule),
                steps: 0,
            }
        };
        decision.steps += self.steps + self.seen;
        decision
    }
}

/// The offset of the list of the rules that are not literal; 0 for none.
#[inline(always)]
pub(crate) fn list_of(image: View<'_>) -> Option<u32> {
    image.u32(header::LIST)
}
