/* robots_cache and robots_ticket: ownership, 8 threads, and a forked child. tests/drivers asks the scripts of the cache. */
#define _DEFAULT_SOURCE /* for fork and mmap beside -std=c11 */
#include "harness.h"
#include "support.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOW UINT64_C(1800000000000)
#define DAY UINT64_C(86400000)

static const char RULES[] = "user-agent: *\ndisallow: /private\n";

#define TEXT(text) (text), sizeof(text) - 1

static robots_crawler *crawler;

static robots_cache *new_cache(size_t max_bytes)
{
    robots_cache *cache = NULL;
    robots_status status = robots_cache_new(crawler, max_bytes, &cache);

    if (status != ROBOTS_OK || cache == NULL)
        give_up("robots_cache_new", status);
    return cache;
}

/* Checks a copy of exactly the URL's bytes. */
static robots_cache_answer ask(const robots_cache *cache, uint32_t who, const char *url, uint64_t now_ms)
{
    robots_cache_answer answer;
    size_t len = strlen(url);
    char *copy = exact_copy(url, len);
    robots_verdict verdict;

    memset(&answer, 0xA5, sizeof answer);
    answer.size = sizeof answer;
    verdict = robots_cache_check(cache, who, copy, len, now_ms, &answer);
    free(copy);
    CHECK(verdict.bits == answer.verdict.bits);
    CHECK(answer.size == sizeof answer && answer.crawl_delay_cut == 0);
    CHECK(answer.action == ROBOTS_CACHE_DECIDED || !ROBOTS_VERDICT_ALLOWED(verdict));
    CHECK((answer.action == ROBOTS_CACHE_FETCH) <= (answer.ticket != NULL));
    return answer;
}

/* Answers a ticket's requests: `status`, and `body` if there is one. */
static robots_outcome *retrieve(const robots_ticket *ticket, uint32_t status, const char *body, uint64_t now_ms)
{
    robots_fetch *fetch = NULL;
    robots_outcome *outcome = NULL;

    CHECK_INT(robots_ticket_fetch(ticket, now_ms, &fetch), ROBOTS_OK);
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_GET);
    CHECK_INT(robots_fetch_report_status(fetch, status, now_ms), ROBOTS_OK);
    CHECK_INT(robots_fetch_report_headers_end(fetch), ROBOTS_OK);
    if (robots_fetch_step(fetch) == ROBOTS_STEP_BODY) {
        CHECK_INT(robots_fetch_report_body(fetch, body, strlen(body)), ROBOTS_OK);
        CHECK_INT(robots_fetch_report_end(fetch, ROBOTS_FAILURE_NONE, now_ms), ROBOTS_OK);
    }
    CHECK_INT(robots_fetch_step(fetch), ROBOTS_STEP_DONE);
    CHECK_INT(robots_fetch_outcome(fetch, &outcome), ROBOTS_OK);
    robots_fetch_free(fetch);
    return outcome;
}

/* Fetches what a ticket is for, and ends it. */
static void serve(robots_ticket *ticket, uint32_t status, const char *body, uint64_t now_ms)
{
    robots_outcome *outcome = retrieve(ticket, status, body, now_ms);

    CHECK_INT(robots_ticket_finish(ticket, outcome, now_ms), ROBOTS_OK);
    robots_outcome_free(outcome);
    robots_ticket_free(ticket);
}

/* The fields of an answer beside its verdict, also after an error. A file that does not fit is deferred for its lifetime. */
static void answers(void)
{
    enum { LEN = 400000 };
    robots_cache *cache = new_cache(65536);
    robots_cache_answer answer = ask(cache, 0, "https://example.com/", NOW);
    robots_outcome *outcome = NULL;
    char *body = malloc(LEN + 64);
    size_t len = (size_t)sprintf(body, "user-agent: *\n");
    robots_str origin = robots_ticket_origin(answer.ticket);
    int i;

    CHECK(origin.len == 19 && memcmp(origin.ptr, "https://example.com", 19) == 0);
    for (i = 0; len < LEN; i++)
        len += (size_t)sprintf(body + len, "disallow: /%d\n", i * 7919);
    outcome = retrieve(answer.ticket, 200, body, NOW);
    CHECK_INT(robots_ticket_finish(answer.ticket, outcome, NOW), ROBOTS_E_MEMORY);
    robots_ticket_free(answer.ticket);
    robots_outcome_free(outcome);
    free(body);
    answer = ask(cache, 0, "https://example.com/x", NOW + 863000);
    CHECK_INT(answer.action, ROBOTS_CACHE_DEFER); /* no word of the site: the URL is kept */
    CHECK_INT(answer.until_ms, NOW + DAY);
    CHECK(answer.verdict.bits == verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_MEMORY, 0).bits && answer.ticket == NULL);
    answer = ask(cache, 7, "https://example.com/", NOW);
    CHECK(answer.action == ROBOTS_CACHE_DEFER && answer.until_ms == NOW + 60000 && answer.ticket == NULL);
    CHECK(answer.verdict.bits == verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_ARG, 0).bits);
    answer = ask(cache, 0, "no-url", NOW);
    CHECK(answer.action == ROBOTS_CACHE_DECIDED && answer.until_ms == 0 && answer.ticket == NULL);
    CHECK(answer.verdict.bits == verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0).bits);
    robots_cache_free(cache);
}

