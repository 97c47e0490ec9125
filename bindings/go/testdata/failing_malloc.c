/* Preloaded by the Go tests: one allocation of one thread fails. The file that ROBOTS_FAILING_MALLOC names says which. glibc. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static struct {
    int64_t thread; /* 0: none */
    int64_t before; /* how many allocations succeed before the one that fails; negative after it */
} volatile *plan;

__attribute__((constructor)) static void start(void)
{
    int file = open(getenv("ROBOTS_FAILING_MALLOC"), O_RDWR);
    void *map = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    if (map == MAP_FAILED)
        abort();
    plan = map;
}

static int fails(void)
{
    return plan != NULL && plan->thread != 0 && plan->thread == syscall(SYS_gettid) && plan->before-- == 0;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
