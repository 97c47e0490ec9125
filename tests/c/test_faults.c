/* Memory that runs out: each good call of each function (calls.h), with its 1st, 2nd, 3rd ... allocation failing until none
 * does. Each time it ends with an error or a result, nothing leaks, and the same call with memory succeeds afterwards.
 *
 * Each try is a process of its own, so that an abort is seen and counted. Where one is tolerated, the row of the call says
 * so: `aborts_up_to` bytes, see SECURITY.md. Linked as test_memory.c is.
 *
 * Environment: FAULTS_SAMPLE=n tries each n-th allocation only, for sanitizers and valgrind, under which a process is
 * dear; FAULTS_TRACE says how many there were. */
#define _DEFAULT_SOURCE /* for fork and mmap beside -std=c11 */

#include "calls.h"
#include "wrapped.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long left = 0;      /* so many allocations from now one fails; 0: none does */
static unsigned long failed;        /* how many did */
static long live;                   /* blocks that the library holds */
static volatile size_t *failed_size; /* of the one that failed; shared with the parent process */

static int granted(size_t size)
{
    if (left == 0 || --left > 0)
        return 1;
    failed++;
    *failed_size = size;
    return 0;
}

static void *counted(void *block)
{
    live += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return granted(size) ? counted(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return granted(count * size) ? counted(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!granted(size))
        return NULL;
    return block != NULL ? __real_realloc(block, size) : counted(__real_realloc(NULL, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return granted(size) ? counted(__real_aligned_alloc(alignment, size)) : NULL;
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    int result = granted(size) ? __real_posix_memalign(out, alignment, size) : 12; /* ENOMEM */

    live += result == 0;
    return result;
}

void __wrap_free(void *block)
{
    live -= block != NULL;
    __real_free(block);
}

/* --- one try: a process ------------------------------------------------------------------------------------------- */

enum { UNHURT = 0, HURT = 1, WRONG = 2 };

/* The good call, with its allocation `which` failing; 0: none. */
static robots_status with_failure(call *c, unsigned long which)
{
    *c = prepared(function_at, row_at);
    left = which;
    make(c);
    left = 0;
    return status_of(c, ROBOTS_E_MEMORY);
}

static int one_try(unsigned long which)
{
    const robots_cache_answer *answer;
    robots_status status;
    long before;
    call c;

    /* What is made once for all, such as what a thread keeps of its own, is made here. */
    set_up();
    must(with_failure(&c, 0));
    check_good(&c);
    release(&c);
    forget_all();

    before = live;
    harness_failures = 0;
    set_up();
    failed = 0;
    status = with_failure(&c, which);
    answer = (const void *)c.blocks[c.f->count > 0 ? c.f->count - 1 : 0]; /* of a row that TAKES_TICKET */
    if (failed == 0)
        check_good(&c);
    else if (status != ROBOTS_OK)
        check_failed(&c, ROBOTS_E_MEMORY);
    else if (row_at->flags & TAKES_TICKET) /* the verdict of a refresh stands without the ticket, nothing else does */
        CHECK_INT(answer->action == ROBOTS_CACHE_FETCH, answer->ticket != NULL && row_at->flags & NOT_ALLOWED);
    else
        check_good(&c);
    release(&c);
    if (status != ROBOTS_OK) {
        status = with_failure(&c, 0);
        if (row_at->flags & ENDS_WITH_ERROR)
            check_failed(&c, ROBOTS_E_STATE);
        else
            check_good(&c);
        release(&c);
    }
    forget_all();
    CHECK_INT(live, before);
    return harness_failures > 0 ? WRONG : failed > 0 ? HURT : UNHURT;
}

/* The status of the process, as `waitpid` gives it. */
static int in_a_process(unsigned long which)
{
    pid_t child;
    int status = -1;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        if (null >= 0)
            dup2(null, STDERR_FILENO);
        status = one_try(which);
        fflush(stdout);
        _exit(status);
    }
    CHECK(child > 0);
    waitpid(child, &status, 0);
    return status;
}

static unsigned long sample = 1; /* each n-th allocation is tried */

static void faults(void)
{
    static unsigned long calls_before;
    unsigned long which, tries = 0, aborts = 0;
    size_t largest = 0;

    /* Under valgrind code that has run before is there for all processes that come from this one. */
    if (sample > 1)
        one_try(0);
    /* Of very many allocations those far down the list are much alike: ever fewer of them are tried. */
    for (which = 1 + calls_before++ % sample; which < 100000; which += sample * (1 + which / 200)) {
        int status = in_a_process(which);

        tries++;

        if (WIFEXITED(status) && WEXITSTATUS(status) == UNHURT)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == HURT)
            continue;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && *failed_size <= row_at->aborts_up_to) {
            aborts++;
            if (*failed_size > largest)
                largest = *failed_size;
            continue;
        }
        printf("FAIL %s: allocation %lu, of %zu bytes: status %#x\n", harness_test, which, *failed_size, (unsigned)status);
        harness_failures++;
    }
    CHECK(which < 100000);
    if (getenv("FAULTS_TRACE") != NULL)
        printf("%s: %lu tries up to allocation %lu, %lu aborts up to %zu\n", harness_test, tries, which, aborts, largest);
    /* What is tolerated and does not happen any more is not to be tolerated. */
    CHECK((row_at->aborts_up_to > 0) == (aborts > 0) || sample > 1);
}

int main(void)
{
    static test tests[MOST_CALLS];

    failed_size = mmap(NULL, sizeof *failed_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (failed_size == MAP_FAILED)
        give_up("mmap", ROBOTS_E_MEMORY);
    setenv("RUST_BACKTRACE", "0", 1); /* what an abort says goes nowhere, and would take most of the time */
    if (getenv("FAULTS_SAMPLE") != NULL && strtoul(getenv("FAULTS_SAMPLE"), NULL, 10) > 0)
        sample = strtoul(getenv("FAULTS_SAMPLE"), NULL, 10);
    return harness_run("faults", tests, tests_of_calls(tests, faults));
}
