//! The enums of the C API, for the generators of headers and bindings alone.

pub use super::constants::{Enum, Value};
use super::{
    cache, crawler, explain, extensions, fetch, fetch_options, lint, outcome, page_controls, rules,
    status, verdict,
};

/// Every enum, in the order of the headers.
pub const ENUMS: [&Enum; 22] = [
    &status::robots_status_code,
    &crawler::robots_option,
    &crawler::robots_dialect,
    &verdict::robots_reason,
    &rules::robots_batch_result,
    &fetch_options::robots_fetch_option,
    &fetch::robots_step,
    &fetch::robots_failure,
    &outcome::robots_outcome_kind,
    &outcome::robots_cause,
    &cache::robots_cache_action,
    &cache::robots_cache_option,
    &extensions::robots_extension_field,
    &extensions::robots_vocabulary,
    &extensions::robots_choice,
    &page_controls::robots_control,
    &page_controls::robots_page_source,
    &page_controls::robots_zone,
    &explain::robots_match_result,
    &lint::robots_lint_severity,
    &lint::robots_lint_fix,
    &lint::robots_line_kind,
];
