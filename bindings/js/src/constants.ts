// Generated from tests/data/api.json by constants.mjs: do not edit. The numbers are those of the C API; they never change.

/** The numbers of a `robots_status`. They are never renumbered. The words by their numbers in the C API. */
export const ErrorCodes = {
    /** Success. */
    0: "ok",
    /** A pointer that is NULL or not aligned, a `size` that is too small, an unknown option, or a number out of its range. */
    1: "argument",
    /** Not a product token (SPEC 7.6). */
    2: "token",
    /** Not a URL that can be checked (SPEC 8.5b), or for an outcome a URL of another site. */
    3: "url",
    /** Out of memory, or over the limit of a cache. */
    4: "memory",
    /** A defect of the library. The library stays usable; please report it. */
    5: "panic",
    /** A damaged image or record. */
    6: "image",
    /** An image or record of another format version, byte order or crawler. */
    7: "image_format",
    /** A URL with a scheme other than http, https and ftp (SPEC 1.6). */
    8: "scheme",
    /** Too early or too late: an event at the wrong step of a fetch, a setting of a cache in use, a finished ticket. */
    9: "state",
    /** No error: the list has no element with this index. Lists are read from index 0 until this status. */
    64: "end",
    /** The buffer is too small; `*len` is the length that is needed. */
    65: "space",
} as const;
/** One of the words of {@link ErrorCodes}. */
export type ErrorCode = (typeof ErrorCodes)[keyof typeof ErrorCodes];

/** Options of a crawler: `robots_crawler_set`. The words by their numbers in the C API. */
export const CrawlerOptions = {
    /** The dialect, one of `enum robots_dialect`; default: `ROBOTS_DIALECT_RFC9309`. */
    1: "dialect",
    /** How many bytes of a robots.txt are read, 512000 to 1073741824; default: 512000. */
    2: "maxBytes",
    /** 1 to ignore `*` groups; default: 0. */
    3: "ignoreStar",
    /** 1 to apply the groups of all product tokens together, as Google's matcher does; 0 to apply those of the first token that the file names; default: 0. */
    4: "mergeTokens",
    /** 1 if a crawl-delay line ends a run of user-agent lines; default: 0. */
    5: "crawlDelayEndsAgents",
} as const;
/** One of the words of {@link CrawlerOptions}. */
export type CrawlerOption = (typeof CrawlerOptions)[keyof typeof CrawlerOptions];

/** Values of `ROBOTS_OPT_DIALECT`. The words by their numbers in the C API. */
export const Dialects = {
    /** RFC 9309. */
    0: "rfc9309",
    /** The results of Google's open-source matcher. */
    1: "google",
    /** Koster's draft of 1996. */
    2: "koster1996",
} as const;
/** One of the words of {@link Dialects}. */
export type Dialect = (typeof Dialects)[keyof typeof Dialects];

/** Why a URL is allowed or not: `ROBOTS_VERDICT_REASON`. The words by their numbers in the C API. */
export const Reasons = {
    /** No decision, because of an error. */
    0: "none",
    /** An allow rule decided. */
    1: "rule_allowed",
    /** A disallow rule decided. */
    2: "rule_disallowed",
    /** A group applies to the crawler, but none of its rules matches. */
    3: "no_rule",
    /** No group applies to the crawler. */
    4: "no_group",
    /** The URL is the robots.txt itself. */
    5: "robots_txt",
    /** The whole site is allowed; there is no file. */
    6: "allow_all",
    /** The whole site is disallowed. */
    7: "disallow_all",
    /** Nothing of the site may be fetched now; keep the URL and check it again later. */
    8: "defer",
    /** The robots.txt cannot be reached. This is no ban: keep the URL and check it again later. */
    9: "unreachable",
} as const;
/** One of the words of {@link Reasons}. */
export type Reason = (typeof Reasons)[keyof typeof Reasons];

