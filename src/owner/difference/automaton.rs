//! Combines the rules of both sides into an automaton that reads canonical paths of one dialect.
//!
//! A *literal* rule, which has no wildcard, waits for its next byte. The literal rules are sorted by path, so the rules that
//! match the path so far are adjacent. One range and one depth represent them. A wildcard rule matches its pieces leftmost and
//! one after the other, like the engine. So one position in the text of the rule shows which byte the rule waits for. If the
//! path continues with a different byte, the links of Knuth, Morris and Pratt lead to the next position to try in a piece.

use super::items::{BothEffects, Half, Item, Items, NO_RULE, RuleEffect};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::{collect, push, reserved};

/// The link of a position before the first `*`: if the next byte differs, the rule cannot match.
const DEAD: u32 = u32::MAX;

/// A literal rule: its range in the text, and whether a `$` follows.
struct Literal {
    start: u32,
    end: u32,
    is_anchored: bool,
}

/// Prefix sums: the number of literal rules before a rule, by property.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Number of rules that differ between the sides.
    different: u32,
    /// For each side, the number of its disallow rules and the number of its allow rules.
    of: [[u32; 2]; 2],
}

impl Sums {
    /// Returns the sums after one more rule.
    fn with(mut self, effects: &BothEffects) -> Sums {
        self.different += u32::from(!effects.is_same());
        for half in Half::BOTH {
            let [disallow, allow] = half.of_mut(&mut self.of);
            *disallow += u32::from(effects.has(half, false));
            *allow += u32::from(effects.has(half, true));
        }
        self
    }
}

/// The rules of both sides in the canonical form of one dialect. The literal rules come first, sorted by path.
pub(super) struct Automaton {
    dialect: Dialect,
    effects: Vec<BothEffects>,
    text: Vec<u8>,
    literals: Vec<Literal>,
    sums: Vec<Sums>,
    /// The byte that each position of a wildcard rule waits for. A rule has a position before each of its bytes and a position
    /// after the last byte. `links` has the position to try if the byte differs, and `rules` the rule of the position.
    next: Vec<u8>,
    links: Vec<u32>,
    rules: Vec<u32>,
    /// The first and the last position of each wildcard rule, and whether a `$` follows.
    wildcards: Vec<(u32, u32, bool)>,
}

/// How far each rule has matched the path so far.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// The literal rules `first..end` may match; `depth` of their bytes have matched.
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) depth: u32,
    /// For each side, the best rule that already matches, whatever bytes follow.
    pub(super) best: [u32; 2],
    /// Positions of wildcard rules that may still decide. The two lowest bits of an entry are the sides for which the rule of
    /// this position may decide.
    pub(super) live: Vec<u32>,
    /// For each side, whether the effect stays the same, whatever bytes follow.
    pub(super) is_settled: [bool; 2],
    /// Whether both sides have the same effect, whatever bytes follow.
    pub(super) is_equal: bool,
    /// Whether the rules that may match have changed, or a better rule has matched, since the state was last simplified.
    is_changed: bool,
}

impl State {
    /// Copies a state. Allocates only if `live` has too little room.
    pub(super) fn copy_from(&mut self, other: &State) -> Result<(), Error> {
        let mut live = core::mem::take(&mut self.live);
        live.clear();
        live.try_reserve(other.live.len())
            .map_err(|_| Error::Memory)?;
        live.extend_from_slice(&other.live);
        *self = State {
            live,
            first: other.first,
            end: other.end,
            depth: other.depth,
            best: other.best,
            is_settled: other.is_settled,
            is_equal: other.is_equal,
            is_changed: other.is_changed,
        };
        Ok(())
    }

    fn has_literals(&self) -> bool {
        self.first != self.end
    }
}

