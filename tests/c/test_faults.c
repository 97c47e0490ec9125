/* Memory that runs out: every function that allocates, with its 1st, 2nd, 3rd ... allocation failing until none does.
 * Each time it ends with an error or a result, nothing leaks, and the same call with memory succeeds afterwards.
 *
 * Each try is a process of its own, so that an abort is seen and counted. Where one is tolerated, the scene says so:
 * `aborts_up_to` bytes, see SECURITY.md. Linked as test_memory.c is.
 *
 * Environment: FAULTS_SAMPLE=n tries each n-th allocation only, for sanitizers and valgrind, under which a process is
 * dear; FAULTS_TRACE says how many there were. */
#define _DEFAULT_SOURCE /* for fork and mmap beside -std=c11 */

#include "harness.h"
#include "support.h"
#include "wrapped.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long left = 0;      /* so many allocations from now one fails; 0: none does */
static unsigned long failed;        /* how many did */
static long live;                   /* blocks that the library holds */
static volatile size_t *failed_size; /* of the one that failed; shared with the parent process */

static int granted(size_t size)
{
    if (left == 0 || --left > 0)
        return 1;
    failed++;
    *failed_size = size;
    return 0;
}

static void *counted(void *block)
{
    live += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return granted(size) ? counted(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return granted(count * size) ? counted(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!granted(size))
        return NULL;
    return block != NULL ? __real_realloc(block, size) : counted(__real_realloc(NULL, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return granted(size) ? counted(__real_aligned_alloc(alignment, size)) : NULL;
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    int result = granted(size) ? __real_posix_memalign(out, alignment, size) : 12; /* ENOMEM */

    live += result == 0;
    return result;
}

void __wrap_free(void *block)
{
    live -= block != NULL;
    __real_free(block);
}

/* --- what is done while memory runs out --------------------------------------------------------------------------- */

/* What a scene works with. `setup` makes what `act` needs; `finish` frees all that is there. */
static robots_crawler *crawler, *second;
static robots_rules *rules, *copied;
static robots_fetch *fetch;
static robots_outcome *outcome, *earlier;
static robots_rule_list *list;
static robots_cache *cache;
static robots_ticket *ticket;
static robots_explanation *explanation;
static robots_extensions *extensions;
static robots_preferences *preferences;
static robots_page_controls *page;
static robots_lint_report *report;

enum { NOW = 1800000000, BODY_MAX = 60000, BIG = 5000 };
static char body[BODY_MAX], url[BODY_MAX];
static size_t body_len, url_len;

/* For what allocates for each rule, or for each fault. */
static char short_body[3 * BIG];
static size_t short_len;

#define TEXT(literal) literal, sizeof(literal) - 1
#define SITE TEXT("https://example.com/")

/* The body: rules of every kind, and lines longer than any allocation that may abort. */
static void write_body(void)
{
    int i;

    body_len = 0;
#define ADD(...) body_len += (size_t)snprintf(body + body_len, sizeof body - body_len, __VA_ARGS__)
    ADD("User-agent: ExampleBot\nUser-agent: *\nUser-agent: Example Bot/2.0\nCrawl-delay: 2\n");
    for (i = 0; i < 8; i++)
        ADD("Disallow: /%d/*/x%dy$\nAllow: /%d/a\nDisallow: /%d/*?*q=\n", i * 7919 % 997, i, i, i % 10);
    ADD("Disallow: /caf\xc3\xa9\nDisalow: /x\nDisallow: x\nallow: http://y/z\nnoindex: /n\nhost: h\n");
    ADD("Content-Signal: search=yes, ai-train=no\nContent-Usage: /p train-ai=n\nsitemap: https://example.com/s.xml\n");
    memset(url, 'a', BIG);
    ADD("Allow: /%.*s*\nsitemap: https://example.com/%.*s\nContent-Usage: /%.*s long=n\nOdd-%.*s: 1\n", BIG, url, BIG, url,
        BIG, url, BIG, url);
    ADD("User-agent: Other-%.*s\nDisallow: /%.*s?\n", BIG, url, BIG, url);
#undef ADD
    short_len = (size_t)snprintf(short_body, sizeof short_body,
        "User-agent: *\nDisallow: /%.*s*\nAllow: /caf\xc3\xa9\nDisalow: /%.*s\nAllow: /a?*/$x\n", BIG, url, BIG, url);
    url_len = (size_t)snprintf(url, sizeof url, "https://example.com/caf\xc3\xa9/");
    memset(url + url_len, 'a', BIG);
    url_len += BIG;
}

static void must(robots_status status)
{
    if (status != ROBOTS_OK)
        give_up("setup", status);
}

static void nothing(void)
{
}

static void with_crawler(void)
{
    must(robots_crawler_new(TEXT("ExampleBot"), &crawler));
    must(robots_crawler_new(TEXT("SecondBot"), &second));
}

static void with_rules(void)
{
    with_crawler();
    must(robots_rules_parse(crawler, body, body_len, &rules));
}

static robots_status crawler_new(void)
{
    return robots_crawler_new(TEXT("ExampleBot"), &crawler);
}

static robots_status crawler_new_without_token(void)
{
    return robots_crawler_new("*", 1, &crawler);
}

static robots_status crawler_preset(void)
{
    return robots_crawler_preset(TEXT("Googlebot-Image"), &crawler);
}

static robots_status crawler_add_token(void)
{
    return robots_crawler_add_token(crawler, url + url_len - 1000, 1000);
}

static robots_status crawler_set(void)
{
    return robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_GOOGLE);
}

static robots_status rules_parse(void)
{
    return robots_rules_parse(crawler, body, body_len, &rules);
}

static robots_status rules_allow_all(void)
{
    return robots_rules_site_wide(ROBOTS_ALLOWED, &rules);
}

static robots_status rules_disallow_all(void)
{
    return robots_rules_site_wide(ROBOTS_DISALLOWED, &rules);
}

static robots_status rule_list_new(void)
{
    return robots_rule_list_new(rules, &list);
}

static robots_status rules_borrow_image(void)
{
    robots_str image = robots_rules_image(rules);

    return robots_rules_borrow_image(image.ptr, image.len, &copied);
}

static robots_status rules_from_image(void)
{
    robots_str image = robots_rules_image(rules);

    return robots_rules_from_image(image.ptr, image.len, &copied);
}

static robots_status image_validate(void)
{
    robots_str image = robots_rules_image(rules);

    return robots_image_validate(image.ptr, image.len);
}

#include "faults_reports.h"
#include "faults_fetches.h"

static void finish(void)
{
    robots_ticket_free(ticket);
    robots_cache_free(cache);
    robots_cache_free(other);
    robots_lint_report_free(report);
    robots_page_controls_free(page);
    robots_preferences_free(preferences);
    robots_extensions_free(extensions);
    robots_explanation_free(explanation);
    robots_fetch_free(fetch);
    robots_outcome_free(outcome);
    robots_outcome_free(earlier);
    robots_rule_list_free(list);
    robots_rules_free(rules);
    robots_rules_free(copied);
    robots_crawler_free(crawler);
    robots_crawler_free(second);
    ticket = NULL, cache = other = NULL, report = NULL, preferences = NULL, extensions = NULL, page = NULL;
    explanation = NULL, fetch = NULL, outcome = earlier = NULL, list = NULL, rules = copied = NULL;
    crawler = second = NULL;
}

/* --- one try: a process ------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    void (*setup)(void);
    robots_status (*act)(void);
    size_t aborts_up_to; /* an allocation of so many bytes may end the process; 0: none */
} scene;

/* Allocations that Rust and the crates below cannot fail, each bounded whatever the input (see SECURITY.md). */
enum {
    PART = 1024,        /* a part of fixed size, or as long as a host name: also what the crate `url` makes of one */
    TARGET = 64 << 10,  /* a redirect's target, of 8 KiB at most, in the crate `url` */
    TABLE = 16 << 10    /* the cache's map and its queue, by papaya and seize: a small part of `max_bytes` */
};

enum { UNHURT = 0, HURT = 1, WRONG = 2 };

static int one_try(const scene *tried, unsigned long which)
{
    robots_status status;
    long before;

    /* What is made once for all, such as what a thread keeps of its own, is made here. */
    tried->setup();
    must(tried->act());
    finish();

    before = live;
    harness_failures = 0;
    tried->setup();
    failed = 0;
    left = which;
    status = tried->act();
    left = 0;
    if (failed == 0) {
        CHECK_INT(status, ROBOTS_OK);
        finish();
        return harness_failures == 0 ? UNHURT : WRONG;
    }
    if (status != ROBOTS_OK) {
        CHECK_INT(status, ROBOTS_E_MEMORY);
        CHECK_INT(tried->act(), ROBOTS_OK);
    }
    finish();
    CHECK_INT(live, before);
    return harness_failures == 0 ? HURT : WRONG;
}

/* The status of the process, as `waitpid` gives it. */
static int in_a_process(const scene *tried, unsigned long which, int is_quiet)
{
    pid_t child;
    int status = -1;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        int null = is_quiet ? open("/dev/null", O_WRONLY) : -1;

        if (null >= 0)
            dup2(null, STDERR_FILENO);
        status = one_try(tried, which);
        fflush(stdout);
        _exit(status);
    }
    CHECK(child > 0);
    waitpid(child, &status, 0);
    return status;
}

