/* The rows of the misuse table for origins, fetches and outcomes; a part of test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_FETCH_H
#define ROBOTS_TESTS_MISUSE_FETCH_H

static const char SITE[] = "https://example.com/x";
/* The last second of the year 9999 (SPEC 2.18). */
#define LAST_TIME UINT64_C(253402300799)

/* What is no URL of a site. */
static const struct {
    const char *url;
    size_t len;
    robots_status status;
} no_sites[] = {
    {NULL, 0, ROBOTS_E_URL}, {SITE, 0, ROBOTS_E_URL}, {SITE, 8, ROBOTS_E_URL}, {"/x", 2, ROBOTS_E_URL},
    {"\0", 1, ROBOTS_E_URL}, {"https://\xff/", 10, ROBOTS_E_URL}, {"file:///x", 9, ROBOTS_E_SCHEME},
    {NULL, 1, ROBOTS_E_ARG}, {NULL, SIZE_MAX, ROBOTS_E_ARG}, {SITE, SIZE_MAX, ROBOTS_E_ARG},
    {SITE, SIZE_MAX / 2 + 1, ROBOTS_E_ARG},
};
enum { NO_SITES = sizeof no_sites / sizeof no_sites[0] };

/* What writes a text about a URL to a buffer. */
typedef robots_status url_text(const char *url, size_t url_len, char *buffer, size_t capacity, size_t *len);

