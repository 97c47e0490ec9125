//! Finds the role of each rule of a crawler: whether removing the rule changes a verdict.
//!
//! All rules are on both sides of one automaton ([`Half`]). Each rule is removed from the right side, one after the other, from
//! the highest priority down. If no verdict changes, the rule is *needless*, and is removed from the left side as well. Because
//! of this order, a needless rule can be removed alone, or together with any other needless rules. On a path that the needless
//! rule decides, the matching rule of the next lower priority has the same effect. The rule of lower priority may be needless,
//! too.

use core::cmp::Reverse;

use super::Limits;
use super::automaton::Automaton;
use super::items::{Half, Items, RuleEffect};
use super::search::Comparison;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::RulePath;
use crate::bytes::try_alloc::{append, collect, push, reserved};

/// Upper bound on the steps of the search for one rule.
const MAX_STEPS: u64 = 1 << 18;

#[derive(Clone, Copy)]
pub(crate) struct ExaminedRule<'a> {
    /// The canonical path of the rule.
    pub(crate) path: &'a [u8],
    pub(crate) allow: bool,
    pub(crate) line: u32,
    /// Number of needless bytes in the path: without these bytes, the path matches the same URLs.
    pub(crate) surplus: u32,
    /// Whether the rule stays, unless a rule of higher priority has an equivalent path and the same effect.
    pub(crate) stays: bool,
    /// Whether the rule stays in any case, because another crawler needs it.
    pub(crate) is_needed: bool,
    /// Whether the rule stays if it decides a path.
    pub(crate) is_statement: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleRole {
    /// Whether no verdict changes without the rule, even if other needless rules are removed as well.
    pub(crate) is_needless: bool,
    /// Whether the rule decides no path. Examined only for a needless rule; false for any other rule.
    pub(crate) never_decides: bool,
    /// For a needless rule: the line that decides the shortest path that the rule matches; 0 if no line decides. If the rule
    /// never decides, the line decides in the whole file. Otherwise the line decides in the file without all needless rules.
    pub(crate) instead: u32,
    /// Whether no verdict changes if only this rule loses its surplus bytes.
    pub(crate) is_surplus_needless: bool,
}

