/* 8 threads decide on one robots_rules at once, while they also retain and free it. */
#include "harness.h"
#include "support.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 2000 };

static const struct {
    const char *url;
    int allowed;
    uint32_t line;
} QUESTIONS[] = {
    {"https://example.com/", 1, 0},
    {"https://example.com/private/a", 0, 2},
    {"https://example.com/private/public", 1, 3},
    {"https://example.com/%e3%83%84/x", 0, 4},
    {"https://example.com/a/b.php", 0, 5},
    {"https://example.com/a/b.php?c", 1, 0},
    {"https://example.com/robots.txt", 1, 0},
};

typedef struct {
    pthread_t thread;
    const void *shared; /* what all threads use: robots_rules or robots_crawler */
    unsigned number;
    unsigned long wrong;
} worker;

/* Runs `work` on one shared thing in all threads; the answers must be right in each. */
static void run_workers(void *(*work)(void *), const void *shared)
{
    worker workers[THREADS];
    unsigned i;

    for (i = 0; i < THREADS; i++) {
        workers[i].shared = shared;
        workers[i].number = i;
        workers[i].wrong = 0;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            give_up("pthread_create", ROBOTS_OK);
    }
    for (i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_join(workers[i].thread, NULL), 0);
        CHECK_INT(workers[i].wrong, 0);
    }
}

/* The line of a rule in a list of its own. */
static size_t listed_line(const robots_rules *rules, size_t index)
{
    robots_rule_list *list = NULL;
    size_t line = 0;

    if (robots_rule_list_new(rules, &list) == ROBOTS_OK)
        line = rule_at(list, index).line;
    robots_rule_list_free(list);
    return line;
}

static void *decide_often(void *argument)
{
    worker *self = argument;
    const robots_rules *shared = self->shared;
    unsigned round;

    for (round = 0; round < ROUNDS; round++) {
        size_t which = (round + self->number) % (sizeof QUESTIONS / sizeof QUESTIONS[0]);
        robots_rules *own = robots_rules_retain(shared);
        const robots_rules *rules = round % 2 == 0 ? own : shared;
        robots_verdict verdict = robots_rules_check(rules, QUESTIONS[which].url, strlen(QUESTIONS[which].url));

        self->wrong += own == NULL
                     || ROBOTS_VERDICT_ALLOWED(verdict) != QUESTIONS[which].allowed
                     || ROBOTS_VERDICT_LINE(verdict) != QUESTIONS[which].line
                     || robots_rules_crawl_delay(rules) != 1.5
                     || sitemap_count(rules) != 1
                     || sitemap_at(rules, 0).len != strlen("/s.xml")
                     || listed_line(rules, which % 4) != which % 4 + 2;
        robots_rules_free(own);
    }
    return NULL;
}

static void many_threads_decide(void)
{
    robots_rules *rules = parse("user-agent: *\ndisallow: /private\nallow: /private/public\n"
                                "disallow: /\xe3\x83\x84\ndisallow: /*.php$\ncrawl-delay: 1.5\nsitemap: /s.xml\n");

    run_workers(decide_often, rules);
    CHECK(!allowed(rules, "/private"));
    robots_rules_free(rules);
}

/* One crawler parses in many threads, too: it is only read. */
static void *parse_often(void *argument)
{
    worker *self = argument;
    const robots_crawler *crawler = self->shared;
    unsigned round;

    for (round = 0; round < ROUNDS / 10; round++) {
        robots_rules *rules = parse_for(crawler, "user-agent: ExampleBot\ndisallow: /x\n");

        self->wrong += allowed(rules, "/x") || !allowed(rules, "/y");
        robots_rules_free(rules);
    }
    return NULL;
}

static void many_threads_parse(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");

    run_workers(parse_often, crawler);
    robots_crawler_free(crawler);
}

/* The text of a refused argument is that of the thread, whatever other threads do. */
static void *refuse_often(void *argument)
{
    worker *self = argument;
    const char *name = self->number % 2 == 0 ? "invalid argument: rules " : "invalid argument: out ";
    robots_str sitemap;
    unsigned round;

    for (round = 0; round < ROUNDS; round++) {
        robots_status status = self->number % 2 == 0 ? robots_rules_sitemap(NULL, 0, &sitemap) : robots_rules_sitemap(self->shared, 0, NULL);

        self->wrong += status != ROBOTS_E_ARG || strncmp(robots_status_text(status), name, strlen(name)) != 0;
    }
    return NULL;
}

static void each_thread_has_its_text(void)
{
    robots_rules *rules = parse("user-agent: *\ndisallow: /x\n");

    run_workers(refuse_often, rules);
    CHECK(strstr(robots_status_text(ROBOTS_E_ARG), "see the comment of the function") != NULL); /* none was refused here */
    robots_rules_free(rules);
}

int main(void)
{
    static const test tests[] = {
        {"many threads decide", many_threads_decide},
        {"many threads parse", many_threads_parse},
        {"each thread has its text", each_thread_has_its_text},
    };

    return RUN_TESTS("threads", tests);
}
