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
 * Or create a cache for the URLs of many sites, and do with each what the answer says; librobots-cache(7) has the whole loop:
 *
 *     robots_cache_answer answer;
 *     answer.size = sizeof answer;
 *     robots_cache_check(cache, 0, url, url_len, now, &answer);
 *     if (answer.ticket != NULL) ...                                fetch the robots.txt, submit the outcome
 *     if (answer.action == ROBOTS_CACHE_DECIDED) ...                obey answer.verdict
 *     else if (answer.action == ROBOTS_CACHE_FETCH) ...             check the URL again
 *     else ...                                                      check the URL again at answer.until
 *
 * Contents:
 *
 *      1. Status, strings and version       robots_status, robots_str
 *      2. Crawler                           robots_crawler
 *      3. Rules and verdicts                robots_verdict, robots_rules
 *      4. Rules as a list                   robots_rule_list, robots_rule
 *      5. Images
 *      6. Origins
 *      7. Fetch                             robots_fetch, robots_header
 *      8. Outcomes of fetches               robots_outcome, robots_outcome_info
 *      9. Cache                             robots_cache, robots_cache_answer, robots_cache_counts, robots_cache_record, robots_ticket
 *     10. Extensions and usage preferences  robots_extensions, robots_preferences, robots_extension, robots_preference
 *     11. Page controls                     robots_page_controls, robots_page_rule
 *
 * What holds unless the comment of a type or a function says otherwise:
 *
 * - Parameters: strings are a pointer and a length, any bytes; with length 0 the pointer is ignored. A string or handle
 *   that is passed in is copied or not needed after the call. `out` overlaps with no other argument.
 * - Numbers: parameters and fields are uint32_t where an enum lists their values. To let the compiler find missing cases:
 *   switch ((enum robots_reason)ROBOTS_VERDICT_REASON(verdict)). Enums may grow in later versions.
 * - ROBOTS_E_ARG: a NULL handle, a NULL `out`, a NULL string with a length, a struct whose `size` is too small, an unknown
 *   option, a number out of its range. Functions without a status return 0 or an empty string. Freeing NULL does nothing.
 * - ROBOTS_END: lists are read from index 0 until a call returns ROBOTS_END.
 * - Returns: a function that can fail returns a robots_status. It sets `*out` to a safe value first: NULL, or zeros in a
 *   struct with a valid `size`. A verdict with an error allows nothing. Misuse never permits a fetch.
 * - Owner: the caller owns a handle that it receives through `out` and frees it with the type's `_free`. A robots_str that
 *   a function returns belongs to the object; it is valid until the object is freed. Nothing else is to be freed.
 * - Threads: a function may be called from any thread. Many threads may use one `const T *` at the same time. During a call
 *   with `T *` no other thread may use that object; `_free` of one reference leaves the others to other threads.
 * - Allocates: functions that create a handle allocate it. Others allocate work space at most, which is freed, or as noted.
 * - Out of memory: ROBOTS_E_MEMORY, and nothing leaks. "May abort when out of memory": an allocation of at most 1 KiB, or
 *   the growing table of a cache, ends the process if it fails, as Rust's standard library does; SECURITY.md lists them.
 * - Since: 0.1.0. Later versions only add functions and numbers.
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

/* ==== 1. Status, strings and version ============================================================================== */

/** The version of this header, as text and as one number; `robots_version_number` is that of the library. */
#define ROBOTS_VERSION "0.1.0"
#define ROBOTS_VERSION_MAJOR 0
#define ROBOTS_VERSION_MINOR 1
#define ROBOTS_VERSION_PATCH 0
#define ROBOTS_VERSION_NUMBER 1000

/** Before a function: the compiler warns if its result is not used, where it can. */
#if (defined __cplusplus && __cplusplus >= 201703L) || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 202311L)
#define ROBOTS_MUST_USE [[nodiscard]]
#elif defined __GNUC__
#define ROBOTS_MUST_USE __attribute__((warn_unused_result))
#else
#define ROBOTS_MUST_USE
#endif

/** The result of a function that can fail: a number of `enum robots_status_code`. Later versions may add some. */
typedef int32_t robots_status;

/** A borrowed string: `len` bytes at `ptr`, not NUL-terminated. `ptr` is NULL only if `len` is 0. */
typedef struct {
  const char *ptr; /**< The first byte. */
  size_t len; /**< The number of bytes. */
} robots_str;

/** The numbers of a `robots_status`. They are never renumbered. */
enum robots_status_code {
  ROBOTS_OK = 0, /**< Success. */
  /** A pointer that is NULL or not aligned, a `size` too small, an unknown option, a number out of its range. */
  ROBOTS_E_ARG = 1,
  ROBOTS_E_TOKEN = 2, /**< Not a product token (SPEC 7.6). */
  ROBOTS_E_URL = 3, /**< Not a URL that can be checked (SPEC 8.5b), or for an outcome a URL of another site. */
  ROBOTS_E_MEMORY = 4, /**< Out of memory, or over the limit of a cache. */
  ROBOTS_E_PANIC = 5, /**< A defect of the library. The library stays usable; please report it. */
  ROBOTS_E_IMAGE = 6, /**< A damaged image or record. */
  ROBOTS_E_IMAGE_FORMAT = 7, /**< An image or record of another format version, byte order or crawler. */
  ROBOTS_E_SCHEME = 8, /**< A URL with a scheme other than http, https and ftp (SPEC 1.6). */
  /** Too early or too late: an event at the wrong step of a fetch, a setting of a cache in use, a finished ticket. */
  ROBOTS_E_STATE = 9,
  /** No error: the list has no element with this index. Lists are read from index 0 until this status. */
  ROBOTS_END = 64,
  ROBOTS_E_SPACE = 65 /**< The buffer is too small; `*len` is the length that is needed. */
};

/**
 * Returns one English sentence that says what a status means and what to do.
 * Parameters: `status`: any number; one that is no status gets a sentence that says so.
 * Returns: a NUL-terminated string, never NULL.
 * Owner: the library; valid until it is unloaded.
 */
const char *robots_status_text(robots_status status);

/**
 * Returns the version of the library as one number. `ROBOTS_VERSION_NUMBER` is that of this header.
 * Returns: major * 1000000 + minor * 1000 + patch; 0.1.0 is 1000.
 */
uint32_t robots_version_number(void);

/* ==== 2. Crawler ================================================================================================== */

/**
 * A crawler: its product tokens, its dialect, its limits and its fetch policy.
 * Owner: created by `robots_crawler_new` or `robots_crawler_preset`, freed by `robots_crawler_free`.
 * Threads: set it up in one thread; then any number of threads may use it at once.
 * Allocates: the functions that create it. No function aborts when out of memory.
 */
typedef struct robots_crawler robots_crawler;

/** Options of a crawler: `robots_crawler_set`. */
enum robots_option {
  ROBOTS_OPT_DIALECT = 1, /**< The dialect, one of `enum robots_dialect`; default: rfc9309. */
  /** How many bytes of a robots.txt are read (SPEC 4.5), 512000 to 1073741824; default: 512000. */
  ROBOTS_OPT_MAX_BYTES = 2,
  /** 1 obeys only groups that name the crawler, as AdsBot-Google does, not those of `*` (SPEC 7.5); default: 0. */
  ROBOTS_OPT_IGNORE_STAR = 3,
  /**
   * 1 obeys the groups of all product tokens together, as Google's matcher does, instead of those of the first token
   * that the file names (SPEC 7.7); default: 0.
   */
  ROBOTS_OPT_MERGE_TOKENS = 4,
  /** 1 lets a crawl-delay line end a run of user-agent lines, as a rule does (SPEC 6.1); default: 0. */
  ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS = 5,
  ROBOTS_OPT_LINT_ALL = 6 /**< 1 lets lint report every code, also those that are off by default; default: 0. */
};

/** Values of `ROBOTS_OPT_DIALECT`. */
enum robots_dialect {
  ROBOTS_DIALECT_RFC9309 = 0, /**< RFC 9309, the standard and the default. */
  ROBOTS_DIALECT_GOOGLE = 1, /**< The results of Google's open-source matcher. */
  /** The first draft, by Martijn Koster, of 1996: no wildcards, the first rule that matches decides. */
  ROBOTS_DIALECT_KOSTER1996 = 2
};

/**
 * Creates a crawler with one product token.
 * Parameters: `token`, `token_len`: the bare product token, such as "ExampleBot": letters, digits, `.`, `_` and `-`, 1
 * to 1024 bytes (SPEC 7.6); or "*" for a crawler without a token, to which only the `*` groups apply (SPEC 7.4). `out`:
 * receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token, such as a whole User-Agent header:
 * `robots_token_from_user_agent` finds the token in one; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_crawler_new(const char *token, size_t token_len, robots_crawler **out);

/**
 * Finds the product token in a User-Agent header (SPEC 7.6): the first product that is not a browser's. In a comment only
 * the products after `compatible;` count.
 * Parameters: `header`, `header_len`: such as "Mozilla/5.0 (compatible; ExampleBot/1.0)". `out`: receives the token.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the header has no such product; `ROBOTS_E_ARG`. An error empties `out`.
 * Owner: the caller; the token is a part of `header`.
 */
ROBOTS_MUST_USE robots_status robots_token_from_user_agent(const char *header, size_t header_len, robots_str *out);

/**
 * Creates a crawler with the published settings of a well-known crawler: product tokens in order of preference,
 * dialect, and whether it ignores `*` groups. Operators change these settings from time to time.
 * Parameters: `name`, `name_len`: such as "Googlebot-Image"; case does not matter. `out`: receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the name is unknown: use `robots_crawler_new`; `ROBOTS_E_ARG`;
 * `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_crawler_preset(const char *name, size_t name_len, robots_crawler **out);

/**
 * Adds a product token. It applies if no group of a robots.txt names an earlier token (SPEC 7.1).
 * Parameters: `token`, `token_len`: as for `robots_crawler_new`, in the crawler's dialect (`ROBOTS_DIALECT_GOOGLE`:
 * letters, `_` and `-` only; `ROBOTS_DIALECT_KOSTER1996`: a token of RFC 1945 but `*`).
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token; `ROBOTS_E_ARG`, also for a 65th token;
 * `ROBOTS_E_MEMORY`. After an error the crawler is unchanged.
 * Allocates: room for the token.
 */
