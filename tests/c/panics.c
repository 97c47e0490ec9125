/* Panics: each function of the header is called with one waiting inside it (src/ffi/inject.rs), and then once more
 * without. The first call answers ROBOTS_E_PANIC, or what its comment calls the answer to an error, with its outputs
 * safe; the second shows that the library and the same handles are as they were. One row per function, by its name (a
 * script compares the two lists). Needs a library with the feature inject-panics, so it is no test_*.c. */
#include "harness.h"
#include "support.h"

uint32_t robots_inject_panic(uint32_t arm);

/* Whether a panic that was waiting has come. */
static int came(void)
{
    return robots_inject_panic(0) == 0;
}

static void *const UNTOUCHED = (void *)&harness_failures; /* no handle: shows whether `out` was written */

#define TEXT(literal) literal, sizeof(literal) - 1
#define BODY_TEXT "user-agent: *\nallow: /\ndisallow: x\ncrawl-delay: 1\nsitemap: /s.xml\nContent-Usage: train-ai=n\n"
#define BODY TEXT(BODY_TEXT)
#define URL TEXT("https://example.com/x")

enum { NOW = 1800000000 };

/* What each test finds, made anew for each. */
static robots_crawler *crawler, *second;
static robots_rules *rules;
static robots_str image;
static robots_rule_list *list;
static robots_fetch *fetch; /* new */
static robots_outcome *outcome;
static robots_cache *cache;
static robots_ticket *ticket; /* of an origin that the cache does not have */
static robots_explanation *explanation;
static robots_extensions *extensions;
static robots_preferences *preferences;
static robots_page_controls *page;
static robots_lint_report *report;

static void must(robots_status status)
{
    if (status != ROBOTS_OK)
        give_up("setup", status);
}

static robots_ticket *ticket_for(const char *url, size_t len)
{
    robots_cache_answer answer;

    answer.size = sizeof answer;
    robots_cache_check(cache, 0, url, len, NOW, &answer);
    if (answer.ticket == NULL)
        give_up("no ticket", ROBOTS_VERDICT_STATUS(answer.verdict));
    return answer.ticket;
}

static void set_up(void)
{
    robots_ticket *first;

    must(robots_crawler_new(TEXT("ExampleBot"), &crawler));
    must(robots_crawler_new(TEXT("SecondBot"), &second));
    must(robots_rules_parse(crawler, BODY, &rules));
    image = robots_rules_image(rules);
    must(robots_rule_list_new(rules, &list));
    must(robots_fetch_new(crawler, URL, NOW, &fetch));
    must(robots_outcome_from_status(crawler, URL, 200, BODY, NOW, &outcome));
    must(robots_cache_new(crawler, 1 << 20, &cache));
    first = ticket_for(URL);
    must(robots_ticket_finish(first, outcome, NOW));
    robots_ticket_free(first);
    ticket = ticket_for(TEXT("https://other.example/"));
    must(robots_rules_explain(crawler, BODY, URL, &explanation));
    must(robots_extensions_parse(crawler, BODY, &extensions));
    must(robots_extensions_preferences(extensions, URL, &preferences));
    must(robots_page_controls_new(crawler, &page));
    must(robots_page_controls_add_header(page, TEXT("X-Robots-Tag"), TEXT("index, x")));
    must(robots_lint(crawler, BODY, &report));
}

static void tear_down(void)
{
    robots_lint_report_free(report);
    robots_page_controls_free(page);
    robots_preferences_free(preferences);
    robots_extensions_free(extensions);
    robots_explanation_free(explanation);
    robots_ticket_free(ticket);
    robots_cache_free(cache);
    robots_outcome_free(outcome);
    robots_fetch_free(fetch);
    robots_rule_list_free(list);
    robots_rules_free(rules);
    robots_crawler_free(second);
    robots_crawler_free(crawler);
}

/* --- each kind of function: a call with a panic in it, and one without ---------------------------------------------- */

