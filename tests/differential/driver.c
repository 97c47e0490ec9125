/* The differential test's driver for C; wire.rs says what it reads and writes. */
#include "../c/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 0, ANSWER = 1 };

typedef struct {
    char *ptr;
    uint32_t len;
} text;

typedef struct {
    text *all;
    uint32_t count;
} list;

typedef struct {
    uint32_t number;
    uint64_t value;
} option;

static void give_up(const char *what)
{
    fprintf(stderr, "driver.c: %s\n", what);
    exit(2);
}

static void *room(size_t len)
{
    void *start = malloc(len > 0 ? len : 1);

    if (start == NULL)
        give_up("no memory");
    return start;
}

/* Little-endian machines only, as all of this test. */
static uint32_t read_number(void)
{
    uint32_t number;

    if (fread(&number, sizeof number, 1, stdin) != 1)
        give_up("the question ends early");
    return number;
}

/* In a block of exactly its size, so that sanitizers see a read past it. */
static text read_text(void)
{
    text read;

    read.len = read_number();
    read.ptr = room(read.len);
    if (fread(read.ptr, 1, read.len, stdin) != read.len)
        give_up("the question ends early");
    return read;
}

static list read_list(void)
{
    list read;
    uint32_t i;

    read.count = read_number();
    read.all = room(read.count * sizeof *read.all);
    for (i = 0; i < read.count; i++)
        read.all[i] = read_text();
    return read;
}

static void free_list(list read)
{
    uint32_t i;

    for (i = 0; i < read.count; i++)
        free(read.all[i].ptr);
    free(read.all);
}

static void write_number(uint32_t number) { fwrite(&number, sizeof number, 1, stdout); }
static void write_word(uint64_t word) { fwrite(&word, sizeof word, 1, stdout); }

static void write_text(const char *ptr, size_t len)
{
    write_number((uint32_t)len);
    fwrite(ptr, 1, len, stdout);
}

static void write_way(const char *name, uint32_t kind)
{
    write_text(name, strlen(name));
    write_number(kind);
}

static void write_answers(const char *name, robots_status status, const uint8_t *answers, uint32_t count)
{
    uint32_t i;

    if (status != ROBOTS_OK)
        give_up(name);
    write_way(name, ANSWER);
    for (i = 0; i < count; i++)
        write_word(answers[i]);
}

static void ask(const robots_rules *rules, list urls)
{
    robots_str image = robots_rules_image(rules);
    robots_rules *again, *borrowed;
    uint64_t *offsets = room((urls.count + 1) * sizeof *offsets);
    uint8_t *answers = room(urls.count);
    char *joined;
    uint32_t i;

    if (robots_rules_from_image(image.ptr, image.len, &again) != ROBOTS_OK)
        give_up("the library refuses its own image");
    if (robots_rules_borrow_image(image.ptr, image.len, &borrowed) != ROBOTS_OK)
        give_up("the library borrows no image of its own");
    write_number(6);
    write_way("robots_rules_check", WORD);
    for (i = 0; i < urls.count; i++)
        write_word(robots_rules_check(rules, urls.all[i].ptr, urls.all[i].len).bits);
    write_way("robots_rules_check, from an image", WORD);
    for (i = 0; i < urls.count; i++)
        write_word(robots_rules_check(again, urls.all[i].ptr, urls.all[i].len).bits);
    write_way("robots_image_check", WORD);
    for (i = 0; i < urls.count; i++)
        write_word(robots_image_check(image.ptr, image.len, urls.all[i].ptr, urls.all[i].len).bits);
    write_way("robots_rules_check, of a borrowed image", WORD);
    for (i = 0; i < urls.count; i++)
        write_word(robots_rules_check(borrowed, urls.all[i].ptr, urls.all[i].len).bits);

    offsets[0] = 0;
    for (i = 0; i < urls.count; i++)
        offsets[i + 1] = offsets[i] + urls.all[i].len;
    joined = room(offsets[urls.count]);
    for (i = 0; i < urls.count; i++)
        memcpy(joined + offsets[i], urls.all[i].ptr, urls.all[i].len);
    write_answers("robots_rules_check_batch", robots_rules_check_batch(rules, joined, offsets, urls.count, answers),
                  answers, urls.count);
    write_answers("robots_rules_check_batch, of a borrowed image",
                  robots_rules_check_batch(borrowed, joined, offsets, urls.count, answers), answers, urls.count);
    free(joined);
    free(answers);
    free(offsets);
    robots_rules_free(borrowed);
    robots_rules_free(again);
}

static option read_option(void)
{
    text name = read_text();
    option read = {0, 0};
    size_t i;

    for (i = 0; i < OPTION_COUNT; i++) {
        if (strlen(option_rows[i].name) == name.len && memcmp(option_rows[i].name, name.ptr, name.len) == 0)
            read.number = option_rows[i].number;
    }
    if (read.number == 0)
        give_up("tests/c/options.h lacks an option of the question: run `make api`");
    free(name.ptr);
    if (fread(&read.value, 1, sizeof read.value, stdin) != sizeof read.value)
        give_up("the question ends early");
    return read;
}

static robots_status make(const option *options, uint32_t count, list tokens, robots_crawler **out)
{
    robots_status status;
    uint32_t i;

    *out = NULL;
    if (tokens.count == 0)
        return ROBOTS_E_TOKEN;
    status = robots_crawler_new(tokens.all[0].ptr, tokens.all[0].len, out);
    for (i = 0; status == ROBOTS_OK && i < count; i++)
        status = robots_crawler_set(*out, options[i].number, options[i].value);
    for (i = 1; status == ROBOTS_OK && i < tokens.count; i++)
        status = robots_crawler_add_token(*out, tokens.all[i].ptr, tokens.all[i].len);
    return status;
}

static void answer(uint32_t count)
{
    option options[OPTION_COUNT];
    uint32_t i;
    list tokens, urls;
    text body;
    robots_crawler *crawler;
    robots_rules *rules = NULL;
    robots_status status;

    if (count > OPTION_COUNT)
        give_up("the question has more options than tests/c/options.h");
    for (i = 0; i < count; i++)
        options[i] = read_option();
    tokens = read_list();
    body = read_text();
    urls = read_list();
    status = make(options, count, tokens, &crawler);
    if (status == ROBOTS_OK)
        status = robots_rules_parse(crawler, body.ptr, body.len, &rules);
    robots_crawler_free(crawler);
    write_number((uint32_t)status);
    if (status == ROBOTS_OK) {
        double delay = robots_rules_crawl_delay(rules);
        robots_str image = robots_rules_image(rules);
        uint64_t bits = UINT64_MAX;
        robots_str one;
        uint32_t sitemap = 0;

        if (!isnan(delay))
            memcpy(&bits, &delay, sizeof bits);
        write_word(bits);
        while (robots_rules_sitemap(rules, sitemap, &one) == ROBOTS_OK)
            sitemap++;
        write_number(sitemap);
        for (sitemap = 0; robots_rules_sitemap(rules, sitemap, &one) == ROBOTS_OK; sitemap++)
            write_text(one.ptr, one.len);
        write_text(image.ptr, image.len);
        ask(rules, urls);
    }
    robots_rules_free(rules);
    free_list(urls);
    free(body.ptr);
    free_list(tokens);
    fflush(stdout);
}

int main(void)
{
    uint32_t dialect;

    while (fread(&dialect, sizeof dialect, 1, stdin) == 1)
        answer(dialect);
    return 0;
}
