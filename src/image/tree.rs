//! The prefix tree over the literal starts of the rules: sorted, cut into nodes, written.

use super::wildcard_list::ListWriter;
use super::writer::{Failure, ImageWriter};
use super::{Fields, Width, node};
use crate::dialect::Dialect;
use crate::image::pattern::{Pattern, Tail};
use crate::rule::Priority;
use crate::util::simd;

/// A pattern in its sorting place.
#[derive(Clone, Copy)]
struct Item<'t> {
    /// While they are sorted, eight octets of the literal start as a number, zeros behind its end; then
    /// how many octets the literal start has in common with the one before.
    key: u64,
    pattern: Pattern<'t>,
}

/// The patterns in the order of their literal starts.
pub(crate) struct Tree<'t> {
    items: Vec<Item<'t>>,
    dialect: Dialect,
}

/// A node still to be written.
struct Pending {
    /// The items below it: from `first` up to `end`.
    first: usize,
    end: usize,
    /// Octets on the way to it, its own first octet included.
    depth: usize,
    /// Where its parent keeps its offset.
    patch: usize,
    /// Of the strongest rule that matches wherever the parent is reached.
    bound: Priority,
    /// The nearest list up the tree.
    list: u32,
}

/// The rules whose literal start ends at a node, without those that can never win.
struct Own {
    fields: Fields,
    /// Of the strongest rule that matches wherever this node is reached.
    bound: Priority,
}

impl<'t> Tree<'t> {
    /// A tree of at most `most` patterns.
    pub(crate) fn new(most: usize, dialect: Dialect) -> Result<Self, Failure> {
        let mut items = Vec::new();
        items.try_reserve_exact(most).map_err(|_| Failure::Memory)?;
        Ok(Tree { items, dialect })
    }

    /// Adds a pattern whose literal start is empty or begins with `/`.
    #[inline]
    pub(crate) fn add(&mut self, pattern: Pattern<'t>) {
        self.items.push(Item {
            key: key(pattern.prefix(), 1),
            pattern,
        });
    }

    /// How many patterns were added.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Brings the patterns into their order: once, when all are there.
    pub(crate) fn sort(&mut self) -> Result<(), Failure> {
        sort(&mut self.items)?;
        let mut before: &[u8] = &[];
        for item in &mut self.items {
            let prefix = item.pattern.prefix();
            // All but empty ones begin with the same `/`.
            item.key = 1 + common_prefix(before, prefix, 1) as u64;
            before = prefix;
        }
        Ok(())
    }

    pub(crate) fn write<W: Width>(&self, out: &mut ImageWriter<W>) -> Result<(), Failure> {
        let mut pending = Vec::new();
        pending.try_reserve(16).map_err(|_| Failure::Memory)?;
        let mut members = Vec::new();
        self.write_root(out, &mut pending, &mut members)?;
        while let Some(next) = pending.pop() {
            self.write_node(&next, out, &mut pending, &mut members)?;
        }
        Ok(())
    }