ROBOTS_MUST_USE robots_status robots_crawler_add_token(robots_crawler *crawler, const char *token, size_t token_len);

/**
 * Sets an option. Rules that were parsed before do not change.
 * Parameters: `option`: one of `enum robots_option` or `enum robots_fetch_option`. `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_TOKEN` if a token
 * of the crawler is not valid in the new dialect. After an error the crawler is unchanged.
 */
ROBOTS_MUST_USE robots_status robots_crawler_set(robots_crawler *crawler, uint32_t option, uint64_t value);

/** Frees a crawler. Rules that were parsed with it stay valid. */
void robots_crawler_free(robots_crawler *crawler);

/* ==== 3. Rules and verdicts ======================================================================================= */

/**
 * The rules of a robots.txt, compiled for one crawler: one block of memory, immutable and reference-counted.
 * Owner: created by `robots_rules_parse` and others, freed by `robots_rules_free`.
 * Threads: any number of threads may use it at once. Checking a URL takes no lock.
 * Allocates: the functions that create it. No function aborts when out of memory.
 */
typedef struct robots_rules robots_rules;

/**
 * The result of checking one URL. Read it with `ROBOTS_VERDICT_ALLOWED` and the other macros. If its status is not
 * `ROBOTS_OK`, it allows nothing. It is a struct so that `if (verdict)` does not compile.
 */
typedef struct {
  uint64_t bits; /**< Bit 0: allowed; bits 8-15: reason; bits 16-31: status; bits 32-63: line of the deciding rule. */
} robots_verdict;

/** The parts of a `robots_verdict`. */
#define ROBOTS_VERDICT_ALLOWED(v) ((int)((v).bits & 1u))
#define ROBOTS_VERDICT_REASON(v) ((uint32_t)(((v).bits >> 8) & 0xFFu))
#define ROBOTS_VERDICT_STATUS(v) ((robots_status)(((v).bits >> 16) & 0xFFFFu))
#define ROBOTS_VERDICT_LINE(v) ((uint32_t)((v).bits >> 32))

/** Why a URL is allowed or not: `ROBOTS_VERDICT_REASON`. */
enum robots_reason {
  ROBOTS_REASON_NONE = 0, /**< No decision, because of an error. */
  ROBOTS_REASON_RULE_ALLOWED = 1, /**< An allow rule decided. */
  ROBOTS_REASON_RULE_DISALLOWED = 2, /**< A disallow rule decided. */
  ROBOTS_REASON_NO_RULE = 3, /**< A group applies to the crawler, but none of its rules matches (SPEC 8.8). */
  ROBOTS_REASON_NO_GROUP = 4, /**< No group applies to the crawler (SPEC 7.1). */
  ROBOTS_REASON_ROBOTS_TXT = 5, /**< The URL is the robots.txt itself (SPEC 8.9). */
  ROBOTS_REASON_ALLOW_ALL = 6, /**< The whole site is allowed; there is no file (SPEC 2). */
  ROBOTS_REASON_DISALLOW_ALL = 7, /**< The whole site is disallowed (SPEC 2). */
  /** Nothing of the site may be fetched now; keep the URL and check it again later (SPEC 2). */
  ROBOTS_REASON_DEFER = 8,
  /** The robots.txt cannot be reached (SPEC 2). This is no ban: keep the URL and check it again later. */
  ROBOTS_REASON_UNREACHABLE = 9
};

/** Results of `robots_rules_check_batch`. */
enum robots_batch_result {
  ROBOTS_DISALLOWED = 0, /**< The URL may not be fetched. */
  ROBOTS_ALLOWED = 1, /**< The URL may be fetched. */
  ROBOTS_BAD_URL = 2 /**< Not a URL that can be checked; do not fetch it (SPEC 8.5b). */
};

/**
 * Returns one English sentence that says what a reason means and, if the URL is not allowed, whether to drop or keep it.
 * Parameters: `reason`: any number; one that is no reason gets a sentence that says so.
 * Returns: a NUL-terminated string, never NULL.
 * Owner: the library; valid until it is unloaded.
 */
const char *robots_reason_text(uint32_t reason);

/**
 * Parses a robots.txt for a crawler and compiles the rules that apply to it.
 * Parameters: `body`, `body_len`: the bytes of the file, any bytes, also none, after its content coding is undone.
 * `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error (SPEC 4.3). Bytes
 * that are still compressed have the rules of an unreachable site, except in google (SPEC 4.4).
 * A fetch that failed has no file, which is not an empty one: pass its status to that function.
 * Allocates: the rules, one block that is usually smaller than the file, and work space that is freed.
 */
ROBOTS_MUST_USE robots_status robots_rules_parse(const robots_crawler *crawler, const char *body, size_t body_len,
    robots_rules **out);

/**
 * Creates rules that allow every URL (SPEC 2.5), or none (SPEC 2.6) except /robots.txt (SPEC 8.9).
 * Parameters: `allow`: `ROBOTS_ALLOWED` or `ROBOTS_DISALLOWED`. `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_rules_site_wide(uint32_t allow, robots_rules **out);

/**
 * Checks one URL: may the crawler fetch it, why, and by which line (SPEC 8). Takes no lock.
 * Parameters: `url`, `url_len`: an absolute URL (its path and query count) or a path that starts with `/`; any
 * bytes, any length. A URL that clients read differently, such as `/a/../b`, is allowed only if each reading is (SPEC
 * 8.11); in google, pass the URL that the client requests.
 * Returns: a verdict. Its status is `ROBOTS_E_URL` if `url` is not a URL or its canonical path has more than 64 KiB, or
 * `ROBOTS_E_ARG`; then it is not allowed. For rules of `robots_rules_borrow_image` also
 * `ROBOTS_E_IMAGE`.
 * Allocates: nothing for a canonical path of up to 16 KiB (SPEC 8.12), else work space that is freed.
 */
ROBOTS_MUST_USE robots_verdict robots_rules_check(const robots_rules *rules, const char *url, size_t url_len);

/**
 * Checks one URL by a robots.txt and keeps nothing: the verdict of `robots_rules_parse` and `robots_rules_check`,
 * in a fraction of their time. To check several URLs, parse the file once.
 * Parameters: `body`, `body_len`: as for `robots_rules_parse`. `url`, `url_len`: as for `robots_rules_check`.
 * Returns: a verdict as from `robots_rules_check`.
 * Allocates: nothing for a canonical path of up to 16 KiB, unless a rule that is not written in canonical form has 512 bytes or
 * more, or clients read the URL differently (SPEC 8.11); else work space that is freed.
 */
ROBOTS_MUST_USE robots_verdict robots_check_once(const robots_crawler *crawler, const char *body, size_t body_len, const
    char *url, size_t url_len);

/**
 * Checks many URLs. URL i is `text[offsets[i]]` to `text[offsets[i + 1]]`, the layout of strings in Apache Arrow.
 * Parameters: `text`: the URLs, one after the other. `offsets`: `count + 1` offsets into `text` that never decrease.
 * `count`: the number of URLs; with 0 `offsets` and `verdicts` may be NULL. `verdicts`: receives `count` results, each
 * one of `enum robots_batch_result`; it overlaps with neither `text` nor `offsets`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, for offsets that decrease and for `verdicts` that overlap: then every
 * result is `ROBOTS_DISALLOWED`. If borrowed rules turn out to be damaged, the result is `ROBOTS_BAD_URL`.
 */
ROBOTS_MUST_USE robots_status robots_rules_check_batch(const robots_rules *rules, const char *text, const uint64_t
    *offsets, size_t count, uint8_t *verdicts);

/**
 * Returns the crawl-delay of the groups that apply to the crawler (SPEC 9.2).
 * Returns: seconds, 0 or more, the longest if there are several. A file may state any number, such as 1e20: limit it
 * before you convert it to an integer. NaN if there is none, or for NULL.
 */
double robots_rules_crawl_delay(const robots_rules *rules);

/**
 * Returns one sitemap of the file, as it is written (SPEC 9.1).
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the address, which belongs to the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
 */
ROBOTS_MUST_USE robots_status robots_rules_sitemap(const robots_rules *rules, size_t index, robots_str *out);

/**
 * Returns the verdict that does not depend on the URL, so that a binding need not call for each URL.
 * Returns: the verdict on every URL except /robots.txt if the rules are site-wide or no group applies; reason
 * `ROBOTS_REASON_NONE` and status `ROBOTS_OK` if the verdict depends on the URL. Its status is `ROBOTS_E_ARG` for NULL.
 */
ROBOTS_MUST_USE robots_verdict robots_rules_site_verdict(const robots_rules *rules);

/**
 * Adds a reference: one more `robots_rules_free` is needed.
 * Returns: `rules`; NULL for NULL, and at 2^63 - 1 references (2^31 - 1 on 32-bit machines).
 * Owner: the caller has one more reference.
 */
robots_rules *robots_rules_retain(const robots_rules *rules);

/** Releases a reference. The last one frees the rules and everything borrowed from them. */
void robots_rules_free(robots_rules *rules);

/**
 * Returns the compiled rules as one flat block of bytes. Store it or send it; `robots_rules_from_image`,
 * `robots_rules_borrow_image` and `robots_image_check` read it.
 * Returns: the image; empty for NULL.
 */
robots_str robots_rules_image(const robots_rules *rules);

/* ==== 4. Rules as a list ========================================================================================== */