static void misuse_url_text(url_text *write)
{
    char text[64];
    size_t len;
    int i;

    for (i = 0; i < NO_SITES; i++) {
        len = 7;
        memset(text, '#', sizeof text);
        CHECK_INT(write(no_sites[i].url, no_sites[i].len, text, sizeof text, &len), no_sites[i].status);
        CHECK(len == 0 && text[0] == '#');
        CHECK_INT(write(no_sites[i].url, no_sites[i].len, text, sizeof text, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(write(SITE, sizeof SITE - 1, text, sizeof text, NULL), ROBOTS_E_ARG);
    CHECK_INT(text[0], '#');
    len = 7;
    CHECK_INT(write(SITE, sizeof SITE - 1, NULL, 1, &len), ROBOTS_E_ARG);
    CHECK_INT(len, 0);
    CHECK_INT(write(SITE, sizeof SITE - 1, NULL, 0, &len), ROBOTS_E_SPACE);
    CHECK(len >= 19);
}

static void origin_key(void) { misuse_url_text(robots_origin_key); }
static void url_to_send(void) { misuse_url_text(robots_url_to_send); }

/* A fetch that waits for its first response. */
static robots_fetch *new_fetch(void)
{
    robots_fetch *fetch = NULL;

    CHECK_INT(robots_fetch_new(crawler, SITE, sizeof SITE - 1, 1000, &fetch), ROBOTS_OK);
    return fetch;
}

/* What comes of a site that allows all it can. */
static robots_outcome *outcome_of(uint32_t status)
{
    robots_outcome *outcome = NULL;

    CHECK_INT(robots_outcome_from_status(crawler, SITE, sizeof SITE - 1, status, BODY, sizeof BODY - 1, 1000, &outcome),
              ROBOTS_OK);
    return outcome;
}

static robots_outcome *new_outcome(void)
{
    return outcome_of(200);
}

static void fetch_new(void)
{
    int i;

    for (i = 0; i < NO_SITES; i++) {
        robots_fetch *made = UNTOUCHED;

        CHECK_INT(robots_fetch_new(crawler, no_sites[i].url, no_sites[i].len, 0, &made), no_sites[i].status);
        CHECK(made == NULL);
        made = UNTOUCHED;
        CHECK_INT(robots_fetch_new(NULL, no_sites[i].url, no_sites[i].len, 0, &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
        CHECK_INT(robots_fetch_new(crawler, no_sites[i].url, no_sites[i].len, 0, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_fetch_new(NULL, SITE, sizeof SITE - 1, 0, NULL), ROBOTS_E_ARG);
}

static void fetch_add_crawler(void)
{
    robots_fetch *fetch = new_fetch();
    int i;

    CHECK_INT(robots_fetch_add_crawler(NULL, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_add_crawler(NULL, crawler), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_add_crawler(fetch, NULL), ROBOTS_E_ARG);
    for (i = 1; i < 16; i++)
        CHECK_INT(robots_fetch_add_crawler(fetch, crawler), ROBOTS_OK);
    CHECK_INT(robots_fetch_add_crawler(fetch, crawler), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_status(fetch, 200, 1000), ROBOTS_OK);
    CHECK_INT(robots_fetch_add_crawler(fetch, crawler), ROBOTS_E_STATE);
    robots_fetch_free(fetch);
}

static void fetch_set(void)
{
    static const uint32_t unknown[] = {0, 1, 5, 15, 34, 1000, 65552, 0x80000010, UINT32_MAX};
    robots_fetch *fetch = new_fetch();
    size_t i;

    for (i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CHECK_INT(robots_fetch_set(fetch, unknown[i], 1), ROBOTS_E_ARG);
        CHECK_INT(robots_fetch_set(NULL, unknown[i], 1), ROBOTS_E_ARG);
    }
    for (i = 0; i < OPTION_COUNT; i++) {
        uint32_t option = option_rows[i].number;
        uint64_t least = option_rows[i].least, most = option_rows[i].most;
        int is_known = option >= ROBOTS_OPT_MAX_REDIRECTS; /* the others change how a file is read */

        CHECK_INT(robots_fetch_set(NULL, option, most), ROBOTS_E_ARG);
        CHECK_INT(robots_fetch_set(fetch, option, most), is_known ? ROBOTS_OK : ROBOTS_E_ARG);
        CHECK_INT(robots_fetch_set(fetch, option, most + 1), ROBOTS_E_ARG);
        if (least > 0)
            CHECK_INT(robots_fetch_set(fetch, option, least - 1), ROBOTS_E_ARG);
        CHECK_INT(robots_fetch_set(fetch, option, UINT64_C(1) << 32 | least), ROBOTS_E_ARG);
        CHECK_INT(robots_fetch_set(fetch, option, UINT64_MAX), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_DNS, 1000), ROBOTS_OK);
    CHECK_INT(robots_fetch_set(fetch, ROBOTS_OPT_ON_UNREACHABLE, ROBOTS_OUTCOME_ALLOW_ALL), ROBOTS_E_STATE);
    robots_fetch_free(fetch);
}

static void fetch_set_previous(void)
{
    robots_fetch *fetch = new_fetch();
    robots_outcome *outcome = new_outcome(), *other = NULL;

    CHECK_INT(robots_fetch_set_previous(NULL, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_set_previous(NULL, outcome), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_set_previous(fetch, NULL), ROBOTS_E_ARG);
    /* Another scheme is another site. */
    CHECK_INT(robots_outcome_from_status(crawler, "http://example.com/", 19, 200, BODY, 0, 0, &other), ROBOTS_OK);
    CHECK_INT(robots_fetch_set_previous(fetch, other), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_set_previous(fetch, outcome), ROBOTS_OK);
    CHECK_INT(robots_fetch_add_crawler(fetch, crawler), ROBOTS_E_STATE);
    CHECK_INT(robots_fetch_status(fetch, 200, 1000), ROBOTS_OK);
    CHECK_INT(robots_fetch_set_previous(fetch, outcome), ROBOTS_E_STATE);
    robots_outcome_free(other);
    robots_outcome_free(outcome);
    robots_fetch_free(fetch);
}

static void fetch_step(void)
{
    CHECK_INT(robots_fetch_step(NULL), ROBOTS_STEP_DONE);
}

static void fetch_url(void)
{
    CHECK_INT(robots_fetch_url(NULL).len, 0);
}

static void fetch_request_header(void)
{
    static const size_t past[] = {0, 1, SIZE_MAX};
    robots_fetch *fetch = new_fetch();
    robots_header header;
    size_t i;

    for (i = 0; i < 3; i++) {
        memset(&header, 0xff, sizeof header);
        header.size = sizeof header;
        CHECK_INT(robots_fetch_request_header(fetch, past[i], &header), ROBOTS_END);
        CHECK(header.name.len == 0 && header.value.len == 0);
        CHECK_INT(robots_fetch_request_header(NULL, past[i], &header), ROBOTS_E_ARG);
        CHECK_INT(robots_fetch_request_header(fetch, past[i], NULL), ROBOTS_E_ARG);
    }
    header.size = sizeof header - 1;
    CHECK_INT(robots_fetch_request_header(fetch, 0, &header), ROBOTS_E_ARG);
    robots_fetch_free(fetch);
}

/* Each event at each step where it is none, and to no fetch at all. */
static void tell_out_of_turn(uint32_t step)
{
    robots_fetch *fetch = new_fetch();

    if (step >= ROBOTS_STEP_HEADERS)
        CHECK_INT(robots_fetch_status(fetch, 200, 1000), ROBOTS_OK);
    if (step >= ROBOTS_STEP_BODY)
        CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
    if (step == ROBOTS_STEP_DONE)
        CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_RESET, 1000), ROBOTS_OK);
    CHECK_INT(robots_fetch_step(fetch), step);

    if (step != ROBOTS_STEP_GET)
        CHECK_INT(robots_fetch_status(fetch, 404, 1000), ROBOTS_E_STATE);
    if (step != ROBOTS_STEP_HEADERS) {
        CHECK_INT(robots_fetch_header(fetch, "Location", 8, "/x", 2), ROBOTS_E_STATE);
        CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_E_STATE);
    }
    if (step != ROBOTS_STEP_BODY)
        CHECK_INT(robots_fetch_body(fetch, BODY, sizeof BODY - 1), ROBOTS_E_STATE);
    CHECK_INT(robots_fetch_end(fetch, 77, 1000), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_RESET, LAST_TIME + 1), ROBOTS_E_ARG);
    if (step == ROBOTS_STEP_DONE) {
        CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 1000), ROBOTS_E_STATE);
        CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_RESET, 1000), ROBOTS_E_STATE);
    }
    CHECK_INT(robots_fetch_step(fetch), step);
    robots_fetch_free(fetch);
}

static void fetch_status(void)
{
    CHECK_INT(robots_fetch_status(NULL, 200, 0), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_status(NULL, UINT32_MAX, UINT64_MAX), ROBOTS_E_ARG);
    tell_out_of_turn(ROBOTS_STEP_GET);
    tell_out_of_turn(ROBOTS_STEP_HEADERS);
    tell_out_of_turn(ROBOTS_STEP_BODY);
    tell_out_of_turn(ROBOTS_STEP_DONE);
}

static void fetch_header(void)
{
    robots_fetch *fetch = new_fetch();

    CHECK_INT(robots_fetch_header(NULL, "ETag", 4, "x", 1), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_header(NULL, NULL, 0, NULL, 0), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_status(fetch, 200, 1000), ROBOTS_OK);
    CHECK_INT(robots_fetch_header(fetch, NULL, 1, "x", 1), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_header(fetch, "ETag", 4, NULL, 1), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_header(fetch, "ETag", SIZE_MAX, "x", 1), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_header(fetch, "ETag", 4, "x", SIZE_MAX), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_header(fetch, NULL, 0, NULL, 0), ROBOTS_OK); /* no header at all */
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_HEADERS);
    robots_fetch_free(fetch);
}

