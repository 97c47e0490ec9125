//! `robots_explanation`: the explanation of a verdict.

use core::ffi::c_char;

use super::crawler::{crawler_of, robots_crawler};
use super::status::robots_status;
use super::string::robots_str;
use super::verdict::robots_verdict;
use super::{borrowed, free, guarded, handle_into, sized_output, text};
use crate::analysis::explain::{Explanation, MatchResult, explain};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::util::try_alloc::words;
use crate::verdict::Verdict;

/// The explanation of a verdict. Immutable.
///
/// Owner: created by `robots_rules_explain`, freed by `robots_explanation_free`.
/// Threads: any number of threads may use it at once.
/// Allocates: the function that creates it. No function aborts when out of memory.
pub struct robots_explanation {
    explanation: Explanation,
    text: String,
}

/// A line of the robots.txt. Set `size` to `sizeof(robots_explained_line)` before each call.
#[repr(C)]
pub struct robots_explained_line {
    /// `sizeof(robots_explained_line)`; later versions add fields at the end only.
    pub size: usize,
    /// The line as it is written, without comment and surrounding white space; any bytes.
    pub text: robots_str,
    /// The number of the line, from 1.
    pub line: u32,
    /// Always 0.
    pub reserved: u32,
}

/// A rule that matches. Set `size` to `sizeof(robots_explained_rule)` before each call.
#[repr(C)]
pub struct robots_explained_rule {
    /// `sizeof(robots_explained_rule)`; later versions add fields at the end only.
    pub size: usize,
    /// The line as it is written, without comment and surrounding white space; any bytes.
    pub text: robots_str,
    /// The path in it.
    pub path: robots_str,
    /// The path in canonical form (SPEC 8.6), as it is compared. Its length decides the priority (SPEC 8.7).
    pub pattern: robots_str,
    /// The number of the line, from 1.
    pub line: u32,
    /// 1 if the rule allows, 0 if it disallows.
    pub allow: u32,
    /// The match result, one of `ROBOTS_MATCH_...`. Later versions may add some.
    pub result: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Match result: the rule decides.
pub const ROBOTS_MATCH_WON: u32 = MatchResult::Won as u32;
/// Match result: a longer rule decides (SPEC 8.7).
pub const ROBOTS_MATCH_SHORTER: u32 = MatchResult::Shorter as u32;
/// Match result: a rule of the same length that allows decides (SPEC 8.7).
pub const ROBOTS_MATCH_TIE_LOST_TO_ALLOW: u32 = MatchResult::TieLostToAllow as u32;
/// Match result: an earlier rule of the same length and kind decides.
pub const ROBOTS_MATCH_LATER_EQUAL: u32 = MatchResult::LaterEqual as u32;
/// Match result: an earlier rule decides (SPEC 8.7, koster1996).
pub const ROBOTS_MATCH_AFTER_FIRST_MATCH: u32 = MatchResult::AfterFirstMatch as u32;
/// Match result: a rule without a path has no effect (SPEC 8.8, google).
pub const ROBOTS_MATCH_EMPTY: u32 = MatchResult::Empty as u32;

/// Reads from a caller's explanation.
///
/// # Safety
/// `explanation` is null or was not freed, and is not freed during `'a`.
unsafe fn read<'a, T>(
    explanation: *const robots_explanation,
    question: impl FnOnce(&'a Explanation) -> T,
) -> Result<T, Error> {
    // SAFETY: passed on.
    guarded(|| Ok(question(&unsafe { borrowed(explanation) }?.explanation)))
}

/// Explains the result of `robots_rules_parse` and `robots_rules_check` for a file and a URL: which line decided, and
/// why no other did. For people, not for every URL of a crawl: each call reads the file.
///
/// Parameters: `crawler`. `body`, `body_len`: the bytes of the file, any bytes, also none. `url`, `url_len`: as for
/// `robots_rules_check`. `out`: receives the explanation.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b); `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
///
/// # Safety
/// `crawler` is NULL or was not freed; `body` is readable for `body_len` bytes, `url` for `url_len`; `out` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_explain(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_explanation,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (crawler, body, url) = unsafe {
            (
                crawler_of(crawler)?,
                text(body, body_len)?,
                text(url, url_len)?,
            )
        };
        let explanation = explain(crawler, body, url)?;
        let text = words(&explanation)?;
        super::into_handle(robots_explanation { explanation, text })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Returns the verdict that is explained, as from `robots_rules_check`.
///
/// Returns: the verdict; its status is `ROBOTS_E_ARG` for NULL.
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_verdict(
    explanation: *const robots_explanation,
) -> robots_verdict {
    // SAFETY: the caller's promise, passed on.
    unsafe { read(explanation, Explanation::verdict) }
        .unwrap_or_else(Verdict::from_error)
        .bits()
}

