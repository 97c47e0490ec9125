/* One good call of each C function, for the tests of misuse, of failing allocations and of panics, and what a call must
 * leave behind when it fails. functions.h, which is made from the headers, has the functions and what their parameters
 * are. An argument is chosen by the kind and name of its parameter; the table ROWS has what differs. */
#ifndef ROBOTS_TESTS_CALLS_H
#define ROBOTS_TESTS_CALLS_H

#include <unistd.h>

#include "harness.h"
#include "support.h"

typedef enum {
    HANDLE, MAKES, STRUCT_OUT, STRING_OUT, LENGTH_OUT, /* an object; what receives one, a struct, a string, a length */
    BYTES, LENGTH, BUFFER, SIGNALS, CAPACITY, TEXTS, OFFSETS, COUNT, VERDICTS, LIST,
    INDEX, TIME, OPTION, VALUE, CODE, LIMIT, CALLBACK, CONTEXT,
    ANY /* a number that may be any */
} kind;
typedef enum { STATUS, VERDICT, STRING, DELAY, NUMBER, TEXT, BORROWED, OWNED, NOTHING, ENDS } result_type;

typedef struct {
    kind kind;
    const char *name;
    int handle;  /* its type, for HANDLE and MAKES */
    size_t size; /* of the struct, for STRUCT_OUT */
} parameter;

typedef struct {
    void *p;
    uint64_t n;
    robots_record_fn f;
} argument;

typedef struct {
    robots_status status;
    robots_verdict verdict;
    robots_str string;
    double delay;
    uint32_t number;
    const char *text;
    const robots_rules *borrowed;
    robots_rules *owned;
} returned;

enum { MOST_PARAMETERS = 9 };

typedef struct {
    const char *name; /* without `robots_` */
    void (*call)(const argument *, returned *);
    result_type result;
    int count;
    parameter parameters[MOST_PARAMETERS];
} function;

#include "functions.h"

enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0], CAPACITY_OF_BUFFER = 8192, CAPACITY_OF_SIGNALS = 4 };
#define NOW UINT64_C(1800000000000)
enum { FILL = 0xa5 }; /* each byte of an output before a call */

/* --- what the calls are about ------------------------------------------------------------------------------------- */

enum { BODY_MAX = 60000, LONG = 5000, LONGER = 5 * LONG };
static char body[BODY_MAX], short_body[3 * LONG], url[2 * LONG], redirect[2 * LONG], long_url[LONGER];
static char records_path[64]; /* of a file of records */

#define SITE "HTTPS://user@B\xc3\xbc" "cher.example:443/caf%c3%a9/"
#define ORIGIN "https://xn--bcher-kva.example"
#define TDM_FILE "[{\"location\": \"/other/\", \"tdm-reservation\": 1}]"

/* One fault of nearly every kind, each with words of its own. It has a NUL in it. */
static const char FAULTY[] =
    "\xef\xbb\xbf" "Disallow: /early\nCrawl-delay: 1\n"
    "User-agent:\nUser-agent: *x\nUser-agent: Mozilla/5.0 (compatible; xbot/1)\nUser-agent: (a/b)\nUser-agent: a*b\n"
    "User-agent: a,b\nUser-agent: a b\nUser-agent: a/1\nUser-agent: n\xc3\xa4me\nUser-agent: b2\nUser-agent: B2\n"
    "Sitemap: /s.xml\nUser-agent: c\nCrawl-delay: x\nCrawl-delay: 99\nUser-agent: d\nCrawl-delay: 98\nDisallow:\n"
    "Allow:\nDisallow: /a /b\nDisallow: /a b\nDisallow: /%zz\nDisallow: /[0-9]+\nDisallow: /a$b\nDisallow: /a**b\n"
    "Disallow: /a*\nDisallow: /x#y\nDisallow: #y\nDisallow: ?q\nDisallow: q\nDisallow: https://x/y\nDisallow: http://x?y\n"
    "Disallow: /robots.txt\nDisallow: /a\nDisallow: /a\nAllow: /a\nAllow: /b/\nDisallow: /b/c$\nDisallow: /b/c\n"
    "Disallow: /b/%3a\nAllow: /d/index.html\nDisallow: /d/*?\nDisallow: /\xff\nDisallow: /\xe2\x80\x8b\n"
    "Dissallow: /x\nDisallow /x\nDisalow /x\nUseragent: e\nDisallows: /y\nDisalllow: /y\nagent: f\nfoo: bar\nfoo bar\n"
    ": x\n// x\nhttps://example.com/\nSitemap https://x/y:z\nNo\xe2\x80\x8bname: x\nSitemap: http://x/ y\nSitemap:\n"
    "Sitemap: http://x/y\nSitemap: http://x/y\nSitemap: ssh://x\nSitemap: //x/y\nnoindex: /\nhost: h\nRequest-rate: x\n"
    "Visit-time: x\nContent-Signal: x\nUser-agent: g\nDisallow: /nul\0\n\nUser-agent: h\nUser-agent: i\n\n"
    "User-agent: *\nDisallow: /\n";

