/* The rows of the misuse table for the cache and its tickets; a part of test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_CACHE_H
#define ROBOTS_TESTS_MISUSE_CACHE_H

enum { CACHE_BYTES = 65536, CACHE_NOW = 1800000000 };

static const char CACHED[] = "https://example.com/x";

static robots_cache *new_cache(void)
{
    robots_cache *made = NULL;
    robots_status status = robots_cache_new(crawler, CACHE_BYTES, &made);

    if (status != ROBOTS_OK || made == NULL)
        give_up("robots_cache_new", status);
    return made;
}

/* The ticket for CACHED; the cache must have nothing for it. */
static robots_ticket *new_ticket(const robots_cache *cache)
{
    robots_cache_answer answer;

    answer.size = sizeof answer;
    robots_cache_check(cache, 0, CACHED, sizeof CACHED - 1, CACHE_NOW, &answer);
    if (answer.action != ROBOTS_CACHE_FETCH || answer.ticket == NULL)
        give_up("no ticket", ROBOTS_VERDICT_STATUS(answer.verdict));
    return answer.ticket;
}

static robots_outcome *new_missing(const char *url)
{
    robots_outcome *made = NULL;
    robots_status status = robots_outcome_from_status(crawler, url, strlen(url), 404, NULL, 0, CACHE_NOW, &made);

    if (status != ROBOTS_OK || made == NULL)
        give_up("robots_outcome_from_status", status);
    return made;
}

static void cache_new(void)
{
    static const size_t sizes[] = {0, 1, CACHE_BYTES - 1};
    robots_cache *made;
    size_t i;

    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        made = UNTOUCHED;
        CHECK_INT(robots_cache_new(crawler, sizes[i], &made), ROBOTS_E_ARG);
        CHECK(made == NULL);
    }
    made = UNTOUCHED;
    CHECK_INT(robots_cache_new(NULL, SIZE_MAX, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    CHECK_INT(robots_cache_new(crawler, CACHE_BYTES, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_new(crawler, SIZE_MAX, &made), ROBOTS_OK); /* nothing is allocated in advance */
    robots_cache_free(made);
}

static void cache_add_crawler(void)
{
    robots_cache *cache = new_cache();

    CHECK_INT(robots_cache_add_crawler(NULL, crawler), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_add_crawler(cache, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_add_crawler(NULL, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_add_crawler(cache, crawler), ROBOTS_OK);
    robots_cache_free(cache);
}

static void cache_set(void)
{
    static const struct {
        uint32_t option;
        uint64_t value;
    } rows[] = {
        {0, 1}, {5, 1}, {UINT32_MAX, 1}, {ROBOTS_CACHE_OPT_TICKET_TTL, 0}, {ROBOTS_CACHE_OPT_TICKET_TTL, 86401},
        {ROBOTS_CACHE_OPT_TICKET_TTL, UINT64_MAX}, {ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, 86400001},
        {ROBOTS_CACHE_OPT_MAX_DELAY_MS, 86400001}, {ROBOTS_CACHE_OPT_HORIZON_MS, UINT64_MAX},
    };
    robots_cache *cache = new_cache();
    robots_ticket *ticket;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_INT(robots_cache_set(cache, rows[i].option, rows[i].value), ROBOTS_E_ARG);
        CHECK_INT(robots_cache_set(NULL, rows[i].option, rows[i].value), ROBOTS_E_ARG);
    }
    ticket = new_ticket(cache);
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL, 60), ROBOTS_E_STATE);
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_MAX_DELAY_MS, 0), ROBOTS_E_STATE);
    robots_ticket_free(ticket);
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_MAX_DELAY_MS, 86400000), ROBOTS_OK);
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_HORIZON_MS, 0), ROBOTS_OK);
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL, 60), ROBOTS_OK);
    robots_cache_free(cache);
}

