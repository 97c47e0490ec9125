//! Builds an image: the rules a crawler obeys, sorted by their literal starts, become a prefix tree.

use super::list::ListWriter;
use super::{MAGIC, Narrow, PADDING, Slot, VERSION, Wide, Width, flag, header, node};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::group::{RawRule, Selection};
use crate::pattern::{Canonicaliser, Pattern, Place, Strength, Tail};

/// What an image says apart from its rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts<'a> {
    /// Of the header: `GROUP`, `ALLOW_ALL` or `DISALLOW_ALL`.
    pub(crate) flags: u8,
    pub(crate) dialect: Dialect,
    pub(crate) crawl_delay: Option<f64>,
    pub(crate) sitemaps: &'a [&'a [u8]],
}

/// The image of what a robots.txt tells a crawler.
pub(crate) fn image(selection: &Selection<'_>, dialect: Dialect) -> Result<Vec<u8>, Error> {
    let facts = Facts {
        flags: if selection.has_group { flag::GROUP } else { 0 },
        dialect,
        crawl_delay: selection.crawl_delay,
        sitemaps: &selection.sitemaps,
    };
    let mut arena = Vec::new();
    let mut placed = Vec::new();
    placed
        .try_reserve_exact(selection.rules.len())
        .map_err(|_| Error::Memory)?;
    let canonicaliser = Canonicaliser::new(dialect);
    for rule in &selection.rules {
        // The canonical form is at most three times as long.
        arena
            .try_reserve(rule.path.len().saturating_mul(3))
            .map_err(|_| Error::Memory)?;
        placed.push(canonicaliser.place(rule.path, &mut arena));
    }
    let mut rules = Rules {
        patterns: Vec::new(),
        default: None,
    };
    // Google's dialect may make two of one (SPEC 8.10).
    rules
        .patterns
        .try_reserve_exact(placed.len() * 2)
        .map_err(|_| Error::Memory)?;
    for (raw, (place, anchored)) in selection.rules.iter().zip(&placed) {
        rules.add(raw, *place, *anchored, &arena, dialect);
    }
    rules.write(&facts)
}

/// The image of a site that is allowed or disallowed as a whole.
pub(crate) fn whole_site(flags: u8) -> Result<Vec<u8>, Error> {
    let facts = Facts {
        flags,
        ..Facts::default()
    };
    Rules {
        patterns: Vec::new(),
        default: None,
    }
    .write(&facts)
}

/// The rules of an image.
struct Rules<'t> {
    patterns: Vec<Pattern<'t>>,
    /// SPEC 8.8: of the rules with an empty path the one that is reported.
    default: Option<(Strength, u32)>,
}

impl<'t> Rules<'t> {
    fn add<'a: 't>(
        &mut self,
        raw: &RawRule<'a>,
        place: Place<'a>,
        anchored: bool,
        arena: &'t [u8],
        dialect: Dialect,
    ) {
        let text = place.text(arena);
        let pattern = Pattern::new(text, anchored, raw, dialect);
        if pattern.length == 0 {
            let strength = pattern.strength(dialect);
            self.default = self.default.max(Some((strength, raw.line)));
            return;
        }
        self.keep(pattern);
        if dialect.index_stands_for_directory() && raw.allow {
            // SPEC 8.10. Where the rule itself matches it is the longer of the two.
            let directory =
                memchr::memrchr(b'/', text).and_then(|slash| text.split_at_checked(slash + 1));
            if let Some((directory, rest)) = directory
                && rest.starts_with(b"index.htm")
            {
                self.keep(Pattern::new(directory, true, raw, dialect));
            }
        }
    }

    /// Keeps what can match: every path begins with a `/` (SPEC 8.5).
    fn keep(&mut self, pattern: Pattern<'t>) {
        let can_match = match pattern.prefix {
            [] => pattern.tail != Tail::End,
            [first, ..] => *first == b'/',
        };
        if can_match {
            self.patterns.push(pattern);
        }
    }