/* Rules of every kind, which allow the URL, and lines longer than any allocation that may abort. */
static void write_texts(void)
{
    static char filler[LONG + 1];
    size_t len = 0;
    int i;

    memset(filler, 'a', LONG);
#define ADD(...) len += (size_t)snprintf(body + len, sizeof body - len, __VA_ARGS__)
    ADD("User-agent: ExampleBot\nUser-agent: *\nUser-agent: Example Bot/2.0\nCrawl-delay: 2\n");
    for (i = 0; i < 8; i++)
        ADD("Disallow: /%d/*/x%dy$\nAllow: /%d/a\nDisallow: /%d/*?*q=\n", i * 7919 % 997, i, i, i % 10);
    ADD("Allow: /caf\xc3\xa9\nDisalow: /x\nDisallow: x\nallow: http://y/z\nnoindex: /n\nhost: h\n");
    ADD("Content-Signal: search=yes, ai-train=no\nContent-Usage: /p train-ai=n\nsitemap: https://example.com/s.xml\n");
    ADD("Allow: /%s*s*\nsitemap: https://example.com/%s\nContent-Usage: /%s long=n\nOdd-%s: 1\n", filler, filler, filler, filler);
    ADD("User-agent: Other-%s\nDisallow: /%s?\n", filler, filler);
#undef ADD
    snprintf(short_body, sizeof short_body,
             "User-agent: *\nDisallow: /%s*\nAllow: /caf\xc3\xa9\nDisalow: /%s\nAllow: /a?*/$x\n", filler, filler);
    snprintf(url, sizeof url, "%s%s", SITE, filler);
    snprintf(long_url, sizeof long_url, "/caf\xc3\xa9/%s%s%s%s", filler, filler, filler, filler);
    snprintf(records_path, sizeof records_path, "/tmp/librobots-%ld.records", (long)getpid());
    snprintf(redirect, sizeof redirect, ORIGIN "/caf\xc3\xa9/%s", filler);
}

static void must(robots_status status)
{
    if (status != ROBOTS_OK)
        give_up("setup", status);
}

/* --- the objects: one of each type, made when it is needed -------------------------------------------------------- */

static void *world[HANDLES];
static robots_rules *others; /* the second handle of `rules_difference`: its rules differ from those of the world */

static void *object(int type);
static const robots_crawler *a_crawler(void) { return object(OF_robots_crawler); }
static robots_fetch *a_fetch(void) { return object(OF_robots_fetch); }

static void forget(int type)
{
    free_handle(type, world[type]);
    world[type] = NULL;
}

static void forget_all(void)
{
    int type;

    for (type = HANDLES - 1; type > NO_HANDLE; type--)
        forget(type);
    robots_rules_free(others);
    others = NULL;
    remove(records_path);
}

static robots_outcome *outcome_at(uint32_t http_status, uint64_t now)
{
    robots_outcome *made;

    must(robots_outcome_from_status(a_crawler(), url, strlen(url), http_status, body, strlen(body), now, &made));
    return made;
}

static void empty_cache(void)
{
    robots_cache *made;

    must(robots_cache_new(a_crawler(), 1 << 20, &made));
    world[OF_robots_cache] = made;
}

static robots_ticket *ticket_for(const char *page)
{
    robots_cache_answer answer;

    answer.size = sizeof answer;
    robots_cache_check(object(OF_robots_cache), 0, page, strlen(page), NOW, &answer);
    if (answer.ticket == NULL)
        give_up("no ticket", ROBOTS_VERDICT_STATUS(answer.verdict));
    return answer.ticket;
}

/* A cache with the outcome in it. */
static void full_cache(void)
{
    robots_ticket *ticket;

    empty_cache();
    ticket = ticket_for(url);
    must(robots_ticket_finish(ticket, object(OF_robots_outcome), NOW));
    robots_ticket_free(ticket);
}

static void saved_cache(void)
{
    robots_cache_file saved = {.size = sizeof saved};

    full_cache();
    must(robots_cache_save(object(OF_robots_cache), records_path, strlen(records_path), &saved));
    forget(OF_robots_cache);
    empty_cache();
}

static void first_ticket(void)
{
    empty_cache();
    world[OF_robots_ticket] = ticket_for(url);
}

static robots_page_controls *new_page(void)
{
    robots_page_controls *made;

    must(robots_page_controls_new(a_crawler(), &made));
    must(robots_page_controls_add_header(made, "Content-Usage", 13, "train-ai=y", 10));
    must(robots_page_controls_add_header(made, "X-Robots-Tag", 12, "index, x", 8));
    return made;
}

static robots_rules *other_rules(void)
{
    if (others == NULL)
        must(robots_rules_parse(a_crawler(), short_body, strlen(short_body), &others));
    return others;
}

