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
 * Or create a cache for the URLs of many sites, and follow its answer for each URL; librobots-cache(7) has the whole loop:
 *
 *     robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;
 *     robots_cache_check(cache, 0, url, url_len, now_ms, &answer);
 *     if (answer.ticket != NULL) ...                                fetch the robots.txt, submit the outcome
 *     if (answer.action == ROBOTS_CACHE_DECIDED) ...                obey answer.verdict
 *     else if (answer.action == ROBOTS_CACHE_FETCH) ...             check the URL again
 *     else ...                                                      check the URL again at answer.until_ms
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
 *      9. Cache                             robots_cache, robots_slot, robots_cache_answer, robots_cache_counts, robots_record_fn, robots_cache_file, robots_ticket
 *     10. Page controls                     robots_page_controls, robots_page_rule
 *     11. Uses                              robots_uses, robots_use_signal, robots_use_answer
 *
 * Conventions, unless the comment of a type or a function says otherwise:
 *
 * - Parameters: strings are a pointer and a length, any bytes; with length 0 the pointer is ignored. The library copies a
 *   string or handle that is passed in, or does not need it after the call. `out` receives the result, and overlaps with no
 *   other argument. `now_ms` is the time.
 * - Numbers: parameters and fields are uint32_t where an enum lists their values. To let the compiler find missing cases:
 *   switch ((enum robots_reason)ROBOTS_VERDICT_REASON(verdict)). Enums may grow in later versions.
 * - Structs with a `size`: initialize each by its macro, such as ROBOTS_RULE_INIT. Later versions add fields at the end only.
 * - ROBOTS_E_ARG, from every function with a status: a NULL handle, a NULL `out`, a NULL string with a length, a struct whose
 *   `size` is too small, an unknown option, a number out of its range. Functions without a status return 0 or an empty string.
 *   Freeing NULL does nothing.
 * - Times: milliseconds since 1970-01-01 UTC by the caller's clock, and durations in milliseconds: names end in `_ms`. A
 *   `now_ms` before March 1973, as one in seconds is, or after the year 9999, as one in microseconds is, is ROBOTS_E_TIME.
 *   The engine counts seconds: options of seconds are multiples of 1000. What a file states keeps its unit, seconds.
 * - ROBOTS_END: read a list from index 0 until a call returns ROBOTS_END.
 * - Returns: a function that can fail returns a robots_status. It sets `*out` to a safe value first: NULL, or zeros in a
 *   struct with a valid `size`. A verdict with an error allows nothing. Misuse never permits a fetch.
 * - Owner: the caller owns a handle that it receives through `out`, and frees it with the type's `_free`. A robots_str that
 *   a function returns belongs to the object; it is valid until the object is freed. The caller frees nothing else.
 * - Threads: any thread may call a function. Many threads may use one `const T *` at the same time. During a call with
 *   `T *` no other thread may use that object. `_free` releases one reference; other threads may use the others.
 * - Allocates: functions that create a handle allocate it. Others allocate at most work space that is freed, or as noted.
 * - Out of memory: ROBOTS_E_MEMORY, from every function that allocates, and nothing leaks. "May abort when out of memory": if
 *   an allocation of at most 1 KiB, or of the growing table of a cache, fails, Rust's standard library ends the process;
 *   SECURITY.md lists these allocations.
 * - Since: 0.1.0. Later versions only add functions and numbers.
 *
 * Linking: a plugin that contains librobots.a hides its functions with -Wl,--exclude-libs,librobots.a, so that two copies in
 * one process do not mix. Unloading: a thread that used a cache has a destructor in the library. After dlclose, glibc keeps
 * the library loaded until that thread ends; for the main thread, until the process ends.
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

/** The version of this header, as text and as numbers; `robots_version_number` returns the version of the library. */
#define ROBOTS_VERSION "0.1.0"
#define ROBOTS_VERSION_MAJOR 0
#define ROBOTS_VERSION_MINOR 1
#define ROBOTS_VERSION_PATCH 0
#define ROBOTS_VERSION_NUMBER 1000

/** A mark of functions: the compiler warns, if it can, about a call that ignores the result. */
#if (defined __cplusplus && __cplusplus >= 201703L) || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 202311L)
#define ROBOTS_MUST_USE [[nodiscard]]
#elif defined __GNUC__
#define ROBOTS_MUST_USE __attribute__((warn_unused_result))
#else
#define ROBOTS_MUST_USE
#endif

/** The result of a function that can fail: one of `enum robots_status_code`. Later versions may add values. */
typedef int32_t robots_status;

/** A borrowed string: `len` bytes at `ptr`, not NUL-terminated. `ptr` is NULL only if `len` is 0. */
typedef struct robots_str {
  const char *ptr; /**< Pointer to the first byte. */
  size_t len; /**< Number of bytes. */
} robots_str;

/** The numbers of a `robots_status`. They are never renumbered. */
enum robots_status_code {
  ROBOTS_OK = 0, /**< Success. */
  /** A pointer that is NULL or not aligned, a `size` that is too small, an unknown option, a number out of range, or a
   * body that is the address of a file instead of its content (SPEC 4.7). */
  ROBOTS_E_ARG = 1,
  ROBOTS_E_TOKEN = 2, /**< Not a product token (SPEC 7.6). */
  ROBOTS_E_URL = 3, /**< Not a URL that can be checked (SPEC 8.5b), or a URL of a different site than the outcome. */
  ROBOTS_E_MEMORY = 4, /**< Out of memory, or the limit of a cache is exceeded. */
  ROBOTS_E_PANIC = 5, /**< A defect of the library. The library stays usable; please report it. */
  ROBOTS_E_IMAGE = 6, /**< A damaged image or record. */
  ROBOTS_E_IMAGE_FORMAT = 7, /**< An image or record of another format version, byte order or crawler. */
  ROBOTS_E_SCHEME = 8, /**< A URL with a scheme other than http, https and ftp (SPEC 1.6). */
  /** Wrong state: an event at the wrong step of a fetch, a setting for a cache in use, a finished ticket. */
  ROBOTS_E_STATE = 9,
  /** No error: the list has no element with this index. Read a list from index 0 until this status. */
  ROBOTS_END = 64,
  ROBOTS_E_SPACE = 65, /**< The buffer is too small; `*len` is the required length. */
  ROBOTS_E_FILE = 66, /**< The file cannot be read or written; `os_error` of the output is the system's error number. */
  /** Not a time in milliseconds since 1970: before March 1973, such as a time in seconds, or after the year 9999. */
  ROBOTS_E_TIME = 67
};

/**
 * Returns one English sentence that says what a status means and what to do. For `ROBOTS_E_ARG` the sentence names the
 * parameter that was refused in the thread's last call with this status.
 * Parameters: `status`: any number. The sentence for a number that is not a status says that it is unknown.
 * Returns: a NUL-terminated string, never NULL.
 * Owner: the library; valid until it is unloaded.
 */
const char *robots_status_text(robots_status status);

/**
 * Returns the version of the library as one number. `ROBOTS_VERSION_NUMBER` is the version of this header.
 * Returns: major * 1000000 + minor * 1000 + patch; 0.1.0 is 1000.
 */
uint32_t robots_version_number(void);

/* ==== 2. Crawler ================================================================================================== */

/**
 * A crawler: product tokens, dialect, limits and fetch policy.
 * Owner: created by `robots_crawler_new` or `robots_crawler_preset`, freed by `robots_crawler_free`.
 * Threads: one thread sets it up; then any number of threads may use it at the same time.
 * Allocates: the functions that create it. No function aborts when out of memory.
 */
typedef struct robots_crawler robots_crawler;

