//! `robots_rule_list`: the rules that can decide, as a list.

use super::convert::*;
use super::rules::{robots_rules, rules_of};
use crate::core::rules::effective::EffectiveRules;

/// The rules of a robots.txt that can decide, for callers that show them or give them to code of their own. Immutable.
/// Not a way to a verdict: `robots_rules_check` is.
///
/// Owner: created by `robots_rule_list_new`, freed by `robots_rule_list_free`.
/// Threads: any number of threads may use it at once.
/// Allocates: the function that creates it. No function aborts when out of memory.
pub struct robots_rule_list(EffectiveRules);

/// One rule that can decide. Set `size` to `sizeof(robots_rule)` before each call.
#[repr(C)]
pub struct robots_rule {
    /// `sizeof(robots_rule)`; later versions add fields at the end only.
    pub size: usize,
    /// The path in canonical form (SPEC 8.6), as it is compared: `*` is the wildcard and a final `$` the end of the URL, but
    /// not in koster1996. Any bytes. A pattern with more `*` than it needs is an equivalent one of the same length.
    pub pattern: robots_str,
    /// The number of the line, from 1; 0 for a site-wide rule that no line states.
    pub line: u32,
    /// 1 if the rule allows, 0 if it disallows.
    pub allow: u32,
}

/// Creates the list of the rules that can decide. Left out are rules that never decide: equal to an earlier one, without
/// a path, or with a path that matches no URL (SPEC 8.5). In google a rule for `/index.htm` is followed by its directory
/// (SPEC 8.10). Rules that disallow the whole site are one rule, `/`.
///
/// Parameters: `rules`. `out`: receives the list, which stays valid without `rules`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_IMAGE` for rules of a damaged image; `ROBOTS_E_MEMORY`, also for
/// patterns of more than 64 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rule_list_new(
    rules: *const robots_rules,
    out: *mut *mut robots_rule_list,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            rules_of(rules)?.effective_rules().map(robots_rule_list)
        })
    }
}

/// Returns one of the rules.
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the rule; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
/// Owner: the pattern belongs to the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rule_list_get(
    list: *const robots_rule_list,
    index: usize,
    out: *mut robots_rule,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let rule = borrowed(list)?.0.get(index).ok_or(Stop::End)?;
            Ok(robots_rule {
                size: 0,
                pattern: robots_str::new(rule.pattern()),
                line: rule.line(),
                allow: rule.allow().into(),
            })
        })
    }
}

/// Frees a list and everything borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rule_list_free(list: *mut robots_rule_list) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { free(list) }
}
