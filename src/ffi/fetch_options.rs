//! The options of the fetch policy.

use crate::codes::{Enum, values_of};
use crate::crawler::options::FETCH_OPTIONS;

/// Options for fetches.
pub(super) const OPTIONS: Enum = Enum {
    name: "robots_fetch_option",
    prefix: "ROBOTS_OPT_",
    about: "Options of a crawler or a fetch. Those named `ON_` take a value of `enum robots_outcome_kind` but its first.",
    module: module_path!(),
    values: &values_of::<{ FETCH_OPTIONS.len() }, 1>([FETCH_OPTIONS]),
};
