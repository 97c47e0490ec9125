/* Misuse: each function with each parameter wrong, one at a time, in every way that its kind can be wrong (calls.h has the
 * good call around it). It must return the documented error, permit nothing, and leave its objects as they were: the good
 * call succeeds afterwards. Then what one call cannot show: events at a wrong step, and calls in a wrong order. */
#include "calls.h"
#include "options.h"

/* The first time that is none in seconds, in March 1973, and the end of the year 9999 (SPEC 2.18). */
#define FIRST_TIME UINT64_C(100000000000)
#define LAST_TIME UINT64_C(253402300799999)

/* --- one wrong argument ------------------------------------------------------------------------------------------- */

/* Another parameter than `name` is the last one that was refused. */
static void refuse_another(const char *name)
{
    robots_rules *none = NULL;
    robots_lint_meaning meaning = ROBOTS_LINT_MEANING_INIT;

    if (strcmp(name, "allow") != 0)
        CHECK_INT(robots_rules_site_wide(UINT32_MAX, &none), ROBOTS_E_ARG);
    else
        CHECK_INT(robots_lint_code(UINT32_MAX, &meaning), ROBOTS_E_ARG);
}

/* The text of the refused argument begins with its name, and says what to do. */
static void check_text(const char *name)
{
    static const char start[] = "invalid argument: ";
    const char *text = robots_status_text(ROBOTS_E_ARG);
    size_t len = strlen(name);

    CHECK(strncmp(text, start, strlen(start)) == 0);
    text += strlen(start);
    CHECK(strncmp(text, name, len) == 0 && text[len] == ' ');
    CHECK(strlen(text) > len + 20);
}

/* Makes a call whose argument `p` is wrong. */
static void make_wrong(call *c, const parameter *p, robots_status status)
{
    refuse_another(p->name);
    make(c);
    if (function_at->result == ENDS) /* freeing NULL is no misuse */
        check_text("allow");
    else if (status == ROBOTS_E_ARG)
        check_text(p->name);
    check_failed(c, status);
}

/* The good call with a wrong argument `i`: a pointer or a number, and a length after it where it is a string. */
static void expect_failure(int i, const void *pointer, uint64_t number, robots_status status)
{
    unsigned long failures = harness_failures;
    const parameter *p = &function_at->parameters[i];
    call c = prepared(function_at, row_at);

    c.a[i].p = (void *)(uintptr_t)pointer;
    c.a[i].n = number;
    c.a[i].f = NULL;
    if (p->kind == BYTES)
        c.a[i + 1].n = number;
    make_wrong(&c, p, status);
    if (harness_failures > failures)
        printf("     with a wrong `%s`: %p, %llu\n", p->name, pointer, (unsigned long long)number);
    release(&c);
    if (row_at->flags & ENDS_WITH_ERROR && (p->kind == TIME || p->kind == ANY)) {
        forget_all();
        set_up();
    }
}

static void wrong_number(int i, const uint64_t *numbers, size_t count, robots_status status)
{
    while (count-- > 0)
        expect_failure(i, NULL, numbers[count], status);
}
#define WRONG_NUMBERS(i, status, ...) \
    wrong_number(i, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), status)

