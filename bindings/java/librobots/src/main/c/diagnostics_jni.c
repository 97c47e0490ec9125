/* Functions of io.github.librobots.Native: explanations, differences, extensions, lint and pages; and the output of all objects as rows of
   numbers and texts. */
#include "glue.h"

#include <librobots_tools.h>

NATIVE(jlong, explain)(JNIEnv *env, jclass class, jlong crawler, jbyteArray body, jbyteArray url) {
    (void)class;
    char url_room[URL_ROOM], body_room[BODY_ROOM];
    size_t url_len, body_len;
    robots_status status = ROBOTS_E_MEMORY;
    robots_explanation *explanation = NULL;
    char *url_bytes = copy_all(env, url, &url_len, url_room, sizeof url_room);
    if (url_bytes == NULL)
        return -(jlong)status;
    char *body_bytes = copy_all(env, body, &body_len, body_room, sizeof body_room);
    if (body_bytes != NULL) {
        status = robots_rules_explain(at(crawler), body_bytes, body_len, url_bytes, url_len, &explanation);
        copy_end(body_bytes, body_room);
    }
    copy_end(url_bytes, url_room);
    return handle_or(status, explanation);
}

NATIVE(void, explanationFree)(JNIEnv *env, jclass class, jlong explanation) {
    (void)env, (void)class;
    robots_explanation_free(at(explanation));
}

NATIVE(jlong, difference)(JNIEnv *env, jclass class, jlong rules, jlong other) {
    (void)env, (void)class;
    robots_difference *difference = NULL;
    robots_status status = robots_rules_difference(at(rules), at(other), &difference);
    return handle_or(status, difference);
}

NATIVE(jint, differenceResult)(JNIEnv *env, jclass class, jlong difference) {
    (void)env, (void)class;
    return (jint)robots_difference_result(at(difference));
}

NATIVE(void, differenceFree)(JNIEnv *env, jclass class, jlong difference) {
    (void)env, (void)class;
    robots_difference_free(at(difference));
}

