/* Random work in 4 threads, over all of the C API: rules, crawlers, images, outcomes, caches and tickets go from thread to
 * thread, are retained and freed anywhere, and each verdict is compared with that of another thread.
 *
 * It goes on for ROBOTS_SOAK_SECONDS (2 unless set), in rounds of a second with new threads, crawlers and caches;
 * ROBOTS_SOAK_SEED (1 unless set) chooses what each thread does, though not when. The memory is level: within a round the
 * heap keeps to a bound, and after each round, with all handles freed, exactly as much is left as after the first.
 * Linked as test_memory.c is, so that all of the heap is counted. */
#define _DEFAULT_SOURCE /* for the clock and pthread_rwlock_t beside -std=c11 */

#include "harness.h"
#include "soak.h"
#include "soak_caches.h"
#include "soak_fetches.h"
#include "soak_memory.h"
#include "soak_rules.h"

#include <time.h>

enum {
    THREADS = 4,
    /* Beside the bounds of the caches: what stands in the places (a few KB each), what 4 threads work with, the maps of
     * the caches, and what these have forgotten but cannot give back before other threads have moved on. */
    BESIDE = 4000000,
    /* Past so many seconds the resident memory shows a trend, if there is one. */
    LONG_RUN = 60
};

/* Work that needs the thread's caches has the other form. */
static const struct {
    const char *name;
    void (*alone)(random_state *state);
    void (*with_caches)(random_state *state, const share *mine);
} WORK[] = {
    {"make rules", make_rules, NULL},
    {"ask rules", ask_rules, NULL},
    {"carry an image", carry_image, NULL},
    {"whole sites and misuse", whole_sites, NULL},
    {"explain, lint, extensions", write_study, NULL},
    {"read what was explained", read_study, NULL},
    {"constants", read_constants, NULL},
    {"fetch", fetch_somehow, NULL},
    {"outcome of a status", know_the_status, NULL},
    {"outcome to record and back", record_outcome, NULL},
    {"visit sites by a cache", NULL, crawl_sites},
    {"look into a cache", NULL, look_into_cache},
    {"carry records", NULL, carry_records},
};

static unsigned long done[LENGTH(WORK)]; /* atomic */
static struct timespec round_end;
static long most_live;

typedef struct {
    pthread_t thread;
    share mine;
    random_state state;
} worker;

static int is_over(struct timespec end)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

static void *work(void *argument)
{
    worker *self = argument;
    unsigned step;

    /* Each work at least once, however short the time. */
    for (step = 0; step < LENGTH(WORK) || !is_over(round_end); step++) {
        unsigned which = step < LENGTH(WORK) ? step : below(&self->state, LENGTH(WORK));

        if (WORK[which].alone != NULL)
            WORK[which].alone(&self->state);
        else
            WORK[which].with_caches(&self->state, &self->mine);
        __atomic_fetch_add(&done[which], 1, __ATOMIC_RELAXED);
        if (step % 16 == 0) {
            long here = live(), most = __atomic_load_n(&most_live, __ATOMIC_RELAXED);

            DEMAND(here <= CACHES * CACHE_BOUND + BESIDE);
            while (here > most
                   && !__atomic_compare_exchange_n(&most_live, &most, here, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                ;
        }
    }
    return NULL;
}

static void one_round(uint64_t seed)
{
    worker workers[THREADS];
    share caches;
    unsigned i, c;

    for (i = 0; i < RECIPES; i++)
        crawlers[i] = crawler_of(i);
    new_caches(&caches);
    clock_gettime(CLOCK_MONOTONIC, &round_end);
    round_end.tv_sec += 1;
    for (i = 0; i < THREADS; i++) {
        workers[i].state = (seed << 8) + i;
        workers[i].mine = caches;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            give_up("pthread_create", ROBOTS_OK);
    }
    for (i = 0; i < THREADS; i++)
        DEMAND(pthread_join(workers[i].thread, NULL) == 0);
    for (c = 0; c < CACHES; c++)
        robots_cache_free(caches.caches[c]); /* the tickets in their places keep what they need */
    empty_places();
    empty_results();
    empty_tickets();
    for (i = 0; i < RECIPES; i++)
        robots_crawler_free(crawlers[i]);
}

static unsigned long number(const char *variable, unsigned long otherwise)
{
    const char *text = getenv(variable);
    char *end = NULL;
    unsigned long found = text != NULL && *text != '\0' ? strtoul(text, &end, 10) : otherwise;

    if (end != NULL && *end != '\0') {
        printf("FAIL %s=%s is no number\n", variable, text);
        exit(EXIT_FAILURE);
    }
    return found;
}

static void all_work_in_many_threads(void)
{
    unsigned long seconds = number("ROBOTS_SOAK_SECONDS", 2), seed = number("ROBOTS_SOAK_SEED", 1), round;
    long left_live = 0, left_blocks = 0, early = 0, late = 0;
    struct timespec end;
    size_t i;

    write_batch();
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)seconds;
    for (round = 0; round < 2 || !is_over(end); round++) {
        long *half = round * 2 < seconds ? &early : &late;

        one_round(seed * 1000003 + round);
        *half = resident() > *half ? resident() : *half;
        if (round == 0) { /* what is made once and kept */
            left_live = live();
            left_blocks = live_blocks;
        }
        CHECK_INT(live(), left_live);
        CHECK_INT(live_blocks, left_blocks);
        if (wrong > 0)
            break;
    }
    for (i = 0; i < LENGTH(WORK); i++)
        printf("%10lu %s\n", done[i], WORK[i].name);
    printf("%lu rounds, seed %lu; %ld allocations; heap: at most %ld bytes, %ld in %ld blocks after a round; resident: at "
           "most %ld KiB in the first half, %ld in the second\n",
           round, seed, all_blocks, most_live, left_live, left_blocks, early, late);
    CHECK_INT(wrong, 0);
    if (seconds >= LONG_RUN)
        CHECK(late <= early + early / 8);
}

int main(void)
{
    static const test tests[] = {{"all work in many threads", all_work_in_many_threads}};
    size_t i;

    for (i = 0; i < LENGTH(places); i++)
        pthread_mutex_init(&places[i].lock, NULL);
    for (i = 0; i < LENGTH(desks); i++)
        pthread_rwlock_init(&desks[i].lock, NULL);
    for (i = 0; i < LENGTH(results); i++)
        pthread_mutex_init(&results[i].lock, NULL);
    for (i = 0; i < LENGTH(tickets); i++)
        pthread_mutex_init(&tickets[i].lock, NULL);
    return RUN_TESTS("soak", tests);
}
