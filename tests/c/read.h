/* Short forms of getters that fill a struct or end with ROBOTS_END. After an error they return zeros or empty strings;
 * what the status is then, the tests of misuse check. */
#ifndef ROBOTS_TESTS_READ_H
#define ROBOTS_TESTS_READ_H

#include <librobots_tools.h>
#include <string.h>

/* A getter of a struct with a size, with no parameter but the object. */
#define GETTER(NAME, STRUCT, OBJECT, FUNCTION) \
    static inline STRUCT NAME(const OBJECT *object) \
    { \
        STRUCT result = {sizeof(STRUCT)}; \
        robots_status status = FUNCTION(object, &result); \
        (void)status; \
        return result; \
    }

/* A getter of one element of a list, and the length of that list. */
#define LIST(NAME, STRUCT, OBJECT, FUNCTION) \
    static inline STRUCT NAME##_at(const OBJECT *object, size_t index) \
    { \
        STRUCT result = {sizeof(STRUCT)}; \
        robots_status status = FUNCTION(object, index, &result); \
        (void)status; \
        return result; \
    } \
    static inline size_t NAME##_count(const OBJECT *object) \
    { \
        STRUCT result = {sizeof(STRUCT)}; \
        size_t count = 0; \
        while (FUNCTION(object, count, &result) == ROBOTS_OK) \
            count++; \
        return count; \
    }

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
GETTER(outcome_info, robots_outcome_info, robots_outcome, robots_outcome_get)
GETTER(cache_counts, robots_cache_counts, robots_cache, robots_cache_count)
GETTER(explained, robots_explained, robots_explanation, robots_explanation_get)
GETTER(lint_counts, robots_lint_counts, robots_lint_report, robots_lint_report_count)
LIST(rule, robots_rule, robots_rule_list, robots_rule_list_get)
LIST(request_header, robots_header, robots_fetch, robots_fetch_request_header)
LIST(extension, robots_extension, robots_extensions, robots_extensions_line)
LIST(unknown, robots_page_rule, robots_page_controls, robots_page_controls_unknown)
LIST(agent, robots_explained_line, robots_explanation, robots_explanation_agent)
LIST(match, robots_explained_rule, robots_explanation, robots_explanation_rule)
LIST(diagnostic, robots_lint_diagnostic, robots_lint_report, robots_lint_report_get)

static inline robots_lint_meaning lint_meaning(uint32_t code)
{
    robots_lint_meaning result = ROBOTS_LINT_MEANING_INIT;
    robots_status status = robots_lint_code(code, &result);
    (void)status;
    return result;
}

static inline int64_t control_value(const robots_page_controls *controls, uint32_t control)
{
    robots_page_rule result = ROBOTS_PAGE_RULE_INIT;
    robots_status status = robots_page_controls_get(controls, control, &result);
    (void)status;
    return result.value;
}

/* The answer alone. */
static inline uint32_t use_for(const robots_uses *uses, const char *url, uint32_t purpose, const robots_page_controls *page)
{
    robots_use_answer result = ROBOTS_USE_ANSWER_INIT;
    robots_status status = robots_use_for(uses, url, strlen(url), purpose, page, NULL, 0, &result);
    (void)status;
    return result.says;
}
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

static inline robots_str sitemap_at(const robots_rules *rules, size_t index)
{
    robots_str result;
    robots_status status = robots_rules_sitemap(rules, index, &result);
    (void)status;
    return result;
}

static inline size_t sitemap_count(const robots_rules *rules)
{
    robots_str sitemap;
    size_t count = 0;
    while (robots_rules_sitemap(rules, count, &sitemap) == ROBOTS_OK)
        count++;
    return count;
}

/* The verdict of one dialect. */
static inline robots_verdict verdict_in(const robots_explanation *explanation, uint32_t dialect)
{
    robots_explained all = explained(explanation);
    return dialect == ROBOTS_DIALECT_GOOGLE ? all.google
         : dialect == ROBOTS_DIALECT_KOSTER1996 ? all.koster1996
                                                : all.rfc9309;
}

#endif
