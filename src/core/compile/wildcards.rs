//! Writes the list of the wildcard rules, and the n-gram index of a long list.

use core::cmp::Reverse;

use super::output::{Output, merge_equal};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{RawRule, RulePath, RuleText};
use crate::bytes::simd;
use crate::bytes::try_alloc::zeros;
use crate::core::image::{
    ANCHORED, KEY_LENS, LONGEST_WITHOUT_INDEX, MARK_BITS, MAX_BITS, NUMBER, hash, marks_len,
};

pub(super) struct WildcardWriter<'w, 'o, 't> {
    pub(super) text: RuleText<'t>,
    pub(super) dialect: Dialect,
    pub(super) out: &'w mut Output<'o>,
}

impl<'t> WildcardWriter<'_, '_, 't> {
    /// Writes the list of the wildcard rules. Returns the offset of the list; 0 if there are no rules.
    #[allow(clippy::indexing_slicing, reason = "merging adds no rules")]
    pub(super) fn write(&mut self, rules: &mut [RawRule]) -> Result<usize, Error> {
        if rules.is_empty() {
            return Ok(0);
        }
        let mut count = rules.len();
        if count > LONGEST_WITHOUT_INDEX {
            count = merge_equal(rules, self.text, self.dialect);
        }
        let rules = &mut rules[..count];
        rules.sort_unstable_by_key(|rule| Reverse(rule.priority(self.dialect)));
        let has_index = count > LONGEST_WITHOUT_INDEX;
        let list = self.out.end();
        let lengths = rules.iter().map(|rule| self.text.path(rule).length());
        self.out.number(lengths.max().unwrap_or(0));
        self.out.number(count);
        let index = self.out.end();
        self.out.number(0);
        if !has_index {
            self.keys(rules);
        }
        let pairs = self.out.end();
        self.out.zeros(if has_index { 0 } else { count * 2 });
        let offsets = self.out.end();
        self.out.zeros(count * NUMBER);
        for (number, rule) in rules.iter().enumerate() {
            self.out
                .set_number(offsets + number * NUMBER, self.out.end());
            let pair = self.rule(rule);
            if !has_index {
                self.out.set(pairs + number * 2, pair);
            }
        }
        if has_index {
            self.out.set_number(index, self.out.end());
            self.index(rules)?;
        }
        Ok(list)
    }

    /// Writes bytes 1 to 8 of the prefixes, as two columns of four bytes.
    fn keys(&mut self, rules: &[RawRule]) {
        for half in [0, 32] {
            for rule in rules {
                let prefix = self.text.path(rule).prefix();
                let key = simd::first_word(prefix.get(1..).unwrap_or_default());
                self.out.number((key >> half) as u32 as usize);
            }
        }
    }

    /// Writes a rule. Returns the rarest pair of adjacent bytes in the pieces of the rule. Every matching path has this pair.
    /// For a piece of one byte, the pair is this byte twice. For a rule without pieces, the pair is `/` twice, because every
    /// path has a `/`.
    fn rule(&mut self, rule: &RawRule) -> [u8; 2] {
        let path = self.text.path(rule);
        self.out.number(path.length());
        self.out.number(rule.rule.0 as usize);
        self.out.byte(if path.ends() { ANCHORED } else { 0 });
        let prefix = prefix(&path);
        self.out.leb128(prefix.len());
        self.out.bytes(prefix);
        let mut rarest = Pair {
            commonness: u32::MAX,
            at: 0,
            bytes: [b'/'; 2],
        };
        for piece in path.pieces() {
            let pair = rarest_pair(piece);
            self.out.leb128(piece.len());
            self.out.byte(pair.at);
            self.out.bytes(piece);
            if pair.commonness < rarest.commonness {
                rarest = pair;
            }
        }
        self.out.byte(0);
        rarest.bytes
    }