/**
 * The rules of a robots.txt that can decide, for callers that show them or give them to code of their own. Immutable.
 * Not a way to a verdict: `robots_rules_check` is.
 * Owner: created by `robots_rule_list_new`, freed by `robots_rule_list_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it. No function aborts when out of memory.
 */
typedef struct robots_rule_list robots_rule_list;

/** One rule that can decide. Set `size` to `sizeof(robots_rule)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_rule)`; later versions add fields at the end only. */
  /**
   * The path in canonical form (SPEC 8.6), as it is compared: `*` is the wildcard and a final `$` the end of the URL, but
   * not in koster1996. Any bytes. A pattern with more `*` than it needs is an equivalent one of the same length.
   */
  robots_str pattern;
  uint32_t line; /**< The number of the line, from 1; 0 for a site-wide rule that no line states. */
  uint32_t allow; /**< 1 if the rule allows, 0 if it disallows. */
} robots_rule;

/**
 * Creates the list of the rules that can decide. Left out are rules that never decide: equal to an earlier one, without
 * a path, or with a path that matches no URL (SPEC 8.5). In google a rule for `/index.htm` is followed by its directory
 * (SPEC 8.10). Rules that disallow the whole site are one rule, `/`.
 * Parameters: `rules`. `out`: receives the list, which stays valid without `rules`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_IMAGE` for rules of a damaged image; `ROBOTS_E_MEMORY`, also for
 * patterns of more than 64 MiB.
 */
ROBOTS_MUST_USE robots_status robots_rule_list_new(const robots_rules *rules, robots_rule_list **out);

/**
 * Returns one of the rules.
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the rule; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
 * Owner: the pattern belongs to the list.
 */
ROBOTS_MUST_USE robots_status robots_rule_list_get(const robots_rule_list *list, size_t index, robots_rule *out);

/** Frees a list and everything borrowed from it. */
void robots_rule_list_free(robots_rule_list *list);

/* ==== 5. Images =================================================================================================== */

/*
 * An image is the flat block of bytes of robots_rules_image: position-independent, for any memory, such as a
 * mapped file, a database row or an object of a garbage collector. Reads of an image in the caller's memory are checked: a
 * damaged image gives an error or a wrong result, nothing worse. No other thread may write to it.
 */

/**
 * Creates rules from an image. The image is validated (see `robots_image_validate`) and copied.
 * Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine. `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image; `ROBOTS_E_IMAGE_FORMAT` for another format version or
 * byte order; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_rules_from_image(const char *image, size_t len, robots_rules **out);

/**
 * Creates rules that borrow an image in the caller's memory, in constant time: only its header is examined. A check on
 * them costs what `robots_image_check` costs.
 * Parameters: `image`, `len`: an image. It stays where it is, unchanged, until the last reference to the rules is
 * released. `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` and `ROBOTS_E_IMAGE_FORMAT` as from `robots_rules_from_image`, for the header;
 * `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Owner: the image stays the caller's.
 * Allocates: 24 bytes (12 on 32-bit machines).
 */
ROBOTS_MUST_USE robots_status robots_rules_borrow_image(const char *image, size_t len, robots_rules **out);

/**
 * Validates an image from an untrusted source: its header, its checksum and every offset in it.
 * Parameters: `image`, `len`: any bytes.
 * Returns: `ROBOTS_OK`: no check of a URL on it fails because of the image; `ROBOTS_E_IMAGE` for a damaged image;
 * `ROBOTS_E_IMAGE_FORMAT` for another format version or byte order; `ROBOTS_E_ARG`.
 */
ROBOTS_MUST_USE robots_status robots_image_validate(const char *image, size_t len);

/**
 * Checks one URL on an image in the caller's memory, such as a mapped file or a database row, in one call.
 * Parameters: `image`, `len`: an image. `url`, `url_len`: as for `robots_rules_check`.
 * Returns: a verdict as from `robots_rules_check`; its status may also be `ROBOTS_E_IMAGE` or `ROBOTS_E_IMAGE_FORMAT`.
 */
ROBOTS_MUST_USE robots_verdict robots_image_check(const char *image, size_t len, const char *url, size_t url_len);

/* ==== 6. Origins ================================================================================================== */

/**
 * Writes the origin of a URL as text: scheme and host in lower case, the host in Punycode, and the port unless it is the
 * scheme's default port; such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). A robots.txt applies to the
 * URLs with an equal key (SPEC 1.2); its own URL is the key and "/robots.txt" (SPEC 1.1).
 * Parameters: `url`, `url_len`: an absolute URL; its path and query may be any bytes. `buffer`, `capacity`: receives the
 * key, without a NUL. `len`: receives the length of the key; 0 after an error other than `ROBOTS_E_SPACE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small: nothing is written to it; `ROBOTS_E_SCHEME` for a
 * scheme other than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` if `url` is not an absolute URL with a valid host;
 * `ROBOTS_E_ARG`.
 * Allocates: work space that is freed; may abort when out of memory.
 */
ROBOTS_MUST_USE robots_status robots_origin_key(const char *url, size_t url_len, char *buffer, size_t capacity, size_t
    *len);

/**
 * Writes the form of a URL to be checked and then sent: each HTTP client sends it byte for byte, so that what is judged is
 * what is sent (SPEC 8.11). Other URLs are changed by some clients, each in its own way. The form is the origin key, and
 * the path and query as a browser reads them, with everything escaped that RFC 3986 does not permit; without user name,
 * password, empty query and fragment. It is its own form. If the URL is allowed, so is its form.
 * Parameters: `url`, `url_len`: an absolute URL; its path and query may be any bytes. `buffer`, `capacity`: receives the
 * form, without a NUL. 3 bytes for each byte of the URL are enough for path and query, and 300 for the origin. `len`:
 * receives the length of the form; 0 after an error other than `ROBOTS_E_SPACE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small: nothing is written to it; `ROBOTS_E_SCHEME` and
 * `ROBOTS_E_URL` as from `robots_origin_key`; `ROBOTS_E_URL` also for a path and query of more than 64 KiB in that form;
 * `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: work space that is freed; may abort when out of memory.
 */
ROBOTS_MUST_USE robots_status robots_url_to_send(const char *url, size_t url_len, char *buffer, size_t capacity, size_t
    *len);

/* ==== 7. Fetch ==================================================================================================== */

/*
 * The fetch policy as a state machine: redirects, 304, Retry-After, outages and old copies. The caller provides the
 * HTTP client and the clock:
 *
 *     while ((step = robots_fetch_step(fetch)) != ROBOTS_STEP_DONE)
 *         report the event that the step names;
 *     robots_fetch_outcome(fetch, &outcome);
 *
 * The options of this section are set for a crawler (robots_crawler_set) or for one fetch (robots_fetch_set). An option that is
 * not set has the default of the dialect, also after a later change of dialect. An event with an error changes nothing.
 */

/**
 * One retrieval of a robots.txt, without I/O: a state machine. `robots_fetch_step` returns what it waits for; the
 * caller reports what its HTTP client received.
 * Owner: created by `robots_fetch_new` or `robots_ticket_fetch`, freed by `robots_fetch_free`.
 * Threads: one thread at a time.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_fetch robots_fetch;

/**
 * The result of a fetch, for one or more crawlers: rules or a site-wide rule, the cause, and the times until it is
 * valid. Immutable.
 * Owner: created by `robots_fetch_outcome` and others, freed by `robots_outcome_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_outcome robots_outcome;

/** One header to send with the request. Set `size` to `sizeof(robots_header)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_header)`; later versions add fields at the end only. */
  robots_str name; /**< The name: `If-None-Match` or `If-Modified-Since`. */
  robots_str value; /**< The value, without line end and control characters. */
} robots_header;

