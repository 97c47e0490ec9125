/* What is tried with bytes of a stranger through the C API: all that takes such bytes is called with them, each
 * in a block of memory that ends where it does, and every byte that comes back is read. Used by test_fuzz.c, over the
 * inputs that are kept, and by the fuzzer (fuzz/abi.c). */
#ifndef ROBOTS_TESTS_FUZZ_BODY_H
#define ROBOTS_TESTS_FUZZ_BODY_H

#include "fuzz_input.h"
#include "support.h"

#define FUZZ_NOW UINT64_C(1800000000000)

/* --- deciding ----------------------------------------------------------------------------------------------------- */

static char *fuzz_room(size_t len)
{
    char *room = malloc(len > 0 ? len : 1);

    if (room == NULL)
        give_up("malloc", ROBOTS_E_MEMORY);
    return room;
}

/* All URLs in one text; `offsets` has one more entry than there are URLs. */
static char *fuzz_text(const fuzz_question *question, uint64_t *offsets)
{
    size_t i, len = 0;
    char *text;

    for (i = 0; i < question->count; i++) {
        offsets[i] = (uint32_t)len;
        len += question->urls[i].len;
    }
    offsets[i] = (uint32_t)len;
    text = fuzz_room(len);
    for (i = 0; i < question->count; i++)
        memcpy(text + offsets[i], question->urls[i].bytes, question->urls[i].len);
    return text;
}

static uint8_t fuzz_word(robots_verdict verdict)
{
    if (ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_OK)
        return ROBOTS_BAD_URL;
    return ROBOTS_VERDICT_ALLOWED(verdict) ? ROBOTS_ALLOWED : ROBOTS_DISALLOWED;
}

/* The list of the rules: in the order of the file, each with a pattern. */
static void fuzz_list(const robots_rules *rules)
{
    robots_rule_list *list = NULL;
    robots_rule rule;
    robots_status status;
    uint32_t line = 0;
    size_t i;

    if (!WORKS(robots_rule_list_new(rules, &list)))
        return; /* a forged image: its patterns are too long for a list */
    rule.size = sizeof rule;
    for (i = 0; (status = robots_rule_list_get(list, i, &rule)) == ROBOTS_OK; i++) {
        HOLDS(rule.pattern.len > 0 && rule.line >= line && rule.allow <= 1);
        fuzz_read(rule.pattern);
        line = rule.line;
    }
    HOLDS(status == ROBOTS_END);
    robots_rule_list_free(list);
}

/* The difference from other rules: on each path, the verdicts are those of the rules, and one allows. */
static void fuzz_difference(const robots_rules *rules)
{
    robots_rules *other = NULL;
    robots_difference *difference = NULL;
    robots_different_path path;
    size_t i;

    HOLDS(robots_rules_site_wide(ROBOTS_ALLOWED, &other) == ROBOTS_OK);
    if (WORKS(robots_rules_difference(rules, other, &difference))) {
        path.size = sizeof path;
        for (i = 0; robots_difference_path(difference, i, &path) == ROBOTS_OK; i++) {
            HOLDS(!ROBOTS_VERDICT_ALLOWED(path.verdict) && ROBOTS_VERDICT_ALLOWED(path.other_verdict));
            HOLDS(robots_rules_check(rules, path.path.ptr, path.path.len).bits == path.verdict.bits);
        }
        HOLDS((i > 0) == (robots_difference_result(difference) == ROBOTS_DIFFERENCE_FOUND));
    }
    robots_difference_free(difference);
    robots_rules_free(other);
}

