/*
 * librobots: what a robots.txt lets a crawler fetch.
 *
 * A crawler says once who it is (robots_crawler_new), compiles each robots.txt for itself
 * (robots_rules_parse) and asks about URLs (robots_rules_check), from any number of threads, without
 * allocation:
 *
 *     robots_crawler *crawler;
 *     robots_rules *rules;
 *     if (robots_crawler_new("ExampleBot", 10, &crawler) != ROBOTS_OK) ...
 *     if (robots_rules_parse(crawler, body, body_len, &rules) != ROBOTS_OK) ...
 *     if (ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, url, url_len))) ...
 *     robots_rules_free(rules);
 *     robots_crawler_free(crawler);
 *
 * What holds for all functions:
 * - Strings in are a pointer and a length, any octets; with length 0 the pointer is ignored. Strings out
 *   are borrowed (robots_str); there is nothing to free but handles. Freeing NULL does nothing.
 * - A fallible function returns a robots_status and sets its output to a safe value first. A verdict
 *   carries its status, and then allows nothing: misuse never permits a fetch.
 * - "const T *" may be used from many threads at once, "T *" from one.
 * - Numbers are never renumbered and never change their meaning; functions are only added.
 *
 * This file is generated: change the source and run `make header`.
 */

#ifndef LIBROBOTS_H
#define LIBROBOTS_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header; robots_version_number() gives that of the library. */
#define ROBOTS_VERSION_NUMBER 1000

/* The parts of a robots_verdict. */
#define ROBOTS_VERDICT_ALLOWED(v) ((int)((v) & 1u))
#define ROBOTS_VERDICT_REASON(v) ((uint32_t)(((v) >> 8) & 0xFFu))
#define ROBOTS_VERDICT_STATUS(v) ((robots_status)(((v) >> 16) & 0xFFFFu))
#define ROBOTS_VERDICT_LINE(v) ((uint32_t)((v) >> 32))


/**
 * Reason: there is no decision, because of an error.
 */
#define ROBOTS_REASON_NONE 0

/**
 * Reason: an allow rule won.
 */
#define ROBOTS_REASON_RULE_ALLOWED 1

/**
 * Reason: a disallow rule won.
 */
#define ROBOTS_REASON_RULE_DISALLOWED 2

/**
 * Reason: a group applies to the crawler, but none of its rules matches.
 */
#define ROBOTS_REASON_NO_RULE 3

/**
 * Reason: no group applies to the crawler.
 */
#define ROBOTS_REASON_NO_GROUP 4

/**
 * Reason: the URL is the robots.txt itself.
 */
#define ROBOTS_REASON_ROBOTS_TXT 5

/**
 * Reason: the whole site is allowed; there was no file to obey.
 */
#define ROBOTS_REASON_ALLOW_ALL 6

/**
 * Reason: the whole site is disallowed.
 */
#define ROBOTS_REASON_DISALLOW_ALL 7

/**
 * Reason: nothing of the site may be fetched now; keep the URL and ask again later.
 */
#define ROBOTS_REASON_DEFER 8

/**
 * Option: which reading of the protocol decides, one of `ROBOTS_DIALECT_...`; `ROBOTS_DIALECT_RFC9309`
 * until set.
 */
#define ROBOTS_OPT_DIALECT 1

/**
 * Option: how many octets of a robots.txt are read, 512000 to 1073741824; 512000 until set.
 */
#define ROBOTS_OPT_MAX_BYTES 2

/**
 * Option: 1 to ignore groups of `*`, 0 not to; 0 until set.
 */
#define ROBOTS_OPT_IGNORE_STAR 3

/**
 * Option: 1 to obey the groups of all product tokens together, as Google's matcher does, 0 to obey
 * those of the first token that is named; 0 until set.
 */
#define ROBOTS_OPT_MERGE_TOKENS 4

/**
 * Option: 1 to let a crawl-delay line end a run of user-agent lines, 0 not to; 0 until set.
 */
#define ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS 5

/**
 * Option: how many redirects in a row are followed, 0 to 20; 5 until set. What is not set of this and the options
 * that follow is as the dialect says, also after a later change of dialect.
 */
#define ROBOTS_OPT_MAX_REDIRECTS 16

/**
 * Option: what 401 and 403 mean for the site, `ROBOTS_OUTCOME_ALLOW_ALL`, `_DISALLOW_ALL` or `_DEFER`; until set allow
 * all, koster1996: disallow all. To defer makes them count as unreachable.
 */
#define ROBOTS_OPT_ON_FORBIDDEN 17

/**
 * Option: what 429 means, as above; until set disallow all, koster1996: defer. To allow all makes it count like 404.
 */
#define ROBOTS_OPT_ON_TOO_MANY_REQUESTS 18

/**
 * Option: what 500 to 599 mean, as above; until set disallow all, koster1996: defer. To allow all makes them count like
 * 404.
 */
#define ROBOTS_OPT_ON_SERVER_ERROR 19

/**
 * Option: what all other failures mean, as above; until set disallow all, koster1996: defer.
 */
#define ROBOTS_OPT_ON_UNREACHABLE 20

/**
 * Option: 1 to take 500 to 599 for 404, as of a site that is known to answer so for pages that do not exist, 0 not
 * to; 0 until set.
 */
#define ROBOTS_OPT_SERVER_ERROR_IS_MISSING 21

/**
 * Option: for how many seconds a robots.txt lives where its headers do not say, 1 to 315360000 (ten years); 86400 until
 * set, koster1996: 604800.
 */
#define ROBOTS_OPT_DEFAULT_TTL 22

/**
 * Option: the shortest life in seconds, whatever the headers say, and the shortest wait, whatever `Retry-After` says, 0
 * to 315360000; 300 until set.
 */
#define ROBOTS_OPT_MIN_TTL 23

/**
 * Option: the longest life in seconds, whatever the headers say, 1 to 315360000; stronger than the shortest; 86400
 * until set, google and koster1996: 2592000.
 */
#define ROBOTS_OPT_MAX_TTL 24

/**
 * Option: how many seconds after a first failure the next try is due, 1 to 315360000; 600 until set. The longer a site
 * is unreachable, the longer the waits become: as long as it has been unreachable, up to the default life.
 */
#define ROBOTS_OPT_FAILURE_TTL 25

/**
 * Option: the longest wait in seconds that a `Retry-After` can ask for, 0 to 315360000; 86400 until set. The
 * shortest wait (`ROBOTS_OPT_MIN_TTL`) is stronger.
 */
#define ROBOTS_OPT_MAX_RETRY_AFTER 26

/**
 * Option: after how many seconds a site that is unreachable, and of which there is no copy, may be fetched as a whole,
 * 0 to 315360000; 2592000 (30 days) until set.
 */
#define ROBOTS_OPT_UNREACHABLE_TTL 27

/**
 * Option: 1 to go on using a copy of up to 24 h when the file is missing, 0 to allow all at once; 0 until set.
 */
#define ROBOTS_OPT_MISSING_KEEPS_COPY 28

/**
 * Option: the longest life in seconds of an answer by which there is no file to obey, 1 to 315360000; 21600 (6 hours)
 * until set.
 */
#define ROBOTS_OPT_MISSING_TTL 29

/**
 * Dialect: RFC 9309.
 */
#define ROBOTS_DIALECT_RFC9309 0

/**
 * Dialect: what Google's open-source matcher answers.
 */
#define ROBOTS_DIALECT_GOOGLE 1

/**
 * Dialect: the first draft, of 1996.
 */
#define ROBOTS_DIALECT_KOSTER1996 2

/**
 * Batch verdict: the URL may not be fetched.
 */
#define ROBOTS_DISALLOWED 0

/**
 * Batch verdict: the URL may be fetched.
 */
#define ROBOTS_ALLOWED 1

/**
 * Batch verdict: it is no URL that can be decided on.
 */
#define ROBOTS_BAD_URL 2

/**
 * Step: send a GET for `robots_fetch_url` with the request headers, without following redirects, then tell
 * `robots_fetch_status`.
 */
#define ROBOTS_STEP_GET 0

/**
 * Step: tell each `robots_fetch_header`, then `robots_fetch_headers_end`.
 */
#define ROBOTS_STEP_HEADERS 1

/**
 * Step: tell the decoded body by `robots_fetch_body`, in pieces of any size, then `robots_fetch_end`.
 */
#define ROBOTS_STEP_BODY 2

/**
 * Step: there is an outcome; what is left of the response is of no use.
 */
#define ROBOTS_STEP_DONE 3

/**
 * Failure: the host has no address.
 */
#define ROBOTS_FAILURE_DNS 1

/**
 * Failure: no connection.
 */
#define ROBOTS_FAILURE_CONNECT 2

/**
 * Failure: no secure connection.
 */
#define ROBOTS_FAILURE_TLS 3

/**
 * Failure: it took too long.
 */
#define ROBOTS_FAILURE_TIMEOUT 4

/**
 * Failure: the connection broke.
 */
#define ROBOTS_FAILURE_RESET 5

/**
 * Failure: the body ended early or was invalid: chunks, length, compression.
 */
#define ROBOTS_FAILURE_TRUNCATED 6

/**
 * Failure: anything else.
 */
#define ROBOTS_FAILURE_OTHER 7

/**
 * Outcome: there is a robots.txt, its rules decide.
 */
#define ROBOTS_OUTCOME_RULES 0

/**
 * Outcome: all of the site may be fetched.
 */
#define ROBOTS_OUTCOME_ALLOW_ALL 1

/**
 * Outcome: nothing of the site may be fetched.
 */
#define ROBOTS_OUTCOME_DISALLOW_ALL 2

/**
 * Outcome: nothing of the site may be fetched now; keep its URLs and ask again later.
 */
#define ROBOTS_OUTCOME_DEFER 3

/**
 * Cause: there is a file.
 */
#define ROBOTS_CAUSE_FOUND 1

/**
 * Cause: the file is as it was.
 */
#define ROBOTS_CAUSE_NOT_MODIFIED 2

/**
 * Cause: there is no file: 400 to 499, or a server error that is taken for that.
 */
#define ROBOTS_CAUSE_MISSING 3

/**
 * Cause: 401 or 403.
 */
#define ROBOTS_CAUSE_FORBIDDEN 4

/**
 * Cause: 429.
 */
#define ROBOTS_CAUSE_TOO_MANY_REQUESTS 5

/**
 * Cause: 500 to 599.
 */
#define ROBOTS_CAUSE_SERVER_ERROR 6

/**
 * Cause: a status that is no answer: below 200, above 599, or a 304 that nobody asked for.
 */
#define ROBOTS_CAUSE_ODD_STATUS 7