    /// The root stands for `/`. Of its rules with wildcards those that begin with one have a list of
    /// their own.
    fn write_root<'i, W: Width>(
        &'i self,
        out: &mut ImageWriter<W>,
        pending: &mut Vec<Pending>,
        members: &mut Vec<&'i Pattern<'t>>,
    ) -> Result<(), Failure> {
        let is_own = |item: &&Item<'_>| item.pattern.prefix_len < 2;
        let own_len = self.items.iter().take_while(is_own).count();
        let own = self.items.get(..own_len).unwrap_or_default();
        let own = self.own_rules(own, 1, Priority::NONE, members)?;
        self.push_children(own_len, self.items.len(), 1, own.bound, pending)?;
        out.reserve(4 * W::LEN + 2 + pending.len() * (1 + W::LEN))?;
        let fields = out.end();
        out.fields(&own.fields, 3)?;
        out.put((pending.len() as u16).to_le_bytes());
        self.write_children(out, pending)?;
        let mut list = 0;
        for depth in [0, 1] {
            let is_here = |rule: &&&Pattern<'_>| rule.prefix_len == depth;
            let count = members.iter().filter(is_here).count();
            if count == 0 {
                continue;
            }
            let mut rules = Vec::new();
            rules.try_reserve(count).map_err(|_| Failure::Memory)?;
            rules.extend(members.iter().filter(is_here).copied());
            list = self.write_list(depth as usize, list, &rules, out)?;
        }
        out.patch(fields + 3 * W::LEN, list)?;
        finish_children(pending, list);
        Ok(())
    }

    fn write_node<'i, W: Width>(
        &'i self,
        at: &Pending,
        out: &mut ImageWriter<W>,
        pending: &mut Vec<Pending>,
        members: &mut Vec<&'i Pattern<'t>>,
    ) -> Result<(), Failure> {
        let items = self.items.get(at.first..at.end).unwrap_or_default();
        // An offset that does not fit shows even where none is written.
        out.patch(at.patch, out.offset()?)?;
        if let [item] = items {
            if self.write_leaf(&item.pattern, at, out)? {
                return Ok(());
            }
        }
        let first = items.first().map_or(&[][..], |item| item.pattern.prefix());
        let last = items.last().map_or(first, |item| item.pattern.prefix());
        let most = at.depth + node::MAX_LABEL;
        let depth = if items.len() < 2 {
            first.len().min(most)
        } else {
            // No further than a label reaches, or each node of a long way would look at all that is left of it.
            let label = |prefix: &'t [u8]| prefix.get(..most).unwrap_or(prefix);
            at.depth + common_prefix(label(first), label(last), at.depth)
        };
        let label = first.get(at.depth..depth).unwrap_or_default();
        let is_own = |item: &&Item<'_>| item.pattern.prefix_len as usize == depth;
        let own_len = items.iter().take_while(is_own).count();
        let own = items.get(..own_len).unwrap_or_default();
        let own = self.own_rules(own, depth, at.bound, members)?;
        let above = pending.len();
        self.push_children(at.first + own_len, at.end, depth, own.bound, pending)?;
        let children = pending.get_mut(above..).unwrap_or_default();

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
    ) -> Result<bool, Failure> {
        let label = rule.prefix().get(at.depth..).unwrap_or_default();
        if rule.tail != Tail::Open || label.len() > node::MAX_LABEL {
            return Ok(false);
        }
        let extra = rule.length - rule.prefix_len;
        // One that never wins says nothing; its place in the tree is taken all the same.
        let kind = if rule.strength(self.dialect) <= at.bound {
            0
        } else {
            1 + usize::from(extra != 0)
        };
        out.reserve(MOST_OF_A_NODE + label.len())?;
        out.head(kind, label.len(), 0);
        out.label(label);
        let fields = Fields {
            slot: rule.slot.0,
            extra,
            ..Fields::NONE
        };
        out.fields(&fields, kind)?;
        Ok(true)
    }

    /// The children of a node at `depth`: the items from `first` to `end`, in runs of the same octet.
    #[inline]
    fn push_children(
        &self,
        first: usize,
        end: usize,
        depth: usize,
        bound: Priority,
        pending: &mut Vec<Pending>,
    ) -> Result<(), Failure> {
        let items = self.items.get(first..end).unwrap_or_default();
        let mut run = first;
        let behind = items.iter().skip(1).map(|item| item.key).chain([0]);
        for (shared, next) in behind.zip(first + 1..) {
            if shared > depth as u64 || items.is_empty() {
                continue;
            }
            pending.try_reserve(1).map_err(|_| Failure::Memory)?;
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

    /// The first octets of the children, and room for their offsets.
    #[inline]
    fn write_children<W: Width>(
        &self,
        out: &mut ImageWriter<W>,
        children: &mut [Pending],
    ) -> Result<(), Failure> {
        for child in children.iter() {
            let prefix = self
                .items
                .get(child.first)
                .map(|item| item.pattern.prefix());
            let octet = prefix.and_then(|prefix| prefix.get(child.depth - 1));
            out.put([octet.copied().unwrap_or_default()]);
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
        rules: &[&Pattern<'_>],
        out: &mut ImageWriter<W>,
    ) -> Result<u32, Failure> {
        let list = out.offset()?;
        ListWriter { depth, next, rules }.write(out)?;
        Ok(list)
    }

    /// Sorts out the rules whose literal start ends at a node; those with wildcards go to
    /// `members`, the strongest first. What an always matching rule beats is left out.
    #[inline]
    fn own_rules<'i>(
        &self,
        items: &'i [Item<'t>],
        depth: usize,
        bound: Priority,
        members: &mut Vec<&'i Pattern<'t>>,
    ) -> Result<Own, Failure> {
        members.clear();
        let mut own = Own {
            fields: Fields::NONE,
            bound,
        };
        let mut end = Priority::NONE;
        for Item { pattern, .. } in items {
            let strength = pattern.strength(self.dialect);
            match pattern.tail {
                Tail::Open if strength > own.bound => {
                    own.bound = strength;
                    own.fields.slot = pattern.slot.0;
                    own.fields.extra = pattern.length - depth as u32;
                }
                Tail::Open => {}
                Tail::End if strength > end => {
                    end = strength;
                    own.fields.exact = pattern.slot.0;
                }
                Tail::End => {}
                Tail::Wild | Tail::WildEnd => {
                    members.try_reserve(1).map_err(|_| Failure::Memory)?;
                    members.push(pattern);
                }
            }
        }
        if end <= own.bound {
            own.fields.exact = 0;
        }
        if !members.is_empty() {
            members.retain(|pattern| pattern.strength(self.dialect) > own.bound);
            members
                .sort_unstable_by_key(|pattern| core::cmp::Reverse(pattern.strength(self.dialect)));
        }
        Ok(own)
    }
}

/// The octets of a node without its label and its children, with some to spare.
const MOST_OF_A_NODE: usize = 48;

/// Tells the children of their list, and puts them in the order in which they are taken: the last is
/// taken first.
fn finish_children(children: &mut [Pending], list: u32) {
    children.iter_mut().for_each(|child| child.list = list);
    children.reverse();
}

/// Sorts by the octets of the literal starts: by eight of them at a time, as numbers, and by the
/// next eight only what those leave undecided.
fn sort(items: &mut [Item<'_>]) -> Result<(), Failure> {
    // What is still to be sorted: from, up to, and by the octets behind how many. All literal starts
    // but empty ones begin with the same `/`, and their keys hold the octets behind it.
    let mut undecided = Vec::new();
    let mut next = Some((0, items.len(), 1));
    while let Some((first, end, depth)) = next {
        let items = items.get_mut(first..end).unwrap_or_default();
        items.sort_unstable_by_key(|item| item.key);
        let mut run = first;
        for same in items.chunk_by_mut(|a, b| a.key == b.key) {
            if same.len() > 1 {
                let from = depth + KEY;
                // Starts that end within the key, where zeros fill it, come first, the shorter before.
                let len = |item: &Item<'_>| item.pattern.prefix_len as usize;
                same.sort_unstable_by_key(|item| len(item).min(from + 1));
                let ended = same.partition_point(|item| len(item) <= from);
                if ended + 1 < same.len() {
                    let longer = same.get_mut(ended..).unwrap_or_default();
                    longer
                        .iter_mut()
                        .for_each(|item| item.key = key(item.pattern.prefix(), from));
                    undecided.try_reserve(1).map_err(|_| Failure::Memory)?;
                    undecided.push((run + ended, run + same.len(), from));
                }
            }
            run += same.len();
        }
        next = undecided.pop();
    }
    Ok(())
}

/// The octets of a key.
const KEY: usize = 8;

/// The octets from `depth` on as a number that sorts as they do.
#[inline]
fn key(octets: &[u8], depth: usize) -> u64 {
    let octets = octets.get(depth..).unwrap_or_default();
    match octets.first_chunk() {
        Some(octets) => u64::from_be_bytes(*octets),
        None => simd::fewer(octets).swap_bytes(),
    }
}

/// How many octets behind the first `from` both have in common, those being the same.
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
    let rest = |octets: &[u8]| simd::fewer(octets.get(shared..).unwrap_or_default());
    let difference = rest(a) ^ rest(b);
    // Behind the shorter one both are zero.
    (shared + difference.trailing_zeros() as usize / 8).min(a.len())
}

#[inline(always)]
fn first_word(octets: &[u8], at: usize) -> Option<u64> {
    let octets = octets.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*octets))
}