/** Options of a crawler: `robots_crawler_set`. */
enum robots_option {
  ROBOTS_OPT_DIALECT = 1, /**< The dialect, one of `enum robots_dialect`; default: rfc9309. */
  /** How many bytes of a robots.txt are read (SPEC 4.5), 512000 to 1073741824; default: 512000. */
  ROBOTS_OPT_MAX_BYTES = 2,
  /** 1 obeys only groups that name the crawler, and no `*` groups, as AdsBot-Google does (SPEC 7.5); default: 0. */
  ROBOTS_OPT_IGNORE_STAR = 3,
  /** 1 obeys the groups of all product tokens together, as Google's matcher does (SPEC 7.7). Otherwise only the groups
   * of the first token that the file names are obeyed. Default: 0. */
  ROBOTS_OPT_MERGE_TOKENS = 4,
  /** 1 lets a crawl-delay line end a run of user-agent lines, as a rule does (SPEC 6.1); default: 0. */
  ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS = 5,
  ROBOTS_OPT_LINT_ALL = 6 /**< 1 lets lint report every code, also codes that are off by default; default: 0. */
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
 * Parameters: `token`, `token_len`: the bare product token, such as "ExampleBot": 1 to 1024 letters, digits, `.`, `_`
 * and `-` (SPEC 7.6). "*" creates a crawler without a token: only the `*` groups apply (SPEC 7.4). `out`: the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token: see `robots_token_from_user_agent`.
 */
ROBOTS_MUST_USE robots_status robots_crawler_new(const char *token, size_t token_len, robots_crawler **out);

/**
 * Finds the product token in a User-Agent header: the first product that is not a browser's (SPEC 7.6).
 * Parameters: `header`, `header_len`: for example "Mozilla/5.0 (compatible; ExampleBot/1.0)". `out`: the token.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the header has no such product. On error `*out` is empty.
 * Owner: the caller; the token is a part of `header`.
 */
ROBOTS_MUST_USE robots_status robots_token_from_user_agent(const char *header, size_t header_len, robots_str *out);

/**
 * Creates a crawler with the published settings of a well-known crawler. The settings are product tokens in order of
 * preference, dialect, and whether `*` groups apply. Operators change these settings from time to time.
 * Parameters: `name`, `name_len`: for example "Googlebot-Image"; case does not matter. `out`: receives the crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if no preset has the name: the command `robots crawlers` lists all names.
 */
ROBOTS_MUST_USE robots_status robots_crawler_preset(const char *name, size_t name_len, robots_crawler **out);

/**
 * Adds a product token. The groups of the token apply if no group of the robots.txt names an earlier token (SPEC 7.1).
 * Parameters: `token`, `token_len`: as for `robots_crawler_new`, except in two dialects: `ROBOTS_DIALECT_GOOGLE`
 * allows letters, `_` and `-` only; `ROBOTS_DIALECT_KOSTER1996` allows a token of RFC 1945 except `*`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token; `ROBOTS_E_ARG`, also for a 65th token.
 * After an error the crawler is unchanged.
 * Allocates: a copy of the token.
 */
ROBOTS_MUST_USE robots_status robots_crawler_add_token(robots_crawler *crawler, const char *token, size_t token_len);

/**
 * Adds each name in a text as a token (SPEC 7.9), in order of preference. A text without a name adds no token.
 * Parameters: `agent`, `agent_len`: for example a User-Agent header, or the name in a user-agent line. Set the dialect first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` if there would be more than 64 tokens.
 */
ROBOTS_MUST_USE robots_status robots_crawler_add_names_in(robots_crawler *crawler, const char *agent, size_t agent_len);

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
 * The rules of a robots.txt, compiled for one crawler into one block of memory. Immutable and reference-counted.
 * Owner: created by `robots_rules_parse` and others, freed by `robots_rules_free`.
 * Threads: any number of threads may use it at the same time. Checking a URL takes no lock.
 * Allocates: the functions that create it, and others as noted. No function aborts when out of memory.
 */
typedef struct robots_rules robots_rules;

/**
 * The result of checking one URL. Read it with `ROBOTS_VERDICT_ALLOWED` and the other macros. A verdict whose status is
 * not `ROBOTS_OK` does not allow the URL. The type is a struct so that `if (verdict)` does not compile.
 */
typedef struct robots_verdict {
  /** Bit 0: allowed; bit 1: site-wide; bits 8-15: reason; bits 16-31: status; bits 32-63: line of the deciding rule. */
  uint64_t bits;
} robots_verdict;

/** A conversion that `-Wold-style-cast` of C++ accepts. */
#ifdef __cplusplus
#define ROBOTS_CAST(type, value) static_cast<type>(value)
#else
#define ROBOTS_CAST(type, value) ((type)(value))
#endif

/** The parts of a `robots_verdict`. */
#define ROBOTS_VERDICT_ALLOWED(v) ROBOTS_CAST(int, (v).bits & 1u)
#define ROBOTS_VERDICT_SITE_WIDE(v) ROBOTS_CAST(int, (v).bits >> 1 & 1u)
#define ROBOTS_VERDICT_REASON(v) ROBOTS_CAST(uint32_t, (v).bits >> 8 & 0xFFu)
#define ROBOTS_VERDICT_STATUS(v) ROBOTS_CAST(robots_status, (v).bits >> 16 & 0xFFFFu)
#define ROBOTS_VERDICT_LINE(v) ROBOTS_CAST(uint32_t, (v).bits >> 32)

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
  ROBOTS_BAD_URL = 2 /**< There is no verdict, nearly always because the text is no URL (SPEC 8.5b); do not fetch it. */
};

/**
 * Returns one English sentence that says what a reason means, and whether to drop or keep a URL that is not allowed.
 * Parameters: `reason`: any number. The sentence for a number that is not a reason says that it is unknown.
 * Returns: a NUL-terminated string, never NULL.
 * Owner: the library; valid until it is unloaded.
 */
const char *robots_reason_text(uint32_t reason);

/**
 * Parses a robots.txt, and compiles the rules that apply to the crawler.
 * Parameters: `body`, `body_len`: the file without content coding, any bytes, including none. `out`: the rules.
 * Returns: `ROBOTS_OK`. The content of the file is never an error (SPEC 4.3). If the body is still compressed, every
 * check returns `ROBOTS_REASON_UNREACHABLE`, except in google (SPEC 4.4). If the body is an address, such as
 * `https://example.com/robots.txt` or `robots.txt`, every check returns `ROBOTS_E_ARG` (SPEC 4.7). After a failed fetch
 * do not pass an empty body: pass the HTTP status to `robots_outcome_from_status`.
 * Allocates: the rules, one block that is usually smaller than the file, and work space that is freed.
 */
ROBOTS_MUST_USE robots_status robots_rules_parse(const robots_crawler *crawler, const char *body, size_t body_len,
    robots_rules **out);

/**
 * Creates rules that allow every URL (SPEC 2.5), or only /robots.txt (SPEC 2.6, 8.9).
 * Parameters: `allow`: `ROBOTS_ALLOWED` or `ROBOTS_DISALLOWED`. `out`: receives the rules.
 * Returns: `ROBOTS_OK`.
 */
ROBOTS_MUST_USE robots_status robots_rules_site_wide(uint32_t allow, robots_rules **out);

/**
 * Checks one URL: whether the crawler may fetch the URL, why, and which line decides (SPEC 8). Takes no lock.
 * Parameters: `url`, `url_len`: an absolute URL, whose path and query matter, or a path that starts with `/`; any bytes,
 * any length. A URL that clients read differently, such as `/a/../b`, is allowed only if each reading is allowed (SPEC 8.11).
 * In google, pass the URL that the client requests.
 * Returns: a verdict. After an error its status is not `ROBOTS_OK` and the URL is not allowed: `ROBOTS_E_URL` if `url` is
 * not a URL or its canonical path exceeds 64 KiB; `ROBOTS_E_IMAGE` only for rules of `robots_rules_borrow_image`. If the
 * verdict is site-wide, every URL of the site except /robots.txt has this verdict (SPEC 8.13).
 * Allocates: nothing if the URL and its canonical form have at most 16 KiB each (SPEC 8.12), otherwise work space.
 */
ROBOTS_MUST_USE robots_verdict robots_rules_check(const robots_rules *rules, const char *url, size_t url_len);

/**
 * Checks one URL with a robots.txt and keeps nothing. Returns the verdict of `robots_rules_parse` and
 * `robots_rules_check` in a fraction of their time. To check several URLs, parse the file once.
 * Parameters: `body`, `body_len`: as for `robots_rules_parse`. `url`, `url_len`: as for `robots_rules_check`.
 * Returns: a verdict as from `robots_rules_check`.
 * Allocates: nothing if the URL and its canonical form have at most 16 KiB each; otherwise work space that is freed. Work
 * space is also needed for a rule that is not canonical and has more than 512 bytes in canonical form, and for a URL that
 * clients read differently (SPEC 8.11).
 */
ROBOTS_MUST_USE robots_verdict robots_check_once(const robots_crawler *crawler, const char *body, size_t body_len,
    const char *url, size_t url_len);

/**
 * Checks many URLs. URL i begins at `text[offsets[i]]` and ends before `text[offsets[i + 1]]`, as in Apache Arrow.
 * Parameters: `text`: the concatenated URLs. `offsets`: `count + 1` offsets into `text`; they never decrease. `count`:
 * the number of URLs; if it is 0, `offsets` and `verdicts` may be NULL. `verdicts`: receives `count` results, each one
 * of `enum robots_batch_result`; it overlaps with neither `text` nor `offsets`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, for offsets that decrease and for `verdicts` that overlap. After
 * `ROBOTS_E_ARG` every result is `ROBOTS_DISALLOWED`. If borrowed rules have a damaged header, or the body was an
 * address (SPEC 4.7), every result is `ROBOTS_BAD_URL`.
 */
ROBOTS_MUST_USE robots_status robots_rules_check_batch(const robots_rules *rules, const char *text,
    const uint64_t *offsets, size_t count, uint8_t *verdicts);

/**
 * Returns the crawl-delay of the groups that apply to the crawler (SPEC 9.2).
 * Returns: the longest delay in seconds, 0 or more; NaN if there is none, or for NULL. A file may state any number,
 * such as 1e20: limit the delay before you convert it to an integer.
 */
double robots_rules_crawl_delay(const robots_rules *rules);

/**
 * Returns one sitemap of the file, as written (SPEC 9.1).
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the address, which belongs to the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
 */
ROBOTS_MUST_USE robots_status robots_rules_sitemap(const robots_rules *rules, size_t index, robots_str *out);

/**
 * Adds a reference, which the caller releases by `robots_rules_free`.
 * Returns: `rules`; NULL for NULL, and at 2^63 - 1 references (2^31 - 1 on 32-bit machines).
 * Owner: the caller has one more reference.
 */
robots_rules *robots_rules_retain(const robots_rules *rules);

/** Releases a reference. The last release frees the rules and everything borrowed from them. */
void robots_rules_free(robots_rules *rules);

/**
 * Returns the compiled rules as one flat block of bytes, to be stored or sent. `robots_rules_from_image`,
 * `robots_rules_borrow_image` and `robots_image_check` read the block.
 * Returns: the image; empty for NULL.
 */
robots_str robots_rules_image(const robots_rules *rules);

/* ==== 4. Rules as a list ========================================================================================== */

/**
 * The rules of a robots.txt that can decide a verdict, for callers that show or convert rules. Immutable. For a verdict
 * call `robots_rules_check`.
 * Owner: created by `robots_rule_list_new`, freed by `robots_rule_list_free`.
 * Threads: any number of threads may use it at the same time.
 * Allocates: the function that creates it. No function aborts when out of memory.
 */
typedef struct robots_rule_list robots_rule_list;

