/* robots_origin, robots_fetch, robots_outcome: a scripted server told to the machine, event by event. */
#include "harness.h"
#include "support.h"

#define NOW UINT64_C(1800000000)
#define HOUR UINT64_C(3600)
#define DAY (24 * HOUR)

static const char URL[] = "https://example.com/any/page";
static const char BODY[] = "User-agent: *\nDisallow: /private/\n";

/* Compares a borrowed string with a C one. */
static int is(robots_str got, const char *want)
{
    int same = got.len == strlen(want) && (got.len == 0 || memcmp(got.ptr, want, got.len) == 0);

    if (!same)
        printf("     \"%.*s\" is not \"%s\"\n", (int)got.len, got.len > 0 ? got.ptr : "", want);
    return same;
}

static robots_fetch *begin(const robots_crawler *crawler, const robots_outcome *previous, uint64_t now)
{
    robots_fetch *fetch = NULL;
    char *copy = exact_copy(URL, sizeof URL - 1);

    CHECK_INT(robots_fetch_new(crawler, copy, sizeof URL - 1, now, &fetch), ROBOTS_OK);
    free(copy);
    if (previous != NULL)
        CHECK_INT(robots_fetch_set_previous(fetch, previous), ROBOTS_OK);
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_GET);
    return fetch;
}

static void header(robots_fetch *fetch, const char *name, const char *value)
{
    char *name_copy = exact_copy(name, strlen(name)), *value_copy = exact_copy(value, strlen(value));

    CHECK_INT(robots_fetch_header(fetch, name_copy, strlen(name), value_copy, strlen(value)), ROBOTS_OK);
    free(name_copy);
    free(value_copy);
}

/* A response; `name` may be NULL. The body is told octet by octet. */
static void respond(robots_fetch *fetch, uint32_t status, const char *name, const char *value, uint64_t now)
{
    size_t i;

    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_GET);
    CHECK_INT(robots_fetch_status(fetch, status, now), ROBOTS_OK);
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_HEADERS);
    header(fetch, "Server", "test");
    if (name != NULL)
        header(fetch, name, value);
    CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
    if (robots_fetch_step(fetch) != ROBOTS_STEP_BODY)
        return;
    for (i = 0; i < sizeof BODY - 1; i++) {
        char *piece = exact_copy(BODY + i, 1);

        CHECK_INT(robots_fetch_body(fetch, piece, 1), ROBOTS_OK);
        free(piece);
    }
    CHECK_INT(robots_fetch_end(fetch), ROBOTS_OK);
}

/* The outcome of a fetch that is done, which ends. */
static robots_outcome *finish(robots_fetch *fetch)
{
    robots_outcome *outcome = NULL;

    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_DONE);
    CHECK_INT(robots_fetch_request_header_count(fetch), 0);
    CHECK_INT(robots_fetch_outcome(fetch, &outcome), ROBOTS_OK);
    robots_fetch_free(fetch);
    return outcome;
}

static robots_verdict ask(const robots_outcome *outcome, const char *url, uint64_t now)
{
    char *copy = exact_copy(url, strlen(url));
    robots_verdict verdict = robots_outcome_check(outcome, 0, copy, strlen(url), now);

    free(copy);
    return verdict;
}

/* Kind, cause, and that what may be fetched is as the kind says; `*outcome` ends. */
static void expect(robots_outcome *outcome, uint64_t kind, uint64_t cause, uint64_t now)
{
    int open = ROBOTS_VERDICT_ALLOWED(ask(outcome, "https://example.com/open", now));
    int private = ROBOTS_VERDICT_ALLOWED(ask(outcome, "/private/x", now));

    CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_KIND), kind);
    CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_CAUSE), cause);
    CHECK_INT(open, kind == ROBOTS_OUTCOME_RULES || kind == ROBOTS_OUTCOME_ALLOW_ALL);
    CHECK_INT(private, kind == ROBOTS_OUTCOME_ALLOW_ALL);
    CHECK_INT(ROBOTS_VERDICT_REASON(ask(outcome, "/open", now)) == ROBOTS_REASON_DEFER, kind == ROBOTS_OUTCOME_DEFER);
    CHECK_INT(ROBOTS_VERDICT_STATUS(ask(outcome, "http://example.com/open", now)), ROBOTS_E_URL);
    robots_outcome_free(outcome);
}

