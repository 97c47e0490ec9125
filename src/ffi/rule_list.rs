//! `robots_rule_list`: a list of the rules that can decide.

use super::convert::*;
use super::rules::{robots_rules, rules_at, rules_of};
use crate::core::rules::effective::EffectiveRules;

/// The rules of a robots.txt that can decide a verdict, for callers that show or convert rules. Immutable. For a verdict
/// call `robots_rules_check`.
///
/// Owner: created by `robots_rule_list_new`, freed by `robots_rule_list_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the function that creates it. No function aborts when out of memory.
pub struct robots_rule_list(EffectiveRules);

/// One rule that can decide.
#[repr(C)]
pub struct robots_rule {
    /// `sizeof(robots_rule)`.
    pub size: usize,
    /// Path in canonical form (SPEC 8.6), any bytes. `*` is the wildcard and a final `$` the end of the URL, except in
    /// koster1996. A pattern with redundant `*` is replaced by an equivalent pattern of the same length.
    pub pattern: robots_str,
    /// Number of the line, from 1; 0 for a site-wide rule that no line states.
    pub line: u32,
    /// 1 if the rule allows, 0 if it disallows.
    pub allow: u32,
}

/// Creates the list of the rules that can decide. A rule never decides if it is a duplicate, has no path, or has a path that
/// matches no URL (SPEC 8.5). In google the rule `/x/$` follows an allow rule such as `/x/index.html` (SPEC 8.10). Rules that
/// disallow the whole site become one rule, `/`.
///
/// Parameters: `rules`. `out`: receives the list, which stays valid without `rules`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for rules of a damaged image; `ROBOTS_E_MEMORY`, also if the patterns exceed
/// 64 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rule_list_new(
    rules: *const robots_rules,
    out: *mut *mut robots_rule_list,
) -> robots_status {
    exported!(handle_into(out, || {
        rules_of!(rules)?.effective_rules().map(robots_rule_list)
    }))
}

/// Returns one of the rules.
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the rule.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
/// Owner: the pattern belongs to the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rule_list_get(
    list: *const robots_rule_list,
    index: usize,
    out: *mut robots_rule,
) -> robots_status {
    exported!(struct_into(out, || {
        let rule = borrowed!(list)?.0.get(index).ok_or(Stop(ROBOTS_END))?;
        Ok(robots_rule {
            size: 0,
            pattern: robots_str::new(rule.pattern()),
            line: rule.line(),
            allow: rule.allow().into(),
        })
    }))
}

/// Frees a list and everything borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rule_list_free(list: *mut robots_rule_list) {
    exported!(free(list))
}
