/* The allocations of the library; test_faults.c lets them fail. Linked against librobots.a with `-Wl,--wrap=malloc` and the like, so that
 * every allocation of the library, and of nobody else, goes through the counters below. */
#include "harness.h"
#include "support.h"
#include "wrapped.h"

/* A check whose verdict does not matter here. */
#define JUST(verdict) ((void)(verdict).bits)

static size_t allocations, releases; /* since the last `count_from_here` */

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    allocations++;
    releases += block != NULL;
    return __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    allocations++;
    return __real_posix_memalign(out, alignment, size);
}

void __wrap_free(void *block)
{
    releases += block != NULL;
    __real_free(block);
}

static void count_from_here(void)
{
    allocations = 0;
    releases = 0;
}

static const uint64_t DIALECTS[] = {ROBOTS_DIALECT_RFC9309, ROBOTS_DIALECT_GOOGLE, ROBOTS_DIALECT_KOSTER1996};

static const char BODY[] = "user-agent: *\ndisallow: /private\nallow: /private/public\ndisallow: /*.php$\n"
                           "disallow: /caf\xc3\xa9\ndisallow: /*a*a*a*a*b\ndisallow: /q?x=http%3A%2F%2Fy\n"
                           "allow: /100%\ncrawl-delay: 2\nsitemap: https://example.com/s.xml\n";

/* Neither deciding nor reading what the rules hold allocates, in any dialect, for any URL of any length. */
static void deciding_allocates_nothing(void)
{
    static const char *const urls[] = {
        "/", "/private", "https://example.com/private/public/x", "https://example.com/a.php?x", "/caf%c3%A9",
        "/caf\xc3\xa9/\xff\x01 \"<>", "/q?x=http://y", "/%70rivate", "/100%", "/100%2", "http://h?x", "/a#b",
        "/robots.txt", "", "relative/path", "mailto:x@y",
    };
    enum { LONG = 5400, LONGER = 100000 }; /* in canonical form at most 16 KiB (SPEC 8.12), and more than 64 KiB */
    static const uint64_t offsets[] = {0, LONG / 2, LONG};
    uint8_t answers[2];
    robots_str image;
    char *long_url = malloc(LONGER);
    size_t d, i, len;
    unsigned long decisions = 0, long_ones = 0;

    CHECK(long_url != NULL);
    if (long_url == NULL)
        return;
    for (d = 0; d < sizeof DIALECTS / sizeof DIALECTS[0]; d++) {
        robots_crawler *crawler = new_crawler("ExampleBot");
        robots_rules *rules;

        CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, DIALECTS[d]), ROBOTS_OK);
        count_from_here();
        rules = parse_for(crawler, BODY);
        CHECK(allocations > 1); /* the counter works: one was the copy of the body */

        count_from_here();
        for (i = 0; i < sizeof urls / sizeof urls[0]; i++, decisions++)
            JUST(robots_rules_check(rules, urls[i], strlen(urls[i])));
        /* Long URLs: plain, all escapes, all bytes that must be escaped; cut anywhere. */
        for (i = 0; i < LONG; i++)
            long_url[i] = "/a%C3\xa9?b"[i % 8];
        for (len = 1; len < LONG; len = len * 2 + 1, decisions++)
            JUST(robots_rules_check(rules, long_url, len));
        memset(long_url + 1, '\x80', LONG - 1);
        JUST(robots_rules_check(rules, long_url, LONG));
        memset(long_url + 1, 'a', LONG - 1);
        JUST(robots_rules_check(rules, long_url, LONG));
        JUST(robots_rules_check(NULL, long_url, LONG));
        image = robots_rules_image(rules);
        for (i = 0; i < sizeof urls / sizeof urls[0]; i++)
            JUST(robots_image_check(image.ptr, image.len, urls[i], strlen(urls[i])));
        JUST(robots_image_check(image.ptr, image.len, long_url, LONG));
        CHECK_INT(robots_rules_check_batch(rules, long_url, offsets, 2, answers), ROBOTS_OK);
        JUST(robots_rules_check(rules, NULL, LONG));
        CHECK(robots_rules_crawl_delay(rules) == 2);
        CHECK_INT(sitemap_count(rules), 1);
        CHECK_INT(sitemap_at(rules, 0).len, strlen("https://example.com/s.xml"));
        robots_status_text(ROBOTS_E_URL);
        robots_reason_text(ROBOTS_REASON_DEFER);
        CHECK(robots_version_number() > 0);
        CHECK_INT(allocations, 0);
        CHECK_INT(releases, 0);

        /* A longer one takes at most one allocation, which is freed. */
        memset(long_url + 1, '\x80', LONGER - 1);
        JUST(robots_rules_check(rules, long_url, LONGER));
        CHECK(allocations <= 1 && releases == allocations);
        long_ones += allocations;
        robots_rules_free(rules);
        robots_crawler_free(crawler);
    }
    CHECK(decisions > 3 * 25 && long_ones > 0);
    free(long_url);
}

int main(void)
{
    static const test tests[] = {
        {"deciding allocates nothing", deciding_allocates_nothing},
    };

    return RUN_TESTS("memory", tests);
}