/** One rule that can decide. */
typedef struct robots_rule {
  size_t size; /**< `sizeof(robots_rule)`. */
  /**
   * Path in canonical form (SPEC 8.6), any bytes. `*` is the wildcard and a final `$` the end of the URL, except in
   * koster1996. A pattern with redundant `*` is replaced by an equivalent pattern of the same length.
   */
  robots_str pattern;
  uint32_t line; /**< Number of the line, from 1; 0 for a site-wide rule that no line states. */
  uint32_t allow; /**< 1 if the rule allows, 0 if it disallows. */
} robots_rule;
#define ROBOTS_RULE_INIT {sizeof(robots_rule), {0, 0}, 0, 0}

/**
 * Creates the list of the rules that can decide. A rule never decides if it is a duplicate, has no path, or has a path that
 * matches no URL (SPEC 8.5). In google the rule `/x/$` follows an allow rule such as `/x/index.html` (SPEC 8.10). Rules that
 * disallow the whole site become one rule, `/`.
 * Parameters: `rules`. `out`: receives the list, which stays valid without `rules`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for rules of a damaged image; `ROBOTS_E_MEMORY`, also if the patterns exceed
 * 64 MiB.
 */
ROBOTS_MUST_USE robots_status robots_rule_list_new(const robots_rules *rules, robots_rule_list **out);

/**
 * Returns one of the rules.
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the rule.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
 * Owner: the pattern belongs to the list.
 */
ROBOTS_MUST_USE robots_status robots_rule_list_get(const robots_rule_list *list, size_t index, robots_rule *out);

/** Frees a list and everything borrowed from it. */
void robots_rule_list_free(robots_rule_list *list);

/* ==== 5. Images =================================================================================================== */

/*
 * An image is the flat block of bytes of robots_rules_image. It is position-independent, so any memory can hold it, such
 * as a mapped file, a database row or an object of a garbage collector. Reads of an image in the caller's memory are checked:
 * a damaged image gives an error or a wrong result, nothing worse. No other thread may write to an image in use.
 */

/**
 * Creates rules from a copy of an image. The call validates header, checksum and every offset, so the image may come
 * from an untrusted source.
 * Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine. `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image; `ROBOTS_E_IMAGE_FORMAT` for another format version or
 * byte order.
 */
ROBOTS_MUST_USE robots_status robots_rules_from_image(const char *image, size_t len, robots_rules **out);

/**
 * Creates rules that borrow an image in the caller's memory. The call takes constant time, because it validates only
 * the header. A check with the rules costs as much as `robots_image_check`.
 * Parameters: `image`, `len`: an image, which stays at its address, unchanged, until the last reference to the rules is
 * released. `out`: receives the rules.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` and `ROBOTS_E_IMAGE_FORMAT` as from `robots_rules_from_image`, but only for
 * the header.
 * Owner: the image stays the caller's.
 * Allocates: 24 bytes (12 on 32-bit machines).
 */
ROBOTS_MUST_USE robots_status robots_rules_borrow_image(const char *image, size_t len, robots_rules **out);

/**
 * Checks one URL with an image in the caller's memory, such as a mapped file or a database row, in one call.
 * Parameters: `image`, `len`: an image. `url`, `url_len`: as for `robots_rules_check`.
 * Returns: a verdict as from `robots_rules_check`; its status may also be `ROBOTS_E_IMAGE` or `ROBOTS_E_IMAGE_FORMAT`.
 */
ROBOTS_MUST_USE robots_verdict robots_image_check(const char *image, size_t len, const char *url, size_t url_len);

/* ==== 6. Origins ================================================================================================== */

/**
 * Writes the key of a URL's origin, such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). The key has
 * scheme and host in lower case, the host in Punycode, and the port unless it is the scheme's default. A robots.txt
 * applies to URLs with an equal key (SPEC 1.2). The URL of the robots.txt is the key, then "/robots.txt" (SPEC 1.1).
 * Parameters: `url`, `url_len`: an absolute URL; path and query may be any bytes. `buffer`, `capacity`: receives the
 * key, without a NUL. `len`: receives the length of the key; 0 after an error other than `ROBOTS_E_SPACE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small, which then stays unchanged; `ROBOTS_E_SCHEME` for
 * a scheme other than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` if `url` is not an absolute URL with a valid
 * host.
 * Allocates: work space that is freed; may abort when out of memory.
 */
ROBOTS_MUST_USE robots_status robots_origin_key(const char *url, size_t url_len, char *buffer, size_t capacity,
    size_t *len);

/**
 * Writes the form of a URL to check and then send. Each HTTP client sends the form byte for byte, so the checked URL is the
 * sent URL (SPEC 8.11). Clients may change other URLs, each in its own way. The form is the origin key, then path and query as
 * a browser reads them. Bytes that RFC 3986 does not permit are escaped. The form has no user name, password or fragment, and
 * no empty query. The form of a form is the same form. Except in google, the form of an allowed URL is allowed.
 * Parameters: `url`, `url_len`: an absolute URL; path and query may be any bytes. `buffer`, `capacity`: receives the
 * form, without a NUL. Path and query need at most 3 bytes per byte of the URL, and the origin at most 300. `len`:
 * receives the length of the form; 0 after an error other than `ROBOTS_E_SPACE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small, which then stays unchanged; `ROBOTS_E_SCHEME` and
 * `ROBOTS_E_URL` as from `robots_origin_key`; `ROBOTS_E_URL` also if path and query exceed 64 KiB in the form.
 * Allocates: work space that is freed; may abort when out of memory.
 */
ROBOTS_MUST_USE robots_status robots_url_to_send(const char *url, size_t url_len, char *buffer, size_t capacity,
    size_t *len);

/* ==== 7. Fetch ==================================================================================================== */

/*
 * A state machine implements the fetch policy: redirects, 304, Retry-After, outages and old copies. The caller provides
 * the HTTP client and the clock:
 *
 *     while ((step = robots_fetch_step(fetch)) != ROBOTS_STEP_DONE)
 *         report the event that the step names;
 *     robots_fetch_outcome(fetch, &outcome);
 *
 * Set the options of this section for a crawler (robots_crawler_set) or for one fetch (robots_fetch_set). An option that is
 * not set has the default of the dialect, even if the dialect changes later. An event with an error changes nothing.
 */

/**
 * One retrieval of a robots.txt: a state machine without I/O. `robots_fetch_step` returns the event that the fetch
 * waits for. The caller reports what its HTTP client received.
 * Owner: created by `robots_fetch_new` or `robots_ticket_fetch`, freed by `robots_fetch_free`.
 * Threads: one thread at a time.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_fetch robots_fetch;

/**
 * The result of a fetch, for one or more crawlers: rules or a site-wide rule, the cause, and the times of validity.
 * Immutable.
 * Owner: created by `robots_fetch_outcome` and others, freed by `robots_outcome_free`.
 * Threads: any number of threads may use it at the same time.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_outcome robots_outcome;

/** One header to send with the request. */
typedef struct robots_header {
  size_t size; /**< `sizeof(robots_header)`. */
  robots_str name; /**< Name: `If-None-Match` or `If-Modified-Since`. */
  robots_str value; /**< Value, without line end and control characters. */
} robots_header;
#define ROBOTS_HEADER_INIT {sizeof(robots_header), {0, 0}, {0, 0}}

/** Options of a crawler or a fetch. Options named `ON_` take a value of `enum robots_outcome_kind` except its first. */
enum robots_fetch_option {
  /** How many redirects in a row are followed (SPEC 2.2, 2.3), 0 to 20; default: 5; koster1996: 20. */
  ROBOTS_OPT_MAX_REDIRECTS = 16,
  /** The outcome of 401 and 403 (SPEC 2.6). With defer or unreachable, these statuses are an outage, so a copy stays in
   * use. Default: allow all; koster1996: disallow all. */
  ROBOTS_OPT_ON_FORBIDDEN = 17,
  /** The outcome of 429 (SPEC 2.7). With allow all, 429 counts as 404. Default: unreachable; koster1996: defer. */
  ROBOTS_OPT_ON_TOO_MANY_REQUESTS = 18,
  /** The outcome of 500 to 599 (SPEC 2.8); allow all counts them as 404; default: unreachable; koster1996: defer. */
  ROBOTS_OPT_ON_SERVER_ERROR = 19,
  /** The outcome of every other failure (SPEC 2.9, 2.10, 2.16, 2.17); default: unreachable; koster1996: defer. */
  ROBOTS_OPT_ON_UNREACHABLE = 20,
  /** 1 treats 500 to 599 as 404, for a site that is known to send them for missing pages (SPEC 2.14); default: 0. */
  ROBOTS_OPT_SERVER_ERROR_IS_MISSING = 21,
  /** The freshness lifetime of a robots.txt whose headers give none (SPEC 3.1), 1000 to 315360000000; default:
   * 86400000; koster1996: 604800000. */
  ROBOTS_OPT_DEFAULT_TTL_MS = 22,
  /** The shortest freshness lifetime, whatever the headers give (SPEC 3.2). It bounds no wait after a failure. 0 to
   * 315360000000; default: 300000. */
  ROBOTS_OPT_MIN_TTL_MS = 23,
  /** The longest freshness lifetime, whatever the headers give (SPEC 3.2). It overrides `ROBOTS_OPT_MIN_TTL_MS`. 1000
   * to 315360000000; default: 86400000; google and koster1996: 2592000000. */
  ROBOTS_OPT_MAX_TTL_MS = 24,
  /** The wait after a first failure, and the shortest wait. Later waits are as long as the outage so far, up to a day
   * and up to `ROBOTS_OPT_DEFAULT_TTL_MS`. A `Retry-After` makes them longer, never shorter (SPEC 3.6). 1000 to
   * 315360000000; default: 600000. */
  ROBOTS_OPT_FAILURE_TTL_MS = 25,
  /** The longest `Retry-After` (SPEC 3.6). Waits without a `Retry-After` may be longer. 0 to 315360000000; default:
   * 86400000. */
  ROBOTS_OPT_MAX_RETRY_AFTER_MS = 26,
  /** The time after which an unreachable site without a copy is allowed as a whole (SPEC 2.12), unless its treatment is
   * disallow all, 0 to 315360000000; default: 2592000000; koster1996: never. */
  ROBOTS_OPT_UNREACHABLE_TTL_MS = 27,
  /** 1 keeps using a copy that is at most 24 hours old when the file is missing (SPEC 2.5). A status whose treatment is
   * allow all (401, 403, 429, 500 to 599) counts as missing. Default: 0. */
  ROBOTS_OPT_MISSING_KEEPS_COPY = 28,
  /** The longest lifetime of an outcome without a file (SPEC 2.3, 2.5, 2.6). It overrides `ROBOTS_OPT_MIN_TTL_MS`. 1000
   * to 315360000000; default: 21600000. */
  ROBOTS_OPT_MISSING_TTL_MS = 29,
  /** The outcome of a bad redirect, for a site without a copy (SPEC 2.3, 2.15): no usable target, a loop, too many
   * redirects, or a refused redirect. If the option is not set, koster1996 defers a loop and too many redirects. A
   * target of more than 8 KiB is an outage: `ROBOTS_OPT_ON_UNREACHABLE`. Default: allow all. */
  ROBOTS_OPT_ON_BAD_REDIRECT = 30,
  /** 1 follows a redirect to a host that is not public (SPEC 2.3), such as 127.0.0.1, `localhost` or `router`.
   * Otherwise it is refused, unless the host of the first URL is not public either. The client refuses host names that
   * resolve to such an address. Default: 0. */
  ROBOTS_OPT_NON_GLOBAL_REDIRECTS = 31,
  /** 1 allows nothing while the site is unreachable, even if there is a copy. The copy is used again after the outage,
   * or when the outage has lasted for `ROBOTS_OPT_UNREACHABLE_TTL_MS`. If the option is off, the copy stays in use
   * during the outage (SPEC 2.11). Default: 0. */
  ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY = 32,
  /** The outcome of an HTML page instead of the file (SPEC 2.20). If the option is not set, the page is read as a file,
   * which usually allows everything. Allow all counts it as 404. Default: rules. */
  ROBOTS_OPT_ON_HTML = 33
};

