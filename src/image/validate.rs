//! Validation: an image that passes can be decided on, even if a stranger made it.

use super::pattern_list::{LONGEST_WITHOUT_INDEX, MAX_BITS};
use super::{
    LiteralNode, MARK_BITS, MAX_KEY, Offset16, Offset32, PADDING, View, Width, checksum, flag,
    header, node,
};
use crate::error::Error;

/// Whether `bytes` is an image, whole and undamaged: its header, its checksum, and every offset that
/// a decision could follow.
pub(crate) fn validate(bytes: &[u8]) -> Result<View<'_>, Error> {
    let image = View::open(bytes)?;
    let is_sound = image.u32(header::CHECKSUM) == Some(checksum::compute(bytes))
        && image.flags() & !flag::ALL == 0
        && image.dialect().is_some();
    let mut room = Room::default();
    let parts = match () {
        () if !is_sound => None,
        () if image.is_wide() => parts::<Offset32>(image, &mut room),
        () => parts::<Offset16>(image, &mut room),
    };
    if room.lacks {
        return Err(Error::Memory);
    }
    if parts.is_some() {
        Ok(image)
    } else {
        Err(Error::Image)
    }
}

/// Work space.
#[derive(Default)]
struct Room {
    /// The offsets of the nodes still to come, the next one last.
    expected: Vec<u32>,
    /// A bit for each rule of a list that an index holds.
    numbered: Vec<u64>,
    /// There is not enough memory.
    lacks: bool,
}

/// `None` if a part of the image leads out of it or in a circle, or if room lacks.
fn parts<W: Width>(image: View<'_>, room: &mut Room) -> Option<()> {
    let sitemaps = image.sitemap_count();
    if image.u32(header::SITEMAP_COUNT)? as usize != sitemaps {
        return None;
    }
    (0..sitemaps).try_for_each(|index| image.sitemap(index).map(|_| ()))?;
    let end = image.u32(header::SITEMAPS)? as usize;
    // Labels and keys are read by words, which may reach after the nodes.
    image.array::<PADDING>(end)?;
    // Nodes stand in the order of a walk, each after its parent: one pass sees them all, and every
    // child's offset must be that of the next node in it.
    let mut walk = Validation { image, end, room };
    let mut behind = walk.nodes::<W>()?;
    let list = image.u32(header::LIST)?;
    if list != 0 {
        if list as usize != behind {
            return None;
        }
        behind = walk.list::<W>(list)?;
    }
    (behind == end).then_some(())
}

struct Validation<'a> {
    image: View<'a>,
    /// Of the nodes and the list.
    end: usize,
    room: &'a mut Room,
}

impl Validation<'_> {
    /// Checks the nodes; returns the offset after them.
    fn nodes<W: Width>(&mut self) -> Option<usize> {
        let mut next = header::LEN as u32;
        loop {
            let node = self.image.node::<W>(next as usize)?;
            let behind = self.node::<W>(&node)?;
            if behind > self.end {
                return None;
            }
            let entries = node::entries(node.fan);
            let Ok(()) = self.room.expected.try_reserve(entries) else {
                self.room.lacks = true;
                return None;
            };
            for entry in (0..entries).rev() {
                let child = self.image.width::<W>(node.table + entry * W::LEN)?;
                if child != 0 {
                    self.room.expected.push(child);
                }
            }
            let Some(child) = self.room.expected.pop() else {
                return Some(behind);
            };
            if child as usize != behind {
                return None;
            }
            next = child;
        }
    }

    /// Checks the rules of a node; returns the offset after it.
    fn node<W: Width>(&self, node: &LiteralNode) -> Option<usize> {
        if node.count > node::MAX_RULES {
            return None;
        }
        let tails = self.image.tails_before(node, node.count)?;
        Some(node.text::<W>() + tails)
    }

    /// Checks the list; returns the offset after it.
    fn list<W: Width>(&mut self, at: u32) -> Option<usize> {
        let list = self.image.list::<W>(at)?;
        if list.count == 0 || list.count > self.end {
            return None;
        }
        if (list.index != 0) != (list.count > LONGEST_WITHOUT_INDEX) {
            return None;
        }
        let mut behind = list.offsets + list.count * W::LEN;
        for number in 0..list.count {
            let mut rule = self.image.rule::<W>(&list, number)?;
            if rule.length > list.longest {
                return None;
            }
            let offset = self.image.rule_offset::<W>(&list, number)?;
            if offset != behind {
                return None;
            }
            while rule.pieces.next()?.is_some() {}
            behind = self.image.bytes().len() - rule.pieces.len();
        }
        if list.index == 0 {
            return Some(behind);
        }
        if list.index != behind {
            return None;
        }
        let words = list.count.div_ceil(64);
        let numbered = &mut self.room.numbered;
        numbered.clear();
        let Ok(()) = numbered.try_reserve(words) else {
            self.room.lacks = true;
            return None;
        };
        numbered.resize(words, 0);
        for _ in 1..=MAX_KEY {
            behind = self.index::<W>(behind, list.count)?;
        }
        Some(behind)
    }

    /// Checks the part of an index for one length of keys; returns the offset after it.
    fn index<W: Width>(&mut self, at: usize, count: usize) -> Option<usize> {
        let bits = u32::from(*self.image.bytes().get(at)?);
        if bits == 0 {
            return Some(at + 1);
        }
        if bits > MAX_BITS {
            return None;
        }
        let buckets = 1 << bits;
        let starts = at + 1 + (1 << (bits + MARK_BITS - 3));
        let numbers = starts + (buckets + 1) * W::LEN;
        let mut start = 0;
        for bucket in 0..=buckets {
            let next = self.image.width::<W>(starts + bucket * W::LEN)?;
            if next < start || next as usize > count {
                return None;
            }
            start = next;
        }
        for entry in 0..start as usize {
            let number = self.image.width::<W>(numbers + entry * W::LEN)? as usize;
            // A rule has one key: a decision tries it once.
            let word = self.room.numbered.get_mut(number / 64)?;
            let bit = 1 << (number % 64);
            if number >= count || *word & bit != 0 {
                return None;
            }
            *word |= bit;
        }
        Some(numbers + start as usize * W::LEN)
    }
}
