//! Writes the list of the rules that are not literal, and the index of a long one.

use core::cmp::Reverse;

use super::writer::{BuildFailure, ImageWriter, fit};
use super::{ANCHORED, MARK_BITS, MAX_KEY, Width, hash};
use crate::image::pattern::{Pattern, Patterns, Tail};
use crate::util::simd;

/// A list longer than this has an index; a shorter one is faster scanned, with a bit for each rule.
pub(crate) const LONGEST_WITHOUT_INDEX: usize = 64;

/// The most bits of an index: a decision keeps a bit for each bucket on the stack.
pub(crate) const MAX_BITS: u32 = 13;

/// A list to be written.
pub(crate) struct ListWriter<'l> {
    patterns: &'l Patterns<'l>,
    /// Their numbers, in order of priority.
    rules: Vec<u32>,
    /// The length of the keys of each, for an index.
    key_lens: Vec<u8>,
}

impl<'l> ListWriter<'l> {
    /// `numbers`: those of the rules.
    pub(crate) fn new(
        patterns: &'l Patterns<'l>,
        numbers: &[u32],
    ) -> Result<ListWriter<'l>, BuildFailure> {
        let mut sorted = with_room(numbers.len())?;
        for number in numbers {
            let priority = patterns.get(*number)?.priority(patterns.dialect);
            sorted.push((Reverse(priority), *number));
        }
        sorted.sort_unstable();
        let mut rules = with_room(numbers.len())?;
        rules.extend(sorted.into_iter().map(|(_, number)| number));
        let mut key_lens = Vec::new();
        if rules.len() > LONGEST_WITHOUT_INDEX {
            key_lens = with_room(rules.len())?;
            for rule in &rules {
                key_lens.push(key_len(&patterns.get(*rule)?) as u8);
            }
        }
        Ok(ListWriter {
            patterns,
            rules,
            key_lens,
        })
    }

    /// Returns the offset of the list; 0 if there is none.
    pub(crate) fn write<W: Width>(&self, out: &mut ImageWriter<W>) -> Result<u32, BuildFailure> {
        if self.rules.is_empty() {
            return Ok(0);
        }
        let list = out.offset()?;
        let mut longest = 0;
        for rule in &self.rules {
            longest = longest.max(self.patterns.get(*rule)?.length);
        }
        out.width(fit::<W>(longest as usize)?)?;
        out.width(fit::<W>(self.rules.len())?)?;
        let index = out.end();
        out.width(0)?;
        let has_index = self.rules.len() > LONGEST_WITHOUT_INDEX;
        if !has_index {
            let key = |rule: &u32| {
                let prefix = self.patterns.prefix(*rule)?;
                Ok(simd::first_word(prefix.get(1..).unwrap_or_default()).to_le_bytes())
            };
            for rule in &self.rules {
                let [a, b, c, d, ..] = key(rule)?;
                out.bytes(&[a, b, c, d])?;
            }
            for rule in &self.rules {
                let [.., a, b, c, d] = key(rule)?;
                out.bytes(&[a, b, c, d])?;
            }
        }
        let pairs = out.end();
        if !has_index {
            out.zeros(self.rules.len() * 2)?;
        }
        let offsets = out.end();
        out.zeros(self.rules.len() * W::LEN)?;
        for (number, rule) in self.rules.iter().enumerate() {
            out.patch(offsets + number * W::LEN, out.offset()?)?;
            let pair = write_rule(&self.patterns.get(*rule)?, out)?;
            if !has_index {
                out.overwrite(pairs + number * 2, &pair)?;
            }
        }
        if has_index {
            out.patch(index, out.offset()?)?;
            for len in 1..=MAX_KEY {
                self.write_index(len, out)?;
            }
        }
        Ok(list)
    }

    /// The part of the index that holds the keys of `len` bytes.
    fn write_index<W: Width>(
        &self,
        len: usize,
        out: &mut ImageWriter<W>,
    ) -> Result<(), BuildFailure> {
        // Of each rule its number, if its keys have this length.
        let rules = || {
            let rules = self.rules.iter().zip(&self.key_lens);
            rules.map(|(rule, key_len)| (usize::from(*key_len) == len).then_some(*rule))
        };
        let count = rules().flatten().count();
        if count == 0 {
            return out.byte(0);
        }
        let bits = (usize::BITS - count.leading_zeros()).clamp(1, MAX_BITS);
        // How often the keys that rules could have occur: the rarest says most.
        let mut frequency = zeroed(1 << bits)?;
        for rule in rules().flatten() {
            for key in keys(&self.patterns.get(rule)?, len) {
                let count = frequency.get_mut(hash(key, bits));
                *count.ok_or(BuildFailure::Defect)? += 1;
            }
        }
        // Of each rule the bucket of its rarest key.
        let mut buckets: Vec<u16> = with_room(self.rules.len())?;
        let mut starts = zeroed((1 << bits) + 1)?;
        out.byte(bits as u8)?;
        let marks = out.end();
        out.zeros(1 << (bits + MARK_BITS - 3))?;
        for rule in rules() {
            let Some(rule) = rule else {
                buckets.push(NO_BUCKET);
                continue;
            };
            let rule = self.patterns.get(rule)?;
            let rarest = keys(&rule, len)
                .min_by_key(|key| frequency.get(hash(*key, bits)).copied())
                .ok_or(BuildFailure::Defect)?;
            out.mark(marks, hash(rarest, bits + MARK_BITS));
            let bucket = hash(rarest, bits);
            buckets.push(bucket as u16);
            *starts.get_mut(bucket + 1).ok_or(BuildFailure::Defect)? += 1;
        }
        let mut start = 0;
        for count in &mut starts {
            start += *count;
            *count = start;
            out.width(start)?;
        }
        // Within a bucket the rule of the highest priority comes first.
        let numbers = out.end();
        out.zeros(count * W::LEN)?;
        for (number, bucket) in buckets.into_iter().enumerate() {
            if bucket != NO_BUCKET {
                let start = starts
                    .get_mut(usize::from(bucket))
                    .ok_or(BuildFailure::Defect)?;
                let place = numbers + *start as usize * W::LEN;
                out.patch(place, fit::<W>(number)?)?;
                *start += 1;
            }
        }
        Ok(())
    }
}

