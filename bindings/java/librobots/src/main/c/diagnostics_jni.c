/* Functions of io.github.librobots.Native: explanations, extensions, preferences and lint; and the output of all objects as rows of
   numbers and texts. */
#include "glue.h"

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

NATIVE(jlong, explanationOther)(JNIEnv *env, jclass class, jlong explanation, jint dialect) {
    (void)env, (void)class;
    return (jlong)robots_explanation_other(at(explanation), (uint32_t)dialect);
}

NATIVE(jlong, explanationVerdict)(JNIEnv *env, jclass class, jlong explanation) {
    (void)env, (void)class;
    return (jlong)robots_explanation_verdict(at(explanation));
}

NATIVE(void, explanationFree)(JNIEnv *env, jclass class, jlong explanation) {
    (void)env, (void)class;
    robots_explanation_free(at(explanation));
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

NATIVE(jlong, extensionsPreferences)(JNIEnv *env, jclass class, jlong extensions, jbyteArray url) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_preferences *preferences = NULL;
    char *bytes = copy_all(env, url, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_extensions_preferences(at(extensions), bytes, len, &preferences);
    copy_end(bytes, room);
    return handle_or(status, preferences);
}

NATIVE(void, extensionsFree)(JNIEnv *env, jclass class, jlong extensions) {
    (void)env, (void)class;
    robots_extensions_free(at(extensions));
}

NATIVE(jlong, preferencesFromHeader)(JNIEnv *env, jclass class, jbyteArray value) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_preferences *preferences = NULL;
    char *bytes = copy_all(env, value, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_preferences_from_header(bytes, len, &preferences);
    copy_end(bytes, room);
    return handle_or(status, preferences);
}

NATIVE(void, preferencesFree)(JNIEnv *env, jclass class, jlong preferences) {
    (void)env, (void)class;
    robots_preferences_free(at(preferences));
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

NATIVE(jlong, lintTotal)(JNIEnv *env, jclass class, jlong report, jint severity) {
    (void)env, (void)class;
    return (jlong)robots_lint_report_total(at(report), (uint32_t)severity);
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

NATIVE(jlong, pageGet)(JNIEnv *env, jclass class, jlong page, jint control) {
    (void)env, (void)class;
    return (jlong)robots_page_controls_get(at(page), (uint32_t)control);
}

NATIVE(jint, pageUsage)(JNIEnv *env, jclass class, jlong page, jbyteArray label) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    char *bytes = copy_all(env, label, &len, room, sizeof room);
    if (bytes == NULL)
        return ROBOTS_CHOICE_NO;
    uint32_t choice = robots_page_controls_usage(at(page), bytes, len);
    copy_end(bytes, room);
    return (jint)choice;
}

NATIVE(void, pageFree)(JNIEnv *env, jclass class, jlong page) {
    (void)env, (void)class;
    robots_page_controls_free(at(page));
}

/* --- output: numbers, and texts as an address and a length --------------------------------------------------------------- */

/* The kinds of rows, as in Row. The index is that of the C function, or its `what`. */
enum {
    ORIGIN_KEY, ORIGIN_ROBOTS_URL, FETCH_URL, FETCH_HEADER, OUTCOME_TEXT, OUTCOME_RECORD, TICKET_ORIGIN, CURSOR_NEXT,
    EXPLANATION_PATH, EXPLANATION_TOKEN, EXPLANATION_TEXT, EXPLANATION_AGENT, EXPLANATION_RULE,
    EXTENSION_LINE, PREFERENCE, LINT_TEXT, DIAGNOSTIC, LINT_LINE, LINT_TITLE, LINT_EXPLANATION,
    EFFECTIVE_RULE, PAGE_DECISION, PAGE_UNKNOWN
};

enum { ROW = 16 };

static void put(jlong *to, robots_str text) {
    to[0] = (jlong)(intptr_t)text.ptr;
    to[1] = (jlong)text.len;
}

static void put_page_rule(jlong *to, const robots_page_rule *rule) {
    put(to, rule->text);
    put(to + 2, rule->agent);
    to[4] = rule->value, to[5] = rule->source, to[6] = rule->number, to[7] = rule->zone;
}

static robots_status row_of(jint what, const void *object, size_t index, jlong *to) {
    robots_status status = ROBOTS_OK;
    switch (what) {
    case ORIGIN_KEY:
        put(to, robots_origin_key(object));
        return ROBOTS_OK;
    case ORIGIN_ROBOTS_URL:
        put(to, robots_origin_robots_url(object));
        return ROBOTS_OK;
    case FETCH_URL:
        put(to, robots_fetch_url(object));
        return ROBOTS_OK;
    case FETCH_HEADER:
        put(to, robots_fetch_request_header_name(object, index));
        put(to + 2, robots_fetch_request_header_value(object, index));
        return ROBOTS_OK;
    case OUTCOME_TEXT:
        put(to, robots_outcome_text(object, (uint32_t)index));
        return ROBOTS_OK;
    case OUTCOME_RECORD: {
        robots_str record = {NULL, 0};
        status = robots_outcome_encode(object, &record);
        put(to, record);
        return status;
    }
    case TICKET_ORIGIN:
        put(to, robots_ticket_origin(object));
        return ROBOTS_OK;
    case EXPLANATION_PATH:
        put(to, robots_explanation_path(object));
        return ROBOTS_OK;
    case EXPLANATION_TOKEN:
        put(to, robots_explanation_token(object));
        return ROBOTS_OK;
    case EXPLANATION_TEXT:
        put(to, robots_explanation_text(object));
        return ROBOTS_OK;
    case EXPLANATION_AGENT: {
        robots_explained_line line = {.size = sizeof line};
        status = robots_explanation_agent(object, index, &line);
        put(to, line.text);
        to[2] = line.line;
        return status;
    }
    case EXPLANATION_RULE: {
        robots_explained_rule rule = {.size = sizeof rule};
        status = robots_explanation_rule(object, index, &rule);
        put(to, rule.text);
        put(to + 2, rule.path);
        put(to + 4, rule.pattern);
        to[6] = rule.line, to[7] = rule.allow, to[8] = rule.result;
        return status;
    }
    case EXTENSION_LINE: {
        robots_extension line = {.size = sizeof line};
        status = robots_extensions_line(object, index, &line);
        put(to, line.value);
        to[2] = line.line, to[3] = line.field, to[4] = line.in_group;
        to[5] = line.requests, to[6] = line.seconds, to[7] = line.from, to[8] = line.until;
        return status;
    }
    case PREFERENCE: {
        robots_preference preference = {.size = sizeof preference};
        status = robots_preferences_get(object, index, &preference);
        put(to, preference.label);
        to[2] = preference.line, to[3] = preference.vocabulary, to[4] = preference.choice;
        return status;
    }
    case LINT_TEXT:
        put(to, robots_lint_report_text(object));
        return ROBOTS_OK;
    case DIAGNOSTIC: {
        robots_lint_diagnostic diagnostic = {.size = sizeof diagnostic};
        status = robots_lint_report_get(object, index, &diagnostic);
        put(to, diagnostic.message);
        put(to + 2, diagnostic.suggestion);
        to[4] = (jlong)diagnostic.start, to[5] = (jlong)diagnostic.end, to[6] = diagnostic.code;
        to[7] = diagnostic.severity, to[8] = diagnostic.line, to[9] = diagnostic.column;
        to[10] = diagnostic.other_line, to[11] = diagnostic.fix;
        to[12] = (jlong)diagnostic.fix_start, to[13] = (jlong)diagnostic.fix_end;
        put(to + 14, diagnostic.fix_replacement);
        return status;
    }
    case LINT_LINE: {
        robots_lint_line line = {.size = sizeof line};
        status = robots_lint_report_line(object, index, &line);
        put(to, line.field);
        put(to + 2, line.value);
        to[4] = (jlong)line.start, to[5] = (jlong)line.end, to[6] = line.kind, to[7] = line.group;
        return status;
    }
    case LINT_TITLE:
        put(to, robots_lint_title((uint32_t)index));
        return ROBOTS_OK;
    case LINT_EXPLANATION:
        put(to, robots_lint_explanation((uint32_t)index));
        return ROBOTS_OK;
    case EFFECTIVE_RULE: {
        robots_rule rule = {.size = sizeof rule};
        status = robots_rules_rule(object, index, &rule);
        put(to, rule.pattern);
        to[2] = rule.line, to[3] = rule.allow;
        return status;
    }
    case PAGE_DECISION: {
        robots_page_rule rule = {.size = sizeof rule};
        status = robots_page_controls_decision(object, (uint32_t)index, &rule);
        put_page_rule(to, &rule);
        return status;
    }
    case PAGE_UNKNOWN: {
        robots_page_rule rule = {.size = sizeof rule};
        status = robots_page_controls_unknown(object, index, &rule);
        put_page_rule(to, &rule);
        return status;
    }
    default:
        return ROBOTS_E_ARG;
    }
}

/* Copies a row of an object to `out` (ROW numbers). Its texts are valid until the object changes or is freed. */
NATIVE(jint, row)(JNIEnv *env, jclass class, jint what, jlong object, jlong index, jlongArray out) {
    (void)class;
    jlong row[ROW] = {0};
    robots_status status = ROBOTS_OK;
    if (what == CURSOR_NEXT)
        put(row, robots_cache_cursor_next(at(object)));
    else
        status = row_of(what, at(object), (size_t)index, row);
    (*env)->SetLongArrayRegion(env, out, 0, ROW, row);
    return status;
}

/* Fills `to` with bytes from an address of a row. */
NATIVE(void, copy)(JNIEnv *env, jclass class, jlong address, jbyteArray to) {
    (void)class;
    (*env)->SetByteArrayRegion(env, to, 0, (*env)->GetArrayLength(env, to), at(address));
}

static jlong effective_rules(const robots_rules *rules) {
    size_t count = 0;
    robots_status status = robots_rules_rule_count(rules, &count);
    return status == ROBOTS_OK ? (jlong)count : -(jlong)status;
}

/* Returns the number of rows of a kind, or a status as a negative number. */
NATIVE(jlong, rows)(JNIEnv *env, jclass class, jint what, jlong object) {
    (void)env, (void)class;
    switch (what) {
    case FETCH_HEADER:
        return (jlong)robots_fetch_request_header_count(at(object));
    case EXPLANATION_AGENT:
        return (jlong)robots_explanation_agent_count(at(object));
    case EXPLANATION_RULE:
        return (jlong)robots_explanation_rule_count(at(object));
    case EXTENSION_LINE:
        return (jlong)robots_extensions_count(at(object));
    case PREFERENCE:
        return (jlong)robots_preferences_count(at(object));
    case DIAGNOSTIC:
        return (jlong)robots_lint_report_count(at(object));
    case LINT_LINE:
        return (jlong)robots_lint_report_line_count(at(object));
    case EFFECTIVE_RULE:
        return effective_rules(at(object));
    case PAGE_UNKNOWN:
        return (jlong)robots_page_controls_unknown_count(at(object));
    default:
        return 0;
    }
}
