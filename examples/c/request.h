/* request: what a site is asked, for its robots.txt or for a page, by libcurl's multi interface. */
#ifndef REQUEST_H
#define REQUEST_H

#include "frontier.h"

enum { MAX_PAGE = 1 << 20 }; /* bytes of a page that are read */

/* To be called first; `user_agent` is sent with each request, which may take so many seconds. */
void requests_begin(const char *user_agent, long seconds);

/* Sends one, with the site's `headers`. While the site has a `fetch`, the response is reported to it: status, headers
 * and body; else it is that of a page: its headers go to `controls`, and its body to `body`. Redirects are not followed: where they lead is asked
 * about first. */
void request_start(site *at, const char *url);

/* Ends the site's request, if there is one. */
void request_end(site *at);

/* The failure to report to a fetch. */
uint32_t request_failure(CURLcode code);

/* How many there are. */
int requests_running(void);

/* Lets all go on for so many seconds, 1 at most, or until something comes; calls `ended` for each that is over, which
 * is to end it. */
void requests_await(double wait, void (*ended)(site *at, CURL *request, CURLcode code));

/* To be called last. */
void requests_end(void);

#endif
