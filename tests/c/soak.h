/* What the parts of the soak share: random numbers, files, crawlers and URLs, and the demands that are made. */
#ifndef ROBOTS_TESTS_SOAK_H
#define ROBOTS_TESTS_SOAK_H

#include "support.h"

#include <math.h>
#include <pthread.h>

#define TEXT(literal) literal, sizeof(literal) - 1
#define NOW UINT64_C(1800000000000)
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* --- demands: as CHECK of harness.h, in any thread ------------------------------------------------------------------ */

static unsigned long wrong; /* atomic */

#define DEMAND(condition) ((condition) ? (void)0 : demand_failed(__FILE__, __LINE__, #condition))

static void demand_failed(const char *file, int line, const char *what)
{
    /* The first few say it all. */
    if (__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED) < 10)
        printf("FAIL %s:%d: not so: %s\n", file, line, what);
}

static void locked(pthread_mutex_t *lock) { DEMAND(pthread_mutex_lock(lock) == 0); }
static void unlocked(pthread_mutex_t *lock) { DEMAND(pthread_mutex_unlock(lock) == 0); }

static int same_text(robots_str one, robots_str other)
{
    return one.len == other.len && (one.len == 0 || memcmp(one.ptr, other.ptr, one.len) == 0);
}

/* All bytes of a borrowed string can be read. */
static void read_through(robots_str text)
{
    const volatile char *bytes = text.ptr;
    size_t i;

    DEMAND(text.len == 0 || text.ptr != NULL);
    for (i = 0; i < text.len; i++)
        (void)bytes[i];
}

/* --- random numbers (SplitMix64) ------------------------------------------------------------------------------------ */

typedef uint64_t random_state;