/** What a fetch waits for: `robots_fetch_step`. */
enum robots_step {
  /** Send a GET for `robots_fetch_url` with the request headers. Follow no redirect. Then call
   * `robots_fetch_report_status`. */
  ROBOTS_STEP_GET = 0,
  /** Call `robots_fetch_report_header` for each header, then `robots_fetch_report_headers_end` if all came. */
  ROBOTS_STEP_HEADERS = 1,
  /** Pass the body to `robots_fetch_report_body` as received, in pieces of any size, then call
   * `robots_fetch_report_end`. */
  ROBOTS_STEP_BODY = 2,
  ROBOTS_STEP_DONE = 3 /**< `robots_fetch_outcome` has the outcome; ignore the rest of the response. */
};

/** How a transfer ended: `robots_fetch_report_end`. */
enum robots_failure {
  ROBOTS_FAILURE_NONE = 0, /**< None; the transfer is complete. */
  ROBOTS_FAILURE_DNS = 1, /**< The host has no address. */
  ROBOTS_FAILURE_CONNECT = 2, /**< No connection. */
  ROBOTS_FAILURE_TLS = 3, /**< No secure connection. */
  ROBOTS_FAILURE_TIMEOUT = 4, /**< A timeout. */
  ROBOTS_FAILURE_RESET = 5, /**< The connection was reset. */
  ROBOTS_FAILURE_TRUNCATED = 6, /**< The body ended early or was invalid: wrong chunks, length or compression. */
  ROBOTS_FAILURE_OTHER = 7, /**< Any other failure. */
  /** The client cannot decode the content coding of the body, for example because the coding is unknown (SPEC 2.17). */
  ROBOTS_FAILURE_ENCODED_BODY = 8
};

/**
 * Starts the retrieval of the robots.txt that governs a URL.
 * Parameters: `crawler`: its options are the fetch policy. `url`, `url_len`: any URL of the site.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_key`.
 */
ROBOTS_MUST_USE robots_status robots_fetch_new(const robots_crawler *crawler, const char *url, size_t url_len,
    uint64_t now_ms, robots_fetch **out);

/**
 * Adds a crawler, so that one fetch serves several crawlers (SPEC 3.7). The crawler gets the next index in the outcome.
 * The largest of the size limits applies. Call the function before `robots_fetch_set_previous` and the first event.
 * Parameters: `crawler`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` for a later call.
 */
ROBOTS_MUST_USE robots_status robots_fetch_add_crawler(robots_fetch *fetch, const robots_crawler *crawler);

/**
 * Sets an option for this fetch alone (SPEC 2.14).
 * Parameters: `option`: one of `enum robots_fetch_option`. `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for another option or a value out of range; `ROBOTS_E_STATE` if the fetch is done.
 */
ROBOTS_MUST_USE robots_status robots_fetch_set(robots_fetch *fetch, uint32_t option, uint64_t value);

/**
 * Sets the previous outcome of the same site and crawlers, of any age. The fetch then sends a conditional request (SPEC
 * 3.5). It keeps the old rules while the site is unreachable (SPEC 2.11), and knows when the outage began (SPEC 2.12).
 * Call the function before the first event. An outcome with times after the start of the fetch has no effect (SPEC 2.18).
 * Parameters: `outcome`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for another site or other crawlers; `ROBOTS_E_STATE` after an event.
 * Owner: `outcome` stays the caller's; the fetch adds a reference.
 */
ROBOTS_MUST_USE robots_status robots_fetch_set_previous(robots_fetch *fetch, const robots_outcome *outcome);

/**
 * Returns the step of the fetch: the event that it waits for.
 * Returns: one of `enum robots_step`; `ROBOTS_STEP_DONE` for NULL, so that a loop ends.
 */
uint32_t robots_fetch_step(const robots_fetch *fetch);

/**
 * Returns the URL to request: ASCII, http, https or ftp, without user name and fragment. A redirect changes the URL.
 * Returns: the URL; empty for NULL.
 * Owner: the fetch; valid until the next `robots_fetch_report_headers_end` or `robots_fetch_free`.
 */
robots_str robots_fetch_url(const robots_fetch *fetch);

/**
 * Returns one of the headers to send with the request, in addition to the headers of the client.
 * Parameters: `index`: from 0. `out`: receives the header.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last of 0 to 2 headers.
 * Owner: the strings belong to the fetch; valid until the next event.
 */
ROBOTS_MUST_USE robots_status robots_fetch_request_header(const robots_fetch *fetch, size_t index, robots_header *out);

/**
 * Reports the status of the response. Event of step `ROBOTS_STEP_GET`; `ROBOTS_STEP_HEADERS` follows.
 * Parameters: `http_status`: any number. `now_ms`: the last reported time becomes the time of the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
 */
robots_status robots_fetch_report_status(robots_fetch *fetch, uint32_t http_status, uint64_t now_ms);

/**
 * Reports the final reply of an FTP server instead of a status (SPEC 2.19): 200 to 299 means a file, 550 counts as
 * status 404, 530 as 401, and any other reply as an outage. Event of step `ROBOTS_STEP_GET` for an ftp URL.
 * `ROBOTS_STEP_BODY` follows if there is a file, otherwise `ROBOTS_STEP_DONE`.
 * Parameters: `reply`: any number, such as 226 or 550.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step or for a URL that is not ftp.
 * Allocates: the outcome.
 */
ROBOTS_MUST_USE robots_status robots_fetch_report_ftp_reply(robots_fetch *fetch, uint32_t reply, uint64_t now_ms);

/**
 * Reports one header of the response. Report all headers in their order. The fetch keeps the headers that it needs,
 * ignores the case of their names and limits their size. Event of step `ROBOTS_STEP_HEADERS`.
 * Parameters: `name`, `name_len`, `value`, `value_len`: any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
 * Allocates: at most 8 KiB for a header that the fetch needs.
 */
robots_status robots_fetch_report_header(robots_fetch *fetch, const char *name, size_t name_len, const char *value,
    size_t value_len);

/**
 * Reports the empty line after the headers. Call the function only if the client received that line: libcurl returns
 * `CURLE_OK` even for a response that is cut before the empty line, and an empty file would allow everything. Event of
 * step `ROBOTS_STEP_HEADERS`. `ROBOTS_STEP_BODY` follows if there is a file, `ROBOTS_STEP_GET` after a redirect, otherwise
 * `ROBOTS_STEP_DONE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
 * Allocates: the outcome, or the next URL; may abort when out of memory for a URL of at most 64 KiB.
 */
robots_status robots_fetch_report_headers_end(robots_fetch *fetch);

/**
 * Reports a piece of the body without its transfer coding. Send `Accept-Encoding: identity` and do not decode the
 * content coding: a decoder may accept a truncated body (SPEC 2.17). The fetch decodes gzip. After the size limit
 * (SPEC 4.5) `ROBOTS_STEP_DONE` follows, so check the step before the next piece. Event of step `ROBOTS_STEP_BODY`.
 * Parameters: `piece`, `piece_len`: any bytes, including none.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
 * Allocates: a copy of the piece, and the outcome. The total is at most the size limit, for gzip three times as much.
 */
robots_status robots_fetch_report_body(robots_fetch *fetch, const char *piece, size_t piece_len);

/**
 * Reports the end of a transfer, complete or failed. Call the function once after each transfer. Event of every step.
 * After a redirect `ROBOTS_STEP_GET` follows, for the next transfer; otherwise `ROBOTS_STEP_DONE`.
 * Parameters: `failure`: one of `enum robots_failure`. It has no effect after a redirect or an outcome.
 * `ROBOTS_FAILURE_NONE` before the end of the headers counts as `ROBOTS_FAILURE_OTHER`. `now_ms`: the time. With
 * `ROBOTS_FAILURE_NONE` it may be 0, which means the last reported time.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` for a second end, or if there is no transfer to end.
 * Allocates: the outcome.
 */
