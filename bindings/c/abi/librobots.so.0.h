/* What programs were compiled with that need librobots.so.0, by make abi-update. */
#define ROBOTS_VERDICT_ALLOWED(v) ROBOTS_CAST(int, (v).bits & 1u)
#define ROBOTS_VERDICT_SITE_WIDE(v) ROBOTS_CAST(int, (v).bits >> 1 & 1u)
#define ROBOTS_VERDICT_REASON(v) ROBOTS_CAST(uint32_t, (v).bits >> 8 & 0xFFu)
#define ROBOTS_VERDICT_STATUS(v) ROBOTS_CAST(robots_status, (v).bits >> 16 & 0xFFFFu)
#define ROBOTS_VERDICT_LINE(v) ROBOTS_CAST(uint32_t, (v).bits >> 32)
typedef int32_t robots_status;
typedef uint32_t (*robots_record_fn)(void *context, const char *record, size_t record_len);
const char *robots_status_text(robots_status status);
uint32_t robots_version_number(void);
robots_status robots_crawler_new(const char *token, size_t token_len, robots_crawler **out);
robots_status robots_token_from_user_agent(const char *header, size_t header_len, robots_str *out);
robots_status robots_crawler_preset(const char *name, size_t name_len, robots_crawler **out);
robots_status robots_crawler_add_token(robots_crawler *crawler, const char *token, size_t token_len);
robots_status robots_crawler_add_names_in(robots_crawler *crawler, const char *agent, size_t agent_len);
robots_status robots_crawler_set(robots_crawler *crawler, uint32_t option, uint64_t value);
void robots_crawler_free(robots_crawler *crawler);
const char *robots_reason_text(uint32_t reason);
robots_status robots_rules_parse(const robots_crawler *crawler, const char *body, size_t body_len, robots_rules **out);
robots_status robots_rules_site_wide(uint32_t allow, robots_rules **out);
robots_verdict robots_rules_check(const robots_rules *rules, const char *url, size_t url_len);
robots_verdict robots_check_once(const robots_crawler *crawler, const char *body, size_t body_len, const char *url, size_t url_len);
robots_status robots_rules_check_batch(const robots_rules *rules, const char *text, const uint64_t *offsets, size_t count, uint8_t *verdicts);
double robots_rules_crawl_delay(const robots_rules *rules);
robots_status robots_rules_sitemap(const robots_rules *rules, size_t index, robots_str *out);
robots_rules *robots_rules_retain(const robots_rules *rules);
void robots_rules_free(robots_rules *rules);
robots_str robots_rules_image(const robots_rules *rules);
robots_status robots_rule_list_new(const robots_rules *rules, robots_rule_list **out);
robots_status robots_rule_list_get(const robots_rule_list *list, size_t index, robots_rule *out);
void robots_rule_list_free(robots_rule_list *list);
robots_status robots_rules_from_image(const char *image, size_t len, robots_rules **out);
robots_status robots_rules_borrow_image(const char *image, size_t len, robots_rules **out);
robots_verdict robots_image_check(const char *image, size_t len, const char *url, size_t url_len);
robots_status robots_origin_key(const char *url, size_t url_len, char *buffer, size_t capacity, size_t *len);
robots_status robots_url_to_send(const char *url, size_t url_len, char *buffer, size_t capacity, size_t *len);
robots_status robots_fetch_new(const robots_crawler *crawler, const char *url, size_t url_len, uint64_t now_ms, robots_fetch **out);
robots_status robots_fetch_add_crawler(robots_fetch *fetch, const robots_crawler *crawler);
robots_status robots_fetch_set(robots_fetch *fetch, uint32_t option, uint64_t value);
robots_status robots_fetch_set_previous(robots_fetch *fetch, const robots_outcome *outcome);
uint32_t robots_fetch_step(const robots_fetch *fetch);
robots_str robots_fetch_url(const robots_fetch *fetch);
robots_status robots_fetch_request_header(const robots_fetch *fetch, size_t index, robots_header *out);
robots_status robots_fetch_report_status(robots_fetch *fetch, uint32_t http_status, uint64_t now_ms);
robots_status robots_fetch_report_ftp_reply(robots_fetch *fetch, uint32_t reply, uint64_t now_ms);
robots_status robots_fetch_report_header(robots_fetch *fetch, const char *name, size_t name_len, const char *value, size_t value_len);
robots_status robots_fetch_report_headers_end(robots_fetch *fetch);
robots_status robots_fetch_report_body(robots_fetch *fetch, const char *piece, size_t piece_len);
robots_status robots_fetch_report_end(robots_fetch *fetch, uint32_t failure, uint64_t now_ms);
robots_status robots_fetch_outcome(const robots_fetch *fetch, robots_outcome **out);
void robots_fetch_free(robots_fetch *fetch);
robots_status robots_outcome_from_status(const robots_crawler *crawler, const char *url, size_t url_len, uint32_t http_status, const char *body, size_t body_len, uint64_t now_ms, robots_outcome **out);
robots_status robots_outcome_decode(const robots_crawler *const *crawlers, size_t count, const char *record, size_t record_len, robots_outcome **out);
robots_status robots_outcome_encode(const robots_outcome *outcome, robots_str *out);
robots_status robots_outcome_get(const robots_outcome *outcome, robots_outcome_info *out);
const robots_rules *robots_outcome_rules(const robots_outcome *outcome, size_t crawler);
robots_verdict robots_outcome_check(const robots_outcome *outcome, size_t crawler, const char *url, size_t url_len, uint64_t now_ms);
robots_verdict robots_record_check(const char *record, size_t record_len, size_t crawler, const char *url, size_t url_len, uint64_t now_ms);
void robots_outcome_free(robots_outcome *outcome);
robots_status robots_cache_new(const robots_crawler *crawler, size_t max_bytes, robots_cache **out);
robots_status robots_cache_add_crawler(robots_cache *cache, const robots_crawler *crawler);
robots_status robots_cache_set(robots_cache *cache, uint32_t option, uint64_t value);
robots_verdict robots_cache_check(const robots_cache *cache, size_t crawler, const char *url, size_t url_len, uint64_t now_ms, robots_cache_answer *out);
robots_status robots_cache_wait(const robots_cache *cache, const char *url, size_t url_len, uint64_t timeout_ms);
robots_verdict robots_cache_request(const robots_cache *cache, size_t crawler, const char *url, size_t url_len, robots_slot held, uint64_t now_ms, robots_cache_answer *out);
robots_status robots_cache_report_response(const robots_cache *cache, const char *url, size_t url_len, uint32_t http_status, const char *value, size_t value_len, uint64_t now_ms);
robots_status robots_cache_outcome(const robots_cache *cache, const char *url, size_t url_len, robots_outcome **out);
robots_status robots_cache_remove(const robots_cache *cache, const char *url, size_t url_len);
robots_status robots_cache_count(const robots_cache *cache, robots_cache_counts *out);
robots_status robots_cache_each(const robots_cache *cache, robots_record_fn receive, void *context);
robots_status robots_cache_import(const robots_cache *cache, const char *record, size_t record_len);
void robots_cache_free(robots_cache *cache);
robots_status robots_cache_save(const robots_cache *cache, const char *path, size_t path_len, robots_cache_file *out);
robots_status robots_cache_load(const robots_cache *cache, const char *path, size_t path_len, robots_cache_file *out);
robots_str robots_ticket_origin(const robots_ticket *ticket);
robots_status robots_ticket_fetch(const robots_ticket *ticket, uint64_t now_ms, robots_fetch **out);
robots_status robots_ticket_finish(robots_ticket *ticket, const robots_outcome *outcome, uint64_t now_ms);
void robots_ticket_free(robots_ticket *ticket);
robots_status robots_page_controls_new(const robots_crawler *crawler, robots_page_controls **out);
robots_status robots_page_controls_add_header(robots_page_controls *controls, const char *name, size_t name_len, const char *value, size_t value_len);
robots_status robots_page_controls_add_meta(robots_page_controls *controls, const char *name, size_t name_len, const char *content, size_t content_len);
robots_status robots_page_controls_get(const robots_page_controls *controls, uint32_t control, robots_page_rule *out);
robots_status robots_page_controls_unknown(const robots_page_controls *controls, size_t index, robots_page_rule *out);
void robots_page_controls_free(robots_page_controls *controls);
robots_status robots_uses_new(const robots_crawler *crawler, const char *site, size_t site_len, const char *body, size_t body_len, const char *tdm_file, size_t tdm_file_len, robots_uses **out);
robots_status robots_use_for(const robots_uses *uses, const char *url, size_t url_len, uint32_t purpose, const robots_page_controls *page, robots_use_signal *signals, size_t capacity, robots_use_answer *out);
robots_status robots_use_receipt(const robots_uses *uses, const char *url, size_t url_len, uint32_t purpose, const robots_page_controls *page, uint64_t fetched_at_ms, char *buffer, size_t capacity, size_t *len);
void robots_uses_free(robots_uses *uses);
robots_status robots_rules_explain(const robots_crawler *crawler, const char *body, size_t body_len, const char *url, size_t url_len, robots_explanation **out);
robots_status robots_explanation_get(const robots_explanation *explanation, robots_explained *out);
robots_status robots_explanation_agent(const robots_explanation *explanation, size_t index, robots_explained_line *out);
robots_status robots_explanation_rule(const robots_explanation *explanation, size_t index, robots_explained_rule *out);
void robots_explanation_free(robots_explanation *explanation);
robots_status robots_lint(const robots_crawler *crawler, const char *body, size_t body_len, robots_lint_report **out);
robots_status robots_lint_report_count(const robots_lint_report *report, robots_lint_counts *out);
robots_status robots_lint_report_get(const robots_lint_report *report, size_t index, robots_lint_diagnostic *out);
robots_status robots_lint_report_line(const robots_lint_report *report, size_t number, robots_lint_line *out);
robots_str robots_lint_report_text(const robots_lint_report *report);
void robots_lint_report_free(robots_lint_report *report);
robots_status robots_lint_code(uint32_t code, robots_lint_meaning *out);
robots_status robots_rules_difference(const robots_rules *rules, const robots_rules *other, robots_difference **out);
uint32_t robots_difference_result(const robots_difference *difference);
robots_status robots_difference_path(const robots_difference *difference, size_t index, robots_different_path *out);
void robots_difference_free(robots_difference *difference);
robots_status robots_extensions_parse(const robots_crawler *crawler, const char *body, size_t body_len, robots_extensions **out);
robots_status robots_extensions_line(const robots_extensions *extensions, size_t index, robots_extension *out);
void robots_extensions_free(robots_extensions *extensions);
CONSTANT(ROBOTS_OK, 0)
CONSTANT(ROBOTS_E_ARG, 1)
CONSTANT(ROBOTS_E_TOKEN, 2)
CONSTANT(ROBOTS_E_URL, 3)
CONSTANT(ROBOTS_E_MEMORY, 4)
CONSTANT(ROBOTS_E_PANIC, 5)
CONSTANT(ROBOTS_E_IMAGE, 6)
CONSTANT(ROBOTS_E_IMAGE_FORMAT, 7)
CONSTANT(ROBOTS_E_SCHEME, 8)
CONSTANT(ROBOTS_E_STATE, 9)
CONSTANT(ROBOTS_END, 64)
CONSTANT(ROBOTS_E_SPACE, 65)
CONSTANT(ROBOTS_E_FILE, 66)
CONSTANT(ROBOTS_E_TIME, 67)
CONSTANT(ROBOTS_OPT_DIALECT, 1)
CONSTANT(ROBOTS_OPT_MAX_BYTES, 2)
CONSTANT(ROBOTS_OPT_IGNORE_STAR, 3)
CONSTANT(ROBOTS_OPT_MERGE_TOKENS, 4)
CONSTANT(ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, 5)
CONSTANT(ROBOTS_OPT_LINT_ALL, 6)
CONSTANT(ROBOTS_DIALECT_RFC9309, 0)
CONSTANT(ROBOTS_DIALECT_GOOGLE, 1)
CONSTANT(ROBOTS_DIALECT_KOSTER1996, 2)
CONSTANT(ROBOTS_REASON_NONE, 0)
CONSTANT(ROBOTS_REASON_RULE_ALLOWED, 1)
CONSTANT(ROBOTS_REASON_RULE_DISALLOWED, 2)
CONSTANT(ROBOTS_REASON_NO_RULE, 3)
CONSTANT(ROBOTS_REASON_NO_GROUP, 4)
CONSTANT(ROBOTS_REASON_ROBOTS_TXT, 5)
CONSTANT(ROBOTS_REASON_ALLOW_ALL, 6)
CONSTANT(ROBOTS_REASON_DISALLOW_ALL, 7)
CONSTANT(ROBOTS_REASON_DEFER, 8)
CONSTANT(ROBOTS_REASON_UNREACHABLE, 9)
CONSTANT(ROBOTS_DISALLOWED, 0)
CONSTANT(ROBOTS_ALLOWED, 1)
CONSTANT(ROBOTS_BAD_URL, 2)
CONSTANT(ROBOTS_OPT_MAX_REDIRECTS, 16)
CONSTANT(ROBOTS_OPT_ON_FORBIDDEN, 17)
CONSTANT(ROBOTS_OPT_ON_TOO_MANY_REQUESTS, 18)
CONSTANT(ROBOTS_OPT_ON_SERVER_ERROR, 19)
CONSTANT(ROBOTS_OPT_ON_UNREACHABLE, 20)
CONSTANT(ROBOTS_OPT_SERVER_ERROR_IS_MISSING, 21)
CONSTANT(ROBOTS_OPT_DEFAULT_TTL_MS, 22)
CONSTANT(ROBOTS_OPT_MIN_TTL_MS, 23)
CONSTANT(ROBOTS_OPT_MAX_TTL_MS, 24)
CONSTANT(ROBOTS_OPT_FAILURE_TTL_MS, 25)
CONSTANT(ROBOTS_OPT_MAX_RETRY_AFTER_MS, 26)
CONSTANT(ROBOTS_OPT_UNREACHABLE_TTL_MS, 27)
CONSTANT(ROBOTS_OPT_MISSING_KEEPS_COPY, 28)
CONSTANT(ROBOTS_OPT_MISSING_TTL_MS, 29)
CONSTANT(ROBOTS_OPT_ON_BAD_REDIRECT, 30)
CONSTANT(ROBOTS_OPT_NON_GLOBAL_REDIRECTS, 31)
CONSTANT(ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY, 32)
CONSTANT(ROBOTS_OPT_ON_HTML, 33)
CONSTANT(ROBOTS_STEP_GET, 0)
CONSTANT(ROBOTS_STEP_HEADERS, 1)
CONSTANT(ROBOTS_STEP_BODY, 2)
CONSTANT(ROBOTS_STEP_DONE, 3)
CONSTANT(ROBOTS_FAILURE_NONE, 0)
CONSTANT(ROBOTS_FAILURE_DNS, 1)
CONSTANT(ROBOTS_FAILURE_CONNECT, 2)
CONSTANT(ROBOTS_FAILURE_TLS, 3)
CONSTANT(ROBOTS_FAILURE_TIMEOUT, 4)
CONSTANT(ROBOTS_FAILURE_RESET, 5)
CONSTANT(ROBOTS_FAILURE_TRUNCATED, 6)
CONSTANT(ROBOTS_FAILURE_OTHER, 7)
CONSTANT(ROBOTS_FAILURE_ENCODED_BODY, 8)
CONSTANT(ROBOTS_OUTCOME_RULES, 0)
CONSTANT(ROBOTS_OUTCOME_ALLOW_ALL, 1)
CONSTANT(ROBOTS_OUTCOME_DISALLOW_ALL, 2)
CONSTANT(ROBOTS_OUTCOME_DEFER, 3)
CONSTANT(ROBOTS_OUTCOME_UNREACHABLE, 4)
CONSTANT(ROBOTS_CAUSE_FOUND, 1)
CONSTANT(ROBOTS_CAUSE_NOT_MODIFIED, 2)
CONSTANT(ROBOTS_CAUSE_MISSING, 3)
CONSTANT(ROBOTS_CAUSE_FORBIDDEN, 4)
CONSTANT(ROBOTS_CAUSE_TOO_MANY_REQUESTS, 5)
CONSTANT(ROBOTS_CAUSE_SERVER_ERROR, 6)
CONSTANT(ROBOTS_CAUSE_ODD_STATUS, 7)
CONSTANT(ROBOTS_CAUSE_TOO_MANY_REDIRECTS, 8)
CONSTANT(ROBOTS_CAUSE_REDIRECT_LOOP, 9)
CONSTANT(ROBOTS_CAUSE_BAD_REDIRECT, 10)
CONSTANT(ROBOTS_CAUSE_DNS, 11)
CONSTANT(ROBOTS_CAUSE_CONNECT, 12)
CONSTANT(ROBOTS_CAUSE_TLS, 13)
CONSTANT(ROBOTS_CAUSE_TIMEOUT, 14)
CONSTANT(ROBOTS_CAUSE_RESET, 15)
CONSTANT(ROBOTS_CAUSE_TRUNCATED, 16)
CONSTANT(ROBOTS_CAUSE_OTHER_FAILURE, 17)
CONSTANT(ROBOTS_CAUSE_UNREACHABLE_LONG, 18)
CONSTANT(ROBOTS_CAUSE_PARTIAL_CONTENT, 19)
CONSTANT(ROBOTS_CAUSE_SHORT_BODY, 20)
CONSTANT(ROBOTS_CAUSE_ENCODED_BODY, 21)
CONSTANT(ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED, 22)
CONSTANT(ROBOTS_CAUSE_NON_GLOBAL_REDIRECT, 23)
CONSTANT(ROBOTS_CAUSE_HTML, 24)
CONSTANT(ROBOTS_CACHE_DECIDED, 0)
CONSTANT(ROBOTS_CACHE_FETCH, 1)
CONSTANT(ROBOTS_CACHE_WAIT, 2)
CONSTANT(ROBOTS_CACHE_DEFER, 3)
CONSTANT(ROBOTS_CACHE_OPT_TICKET_TTL_MS, 1)
CONSTANT(ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, 2)
CONSTANT(ROBOTS_CACHE_OPT_MAX_DELAY_MS, 3)
CONSTANT(ROBOTS_CACHE_OPT_HORIZON_MS, 4)
CONSTANT(ROBOTS_CONTROL_INDEX, 0)
CONSTANT(ROBOTS_CONTROL_FOLLOW, 1)
CONSTANT(ROBOTS_CONTROL_ARCHIVE, 2)
CONSTANT(ROBOTS_CONTROL_SNIPPET, 3)
CONSTANT(ROBOTS_CONTROL_TRANSLATE, 4)
CONSTANT(ROBOTS_CONTROL_IMAGE_INDEX, 5)
CONSTANT(ROBOTS_CONTROL_INDEX_IF_EMBEDDED, 6)
CONSTANT(ROBOTS_CONTROL_MAX_SNIPPET, 7)
CONSTANT(ROBOTS_CONTROL_MAX_IMAGE_PREVIEW, 8)
CONSTANT(ROBOTS_CONTROL_MAX_VIDEO_PREVIEW, 9)
CONSTANT(ROBOTS_CONTROL_UNAVAILABLE_AFTER, 10)
CONSTANT(ROBOTS_PAGE_NONE, 0)
CONSTANT(ROBOTS_PAGE_X_ROBOTS_TAG, 1)
CONSTANT(ROBOTS_PAGE_ROBOTS_TAG, 2)
CONSTANT(ROBOTS_PAGE_META, 3)
CONSTANT(ROBOTS_ZONE_KNOWN, 0)
CONSTANT(ROBOTS_ZONE_MISSING, 1)
CONSTANT(ROBOTS_ZONE_UNKNOWN, 2)
CONSTANT(ROBOTS_PURPOSE_SEARCH, 0)
CONSTANT(ROBOTS_PURPOSE_AI_SEARCH, 1)
CONSTANT(ROBOTS_PURPOSE_TRAINING, 2)
CONSTANT(ROBOTS_PURPOSE_USER_REQUEST, 3)
CONSTANT(ROBOTS_PURPOSE_COMMERCE, 4)
CONSTANT(ROBOTS_PURPOSE_ARCHIVE, 5)
CONSTANT(ROBOTS_PURPOSE_SEO, 6)
CONSTANT(ROBOTS_PURPOSE_OTHER, 7)
CONSTANT(ROBOTS_USE_DENIED, 0)
CONSTANT(ROBOTS_USE_LICENSED, 1)
CONSTANT(ROBOTS_USE_ALLOWED, 2)
CONSTANT(ROBOTS_USE_UNSTATED, 3)
CONSTANT(ROBOTS_USE_SOURCE_NOT_READ, 1)
CONSTANT(ROBOTS_USE_SOURCE_RULE, 2)
CONSTANT(ROBOTS_USE_SOURCE_TOKEN_RULE, 3)
CONSTANT(ROBOTS_USE_SOURCE_CONTENT_USAGE_LINE, 4)
CONSTANT(ROBOTS_USE_SOURCE_CONTENT_SIGNAL_LINE, 5)
CONSTANT(ROBOTS_USE_SOURCE_LICENSE_LINE, 6)
CONSTANT(ROBOTS_USE_SOURCE_CONTENT_USAGE_HEADER, 7)
CONSTANT(ROBOTS_USE_SOURCE_CONTENT_SIGNAL_HEADER, 8)
CONSTANT(ROBOTS_USE_SOURCE_LINK_HEADER, 9)
CONSTANT(ROBOTS_USE_SOURCE_PAGE_RULE, 10)
CONSTANT(ROBOTS_USE_SOURCE_TDM_HEADER, 11)
CONSTANT(ROBOTS_USE_SOURCE_TDM_META, 12)
CONSTANT(ROBOTS_USE_SOURCE_TDM_FILE, 13)
CONSTANT(ROBOTS_MATCH_WON, 0)
CONSTANT(ROBOTS_MATCH_SHORTER, 1)
CONSTANT(ROBOTS_MATCH_TIE_LOST_TO_ALLOW, 2)
CONSTANT(ROBOTS_MATCH_LATER_EQUAL, 3)
CONSTANT(ROBOTS_MATCH_AFTER_FIRST_MATCH, 4)
CONSTANT(ROBOTS_MATCH_EMPTY, 5)
CONSTANT(ROBOTS_LINT_NOTE, 1)
CONSTANT(ROBOTS_LINT_WARNING, 2)
CONSTANT(ROBOTS_LINT_ERROR, 3)
CONSTANT(ROBOTS_LINT_FIX_NONE, 0)
CONSTANT(ROBOTS_LINT_FIX_UNSAFE, 1)
CONSTANT(ROBOTS_LINT_FIX_SAFE, 2)
CONSTANT(ROBOTS_LINE_BLANK, 0)
CONSTANT(ROBOTS_LINE_COMMENT, 1)
CONSTANT(ROBOTS_LINE_USER_AGENT, 2)
CONSTANT(ROBOTS_LINE_ALLOW, 3)
CONSTANT(ROBOTS_LINE_DISALLOW, 4)
CONSTANT(ROBOTS_LINE_SITEMAP, 5)
CONSTANT(ROBOTS_LINE_CRAWL_DELAY, 6)
CONSTANT(ROBOTS_LINE_EXTENSION, 7)
CONSTANT(ROBOTS_LINE_UNKNOWN, 8)
CONSTANT(ROBOTS_LINE_NOT_UNDERSTOOD, 9)
CONSTANT(ROBOTS_DIFFERENCE_NOT_DECIDED, 0)
CONSTANT(ROBOTS_DIFFERENCE_NONE, 1)
CONSTANT(ROBOTS_DIFFERENCE_FOUND, 2)
CONSTANT(ROBOTS_EXTENSION_REQUEST_RATE, 0)
CONSTANT(ROBOTS_EXTENSION_VISIT_TIME, 1)
CONSTANT(ROBOTS_EXTENSION_HOST, 2)
CONSTANT(ROBOTS_EXTENSION_CLEAN_PARAM, 3)
CONSTANT(ROBOTS_EXTENSION_NOINDEX, 4)
CONSTANT(ROBOTS_EXTENSION_CONTENT_SIGNAL, 5)
CONSTANT(ROBOTS_EXTENSION_CONTENT_USAGE, 6)
CONSTANT(ROBOTS_EXTENSION_LICENSE, 7)
SIZE(robots_str, ==, 16)
FIELD(robots_str, ptr, const char *, 0)
FIELD(robots_str, len, size_t, 8)
SIZE(robots_verdict, ==, 8)
FIELD(robots_verdict, bits, uint64_t, 0)
SIZE(robots_rule, >=, 32)
FIELD(robots_rule, size, size_t, 0)
FIELD(robots_rule, pattern, robots_str, 8)
FIELD(robots_rule, line, uint32_t, 24)
FIELD(robots_rule, allow, uint32_t, 28)
SIZE(robots_header, >=, 40)
FIELD(robots_header, size, size_t, 0)
FIELD(robots_header, name, robots_str, 8)
FIELD(robots_header, value, robots_str, 24)
SIZE(robots_outcome_info, >=, 136)
FIELD(robots_outcome_info, size, size_t, 0)
FIELD(robots_outcome_info, kind, uint32_t, 8)
FIELD(robots_outcome_info, cause, uint32_t, 12)
FIELD(robots_outcome_info, http_status, uint32_t, 16)
FIELD(robots_outcome_info, hops, uint32_t, 20)
FIELD(robots_outcome_info, downgraded, uint32_t, 24)
FIELD(robots_outcome_info, stale, uint32_t, 28)
FIELD(robots_outcome_info, fetched_at_ms, uint64_t, 32)
FIELD(robots_outcome_info, fresh_until_ms, uint64_t, 40)
FIELD(robots_outcome_info, usable_until_ms, uint64_t, 48)
FIELD(robots_outcome_info, retry_at_ms, uint64_t, 56)
FIELD(robots_outcome_info, unreachable_since_ms, uint64_t, 64)
FIELD(robots_outcome_info, origin, robots_str, 72)
FIELD(robots_outcome_info, final_url, robots_str, 88)
FIELD(robots_outcome_info, etag, robots_str, 104)
FIELD(robots_outcome_info, last_modified, robots_str, 120)
SIZE(robots_slot, ==, 8)
FIELD(robots_slot, at_ms, uint64_t, 0)
SIZE(robots_cache_answer, >=, 56)
FIELD(robots_cache_answer, size, size_t, 0)
FIELD(robots_cache_answer, verdict, robots_verdict, 8)
FIELD(robots_cache_answer, action, uint32_t, 16)
FIELD(robots_cache_answer, crawl_delay_cut, uint32_t, 20)
FIELD(robots_cache_answer, until_ms, uint64_t, 24)
FIELD(robots_cache_answer, ticket, robots_ticket *, 32)
FIELD(robots_cache_answer, slot, robots_slot, 40)
FIELD(robots_cache_answer, crawl_delay_ms, uint64_t, 48)
SIZE(robots_cache_counts, >=, 88)
FIELD(robots_cache_counts, size, size_t, 0)
FIELD(robots_cache_counts, sites, size_t, 8)
FIELD(robots_cache_counts, bytes, size_t, 16)
FIELD(robots_cache_counts, hits, uint64_t, 24)
FIELD(robots_cache_counts, stale_hits, uint64_t, 32)
FIELD(robots_cache_counts, fetches, uint64_t, 40)
FIELD(robots_cache_counts, waits, uint64_t, 48)
FIELD(robots_cache_counts, deferred, uint64_t, 56)
FIELD(robots_cache_counts, evicted, uint64_t, 64)
FIELD(robots_cache_counts, images, size_t, 72)
FIELD(robots_cache_counts, saved_bytes, size_t, 80)
SIZE(robots_cache_file, >=, 48)
FIELD(robots_cache_file, size, size_t, 0)
FIELD(robots_cache_file, records, size_t, 8)
FIELD(robots_cache_file, foreign, size_t, 16)
FIELD(robots_cache_file, damaged, size_t, 24)
FIELD(robots_cache_file, no_room, size_t, 32)
FIELD(robots_cache_file, os_error, int64_t, 40)
SIZE(robots_page_rule, >=, 64)
FIELD(robots_page_rule, size, size_t, 0)
FIELD(robots_page_rule, text, robots_str, 8)
FIELD(robots_page_rule, agent, robots_str, 24)
FIELD(robots_page_rule, value, int64_t, 40)
FIELD(robots_page_rule, source, uint32_t, 48)
FIELD(robots_page_rule, number, uint32_t, 52)
FIELD(robots_page_rule, zone, uint32_t, 56)
FIELD(robots_page_rule, reserved, uint32_t, 60)
SIZE(robots_use_signal, ==, 48)
FIELD(robots_use_signal, text, robots_str, 0)
FIELD(robots_use_signal, token, robots_str, 16)
FIELD(robots_use_signal, line, uint32_t, 32)
FIELD(robots_use_signal, source, uint32_t, 36)
FIELD(robots_use_signal, says, uint32_t, 40)
FIELD(robots_use_signal, reserved, uint32_t, 44)
SIZE(robots_use_answer, >=, 24)
FIELD(robots_use_answer, size, size_t, 0)
FIELD(robots_use_answer, signals, size_t, 8)
FIELD(robots_use_answer, says, uint32_t, 16)
FIELD(robots_use_answer, decided, uint32_t, 20)
SIZE(robots_explained, >=, 88)
FIELD(robots_explained, size, size_t, 0)
FIELD(robots_explained, verdict, robots_verdict, 8)
FIELD(robots_explained, rfc9309, robots_verdict, 16)
FIELD(robots_explained, google, robots_verdict, 24)
FIELD(robots_explained, koster1996, robots_verdict, 32)
FIELD(robots_explained, path, robots_str, 40)
FIELD(robots_explained, token, robots_str, 56)
FIELD(robots_explained, text, robots_str, 72)
SIZE(robots_explained_line, >=, 32)
FIELD(robots_explained_line, size, size_t, 0)
FIELD(robots_explained_line, text, robots_str, 8)
FIELD(robots_explained_line, line, uint32_t, 24)
FIELD(robots_explained_line, reserved, uint32_t, 28)
SIZE(robots_explained_rule, >=, 72)
FIELD(robots_explained_rule, size, size_t, 0)
FIELD(robots_explained_rule, text, robots_str, 8)
FIELD(robots_explained_rule, path, robots_str, 24)
FIELD(robots_explained_rule, pattern, robots_str, 40)
FIELD(robots_explained_rule, line, uint32_t, 56)
FIELD(robots_explained_rule, allow, uint32_t, 60)
FIELD(robots_explained_rule, result, uint32_t, 64)
FIELD(robots_explained_rule, reserved, uint32_t, 68)
SIZE(robots_lint_counts, >=, 40)
FIELD(robots_lint_counts, size, size_t, 0)
FIELD(robots_lint_counts, errors, uint64_t, 8)
FIELD(robots_lint_counts, warnings, uint64_t, 16)
FIELD(robots_lint_counts, notes, uint64_t, 24)
FIELD(robots_lint_counts, lines, uint64_t, 32)
SIZE(robots_lint_diagnostic, >=, 112)
FIELD(robots_lint_diagnostic, size, size_t, 0)
FIELD(robots_lint_diagnostic, start, size_t, 8)
FIELD(robots_lint_diagnostic, end, size_t, 16)
FIELD(robots_lint_diagnostic, message, robots_str, 24)
FIELD(robots_lint_diagnostic, suggestion, robots_str, 40)
FIELD(robots_lint_diagnostic, code, uint32_t, 56)
FIELD(robots_lint_diagnostic, severity, uint32_t, 60)
FIELD(robots_lint_diagnostic, line, uint32_t, 64)
FIELD(robots_lint_diagnostic, column, uint32_t, 68)
FIELD(robots_lint_diagnostic, other_line, uint32_t, 72)
FIELD(robots_lint_diagnostic, fix, uint32_t, 76)
FIELD(robots_lint_diagnostic, fix_start, size_t, 80)
FIELD(robots_lint_diagnostic, fix_end, size_t, 88)
FIELD(robots_lint_diagnostic, fix_replacement, robots_str, 96)
SIZE(robots_lint_line, >=, 64)
FIELD(robots_lint_line, size, size_t, 0)
FIELD(robots_lint_line, start, size_t, 8)
FIELD(robots_lint_line, end, size_t, 16)
FIELD(robots_lint_line, field, robots_str, 24)
FIELD(robots_lint_line, value, robots_str, 40)
FIELD(robots_lint_line, kind, uint32_t, 56)
FIELD(robots_lint_line, group, uint32_t, 60)
SIZE(robots_lint_meaning, >=, 40)
FIELD(robots_lint_meaning, size, size_t, 0)
FIELD(robots_lint_meaning, title, robots_str, 8)
FIELD(robots_lint_meaning, explanation, robots_str, 24)
SIZE(robots_different_path, >=, 40)
FIELD(robots_different_path, size, size_t, 0)
FIELD(robots_different_path, path, robots_str, 8)
FIELD(robots_different_path, verdict, robots_verdict, 24)
FIELD(robots_different_path, other_verdict, robots_verdict, 32)
SIZE(robots_extension, >=, 56)
FIELD(robots_extension, size, size_t, 0)
FIELD(robots_extension, value, robots_str, 8)
FIELD(robots_extension, line, uint32_t, 24)
FIELD(robots_extension, field, uint32_t, 28)
FIELD(robots_extension, in_group, uint32_t, 32)
FIELD(robots_extension, requests, uint32_t, 36)
FIELD(robots_extension, seconds, uint32_t, 40)
FIELD(robots_extension, from, uint32_t, 44)
FIELD(robots_extension, until, uint32_t, 48)
FIELD(robots_extension, reserved, uint32_t, 52)
