/* The rows of the misuse table for explanations, further lines and preferences; a part of test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_EXPLAIN_H
#define ROBOTS_TESTS_MISUSE_EXPLAIN_H

/* Questions that cannot be answered, for functions that take a crawler or nothing, a body and a URL. */
static const struct {
    const char *text;
    size_t len;
} no_texts[] = {{NULL, 1}, {NULL, SIZE_MAX}, {BODY, SIZE_MAX}, {BODY, SIZE_MAX / 2 + 1}};

enum { NO_TEXTS = sizeof no_texts / sizeof no_texts[0] };

static void rules_explain(void)
{
    size_t i;

    for (i = 0; i < NO_TEXTS; i++) {
        robots_explanation *made = UNTOUCHED;

        CHECK_INT(robots_rules_explain(crawler, no_texts[i].text, no_texts[i].len, "/", 1, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        made = UNTOUCHED;
        CHECK_INT(robots_rules_explain(crawler, BODY, 1, no_texts[i].text, no_texts[i].len, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        made = UNTOUCHED;
        CHECK_INT(robots_rules_explain(NULL, NULL, 0, no_texts[i].text, no_texts[i].len, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        made = UNTOUCHED;
        CHECK_INT(robots_rules_explain(crawler, NULL, 0, "x", i % 2, &made), ROBOTS_E_URL);
        CHECK(made == NULL);
    }
    CHECK_INT(robots_rules_explain(NULL, BODY, 1, "/", 1, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_rules_explain(crawler, BODY, 1, "/", 1, NULL), ROBOTS_E_ARG);
    check_unharmed();
}

static robots_explanation *an_explanation(void)
{
    robots_explanation *made = NULL;

    CHECK_INT(robots_rules_explain(crawler, BODY, sizeof BODY - 1, "/x", 2, &made), ROBOTS_OK);
    return made;
}

static void explanation_get(void)
{
    robots_explanation *made = an_explanation();
    robots_explained all;
    size_t i;

    memset(&all, 0xff, sizeof all);
    all.size = sizeof all;
    CHECK_INT(robots_explanation_get(NULL, &all), ROBOTS_E_ARG);
    CHECK(all.size == sizeof all && all.verdict.bits == 0 && all.google.bits == 0 && all.text.len == 0);
    CHECK_INT(robots_explanation_get(made, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_explanation_get(NULL, NULL), ROBOTS_E_ARG);
    for (i = 0; i < sizeof all; i++) {
        all.size = i;
        CHECK_INT(robots_explanation_get(made, &all), ROBOTS_E_ARG);
        CHECK_INT(all.verdict.bits, 0);
    }
    all.size = SIZE_MAX; /* whatever it says, no more is written than this version has */
    CHECK_INT(robots_explanation_get(made, &all), ROBOTS_OK);
    CHECK(ROBOTS_VERDICT_ALLOWED(all.verdict));
    robots_explanation_free(made);
}

/* Places in a list of one that there are not. */
static const size_t past_one[] = {1, 2, 1u << 31, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1, SIZE_MAX};

enum { PAST_ONE = sizeof past_one / sizeof past_one[0] };

static void explanation_agent(void)
{
    robots_explanation *made = an_explanation();
    robots_explained_line line;
    size_t i;

    for (i = 0; i < PAST_ONE; i++) {
        memset(&line, 0x5a, sizeof line);
        line.size = sizeof line;
        CHECK_INT(robots_explanation_agent(made, past_one[i], &line), ROBOTS_END);
        CHECK(line.size == sizeof line && line.text.ptr == NULL && line.text.len == 0 && line.line == 0);
        CHECK_INT(robots_explanation_agent(made, past_one[i], NULL), ROBOTS_E_ARG);
    }
    for (i = 0; i < sizeof line; i++) {
        line.size = i;
        CHECK_INT(robots_explanation_agent(made, 0, &line), ROBOTS_E_ARG);
    }
    line.size = SIZE_MAX; /* whatever it says, no more is written than this version has */
    CHECK_INT(robots_explanation_agent(made, 0, &line), ROBOTS_OK);
    CHECK_INT(robots_explanation_agent(NULL, 0, &line), ROBOTS_E_ARG);
    CHECK_INT(line.line, 0);
    CHECK_INT(robots_explanation_agent(NULL, 0, NULL), ROBOTS_E_ARG);
    robots_explanation_free(made);
}

static void explanation_rule(void)
{
    robots_explanation *made = an_explanation();
    robots_explained_rule rule;
    size_t i;

    for (i = 0; i < PAST_ONE; i++) {
        memset(&rule, 0x5a, sizeof rule);
        rule.size = sizeof rule;
        CHECK_INT(robots_explanation_rule(made, past_one[i], &rule), ROBOTS_END);
        CHECK(rule.size == sizeof rule && rule.pattern.len == 0 && rule.line == 0 && rule.allow == 0);
        CHECK_INT(robots_explanation_rule(made, past_one[i], NULL), ROBOTS_E_ARG);
    }
    for (i = 0; i < sizeof rule; i++) {
        rule.size = i;
        CHECK_INT(robots_explanation_rule(made, 0, &rule), ROBOTS_E_ARG);
    }
    rule.size = SIZE_MAX;
    CHECK_INT(robots_explanation_rule(made, 0, &rule), ROBOTS_OK);
    CHECK_INT(robots_explanation_rule(NULL, 0, &rule), ROBOTS_E_ARG);
    CHECK(rule.line == 0 && rule.allow == 0);
    CHECK_INT(robots_explanation_rule(NULL, 0, NULL), ROBOTS_E_ARG);
    robots_explanation_free(made);
}

static void explanation_free(void)
{
    robots_explanation_free(NULL);
    robots_explanation_free(NULL);
}

static void extensions_parse(void)
{
    size_t i;

    for (i = 0; i < NO_TEXTS; i++) {
        robots_extensions *made = UNTOUCHED;

        CHECK_INT(robots_extensions_parse(crawler, no_texts[i].text, no_texts[i].len, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        made = UNTOUCHED;
        CHECK_INT(robots_extensions_parse(NULL, BODY, i, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
    }
    CHECK_INT(robots_extensions_parse(crawler, BODY, 1, NULL), ROBOTS_E_ARG);
    check_unharmed();
}

static robots_extensions *some_extensions(void)
{
    robots_extensions *made = NULL;

    CHECK_INT(robots_extensions_parse(crawler, "host: x", 7, &made), ROBOTS_OK);
    return made;
}

static void extensions_line(void)
{
    robots_extensions *made = some_extensions();
    robots_extension line;
    size_t i;

    for (i = 0; i < PAST_ONE; i++) {
        memset(&line, 0x5a, sizeof line);
        line.size = sizeof line;
        CHECK_INT(robots_extensions_line(made, past_one[i], &line), ROBOTS_END);
        CHECK(line.size == sizeof line && line.value.len == 0 && line.line == 0 && line.until == 0);
        CHECK_INT(robots_extensions_line(made, past_one[i], NULL), ROBOTS_E_ARG);
    }
    for (i = 0; i < sizeof line; i++) {
        line.size = i;
        CHECK_INT(robots_extensions_line(made, 0, &line), ROBOTS_E_ARG);
    }
    line.size = SIZE_MAX;
    CHECK_INT(robots_extensions_line(made, 0, &line), ROBOTS_OK);
    CHECK_INT(robots_extensions_line(NULL, 0, &line), ROBOTS_E_ARG);
    CHECK_INT(line.line, 0);
    CHECK_INT(robots_extensions_line(NULL, 0, NULL), ROBOTS_E_ARG);
    robots_extensions_free(made);
}

static void extensions_preferences(void)
{
    robots_extensions *extensions = some_extensions();
    size_t i;

    for (i = 0; i < NO_TEXTS; i++) {
        robots_preferences *made = UNTOUCHED;

        CHECK_INT(robots_extensions_preferences(extensions, no_texts[i].text, no_texts[i].len, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        made = UNTOUCHED;
        CHECK_INT(robots_extensions_preferences(NULL, "/x", i % 3, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        made = UNTOUCHED;
        CHECK_INT(robots_extensions_preferences(extensions, "x", i % 2, &made), ROBOTS_E_URL);
        CHECK(made == NULL);
    }
    CHECK_INT(robots_extensions_preferences(extensions, "/", 1, NULL), ROBOTS_E_ARG);
    robots_extensions_free(extensions);
}

static void extensions_free(void)
{
    robots_extensions_free(NULL);
    robots_extensions_free(NULL);
}

static void preferences_from_header(void)
{
    size_t i;

    for (i = 0; i < NO_TEXTS; i++) {
        robots_preferences *made = UNTOUCHED;

        CHECK_INT(robots_preferences_from_header(no_texts[i].text, no_texts[i].len, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
    }
    CHECK_INT(robots_preferences_from_header("a=y", 3, NULL), ROBOTS_E_ARG);
}

static void preferences_get(void)
{
    robots_preferences *made = NULL;
    robots_preference one;
    size_t i;

    CHECK_INT(robots_preferences_from_header("a=y", 3, &made), ROBOTS_OK);
    for (i = 0; i < PAST_ONE; i++) {
        memset(&one, 0x5a, sizeof one);
        one.size = sizeof one;
        CHECK_INT(robots_preferences_get(made, past_one[i], &one), ROBOTS_END);
        CHECK(one.size == sizeof one && one.label.len == 0 && one.choice == ROBOTS_CHOICE_NO);
        CHECK_INT(robots_preferences_get(made, past_one[i], NULL), ROBOTS_E_ARG);
    }
    for (i = 0; i < sizeof one; i++) {
        one.size = i;
        CHECK_INT(robots_preferences_get(made, 0, &one), ROBOTS_E_ARG);
    }
    one.size = SIZE_MAX;
    CHECK_INT(robots_preferences_get(made, 0, &one), ROBOTS_OK);
    CHECK_INT(robots_preferences_get(NULL, 0, &one), ROBOTS_E_ARG);
    CHECK_INT(one.choice, ROBOTS_CHOICE_NO); /* misuse is no permission */
    CHECK_INT(robots_preferences_get(NULL, 0, NULL), ROBOTS_E_ARG);
    robots_preferences_free(made);
}

static void preferences_free(void)
{
    robots_preferences_free(NULL);
    robots_preferences_free(NULL);
}

#endif