/** Options of a crawler or a fetch: `robots_crawler_set`, `robots_fetch_set`. The words by their numbers in the C API. */
export const FetchOptions = {
    /** How many redirects in a row are followed; 0 to 20; default: 5; koster1996: 20. */
    16: "maxRedirects",
    /** The outcome of 401 and 403: `ROBOTS_OUTCOME_ALLOW_ALL`, `_DISALLOW_ALL`, `_DEFER` or `_UNREACHABLE`; with the last two they count as unreachable; default: allow all; koster1996: disallow all. */
    17: "onForbidden",
    /** The outcome of 429, as above; with allow all it counts like 404; default: unreachable; koster1996: defer. */
    18: "onTooManyRequests",
    /** The outcome of 500 to 599, as above; with allow all they count like 404; default: unreachable; koster1996: defer. */
    19: "onServerError",
    /** The outcome of every other failure, as above; default: unreachable; koster1996: defer. */
    20: "onUnreachable",
    /** 1 to treat 500 to 599 like 404, for a site that is known to send them for missing pages; default: 0. */
    21: "serverErrorIsMissing",
    /** The freshness lifetime in seconds if the headers give none; 1 to 315360000 (ten years); default: 86400; koster1996: 604800. */
    22: "defaultTtl",
    /** The shortest freshness lifetime and the shortest wait in seconds, whatever the headers and `Retry-After` give; 0 to 315360000; default: 300. */
    23: "minTtl",
    /** The longest freshness lifetime in seconds, whatever the headers give; it overrides `ROBOTS_OPT_MIN_TTL`; 1 to 315360000; default: 86400; google and koster1996: 2592000. */
    24: "maxTtl",
    /** The wait in seconds after a first failure; later waits are as long as the outage so far, up to a day and up to `ROBOTS_OPT_DEFAULT_TTL`; a `Retry-After` makes them longer, never shorter; 1 to 315360000; default: 600. */
    25: "failureTtl",
    /** The longest wait in seconds that a `Retry-After` can set; `ROBOTS_OPT_MIN_TTL` overrides it; 0 to 315360000; default: 86400. */
    26: "maxRetryAfter",
    /** After how many seconds an unreachable site without a copy is allowed as a whole; 0 to 315360000; default: 2592000 (30 days); koster1996: 4294967295, which is never. */
    27: "unreachableTtl",
    /** 1 to keep using a copy of up to 24 hours when the file is missing, 0 to allow the site at once; default: 0. */
    28: "missingKeepsCopy",
    /** The longest lifetime in seconds of an outcome without a file; 1 to 315360000; default: 21600 (6 hours). */
    29: "missingTtl",
    /** The outcome of a redirect that leads nowhere, as above, for a site without a copy (SPEC 2.3, 2.15): no usable target, a loop, too many redirects, or a refused one; default: allow all; koster1996: defer for a loop and too many. */
    30: "onBadRedirect",
    /** 0 to refuse a redirect to a literal address that is not global (such as 127.0.0.1) or to `localhost`, unless the host of the first URL is one itself; 1 to follow it. The caller refuses host names that resolve to such an address; default: 0. */
    31: "nonGlobalRedirects",
    /** 1 to fetch nothing while the site is unreachable, also with a copy, which waits for the end of the outage or for `ROBOTS_OPT_UNREACHABLE_TTL`; 0 to keep using the copy (SPEC 2.11); default: 0. */
    32: "unreachableOverridesCopy",
} as const;
/** One of the words of {@link FetchOptions}. */
export type FetchOption = (typeof FetchOptions)[keyof typeof FetchOptions];

/** What a fetch waits for: `robots_fetch_step`. The words by their numbers in the C API. */
export const Steps = {
    /** Send a GET for `robots_fetch_url` with the request headers, do not follow redirects, then call `robots_fetch_status`. */
    0: "get",
    /** Call `robots_fetch_header` for each header, then `robots_fetch_headers_end`. */
    1: "headers",
    /** Pass the decoded body to `robots_fetch_body`, in pieces of any size, then call `robots_fetch_end`. */
    2: "body",
    /** `robots_fetch_outcome` has the outcome; ignore the rest of the response. */
    3: "done",
} as const;
/** One of the words of {@link Steps}. */
export type Step = (typeof Steps)[keyof typeof Steps];