static void cache_check(void)
{
    static const struct {
        const char *url;
        size_t len;
        robots_status status;
    } rows[] = {
        {NULL, 0, ROBOTS_E_URL}, {CACHED, 0, ROBOTS_E_URL}, {CACHED, 8, ROBOTS_E_URL}, {"/x", 2, ROBOTS_E_URL},
        {"\0", 1, ROBOTS_E_URL}, {"https://\xff/", 10, ROBOTS_E_URL}, {"file:///x", 9, ROBOTS_E_SCHEME},
        {NULL, 1, ROBOTS_E_ARG}, {NULL, SIZE_MAX, ROBOTS_E_ARG}, {CACHED, SIZE_MAX, ROBOTS_E_ARG},
        {CACHED, SIZE_MAX / 2 + 1, ROBOTS_E_ARG},
    };
    static const size_t sizes[] = {0, 1, sizeof(robots_cache_answer) - 1};
    robots_cache *cache = new_cache();
    robots_cache_answer answer;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        answer.size = sizeof answer;
        answer.verdict.bits = 1;
        answer.action = 99;
        answer.ticket = UNTOUCHED;
        CHECK(refused(robots_cache_check(cache, 0, rows[i].url, rows[i].len, CACHE_NOW, &answer), rows[i].status));
        CHECK(refused(answer.verdict, rows[i].status));
        CHECK(answer.ticket == NULL);
        /* What can never be fetched is decided; misuse is not: the URL is kept. */
        if (rows[i].status == ROBOTS_E_ARG)
            CHECK(answer.action == ROBOTS_CACHE_DEFER && answer.until == CACHE_NOW + 60);
        else
            CHECK(answer.action == ROBOTS_CACHE_DECIDED && answer.until == 0);
        answer.ticket = UNTOUCHED;
        CHECK(refused(robots_cache_check(NULL, 0, rows[i].url, rows[i].len, CACHE_NOW, &answer), ROBOTS_E_ARG));
        CHECK(refused(answer.verdict, ROBOTS_E_ARG) && answer.ticket == NULL && answer.action == ROBOTS_CACHE_DEFER);
        CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, rows[i].url, rows[i].len, CACHE_NOW, NULL)));
    }
    CHECK(refused(robots_cache_check(cache, 1, CACHED, sizeof CACHED - 1, CACHE_NOW, &answer), ROBOTS_E_ARG));
    CHECK(refused(robots_cache_check(cache, UINT32_MAX, CACHED, sizeof CACHED - 1, CACHE_NOW, &answer), ROBOTS_E_ARG));
    CHECK_INT(answer.action, ROBOTS_CACHE_DEFER);
    /* A ticket that nobody could take is not issued, and an answer there is no room for is not written. */
    CHECK(refused(robots_cache_check(cache, 0, CACHED, sizeof CACHED - 1, CACHE_NOW, NULL), ROBOTS_E_ARG));
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        answer.size = sizes[i];
        answer.ticket = UNTOUCHED;
        CHECK(refused(robots_cache_check(cache, 0, CACHED, sizeof CACHED - 1, CACHE_NOW, &answer), ROBOTS_E_ARG));
        CHECK(answer.ticket == UNTOUCHED);
    }
    CHECK_INT(cache_counts(cache).sites, 0);
    /* A larger answer, of a later version, is welcome; a clock at its ends, too. */
    answer.size = sizeof answer + 1000;
    CHECK(refused(robots_cache_check(cache, 0, CACHED, sizeof CACHED - 1, UINT64_MAX, &answer), ROBOTS_E_ARG));
    CHECK(answer.ticket == NULL);
    CHECK(refused(robots_cache_check(cache, 0, CACHED, sizeof CACHED - 1, LAST_TIME + 1, &answer), ROBOTS_E_ARG));
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, CACHED, sizeof CACHED - 1, LAST_TIME, &answer)));
    CHECK_INT(answer.action, ROBOTS_CACHE_FETCH);
    robots_ticket_free(answer.ticket);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, CACHED, sizeof CACHED - 1, 0, &answer)));
    CHECK_INT(answer.action, ROBOTS_CACHE_FETCH);
    robots_ticket_free(answer.ticket);
    robots_cache_free(cache);
}

