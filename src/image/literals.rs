//! Deals the literal rules to the nodes of an image, and writes these.
//!
//! Rules are not sorted. Those of a group that is too large for one node are dealt to the buckets of a hash table by the four
//! bytes after their common prefix; each bucket is a group of its own. A group whose rules a hash cannot separate becomes
//! a chain of nodes.

use super::writer::{BuildFailure, ImageWriter, fit};
use super::{Width, hash, node};
use crate::image::pattern::Patterns;

/// A group of more rules is split, unless a hash cannot separate them.
const SPLIT: usize = 32;

/// How many rules a bucket gets on average, if all windows differ.
const RULES_PER_BUCKET: usize = 8;

/// The literal rules of an image.
pub(crate) struct Literals<'t> {
    patterns: &'t Patterns<'t>,
    /// Their numbers. The rules of a group stand together.
    rules: Vec<u32>,
    /// Room for as many: the numbers while they are dealt, and their buckets.
    dealt: Vec<u32>,
    buckets: Vec<u32>,
    /// Where each bucket starts.
    starts: Vec<u32>,
}

/// Rules that share the bytes before `depth`, to be written.
struct RuleSpan {
    /// Its rules: from `first` up to `end`.
    first: usize,
    end: usize,
    depth: usize,
    /// Where the offset of its node is to be written; `None` for the root.
    patch: Option<usize>,
}

