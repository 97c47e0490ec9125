//! Searches for a difference: breadth first over the states of paths, with a budget of steps and memory (SPEC 12.3).

use std::hash::{BuildHasher, RandomState};

use foldhash::quality::FixedState;
use hashbrown::HashTable;

use super::answer::{Difference, DifferentPath};
use super::automaton::{Automaton, Bytes, State};
use super::items::{Half, Items, NO_RULE};
use super::path::{ALPHABET, Escape, PathState};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::SAFE_PATH;
use crate::base::verdict::Verdict;
use crate::bytes::try_alloc::{append, collect, push};
use crate::core::rules::Rules;
use crate::url::canonical::{Form, Side, Symbol, escape, hex};

/// Upper bound on the steps of a search. A step moves one rule by one byte.
const MAX_STEPS: u64 = 1 << 26;

/// Upper bound on the steps that search for further paths after the first path.
const MORE_STEPS: u64 = 1 << 20;

/// Upper bound on the 32-bit words that the states of a search take. With the unused capacity of growing lists, this is 40 MB.
/// Each decided comparison of the corpus takes less than half of this bound.
const MAX_WORDS: usize = 1 << 22;

/// The minimum number of words of one state.
const WORDS_OF_STATE: usize = 16;

/// Upper bound on the paths that are listed.
const MAX_PATHS: usize = 1_000;

/// Upper bound on the literal rules of a state that are examined one by one.
const MAX_TRIED: u32 = 64;

/// A state that the search has reached, with its parent state and the last byte.
struct Reached {
    parent: u32,
    byte: u8,
    path: PathState,
    /// The best rules of each automaton, and which side is settled.
    best: [[u32; 2]; 2],
    is_settled: [[bool; 2]; 2],
    /// The range of the state's key in `words`.
    start: u32,
    end: u32,
}

/// A state in full, while it is visited.
#[derive(Default)]
struct Visit {
    states: [State; 2],
}

pub(super) struct Comparison<'r> {
    /// The rules that check each listed path; `None` if no path is listed.
    pub(super) rules: Option<[&'r Rules; 2]>,
    dialects: [Dialect; 2],
    /// Whether to search only the paths that browsers send: see [`PathState::is_common`].
    is_common: bool,
    /// One automaton for both sides if they have the same dialect, else one for each side.
    automata: Vec<Automaton>,
    nodes: Vec<Reached>,
    words: Vec<u32>,
    known: HashTable<u32>,
    hasher: FixedState,
    /// The bytes of [`ALPHABET`] that always stand for themselves: all except `%` and `?`. A `?` ends a segment.
    sent: Bytes,
    /// Whether a rule may have a dot segment. If so, `?` has the class [`ByteClass::Own`], because no dot segment follows a
    /// `?`.
    has_dots: bool,
    pub(super) steps: u64,
    pub(super) max_steps: u64,
    pub(super) max_words: usize,
    pub(super) max_paths: usize,
    /// For each automaton, whether each rule has decided a listed path.
    seen: [Vec<bool>; 2],
    is_found: bool,
    found: Difference,
}

/// How a byte of a path differs from other bytes in a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    /// A byte that a rule waits for, or that the path treats specially. Each such byte is tried.
    Own,
    /// A hexadecimal digit in an escape that no rule waits for.
    Digit,
    /// Any other byte. One byte of this class is tried.
    Other,
}

/// The bytes that the rules of one automaton wait for in a state.
struct Wants {
    /// Bytes of the canonical path that a rule waits for.
    now: Bytes,
    /// The bytes to wait for if the incomplete escape at the end of the path is plain text.
    bare: Bytes,
}

