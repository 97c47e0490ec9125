//! The enums of the C API. Only the generators of headers and bindings use them.

use super::{cache, crawler, fetch, lint, status};
pub use crate::base::codes::{Enum, OptionRow, Unit, Value};
use crate::crawler::options::OutcomeKind;
pub use crate::crawler::options::{FETCH_OPTIONS, LINT_OPTIONS, READ_OPTIONS, ReadOption};
use crate::owner::explain::MatchResult;
use crate::owner::lint::{LineKind, Severity};

use crate::base::dialect::Dialect;
use crate::base::verdict::Reason;
use crate::bytes::date::Zone;
use crate::core::rules::batch::BatchVerdict;
use crate::page::controls::{Control, PageSource};
use crate::page::{Choice, ExtensionField, Vocabulary};
use crate::site::fetch::{Cause, Failure};

/// All enums, in the order of the headers.
pub const ENUMS: [&Enum; 22] = [
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
    &Vocabulary::C,
    &Choice::C,
    &Control::C,
    &PageSource::C,
    &Zone::C,
    &MatchResult::C,
    &Severity::C,
    &lint::robots_lint_fix,
    &LineKind::C,
];

/// Returns the options of a crawler that a fetch does not have.
pub fn crawler_options() -> impl Iterator<Item = &'static OptionRow> {
    READ_OPTIONS.iter().chain(LINT_OPTIONS)
}

/// Returns the defaults of an option in words: the one of rfc9309, then the dialects that differ. An example is
/// `5; koster1996: 20`.
pub fn defaults(
    row: &OptionRow,
    dialect: impl Fn(Dialect) -> String,
    value: impl Fn(u64) -> String,
) -> String {
    let [first, google, koster] = row.default;
    let mut text = value(first);
    let mut add = |names: String, other| {
        if other != first {
            text += &format!("; {names}: {}", value(other));
        }
    };
    match google == koster {
        true => {
            let names = [Dialect::Google, Dialect::Koster1996].map(&dialect);
            add(names.join(" and "), google);
        }
        false => {
            add(dialect(Dialect::Google), google);
            add(dialect(Dialect::Koster1996), koster);
        }
    }
    text
}
