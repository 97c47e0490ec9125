/* Functions of io.github.librobots.Native: texts about a URL, fetches, outcomes, tickets and the cache. Times are milliseconds since 1970. */
#include "glue.h"

/* --- texts about a URL --------------------------------------------------------------------------------------------------- */

typedef robots_status url_text(const char *url, size_t url_len, char *buffer, size_t capacity, size_t *len);

/* Copies what a function writes about a URL to `to` if it fits. Returns its length. */
static jint written(JNIEnv *env, url_text *write, jbyteArray url, jint start, jint len, jbyteArray to) {
    char room[URL_ROOM], text_room[URL_ROOM];
    size_t capacity = (size_t)(*env)->GetArrayLength(env, to), text_len = 0;
    robots_status status = ROBOTS_E_MEMORY;
    char *text = capacity <= sizeof text_room ? text_room : malloc(capacity);
    char *bytes = text == NULL ? NULL : copy_in(env, url, start, len, room, sizeof room);
    if (bytes != NULL) {
        status = write(bytes, (size_t)len, text, capacity, &text_len);
        copy_end(bytes, room);
    }
    if (status == ROBOTS_OK)
        (*env)->SetByteArrayRegion(env, to, 0, (jint)text_len, (const jbyte *)text);
    if (text != text_room)
        free(text);
    return status == ROBOTS_OK || status == ROBOTS_E_SPACE ? (jint)text_len : -(jint)status;
}

NATIVE(jint, originKey)(JNIEnv *env, jclass class, jbyteArray url, jint start, jint len, jbyteArray to) {
    (void)class;
    return written(env, robots_origin_key, url, start, len, to);
}

NATIVE(jint, urlToSend)(JNIEnv *env, jclass class, jbyteArray url, jint start, jint len, jbyteArray to) {
    (void)class;
    return written(env, robots_url_to_send, url, start, len, to);
}

/* --- fetch ------------------------------------------------------------------------------------------------------------ */

NATIVE(jlong, fetchNew)(JNIEnv *env, jclass class, jlong crawler, jbyteArray url, jlong now) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_fetch *fetch = NULL;
    char *bytes = copy_all(env, url, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_fetch_new(at(crawler), bytes, len, (uint64_t)now, &fetch);
    copy_end(bytes, room);
    return handle_or(status, fetch);
}

NATIVE(jint, fetchAddCrawler)(JNIEnv *env, jclass class, jlong fetch, jlong crawler) {
    (void)env, (void)class;
    return robots_fetch_add_crawler(at(fetch), at(crawler));
}

NATIVE(jint, fetchSet)(JNIEnv *env, jclass class, jlong fetch, jint option, jlong value) {
    (void)env, (void)class;
    return robots_fetch_set(at(fetch), (uint32_t)option, option_value(option, value));
}

NATIVE(jint, fetchSetPrevious)(JNIEnv *env, jclass class, jlong fetch, jlong outcome) {
    (void)env, (void)class;
    return robots_fetch_set_previous(at(fetch), at(outcome));
}

NATIVE(jint, fetchStep)(JNIEnv *env, jclass class, jlong fetch) {
    (void)env, (void)class;
    return (jint)robots_fetch_step(at(fetch));
}

NATIVE(jint, fetchStatus)(JNIEnv *env, jclass class, jlong fetch, jint status, jlong now) {
    (void)env, (void)class;
    return robots_fetch_report_status(at(fetch), (uint32_t)status, (uint64_t)now);
}

NATIVE(jint, fetchFtpReply)(JNIEnv *env, jclass class, jlong fetch, jint reply, jlong now) {
    (void)env, (void)class;
    return robots_fetch_report_ftp_reply(at(fetch), (uint32_t)reply, (uint64_t)now);
}

NATIVE(jint, fetchHeader)(JNIEnv *env, jclass class, jlong fetch, jbyteArray name, jbyteArray value) {
    (void)class;
    char name_room[256], value_room[URL_ROOM];
    size_t name_len, value_len;
    robots_status status = ROBOTS_E_MEMORY;
    char *name_bytes = copy_all(env, name, &name_len, name_room, sizeof name_room);
    if (name_bytes == NULL)
        return status;
    char *value_bytes = copy_all(env, value, &value_len, value_room, sizeof value_room);
    if (value_bytes != NULL) {
        status = robots_fetch_report_header(at(fetch), name_bytes, name_len, value_bytes, value_len);
        copy_end(value_bytes, value_room);
    }
    copy_end(name_bytes, name_room);
    return status;
}

