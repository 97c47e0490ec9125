//! Finds the pieces of wildcard rules in one path, in bounded time for any rules.
//!
//! A check may search one path for the pieces of 50,000 rules. Two algorithms share the work:
//!
//! 1. A **packed-pair prefilter** ([`simd::find`]) on the rarest pair of a piece, and the Two-Way search of `memchr` if the
//!    pair is common. This algorithm prepares nothing for the path, and ordinary checks use no other.
//! 2. **Karp-Rabin fingerprints** of windows of 8 and of 32 bytes, with an **inverted index**: the blocks of 64 positions in
//!    which each fingerprint occurs. Fingerprints and index are computed when the first algorithm has spent its budget of
//!    steps.
//!
//! # Fingerprints
//!
//! For each position of the path, the scratch memory has two bytes: a hash of the next 8 bytes of the path, and a hash of the
//! next 32 bytes. Windows cover a piece: one after the other from its start, and one at its end. Example: `/forum/thread?id=`
//! of 17 bytes has windows of 8 bytes at 0, 8 and 9. Let d be the offset of a window in the piece. A position p of the path is
//! a candidate if, for each window, the fingerprint of the window equals the fingerprint at p + d. [`simd::find_all`] compares
//! a block of 64 positions per step. The windows cover the whole piece, so repetitive text causes no false candidates, except
//! hash collisions.
//!
//! The index has a bitmap for each fingerprint, with a bit for each block. Shifting the bitmap of a window by the window's
//! offset in the piece gives the blocks where the piece may start. A shifted block can overlap two blocks. A piece can start
//! only in blocks that the shifted bitmaps of all its windows have in common. A word of a bitmap covers 4,096 positions. On the
//! hardest known rules, the index makes a check five times as fast.
//!
//! The hash is multilinear: a sum of products with secret seeds, so that nobody can choose colliding pieces in advance. The
//! seeds come from memory addresses. A WebAssembly module has the same addresses in every process, so there the host adds a
//! random number ([`host_seed`]). A collision costs only time, because each candidate is compared with the piece. When there
//! are more false candidates than bytes in the path, the fingerprints are computed again with other seeds, at most
//! [`MAX_RESEEDS`] times.
//!
//! # Bound
//!
//! Let n be the length of the path, R the number of rules that are tried, and m the total length of their pieces.
//! - Before the switch to fingerprints: a budget of O(n) steps, and one more search of O(n), which exceeds the budget.
//! - Computing the fingerprints: O(n).
//! - After the switch: each rule passes over the path once, from left to right, and each of its pieces passes over a different
//!   part of the path. Let w be the maximum number of windows of a piece of the rule. The rule takes at most w n / 64 steps.
//!   Over all rules, the sum of w is at most m / 32 + 7 R.
//! - A piece of more than 4,096 bytes takes a Two-Way search, O(n + m). A file of 500 KiB has room for 124 pieces of this
//!   length.
//! - A fingerprint has 8 bits, so a position is a false candidate with a probability of at most 2^-8. A rule has at most n / 256
//!   false candidates on average.
//!
//! So a decision takes O(n (R + m) / 64) on average over the seeds, for any input.

use core::ops::Range;

use memchr::{memchr, memmem};

use crate::bytes::chunks::as_chunks;
use crate::bytes::{host_seed, simd};
use crate::core::image::Piece;

/// Returns the number of bytes of scratch memory for a path of `len` bytes: 48 KiB for a path of 16 KiB.
pub(crate) const fn scratch_len(len: usize) -> usize {
    2 * (len + MAP * map_words(len) * WORD)
}

/// Returns the number of words of the bitmap of one fingerprint.
const fn map_words(len: usize) -> usize {
    len.div_ceil(PER_WORD)
}

/// Number of bitmaps: one for each value of a fingerprint.
const MAP: usize = 1 << 8;

const WORD: usize = size_of::<u64>();

/// The number of positions that a word of a bitmap covers.
const PER_WORD: usize = 64 * simd::BLOCK;

/// A search for pieces in one path, which counts its steps.
pub(crate) struct PieceSearch<'p> {
    path: &'p [u8],
    /// Number of steps so far. A step examines [`simd::BLOCK`] bytes, or has about the same cost.
    pub(super) steps: usize,
    scratch: &'p mut [u8],
    fingerprints: Option<Fingerprints>,
    /// The scratch was too short for the fingerprints. Later results may be wrong.
    pub(crate) lacks_scratch: bool,
}