impl<'r> Comparison<'r> {
    /// Returns the comparison of two sets of rules; `None` if the automata need more than `max_words`. `accepted`: rules whose
    /// paths are not compared. `is_common`: whether to compare only the paths that browsers send, without /robots.txt.
    pub(super) fn new(
        rules: [&'r Rules; 2],
        accepted: Option<&Rules>,
        is_common: bool,
        max_words: usize,
    ) -> Result<Option<Comparison<'r>>, Error> {
        let image_words = rules.map(|rules| rules.image().len() / 4);
        // The rules take about three times the memory of an image.
        if image_words[0] + image_words[1] > max_words / 3 {
            return Ok(None);
        }
        let dialects = rules.map(|rules| rules.about().dialect);
        // A path that browsers send is canonical in rfc9309 and google.
        let is_as_sent = is_common && !dialects.contains(&Dialect::Koster1996);
        let dialects = if is_as_sent {
            [Dialect::Google; 2]
        } else {
            dialects
        };
        let [mut left, mut right] = dialects.map(|dialect| Items::new(dialect, is_common));
        let [of_left, of_right] = Half::BOTH.map(Half::bit);
        left.add_rules(of_left, rules[0], &|_| true)?;
        let is_mixed = dialects[0] != dialects[1];
        let other = if is_mixed { &mut right } else { &mut left };
        other.add_rules(of_right, rules[1], &|_| true)?;
        accepted.map_or(Ok(()), |accepted| left.add_accepted(accepted))?;
        if left.words() + right.words() > max_words {
            return Ok(None);
        }
        let mut automata = collect([Automaton::new(left, |_, _, _| Ok(()))?])?;
        if is_mixed {
            push(&mut automata, Automaton::new(right, |_, _, _| Ok(()))?)?;
        }
        let mut comparison = Comparison::of(automata, dialects);
        comparison.rules = Some(rules);
        comparison.is_common = is_common;
        for (seen, automaton) in comparison.seen.iter_mut().zip(&comparison.automata) {
            seen.try_reserve_exact(automaton.len())
                .map_err(|_| Error::Memory)?;
            seen.resize(automaton.len(), false);
        }
        Ok(Some(comparison))
    }