static int is_panic(robots_verdict verdict)
{
    return verdict.bits == verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_PANIC, 0).bits;
}

/* A status, and no output. */
#define ACTS(call) \
    (robots_inject_panic(1), CHECK_INT(call, ROBOTS_E_PANIC), CHECK(came()), CHECK_INT(call, ROBOTS_OK))

/* A status and a handle, which `end` frees. */
#define MAKES(type, call, end) \
    do { \
        type *made = UNTOUCHED; \
        robots_inject_panic(1); \
        CHECK_INT(call, ROBOTS_E_PANIC); \
        CHECK(came() && made == NULL); \
        made = UNTOUCHED; \
        CHECK_INT(call, ROBOTS_OK); \
        CHECK(made != NULL && made != UNTOUCHED); \
        end(made); \
    } while (0)

/* A status and a struct that starts with its size: all else in it becomes zero. */
#define FILLS(type, call) \
    do { \
        union { type made; unsigned char bytes[sizeof(type)]; } u; \
        size_t at, set = 0; \
        memset(&u, 0xff, sizeof u); \
        u.made.size = sizeof u.made; \
        robots_inject_panic(1); \
        CHECK_INT(call(&u.made), ROBOTS_E_PANIC); \
        CHECK(came() && u.made.size == sizeof u.made); \
        for (at = sizeof(size_t); at < sizeof u; at++) \
            set += u.bytes[at] != 0; \
        CHECK_INT(set, 0); \
        CHECK_INT(call(&u.made), ROBOTS_OK); \
        for (at = sizeof(size_t); at < sizeof u; at++) \
            set += u.bytes[at] != 0; \
        CHECK(set > 0); \
    } while (0)

/* A status and the answers of a batch. */
#define ANSWERS(call) \
    do { \
        uint8_t answers[2] = {ROBOTS_ALLOWED, ROBOTS_ALLOWED}; \
        robots_inject_panic(1); \
        CHECK_INT(call, ROBOTS_E_PANIC); \
        CHECK(came() && answers[0] == ROBOTS_DISALLOWED && answers[1] == ROBOTS_DISALLOWED); \
        CHECK_INT(call, ROBOTS_OK); \
        CHECK(answers[0] == ROBOTS_ALLOWED && answers[1] == ROBOTS_ALLOWED); \
    } while (0)

/* A verdict. */
#define DECIDES(call) \
    (robots_inject_panic(1), CHECK(is_panic(call)), CHECK(came()), CHECK(ROBOTS_VERDICT_ALLOWED(call)))

/* A string that is not empty. */
#define NOT_EMPTY(call) \
    (robots_inject_panic(1), CHECK_INT((call).len, 0), CHECK(came()), CHECK((call).len > 0 && (call).ptr != NULL))

/* A number: what it is after an error, and otherwise. */
#define COUNTS(call, safe, good) \
    (robots_inject_panic(1), CHECK_INT(call, safe), CHECK(came()), CHECK_INT(call, good))

/* A delay of one second, or NaN. */
static int is_nan(double number)
{
    return number != number;
}
#define DELAYS(call) (robots_inject_panic(1), CHECK(is_nan(call)), CHECK(came()), CHECK_INT(call, 1))

/* Nothing. A panic leaves the handle the caller's, which `call` then ends: valgrind counts. */
#define RETURNS(call) (robots_inject_panic(1), call, CHECK(came()), call)
#define ENDS(handle, end) (RETURNS(end(handle)), (handle) = NULL)

/* --- the functions, in the order of the header's files --------------------------------------------------------------- */

static void status_text(void)
{
    const char *text;

    robots_inject_panic(1);
    text = robots_status_text(ROBOTS_OK);
    CHECK(came());
    CHECK(text == robots_status_text(ROBOTS_E_PANIC));
    CHECK(strcmp(robots_status_text(ROBOTS_OK), "success") == 0);
}

