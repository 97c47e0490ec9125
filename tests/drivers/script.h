/* The driver for C: scripts of a cache, with the events of README.md. driver.c includes it. */
#ifndef SCRIPT_H
#define SCRIPT_H

enum { MAX_CRAWLERS = 16, MAX_WORDS = 8, MAX_TICKETS = 64 };

static robots_crawler *crawlers[MAX_CRAWLERS];
static size_t crawler_count;
static robots_cache *cache;
static robots_ticket *tickets[MAX_TICKETS]; /* those that are not finished, the oldest first */
static size_t ticket_count;
static robots_fetch *fetch;

static robots_status new_cache(size_t bytes, robots_cache **out)
{
    robots_status status = robots_cache_new(crawlers[0], bytes, out);
    size_t i;

    for (i = 1; i < crawler_count && status == ROBOTS_OK; i++)
        status = robots_cache_add_crawler(*out, crawlers[i]);
    return status;
}

static robots_ticket *oldest_ticket(void)
{
    robots_ticket *oldest = tickets[0];

    if (ticket_count == 0)
        give_up("there is no ticket");
    memmove(tickets, tickets + 1, --ticket_count * sizeof *tickets);
    return oldest;
}

static void print_time(uint64_t milliseconds) { printf(milliseconds == 0 ? "-" : "%llu", (unsigned long long)milliseconds); }

static int print_answer(const robots_cache_answer *answer)
{
    if (answer->ticket != NULL) {
        if (ticket_count == MAX_TICKETS)
            give_up("too many tickets");
        tickets[ticket_count++] = answer->ticket;
    }
    if (ROBOTS_VERDICT_STATUS(answer->verdict) != ROBOTS_OK) {
        print_error(ROBOTS_VERDICT_STATUS(answer->verdict));
        return 0;
    }
    if (answer->action == ROBOTS_CACHE_DECIDED && answer->ticket != NULL)
        printf("refresh ");
    else
        printf("%s ", name_of(ACTIONS, answer->action));
    print_reasoned(answer->verdict);
    putchar(' ');
    print_time(answer->until_ms);
    return 1;
}

static void print_step(robots_status status)
{
    robots_header header = ROBOTS_HEADER_INIT;
    size_t i;

    if (status != ROBOTS_OK) {
        print_error(status);
        return;
    }
    printf("%s", name_of(STEPS, robots_fetch_step(fetch)));
    if (robots_fetch_step(fetch) != ROBOTS_STEP_GET)
        return;
    putchar(' ');
    print_word(robots_fetch_url(fetch));
    for (i = 0; robots_fetch_request_header(fetch, i, &header) == ROBOTS_OK; i++) {
        putchar(' ');
        print_word(header.name);
        putchar(' ');
        print_word(header.value);
    }
}

static robots_status end_headers(void)
{
    return robots_fetch_step(fetch) == ROBOTS_STEP_HEADERS ? robots_fetch_report_headers_end(fetch) : ROBOTS_OK;
}

static robots_status report_body(text body)
{
    robots_status status = end_headers();

    if (status == ROBOTS_OK && robots_fetch_step(fetch) == ROBOTS_STEP_BODY)
        status = robots_fetch_report_body(fetch, body.ptr, body.len);
    return status;
}

static robots_status report_end(uint32_t failure, uint64_t now)
{
    robots_status status = failure == ROBOTS_FAILURE_NONE ? end_headers() : ROBOTS_OK;

    return status == ROBOTS_OK ? robots_fetch_report_end(fetch, failure, now) : status;
}

/* Ends the oldest ticket with an outcome, if there is one, and frees both. */
static void finish(robots_ticket *ticket, robots_status status, robots_outcome *outcome, uint64_t now)
{
    print_status(status == ROBOTS_OK ? robots_ticket_finish(ticket, outcome, now) : status);
    robots_outcome_free(outcome);
    robots_ticket_free(ticket);
}