static void fetch_headers_end(void)
{
    CHECK_INT(robots_fetch_headers_end(NULL), ROBOTS_E_ARG);
}

static void fetch_body(void)
{
    robots_fetch *fetch = new_fetch();

    CHECK_INT(robots_fetch_body(NULL, BODY, sizeof BODY - 1), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_body(NULL, NULL, 0), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_status(fetch, 200, 1000), ROBOTS_OK);
    CHECK_INT(robots_fetch_headers_end(fetch), ROBOTS_OK);
    CHECK_INT(robots_fetch_body(fetch, NULL, 1), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_body(fetch, BODY, SIZE_MAX), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_body(fetch, NULL, 0), ROBOTS_OK); /* a piece of nothing */
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_BODY);
    robots_fetch_free(fetch);
}

static void fetch_ftp_reply(void)
{
    static const char site[] = "ftp://example.com/x";
    static const struct {
        uint32_t reply, step;
    } rows[] = {
        {226, ROBOTS_STEP_BODY}, {250, ROBOTS_STEP_BODY}, {550, ROBOTS_STEP_DONE}, {0, ROBOTS_STEP_DONE},
        {530, ROBOTS_STEP_DONE}, {421, ROBOTS_STEP_DONE}, {65536 + 226, ROBOTS_STEP_DONE}, {UINT32_MAX, ROBOTS_STEP_DONE},
    };
    robots_fetch *fetch = new_fetch();
    size_t i;

    CHECK_INT(robots_fetch_ftp_reply(NULL, 550, 1000), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_ftp_reply(fetch, 550, 1000), ROBOTS_E_STATE); /* no ftp URL */
    CHECK_INT(robots_fetch_status(fetch, 200, 1000), ROBOTS_OK);
    robots_fetch_free(fetch);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_INT(robots_fetch_new(crawler, site, sizeof site - 1, 1000, &fetch), ROBOTS_OK);
        CHECK_INT(robots_fetch_ftp_reply(fetch, rows[i].reply, LAST_TIME + 1), ROBOTS_E_ARG);
        CHECK_INT(robots_fetch_ftp_reply(fetch, rows[i].reply, 1000), ROBOTS_OK);
        CHECK_INT(robots_fetch_step(fetch), rows[i].step);
        CHECK_INT(robots_fetch_ftp_reply(fetch, rows[i].reply, 1000), ROBOTS_E_STATE);
        robots_fetch_free(fetch);
    }
}