static void reason_text(void)
{
    robots_inject_panic(1);
    CHECK(robots_reason_text(ROBOTS_REASON_DEFER) == robots_status_text(ROBOTS_E_PANIC));
    CHECK(came());
    CHECK(robots_reason_text(ROBOTS_REASON_DEFER) != robots_status_text(ROBOTS_E_PANIC));
}

/* It returns a constant: there is nothing in it that a panic could come from. */
static void version_number(void)
{
    robots_inject_panic(1);
    CHECK_INT(robots_version_number(), ROBOTS_VERSION_NUMBER);
    CHECK(!came());
}

static void crawler_new(void) { MAKES(robots_crawler, robots_crawler_new(TEXT("Bot"), &made), robots_crawler_free); }
static void token_from_user_agent(void)
{
    robots_str token;

    ACTS(robots_token_from_user_agent(TEXT("ExampleBot/1.0"), &token));
    CHECK_INT(token.len, strlen("ExampleBot"));
}

static void crawler_preset(void)
{
    MAKES(robots_crawler, robots_crawler_preset(TEXT("Googlebot"), &made), robots_crawler_free);
}
static void crawler_add_token(void) { ACTS(robots_crawler_add_token(crawler, TEXT("Other"))); }
static void crawler_set(void) { ACTS(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_GOOGLE)); }
static void crawler_free(void) { ENDS(second, robots_crawler_free); }

static void rules_parse(void) { MAKES(robots_rules, robots_rules_parse(crawler, BODY, &made), robots_rules_free); }
static void rules_site_wide(void)
{
    MAKES(robots_rules, robots_rules_site_wide(ROBOTS_ALLOWED, &made), robots_rules_free);
}
static void rules_check(void) { DECIDES(robots_rules_check(rules, URL)); }
static void check_once(void) { DECIDES(robots_check_once(crawler, BODY, URL)); }

static const uint64_t OFFSETS[] = {0, 2, 4};

static void rules_check_batch(void) { ANSWERS(robots_rules_check_batch(rules, "/x/y", OFFSETS, 2, answers)); }
static void rules_crawl_delay(void) { DELAYS(robots_rules_crawl_delay(rules)); }
#define RULE_OF_LIST(out) robots_rule_list_get(list, 0, out)
static void rule_list_new(void) { MAKES(robots_rule_list, robots_rule_list_new(rules, &made), robots_rule_list_free); }
static void rule_list_get(void) { FILLS(robots_rule, RULE_OF_LIST); }
static void rule_list_free(void) { ENDS(list, robots_rule_list_free); }
static void rules_sitemap(void)
{
    robots_str sitemap = {(const char *)UNTOUCHED, 1};

    robots_inject_panic(1);
    CHECK_INT(robots_rules_sitemap(rules, 0, &sitemap), ROBOTS_E_PANIC);
    CHECK(came() && sitemap.ptr == NULL && sitemap.len == 0);
    CHECK_INT(robots_rules_sitemap(rules, 0, &sitemap), ROBOTS_OK);
    CHECK(sitemap.len > 0);
}
static void rules_site_verdict(void)
{
    robots_inject_panic(1);
    CHECK(is_panic(robots_rules_site_verdict(rules)));
    CHECK(came());
    CHECK_INT(robots_rules_site_verdict(rules).bits, 0); /* its rules decide */
}
static void rules_image(void) { NOT_EMPTY(robots_rules_image(rules)); }
static void rules_free(void) { ENDS(rules, robots_rules_free); }

static void rules_retain(void)
{
    robots_inject_panic(1);
    CHECK(robots_rules_retain(rules) == NULL); /* and no reference was added: valgrind counts */
    CHECK(came());
    CHECK(robots_rules_retain(rules) == rules);
    robots_rules_free(rules);
}

static void rules_from_image(void)
{
    MAKES(robots_rules, robots_rules_from_image(image.ptr, image.len, &made), robots_rules_free);
}

