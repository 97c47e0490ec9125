/*
 * librobots: which URLs a robots.txt allows a crawler to fetch.
 *
 * Create one crawler, parse each robots.txt with it, then check each URL:
 *
 *     robots_crawler *crawler;
 *     robots_rules *rules;
 *     if (robots_crawler_new("ExampleBot", 10, &crawler) != ROBOTS_OK) ...
 *     if (robots_rules_parse(crawler, body, body_len, &rules) != ROBOTS_OK) ...
 *     if (ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, url, url_len))) ...
 *     robots_rules_free(rules);
 *     robots_crawler_free(crawler);
 *
 * Contents:
 *
 *      1. Status, strings and version       robots_status, robots_str
 *      2. Crawler                           robots_crawler
 *      3. Rules and verdicts                robots_verdict, robots_rules, robots_rule
 *      4. Images
 *      5. Origins                           robots_origin
 *      6. Fetch                             robots_fetch
 *      7. Outcomes of fetches               robots_outcome
 *      8. Cache                             robots_cache, robots_cache_answer, robots_ticket, robots_cache_cursor
 *      9. Extensions and usage preferences  robots_extensions, robots_preferences, robots_extension, robots_preference
 *     10. Page controls                     robots_page_controls, robots_page_rule
 *     11. Explanations                      robots_explanation, robots_explained_line, robots_explained_rule
 *     12. Lint                              robots_lint_report, robots_lint_diagnostic, robots_lint_line
 *
 * What holds unless the comment of a type or a function says otherwise:
 *
 * - Parameters: strings are a pointer and a length, any bytes; with length 0 the pointer is ignored. A string or handle
 *   that is passed in is copied or not needed after the call.
 * - NULL: a NULL handle, a NULL `out`, or a NULL string with a length is ROBOTS_E_ARG. Functions without a status return 0
 *   or an empty string for it. Freeing NULL does nothing.
 * - Returns: a function that can fail returns a robots_status. It sets `*out` to a safe value first: NULL, or zeros in a
 *   struct with a valid `size`. A verdict with an error allows nothing. Misuse never permits a fetch.
 * - Owner: the caller owns a handle that it receives through `out` and frees it with the type's `_free`. A robots_str that
 *   a function returns belongs to the object; it is valid until the object is freed. Nothing else is to be freed.
 * - Threads: a function may be called from any thread. Many threads may use one `const T *` at the same time. During a call
 *   with `T *` no other thread may use that object.
 * - Allocates: functions that create a handle allocate it and work space that is freed; all others allocate nothing.
 * - Out of memory: ROBOTS_E_MEMORY, and nothing leaks. "May abort when out of memory": an allocation of at most 1 KiB, or
 *   the growing table of a cache, ends the process if it fails, as Rust's standard library does; SECURITY.md lists them.
 * - Since: 0.1.0. Numbers are never renumbered; later versions only add functions and constants.
 *
 * Linking: a plugin that contains librobots.a keeps its functions to itself with -Wl,--exclude-libs,librobots.a, so that two
 * copies in one process do not mix. Unloading: a thread that used a cache has a destructor in the library, so glibc keeps
 * the library loaded after dlclose until that thread ends; for the main thread that is until the process ends.
 *
 * "SPEC 8.7" is a row of the specification: librobots-spec(7).
 *
 * This file is generated: change the source and run `make header`.
 */

#ifndef LIBROBOTS_H
#define LIBROBOTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* =====================================================================================================================
 * 1. Status, strings and version
 * ===================================================================================================================== */

/** The version of this header: major, minor, patch, and all in one number. `robots_version` is that of the library. */
#define ROBOTS_VERSION_MAJOR 0
#define ROBOTS_VERSION_MINOR 1
#define ROBOTS_VERSION_PATCH 0
#define ROBOTS_VERSION_NUMBER 1000

/**
 * The result of a function that can fail: `ROBOTS_OK` (0) or one of the positive `ROBOTS_E_...`. Numbers are never
 * renumbered; later versions may add some.
 */
typedef int32_t robots_status;

/** A borrowed string: `len` bytes at `ptr`, not NUL-terminated. `ptr` is NULL only if `len` is 0. */
typedef struct {
  /** The first byte. */
  const char *ptr;
  /** The number of bytes. */
  size_t len;
} robots_str;

/** Status: success. */
#define ROBOTS_OK 0
/** Status: NULL where a pointer is needed, an unknown option, or a value out of its range. */
#define ROBOTS_E_ARG 1
/** Status: not a product token (SPEC 7.6). */
#define ROBOTS_E_TOKEN 2
/** Status: not a URL that can be checked (SPEC 8.5b), or for an outcome a URL of another site. */
#define ROBOTS_E_URL 3
/** Status: out of memory, or over the limit of a cache. */
#define ROBOTS_E_MEMORY 4
/** Status: a defect of the library. The library stays usable; please report it. */
#define ROBOTS_E_PANIC 5
/** Status: a damaged image or record. */
#define ROBOTS_E_IMAGE 6
/** Status: an image or record of another format version, byte order or crawler. */
#define ROBOTS_E_IMAGE_FORMAT 7
/** Status: a URL with a scheme other than http, https and ftp (SPEC 1.6). */
#define ROBOTS_E_SCHEME 8
/**
 * Status: too early or too late: an event at the wrong step of a fetch, a setting of a cache in use, a finished
 * ticket.
 */
#define ROBOTS_E_STATE 9

/**
 * Returns one English sentence that says what a status means and what to do.
 *
 * Parameters: `status`: any number; one that is no status gets a sentence that says so.
 * Returns: a NUL-terminated string, never NULL.
 * Owner: the library; valid until it is unloaded.
 */
const char *robots_status_text(robots_status status);

/**
 * Returns the version of the library as one number. Compare it with `ROBOTS_VERSION_NUMBER`, the version of this
 * header.
 *
 * Returns: major * 1000000 + minor * 1000 + patch; 0.1.0 is 1000.
 */
uint32_t robots_version_number(void);

/**
 * Returns the version of the library as text.
 *
 * Returns: a NUL-terminated string such as "0.1.0", never NULL.
 * Owner: the library; valid until it is unloaded.
 */
const char *robots_version(void);

/* =====================================================================================================================
 * 2. Crawler
 * ===================================================================================================================== */

/**
 * A crawler: its product tokens, its dialect, its limits and its fetch policy.
 *
 * Owner: created by `robots_crawler_new` or `robots_crawler_preset`, freed by `robots_crawler_free`.
 * Threads: set it up in one thread; then any number of threads may use it at once.
 * Allocates: the functions that create it. No function aborts when out of memory.
 */
typedef struct robots_crawler robots_crawler;

/** Option: the dialect, one of `ROBOTS_DIALECT_...`; default: `ROBOTS_DIALECT_RFC9309`. */
#define ROBOTS_OPT_DIALECT 1
/** Option: how many bytes of a robots.txt are read, 512000 to 1073741824; default: 512000. */
#define ROBOTS_OPT_MAX_BYTES 2
/** Option: 1 to ignore `*` groups; default: 0. */
#define ROBOTS_OPT_IGNORE_STAR 3
/**
 * Option: 1 to apply the groups of all product tokens together, as Google's matcher does; 0 to apply those of the
 * first token that the file names; default: 0.
 */
#define ROBOTS_OPT_MERGE_TOKENS 4
/** Option: 1 if a crawl-delay line ends a run of user-agent lines; default: 0. */
#define ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS 5

/** Dialect: RFC 9309. */
#define ROBOTS_DIALECT_RFC9309 0
/** Dialect: the results of Google's open-source matcher. */
#define ROBOTS_DIALECT_GOOGLE 1
/** Dialect: Koster's draft of 1996. */
#define ROBOTS_DIALECT_KOSTER1996 2

/**
 * Creates a crawler with one product token.
 *
 * Parameters: `token`, `token_len`: the bare product token, such as "ExampleBot": letters, digits, `.`, `_` and `-`, 1
 * to 1024 bytes (SPEC 7.6). `out`: receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token, such as a whole User-Agent header:
 * `robots_token_from_user_agent` finds the token in one;
 * `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_crawler_new(const char *token, size_t token_len, robots_crawler **out);

/**
 * Finds the product token in a User-Agent header (SPEC 7.6): the first product that is not a browser's. In a comment only
 * the products after `compatible;` count.
 *
 * Parameters: `header`, `header_len`: such as "Mozilla/5.0 (compatible; ExampleBot/1.0)". `out`: receives the token.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the header has no such product; `ROBOTS_E_ARG`. After an error `out` is
 * empty.
 * Owner: the caller; the token is a part of `header`.
 */
robots_status robots_token_from_user_agent(const char *header,
                                           size_t header_len,
                                           robots_str *out);

/**
 * Creates a crawler without a product token: only the `*` groups apply to it (SPEC 7.4).
 *
 * Parameters: `out`: receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_crawler_new_without_token(robots_crawler **out);

/**
 * Creates a crawler with the published settings of a well-known crawler: product tokens in order of preference,
 * dialect, and whether it ignores `*` groups. Operators change these settings from time to time.
 *
 * Parameters: `name`, `name_len`: such as "Googlebot-Image"; case does not matter. `out`: receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the name is unknown: use `robots_crawler_new`; `ROBOTS_E_ARG`;
 * `ROBOTS_E_MEMORY`.
 */
robots_status robots_crawler_preset(const char *name, size_t name_len, robots_crawler **out);

/**
 * Adds a product token. It applies if no group of a robots.txt names an earlier token (SPEC 7.1).
 *
 * Parameters: `token`, `token_len`: as for `robots_crawler_new`, in the crawler's dialect (`ROBOTS_DIALECT_GOOGLE`:
 * letters, `_` and `-` only; `ROBOTS_DIALECT_KOSTER1996`: a token of RFC 1945 but `*`).
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token; `ROBOTS_E_ARG`, also for a 65th token;
 * `ROBOTS_E_MEMORY`. After an error the crawler is unchanged.
 * Allocates: room for the token.
 */
robots_status robots_crawler_add_token(robots_crawler *crawler, const char *token, size_t token_len);

/**
 * Sets an option. Rules that were parsed before do not change.
 *
 * Parameters: `option`: one of `ROBOTS_OPT_...`, also those of the section "Fetch". `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_TOKEN` if a token
 * of the crawler is not valid in the new dialect. After an error the crawler is unchanged.
 */
robots_status robots_crawler_set(robots_crawler *crawler, uint32_t option, uint64_t value);

/** Frees a crawler. Rules that were parsed with it stay valid. */
void robots_crawler_free(robots_crawler *crawler);

/* =====================================================================================================================
 * 3. Rules and verdicts
 * ===================================================================================================================== */

/**
 * The result of checking one URL, in one word: bit 0 allowed; bits 8-15 reason (`ROBOTS_REASON_...`); bits 16-31
 * status (`ROBOTS_OK` or `ROBOTS_E_...`); bits 32-63 the line of the deciding rule, from 1 (0: no rule decided). If
 * the status is not `ROBOTS_OK`, the allowed bit is 0. Read it with `ROBOTS_VERDICT_ALLOWED` and the other macros.
 */
typedef uint64_t robots_verdict;

