/* robots_page_controls: what a caller sees after an error, and with the struct of a later header. tests/drivers asks the cases. */
#include "harness.h"
#include "support.h"

#define TEXT(literal) literal, sizeof(literal) - 1

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

/* A value that cannot be added makes every control as restrictive as possible, whatever follows. */
static void closed_by_an_error(void)
{
    robots_page_controls *controls = new_controls();
    robots_page_rule rule;
    uint32_t control;

    rule.size = sizeof rule;
    CHECK_INT(robots_page_controls_add_header(controls, TEXT("Content-Usage"), TEXT("train-ai=y")), ROBOTS_OK);
    CHECK_INT(robots_page_controls_usage(controls, TEXT("train-ai")), ROBOTS_CHOICE_YES);
    CHECK_INT(control_value(controls, ROBOTS_CONTROL_INDEX), 1);
    CHECK_INT(robots_page_controls_add_header(controls, TEXT("X-Robots-Tag"), NULL, 1), ROBOTS_E_ARG);
    CHECK_INT(robots_page_controls_add_meta(controls, TEXT("robots"), TEXT("all")), ROBOTS_OK);
    for (control = 0; control < COUNT; control++) {
        CHECK_INT(control_value(controls, control), 0);
        CHECK_INT(robots_page_controls_get(controls, control, &rule), ROBOTS_OK);
        CHECK(rule.source == ROBOTS_PAGE_NONE && rule.reserved == 0);
    }
    CHECK_INT(robots_page_controls_usage(controls, TEXT("train-ai")), ROBOTS_CHOICE_NO);
    robots_page_controls_free(controls);
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

int main(void)
{
    static const test tests[] = {
        {"closed_by_an_error", closed_by_an_error},
        {"sizes", sizes},
    };

    return RUN_TESTS("page", tests);
}