impl Automaton {
    /// Returns the automaton of `items`. For each item, calls `member` with three arguments: the rule of the automaton that has
    /// the path of the item, and the number and the effect of the item.
    pub(super) fn new(
        mut items: Items,
        mut member: impl FnMut(u32, u32, RuleEffect) -> Result<(), Error>,
    ) -> Result<Automaton, Error> {
        items.sort();
        let positions = items.positions();
        let mut automaton = Automaton {
            dialect: items.dialect,
            effects: reserved(items.items.len())?,
            text: Vec::new(),
            literals: Vec::new(),
            sums: collect([Sums::default()])?,
            next: reserved(positions)?,
            links: reserved(positions)?,
            rules: reserved(positions)?,
            wildcards: Vec::new(),
        };
        for (first, equal) in items.by_path() {
            let mut effects = BothEffects::default();
            for item in equal {
                effects.take_better(item);
                member(automaton.effects.len() as u32, item.number, item.effect)?;
            }
            match items.is_wild(first) {
                true => automaton.add_wildcard(items.path(first), first.is_anchored)?,
                false => automaton.add_literal(first, &effects)?,
            }
            push(&mut automaton.effects, effects)?;
        }
        automaton.text = items.text;
        Ok(automaton)
    }

    fn add_literal(&mut self, item: &Item, effects: &BothEffects) -> Result<(), Error> {
        let sums = self.sums.last().copied().unwrap_or_default();
        push(&mut self.sums, sums.with(effects))?;
        push(
            &mut self.literals,
            Literal {
                start: item.start,
                end: item.end,
                is_anchored: item.is_anchored,
            },
        )
    }

    /// Changes the effect of a rule on a side. Call [`Automaton::count_from`] before the next search.
    pub(super) fn set_effect(&mut self, rule: u32, half: Half, effect: RuleEffect) {
        if let Some(effects) = self.effects.get_mut(rule as usize) {
            effects.set(half, effect);
        }
    }

    /// Recomputes the sums of the literal rules from `rule` on.
    pub(super) fn count_from(&mut self, rule: u32, steps: &mut u64) {
        let mut sums = self.sums(rule);
        let first = rule as usize;
        let effects = self.effects.iter().take(self.literals.len()).skip(first);
        for (place, effects) in self.sums.iter_mut().skip(first + 1).zip(effects) {
            sums = sums.with(effects);
            *place = sums;
        }
        *steps += self.literals.len().saturating_sub(first) as u64 / 8;
    }

    fn add_wildcard(&mut self, path: &[u8], is_anchored: bool) -> Result<(), Error> {
        let rule = self.effects.len() as u32;
        let first = self.next.len() as u32;
        let mut link = DEAD;
        for (number, piece) in path.split(|byte| *byte == b'*').enumerate() {
            let start = self.next.len() as u32;
            if number > 0 {
                // A piece after a `*` may start anywhere.
                link = start;
            }
            for (index, byte) in piece.iter().enumerate() {
                self.add_position(*byte, link, rule)?;
                if number > 0 && index > 0 {
                    // The link is the longest prefix of the piece that is also a proper suffix of its bytes so far.
                    while link != start && self.byte(link) != *byte {
                        link = self.link(link);
                    }
                    link += u32::from(self.byte(link) == *byte);
                }
            }
        }
        let last = self.next.len() as u32;
        self.add_position(0, link, rule)?;
        push(&mut self.wildcards, (first, last, is_anchored))
    }

    fn add_position(&mut self, byte: u8, link: u32, rule: u32) -> Result<(), Error> {
        push(&mut self.next, byte)?;
        push(&mut self.links, link)?;
        push(&mut self.rules, rule)
    }

    #[inline]
    fn byte(&self, position: u32) -> u8 {
        self.next
            .get(position as usize)
            .copied()
            .unwrap_or_default()
    }

    fn link(&self, position: u32) -> u32 {
        self.links.get(position as usize).copied().unwrap_or(DEAD)
    }

    fn rule(&self, position: u32) -> u32 {
        self.rules
            .get(position as usize)
            .copied()
            .unwrap_or(NO_RULE)
    }

    /// Returns whether a `$` follows a position; `None` if the position is not the end of its rule.
    #[inline]
    fn end(&self, position: u32) -> Option<bool> {
        if self.byte(position) != 0 {
            return None;
        }
        let number = (self.rule(position) as usize).checked_sub(self.literals.len())?;
        let (_, last, is_anchored) = self.wildcards.get(number)?;
        (*last == position).then_some(*is_anchored)
    }

    fn effect(&self, rule: u32) -> BothEffects {
        self.effects.get(rule as usize).copied().unwrap_or_default()
    }

    pub(super) fn effect_of(&self, rule: u32, half: Half) -> RuleEffect {
        let effects = self.effect(rule);
        RuleEffect {
            priority: half.of(effects.priority),
            allow: half.of(effects.allow),
        }
    }