    /// Returns a comparison of the sides of `automata`. The comparison lists no paths.
    pub(super) fn of(automata: Vec<Automaton>, dialects: [Dialect; 2]) -> Comparison<'r> {
        Comparison {
            rules: None,
            dialects,
            is_common: false,
            has_dots: automata.iter().any(Automaton::has_dots),
            automata,
            nodes: Vec::new(),
            words: Vec::new(),
            known: HashTable::new(),
            hasher: FixedState::with_seed(RandomState::new().hash_one(0)),
            sent: Bytes::of(ALPHABET.strip_suffix(b"?%").unwrap_or_default()),
            steps: 0,
            max_steps: MAX_STEPS,
            max_words: MAX_WORDS,
            max_paths: MAX_PATHS,
            seen: [Vec::new(), Vec::new()],
            is_found: false,
            found: Difference::default(),
        }
    }

    fn is_mixed(&self) -> bool {
        self.automata.len() > 1
    }

    /// Returns the number of the automaton of a side.
    fn automaton_of(&self, half: Half) -> usize {
        match self.is_mixed() {
            true => half.of([0, 1]),
            false => 0,
        }
    }

    /// Searches for paths, and lists them.
    pub(super) fn run(&mut self) -> Result<Difference, Error> {
        let result = self.search(b"/")?;
        let mut found = core::mem::take(&mut self.found);
        found.is_decided = result.is_some();
        Ok(found)
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.words.clear();
        self.is_found = false;
        // Clearing a large table is slow, so a new table replaces it.
        match self.known.capacity() {
            0..=1024 => self.known.clear(),
            _ => self.known = HashTable::new(),
        }
    }

    /// Returns whether the sides disagree on a canonical path. False negatives are allowed.
    pub(super) fn disagrees(&mut self, path: &[u8]) -> Result<bool, Error> {
        let mut visit = Visit::default();
        let Some((path, _)) = self.follow(path, &mut visit)? else {
            return Ok(false);
        };
        let [left, right] = self.allowed(path, &self.winners(path, &visit)?);
        Ok(left != right && path.may_end())
    }

    /// Returns whether the sides disagree on a path that starts with `prefix`; `None` if the search does not decide this.
    pub(super) fn search(&mut self, prefix: &[u8]) -> Result<Option<bool>, Error> {
        self.clear();
        if !self.start(prefix)? {
            self.start(b"/")?;
        }
        let mut number = 0;
        let mut length = 1;
        let mut end_of_length = self.nodes.len();
        while number < self.nodes.len() {
            if number == end_of_length {
                (length, end_of_length) = (length + 1, self.nodes.len());
            }
            let is_used_up = self.steps > self.max_steps
                || self.nodes.len() > self.max_words / WORDS_OF_STATE
                || self.words.len() > self.max_words
                || length >= SAFE_PATH;
            let is_enough = match self.rules {
                None => self.is_found,
                Some(_) => self.found.paths.len() == self.max_paths,
            };
            if is_used_up || is_enough {
                return Ok(self.is_found.then_some(true));
            }
            self.expand(number)?;
            number += 1;
        }
        Ok(Some(self.is_found))
    }

    /// Reaches the state after a canonical prefix. Returns false if clients do not send the prefix unchanged.
    fn start(&mut self, prefix: &[u8]) -> Result<bool, Error> {
        let mut visit = Visit::default();
        let Some((path, last)) = self.follow(prefix, &mut visit)? else {
            return Ok(false);
        };
        self.reach(u32::MAX, last, path, &mut visit)?;
        Ok(true)
    }

    /// Reads a canonical path. Returns its state and last byte; `None` if clients do not send the path unchanged.
    fn follow(&mut self, text: &[u8], visit: &mut Visit) -> Result<Option<(PathState, u8)>, Error> {
        let mut path = PathState::ROOT;
        for (automaton, state) in self.automata.iter().zip(&mut visit.states) {
            *state = automaton.start()?;
            automaton.read(state, b'/', &mut self.steps);
        }
        let mut last = b'/';
        for byte in text.iter().skip(1) {
            let allowed = match byte {
                b'?' => self.allowed(path, &self.winners(path, visit)?),
                _ => [true; 2],
            };
            let next = path.next(*byte, allowed);
            let Some(next) = next.filter(|_| ALPHABET.contains(byte)) else {
                return Ok(None);
            };
            for (number, state) in visit.states.iter_mut().enumerate() {
                self.read(number, path, state, *byte);
            }
            (path, last) = (next, *byte);
        }
        Ok(Some((path, last)))
    }

    /// Restores a state that was reached.
    fn visit(&self, number: usize, visit: &mut Visit) -> Result<PathState, Error> {
        let node = self.node(number);
        let mut words = self.words.get(node.start as usize..node.end as usize);
        let mut take = || {
            let (first, rest) = words?.split_first()?;
            words = Some(rest);
            Some(*first)
        };
        let known = node.best.into_iter().zip(node.is_settled);
        let states = visit.states.iter_mut().zip(known);
        for (state, (best, is_settled)) in states.take(self.automata.len()) {
            (state.best, state.is_settled) = (best, is_settled);
            let mut next = || take().unwrap_or_default();
            (state.first, state.end, state.depth) = (next(), next(), next());
            // The key has only the relevant facts about the best rules. `node` has the best rules themselves.
            let _ = (next(), next());
            let count = next();
            state.live.clear();
            state
                .live
                .try_reserve(count as usize)
                .map_err(|_| Error::Memory)?;
            state.live.extend((0..count).map(|_| next()));
        }
        Ok(node.path)
    }

    #[allow(clippy::expect_used, reason = "an invariant")]
    fn node(&self, number: usize) -> &Reached {
        self.nodes.get(number).expect("the number of a node")
    }

    /// Reaches all states that follow a state.
    fn expand(&mut self, number: usize) -> Result<(), Error> {
        let mut from = Visit::default();
        let path = self.visit(number, &mut from)?;
        let allowed = match self.is_common {
            // Browsers send no empty query. So a path with an empty query counts as disallowed on both sides, and is no
            // difference.
            true => [false; 2],
            false => self.allowed(path, &self.winners(path, &from)?),
        };
        let mut wants = Vec::new();
        for (number, (automaton, state)) in self.automata.iter().zip(&from.states).enumerate() {
            let now = automaton.wanted(state, &mut self.steps);
            let bare = match path.escape {
                Escape::None => now,
                _ => {
                    let mut after = State::default();
                    after.copy_from(state)?;
                    self.end_escape(number, path, &mut after, &mut self.steps.clone());
                    automaton.wanted(&after, &mut self.steps)
                }
            };
            push(&mut wants, Wants { now, bare })?;
        }
        let mut to = Visit::default();
        // All bytes of a class other than `Own` lead to the same state, so one byte is enough.
        let mut done = Vec::new();
        for byte in ALPHABET {
            let mut classes = [ByteClass::Other; 2];
            for ((class, number), wants) in classes.iter_mut().zip(0..).zip(&wants) {
                *class = self.class(number, path, wants, *byte);
            }
            if !classes.contains(&ByteClass::Own) {
                if done.contains(&classes) {
                    continue;
                }
                push(&mut done, classes)?;
            }
            if self.is_common && !path.is_common(*byte) {
                continue;
            }
            let Some(next) = path.next(*byte, allowed) else {
                continue;
            };
            for (to, from) in to.states.iter_mut().zip(&from.states) {
                to.copy_from(from)?;
            }
            for (number, state) in to.states.iter_mut().enumerate().take(self.automata.len()) {
                self.read(number, path, state, *byte);
            }
            self.reach(number as u32, *byte, next, &mut to)?;
        }
        Ok(())
    }
}

