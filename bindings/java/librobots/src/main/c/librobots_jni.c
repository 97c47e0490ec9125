/* Functions of io.github.librobots.Native: crawlers and rules. */
#include "glue.h"

#include <math.h>

/* --- crawler ---------------------------------------------------------------------------------------------------------- */

/* `tokens`: concatenated; token i ends before ends[i]. `options`: pairs of option and value. */
NATIVE(jlong, crawlerNew)(JNIEnv *env, jclass class, jbyteArray tokens, jintArray ends, jlongArray options) {
    (void)class;
    robots_crawler *crawler = NULL;
    robots_status status = robots_crawler_new("*", 1, &crawler);
    char room[URL_ROOM];
    jint count = (*env)->GetArrayLength(env, ends), pairs = (*env)->GetArrayLength(env, options) / 2, start = 0;

    /* The dialect comes first: it says which tokens there are (SPEC 7.6). */
    for (jint i = 0; i < pairs && status == ROBOTS_OK; i++) {
        jlong option[2] = {0, 0};
        (*env)->GetLongArrayRegion(env, options, 2 * i, 2, option);
        status = robots_crawler_set(crawler, (uint32_t)option[0], option_value((jint)option[0], option[1]));
    }
    for (jint i = 0; i < count && status == ROBOTS_OK; i++) {
        jint end = 0;
        (*env)->GetIntArrayRegion(env, ends, i, 1, &end);
        char *token = copy_in(env, tokens, start, end - start, room, sizeof room);
        status = token == NULL ? ROBOTS_E_MEMORY : robots_crawler_add_token(crawler, token, (size_t)(end - start));
        copy_end(token, room);
        start = end;
    }
    if (status != ROBOTS_OK)
        robots_crawler_free(crawler);
    return handle_or(status, crawler);
}

NATIVE(jlong, crawlerPreset)(JNIEnv *env, jclass class, jbyteArray name) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_crawler *crawler = NULL;
    char *bytes = copy_all(env, name, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_crawler_preset(bytes, len, &crawler);
    copy_end(bytes, room);
    return handle_or(status, crawler);
}

NATIVE(jint, crawlerAddNamesIn)(JNIEnv *env, jclass class, jlong crawler, jbyteArray text) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    char *bytes = copy_all(env, text, &len, room, sizeof room);
    if (bytes == NULL)
        return ROBOTS_E_MEMORY;
    robots_status status = robots_crawler_add_names_in(at(crawler), bytes, len);
    copy_end(bytes, room);
    return (jint)status;
}

NATIVE(void, crawlerFree)(JNIEnv *env, jclass class, jlong crawler) {
    (void)env, (void)class;
    robots_crawler_free(at(crawler));
}