/// The budget of steps without fingerprints for an empty path; each byte of a path adds two. Any value from 1,024 to 16,384
/// changes the total time of all hostile files by at most 1 %.
const MIN_BUDGET: usize = 4096;

// The step counts below and in `wildcard` are estimates. Halving or doubling one of them does not change the time of hostile
// files.

/// The number of steps that a search takes before it examines a byte.
const STEPS_PER_SEARCH: usize = 2;

/// The number of steps per byte of a Two-Way search: on hostile text, a byte takes several nanoseconds.
const STEPS_PER_TWO_WAY_BYTE: usize = 8;

/// The number of bitmap words that count as one step: each word takes two loads and two shifts.
const ROWS_PER_STEP: usize = 4;

/// The number of steps for a false candidate: a comparison with the piece, and a restart of the scan.
const STEPS_PER_MISS: usize = 4;

impl<'p> PieceSearch<'p> {
    /// Returns a search. `scratch`: [`scratch_len`] bytes; with fewer bytes, the search may set `lacks_scratch`.
    #[inline]
    pub(crate) fn new(path: &'p [u8], scratch: &'p mut [u8]) -> PieceSearch<'p> {
        PieceSearch {
            path,
            steps: 0,
            scratch,
            fingerprints: None,
            lacks_scratch: false,
        }
    }

    /// Counts steps of other work on the same path.
    #[inline]
    pub(crate) fn count(&mut self, steps: usize) {
        self.steps = self.steps.saturating_add(steps);
    }

    /// Returns whether the steps so far exceed the budget, so that fingerprints save time.
    #[inline]
    pub(crate) fn is_over_budget(&self) -> bool {
        self.steps > MIN_BUDGET + 2 * self.path.len()
    }

    /// Returns whether the path starts with `prefix` and then has the pieces in their order. If `is_anchored`, the last piece
    /// must be at the end of the path. Each piece matches at its first occurrence, so there is no backtracking.
    #[inline(always)]
    pub(crate) fn matches<'r>(
        &mut self,
        prefix: &[u8],
        pieces: &mut impl Iterator<Item = Piece<'r>>,
        is_anchored: bool,
    ) -> bool {
        self.count(prefix.len() / simd::BLOCK);
        // Every path starts with `/`, so a prefix of one byte matches.
        if prefix.len() > 1 && !self.path.starts_with(prefix) {
            return false;
        }
        let mut at = prefix.len();
        let mut next = pieces.next();
        if next.is_none() {
            return !is_anchored || at == self.path.len();
        }
        while let Some(piece) = next {
            next = pieces.next();
            if is_anchored && next.is_none() {
                let rest = self.path.get(at..);
                return rest.is_some_and(|rest| rest.ends_with(piece.bytes));
            }
            match self.find(at, piece) {
                Some(after) => at = after,
                None => return false,
            }
        }
        true
    }

    /// Returns the end of the first occurrence of a piece at or after `from`.
    #[inline]
    fn find(&mut self, from: usize, piece: Piece<'_>) -> Option<usize> {
        let rest = self.path.get(from..)?;
        let Piece { bytes, rarest } = piece;
        let found = match bytes {
            [byte] => memchr(*byte, rest),
            _ if self.is_over_budget() => {
                self.count(STEPS_PER_SEARCH);
                return Some(from + self.find_prepared(from, bytes)? + bytes.len());
            }
            _ => simd::find(rest, bytes, rarest).unwrap_or_else(|| self.find_two_way(from, bytes)),
        };
        let passed = found.unwrap_or(rest.len());
        self.count(STEPS_PER_SEARCH + passed / simd::BLOCK);
        Some(from + found? + bytes.len())
    }

    /// Returns the distance from `from` to the first occurrence of `piece`, by a Two-Way search.
    #[cold]
    fn find_two_way(&mut self, from: usize, piece: &[u8]) -> Option<usize> {
        let rest = self.path.get(from..)?;
        // Without this test, `memmem` would prepare a search before it compares the lengths.
        if piece.len() > rest.len() {
            return None;
        }
        let found = memmem::find(rest, piece);
        self.count((piece.len() + found.unwrap_or(rest.len())) * STEPS_PER_TWO_WAY_BYTE);
        found
    }

    /// Returns the distance from `from` to the first occurrence of `piece`, by fingerprints.
    #[inline(never)]
    fn find_prepared(&mut self, from: usize, piece: &[u8]) -> Option<usize> {
        if piece.len() > MAX_PIECE {
            return self.find_two_way(from, piece);
        }
        let path = self.path;
        // This test is worth its cost, because pieces of hostile files are often short and occur at every position.
        if path.get(from..)?.starts_with(piece) {
            return Some(0);
        }
        let Some(scratch) = self.scratch.get_mut(..scratch_len(path.len())) else {
            self.lacks_scratch = true;
            return None;
        };
        let fingerprints = match &mut self.fingerprints {
            Some(fingerprints) => fingerprints,
            none => none.insert(Fingerprints::new(path, scratch)),
        };
        let (found, steps) = match piece.len() {
            0..=COMMON_PIECE => {
                fingerprints.find::<{ COMMON_PIECE / LONG }>(path, scratch, from, piece)?
            }
            _ => fingerprints.find::<{ MAX_PIECE / LONG }>(path, scratch, from, piece)?,
        };
        self.count(steps);
        found
    }
}

