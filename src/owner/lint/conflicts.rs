//! Finds rules that never decide (SPEC 8.7), with one query to the engine per rule.
//!
//! Each rule yields its hardest URL: its path with an unused byte in place of every `*`. Another such byte follows unless
//! the rule ends in `$`. If another rule wins for the hardest URL, it always wins: a rule that matches this URL matches every URL of
//! the rule. A comparison of the two paths confirms this, because a rule can hold the unused byte, too. `query_budget`
//! bounds the queries; a rule without a query counts as one that may win.
//!
//! [`find_redundant`] finds rules that may win and change nothing, because a shorter rule has the same effect. It visits the
//! paths in sorted order with a stack of prefixes. [`mark_stars`] finds each needless `*` (SPEC 8.4, 8.7): a `*` adds length,
//! which matters only if an allow and a disallow match.

use super::codes::Code;
use super::diagnostic::{Checked, Findings, FixResult, quoted};
use super::dialect_diff::filled;
use super::groups::Groups;
use super::lines::File;
use super::paths::dot_segment;
use super::query_budget::QueryBudget;
use super::rule_set::{ALLOWED_ANYWAY, NOT_REDUNDANT, Rule, RuleSet};
use crate::base::error::Error;
use crate::base::verdict::Verdict;
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{collect, joined, push, reserved};
use crate::core::rules;

/// Upper bound on the bytes of rules examined per file. A rule counts for each crawler that obeys it, and costs
/// [`RULE_COST`] more. Only files with very many different groups reach the limit.
const MOST_BYTES: usize = 32 << 20;

const RULE_COST: usize = 32;

/// The unused byte. A rule may hold it, too; see [`RulePath::covers`].
const ANY: u8 = 0x7F;

pub(super) fn check_conflicts(file: &File, groups: &Groups, findings: &mut Findings) -> Checked {
    let (mut rules, members) = RuleSet::new(file, groups)?;
    let mut budget = QueryBudget::new();
    let mut bytes = MOST_BYTES;
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    let mut before = &[][..];
    for obeyed in classes.obeyed() {
        // Crawlers that obey the same groups have the same result.
        if obeyed == before {
            continue;
        }
        before = obeyed;
        let ranges = obeyed
            .iter()
            .filter_map(|group| members.get(*group as usize))
            .map(|[start, end]| *start..*end);
        let mut set: Vec<u32> = reserved(ranges.clone().map(|range| range.len()).sum())?;
        set.extend(ranges.flatten());
        let cost = |rule: &Rule| rule.len as usize + RULE_COST;
        let cost = rules.of(&set).map(cost).sum();
        let Some(rest) = bytes.checked_sub(cost) else {
            return Ok(());
        };
        bytes = rest;
        check_one_crawler(&mut rules, &set, &mut budget)?;
    }
    mark_groups(&mut rules, &members);
    for rule in &rules.rules {
        report(&rules, rule, findings);
    }
    report_stars(&rules, findings);
    Ok(())
}

/// Marks the rules of groups in which some rule is not reported.
fn mark_groups(rules: &mut RuleSet<'_>, members: &[[u32; 2]]) {
    for [start, end] in members {
        let mut all = (*start..*end).filter_map(|at| rules.get(at));
        let stays = all.any(|rule| !rule.is_reported(rules.value(rule.line)));
        for at in *start..*end {
            if let Some(rule) = rules.rules.get_mut(at as usize) {
                rule.group_stays = stays;
            }
        }
    }
}

/// Records the effect of the rules that one crawler obeys, given in file order.
fn check_one_crawler(
    rules: &mut RuleSet<'_>,
    set: &[u32],
    budget: &mut QueryBudget,
) -> Result<(), Error> {
    let winners = winners(rules, set, budget)?;
    let redundant = find_redundant(rules, set)?;
    mark_stars(rules, set)?;
    for ((at, winner), redundant) in set.iter().zip(winners).zip(redundant) {
        let Some(rule) = rules.rules.get_mut(*at as usize) else {
            continue;
        };
        rule.obeyed = true;
        rule.wins |= winner == 0;
        rule.matters |= winner == 0 && redundant == NOT_REDUNDANT;
        if rule.beaten_by == 0 {
            rule.beaten_by = winner;
        }
        if rule.redundant_to == NOT_REDUNDANT {
            rule.redundant_to = redundant;
        }
    }
    Ok(())
}

