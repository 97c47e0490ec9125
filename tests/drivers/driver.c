/* The driver for C: README.md says what it reads and writes. */
#include "names.h"
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <librobots_tools.h>

/* Bytes in a block of exactly their size, so that sanitizers see a read past them. */
typedef struct {
    char *ptr;
    size_t len;
} text;

typedef struct {
    char *name;
    text value;
} field;

static field *fields;
static size_t count;

static void give_up(const char *what)
{
    fprintf(stderr, "driver.c: %s\n", what);
    exit(2);
}

static void *room(size_t len)
{
    void *start = calloc(1, len);

    if (start == NULL && len > 0)
        give_up("no memory");
    return start;
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

static text unescape(const char *from, size_t len)
{
    char *whole = room(len + 1), digits[3] = "";
    text out = {NULL, 0};
    size_t i;

    for (i = 0; i < len; i++) {
        if (from[i] == '%' && i + 2 < len) {
            memcpy(digits, from + i + 1, 2);
            whole[out.len++] = (char)strtol(digits, NULL, 16);
            i += 2;
        } else {
            whole[out.len++] = from[i];
        }
    }
    out.ptr = room(out.len);
    if (out.len > 0)
        memcpy(out.ptr, whole, out.len);
    free(whole);
    return out;
}

static void read_fields(char *line)
{
    char *next;
    size_t size = 1;

    for (next = line; *next != '\0'; next++)
        size += *next == '\t';
    fields = room(size * sizeof *fields);
    for (count = 0; line != NULL; line = next, count++) {
        char *value = strchr(line, '=');

        if (value == NULL)
            give_up("a field has no =");
        *value++ = '\0';
        next = strchr(value, '\t');
        if (next != NULL)
            *next++ = '\0';
        fields[count].name = line;
        fields[count].value = unescape(value, strlen(value));
    }
}

static void free_fields(void)
{
    while (count > 0)
        free(fields[--count].value.ptr);
    free(fields);
}

static int is(text it, const char *word) { return it.len == strlen(word) && memcmp(it.ptr, word, it.len) == 0; }
static int named(size_t i, const char *name) { return strcmp(fields[i].name, name) == 0; }

static text find(const char *name)
{
    static const text none = {NULL, 0};
    size_t i;

    for (i = 0; i < count; i++)
        if (named(i, name))
            return fields[i].value;
    return none;
}

static uint64_t number(text it)
{
    char digits[32] = "";

    if (it.len >= sizeof digits)
        give_up("a number is too long");
    if (it.len > 0)
        memcpy(digits, it.ptr, it.len);
    return strtoull(digits, NULL, 10);
}

static void print_escaped(const char *ptr, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++) {
        if (ptr[i] > ' ' && ptr[i] < 127 && ptr[i] != '%')
            putchar(ptr[i]);
        else
            printf("%%%02X", (unsigned char)ptr[i]);
    }
}

/* A word of an answer: one that is empty is `~`. */
static void print_word(robots_str word)
{
    printf(word.len == 0 || (word.len == 1 && *word.ptr == '~') ? "~" : "");
    print_escaped(word.ptr, word.len);
}

/* --- names ------------------------------------------------------------------------------------------------------- */

static const char *name_of(const char *const *list, uint32_t number)
{
    uint32_t i = 0;

    while (list[i] != NULL && i < number)
        i++;
    return list[i] != NULL ? list[i] : "?";
}

/* The number of a name without `_`. */
static uint32_t number_of(const char *const *list, text name)
{
    uint32_t i;

    for (i = 0; list[i] != NULL; i++) {
        size_t at = 0, plain = 0;

        for (; list[i][at] != '\0'; at++) {
            if (plain < name.len && list[i][at] == name.ptr[plain])
                plain++;
            else if (list[i][at] != '_')
                break;
        }
        if (list[i][at] == '\0' && plain == name.len)
            return i;
    }
    give_up("a name that is none");
    return 0;
}

/* Other languages have no time in another unit, so what it is to them is an argument. */
static void print_error(robots_status status)
{
    printf("error %s", name_of(STATUSES, (uint32_t)(status == ROBOTS_E_TIME ? ROBOTS_E_ARG : status)));
}

/* Prints `ok` or the error. */
static void print_status(robots_status status)
{
    if (status == ROBOTS_OK)
        printf("ok");
    else
        print_error(status);
}

