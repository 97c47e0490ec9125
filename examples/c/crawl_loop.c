/* crawl_loop: the loop of a crawler and nothing else. Cache, ticket, fetch; libcurl sends the requests.
 *
 *     cc examples/c/crawl_loop.c $(pkg-config --cflags --libs librobots libcurl) -o crawl_loop
 *     ./crawl_loop ExampleBot URL...
 *
 * It prints the pages, and for each URL: fetch, drop (the rules disallow it) or keep (the site cannot be reached now, or
 * asks to wait). A crawler queues what it keeps. crawl.c has a queue, links and many requests at a time.
 */
#define _POSIX_C_SOURCE 200809L /* strndup, clock_gettime, nanosleep */
#include <librobots.h>

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CACHE_BYTES = 16 << 20, LONGEST_URL = 8192, LONGEST_WAIT = 10000 /* milliseconds */ };

static robots_crawler *crawler;
static robots_cache *cache;
static CURL *http;

static uint64_t now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void wait_until(uint64_t ms)
{
    uint64_t from = now_ms(), rest = ms > from ? ms - from : 0;
    struct timespec time = {.tv_sec = (time_t)(rest / 1000), .tv_nsec = (long)(rest % 1000) * 1000000};

    nanosleep(&time, NULL);
}

/* A header of a robots.txt: status line, field, or the empty line at the end. Returning 0 ends the transfer. */
static size_t on_header(char *line, size_t one, size_t len, void *fetch)
{
    const char *colon = memchr(line, ':', len);
    long status = 0;

    (void)one;
    if (len > 5 && memcmp(line, "HTTP/", 5) == 0) {
        curl_easy_getinfo(http, CURLINFO_RESPONSE_CODE, &status);
        if (status >= 200) /* after 1xx another response follows */
            return robots_fetch_report_status(fetch, (uint32_t)status, now_ms()) == ROBOTS_OK ? len : 0;
    } else if (robots_fetch_step(fetch) == ROBOTS_STEP_HEADERS) {
        if (colon != NULL)
            robots_fetch_report_header(fetch, line, (size_t)(colon - line), colon + 1, (size_t)(line + len - colon - 1));
        else if (line[0] == '\r' || line[0] == '\n')
            return robots_fetch_report_headers_end(fetch) == ROBOTS_OK ? len : 0;
    }
    return len;
}

static size_t on_body(char *data, size_t one, size_t len, void *fetch)
{
    (void)one;
    if (robots_fetch_step(fetch) == ROBOTS_STEP_GET) /* the body of a redirect */
        return len;
    return robots_fetch_step(fetch) == ROBOTS_STEP_BODY && robots_fetch_report_body(fetch, data, len) == ROBOTS_OK ? len : 0;
}

