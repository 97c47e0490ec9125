//! What is said about a place of the file, and how much of it is kept.

use core::fmt::{Display, Write};
use core::ops::Range;

use super::codes::{Code, Severity};
use crate::error::Error;
use crate::util::display::from_fn;
use crate::util::try_alloc::{push, words};

/// How many diagnostics of one kind are kept; the others are counted. It bounds what a report takes,
/// whatever the file.
pub const MAX_PER_CODE: usize = 100;

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

/// The words of a diagnostic; for some there may have been no memory.
pub(super) struct Said {
    message: Result<String, Error>,
    suggestion: Option<Result<String, Error>>,
    other_line: u32,
}

/// Begins what is said.
pub(super) fn say(message: impl Display) -> Said {
    Said {
        message: words(message),
        suggestion: None,
        other_line: 0,
    }
}

impl Said {
    /// With what to do.
    pub(super) fn help(mut self, suggestion: impl Display) -> Said {
        self.suggestion = Some(words(suggestion));
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
    /// Of each kind of which there are any, in the order of their numbers.
    pub(super) totals: Vec<(Code, u64)>,
}

impl Findings {
    /// Adds a diagnostic; its words are made only if it is kept.
    pub(super) fn add(
        &mut self,
        code: Code,
        place: Place,
        said: impl FnOnce() -> Said,
    ) -> Result<(), Error> {
        if self.count(code)? > MAX_PER_CODE as u64 {
            return Ok(());
        }
        let said = said();
        let diagnostic = Diagnostic {
            code,
            span: place.span,
            line: place.line,
            column: 0,
            message: said.message?,
            suggestion: said.suggestion.transpose()?,
            other_line: said.other_line,
        };
        push(&mut self.kept, diagnostic)
    }

    /// Counts one more of a kind, and says how many that makes.
    fn count(&mut self, code: Code) -> Result<u64, Error> {
        let at = self.totals.partition_point(|(of, _)| *of < code);
        match self.totals.get_mut(at) {
            Some((of, total)) if *of == code => {
                *total += 1;
                Ok(*total)
            }
            _ => {
                self.totals.try_reserve(1).map_err(|_| Error::Memory)?;
                self.totals.insert(at, (code, 1));
                Ok(1)
            }
        }
    }
}

/// Octets of the file as they may stand in a sentence: in back quotes, at most 60 characters, no control
/// or invisible characters.
pub(super) fn quoted(octets: &[u8]) -> impl Display {
    quoted_all([octets])
}

/// The same of octets that stand one behind the other.
pub(super) fn quoted_all<const N: usize>(parts: [&[u8]; N]) -> impl Display {
    const MOST: usize = 60;
    // A character is at most four octets, so what is left out would not be shown.
    let start = move |part| <[u8]>::get(part, ..4 * (MOST + 1)).unwrap_or(part);
    let characters = move || parts.into_iter().map(start).flat_map(characters);
    from_fn(move |f| {
        f.write_char('`')?;
        characters()
            .take(MOST)
            .try_for_each(|it| f.write_char(it))?;
        let is_cut = characters().nth(MOST).is_some();
        f.write_str(if is_cut { "…`" } else { "`" })
    })
}

/// The characters of octets of the file, as they are shown; what is no UTF-8 as `U+FFFD`.
pub(super) fn characters(octets: &[u8]) -> impl Iterator<Item = char> {
    let replaced = |octets: &[u8]| (!octets.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
    octets
        .utf8_chunks()
        .flat_map(move |chunk| chunk.valid().chars().chain(replaced(chunk.invalid())))
        .map(shown)
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