impl Comparison<'_> {
    fn dialect(&self, number: usize) -> Dialect {
        let [left, right] = self.dialects;
        if number == 0 { left } else { right }
    }

    /// Returns the class of a byte after a path, for one automaton.
    fn class(&self, number: usize, path: PathState, wants: &Wants, byte: u8) -> ByteClass {
        let dialect = self.dialect(number);
        let is_wanted = |bytes: &Bytes| match canonical(dialect, &[byte], path.in_query) {
            // koster1996 also decodes escapes of bytes that a URL cannot contain unescaped.
            _ if byte == b'%' => {
                let is_decoded = dialect == Dialect::Koster1996 && bytes.has_beside(&self.sent);
                bytes.has(b'%') || self.is_mixed() || is_decoded
            }
            Symbol::Byte(byte) => bytes.has(byte),
            Symbol::Escape(_) => bytes.has_escape(),
        };
        let is_own = match (path.escape, hex(byte)) {
            // In the query, one side may decode an escape that the other side keeps.
            _ if byte == b'?' && !path.in_query && (self.is_mixed() || self.has_dots) => true,
            _ if dialect == Dialect::Google => is_wanted(&wants.now),
            (Escape::None, _) => is_wanted(&wants.now),
            (Escape::Percent, Some(high)) => {
                let mut values = high << 4..=high << 4 | 15;
                let is_start =
                    values.any(|value| self.is_wanted_escape(number, path, wants, value));
                // The second digit of the escape may be missing.
                if !is_start && !is_wanted(&wants.bare) {
                    return ByteClass::Digit;
                }
                true
            }
            (Escape::Digit(first), Some(low)) => {
                let value = hex(first).map_or(0, |high| high << 4 | low);
                // An escaped dot may form a dot segment.
                if !self.is_wanted_escape(number, path, wants, value) && value != b'.' {
                    return ByteClass::Digit;
                }
                true
            }
            _ => is_wanted(&wants.bare),
        };
        if is_own {
            ByteClass::Own
        } else {
            ByteClass::Other
        }
    }

    /// Returns whether an automaton waits for the canonical form of an escape, and no shorter text has the same form.
    fn is_wanted_escape(&self, number: usize, path: PathState, wants: &Wants, value: u8) -> bool {
        let is_sent = self.sent.has(value);
        match canonical(self.dialect(number), &escape(value), path.in_query) {
            Symbol::Byte(byte) => wants.now.has(byte) && (self.is_mixed() || !is_sent),
            Symbol::Escape(_) if self.is_mixed() => wants.now.has_escape(),
            Symbol::Escape(_) => wants.now.has(b'%'),
        }
    }

    fn read(&mut self, number: usize, path: PathState, state: &mut State, byte: u8) {
        let dialect = self.dialect(number);
        let mut steps = self.steps + 16;
        let symbol = match (path.escape, hex(byte)) {
            _ if dialect == Dialect::Google => Some(Symbol::Byte(byte)),
            (Escape::Percent, Some(_)) => None,
            (Escape::Digit(first), Some(_)) => {
                Some(canonical(dialect, &[b'%', first, byte], path.in_query))
            }
            _ => {
                self.end_escape(number, path, state, &mut steps);
                (byte != b'%').then(|| canonical(dialect, &[byte], path.in_query))
            }
        };
        if let (Some(symbol), Some(automaton)) = (symbol, self.automata.get(number)) {
            read_symbol(automaton, state, symbol, &mut steps);
        }
        self.steps = steps;
    }

    /// Reads the incomplete escape at the end of the path as plain text.
    fn end_escape(&self, number: usize, path: PathState, state: &mut State, steps: &mut u64) {
        let dialect = self.dialect(number);
        let text: &[u8] = match path.escape {
            _ if dialect == Dialect::Google => b"",
            Escape::None => b"",
            Escape::Percent => b"%",
            Escape::Digit(digit) => &[b'%', digit],
        };
        let Some(automaton) = self.automata.get(number) else {
            return;
        };
        for byte in text {
            read_symbol(
                automaton,
                state,
                canonical(dialect, &[*byte], path.in_query),
                steps,
            );
        }
    }

    /// Returns, for each side, the rule that decides if the path ends here.
    fn winners(&self, path: PathState, visit: &Visit) -> Result<[u32; 2], Error> {
        let mut winners = [[NO_RULE; 2]; 2];
        let automata = self.automata.iter().zip(&visit.states).zip(&mut winners);
        for (number, ((automaton, state), winners)) in automata.enumerate() {
            *winners = match path.escape {
                Escape::None => automaton.winners(state),
                _ => {
                    let mut after = State::default();
                    after.copy_from(state)?;
                    self.end_escape(number, path, &mut after, &mut 0);
                    automaton.winners(&after)
                }
            };
        }
        Ok(Half::BOTH.map(|half| {
            let of_both = if self.is_mixed() {
                half.of(winners)
            } else {
                winners[0]
            };
            half.of(of_both)
        }))
    }

    pub(super) fn automaton(&self, half: Half) -> Option<&Automaton> {
        self.automata.get(self.automaton_of(half))
    }

    /// Returns the only automaton, and the number of steps.
    pub(super) fn automaton_mut(&mut self) -> Option<(&mut Automaton, &mut u64)> {
        Some((self.automata.first_mut()?, &mut self.steps))
    }

    /// Returns whether each side allows the path if it ends here.
    fn allowed(&self, path: PathState, winners: &[u32; 2]) -> [bool; 2] {
        Half::BOTH.map(|half| {
            let rule = half.of(*winners);
            let allows = self
                .automaton(half)
                .is_none_or(|automaton| automaton.allows(rule, half));
            // SPEC 8.11: the path without its empty query must be allowed, too.
            let bare = path.bare.filter(|_| half.of(self.dialects).has_readings());
            allows && bare.is_none_or(|bare| half.of(bare))
        })
    }

    /// Adds a state, unless the state is known or no difference can follow from it.
    fn reach(
        &mut self,
        parent: u32,
        byte: u8,
        path: PathState,
        visit: &mut Visit,
    ) -> Result<(), Error> {
        let winners = self.winners(path, visit)?;
        let [left, right] = self.allowed(path, &winners);
        // If an empty query decides, the rules that match the path with this query are not the cause.
        let whole = self.allowed(path.without_bare(), &winners);
        let is_cause = whole[0] != whole[1] || !self.is_found;
        let is_whole = path.escape == Escape::None && path.bare.is_none();
        let may_end = path.may_end() && (!self.is_common || is_whole);
        if left != right && may_end && is_cause {
            self.add(parent, byte, winners)?;
        }
        let visits = self.automata.iter().zip(&mut visit.states);
        for (automaton, state) in visits {
            automaton.simplify(state);
        }
        if self.is_done(visit) {
            return Ok(());
        }
        let start = self.words.len();
        push(&mut self.words, path.number())?;
        for (automaton, state) in self.automata.iter().zip(&visit.states) {
            automaton.append_key(state, &mut self.words)?;
        }
        let key = self.words.get(start..).unwrap_or_default();
        let hasher = &self.hasher;
        let hash = |key: &[u32]| hasher.hash_one(key);
        let of = |number: &u32| {
            let node = self.nodes.get(*number as usize);
            let range = node.map_or(0..0, |node| node.start as usize - 1..node.end as usize);
            self.words.get(range).unwrap_or_default()
        };
        if self
            .known
            .find(hash(key), |number| of(number) == key)
            .is_some()
        {
            self.words.truncate(start);
            return Ok(());
        }
        let hash_of = |number: &u32| hash(of(number));
        self.known
            .try_reserve(1, hash_of)
            .map_err(|_| Error::Memory)?;
        self.known
            .insert_unique(hash(key), self.nodes.len() as u32, hash_of);
        let [first, second] = &visit.states;
        let node = Reached {
            parent,
            byte,
            path,
            best: [first.best, second.best],
            is_settled: [first.is_settled, second.is_settled],
            start: start as u32 + 1,
            end: self.words.len() as u32,
        };
        push(&mut self.nodes, node)
    }

    /// Returns whether the search can leave out all paths after this state.
    fn is_done(&self, visit: &Visit) -> bool {
        let is_settled = Half::BOTH.map(|half| {
            let state = visit.states.get(self.automaton_of(half));
            state.is_some_and(|state| half.of(state.is_settled))
        });
        let is_equal = match &*self.automata {
            [_] => visit.states.first().is_some_and(|state| state.is_equal),
            _ => false,
        };
        let [left, right] = self.best_allow(visit);
        if is_equal || is_settled == [true; 2] && left == right {
            return true;
        }
        // After the first path, only rules that have not decided a listed path matter. The best rule is examined, too: it may
        // decide longer paths even if a rule with `$` decides this path.
        self.rules.is_some()
            && self.is_found
            && self.automata.iter().zip(&visit.states).enumerate().all(
                |(number, (automaton, state))| {
                    let is_new = |rule: u32| {
                        let seen = self
                            .seen
                            .get(number)
                            .and_then(|seen| seen.get(rule as usize));
                        !automaton.is_same(rule) && seen.is_some_and(|seen| !seen)
                    };
                    let best = state.best.into_iter().filter(|rule| *rule != NO_RULE);
                    let has_more =
                        state.end - state.first > MAX_TRIED && automaton.different(state) > 0;
                    !has_more
                        && !best
                            .chain(automaton.live_rules(state, MAX_TRIED))
                            .any(is_new)
                },
            )
    }

    /// Returns whether the best rule of each side allows.
    fn best_allow(&self, visit: &Visit) -> [bool; 2] {
        Half::BOTH.map(|half| {
            let state = visit.states.get(self.automaton_of(half));
            let best = state.map_or(NO_RULE, |state| half.of(state.best));
            self.automaton(half)
                .is_none_or(|automaton| automaton.allows(best, half))
        })
    }

    /// Lists the path of a state if no path is listed yet, or if a rule decides the path that decides no listed path.
    fn add(&mut self, parent: u32, byte: u8, winners: [u32; 2]) -> Result<(), Error> {
        let is_first = !core::mem::replace(&mut self.is_found, true);
        let Some(rules) = self.rules else {
            return Ok(());
        };
        let mut is_new = is_first;
        for half in Half::BOTH {
            let (number, rule) = (self.automaton_of(half), half.of(winners));
            let is_same = self
                .automata
                .get(number)
                .is_none_or(|automaton| automaton.is_same(rule));
            let seen = self
                .seen
                .get_mut(number)
                .and_then(|seen| seen.get_mut(rule as usize));
            if let Some(seen) = seen.filter(|seen| !is_same && !**seen) {
                (*seen, is_new) = (true, true);
            }
        }
        if !is_new {
            return Ok(());
        }
        let mut bytes = Vec::new();
        push(&mut bytes, byte)?;
        let mut number = parent;
        while let Some(node) = self.nodes.get(number as usize) {
            push(&mut bytes, node.byte)?;
            number = node.parent;
        }
        bytes.reverse();
        // The URL gets a host. Without it, a path that starts with `//` would begin with a host.
        let mut url = Vec::new();
        append(&mut url, b"http://x")?;
        append(&mut url, &bytes)?;
        let verdicts = rules.map(|rules| rules.check(&url));
        let [left, right] = verdicts.map(Verdict::allowed);
        if left == right {
            // The effective rules and the engine disagree about the image. So the image does not come from the compiler.
            return Err(Error::Image);
        }
        if is_first {
            self.max_steps = self.max_steps.min(self.steps.saturating_add(MORE_STEPS));
        }
        #[allow(clippy::expect_used, reason = "an invariant")]
        let path = String::from_utf8(bytes).expect("the alphabet is ASCII");
        push(&mut self.found.paths, DifferentPath { path, verdicts })
    }
}

/// Returns the canonical form of a symbol of a URL.
#[allow(clippy::expect_used, reason = "an invariant")]
fn canonical(dialect: Dialect, symbol: &[u8], in_query: bool) -> Symbol {
    let form = Form::new(dialect, Side::Url);
    let (symbol, _) = form.symbol(symbol, in_query).expect("a symbol has a byte");
    symbol
}

fn read_symbol(automaton: &Automaton, state: &mut State, symbol: Symbol, steps: &mut u64) {
    match symbol {
        Symbol::Byte(byte) => automaton.read(state, byte, steps),
        Symbol::Escape(byte) => {
            for byte in escape(byte) {
                automaton.read(state, byte, steps);
            }
        }
    }
}
