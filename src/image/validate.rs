//! Validation: an image that passes can be decided on, even if a stranger made it.

use super::wildcard_list::{LONGEST_WITHOUT_INDEX, MAX_BITS};
use super::{MARK_BITS, MAX_KEY, Offset16, Offset32, PADDING, View, Width, checksum, flag, header};
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
    /// The offsets of the nodes still to come, the next one last, each with the list above it.
    expected: Vec<(u32, u32)>,
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
    // Labels and keys are read by words, which may reach after the tree.
    image.array::<PADDING>(end)?;
    // Nodes stand in the order of a walk, each after its parent: one pass sees them all, and every
    // child's offset must be that of the next node in it.
    let mut walk = Validation { image, end, room };
    walk.nodes::<W>()
}

struct Validation<'a> {
    image: View<'a>,
    /// Of the tree.
    end: usize,
    room: &'a mut Room,
}

impl Validation<'_> {
    fn nodes<W: Width>(&mut self) -> Option<()> {
        let (mut fields, mut children) = self.image.root::<W>()?;
        let mut above = 0;
        let mut is_root = true;
        loop {
            let mut behind = children.end::<W>();
            // The keys of the children differ and so each leads to one child.
            let keys = children.keys..children.keys + children.count;
            if !self.image.bytes().get(keys)?.is_sorted_by(|a, b| a < b) {
                return None;
            }
            if fields.list != 0 {
                // The list of what begins with a wildcard stands before that of the root.
                if is_root && fields.list as usize != behind {
                    above = behind as u32;
                    behind = self.list::<W>(above, 0)?;
                }
                if fields.list as usize != behind {
                    return None;
                }
                behind = self.list::<W>(fields.list, above)?;
                above = fields.list;
            }
            is_root = false;
            if behind > self.end {
                return None;
            }
            let Ok(()) = self.room.expected.try_reserve(children.count) else {
                self.room.lacks = true;
                return None;
            };
            for child in (0..children.count).rev() {
                let offset = children.keys + children.count + child * W::LEN;
                let expected = &mut self.room.expected;
                expected.push((self.image.width::<W>(offset)?, above));
            }
            let Some((next, list)) = self.room.expected.pop() else {
                return (behind == self.end).then_some(());
            };
            if next as usize != behind {
                return None;
            }
            above = list;
            let head = self.image.head(next)?;
            head.label.bytes()?;
            (fields, children) = self.image.node::<W>(&head)?;
        }
    }

    /// Checks a list; returns the offset after it.
    fn list<W: Width>(&mut self, at: u32, above: u32) -> Option<usize> {
        let list = self.image.list::<W>(at)?;
        if list.next != above || list.count == 0 || list.count > self.end {
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
