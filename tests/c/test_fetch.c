/* robots_origin, robots_fetch, robots_outcome: a scripted server, reported event by event. */
#include "harness.h"
#include "support.h"
#include "scripted.h"

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
        char *copy = exact_copy(rows[i].url, strlen(rows[i].url));
        size_t len = strlen(rows[i].url);
        char got[64] = "";
        robots_str text;

        text.ptr = got;
        CHECK_INT(robots_origin_key(copy, len, got, sizeof got, &text.len), ROBOTS_OK);
        CHECK(is(text, rows[i].key));
        CHECK_INT(robots_origin_key(rows[i].key, strlen(rows[i].key), got, sizeof got, &text.len), ROBOTS_OK);
        CHECK(is(text, rows[i].key));
        /* A buffer that is too small stays as it is; its length is enough. */
        memset(got, '#', sizeof got);
        CHECK_INT(robots_origin_key(copy, len, got, strlen(rows[i].key) - 1, &text.len), ROBOTS_E_SPACE);
        CHECK_INT(text.len, strlen(rows[i].key));
        CHECK_INT(got[0], '#');
        CHECK_INT(robots_origin_key(copy, len, NULL, 0, &text.len), ROBOTS_E_SPACE);
        CHECK_INT(robots_origin_key(copy, len, got, text.len, &text.len), ROBOTS_OK);
        CHECK_INT(got[text.len], '#');
        free(copy);
    }
}

/* SPEC 8.11 */
static void forms(void)
{
    static const char *const rows[][2] = {
        {"HTTPS://user:pw@Example.COM:443/a/../caf\xc3\xa9 %7eu\\?#top", "https://example.com/caf%C3%A9%20~u/"},
        {"https://example.com/a?b='c d'", "https://example.com/a?b=%27c%20d%27"},
        {"http://[::1]", "http://[::1]/"},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = strlen(rows[i][0]), wanted = strlen(rows[i][1]);
        char *copy = exact_copy(rows[i][0], len);
        char got[64] = "";
        robots_str text;

        text.ptr = got;
        CHECK_INT(robots_url_to_send(copy, len, got, sizeof got, &text.len), ROBOTS_OK);
        CHECK(is(text, rows[i][1]));
        CHECK_INT(robots_url_to_send(rows[i][1], wanted, got, sizeof got, &text.len), ROBOTS_OK);
        CHECK(is(text, rows[i][1]));
        memset(got, '#', sizeof got);
        CHECK_INT(robots_url_to_send(copy, len, got, wanted - 1, &text.len), ROBOTS_E_SPACE);
        CHECK(text.len == wanted && got[0] == '#');
        CHECK_INT(robots_url_to_send(copy, len, NULL, 0, &text.len), ROBOTS_E_SPACE);
        CHECK_INT(robots_url_to_send(copy, len, got, text.len, &text.len), ROBOTS_OK);
        CHECK_INT(got[text.len], '#');
        free(copy);
    }
}