/* SPEC 1 */
static void origins(void)
{
    static const struct {
        const char *url, *key;
    } rows[] = {
        {"https://example.com/folder/file", "https://example.com"},
        {"HTTPS://user:pw@Example.COM:443/", "https://example.com"},
        {"https://example.com:8181/robots.txt", "https://example.com:8181"},
        {"https://www.ex\xc3\xa4mple.com/", "https://www.xn--exmple-cua.com"},
        {"http://[::1]:8080/x", "http://[::1]:8080"},
        {"ftp://example.com:21", "ftp://example.com"},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *copy = exact_copy(rows[i].url, strlen(rows[i].url)), url[64];
        robots_origin *origin = NULL;

        CHECK_INT(robots_origin_new(copy, strlen(rows[i].url), &origin), ROBOTS_OK);
        CHECK_INT(robots_origin_governs(origin, copy, strlen(rows[i].url)), 1);
        CHECK_INT(robots_origin_governs(origin, "https://other.example.com/", 26), 0);
        CHECK(is(robots_origin_key(origin), rows[i].key));
        snprintf(url, sizeof url, "%s/robots.txt", rows[i].key);
        CHECK(is(robots_origin_robots_url(origin), url));
        robots_origin_free(origin);
        free(copy);
    }
}

/* SPEC 2.1 to 2.9, each status in each dialect. */
static void statuses(void)
{
    enum { R = ROBOTS_OUTCOME_RULES, A = ROBOTS_OUTCOME_ALLOW_ALL, N = ROBOTS_OUTCOME_DISALLOW_ALL,
           D = ROBOTS_OUTCOME_DEFER };
    static const struct {
        uint32_t status;
        uint64_t cause;
        uint64_t kinds[3];
    } rows[] = {
        {200, ROBOTS_CAUSE_FOUND, {R, R, R}},
        {204, ROBOTS_CAUSE_FOUND, {R, R, R}},
        {301, ROBOTS_CAUSE_BAD_REDIRECT, {A, A, A}},
        {304, ROBOTS_CAUSE_ODD_STATUS, {N, N, D}},
        {400, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {401, ROBOTS_CAUSE_FORBIDDEN, {A, A, N}},
        {403, ROBOTS_CAUSE_FORBIDDEN, {A, A, N}},
        {404, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {410, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {418, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {429, ROBOTS_CAUSE_TOO_MANY_REQUESTS, {N, N, D}},
        {500, ROBOTS_CAUSE_SERVER_ERROR, {N, N, D}},
        {503, ROBOTS_CAUSE_SERVER_ERROR, {N, N, D}},
        {0, ROBOTS_CAUSE_ODD_STATUS, {N, N, D}},
        {101, ROBOTS_CAUSE_ODD_STATUS, {N, N, D}},
        {600, ROBOTS_CAUSE_ODD_STATUS, {N, N, D}},
        {65536 + 200, ROBOTS_CAUSE_ODD_STATUS, {N, N, D}},
        {UINT32_MAX, ROBOTS_CAUSE_ODD_STATUS, {N, N, D}},
    };
    uint64_t dialect;
    size_t i;

    for (dialect = ROBOTS_DIALECT_RFC9309; dialect <= ROBOTS_DIALECT_KOSTER1996; dialect++) {
        robots_crawler *crawler = new_crawler("ExampleBot");

        CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, dialect), ROBOTS_OK);
        for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            robots_fetch *fetch = begin(crawler, NULL, NOW);

            respond(fetch, rows[i].status, NULL, NULL, NOW);
            expect(finish(fetch), rows[i].kinds[dialect], rows[i].cause, NOW);
        }
        robots_crawler_free(crawler);
    }
}

/* SPEC 2.10: at every step, half a body among it. */
static void failures(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    uint32_t failure, step;

    for (failure = ROBOTS_FAILURE_DNS; failure <= ROBOTS_FAILURE_OTHER; failure++) {
        for (step = ROBOTS_STEP_GET; step <= ROBOTS_STEP_BODY; step++) {
            robots_fetch *fetch = begin(crawler, NULL, NOW);

            if (step >= ROBOTS_STEP_HEADERS)
                CHECK_INT(robots_fetch_status(fetch, 200, NOW), ROBOTS_OK);
            if (step >= ROBOTS_STEP_BODY) {
                CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
                CHECK_INT(robots_fetch_body(fetch, BODY, 10), ROBOTS_OK);
            }
            CHECK_INT(robots_fetch_fail(fetch, failure, NOW), ROBOTS_OK);
            expect(finish(fetch), ROBOTS_OUTCOME_DISALLOW_ALL, ROBOTS_CAUSE_DNS + failure - ROBOTS_FAILURE_DNS, NOW);
        }
    }
    robots_crawler_free(crawler);
}

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
    CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_HOPS), 3);
    CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_DOWNGRADED), 1);
    CHECK(is(robots_outcome_text(outcome, ROBOTS_OUTCOME_FINAL_URL), "http://www.example.org/r?q"));
    CHECK(is(robots_outcome_text(outcome, ROBOTS_OUTCOME_ORIGIN), "https://example.com"));
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

