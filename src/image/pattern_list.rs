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
    /// In order of priority.
    rules: Vec<u32>,
}

impl<'l> ListWriter<'l> {
    /// `rules`: the numbers of the rules.
    pub(crate) fn new(patterns: &'l Patterns<'l>, mut rules: Vec<u32>) -> ListWriter<'l> {
        // Every number is one of a rule.
        rules.sort_unstable_by_key(|rule| {
            let rule = patterns.get(*rule).ok();
            Reverse(rule.map(|rule| rule.priority(patterns.dialect)))
        });
        ListWriter { patterns, rules }
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
            let key = |rule: u32| {
                let prefix = self.patterns.prefix(rule)?;
                Ok(simd::first_word(prefix.get(1..).unwrap_or_default()).to_le_bytes())
            };
            for rule in &self.rules {
                let [a, b, c, d, ..] = key(*rule)?;
                out.bytes(&[a, b, c, d])?;
            }
            for rule in &self.rules {
                let [.., a, b, c, d] = key(*rule)?;
                out.bytes(&[a, b, c, d])?;
            }
            for rule in &self.rules {
                out.bytes(&pair_of(&self.patterns.get(*rule)?))?;
            }
        }
        let offsets = out.end();
        out.zeros(self.rules.len() * W::LEN)?;
        for (number, rule) in self.rules.iter().enumerate() {
            out.patch(offsets + number * W::LEN, out.offset()?)?;
            write_rule(&self.patterns.get(*rule)?, out)?;
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
        // Of each rule the bucket of its key, if that has this length.
        let mut buckets: Vec<u16> = Vec::new();
        let mut count = 0;
        for rule in &self.rules {
            count += usize::from(key_len(&self.patterns.get(*rule)?) == len);
        }
        if count == 0 {
            return out.byte(0);
        }
        let bits = (usize::BITS - count.leading_zeros()).clamp(1, MAX_BITS);
        // How often the keys that rules could have occur: the rarest says most.
        let mut frequency = zeroed(1 << bits)?;
        for rule in &self.rules {
            let rule = self.patterns.get(*rule)?;
            if key_len(&rule) == len {
                for key in keys(&rule, len) {
                    let count = frequency.get_mut(hash(key, bits));
                    *count.ok_or(BuildFailure::Defect)? += 1;
                }
            }
        }
        let room = buckets.try_reserve_exact(self.rules.len());
        room.map_err(|_| BuildFailure::Memory)?;
        let mut starts = zeroed((1 << bits) + 1)?;
        out.byte(bits as u8)?;
        let marks = out.end();
        out.zeros(1 << (bits + MARK_BITS - 3))?;
        for rule in &self.rules {
            let rule = self.patterns.get(*rule)?;
            if key_len(&rule) != len {
                buckets.push(NO_BUCKET);
                continue;
            }
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
    let mut counts = Vec::new();
    counts
        .try_reserve_exact(len)
        .map_err(|_| BuildFailure::Memory)?;
    counts.resize(len, 0);
    Ok(counts)
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

fn write_rule<W: Width>(rule: &Pattern<'_>, out: &mut ImageWriter<W>) -> Result<(), BuildFailure> {
    out.width(rule.length)?;
    out.width(rule.rule.0)?;
    let anchored = matches!(rule.tail, Tail::End | Tail::WildEnd);
    out.byte(if anchored { ANCHORED } else { 0 })?;
    let prefix = prefix(rule);
    write_len(prefix.len(), out)?;
    out.bytes(prefix)?;
    for piece in rule.pieces() {
        write_len(piece.len(), out)?;
        out.byte(rarest_pair(piece) as u8)?;
        out.bytes(piece)?;
    }
    out.byte(0)
}

/// Writes a length as LEB128.
fn write_len<W: Width>(mut len: usize, out: &mut ImageWriter<W>) -> Result<(), BuildFailure> {
    while len >= 0x80 {
        out.byte(len as u8 | 0x80)?;
        len >>= 7;
    }
    out.byte(len as u8)
}

/// Two bytes that stand side by side in whatever the rule matches; the one byte twice, if no piece
/// has two. For a rule without pieces it is the `/` of every path.
fn pair_of(rule: &Pattern<'_>) -> [u8; 2] {
    let rarest = |piece: &[u8]| {
        let at = rarest_pair(piece);
        let first = piece.get(at).copied().unwrap_or(0);
        [first, piece.get(at + 1).copied().unwrap_or(first)]
    };
    rule.pieces()
        .map(rarest)
        .min_by_key(|pair| commonness(pair))
        .unwrap_or([b'/'; 2])
}

/// Where the pair of bytes that is rarest in URLs stands in a piece; at most 254.
fn rarest_pair(piece: &[u8]) -> usize {
    let pairs = piece.windows(2).take(255).map(commonness).enumerate();
    pairs
        .min_by_key(|(_, commonness)| *commonness)
        .map_or(0, |(at, _)| at)
}

/// How common bytes are in the paths of URLs, roughly. A byte twice counts as that byte alone.
#[inline]
fn commonness(pair: &[u8]) -> u32 {
    let weight = |byte: u8| u32::from(WEIGHTS.get(usize::from(byte)).copied().unwrap_or(1));
    match pair {
        [first, second] if first == second => weight(*first) * weight(*first) * 4,
        [first, second] => weight(*first) * weight(*second),
        _ => pair.first().map_or(0, |byte| weight(*byte) * 12),
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
