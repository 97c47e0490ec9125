/* robots_rules_image, _from_image and robots_image_*: rules as a block of bytes, whole and damaged. */
#define _DEFAULT_SOURCE /* for mmap beside -std=c11 */

#include "harness.h"
#include "support.h"

#include <sys/mman.h>

static void *const UNTOUCHED = (void *)&harness_failures; /* no handle: shows whether `out` was written */

static const char BODY[] = "user-agent: *\ndisallow: /private\nallow: /private/public\ndisallow: /*.php$\n"
                           "disallow: /*session*id\nallow: /caf\xc3\xa9\ncrawl-delay: 2.5\n"
                           "sitemap: https://example.com/1.xml\nsitemap: https://example.com/2.xml\n";

static const char *const URLS[] = {"/", "/private", "https://example.com/private/public/x", "/a.php", "/a.php?b",
                                   "/x/session/id", "/caf%C3%A9", "/robots.txt", "", "no-url"};

enum { URL_COUNT = sizeof URLS / sizeof URLS[0] };

static int is_nan(double number)
{
    return number != number;
}

static int same(robots_str a, robots_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static robots_verdict check_image(const char *image, size_t len, const char *url)
{
    return robots_image_check(image, len, url, strlen(url));
}

/* What the check of an untrusted image returns. */
static robots_status validated(const char *image, size_t len)
{
    robots_rules *rules;
    robots_status status = robots_rules_from_image(image, len, &rules);

    robots_rules_free(rules);
    return status;
}

/* The image answers what the rules answer: in place, at any address, and as rules again. */
static void round_trip(void)
{
    robots_rules *rules = parse(BODY), *again = UNTOUCHED;
    robots_str image = robots_rules_image(rules);
    char *copy = exact_copy(image.ptr, image.len);
    char *room = malloc(image.len + 8);
    size_t i, shift;

    CHECK(image.ptr != NULL && image.len > 0);
    CHECK_INT(robots_rules_from_image(copy, image.len, &again), ROBOTS_OK);
    memset(copy, 0, image.len); /* it was copied */
    free(copy);
    CHECK(same(robots_rules_image(again), image));

    for (shift = 0; room != NULL && shift < 8; shift++) {
        char *place = room + shift;
        robots_rules *borrowed = UNTOUCHED;

        memcpy(place, image.ptr, image.len);
        CHECK_INT(robots_rules_borrow_image(place, image.len, &borrowed), ROBOTS_OK);
        CHECK(robots_rules_image(borrowed).ptr == place && robots_rules_image(borrowed).len == image.len);
        CHECK_INT(validated(place, image.len), ROBOTS_OK);
        for (i = 0; i < URL_COUNT; i++) {
            CHECK_VERDICT(check_image(place, image.len, URLS[i]), check(rules, URLS[i]));
            CHECK_VERDICT(check(borrowed, URLS[i]), check(rules, URLS[i]));
            CHECK_VERDICT(check(again, URLS[i]), check(rules, URLS[i]));
        }
        CHECK(robots_rules_crawl_delay(borrowed) == 2.5);
        CHECK_INT(sitemap_count(borrowed), 2);
        for (i = 0; i < 4; i++)
            CHECK(same(sitemap_at(borrowed, i), sitemap_at(rules, i)));
        CHECK_INT(sitemap_at(borrowed, SIZE_MAX).len, 0);
        CHECK(robots_rules_retain(borrowed) == borrowed);
        robots_rules_free(borrowed);
        CHECK_VERDICT(check(borrowed, "/private"), check(rules, "/private"));
        robots_rules_free(borrowed);
    }
    CHECK(room != NULL);
    CHECK(!ROBOTS_VERDICT_ALLOWED(check(again, "/private")) && ROBOTS_VERDICT_ALLOWED(check(again, "/")));
    free(room);
    robots_rules_free(rules);
    CHECK(!allowed(again, "/private")); /* lives without the first */
    robots_rules_free(again);
}

/* The rules that have no robots.txt, and no rules at all, have images, too. */
static void small_images(void)
{
    robots_rules *kinds[3] = {parse(""), NULL, NULL}, *again;
    robots_str image;
    size_t i;

    CHECK_INT(robots_rules_site_wide(ROBOTS_ALLOWED, &kinds[1]), ROBOTS_OK);
    CHECK_INT(robots_rules_site_wide(ROBOTS_DISALLOWED, &kinds[2]), ROBOTS_OK);
    for (i = 0; i < 3; i++) {
        image = robots_rules_image(kinds[i]);
        again = NULL;
        CHECK_INT(robots_rules_from_image(image.ptr, image.len, &again), ROBOTS_OK);
        CHECK_VERDICT(check(again, "/x"), check(kinds[i], "/x"));
        CHECK_VERDICT(check_image(image.ptr, image.len, "/x"), check(kinds[i], "/x"));
        CHECK_INT(allowed(again, "/x"), i < 2);
        CHECK(is_nan(robots_rules_crawl_delay(again)));
        CHECK_INT(sitemap_count(again), 0);
        robots_rules_free(again);
        robots_rules_free(kinds[i]);
    }
}

/* What every function answers to something that is no image: an error, nothing, never "allowed". */
static void refuse(const char *image, size_t len, robots_status status)
{
    robots_rules *rules = UNTOUCHED;

    CHECK_INT(robots_rules_from_image(image, len, &rules), status);
    CHECK(rules == NULL);
    rules = UNTOUCHED;
    CHECK_INT(robots_rules_borrow_image(image, len, &rules), status);
    CHECK(rules == NULL);
    CHECK_VERDICT(check_image(image, len, "/x"), verdict_of(0, ROBOTS_REASON_NONE, status, 0));
}

static void other_byte_order(void)
{
    robots_rules *rules = parse(BODY);
    robots_str image = robots_rules_image(rules);
    char *copy = exact_copy(image.ptr, image.len);

    copy[6] = image.ptr[7];
    copy[7] = image.ptr[6];
    refuse(copy, image.len, ROBOTS_E_IMAGE_FORMAT);
    free(copy);
    robots_rules_free(rules);
}

/* A block whose length is that of its image modulo 2^32 is no image. Only the pages that are written are memory. */
static void longer_by_4_gib(void)
{
#if SIZE_MAX > UINT32_MAX
    const size_t more = (size_t)1 << 32;
    robots_rules *rules = parse(BODY);
    robots_str image = robots_rules_image(rules);
    char *block = mmap(NULL, more + image.len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(block != MAP_FAILED);
    if (block != MAP_FAILED) {
        memcpy(block, image.ptr, image.len);
        CHECK_INT(validated(block, image.len), ROBOTS_OK);
        refuse(block, more + image.len, ROBOTS_E_IMAGE);
        munmap(block, more + image.len);
    }
    robots_rules_free(rules);
#else
    harness_skip("no block is that long here");
#endif
}

/* The verdict on a site without rules is that of every URL but the robots.txt. */
static void site_verdicts(void)
{
    static const char *const bodies[] = {"", "user-agent: other\ndisallow: /\n", "user-agent: *\n", BODY};
    robots_rules *kinds[6] = {NULL};
    size_t i, url;

    for (i = 0; i < 4; i++)
        kinds[i] = parse(bodies[i]);
    CHECK_INT(robots_rules_site_wide(ROBOTS_ALLOWED, &kinds[4]), ROBOTS_OK);
    CHECK_INT(robots_rules_site_wide(ROBOTS_DISALLOWED, &kinds[5]), ROBOTS_OK);
    for (i = 0; i < 6; i++) {
        static const uint32_t reasons[] = {ROBOTS_REASON_NO_GROUP, ROBOTS_REASON_NO_GROUP, ROBOTS_REASON_NO_RULE,
                                           ROBOTS_REASON_NO_RULE, ROBOTS_REASON_ALLOW_ALL, ROBOTS_REASON_DISALLOW_ALL};
        robots_verdict site = check(kinds[i], "/");

        CHECK_INT(ROBOTS_VERDICT_REASON(site), reasons[i]);
        for (url = 0; url < 7 && reasons[i] != ROBOTS_REASON_NO_RULE; url++)
            CHECK_VERDICT(check(kinds[i], URLS[url]), site);
        robots_rules_free(kinds[i]);
    }
}

/* Asks a damaged image everything. Answers may be wrong or errors; a read outside it is valgrind's to find. */
static void ask(const char *image, size_t len)
{
    robots_rules *borrowed = UNTOUCHED;
    robots_rule_list *list = UNTOUCHED;
    robots_status status = robots_rules_borrow_image(image, len, &borrowed);
    size_t i;

    CHECK((status == ROBOTS_OK) == (borrowed != NULL));
    for (i = 0; i < URL_COUNT; i++) {
        robots_verdict verdict = check_image(image, len, URLS[i]);

        CHECK(ROBOTS_VERDICT_STATUS(verdict) == ROBOTS_OK || !ROBOTS_VERDICT_ALLOWED(verdict));
        if (borrowed != NULL)
            CHECK_VERDICT(check(borrowed, URLS[i]), verdict);
    }
    (void)robots_rules_crawl_delay(borrowed);
    for (i = 0; i < 100; i++) {
        robots_str sitemap = sitemap_at(borrowed, i);

        CHECK(sitemap.len == 0 || (sitemap.ptr >= image && sitemap.ptr + sitemap.len <= image + len));
    }
    /* A list is made of a valid image alone. */
    CHECK(robots_rule_list_new(borrowed, &list) != ROBOTS_OK);
    CHECK(list == NULL);
    robots_rules_free(borrowed);
}

/* Each bit turned over, and each length cut: never valid, never a crash. */
static void damaged_images(void)
{
    robots_rules *rules = parse(BODY);
    robots_str image = robots_rules_image(rules);
    size_t at;
    int bit;

    for (at = 0; at < image.len; at++) {
        char *cut = exact_copy(image.ptr, at), *copy = exact_copy(image.ptr, image.len);

        CHECK(validated(cut, at) != ROBOTS_OK);
        ask(cut, at);
        free(cut);
        for (bit = 0; bit < 8; bit++) {
            copy[at] = (char)(image.ptr[at] ^ (1 << bit));
            CHECK(validated(copy, image.len) != ROBOTS_OK);
            ask(copy, image.len);
        }
        free(copy);
    }
    robots_rules_free(rules);
}

int main(void)
{
    static const test tests[] = {
        {"round trip", round_trip},
        {"small images", small_images},
        {"other byte order", other_byte_order},
        {"longer by 4 GiB", longer_by_4_gib},
        {"site verdicts", site_verdicts},
        {"damaged images", damaged_images},
    };

    return RUN_TESTS("image", tests);
}