/* SPEC 2.1 to 2.9, each status in each dialect. */
static void statuses(void)
{
    enum { R = ROBOTS_OUTCOME_RULES, A = ROBOTS_OUTCOME_ALLOW_ALL, N = ROBOTS_OUTCOME_DISALLOW_ALL,
           D = ROBOTS_OUTCOME_DEFER, U = ROBOTS_OUTCOME_UNREACHABLE };
    static const struct {
        uint32_t status;
        uint64_t cause;
        uint64_t kinds[3];
    } rows[] = {
        {200, ROBOTS_CAUSE_FOUND, {R, R, R}},
        {204, ROBOTS_CAUSE_FOUND, {R, R, R}},
        {206, ROBOTS_CAUSE_PARTIAL_CONTENT, {U, U, D}},
        {301, ROBOTS_CAUSE_BAD_REDIRECT, {A, A, A}},
        {304, ROBOTS_CAUSE_ODD_STATUS, {U, U, D}},
        {400, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {401, ROBOTS_CAUSE_FORBIDDEN, {A, A, N}},
        {403, ROBOTS_CAUSE_FORBIDDEN, {A, A, N}},
        {404, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {410, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {418, ROBOTS_CAUSE_MISSING, {A, A, A}},
        {429, ROBOTS_CAUSE_TOO_MANY_REQUESTS, {U, U, D}},
        {500, ROBOTS_CAUSE_SERVER_ERROR, {U, U, D}},
        {503, ROBOTS_CAUSE_SERVER_ERROR, {U, U, D}},
        {0, ROBOTS_CAUSE_ODD_STATUS, {U, U, D}},
        {101, ROBOTS_CAUSE_ODD_STATUS, {U, U, D}},
        {600, ROBOTS_CAUSE_ODD_STATUS, {U, U, D}},
        {65536 + 200, ROBOTS_CAUSE_ODD_STATUS, {U, U, D}},
        {UINT32_MAX, ROBOTS_CAUSE_ODD_STATUS, {U, U, D}},
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

    for (failure = ROBOTS_FAILURE_DNS; failure <= ROBOTS_FAILURE_ENCODED_BODY; failure++) {
        for (step = ROBOTS_STEP_GET; step <= ROBOTS_STEP_BODY; step++) {
            robots_fetch *fetch = begin(crawler, NULL, NOW);

            if (step >= ROBOTS_STEP_HEADERS)
                CHECK_INT(robots_fetch_status(fetch, 200, NOW), ROBOTS_OK);
            if (step >= ROBOTS_STEP_BODY) {
                CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
                CHECK_INT(robots_fetch_body(fetch, BODY, 10), ROBOTS_OK);
            }
            CHECK_INT(robots_fetch_end(fetch, failure, NOW), ROBOTS_OK);
            expect(finish(fetch), ROBOTS_OUTCOME_UNREACHABLE,
                   failure == ROBOTS_FAILURE_ENCODED_BODY ? ROBOTS_CAUSE_ENCODED_BODY
                                                          : ROBOTS_CAUSE_DNS + failure - ROBOTS_FAILURE_DNS,
                   NOW);
        }
    }
    robots_crawler_free(crawler);
}

/* SPEC 2.16, 2.17: a redirect as the final status, and bodies that are not the file. */
static void no_files(void)
{
    static const struct {
        const char *name, *value, *body;
        size_t len;
        uint64_t kind, cause;
    } rows[] = {
        {"Content-Encoding", "gzip", GZIPPED, sizeof GZIPPED - 1, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_FOUND},
        {"Content-Encoding", "gzip", GZIPPED, sizeof GZIPPED - 2, ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_TRUNCATED},
        {"Content-Encoding", "br", GZIPPED, sizeof GZIPPED - 1, ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_ENCODED_BODY},
        {"Server", "test", GZIPPED, sizeof GZIPPED - 1, ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_ENCODED_BODY},
        {"Content-Length", "35", BODY, sizeof BODY - 1, ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_SHORT_BODY},
        {"Content-Length", "34", BODY, sizeof BODY - 1, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_FOUND},
        {"Content-Encoding", "gzip", BODY, sizeof BODY - 1, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_FOUND},
    };
    static const uint32_t finals[] = {300, 301, 302, 303, 307, 308, 399};
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch;
    robots_outcome *outcome;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fetch = begin(crawler, NULL, NOW);
        CHECK_INT(robots_fetch_status(fetch, 200, NOW), ROBOTS_OK);
        header(fetch, rows[i].name, rows[i].value);
        CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
        CHECK_INT(robots_fetch_body(fetch, rows[i].body, rows[i].len), ROBOTS_OK);
        CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 0), ROBOTS_OK);
        expect(finish(fetch), rows[i].kind, rows[i].cause, NOW);
    }
    fetch = begin(crawler, NULL, NOW); /* an empty body is an empty file */
    CHECK_INT(robots_fetch_status(fetch, 200, NOW), ROBOTS_OK);
    header(fetch, "Content-Encoding", "gzip");
    header(fetch, "Content-Length", "20");
    CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 0), ROBOTS_OK);
    outcome = finish(fetch);
    CHECK_INT(outcome_info(outcome).cause, ROBOTS_CAUSE_FOUND);
    CHECK(ROBOTS_VERDICT_ALLOWED(ask(outcome, "/private/x", NOW)));
    robots_outcome_free(outcome);
    for (i = 0; i < sizeof finals / sizeof finals[0]; i++) {
        CHECK_INT(robots_outcome_from_status(crawler, URL, sizeof URL - 1, finals[i], BODY, sizeof BODY - 1, NOW, &outcome),
                  ROBOTS_OK);
        expect(outcome, ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED, NOW);
    }
    robots_crawler_free(crawler);
}

/* SPEC 3.1 to 3.3, 3.6 */
static void lifetimes(void)
{
    static const struct {
        uint32_t status;
        const char *name, *value;
        uint64_t ttl;
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
        uint64_t end = NOW + rows[i].ttl, usable = rows[i].status == 200 ? NOW + DAY : end; /* SPEC 3.8 */

        respond(fetch, rows[i].status, rows[i].name, rows[i].value, NOW);
        outcome = finish(fetch);
        CHECK_INT(outcome_info(outcome).http_status, rows[i].status);
        CHECK_INT(outcome_info(outcome).fetched_at, NOW);
        CHECK_INT(outcome_info(outcome).fresh_until, end);
        CHECK_INT(outcome_info(outcome).retry_at, end);
        CHECK_INT(outcome_info(outcome).usable_until, usable);
        CHECK_INT(ROBOTS_VERDICT_REASON(ask(outcome, "/open", usable)), ROBOTS_REASON_DEFER);
        robots_outcome_free(outcome);
    }
    robots_crawler_free(crawler);
}

