//! `robots_difference`: the difference of two sets of rules.

use super::convert::*;
use super::rules::{robots_rules, rules_at, rules_of};
use crate::owner::difference::{Difference, DifferenceResult};

/// The difference of two sets of rules (SPEC 12). Immutable.
///
/// Owner: created by `robots_rules_difference`, freed by `robots_difference_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the function that creates it. No function aborts when out of memory.
pub struct robots_difference(Difference);

/// One path on which the rules disagree.
#[repr(C)]
pub struct robots_different_path {
    /// `sizeof(robots_different_path)`.
    pub size: usize,
    /// Path and query, in ASCII: a URL for `robots_rules_check`.
    pub path: robots_str,
    /// Verdict of the rules on the path.
    pub verdict: robots_verdict,
    /// Verdict of the other rules. Exactly one of the two verdicts allows the path.
    pub other_verdict: robots_verdict,
}

/// Finds a shortest path that one set of rules allows and the other does not, or proves that no path differs (SPEC 12).
/// The two sets may differ in file, crawler and dialect. Every client sends the path unchanged (SPEC 12.1).
///
/// Parameters: `rules`, `other`: may be the same handle. `out`: receives the difference, which stays valid without the rules.
/// Returns: `ROBOTS_OK`, also if the difference is not decided (SPEC 12.3); `ROBOTS_E_IMAGE` for rules of a damaged
/// image.
/// Allocates: the paths, and work space of at most about 64 MB that is freed. The search takes at most about a second. For
/// half of all real files it takes at most 0.1 ms, and for 99 % at most 20 ms.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_difference(
    rules: *const robots_rules,
    other: *const robots_rules,
    out: *mut *mut robots_difference,
) -> robots_status {
    exported!(handle_into(out, || {
        let (rules, other) = (rules_of!(rules)?, rules_of!(other)?);
        rules.difference(&other).map(robots_difference)
    }))
}

/// Returns whether there is a difference.
///
/// Returns: one of `enum robots_difference_code`; `ROBOTS_DIFFERENCE_NOT_DECIDED` for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_difference_result(difference: *const robots_difference) -> u32 {
    exported!(value_or(DifferenceResult::NotDecided as u32, || {
        Ok(borrowed!(difference)?.0.result() as u32)
    }))
}

/// Returns one of the paths on which the rules disagree. The first path is a shortest one. Each further path has a deciding
/// rule that decides no path before it.
///
/// Parameters: `index`: from 0. `out`: receives the path.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element, or for every index if the result is not
/// `ROBOTS_DIFFERENCE_FOUND`.
/// Owner: the path belongs to the difference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_difference_path(
    difference: *const robots_difference,
    index: usize,
    out: *mut robots_different_path,
) -> robots_status {
    exported!(struct_into(out, || {
        let mut paths = borrowed!(difference)?.0.paths();
        let path = paths.nth(index).ok_or(Stop(ROBOTS_END))?;
        let [verdict, other_verdict] = path.verdicts().map(robots_verdict::from);
        Ok(robots_different_path {
            size: 0,
            path: robots_str::new(path.path()),
            verdict,
            other_verdict,
        })
    }))
}

/// Frees a difference and everything borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_difference_free(difference: *mut robots_difference) {
    exported!(free(difference))
}
