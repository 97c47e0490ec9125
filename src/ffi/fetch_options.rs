//! The options of the fetch policy.

use crate::crawler::options::FetchOption;

/// Fetch option: how many redirects in a row are followed, 0 to 20; default: 5; koster1996: 20.
pub const ROBOTS_OPT_MAX_REDIRECTS: u32 = FetchOption::MaxRedirects as u32;
/// Fetch option: the outcome of 401 and 403: `ROBOTS_OUTCOME_ALLOW_ALL`, `_DISALLOW_ALL`, `_DEFER` or `_UNREACHABLE`; with
/// the last two they count as unreachable; default: allow all; koster1996: disallow all.
pub const ROBOTS_OPT_ON_FORBIDDEN: u32 = FetchOption::OnForbidden as u32;
/// Fetch option: the outcome of 429, as above; with allow all it counts like 404; default: unreachable; koster1996: defer.
pub const ROBOTS_OPT_ON_TOO_MANY_REQUESTS: u32 = FetchOption::OnTooManyRequests as u32;
/// Fetch option: the outcome of 500 to 599, as above; with allow all they count like 404; default: unreachable; koster1996:
/// defer.
pub const ROBOTS_OPT_ON_SERVER_ERROR: u32 = FetchOption::OnServerError as u32;
/// Fetch option: the outcome of every other failure, as above; default: unreachable; koster1996: defer.
pub const ROBOTS_OPT_ON_UNREACHABLE: u32 = FetchOption::OnUnreachable as u32;
/// Fetch option: 1 to treat 500 to 599 like 404, for a site that is known to send them for missing pages; default: 0.
pub const ROBOTS_OPT_SERVER_ERROR_IS_MISSING: u32 = FetchOption::ServerErrorIsMissing as u32;
/// Fetch option: the freshness lifetime in seconds if the headers give none, 1 to 315360000 (ten years); default: 86400;
/// koster1996: 604800.
pub const ROBOTS_OPT_DEFAULT_TTL: u32 = FetchOption::DefaultTTL as u32;
/// Fetch option: the shortest freshness lifetime and the shortest wait in seconds, whatever the headers and `Retry-After`
/// give, 0 to 315360000; default: 300.
pub const ROBOTS_OPT_MIN_TTL: u32 = FetchOption::MinTTL as u32;
/// Fetch option: the longest freshness lifetime in seconds, whatever the headers give, 1 to 315360000; it overrides
/// `ROBOTS_OPT_MIN_TTL`; default: 86400; google and koster1996: 2592000.
pub const ROBOTS_OPT_MAX_TTL: u32 = FetchOption::MaxTTL as u32;
/// Fetch option: the wait in seconds after a first failure, 1 to 315360000; later waits are as long as the outage so far, up
/// to a day and up to `ROBOTS_OPT_DEFAULT_TTL`; a `Retry-After` makes them longer, never shorter; default: 600.
pub const ROBOTS_OPT_FAILURE_TTL: u32 = FetchOption::FailureTTL as u32;
/// Fetch option: the longest wait in seconds that a `Retry-After` can set, 0 to 315360000; `ROBOTS_OPT_MIN_TTL` overrides it;
/// default: 86400.
pub const ROBOTS_OPT_MAX_RETRY_AFTER: u32 = FetchOption::MaxRetryAfter as u32;
/// Fetch option: after how many seconds an unreachable site without a copy is allowed as a whole, 0 to 315360000; default:
/// 2592000 (30 days); koster1996: 4294967295, which is never.
pub const ROBOTS_OPT_UNREACHABLE_TTL: u32 = FetchOption::UnreachableTTL as u32;
/// Fetch option: 1 to keep using a copy of up to 24 hours when the file is missing, 0 to allow the site at once; default: 0.
pub const ROBOTS_OPT_MISSING_KEEPS_COPY: u32 = FetchOption::MissingKeepsCopy as u32;
/// Fetch option: the longest lifetime in seconds of an outcome without a file, 1 to 315360000; default: 21600 (6 hours).
pub const ROBOTS_OPT_MISSING_TTL: u32 = FetchOption::MissingTTL as u32;
/// Fetch option: the outcome of a redirect that leads nowhere, as above, for a site without a copy (SPEC 2.3, 2.15): no usable
/// target, a loop, too many redirects, or a refused one; default: allow all; koster1996: defer for a loop and too many.
pub const ROBOTS_OPT_ON_BAD_REDIRECT: u32 = FetchOption::OnBadRedirect as u32;
/// Fetch option: 0 to refuse a redirect to a literal address that is not global (such as 127.0.0.1) or to `localhost`, unless
/// the host of the first URL is one itself; 1 to follow it; default: 0. The caller refuses host names that resolve to
/// such an address.
pub const ROBOTS_OPT_NON_GLOBAL_REDIRECTS: u32 = FetchOption::NonGlobalRedirects as u32;
/// Fetch option: 1 to fetch nothing while the site is unreachable, also with a copy, which waits for the end of the outage or
/// for `ROBOTS_OPT_UNREACHABLE_TTL`; 0 to keep using the copy (SPEC 2.11); default: 0.
pub const ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY: u32 = FetchOption::UnreachableOverridesCopy as u32;
