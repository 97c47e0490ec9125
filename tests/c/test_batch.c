/* robots_rules_check_batch: many URLs in one call, on rules of our own and on rules that borrow an image. */
#define _DEFAULT_SOURCE /* for mmap beside -std=c11 */

#include "harness.h"
#include "support.h"

#include <sys/mman.h>

enum { COUNT = 6 };

/* Six URLs one after the other, one of them empty; what stands before and after is none of them. */
static const char TEXT[] = "##/a/bhttp://h/ano url/robots.txt##";
static const uint64_t OFFSETS[COUNT + 1] = {2, 4, 6, 16, 22, 22, 33};
static const uint8_t ANSWERS[COUNT] = {ROBOTS_DISALLOWED, ROBOTS_ALLOWED, ROBOTS_DISALLOWED,
                                       ROBOTS_BAD_URL, ROBOTS_BAD_URL, ROBOTS_ALLOWED};

static robots_rules *rules, *borrowed;
static robots_str image;
static uint8_t answers[COUNT];

/* Rules of our own and rules that borrow an image answer the same. `which` counts them. */
enum { FUNCTIONS = 2 };

static robots_status batch(int which, const char *text, const uint64_t *offsets, size_t count, uint8_t *out)
{
    memset(answers, 0x7f, sizeof answers);
    return robots_rules_check_batch(which == 0 ? rules : borrowed, text, offsets, count, out);
}

static int all_disallowed(void)
{
    static const uint8_t want[COUNT] = {ROBOTS_DISALLOWED};

    return memcmp(answers, want, COUNT) == 0;
}

static void many_urls(void)
{
    int which;

    for (which = 0; which < FUNCTIONS; which++) {
        CHECK_INT(batch(which, TEXT, OFFSETS, COUNT, answers), ROBOTS_OK);
        CHECK(memcmp(answers, ANSWERS, COUNT) == 0);
        /* Some of them: the others are left alone. */
        CHECK_INT(batch(which, TEXT, OFFSETS + 1, 2, answers + 1), ROBOTS_OK);
        CHECK(memcmp(answers + 1, ANSWERS + 1, 2) == 0);
        CHECK_INT(answers[0], 0x7f);
        CHECK_INT(answers[3], 0x7f);
    }
}

static void no_urls(void)
{
    int which;

    for (which = 0; which < FUNCTIONS; which++) {
        CHECK_INT(batch(which, TEXT, OFFSETS, 0, answers), ROBOTS_OK);
        CHECK_INT(batch(which, NULL, OFFSETS, 0, answers), ROBOTS_OK);
        CHECK_INT(batch(which, NULL, NULL, 0, answers), ROBOTS_OK); /* as Arrow has an empty array */
        CHECK_INT(batch(which, NULL, NULL, 0, NULL), ROBOTS_OK);
        CHECK_INT(answers[0], 0x7f);
    }
}

/* Empty URLs need no text. */
static void no_text(void)
{
    static const uint64_t none[COUNT + 1] = {0};
    int which;

    for (which = 0; which < FUNCTIONS; which++) {
        CHECK_INT(batch(which, NULL, none, COUNT, answers), ROBOTS_OK);
        CHECK_INT(answers[0], ROBOTS_BAD_URL);
        CHECK_INT(answers[COUNT - 1], ROBOTS_BAD_URL);
    }
}

/* A wrong argument: no URL is answered, above all none with "allowed". */
static void misused(void)
{
    static const uint64_t decreasing[COUNT + 1] = {2, 4, 6, 5, 22, 22, 33};
    static const uint64_t first_too_large[COUNT + 1] = {UINT32_MAX, 4, 6, 16, 22, 22, 33};
    int which;

    for (which = 0; which < FUNCTIONS; which++) {
        CHECK_INT(batch(which, TEXT, decreasing, COUNT, answers), ROBOTS_E_ARG);
        CHECK(all_disallowed());
        CHECK_INT(batch(which, TEXT, first_too_large, COUNT, answers), ROBOTS_E_ARG);
        CHECK(all_disallowed());
        CHECK_INT(batch(which, NULL, OFFSETS, COUNT, answers), ROBOTS_E_ARG);
        CHECK(all_disallowed());
        CHECK_INT(batch(which, TEXT, NULL, COUNT, answers), ROBOTS_E_ARG);
        CHECK(all_disallowed());
        CHECK_INT(batch(which, TEXT, OFFSETS, COUNT, NULL), ROBOTS_E_ARG);
    }
}

/* Offsets that no machine can follow. */
static void offsets_of_64_bits(void)
{
    static const uint64_t huge[] = {0, UINT64_MAX}, half[] = {0, UINT64_C(1) << 63};

    memset(answers, ROBOTS_ALLOWED, COUNT);
    CHECK_INT(robots_rules_check_batch(rules, TEXT, huge, 1, answers), ROBOTS_E_ARG);
    CHECK_INT(answers[0], ROBOTS_DISALLOWED);
    memset(answers, ROBOTS_ALLOWED, COUNT);
    CHECK_INT(robots_rules_check_batch(rules, TEXT, half, 1, answers), ROBOTS_E_ARG);
    CHECK_INT(answers[0], ROBOTS_DISALLOWED);
}

/* A text of 5 GiB. Only the few pages with URLs in them take memory. */
#define GIB (UINT64_C(1) << 30)

