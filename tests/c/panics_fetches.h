/* Panics in the functions of origins, fetches, outcomes, caches and tickets: a part of panics.c. */
#ifndef ROBOTS_TESTS_PANICS_FETCHES_H
#define ROBOTS_TESTS_PANICS_FETCHES_H


/* A text in a buffer, and its length. */
#define WRITES(function) \
    do { \
        char text[64] = "#"; \
        size_t len = 7; \
        robots_inject_panic(1); \
        CHECK_INT(function(URL, text, sizeof text, &len), ROBOTS_E_PANIC); \
        CHECK(came() && len == 0 && text[0] == '#'); \
        CHECK_INT(function(URL, text, sizeof text, &len), ROBOTS_OK); \
        CHECK(len > 0); \
    } while (0)

static void origin_key(void) { WRITES(robots_origin_key); }
static void url_to_send(void) { WRITES(robots_url_to_send); }

static void fetch_new(void) { MAKES(robots_fetch, robots_fetch_new(crawler, URL, NOW, &made), robots_fetch_free); }
static void fetch_add_crawler(void) { ACTS(robots_fetch_add_crawler(fetch, second)); }
static void fetch_set(void) { ACTS(robots_fetch_set(fetch, ROBOTS_OPT_MAX_REDIRECTS, 3)); }
static void fetch_set_previous(void) { ACTS(robots_fetch_set_previous(fetch, outcome)); }
static void fetch_step(void) { COUNTS(robots_fetch_step(fetch), ROBOTS_STEP_DONE, ROBOTS_STEP_GET); }
static void fetch_url(void) { NOT_EMPTY(robots_fetch_url(fetch)); }

/* A fetch that asks whether the file changed has a header to send. */
static void with_header(void)
{
    robots_fetch *before;

    must(robots_fetch_new(crawler, URL, NOW, &before));
    must(robots_fetch_status(before, 200, NOW));
    must(robots_fetch_header(before, TEXT("etag"), TEXT("\"1\"")));
    must(robots_fetch_headers_end(before));
    must(robots_fetch_end(before, ROBOTS_FAILURE_NONE, 0));
    robots_outcome_free(outcome);
    must(robots_fetch_outcome(before, &outcome));
    robots_fetch_free(before);
    must(robots_fetch_set_previous(fetch, outcome));
}

#define HEADER(out) robots_fetch_request_header(fetch, 0, out)
static void fetch_request_header(void)
{
    with_header();
    FILLS(robots_header, HEADER);
}

static void fetch_status(void) { ACTS(robots_fetch_status(fetch, 200, NOW)); }
static void fetch_ftp_reply(void)
{
    robots_fetch_free(fetch);
    must(robots_fetch_new(crawler, TEXT("ftp://example.com/"), NOW, &fetch));
    ACTS(robots_fetch_ftp_reply(fetch, 550, NOW));
}


static void fetch_header(void)
{
    must(robots_fetch_status(fetch, 200, NOW));
    ACTS(robots_fetch_header(fetch, TEXT("etag"), TEXT("\"1\"")));
}

static void fetch_headers_end(void)
{
    must(robots_fetch_status(fetch, 200, NOW));
    ACTS(robots_fetch_headers_end(fetch));
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_BODY);
}

static void fetch_body(void)
{
    must(robots_fetch_status(fetch, 200, NOW));
    must(robots_fetch_headers_end(fetch));
    ACTS(robots_fetch_body(fetch, BODY));
}

static void fetch_end(void)
{
    must(robots_fetch_status(fetch, 200, NOW));
    must(robots_fetch_headers_end(fetch));
    must(robots_fetch_body(fetch, BODY));
    ACTS(robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 0));
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_DONE);
}

static void fetch_outcome(void)
{
    must(robots_fetch_end(fetch, ROBOTS_FAILURE_DNS, NOW));
    MAKES(robots_outcome, robots_fetch_outcome(fetch, &made), robots_outcome_free);
}

static void fetch_free(void) { ENDS(fetch, robots_fetch_free); }

static void outcome_from_status(void)
{
    MAKES(robots_outcome, robots_outcome_from_status(crawler, URL, 200, BODY, NOW, &made), robots_outcome_free);
}

static void outcome_encode(void)
{
    robots_str record = {(const char *)UNTOUCHED, 1};

    robots_inject_panic(1);
    CHECK_INT(robots_outcome_encode(outcome, &record), ROBOTS_E_PANIC);
    CHECK(came() && record.ptr == NULL && record.len == 0);
    CHECK_INT(robots_outcome_encode(outcome, &record), ROBOTS_OK);
    CHECK(record.ptr != NULL && record.len > 0);
}

static void outcome_decode(void)
{
    const robots_crawler *crawlers[1];
    robots_str record;

    crawlers[0] = crawler;
    must(robots_outcome_encode(outcome, &record));
    MAKES(robots_outcome, robots_outcome_decode(crawlers, 1, record.ptr, record.len, &made), robots_outcome_free);
}

static void outcome_get(void)
{
    robots_outcome_info info;

    memset(&info, 0xff, sizeof info);
    info.size = sizeof info;
    robots_inject_panic(1);
    CHECK_INT(robots_outcome_get(outcome, &info), ROBOTS_E_PANIC);
    CHECK(came() && info.kind == ROBOTS_OUTCOME_DEFER && info.http_status == 0 && info.origin.len == 0);
    CHECK_INT(robots_outcome_get(outcome, &info), ROBOTS_OK);
    CHECK(info.kind == ROBOTS_OUTCOME_RULES && info.http_status == 200 && info.origin.len > 0);
}