NATIVE(jint, fetchHeadersEnd)(JNIEnv *env, jclass class, jlong fetch) {
    (void)env, (void)class;
    return robots_fetch_report_headers_end(at(fetch));
}

NATIVE(jint, fetchBody)(JNIEnv *env, jclass class, jlong fetch, jbyteArray piece, jint start, jint len) {
    (void)class;
    char room[BODY_ROOM];
    char *bytes = copy_in(env, piece, start, len, room, sizeof room);
    if (bytes == NULL)
        return ROBOTS_E_MEMORY;
    robots_status status = robots_fetch_report_body(at(fetch), bytes, (size_t)len);
    copy_end(bytes, room);
    return status;
}

/* `failure`: a number of Fetch.Failure from 1, or 0 for a complete body. */
NATIVE(jint, fetchEnd)(JNIEnv *env, jclass class, jlong fetch, jint failure, jlong now) {
    (void)env, (void)class;
    return robots_fetch_report_end(at(fetch), (uint32_t)failure, (uint64_t)now);
}

NATIVE(jlong, fetchOutcome)(JNIEnv *env, jclass class, jlong fetch) {
    (void)env, (void)class;
    robots_outcome *outcome = NULL;
    robots_status status = robots_fetch_outcome(at(fetch), &outcome);
    return handle_or(status, outcome);
}

NATIVE(void, fetchFree)(JNIEnv *env, jclass class, jlong fetch) {
    (void)env, (void)class;
    robots_fetch_free(at(fetch));
}

/* --- outcome ---------------------------------------------------------------------------------------------------------- */

NATIVE(jlong, outcomeFromStatus)(JNIEnv *env, jclass class, jlong crawler, jbyteArray url, jint http_status, jbyteArray body,
                               jlong now) {
    (void)class;
    char url_room[URL_ROOM], body_room[BODY_ROOM];
    size_t url_len, body_len;
    robots_status status = ROBOTS_E_MEMORY;
    robots_outcome *outcome = NULL;
    char *url_bytes = copy_all(env, url, &url_len, url_room, sizeof url_room);
    if (url_bytes == NULL)
        return -(jlong)status;
    char *body_bytes = copy_all(env, body, &body_len, body_room, sizeof body_room);
    if (body_bytes != NULL) {
        status = robots_outcome_from_status(at(crawler), url_bytes, url_len, (uint32_t)http_status, body_bytes, body_len,
                                          (uint64_t)now, &outcome);
        copy_end(body_bytes, body_room);
    }
    copy_end(url_bytes, url_room);
    return handle_or(status, outcome);
}

/* `crawlers`: at most 16 handles. */
NATIVE(jlong, outcomeDecode)(JNIEnv *env, jclass class, jlongArray crawlers, jbyteArray record) {
    (void)class;
    char room[BODY_ROOM];
    size_t len;
    jlong handles[16] = {0};
    const robots_crawler *list[16];
    robots_outcome *outcome = NULL;
    jint count = (*env)->GetArrayLength(env, crawlers);
    if (count > 16)
        return -(jlong)ROBOTS_E_ARG;
    (*env)->GetLongArrayRegion(env, crawlers, 0, count, handles);
    for (jint i = 0; i < 16; i++)
        list[i] = at(handles[i]);
    char *bytes = copy_all(env, record, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_outcome_decode(list, (size_t)count, bytes, len, &outcome);
    copy_end(bytes, room);
    return handle_or(status, outcome);
}

/* Returns the size of the rules in bytes. */
NATIVE(jlong, outcomeSize)(JNIEnv *env, jclass class, jlong outcome) {
    (void)env, (void)class;
    size_t size = 0;
    const robots_rules *rules;
    for (size_t i = 0; (rules = robots_outcome_rules(at(outcome), i)) != NULL; i++)
        size += robots_rules_image(rules).len;
    return (jlong)size;
}

/* Returns a new reference to the rules of one crawler. */
NATIVE(jlong, outcomeRules)(JNIEnv *env, jclass class, jlong outcome, jint crawler) {
    (void)env, (void)class;
    robots_rules *rules = robots_rules_retain(robots_outcome_rules(at(outcome), (size_t)crawler));
    return handle_or(rules == NULL ? ROBOTS_E_MEMORY : ROBOTS_OK, rules);
}

NATIVE(jlong, outcomeCheck)(JNIEnv *env, jclass class, jlong outcome, jint crawler, jbyteArray url, jlong now) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    char *bytes = copy_all(env, url, &len, room, sizeof room);
    if (bytes == NULL)
        return verdict_of(ROBOTS_E_MEMORY);
    robots_verdict verdict = robots_outcome_check(at(outcome), (size_t)crawler, bytes, len, (uint64_t)now);
    copy_end(bytes, room);
    return (jlong)verdict.bits;
}

