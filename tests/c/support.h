/* What several C tests need: crawlers and rules that must come into being, and URLs as C strings. */
#ifndef ROBOTS_TESTS_SUPPORT_H
#define ROBOTS_TESTS_SUPPORT_H

#include "read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gzip of "User-agent: *\nDisallow: /private/\n". */
#define GZIPPED \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x0b\x2d\x4e\x2d\xd2\x4d\x4c\x4f\xcd\x2b\xb1\x52\xd0\xe2\x72\xc9" \
    "\x2c\x4e\xcc\xc9\xc9\x2f\xb7\x52\xd0\x2f\x28\xca\x2c\x4b\x2c\x49\xd5\xe7\x02\x00\x61\x29\x8f\x77\x22\x00\x00\x00"

/* The first call for a request holds no slot. */
static const robots_slot NO_SLOT = {0};

/* Ends the program: without what was asked for, no later check would mean anything. */
static inline void give_up(const char *what, robots_status status)
{
    printf("FAIL %s: status %d: %s\n", what, (int)status, robots_status_text(status));
    exit(EXIT_FAILURE);
}

/* A copy of exactly `len` bytes, so that valgrind sees a read past its end. */
static inline char *exact_copy(const char *bytes, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);

    if (copy == NULL)
        give_up("malloc", ROBOTS_E_MEMORY);
    if (len > 0)
        memcpy(copy, bytes, len);
    return copy;
}

static inline robots_crawler *new_crawler(const char *token)
{
    robots_crawler *crawler = NULL;
    robots_status status = robots_crawler_new(token, strlen(token), &crawler);

    if (status != ROBOTS_OK || crawler == NULL)
        give_up(token, status);
    return crawler;
}

static inline robots_rules *parse_for(const robots_crawler *crawler, const char *body)
{
    size_t len = strlen(body);
    char *copy = exact_copy(body, len);
    robots_rules *rules = NULL;
    robots_status status = robots_rules_parse(crawler, copy, len, &rules);

    if (status != ROBOTS_OK || rules == NULL)
        give_up(body, status);
    /* Rules borrow nothing: what they were parsed from may change and go. */
    memset(copy, '#', len);
    free(copy);
    return rules;
}

/* The rules of `body` for the crawler "ExampleBot". */
static inline robots_rules *parse(const char *body)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_rules *rules = parse_for(crawler, body);

    robots_crawler_free(crawler);
    return rules;
}

static inline robots_verdict check(const robots_rules *rules, const char *url)
{
    size_t len = strlen(url);
    char *copy = exact_copy(url, len);
    robots_verdict verdict = robots_rules_check(rules, copy, len);

    free(copy);
    return verdict;
}

static inline int allowed(const robots_rules *rules, const char *url)
{
    return ROBOTS_VERDICT_ALLOWED(check(rules, url)) != 0;
}

/* Puts a verdict together as the header describes it, to compare whole words. These reasons are those of a whole site. */
static inline robots_verdict verdict_of(int is_allowed, uint32_t reason, robots_status status, uint32_t line)
{
    const int is_site_wide = reason == ROBOTS_REASON_NO_GROUP || reason == ROBOTS_REASON_ALLOW_ALL
                          || reason == ROBOTS_REASON_DISALLOW_ALL || reason == ROBOTS_REASON_DEFER
                          || reason == ROBOTS_REASON_UNREACHABLE;
    robots_verdict verdict;

    verdict.bits = (uint64_t)(is_allowed != 0) | (uint64_t)is_site_wide << 1 | (uint64_t)reason << 8
                 | (uint64_t)(uint32_t)status << 16 | (uint64_t)line << 32;
    return verdict;
}

#endif
