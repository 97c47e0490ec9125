/* Runs the shared case files (tests/data/) through the C ABI: test_cases FILE...
 *
 * Their format, line by line; the first word decides:
 *
 *     case TITLE                  starts a case
 *     dialect NAME                rfc9309 (if none is given), google, koster1996
 *     token TOKEN                 one or more, in order of preference; ExampleBot if none is given
 *     set OPTION VALUE            by its name in options.h
 *     | TEXT                      a line of the robots.txt; a `\` at its end: no LF after it
 *     repeat N | TEXT             the same, N times
 *     allowed LINE REASON URL     what must come out
 *     disallowed LINE REASON URL
 *     error url URL
 *     delay SECONDS               or `delay none`
 *     sitemap URL                 one a line, in order; `sitemaps 0`: there are none
 *     bad_token TOKEN             this token must be refused
 *
 * Escapes in TEXT, TOKEN and URL: \xHH \r \n \t \\ and \s (a space). `#` starts a comment line. */
#include "options.h"
#include "support.h"

#include <stdarg.h>

enum { MAX_TOKENS = 16, MAX_OPTIONS = 16 };

typedef struct {
    const char *file;
    unsigned line;
    char title[256];
    uint32_t dialect;
    robots_str tokens[MAX_TOKENS];
    size_t token_count;
    struct { uint32_t option; uint64_t value; } options[MAX_OPTIONS];
    size_t option_count;
    char *body;
    size_t body_len, body_room;
    robots_rules *rules; /* NULL until the first expectation */
    size_t sitemaps;     /* how many `sitemap` lines came by */
    int wants_sitemaps;
    unsigned long faults; /* of the cases before */
} test_case;

static unsigned long passed, failed;    /* cases */
static unsigned long compared, faults; /* what they expect: all, and what differs */

static void report(const test_case *it, const char *format, ...)
{
    va_list arguments;

    compared++;
    faults++;
    printf("FAIL %s:%u: %s: ", it->file, it->line, it->title);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

static void expect(const test_case *it, int holds, const char *what)
{
    if (holds)
        compared++;
    else
        report(it, "%s", what);
}

/* Cuts the first word, and the one space after it, off the front of `rest`. */
static robots_str next_word(robots_str *rest)
{
    robots_str word = {rest->ptr, 0};
    size_t end;

    while (word.len < rest->len && word.ptr[word.len] != ' ')
        word.len++;
    end = word.len < rest->len ? word.len + 1 : word.len;
    rest->ptr += end;
    rest->len -= end;
    return word;
}

static int is(robots_str word, const char *text)
{
    return word.len == strlen(text) && memcmp(word.ptr, text, word.len) == 0;
}

/* The number of `word` in a list that ends in NULL, or -1. */
static int number_in(const char *const *list, robots_str word)
{
    int i;

    for (i = 0; list[i] != NULL; i++)
        if (is(word, list[i]))
            return i;
    return -1;
}

/* Resolves the escapes of `text` into a block of exactly its length. A `\` at the end sets `open`. */
static robots_str unescape(robots_str text, int *open)
{
    robots_str out = {NULL, 0};
    char *to = malloc(text.len + 1), hex[3] = "";
    size_t i = 0;

    *open = 0;
    if (to == NULL)
        give_up("malloc", ROBOTS_E_MEMORY);
    while (i < text.len) {
        char c = text.ptr[i++];

        if (c == '\\' && i == text.len) {
            *open = 1;
            break;
        }
        if (c == '\\') {
            c = text.ptr[i++];
            if (c == 'x' && i + 2 <= text.len) {
                memcpy(hex, text.ptr + i, 2);
                c = (char)strtoul(hex, NULL, 16);
                i += 2;
            } else {
                c = c == 'r' ? '\r' : c == 'n' ? '\n' : c == 't' ? '\t' : c == 's' ? ' ' : c;
            }
        }
        to[out.len++] = c;
    }
    out.ptr = exact_copy(to, out.len);
    free(to);
    return out;
}

static void release(robots_str text)
{
    free((void *)(uintptr_t)text.ptr);
}

static void add_to_body(test_case *it, const char *bytes, size_t len)
{
    if (it->body_room - it->body_len < len) {
        it->body_room = 2 * it->body_room + len;
        it->body = realloc(it->body, it->body_room);
        if (it->body == NULL)
            give_up("realloc", ROBOTS_E_MEMORY);
    }
    if (len > 0)
        memcpy(it->body + it->body_len, bytes, len);
    it->body_len += len;
}

static void add_line(test_case *it, robots_str text, unsigned long times)
{
    int open;
    robots_str line = unescape(text, &open);

    while (times-- > 0) {
        add_to_body(it, line.ptr, line.len);
        if (!open)
            add_to_body(it, "\n", 1);
    }
    release(line);
}

/* The crawler of the case. Its dialect comes between the first token and the others. */
static robots_crawler *crawler_of(const test_case *it)
{
    static const robots_str usual = {"ExampleBot", 10};
    robots_str first = it->token_count > 0 ? it->tokens[0] : usual;
    robots_crawler *crawler = NULL;
    robots_status status = robots_crawler_new(first.ptr, first.len, &crawler);
    size_t i;

    if (status == ROBOTS_OK)
        status = robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, it->dialect);
    for (i = 1; i < it->token_count && status == ROBOTS_OK; i++)
        status = robots_crawler_add_token(crawler, it->tokens[i].ptr, it->tokens[i].len);
    for (i = 0; i < it->option_count && status == ROBOTS_OK; i++)
        status = robots_crawler_set(crawler, it->options[i].option, it->options[i].value);
    if (status != ROBOTS_OK)
        report(it, "the crawler was refused: %s", robots_status_text(status));
    return crawler;
}

