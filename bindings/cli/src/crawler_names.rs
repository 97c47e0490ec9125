//! The names in a value of an option: of crawlers, and what is meant by a name that nobody knows.

use robots::{Preset, near_word};

use crate::fault::{Fault, complain};
use crate::screen::safe;

/// The name of everyone else.
pub(crate) const EVERYONE: &str = "*";

/// The most names of a file that are compared: a hostile file has ten thousands.
pub(crate) const MOST_NAMED: usize = 200;

/// Returns the product tokens of a value of --agent; `*` has none.
pub(crate) fn tokens_of(agent: &str) -> Vec<&str> {
    match agent {
        EVERYONE => Vec::new(),
        _ => agent.split(',').map(str::trim).collect(),
    }
}

/// Returns what is probably meant by a name that no well-known crawler has, as a sentence.
pub(crate) fn advice(name: &str) -> Option<String> {
    robots::name_advice(name, " (`robots crawlers`)")
}

/// Refuses a value of --agent with a name that no crawler has: the answer for everyone else would pass for its answer.
pub(crate) fn refuse(agent: &str) -> Result<(), Fault> {
    match tokens_of(agent).into_iter().find_map(advice) {
        Some(advice) => Err(Fault::new(format!("--agent: {advice}"))),
        None => Ok(()),
    }
}

/// Warns of the names in a value of an option, such as --for.
pub(crate) fn warn(option: &str, value: &str) {
    for name in tokens_of(value) {
        if let Some(advice) = advice(name) {
            complain(&format!("{option}: {advice}"));
        } else {
            warn_of_near(option, name, &[]);
        }
    }
}

/// Warns of a name that no well-known crawler and none of the groups has, if it is nearly one of theirs.
pub(crate) fn warn_of_near(option: &str, name: &str, groups: &[String]) {
    let is_it = |known: &str| known.eq_ignore_ascii_case(name);
    let is_known = Preset::all().any(|preset| preset.tokens().iter().any(|token| is_it(token)));
    if is_known || groups.iter().any(|group| is_it(group)) {
        return;
    }
    let compared = groups.get(..MOST_NAMED).unwrap_or(groups);
    if let Some(near) = near_name(name, compared) {
        let (name, near) = (safe(name.as_bytes()), safe(near.as_bytes()));
        complain(&format!(
            "{option}: {name} is no well-known crawler: did you mean {near}?"
        ));
    }
}

/// Returns the group or the well-known crawler with nearly this name, with the same first letter. The `bot` at the end of the
/// crawler's name may be missing: `Bingo` is near `bingbot`.
pub(crate) fn near_name<'k>(name: &str, groups: &'k [String]) -> Option<&'k str> {
    let is_like = |known: &&str| {
        let first = |name: &str| name.chars().next().map(|it| it.to_ascii_lowercase());
        first(known) == first(name)
    };
    let groups = groups.iter().map(String::as_str).filter(is_like);
    if let Some(group) = near_word(name.as_bytes(), &mut { groups }) {
        return Some(group);
    }
    let short = |known: &'static str| {
        let (start, end) = known.split_at_checked(known.len().checked_sub(3)?)?;
        end.eq_ignore_ascii_case("bot").then_some(start)
    };
    let names = || Preset::all().map(|preset| preset.name());
    let known = names().filter_map(short).filter(is_like);
    let near = near_word(name.as_bytes(), &mut { known })?;
    names().find(|name| short(name) == Some(near))
}