/* SPEC 3.1 to 3.3, 3.6 */
static void lives(void)
{
    static const struct {
        uint32_t status;
        const char *name, *value;
        uint64_t life;
    } rows[] = {
        {200, NULL, NULL, DAY},
        {200, "Cache-Control", "public, max-age=\"7200\"", 2 * HOUR},
        {200, "cache-control", "no-store", 300},
        {200, "Cache-Control", "max-age=99999999999999999999", DAY},
        {200, "Expires", "Fri, 15 Jan 2027 10:00:00 GMT", 2 * HOUR},
        {200, "Expires", "0", 300},
        {404, NULL, NULL, 6 * HOUR},
        {503, NULL, NULL, 600},
        {503, "Retry-After", "3600", HOUR},
        {429, "Retry-After", "Fri, 15 Jan 2027 10:00:00 GMT", 2 * HOUR},
        {503, "Retry-After", "99999999999999999999", DAY},
    };
    robots_crawler *crawler = new_crawler("ExampleBot");
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        robots_fetch *fetch = begin(crawler, NULL, NOW);
        robots_outcome *outcome;
        uint64_t grace = rows[i].status == 200 ? DAY : 0, end = NOW + rows[i].life;

        respond(fetch, rows[i].status, rows[i].name, rows[i].value, NOW);
        outcome = finish(fetch);
        CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_HTTP_STATUS), rows[i].status);
        CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_FETCHED_AT), NOW);
        CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_FRESH_UNTIL), end);
        CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_RETRY_AT), end);
        CHECK_INT(robots_outcome_get(outcome, ROBOTS_OUTCOME_USABLE_UNTIL), end + grace);
        CHECK_INT(ROBOTS_VERDICT_REASON(ask(outcome, "/open", end + grace)), ROBOTS_REASON_DEFER);
        robots_outcome_free(outcome);
    }
    robots_crawler_free(crawler);
}

