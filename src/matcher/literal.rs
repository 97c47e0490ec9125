//! Finds the literal rule that decides: the nodes of an image on the way of a path.

use super::Slice;
use super::winner::Winner;
use crate::image::{View, Width, header, node};
use crate::rule::RuleRef;
use crate::util::simd;

/// What the nodes on the way of a path say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralMatch {
    pub(super) winner: Winner,
    /// How many bytes of the path were examined. Those after them cannot change what was found.
    pub(crate) seen: usize,
    /// See [`Decision`](super::Decision).
    pub(super) steps: usize,
    pub(super) is_damaged: bool,
}

impl LiteralMatch {
    /// Follows `path` from node to node.
    #[inline(always)]
    pub(crate) fn new<W: Width>(
        image: View<'_>,
        path: &Slice<'_>,
        first_match_wins: bool,
    ) -> LiteralMatch {
        let mut found = LiteralMatch {
            winner: Winner::NONE,
            seen: 0,
            steps: 0,
            is_damaged: false,
        };
        let walked = found.walk::<W>(image, path, first_match_wins);
        found.is_damaged = walked.is_none();
        found
    }

    /// Implements [`LiteralMatch::new`]. `None` where the image is damaged.
    ///
    /// In a genuine image nodes and tails are disjoint. So the bytes of those that are visited are paid from a budget, the bytes
    /// of the image: a damaged image cannot make them more.
    #[inline(always)]
    fn walk<W: Width>(
        &mut self,
        image: View<'_>,
        path: &Slice<'_>,
        first_match_wins: bool,
    ) -> Option<()> {
        let mut budget = image.bytes().len();
        let mut at = header::LEN;
        // The root stands for the `/` that every path begins with.
        let mut cursor = path.skip(path.start(), 1);
        let mut seen = cursor;
        loop {
            let node = image.node::<W>(at)?;
            let label_len = node.label_len();
            if label_len > 0 {
                seen = seen.max(cursor + label_len);
                if !path.continues(cursor, image.bytes(), node.label, label_len)? {
                    break;
                }
                cursor += label_len;
            }
            let key = path.word(cursor);
            if node.count > 0 {
                seen = seen.max(cursor + node::KEY);
                let (lows, highs) = image.keys(node.keys, node.count)?;
                let mut matching = simd::keys_of(key, lows, highs) & simd::low_bits(node.count);
                budget = budget.checked_sub(node.count * (node::KEY + 1 + W::LEN))?;
                self.steps += lows.len();
                while matching != 0 {
                    let number = matching.trailing_zeros() as usize;
                    matching &= matching - 1;
                    let flagged = *image.bytes().get(node.lens() + number)?;
                    let len = usize::from(flagged & !node::STAR);
                    budget = budget.checked_sub(len)?;
                    self.steps += 1 + len / simd::BLOCK;
                    let tail = cursor + node::KEY;
                    let text = node.text::<W>() + image.tails_before(&node, number)?;
                    seen = seen.max(tail + len);
                    if !path.continues(tail, image.bytes(), text, len)? {
                        continue;
                    }
                    let low = image.u32(node.keys + 4 * number)?;
                    let high = image.u32(node.keys + 4 * (node.count + number))?;
                    let key = u64::from(high) << 32 | u64::from(low);
                    let key_len = 8 - key.leading_zeros() / 8;
                    let star = u32::from(flagged / node::STAR);
                    let length = path.depth(cursor) as u32 + key_len + len as u32 + star;
                    let slot = image.width::<W>(node.slots() + number * W::LEN)?;
                    let rule = Winner::new(RuleRef(slot), length, first_match_wins);
                    if rule.priority > self.winner.priority {
                        self.winner = rule;
                    }
                }
            }
            if node.fan == 0 {
                break;
            }
            // A table of one entry is entered by every path.
            if node.fan > 1 {
                seen = seen.max(cursor + node::WINDOW);
                if path.rest(cursor) < node::WINDOW {
                    break;
                }
            }
            let next = image.width::<W>(node.entry::<W>(key as u32))? as usize;
            if next == 0 {
                break;
            }
            budget = budget.checked_sub(node::HEAD + label_len)?;
            self.steps += 1;
            // Nodes stand after those that lead to them: those of a damaged image end, too.
            if next <= at {
                return None;
            }
            at = next;
        }
        self.seen = path.before(seen);
        Some(())
    }
}