/** How a transfer ended: `robots_fetch_end`. The words by their numbers in the C API. */
export const Failures = {
    /** None; the transfer is complete. */
    0: "none",
    /** The host has no address. */
    1: "dns",
    /** No connection. */
    2: "connect",
    /** No secure connection. */
    3: "tls",
    /** A timeout. */
    4: "timeout",
    /** The connection was reset. */
    5: "reset",
    /** The body ended early or was invalid: chunks, length, compression. */
    6: "truncated",
    /** Any other. */
    7: "other",
    /** The client cannot undo the content coding of the body, such as one that it does not know. */
    8: "encoded_body",
} as const;
/** One of the words of {@link Failures}. */
export type Failure = (typeof Failures)[keyof typeof Failures];

/** What an outcome means for the site. Also values of the options `ROBOTS_OPT_ON_...`. The words by their numbers in the C API. */
export const OutcomeKinds = {
    /** There is a robots.txt; its rules decide. */
    0: "rules",
    /** The whole site is allowed. */
    1: "allow_all",
    /** The whole site is disallowed. */
    2: "disallow_all",
    /** Nothing of the site may be fetched now; keep its URLs and check them again later. */
    3: "defer",
    /** The robots.txt cannot be reached: fetch nothing of the site now, keep its URLs and check them again later. This is no ban. */
    4: "unreachable",
} as const;
/** One of the words of {@link OutcomeKinds}. */
export type OutcomeKind = (typeof OutcomeKinds)[keyof typeof OutcomeKinds];

/** Why an outcome is what it is. The words by their numbers in the C API. */
export const Causes = {
    /** There is a file. */
    1: "found",
    /** 304 Not Modified. */
    2: "not_modified",
    /** There is no file: 400 to 499, or a server error that counts like 404. */
    3: "missing",
    /** 401 or 403. */
    4: "forbidden",
    /** 429. */
    5: "too_many_requests",
    /** 500 to 599. */
    6: "server_error",
    /** A status below 200 or above 599, or a 304 to an unconditional request. */
    7: "odd_status",
    /** More redirects in a row than `ROBOTS_OPT_MAX_REDIRECTS`. */
    8: "too_many_redirects",
    /** A redirect back to an earlier URL; one to the current URL only counts as a redirect. */
    9: "redirect_loop",
    /** A redirect without a target, or to one that is not an http or https URL. */
    10: "bad_redirect",
    /** The host has no address. */
    11: "dns",
    /** No connection. */
    12: "connect",
    /** No secure connection. */
    13: "tls",
    /** A timeout. */
    14: "timeout",
    /** The connection was reset. */
    15: "reset",
    /** The body ended early or was invalid. */
    16: "truncated",
    /** Any other failure. */
    17: "other_failure",
    /** Unreachable for so long that the site counts as one without a file. */
    18: "unreachable_long",
    /** 206, a part of the file. */
    19: "partial_content",
    /** The body has fewer bytes than `Content-Length` states. */
    20: "short_body",
    /** The client did not undo the content coding of the body. */
    21: "encoded_body",
    /** A redirect that the client reported as the final status. */
    22: "redirect_not_followed",
    /** A redirect that `ROBOTS_OPT_NON_GLOBAL_REDIRECTS` refuses. */
    23: "non_global_redirect",
} as const;
/** One of the words of {@link Causes}. */
export type Cause = (typeof Causes)[keyof typeof Causes];

