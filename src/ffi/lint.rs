//! `robots_lint_report`: the diagnostics of a robots.txt, for its author.

use std::sync::OnceLock;

use super::convert::*;
use super::crawler::robots_crawler;

use crate::bytes::try_alloc::words;
use crate::owner::lint::{self, Code, Report, Severity};

/// The diagnostics of a robots.txt and the meaning of each line. Immutable.
///
/// Owner: created by `robots_lint`, freed by `robots_lint_report_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the function that creates it, for a copy of the file up to the size limit and for the diagnostics. No
/// function aborts when out of memory.
pub struct robots_lint_report {
    report: Report,
    /// Text of the report; the first request creates the text.
    rendered: OnceLock<String>,
}

constants! {
    robots_lint_fix("ROBOTS_LINT_FIX_"): u32, "The edit of the file that removes a diagnostic.";
    /// No edit.
    ROBOTS_LINT_FIX_NONE = 0,
    /// An edit that may change verdicts, so a person has to decide.
    ROBOTS_LINT_FIX_UNSAFE = 1,
    /// An edit that changes no verdict of a crawler with one token and the dialect of the report; rfc9309 and google
    /// count as one dialect.
    ROBOTS_LINT_FIX_SAFE = 2,
}

/// One diagnostic.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_lint_diagnostic {
    /// `sizeof(robots_lint_diagnostic)`.
    pub size: usize,
    /// Offset in the file of the first byte that the diagnostic marks.
    pub start: usize,
    /// Offset after the last marked byte, in the same line.
    pub end: usize,
    /// Message in UTF-8 without control characters: one sentence that says what is wrong.
    pub message: robots_str,
    /// Advice: one sentence that says what to do; empty if there is none.
    pub suggestion: robots_str,
    /// Diagnostic code: 51 for "R051".
    pub code: u32,
    /// Severity, one of `enum robots_lint_severity`.
    pub severity: u32,
    /// Number of the line, from 1; 0 for a diagnostic about the whole file.
    pub line: u32,
    /// Position in the line, in bytes from 1; 0 for a diagnostic about the whole file.
    pub column: u32,
    /// Number of another line that is involved, such as the line of a rule that always wins; 0 for none.
    pub other_line: u32,
    /// Kind of the edit that removes the diagnostic, one of `enum robots_lint_fix`. To apply several edits, sort them by
    /// `fix_start` and omit each edit that begins before the end of the last applied edit. All safe edits together change no
    /// verdict.
    pub fix: u32,
    /// Offset of the first byte that the edit replaces.
    pub fix_start: usize,
    /// Offset after the last replaced byte; `fix_start` for an insertion. A removed line includes its line end.
    pub fix_end: usize,
    /// Replacement in UTF-8; it may be empty and may contain line ends.
    pub fix_replacement: robots_str,
}

/// One line of a robots.txt and its meaning.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_lint_line {
    /// `sizeof(robots_lint_line)`.
    pub size: usize,
    /// Offset in the file of the first byte.
    pub start: usize,
    /// Offset after the last byte, without the line end.
    pub end: usize,
    /// Field as written; empty if there is none.
    pub field: robots_str,
    /// Value as written; empty if there is none.
    pub value: robots_str,
    /// Kind of the line, one of `enum robots_line_kind`.
    pub kind: u32,
    /// Number of the line's group, from 1 in the order of the file; 0 for none.
    pub group: u32,
}

/// Checks a robots.txt for its author. The report has the meaning of each line, and diagnostics.
///
/// Parameters: `crawler`: only its dialect, size limit and options count, because a robots.txt is for every crawler.
/// With `ROBOTS_OPT_LINT_ALL` the report includes the codes that are off by default: R056, R087 and, except in
/// koster1996, R091. `body`, `body_len`: the file, any bytes, including none. `out`: receives the report.
/// Returns: `ROBOTS_OK`. The content of the file is never an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_lint_report,
) -> robots_status {
    exported!(handle_into(out, || {
        let robots_crawler(crawler) = borrowed!(crawler)?;
        Ok::<_, Error>(robots_lint_report {
            report: lint::lint(crawler, bytes!(body, body_len)?)?,
            rendered: OnceLock::new(),
        })
    }))
}

/// The numbers of diagnostics and lines.
#[repr(C)]
pub struct robots_lint_counts {
    /// `sizeof(robots_lint_counts)`.
    pub size: usize,
    /// Number of errors, including errors that the report omits: it contains at most 100 diagnostics of each code.
    pub errors: u64,
    /// Number of warnings, including warnings that the report omits.
    pub warnings: u64,
    /// Number of notes, including notes that the report omits.
    pub notes: u64,
    /// Number of lines of the file up to the size limit.
    pub lines: u64,
}

