/* robots-curl: curl that checks robots.txt before it fetches.
 *
 *     robots-curl TOKEN URL... [-- OPTION-OF-CURL...]
 *     cc robots-curl.c $(pkg-config --cflags --libs librobots) $(curl-config --cflags --libs) -o robots-curl
 *
 * curl does not follow redirects then: check their targets first. It keeps the longest crawl-delay of the sites between two
 * requests (--rate, curl 7.84). Exit status: that of curl; 1 if no URL may be fetched, 2 for wrong use.
 */
#include <librobots.h>

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char body[512001]; /* one byte more than counts shows whether the last line is complete */
static size_t body_len;

static size_t on_body(char *piece, size_t one, size_t len, void *unused)
{
    size_t room = len < sizeof body - body_len ? len : sizeof body - body_len;

    (void)unused;
    memcpy(body + body_len, piece, room);
    body_len += room;
    return one * room; /* less than `len` ends the transfer */
}

/* Fetches the robots.txt of a ticket's site and submits the outcome. */
static void fetch_robots(robots_ticket *ticket, const robots_crawler *crawler, const char *token)
{
    robots_str origin = robots_ticket_origin(ticket);
    robots_outcome *outcome = NULL;
    char url[4096];
    long status = 0;
    CURL *request = curl_easy_init();

    body_len = 0;
    snprintf(url, sizeof url, "%.*s/robots.txt", (int)origin.len, origin.ptr);
    curl_easy_setopt(request, CURLOPT_URL, url);
    curl_easy_setopt(request, CURLOPT_USERAGENT, token);
    curl_easy_setopt(request, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(request, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(request, CURLOPT_MAXREDIRS, 5L);
    curl_easy_setopt(request, CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(request, CURLOPT_WRITEFUNCTION, on_body);
    if (curl_easy_perform(request) == CURLE_OK || body_len == sizeof body)
        curl_easy_getinfo(request, CURLINFO_RESPONSE_CODE, &status); /* else 0: unreachable */
    if (robots_outcome_from_status(crawler, url, strlen(url), (uint32_t)status, body, body_len, (uint64_t)time(NULL), &outcome)
        == ROBOTS_OK)
        robots_ticket_finish(ticket, outcome, (uint64_t)time(NULL));
    robots_outcome_free(outcome);
    curl_easy_cleanup(request);
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
        robots_cache_answer answer = {.size = sizeof answer};
        robots_verdict verdict = robots_cache_check(cache, 0, url, strlen(url), (uint64_t)time(NULL), &answer);

        if (answer.ticket != NULL) {
            fetch_robots(answer.ticket, crawler, argv[1]);
            robots_ticket_free(answer.ticket);
            verdict = robots_cache_check(cache, 0, url, strlen(url), (uint64_t)time(NULL), &answer);
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
