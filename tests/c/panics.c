/* Panics: each C function is called with one waiting inside it (src/ffi/inject.rs), and then once more without. The
 * first call returns ROBOTS_E_PANIC, or what its comment calls the result of an error, with safe outputs; the second shows
 * that the library and the same objects are as they were. calls.h has the calls. Needs a library with the feature
 * inject-panics, so it is no test_*.c. */
#include "calls.h"

uint32_t robots_inject_panic(uint32_t arm);

static void panics(void)
{
    /* It returns a constant: there is nothing in it that a panic could come from. */
    int never = is(function_at, "version_number");
    call c;

    set_up();
    c = prepared(function_at, row_at);
    robots_inject_panic(1);
    make(&c);
    CHECK_INT(robots_inject_panic(0), never); /* it has come */
    check_failed(&c, ROBOTS_E_PANIC);
    release(&c);
    c = prepared(function_at, row_at);
    make(&c);
    check_good(&c);
    release(&c);
}

int main(void)
{
    static test tests[MOST_CALLS];

    return harness_run("panics", tests, tests_of_calls(tests, panics));
}