/* Bytes that may be an image, in place. */
static void fuzz_image(const fuzz_question *question, const char *image, size_t len)
{
    uint64_t offsets[FUZZ_URLS + 1];
    uint8_t words[FUZZ_URLS], expected[FUZZ_URLS];
    char *text = fuzz_text(question, offsets);
    robots_rules *rules = NULL, *borrowed = NULL;
    int is_sound = WORKS(robots_rules_from_image(image, len, &rules));
    size_t i;

    HOLDS(WORKS(robots_rules_borrow_image(image, len, &borrowed)) >= is_sound);
    for (i = 0; i < 100; i++)
        fuzz_read(sitemap_at(borrowed, i));
    fuzz_sum += robots_rules_crawl_delay(borrowed) > 0;
    for (i = 0; i < question->count; i++) {
        const fuzz_part *url = &question->urls[i];
        robots_verdict verdict = fuzz_verdict(robots_image_check(image, len, url->bytes, url->len));

        HOLDS(borrowed == NULL || verdict.bits == robots_rules_check(borrowed, url->bytes, url->len).bits);
        HOLDS(!is_sound || verdict.bits == robots_rules_check(rules, url->bytes, url->len).bits);
        expected[i] = fuzz_word(verdict);
    }
    if (borrowed != NULL) {
        HOLDS(robots_rules_check_batch(borrowed, text, offsets, question->count, words) == ROBOTS_OK);
        HOLDS(!is_sound || memcmp(words, expected, question->count) == 0);
        fuzz_list(borrowed);
        fuzz_difference(borrowed);
    }
    if (is_sound) {
        fuzz_list(rules);
        fuzz_difference(rules);
    }
    robots_rules_free(borrowed);
    robots_rules_free(rules);
    free(text);
}

static void fuzz_rules(const fuzz_question *question)
{
    uint64_t offsets[FUZZ_URLS + 1];
    uint8_t words[FUZZ_URLS];
    char *text = fuzz_text(question, offsets);
    robots_rules *rules = NULL, *kept;
    robots_str image;
    size_t i;

    HOLDS(robots_rules_parse(question->crawler, question->body.bytes, question->body.len, &rules) == ROBOTS_OK);
    HOLDS(robots_rules_check_batch(rules, text, offsets, question->count, words) == ROBOTS_OK);
    for (i = 0; i < question->count; i++) {
        const fuzz_part *url = &question->urls[i];
        robots_verdict verdict = fuzz_verdict(robots_rules_check(rules, url->bytes, url->len));

        HOLDS(words[i] == fuzz_word(verdict));
        HOLDS(verdict.bits == robots_check_once(question->crawler, question->body.bytes, question->body.len, url->bytes, url->len).bits);
    }
    fuzz_sum += robots_rules_crawl_delay(rules) > 0;
    for (i = 0; robots_rules_sitemap(rules, i, &image) == ROBOTS_OK; i++)
        fuzz_read(image);
    kept = robots_rules_retain(rules);
    robots_rules_free(rules);
    image = robots_rules_image(kept);
    text = realloc(text, image.len);
    if (text == NULL)
        give_up("realloc", ROBOTS_E_MEMORY);
    memcpy(text, image.ptr, image.len);
    robots_rules_free(kept);
    fuzz_image(question, text, image.len);
    /* Damaged where the URLs say, and cut; nobody validates it. */
    for (i = 0; i < question->count; i++) {
        const fuzz_part *url = &question->urls[i];

        if (url->len >= 3)
            text[((size_t)(uint8_t)url->bytes[0] << 8 | (uint8_t)url->bytes[1]) % image.len] ^= url->bytes[2];
    }
    fuzz_image(question, text, image.len);
    text = realloc(text, image.len - image.len / 3);
    if (text != NULL)
        fuzz_image(question, text, image.len - image.len / 3);
    free(text);
}

/* --- what people read --------------------------------------------------------------------------------------------- */