static void cache_request(void)
{
    static const uint64_t wrong[] = {0, CACHE_NOW, UINT64_C(99999999999), UINT64_C(1000) * LAST_TIME + 1000, UINT64_MAX};
    const uint64_t now_ms = UINT64_C(1000) * CACHE_NOW;
    const uint64_t slots[] = {0, 1, now_ms - 1, now_ms, now_ms + 1, UINT64_MAX};
    robots_outcome *missing = new_missing(CACHED);
    robots_cache *cache = new_cache();
    robots_cache_answer answer;
    size_t i, sent = 0;

    /* Seconds, microseconds and more are no milliseconds. */
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        answer.size = sizeof answer;
        answer.ticket = UNTOUCHED;
        answer.request_at_ms = answer.crawl_delay_ms = answer.crawl_delay_cut = 1;
        CHECK(refused(robots_cache_request(cache, 0, CACHED, sizeof CACHED - 1, 0, wrong[i], &answer), ROBOTS_E_ARG));
        CHECK(answer.action == ROBOTS_CACHE_DEFER && answer.until >= 60 && answer.ticket == NULL);
        CHECK(answer.request_at_ms == 0 && answer.crawl_delay_ms == 0 && answer.crawl_delay_cut == 0);
    }
    CHECK(refused(robots_cache_request(NULL, 0, CACHED, sizeof CACHED - 1, 0, now_ms, &answer), ROBOTS_E_ARG));
    CHECK(refused(robots_cache_request(cache, 1, CACHED, sizeof CACHED - 1, 0, now_ms, &answer), ROBOTS_E_ARG));
    CHECK(refused(robots_cache_request(cache, 0, NULL, 1, 0, now_ms, &answer), ROBOTS_E_ARG));
    CHECK(refused(robots_cache_request(cache, 0, NULL, 0, 0, now_ms, &answer), ROBOTS_E_URL));
    CHECK(refused(robots_cache_request(cache, 0, "file:///x", 9, 0, now_ms, &answer), ROBOTS_E_SCHEME));
    CHECK(refused(robots_cache_request(cache, 0, CACHED, sizeof CACHED - 1, 0, now_ms, NULL), ROBOTS_E_ARG));
    answer.size = sizeof answer - 1;
    CHECK(refused(robots_cache_request(cache, 0, CACHED, sizeof CACHED - 1, 0, now_ms, &answer), ROBOTS_E_ARG));
    CHECK_INT(cache_counts(cache).sites, 0);

    /* Slots that the cache did not give: one request is sent, and no other before its delay is over. */
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, 7000), ROBOTS_OK);
    answer.size = sizeof answer;
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_request(cache, 0, CACHED, sizeof CACHED - 1, UINT64_MAX, now_ms, &answer)));
    CHECK_INT(robots_ticket_finish(answer.ticket, missing, CACHE_NOW), ROBOTS_OK);
    robots_ticket_free(answer.ticket);
    for (i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        CHECK(ROBOTS_VERDICT_ALLOWED(robots_cache_request(cache, 0, CACHED, sizeof CACHED - 1, slots[i], now_ms, &answer)));
        CHECK((answer.request_at_ms == now_ms || answer.request_at_ms >= now_ms + 7000) && answer.ticket == NULL);
        sent += answer.request_at_ms == now_ms;
    }
    CHECK_INT(sent, 1);
    robots_outcome_free(missing);
    robots_cache_free(cache);
}