/// Returns the line of the rule that always wins against each rule of the set, or 0. Equal rules cost one query.
fn winners(rules: &RuleSet<'_>, set: &[u32], budget: &mut QueryBudget) -> Result<Vec<u32>, Error> {
    let firsts = first_equals(rules, set)?;
    let is_first = |(place, first): &(u32, &u32)| place == *first;
    let distinct = (0..).zip(&firsts).filter(is_first);
    let distinct = distinct.filter_map(|(place, _)| rules.at(set, place));
    let all = rules::compile_rules(
        &rules.file.body,
        rules.dialect(),
        distinct.map(|rule| (rules.value(rule.line), rule.allow, rule.line)),
    )?;
    let mut winners: Vec<u32> = reserved(set.len())?;
    for (place, first) in (0..).zip(firsts) {
        let winner = match rules.at(set, place) {
            Some(rule) if first == place => winner_against(rules, rule, &all, budget)?,
            Some(rule) if !rules.stands_for_more(rule) => match winners.get(first as usize) {
                // The rule that wins against the first equal rule wins against all of them.
                Some(line) if *line > 0 => *line,
                _ => rules.at(set, first).map_or(0, |first| first.line),
            },
            _ => 0,
        };
        winners.push(winner);
    }
    Ok(winners)
}

/// Returns the place of the first rule with the same path and effect, for each rule of the set.
fn first_equals(rules: &RuleSet<'_>, set: &[u32]) -> Result<Vec<u32>, Error> {
    let mut sorted = collect(0..set.len() as u32)?;
    let mut firsts = collect(0..set.len() as u32)?;
    let key = |place: u32| {
        let rule = rules.at(set, place)?;
        let path = rules.path(rule);
        Some((path.bytes, path.is_anchored, rule.allow))
    };
    sorted.sort_unstable_by(|a, b| key(*a).cmp(&key(*b)).then(a.cmp(b)));
    for equals in sorted.chunk_by(|a, b| key(*a) == key(*b)) {
        for place in equals {
            if let (Some(to), Some(first)) = (firsts.get_mut(*place as usize), equals.first()) {
                *to = *first;
            }
        }
    }
    Ok(firsts)
}

/// Returns the line of the rule that always wins against a rule, or 0.
fn winner_against(
    rules: &RuleSet<'_>,
    rule: &Rule,
    all: &[u8],
    budget: &mut QueryBudget,
) -> Result<u32, Error> {
    if rules.stands_for_more(rule) {
        return Ok(0);
    }
    let url = hardest_url(rules, rule)?;
    // A URL with several readings (SPEC 8.11) may be decided by another path.
    let is_read_twice = dot_segment(rules.value(rule.line)).is_some()
        || url.iter().any(|byte| matches!(byte, b'\\' | b'\t'));
    if is_read_twice {
        return Ok(0);
    }
    let line = budget.ask(all, &url)?.map_or(0, Verdict::line);
    let winner = rules.on_line(line).filter(|_| line != rule.line);
    let winner = winner.filter(|winner| {
        !rules.stands_for_more(winner) && rules.path(winner).covers(&rules.path(rule))
    });
    Ok(winner.map_or(0, |winner| winner.line))
}

/// Returns the rule's hardest URL.
fn hardest_url(rules: &RuleSet<'_>, rule: &Rule) -> Result<Vec<u8>, Error> {
    let path = rules.path(rule);
    let suffix: &[u8] = if path.is_anchored { b"" } else { &[ANY] };
    if rules.dialect().has_wildcards() {
        filled(path.bytes, &[ANY], suffix)
    } else {
        // koster1996 would decode a canonical path again.
        joined([rules.value(rule.line), suffix])
    }
}