/** What the crawler does next: `robots_cache_check`. The words by their numbers in the C API. */
export const Actions = {
    /** Obey the verdict, which is final for this URL. If there is also a ticket, fetch the robots.txt again; the old outcome serves everybody until the new one is there, at most until 24 hours after its fetch (SPEC 3.8; koster1996: 7 days). */
    0: "decided",
    /** The cache has nothing for the site. Use the ticket: fetch the robots.txt, submit the outcome, check the URL again. */
    1: "fetch",
    /** Another thread fetches the robots.txt, or there is no room. Check the URL again soon, at `until` at the latest. */
    2: "wait",
    /** Nothing of the site may be fetched before `until`, nor its robots.txt (SPEC 2.7 to 2.10). Keep the URL; the reason of the verdict is `ROBOTS_REASON_UNREACHABLE` or `ROBOTS_REASON_DEFER`, or its status says what failed. */
    3: "defer",
} as const;
/** One of the words of {@link Actions}. */
export type Action = (typeof Actions)[keyof typeof Actions];

/** Options of a cache: `robots_cache_set`. The words by their numbers in the C API. */
export const CacheOptions = {
    /** How many seconds a ticket is valid, 1 to 86400; default: 120. Choose more than the longest retrieval with its redirects takes: after that another thread may fetch the same file. */
    1: "ticketTtl",
} as const;
/** One of the words of {@link CacheOptions}. */
export type CacheOption = (typeof CacheOptions)[keyof typeof CacheOptions];

/** Fields of extension lines. The words by their numbers in the C API. */
export const ExtensionFields = {
    /** `request-rate` (SPEC 9.3). */
    0: "request_rate",
    /** `visit-time` (SPEC 9.3). */
    1: "visit_time",
    /** `host` (SPEC 9.3). */
    2: "host",
    /** `clean-param` (SPEC 9.3). */
    3: "clean_param",
    /** `noindex` (SPEC 9.3). */
    4: "noindex",
    /** `content-signal` (SPEC 9.4). */
    5: "content_signal",
    /** `content-usage` (SPEC 9.5). */
    6: "content_usage",
    /** `license` of Really Simple Licensing (SPEC 9.7). */
    7: "license",
} as const;
/** One of the words of {@link ExtensionFields}. */
export type ExtensionField = (typeof ExtensionFields)[keyof typeof ExtensionFields];

/** Vocabularies of usage preferences. The words by their numbers in the C API. */
export const Vocabularies = {
    /** `content-usage`, line or header field (SPEC 9.5). */
    0: "content_usage",
    /** `content-signal` (SPEC 9.4). */
    1: "content_signal",
} as const;
/** One of the words of {@link Vocabularies}. */
export type Vocabulary = (typeof Vocabularies)[keyof typeof Vocabularies];

/** Usage preferences. The words by their numbers in the C API. */
export const Choices = {
    /** The use is not permitted. */
    0: "no",
    /** The use is permitted. */
    1: "yes",
    /** The label has another value, which states no preference. */
    2: "unknown",
} as const;
/** One of the words of {@link Choices}. */
export type Choice = (typeof Choices)[keyof typeof Choices];

/** Controls of a page: `robots_page_controls_get`. The words by their numbers in the C API. */
export const Controls = {
    /** 1: the page may be indexed; 0: `noindex`, `none`. */
    0: "index",
    /** 1: links of the page may be followed; 0: `nofollow`, `none`. */
    1: "follow",
    /** 1: a copy of the page may be shown; 0: `noarchive`, `nocache`. */
    2: "archive",
    /** 1: an excerpt of the page may be shown; 0: `nosnippet`, `max-snippet: 0`. */
    3: "snippet",
    /** 1: a translation of the page may be offered; 0: `notranslate`. */
    4: "translate",
    /** 1: images of the page may be indexed; 0: `noimageindex`. */
    5: "imageIndex",
    /** 1: the content may be indexed if it is embedded in another page; 0: `noindex` without `indexifembedded`. */
    6: "indexIfEmbedded",
    /** The length of the longest excerpt, in characters; -1: no limit. */
    7: "maxSnippet",
    /** The largest image preview: 0: none, 1: standard, 2: large, -1: not limited. */
    8: "maxImagePreview",
    /** The length of the longest video preview, in seconds; 0: a still image, -1: no limit. */
    9: "maxVideoPreview",
    /** The time after which the page is not to be shown, in seconds since 1970-01-01 UTC; -1: no such time. */
    10: "unavailableAfter",
} as const;
/** One of the words of {@link Controls}. */
export type Control = (typeof Controls)[keyof typeof Controls];

