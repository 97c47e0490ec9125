//! The names in a value of an option: of crawlers, and what is meant by a name that nobody knows.

use robots::NameAdvice;

use crate::fault::Fault;

/// The name of everyone else.
pub(crate) const EVERYONE: &str = "*";

/// Returns the product tokens of a value of --agent; `*` has none.
pub(crate) fn tokens_of(agent: &str) -> Vec<&str> {
    match agent {
        EVERYONE => Vec::new(),
        _ => agent.split(',').map(str::trim).collect(),
    }
}

/// Returns what is probably meant by a name that no well-known crawler and no group has.
pub(crate) fn advice(name: &str, groups: &[String]) -> Option<NameAdvice> {
    robots::name_advice(name, groups, " (`robots crawlers`)")
}

/// Returns what is meant by a name that no crawler has, as a sentence.
pub(crate) fn fault_of(name: &str) -> Option<String> {
    let advice = advice(name, &[]).filter(|advice| advice.is_sure);
    advice.map(|advice| advice.text)
}

/// Refuses a value of --agent with a name that no crawler has: the answer for everyone else would pass for its answer.
pub(crate) fn refuse(agent: &str) -> Result<(), Fault> {
    match tokens_of(agent).into_iter().find_map(fault_of) {
        Some(fault) => Err(Fault::new(format!("--agent: {fault}"))),
        None => Ok(()),
    }
}
