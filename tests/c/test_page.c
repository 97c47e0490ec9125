/* robots_page_controls and robots_uses: what a caller sees after an error, with the struct of a later header, and when a handle is
 * freed. tests/drivers asks the cases. */
#include "harness.h"
#include "support.h"

#define TEXT(literal) literal, sizeof(literal) - 1
#define PAGE "https://example.com/page"
#define NOW UINT64_C(1800000000000)

enum { COUNT = ROBOTS_CONTROL_UNAVAILABLE_AFTER + 1 };

static int is(robots_str text, const char *wanted, size_t len)
{
    return text.len == len && memcmp(text.ptr, wanted, len) == 0;
}

static robots_page_controls *new_controls(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_page_controls *controls = NULL;

    CHECK_INT(robots_page_controls_new(crawler, &controls), ROBOTS_OK);
    robots_crawler_free(crawler);
    return controls;
}

static robots_uses *new_uses(const char *body, size_t body_len, const char *tdm_file)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_uses *uses = NULL;

    CHECK_INT(robots_uses_new(crawler, TEXT(PAGE), body, body_len, tdm_file, tdm_file != NULL ? strlen(tdm_file) : 0, &uses), ROBOTS_OK);
    robots_crawler_free(crawler);
    return uses;
}

/* A value that cannot be added makes every control as restrictive as possible, whatever follows. */
static void closed_by_an_error(void)
{
    robots_page_controls *controls = new_controls();
    robots_uses *uses = new_uses("", 0, NULL);
    robots_page_rule rule;
    uint32_t control;
    char receipt[512];
    size_t len = 1;

    rule.size = sizeof rule;
    CHECK_INT(robots_page_controls_add_header(controls, TEXT("Content-Usage"), TEXT("train-ai=y")), ROBOTS_OK);
    CHECK_INT(use_for(uses, PAGE, ROBOTS_PURPOSE_TRAINING, controls), ROBOTS_USE_ALLOWED);
    CHECK_INT(control_value(controls, ROBOTS_CONTROL_INDEX), 1);
    CHECK_INT(robots_page_controls_add_header(controls, TEXT("X-Robots-Tag"), NULL, 1), ROBOTS_E_ARG);
    CHECK_INT(robots_page_controls_add_meta(controls, TEXT("robots"), TEXT("all")), ROBOTS_OK);
    for (control = 0; control < COUNT; control++) {
        CHECK_INT(control_value(controls, control), 0);
        CHECK_INT(robots_page_controls_get(controls, control, &rule), ROBOTS_OK);
        CHECK(rule.source == ROBOTS_PAGE_NONE && rule.reserved == 0);
    }
    CHECK_INT(use_for(uses, PAGE, ROBOTS_PURPOSE_TRAINING, controls), ROBOTS_USE_DENIED);
    CHECK_INT(robots_use_receipt(uses, TEXT(PAGE), ROBOTS_PURPOSE_TRAINING, controls, NOW, receipt, sizeof receipt, &len), ROBOTS_E_MEMORY);
    CHECK_INT(len, 0);
    robots_page_controls_free(controls);
    robots_uses_free(uses);
}

/* A struct of a later header, which is larger, is filled as far as it is known. */
static void sizes(void)
{
    robots_page_controls *controls = new_controls();
    struct {
        robots_page_rule known;
        unsigned char later[32];
    } larger;

    CHECK_INT(robots_page_controls_add_meta(controls, TEXT("examplebot"), TEXT("noindex, noai")), ROBOTS_OK);
    memset(&larger, 0x5a, sizeof larger);
    larger.known.size = sizeof larger;
    CHECK_INT(robots_page_controls_get(controls, ROBOTS_CONTROL_INDEX, &larger.known), ROBOTS_OK);
    CHECK(is(larger.known.text, TEXT("noindex")) && is(larger.known.agent, TEXT("ExampleBot")));
    CHECK_INT(larger.known.size, sizeof larger);
    CHECK(larger.later[0] == 0x5a && larger.later[31] == 0x5a);
    larger.known.size = sizeof larger;
    CHECK_INT(robots_page_controls_unknown(controls, 0, &larger.known), ROBOTS_OK);
    CHECK(is(larger.known.text, TEXT("noai")) && larger.later[0] == 0x5a);
    robots_page_controls_free(controls);
}