robots_status robots_fetch_report_end(robots_fetch *fetch, uint32_t failure, uint64_t now_ms);

/**
 * Returns the outcome of a fetch that is done. The outcome stays valid without the fetch.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` if the fetch is not done.
 */
ROBOTS_MUST_USE robots_status robots_fetch_outcome(const robots_fetch *fetch, robots_outcome **out);

/** Frees a fetch, at any step, and everything borrowed from it. Its outcome stays valid. */
void robots_fetch_free(robots_fetch *fetch);

/* ==== 8. Outcomes of fetches ====================================================================================== */

/** The parts of an outcome. */
typedef struct robots_outcome_info {
  size_t size; /**< `sizeof(robots_outcome_info)`. */
  uint32_t kind; /**< Kind, one of `enum robots_outcome_kind`. */
  uint32_t cause; /**< Cause, one of `enum robots_cause`. */
  uint32_t http_status; /**< Status of the last response; 0 if there was none. */
  uint32_t hops; /**< Number of redirects that were followed. */
  uint32_t downgraded; /**< 1 if a redirect led from https to http, where others may have changed the file. */
  uint32_t stale; /**< 1 if the rules are from an earlier fetch and stay in use. */
  /** Time when the rules were fetched or confirmed by a 304; without rules, time of the last status or failure. */
  uint64_t fetched_at_ms;
  uint64_t fresh_until_ms; /**< End of the freshness lifetime; it may be in the past for stale rules. */
  uint64_t usable_until_ms; /**< Time until which the outcome decides, unless a newer outcome replaces it. */
  uint64_t retry_at_ms; /**< Earliest time of the next fetch. */
  uint64_t unreachable_since_ms; /**< Time since which every fetch has failed; `UINT64_MAX` after a response. */
  robots_str origin; /**< Origin key of the site, such as "https://example.com". */
  /** URL of the last request, after all redirects; for rules, URL of the request that returned them. */
  robots_str final_url;
  robots_str etag; /**< `ETag` of the rules; empty if there is none. */
  robots_str last_modified; /**< `Last-Modified` of the rules; empty if there is none. */
} robots_outcome_info;
#define ROBOTS_OUTCOME_INFO_INIT {sizeof(robots_outcome_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}}

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
  /** A redirect back to an earlier URL. A redirect to the current URL is no loop (SPEC 2.3). */
  ROBOTS_CAUSE_REDIRECT_LOOP = 9,
  /** A redirect without a target, or whose target is no http or https URL or has more than 8 KiB (SPEC 2.3). */
  ROBOTS_CAUSE_BAD_REDIRECT = 10,
  ROBOTS_CAUSE_DNS = 11, /**< The host has no address (SPEC 2.10). */
  ROBOTS_CAUSE_CONNECT = 12, /**< No connection (SPEC 2.10). */
  ROBOTS_CAUSE_TLS = 13, /**< No secure connection (SPEC 2.10). */
  ROBOTS_CAUSE_TIMEOUT = 14, /**< A timeout (SPEC 2.10). */
  ROBOTS_CAUSE_RESET = 15, /**< The connection was reset (SPEC 2.10). */
  ROBOTS_CAUSE_TRUNCATED = 16, /**< The body ended early or was invalid (SPEC 2.10). */
  ROBOTS_CAUSE_OTHER_FAILURE = 17, /**< Any other failure (SPEC 2.10). */
  /** The site was unreachable for so long that it counts as a site without a file (SPEC 2.12). */
  ROBOTS_CAUSE_UNREACHABLE_LONG = 18,
  ROBOTS_CAUSE_PARTIAL_CONTENT = 19, /**< 206, a part of the file (SPEC 2.17). */
  ROBOTS_CAUSE_SHORT_BODY = 20, /**< The body has fewer bytes than `Content-Length` states (SPEC 2.17). */
  ROBOTS_CAUSE_ENCODED_BODY = 21, /**< The content coding of the body is unknown or damaged (SPEC 2.17). */
  ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED = 22, /**< A redirect that the client reported as the final status (SPEC 2.16). */
  ROBOTS_CAUSE_NON_GLOBAL_REDIRECT = 23, /**< A redirect that `ROBOTS_OPT_NON_GLOBAL_REDIRECTS` refuses. */
  /** An HTML page instead of the file (SPEC 2.20). Unless `ROBOTS_OPT_ON_HTML` is set, the page was read as a file. */
  ROBOTS_CAUSE_HTML = 24
};

/**
 * Creates the outcome of a whole response, for a caller whose HTTP client follows redirects itself. The call receives no
 * headers, so the default lifetimes apply.
 * Parameters: `crawler`. `url`, `url_len`: any URL of the site that the first request went to. `http_status`: any number.
 * `body`, `body_len`: the file; it counts only for a status of 200 to 299. `out`: the outcome.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_key`.
 */
ROBOTS_MUST_USE robots_status robots_outcome_from_status(const robots_crawler *crawler, const char *url, size_t url_len,
    uint32_t http_status, const char *body, size_t body_len, uint64_t now_ms, robots_outcome **out);

/**
 * Creates an outcome from a record of `robots_outcome_encode`, from this machine or another.
 * Parameters: `crawlers`, `count`: the 1 to 16 crawlers of the fetch, in order. `record`, `record_len`: any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another version or other
 * crawlers: then fetch the file again.
 */
ROBOTS_MUST_USE robots_status robots_outcome_decode(const robots_crawler *const *crawlers, size_t count,
    const char *record, size_t record_len, robots_outcome **out);

/**
 * Returns the outcome as one block of bytes, to be stored or sent. `robots_outcome_decode` reads the block.
 * Returns: `ROBOTS_OK`. `*out` is empty after an error.
 * Owner: the outcome; valid until it is freed.
 * Allocates: the record, at the first call; the outcome keeps the record.
 */
ROBOTS_MUST_USE robots_status robots_outcome_encode(const robots_outcome *outcome, robots_str *out);

/**
 * Returns the parts of an outcome.
 * Returns: `ROBOTS_OK`. After an error the kind in `*out` is `ROBOTS_OUTCOME_DEFER`.
 * Owner: the strings belong to the outcome.
 */
robots_status robots_outcome_get(const robots_outcome *outcome, robots_outcome_info *out);

/**
 * Returns the rules for one of the crawlers. If the kind is not `ROBOTS_OUTCOME_RULES`, the rules allow every URL or no
 * URL. For `ROBOTS_OUTCOME_DEFER` and `_UNREACHABLE` the reason is `ROBOTS_REASON_UNREACHABLE`. Rules check neither the
 * site nor the time; `robots_outcome_check` checks both.
 * Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0.
 * Returns: the rules; NULL for an index out of range, or for NULL.
 * Owner: the outcome; valid until it is freed. `robots_rules_retain` keeps the rules longer.
 */
const robots_rules *robots_outcome_rules(const robots_outcome *outcome, size_t crawler);

/**
 * Checks one URL of the site at the time `now_ms`. Takes no lock.
 * Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0. `url`, `url_len`: an absolute
 * URL of the site, or a path that starts with `/`.
 * Returns: the verdict of the rules; `ROBOTS_REASON_DEFER` (not allowed) if the site is deferred, or if the outcome has
 * expired (`usable_until_ms`) or has times after `now_ms` (SPEC 2.18). After an error the status is not `ROBOTS_OK` and
 * the URL is not allowed: `ROBOTS_E_URL` if `url` is not a URL or has another origin; `ROBOTS_E_SCHEME` (SPEC 1.6).
 * Allocates: nothing for a path or an origin of ASCII in lower case; else work space that is freed.
 */
ROBOTS_MUST_USE robots_verdict robots_outcome_check(const robots_outcome *outcome, size_t crawler, const char *url,
    size_t url_len, uint64_t now_ms);

/**
 * Checks one URL with a record of `robots_outcome_encode` or `robots_cache_each`, in place and without a lock, for
 * processes that share memory, such as forked workers.
 * Parameters: `record`, `record_len`: any bytes. Unlike `robots_outcome_decode`, the call checks neither the checksum
 * nor the crawlers. Other parameters: as for `robots_outcome_check`.
 * Returns: a verdict as from `robots_outcome_check`; its status may also be `ROBOTS_E_IMAGE` for a damaged record, or
 * `ROBOTS_E_IMAGE_FORMAT` for a record of another version.
 */
ROBOTS_MUST_USE robots_verdict robots_record_check(const char *record, size_t record_len, size_t crawler,
    const char *url, size_t url_len, uint64_t now_ms);

/** Frees an outcome and everything borrowed from it. */
void robots_outcome_free(robots_outcome *outcome);

/* ==== 9. Cache ==================================================================================================== */

/**
 * The outcomes of many sites in a limited amount of memory, for one or more crawlers (SPEC 3.7).
 * Owner: created by `robots_cache_new`, freed by `robots_cache_free`.
 * Threads: one thread sets it up; then any number of threads may use it at the same time. In a forked child the
 * functions of the cache return `ROBOTS_E_STATE`; create a cache in the child.
 * Allocates: the functions that create it, and others as noted. They may abort when out of memory.
 */
typedef struct robots_cache robots_cache;

/**
 * A function of the caller that receives a record of a cache. The record is valid during the call. Return 0 to continue
 * or another number to stop; throw no exception and do not longjmp. The function may call every function of the library.
 */
typedef uint32_t (*robots_record_fn)(void *context, const char *record, size_t record_len);

/**
 * The exclusive right to fetch the robots.txt of one origin. A cache has at most one valid ticket per origin.
 * Owner: created by `robots_cache_check` and `robots_cache_request`, freed by `robots_ticket_free`.
 * Threads: one thread at a time; another thread may take it over.
 * Allocates: functions as noted. They may abort when out of memory.
 */
typedef struct robots_ticket robots_ticket;

