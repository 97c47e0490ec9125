//! The radix tree over the literal starts of the rules: sorted, cut into nodes, written.

use super::wildcard_list::ListWriter;
use super::writer::{BuildFailure, ImageWriter};
use super::{Fields, Width, node};
use crate::image::pattern::{Pattern, Patterns, Tail};
use crate::rule::Priority;
use crate::util::simd;

/// A pattern in its sorting place.
#[derive(Clone, Copy)]
struct Item {
    /// While they are sorted, eight bytes of the literal start as a number, zeros after its end; then
    /// how many bytes the literal start has in common with the one before.
    key: u64,
    /// The number of the pattern.
    pattern: u32,
}

/// The patterns in the order of their literal starts.
pub(crate) struct Tree<'t> {
    patterns: &'t Patterns<'t>,
    items: Vec<Item>,
}

/// A node still to be written.
struct Pending {
    /// The items below it: from `first` up to `end`.
    first: usize,
    end: usize,
    /// Bytes on the way to it, its own first byte included.
    depth: usize,
    /// Where its parent keeps its offset.
    patch: usize,
    /// The highest priority of the rules that match wherever the parent is reached.
    bound: Priority,
    /// The nearest list up the tree.
    list: u32,
}

/// The rules whose literal start ends at a node, without those that can never win.
struct Own {
    fields: Fields,
    /// The highest priority of the rules that match wherever this node is reached.
    bound: Priority,
}

impl<'t> Tree<'t> {
    /// Sorts the patterns. Their literal starts are empty or begin with `/`.
    pub(crate) fn new(patterns: &'t Patterns<'t>) -> Result<Self, BuildFailure> {
        let mut items = Vec::new();
        items
            .try_reserve_exact(patterns.len())
            .map_err(|_| BuildFailure::Memory)?;
        for pattern in 0..patterns.len() as u32 {
            items.push(Item {
                key: key(patterns.prefix(pattern)?, 1),
                pattern,
            });
        }
        sort(patterns, &mut items)?;
        let mut before: &[u8] = &[];
        for item in &mut items {
            let prefix = patterns.prefix(item.pattern)?;
            // All but empty ones begin with the same `/`.
            item.key = 1 + common_prefix(before, prefix, 1) as u64;
            before = prefix;
        }
        Ok(Tree { patterns, items })
    }

    pub(crate) fn write<W: Width>(&self, out: &mut ImageWriter<W>) -> Result<(), BuildFailure> {
        let mut pending = Vec::new();
        pending.try_reserve(16).map_err(|_| BuildFailure::Memory)?;
        let mut members = Vec::new();
        self.write_root(out, &mut pending, &mut members)?;
        while let Some(next) = pending.pop() {
            self.write_node(&next, out, &mut pending, &mut members)?;
        }
        Ok(())
    }

    /// The items from `first` to `end`.
    #[inline]
    fn items(&self, first: usize, end: usize) -> Result<&[Item], BuildFailure> {
        self.items.get(first..end).ok_or(BuildFailure::Defect)
    }

    /// How many items at the start of `items` have a literal start of at most `len` bytes.
    #[inline]
    fn count_up_to(&self, items: &[Item], len: usize) -> Result<usize, BuildFailure> {
        for (count, item) in items.iter().enumerate() {
            if self.patterns.prefix_len(item.pattern)? > len {
                return Ok(count);
            }
        }
        Ok(items.len())
    }

    /// How many rules at the start of `members` have a literal start of at most `len` bytes.
    fn count_members_up_to(&self, members: &[u32], len: usize) -> Result<usize, BuildFailure> {
        for (count, rule) in members.iter().enumerate() {
            if self.patterns.prefix_len(*rule)? > len {
                return Ok(count);
            }
        }
        Ok(members.len())
    }