/** Options of a crawler or a fetch. Those named `ON_` take a value of `enum robots_outcome_kind` but its first. */
enum robots_fetch_option {
  /** How many redirects in a row are followed (SPEC 2.2, 2.3), 0 to 20; default: 5; koster1996: 20. */
  ROBOTS_OPT_MAX_REDIRECTS = 16,
  /**
   * The outcome of 401 and 403 (SPEC 2.6). With defer or unreachable they are an outage: a copy stays in use. Default:
   * allow all; koster1996: disallow all.
   */
  ROBOTS_OPT_ON_FORBIDDEN = 17,
  /** The outcome of 429 (SPEC 2.7). With allow all it counts as 404. Default: unreachable; koster1996: defer. */
  ROBOTS_OPT_ON_TOO_MANY_REQUESTS = 18,
  /** The outcome of 500 to 599 (SPEC 2.8); allow all counts them as 404; default: unreachable; koster1996: defer. */
  ROBOTS_OPT_ON_SERVER_ERROR = 19,
  /** The outcome of every other failure (SPEC 2.9, 2.10, 2.16, 2.17); default: unreachable; koster1996: defer. */
  ROBOTS_OPT_ON_UNREACHABLE = 20,
  /** 1 treats 500 to 599 as 404, for a site that is known to send them for missing pages (SPEC 2.14); default: 0. */
  ROBOTS_OPT_SERVER_ERROR_IS_MISSING = 21,
  /**
   * The freshness lifetime of a robots.txt whose headers give none (SPEC 3.1), 1 to 315360000 seconds; default: 86400;
   * koster1996: 604800.
   */
  ROBOTS_OPT_DEFAULT_TTL = 22,
  /**
   * The shortest freshness lifetime, whatever the headers give (SPEC 3.2). It bounds no wait after a failure. 0 to
   * 315360000 seconds; default: 300.
   */
  ROBOTS_OPT_MIN_TTL = 23,
  /**
   * The longest freshness lifetime, whatever the headers give (SPEC 3.2). It overrides `ROBOTS_OPT_MIN_TTL`. 1 to
   * 315360000 seconds; default: 86400; google and koster1996: 2592000.
   */
  ROBOTS_OPT_MAX_TTL = 24,
  /**
   * The wait after a first failure, and the shortest wait. Later waits are as long as the outage so far, up to a day
   * and up to `ROBOTS_OPT_DEFAULT_TTL`. A `Retry-After` makes them longer, never shorter (SPEC 3.6). 1 to 315360000
   * seconds; default: 600.
   */
  ROBOTS_OPT_FAILURE_TTL = 25,
  /**
   * The longest `Retry-After` (SPEC 3.6). Waits without a `Retry-After` may be longer. 0 to 315360000 seconds; default:
   * 86400.
   */
  ROBOTS_OPT_MAX_RETRY_AFTER = 26,
  /**
   * The time after which an unreachable site without a copy is allowed as a whole (SPEC 2.12), unless its treatment is
   * disallow all, 0 to 315360000 seconds; default: 2592000; koster1996: 4294967295, which is never.
   */
  ROBOTS_OPT_UNREACHABLE_TTL = 27,
  /**
   * 1 keeps using a copy of up to 24 hours when the file is missing (SPEC 2.5), or when a treatment allows all of 401,
   * 403, 429 or 500 to 599; default: 0.
   */
  ROBOTS_OPT_MISSING_KEEPS_COPY = 28,
  /**
   * The longest lifetime of an outcome without a file (SPEC 2.3, 2.5, 2.6). It overrides `ROBOTS_OPT_MIN_TTL`. 1 to
   * 315360000 seconds; default: 21600.
   */
  ROBOTS_OPT_MISSING_TTL = 29,
  /**
   * The outcome of a redirect that leads nowhere, for a site without a copy (SPEC 2.3, 2.15): no usable target, a loop,
   * too many redirects, or a refused one. koster1996 defers a loop and too many redirects, unless the option is set. A
   * target of more than 8 KiB is an outage: `ROBOTS_OPT_ON_UNREACHABLE`. Default: allow all.
   */
  ROBOTS_OPT_ON_BAD_REDIRECT = 30,
  /**
   * 1 follows a redirect to a host that is not public (SPEC 2.3), such as 127.0.0.1, `localhost` or `router`. Otherwise
   * it is refused, unless the host of the first URL is not public either. The client refuses host names that resolve to
   * such an address. Default: 0.
   */
  ROBOTS_OPT_NON_GLOBAL_REDIRECTS = 31,
  /**
   * 1 allows nothing while the site is unreachable, also with a copy. The copy waits for the end of the outage, or for
   * `ROBOTS_OPT_UNREACHABLE_TTL`. Otherwise it stays in use (SPEC 2.11). Default: 0.
   */
  ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY = 32,
  /**
   * The outcome of an HTML page in place of the file (SPEC 2.20). If the option is not set, the page is read as a file,
   * which usually allows everything. Allow all counts it as 404. Default: rules.
   */
  ROBOTS_OPT_ON_HTML = 33
};

/** What a fetch waits for: `robots_fetch_step`. */
enum robots_step {
  /** Send a GET for `robots_fetch_url` with the request headers, without redirects, then call `robots_fetch_status`. */
  ROBOTS_STEP_GET = 0,
  ROBOTS_STEP_HEADERS = 1, /**< Call `robots_fetch_header` for each header, then `robots_fetch_headers_end`. */
  /** Pass the body to `robots_fetch_body` as it came, in pieces of any size, then call `robots_fetch_end`. */
  ROBOTS_STEP_BODY = 2,
  ROBOTS_STEP_DONE = 3 /**< `robots_fetch_outcome` has the outcome; ignore the rest of the response. */
};

/** How a transfer ended: `robots_fetch_end`. */
enum robots_failure {
  ROBOTS_FAILURE_NONE = 0, /**< None; the transfer is complete. */
  ROBOTS_FAILURE_DNS = 1, /**< The host has no address. */
  ROBOTS_FAILURE_CONNECT = 2, /**< No connection. */
  ROBOTS_FAILURE_TLS = 3, /**< No secure connection. */
  ROBOTS_FAILURE_TIMEOUT = 4, /**< A timeout. */
  ROBOTS_FAILURE_RESET = 5, /**< The connection was reset. */
  ROBOTS_FAILURE_TRUNCATED = 6, /**< The body ended early or was invalid: chunks, length, compression. */
  ROBOTS_FAILURE_OTHER = 7, /**< Any other failure. */
  /** The client cannot undo the content coding of the body, such as one that it does not know (SPEC 2.17). */
  ROBOTS_FAILURE_ENCODED_BODY = 8
};

/**
 * Starts the retrieval of the robots.txt that governs a URL.
 * Parameters: `crawler`: its options are the fetch policy. `url`, `url_len`: any URL of the site. `now`: seconds since
 * 1970-01-01 UTC, by the caller's clock. `out`: receives the fetch.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_key`; `ROBOTS_E_ARG`, also for a
 * time after the year 9999, such as one in milliseconds (SPEC 2.18); `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_fetch_new(const robots_crawler *crawler, const char *url, size_t url_len, uint64_t
    now, robots_fetch **out);

/**
 * Adds a crawler, so that one fetch serves several (SPEC 3.7). Its index in the outcome is the next; the largest size
 * limit applies. Call it before `robots_fetch_set_previous` and before the first event.
 * Parameters: `crawler`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` if it is too late;
 * `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_fetch_add_crawler(robots_fetch *fetch, const robots_crawler *crawler);

/**
 * Sets an option for this fetch alone (SPEC 2.14).
 * Parameters: `option`: one of `enum robots_fetch_option`. `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for another option or a value out of its range; `ROBOTS_E_STATE` if the fetch
 * is done.
 */
ROBOTS_MUST_USE robots_status robots_fetch_set(robots_fetch *fetch, uint32_t option, uint64_t value);

/**
 * Sets the previous outcome of the same site and crawlers, however old. The fetch then sends a conditional request
 * (SPEC 3.5), keeps the old rules while the file cannot be reached (SPEC 2.11), and knows since when that is so (SPEC
 * 2.12). Call it before the first event. An outcome that lies in the future of the fetch changes nothing (SPEC 2.18).
 * Parameters: `outcome`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for an outcome of another site or other crawlers; `ROBOTS_E_STATE` after
 * an event.
 * Owner: the fetch takes a reference of its own.
 */
ROBOTS_MUST_USE robots_status robots_fetch_set_previous(robots_fetch *fetch, const robots_outcome *outcome);

/**
 * Returns the step of the fetch: what it waits for.
 * Returns: one of `enum robots_step`; `ROBOTS_STEP_DONE` for NULL, so that a loop ends.
 */
uint32_t robots_fetch_step(const robots_fetch *fetch);

/**
 * Returns the URL to request: ASCII, http, https or ftp, without user name and fragment. A redirect changes it.
 * Returns: the URL; empty for NULL.
 * Owner: the fetch; valid until the next `robots_fetch_headers_end` or `robots_fetch_free`.
 */
robots_str robots_fetch_url(const robots_fetch *fetch);

/**
 * Returns one of the headers to send with the request, in addition to the client's own.
 * Parameters: `index`: from 0. `out`: receives the header; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last: there are 0 to 2; `ROBOTS_E_ARG`.
 * Owner: the strings belong to the fetch; valid until the next event.
 */
ROBOTS_MUST_USE robots_status robots_fetch_request_header(const robots_fetch *fetch, size_t index, robots_header *out);

/**
 * Reports the status of the response. Event of step `ROBOTS_STEP_GET`; `ROBOTS_STEP_HEADERS` follows.
 * Parameters: `http_status`: any number. `now`: seconds since 1970-01-01 UTC; the last one dates the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`, also for a time after the year 9999.
 */
robots_status robots_fetch_status(robots_fetch *fetch, uint32_t http_status, uint64_t now);

/**
 * Reports the final reply of an FTP server instead of a status (SPEC 2.19): 2yz is a file, 550 counts as status 404, 530
 * as 401, any other reply as an outage. Event of step `ROBOTS_STEP_GET` for an ftp URL; `ROBOTS_STEP_BODY` follows a 2yz,
 * else `ROBOTS_STEP_DONE`.
 * Parameters: `reply`: any number, such as 226 or 550. `now`: as for `robots_fetch_status`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step or for another URL; `ROBOTS_E_ARG`, also for a time after the
 * year 9999.
 * Allocates: the outcome.
 */
ROBOTS_MUST_USE robots_status robots_fetch_ftp_reply(robots_fetch *fetch, uint32_t reply, uint64_t now);

/**
 * Reports one header of the response. Report all of them in their order: the fetch keeps those it needs, in any case,
 * and limits their size. Event of step `ROBOTS_STEP_HEADERS`.
 * Parameters: `name`, `name_len`, `value`, `value_len`: any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: at most 8 KiB for a header that it needs.
 */
robots_status robots_fetch_header(robots_fetch *fetch, const char *name, size_t name_len, const char *value, size_t
    value_len);

/**
 * Reports the end of the headers. Event of step `ROBOTS_STEP_HEADERS`; `ROBOTS_STEP_BODY` follows if there is a file,
 * `ROBOTS_STEP_GET` after a redirect, else `ROBOTS_STEP_DONE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`.
 * Allocates: the outcome, or the next URL; may abort when out of memory for a URL of at most 64 KiB.
 */
robots_status robots_fetch_headers_end(robots_fetch *fetch);

/**
 * Reports a piece of the body without its transfer coding. The fetch undoes gzip, so send `Accept-Encoding: identity` and leave
 * the content coding as it is: a client may take a part for the whole (SPEC 2.17). At the size limit (SPEC 4.5)
 * `ROBOTS_STEP_DONE` follows: check the step before the next piece. Event of step `ROBOTS_STEP_BODY`.
 * Parameters: `piece`, `piece_len`: any bytes, also none.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: room for the piece, up to the size limit in total (for gzip twice, and once more for the text); the outcome.
 */