/**
 * Cause: more redirects in a row than are followed.
 */
#define ROBOTS_CAUSE_TOO_MANY_REDIRECTS 8

/**
 * Cause: a redirect to where one had been already.
 */
#define ROBOTS_CAUSE_REDIRECT_LOOP 9

/**
 * Cause: a redirect without a target, or to one that is no http or https URL.
 */
#define ROBOTS_CAUSE_BAD_REDIRECT 10

/**
 * Cause: the host has no address.
 */
#define ROBOTS_CAUSE_DNS 11

/**
 * Cause: no connection.
 */
#define ROBOTS_CAUSE_CONNECT 12

/**
 * Cause: no secure connection.
 */
#define ROBOTS_CAUSE_TLS 13

/**
 * Cause: it took too long.
 */
#define ROBOTS_CAUSE_TIMEOUT 14

/**
 * Cause: the connection broke.
 */
#define ROBOTS_CAUSE_RESET 15

/**
 * Cause: the file ended before its end, or was invalid on the way.
 */
#define ROBOTS_CAUSE_TRUNCATED 16

/**
 * Cause: any other failure.
 */
#define ROBOTS_CAUSE_OTHER_FAILURE 17

/**
 * Cause: unreachable for so long that the site counts as one without a file.
 */
#define ROBOTS_CAUSE_UNREACHABLE_LONG 18

/**
 * What to get: the kind, one of `ROBOTS_OUTCOME_...`.
 */
#define ROBOTS_OUTCOME_KIND 1

/**
 * What to get: the cause, one of `ROBOTS_CAUSE_...`.
 */
#define ROBOTS_OUTCOME_CAUSE 2

/**
 * What to get: the status of the last response; 0 where there was none.
 */
#define ROBOTS_OUTCOME_HTTP_STATUS 3

/**
 * What to get: how many redirects were followed.
 */
#define ROBOTS_OUTCOME_HOPS 4

/**
 * What to get: 1 if a redirect led from https to http, where anyone on the way may have changed the file.
 */
#define ROBOTS_OUTCOME_DOWNGRADED 5

/**
 * What to get: 1 if these are the rules of an earlier fetch, which go on being used.
 */
#define ROBOTS_OUTCOME_STALE 6

/**
 * What to get: when the rules were fetched or found to be unchanged; of other kinds when the fetch ended.
 */
#define ROBOTS_OUTCOME_FETCHED_AT 7

/**
 * What to get: the end of its life; of stale rules it may have passed.
 */
#define ROBOTS_OUTCOME_FRESH_UNTIL 8

/**
 * What to get: until when it decides while nothing newer is there.
 */
#define ROBOTS_OUTCOME_USABLE_UNTIL 9

/**
 * What to get: when the next try is due, and not before.
 */
#define ROBOTS_OUTCOME_RETRY_AT 10

/**
 * What to get: since when each try has failed; `UINT64_MAX` after a fetch that was answered.
 */
#define ROBOTS_OUTCOME_UNREACHABLE_SINCE 11

/**
 * Text to get: the key of the site, such as "https://example.com".
 */
#define ROBOTS_OUTCOME_ORIGIN 32

/**
 * Text to get: the URL of the last request, behind all redirects; of rules that of the request they came from.
 */
#define ROBOTS_OUTCOME_FINAL_URL 33

/**
 * Text to get: the `ETag` of the rules; empty if there is none.
 */
#define ROBOTS_OUTCOME_ETAG 34

/**
 * Text to get: the `Last-Modified` of the rules; empty if there is none.
 */
#define ROBOTS_OUTCOME_LAST_MODIFIED 35

/**
 * Action: obey the verdict. If there is a ticket beside it, fetch the robots.txt anew; until that is done the old
 * outcome serves everybody (SPEC 3.4).
 */
#define ROBOTS_CACHE_DECIDED 0

/**
 * Action: nothing is known of the site, and the ticket is yours: fetch its robots.txt, hand the outcome in and ask
 * again.
 */
#define ROBOTS_CACHE_FETCH 1

/**
 * Action: somebody else is fetching the robots.txt, or there is no room; ask again in a while, at `until` at the
 * latest.
 */
#define ROBOTS_CACHE_WAIT 2

/**
 * Action: nothing of the site may be fetched before `until`, its robots.txt neither (SPEC 2.7 to 2.10); keep the URL.
 */
#define ROBOTS_CACHE_DEFER 3

/**
 * Option of a cache: how many seconds a ticket lives, 1 to 86400; 120 until set. More than the longest retrieval
 * takes, with all its redirects: past it, another may fetch the same file.
 */
#define ROBOTS_CACHE_OPT_TICKET_TTL 1

/**
 * Result of a rule that matches: it decides.
 */
#define ROBOTS_MATCH_WON 0

/**
 * Match result: a longer one decides (SPEC 8.7).
 */
#define ROBOTS_MATCH_SHORTER 1

/**
 * Match result: as long as the winner, which allows (SPEC 8.7).
 */
#define ROBOTS_MATCH_TIE_LOST_TO_ALLOW 2

/**
 * Match result: as long as the winner and of the same kind, but further down.
 */
#define ROBOTS_MATCH_LATER_EQUAL 3

/**
 * Match result: an earlier one decides (SPEC 8.7, koster1996).
 */
#define ROBOTS_MATCH_AFTER_FIRST_MATCH 4

/**
 * Match result: without a path it decides nothing (SPEC 8.8, google).
 */
#define ROBOTS_MATCH_EMPTY 5

/**
 * Field of a line: `request-rate` (SPEC 9.3).
 */
#define ROBOTS_EXTENSION_REQUEST_RATE 0

/**
 * Field: `visit-time` (SPEC 9.3).
 */
#define ROBOTS_EXTENSION_VISIT_TIME 1

/**
 * Field: `host` (SPEC 9.3).
 */
#define ROBOTS_EXTENSION_HOST 2

/**
 * Field: `clean-param` (SPEC 9.3).
 */
#define ROBOTS_EXTENSION_CLEAN_PARAM 3

/**
 * Field: `noindex` (SPEC 9.3).
 */
#define ROBOTS_EXTENSION_NOINDEX 4

/**
 * Field: `content-signal` (SPEC 9.4).
 */
#define ROBOTS_EXTENSION_CONTENT_SIGNAL 5

/**
 * Field: `content-usage` (SPEC 9.5).
 */
#define ROBOTS_EXTENSION_CONTENT_USAGE 6

/**
 * Vocabulary: `content-usage`, line or header field (SPEC 9.5).
 */
#define ROBOTS_VOCABULARY_CONTENT_USAGE 0

/**
 * Vocabulary: `content-signal` (SPEC 9.4).
 */
#define ROBOTS_VOCABULARY_CONTENT_SIGNAL 1

/**
 * Preferred: it should not be done.
 */
#define ROBOTS_CHOICE_NO 0

/**
 * Preferred: it may be done.
 */
#define ROBOTS_CHOICE_YES 1

/**
 * The label stands there with something else, which says nothing.
 */
#define ROBOTS_CHOICE_UNKNOWN 2

/**
 * Severity: worth knowing; nothing is wrong.
 */
#define ROBOTS_LINT_NOTE 1

/**
 * Severity: it may not do what its writer thinks, or not for every crawler.
 */
#define ROBOTS_LINT_WARNING 2

/**
 * Severity: it does not do what its writer must have meant.
 */
#define ROBOTS_LINT_ERROR 3

/**
 * Line: nothing stands there but white space.
 */
#define ROBOTS_LINE_BLANK 0

/**
 * Line: only a comment.
 */
#define ROBOTS_LINE_COMMENT 1

/**
 * Line: it names a crawler.
 */
#define ROBOTS_LINE_USER_AGENT 2

/**
 * Line: an allow rule.
 */
#define ROBOTS_LINE_ALLOW 3

/**
 * Line: a disallow rule.
 */
#define ROBOTS_LINE_DISALLOW 4

/**
 * Line: a sitemap.
 */
#define ROBOTS_LINE_SITEMAP 5

/**
 * Line: a crawl-delay.
 */
#define ROBOTS_LINE_CRAWL_DELAY 6

/**
 * Line: a field that some crawlers read, without effect on a verdict.
 */
#define ROBOTS_LINE_EXTENSION 7

/**
 * Line: a field that nobody knows; the line is skipped.
 */
#define ROBOTS_LINE_UNKNOWN 8

/**
 * Line: neither field and value nor a comment; the line is skipped.
 */
#define ROBOTS_LINE_NOT_UNDERSTOOD 9

/**
 * The outcomes of many sites' fetches, by origin, in a bounded piece of memory, for one crawler or several
 * (SPEC 3.7). Reference-counted; any number of threads may ask at once. Made by `robots_cache_new`, ended by
 * `robots_cache_free`. While it is set up it belongs to one thread.
 */
typedef struct robots_cache robots_cache;

/**
 * The records of a cache, one after the other. Made by `robots_cache_cursor_new`, ended by
 * `robots_cache_cursor_free`.
 */
typedef struct robots_cache_cursor robots_cache_cursor;

/**
 * A crawler: its product tokens, its dialect, its limits. Made by `robots_crawler_new`, ended by
 * `robots_crawler_free`. While it is set up it belongs to one thread; from then on any number of
 * threads may parse with it at once.
 */
typedef struct robots_crawler robots_crawler;

/**
 * Why a URL may be fetched or not: immutable; any number of threads may read it at once. Made by
 * `robots_rules_explain`, ended by `robots_explanation_free`.
 */
typedef struct robots_explanation robots_explanation;

/**
 * What else stands in a robots.txt for one crawler: in the groups that it obeys, and in no group. Immutable; any
 * number of threads may read it at once. Made by `robots_extensions_parse`, ended by `robots_extensions_free`.
 */
typedef struct robots_extensions robots_extensions;

/**
 * One retrieval of a robots.txt, without I/O: it says what it waits for (`robots_fetch_step`) and is told what the
 * caller's HTTP client sees. It belongs to one thread at a time. Made by `robots_fetch_new`, ended by
 * `robots_fetch_free`.
 */
typedef struct robots_fetch robots_fetch;

/**
 * What is wrong with a robots.txt, and what each of its lines means. Immutable; any number of threads may read
 * it at once. Made by `robots_lint`, ended by `robots_lint_report_free`.
 */
typedef struct robots_lint_report robots_lint_report;

/**
 * The site that a URL belongs to: scheme, host and port (SPEC 1). Immutable. Made by `robots_origin_new`,
 * ended by `robots_origin_free`.
 */
typedef struct robots_origin robots_origin;

