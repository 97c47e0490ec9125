//! Output: colours, escapes, JSON lines.

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use robots::{Reason, Verdict};

pub(crate) use crate::escapes::{is_control, safe};
use crate::fault::Fault;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// on a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// How a command shows its results. The options are the same for every command.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// Print a line of JSON for each result
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing; use the exit status
    #[arg(short, long, conflicts_with = "json", hide_short_help = true)]
    pub(crate) quiet: bool,
    /// Colour the text
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_short_help = true,
        value_name = "auto|always|never"
    )]
    color: Colour,
}

impl Shown {
    /// Whether standard output is coloured.
    pub(crate) fn is_coloured(self) -> bool {
        match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                    || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                !refused && io::stdout().is_terminal()
            }
        }
    }

    /// Writes to standard output, unless --quiet.
    pub(crate) fn print(self, text: impl AsRef<[u8]>) -> Result<(), Fault> {
        match self.quiet {
            true => Ok(()),
            false => print(text),
        }
    }
}

/// Returns a text with an escape of colour around it, such as `31`; if it is not coloured, as it is.
pub(crate) fn coloured(is_coloured: bool, escape: &str, text: &str) -> String {
    match is_coloured {
        true => format!("\x1b[{escape}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

/// Returns the escape of the colour of a verdict.
pub(crate) fn escape_of(verdict: Verdict) -> &'static str {
    match verdict.error() {
        Some(_) => "33",
        None if verdict.allowed() => "32",
        None if matches!(verdict.reason(), Reason::Defer | Reason::Unreachable) => "33",
        None => "31",
    }
}

/// The most names shown in a row.
const SHOWN_NAMES: usize = 3;

/// Returns the first names of `count`.
pub(crate) fn names(names: &[String], count: usize) -> String {
    let shown: Vec<_> = names
        .iter()
        .take(SHOWN_NAMES)
        .map(|name| safe(name.as_bytes()))
        .collect();
    match count.saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Escapes an untrusted text for a workflow command of GitHub Actions.
pub(crate) fn workflow_data(text: &str) -> String {
    safe(text.as_bytes()).replace('%', "%25")
}

/// Escapes an untrusted text for a property of a workflow command.
pub(crate) fn workflow_property(text: &str) -> String {
    workflow_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Converts untrusted bytes to text for JSON; replaces invalid UTF-8.
pub(crate) fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// Writes to standard output.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Result<(), Fault> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref())
        .and_then(|()| out.flush())
        .map_err(|error| Fault::of_output(&error))
}

/// Appends a value as a line of JSON.
pub(crate) fn push_json_line(
    text: &mut String,
    value: &impl serde::Serialize,
) -> Result<(), Fault> {
    let line = serde_json::to_string(value).map_err(|error| of_json(&error))?;
    text.push_str(&json_escaped(line));
    text.push('\n');
    Ok(())
}

pub(crate) fn of_json(error: &serde_json::Error) -> Fault {
    Fault::new(format!("cannot write JSON: {error}; please report it"))
}

/// Escapes the control characters that JSON may have as they are. They are within its strings.
pub(crate) fn json_escaped(json: String) -> String {
    let is_raw = |character: char| !character.is_ascii() && is_control(character);
    if json.is_ascii() || !json.contains(is_raw) {
        return json;
    }
    let mut text = String::new();
    for character in json.chars() {
        match is_raw(character) {
            // All of them have four digits.
            true => text.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => text.push(character),
        }
    }
    text
}