/** The parts of a `robots_verdict`. */
#define ROBOTS_VERDICT_ALLOWED(v) ((int)((v) & 1u))
#define ROBOTS_VERDICT_REASON(v) ((uint32_t)(((v) >> 8) & 0xFFu))
#define ROBOTS_VERDICT_STATUS(v) ((robots_status)(((v) >> 16) & 0xFFFFu))
#define ROBOTS_VERDICT_LINE(v) ((uint32_t)((v) >> 32))

/**
 * The rules of a robots.txt, compiled for one crawler: one block of memory, immutable and reference-counted.
 *
 * Owner: created by `robots_rules_parse` and others, freed by `robots_rules_free`.
 * Threads: any number of threads may use it at once. Checking a URL takes no lock.
 * Allocates: the functions that create it. No function aborts when out of memory.
 */
typedef struct robots_rules robots_rules;

/** One rule that can decide. Set `size` to `sizeof(robots_rule)` before each call. */
typedef struct {
  /** `sizeof(robots_rule)`; later versions add fields at the end only. */
  size_t size;
  /**
   * The path in canonical form (SPEC 8.6), as it is compared: `*` is the wildcard and a final `$` the end of the URL, but
   * not in koster1996. Any bytes. A pattern with more `*` than it needs is an equivalent one of the same length.
   */
  robots_str pattern;
  /** The number of the line, from 1; 0 for a site-wide rule that no line states. */
  uint32_t line;
  /** 1 if the rule allows, 0 if it disallows. */
  uint32_t allow;
} robots_rule;

/** Reason: no decision, because of an error. */
#define ROBOTS_REASON_NONE 0
/** Reason: an allow rule decided. */
#define ROBOTS_REASON_RULE_ALLOWED 1
/** Reason: a disallow rule decided. */
#define ROBOTS_REASON_RULE_DISALLOWED 2
/** Reason: a group applies to the crawler, but none of its rules matches. */
#define ROBOTS_REASON_NO_RULE 3
/** Reason: no group applies to the crawler. */
#define ROBOTS_REASON_NO_GROUP 4
/** Reason: the URL is the robots.txt itself. */
#define ROBOTS_REASON_ROBOTS_TXT 5
/** Reason: the whole site is allowed; there is no file. */
#define ROBOTS_REASON_ALLOW_ALL 6
/** Reason: the whole site is disallowed. */
#define ROBOTS_REASON_DISALLOW_ALL 7
/** Reason: nothing of the site may be fetched now; keep the URL and check it again later. */
#define ROBOTS_REASON_DEFER 8
/** Reason: the robots.txt cannot be reached. This is no ban: keep the URL and check it again later. */
#define ROBOTS_REASON_UNREACHABLE 9

/** Batch result: the URL may not be fetched. */
#define ROBOTS_DISALLOWED 0
/** Batch result: the URL may be fetched. */
#define ROBOTS_ALLOWED 1
/** Batch result: not a URL that can be checked; do not fetch it. */
#define ROBOTS_BAD_URL 2

/**
 * Returns one English sentence that says what a reason means and, if the URL is not allowed, whether to drop or keep it.
 *
 * Parameters: `reason`: any number, such as `ROBOTS_VERDICT_REASON(verdict)`; one that is no reason gets a sentence
 * that says so.
 * Returns: a NUL-terminated string, never NULL.
 * Owner: the library; valid until it is unloaded.
 */
const char *robots_reason_text(uint32_t reason);

/**
 * Parses a robots.txt for a crawler and compiles the rules that apply to it.
 *
 * Parameters: `body`, `body_len`: the bytes of the file, any bytes, also none, after its content coding is undone.
 * `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error (SPEC 4.3), so
 * bytes that are still compressed allow every URL; `robots_outcome_from_status` reports them as unreachable (SPEC 2.17).
 * A fetch that failed has no file, which is not an empty one: pass its status to that function.
 * Allocates: the rules, one block that is usually smaller than the file, and work space that is freed.
 */
robots_status robots_rules_parse(const robots_crawler *crawler,
                                 const char *body,
                                 size_t body_len,
                                 robots_rules **out);

/**
 * Creates rules that allow every URL (SPEC 2.5).
 *
 * Parameters: `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_rules_allow_all(robots_rules **out);

/**
 * Creates rules that disallow every URL (SPEC 2.6) except /robots.txt (SPEC 8.9).
 *
 * Parameters: `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_rules_disallow_all(robots_rules **out);

/**
 * Checks one URL: may the crawler fetch it, why, and by which line (SPEC 8). Takes no lock.
 *
 * Parameters: `url`, `url_len`: an absolute URL (its path and query count) or a path that starts with `/`; any
 * bytes, any length. Pass the URL that the client requests, as its URL library normalised it: dot segments such as
 * `/a/../b` are not resolved.
 * Returns: a verdict. Its status is `ROBOTS_E_URL` if `url` is not a URL, `ROBOTS_E_ARG`, or `ROBOTS_E_MEMORY` for a
 * canonical path of more than 64 KiB; then it is not allowed.
 * Allocates: nothing, or for a canonical path of more than 64 KiB or hostile rules work space that is freed.
 */
robots_verdict robots_rules_check(const robots_rules *rules, const char *url, size_t url_len);

/**
 * Checks one URL by a robots.txt and keeps nothing: the verdict of `robots_rules_parse` and `robots_rules_check`,
 * in a fraction of their time. For several URLs of a site, parse once.
 *
 * Parameters: `body`, `body_len`: as for `robots_rules_parse`. `url`, `url_len`: as for `robots_rules_check`.
 * Returns: a verdict as from `robots_rules_check`.
 * Allocates: nothing, or work space that is freed: for a canonical path of more than 64 KiB, for a rule that is not
 * written in canonical form and has 512 bytes or more in it, and for hostile rules.
 */
robots_verdict robots_check_once(const robots_crawler *crawler,
                                 const char *body,
                                 size_t body_len,
                                 const char *url,
                                 size_t url_len);

/**
 * Checks many URLs. URL i is `text[offsets[i]]` to `text[offsets[i + 1]]`, the layout of strings in Apache Arrow.
 *
 * Parameters: `text`: the URLs, one after the other. `offsets`: `count + 1` offsets into `text` that never decrease.
 * `count`: the number of URLs; with 0 `offsets` and `verdicts` may be NULL. `verdicts`: receives `count` results:
 * `ROBOTS_DISALLOWED`, `ROBOTS_ALLOWED` or `ROBOTS_BAD_URL`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL or offsets that decrease: then every result is `ROBOTS_DISALLOWED`.
 */
robots_status robots_rules_check_batch(const robots_rules *rules,
                                       const char *text,
                                       const uint32_t *offsets,
                                       size_t count,
                                       uint8_t *verdicts);

/**
 * Checks many URLs, with 64-bit offsets for texts of 4 GiB and more.
 *
 * Parameters: as for `robots_rules_check_batch`, with offsets of 64 bits.
 * Returns: as for `robots_rules_check_batch`.
 */
robots_status robots_rules_check_batch64(const robots_rules *rules,
                                         const char *text,
                                         const uint64_t *offsets,
                                         size_t count,
                                         uint8_t *verdicts);

/**
 * Returns the crawl-delay of the groups that apply to the crawler (SPEC 9.2).
 *
 * Returns: seconds, 0 or more; the longest if there are several; NaN if there is none, or for NULL.
 */
double robots_rules_crawl_delay(const robots_rules *rules);

/** Returns the number of sitemaps in the file (SPEC 9.1). */
size_t robots_rules_sitemap_count(const robots_rules *rules);

/**
 * Returns one sitemap of the file, as it is written (SPEC 9.1).
 *
 * Parameters: `index`: 0 to `robots_rules_sitemap_count(rules)` - 1, in the order of the file.
 * Returns: the address; empty for an index out of range.
 */
robots_str robots_rules_sitemap(const robots_rules *rules, size_t index);

/**
 * Returns the number of rules that can decide, for callers that show them. Not a way to a verdict:
 * `robots_rules_check` is. Left out are rules that never decide: equal to an earlier one, without a path, or with a
 * path that matches no URL (SPEC 8.5). In google a rule for `/index.htm` is followed by its directory (SPEC 8.10).
 * Rules that disallow the whole site are one rule, `/`.
 *
 * Parameters: `out`: receives the number; 0 after an error.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`, also for patterns of more than 64 MiB.
 * Allocates: the list, at the first call of this function or `robots_rules_rule`; the rules keep it.
 */
robots_status robots_rules_rule_count(const robots_rules *rules, size_t *out);

/**
 * Returns one of the rules that can decide.
 *
 * Parameters: `index`: 0 to the number of `robots_rules_rule_count` - 1, in the order of the file. `out`: receives the
 * rule; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small;
 * `ROBOTS_E_MEMORY`.
 * Owner: the pattern belongs to the rules.
 * Allocates: as for `robots_rules_rule_count`.
 */
robots_status robots_rules_rule(const robots_rules *rules, size_t index, robots_rule *out);

/**
 * Adds a reference: one more `robots_rules_free` is needed.
 *
 * Returns: `rules`; NULL for NULL, and at 2^63 - 1 references (2^31 - 1 on 32-bit machines).
 * Owner: the caller has one more reference.
 */
robots_rules *robots_rules_retain(const robots_rules *rules);

/**
 * Releases a reference. The last one frees the rules and everything borrowed from them.
 *
 * Threads: other threads may use the rules if they have a reference of their own.
 */
void robots_rules_free(robots_rules *rules);

/**
 * Returns the compiled rules as one flat block of bytes. Store it, send it, or check URLs on it in place with
 * `robots_image_check`.
 *
 * Returns: the image; empty for NULL.
 */
robots_str robots_rules_image(const robots_rules *rules);

/* =====================================================================================================================
 * 4. Images
 * ===================================================================================================================== */

/*
 * An image is the flat block of bytes of robots_rules_image: position-independent, for any memory, such as a
 * mapped file, a database row or an object of a garbage collector. The functions that check URLs on an image also accept
 * one that was not validated: every read is checked. A damaged image gives an error or a wrong result, nothing worse.
 * No other thread may write to the image during a call.
 */

/**
 * Creates rules from an image. The image is validated (see `robots_image_validate`) and copied.
 *
 * Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine. `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image; `ROBOTS_E_IMAGE_FORMAT` for another format version or
 * byte order; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: the rules.
 */
robots_status robots_rules_from_image(const char *image, size_t len, robots_rules **out);

/**
 * Validates an image from an untrusted source: its header, its checksum and every offset in it.
 *
 * Parameters: `image`, `len`: any bytes.
 * Returns: `ROBOTS_OK`: no check of a URL on it fails because of the image; `ROBOTS_E_IMAGE` for a damaged image;
 * `ROBOTS_E_IMAGE_FORMAT` for another format version or byte order; `ROBOTS_E_ARG`.
 * Allocates: work space that is freed.
 */
robots_status robots_image_validate(const char *image, size_t len);

/**
 * Checks one URL on an image in the caller's memory, such as a mapped file or a database row.
 *
 * Parameters: `image`, `len`: an image. `url`, `url_len`: as for `robots_rules_check`.
 * Returns: a verdict as from `robots_rules_check`; its status may also be `ROBOTS_E_IMAGE` or `ROBOTS_E_IMAGE_FORMAT`.
 */
robots_verdict robots_image_check(const char *image, size_t len, const char *url, size_t url_len);

