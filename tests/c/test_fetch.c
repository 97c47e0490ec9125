/* robots_origin, robots_fetch, robots_outcome: buffers, ownership and numbers. tests/drivers asks what each fetch means. */
#include "harness.h"
#include "support.h"

#define NOW UINT64_C(1800000000000)
#define HOUR UINT64_C(3600000)
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

    CHECK_INT(robots_fetch_report_header(fetch, name_copy, strlen(name), value_copy, strlen(value)), ROBOTS_OK);
    free(name_copy);
    free(value_copy);
}

/* A response; `name` may be NULL. The body comes byte by byte. */
static void respond(robots_fetch *fetch, uint32_t status, const char *name, const char *value, uint64_t now)
{
    size_t i;

    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_GET);
    CHECK_INT(robots_fetch_report_status(fetch, status, now), ROBOTS_OK);
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_HEADERS);
    header(fetch, "Server", "test");
    if (name != NULL)
        header(fetch, name, value);
    CHECK_INT(robots_fetch_report_headers_end(fetch), ROBOTS_OK);
    if (robots_fetch_step(fetch) != ROBOTS_STEP_BODY)
        return;
    for (i = 0; i < sizeof BODY - 1; i++) {
        char *piece = exact_copy(BODY + i, 1);

        CHECK_INT(robots_fetch_report_body(fetch, piece, 1), ROBOTS_OK);
        free(piece);
    }
    CHECK_INT(robots_fetch_report_end(fetch, ROBOTS_FAILURE_NONE, now), ROBOTS_OK);
}

/* The outcome of a fetch that is done, which ends. */
static robots_outcome *finish(robots_fetch *fetch)
{
    robots_outcome *outcome = NULL;

    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_DONE);
    CHECK_INT(request_header_count(fetch), 0);
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
static void expect_of(const robots_outcome *outcome, uint64_t kind, uint64_t cause, uint64_t now)
{
    int open = ROBOTS_VERDICT_ALLOWED(ask(outcome, "https://example.com/open", now));
    int private = ROBOTS_VERDICT_ALLOWED(ask(outcome, "/private/x", now));

    CHECK_INT(outcome_info(outcome).kind, kind);
    CHECK_INT(outcome_info(outcome).cause, cause);
    CHECK_INT(open, kind == ROBOTS_OUTCOME_RULES || kind == ROBOTS_OUTCOME_ALLOW_ALL);
    CHECK_INT(private, kind == ROBOTS_OUTCOME_ALLOW_ALL);
    CHECK_INT(ROBOTS_VERDICT_REASON(ask(outcome, "/open", now)) == ROBOTS_REASON_DEFER, kind == ROBOTS_OUTCOME_DEFER);
    CHECK_INT(ROBOTS_VERDICT_REASON(ask(outcome, "/open", now)) == ROBOTS_REASON_UNREACHABLE,
              kind == ROBOTS_OUTCOME_UNREACHABLE);
    /* Its rules call no outage a ban. */
    if (kind == ROBOTS_OUTCOME_DEFER || kind == ROBOTS_OUTCOME_UNREACHABLE)
        CHECK(check(robots_outcome_rules(outcome, 0), "/x").bits == verdict_of(0, ROBOTS_REASON_UNREACHABLE, ROBOTS_OK, 0).bits);
    CHECK_INT(ROBOTS_VERDICT_STATUS(ask(outcome, "http://example.com/open", now)), ROBOTS_E_URL);
}

