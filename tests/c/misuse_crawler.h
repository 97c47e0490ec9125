/* The rows of the misuse table for crawlers that no token makes; a part of test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_CRAWLER_H
#define ROBOTS_TESTS_MISUSE_CRAWLER_H

static void token_from_user_agent(void)
{
    static const char header[] = "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)";
    static const struct {
        const char *header;
        size_t len;
        robots_status status;
    } rows[] = {
        {NULL, 0, ROBOTS_E_TOKEN}, {header, 0, ROBOTS_E_TOKEN}, {header, 12, ROBOTS_E_TOKEN}, {"\0", 1, ROBOTS_E_TOKEN},
        {"*", 1, ROBOTS_E_TOKEN}, {NULL, 1, ROBOTS_E_ARG}, {header, SIZE_MAX, ROBOTS_E_ARG},
    };
    robots_str token = {header, 7};
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        token.len = 7;
        CHECK_INT(robots_token_from_user_agent(rows[i].header, rows[i].len, &token), rows[i].status);
        CHECK(token.ptr == NULL && token.len == 0);
    }
    CHECK_INT(robots_token_from_user_agent(header, sizeof header - 1, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_token_from_user_agent(header, sizeof header - 1, &token), ROBOTS_OK);
    CHECK(token.ptr == header + 25 && token.len == strlen("ExampleBot")); /* a part of the header */
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
