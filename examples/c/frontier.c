/* frontier: see frontier.h. Each site has a queue, so that a slow one holds up no other. */
#define _POSIX_C_SOURCE 200809L /* strcasecmp, strncasecmp */
#include "frontier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_URLS = 20000, /* URLs remembered; links beyond are left out */
    MAX_LINK = 2000   /* bytes of a link; longer ones are left out */
};

static CURLU *parser;
static site *sites;
static struct curl_slist *hosts; /* those of the URLs given */
static char *seen[2 * MAX_URLS]; /* a hash table: every URL that was ever queued */
static unsigned long urls;

void *need(void *memory)
{
    if (memory == NULL) {
        fputs("crawl: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

char *copy(const char *text, size_t len)
{
    char *made = need(malloc(len + 1));

    memcpy(made, text, len);
    made[len] = '\0';
    return made;
}

/* Remembers a URL; 0 if it was known, or there is no more room. */
static int remember(const char *url)
{
    size_t place = 5381, i;

    for (i = 0; url[i] != '\0'; i++)
        place = place * 33 ^ (unsigned char)url[i];
    for (place %= 2 * MAX_URLS; seen[place] != NULL; place = (place + 1) % (2 * MAX_URLS))
        if (strcmp(seen[place], url) == 0)
            return 0;
    if (urls == MAX_URLS)
        return 0;
    seen[place] = copy(url, strlen(url));
    urls++;
    return 1;
}

/* The site of a URL, made if it is new; NULL for what is none. */
static site *site_of(const char *url)
{
    char key[512]; /* a host name has at most 253 bytes */
    size_t len;
    site *at;

    if (robots_origin_key(url, strlen(url), key, sizeof key, &len) != ROBOTS_OK)
        return NULL;
    for (at = sites; at != NULL; at = at->next)
        if (strlen(at->key) == len && memcmp(at->key, key, len) == 0)
            break;
    if (at == NULL) {
        at = need(calloc(1, sizeof *at));
        at->key = copy(key, len);
        at->end = &at->first;
        at->next = sites;
        sites = at;
    }
    return at;
}

/* Reads a URL, relative to `base` unless that is NULL, into `parser`. Returns whether it is of http or https, and of one of the hosts; a start adds its host. */
static int read_url(const char *base, const char *text, int start)
{
    char *scheme = NULL, *host = NULL;
    struct curl_slist *known;
    int wanted;

    if (parser == NULL)
        parser = need(curl_url());
    if ((base != NULL && curl_url_set(parser, CURLUPART_URL, base, 0) != CURLUE_OK)
        || curl_url_set(parser, CURLUPART_URL, text, CURLU_URLENCODE) != CURLUE_OK)
        return 0;
    wanted = curl_url_get(parser, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
             && (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0)
             && curl_url_get(parser, CURLUPART_HOST, &host, 0) == CURLUE_OK;
    if (wanted && start)
        hosts = need(curl_slist_append(hosts, host));
    for (known = hosts; wanted && known != NULL && strcasecmp(known->data, host) != 0;)
        known = known->next;
    curl_free(scheme);
    curl_free(host);
    return wanted && known != NULL;
}

int frontier_add(const char *base, const char *text, int start)
{
    char *url = NULL, form[4 * MAX_LINK] = ""; /* what is checked, and sent as it is */
    size_t len;
    site *at;
    page *made;
    int ours = read_url(base, text, start) && curl_url_get(parser, CURLUPART_URL, &url, 0) == CURLUE_OK
               && robots_url_to_send(url, strlen(url), form, sizeof form - 1, &len) == ROBOTS_OK
               && (at = site_of(form)) != NULL;

    if (ours && remember(form)) {
        made = need(calloc(1, sizeof *made + len + 1));
        strcpy(made->url, form);
        *at->end = made;
        at->end = &made->next;
    }
    curl_free(url);
    return ours;
}

void frontier_add_links(const char *base, const char *html, size_t len)
{
    const char *end = html + len, *at, *from;

    for (at = html; end - at > 5; at++) {
        char *link, *entity, quote;

        if (strncasecmp(at, "href", 4) != 0)
            continue;
        for (at += 4; at < end && strchr(" \t\r\n=", *at) != NULL;)
            at++;
        if (at == end || (*at != '"' && *at != '\''))
            continue;
        for (quote = *at++, from = at; at < end && *at != quote;)
            at++;
        if (at - from > MAX_LINK)
            continue;
        link = copy(from, (size_t)(at - from));
        while ((entity = strstr(link, "&amp;")) != NULL)
            memmove(entity + 1, entity + 5, strlen(entity + 5) + 1);
        frontier_add(base, link, 0);
        free(link);
    }
}

site *frontier_sites(void)
{
    return sites;
}

page *frontier_take(site *at)
{
    page *one = at->first;

    if ((at->first = one->next) == NULL)
        at->end = &at->first;
    one->next = NULL;
    return one;
}

void frontier_put_back(site *at, page *one)
{
    if ((one->next = at->first) == NULL)
        at->end = &one->next;
    at->first = one;
}

void frontier_free(void)
{
    site *at;
    size_t i;

    while ((at = sites) != NULL) {
        sites = at->next;
        while (at->first != NULL)
            free(frontier_take(at));
        free(at->key);
        free(at);
    }
    for (i = 0; i < 2 * MAX_URLS; i++)
        free(seen[i]);
    curl_slist_free_all(hosts);
    curl_url_cleanup(parser);
}