/** The slot of a request: the time to send it. It is a struct, so no plain time can be passed as a slot. */
typedef struct robots_slot {
  uint64_t at_ms; /**< Time to send the request, not before `now_ms`; 0 without a slot. */
} robots_slot;

/** What the crawler does next with a URL. */
typedef struct robots_cache_answer {
  size_t size; /**< `sizeof(robots_cache_answer)`. */
  robots_verdict verdict; /**< Verdict, which allows the URL only with `ROBOTS_CACHE_DECIDED`. */
  uint32_t action; /**< One of `enum robots_cache_action`. */
  /** 1 if there is a slot and the file states a longer crawl-delay than `crawl_delay_ms`; otherwise 0. */
  uint32_t crawl_delay_cut;
  /** `_DEFER`: time of the next check; `_WAIT`: expiry of the other thread's ticket (both after `now_ms`); else 0. */
  uint64_t until_ms;
  /** Ticket, which the caller frees, or NULL. `_FETCH` always has a ticket, and `_DECIDED` may have a ticket, too. */
  robots_ticket *ticket;
  robots_slot slot; /**< Slot from `robots_cache_request`, even if the slot is too late to be reserved. */
  uint64_t crawl_delay_ms; /**< Time from this request to the next request to the site; 0 without a slot. */
} robots_cache_answer;
#define ROBOTS_CACHE_ANSWER_INIT {sizeof(robots_cache_answer), {0}, 0, 0, 0, 0, {0}, 0}

/** Counts of a cache. */
typedef struct robots_cache_counts {
  size_t size; /**< `sizeof(robots_cache_counts)`. */
  size_t sites; /**< Number of sites, including sites whose first fetch is not finished. */
  size_t bytes; /**< Number of bytes in use, at most `max_bytes` of `robots_cache_new`. */
  /** Number of URLs that a fresh outcome decided. This and the next five numbers count since the cache was created. */
  uint64_t hits;
  /** Number of URLs that an outcome decided after its TTL, because its refresh was not finished or had failed. */
  uint64_t stale_hits;
  uint64_t fetches; /**< Number of tickets. */
  uint64_t waits; /**< Number of answers `ROBOTS_CACHE_WAIT`. */
  uint64_t deferred; /**< Number of answers `ROBOTS_CACHE_DEFER`, except after a caller's error. */
  uint64_t evicted; /**< Number of evicted outcomes and slots. */
  size_t images; /**< Number of distinct images now: sites whose files compile to the same rules share an image. */
  size_t saved_bytes; /**< Number of bytes that sharing images saves now; not part of `bytes`. */
} robots_cache_counts;
#define ROBOTS_CACHE_COUNTS_INIT {sizeof(robots_cache_counts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/** Numbers of records that `robots_cache_save` or `robots_cache_load` returns. */
typedef struct robots_cache_file {
  size_t size; /**< `sizeof(robots_cache_file)`. */
  size_t records; /**< Number of records that were saved or imported. */
  size_t foreign; /**< Number of records of another format version or other crawlers. */
  size_t damaged; /**< Number of damaged places; each holds one record or several. */
  size_t no_room; /**< Number of records that the cache had no room for. */
  int64_t os_error; /**< Error number of the system after `ROBOTS_E_FILE`, such as an `errno`; 0 without a number. */
} robots_cache_file;
#define ROBOTS_CACHE_FILE_INIT {sizeof(robots_cache_file), 0, 0, 0, 0, 0}

/** What the crawler does next: `robots_cache_check`. */
enum robots_cache_action {
  /** Obey the verdict, which is final for this URL. If there is also a ticket, fetch the robots.txt again: the old
   * outcome decides for at most 24 hours after its own fetch (SPEC 3.8; koster1996: 7 days). */
  ROBOTS_CACHE_DECIDED = 0,
  /** The cache has no outcome. Use the ticket: fetch the robots.txt, submit the outcome, check the URL again. */
  ROBOTS_CACHE_FETCH = 1,
  ROBOTS_CACHE_WAIT = 2, /**< Another thread fetches the robots.txt now. Wait for it, then check the URL again. */
  /** Keep the URL. Fetch nothing of the site, not even its robots.txt, before `until_ms` (SPEC 2.7 to 2.10, or no
   * room). */
  ROBOTS_CACHE_DEFER = 3
};

/** Options of a cache: `robots_cache_set`. */
enum robots_cache_option {
  /** Validity of a ticket in whole seconds, 1000 to 86400000 milliseconds; default: 120000. It must be longer than the
   * longest retrieval. */
  ROBOTS_CACHE_OPT_TICKET_TTL_MS = 1,
  /** Delay for a site whose file states no crawl-delay, 0 to 86400000 milliseconds; default: 0. */
  ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS = 2,
  /** Upper bound on an obeyed crawl-delay, 0 to 86400000 milliseconds; default: 60000. A larger
   * `ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS` raises the bound. If both are 0, no crawl-delay is obeyed. */
  ROBOTS_CACHE_OPT_MAX_DELAY_MS = 3,
  /** How far ahead `robots_cache_request` reserves a slot, 0 to 86400000 milliseconds; default: 60000. */
  ROBOTS_CACHE_OPT_HORIZON_MS = 4
};

/**
 * Creates a cache for a crawler.
 * Parameters: `crawler`: copied. `max_bytes`: the limit, at least 65536, including the overhead of map and allocator. A
 * site takes about 115 bytes; rules take 32 bytes more than their image. Sites share equal images. `out`: the cache.
 * Returns: `ROBOTS_OK`.
 */
ROBOTS_MUST_USE robots_status robots_cache_new(const robots_crawler *crawler, size_t max_bytes, robots_cache **out);

/**
 * Adds a crawler, so that one fetch serves several crawlers (SPEC 3.7). The crawler of `robots_cache_new` has index 0
 * and sets the fetch policy; the next has index 1, and so on.
 * Parameters: `crawler`: copied.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` if the cache has content or tickets.
 * After an error the cache is unchanged.
 */
ROBOTS_MUST_USE robots_status robots_cache_add_crawler(robots_cache *cache, const robots_crawler *crawler);

/**
 * Sets an option of a cache.
 * Parameters: `option`: one of `enum robots_cache_option`. `value`: see the option.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_STATE` for a cache in use.
 */
ROBOTS_MUST_USE robots_status robots_cache_set(robots_cache *cache, uint32_t option, uint64_t value);

/**
 * Checks one URL and reports what the crawler does next: obey a verdict, fetch the site's robots.txt, wait for another
 * thread's fetch, or keep the URL for later. Threads that get a decision do not wait for each other.
 * Parameters: `crawler`: the index of the crawler, 0 if there is only one. `url`, `url_len`: an absolute URL, any
 * bytes. `out`: receives the answer.
 * Returns: the verdict, as in `out`. Only `ROBOTS_CACHE_DECIDED` can allow the URL. With another action the reason is
 * `ROBOTS_REASON_DEFER`, or `ROBOTS_REASON_UNREACHABLE` for a site that cannot be reached. The status `ROBOTS_E_URL`
 * (not an absolute URL) or `ROBOTS_E_SCHEME` (SPEC 1.6) is final and comes with `ROBOTS_CACHE_DECIDED`. The status
 * `ROBOTS_E_ARG`, `ROBOTS_E_TIME`, `ROBOTS_E_STATE` (in a forked child) or `ROBOTS_E_MEMORY` comes with
 * `ROBOTS_CACHE_DEFER`. If a robots.txt does not fit, its site is deferred until the next fetch is due.
 * Owner: the caller frees `out->ticket` with `robots_ticket_free` unless it is NULL.
 * Allocates: nothing for a result from the cache if the origin is ASCII in lower case; else the entry and the ticket.
 */
robots_verdict robots_cache_check(const robots_cache *cache, size_t crawler, const char *url, size_t url_len,
    uint64_t now_ms, robots_cache_answer *out);

/**
 * Waits until the ticket of the site is finished or freed. Call it after `ROBOTS_CACHE_WAIT`; without a ticket it returns
 * immediately. Then read the clock and check the URL again. The expiry of a ticket does not end the wait; the timeout does.
 * Parameters: `url`, `url_len`: any URL of the site. `timeout_ms`: the longest wait, such as the time to `until_ms`.
 * Returns: `ROBOTS_OK`, also after the timeout; `ROBOTS_E_STATE` in a forked child; other errors as from `robots_cache_remove`.
 */
ROBOTS_MUST_USE robots_status robots_cache_wait(const robots_cache *cache, const char *url, size_t url_len,
    uint64_t timeout_ms);

/**
 * Checks one URL that is about to be requested. For a URL that was only found, call `robots_cache_check`. If the URL is
 * allowed, the call reserves a slot of the site (SPEC 3.9). If the slot is `now_ms`, send the request now. Otherwise sleep
 * until the slot, then call again with this slot. The requests of all threads are a crawl-delay apart, even if a thread wakes
 * late. A request does not wait for the response to the previous request. If the slot is further ahead than
 * `ROBOTS_CACHE_OPT_HORIZON_MS`, the URL is deferred.
 * Parameters: as for `robots_cache_check`. `held`: the slot of the last answer for this URL; in the first call, a slot of 0.
 * Returns: the same verdicts as `robots_cache_check`.
 */
robots_verdict robots_cache_request(const robots_cache *cache, size_t crawler, const char *url, size_t url_len,
    robots_slot held, uint64_t now_ms, robots_cache_answer *out);

/**
 * Reports the response to a page. The crawl-delay counts from the response (SPEC 3.9). After 429 or 503 no slot of the
 * site is earlier than the time in `Retry-After` (SPEC 3.10).
 * Parameters: `url`, `url_len`: the URL of the page. `http_status`: any number; 0 if no response came. `value`, `value_len`:
 * the value of `Retry-After`, seconds or a date; a missing or invalid value counts as 5 seconds. The upper bound is
 * `ROBOTS_OPT_MAX_RETRY_AFTER_MS` of the first crawler.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`; `ROBOTS_E_MEMORY` if the
 * site is new and does not fit.
 */