/**
 * What came of fetching the robots.txt of a site, for one or several crawlers: rules or a word for the whole
 * site, why, and how long that holds. Immutable and reference-counted; any number of threads may ask at once.
 * Made by `robots_fetch_outcome` and its like, ended by `robots_outcome_free`.
 */
typedef struct robots_outcome robots_outcome;

/**
 * What may be done with what was fetched, for one URL or one response: each label of each vocabulary once.
 * Immutable; any number of threads may read it at once. Made by `robots_extensions_preferences` or
 * `robots_preferences_from_header`, ended by `robots_preferences_free`.
 */
typedef struct robots_preferences robots_preferences;

/**
 * A robots.txt, compiled for one crawler: immutable, one block of memory, reference-counted. Any
 * number of threads may ask it at once. Made by `robots_rules_parse` and its like, ended by
 * `robots_rules_free`.
 */
typedef struct robots_rules robots_rules;

/**
 * The holder fetches the robots.txt of one origin, and nobody else who asks the cache does meanwhile. Given by
 * `robots_cache_check`, ended by `robots_ticket_free`. It belongs to one thread at a time, and may be handed on.
 */
typedef struct robots_ticket robots_ticket;

/**
 * What a fallible call returns: `ROBOTS_OK` (0) or one of the positive `ROBOTS_E_...` numbers.
 * Numbers are never given another meaning; later versions may add some.
 */
typedef int32_t robots_status;

/**
 * The answer about one URL in one word: bit 0 allowed, bits 8-15 reason (`ROBOTS_REASON_...`),
 * bits 16-31 status (`ROBOTS_OK` or `ROBOTS_E_...`), bits 32-63 line of the deciding rule (the
 * first line is 1; 0: no rule decided). With a status other than `ROBOTS_OK` the allowed bit is 0:
 * misuse never permits a fetch. Read it with `ROBOTS_VERDICT_ALLOWED` and its like.
 */
typedef uint64_t robots_verdict;

/**
 * A borrowed string: `len` octets at `ptr`, not NUL-terminated. `ptr` is NULL only where `len` is 0.
 */
typedef struct {
  /**
   * The first octet.
   */
  const char *ptr;
  /**
   * How many octets there are.
   */
  size_t len;
} robots_str;

/**
 * What is to be done with a URL. The caller sets `size` before each call.
 */
typedef struct {
  /**
   * `sizeof(robots_cache_answer)`; later versions add fields at the end only.
   */
  size_t size;
  /**
   * Whether the URL may be fetched; only with `ROBOTS_CACHE_DECIDED` may it be allowed.
   */
  robots_verdict verdict;
  /**
   * One of `ROBOTS_CACHE_DECIDED`, `_FETCH`, `_WAIT`, `_DEFER`.
   */
  uint32_t action;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * Of `ROBOTS_CACHE_WAIT` and `_DEFER`: when to ask again, in seconds since 1970-01-01 UTC; else 0.
   */
  uint64_t until;
  /**
   * The caller's ticket, to be ended with `robots_ticket_free`, or NULL. Always one with `ROBOTS_CACHE_FETCH`, at
   * times with `ROBOTS_CACHE_DECIDED`, else none.
   */
  robots_ticket *ticket;
} robots_cache_answer;

/**
 * A line of the robots.txt. Set `size` to `sizeof(robots_explained_line)` before it is filled.
 */
typedef struct {
  /**
   * What the caller takes for the size of this struct.
   */
  size_t size;
  /**
   * The line as it is written, without comment and the white space around it; any octets.
   */
  robots_str text;
  /**
   * Its number; the first is 1.
   */
  uint32_t line;
  /**
   * 0.
   */
  uint32_t reserved;
} robots_explained_line;

/**
 * A rule that matches. Set `size` to `sizeof(robots_explained_rule)` before it is filled.
 */
typedef struct {
  /**
   * What the caller takes for the size of this struct.
   */
  size_t size;
  /**
   * The line as it is written, without comment and the white space around it; any octets.
   */
  robots_str text;
  /**
   * The path in it.
   */
  robots_str path;
  /**
   * The path as it is compared: in canonical form (SPEC 8.6). Its length is what counts (SPEC 8.7).
   */
  robots_str pattern;
  /**
   * The number of the line; the first is 1.
   */
  uint32_t line;
  /**
   * 1 if the rule allows, 0 if it disallows.
   */
  uint32_t allow;
  /**
   * What became of it, one of `ROBOTS_MATCH_...`. Later versions may add some.
   */
  uint32_t result;
  /**
   * 0.
   */
  uint32_t reserved;
} robots_explained_rule;

/**
 * A line without effect on a verdict. Set `size` to `sizeof(robots_extension)` before it is filled.
 */
typedef struct {
  /**
   * What the caller takes for the size of this struct.
   */
  size_t size;
  /**
   * The value as it is written, without comment and the white space around it; any octets, at least one.
   */
  robots_str value;
  /**
   * The number of the line; the first is 1.
   */
  uint32_t line;
  /**
   * What it is about, one of `ROBOTS_EXTENSION_...`. Later versions may add some.
   */
  uint32_t field;
  /**
   * 1 if it stands in a group that the crawler obeys, 0 if it stands in no group, and so is for all.
   */
  uint32_t in_group;
  /**
   * Of a request-rate: so many requests at most, ... 0 for another line and for nonsense.
   */
  uint32_t requests;
  /**
   * ... in so many seconds.
   */
  uint32_t seconds;
  /**
   * Of a visit-time, or of a request-rate that holds at times: from so many minutes after midnight UTC on,
   * 0 to 1439, ...
   */
  uint32_t from;
  /**
   * ... until so many, 1 to 1440; if that is not later, past midnight. 0: no time was given.
   */
  uint32_t until;
  /**
   * 0.
   */
  uint32_t reserved;
} robots_extension;

/**
 * A preference. Set `size` to `sizeof(robots_preference)` before it is filled.
 */
typedef struct {
  /**
   * What the caller takes for the size of this struct.
   */
  size_t size;
  /**
   * What is spoken of, such as `train-ai`; case-sensitive, any octets.
   */
  robots_str label;
  /**
   * The line that says so, the first is 1; 0 for a header field.
   */
  uint32_t line;
  /**
   * Whose label it is, one of `ROBOTS_VOCABULARY_...`. Later versions may add some.
   */
  uint32_t vocabulary;
  /**
   * What is preferred, one of `ROBOTS_CHOICE_...`.
   */
  uint32_t choice;
  /**
   * 0.
   */
  uint32_t reserved;
} robots_preference;

/**
 * One diagnostic. Later versions may add members at the end, so the caller says how many octets it has room for.
 */
typedef struct {
  /**
   * To be set by the caller: sizeof(robots_lint_diagnostic).
   */
  size_t size;
  /**
   * The octets of the file that it is about: the first, counted from 0.
   */
  size_t start;
  /**
   * The octet behind the last; they lie in one line.
   */
  size_t end;
  /**
   * What is the matter: one sentence in UTF-8 without control characters.
   */
  robots_str message;
  /**
   * What to do: one sentence; empty where there is no advice.
   */
  robots_str suggestion;
  /**
   * Its kind: 51 for what is shown as "R051".
   */
  uint32_t code;
  /**
   * One of `ROBOTS_LINT_NOTE` and its like.
   */
  uint32_t severity;
  /**
   * The line, counted from 1; 0 when it is about the file as a whole.
   */
  uint32_t line;
  /**
   * Where it begins in the line, in octets counted from 1; 0 when it is about the file as a whole.
   */
  uint32_t column;
  /**
   * Another line that has to do with it, such as that of a rule which always wins; 0 for none.
   */
  uint32_t other_line;
  /**
   * 0.
   */
  uint32_t reserved;
} robots_lint_diagnostic;

/**
 * One line of a robots.txt and what it means. Later versions may add members at the end, so the caller says how
 * many octets it has room for.
 */
typedef struct {
  /**
   * To be set by the caller: sizeof(robots_lint_line).
   */
  size_t size;
  /**
   * Its octets in the file: the first, counted from 0.
   */
  size_t start;
  /**
   * The octet behind the last, without the line end.
   */
  size_t end;
  /**
   * The field as it is written; empty where there is none.
   */
  robots_str field;
  /**
   * The value as it is written; empty where there is none.
   */
  robots_str value;
  /**
   * One of `ROBOTS_LINE_BLANK` and its like.
   */
  uint32_t kind;
  /**
   * The group that it belongs to, counted from 1 in the order of the file; 0: none.
   */
  uint32_t group;
} robots_lint_line;

/**
 * Success.
 */
#define ROBOTS_OK 0

/**
 * A null pointer, an unknown option, or a value out of its range.
 */
#define ROBOTS_E_ARG 1

/**
 * Not a product token (SPEC 7.6).
 */
#define ROBOTS_E_TOKEN 2

/**
 * Not a URL that can be decided on (SPEC 8.5b).
 */
#define ROBOTS_E_URL 3

/**
 * Not enough memory.
 */
#define ROBOTS_E_MEMORY 4

/**
 * A defect of the library; it stays usable.
 */
#define ROBOTS_E_PANIC 5

/**
 * A damaged image.
 */
#define ROBOTS_E_IMAGE 6

/**
 * An image of another format version or byte order.
 */
#define ROBOTS_E_IMAGE_FORMAT 7

/**
 * A URL of another scheme than http, https and ftp (SPEC 1.6).
 */
#define ROBOTS_E_SCHEME 8

/**
 * Too early or too late: an event that a fetch does not wait for now, a setting of a cache that is in use, a ticket
 * that was finished.
 */
#define ROBOTS_E_STATE 9

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Says in one sentence what a status means and what to do next.
 *
 * Parameters: `status`, any number.
 * Returns: a NUL-terminated English sentence; for a number that is no status a sentence that says so.
 * Never NULL.
 * Owner: the library; valid for ever, not to be freed.
 * Threads: any, at any time.
 * Allocates: nothing.
 * Since: 0.1.0
 */
const char *robots_status_text(robots_status status);

/**
 * Gives the version of the library as one number, to be compared with `ROBOTS_VERSION_NUMBER` of
 * the header.
 *
 * Parameters: none.
 * Returns: major * 1000000 + minor * 1000 + patch; 0.1.0 is 1000.
 * Owner: nothing is handed over.
 * Threads: any, at any time.
 * Allocates: nothing.
 * Since: 0.1.0
 */
uint32_t robots_version_number(void);

/**
 * Gives the version of the library as text.
 *
 * Parameters: none.
 * Returns: a NUL-terminated string such as "0.1.0". Never NULL.
 * Owner: the library; valid for ever, not to be freed.
 * Threads: any, at any time.
 * Allocates: nothing.
 * Since: 0.1.0
 */
