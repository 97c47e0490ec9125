//! The prefix tree over the literal starts of the rules: sorted, cut into nodes, written.

use super::list::ListWriter;
use super::out::{Failure, Out};
use super::{Slot, Width, node};
use crate::dialect::Dialect;
use crate::pattern::{Pattern, Strength, Tail};

/// A pattern in its sorting place.
#[derive(Clone, Copy)]
struct Item<'p, 't> {
    /// Eight octets of the literal start as a number, zeros behind its end.
    key: u64,
    /// The length of the literal start.
    len: usize,
    pattern: &'p Pattern<'t>,
}

/// The patterns in the order of their literal starts.
pub(crate) struct Tree<'p, 't> {
    items: Vec<Item<'p, 't>>,
    dialect: Dialect,
}

/// A node still to be written.
struct Pending {
    /// The items below it: from `first` up to `end`.
    first: usize,
    end: usize,
    /// Octets on the way to it, its own first octet included.
    depth: usize,
    /// The octet it is reached by.
    octet: u8,
    /// Where its parent keeps its offset, unless it stands right behind its parent.
    patch: Option<usize>,
    /// Of the strongest rule that matches wherever the parent is reached.
    bound: Strength,
    /// The nearest list up the tree.
    list: u32,
}

impl Pending {
    /// Tells its parent that it is written here.
    #[inline]
    fn place<W: Width>(&self, out: &mut Out<W>) -> Result<(), Failure> {
        // An offset that does not fit shows even where none is written.
        let offset = out.offset()?;
        self.patch.map_or(Ok(()), |patch| out.patch(patch, offset))
    }
}

/// The rules of a node that need no list.
struct Own {
    open: Option<Slot>,
    /// How much longer than the octets so far `open` is.
    extra: u32,
    exact: Option<Slot>,
    /// Of the strongest rule that matches wherever this node is reached.
    bound: Strength,
}

