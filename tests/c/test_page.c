/* robots_page_controls: every case of tests/data/NAME.page (the head of the file describes the format), and what a
 * caller reads of a rule. */
#include "harness.h"
#include "support.h"

#define TEXT(literal) literal, sizeof(literal) - 1

static const char *const CONTROLS[] = {
    "index", "follow", "archive", "snippet", "translate", "image_index", "index_if_embedded", "max_snippet",
    "max_image_preview", "max_video_preview", "unavailable_after",
};
enum { COUNT = sizeof CONTROLS / sizeof CONTROLS[0] };
static const char *const SOURCES[] = {"none", "x-robots-tag", "robots-tag", "meta"};
static const char *const ZONES[] = {"known", "missing", "unknown"};
static const char *const CHOICES[] = {"no", "yes", "unknown"};

static int is(robots_str text, const char *wanted, size_t len)
{
    return text.len == len && (len == 0 || memcmp(text.ptr, wanted, len) == 0);
}

static uint32_t number_of(const char *const *names, size_t count, const char *name, size_t len)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return (uint32_t)i;
    give_up(name, ROBOTS_E_ARG);
    return 0;
}
#define NUMBER_OF(names, name, len) number_of(names, sizeof(names) / sizeof((names)[0]), name, len)

/* Undoes the escapes of a text in place; returns its length. */
static size_t unescape(char *text)
{
    char *from = text, *to = text;

    for (; *from != '\0'; from++) {
        char digits[3] = {0};

        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        switch (*++from) {
        case 't': *to++ = '\t'; break;
        case 'n': *to++ = '\n'; break;
        case 's': *to++ = ' '; break;
        case 'x':
            memcpy(digits, from + 1, 2);
            *to++ = (char)strtoul(digits, NULL, 16);
            from += 2;
            break;
        default: *to++ = *from;
        }
    }
    return (size_t)(to - text);
}

/* The case that is read, and what was seen of it. */
static char title[256];
static robots_crawler *crawler;
static robots_page_controls *controls;
static uint32_t listed;  /* the controls with a line, one bit each */
static size_t unknown;   /* the unknown rules with a line */
static int has_zone;
static size_t cases;

static robots_page_rule decision(uint32_t control)
{
    robots_page_rule rule;

    rule.size = sizeof rule;
    CHECK_INT(robots_page_controls_get(controls, control, &rule), ROBOTS_OK);
    CHECK_INT(rule.value, control_value(controls, control));
    CHECK_INT(rule.reserved, 0);
    return rule;
}

/* A control that no line lists is not restricted, and no rule decides it. */
static void end_case(void)
{
    uint32_t control;

    if (controls == NULL)
        return;
    for (control = 0; control < COUNT; control++) {
        if (listed & (1u << control))
            continue;
        CHECK_INT(control_value(controls, control), control < ROBOTS_CONTROL_MAX_SNIPPET ? 1 : -1);
        CHECK_INT(decision(control).source, ROBOTS_PAGE_NONE);
    }
    if (!has_zone)
        CHECK_INT(decision(ROBOTS_CONTROL_UNAVAILABLE_AFTER).zone, ROBOTS_ZONE_KNOWN);
    CHECK_INT(unknown_count(controls), unknown);
    if (harness_failures > 0)
        printf("in the case %s\n", title);
    robots_page_controls_free(controls);
    robots_crawler_free(crawler);
    controls = NULL;
    crawler = NULL;
    cases++;
}

/* New controls for a crawler; none for NULL. */
static void begin(robots_crawler *for_it)
{
    robots_page_controls_free(controls);
    robots_crawler_free(crawler);
    crawler = for_it;
    controls = NULL;
    if (crawler != NULL)
        CHECK_INT(robots_page_controls_new(crawler, &controls), ROBOTS_OK);
}

/* Splits off the first word of a text. */
static char *word(char **rest)
{
    char *start = *rest, *end = strchr(start, ' ');

    *rest = end != NULL ? end + 1 : start + strlen(start);
    if (end != NULL)
        *end = '\0';
    return start;
}

static void expect_rule(robots_page_rule rule, uint32_t source, uint32_t number, char *text)
{
    size_t len = unescape(text);

    CHECK_INT(rule.source, source);
    CHECK_INT(rule.number, number);
    CHECK(is(rule.text, text, len));
}

