/* The soak's work with fetches: what comes of them, and the records of it. */
#ifndef ROBOTS_TESTS_SOAK_FETCHES_H
#define ROBOTS_TESTS_SOAK_FETCHES_H

#include "soak.h"
#include "soak_rules.h"


/* An outcome, and for whom the fetch was made: one crawler or two. */
typedef struct {
    robots_outcome *outcome; /* or NULL */
    unsigned *users;         /* atomic: the places and threads that have the outcome; the last one frees it */
    const robots_crawler *who[2];
    size_t count;
} fetched;

static struct {
    pthread_mutex_t lock;
    fetched here;
} results[12];

static fetched take_result(random_state *state)
{
    unsigned which = below(state, LENGTH(results));
    fetched taken;

    locked(&results[which].lock);
    taken = results[which].here;
    if (taken.outcome != NULL)
        __atomic_fetch_add(taken.users, 1, __ATOMIC_RELAXED);
    unlocked(&results[which].lock);
    return taken;
}

static void drop_result(const fetched *taken)
{
    if (taken->outcome == NULL || __atomic_sub_fetch(taken->users, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    robots_outcome_free(taken->outcome);
    free(taken->users);
}

static void put_result(random_state *state, const fetched *new)
{
    unsigned which = below(state, LENGTH(results)), *users = malloc(sizeof *users);
    fetched old;

    DEMAND(users != NULL);
    *users = 1;
    locked(&results[which].lock);
    old = results[which].here;
    results[which].here = *new;
    results[which].here.users = users;
    unlocked(&results[which].lock);
    drop_result(&old);
}

/* An event that the fetch does not wait for changes nothing. */
static void out_of_turn(random_state *state, robots_fetch *fetch, uint32_t step)
{
    robots_outcome *none = NULL;

    if (step != ROBOTS_STEP_GET)
        DEMAND(robots_fetch_report_status(fetch, 200, NOW) == ROBOTS_E_STATE);
    if (step != ROBOTS_STEP_HEADERS)
        DEMAND((one_in(state, 2) ? robots_fetch_report_headers_end(fetch) : robots_fetch_report_header(fetch, TEXT("Age"), TEXT("1")))
               == ROBOTS_E_STATE);
    if (step != ROBOTS_STEP_BODY)
        DEMAND(robots_fetch_report_body(fetch, TEXT("Disallow: /\n")) == ROBOTS_E_STATE);
    DEMAND(robots_fetch_outcome(fetch, &none) == ROBOTS_E_STATE && none == NULL);
    DEMAND(robots_fetch_step(fetch) == step);
}

static void tell_headers(random_state *state, robots_fetch *fetch)
{
    static const struct {
        const char *name, *value;
    } headers[] = {
        {"Location", "/robots.txt?again"}, {"location", "https://other.example/robots.txt"}, {"Location", "mailto:x"},
        {"Cache-Control", "max-age=60"},   {"Cache-Control", "no-store"},  {"ETag", "\"abc\""},
        {"Expires", "Thu, 01 Jan 2037 00:00:00 GMT"}, {"Retry-After", "120"}, {"Age", "nonsense"},
        {"Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"}, {"Server", "\xff\x00"}};
    unsigned count = below(state, 4);

    for (; count > 0; count--) {
        unsigned which = below(state, LENGTH(headers));

        DEMAND(robots_fetch_report_header(fetch, headers[which].name, strlen(headers[which].name), headers[which].value,
                                   strlen(headers[which].value)) == ROBOTS_OK);
    }
    DEMAND(robots_fetch_report_headers_end(fetch) == ROBOTS_OK);
}

/* Reports the body in pieces; it may end too early, by a failure. */
static void tell_body(random_state *state, robots_fetch *fetch, const file *body, uint64_t now)
{
    size_t at = 0;

    while (at < body->len && robots_fetch_step(fetch) == ROBOTS_STEP_BODY) {
        size_t len = 1 + below(state, 400);

        if (len > body->len - at)
            len = body->len - at;
        DEMAND(robots_fetch_report_body(fetch, body->bytes + at, len) == ROBOTS_OK);
        at += len;
    }
    if (one_in(state, 8))
        DEMAND(robots_fetch_report_end(fetch, ROBOTS_FAILURE_TRUNCATED, now) == ROBOTS_OK);
    else
        DEMAND(robots_fetch_report_end(fetch, ROBOTS_FAILURE_NONE, now) == ROBOTS_OK);
}

/* Leads a fetch to its end, somehow. */
static robots_outcome *retrieve(random_state *state, robots_fetch *fetch, const file *body, uint64_t now)
{
    static const uint32_t statuses[] = {200, 200, 200, 200, 301, 302, 304, 404, 401, 429, 503, 100, 700};
    robots_outcome *outcome = NULL;
    uint32_t step;

    while ((step = robots_fetch_step(fetch)) != ROBOTS_STEP_DONE) {
        size_t i;

        if (one_in(state, 8))
            out_of_turn(state, fetch, step);
        if (one_in(state, 20)) {
            DEMAND(robots_fetch_report_end(fetch, ROBOTS_FAILURE_DNS + below(state, 7), now) == ROBOTS_OK);
        } else if (step == ROBOTS_STEP_GET) {
            read_through(robots_fetch_url(fetch));
            for (i = 0; i < request_header_count(fetch); i++) {
                read_through(request_header_at(fetch, i).name);
                read_through(request_header_at(fetch, i).value);
            }
            DEMAND(robots_fetch_report_status(fetch, PICK(state, statuses), now) == ROBOTS_OK);
        } else if (step == ROBOTS_STEP_HEADERS) {
            tell_headers(state, fetch);
        } else {
            tell_body(state, fetch, body, now);
        }
    }
    (void)robots_fetch_report_end(fetch, ROBOTS_FAILURE_OTHER, now); /* of the last transfer, unless it was reported */
    DEMAND(robots_fetch_report_end(fetch, ROBOTS_FAILURE_OTHER, now) == ROBOTS_E_STATE);
    DEMAND(robots_fetch_outcome(fetch, &outcome) == ROBOTS_OK && outcome != NULL);
    return outcome;
}

/* What an outcome says agrees with itself, and with the file that was reported. */
static void judge(const fetched *of, size_t place, const file *body)
{
    const robots_outcome *outcome = of->outcome;
    const robots_rules *rules = robots_outcome_rules(outcome, place);
    uint64_t kind = outcome_info(outcome).kind;
    uint64_t last = outcome_info(outcome).usable_until_ms;
    robots_rules *parsed = body != NULL ? parse_as(of->who[place], body) : NULL;
    int is_told = body != NULL && outcome_info(outcome).cause == ROBOTS_CAUSE_FOUND;
    size_t i;

    for (i = 0; i < QUESTIONS; i++) {
        robots_verdict word = sound(robots_rules_check(rules, URLS[i].ptr, URLS[i].len));
        robots_verdict in_time = sound(robots_outcome_check(outcome, place, URLS[i].ptr, URLS[i].len, outcome_info(outcome).fetched_at_ms));

        DEMAND(!ROBOTS_VERDICT_ALLOWED(in_time) || ROBOTS_VERDICT_ALLOWED(word));
        DEMAND(kind != ROBOTS_OUTCOME_DEFER || !ROBOTS_VERDICT_ALLOWED(in_time));
        if (is_told)
            DEMAND(word.bits == robots_rules_check(parsed, URLS[i].ptr, URLS[i].len).bits);
        if (last < UINT64_MAX)
            DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, place, URLS[i].ptr, URLS[i].len, last + 1)));
    }
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, place, TEXT("https://elsewhere.example/"), NOW)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(outcome, of->count, TEXT("https://example.com/"), NOW)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(NULL, place, TEXT("https://example.com/"), NOW)));
    robots_rules_free(parsed);
}