/* What is not known permits nothing, and is not what is empty. */
static void unknown_is_not_empty(void)
{
    static const char signal[] = "Content-Signal: ai-train=yes\n";
    robots_page_controls *page = new_controls();
    const struct {
        const char *body;
        size_t len;
        const char *tdm_file;
        const robots_page_controls *page;
        uint32_t says;
    } rows[] = {
        {signal, sizeof signal - 1, NULL, page, ROBOTS_USE_ALLOWED},
        {signal, sizeof signal - 1, "[]", page, ROBOTS_USE_ALLOWED},
        {signal, sizeof signal - 1, NULL, NULL, ROBOTS_USE_UNSTATED},
        {signal, sizeof signal - 1, "", page, ROBOTS_USE_UNSTATED},
        {NULL, 0, NULL, page, ROBOTS_USE_UNSTATED},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        robots_uses *uses = new_uses(rows[i].body, rows[i].len, rows[i].tdm_file);

        CHECK_INT(use_for(uses, PAGE, ROBOTS_PURPOSE_TRAINING, rows[i].page), rows[i].says);
        robots_uses_free(uses);
    }
    robots_page_controls_free(page);
}

/* The strings of a signal are those of the uses and of the page. Uses keep no pointer to the file. */
static void signals_are_borrowed(void)
{
    static const char terms[] = "License: https://example.com/terms\n";
    char *body = exact_copy(terms, sizeof terms - 1);
    robots_uses *uses = new_uses(body, sizeof terms - 1, NULL);
    robots_page_controls *page = new_controls();
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    robots_use_signal signals[3];

    free(body);
    CHECK_INT(robots_page_controls_add_header(page, TEXT("Content-Usage"), TEXT("train-ai=y")), ROBOTS_OK);
    memset(signals, 0x5a, sizeof signals);
    CHECK_INT(robots_use_for(uses, TEXT(PAGE), ROBOTS_PURPOSE_TRAINING, page, signals, 3, &answer), ROBOTS_OK);
    CHECK(answer.says == ROBOTS_USE_LICENSED && answer.signals == 2 && answer.decided == 1);
    CHECK(signals[0].source == ROBOTS_USE_SOURCE_LICENSE_LINE && signals[0].line == 1 && signals[0].reserved == 0);
    CHECK(signals[0].says == ROBOTS_USE_LICENSED && is(signals[0].text, TEXT("https://example.com/terms")) && signals[0].token.len == 0);
    CHECK(signals[1].source == ROBOTS_USE_SOURCE_CONTENT_USAGE_HEADER && signals[1].line == 0);
    CHECK(signals[1].says == ROBOTS_USE_ALLOWED && is(signals[1].text, TEXT("train-ai=y")));
    CHECK_INT(signals[2].line, 0x5a5a5a5a);
    robots_uses_free(uses);
    robots_page_controls_free(page);
}

/* The page of another crawler is refused: its rules name that crawler. */
static void page_of_another_crawler(void)
{
    robots_crawler *other = new_crawler("OtherBot");
    robots_uses *uses = new_uses("", 0, NULL);
    robots_page_controls *page = NULL;
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;

    CHECK_INT(robots_page_controls_new(other, &page), ROBOTS_OK);
    CHECK_INT(robots_page_controls_add_header(page, TEXT("Content-Usage"), TEXT("train-ai=y")), ROBOTS_OK);
    CHECK_INT(robots_use_for(uses, TEXT(PAGE), ROBOTS_PURPOSE_TRAINING, page, NULL, 0, &answer), ROBOTS_E_ARG);
    CHECK_INT(answer.says, ROBOTS_USE_DENIED);
    CHECK(strstr(robots_status_text(ROBOTS_E_ARG), "page is that of a crawler") != NULL);
    robots_page_controls_free(page);
    robots_uses_free(uses);
    robots_crawler_free(other);
}

int main(void)
{
    static const test tests[] = {
        {"closed_by_an_error", closed_by_an_error},
        {"sizes", sizes},
        {"unknown_is_not_empty", unknown_is_not_empty},
        {"signals_are_borrowed", signals_are_borrowed},
        {"page_of_another_crawler", page_of_another_crawler},
    };

    return RUN_TESTS("page", tests);
}