/// The bucket of a rule whose key has another length.
const NO_BUCKET: u16 = u16::MAX;

fn zeroed(len: usize) -> Result<Vec<u32>, BuildFailure> {
    let mut counts = with_room(len)?;
    counts.resize(len, 0);
    Ok(counts)
}

fn with_room<T>(len: usize) -> Result<Vec<T>, BuildFailure> {
    let mut list = Vec::new();
    let room = list.try_reserve_exact(len);
    room.map_err(|_| BuildFailure::Memory)?;
    Ok(list)
}

/// The texts that the key of a rule is taken from: its pieces, and its literal start if that has keys of the greatest length.
/// A shorter one stands in too many paths.
fn texts<'t>(rule: &Pattern<'t>) -> impl Iterator<Item = &'t [u8]> + use<'t> {
    let prefix = prefix(rule);
    let has_keys = prefix.len() >= MAX_KEY || rule.pieces().next().is_none();
    let prefix = has_keys.then_some(prefix);
    prefix.into_iter().chain(rule.pieces())
}

/// The literal start of a rule. Every path begins with a `/`, so that a rule without pieces has one.
fn prefix<'t>(rule: &Pattern<'t>) -> &'t [u8] {
    match rule.prefix() {
        [] if rule.pieces().next().is_none() => b"/",
        prefix => prefix,
    }
}

/// The length of the keys that a rule may have.
fn key_len(rule: &Pattern<'_>) -> usize {
    texts(rule).map(<[u8]>::len).max().unwrap_or(0).min(MAX_KEY)
}

