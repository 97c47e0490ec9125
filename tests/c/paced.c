/* paced: requests each URL from a thread of its own, at the pace of the site's robots.txt. tests/scripts/crawl runs it, and
 * compares the log of the server with the crawl-delay.
 *
 *     paced URL...
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep, clock_gettime */
#include <librobots.h>

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CACHE_BYTES = 16 << 20, BODY_BYTES = 512001 };

static robots_crawler *crawler;
static robots_cache *cache;
static uint64_t since_1970; /* what now_ms() adds to the monotonic clock, which nobody sets */

typedef struct {
    char bytes[BODY_BYTES];
    size_t len;
} text;

static uint64_t ms_of(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static uint64_t now_ms(void) { return since_1970 + ms_of(CLOCK_MONOTONIC); }

static void sleep_until(uint64_t ms)
{
    uint64_t now = now_ms(), rest = ms > now ? ms - now : 0;
    struct timespec time = {.tv_sec = (time_t)(rest / 1000), .tv_nsec = (long)(rest % 1000) * 1000000};

    nanosleep(&time, NULL);
}

static size_t on_body(char *piece, size_t one, size_t len, void *context)
{
    text *body = context;
    size_t room = len < sizeof body->bytes - body->len ? len : sizeof body->bytes - body->len;

    memcpy(body->bytes + body->len, piece, room);
    body->len += room;
    return one * room; /* less than `len` ends the transfer */
}

/* Returns the status of the response; 0: none. */
static uint32_t get(CURL *http, const char *url, text *body)
{
    long status = 0;

    body->len = 0;
    curl_easy_setopt(http, CURLOPT_URL, url);
    curl_easy_setopt(http, CURLOPT_USERAGENT, "ExampleBot");
    curl_easy_setopt(http, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(http, CURLOPT_TIMEOUT, 30L);
    curl_easy_setopt(http, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(http, CURLOPT_WRITEDATA, body);
    if (curl_easy_perform(http) == CURLE_OK)
        curl_easy_getinfo(http, CURLINFO_RESPONSE_CODE, &status);
    return (uint32_t)status;
}

static void use_ticket(robots_ticket *ticket, CURL *http, text *body)
{
    robots_str origin = robots_ticket_origin(ticket);
    robots_outcome *outcome = NULL;
    char url[256];
    uint32_t status;

    snprintf(url, sizeof url, "%.*s/robots.txt", (int)origin.len, origin.ptr);
    status = get(http, url, body);
    if (robots_outcome_from_status(crawler, url, strlen(url), status, body->bytes, body->len, now_ms(), &outcome)
        == ROBOTS_OK)
        robots_ticket_finish(ticket, outcome, now_ms());
    robots_outcome_free(outcome);
}

static void visit(const char *url, CURL *http, text *body)
{
    robots_slot slot = {0};

    for (;;) {
        robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;
        uint64_t now = now_ms();
        robots_verdict verdict = robots_cache_request(cache, 0, url, strlen(url), slot, now, &answer);

        if (answer.ticket != NULL)
            use_ticket(answer.ticket, http, body);
        robots_ticket_free(answer.ticket);
        if (ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_OK) {
            fprintf(stderr, "paced: %s: %s\n", url, robots_status_text(ROBOTS_VERDICT_STATUS(verdict)));
            return;
        }
        switch ((enum robots_cache_action)answer.action) {
        case ROBOTS_CACHE_DECIDED:
            if (!ROBOTS_VERDICT_ALLOWED(verdict))
                return;
            if (answer.slot.at_ms == now) {
                uint32_t status = get(http, url, body);

                robots_cache_report_response(cache, url, strlen(url), status, NULL, 0, now_ms());
                return;
            }
            slot = answer.slot;
            sleep_until(slot.at_ms);
            break;
        case ROBOTS_CACHE_FETCH:
            break;
        case ROBOTS_CACHE_WAIT: /* another thread fetches the robots.txt */
            if (robots_cache_wait(cache, url, strlen(url), 30000) != ROBOTS_OK)
                return;
            break;
        case ROBOTS_CACHE_DEFER: /* an outage */
            fprintf(stderr, "paced: %s: deferred\n", url);
            return;
        }
    }
}

static void *task(void *url)
{
    CURL *http = curl_easy_init();
    text *body = malloc(sizeof *body);

    if (http != NULL && body != NULL)
        visit(url, http, body);
    free(body);
    curl_easy_cleanup(http);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t *threads = calloc((size_t)argc, sizeof *threads);
    int i, result = 0;

    since_1970 = ms_of(CLOCK_REALTIME) - ms_of(CLOCK_MONOTONIC);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (threads == NULL || robots_crawler_new("ExampleBot", strlen("ExampleBot"), &crawler) != ROBOTS_OK
        || robots_cache_new(crawler, CACHE_BYTES, &cache) != ROBOTS_OK)
        return 2;
    for (i = 1; i < argc; i++)
        if (pthread_create(&threads[i], NULL, task, argv[i]) != 0)
            exit(2);
    for (i = 1; i < argc; i++)
        result |= pthread_join(threads[i], NULL);
    robots_cache_free(cache);
    robots_crawler_free(crawler);
    curl_global_cleanup();
    free(threads);
    return result != 0;
}
