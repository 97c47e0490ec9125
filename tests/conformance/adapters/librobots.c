/* The adapter for librobots in C: reads the simple form of a case, `fields:` (../README.md). */
#include "options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 4096 };
typedef struct { const char *name, *text; size_t len; } field;

static field fields[MAX_FIELDS];
static size_t count;

/* Splits a line at its tabs, and undoes the escapes of each value in place. */
static void split(char *line)
{
    for (count = 0; line != NULL && count < MAX_FIELDS; count++) {
        char *next = strchr(line, '\t'), *text, *to, *from, digits[3] = {0};
        if (next != NULL)
            *next++ = '\0';
        text = strchr(line, '=');
        *text++ = '\0';
        for (to = from = text; *from != '\0'; from++) {
            if (*from == '%') {
                memcpy(digits, from + 1, 2);
                *to++ = (char)strtol(digits, NULL, 16);
                from += 2;
            } else {
                *to++ = *from;
            }
        }
        fields[count] = (field){line, text, (size_t)(to - text)};
        *to = '\0';
        line = next;
    }
}

static const field *find(const char *name)
{
    static const field none = {"", "", 0};
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return &none;
}

static int is(const field *it, const char *text) { return strcmp(it->text, text) == 0; }

/* Returns the place of a text, up to its ":", in a list, or 0. */
static uint32_t place(const char *const *list, const char *text)
{
    size_t len = strcspn(text, ":");
    for (uint32_t i = 0; list[i] != NULL; i++)
        if (strlen(list[i]) == len && strncmp(list[i], text, len) == 0)
            return i;
    return 0;
}

/* Returns the number of an option: its name ends before ":". No option has the number 0. */
static uint32_t option_number(const char *text)
{
    size_t len = strcspn(text, ":");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strlen(option_rows[i].name) == len && strncmp(option_rows[i].name, text, len) == 0)
            return option_rows[i].number;
    return 0;
}

static robots_status set_up(robots_crawler **crawler)
{
    static const char *const dialects[] = {"rfc9309", "google", "koster1996", NULL};
    robots_status status = robots_crawler_new(find("agent")->text, find("agent")->len, crawler);
    if (status == ROBOTS_OK)
        status = robots_crawler_set(*crawler, ROBOTS_OPT_DIALECT, place(dialects, find("dialect")->text));
    for (size_t i = 0; i < count && status == ROBOTS_OK; i++) {
        if (strcmp(fields[i].name, "option") == 0)
            status = robots_crawler_set(*crawler, option_number(fields[i].text), strtoull(strchr(fields[i].text, ':') + 1, NULL, 10));
        else if (strcmp(fields[i].name, "agent") == 0 && &fields[i] != find("agent"))
            status = robots_crawler_add_token(*crawler, fields[i].text, fields[i].len);
    }
    return status;
}

static void print_escaped(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        printf(text[i] > ' ' && text[i] < 127 && text[i] != '%' ? "%c" : "%%%02X", (unsigned char)text[i]);
}

static void print_verdict(robots_verdict verdict, int with_line)
{
    uint32_t reason = ROBOTS_VERDICT_REASON(verdict);
    if (ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_OK)
        printf("error %s", robots_status_text(ROBOTS_VERDICT_STATUS(verdict)));
    else
        printf(ROBOTS_VERDICT_ALLOWED(verdict) ? "allow" : reason >= ROBOTS_REASON_DEFER ? "defer" : "deny");
    if (with_line && ROBOTS_VERDICT_STATUS(verdict) == ROBOTS_OK)
        printf(" %u", ROBOTS_VERDICT_LINE(verdict));
}

/* Plays the attempts, and answers by the last outcome. */
static void play(const robots_crawler *crawler)
{
    static const char *const failures[] = {"", "dns", "connect", "tls", "timeout", "reset", "truncated", "other", "encodedbody", NULL};
    robots_outcome *outcome = NULL;
    robots_outcome_info info = {.size = sizeof info};
    robots_fetch *fetch = NULL;
    uint64_t now = 0;
    for (size_t i = 0; i < count; i++) {
        const field *it = &fields[i];
        if (strcmp(it->name, "attempt") == 0) {
            now = strtoull(it->text, NULL, 10);
            if (robots_fetch_new(crawler, find("site")->text, find("site")->len, now, &fetch) != ROBOTS_OK ||
                (outcome != NULL && robots_fetch_set_previous(fetch, outcome) != ROBOTS_OK))
                abort();
        } else if (strcmp(it->name, "status") == 0) {
            robots_fetch_status(fetch, (uint32_t)strtoul(it->text, NULL, 10), now);
        } else if (strcmp(it->name, "header") == 0) {
            robots_fetch_header(fetch, it->text, it->len, it[1].text, it[1].len);
        } else if (strcmp(it->name, "body") == 0) {
            robots_fetch_headers_end(fetch);
            if (robots_fetch_step(fetch) == ROBOTS_STEP_BODY)
                robots_fetch_body(fetch, it->text, it->len);
        } else if (strcmp(it->name, "end") == 0) {
            robots_fetch_end(fetch, place(failures, it->text), now);
            if (robots_fetch_step(fetch) == ROBOTS_STEP_DONE) {
                robots_outcome_free(outcome);
                if (robots_fetch_outcome(fetch, &outcome) != ROBOTS_OK)
                    abort();
                robots_fetch_free(fetch);
                fetch = NULL;
            }
        }
    }
    robots_outcome_get(outcome, &info);
    if (is(find("kind"), "due"))
        printf("value %llu", (unsigned long long)(info.retry_at - now));
    else
        print_verdict(robots_outcome_check(outcome, 0, find("url")->text, find("url")->len, strtoull(find("at")->text, NULL, 10)), 0);
    robots_outcome_free(outcome);
}