    /// Returns whether a rule allows on a side. [`NO_RULE`] allows.
    pub(super) fn allows(&self, rule: u32, half: Half) -> bool {
        rule == NO_RULE || half.of(self.effect(rule).allow)
    }

    pub(super) fn is_same(&self, rule: u32) -> bool {
        rule == NO_RULE || self.effect(rule).is_same()
    }

    /// Returns whether some rule has a dot before `/`, `?` or the end of the rule, in any encoding.
    pub(super) fn has_dots(&self) -> bool {
        let of_literal = |rule: &Literal| {
            let path = self.text.get(rule.start as usize..rule.end as usize);
            path.is_some_and(ends_in_dot)
        };
        self.literals.iter().any(of_literal) || self.next.split(|byte| *byte == 0).any(ends_in_dot)
    }

    pub(super) fn len(&self) -> usize {
        self.effects.len()
    }

    /// Returns the state before the first byte.
    pub(super) fn start(&self) -> Result<State, Error> {
        let starts = self.wildcards.iter().map(|(first, ..)| first << 2 | 3);
        let mut state = State {
            end: self.literals.len() as u32,
            best: [NO_RULE; 2],
            live: collect(starts)?,
            is_changed: true,
            ..State::default()
        };
        self.offer_literals(&mut state);
        Ok(state)
    }

    /// Reads one byte of a canonical path, and adds the work to `steps`.
    pub(super) fn read(&self, state: &mut State, byte: u8, steps: &mut u64) {
        *steps += 4 + state.live.len() as u64;
        let State {
            first, end, depth, ..
        } = *state;
        let range = self.literals.get(first as usize..end as usize);
        let range = range.unwrap_or_default();
        let below = range.partition_point(|rule| self.literal_byte(rule, depth) < Some(byte));
        let upto = range.partition_point(|rule| self.literal_byte(rule, depth) <= Some(byte));
        state.first = first + below as u32;
        state.end = first + upto as u32;
        state.depth = depth + 1;
        if state.has_literals() {
            self.offer_literals(state);
        } else {
            (state.first, state.end, state.depth) = (0, 0, 0);
        }
        // If there are literal rules, the byte changes their range or depth.
        state.is_changed |= first != end;
        let State {
            best,
            live,
            is_changed,
            ..
        } = state;
        live.retain_mut(|entry| {
            let (position, sides) = (*entry >> 2, *entry & 3);
            let Some(position) = self.after(position, byte, steps) else {
                *is_changed = true;
                return false;
            };
            *entry = position << 2 | sides;
            if self.end(position) != Some(false) {
                return true;
            }
            *is_changed = true;
            let rule = self.rule(position);
            for half in Half::BOTH {
                if sides & half.bit() != 0 {
                    self.offer(best, rule, half);
                }
            }
            false
        });
    }

    /// Returns the position of a wildcard rule after one more byte; `None` if the rule can no longer match.
    fn after(&self, mut position: u32, byte: u8, steps: &mut u64) -> Option<u32> {
        loop {
            // The last position of a rule has the byte 0, which no path has.
            if self.byte(position) == byte {
                return Some(position + 1);
            }
            match self.link(position) {
                DEAD => return None,
                link if link == position => return Some(position),
                link => position = link,
            }
            *steps += 1;
        }
    }

    fn literal_byte(&self, rule: &Literal, depth: u32) -> Option<u8> {
        let path = self.text.get(rule.start as usize..rule.end as usize)?;
        path.get(depth as usize).copied()
    }

    fn offer(&self, best: &mut [u32; 2], rule: u32, half: Half) {
        let best = half.of_mut(best);
        if half.of(self.effect(rule).priority) > self.priority(*best, half) {
            *best = rule;
        }
    }

    /// Returns the priority of a rule; 0 for [`NO_RULE`].
    fn priority(&self, rule: u32, half: Half) -> u32 {
        match rule {
            NO_RULE => 0,
            rule => half.of(self.effect(rule).priority),
        }
    }

    /// Returns the literal rules whose whole path has matched: the rule without `$`, then the rule with `$`.
    fn whole_literals(&self, state: &State) -> impl Iterator<Item = (u32, bool)> {
        let depth = state.depth;
        (state.first..state.end).map_while(move |number| {
            let rule = self.literals.get(number as usize)?;
            (rule.end - rule.start == depth).then_some((number, rule.is_anchored))
        })
    }