/// The longest piece that is searched for by fingerprints, in bytes: 128 long windows, whose probes take 512 bytes of stack.
const MAX_PIECE: usize = 1 << 12;

/// The longest piece whose windows fit the short array of probes, in bytes. Zeroing the long array for every piece would cost
/// time.
const COMMON_PIECE: usize = 1 << 10;

/// The lengths of the windows that have fingerprints. A long window covers four short windows, so a long piece needs a quarter
/// of the probes.
const SHORT: usize = 8;
const LONG: usize = 32;

/// The maximum number of times that the seeds change. Unlucky seeds are rare, so more changes would not help.
const MAX_RESEEDS: u8 = 8;

/// The seeds of the fingerprints of one path. The fingerprints are in the scratch.
struct Fingerprints {
    /// State of the generator that makes the seeds.
    random: u64,
    /// The summand of the hash, then one factor for each four bytes of a window.
    seeds: [u64; 1 + LONG / 4],
    /// Number of false candidates since the seeds changed.
    misses: usize,
    reseeds: u8,
}

impl Fingerprints {
    fn new(path: &[u8], scratch: &mut [u8]) -> Fingerprints {
        let mut fingerprints = Fingerprints {
            random: 0,
            seeds: [0; 1 + LONG / 4],
            misses: 0,
            reseeds: 0,
        };
        // Both addresses differ between processes if the system loads programs at random addresses.
        let stack = core::ptr::from_ref(&fingerprints).addr() as u64;
        let path_start = path.as_ptr().addr() as u64;
        fingerprints.random = stack ^ path_start.rotate_left(32) ^ host_seed::get();
        fingerprints.reset(path, scratch);
        fingerprints
    }

    /// Computes the fingerprints with new seeds. The first half of the scratch is for short windows, the second half for long
    /// windows. In each half, the bitmaps follow the fingerprints.
    fn reset(&mut self, path: &[u8], scratch: &mut [u8]) {
        self.seeds = self.seeds.map(|_| split_mix(&mut self.random));
        self.misses = 0;
        scratch.fill(0);
        let stride = map_words(path.len()) * WORD;
        let halves = scratch.split_at_mut(scratch_len(path.len()) / 2);
        for (half, len) in [(halves.0, SHORT), (halves.1, LONG)] {
            let (bytes, map) = half.split_at_mut(path.len());
            for (at, (place, window)) in bytes.iter_mut().zip(path.windows(len)).enumerate() {
                *place = self.of(window);
                let block = at / simd::BLOCK;
                if let Some(bits) = map.get_mut(usize::from(*place) * stride + block / 8) {
                    *bits |= 1 << (block % 8);
                }
            }
        }
    }

    /// Returns the fingerprint of a window.
    #[inline(always)]
    fn of(&self, window: &[u8]) -> u8 {
        let [summand, factors @ ..] = &self.seeds;
        let words = as_chunks::<4>(window).0.iter().zip(factors);
        let sum = words.fold(*summand, |sum, (word, factor)| {
            sum.wrapping_add(u64::from(u32::from_le_bytes(*word)).wrapping_mul(*factor))
        });
        (sum >> 56) as u8
    }