    fn write(&self, facts: &Facts<'_>) -> Result<Vec<u8>, Error> {
        let last_line = self
            .patterns
            .iter()
            .map(|pattern| pattern.line)
            .max()
            .unwrap_or(0);
        let is_narrow = last_line < 1 << 15 && self.patterns.len() < 1 << 14;
        if is_narrow {
            match self.write_as::<Narrow>(facts) {
                // Too long for offsets of 16 bits.
                Err(Failure::Length) => {}
                Err(Failure::Memory) => return Err(Error::Memory),
                Ok(image) => return Ok(image),
            }
        }
        self.write_as::<Wide>(facts).map_err(|_| Error::Memory)
    }

    fn write_as<W: Width>(&self, facts: &Facts<'_>) -> Result<Vec<u8>, Failure> {
        let mut out = Out::<W>::new(self.patterns.len() * 16 + 128)?;
        out.zeros(header::LEN)?;
        Tree::new(&self.patterns, facts.dialect)?.write(&mut out)?;
        let sitemaps = out.offset()?;
        let mut end = 0;
        for sitemap in facts.sitemaps {
            end += sitemap.len();
            out.width(W::fit(end)?)?;
        }
        for sitemap in facts.sitemaps {
            out.octets(sitemap)?;
        }
        out.zeros(PADDING)?;
        let length = out.offset()?;
        let flags = facts.flags | if W::LEN == Wide::LEN { flag::WIDE } else { 0 };
        let mut head = [0; header::LEN];
        set(&mut head, 0, MAGIC);
        set(&mut head, header::VERSION, [VERSION]);
        set(&mut head, header::FLAGS, [flags]);
        set(
            &mut head,
            header::BYTE_ORDER,
            super::BYTE_ORDER.to_le_bytes(),
        );
        set(&mut head, header::LENGTH, length.to_le_bytes());
        set(&mut head, header::DIALECT, [facts.dialect as u8]);
        set(
            &mut head,
            header::DEFAULT_LINE,
            self.default.map_or(0, |(_, line)| line).to_le_bytes(),
        );
        set(&mut head, header::SITEMAPS, sitemaps.to_le_bytes());
        set(
            &mut head,
            header::SITEMAP_COUNT,
            (facts.sitemaps.len() as u32).to_le_bytes(),
        );
        set(
            &mut head,
            header::CRAWL_DELAY,
            facts.crawl_delay.unwrap_or(f64::NAN).to_le_bytes(),
        );
        out.finish(&head)
    }
}

fn set<const N: usize>(head: &mut [u8; header::LEN], at: usize, value: [u8; N]) {
    if let Some(field) = head.get_mut(at..at + N) {
        field.copy_from_slice(&value);
    }
}

/// Why an image could not be written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    Memory,
    /// It does not fit the width of its offsets.
    Length,
}

/// The widths, as they are written.
pub(crate) trait Writable: Width {
    fn fit(value: usize) -> Result<u32, Failure>;
}

impl<W: Width> Writable for W {
    fn fit(value: usize) -> Result<u32, Failure> {
        let bits = 8 * W::LEN as u32;
        let value = u32::try_from(value).map_err(|_| Failure::Length)?;
        if bits < 32 && value >> bits != 0 {
            Err(Failure::Length)
        } else {
            Ok(value)
        }
    }
}

/// An image being written.
pub(crate) struct Out<W> {
    bytes: Vec<u8>,
    width: core::marker::PhantomData<W>,
}

impl<W: Width> Out<W> {
    fn new(likely: usize) -> Result<Out<W>, Failure> {
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(likely)
            .map_err(|_| Failure::Memory)?;
        Ok(Out {
            bytes,
            width: core::marker::PhantomData,
        })
    }

    /// The offset of what is written next.
    pub(crate) fn offset(&self) -> Result<u32, Failure> {
        W::fit(self.bytes.len())
    }

    pub(crate) fn octets(&mut self, octets: &[u8]) -> Result<(), Failure> {
        self.bytes
            .try_reserve(octets.len())
            .map_err(|_| Failure::Memory)?;
        self.bytes.extend_from_slice(octets);
        Ok(())
    }

    pub(crate) fn zeros(&mut self, count: usize) -> Result<(), Failure> {
        self.bytes.try_reserve(count).map_err(|_| Failure::Memory)?;
        self.bytes.resize(self.bytes.len() + count, 0);
        Ok(())
    }

    pub(crate) fn octet(&mut self, octet: u8) -> Result<(), Failure> {
        self.octets(&[octet])
    }

