/*
 * librobots: explanations, lint, differences and extension lines, for people and for site owners.
 *
 * Contents:
 *
 *      1. Explanations                      robots_explanation, robots_explained, robots_explained_line, robots_explained_rule
 *      2. Lint                              robots_lint_report, robots_lint_counts, robots_lint_diagnostic, robots_lint_line, robots_lint_meaning
 *      3. Differences                       robots_difference, robots_different_path
 *      4. Extension lines                   robots_extensions, robots_extension
 *
 * The conventions are those of librobots.h, which this header includes.
 *
 * This file is generated: change the source and run `make header`.
 */

#ifndef LIBROBOTS_TOOLS_H
#define LIBROBOTS_TOOLS_H

#include <librobots.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== 1. Explanations ============================================================================================= */

/**
 * The explanation of a verdict. Immutable.
 * Owner: created by `robots_rules_explain`, freed by `robots_explanation_free`.
 * Threads: any number of threads may use it at the same time.
 * Allocates: the function that creates it. No function aborts when out of memory.
 */
typedef struct robots_explanation robots_explanation;

/** The parts of an explanation that are not lists. */
typedef struct robots_explained {
  size_t size; /**< `sizeof(robots_explained)`. */
  robots_verdict verdict; /**< Explained verdict, as from `robots_rules_check`. */
  /**
   * Verdict of the rfc9309 dialect for the same file and URL; its status is `ROBOTS_E_URL` if the canonical form of
   * the path is too long (SPEC 8.12).
   */
  robots_verdict rfc9309;
  robots_verdict google; /**< Verdict of the google dialect. */
  robots_verdict koster1996; /**< Verdict of the koster1996 dialect. */
  robots_str path; /**< Canonical form of the URL's path and query. Rules are matched with this form (SPEC 8.6). */
  /**
   * Product token that selected the groups, as the crawler has it (SPEC 7.1); `*` if the `*` groups apply; empty if
   * no group applies.
   */
  robots_str token;
  /**
   * Explanation as lines for a terminal: UTF-8 without control characters except the newline that ends each line,
   * whatever the file and the URL contain. Later versions may change the words.
   */
  robots_str text;
} robots_explained;
#define ROBOTS_EXPLAINED_INIT {sizeof(robots_explained), {0}, {0}, {0}, {0}, {0, 0}, {0, 0}, {0, 0}}

/** One line of the robots.txt. */
typedef struct robots_explained_line {
  size_t size; /**< `sizeof(robots_explained_line)`. */
  robots_str text; /**< Line as written, without comment and surrounding white space; any bytes. */
  uint32_t line; /**< Number of the line, from 1. */
  uint32_t reserved; /**< Always 0. */
} robots_explained_line;
#define ROBOTS_EXPLAINED_LINE_INIT {sizeof(robots_explained_line), {0, 0}, 0, 0}

/** One rule that matches. */
typedef struct robots_explained_rule {
  size_t size; /**< `sizeof(robots_explained_rule)`. */
  robots_str text; /**< Line as written, without comment and surrounding white space; any bytes. */
  robots_str path; /**< Path of the rule, as written. */
  robots_str pattern; /**< Path in canonical form (SPEC 8.6). Its length determines the priority (SPEC 8.7). */
  uint32_t line; /**< Number of the line, from 1. */
  uint32_t allow; /**< 1 if the rule allows, 0 if it disallows. */
  uint32_t result; /**< Match result, one of `enum robots_match_result`. Later versions may add values. */
  uint32_t reserved; /**< Always 0. */
} robots_explained_rule;
#define ROBOTS_EXPLAINED_RULE_INIT {sizeof(robots_explained_rule), {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 0}

/** Why a rule that matches decides or does not. */
enum robots_match_result {
  ROBOTS_MATCH_WON = 0, /**< The rule decides. */
  ROBOTS_MATCH_SHORTER = 1, /**< A longer rule decides (SPEC 8.7). */
  ROBOTS_MATCH_TIE_LOST_TO_ALLOW = 2, /**< A rule of the same length that allows decides (SPEC 8.7). */
  ROBOTS_MATCH_LATER_EQUAL = 3, /**< An earlier rule of the same length and effect decides. */
  ROBOTS_MATCH_AFTER_FIRST_MATCH = 4, /**< An earlier rule decides (SPEC 8.7, koster1996). */
  ROBOTS_MATCH_EMPTY = 5 /**< A rule without a path has no effect (SPEC 8.8, google). */
};