/// Returns the numbers of diagnostics and lines.
///
/// Returns: `ROBOTS_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_count(
    report: *const robots_lint_report,
    out: *mut robots_lint_counts,
) -> robots_status {
    exported!(struct_into(out, || {
        let report = &borrowed!(report)?.report;
        Ok(robots_lint_counts {
            size: 0,
            errors: report.total(Severity::Error),
            warnings: report.total(Severity::Warning),
            notes: report.total(Severity::Note),
            lines: report.line_count().into(),
        })
    }))
}

/// Returns one diagnostic. Diagnostics about the whole file come first, then the others in the order of the file.
///
/// Parameters: `index`: from 0. `out`: receives the diagnostic.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
/// Owner: the strings belong to the report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_get(
    report: *const robots_lint_report,
    index: usize,
    out: *mut robots_lint_diagnostic,
) -> robots_status {
    exported!(struct_into(out, || {
        let report = borrowed!(report)?;
        let diagnostics = report.report.diagnostics();
        let found = diagnostics.get(index).ok_or(Stop(ROBOTS_END))?;
        let fix = found.fix.as_ref();
        Ok(robots_lint_diagnostic {
            size: 0,
            start: found.span.start,
            end: found.span.end,
            message: robots_str::new(&found.message),
            suggestion: robots_str::maybe(found.suggestion.as_ref()),
            code: found.code.number(),
            severity: found.severity() as u32,
            line: found.line,
            column: found.column,
            other_line: found.other_line,
            fix: match fix {
                None => ROBOTS_LINT_FIX_NONE,
                Some(fix) if fix.is_safe => ROBOTS_LINT_FIX_SAFE,
                Some(_) => ROBOTS_LINT_FIX_UNSAFE,
            },
            fix_start: fix.map_or(0, |fix| fix.span.start),
            fix_end: fix.map_or(0, |fix| fix.span.end),
            fix_replacement: robots_str::maybe(fix.map(|fix| &*fix.replacement)),
        })
    }))
}

const NUMBER: &core::ffi::CStr = why!("number is 0: lines count from 1");
const CODE: &core::ffi::CStr =
    why!("code is no diagnostic code: pass one of a diagnostic, such as 51 for R051");

/// Returns one line of the file and its meaning.
///
/// Parameters: `number`: the line, from 1, as in verdicts and diagnostics. `out`: receives the line.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element; `ROBOTS_E_ARG`, also for line 0.
/// Owner: the strings belong to the report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_line(
    report: *const robots_lint_report,
    number: usize,
    out: *mut robots_lint_line,
) -> robots_status {
    exported!(struct_into(out, || {
        let report = &borrowed!(report)?.report;
        if number == 0 {
            return Err(refuse(NUMBER).into());
        }
        let number = u32::try_from(number).map_err(|_| Stop(ROBOTS_END))?;
        let line = report.line(number).ok_or(Stop(ROBOTS_END))?;
        let part = |span: core::ops::Range<usize>| match report.body().get(span) {
            None | Some(&[]) => robots_str::EMPTY,
            Some(bytes) => robots_str::new(bytes),
        };
        Ok(robots_lint_line {
            size: 0,
            start: line.span.start,
            end: line.span.end,
            field: part(line.field),
            value: part(line.value),
            kind: line.kind as u32,
            group: line.group,
        })
    }))
}

/// Returns the report as text in the style of a compiler: each diagnostic with its line and a mark below the line, then
/// a summary. The text has at most ten diagnostics of each code.
///
/// Returns: UTF-8 without control characters except line ends. The text names the file "robots.txt". The result is empty
/// for NULL and after an allocation failure; a later call tries again.
/// Allocates: the text, at the first call; the report keeps the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_text(report: *const robots_lint_report) -> robots_str {
    exported!(value_or(robots_str::EMPTY, || {
        let robots_lint_report { report, rendered } = borrowed!(report)?;
        Ok(robots_str::new(once(rendered, || words(report))?))
    }))
}

/// Frees a report and everything borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_free(report: *mut robots_lint_report) {
    exported!(free(report))
}

/// The meaning of a diagnostic code.
#[repr(C)]
pub struct robots_lint_meaning {
    /// `sizeof(robots_lint_meaning)`.
    pub size: usize,
    /// Title, a few words.
    pub title: robots_str,
    /// Explanation: sentences that say what the code means and what to do.
    pub explanation: robots_str,
}

/// Returns the meaning of a diagnostic code.
///
/// Parameters: `code`: such as 51 for "R051". `out`: receives the meaning.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for an unknown code.
/// Owner: the strings belong to the library; valid until it is unloaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_code(
    code: u32,
    out: *mut robots_lint_meaning,
) -> robots_status {
    exported!(struct_into(out, || {
        let code = Code::from_number(code).ok_or_else(|| refuse(CODE))?;
        Ok(robots_lint_meaning {
            size: 0,
            title: robots_str::new(code.title()),
            explanation: robots_str::new(code.explanation()),
        })
    }))
}