/* --- crawlers ---------------------------------------------------------------------------------------------------- */

/* Splits `NAME:NUMBER`. */
static text setting(text it, uint64_t *value)
{
    const char *colon = memchr(it.ptr, ':', it.len);
    text name = {it.ptr, colon != NULL ? (size_t)(colon - it.ptr) : 0}, rest = {name.ptr + name.len + 1, it.len - name.len - 1};

    *value = number(rest);
    return name;
}

/* Sets an option, whose times are in seconds here. */
static robots_status set_option(robots_crawler *crawler, text it)
{
    uint64_t value;
    text name = setting(it, &value);
    size_t i;

    for (i = 0; i < OPTION_COUNT; i++)
        if (is(name, option_rows[i].name))
            return robots_crawler_set(crawler, option_rows[i].number, value * option_rows[i].unit);
    give_up("tests/c/options.h lacks an option: run `make api`");
    return ROBOTS_E_ARG;
}

/* The crawler of the fields from `start` on, up to the next crawler's. */
static robots_status crawler_from(size_t start, robots_crawler **out)
{
    robots_status status = ROBOTS_E_TOKEN;
    int pass;
    size_t i;

    *out = NULL;
    /* The first token, then the dialect, the options, and the other tokens. */
    for (pass = 0; pass < 4; pass++) {
        int is_first = 1;

        for (i = start; i < count && !named(i, "next"); i++) {
            text it = fields[i].value;

            if (named(i, "agent")) {
                if (pass == 0 && is_first)
                    status = robots_crawler_new(it.ptr, it.len, out);
                else if (pass == 3 && !is_first && status == ROBOTS_OK)
                    status = robots_crawler_add_token(*out, it.ptr, it.len);
                is_first = 0;
            } else if (pass == 1 && status == ROBOTS_OK && named(i, "dialect")) {
                status = robots_crawler_set(*out, ROBOTS_OPT_DIALECT, number_of(DIALECTS, it));
            } else if (pass == 2 && status == ROBOTS_OK && named(i, "option")) {
                status = set_option(*out, it);
            }
        }
    }
    return status;
}

/* --- rules ------------------------------------------------------------------------------------------------------- */

/* An answer: the shortest text that reads back as the same number. */
static void print_delay(const robots_rules *rules)
{
    double delay = robots_rules_crawl_delay(rules);
    int digits = 1;
    char out[64] = "none";

    if (!isnan(delay)) {
        do
            snprintf(out, sizeof out, "%.*g", digits, delay);
        while (digits++ < 17 && strtod(out, NULL) != delay);
        if (strchr(out, 'e') != NULL && delay < 1e15 && delay > 1e-5)
            snprintf(out, sizeof out, "%.0f", delay);
    }
    printf("%s", out);
}

static void print_verdict(robots_verdict verdict, int with_line)
{
    uint32_t reason = ROBOTS_VERDICT_REASON(verdict);

    if (ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_OK) {
        print_error(ROBOTS_VERDICT_STATUS(verdict));
        return;
    }
    printf(ROBOTS_VERDICT_ALLOWED(verdict) ? "allow" : reason >= ROBOTS_REASON_DEFER ? "defer" : "deny");
    if (with_line)
        printf(" %u", ROBOTS_VERDICT_LINE(verdict));
}

/* How a verdict stands in scripts. */
static void print_reasoned(robots_verdict verdict)
{
    print_verdict(verdict, 0);
    if (ROBOTS_VERDICT_STATUS(verdict) == ROBOTS_OK)
        printf(" %s %u", name_of(REASONS, ROBOTS_VERDICT_REASON(verdict)), ROBOTS_VERDICT_LINE(verdict));
}

/* What is asked about each URL. */
static const robots_crawler *with;
static robots_str file;
typedef robots_verdict asking(const void *of, const char *url, size_t len);

static robots_verdict by_rules(const void *of, const char *url, size_t len) { return robots_rules_check(of, url, len); }
static robots_verdict by_image(const void *of, const char *url, size_t len)
{
    const robots_str *image = of;

    return robots_image_check(image->ptr, image->len, url, len);
}
static robots_verdict once(const void *of, const char *url, size_t len)
{
    (void)of;
    return robots_check_once(with, file.ptr, file.len, url, len);
}