/* Strings that are no such thing, by the name of their parameter, and of a function where it is not all of them. */
static const struct {
    const char *parameter, *function, *text;
    size_t len;
    robots_status status;
} WRONG_TEXTS[] = {
#define ROW(parameter, function, text, status) {parameter, function, text, sizeof(text) - 1, status}
    ROW("token", "", "", ROBOTS_E_TOKEN), ROW("token", "", "**", ROBOTS_E_TOKEN), ROW("token", "", "* ", ROBOTS_E_TOKEN),
    ROW("token", "", "a b", ROBOTS_E_TOKEN), ROW("token", "", "\0", ROBOTS_E_TOKEN), ROW("token", "", "\xff", ROBOTS_E_TOKEN),
    ROW("token", "crawler_add", "*", ROBOTS_E_TOKEN),
    ROW("header", "", "", ROBOTS_E_TOKEN), ROW("header", "", "*", ROBOTS_E_TOKEN), ROW("header", "", "\0", ROBOTS_E_TOKEN),
    ROW("header", "", "Mozilla/5.0 ", ROBOTS_E_TOKEN),
    ROW("name", "crawler_preset", "", ROBOTS_E_TOKEN), ROW("name", "crawler_preset", "Googlebo", ROBOTS_E_TOKEN),
    ROW("name", "crawler_preset", "\0", ROBOTS_E_TOKEN), ROW("name", "crawler_preset", "\xff", ROBOTS_E_TOKEN),
    ROW("url", "", "", ROBOTS_E_URL), ROW("url", "", "\0", ROBOTS_E_URL), ROW("url", "", "x", ROBOTS_E_URL),
#define OF_A_SITE(function) \
    ROW("url", function, "/x", ROBOTS_E_URL), ROW("url", function, "https://", ROBOTS_E_URL), \
    ROW("url", function, "https://\xff/", ROBOTS_E_URL), ROW("url", function, "file:///x", ROBOTS_E_SCHEME)
    OF_A_SITE("origin_key"), OF_A_SITE("url_to_send"), OF_A_SITE("fetch_new"), OF_A_SITE("outcome_from"), OF_A_SITE("cache_"),
#undef OF_A_SITE
#define OF_ANOTHER_SITE(function) \
    ROW("url", function, "https://other.example/", ROBOTS_E_URL), ROW("url", function, "http://b\xc3\xbc" "cher.example/", ROBOTS_E_URL), \
    ROW("url", function, "file:///x", ROBOTS_E_SCHEME)
    OF_ANOTHER_SITE("outcome_check"), OF_ANOTHER_SITE("record_check"), OF_ANOTHER_SITE("use_"),
#undef OF_ANOTHER_SITE
    ROW("url", "use_receipt", "/x", ROBOTS_E_URL), ROW("url", "use_receipt", ORIGIN "/\xff", ROBOTS_E_URL),
    ROW("site", "", "/x", ROBOTS_E_URL), ROW("site", "", "https://", ROBOTS_E_URL), ROW("site", "", "file:///x", ROBOTS_E_SCHEME),
    ROW("image", "", "", ROBOTS_E_IMAGE), ROW("image", "", "\0", ROBOTS_E_IMAGE), ROW("image", "", "rbts", ROBOTS_E_IMAGE),
    ROW("image", "", "user-agent: *\nallow: /\nuser-agent: another one, and so on\n", ROBOTS_E_IMAGE),
    ROW("image", "", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", ROBOTS_E_IMAGE),
    ROW("record", "", "", ROBOTS_E_IMAGE), ROW("record", "", "x", ROBOTS_E_IMAGE), ROW("record", "", "rbts", ROBOTS_E_IMAGE),
#undef ROW
};

static void wrong_bytes(int i)
{
    const char *name = function_at->parameters[i].name;
    call c = prepared(function_at, row_at);
    size_t at, len = c.sizes[i];
    char *copy;

    expect_failure(i, NULL, 1, ROBOTS_E_ARG);
    expect_failure(i, NULL, SIZE_MAX, ROBOTS_E_ARG);
    expect_failure(i, c.blocks[i], SIZE_MAX, ROBOTS_E_ARG);
    expect_failure(i, c.blocks[i], SIZE_MAX / 2 + 1, ROBOTS_E_ARG); /* no object is that long */
    for (at = 0; at < sizeof WRONG_TEXTS / sizeof WRONG_TEXTS[0]; at++) {
        if (strcmp(WRONG_TEXTS[at].parameter, name) != 0 || strstr(function_at->name, WRONG_TEXTS[at].function) != function_at->name)
            continue;
        copy = exact_copy(WRONG_TEXTS[at].text, WRONG_TEXTS[at].len);
        expect_failure(i, copy, WRONG_TEXTS[at].len, WRONG_TEXTS[at].status);
        free(copy);
        if (WRONG_TEXTS[at].len == 0) /* then the pointer is ignored */
            expect_failure(i, NULL, 0, WRONG_TEXTS[at].status);
    }
    if (strcmp(name, "image") == 0 || strcmp(name, "record") == 0) {
        copy = exact_copy(c.blocks[i], len);
        copy[4]++; /* the format version */
        expect_failure(i, copy, len, ROBOTS_E_IMAGE_FORMAT);
        free(copy);
        for (at = 8; at < len; at = at < 256 ? at + 1 : at * 2) { /* cut */
            copy = exact_copy(c.blocks[i], at);
            if (strcmp(name, "image") == 0 || !is(function_at, "record_check"))
                expect_failure(i, copy, at, ROBOTS_E_IMAGE);
            free(copy);
        }
    }
    release(&c);
}

/* A struct for which there is too little room is left alone; one of a later version, which is larger, is filled as far as it
 * is known. */
static void wrong_struct(int i)
{
    size_t size = function_at->parameters[i].size, at;

    for (at = 0; at <= size + 64; at = at < size ? at + 1 : at + 64) {
        call c = prepared(function_at, row_at);
        char *place = malloc(at > sizeof at ? at : sizeof at);

        if (place == NULL)
            give_up("malloc", ROBOTS_E_MEMORY);
        memset(place, FILL, at > sizeof at ? at : sizeof at);
        memcpy(place, &at, sizeof at);
        free(c.blocks[i]);
        c.a[i].p = c.blocks[i] = place;
        c.sizes[i] = at > sizeof at ? at : sizeof at;
        if (at < size) {
            make_wrong(&c, &function_at->parameters[i], ROBOTS_E_ARG);
            CHECK(memcmp(place, &at, sizeof at) == 0);
        } else if (function_at->result != VERDICT) { /* a good call of a cache may change what the next one gets */
            make(&c);
            check_good(&c);
            CHECK(memcmp(place, &at, sizeof at) == 0);
        }
        release(&c);
    }
}

/* A list from its first element to its end, and places past the end. */
static void wrong_index(int i)
{
    static const size_t past[] = {1u << 31, SIZE_MAX / 12, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1, SIZE_MAX};
    robots_status status = ROBOTS_OK;
    size_t at;

    if (strcmp(function_at->parameters[i].name, "crawler") == 0) { /* of the one that there is */
        WRONG_NUMBERS(i, ROBOTS_E_ARG, 16, 1u << 31, SIZE_MAX / 2, SIZE_MAX);
        if (!is(function_at, "record_check"))
            WRONG_NUMBERS(i, ROBOTS_E_ARG, 1, 2);
        return;
    }
    if (strcmp(function_at->parameters[i].name, "number") == 0)
        expect_failure(i, NULL, 0, ROBOTS_E_ARG);
    for (at = 1; at < 10000 && status == ROBOTS_OK; at++) {
        call c = prepared(function_at, row_at);

        c.a[i].n = at;
        make(&c);
        status = c.r.status;
        if (status == ROBOTS_OK)
            check_good(&c);
        else
            check_failed(&c, ROBOTS_END);
        release(&c);
    }
    CHECK_INT(status, ROBOTS_END);
    for (at = 0; at < sizeof past / sizeof past[0]; at++)
        expect_failure(i, NULL, past[at], ROBOTS_END);
}

/* An array that is too short holds the first signals; NULL is none. */
static void wrong_count_of_signals(int i)
{
    static const size_t impossible[] = {SIZE_MAX, SIZE_MAX / 2 / sizeof(robots_use_signal) + 1};
    size_t at, capacity;

    for (at = 0; at < sizeof impossible / sizeof impossible[0]; at++) {
        call c = prepared(function_at, row_at);

        c.a[i].n = impossible[at];
        make_wrong(&c, &function_at->parameters[i - 1], ROBOTS_E_ARG);
        release(&c);
    }
    for (capacity = 0; capacity <= CAPACITY_OF_SIGNALS; capacity++) {
        call c = prepared(function_at, row_at);

        c.a[i].n = capacity;
        if (capacity == 0)
            c.a[i - 1].p = NULL;
        make(&c);
        check_good(&c);
        release(&c);
    }
}

/* What the page says is not known, which is no misuse: no use is allowed then. */
static void unknown_page(int i)
{
    call c = prepared(function_at, row_at);
    robots_use_answer answer = {0};

    c.a[i].p = NULL;
    make(&c);
    CHECK_INT(c.r.status, ROBOTS_OK);
    if (is(function_at, "use_for")) {
        memcpy(&answer, c.blocks[function_at->count - 1], sizeof answer);
        CHECK_INT(answer.says, row_at->flags & NOT_ALLOWED ? ROBOTS_USE_DENIED : ROBOTS_USE_UNSTATED);
    }
    release(&c);
}

/* A buffer that is too small: the length is there, and nothing else. */
static void wrong_capacity(int i)
{
    size_t needed, len, capacity;
    call c = prepared(function_at, row_at);

    make(&c);
    memcpy(&needed, c.blocks[i + 1], sizeof needed);
    release(&c);
    for (capacity = 0; capacity <= needed; capacity = capacity < 64 ? capacity + 1 : capacity + needed - 64) {
        c = prepared(function_at, row_at);
        c.a[i].n = capacity;
        if (capacity == 0)
            c.a[i - 1].p = NULL;
        make(&c);
        CHECK_INT(c.r.status, capacity < needed ? ROBOTS_E_SPACE : ROBOTS_OK);
        memcpy(&len, c.blocks[i + 1], sizeof len);
        CHECK_INT(len, needed);
        CHECK(all_bytes(c.blocks[i - 1], capacity < needed ? 0 : needed, CAPACITY_OF_BUFFER, FILL));
        release(&c);
    }
}

static void wrong_out(int i)
{
    call c = prepared(function_at, row_at);

    expect_failure(i, NULL, 0, ROBOTS_E_ARG);
    c.a[i].p = c.blocks[i] + 1;
    make_wrong(&c, &function_at->parameters[i], ROBOTS_E_ARG); /* not aligned */
    release(&c);
}

static void wrong(int i)
{
    static const uint64_t decreasing[] = {2, 0, 4}, beyond[] = {0, 2, UINT64_MAX};
    const parameter *p = &function_at->parameters[i];
    const robots_crawler *list[] = {a_crawler(), NULL};
    uint64_t good;
    call c;

    c = prepared(function_at, row_at);
    good = c.a[i].n;
    release(&c);
    switch (p->kind) {
    case HANDLE:
        if (strcmp(p->name, "page") == 0)
            unknown_page(i);
        else
            expect_failure(i, NULL, 0, ROBOTS_E_ARG);
        break;
    case MAKES:
    case STRING_OUT:
    case LENGTH_OUT: wrong_out(i); break;
    case STRUCT_OUT: wrong_out(i); wrong_struct(i); break;
    case BYTES: wrong_bytes(i); break;
    case INDEX: wrong_index(i); break;
    case TIME: /* seconds, microseconds and more are no milliseconds */
        if (!is(function_at, "fetch_report_end") || row_at->number != ROBOTS_FAILURE_NONE)
            expect_failure(i, NULL, 0, ROBOTS_E_TIME);
        WRONG_NUMBERS(i, ROBOTS_E_TIME, 1, NOW / 1000, FIRST_TIME - 1, LAST_TIME + 1, NOW * 1000, UINT64_MAX);
        break;
    case OPTION: /* not cut to 16 or 31 bits */
        WRONG_NUMBERS(i, ROBOTS_E_ARG, 0, 1000, 65536 + good, 0x80000000 | good, UINT32_MAX);
        break;
    case CODE:
        if (is(function_at, "rules_site_wide"))
            expect_failure(i, NULL, ROBOTS_BAD_URL, ROBOTS_E_ARG);
        WRONG_NUMBERS(i, ROBOTS_E_ARG, 999, 255, 256 + good, 65536 + good, 0x80000000 | good, UINT32_MAX);
        break;
    case LIMIT: WRONG_NUMBERS(i, ROBOTS_E_ARG, 0, 1, 65535); break;
    case CAPACITY:
        if (is_of_signals(function_at, i))
            wrong_count_of_signals(i);
        else
            wrong_capacity(i);
        break;
    case SIGNALS: wrong_out(i); break;
    case BUFFER: expect_failure(i, NULL, 0, ROBOTS_E_ARG); break;
    case CALLBACK: expect_failure(i, NULL, 0, ROBOTS_E_ARG); break;
    case TEXTS: expect_failure(i, NULL, 0, ROBOTS_E_ARG); break;
    case OFFSETS:
        expect_failure(i, NULL, 0, ROBOTS_E_ARG);
        expect_failure(i, decreasing, 0, ROBOTS_E_ARG);
        expect_failure(i, beyond, 0, ROBOTS_E_ARG);
        break;
    case VERDICTS: expect_failure(i, NULL, 0, ROBOTS_E_ARG); break;
    case LIST:
        expect_failure(i, NULL, 0, ROBOTS_E_ARG);
        expect_failure(i, list + 1, 0, ROBOTS_E_ARG);
        break;
    case COUNT:
        if (is(function_at, "outcome_decode"))
            WRONG_NUMBERS(i, ROBOTS_E_ARG, 0, 17, SIZE_MAX);
        break;
    case LENGTH: /* with its string */
    case VALUE:  /* with its option, see `options` */
    case CONTEXT:
    case ANY: break;
    }
}

/* Every argument is wrong: the largest number or 0, and NULL. */
static void all_wrong(uint64_t number)
{
    call c = prepared(function_at, row_at);
    int i;

    for (i = 0; i < function_at->count; i++) {
        c.a[i].p = NULL;
        c.a[i].f = NULL;
        c.a[i].n = function_at->parameters[i].kind == ANY ? c.a[i].n : number;
    }
    make(&c);
    if (function_at->count > 0 && (function_at->parameters[0].kind == HANDLE || number > 0) && function_at->parameters[0].kind != ANY)
        check_failed(&c, ROBOTS_E_ARG);
    release(&c);
}

static void misuse(void)
{
    call c;
    int i;

    set_up();
    for (i = 0; i < function_at->count; i++)
        wrong(i);
    all_wrong(0);
    all_wrong(UINT64_MAX);
    c = prepared(function_at, row_at);
    make(&c);
    check_good(&c);
    release(&c);
}

/* --- each option with each value that it has not ------------------------------------------------------------------- */

typedef robots_status setter(void *object, uint32_t option, uint64_t value);
static robots_status set_crawler(void *object, uint32_t option, uint64_t value) { return robots_crawler_set(object, option, value); }
static robots_status set_fetch(void *object, uint32_t option, uint64_t value) { return robots_fetch_set(object, option, value); }
static robots_status set_cache(void *object, uint32_t option, uint64_t value) { return robots_cache_set(object, option, value); }

static void check_option(setter *set, int type, uint32_t option, uint64_t unit, uint64_t least, uint64_t most)
{
    unsigned long failures = harness_failures;

    CHECK_INT(set(object(type), option, most), ROBOTS_OK);
    CHECK_INT(set(object(type), option, least), ROBOTS_OK);
    refuse_another("value");
    CHECK_INT(set(object(type), option, most + 1), ROBOTS_E_ARG);
    check_text("value");
    if (least > 0)
        CHECK_INT(set(object(type), option, least - 1), ROBOTS_E_ARG);
    if (unit > 1) /* a number of seconds, as nearly all others, is no multiple of it */
        CHECK_INT(set(object(type), option, least + 86400), ROBOTS_E_ARG);
    CHECK_INT(set(object(type), option, UINT64_C(1) << 32 | least), ROBOTS_E_ARG); /* not cut to 32 bits */
    CHECK_INT(set(object(type), option, UINT64_MAX), ROBOTS_E_ARG);
    if (harness_failures > failures)
        printf("     for option %u\n", (unsigned)option);
}

static void options(void)
{
    size_t i;

    empty_cache();
    for (i = 0; i < OPTION_COUNT; i++) {
        check_option(set_crawler, OF_robots_crawler, option_rows[i].number, option_rows[i].unit, option_rows[i].least, option_rows[i].most);
        if (option_rows[i].number >= ROBOTS_OPT_MAX_REDIRECTS)
            check_option(set_fetch, OF_robots_fetch, option_rows[i].number, option_rows[i].unit, option_rows[i].least, option_rows[i].most);
        else /* it changes how a file is read */
            CHECK_INT(robots_fetch_set(a_fetch(), option_rows[i].number, option_rows[i].most), ROBOTS_E_ARG);
    }
    check_option(set_cache, OF_robots_cache, ROBOTS_CACHE_OPT_TICKET_TTL_MS, 1000, 1000, 86400000);
    check_option(set_cache, OF_robots_cache, ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, 1, 0, 86400000);
    check_option(set_cache, OF_robots_cache, ROBOTS_CACHE_OPT_MAX_DELAY_MS, 1, 0, 86400000);
    check_option(set_cache, OF_robots_cache, ROBOTS_CACHE_OPT_HORIZON_MS, 1, 0, 86400000);
    forget_all();
}

/* --- calls in a wrong order ------------------------------------------------------------------------------------------ */

/* What each function returns at each step of a fetch; S: ROBOTS_E_STATE, and the fetch goes on. */
static void events(void)
{
    static const struct {
        const char *statuses; /* at ROBOTS_STEP_GET, _HEADERS, _BODY and _DONE */
        row row;
    } rows[] = {
        {".SSS", {.function = "fetch_add_crawler"}},
        {"...S", {.function = "fetch_set", .number = ROBOTS_OPT_ON_UNREACHABLE, .value = ROBOTS_OUTCOME_ALLOW_ALL}},
        {".SSS", {.function = "fetch_set_previous"}},
        {".SSS", {.function = "fetch_report_status"}},
        {"SSSS", {.function = "fetch_report_ftp_reply"}}, /* it is no ftp URL */
        {"S.SS", {.function = "fetch_report_header", .texts = {"location", "/x"}}},
        {"S.SS", {.function = "fetch_report_headers_end"}},
        {"SS.S", {.function = "fetch_report_body"}},
        {"S..S", {.function = "fetch_report_end"}},
        {"...S", {.function = "fetch_report_end", .number = ROBOTS_FAILURE_RESET}},
        {"SSS.", {.function = "fetch_outcome"}},
    };
    static void (*const before[])(void) = {NULL, at_headers, at_body, at_done};
    size_t at, f;
    uint32_t step;

    for (at = 0; at < 4 * sizeof rows / sizeof rows[0]; at++) {
        row good = rows[at / 4].row;
        unsigned long failures = harness_failures;
        call c;

        for (f = 0; !is(&FUNCTIONS[f], good.function);)
            f++;
        step = at % 4;
        if (before[step] != NULL)
            before[step]();
        CHECK_INT(robots_fetch_step(a_fetch()), step);
        c = prepared(&FUNCTIONS[f], &good);
        make(&c);
        if (rows[at / 4].statuses[step] == 'S') {
            check_failed(&c, ROBOTS_E_STATE);
            CHECK_INT(robots_fetch_step(a_fetch()), step);
        } else {
            CHECK_INT(c.r.status, ROBOTS_OK);
        }
        if (harness_failures > failures)
            printf("     for %s at step %u\n", good.function, (unsigned)step);
        release(&c);
        forget_all();
    }
}

static void fetches(void)
{
    robots_outcome *other;
    int i;

    must(robots_outcome_from_status(a_crawler(), "http://b\xc3\xbc" "cher.example/", 21, 200, NULL, 0, NOW, &other));
    CHECK_INT(robots_fetch_set_previous(a_fetch(), other), ROBOTS_E_ARG); /* another scheme is another site */
    check_text("outcome");
    robots_outcome_free(other);
    for (i = 1; i < 16; i++)
        CHECK_INT(robots_fetch_add_crawler(a_fetch(), a_crawler()), ROBOTS_OK);
    CHECK_INT(robots_fetch_add_crawler(a_fetch(), a_crawler()), ROBOTS_E_ARG);
    check_text("crawler");
    forget(OF_robots_fetch);
    CHECK_INT(robots_fetch_set_previous(a_fetch(), object(OF_robots_outcome)), ROBOTS_OK);
    CHECK_INT(robots_fetch_add_crawler(a_fetch(), a_crawler()), ROBOTS_E_STATE); /* after the outcome for one */
    CHECK_INT(robots_fetch_report_status(a_fetch(), 200, NOW), ROBOTS_OK);
    CHECK_INT(robots_fetch_report_end(a_fetch(), ROBOTS_FAILURE_NONE, NOW), ROBOTS_OK); /* without the end of the headers */
    must(robots_fetch_outcome(a_fetch(), &other));
    CHECK_INT(outcome_info(other).kind, ROBOTS_OUTCOME_RULES); /* the earlier one stays, stale */
    CHECK_INT(outcome_info(other).cause, ROBOTS_CAUSE_OTHER_FAILURE);
    robots_outcome_free(other);
    forget_all();
}

/* Numbers that may be any are not cut to 16 bits, or 8: what they would be then is something else. */
static void large_numbers(void)
{
    static const robots_status statuses[] = {-1, 10, 255, 65536, 65537, INT32_MAX, INT32_MIN};
    static const uint32_t reasons[] = {10, 255, 256, 257, 65537, UINT32_MAX};
    robots_outcome *made;
    size_t i;

    for (i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        CHECK(strncmp(robots_status_text(statuses[i]), "unknown status", 14) == 0);
    for (i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        CHECK(strncmp(robots_reason_text(reasons[i]), "unknown reason", 14) == 0);
    made = outcome_at(65536 + 404, NOW);
    CHECK_INT(outcome_info(made).kind, ROBOTS_OUTCOME_UNREACHABLE);
    robots_outcome_free(made);
    CHECK_INT(robots_fetch_report_status(a_fetch(), 65536 + 404, NOW), ROBOTS_OK);
    CHECK_INT(robots_fetch_report_headers_end(a_fetch()), ROBOTS_OK);
    must(robots_fetch_outcome(a_fetch(), &made));
    CHECK_INT(outcome_info(made).kind, ROBOTS_OUTCOME_UNREACHABLE);
    robots_outcome_free(made);
    forget(OF_robots_fetch);
    by_ftp();
    CHECK_INT(robots_fetch_report_ftp_reply(a_fetch(), 65536 + 226, NOW), ROBOTS_OK);
    CHECK_INT(robots_fetch_step(a_fetch()), ROBOTS_STEP_DONE);
    empty_cache();
    CHECK_INT(robots_cache_report_response(object(OF_robots_cache), url, strlen(url), 65536 + 429, NULL, 0, NOW), ROBOTS_OK);
    CHECK_INT(cache_counts(object(OF_robots_cache)).sites, 0);
    forget_all();
}

/* As many frees as references, no more, no less. A batch of none reads and writes nothing. */
static void small_and_many(void)
{
    robots_rules *rules = object(OF_robots_rules);
    uint8_t verdict = FILL;
    int i;

    for (i = 0; i < 1000; i++)
        CHECK(robots_rules_retain(rules) == rules);
    for (i = 0; i < 1000; i++)
        robots_rules_free(rules);
    CHECK(allowed(rules, "/caf\xc3\xa9"));
    CHECK_INT(robots_rules_check_batch(rules, NULL, NULL, 0, &verdict), ROBOTS_OK);
    CHECK_INT(robots_rules_check_batch(rules, NULL, NULL, 0, NULL), ROBOTS_OK);
    CHECK_INT(robots_rules_check_batch(NULL, NULL, NULL, 0, &verdict), ROBOTS_E_ARG);
    CHECK_INT(robots_rules_check_batch(rules, "", (const uint64_t[]){0, 0}, SIZE_MAX, &verdict), ROBOTS_E_ARG);
    CHECK_INT(verdict, FILL);
    forget_all();
}

/* A ticket ends with its first outcome, also with one that is refused: then it is as if nobody had fetched. */
static void tickets(void)
{
    robots_outcome *other;
    robots_fetch *fetch;
    int late;

    must(robots_outcome_from_status(a_crawler(), "https://other.example/", 22, 404, NULL, 0, NOW, &other));
    for (late = 0; late <= 1; late++) {
        robots_ticket *ticket = object(OF_robots_ticket); /* of the other site */
        robots_cache *cache = object(OF_robots_cache);
        const robots_outcome *refused = late ? other : object(OF_robots_outcome);

        CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL_MS, 60000), ROBOTS_E_STATE);
        CHECK_INT(robots_cache_add_crawler(cache, a_crawler()), ROBOTS_E_STATE);
        CHECK_INT(robots_cache_remove(cache, "https://other.example/", 22), ROBOTS_OK);
        CHECK_INT(cache_counts(cache).sites, 2); /* the ticket is out still */
        CHECK_INT(robots_ticket_finish(ticket, refused, late ? LAST_TIME + 1 : NOW), late ? ROBOTS_E_TIME : ROBOTS_E_ARG);
        check_text("outcome"); /* also after a time, whose status has a text of its own */
        CHECK_INT(cache_counts(cache).sites, 1);
        CHECK_INT(robots_ticket_finish(ticket, other, NOW), ROBOTS_E_STATE);
        CHECK_INT(robots_ticket_fetch(ticket, NOW, &fetch), ROBOTS_E_STATE);
        CHECK(fetch == NULL);
        CHECK_INT(robots_ticket_origin(ticket).len, 0);
        CHECK_INT(cache_counts(cache).sites, 1);
        CHECK_INT(robots_cache_remove(cache, "*", 1), ROBOTS_OK);
        CHECK_INT(robots_cache_remove(cache, "*", 1), ROBOTS_OK);
        CHECK_INT(robots_cache_set(cache, ROBOTS_CACHE_OPT_TICKET_TTL_MS, 60000), ROBOTS_OK);
        forget(OF_robots_ticket);
        forget(OF_robots_cache);
    }
    robots_outcome_free(other);
    forget_all();
}

/* After calls that fail a cache holds nothing, and no ticket is lost. */
static void caches(void)
{
    robots_cache *cache;
    robots_str image = robots_rules_image(object(OF_robots_rules));
    robots_outcome *none = NULL;
    robots_cache_answer answer;
    size_t count = 0;

    empty_cache();
    cache = object(OF_robots_cache);
    CHECK(robots_cache_import(cache, image.ptr, image.len) != ROBOTS_OK); /* rules alone are no record */
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, url, strlen(url), NOW, NULL)));
    answer.size = sizeof answer - 1;
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, url, strlen(url), NOW, &answer)));
    CHECK_INT(cache_counts(cache).sites, 0);
    CHECK_INT(robots_cache_outcome(cache, url, strlen(url), &none), ROBOTS_OK);
    CHECK(none == NULL);
    CHECK_INT(robots_cache_each(cache, receive, &count), ROBOTS_OK);
    CHECK_INT(count, 0);
    answer.size = sizeof answer + 1000;
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, url, strlen(url), LAST_TIME, &answer)));
    CHECK_INT(answer.action, ROBOTS_CACHE_FETCH); /* a clock at its ends is welcome */
    robots_ticket_free(answer.ticket);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_check(cache, 0, url, strlen(url), FIRST_TIME, &answer)));
    CHECK_INT(answer.action, ROBOTS_CACHE_FETCH);
    robots_ticket_free(answer.ticket);
    forget(OF_robots_cache);
    must(robots_cache_new(a_crawler(), SIZE_MAX, &cache)); /* nothing is allocated in advance */
    robots_cache_free(cache);
    forget_all();
}