    /// Returns the distance from `from` to the first occurrence of `piece`, and the number of steps; `None` if the piece is
    /// longer than the path. `piece`: has at least two bytes, and at most `WINDOWS` long windows.
    fn find<const WINDOWS: usize>(
        &mut self,
        path: &[u8],
        scratch: &mut [u8],
        from: usize,
        piece: &[u8],
    ) -> Option<(Option<usize>, usize)> {
        let last = path.len().checked_sub(piece.len())?;
        if self.misses > path.len() && self.reseeds < MAX_RESEEDS {
            self.reseeds += 1;
            self.reset(path, scratch);
        }
        let (short, long) = scratch.split_at_checked(scratch_len(path.len()) / 2)?;
        let (half, window) = match piece.len() {
            LONG.. => (long, LONG),
            SHORT.. => (short, SHORT),
            // A shorter piece has windows of one byte. Each byte is its own fingerprint, and there is no bitmap.
            _ => (path, 1),
        };
        let (bytes, map) = half.split_at_checked(path.len())?;
        // The last window may overlap the window before it.
        let mut probes = [(0, 0); WINDOWS];
        let count = piece.len().div_ceil(window);
        for (number, probe) in probes.iter_mut().take(count).enumerate() {
            let at = (number * window).min(piece.len() - window);
            let fingerprint = match piece.get(at..at + window)? {
                [byte] => *byte,
                bytes => self.of(bytes),
            };
            *probe = (at as u16, fingerprint);
        }
        let probes = probes.get(..count)?;
        let mut steps = count;
        let mut scan = |range: Range<usize>, steps: &mut usize| {
            let mut start = range.start;
            while start < range.end {
                let at = simd::find_all(bytes, start..range.end, probes);
                *steps += 1 + (at.unwrap_or(range.end) - start) / simd::BLOCK * count;
                let at = at?;
                if path.get(at..).is_some_and(|rest| rest.starts_with(piece)) {
                    return Some(at - from);
                }
                self.misses += 1;
                *steps += STEPS_PER_MISS;
                start = at + 1;
            }
            None
        };
        if map.is_empty() {
            let found = scan(from..last + 1, &mut steps);
            return Some((found, steps));
        }
        let stride = map_words(path.len()) * WORD;
        for word in from / PER_WORD..=last / PER_WORD {
            let first = word * PER_WORD;
            // Blocks before `from` are excluded.
            let mut blocks = !0 << (from.saturating_sub(first) / simd::BLOCK);
            let mut rows = 0;
            for (at, byte) in probes {
                let row = map.get(usize::from(*byte) * stride..)?.get(..stride)?;
                blocks &= blocks_with(row, word, usize::from(*at));
                rows += 1;
                if blocks == 0 {
                    break;
                }
            }
            steps += 1 + rows / ROWS_PER_STEP;
            while blocks != 0 {
                let block = first + blocks.trailing_zeros() as usize * simd::BLOCK;
                blocks &= blocks - 1;
                let end = (block + simd::BLOCK).min(last + 1);
                let found = scan(from.max(block)..end, &mut steps);
                if found.is_some() {
                    return Some((found, steps));
                }
            }
        }
        Some((None, steps))
    }
}

/// Returns a bit for each of the 64 blocks of a word, set if the piece may start in the block. `row`: the blocks that have the
/// fingerprint of a window of the piece. `distance`: the offset of this window in the piece.
#[inline(always)]
fn blocks_with(row: &[u8], word: usize, distance: usize) -> u64 {
    let word_at = |number: usize| {
        let word = row.get(number * WORD..).and_then(|rest| rest.first_chunk());
        word.map_or(0, |bytes| u128::from(u64::from_le_bytes(*bytes)))
    };
    let bits = word_at(word) | word_at(word + 1) << 64;
    let first = bits >> (distance / simd::BLOCK);
    // If a piece starts in one block, its window starts in one of two adjacent blocks. If the distance is a multiple of 64,
    // both are the same block.
    let second = bits >> distance.div_ceil(simd::BLOCK);
    (first | second) as u64
}