static void rules_borrow_image(void)
{
    MAKES(robots_rules, robots_rules_borrow_image(image.ptr, image.len, &made), robots_rules_free);
}

static void image_validate(void) { ACTS(robots_image_validate(image.ptr, image.len)); }
static void image_check(void) { DECIDES(robots_image_check(image.ptr, image.len, URL)); }

#include "panics_fetches.h"

static void rules_explain(void)
{
    MAKES(robots_explanation, robots_rules_explain(crawler, BODY, URL, &made), robots_explanation_free);
}


#define EXPLAINED(out) robots_explanation_get(explanation, out)
#define AGENT(out) robots_explanation_agent(explanation, 0, out)
#define RULE(out) robots_explanation_rule(explanation, 0, out)

static void explanation_get(void) { FILLS(robots_explained, EXPLAINED); }
static void explanation_agent(void) { FILLS(robots_explained_line, AGENT); }
static void explanation_rule(void) { FILLS(robots_explained_rule, RULE); }
static void explanation_free(void) { ENDS(explanation, robots_explanation_free); }

#define EXTRA(out) robots_extensions_line(extensions, 0, out)
#define PREFERENCE(out) robots_preferences_get(preferences, 0, out)

static void extensions_parse(void) { MAKES(robots_extensions, robots_extensions_parse(crawler, BODY, &made), robots_extensions_free); }
static void extensions_line(void) { FILLS(robots_extension, EXTRA); }
static void extensions_preferences(void)
{
    MAKES(robots_preferences, robots_extensions_preferences(extensions, URL, &made), robots_preferences_free);
}
static void extensions_free(void) { ENDS(extensions, robots_extensions_free); }
static void preferences_from_header(void)
{
    MAKES(robots_preferences, robots_preferences_from_header(TEXT("train-ai=n"), &made), robots_preferences_free);
}
static void preferences_get(void) { FILLS(robots_preference, PREFERENCE); }
static void preferences_free(void) { ENDS(preferences, robots_preferences_free); }

#define DECISION(out) robots_page_controls_get(page, ROBOTS_CONTROL_INDEX, out)
#define UNKNOWN(out) robots_page_controls_unknown(page, 0, out)

static void page_controls_new(void)
{
    MAKES(robots_page_controls, robots_page_controls_new(crawler, &made), robots_page_controls_free);
}
static void page_controls_add_header(void)
{
    ACTS(robots_page_controls_add_header(page, TEXT("X-Robots-Tag"), TEXT("all")));
    CHECK_INT(control_value(page, ROBOTS_CONTROL_INDEX), 0); /* what was not read permits nothing */
}
static void page_controls_add_meta(void)
{
    ACTS(robots_page_controls_add_meta(page, TEXT("robots"), TEXT("all")));
    CHECK_INT(control_value(page, ROBOTS_CONTROL_INDEX), 0);
}
static void page_controls_get(void) { FILLS(robots_page_rule, DECISION); }
static void page_controls_unknown(void) { FILLS(robots_page_rule, UNKNOWN); }
static void page_controls_usage(void)
{
    COUNTS(robots_page_controls_usage(page, TEXT("a")), ROBOTS_CHOICE_NO, ROBOTS_CHOICE_UNKNOWN);
}
static void page_controls_free(void) { ENDS(page, robots_page_controls_free); }

#define DIAGNOSTIC(out) robots_lint_report_get(report, 0, out)
#define COUNTED(out) robots_lint_report_count(report, out)
#define MEANING(out) robots_lint_code(1, out)
#define LINE(out) robots_lint_report_line(report, 1, out)