static void way(const char *name, asking *ask, const void *of)
{
    const char *comma = "";
    size_t i;

    printf("\tway=%s%%20word%%20", name);
    for (i = 0; i < count; i++) {
        if (named(i, "url")) {
            printf("%s%llx", comma, (unsigned long long)ask(of, fields[i].value.ptr, fields[i].value.len).bits);
            comma = ",";
        }
    }
}

static void way_of_batch(const char *name, const robots_rules *rules)
{
    uint64_t *offsets = room((count + 1) * sizeof *offsets);
    uint8_t *answers;
    size_t urls = 0, i;
    char *joined;

    offsets[0] = 0;
    for (i = 0; i < count; i++)
        if (named(i, "url"))
            urls++, offsets[urls] = offsets[urls - 1] + fields[i].value.len;
    joined = room(offsets[urls]);
    answers = room(urls);
    for (urls = i = 0; i < count; i++)
        if (named(i, "url") && (urls++, fields[i].value.len > 0))
            memcpy(joined + offsets[urls - 1], fields[i].value.ptr, fields[i].value.len);
    if (robots_rules_check_batch(rules, joined, offsets, urls, answers) != ROBOTS_OK)
        give_up(name);
    printf("\tway=%s%%20batch%%20", name);
    for (i = 0; i < urls; i++)
        printf("%s%x", i > 0 ? "," : "", answers[i]);
    free(answers);
    free(joined);
    free(offsets);
}

static void print_rules(const robots_crawler *crawler, const robots_rules *rules)
{
    robots_str image = robots_rules_image(rules), sitemap, *kept = &image;
    robots_rules *again, *borrowed;
    size_t i;

    printf("status=0\tdelay=");
    print_delay(rules);
    for (i = 0; robots_rules_sitemap(rules, i, &sitemap) == ROBOTS_OK; i++) {
        printf("\tsitemap=");
        print_escaped(sitemap.ptr, sitemap.len);
    }
    printf("\timage=");
    print_escaped(image.ptr, image.len);
    if (robots_rules_from_image(image.ptr, image.len, &again) != ROBOTS_OK)
        give_up("the library refuses its own image");
    if (robots_rules_borrow_image(image.ptr, image.len, &borrowed) != ROBOTS_OK)
        give_up("the library borrows no image of its own");
    with = crawler;
    way("robots_rules_check", by_rules, rules);
    way("robots_rules_check,from-an-image", by_rules, again);
    way("robots_rules_check,of-a-borrowed-image", by_rules, borrowed);
    way("robots_image_check", by_image, kept);
    way("robots_check_once", once, NULL);
    way_of_batch("robots_rules_check_batch", rules);
    way_of_batch("robots_rules_check_batch,of-a-borrowed-image", borrowed);
    robots_rules_free(borrowed);
    robots_rules_free(again);
}

static void answer_rules(void)
{
    robots_crawler *crawler;
    robots_rules *rules = NULL;
    text body = find("robots");
    char *copy = room(body.len);
    robots_status status = crawler_from(0, &crawler);

    file.ptr = body.ptr;
    file.len = body.len;
    if (body.len > 0)
        memcpy(copy, body.ptr, body.len);
    if (status == ROBOTS_OK && robots_rules_parse(crawler, copy, body.len, &rules) != ROBOTS_OK)
        give_up("no rules");
    free(copy); /* rules borrow nothing */
    if (status == ROBOTS_OK)
        print_rules(crawler, rules);
    else
        printf("status=%d", (int)status);
    robots_rules_free(rules);
    robots_crawler_free(crawler);
}

/* --- fetches ----------------------------------------------------------------------------------------------------- */

static void print_outcome(const robots_outcome *outcome)
{
    robots_outcome_info it = ROBOTS_OUTCOME_INFO_INIT;

    robots_outcome_get(outcome, &it);
    printf("value %s %s %u %u %u %u %llu %llu %llu %llu ", name_of(KINDS, it.kind), name_of(CAUSES, it.cause), it.http_status, it.hops,
           it.downgraded, it.stale, (unsigned long long)it.fetched_at_ms / 1000, (unsigned long long)it.fresh_until_ms / 1000,
           (unsigned long long)it.usable_until_ms / 1000, (unsigned long long)it.retry_at_ms / 1000);
    printf(it.unreachable_since_ms == UINT64_MAX ? "- " : "%llu ", (unsigned long long)it.unreachable_since_ms / 1000);
    print_word(it.final_url);
}

