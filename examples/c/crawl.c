/* crawl: a small polite crawler on libcurl, which obeys robots.txt by librobots.
 *
 *     crawl [OPTIONS] URL...
 *     cc examples/c/crawl.c examples/c/frontier.c examples/c/request.c $(pkg-config --cflags --libs librobots libcurl) -lm -o crawl
 *
 * It goes breadth-first through the hosts of the URLs given, and prints a line for each page and a sum.
 * Exit status: 0 something was fetched, 1 nothing was, 2 wrong use.
 *
 * The shape to copy: one robots_cache for the whole program. Call robots_cache_request before each request. If it
 * returns a ticket, fetch the robots.txt: report to the ticket's robots_fetch what the HTTP client receives
 * (request.c, finish_robots), and submit the outcome. The library knows what redirects, errors and headers mean.
 *
 * A URL that a rule forbids is dropped. A URL of a site whose robots.txt cannot be reached is no such URL: it is
 * deferred, which a crawler with a database would keep for its next run.
 *
 * The headers of a page may forbid more (SPEC 9.6). robots_page_controls reads them: links of a `nofollow` page are not
 * queued, and a `noindex` page is reported as such. A crawler with an HTML parser adds the page's <meta> elements by
 * robots_page_controls_add_meta.
 *
 * Polite means: one request at a time to a site, the crawl-delay between two, and a rest when it asks for one. The cache
 * keeps the pace: robots_cache_request says when to send a request, robots_cache_report_response hears of each response.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, getopt, strncasecmp */
#include "request.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_RUNNING = 16,    /* requests at a time */
    CACHE_BYTES = 16 << 20,
    TRIES = 3            /* how often a page is tried, and a site that asks to come again later */
};

static struct {
    const char *token, *file;
    unsigned long most;
    double delay, patience;
    long timeout, shortest, failure;
} options = {"ExampleBot", NULL, 100, 1, 30, 30, 300, 600};

static robots_crawler *crawler;
static robots_cache *cache;
static char user_agent[256];
static unsigned long requested, fetched, forbidden, deferred, failed;
static volatile sig_atomic_t stopped;

/* --- small things --- */

/* Milliseconds since 1970. */
static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* One line of progress. URLs are a stranger's, but hold no control character: libcurl has seen to that. */
static void say(const char *what, const char *url, const char *why)
{
    printf("%-10s %s%s%s%s\n", what, url, why[0] != '\0' ? "  (" : "", why, why[0] != '\0' ? ")" : "");
    fflush(stdout);
}

/* Gives up on all pages of a site that are to come. */
static void leave(site *at, unsigned long *count, const char *word, const char *why)
{
    unsigned long pages = 0;
    char what[256];

    for (; at->first != NULL; pages++)
        free(frontier_take(at));
    at->slot.at_ms = 0;
    *count += pages;
    if (pages > 0) {
        snprintf(what, sizeof what, "%lu page%s: %s", pages, pages == 1 ? "" : "s", why);
        say(word, at->key, what);
    }
}

/* --- the robots.txt of a site --- */

/* Sends the request that the fetch asks for: the first, or that after a redirect. */
static void request_robots(site *at)
{
    robots_str url = robots_fetch_url(at->fetch);
    robots_header header = ROBOTS_HEADER_INIT;
    char *text = copy(url.ptr, url.len);
    size_t i;

    for (i = 0; robots_fetch_request_header(at->fetch, i, &header) == ROBOTS_OK; i++) {
        char line[16384];

        snprintf(line, sizeof line, "%.*s: %.*s", (int)header.name.len, header.name.ptr, (int)header.value.len,
                 header.value.ptr);
        at->headers = need(curl_slist_append(at->headers, line));
    }
    at->has_headers = 0;
    request_start(at, text);
    free(text);
}

static void begin_robots(site *at, robots_ticket *ticket)
{
    robots_status status = robots_ticket_fetch(ticket, now_ms(), &at->fetch);

    at->ticket = ticket;
    if (status == ROBOTS_OK) {
        request_robots(at);
    } else {
        leave(at, &failed, "failed", robots_status_text(status));
        robots_ticket_free(at->ticket);
        at->ticket = NULL;
    }
}