    fn offer_literals(&self, state: &mut State) {
        let mut best = state.best;
        let open = self
            .whole_literals(state)
            .filter(|(_, is_anchored)| !is_anchored);
        for (rule, _) in open {
            self.offer(&mut best, rule, Half::Left);
            self.offer(&mut best, rule, Half::Right);
        }
        state.best = best;
    }

    /// Returns, for each side, the rule that decides if the path ends here.
    pub(super) fn winners(&self, state: &State) -> [u32; 2] {
        let mut best = state.best;
        let literals = self.whole_literals(state).map(|(rule, _)| rule);
        let ends = state.live.iter().map(|entry| entry >> 2);
        let ends = ends.filter(|position| self.end(*position) == Some(true));
        for rule in literals.chain(ends.map(|position| self.rule(position))) {
            self.offer(&mut best, rule, Half::Left);
            self.offer(&mut best, rule, Half::Right);
        }
        best
    }

    /// Removes the rules that can no longer change an effect, and records whether any rule can still change an effect.
    ///
    /// A rule matters to a side if it beats the best rule of the side and has the opposite effect. A rule that beats such a
    /// rule matters, too.
    pub(super) fn simplify(&self, state: &mut State) {
        if !state.is_changed {
            return;
        }
        state.is_changed = false;
        let best = state.best;
        let above = Half::BOTH.map(|half| self.priority(half.of(best), half));
        let allows = Half::BOTH.map(|half| self.allows(half.of(best), half));
        // A lower bound on the priorities of the rules that beat the best rule and have the opposite effect.
        let lowest = Half::BOTH.map(|half| {
            let effects = state
                .live
                .iter()
                .map(|entry| self.effect(self.rule(entry >> 2)));
            let opponents = effects.filter(|effect| effect.has(half, !half.of(allows)));
            let priorities = opponents.map(|effect| half.of(effect.priority));
            let lowest = priorities
                .filter(|priority| *priority > half.of(above))
                .min();
            let has_literal = self.count(state, half, !half.of(allows)) > 0;
            let literal = has_literal.then(|| self.lowest_literal(state));
            lowest.into_iter().chain(literal).min().unwrap_or(u32::MAX)
        });
        state.is_settled = lowest.map(|lowest| lowest == u32::MAX);
        if state.is_settled == [true; 2] {
            (state.first, state.end, state.depth) = (0, 0, 0);
        }
        state.live.retain_mut(|entry| {
            let effect = self.effect(self.rule(*entry >> 2));
            let sides = Half::BOTH.map(|half| {
                let priority = half.of(effect.priority);
                let is_opponent = half.of(effect.allow) != half.of(allows);
                let matters =
                    priority > half.of(above) && (is_opponent || priority > half.of(lowest));
                if matters { half.bit() } else { 0 }
            });
            *entry = *entry & !3 | sides[0] | sides[1];
            *entry & 3 != 0
        });
        state.is_equal = self.is_equal(state);
    }

    /// Returns a lower bound on the priorities of the literal rules that are longer than the path.
    fn lowest_literal(&self, state: &State) -> u32 {
        match self.dialect.first_match_wins() {
            true => 1,
            false => (state.depth + 1) << 2,
        }
    }

    /// Returns the number of literal rules of a side that may match and have this effect.
    fn count(&self, state: &State, half: Half, allow: bool) -> u32 {
        let until = |number: u32| {
            let [disallow, allowing] = half.of(self.sums(number).of);
            if allow { allowing } else { disallow }
        };
        until(state.end) - until(state.first)
    }

    fn sums(&self, number: u32) -> Sums {
        self.sums.get(number as usize).copied().unwrap_or_default()
    }

