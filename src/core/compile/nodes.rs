//! Writes the literal rules of an image: a hash trie of nodes.
//!
//! A *set* is a list of rules that share their first `depth` bytes. A set of up to 64 rules becomes one node, unless many of
//! its rules have the same key: a path with this key would be compared with each of their tails. Any other set with a common
//! prefix becomes a node whose label is this prefix. The root may have an empty label. The hash of the next four bytes splits
//! the set into buckets, and each bucket is a set again.
//!
//! Rules that start differently may have the same hash, so a bucket may have no common prefix. Then a vote looks for a large
//! *family* in the bucket: many rules with the same four bytes. If there is a family, it becomes a set below the node, and the
//! node holds all other rules of the bucket.
//!
//! Example: 100 rules `/shop/N/`, where N has four digits, become a root with the label `shop/`, and one node for each bucket.
//! Below the root, a node with a table of several entries has a label of at least one byte, and the node of a family has a label
//! of at least four bytes. So the trie is at most as deep as a path is long. Rules that cannot be split, such as rules with three
//! bytes after the label, become a chain of nodes.

use super::output::{Output, merge_equal};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{RawRule, RuleText};
use crate::bytes::simd;
use crate::bytes::try_alloc::zeros;
use crate::core::image::{NUMBER, hash, node};

/// The minimum average number of rules per bucket, if all windows of four bytes differ; the average is less than twice this
/// number. The keys of eight rules are four vectors.
const RULES_PER_BUCKET: usize = 8;

/// The minimum number of rules of a leaf (a node without a table) that gets a label. In a smaller leaf, comparing the label
/// costs more time than the label saves.
const MIN_LABELLED: usize = 8;

/// The minimum length of a leaf's label, in bytes. Comparing a shorter label costs more time than the label saves.
const MIN_LABEL: usize = 4;

/// The maximum number of rules that become one node without a count of equal keys. Without the count in larger sets, a check
/// against 50 rules below one folder took 245 ns more.
const MAX_UNEXAMINED: usize = 24;

/// In a node of more than [`MAX_UNEXAMINED`] rules: the maximum number of rules that have the same key as the rule before.
const MAX_EQUAL: usize = MAX_UNEXAMINED / 2;

pub(super) struct NodeWriter<'w, 'o, 't> {
    pub(super) text: RuleText<'t>,
    pub(super) dialect: Dialect,
    pub(super) out: &'w mut Output<'o>,
}

#[allow(
    clippy::indexing_slicing,
    reason = "ranges of a group add up to the group; lengths are those of the rules"
)]
impl<'t> NodeWriter<'_, '_, 't> {
    /// Writes the nodes of the rules that share their first `depth` bytes, each node before its children.
    pub(super) fn write(
        &mut self,
        rules: &mut [RawRule],
        depth: usize,
        is_root: bool,
    ) -> Result<(), Error> {
        let mut label: &[u8] = &[];
        if rules.len() >= MIN_LABELLED {
            label = self.common_prefix(rules, depth);
        }
        if self.is_too_many(rules, depth + label.len()) {
            if is_root || !label.is_empty() {
                return self.split(rules, depth, label, None);
            }
            // The hash of the parent's table already covered these bytes, so hashing them again would not split the rules.
            let family = self.largest_family(rules, depth);
            if family.is_some() {
                return self.split(rules, depth, label, family);
            }
        }
        if label.len() < MIN_LABEL {
            label = &[];
        }
        self.nodes(rules, depth, label, 0);
        Ok(())
    }