static void say_robots(const site *at, const robots_outcome *outcome)
{
    static const char *const words[] = {"rules", "allows all", "disallows all", "to be asked later", "cannot be reached"};
    robots_outcome_info info = ROBOTS_OUTCOME_INFO_INIT;
    char what[96];

    robots_outcome_get(outcome, &info);
    snprintf(what, sizeof what, "%s, status %lu", info.kind < sizeof words / sizeof words[0] ? words[info.kind] : "?",
             (unsigned long)info.http_status);
    say("robots.txt", at->key, what);
}

/* A response has ended, well or not. */
static void finish_robots(site *at, CURLcode code)
{
    uint64_t now = now_ms();
    robots_outcome *outcome = NULL;
    robots_status status;

    /* curl is content with a response that ends within its headers. */
    robots_fetch_report_end(at->fetch, code == CURLE_OK && !at->has_headers ? ROBOTS_FAILURE_OTHER : request_failure(code), now);
    if (robots_fetch_step(at->fetch) == ROBOTS_STEP_GET) { /* a redirect */
        request_robots(at);
        return;
    }

    status = robots_fetch_outcome(at->fetch, &outcome);
    if (status == ROBOTS_OK)
        status = robots_ticket_finish(at->ticket, outcome, now);
    if (status == ROBOTS_OK)
        say_robots(at, outcome);
    else
        leave(at, &failed, "failed", robots_status_text(status));
    robots_outcome_free(outcome);
    robots_ticket_free(at->ticket);
    robots_fetch_free(at->fetch);
    at->ticket = NULL;
    at->fetch = NULL;
}

/* --- pages --- */

/* Whether a page permits to be indexed, or its links to be followed. */
static int permits(const robots_page_controls *controls, uint32_t control)
{
    robots_page_rule rule = ROBOTS_PAGE_RULE_INIT;

    robots_page_controls_get(controls, control, &rule); /* after an error the value is 0, which permits nothing */
    return rule.value != 0;
}

static void finish_page(site *at, CURLcode code, long http_status, const char *type, const char *target, curl_off_t rest)
{
    page *one = at->asked;
    int index = permits(at->controls, ROBOTS_CONTROL_INDEX), follow = permits(at->controls, ROBOTS_CONTROL_FOLLOW);
    char what[64], value[32];
    int len = rest > 0 ? snprintf(value, sizeof value, "%lld", (long long)rest) : 0;

    snprintf(what, sizeof what, "status %ld", http_status);
    robots_cache_report_response(cache, one->url, strlen(one->url), (uint32_t)http_status, value, (size_t)len, now_ms());
    at->asked = NULL;
    if (code != CURLE_OK && at->len < MAX_PAGE) {
        say("failed", one->url, curl_easy_strerror(code));
        failed++;
    } else if (http_status == 429 || http_status == 503) {
        if (++one->tries < TRIES) {
            frontier_put_back(at, one);
            return;
        }
        say("deferred", one->url, what);
        deferred++;
    } else if (http_status >= 400) {
        say("failed", one->url, what);
        failed++;
    } else {
        if (http_status == 200)
            snprintf(what, sizeof what, "%s%s%s", index ? "" : "noindex", index || follow ? "" : ", ", follow ? "" : "nofollow");
        say("fetched", one->url, what);
        fetched++;
        if (target != NULL)
            frontier_add(NULL, target, 0);
        else if (follow && type != NULL && strncasecmp(type, "text/html", 9) == 0 && at->body != NULL)
            frontier_add_links(one->url, at->body, at->len);
    }
    free(one);
}

static void finish(site *at, CURL *request, CURLcode code)
{
    char *type = NULL, *target = NULL;
    long http_status = 0;
    curl_off_t rest = 0;

    curl_easy_getinfo(request, CURLINFO_RESPONSE_CODE, &http_status);
    curl_easy_getinfo(request, CURLINFO_CONTENT_TYPE, &type);
    curl_easy_getinfo(request, CURLINFO_REDIRECT_URL, &target);
    curl_easy_getinfo(request, CURLINFO_RETRY_AFTER, &rest);
    if (at->fetch == NULL) {
        finish_page(at, code, http_status, type, target, rest);
        request_end(at);
        robots_page_controls_free(at->controls);
        at->controls = NULL;
    } else {
        request_end(at);
        finish_robots(at, code);
    }
    free(at->body);
    at->body = NULL;
    at->len = 0;
}

/* Requests a site's next page. */
static void request_page(site *at)
{
    if (robots_page_controls_new(crawler, &at->controls) != ROBOTS_OK)
        need(NULL);
    at->asked = frontier_take(at);
    requested++;
    request_start(at, at->asked->url);
}

