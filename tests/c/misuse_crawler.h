/* The rows of the misuse table for crawlers that no token makes; a part of test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_CRAWLER_H
#define ROBOTS_TESTS_MISUSE_CRAWLER_H

static void crawler_new_without_token(void)
{
    robots_crawler *made = NULL;

    CHECK_INT(robots_crawler_new_without_token(NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_new_without_token(&made), ROBOTS_OK);
    CHECK_INT(robots_crawler_add_token(made, "*", 1), ROBOTS_E_TOKEN);
    robots_crawler_free(made);
}

static void crawler_preset(void)
{
    static const struct {
        const char *name;
        size_t len;
        robots_status status;
    } rows[] = {
        {NULL, 0, ROBOTS_E_TOKEN}, {"Googlebot", 0, ROBOTS_E_TOKEN}, {"Googlebot", 8, ROBOTS_E_TOKEN},
        {NULL, 1, ROBOTS_E_ARG}, {NULL, SIZE_MAX, ROBOTS_E_ARG}, {"Googlebot", SIZE_MAX, ROBOTS_E_ARG},
        {"\0", 1, ROBOTS_E_TOKEN}, {"\xff", 1, ROBOTS_E_TOKEN},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        robots_crawler *made = UNTOUCHED;

        CHECK_INT(robots_crawler_preset(rows[i].name, rows[i].len, &made), rows[i].status);
        CHECK(made == NULL);
        CHECK_INT(robots_crawler_preset(rows[i].name, rows[i].len, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_crawler_preset("Googlebot", 9, NULL), ROBOTS_E_ARG);
}

#endif
