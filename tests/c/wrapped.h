/* The functions of the heap, for programs linked with `-Wl,--wrap=malloc` and the like: calls arrive at `__wrap_...`,
 * which may pass them on to `__real_...`. */
#ifndef ROBOTS_TESTS_WRAPPED_H
#define ROBOTS_TESTS_WRAPPED_H

#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void __real_free(void *block);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void __wrap_free(void *block);

#endif
