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
 * Answer of a batch: the URL may not be fetched.
 */
#define ROBOTS_DISALLOWED 0

/**
 * Answer of a batch: the URL may be fetched.
 */
#define ROBOTS_ALLOWED 1

/**
 * Answer of a batch: it is no URL that can be decided on.
 */
#define ROBOTS_BAD_URL 2

/**
 * A crawler: its product tokens, its dialect, its limits. Made by `robots_crawler_new`, ended by
 * `robots_crawler_free`. While it is set up it belongs to one thread; from then on any number of
 * threads may parse with it at once.
 */
typedef struct robots_crawler robots_crawler;

/**
 * A robots.txt, compiled for one crawler: immutable, one block of memory, reference-counted. Any
 * number of threads may ask it at once. Made by `robots_rules_parse` and its like, ended by
 * `robots_rules_free`.
 */
typedef struct robots_rules robots_rules;

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
 * it; `ROBOTS_E_ARG` for `out` NULL or `token` NULL with a length. `*out` is NULL after an error.
 * Owner: the caller, who ends it with `robots_crawler_free`. `token` is copied.
 * Threads: any, at any time.
 * Allocates: the crawler.
 * Since: 0.1.0
 */
robots_status robots_crawler_new(const char *token,
                                 size_t token_len,
                                 robots_crawler **out);

/**
 * Adds a product token that counts where no group of a robots.txt names an earlier one (SPEC 7.1).
 *
 * Parameters: `crawler`; `token`, `token_len`: as for `robots_crawler_new`, in the crawler's dialect
 * (`ROBOTS_DIALECT_GOOGLE`: letters, `_` and `-` only).
 * Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for what is no product token; `ROBOTS_E_ARG` for NULL, or past
 * 64 tokens. After an error the crawler is as it was.
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
 * Allocates: nothing that lasts.
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

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  /* LIBROBOTS_H */
