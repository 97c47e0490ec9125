//! What is said about a place of the file, and how much of it is kept.

use core::ops::Range;
use std::collections::BTreeMap;

use super::catalogue::{Code, Severity};
use crate::error::Error;

/// How many diagnostics of one kind are kept; the others are counted. It bounds what a report takes,
/// whatever the file.
pub const KEPT_OF_A_KIND: usize = 100;

/// Something worth saying about a place of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub(super) code: Code,
    pub(super) span: Range<usize>,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) message: String,
    pub(super) suggestion: Option<String>,
    pub(super) other_line: u32,
}

impl Diagnostic {
    /// Its kind.
    pub fn code(&self) -> Code {
        self.code
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The octets of the file that it is about, counted from 0; they lie in one line. The span may be empty.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The line, counted from 1; 0 when it is about the file as a whole.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Where the span begins in its line: octets counted from 1, a byte order mark at the start of the file not
    /// counted; 0 when it is about the file as a whole.
    pub fn column(&self) -> u32 {
        self.column
    }

    /// What is the matter, in one sentence of plain text; quoted parts of the file hold no control characters.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do, in one sentence.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// Another line that has to do with it, such as that of the rule which always wins; 0 for none.
    pub fn other_line(&self) -> u32 {
        self.other_line
    }
}

/// A place of the file.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// 0: the file as a whole.
    pub(super) line: u32,
    pub(super) span: Range<usize>,
}

impl Place {
    pub(super) const FILE: Place = Place {
        line: 0,
        span: 0..0,
    };
}

/// The words of a diagnostic.
pub(super) struct Said {
    message: String,
    suggestion: Option<String>,
    other_line: u32,
}

/// Begins what is said.
pub(super) fn say(message: impl Into<String>) -> Said {
    Said {
        message: message.into(),
        suggestion: None,
        other_line: 0,
    }
}

impl Said {
    /// With what to do.
    pub(super) fn help(mut self, suggestion: impl Into<String>) -> Said {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// With another line that has to do with it.
    pub(super) fn other(mut self, line: u32) -> Said {
        self.other_line = line;
        self
    }
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) kept: Vec<Diagnostic>,
    pub(super) totals: BTreeMap<Code, u64>,
}

impl Findings {
    /// Adds a diagnostic; its words are made only if it is kept.
    pub(super) fn add(
        &mut self,
        code: Code,
        place: Place,
        said: impl FnOnce() -> Said,
    ) -> Result<(), Error> {
        let total = self.totals.entry(code).or_default();
        *total += 1;
        if *total > KEPT_OF_A_KIND as u64 {
            return Ok(());
        }
        let said = said();
        self.kept.try_reserve(1).map_err(|_| Error::Memory)?;
        self.kept.push(Diagnostic {
            code,
            span: place.span,
            line: place.line,
            column: 0,
            message: said.message,
            suggestion: said.suggestion,
            other_line: said.other_line,
        });
        Ok(())
    }
}

/// Octets of the file as they may stand in a sentence: in back quotes, at most 60 characters, no control
/// or invisible characters.
pub(super) fn quoted(octets: &[u8]) -> String {
    const MOST: usize = 60;
    // A character is at most four octets.
    let start = octets.get(..4 * (MOST + 1)).unwrap_or(octets);
    let text = String::from_utf8_lossy(start);
    let mut shown: String = text.chars().take(MOST).map(shown).collect();
    if octets.len() > start.len() || text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// What is shown for a character: itself, unless a terminal would not show it as one character.
pub(super) fn shown(character: char) -> char {
    match character {
        '\t' => ' ',
        _ if is_invisible(character) => '\u{FFFD}',
        _ => character,
    }
}

/// A character that takes no room, turns the direction of writing, or looks like a space and is none.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{A0}' | '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{1680}' | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}' | '\u{205F}'..='\u{206F}' | '\u{3000}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}