const char *robots_version(void);

/**
 * Makes a crawler that calls itself `token`.
 *
 * Parameters: `token`, `token_len`: the bare product token, such as "ExampleBot": letters, digits, `.`,
 * `_` and `-`, 1 to 1024 octets (SPEC 7.6). `out`: receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for what is no product token, a whole User-Agent header among
 * it; `ROBOTS_E_ARG` for `out` NULL or `token` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_crawler_free`. `token` is copied.
 * Threads: any, at any time.
 * Allocates: the crawler.
 * Since: 0.1.0
 */
robots_status robots_crawler_new(const char *token,
                                 size_t token_len,
                                 robots_crawler **out);

/**
 * Makes a crawler of a well-known name, set up after what its operator has published, as far as that is known: product
 * tokens in order of preference, dialect, whether it ignores groups of `*`. Operators change such things.
 *
 * Parameters: `name`, `name_len`: such as "Googlebot-Image"; case does not matter. `out`: receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for a name that is not known: set it up with `robots_crawler_new`;
 * `ROBOTS_E_ARG` for `out` NULL or `name` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_crawler_free`.
 * Threads: any, at any time.
 * Allocates: the crawler.
 * Since: 0.1.0
 */
robots_status robots_crawler_preset(const char *name,
                                    size_t name_len,
                                    robots_crawler **out);

/**
 * Adds a product token that counts where no group of a robots.txt names an earlier one (SPEC 7.1).
 *
 * Parameters: `crawler`; `token`, `token_len`: as for `robots_crawler_new`, in the crawler's dialect
 * (`ROBOTS_DIALECT_GOOGLE`: letters, `_` and `-` only).
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for what is no product token; `ROBOTS_E_ARG` for NULL, or past
 * 64 tokens; `ROBOTS_E_MEMORY`. After an error the crawler is as it was.
 * Owner: `token` is copied.
 * Threads: one; no other may use the crawler meanwhile.
 * Allocates: room for the token.
 * Since: 0.1.0
 */
robots_status robots_crawler_add_token(robots_crawler *crawler,
                                       const char *token,
                                       size_t token_len);

/**
 * Sets an option.
 *
 * Parameters: `crawler`; `option`: one of `ROBOTS_OPT_...`; `value`: as the comment of the option says.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an unknown option or a value out of its range;
 * `ROBOTS_E_TOKEN` for a dialect in which a token of the crawler is none. After an error the crawler is
 * as it was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the crawler meanwhile. Rules parsed before keep what they were parsed with.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_crawler_set(robots_crawler *crawler,
                                 uint32_t option,
                                 uint64_t value);

/**
 * Ends a crawler. Rules that were parsed with it live on.
 *
 * Parameters: `crawler`: NULL does nothing.
 * Returns: nothing.
 * Owner: `crawler` is handed back and must not be used again.
 * Threads: any; no other may use the crawler meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_crawler_free(robots_crawler *crawler);

/**
 * Compiles a robots.txt for a crawler.
 *
 * Parameters: `crawler`; `body`, `body_len`: the octets of the file, any octets, also none; `out`:
 * receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `crawler` or `out` NULL, or `body` NULL with a length;
 * `ROBOTS_E_MEMORY`. Never an error because of what the file holds (SPEC 4.3). `*out` is NULL after an
 * error.
 * Owner: the caller, who ends the rules with `robots_rules_free`. `body` is not needed afterwards, nor is
 * the crawler.
 * Threads: any; many may parse with one crawler at once.
 * Allocates: the rules, one block smaller than the file as a rule, and work space that is freed.
 * Since: 0.1.0
 */
robots_status robots_rules_parse(const robots_crawler *crawler,
                                 const char *body,
                                 size_t body_len,
                                 robots_rules **out);

/**
 * Makes the rules of a site that may be fetched as a whole, whatever the URL (SPEC 2.5).
 *
 * Parameters: `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `out` NULL; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends the rules with `robots_rules_free`.
 * Threads: any, at any time.
 * Allocates: the rules.
 * Since: 0.1.0
 */
robots_status robots_rules_allow_all(robots_rules **out);

/**
 * Makes the rules of a site of which nothing may be fetched (SPEC 2.8) but its robots.txt (SPEC 8.9).
 *
 * Parameters: `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `out` NULL; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends the rules with `robots_rules_free`.
 * Threads: any, at any time.
 * Allocates: the rules.
 * Since: 0.1.0
 */
robots_status robots_rules_disallow_all(robots_rules **out);

/**
 * Decides on one URL: may the crawler fetch it, why, and by which line (SPEC 8).
 *
 * Parameters: `rules`; `url`, `url_len`: an absolute URL, of which path and query count, or a path that
 * starts with `/`; any octets, of any length.
 * Returns: a verdict, see `robots_verdict`. Its status is `ROBOTS_E_URL` for what is no URL, `ROBOTS_E_ARG`
 * for `rules` NULL or `url` NULL with a length; it is then not allowed.
 * Owner: nothing is handed over.
 * Threads: any; many may ask one `robots_rules` at once. Takes no lock.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_verdict robots_rules_check(const robots_rules *rules,
                                  const char *url,
                                  size_t url_len);

/**
 * Decides on many URLs at once. URL i is `text[offsets[i]]` to `text[offsets[i + 1]]`, the layout of
 * strings in Apache Arrow.
 *
 * Parameters: `rules`; `text`: the URLs, one behind the other; `offsets`: `count + 1` offsets into it that
 * never decrease; `count`: the number of URLs, also 0; `verdicts`: receives `count` answers,
 * `ROBOTS_DISALLOWED`, `ROBOTS_ALLOWED` or `ROBOTS_BAD_URL`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `rules`, `offsets` or `verdicts` NULL, `text` NULL with URLs that are
 * not empty, or offsets that decrease: then every answer is `ROBOTS_DISALLOWED`.
 * Owner: nothing is handed over.
 * Threads: as for `robots_rules_check`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_rules_check_batch(const robots_rules *rules,
                                       const char *text,
                                       const uint32_t *offsets,
                                       size_t count,
                                       uint8_t *verdicts);

/**
 * The same as `robots_rules_check_batch`, for texts of 4 GiB and more.
 *
 * Parameters: as for `robots_rules_check_batch`, with offsets of 64 bits.
 * Returns: as for `robots_rules_check_batch`.
 * Owner: nothing is handed over.
 * Threads: as for `robots_rules_check`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_rules_check_batch64(const robots_rules *rules,
                                         const char *text,
                                         const uint64_t *offsets,
                                         size_t count,
                                         uint8_t *verdicts);

/**
 * Gives the crawl-delay of the groups that the crawler obeys (SPEC 9.2).
 *
 * Parameters: `rules`.
 * Returns: seconds, 0 or more; of several the longest. NaN if none is given, or for `rules` NULL.
 * Owner: nothing is handed over.
 * Threads: any; many may ask one `robots_rules` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
double robots_rules_crawl_delay(const robots_rules *rules);

/**
 * Counts the sitemaps of the file (SPEC 9.1).
 *
 * Parameters: `rules`.
 * Returns: how many there are; 0 for `rules` NULL.
 * Owner: nothing is handed over.
 * Threads: any; many may ask one `robots_rules` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_rules_sitemap_count(const robots_rules *rules);

/**
 * Gives one sitemap of the file, as it is written (SPEC 9.1).
 *
 * Parameters: `rules`; `index`: 0 to `robots_rules_sitemap_count(rules)` - 1, in the order of the file.
 * Returns: the address; an empty string past the last, or for `rules` NULL.
 * Owner: the rules; valid until `robots_rules_free` takes their last reference.
 * Threads: any; many may ask one `robots_rules` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_rules_sitemap(const robots_rules *rules,
                                size_t index);

/**
 * Adds a reference, so that one more `robots_rules_free` is needed.
 *
 * Parameters: `rules`.
 * Returns: `rules`; NULL for NULL, or past 2^63 - 1 references (2^31 - 1 on 32-bit machines).
 * Owner: the caller owns one reference more.
 * Threads: any; many may retain one `robots_rules` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_rules *robots_rules_retain(const robots_rules *rules);

/**
 * Gives a reference back; with the last the rules end.
 *
 * Parameters: `rules`: NULL does nothing.
 * Returns: nothing.
 * Owner: the reference is handed back; with the last the rules, and all that was borrowed from them, must
 * not be used again.
 * Threads: any; other threads may use rules of which they hold a reference.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_rules_free(robots_rules *rules);

/**
 * Gives the compiled rules as one flat block, to be stored, sent, or decided on in place with
 * `robots_image_check`.
 *
 * Parameters: `rules`.
 * Returns: the image; empty for `rules` NULL.
 * Owner: the rules; valid until `robots_rules_free` takes their last reference.
 * Threads: any; many may ask one `robots_rules` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_rules_image(const robots_rules *rules);

/**
 * Makes rules from an image, which is checked as by `robots_image_validate` and copied.
 *
 * Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine; `out`: receives the
 * rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image, `ROBOTS_E_IMAGE_FORMAT` for one of another format
 * version or byte order; `ROBOTS_E_ARG` for `out` NULL or `image` NULL with a length; `ROBOTS_E_MEMORY`.
 * `*out` is NULL after an error.
 * Owner: the caller, who ends the rules with `robots_rules_free`. `image` is not needed afterwards.
 * Threads: any, at any time.
 * Allocates: the rules.
 * Since: 0.1.0
 */
robots_status robots_rules_from_image(const char *image,
                                      size_t len,
                                      robots_rules **out);

/**
 * Checks an image from a stranger: its header, its checksum and every offset in it.
 *
 * Parameters: `image`, `len`: any octets.
 * Returns: `ROBOTS_OK`: every decision on it will be answered; `ROBOTS_E_IMAGE` for a damaged image,
 * `ROBOTS_E_IMAGE_FORMAT` for one of another format version or byte order, `ROBOTS_E_ARG` for `image` NULL with
 * a length.
 * Owner: nothing is handed over.
 * Threads: any; nobody may write the image meanwhile.
 * Allocates: work space that is freed.
 * Since: 0.1.0
 */
robots_status robots_image_validate(const char *image,
                                    size_t len);