/**
 * Explains the result of `robots_rules_parse` and `robots_rules_check` for a file and a URL: which line decides, and
 * why the other rules that match do not. The call parses the whole file: use it for people, not for every URL of a crawl.
 * Parameters: `crawler`. `body`, `body_len`: the file, any bytes, including none. `url`, `url_len`: as for
 * `robots_rules_check`. `out`: receives the explanation.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b).
 */
ROBOTS_MUST_USE robots_status robots_rules_explain(const robots_crawler *crawler, const char *body, size_t body_len,
    const char *url, size_t url_len, robots_explanation **out);

/**
 * Returns the parts of an explanation that are not lists: the verdicts, the path, the token and a text.
 * Returns: `ROBOTS_OK`.
 * Owner: the strings belong to the explanation.
 */
robots_status robots_explanation_get(const robots_explanation *explanation, robots_explained *out);

/**
 * Returns one of the user-agent lines that select the groups.
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the line.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element, or for every index if no group applies.
 * Owner: the text belongs to the explanation.
 */
ROBOTS_MUST_USE robots_status robots_explanation_agent(const robots_explanation *explanation, size_t index,
    robots_explained_line *out);

/**
 * Returns one of the rules that match, in order of priority. A rule that decides comes first.
 * Parameters: `index`: from 0. `out`: receives the rule.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element, or for every index if the URL is the robots.txt (SPEC 8.9).
 * Owner: the texts belong to the explanation.
 */
ROBOTS_MUST_USE robots_status robots_explanation_rule(const robots_explanation *explanation, size_t index,
    robots_explained_rule *out);

/** Frees an explanation and everything borrowed from it. */
void robots_explanation_free(robots_explanation *explanation);

/* ==== 2. Lint ===================================================================================================== */

/**
 * The diagnostics of a robots.txt and the meaning of each line. Immutable.
 * Owner: created by `robots_lint`, freed by `robots_lint_report_free`.
 * Threads: any number of threads may use it at the same time.
 * Allocates: the function that creates it, for a copy of the file up to the size limit and for the diagnostics. No
 * function aborts when out of memory.
 */
typedef struct robots_lint_report robots_lint_report;

/** The numbers of diagnostics and lines. */
typedef struct robots_lint_counts {
  size_t size; /**< `sizeof(robots_lint_counts)`. */
  /** Number of errors, including errors that the report omits: it contains at most 100 diagnostics of each code. */
  uint64_t errors;
  uint64_t warnings; /**< Number of warnings, including warnings that the report omits. */
  uint64_t notes; /**< Number of notes, including notes that the report omits. */
  uint64_t lines; /**< Number of lines of the file up to the size limit. */
} robots_lint_counts;
#define ROBOTS_LINT_COUNTS_INIT {sizeof(robots_lint_counts), 0, 0, 0, 0}

/** One diagnostic. */
typedef struct robots_lint_diagnostic {
  size_t size; /**< `sizeof(robots_lint_diagnostic)`. */
  size_t start; /**< Offset in the file of the first byte that the diagnostic marks. */
  size_t end; /**< Offset after the last marked byte, in the same line. */
  robots_str message; /**< Message in UTF-8 without control characters: one sentence that says what is wrong. */
  robots_str suggestion; /**< Advice: one sentence that says what to do; empty if there is none. */
  uint32_t code; /**< Diagnostic code: 51 for "R051". */
  uint32_t severity; /**< Severity, one of `enum robots_lint_severity`. */
  uint32_t line; /**< Number of the line, from 1; 0 for a diagnostic about the whole file. */
  uint32_t column; /**< Position in the line, in bytes from 1; 0 for a diagnostic about the whole file. */
  /** Number of another line that is involved, such as the line of a rule that always wins; 0 for none. */
  uint32_t other_line;
  /**
   * Kind of the edit that removes the diagnostic, one of `enum robots_lint_fix`. To apply several edits, sort them by
   * `fix_start` and omit each edit that begins before the end of the last applied edit. All safe edits together change no
   * verdict.
   */
  uint32_t fix;
  size_t fix_start; /**< Offset of the first byte that the edit replaces. */
  /** Offset after the last replaced byte; `fix_start` for an insertion. A removed line includes its line end. */
  size_t fix_end;
  robots_str fix_replacement; /**< Replacement in UTF-8; it may be empty and may contain line ends. */
} robots_lint_diagnostic;
#define ROBOTS_LINT_DIAGNOSTIC_INIT {sizeof(robots_lint_diagnostic), 0, 0, {0, 0}, {0, 0}, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0}}

