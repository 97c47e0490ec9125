/* robots_check_once, robots_rules_parse, _check, _crawl_delay, _sitemap*, _rule*, _allow_all, _disallow_all, _retain, _free. */
#include "harness.h"
#include "support.h"

static void *const UNTOUCHED = (void *)&harness_failures; /* no handle: shows whether `out` was written */

static int is_nan(double number)
{
    return number != number;
}

static int same(robots_str got, const char *want)
{
    return got.len == strlen(want) && (got.len == 0 || memcmp(got.ptr, want, got.len) == 0);
}

/* Every reason a verdict can have, as a whole word: allowed bit, reason, status and line. */
static void verdicts(void)
{
    static const struct {
        const char *body, *url;
        int allowed;
        uint32_t reason;
        robots_status status;
        uint32_t line;
    } rows[] = {
        {"user-agent: *\nallow: /a\n", "/a", 1, ROBOTS_REASON_RULE_ALLOWED, ROBOTS_OK, 2},
        {"user-agent: *\n\ndisallow: /a\n", "/a", 0, ROBOTS_REASON_RULE_DISALLOWED, ROBOTS_OK, 3},
        {"user-agent: *\r\ndisallow: /a\r\n", "https://example.com/a?b#c", 0,
         ROBOTS_REASON_RULE_DISALLOWED, ROBOTS_OK, 2},
        {"user-agent: *\ndisallow: /a\n", "/b", 1, ROBOTS_REASON_NO_RULE, ROBOTS_OK, 0},
        {"user-agent: other\ndisallow: /\n", "/b", 1, ROBOTS_REASON_NO_GROUP, ROBOTS_OK, 0},
        {"", "/b", 1, ROBOTS_REASON_NO_GROUP, ROBOTS_OK, 0},
        {"user-agent: *\ndisallow: /\n", "/robots.txt", 1, ROBOTS_REASON_ROBOTS_TXT, ROBOTS_OK, 0},
        {"user-agent: *\ndisallow: /\n", "ftp://h/robots.txt", 1, ROBOTS_REASON_ROBOTS_TXT, ROBOTS_OK, 0},
        {"user-agent: *\nallow: /\n", "", 0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0},
        {"user-agent: *\nallow: /\n", "example.com/a", 0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0},
        {"", "mailto:bot@example.com", 0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0},
    };
    robots_crawler *crawler = NULL;
    size_t i;

    CHECK_INT(robots_crawler_new("ExampleBot", 10, &crawler), ROBOTS_OK);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        robots_rules *rules = parse(rows[i].body);
        robots_verdict verdict = check(rules, rows[i].url);

        if (verdict.bits != verdict_of(rows[i].allowed, rows[i].reason, rows[i].status, rows[i].line).bits)
            printf("     in row %u, URL \"%s\"\n", (unsigned)i, rows[i].url);
        CHECK_INT(ROBOTS_VERDICT_ALLOWED(verdict), rows[i].allowed);
        CHECK_INT(ROBOTS_VERDICT_REASON(verdict), rows[i].reason);
        CHECK_INT(ROBOTS_VERDICT_STATUS(verdict), rows[i].status);
        CHECK_INT(ROBOTS_VERDICT_LINE(verdict), rows[i].line);
        CHECK_INT(verdict.bits, verdict_of(rows[i].allowed, rows[i].reason, rows[i].status, rows[i].line).bits);
        CHECK_VERDICT(robots_check_once(crawler, rows[i].body, strlen(rows[i].body), rows[i].url, strlen(rows[i].url)),
                  verdict);
        robots_rules_free(rules);
    }
    robots_crawler_free(crawler);
}

/* Any bytes are a robots.txt; a NUL is an byte like any other, in the file and in a URL. */
static void any_bytes(void)
{
    static const char nul[] = "user-agent: *\ndisallow: /a\0b\n";
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_rules *rules = NULL;
    char bytes[256];
    unsigned i;

    CHECK_INT(robots_rules_parse(crawler, nul, sizeof nul - 1, &rules), ROBOTS_OK);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, "/a\0b", 4)));
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, "/a\0c", 4)));
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, "/a", 2)));
    robots_rules_free(rules);

    for (i = 0; i < 256; i++)
        bytes[i] = (char)(255 - i);
    for (i = 0; i <= 256; i++) {
        char *copy = exact_copy(bytes, i);

        rules = NULL;
        CHECK_INT(robots_rules_parse(crawler, copy, i, &rules), ROBOTS_OK);
        CHECK(rules != NULL);
        CHECK_INT(ROBOTS_VERDICT_STATUS(robots_rules_check(rules, copy, i)), ROBOTS_E_URL);
        robots_rules_free(rules);
        free(copy);
    }
    robots_crawler_free(crawler);
}