/**
 * Decides on one URL by an image in the caller's memory: a mapped file, a row of a database, a block that
 * a garbage collector owns. It need not have been validated: every read is checked, and the answer of a
 * damaged image is an error or wrong, no more.
 *
 * Parameters: `image`, `len`: an image; `url`, `url_len`: as for `robots_rules_check`.
 * Returns: a verdict as from `robots_rules_check`; its status may be `ROBOTS_E_IMAGE` or
 * `ROBOTS_E_IMAGE_FORMAT`, too.
 * Owner: nothing is handed over.
 * Threads: any; many may ask one image at once; nobody may write it meanwhile. Takes no lock.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_verdict robots_image_check(const char *image,
                                  size_t len,
                                  const char *url,
                                  size_t url_len);

/**
 * Decides on many URLs at once by an image in the caller's memory.
 *
 * Parameters: `image`, `len`: an image; the rest as for `robots_rules_check_batch`.
 * Returns: as for `robots_rules_check_batch`; where the image is damaged, every answer is `ROBOTS_BAD_URL`.
 * Owner: nothing is handed over.
 * Threads: as for `robots_image_check`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_image_check_batch(const char *image,
                                       size_t len,
                                       const char *text,
                                       const uint32_t *offsets,
                                       size_t count,
                                       uint8_t *verdicts);

/**
 * Gives the crawl-delay that an image holds (SPEC 9.2).
 *
 * Parameters: `image`, `len`: an image.
 * Returns: seconds, as `robots_rules_crawl_delay`; NaN if there is none, or for what is no image.
 * Owner: nothing is handed over.
 * Threads: as for `robots_image_check`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
double robots_image_crawl_delay(const char *image, size_t len);

/**
 * Counts the sitemaps that an image holds (SPEC 9.1).
 *
 * Parameters: `image`, `len`: an image.
 * Returns: how many there are; 0 for what is no image.
 * Owner: nothing is handed over.
 * Threads: as for `robots_image_check`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_image_sitemap_count(const char *image, size_t len);

/**
 * Gives one sitemap that an image holds (SPEC 9.1).
 *
 * Parameters: `image`, `len`: an image; `index`: 0 to `robots_image_sitemap_count(image, len)` - 1.
 * Returns: the address; an empty string past the last, or for what is no image.
 * Owner: the image; valid as long as it is.
 * Threads: as for `robots_image_check`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_image_sitemap(const char *image, size_t len, size_t index);

/**
 * Finds the site that a URL belongs to.
 *
 * Parameters: `url`, `url_len`: an absolute URL; its path and query may be any octets. `out`: receives the
 * origin.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` for another scheme than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` for
 * what is no absolute URL, or has no host that can be read; `ROBOTS_E_ARG` for `out` NULL or `url` NULL with a
 * length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_origin_free`. `url` is not needed afterwards.
 * Threads: any, at any time.
 * Allocates: the origin.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_origin_new(const char *url,
                                size_t url_len,
                                robots_origin **out);

/**
 * Gives the origin in its one spelling: lower-case scheme and host, the host in punycode, and the port unless
 * it is the scheme's own, such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). Equal keys are
 * equal origins.
 *
 * Parameters: `origin`.
 * Returns: the key; empty for `origin` NULL.
 * Owner: the origin; valid until `robots_origin_free`.
 * Threads: any; many may ask one origin at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_origin_key(const robots_origin *origin);

/**
 * Gives the URL of the origin's robots.txt (SPEC 1.1).
 *
 * Parameters: `origin`.
 * Returns: the URL; empty for `origin` NULL.
 * Owner: the origin; valid until `robots_origin_free`.
 * Threads: any; many may ask one origin at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_origin_robots_url(const robots_origin *origin);

/**
 * Tells whether a robots.txt of the origin governs a URL: whether that is of the same origin (SPEC 1.2).
 *
 * Parameters: `origin`; `url`, `url_len`: any octets.
 * Returns: 1 or 0; 0 for what is no absolute URL, for `origin` NULL or `url` NULL with a length.
 * Owner: nothing is handed over.
 * Threads: any; many may ask one origin at once.
 * Allocates: nothing for an ordinary URL; work space that is freed for one with capitals, a user name, an address
 * or a name that is not ASCII in its authority.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
uint32_t robots_origin_governs(const robots_origin *origin,
                               const char *url,
                               size_t url_len);

/**
 * Ends an origin.
 *
 * Parameters: `origin`: NULL does nothing.
 * Returns: nothing.
 * Owner: `origin` is handed back; it, and what was borrowed from it, must not be used again.
 * Threads: any; no other may use the origin meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_origin_free(robots_origin *origin);

/**
 * Begins the retrieval of the robots.txt that governs a URL.
 *
 * Parameters: `crawler`: who asks; what is done about failures, and the lives, are as it is set up; `url`, `url_len`:
 * any URL of the site; `now`: seconds since 1970-01-01 UTC, by the caller's clock, as everywhere; `out`: receives
 * the fetch.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME`, `ROBOTS_E_URL` as `robots_origin_new`; `ROBOTS_E_ARG` for `crawler` or
 * `out` NULL, or `url` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_fetch_free`. `crawler` and `url` are not needed afterwards.
 * Threads: any; many may use one crawler at once.
 * Allocates: the fetch.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_fetch_new(const robots_crawler *crawler,
                               const char *url,
                               size_t url_len,
                               uint64_t now,
                               robots_fetch **out);

/**
 * Lets the fetch serve one more crawler (SPEC 3.7), whose place in the outcome is behind those before. The largest
 * size limit counts. To be called before `robots_fetch_set_previous` and the first event.
 *
 * Parameters: `fetch`; `crawler`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL or past 16 crawlers; `ROBOTS_E_STATE` when it is too late;
 * `ROBOTS_E_MEMORY`. After an error the fetch is as it was.
 * Owner: `crawler` is not needed afterwards.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: room for the crawler.
 * Since: 0.1.0
 */
robots_status robots_fetch_add_crawler(robots_fetch *fetch,
                                       const robots_crawler *crawler);

/**
 * Sets an option for this fetch alone (SPEC 2.14).
 *
 * Parameters: `fetch`; `option`: `ROBOTS_OPT_MAX_REDIRECTS` to `ROBOTS_OPT_MISSING_TTL`; `value`: as the comment of
 * the option says.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, another option or a value out of its range; `ROBOTS_E_STATE` when it
 * is done. After an error the fetch is as it was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_fetch_set(robots_fetch *fetch,
                               uint32_t option,
                               uint64_t value);

/**
 * Hands over the earlier outcome of the same site and crawlers, be it as old as it may: the file is asked for on
 * condition that it changed (SPEC 3.5), its rules go on being used while it cannot be reached (SPEC 2.11), and it is
 * known since when that is so (SPEC 2.12). To be called before the first event.
 *
 * Parameters: `fetch`; `outcome`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or an outcome of another site or of other crawlers; `ROBOTS_E_STATE`
 * after an event. After an error the fetch is as it was.
 * Owner: the fetch keeps what it needs; the caller's reference stays the caller's.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_fetch_set_previous(robots_fetch *fetch,
                                        const robots_outcome *outcome);

/**
 * Tells what the fetch waits for.
 *
 * Parameters: `fetch`.
 * Returns: one of `ROBOTS_STEP_...`; `ROBOTS_STEP_DONE` for `fetch` NULL, so that no loop goes on.
 * Owner: nothing is handed over.
 * Threads: any, but none while another changes the fetch.
 * Allocates: nothing.
 * Since: 0.1.0
 */
uint32_t robots_fetch_step(const robots_fetch *fetch);

/**
 * Gives the URL to get: ASCII, http, https or ftp, without user name and fragment. A redirect changes it.
 *
 * Parameters: `fetch`.
 * Returns: the URL; empty for `fetch` NULL.
 * Owner: the fetch; valid until the next `robots_fetch_headers_end` or `robots_fetch_free`.
 * Threads: any, but none while another changes the fetch.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_fetch_url(const robots_fetch *fetch);

/**
 * Counts the headers to send with the request, beside the client's own.
 *
 * Parameters: `fetch`.
 * Returns: how many there are: 0 to 2; 0 for `fetch` NULL.
 * Owner: nothing is handed over.
 * Threads: any, but none while another changes the fetch.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_fetch_request_header_count(const robots_fetch *fetch);

/**
 * Gives the name of a header to send: `If-None-Match` or `If-Modified-Since`.
 *
 * Parameters: `fetch`; `index`: 0 to `robots_fetch_request_header_count(fetch)` - 1.
 * Returns: the name; empty past the last, or for `fetch` NULL.
 * Owner: the library; valid for ever.
 * Threads: any, but none while another changes the fetch.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_fetch_request_header_name(const robots_fetch *fetch, size_t index);

/**
 * Gives the value of a header to send. It holds no line end and no control character.
 *
 * Parameters: `fetch`; `index`: 0 to `robots_fetch_request_header_count(fetch)` - 1.
 * Returns: the value; empty past the last, or for `fetch` NULL.
 * Owner: the fetch; valid until the next event or `robots_fetch_free`.
 * Threads: any, but none while another changes the fetch.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_fetch_request_header_value(const robots_fetch *fetch, size_t index);

/**
 * Tells the status of the response. For step `ROBOTS_STEP_GET`; `ROBOTS_STEP_HEADERS` follows.
 *
 * Parameters: `fetch`; `http_status`: any number; `now`: seconds since 1970; a time earlier than told before counts
 * as that.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL. After an error the fetch is as it
 * was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_fetch_status(robots_fetch *fetch,
                                  uint32_t http_status,
                                  uint64_t now);

/**
 * Tells one header of the response. Tell all, in their order: it takes those it wants, whatever their case, and
 * bounds what it keeps. For step `ROBOTS_STEP_HEADERS`.
 *
 * Parameters: `fetch`; `name`, `name_len`, `value`, `value_len`: any octets.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. After an error
 * the fetch is as it was.
 * Owner: the strings are copied.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: room for at most 8 KiB of a header it wants.
 * Since: 0.1.0
 */
robots_status robots_fetch_header(robots_fetch *fetch,
                                  const char *name,
                                  size_t name_len,
                                  const char *value,
                                  size_t value_len);