    /// An offset or slot.
    pub(crate) fn width(&mut self, value: u32) -> Result<(), Failure> {
        let octets = W::fit(value as usize)?.to_le_bytes();
        self.octets(octets.get(..W::LEN).unwrap_or_default())
    }

    /// Writes an offset or slot over what stands at `at`.
    pub(crate) fn patch(&mut self, at: usize, value: u32) -> Result<(), Failure> {
        let octets = W::fit(value as usize)?.to_le_bytes();
        if let Some(field) = self.bytes.get_mut(at..at + W::LEN) {
            field.copy_from_slice(octets.get(..W::LEN).unwrap_or_default());
        }
        Ok(())
    }

    fn finish(mut self, head: &[u8; header::LEN]) -> Result<Vec<u8>, Failure> {
        if let Some(start) = self.bytes.first_chunk_mut() {
            *start = *head;
        }
        let checksum = super::checksum::of(&self.bytes);
        if let Some(field) = self.bytes.get_mut(header::CHECKSUM..header::CHECKSUM + 4) {
            field.copy_from_slice(&checksum.to_le_bytes());
        }
        Ok(self.bytes)
    }
}

/// A pattern in its sorting place.
#[derive(Clone, Copy)]
struct Item<'p, 't> {
    /// The first octets of the literal start behind its `/`: most pairs are told apart by them.
    key: u64,
    pattern: &'p Pattern<'t>,
}

/// The patterns in the order of their literal starts.
struct Tree<'p, 't> {
    items: Vec<Item<'p, 't>>,
    dialect: Dialect,
}

/// A node still to be written.
struct Pending {
    first: usize,
    end: usize,
    /// Octets on the way to it, its own first octet included.
    depth: usize,
    /// Where its parent keeps its offset.
    patch: usize,
    /// Of the strongest rule that matches wherever the parent is reached.
    bound: Strength,
    /// The nearest list up the tree.
    list: u32,
}