    /// Returns the longest common prefix of the rules after their first `depth` bytes.
    fn common_prefix(&self, rules: &[RawRule], depth: usize) -> &'t [u8] {
        let first = &rules[0];
        let max_len = (first.prefix_len() - depth).min(node::MAX_LABEL);
        let mut shared = 0;
        while shared < max_len {
            let word = self.word(first, depth + shared);
            // A word has zeros after the end of its path. No rule of a node has a zero byte, so a zero differs from each byte
            // of another path.
            let mut difference = 0;
            for rule in &rules[1..] {
                difference |= word ^ self.word(rule, depth + shared);
                if difference & 0xFF != 0 {
                    break;
                }
            }
            shared += difference.trailing_zeros() as usize / 8;
            if difference != 0 {
                break;
            }
        }
        &self.text.after(first.start as usize + depth)[..shared.min(max_len)]
    }

    /// Returns whether there are too many rules for one node, or too many equal keys after the first `depth` bytes.
    fn is_too_many(&self, rules: &[RawRule], depth: usize) -> bool {
        if rules.len() <= MAX_UNEXAMINED || rules.len() > node::MAX_RULES {
            return rules.len() > MAX_UNEXAMINED;
        }
        // Rules with the same key are mostly adjacent in a file.
        let mut equal = 0;
        let mut last = 0;
        for rule in rules {
            let key = self.word(rule, depth);
            equal += usize::from(key == last);
            last = key;
        }
        equal > MAX_EQUAL
    }

    /// Returns the window of four bytes that more than [`MAX_EQUAL`] rules have; `None` if there is none, or if the vote does
    /// not find it.
    ///
    /// The windows are counted by a hash of one byte. Among the windows with the most frequent hash, the majority vote of Boyer
    /// and Moore finds the window that more than half of these rules have.
    #[cold]
    fn largest_family(&self, rules: &[RawRule], depth: usize) -> Option<u32> {
        let windows = || rules.iter().map(|rule| self.word(rule, depth) as u32);
        // This hash is not the hash of the table, because all these windows have the same hash there.
        let number = |window: u32| {
            usize::from(((window ^ window >> 15).wrapping_mul(0x85EB_CA6B) >> 24) as u8)
        };
        let mut counts = [0_u32; 256];
        windows().for_each(|window| counts[number(window)] += 1);
        let most = counts.iter().max();
        let counted = |window: &u32| Some(&counts[number(*window)]) == most;
        let (mut family, mut lead) = (0, 0);
        for window in windows().filter(counted) {
            if lead == 0 {
                family = window;
            }
            lead += if window == family { 1 } else { -1 };
        }
        let size = windows().filter(|window| *window == family).count();
        (size > MAX_EQUAL).then_some(family)
    }

    /// Returns the eight bytes of a rule from `depth` on, with zeros after the end of its path.
    #[inline(always)]
    fn word(&self, rule: &RawRule, depth: usize) -> u64 {
        let len = rule.prefix_len().saturating_sub(depth);
        let bytes = self
            .text
            .after(rule.start as usize + depth.min(rule.prefix_len()));
        simd::first_word(bytes) & simd::low_bytes(len)
    }

    /// Splits a set by the hash of the four bytes after its label. Rules without four bytes after the label stay in the set's
    /// node. If `family` is a window, the rules with this window are the only bucket, and all other rules stay in the node.
    fn split(
        &mut self,
        rules: &mut [RawRule],
        depth: usize,
        label: &[u8],
        family: Option<u32>,
    ) -> Result<(), Error> {
        let below = depth + label.len();
        let bits = (rules.len() / RULES_PER_BUCKET).ilog2();
        let bits = match family {
            None => bits.clamp(1, u32::from(node::MAX_FAN) - 1),
            Some(_) => 0,
        };
        let mut ends: Vec<u32> = zeros((1 << bits) + 1)?;
        let mut buckets: Vec<u16> = zeros(rules.len())?;
        for (rule, bucket) in rules.iter().zip(&mut buckets) {
            let window = self.word(rule, below) as u32;
            let is_long = rule.prefix_len() >= below + node::WINDOW;
            if is_long && family.is_none_or(|family| family == window) {
                *bucket = 1 + hash(window, bits) as u16;
            }
            ends[usize::from(*bucket)] += 1;
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        sort_by_bucket(rules, &mut buckets, &ends)?;
        let own = ends[0] as usize;
        let fan = if own < rules.len() { bits as u8 + 1 } else { 0 };
        let table = self.nodes(&mut rules[..own], depth, label, fan);
        for bucket in 0..node::entries(fan) {
            let group = ends[bucket] as usize..ends[bucket + 1] as usize;
            if !group.is_empty() {
                self.out.set_number(table + bucket * NUMBER, self.out.end());
                self.write(&mut rules[group], below, false)?;
            }
        }
        Ok(())
    }

    /// Writes a node with an empty table of the given `fan`. If there are more than 64 rules, writes a chain of nodes, whose
    /// last node has this table. Returns the table's offset.
    fn nodes(&mut self, rules: &mut [RawRule], depth: usize, label: &[u8], fan: u8) -> usize {
        let mut count = rules.len();
        if count > node::MAX_RULES {
            count = merge_equal(rules, self.text, self.dialect);
        }
        let (mut rules, mut label, mut depth) = (&rules[..count], label, depth);
        while rules.len() > node::MAX_RULES {
            let (some, others) = rules.split_at(node::MAX_RULES);
            let table = self.node(some, depth, label, 1);
            self.out.set_number(table, self.out.end());
            depth += label.len();
            (rules, label) = (others, &[]);
        }
        self.node(rules, depth, label, fan)
    }

    /// Writes a node with an empty table. Returns the table's offset.
    #[inline]
    fn node(&mut self, rules: &[RawRule], depth: usize, label: &[u8], fan: u8) -> usize {
        let count = rules.len();
        let depth = depth + label.len();
        self.out.bytes(&[fan, label.len() as u8, count as u8]);
        self.out.bytes(label);
        let table = self.out.end();
        self.out.zeros(node::entries(fan) * NUMBER);
        let text = self.text;
        let columns = self.out.room(count * (node::KEY + 1 + NUMBER));
        let (lows, columns) = columns.split_at_mut(4 * count);
        let (highs, columns) = columns.split_at_mut(4 * count);
        let (lens, references) = columns.split_at_mut(count);
        let lows = lows.chunks_exact_mut(4).zip(highs.chunks_exact_mut(4));
        let lens = lens.iter_mut().zip(references.chunks_exact_mut(NUMBER));
        for ((rule, (low, high)), (tail, reference)) in rules.iter().zip(lows).zip(lens) {
            let len = rule.prefix_len() - depth;
            let bytes = text.after(rule.start as usize + depth);
            let word = simd::first_word(bytes) & simd::low_bytes(len);
            low.copy_from_slice(&(word as u32).to_le_bytes());
            high.copy_from_slice(&((word >> 32) as u32).to_le_bytes());
            reference.copy_from_slice(&rule.rule.0.to_le_bytes());
            let star = (rule.len as usize - rule.prefix_len()) as u8 * node::THEN_STAR;
            *tail = len.saturating_sub(node::KEY) as u8 | star;
        }
        for rule in rules {
            let len = (rule.prefix_len() - depth).saturating_sub(node::KEY);
            if len > 0 {
                let tail = text.after(rule.start as usize + depth + node::KEY);
                self.out.copy(tail, len);
            }
        }
        table
    }
}

/// Sorts the rules by their buckets, in place (American flag sort). While a bucket is not full, the rule at the bucket's next
/// place is swapped to the next place of the rule's own bucket. `ends`: the end of each bucket.
#[allow(
    clippy::indexing_slicing,
    reason = "every rule has a place in its bucket"
)]
fn sort_by_bucket(rules: &mut [RawRule], buckets: &mut [u16], ends: &[u32]) -> Result<(), Error> {
    let mut next: Vec<u32> = zeros(ends.len())?;
    next[1..].copy_from_slice(&ends[..ends.len() - 1]);
    for bucket in 0..ends.len() {
        while next[bucket] < ends[bucket] {
            let at = next[bucket] as usize;
            let other = usize::from(buckets[at]);
            let place = next[other] as usize;
            rules.swap(at, place);
            buckets.swap(at, place);
            next[other] += 1;
        }
    }
    Ok(())
}