static void past_4_gib(void)
{
    static const char urls[] = "/a/b/c" "/a/d" "/e" "x" "/robots.txt";
    static const uint8_t want[] = {ROBOTS_DISALLOWED, ROBOTS_DISALLOWED, ROBOTS_ALLOWED, ROBOTS_BAD_URL, ROBOTS_ALLOWED};
    /* The first URL lies across the border. */
    static const uint64_t wide[] = {4 * GIB - 3, 4 * GIB + 3, 4 * GIB + 7, 4 * GIB + 9, 4 * GIB + 10, 4 * GIB + 21};
    /* The same, by a caller who cuts offsets to 32 bits: they decrease, and nothing is allowed. */
    static const uint64_t cut[] = {UINT32_MAX - 2, 3, 7, 9, 10, 21};
    enum { URLS = sizeof want };
    const size_t size = (size_t)(5 * GIB);
    char *text;

    memset(answers, ROBOTS_ALLOWED, COUNT);
    if (size < 5 * GIB) { /* 32 bits: no text is that long */
        CHECK_INT(robots_rules_check_batch(rules, TEXT, wide, URLS, answers), ROBOTS_E_ARG);
        CHECK(memchr(answers, ROBOTS_ALLOWED, URLS) == NULL);
        return;
    }
    text = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (text == MAP_FAILED) {
        harness_skip("there are no 5 GiB of addresses here; allow overcommit (vm.overcommit_memory 0 or 1, ulimit -v)");
        return;
    }
    memcpy(text + wide[0], urls, sizeof urls - 1);
    CHECK_INT(robots_rules_check_batch(rules, text, wide, URLS, answers), ROBOTS_OK);
    CHECK(memcmp(answers, want, URLS) == 0);
    /* What stands there is found where it is, not 4 GiB before. */
    memcpy(text, "/e/e/e/e/e/e/e/e/e/e/e/e", 24);
    CHECK_INT(robots_rules_check_batch(rules, text, wide + 1, 1, answers), ROBOTS_OK);
    CHECK_INT(answers[0], ROBOTS_DISALLOWED);
    memset(answers, ROBOTS_ALLOWED, COUNT);
    CHECK_INT(robots_rules_check_batch(rules, text, cut, URLS, answers), ROBOTS_E_ARG);
    CHECK(memchr(answers, ROBOTS_ALLOWED, URLS) == NULL);
    munmap(text, size);
}

static void without_rules(void)
{
    static const uint64_t wide[] = {2, 4};

    memset(answers, ROBOTS_ALLOWED, COUNT);
    CHECK_INT(robots_rules_check_batch(NULL, TEXT, OFFSETS, COUNT, answers), ROBOTS_E_ARG);
    CHECK(all_disallowed());
    CHECK_INT(robots_rules_check_batch(NULL, TEXT, OFFSETS, 0, answers), ROBOTS_E_ARG);
    CHECK_INT(robots_rules_check_batch(NULL, NULL, NULL, 1, NULL), ROBOTS_E_ARG);
    answers[0] = ROBOTS_ALLOWED;
    CHECK_INT(robots_rules_check_batch(NULL, TEXT, wide, 1, answers), ROBOTS_E_ARG);
    CHECK_INT(answers[0], ROBOTS_DISALLOWED);
}

/* Answers that would be written over the URLs or their offsets. */
static void overlapping(void)
{
    union {
        uint64_t offsets[2];
        uint8_t bytes[16];
    } both = {{0, 1}};
    char text[] = "/open";

    CHECK_INT(robots_rules_check_batch(rules, TEXT, both.offsets, 1, both.bytes + 15), ROBOTS_E_ARG);
    CHECK_INT(both.bytes[15], ROBOTS_DISALLOWED);
    both.offsets[1] = 5;
    CHECK_INT(robots_rules_check_batch(rules, text, both.offsets, 1, (uint8_t *)text + 4), ROBOTS_E_ARG);
    CHECK_INT(text[4], ROBOTS_DISALLOWED);
    CHECK_INT(robots_rules_check_batch(rules, text, both.offsets, 1, (uint8_t *)text + 5), ROBOTS_OK);
}

/* An image that is damaged after it was borrowed: every URL is answered, with "no answer". */
static void without_image(void)
{
    char *copy = exact_copy(image.ptr, image.len);
    robots_rules *damaged = NULL;
    size_t i;

    CHECK_INT(robots_rules_borrow_image(copy, image.len, &damaged), ROBOTS_OK);
    memset(copy, 0, image.len);
    memset(answers, ROBOTS_ALLOWED, COUNT);
    CHECK_INT(robots_rules_check_batch(damaged, TEXT, OFFSETS, COUNT, answers), ROBOTS_OK);
    for (i = 0; i < COUNT; i++)
        CHECK_INT(answers[i], ROBOTS_BAD_URL);
    robots_rules_free(damaged);
    free(copy);
}

int main(void)
{
    static const test tests[] = {
        {"many URLs", many_urls},
        {"no URLs", no_urls},
        {"no text", no_text},
        {"misused", misused},
        {"offsets of 64 bits", offsets_of_64_bits},
        {"past 4 GiB", past_4_gib},
        {"without rules", without_rules},
        {"without image", without_image},
        {"overlapping", overlapping},
    };
    int result;

    rules = parse("user-agent: *\ndisallow: /a\n");
    image = robots_rules_image(rules);
    if (robots_rules_borrow_image(image.ptr, image.len, &borrowed) != ROBOTS_OK)
        give_up("robots_rules_borrow_image", ROBOTS_E_IMAGE);
    result = RUN_TESTS("batch", tests);
    robots_rules_free(borrowed);
    robots_rules_free(rules);
    return result;
}
