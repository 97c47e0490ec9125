//! The names in a value of an option: of crawlers, and what is meant by a name that nobody knows.

use robots::{Code, Crawler, Preset, Purpose};

use crate::fault::{Fault, complain};
use crate::screen;

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
    let is_token = |token: &str| token.eq_ignore_ascii_case(name);
    if Preset::all().any(|preset| preset.tokens().iter().copied().any(is_token)) {
        return None;
    }
    let own: Vec<String> = robots::operator_tokens(name.as_bytes())
        .map(str::to_owned)
        .collect();
    if own.iter().any(|token| token == EVERYONE) {
        return Some(format!("{name} names no crawler: everyone is `*`"));
    }
    if let Some(purpose) = Purpose::meant_by(name, false).next() {
        let own = Preset::all().filter(|preset| preset.purpose() == purpose);
        let own = own
            .map(|preset| preset.name().to_owned())
            .collect::<Vec<_>>();
        let all = screen::names(&own, own.len());
        return Some(format!(
            "{name} names a purpose, not a crawler: write a name such as {all} (`robots crawlers`)"
        ));
    }
    if !own.is_empty() {
        let all = screen::names(&own, own.len());
        return Some(format!(
            "{name} names an operator, not a crawler; its crawlers: {all} (`robots crawlers`)"
        ));
    }
    // The name is a token: it cannot break the line.
    let file = format!("User-agent: {name}\nDisallow: /x\n");
    let report = robots::lint(&Crawler::new(name).ok()?, &file).ok()?;
    let mut found = report.diagnostics().iter();
    let found = found.find(|found| found.code == Code::AgentNearMiss)?;
    let next = found.suggestion.as_deref().unwrap_or_default();
    Some(format!("{}: {next}", found.message))
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