static void make_object(int type)
{
    union {
        robots_crawler *crawler;
        robots_rules *rules;
        robots_rule_list *list;
        robots_fetch *fetch;
        robots_explanation *explanation;
        robots_extensions *extensions;
        robots_uses *uses;
        robots_lint_report *report;
        robots_difference *difference;
    } made;
    void *place;

#define MAKE(member, call) (must(call), place = made.member)
    switch (type) {
    case OF_robots_crawler: MAKE(crawler, robots_crawler_new("ExampleBot", 10, &made.crawler)); break;
    case OF_robots_rules: MAKE(rules, robots_rules_parse(a_crawler(), body, strlen(body), &made.rules)); break;
    case OF_robots_rule_list: MAKE(list, robots_rule_list_new(object(OF_robots_rules), &made.list)); break;
    case OF_robots_fetch: MAKE(fetch, robots_fetch_new(a_crawler(), url, strlen(url), NOW, &made.fetch)); break;
    case OF_robots_outcome: place = outcome_at(200, NOW); break;
    case OF_robots_cache: full_cache(); return;
    case OF_robots_ticket: place = ticket_for("https://other.example/"); break;
    case OF_robots_explanation:
        MAKE(explanation, robots_rules_explain(a_crawler(), short_body, strlen(short_body), url, strlen(url), &made.explanation));
        break;
    case OF_robots_extensions:
        MAKE(extensions, robots_extensions_parse(a_crawler(), body, strlen(body), &made.extensions));
        break;
    case OF_robots_page_controls: place = new_page(); break;
    case OF_robots_uses:
        MAKE(uses, robots_uses_new(a_crawler(), url, strlen(url), body, strlen(body), TDM_FILE, strlen(TDM_FILE), &made.uses));
        break;
    case OF_robots_difference:
        MAKE(difference, robots_rules_difference(object(OF_robots_rules), other_rules(), &made.difference));
        break;
    case OF_robots_lint_report: MAKE(report, robots_lint(a_crawler(), FAULTY, sizeof FAULTY - 1, &made.report)); break;
    default: place = NULL; give_up("an object of a type that calls.h does not make", ROBOTS_E_ARG);
    }
    world[type] = place;
}

static void *object(int type)
{
    if (world[type] == NULL)
        make_object(type);
    return world[type];
}

/* --- the steps of a fetch ------------------------------------------------------------------------------------------ */

/* With the outcome of an earlier fetch. */
static void at_status(uint32_t http_status)
{
    robots_outcome *earlier = outcome_at(200, NOW - 1000000000);

    must(robots_fetch_set_previous(a_fetch(), earlier));
    robots_outcome_free(earlier);
    must(robots_fetch_report_status(a_fetch(), http_status, NOW));
}

static void add_header(const char *name, const char *value)
{
    must(robots_fetch_report_header(a_fetch(), name, strlen(name), value, strlen(value)));
}

static void at_headers(void) { at_status(200); }
static void at_redirect(void) { at_status(301); add_header("location", redirect); }
static void at_missing(void) { at_status(404); }
static void at_error(void) { at_status(503); }
static void at_body(void) { at_status(200); add_header("etag", "\"1\""); must(robots_fetch_report_headers_end(a_fetch())); }
static void at_end(void) { at_body(); must(robots_fetch_report_body(a_fetch(), body, strlen(body))); }
static void at_done(void) { at_end(); must(robots_fetch_report_end(a_fetch(), ROBOTS_FAILURE_NONE, NOW)); }

static void at_gzip(void)
{
    at_status(200);
    add_header("content-encoding", "gzip");
    must(robots_fetch_report_headers_end(a_fetch()));
    must(robots_fetch_report_body(a_fetch(), GZIPPED, sizeof GZIPPED - 1));
}

/* A fetch that asks whether the file changed has a header to send. */
static void with_etag(void)
{
    robots_outcome *earlier;

    at_done();
    must(robots_fetch_outcome(a_fetch(), &earlier));
    forget(OF_robots_fetch);
    must(robots_fetch_set_previous(a_fetch(), earlier));
    robots_outcome_free(earlier);
}

static void by_ftp(void)
{
    robots_fetch *made;

    must(robots_fetch_new(a_crawler(), "ftp://example.com/", 18, NOW, &made));
    world[OF_robots_fetch] = made;
}

static void short_lived(void)
{
    must(robots_crawler_set(object(OF_robots_crawler), ROBOTS_OPT_DEFAULT_TTL_MS, 600000));
}

static void no_file(void) { world[OF_robots_outcome] = outcome_at(404, NOW); }

/* --- what differs from one function to another --------------------------------------------------------------------- */

/* Allocations that Rust and the crates below cannot fail, each bounded whatever the input (see SECURITY.md). */
enum {
    PART = 1024,        /* a part of fixed size, or as long as a host name: also what the crate `url` makes of one */
    TARGET = 64 << 10   /* a redirect's target, of 8 KiB at most, in the crate `url` */
};