static void fetch_somehow(random_state *state)
{
    uint64_t now = NOW + below(state, 10000000) * UINT64_C(1000);
    robots_fetch *fetch = NULL;
    fetched before = take_result(state), new = {0};
    file body;

    random_file(state, &body);
    new.who[0] = PICK(state, crawlers);
    new.count = 1;
    DEMAND(robots_fetch_new(new.who[0], TEXT("https://example.com/any/page"), now, &fetch) == ROBOTS_OK);
    if (one_in(state, 2)) {
        new.who[1] = PICK(state, crawlers);
        new.count = 2;
        DEMAND(robots_fetch_add_crawler(fetch, new.who[1]) == ROBOTS_OK);
    }
    if (one_in(state, 4)) {
        static const uint32_t kinds[] = {ROBOTS_OUTCOME_DISALLOW_ALL, ROBOTS_OUTCOME_DEFER,
                                         ROBOTS_OUTCOME_UNREACHABLE};

        DEMAND(robots_fetch_set(fetch, ROBOTS_OPT_ON_UNREACHABLE, PICK(state, kinds)) == ROBOTS_OK);
        DEMAND(robots_fetch_set(fetch, ROBOTS_OPT_MAX_REDIRECTS, below(state, 3)) == ROBOTS_OK);
    }
    if (before.outcome != NULL) {
        robots_status status = robots_fetch_set_previous(fetch, before.outcome);
        int same = before.count == new.count && before.who[0] == new.who[0] && before.who[1] == new.who[1];

        DEMAND(status == ROBOTS_OK || (status == ROBOTS_E_ARG && !same));
        drop_result(&before); /* the fetch keeps what it needs */
    }
    new.outcome = retrieve(state, fetch, &body, now + below(state, 100000));
    DEMAND(robots_fetch_add_crawler(fetch, new.who[0]) == ROBOTS_E_STATE);
    robots_fetch_free(fetch);
    judge(&new, below(state, (unsigned)new.count), &body);
    put_result(state, &new);
}

