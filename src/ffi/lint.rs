//! `robots_lint_report`: what is wrong with a robots.txt, for its writer.

use core::ffi::c_char;
use std::sync::OnceLock;

use super::crawler::{crawler_of, robots_crawler};
use super::rules::robots_str;
use super::status::robots_status;
use super::{borrowed, free, guarded, handle_into, sized_output, text};
use crate::analysis::lint::{self, Code, LineKind, Report, Severity};
use crate::error::Error;
use crate::util::try_alloc::words;

/// What is wrong with a robots.txt, and what each of its lines means. Immutable; any number of threads may read
/// it at once. Made by `robots_lint`, ended by `robots_lint_report_free`.
pub struct robots_lint_report {
    report: Report,
    /// Made when it is first asked for.
    rendered: OnceLock<String>,
}

/// Severity: worth knowing; nothing is wrong.
pub const ROBOTS_LINT_NOTE: u32 = 1;
/// Severity: it may not do what its writer thinks, or not for every crawler.
pub const ROBOTS_LINT_WARNING: u32 = 2;
/// Severity: it does not do what its writer must have meant.
pub const ROBOTS_LINT_ERROR: u32 = 3;

/// Line: nothing stands there but white space.
pub const ROBOTS_LINE_BLANK: u32 = 0;
/// Line: only a comment.
pub const ROBOTS_LINE_COMMENT: u32 = 1;
/// Line: it names a crawler.
pub const ROBOTS_LINE_USER_AGENT: u32 = 2;
/// Line: an allow rule.
pub const ROBOTS_LINE_ALLOW: u32 = 3;
/// Line: a disallow rule.
pub const ROBOTS_LINE_DISALLOW: u32 = 4;
/// Line: a sitemap.
pub const ROBOTS_LINE_SITEMAP: u32 = 5;
/// Line: a crawl-delay.
pub const ROBOTS_LINE_CRAWL_DELAY: u32 = 6;
/// Line: a field that some crawlers read, without effect on a verdict.
pub const ROBOTS_LINE_EXTENSION: u32 = 7;
/// Line: a field that nobody knows; the line is skipped.
pub const ROBOTS_LINE_UNKNOWN: u32 = 8;
/// Line: neither field and value nor a comment; the line is skipped.
pub const ROBOTS_LINE_NOT_UNDERSTOOD: u32 = 9;

// The numbers of C are those of the core.
const _: () = assert!(
    ROBOTS_LINT_NOTE == Severity::Note as u32
        && ROBOTS_LINT_WARNING == Severity::Warning as u32
        && ROBOTS_LINT_ERROR == Severity::Error as u32
        && ROBOTS_LINE_BLANK == LineKind::Blank as u32
        && ROBOTS_LINE_COMMENT == LineKind::Comment as u32
        && ROBOTS_LINE_USER_AGENT == LineKind::UserAgent as u32
        && ROBOTS_LINE_ALLOW == LineKind::Allow as u32
        && ROBOTS_LINE_DISALLOW == LineKind::Disallow as u32
        && ROBOTS_LINE_SITEMAP == LineKind::Sitemap as u32
        && ROBOTS_LINE_CRAWL_DELAY == LineKind::CrawlDelay as u32
        && ROBOTS_LINE_EXTENSION == LineKind::Extension as u32
        && ROBOTS_LINE_UNKNOWN == LineKind::Unknown as u32
        && ROBOTS_LINE_NOT_UNDERSTOOD == LineKind::NotUnderstood as u32
);

/// One diagnostic. Later versions may add members at the end, so the caller says how many octets it has room for.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_lint_diagnostic {
    /// To be set by the caller: sizeof(robots_lint_diagnostic).
    pub size: usize,
    /// The octets of the file that it is about: the first, counted from 0.
    pub start: usize,
    /// The octet behind the last; they lie in one line.
    pub end: usize,
    /// What is the matter: one sentence in UTF-8 without control characters.
    pub message: robots_str,
    /// What to do: one sentence; empty where there is no advice.
    pub suggestion: robots_str,
    /// Its kind: 51 for what is shown as "R051".
    pub code: u32,
    /// One of `ROBOTS_LINT_NOTE` and its like.
    pub severity: u32,
    /// The line, counted from 1; 0 when it is about the file as a whole.
    pub line: u32,
    /// Where it begins in the line, in octets counted from 1; 0 when it is about the file as a whole.
    pub column: u32,
    /// Another line that has to do with it, such as that of a rule which always wins; 0 for none.
    pub other_line: u32,
    /// 0.
    pub reserved: u32,
}

