/* The misuse table: every function with NULL, zero, extremes, numbers that are none, and calls that come too often.
 * Nothing here may crash, leak, read what it should not, or permit a fetch. One test per function of the header, by
 * its name (a script compares the two lists). The other tests ask further into some of these. */
#include "harness.h"
#include "options.h"
#include "support.h"

static void *const UNTOUCHED = (void *)&harness_failures; /* no handle: shows whether `out` was written */

static const char BODY[] = "user-agent: *\nallow: /\ncrawl-delay: 1\nsitemap: /s.xml\n"; /* permits all it can */

static robots_crawler *crawler;
static robots_rules *rules;
static robots_str image;

/* An error is never a permission. */
static int refused(robots_verdict verdict, robots_status status)
{
    return verdict.bits == verdict_of(0, ROBOTS_REASON_NONE, status, 0).bits;
}

static int is_nan(double number)
{
    return number != number;
}

/* After whatever was done to them, crawler and rules are as they were. */
static void check_unharmed(void)
{
    robots_rules *again = parse_for(crawler, BODY);

    CHECK(allowed(rules, "/x"));
    CHECK(allowed(again, "/x"));
    robots_rules_free(again);
}

static void status_text(void)
{
    static const robots_status numbers[] = {0, 1, -1, 7, 8, 255, 256, 65535, 65536, 65537, INT32_MAX, INT32_MIN};
    size_t i;

    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        CHECK(robots_status_text(numbers[i]) != NULL && strlen(robots_status_text(numbers[i])) > 0);
    CHECK(strcmp(robots_status_text(65537), robots_status_text(1)) != 0); /* not cut to 16 bits */
}

static void reason_text(void)
{
    static const uint32_t numbers[] = {0, 1, 9, 10, 255, 256, 65536, 65537, UINT32_MAX};
    size_t i;

    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        CHECK(robots_reason_text(numbers[i]) != NULL && strlen(robots_reason_text(numbers[i])) > 0);
    CHECK(strcmp(robots_reason_text(257), robots_reason_text(1)) != 0); /* not cut to 8 bits */
}

static void version_number(void)
{
    CHECK_INT(robots_version_number(), ROBOTS_VERSION_NUMBER);
}

