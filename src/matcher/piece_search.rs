//! Finds the pieces of wildcard rules in one path, in bounded time whatever the rules are.
//!
//! A decision may search one path for the pieces of 50,000 rules. Two algorithms share that work:
//!
//! 1. A **packed-pair prefilter** ([`simd::find`]) on the rarest pair of a piece, with the Two-Way search of
//!    `memchr` where the pair is common. It needs no preparation: ordinary decisions use nothing else.
//! 2. **Fingerprints of all windows**, after Karp, Miller and Rosenberg (1972). They are built once per path, when
//!    the first algorithm has spent its budget of steps.
//!
//! # Fingerprints
//!
//! For each k, `F_k[p]` is the fingerprint of the window `path[p..p + 2^k]`. Doubling builds one array from the
//! one before: `F_{k+1}[p] = mix(F_k[p], F_k[p + 2^k])`. A piece of length l with 2^k < l <= 2^{k+1} is the union of
//! its first and its last window of 2^k bytes. So it stands at p only if both windows' fingerprints are equal there. The
//! search for a piece is the search for a pair of bytes at a fixed distance, 64 positions per step.
//! It covers the whole piece, so no periodic text gives it candidates that a comparison must reject.
//!
//! `mix` is a product of two sums with a seed (multilinear hashing). The seed comes from an address,
//! so a stranger cannot choose colliding pieces in advance. A collision costs time only: each candidate is compared
//! with the piece. When wrong candidates cost more than the arrays did, the arrays are built again with another seed, at
//! most [`MAX_RESEEDS`] times.
//!
//! # Bound
//!
//! Let n be the length of the path, R the number of rules that are tried, and m the bytes of their pieces.
//! - Before the switch: O(n) steps by the budget, plus one search that is linear in n.
//! - Building: O(n) per k, and at most log2(n) values of k.
//! - After the switch: each rule passes over the path once, from left to right. That takes n / 64 steps of the search,
//!   a constant for each piece, and O(m) for all fingerprints and comparisons of pieces.
//! - A position is a wrong candidate with a probability of 2^-16, or of 2^-8 where one window is equal: at most n / 256
//!   for a rule on average.
//!
//! So a decision takes O(n log n + R n / 64 + m) on average over the seeds, whatever the input. Without memory for the
//! fingerprints the first algorithm goes on.

use memchr::{memchr, memmem};

use crate::util::simd;

/// Searches one path for pieces, and counts the steps that takes.
pub(crate) struct PieceSearch<'p> {
    path: &'p [u8],
    /// Steps so far. A step examines [`simd::BLOCK`] bytes, or does something else of about that cost.
    steps: usize,
    fingerprints: Option<Fingerprints>,
    /// There is no memory for fingerprints.
    is_out_of_memory: bool,
}

/// Steps before the fingerprints of a short path are built.
const MIN_BUDGET: usize = 4096;

/// Steps for a search that examines nothing.
const STEPS_PER_SEARCH: usize = 2;

/// Steps for each byte that the Two-Way search passes over: hostile texts cost it several nanoseconds a byte.
const STEPS_PER_TWO_WAY_BYTE: usize = 8;

/// Steps for a candidate that is wrong.
const STEPS_PER_MISS: usize = 4;