enum { NOT_ALLOWED = 1, TAKES_TICKET = 2, ENDS_WITH_ERROR = 4, CLOSES_WITH_ERROR = 8 };

typedef struct {
    const char *function, *variant; /* several rows of one function are several good calls */
    void (*before)(void);           /* makes other objects than `object` does */
    const char *texts[3];           /* of its strings, in their order */
    uint64_t number, value;         /* its option, code or number; the option's value, or so many milliseconds after NOW */
    size_t aborts_up_to;            /* an allocation of so many bytes may end the process; 0: none */
    int flags;
} row;

static const row ROWS[] = {
    {"crawler_new", .texts = {"ExampleBot"}},
    {"crawler_new", "*", .texts = {"*"}},
    {"crawler_preset", .texts = {"Googlebot-Image"}},
    {"crawler_set", .number = ROBOTS_OPT_DIALECT, .value = ROBOTS_DIALECT_GOOGLE},
    {"rules_site_wide", "allowed", .number = ROBOTS_ALLOWED},
    {"rules_site_wide", "disallowed", .number = ROBOTS_DISALLOWED},
    {"rules_check", .texts = {url}},
    {"rules_check", "long", .texts = {long_url}},
    {"check_once", .texts = {body, url}},
    {"check_once", "long", .texts = {body, long_url}},
    {"rules_explain", .texts = {short_body}},
    {"lint", .texts = {short_body}},
    {"lint", "faults of every kind", .texts = {FAULTY}},
    {"page_controls_add_header", .texts = {"X-Robots-Tag", "noindex, noai, max-snippet: 5"}, .flags = CLOSES_WITH_ERROR},
    {"page_controls_add_header", "use", .texts = {"Content-Usage", "train-ai=n, search=y"}, .flags = CLOSES_WITH_ERROR},
    {"page_controls_add_header", "signal", .texts = {"Content-Signal", "ai-train=no, search=yes"}, .flags = CLOSES_WITH_ERROR},
    {"page_controls_add_header", "terms", .texts = {"Link", "</terms>; rel=license"}, .flags = CLOSES_WITH_ERROR},
    {"page_controls_add_header", "tdm", .texts = {"tdm-policy", ORIGIN "/terms"}, .flags = CLOSES_WITH_ERROR},
    {"page_controls_add_meta", .texts = {"examplebot", "noarchive, noai, x: y"}, .flags = CLOSES_WITH_ERROR},
    {"page_controls_add_meta", "tdm", .texts = {"tdm-reservation", "1"}, .flags = CLOSES_WITH_ERROR},
    {"uses_new", .aborts_up_to = PART},
    {"use_for", .number = ROBOTS_PURPOSE_SEARCH, .aborts_up_to = PART},
    {"use_for", "denied", .number = ROBOTS_PURPOSE_TRAINING, .aborts_up_to = PART, .flags = NOT_ALLOWED},
    {"use_receipt", .number = ROBOTS_PURPOSE_SEARCH, .aborts_up_to = PART},
    {"origin_key", .aborts_up_to = PART},
    {"url_to_send", .aborts_up_to = PART},
    {"fetch_new", .aborts_up_to = PART},
    {"fetch_set", .number = ROBOTS_OPT_MAX_REDIRECTS, .value = 3},
    {"fetch_request_header", .before = with_etag},
    {"fetch_report_ftp_reply", .before = by_ftp, .number = 550, .aborts_up_to = PART},
    {"fetch_report_header", .before = at_headers, .texts = {"etag", "\"1\""}},
    {"fetch_report_header", "location", .before = at_headers, .texts = {"location", redirect}},
    {"fetch_report_headers_end", .before = at_headers},
    {"fetch_report_headers_end", "redirect", .before = at_redirect, .aborts_up_to = TARGET},
    {"fetch_report_headers_end", "404", .before = at_missing, .aborts_up_to = PART},
    {"fetch_report_headers_end", "503", .before = at_error, .aborts_up_to = PART},
    {"fetch_report_body", .before = at_body},
    {"fetch_report_end", .before = at_end, .aborts_up_to = PART},
    {"fetch_report_end", "gzip", .before = at_gzip, .aborts_up_to = PART},
    {"fetch_report_end", "failure", .before = at_body, .number = ROBOTS_FAILURE_DNS, .aborts_up_to = PART},
    {"fetch_outcome", .before = at_done},
    {"outcome_from_status", .aborts_up_to = PART},
    {"outcome_decode", .aborts_up_to = PART},
    {"outcome_check", .aborts_up_to = PART},
    {"outcome_check", "no file", .before = no_file, .aborts_up_to = PART},
    {"outcome_check", "disallowed", .texts = {SITE "../1/a?q="}, .aborts_up_to = PART, .flags = NOT_ALLOWED},
    {"outcome_rules", .before = NULL},
    {"outcome_rules", "no file", .before = no_file},
    {"record_check", .aborts_up_to = PART},
    {"cache_new", .aborts_up_to = PART},
    {"cache_add_crawler", .before = empty_cache},
    {"cache_set", .before = empty_cache, .number = ROBOTS_CACHE_OPT_TICKET_TTL_MS, .value = 60000},
    {"cache_check", .aborts_up_to = PART},
    {"cache_check", "new site", .before = empty_cache, .aborts_up_to = PART, .flags = NOT_ALLOWED | TAKES_TICKET},
    {"cache_check", "refresh", .before = short_lived, .value = 1000000, .aborts_up_to = PART, .flags = TAKES_TICKET},
    {"cache_check", "expired", .value = 86400000, .aborts_up_to = PART, .flags = NOT_ALLOWED | TAKES_TICKET},
    {"cache_request", .aborts_up_to = PART},
    {"cache_request", "new site", .before = empty_cache, .aborts_up_to = PART, .flags = NOT_ALLOWED | TAKES_TICKET},
    {"cache_report_response", .texts = {url, "1"}, .number = 429, .aborts_up_to = PART},
    {"cache_outcome", .aborts_up_to = PART},
    {"cache_remove", .aborts_up_to = PART},
    {"cache_wait", .aborts_up_to = PART},
    {"cache_remove", "all", .texts = {"*"}},
    {"cache_each", .aborts_up_to = PART},
    {"cache_import", .before = empty_cache, .aborts_up_to = PART},
    {"cache_save", .texts = {records_path}, .aborts_up_to = PART},
    {"cache_load", .before = saved_cache, .texts = {records_path}, .aborts_up_to = PART},
    {"ticket_fetch", .before = first_ticket, .aborts_up_to = PART},
    {"ticket_finish", .before = first_ticket, .flags = ENDS_WITH_ERROR},
};