NATIVE(jlong, recordCheck)(JNIEnv *env, jclass class, jbyteArray record, jint crawler, jbyteArray url, jlong now) {
    (void)class;
    char url_room[URL_ROOM], record_room[URL_ROOM];
    size_t url_len, record_len;
    jlong verdict = verdict_of(ROBOTS_E_MEMORY);
    char *url_bytes = copy_all(env, url, &url_len, url_room, sizeof url_room);
    if (url_bytes == NULL)
        return verdict;
    char *record_bytes = copy_all(env, record, &record_len, record_room, sizeof record_room);
    if (record_bytes != NULL) {
        verdict = (jlong)robots_record_check(record_bytes, record_len, (size_t)crawler, url_bytes, url_len, (uint64_t)now).bits;
        copy_end(record_bytes, record_room);
    }
    copy_end(url_bytes, url_room);
    return verdict;
}

NATIVE(void, outcomeFree)(JNIEnv *env, jclass class, jlong outcome) {
    (void)env, (void)class;
    robots_outcome_free(at(outcome));
}

/* --- ticket ----------------------------------------------------------------------------------------------------------- */

NATIVE(jlong, ticketFetch)(JNIEnv *env, jclass class, jlong ticket, jlong now) {
    (void)env, (void)class;
    robots_fetch *fetch = NULL;
    robots_status status = robots_ticket_fetch(at(ticket), (uint64_t)now, &fetch);
    return handle_or(status, fetch);
}

NATIVE(jint, ticketFinish)(JNIEnv *env, jclass class, jlong ticket, jlong outcome, jlong now) {
    (void)env, (void)class;
    return robots_ticket_finish(at(ticket), at(outcome), (uint64_t)now);
}

NATIVE(void, ticketFree)(JNIEnv *env, jclass class, jlong ticket) {
    (void)env, (void)class;
    robots_ticket_free(at(ticket));
}

/* --- cache ------------------------------------------------------------------------------------------------------------ */

/* `crawlers`: at least one handle. */
NATIVE(jlong, cacheNew)(JNIEnv *env, jclass class, jlongArray crawlers, jlong max_bytes, jlongArray options) {
    /* As in RobotsCache.Builder.build. */
    static const uint32_t numbers[] = {ROBOTS_CACHE_OPT_TICKET_TTL_MS, ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS,
                                       ROBOTS_CACHE_OPT_MAX_DELAY_MS, ROBOTS_CACHE_OPT_HORIZON_MS};
    jlong values[sizeof numbers / sizeof *numbers];
    (void)class;
    (*env)->GetLongArrayRegion(env, options, 0, sizeof values / sizeof *values, values);
    robots_cache *cache = NULL;
    robots_status status = ROBOTS_OK;
    jint count = (*env)->GetArrayLength(env, crawlers);
    for (jint i = 0; i < count && status == ROBOTS_OK; i++) {
        jlong crawler = 0;
        (*env)->GetLongArrayRegion(env, crawlers, i, 1, &crawler);
        status = i == 0 ? robots_cache_new(at(crawler), (size_t)max_bytes, &cache)
                        : robots_cache_add_crawler(cache, at(crawler));
    }
    for (size_t i = 0; i < sizeof values / sizeof *values && status == ROBOTS_OK; i++)
        status = robots_cache_set(cache, numbers[i], (uint64_t)values[i]);
    if (status != ROBOTS_OK)
        robots_cache_free(cache);
    return handle_or(status, cache);
}

