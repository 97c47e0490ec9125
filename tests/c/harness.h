/* The C tests' own small harness: a test is a function, a table names them, RUN_TESTS runs the table.
 * Failures are printed where they happen; the last line is always "name: N passed, N failed". */
#ifndef ROBOTS_TESTS_HARNESS_H
#define ROBOTS_TESTS_HARNESS_H

#include <librobots.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    void (*run)(void);
} test;

static const char *harness_test = ""; /* the test that is running */
static unsigned long harness_failures; /* in that test; not for other threads */
static int harness_skipped;            /* that test could not be made here */

/* One check: prints what was expected, goes on afterwards, so that one run shows all that is wrong. */
#define CHECK(condition) \
    ((condition) ? (void)0 : harness_fail(__FILE__, __LINE__, #condition))

/* The same for two numbers, showing the one that came. */
#define CHECK_INT(got, want) \
    harness_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))

/* The same for two verdicts. */
#define CHECK_VERDICT(got, want) CHECK_INT((got).bits, (want).bits)

#define RUN_TESTS(suite, tests) harness_run(suite, tests, sizeof(tests) / sizeof((tests)[0]))

static void harness_fail(const char *file, int line, const char *what)
{
    harness_failures++;
    printf("FAIL %s:%d: %s: not so: %s\n", file, line, harness_test, what);
}

static void harness_int(const char *file, int line, const char *what, long long got, long long want)
{
    if (got == want)
        return;
    harness_failures++;
    printf("FAIL %s:%d: %s: %s is %lld, not %lld\n", file, line, harness_test, what, got, want);
}

/* For a test that this machine does not allow: neither passed nor failed, and it is said why. */
static inline void harness_skip(const char *why)
{
    harness_skipped = 1;
    printf("SKIP %s: %s\n", harness_test, why);
}

static int harness_run(const char *suite, const test *tests, size_t count)
{
    unsigned long passed = 0, failed = 0, skipped = 0;
    size_t i;

    for (i = 0; i < count; i++) {
        harness_test = tests[i].name;
        harness_failures = 0;
        harness_skipped = 0;
        tests[i].run();
        if (harness_failures > 0)
            failed++;
        else if (harness_skipped)
            skipped++;
        else
            passed++;
    }
    printf("%s: %lu passed, %lu failed", suite, passed, failed);
    if (skipped > 0)
        printf(", %lu skipped", skipped);
    putchar('\n');
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
