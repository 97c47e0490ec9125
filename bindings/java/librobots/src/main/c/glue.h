/*
 * What the files of the native half of io.github.librobots.Native share.
 *
 * Handles travel as jlong. What can fail returns a handle, or its status as a negative number. Octets of Java arrays are
 * copied (GetByteArrayRegion), on the stack where they are few: a copy costs less than to hold up the garbage collector.
 * No Java object is made here, and an exception is pending on return only where the JVM threw one itself, for a range that
 * lies outside of an array; then the result is not looked at.
 */
#ifndef LIBROBOTS_JNI_GLUE_H
#define LIBROBOTS_JNI_GLUE_H

#include <jni.h>
#include <librobots.h>
#include <stdlib.h>
#include <string.h>

/* The name of a function of Native, as the JVM looks for it. */
#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_github_librobots_Native_##name

/* How much is copied on the stack: almost every URL; almost every robots.txt. */
enum { URL_ROOM = 2048, BODY_ROOM = 16384, BATCH_ROOM = 16384, BATCH_COUNT = 256 };

/* The address that a handle stands for. */
static inline void *at(jlong handle) { return (void *)(intptr_t)handle; }

static inline jlong verdict_of(robots_status status) { return (jlong)((uint64_t)status << 16); }

static inline jlong handle_or(robots_status status, const void *handle) {
    return status == ROBOTS_OK ? (jlong)(intptr_t)handle : -(jlong)status;
}

/* Gives `len` octets of `array` from `start` on: in `room` where they fit, else on the heap. NULL: not enough memory, or an
   exception is pending. */
static inline char *copy_in(JNIEnv *env, jbyteArray array, jint start, jint len, char *room, size_t room_len) {
    char *octets = room;
    if (len < 0 || (size_t)len > room_len)
        octets = len < 0 ? NULL : malloc((size_t)len);
    if (octets == NULL)
        return NULL;
    (*env)->GetByteArrayRegion(env, array, start, len, (jbyte *)octets);
    if (__builtin_expect(octets != room, 0) && (*env)->ExceptionCheck(env)) {
        free(octets);
        return NULL;
    }
    return octets;
}

static inline void copy_end(char *octets, const char *room) {
    if (octets != room)
        free(octets);
}

/* The whole of `array`, as copy_in gives it; its length goes to `len`. */
static inline char *copy_all(JNIEnv *env, jbyteArray array, size_t *len, char *room, size_t room_len) {
    jint count = (*env)->GetArrayLength(env, array);
    *len = (size_t)count;
    return copy_in(env, array, 0, count, room, room_len);
}

#endif