    /// The root stands for `/`. Of its wildcard rules those that begin with one have a list of
    /// their own.
    fn write_root<W: Width>(
        &self,
        out: &mut ImageWriter<W>,
        pending: &mut Vec<Pending>,
        members: &mut Vec<u32>,
    ) -> Result<(), BuildFailure> {
        let own_len = self.count_up_to(&self.items, 1)?;
        let own = self.items(0, own_len)?;
        let own = self.own_rules(own, 1, Priority::NONE, members)?;
        self.push_children(own_len, self.items.len(), 1, own.bound, pending)?;
        out.reserve(4 * W::LEN + 2 + pending.len() * (1 + W::LEN))?;
        let fields = out.end();
        out.fields(&own.fields, 3)?;
        out.put((pending.len() as u16).to_le_bytes());
        self.write_children(out, pending)?;
        let mut list = 0;
        let first_len = self.count_members_up_to(members, 0)?;
        let (first, second) = members
            .split_at_checked(first_len)
            .ok_or(BuildFailure::Defect)?;
        for (depth, rules) in [(0, first), (1, second)] {
            if !rules.is_empty() {
                list = self.write_list(depth, list, rules, out)?;
            }
        }
        out.patch(fields + 3 * W::LEN, list)?;
        finish_children(pending, list);
        Ok(())
    }

    fn write_node<W: Width>(
        &self,
        at: &Pending,
        out: &mut ImageWriter<W>,
        pending: &mut Vec<Pending>,
        members: &mut Vec<u32>,
    ) -> Result<(), BuildFailure> {
        let items = self.items(at.first, at.end)?;
        // An offset that does not fit shows even where none is written.
        out.patch(at.patch, out.offset()?)?;
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            return Err(BuildFailure::Defect);
        };
        if items.len() == 1 && self.write_leaf(&self.patterns.get(first.pattern)?, at, out)? {
            return Ok(());
        }
        let first = self.patterns.prefix(first.pattern)?;
        let last = self.patterns.prefix(last.pattern)?;
        let most = at.depth + node::MAX_LABEL;
        let depth = if items.len() < 2 {
            first.len().min(most)
        } else {
            // No further than a label reaches, or each node of a long way would examine all that is left of it.
            let label = |prefix: &'t [u8]| prefix.get(..most).unwrap_or(prefix);
            at.depth + common_prefix(label(first), label(last), at.depth)
        };
        let label = first.get(at.depth..depth).ok_or(BuildFailure::Defect)?;
        let own_len = self.count_up_to(items, depth)?;
        let own = items.get(..own_len).ok_or(BuildFailure::Defect)?;
        let own = self.own_rules(own, depth, at.bound, members)?;
        let above = pending.len();
        self.push_children(at.first + own_len, at.end, depth, own.bound, pending)?;
        let children = pending.get_mut(above..).ok_or(BuildFailure::Defect)?;