/** Where a rule of a page is. The words by their numbers in the C API. */
export const PageSources = {
    /** No rule decides. */
    0: "none",
    /** The header `X-Robots-Tag`. */
    1: "x_robots_tag",
    /** The header `Robots-Tag` of the draft. */
    2: "robots_tag",
    /** A `<meta>` element. */
    3: "meta",
} as const;
/** One of the words of {@link PageSources}. */
export type PageSource = (typeof PageSources)[keyof typeof PageSources];

/** Time zones of dates. The words by their numbers in the C API. */
export const Zones = {
    /** Known, or the rule has no date. */
    0: "known",
    /** The date names no zone; it is read as UTC. */
    1: "missing",
    /** The date names an unknown zone; it is read as UTC. */
    2: "unknown",
} as const;
/** One of the words of {@link Zones}. */
export type Zone = (typeof Zones)[keyof typeof Zones];

/** Why a rule that matches decides or does not. The words by their numbers in the C API. */
export const MatchResults = {
    /** The rule decides. */
    0: "won",
    /** A longer rule decides (SPEC 8.7). */
    1: "shorter",
    /** A rule of the same length that allows decides (SPEC 8.7). */
    2: "tie_lost_to_allow",
    /** An earlier rule of the same length and kind decides. */
    3: "later_equal",
    /** An earlier rule decides (SPEC 8.7, koster1996). */
    4: "after_first_match",
    /** A rule without a path has no effect (SPEC 8.8, google). */
    5: "empty",
} as const;
/** One of the words of {@link MatchResults}. */
export type MatchResult = (typeof MatchResults)[keyof typeof MatchResults];

/** Severities of diagnostics. The words by their numbers in the C API. */
export const Severities = {
    /** Nothing is wrong, but worth knowing. */
    1: "note",
    /** The effect may differ from what the author expects, or between crawlers. */
    2: "warning",
    /** The effect differs from what the author must have meant. */
    3: "error",
} as const;
/** One of the words of {@link Severities}. */
export type Severity = (typeof Severities)[keyof typeof Severities];

/** Whether an edit of the file removes a diagnostic. The words by their numbers in the C API. */
export const FixKinds = {
    /** None. */
    0: "none",
    /** An edit that may change verdicts. A person decides. */
    1: "unsafe",
    /** An edit that changes no verdict of any crawler with one token that reads the file in the dialect of the report; rfc9309 and google count as one dialect. */
    2: "safe",
} as const;
/** One of the words of {@link FixKinds}. */
export type FixKind = (typeof FixKinds)[keyof typeof FixKinds];

/** What a line of a robots.txt is. The words by their numbers in the C API. */
export const LineKinds = {
    /** Only white space. */
    0: "blank",
    /** Only a comment. */
    1: "comment",
    /** A user-agent. */
    2: "user_agent",
    /** An allow rule. */
    3: "allow",
    /** A disallow rule. */
    4: "disallow",
    /** A sitemap. */
    5: "sitemap",
    /** A crawl-delay. */
    6: "crawl_delay",
    /** A field that some crawlers use; it has no effect on a verdict. */
    7: "extension",
    /** An unknown field; the line is skipped. */
    8: "unknown",
    /** Neither field and value nor a comment; the line is skipped. */
    9: "not_understood",
} as const;
/** One of the words of {@link LineKinds}. */
export type LineKind = (typeof LineKinds)[keyof typeof LineKinds];
