/* robots_explanation and robots_extensions: why, and what else the file says. */
#include "harness.h"
#include "support.h"

static const char BODY[] = "host: www.example.com\n"
                           "user-agent: ExampleBot/2 # us\n"
                           "disallow: /shop\n"
                           "allow: /shop/caf\xc3\xa9\n"
                           "request-rate: 3/2m 0600-2200\n"
                           "visit-time: 0100-0200\n"
                           "request-rate: often\n"
                           "content-usage: /shop train-ai=n, x=1\n"
                           "content-signal: search=yes\n";

static int is(robots_str text, const char *expected)
{
    return text.len == strlen(expected) && memcmp(text.ptr, expected, text.len) == 0;
}

static robots_explanation *explain_in(uint64_t dialect, const char *body, const char *url)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    char *copy = exact_copy(body, strlen(body)), *url_copy = exact_copy(url, strlen(url));
    robots_explanation *made = NULL;
    robots_status status = robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, dialect);

    if (status == ROBOTS_OK)
        status = robots_rules_explain(crawler, copy, strlen(body), url_copy, strlen(url), &made);
    if (status != ROBOTS_OK || made == NULL)
        give_up(url, status);
    robots_crawler_free(crawler); /* nothing of it is borrowed */
    memset(copy, '#', strlen(body));
    free(copy);
    free(url_copy);
    return made;
}

static robots_extensions *extensions_of(const char *body)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    char *copy = exact_copy(body, strlen(body));
    robots_extensions *made = NULL;
    robots_status status = robots_extensions_parse(crawler, copy, strlen(body), &made);

    if (status != ROBOTS_OK || made == NULL)
        give_up(body, status);
    robots_crawler_free(crawler);
    free(copy);
    return made;
}

static void a_verdict_is_explained(void)
{
    robots_explanation *why = explain_in(ROBOTS_DIALECT_RFC9309, BODY, "https://example.com/shop/caf%c3%a9/1#x");
    robots_rules *rules = parse(BODY);
    robots_explained_line line = {sizeof line, {NULL, 0}, 0, 0};
    robots_explained_rule rule = {sizeof rule, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, 0};
    robots_str text = explained(why).text;

    CHECK(explained(why).verdict.bits == check(rules, "/shop/caf%c3%a9/1").bits);
    CHECK(explained(why).verdict.bits == verdict_of(1, ROBOTS_REASON_RULE_ALLOWED, ROBOTS_OK, 4).bits);
    CHECK(is(explained(why).path, "/shop/caf%C3%A9/1"));
    CHECK(is(explained(why).token, "ExampleBot"));
    CHECK_INT(agent_count(why), 1);
    CHECK_INT(robots_explanation_agent(why, 0, &line), ROBOTS_OK);
    CHECK(is(line.text, "user-agent: ExampleBot/2"));
    CHECK_INT(line.line, 2);
    CHECK_INT(line.size, sizeof line);

    CHECK_INT(match_count(why), 2);
    CHECK_INT(robots_explanation_rule(why, 0, &rule), ROBOTS_OK);
    CHECK(is(rule.text, "allow: /shop/caf\xc3\xa9"));
    CHECK(is(rule.path, "/shop/caf\xc3\xa9"));
    CHECK(is(rule.pattern, "/shop/caf%C3%A9"));
    CHECK_INT(rule.line, 4);
    CHECK_INT(rule.allow, 1);
    CHECK_INT(rule.result, ROBOTS_MATCH_WON);
    CHECK_INT(robots_explanation_rule(why, 1, &rule), ROBOTS_OK);
    CHECK_INT(rule.line, 3);
    CHECK_INT(rule.allow, 0);
    CHECK_INT(rule.result, ROBOTS_MATCH_SHORTER);
    CHECK_INT(rule.size, sizeof rule);

    CHECK_VERDICT(verdict_in(why, ROBOTS_DIALECT_RFC9309), explained(why).verdict);
    CHECK(verdict_in(why, ROBOTS_DIALECT_GOOGLE)
         .bits == verdict_of(0, ROBOTS_REASON_RULE_DISALLOWED, ROBOTS_OK, 3).bits); /* takes the URL as given */
    CHECK(verdict_in(why, ROBOTS_DIALECT_KOSTER1996)
         .bits == verdict_of(1, ROBOTS_REASON_NO_GROUP, ROBOTS_OK, 0).bits); /* takes "ExampleBot/2" for a name */
    CHECK(text.len > 100 && text.ptr[text.len - 1] == '\n');
    CHECK(memcmp(text.ptr, "   allowed  https://example.com/shop/caf%c3%a9/1#x\n", 51) == 0);
    robots_rules_free(rules);
    robots_explanation_free(why);
}