        let kind = match own.fields {
            _ if !members.is_empty() => 3,
            Fields { exact: 1.., .. } => 3,
            Fields { extra: 1.., .. } => 2,
            Fields { slot: 1.., .. } => 1,
            _ => 0,
        };
        out.reserve(MOST_OF_A_NODE + label.len() + children.len() * (1 + W::LEN))?;
        out.head(kind, label.len(), children.len());
        out.label(label);
        let fields = out.end();
        out.fields(&own.fields, kind)?;
        self.write_children(out, children)?;
        let mut list = at.list;
        if !members.is_empty() {
            list = self.write_list(depth, at.list, members, out)?;
            out.patch(fields + 3 * W::LEN, list)?;
        }
        finish_children(children, list);
        Ok(())
    }

    /// Writes the node of a single rule, as most are; false if it is none of the simple ones.
    #[inline]
    fn write_leaf<W: Width>(
        &self,
        rule: &Pattern<'_>,
        at: &Pending,
        out: &mut ImageWriter<W>,
    ) -> Result<bool, BuildFailure> {
        let label = rule.prefix().get(at.depth..).ok_or(BuildFailure::Defect)?;
        if rule.tail != Tail::Open || label.len() > node::MAX_LABEL {
            return Ok(false);
        }
        let extra = rule.length - rule.prefix_len;
        // One that never wins says nothing; its place in the tree is taken all the same.
        let kind = if rule.priority(self.patterns.dialect) <= at.bound {
            0
        } else {
            1 + usize::from(extra != 0)
        };
        out.reserve(MOST_OF_A_NODE + label.len())?;
        out.head(kind, label.len(), 0);
        out.label(label);
        let fields = Fields {
            slot: rule.rule.0,
            extra,
            ..Fields::NONE
        };
        out.fields(&fields, kind)?;
        Ok(true)
    }

    /// The children of a node at `depth`: the items from `first` to `end`, in runs of the same byte.
    #[inline]
    fn push_children(
        &self,
        first: usize,
        end: usize,
        depth: usize,
        bound: Priority,
        pending: &mut Vec<Pending>,
    ) -> Result<(), BuildFailure> {
        let items = self.items(first, end)?;
        let mut run = first;
        let behind = items.iter().skip(1).map(|item| item.key).chain([0]);
        for (shared, next) in behind.zip(first + 1..) {
            if shared > depth as u64 || items.is_empty() {
                continue;
            }
            pending.try_reserve(1).map_err(|_| BuildFailure::Memory)?;
            pending.push(Pending {
                first: run,
                end: next,
                depth: depth + 1,
                patch: 0,
                bound,
                list: 0,
            });
            run = next;
        }
        Ok(())
    }

    /// The first bytes of the children, and room for their offsets.
    #[inline]
    fn write_children<W: Width>(
        &self,
        out: &mut ImageWriter<W>,
        children: &mut [Pending],
    ) -> Result<(), BuildFailure> {
        for child in children.iter() {
            let item = self.items.get(child.first).ok_or(BuildFailure::Defect)?;
            let prefix = self.patterns.prefix(item.pattern)?;
            out.put([*prefix.get(child.depth - 1).ok_or(BuildFailure::Defect)?]);
        }
        for child in children.iter_mut() {
            child.patch = out.end();
            out.zeros(W::LEN)?;
        }
        Ok(())
    }

    fn write_list<W: Width>(
        &self,
        depth: usize,
        next: u32,
        rules: &[u32],
        out: &mut ImageWriter<W>,
    ) -> Result<u32, BuildFailure> {
        let list = out.offset()?;
        ListWriter {
            patterns: self.patterns,
            depth,
            next,
            rules,
        }
        .write(out)?;
        Ok(list)
    }

    /// Sorts out the rules whose literal start ends at a node; wildcard rules go to
    /// `members`, in order of priority. What an always matching rule beats is left out.
    #[inline]
    fn own_rules(
        &self,
        items: &[Item],
        depth: usize,
        bound: Priority,
        members: &mut Vec<u32>,
    ) -> Result<Own, BuildFailure> {
        members.clear();
        let mut own = Own {
            fields: Fields::NONE,
            bound,
        };
        let mut end = Priority::NONE;
        for item in items {
            let pattern = self.patterns.get(item.pattern)?;
            let priority = pattern.priority(self.patterns.dialect);
            match pattern.tail {
                Tail::Open if priority > own.bound => {
                    own.bound = priority;
                    own.fields.slot = pattern.rule.0;
                    own.fields.extra = pattern.length - depth as u32;
                }
                Tail::Open => {}
                Tail::End if priority > end => {
                    end = priority;
                    own.fields.exact = pattern.rule.0;
                }
                Tail::End => {}
                Tail::Wild | Tail::WildEnd => {
                    if members.len() == members.capacity() {
                        let room = members.try_reserve_exact(items.len() - members.len());
                        room.map_err(|_| BuildFailure::Memory)?;
                    }
                    members.push(item.pattern);
                }
            }
        }
        if end <= own.bound {
            own.fields.exact = 0;
        }
        if !members.is_empty() {
            // Every number is one of a pattern: it was just read. Only the root has literal starts of two lengths.
            let of_rule = |rule: &u32| {
                let pattern = self.patterns.get(*rule).ok()?;
                let priority = pattern.priority(self.patterns.dialect);
                Some((pattern.prefix_len, priority))
            };
            members.retain(|rule| of_rule(rule).is_some_and(|(_, priority)| priority > own.bound));
            members.sort_unstable_by_key(|rule| {
                of_rule(rule).map(|(len, priority)| (len, core::cmp::Reverse(priority)))
            });
        }
        Ok(own)
    }
}

