//! Collects the rules of two sides, from which an automaton is made.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::RulePath;
use crate::bytes::try_alloc::{append, push};
use crate::core::rules::Rules;
use crate::core::rules::effective::EffectiveRule;

/// Stands for no rule: as the best rule of a path, which is then allowed, and as the number of an item that is no rule.
pub(super) const NO_RULE: u32 = u32::MAX;

/// The priority of the exception for /robots.txt (SPEC 8.9): higher than the priority of any rule.
const ABOVE_ALL: u32 = u32::MAX;

/// A side: one of the two sets of rules that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Left,
    Right,
}

impl Half {
    pub(super) const BOTH: [Half; 2] = [Half::Left, Half::Right];

    pub(super) fn of<T: Copy>(self, [left, right]: [T; 2]) -> T {
        match self {
            Half::Left => left,
            Half::Right => right,
        }
    }

    pub(super) fn of_mut<T>(self, [left, right]: &mut [T; 2]) -> &mut T {
        match self {
            Half::Left => left,
            Half::Right => right,
        }
    }

    /// The bit of the side, as in an entry of `State::live`.
    pub(super) fn bit(self) -> u32 {
        self.of([1, 2])
    }
}

/// The effect of a rule on each side.
#[derive(Clone, Copy, Default)]
pub(super) struct BothEffects {
    /// Priority on each side; 0 if the side does not have the rule.
    pub(super) priority: [u32; 2],
    pub(super) allow: [bool; 2],
}

impl BothEffects {
    pub(super) fn is_same(&self) -> bool {
        self.priority[0] == self.priority[1] && self.allow[0] == self.allow[1]
    }

    /// Returns whether a side has the rule, with the effect `allow`.
    pub(super) fn has(&self, half: Half, allow: bool) -> bool {
        half.of(self.priority) != 0 && half.of(self.allow) == allow
    }

    /// On each side that has `item`, takes the effect of `item` if this effect has a higher priority.
    pub(super) fn take_better(&mut self, item: &Item) {
        for half in Half::BOTH {
            if item.sides & half.bit() != 0 && item.effect.priority > half.of(self.priority) {
                self.set(half, item.effect);
            }
        }
    }

    pub(super) fn set(&mut self, half: Half, effect: RuleEffect) {
        *half.of_mut(&mut self.priority) = effect.priority;
        *half.of_mut(&mut self.allow) = effect.allow;
    }
}

/// A rule before it is part of an automaton.
pub(super) struct Item {
    /// The range of the path in the text. A `*` separates pieces; the path does not end with `*`.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether a `$` follows.
    pub(super) is_anchored: bool,
    /// The bits of the sides that have the rule.
    pub(super) sides: u32,
    pub(super) effect: RuleEffect,
    /// The caller's number for the rule.
    pub(super) number: u32,
}

/// The effect of a rule. A rule beats all rules of a lower priority. Priority 0 means that there is no rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleEffect {
    pub(super) priority: u32,
    pub(super) allow: bool,
}

impl RuleEffect {
    /// The effect of a rule for paths that are always allowed.
    const FREE: RuleEffect = RuleEffect {
        priority: ABOVE_ALL,
        allow: true,
    };

    /// The effect of a rule for paths that are disallowed regardless of other rules.
    pub(super) const SHUT: RuleEffect = RuleEffect {
        priority: ABOVE_ALL - 1,
        allow: false,
    };

    /// Returns the effect of a rule (SPEC 8.7).
    pub(super) fn new(dialect: Dialect, path: &RulePath<'_>, allow: bool, line: u32) -> RuleEffect {
        let priority = match dialect.first_match_wins() {
            true => ABOVE_ALL / 2 - 1 - line,
            false => (path.length() as u32) << 1 | u32::from(allow),
        };
        // The priority is even, because `reversed` returns the next number.
        let priority = priority << 1;
        RuleEffect { priority, allow }
    }

    /// Returns the opposite effect. Its priority is above the priority of this effect, and below all higher priorities.
    pub(super) fn reversed(self) -> RuleEffect {
        RuleEffect {
            priority: self.priority + 1,
            allow: !self.allow,
        }
    }

    /// Returns the effect of the same rule with a path that is shorter by `by` bytes.
    pub(super) fn shorter(self, by: u32) -> RuleEffect {
        RuleEffect {
            priority: self.priority.saturating_sub(by << 2),
            ..self
        }
    }
}

/// The rules from which an automaton is made.
pub(super) struct Items {
    pub(super) dialect: Dialect,
    /// Whether /robots.txt is always allowed.
    is_free: bool,
    pub(super) text: Vec<u8>,
    pub(super) items: Vec<Item>,
}

impl Items {
    /// Returns an empty list. `is_free`: whether /robots.txt is always allowed, even in google (SPEC 8.9).
    pub(super) fn new(dialect: Dialect, is_free: bool) -> Items {
        Items {
            dialect,
            is_free: is_free || dialect.frees_robots_txt(),
            text: Vec::new(),
            items: Vec::new(),
        }
    }