/* Slots that the cache did not give: nothing is sent before the delay after the robots.txt is over. */
static void slots(void)
{
    const robots_slot given[] = {{0}, {1}, {NOW - 1}, {NOW}, {NOW + 1}, {UINT64_MAX}};
    robots_cache *cache;
    robots_cache_answer answer;
    size_t i;

    no_file();
    empty_cache();
    cache = object(OF_robots_cache);
    must(robots_cache_set(cache, ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, 7000));
    answer.size = sizeof answer;
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_cache_request(cache, 0, url, strlen(url), given[5], NOW, &answer)));
    must(robots_ticket_finish(answer.ticket, object(OF_robots_outcome), NOW));
    robots_ticket_free(answer.ticket);
    for (i = 0; i < sizeof given / sizeof given[0]; i++) {
        CHECK(ROBOTS_VERDICT_ALLOWED(robots_cache_request(cache, 0, url, strlen(url), given[i], NOW, &answer)));
        CHECK(answer.slot.at_ms >= NOW + 7000 && answer.ticket == NULL);
    }
    forget_all();
}

/* A damaged record: nothing is read past its end. Most damage is seen; the rest gives a wrong result, no more. An outcome
 * does not decide before it was fetched, and not after it expired. */
static void records_and_times(void)
{
    robots_str record;
    robots_outcome *made;
    char *damaged;
    size_t i, allowed = 0;

    no_file();
    must(robots_outcome_encode(object(OF_robots_outcome), &record));
    for (i = 0; i < record.len; i++) {
        damaged = exact_copy(record.ptr, i);
        allowed += ROBOTS_VERDICT_ALLOWED(robots_record_check(damaged, i, 0, url, strlen(url), NOW)) != 0;
        free(damaged);
        damaged = exact_copy(record.ptr, record.len);
        damaged[i] ^= 0x55;
        allowed += ROBOTS_VERDICT_ALLOWED(robots_record_check(damaged, record.len, 0, url, strlen(url), NOW)) != 0;
        CHECK(robots_outcome_decode((const robots_crawler *[]){a_crawler()}, 1, damaged, record.len, &made) != ROBOTS_OK);
        CHECK(made == NULL);
        free(damaged);
    }
    CHECK(allowed < 2 * record.len);
    CHECK_INT(ROBOTS_VERDICT_REASON(robots_outcome_check(object(OF_robots_outcome), 0, url, strlen(url), LAST_TIME)), ROBOTS_REASON_DEFER);
    CHECK_INT(ROBOTS_VERDICT_REASON(robots_outcome_check(object(OF_robots_outcome), 0, url, strlen(url), FIRST_TIME)), ROBOTS_REASON_DEFER);
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(object(OF_robots_outcome), 0, url, strlen(url), LAST_TIME)));
    CHECK(!ROBOTS_VERDICT_ALLOWED(robots_outcome_check(object(OF_robots_outcome), 0, url, strlen(url), FIRST_TIME)));
    forget_all();
}

