/* The soak's work with many sites: caches that all threads share, and their tickets, which go from thread to thread. */
#ifndef ROBOTS_TESTS_SOAK_CACHES_H
#define ROBOTS_TESTS_SOAK_CACHES_H

#include "soak_fetches.h"

enum { SITES = 400, CACHES = 2, CACHE_BOUND = 150000 /* about a third of the sites fit */ };

static unsigned long questions; /* atomic; 50 of all threads take a second of the caches' time */

static uint64_t now_there(void)
{
    return NOW + __atomic_add_fetch(&questions, 1, __ATOMIC_RELAXED) * 20;
}

/* Each thread has a reference of its own to each; see crawl_sites. Of site 0, 10, 20 ... there is no robots.txt; all others
 * forbid /private, so that it may never be fetched, whatever happens. */
typedef struct {
    robots_cache *caches[CACHES];
} share;

static const char FORBIDS[] = "User-agent: *\nDisallow: /private\nSitemap: https://example.com/s.xml\n";

static struct {
    pthread_mutex_t lock;
    robots_ticket *ticket; /* for anyone to finish, or NULL */
} tickets[8];

static void new_caches(share *out)
{
    int i;

    for (i = 0; i < CACHES; i++) {
        out->caches[i] = NULL;
        DEMAND(robots_cache_new(crawlers[0], CACHE_BOUND, &out->caches[i]) == ROBOTS_OK);
        DEMAND(robots_cache_add_crawler(out->caches[i], crawlers[1]) == ROBOTS_OK);
        DEMAND(robots_cache_set(out->caches[i], ROBOTS_CACHE_OPT_TICKET_TTL_MS, 20000) == ROBOTS_OK);
    }
}

static size_t url_of(unsigned site, char *to, size_t room)
{
    return (size_t)snprintf(to, room, "https://site-%u.example/private/page", site);
}

/* Fetches for a ticket, and ends it. */
static void serve(random_state *state, robots_ticket *ticket)
{
    robots_str origin = robots_ticket_origin(ticket);
    unsigned site = 0;
    uint64_t now = now_there();
    robots_outcome *outcome = NULL;
    robots_fetch *fetch = NULL;
    char name[64];

    DEMAND(origin.len > 0 && origin.len < sizeof name);
    snprintf(name, sizeof name, "%.*s", (int)origin.len, origin.ptr);
    DEMAND(sscanf(name, "https://site-%u.example", &site) == 1);
    DEMAND(robots_ticket_fetch(ticket, now, &fetch) == ROBOTS_OK);
    DEMAND(robots_fetch_report_status(fetch, site % 10 == 0 ? 404 : one_in(state, 4) ? 503 : 200, now) == ROBOTS_OK);
    DEMAND(robots_fetch_report_headers_end(fetch) == ROBOTS_OK);
    if (robots_fetch_step(fetch) == ROBOTS_STEP_BODY) {
        DEMAND(robots_fetch_report_body(fetch, TEXT(FORBIDS)) == ROBOTS_OK);
        DEMAND(robots_fetch_report_end(fetch, ROBOTS_FAILURE_NONE, now) == ROBOTS_OK);
    }
    DEMAND(robots_fetch_outcome(fetch, &outcome) == ROBOTS_OK);
    robots_fetch_free(fetch);
    DEMAND(robots_ticket_finish(ticket, outcome, now) == ROBOTS_OK);
    DEMAND(robots_ticket_finish(ticket, outcome, now) == ROBOTS_E_STATE);
    robots_outcome_free(outcome);
    robots_ticket_free(ticket);
}

/* Leaves a ticket for another thread, and takes the one that was there. */
static robots_ticket *swap_ticket(random_state *state, robots_ticket *ticket)
{
    unsigned which = below(state, LENGTH(tickets));
    robots_ticket *old;

    locked(&tickets[which].lock);
    old = tickets[which].ticket;
    tickets[which].ticket = ticket;
    unlocked(&tickets[which].lock);
    return old;
}

static void visit(random_state *state, const robots_cache *cache)
{
    robots_cache_answer answer = {.size = sizeof answer};
    unsigned site = below(state, one_in(state, 2) ? 20 : SITES);
    char url[64];
    size_t len = url_of(site, url, sizeof url);
    robots_verdict word = sound(robots_cache_check(cache, below(state, 2), url, len, now_there(), &answer));

    DEMAND(word.bits == answer.verdict.bits);
    DEMAND(!ROBOTS_VERDICT_ALLOWED(word) || (site % 10 == 0 && answer.action == ROBOTS_CACHE_DECIDED));
    DEMAND(cache_counts(cache).bytes <= CACHE_BOUND);
    if (answer.ticket != NULL) {
        robots_ticket *ticket = one_in(state, 3) ? swap_ticket(state, answer.ticket) : answer.ticket;

        if (ticket != NULL && !one_in(state, 6))
            serve(state, ticket);
        else
            robots_ticket_free(ticket);
    }
}

static void crawl_sites(random_state *state, const share *mine)
{
    robots_cache *cache = PICK(state, mine->caches);
    unsigned i;

    for (i = 0; i < 20; i++)
        visit(state, cache);
}

static void look_into_cache(random_state *state, const share *mine)
{
    const robots_cache *cache = PICK(state, mine->caches);
    unsigned site = below(state, SITES);
    robots_cache_answer answer = {.size = sizeof answer};
    robots_outcome *known = NULL;
    char url[64];
    size_t len = url_of(site, url, sizeof url);

    DEMAND(robots_cache_outcome(cache, url, len, &known) == ROBOTS_OK);
    if (one_in(state, 4))
        DEMAND(robots_cache_remove(cache, url, len) == ROBOTS_OK);
    if (one_in(state, 200))
        DEMAND(robots_cache_remove(cache, "*", 1) == ROBOTS_OK);
    if (known != NULL) { /* it does not change when the cache does */
        DEMAND(ROBOTS_VERDICT_ALLOWED(robots_rules_check(robots_outcome_rules(known, 1), url, len))
               <= (site % 10 == 0));
        robots_outcome_free(known);
    }
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 2, url, len, NOW, &answer)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, TEXT("mailto:x"), NOW, &answer)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(NULL, 0, url, len, NOW, &answer)) && answer.ticket == NULL);
    DEMAND(cache_counts(cache).sites <= SITES);
}

/* Where records go, and how many. */
typedef struct {
    random_state *state;
    robots_cache *to;
    unsigned left;
} transport;

static uint32_t carry_record(void *context, const char *record, size_t len)
{
    transport *with = context;
    char *copy = exact_copy(record, len);
    robots_status status;

    if (one_in(with->state, 8)) {
        copy[below(with->state, (unsigned)len)] ^= (char)(1 << below(with->state, 8));
        DEMAND(robots_cache_import(with->to, copy, len) != ROBOTS_OK);
    } else {
        status = robots_cache_import(with->to, copy, len);
        DEMAND(status == ROBOTS_OK || status == ROBOTS_E_MEMORY /* it is full */);
    }
    free(copy);
    return --with->left == 0;
}

/* Takes some records from one cache to the other, one in eight of them damaged. */
static void carry_records(random_state *state, const share *mine)
{
    unsigned from = below(state, CACHES);
    transport with = {state, mine->caches[(from + 1) % CACHES], 30};

    DEMAND(robots_cache_each(mine->caches[from], carry_record, &with) == ROBOTS_OK);
}

static void empty_tickets(void)
{
    size_t i;

    for (i = 0; i < LENGTH(tickets); i++) {
        robots_ticket_free(tickets[i].ticket); /* its cache is gone */
        tickets[i].ticket = NULL;
    }
}

#endif