static uint32_t cause_of(const robots_fetch *fetch)
{
    robots_outcome_info info;
    robots_outcome *outcome;

    if (robots_fetch_outcome(fetch, &outcome) != ROBOTS_OK)
        return 0;
    info.size = sizeof info;
    CHECK_INT(robots_outcome_get(outcome, &info), ROBOTS_OK);
    robots_outcome_free(outcome);
    return info.cause;
}

static void fetch_end(void)
{
    static const uint32_t unknown[] = {99, 255, 257, 65537, 0x80000001, UINT32_MAX};
    robots_fetch *fetch = new_fetch();
    size_t i;

    CHECK_INT(robots_fetch_end(NULL, ROBOTS_FAILURE_NONE, 0), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_end(NULL, ROBOTS_FAILURE_DNS, 0), ROBOTS_E_ARG);
    for (i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        CHECK_INT(robots_fetch_end(fetch, unknown[i], 0), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_GET);
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 1000), ROBOTS_E_STATE); /* no response: nothing to end */
    CHECK_INT(robots_fetch_status(fetch, 200, 1000), ROBOTS_OK);
    CHECK_INT(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 1000), ROBOTS_OK); /* without the end of the headers */
    CHECK_INT(cause_of(fetch), ROBOTS_CAUSE_OTHER_FAILURE);
    robots_fetch_free(fetch);
}

