/* What the soak has on the heap, library and test together. Linked with `-Wl,--wrap=malloc` and the like. */
#ifndef ROBOTS_TESTS_SOAK_MEMORY_H
#define ROBOTS_TESTS_SOAK_MEMORY_H

#include "wrapped.h"

#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long live_blocks, live_octets, all_blocks; /* atomic */

static void count(void *block, long sign)
{
    if (block == NULL)
        return;
    __atomic_fetch_add(&live_blocks, sign, __ATOMIC_RELAXED);
    __atomic_fetch_add(&live_octets, sign * (long)malloc_usable_size(block), __ATOMIC_RELAXED);
    if (sign > 0)
        __atomic_fetch_add(&all_blocks, 1, __ATOMIC_RELAXED);
}

static void *counted(void *block)
{
    count(block, 1);
    return block;
}

void *__wrap_malloc(size_t size) { return counted(__real_malloc(size)); }
void *__wrap_calloc(size_t number, size_t size) { return counted(__real_calloc(number, size)); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) { return counted(__real_aligned_alloc(alignment, size)); }

void *__wrap_realloc(void *block, size_t size)
{
    void *moved;

    count(block, -1);
    moved = __real_realloc(block, size);
    if (moved == NULL && size > 0)
        count(block, 1); /* it stays where it was */
    return counted(moved);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    int result = __real_posix_memalign(out, alignment, size);

    if (result == 0)
        count(*out, 1);
    return result;
}

void __wrap_free(void *block)
{
    count(block, -1);
    __real_free(block);
}

static long live(void)
{
    return __atomic_load_n(&live_octets, __ATOMIC_RELAXED);
}

/* The resident memory of the process in KiB; 0 where the system does not say. */
static long resident(void)
{
    long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");

    if (statm == NULL)
        return 0;
    if (fscanf(statm, "%*s %ld", &pages) != 1)
        pages = 0;
    fclose(statm);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

#endif
