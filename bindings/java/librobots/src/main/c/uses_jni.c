/* Functions of io.github.librobots.Native: what the pages of a site may be used for. */
#include "glue.h"

/* Copies an array like copy_all; `*bytes` is NULL for null. Returns whether it did. */
static int copy_or_null(JNIEnv *env, jbyteArray array, char **bytes, size_t *len, char *room, size_t room_len) {
    *bytes = NULL;
    *len = 0;
    if (array != NULL)
        *bytes = copy_all(env, array, len, room, room_len);
    return array == NULL || *bytes != NULL;
}

NATIVE(jlong, usesNew)(JNIEnv *env, jclass class, jlong crawler, jbyteArray site, jbyteArray body, jbyteArray tdm_file) {
    (void)class;
    char site_room[URL_ROOM], body_room[BODY_ROOM], tdm_room[URL_ROOM];
    size_t site_len, body_len, tdm_len;
    char *body_bytes = NULL, *tdm_bytes = NULL;
    robots_status status = ROBOTS_E_MEMORY;
    robots_uses *uses = NULL;
    char *site_bytes = copy_all(env, site, &site_len, site_room, sizeof site_room);
    if (site_bytes == NULL)
        return -(jlong)status;
    if (site_len == 0) /* would be any site */
        status = ROBOTS_E_URL;
    else if (copy_or_null(env, body, &body_bytes, &body_len, body_room, sizeof body_room) &&
             copy_or_null(env, tdm_file, &tdm_bytes, &tdm_len, tdm_room, sizeof tdm_room))
        status = robots_uses_new(at(crawler), site_bytes, site_len, body_bytes, body_len, tdm_bytes, tdm_len, &uses);
    if (tdm_bytes != NULL)
        copy_end(tdm_bytes, tdm_room);
    if (body_bytes != NULL)
        copy_end(body_bytes, body_room);
    copy_end(site_bytes, site_room);
    return handle_or(status, uses);
}

NATIVE(void, usesFree)(JNIEnv *env, jclass class, jlong uses) {
    (void)env, (void)class;
    robots_uses_free(at(uses));
}

enum { HEAD = 3, CELLS = 7, SIGNALS = 16 };

NATIVE(jint, useFor)(JNIEnv *env, jclass class, jlong uses, jbyteArray url, jint purpose, jlong page, jlongArray out) {
    (void)class;
    char room[URL_ROOM];
    robots_use_signal some[SIGNALS], *signals = some;
    size_t len, capacity = (size_t)((*env)->GetArrayLength(env, out) - HEAD) / CELLS;
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    robots_status status = ROBOTS_E_MEMORY;
    if (capacity > SIGNALS)
        signals = malloc(capacity * sizeof *signals);
    char *bytes = signals == NULL ? NULL : copy_all(env, url, &len, room, sizeof room);
    if (bytes != NULL) {
        status = robots_use_for(at(uses), bytes, len, (uint32_t)purpose, at(page), signals, capacity, &answer);
        copy_end(bytes, room);
    }
    if (status == ROBOTS_OK) {
        jlong head[HEAD] = {answer.says, answer.decided, (jlong)answer.signals};
        (*env)->SetLongArrayRegion(env, out, 0, HEAD, head);
        for (size_t i = 0; i < answer.signals && i < capacity; i++) {
            const robots_use_signal *one = &signals[i];
            jlong cells[CELLS] = {(jlong)(intptr_t)one->text.ptr, (jlong)one->text.len, (jlong)(intptr_t)one->token.ptr,
                (jlong)one->token.len, one->line, one->source, one->says};
            (*env)->SetLongArrayRegion(env, out, (jint)(HEAD + i * CELLS), CELLS, cells);
        }
    }
    if (signals != some)
        free(signals);
    return status;
}

NATIVE(jint, useReceipt)(JNIEnv *env, jclass class, jlong uses, jbyteArray url, jint purpose, jlong page, jlong fetched_at,
    jbyteArray to) {
    (void)class;
    char room[URL_ROOM], text_room[URL_ROOM];
    size_t len, text_len = 0, capacity = (size_t)(*env)->GetArrayLength(env, to);
    robots_status status = ROBOTS_E_MEMORY;
    char *text = capacity <= sizeof text_room ? text_room : malloc(capacity);
    char *bytes = text == NULL ? NULL : copy_all(env, url, &len, room, sizeof room);
    if (bytes != NULL) {
        status = robots_use_receipt(at(uses), bytes, len, (uint32_t)purpose, at(page), (uint64_t)fetched_at, text, capacity,
            &text_len);
        copy_end(bytes, room);
    }
    if (status == ROBOTS_OK)
        (*env)->SetByteArrayRegion(env, to, 0, (jint)text_len, (const jbyte *)text);
    if (text != text_room)
        free(text);
    return status == ROBOTS_OK || status == ROBOTS_E_SPACE ? (jint)text_len : -(jint)status;
}
