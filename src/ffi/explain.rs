//! `robots_explanation`: why a URL may be fetched or not.

use core::ffi::c_char;

use super::crawler::{crawler_of, robots_crawler};
use super::rules::robots_str;
use super::status::robots_status;
use super::verdict::robots_verdict;
use super::{borrowed, free, guarded, handle_into, sized_output, text};
use crate::analysis::explain::{Explanation, MatchResult, explain};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::util::try_alloc::words;
use crate::verdict::Verdict;

/// Why a URL may be fetched or not: immutable; any number of threads may read it at once. Made by
/// `robots_rules_explain`, ended by `robots_explanation_free`.
pub struct robots_explanation {
    explanation: Explanation,
    text: String,
}

/// A line of the robots.txt. Set `size` to `sizeof(robots_explained_line)` before it is filled.
#[repr(C)]
pub struct robots_explained_line {
    /// What the caller takes for the size of this struct.
    pub size: usize,
    /// The line as it is written, without comment and the white space around it; any octets.
    pub text: robots_str,
    /// Its number; the first is 1.
    pub line: u32,
    /// 0.
    pub reserved: u32,
}

/// A rule that matches. Set `size` to `sizeof(robots_explained_rule)` before it is filled.
#[repr(C)]
pub struct robots_explained_rule {
    /// What the caller takes for the size of this struct.
    pub size: usize,
    /// The line as it is written, without comment and the white space around it; any octets.
    pub text: robots_str,
    /// The path in it.
    pub path: robots_str,
    /// The path as it is compared: in canonical form (SPEC 8.6). Its length is what counts (SPEC 8.7).
    pub pattern: robots_str,
    /// The number of the line; the first is 1.
    pub line: u32,
    /// 1 if the rule allows, 0 if it disallows.
    pub allow: u32,
    /// What became of it, one of `ROBOTS_MATCH_...`. Later versions may add some.
    pub result: u32,
    /// 0.
    pub reserved: u32,
}

/// Result of a rule that matches: it decides.
pub const ROBOTS_MATCH_WON: u32 = 0;
/// Match result: a longer one decides (SPEC 8.7).
pub const ROBOTS_MATCH_SHORTER: u32 = 1;
/// Match result: as long as the winner, which allows (SPEC 8.7).
pub const ROBOTS_MATCH_TIE_LOST_TO_ALLOW: u32 = 2;
/// Match result: as long as the winner and of the same kind, but further down.
pub const ROBOTS_MATCH_LATER_EQUAL: u32 = 3;
/// Match result: an earlier one decides (SPEC 8.7, koster1996).
pub const ROBOTS_MATCH_AFTER_FIRST_MATCH: u32 = 4;
/// Match result: without a path it decides nothing (SPEC 8.8, google).
pub const ROBOTS_MATCH_EMPTY: u32 = 5;

const _: () = assert!(
    ROBOTS_MATCH_WON == MatchResult::Won as u32
        && ROBOTS_MATCH_SHORTER == MatchResult::Shorter as u32
        && ROBOTS_MATCH_TIE_LOST_TO_ALLOW == MatchResult::TieLostToAllow as u32
        && ROBOTS_MATCH_LATER_EQUAL == MatchResult::LaterEqual as u32
        && ROBOTS_MATCH_AFTER_FIRST_MATCH == MatchResult::AfterFirstMatch as u32
        && ROBOTS_MATCH_EMPTY == MatchResult::Empty as u32
);

/// What is asked of an explanation that may be none.
///
/// # Safety
/// `explanation` is null or was not freed, and is not freed during `'a`.
unsafe fn of<'a, T>(
    explanation: *const robots_explanation,
    ask: impl FnOnce(&'a Explanation) -> T,
) -> Result<T, Error> {
    // SAFETY: passed on.
    guarded(|| Ok(ask(&unsafe { borrowed(explanation) }?.explanation)))
}

/// Explains what `robots_rules_parse` and `robots_rules_check` decide on a robots.txt and a URL: which line
/// decided, and why not another. For people, not for the way of every URL: the file is read each time.
///
/// Parameters: `crawler`; `body`, `body_len`: the octets of the file, any octets, also none; `url`, `url_len`: as
/// for `robots_rules_check`; `out`: receives the explanation.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` for what is no URL (SPEC 8.5b); `ROBOTS_E_ARG` for `crawler` or `out` NULL,
/// `body` or `url` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_explanation_free`. `body`, `url` and the crawler are not needed
/// afterwards.
/// Threads: any; many may explain with one crawler at once.
/// Allocates: the explanation, and work space that is freed.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or was not freed; `body` is readable for `body_len` octets, `url` for `url_len`; `out` is NULL or
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
        super::hand_out(robots_explanation { explanation, text })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Gives the verdict that is explained.
