//! Finds the literal rule with the highest priority: a walk through the hash trie of an image.
//!
//! The walk has a cursor into the path. At each node, the label must equal the path's bytes at the cursor. Vector operations
//! compare the eight bytes after the label with the keys of all rules of the node. For each rule whose key matches, the tail is
//! compared next. The hash of the four bytes after the label selects the next node. Example: the root has the label `shop/` and
//! a rule with the key `1`. The zeros after the `1` in the key match any bytes, so this rule, `/shop/1`, matches the path
//! `/shop/12`.

use super::meter::Meter;
use crate::base::rule::{Priority, RuleRef, Winner};
use crate::bytes::simd;
use crate::core::image::{NUMBER, View, header, node};
use crate::url::path::UrlPath;

pub(super) struct LiteralMatch {
    pub(super) winner: Winner,
    /// Length of the path prefix that was examined. Later bytes of the path cannot change the winner.
    pub(super) seen: usize,
}

/// Matches the literal rules; `None` if the image is damaged.
#[inline(always)]
pub(super) fn find(
    image: View<'_>,
    path: &UrlPath<'_>,
    first_match_wins: bool,
    meter: &mut Meter,
) -> Option<LiteralMatch> {
    let mut winner = Winner::NONE;
    let mut at = header::LEN;
    // The root stands for the `/` at the start of every path, so the walk starts after it.
    let mut cursor = path.start + 1;
    let mut seen = cursor;
    loop {
        let node = image.node(at)?;
        let label_len = node.label_len();
        // Here the visit pays for all except the tails. A tail is paid for when it is compared.
        meter.pay(node.text() - at)?;
        meter.count(1);
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
            meter.count(lows.len());
            while matching != 0 {
                let number = matching.trailing_zeros() as usize;
                matching &= matching - 1;
                let flagged = *image.bytes().get(node.lens() + number)?;
                let len = usize::from(flagged & !node::THEN_STAR);
                meter.pay(len)?;
                meter.count(1 + len / simd::BLOCK);
                let tail = cursor + node::KEY;
                let text = node.text() + image.tails_before(&node, number)?;
                seen = seen.max(tail + len);
                if !path.continues(tail, image.bytes(), text, len)? {
                    continue;
                }
                let low = image.u32(node.keys + 4 * number)?;
                let high = image.u32(node.keys + 4 * (node.count + number))?;
                let key = u64::from(high) << 32 | u64::from(low);
                let key_len = 8 - key.leading_zeros() / 8;
                let star = u32::from(flagged / node::THEN_STAR);
                let length = (cursor - path.start) as u32 + key_len + len as u32 + star;
                let rule = RuleRef(image.u32(node.rules() + number * NUMBER)?);
                winner.offer(rule, Priority::new(rule, length, first_match_wins));
            }
        }
        if node.fan == 0 {
            break;
        }
        // If a table has one entry, every path takes this entry.
        if node.fan > 1 {
            seen = seen.max(cursor + node::WINDOW);
            if path.rest(cursor) < node::WINDOW {
                break;
            }
        }
        let next = image.u32(node.entry(key as u32))? as usize;
        if next == 0 {
            break;
        }
        // In a valid image every node follows its parent. This test ends the walk through an image that is not valid.
        if next <= at {
            return None;
        }
        at = next;
    }
    Some(LiteralMatch {
        winner,
        seen: seen.min(path.end) - path.start,
    })
}
