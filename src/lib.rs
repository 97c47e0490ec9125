//! The robots.txt engine for crawlers.
//!
//! A [`Crawler`] says once who it is; it compiles the bytes of a robots.txt to [`Rules`]; they
//! answer about URLs with a [`Verdict`], from any number of threads, without allocating. Three
//! [`Dialect`]s: RFC 9309 (the default), Google's matcher bit for bit, and Koster's draft of 1996.
//!
//! ```
//! let crawler = robots::Crawler::new("ExampleBot")?;
//! let rules = crawler.parse("User-agent: *\nAllow: /private/open\nDisallow: /private/\n");
//! assert!(rules.is_allowed("https://example.com/private/open/page"));
//! assert!(!rules.is_allowed("https://example.com/private/page"));
//! # Ok::<(), robots::Error>(())
//! ```
//!
//! There is no I/O here, no clock, no thread, no global state and no logging. Nothing in a
//! robots.txt, an image or a URL can make a call panic, hang or read outside its input.
//!
//! Comments cite the rules that a function implements by their number, for example SPEC 8.6e: see [`spec`].
//!
//! How data flows, each module using only those before it: `limits`, [`Error`], `block`, `memory`, `dialect`,
//! `scan` (bytes looked at 16 at a time); `line` (body to lines); `directive` (line to field and value);
//! `agent`, `crawler`, `group` (which lines count); `url`, `path` (the one canonicaliser); `pattern` (a
//! rule taken apart); `image` (the compiled form); `matcher` (image and path to winner); `rules` (the
//! front door, and the hot path: `decide_raw`); `batch`. For people, and cold: `inspect` and `index`
//! (where each line stands), `alone` (one rule asked), `explain` (why), `extensions` (lines that decide
//! nothing), `lint` (a file's faults), `format` (a file as it should be written). For what surrounds the
//! file: `origin` (URL to site), `policy` and `preset` (choices, set up front), `fetch` (one retrieval,
//! told what happened, to its outcome), [`cache`] (outcomes of many sites, for many threads). At last
//! `ffi` (the C API).

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
pub use analysis::format::{Formatted, Unformatted, format};
pub use analysis::lint::{
    Code, Diagnostic, LineKind, LineMeaning, MAX_PER_CODE, Report, Severity, Style, lint,
};
pub use cache::Cache;
pub use crawler::Crawler;
pub use crawler::options::{FetchOption, OutcomeKind};
pub use dialect::Dialect;
pub use error::Error;
pub use extensions::{
    Choice, Extension, ExtensionField, Extensions, Hours, Preference, Preferences, RequestRate,
    Vocabulary,
};
pub use fetch::{Cause, Failure, Fetch, Outcome, Step};
pub use rules::Rules;
pub use rules::batch::{BatchVerdict, Offset};
pub use rules::info::RulesInfo;
pub use verdict::{Reason, Verdict};