impl<'p> PieceSearch<'p> {
    #[inline]
    pub(crate) fn new(path: &'p [u8]) -> PieceSearch<'p> {
        PieceSearch {
            path,
            steps: 0,
            fingerprints: None,
            is_out_of_memory: false,
        }
    }

    /// The steps so far.
    #[inline]
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// Counts steps of other work on the same path.
    #[inline]
    pub(crate) fn add_steps(&mut self, steps: usize) {
        self.steps = self.steps.saturating_add(steps);
    }

    /// Whether the rules tried so far were so much work that preparing the path pays.
    #[inline]
    fn is_over_budget(&self) -> bool {
        self.steps > MIN_BUDGET + 2 * self.path.len()
    }

    /// Returns where the first occurrence of `piece` at or after `from` ends. `rarest`: offset of the rarest pair in the
    /// piece.
    #[inline]
    pub(crate) fn find(&mut self, from: usize, piece: &[u8], rarest: usize) -> Option<usize> {
        let rest = self.path.get(from..)?;
        let found = match piece {
            [byte] => memchr(*byte, rest),
            _ if self.is_over_budget() => self.find_prepared(from, piece),
            _ => simd::find(rest, piece, rarest).unwrap_or_else(|| self.find_two_way(from, piece)),
        };
        let passed = found.unwrap_or(rest.len());
        self.add_steps(STEPS_PER_SEARCH + passed / simd::BLOCK);
        Some(from + found? + piece.len())
    }

    /// Whether `piece` ends the path and does not start before `from`.
    #[inline]
    pub(crate) fn ends_with(&self, from: usize, piece: &[u8]) -> bool {
        self.path
            .get(from..)
            .is_some_and(|rest| rest.ends_with(piece))
    }

    /// Returns where `piece` first stands after `from`, counted from there.
    #[cold]
    fn find_two_way(&mut self, from: usize, piece: &[u8]) -> Option<usize> {
        let rest = self.path.get(from..)?;
        let found = memmem::find(rest, piece);
        self.add_steps(found.unwrap_or(rest.len()) * STEPS_PER_TWO_WAY_BYTE);
        found
    }

    /// The same by fingerprints.
    #[inline(never)]
    fn find_prepared(&mut self, from: usize, piece: &[u8]) -> Option<usize> {
        if self.fingerprints.is_none() && !self.is_out_of_memory {
            self.fingerprints = Fingerprints::new(self.path);
            self.is_out_of_memory = self.fingerprints.is_none();
        }
        let path = self.path;
        let found = self
            .fingerprints
            .as_mut()
            .and_then(|fingerprints| fingerprints.find(path, from, piece));
        match found {
            Some((found, misses)) => {
                self.add_steps(piece.len() / 4 + misses * STEPS_PER_MISS);
                found
            }
            None => self.find_two_way(from, piece),
        }
    }
}

/// Fingerprints of all windows of one path whose lengths are powers of two.
struct Fingerprints {
    /// The state of the generator of seeds.
    random: u64,
    /// Of each k what [`mix`] adds.
    seeds: [(u32, u32); MAX_LEVEL],
    /// Of each window of the greatest length so far its fingerprint in full.
    windows: Vec<u32>,
    /// At k - 1 the lowest bytes of the fingerprints of all windows of 2^k bytes.
    levels: Vec<Vec<u8>>,
    /// Wrong candidates since the arrays were built.
    misses: usize,
    reseeds: u8,
}

/// The greatest k: longer pieces are too few to matter.
const MAX_LEVEL: usize = 20;

/// How often the arrays are built with other seeds. Unlucky seeds are rare, so more would not help.
const MAX_RESEEDS: u8 = 8;

/// How many windows are mixed together.
const MIXED: usize = 8;

impl Fingerprints {
    /// Those of single bytes; `None` without memory.
    fn new(path: &[u8]) -> Option<Fingerprints> {
        let mut fingerprints = Fingerprints {
            random: 0,
            seeds: [(0, 0); MAX_LEVEL],
            windows: Vec::new(),
            levels: Vec::new(),
            misses: 0,
            reseeds: 0,
        };
        fingerprints.windows.try_reserve_exact(path.len()).ok()?;
        // Both addresses differ from process to process, where the system loads programs at random places.
        let stack = core::ptr::from_ref(&fingerprints).addr() as u64;
        let heap = fingerprints.windows.as_ptr().addr() as u64;
        fingerprints.random = stack ^ heap.rotate_left(32);
        fingerprints.reset(path);
        Some(fingerprints)
    }

    /// Starts again with single bytes and other seeds.
    fn reset(&mut self, path: &[u8]) {
        for seed in &mut self.seeds {
            let random = split_mix(&mut self.random);
            *seed = (random as u32, (random >> 32) as u32);
        }
        // Within the capacity: there are no more windows than bytes.
        self.windows.clear();
        self.windows
            .extend(path.iter().map(|byte| u32::from(*byte)));
        self.levels.clear();
        self.misses = 0;
    }