robots_status robots_cache_report_response(const robots_cache *cache, const char *url, size_t url_len,
    uint32_t http_status, const char *value, size_t value_len, uint64_t now_ms);

/**
 * Returns a site's outcome in the cache, of any age: for example, to read its crawl-delay, sitemaps or times.
 * Parameters: `url`, `url_len`: any URL of the site. `out`: receives the outcome; NULL if the cache has none.
 * Returns: `ROBOTS_OK`, also without an outcome; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`.
 * Allocates: the outcome and its handle. Later changes of the cache do not affect the outcome.
 */
ROBOTS_MUST_USE robots_status robots_cache_outcome(const robots_cache *cache, const char *url, size_t url_len,
    robots_outcome **out);

/**
 * Removes one site, or all. Tickets stay valid.
 * Parameters: `url`, `url_len`: any URL of the site; "*" removes all sites.
 * Returns: `ROBOTS_OK`, also for an unknown site; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`.
 */
robots_status robots_cache_remove(const robots_cache *cache, const char *url, size_t url_len);

/**
 * Returns the counts of a cache.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` in a forked child.
 */
robots_status robots_cache_count(const robots_cache *cache, robots_cache_counts *out);

/**
 * Passes the content of a cache to a function, for another process or machine: one record per site, in any order. If a site
 * has a slot but no outcome, its record gives no verdict. Sites that are added or removed during the call may be missing.
 * Parameters: `receive`: the function. `context`: any pointer, passed to `receive`.
 * Returns: `ROBOTS_OK`, also if `receive` stops; `ROBOTS_E_STATE` in a forked child.
 * Allocates: a list of origins, about 1/256 of all, and one record; both are freed.
 */
ROBOTS_MUST_USE robots_status robots_cache_each(const robots_cache *cache, robots_record_fn receive, void *context);

/**
 * Imports a record of `robots_cache_each`, from this process or another. The cache keeps a newer outcome and a later
 * slot. A full cache evicts nothing for a record. The options of the first crawler limit the times in the record.
 * Parameters: `record`, `record_len`: any bytes.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another format version or
 * other crawlers; `ROBOTS_E_MEMORY` if the record does not fit; `ROBOTS_E_ARG`, also for a time after the year 9999.
 * After an error the cache is unchanged; continue with the next record.
 */
robots_status robots_cache_import(const robots_cache *cache, const char *record, size_t record_len);

/** Frees a cache. Tickets stay valid and keep the parts of the cache that they need. */
void robots_cache_free(robots_cache *cache);

/**
 * Saves the records of `robots_cache_each` to a file, completely or not at all: an error leaves the old file unchanged.
 * The file keeps its permissions, and a symbolic link stays a link. Other threads may use the cache during the call.
 * Parameters: `path`, `path_len`: the file; UTF-8 on Windows. `out`: receives the number of records.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_FILE`; `ROBOTS_E_STATE` in a forked child.
 * Allocates: as `robots_cache_each`, and a buffer that is freed.
 */
ROBOTS_MUST_USE robots_status robots_cache_save(const robots_cache *cache, const char *path, size_t path_len,
    robots_cache_file *out);

/**
 * Imports the records of a file of `robots_cache_save`, as `robots_cache_import` does. Only damaged records are lost.
 * Parameters: as for `robots_cache_save`.
 * Returns: as `robots_cache_save`; `ROBOTS_OK` also if records are refused; `ROBOTS_E_IMAGE_FORMAT` for any other file.
 */
robots_status robots_cache_load(const robots_cache *cache, const char *path, size_t path_len, robots_cache_file *out);

/**
 * Returns the key of the origin to fetch, such as "https://example.com".
 * Returns: the key; empty for NULL, and after `robots_ticket_finish`.
 * Owner: the ticket; valid until `robots_ticket_finish` or `robots_ticket_free`.
 */
robots_str robots_ticket_origin(const robots_ticket *ticket);

/**
 * Starts the retrieval for all crawlers of the cache. A cached outcome is revalidated, and serves in an outage (SPEC 2.11).
 * Parameters: `out`: receives the fetch, which does not need the ticket.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` after `robots_ticket_finish`.
 */
ROBOTS_MUST_USE robots_status robots_ticket_fetch(const robots_ticket *ticket, uint64_t now_ms, robots_fetch **out);

/**
 * Submits the outcome for all threads that use the cache. The outcome of an expired ticket counts only if the cache has no
 * newer outcome. If the times of the outcome are more than a minute after `now_ms`, the next caller gets a ticket
 * immediately (SPEC 2.18).
 * Parameters: `outcome`: of `robots_fetch_outcome`, or another outcome of the same origin and crawlers.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, another origin or other crawlers; `ROBOTS_E_MEMORY` if the outcome
 * does not fit into the cache; `ROBOTS_E_STATE` if the ticket was finished before. The call consumes the ticket even
 * on error, except for NULL. After an error the cache behaves as if no fetch had happened.
 * Owner: the caller keeps `ticket` and `outcome`, and frees both.
 * Allocates: the origin's entry.
 */
robots_status robots_ticket_finish(robots_ticket *ticket, const robots_outcome *outcome, uint64_t now_ms);

/** Frees a ticket. If the ticket was not finished, the cache gives a ticket to the next caller. */
void robots_ticket_free(robots_ticket *ticket);

/* ==== 10. Page controls =========================================================================================== */

/*
 * The headers X-Robots-Tag and Robots-Tag and <meta> elements restrict what a crawler does with a response (SPEC 9.6). Add every header of the response and every <meta> element, then read the controls:
 *
 *     robots_page_rule rule = ROBOTS_PAGE_RULE_INIT;
 *     robots_page_controls_get(controls, ROBOTS_CONTROL_INDEX, &rule);
 *     if (rule.value) ... index the page
 */

/**
 * What one response says to one crawler: its page-level controls (SPEC 9.6), and its statements about use (SPEC 13.2).
 * Owner: created by `robots_page_controls_new`, freed by `robots_page_controls_free`.
 * Threads: one thread adds values; then any number of threads may read it at the same time.
 * Allocates: the functions that create it and add values. No function aborts when out of memory.
 */
typedef struct robots_page_controls robots_page_controls;

/** One rule of a page. */
typedef struct robots_page_rule {
  size_t size; /**< `sizeof(robots_page_rule)`. */
  robots_str text; /**< Rule as written, such as `max-snippet: 20`; any bytes, at most 256. Empty if no rule decides. */
  robots_str agent; /**< Product token that the rule names; empty for a rule for every crawler. */
  int64_t value; /**< Value of the control; 0 for an unknown rule. */
  uint32_t source; /**< Source of the rule, one of `enum robots_page_source`. Later versions may add values. */
  /** Number of the header or element in the source, from 1 in the order of addition; 0 if no rule decides. */
  uint32_t number;
  uint32_t zone; /**< Time zone of a date, one of `enum robots_zone`. */
  uint32_t reserved; /**< Always 0. */
} robots_page_rule;
#define ROBOTS_PAGE_RULE_INIT {sizeof(robots_page_rule), {0, 0}, {0, 0}, 0, 0, 0, 0, 0}

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
  /** The time after which the page is not to be shown, in milliseconds since 1970-01-01 UTC; -1: no such time. */
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
 * Creates the controls of a response. They restrict nothing until the caller adds headers or elements.
 * Parameters: `crawler`: a rule may name one of its product tokens. `out`: receives the controls, which do not
 * need `crawler`.
 * Returns: `ROBOTS_OK`.
 */
ROBOTS_MUST_USE robots_status robots_page_controls_new(const robots_crawler *crawler, robots_page_controls **out);

/**
 * Adds a header of the response. These headers have an effect: `X-Robots-Tag` and `Robots-Tag`; for `robots_use_for` also
 * `Content-Usage`, `Content-Signal`, `Link`, `tdm-reservation` and `tdm-policy`. The case of the name does not matter. Add
 * repeated headers one by one.
 * Parameters: `name`, `name_len`: the name. `value`, `value_len`: the value, any bytes.
 * Returns: `ROBOTS_OK`. After an error every control of `controls` is 0, its most restrictive value.
 * Allocates: the rules that decide, up to 64 unknown rules, and the statements for `robots_use_for` (SPEC 13.6): at most 16 KiB
 * each of `Content-Usage` and `Content-Signal`, 16 addresses of terms, the policy of TDMRep.
 */
robots_status robots_page_controls_add_header(robots_page_controls *controls, const char *name, size_t name_len,
    const char *value, size_t value_len);

/**
 * Adds a `<meta>` element of the page. An element has an effect if its name is `robots`, `*` or a product token of the
 * crawler; for `robots_use_for` also if its name is `tdm-reservation` or `tdm-policy`. The case of the name does not matter.
 * Parameters: `name`, `name_len`, `content`, `content_len`: the attributes with HTML escapes decoded, any bytes.
 * Returns: `ROBOTS_OK`. After an error every control of `controls` is 0, its most restrictive value.
 * Allocates: the rules that decide, up to 64 unknown rules, and the policy of TDMRep for `robots_use_for`.
 */
robots_status robots_page_controls_add_meta(robots_page_controls *controls, const char *name, size_t name_len,
    const char *content, size_t content_len);

/**
 * Returns the value of a control, and the rule that decides: the first of the most restrictive rules.
 * Parameters: `control`: one of `enum robots_control`, which describes the values. `out`: receives the value and the
 * rule. If no rule decides, `source` is `ROBOTS_PAGE_NONE`.
 * Returns: `ROBOTS_OK`. After an error of this call or of an addition, the value is 0, the most restrictive value.
 * Owner: the strings belong to `controls`; they are valid until a value is added.
 */
robots_status robots_page_controls_get(const robots_page_controls *controls, uint32_t control, robots_page_rule *out);

