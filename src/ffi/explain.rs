//! `robots_explanation`: the explanation of a verdict.

use super::convert::*;
use super::crawler::robots_crawler;
use super::refusal::ADDRESS;
use crate::base::dialect::Dialect;
use crate::bytes::try_alloc::words;
use crate::owner::explain::{Explanation, explain};

/// The explanation of a verdict. Immutable.
///
/// Owner: created by `robots_rules_explain`, freed by `robots_explanation_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the function that creates it. No function aborts when out of memory.
pub struct robots_explanation {
    explanation: Explanation,
    text: String,
}

/// One line of the robots.txt.
#[repr(C)]
pub struct robots_explained_line {
    /// `sizeof(robots_explained_line)`.
    pub size: usize,
    /// Line as written, without comment and surrounding white space; any bytes.
    pub text: robots_str,
    /// Number of the line, from 1.
    pub line: u32,
    /// Always 0.
    pub reserved: u32,
}

/// One rule that matches.
#[repr(C)]
pub struct robots_explained_rule {
    /// `sizeof(robots_explained_rule)`.
    pub size: usize,
    /// Line as written, without comment and surrounding white space; any bytes.
    pub text: robots_str,
    /// Path of the rule, as written.
    pub path: robots_str,
    /// Path in canonical form (SPEC 8.6). Its length determines the priority (SPEC 8.7).
    pub pattern: robots_str,
    /// Number of the line, from 1.
    pub line: u32,
    /// 1 if the rule allows, 0 if it disallows.
    pub allow: u32,
    /// Match result, one of `enum robots_match_result`. Later versions may add values.
    pub result: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Explains the result of `robots_rules_parse` and `robots_rules_check` for a file and a URL: which line decides, and
/// why the other rules that match do not. The call parses the whole file: use it for people, not for every URL of a crawl.
///
/// Parameters: `crawler`. `body`, `body_len`: the file, any bytes, including none. `url`, `url_len`: as for
/// `robots_rules_check`. `out`: receives the explanation.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_explain(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_explanation,
) -> robots_status {
    exported!(handle_into(out, || {
        let robots_crawler(crawler) = borrowed!(crawler)?;
        let explanation =
            explain(crawler, bytes!(body, body_len)?, bytes!(url, url_len)?).blame(ADDRESS)?;
        let text = words(&explanation)?;
        Ok::<_, Error>(robots_explanation { explanation, text })
    }))
}

/// The parts of an explanation that are not lists.
#[repr(C)]
pub struct robots_explained {
    /// `sizeof(robots_explained)`.
    pub size: usize,
    /// Explained verdict, as from `robots_rules_check`.
    pub verdict: robots_verdict,
    /// Verdict of the rfc9309 dialect for the same file and URL; its status is `ROBOTS_E_URL` if the canonical form of
    /// the path is too long (SPEC 8.12).
    pub rfc9309: robots_verdict,
    /// Verdict of the google dialect.
    pub google: robots_verdict,
    /// Verdict of the koster1996 dialect.
    pub koster1996: robots_verdict,
    /// Canonical form of the URL's path and query. Rules are matched with this form (SPEC 8.6).
    pub path: robots_str,
    /// Product token that selected the groups, as the crawler has it (SPEC 7.1); `*` if the `*` groups apply; empty if
    /// no group applies.
    pub token: robots_str,
    /// Explanation as lines for a terminal: UTF-8 without control characters except the newline that ends each line,
    /// whatever the file and the URL contain. Later versions may change the words.
    pub text: robots_str,
}

/// Returns the parts of an explanation that are not lists: the verdicts, the path, the token and a text.
///
/// Returns: `ROBOTS_OK`.
/// Owner: the strings belong to the explanation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_get(
    explanation: *const robots_explanation,
    out: *mut robots_explained,
) -> robots_status {
    exported!(struct_into(out, || {
        let robots_explanation { explanation, text } = borrowed!(explanation)?;
        Ok(robots_explained {
            size: 0,
            verdict: explanation.verdict.into(),
            rfc9309: explanation.verdict_in(Dialect::Rfc9309).into(),
            google: explanation.verdict_in(Dialect::Google).into(),
            koster1996: explanation.verdict_in(Dialect::Koster1996).into(),
            path: robots_str::new(&explanation.path),
            token: robots_str::maybe(explanation.token.as_deref()),
            text: robots_str::new(text),
        })
    }))
}

/// Returns one of the user-agent lines that select the groups.
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the line.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element, or for every index if no group applies.
/// Owner: the text belongs to the explanation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_agent(
    explanation: *const robots_explanation,
    index: usize,
    out: *mut robots_explained_line,
) -> robots_status {
    exported!(struct_into(out, || {
        let explanation = &borrowed!(explanation)?.explanation;
        let quote = explanation.agents.get(index).ok_or(Stop(ROBOTS_END))?;
        Ok(robots_explained_line {
            size: 0,
            text: robots_str::new(&quote.text),
            line: quote.line,
            reserved: 0,
        })
    }))
}

/// Returns one of the rules that match, in order of priority. A rule that decides comes first.
///
/// Parameters: `index`: from 0. `out`: receives the rule.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element, or for every index if the URL is the robots.txt (SPEC 8.9).
/// Owner: the texts belong to the explanation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_rule(
    explanation: *const robots_explanation,
    index: usize,
    out: *mut robots_explained_rule,
) -> robots_status {
    exported!(struct_into(out, || {
        let explanation = &borrowed!(explanation)?.explanation;
        let rule = explanation.matched.get(index).ok_or(Stop(ROBOTS_END))?;
        Ok(robots_explained_rule {
            size: 0,
            text: robots_str::new(&rule.quote.text),
            path: robots_str::new(rule.path()),
            pattern: robots_str::new(&rule.pattern),
            line: rule.quote.line,
            allow: rule.allow.into(),
            result: rule.result as u32,
            reserved: 0,
        })
    }))
}

/// Frees an explanation and everything borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_explanation_free(explanation: *mut robots_explanation) {
    exported!(free(explanation))
}