static void nothing_to_explain(void)
{
    robots_explanation *why = explain_in(ROBOTS_DIALECT_RFC9309, "", "/x");

    CHECK(explained(why).verdict.bits == verdict_of(1, ROBOTS_REASON_NO_GROUP, ROBOTS_OK, 0).bits);
    CHECK_INT(explained(why).token.len, 0);
    CHECK_INT(agent_count(why), 0);
    CHECK_INT(match_count(why), 0);
    robots_explanation_free(why);
}

static void results(void)
{
    static const char body[] = "user-agent: *\ndisallow: /a*\nallow: /ab\nallow: /ab\ndisallow: /\nallow:\n";
    static const struct {
        uint64_t dialect;
        size_t count;
        uint32_t results[5];
    } rows[] = {
        {ROBOTS_DIALECT_RFC9309, 4, {ROBOTS_MATCH_WON, ROBOTS_MATCH_LATER_EQUAL, ROBOTS_MATCH_TIE_LOST_TO_ALLOW,
                                     ROBOTS_MATCH_SHORTER}},
        {ROBOTS_DIALECT_GOOGLE, 5, {ROBOTS_MATCH_WON, ROBOTS_MATCH_LATER_EQUAL, ROBOTS_MATCH_TIE_LOST_TO_ALLOW,
                                    ROBOTS_MATCH_SHORTER, ROBOTS_MATCH_EMPTY}},
        {ROBOTS_DIALECT_KOSTER1996, 3, {ROBOTS_MATCH_WON, ROBOTS_MATCH_AFTER_FIRST_MATCH,
                                        ROBOTS_MATCH_AFTER_FIRST_MATCH}},
    };
    size_t row, i;

    for (row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        robots_explanation *why = explain_in(rows[row].dialect, body, "/ab");

        CHECK_INT(match_count(why), rows[row].count);
        for (i = 0; i < rows[row].count; i++) {
            robots_explained_rule rule = {sizeof rule, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, 0};

            CHECK_INT(robots_explanation_rule(why, i, &rule), ROBOTS_OK);
            CHECK_INT(rule.result, rows[row].results[i]);
        }
        robots_explanation_free(why);
    }
}

static void other_lines(void)
{
    static const robots_extension expected[] = {
        {0, {"www.example.com", 15}, 1, ROBOTS_EXTENSION_HOST, 0, 0, 0, 0, 0, 0},
        {0, {"3/2m 0600-2200", 14}, 5, ROBOTS_EXTENSION_REQUEST_RATE, 1, 3, 120, 360, 1320, 0},
        {0, {"0100-0200", 9}, 6, ROBOTS_EXTENSION_VISIT_TIME, 1, 0, 0, 60, 120, 0},
        {0, {"often", 5}, 7, ROBOTS_EXTENSION_REQUEST_RATE, 1, 0, 0, 0, 0, 0},
        {0, {"/shop train-ai=n, x=1", 21}, 8, ROBOTS_EXTENSION_CONTENT_USAGE, 1, 0, 0, 0, 0, 0},
        {0, {"search=yes", 10}, 9, ROBOTS_EXTENSION_CONTENT_SIGNAL, 1, 0, 0, 0, 0, 0},
    };
    robots_extensions *extensions = extensions_of(BODY);
    size_t i;

    CHECK_INT(extension_count(extensions), sizeof expected / sizeof expected[0]);
    for (i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        robots_extension line = {sizeof line, {NULL, 0}, 0, 0, 0, 0, 0, 0, 0, 0};

        CHECK_INT(robots_extensions_line(extensions, i, &line), ROBOTS_OK);
        CHECK(is(line.value, expected[i].value.ptr));
        CHECK_INT(line.line, expected[i].line);
        CHECK_INT(line.field, expected[i].field);
        CHECK_INT(line.in_group, expected[i].in_group);
        CHECK_INT(line.requests, expected[i].requests);
        CHECK_INT(line.seconds, expected[i].seconds);
        CHECK_INT(line.from, expected[i].from);
        CHECK_INT(line.until, expected[i].until);
    }
    robots_extensions_free(extensions);
}

int main(void)
{
    static const test tests[] = {
        {"explained", a_verdict_is_explained},     {"nothing_to_explain", nothing_to_explain},
        {"results", results},             {"other_lines", other_lines},
    };

    return RUN_TESTS("explain", tests);
}