/**
 * Checks many URLs on an image in the caller's memory.
 *
 * Parameters: `image`, `len`: an image. The others as for `robots_rules_check_batch`.
 * Returns: as for `robots_rules_check_batch`; every result for a damaged image is `ROBOTS_BAD_URL`.
 */
robots_status robots_image_check_batch(const char *image,
                                       size_t len,
                                       const char *text,
                                       const uint32_t *offsets,
                                       size_t count,
                                       uint8_t *verdicts);

/**
 * Checks many URLs on an image in the caller's memory, with 64-bit offsets for texts of 4 GiB and more.
 *
 * Parameters: as for `robots_image_check_batch`, with offsets of 64 bits.
 * Returns: as for `robots_image_check_batch`.
 */
robots_status robots_image_check_batch64(const char *image,
                                         size_t len,
                                         const char *text,
                                         const uint64_t *offsets,
                                         size_t count,
                                         uint8_t *verdicts);

/**
 * Returns the verdict of an image that does not depend on the URL, so that a binding need not call for each URL.
 *
 * Parameters: `image`, `len`: an image.
 * Returns: the verdict on every URL except /robots.txt if the image has a site-wide rule or no group applies; 0 if the
 * verdict depends on the URL; a verdict with a status if it is not an image.
 */
robots_verdict robots_image_site_verdict(const char *image, size_t len);

/**
 * Returns the crawl-delay in an image (SPEC 9.2).
 *
 * Parameters: `image`, `len`: an image.
 * Returns: seconds, as `robots_rules_crawl_delay`; NaN if there is none, or if it is not an image.
 */
double robots_image_crawl_delay(const char *image, size_t len);

/**
 * Returns the number of sitemaps in an image (SPEC 9.1).
 *
 * Parameters: `image`, `len`: an image.
 * Returns: the number; 0 if it is not an image.
 */
size_t robots_image_sitemap_count(const char *image, size_t len);

/**
 * Returns one sitemap in an image (SPEC 9.1).
 *
 * Parameters: `image`, `len`: an image. `index`: 0 to `robots_image_sitemap_count(image, len)` - 1.
 * Returns: the address; empty for an index out of range, or if it is not an image.
 * Owner: the image; valid as long as it is.
 */
robots_str robots_image_sitemap(const char *image, size_t len, size_t index);

/* =====================================================================================================================
 * 5. Origins
 * ===================================================================================================================== */

/**
 * The origin of a URL: scheme, host and port (SPEC 1). Immutable.
 *
 * Owner: created by `robots_origin_new`, freed by `robots_origin_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it. It may abort when out of memory.
 */
typedef struct robots_origin robots_origin;

/**
 * Creates the origin of a URL.
 *
 * Parameters: `url`, `url_len`: an absolute URL; its path and query may be any bytes. `out`: receives the origin.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` for a scheme other than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` if
 * `url` is not an absolute URL with a valid host; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_origin_new(const char *url, size_t url_len, robots_origin **out);

/**
 * Returns the origin as text: scheme and host in lower case, the host in Punycode, and the port unless it is the
 * scheme's default port; such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). Equal keys are equal
 * origins.
 *
 * Returns: the key; empty for NULL.
 */
robots_str robots_origin_key(const robots_origin *origin);

/**
 * Returns the URL of the origin's robots.txt (SPEC 1.1).
 *
 * Returns: the URL; empty for NULL.
 */
robots_str robots_origin_robots_url(const robots_origin *origin);

/**
 * Checks whether a URL has this origin, so that the origin's robots.txt applies to it (SPEC 1.2).
 *
 * Parameters: `url`, `url_len`: any bytes.
 * Returns: 1 if it has, else 0; 0 for NULL, and if `url` is not an absolute URL.
 * Allocates: usually nothing; work space that is freed if the authority of the URL has capitals, a user name, an
 * address or a name that is not ASCII.
 */
uint32_t robots_origin_governs(const robots_origin *origin, const char *url, size_t url_len);

/** Frees an origin and everything borrowed from it. */
void robots_origin_free(robots_origin *origin);

/* =====================================================================================================================
 * 6. Fetch
 * ===================================================================================================================== */

/*
 * The fetch policy as a state machine: redirects, 304, Retry-After, outages and old copies. The caller provides the
 * HTTP client and the clock:
 *
 *     while ((step = robots_fetch_step(fetch)) != ROBOTS_STEP_DONE)
 *         report the event that the step names;
 *     robots_fetch_outcome(fetch, &outcome);
 *
 * The options of this section are set for a crawler (robots_crawler_set) or for one fetch (robots_fetch_set). An option
 * that is not set has the default of the dialect, also after a later change of dialect.
 */

/**
 * One retrieval of a robots.txt, without I/O: a state machine. `robots_fetch_step` returns what it waits for; the
 * caller reports what its HTTP client received.
 *
 * Owner: created by `robots_fetch_new` or `robots_ticket_fetch`, freed by `robots_fetch_free`.
 * Threads: one thread at a time.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_fetch robots_fetch;

/**
 * The result of a fetch, for one or more crawlers: rules or a site-wide rule, the cause, and the times until it is
 * valid. Immutable and reference-counted.
 *
 * Owner: created by `robots_fetch_outcome` and others, freed by `robots_outcome_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_outcome robots_outcome;

/** Option: how many redirects in a row are followed, 0 to 20; default: 5; koster1996: 20. */
#define ROBOTS_OPT_MAX_REDIRECTS 16
/**
 * Option: the outcome of 401 and 403: `ROBOTS_OUTCOME_ALLOW_ALL`, `_DISALLOW_ALL`, `_DEFER` or `_UNREACHABLE`; with
 * the last two they count as unreachable; default: allow all; koster1996: disallow all.
 */
#define ROBOTS_OPT_ON_FORBIDDEN 17
/** Option: the outcome of 429, as above; with allow all it counts like 404; default: unreachable; koster1996: defer. */
#define ROBOTS_OPT_ON_TOO_MANY_REQUESTS 18
/**
 * Option: the outcome of 500 to 599, as above; with allow all they count like 404; default: unreachable; koster1996:
 * defer.
 */
#define ROBOTS_OPT_ON_SERVER_ERROR 19
/** Option: the outcome of every other failure, as above; default: unreachable; koster1996: defer. */
#define ROBOTS_OPT_ON_UNREACHABLE 20
/** Option: 1 to treat 500 to 599 like 404, for a site that is known to send them for missing pages; default: 0. */
#define ROBOTS_OPT_SERVER_ERROR_IS_MISSING 21
/**
 * Option: the freshness lifetime in seconds if the headers give none, 1 to 315360000 (ten years); default: 86400;
 * koster1996: 604800.
 */
#define ROBOTS_OPT_DEFAULT_TTL 22
/**
 * Option: the shortest freshness lifetime and the shortest wait in seconds, whatever the headers and `Retry-After`
 * give, 0 to 315360000; default: 300.
 */
#define ROBOTS_OPT_MIN_TTL 23
/**
 * Option: the longest freshness lifetime in seconds, whatever the headers give, 1 to 315360000; it overrides
 * `ROBOTS_OPT_MIN_TTL`; default: 86400; google and koster1996: 2592000.
 */
#define ROBOTS_OPT_MAX_TTL 24
/**
 * Option: the wait in seconds after a first failure, 1 to 315360000; later waits are as long as the outage so far, up
 * to a day and up to `ROBOTS_OPT_DEFAULT_TTL`; a `Retry-After` makes them longer, never shorter; default: 600.
 */
#define ROBOTS_OPT_FAILURE_TTL 25
/**
 * Option: the longest wait in seconds that a `Retry-After` can set, 0 to 315360000; `ROBOTS_OPT_MIN_TTL` overrides it;
 * default: 86400.
 */
#define ROBOTS_OPT_MAX_RETRY_AFTER 26
/**
 * Option: after how many seconds an unreachable site without a copy is allowed as a whole, 0 to 315360000; default:
 * 2592000 (30 days); koster1996: 4294967295, which is never.
 */
#define ROBOTS_OPT_UNREACHABLE_TTL 27
/**
 * Option: 1 to keep using a copy of up to 24 hours when the file is missing, 0 to allow the site at once; default: 0.
 */
#define ROBOTS_OPT_MISSING_KEEPS_COPY 28
/** Option: the longest lifetime in seconds of an outcome without a file, 1 to 315360000; default: 21600 (6 hours). */
#define ROBOTS_OPT_MISSING_TTL 29
/**
 * Option: the outcome of a redirect that leads nowhere, as above, for a site without a copy (SPEC 2.3, 2.15): no usable
 * target, a loop, too many redirects, or a refused one; default: allow all; koster1996: defer for a loop and too many.
 */
#define ROBOTS_OPT_ON_BAD_REDIRECT 30
/**
 * Option: 0 to refuse a redirect to a literal address that is not global (such as 127.0.0.1) or to `localhost`, unless
 * the host of the first URL is one itself; 1 to follow it; default: 0. The caller refuses host names that resolve to
 * such an address.
 */
#define ROBOTS_OPT_NON_GLOBAL_REDIRECTS 31
/**
 * Option: 1 to fetch nothing while the site is unreachable, also with a copy, which waits for the end of the outage or for
 * `ROBOTS_OPT_UNREACHABLE_TTL`; 0 to keep using the copy (SPEC 2.11); default: 0.
 */
#define ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY 32

/**
 * Step: send a GET for `robots_fetch_url` with the request headers, do not follow redirects, then call
 * `robots_fetch_status`.
 */
#define ROBOTS_STEP_GET 0
/** Step: call `robots_fetch_header` for each header, then `robots_fetch_headers_end`. */
#define ROBOTS_STEP_HEADERS 1
/** Step: pass the decoded body to `robots_fetch_body`, in pieces of any size, then call `robots_fetch_end`. */
#define ROBOTS_STEP_BODY 2
/** Step: `robots_fetch_outcome` has the outcome; ignore the rest of the response. */
#define ROBOTS_STEP_DONE 3

/** Failure: the host has no address. */
#define ROBOTS_FAILURE_DNS 1
/** Failure: no connection. */
#define ROBOTS_FAILURE_CONNECT 2
/** Failure: no secure connection. */
#define ROBOTS_FAILURE_TLS 3
/** Failure: a timeout. */
#define ROBOTS_FAILURE_TIMEOUT 4
/** Failure: the connection was reset. */
#define ROBOTS_FAILURE_RESET 5
/** Failure: the body ended early or was invalid: chunks, length, compression. */
#define ROBOTS_FAILURE_TRUNCATED 6
/** Failure: any other. */
#define ROBOTS_FAILURE_OTHER 7
/** Failure: the client cannot undo the content coding of the body, such as one that it does not know. */
#define ROBOTS_FAILURE_ENCODED_BODY 8

/**
 * Starts the retrieval of the robots.txt that governs a URL.
 *
 * Parameters: `crawler`: its options are the fetch policy. `url`, `url_len`: any URL of the site. `now`: seconds since
 * 1970-01-01 UTC, by the caller's clock. `out`: receives the fetch.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_new`; `ROBOTS_E_ARG`, also for a
 * time after the year 9999, such as one in milliseconds (SPEC 2.18); `ROBOTS_E_MEMORY`.
 */