/// Returns the next number of the SplitMix64 generator.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            (split_mix(&mut self.0) >> 33) as usize % bound
        }

        /// Returns text of a small alphabet, so that its parts repeat.
        fn text(&mut self, max: usize, letters: usize) -> Vec<u8> {
            (0..self.below(max + 1))
                .map(|_| b'a' + self.below(letters) as u8)
                .collect()
        }
    }

    /// Returns a part of `path`, or a part of `path` with one byte changed.
    fn piece(random: &mut Random, path: &[u8], letters: usize) -> Vec<u8> {
        let start = random.below(path.len());
        let len = 1 + random.below((path.len() - start).min(80));
        let mut piece = path[start..start + len].to_vec();
        if random.below(2) == 0 {
            let at = random.below(len);
            piece[at] = b'a' + random.below(letters) as u8;
        }
        piece
    }

    #[test]
    fn agrees_with_a_naive_search() {
        let mut random = Random(1);
        for _ in 0..3_000 {
            let letters = 1 + random.below(3);
            let path = [random.text(300, letters), vec![b'a']].concat();
            let mut scratch = vec![0; scratch_len(path.len())];
            let mut search = PieceSearch::new(&path, &mut scratch);
            for turn in 0..40 {
                if turn == 10 {
                    search.count(MIN_BUDGET + 2 * path.len());
                }
                let bytes = piece(&mut random, &path, letters);
                let from = random.below(path.len());
                let naive = path[from..]
                    .windows(bytes.len())
                    .position(|window| window == bytes)
                    .map(|at| from + at + bytes.len());
                let rarest = random.below(bytes.len().max(2) - 1);
                let piece = Piece {
                    bytes: &bytes,
                    rarest,
                };
                assert_eq!(search.find(from, piece), naive, "{bytes:?} in {path:?}");
            }
        }
    }

    /// Tests the lengths from which another search is used, with pieces of the path and with pieces whose last byte differs.
    #[test]
    fn finds_long_pieces() {
        let mut random = Random(2);
        let path: Vec<u8> = (0..9_000).map(|_| b'a' + random.below(2) as u8).collect();
        let mut scratch = vec![0; scratch_len(path.len())];
        let mut search = PieceSearch::new(&path, &mut scratch);
        search.count(MIN_BUDGET + 2 * path.len());
        for len in [COMMON_PIECE, COMMON_PIECE + 1, MAX_PIECE, MAX_PIECE + 1] {
            let mut bytes = path[len..2 * len].to_vec();
            for found in [Some(2 * len), None] {
                let piece = Piece {
                    bytes: &bytes,
                    rarest: 0,
                };
                assert_eq!(search.find(0, piece), found, "{len}");
                bytes[len - 1] ^= 3;
            }
        }
    }

    #[test]
    fn a_search_over_its_budget_needs_scratch() {
        let path = [b'a'; 100];
        let piece = |bytes| Piece { bytes, rarest: 0 };
        let mut search = PieceSearch::new(&path, &mut []);
        search.count(MIN_BUDGET + 201);
        // Pieces longer than the path need no scratch.
        assert_eq!(search.find(0, piece(&[b'a'; MAX_PIECE + 1])), None);
        assert!(!search.lacks_scratch);
        assert_eq!(search.find(0, piece(b"aaab")), None);
        assert!(search.lacks_scratch);
    }

    /// All instances of a WebAssembly module have the same addresses, so their seeds must depend on the number of the host.
    #[test]
    fn seeds_depend_on_the_host() {
        let path = [b'a'; 100];
        let mut scratch = [0; scratch_len(100)];
        let mut random_of = || Fingerprints::new(&path, &mut scratch).random;
        let before = [random_of(), random_of()];
        host_seed::set(0x0123_4567_89AB_CDEF);
        assert_eq!(before[0], before[1]);
        assert_ne!(before[0], random_of());
    }

    /// If all seeds are zero, all windows have the same fingerprint.
    #[test]
    fn false_candidates_cost_steps_and_then_new_seeds() {
        let path = b"badcbadcabcdefgh";
        let mut scratch = [0; scratch_len(16)];
        let unlucky = |scratch: &mut [u8]| {
            let mut fingerprints = Fingerprints::new(path, scratch);
            fingerprints.seeds = [0; 9];
            // Each fingerprint is 0, and each block may have it.
            scratch.fill(u8::MAX);
            scratch.split_at_mut(path.len()).0.fill(0);
            fingerprints
        };
        for (misses, reseeds, after) in [
            (0, 0, 0),
            (16, 0, 0),
            (17, 0, 1),
            (17, MAX_RESEEDS - 1, MAX_RESEEDS),
            (17, MAX_RESEEDS, MAX_RESEEDS),
        ] {
            let mut fingerprints = unlucky(&mut scratch);
            (fingerprints.misses, fingerprints.reseeds) = (misses, reseeds);
            let found = fingerprints.find::<1>(path, &mut scratch, 0, b"abcdefgh");
            let (found, steps) = found.unwrap();
            assert_eq!((found, fingerprints.reseeds), (Some(8), after));
            let is_reset = after > reseeds;
            assert!(is_reset || steps == 11 + 8 * STEPS_PER_MISS);
            assert!(is_reset || fingerprints.misses == misses + 8);
            assert_eq!(fingerprints.seeds == [0; 9], !is_reset);
        }
    }
}