/* What the file says about the use of a URL whose page has strange headers. The bytes are a tdmrep.json, too. */
static void fuzz_uses(const fuzz_question *question, const fuzz_part *url)
{
    static const char *const NAMES[] = {"Content-Usage", "Content-Signal", "Link", "tdm-reservation", "tdm-policy", "X-Robots-Tag"};
    robots_uses *uses = NULL, *unknown = NULL;
    robots_page_controls *page = NULL;
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    robots_use_signal signals[16];
    uint32_t purpose;
    size_t i, len;

    HOLDS(robots_uses_new(question->crawler, NULL, 0, question->body.bytes, question->body.len, url->bytes, url->len, &uses) == ROBOTS_OK);
    HOLDS(robots_uses_new(question->crawler, NULL, 0, NULL, 0, question->body.bytes, question->body.len, &unknown) == ROBOTS_OK);
    HOLDS(robots_page_controls_new(question->crawler, &page) == ROBOTS_OK);
    for (i = 0; i < question->count; i++) {
        const fuzz_part *value = &question->urls[i];
        const char *name = NAMES[i % (sizeof NAMES / sizeof NAMES[0])];

        HOLDS(robots_page_controls_add_header(page, name, strlen(name), value->bytes, value->len) == ROBOTS_OK);
        HOLDS(robots_page_controls_add_meta(page, name, strlen(name), value->bytes, value->len) == ROBOTS_OK);
    }
    for (purpose = 0; purpose <= ROBOTS_PURPOSE_OTHER; purpose++) {
        int is_url = WORKS(robots_use_for(uses, url->bytes, url->len, purpose, page, signals, 16, &answer));

        HOLDS(answer.says <= ROBOTS_USE_UNSTATED && (is_url || answer.says == ROBOTS_USE_DENIED));
        for (i = 0; i < answer.signals && i < 16; i++) {
            HOLDS(signals[i].says <= ROBOTS_USE_UNSTATED && signals[i].source >= ROBOTS_USE_SOURCE_NOT_READ);
            fuzz_read(signals[i].text);
            fuzz_read(signals[i].token);
        }
        HOLDS(!answer.decided || signals[0].says == answer.says);
        if (robots_use_receipt(uses, url->bytes, url->len, purpose, page, FUZZ_NOW, NULL, 0, &len) == ROBOTS_E_SPACE)
            HOLDS(is_url && len > 0);
        WORKS(robots_use_for(unknown, url->bytes, url->len, purpose, page, NULL, 0, &answer));
        HOLDS(answer.says != ROBOTS_USE_ALLOWED);
        WORKS(robots_use_for(uses, url->bytes, url->len, purpose, NULL, NULL, 0, &answer));
        HOLDS(answer.says != ROBOTS_USE_ALLOWED);
    }
    robots_page_controls_free(page);
    robots_uses_free(unknown);
    robots_uses_free(uses);
}

static void fuzz_explanation(const fuzz_question *question, const fuzz_part *url, const robots_rules *rules)
{
    robots_explanation *why = NULL;
    robots_verdict verdict = robots_rules_check(rules, url->bytes, url->len);
    robots_status status = robots_rules_explain(question->crawler, question->body.bytes, question->body.len,
                                                url->bytes, url->len, &why);
    robots_explained_line line = {sizeof line, {NULL, 0}, 0, 0};
    robots_explained_rule rule = {sizeof rule, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, 0};
    uint32_t dialect;
    size_t i;

    HOLDS(status == ROBOTS_VERDICT_STATUS(verdict));
    if (status != ROBOTS_OK)
        return;
    HOLDS(explained(why).verdict.bits == verdict.bits);
    for (dialect = 0; dialect < 3; dialect++) {
        robots_verdict other = verdict_in(why, dialect);

        HOLDS(dialect != question->dialect || other.bits == verdict.bits);
        fuzz_verdict(other);
    }
    fuzz_read(explained(why).path);
    fuzz_read(explained(why).token);
    for (i = 0; robots_explanation_agent(why, i, &line) == ROBOTS_OK; i++) {
        HOLDS(line.line > 0);
        fuzz_read(line.text);
    }
    for (i = 0; robots_explanation_rule(why, i, &rule) == ROBOTS_OK; i++) {
        HOLDS(rule.line > 0 && rule.allow <= 1);
        fuzz_read(rule.text);
        fuzz_read(rule.path);
        fuzz_read(rule.pattern);
    }
    fuzz_read(explained(why).text);
    robots_explanation_free(why);
}