/// One line of a robots.txt and what it means. Later versions may add members at the end, so the caller says how
/// many octets it has room for.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_lint_line {
    /// To be set by the caller: sizeof(robots_lint_line).
    pub size: usize,
    /// Its octets in the file: the first, counted from 0.
    pub start: usize,
    /// The octet behind the last, without the line end.
    pub end: usize,
    /// The field as it is written; empty where there is none.
    pub field: robots_str,
    /// The value as it is written; empty where there is none.
    pub value: robots_str,
    /// One of `ROBOTS_LINE_BLANK` and its like.
    pub kind: u32,
    /// The group that it belongs to, counted from 1 in the order of the file; 0: none.
    pub group: u32,
}

/// Looks over a robots.txt for its writer: what every line means, and what is wrong with it.
///
/// Parameters: `crawler`: of it only the dialect, the size limit and the options count, since a robots.txt is for
/// everyone; `body`, `body_len`: the octets of the file, any octets, also none; `out`: receives the report.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `crawler` or `out` NULL, or `body` NULL with a length;
/// `ROBOTS_E_MEMORY`. Never an error because of what the file holds. `*out` is NULL after an error.
/// Owner: the caller, who ends the report with `robots_lint_report_free`. `body` is not needed afterwards, nor is
/// the crawler.
/// Threads: any; many may lint with one crawler at once.
/// Allocates: the report, which holds a copy of what is read of the file and at most 100 diagnostics of a kind.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or was not freed; `body` is readable for `body_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_lint_report,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (crawler, body) = unsafe { (crawler_of(crawler)?, text(body, body_len)?) };
        let report = lint::lint(crawler, body)?;
        super::hand_out(robots_lint_report {
            report,
            rendered: OnceLock::new(),
        })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Counts the diagnostics of a report. Of each kind the first 100 are kept.
///
/// Parameters: `report`.
/// Returns: how many `robots_lint_report_get` gives; 0 for NULL.
/// Owner: nothing is handed over.
/// Threads: any; many may read one report at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `report` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_count(report: *const robots_lint_report) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| Ok(unsafe { borrowed(report) }?.report.diagnostics().len())).unwrap_or(0)
}

/// Counts the diagnostics of one severity, also those that were not kept.
///
/// Parameters: `report`; `severity`: one of `ROBOTS_LINT_NOTE`, `ROBOTS_LINT_WARNING` and `ROBOTS_LINT_ERROR`.
/// Returns: the number; 0 for NULL or another severity.
/// Owner: nothing is handed over.
/// Threads: as for `robots_lint_report_count`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `report` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_total(
    report: *const robots_lint_report,
    severity: u32,
) -> u64 {
    guarded(|| {
        // SAFETY: the caller's promise, passed on.
        let report = &unsafe { borrowed(report) }?.report;
        let severity = Severity::ALL.into_iter().find(|of| *of as u32 == severity);
        Ok(report.total(severity.ok_or(Error::Argument)?))
    })
    .unwrap_or(0)
}

/// Gives one diagnostic of a report. They stand in the order of the file; those about the file as a whole come
/// first.
///
/// Parameters: `report`; `index`: 0 to `robots_lint_report_count(report)` - 1; `out`: receives the diagnostic; its
/// member `size` must be set.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index past the last, or a `size` that is too small. After
/// an error `*out` says nothing, or is as it was if its `size` is wrong.
/// Owner: the report; its strings are valid as long as it is.
/// Threads: as for `robots_lint_report_count`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `report` is NULL or was not freed; `out` is NULL, or its `size` is set and it is writable for so many octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_get(
    report: *const robots_lint_report,
    index: usize,
    out: *mut robots_lint_diagnostic,
) -> robots_status {
    let found = || {
        // SAFETY: the caller's promise, passed on.
        let report = unsafe { borrowed(report)? };
        let diagnostics = report.report.diagnostics();
        let found = diagnostics.get(index).ok_or(Error::Argument)?;
        Ok(robots_lint_diagnostic {
            size: 0,
            start: found.span().start,
            end: found.span().end,
            message: robots_str::of(found.message().as_bytes()),
            suggestion: found
                .suggestion()
                .map_or(robots_str::EMPTY, |text| robots_str::of(text.as_bytes())),
            code: found.code().number(),
            severity: found.severity() as u32,
            line: found.line(),
            column: found.column(),
            other_line: found.other_line(),
            reserved: 0,
        })
    };
    // SAFETY: the caller's promise, passed on; the struct starts with its size and may be all zeros.
    unsafe { sized_output(out, found) }
}

