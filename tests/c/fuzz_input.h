/* What the fuzz target `abi` makes of its input, and its checks: a part of fuzz_body.h. */
#ifndef ROBOTS_TESTS_FUZZ_INPUT_H
#define ROBOTS_TESTS_FUZZ_INPUT_H

#include "support.h"

/* The parts of an input: an byte that says what is tried, two for the crawler, then the file and up to so many
 * URLs, with FF FF between them; FE, a number and an byte stand for 72 times the number of that byte. As the input of
 * `check` in fuzz/targets/input.rs, after its first byte. */
enum { FUZZ_URLS = 8, FUZZ_MOST = 80000 };

typedef struct {
    char *bytes;
    size_t len;
} fuzz_part;

typedef struct {
    robots_crawler *crawler;
    uint32_t dialect;
    fuzz_part body, urls[FUZZ_URLS];
    size_t count;
} fuzz_question;

static uint64_t fuzz_sum; /* of all bytes that were read: they have to be read for it */

#define HOLDS(condition) ((condition) ? (void)0 : fuzz_fault(__LINE__, #condition))
/* A status that is no panic; whether it is ROBOTS_OK. */
#define WORKS(status) fuzz_works(__LINE__, status)

static void fuzz_fault(int line, const char *what)
{
    fprintf(stderr, "fuzz: line %d: not so: %s\n", line, what);
    abort();
}

static int fuzz_works(int line, robots_status status)
{
    if (status < ROBOTS_OK || status > ROBOTS_E_STATE || status == ROBOTS_E_PANIC)
        fuzz_fault(line, robots_status_text(status));
    return status == ROBOTS_OK;
}

static void fuzz_read(robots_str text)
{
    size_t i;

    for (i = 0; i < text.len; i++)
        fuzz_sum += (unsigned char)text.ptr[i];
}

/* A verdict that says what it is, and allows nothing by an error. */
static robots_verdict fuzz_verdict(robots_verdict verdict)
{
    HOLDS(ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_E_PANIC);
    HOLDS(ROBOTS_VERDICT_STATUS(verdict) == ROBOTS_OK || !ROBOTS_VERDICT_ALLOWED(verdict));
    HOLDS(ROBOTS_VERDICT_REASON(verdict) <= ROBOTS_REASON_UNREACHABLE);
    return verdict;
}

/* --- the input ---------------------------------------------------------------------------------------------------- */

static fuzz_part fuzz_take(const uint8_t **data, size_t *len)
{
    static char bytes[FUZZ_MOST + 72 * 255];
    const uint8_t *from = *data;
    fuzz_part part = {NULL, 0};
    size_t at, end = 0;

    while (end < *len && !(end + 1 < *len && from[end] == 0xFF && from[end + 1] == 0xFF))
        end++;
    for (at = 0; at < end && part.len < FUZZ_MOST;) {
        if (from[at] == 0xFE && at + 2 < end) {
            memset(bytes + part.len, from[at + 2], (size_t)72 * from[at + 1]);
            part.len += (size_t)72 * from[at + 1];
            at += 3;
        } else {
            bytes[part.len++] = (char)from[at++];
        }
    }
    part.bytes = exact_copy(bytes, part.len);
    end += end < *len ? 2 : 0;
    *data += end;
    *len -= end;
    return part;
}

static fuzz_question fuzz_ask(const uint8_t *data, size_t len)
{
    fuzz_question question = {0};
    uint8_t options = len > 0 ? data[0] : 0, tokens = len > 1 ? data[1] : 0;
    size_t used = len < 2 ? len : 2;

    data += used;
    len -= used;
    question.crawler = new_crawler("ExampleBot");
    if (tokens & 1)
        HOLDS(robots_crawler_add_token(question.crawler, "Other", 5) == ROBOTS_OK);
    question.dialect = (options & 3) % 3;
    HOLDS(robots_crawler_set(question.crawler, ROBOTS_OPT_DIALECT, question.dialect) == ROBOTS_OK);
    HOLDS(robots_crawler_set(question.crawler, ROBOTS_OPT_IGNORE_STAR, options >> 2 & 1) == ROBOTS_OK);
    HOLDS(robots_crawler_set(question.crawler, ROBOTS_OPT_MERGE_TOKENS, options >> 3 & 1) == ROBOTS_OK);
    HOLDS(robots_crawler_set(question.crawler, ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, options >> 4 & 1) == ROBOTS_OK);
    /* One of the choices of a fetch, with a value that it may not have. */
    WORKS(robots_crawler_set(question.crawler, ROBOTS_OPT_MAX_REDIRECTS + (tokens >> 4), tokens >> 1 & 7));
    question.body = fuzz_take(&data, &len);
    while (question.count < FUZZ_URLS && (len > 0 || question.count == 0))
        question.urls[question.count++] = fuzz_take(&data, &len);
    /* The words of a stranger are no token, or a token. */
    WORKS(robots_crawler_add_token(question.crawler, question.urls[0].bytes, question.urls[0].len));
    WORKS(robots_crawler_add_names_in(question.crawler, question.urls[0].bytes, question.urls[0].len));
    return question;
}

static void fuzz_end(fuzz_question *question)
{
    size_t i;

    robots_crawler_free(question->crawler);
    free(question->body.bytes);
    for (i = 0; i < question->count; i++)
        free(question->urls[i].bytes);
}

#endif