/**
 * Returns one of the rules for the crawler that are unknown or have an invalid value; at most 64.
 * Parameters: `index`: from 0, in the order of addition. `out`: receives the rule.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
 * Owner: the strings belong to `controls`; they are valid until a value is added.
 */
ROBOTS_MUST_USE robots_status robots_page_controls_unknown(const robots_page_controls *controls, size_t index,
    robots_page_rule *out);

/** Frees controls and everything borrowed from them. */
void robots_page_controls_free(robots_page_controls *controls);

/* ==== 11. Uses ==================================================================================================== */

/*
 * May a page be used, and for what (SPEC 13)? Every statement about it counts: rules, lines, headers, <meta> elements,
 * tdmrep.json. The most restrictive one decides:
 *
 *     robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
 *     robots_use_for(uses, url, url_len, ROBOTS_PURPOSE_TRAINING, page, NULL, 0, &answer);
 *     if (answer.says == ROBOTS_USE_ALLOWED) ... train with the page
 */

/**
 * What a site states to one crawler about the use of its pages (SPEC 13), in robots.txt and tdmrep.json. Immutable.
 * Owner: created by `robots_uses_new`, freed by `robots_uses_free`.
 * Threads: any number of threads may use it at the same time.
 * Allocates: the function that creates it, and work space of the others.
 */
typedef struct robots_uses robots_uses;

/** What one statement says about a URL and a purpose. Later versions add no fields. */
typedef struct robots_use_signal {
  /**
   * Text as it is written, such as `ai-train=no` or `Disallow: /a`. If `says` is `ROBOTS_USE_LICENSED`, the text is the
   * address of the terms; in a `Link` header, it may be relative to the page. Any bytes.
   */
  robots_str text;
  /**
   * Policy token or control token of a `ROBOTS_USE_SOURCE_TOKEN_RULE`, such as `Google-Extended`; empty for other sources.
   */
  robots_str token;
  uint32_t line; /**< Number of the line of the robots.txt, from 1; 0 for other sources. */
  uint32_t source; /**< Source, one of `enum robots_use_source`. Later versions may add values. */
  /**
   * What the signal says, one of `enum robots_use`: `ROBOTS_USE_UNSTATED` for an unknown label or value, and for a
   * source that was not read; `ROBOTS_USE_DENIED` for a page that was not read because memory was short.
   */
  uint32_t says;
  uint32_t reserved; /**< Always 0. */
} robots_use_signal;

/** The answer for a URL and a purpose. */
typedef struct robots_use_answer {
  size_t size; /**< `sizeof(robots_use_answer)`. */
  /** Number of all signals about the purpose, including signals for which the caller's array has no room. */
  size_t signals;
  uint32_t says; /**< Answer, one of `enum robots_use`. */
  uint32_t decided; /**< 1 if the first signal decides; 0 if nothing is stated and every source was read. */
} robots_use_answer;
#define ROBOTS_USE_ANSWER_INIT {sizeof(robots_use_answer), 0, 0, 0}

/** Purposes of a use (SPEC 13.2). */
enum robots_purpose {
  ROBOTS_PURPOSE_SEARCH = 0, /**< An index of a search engine. */
  ROBOTS_PURPOSE_AI_SEARCH = 1, /**< An index for a model that writes answers. */
  ROBOTS_PURPOSE_TRAINING = 2, /**< Training data of models. */
  ROBOTS_PURPOSE_USER_REQUEST = 3, /**< A user's request to read, summarize or show a page. */
  ROBOTS_PURPOSE_COMMERCE = 4, /**< Advertisements and shops. */
  ROBOTS_PURPOSE_ARCHIVE = 5, /**< Archives of the web. */
  ROBOTS_PURPOSE_SEO = 6, /**< Data about sites and their links, for tools of search engine optimization. */
  ROBOTS_PURPOSE_OTHER = 7 /**< Tests, research and all else. */
};

/** Whether a page may be used for a purpose (SPEC 13.1), the most restrictive first. */
enum robots_use {
  ROBOTS_USE_DENIED = 0, /**< A statement says no. */
  ROBOTS_USE_LICENSED = 1, /**< No statement says no, and a statement gives the address of terms. */
  ROBOTS_USE_ALLOWED = 2, /**< A statement says yes, and no statement is more restrictive. */
  /** Nothing is stated, or something that was not read may restrict the use: neither a yes nor a no. */
  ROBOTS_USE_UNSTATED = 3
};

/** Where a signal about a use is (SPEC 13.2). */
enum robots_use_source {
  ROBOTS_USE_SOURCE_NOT_READ = 1, /**< Unknown: the robots.txt was not read, or a part of the page was not kept. */
  ROBOTS_USE_SOURCE_RULE = 2, /**< A rule of the robots.txt forbids the fetch. */
  ROBOTS_USE_SOURCE_TOKEN_RULE = 3, /**< A rule in the group of a policy token or a control token. */
  ROBOTS_USE_SOURCE_CONTENT_USAGE_LINE = 4, /**< A `Content-Usage` line. */
  ROBOTS_USE_SOURCE_CONTENT_SIGNAL_LINE = 5, /**< A `Content-Signal` line. */
  ROBOTS_USE_SOURCE_LICENSE_LINE = 6, /**< A `License` line. */
  ROBOTS_USE_SOURCE_CONTENT_USAGE_HEADER = 7, /**< The header `Content-Usage`. */
  ROBOTS_USE_SOURCE_CONTENT_SIGNAL_HEADER = 8, /**< The header `Content-Signal`. */
  ROBOTS_USE_SOURCE_LINK_HEADER = 9, /**< The header `Link` with the relation `license`. */
  ROBOTS_USE_SOURCE_PAGE_RULE = 10, /**< A rule of `X-Robots-Tag`, `Robots-Tag` or a `<meta>` element. */
  ROBOTS_USE_SOURCE_TDM_HEADER = 11, /**< The headers `tdm-reservation` and `tdm-policy`. */
  ROBOTS_USE_SOURCE_TDM_META = 12, /**< The `<meta>` elements `tdm-reservation` and `tdm-policy`. */
  ROBOTS_USE_SOURCE_TDM_FILE = 13 /**< The file `/.well-known/tdmrep.json`. */
};

/**
 * Reads what a site states about the use of its pages (SPEC 13).
 * Parameters: `site`, `site_len`: a URL of the site; if `site_len` is 0, every URL counts as a URL of the site. `body`,
 * `body_len`: the robots.txt; empty if the site has none (404); NULL if the file is unknown, as in an outage: then no use
 * is `ROBOTS_USE_ALLOWED`. `tdm_file`, `tdm_file_len`: the file `/.well-known/tdmrep.json` of the site; NULL if the site
 * has none; empty if the file is unknown. `out`: receives the uses, which stay valid without `crawler`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` for a `site` without a robots.txt. The content of the files is
 * never an error.
 * Allocates: the statements of the files; may abort when out of memory if `site_len` is not 0.
 */
ROBOTS_MUST_USE robots_status robots_uses_new(const robots_crawler *crawler, const char *site, size_t site_len,
    const char *body, size_t body_len, const char *tdm_file, size_t tdm_file_len, robots_uses **out);

/**
 * Returns whether a page may be used for a purpose (SPEC 13.1), and each statement about that purpose. The crawler decides
 * what to do if a use is unstated. An error means that the page must not be used.
 * Parameters: `url`, `url_len`: as for `robots_rules_check`, of the site of `uses`. `purpose`: one of `enum
 * robots_purpose`. `page`: the controls of the response, for the same crawler; NULL if they are unknown: then the answer
 * is never `ROBOTS_USE_ALLOWED`. `signals`, `capacity`: an array that receives the first signals; the deciding signal is
 * first, and unknown labels are last; NULL if `capacity` is 0. `out`: receives the answer.
 * Returns: `ROBOTS_OK`, also if `capacity` is too small; `ROBOTS_E_URL` if `url` is no URL of the site; `ROBOTS_E_SCHEME`;
 * `ROBOTS_E_ARG`, also if `page` was created for a crawler with other product tokens. After an error the answer is
 * `ROBOTS_USE_DENIED`, and no signal is written.
 * Owner: the strings belong to `uses` and `page`; they are valid until one of them is freed or a value is added to `page`.
 * Allocates: work space that is freed.
 */
ROBOTS_MUST_USE robots_status robots_use_for(const robots_uses *uses, const char *url, size_t url_len, uint32_t purpose,
    const robots_page_controls *page, robots_use_signal *signals, size_t capacity, robots_use_answer *out);

/**
 * Writes the receipt of an answer (SPEC 13.7): one line of JSON in ASCII, without a line end. `robots replay` checks it.
 * Parameters: `uses`, `url`, `url_len`, `purpose`, `page`: as for `robots_use_for`, but `url` is absolute.
 * `fetched_at_ms`: when the page was fetched, in milliseconds since 1970-01-01 UTC; the receipt has whole seconds.
 * `buffer`, `capacity`: receives the receipt, without a NUL. `len`: receives the length of the receipt; 0 after an error
 * other than `ROBOTS_E_SPACE`.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small, which then stays unchanged; the errors of
 * `robots_use_for`; `ROBOTS_E_URL` also if `url` is not UTF-8; `ROBOTS_E_TIME`; `ROBOTS_E_MEMORY` also if an allocation
 * failed while `page` was read.
 * Allocates: the text, which is freed.
 */
ROBOTS_MUST_USE robots_status robots_use_receipt(const robots_uses *uses, const char *url, size_t url_len,
    uint32_t purpose, const robots_page_controls *page, uint64_t fetched_at_ms, char *buffer, size_t capacity,
    size_t *len);

/** Frees uses and everything borrowed from them. */
void robots_uses_free(robots_uses *uses);

#ifdef __cplusplus
}
#endif

#endif /* LIBROBOTS_H */