/// Returns the roles of the rules of one crawler. If the limits end the search for a rule, the rule counts as needed. Duplicates
/// are always found.
pub(crate) fn roles(
    dialect: Dialect,
    rules: &[ExaminedRule<'_>],
    limits: &mut Limits,
) -> Result<Vec<RuleRole>, Error> {
    let mut items = Items::new(dialect, false);
    items.reserve(rules.len(), rules.iter().map(|rule| rule.path.len()).sum())?;
    for (number, rule) in (0..).zip(rules) {
        let path = RulePath::split(rule.path, dialect);
        let effect = RuleEffect::new(dialect, &path, rule.allow, rule.line);
        items.add(&path, 3, effect, number)?;
        // SPEC 8.10: an allow rule for an index page also stands for its directory.
        let directory = path.directory_of_index(dialect);
        if let Some(path) = directory.filter(|_| rule.allow) {
            let effect = RuleEffect::new(dialect, &path, true, rule.line);
            items.add(&path, 3, effect, number)?;
        }
    }
    items.add_free(3)?;
    items.sort();
    let roles = duplicates(&items, rules)?;
    if items.words() > limits.max_automaton() {
        limits.are_reached = true;
        return Ok(roles);
    }
    let mut members: Vec<Member> = reserved(rules.len())?;
    let automaton = Automaton::new(items, |of, number, effect| {
        push(
            &mut members,
            Member {
                of,
                number,
                effect,
                is_gone: false,
            },
        )
    })?;
    members.sort_unstable_by_key(|it| (it.of, Reverse(it.effect.priority), it.number));
    let mut examined = Examined {
        dialect,
        rules,
        members,
        comparison: Comparison::of(collect([automaton])?, [dialect; 2]),
        limits,
        roles,
    };
    examined.find_surplus()?;
    examined.find_needless()?;
    examined.find_instead()?;
    Ok(examined.roles)
}

/// Finds rules with the path and the effect of an earlier rule. `items` are sorted.
fn duplicates(items: &Items, rules: &[ExaminedRule<'_>]) -> Result<Vec<RuleRole>, Error> {
    let mut roles = collect(rules.iter().map(|_| RuleRole::default()))?;
    for (_, alike) in items.by_path() {
        // Equivalent paths, which match the same URLs, may differ in length.
        let mut firsts: [Option<&ExaminedRule<'_>>; 2] = [None; 2];
        for item in alike {
            let Some(rule) = rules.get(item.number as usize) else {
                continue;
            };
            let [disallow, allow] = &mut firsts;
            let first = if rule.allow { allow } else { disallow };
            let first = *first.get_or_insert(rule);
            let is_equal = first.path == rule.path && first.line != rule.line;
            let role = roles.get_mut(item.number as usize);
            if let Some(role) = role.filter(|_| is_equal && !rule.is_needed) {
                role.is_needless = true;
                role.never_decides = true;
                role.instead = first.line;
            }
        }
    }
    Ok(roles)
}

/// A rule of the crawler, and its rule in the automaton. Rules that match the same paths are one rule in the automaton.
#[derive(Clone, Copy)]
struct Member {
    /// The rule of the automaton.
    of: u32,
    /// The index of the crawler's rule, or `NO_RULE`.
    number: u32,
    effect: RuleEffect,
    is_gone: bool,
}

struct Examined<'r> {
    dialect: Dialect,
    rules: &'r [ExaminedRule<'r>],
    /// The members, sorted by `of`, then by priority from the highest down.
    members: Vec<Member>,
    comparison: Comparison<'r>,
    limits: &'r mut Limits,
    roles: Vec<RuleRole>,
}

impl<'r> Examined<'r> {
    /// Returns a member, its rule and the path of the rule; `None` if the rule has two priorities (SPEC 8.10).
    fn get(&self, place: usize) -> Option<(Member, ExaminedRule<'r>, RulePath<'r>)> {
        let member = *self.members.get(place)?;
        let rule = *self.rules.get(member.number as usize)?;
        let path = RulePath::split(rule.path, self.dialect);
        let has_directory = rule.allow && path.directory_of_index(self.dialect).is_some();
        (!has_directory).then_some((member, rule, path))
    }

    fn role(&mut self, number: u32) -> Option<&mut RuleRole> {
        self.roles.get_mut(number as usize)
    }

    /// Returns the member with the highest priority among the remaining members of the automaton's rule `of`.
    fn best(&self, of: u32) -> Option<&Member> {
        let start = self.members.partition_point(|member| member.of < of);
        let same = self.members.iter().skip(start);
        let mut same = same.take_while(|member| member.of == of);
        same.find(|member| !member.is_gone)
    }

    fn is_best(&self, member: Member) -> bool {
        self.best(member.of)
            .is_some_and(|best| best.number == member.number)
    }

    fn best_effect(&self, of: u32) -> RuleEffect {
        self.best(of)
            .map_or(RuleEffect::default(), |member| member.effect)
    }

    /// Returns whether it is proved that no verdict changes if the automaton's rule `of` gets this effect.
    fn is_alike(
        &mut self,
        of: u32,
        path: &RulePath<'_>,
        effect: RuleEffect,
    ) -> Result<bool, Error> {
        let before = match self.comparison.automaton(Half::Left) {
            Some(automaton) => automaton.effect_of(of, Half::Left),
            None => return Ok(false),
        };
        if before == effect {
            return Ok(true);
        }
        if self.limits.steps == 0 {
            self.limits.are_reached = true;
            return Ok(false);
        }
        // koster1996 also decodes bytes that have a meaning in a path, such as `?`. Several raw prefixes become one, so start
        // at `/`.
        let prefix = match self.dialect {
            Dialect::Koster1996 => b"/",
            _ => path.prefix(),
        };
        let urls = [example(path, b"")?, example(path, b"x")?];
        let set = |comparison: &mut Comparison<'r>, effect, count| {
            if let Some((automaton, steps)) = comparison.automaton_mut() {
                automaton.set_effect(of, Half::Right, effect);
                if count {
                    automaton.count_from(of, steps);
                }
            }
        };
        let search = |comparison: &mut Comparison<'r>| {
            set(comparison, effect, false);
            // Most rules decide an example URL of their own path, which shows without a search that the verdict changes.
            let is_used = comparison.disagrees(&urls[0])? || comparison.disagrees(&urls[1])?;
            if is_used {
                set(comparison, before, false);
                return Ok(Some(true));
            }
            set(comparison, effect, true);
            let differs = comparison.search(prefix)?;
            set(comparison, before, true);
            Ok(differs)
        };
        let differs = self.limits.spend(&mut self.comparison, MAX_STEPS, search)?;
        self.limits.are_reached |= differs.is_none();
        Ok(differs == Some(false))
    }

    /// Gives the automaton's rule `of` the effect of its best member, on both sides.
    fn set_both(&mut self, of: u32) {
        let effect = self.best_effect(of);
        if let Some((automaton, _)) = self.comparison.automaton_mut() {
            automaton.set_effect(of, Half::Left, effect);
            automaton.set_effect(of, Half::Right, effect);
        }
    }

    fn count_from(&mut self, of: u32) {
        if let Some((automaton, steps)) = self.comparison.automaton_mut() {
            automaton.count_from(of, steps);
        }
    }

    fn find_surplus(&mut self) -> Result<(), Error> {
        for place in 0..self.members.len() {
            let Some((member, rule, path)) = self.get(place) else {
                continue;
            };
            if rule.surplus == 0 || rule.stays {
                continue;
            }
            let shorter = member.effect.shorter(rule.surplus);
            self.hide(place, true);
            let others = self.best_effect(member.of);
            self.hide(place, false);
            let best = match others.priority > shorter.priority {
                true => others,
                false => shorter,
            };
            let is_needless = self.is_alike(member.of, &path, best)?;
            if let Some(role) = self.role(member.number) {
                role.is_surplus_needless = is_needless;
            }
        }
        Ok(())
    }

    fn hide(&mut self, place: usize, is_gone: bool) {
        if let Some(member) = self.members.get_mut(place) {
            member.is_gone = is_gone;
        }
    }

    fn find_needless(&mut self) -> Result<(), Error> {
        // A rule never decides if a rule of higher priority has an equivalent path and the same effect, even if that rule is
        // needless, too.
        for place in 0..self.members.len() {
            let Some((member, rule, _)) = self.get(place) else {
                continue;
            };
            let best = self.best(member.of);
            let is_alike = best.is_some_and(|best| best.effect.allow == member.effect.allow);
            let is_beaten = is_alike && !rule.is_needed && !self.is_best(member);
            if let Some(role) = self.role(member.number).filter(|_| is_beaten) {
                role.is_needless = true;
                self.hide(place, true);
            }
        }
        let mut order = collect(0..self.members.len() as u32)?;
        let key = |place: &u32| {
            let member = self.members.get(*place as usize)?;
            Some((member.effect.priority, member.number))
        };
        order.sort_unstable_by_key(|place| Reverse(key(place)));
        for place in order {
            let place = place as usize;
            let Some((member, rule, path)) = self.get(place) else {
                continue;
            };
            if member.is_gone || rule.stays || rule.is_needed {
                continue;
            }
            let is_best = self.is_best(member);
            self.hide(place, true);
            let without = self.best_effect(member.of);
            let mut is_needless = self.is_alike(member.of, &path, without)?;
            if is_needless && is_best && rule.is_statement {
                is_needless = self.is_alike(member.of, &path, member.effect.reversed())?;
            }
            if is_needless {
                self.set_both(member.of);
                self.count_from(member.of);
            }
            self.hide(place, is_needless);
            if let Some(role) = self.role(member.number) {
                role.is_needless = is_needless;
            }
        }
        Ok(())
    }

    /// Finds the rules that decide instead of needless rules.
    fn find_instead(&mut self) -> Result<(), Error> {
        for place in 0..self.members.len() {
            let Some((member, path)) = self.needless(place) else {
                continue;
            };
            if let Some(winner) = self.winner(&path)? {
                let instead = self.line_of(winner);
                if let Some(role) = self.role(member.number) {
                    role.instead = instead;
                }
            }
        }
        self.members.iter_mut().for_each(|it| it.is_gone = false);
        for place in 0..self.members.len() {
            if let Some(Member { of, .. }) = self.members.get(place) {
                self.set_both(*of);
            }
        }
        self.count_from(0);
        for place in 0..self.members.len() {
            let Some((member, path)) = self.needless(place) else {
                continue;
            };
            let mut winner = member.of;
            if self.is_best(member) {
                // On a path with an empty query, the verdict may come from the path without the query, and the line from this
                // rule.
                let reversed = member.effect.reversed();
                match self.winner(&path)? {
                    Some(other) if other != member.of => winner = other,
                    _ => continue,
                }
                if !self.is_alike(member.of, &path, reversed)? {
                    continue;
                }
            }
            let instead = self.line_of(winner);
            if let Some(role) = self.role(member.number) {
                (role.never_decides, role.instead) = (true, instead);
            }
        }
        Ok(())
    }

    /// Returns a member and the path of its rule, if the rule is needless.
    fn needless(&mut self, place: usize) -> Option<(Member, RulePath<'r>)> {
        let (member, _, path) = self.get(place)?;
        let role = self.role(member.number)?;
        role.is_needless.then_some((member, path))
    }

    /// Returns the line of the best member of the automaton's rule `of`; 0 if no member remains.
    fn line_of(&self, of: u32) -> u32 {
        let best = self.best(of).map(|best| best.number as usize);
        let rule = best.and_then(|number| self.rules.get(number));
        rule.map_or(0, |rule| rule.line)
    }

    /// Returns the rule of the automaton that decides the shortest path that `path` matches; `None` if the limits are reached.
    fn winner(&mut self, path: &RulePath<'_>) -> Result<Option<u32>, Error> {
        let Some(automaton) = self.comparison.automaton(Half::Left) else {
            return Ok(None);
        };
        let mut state = automaton.start()?;
        for byte in example(path, b"")? {
            let mut steps = 0;
            automaton.read(&mut state, byte, &mut steps);
            self.limits.steps = self.limits.steps.saturating_sub(steps);
            if self.limits.steps == 0 {
                self.limits.are_reached = true;
                return Ok(None);
            }
        }
        let [winner, _] = automaton.winners(&state);
        Ok(Some(winner))
    }
}

/// Returns a path that a rule matches, with `fill` for each `*`.
fn example(path: &RulePath<'_>, fill: &[u8]) -> Result<Vec<u8>, Error> {
    let mut example = Vec::new();
    append(&mut example, path.prefix())?;
    if example.is_empty() {
        push(&mut example, b'/')?;
    }
    for piece in path.pieces() {
        append(&mut example, fill)?;
        append(&mut example, piece)?;
    }
    Ok(example)
}