/* An outcome outlives its place in the cache, whose bytes are counted. */
static void an_outcome_outlives_its_place(void)
{
    robots_cache *cache = new_cache(1000000);
    robots_outcome *known = NULL;

    serve(ask(cache, 0, "https://example.com/", NOW).ticket, 200, RULES, NOW);
    CHECK(cache_counts(cache).bytes > 0 && cache_counts(cache).bytes < 2000);
    CHECK_INT(robots_cache_outcome(cache, TEXT("https://EXAMPLE.com/x"), &known), ROBOTS_OK);
    CHECK_INT(robots_cache_remove(cache, TEXT("https://example.com/x")), ROBOTS_OK);
    CHECK_INT(cache_counts(cache).bytes, 0);
    robots_cache_free(cache);
    CHECK(robots_rules_image(robots_outcome_rules(known, 0)).len > 0);
    robots_outcome_free(known);
}

static void settings_have_their_time(void)
{
    robots_cache *cache = new_cache(1000000);
    robots_ticket *ticket;
    int i;

    for (i = 1; i < 16; i++)
        CHECK_INT(robots_cache_add_crawler(cache, crawler), ROBOTS_OK);
    CHECK_INT(robots_cache_add_crawler(cache, crawler), ROBOTS_E_ARG);
    robots_cache_free(cache);

    cache = new_cache(1000000);
    ticket = ask(cache, 0, "https://example.com/", NOW).ticket;
    CHECK_INT(robots_cache_add_crawler(cache, crawler), ROBOTS_E_STATE);
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL_MS, 5000), ROBOTS_E_STATE);
    robots_ticket_free(ticket);
    robots_cache_free(cache);
}

static void tickets_outlive_their_cache(void)
{
    robots_cache *cache = new_cache(1000000);
    robots_ticket *dead, *next;
    robots_outcome *outcome;

    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL_MS, 5000), ROBOTS_OK);
    dead = ask(cache, 0, "https://example.com/", NOW).ticket;
    CHECK_INT(ask(cache, 0, "https://example.com/", NOW + 4000).action, ROBOTS_CACHE_WAIT);
    next = ask(cache, 0, "https://example.com/", NOW + 5000).ticket;
    CHECK(next != NULL);
    robots_ticket_free(dead); /* not the one that is out now */
    CHECK_INT(ask(cache, 0, "https://example.com/", NOW + 6000).action, ROBOTS_CACHE_WAIT);
    /* Until the timeout, for a ticket that is out; not at all without one. */
    CHECK_INT(robots_cache_wait(cache, "https://example.com/page", 24, 20), ROBOTS_OK);
    CHECK_INT(robots_cache_wait(cache, "https://other.example/", 22, UINT64_MAX), ROBOTS_OK);
    CHECK_INT(robots_cache_wait(cache, "example.com", 11, UINT64_MAX), ROBOTS_E_URL);

    outcome = retrieve(next, 404, "", NOW + 6000);
    robots_cache_free(cache);
    CHECK_INT(robots_ticket_finish(next, outcome, NOW + 6000), ROBOTS_OK);
    CHECK_INT(robots_ticket_finish(next, outcome, NOW + 6000), ROBOTS_E_STATE);
    robots_ticket_free(next);
    robots_outcome_free(outcome);
}

/* A cache and how many records it received. */
typedef struct {
    robots_cache *cache, *source;
    size_t records;
} receiver;