/* Functions that return a number: what it is, and after an error. */
static const struct {
    const char *function;
    uint32_t good, failed;
} NUMBERS[] = {
    {"version_number", ROBOTS_VERSION_NUMBER, ROBOTS_VERSION_NUMBER},
    {"fetch_step", ROBOTS_STEP_GET, ROBOTS_STEP_DONE},
    {"difference_result", ROBOTS_DIFFERENCE_FOUND, ROBOTS_DIFFERENCE_NOT_DECIDED},
};

static int is(const function *f, const char *name)
{
    return strcmp(f->name, name) == 0;
}

static uint32_t number_of(const function *f, int failed)
{
    size_t i;

    for (i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++)
        if (is(f, NUMBERS[i].function))
            return failed ? NUMBERS[i].failed : NUMBERS[i].good;
    give_up(f->name, ROBOTS_E_ARG); /* it is not in NUMBERS */
    return 0;
}

/* --- one call ------------------------------------------------------------------------------------------------------- */

typedef struct {
    const function *f;
    const row *row;
    argument a[MOST_PARAMETERS];
    char *blocks[MOST_PARAMETERS]; /* what an argument points to: as long as the length that is passed */
    size_t sizes[MOST_PARAMETERS];
    returned r;
} call;

static size_t records; /* that `receive` got */

static uint32_t receive(void *context, const char *record, size_t len)
{
    *(size_t *)context += record != NULL && len > 0;
    return 0;
}

/* The bytes of a string: what the row says, an image or a record, or what its parameter's name says. */
static robots_str bytes_of(const call *c, int which, const char *name)
{
    static const struct {
        const char *name, *text;
    } texts[] = {
        {"url", url}, {"body", body}, {"piece", body}, {"token", "OtherBot"}, {"agent", "Yahoo! Slurp"}, {"site", url}, {"tdm_file", TDM_FILE},
        {"header", "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)"},
    };
    const char *text = c->row->texts[which];
    robots_str bytes;
    size_t i;

    if (text == NULL && strcmp(name, "image") == 0)
        return robots_rules_image(object(OF_robots_rules));
    if (text == NULL && strcmp(name, "record") == 0) {
        must(robots_outcome_encode(object(OF_robots_outcome), &bytes));
        return bytes;
    }
    for (i = 0; text == NULL && i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0)
            text = texts[i].text;
    if (text == NULL)
        give_up(name, ROBOTS_E_ARG); /* the row of the function has no text for it */
    bytes.ptr = text;
    bytes.len = text == FAULTY ? sizeof FAULTY - 1 : strlen(text);
    return bytes;
}

static int all_bytes(const char *block, size_t from, size_t to, int byte)
{
    while (from < to && block[from] == (char)byte)
        from++;
    return from == to;
}

/* The parameter `i` is the capacity of an array of signals. */
static int is_of_signals(const function *f, int i)
{
    return i > 0 && f->parameters[i - 1].kind == SIGNALS;
}