robots_status robots_fetch_new(const robots_crawler *crawler,
                               const char *url,
                               size_t url_len,
                               uint64_t now,
                               robots_fetch **out);

/**
 * Adds a crawler, so that one fetch serves several (SPEC 3.7). Its index in the outcome is the next; the largest size
 * limit applies. Call it before `robots_fetch_set_previous` and before the first event.
 *
 * Parameters: `crawler`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` if it is too late;
 * `ROBOTS_E_MEMORY`. After an error the fetch is unchanged.
 */
robots_status robots_fetch_add_crawler(robots_fetch *fetch, const robots_crawler *crawler);

/**
 * Sets an option for this fetch alone (SPEC 2.14).
 *
 * Parameters: `option`: one of the `ROBOTS_OPT_...` of this section. `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for another option or a value out of its range; `ROBOTS_E_STATE` if the fetch
 * is done. After an error the fetch is unchanged.
 */
robots_status robots_fetch_set(robots_fetch *fetch, uint32_t option, uint64_t value);

/**
 * Sets the previous outcome of the same site and crawlers, however old. The fetch then sends a conditional request
 * (SPEC 3.5), keeps the old rules while the file cannot be reached (SPEC 2.11), and knows since when that is so (SPEC
 * 2.12). Call it before the first event. An outcome that lies in the future of the fetch changes nothing (SPEC 2.18).
 *
 * Parameters: `outcome`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for an outcome of another site or other crawlers; `ROBOTS_E_STATE` after
 * an event. After an error the fetch is unchanged.
 * Owner: the fetch takes a reference of its own.
 */
robots_status robots_fetch_set_previous(robots_fetch *fetch, const robots_outcome *outcome);

/**
 * Returns the step of the fetch: what it waits for.
 *
 * Returns: one of `ROBOTS_STEP_...`; `ROBOTS_STEP_DONE` for NULL, so that a loop ends.
 */
uint32_t robots_fetch_step(const robots_fetch *fetch);

/**
 * Returns the URL to request: ASCII, http, https or ftp, without user name and fragment. A redirect changes it.
 *
 * Returns: the URL; empty for NULL.
 * Owner: the fetch; valid until the next `robots_fetch_headers_end` or `robots_fetch_free`.
 */
robots_str robots_fetch_url(const robots_fetch *fetch);

/**
 * Returns the number of headers to send with the request, in addition to the client's own.
 *
 * Returns: 0 to 2; 0 for NULL.
 */
size_t robots_fetch_request_header_count(const robots_fetch *fetch);

/**
 * Returns the name of a header to send: `If-None-Match` or `If-Modified-Since`.
 *
 * Parameters: `index`: 0 to `robots_fetch_request_header_count(fetch)` - 1.
 * Returns: the name; empty for an index out of range.
 * Owner: the library; valid until it is unloaded.
 */
robots_str robots_fetch_request_header_name(const robots_fetch *fetch, size_t index);

/**
 * Returns the value of a header to send. It contains no line end and no control character.
 *
 * Parameters: `index`: 0 to `robots_fetch_request_header_count(fetch)` - 1.
 * Returns: the value; empty for an index out of range.
 * Owner: the fetch; valid until the next event or `robots_fetch_free`.
 */
robots_str robots_fetch_request_header_value(const robots_fetch *fetch, size_t index);

/**
 * Reports the status of the response. Event of step `ROBOTS_STEP_GET`; `ROBOTS_STEP_HEADERS` follows.
 *
 * Parameters: `http_status`: any number. `now`: seconds since 1970-01-01 UTC; the last time that was reported dates the
 * outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`, also for a time after the year 9999. After an error the fetch is unchanged.
 */
robots_status robots_fetch_status(robots_fetch *fetch,
                                  uint32_t http_status,
                                  uint64_t now);

/**
 * Reports the final reply of an FTP server instead of a status (SPEC 2.19): 2yz is a file, 550 counts as status 404, 530
 * as 401, any other reply as an outage. Event of step `ROBOTS_STEP_GET` for an ftp URL; `ROBOTS_STEP_BODY` follows a 2yz,
 * else `ROBOTS_STEP_DONE`.
 *
 * Parameters: `reply`: any number, such as 226 or 550. `now`: as for `robots_fetch_status`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step or for another URL; `ROBOTS_E_ARG`, also for a time after the
 * year 9999. After an error the fetch is unchanged.
 * Allocates: the outcome.
 */
robots_status robots_fetch_ftp_reply(robots_fetch *fetch,
                                     uint32_t reply,
                                     uint64_t now);

/**
 * Reports one header of the response. Report all of them in their order: the fetch keeps those it needs, in any case,
 * and limits their size. Event of step `ROBOTS_STEP_HEADERS`.
 *
 * Parameters: `name`, `name_len`, `value`, `value_len`: any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. After an error the fetch
 * is unchanged.
 * Allocates: at most 8 KiB for a header that it needs.
 */
robots_status robots_fetch_header(robots_fetch *fetch,
                                  const char *name,
                                  size_t name_len,
                                  const char *value,
                                  size_t value_len);

/**
 * Reports the end of the headers. Event of step `ROBOTS_STEP_HEADERS`; `ROBOTS_STEP_BODY` follows if there is a file,
 * `ROBOTS_STEP_GET` after a redirect, else `ROBOTS_STEP_DONE`.
 *
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`. After an error the fetch is unchanged.
 * Allocates: the outcome, or the next URL; may abort when out of memory for a URL of at most 64 KiB.
 */
robots_status robots_fetch_headers_end(robots_fetch *fetch);

/**
 * Reports a piece of the body, decoded from any transfer or content encoding. At the size limit (SPEC 4.5)
 * `ROBOTS_STEP_DONE` follows: check the step before the next piece. Event of step `ROBOTS_STEP_BODY`.
 *
 * Parameters: `piece`, `piece_len`: any bytes, also none.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. After an error the fetch
 * is unchanged.
 * Allocates: room for the piece, up to the size limit in all; the outcome.
 */
robots_status robots_fetch_body(robots_fetch *fetch, const char *piece, size_t piece_len);

/**
 * Reports the complete end of the body; if the body is incomplete, call `robots_fetch_fail` instead. Event of step
 * `ROBOTS_STEP_BODY`; `ROBOTS_STEP_DONE` follows.
 *
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. After an error the fetch
 * is unchanged.
 * Allocates: the outcome.
 */
robots_status robots_fetch_end(robots_fetch *fetch);

/**
 * Reports that there is no response, or no more of it. Event of every step but `ROBOTS_STEP_DONE`, which follows.
 *
 * Parameters: `failure`: one of `ROBOTS_FAILURE_...`. `now`: as for `robots_fetch_status`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` if the fetch is done; `ROBOTS_E_ARG`, also for another number and for a time
 * after the year 9999. After an error the fetch is unchanged.
 * Allocates: the outcome.
 */
robots_status robots_fetch_fail(robots_fetch *fetch, uint32_t failure, uint64_t now);

/**
 * Returns the outcome of a fetch that is done. It stays valid without the fetch.
 *
 * Parameters: `out`: receives the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` if the fetch is not done; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: a handle; what it holds is shared.
 */
robots_status robots_fetch_outcome(const robots_fetch *fetch, robots_outcome **out);

/** Frees a fetch, at any step, and everything borrowed from it. Its outcome stays valid. */
void robots_fetch_free(robots_fetch *fetch);

/* =====================================================================================================================
 * 7. Outcomes of fetches
 * ===================================================================================================================== */

/** Outcome kind: there is a robots.txt; its rules decide. */
#define ROBOTS_OUTCOME_RULES 0
/** Outcome kind: the whole site is allowed. */
#define ROBOTS_OUTCOME_ALLOW_ALL 1
/** Outcome kind: the whole site is disallowed. */
#define ROBOTS_OUTCOME_DISALLOW_ALL 2
/** Outcome kind: nothing of the site may be fetched now; keep its URLs and check them again later. */
#define ROBOTS_OUTCOME_DEFER 3
/**
 * Outcome kind: the robots.txt cannot be reached: fetch nothing of the site now, keep its URLs and check them again
 * later. This is no ban.
 */
#define ROBOTS_OUTCOME_UNREACHABLE 4

/** Cause: there is a file. */
#define ROBOTS_CAUSE_FOUND 1
/** Cause: 304 Not Modified. */
#define ROBOTS_CAUSE_NOT_MODIFIED 2
/** Cause: there is no file: 400 to 499, or a server error that counts like 404. */
#define ROBOTS_CAUSE_MISSING 3
/** Cause: 401 or 403. */
#define ROBOTS_CAUSE_FORBIDDEN 4
/** Cause: 429. */
#define ROBOTS_CAUSE_TOO_MANY_REQUESTS 5
/** Cause: 500 to 599. */
#define ROBOTS_CAUSE_SERVER_ERROR 6
/** Cause: a status below 200 or above 599, or a 304 to an unconditional request. */
#define ROBOTS_CAUSE_ODD_STATUS 7
/** Cause: more redirects in a row than `ROBOTS_OPT_MAX_REDIRECTS`. */
#define ROBOTS_CAUSE_TOO_MANY_REDIRECTS 8
/** Cause: a redirect back to an earlier URL; one to the current URL only counts as a redirect. */
#define ROBOTS_CAUSE_REDIRECT_LOOP 9
/** Cause: a redirect without a target, or to one that is not an http or https URL. */
#define ROBOTS_CAUSE_BAD_REDIRECT 10
/** Cause: the host has no address. */
#define ROBOTS_CAUSE_DNS 11
/** Cause: no connection. */
#define ROBOTS_CAUSE_CONNECT 12
/** Cause: no secure connection. */
#define ROBOTS_CAUSE_TLS 13
/** Cause: a timeout. */
#define ROBOTS_CAUSE_TIMEOUT 14
/** Cause: the connection was reset. */
#define ROBOTS_CAUSE_RESET 15
/** Cause: the body ended early or was invalid. */
#define ROBOTS_CAUSE_TRUNCATED 16
/** Cause: any other failure. */
#define ROBOTS_CAUSE_OTHER_FAILURE 17
/** Cause: unreachable for so long that the site counts as one without a file. */
#define ROBOTS_CAUSE_UNREACHABLE_LONG 18
/** Cause: 206, a part of the file. */
#define ROBOTS_CAUSE_PARTIAL_CONTENT 19
/** Cause: the body has fewer bytes than `Content-Length` states. */
#define ROBOTS_CAUSE_SHORT_BODY 20
/** Cause: the client did not undo the content coding of the body. */
#define ROBOTS_CAUSE_ENCODED_BODY 21
/** Cause: a redirect that the client reported as the final status. */
#define ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED 22
/** Cause: a redirect that `ROBOTS_OPT_NON_GLOBAL_REDIRECTS` refuses. */
#define ROBOTS_CAUSE_NON_GLOBAL_REDIRECT 23