/* Imports a record, and refuses what is damaged. In the middle of the list it frees the cache that is listed. */
static uint32_t take(void *context, const char *record, size_t len)
{
    receiver *to = context;
    char *copy = exact_copy(record, len);

    copy[len / 2] ^= 1;
    CHECK(robots_cache_import(to->cache, copy, len) != ROBOTS_OK);
    copy[len / 2] ^= 1;
    CHECK(robots_cache_import(to->cache, copy, len - 1) != ROBOTS_OK);
    CHECK_INT(cache_counts(to->cache).sites, to->records);
    CHECK_INT(robots_cache_import(to->cache, copy, len), ROBOTS_OK);
    free(copy);
    if (++to->records == 5)
        robots_cache_free(to->source);
    return 0;
}

/* Stops after the second record. */
static uint32_t take_two(void *context, const char *record, size_t len)
{
    CHECK(record != NULL && len > 0);
    return ++*(size_t *)context == 2 ? 77 : 0;
}

static void a_cache_is_taken_along(void)
{
    robots_cache *cache = new_cache(1000000), *warm = new_cache(1000000);
    receiver to = {warm, cache, 0};
    size_t two = 0;
    int site;

    for (site = 0; site < 10; site++) {
        char url[64];

        snprintf(url, sizeof url, "https://site-%d.example/", site);
        serve(ask(cache, 0, url, NOW).ticket, site % 2 == 0 ? 200 : 404, RULES, NOW);
    }
    CHECK_INT(robots_cache_each(cache, take_two, &two), ROBOTS_OK);
    CHECK_INT(two, 2);
    CHECK_INT(robots_cache_each(cache, take, &to), ROBOTS_OK);
    CHECK_INT(to.records, 10);
    CHECK_INT(cache_counts(warm).sites, 10);
    CHECK(!ROBOTS_VERDICT_ALLOWED(ask(warm, 0, "https://site-4.example/private", NOW).verdict));
    CHECK(ROBOTS_VERDICT_ALLOWED(ask(warm, 0, "https://site-5.example/private", NOW).verdict));
    robots_cache_free(warm);
}

/* A write that the system ends early leaves the old file, and nothing beside it. */
static void a_cache_is_kept_in_a_file(void)
{
    static const char absent[] = "/tmp/no-such-folder/cache.records";
    robots_cache *cache = new_cache(1000000), *warm = new_cache(1000000);
    robots_cache_file file = {.size = sizeof file};
    robots_status status;
    struct rlimit limit, small;
    char path[64];
    size_t len = (size_t)snprintf(path, sizeof path, "/tmp/librobots-kept-%ld.records", (long)getpid());

    serve(ask(cache, 0, "https://example.com/", NOW).ticket, 200, RULES, NOW);
    CHECK_INT(robots_cache_save(cache, path, len, &file), ROBOTS_OK);
    CHECK_INT(file.records, 1);
    CHECK_INT(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 20;
    signal(SIGXFSZ, SIG_IGN);
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &small), 0);
    status = robots_cache_save(cache, path, len, &file);
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &limit), 0);
    CHECK_INT(status, ROBOTS_E_FILE);
    CHECK_INT(file.os_error, EFBIG);
    CHECK_INT(file.records, 0);
    CHECK_INT(robots_cache_save(cache, absent, sizeof absent - 1, &file), ROBOTS_E_FILE);
    CHECK_INT(file.os_error, ENOENT);
    CHECK_INT(robots_cache_load(warm, path, len, &file), ROBOTS_OK);
    CHECK_INT(file.records, 1);
    CHECK_INT(file.foreign + file.damaged + file.no_room + (size_t)file.os_error, 0);
    CHECK(!ROBOTS_VERDICT_ALLOWED(ask(warm, 0, "https://example.com/private", NOW).verdict));
    CHECK_INT(remove(path), 0);
    CHECK_INT(robots_cache_load(warm, path, len, &file), ROBOTS_E_FILE);
    CHECK_INT(file.os_error, ENOENT);
    robots_cache_free(warm);
    robots_cache_free(cache);
}

/* --- threads --- */

enum { THREADS = 8, SITES = 500, ROUNDS = 4000, BOUND = 300000 }; /* half of the sites fit */

static unsigned out[SITES]; /* how many tickets are out for each site */