/* Plays the attempts, and returns the last outcome. `now`: the time of the last attempt. */
static robots_outcome *play(const robots_crawler *crawler, uint64_t *now)
{
    robots_outcome *outcome = NULL;
    robots_fetch *fetch = NULL;
    text site = find("site");
    size_t i;

    for (i = 0; i < count; i++) {
        text it = fields[i].value;

        if (named(i, "attempt")) {
            *now = 1000 * number(it);
            if (robots_fetch_new(crawler, site.ptr, site.len, *now, &fetch) != ROBOTS_OK
                || (outcome != NULL && robots_fetch_set_previous(fetch, outcome) != ROBOTS_OK))
                give_up("no fetch");
        } else if (named(i, "status")) {
            robots_fetch_report_status(fetch, (uint32_t)number(it), *now);
        } else if (named(i, "header") && fetch != NULL) {
            robots_fetch_report_header(fetch, it.ptr, it.len, fields[i + 1].value.ptr, fields[i + 1].value.len);
        } else if (named(i, "body")) {
            robots_fetch_report_headers_end(fetch);
            if (robots_fetch_step(fetch) == ROBOTS_STEP_BODY)
                robots_fetch_report_body(fetch, it.ptr, it.len);
        } else if (named(i, "end")) {
            robots_fetch_report_end(fetch, it.len == 0 ? ROBOTS_FAILURE_NONE : number_of(FAILURES, it), *now);
            if (robots_fetch_step(fetch) == ROBOTS_STEP_DONE) {
                robots_outcome_free(outcome);
                if (robots_fetch_outcome(fetch, &outcome) != ROBOTS_OK)
                    give_up("no outcome");
                robots_fetch_free(fetch);
                fetch = NULL;
            }
        }
    }
    if (outcome == NULL)
        give_up("the attempts led to no outcome");
    robots_fetch_free(fetch);
    return outcome;
}

static void answer_fetch(const robots_crawler *crawler, text kind)
{
    robots_outcome_info info = ROBOTS_OUTCOME_INFO_INIT;
    uint64_t now = 0;
    robots_outcome *outcome = play(crawler, &now);
    text url = find("url");

    robots_outcome_get(outcome, &info);
    if (is(kind, "outcome"))
        print_outcome(outcome);
    else if (is(kind, "due"))
        printf("value %llu", (unsigned long long)(info.retry_at_ms - now) / 1000);
    else
        print_verdict(robots_outcome_check(outcome, 0, url.ptr, url.len, 1000 * number(find("at"))), 0);
    robots_outcome_free(outcome);
}

/* --- pages ------------------------------------------------------------------------------------------------------- */

static void print_source(const robots_page_rule *rule) { printf(" %s %u ", name_of(SOURCES, rule->source), rule->number); }

static void print_or_none(robots_str it)
{
    printf(it.len == 0 ? "-" : "");
    print_escaped(it.ptr, it.len);
}

static robots_status page_of(const robots_crawler *crawler, robots_page_controls **out)
{
    robots_status status = robots_page_controls_new(crawler, out);
    size_t i;

    for (i = 0; i < count && status == ROBOTS_OK; i++) {
        text it = fields[i].value;

        if (named(i, "header"))
            status = robots_page_controls_add_header(*out, it.ptr, it.len, fields[i + 1].value.ptr, fields[i + 1].value.len);
        else if (named(i, "meta"))
            status = robots_page_controls_add_meta(*out, it.ptr, it.len, fields[i + 1].value.ptr, fields[i + 1].value.len);
    }
    return status;
}

static void answer_page(const robots_crawler *crawler, text kind)
{
    robots_page_controls *page = NULL;
    robots_page_rule rule = ROBOTS_PAGE_RULE_INIT;
    robots_status status = page_of(crawler, &page);
    text control = find("control");
    size_t i;

    if (is(kind, "page") || is(kind, "page-rule"))
        status = status != ROBOTS_OK ? status : robots_page_controls_get(page, number_of(CONTROLS, control), &rule);
    if (status != ROBOTS_OK)
        give_up("no controls");
    printf("value");
    if (is(kind, "page-unknown")) {
        for (i = 0; robots_page_controls_unknown(page, i, &rule) == ROBOTS_OK; i++) {
            print_source(&rule);
            print_or_none(rule.text);
        }
    } else {
        printf(" %lld", (long long)(is(control, "unavailable_after") && rule.value > 0 ? rule.value / 1000 : rule.value));
        if (is(kind, "page-rule")) {
            print_source(&rule);
            print_or_none(rule.text);
            putchar(' ');
            print_or_none(rule.agent);
            printf(" %s", name_of(ZONES, rule.zone));
        }
    }
    robots_page_controls_free(page);
}