static void cache_retry_after(void)
{
    const uint64_t now_ms = UINT64_C(1000) * CACHE_NOW;
    robots_cache *cache = new_cache();

    CHECK_INT(robots_cache_retry_after(NULL, CACHED, sizeof CACHED - 1, 429, "1", 1, now_ms), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_retry_after(cache, NULL, 1, 429, "1", 1, now_ms), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_retry_after(cache, CACHED, sizeof CACHED - 1, 429, NULL, 1, now_ms), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_retry_after(cache, CACHED, sizeof CACHED - 1, 200, NULL, 0, CACHE_NOW), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_retry_after(cache, NULL, 0, 429, NULL, 0, now_ms), ROBOTS_E_URL);
    CHECK_INT(robots_cache_retry_after(cache, "file:///x", 9, 200, NULL, 0, now_ms), ROBOTS_E_SCHEME);
    CHECK_INT(robots_cache_retry_after(cache, CACHED, sizeof CACHED - 1, 65536 + 429, NULL, 0, now_ms), ROBOTS_OK);
    CHECK_INT(cache_counts(cache).sites, 0);
    CHECK_INT(robots_cache_retry_after(cache, CACHED, sizeof CACHED - 1, 429, "\xff", 1, now_ms), ROBOTS_OK);
    CHECK_INT(cache_counts(cache).sites, 1);
    robots_cache_free(cache);
}

static void record_check(void)
{
    robots_outcome *missing = new_missing(CACHED);
    robots_str record;
    char damaged[4096];
    int allowed = 0;
    size_t i;

    CHECK_INT(robots_outcome_encode(missing, &record), ROBOTS_OK);
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_record_check(record.ptr, record.len, 0, CACHED, sizeof CACHED - 1, CACHE_NOW)));
    CHECK(refused(robots_record_check(NULL, 1, 0, CACHED, sizeof CACHED - 1, CACHE_NOW), ROBOTS_E_ARG));
    CHECK(refused(robots_record_check(record.ptr, record.len, 0, NULL, 1, CACHE_NOW), ROBOTS_E_ARG));
    CHECK(refused(robots_record_check(record.ptr, record.len, 16, CACHED, sizeof CACHED - 1, CACHE_NOW), ROBOTS_E_ARG));
    CHECK(refused(robots_record_check(record.ptr, record.len, 0, CACHED, sizeof CACHED - 1, LAST_TIME + 1), ROBOTS_E_ARG));
    CHECK(refused(robots_record_check(record.ptr, record.len, 0, "http://example.com/x", 20, CACHE_NOW), ROBOTS_E_URL));
    CHECK(refused(robots_record_check(record.ptr, record.len, 0, "file:///x", 9, CACHE_NOW), ROBOTS_E_SCHEME));
    CHECK(refused(robots_record_check(NULL, 0, 0, CACHED, sizeof CACHED - 1, CACHE_NOW), ROBOTS_E_IMAGE));
    /* Nothing is read past the end. Most damage is seen; the rest gives a wrong result, no more. */
    for (i = 0; i < record.len && record.len <= sizeof damaged; i++) {
        char *cut = malloc(i + 1);

        if (cut == NULL)
            give_up("malloc", ROBOTS_E_MEMORY);
        memcpy(cut, record.ptr, i);
        allowed += ROBOTS_VERDICT_ALLOWED(robots_record_check(cut, i, 0, CACHED, sizeof CACHED - 1, CACHE_NOW));
        free(cut);
        memcpy(damaged, record.ptr, record.len);
        damaged[i] ^= 0x55;
        allowed += ROBOTS_VERDICT_ALLOWED(robots_record_check(damaged, record.len, 0, CACHED, sizeof CACHED - 1, CACHE_NOW));
    }
    CHECK(allowed < 2 * (int)record.len);
    memcpy(damaged, record.ptr, record.len);
    damaged[4]++;
    CHECK(refused(robots_record_check(damaged, record.len, 0, CACHED, sizeof CACHED - 1, CACHE_NOW), ROBOTS_E_IMAGE_FORMAT));
    robots_outcome_free(missing);
}