/* SPEC 2.11 to 2.13, 3.4, 3.5: one site through a long life. */
static void later_fetches(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);
    robots_outcome *found, *stale, *renewed, *down;

    CHECK_INT(robots_fetch_request_header_count(fetch), 0);
    respond(fetch, 200, "ETag", "\"v1\"", NOW);
    found = finish(fetch);
    CHECK(is(robots_outcome_text(found, ROBOTS_OUTCOME_ETAG), "\"v1\""));
    CHECK(is(robots_outcome_text(found, ROBOTS_OUTCOME_LAST_MODIFIED), ""));
    CHECK(robots_outcome_get(found, ROBOTS_OUTCOME_UNREACHABLE_SINCE) == UINT64_MAX);

    /* 40 days on the site is down: the copy serves. */
    fetch = begin(crawler, found, NOW + 40 * DAY);
    CHECK_INT(robots_fetch_fail(fetch, ROBOTS_FAILURE_CONNECT, NOW + 40 * DAY), ROBOTS_OK);
    stale = finish(fetch);
    robots_outcome_free(found);
    CHECK_INT(robots_outcome_get(stale, ROBOTS_OUTCOME_STALE), 1);
    CHECK_INT(robots_outcome_get(stale, ROBOTS_OUTCOME_UNREACHABLE_SINCE), NOW + 40 * DAY);
    CHECK_INT(robots_outcome_get(stale, ROBOTS_OUTCOME_RETRY_AT), NOW + 40 * DAY + 600);

    /* It is back, and nothing has changed. */
    fetch = begin(crawler, stale, NOW + 80 * DAY);
    CHECK_INT(robots_fetch_request_header_count(fetch), 1);
    CHECK(is(robots_fetch_request_header_name(fetch, 0), "If-None-Match"));
    CHECK(is(robots_fetch_request_header_value(fetch, 0), "\"v1\""));
    CHECK(is(robots_fetch_request_header_name(fetch, 1), ""));
    respond(fetch, 304, NULL, NULL, NOW + 80 * DAY);
    renewed = finish(fetch);
    CHECK_INT(robots_outcome_get(renewed, ROBOTS_OUTCOME_STALE), 0);
    CHECK_INT(robots_outcome_get(renewed, ROBOTS_OUTCOME_FRESH_UNTIL), NOW + 81 * DAY);
    expect(robots_outcome_retain(renewed), ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_NOT_MODIFIED, NOW + 80 * DAY);
    expect(stale, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_CONNECT, NOW + 40 * DAY);
    robots_outcome_free(renewed);

    /* A site of which there is no copy, for more than 30 days. */
    fetch = begin(crawler, NULL, NOW);
    respond(fetch, 500, NULL, NULL, NOW);
    down = finish(fetch);
    fetch = begin(crawler, down, NOW + 30 * DAY);
    respond(fetch, 500, NULL, NULL, NOW + 30 * DAY);
    expect(finish(fetch), ROBOTS_OUTCOME_DISALLOW_ALL, ROBOTS_CAUSE_SERVER_ERROR, NOW + 30 * DAY);
    fetch = begin(crawler, down, NOW + 31 * DAY);
    respond(fetch, 500, NULL, NULL, NOW + 31 * DAY);
    expect(finish(fetch), ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_UNREACHABLE_LONG, NOW + 31 * DAY);
    robots_outcome_free(down);
    robots_crawler_free(crawler);
}

/* SPEC 4.5: of 10 MB what counts is taken. */
static void ten_megabytes(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);
    char *piece = malloc(65536);
    size_t told = 0;

    if (piece == NULL)
        give_up("malloc", ROBOTS_E_MEMORY);
    memset(piece, '\n', 65536);
    CHECK_INT(robots_fetch_status(fetch, 200, NOW), ROBOTS_OK);
    CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
    CHECK_INT(robots_fetch_body(fetch, BODY, sizeof BODY - 1), ROBOTS_OK);
    while (told < 10000000 && robots_fetch_step(fetch) == ROBOTS_STEP_BODY) {
        CHECK_INT(robots_fetch_body(fetch, piece, 65536), ROBOTS_OK);
        told += 65536;
    }
    CHECK_INT(told, 8 * 65536);
    free(piece);
    expect(finish(fetch), ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_FOUND, NOW);
    robots_crawler_free(crawler);
}