/* --- uses -------------------------------------------------------------------------------------------------------- */

/* When the pages of receipts were fetched. */
#define FETCHED_AT_MS UINT64_C(1795000000000)

/* An empty field is not one that is missing, whose address is NULL. */
static text find_known(const char *name)
{
    text it = find(name);

    if (it.ptr != NULL && it.len == 0)
        it.ptr = "";
    return it;
}

static void print_use_signals(const robots_uses *uses, text url, uint32_t purpose, const robots_page_controls *page, size_t signals)
{
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    robots_use_signal *all = room(signals * sizeof *all);
    size_t i;

    if (robots_use_for(uses, url.ptr, url.len, purpose, page, all, signals, &answer) != ROBOTS_OK || answer.signals != signals)
        give_up("another answer");
    printf(" %u", answer.decided);
    for (i = 0; i < signals; i++) {
        printf(" %s %s %u ", name_of(USE_SOURCES, all[i].source), name_of(USES, all[i].says), all[i].line);
        print_word(all[i].token);
        putchar(' ');
        print_word(all[i].text);
    }
    free(all);
}

static void print_receipt(const robots_uses *uses, text url, uint32_t purpose, const robots_page_controls *page)
{
    char *receipt;
    size_t len;
    robots_status status = robots_use_receipt(uses, url.ptr, url.len, purpose, page, FETCHED_AT_MS, NULL, 0, &len);

    if (status != ROBOTS_E_SPACE) {
        print_error(status);
        return;
    }
    receipt = room(len);
    if (robots_use_receipt(uses, url.ptr, url.len, purpose, page, FETCHED_AT_MS, receipt, len, &len) != ROBOTS_OK)
        give_up("another receipt");
    printf("value ");
    print_escaped(receipt, len);
    free(receipt);
}

static void answer_use(const robots_crawler *crawler, text kind)
{
    text site = find("site"), body = find_known("robots"), tdm_file = find_known("tdm"), url = find("url");
    uint32_t purpose = number_of(PURPOSES, find("purpose"));
    robots_page_controls *page = NULL;
    robots_uses *uses = NULL;
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    robots_status status = robots_uses_new(crawler, site.ptr, site.len, body.ptr, body.len, tdm_file.ptr, tdm_file.len, &uses);

    if (status == ROBOTS_OK && !is(find("page"), "unknown"))
        status = page_of(crawler, &page);
    if (status == ROBOTS_OK && !is(kind, "use-receipt"))
        status = robots_use_for(uses, url.ptr, url.len, purpose, page, NULL, 0, &answer);
    if (status != ROBOTS_OK) {
        print_error(status);
    } else if (is(kind, "use-receipt")) {
        print_receipt(uses, url, purpose, page);
    } else {
        printf("value %s", name_of(USES, answer.says));
        if (is(kind, "use-signals"))
            print_use_signals(uses, url, purpose, page, answer.signals);
    }
    robots_page_controls_free(page);
    robots_uses_free(uses);
}

#include "script.h"

/* --- questions --------------------------------------------------------------------------------------------------- */

/* Writes the origin of a URL, and returns its length. */
static robots_status origin_of(text url, char *buffer, size_t size, size_t *len)
{
    return robots_origin_key(url.ptr, url.len, buffer, size, len);
}

static void answer_origin(void)
{
    char key[8192];
    size_t len;
    robots_status status = origin_of(find("url"), key, sizeof key, &len);

    if (status != ROBOTS_OK) {
        print_error(status);
        return;
    }
    printf("value ");
    print_escaped(key, len);
    printf("/robots.txt");
}