static void cache_outcome(void)
{
    robots_cache *cache = new_cache();
    robots_outcome *outcome = UNTOUCHED;

    CHECK_INT(robots_cache_outcome(NULL, CACHED, sizeof CACHED - 1, &outcome), ROBOTS_E_ARG);
    CHECK(outcome == NULL);
    CHECK_INT(robots_cache_outcome(cache, CACHED, sizeof CACHED - 1, NULL), ROBOTS_E_ARG);
    outcome = UNTOUCHED;
    CHECK_INT(robots_cache_outcome(cache, NULL, 1, &outcome), ROBOTS_E_ARG);
    CHECK(outcome == NULL);
    outcome = UNTOUCHED;
    CHECK_INT(robots_cache_outcome(cache, NULL, 0, &outcome), ROBOTS_E_URL);
    CHECK(outcome == NULL);
    CHECK_INT(robots_cache_outcome(cache, "file:///x", 9, &outcome), ROBOTS_E_SCHEME);
    outcome = UNTOUCHED;
    CHECK_INT(robots_cache_outcome(cache, CACHED, sizeof CACHED - 1, &outcome), ROBOTS_OK);
    CHECK(outcome == NULL); /* nothing is known */
    robots_cache_free(cache);
}

static void cache_remove(void)
{
    robots_cache *cache = new_cache();
    robots_ticket *ticket = new_ticket(cache);

    CHECK_INT(robots_cache_remove(NULL, CACHED, sizeof CACHED - 1), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_remove(cache, NULL, 1), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_remove(cache, CACHED, SIZE_MAX), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_remove(cache, NULL, 0), ROBOTS_E_URL);
    CHECK_INT(robots_cache_remove(cache, "file:///x", 9), ROBOTS_E_SCHEME);
    CHECK_INT(robots_cache_remove(cache, CACHED, sizeof CACHED - 1), ROBOTS_OK);
    CHECK_INT(robots_cache_remove(cache, CACHED, sizeof CACHED - 1), ROBOTS_OK);
    CHECK_INT(cache_counts(cache).sites, 1); /* its ticket is out still */
    robots_ticket_free(ticket);
    CHECK_INT(cache_counts(cache).sites, 0);
    CHECK_INT(robots_cache_remove(cache, CACHED, sizeof CACHED - 1), ROBOTS_OK);
    robots_cache_free(cache);
}

static void cache_clear(void)
{
    robots_cache *cache = new_cache();

    robots_cache_clear(NULL);
    robots_cache_clear(cache);
    robots_cache_clear(cache);
    robots_cache_free(cache);
}

static void cache_count(void)
{
    robots_cache *cache = new_cache();
    robots_cache_counts counts;

    memset(&counts, 0xff, sizeof counts);
    counts.size = sizeof counts;
    CHECK_INT(robots_cache_count(NULL, &counts), ROBOTS_E_ARG);
    CHECK(counts.sites == 0 && counts.bytes == 0);
    CHECK_INT(robots_cache_count(cache, NULL), ROBOTS_E_ARG);
    counts.size = sizeof counts - 1;
    CHECK_INT(robots_cache_count(cache, &counts), ROBOTS_E_ARG);
    robots_cache_free(cache);
}

static void cache_import(void)
{
    robots_cache *cache = new_cache();

    CHECK_INT(robots_cache_import(NULL, "x", 1), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_import(cache, NULL, 1), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_import(cache, "x", SIZE_MAX), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_import(cache, NULL, 0), ROBOTS_E_IMAGE);
    CHECK_INT(robots_cache_import(cache, "x", 1), ROBOTS_E_IMAGE);
    CHECK(robots_cache_import(cache, image.ptr, image.len) != ROBOTS_OK); /* rules alone are no record */
    CHECK_INT(cache_counts(cache).sites, 0);
    robots_cache_free(cache);
}

static void cache_free(void)
{
    robots_cache_free(NULL);
    robots_cache_free(NULL);
}

static uint32_t no_record(void *context, const char *record, size_t len)
{
    (void)record, (void)len;
    ++*(int *)context;
    return 0;
}