static void answer_ticket(text *word)
{
    robots_ticket *ticket = oldest_ticket();
    robots_str origin = robots_ticket_origin(ticket);
    robots_outcome *outcome = NULL;
    uint64_t now = number(word[3]);
    robots_status status = robots_outcome_from_status(crawlers[0], origin.ptr, origin.len, (uint32_t)number(word[1]), word[2].ptr,
                                                      word[2].len, now, &outcome);

    finish(ticket, status, outcome, now);
}

static robots_verdict by_record(const robots_outcome *outcome, size_t crawler, text url, uint64_t now)
{
    robots_str record;
    char *copy;
    robots_verdict verdict;

    if (robots_outcome_encode(outcome, &record) != ROBOTS_OK)
        give_up("no record");
    copy = memcpy(room(record.len), record.ptr, record.len);
    verdict = robots_record_check(copy, record.len, crawler, url.ptr, url.len, now);
    free(copy);
    return verdict;
}

/* What the cache has for a URL, and the verdict of that on the URL. */
static void ask_outcome(text *word, text url)
{
    robots_outcome *outcome = NULL;
    robots_status status = robots_cache_outcome(cache, url.ptr, url.len, &outcome);

    if (status != ROBOTS_OK)
        print_error(status);
    else if (outcome == NULL)
        printf("none");
    else if (is(word[0], "outcome"))
        print_outcome(outcome);
    else if (is(word[0], "outcome-check"))
        print_reasoned(robots_outcome_check(outcome, (size_t)number(word[1]), url.ptr, url.len, number(word[3])));
    else
        print_reasoned(by_record(outcome, (size_t)number(word[1]), url, number(word[3])));
    robots_outcome_free(outcome);
}

typedef struct {
    robots_cache *into;
    robots_status status;
    size_t records;
} moving;

static uint32_t take(void *context, const char *record, size_t len)
{
    moving *to = context;
    char *copy = memcpy(room(len), record, len);

    to->status = robots_cache_import(to->into, copy, len);
    free(copy);
    to->records++;
    return to->status != ROBOTS_OK;
}

static void move(size_t bytes)
{
    moving to = {NULL, ROBOTS_OK, 0};
    robots_status status = new_cache(bytes, &to.into);

    if (status == ROBOTS_OK)
        status = robots_cache_each(cache, take, &to);
    if (status != ROBOTS_OK || to.status != ROBOTS_OK) {
        print_error(status != ROBOTS_OK ? status : to.status);
        robots_cache_free(to.into);
        return;
    }
    robots_cache_free(cache);
    cache = to.into;
    printf("records %zu", to.records);
}

static void print_counts(void)
{
    robots_cache_counts it = ROBOTS_CACHE_COUNTS_INIT;
    robots_status status;

    status = robots_cache_count(cache, &it);
    if (status != ROBOTS_OK)
        give_up("no counts");
    printf("sites %zu hits %llu stale %llu fetches %llu waits %llu deferred %llu evicted %llu", it.sites, (unsigned long long)it.hits,
           (unsigned long long)it.stale_hits, (unsigned long long)it.fetches, (unsigned long long)it.waits,
           (unsigned long long)it.deferred, (unsigned long long)it.evicted);
}