static void print_preferences(const robots_crawler *crawler)
{
    robots_preference one = {.size = sizeof one};
    robots_extensions *extensions = NULL;
    robots_preferences *all = NULL;
    if (robots_extensions_parse(crawler, find("robots")->text, find("robots")->len, &extensions) != ROBOTS_OK ||
        robots_extensions_preferences(extensions, find("url")->text, find("url")->len, &all) != ROBOTS_OK)
        abort();
    printf("value");
    for (size_t i = 0; robots_preferences_get(all, i, &one) == ROBOTS_OK; i++) {
        printf(one.vocabulary == ROBOTS_VOCABULARY_CONTENT_USAGE ? " content-usage:" : " content-signal:");
        print_escaped(one.label.ptr, one.label.len);
        printf("=%c", "ny?"[one.choice]);
    }
    robots_preferences_free(all);
    robots_extensions_free(extensions);
}

static void print_control(const robots_crawler *crawler)
{
    static const char *const controls[] = {"index", "follow", "archive", "snippet", "translate", "image_index", "index_if_embedded",
                                           "max_snippet", "max_image_preview", "max_video_preview", "unavailable_after", NULL};
    static const char *const choices[] = {"no", "yes", "unknown"};
    robots_page_rule decided = {.size = sizeof decided};
    robots_page_controls *page = NULL;
    const field *control = find("control");
    robots_status status = robots_page_controls_new(crawler, &page);
    for (size_t i = 0; i < count && status == ROBOTS_OK; i++) {
        const field *it = &fields[i];
        if (strcmp(it->name, "header") == 0)
            status = robots_page_controls_add_header(page, it->text, it->len, it[1].text, it[1].len);
        else if (strcmp(it->name, "meta") == 0)
            status = robots_page_controls_add_meta(page, it->text, it->len, it[1].text, it[1].len);
    }
    if (status != ROBOTS_OK || robots_page_controls_get(page, place(controls, control->text), &decided) != ROBOTS_OK)
        abort();
    if (is(find("kind"), "page"))
        printf("value %lld", (long long)decided.value);
    else
        printf("value %s", choices[robots_page_controls_usage(page, control->text, control->len)]);
    robots_page_controls_free(page);
}

static void answer_with(const robots_crawler *crawler)
{
    const field *kind = find("kind"), *url = find("url");
    robots_rules *rules = NULL;
    robots_str sitemap;

    if (is(kind, "fetch") || is(kind, "due")) {
        play(crawler);
        return;
    }
    if (is(kind, "preferences")) {
        print_preferences(crawler);
        return;
    }
    if (is(kind, "page") || is(kind, "page-usage")) {
        print_control(crawler);
        return;
    }
    if (robots_rules_parse(crawler, find("robots")->text, find("robots")->len, &rules) != ROBOTS_OK)
        abort();
    if (is(kind, "check")) {
        print_verdict(robots_rules_check(rules, url->text, url->len), 1);
    } else if (is(kind, "crawl-delay")) {
        double delay = robots_rules_crawl_delay(rules);
        printf(delay == delay ? "value %.15g" : "value none", delay); /* NaN: there is none */
    } else {
        printf("value");
        for (size_t i = 0; robots_rules_sitemap(rules, i, &sitemap) == ROBOTS_OK; i++) {
            putchar(' ');
            print_escaped(sitemap.ptr, sitemap.len);
        }
    }
    robots_rules_free(rules);
}

int main(void)
{
    char *line = NULL, text[8192];
    size_t room = 0, len = 0;
    printf("engine librobots-c %s\n", ROBOTS_VERSION);
    for (fflush(stdout); getline(&line, &room, stdin) > 0; fflush(stdout)) {
        robots_crawler *crawler = NULL;
        robots_status status;
        line[strcspn(line, "\n")] = '\0';
        split(line);
        if (is(find("kind"), "origin")) {
            status = robots_origin_key(find("url")->text, find("url")->len, text, sizeof text, &len);
            printf(status == ROBOTS_OK ? "value " : "error");
            if (status == ROBOTS_OK) {
                print_escaped(text, len);
                printf("/robots.txt");
            }
        } else if (is(find("kind"), "governs")) {
            const field *site = find("robots_url");
            char other[sizeof text];
            size_t other_len = 0;
            int same = robots_origin_key(site->text, site->len, text, sizeof text, &len) == ROBOTS_OK
                && robots_origin_key(find("url")->text, find("url")->len, other, sizeof other, &other_len) == ROBOTS_OK
                && len == other_len && memcmp(text, other, len) == 0;
            printf("value %s", same ? "yes" : "no");
        } else if ((status = set_up(&crawler)) != ROBOTS_OK) {
            printf("error %s", robots_status_text(status));
        } else {
            answer_with(crawler);
        }
        robots_crawler_free(crawler);
        putchar('\n');
    }
    free(line);
    return 0;
}