robots_status robots_fetch_body(robots_fetch *fetch, const char *piece, size_t piece_len);

/**
 * Reports the end of a transfer, well or not: call it once after each. Event of every step. `ROBOTS_STEP_GET` follows if the
 * response was a redirect, which needs the next transfer, else `ROBOTS_STEP_DONE`.
 * Parameters: `failure`: one of `enum robots_failure`. It has no effect if the response led to a redirect or an outcome before.
 * `ROBOTS_FAILURE_NONE` without the end of the headers counts as `ROBOTS_FAILURE_OTHER`. `now`: as for `robots_fetch_status`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` if the end was reported, or a transfer without a status ended well; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 * Allocates: the outcome.
 */
robots_status robots_fetch_end(robots_fetch *fetch, uint32_t failure, uint64_t now);

/**
 * Returns the outcome of a fetch that is done. It stays valid without the fetch.
 * Parameters: `out`: receives the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` if the fetch is not done; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_fetch_outcome(const robots_fetch *fetch, robots_outcome **out);

/** Frees a fetch, at any step, and everything borrowed from it. Its outcome stays valid. */
void robots_fetch_free(robots_fetch *fetch);

/* ==== 8. Outcomes of fetches ====================================================================================== */

/**
 * The parts of an outcome. All times are seconds since 1970-01-01 UTC, by the caller's clock. Set `size` to
 * `sizeof(robots_outcome_info)` before each call.
 */
typedef struct {
  size_t size; /**< `sizeof(robots_outcome_info)`; later versions add fields at the end only. */
  uint32_t kind; /**< What it means for the site, one of `enum robots_outcome_kind`. */
  uint32_t cause; /**< The cause, one of `enum robots_cause`. */
  uint32_t http_status; /**< The status of the last response; 0 if there was none. */
  uint32_t hops; /**< How many redirects were followed. */
  uint32_t downgraded; /**< 1 if a redirect led from https to http, where others may have changed the file. */
  uint32_t stale; /**< 1 if these are the rules of an earlier fetch that stay in use. */
  /**
   * When the rules were fetched or last confirmed by a 304, also those of a copy that does not decide now (SPEC 2.11). For a
   * site without rules, the time of the last status or failure.
   */
  uint64_t fetched_at;
  uint64_t fresh_until; /**< The end of the freshness lifetime; for stale rules it may be in the past. */
  uint64_t usable_until; /**< Until when the outcome decides if there is nothing newer. */
  uint64_t retry_at; /**< When the next fetch is due, not earlier. */
  uint64_t unreachable_since; /**< Since when every fetch has failed; `UINT64_MAX` after a response. */
  robots_str origin; /**< The key of the site, such as "https://example.com". */
  /** The URL of the last request, after all redirects; for rules that of the request they came from. */
  robots_str final_url;
  robots_str etag; /**< The `ETag` of the rules; empty if there is none. */
  robots_str last_modified; /**< The `Last-Modified` of the rules; empty if there is none. */
} robots_outcome_info;

/** What an outcome means for the site. Also values of the options `ROBOTS_OPT_ON_...`. */
enum robots_outcome_kind {
  ROBOTS_OUTCOME_RULES = 0, /**< There is a robots.txt; its rules decide. */
  ROBOTS_OUTCOME_ALLOW_ALL = 1, /**< The whole site is allowed. */
  ROBOTS_OUTCOME_DISALLOW_ALL = 2, /**< The whole site is disallowed. */
  ROBOTS_OUTCOME_DEFER = 3, /**< Nothing of the site may be fetched now; keep its URLs and check them again later. */
  /** The robots.txt cannot be reached, which is no ban: keep the URLs of the site and check them again later. */
  ROBOTS_OUTCOME_UNREACHABLE = 4
};

/** Why an outcome is what it is. */
enum robots_cause {
  ROBOTS_CAUSE_FOUND = 1, /**< There is a file (SPEC 2.1). */
  ROBOTS_CAUSE_NOT_MODIFIED = 2, /**< 304 Not Modified (SPEC 3.5). */
  ROBOTS_CAUSE_MISSING = 3, /**< There is no file: 400 to 499, or a server error that counts like 404 (SPEC 2.5). */
  ROBOTS_CAUSE_FORBIDDEN = 4, /**< 401 or 403 (SPEC 2.6). */
  ROBOTS_CAUSE_TOO_MANY_REQUESTS = 5, /**< 429 (SPEC 2.7). */
  ROBOTS_CAUSE_SERVER_ERROR = 6, /**< 500 to 599 (SPEC 2.8). */
  ROBOTS_CAUSE_ODD_STATUS = 7, /**< A status below 200 or above 599, or a 304 to an unconditional request (SPEC 2.9). */
  ROBOTS_CAUSE_TOO_MANY_REDIRECTS = 8, /**< More redirects in a row than `ROBOTS_OPT_MAX_REDIRECTS` (SPEC 2.3). */
  /** A redirect back to an earlier URL; one to the current URL only counts as a redirect (SPEC 2.3). */
  ROBOTS_CAUSE_REDIRECT_LOOP = 9,
  /** A redirect without a target, or to one that is not an http or https URL or has more than 8 KiB (SPEC 2.3). */
  ROBOTS_CAUSE_BAD_REDIRECT = 10,
  ROBOTS_CAUSE_DNS = 11, /**< The host has no address (SPEC 2.10). */
  ROBOTS_CAUSE_CONNECT = 12, /**< No connection (SPEC 2.10). */
  ROBOTS_CAUSE_TLS = 13, /**< No secure connection (SPEC 2.10). */
  ROBOTS_CAUSE_TIMEOUT = 14, /**< A timeout (SPEC 2.10). */
  ROBOTS_CAUSE_RESET = 15, /**< The connection was reset (SPEC 2.10). */
  ROBOTS_CAUSE_TRUNCATED = 16, /**< The body ended early or was invalid (SPEC 2.10). */
  ROBOTS_CAUSE_OTHER_FAILURE = 17, /**< Any other failure (SPEC 2.10). */
  /** Unreachable for so long that the site counts as one without a file (SPEC 2.12). */
  ROBOTS_CAUSE_UNREACHABLE_LONG = 18,
  ROBOTS_CAUSE_PARTIAL_CONTENT = 19, /**< 206, a part of the file (SPEC 2.17). */
  ROBOTS_CAUSE_SHORT_BODY = 20, /**< The body has fewer bytes than `Content-Length` states (SPEC 2.17). */
  ROBOTS_CAUSE_ENCODED_BODY = 21, /**< The content coding of the body is unknown or damaged (SPEC 2.17). */
  ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED = 22, /**< A redirect that the client reported as the final status (SPEC 2.16). */
  ROBOTS_CAUSE_NON_GLOBAL_REDIRECT = 23, /**< A redirect that `ROBOTS_OPT_NON_GLOBAL_REDIRECTS` refuses. */
  /** An HTML page in place of the file (SPEC 2.20). Unless `ROBOTS_OPT_ON_HTML` is set, it was read as a file. */
  ROBOTS_CAUSE_HTML = 24
};

/**
 * Creates the outcome of a response that is known as a whole, for a caller whose HTTP client follows redirects itself.
 * There are no headers, so the default lifetimes apply.
 * Parameters: `crawler`. `url`, `url_len`: any URL of the site that was requested first. `http_status`: any number.
 * `body`, `body_len`: the file, which counts for 200 to 299. `now`: seconds since 1970-01-01 UTC. `out`: receives the
 * outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_key`; `ROBOTS_E_ARG`;
 * `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_outcome_from_status(const robots_crawler *crawler, const char *url, size_t url_len,
    uint32_t http_status, const char *body, size_t body_len, uint64_t now, robots_outcome **out);

/**
 * Creates an outcome from a record of `robots_outcome_encode`, made on this or another machine.
 * Parameters: `crawlers`, `count`: the crawlers that the fetch was made for, 1 to 16, in their order. `record`,
 * `record_len`: any bytes. `out`: receives the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another version or other
 * crawlers: fetch the file again; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_outcome_decode(const robots_crawler **crawlers, size_t count, const char *record,
    size_t record_len, robots_outcome **out);

/**
 * Returns the outcome as one block of bytes, to be stored or sent; `robots_outcome_decode` reads it.
 * Parameters: `out`: receives the record.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. `*out` is empty after an error.
 * Owner: the outcome; valid until it is freed.
 * Allocates: the record, at the first call; the outcome keeps it.
 */
ROBOTS_MUST_USE robots_status robots_outcome_encode(const robots_outcome *outcome, robots_str *out);

/**
 * Returns the parts of an outcome.
 * Parameters: `out`: receives them; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`. After an error the kind in `*out` is `ROBOTS_OUTCOME_DEFER`.
 * Owner: the strings belong to the outcome.
 */
robots_status robots_outcome_get(const robots_outcome *outcome, robots_outcome_info *out);

/**
 * Returns the rules for one of the crawlers. If the kind is not `ROBOTS_OUTCOME_RULES` they allow every URL or
 * none. For `ROBOTS_OUTCOME_DEFER` and `_UNREACHABLE` the reason is `ROBOTS_REASON_UNREACHABLE`. They do not know the
 * site and the time: `robots_outcome_check` does.
 * Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0.
 * Returns: the rules; NULL for an index out of range, or for NULL.
 * Owner: the outcome; valid until it is freed. `robots_rules_retain` keeps them longer.
 */
const robots_rules *robots_outcome_rules(const robots_outcome *outcome, size_t crawler);

