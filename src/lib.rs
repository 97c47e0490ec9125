//! The robots.txt engine for crawlers.
//!
//! Create one [`Crawler`], parse each robots.txt with it into [`Rules`], then check each URL: each check returns a
//! [`Verdict`]. There are three [`Dialect`]s: RFC 9309 (the default), Google's matcher, and Koster's draft of 1996.
//! The library does no I/O except to save and load a cache, reads no clock, starts no thread and writes no log. No robots.txt,
//! URL or image (compiled rules as bytes) can make a call panic, hang or read out of bounds.
//!
//! # Rules
//!
//! ```
//! let crawler = robots::Crawler::new("ExampleBot")?;
//! let rules = crawler.parse("User-agent: *\nAllow: /private/open\nDisallow: /private/\n");
//! assert!(rules.is_allowed("https://example.com/private/open/page"));
//! let verdict = rules.check("https://example.com/private/page");
//! assert!(!verdict.allowed());
//! assert_eq!(verdict.line(), 3);
//! # Ok::<(), robots::Error>(())
//! ```
//!
//! [`Rules`] are immutable and cheap to clone, and any number of threads may share them. A check takes no lock, and allocates
//! nothing if the URL and its canonical form have at most 16 KiB each ([SPEC 8.12](spec#8.12)).
//!
//! [`Crawler::check_once`] checks one URL without compiling the file. [`Rules::check_batch`] checks many URLs.
//! [`Rules::image`] returns the image, which a program can store, map into memory and check URLs with.
//!
//! # Fetch
//!
//! A [`Fetch`] is one retrieval of a robots.txt. The caller sends the requests and reports each result. The [`Outcome`] holds
//! the rules, or the meaning of a failure ([SPEC 2](spec#2-what-a-fetch-result-means)). The outcome also says how long it is
//! valid.
//!
//! ```
//! use robots::{Crawler, Fetch, Step};
//!
//! let (crawlers, now) = ([Crawler::new("ExampleBot")?], 1_800_000_000);
//! let mut fetch = Fetch::new(&crawlers, "https://example.com/page", now)?;
//! assert_eq!((fetch.step(), fetch.url()), (Step::Get, "https://example.com/robots.txt"));
//! fetch.status(503, now)?;
//! fetch.headers_end()?;
//! let outcome = fetch.outcome().ok_or(robots::Error::InvalidState)?;
//! // An outage is no ban: keep the URL, and try again at `outcome.retry_at`.
//! assert_eq!(outcome.check(0, "https://example.com/page", now).reason(), robots::Reason::Unreachable);
//! # Ok::<(), robots::Error>(())
//! ```
//!
//! # Cache
//!
//! A [`Cache`] keeps the outcomes of many sites for many threads, within a memory limit. For a URL the cache returns a verdict.
//! If the cache has no verdict, one caller gets a ticket, and fetches the robots.txt of the site. The page of [`Cache`] has an
//! example.
//!
//! # URLs
//!
//! [`url_to_send`] returns the form of a URL that every HTTP client sends unchanged: check that form, and send it. Clients may
//! change any other URL, each in its own way. The results are the *readings* of the URL, and the URL is allowed only if each
//! reading is allowed ([SPEC 8.11](spec#8.11)).
//!
//! # Use of pages
//!
//! [`Extensions`] are the lines of a robots.txt that do not affect a verdict. [`PageControls`] are the statements in the
//! headers and elements of a page. [`Uses`] combines the lines and the statements, and returns whether a page may be used for a
//! purpose, such as search or training. The answer includes each statement about this purpose ([SPEC
//! 13](spec#13-what-a-page-may-be-used-for)).
//!
//! # For owners of sites
//!
//! [`explain`] returns which line decides and why other lines do not. [`lint`] reports mistakes in a file, with fixes.
//! [`format`](format()) rewrites a file without changing a verdict, and [`add_recipes`] adds rules to it.
//!
//! # Citations
//!
//! Comments cite the rows of the specification that a function implements, for example SPEC 8.6e: see [`spec`].

#[macro_use]
mod base;
mod bytes;
mod core;
mod crawler;
#[allow(unsafe_code, reason = "the C API passes pointers")]
mod ffi;
mod owner;
mod page;
mod site;
#[doc = include_str!("spec.md")]
pub mod spec {}
mod url;

pub use crate::url::origin::Origin;
pub use crate::url::send::url_to_send;
pub use base::dialect::Dialect;
pub use base::error::Error;
pub use base::limits;
pub use base::verdict::{Reason, Verdict};
pub use bytes::date::Zone;
#[doc(hidden)]
pub use bytes::near_word::near_word;
#[doc(hidden)]
pub use core::parse::file_kind::FileKind;
pub use core::rules::check_image_counted;
pub use core::rules::effective::{EffectiveRule, EffectiveRules};
pub use core::rules::{Rules, RulesInfo, batch::BatchVerdict};
pub use crawler::Crawler;
pub use crawler::operator::operator_tokens;
pub use crawler::options::{FetchOption, OutcomeKind};
pub use crawler::preset::{Preset, Purpose};
#[doc(hidden)]
pub use ffi::api;
pub use owner::captures::{
    Capture, CaptureCounts, Captured, Captures, Chosen, Ending, InMemory, Shelf, When, parse_date,
};
pub use owner::difference::{Difference, DifferenceResult, DifferentPath};
pub use owner::explain::{Explanation, MatchResult, Matched, Other, Quote, explain};
pub use owner::format::{Formatted, Unformatted, format};
pub use owner::lint::{
    BodyDoubt, Code, Diagnostic, Fix, Fixed, LineKind, LineMeaning, Report, Severity, Style, lint,
    lint_site, outline,
};
#[doc(hidden)]
pub use owner::names::{NameAdvice, name_advice};
pub use owner::probes::probe_urls;
pub use owner::recipes::{AddedRecipes, Recipe, RecipeFault, add_recipes, recipes};
#[doc(hidden)]
pub use owner::verdict_advice::verdict_advice;
#[doc(hidden)]
pub use page::controls::near_page_rule;
pub use page::controls::{Control, PageControls, PageRule, PageSource};
pub use page::usage::{Use, UseAnswer, UseSignal, UseSource, Uses};
pub use page::{
    Extension, ExtensionField, Extensions, Hours, RequestRate, is_policy_token, policy_tokens,
};
pub use site::cache::{self, Cache};
pub use site::fetch::{Cause, Failure, Fetch, Outcome, OutcomeParts, Step};