fn report(rules: &RuleSet<'_>, rule: &Rule, findings: &mut Findings) {
    let value = rules.value(rule.line);
    if !rule.is_reported(value) {
        return;
    }
    if !rule.wins && rule.beaten_by > 0 {
        if let Some(by) = rules.on_line(rule.beaten_by) {
            beaten(rules, rule, by, findings);
        }
        return;
    }
    let place = rules.file.place(rule.line, value);
    let found = match rule.redundant_to {
        NOT_REDUNDANT => return,
        ALLOWED_ANYWAY => findings
            .add(Code::AllowedAnyway, place)
            .say("no disallow matches what this rule allows: it is allowed anyway"),
        line => {
            let path = quoted(rules.value(line));
            findings
                .add(Code::Redundant, place)
                .say(format_args!("line {line}, {path}, has the same effect: without this rule no verdict would change"))
                .other(line)
        }
    };
    match rule.waits_for {
        0 => found.help(rule.removal()).fix(|| removal(rules, rule)),
        line => found.help(format_args!(
            "correct the path on line {line} first: then this rule may decide"
        )),
    };
}

/// Reports a rule that never wins against the rule `by`.
fn beaten(rules: &RuleSet<'_>, rule: &Rule, by: &Rule, findings: &mut Findings) {
    let is_first = rules.dialect().first_match_wins();
    let (path, by_path) = (rules.path(rule), rules.path(by));
    let (value, by_value) = (rules.value(rule.line), rules.value(by.line));
    let is_same = path.bytes == by_path.bytes && path.is_anchored == by_path.is_anchored;
    let is_alike = rule.allow == by.allow;
    let code = match (is_same, is_alike) {
        (true, true) => Code::Duplicate,
        (true, false) => Code::Conflict,
        (false, _) => Code::NeverWins,
    };
    let line = by.line;
    let found = findings.add(code, rules.file.place(rule.line, value));
    let found = found.other(line);
    let found = match code {
        Code::Duplicate => {
            let how = if value == by_value {
                "the same rule"
            } else {
                "an equal rule, encoded differently,"
            };
            found.say(format_args!("{how} is on line {line}"))
        }
        Code::Conflict => {
            let name = |rule: &Rule| if rule.allow { "allow" } else { "disallow" };
            let (own, other) = (name(rule), name(by));
            let why = if is_first {
                "the first rule wins"
            } else {
                "at equal length allow wins"
            };
            found.say(format_args!(
                "this {own} never decides: line {line} is {other} for the same path, and {why}"
            ))
        }
        _ => {
            let path_of_other = quoted(by_value);
            let why = match () {
                () if is_first => "and comes first",
                () if by_path.length() > path.length() => "and is longer",
                () => "is as long, and is an allow",
            };
            found.say(format_args!(
                "this rule never wins: {path_of_other} on line {line} matches all that it matches, {why}"
            ))
        }
    };
    match code {
        Code::Conflict => found.help("remove the one that you do not mean"),
        Code::NeverWins if is_first => found.help("move it before the other rule, or remove it"),
        Code::NeverWins if !is_alike => {
            found.help("make it longer than the other rule, or remove it")
        }
        _ => found.help(rule.removal()).fix(|| removal(rules, rule)),
    };
}

/// Returns the edit that follows [`Rule::removal`].
fn removal(rules: &RuleSet<'_>, rule: &Rule) -> FixResult {
    let fix = match rules.file.line(rule.line) {
        Some(line) if !rule.group_stays => rules.file.empty_rule(line),
        _ => rules.file.remove_line(rule.line),
    };
    fix.safe_if(true)
}

/// A list for disallow rules and a list for allow rules.
#[derive(Default)]
struct ByEffect<T> {
    disallow: Vec<T>,
    allow: Vec<T>,
}

impl<T> ByEffect<T> {
    fn of(&self, allow: bool) -> &[T] {
        if allow { &self.allow } else { &self.disallow }
    }

    fn push(&mut self, is_allow: bool, item: T) -> Result<(), Error> {
        let ByEffect { disallow, allow } = self;
        push(if is_allow { allow } else { disallow }, item)
    }
}

