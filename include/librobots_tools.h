/*
 * librobots: explanations and lint, for people and for site owners.
 *
 * Contents:
 *
 *      1. Explanations                      robots_explanation, robots_explained, robots_explained_line, robots_explained_rule
 *      2. Lint                              robots_lint_report, robots_lint_counts, robots_lint_diagnostic, robots_lint_line, robots_lint_meaning
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
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it. No function aborts when out of memory.
 */
typedef struct robots_explanation robots_explanation;

/** The parts of an explanation that are not lists. Set `size` to `sizeof(robots_explained)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_explained)`; later versions add fields at the end only. */
  robots_verdict verdict; /**< The verdict that is explained, as from `robots_rules_check`. */
  /**
   * The verdict of the rfc9309 dialect for the same file and URL; its status is `ROBOTS_E_URL` if only google accepts
   * the URL.
   */
  robots_verdict rfc9309;
  robots_verdict google; /**< The verdict of the google dialect. */
  robots_verdict koster1996; /**< The verdict of the koster1996 dialect. */
  robots_str path; /**< The canonical form of the URL's path and query, as it was compared with the rules (SPEC 8.6). */
  /**
   * The product token by which the groups were selected, as the crawler has it (SPEC 7.1); `*` if the `*` groups apply;
   * empty if no group applies.
   */
  robots_str token;
  /**
   * The explanation as lines for a terminal: UTF-8, each line ends with a newline, no control characters, whatever the
   * file and the URL contain. Later versions may change the words.
   */
  robots_str text;
} robots_explained;

/** A line of the robots.txt. Set `size` to `sizeof(robots_explained_line)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_explained_line)`; later versions add fields at the end only. */
  robots_str text; /**< The line as it is written, without comment and surrounding white space; any bytes. */
  uint32_t line; /**< The number of the line, from 1. */
  uint32_t reserved; /**< Always 0. */
} robots_explained_line;

/** A rule that matches. Set `size` to `sizeof(robots_explained_rule)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_explained_rule)`; later versions add fields at the end only. */
  robots_str text; /**< The line as it is written, without comment and surrounding white space; any bytes. */
  robots_str path; /**< The path in it. */
  /** The path in canonical form (SPEC 8.6), as it is compared. Its length decides the priority (SPEC 8.7). */
  robots_str pattern;
  uint32_t line; /**< The number of the line, from 1. */
  uint32_t allow; /**< 1 if the rule allows, 0 if it disallows. */
  uint32_t result; /**< The match result, one of `enum robots_match_result`. Later versions may add some. */
  uint32_t reserved; /**< Always 0. */
} robots_explained_rule;

/** Why a rule that matches decides or does not. */
enum robots_match_result {
  ROBOTS_MATCH_WON = 0, /**< The rule decides. */
  ROBOTS_MATCH_SHORTER = 1, /**< A longer rule decides (SPEC 8.7). */
  ROBOTS_MATCH_TIE_LOST_TO_ALLOW = 2, /**< A rule of the same length that allows decides (SPEC 8.7). */
  ROBOTS_MATCH_LATER_EQUAL = 3, /**< An earlier rule of the same length and kind decides. */
  ROBOTS_MATCH_AFTER_FIRST_MATCH = 4, /**< An earlier rule decides (SPEC 8.7, koster1996). */
  ROBOTS_MATCH_EMPTY = 5 /**< A rule without a path has no effect (SPEC 8.8, google). */
};

/**
 * Explains the result of `robots_rules_parse` and `robots_rules_check` for a file and a URL: which line decided, and
 * why no other did. For people, not for every URL of a crawl: each call reads the file.
 * Parameters: `crawler`. `body`, `body_len`: the bytes of the file, any bytes, also none. `url`, `url_len`: as for
 * `robots_rules_check`. `out`: receives the explanation.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b); `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
 */
ROBOTS_MUST_USE robots_status robots_rules_explain(const robots_crawler *crawler, const char *body, size_t body_len,
    const char *url, size_t url_len, robots_explanation **out);