static void cache_each(void)
{
    robots_cache *cache = new_cache();
    int records = 0;

    CHECK_INT(robots_cache_each(NULL, no_record, &records), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_each(cache, NULL, &records), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_each(cache, NULL, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_cache_each(cache, no_record, &records), ROBOTS_OK);
    CHECK_INT(records, 0);
    robots_cache_free(cache);
}

static void ticket_origin(void)
{
    robots_cache *cache = new_cache();
    robots_ticket *ticket = new_ticket(cache);
    robots_outcome *outcome = new_missing(CACHED);

    CHECK_INT(robots_ticket_origin(NULL).len, 0);
    CHECK_INT(robots_ticket_origin(ticket).len, 19);
    CHECK_INT(robots_ticket_finish(ticket, outcome, CACHE_NOW), ROBOTS_OK);
    CHECK_INT(robots_ticket_origin(ticket).len, 0);
    robots_ticket_free(ticket);
    robots_outcome_free(outcome);
    robots_cache_free(cache);
}

static void ticket_fetch(void)
{
    robots_cache *cache = new_cache();
    robots_ticket *ticket = new_ticket(cache);
    robots_outcome *outcome = new_missing(CACHED);
    robots_fetch *made = UNTOUCHED;

    CHECK_INT(robots_ticket_fetch(NULL, CACHE_NOW, &made), ROBOTS_E_ARG);
    CHECK(made == NULL);
    CHECK_INT(robots_ticket_fetch(ticket, CACHE_NOW, NULL), ROBOTS_E_ARG);
    CHECK_INT(robots_ticket_finish(ticket, outcome, CACHE_NOW), ROBOTS_OK);
    made = UNTOUCHED;
    CHECK_INT(robots_ticket_fetch(ticket, CACHE_NOW, &made), ROBOTS_E_STATE);
    CHECK(made == NULL);
    robots_ticket_free(ticket);
    robots_outcome_free(outcome);
    robots_cache_free(cache);
}

static void ticket_finish(void)
{
    robots_cache *cache = new_cache();
    robots_ticket *ticket = new_ticket(cache);
    robots_outcome *outcome = new_missing(CACHED), *other = new_missing("https://other.example/");

    CHECK_INT(robots_ticket_finish(NULL, outcome, CACHE_NOW), ROBOTS_E_ARG);
    CHECK_INT(robots_ticket_finish(ticket, NULL, CACHE_NOW), ROBOTS_E_ARG);
    CHECK_INT(robots_ticket_finish(NULL, NULL, CACHE_NOW), ROBOTS_E_ARG);
    CHECK_INT(cache_counts(cache).sites, 1); /* it is out still */
    CHECK_INT(robots_ticket_finish(ticket, other, CACHE_NOW), ROBOTS_E_ARG);
    CHECK_INT(cache_counts(cache).sites, 0); /* another site's outcome: as if nobody had fetched */
    CHECK_INT(robots_ticket_finish(ticket, outcome, CACHE_NOW), ROBOTS_E_STATE);
    CHECK_INT(cache_counts(cache).sites, 0);
    robots_ticket_free(ticket);

    ticket = new_ticket(cache);
    CHECK_INT(robots_ticket_finish(ticket, outcome, UINT64_MAX), ROBOTS_E_ARG);
    CHECK_INT(robots_ticket_finish(ticket, outcome, CACHE_NOW), ROBOTS_E_STATE);
    robots_ticket_free(ticket);
    ticket = new_ticket(cache);
    CHECK_INT(robots_ticket_finish(ticket, outcome, LAST_TIME), ROBOTS_OK);
    CHECK_INT(robots_ticket_finish(ticket, outcome, UINT64_MAX), ROBOTS_E_STATE);
    robots_ticket_free(ticket);
    robots_outcome_free(outcome);
    robots_outcome_free(other);
    robots_cache_free(cache);
}

static void ticket_free(void)
{
    robots_ticket_free(NULL);
    robots_ticket_free(NULL);
}

#endif