/// The bytes of a node without its label and its children, with some to spare.
const MOST_OF_A_NODE: usize = 48;

/// Tells the children of their list, and puts them in the order in which they are taken: the last is
/// taken first.
fn finish_children(children: &mut [Pending], list: u32) {
    children.iter_mut().for_each(|child| child.list = list);
    children.reverse();
}

/// Sorts by the bytes of the literal starts: by eight of them at a time, as numbers, and by the
/// next eight only what those leave undecided.
fn sort(patterns: &Patterns<'_>, items: &mut [Item]) -> Result<(), BuildFailure> {
    // What is still to be sorted: from, up to, and by the bytes after how many. All literal starts
    // but empty ones begin with the same `/`, and their keys hold the bytes after it.
    let mut undecided = Vec::new();
    let mut next = Some((0, items.len(), 1));
    while let Some((first, end, depth)) = next {
        let items = items.get_mut(first..end).ok_or(BuildFailure::Defect)?;
        items.sort_unstable_by_key(|item| item.key);
        let mut run = first;
        for same in items.chunk_by_mut(|a, b| a.key == b.key) {
            if same.len() > 1 {
                let from = depth + KEY;
                // Starts that end within the key, where zeros fill it, come first, the shorter before.
                let len = |item: &Item| patterns.prefix_len(item.pattern).unwrap_or(0);
                same.sort_unstable_by_key(|item| len(item).min(from + 1));
                let ended = same.partition_point(|item| len(item) <= from);
                if ended + 1 < same.len() {
                    let longer = same.get_mut(ended..).ok_or(BuildFailure::Defect)?;
                    for item in longer {
                        item.key = key(patterns.prefix(item.pattern)?, from);
                    }
                    undecided.try_reserve(1).map_err(|_| BuildFailure::Memory)?;
                    undecided.push((run + ended, run + same.len(), from));
                }
            }
            run += same.len();
        }
        next = undecided.pop();
    }
    Ok(())
}

/// The bytes of a key.
const KEY: usize = 8;

/// The bytes from `depth` on as a number that sorts as they do.
#[inline]
fn key(bytes: &[u8], depth: usize) -> u64 {
    let bytes = bytes.get(depth..).unwrap_or_default();
    match bytes.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => simd::fewer(bytes).swap_bytes(),
    }
}

/// How many bytes after the first `from` both have in common, those being the same.
#[inline]
fn common_prefix(a: &[u8], b: &[u8], from: usize) -> usize {
    let len = a.len().min(b.len());
    let (Some(a), Some(b)) = (a.get(from..len), b.get(from..len)) else {
        return 0;
    };
    let mut shared = 0;
    while let (Some(a), Some(b)) = (first_word(a, shared), first_word(b, shared)) {
        if a != b {
            return shared + (a ^ b).trailing_zeros() as usize / 8;
        }
        shared += KEY;
    }
    let rest = |bytes: &[u8]| simd::fewer(bytes.get(shared..).unwrap_or_default());
    let difference = rest(a) ^ rest(b);
    // Behind the shorter one both are zero.
    (shared + difference.trailing_zeros() as usize / 8).min(a.len())
}

#[inline(always)]
fn first_word(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}