static unsigned long sample = 1; /* each n-th allocation is tried */

/* `first`: the allocation to begin with, from 1 to `sample`. */
static void run_scene(const scene *tried, unsigned long first)
{
    unsigned long which, tries = 0, aborts = 0;
    size_t largest = 0;

    /* Under valgrind code that has run before is there for all processes that come from this one. */
    if (sample > 1)
        one_try(tried, 0);
    /* Of very many allocations those far down the list are much alike: ever fewer of them are tried. */
    for (which = first; which < 100000; which += sample * (1 + which / 128)) {
        int status = in_a_process(tried, which, 1);

        tries++;

        if (WIFEXITED(status) && WEXITSTATUS(status) == UNHURT)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == HURT)
            continue;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && *failed_size <= tried->aborts_up_to) {
            aborts++;
            if (*failed_size > largest)
                largest = *failed_size;
            continue;
        }
        printf("FAIL %s: allocation %lu, of %zu bytes: status %#x\n", tried->name, which, *failed_size, (unsigned)status);
        harness_failures++;
    }
    CHECK(which < 100000);
    if (getenv("FAULTS_TRACE") != NULL)
        printf("%s: %lu tries up to allocation %lu, %lu aborts up to %zu\n", tried->name, tries, which, aborts, largest);
    /* What is tolerated and does not happen any more is not to be tolerated. */
    CHECK((tried->aborts_up_to > 0) == (aborts > 0) || sample > 1);
}