/**
 * Checks one URL of the site at one time. Takes no lock.
 * Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0. `url`, `url_len`: an absolute
 * URL of the site, or a path that starts with `/`. `now`: seconds since 1970-01-01 UTC.
 * Returns: the verdict of the rules; `ROBOTS_REASON_DEFER`, not allowed, if the site is deferred or the outcome has
 * expired (`usable_until`) or lies in the future of `now` (SPEC 2.18). Its status is `ROBOTS_E_URL` if `url` is not a URL
 * or has another origin, `ROBOTS_E_SCHEME` (SPEC 1.6), or `ROBOTS_E_ARG`, also for a time after the year 9999; then it is not
 * allowed.
 * Allocates: nothing for a path or an origin of ASCII in lower case; else work space that is freed.
 */
ROBOTS_MUST_USE robots_verdict robots_outcome_check(const robots_outcome *outcome, size_t crawler, const char *url,
    size_t url_len, uint64_t now);

/**
 * Checks one URL by a record of `robots_outcome_encode` or `robots_cache_each`, in place and without a lock: for processes that
 * share memory, such as forked workers.
 * Parameters: `record`, `record_len`: any bytes. Neither their checksum nor their crawlers are compared, as
 * `robots_outcome_decode` does. The others: as for `robots_outcome_check`.
 * Returns: a verdict as from `robots_outcome_check`; its status may also be `ROBOTS_E_IMAGE` for a damaged record, or
 * `ROBOTS_E_IMAGE_FORMAT` for one of another version.
 */
ROBOTS_MUST_USE robots_verdict robots_record_check(const char *record, size_t record_len, size_t crawler, const char
    *url, size_t url_len, uint64_t now);

/** Frees an outcome and everything borrowed from it. */
void robots_outcome_free(robots_outcome *outcome);

/* ==== 9. Cache ==================================================================================================== */

/**
 * The outcomes of many sites in a limited amount of memory, for one or more crawlers (SPEC 3.7).
 * Owner: created by `robots_cache_new`, freed by `robots_cache_free`.
 * Threads: set it up in one thread; then any number of threads may use it at once. A forked child must not use it: there
 * the functions return `ROBOTS_E_STATE`; create a cache in the child.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_cache robots_cache;

/**
 * A function of the caller that receives a record of a cache. The record is valid during the call. It returns 0 to
 * continue, another number to stop. It may call every function of the library, also with the same cache. It returns
 * normally: no exception, no longjmp.
 */
typedef uint32_t (*robots_cache_record)(void *context, const char *record, size_t record_len);

/**
 * The exclusive right to fetch the robots.txt of one origin: no other user of the cache gets one for it at that time.
 * Owner: created by `robots_cache_check` and `robots_cache_request`, freed by `robots_ticket_free`.
 * Threads: one thread at a time; another thread may take it over.
 * Allocates: functions as noted. They may abort when out of memory.
 */
typedef struct robots_ticket robots_ticket;

/** What the crawler does next with a URL. Set `size` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_cache_answer)`; later versions add fields at the end only. */
  robots_verdict verdict; /**< Whether the URL may be fetched; allowed only with `ROBOTS_CACHE_DECIDED`. */
  uint32_t action; /**< One of `enum robots_cache_action`. */
  /** 1 if the file states a longer crawl-delay. From `robots_cache_request`, as are the last two; 0 without a slot. */
  uint32_t crawl_delay_cut;
  /**
   * For `ROBOTS_CACHE_WAIT` and `_DEFER`: when to check again, in seconds since 1970-01-01 UTC, always later than `now`;
   * else 0. After an error that may pass it is 60 seconds later.
   */
  uint64_t until;
  /**
   * The caller's ticket, to be freed with `robots_ticket_free`, or NULL. `ROBOTS_CACHE_FETCH` always has one,
   * `ROBOTS_CACHE_DECIDED` sometimes, the others never.
   */
  robots_ticket *ticket;
  /** When to send the request, in milliseconds since 1970-01-01 UTC, never earlier than `now_ms`. */
  uint64_t request_at_ms;
  uint64_t crawl_delay_ms; /**< The milliseconds from this request to the next one to the site. */
} robots_cache_answer;

/** What a cache holds and did. Set `size` to `sizeof(robots_cache_counts)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_cache_counts)`; later versions add fields at the end only. */
  size_t sites; /**< The number of sites, including those that are being fetched for the first time. */
  size_t bytes; /**< The number of bytes that they take, at most `max_bytes` of `robots_cache_new`. */
  uint64_t hits; /**< Since the cache was created: the URLs that a fresh outcome decided, ... */
  /** ... those that an outcome decided after its freshness lifetime: its refresh is due, or failed, ... */
  uint64_t stale_hits;
  uint64_t fetches; /**< ... the tickets, ... */
  uint64_t waits; /**< ... the answers `ROBOTS_CACHE_WAIT` ... */
  uint64_t deferred; /**< ... and `ROBOTS_CACHE_DEFER`, without those for misuse, ... */
  uint64_t evicted; /**< ... and the outcomes that were evicted for others. */
} robots_cache_counts;

/** What the crawler does next: `robots_cache_check`. */
enum robots_cache_action {
  /**
   * Obey the verdict, which is final for this URL. If there is also a ticket, fetch the robots.txt again; the old
   * outcome serves everybody until the new one is there, at most until 24 hours after its fetch (SPEC 3.8; koster1996:
   * 7 days).
   */
  ROBOTS_CACHE_DECIDED = 0,
  /** Nothing is known of the site. Use the ticket: fetch the robots.txt, submit the outcome, check the URL again. */
  ROBOTS_CACHE_FETCH = 1,
  /** Another thread fetches the robots.txt, or there is no room. Check the URL again soon, at `until` at the latest. */
  ROBOTS_CACHE_WAIT = 2,
  /**
   * Nothing of the site may be fetched before `until`, nor its robots.txt (SPEC 2.7 to 2.10). Keep the URL; the reason
   * of the verdict is `ROBOTS_REASON_UNREACHABLE` or `ROBOTS_REASON_DEFER`, or its status says what failed.
   */
  ROBOTS_CACHE_DEFER = 3
};

/** Options of a cache: `robots_cache_set`. */
enum robots_cache_option {
  /**
   * How many seconds a ticket is valid, 1 to 86400; default: 120. Choose more than the longest retrieval with its
   * redirects takes: after that another thread may fetch the same file.
   */
  ROBOTS_CACHE_OPT_TICKET_TTL = 1,
  /** The delay for a site whose file states no crawl-delay, 0 to 86400000 milliseconds; default: 0. */
  ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS = 2,
  /**
   * The longest crawl-delay that is obeyed, 0 to 86400000 milliseconds; default: 60000. A longer one counts as this. A
   * larger `ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS` raises it. 0, with a default delay of 0: none is obeyed.
   */
  ROBOTS_CACHE_OPT_MAX_DELAY_MS = 3,
  /** How many milliseconds ahead `robots_cache_request` reserves a slot, 0 to 86400000; default: 60000. */
  ROBOTS_CACHE_OPT_HORIZON_MS = 4
};

/**
 * Creates a cache for a crawler.
 * Parameters: `crawler`: copied. `max_bytes`: the memory limit in bytes, at least 65536. Everything counts: keys,
 * rules and the allocator's overhead; a small site takes about 800 bytes. `out`: receives the cache.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_cache_new(const robots_crawler *crawler, size_t max_bytes, robots_cache **out);

/**
 * Adds a crawler, so that one fetch serves several (SPEC 3.7). The crawler of `robots_cache_new` has index 0 and sets
 * the fetch policy; the next has index 1, and so on.
 * Parameters: `crawler`: copied.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` if the cache has content or tickets;
 * `ROBOTS_E_MEMORY`. After an error the cache is unchanged.
 */
ROBOTS_MUST_USE robots_status robots_cache_add_crawler(robots_cache *cache, const robots_crawler *crawler);

/**
 * Sets an option of a cache.
 * Parameters: `option`: one of `enum robots_cache_option`. `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_STATE` if the
 * cache has content or tickets. After an error the cache is unchanged.
 */
ROBOTS_MUST_USE robots_status robots_cache_set(robots_cache *cache, uint32_t option, uint64_t value);

/**
 * Checks one URL. Reports what the crawler does next: obey a verdict, fetch the site's robots.txt, wait for another
 * thread that fetches it, or keep the URL for later. A result from the cache takes no lock.
 * Parameters: `crawler`: the index of the crawler, 0 if there is only one. `url`, `url_len`: an absolute URL, any
 * bytes. `now`: seconds since 1970-01-01 UTC. `out`: receives the answer; set its `size` first.
 * Returns: the verdict, as in `out`. Only `ROBOTS_CACHE_DECIDED` can allow the URL. With another action the reason is
 * `ROBOTS_REASON_DEFER`, or `ROBOTS_REASON_UNREACHABLE` for a site that cannot be reached. Its status is
 * `ROBOTS_E_URL` if `url` is not an absolute URL, or `ROBOTS_E_SCHEME` (SPEC 1.6): these are final, with the action
 * `ROBOTS_CACHE_DECIDED`. It is `ROBOTS_E_ARG`, also for a time after the year 9999, `ROBOTS_E_STATE` in a forked child,
 * or `ROBOTS_E_MEMORY`, with the action `ROBOTS_CACHE_DEFER`; for a site whose robots.txt does not fit, until it is due
 * again. If `size` is too small nothing is written.
 * Owner: the caller frees `out->ticket` with `robots_ticket_free` unless it is NULL.
 * Allocates: nothing for a result from the cache if the URL's origin is ASCII in lower case; else the entry and the ticket.
 */
robots_verdict robots_cache_check(const robots_cache *cache, size_t crawler, const char *url, size_t url_len, uint64_t
    now, robots_cache_answer *out);

