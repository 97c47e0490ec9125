/* The misuse table of robots_page_controls. Included by test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_PAGE_H
#define ROBOTS_TESTS_MISUSE_PAGE_H

/* Controls that restrict nothing, but for one unknown rule. */
static robots_page_controls *new_page(void)
{
    robots_page_controls *made = NULL;

    CHECK_INT(robots_page_controls_new(crawler, &made), ROBOTS_OK);
    CHECK_INT(robots_page_controls_add_header(made, "X-Robots-Tag", 12, "all, x", 6), ROBOTS_OK);
    CHECK_INT(control_value(made, ROBOTS_CONTROL_INDEX), 1);
    return made;
}

static void page_controls_new(void)
{
    robots_page_controls *made = UNTOUCHED;

    CHECK_INT(robots_page_controls_new(NULL, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    CHECK_INT(robots_page_controls_new(crawler, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_page_controls_new(NULL, NULL), ROBOTS_E_ARG);
}

/* Whatever is wrong: an error, and from then on nothing is permitted. */
static void misuse_add(robots_status add(robots_page_controls *, const char *, size_t, const char *, size_t))
{
    size_t i;

    for (i = 0; i < NO_TEXTS; i++) {
        robots_page_controls *page = new_page();

        CHECK_INT(add(page, no_texts[i].text, no_texts[i].len, "all", 3), ROBOTS_E_ARG);
        CHECK_INT(control_value(page, ROBOTS_CONTROL_INDEX), 0);
        robots_page_controls_free(page);
        page = new_page();
        CHECK_INT(add(page, "robots", 6, no_texts[i].text, no_texts[i].len), ROBOTS_E_ARG);
        CHECK_INT(control_value(page, ROBOTS_CONTROL_INDEX), 0);
        CHECK_INT(robots_page_controls_usage(page, "a", 1), ROBOTS_CHOICE_NO);
        robots_page_controls_free(page);
        CHECK_INT(add(NULL, no_texts[i].text, no_texts[i].len, NULL, 0), ROBOTS_E_ARG);
    }
    CHECK_INT(add(NULL, "robots", 6, "all", 3), ROBOTS_E_ARG);
}

static void page_controls_add_header(void)
{
    misuse_add(robots_page_controls_add_header);
}

static void page_controls_add_meta(void)
{
    misuse_add(robots_page_controls_add_meta);
}

static const uint32_t no_controls[] = {11, 12, 255, 65536, 0x80000000u, UINT32_MAX};
enum { NO_CONTROLS = sizeof no_controls / sizeof no_controls[0] };

/* What stays of a struct after an error: nothing that permits. */
static void check_no_rule(const robots_page_rule *rule)
{
    CHECK_INT(rule->size, sizeof *rule);
    CHECK(rule->text.len == 0 && rule->agent.len == 0 && rule->value == 0 && rule->source == ROBOTS_PAGE_NONE);
}

static void page_controls_get(void)
{
    robots_page_controls *page = new_page();
    robots_page_rule rule;
    size_t i;

    for (i = 0; i < NO_CONTROLS; i++) {
        memset(&rule, 0x5a, sizeof rule);
        rule.size = sizeof rule;
        CHECK_INT(robots_page_controls_get(page, no_controls[i], &rule), ROBOTS_E_ARG);
        check_no_rule(&rule);
    }
    for (i = 0; i < sizeof rule; i++) {
        rule.size = i;
        CHECK_INT(robots_page_controls_get(page, ROBOTS_CONTROL_INDEX, &rule), ROBOTS_E_ARG);
    }
    memset(&rule, 0x5a, sizeof rule);
    rule.size = sizeof rule;
    CHECK_INT(robots_page_controls_get(NULL, ROBOTS_CONTROL_INDEX, &rule), ROBOTS_E_ARG);
    check_no_rule(&rule);
    CHECK_INT(robots_page_controls_get(page, ROBOTS_CONTROL_INDEX, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_page_controls_get(NULL, UINT32_MAX, NULL), ROBOTS_E_ARG);
    robots_page_controls_free(page);
}

static void page_controls_unknown(void)
{
    robots_page_controls *page = new_page();
    robots_page_rule rule;
    size_t i;

    CHECK_INT(unknown_count(page), 1);
    for (i = 0; i < PAST_ONE; i++) {
        memset(&rule, 0x5a, sizeof rule);
        rule.size = sizeof rule;
        CHECK_INT(robots_page_controls_unknown(page, past_one[i], &rule), ROBOTS_END);
        check_no_rule(&rule);
    }
    for (i = 0; i < sizeof rule; i++) {
        rule.size = i;
        CHECK_INT(robots_page_controls_unknown(page, 0, &rule), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_page_controls_unknown(page, 0, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_page_controls_unknown(NULL, 0, NULL), ROBOTS_E_ARG);
    robots_page_controls_free(page);
}

static void page_controls_usage(void)
{
    robots_page_controls *page = new_page();
    size_t i;

    for (i = 0; i < NO_TEXTS; i++)
        CHECK_INT(robots_page_controls_usage(page, no_texts[i].text, no_texts[i].len), ROBOTS_CHOICE_NO);
    CHECK_INT(robots_page_controls_usage(page, NULL, 0), ROBOTS_CHOICE_UNKNOWN);
    CHECK_INT(robots_page_controls_usage(NULL, "a", 1), ROBOTS_CHOICE_NO);
    robots_page_controls_free(page);
}

static void page_controls_free(void)
{
    robots_page_controls_free(NULL);
    robots_page_controls_free(NULL);
}

#endif
