/* The numbers other people's programs are compiled with, the verdict macros, status texts and version. */
#include "harness.h"
#include "support.h"

/* Part of the ABI: never renumbered. */
static void numbers(void)
{
    static const struct {
        const char *name;
        long long got, want;
    } rows[] = {
        {"ROBOTS_OK", ROBOTS_OK, 0},
        {"ROBOTS_E_ARG", ROBOTS_E_ARG, 1},
        {"ROBOTS_E_TOKEN", ROBOTS_E_TOKEN, 2},
        {"ROBOTS_E_URL", ROBOTS_E_URL, 3},
        {"ROBOTS_E_MEMORY", ROBOTS_E_MEMORY, 4},
        {"ROBOTS_E_PANIC", ROBOTS_E_PANIC, 5},
        {"ROBOTS_E_IMAGE", ROBOTS_E_IMAGE, 6},
        {"ROBOTS_E_IMAGE_FORMAT", ROBOTS_E_IMAGE_FORMAT, 7},
        {"ROBOTS_DISALLOWED", ROBOTS_DISALLOWED, 0},
        {"ROBOTS_ALLOWED", ROBOTS_ALLOWED, 1},
        {"ROBOTS_BAD_URL", ROBOTS_BAD_URL, 2},
        {"ROBOTS_REASON_NONE", ROBOTS_REASON_NONE, 0},
        {"ROBOTS_REASON_RULE_ALLOWED", ROBOTS_REASON_RULE_ALLOWED, 1},
        {"ROBOTS_REASON_RULE_DISALLOWED", ROBOTS_REASON_RULE_DISALLOWED, 2},
        {"ROBOTS_REASON_NO_RULE", ROBOTS_REASON_NO_RULE, 3},
        {"ROBOTS_REASON_NO_GROUP", ROBOTS_REASON_NO_GROUP, 4},
        {"ROBOTS_REASON_ROBOTS_TXT", ROBOTS_REASON_ROBOTS_TXT, 5},
        {"ROBOTS_REASON_ALLOW_ALL", ROBOTS_REASON_ALLOW_ALL, 6},
        {"ROBOTS_REASON_DISALLOW_ALL", ROBOTS_REASON_DISALLOW_ALL, 7},
        {"ROBOTS_OPT_DIALECT", ROBOTS_OPT_DIALECT, 1},
        {"ROBOTS_OPT_MAX_BYTES", ROBOTS_OPT_MAX_BYTES, 2},
        {"ROBOTS_OPT_IGNORE_STAR", ROBOTS_OPT_IGNORE_STAR, 3},
        {"ROBOTS_OPT_MERGE_TOKENS", ROBOTS_OPT_MERGE_TOKENS, 4},
        {"ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS", ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, 5},
        {"ROBOTS_OPT_LINT_ALL", ROBOTS_OPT_LINT_ALL, 6},
        {"ROBOTS_DIALECT_RFC9309", ROBOTS_DIALECT_RFC9309, 0},
        {"ROBOTS_DIALECT_GOOGLE", ROBOTS_DIALECT_GOOGLE, 1},
        {"ROBOTS_DIALECT_KOSTER1996", ROBOTS_DIALECT_KOSTER1996, 2},
        {"ROBOTS_REASON_DEFER", ROBOTS_REASON_DEFER, 8},
        {"ROBOTS_OPT_MAX_REDIRECTS", ROBOTS_OPT_MAX_REDIRECTS, 16},
        {"ROBOTS_OPT_ON_FORBIDDEN", ROBOTS_OPT_ON_FORBIDDEN, 17},
        {"ROBOTS_OPT_ON_TOO_MANY_REQUESTS", ROBOTS_OPT_ON_TOO_MANY_REQUESTS, 18},
        {"ROBOTS_OPT_ON_SERVER_ERROR", ROBOTS_OPT_ON_SERVER_ERROR, 19},
        {"ROBOTS_OPT_ON_UNREACHABLE", ROBOTS_OPT_ON_UNREACHABLE, 20},
        {"ROBOTS_OPT_SERVER_ERROR_IS_MISSING", ROBOTS_OPT_SERVER_ERROR_IS_MISSING, 21},
        {"ROBOTS_OPT_DEFAULT_TTL", ROBOTS_OPT_DEFAULT_TTL, 22},
        {"ROBOTS_OPT_MIN_TTL", ROBOTS_OPT_MIN_TTL, 23},
        {"ROBOTS_OPT_MAX_TTL", ROBOTS_OPT_MAX_TTL, 24},
        {"ROBOTS_OPT_FAILURE_TTL", ROBOTS_OPT_FAILURE_TTL, 25},
        {"ROBOTS_OPT_MAX_RETRY_AFTER", ROBOTS_OPT_MAX_RETRY_AFTER, 26},
        {"ROBOTS_OPT_UNREACHABLE_TTL", ROBOTS_OPT_UNREACHABLE_TTL, 27},
        {"ROBOTS_OPT_MISSING_KEEPS_COPY", ROBOTS_OPT_MISSING_KEEPS_COPY, 28},
        {"ROBOTS_OPT_MISSING_TTL", ROBOTS_OPT_MISSING_TTL, 29},
        {"ROBOTS_STEP_GET", ROBOTS_STEP_GET, 0},
        {"ROBOTS_STEP_HEADERS", ROBOTS_STEP_HEADERS, 1},
        {"ROBOTS_STEP_BODY", ROBOTS_STEP_BODY, 2},
        {"ROBOTS_STEP_DONE", ROBOTS_STEP_DONE, 3},
        {"ROBOTS_FAILURE_DNS", ROBOTS_FAILURE_DNS, 1},
        {"ROBOTS_FAILURE_CONNECT", ROBOTS_FAILURE_CONNECT, 2},
        {"ROBOTS_FAILURE_TLS", ROBOTS_FAILURE_TLS, 3},
        {"ROBOTS_FAILURE_TIMEOUT", ROBOTS_FAILURE_TIMEOUT, 4},
        {"ROBOTS_FAILURE_RESET", ROBOTS_FAILURE_RESET, 5},
        {"ROBOTS_FAILURE_TRUNCATED", ROBOTS_FAILURE_TRUNCATED, 6},
        {"ROBOTS_FAILURE_OTHER", ROBOTS_FAILURE_OTHER, 7},
        {"ROBOTS_OUTCOME_RULES", ROBOTS_OUTCOME_RULES, 0},
        {"ROBOTS_OUTCOME_ALLOW_ALL", ROBOTS_OUTCOME_ALLOW_ALL, 1},
        {"ROBOTS_OUTCOME_DISALLOW_ALL", ROBOTS_OUTCOME_DISALLOW_ALL, 2},
        {"ROBOTS_OUTCOME_DEFER", ROBOTS_OUTCOME_DEFER, 3},
        {"ROBOTS_CAUSE_FOUND", ROBOTS_CAUSE_FOUND, 1},
        {"ROBOTS_CAUSE_NOT_MODIFIED", ROBOTS_CAUSE_NOT_MODIFIED, 2},
        {"ROBOTS_CAUSE_MISSING", ROBOTS_CAUSE_MISSING, 3},
        {"ROBOTS_CAUSE_FORBIDDEN", ROBOTS_CAUSE_FORBIDDEN, 4},
        {"ROBOTS_CAUSE_TOO_MANY_REQUESTS", ROBOTS_CAUSE_TOO_MANY_REQUESTS, 5},
        {"ROBOTS_CAUSE_SERVER_ERROR", ROBOTS_CAUSE_SERVER_ERROR, 6},
        {"ROBOTS_CAUSE_ODD_STATUS", ROBOTS_CAUSE_ODD_STATUS, 7},
        {"ROBOTS_CAUSE_TOO_MANY_REDIRECTS", ROBOTS_CAUSE_TOO_MANY_REDIRECTS, 8},
        {"ROBOTS_CAUSE_REDIRECT_LOOP", ROBOTS_CAUSE_REDIRECT_LOOP, 9},
        {"ROBOTS_CAUSE_BAD_REDIRECT", ROBOTS_CAUSE_BAD_REDIRECT, 10},
        {"ROBOTS_CAUSE_DNS", ROBOTS_CAUSE_DNS, 11},
        {"ROBOTS_CAUSE_CONNECT", ROBOTS_CAUSE_CONNECT, 12},
        {"ROBOTS_CAUSE_TLS", ROBOTS_CAUSE_TLS, 13},
        {"ROBOTS_CAUSE_TIMEOUT", ROBOTS_CAUSE_TIMEOUT, 14},
        {"ROBOTS_CAUSE_RESET", ROBOTS_CAUSE_RESET, 15},
        {"ROBOTS_CAUSE_TRUNCATED", ROBOTS_CAUSE_TRUNCATED, 16},
        {"ROBOTS_CAUSE_OTHER_FAILURE", ROBOTS_CAUSE_OTHER_FAILURE, 17},
        {"ROBOTS_CAUSE_UNREACHABLE_LONG", ROBOTS_CAUSE_UNREACHABLE_LONG, 18},
        {"ROBOTS_E_SCHEME", ROBOTS_E_SCHEME, 8},
        {"ROBOTS_E_STATE", ROBOTS_E_STATE, 9},
        {"ROBOTS_REASON_UNREACHABLE", ROBOTS_REASON_UNREACHABLE, 9},
        {"ROBOTS_OPT_ON_BAD_REDIRECT", ROBOTS_OPT_ON_BAD_REDIRECT, 30},
        {"ROBOTS_OPT_NON_GLOBAL_REDIRECTS", ROBOTS_OPT_NON_GLOBAL_REDIRECTS, 31},
        {"ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY", ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY, 32},
        {"ROBOTS_OPT_ON_HTML", ROBOTS_OPT_ON_HTML, 33},
        {"ROBOTS_FAILURE_ENCODED_BODY", ROBOTS_FAILURE_ENCODED_BODY, 8},
        {"ROBOTS_OUTCOME_UNREACHABLE", ROBOTS_OUTCOME_UNREACHABLE, 4},
        {"ROBOTS_CAUSE_PARTIAL_CONTENT", ROBOTS_CAUSE_PARTIAL_CONTENT, 19},
        {"ROBOTS_CAUSE_SHORT_BODY", ROBOTS_CAUSE_SHORT_BODY, 20},
        {"ROBOTS_CAUSE_ENCODED_BODY", ROBOTS_CAUSE_ENCODED_BODY, 21},
        {"ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED", ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED, 22},
        {"ROBOTS_CAUSE_NON_GLOBAL_REDIRECT", ROBOTS_CAUSE_NON_GLOBAL_REDIRECT, 23},
        {"ROBOTS_CAUSE_HTML", ROBOTS_CAUSE_HTML, 24},
        {"ROBOTS_CACHE_DECIDED", ROBOTS_CACHE_DECIDED, 0},
        {"ROBOTS_CACHE_FETCH", ROBOTS_CACHE_FETCH, 1},
        {"ROBOTS_CACHE_WAIT", ROBOTS_CACHE_WAIT, 2},
        {"ROBOTS_CACHE_DEFER", ROBOTS_CACHE_DEFER, 3},
        {"ROBOTS_CACHE_OPT_TICKET_TTL", ROBOTS_CACHE_OPT_TICKET_TTL, 1},
        {"ROBOTS_EXTENSION_REQUEST_RATE", ROBOTS_EXTENSION_REQUEST_RATE, 0},
        {"ROBOTS_EXTENSION_VISIT_TIME", ROBOTS_EXTENSION_VISIT_TIME, 1},
        {"ROBOTS_EXTENSION_HOST", ROBOTS_EXTENSION_HOST, 2},
        {"ROBOTS_EXTENSION_CLEAN_PARAM", ROBOTS_EXTENSION_CLEAN_PARAM, 3},
        {"ROBOTS_EXTENSION_NOINDEX", ROBOTS_EXTENSION_NOINDEX, 4},
        {"ROBOTS_EXTENSION_CONTENT_SIGNAL", ROBOTS_EXTENSION_CONTENT_SIGNAL, 5},
        {"ROBOTS_EXTENSION_CONTENT_USAGE", ROBOTS_EXTENSION_CONTENT_USAGE, 6},
        {"ROBOTS_EXTENSION_LICENSE", ROBOTS_EXTENSION_LICENSE, 7},
        {"ROBOTS_VOCABULARY_CONTENT_USAGE", ROBOTS_VOCABULARY_CONTENT_USAGE, 0},
        {"ROBOTS_VOCABULARY_CONTENT_SIGNAL", ROBOTS_VOCABULARY_CONTENT_SIGNAL, 1},
        {"ROBOTS_CHOICE_NO", ROBOTS_CHOICE_NO, 0},
        {"ROBOTS_CHOICE_YES", ROBOTS_CHOICE_YES, 1},
        {"ROBOTS_CHOICE_UNKNOWN", ROBOTS_CHOICE_UNKNOWN, 2},
        {"ROBOTS_MATCH_WON", ROBOTS_MATCH_WON, 0},
        {"ROBOTS_MATCH_SHORTER", ROBOTS_MATCH_SHORTER, 1},
        {"ROBOTS_MATCH_TIE_LOST_TO_ALLOW", ROBOTS_MATCH_TIE_LOST_TO_ALLOW, 2},
        {"ROBOTS_MATCH_LATER_EQUAL", ROBOTS_MATCH_LATER_EQUAL, 3},
        {"ROBOTS_MATCH_AFTER_FIRST_MATCH", ROBOTS_MATCH_AFTER_FIRST_MATCH, 4},
        {"ROBOTS_MATCH_EMPTY", ROBOTS_MATCH_EMPTY, 5},
        {"ROBOTS_LINT_NOTE", ROBOTS_LINT_NOTE, 1},
        {"ROBOTS_LINT_FIX_NONE", ROBOTS_LINT_FIX_NONE, 0},
        {"ROBOTS_LINT_FIX_UNSAFE", ROBOTS_LINT_FIX_UNSAFE, 1},
        {"ROBOTS_LINT_FIX_SAFE", ROBOTS_LINT_FIX_SAFE, 2},
        {"ROBOTS_LINT_WARNING", ROBOTS_LINT_WARNING, 2},
        {"ROBOTS_LINT_ERROR", ROBOTS_LINT_ERROR, 3},
        {"ROBOTS_LINE_BLANK", ROBOTS_LINE_BLANK, 0},
        {"ROBOTS_LINE_COMMENT", ROBOTS_LINE_COMMENT, 1},
        {"ROBOTS_LINE_USER_AGENT", ROBOTS_LINE_USER_AGENT, 2},
        {"ROBOTS_LINE_ALLOW", ROBOTS_LINE_ALLOW, 3},
        {"ROBOTS_LINE_DISALLOW", ROBOTS_LINE_DISALLOW, 4},
        {"ROBOTS_LINE_SITEMAP", ROBOTS_LINE_SITEMAP, 5},
        {"ROBOTS_LINE_CRAWL_DELAY", ROBOTS_LINE_CRAWL_DELAY, 6},
        {"ROBOTS_LINE_EXTENSION", ROBOTS_LINE_EXTENSION, 7},
        {"ROBOTS_LINE_UNKNOWN", ROBOTS_LINE_UNKNOWN, 8},
        {"ROBOTS_LINE_NOT_UNDERSTOOD", ROBOTS_LINE_NOT_UNDERSTOOD, 9},
        {"sizeof(robots_status)", sizeof(robots_status), 4},
        {"sizeof(robots_verdict)", sizeof(robots_verdict), 8},
        {"sizeof(robots_str)", sizeof(robots_str), sizeof(char *) + sizeof(size_t)},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].got != rows[i].want)
            printf("     for %s\n", rows[i].name);
        CHECK_INT(rows[i].got, rows[i].want);
    }
}