/// Counts the lines that were read.
///
/// Parameters: `report`.
/// Returns: how many `robots_lint_report_line` gives; 0 for NULL.
/// Owner: nothing is handed over.
/// Threads: as for `robots_lint_report_count`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `report` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_line_count(report: *const robots_lint_report) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| Ok(unsafe { borrowed(report) }?.report.line_count() as usize)).unwrap_or(0)
}

/// Gives one line of the file and what it means.
///
/// Parameters: `report`; `number`: the line, 1 to `robots_lint_report_line_count(report)`, as verdicts and
/// diagnostics count; `out`: receives the line; its member `size` must be set.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, a line that is not there, or a `size` that is too small. After
/// an error `*out` says nothing, or is as it was if its `size` is wrong.
/// Owner: the report; its strings are valid as long as it is.
/// Threads: as for `robots_lint_report_count`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `report` is NULL or was not freed; `out` is NULL, or its `size` is set and it is writable for so many octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_line(
    report: *const robots_lint_report,
    number: usize,
    out: *mut robots_lint_line,
) -> robots_status {
    let line = || {
        // SAFETY: the caller's promise, passed on.
        let report = unsafe { &borrowed(report)?.report };
        let number = u32::try_from(number).map_err(|_| Error::Argument)?;
        let line = report.line(number).ok_or(Error::Argument)?;
        let part = |span: core::ops::Range<usize>| match report.body().get(span) {
            None | Some(&[]) => robots_str::EMPTY,
            Some(octets) => robots_str::of(octets),
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
    };
    // SAFETY: as for `robots_lint_report_get`.
    unsafe { sized_output(out, line) }
}

/// Gives the report as text in the manner of compilers: each diagnostic with its line and a mark below it, then a
/// summary. Of each kind the first ten are shown.
///
/// Parameters: `report`.
/// Returns: UTF-8 without control characters but line ends, in which the file is called "robots.txt"; an empty
/// string for NULL, and where there is no memory for it: ask again.
/// Owner: the report; valid as long as it is.
/// Threads: as for `robots_lint_report_count`.
/// Allocates: the text, when it is first asked for.
/// Since: 0.1.0
///
/// # Safety
/// `report` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_text(report: *const robots_lint_report) -> robots_str {
    guarded(|| {
        // SAFETY: the caller's promise, passed on.
        let report = unsafe { borrowed(report) }?;
        let rendered = match report.rendered.get() {
            Some(rendered) => rendered,
            None => {
                let made = words(&report.report)?;
                // Another thread may have been faster.
                report.rendered.get_or_init(|| made)
            }
        };
        Ok(robots_str::of(rendered.as_bytes()))
    })
    .unwrap_or(robots_str::EMPTY)
}

/// Ends a report.
///
/// Parameters: `report`: NULL does nothing.
/// Returns: nothing.
/// Owner: `report` is handed back and must not be used again, nor its strings.
/// Threads: any; no other may use the report meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `report` is NULL or a report that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_lint_report_free(report: *mut robots_lint_report) {
    // SAFETY: the caller's promise, passed on.
    unsafe { free(report) }
}

/// Says in a few words what a kind of diagnostic is.
///
/// Parameters: `code`: the kind, such as 51.
/// Returns: its title; an empty string for a number that is no kind.
/// Owner: the library; valid for ever.
/// Threads: any, at any time.
/// Allocates: nothing.
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn robots_lint_title(code: u32) -> robots_str {
    guarded(|| Code::from_number(code).ok_or(Error::Argument)).map_or(robots_str::EMPTY, |code| {
        robots_str::of(code.title().as_bytes())
    })
}

/// Explains a kind of diagnostic: what it means and what to do.
///
/// Parameters: `code`: the kind, such as 51.
/// Returns: some sentences; an empty string for a number that is no kind.
/// Owner: the library; valid for ever.
/// Threads: any, at any time.
/// Allocates: nothing.
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn robots_lint_explanation(code: u32) -> robots_str {
    guarded(|| Code::from_number(code).ok_or(Error::Argument)).map_or(robots_str::EMPTY, |code| {
        robots_str::of(code.explanation().as_bytes())
    })
}
