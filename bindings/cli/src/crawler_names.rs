//! The names in a value of an option: of crawlers, and what is meant by a name that nobody knows.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;

use robots::NameAdvice;

use crate::fault::Fault;

/// The name of everyone else.
pub(crate) const EVERYONE: &str = "*";

/// How an answer names the crawlers that the file does not name.
pub(crate) const EVERYONE_ELSE: &str = "everyone else";

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

/// Refuses an option with crawlers whose values are the files of this folder: the shell wrote their names in place of `*`.
pub(crate) fn refuse_expanded_star() -> Result<(), Fault> {
    let args: Vec<OsString> = std::env::args_os().collect();
    let is_option = |arg: &OsString| ["-a", "--agent", "--for"].iter().any(|name| arg == name);
    for (at, option) in args.iter().enumerate().filter(|(_, arg)| is_option(arg)) {
        let rest = args.get(at + 1..).unwrap_or_default();
        if !rest.first().is_some_and(|name| Path::new(name).exists()) {
            continue;
        }
        let files = std::fs::read_dir(".").into_iter().flatten().flatten();
        let files = files.map(|file| file.file_name());
        // The shell leaves hidden files out.
        let is_shown = |name: &OsString| !name.as_encoded_bytes().starts_with(b".");
        let files: HashSet<OsString> = files.filter(is_shown).collect();
        let values: HashSet<OsString> = rest.iter().take(files.len()).cloned().collect();
        if values == files {
            let option = option.to_string_lossy();
            return Err(Fault::new(format!(
                "{option}: the shell wrote the names of the files here in place of the star: quote it, {option} '*'"
            )));
        }
    }
    Ok(())
}

/// Refuses a value of --agent with a name that no crawler has: the answer for everyone else would pass for its answer.
pub(crate) fn refuse(agent: &str) -> Result<(), Fault> {
    match tokens_of(agent).into_iter().find_map(fault_of) {
        Some(fault) => Err(Fault::new(format!("--agent: {fault}"))),
        None => Ok(()),
    }
}