/**
 * Tells that there are no more headers. For step `ROBOTS_STEP_HEADERS`; `ROBOTS_STEP_BODY` follows if there is a file,
 * `ROBOTS_STEP_GET` after a redirect, else `ROBOTS_STEP_DONE`.
 *
 * Parameters: `fetch`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL. After an error the fetch is as it
 * was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: the outcome, or the next URL.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_fetch_headers_end(robots_fetch *fetch);

/**
 * Tells a piece of the body, decoded from any transfer or content encoding. When it has enough, which is the size
 * limit (SPEC 4.5), `ROBOTS_STEP_DONE` follows: ask for the step before the next piece. For step `ROBOTS_STEP_BODY`.
 *
 * Parameters: `fetch`; `piece`, `piece_len`: any octets, also none.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. After an error
 * the fetch is as it was.
 * Owner: the piece is copied.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: room for the piece, up to the size limit in all; the outcome.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_fetch_body(robots_fetch *fetch,
                                const char *piece,
                                size_t piece_len);

/**
 * Tells that the body has ended, as it should; tell `robots_fetch_fail` where it has not. For step
 * `ROBOTS_STEP_BODY`; `ROBOTS_STEP_DONE` follows.
 *
 * Parameters: `fetch`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. After an error
 * the fetch is as it was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: the outcome.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_fetch_end(robots_fetch *fetch);

/**
 * Tells that there is no response, or no more of it. For any step but the last; `ROBOTS_STEP_DONE` follows.
 *
 * Parameters: `fetch`; `failure`: one of `ROBOTS_FAILURE_...`; `now`: as for `robots_fetch_status`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` when it is done; `ROBOTS_E_ARG` for NULL or another number. After an error
 * the fetch is as it was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the fetch meanwhile.
 * Allocates: the outcome.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_fetch_fail(robots_fetch *fetch,
                                uint32_t failure,
                                uint64_t now);

/**
 * Gives what came of the fetch.
 *
 * Parameters: `fetch`; `out`: receives the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` until it is done; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. `*out` is NULL
 * after an error.
 * Owner: the caller, who ends it with `robots_outcome_free`; it lives on without the fetch.
 * Threads: any, but none while another changes the fetch.
 * Allocates: a handle; what it holds is shared.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_fetch_outcome(const robots_fetch *fetch,
                                   robots_outcome **out);

/**
 * Ends a fetch, at whatever step. Its outcome lives on.
 *
 * Parameters: `fetch`: NULL does nothing.
 * Returns: nothing.
 * Owner: `fetch` is handed back; it, and what was borrowed from it, must not be used again.
 * Threads: any; no other may use the fetch meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_fetch_free(robots_fetch *fetch);

/**
 * Makes the outcome of a response that is known as a whole, for a caller whose HTTP client follows redirects
 * itself. There are no headers, so the lives are the usual.
 *
 * Parameters: `crawler`; `url`, `url_len`: any URL of the site that was asked first; `http_status`: any number;
 * `body`, `body_len`: the file, which counts for 200 to 299; `now`: seconds since 1970; `out`: receives the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME`, `ROBOTS_E_URL` as `robots_origin_new`; `ROBOTS_E_ARG` for `crawler` or
 * `out` NULL, or a string NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_outcome_free`.
 * Threads: any; many may use one crawler at once.
 * Allocates: the outcome, and work space that is freed.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_outcome_from_status(const robots_crawler *crawler,
                                         const char *url,
                                         size_t url_len,
                                         uint32_t http_status,
                                         const char *body,
                                         size_t body_len,
                                         uint64_t now,
                                         robots_outcome **out);

/**
 * Reads an outcome from what `robots_outcome_encode` gave, on this or another machine.
 *
 * Parameters: `crawlers`, `count`: the crawlers that the fetch was made for, 1 to 16, in their order; `record`,
 * `record_len`; `out`: receives the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for one of another version, or
 * of other crawlers: fetch the file again; `ROBOTS_E_ARG` for NULL or another `count`; `ROBOTS_E_MEMORY`. `*out` is
 * NULL after an error.
 * Owner: the caller, who ends it with `robots_outcome_free`. `record` is not needed afterwards.
 * Threads: any; many may use one crawler at once.
 * Allocates: the outcome, and work space that is freed.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_outcome_decode(const robots_crawler **crawlers,
                                    size_t count,
                                    const char *record,
                                    size_t record_len,
                                    robots_outcome **out);

/**
 * Gives the outcome as one block of octets, to be stored or sent; `robots_outcome_decode` reads it.
 *
 * Parameters: `outcome`; `out`: receives the record.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. `*out` is empty after an error.
 * Owner: the outcome; valid until `robots_outcome_free` takes its last reference.
 * Threads: any; many may ask one outcome at once.
 * Allocates: the record, when first asked; it is kept with the outcome.
 * Since: 0.1.0
 */
robots_status robots_outcome_encode(const robots_outcome *outcome, robots_str *out);

/**
 * Gives one number of an outcome. All times are seconds since 1970-01-01 UTC, by the caller's clock.
 *
 * Parameters: `outcome`; `what`: one of `ROBOTS_OUTCOME_...`.
 * Returns: the number. For `outcome` NULL the kind is `ROBOTS_OUTCOME_DEFER` and all else 0; 0 for an unknown `what`.
 * Owner: nothing is handed over.
 * Threads: any; many may ask one outcome at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
uint64_t robots_outcome_get(const robots_outcome *outcome,
                            uint32_t what);

/**
 * Gives one text of an outcome.
 *
 * Parameters: `outcome`; `what`: one of `ROBOTS_OUTCOME_...`.
 * Returns: the text; empty if there is none, for `outcome` NULL or an unknown `what`.
 * Owner: the outcome; valid until `robots_outcome_free` takes its last reference.
 * Threads: any; many may ask one outcome at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_outcome_text(const robots_outcome *outcome, uint32_t what);

/**
 * Gives the rules for one of the crawlers. Where the kind is not `ROBOTS_OUTCOME_RULES` they allow all or, also for
 * `ROBOTS_OUTCOME_DEFER`, nothing. They know neither the site nor the time: `robots_outcome_check` does.
 *
 * Parameters: `outcome`; `crawler`: the place of the crawler among those the fetch was made for, from 0.
 * Returns: the rules; NULL past the last crawler, or for `outcome` NULL.
 * Owner: the outcome; valid until `robots_outcome_free` takes its last reference, or longer with
 * `robots_rules_retain`.
 * Threads: any; many may ask one outcome at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
const robots_rules *robots_outcome_rules(const robots_outcome *outcome,
                                         size_t crawler);

/**
 * Decides on one URL of the site at one time.
 *
 * Parameters: `outcome`; `crawler`: the place of the crawler among those the fetch was made for, from 0; `url`,
 * `url_len`: an absolute URL of the site, or a path that starts with `/`; `now`: seconds since 1970.
 * Returns: a verdict, see `robots_verdict`: that of the rules; not allowed with `ROBOTS_REASON_DEFER` where the site
 * is deferred or the outcome has passed (`ROBOTS_OUTCOME_USABLE_UNTIL`). Its status is `ROBOTS_E_URL` for what is no URL
 * or is one of another site, `ROBOTS_E_ARG` past the last crawler, for `outcome` NULL or `url` NULL with a length; it
 * is then not allowed.
 * Owner: nothing is handed over.
 * Threads: any; many may ask one outcome at once. Takes no lock.
 * Allocates: nothing for an ordinary URL, see `robots_origin_governs`.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_verdict robots_outcome_check(const robots_outcome *outcome,
                                    size_t crawler,
                                    const char *url,
                                    size_t url_len,
                                    uint64_t now);

/**
 * Adds a reference, so that one more `robots_outcome_free` is needed.
 *
 * Parameters: `outcome`.
 * Returns: `outcome`; NULL for NULL.
 * Owner: the caller owns one reference more.
 * Threads: any; many may retain one outcome at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_outcome *robots_outcome_retain(const robots_outcome *outcome);

/**
 * Gives a reference back; with the last the outcome ends.
 *
 * Parameters: `outcome`: NULL does nothing.
 * Returns: nothing.
 * Owner: the reference is handed back; with the last the outcome, and all that was borrowed from it, must not be
 * used again.
 * Threads: any; other threads may use an outcome of which they hold a reference.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_outcome_free(robots_outcome *outcome);

/**
 * Gives the key of the origin whose robots.txt is to be fetched, such as "https://example.com".
 *
 * Parameters: `ticket`.
 * Returns: the key; empty for NULL, or after `robots_ticket_finish`.
 * Owner: the ticket; valid until `robots_ticket_finish` or `robots_ticket_free`.
 * Threads: one; no other may use the ticket meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_ticket_origin(const robots_ticket *ticket);

/**
 * Begins the retrieval, for all crawlers of the cache. It is told of the outcome that the cache has: it asks the
 * server whether the file changed, and goes on using it where the server cannot be reached (SPEC 2.11).
 *
 * Parameters: `ticket`; `now`: seconds since 1970-01-01 UTC; `out`: receives the fetch.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_STATE` after `robots_ticket_finish`; `ROBOTS_E_MEMORY`.
 * `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_fetch_free`. The ticket stays good and is not needed for the fetch.
 * Threads: one; no other may use the ticket meanwhile.
 * Allocates: the fetch.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_ticket_fetch(const robots_ticket *ticket,
                                  uint64_t now,
                                  robots_fetch **out);

/**
 * Hands the outcome in, for all who ask. Of a ticket whose life was over it counts only if nothing newer is kept.
 *
 * Parameters: `ticket`; `outcome`: from `robots_fetch_outcome`, or made otherwise for the same origin and crawlers;
 * `now`: seconds since 1970-01-01 UTC.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or the outcome of another origin or other crawlers; `ROBOTS_E_MEMORY`
 * for one that does not fit into the cache; `ROBOTS_E_STATE` for a ticket that was finished before. Unless an argument
 * is NULL the ticket is given back in any case, and with an error it is as if nobody had fetched.
 * Owner: `ticket` and `outcome` stay the caller's, who frees both.
 * Threads: one; no other may use the ticket meanwhile.
 * Allocates: the origin's entry.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_ticket_finish(robots_ticket *ticket,
                                   const robots_outcome *outcome,
                                   uint64_t now);

/**
 * Ends a ticket. One that was not finished is given back: the next who asks the cache gets one.
 *
 * Parameters: `ticket`: NULL does nothing.
 * Returns: nothing.
 * Owner: the ticket is handed back.
 * Threads: one; no other may use the ticket meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_ticket_free(robots_ticket *ticket);

/**
 * Makes a cache for a crawler.
 *
 * Parameters: `crawler`: copied; `max_bytes`: how many octets of memory the cache may take, 65536 or more, all
 * counted: keys, rules and what the allocator adds; about 800 octets for a small site; `out`: receives the cache.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or less than 65536; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_cache_free`.
 * Threads: any, at any time.
 * Allocates: the cache. What it keeps is allocated as it comes.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_cache_new(const robots_crawler *crawler,
                               size_t max_bytes,
                               robots_cache **out);

/**
 * Adds a crawler, so that one fetch serves several (SPEC 3.7). The one of `robots_cache_new` has the index 0 and
 * decides how fetches go; the next added has 1, and so on.
 *
 * Parameters: `cache`; `crawler`: copied.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or past 16 crawlers; `ROBOTS_E_STATE` once something is kept or
 * there are tickets or further references; `ROBOTS_E_MEMORY`. After an error the cache is as it was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the cache meanwhile.
 * Allocates: room for the crawler.
 * Since: 0.1.0
 */
