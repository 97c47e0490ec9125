/* A scripted server, reported to a fetch event by event, and what its outcome must be. */
#ifndef ROBOTS_TESTS_SCRIPTED_H
#define ROBOTS_TESTS_SCRIPTED_H

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

/* A response; `name` may be NULL. The body comes byte by byte. */
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
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 0), ROBOTS_OK);
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

#endif