static void act(text *word)
{
    robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;
    text what = word[0];

    if (is(what, "check")) {
        robots_cache_check(cache, (size_t)number(word[1]), word[2].ptr, word[2].len, number(word[3]), &answer);
        print_answer(&answer);
    } else if (is(what, "request")) {
        robots_cache_request(cache, (size_t)number(word[1]), word[2].ptr, word[2].len, (robots_slot){number(word[3])}, number(word[4]),
                             &answer);
        if (print_answer(&answer)) {
            putchar(' ');
            print_time(answer.slot.at_ms);
            printf(" %llu %u", (unsigned long long)answer.crawl_delay_ms, answer.crawl_delay_cut);
        }
    } else if (is(what, "outcome")) {
        ask_outcome(word, word[1]);
    } else if (is(what, "outcome-check") || is(what, "record-check")) {
        ask_outcome(word, word[2]);
    } else if (is(what, "start")) {
        robots_fetch_free(fetch);
        fetch = NULL;
        if (ticket_count == 0)
            give_up("there is no ticket");
        print_step(robots_ticket_fetch(tickets[0], number(word[1]), &fetch));
    } else if (is(what, "status")) {
        print_step(robots_fetch_report_status(fetch, (uint32_t)number(word[1]), number(word[2])));
    } else if (is(what, "ftp")) {
        print_step(robots_fetch_report_ftp_reply(fetch, (uint32_t)number(word[1]), number(word[2])));
    } else if (is(what, "header")) {
        print_step(robots_fetch_report_header(fetch, word[1].ptr, word[1].len, word[2].ptr, word[2].len));
    } else if (is(what, "body")) {
        print_step(report_body(word[1]));
    } else if (is(what, "end")) {
        print_step(report_end(number_of(FAILURES, word[1]), number(word[2])));
    } else if (is(what, "finish")) {
        robots_outcome *outcome = NULL;
        robots_status status = robots_fetch_outcome(fetch, &outcome);

        finish(oldest_ticket(), status, outcome, number(word[1]));
    } else if (is(what, "answer")) {
        answer_ticket(word);
    } else if (is(what, "abandon")) {
        robots_ticket_free(oldest_ticket());
        printf("ok");
    } else if (is(what, "retry-after")) {
        print_status(robots_cache_report_response(cache, word[1].ptr, word[1].len, (uint32_t)number(word[2]), word[3].ptr, word[3].len,
                                              number(word[4])));
    } else if (is(what, "move")) {
        move((size_t)number(word[1]));
    } else if (is(what, "counts")) {
        print_counts();
    } else if (is(what, "remove")) {
        print_status(robots_cache_remove(cache, word[1].ptr, word[1].len));
    } else if (is(what, "clear")) {
        robots_cache_remove(cache, "*", 1);
        printf("ok");
    } else {
        give_up("an event that is none");
    }
}

/* Splits an event into its words, and undoes their escapes. */
static void answer_event(text event)
{
    text words[MAX_WORDS] = {{NULL, 0}};
    size_t used = 0, start = 0, at;

    for (at = 0; at <= event.len; at++) {
        size_t len = at - start;

        if (at < event.len && event.ptr[at] != ' ')
            continue;
        if (used == MAX_WORDS)
            give_up("an event has too many words");
        if (len > 0 && len <= 2 && event.ptr[start] == '~' && event.ptr[at - 1] == '~')
            len--; /* `~` is the empty word, `~~` is `~` */
        words[used++] = unescape(event.ptr + start, len);
        start = at + 1;
    }
    act(words);
    while (used > 0)
        free(words[--used].ptr);
}

static robots_status set_the_stage(void)
{
    robots_status status = crawler_from(0, &crawlers[0]);
    size_t i;

    crawler_count = 1;
    for (i = 0; i < count && status == ROBOTS_OK; i++) {
        if (named(i, "next")) {
            if (crawler_count == MAX_CRAWLERS)
                give_up("too many crawlers");
            status = crawler_from(i + 1, &crawlers[crawler_count++]);
        }
    }
    if (status == ROBOTS_OK)
        status = new_cache((size_t)number(find("bytes")), &cache);
    for (i = 0; i < count && status == ROBOTS_OK; i++) {
        if (named(i, "cache")) {
            uint64_t value;
            text name = setting(fields[i].value, &value);

            status = robots_cache_set(cache, number_of(CACHE_OPTIONS, name), value);
        }
    }
    return status;
}

static void answer_script(void)
{
    robots_status status = set_the_stage();
    const char *tab = "";
    size_t i;

    if (status != ROBOTS_OK)
        print_error(status);
    for (i = 0; i < count && status == ROBOTS_OK; i++) {
        if (!named(i, "do"))
            continue;
        printf("%s", tab);
        tab = "\t";
        answer_event(fields[i].value);
    }
    robots_fetch_free(fetch);
    fetch = NULL;
    while (ticket_count > 0)
        robots_ticket_free(oldest_ticket());
    robots_cache_free(cache);
    cache = NULL;
    while (crawler_count > 0)
        robots_crawler_free(crawlers[--crawler_count]);
}

#endif
