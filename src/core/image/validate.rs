//! The validator: it rejects an image that is damaged or has an unsound structure. A carefully forged image may pass and give
//! wrong verdicts, but every check with this image ends, and reads only bytes of the image.

use super::{KEY_LENS, LONGEST_WITHOUT_INDEX, NUMBER, PADDING, View, checksum, flag, header, node};
use crate::base::error::Error;
use crate::bytes::try_alloc::zeros;

/// Validates the header of an image, its checksum, and every offset that a check could follow.
pub(crate) fn validate(bytes: &[u8]) -> Result<View<'_>, Error> {
    let image = View::open(bytes)?;
    let is_sound = image.u32(header::CHECKSUM) == Some(checksum::compute(bytes))
        && image.flags() & !flag::ALL == 0
        && image.default_verdict().error() != Some(Error::Image)
        && image.dialect().is_some();
    let mut walk = Validation {
        image,
        end: 0,
        lacks_memory: false,
    };
    let parts = is_sound.then(|| walk.parts()).flatten();
    if walk.lacks_memory {
        return Err(Error::Memory);
    }
    parts.map(|()| image).ok_or(Error::Image)
}

/// A walk over all parts of an image.
struct Validation<'a> {
    image: View<'a>,
    /// End offset of the nodes and the list.
    end: usize,
    /// An allocation failed.
    lacks_memory: bool,
}

impl Validation<'_> {
    /// Validates all parts. Returns `None` if a part is not where the compiler would have written it, or if an allocation
    /// fails. So each offset leads forward, to a part of the image.
    fn parts(&mut self) -> Option<()> {
        let image = self.image;
        let sitemaps = image.sitemap_count();
        if image.u32(header::SITEMAP_COUNT)? as usize != sitemaps {
            return None;
        }
        (0..sitemaps).try_for_each(|index| image.sitemap(index).map(|_| ()))?;
        self.end = image.u32(header::SITEMAPS)? as usize;
        // A check reads labels and keys in whole words, and a word may extend past the last node. So padding must follow.
        image.array::<PADDING>(self.end)?;
        // Nodes are in depth-first order, each after its parent. So one pass visits all nodes, and each node must start where
        // the node visited before ends.
        let mut after = self.nodes()?;
        let has_rules = self.end > header::LEN + node::HEAD;
        if has_rules && image.flags() & flag::SITE_WIDE != 0 {
            return None;
        }
        let list = image.u32(header::WILDCARDS)?;
        if list != 0 {
            if list as usize != after {
                return None;
            }
            after = self.list(list)?;
        }
        (after == self.end).then_some(())
    }

    /// Validates the nodes. Returns the offset after the last node.
    fn nodes(&mut self) -> Option<usize> {
        let image = self.image;
        // A stack of the offsets of nodes that are still to visit.
        let mut expected = Vec::new();
        let mut next = header::LEN as u32;
        loop {
            let node = image
                .node(next as usize)
                .filter(|node| node.count <= node::MAX_RULES)?;
            let after = node.text() + image.tails_before(&node, node.count)?;
            if after > self.end {
                return None;
            }
            let room = expected.try_reserve(node::entries(node.fan));
            self.keep(room.map_err(|_| Error::Memory))?;
            for child in image.children(&node) {
                expected.push(child?);
            }
            let Some(child) = expected.pop() else {
                return Some(after);
            };
            if child as usize != after {
                return None;
            }
            next = child;
        }
    }

    /// Returns the allocated value. If the allocation failed, notes this and returns `None`, so that the walk ends.
    fn keep<T>(&mut self, allocated: Result<T, Error>) -> Option<T> {
        self.lacks_memory |= allocated.is_err();
        allocated.ok()
    }

    /// Validates the list. Returns the offset after the list.
    fn list(&mut self, at: u32) -> Option<usize> {
        let list = self.image.wildcards(at)?;
        let is_long = list.count > LONGEST_WITHOUT_INDEX;
        if list.count == 0 || list.count > self.end || (list.index != 0) != is_long {
            return None;
        }
        let mut after = list.offsets + list.count * NUMBER;
        for number in 0..list.count {
            let mut rule = self.image.rule(&list, number)?;
            if rule.length > list.longest {
                return None;
            }
            let offset = self.image.rule_offset(&list, number)?;
            if offset != after {
                return None;
            }
            rule.pieces.by_ref().for_each(drop);
            if rule.pieces.is_damaged {
                return None;
            }
            after = self.image.bytes().len() - rule.pieces.len();
        }
        if list.index == 0 {
            return Some(after);
        }
        if list.index != after {
            return None;
        }
        // One bit for each rule: set when the index has named the rule.
        let mut numbered = self.keep(zeros(list.count.div_ceil(64)))?;
        for _ in KEY_LENS {
            after = self.index(after, list.count, &mut numbered)?;
        }
        Some(after)
    }

    /// Validates the part of an index for keys of one length. Returns the offset after the part.
    fn index(&self, at: usize, count: usize, numbered: &mut [u64]) -> Option<usize> {
        let buckets = self.image.buckets(at)?;
        if buckets.bits == 0 {
            return Some(at + 1);
        }
        let numbers = buckets.numbers();
        let mut start = 0;
        for bucket in 0..=1 << buckets.bits {
            let next = self.image.u32(buckets.starts() + bucket * NUMBER)?;
            if next < start || next as usize > count {
                return None;
            }
            start = next;
        }
        for entry in 0..start as usize {
            let number = self.image.u32(numbers + entry * NUMBER)? as usize;
            // A rule has one key, so the index names the rule at most once.
            let word = numbered.get_mut(number / 64)?;
            let bit = 1 << (number % 64);
            if number >= count || *word & bit != 0 {
                return None;
            }
            *word |= bit;
        }
        Some(numbers + start as usize * NUMBER)
    }
}