/* A struct has its size and zeros, so that one which no call fills holds no wild ticket. */
static void initializers(void)
{
#define CHECK_INIT(type, initializer) \
    do { \
        static const type made = initializer; \
        static type zeros; \
\
        zeros.size = sizeof zeros; \
        CHECK(memcmp(&made, &zeros, sizeof made) == 0); \
    } while (0)
    CHECK_INIT(robots_rule, ROBOTS_RULE_INIT);
    CHECK_INIT(robots_header, ROBOTS_HEADER_INIT);
    CHECK_INIT(robots_outcome_info, ROBOTS_OUTCOME_INFO_INIT);
    CHECK_INIT(robots_cache_answer, ROBOTS_CACHE_ANSWER_INIT);
    CHECK_INIT(robots_cache_counts, ROBOTS_CACHE_COUNTS_INIT);
    CHECK_INIT(robots_cache_file, ROBOTS_CACHE_FILE_INIT);
    CHECK_INIT(robots_extension, ROBOTS_EXTENSION_INIT);
    CHECK_INIT(robots_page_rule, ROBOTS_PAGE_RULE_INIT);
    CHECK_INIT(robots_use_answer, ROBOTS_USE_ANSWER_INIT);
    CHECK_INIT(robots_explained, ROBOTS_EXPLAINED_INIT);
    CHECK_INIT(robots_explained_line, ROBOTS_EXPLAINED_LINE_INIT);
    CHECK_INIT(robots_explained_rule, ROBOTS_EXPLAINED_RULE_INIT);
    CHECK_INIT(robots_lint_counts, ROBOTS_LINT_COUNTS_INIT);
    CHECK_INIT(robots_lint_diagnostic, ROBOTS_LINT_DIAGNOSTIC_INIT);
    CHECK_INIT(robots_lint_line, ROBOTS_LINT_LINE_INIT);
    CHECK_INIT(robots_lint_meaning, ROBOTS_LINT_MEANING_INIT);
    CHECK_INIT(robots_different_path, ROBOTS_DIFFERENT_PATH_INIT);
}

int main(void)
{
    static const test orders[] = {
        {"options", options}, {"events", events}, {"fetches", fetches}, {"large numbers", large_numbers},
        {"small and many", small_and_many}, {"tickets", tickets}, {"caches", caches}, {"slots", slots},
        {"records and times", records_and_times}, {"initializers", initializers},
    };
    static test tests[MOST_CALLS + sizeof orders / sizeof orders[0]];
    size_t count = tests_of_calls(tests, misuse);

    memcpy(tests + count, orders, sizeof orders);
    return harness_run("misuse", tests, count + sizeof orders / sizeof orders[0]);
}