/**
 * Returns the explanation without its lists: the verdicts, the path, the token and a text.
 * Parameters: `out`: receives them; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`.
 * Owner: the strings belong to the explanation.
 */
robots_status robots_explanation_get(const robots_explanation *explanation, robots_explained *out);

/**
 * Returns one of the user-agent lines that select the groups.
 * Parameters: `index`: from 0, in the order of the file. `out`: receives the line; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last, at once if no group applies; `ROBOTS_E_ARG`.
 * Owner: the text belongs to the explanation.
 */
ROBOTS_MUST_USE robots_status robots_explanation_agent(const robots_explanation *explanation, size_t index,
    robots_explained_line *out);

/**
 * Returns one of the rules that match, in order of priority: the first one decides, if any does.
 * Parameters: `index`: from 0. `out`: receives the rule; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last, at once for a robots.txt itself that is always allowed (SPEC 8.9);
 * `ROBOTS_E_ARG`.
 * Owner: the texts belong to the explanation.
 */
ROBOTS_MUST_USE robots_status robots_explanation_rule(const robots_explanation *explanation, size_t index,
    robots_explained_rule *out);

/** Frees an explanation and everything borrowed from it. */
void robots_explanation_free(robots_explanation *explanation);

/* ==== 2. Lint ===================================================================================================== */

/**
 * The diagnostics of a robots.txt and the meaning of each of its lines. Immutable.
 * Owner: created by `robots_lint`, freed by `robots_lint_report_free`.
 * Threads: any number of threads may use it at once.
 * Allocates: the function that creates it: a copy of the bytes that are read, and the diagnostics. No function aborts
 * when out of memory.
 */
typedef struct robots_lint_report robots_lint_report;

/** How many diagnostics and lines there are. Set `size` to `sizeof(robots_lint_counts)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_lint_counts)`; later versions add fields at the end only. */
  /** The number of errors, including those that the report does not hold: it holds at most 100 of each code. */
  uint64_t errors;
  uint64_t warnings; /**< The number of warnings, likewise. */
  uint64_t notes; /**< The number of notes, likewise. */
  uint64_t lines; /**< The number of lines of the file that were read. */
} robots_lint_counts;

/** One diagnostic. Set `size` to `sizeof(robots_lint_diagnostic)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_lint_diagnostic)`; later versions add fields at the end only. */
  size_t start; /**< The bytes of the file that it is about, all in one line: the offset of the first, ... */
  size_t end; /**< ... and the offset after the last. */
  robots_str message; /**< What is wrong: one sentence in UTF-8 without control characters. */
  robots_str suggestion; /**< What to do: one sentence; empty if there is no advice. */
  uint32_t code; /**< The diagnostic code: 51 for "R051". */
  uint32_t severity; /**< One of `enum robots_lint_severity`. */
  uint32_t line; /**< The number of the line, from 1; 0 if it is about the whole file. */
  uint32_t column; /**< The position in the line, in bytes from 1; 0 if it is about the whole file. */
  uint32_t other_line; /**< Another line that is involved, such as that of a rule which always wins; 0 for none. */
  /**
   * Whether an edit of the file removes it: one of `enum robots_lint_fix`. To apply the edits of several diagnostics, sort
   * them by `fix_start` and leave out those that begin before the end of the one before. All safe edits together change no
   * verdict, either.
   */
  uint32_t fix;
  size_t fix_start; /**< The bytes of the file that the edit replaces: the offset of the first, ... */
  /** ... and the offset after the last; equal for an insertion. A removed line loses its line end, too. */
  size_t fix_end;
  robots_str fix_replacement; /**< The text in their place, in UTF-8; perhaps empty, perhaps with line ends. */
} robots_lint_diagnostic;

/** One line of a robots.txt and its meaning. Set `size` to `sizeof(robots_lint_line)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_lint_line)`; later versions add fields at the end only. */
  size_t start; /**< Its bytes in the file: the offset of the first, ... */
  size_t end; /**< ... and the offset after the last, without the line end. */
  robots_str field; /**< The field as it is written; empty if there is none. */
  robots_str value; /**< The value as it is written; empty if there is none. */
  uint32_t kind; /**< One of `enum robots_line_kind`. */
  uint32_t group; /**< The group that it belongs to, from 1 in the order of the file; 0: none. */
} robots_lint_line;