static void outcome_check(void) { DECIDES(robots_outcome_check(outcome, 0, URL, NOW)); }
static void outcome_free(void) { ENDS(outcome, robots_outcome_free); }

static void outcome_rules(void)
{
    robots_inject_panic(1);
    CHECK(robots_outcome_rules(outcome, 0) == NULL);
    CHECK(came());
    CHECK(allowed(robots_outcome_rules(outcome, 0), "/x"));
}

static void cache_new(void) { MAKES(robots_cache, robots_cache_new(crawler, 1 << 20, &made), robots_cache_free); }

/* Before anything is kept. */
static void with_empty_cache(void)
{
    robots_ticket_free(ticket);
    robots_cache_free(cache);
    ticket = NULL;
    must(robots_cache_new(crawler, 1 << 20, &cache));
}

static void cache_add_crawler(void)
{
    with_empty_cache();
    ACTS(robots_cache_add_crawler(cache, second));
}

static void cache_set(void)
{
    with_empty_cache();
    ACTS(robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL, 60));
}

static void cache_check(void)
{
    robots_cache_answer answer;

    memset(&answer, 0xff, sizeof answer);
    answer.size = sizeof answer;
    robots_inject_panic(1);
    CHECK(is_panic(robots_cache_check(cache, 0, URL, NOW, &answer)));
    CHECK(came() && is_panic(answer.verdict) && answer.action == ROBOTS_CACHE_DEFER);
    CHECK(answer.until == NOW + 60 && answer.ticket == NULL && answer.crawl_delay_cut == 0 && answer.size == sizeof answer);
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, URL, NOW, &answer)));
    CHECK_INT(answer.action, ROBOTS_CACHE_DECIDED);
}

static void cache_request(void)
{
    robots_cache_answer answer;

    answer.size = sizeof answer;
    robots_inject_panic(1);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_request(cache, 0, URL, 0, UINT64_C(1000) * NOW, &answer)));
    CHECK(came());
    CHECK(answer.action == ROBOTS_CACHE_DEFER && answer.request_at_ms == 0);
    CHECK_INT(ROBOTS_VERDICT_STATUS(answer.verdict), ROBOTS_E_PANIC);
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_cache_request(cache, 0, URL, 0, UINT64_C(1000) * NOW, &answer)));
    CHECK(answer.request_at_ms >= UINT64_C(1000) * NOW);
}

static void cache_retry_after(void)
{
    ACTS(robots_cache_retry_after(cache, URL, 429, NULL, 0, UINT64_C(1000) * NOW));
}

static void record_check(void)
{
    robots_str record;

    must(robots_outcome_encode(outcome, &record));
    robots_inject_panic(1);
    CHECK_INT(ROBOTS_VERDICT_STATUS(robots_record_check(record.ptr, record.len, 0, URL, NOW)), ROBOTS_E_PANIC);
    CHECK(came());
}

static void cache_outcome(void)
{
    MAKES(robots_outcome, robots_cache_outcome(cache, URL, &made), robots_outcome_free);
}

static void cache_remove(void)
{
    robots_inject_panic(1);
    CHECK_INT(robots_cache_remove(cache, URL), ROBOTS_E_PANIC);
    CHECK(came());
    CHECK_INT(cache_counts(cache).sites, 2);
    CHECK_INT(robots_cache_remove(cache, URL), ROBOTS_OK);
    CHECK_INT(cache_counts(cache).sites, 1); /* the ticket's */
}

static void cache_clear(void)
{
    RETURNS(robots_cache_clear(cache));
    CHECK_INT(cache_counts(cache).sites, 1);
}

#define HELD(out) robots_cache_count(cache, out)
static void cache_count(void) { FILLS(robots_cache_counts, HELD); }

static char kept[65536];

static uint32_t keep_record(void *context, const char *record, size_t len)
{
    *(size_t *)context = len;
    memcpy(kept, record, len < sizeof kept ? len : sizeof kept);
    return 1;
}

static void cache_each(void)
{
    size_t len = 0;

    robots_inject_panic(1);
    CHECK_INT(robots_cache_each(cache, keep_record, &len), ROBOTS_E_PANIC);
    CHECK(came() && len == 0);
    CHECK_INT(robots_cache_each(cache, keep_record, &len), ROBOTS_OK);
    CHECK(len > 0 && len < sizeof kept);
}

static void cache_import(void)
{
    size_t len = 0;

    must(robots_cache_each(cache, keep_record, &len));
    must(robots_cache_remove(cache, URL));
    ACTS(robots_cache_import(cache, kept, len));
    CHECK_INT(cache_counts(cache).sites, 2);
}

static void cache_free(void) { ENDS(cache, robots_cache_free); }


static void ticket_origin(void) { NOT_EMPTY(robots_ticket_origin(ticket)); }
static void ticket_fetch(void) { MAKES(robots_fetch, robots_ticket_fetch(ticket, NOW, &made), robots_fetch_free); }
static void ticket_free(void) { ENDS(ticket, robots_ticket_free); }

static void ticket_finish(void)
{
    robots_outcome *missing;

    must(robots_outcome_from_status(crawler, TEXT("https://other.example/"), 404, NULL, 0, NOW, &missing));
    ACTS(robots_ticket_finish(ticket, missing, NOW)); /* it was not used up by the panic */
    robots_outcome_free(missing);
}

#endif