static void fetch_outcome(void)
{
    robots_fetch *fetch = new_fetch();
    robots_outcome *outcome = UNTOUCHED;

    CHECK_INT(robots_fetch_outcome(NULL, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_fetch_outcome(NULL, &outcome), ROBOTS_E_ARG);
    CHECK(outcome == NULL);
    outcome = UNTOUCHED;
    CHECK_INT(robots_fetch_outcome(fetch, &outcome), ROBOTS_E_STATE);
    CHECK(outcome == NULL);
    CHECK_INT(robots_fetch_outcome(fetch, NULL), ROBOTS_E_ARG);
    robots_fetch_free(fetch);
}

static void fetch_free(void)
{
    robots_fetch *fetch = new_fetch();

    robots_fetch_free(NULL);
    robots_fetch_free(fetch); /* at its first step */
}

static void outcome_from_status(void)
{
    robots_outcome *made;
    int i;

    for (i = 0; i < NO_SITES; i++) {
        made = UNTOUCHED;
        CHECK_INT(robots_outcome_from_status(crawler, no_sites[i].url, no_sites[i].len, 200, BODY, 1, 0, &made),
                  no_sites[i].status);
        CHECK(made == NULL);
    }
    made = UNTOUCHED;
    CHECK_INT(robots_outcome_from_status(NULL, SITE, 20, 200, BODY, 1, 0, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    CHECK_INT(robots_outcome_from_status(crawler, SITE, 20, 200, NULL, 1, 0, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_from_status(crawler, SITE, 20, 200, BODY, SIZE_MAX, 0, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_from_status(crawler, SITE, 20, 200, BODY, 1, 0, NULL), ROBOTS_E_ARG);
    /* A status that does not fit is none that allows: 65536 + 404. */
    CHECK_INT(robots_outcome_from_status(crawler, SITE, 20, 65940, NULL, 0, 0, &made), ROBOTS_OK);
    CHECK_INT(outcome_info(made).kind, ROBOTS_OUTCOME_UNREACHABLE);
    robots_outcome_free(made);
}

static void outcome_decode(void)
{
    const robots_crawler *who[] = {crawler, NULL};
    robots_outcome *outcome = new_outcome(), *made = UNTOUCHED;
    robots_str record = {NULL, 0};
    char *copy;
    size_t len;

    CHECK_INT(robots_outcome_encode(outcome, &record), ROBOTS_OK);
    CHECK_INT(robots_outcome_decode(NULL, 0, record.ptr, record.len, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    CHECK_INT(robots_outcome_decode(NULL, 1, record.ptr, record.len, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_decode(who, 0, record.ptr, record.len, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_decode(who, 2, record.ptr, record.len, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_decode(who, 17, record.ptr, record.len, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_decode(who, SIZE_MAX, record.ptr, record.len, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_decode(who, 1, NULL, 0, &made), ROBOTS_E_IMAGE);
    CHECK_INT(robots_outcome_decode(who, 1, NULL, 1, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_decode(who, 1, record.ptr, SIZE_MAX, &made), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_decode(who, 1, record.ptr, record.len, NULL), ROBOTS_E_ARG);
    for (len = 0; len < record.len; len++) { /* cut, in a block of just that size */
        made = UNTOUCHED;
        copy = exact_copy(record.ptr, len);
        CHECK_INT(robots_outcome_decode(who, 1, copy, len, &made), ROBOTS_E_IMAGE);
        CHECK(made == NULL);
        free(copy);
    }
    robots_outcome_free(outcome);
}

static void outcome_encode(void)
{
    robots_outcome *outcome = new_outcome();
    robots_str record = {SITE, 3};

    CHECK_INT(robots_outcome_encode(NULL, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_encode(outcome, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_encode(NULL, &record), ROBOTS_E_ARG);
    CHECK_INT(record.len, 0);
    robots_outcome_free(outcome);
}

static void outcome_get(void)
{
    robots_outcome *outcome = new_outcome();
    robots_outcome_info info;
    size_t i;

    memset(&info, 0xff, sizeof info);
    info.size = sizeof info;
    CHECK_INT(robots_outcome_get(NULL, &info), ROBOTS_E_ARG);
    CHECK_INT(info.kind, ROBOTS_OUTCOME_DEFER); /* misuse is no permission */
    CHECK(info.cause == 0 && info.usable_until == 0 && info.origin.len == 0);
    CHECK_INT(robots_outcome_get(outcome, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_outcome_get(NULL, NULL), ROBOTS_E_ARG);
    for (i = 0; i < sizeof info; i++) {
        info.size = i;
        CHECK_INT(robots_outcome_get(outcome, &info), ROBOTS_E_ARG);
    }
    info.size = SIZE_MAX;
    CHECK_INT(robots_outcome_get(outcome, &info), ROBOTS_OK);
    CHECK_INT(info.kind, ROBOTS_OUTCOME_RULES);
    robots_outcome_free(outcome);
}

static void outcome_rules(void)
{
    robots_outcome *outcome = new_outcome();

    CHECK(robots_outcome_rules(NULL, 0) == NULL);
    CHECK(robots_outcome_rules(outcome, 1) == NULL);
    CHECK(robots_outcome_rules(outcome, SIZE_MAX) == NULL);
    CHECK(robots_outcome_rules(outcome, 0) != NULL);
    robots_outcome_free(outcome);
}

static void outcome_check(void)
{
    robots_outcome *outcome = new_outcome();

    CHECK(ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, 0, SITE, sizeof SITE - 1, 1000)));
    CHECK(refused(robots_outcome_check(outcome, 0, "https://other.example.org/", 26, 1000), ROBOTS_E_URL));
    CHECK(strstr(robots_status_text(ROBOTS_E_URL), "its site") != NULL);
    CHECK(refused(robots_outcome_check(NULL, 0, SITE, sizeof SITE - 1, 1000), ROBOTS_E_ARG));
    CHECK(refused(robots_outcome_check(outcome, 1, SITE, sizeof SITE - 1, 1000), ROBOTS_E_ARG));
    CHECK(refused(robots_outcome_check(outcome, SIZE_MAX, SITE, sizeof SITE - 1, 1000), ROBOTS_E_ARG));
    CHECK(refused(robots_outcome_check(outcome, 0, NULL, 1, 1000), ROBOTS_E_ARG));
    CHECK(refused(robots_outcome_check(outcome, 0, SITE, SIZE_MAX, 1000), ROBOTS_E_ARG));
    CHECK(refused(robots_outcome_check(outcome, 0, NULL, 0, 1000), ROBOTS_E_URL));
    CHECK(refused(robots_outcome_check(outcome, 0, "http://example.com/x", 20, 1000), ROBOTS_E_URL));
    CHECK_INT(ROBOTS_VERDICT_REASON(robots_outcome_check(outcome, 0, SITE, sizeof SITE - 1, LAST_TIME)),
              ROBOTS_REASON_DEFER);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, 0, SITE, sizeof SITE - 1, LAST_TIME)));
    CHECK_INT(ROBOTS_VERDICT_REASON(robots_outcome_check(outcome, 0, SITE, sizeof SITE - 1, 0)), ROBOTS_REASON_DEFER);
    CHECK(refused(robots_outcome_check(outcome, 0, SITE, sizeof SITE - 1, LAST_TIME + 1), ROBOTS_E_ARG));
    CHECK(refused(robots_outcome_check(outcome, 0, SITE, sizeof SITE - 1, UINT64_MAX), ROBOTS_E_ARG));
    robots_outcome_free(outcome);

    /* Also where the whole site is allowed. */
    outcome = outcome_of(404);
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, 0, SITE, sizeof SITE - 1, 1000)));
    CHECK(refused(robots_outcome_check(outcome, 1, SITE, sizeof SITE - 1, 1000), ROBOTS_E_ARG));
    CHECK(robots_outcome_rules(outcome, 1) == NULL);
    robots_outcome_free(outcome);
}

static void outcome_free(void)
{
    robots_outcome_free(NULL);
    robots_outcome_free(NULL);
}

#endif
