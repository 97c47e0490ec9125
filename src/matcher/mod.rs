//! From a compiled robots.txt and the path of a URL to the winning rule.
//!
//! One walk down the radix tree ([`TreeMatch`]) finds the highest-priority literal rule and the lists of wildcard
//! rules that could beat it. [`wildcard`] tries those: a short list by a packed-pair prefilter, a long one by an n-gram
//! index. [`piece_search`] finds the pieces of a rule in the path, and says why the work is bounded. [`decide`] is the hot
//! path from a URL to a verdict.
//!
//! Nothing here locks or backtracks. Nothing allocates, but for two cases: a canonical path of more than 64 KiB, and rules
//! that exceed the budget of `piece_search`.

pub(crate) mod decide;
mod piece_search;
mod slice;
mod wildcard;
mod winner;

pub(crate) use piece_search::PieceSearch;
pub(crate) use slice::Slice;
pub(crate) use winner::Decision;

use self::winner::Winner;
use crate::image::{View, Width};
use crate::rule::RuleRef;

/// What a walk down the radix tree found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeMatch {
    winner: Winner,
    /// The nearest list of rules that could beat the winner, or 0.
    list: u32,
    /// How many bytes of the path were examined. Those after them cannot change what was found.
    pub(crate) seen: usize,
}

impl TreeMatch {
    /// Walks down the tree as far as `path` leads. `None` where the image is damaged.
    #[inline(always)]
    pub(crate) fn new<W: Width>(image: View<'_>, path: &Slice<'_>) -> Option<TreeMatch> {
        let (mut fields, mut children) = image.root::<W>()?;
        let mut winner = Winner {
            rule: RuleRef::NONE,
            length: 0,
        };
        let mut list = 0;
        // The root stands for the `/` that every path begins with.
        let mut cursor = path.skip(path.start(), 1);
        let seen = loop {
            // A rule that an ancestor's beats is not in the image: the deepest has the highest priority.
            if fields.slot != 0 {
                winner = Winner {
                    rule: RuleRef(fields.slot),
                    length: (path.depth(cursor) as u32).wrapping_add(fields.extra),
                };
            }
            if fields.list != 0 {
                list = fields.list;
            }
            let Some((byte, after)) = path.byte(cursor) else {
                if fields.exact != 0 {
                    winner = Winner {
                        rule: RuleRef(fields.exact),
                        length: path.depth(cursor) as u32 + 1,
                    };
                }
                break path.depth(cursor);
            };
            // Each child takes a byte of the path: even the nodes of a damaged image end.
            let child = image.child::<W>(children, byte)?;
            if child == 0 {
                break path.depth(after);
            }
            let head = image.head(child)?;
            let Some(after_label) = path.strip(after, &head.label) else {
                break path.depth(after) + head.label.len;
            };
            cursor = after_label;
            (fields, children) = image.node::<W>(&head)?;
        };
        Some(TreeMatch { winner, list, seen })
    }

    /// Whether wildcard rules are still to be tried, which may examine all of the path.
    #[inline(always)]
    pub(crate) fn has_list(&self) -> bool {
        self.list != 0
    }

    /// Decides on `path`, which was walked with.
    #[inline(always)]
    pub(crate) fn decide<W: Width>(self, image: View<'_>, path: &Slice<'_>) -> Decision {
        let mut decision = if self.has_list() {
            wildcard::improve::<W>(image, self.list, path.path(), self.winner)
        } else {
            Decision {
                rule: Some(self.winner.rule),
                steps: 0,
            }
        };
        decision.steps += self.seen;
        decision
    }
}
