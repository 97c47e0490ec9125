/* The scenes of origins, fetches, outcomes, caches and tickets: a part of test_faults.c. */
#ifndef ROBOTS_TESTS_FAULTS_FETCHES_H
#define ROBOTS_TESTS_FAULTS_FETCHES_H

#define ODD_URL "HTTPS://user@B\xc3\xbc" "cher.example:443/x"

static robots_status origin_key(void)
{
    char key[64];
    size_t len;

    return robots_origin_key(TEXT(ODD_URL), key, sizeof key, &len);
}

static robots_status url_to_send(void)
{
    char form[64];
    size_t len;

    return robots_url_to_send(TEXT(ODD_URL), form, sizeof form, &len);
}

static robots_status fetch_new(void)
{
    return robots_fetch_new(crawler, SITE, NOW, &fetch);
}

static void with_fetch(void)
{
    with_crawler();
    must(fetch_new());
}

static robots_status fetch_add_crawler(void)
{
    return robots_fetch_add_crawler(fetch, second);
}

static void with_earlier(void)
{
    with_fetch();
    must(robots_outcome_from_status(crawler, SITE, 200, body, body_len, NOW - 1000000, &earlier));
}

static robots_status fetch_set_previous(void)
{
    return robots_fetch_set_previous(fetch, earlier);
}

static void with_status(uint32_t status)
{
    with_earlier();
    must(fetch_set_previous());
    must(robots_fetch_status(fetch, status, NOW));
}

static void with_redirect_status(void)
{
    with_status(301);
}

static robots_status fetch_header(void)
{
    robots_status first = robots_fetch_header(fetch, TEXT("location"), url, url_len);
    robots_status next = robots_fetch_header(fetch, TEXT("etag"), TEXT("\"1\""));

    return first != ROBOTS_OK ? first : next;
}

static void with_redirect(void)
{
    with_status(301);
    must(robots_fetch_header(fetch, TEXT("location"), url, url_len));
}

static void with_found(void)
{
    with_status(200);
    must(robots_fetch_header(fetch, TEXT("etag"), TEXT("\"1\"")));
    must(robots_fetch_headers_end(fetch));
}

static void with_missing(void)
{
    with_status(404);
}

static void with_error(void)
{
    with_status(503);
}

static robots_status fetch_headers_end(void)
{
    return robots_fetch_headers_end(fetch);
}

static robots_status fetch_body(void)
{
    return robots_fetch_body(fetch, body, body_len);
}

static void with_body(void)
{
    with_found();
    must(fetch_body());
}

static void with_gzip(void)
{
    with_status(200);
    must(robots_fetch_header(fetch, TEXT("content-encoding"), TEXT("gzip")));
    must(robots_fetch_headers_end(fetch));
    must(robots_fetch_body(fetch, TEXT(GZIPPED)));
}

static robots_status fetch_end(void)
{
    return robots_fetch_end(fetch, ROBOTS_FAILURE_NONE, 0);
}

static robots_status fetch_fail(void)
{
    return robots_fetch_end(fetch, ROBOTS_FAILURE_DNS, NOW);
}

static void with_done(void)
{
    with_body();
    must(fetch_end());
}

static robots_status fetch_outcome(void)
{
    return robots_fetch_outcome(fetch, &outcome);
}

static robots_status outcome_from_status(void)
{
    return robots_outcome_from_status(crawler, SITE, 200, body, body_len, NOW, &outcome);
}

static void with_outcome(void)
{
    with_crawler();
    must(outcome_from_status());
}

static robots_status outcome_encode(void)
{
    robots_str record;

    return robots_outcome_encode(outcome, &record);
}

static robots_str record;

static void with_record(void)
{
    with_outcome();
    must(robots_outcome_encode(outcome, &record));
}

static robots_status outcome_decode(void)
{
    const robots_crawler *crawlers[1];

    crawlers[0] = crawler;
    return robots_outcome_decode(crawlers, 1, record.ptr, record.len, &earlier);
}