static void fuzz_report(const fuzz_question *question)
{
    robots_lint_diagnostic found = {sizeof found, 0, 0, {NULL, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, 0, 0, {NULL, 0}};
    robots_lint_report *report = NULL;
    size_t i;

    HOLDS(robots_lint(question->crawler, question->body.bytes, question->body.len, &report) == ROBOTS_OK);
    for (i = 0; robots_lint_report_get(report, i, &found) == ROBOTS_OK; i++) {
        HOLDS(found.start <= found.end && found.end <= question->body.len);
        HOLDS(found.line <= lint_counts(report).lines);
        fuzz_read(found.message);
        fuzz_read(found.suggestion);
        fuzz_read(found.fix_replacement);
        HOLDS(found.fix <= ROBOTS_LINT_FIX_SAFE && found.fix_start <= found.fix_end && found.fix_end <= question->body.len);
        HOLDS(lint_meaning(found.code).title.len > 0 && lint_meaning(found.code).explanation.len > 0);
    }
    for (i = 1; i <= lint_counts(report).lines; i++) {
        robots_lint_line line = {sizeof line, 0, 0, {NULL, 0}, {NULL, 0}, 0, 0};

        HOLDS(robots_lint_report_line(report, i, &line) == ROBOTS_OK && line.kind <= ROBOTS_LINE_NOT_UNDERSTOOD);
        HOLDS(line.start <= line.end && line.end <= question->body.len);
        fuzz_read(line.field);
        fuzz_read(line.value);
    }
    fuzz_read(robots_lint_report_text(report));
    robots_lint_report_free(report);
}

static void fuzz_people(const fuzz_question *question)
{
    robots_rules *rules = NULL;
    robots_extensions *extensions = NULL;
    robots_extension line = {sizeof line, {NULL, 0}, 0, 0, 0, 0, 0, 0, 0, 0};
    size_t i;

    HOLDS(robots_rules_parse(question->crawler, question->body.bytes, question->body.len, &rules) == ROBOTS_OK);
    HOLDS(robots_extensions_parse(question->crawler, question->body.bytes, question->body.len, &extensions) == ROBOTS_OK);
    for (i = 0; robots_extensions_line(extensions, i, &line) == ROBOTS_OK; i++) {
        HOLDS(line.value.len > 0 && line.from < 1440);
        fuzz_read(line.value);
    }
    for (i = 0; i < question->count && i < 3; i++) {
        fuzz_explanation(question, &question->urls[i], rules);
        fuzz_uses(question, &question->urls[i]);
    }
    fuzz_report(question);
    robots_extensions_free(extensions);
    robots_rules_free(rules);
}

/* --- fetching and keeping ----------------------------------------------------------------------------------------- */

/* Goes on with a fetch as long as the bytes of a URL say how. */
static void fuzz_tell(const fuzz_question *question, robots_fetch *fetch, const fuzz_part *script)
{
    static const uint32_t STATUSES[] = {200, 301, 302, 304, 401, 404, 429, 500, 503, 65536};
    static const char *const NAMES[] = {"Location", "ETag", "Last-Modified", "Cache-Control", "Age", "Expires", "Date",
                                        "Retry-After"};
    size_t i, h;

    for (i = 0; i + 1 < script->len && robots_fetch_step(fetch) != ROBOTS_STEP_DONE; i += 2) {
        uint8_t what = (uint8_t)script->bytes[i], how = (uint8_t)script->bytes[i + 1];
        const fuzz_part *text = &question->urls[how % question->count];
        const char *name = NAMES[how / 8 % 8];

        fuzz_read(robots_fetch_url(fetch));
        for (h = 0; h < request_header_count(fetch); h++) {
            fuzz_read(request_header_at(fetch, h).name);
            fuzz_read(request_header_at(fetch, h).value);
        }
        switch (what % 8) {
        case 0: WORKS(robots_fetch_report_status(fetch, STATUSES[how % 10], FUZZ_NOW + ((uint64_t)what << (how % 40)))); break;
        case 1: WORKS(robots_fetch_report_header(fetch, name, strlen(name), text->bytes, text->len)); break;
        case 2: WORKS(robots_fetch_report_header(fetch, text->bytes, text->len, name, strlen(name))); break;
        case 3: WORKS(robots_fetch_report_headers_end(fetch)); break;
        case 4: WORKS(robots_fetch_report_body(fetch, question->body.bytes, question->body.len)); break;
        case 5: WORKS(robots_fetch_report_body(fetch, text->bytes, text->len)); break;
        case 6: WORKS(robots_fetch_report_end(fetch, ROBOTS_FAILURE_NONE, FUZZ_NOW)); break;
        default: WORKS(robots_fetch_report_end(fetch, how % 9u, FUZZ_NOW + what)); break;
        }
    }
    for (i = 0; i < 2 && robots_fetch_step(fetch) != ROBOTS_STEP_DONE; i++) /* the transfer of a redirect ends first */
        HOLDS(robots_fetch_report_end(fetch, ROBOTS_FAILURE_OTHER, FUZZ_NOW) == ROBOTS_OK);
    HOLDS(robots_fetch_step(fetch) == ROBOTS_STEP_DONE);
}

static void fuzz_outcome(const fuzz_question *question, const robots_outcome *outcome)
{
    const robots_crawler *crawlers[1];
    robots_outcome *again = NULL;
    robots_str record = {NULL, 0};
    robots_outcome_info info = outcome_info(outcome);
    size_t i;

    crawlers[0] = question->crawler;
    HOLDS(info.kind <= ROBOTS_OUTCOME_UNREACHABLE && info.cause > 0 && info.fetched_at_ms <= info.usable_until_ms);
    fuzz_read(info.origin);
    fuzz_read(info.final_url);
    fuzz_read(info.etag);
    fuzz_read(info.last_modified);
    for (i = 0; i < question->count; i++) {
        fuzz_verdict(robots_outcome_check(outcome, 0, question->urls[i].bytes, question->urls[i].len, FUZZ_NOW + i));
        fuzz_verdict(robots_outcome_check(outcome, 1, question->urls[i].bytes, question->urls[i].len, FUZZ_NOW + i));
    }
    if (robots_outcome_rules(outcome, 0) != NULL)
        fuzz_read(robots_rules_image(robots_outcome_rules(outcome, 0)));
    if (!WORKS(robots_outcome_encode(outcome, &record)))
        return;
    fuzz_read(record);
    for (i = 0; i < question->count; i++) {
        const fuzz_part *url = &question->urls[i];

        HOLDS(robots_record_check(record.ptr, record.len, 0, url->bytes, url->len, FUZZ_NOW + i).bits
              == robots_outcome_check(outcome, 0, url->bytes, url->len, FUZZ_NOW + i).bits);
    }
    HOLDS(robots_outcome_decode(crawlers, 1, record.ptr, record.len, &again) == ROBOTS_OK);
    robots_outcome_free(again);
}

/* Imports a record into the cache that it is of. */
static uint32_t fuzz_record(void *cache, const char *record, size_t len)
{
    robots_str text;

    text.ptr = record;
    text.len = len;
    fuzz_read(text);
    HOLDS(robots_cache_import(cache, record, len) == ROBOTS_OK);
    return 0;
}

/* A site that is fetched as the URLs say, through a cache and its tickets. */
/* The form to send is its own form. */
static void fuzz_form(const fuzz_part *url)
{
    size_t len, again_len;
    char *form, *again;

    if (robots_url_to_send(url->bytes, url->len, NULL, 0, &len) != ROBOTS_E_SPACE)
        return;
    form = fuzz_room(len);
    again = fuzz_room(len);
    HOLDS(robots_url_to_send(url->bytes, url->len, form, len, &len) == ROBOTS_OK);
    HOLDS(robots_url_to_send(form, len, again, len, &again_len) == ROBOTS_OK);
    HOLDS(again_len == len && memcmp(form, again, len) == 0);
    free(form);
    free(again);
}

static void fuzz_site(const fuzz_question *question)
{
    robots_cache *cache = NULL;
    size_t i;

    HOLDS(robots_cache_new(question->crawler, 1000000, &cache) == ROBOTS_OK);
    for (i = 0; i < question->count; i++) {
        const fuzz_part *url = &question->urls[i];
        robots_cache_answer answer = {sizeof answer, {0}, 0, 0, 0, NULL, {0}, 0};
        uint64_t now = FUZZ_NOW + UINT64_C(40000000) * i;
        char key[4096], again[4096];
        size_t again_len = 0;
        robots_str origin = {key, 0};
        robots_outcome *outcome = NULL;
        robots_fetch *fetch = NULL;

        if (WORKS(robots_origin_key(url->bytes, url->len, key, sizeof key, &origin.len))) {
            fuzz_read(origin);
            HOLDS(robots_origin_key(key, origin.len, again, sizeof again, &again_len) == ROBOTS_OK
                  && again_len == origin.len && memcmp(key, again, again_len) == 0);
        }
        fuzz_form(url);
        fuzz_verdict(robots_cache_check(cache, 0, url->bytes, url->len, now, &answer));
        HOLDS(answer.action <= ROBOTS_CACHE_DEFER);
        fuzz_verdict(answer.verdict);
        if (answer.ticket == NULL)
            continue;
        fuzz_read(robots_ticket_origin(answer.ticket));
        HOLDS(robots_ticket_fetch(answer.ticket, now, &fetch) == ROBOTS_OK);
        fuzz_tell(question, fetch, &question->urls[(i + 1) % question->count]);
        HOLDS(robots_fetch_outcome(fetch, &outcome) == ROBOTS_OK);
        fuzz_outcome(question, outcome);
        WORKS(robots_ticket_finish(answer.ticket, outcome, now + i));
        robots_ticket_free(answer.ticket);
        robots_outcome_free(outcome);
        robots_fetch_free(fetch);
        outcome = NULL;
        if (WORKS(robots_cache_outcome(cache, url->bytes, url->len, &outcome)) && outcome != NULL)
            fuzz_outcome(question, outcome);
        robots_outcome_free(outcome);
        if (url->len % 7 == 0)
            WORKS(robots_cache_remove(cache, url->bytes, url->len));
        WORKS(robots_cache_wait(cache, url->bytes, url->len, 1));
    }
    HOLDS(robots_cache_each(cache, fuzz_record, cache) == ROBOTS_OK);
    WORKS(robots_cache_import(cache, question->body.bytes, question->body.len));
    robots_cache_free(cache);
}

/* The file is an image, a record, a header, a preset's name. */
static void fuzz_raw(const fuzz_question *question)
{
    const robots_crawler *crawlers[1];
    robots_crawler *crawler = NULL;
    robots_outcome *outcome = NULL;
    robots_str token;

    crawlers[0] = question->crawler;
    fuzz_image(question, question->body.bytes, question->body.len);
    if (WORKS(robots_outcome_decode(crawlers, 1, question->body.bytes, question->body.len, &outcome)))
        fuzz_outcome(question, outcome);
    robots_outcome_free(outcome);
    WORKS(robots_crawler_preset(question->body.bytes, question->body.len, &crawler));
    robots_crawler_free(crawler);
    if (WORKS(robots_token_from_user_agent(question->body.bytes, question->body.len, &token)))
        fuzz_read(token);
    fuzz_verdict(robots_record_check(question->body.bytes, question->body.len, 0, question->urls[0].bytes, question->urls[0].len, FUZZ_NOW));
    outcome = NULL;
    if (WORKS(robots_outcome_from_status(question->crawler, question->urls[0].bytes, question->urls[0].len,
                                       question->body.len > 0 ? (uint8_t)question->body.bytes[0] * 3u : 200,
                                       question->body.bytes, question->body.len, FUZZ_NOW + question->body.len, &outcome)))
        fuzz_outcome(question, outcome);
    robots_outcome_free(outcome);
}

static void fuzz_body(const uint8_t *data, size_t len)
{
    fuzz_question question;

    if (len == 0)
        return;
    question = fuzz_ask(data + 1, len - 1);
    switch (data[0] % 4) {
    case 0: fuzz_rules(&question); break;
    case 1: fuzz_people(&question); break;
    case 2: fuzz_site(&question); break;
    default: fuzz_raw(&question); break;
    }
    fuzz_end(&question);
}

#endif
