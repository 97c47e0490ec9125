/* Redirects of a robots.txt (SPEC 2.2, 2.3, 2.15), also those into a private network. */
#include "harness.h"
#include "support.h"
#include "scripted.h"

/* SPEC 2.2, 2.3 */
static void redirects(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);
    robots_outcome *outcome;
    char target[8];
    int hop;

    CHECK(is(robots_fetch_url(fetch), "https://example.com/robots.txt"));
    respond(fetch, 301, "Location", "//user@www.example.org/robots.txt#x", NOW);
    CHECK(is(robots_fetch_url(fetch), "https://www.example.org/robots.txt"));
    respond(fetch, 308, "LOCATION", " http://www.example.org:80/a/b ", NOW);
    respond(fetch, 302, "location", "../r?q", NOW);
    CHECK(is(robots_fetch_url(fetch), "http://www.example.org/r?q"));
    respond(fetch, 200, NULL, NULL, NOW);
    outcome = finish(fetch);
    CHECK_INT(outcome_info(outcome).hops, 3);
    CHECK_INT(outcome_info(outcome).downgraded, 1);
    CHECK(is(outcome_info(outcome).final_url, "http://www.example.org/r?q"));
    CHECK(is(outcome_info(outcome).origin, "https://example.com"));
    expect(outcome, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_FOUND, NOW);

    fetch = begin(crawler, NULL, NOW);
    for (hop = 0; hop < 6; hop++) {
        snprintf(target, sizeof target, "/%d", hop);
        respond(fetch, 301, "Location", target, NOW);
    }
    expect(finish(fetch), ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_TOO_MANY_REDIRECTS, NOW);

    fetch = begin(crawler, NULL, NOW);
    respond(fetch, 301, "Location", "/a", NOW);
    respond(fetch, 301, "Location", "/robots.txt", NOW);
    expect(finish(fetch), ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_REDIRECT_LOOP, NOW);

    fetch = begin(crawler, NULL, NOW);
    respond(fetch, 301, "Location", "mailto:a@example.com", NOW);
    expect(finish(fetch), ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_BAD_REDIRECT, NOW);

    fetch = begin(crawler, NULL, NOW); /* for this one fetch */
    CHECK_INT(robots_fetch_set(fetch, ROBOTS_OPT_MAX_REDIRECTS, 0), ROBOTS_OK);
    respond(fetch, 301, "Location", "/a", NOW);
    expect(finish(fetch), ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_TOO_MANY_REDIRECTS, NOW);
    robots_crawler_free(crawler);
}

/* SPEC 2.3, 2.15: a redirect that leads nowhere, with and without a copy; a redirect to itself counts like any other. */
static void bad_redirects(void)
{
    static const struct {
        const char *location;
        int hops; /* that are sent */
        uint64_t cause;
    } rows[] = {
        {"https://example.com/robots.txt", 6, ROBOTS_CAUSE_TOO_MANY_REDIRECTS},
        {"mailto:a@example.com", 1, ROBOTS_CAUSE_BAD_REDIRECT},
        {"", 1, ROBOTS_CAUSE_BAD_REDIRECT},
        {"http://127.0.0.1/robots.txt", 1, ROBOTS_CAUSE_NON_GLOBAL_REDIRECT},
    };
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);
    robots_outcome *found;
    uint64_t kind;
    size_t i;
    int hop;

    respond(fetch, 301, "Location", "/robots.txt", NOW);
    CHECK(is(robots_fetch_url(fetch), "https://example.com/robots.txt"));
    respond(fetch, 200, NULL, NULL, NOW);
    found = finish(fetch);
    CHECK_INT(outcome_info(found).hops, 1);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fetch = begin(crawler, found, NOW + DAY);
        for (hop = 0; hop < rows[i].hops; hop++)
            respond(fetch, 302, "Location", rows[i].location, NOW + DAY);
        expect(finish(fetch), ROBOTS_OUTCOME_RULES, rows[i].cause, NOW + DAY);
        for (kind = ROBOTS_OUTCOME_ALLOW_ALL; kind <= ROBOTS_OUTCOME_UNREACHABLE; kind++) {
            fetch = begin(crawler, NULL, NOW);
            if (kind != ROBOTS_OUTCOME_ALLOW_ALL)
                CHECK_INT(robots_fetch_set(fetch, ROBOTS_OPT_ON_BAD_REDIRECT, kind), ROBOTS_OK);
            for (hop = 0; hop < rows[i].hops; hop++)
                respond(fetch, 302, "Location", rows[i].location, NOW);
            expect(finish(fetch), kind, rows[i].cause, NOW);
        }
    }
    robots_outcome_free(found);
    robots_crawler_free(crawler);
}

/* Redirects to addresses of no public network are refused, unless an option or the first URL permits them. */
static void inward_redirects(void)
{
    static const char *const inward[] = {"http://2130706433/", "http://0x7f.1/", "http://169.254.169.254/latest",
                                         "http://[::1]/", "http://[::ffff:10.0.0.1]/", "https://10.0.0.1/",
                                         "//192.168.1.1/", "http://localhost/"};
    static const char local[] = "http://127.0.0.1:8080/";
    robots_crawler *crawler = new_crawler("ExampleBot");
    size_t i;

    for (i = 0; i < sizeof inward / sizeof inward[0]; i++) {
        robots_fetch *fetch = begin(crawler, NULL, NOW);

        respond(fetch, 301, "Location", inward[i], NOW);
        expect(finish(fetch), ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_NON_GLOBAL_REDIRECT, NOW);

        fetch = begin(crawler, NULL, NOW);
        CHECK_INT(robots_fetch_set(fetch, ROBOTS_OPT_NON_GLOBAL_REDIRECTS, 1), ROBOTS_OK);
        respond(fetch, 301, "Location", inward[i], NOW);
        respond(fetch, 200, NULL, NULL, NOW);
        expect(finish(fetch), ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_FOUND, NOW);

        CHECK_INT(robots_fetch_new(crawler, local, sizeof local - 1, NOW, &fetch), ROBOTS_OK);
        respond(fetch, 301, "Location", inward[i], NOW);
        CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_GET);
        robots_fetch_free(fetch);
    }
    robots_crawler_free(crawler);
}

int main(void)
{
    static const test tests[] = {
        {"redirects", redirects},
        {"bad redirects", bad_redirects},
        {"inward redirects", inward_redirects},
    };

    return RUN_TESTS("redirects", tests);
}