static void know_the_status(random_state *state)
{
    static const uint32_t statuses[] = {200, 404, 503, 301};
    uint32_t status = PICK(state, statuses);
    fetched new = {.who = {PICK(state, crawlers)}, .count = 1};
    file body;

    random_file(state, &body);
    DEMAND(robots_outcome_from_status(new.who[0], TEXT("https://EXAMPLE.com:443/x"), status, body.bytes, body.len, NOW,
                                    &new.outcome) == ROBOTS_OK);
    judge(&new, 0, &body);
    put_result(state, &new);
}

static void record_outcome(random_state *state)
{
    fetched kept = take_result(state), again = kept;
    robots_rules *rules;
    robots_str record;
    robots_verdict word;
    char *copy;
    size_t place, len;
    robots_outcome_info one, two;

    if (kept.outcome == NULL)
        return;
    place = below(state, (unsigned)kept.count);
    judge(&kept, place, NULL);
    /* Made when first asked for, perhaps by several at once. */
    DEMAND(robots_outcome_encode(kept.outcome, &record) == ROBOTS_OK && record.len > 0);
    DEMAND(robots_outcome_decode(again.who, again.count, record.ptr, record.len, &again.outcome) == ROBOTS_OK);
    one = outcome_info(kept.outcome);
    two = outcome_info(again.outcome);
    /* All numbers are before the texts. */
    DEMAND(memcmp(&one, &two, offsetof(robots_outcome_info, origin)) == 0);
    DEMAND(same_text(one.origin, two.origin) && same_text(one.final_url, two.final_url));
    DEMAND(same_text(one.etag, two.etag) && same_text(one.last_modified, two.last_modified));
    rules = robots_rules_retain(robots_outcome_rules(kept.outcome, place));
    DEMAND(same_text(robots_rules_image(rules), robots_rules_image(robots_outcome_rules(again.outcome, place))));
    word = robots_rules_check(rules, TEXT("https://example.com/a"));
    len = record.len;
    copy = exact_copy(record.ptr, len);
    drop_result(&kept);
    DEMAND(robots_rules_check(rules, TEXT("https://example.com/a")).bits == word.bits); /* the rules live on */
    robots_rules_free(rules);
    put_result(state, &again);

    again.outcome = NULL;
    copy[below(state, (unsigned)len)] ^= (char)(1 << below(state, 8));
    DEMAND(robots_outcome_decode(again.who, again.count, copy, len, &again.outcome) != ROBOTS_OK
           && again.outcome == NULL);
    free(copy);
}

static void empty_results(void)
{
    size_t i;

    for (i = 0; i < LENGTH(results); i++) {
        drop_result(&results[i].here);
        results[i].here.outcome = NULL;
    }
}

#endif