impl<'p, 't> Tree<'p, 't> {
    pub(crate) fn new(patterns: &'p [Pattern<'t>], dialect: Dialect) -> Result<Self, Failure> {
        let mut items = Vec::new();
        items
            .try_reserve_exact(patterns.len())
            .map_err(|_| Failure::Memory)?;
        items.extend(patterns.iter().map(|pattern| Item {
            key: key(pattern.prefix, 1),
            len: pattern.prefix.len(),
            pattern,
        }));
        sort(&mut items)?;
        Ok(Tree { items, dialect })
    }

    pub(crate) fn write<W: Width>(&self, out: &mut Out<W>) -> Result<(), Failure> {
        let root = Pending {
            first: 0,
            end: self.items.len(),
            depth: 0,
            octet: 0,
            patch: None,
            bound: Strength::NONE,
            list: 0,
        };
        let mut pending = Vec::new();
        pending.try_reserve(16).map_err(|_| Failure::Memory)?;
        pending.push(root);
        let mut members = Vec::new();
        while let Some(next) = pending.pop() {
            self.write_node(next, out, &mut pending, &mut members)?;
        }
        Ok(())
    }

    fn write_node<W: Width>(
        &self,
        at: Pending,
        out: &mut Out<W>,
        pending: &mut Vec<Pending>,
        members: &mut Vec<&'p Pattern<'t>>,
    ) -> Result<(), Failure> {
        let items = self.items.get(at.first..at.end).unwrap_or_default();
        if let [item] = items
            && self.write_leaf(item.pattern, &at, out)?
        {
            return Ok(());
        }
        let first = items.first().map_or(&[][..], |item| item.pattern.prefix);
        let last = items.last().map_or(first, |item| item.pattern.prefix);
        let shared = if items.len() < 2 {
            first.len()
        } else {
            at.depth + common_prefix(first, last, at.depth)
        };
        let depth = shared.min(at.depth + node::MAX_LABEL);
        let label = first.get(at.depth..depth).unwrap_or_default();
        let own_len = items.iter().take_while(|item| item.len == depth).count();
        let (own, below) = items.split_at_checked(own_len).unwrap_or((items, &[]));
        let own = self.own_rules(own, depth, at.bound, members)?;

        // The children: runs of the same octet behind the label.
        let above = pending.len();
        let mut previous = None;
        for (index, item) in below.iter().enumerate() {
            let octet = item.pattern.prefix.get(depth).copied().unwrap_or_default();
            if previous == Some(octet) {
                continue;
            }
            previous = Some(octet);
            let first = at.first + own_len + index;
            if let Some(before) = pending.get_mut(above..).and_then(<[_]>::last_mut) {
                before.end = first;
            }
            pending.try_reserve(1).map_err(|_| Failure::Memory)?;
            pending.push(Pending {
                first,
                end: at.end,
                depth: depth + 1,
                octet,
                patch: None,
                bound: own.bound,
                list: at.list,
            });
        }
        let children = pending.get_mut(above..).unwrap_or_default();

        let mut flags = (children.len().min(usize::from(node::MANY)) as u8) << node::CHILDREN_SHIFT;
        flags |= if own.open.is_some() { node::SLOT } else { 0 };
        flags |= if own.extra != 0 { node::EXTRA } else { 0 };
        flags |= if own.exact.is_some() { node::EXACT } else { 0 };
        flags |= if members.is_empty() { 0 } else { node::LIST };
        out.reserve(4 + label.len() + 4 * W::LEN + children.len() * (1 + W::LEN))?;
        at.place(out)?;
        out.octets(&[flags, label.len() as u8])?;
        out.octets(label)?;
        if children.len() >= usize::from(node::MANY) {
            out.octet((children.len() - 1) as u8)?;
        }
        if let Some(slot) = own.open {
            out.width(slot.0)?;
        }
        if own.extra != 0 {
            out.width(own.extra)?;
        }
        if let Some(slot) = own.exact {
            out.width(slot.0)?;
        }
        let list_field = out.end();
        if !members.is_empty() {
            out.width(0)?;
        }
        for child in children.iter() {
            out.octet(child.octet)?;
        }
        let implied = usize::from(members.is_empty());
        for child in children.iter_mut().skip(implied) {
            child.patch = Some(out.end());
            out.zeros(W::LEN)?;
        }
        if !members.is_empty() {
            let list = out.offset()?;
            out.patch(list_field, list)?;
            children.iter_mut().for_each(|child| child.list = list);
            ListWriter {
                depth,
                next: at.list,
                rules: members,
            }
            .write(out)?;
        }
        // The last is taken first, so that the first child stands next to its parent.
        children.reverse();
        Ok(())
    }

    /// Writes the node of a single rule, as most are; false if it is none of the simple ones.
    #[inline]
    fn write_leaf<W: Width>(
        &self,
        rule: &Pattern<'_>,
        at: &Pending,
        out: &mut Out<W>,
    ) -> Result<bool, Failure> {
        let label = rule.prefix.get(at.depth..).unwrap_or_default();
        let extra = rule.length - rule.prefix.len() as u32;
        let flags = match rule.tail {
            Tail::Wild { .. } => return Ok(false),
            _ if label.len() > node::MAX_LABEL => return Ok(false),
            // It never wins; its place in the tree is taken all the same.
            _ if rule.strength(self.dialect) <= at.bound => 0,
            Tail::End => node::EXACT,
            Tail::Open if extra == 0 => node::SLOT,
            Tail::Open => node::SLOT | node::EXTRA,
        };
        out.reserve(2 + label.len() + 2 * W::LEN)?;
        at.place(out)?;
        out.octets(&[flags, label.len() as u8])?;
        out.octets(label)?;
        if flags != 0 {
            out.width(Slot::new(rule.line, rule.allow).0)?;
        }
        if flags & node::EXTRA != 0 {
            out.width(extra)?;
        }
        Ok(true)
    }

    /// Sorts out the rules whose literal start ends at a node; those with wildcards go to
    /// `members`, the strongest first. What an always matching rule beats is left out.
    #[inline]
    fn own_rules(
        &self,
        items: &[Item<'p, 't>],
        depth: usize,
        bound: Strength,
        members: &mut Vec<&'p Pattern<'t>>,
    ) -> Result<Own, Failure> {
        members.clear();
        let (mut open, mut exact) = (None, None);
        for item in items {
            let pattern = item.pattern;
            match pattern.tail {
                Tail::Open => self.keep_stronger(&mut open, pattern),
                Tail::End => self.keep_stronger(&mut exact, pattern),
                Tail::Wild { .. } => {
                    members.try_reserve(1).map_err(|_| Failure::Memory)?;
                    members.push(pattern);
                }
            }
        }
        let mut own = Own {
            open: None,
            extra: 0,
            exact: None,
            bound,
        };
        if let Some((strength, open)) = open
            && strength > bound
        {
            own.bound = strength;
            own.open = Some(Slot::new(open.line, open.allow));
            own.extra = open.length - depth as u32;
        }
        if let Some((strength, exact)) = exact
            && strength > own.bound
        {
            own.exact = Some(Slot::new(exact.line, exact.allow));
        }
        if !members.is_empty() {
            members.retain(|pattern| pattern.strength(self.dialect) > own.bound);
            members
                .sort_unstable_by_key(|pattern| core::cmp::Reverse(pattern.strength(self.dialect)));
        }
        Ok(own)
    }

    #[inline]
    fn keep_stronger(
        &self,
        kept: &mut Option<(Strength, &'p Pattern<'t>)>,
        pattern: &'p Pattern<'t>,
    ) {
        let strength = pattern.strength(self.dialect);
        if kept.is_none_or(|(kept, _)| kept < strength) {
            *kept = Some((strength, pattern));
        }
    }
}

/// Sorts by the octets of the literal starts: by eight of them at a time, as numbers, and by the
/// next eight only what those leave undecided.
fn sort(items: &mut [Item<'_, '_>]) -> Result<(), Failure> {
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
                same.sort_unstable_by_key(|item| item.len.min(from + 1));
                let ended = same.partition_point(|item| item.len <= from);
                if ended + 1 < same.len() {
                    let longer = same.get_mut(ended..).unwrap_or_default();
                    longer
                        .iter_mut()
                        .for_each(|item| item.key = key(item.pattern.prefix, from));
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
        None => crate::scan::fewer(octets).swap_bytes(),
    }
}

/// How many octets behind the first `from` both have in common, those being the same.
#[inline]
fn common_prefix(a: &[u8], b: &[u8], from: usize) -> usize {
    let (a, b) = (
        a.get(from..).unwrap_or_default(),
        b.get(from..).unwrap_or_default(),
    );
    let (a_words, a_rest) = a.as_chunks::<8>();
    let (b_words, b_rest) = b.as_chunks::<8>();
    let pairs = a_words.iter().zip(b_words);
    let words = pairs.take_while(|(a, b)| a == b).count();
    if words < a_words.len() && words < b_words.len() {
        let word = |words: &[[u8; 8]]| words.first().map_or(0, |word| u64::from_le_bytes(*word));
        let difference = word(a_words.get(words..).unwrap_or_default())
            ^ word(b_words.get(words..).unwrap_or_default());
        return words * 8 + difference.trailing_zeros() as usize / 8;
    }
    let (a, b) = (
        a.get(words * 8..).unwrap_or(a_rest),
        b.get(words * 8..).unwrap_or(b_rest),
    );
    words * 8 + a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
