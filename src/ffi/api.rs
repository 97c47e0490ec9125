//! The enums of the C API. Only the generators of headers and bindings use them.

use super::{cache, crawler, fetch, lint, status};
pub use crate::base::codes::{Enum, OptionRow, Unit, Value};
use crate::crawler::options::OutcomeKind;
pub use crate::crawler::options::{FETCH_OPTIONS, LINT_OPTIONS, READ_OPTIONS, ReadOption};
use crate::owner::difference::DifferenceResult;
use crate::owner::explain::MatchResult;
use crate::owner::lint::{LineKind, Severity};

use crate::base::dialect::Dialect;
use crate::base::verdict::Reason;
use crate::bytes::date::Zone;
use crate::core::rules::batch::BatchVerdict;
use crate::crawler::preset::Purpose;
use crate::page::ExtensionField;
use crate::page::controls::{Control, PageSource};
use crate::page::usage::{Use, UseSource};
use crate::site::fetch::{Cause, Failure};

/// All enums, in the order of the headers.
pub const ENUMS: [&Enum; 24] = [
    &status::robots_status_code,
    &crawler::OPTIONS,
    &Dialect::C,
    &Reason::C,
    &BatchVerdict::C,
    &fetch::OPTIONS,
    &fetch::robots_step,
    &Failure::C,
    &OutcomeKind::C,
    &Cause::C,
    &cache::robots_cache_action,
    &cache::robots_cache_option,
    &ExtensionField::C,
    &Control::C,
    &PageSource::C,
    &Zone::C,
    &Purpose::C,
    &Use::C,
    &UseSource::C,
    &MatchResult::C,
    &Severity::C,
    &lint::robots_lint_fix,
    &LineKind::C,
    &DifferenceResult::C,
];

/// Returns the crawler options that are not fetch options.
pub fn crawler_options() -> impl Iterator<Item = &'static OptionRow> {
    READ_OPTIONS.iter().chain(LINT_OPTIONS)
}
