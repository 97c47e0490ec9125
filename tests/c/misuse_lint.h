/* The rows of the misuse table for the linter; a part of test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_LINT_H
#define ROBOTS_TESTS_MISUSE_LINT_H

/* A report of BODY, which is fine. */
static robots_lint_report *report_of_body(void)
{
    robots_lint_report *report = NULL;

    CHECK_INT(robots_lint(crawler, BODY, sizeof BODY - 1, &report), ROBOTS_OK);
    return report;
}

static void lint(void)
{
    robots_lint_report *made = UNTOUCHED;

    CHECK_INT(robots_lint(NULL, BODY, sizeof BODY - 1, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    made = UNTOUCHED;
    CHECK_INT(robots_lint(crawler, NULL, 1, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    made = UNTOUCHED;
    CHECK_INT(robots_lint(crawler, BODY, SIZE_MAX, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    CHECK_INT(robots_lint(crawler, BODY, sizeof BODY - 1, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_lint(crawler, NULL, 0, &made), ROBOTS_OK);
    CHECK_INT(diagnostic_count(made), 1);
    robots_lint_report_free(made);
}

static void lint_report_count(void)
{
    robots_lint_report *report = report_of_body();
    robots_lint_counts counts;
    size_t i;

    memset(&counts, 0xff, sizeof counts);
    counts.size = sizeof counts;
    CHECK_INT(robots_lint_report_count(NULL, &counts), ROBOTS_E_ARG);
    CHECK(counts.errors == 0 && counts.lines == 0);
    CHECK_INT(robots_lint_report_count(report, NULL), ROBOTS_E_ARG);
    for (i = 0; i < sizeof counts; i++) {
        counts.size = i;
        CHECK_INT(robots_lint_report_count(report, &counts), ROBOTS_E_ARG);
    }
    counts.size = SIZE_MAX;
    CHECK_INT(robots_lint_report_count(report, &counts), ROBOTS_OK);
    CHECK_INT(counts.lines, 4);
    robots_lint_report_free(report);
}

static void lint_report_get(void)
{
    robots_lint_report *report = report_of_body();
    robots_lint_diagnostic found;

    found.size = sizeof found;
    CHECK_INT(robots_lint_report_get(NULL, 0, &found), ROBOTS_E_ARG);
    CHECK_INT(robots_lint_report_get(report, 0, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_lint_report_get(report, diagnostic_count(report), &found), ROBOTS_END);
    CHECK_INT(robots_lint_report_get(report, SIZE_MAX, &found), ROBOTS_END);
    CHECK_INT(found.size, sizeof found);
    CHECK_INT(found.code, 0);
    CHECK(found.message.len == 0);
    found.size = sizeof found - 1;
    found.code = 77;
    CHECK_INT(robots_lint_report_get(report, 0, &found), ROBOTS_E_ARG);
    CHECK_INT(found.code, 77); /* nothing is written where there may be no room */
    found.size = 0;
    CHECK_INT(robots_lint_report_get(report, 0, &found), ROBOTS_E_ARG);
    robots_lint_report_free(report);
}

static void lint_report_line(void)
{
    static const size_t numbers[] = {0, 5, UINT32_MAX, SIZE_MAX};
    robots_lint_report *report = report_of_body();
    robots_lint_line line;
    size_t i;

    line.size = sizeof line;
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        line.kind = 77;
        CHECK_INT(robots_lint_report_line(report, numbers[i], &line), numbers[i] == 0 ? ROBOTS_E_ARG : ROBOTS_END);
        CHECK_INT(line.kind, ROBOTS_LINE_BLANK);
    }
    CHECK_INT(robots_lint_report_line(NULL, 1, &line), ROBOTS_E_ARG);
    CHECK_INT(robots_lint_report_line(report, 1, NULL), ROBOTS_E_ARG);
    line.size = sizeof line - 1;
    CHECK_INT(robots_lint_report_line(report, 1, &line), ROBOTS_E_ARG);
    robots_lint_report_free(report);
}

static void lint_report_text(void)
{
    robots_lint_report *report = report_of_body();

    CHECK_INT(robots_lint_report_text(NULL).len, 0);
    CHECK(robots_lint_report_text(report).ptr == robots_lint_report_text(report).ptr); /* made once */
    robots_lint_report_free(report);
}

static void lint_report_free(void)
{
    robots_lint_report_free(NULL);
    robots_lint_report_free(NULL);
}

static const uint32_t no_codes[] = {0, 999, 65535, 65537, UINT32_MAX}; /* no kinds of diagnostics */

static void lint_code(void)
{
    robots_lint_meaning meaning;
    size_t i;

    for (i = 0; i < sizeof no_codes / sizeof no_codes[0]; i++) {
        memset(&meaning, 0xff, sizeof meaning);
        meaning.size = sizeof meaning;
        CHECK_INT(robots_lint_code(no_codes[i], &meaning), ROBOTS_E_ARG);
        CHECK(meaning.title.len == 0 && meaning.explanation.len == 0);
    }
    CHECK_INT(robots_lint_code(1, NULL), ROBOTS_E_ARG);
    meaning.size = sizeof meaning - 1;
    CHECK_INT(robots_lint_code(1, &meaning), ROBOTS_E_ARG);
    CHECK(lint_meaning(1).title.len > 0 && lint_meaning(1).explanation.len > 0);
}

#endif