    /// Writes the index. Each n-gram of all rules is counted in its bucket. The key of a rule is the rule's n-gram whose bucket
    /// has the lowest count. An n-gram that many rules have, such as `.php`, is also in many paths, and would be a bad key.
    #[allow(
        clippy::indexing_slicing,
        reason = "a hash of b bits is below 2^b; every rule has one bucket"
    )]
    fn index(&mut self, rules: &[RawRule]) -> Result<(), Error> {
        let mut key_lens: Vec<u8> = zeros(rules.len())?;
        let mut keys: Vec<u32> = zeros(rules.len())?;
        for (rule, len) in rules.iter().zip(&mut key_lens) {
            *len = key_len(&self.text.path(rule)) as u8;
        }
        for len in KEY_LENS {
            let is_of_len = |of: &u8| usize::from(*of) == len;
            let count = key_lens.iter().filter(|of| is_of_len(of)).count();
            if count == 0 {
                self.out.byte(0);
                continue;
            }
            let bits = count.ilog2().clamp(1, MAX_BITS);
            let mut ends: Vec<u32> = zeros(1 << bits)?;
            let mut frequency: Vec<u32> = zeros(1 << bits)?;
            for (rule, of) in rules.iter().zip(&key_lens) {
                if is_of_len(of) {
                    let path = self.text.path(rule);
                    windows(&path, len).for_each(|key| frequency[hash(key, bits)] += 1);
                }
            }
            self.out.byte(bits as u8);
            let marks = self.out.end();
            self.out.zeros(marks_len(bits));
            for ((rule, of), key) in rules.iter().zip(&key_lens).zip(&mut keys) {
                if is_of_len(of) {
                    let path = self.text.path(rule);
                    let chosen = windows(&path, len).min_by_key(|key| frequency[hash(*key, bits)]);
                    *key = chosen.unwrap_or(u32::from(b'/'));
                    ends[hash(*key, bits)] += 1;
                    self.out.mark(marks, hash(*key, bits + MARK_BITS));
                }
            }
            let mut end = 0;
            for count in &mut ends {
                self.out.number(end as usize);
                // `ends` becomes the place of each bucket's next rule number.
                end += core::mem::replace(count, end);
            }
            self.out.number(end as usize);
            let numbers = self.out.end();
            self.out.zeros(count * NUMBER);
            // Rules are numbered in order of priority, so the numbers of a bucket are in order of priority, too.
            for (number, (key, of)) in keys.iter().zip(&key_lens).enumerate() {
                if is_of_len(of) {
                    let next = &mut ends[hash(*key, bits)];
                    self.out
                        .set_number(numbers + *next as usize * NUMBER, number);
                    *next += 1;
                }
            }
        }
        Ok(())
    }
}

/// Returns the prefix of a rule. If the rule has neither prefix nor pieces, returns `/`, which every path starts with.
fn prefix<'t>(path: &RulePath<'t>) -> &'t [u8] {
    match path.prefix() {
        [] if path.pieces().next().is_none() => b"/",
        prefix => prefix,
    }
}

/// Returns the texts that may contain the key of a rule: its pieces and its prefix. A prefix of less than four bytes is left
/// out if there are pieces, because too many paths start with it.
fn key_texts<'t>(path: &RulePath<'t>) -> impl Iterator<Item = &'t [u8]> + use<'t> {
    let [.., longest] = KEY_LENS;
    let prefix = prefix(path);
    let has_keys = prefix.len() >= longest || path.pieces().next().is_none();
    has_keys.then_some(prefix).into_iter().chain(path.pieces())
}

/// Returns the length of a rule's key: the longest length of [`KEY_LENS`] that fits a piece or the prefix.
fn key_len(path: &RulePath<'_>) -> usize {
    let longest = key_texts(path).map(<[u8]>::len).max().unwrap_or(0);
    let mut lens = KEY_LENS.into_iter().rev();
    lens.find(|len| *len <= longest).unwrap_or(1)
}

/// Returns the keys that a rule may have: the n-grams of `len` bytes that each matching path has.
fn windows(path: &RulePath<'_>, len: usize) -> impl Iterator<Item = u32> {
    let windows = key_texts(path).flat_map(move |text| text.windows(len));
    windows.map(|bytes| simd::first_word(bytes) as u32)
}

/// Two adjacent bytes of a piece.
struct Pair {
    /// Estimate of the pair's frequency in the paths of URLs.
    commonness: u32,
    /// Offset in the piece.
    at: u8,
    bytes: [u8; 2],
}

/// Returns the rarest of the first 255 pairs of a piece, whose offsets fit a byte. For a piece of one byte, the pair is this
/// byte twice.
fn rarest_pair(piece: &[u8]) -> Pair {
    let weight = |byte: u8| u32::from(WEIGHTS.get(usize::from(byte)).copied().unwrap_or(1));
    let commonness = |first: u8, second: u8| {
        weight(first) * weight(second) * if first == second { 4 } else { 1 }
    };
    // Commonness and offset form one number, because the minimum of such numbers needs no branch.
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

/// Estimated frequencies of bytes in the paths of URLs, in six classes. A search starts from the pair with the lowest product
/// of weights, so a wrong estimate costs only time.
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
