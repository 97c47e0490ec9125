//! Finds rules that may win and yet change nothing, since a shorter rule has the same effect. Walks the paths in sorted
//! order with a stack of prefixes.

use super::conflicts::{Rule, stands_for_more};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::util::try_alloc::{collect, push};

/// Lengths of rules in ascending order, with their indexes in the list of all rules.
#[derive(Default)]
struct Lengths(Vec<(usize, usize)>);

impl Lengths {
    /// Returns the longest below `length`, or up to `length` if `with`.
    fn below(&self, length: usize, with: bool) -> Option<(usize, usize)> {
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

/// Returns for each rule of the set a shorter rule that has the same effect on all that it matches, if no rule between
/// the two has another effect. `Some(None)`: an allow of what no rule disallows.
pub(super) fn find_redundant(
    dialect: Dialect,
    rules: &[Rule<'_>],
    set: &[usize],
) -> Result<Vec<Option<Option<usize>>>, Error> {
    let mut said = Vec::new();
    said.try_reserve_exact(set.len())
        .map_err(|_| Error::Memory)?;
    said.resize(set.len(), None);
    let members = || set.iter().filter_map(|at| rules.get(*at));
    // Lint does not search for redundant rules if the first match wins.
    if dialect.first_match_wins() || members().any(|rule| stands_for_more(dialect, rule)) {
        return Ok(said);
    }
    let places = set.iter().enumerate();
    let mut sorted = collect(places.filter_map(|(place, at)| Some((place, *at, rules.get(*at)?))))?;
    sorted.sort_unstable_by(|(.., a), (.., b)| {
        (a.path.prefix(), a.path.length(), a.line).cmp(&(b.path.prefix(), b.path.length(), b.line))
    });
    let mut above: Vec<Node<'_>> = Vec::new();
    for same in sorted.chunk_by(|(.., a), (.., b)| a.path.prefix() == b.path.prefix()) {
        let Some((.., first)) = same.first() else {
            continue;
        };
        let prefix = first.path.prefix();
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
        for (_, at, rule) in same {
            let entry = (rule.path.length(), *at);
            let is_exact = rule.path.is_literal() && rule.path.anchored;
            let [disallow, allow] = if is_exact {
                &mut node.exact
            } else {
                &mut node.longer
            };
            push(&mut if rule.allow { allow } else { disallow }.0, entry)?;
            if rule.path.is_open() {
                let [disallow, allow] = &mut node.open;
                push(&mut if rule.allow { allow } else { disallow }.0, entry)?;
            }
        }
        push(&mut above, node)?;
        for (place, _, rule) in same.iter().filter(|(.., rule)| rule.path.is_literal()) {
            if let Some(said) = said.get_mut(*place) {
                *said = find_above(&above, rule);
            }
        }
    }
    Ok(said)
}

/// Examines all rules whose literal prefix is a prefix of the rule's path. A rule with a longer prefix is longer itself
/// and decides on its own.
fn find_above(above: &[Node<'_>], rule: &Rule<'_>) -> Option<Option<usize>> {
    let length = rule.path.length();
    let of = |[disallow, allow]: &'_ [Lengths; 2], is_allow: bool, with: bool| {
        if is_allow { allow } else { disallow }.below(length, with)
    };
    // An equal rule is not shorter. An allow of the same length wins against a disallow.
    let same = above
        .iter()
        .filter_map(|node| of(&node.open, rule.allow, false))
        .max();
    let against = |lengths| of(lengths, !rule.allow, rule.allow);
    let own = above.last().and_then(|node| against(&node.exact));
    let against = above
        .iter()
        .filter_map(|node| against(&node.longer))
        .chain(own)
        .max();
    match (same, against) {
        (Some((same, at)), Some((against, _))) => {
            // At equal length allow wins.
            let decides = if rule.allow {
                same >= against
            } else {
                same > against
            };
            decides.then_some(Some(at))
        }
        (Some((_, at)), None) => Some(Some(at)),
        (None, None) if rule.allow => Some(None),
        (None, _) => None,
    }
}