/* SPEC 2.11 to 2.13, 3.4, 3.5: one site through many fetches. */
static void later_fetches(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);
    robots_outcome *found, *stale, *renewed, *down;
    uint64_t day;

    CHECK_INT(request_header_count(fetch), 0);
    respond(fetch, 200, "ETag", "\"v1\"", NOW);
    found = finish(fetch);
    CHECK(is(outcome_info(found).etag, "\"v1\""));
    CHECK(is(outcome_info(found).last_modified, ""));
    CHECK(outcome_info(found).unreachable_since == UINT64_MAX);

    /* 40 days on the site is down: the copy serves. */
    fetch = begin(crawler, found, NOW + 40 * DAY);
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_CONNECT, NOW + 40 * DAY), ROBOTS_OK);
    stale = finish(fetch);
    robots_outcome_free(found);
    CHECK_INT(outcome_info(stale).stale, 1);
    CHECK_INT(outcome_info(stale).unreachable_since, NOW + 40 * DAY);
    CHECK_INT(outcome_info(stale).retry_at, NOW + 40 * DAY + 600);

    /* It is back, and nothing has changed. */
    fetch = begin(crawler, stale, NOW + 80 * DAY);
    CHECK_INT(request_header_count(fetch), 1);
    CHECK(is(request_header_at(fetch, 0).name, "If-None-Match"));
    CHECK(is(request_header_at(fetch, 0).value, "\"v1\""));
    CHECK(is(request_header_at(fetch, 1).name, ""));
    respond(fetch, 304, NULL, NULL, NOW + 80 * DAY);
    renewed = finish(fetch);
    CHECK_INT(outcome_info(renewed).stale, 0);
    CHECK_INT(outcome_info(renewed).fresh_until, NOW + 81 * DAY);
    expect(renewed, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_NOT_MODIFIED, NOW + 80 * DAY);
    expect(stale, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_CONNECT, NOW + 40 * DAY);

    /* A site without a copy, for more than 30 days. */
    fetch = begin(crawler, NULL, NOW);
    respond(fetch, 500, NULL, NULL, NOW);
    down = finish(fetch);
    for (day = 5; day <= 30; day += 5) {
        fetch = begin(crawler, down, NOW + day * DAY);
        robots_outcome_free(down);
        respond(fetch, 500, NULL, NULL, NOW + day * DAY);
        down = finish(fetch);
        CHECK_INT(outcome_info(down).unreachable_since, NOW);
        expect_of(down, ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_SERVER_ERROR, NOW + day * DAY);
    }
    fetch = begin(crawler, down, NOW + 31 * DAY);
    respond(fetch, 500, NULL, NULL, NOW + 31 * DAY);
    expect(finish(fetch), ROBOTS_OUTCOME_ALLOW_ALL, ROBOTS_CAUSE_UNREACHABLE_LONG, NOW + 31 * DAY);
    /* A pause of more than 7 days starts the outage anew. */
    fetch = begin(crawler, down, NOW + 37 * DAY + 1);
    respond(fetch, 500, NULL, NULL, NOW + 37 * DAY + 1);
    expect(finish(fetch), ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_SERVER_ERROR, NOW + 37 * DAY + 1);
    robots_outcome_free(down);
    robots_crawler_free(crawler);
}

/* SPEC 4.5: of 10 MB what counts is taken. */
static void ten_megabytes(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);
    char *piece = malloc(65536);
    size_t sent = 0;

    if (piece == NULL)
        give_up("malloc", ROBOTS_E_MEMORY);
    memset(piece, '\n', 65536);
    CHECK_INT(robots_fetch_status(fetch, 200, NOW), ROBOTS_OK);
    CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
    CHECK_INT(robots_fetch_body(fetch, BODY, sizeof BODY - 1), ROBOTS_OK);
    while (sent < 10000000 && robots_fetch_step(fetch) == ROBOTS_STEP_BODY) {
        CHECK_INT(robots_fetch_body(fetch, piece, 65536), ROBOTS_OK);
        sent += 65536;
    }
    CHECK_INT(sent, 8 * 65536);
    free(piece);
    expect(finish(fetch), ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_FOUND, NOW);
    robots_crawler_free(crawler);
}

/* SPEC 3.7, and the outcome as a record. */
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
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 0), ROBOTS_OK);
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

    /* A site-wide rule serves all. */
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
        {"forms", forms},
        {"statuses", statuses},
        {"failures", failures},
        {"no files", no_files},
        {"lifetimes", lifetimes},
        {"later fetches", later_fetches},
        {"ten megabytes", ten_megabytes},
        {"several crawlers", several_crawlers},
        {"options", options},
    };

    return RUN_TESTS("fetch", tests);
}