/// The length and the line of a rule.
type Entry = (u32, u32);

/// Returns the longest entry below `length`, or up to `length` if `with`. `list`: in ascending order.
fn below(list: &[Entry], length: u32, with: bool) -> Option<Entry> {
    let end = list.partition_point(|(of, _)| *of < length || with && *of == length);
    list.get(end.checked_sub(1)?).copied()
}

/// The rules with one literal prefix, in ascending order of length.
#[derive(Default)]
struct Node<'r> {
    prefix: &'r [u8],
    /// Rules that may match more than the prefix itself.
    longer: ByEffect<Entry>,
    /// Rules that match everything with this prefix, also in `longer`.
    open: ByEffect<Entry>,
    /// Rules that match the prefix alone.
    exact: ByEffect<Entry>,
}

/// Returns, for each rule of the set, the line of a shorter rule with the same effect on everything that the rule matches.
/// No rule between the two has another effect. [`ALLOWED_ANYWAY`] for an allow of paths that no rule disallows.
fn find_redundant(rules: &RuleSet<'_>, set: &[u32]) -> Result<Vec<u32>, Error> {
    let mut found = collect(set.iter().map(|_| NOT_REDUNDANT))?;
    // Lint does not search for redundant rules if the first match wins.
    let is_index = |rule| rules.stands_for_more(rule);
    if rules.dialect().first_match_wins() || rules.of(set).any(is_index) {
        return Ok(found);
    }
    let mut sorted = collect(0..set.len() as u32)?;
    let rule = |place: u32| rules.at(set, place);
    let prefix = |place: u32| rule(place).map(|rule| rules.path(rule).prefix());
    let key = |place: u32| {
        let rule = rule(place)?;
        let path = rules.path(rule);
        Some((path.prefix(), path.length(), rule.line))
    };
    sorted.sort_unstable_by(|a, b| key(*a).cmp(&key(*b)));
    let mut above: Vec<Node<'_>> = Vec::new();
    for same in sorted.chunk_by(|a, b| prefix(*a) == prefix(*b)) {
        let Some(prefix) = same.first().and_then(|first| prefix(*first)) else {
            continue;
        };
        let is_other = |node: &Node<'_>| !prefix.starts_with(node.prefix);
        while above.last().is_some_and(is_other) {
            above.pop();
        }
        let mut node = Node {
            prefix,
            ..Node::default()
        };
        for rule in same.iter().filter_map(|place| rule(*place)) {
            let path = rules.path(rule);
            let entry = (path.length() as u32, rule.line);
            if path.is_literal() && path.is_anchored {
                node.exact.push(rule.allow, entry)?;
            } else {
                node.longer.push(rule.allow, entry)?;
            }
            if path.is_open() {
                node.open.push(rule.allow, entry)?;
            }
        }
        push(&mut above, node)?;
        for place in same {
            let literal = rule(*place).map(|rule| (rule.allow, rules.path(rule)));
            let literal = literal.filter(|(_, path)| path.is_literal());
            if let (Some((allow, path)), Some(found)) = (literal, found.get_mut(*place as usize)) {
                *found = find_above(&above, allow, path.length() as u32);
            }
        }
    }
    Ok(found)
}