/// Returns the verdict of one dialect for the same file and URL.
///
/// Parameters: `dialect`: one of `ROBOTS_DIALECT_...`, the crawler's or another.
/// Returns: the verdict; its status is `ROBOTS_E_URL` if only the google dialect accepts the URL, `ROBOTS_E_ARG` for
/// NULL or an unknown dialect.
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_other(
    explanation: *const robots_explanation,
    dialect: u32,
) -> robots_verdict {
    let none = Verdict::from_error(Error::Argument);
    let dialect = Dialect::from_code(dialect.into());
    // SAFETY: the caller's promise, passed on.
    unsafe {
        read(explanation, |explanation| {
            dialect.map_or(none, |dialect| explanation.verdict_in(dialect))
        })
    }
    .unwrap_or_else(Verdict::from_error)
    .bits()
}

/// Returns the canonical form of the URL's path and query, as it was compared with the rules (SPEC 8.6).
///
/// Returns: the path, which starts with `/`; empty for NULL.
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_path(
    explanation: *const robots_explanation,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    unsafe { read(explanation, |it| robots_str::new(it.path())) }.unwrap_or(robots_str::EMPTY)
}

/// Returns the product token by which the groups were selected (SPEC 7.1).
///
/// Returns: the token as the crawler has it; `*` if the `*` groups apply; empty if no group applies, or for NULL.
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_token(
    explanation: *const robots_explanation,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    unsafe {
        read(explanation, |it| {
            it.token().map_or(robots_str::EMPTY, robots_str::new)
        })
    }
    .unwrap_or(robots_str::EMPTY)
}

/// Returns the number of user-agent lines that select the groups.
///
/// Returns: the number; 0 if no group applies, or for NULL.
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_agent_count(
    explanation: *const robots_explanation,
) -> usize {
    // SAFETY: the caller's promise, passed on.
    unsafe { read(explanation, |it| it.agents().len()) }.unwrap_or(0)
}

/// Returns one of the user-agent lines that select the groups.
///
/// Parameters: `index`: 0 to `robots_explanation_agent_count(explanation)` - 1, in the order of the file. `out`:
/// receives the line; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small.
/// Owner: the text belongs to the explanation.
///
/// # Safety
/// `explanation` is NULL or was not freed; `out` is NULL or writable for as many bytes as its `size` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_agent(
    explanation: *const robots_explanation,
    index: usize,
    out: *mut robots_explained_line,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        sized_output(out, || {
            let explanation = &borrowed(explanation)?.explanation;
            let quote = explanation.agents().get(index).ok_or(Error::Argument)?;
            Ok(robots_explained_line {
                size: 0,
                text: robots_str::new(quote.text()),
                line: quote.line(),
                reserved: 0,
            })
        })
    }
}

/// Returns the number of rules that match.
///
/// Returns: the number; 0 for NULL, and for a robots.txt itself if it is always allowed (SPEC 8.9).
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_rule_count(
    explanation: *const robots_explanation,
) -> usize {
    // SAFETY: the caller's promise, passed on.
    unsafe { read(explanation, |it| it.matched().len()) }.unwrap_or(0)
}

/// Returns one of the rules that match, in order of priority: the first one decides, if any does.
///
/// Parameters: `index`: 0 to `robots_explanation_rule_count(explanation)` - 1. `out`: receives the rule; set its `size`
/// first.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small.
/// Owner: the texts belong to the explanation.
///
/// # Safety
/// `explanation` is NULL or was not freed; `out` is NULL or writable for as many bytes as its `size` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_rule(
    explanation: *const robots_explanation,
    index: usize,
    out: *mut robots_explained_rule,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        sized_output(out, || {
            let explanation = &borrowed(explanation)?.explanation;
            let rule = explanation.matched().get(index).ok_or(Error::Argument)?;
            Ok(robots_explained_rule {
                size: 0,
                text: robots_str::new(rule.text()),
                path: robots_str::new(rule.path()),
                pattern: robots_str::new(rule.pattern()),
                line: rule.line(),
                allow: rule.allow().into(),
                result: rule.result() as u32,
                reserved: 0,
            })
        })
    }
}

/// Returns the explanation as lines for a terminal: UTF-8, each line ends with a newline, no control characters,
/// whatever the file and the URL contain. Later versions may change the words.
///
/// Returns: the text; empty for NULL.
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_text(
    explanation: *const robots_explanation,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { borrowed(explanation) })
        .map_or(robots_str::EMPTY, |it| robots_str::new(it.text.as_bytes()))
}

/// Frees an explanation and everything borrowed from it.
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_free(explanation: *mut robots_explanation) {
    // SAFETY: the caller's promise, passed on.
    unsafe { free(explanation) }
}