typedef struct {
    pthread_t thread;
    robots_cache *cache;
    unsigned number;
    unsigned long wrong, decided;
} worker;

static void *crawl(void *argument)
{
    worker *self = argument;
    unsigned state = self->number, round;
    robots_outcome *outcome;

    for (round = 0; round < ROUNDS; round++) {
        robots_cache_answer answer;
        unsigned site = (state = state * 1103515245u + 12345u) >> 16 & 0x7FFFu;
        char url[64];
        int len;

        site %= SITES;
        len = snprintf(url, sizeof url, "https://site-%u.example/private", site);
        answer.size = sizeof answer;
        robots_cache_check(self->cache, 0, url, (size_t)len, NOW, &answer);
        self->wrong += ROBOTS_VERDICT_ALLOWED(answer.verdict) || cache_counts(self->cache).bytes > BOUND;
        self->decided += answer.action == ROBOTS_CACHE_DECIDED;
        if (answer.ticket == NULL)
            continue;
        self->wrong += __atomic_fetch_add(&out[site], 1, __ATOMIC_SEQ_CST) != 0;
        outcome = NULL;
        if (round % 4 != 0)
            self->wrong += robots_outcome_from_status(crawler, url, (size_t)len, 200,
                                                    RULES, sizeof RULES - 1, NOW, &outcome) != ROBOTS_OK;
        __atomic_fetch_sub(&out[site], 1, __ATOMIC_SEQ_CST);
        if (outcome != NULL)
            self->wrong += robots_ticket_finish(answer.ticket, outcome, NOW) != ROBOTS_OK;
        robots_ticket_free(answer.ticket);
        robots_outcome_free(outcome);
    }
    return NULL;
}

static void many_threads_share_a_cache(void)
{
    robots_cache *cache = new_cache(BOUND);
    worker workers[THREADS];
    unsigned i;
    unsigned long decided = 0;

    for (i = 0; i < THREADS; i++) {
        workers[i].cache = cache;
        workers[i].number = i;
        workers[i].wrong = workers[i].decided = 0;
    }
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&workers[i].thread, NULL, crawl, &workers[i]) != 0)
            give_up("pthread_create", ROBOTS_OK);
    for (i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_join(workers[i].thread, NULL), 0);
        CHECK_INT(workers[i].wrong, 0);
        decided += workers[i].decided;
    }
    CHECK(decided > 0);
    CHECK(cache_counts(cache).sites > 50 && cache_counts(cache).bytes <= BOUND);
    robots_cache_free(cache);
}

/* --- a forked child --- */

enum { FORKS = 60, FORK_THREADS = 4 };

/* At the fork another thread may hold a lock of AddressSanitizer, and the child could never allocate or free. So there the
 * threads end before the fork. The C library's allocator is made ready for a fork. */
#ifdef __SANITIZE_ADDRESS__
enum { FORK_BESIDE_THREADS = 0 };
#else
enum { FORK_BESIDE_THREADS = 1 };
#endif

static int stop; /* the threads */

static void *use(void *argument)
{
    worker *self = argument;

    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        worker round = *self;

        crawl(&round);
    }
    return NULL;
}

/* What every function does in a child with a cache of its parent: report it, and neither hang nor crash. */
static int all_report_the_fork(robots_cache *cache, robots_ticket *ticket, const robots_outcome *outcome, robots_str record)
{
    static const char url[] = "https://site-1.example/private";
    robots_outcome *known = NULL;
    robots_cache_answer answer;
    robots_cache_file file = {.size = sizeof file};
    robots_cache_counts counts;
    size_t records = 0;
    int wrong = 0;

    answer.size = sizeof answer;
    robots_cache_check(cache, 0, url, sizeof url - 1, NOW, &answer);
    wrong |= answer.verdict.bits != verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_STATE, 0).bits || answer.ticket != NULL;
    wrong |= robots_cache_outcome(cache, url, sizeof url - 1, &known) != ROBOTS_E_STATE || known != NULL;
    wrong |= robots_cache_remove(cache, url, sizeof url - 1) != ROBOTS_E_STATE;
    wrong |= robots_cache_wait(cache, url, sizeof url - 1, UINT64_MAX) != ROBOTS_E_STATE;
    wrong |= robots_cache_import(cache, record.ptr, record.len) != ROBOTS_E_STATE;
    wrong |= robots_ticket_finish(ticket, outcome, NOW) != ROBOTS_E_STATE;
    wrong |= robots_cache_each(cache, take_two, &records) != ROBOTS_E_STATE || records != 0;
    wrong |= robots_cache_save(cache, "/tmp/x", 6, &file) != ROBOTS_E_STATE;
    wrong |= robots_cache_load(cache, "/tmp/x", 6, &file) != ROBOTS_E_STATE;
    counts.size = sizeof counts;
    wrong |= robots_cache_count(cache, &counts) != ROBOTS_E_STATE || counts.sites != 0;
    CHECK_INT(robots_cache_remove(cache, "*", 1), ROBOTS_OK);
    robots_ticket_free(ticket);
    robots_cache_free(cache);
    return wrong;
}

