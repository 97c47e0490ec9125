/* The body of tests/c/fuzz_body.h, for the fuzzer. */
#include "fuzz_body.h"

void fuzz_abi(const uint8_t *data, size_t len);

void fuzz_abi(const uint8_t *data, size_t len)
{
    fuzz_body(data, len);
}