/* A block that an output or a copy is in; outputs are filled, so that what is written shows. */
static char *block(call *c, int i, const void *from, size_t size)
{
    char *made = malloc(size > 0 ? size : 1);

    if (made == NULL)
        give_up("malloc", ROBOTS_E_MEMORY);
    memset(made, FILL, size > 0 ? size : 1);
    if (from != NULL)
        memcpy(made, from, size);
    c->blocks[i] = made;
    c->sizes[i] = size;
    return made;
}

/* The good arguments of a function, in memory of their own; the objects stay those of `world`. */
static call prepared(const function *f, const row *good)
{
    static const uint64_t offsets[] = {0, 2, 4};
    call c = {0};
    int i, strings = 0;

    c.f = f;
    c.row = good;
    for (i = 0; i < f->count; i++) {
        const parameter *p = &f->parameters[i];
        argument *a = &c.a[i];
        const void *list[1];
        robots_str bytes;

        switch (p->kind) {
        case HANDLE: a->p = strcmp(p->name, "other") == 0 ? other_rules() : object(p->handle); break;
        case MAKES: a->p = block(&c, i, NULL, sizeof(void *)); break;
        case STRING_OUT: a->p = block(&c, i, NULL, sizeof(robots_str)); break;
        case LENGTH_OUT: a->p = block(&c, i, NULL, sizeof(size_t)); break;
        case BUFFER: a->p = block(&c, i, NULL, CAPACITY_OF_BUFFER); break;
        case VERDICTS: a->p = block(&c, i, NULL, 2); break;
        case SIGNALS: a->p = block(&c, i, NULL, CAPACITY_OF_SIGNALS * sizeof(robots_use_signal)); break;
        case STRUCT_OUT:
            a->p = block(&c, i, NULL, p->size);
            memcpy(a->p, &p->size, sizeof p->size);
            break;
        case BYTES:
            bytes = bytes_of(&c, strings++, p->name);
            a->p = block(&c, i, bytes.ptr, bytes.len);
            c.a[i + 1].n = bytes.len;
            break;
        case TEXTS: a->p = block(&c, i, "/p/q", 4); break;
        case OFFSETS: a->p = block(&c, i, offsets, sizeof offsets); break;
        case LIST:
            list[0] = a_crawler();
            a->p = block(&c, i, list, sizeof list);
            break;
        case COUNT: a->n = is(f, "outcome_decode") ? 1 : 2; break;
        case CAPACITY: a->n = is_of_signals(f, i) ? CAPACITY_OF_SIGNALS : CAPACITY_OF_BUFFER; break;
        case LIMIT: a->n = 1 << 20; break;
        case INDEX: a->n = strcmp(p->name, "number") == 0; break; /* lines count from 1 */
        case TIME: a->n = NOW + good->value; break;
        case VALUE: a->n = good->value; break;
        case OPTION: a->n = good->number; break;
        case CODE: a->n = strcmp(p->name, "code") == 0 ? 1 : good->number; break;
        case ANY: a->n = strcmp(p->name, "http_status") == 0 && good->number == 0 ? 200 : good->number; break;
        case CALLBACK: a->f = receive; break;
        case CONTEXT: a->p = &records; break;
        case LENGTH: break;
        }
    }
    return c;
}

static void make(call *c)
{
    records = 0;
    c->f->call(c->a, &c->r);
}

/* Frees what a call returned, and its arguments but the objects. */
static void release(call *c)
{
    int i;

    if (c->f->result == OWNED)
        robots_rules_free(c->r.owned);
    for (i = 0; i < c->f->count; i++) {
        const parameter *p = &c->f->parameters[i];
        const char *block = c->blocks[i];
        robots_cache_answer answer;
        void *made;

        if (p->kind == MAKES && block != NULL && !all_bytes(block, 0, sizeof made, FILL)) {
            memcpy(&made, block, sizeof made);
            free_handle(p->handle, made);
        }
        if (p->kind == STRUCT_OUT && c->f->result == VERDICT && c->sizes[i] >= sizeof answer &&
            !all_bytes(block, sizeof(size_t), sizeof answer, FILL)) {
            memcpy(&answer, block, sizeof answer);
            robots_ticket_free(answer.ticket);
        }
    }
    for (i = 0; i < c->f->count; i++)
        free(c->blocks[i]);
    memset(c, 0, sizeof *c);
}

/* --- what a call must leave behind ----------------------------------------------------------------------------------- */