/* Checks a site's next page, and does what the cache decides: again at the time of its slot. */
static void advance(site *at)
{
    uint64_t now = now_ms();
    page *one = at->first;
    robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;
    robots_verdict verdict;
    char what[64];

    verdict = robots_cache_request(cache, 0, one->url, strlen(one->url), at->slot, now, &answer);
    at->slot.at_ms = 0;
    if (answer.ticket != NULL) { /* perhaps with a verdict of rules to refresh: this crawler waits for the new ones */
        begin_robots(at, answer.ticket);
    } else if (answer.slot.at_ms > 0 && !ROBOTS_VERDICT_ALLOWED(verdict)) { /* its slot is later than the horizon */
        leave(at, &deferred, "deferred", "to be tried later");
    } else if (answer.action != ROBOTS_CACHE_DECIDED) {
        at->ready = answer.until_ms;
        if (++one->tries == TRIES)
            leave(at, &deferred, "deferred",
                  ROBOTS_VERDICT_REASON(verdict) == ROBOTS_REASON_UNREACHABLE ? "its robots.txt cannot be reached"
                                                                              : "its robots.txt is not there yet");
    } else if (ROBOTS_VERDICT_ALLOWED(verdict)) {
        at->slot = answer.slot;
        if (at->slot.at_ms == now)
            request_page(at);
        else
            at->ready = at->slot.at_ms;
    } else if (ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_OK) { /* an error is no rule of the site, either */
        say("failed", one->url, robots_status_text(ROBOTS_VERDICT_STATUS(verdict)));
        failed++;
        free(frontier_take(at));
    } else {
        snprintf(what, sizeof what, "line %lu", (unsigned long)ROBOTS_VERDICT_LINE(verdict));
        say("forbidden", one->url, ROBOTS_VERDICT_LINE(verdict) != 0 ? what : "all of the site");
        forbidden++;
        free(frontier_take(at));
    }
}

/* How many seconds a site rests; negative: its time has come. */
static double rest_of(const site *at)
{
    return ((double)at->ready - (double)now_ms()) / 1000;
}

/* Lets every site do what it can do now. Returns for how many seconds there is nothing more to do. */
static double advance_all(void)
{
    double wait = HUGE_VAL, rest;
    site *at;

    for (at = frontier_sites(); at != NULL; at = at->next) {
        if (at->request == NULL && rest_of(at) > options.patience)
            leave(at, &deferred, "deferred", "to be tried later");
        while (at->request == NULL && at->first != NULL && requests_running() < MAX_RUNNING && requested < options.most
               && rest_of(at) <= 0)
            advance(at);
        rest = rest_of(at);
        if (at->request == NULL && at->first != NULL && rest > 0 && rest < wait) /* else others are to end first */
            wait = rest;
    }
    return wait;
}

static void run(void)
{
    while (!stopped) {
        double wait = advance_all();

        if (requests_running() == 0 && (wait == HUGE_VAL || requested >= options.most))
            break;
        requests_await(wait, finish);
    }
}

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static void end(void)
{
    site *at;

    for (at = frontier_sites(); at != NULL; at = at->next) {
        if (at->asked != NULL)
            frontier_put_back(at, at->asked);
        request_end(at);
        leave(at, &deferred, "deferred", stopped ? "interrupted" : "enough pages for once");
        robots_ticket_free(at->ticket); /* given back: who crawls next may have it */
        robots_fetch_free(at->fetch);
        robots_page_controls_free(at->controls);
        free(at->body);
    }
    frontier_free();
    requests_end();
    robots_cache_free(cache);
    robots_crawler_free(crawler);
}

/* --- start --- */

static const char USAGE[] =
    "usage: crawl [OPTIONS] URL...\n"
    "Crawls the hosts of these URLs, as far as their robots.txt files allow.\n"
    "  -a TOKEN    the name that robots.txt files know the crawler by (ExampleBot)\n"
    "  -n PAGES    how many pages to request at most (100)\n"
    "  -d SECONDS  the pause between two requests to a site that asks for none (1)\n"
    "  -w SECONDS  how long to wait for a site that asks for more; its pages are deferred then (30)\n"
    "  -t SECONDS  how long a request may take (30)\n"
    "  -m SECONDS  the shortest lifetime of a robots.txt, and wait for one, whatever its server says (300)\n"
    "  -c FILE     the robots.txt files and slots of earlier runs, which this one adds to\n"
    "  -f SECONDS  the wait after a robots.txt that cannot be reached; its server may ask for a longer one (600)\n";