/* Google's matcher reads a path out of anything; the dialect refuses what is no URL, as the others do. */
static void check_in_google(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_rules *rules;

    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_GOOGLE), ROBOTS_OK);
    rules = parse_for(crawler, "user-agent: *\ndisallow: /$\n");
    CHECK_INT(check(rules, "").bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0).bits);
    CHECK_INT(robots_rules_check(rules, NULL, 0).bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0).bits);
    CHECK_INT(check(rules, "cart").bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0).bits);
    CHECK_INT(robots_rules_check(rules, NULL, 1).bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_ARG, 0).bits);
    CHECK_INT(check(rules, "/x").bits, verdict_of(1, ROBOTS_REASON_NO_RULE, ROBOTS_OK, 0).bits);
    robots_rules_free(rules);
    robots_crawler_free(crawler);
}

/* A program passes the address of a file in place of its content (SPEC 4.7). */
static void check_of_an_address(void)
{
    static const char *const addresses[] = {"https://example.com/robots.txt", "robots.txt", "/etc/robots.txt\n"};

    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        robots_rules *rules = parse(addresses[i]);

        CHECK_INT(check(rules, "/x").bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_ARG, 0).bits);
        CHECK_INT(check(rules, "https://example.com/").bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_ARG, 0).bits);
        robots_rules_free(rules);
    }
}

static void crawl_delay(void)
{
    robots_rules *rules = parse("user-agent: *\ncrawl-delay: 2.5\n");

    CHECK(robots_rules_crawl_delay(rules) == 2.5);
    robots_rules_free(rules);
    rules = parse("user-agent: *\ncrawl-delay: 0\n"); /* given, and none asked for: not NaN */
    CHECK(robots_rules_crawl_delay(rules) == 0.0);
    robots_rules_free(rules);
    rules = parse("user-agent: *\ncrawl-delay: soon\n");
    CHECK(is_nan(robots_rules_crawl_delay(rules)));
    robots_rules_free(rules);
    rules = parse("user-agent: other\ncrawl-delay: 3\n");
    CHECK(is_nan(robots_rules_crawl_delay(rules)));
    robots_rules_free(rules);
}

static void sitemaps(void)
{
    robots_rules *rules = parse("sitemap: https://a.example/1.xml\nuser-agent: other\nSitemap : /2 3.xml # two\nsitemap:\n");

    CHECK_INT(sitemap_count(rules), 2);
    CHECK(same(sitemap_at(rules, 0), "https://a.example/1.xml"));
    CHECK(same(sitemap_at(rules, 1), "/2 3.xml"));
    CHECK_INT(sitemap_at(rules, 2).len, 0);
    robots_rules_free(rules);

    rules = parse("");
    CHECK_INT(sitemap_count(rules), 0);
    CHECK_INT(sitemap_at(rules, 0).len, 0);
    robots_rules_free(rules);
}

/* The rules that can decide, in the order of the file, as long as the rules live. */
static void effective_rules(void)
{
    static const struct {
        const char *pattern;
        uint32_t line, allow;
    } rows[] = {{"/b~", 3, 0}, {"/a%E3%83%84*.gif$", 5, 1}, {"/b", 7, 1}};
    robots_rules *rules = parse("user-agent: other\nuser-agent: *\ndisallow: /b%7e\ndisallow:\nallow: /a\xe3\x83\x84*.gif$\n"
                                "disallow: b\nallow: /b\ndisallow: /b\nallow: /b\n");
    robots_rule_list *list = UNTOUCHED;
    robots_rule rule;
    size_t i;

    CHECK_INT(robots_rule_list_new(rules, &list), ROBOTS_OK);
    robots_rules_free(rules); /* the list does not need them */
    rule.size = sizeof rule;
    for (i = 0; i < 3; i++) {
        CHECK_INT(robots_rule_list_get(list, i, &rule), ROBOTS_OK);
        CHECK(same(rule.pattern, rows[i].pattern));
        CHECK_INT(rule.line, rows[i].line);
        CHECK_INT(rule.allow, rows[i].allow);
    }
    CHECK_INT(robots_rule_list_get(list, 3, &rule), ROBOTS_END);
    CHECK(rule.pattern.len == 0 && rule.allow == 0 && rule.size == sizeof rule);
    robots_rule_list_free(list);

    /* A list is never more permissive than the verdicts. */
    CHECK_INT(robots_rules_site_wide(ROBOTS_DISALLOWED, &rules), ROBOTS_OK);
    CHECK_INT(robots_rule_list_new(rules, &list), ROBOTS_OK);
    CHECK_INT(rule_count(list), 1);
    rule = rule_at(list, 0);
    CHECK(same(rule.pattern, "/") && rule.line == 0 && rule.allow == 0);
    robots_rule_list_free(list);
    robots_rules_free(rules);
    CHECK_INT(robots_rules_site_wide(ROBOTS_ALLOWED, &rules), ROBOTS_OK);
    CHECK_INT(robots_rule_list_new(rules, &list), ROBOTS_OK);
    CHECK_INT(rule_count(list), 0);
    robots_rule_list_free(list);
    robots_rules_free(rules);
}