robots_status robots_cache_add_crawler(robots_cache *cache,
                                       const robots_crawler *crawler);

/**
 * Sets an option.
 *
 * Parameters: `cache`; `option`: `ROBOTS_CACHE_OPT_TICKET_TTL`; `value`: as the comment of the option says.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an unknown option or a value out of its range; `ROBOTS_E_STATE` once
 * something is kept or there are tickets or further references. After an error the cache is as it was.
 * Owner: nothing is handed over.
 * Threads: one; no other may use the cache meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_cache_set(robots_cache *cache,
                               uint32_t option,
                               uint64_t value);

/**
 * Says what a crawler is to do with a URL: obey a verdict, fetch the site's robots.txt first, wait for another who
 * does, or keep the URL for later.
 *
 * Parameters: `cache`; `crawler`: index of the crawler, 0 unless there are several; `url`, `url_len`: an absolute
 * URL of any octets; `now`: seconds since 1970-01-01 UTC; `out`: receives the answer; set its `size` first.
 * Returns: the verdict, as in `out`. It is allowed only if the cache decided so. Its status is `ROBOTS_E_URL` for what
 * is no absolute URL, `ROBOTS_E_SCHEME` (SPEC 1.6), `ROBOTS_E_ARG` for NULL, `url` NULL with a length, `crawler` out
 * of range or `size` too small (then nothing is written); with an error the action is `ROBOTS_CACHE_DECIDED`. With
 * another action than that the reason is `ROBOTS_REASON_DEFER`.
 * Owner: the caller, of `out->ticket` if it is not NULL.
 * Threads: any; many may ask one cache at once. An answer from the cache takes no lock.
 * Allocates: nothing for an answer from the cache, where the URL spells its origin in lower case and ASCII; else the
 * origin's entry and the ticket.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_verdict robots_cache_check(const robots_cache *cache,
                                  uint32_t crawler,
                                  const char *url,
                                  size_t url_len,
                                  uint64_t now,
                                  robots_cache_answer *out);

/**
 * Tells what is known of one site, whatever its age: for its crawl-delay, its sitemaps or its times, which a verdict does
 * not tell.
 *
 * Parameters: `cache`; `url`, `url_len`: any URL of the site; `out`: receives the outcome, NULL where nothing is known.
 * Returns: `ROBOTS_OK`, also if nothing is known; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as for `robots_cache_check`;
 * `ROBOTS_E_ARG` for NULL. `*out` is NULL after an error.
 * Owner: the caller, who ends the outcome with `robots_outcome_free`. It does not change when the cache does.
 * Threads: any, at any time; takes no lock.
 * Allocates: a handle; the outcome is shared with the cache.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_cache_outcome(const robots_cache *cache,
                                   const char *url,
                                   size_t url_len,
                                   robots_outcome **out);

/**
 * Forgets what is known of one site. A ticket for it stays good.
 *
 * Parameters: `cache`; `url`, `url_len`: any URL of the site.
 * Returns: `ROBOTS_OK`, also if nothing was known; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as for `robots_cache_check`;
 * `ROBOTS_E_ARG` for NULL.
 * Owner: nothing is handed over.
 * Threads: any, at any time.
 * Allocates: nothing that lasts.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_cache_remove(const robots_cache *cache,
                                  const char *url,
                                  size_t url_len);

/**
 * Forgets what is known of all sites. Tickets stay good.
 *
 * Parameters: `cache`: NULL does nothing.
 * Returns: nothing.
 * Owner: nothing is handed over.
 * Threads: any, at any time.
 * Allocates: a list of what is kept, which is freed.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
void robots_cache_clear(const robots_cache *cache);

/**
 * Counts the octets of memory that the kept sites take.
 *
 * Parameters: `cache`.
 * Returns: the octets, never more than `max_bytes` of `robots_cache_new`; 0 for NULL.
 * Owner: nothing is handed over.
 * Threads: any, at any time.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_cache_bytes(const robots_cache *cache);

/**
 * Counts the sites that are kept, those that are being fetched for the first time among them.
 *
 * Parameters: `cache`.
 * Returns: how many there are; 0 for NULL.
 * Owner: nothing is handed over.
 * Threads: any, at any time.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_cache_count(const robots_cache *cache);

/**
 * Takes a record over that `robots_cache_cursor_next` gave, in this process or another, unless as new an outcome of
 * the site is kept here. Nobody is evicted for it: a full cache takes no more.
 *
 * Parameters: `cache`; `record`, `record_len`: the record, any octets.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for one of another format
 * version or of other crawlers; `ROBOTS_E_MEMORY` for one that does not fit; `ROBOTS_E_ARG` for NULL. After an error
 * the cache is as it was; go on with the next record.
 * Owner: `record` is copied.
 * Threads: any, at any time.
 * Allocates: the site's entry.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_cache_import(const robots_cache *cache,
                                  const char *record,
                                  size_t record_len);

/**
 * Adds a reference, so that one more `robots_cache_free` is needed.
 *
 * Parameters: `cache`.
 * Returns: `cache`; NULL for NULL.
 * Owner: the caller owns one reference more.
 * Threads: any; many may retain one cache at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_cache *robots_cache_retain(const robots_cache *cache);

/**
 * Gives a reference back; with the last the cache ends.
 *
 * Parameters: `cache`: NULL does nothing.
 * Returns: nothing.
 * Owner: the reference is handed back. Tickets and cursors stay good; their memory, and what they need of the cache's,
 * goes with them.
 * Threads: any; other threads may use a cache of which they hold a reference.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_cache_free(robots_cache *cache);

/**
 * Begins to list what is kept, for another process or machine: each site one record, those first that would be
 * evicted first. Sites that come meanwhile may be left out, and sites that go are; nobody is held up.
 *
 * Parameters: `cache`; `out`: receives the cursor.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_cache_cursor_free`. It keeps the cache in being.
 * Threads: any, at any time.
 * Allocates: 16 octets for each site that is kept.
 * Small parts cannot fail, see SECURITY.md.
 * Since: 0.1.0
 */
robots_status robots_cache_cursor_new(const robots_cache *cache,
                                      robots_cache_cursor **out);

/**
 * Gives the next record.
 *
 * Parameters: `cursor`.
 * Returns: a record for `robots_cache_import`; an empty string when there are no more, or for NULL.
 * Owner: the cursor; valid until the next call with it.
 * Threads: one; no other may use the cursor meanwhile. Any may use the cache.
 * Allocates: the record; the one before is freed.
 * Since: 0.1.0
 */
robots_str robots_cache_cursor_next(robots_cache_cursor *cursor);

/**
 * Ends a cursor.
 *
 * Parameters: `cursor`: NULL does nothing.
 * Returns: nothing.
 * Owner: the cursor is handed back, with its last record.
 * Threads: one; no other may use the cursor meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_cache_cursor_free(robots_cache_cursor *cursor);

/**
 * Explains what `robots_rules_parse` and `robots_rules_check` decide on a robots.txt and a URL: which line
 * decided, and why not another. For people, not for the way of every URL: the file is read each time.
 *
 * Parameters: `crawler`; `body`, `body_len`: the octets of the file, any octets, also none; `url`, `url_len`: as
 * for `robots_rules_check`; `out`: receives the explanation.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` for what is no URL (SPEC 8.5b); `ROBOTS_E_ARG` for `crawler` or `out` NULL,
 * `body` or `url` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_explanation_free`. `body`, `url` and the crawler are not needed
 * afterwards.
 * Threads: any; many may explain with one crawler at once.
 * Allocates: the explanation, and work space that is freed.
 * Since: 0.1.0
 */
robots_status robots_rules_explain(const robots_crawler *crawler,
                                   const char *body,
                                   size_t body_len,
                                   const char *url,
                                   size_t url_len,
                                   robots_explanation **out);

/**
 * Gives the verdict that is explained.
 *
 * Parameters: `explanation`.
 * Returns: the verdict, as `robots_rules_check` gives it; with `ROBOTS_E_ARG` for NULL.
 * Owner: nothing is handed over.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_verdict robots_explanation_verdict(const robots_explanation *explanation);

/**
 * Gives what a dialect decides on the same file and URL, that of the crawler or another.
 *
 * Parameters: `explanation`; `dialect`: one of `ROBOTS_DIALECT_...`.
 * Returns: the verdict of that dialect; with `ROBOTS_E_URL` where only google takes it for a URL, with
 * `ROBOTS_E_ARG` for NULL or an unknown dialect.
 * Owner: nothing is handed over.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_verdict robots_explanation_other(const robots_explanation *explanation,
                                        uint32_t dialect);

/**
 * Gives the path and query of the URL as they were compared: in canonical form (SPEC 8.6).
 *
 * Parameters: `explanation`.
 * Returns: the path, which starts with `/`; empty for NULL.
 * Owner: the explanation; valid until `robots_explanation_free`.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_explanation_path(const robots_explanation *explanation);

/**
 * Gives the product token that the groups obeyed name (SPEC 7.1).
 *
 * Parameters: `explanation`.
 * Returns: the token as the crawler spells it; `*` where the groups are for everyone; empty where no group applies,
 * or for NULL.
 * Owner: the explanation; valid until `robots_explanation_free`.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_explanation_token(const robots_explanation *explanation);

/**
 * Counts the user-agent lines that name the crawler: why their groups are obeyed.
 *
 * Parameters: `explanation`.
 * Returns: how many there are; 0 where no group applies, or for NULL.
 * Owner: nothing is handed over.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_explanation_agent_count(const robots_explanation *explanation);

/**
 * Gives one of the user-agent lines that name the crawler.
 *
 * Parameters: `explanation`; `index`: 0 to `robots_explanation_agent_count(explanation)` - 1, in the order of the
 * file; `out`: receives the line; its `size` is set.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
 * right `size` all else in `*out` is 0.
 * Owner: the text is the explanation's; valid until `robots_explanation_free`.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_explanation_agent(const robots_explanation *explanation,
                                       size_t index,
                                       robots_explained_line *out);

/**
 * Counts the rules that match.
 *
 * Parameters: `explanation`.
 * Returns: how many there are; 0 for NULL, and for a robots.txt itself where it is always allowed (SPEC 8.9).
 * Owner: nothing is handed over.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_explanation_rule_count(const robots_explanation *explanation);

/**
 * Gives one of the rules that match, the strongest first: the first decides, if any does.
 *
 * Parameters: `explanation`; `index`: 0 to `robots_explanation_rule_count(explanation)` - 1; `out`: receives the rule;
 * its `size` is set.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
 * right `size` all else in `*out` is 0.
 * Owner: the texts are the explanation's; valid until `robots_explanation_free`.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_explanation_rule(const robots_explanation *explanation,
                                      size_t index,
                                      robots_explained_rule *out);

/**
 * Gives the explanation as lines for a terminal: UTF-8, each line ended by a newline, nothing in them that a
 * terminal would obey, whatever the file and the URL hold. For people: later versions may word it otherwise.
 *
 * Parameters: `explanation`.
 * Returns: the text; empty for NULL.
 * Owner: the explanation; valid until `robots_explanation_free`.
 * Threads: any; many may read one explanation at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_explanation_text(const robots_explanation *explanation);

/**
 * Ends an explanation.
 *
 * Parameters: `explanation`: NULL does nothing.
 * Returns: nothing.
 * Owner: `explanation` is handed back; it and what was borrowed from it must not be used again.
 * Threads: any; no other may use the explanation meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_explanation_free(robots_explanation *explanation);

/**
 * Reads what else stands in a robots.txt: the lines of SPEC 9.3, 9.4 and 9.5, which have no effect on a verdict.
 * Groups that the crawler does not obey are left out.
 *
 * Parameters: `crawler`; `body`, `body_len`: the octets of the file, any octets, also none; `out`: receives the
 * lines.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `crawler` or `out` NULL, or `body` NULL with a length;
 * `ROBOTS_E_MEMORY`. Never an error because of what the file holds. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_extensions_free`. `body` and the crawler are not needed afterwards.
 * Threads: any; many may parse with one crawler at once.
 * Allocates: the lines and the rules of the file, and work space that is freed.
 * Since: 0.1.0
 */