static const robots_rules *rules_of(test_case *it)
{
    if (it->rules == NULL) {
        robots_crawler *crawler = crawler_of(it);
        char *body = exact_copy(it->body, it->body_len);
        robots_status status = robots_rules_parse(crawler, body, it->body_len, &it->rules);

        if (status != ROBOTS_OK)
            report(it, "not parsed: %s", robots_status_text(status));
        memset(body, '#', it->body_len); /* rules borrow nothing */
        free(body);
        robots_crawler_free(crawler);
    }
    return it->rules;
}

static void expect_verdict(test_case *it, robots_verdict want, robots_str escaped)
{
    int open;
    robots_str url = unescape(escaped, &open);
    robots_str image = robots_rules_image(rules_of(it));
    robots_verdict got = robots_rules_check(rules_of(it), url.ptr, url.len);

    expect(it, robots_image_check(image.ptr, image.len, url.ptr, url.len).bits == got.bits, "the image answers another verdict");
    if (got.bits == want.bits)
        compared++;
    else
        report(it, "%.*s: allowed %d, line %u, reason %u, status %u", (int)escaped.len, escaped.ptr,
               (int)ROBOTS_VERDICT_ALLOWED(got), (unsigned)ROBOTS_VERDICT_LINE(got),
               (unsigned)ROBOTS_VERDICT_REASON(got), (unsigned)ROBOTS_VERDICT_STATUS(got));
    release(url);
}

/* `allowed LINE REASON URL`, `disallowed LINE REASON URL`, `error url URL` */
static void verdict_line(test_case *it, robots_str word, robots_str rest)
{
    static const char *const reasons[] = {"none", "rule_allowed", "rule_disallowed", "no_rule", "no_group",
                                          "robots_txt", "allow_all", "disallow_all", "defer", "unreachable", NULL};
    uint32_t line;
    int reason;

    if (is(word, "error")) {
        if (!is(next_word(&rest), "url"))
            report(it, "the case file has an error that is not `url`");
        expect_verdict(it, verdict_of(0, ROBOTS_REASON_NONE, ROBOTS_E_URL, 0), rest);
        return;
    }
    line = (uint32_t)strtoul(next_word(&rest).ptr, NULL, 10);
    reason = number_in(reasons, next_word(&rest));
    if (reason < 0)
        report(it, "the case file has a reason that is none");
    expect_verdict(it, verdict_of(is(word, "allowed"), (uint32_t)reason, ROBOTS_OK, line), rest);
}

static void sitemap_line(test_case *it, robots_str escaped)
{
    int open;
    robots_str want = unescape(escaped, &open);
    robots_str got = sitemap_at(rules_of(it), it->sitemaps++);

    it->wants_sitemaps = 1;
    expect(it, got.len == want.len && (got.len == 0 || memcmp(got.ptr, want.ptr, got.len) == 0), "another sitemap");
    release(want);
}

static void delay_line(test_case *it, robots_str rest)
{
    double got = robots_rules_crawl_delay(rules_of(it));

    if (is(rest, "none"))
        expect(it, got != got, "there is a crawl-delay");
    else if (got == strtod(rest.ptr, NULL))
        compared++;
    else
        report(it, "crawl-delay %g", got);
}

/* The token must be refused when it is added, when it is the first, and when the dialect comes after it. */
static void bad_token_line(test_case *it, robots_str escaped)
{
    int open;
    robots_str token = unescape(escaped, &open);
    robots_crawler *crawler = NULL;
    robots_status status = robots_crawler_new(token.ptr, token.len, &crawler);

    if (status == ROBOTS_OK)
        status = robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, it->dialect);
    /* As the first, "*" stands for a crawler without a token. */
    if (token.len != 1 || *token.ptr != '*')
        expect(it, status == ROBOTS_E_TOKEN, "the token was taken");
    robots_crawler_free(crawler);

    crawler = new_crawler("ExampleBot");
    expect(it, robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, it->dialect) == ROBOTS_OK, "no such dialect");
    status = robots_crawler_add_token(crawler, token.ptr, token.len);
    expect(it, status == ROBOTS_E_TOKEN, "the token was taken as a further one");
    robots_crawler_free(crawler);
    release(token);
}

