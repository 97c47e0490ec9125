//! A compiled robots.txt and the path of a URL to the winning rule. Nothing here allocates, locks
//! or goes back: one walk down the prefix tree finds the strongest literal rule and the lists of
//! rules with wildcards that could beat it.

mod slice;
mod stream;
mod wildcard;

pub(crate) use slice::{PathText, Slice};
pub(crate) use stream::Stream;

use crate::image::{View, Width};
use crate::rule::RuleRef;

/// The rule that won so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Winner {
    /// [`RuleRef::NONE`] if no rule matched.
    slot: RuleRef,
    /// SPEC 8.7: the octets of its canonical path.
    length: u32,
}

/// What a walk down the prefix tree found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeMatch {
    winner: Winner,
    /// The nearest list of rules that could beat the winner, or 0.
    list: u32,
    /// How many octets of the path were looked at: what stands behind them cannot change what was found.
    pub(crate) seen: usize,
}

impl TreeMatch {
    /// Walks down the tree as far as `path` leads. `None` where the image is damaged.
    #[inline(always)]
    pub(crate) fn new<W: Width, T: PathText>(image: View<'_>, path: &T) -> Option<TreeMatch> {
        let (mut fields, mut children) = image.root::<W>()?;
        let mut winner = Winner {
            slot: RuleRef::NONE,
            length: 0,
        };
        let mut list = 0;
        // The root stands for the `/` that every path begins with.
        let mut cursor = path.skip(path.start(), 1);
        let seen = loop {
            // A rule that an ancestor's beats is not in the image: the deepest is the strongest.
            if fields.slot != 0 {
                winner = Winner {
                    slot: RuleRef(fields.slot),
                    length: (path.depth(cursor) as u32).wrapping_add(fields.extra),
                };
            }
            if fields.list != 0 {
                list = fields.list;
            }
            let Some((octet, behind)) = path.octet(cursor) else {
                if fields.exact != 0 {
                    winner = Winner {
                        slot: RuleRef(fields.exact),
                        length: path.depth(cursor) as u32 + 1,
                    };
                }
                break path.depth(cursor);
            };
            // Each child takes an octet of the path: even the nodes of a damaged image end.
            let child = image.child::<W>(children, octet)?;
            if child == 0 {
                break path.depth(behind);
            }
            let head = image.head(child)?;
            let Some(behind_label) = path.strip(behind, &head.label) else {
                break path.depth(behind) + head.label.len;
            };
            cursor = behind_label;
            (fields, children) = image.node::<W>(&head)?;
        };
        Some(TreeMatch { winner, list, seen })
    }

    /// Whether rules with wildcards are still to be tried, which may look at all of the path.
    #[inline(always)]
    pub(crate) fn has_list(&self) -> bool {
        self.list != 0
    }

    /// The rule that decides on `path`, which was walked with; [`RuleRef::NONE`] if none matches.
    /// `None` where the image is damaged.
    #[inline(always)]
    pub(crate) fn decide<W: Width, T: PathText>(
        self,
        image: View<'_>,
        path: &T,
    ) -> Option<RuleRef> {
        if self.has_list() {
            wildcard::improve::<W, T>(image, self.list, path, self.winner)
        } else {
            Some(self.winner.slot)
        }
    }
}