/* Returns the verdict, with the action in bits 4 and 5, and bit 6 set if there is a ticket; these bits of a verdict are 0. Unless
   the action is DECIDED without a ticket, `more` receives the time to check again and the ticket. */
NATIVE(jlong, cacheCheck)(JNIEnv *env, jclass class, jlong cache, jint crawler, jbyteArray url, jlong now, jlongArray more) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_cache_answer answer = {/* after an error: what the cache does, too (SPEC 2.18) */
        .size = sizeof answer, .verdict = {(uint64_t)verdict_of(ROBOTS_E_MEMORY)}, .action = ROBOTS_CACHE_DEFER, .until_ms = (uint64_t)now + 60000};
    char *bytes = copy_all(env, url, &len, room, sizeof room);
    if (bytes != NULL) {
        robots_cache_check(at(cache), (size_t)crawler, bytes, len, (uint64_t)now, &answer);
        copy_end(bytes, room);
    }
    const uint64_t word = answer.verdict.bits | (uint64_t)answer.action << 4 | (uint64_t)(answer.ticket != NULL) << 6;
    if (__builtin_expect((word & 0x70) != 0, 0)) {
        const jlong rest[2] = {(jlong)answer.until_ms, (jlong)(intptr_t)answer.ticket};
        (*env)->SetLongArrayRegion(env, more, 0, 2, rest);
    }
    return (jlong)word;
}

/* As cacheCheck, for a URL that is about to be requested; `slot_ms`: 0, or the slot that is held. `more` always receives the time to check again, the ticket, the slot in
   milliseconds, the crawl-delay in milliseconds, and whether the file states a longer one. */
NATIVE(jlong, cacheRequest)(JNIEnv *env, jclass class, jlong cache, jint crawler, jbyteArray url, jlong slot_ms, jlong now_ms,
                            jlongArray more) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_cache_answer answer = {
        .size = sizeof answer, .verdict = {(uint64_t)verdict_of(ROBOTS_E_MEMORY)}, .action = ROBOTS_CACHE_DEFER, .until_ms = (uint64_t)now_ms + 60000};
    char *bytes = copy_all(env, url, &len, room, sizeof room);
    if (bytes != NULL) {
        (void)robots_cache_request(at(cache), (size_t)crawler, bytes, len, (robots_slot){(uint64_t)slot_ms}, (uint64_t)now_ms, &answer).bits;
        copy_end(bytes, room);
    }
    const jlong rest[] = {(jlong)answer.until_ms, (jlong)(intptr_t)answer.ticket, (jlong)answer.slot.at_ms,
                          (jlong)answer.crawl_delay_ms, (jlong)answer.crawl_delay_cut};
    (*env)->SetLongArrayRegion(env, more, 0, sizeof rest / sizeof *rest, rest);
    return (jlong)(answer.verdict.bits | (uint64_t)answer.action << 4 | (uint64_t)(answer.ticket != NULL) << 6);
}

NATIVE(jint, cacheRetryAfter)(JNIEnv *env, jclass class, jlong cache, jbyteArray url, jint http_status, jbyteArray value, jlong now_ms) {
    (void)class;
    char url_room[URL_ROOM], value_room[256];
    size_t url_len, value_len;
    robots_status status = ROBOTS_E_MEMORY;
    char *url_bytes = copy_all(env, url, &url_len, url_room, sizeof url_room);
    if (url_bytes == NULL)
        return status;
    char *value_bytes = copy_all(env, value, &value_len, value_room, sizeof value_room);
    if (value_bytes != NULL) {
        status = robots_cache_report_response(at(cache), url_bytes, url_len, (uint32_t)http_status, value_bytes, value_len, (uint64_t)now_ms);
        copy_end(value_bytes, value_room);
    }
    copy_end(url_bytes, url_room);
    return status;
}