NATIVE(jlong, extensionsParse)(JNIEnv *env, jclass class, jlong crawler, jbyteArray body) {
    (void)class;
    char room[BODY_ROOM];
    size_t len;
    robots_extensions *extensions = NULL;
    char *bytes = copy_all(env, body, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_extensions_parse(at(crawler), bytes, len, &extensions);
    copy_end(bytes, room);
    return handle_or(status, extensions);
}

NATIVE(void, extensionsFree)(JNIEnv *env, jclass class, jlong extensions) {
    (void)env, (void)class;
    robots_extensions_free(at(extensions));
}

NATIVE(jlong, lint)(JNIEnv *env, jclass class, jlong crawler, jbyteArray body) {
    (void)class;
    char room[BODY_ROOM];
    size_t len;
    robots_lint_report *report = NULL;
    char *bytes = copy_all(env, body, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_lint(at(crawler), bytes, len, &report);
    copy_end(bytes, room);
    return handle_or(status, report);
}

NATIVE(void, lintFree)(JNIEnv *env, jclass class, jlong report) {
    (void)env, (void)class;
    robots_lint_report_free(at(report));
}

NATIVE(jlong, pageNew)(JNIEnv *env, jclass class, jlong crawler) {
    (void)env, (void)class;
    robots_page_controls *page = NULL;
    robots_status status = robots_page_controls_new(at(crawler), &page);
    return handle_or(status, page);
}

/* Adds a header, or a <meta> element if `is_meta`. */
NATIVE(jint, pageAdd)(JNIEnv *env, jclass class, jlong page, jboolean is_meta, jbyteArray name, jbyteArray value) {
    (void)class;
    char name_room[URL_ROOM], value_room[URL_ROOM];
    size_t name_len, value_len;
    robots_status status = ROBOTS_E_MEMORY;
    char *name_bytes = copy_all(env, name, &name_len, name_room, sizeof name_room);
    char *value_bytes = name_bytes == NULL ? NULL : copy_all(env, value, &value_len, value_room, sizeof value_room);
    if (value_bytes != NULL) {
        status = is_meta ? robots_page_controls_add_meta(at(page), name_bytes, name_len, value_bytes, value_len)
                         : robots_page_controls_add_header(at(page), name_bytes, name_len, value_bytes, value_len);
        copy_end(value_bytes, value_room);
    }
    if (name_bytes != NULL)
        copy_end(name_bytes, name_room);
    return status;
}

NATIVE(void, pageFree)(JNIEnv *env, jclass class, jlong page) {
    (void)env, (void)class;
    robots_page_controls_free(at(page));
}

/* --- output: numbers, and texts as an address and a length --------------------------------------------------------------- */

/* The kinds of rows, as in Row. The index is that of the C function, or its number. */
enum row {
    STATUS_TEXT, IMAGE, SITEMAP, RULE, FETCH_URL, REQUEST_HEADER, OUTCOME, OUTCOME_RECORD, TICKET_ORIGIN, CACHE_COUNTS,
    EXPLANATION, EXPLANATION_AGENT, EXPLANATION_RULE, EXTENSION_LINE,
    LINT_TEXT, LINT_COUNTS, LINT_LINE, LINT_CODE, DIAGNOSTIC, PAGE_CONTROL, PAGE_UNKNOWN,
    DIFFERENT_PATH
};

/* The numbers of a row. */
enum { ROW = 20 };

static void put(jlong *to, robots_str text) {
    to[0] = (jlong)(intptr_t)text.ptr;
    to[1] = (jlong)text.len;
}

static void put_page_rule(jlong *to, const robots_page_rule *rule) {
    put(to, rule->text);
    put(to + 2, rule->agent);
    to[4] = rule->value, to[5] = rule->source, to[6] = rule->number, to[7] = rule->zone;
}

static robots_status row_of(enum row what, const void *object, size_t index, jlong *to) {
    robots_status status = ROBOTS_OK;
    robots_str text = {NULL, 0};
    switch (what) {
    case STATUS_TEXT:
        text.ptr = robots_status_text((robots_status)index);
        text.len = strlen(text.ptr);
        put(to, text);
        break;
    case IMAGE:
        put(to, robots_rules_image(object));
        break;
    case SITEMAP:
        status = robots_rules_sitemap(object, index, &text);
        put(to, text);
        break;
    case RULE: {
        robots_rule rule = ROBOTS_RULE_INIT;
        status = robots_rule_list_get(object, index, &rule);
        put(to, rule.pattern);
        to[2] = rule.line, to[3] = rule.allow;
        break;
    }
    case FETCH_URL:
        put(to, robots_fetch_url(object));
        break;
    case REQUEST_HEADER: {
        robots_header header = ROBOTS_HEADER_INIT;
        status = robots_fetch_request_header(object, index, &header);
        put(to, header.name);
        put(to + 2, header.value);
        break;
    }
    case OUTCOME: {
        robots_outcome_info info = ROBOTS_OUTCOME_INFO_INIT;
        status = robots_outcome_get(object, &info);
        put(to, info.origin);
        put(to + 2, info.final_url);
        put(to + 4, info.etag);
        put(to + 6, info.last_modified);
        to[8] = info.kind, to[9] = info.cause, to[10] = info.http_status, to[11] = info.hops;
        to[12] = info.downgraded, to[13] = info.stale;
        to[14] = (jlong)info.fetched_at_ms, to[15] = (jlong)info.fresh_until_ms, to[16] = (jlong)info.usable_until_ms;
        to[17] = (jlong)info.retry_at_ms, to[18] = (jlong)info.unreachable_since_ms;
        break;
    }
    case OUTCOME_RECORD:
        status = robots_outcome_encode(object, &text);
        put(to, text);
        break;
    case TICKET_ORIGIN:
        put(to, robots_ticket_origin(object));
        break;
    case CACHE_COUNTS: {
        robots_cache_counts counts = ROBOTS_CACHE_COUNTS_INIT;
        status = robots_cache_count(object, &counts);
        to[0] = (jlong)counts.sites, to[1] = (jlong)counts.bytes;
        to[2] = (jlong)counts.hits, to[3] = (jlong)counts.stale_hits, to[4] = (jlong)counts.fetches;
        to[5] = (jlong)counts.waits, to[6] = (jlong)counts.deferred, to[7] = (jlong)counts.evicted;
        to[8] = (jlong)counts.images, to[9] = (jlong)counts.saved_bytes;
        break;
    }
    case EXPLANATION: {
        robots_explained explained = ROBOTS_EXPLAINED_INIT;
        status = robots_explanation_get(object, &explained);
        put(to, explained.path);
        put(to + 2, explained.token);
        put(to + 4, explained.text);
        to[6] = (jlong)explained.verdict.bits, to[7] = (jlong)explained.rfc9309.bits;
        to[8] = (jlong)explained.google.bits, to[9] = (jlong)explained.koster1996.bits;
        break;
    }
    case EXPLANATION_AGENT: {
        robots_explained_line line = ROBOTS_EXPLAINED_LINE_INIT;
        status = robots_explanation_agent(object, index, &line);
        put(to, line.text);
        to[2] = line.line;
        break;
    }
    case EXPLANATION_RULE: {
        robots_explained_rule rule = ROBOTS_EXPLAINED_RULE_INIT;
        status = robots_explanation_rule(object, index, &rule);
        put(to, rule.text);
        put(to + 2, rule.path);
        put(to + 4, rule.pattern);
        to[6] = rule.line, to[7] = rule.allow, to[8] = rule.result;
        break;
    }
    case EXTENSION_LINE: {
        robots_extension line = ROBOTS_EXTENSION_INIT;
        status = robots_extensions_line(object, index, &line);
        put(to, line.value);
        to[2] = line.line, to[3] = line.field, to[4] = line.in_group;
        to[5] = line.requests, to[6] = line.seconds, to[7] = line.from, to[8] = line.until;
        break;
    }
    case LINT_TEXT:
        put(to, robots_lint_report_text(object));
        break;
    case LINT_COUNTS: {
        robots_lint_counts counts = ROBOTS_LINT_COUNTS_INIT;
        status = robots_lint_report_count(object, &counts);
        to[0] = (jlong)counts.notes, to[1] = (jlong)counts.warnings, to[2] = (jlong)counts.errors, to[3] = (jlong)counts.lines;
        break;
    }
    case LINT_LINE: {
        robots_lint_line line = ROBOTS_LINT_LINE_INIT;
        status = robots_lint_report_line(object, index, &line);
        put(to, line.field);
        put(to + 2, line.value);
        to[4] = (jlong)line.start, to[5] = (jlong)line.end, to[6] = line.kind, to[7] = line.group;
        break;
    }
    case LINT_CODE: {
        robots_lint_meaning meaning = ROBOTS_LINT_MEANING_INIT;
        status = robots_lint_code((uint32_t)index, &meaning);
        put(to, meaning.title);
        put(to + 2, meaning.explanation);
        break;
    }
    case DIAGNOSTIC: {
        robots_lint_diagnostic diagnostic = ROBOTS_LINT_DIAGNOSTIC_INIT;
        status = robots_lint_report_get(object, index, &diagnostic);
        put(to, diagnostic.message);
        put(to + 2, diagnostic.suggestion);
        to[4] = (jlong)diagnostic.start, to[5] = (jlong)diagnostic.end, to[6] = diagnostic.code;
        to[7] = diagnostic.severity, to[8] = diagnostic.line, to[9] = diagnostic.column;
        to[10] = diagnostic.other_line, to[11] = diagnostic.fix;
        to[12] = (jlong)diagnostic.fix_start, to[13] = (jlong)diagnostic.fix_end;
        put(to + 14, diagnostic.fix_replacement);
        break;
    }
    case PAGE_CONTROL: {
        robots_page_rule rule = ROBOTS_PAGE_RULE_INIT;
        status = robots_page_controls_get(object, (uint32_t)index, &rule);
        if (index == ROBOTS_CONTROL_UNAVAILABLE_AFTER && rule.value > 0)
            rule.value /= 1000; /* Java has seconds here */
        put_page_rule(to, &rule);
        break;
    }
    case PAGE_UNKNOWN: {
        robots_page_rule rule = ROBOTS_PAGE_RULE_INIT;
        status = robots_page_controls_unknown(object, index, &rule);
        put_page_rule(to, &rule);
        break;
    }
    case DIFFERENT_PATH: {
        robots_different_path path = ROBOTS_DIFFERENT_PATH_INIT;
        status = robots_difference_path(object, index, &path);
        put(to, path.path);
        to[2] = (jlong)path.verdict.bits, to[3] = (jlong)path.other_verdict.bits;
        break;
    }
    }
    return status;
}

/* Copies a row of an object to `out` (ROW numbers). Its texts are valid until the object changes or is freed. Returns the status of
   the C function: ROBOTS_END after the last row of a list. */
NATIVE(jint, row)(JNIEnv *env, jclass class, jint what, jlong object, jlong index, jlongArray out) {
    (void)class;
    jlong row[ROW] = {0};
    robots_status status = row_of((enum row)what, at(object), (size_t)index, row);
    (*env)->SetLongArrayRegion(env, out, 0, ROW, row);
    return status;
}

/* Fills `to` with bytes from an address of a row. */
NATIVE(void, copy)(JNIEnv *env, jclass class, jlong address, jbyteArray to) {
    (void)class;
    (*env)->SetByteArrayRegion(env, to, 0, (*env)->GetArrayLength(env, to), at(address));
}