/**
 * Checks one URL that is about to be requested, as `robots_cache_check`, which is for URLs that are found. If it is allowed,
 * reserves a slot of its site (SPEC 3.9). If `request_at_ms` is `now_ms`, send the request now. Else sleep until that time and
 * call again, with it as `slot_ms`. What all threads send so is a crawl-delay apart, also if one wakes late. A slot later
 * than `ROBOTS_CACHE_OPT_HORIZON_MS` is not reserved but deferred, with its time.
 * Parameters: as for `robots_cache_check`; `slot_ms`: 0, or the slot of the last call; `now_ms`: milliseconds since 1970.
 * Returns: the verdict. Its status is `ROBOTS_E_ARG` also for a time in seconds, which is one before March 1973.
 */
robots_verdict robots_cache_request(const robots_cache *cache, size_t crawler, const char *url, size_t url_len, uint64_t
    slot_ms, uint64_t now_ms, robots_cache_answer *out);

/**
 * Reports the response to a page: the crawl-delay counts from it (SPEC 3.9), and after 429 or 503 nothing is sent to the site
 * before its `Retry-After` (SPEC 3.10).
 * Parameters: `url`, `url_len`: of the page. `http_status`: any number. `value`, `value_len`: that of `Retry-After`, seconds or
 * a date; without a readable one the site rests for 5 seconds. `ROBOTS_OPT_MAX_RETRY_AFTER` of the first crawler limits the
 * rest. `now_ms`: as for `robots_cache_request`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`; `ROBOTS_E_ARG`;
 * `ROBOTS_E_MEMORY` if the site is new and does not fit.
 */
robots_status robots_cache_retry_after(const robots_cache *cache, const char *url, size_t url_len, uint32_t http_status,
    const char *value, size_t value_len, uint64_t now_ms);

/**
 * Returns what the cache has for a site, however old: for its crawl-delay, sitemaps or times. Takes no lock.
 * Parameters: `url`, `url_len`: any URL of the site. `out`: receives the outcome; NULL if the cache has none.
 * Returns: `ROBOTS_OK`, also if there is none; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`;
 * `ROBOTS_E_ARG`.
 * Allocates: a handle; the outcome is shared with the cache and does not change when the cache does.
 */
ROBOTS_MUST_USE robots_status robots_cache_outcome(const robots_cache *cache, const char *url, size_t url_len,
    robots_outcome **out);

/**
 * Removes one site. A ticket for it stays valid.
 * Parameters: `url`, `url_len`: any URL of the site.
 * Returns: `ROBOTS_OK`, also if the cache has nothing for it; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from
 * `robots_cache_check`; `ROBOTS_E_ARG`.
 */
robots_status robots_cache_remove(const robots_cache *cache, const char *url, size_t url_len);

/** Removes all sites. Tickets stay valid. */
void robots_cache_clear(const robots_cache *cache);

/**
 * Returns how much the cache holds, and what it did.
 * Parameters: `out`: receives the counts; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_STATE` in a forked child.
 */
robots_status robots_cache_count(const robots_cache *cache, robots_cache_counts *out);

/**
 * Passes what the cache holds to a function, for another process or machine: one record for each site, in the order of
 * eviction. The record of a site with a slot and no outcome decides nothing. Other threads may use the cache during the call.
 * Sites that are added or removed then may be missing.
 * Parameters: `receive`: the function. `context`: any pointer, passed to `receive`.
 * Returns: `ROBOTS_OK`, also if `receive` stops; `ROBOTS_E_ARG`; `ROBOTS_E_STATE` in a forked child; `ROBOTS_E_MEMORY`.
 * Allocates: 16 bytes for each site and one record, which are freed; may abort when out of memory.
 */
ROBOTS_MUST_USE robots_status robots_cache_each(const robots_cache *cache, robots_cache_record receive, void *context);

/**
 * Imports a record of `robots_cache_each`, from this process or another. A newer outcome and a later slot in the cache stay. A
 * full cache evicts nothing for it. The options of the cache's first crawler limit its times.
 * Parameters: `record`, `record_len`: any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another format version or
 * other crawlers; `ROBOTS_E_MEMORY` if it does not fit; `ROBOTS_E_ARG`, also for a time after the year 9999. After an error
 * the cache is unchanged; continue with the next record.
 * Allocates: the site's entry.
 */
robots_status robots_cache_import(const robots_cache *cache, const char *record, size_t record_len);

/** Frees a cache. Tickets stay valid and keep what they need of it. */
void robots_cache_free(robots_cache *cache);

/**
 * Returns the key of the origin to fetch, such as "https://example.com".
 * Returns: the key; empty for NULL, and after `robots_ticket_finish`.
 * Owner: the ticket; valid until `robots_ticket_finish` or `robots_ticket_free`.
 */
robots_str robots_ticket_origin(const robots_ticket *ticket);

/**
 * Starts the retrieval, for all crawlers of the cache. The outcome in the cache, if there is one, is its previous
 * outcome (SPEC 2.11, `robots_fetch_set_previous`).
 * Parameters: `now`: seconds since 1970-01-01 UTC. `out`: receives the fetch, which does not need the ticket.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_STATE` after `robots_ticket_finish`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_ticket_fetch(const robots_ticket *ticket, uint64_t now, robots_fetch **out);

/**
 * Submits the outcome for all threads that use the cache. From a ticket that has expired it counts only if the cache
 * has nothing newer. If it lies in the future of `now` the next caller gets a ticket at once (SPEC 2.18).
 * Parameters: `outcome`: from `robots_fetch_outcome`, or made otherwise for the same origin and crawlers. `now`:
 * seconds since 1970-01-01 UTC.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, another origin, other crawlers or a time after the year 9999; `ROBOTS_E_MEMORY` if it does not
 * fit into the cache; `ROBOTS_E_STATE` if the ticket was finished before. Unless an argument is NULL the ticket ends
 * in any case; with an error the cache is as if nobody had fetched.
 * Owner: `ticket` and `outcome` stay the caller's, who frees both.
 * Allocates: the origin's entry.
 */
robots_status robots_ticket_finish(robots_ticket *ticket, const robots_outcome *outcome, uint64_t now);

/** Frees a ticket. If it was not finished, the cache gives a ticket to the next caller. */
void robots_ticket_free(robots_ticket *ticket);

/* ==== 10. Extensions and usage preferences ======================================================================== */

/**
 * The extension lines of a robots.txt for one crawler: those in the groups that apply to it, and those outside all
 * groups. Immutable.
 * Owner: created by `robots_extensions_parse`, freed by `robots_extensions_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it: the lines and the rules. No function aborts when out of memory.
 */
typedef struct robots_extensions robots_extensions;

/**
 * The usage preferences for one URL or one response: each label of each vocabulary once. Immutable.
 * Owner: created by `robots_extensions_preferences` or `robots_preferences_from_header`, freed by
 * `robots_preferences_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the functions that create it. No function aborts when out of memory.
 */
typedef struct robots_preferences robots_preferences;

/** One extension line. Set `size` to `sizeof(robots_extension)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_extension)`; later versions add fields at the end only. */
  /** The value as it is written, without comment and surrounding white space; any bytes, at least one. */
  robots_str value;
  uint32_t line; /**< The number of the line, from 1. */
  uint32_t field; /**< The field, one of `enum robots_extension_field`. Later versions may add some. */
  uint32_t in_group; /**< 1 if the line is in a group that applies to the crawler; 0 if it is outside all groups. */
  /** For a request-rate: at most this number of requests, ... 0 for another field and an invalid value. */
  uint32_t requests;
  uint32_t seconds; /**< ... in this number of seconds. */
  /** For a visit-time, or a request-rate with times: the start in minutes after midnight UTC, 0 to 1439, ... */
  uint32_t from;
  /** ... and the end, 1 to 1440; an end that is not later than the start is on the next day. 0: no time is given. */
  uint32_t until;
  uint32_t reserved; /**< Always 0. */
} robots_extension;

/** One preference. Set `size` to `sizeof(robots_preference)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_preference)`; later versions add fields at the end only. */
  /** The label of the use, such as `train-ai`; case-sensitive, any bytes. That of a content-signal is in lower case. */
  robots_str label;
  uint32_t line; /**< The number of the line, from 1; 0 for a header field. */
  /** The vocabulary of the label, one of `enum robots_vocabulary`. Later versions may add some. */
  uint32_t vocabulary;
  uint32_t choice; /**< The preference, one of `enum robots_choice`. */
  uint32_t reserved; /**< Always 0. */
} robots_preference;

/** Fields of extension lines. */
enum robots_extension_field {
  /** `request-rate: 1/5 0600-0845`: at most one request in 5 seconds, at these hours (SPEC 9.3). */
  ROBOTS_EXTENSION_REQUEST_RATE = 0,
  ROBOTS_EXTENSION_VISIT_TIME = 1, /**< `visit-time: 0400-0845`: hours for visits, in UTC (SPEC 9.3). */
  ROBOTS_EXTENSION_HOST = 2, /**< `host: www.example.com`: the preferred host name of the site (SPEC 9.3). */
  /** `clean-param: ref /articles/`: query parameters that do not change the page (SPEC 9.3). */
  ROBOTS_EXTENSION_CLEAN_PARAM = 3,
  ROBOTS_EXTENSION_NOINDEX = 4, /**< `noindex: /path`: paths to keep out of an index (SPEC 9.3). */
  ROBOTS_EXTENSION_CONTENT_SIGNAL = 5, /**< `content-signal: search=yes, ai-train=no` (SPEC 9.4). */
  ROBOTS_EXTENSION_CONTENT_USAGE = 6, /**< `content-usage: /path train-ai=n` (SPEC 9.5). */
  /** `license: https://example.com/license.xml`: terms of use, of Really Simple Licensing (SPEC 9.7). */
  ROBOTS_EXTENSION_LICENSE = 7
};

/** Vocabularies of usage preferences. */
enum robots_vocabulary {
  ROBOTS_VOCABULARY_CONTENT_USAGE = 0, /**< `content-usage`, line or header field (SPEC 9.5). */
  ROBOTS_VOCABULARY_CONTENT_SIGNAL = 1 /**< `content-signal` (SPEC 9.4). */
};