    /// Reserves memory for `count` rules, whose paths have `len` bytes in total.
    pub(super) fn reserve(&mut self, count: usize, len: usize) -> Result<(), Error> {
        let items = self.items.try_reserve_exact(count);
        let text = self.text.try_reserve_exact(len);
        items.and(text).map_err(|_| Error::Memory)
    }

    /// Returns an upper bound on the 32-bit words of the automaton.
    pub(super) fn words(&self) -> usize {
        // The factors are the bytes per entry in the lists of the automaton.
        (self.text.len() + 9 * self.positions() + 56 * self.items.len()) / 4
    }

    /// Returns the number of positions of the wildcard rules.
    pub(super) fn positions(&self) -> usize {
        let wild = self.items.iter().filter(|item| self.is_wild(item));
        wild.map(|item| (item.end - item.start) as usize + 1).sum()
    }

    /// Adds the rules that `is_kept` accepts to one side or to both.
    pub(super) fn add_rules(
        &mut self,
        sides: u32,
        rules: &Rules,
        is_kept: &dyn Fn(&EffectiveRule<'_>) -> bool,
    ) -> Result<(), Error> {
        let rules = rules.effective_rules()?;
        let len = rules.iter().map(|rule| rule.pattern().len()).sum();
        self.reserve(rules.len() + 1, len)?;
        for rule in rules.iter().filter(|rule| is_kept(rule)) {
            let path = RulePath::split(rule.pattern(), self.dialect);
            let effect = RuleEffect::new(self.dialect, &path, rule.allow(), rule.line());
            self.add(&path, sides, effect, 0)?;
        }
        self.add_free(sides)
    }

    /// Adds an allow rule for /robots.txt, unless rules decide on this path (SPEC 8.9).
    pub(super) fn add_free(&mut self, sides: u32) -> Result<(), Error> {
        if !self.is_free {
            return Ok(());
        }
        let path = RulePath::new(b"/robots.txt", true, self.dialect);
        self.add(&path, sides, RuleEffect::FREE, NO_RULE)
    }

    /// Allows, on both sides, the paths that the disallow rules of `accepted` match.
    pub(super) fn add_accepted(&mut self, accepted: &Rules) -> Result<(), Error> {
        let accepted = accepted.effective_rules()?;
        for rule in accepted.iter().filter(|rule| !rule.allow()) {
            let path = RulePath::split(rule.pattern(), self.dialect);
            self.add(&path, 3, RuleEffect::FREE, NO_RULE)?;
            if path.ends() && self.dialect.has_readings() {
                // SPEC 8.11: a path with an empty query is also decided without the query.
                let mut queried = Vec::new();
                append(&mut queried, rule.pattern())?;
                queried.pop();
                append(&mut queried, b"?$")?;
                let path = RulePath::split(&queried, self.dialect);
                self.add(&path, 3, RuleEffect::FREE, NO_RULE)?;
            }
        }
        Ok(())
    }

    /// Adds a rule. `number`: the caller's number for the rule.
    pub(super) fn add(
        &mut self,
        path: &RulePath<'_>,
        sides: u32,
        effect: RuleEffect,
        number: u32,
    ) -> Result<(), Error> {
        let start = self.text.len() as u32;
        append(&mut self.text, path.prefix())?;
        for piece in path.pieces() {
            append(&mut self.text, b"*")?;
            append(&mut self.text, piece)?;
        }
        let item = Item {
            start,
            end: self.text.len() as u32,
            is_anchored: path.ends(),
            sides,
            effect,
            number,
        };
        push(&mut self.items, item)
    }

    pub(super) fn path(&self, item: &Item) -> &[u8] {
        let path = self.text.get(item.start as usize..item.end as usize);
        path.unwrap_or_default()
    }

    /// Returns whether the path of an item has wildcards.
    pub(super) fn is_wild(&self, item: &Item) -> bool {
        self.dialect.has_wildcards() && self.path(item).contains(&b'*')
    }

    /// Sorts the items by path. The items without wildcards come first.
    pub(super) fn sort(&mut self) {
        let mut items = core::mem::take(&mut self.items);
        items.sort_unstable_by(|a, b| {
            let kinds = self.is_wild(a).cmp(&self.is_wild(b));
            let [of_a, of_b] = [a, b].map(|item| (self.path(item), item.is_anchored));
            let paths = kinds.then_with(|| of_a.cmp(&of_b));
            paths.then_with(|| a.number.cmp(&b.number))
        });
        self.items = items;
    }

    /// Groups the sorted items by path. Returns the first item of each group, and the group.
    pub(super) fn by_path(&self) -> impl Iterator<Item = (&Item, &[Item])> {
        let is_equal =
            |a: &Item, b: &Item| self.path(a) == self.path(b) && a.is_anchored == b.is_anchored;
        self.items
            .chunk_by(is_equal)
            .filter_map(|equal| Some((equal.first()?, equal)))
    }
}
