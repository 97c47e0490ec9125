//! The robots.txt engine for crawlers.
//!
//! Create one [`Crawler`], parse each robots.txt with it to [`Rules`], then check each URL: the result is a
//! [`Verdict`]. Checks allocate nothing for paths of up to 16 KiB, and run on any number of threads. There are three [`Dialect`]s: RFC 9309
//! (the default), Google's matcher bit for bit, and Koster's draft of 1996.
//!
//! ```
//! let crawler = robots::Crawler::new("ExampleBot")?;
//! let rules = crawler.parse("User-agent: *\nAllow: /private/open\nDisallow: /private/\n");
//! assert!(rules.is_allowed("https://example.com/private/open/page"));
//! assert!(!rules.is_allowed("https://example.com/private/page"));
//! # Ok::<(), robots::Error>(())
//! ```
//!
//! The library does no I/O, reads no clock, starts no thread, keeps no global state and writes no log. No
//! robots.txt, image or URL can make a call panic, hang or read outside its input.
//!
//! Comments cite the rules that a function implements by their number, for example SPEC 8.6e: see [`spec`].
//!
//! # Source folders
//!
//! The folders are stages. A folder imports only from those above it in this list (`tests/repository/layers.rs` checks it):
//!
//! | folder | contents |
//! |---|---|
//! | `error`, `limits`, `verdict`, `rule`, `dialect` | types and numbers that all stages use |
//! | `util` | vector search, shared bytes, allocations that may fail |
//! | `url` | path and query of a URL, canonical form, origin |
//! | `crawler` | product tokens, options, presets |
//! | `parser` | a body to lines, lines to directives, directives to the groups that a crawler obeys |
//! | `image` | rules to the compiled form, its checksum and its validation |
//! | `matcher` | an image and a URL to a verdict |
//! | `rules` | parse and check: [`Rules`], batches, one rule alone |
//! | `extensions` | records that decide nothing: [`Extensions`], [`Preferences`]; the controls of a response: [`PageControls`] |
//! | `fetch` | one retrieval of a robots.txt to its [`Outcome`] |
//! | [`cache`] | outcomes of many sites, for many threads |
//! | `analysis` | [`explain`], [`lint`], [`format`](format()) |
//! | `ffi` | the C API |

mod analysis;
pub mod cache;
mod crawler;
mod dialect;
mod error;
mod extensions;
mod fetch;
#[allow(unsafe_code, reason = "the C API passes pointers")]
mod ffi;
mod image;
pub mod limits;
mod matcher;
mod parser;
mod rule;
mod rules;
#[doc = include_str!("spec.md")]
pub mod spec {}
mod url;
mod util;
mod verdict;

pub use crate::url::origin::Origin;
pub use analysis::explain::{Explanation, MatchResult, Matched, Other, Quote, explain};
pub use analysis::file_kind::FileKind;
pub use analysis::format::{Formatted, Unformatted, format};
pub use analysis::lint::{
    Code, Diagnostic, Fix, Fixed, LineKind, LineMeaning, MAX_PER_CODE, Report, Severity, Style,
    lint, lint_site,
};
pub use cache::Cache;
pub use crawler::Crawler;
pub use crawler::options::{FetchOption, OutcomeKind};
pub use crawler::preset::{Preset, Purpose};
pub use dialect::Dialect;
pub use error::Error;
pub use extensions::page_controls::{Control, PageControls, PageRule, PageSource, Zone};
pub use extensions::{
    Choice, Extension, ExtensionField, Extensions, Hours, Preference, Preferences, RequestRate,
    Vocabulary, is_policy_token, policy_tokens,
};
pub use fetch::{Cause, Failure, Fetch, Outcome, Step};
#[doc(hidden)]
pub use ffi::api;
pub use rules::Rules;
pub use rules::batch::{BatchVerdict, Offset};
#[doc(hidden)]
pub use rules::check_image_counted;
pub use rules::effective::{EffectiveRule, EffectiveRules};
pub use rules::info::RulesInfo;
pub use verdict::{Reason, Verdict};