impl<'p, 't> Tree<'p, 't> {
    fn new(patterns: &'p [Pattern<'t>], dialect: Dialect) -> Result<Self, Failure> {
        let mut items = Vec::new();
        items
            .try_reserve_exact(patterns.len())
            .map_err(|_| Failure::Memory)?;
        items.extend(patterns.iter().map(|pattern| Item {
            key: sort_key(pattern.prefix),
            pattern,
        }));
        items.sort_unstable_by(|a: &Item<'_, '_>, b: &Item<'_, '_>| {
            a.key
                .cmp(&b.key)
                .then_with(|| a.pattern.prefix.cmp(b.pattern.prefix))
        });
        Ok(Tree { items, dialect })
    }

    fn write<W: Width>(&self, out: &mut Out<W>) -> Result<(), Failure> {
        // The offset of the root is known: what is written in its stead is the header's business.
        let mut pending = vec![Pending {
            first: 0,
            end: self.items.len(),
            depth: 0,
            patch: header::CRAWL_DELAY,
            bound: Strength::NONE,
            list: 0,
        }];
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
        let prefix = items.first().map_or(&[][..], |item| item.pattern.prefix);
        let last = items.last().map_or(prefix, |item| item.pattern.prefix);
        let depth = common_prefix(prefix, last).min(at.depth + node::MAX_LABEL);
        let label = prefix.get(at.depth..depth).unwrap_or_default();
        let own_len = items
            .iter()
            .take_while(|item| item.pattern.prefix.len() == depth)
            .count();
        let (own, below) = items.split_at_checked(own_len).unwrap_or((items, &[]));
        let own = self.own_rules(own, depth, at.bound, members);

        let mut flags = 0;
        flags |= if own.open.is_some() { node::SLOT } else { 0 };
        flags |= if own.extra != 0 { node::EXTRA } else { 0 };
        flags |= if own.exact.is_some() { node::EXACT } else { 0 };
        flags |= if members.is_empty() { 0 } else { node::LIST };
        let mut keys = [0u8; 256];
        let mut starts = [0usize; 257];
        let mut children = 0;
        let mut previous = None;
        for (index, item) in below.iter().enumerate() {
            let octet = item.pattern.prefix.get(depth).copied();
            if octet != previous {
                if let (Some(key), Some(start)) = (keys.get_mut(children), starts.get_mut(children))
                {
                    *key = octet.unwrap_or(0);
                    *start = index;
                }
                children += 1;
                previous = octet;
            }
        }

        out.patch(at.patch, out.offset()?)?;
        out.octet(flags | (children.min(usize::from(node::MANY)) as u8) << node::CHILDREN_SHIFT)?;
        out.octet(label.len() as u8)?;
        out.octets(label)?;
        if children >= usize::from(node::MANY) {
            out.octet((children - 1) as u8)?;
        }
        if let Some(slot) = own.open {
            out.width(slot.0)?;
        }
        if own.extra != 0 {
            out.octet(own.extra)?;
        }
        if let Some(slot) = own.exact {
            out.width(slot.0)?;
        }
        let list_field = out.offset()? as usize;
        if !members.is_empty() {
            out.width(0)?;
        }
        out.octets(keys.get(..children).unwrap_or_default())?;
        let offsets = out.offset()? as usize;
        out.zeros(children * W::LEN)?;

        let mut list = at.list;
        if !members.is_empty() {
            list = out.offset()?;
            out.patch(list_field, list)?;
            ListWriter {
                depth,
                next: at.list,
                rules: members,
            }
            .write(out)?;
        }
        pending.try_reserve(children).map_err(|_| Failure::Memory)?;
        // The last is pushed first, so that the first child stands next to its parent.
        for child in (0..children).rev() {
            let start = starts.get(child).copied().unwrap_or(0);
            let end = if child + 1 == children {
                below.len()
            } else {
                starts.get(child + 1).copied().unwrap_or(below.len())
            };
            pending.push(Pending {
                first: at.first + own_len + start,
                end: at.first + own_len + end,
                depth: depth + 1,
                patch: offsets + child * W::LEN,
                bound: own.bound,
                list,
            });
        }
        Ok(())
    }

    /// Sorts out the rules whose literal start ends at a node; those with wildcards go to
    /// `members`, the strongest first. What an always matching rule beats is left out.
    fn own_rules(
        &self,
        items: &[Item<'p, 't>],
        depth: usize,
        bound: Strength,
        members: &mut Vec<&'p Pattern<'t>>,
    ) -> Own {
        members.clear();
        let mut own = Own {
            open: None,
            extra: 0,
            exact: None,
            bound,
        };
        let strongest = |tail: Tail<'_>| {
            items
                .iter()
                .map(|item| item.pattern)
                .filter(|pattern| pattern.tail == tail)
                .max_by_key(|pattern| pattern.strength(self.dialect))
        };
        if let Some(open) = strongest(Tail::Open)
            && open.strength(self.dialect) > bound
        {
            own.bound = open.strength(self.dialect);
            match u8::try_from(open.length as usize - depth) {
                Ok(extra) => {
                    own.open = Some(Slot::new(open.line, open.allow));
                    own.extra = extra;
                }
                // Longer by more than an octet can say: a list has room for the whole length.
                Err(_) => members.push(open),
            }
        }
        if let Some(exact) = strongest(Tail::End)
            && exact.strength(self.dialect) > own.bound
        {
            own.exact = Some(Slot::new(exact.line, exact.allow));
        }
        members.extend(items.iter().map(|item| item.pattern).filter(|pattern| {
            matches!(pattern.tail, Tail::Wild { .. }) && pattern.strength(self.dialect) > own.bound
        }));
        members.sort_unstable_by_key(|pattern| core::cmp::Reverse(pattern.strength(self.dialect)));
        own
    }
}

/// The rules of a node that need no list.
struct Own {
    open: Option<Slot>,
    extra: u8,
    exact: Option<Slot>,
    /// Of the strongest rule that matches wherever this node is reached.
    bound: Strength,
}

/// Sorts as the octets behind the first do, as far as eight octets tell.
fn sort_key(prefix: &[u8]) -> u64 {
    let behind = prefix.get(1..).unwrap_or_default();
    match behind.first_chunk() {
        Some(octets) => u64::from_be_bytes(*octets),
        None => {
            let mut octets = [0; 8];
            octets
                .iter_mut()
                .zip(behind)
                .for_each(|(to, from)| *to = *from);
            u64::from_be_bytes(octets)
        }
    }
}

/// How many octets both begin with.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
