/* The numbers that the library returns, the verdict macros, status texts and version. */
#include "harness.h"
#include "support.h"

static void check_text(const char *name, const char *text, const char *start)
{
    if (strncmp(text, start, strlen(start)) != 0)
        printf("     for %s: the library says \"%s\"\n", name, text);
    CHECK(strncmp(text, start, strlen(start)) == 0 && strchr(text, '\n') == NULL);
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
    CHECK_INT(ROBOTS_VERDICT_SITE_WIDE(words[1]), 0);
    CHECK_INT(ROBOTS_VERDICT_ALLOWED(words[2]), 1);
    CHECK_INT(ROBOTS_VERDICT_SITE_WIDE(words[2]), 1);
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
    CHECK_INT(ROBOTS_VERDICT_SITE_WIDE(words[i++]), 1);
    CHECK_INT(i, 3);
}

/* What is not allowed says what to do with the URL. The sizes are part of the ABI. */
static void advice_and_sizes(void)
{
    CHECK(strstr(robots_status_text(ROBOTS_E_TOKEN), "token") != NULL);
    CHECK(strstr(robots_status_text(ROBOTS_E_URL), "its site") != NULL);
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_RULE_DISALLOWED), "drop") != NULL);
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_DISALLOW_ALL), "drop") != NULL);
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_DEFER), "keep") != NULL);
    CHECK(strstr(robots_reason_text(ROBOTS_REASON_UNREACHABLE), "keep") != NULL);
    CHECK_INT(sizeof(robots_status), 4);
    CHECK_INT(sizeof(robots_verdict), 8);
    CHECK_INT(sizeof(robots_str), sizeof(char *) + sizeof(size_t));
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
        {"numbers of the library", numbers_of_the_library},
        {"verdict macros", verdict_macros},
        {"advice and sizes", advice_and_sizes},
        {"version", version},
    };

    return RUN_TESTS("status", tests);
}
