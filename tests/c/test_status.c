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
        {"ROBOTS_DIALECT_RFC9309", ROBOTS_DIALECT_RFC9309, 0},
        {"ROBOTS_DIALECT_GOOGLE", ROBOTS_DIALECT_GOOGLE, 1},
        {"ROBOTS_DIALECT_KOSTER1996", ROBOTS_DIALECT_KOSTER1996, 2},
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

/* Each macro takes its own bits, whatever the others hold, and its argument once. */
static void verdict_macros(void)
{
    static const robots_verdict words[] = {0, 1, UINT64_MAX, UINT64_C(0xfffffffe00000000),
                                           UINT64_C(0x8000000180007f01), UINT64_C(0x0000000000020300)};
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
    CHECK_INT(ROBOTS_VERDICT_REASON(words[5] | 1), ROBOTS_REASON_NO_RULE);

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

/* The number is the text: 1.2.3 = 1002003. */
static void version(void)
{
    const char *text = robots_version();
    unsigned major = 0, minor = 0, patch = 0;

    CHECK(text != NULL);
    CHECK_INT(sscanf(text, "%u.%u.%u", &major, &minor, &patch), 3);
    CHECK_INT(robots_version_number(), ROBOTS_VERSION_NUMBER);
    CHECK_INT(robots_version_number(), major * 1000000 + minor * 1000 + patch);
}

int main(void)
{
    static const test tests[] = {
        {"numbers", numbers},
        {"verdict macros", verdict_macros},
        {"status texts", status_texts},
        {"version", version},
    };

    return RUN_TESTS("status", tests);
}
