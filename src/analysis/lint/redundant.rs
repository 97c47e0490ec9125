//! Finds rules that may win and yet change nothing, since a shorter rule has the same effect. Walks the paths in sorted
//! order with a stack of prefixes.

use super::rule_set::{ALLOWED_ANYWAY, NOT_REDUNDANT, RuleSet};
use crate::error::Error;
use crate::util::try_alloc::{collect, push};

/// Lengths of rules in ascending order, with their lines.
#[derive(Default)]
struct Lengths(Vec<(u32, u32)>);

impl Lengths {
    /// Returns the longest below `length`, or up to `length` if `with`.
    fn below(&self, length: u32, with: bool) -> Option<(u32, u32)> {
        let end = self
            .0
            .partition_point(|(of, _)| *of < length || with && *of == length);
        self.0.get(end.checked_sub(1)?).copied()
    }
}

/// Rules with the same literal prefix.
struct Node<'r> {
    prefix: &'r [u8],
    /// Disallow and allow rules that may match more than the prefix itself.
    longer: [Lengths; 2],
    /// Those of them that match everything with this prefix.
    open: [Lengths; 2],
    /// Rules that match the prefix alone.
    exact: [Lengths; 2],
}

/// Returns for each rule of the set the line of a shorter rule that has the same effect on all that it matches, if no
/// rule between the two has another effect. [`ALLOWED_ANYWAY`]: an allow of what no rule disallows.
pub(super) fn find_redundant(rules: &RuleSet<'_>, set: &[u32]) -> Result<Vec<u32>, Error> {
    let mut found = collect(set.iter().map(|_| NOT_REDUNDANT))?;
    let mut members = set.iter().filter_map(|at| rules.get(*at));
    // Lint does not search for redundant rules if the first match wins.
    if rules.dialect().first_match_wins() || members.any(|rule| rules.stands_for_more(rule)) {
        return Ok(found);
    }
    let mut sorted = collect(0..set.len() as u32)?;
    let rule = |place: u32| rules.get(*set.get(place as usize)?);
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
        while above
            .last()
            .is_some_and(|node| !prefix.starts_with(node.prefix))
        {
            above.pop();
        }
        let mut node = Node {
            prefix,
            longer: Default::default(),
            open: Default::default(),
            exact: Default::default(),
        };
        for rule in same.iter().filter_map(|place| rule(*place)) {
            let path = rules.path(rule);
            let entry = (path.length() as u32, rule.line);
            let is_exact = path.is_literal() && path.is_anchored;
            let [disallow, allow] = if is_exact {
                &mut node.exact
            } else {
                &mut node.longer
            };
            push(&mut if rule.allow { allow } else { disallow }.0, entry)?;
            if path.is_open() {
                let [disallow, allow] = &mut node.open;
                push(&mut if rule.allow { allow } else { disallow }.0, entry)?;
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

/// Examines all rules whose literal prefix is a prefix of the rule's path. A rule with a longer prefix is longer itself
/// and decides on its own.
fn find_above(above: &[Node<'_>], allow: bool, length: u32) -> u32 {
    let of = |[disallow, allow]: &'_ [Lengths; 2], is_allow: bool, with: bool| {
        if is_allow { allow } else { disallow }.below(length, with)
    };
    // An equal rule is not shorter. An allow of the same length wins against a disallow.
    let same = above
        .iter()
        .filter_map(|node| of(&node.open, allow, false))
        .max();
    let against = |lengths| of(lengths, !allow, allow);
    let own = above.last().and_then(|node| against(&node.exact));
    let against = above
        .iter()
        .filter_map(|node| against(&node.longer))
        .chain(own)
        .max();
    match (same, against) {
        (Some((same, line)), Some((against, _))) => {
            // At equal length allow wins.
            let decides = if allow {
                same >= against
            } else {
                same > against
            };
            if decides { line } else { NOT_REDUNDANT }
        }
        (Some((_, line)), None) => line,
        (None, None) if allow => ALLOWED_ANYWAY,
        (None, _) => NOT_REDUNDANT,
    }
}