static void check_text(const char *name, const char *text, const char *start)
{
    if (strncmp(text, start, strlen(start)) != 0)
        printf("     for %s: the library says \"%s\"\n", name, text);
    CHECK(strncmp(text, start, strlen(start)) == 0);
}

/* The library uses the numbers of the header: it returns them, and its texts are those of them. */
static void numbers_of_the_library(void)
{
#define ROW(value, text) {#value, value, text}
    static const struct {
        const char *name;
        uint32_t number;
        const char *text;
    } statuses[] = {
        ROW(ROBOTS_OK, "success"), ROW(ROBOTS_E_ARG, "invalid argument"), ROW(ROBOTS_E_TOKEN, "invalid product token"),
        ROW(ROBOTS_E_URL, "invalid URL"), ROW(ROBOTS_E_MEMORY, "out of memory"), ROW(ROBOTS_E_PANIC, "internal error"),
        ROW(ROBOTS_E_IMAGE, "damaged image"), ROW(ROBOTS_E_IMAGE_FORMAT, "image or record of another"),
        ROW(ROBOTS_E_SCHEME, "unsupported URL scheme"), ROW(ROBOTS_E_STATE, "wrong state"), ROW(ROBOTS_END, "end of the list"),
        ROW(ROBOTS_E_SPACE, "buffer too small"),
    }, reasons[] = {
        ROW(ROBOTS_REASON_NONE, "no decision"), ROW(ROBOTS_REASON_RULE_ALLOWED, "an allow rule"),
        ROW(ROBOTS_REASON_RULE_DISALLOWED, "a disallow rule"), ROW(ROBOTS_REASON_NO_RULE, "a group applies"),
        ROW(ROBOTS_REASON_NO_GROUP, "no group"), ROW(ROBOTS_REASON_ROBOTS_TXT, "the URL is the robots.txt"),
        ROW(ROBOTS_REASON_ALLOW_ALL, "the whole site is allowed"), ROW(ROBOTS_REASON_DISALLOW_ALL, "the whole site is disallowed"),
        ROW(ROBOTS_REASON_DEFER, "no verdict for now"), ROW(ROBOTS_REASON_UNREACHABLE, "the robots.txt cannot be reached"),
    };
#undef ROW
    size_t i;

    for (i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        check_text(statuses[i].name, robots_status_text((robots_status)statuses[i].number), statuses[i].text);
    for (i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        check_text(reasons[i].name, robots_reason_text(reasons[i].number), reasons[i].text);
}

/* Each macro takes its own bits, whatever the others hold, and its argument once. */
static void verdict_macros(void)
{
    static const robots_verdict words[] = {{0}, {1}, {UINT64_MAX}, {UINT64_C(0xfffffffe00000000)},
                                           {UINT64_C(0x8000000180007f01)}, {UINT64_C(0x0000000000020300)}};
    size_t i = 0;

    CHECK_INT(ROBOTS_VERDICT_ALLOWED(words[0]), 0);
    CHECK_INT(ROBOTS_VERDICT_ALLOWED(words[1]), 1);
    CHECK_INT(ROBOTS_VERDICT_LINE(words[1]), 0);
    CHECK_INT(ROBOTS_VERDICT_ALLOWED(words[2]), 1);
    CHECK_INT(ROBOTS_VERDICT_REASON(words[2]), 0xff);
    CHECK_INT(ROBOTS_VERDICT_STATUS(words[2]), 0xffff);
    CHECK_INT(ROBOTS_VERDICT_LINE(words[2]), 0xffffffff);
    CHECK_INT(ROBOTS_VERDICT_ALLOWED(words[3]), 0);
    CHECK_INT(ROBOTS_VERDICT_REASON(words[3]), 0);
    CHECK_INT(ROBOTS_VERDICT_STATUS(words[3]), 0);
    CHECK_INT(ROBOTS_VERDICT_LINE(words[3]), 0xfffffffe);
    CHECK_INT(ROBOTS_VERDICT_REASON(words[4]), 0x7f);
    CHECK_INT(ROBOTS_VERDICT_STATUS(words[4]), 0x8000);
    CHECK_INT(ROBOTS_VERDICT_LINE(words[4]), 0x80000001);
    CHECK_INT(ROBOTS_VERDICT_STATUS(words[5]), ROBOTS_E_TOKEN);
    CHECK_INT(ROBOTS_VERDICT_REASON(words[5]), ROBOTS_REASON_NO_RULE);

    CHECK_INT(ROBOTS_VERDICT_LINE(words[i++]), 0);
    CHECK_INT(ROBOTS_VERDICT_STATUS(words[i++]), 0);
    CHECK_INT(i, 2);
}

/* Every status has a sentence of its own, and so has a number that is none. */
static void status_texts(void)
{
    static const robots_status unknown[] = {-1, 1000, 65535, INT32_MAX, INT32_MIN};
    robots_status status, other;
    size_t i;

    for (status = ROBOTS_OK; status <= ROBOTS_E_IMAGE_FORMAT; status++) {
        const char *text = robots_status_text(status);

        CHECK(text != NULL && *text != '\0');
        CHECK(strchr(text, '\n') == NULL);
        for (other = ROBOTS_OK; other < status; other++)
            CHECK(strcmp(text, robots_status_text(other)) != 0);
        for (i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
            CHECK(strcmp(text, robots_status_text(unknown[i])) != 0);
    }
    for (i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CHECK(robots_status_text(unknown[i]) != NULL);
        CHECK(strlen(robots_status_text(unknown[i])) > 0);
    }
    CHECK(strstr(robots_status_text(ROBOTS_E_TOKEN), "token") != NULL);
}

/* Every reason has a sentence of its own; what is not allowed says what to do with the URL. */
static void reason_texts(void)
{
    static const uint32_t unknown[] = {10, 255, 256, 65537, UINT32_MAX};
    uint32_t reason, other;
    size_t i;

    for (reason = ROBOTS_REASON_NONE; reason <= ROBOTS_REASON_UNREACHABLE; reason++) {
        const char *text = robots_reason_text(reason);

        CHECK(text != NULL && *text != '\0');
        CHECK(strchr(text, '\n') == NULL);
        for (other = ROBOTS_REASON_NONE; other < reason; other++)
            CHECK(strcmp(text, robots_reason_text(other)) != 0);
        for (i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
            CHECK(strcmp(text, robots_reason_text(unknown[i])) != 0);
    }
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_RULE_DISALLOWED), "drop") != NULL);
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_DISALLOW_ALL), "drop") != NULL);
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_DEFER), "keep") != NULL);
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_UNREACHABLE), "keep") != NULL);
}