///
/// Parameters: `explanation`.
/// Returns: the verdict, as `robots_rules_check` gives it; with `ROBOTS_E_ARG` for NULL.
/// Owner: nothing is handed over.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_verdict(
    explanation: *const robots_explanation,
) -> robots_verdict {
    // SAFETY: the caller's promise, passed on.
    unsafe { of(explanation, Explanation::verdict) }
        .unwrap_or_else(Verdict::from_error)
        .bits()
}

/// Gives what a dialect decides on the same file and URL, that of the crawler or another.
///
/// Parameters: `explanation`; `dialect`: one of `ROBOTS_DIALECT_...`.
/// Returns: the verdict of that dialect; with `ROBOTS_E_URL` where only google takes it for a URL, with
/// `ROBOTS_E_ARG` for NULL or an unknown dialect.
/// Owner: nothing is handed over.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
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
        of(explanation, |explanation| {
            dialect.map_or(none, |dialect| explanation.verdict_in(dialect))
        })
    }
    .unwrap_or_else(Verdict::from_error)
    .bits()
}

/// Gives the path and query of the URL as they were compared: in canonical form (SPEC 8.6).
///
/// Parameters: `explanation`.
/// Returns: the path, which starts with `/`; empty for NULL.
/// Owner: the explanation; valid until `robots_explanation_free`.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_path(
    explanation: *const robots_explanation,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    unsafe { of(explanation, |it| robots_str::of(it.path())) }.unwrap_or(robots_str::EMPTY)
}

/// Gives the product token that the groups obeyed name (SPEC 7.1).
///
/// Parameters: `explanation`.
/// Returns: the token as the crawler spells it; `*` where the groups are for everyone; empty where no group applies,
/// or for NULL.
/// Owner: the explanation; valid until `robots_explanation_free`.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_token(
    explanation: *const robots_explanation,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    unsafe {
        of(explanation, |it| {
            it.token().map_or(robots_str::EMPTY, robots_str::of)
        })
    }
    .unwrap_or(robots_str::EMPTY)
}

/// Counts the user-agent lines that name the crawler: why their groups are obeyed.
///
/// Parameters: `explanation`.
/// Returns: how many there are; 0 where no group applies, or for NULL.
/// Owner: nothing is handed over.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_agent_count(
    explanation: *const robots_explanation,
) -> usize {
    // SAFETY: the caller's promise, passed on.
    unsafe { of(explanation, |it| it.agents().len()) }.unwrap_or(0)
}

/// Gives one of the user-agent lines that name the crawler.
///
/// Parameters: `explanation`; `index`: 0 to `robots_explanation_agent_count(explanation)` - 1, in the order of the
/// file; `out`: receives the line; its `size` is set.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
/// right `size` all else in `*out` is 0.
/// Owner: the text is the explanation's; valid until `robots_explanation_free`.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed; `out` is NULL or writable for as many octets as its `size` says.
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
                text: robots_str::of(quote.text()),
                line: quote.line(),
                reserved: 0,
            })
        })
    }
}

/// Counts the rules that match.
///
/// Parameters: `explanation`.
/// Returns: how many there are; 0 for NULL, and for a robots.txt itself where it is always allowed (SPEC 8.9).
/// Owner: nothing is handed over.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_rule_count(
    explanation: *const robots_explanation,
) -> usize {
    // SAFETY: the caller's promise, passed on.
    unsafe { of(explanation, |it| it.matched().len()) }.unwrap_or(0)
}

/// Gives one of the rules that match, the strongest first: the first decides, if any does.
///
/// Parameters: `explanation`; `index`: 0 to `robots_explanation_rule_count(explanation)` - 1; `out`: receives the rule;
/// its `size` is set.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
/// right `size` all else in `*out` is 0.
/// Owner: the texts are the explanation's; valid until `robots_explanation_free`.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed; `out` is NULL or writable for as many octets as its `size` says.
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
                text: robots_str::of(rule.text()),
                path: robots_str::of(rule.path()),
                pattern: robots_str::of(rule.pattern()),
                line: rule.line(),
                allow: rule.allow().into(),
                result: rule.result() as u32,
                reserved: 0,
            })
        })
    }
}

/// Gives the explanation as lines for a terminal: UTF-8, each line ended by a newline, nothing in them that a
/// terminal would obey, whatever the file and the URL hold. For people: later versions may word it otherwise.
///
/// Parameters: `explanation`.
/// Returns: the text; empty for NULL.
/// Owner: the explanation; valid until `robots_explanation_free`.
/// Threads: any; many may read one explanation at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_text(
    explanation: *const robots_explanation,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { borrowed(explanation) })
        .map_or(robots_str::EMPTY, |it| robots_str::of(it.text.as_bytes()))
}

/// Ends an explanation.
///
/// Parameters: `explanation`: NULL does nothing.
/// Returns: nothing.
/// Owner: `explanation` is handed back; it and what was borrowed from it must not be used again.
/// Threads: any; no other may use the explanation meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `explanation` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_free(explanation: *mut robots_explanation) {
    // SAFETY: the caller's promise, passed on.
    unsafe { free(explanation) }
}