/** One line of a robots.txt and its meaning. */
typedef struct robots_lint_line {
  size_t size; /**< `sizeof(robots_lint_line)`. */
  size_t start; /**< Offset in the file of the first byte. */
  size_t end; /**< Offset after the last byte, without the line end. */
  robots_str field; /**< Field as written; empty if there is none. */
  robots_str value; /**< Value as written; empty if there is none. */
  uint32_t kind; /**< Kind of the line, one of `enum robots_line_kind`. */
  uint32_t group; /**< Number of the line's group, from 1 in the order of the file; 0 for none. */
} robots_lint_line;
#define ROBOTS_LINT_LINE_INIT {sizeof(robots_lint_line), 0, 0, {0, 0}, {0, 0}, 0, 0}

/** The meaning of a diagnostic code. */
typedef struct robots_lint_meaning {
  size_t size; /**< `sizeof(robots_lint_meaning)`. */
  robots_str title; /**< Title, a few words. */
  robots_str explanation; /**< Explanation: sentences that say what the code means and what to do. */
} robots_lint_meaning;
#define ROBOTS_LINT_MEANING_INIT {sizeof(robots_lint_meaning), {0, 0}, {0, 0}}

/** Severities of diagnostics. */
enum robots_lint_severity {
  ROBOTS_LINT_NOTE = 1, /**< Nothing is wrong, but the author may want to know it. */
  ROBOTS_LINT_WARNING = 2, /**< The effect may differ from what the author expects, or between crawlers. */
  ROBOTS_LINT_ERROR = 3 /**< The effect differs from what the author must have meant. */
};

/** The edit of the file that removes a diagnostic. */
enum robots_lint_fix {
  ROBOTS_LINT_FIX_NONE = 0, /**< No edit. */
  ROBOTS_LINT_FIX_UNSAFE = 1, /**< An edit that may change verdicts, so a person has to decide. */
  /** An edit that changes no verdict of a crawler with one token and the dialect of the report; rfc9309 and google
   * count as one dialect. */
  ROBOTS_LINT_FIX_SAFE = 2
};

/** What a line of a robots.txt is. */
enum robots_line_kind {
  ROBOTS_LINE_BLANK = 0, /**< Only white space. */
  ROBOTS_LINE_COMMENT = 1, /**< Only a comment. */
  ROBOTS_LINE_USER_AGENT = 2, /**< A user-agent. */
  ROBOTS_LINE_ALLOW = 3, /**< An allow rule. */
  ROBOTS_LINE_DISALLOW = 4, /**< A disallow rule. */
  ROBOTS_LINE_SITEMAP = 5, /**< A sitemap. */
  ROBOTS_LINE_CRAWL_DELAY = 6, /**< A crawl-delay. */
  ROBOTS_LINE_EXTENSION = 7, /**< A field that some crawlers use; it has no effect on a verdict (SPEC 9.3 to 9.5). */
  ROBOTS_LINE_UNKNOWN = 8, /**< An unknown field; the line is skipped. */
  ROBOTS_LINE_NOT_UNDERSTOOD = 9 /**< Neither a field with a value nor a comment; the line is skipped. */
};

