//! The options of the fetch policy.

use crate::crawler::options::FetchOption;

constants! {
    robots_fetch_option("ROBOTS_OPT_"): u32, "Options of a crawler or a fetch: `robots_crawler_set`, `robots_fetch_set`.";
    /// How many redirects in a row are followed; 0 to 20; default: 5; koster1996: 20.
    ROBOTS_OPT_MAX_REDIRECTS = FetchOption::MaxRedirects,
    /// The outcome of 401 and 403: `ROBOTS_OUTCOME_ALLOW_ALL`, `_DISALLOW_ALL`, `_DEFER` or `_UNREACHABLE`; with the
    /// last two they count as unreachable; default: allow all; koster1996: disallow all.
    ROBOTS_OPT_ON_FORBIDDEN = FetchOption::OnForbidden,
    /// The outcome of 429, as above; with allow all it counts like 404; default: unreachable; koster1996: defer.
    ROBOTS_OPT_ON_TOO_MANY_REQUESTS = FetchOption::OnTooManyRequests,
    /// The outcome of 500 to 599, as above; with allow all they count like 404; default: unreachable; koster1996:
    /// defer.
    ROBOTS_OPT_ON_SERVER_ERROR = FetchOption::OnServerError,
    /// The outcome of every other failure, as above; default: unreachable; koster1996: defer.
    ROBOTS_OPT_ON_UNREACHABLE = FetchOption::OnUnreachable,
    /// 1 to treat 500 to 599 like 404, for a site that is known to send them for missing pages; default: 0.
    ROBOTS_OPT_SERVER_ERROR_IS_MISSING = FetchOption::ServerErrorIsMissing,
    /// The freshness lifetime in seconds if the headers give none; 1 to 315360000 (ten years); default: 86400;
    /// koster1996: 604800.
    ROBOTS_OPT_DEFAULT_TTL = FetchOption::DefaultTTL,
    /// The shortest freshness lifetime and the shortest wait in seconds, whatever the headers and `Retry-After` give; 0
    /// to 315360000; default: 300.
    ROBOTS_OPT_MIN_TTL = FetchOption::MinTTL,
    /// The longest freshness lifetime in seconds, whatever the headers give; it overrides
    /// `ROBOTS_OPT_MIN_TTL`; 1 to 315360000; default: 86400; google and koster1996: 2592000.
    ROBOTS_OPT_MAX_TTL = FetchOption::MaxTTL,
    /// The wait in seconds after a first failure; later waits are as long as the outage so far, up to a day and up to
    /// `ROBOTS_OPT_DEFAULT_TTL`; a `Retry-After` makes them longer, never shorter; 1 to 315360000; default: 600.
    ROBOTS_OPT_FAILURE_TTL = FetchOption::FailureTTL,
    /// The longest wait in seconds that a `Retry-After` can set; `ROBOTS_OPT_MIN_TTL` overrides it; 0 to 315360000;
    /// default: 86400.
    ROBOTS_OPT_MAX_RETRY_AFTER = FetchOption::MaxRetryAfter,
    /// After how many seconds an unreachable site without a copy is allowed as a whole; 0 to 315360000; default:
    /// 2592000 (30 days); koster1996: 4294967295, which is never.
    ROBOTS_OPT_UNREACHABLE_TTL = FetchOption::UnreachableTTL,
    /// 1 to keep using a copy of up to 24 hours when the file is missing, 0 to allow the site at once; default: 0.
    ROBOTS_OPT_MISSING_KEEPS_COPY = FetchOption::MissingKeepsCopy,
    /// The longest lifetime in seconds of an outcome without a file; 1 to 315360000; default: 21600 (6 hours).
    ROBOTS_OPT_MISSING_TTL = FetchOption::MissingTTL,
    /// The outcome of a redirect that leads nowhere, as above, for a site without a copy (SPEC 2.3, 2.15): no usable
    /// target, a loop, too many redirects, or a refused one; default: allow all; koster1996: defer for a loop and too
    /// many.
    ROBOTS_OPT_ON_BAD_REDIRECT = FetchOption::OnBadRedirect,
    /// 0 to refuse a redirect to a literal address that is not global (such as 127.0.0.1) or to `localhost`, unless the
    /// host of the first URL is one itself; 1 to follow it. The caller refuses host names that resolve to such an
    /// address; default: 0.
    ROBOTS_OPT_NON_GLOBAL_REDIRECTS = FetchOption::NonGlobalRedirects,
    /// 1 to fetch nothing while the site is unreachable, also with a copy, which waits for the end of the outage or for
    /// `ROBOTS_OPT_UNREACHABLE_TTL`; 0 to keep using the copy (SPEC 2.11); default: 0.
    ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY = FetchOption::UnreachableOverridesCopy,
}