static uint64_t any(random_state *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static unsigned below(random_state *state, unsigned bound) { return (unsigned)(any(state) % bound); }
static int one_in(random_state *state, unsigned bound) { return below(state, bound) == 0; }
#define PICK(state, array) ((array)[below(state, LENGTH(array))])

/* --- files ---------------------------------------------------------------------------------------------------------- */

enum { BODY_MAX = 3000 };

typedef struct {
    char bytes[BODY_MAX];
    size_t len;
} file;

static void random_file(random_state *state, file *out)
{
    static const char *const agents[] = {"*", "*", "ExampleBot", "examplebot/2", "Other", "Googlebot", "*bot"};
    static const char *const rules[] = {"Disallow", "Disallow", "Allow", "disalow"};
    static const char *const paths[] = {
        "/",    "/a",      "/private", "/private/open", "/*.php$",  "/a*b",  "/*a*a*a*b$", "/caf%C3%A9",
        "/caf\xc3\xa9", "/%7ejoe", "/$",   "",      "https://example.com/x", "*a", "/a%2fb", "/q?x=http%3A",
        "/x/index.html", "/100%",  "/a%2A", "/****b"};
    static const char *const others[] = {
        "Crawl-delay: 2.5",         "Crawl-delay: soon",          "Sitemap: https://example.com/s.xml",
        "Content-Usage: /a train-ai=n, search=y", "Content-signal: search=yes, ai-train=no", "Request-rate: 1/10s 0800-1700",
        "Visit-time: 0600-0845",    "Host: example.com",          "Clean-param: ref /x", "Noindex: /x",
        "",                         "# a comment",                "<html>",              "Disallow /no-colon"};
    unsigned lines = below(state, 60), i;
    size_t at = 0;

    for (i = 0; i < lines && at + 100 < BODY_MAX; i++) {
        char *to = out->bytes + at;

        switch (below(state, 10)) {
        case 0:
        case 1:
            at += (size_t)snprintf(to, 100, "User-agent: %s\n", PICK(state, agents));
            break;
        case 2:
            at += (size_t)snprintf(to, 100, "%s\n", PICK(state, others));
            break;
        case 3: { /* a rule that no other file has */
            unsigned which = below(state, 100000);

            at += (size_t)snprintf(to, 100, "Disallow: /a/%u*%s$\n", which, PICK(state, paths));
            break;
        }
        default:
            at += (size_t)snprintf(to, 100, "%s: %s\n", PICK(state, rules), PICK(state, paths));
        }
        if (one_in(state, 40))
            out->bytes[below(state, (unsigned)at)] = (char)any(state);
    }
    out->len = at;
}

/* --- crawlers: a recipe is a number, and all crawlers of one are alike ------------------------------------------------- */

enum { RECIPES = 12 };

static robots_crawler *crawler_of(unsigned recipe)
{
    static const char *const tokens[] = {"ExampleBot", "Other", "Absent"};
    static const char *const presets[] = {"Googlebot", "Googlebot-Image", "AdsBot-Google"};
    static const uint64_t dialects[] = {ROBOTS_DIALECT_RFC9309, ROBOTS_DIALECT_GOOGLE, ROBOTS_DIALECT_KOSTER1996};
    const char *name = recipe % 4 == 3 ? PICK(&(random_state){recipe}, presets) : tokens[recipe % 3];
    robots_crawler *made = NULL;

    DEMAND((recipe % 4 == 3 ? robots_crawler_preset : robots_crawler_new)(name, strlen(name), &made) == ROBOTS_OK);
    DEMAND(robots_crawler_set(made, ROBOTS_OPT_DIALECT, dialects[recipe / 4 % 3]) == ROBOTS_OK);
    DEMAND(robots_crawler_set(made, ROBOTS_OPT_DIALECT, 99) == ROBOTS_E_ARG);
    DEMAND(robots_crawler_set(made, ROBOTS_OPT_MAX_BYTES, 512000 + recipe) == ROBOTS_OK);
    DEMAND(robots_crawler_set(made, ROBOTS_OPT_IGNORE_STAR, recipe == 5) == ROBOTS_OK);
    DEMAND(robots_crawler_set(made, ROBOTS_OPT_MERGE_TOKENS, recipe % 2) == ROBOTS_OK);
    DEMAND(robots_crawler_set(made, ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, recipe / 2 % 2) == ROBOTS_OK);
    DEMAND(robots_crawler_add_token(made, TEXT("ExampleBot")) == ROBOTS_OK);
    DEMAND(robots_crawler_add_token(made, TEXT("a whole User-Agent/1.0")) == ROBOTS_E_TOKEN);
    return made;
}

/* --- URLs ----------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *ptr;
    size_t len;
} URLS[] = {
    {TEXT("https://example.com/")},
    {TEXT("https://example.com")},
    {TEXT("https://example.com/private")},
    {TEXT("https://example.com/private/open?a=b")},
    {TEXT("https://example.com/a/b.php")},
    {TEXT("https://example.com/caf%c3%a9/\xff\x01 \"<>")},
    {TEXT("https://example.com/caf\xc3\xa9")},
    {TEXT("https://example.com/~joe")},
    {TEXT("https://example.com/a%2Fb")},
    {TEXT("https://example.com/q?x=http://y")},
    {TEXT("https://example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")},
    {TEXT("https://example.com/a/77/\0/b")},
    {TEXT("https://example.com/x/#fragment")},
    {TEXT("https://example.com/100%")},
    {TEXT("https://example.com/robots.txt")},
    {TEXT("/a/1")},
    {TEXT("")},
    {TEXT("relative/path")},
    {TEXT("mailto:x@example.com")},
};

enum { QUESTIONS = LENGTH(URLS) };

/* All URLs as a batch. */
static char batch_text[2000];
static uint64_t batch_offsets[QUESTIONS + 1];

static void write_batch(void)
{
    size_t at = 0, i;

    for (i = 0; i < QUESTIONS; i++) {
        memcpy(batch_text + at, URLS[i].ptr, URLS[i].len);
        at += URLS[i].len;
        batch_offsets[i + 1] = at;
    }
}

/* What a batch answers where the whole verdict is `word`. */
static uint8_t in_a_batch(robots_verdict word)
{
    if (ROBOTS_VERDICT_STATUS(word) != ROBOTS_OK)
        return ROBOTS_BAD_URL;
    return ROBOTS_VERDICT_ALLOWED(word) ? ROBOTS_ALLOWED : ROBOTS_DISALLOWED;
}

/* A verdict with an error allows nothing. */
static robots_verdict sound(robots_verdict word)
{
    DEMAND(ROBOTS_VERDICT_STATUS(word) == ROBOTS_OK || !ROBOTS_VERDICT_ALLOWED(word));
    DEMAND(ROBOTS_VERDICT_STATUS(word) != ROBOTS_E_PANIC && ROBOTS_VERDICT_STATUS(word) != ROBOTS_E_MEMORY);
    return word;
}

#endif