impl<'t> Literals<'t> {
    /// `rules`: the numbers of the literal rules.
    pub(crate) fn new(patterns: &'t Patterns<'t>, rules: Vec<u32>) -> Literals<'t> {
        Literals {
            patterns,
            rules,
            dealt: Vec::new(),
            buckets: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Writes all nodes, each before those below it.
    pub(crate) fn write<W: Width>(&mut self, out: &mut ImageWriter<W>) -> Result<(), BuildFailure> {
        let mut pending = Vec::new();
        let mut next = Some(RuleSpan {
            first: 0,
            end: self.rules.len(),
            depth: 1,
            patch: None,
        });
        while let Some(group) = next {
            self.write_group(&group, out, &mut pending)?;
            next = pending.pop();
        }
        Ok(())
    }

    fn group(&self, first: usize, end: usize) -> Result<&[u32], BuildFailure> {
        self.rules.get(first..end).ok_or(BuildFailure::Defect)
    }

    /// Writes the node of a group, and puts those below it on the stack.
    fn write_group<W: Width>(
        &mut self,
        group: &RuleSpan,
        out: &mut ImageWriter<W>,
        pending: &mut Vec<RuleSpan>,
    ) -> Result<(), BuildFailure> {
        if let Some(patch) = group.patch {
            out.patch(patch, out.offset()?)?;
        }
        let rules = self.group(group.first, group.end)?;
        let mut label = self.common_prefix(rules, group.depth)?;
        // A hash that did not separate these rules does not separate them again.
        let is_split = rules.len() > SPLIT && (label > 0 || group.patch.is_none());
        if !is_split && label < MIN_LABEL {
            label = 0;
        }
        let depth = group.depth + label;
        let patterns = self.patterns;
        let mut label = match rules.first() {
            Some(rule) if label > 0 => {
                let prefix = patterns.prefix(*rule)?;
                prefix.get(group.depth..depth).ok_or(BuildFailure::Defect)?
            }
            _ => &[],
        };
        let (own, fan) = if is_split {
            self.deal(group.first, group.end, depth)?
        } else {
            (rules.len(), 0)
        };
        let mut own = self.group(group.first, group.first + own)?;
        while let Some((some, others)) = own.split_at_checked(node::MAX_RULES) {
            if others.is_empty() {
                break;
            }
            let table = self.write_node(some, depth, label, 1, out)?;
            out.patch(table, out.offset()?)?;
            (own, label) = (others, &[]);
        }
        let table = self.write_node(own, depth, label, fan, out)?;
        for bucket in (0..node::entries(fan)).rev() {
            let bounds = self.starts.get(bucket..).and_then(<[u32]>::first_chunk);
            let [start, end] = *bounds.ok_or(BuildFailure::Defect)?;
            if start < end {
                pending.try_reserve(1).map_err(|_| BuildFailure::Memory)?;
                pending.push(RuleSpan {
                    first: group.first + start as usize,
                    end: group.first + end as usize,
                    depth,
                    patch: Some(table + bucket * W::LEN),
                });
            }
        }
        Ok(())
    }

    /// How many bytes after the first `depth` all rules have in common.
    fn common_prefix(&self, rules: &[u32], depth: usize) -> Result<usize, BuildFailure> {
        let Some((first, others @ [_, ..])) = rules.split_first() else {
            return Ok(0);
        };
        let first = self.patterns.literal(*first)?;
        let most = first.len.saturating_sub(depth).min(node::MAX_LABEL);
        let mut shared = 0;
        while shared < most {
            let (word, _) = first.word(depth + shared);
            // A path that ends is zero from there on, which no byte of another is.
            let mut difference = 0;
            for rule in others {
                let (other, _) = self.patterns.literal(*rule)?.word(depth + shared);
                difference |= word ^ other;
                if difference & 0xFF != 0 {
                    break;
                }
            }
            shared += difference.trailing_zeros() as usize / 8;
            if difference != 0 {
                break;
            }
        }
        Ok(shared.min(most))
    }

    /// Brings the rules too short for a window to the front and the others in the order of their buckets. Returns how many are
    /// too short, and the fan of the table.
    fn deal(
        &mut self,
        first: usize,
        end: usize,
        depth: usize,
    ) -> Result<(usize, u8), BuildFailure> {
        let rules = self.rules.get_mut(first..end).ok_or(BuildFailure::Defect)?;
        let bits = (rules.len() / RULES_PER_BUCKET).ilog2();
        let bits = bits.clamp(1, u32::from(node::MAX_FAN) - 1);
        resize(&mut self.starts, (1 << bits) + 2)?;
        resize(&mut self.buckets, rules.len())?;
        resize(&mut self.dealt, rules.len())?;
        self.starts.fill(0);
        for (rule, place) in rules.iter().zip(&mut self.buckets) {
            let (word, len) = self.patterns.literal(*rule)?.word(depth);
            let bucket = if len < node::WINDOW {
                0
            } else {
                1 + hash(word as u32, bits)
            };
            *place = bucket as u32;
            *self
                .starts
                .get_mut(bucket + 1)
                .ok_or(BuildFailure::Defect)? += 1;
        }
        let short = self.starts.get(1).copied().unwrap_or(0);
        let mut start = 0;
        for count in &mut self.starts {
            start += *count;
            *count = start;
        }
        for (rule, bucket) in rules.iter().zip(&self.buckets) {
            let place = self.starts.get_mut(*bucket as usize);
            let place = place.ok_or(BuildFailure::Defect)?;
            let to = self.dealt.get_mut(*place as usize);
            *to.ok_or(BuildFailure::Defect)? = *rule;
            *place += 1;
        }
        rules.copy_from_slice(&self.dealt);
        // Each start has become the end of its bucket: the start of the next.
        Ok((short as usize, bits as u8 + 1))
    }

    /// Writes a node with an empty table; returns where the table is. `depth`: the bytes before the keys.
    #[inline]
    fn write_node<W: Width>(
        &self,
        rules: &[u32],
        depth: usize,
        label: &[u8],
        fan: u8,
        out: &mut ImageWriter<W>,
    ) -> Result<usize, BuildFailure> {
        let count = rules.len();
        out.bytes(&[fan, label.len() as u8, count as u8])?;
        out.bytes(label)?;
        let table = out.end();
        out.zeros(node::entries(fan) * W::LEN)?;
        if count == 0 {
            return Ok(table);
        }
        let mut texts = 0;
        for rule in rules {
            texts += self
                .patterns
                .literal(*rule)?
                .len
                .saturating_sub(depth + node::KEY);
        }
        let columns = count * (node::KEY + 1 + W::LEN);
        let room = out.room(columns + texts)?;
        let (columns, text) = split(room, columns)?;
        let (lows, columns) = split(columns, 4 * count)?;
        let (highs, columns) = split(columns, 4 * count)?;
        let (lens, slots) = split(columns, count)?;
        let lows = lows.chunks_exact_mut(4);
        let highs = highs.chunks_exact_mut(4);
        let slots = slots.chunks_exact_mut(W::LEN);
        let mut at = 0;
        for ((((rule, low), high), tail_len), slot) in
            rules.iter().zip(lows).zip(highs).zip(lens).zip(slots)
        {
            let rule = self.patterns.literal(*rule)?;
            let (word, len) = rule.word(depth);
            low.copy_from_slice(&(word as u32).to_le_bytes());
            high.copy_from_slice(&((word >> 32) as u32).to_le_bytes());
            let star = if rule.has_star { node::STAR } else { 0 };
            let bytes = fit::<W>(rule.rule.0 as usize)?.to_le_bytes();
            slot.copy_from_slice(bytes.get(..W::LEN).ok_or(BuildFailure::Defect)?);
            let len = len.saturating_sub(node::KEY);
            *tail_len = len as u8 | star;
            if len > 0 {
                let tail = rule.source.get(depth + node::KEY..);
                copy(text.get_mut(at..), tail, len).ok_or(BuildFailure::Defect)?;
                at += len;
            }
        }
        Ok(table)
    }
}

/// A leaf has a label of at least this length: a shorter one costs more time than its bytes save.
const MIN_LABEL: usize = 4;

/// The bytes that are copied at once.
const COPIED: usize = 16;

fn split(room: &mut [u8], at: usize) -> Result<(&mut [u8], &mut [u8]), BuildFailure> {
    room.split_at_mut_checked(at).ok_or(BuildFailure::Defect)
}

/// Copies `len` bytes. Up to [`ImageWriter::SLACK`] bytes after them are overwritten with anything.
#[inline(always)]
fn copy(to: Option<&mut [u8]>, from: Option<&[u8]>, len: usize) -> Option<()> {
    let (to, from) = (to?, from?);
    let mut at = 0;
    while at < len {
        let place = to.get_mut(at..)?;
        match from.get(at..)?.first_chunk::<COPIED>() {
            Some(bytes) => *place.first_chunk_mut()? = *bytes,
            None => {
                let place = place.get_mut(..len - at)?;
                place.copy_from_slice(from.get(at..len)?);
            }
        }
        at += COPIED;
    }
    Some(())
}

fn resize(numbers: &mut Vec<u32>, len: usize) -> Result<(), BuildFailure> {
    let more = len.saturating_sub(numbers.len());
    numbers
        .try_reserve_exact(more)
        .map_err(|_| BuildFailure::Memory)?;
    numbers.resize(len, 0);
    Ok(())
}
