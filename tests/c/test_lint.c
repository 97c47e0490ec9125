/* robots_lint: diagnostics, lines and the rendered text, as C gets them. */
#include "harness.h"
#include "support.h"

static const char BODY[] = "User-agent: *\nDisallow: https://example.com/private/\n\n# done\nSitemap: https://example.com/s.xml\n";

static robots_crawler *crawler;
static robots_lint_report *report;

static int is(robots_str text, const char *expected)
{
    return text.len == strlen(expected) && (text.len == 0 || memcmp(text.ptr, expected, text.len) == 0);
}

static void diagnostics(void)
{
    robots_lint_diagnostic found;

    found.size = sizeof found;
    CHECK_INT(diagnostic_count(report), 1);
    CHECK_INT(robots_lint_report_get(report, 0, &found), ROBOTS_OK);
    CHECK_INT(found.code, 51);
    CHECK_INT(found.severity, ROBOTS_LINT_ERROR);
    CHECK_INT(found.line, 2);
    CHECK_INT(found.column, 11);
    CHECK_INT(found.start, 24);
    CHECK_INT(found.end, 52);
    CHECK_INT(found.other_line, 0);
    CHECK(is(found.message, "a whole URL stands where a path should: the rule never matches"));
    CHECK(is(found.suggestion, "write `/private/`"));
    CHECK_INT(found.fix, ROBOTS_LINT_FIX_UNSAFE);
    CHECK_INT(found.fix_start, 24);
    CHECK_INT(found.fix_end, 52);
    CHECK(is(found.fix_replacement, "/private/"));
    CHECK_INT(lint_counts(report).errors, 1);
    CHECK_INT(lint_counts(report).warnings, 0);
}

static void lines(void)
{
    static const struct {
        uint32_t kind, group;
        const char *field, *value;
    } expected[] = {
        {ROBOTS_LINE_USER_AGENT, 1, "User-agent", "*"},
        {ROBOTS_LINE_DISALLOW, 1, "Disallow", "https://example.com/private/"},
        {ROBOTS_LINE_BLANK, 0, "", ""},
        {ROBOTS_LINE_COMMENT, 0, "", ""},
        {ROBOTS_LINE_SITEMAP, 0, "Sitemap", "https://example.com/s.xml"},
    };
    robots_lint_line line;
    size_t i;

    line.size = sizeof line;
    CHECK_INT(lint_counts(report).lines, 5);
    for (i = 0; i < 5; i++) {
        CHECK_INT(robots_lint_report_line(report, i + 1, &line), ROBOTS_OK);
        CHECK_INT(line.kind, expected[i].kind);
        CHECK_INT(line.group, expected[i].group);
        CHECK(is(line.field, expected[i].field));
        CHECK(is(line.value, expected[i].value));
        CHECK(line.start <= line.end && line.end < sizeof BODY);
    }
    CHECK_INT(robots_lint_report_line(report, 0, &line), ROBOTS_E_ARG);
    CHECK_INT(robots_lint_report_line(report, 6, &line), ROBOTS_END);
    CHECK_INT(robots_lint_report_line(report, SIZE_MAX, &line), ROBOTS_END);
}

static void text(void)
{
    CHECK(is(robots_lint_report_text(report),
             "error[R051]: a whole URL stands where a path should: the rule never matches\n"
             " --> robots.txt:2:11\n"
             "  |\n"
             "2 | Disallow: https://example.com/private/\n"
             "  |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
             "  = help: write `/private/`\n"
             "\n"
             "robots.txt: 1 error (5 lines, 1 group)\n"));
    CHECK(is(lint_meaning(51).title, "a whole URL in the place of a path"));
    CHECK(lint_meaning(51).explanation.len > 40);
}

/* A safe edit, and a diagnostic without one. */
static void fixes(void)
{
    static const char body[] = "user-agent: *\nDisalow: /a\nSitemap: /map.xml\n";
    robots_crawler *author = new_crawler("ExampleBot");
    robots_lint_report *found = NULL;
    robots_lint_diagnostic first, second;

    CHECK_INT(robots_lint(author, body, sizeof body - 1, &found), ROBOTS_OK);
    first.size = second.size = sizeof first;
    CHECK_INT(robots_lint_report_get(found, 0, &first), ROBOTS_OK);
    CHECK_INT(robots_lint_report_get(found, 1, &second), ROBOTS_OK);
    CHECK_INT(first.fix, ROBOTS_LINT_FIX_SAFE);
    CHECK_INT(first.fix_start, 14);
    CHECK_INT(first.fix_end, 21);
    CHECK(is(first.fix_replacement, "Disallow"));
    CHECK_INT(second.code, 70);
    CHECK_INT(second.fix, ROBOTS_LINT_FIX_NONE);
    CHECK_INT(second.fix_start, 0);
    CHECK_INT(second.fix_end, 0);
    CHECK(is(second.fix_replacement, ""));
    robots_lint_report_free(found);
    robots_crawler_free(author);
}

/* What many good files have is reported on request only. */
static void on_request(void)
{
    static const char body[] = "User-agent: *\nDisallow: /admin/\n";
    robots_crawler *author = new_crawler("ExampleBot");
    robots_lint_report *found = NULL;
    robots_lint_diagnostic note;

    note.size = sizeof note;
    CHECK_INT(robots_lint(author, body, sizeof body - 1, &found), ROBOTS_OK);
    CHECK_INT(robots_lint_report_get(found, 0, &note), ROBOTS_END);
    robots_lint_report_free(found);
    CHECK_INT(robots_crawler_set(author, ROBOTS_OPT_LINT_ALL, 2), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_set(author, ROBOTS_OPT_LINT_ALL, 1), ROBOTS_OK);
    CHECK_INT(robots_lint(author, body, sizeof body - 1, &found), ROBOTS_OK);
    CHECK_INT(robots_lint_report_get(found, 0, &note), ROBOTS_OK);
    CHECK_INT(note.code, 87);
    robots_lint_report_free(found);
    robots_crawler_free(author);
}

int main(void)
{
    static const test tests[] = {
        {"diagnostics", diagnostics}, {"lines", lines}, {"text", text}, {"fixes", fixes},
        {"on_request", on_request},
    };
    int result;

    crawler = new_crawler("ExampleBot");
    CHECK_INT(robots_lint(crawler, BODY, sizeof BODY - 1, &report), ROBOTS_OK);
    robots_crawler_free(crawler); /* the report needs it no longer */
    result = RUN_TESTS("lint", tests);
    robots_lint_report_free(report);
    return result;
}