static void option_line(test_case *it, robots_str rest)
{
    robots_str name = next_word(&rest);
    size_t count = sizeof option_rows / sizeof *option_rows, i = 0;

    while (i < count && !is(name, option_rows[i].name))
        i++;
    if (i == count || it->option_count == MAX_OPTIONS) {
        report(it, "the case file has an option that tests/c/options.h lacks, or too many");
        return;
    }
    it->options[it->option_count].option = option_rows[i].number;
    it->options[it->option_count++].value = strtoull(rest.ptr, NULL, 10);
}

static void token_line(test_case *it, robots_str rest)
{
    int open;

    if (it->token_count == MAX_TOKENS)
        report(it, "the case file has too many tokens");
    else
        it->tokens[it->token_count++] = unescape(rest, &open);
}

static void dialect_line(test_case *it, robots_str rest)
{
    static const char *const names[] = {"rfc9309", "google", "koster1996", NULL};
    int which = number_in(names, rest);

    if (which < 0)
        report(it, "the case file has a dialect that is none");
    it->dialect = (uint32_t)which;
}

/* Ends the case: what is said of sitemaps is said of all of them. */
static void end_case(test_case *it)
{
    size_t i;

    if (it->wants_sitemaps)
        expect(it, sitemap_count(rules_of(it)) == it->sitemaps, "another number of sitemaps");
    robots_rules_free(it->rules);
    for (i = 0; i < it->token_count; i++)
        release(it->tokens[i]);
    free(it->body);
    if (faults > it->faults)
        failed++;
    else if (it->title[0] != '\0')
        passed++;
}

static void start_case(test_case *it, robots_str title)
{
    static const test_case fresh;
    const char *file = it->file;
    unsigned line = it->line;

    end_case(it);
    *it = fresh;
    it->file = file;
    it->line = line;
    it->faults = faults;
    snprintf(it->title, sizeof it->title, "%.*s", (int)title.len, title.ptr);
}

/* A line that describes the crawler or the file. */
static int setup_line(test_case *it, robots_str word, robots_str rest)
{
    if (is(word, "dialect"))
        dialect_line(it, rest);
    else if (is(word, "token"))
        token_line(it, rest);
    else if (is(word, "set"))
        option_line(it, rest);
    else if (is(word, "|"))
        add_line(it, rest, 1);
    else if (is(word, "repeat")) {
        unsigned long times = strtoul(next_word(&rest).ptr, NULL, 10);

        if (!is(next_word(&rest), "|"))
            report(it, "the case file repeats what is no line");
        add_line(it, rest, times);
    } else
        return 0;
    if (it->rules != NULL)
        report(it, "the case file goes on with the set-up after an expectation");
    return 1;
}

static void take_line(test_case *it, robots_str line)
{
    robots_str rest = line, word = next_word(&rest);

    if (line.len == 0 || line.ptr[0] == '#')
        return;
    if (is(word, "case"))
        start_case(it, rest);
    else if (setup_line(it, word, rest))
        return;
    else if (is(word, "allowed") || is(word, "disallowed") || is(word, "error"))
        verdict_line(it, word, rest);
    else if (is(word, "delay"))
        delay_line(it, rest);
    else if (is(word, "sitemap"))
        sitemap_line(it, rest);
    else if (is(word, "sitemaps") && is(rest, "0"))
        it->wants_sitemaps = 1;
    else if (is(word, "bad_token"))
        bad_token_line(it, rest);
    else
        report(it, "the case file has a line that is none: %.*s", (int)line.len, line.ptr);
}

/* Reads a whole file, with a NUL after it so that numbers at its end are read safely. */
static robots_str read_file(const char *name)
{
    FILE *in = fopen(name, "rb");
    robots_str text = {NULL, 0};
    char *data;
    long len;

    if (in == NULL || fseek(in, 0, SEEK_END) != 0 || (len = ftell(in)) < 0)
        give_up(name, ROBOTS_E_ARG);
    rewind(in);
    data = malloc((size_t)len + 1);
    if (data == NULL || fread(data, 1, (size_t)len, in) != (size_t)len)
        give_up(name, ROBOTS_E_ARG);
    fclose(in);
    data[len] = '\0';
    text.ptr = data;
    text.len = (size_t)len;
    return text;
}

static void run_file(const char *name)
{
    static const test_case fresh;
    test_case it = fresh;
    robots_str text = read_file(name), line = {text.ptr, 0};
    unsigned long before = compared;

    it.file = name;
    it.faults = faults;
    for (; line.ptr < text.ptr + text.len; line.ptr += line.len + 1) {
        const char *end = memchr(line.ptr, '\n', (size_t)(text.ptr + text.len - line.ptr));

        line.len = (size_t)((end != NULL ? end : text.ptr + text.len) - line.ptr);
        it.line++;
        take_line(&it, line);
    }
    if (compared == before)
        report(&it, "the case file expects nothing");
    end_case(&it);
    release(text);
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        run_file(argv[i]);
    if (passed + failed == 0)
        failed = 1; /* no files: nothing was tested */
    if (failed == 0 && getenv("CASES_AGAIN") != NULL)
        passed = 1; /* the same cases in another build are one test */
    printf("cases: %lu passed, %lu failed, %lu comparisons\n", passed, failed, compared);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