/// Returns the result of [`find_redundant`] for one rule, from the rules whose literal prefix is a prefix of its path. A rule
/// with a longer prefix is longer itself and wins anyway.
fn find_above(above: &[Node<'_>], allow: bool, length: u32) -> u32 {
    // An equal rule is not shorter. An allow of the same length wins against a disallow.
    let same = |node: &Node<'_>| below(node.open.of(allow), length, false);
    let against = |list: &ByEffect<Entry>| below(list.of(!allow), length, allow);
    let same = above.iter().filter_map(same).max();
    let own = above.last().and_then(|node| against(&node.exact));
    let against = above.iter().filter_map(|node| against(&node.longer));
    let against = against.chain(own).max();
    match (same, against) {
        (Some((same, line)), Some((against, _))) => {
            // At equal length allow wins.
            let decides = same > against || allow && same == against;
            if decides { line } else { NOT_REDUNDANT }
        }
        (Some((_, line)), None) => line,
        (None, None) if allow => ALLOWED_ANYWAY,
        (None, _) => NOT_REDUNDANT,
    }
}

/// The needless bytes of a path.
struct Surplus {
    start: usize,
    len: usize,
    /// Whether they are one of two `*` in a row.
    is_double: bool,
}

fn surplus(path: &[u8]) -> Option<Surplus> {
    if let Some(start) = memchr::memmem::find(path, b"**") {
        return Some(Surplus {
            start,
            len: 1,
            is_double: true,
        });
    }
    let (start, len) = match path {
        // Without the `*`, the `$` would mean the end of the URL.
        b"*" | b"/*" | b"*$" | b"/*$" | [.., b'$', b'*'] | [.., b'$', b'*', b'$'] => return None,
        [.., b'*', b'$'] => (path.len() - 2, 2),
        [.., b'*'] => (path.len() - 1, 1),
        _ => return None,
    };
    Some(Surplus {
        start,
        len,
        is_double: false,
    })
}

/// Marks the rules of one crawler whose surplus has an effect. Without it, some rule of the other kind that is now shorter or
/// as long would be as long or longer. All rules without the mark can lose their surplus together, because the order of allow and disallow rules by
/// length stays.
fn mark_stars(rules: &mut RuleSet<'_>, set: &[u32]) -> Result<(), Error> {
    if !rules.dialect().has_wildcards() {
        return Ok(());
    }
    // A rule that also matches a directory has two lengths.
    let has_two_lengths = rules.of(set).any(|rule| rules.stands_for_more(rule));
    let mut lengths = ByEffect::default();
    for rule in rules.of(set) {
        lengths.push(rule.allow, rules.path(rule).length() as u32)?;
    }
    lengths.disallow.sort_unstable();
    lengths.allow.sort_unstable();
    for at in set {
        let Some(rule) = rules.get(*at) else {
            continue;
        };
        let Some(surplus) = surplus(rules.value(rule.line)) else {
            continue;
        };
        let length = rules.path(rule).length() as u32;
        let others = lengths.of(!rule.allow);
        let first = others.partition_point(|of| *of < length - surplus.len as u32);
        let matters = has_two_lengths || others.get(first).is_some_and(|of| *of <= length);
        if let Some(rule) = rules.rules.get_mut(*at as usize) {
            rule.star_matters |= matters;
        }
    }
    Ok(())
}

/// Reports every `**`, and the first rule whose last `*` has no effect.
fn report_stars(rules: &RuleSet<'_>, findings: &mut Findings) {
    if !rules.dialect().has_wildcards() {
        return;
    }
    let file = rules.file;
    let mut first = None;
    let mut count = 0;
    for rule in &rules.rules {
        let value = rules.value(rule.line);
        let Some(surplus) = surplus(value).filter(|_| !rule.is_reported(value)) else {
            continue;
        };
        let part = surplus.start..surplus.start + surplus.len;
        let star = value.get(part).unwrap_or_default();
        let changes_nothing = rule.obeyed && !rule.star_matters;
        if surplus.is_double {
            findings
                .add(Code::NeedlessStar, file.place(rule.line, star))
                .say("one `*` matches any characters: another one adds nothing")
                .help("write one `*`")
                .fix(|| file.replace(star, "").safe_if(changes_nothing));
        } else if changes_nothing {
            count += 1;
            let path = value.get(..surplus.start).unwrap_or_default();
            first = first.or(Some((rule.line, star, path)));
        }
    }
    let Some((line, star, path)) = first else {
        return;
    };
    let which = from_fn(|f| match count {
        1 => f.write_str("the `*` at the end changes nothing"),
        _ => write!(
            f,
            "{count} rules end in a `*` that changes nothing, this one first"
        ),
    });
    findings
        .add(Code::NeedlessStar, file.place(line, star))
        .say(format_args!(
            "{which}: a rule matches every URL that begins with its path"
        ))
        .help(format_args!("write {}", quoted(path)))
        .fix(|| file.replace(star, "").safe_if(true));
}
