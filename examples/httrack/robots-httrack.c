/* robots-httrack: a plug-in that lets httrack ask librobots about each link (see README.md). */
#include <librobots.h>

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <httrack-library.h>
#include <htsopt.h>
#include <htsdefines.h>
#include <htsstrings.h>

static robots_cache *cache;

static uint64_t now_ms(void) { return UINT64_C(1000) * (uint64_t)time(NULL); }

/* A line of the headers: status, field, or the empty line at the end. */
static size_t on_header(char *line, size_t one, size_t len, void *fetch)
{
    const char *colon = memchr(line, ':', len), *space = memchr(line, ' ', len);
    int is_status = len > 5 && memcmp(line, "HTTP/", 5) == 0;

    (void)one;
    if (is_status && space != NULL && space[1] != '1') /* after 1xx another response follows */
        robots_fetch_report_status(fetch, (uint32_t)strtoul(space, NULL, 10), now_ms());
    else if (!is_status && colon != NULL)
        robots_fetch_report_header(fetch, line, (size_t)(colon - line), colon + 1, (size_t)(line + len - colon - 1));
    else if (!is_status && (line[0] == '\r' || line[0] == '\n'))
        robots_fetch_report_headers_end(fetch);
    return len;
}

static size_t on_body(char *data, size_t one, size_t len, void *fetch)
{
    (void)one; /* the body of a redirect is read, too; 0 ends the transfer */
    return robots_fetch_step(fetch) == ROBOTS_STEP_GET || robots_fetch_report_body(fetch, data, len) == ROBOTS_OK ? len : 0;
}

static void fetch_robots(robots_ticket *ticket, httrackp *opt)
{
    robots_fetch *fetch = NULL;
    robots_outcome *outcome = NULL;
    CURL *http = curl_easy_init();
    char url[HTS_URLMAXSIZE];

    curl_easy_setopt(http, CURLOPT_USERAGENT, StringBuff(opt->user_agent));
    curl_easy_setopt(http, CURLOPT_ACCEPT_ENCODING, "identity");
    curl_easy_setopt(http, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(http, CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(http, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(http, CURLOPT_WRITEFUNCTION, on_body);
    if (robots_ticket_fetch(ticket, now_ms(), &fetch) != ROBOTS_OK)
        fputs("librobots: no memory for a robots.txt\n", stderr);
    curl_easy_setopt(http, CURLOPT_HEADERDATA, fetch);
    curl_easy_setopt(http, CURLOPT_WRITEDATA, fetch);
    while (fetch != NULL && robots_fetch_step(fetch) != ROBOTS_STEP_DONE) { /* again for each redirect */
        robots_str at = robots_fetch_url(fetch);
        int is_sent = snprintf(url, sizeof url, "%.*s", (int)at.len, at.ptr) < (int)sizeof url
                      && curl_easy_setopt(http, CURLOPT_URL, url) == CURLE_OK && curl_easy_perform(http) == CURLE_OK;

        robots_fetch_report_end(fetch, is_sent ? ROBOTS_FAILURE_NONE : ROBOTS_FAILURE_OTHER, now_ms());
    }
    if (robots_fetch_outcome(fetch, &outcome) == ROBOTS_OK)
        robots_ticket_finish(ticket, outcome, now_ms());
    robots_outcome_free(outcome);
    robots_fetch_free(fetch);
    curl_easy_cleanup(http);
}

/* httrack's callback: 1 refuses a link, `status` leaves it as httrack decided. */
static int on_link(t_hts_callbackarg *carg, httrackp *opt, const char *adr, const char *fil, int status)
{
    robots_verdict verdict = {0};
    char url[2 * HTS_URLMAXSIZE];

    if (CALLBACKARG_PREV_FUN(carg, check_link) != NULL)
        status = CALLBACKARG_PREV_FUN(carg, check_link)(CALLBACKARG_PREV_CARG(carg), opt, adr, fil, status);
    if (status == 1 || strncmp(adr, "file://", 7) == 0)
        return status;
    snprintf(url, sizeof url, "%s%s%s", strstr(adr, "://") == NULL ? "http://" : "", adr, fil);
    for (int round = 0; round < 2; round++) { /* the second after a fetch */
        robots_cache_answer answer = ROBOTS_CACHE_ANSWER_INIT;

        verdict = robots_cache_check(cache, 0, url, strlen(url), now_ms(), &answer);
        if (answer.ticket == NULL)
            break;
        fetch_robots(answer.ticket, opt);
        robots_ticket_free(answer.ticket);
    }
    return ROBOTS_VERDICT_ALLOWED(verdict) ? status : 1;
}

EXTERNAL_FUNCTION int hts_plug(httrackp *opt, const char *argv)
{
    const char *comma = strchr(argv, ','), *token = comma == NULL ? "HTTrack" : comma + 1;
    robots_crawler *crawler = NULL;

    if (robots_crawler_new(token, strlen(token), &crawler) != ROBOTS_OK
        || robots_cache_new(crawler, 16 << 20, &cache) != ROBOTS_OK)
        return 0;
    opt->robots = 0; /* httrack's own check, and its request for robots.txt */
    CHAIN_FUNCTION(opt, check_link, on_link, NULL);
    return 1;
}
