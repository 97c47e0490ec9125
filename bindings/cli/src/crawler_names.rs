//! The names in a value of an option: of crawlers, and what is meant by a name that nobody knows.

use crate::fault::{Fault, complain};

/// The name of everyone else.
pub(crate) const EVERYONE: &str = "*";

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
        }
    }
}
