//! `robots_lint_report`: the diagnostics of a robots.txt, for its author.

use std::sync::OnceLock;

use super::convert::*;
use super::crawler::robots_crawler;

use crate::bytes::try_alloc::words;
use crate::owner::lint::{self, Code, Report, Severity};

/// The diagnostics of a robots.txt and the meaning of each of its lines. Immutable.
///
/// Owner: created by `robots_lint`, freed by `robots_lint_report_free`.
/// Threads: any number of threads may use it at once.
/// Allocates: the function that creates it: a copy of the bytes that are read, and the diagnostics. No function aborts
/// when out of memory.
pub struct robots_lint_report {
    report: Report,
    /// Made when it is first asked for.
    rendered: OnceLock<String>,
}

constants! {
    robots_lint_fix("ROBOTS_LINT_FIX_"): u32, "Whether an edit of the file removes a diagnostic.";
    /// None.
    ROBOTS_LINT_FIX_NONE = 0,
    /// An edit that may change verdicts. A person decides.
    ROBOTS_LINT_FIX_UNSAFE = 1,
    /// An edit that changes no verdict of any crawler with one token that reads the file in the dialect of the report;
    /// rfc9309 and google count as one dialect.
    ROBOTS_LINT_FIX_SAFE = 2,
}

/// One diagnostic. Set `size` to `sizeof(robots_lint_diagnostic)` before each call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_lint_diagnostic {
    /// `sizeof(robots_lint_diagnostic)`; later versions add fields at the end only.
    pub size: usize,
    /// The bytes of the file that it is about, all in one line: the offset of the first, ...
    pub start: usize,
    /// ... and the offset after the last.
    pub end: usize,
    /// What is wrong: one sentence in UTF-8 without control characters.
    pub message: robots_str,
    /// What to do: one sentence; empty if there is no advice.
    pub suggestion: robots_str,
    /// The diagnostic code: 51 for "R051".
    pub code: u32,
    /// One of `enum robots_lint_severity`.
    pub severity: u32,
    /// The number of the line, from 1; 0 if it is about the whole file.
    pub line: u32,
    /// The position in the line, in bytes from 1; 0 if it is about the whole file.
    pub column: u32,
    /// Another line that is involved, such as that of a rule which always wins; 0 for none.
    pub other_line: u32,
    /// Whether an edit of the file removes it: one of `enum robots_lint_fix`. To apply the edits of several diagnostics, sort
    /// them by `fix_start` and leave out those that begin before the end of the one before. All safe edits together change no
    /// verdict, either.
    pub fix: u32,
    /// The bytes of the file that the edit replaces: the offset of the first, ...
    pub fix_start: usize,
    /// ... and the offset after the last; equal for an insertion. A removed line loses its line end, too.
    pub fix_end: usize,
    /// The text in their place, in UTF-8; perhaps empty, perhaps with line ends.
    pub fix_replacement: robots_str,
}

/// One line of a robots.txt and its meaning. Set `size` to `sizeof(robots_lint_line)` before each call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_lint_line {
    /// `sizeof(robots_lint_line)`; later versions add fields at the end only.
    pub size: usize,
    /// Its bytes in the file: the offset of the first, ...
    pub start: usize,
    /// ... and the offset after the last, without the line end.
    pub end: usize,
    /// The field as it is written; empty if there is none.
    pub field: robots_str,
    /// The value as it is written; empty if there is none.
    pub value: robots_str,
    /// One of `enum robots_line_kind`.
    pub kind: u32,
    /// The group that it belongs to, from 1 in the order of the file; 0: none.
    pub group: u32,
}

/// Checks a robots.txt for its author: the meaning of every line, and what is wrong with it.
///
/// Parameters: `crawler`: only its dialect, size limit and options count, since a robots.txt is for every crawler. With
/// `ROBOTS_OPT_LINT_ALL` the codes that are off by default are reported, too: R056, R087 and, but for koster1996, R091.
/// `body`, `body_len`: the bytes of the file, any bytes, also none. `out`: receives the report.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_lint_report,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            let (crawler, body) = (&borrowed(crawler)?.0, text(body, body_len)?);
            Ok(robots_lint_report {
                report: lint::lint(crawler, body)?,
                rendered: OnceLock::new(),
            })
        })
    }
}