/* Returns the offset of the token in the upper 32 bits, and its length. */
NATIVE(jlong, tokenFromUserAgent)(JNIEnv *env, jclass class, jbyteArray header) {
    (void)class;
    char room[URL_ROOM];
    size_t len;
    robots_str token = {NULL, 0};
    char *bytes = copy_all(env, header, &len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_token_from_user_agent(bytes, len, &token);
    jlong place = status == ROBOTS_OK ? (jlong)(token.ptr - bytes) << 32 | (jlong)token.len : -(jlong)status;
    copy_end(bytes, room);
    return place;
}

/* --- rules ------------------------------------------------------------------------------------------------------------ */

NATIVE(jlong, parse)(JNIEnv *env, jclass class, jlong crawler, jbyteArray body, jint start, jint len) {
    (void)class;
    char room[BODY_ROOM];
    robots_rules *rules = NULL;
    char *bytes = copy_in(env, body, start, len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_rules_parse(at(crawler), bytes, (size_t)len, &rules);
    copy_end(bytes, room);
    return handle_or(status, rules);
}

NATIVE(jlong, fromImage)(JNIEnv *env, jclass class, jbyteArray image, jint len) {
    (void)class;
    char room[BODY_ROOM];
    robots_rules *rules = NULL;
    char *bytes = copy_in(env, image, 0, len, room, sizeof room);
    if (bytes == NULL)
        return -(jlong)ROBOTS_E_MEMORY;
    robots_status status = robots_rules_from_image(bytes, (size_t)len, &rules);
    copy_end(bytes, room);
    return handle_or(status, rules);
}

NATIVE(jlong, siteWide)(JNIEnv *env, jclass class, jboolean allowed) {
    (void)env, (void)class;
    robots_rules *rules = NULL;
    robots_status status = robots_rules_site_wide(allowed ? ROBOTS_ALLOWED : ROBOTS_DISALLOWED, &rules);
    return handle_or(status, rules);
}

NATIVE(void, rulesFree)(JNIEnv *env, jclass class, jlong rules) {
    (void)env, (void)class;
    robots_rules_free(at(rules));
}

NATIVE(jlong, check)(JNIEnv *env, jclass class, jlong rules, jbyteArray url, jint start, jint len) {
    (void)class;
    char room[URL_ROOM];
    if (__builtin_expect((size_t)len <= sizeof room, 1)) {
        (*env)->GetByteArrayRegion(env, url, start, len, (jbyte *)room);
        return (jlong)robots_rules_check(at(rules), room, (size_t)len).bits;
    }
    char *bytes = copy_in(env, url, start, len, room, sizeof room);
    if (bytes == NULL)
        return verdict_of(ROBOTS_E_MEMORY);
    robots_verdict verdict = robots_rules_check(at(rules), bytes, (size_t)len);
    copy_end(bytes, room);
    return (jlong)verdict.bits;
}

/* Returns the address of a direct buffer; 0 if the JVM has none for it. */
NATIVE(jlong, addressOf)(JNIEnv *env, jclass class, jobject buffer) {
    (void)class;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

/* As check, for a URL in native memory. Calls no JNI function, because each makes the thread enter the JVM and leave it again. */
NATIVE(jlong, checkAt)(JNIEnv *env, jclass class, jlong rules, jlong url, jint len) {
    (void)env, (void)class;
    return (jlong)robots_rules_check(at(rules), at(url), (size_t)len).bits;
}

/* Returns the address of a part of a direct buffer; NULL, which librobots refuses, if the JVM has none for it. */
static const char *direct(JNIEnv *env, jobject buffer, jint start) {
    const char *address = (*env)->GetDirectBufferAddress(env, buffer);
    return address == NULL ? NULL : address + start;
}

NATIVE(jlong, checkDirect)(JNIEnv *env, jclass class, jlong rules, jobject url, jint start, jint len) {
    (void)class;
    return (jlong)robots_rules_check(at(rules), direct(env, url, start), (size_t)len).bits;
}

NATIVE(jlong, parseDirect)(JNIEnv *env, jclass class, jlong crawler, jobject body, jint start, jint len) {
    (void)class;
    robots_rules *rules = NULL;
    robots_status status = robots_rules_parse(at(crawler), direct(env, body, start), (size_t)len, &rules);
    return handle_or(status, rules);
}

NATIVE(jlong, checkOnce)(JNIEnv *env, jclass class, jlong crawler, jbyteArray body, jbyteArray url) {
    (void)class;
    char url_room[URL_ROOM], body_room[BODY_ROOM];
    size_t url_len, body_len;
    jlong verdict = verdict_of(ROBOTS_E_MEMORY);
    char *url_bytes = copy_all(env, url, &url_len, url_room, sizeof url_room);
    if (url_bytes == NULL)
        return verdict;
    char *body_bytes = copy_all(env, body, &body_len, body_room, sizeof body_room);
    if (body_bytes != NULL) {
        verdict = (jlong)robots_check_once(at(crawler), body_bytes, body_len, url_bytes, url_len).bits;
        copy_end(body_bytes, body_room);
    }
    copy_end(url_bytes, url_room);
    return verdict;
}

/* Decides on a batch of `count` URLs, with count + 1 offsets into `text`, in pieces that fit on the stack. It checks the copied
   offsets again, because another thread may have changed the array since the check in Java. */
NATIVE(jint, checkBatch)(JNIEnv *env, jclass class, jlong rules, jbyteArray text, jintArray ends, jint count,
                         jbyteArray answers) {
    (void)class;
    char room[BATCH_ROOM];
    jint places[BATCH_COUNT + 1];
    uint64_t offsets[BATCH_COUNT + 1];
    uint8_t out[BATCH_COUNT];
    const jint text_len = (*env)->GetArrayLength(env, text);

    for (jint done = 0; done < count;) {
        jint some = count - done < BATCH_COUNT ? count - done : BATCH_COUNT;
        (*env)->GetIntArrayRegion(env, ends, done, some + 1, places);
        if ((*env)->ExceptionCheck(env))
            return ROBOTS_E_ARG;
        const jint start = places[0];
        while (some > 1 && (int64_t)places[some] - start > BATCH_ROOM)
            some = (some + 1) / 2;
        if (start < 0 || start > places[some] || places[some] > text_len)
            return ROBOTS_E_ARG;
        const jint len = places[some] - start;
        char *bytes = copy_in(env, text, start, len, room, sizeof room);
        if (bytes == NULL)
            return ROBOTS_E_MEMORY;
        for (jint i = 0; i <= some; i++)
            offsets[i] = (uint64_t)((int64_t)places[i] - start);
        robots_status status = robots_rules_check_batch(at(rules), bytes, offsets, (size_t)some, out);
        copy_end(bytes, room);
        if (status != ROBOTS_OK)
            return status;
        (*env)->SetByteArrayRegion(env, answers, done, some, (const jbyte *)out);
        done += some;
    }
    return ROBOTS_OK;
}

NATIVE(jdouble, crawlDelay)(JNIEnv *env, jclass class, jlong rules) {
    (void)env, (void)class;
    return robots_rules_crawl_delay(at(rules));
}

NATIVE(jlong, imageLength)(JNIEnv *env, jclass class, jlong rules) {
    (void)env, (void)class;
    return (jlong)robots_rules_image(at(rules)).len;
}

NATIVE(jlong, ruleListNew)(JNIEnv *env, jclass class, jlong rules) {
    (void)env, (void)class;
    robots_rule_list *list = NULL;
    robots_status status = robots_rule_list_new(at(rules), &list);
    return handle_or(status, list);
}

NATIVE(void, ruleListFree)(JNIEnv *env, jclass class, jlong list) {
    (void)env, (void)class;
    robots_rule_list_free(at(list));
}

/* --- images in Java arrays ------------------------------------------------------------------------------------------------ */

/* An image in an array: a copy on the stack, or for a large one the array itself, which blocks the garbage collector until
   image_end. Between the two no other JNI function may be called. */
struct image {
    void *array;
    const char *bytes;
    char room[BODY_ROOM];
};

static int image_start(JNIEnv *env, jbyteArray array, jint start, jint len, struct image *image) {
    image->array = NULL;
    image->bytes = image->room;
    if ((size_t)len <= sizeof image->room) {
        (*env)->GetByteArrayRegion(env, array, start, len, (jbyte *)image->room);
        return 1;
    }
    image->array = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    image->bytes = (const char *)image->array + start;
    return image->array != NULL;
}

static void image_end(JNIEnv *env, jbyteArray array, struct image *image) {
    if (image->array != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, array, image->array, JNI_ABORT);
}

NATIVE(jlong, imageCheck)(JNIEnv *env, jclass class, jbyteArray array, jint start, jint len, jbyteArray url, jint url_start,
                          jint url_len) {
    (void)class;
    char room[URL_ROOM];
    struct image image;
    jlong verdict = verdict_of(ROBOTS_E_MEMORY);
    char *bytes = copy_in(env, url, url_start, url_len, room, sizeof room);
    if (bytes == NULL)
        return verdict;
    if (image_start(env, array, start, len, &image)) {
        verdict = (jlong)robots_image_check(image.bytes, (size_t)len, bytes, (size_t)url_len).bits;
        image_end(env, array, &image);
    }
    copy_end(bytes, room);
    return verdict;
}

/* As imageCheck, for an image in native memory with the URL right after it. Calls no JNI function, like checkAt. */
NATIVE(jlong, imageCheckAt)(JNIEnv *env, jclass class, jlong address, jint len, jint url_len) {
    (void)env, (void)class;
    const char *image = at(address);
    return (jlong)robots_image_check(image, (size_t)len, image + len, (size_t)url_len).bits;
}

NATIVE(jint, imageValidate)(JNIEnv *env, jclass class, jbyteArray array, jint start, jint len) {
    (void)class;
    struct image image;
    if (!image_start(env, array, start, len, &image))
        return ROBOTS_E_MEMORY;
    robots_rules *rules = NULL;
    robots_status status = robots_rules_from_image(image.bytes, (size_t)len, &rules);
    robots_rules_free(rules);
    image_end(env, array, &image);
    return status;
}

NATIVE(jdouble, imageCrawlDelay)(JNIEnv *env, jclass class, jbyteArray array, jint start, jint len) {
    (void)class;
    struct image image;
    robots_rules *rules = NULL;
    double seconds = NAN;
    if (!image_start(env, array, start, len, &image))
        return seconds;
    if (robots_rules_borrow_image(image.bytes, (size_t)len, &rules) == ROBOTS_OK)
        seconds = robots_rules_crawl_delay(rules);
    robots_rules_free(rules);
    image_end(env, array, &image);
    return seconds;
}

NATIVE(jint, versionNumber)(JNIEnv *env, jclass class) {
    (void)env, (void)class;
    return (jint)robots_version_number();
}