#if ROBOTS_VERSION_MAJOR > 0 || ROBOTS_VERSION_MINOR >= 1
#define PREPROCESSOR_KNOWS_THE_VERSION 1
#else
#define PREPROCESSOR_KNOWS_THE_VERSION 0
#endif

/* The number is the text: 1.2.3 = 1002003. */
static void version(void)
{
    const char *text = ROBOTS_VERSION;
    unsigned major = 0, minor = 0, patch = 0;

    CHECK(text != NULL);
    CHECK_INT(sscanf(text, "%u.%u.%u", &major, &minor, &patch), 3);
    CHECK_INT(robots_version_number(), ROBOTS_VERSION_NUMBER);
    CHECK_INT(robots_version_number(), major * 1000000 + minor * 1000 + patch);
    CHECK_INT(ROBOTS_VERSION_MAJOR, major);
    CHECK_INT(ROBOTS_VERSION_MINOR, minor);
    CHECK_INT(ROBOTS_VERSION_PATCH, patch);
    CHECK(PREPROCESSOR_KNOWS_THE_VERSION);
}

int main(void)
{
    static const test tests[] = {
        {"numbers", numbers},
        {"numbers of the library", numbers_of_the_library},
        {"verdict macros", verdict_macros},
        {"status texts", status_texts},
        {"reason texts", reason_texts},
        {"version", version},
    };

    return RUN_TESTS("status", tests);
}