/** Number: the kind of the outcome, `ROBOTS_OUTCOME_RULES` to `ROBOTS_OUTCOME_UNREACHABLE`. */
#define ROBOTS_OUTCOME_KIND 1
/** Number: the cause, one of `ROBOTS_CAUSE_...`. */
#define ROBOTS_OUTCOME_CAUSE 2
/** Number: the status of the last response; 0 if there was none. */
#define ROBOTS_OUTCOME_HTTP_STATUS 3
/** Number: how many redirects were followed. */
#define ROBOTS_OUTCOME_HOPS 4
/** Number: 1 if a redirect led from https to http, where others may have changed the file. */
#define ROBOTS_OUTCOME_DOWNGRADED 5
/** Number: 1 if these are the rules of an earlier fetch that stay in use. */
#define ROBOTS_OUTCOME_STALE 6
/** Number: when the rules were fetched or last confirmed by a 304; for other kinds the end of the fetch. */
#define ROBOTS_OUTCOME_FETCHED_AT 7
/** Number: the end of the freshness lifetime; for stale rules it may be in the past. */
#define ROBOTS_OUTCOME_FRESH_UNTIL 8
/** Number: until when the outcome decides if there is nothing newer. */
#define ROBOTS_OUTCOME_USABLE_UNTIL 9
/** Number: when the next fetch is due, not earlier. */
#define ROBOTS_OUTCOME_RETRY_AT 10
/** Number: since when every fetch has failed; `UINT64_MAX` after a response. */
#define ROBOTS_OUTCOME_UNREACHABLE_SINCE 11

/** Text: the key of the site, such as "https://example.com". */
#define ROBOTS_OUTCOME_ORIGIN 32
/** Text: the URL of the last request, after all redirects; for rules that of the request they came from. */
#define ROBOTS_OUTCOME_FINAL_URL 33
/** Text: the `ETag` of the rules; empty if there is none. */
#define ROBOTS_OUTCOME_ETAG 34
/** Text: the `Last-Modified` of the rules; empty if there is none. */
#define ROBOTS_OUTCOME_LAST_MODIFIED 35

/**
 * Creates the outcome of a response that is known as a whole, for a caller whose HTTP client follows redirects itself.
 * There are no headers, so the default lifetimes apply.
 *
 * Parameters: `crawler`. `url`, `url_len`: any URL of the site that was requested first. `http_status`: any number.
 * `body`, `body_len`: the file, which counts for 200 to 299. `now`: seconds since 1970-01-01 UTC. `out`: receives the
 * outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_new`; `ROBOTS_E_ARG`;
 * `ROBOTS_E_MEMORY`.
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
 * Creates an outcome from a record of `robots_outcome_encode`, made on this or another machine.
 *
 * Parameters: `crawlers`, `count`: the crawlers that the fetch was made for, 1 to 16, in their order. `record`,
 * `record_len`: any bytes. `out`: receives the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another version or other
 * crawlers: fetch the file again; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_outcome_decode(const robots_crawler **crawlers,
                                    size_t count,
                                    const char *record,
                                    size_t record_len,
                                    robots_outcome **out);

/**
 * Returns the outcome as one block of bytes, to be stored or sent; `robots_outcome_decode` reads it.
 *
 * Parameters: `out`: receives the record.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. `*out` is empty after an error.
 * Owner: the outcome; valid until it is freed.
 * Allocates: the record, at the first call; the outcome keeps it.
 */
robots_status robots_outcome_encode(const robots_outcome *outcome, robots_str *out);

/**
 * Returns one number of an outcome. All times are seconds since 1970-01-01 UTC, by the caller's clock.
 *
 * Parameters: `what`: one of `ROBOTS_OUTCOME_KIND` to `ROBOTS_OUTCOME_UNREACHABLE_SINCE`.
 * Returns: the number; 0 for an unknown `what`. For NULL the kind is `ROBOTS_OUTCOME_DEFER` and all else 0.
 */
uint64_t robots_outcome_get(const robots_outcome *outcome, uint32_t what);

/**
 * Returns one text of an outcome.
 *
 * Parameters: `what`: one of `ROBOTS_OUTCOME_ORIGIN` to `ROBOTS_OUTCOME_LAST_MODIFIED`.
 * Returns: the text; empty if there is none, for NULL and for an unknown `what`.
 */
robots_str robots_outcome_text(const robots_outcome *outcome, uint32_t what);

/**
 * Returns the rules for one of the crawlers. If the kind is not `ROBOTS_OUTCOME_RULES` they allow every URL or
 * none. For `ROBOTS_OUTCOME_DEFER` and `_UNREACHABLE` the reason is `ROBOTS_REASON_UNREACHABLE`. They do not know the
 * site and the time: `robots_outcome_check` does.
 *
 * Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0.
 * Returns: the rules; NULL for an index out of range, or for NULL.
 * Owner: the outcome; valid until it is freed. `robots_rules_retain` keeps them longer.
 */
const robots_rules *robots_outcome_rules(const robots_outcome *outcome, size_t crawler);

/**
 * Checks one URL of the site at one time. Takes no lock.
 *
 * Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0. `url`, `url_len`: an absolute
 * URL of the site, or a path that starts with `/`. `now`: seconds since 1970-01-01 UTC.
 * Returns: the verdict of the rules; `ROBOTS_REASON_DEFER`, not allowed, if the site is deferred or the outcome has
 * expired (`ROBOTS_OUTCOME_USABLE_UNTIL`) or lies in the future of `now` (SPEC 2.18). Its status is `ROBOTS_E_URL` if `url` is not a URL or has another origin,
 * or `ROBOTS_E_ARG`, also for a time after the year 9999; then it is not allowed.
 * Allocates: usually nothing, as for `robots_origin_governs`.
 */
robots_verdict robots_outcome_check(const robots_outcome *outcome,
                                    size_t crawler,
                                    const char *url,
                                    size_t url_len,
                                    uint64_t now);

/**
 * Adds a reference: one more `robots_outcome_free` is needed.
 *
 * Returns: `outcome`; NULL for NULL.
 * Owner: the caller has one more reference.
 */
robots_outcome *robots_outcome_retain(const robots_outcome *outcome);

/**
 * Releases a reference. The last one frees the outcome and everything borrowed from it.
 *
 * Threads: other threads may use the outcome if they have a reference of their own.
 */
void robots_outcome_free(robots_outcome *outcome);

/* =====================================================================================================================
 * 8. Cache
 * ===================================================================================================================== */

/**
 * The outcomes of many sites in a limited amount of memory, for one or more crawlers (SPEC 3.7). Reference-counted.
 *
 * Owner: created by `robots_cache_new`, freed by `robots_cache_free`.
 * Threads: set it up in one thread; then any number of threads may use it at once. A forked child must not use it: there
 * the functions return `ROBOTS_E_STATE`; create a cache in the child.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_cache robots_cache;

/**
 * The exclusive right to fetch the robots.txt of one origin: no other user of the cache gets one for it at that time.
 *
 * Owner: created by `robots_cache_check`, freed by `robots_ticket_free`.
 * Threads: one thread at a time; another thread may take it over.
 * Allocates: functions as noted. They may abort when out of memory.
 */
typedef struct robots_ticket robots_ticket;

/**
 * A list of the records of a cache.
 *
 * Owner: created by `robots_cache_cursor_new`, freed by `robots_cache_cursor_free`.
 * Threads: one thread at a time; others may use the cache.
 * Allocates: functions as noted.
 */
typedef struct robots_cache_cursor robots_cache_cursor;

/** What the crawler does next with a URL. Set `size` before each call. */
typedef struct {
  /** `sizeof(robots_cache_answer)`; later versions add fields at the end only. */
  size_t size;
  /** Whether the URL may be fetched; allowed only with `ROBOTS_CACHE_DECIDED`. */
  robots_verdict verdict;
  /** One of `ROBOTS_CACHE_DECIDED`, `_FETCH`, `_WAIT`, `_DEFER`. */
  uint32_t action;
  /** Always 0. */
  uint32_t reserved;
  /** For `ROBOTS_CACHE_WAIT` and `_DEFER`: when to check again, in seconds since 1970-01-01 UTC; else 0. */
  uint64_t until;
  /**
   * The caller's ticket, to be freed with `robots_ticket_free`, or NULL. `ROBOTS_CACHE_FETCH` always has one,
   * `ROBOTS_CACHE_DECIDED` sometimes, the others never.
   */
  robots_ticket *ticket;
} robots_cache_answer;

/**
 * Action: obey the verdict. If there is also a ticket, fetch the robots.txt again; the old outcome serves everybody
 * until the new one is there, at most until 24 hours after its fetch (SPEC 3.8; koster1996: 7 days).
 */
#define ROBOTS_CACHE_DECIDED 0
/**
 * Action: the cache has nothing for the site. Use the ticket: fetch the robots.txt, submit the outcome, check the URL
 * again.
 */
#define ROBOTS_CACHE_FETCH 1
/**
 * Action: another thread fetches the robots.txt, or there is no room. Check the URL again soon, at `until` at the
 * latest.
 */
#define ROBOTS_CACHE_WAIT 2
/**
 * Action: nothing of the site may be fetched before `until`, nor its robots.txt (SPEC 2.7 to 2.10). Keep the URL; the
 * reason of the verdict is `ROBOTS_REASON_UNREACHABLE` or `ROBOTS_REASON_DEFER`.
 */
#define ROBOTS_CACHE_DEFER 3

/**
 * Cache option: how many seconds a ticket is valid, 1 to 86400; default: 120. Choose more than the longest retrieval
 * with its redirects takes: after that another thread may fetch the same file.
 */
#define ROBOTS_CACHE_OPT_TICKET_TTL 1

/**
 * Creates a cache for a crawler.
 *
 * Parameters: `crawler`: copied. `max_bytes`: the memory limit in bytes, at least 65536. Everything counts: keys,
 * rules and the allocator's overhead; a small site takes about 800 bytes. `out`: receives the cache.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_cache_new(const robots_crawler *crawler, size_t max_bytes, robots_cache **out);

/**
 * Adds a crawler, so that one fetch serves several (SPEC 3.7). The crawler of `robots_cache_new` has index 0 and sets
 * the fetch policy; the next has index 1, and so on.
 *
 * Parameters: `crawler`: copied.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` if the cache has content, tickets or
 * more than one reference; `ROBOTS_E_MEMORY`. After an error the cache is unchanged.
 */
robots_status robots_cache_add_crawler(robots_cache *cache, const robots_crawler *crawler);

/**
 * Sets an option of a cache.
 *
 * Parameters: `option`: `ROBOTS_CACHE_OPT_TICKET_TTL`. `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_STATE` if the
 * cache has content, tickets or more than one reference. After an error the cache is unchanged.
 */
robots_status robots_cache_set(robots_cache *cache, uint32_t option, uint64_t value);

/**
 * Checks one URL. Reports what the crawler does next: obey a verdict, fetch the site's robots.txt, wait for another
 * thread that fetches it, or keep the URL for later. A result from the cache takes no lock.
 *
 * Parameters: `crawler`: the index of the crawler, 0 if there is only one. `url`, `url_len`: an absolute URL, any
 * bytes. `now`: seconds since 1970-01-01 UTC. `out`: receives the answer; set its `size` first.
 * Returns: the verdict, as in `out`. Only `ROBOTS_CACHE_DECIDED` can allow the URL. With another action the reason is
 * `ROBOTS_REASON_DEFER`, or `ROBOTS_REASON_UNREACHABLE` for a site that cannot be reached. Its status is
 * `ROBOTS_E_URL` if `url` is not an absolute URL, `ROBOTS_E_SCHEME` (SPEC 1.6), `ROBOTS_E_ARG`, also for a
 * time after the year 9999, `ROBOTS_E_STATE` in a forked child, or `ROBOTS_E_MEMORY`, also for a site whose robots.txt does not fit; then the action is
 * `ROBOTS_CACHE_DECIDED`. If `size` is too small nothing is written.
 * Owner: the caller frees `out->ticket` with `robots_ticket_free` unless it is NULL.
 * Allocates: nothing for a result from the cache if the URL's origin is ASCII in lower case; else the origin's entry
 * and the ticket.
 */