/**
 * Checks a robots.txt for its author. The report has the meaning of each line, and diagnostics.
 * Parameters: `crawler`: only its dialect, size limit and options count, because a robots.txt is for every crawler.
 * With `ROBOTS_OPT_LINT_ALL` the report includes the codes that are off by default: R056, R087 and, except in
 * koster1996, R091. `body`, `body_len`: the file, any bytes, including none. `out`: receives the report.
 * Returns: `ROBOTS_OK`. The content of the file is never an error.
 */
ROBOTS_MUST_USE robots_status robots_lint(const robots_crawler *crawler, const char *body, size_t body_len,
    robots_lint_report **out);

/**
 * Returns the numbers of diagnostics and lines.
 * Returns: `ROBOTS_OK`.
 */
robots_status robots_lint_report_count(const robots_lint_report *report, robots_lint_counts *out);

/**
 * Returns one diagnostic. Diagnostics about the whole file come first, then the others in the order of the file.
 * Parameters: `index`: from 0. `out`: receives the diagnostic.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
 * Owner: the strings belong to the report.
 */
ROBOTS_MUST_USE robots_status robots_lint_report_get(const robots_lint_report *report, size_t index,
    robots_lint_diagnostic *out);

/**
 * Returns one line of the file and its meaning.
 * Parameters: `number`: the line, from 1, as in verdicts and diagnostics. `out`: receives the line.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element; `ROBOTS_E_ARG`, also for line 0.
 * Owner: the strings belong to the report.
 */
ROBOTS_MUST_USE robots_status robots_lint_report_line(const robots_lint_report *report, size_t number,
    robots_lint_line *out);

/**
 * Returns the report as text in the style of a compiler: each diagnostic with its line and a mark below the line, then
 * a summary. The text has at most ten diagnostics of each code.
 * Returns: UTF-8 without control characters except line ends. The text names the file "robots.txt". The result is empty
 * for NULL and after an allocation failure; a later call tries again.
 * Allocates: the text, at the first call; the report keeps the text.
 */
robots_str robots_lint_report_text(const robots_lint_report *report);

/** Frees a report and everything borrowed from it. */
void robots_lint_report_free(robots_lint_report *report);

/**
 * Returns the meaning of a diagnostic code.
 * Parameters: `code`: such as 51 for "R051". `out`: receives the meaning.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for an unknown code.
 * Owner: the strings belong to the library; valid until it is unloaded.
 */
robots_status robots_lint_code(uint32_t code, robots_lint_meaning *out);

/* ==== 3. Differences ============================================================================================== */

/**
 * The difference of two sets of rules (SPEC 12). Immutable.
 * Owner: created by `robots_rules_difference`, freed by `robots_difference_free`.
 * Threads: any number of threads may use it at the same time.
 * Allocates: the function that creates it. No function aborts when out of memory.
 */
typedef struct robots_difference robots_difference;

/** One path on which the rules disagree. */
typedef struct robots_different_path {
  size_t size; /**< `sizeof(robots_different_path)`. */
  robots_str path; /**< Path and query, in ASCII: a URL for `robots_rules_check`. */
  robots_verdict verdict; /**< Verdict of the rules on the path. */
  robots_verdict other_verdict; /**< Verdict of the other rules. Exactly one of the two verdicts allows the path. */
} robots_different_path;
#define ROBOTS_DIFFERENT_PATH_INIT {sizeof(robots_different_path), {0, 0}, {0}, {0}}

/** Results of a search for a difference. */
enum robots_difference_code {
  /** The search ended without an answer: the files are too large, or made to be hard to compare. */
  ROBOTS_DIFFERENCE_NOT_DECIDED = 0,
  ROBOTS_DIFFERENCE_NONE = 1, /**< The rules agree on every path; this is proved. */
  ROBOTS_DIFFERENCE_FOUND = 2 /**< The rules disagree on a path. */
};

/**
 * Finds a shortest path that one set of rules allows and the other does not, or proves that no path differs (SPEC 12).
 * The two sets may differ in file, crawler and dialect. Every client sends the path unchanged (SPEC 12.1).
 * Parameters: `rules`, `other`: may be the same handle. `out`: receives the difference, which stays valid without the rules.
 * Returns: `ROBOTS_OK`, also if the difference is not decided (SPEC 12.3); `ROBOTS_E_IMAGE` for rules of a damaged
 * image.
 * Allocates: the paths, and work space of at most about 64 MB that is freed. The search takes at most about a second. For
 * half of all real files it takes at most 0.1 ms, and for 99 % at most 20 ms.
 */