/* SPEC 3.7, and the outcome as octets. */
static void several_crawlers(void)
{
    static const char body[] = "user-agent: one\ndisallow: /a\n\nuser-agent: two\ndisallow: /b\n";
    robots_crawler *one = new_crawler("one"), *two = new_crawler("two");
    const robots_crawler *both[] = {one, two};
    robots_fetch *fetch = begin(one, NULL, NOW);
    robots_outcome *outcome, *read = NULL;
    robots_str record = {NULL, 0}, again = {NULL, 0};
    robots_rules *kept;
    char *copy;

    CHECK_INT(robots_fetch_add_crawler(fetch, two), ROBOTS_OK);
    CHECK_INT(robots_fetch_status(fetch, 200, NOW), ROBOTS_OK);
    CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
    CHECK_INT(robots_fetch_body(fetch, body, sizeof body - 1), ROBOTS_OK);
    CHECK_INT(robots_fetch_end(fetch), ROBOTS_OK);
    outcome = finish(fetch);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, 0, "/a", 2, NOW)));
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, 1, "/a", 2, NOW)));
    CHECK(allowed(robots_outcome_rules(outcome, 0), "/b"));
    CHECK(!allowed(robots_outcome_rules(outcome, 1), "/b"));
    CHECK(robots_outcome_rules(outcome, 0) == robots_outcome_rules(outcome, 0));
    CHECK(robots_outcome_rules(outcome, 2) == NULL);
    kept = robots_rules_retain(robots_outcome_rules(outcome, 1));

    CHECK_INT(robots_outcome_encode(outcome, &record), ROBOTS_OK);
    copy = exact_copy(record.ptr, record.len);
    CHECK_INT(robots_outcome_decode(both, 1, copy, record.len, &read), ROBOTS_E_IMAGE_FORMAT);
    CHECK(read == NULL);
    CHECK_INT(robots_outcome_decode(both, 2, copy, record.len, &read), ROBOTS_OK);
    CHECK_INT(robots_outcome_encode(read, &again), ROBOTS_OK);
    CHECK(again.len == record.len && memcmp(again.ptr, copy, again.len) == 0);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(read, 1, "/b", 2, NOW)));
    free(copy);
    robots_outcome_free(read);
    robots_outcome_free(outcome);
    CHECK(!allowed(kept, "/b")); /* rules outlive the outcome they came from */
    robots_rules_free(kept);

    /* One word for the site serves all. */
    fetch = begin(one, NULL, NOW);
    CHECK_INT(robots_fetch_add_crawler(fetch, two), ROBOTS_OK);
    respond(fetch, 500, NULL, NULL, NOW);
    outcome = finish(fetch);
    CHECK(!allowed(robots_outcome_rules(outcome, 0), "/") && !allowed(robots_outcome_rules(outcome, 1), "/"));
    robots_outcome_free(outcome);
    robots_crawler_free(one);
    robots_crawler_free(two);
}

/* SPEC 2.6, 2.7, 2.14 as options of the crawler, and crawlers by their names. */
static void options(void)
{
    static const char body[] = "user-agent: *\ndisallow: /\n";
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_outcome *outcome = NULL;
    robots_rules *rules;

    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_ON_FORBIDDEN, ROBOTS_OUTCOME_DEFER), ROBOTS_OK);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_ON_TOO_MANY_REQUESTS, ROBOTS_OUTCOME_ALLOW_ALL), ROBOTS_OK);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_SERVER_ERROR_IS_MISSING, 1), ROBOTS_OK);
    CHECK_INT(robots_outcome_from_status(crawler, URL, sizeof URL - 1, 403, NULL, 0, NOW, &outcome), ROBOTS_OK);
    expect(outcome, ROBOTS_OUTCOME_DEFER, ROBOTS_CAUSE_FORBIDDEN, NOW);
    CHECK_INT(robots_outcome_from_status(crawler, URL, sizeof URL - 1, 429, NULL, 0, NOW, &outcome), ROBOTS_OK);
    expect(outcome, ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_TOO_MANY_REQUESTS, NOW);
    CHECK_INT(robots_outcome_from_status(crawler, URL, sizeof URL - 1, 500, NULL, 0, NOW, &outcome), ROBOTS_OK);
    expect(outcome, ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_MISSING, NOW);
    robots_crawler_free(crawler);

    CHECK_INT(robots_crawler_preset("adsbot-google", 13, &crawler), ROBOTS_OK);
    CHECK_INT(robots_rules_parse(crawler, body, sizeof body - 1, &rules), ROBOTS_OK);
    CHECK(allowed(rules, "/x"));
    robots_rules_free(rules);
    robots_crawler_free(crawler);
}

int main(void)
{
    static const test tests[] = {
        {"origins", origins},
        {"statuses", statuses},
        {"failures", failures},
        {"redirects", redirects},
        {"lives", lives},
        {"later fetches", later_fetches},
        {"ten megabytes", ten_megabytes},
        {"several crawlers", several_crawlers},
        {"options", options},
    };

    return RUN_TESTS("fetch", tests);
}
