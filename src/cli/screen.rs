//! What is printed, and how it looks.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;

use crate::fault::Fault;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// on a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Whether standard output is coloured.
    pub(crate) fn is_on(self) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                    || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                !refused && io::stdout().is_terminal()
            }
        }
    }
}

/// Octets of a stranger as a terminal may get them: control characters and what is not UTF-8 are escaped.
pub(crate) fn safe(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) if !text.chars().any(char::is_control) => Cow::Borrowed(text),
        _ => Cow::Owned(escaped(text)),
    }
}

fn escaped(text: &[u8]) -> String {
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\u{80}'..='\u{9F}' => out.extend(character.escape_unicode()),
                _ if character.is_control() => out.extend(character.escape_default()),
                _ => out.push(character),
            }
        }
        out.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    out
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
    let line = serde_json::to_string(value)
        .map_err(|error| Fault::new(format!("cannot write JSON: {error}; please report it")))?;
    text.push_str(&line);
    text.push('\n');
    Ok(())
}