ROBOTS_MUST_USE robots_status robots_rules_difference(const robots_rules *rules, const robots_rules *other,
    robots_difference **out);

/**
 * Returns whether there is a difference.
 * Returns: one of `enum robots_difference_code`; `ROBOTS_DIFFERENCE_NOT_DECIDED` for NULL.
 */
uint32_t robots_difference_result(const robots_difference *difference);

/**
 * Returns one of the paths on which the rules disagree. The first path is a shortest one. Each further path has a deciding
 * rule that decides no path before it.
 * Parameters: `index`: from 0. `out`: receives the path.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element, or for every index if the result is not
 * `ROBOTS_DIFFERENCE_FOUND`.
 * Owner: the path belongs to the difference.
 */
ROBOTS_MUST_USE robots_status robots_difference_path(const robots_difference *difference, size_t index,
    robots_different_path *out);

/** Frees a difference and everything borrowed from it. */
void robots_difference_free(robots_difference *difference);

/* ==== 4. Extension lines ========================================================================================== */

/**
 * The extension lines of a robots.txt for one crawler: lines in the crawler's groups and outside all groups. Immutable.
 * Owner: created by `robots_extensions_parse`, freed by `robots_extensions_free`.
 * Threads: any number of threads may use it at the same time.
 * Allocates: the function that creates it, for the lines and the rules. No function aborts when out of memory.
 */
typedef struct robots_extensions robots_extensions;

/** One extension line. */
typedef struct robots_extension {
  size_t size; /**< `sizeof(robots_extension)`. */
  robots_str value; /**< Value as written, without comment and surrounding white space; any bytes, at least one. */
  uint32_t line; /**< Number of the line, from 1. */
  uint32_t field; /**< Field, one of `enum robots_extension_field`. Later versions may add values. */
  uint32_t in_group; /**< 1 if the line is in a group that applies to the crawler; 0 if it is outside all groups. */
  /** Number of requests that a request-rate allows in `seconds`; 0 for another field or an invalid value. */
  uint32_t requests;
  uint32_t seconds; /**< Period of the request-rate in seconds. */
  /** Start of a visit-time, or of a request-rate with times, in minutes after midnight UTC, 0 to 1439. */
  uint32_t from;
  /**
   * End of the visit-time or of the times, 1 to 1440. An end that is not later than `from` is on the next day. 0 if the
   * line gives no times.
   */
  uint32_t until;
  uint32_t reserved; /**< Always 0. */
} robots_extension;
#define ROBOTS_EXTENSION_INIT {sizeof(robots_extension), {0, 0}, 0, 0, 0, 0, 0, 0, 0, 0}

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
  /** `license: https://example.com/license.xml`: the address of terms of use, in the format of Really Simple Licensing
   * (SPEC 9.7). */
  ROBOTS_EXTENSION_LICENSE = 7
};

/**
 * Parses the extension lines of a robots.txt (SPEC 9.3, 9.4, 9.5). Extension lines have no effect on a verdict. The
 * result omits groups that do not apply to the crawler.
 * Parameters: `body`, `body_len`: the file, any bytes, including none. `out`: receives the extensions.
 * Returns: `ROBOTS_OK`. The content of the file is never an error.
 */
ROBOTS_MUST_USE robots_status robots_extensions_parse(const robots_crawler *crawler, const char *body, size_t body_len,
    robots_extensions **out);

/**
 * Returns one extension line.
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the line.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
 * Owner: the value belongs to `extensions`.
 */
ROBOTS_MUST_USE robots_status robots_extensions_line(const robots_extensions *extensions, size_t index,
    robots_extension *out);

/** Frees extensions and everything borrowed from them. */
void robots_extensions_free(robots_extensions *extensions);

#ifdef __cplusplus
}
#endif

#endif /* LIBROBOTS_TOOLS_H */