static void run_line(char *line)
{
    char *rest = line, *keyword = word(&rest), *name;

    if (strcmp(keyword, "case") == 0) {
        end_case();
        snprintf(title, sizeof title, "%s", rest);
        begin(new_crawler("ExampleBot"));
        listed = 0, unknown = 0, has_zone = 0;
    } else if (strcmp(keyword, "crawler") == 0) {
        robots_crawler *made = new_crawler(word(&rest));

        while (*rest != '\0') {
            name = word(&rest);
            CHECK_INT(robots_crawler_add_token(made, name, strlen(name)), ROBOTS_OK);
        }
        begin(made);
    } else if (strcmp(keyword, "header") == 0 || strcmp(keyword, "meta") == 0) {
        char *colon = strstr(rest, ": "), *copy, *name_copy;
        size_t name_len, len;

        *colon = '\0';
        name_len = unescape(rest);
        len = unescape(colon + 2);
        name_copy = exact_copy(rest, name_len);
        copy = exact_copy(colon + 2, len);
        if (keyword[0] == 'h')
            CHECK_INT(robots_page_controls_add_header(controls, name_copy, name_len, copy, len), ROBOTS_OK);
        else
            CHECK_INT(robots_page_controls_add_meta(controls, name_copy, name_len, copy, len), ROBOTS_OK);
        free(name_copy);
        free(copy);
    } else if (strcmp(keyword, "by") == 0) {
        uint32_t control, source, number;

        name = word(&rest);
        control = NUMBER_OF(CONTROLS, name, strlen(name));
        name = word(&rest);
        source = NUMBER_OF(SOURCES, name, strlen(name));
        number = (uint32_t)strtoul(word(&rest), NULL, 10);
        expect_rule(decision(control), source, number, rest);
    } else if (strcmp(keyword, "for") == 0) {
        robots_page_rule rule;

        name = word(&rest);
        rule = decision(NUMBER_OF(CONTROLS, name, strlen(name)));
        CHECK(strcmp(rest, "*") == 0 ? rule.agent.len == 0 : is(rule.agent, rest, strlen(rest)));
    } else if (strcmp(keyword, "zone") == 0) {
        has_zone = 1;
        CHECK_INT(decision(ROBOTS_CONTROL_UNAVAILABLE_AFTER).zone, NUMBER_OF(ZONES, rest, strlen(rest)));
    } else if (strcmp(keyword, "unknown") == 0) {
        robots_page_rule rule;
        uint32_t source, number;

        rule.size = sizeof rule;
        CHECK_INT(robots_page_controls_unknown(controls, unknown++, &rule), ROBOTS_OK);
        name = word(&rest);
        source = NUMBER_OF(SOURCES, name, strlen(name));
        number = (uint32_t)strtoul(word(&rest), NULL, 10);
        expect_rule(rule, source, number, rest);
        CHECK_INT(rule.value, 0);
    } else if (strcmp(keyword, "usage") == 0) {
        name = word(&rest);
        CHECK_INT(robots_page_controls_usage(controls, name, strlen(name)), NUMBER_OF(CHOICES, rest, strlen(rest)));
    } else {
        uint32_t control = NUMBER_OF(CONTROLS, keyword, strlen(keyword));

        listed |= 1u << control;
        CHECK_INT(control_value(controls, control), strtoll(rest, NULL, 10));
    }
}

static const char *const *files;

static void every_case(void)
{
    static char line[4096];

    for (; *files != NULL; files++) {
        FILE *file = fopen(*files, "rb");

        if (file == NULL)
            give_up(*files, ROBOTS_E_ARG);
        while (fgets(line, sizeof line, file) != NULL) {
            line[strcspn(line, "\n")] = '\0';
            if (line[0] != '\0' && line[0] != '#')
                run_line(line);
        }
        fclose(file);
        end_case();
    }
    CHECK(cases > 70);
}

/* A value that cannot be added makes every control as restrictive as possible, whatever follows. */
static void closed_by_an_error(void)
{
    uint32_t control;

    begin(new_crawler("ExampleBot"));
    CHECK_INT(robots_page_controls_add_header(controls, TEXT("Content-Usage"), TEXT("train-ai=y")), ROBOTS_OK);
    CHECK_INT(robots_page_controls_usage(controls, TEXT("train-ai")), ROBOTS_CHOICE_YES);
    CHECK_INT(control_value(controls, ROBOTS_CONTROL_INDEX), 1);
    CHECK_INT(robots_page_controls_add_header(controls, TEXT("X-Robots-Tag"), NULL, 1), ROBOTS_E_ARG);
    CHECK_INT(robots_page_controls_add_meta(controls, TEXT("robots"), TEXT("all")), ROBOTS_OK);
    for (control = 0; control < COUNT; control++) {
        CHECK_INT(control_value(controls, control), 0);
        CHECK_INT(decision(control).source, ROBOTS_PAGE_NONE);
    }
    CHECK_INT(robots_page_controls_usage(controls, TEXT("train-ai")), ROBOTS_CHOICE_NO);
    begin(NULL);
}

/* A struct of a later header, which is larger, is filled as far as it is known. */
static void sizes(void)
{
    struct {
        robots_page_rule known;
        unsigned char later[32];
    } larger;

    begin(new_crawler("ExampleBot"));
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
    begin(NULL);
}

int main(int argc, char **argv)
{
    static const test tests[] = {
        {"every_case", every_case}, {"closed_by_an_error", closed_by_an_error}, {"sizes", sizes},
    };

    (void)argc;
    files = (const char *const *)argv + 1;
    return RUN_TESTS("page", tests);
}
