/* The names of numbers in questions and answers, for the drivers of C and C++: those of tests/data/api.json. */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>

static const char *const DIALECTS[] = {"rfc9309", "google", "koster1996", NULL};
static const char *const REASONS[] = {"none", "rule_allowed", "rule_disallowed", "no_rule", "no_group", "robots_txt", "allow_all",
                                      "disallow_all", "defer", "unreachable", NULL};
static const char *const STEPS[] = {"get", "headers", "body", "done", NULL};
static const char *const FAILURES[] = {"none", "dns", "connect", "tls", "timeout", "reset", "truncated", "other", "encoded_body", NULL};
static const char *const KINDS[] = {"rules", "allow_all", "disallow_all", "defer", "unreachable", NULL};
static const char *const CAUSES[] = {"none", "found", "not_modified", "missing", "forbidden", "too_many_requests", "server_error",
                                     "odd_status", "too_many_redirects", "redirect_loop", "bad_redirect", "dns", "connect", "tls",
                                     "timeout", "reset", "truncated", "other_failure", "unreachable_long", "partial_content",
                                     "short_body", "encoded_body", "redirect_not_followed", "non_global_redirect", "html", NULL};
static const char *const ACTIONS[] = {"decided", "fetch", "wait", "defer", NULL};
static const char *const CACHE_OPTIONS[] = {"", "ticket_ttl", "default_delay_ms", "max_delay_ms", "horizon_ms", NULL};
static const char *const CONTROLS[] = {"index", "follow", "archive", "snippet", "translate", "image_index", "index_if_embedded",
                                       "max_snippet", "max_image_preview", "max_video_preview", "unavailable_after", NULL};
static const char *const SOURCES[] = {"none", "x_robots_tag", "robots_tag", "meta", NULL};
static const char *const ZONES[] = {"known", "missing", "unknown", NULL};
static const char *const CHOICES[] = {"no", "yes", "unknown", NULL};
static const char *const STATUSES[] = {"ok", "argument", "token", "url", "memory", "panic", "image", "image_format", "scheme", "state",
                                       NULL};

#endif
