//! Diagnostics, the limit on their number, and fixes: edits of the file that remove a fault.

use core::fmt::{Display, Write};
use core::ops::Range;
use std::borrow::Cow;

use super::codes::{Code, Severity};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{push, words};
use crate::crawler::Crawler;

/// A fault of the file, or a fact that its author should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Code of the fault.
    pub code: Code,
    /// Byte range in the file, counted from 0 and within one line. The range may be empty.
    pub span: Range<usize>,
    /// Number of the line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// Start of the span in its line: bytes counted from 1; 0 for the whole file. A byte order mark at the start of the file
    /// does not count.
    pub column: u32,
    /// Message: one sentence of plain text without control characters.
    pub message: String,
    /// Advice: one sentence; `None` if there is no advice.
    pub suggestion: Option<String>,
    /// Number of a related line, such as the rule that always wins; 0 for none.
    pub other_line: u32,
    /// Edit that follows the advice; `None` if the advice is not exact.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Returns the severity of the code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// An edit of the file that removes a fault: a byte range and the text in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// Byte range to replace, counted from 0. The range of an insertion is empty. A fix that removes a whole line has the line
    /// end in its range.
    pub span: Range<usize>,
    /// Text that replaces the span. The text may be empty, and may hold line ends.
    pub replacement: Cow<'static, str>,
    /// Whether the fix provably changes no verdict (SPEC 12.2) of a crawler with one token, in the dialect of the report. In
    /// rfc9309 and google, the proof covers both dialects. All safe fixes together change no verdict either.
    pub is_safe: bool,
}

/// A fix, no fix, or an allocation failure.
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
    /// Number of the line; 0 for the whole file.
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

/// The result of a check, which fails only if an allocation fails.
pub(super) type Checked = Result<(), Error>;

#[derive(Debug)]
pub(super) struct Findings {
    dialect: Dialect,
    /// Whether codes on request are also reported.
    all: bool,
    /// Upper bound on the number of diagnostics to keep for each code.
    most: usize,
    pub(super) kept: Vec<Diagnostic>,
    pub(super) totals: Vec<(Code, u64)>,
    /// Lines of the rules that diagnostics report because these rules keep search engines out.
    pub(super) bans: Vec<u32>,
    /// Whether a check left a question open because its budget was spent.
    pub(super) is_undecided: bool,
    /// Error of a failed allocation: lint returns it instead of a report.
    pub(super) failure: Option<Error>,
}

impl Findings {
    pub(super) fn new(crawler: &Crawler) -> Findings {
        Findings {
            dialect: crawler.reading.dialect,
            all: crawler.lint_all,
            most: crawler.lint_limit,
            kept: Vec::new(),
            totals: Vec::new(),
            bans: Vec::new(),
            is_undecided: false,
            failure: None,
        }
    }

    pub(super) fn wants(&self, code: Code) -> bool {
        let is_of_dialect = code == Code::OldCrawlersDiffer && self.dialect == Dialect::Koster1996;
        self.all || is_of_dialect || !code.is_on_request()
    }

    /// Adds a diagnostic if its code is reported. Returns a draft, to which the caller adds the text.
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

    /// Counts a diagnostic. Keeps it unless the report has the maximum number of its code. Returns whether it is kept.
    fn push(&mut self, code: Code, place: Place) -> Result<bool, Error> {
        if !self.wants(code) || self.count(code)? > self.most as u64 {
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

    /// Adds one to the total of a code; returns the new total.
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

/// A diagnostic whose text the caller adds. Only a diagnostic that is kept has text.
pub(super) struct Draft<'f> {
    kept: Option<&'f mut Diagnostic>,
    failure: &'f mut Option<Error>,
}

impl Draft<'_> {
    pub(super) fn say(self, message: impl Display) -> Self {
        self.with(|kept| words(message).map(|text| kept.message = text))
    }

    /// Appends to the message.
    pub(super) fn and(self, more: &str) -> Self {
        self.with(|kept| {
            let text = words(format_args!("{}{more}", kept.message));
            text.map(|text| kept.message = text)
        })
    }

    pub(super) fn help(self, suggestion: impl Display) -> Self {
        self.with(|kept| words(suggestion).map(|text| kept.suggestion = Some(text)))
    }

    pub(super) fn other(self, line: u32) -> Self {
        self.with(|kept| {
            kept.other_line = line;
            Ok(())
        })
    }

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

/// Quotes bytes of the file for a message: at most 60 characters, with replacements for invisible characters.
pub(in crate::owner) fn quoted(bytes: &[u8]) -> impl Display {
    quoted_all([bytes])
}

pub(super) fn quoted_all<const N: usize>(parts: [&[u8]; N]) -> impl Display {
    const MOST: usize = 60;
    // A character has at most four bytes, so later bytes are never shown.
    let start = move |part| <[u8]>::get(part, ..4 * (MOST + 1)).unwrap_or(part);
    let characters = move || parts.into_iter().map(start).flat_map(characters);
    from_fn(move |f| {
        f.write_char('`')?;
        let mut shown = characters().take(MOST);
        shown.try_for_each(|it| f.write_char(it))?;
        let is_cut = characters().nth(MOST).is_some();
        f.write_str(if is_cut { "…`" } else { "`" })
    })
}

/// Returns the characters to show for bytes of the file: `U+FFFD` for invalid UTF-8.
pub(super) fn characters(bytes: &[u8]) -> impl Iterator<Item = char> {
    let replaced = |bytes: &[u8]| (!bytes.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
    bytes
        .utf8_chunks()
        .flat_map(move |chunk| chunk.valid().chars().chain(replaced(chunk.invalid())))
        .map(shown)
}

/// Returns the character to show instead of `character`: `U+FFFD` for an invisible character, a space for a tab.
pub(super) fn shown(character: char) -> char {
    match character {
        '\t' => ' ',
        _ if is_invisible(character) => '\u{FFFD}',
        _ => character,
    }
}

/// Returns whether a character has no width, changes the direction of writing, or looks like a space.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{A0}' | '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{1680}' | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}' | '\u{205F}'..='\u{206F}' | '\u{3000}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}