robots_verdict robots_cache_check(const robots_cache *cache,
                                  size_t crawler,
                                  const char *url,
                                  size_t url_len,
                                  uint64_t now,
                                  robots_cache_answer *out);

/**
 * Returns what the cache has for a site, however old: for the crawl-delay, the sitemaps or the times, which a verdict
 * does not show. Takes no lock.
 *
 * Parameters: `url`, `url_len`: any URL of the site. `out`: receives the outcome; NULL if the cache has none.
 * Returns: `ROBOTS_OK`, also if there is none; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`;
 * `ROBOTS_E_ARG`.
 * Allocates: a handle; the outcome is shared with the cache and does not change when the cache does.
 */
robots_status robots_cache_outcome(const robots_cache *cache, const char *url, size_t url_len, robots_outcome **out);

/**
 * Removes one site. A ticket for it stays valid.
 *
 * Parameters: `url`, `url_len`: any URL of the site.
 * Returns: `ROBOTS_OK`, also if the cache has nothing for it; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from
 * `robots_cache_check`; `ROBOTS_E_ARG`.
 * Allocates: work space that is freed.
 */
robots_status robots_cache_remove(const robots_cache *cache, const char *url, size_t url_len);

/**
 * Removes all sites. Tickets stay valid.
 *
 * Allocates: a list of the sites, which is freed.
 */
void robots_cache_clear(const robots_cache *cache);

/**
 * Returns the number of bytes that the sites take.
 *
 * Returns: at most `max_bytes` of `robots_cache_new`; 0 for NULL.
 */
size_t robots_cache_bytes(const robots_cache *cache);

/**
 * Returns the number of sites, including those that are being fetched for the first time.
 *
 * Returns: the number; 0 for NULL.
 */
size_t robots_cache_count(const robots_cache *cache);

/**
 * Imports a record of `robots_cache_cursor_next`, from this process or another. A newer outcome in the cache stays. A
 * full cache evicts nothing for it. The options of the cache's first crawler limit its times.
 *
 * Parameters: `record`, `record_len`: any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another format version or
 * other crawlers; `ROBOTS_E_MEMORY` if it does not fit; `ROBOTS_E_ARG`, also for a time after the year 9999. After an error
 * the cache is unchanged;
 * continue with the next record.
 * Allocates: the site's entry.
 */
robots_status robots_cache_import(const robots_cache *cache,
                                  const char *record,
                                  size_t record_len);

/**
 * Adds a reference: one more `robots_cache_free` is needed.
 *
 * Returns: `cache`; NULL for NULL.
 * Owner: the caller has one more reference.
 */
robots_cache *robots_cache_retain(const robots_cache *cache);

/**
 * Releases a reference. The last one frees the cache. Tickets and cursors stay valid and keep what they need of it.
 *
 * Threads: other threads may use the cache if they have a reference of their own.
 */
void robots_cache_free(robots_cache *cache);

/**
 * Returns the key of the origin to fetch, such as "https://example.com".
 *
 * Returns: the key; empty for NULL, and after `robots_ticket_finish`.
 * Owner: the ticket; valid until `robots_ticket_finish` or `robots_ticket_free`.
 */
robots_str robots_ticket_origin(const robots_ticket *ticket);

/**
 * Starts the retrieval, for all crawlers of the cache. The outcome in the cache, if there is one, is its previous
 * outcome (SPEC 2.11, `robots_fetch_set_previous`).
 *
 * Parameters: `now`: seconds since 1970-01-01 UTC. `out`: receives the fetch. It does not need the ticket, which stays
 * valid.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_STATE` after `robots_ticket_finish`; `ROBOTS_E_MEMORY`.
 * Allocates: the fetch.
 */
robots_status robots_ticket_fetch(const robots_ticket *ticket, uint64_t now, robots_fetch **out);

/**
 * Submits the outcome for all threads that use the cache. From a ticket that has expired it counts only if the cache
 * has nothing newer. If it lies in the future of `now` the next caller gets a ticket at once (SPEC 2.18).
 *
 * Parameters: `outcome`: from `robots_fetch_outcome`, or made otherwise for the same origin and crawlers. `now`:
 * seconds since 1970-01-01 UTC.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, another origin, other crawlers or a time after the year 9999; `ROBOTS_E_MEMORY` if it does not
 * fit into the cache; `ROBOTS_E_STATE` if the ticket was finished before. Unless an argument is NULL the ticket ends
 * in any case; with an error the cache is as if nobody had fetched.
 * Owner: `ticket` and `outcome` stay the caller's, who frees both.
 * Allocates: the origin's entry.
 */
robots_status robots_ticket_finish(robots_ticket *ticket,
                                   const robots_outcome *outcome,
                                   uint64_t now);

/** Frees a ticket. If it was not finished, the cache gives a ticket to the next caller. */
void robots_ticket_free(robots_ticket *ticket);

/**
 * Starts a list of what the cache holds, for another process or machine: one record for each site, in the order of
 * eviction. Sites that are added during the list may be missing, and sites that are removed are. Nobody is blocked.
 *
 * Parameters: `cache`. `out`: receives the cursor, which keeps the cache alive.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: 16 bytes for each site; may abort when out of memory.
 */
robots_status robots_cache_cursor_new(const robots_cache *cache, robots_cache_cursor **out);

/**
 * Returns the next record.
 *
 * Returns: a record for `robots_cache_import`; empty after the last, and for NULL.
 * Owner: the cursor; valid until the next call with it.
 * Allocates: the record; the one before is freed.
 */
robots_str robots_cache_cursor_next(robots_cache_cursor *cursor);

/** Frees a cursor and its last record. */
void robots_cache_cursor_free(robots_cache_cursor *cursor);

/* =====================================================================================================================
 * 9. Extensions and usage preferences
 * ===================================================================================================================== */

/**
 * The extension lines of a robots.txt for one crawler: those in the groups that apply to it, and those outside all
 * groups. Immutable.
 *
 * Owner: created by `robots_extensions_parse`, freed by `robots_extensions_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it: the lines and the rules. No function aborts when out of memory.
 */
typedef struct robots_extensions robots_extensions;

/**
 * The usage preferences for one URL or one response: each label of each vocabulary once. Immutable.
 *
 * Owner: created by `robots_extensions_preferences` or `robots_preferences_from_header`, freed by
 * `robots_preferences_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the functions that create it. No function aborts when out of memory.
 */
typedef struct robots_preferences robots_preferences;

/** One extension line. Set `size` to `sizeof(robots_extension)` before each call. */
typedef struct {
  /** `sizeof(robots_extension)`; later versions add fields at the end only. */
  size_t size;
  /** The value as it is written, without comment and surrounding white space; any bytes, at least one. */
  robots_str value;
  /** The number of the line, from 1. */
  uint32_t line;
  /** The field, one of `ROBOTS_EXTENSION_...`. Later versions may add some. */
  uint32_t field;
  /**
   * 1 if the line is in a group that applies to the crawler; 0 if it is outside all groups and applies to every
   * crawler.
   */
  uint32_t in_group;
  /** For a request-rate: at most this number of requests, ... 0 for another field and an invalid value. */
  uint32_t requests;
  /** ... in this number of seconds. */
  uint32_t seconds;
  /** For a visit-time, or a request-rate with times: the start in minutes after midnight UTC, 0 to 1439, ... */
  uint32_t from;
  /** ... and the end, 1 to 1440; an end that is not later than the start is on the next day. 0: no time is given. */
  uint32_t until;
  /** Always 0. */
  uint32_t reserved;
} robots_extension;

/** One preference. Set `size` to `sizeof(robots_preference)` before each call. */
typedef struct {
  /** `sizeof(robots_preference)`; later versions add fields at the end only. */
  size_t size;
  /** The label of the use, such as `train-ai`; case-sensitive, any bytes. */
  robots_str label;
  /** The number of the line, from 1; 0 for a header field. */
  uint32_t line;
  /** The vocabulary of the label, one of `ROBOTS_VOCABULARY_...`. Later versions may add some. */
  uint32_t vocabulary;
  /** The preference, one of `ROBOTS_CHOICE_...`. */
  uint32_t choice;
  /** Always 0. */
  uint32_t reserved;
} robots_preference;

/** Field: `request-rate` (SPEC 9.3). */
#define ROBOTS_EXTENSION_REQUEST_RATE 0
/** Field: `visit-time` (SPEC 9.3). */
#define ROBOTS_EXTENSION_VISIT_TIME 1
/** Field: `host` (SPEC 9.3). */
#define ROBOTS_EXTENSION_HOST 2
/** Field: `clean-param` (SPEC 9.3). */
#define ROBOTS_EXTENSION_CLEAN_PARAM 3
/** Field: `noindex` (SPEC 9.3). */
#define ROBOTS_EXTENSION_NOINDEX 4
/** Field: `content-signal` (SPEC 9.4). */
#define ROBOTS_EXTENSION_CONTENT_SIGNAL 5
/** Field: `content-usage` (SPEC 9.5). */
#define ROBOTS_EXTENSION_CONTENT_USAGE 6
/** Field: `license` of Really Simple Licensing (SPEC 9.7). */
#define ROBOTS_EXTENSION_LICENSE 7

/** Vocabulary: `content-usage`, line or header field (SPEC 9.5). */
#define ROBOTS_VOCABULARY_CONTENT_USAGE 0
/** Vocabulary: `content-signal` (SPEC 9.4). */
#define ROBOTS_VOCABULARY_CONTENT_SIGNAL 1

/** Choice: the use is not permitted. */
#define ROBOTS_CHOICE_NO 0
/** Choice: the use is permitted. */
#define ROBOTS_CHOICE_YES 1
/** Choice: the label has another value, which states no preference. */
#define ROBOTS_CHOICE_UNKNOWN 2

/**
 * Parses the extension lines of a robots.txt (SPEC 9.3, 9.4, 9.5). They have no effect on a verdict. Groups that do
 * not apply to the crawler are left out.
 *
 * Parameters: `body`, `body_len`: the bytes of the file, any bytes, also none. `out`: receives the extensions.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error.
 */
robots_status robots_extensions_parse(const robots_crawler *crawler,
                                      const char *body,
                                      size_t body_len,
                                      robots_extensions **out);

/** Returns the number of lines. */
size_t robots_extensions_count(const robots_extensions *extensions);

/**
 * Returns one line.
 *
 * Parameters: `index`: 0 to `robots_extensions_count(extensions)` - 1, in the order of the file. `out`: receives the
 * line; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small.
 * Owner: the value belongs to `extensions`.
 */
robots_status robots_extensions_line(const robots_extensions *extensions, size_t index, robots_extension *out);