static CURLcode request(const char *url, size_t len, curl_write_callback header, curl_write_callback body, void *context)
{
    char *text = strndup(url, len);
    CURLcode code = text == NULL ? CURLE_OUT_OF_MEMORY : curl_easy_setopt(http, CURLOPT_URL, text);

    free(text);
    curl_easy_setopt(http, CURLOPT_HTTP_CONTENT_DECODING, (long)(header == NULL)); /* the fetch sees whether a body is whole */
    curl_easy_setopt(http, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(http, CURLOPT_HEADERDATA, header == NULL ? NULL : context);
    curl_easy_setopt(http, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(http, CURLOPT_WRITEDATA, context);
    return code == CURLE_OK ? curl_easy_perform(http) : code;
}

/* Fetches the robots.txt of a ticket, and submits the outcome. */
static robots_status use_ticket(robots_ticket *ticket)
{
    robots_fetch *fetch = NULL;
    robots_outcome *outcome = NULL;
    robots_status status = robots_ticket_fetch(ticket, now_ms(), &fetch);

    while (status == ROBOTS_OK && robots_fetch_step(fetch) != ROBOTS_STEP_DONE) { /* again for each redirect */
        robots_str url = robots_fetch_url(fetch);
        CURLcode code = request(url.ptr, url.len, on_header, on_body, fetch);

        /* request.c distinguishes the failures */
        status = robots_fetch_report_end(fetch, code == CURLE_OK ? ROBOTS_FAILURE_NONE : ROBOTS_FAILURE_OTHER, now_ms());
    }
    if (status == ROBOTS_OK)
        status = robots_fetch_outcome(fetch, &outcome);
    if (status == ROBOTS_OK)
        status = robots_ticket_finish(ticket, outcome, now_ms());
    robots_outcome_free(outcome);
    robots_fetch_free(fetch);
    return status;
}

/* Prints a page. The cache hears of the response: the crawl-delay counts from it, and a busy site rests. */
static void get_page(const char *url)
{
    long status = 0;
    curl_off_t rest = 0;
    char value[32];

    if (request(url, strlen(url), NULL, NULL, stdout) == CURLE_OK)
        curl_easy_getinfo(http, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(http, CURLINFO_RETRY_AFTER, &rest);
    snprintf(value, sizeof value, rest > 0 ? "%lld" : "", (long long)rest);
    robots_cache_report_response(cache, url, strlen(url), (uint32_t)status, value, strlen(value), now_ms());
}

static void crawl(const char *given)
{
    robots_slot slot = {0};
    uint64_t until = now_ms() + LONGEST_WAIT;
    char url[LONGEST_URL];
    size_t len;
    robots_status readable = robots_url_to_send(given, strlen(given), url, sizeof url - 1, &len);

    if (readable != ROBOTS_OK) {
        fprintf(stderr, "error %s: %s\n", given, robots_status_text(readable));
        return;
    }
    url[len] = '\0'; /* what is checked, and sent as it is */
    while (now_ms() < until) {
        robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;
        uint64_t asked = now_ms();
        robots_verdict verdict = robots_cache_request(cache, 0, url, strlen(url), slot, asked, &answer);
        robots_status status = ROBOTS_VERDICT_STATUS(verdict);

        if (answer.ticket != NULL) /* with DECIDED, too: the copy is about to expire */
            status = use_ticket(answer.ticket);
        robots_ticket_free(answer.ticket);
        if (status != ROBOTS_OK) { /* not a URL, no memory ...: no rule of the site, and no permission */
            fprintf(stderr, "error %s: %s\n", url, robots_status_text(status));
            return;
        }
        switch ((enum robots_cache_action)answer.action) {
        case ROBOTS_CACHE_DECIDED:
            if (ROBOTS_VERDICT_ALLOWED(verdict) && answer.slot.at_ms > asked) { /* the crawl-delay: ask again at the slot */
                slot = answer.slot;
                wait_until(slot.at_ms);
                break;
            }
            fprintf(stderr, "%s %s\n", ROBOTS_VERDICT_ALLOWED(verdict) ? "fetch" : "drop ", url);
            if (ROBOTS_VERDICT_ALLOWED(verdict))
                get_page(url);
            return;
        case ROBOTS_CACHE_FETCH: /* the ticket was used: check again */
            break;
        case ROBOTS_CACHE_WAIT: /* another thread fetches the robots.txt: check again as soon as it has */
            if (robots_cache_wait(cache, url, strlen(url), until - asked) != ROBOTS_OK)
                until = 0;
            break;
        case ROBOTS_CACHE_DEFER: /* a crawler with other sites goes on with those */
            if (answer.until_ms > until)
                until = 0;
            else
                wait_until(answer.until_ms);
        }
    }
    fprintf(stderr, "keep  %s\n", url);
}

int main(int argc, char **argv)
{
    if (argc < 3 || robots_crawler_new(argv[1], strlen(argv[1]), &crawler) != ROBOTS_OK
        || robots_cache_new(crawler, CACHE_BYTES, &cache) != ROBOTS_OK
        || robots_cache_set(cache, ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, 1000) != ROBOTS_OK
        || robots_cache_set(cache, ROBOTS_CACHE_OPT_HORIZON_MS, LONGEST_WAIT) != ROBOTS_OK || (http = curl_easy_init()) == NULL)
        return fprintf(stderr, "usage: crawl_loop TOKEN URL...; the token is a name such as ExampleBot\n"), 2;
    curl_easy_setopt(http, CURLOPT_USERAGENT, argv[1]);
    curl_easy_setopt(http, CURLOPT_ACCEPT_ENCODING, "identity");
    curl_easy_setopt(http, CURLOPT_TIMEOUT, 30L);
    for (int i = 2; i < argc; i++)
        crawl(argv[i]);
    curl_easy_cleanup(http);
    robots_cache_free(cache);
    robots_crawler_free(crawler);
    return 0;
}