robots_status robots_extensions_parse(const robots_crawler *crawler,
                                      const char *body,
                                      size_t body_len,
                                      robots_extensions **out);

/**
 * Counts the lines.
 *
 * Parameters: `extensions`.
 * Returns: how many there are; 0 for NULL.
 * Owner: nothing is handed over.
 * Threads: any; many may read one `robots_extensions` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_extensions_count(const robots_extensions *extensions);

/**
 * Gives one of the lines.
 *
 * Parameters: `extensions`; `index`: 0 to `robots_extensions_count(extensions)` - 1, in the order of the file; `out`: receives
 * the line; its `size` is set.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
 * right `size` all else in `*out` is 0.
 * Owner: the value is that of `extensions`; valid until `robots_extensions_free`.
 * Threads: any; many may read one `robots_extensions` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_extensions_line(const robots_extensions *extensions,
                                     size_t index,
                                     robots_extension *out);

/**
 * Gives what the file prefers to be done with what a URL gives (SPEC 9.4, 9.5). A URL that may not be fetched has no
 * preferences, nor has the robots.txt itself.
 *
 * Parameters: `extensions`; `url`, `url_len`: as for `robots_rules_check`; `out`: receives the preferences.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` for what is no URL (SPEC 8.5b); `ROBOTS_E_ARG` for `extensions` or `out` NULL, or
 * `url` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
 * Owner: the caller, who ends them with `robots_preferences_free`. `extensions` is not needed afterwards.
 * Threads: any; many may ask one `robots_extensions` at once.
 * Allocates: the preferences, and work space that is freed.
 * Since: 0.1.0
 */
robots_status robots_extensions_preferences(const robots_extensions *extensions,
                                            const char *url,
                                            size_t url_len,
                                            robots_preferences **out);

/**
 * Ends what `robots_extensions_parse` made. Preferences that came from it live on.
 *
 * Parameters: `extensions`: NULL does nothing.
 * Returns: nothing.
 * Owner: `extensions` is handed back; it and what was borrowed from it must not be used again.
 * Threads: any; no other may use it meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_extensions_free(robots_extensions *extensions);

/**
 * Gives what a response prefers: the preferences of its `Content-Usage` header field (SPEC 9.5).
 *
 * Parameters: `value`, `value_len`: the value of the field; of several such fields the values joined by ", "; any
 * octets: what is no RFC 9651 Dictionary says nothing. `out`: receives the preferences.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `out` NULL or `value` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL
 * after an error.
 * Owner: the caller, who ends them with `robots_preferences_free`. `value` is not needed afterwards.
 * Threads: any, at any time.
 * Allocates: the preferences, and work space that is freed.
 * Since: 0.1.0
 */
robots_status robots_preferences_from_header(const char *value,
                                             size_t value_len,
                                             robots_preferences **out);

/**
 * Counts the preferences. What is not listed was not spoken of, which neither permits nor forbids it.
 *
 * Parameters: `preferences`.
 * Returns: how many there are; 0 for NULL.
 * Owner: nothing is handed over.
 * Threads: any; many may read one `robots_preferences` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_preferences_count(const robots_preferences *preferences);

/**
 * Gives one of the preferences.
 *
 * Parameters: `preferences`; `index`: 0 to `robots_preferences_count(preferences)` - 1, by vocabulary, then by label;
 * `out`: receives it; its `size` is set.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
 * right `size` all else in `*out` is 0, which is no permission.
 * Owner: the label is that of `preferences`; valid until `robots_preferences_free`.
 * Threads: any; many may read one `robots_preferences` at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_preferences_get(const robots_preferences *preferences,
                                     size_t index,
                                     robots_preference *out);

/**
 * Ends preferences.
 *
 * Parameters: `preferences`: NULL does nothing.
 * Returns: nothing.
 * Owner: `preferences` is handed back; it and what was borrowed from it must not be used again.
 * Threads: any; no other may use it meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_preferences_free(robots_preferences *preferences);

/**
 * Looks over a robots.txt for its writer: what every line means, and what is wrong with it.
 *
 * Parameters: `crawler`: of it only the dialect, the size limit and the options count, since a robots.txt is for
 * everyone; `body`, `body_len`: the octets of the file, any octets, also none; `out`: receives the report.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `crawler` or `out` NULL, or `body` NULL with a length;
 * `ROBOTS_E_MEMORY`. Never an error because of what the file holds. `*out` is NULL after an error.
 * Owner: the caller, who ends the report with `robots_lint_report_free`. `body` is not needed afterwards, nor is
 * the crawler.
 * Threads: any; many may lint with one crawler at once.
 * Allocates: the report, which holds a copy of what is read of the file and at most 100 diagnostics of a kind.
 * Since: 0.1.0
 */
robots_status robots_lint(const robots_crawler *crawler,
                          const char *body,
                          size_t body_len,
                          robots_lint_report **out);

/**
 * Counts the diagnostics of a report. Of each kind the first 100 are kept.
 *
 * Parameters: `report`.
 * Returns: how many `robots_lint_report_get` gives; 0 for NULL.
 * Owner: nothing is handed over.
 * Threads: any; many may read one report at once.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_lint_report_count(const robots_lint_report *report);

/**
 * Counts the diagnostics of one severity, also those that were not kept.
 *
 * Parameters: `report`; `severity`: one of `ROBOTS_LINT_NOTE`, `ROBOTS_LINT_WARNING` and `ROBOTS_LINT_ERROR`.
 * Returns: the number; 0 for NULL or another severity.
 * Owner: nothing is handed over.
 * Threads: as for `robots_lint_report_count`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
uint64_t robots_lint_report_total(const robots_lint_report *report,
                                  uint32_t severity);

/**
 * Gives one diagnostic of a report. They stand in the order of the file; those about the file as a whole come
 * first.
 *
 * Parameters: `report`; `index`: 0 to `robots_lint_report_count(report)` - 1; `out`: receives the diagnostic; its
 * member `size` must be set.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index past the last, or a `size` that is too small. After
 * an error `*out` says nothing, or is as it was if its `size` is wrong.
 * Owner: the report; its strings are valid as long as it is.
 * Threads: as for `robots_lint_report_count`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_lint_report_get(const robots_lint_report *report,
                                     size_t index,
                                     robots_lint_diagnostic *out);

/**
 * Counts the lines that were read.
 *
 * Parameters: `report`.
 * Returns: how many `robots_lint_report_line` gives; 0 for NULL.
 * Owner: nothing is handed over.
 * Threads: as for `robots_lint_report_count`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
size_t robots_lint_report_line_count(const robots_lint_report *report);

/**
 * Gives one line of the file and what it means.
 *
 * Parameters: `report`; `number`: the line, 1 to `robots_lint_report_line_count(report)`, as verdicts and
 * diagnostics count; `out`: receives the line; its member `size` must be set.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, a line that is not there, or a `size` that is too small. After
 * an error `*out` says nothing, or is as it was if its `size` is wrong.
 * Owner: the report; its strings are valid as long as it is.
 * Threads: as for `robots_lint_report_count`.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_status robots_lint_report_line(const robots_lint_report *report,
                                      size_t number,
                                      robots_lint_line *out);

/**
 * Gives the report as text in the manner of compilers: each diagnostic with its line and a mark below it, then a
 * summary. Of each kind the first ten are shown.
 *
 * Parameters: `report`.
 * Returns: UTF-8 without control characters but line ends, in which the file is called "robots.txt"; an empty
 * string for NULL, and where there is no memory for it: ask again.
 * Owner: the report; valid as long as it is.
 * Threads: as for `robots_lint_report_count`.
 * Allocates: the text, when it is first asked for.
 * Since: 0.1.0
 */
robots_str robots_lint_report_text(const robots_lint_report *report);

/**
 * Ends a report.
 *
 * Parameters: `report`: NULL does nothing.
 * Returns: nothing.
 * Owner: `report` is handed back and must not be used again, nor its strings.
 * Threads: any; no other may use the report meanwhile.
 * Allocates: nothing.
 * Since: 0.1.0
 */
void robots_lint_report_free(robots_lint_report *report);

/**
 * Says in a few words what a kind of diagnostic is.
 *
 * Parameters: `code`: the kind, such as 51.
 * Returns: its title; an empty string for a number that is no kind.
 * Owner: the library; valid for ever.
 * Threads: any, at any time.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_lint_title(uint32_t code);

/**
 * Explains a kind of diagnostic: what it means and what to do.
 *
 * Parameters: `code`: the kind, such as 51.
 * Returns: some sentences; an empty string for a number that is no kind.
 * Owner: the library; valid for ever.
 * Threads: any, at any time.
 * Allocates: nothing.
 * Since: 0.1.0
 */
robots_str robots_lint_explanation(uint32_t code);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  /* LIBROBOTS_H */