/* SPEC 12: a shortest path first, as long as the difference lives; none; not decided. */
static void differences(void)
{
    static char long_path[22100] = "user-agent: *\ndisallow: /";
    robots_rules *rules = parse("user-agent: *\ndisallow: /*.php\n");
    robots_rules *other = parse("user-agent: *\ndisallow: /*.php\nallow: /shopping/\nallow: /a.php\n");
    robots_difference *difference = UNTOUCHED;
    robots_different_path path;

    CHECK_INT(robots_rules_difference(rules, other, &difference), ROBOTS_OK);
    robots_rules_free(other); /* the difference does not need them */
    CHECK_INT(robots_difference_result(difference), ROBOTS_DIFFERENCE_FOUND);
    path.size = sizeof path;
    CHECK_INT(robots_difference_path(difference, 1, &path), ROBOTS_OK);
    CHECK(same(path.path, "/shopping/.php"));
    CHECK_VERDICT(path.verdict, verdict_of(0, ROBOTS_REASON_RULE_DISALLOWED, ROBOTS_OK, 2));
    CHECK_VERDICT(path.other_verdict, verdict_of(1, ROBOTS_REASON_RULE_ALLOWED, ROBOTS_OK, 3));
    CHECK_INT(robots_difference_path(difference, 0, &path), ROBOTS_OK);
    CHECK(same(path.path, "/a.php"));
    CHECK_INT(robots_difference_path(difference, 2, &path), ROBOTS_END);
    CHECK(path.path.len == 0 && path.other_verdict.bits == 0 && path.size == sizeof path);
    robots_difference_free(difference);

    CHECK_INT(robots_rules_difference(rules, rules, &difference), ROBOTS_OK);
    CHECK_INT(robots_difference_result(difference), ROBOTS_DIFFERENCE_NONE);
    CHECK_INT(robots_difference_path(difference, 0, &path), ROBOTS_END);
    robots_difference_free(difference);
    robots_rules_free(rules);

    memset(long_path + strlen(long_path), 'a', 22000);
    rules = parse(long_path);
    CHECK_INT(robots_rules_site_wide(ROBOTS_ALLOWED, &other), ROBOTS_OK);
    CHECK_INT(robots_rules_difference(rules, other, &difference), ROBOTS_OK);
    CHECK_INT(robots_difference_result(difference), ROBOTS_DIFFERENCE_NOT_DECIDED);
    CHECK_INT(robots_difference_path(difference, 0, &path), ROBOTS_END);
    robots_difference_free(difference);
    robots_rules_free(rules);
    robots_rules_free(other);
}

/* Rules without a robots.txt, for a site that has none or that cannot be reached. */
static void allow_all_and_disallow_all(void)
{
    robots_rules *rules = UNTOUCHED;

    CHECK_INT(robots_rules_site_wide(ROBOTS_ALLOWED, &rules), ROBOTS_OK);
    CHECK_INT(check(rules, "https://example.com/x").bits, verdict_of(1, ROBOTS_REASON_ALLOW_ALL, ROBOTS_OK, 0).bits);
    CHECK_INT(check(rules, "no URL").bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0).bits);
    CHECK(is_nan(robots_rules_crawl_delay(rules)));
    CHECK_INT(sitemap_count(rules), 0);
    CHECK_INT(sitemap_at(rules, 0).len, 0);
    robots_rules_free(rules);

    rules = UNTOUCHED;
    CHECK_INT(robots_rules_site_wide(ROBOTS_DISALLOWED, &rules), ROBOTS_OK);
    CHECK_INT(check(rules, "https://example.com/x").bits, verdict_of(0, ROBOTS_REASON_DISALLOW_ALL, ROBOTS_OK, 0).bits);
    CHECK_INT(check(rules, "https://example.com/robots.txt").bits, verdict_of(1, ROBOTS_REASON_ROBOTS_TXT, ROBOTS_OK, 0).bits);
    CHECK_INT(check(rules, "no URL").bits, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0).bits);
    CHECK(is_nan(robots_rules_crawl_delay(rules)));
    CHECK_INT(sitemap_count(rules), 0);
    robots_rules_free(rules);
}

/* Rules live until the last handle is freed, in whatever order. */
static void retain_and_free(void)
{
    robots_rules *first = parse("user-agent: *\ndisallow: /x\nsitemap: /s.xml\n");
    robots_rules *second = robots_rules_retain(first);
    robots_rules *third = robots_rules_retain(second);

    CHECK(second != NULL && third != NULL);
    robots_rules_free(first);
    CHECK(!allowed(third, "/x"));
    CHECK(same(sitemap_at(third, 0), "/s.xml"));
    robots_rules_free(third);
    CHECK(!allowed(second, "/x"));
    CHECK(allowed(second, "/y"));
    robots_rules_free(second);
}

int main(void)
{
    static const test tests[] = {
        {"verdicts", verdicts},
        {"any bytes", any_bytes},
        {"check in google", check_in_google},
        {"check of an address", check_of_an_address},
        {"crawl delay", crawl_delay},
        {"sitemaps", sitemaps},
        {"effective rules", effective_rules},
        {"differences", differences},
        {"allow_all and disallow_all", allow_all_and_disallow_all},
        {"retain and free", retain_and_free},
    };

    return RUN_TESTS("rules", tests);
}