static void crawler_new(void)
{
    static const struct {
        const char *token;
        size_t len;
        robots_status status;
    } rows[] = {
        {NULL, 0, ROBOTS_E_TOKEN}, {"Bot", 0, ROBOTS_E_TOKEN}, {NULL, 1, ROBOTS_E_ARG},
        {NULL, SIZE_MAX, ROBOTS_E_ARG}, {"Bot", SIZE_MAX, ROBOTS_E_ARG}, {"Bot", SIZE_MAX / 2 + 1, ROBOTS_E_ARG},
        {"*", 0, ROBOTS_E_TOKEN}, {"**", 2, ROBOTS_E_TOKEN}, {"* ", 2, ROBOTS_E_TOKEN}, {"\0", 1, ROBOTS_E_TOKEN}, {"\xff", 1, ROBOTS_E_TOKEN},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        robots_crawler *made = UNTOUCHED;

        CHECK_INT(robots_crawler_new(rows[i].token, rows[i].len, &made), rows[i].status);
        CHECK(made == NULL);
        CHECK_INT(robots_crawler_new(rows[i].token, rows[i].len, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_crawler_new("Bot", 3, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_new("*", 1, NULL), ROBOTS_E_ARG);
}

static void crawler_add_token(void)
{
    CHECK_INT(robots_crawler_add_token(NULL, "Bot", 3), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_add_token(NULL, NULL, 0), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_add_token(NULL, NULL, SIZE_MAX), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_add_token(crawler, NULL, 0), ROBOTS_E_TOKEN);
    CHECK_INT(robots_crawler_add_token(crawler, NULL, 3), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_add_token(crawler, "Bot", 0), ROBOTS_E_TOKEN);
    CHECK_INT(robots_crawler_add_token(crawler, "Bot", SIZE_MAX), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_add_token(crawler, "a b", 3), ROBOTS_E_TOKEN);
    check_unharmed();
}

static void crawler_set(void)
{
    static const uint64_t values[] = {0, 1, 2, 3, 255, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
    static const uint32_t unknown[] = {0, 1000, 65537, 0x80000001, UINT32_MAX};
    size_t option, value;

    for (value = 0; value < sizeof values / sizeof values[0]; value++) {
        for (option = 0; option < sizeof unknown / sizeof unknown[0]; option++) {
            CHECK_INT(robots_crawler_set(crawler, unknown[option], values[value]), ROBOTS_E_ARG);
            CHECK_INT(robots_crawler_set(NULL, unknown[option], values[value]), ROBOTS_E_ARG);
        }
    }
    for (option = 0; option < OPTION_COUNT; option++) {
        uint32_t number = option_rows[option].number;

        CHECK_INT(robots_crawler_set(NULL, number, option_rows[option].most), ROBOTS_E_ARG);
        if (option_rows[option].least > 0)
            CHECK_INT(robots_crawler_set(crawler, number, option_rows[option].least - 1), ROBOTS_E_ARG);
        CHECK_INT(robots_crawler_set(crawler, number, option_rows[option].most + 1), ROBOTS_E_ARG);
        CHECK_INT(robots_crawler_set(crawler, number, UINT64_C(1) << 32 | option_rows[option].least), ROBOTS_E_ARG);
        CHECK_INT(robots_crawler_set(crawler, number, UINT64_MAX), ROBOTS_E_ARG);
    }
    check_unharmed();
}

static void crawler_free(void)
{
    robots_crawler_free(NULL);
    robots_crawler_free(NULL);
}

static void rules_parse(void)
{
    static const struct {
        int with_crawler;
        const char *body;
        size_t len;
    } rows[] = {
        {0, BODY, sizeof BODY - 1}, {0, NULL, 0}, {0, NULL, 1}, {1, NULL, 1}, {1, NULL, SIZE_MAX},
        {1, BODY, SIZE_MAX}, {1, BODY, SIZE_MAX / 2 + 1}, /* no body is that long */
    };
    robots_rules *made;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const robots_crawler *who = rows[i].with_crawler ? crawler : NULL;

        made = UNTOUCHED;
        CHECK_INT(robots_rules_parse(who, rows[i].body, rows[i].len, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        CHECK_INT(robots_rules_parse(who, rows[i].body, rows[i].len, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_rules_parse(crawler, BODY, sizeof BODY - 1, NULL), ROBOTS_E_ARG);
    made = UNTOUCHED;
    CHECK_INT(robots_rules_parse(crawler, BODY, 0, &made), ROBOTS_OK); /* an empty file, no misuse */
    robots_rules_free(made);
}

static void rules_site_wide(void)
{
    static const uint32_t numbers[] = {2, 3, 255, 256, 257, 65537, UINT32_MAX};
    size_t i;

    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        robots_rules *made = UNTOUCHED;

        CHECK_INT(robots_rules_site_wide(numbers[i], &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
    }
    CHECK_INT(robots_rules_site_wide(ROBOTS_ALLOWED, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_rules_site_wide(ROBOTS_DISALLOWED, NULL), ROBOTS_E_ARG);
}

static void check_once(void)
{
    CHECK(refused(robots_check_once(NULL, "", 0, "/x", 2), ROBOTS_E_ARG));
    CHECK(refused(robots_check_once(crawler, NULL, 1, "/x", 2), ROBOTS_E_ARG));
    CHECK(refused(robots_check_once(crawler, "", SIZE_MAX, "/x", 2), ROBOTS_E_ARG));
    CHECK(refused(robots_check_once(crawler, "", 0, NULL, 1), ROBOTS_E_ARG));
    CHECK(refused(robots_check_once(crawler, "", 0, "/x", SIZE_MAX), ROBOTS_E_ARG));
    CHECK(refused(robots_check_once(crawler, NULL, 0, NULL, 0), ROBOTS_E_URL));
    check_unharmed();
}

static void rules_check(void)
{
    CHECK(refused(robots_rules_check(NULL, NULL, 0), ROBOTS_E_ARG));
    CHECK(refused(robots_rules_check(NULL, NULL, 1), ROBOTS_E_ARG));
    CHECK(refused(robots_rules_check(NULL, "/x", 2), ROBOTS_E_ARG));
    CHECK(refused(robots_rules_check(NULL, "/x", SIZE_MAX), ROBOTS_E_ARG));
    CHECK(refused(robots_rules_check(rules, NULL, 1), ROBOTS_E_ARG));
    CHECK(refused(robots_rules_check(rules, NULL, SIZE_MAX), ROBOTS_E_ARG));
    CHECK(refused(robots_rules_check(rules, "/x", SIZE_MAX), ROBOTS_E_ARG));
    CHECK(refused(robots_rules_check(rules, NULL, 0), ROBOTS_E_URL));
    CHECK(refused(robots_rules_check(rules, "/x", 0), ROBOTS_E_URL));
    CHECK(refused(robots_rules_check(rules, "\0", 1), ROBOTS_E_URL));
    check_unharmed();
}

/* One URL, which would be allowed if all were well. */
static void rules_check_batch(void)
{
    static const uint64_t good[2] = {0, 2}, decreasing[2] = {2, 0};
    static const struct {
        int with_source;
        const char *text;
        const uint64_t *offsets;
    } rows[] = {
        {0, "/x", good}, {0, NULL, good}, {0, "/x", NULL}, {0, NULL, NULL},
        {1, NULL, good}, {1, "/x", NULL}, {1, NULL, NULL}, {1, "/x", decreasing},
    };
    uint8_t answer;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        answer = ROBOTS_ALLOWED;
        CHECK_INT(robots_rules_check_batch(rows[i].with_source ? rules : NULL, rows[i].text, rows[i].offsets, 1, &answer), ROBOTS_E_ARG);
        CHECK_INT(answer, ROBOTS_DISALLOWED);
        CHECK_INT(robots_rules_check_batch(rows[i].with_source ? rules : NULL, rows[i].text, rows[i].offsets, 1, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_rules_check_batch(rules, "/x", good, 1, NULL), ROBOTS_E_ARG);
    /* More URLs than there is memory for their offsets. */
    CHECK_INT(robots_rules_check_batch(rules, "/x", good, SIZE_MAX, NULL), ROBOTS_E_ARG);
    answer = ROBOTS_ALLOWED;
    CHECK_INT(robots_rules_check_batch(rules, "/x", good, 1, &answer), ROBOTS_OK); /* and all is well with the good row */
    CHECK_INT(answer, ROBOTS_ALLOWED);
    /* None at all: nothing is written. */
    answer = 0x7f;
    CHECK_INT(robots_rules_check_batch(rules, NULL, good, 0, &answer), ROBOTS_OK);
    CHECK_INT(robots_rules_check_batch(rules, NULL, NULL, 0, &answer), ROBOTS_OK);
    CHECK_INT(robots_rules_check_batch(rules, NULL, NULL, 0, NULL), ROBOTS_OK);
    CHECK_INT(robots_rules_check_batch(NULL, NULL, NULL, 0, &answer), ROBOTS_E_ARG);
    CHECK_INT(answer, 0x7f);
}

static void rules_crawl_delay(void)
{
    CHECK(is_nan(robots_rules_crawl_delay(NULL)));
}

static const size_t past_the_end[] = {1, 2, 1u << 31, SIZE_MAX / 12, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1, SIZE_MAX};
enum { PAST_THE_END = sizeof past_the_end / sizeof past_the_end[0] };

static void rules_sitemap(void)
{
    robots_str sitemap;
    size_t i;

    for (i = 0; i < PAST_THE_END; i++) {
        sitemap.len = 7;
        CHECK_INT(robots_rules_sitemap(NULL, past_the_end[i], &sitemap), ROBOTS_E_ARG);
        CHECK(sitemap.ptr == NULL && sitemap.len == 0);
        sitemap.len = 7;
        CHECK_INT(robots_rules_sitemap(rules, past_the_end[i], &sitemap), ROBOTS_END);
        CHECK(sitemap.ptr == NULL && sitemap.len == 0);
    }
    CHECK_INT(robots_rules_sitemap(rules, 0, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_rules_sitemap(rules, 0, &sitemap), ROBOTS_OK);
}

static void rules_site_verdict(void)
{
    CHECK(refused(robots_rules_site_verdict(NULL), ROBOTS_E_ARG));
    CHECK_INT(robots_rules_site_verdict(rules).bits, 0);
}

static void rule_list_new(void)
{
    robots_rule_list *made = UNTOUCHED;

    CHECK_INT(robots_rule_list_new(NULL, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    CHECK_INT(robots_rule_list_new(rules, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_rule_list_new(NULL, NULL), ROBOTS_E_ARG);
    check_unharmed();
}

static void rule_list_get(void)
{
    robots_rule_list *list = NULL;
    robots_rule rule;
    size_t i;

    CHECK_INT(robots_rule_list_new(rules, &list), ROBOTS_OK);
    memset(&rule, 0xff, sizeof rule);
    rule.size = sizeof rule - 1; /* of a caller that knows less than the first version: left alone */
    CHECK_INT(robots_rule_list_get(list, 0, &rule), ROBOTS_E_ARG);
    CHECK_INT(rule.line, UINT32_MAX);
    CHECK_INT(robots_rule_list_get(list, 0, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_rule_list_get(NULL, 0, NULL), ROBOTS_E_ARG);
    rule.size = sizeof rule;
    CHECK_INT(robots_rule_list_get(NULL, 0, &rule), ROBOTS_E_ARG);
    CHECK(rule.pattern.len == 0 && rule.line == 0 && rule.allow == 0);
    for (i = 0; i < PAST_THE_END; i++) {
        memset(&rule, 0xff, sizeof rule);
        rule.size = sizeof rule;
        CHECK_INT(robots_rule_list_get(list, past_the_end[i], &rule), ROBOTS_END);
        CHECK(rule.pattern.len == 0 && rule.line == 0 && rule.allow == 0);
    }
    robots_rule_list_free(list);
}

static void rule_list_free(void)
{
    robots_rule_list_free(NULL);
    robots_rule_list_free(NULL);
}

static void rules_retain(void)
{
    int i;

    CHECK(robots_rules_retain(NULL) == NULL);
    for (i = 0; i < 1000; i++) /* as many frees as references, no more, no less: valgrind counts */
        CHECK(robots_rules_retain(rules) == rules);
    for (i = 0; i < 1000; i++)
        robots_rules_free(rules);
    check_unharmed();
}

static void rules_free(void)
{
    robots_rules_free(NULL);
    robots_rules_free(NULL);
    robots_rules_free(robots_rules_retain(NULL));
    robots_rules_free(robots_rules_retain(rules));
    check_unharmed();
}

static void rules_image(void)
{
    CHECK_INT(robots_rules_image(NULL).len, 0);
}

#include "misuse_image.h"
#include "misuse_crawler.h"
#include "misuse_fetch.h"
#include "misuse_cache.h"
#include "misuse_explain.h"
#include "misuse_lint.h"
#include "misuse_page.h"

int main(void)
{
#define MISUSED(function) {"robots_" #function, function}
    static const test tests[] = {
        MISUSED(status_text), MISUSED(reason_text), MISUSED(version_number), MISUSED(crawler_new),
        MISUSED(crawler_add_token), MISUSED(crawler_set), MISUSED(crawler_free), MISUSED(crawler_preset), MISUSED(token_from_user_agent),
        MISUSED(rules_parse), MISUSED(rules_site_wide), MISUSED(rules_check), MISUSED(check_once),
        MISUSED(rules_check_batch), MISUSED(rules_crawl_delay), MISUSED(rules_sitemap), MISUSED(rules_site_verdict),
        MISUSED(rules_retain), MISUSED(rules_free), MISUSED(rules_image), MISUSED(rules_from_image),
        MISUSED(rules_borrow_image), MISUSED(rule_list_new), MISUSED(rule_list_get), MISUSED(rule_list_free),
        MISUSED(image_validate), MISUSED(image_check), MISUSED(origin_key), MISUSED(url_to_send),
        MISUSED(fetch_new), MISUSED(fetch_add_crawler), MISUSED(fetch_set),
        MISUSED(fetch_set_previous), MISUSED(fetch_step), MISUSED(fetch_url), MISUSED(fetch_request_header),
        MISUSED(fetch_status), MISUSED(fetch_header), MISUSED(fetch_headers_end), MISUSED(fetch_body),
        MISUSED(fetch_end), MISUSED(fetch_ftp_reply), MISUSED(fetch_outcome), MISUSED(fetch_free), MISUSED(outcome_from_status),
        MISUSED(outcome_decode), MISUSED(outcome_encode), MISUSED(outcome_get), MISUSED(outcome_rules),
        MISUSED(outcome_check), MISUSED(outcome_free), MISUSED(cache_new),
        MISUSED(cache_add_crawler), MISUSED(cache_set), MISUSED(cache_check), MISUSED(cache_outcome), MISUSED(cache_request), MISUSED(cache_retry_after), MISUSED(record_check),
        MISUSED(cache_remove), MISUSED(cache_clear), MISUSED(cache_count), MISUSED(cache_import), MISUSED(cache_each),
        MISUSED(cache_free), MISUSED(ticket_origin), MISUSED(ticket_fetch),
        MISUSED(ticket_finish), MISUSED(ticket_free), MISUSED(rules_explain), MISUSED(explanation_get),
        MISUSED(explanation_agent), MISUSED(explanation_rule), MISUSED(explanation_free), MISUSED(extensions_parse),
        MISUSED(extensions_line), MISUSED(extensions_preferences), MISUSED(extensions_free),
        MISUSED(preferences_from_header), MISUSED(preferences_get), MISUSED(preferences_free),
        MISUSED(page_controls_new), MISUSED(page_controls_add_header), MISUSED(page_controls_add_meta),
        MISUSED(page_controls_get), MISUSED(page_controls_unknown), MISUSED(page_controls_usage),
        MISUSED(page_controls_free), MISUSED(lint), MISUSED(lint_report_count), MISUSED(lint_report_get),
        MISUSED(lint_report_line), MISUSED(lint_report_text), MISUSED(lint_report_free), MISUSED(lint_code),
    };
    int result;

    crawler = new_crawler("ExampleBot");
    rules = parse_for(crawler, BODY);
    image = robots_rules_image(rules);
    result = RUN_TESTS("misuse", tests);
    robots_rules_free(rules);
    robots_crawler_free(crawler);
    return result;
}