static void answer_governs(void)
{
    char one[8192], other[8192];
    size_t len, other_len;
    int same = origin_of(find("robots_url"), one, sizeof one, &len) == ROBOTS_OK
        && origin_of(find("url"), other, sizeof other, &other_len) == ROBOTS_OK && len == other_len && memcmp(one, other, len) == 0;

    printf("value %s", same ? "yes" : "no");
}

static void answer_file(const robots_crawler *crawler, text kind)
{
    robots_rules *rules = NULL;
    robots_str sitemap;
    text body = find("robots"), url = find("url");
    size_t i;

    if (robots_rules_parse(crawler, body.ptr, body.len, &rules) != ROBOTS_OK)
        give_up("no rules");
    if (is(kind, "check")) {
        print_verdict(robots_rules_check(rules, url.ptr, url.len), 1);
    } else if (is(kind, "crawl-delay")) {
        printf("value ");
        print_delay(rules);
    } else if (is(kind, "sitemaps")) {
        printf("value");
        for (i = 0; robots_rules_sitemap(rules, i, &sitemap) == ROBOTS_OK; i++) {
            putchar(' ');
            print_escaped(sitemap.ptr, sitemap.len);
        }
    } else {
        printf("unsupported");
    }
    robots_rules_free(rules);
}

/* The rules of the fields from `start` on. */
static robots_rules *rules_from(size_t start)
{
    robots_crawler *crawler;
    robots_rules *rules = NULL;
    size_t i = start;

    if (crawler_from(start, &crawler) != ROBOTS_OK)
        give_up("no crawler");
    while (!named(i, "robots"))
        i++;
    if (robots_rules_parse(crawler, fields[i].value.ptr, fields[i].value.len, &rules) != ROBOTS_OK)
        give_up("no rules");
    robots_crawler_free(crawler);
    return rules;
}

static void answer_difference(void)
{
    robots_rules *rules = rules_from(0), *other;
    robots_difference *difference = NULL;
    robots_different_path path = ROBOTS_DIFFERENT_PATH_INIT;
    size_t next = 0, i;

    while (!named(next, "next"))
        next++;
    other = rules_from(next + 1);
    if (robots_rules_difference(rules, other, &difference) != ROBOTS_OK)
        give_up("no difference");
    printf("value %s", name_of(DIFFERENCES, robots_difference_result(difference)));
    for (i = 0; robots_difference_path(difference, i, &path) == ROBOTS_OK; i++) {
        putchar(' ');
        print_escaped(path.path.ptr, path.path.len);
        putchar(' ');
        print_reasoned(path.verdict);
        putchar(' ');
        print_reasoned(path.other_verdict);
    }
    robots_difference_free(difference);
    robots_rules_free(rules);
    robots_rules_free(other);
}

static void answer_with_crawler(text kind)
{
    robots_crawler *crawler;
    robots_status status = crawler_from(0, &crawler);

    if (status != ROBOTS_OK)
        print_error(status);
    else if (is(kind, "fetch") || is(kind, "due") || is(kind, "outcome"))
        answer_fetch(crawler, kind);
    else if (kind.len >= 3 && memcmp(kind.ptr, "use", 3) == 0)
        answer_use(crawler, kind);
    else if (kind.len >= 4 && memcmp(kind.ptr, "page", 4) == 0)
        answer_page(crawler, kind);
    else
        answer_file(crawler, kind);
    robots_crawler_free(crawler);
}

static void answer(void)
{
    text kind = find("kind");

    if (is(kind, "rules"))
        answer_rules();
    else if (is(kind, "script"))
        answer_script();
    else if (is(kind, "origin"))
        answer_origin();
    else if (is(kind, "governs"))
        answer_governs();
    else if (is(kind, "difference"))
        answer_difference();
    else
        answer_with_crawler(kind);
}

int main(void)
{
    size_t size = 1 << 16, len = 0;
    char *line = room(size);

    printf("engine librobots-c %s\n", ROBOTS_VERSION);
    fflush(stdout);
    while (fgets(line + len, (int)(size - len), stdin) != NULL) {
        len += strlen(line + len);
        if (line[len - 1] != '\n') { /* the line goes on */
            line = realloc(line, size *= 2);
            if (line == NULL)
                give_up("no memory");
            continue;
        }
        line[len - 1] = '\0';
        len = 0;
        read_fields(line);
        answer();
        free_fields();
        putchar('\n');
        fflush(stdout);
    }
    free(line);
    return 0;
}