/**
 * Returns the preferences of the file for a URL (SPEC 9.4, 9.5). A URL that may not be fetched has none, nor has the
 * robots.txt itself.
 *
 * Parameters: `url`, `url_len`: as for `robots_rules_check`. `out`: receives the preferences, which stay valid without
 * `extensions`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b); `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: the preferences, and work space that is freed.
 */
robots_status robots_extensions_preferences(const robots_extensions *extensions,
                                            const char *url,
                                            size_t url_len,
                                            robots_preferences **out);

/** Frees extensions and everything borrowed from them. Preferences that came from them stay valid. */
void robots_extensions_free(robots_extensions *extensions);

/**
 * Creates the preferences of a response from its `Content-Usage` header field (SPEC 9.5).
 *
 * Parameters: `value`, `value_len`: the value of the field, any bytes; join several values by ", ". A value that is
 * not an RFC 9651 Dictionary gives no preferences. `out`: receives the preferences.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_preferences_from_header(const char *value, size_t value_len, robots_preferences **out);

/** Returns the number of preferences. A label that is not listed is neither permitted nor forbidden. */
size_t robots_preferences_count(const robots_preferences *preferences);

/**
 * Returns one preference.
 *
 * Parameters: `index`: 0 to `robots_preferences_count(preferences)` - 1, sorted by vocabulary, then by label. `out`:
 * receives it; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small. After an error
 * the choice in `*out` is `ROBOTS_CHOICE_NO`.
 * Owner: the label belongs to `preferences`.
 */
robots_status robots_preferences_get(const robots_preferences *preferences, size_t index, robots_preference *out);

/** Frees preferences and everything borrowed from them. */
void robots_preferences_free(robots_preferences *preferences);

/* =====================================================================================================================
 * 10. Page controls
 * ===================================================================================================================== */

/*
 * What a crawler may do with a response: the headers X-Robots-Tag, Robots-Tag and Content-Usage, and <meta> elements
 * (SPEC 9.5, 9.6). Add every header of the response and every <meta> element, then read the controls:
 *
 *     if (robots_page_controls_get(controls, ROBOTS_CONTROL_INDEX)) ... index the page
 */

/**
 * The page-level controls of one response for one crawler (SPEC 9.6), and its usage preferences (SPEC 9.5).
 *
 * Owner: created by `robots_page_controls_new`, freed by `robots_page_controls_free`.
 * Threads: one thread while values are added; then any number of threads may read it at once.
 * Allocates: the functions that create it and add values. No function aborts when out of memory.
 */
typedef struct robots_page_controls robots_page_controls;

/** One rule of a page. Set `size` to `sizeof(robots_page_rule)` before each call. */
typedef struct {
  /** `sizeof(robots_page_rule)`; later versions add fields at the end only. */
  size_t size;
  /** The rule as it is written, such as `max-snippet: 20`; any bytes, at most 256. Empty if no rule decides. */
  robots_str text;
  /** The product token of the crawler that the rule names; empty if it is for every crawler. */
  robots_str agent;
  /** The value of the control; 0 for an unknown rule. */
  int64_t value;
  /** Where the rule is, one of `ROBOTS_PAGE_...`. Later versions may add some. */
  uint32_t source;
  /** Which value of that source it is in: 1 for the first header or element that was added; 0 if no rule decides. */
  uint32_t number;
  /** What a date says of its time zone, one of `ROBOTS_ZONE_...`. */
  uint32_t zone;
  /** Always 0. */
  uint32_t reserved;
} robots_page_rule;

/** Control: 1: the page may be indexed; 0: `noindex`, `none`. */
#define ROBOTS_CONTROL_INDEX 0
/** Control: 1: links of the page may be followed; 0: `nofollow`, `none`. */
#define ROBOTS_CONTROL_FOLLOW 1
/** Control: 1: a copy of the page may be shown; 0: `noarchive`, `nocache`. */
#define ROBOTS_CONTROL_ARCHIVE 2
/** Control: 1: an excerpt of the page may be shown; 0: `nosnippet`, `max-snippet: 0`. */
#define ROBOTS_CONTROL_SNIPPET 3
/** Control: 1: a translation of the page may be offered; 0: `notranslate`. */
#define ROBOTS_CONTROL_TRANSLATE 4
/** Control: 1: images of the page may be indexed; 0: `noimageindex`. */
#define ROBOTS_CONTROL_IMAGE_INDEX 5
/** Control: 1: the content may be indexed if it is embedded in another page; 0: `noindex` without `indexifembedded`. */
#define ROBOTS_CONTROL_INDEX_IF_EMBEDDED 6
/** Control: the length of the longest excerpt, in characters; -1: no limit. */
#define ROBOTS_CONTROL_MAX_SNIPPET 7
/** Control: the largest image preview: 0: none, 1: standard, 2: large, -1: not limited. */
#define ROBOTS_CONTROL_MAX_IMAGE_PREVIEW 8
/** Control: the length of the longest video preview, in seconds; 0: a still image, -1: no limit. */
#define ROBOTS_CONTROL_MAX_VIDEO_PREVIEW 9
/** Control: the time after which the page is not to be shown, in seconds since 1970-01-01 UTC; -1: no such time. */
#define ROBOTS_CONTROL_UNAVAILABLE_AFTER 10

/** Source: no rule decides. */
#define ROBOTS_PAGE_NONE 0
/** Source: the header `X-Robots-Tag`. */
#define ROBOTS_PAGE_X_ROBOTS_TAG 1
/** Source: the header `Robots-Tag` of the draft. */
#define ROBOTS_PAGE_ROBOTS_TAG 2
/** Source: a `<meta>` element. */
#define ROBOTS_PAGE_META 3

/** Zone: known, or the rule has no date. */
#define ROBOTS_ZONE_KNOWN 0
/** Zone: the date names no zone; it is read as UTC. */
#define ROBOTS_ZONE_MISSING 1
/** Zone: the date names an unknown zone; it is read as UTC. */
#define ROBOTS_ZONE_UNKNOWN 2

/**
 * Creates the controls of a response without headers and elements, which restricts nothing.
 *
 * Parameters: `crawler`: its product tokens are the names that it obeys. `out`: receives the controls, which stay valid
 * without `crawler`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_page_controls_new(const robots_crawler *crawler, robots_page_controls **out);

/**
 * Adds a header of the response: `X-Robots-Tag`, `Robots-Tag` or `Content-Usage`, in any case. Other headers have no
 * effect. Add repeated headers one by one.
 *
 * Parameters: `name`, `name_len`: the name. `value`, `value_len`: the value, any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. After an error every control of `controls` is 0, its most
 * restrictive value.
 * Allocates: the rules that decide, and up to 64 unknown rules.
 */
robots_status robots_page_controls_add_header(robots_page_controls *controls,
                                              const char *name,
                                              size_t name_len,
                                              const char *value,
                                              size_t value_len);

/**
 * Adds a `<meta>` element of the page. It has an effect if its name is `robots` or a product token of the crawler, in
 * any case.
 *
 * Parameters: `name`, `name_len`, `content`, `content_len`: the attributes, without HTML escapes, any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. After an error every control of `controls` is 0, its most
 * restrictive value.
 * Allocates: the rules that decide, and up to 64 unknown rules.
 */
robots_status robots_page_controls_add_meta(robots_page_controls *controls,
                                            const char *name,
                                            size_t name_len,
                                            const char *content,
                                            size_t content_len);

/**
 * Returns the value of a control. Of several rules the most restrictive one decides.
 *
 * Parameters: `control`: one of `ROBOTS_CONTROL_...`.
 * Returns: the value; the constants describe them. 0, the most restrictive value, for NULL, an unknown control, and
 * after an error of a function that adds values.
 */
int64_t robots_page_controls_get(const robots_page_controls *controls, uint32_t control);

/**
 * Returns the rule that decides a control: the first of the most restrictive ones.
 *
 * Parameters: `control`: one of `ROBOTS_CONTROL_...`. `out`: receives the rule; set its `size` first. If no rule
 * decides, its `source` is `ROBOTS_PAGE_NONE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an unknown control or a `size` that is too small.
 * Owner: the strings belong to `controls`; they are valid until a value is added.
 */
robots_status robots_page_controls_decision(const robots_page_controls *controls,
                                            uint32_t control,
                                            robots_page_rule *out);

/** Returns the number of rules for the crawler that are unknown or have an invalid value. At most 64 are kept. */
size_t robots_page_controls_unknown_count(const robots_page_controls *controls);

/**
 * Returns one unknown rule.
 *
 * Parameters: `index`: 0 to `robots_page_controls_unknown_count(controls)` - 1, in the order of their addition. `out`:
 * receives the rule; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small.
 * Owner: the strings belong to `controls`; they are valid until a value is added.
 */
robots_status robots_page_controls_unknown(const robots_page_controls *controls, size_t index, robots_page_rule *out);

/**
 * Returns the choice of the `Content-Usage` headers for a label (SPEC 9.5).
 *
 * Parameters: `label`, `label_len`: such as `train-ai`; case-sensitive.
 * Returns: one of `ROBOTS_CHOICE_...`: `ROBOTS_CHOICE_UNKNOWN` for a label that is not listed; `ROBOTS_CHOICE_NO` for
 * NULL, and after an error of a function that adds values.
 */
uint32_t robots_page_controls_usage(const robots_page_controls *controls, const char *label, size_t label_len);

/** Frees controls and everything borrowed from them. */
void robots_page_controls_free(robots_page_controls *controls);

/* =====================================================================================================================
 * 11. Explanations
 * ===================================================================================================================== */

/**
 * The explanation of a verdict. Immutable.
 *
 * Owner: created by `robots_rules_explain`, freed by `robots_explanation_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it. No function aborts when out of memory.
 */
typedef struct robots_explanation robots_explanation;

/** A line of the robots.txt. Set `size` to `sizeof(robots_explained_line)` before each call. */
typedef struct {
  /** `sizeof(robots_explained_line)`; later versions add fields at the end only. */
  size_t size;
  /** The line as it is written, without comment and surrounding white space; any bytes. */
  robots_str text;
  /** The number of the line, from 1. */
  uint32_t line;
  /** Always 0. */
  uint32_t reserved;
} robots_explained_line;

/** A rule that matches. Set `size` to `sizeof(robots_explained_rule)` before each call. */
typedef struct {
  /** `sizeof(robots_explained_rule)`; later versions add fields at the end only. */
  size_t size;
  /** The line as it is written, without comment and surrounding white space; any bytes. */
  robots_str text;
  /** The path in it. */
  robots_str path;
  /** The path in canonical form (SPEC 8.6), as it is compared. Its length decides the priority (SPEC 8.7). */
  robots_str pattern;
  /** The number of the line, from 1. */
  uint32_t line;
  /** 1 if the rule allows, 0 if it disallows. */
  uint32_t allow;
  /** The match result, one of `ROBOTS_MATCH_...`. Later versions may add some. */
  uint32_t result;
  /** Always 0. */
  uint32_t reserved;
} robots_explained_rule;

/** Match result: the rule decides. */
#define ROBOTS_MATCH_WON 0
/** Match result: a longer rule decides (SPEC 8.7). */
#define ROBOTS_MATCH_SHORTER 1
/** Match result: a rule of the same length that allows decides (SPEC 8.7). */
#define ROBOTS_MATCH_TIE_LOST_TO_ALLOW 2
/** Match result: an earlier rule of the same length and kind decides. */
#define ROBOTS_MATCH_LATER_EQUAL 3
/** Match result: an earlier rule decides (SPEC 8.7, koster1996). */
#define ROBOTS_MATCH_AFTER_FIRST_MATCH 4
/** Match result: a rule without a path has no effect (SPEC 8.8, google). */
#define ROBOTS_MATCH_EMPTY 5