/* Nothing else is shared: rules decide, and a cache of the child's own serves. */
static int the_rest_works(robots_str record)
{
    static const char url[] = "https://example.com/private";
    robots_cache *own = NULL;
    robots_cache_answer answer;

    answer.size = sizeof answer;
    if (robots_cache_new(crawler, 100000, &own) != ROBOTS_OK ||
        robots_cache_import(own, record.ptr, record.len) != ROBOTS_OK)
        return 0;
    robots_cache_check(own, 0, url, sizeof url - 1, NOW, &answer);
    robots_cache_free(own);
    return answer.verdict.bits == verdict_of(0, ROBOTS_REASON_RULE_DISALLOWED, ROBOTS_OK, 2).bits;
}

static void start_threads(worker *workers, robots_cache *cache)
{
    unsigned i;

    stop = 0;
    for (i = 0; i < FORK_THREADS; i++) {
        workers[i].cache = cache;
        workers[i].number = 77 + i;
        if (pthread_create(&workers[i].thread, NULL, use, &workers[i]) != 0)
            give_up("pthread_create", ROBOTS_OK);
    }
    while (cache_counts(cache).sites < 50)
        sched_yield();
}

static void end_threads(const worker *workers)
{
    unsigned i;

    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (i = 0; i < FORK_THREADS; i++)
        CHECK_INT(pthread_join(workers[i].thread, NULL), 0);
}

/* A thread may hold a lock when another forks: the child would wait for it forever. */
static void a_forked_child_is_refused(void)
{
    robots_cache *cache = new_cache(BOUND);
    robots_ticket *ticket = ask(cache, 0, "https://example.com/", NOW).ticket;
    robots_outcome *outcome = retrieve(ticket, 200, RULES, NOW);
    robots_str record = {NULL, 0};
    worker workers[FORK_THREADS];
    /* Shared with the children: valgrind replaces the exit status of a process that leaves memory behind. */
    volatile int *report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned i;
    int status;

    if (report == MAP_FAILED)
        give_up("mmap", ROBOTS_OK);
    CHECK_INT(robots_outcome_encode(outcome, &record), ROBOTS_OK);
    start_threads(workers, cache);
    if (!FORK_BESIDE_THREADS)
        end_threads(workers);
    for (i = 0; i < FORKS; i++) {
        pid_t child = (*report = -1, fork());

        if (child == 0) {
            alarm(60); /* ends a child that hangs */
            *report = all_report_the_fork(cache, ticket, outcome, record) != 0 ? 1 : the_rest_works(record) ? 0 : 2;
            _exit(0);
        }
        CHECK(child > 0);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK_INT(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0);
        CHECK_INT(*report, 0);
    }
    if (FORK_BESIDE_THREADS)
        end_threads(workers);
    munmap((void *)report, sizeof *report);
    /* The parent's cache is as it was. */
    CHECK_INT(robots_ticket_finish(ticket, outcome, NOW), ROBOTS_OK);
    robots_ticket_free(ticket);
    robots_outcome_free(outcome);
    CHECK(!ROBOTS_VERDICT_ALLOWED(ask(cache, 0, "https://example.com/private", NOW).verdict));
    robots_cache_free(cache);
}

/* SPEC 3.9, 3.10. */
enum { TAKERS = 8, TURNS = 500 };

typedef struct {
    pthread_t thread;
    const robots_cache *cache;
    uint64_t turns[TURNS];
} taker;