/* At most a day, the longest that the cache takes. */
static uint64_t milliseconds(double number)
{
    return (uint64_t)(number < 86400 ? number * 1000 : 86400000);
}

/* The crawler and the cache of the program. */
static robots_status new_cache(void)
{
    robots_status status = robots_crawler_new(options.token, strlen(options.token), &crawler);

    if (status == ROBOTS_OK)
        status = robots_crawler_set(crawler, ROBOTS_OPT_MIN_TTL_MS, UINT64_C(1000) * (uint64_t)options.shortest);
    if (status == ROBOTS_OK)
        status = robots_crawler_set(crawler, ROBOTS_OPT_FAILURE_TTL_MS, UINT64_C(1000) * (uint64_t)options.failure);
    if (status == ROBOTS_OK)
        status = robots_cache_new(crawler, CACHE_BYTES, &cache);
    if (status == ROBOTS_OK)
        status = robots_cache_set(cache, ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, milliseconds(options.delay));
    if (status == ROBOTS_OK)
        status = robots_cache_set(cache, ROBOTS_CACHE_OPT_HORIZON_MS, milliseconds(options.patience));
    return status;
}

static const char *why(robots_status status, const robots_cache_file *file)
{
    return status == ROBOTS_E_FILE ? strerror((int)file->os_error) : robots_status_text(status);
}

/* Imports the cache of earlier runs. There is none in the first. */
static void load(void)
{
    robots_cache_file found = ROBOTS_CACHE_FILE_INIT;
    char what[96];
    robots_status status = robots_cache_load(cache, options.file, strlen(options.file), &found);

    snprintf(what, sizeof what, "%zu sites, %zu of others, %zu damaged, %zu without room", found.records, found.foreign,
             found.damaged, found.no_room);
    if (found.os_error != ENOENT)
        say("loaded", options.file, status == ROBOTS_OK ? what : why(status, &found));
}

static void save(void)
{
    robots_cache_file saved = ROBOTS_CACHE_FILE_INIT;
    robots_status status = robots_cache_save(cache, options.file, strlen(options.file), &saved);

    if (status != ROBOTS_OK)
        say("not saved", options.file, why(status, &saved));
}

/* Reads the options; 0 for what is none. */
static int read_options(int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "a:c:n:d:w:t:m:f:")) != -1) {
        double number = 0;
        char *rest = NULL;

        if (option == '?')
            return 0;
        if (option != 'a' && option != 'c') {
            number = strtod(optarg, &rest);
            if (rest == optarg || *rest != '\0' || !(number >= (option == 't' || option == 'f') && number <= 1e6))
                return 0;
        }
        switch (option) {
        case 'a': options.token = optarg; break;
        case 'c': options.file = optarg; break;
        case 'n': options.most = (unsigned long)number; break;
        case 'd': options.delay = number; break;
        case 'w': options.patience = number; break;
        case 't': options.timeout = (long)number; break;
        case 'm': options.shortest = (long)number; break;
        default: options.failure = (long)number; break;
        }
    }
    return optind < argc;
}

int main(int argc, char **argv)
{
    robots_status status;
    int i;

    if (!read_options(argc, argv)) {
        fputs(USAGE, stderr);
        return 2;
    }
    if ((status = new_cache()) != ROBOTS_OK) {
        fprintf(stderr, "crawl: cannot be \"%s\": %s\n", options.token, robots_status_text(status));
        robots_crawler_free(crawler);
        return 2;
    }
    snprintf(user_agent, sizeof user_agent, "%s/1.0 (+https://example.com/bot)", options.token);
    requests_begin(user_agent, options.timeout);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    for (i = optind; i < argc; i++) {
        if (!frontier_add(NULL, argv[i], 1)) {
            fprintf(stderr, "crawl: not an http or https URL: %s\n", argv[i]);
            end();
            return 2;
        }
    }
    if (options.file != NULL)
        load();
    run();
    if (options.file != NULL)
        save();
    end();
    printf("%lu fetched, %lu forbidden, %lu deferred, %lu failed\n", fetched, forbidden, deferred, failed);
    return fetched > 0 ? 0 : 1;
}
