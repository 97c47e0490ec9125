/* The body of the fuzz target `abi` (fuzz_body.h), without a fuzzer: over every input in fuzz/regressions, and over
 * some that call everything. A fault ends the program. */
#define COUNTS_CALLS
#include <librobots_tools.h>
#include "functions.h"

#include "fuzz_body.h"
#include "harness.h"

#include <dirent.h>

/* The inputs of one target; the number of them. */
static int replay(const char *folder_name)
{
    static uint8_t data[1 << 20];
    DIR *folder = opendir(folder_name);
    struct dirent *entry;
    char path[1024];
    int count = 0;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        FILE *file;
        size_t len;

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder_name, entry->d_name);
        file = fopen(path, "rb");
        CHECK(file != NULL);
        if (file == NULL)
            continue;
        len = fread(data, 1, sizeof data, file);
        CHECK_INT(fclose(file), 0);
        printf("%s\n", path); /* the last one before a crash is the one */
        fuzz_body(data, len);
        count++;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

/* The inputs of all targets: each is an input of this one, too. */
static void what_was_found_stays_fixed(void)
{
    static const char FOLDER[] = "fuzz/regressions";
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;
    char path[512];
    int count = 0;

    CHECK(folder != NULL);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
        count += replay(path);
    }
    if (folder != NULL)
        closedir(folder);
    CHECK(count > 0);
}

/* Functions that take no bytes but those that others take: the tests of misuse call them with all that is wrong. */
static const char *const NOT_FUZZED[] = {
    "status_text", "version_number", "reason_text", "fetch_new", "fetch_add_crawler", "fetch_set",
    "fetch_set_previous", "fetch_report_ftp_reply", "cache_add_crawler", "cache_set", "cache_request", "cache_report_response",
    "cache_count",
    "cache_save", "cache_load", /* they use files: tests/cache/file.rs */
    "page_controls_get", "page_controls_unknown", /* the fuzz target page_controls does */
};

/* Everything that there is to call, in all dialects, is called. */
static void every_function(void)
{
    static const char FILES[][300] = {
        "user-agent: *\ndisallow: /a*b$\nallow: /caf\xc3\xa9\ncrawl-delay: 2\nsitemap: https://example.com/s\n"
        "content-usage: /a train-ai=n\nrequest-rate: 1/5m 0600-0845\ncontent-signal: search=yes\n"
        "\xff\xffhttps://example.com/caf%C3%A9?x#y\xff\xff/axb\xff\xffno url\xff\xff"
        "a=n, b=y;c=(1 2.5 ?0), d=\"x\\\"\"",
        "user-agent: *\nallow: /\xff\xffhttps://example.com/x\xff\xff"
        "\x10\x20\x01\x01\x03\x01\x04\x01\x06\x01\xff\xffhttps://example.org/\xff\xff\x08\x01\x01\x01\x03\x03\xff\xff/b",
        "rbts\x01\x01\xff\xffhttps://example.com/",
        "Googlebot\xff\xff/x",
        "",
    };
    uint8_t data[400];
    size_t file, i;
    unsigned what;

    for (file = 0; file < sizeof FILES / sizeof FILES[0]; file++) {
        for (what = 0; what < 12; what++) {
            size_t len = strlen(FILES[file]);

            data[0] = (uint8_t)what;
            data[1] = (uint8_t)(what / 4);
            data[2] = (uint8_t)(what & 1);
            memcpy(data + 3, FILES[file], len);
            fuzz_sum = 0;
            fuzz_body(data, len + 3);
            CHECK(fuzz_sum > 0 || file > 1);
            fuzz_body(data, what % 4);
        }
    }
    for (i = 0; i < sizeof function_calls / sizeof function_calls[0]; i++) {
        const char *name = FUNCTION_NAMES[i];
        int is_fuzzed = 1;

        for (file = 0; file < sizeof NOT_FUZZED / sizeof NOT_FUZZED[0]; file++)
            is_fuzzed = is_fuzzed && strcmp(name, NOT_FUZZED[file]) != 0;
        if ((function_calls[i] > 0) != is_fuzzed)
            printf("     robots_%s\n", name);
        CHECK_INT(function_calls[i] > 0, is_fuzzed);
    }
}

static const test TESTS[] = {
    {"every_function", every_function},
    {"what_was_found_stays_fixed", what_was_found_stays_fixed},
};

int main(void)
{
    return RUN_TESTS("test_fuzz", TESTS);
}