static void *take_turns(void *context)
{
    taker *self = context;
    size_t i;

    for (i = 0; i < TURNS; i++) {
        robots_cache_answer answer;

        answer.size = sizeof answer;
        robots_cache_request(self->cache, 0, TEXT("https://example.com/open"), NO_SLOT, NOW, &answer);
        self->turns[i] = ROBOTS_VERDICT_ALLOWED(answer.verdict) ? answer.slot.at_ms : 0;
    }
    return NULL;
}

static int by_number(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static void requests_are_a_delay_apart(void)
{
    static const char body[] = "User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n";
    static taker takers[TAKERS];
    static uint64_t turns[TAKERS * TURNS];
    robots_cache *cache = NULL;
    size_t i;

    CHECK_INT(robots_cache_new(crawler, 1000000, &cache), ROBOTS_OK);
    CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_HORIZON_MS, 86400000), ROBOTS_OK);
    serve(ask(cache, 0, "https://example.com/open", NOW).ticket, 200, body, NOW);
    for (i = 0; i < TAKERS; i++) {
        takers[i].cache = cache;
        CHECK_INT(pthread_create(&takers[i].thread, NULL, take_turns, &takers[i]), 0);
    }
    for (i = 0; i < TAKERS; i++) {
        CHECK_INT(pthread_join(takers[i].thread, NULL), 0);
        memcpy(turns + i * TURNS, takers[i].turns, sizeof takers[i].turns);
    }
    qsort(turns, TAKERS * TURNS, sizeof turns[0], by_number);
    for (i = 0; i < TAKERS * TURNS; i++)
        CHECK_INT(turns[i] - NOW, 200 * (i + 1));
    CHECK_INT(cache_counts(cache).hits, TAKERS * TURNS);
    robots_cache_free(cache);
}

/* The record of a cache decides in place in forked children, which may not use the cache. */
static void a_record_decides_in_forked_children(void)
{
    robots_cache *cache = new_cache(1000000);
    robots_outcome *outcome = NULL;
    robots_str record;
    char *shared;
    int i;

    serve(ask(cache, 0, "https://example.com/", NOW).ticket, 200, RULES, NOW);
    CHECK_INT(robots_cache_outcome(cache, TEXT("https://example.com/"), &outcome), ROBOTS_OK);
    CHECK_INT(robots_outcome_encode(outcome, &record), ROBOTS_OK);
    shared = mmap(NULL, record.len + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    memcpy(shared, record.ptr, record.len);
    for (i = 0; i < 3; i++) {
        /* Not the exit status: valgrind sets it, since a child frees nothing of its parent. */
        volatile char *answer = shared + record.len;
        int status = -1;
        pid_t child = fork();

        if (child == 0) {
            const char *site = i == 2 ? "https://other.example/private" : "https://example.com/private";
            uint64_t now = NOW + (i == 1 ? DAY : 0);
            robots_verdict verdict = robots_record_check(shared, record.len, 0, site, strlen(site), now);
            robots_verdict open = robots_record_check(shared, record.len, 0, TEXT("/open"), now);

            *answer = i == 0 ? ROBOTS_VERDICT_REASON(verdict) == ROBOTS_REASON_RULE_DISALLOWED && ROBOTS_VERDICT_ALLOWED(open)
                      : i == 1 ? ROBOTS_VERDICT_REASON(verdict) == ROBOTS_REASON_DEFER && !ROBOTS_VERDICT_ALLOWED(open)
                               : ROBOTS_VERDICT_STATUS(verdict) == ROBOTS_E_URL;
            _exit(0);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
        CHECK_INT(*answer, 1);
        *answer = 0;
    }
    munmap(shared, record.len + 1);
    robots_outcome_free(outcome);
    robots_cache_free(cache);
}

int main(void)
{
    static const test tests[] = {
        {"answers", answers},
        {"an outcome outlives its place", an_outcome_outlives_its_place},
        {"settings have their time", settings_have_their_time},
        {"tickets outlive their cache", tickets_outlive_their_cache},
        {"a cache is taken along", a_cache_is_taken_along},
        {"a cache is kept in a file", a_cache_is_kept_in_a_file},
        {"many threads share a cache", many_threads_share_a_cache},
        {"a forked child is refused", a_forked_child_is_refused},
        {"requests are a delay apart", requests_are_a_delay_apart},
        {"a record decides in forked children", a_record_decides_in_forked_children},
    };
    int result;

    crawler = new_crawler("ExampleBot");
    result = RUN_TESTS("cache", tests);
    robots_crawler_free(crawler);
    return result;
}