/// The bytes, `len` at a time, that stand in whatever a rule matches.
fn keys(rule: &Pattern<'_>, len: usize) -> impl Iterator<Item = u32> {
    texts(rule).flat_map(move |text| text.windows(len)).map(key)
}

/// At most four bytes as a number, the first lowest.
#[inline]
fn key(bytes: &[u8]) -> u32 {
    match bytes.first_chunk() {
        Some(bytes) => u32::from_le_bytes(*bytes),
        None => simd::fewer(bytes) as u32,
    }
}

/// Writes a rule. Returns two bytes that stand side by side in whatever it matches: those of its pieces that are rarest, or one
/// byte twice, if no piece has two. For a rule without pieces it is the `/` of every path.
fn write_rule<W: Width>(
    rule: &Pattern<'_>,
    out: &mut ImageWriter<W>,
) -> Result<[u8; 2], BuildFailure> {
    out.width(rule.length)?;
    out.width(rule.rule.0)?;
    let anchored = matches!(rule.tail, Tail::End | Tail::WildEnd);
    out.byte(if anchored { ANCHORED } else { 0 })?;
    let prefix = prefix(rule);
    write_len(prefix.len(), out)?;
    out.bytes(prefix)?;
    let mut rarest = Pair {
        commonness: u32::MAX,
        at: 0,
        bytes: [b'/'; 2],
    };
    for piece in rule.pieces() {
        let pair = rarest_pair(piece);
        write_len(piece.len(), out)?;
        out.byte(pair.at)?;
        out.bytes(piece)?;
        if pair.commonness < rarest.commonness {
            rarest = pair;
        }
    }
    out.byte(0)?;
    Ok(rarest.bytes)
}

/// Writes a length as LEB128.
fn write_len<W: Width>(mut len: usize, out: &mut ImageWriter<W>) -> Result<(), BuildFailure> {
    while len >= 0x80 {
        out.byte(len as u8 | 0x80)?;
        len >>= 7;
    }
    out.byte(len as u8)
}

/// Two bytes that stand side by side in a piece.
struct Pair {
    /// How common they are in the paths of URLs, roughly. A byte twice counts as that byte alone.
    commonness: u32,
    /// Where the first stands.
    at: u8,
    bytes: [u8; 2],
}

/// The pair of bytes of a piece that is rarest in URLs, among the first 255; of a piece of one byte, that byte twice.
fn rarest_pair(piece: &[u8]) -> Pair {
    let weight = |byte: u8| u32::from(WEIGHTS.get(usize::from(byte)).copied().unwrap_or(1));
    let commonness = |first: u8, second: u8| {
        weight(first) * weight(second) * if first == second { 4 } else { 1 }
    };
    // As one number, the least is found without branches.
    let pairs = piece.iter().zip(piece.iter().skip(1)).zip(0..=254);
    let ranks = pairs.map(|((first, second), at)| commonness(*first, *second) << 8 | at);
    let at = ranks.min().map_or(0, |rank| rank as u8);
    let first = piece.get(usize::from(at)).copied().unwrap_or(0);
    let second = piece.get(usize::from(at) + 1).copied().unwrap_or(first);
    Pair {
        commonness: commonness(first, second),
        at,
        bytes: [first, second],
    }
}

/// How common a byte is, 1 to 12.
const WEIGHTS: [u8; 256] = {
    let mut weights = [1; 256];
    let mut byte = 0;
    while byte < 128 {
        #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            weights[byte] = match byte as u8 {
                b'/' | b'e' | b'a' | b'i' | b'o' | b't' | b's' | b'r' | b'n' => 12,
                b'-' | b'.' | b'c' | b'd' | b'l' | b'm' | b'p' | b'u' | b'h' => 8,
                b'0'..=b'9' | b'b' | b'f' | b'g' | b'w' | b'y' => 6,
                b'a'..=b'z' => 3,
                b'A'..=b'Z' | b'_' | b'=' | b'%' => 2,
                _ => 1,
            };
        }
        byte += 1;
    }
    weights
};