static void expect(robots_outcome *outcome, uint64_t kind, uint64_t cause, uint64_t now)
{
    expect_of(outcome, kind, cause, now);
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

/* SPEC 2.9: a status or a failure of more than 16 bits is not cut. */
static void numbers_are_not_cut(void)
{
    static const uint32_t statuses[] = {65536 + 200, UINT32_MAX};
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_outcome *outcome = NULL;
    size_t i;

    for (i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        robots_fetch *fetch = begin(crawler, NULL, NOW);

        CHECK_INT(robots_fetch_report_end(fetch, statuses[i] - 200, NOW), ROBOTS_E_ARG);
        respond(fetch, statuses[i], NULL, NULL, NOW);
        expect(finish(fetch), ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_ODD_STATUS, NOW);
        CHECK_INT(robots_outcome_from_status(crawler, URL, sizeof URL - 1, statuses[i], BODY, sizeof BODY - 1, NOW, &outcome), ROBOTS_OK);
        expect(outcome, ROBOTS_OUTCOME_UNREACHABLE, ROBOTS_CAUSE_ODD_STATUS, NOW);
    }
    robots_crawler_free(crawler);
}

/* SPEC 2.14: an option for one fetch. */
static void options_of_a_fetch(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);

    CHECK_INT(robots_fetch_set(fetch, ROBOTS_OPT_MAX_REDIRECTS, 0), ROBOTS_OK);
    CHECK_INT(robots_fetch_set(fetch, ROBOTS_OPT_ON_BAD_REDIRECT, ROBOTS_OUTCOME_DEFER), ROBOTS_OK);
    respond(fetch, 301, "Location", "/a", NOW);
    expect(finish(fetch), ROBOTS_OUTCOME_DEFER, ROBOTS_CAUSE_TOO_MANY_REDIRECTS, NOW);
    fetch = begin(crawler, NULL, NOW);
    respond(fetch, 301, "Location", "/a", NOW);
    CHECK(is(robots_fetch_url(fetch), "https://example.com/a"));
    robots_fetch_free(fetch);
    robots_crawler_free(crawler);
}

/* The strings of an outcome; what was made from an outcome outlives it. */
static void later_fetches(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_fetch *fetch = begin(crawler, NULL, NOW);
    robots_outcome *found, *stale;

    CHECK_INT(request_header_count(fetch), 0);
    respond(fetch, 200, "ETag", "\"v1\"", NOW);
    found = finish(fetch);
    CHECK(is(outcome_info(found).etag, "\"v1\"") && is(outcome_info(found).last_modified, ""));
    CHECK(is(outcome_info(found).origin, "https://example.com"));
    CHECK(outcome_info(found).unreachable_since_ms == UINT64_MAX);
    fetch = begin(crawler, found, NOW + 40 * DAY);
    CHECK_INT(robots_fetch_report_end(fetch, ROBOTS_FAILURE_CONNECT, NOW + 40 * DAY), ROBOTS_OK);
    stale = finish(fetch);
    robots_outcome_free(found);
    fetch = begin(crawler, stale, NOW + 80 * DAY);
    expect(stale, ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_CONNECT, NOW + 40 * DAY);
    CHECK_INT(request_header_count(fetch), 1);
    CHECK(is(request_header_at(fetch, 0).value, "\"v1\"") && is(request_header_at(fetch, 1).name, ""));
    respond(fetch, 304, NULL, NULL, NOW + 80 * DAY);
    expect(finish(fetch), ROBOTS_OUTCOME_RULES, ROBOTS_CAUSE_NOT_MODIFIED, NOW + 80 * DAY);
    robots_crawler_free(crawler);
}

/* SPEC 3.7, and the outcome as a record. */
static void several_crawlers(void)
{
    static const char body[] = "user-agent: one\ndisallow: /a\n\nuser-agent: two\ndisallow: /b\n";
    robots_crawler *one = new_crawler("one"), *two = new_crawler("two");
    const robots_crawler *both[] = {one, two}, *many[17];
    size_t i;
    robots_fetch *fetch = begin(one, NULL, NOW);
    robots_outcome *outcome, *read = NULL;
    robots_str record = {NULL, 0}, again = {NULL, 0};
    robots_rules *kept;
    char *copy;

    CHECK_INT(robots_fetch_add_crawler(fetch, two), ROBOTS_OK);
    CHECK_INT(robots_fetch_report_status(fetch, 200, NOW), ROBOTS_OK);
    CHECK_INT(robots_fetch_report_headers_end(fetch), ROBOTS_OK);
    CHECK_INT(robots_fetch_report_body(fetch, body, sizeof body - 1), ROBOTS_OK);
    CHECK_INT(robots_fetch_report_end(fetch, ROBOTS_FAILURE_NONE, 0), ROBOTS_OK);
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
    for (i = 0; i < 17; i++)
        many[i] = one;
    CHECK_INT(robots_outcome_decode(many, 16, copy, record.len, &read), ROBOTS_E_IMAGE_FORMAT);
    CHECK_INT(robots_outcome_decode(many, 17, copy, record.len, &read), ROBOTS_E_ARG);
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

int main(void)
{
    static const test tests[] = {
        {"origins", origins},
        {"forms", forms},
        {"numbers are not cut", numbers_are_not_cut},
        {"options of a fetch", options_of_a_fetch},
        {"later fetches", later_fetches},
        {"several crawlers", several_crawlers},
    };

    return RUN_TESTS("fetch", tests);
}