    /// Returns where `piece`, of at least two bytes, first stands after `from`, counted from there, and the number of wrong
    /// candidates. `None`: it gave up, for want of memory or because the piece is too long.
    fn find(&mut self, path: &[u8], from: usize, piece: &[u8]) -> Option<(Option<usize>, usize)> {
        let Some(last) = path.len().checked_sub(piece.len()) else {
            return Some((None, 0));
        };
        if self.misses > path.len() && self.reseeds < MAX_RESEEDS {
            self.reseeds += 1;
            self.reset(path);
        }
        let k = (piece.len() - 1).ilog2() as usize;
        let tail = piece.len() - (1 << k);
        let (bytes, first, second) = match piece {
            // Two bytes are their own fingerprint.
            [first, second] => (path, *first, *second),
            _ => {
                let first = self.of(piece.get(..1 << k)?)? as u8;
                let second = self.of(piece.get(tail..)?)? as u8;
                (self.level(k)?, first, second)
            }
        };
        let mut start = from;
        let mut misses = 0;
        let mut found = None;
        while let (Some(firsts), Some(seconds)) =
            (bytes.get(start..=last), bytes.get(start + tail..))
        {
            let Some(at) = simd::find_in_both(firsts, first, seconds, second) else {
                break;
            };
            let at = start + at;
            if path.get(at..).is_some_and(|rest| rest.starts_with(piece)) {
                found = Some(at - from);
                break;
            }
            misses += 1;
            start = at + 1;
        }
        self.misses += misses;
        Some((found, misses))
    }

    /// The fingerprint of a piece of 2^k bytes: a binary counter of the windows that wait for their other half.
    fn of(&self, piece: &[u8]) -> Option<u32> {
        let mut waiting = [0; MAX_LEVEL + 1];
        let mut whole = 0;
        for (count, byte) in piece.iter().enumerate() {
            whole = u32::from(*byte);
            let carries = count.trailing_ones() as usize;
            for (first, seed) in waiting.iter().zip(&self.seeds).take(carries) {
                whole = mix(*first, whole, *seed);
            }
            *waiting.get_mut(carries)? = whole;
        }
        Some(whole)
    }

    /// The lowest bytes of the fingerprints of all windows of 2^k bytes; k is not 0.
    fn level(&mut self, k: usize) -> Option<&[u8]> {
        while self.levels.len() < k {
            self.add_level()?;
        }
        self.levels.get(k - 1).map(Vec::as_slice)
    }

    /// Doubles the windows.
    fn add_level(&mut self) -> Option<()> {
        let seed = *self.seeds.get(self.levels.len())?;
        let half = 1 << self.levels.len();
        let count = self.windows.len().saturating_sub(half);
        self.levels.try_reserve(1).ok()?;
        let mut level = Vec::new();
        level.try_reserve_exact(count).ok()?;
        // In place: a window is written after all that read it were. Blocks of windows are loaded before one is
        // stored, and so are mixed together.
        let mut at = 0;
        while at + MIXED <= count {
            let firsts: [u32; MIXED] = *self.windows.get(at..)?.first_chunk()?;
            let seconds: [u32; MIXED] = *self.windows.get(at + half..)?.first_chunk()?;
            let mixed: [u32; MIXED] = core::array::from_fn(|lane| {
                #[allow(clippy::indexing_slicing, reason = "lane < MIXED")]
                mix(firsts[lane], seconds[lane], seed)
            });
            *self.windows.get_mut(at..)?.first_chunk_mut()? = mixed;
            level.extend_from_slice(&mixed.map(|window| window as u8));
            at += MIXED;
        }
        for at in at..count {
            let mixed = mix(*self.windows.get(at)?, *self.windows.get(at + half)?, seed);
            *self.windows.get_mut(at)? = mixed;
            level.push(mixed as u8);
        }
        self.windows.truncate(count);
        self.levels.push(level);
        Some(())
    }
}

/// The fingerprint of a window from those of its halves.
#[inline(always)]
fn mix(first: u32, second: u32, seed: (u32, u32)) -> u32 {
    let product = u64::from(first.wrapping_add(seed.0)) * u64::from(second.wrapping_add(seed.1));
    (product ^ product >> 32) as u32
}

/// The next number of the SplitMix64 generator.
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

