/* frontier: the URLs that a crawler has yet to visit, by site, and those it knows already. */
#ifndef FRONTIER_H
#define FRONTIER_H

#include <librobots.h>

#include <curl/curl.h>
#include <stddef.h>

typedef struct page {
    struct page *next;
    int tries;
    char url[]; /* as it is checked and as it is sent */
} page;

/* An origin: scheme, host and port. It has at most one request running, for its robots.txt or for a page. */
typedef struct site {
    struct site *next;
    char *key;
    page *first, **end;      /* pages to come, oldest first */
    /* What follows is crawl.c's and request.c's, and all zero at first. */
    uint64_t ready;          /* no request before, by now_ms() */
    robots_slot slot;        /* that the next page has reserved; 0: none */
    CURL *request;           /* the one running, or NULL */
    struct curl_slist *headers;
    robots_ticket *ticket;   /* its robots.txt, while that is fetched ... */
    robots_fetch *fetch;
    int has_headers;         /* ... whether fetch knows all headers of this response */
    page *asked;             /* or the page that is fetched, ... */
    robots_page_controls *controls; /* ... what its headers permit, ... */
    char *body;              /* ... and what came of it */
    size_t len;
} site;

/* Queues a URL, relative to `base` unless that is NULL, if it is new, of http or https, and of one of the hosts
 * to be crawled; a `start` adds its host to these. Returns whether it is such a URL, new or not. */
int frontier_add(const char *base, const char *text, int start);

/* Queues what a page links to: the value of each href, wherever it stands. `html` ends in a NUL behind `len`. */
void frontier_add_links(const char *base, const char *html, size_t len);

/* All sites that were met, the latest first. */
site *frontier_sites(void);

/* Takes a site's next page, for the caller to free; it has one. */
page *frontier_take(site *at);

/* Puts a page back, to be the next. */
void frontier_put_back(site *at, page *one);

/* Forgets all. */
void frontier_free(void);

/* Memory as it is, or, for NULL, the end of the program. */
void *need(void *memory);

/* A string of these bytes, to be freed. */
char *copy(const char *text, size_t len);

#endif