/// How many diagnostics and lines there are. Set `size` to `sizeof(robots_lint_counts)` before each call.
#[repr(C)]
pub struct robots_lint_counts {
    /// `sizeof(robots_lint_counts)`; later versions add fields at the end only.
    pub size: usize,
    /// The number of errors, including those that the report does not hold: it holds at most 100 of each code.
    pub errors: u64,
    /// The number of warnings, likewise.
    pub warnings: u64,
    /// The number of notes, likewise.
    pub notes: u64,
    /// The number of lines of the file that were read.
    pub lines: u64,
}

/// Returns how many diagnostics and lines there are.
///
/// Parameters: `out`: receives the counts; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_count(
    report: *const robots_lint_report,
    out: *mut robots_lint_counts,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let report = &borrowed(report)?.report;
            Ok(robots_lint_counts {
                size: 0,
                errors: report.total(Severity::Error),
                warnings: report.total(Severity::Warning),
                notes: report.total(Severity::Note),
                lines: report.line_count().into(),
            })
        })
    }
}

/// Returns one diagnostic. The order is that of the file, after diagnostics about the whole file.
///
/// Parameters: `index`: from 0. `out`: receives the diagnostic; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
/// Owner: the strings belong to the report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_get(
    report: *const robots_lint_report,
    index: usize,
    out: *mut robots_lint_diagnostic,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let report = borrowed(report)?;
            let diagnostics = report.report.diagnostics();
            let found = diagnostics.get(index).ok_or(Stop::End)?;
            let fix = found.fix.as_ref();
            Ok(robots_lint_diagnostic {
                size: 0,
                start: found.span.start,
                end: found.span.end,
                message: robots_str::new(found.message.as_bytes()),
                suggestion: robots_str::maybe(found.suggestion.as_deref().map(str::as_bytes)),
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
                fix_replacement: robots_str::maybe(fix.map(|fix| fix.replacement.as_bytes())),
            })
        })
    }
}

/// Returns one line of the file and its meaning.
///
/// Parameters: `number`: the line, from 1, as in verdicts and diagnostics. `out`: receives the line; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`, also for line 0.
/// Owner: the strings belong to the report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_line(
    report: *const robots_lint_report,
    number: usize,
    out: *mut robots_lint_line,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let report = &borrowed(report)?.report;
            if number == 0 {
                return Err(Error::Argument.into());
            }
            let number = u32::try_from(number).map_err(|_| Stop::End)?;
            let line = report.line(number).ok_or(Stop::End)?;
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
        })
    }
}

/// Returns the report as text in the style of a compiler: each diagnostic with its line and a mark below it, then a
/// summary. It shows at most ten diagnostics of each code.
///
/// Returns: UTF-8 without control characters except line ends; the file is named "robots.txt". Empty for NULL and on
/// allocation failure: call it again.
/// Allocates: the text, at the first call; the report keeps it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_text(report: *const robots_lint_report) -> robots_str {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        string_of(|| {
            let report = borrowed(report)?;
            Ok(once(&report.rendered, || words(&report.report))?.as_bytes())
        })
    }
}

/// Frees a report and everything borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_free(report: *mut robots_lint_report) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { free(report) }
}

/// The meaning of a diagnostic code. Set `size` to `sizeof(robots_lint_meaning)` before each call.
#[repr(C)]
pub struct robots_lint_meaning {
    /// `sizeof(robots_lint_meaning)`; later versions add fields at the end only.
    pub size: usize,
    /// A few words.
    pub title: robots_str,
    /// Some sentences: what the code means and what to do.
    pub explanation: robots_str,
}

/// Returns the meaning of a diagnostic code.
///
/// Parameters: `code`: such as 51 for "R051". `out`: receives the meaning; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for an unknown code.
/// Owner: the strings belong to the library; valid until it is unloaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_code(
    code: u32,
    out: *mut robots_lint_meaning,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let code = Code::from_number(code).ok_or(Error::Argument)?;
            Ok(robots_lint_meaning {
                size: 0,
                title: robots_str::new(code.title().as_bytes()),
                explanation: robots_str::new(code.explanation().as_bytes()),
            })
        })
    }
}
