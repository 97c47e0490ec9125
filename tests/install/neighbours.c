/* Several copies of librobots in one process: the one this program is linked with, and those that it loads by name
 * (the arguments). And, with -DNEIGHBOUR, another Rust library beside it. */
#define _GNU_SOURCE /* dlvsym */
#include <librobots.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COPIES = 8 };

typedef struct {
    robots_status (*crawler_new)(const char *, size_t, robots_crawler **);
    void (*crawler_free)(robots_crawler *);
    robots_status (*rules_parse)(const robots_crawler *, const char *, size_t, robots_rules **);
    robots_verdict (*rules_check)(const robots_rules *, const char *, size_t);
    void (*rules_free)(robots_rules *);
} copy;

static const copy linked = {robots_crawler_new, robots_crawler_free, robots_rules_parse, robots_rules_check,
                            robots_rules_free};

/* Each library is loaded on its own; a function pointer is taken out of a data pointer as POSIX has it. */
static int load(const char *path, int flags, copy *made)
{
    void *library = dlopen(path, RTLD_NOW | flags);

    if (library == NULL) {
        printf("FAIL %s\n", dlerror());
        return 0;
    }
    *(void **)&made->crawler_new = dlsym(library, "robots_crawler_new");
    *(void **)&made->crawler_free = dlsym(library, "robots_crawler_free");
    *(void **)&made->rules_parse = dlsym(library, "robots_rules_parse");
    *(void **)&made->rules_check = dlvsym(library, "robots_rules_check", "ROBOTS_0");
    *(void **)&made->rules_free = dlsym(library, "robots_rules_free");
    return made->crawler_new && made->crawler_free && made->rules_parse && made->rules_check && made->rules_free;
}

/* All copies at work at once, each with rules of its own: copy i disallows /i and nothing else. */
static int work_together(const copy *copies, int count)
{
    robots_crawler *crawlers[MOST_COPIES] = {NULL};
    robots_rules *rules[MOST_COPIES] = {NULL};
    char text[64];
    int i, j, wrong = 0;

    for (i = 0; i < count; i++) {
        size_t len = (size_t)sprintf(text, "user-agent: *\ndisallow: /%d\n", i);

        wrong += copies[i].crawler_new("ExampleBot", 10, &crawlers[i]) != ROBOTS_OK;
        wrong += copies[i].rules_parse(crawlers[i], text, len, &rules[i]) != ROBOTS_OK;
    }
    for (i = 0; i < count; i++)
        for (j = 0; j < count; j++) {
            size_t len = (size_t)sprintf(text, "/%d", j);

            wrong += ROBOTS_VERDICT_ALLOWED(copies[i].rules_check(rules[i], text, len)) != (i != j);
            wrong += i != j && copies[i].rules_check == copies[j].rules_check; /* really another copy */
        }
    for (i = 0; i < count; i++) {
        copies[i].rules_free(rules[i]);
        copies[i].crawler_free(crawlers[i]);
    }
    return wrong;
}

#ifdef NEIGHBOUR
uint32_t neighbour_works(uint32_t words);
#endif

int main(int argc, char **argv)
{
    copy copies[MOST_COPIES];
    int i, wrong;

    copies[0] = linked;
    for (i = 1; i < argc && i < MOST_COPIES; i++)
        if (!load(argv[i], i % 2 == 0 ? RTLD_GLOBAL : RTLD_LOCAL, &copies[i]))
            return 1;
    wrong = work_together(copies, argc);
#ifdef NEIGHBOUR
    wrong += neighbour_works(100) != 4950;
    wrong += work_together(copies, argc); /* also after the neighbour unwound */
#endif
    if (wrong != 0)
        printf("FAIL %d wrong answers of %d copies\n", wrong, argc);
    return wrong != 0;
}
