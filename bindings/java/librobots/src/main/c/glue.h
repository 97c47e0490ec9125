/*
 * Shared code of the functions of io.github.librobots.Native.
 *
 * Handles are passed as jlong. A fallible function returns a handle, or its status as a negative number. Bytes of Java arrays are
 * copied (GetByteArrayRegion), small ones to the stack: a copy costs less than blocking the garbage collector. The functions of a
 * decision have a variant for bytes that Java code copied to native memory (class Scratch). No function makes a Java object. An
 * exception is pending on return only if the JVM threw one for a range outside of an array, or the writer of cacheEach threw one; then
 * the caller ignores the result.
 */
#ifndef LIBROBOTS_JNI_GLUE_H
#define LIBROBOTS_JNI_GLUE_H

#include <jni.h>
#include <librobots.h>
#include <stdlib.h>
#include <string.h>

/* The symbol that the JVM looks up for a function of Native. */
#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_github_librobots_Native_##name

/* Sizes of stack buffers: enough for almost every URL and almost every robots.txt. */
enum { URL_ROOM = 2048, BODY_ROOM = 16384, BATCH_ROOM = 16384, BATCH_COUNT = 256 };

/* Returns the address of a handle. */
static inline void *at(jlong handle) { return (void *)(intptr_t)handle; }

/* Java has seconds where the options of C have milliseconds. */
static inline uint64_t option_value(jint option, jlong value) {
    switch (option) {
    case ROBOTS_OPT_DEFAULT_TTL_MS:
    case ROBOTS_OPT_MIN_TTL_MS:
    case ROBOTS_OPT_MAX_TTL_MS:
    case ROBOTS_OPT_FAILURE_TTL_MS:
    case ROBOTS_OPT_MAX_RETRY_AFTER_MS:
    case ROBOTS_OPT_UNREACHABLE_TTL_MS:
    case ROBOTS_OPT_MISSING_TTL_MS: return (uint64_t)value * 1000;
    default: return (uint64_t)value;
    }
}

static inline jlong verdict_of(robots_status status) { return (jlong)((uint64_t)status << 16); }

static inline jlong handle_or(robots_status status, const void *handle) {
    return status == ROBOTS_OK ? (jlong)(intptr_t)handle : -(jlong)status;
}

/* Copies `len` bytes of `array` from `start` on: to `room` if they fit, else to the heap. Returns NULL on allocation failure, or
   if an exception is pending. */
static inline char *copy_in(JNIEnv *env, jbyteArray array, jint start, jint len, char *room, size_t room_len) {
    char *bytes = room;
    if (len < 0 || (size_t)len > room_len)
        bytes = len < 0 ? NULL : malloc((size_t)len);
    if (bytes == NULL)
        return NULL;
    (*env)->GetByteArrayRegion(env, array, start, len, (jbyte *)bytes);
    if (__builtin_expect(bytes != room, 0) && (*env)->ExceptionCheck(env)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static inline void copy_end(char *bytes, const char *room) {
    if (bytes != room)
        free(bytes);
}

/* Copies the whole `array` like copy_in and sets `len`. */
static inline char *copy_all(JNIEnv *env, jbyteArray array, size_t *len, char *room, size_t room_len) {
    jint count = (*env)->GetArrayLength(env, array);
    *len = (size_t)count;
    return copy_in(env, array, 0, count, room, room_len);
}

#endif