        /// Bytes of few letters, so that they repeat.
        fn text(&mut self, max: usize, letters: usize) -> Vec<u8> {
            (0..self.below(max + 1))
                .map(|_| b'a' + self.below(letters) as u8)
                .collect()
        }
    }

    /// A piece of `path`, or one that is close to it.
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
    fn finds_what_a_naive_search_finds() {
        let mut random = Random(1);
        let mut prepared = 0;
        for _ in 0..3_000 {
            let letters = 1 + random.below(3);
            let path = [random.text(300, letters), vec![b'a']].concat();
            let mut search = PieceSearch::new(&path);
            for turn in 0..40 {
                if turn == 10 {
                    search.add_steps(MIN_BUDGET + 2 * path.len());
                    prepared += 1;
                }
                let piece = piece(&mut random, &path, letters);
                let from = random.below(path.len());
                let naive = path[from..]
                    .windows(piece.len())
                    .position(|window| window == piece)
                    .map(|at| from + at + piece.len());
                let rarest = random.below(piece.len().max(2) - 1);
                assert_eq!(
                    search.find(from, &piece, rarest),
                    naive,
                    "{piece:?} in {path:?}"
                );
            }
        }
        assert_eq!(prepared, 3_000);
    }

    #[test]
    fn a_window_has_one_fingerprint_wherever_it_stands() {
        let mut random = Random(2);
        for _ in 0..200 {
            let path = random.text(200, 3);
            let Some(mut fingerprints) = Fingerprints::new(&path) else {
                panic!("no memory");
            };
            for k in 1..7 {
                let level = fingerprints.level(k).unwrap().to_vec();
                assert_eq!(level.len(), (path.len() + 1).saturating_sub(1 << k));
                for (at, window) in path.windows(1 << k).enumerate() {
                    assert_eq!(fingerprints.of(window).unwrap() as u8, level[at]);
                }
            }
        }
    }

    #[test]
    fn a_path_is_prepared_when_its_budget_is_spent() {
        let path = [b'a'; 100];
        let mut search = PieceSearch::new(&path);
        search.add_steps(MIN_BUDGET + 200);
        assert!(!search.is_over_budget());
        assert_eq!(search.find(0, b"aab", 0), None);
        assert!(search.fingerprints.is_none());
        assert!(search.is_over_budget());
        assert_eq!(search.find(0, b"aab", 0), None);
        assert_eq!(search.fingerprints.as_ref().unwrap().levels.len(), 1);
        // It is prepared once.
        assert_eq!(search.find(0, b"ab", 0), None);
        assert_eq!(search.fingerprints.unwrap().levels.len(), 1);
    }

    /// With seeds of zero the halves of a window may change places.
    #[test]
    fn wrong_candidates_cost_steps_and_then_other_seeds() {
        let path = b"badcbadcabcd";
        let unlucky = || {
            let mut fingerprints = Fingerprints::new(path).unwrap();
            fingerprints.seeds = [(0, 0); MAX_LEVEL];
            fingerprints
        };
        let mut search = PieceSearch::new(path);
        search.add_steps(MIN_BUDGET + 25);
        search.fingerprints = Some(unlucky());
        let before = search.steps();
        assert_eq!(search.find(0, b"abcd", 0), Some(12));
        let taken = search.steps() - before;
        assert_eq!(taken, STEPS_PER_SEARCH + 1 + 2 * STEPS_PER_MISS);

        for (misses, reseeds, after) in [
            (0, 0, 0),
            (12, 0, 0),
            (13, 0, 1),
            (13, MAX_RESEEDS - 1, MAX_RESEEDS),
            (13, MAX_RESEEDS, MAX_RESEEDS),
        ] {
            let mut fingerprints = unlucky();
            (fingerprints.misses, fingerprints.reseeds) = (misses, reseeds);
            let (found, missed) = fingerprints.find(path, 0, b"abcd").unwrap();
            assert_eq!((found, fingerprints.reseeds), (Some(8), after));
            let is_reset = after > reseeds;
            assert!(is_reset || missed == 2);
            let kept = if is_reset { 0 } else { misses };
            assert_eq!(fingerprints.misses, kept + missed);
            let zeros = fingerprints
                .seeds
                .iter()
                .filter(|seed| seed.0 == 0 || seed.1 == 0);
            assert_eq!(zeros.count(), if is_reset { 0 } else { MAX_LEVEL });
        }
    }

    #[test]
    fn numbers_are_mixed_as_published() {
        let mut state = 0;
        let numbers = [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ];
        assert_eq!(numbers.map(|_| split_mix(&mut state)), numbers);
        let product: u64 = 0x8765_4321 * 0x9ABC_DEF5;
        let halves = (product as u32) ^ ((product >> 32) as u32);
        assert_eq!(mix(0x8765_4320, 0x9ABC_DEF0, (1, 5)), halves);
    }
}