/**
 * Explains the result of `robots_rules_parse` and `robots_rules_check` for a file and a URL: which line decided, and
 * why no other did. For people, not for every URL of a crawl: each call reads the file.
 *
 * Parameters: `crawler`. `body`, `body_len`: the bytes of the file, any bytes, also none. `url`, `url_len`: as for
 * `robots_rules_check`. `out`: receives the explanation.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b); `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
robots_status robots_rules_explain(const robots_crawler *crawler,
                                   const char *body,
                                   size_t body_len,
                                   const char *url,
                                   size_t url_len,
                                   robots_explanation **out);

/**
 * Returns the verdict that is explained, as from `robots_rules_check`.
 *
 * Returns: the verdict; its status is `ROBOTS_E_ARG` for NULL.
 */
robots_verdict robots_explanation_verdict(const robots_explanation *explanation);

/**
 * Returns the verdict of one dialect for the same file and URL.
 *
 * Parameters: `dialect`: one of `ROBOTS_DIALECT_...`, the crawler's or another.
 * Returns: the verdict; its status is `ROBOTS_E_URL` if only the google dialect accepts the URL, `ROBOTS_E_ARG` for
 * NULL or an unknown dialect.
 */
robots_verdict robots_explanation_other(const robots_explanation *explanation, uint32_t dialect);

/**
 * Returns the canonical form of the URL's path and query, as it was compared with the rules (SPEC 8.6).
 *
 * Returns: the path, which starts with `/`; empty for NULL.
 */
robots_str robots_explanation_path(const robots_explanation *explanation);

/**
 * Returns the product token by which the groups were selected (SPEC 7.1).
 *
 * Returns: the token as the crawler has it; `*` if the `*` groups apply; empty if no group applies, or for NULL.
 */
robots_str robots_explanation_token(const robots_explanation *explanation);

/**
 * Returns the number of user-agent lines that select the groups.
 *
 * Returns: the number; 0 if no group applies, or for NULL.
 */
size_t robots_explanation_agent_count(const robots_explanation *explanation);

/**
 * Returns one of the user-agent lines that select the groups.
 *
 * Parameters: `index`: 0 to `robots_explanation_agent_count(explanation)` - 1, in the order of the file. `out`:
 * receives the line; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small.
 * Owner: the text belongs to the explanation.
 */
robots_status robots_explanation_agent(const robots_explanation *explanation, size_t index, robots_explained_line *out);

/**
 * Returns the number of rules that match.
 *
 * Returns: the number; 0 for NULL, and for a robots.txt itself if it is always allowed (SPEC 8.9).
 */
size_t robots_explanation_rule_count(const robots_explanation *explanation);

/**
 * Returns one of the rules that match, in order of priority: the first one decides, if any does.
 *
 * Parameters: `index`: 0 to `robots_explanation_rule_count(explanation)` - 1. `out`: receives the rule; set its `size`
 * first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small.
 * Owner: the texts belong to the explanation.
 */
robots_status robots_explanation_rule(const robots_explanation *explanation, size_t index, robots_explained_rule *out);

/**
 * Returns the explanation as lines for a terminal: UTF-8, each line ends with a newline, no control characters,
 * whatever the file and the URL contain. Later versions may change the words.
 *
 * Returns: the text; empty for NULL.
 */
robots_str robots_explanation_text(const robots_explanation *explanation);

/** Frees an explanation and everything borrowed from it. */
void robots_explanation_free(robots_explanation *explanation);

/* =====================================================================================================================
 * 12. Lint
 * ===================================================================================================================== */

/**
 * The diagnostics of a robots.txt and the meaning of each of its lines. Immutable.
 *
 * Owner: created by `robots_lint`, freed by `robots_lint_report_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it: a copy of the bytes that are read, and the diagnostics. No function aborts
 * when out of memory.
 */
typedef struct robots_lint_report robots_lint_report;

/** One diagnostic. Set `size` to `sizeof(robots_lint_diagnostic)` before each call. */
typedef struct {
  /** `sizeof(robots_lint_diagnostic)`; later versions add fields at the end only. */
  size_t size;
  /** The bytes of the file that it is about, all in one line: the offset of the first, ... */
  size_t start;
  /** ... and the offset after the last. */
  size_t end;
  /** What is wrong: one sentence in UTF-8 without control characters. */
  robots_str message;
  /** What to do: one sentence; empty if there is no advice. */
  robots_str suggestion;
  /** The diagnostic code: 51 for "R051". */
  uint32_t code;
  /** One of `ROBOTS_LINT_NOTE`, `_WARNING`, `_ERROR`. */
  uint32_t severity;
  /** The number of the line, from 1; 0 if it is about the whole file. */
  uint32_t line;
  /** The position in the line, in bytes from 1; 0 if it is about the whole file. */
  uint32_t column;
  /** Another line that is involved, such as that of a rule which always wins; 0 for none. */
  uint32_t other_line;
  /**
   * Whether an edit of the file removes it: one of `ROBOTS_LINT_FIX_...`. To apply the edits of several diagnostics, sort
   * them by `fix_start` and leave out those that begin before the end of the one before. All safe edits together change no
   * verdict, either.
   */
  uint32_t fix;
  /** The bytes of the file that the edit replaces: the offset of the first, ... */
  size_t fix_start;
  /** ... and the offset after the last; equal for an insertion. A removed line loses its line end, too. */
  size_t fix_end;
  /** The text in their place, in UTF-8; perhaps empty, perhaps with line ends. */
  robots_str fix_replacement;
} robots_lint_diagnostic;

/** One line of a robots.txt and its meaning. Set `size` to `sizeof(robots_lint_line)` before each call. */
typedef struct {
  /** `sizeof(robots_lint_line)`; later versions add fields at the end only. */
  size_t size;
  /** Its bytes in the file: the offset of the first, ... */
  size_t start;
  /** ... and the offset after the last, without the line end. */
  size_t end;
  /** The field as it is written; empty if there is none. */
  robots_str field;
  /** The value as it is written; empty if there is none. */
  robots_str value;
  /** One of `ROBOTS_LINE_...`. */
  uint32_t kind;
  /** The group that it belongs to, from 1 in the order of the file; 0: none. */
  uint32_t group;
} robots_lint_line;

/** Severity: nothing is wrong, but worth knowing. */
#define ROBOTS_LINT_NOTE 1
/** Severity: the effect may differ from what the author expects, or between crawlers. */
#define ROBOTS_LINT_WARNING 2
/** Severity: the effect differs from what the author must have meant. */
#define ROBOTS_LINT_ERROR 3

/** Fix: none. */
#define ROBOTS_LINT_FIX_NONE 0
/** Fix: an edit that may change verdicts. A person decides. */
#define ROBOTS_LINT_FIX_UNSAFE 1
/**
 * Fix: an edit that changes no verdict of any crawler with one token that reads the file in the dialect of the report;
 * rfc9309 and google count as one dialect.
 */
#define ROBOTS_LINT_FIX_SAFE 2

/** Line: only white space. */
#define ROBOTS_LINE_BLANK 0
/** Line: only a comment. */
#define ROBOTS_LINE_COMMENT 1
/** Line: a user-agent. */
#define ROBOTS_LINE_USER_AGENT 2
/** Line: an allow rule. */
#define ROBOTS_LINE_ALLOW 3
/** Line: a disallow rule. */
#define ROBOTS_LINE_DISALLOW 4
/** Line: a sitemap. */
#define ROBOTS_LINE_SITEMAP 5
/** Line: a crawl-delay. */
#define ROBOTS_LINE_CRAWL_DELAY 6
/** Line: a field that some crawlers use; it has no effect on a verdict. */
#define ROBOTS_LINE_EXTENSION 7
/** Line: an unknown field; the line is skipped. */
#define ROBOTS_LINE_UNKNOWN 8
/** Line: neither field and value nor a comment; the line is skipped. */
#define ROBOTS_LINE_NOT_UNDERSTOOD 9

/**
 * Checks a robots.txt for its author: the meaning of every line, and what is wrong with it.
 *
 * Parameters: `crawler`: only its dialect, size limit and options count, since a robots.txt is for every crawler.
 * `body`, `body_len`: the bytes of the file, any bytes, also none. `out`: receives the report.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error.
 */
robots_status robots_lint(const robots_crawler *crawler, const char *body, size_t body_len, robots_lint_report **out);

/** Returns the number of diagnostics that the report holds, at most 100 of each code. */
size_t robots_lint_report_count(const robots_lint_report *report);

/**
 * Returns the number of diagnostics of one severity, including those that the report does not hold.
 *
 * Parameters: `severity`: one of `ROBOTS_LINT_NOTE`, `ROBOTS_LINT_WARNING` and `ROBOTS_LINT_ERROR`.
 * Returns: the number; 0 for NULL or another severity.
 */
uint64_t robots_lint_report_total(const robots_lint_report *report, uint32_t severity);

/**
 * Returns one diagnostic. The order is that of the file, after diagnostics about the whole file.
 *
 * Parameters: `index`: 0 to `robots_lint_report_count(report)` - 1. `out`: receives the diagnostic; set its `size`
 * first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small.
 * Owner: the strings belong to the report.
 */
robots_status robots_lint_report_get(const robots_lint_report *report, size_t index, robots_lint_diagnostic *out);

/** Returns the number of lines of the file that were read. */
size_t robots_lint_report_line_count(const robots_lint_report *report);

/**
 * Returns one line of the file and its meaning.
 *
 * Parameters: `number`: the line, 1 to `robots_lint_report_line_count(report)`, as in verdicts and diagnostics. `out`:
 * receives the line; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, a line out of range or a `size` that is too small.
 * Owner: the strings belong to the report.
 */
robots_status robots_lint_report_line(const robots_lint_report *report, size_t number, robots_lint_line *out);

/**
 * Returns the report as text in the style of a compiler: each diagnostic with its line and a mark below it, then a
 * summary. It shows at most ten diagnostics of each code.
 *
 * Returns: UTF-8 without control characters except line ends; the file is named "robots.txt". Empty for NULL and on
 * allocation failure: call it again.
 * Allocates: the text, at the first call; the report keeps it.
 */
robots_str robots_lint_report_text(const robots_lint_report *report);

/** Frees a report and everything borrowed from it. */
void robots_lint_report_free(robots_lint_report *report);

/**
 * Returns the title of a diagnostic code.
 *
 * Parameters: `code`: such as 51.
 * Returns: a few words; empty for an unknown code.
 * Owner: the library; valid until it is unloaded.
 */
robots_str robots_lint_title(uint32_t code);

/**
 * Returns the explanation of a diagnostic code: what it means and what to do.
 *
 * Parameters: `code`: such as 51.
 * Returns: some sentences; empty for an unknown code.
 * Owner: the library; valid until it is unloaded.
 */
robots_str robots_lint_explanation(uint32_t code);

#ifdef __cplusplus
}
#endif

#endif /* LIBROBOTS_H */
