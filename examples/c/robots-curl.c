/* robots-curl: curl that checks robots.txt before it fetches.
 *
 *     robots-curl TOKEN URL... [-- OPTION-OF-CURL...]
 *     cc examples/c/robots-curl.c $(pkg-config --cflags --libs librobots) $(curl-config --cflags --libs) -o robots-curl
 *
 * curl does not follow redirects then: check their targets first. It keeps the longest crawl-delay of the sites between two
 * requests (--rate, curl 7.84). libcurl takes the chunk size 0x13 for 0, the end of a robots.txt. Exit status: that of curl; 1 if no
 * URL may be fetched, 2 for wrong use.
 */
#define _POSIX_C_SOURCE 200809L /* strndup */
#include <librobots.h>

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef SECONDS
#define SECONDS 20 /* for one robots.txt, with its redirects */
#endif

static CURL *http;

static uint64_t now_ms(void) { return UINT64_C(1000) * (uint64_t)time(NULL); }

/* A line of the headers: status, field, or the empty line at the end. Returning 0 ends the transfer. */
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

/* Fetches the robots.txt of a ticket's site and submits the outcome. The fetch sees whether the file is whole: the body is as the
 * site sent it. */
static void fetch_robots(robots_ticket *ticket, const char *token)
{
    robots_fetch *fetch = NULL;
    robots_outcome *outcome = NULL;
    uint64_t deadline = now_ms() + UINT64_C(1000) * SECONDS;
    robots_status status = robots_ticket_fetch(ticket, now_ms(), &fetch);

    http = curl_easy_init();
    curl_easy_setopt(http, CURLOPT_USERAGENT, token);
    curl_easy_setopt(http, CURLOPT_ACCEPT_ENCODING, "identity");
    curl_easy_setopt(http, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(http, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(http, CURLOPT_HEADERDATA, fetch);
    curl_easy_setopt(http, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(http, CURLOPT_WRITEDATA, fetch);
    while (status == ROBOTS_OK && robots_fetch_step(fetch) != ROBOTS_STEP_DONE) { /* again for each redirect */
        robots_str at = robots_fetch_url(fetch);
        char *url = strndup(at.ptr, at.len);
        long left = deadline > now_ms() ? (long)(deadline - now_ms()) : 1; /* 0 is no limit */
        int is_sent = url != NULL && curl_easy_setopt(http, CURLOPT_TIMEOUT_MS, left) == CURLE_OK &&
                      curl_easy_setopt(http, CURLOPT_URL, url) == CURLE_OK && curl_easy_perform(http) == CURLE_OK;

        free(url);
        status = robots_fetch_report_end(fetch, is_sent ? ROBOTS_FAILURE_NONE : ROBOTS_FAILURE_OTHER, now_ms());
    }
    if (status == ROBOTS_OK && robots_fetch_outcome(fetch, &outcome) == ROBOTS_OK)
        robots_ticket_finish(ticket, outcome, now_ms());
    robots_outcome_free(outcome);
    robots_fetch_free(fetch);
    curl_easy_cleanup(http);
}

/* Returns the crawl-delay of a URL's site in seconds; 0 if it states none. */
static double delay_of(const robots_cache *cache, const char *url)
{
    robots_outcome *outcome = NULL;
    double delay = 0;

    if (robots_cache_outcome(cache, url, strlen(url), &outcome) == ROBOTS_OK)
        delay = robots_rules_crawl_delay(robots_outcome_rules(outcome, 0));
    robots_outcome_free(outcome);
    return delay > 0 ? delay : 0; /* NaN: none */
}

/* Returns the form of a URL that curl sends as it is; `text` itself if it is no URL. It is used until the program ends. */
static char *requested(char *text)
{
    size_t len = 0, room = 3 * strlen(text) + 512;
    char *url = malloc(room + 1);

    if (url == NULL || robots_url_to_send(text, strlen(text), url, room, &len) != ROBOTS_OK)
        return text;
    url[len] = '\0';
    return url;
}

int main(int argc, char **argv)
{
    robots_crawler *crawler = NULL;
    robots_cache *cache = NULL;
    char **command = calloc((size_t)argc + 10, sizeof *command), rate[16];
    double delay = 0;
    int urls = 0, i, count = 0;

    if (argc < 3 || command == NULL || robots_crawler_new(argv[1], strlen(argv[1]), &crawler) != ROBOTS_OK
        || robots_cache_new(crawler, 16 << 20, &cache) != ROBOTS_OK) {
        fputs("usage: robots-curl TOKEN URL... [-- OPTION-OF-CURL...]\nTOKEN is a product token, such as ExampleBot.\n", stderr);
        return 2;
    }
    command[count++] = "curl";
    command[count++] = "-A";
    command[count++] = argv[1];
    for (i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char *url = requested(argv[i]);
        robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;
        robots_verdict verdict = robots_cache_check(cache, 0, url, strlen(url), now_ms(), &answer);

        if (answer.ticket != NULL) {
            fetch_robots(answer.ticket, argv[1]);
            robots_ticket_free(answer.ticket);
            verdict = robots_cache_check(cache, 0, url, strlen(url), now_ms(), &answer);
            robots_ticket_free(answer.ticket);
        }
        if (ROBOTS_VERDICT_ALLOWED(verdict)) {
            command[count++] = url;
            urls++;
            delay = delay_of(cache, url) > delay ? delay_of(cache, url) : delay;
        } else {
            fprintf(stderr, "robots-curl: not fetched: %s: %s\n", url,
                    ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_OK ? robots_status_text(ROBOTS_VERDICT_STATUS(verdict))
                                                                : robots_reason_text(ROBOTS_VERDICT_REASON(verdict)));
        }
    }
    while (++i < argc)
        command[count++] = argv[i];
    command[count++] = "--globoff"; /* an IPv6 address has brackets */
    command[count++] = "--max-redirs";
    command[count++] = "0";
    if (delay > 0) {
        double an_hour = delay < 3600 ? 3600 / delay : 1;

        snprintf(rate, sizeof rate, "%ld/h", an_hour < 1e6 ? (long)an_hour : 1000000L);
        command[count++] = "--rate";
        command[count++] = rate;
        sleep((unsigned)(delay < 60 ? delay + 1 : 60)); /* since the robots.txt */
    }
    robots_cache_free(cache);
    robots_crawler_free(crawler);
    if (urls > 0) {
        execvp("curl", command);
        perror("robots-curl: curl");
    }
    free(command);
    return 1;
}