    /// Returns whether both sides have the same effect so far and the same rules that may match. If the best rules differ in
    /// priority, no rule of the opposite effect may beat only one of them.
    fn is_equal(&self, state: &State) -> bool {
        let [first, second] = state.best;
        let bounds = [
            self.priority(first, Half::Left),
            self.priority(second, Half::Right),
        ];
        let allows = self.allows(first, Half::Left);
        let is_between = |priority: u32| (priority > bounds[0]) != (priority > bounds[1]);
        allows == self.allows(second, Half::Right)
            && self.different(state) == 0
            && (bounds[0] == bounds[1]
                || bounds.iter().max() < Some(&self.lowest_literal(state))
                || self.count(state, Half::Left, !allows) == 0)
            && state.live.iter().all(|entry| {
                let effect = self.effect(self.rule(entry >> 2));
                let is_opponent = effect.allow[0] != allows && is_between(effect.priority[0]);
                effect.is_same() && !is_opponent
            })
    }

    /// Returns the number of literal rules that may match and differ between the sides.
    pub(super) fn different(&self, state: &State) -> u32 {
        self.sums(state.end).different - self.sums(state.first).different
    }

    /// Returns the rules that may match: the wildcard rules, and at most `most` literal rules.
    pub(super) fn live_rules(&self, state: &State, most: u32) -> impl Iterator<Item = u32> {
        let end = state.end.min(state.first.saturating_add(most));
        let wildcards = state.live.iter().map(|entry| self.rule(entry >> 2));
        wildcards.chain(state.first..end)
    }

    /// Appends to `key` everything on which later effects of the state depend.
    pub(super) fn append_key(&self, state: &State, key: &mut Vec<u32>) -> Result<(), Error> {
        let best = |half: Half| {
            let rule = half.of(state.best);
            // If all literal rules that may still match beat the best rule, only the effect of the best rule matters, not its
            // priority.
            let is_beaten = self.priority(rule, half) < self.lowest_literal(state);
            match state.has_literals() && !is_beaten {
                true => rule + 2,
                false => u32::from(self.allows(rule, half)),
            }
        };
        let head = [
            state.first,
            state.end,
            state.depth,
            best(Half::Left),
            best(Half::Right),
            state.live.len() as u32,
        ];
        key.try_reserve(head.len() + state.live.len())
            .map_err(|_| Error::Memory)?;
        key.extend(head);
        key.extend(&state.live);
        Ok(())
    }

    /// Returns the bytes for which some rule waits.
    pub(super) fn wanted(&self, state: &State, steps: &mut u64) -> Bytes {
        let mut bytes = Bytes::default();
        let mut from = state.first;
        while from < state.end {
            let rest = self.literals.get(from as usize..state.end as usize);
            let Some([rule, ..]) = rest else { break };
            let byte = self.literal_byte(rule, state.depth);
            byte.into_iter().for_each(|byte| bytes.add(byte));
            let same = rest.unwrap_or_default();
            let same = same.partition_point(|rule| self.literal_byte(rule, state.depth) <= byte);
            from += same as u32;
            *steps += 4;
        }
        for entry in &state.live {
            let mut position = entry >> 2;
            loop {
                bytes.add(self.byte(position));
                *steps += 1;
                match self.link(position) {
                    DEAD => break,
                    link if link == position => break,
                    link => position = link,
                }
            }
        }
        bytes
    }
}

/// Returns whether a path has a dot before `/`, `?` or its end, in any encoding.
fn ends_in_dot(path: &[u8]) -> bool {
    let is_pair = |pair: &[u8]| matches!(pair, [b'.', b'/' | b'?']);
    path.ends_with(b".")
        || path.windows(2).any(is_pair)
        || memchr::memmem::find(path, b"%2E").is_some()
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    pub(super) fn add(&mut self, byte: u8) {
        if let Some(word) = self.0.get_mut(usize::from(byte >> 6)) {
            *word |= 1 << (byte & 63);
        }
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        let word = self.0.get(usize::from(byte >> 6));
        word.is_some_and(|word| word >> (byte & 63) & 1 != 0)
    }

    pub(super) fn of(bytes: &[u8]) -> Bytes {
        let mut set = Bytes::default();
        bytes.iter().for_each(|byte| set.add(*byte));
        set
    }

    /// Returns whether the set has a byte that is not in `other`.
    pub(super) fn has_beside(&self, other: &Bytes) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(own, other)| own & !other != 0)
    }

    /// Returns whether the set has a byte that an upper-case escape may contain.
    pub(super) fn has_escape(&self) -> bool {
        // `%`, digits, and `A` to `F`.
        self.0[0] & (1 << b'%' | 0x3FF << b'0') != 0 || self.0[1] & 0x3F << (b'A' - 64) != 0
    }
}