/* Returns the crawl-delay in seconds; a negative number or NaN if there is none. `more` receives the status. */
NATIVE(jdouble, cacheCrawlDelay)(JNIEnv *env, jclass class, jlong cache, jint crawler, jbyteArray url, jlongArray more) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_outcome *outcome = NULL;
    robots_status status = ROBOTS_E_MEMORY;
    char *bytes = copy_all(env, url, &len, room, sizeof room);
    if (bytes != NULL) {
        status = robots_cache_outcome(at(cache), bytes, len, &outcome);
        copy_end(bytes, room);
    }
    const jdouble delay = outcome == NULL ? -1 : robots_rules_crawl_delay(robots_outcome_rules(outcome, (size_t)crawler));
    robots_outcome_free(outcome);
    const jlong number = status;
    (*env)->SetLongArrayRegion(env, more, 0, 1, &number);
    return delay;
}

/* Returns 0 if the cache has no outcome. */
NATIVE(jlong, cacheOutcome)(JNIEnv *env, jclass class, jlong cache, jbyteArray url) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_outcome *outcome = NULL;
    char *bytes = copy_all(env, url, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_cache_outcome(at(cache), bytes, len, &outcome);
    copy_end(bytes, room);
    return handle_or(status, outcome);
}

/* Passes the bytes of an array to a function of the cache. */
static jint with_bytes(JNIEnv *env, jlong cache, jbyteArray array,
                        robots_status (*function)(const robots_cache *, const char *, size_t)) {
    char room[BODY_ROOM];
    size_t len;
    char *bytes = copy_all(env, array, &len, room, sizeof room);
    if (bytes == NULL)
        return ROBOTS_E_MEMORY;
    robots_status status = function(at(cache), bytes, len);
    copy_end(bytes, room);
    return status;
}

NATIVE(jint, cacheRemove)(JNIEnv *env, jclass class, jlong cache, jbyteArray url) {
    (void)class;
    return with_bytes(env, cache, url, robots_cache_remove);
}

NATIVE(void, cacheClear)(JNIEnv *env, jclass class, jlong cache) {
    (void)env, (void)class;
    (void)robots_cache_remove(at(cache), "*", 1);
}

struct receiver {
    JNIEnv *env;
    jobject object;
    jmethodID receive;
};

/* Passes a record to RecordReceiver.receive; stops if that throws. */
static uint32_t pass_record(void *context, const char *record, size_t len) {
    const struct receiver *receiver = context;
    JNIEnv *env = receiver->env;
    (*env)->CallVoidMethod(env, receiver->object, receiver->receive, (jlong)(intptr_t)record, (jlong)len);
    return (*env)->ExceptionCheck(env);
}

/* Passes the records to a RecordReceiver. An exception of it is pending on return. */
NATIVE(jint, cacheEach)(JNIEnv *env, jclass class, jlong cache, jobject object) {
    (void)class;
    struct receiver receiver = {env, object, (*env)->GetMethodID(env, (*env)->GetObjectClass(env, object), "receive", "(JJ)V")};
    return receiver.receive == NULL ? ROBOTS_E_PANIC : robots_cache_each(at(cache), pass_record, &receiver);
}

NATIVE(jint, cacheFile)(JNIEnv *env, jclass class, jlong cache, jboolean is_save, jbyteArray path, jlongArray numbers) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_cache_file file = ROBOTS_CACHE_FILE_INIT;
    char *bytes = copy_all(env, path, &len, room, sizeof room);
    if (bytes == NULL)
        return ROBOTS_E_MEMORY;
    robots_status status = (is_save ? robots_cache_save : robots_cache_load)(at(cache), bytes, len, &file);
    copy_end(bytes, room);
    const jlong found[] = {(jlong)file.records, (jlong)file.foreign, (jlong)file.damaged, (jlong)file.no_room, (jlong)file.os_error};
    (*env)->SetLongArrayRegion(env, numbers, 0, sizeof found / sizeof *found, found);
    return status;
}

NATIVE(jint, cacheImport)(JNIEnv *env, jclass class, jlong cache, jbyteArray record) {
    (void)class;
    return with_bytes(env, cache, record, robots_cache_import);
}

NATIVE(void, cacheFree)(JNIEnv *env, jclass class, jlong cache) {
    (void)env, (void)class;
    robots_cache_free(at(cache));
}