/* What a struct holds after an error, beyond its size: zeros, except where a zero would be no safe value. */
static void failed_struct(const call *c, const parameter *p, robots_status status, void *expected)
{
    int i;

    memset(expected, 0, p->size);
    if (is(c->f, "outcome_get"))
        ((robots_outcome_info *)expected)->kind = ROBOTS_OUTCOME_DEFER;
    if (c->f->result == VERDICT) {
        robots_cache_answer *answer = expected;

        answer->verdict = verdict_of(0, ROBOTS_REASON_NONE, status, 0);
        if (status == ROBOTS_E_URL || status == ROBOTS_E_SCHEME)
            return; /* ROBOTS_CACHE_DECIDED */
        answer->action = ROBOTS_CACHE_DEFER;
        for (i = 0; i < c->f->count; i++)
            if (c->f->parameters[i].kind == TIME)
                answer->until_ms = c->a[i].n > UINT64_MAX - 60000 ? UINT64_MAX : c->a[i].n + 60000;
    }
}

/* After an error: the status where there is one, no result, and outputs that permit nothing. Outputs that could not be
 * written, as they are NULL or not aligned or too small, are as they were. */
static void check_failed(const call *c, robots_status status)
{
    unsigned long failures = harness_failures;
    int i;

    switch (c->f->result) {
    case STATUS: CHECK_INT(c->r.status, status); break;
    case VERDICT: CHECK_VERDICT(c->r.verdict, verdict_of(0, ROBOTS_REASON_NONE, status, 0)); break;
    case STRING: CHECK(c->r.string.ptr == NULL && c->r.string.len == 0); break;
    case DELAY: CHECK(c->r.delay != c->r.delay); break; /* NaN */
    case NUMBER: CHECK_INT(c->r.number, number_of(c->f, 1)); break;
    case TEXT: CHECK(c->r.text == robots_status_text(status)); break;
    case BORROWED: CHECK(c->r.borrowed == NULL); break;
    case OWNED: CHECK(c->r.owned == NULL); break;
    case NOTHING:
    case ENDS: break;
    }
    for (i = 0; i < c->f->count; i++) {
        const parameter *p = &c->f->parameters[i];
        const char *block = c->blocks[i];
        size_t size = c->sizes[i];
        char expected[256];

        if (block == NULL)
            continue;
        switch (p->kind) {
        case MAKES:
        case STRING_OUT:
        case LENGTH_OUT:
            CHECK(all_bytes(block, 0, size, c->a[i].p == block ? 0 : FILL));
            break;
        case VERDICTS: CHECK(all_bytes(block, 0, size, c->a[i].p == block ? ROBOTS_DISALLOWED : FILL)); break;
        case SIGNALS:
        case BUFFER: CHECK(all_bytes(block, 0, size, FILL)); break;
        case STRUCT_OUT:
            if (c->a[i].p != block || size < p->size) {
                CHECK(all_bytes(block, c->a[i].p == NULL ? sizeof size : size < sizeof size ? size : sizeof size, size, FILL));
                break;
            }
            failed_struct(c, p, status, expected);
            CHECK(memcmp(block + sizeof size, expected + sizeof size, p->size - sizeof size) == 0);
            CHECK(all_bytes(block, p->size, size, FILL));
            break;
        default: break;
        }
    }
    if (c->row->flags & CLOSES_WITH_ERROR && c->a[0].p != NULL) {
        CHECK_INT(control_value(c->a[0].p, ROBOTS_CONTROL_INDEX), 0);
        CHECK_INT(use_for(object(OF_robots_uses), url, ROBOTS_PURPOSE_SEARCH, c->a[0].p), ROBOTS_USE_DENIED);
    }
    if (harness_failures > failures)
        printf("     after an error of robots_%s\n", c->f->name);
}

/* The status, also of a function that has none: `failed` for what it returns after an error. */
static robots_status status_of(const call *c, robots_status failed)
{
    switch (c->f->result) {
    case STATUS: return c->r.status;
    case VERDICT: return ROBOTS_VERDICT_STATUS(c->r.verdict);
    case STRING: return c->r.string.len > 0 ? ROBOTS_OK : failed;
    case DELAY: return c->r.delay == c->r.delay ? ROBOTS_OK : failed;
    case NUMBER: return c->r.number == number_of(c->f, 0) ? ROBOTS_OK : failed;
    case TEXT: return c->r.text != NULL && c->r.text != robots_status_text(failed) ? ROBOTS_OK : failed;
    case BORROWED: return c->r.borrowed != NULL ? ROBOTS_OK : failed;
    case OWNED: return c->r.owned != NULL ? ROBOTS_OK : failed;
    default: return ROBOTS_OK;
    }
}

/* The answer about a use, and as many signals as there are and there is room for. */
static void check_signals(const call *c, int i)
{
    const robots_use_answer *answer = (const void *)c->blocks[i + 2];
    const robots_use_signal *signals = (const void *)c->blocks[i];
    size_t room = (size_t)c->a[i + 1].n, written = answer->signals < room ? answer->signals : room;

    CHECK_INT(answer->says, c->row->flags & NOT_ALLOWED ? ROBOTS_USE_DENIED : ROBOTS_USE_ALLOWED);
    CHECK_INT(answer->decided, 1);
    CHECK(answer->signals > 0 && (written == 0 || (signals->says == answer->says && signals->text.len > 0)));
    CHECK(all_bytes(c->blocks[i], written * sizeof *signals, c->sizes[i], FILL));
}