static const scene SCENES[] = {
    {"crawler_new", nothing, crawler_new, 0},
    {"crawler_new_without_token", nothing, crawler_new_without_token, 0},
    {"crawler_preset", nothing, crawler_preset, 0},
    {"crawler_add_token", with_crawler, crawler_add_token, 0},
    {"crawler_set", with_crawler, crawler_set, 0},
    {"rules_parse", with_crawler, rules_parse, 0},
    {"rules_allow_all", nothing, rules_allow_all, 0},
    {"rules_disallow_all", nothing, rules_disallow_all, 0},
    {"rules_from_image", with_rules, rules_from_image, 0},
    {"rule_list_new", with_rules, rule_list_new, 0},
    {"rules_borrow_image", with_rules, rules_borrow_image, 0},
    {"image_validate", with_rules, image_validate, 0},
    {"rules_explain", with_crawler, rules_explain, 0},
    {"extensions_parse", with_crawler, extensions_parse, 0},
    {"extensions_preferences", with_extensions, extensions_preferences, 0},
    {"preferences_from_header", nothing, preferences_from_header, 0},
    {"page_controls_new", with_crawler, page_controls_new, 0},
    {"page_controls_add_header", with_page, page_controls_add_header, 0},
    {"page_controls_add_meta", with_page, page_controls_add_meta, 0},
    {"lint", with_crawler, lint, 0},
    {"lint (faults of every kind)", with_crawler, lint_faulty, 0},
    {"lint_report_text", with_report, lint_report_text, 0},
    {"origin_key", nothing, origin_key, PART},
    {"url_to_send", nothing, url_to_send, PART},
    {"fetch_new", with_crawler, fetch_new, PART},
    {"fetch_add_crawler", with_fetch, fetch_add_crawler, 0},
    {"fetch_set_previous", with_earlier, fetch_set_previous, 0},
    {"fetch_header", with_redirect_status, fetch_header, 0},
    {"fetch_headers_end (redirect)", with_redirect, fetch_headers_end, TARGET},
    {"fetch_headers_end (404)", with_missing, fetch_headers_end, PART},
    {"fetch_headers_end (503)", with_error, fetch_headers_end, PART},
    {"fetch_body", with_found, fetch_body, 0},
    {"fetch_end", with_body, fetch_end, PART},
    {"fetch_end (gzip)", with_gzip, fetch_end, PART},
    {"fetch_fail", with_found, fetch_fail, PART},
    {"fetch_outcome", with_done, fetch_outcome, 0},
    {"outcome_from_status", with_crawler, outcome_from_status, PART},
    {"outcome_encode", with_outcome, outcome_encode, 0},
    {"outcome_decode", with_record, outcome_decode, PART},
    {"outcome_rules", with_outcome, outcome_rules, 0},
    {"outcome_check", with_outcome, outcome_check, PART},
    {"cache_new", with_crawler, cache_new, TABLE},
    {"cache_add_crawler", with_cache, cache_add_crawler, 0},
    {"cache_check", with_cache, cache_check, TABLE},
    {"cache_check (bad URL)", with_cache, cache_check_bad_url, TABLE},
    {"cache_check (refresh)", with_kept, cache_check_old, PART},
    {"ticket_fetch", with_ticket, ticket_fetch, PART},
    {"ticket_finish", with_ticket, ticket_finish, PART},
    {"cache_remove", with_kept, cache_remove, PART},
    {"cache_clear", with_kept, cache_clear, TABLE},
    {"cache_each", with_kept, cache_each, TABLE},
    {"cache_import", with_other_cache, cache_import, TABLE},
};

enum { COUNT = sizeof SCENES / sizeof SCENES[0] };
static size_t at;

static void run_next(void)
{
    run_scene(&SCENES[at], 1 + at % sample);
    at++;
}

int main(void)
{
    test tests[COUNT];
    size_t i;

    failed_size = mmap(NULL, sizeof *failed_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (failed_size == MAP_FAILED)
        give_up("mmap", ROBOTS_E_MEMORY);
    setenv("RUST_BACKTRACE", "0", 1); /* what an abort says goes nowhere, and would take most of the time */
    if (getenv("FAULTS_SAMPLE") != NULL && strtoul(getenv("FAULTS_SAMPLE"), NULL, 10) > 0)
        sample = strtoul(getenv("FAULTS_SAMPLE"), NULL, 10);
    write_body();
    for (i = 0; i < COUNT; i++) {
        tests[i].name = SCENES[i].name;
        tests[i].run = run_next;
    }
    return RUN_TESTS("faults", tests);
}