static robots_status outcome_rules(void)
{
    return robots_outcome_rules(outcome, 0) != NULL ? ROBOTS_OK : ROBOTS_E_MEMORY;
}

static robots_status outcome_check(void)
{
    robots_verdict verdict = robots_outcome_check(outcome, 0, TEXT("HTTPS://EXAMPLE.com/caf%c3%a9"), NOW);

    CHECK(!ROBOTS_VERDICT_ALLOWED(verdict)); /* disallowed by the file: with or without memory */
    return ROBOTS_VERDICT_STATUS(verdict) == 0 ? ROBOTS_OK : ROBOTS_E_MEMORY;
}

static robots_status cache_new(void)
{
    return robots_cache_new(crawler, 1 << 20, &cache);
}

static void with_cache(void)
{
    with_outcome();
    must(cache_new());
}

static robots_status cache_add_crawler(void)
{
    return robots_cache_add_crawler(cache, second);
}

static robots_status ask(const char *of, size_t len, uint64_t now)
{
    robots_cache_answer answer;
    robots_verdict verdict;

    answer.size = sizeof answer;
    verdict = robots_cache_check(cache, 0, of, len, now, &answer);
    CHECK(answer.action == ROBOTS_CACHE_DECIDED || !ROBOTS_VERDICT_ALLOWED(verdict));
    if (answer.ticket != NULL) {
        robots_ticket_free(ticket);
        ticket = answer.ticket;
    }
    return ROBOTS_VERDICT_STATUS(verdict) == 0 ? ROBOTS_OK : ROBOTS_E_MEMORY;
}

static robots_status cache_check(void)
{
    return ask(SITE, NOW);
}

static robots_status cache_check_bad_url(void)
{
    return ask(TEXT("HTTPS://B\xc3\xbc" "cher.example/x"), NOW);
}

static void with_ticket(void)
{
    with_cache();
    must(cache_check());
}

static robots_status ticket_fetch(void)
{
    return robots_ticket_fetch(ticket, NOW, &fetch);
}

/* The ticket is used up by an error, too: the second try brings a new one. */
static robots_status ticket_finish(void)
{
    robots_status status = robots_ticket_finish(ticket, outcome, NOW);

    if (status == ROBOTS_E_STATE) {
        must(cache_check());
        status = robots_ticket_finish(ticket, outcome, NOW);
    }
    return status;
}

static void with_kept(void)
{
    with_ticket();
    must(ticket_finish());
    robots_ticket_free(ticket);
    ticket = NULL;
}

static robots_status cache_check_old(void)
{
    return ask(SITE, NOW + 86000 + 400);
}

static robots_status cache_remove(void)
{
    return robots_cache_remove(cache, TEXT("HTTPS://EXAMPLE.com/"));
}

static robots_status cache_clear(void)
{
    robots_cache_clear(cache);
    return ROBOTS_OK;
}

static uint32_t nothing_to_do(void *context, const char *bytes, size_t len)
{
    (void)context, (void)bytes, (void)len;
    return 0;
}

static robots_status cache_each(void)
{
    return robots_cache_each(cache, nothing_to_do, NULL);
}

static robots_cache *other;
static char kept_record[BODY_MAX * 2];

static uint32_t keep_record(void *context, const char *bytes, size_t len)
{
    (void)context;
    if (len > sizeof kept_record)
        give_up("a record is too long", ROBOTS_E_SPACE);
    memcpy(kept_record, bytes, len);
    record.ptr = kept_record;
    record.len = len;
    return 1;
}

static void with_other_cache(void)
{
    with_kept();
    must(robots_cache_each(cache, keep_record, NULL));
    must(robots_cache_new(crawler, 1 << 20, &other));
}

static robots_status cache_import(void)
{
    return robots_cache_import(other, record.ptr, record.len);
}

#endif