/** The meaning of a diagnostic code. Set `size` to `sizeof(robots_lint_meaning)` before each call. */
typedef struct {
  size_t size; /**< `sizeof(robots_lint_meaning)`; later versions add fields at the end only. */
  robots_str title; /**< A few words. */
  robots_str explanation; /**< Some sentences: what the code means and what to do. */
} robots_lint_meaning;

/** Severities of diagnostics. */
enum robots_lint_severity {
  ROBOTS_LINT_NOTE = 1, /**< Nothing is wrong, but worth knowing. */
  ROBOTS_LINT_WARNING = 2, /**< The effect may differ from what the author expects, or between crawlers. */
  ROBOTS_LINT_ERROR = 3 /**< The effect differs from what the author must have meant. */
};

/** Whether an edit of the file removes a diagnostic. */
enum robots_lint_fix {
  ROBOTS_LINT_FIX_NONE = 0, /**< None. */
  ROBOTS_LINT_FIX_UNSAFE = 1, /**< An edit that may change verdicts. A person decides. */
  /**
   * An edit that changes no verdict of any crawler with one token that reads the file in the dialect of the report;
   * rfc9309 and google count as one dialect.
   */
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
  ROBOTS_LINE_NOT_UNDERSTOOD = 9 /**< Neither field and value nor a comment; the line is skipped. */
};

/**
 * Checks a robots.txt for its author: the meaning of every line, and what is wrong with it.
 * Parameters: `crawler`: only its dialect, size limit and options count, since a robots.txt is for every crawler. With
 * `ROBOTS_OPT_LINT_ALL` the codes that are off by default are reported, too: R056, R087 and, but for koster1996, R091.
 * `body`, `body_len`: the bytes of the file, any bytes, also none. `out`: receives the report.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error.
 */
ROBOTS_MUST_USE robots_status robots_lint(const robots_crawler *crawler, const char *body, size_t body_len,
    robots_lint_report **out);

/**
 * Returns how many diagnostics and lines there are.
 * Parameters: `out`: receives the counts; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`.
 */
robots_status robots_lint_report_count(const robots_lint_report *report, robots_lint_counts *out);

/**
 * Returns one diagnostic. The order is that of the file, after diagnostics about the whole file.
 * Parameters: `index`: from 0. `out`: receives the diagnostic; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
 * Owner: the strings belong to the report.
 */
ROBOTS_MUST_USE robots_status robots_lint_report_get(const robots_lint_report *report, size_t index,
    robots_lint_diagnostic *out);

/**
 * Returns one line of the file and its meaning.
 * Parameters: `number`: the line, from 1, as in verdicts and diagnostics. `out`: receives the line; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`, also for line 0.
 * Owner: the strings belong to the report.
 */
ROBOTS_MUST_USE robots_status robots_lint_report_line(const robots_lint_report *report, size_t number, robots_lint_line
    *out);

/**
 * Returns the report as text in the style of a compiler: each diagnostic with its line and a mark below it, then a
 * summary. It shows at most ten diagnostics of each code.
 * Returns: UTF-8 without control characters except line ends; the file is named "robots.txt". Empty for NULL and on
 * allocation failure: call it again.
 * Allocates: the text, at the first call; the report keeps it.
 */
robots_str robots_lint_report_text(const robots_lint_report *report);

/** Frees a report and everything borrowed from it. */
void robots_lint_report_free(robots_lint_report *report);

/**
 * Returns the meaning of a diagnostic code.
 * Parameters: `code`: such as 51 for "R051". `out`: receives the meaning; set its `size` first.
 * Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for an unknown code.
 * Owner: the strings belong to the library; valid until it is unloaded.
 */
robots_status robots_lint_code(uint32_t code, robots_lint_meaning *out);

#ifdef __cplusplus
}
#endif

#endif /* LIBROBOTS_TOOLS_H */