/* After a good call: success, and a value in each output. A function that ends an object has ended it. */
static void check_good(const call *c)
{
    unsigned long failures = harness_failures;
    int i;

    CHECK_INT(status_of(c, ROBOTS_E_PANIC), ROBOTS_OK);
    if (c->f->result == VERDICT)
        CHECK_INT(ROBOTS_VERDICT_ALLOWED(c->r.verdict), !(c->row->flags & NOT_ALLOWED));
    if (c->f->result == DELAY)
        CHECK(c->r.delay == 2);
    for (i = 0; i < c->f->count; i++) {
        const parameter *p = &c->f->parameters[i];
        const char *block = c->blocks[i];
        const robots_cache_answer *answer = (const void *)block;
        size_t size = c->sizes[i];

        switch (p->kind) {
        case MAKES: CHECK(!all_bytes(block, 0, size, 0) && !all_bytes(block, 0, size, FILL)); break;
        case STRING_OUT: CHECK(((const robots_str *)(const void *)block)->len > 0 && !all_bytes(block, 0, size, FILL)); break;
        case LENGTH_OUT: CHECK(!all_bytes(block, 0, size, 0) && !all_bytes(block, 0, size, FILL)); break;
        case VERDICTS: CHECK(all_bytes(block, 0, size, ROBOTS_ALLOWED)); break;
        case BUFFER: CHECK(strstr(block, is(c->f, "use_receipt") ? "{\"receipt\":1," : ORIGIN) == block); break;
        case SIGNALS: check_signals(c, i); break;
        case CALLBACK: CHECK_INT(records, 1); break;
        case STRUCT_OUT:
            CHECK(!all_bytes(block, sizeof size, p->size, 0) && !all_bytes(block, sizeof size, p->size, FILL));
            CHECK(all_bytes(block, p->size, size, FILL));
            if (c->f->result != VERDICT)
                break;
            CHECK_VERDICT(answer->verdict, c->r.verdict);
            CHECK_INT(answer->action, c->row->flags & NOT_ALLOWED ? ROBOTS_CACHE_FETCH : ROBOTS_CACHE_DECIDED);
            CHECK_INT(answer->ticket != NULL, (c->row->flags & TAKES_TICKET) != 0);
            CHECK(is(c->f, "cache_check") || c->row->flags & NOT_ALLOWED ? answer->slot.at_ms == 0
                                                                         : answer->slot.at_ms >= NOW);
            break;
        default: break;
        }
    }
    if (c->f->result == ENDS)
        world[c->f->parameters[0].handle] = NULL;
    if (harness_failures > failures)
        printf("     in the good call of robots_%s\n", c->f->name);
}

/* --- the calls as tests ------------------------------------------------------------------------------------------------ */

static const function *function_at; /* that is tested, and its row */
static const row *row_at;

/* Makes the objects that the row asks for. */
static void set_up(void)
{
    if (row_at->before != NULL)
        row_at->before();
}

static void (*run_call)(void);

enum { MOST_CALLS = FUNCTION_COUNT + sizeof ROWS / sizeof ROWS[0] };
static struct {
    const function *f;
    const row *row;
} calls[MOST_CALLS];
static char call_names[MOST_CALLS][64];
static size_t call_count, call_next;

static void next_call(void)
{
    function_at = calls[call_next].f;
    row_at = calls[call_next++].row;
    run_call();
    forget_all();
}

static void add_call(test *tests, const function *f, const row *good)
{
    snprintf(call_names[call_count], sizeof call_names[0], "robots_%s%s%s", f->name, good->variant != NULL ? ": " : "",
             good->variant != NULL ? good->variant : "");
    tests[call_count].name = call_names[call_count];
    tests[call_count].run = next_call;
    calls[call_count].f = f;
    calls[call_count++].row = good;
}

/* Fills `tests`, which has room for MOST_CALLS, with one test for each good call, and returns how many there are: `run` finds
 * the call in `function_at` and `row_at`. */
static size_t tests_of_calls(test *tests, void (*run)(void))
{
    static const row plain = {0};
    size_t f, r, found, used = 0;

    run_call = run;
    write_texts();
    for (f = 0; f < FUNCTION_COUNT; f++) {
        for (r = found = 0; r < sizeof ROWS / sizeof ROWS[0]; r++) {
            if (!is(&FUNCTIONS[f], ROWS[r].function))
                continue;
            add_call(tests, &FUNCTIONS[f], &ROWS[r]);
            found++;
        }
        if (found == 0)
            add_call(tests, &FUNCTIONS[f], &plain);
        used += found;
    }
    if (used != sizeof ROWS / sizeof ROWS[0])
        give_up("a row of ROWS is of no function", ROBOTS_E_ARG);
    return call_count;
}

#endif
