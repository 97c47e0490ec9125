//! Diagnostics, how many of them are kept, and fixes: edits of the file that remove a fault.

use core::fmt::{Display, Write};
use core::ops::Range;
use std::borrow::Cow;

use super::codes::{Code, Severity};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{push, words};
use crate::crawler::Crawler;

/// The most diagnostics of one code that a report keeps; the others are counted.
pub const MAX_PER_CODE: usize = 100;

/// A fault of the file, or something its author should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Its code.
    pub code: Code,
    /// The range of bytes in the file, counted from 0 and within one line. It may be empty.
    pub span: Range<usize>,
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// The start of the span in its line: bytes counted from 1, without a byte order mark at the start of the file; 0 for
    /// the whole file.
    pub column: u32,
    /// The message: one sentence of plain text without control characters.
    pub message: String,
    /// The advice: one sentence, if there is any.
    pub suggestion: Option<String>,
    /// A related line, such as that of the rule that always wins; 0 for none.
    pub other_line: u32,
    /// The edit that follows the advice, if the advice is exact.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Returns its severity.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// An edit of the file that removes a fault: one range of bytes and the text in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The range of bytes to replace, counted from 0. It is empty for an insertion. It may end after the line's end: a line
    /// that is removed loses its line end, too.
    pub span: Range<usize>,
    /// The text to write in its place. It may be empty, and may hold line ends.
    pub replacement: Cow<'static, str>,
    /// Whether the fix changes no verdict of any crawler with one token that reads the file in the dialect of the report;
    /// rfc9309 and google count as one dialect here. This also holds for all safe fixes together.
    pub is_safe: bool,
}

/// A fix that may be missing, or may have failed to allocate.
pub(super) struct FixResult(pub(super) Result<Option<Fix>, Error>);

impl FixResult {
    pub(super) const NONE: FixResult = FixResult(Ok(None));

    pub(super) fn new(span: Range<usize>, replacement: impl Into<Cow<'static, str>>) -> FixResult {
        FixResult(Ok(Some(Fix {
            span,
            replacement: replacement.into(),
            is_safe: false,
        })))
    }

    pub(super) fn safe_if(mut self, is_safe: bool) -> FixResult {
        if let Ok(Some(fix)) = &mut self.0 {
            fix.is_safe = is_safe;
        }
        self
    }
}

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

    pub(super) fn new(line: u32, span: Range<usize>) -> Place {
        Place { line, span }
    }
}

/// The result of a check: it fails if an allocation fails.
pub(super) type Checked = Result<(), Error>;

#[derive(Debug)]
pub(super) struct Findings {
    /// The crawler's dialect.
    dialect: Dialect,
    /// Whether codes on request are reported, too.
    all: bool,
    pub(super) kept: Vec<Diagnostic>,
    pub(super) totals: Vec<(Code, u64)>,
    /// An allocation that failed. Then there is no report.
    pub(super) failure: Option<Error>,
}

impl Findings {
    /// Returns none yet, for lint with this crawler.
    pub(super) fn new(crawler: &Crawler) -> Findings {
        Findings {
            dialect: crawler.reading.dialect,
            all: crawler.lint_all,
            kept: Vec::new(),
            totals: Vec::new(),
            failure: None,
        }
    }

    /// Whether a code is reported.
    fn wants(&self, code: Code) -> bool {
        let is_of_dialect = code == Code::OldCrawlersDiffer && self.dialect == Dialect::Koster1996;
        self.all || is_of_dialect || !code.is_on_request()
    }

    /// Adds a diagnostic, whose text follows, if its code is reported.
    pub(super) fn add(&mut self, code: Code, place: Place) -> Draft<'_> {
        let mut kept = None;
        match self.push(code, place) {
            Ok(is_kept) => kept = self.kept.last_mut().filter(|_| is_kept),
            Err(error) => self.failure = Some(error),
        }
        Draft {
            kept,
            failure: &mut self.failure,
        }
    }

    fn push(&mut self, code: Code, place: Place) -> Result<bool, Error> {
        if !self.wants(code) || self.count(code)? > MAX_PER_CODE as u64 {
            return Ok(false);
        }
        let diagnostic = Diagnostic {
            code,
            span: place.span,
            line: place.line,
            column: 0,
            message: String::new(),
            suggestion: None,
            other_line: 0,
            fix: None,
        };
        push(&mut self.kept, diagnostic)?;
        Ok(true)
    }

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

/// A diagnostic without its text. Text is built only for one that is kept.
pub(super) struct Draft<'f> {
    kept: Option<&'f mut Diagnostic>,
    failure: &'f mut Option<Error>,
}

impl Draft<'_> {
    pub(super) fn say(self, message: impl Display) -> Self {
        self.with(|kept| words(message).map(|text| kept.message = text))
    }

    /// Sets the advice.
    pub(super) fn help(self, suggestion: impl Display) -> Self {
        self.with(|kept| words(suggestion).map(|text| kept.suggestion = Some(text)))
    }

    pub(super) fn other(self, line: u32) -> Self {
        self.with(|kept| {
            kept.other_line = line;
            Ok(())
        })
    }

    /// Sets the edit that follows the advice.
    pub(super) fn fix(self, fix: impl FnOnce() -> FixResult) -> Self {
        self.with(|kept| fix().0.map(|fix| kept.fix = fix))
    }

    fn with(mut self, set: impl FnOnce(&mut Diagnostic) -> Result<(), Error>) -> Self {
        if let Some(Err(error)) = self.kept.as_deref_mut().map(set) {
            *self.failure = Some(error);
        }
        self
    }
}

/// Quotes bytes of the file for a message: in back quotes, at most 60 characters, without control or invisible
/// characters.
pub(super) fn quoted(bytes: &[u8]) -> impl Display {
    quoted_all([bytes])
}

pub(super) fn quoted_all<const N: usize>(parts: [&[u8]; N]) -> impl Display {
    const MOST: usize = 60;
    // A character is at most four bytes, so the rest would not be shown.
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

/// Returns the characters to show for bytes of the file; `U+FFFD` for invalid UTF-8.
pub(super) fn characters(bytes: &[u8]) -> impl Iterator<Item = char> {
    let replaced = |bytes: &[u8]| (!bytes.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
    bytes
        .utf8_chunks()
        .flat_map(move |chunk| chunk.valid().chars().chain(replaced(chunk.invalid())))
        .map(shown)
}

/// Returns the character to show: itself, or a replacement if it is invisible.
pub(super) fn shown(character: char) -> char {
    match character {
        '\t' => ' ',
        _ if is_invisible(character) => '\u{FFFD}',
        _ => character,
    }
}

/// Whether a character has no width, changes the direction of writing, or looks like a space.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{A0}' | '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{1680}' | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}' | '\u{205F}'..='\u{206F}' | '\u{3000}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}