/** Usage preferences. */
enum robots_choice {
  ROBOTS_CHOICE_NO = 0, /**< The use is not permitted. */
  ROBOTS_CHOICE_YES = 1, /**< The use is permitted. */
  ROBOTS_CHOICE_UNKNOWN = 2 /**< The label has another value, which states no preference. */
};

/**
 * Parses the extension lines of a robots.txt (SPEC 9.3, 9.4, 9.5). They have no effect on a verdict. Groups that do
 * not apply to the crawler are left out.
 * Parameters: `body`, `body_len`: the bytes of the file, any bytes, also none. `out`: receives the extensions.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error.
 */
ROBOTS_MUST_USE robots_status robots_extensions_parse(const robots_crawler *crawler, const char *body, size_t body_len,
    robots_extensions **out);

/**
 * Returns one line.
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the line; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
 * Owner: the value belongs to `extensions`.
 */
ROBOTS_MUST_USE robots_status robots_extensions_line(const robots_extensions *extensions, size_t index, robots_extension
    *out);

/**
 * Returns the preferences of the file for a URL (SPEC 9.4, 9.5). A URL that may not be fetched has none, nor has the
 * robots.txt itself.
 * Parameters: `url`, `url_len`: as for `robots_rules_check`. `out`: receives the preferences, which stay valid without
 * `extensions`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b); `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_extensions_preferences(const robots_extensions *extensions, const char *url, size_t
    url_len, robots_preferences **out);

/** Frees extensions and everything borrowed from them. Preferences that came from them stay valid. */
void robots_extensions_free(robots_extensions *extensions);

/**
 * Creates the preferences of a response from its `Content-Usage` header field (SPEC 9.5).
 * Parameters: `value`, `value_len`: the value of the field, any bytes; join several values by ", ". A value that is
 * not an RFC 9651 Dictionary gives no preferences. `out`: receives the preferences.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_preferences_from_header(const char *value, size_t value_len, robots_preferences
    **out);

/**
 * Returns one preference. A label that is not listed is neither permitted nor forbidden.
 * Parameters: `index`: from 0, sorted by vocabulary, then by label. `out`: receives it; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`. Unless it is `ROBOTS_OK`, the choice in `*out` is
 * `ROBOTS_CHOICE_NO`.
 * Owner: the label belongs to `preferences`.
 */
ROBOTS_MUST_USE robots_status robots_preferences_get(const robots_preferences *preferences, size_t index,
    robots_preference *out);

/** Frees preferences and everything borrowed from them. */
void robots_preferences_free(robots_preferences *preferences);

/* ==== 11. Page controls =========================================================================================== */

/*
 * What a crawler may do with a response: the headers X-Robots-Tag, Robots-Tag and Content-Usage, and <meta> elements
 * (SPEC 9.5, 9.6). Add every header of the response and every <meta> element, then read the controls:
 *
 *     robots_page_rule rule = {sizeof rule};
 *     robots_page_controls_get(controls, ROBOTS_CONTROL_INDEX, &rule);
 *     if (rule.value) ... index the page
 */

/**
 * The page-level controls of one response for one crawler (SPEC 9.6), and its usage preferences (SPEC 9.5).
 * Owner: created by `robots_page_controls_new`, freed by `robots_page_controls_free`.
 * Threads: one thread while values are added; then any number of threads may read it at once.
 * Allocates: the functions that create it and add values. No function aborts when out of memory.
 */
typedef struct robots_page_controls robots_page_controls;

/** One rule of a page. Set `size` to `sizeof(robots_page_rule)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_page_rule)`; later versions add fields at the end only. */
  /** The rule as it is written, such as `max-snippet: 20`; any bytes, at most 256. Empty if no rule decides. */
  robots_str text;
  robots_str agent; /**< The product token of the crawler that the rule names; empty if it is for every crawler. */
  int64_t value; /**< The value of the control; 0 for an unknown rule. */
  uint32_t source; /**< Where the rule is, one of `enum robots_page_source`. Later versions may add some. */
  /** Which value of that source it is in: 1 for the first header or element that was added; 0 if no rule decides. */
  uint32_t number;
  uint32_t zone; /**< What a date says about its time zone, one of `enum robots_zone`. */
  uint32_t reserved; /**< Always 0. */
} robots_page_rule;

/** Controls of a page: `robots_page_controls_get`. */
enum robots_control {
  ROBOTS_CONTROL_INDEX = 0, /**< 1: the page may be indexed; 0: `noindex`, `none`. */
  ROBOTS_CONTROL_FOLLOW = 1, /**< 1: links of the page may be followed; 0: `nofollow`, `none`. */
  ROBOTS_CONTROL_ARCHIVE = 2, /**< 1: a copy of the page may be shown; 0: `noarchive`, `nocache`. */
  ROBOTS_CONTROL_SNIPPET = 3, /**< 1: an excerpt of the page may be shown; 0: `nosnippet`, `max-snippet: 0`. */
  ROBOTS_CONTROL_TRANSLATE = 4, /**< 1: a translation of the page may be offered; 0: `notranslate`. */
  ROBOTS_CONTROL_IMAGE_INDEX = 5, /**< 1: images of the page may be indexed; 0: `noimageindex`. */
  /** 1: the content may be indexed if it is embedded in another page; 0: `noindex` without `indexifembedded`. */
  ROBOTS_CONTROL_INDEX_IF_EMBEDDED = 6,
  ROBOTS_CONTROL_MAX_SNIPPET = 7, /**< The length of the longest excerpt, in characters; -1: no limit. */
  /** The largest image preview: 0: none, 1: standard, 2: large, -1: not limited. */
  ROBOTS_CONTROL_MAX_IMAGE_PREVIEW = 8,
  /** The length of the longest video preview, in seconds; 0: a still image, -1: no limit. */
  ROBOTS_CONTROL_MAX_VIDEO_PREVIEW = 9,
  /** The time after which the page is not to be shown, in seconds since 1970-01-01 UTC; -1: no such time. */
  ROBOTS_CONTROL_UNAVAILABLE_AFTER = 10
};

/** Where a rule of a page is. */
enum robots_page_source {
  ROBOTS_PAGE_NONE = 0, /**< No rule decides. */
  ROBOTS_PAGE_X_ROBOTS_TAG = 1, /**< The header `X-Robots-Tag`. */
  ROBOTS_PAGE_ROBOTS_TAG = 2, /**< The header `Robots-Tag` of the draft. */
  ROBOTS_PAGE_META = 3 /**< A `<meta>` element. */
};

/** Time zones of dates. */
enum robots_zone {
  ROBOTS_ZONE_KNOWN = 0, /**< Known, or the rule has no date. */
  ROBOTS_ZONE_MISSING = 1, /**< The date names no zone; it is read as UTC. */
  ROBOTS_ZONE_UNKNOWN = 2 /**< The date names an unknown zone; it is read as UTC. */
};

/**
 * Creates the controls of a response without headers and elements, which restricts nothing.
 * Parameters: `crawler`: its product tokens are the names that it obeys. `out`: receives the controls, which stay valid
 * without `crawler`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_page_controls_new(const robots_crawler *crawler, robots_page_controls **out);

/**
 * Adds a header of the response: `X-Robots-Tag`, `Robots-Tag` or `Content-Usage`, in any case. Other headers have no
 * effect. Add repeated headers one by one.
 * Parameters: `name`, `name_len`: the name. `value`, `value_len`: the value, any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. After an error every control of `controls` is 0, its most
 * restrictive value.
 * Allocates: the rules that decide, and up to 64 unknown rules.
 */
robots_status robots_page_controls_add_header(robots_page_controls *controls, const char *name, size_t name_len, const
    char *value, size_t value_len);

/**
 * Adds a `<meta>` element of the page. It has an effect if its name is `robots` or a product token of the crawler, in
 * any case.
 * Parameters: `name`, `name_len`, `content`, `content_len`: the attributes, without HTML escapes, any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. After an error every control of `controls` is 0, its most
 * restrictive value.
 * Allocates: the rules that decide, and up to 64 unknown rules.
 */
robots_status robots_page_controls_add_meta(robots_page_controls *controls, const char *name, size_t name_len, const
    char *content, size_t content_len);

/**
 * Returns the value of a control, and the rule that decides it: the first of the most restrictive ones.
 * Parameters: `control`: one of `enum robots_control`, which describes the values. `out`: receives the value and the rule;
 * set its `size` first. If no rule decides, its `source` is `ROBOTS_PAGE_NONE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`. After an error, also one of a function that adds values, the value is 0, the
 * most restrictive one.
 * Owner: the strings belong to `controls`; they are valid until a value is added.
 */
robots_status robots_page_controls_get(const robots_page_controls *controls, uint32_t control, robots_page_rule *out);

/**
 * Returns one of the rules for the crawler that are unknown or have an invalid value. At most 64 are kept.
 * Parameters: `index`: from 0, in the order of their addition. `out`: receives the rule; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
 * Owner: the strings belong to `controls`; they are valid until a value is added.
 */
ROBOTS_MUST_USE robots_status robots_page_controls_unknown(const robots_page_controls *controls, size_t index,
    robots_page_rule *out);

/**
 * Returns the choice of the `Content-Usage` headers for a label (SPEC 9.5).
 * Parameters: `label`, `label_len`: such as `train-ai`; case-sensitive.
 * Returns: one of `enum robots_choice`: `ROBOTS_CHOICE_UNKNOWN` for a label that is not listed; `ROBOTS_CHOICE_NO` for
 * NULL, and after an error of a function that adds values.
 */
uint32_t robots_page_controls_usage(const robots_page_controls *controls, const char *label, size_t label_len);

/** Frees controls and everything borrowed from them. */
void robots_page_controls_free(robots_page_controls *controls);

#ifdef __cplusplus
}
#endif

#endif /* LIBROBOTS_H */