static void lint(void) { MAKES(robots_lint_report, robots_lint(crawler, BODY, &made), robots_lint_report_free); }
static void lint_report_count(void) { FILLS(robots_lint_counts, COUNTED); }
static void lint_report_get(void) { FILLS(robots_lint_diagnostic, DIAGNOSTIC); }
static void lint_report_line(void) { FILLS(robots_lint_line, LINE); }
static void lint_report_text(void) { NOT_EMPTY(robots_lint_report_text(report)); }
static void lint_report_free(void) { ENDS(report, robots_lint_report_free); }

static void lint_code(void) { FILLS(robots_lint_meaning, MEANING); }

typedef struct {
    const char *name;
    void (*run)(void);
} row;

#define PANICS(function) {"robots_" #function, function}
static const row ROWS[] = {
    PANICS(status_text), PANICS(reason_text), PANICS(version_number), PANICS(crawler_new), PANICS(crawler_add_token),
    PANICS(crawler_set), PANICS(crawler_free), PANICS(crawler_preset), PANICS(token_from_user_agent), PANICS(rules_parse), PANICS(rules_site_wide),
    PANICS(rules_check), PANICS(check_once), PANICS(rules_check_batch), PANICS(rules_crawl_delay),
    PANICS(rules_sitemap), PANICS(rules_site_verdict), PANICS(rules_retain), PANICS(rules_free), PANICS(rules_image),
    PANICS(rules_from_image), PANICS(rules_borrow_image), PANICS(rule_list_new), PANICS(rule_list_get),
    PANICS(rule_list_free), PANICS(image_validate), PANICS(image_check), PANICS(origin_key), PANICS(url_to_send),
    PANICS(fetch_new), PANICS(fetch_add_crawler),
    PANICS(fetch_set), PANICS(fetch_set_previous), PANICS(fetch_step), PANICS(fetch_url),
    PANICS(fetch_request_header), PANICS(fetch_status), PANICS(fetch_header), PANICS(fetch_headers_end),
    PANICS(fetch_body), PANICS(fetch_end), PANICS(fetch_ftp_reply), PANICS(fetch_outcome), PANICS(fetch_free), PANICS(outcome_from_status),
    PANICS(outcome_decode), PANICS(outcome_encode), PANICS(outcome_get), PANICS(outcome_rules), PANICS(outcome_check),
    PANICS(outcome_free), PANICS(cache_new), PANICS(cache_add_crawler), PANICS(cache_set),
    PANICS(cache_check), PANICS(cache_request), PANICS(cache_retry_after), PANICS(record_check), PANICS(cache_outcome), PANICS(cache_remove), PANICS(cache_clear), PANICS(cache_count),
    PANICS(cache_import), PANICS(cache_each), PANICS(cache_free), PANICS(ticket_origin),
    PANICS(ticket_fetch), PANICS(ticket_finish), PANICS(ticket_free), PANICS(rules_explain), PANICS(explanation_get),
    PANICS(explanation_agent), PANICS(explanation_rule), PANICS(explanation_free), PANICS(extensions_parse),
    PANICS(extensions_line), PANICS(extensions_preferences), PANICS(extensions_free), PANICS(preferences_from_header),
    PANICS(preferences_get), PANICS(preferences_free), PANICS(page_controls_new), PANICS(page_controls_add_header),
    PANICS(page_controls_add_meta), PANICS(page_controls_get), PANICS(page_controls_unknown),
    PANICS(page_controls_usage), PANICS(page_controls_free), PANICS(lint), PANICS(lint_report_count),
    PANICS(lint_report_get), PANICS(lint_report_line), PANICS(lint_report_text), PANICS(lint_report_free),
    PANICS(lint_code),
};

enum { COUNT = sizeof ROWS / sizeof ROWS[0] };
static size_t next_row;

static void run_next(void)
{
    set_up();
    ROWS[next_row++].run();
    tear_down();
}

int main(void)
{
    test tests[COUNT];
    size_t i;

    for (i = 0; i < COUNT; i++) {
        tests[i].name = ROWS[i].name;
        tests[i].run = run_next;
    }
    return RUN_TESTS("panics", tests);
}
