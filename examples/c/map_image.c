/* map_image: compile a robots.txt once, then decide by the file it became, in place, from any process.
 *
 *     map_image --compile ROBOTS_TXT TOKEN IMAGE      writes the image
 *     map_image IMAGE URL...                          maps it and decides
 *     cc -std=c99 examples/c/map_image.c $(pkg-config --cflags --libs librobots) -o map_image
 *
 * Exit status: 0 all URLs are allowed (or the image is written), 1 some are not, 2 something was wrong.
 *
 * An image needs no parsing and no copy: processes that map one file share its memory, and the first answer costs
 * no more than the pages it touches. robots_image_check trusts nothing, so a damaged file is an error or a wrong
 * answer, never a crash. Only one thing must not happen: that somebody shortens the file while it is mapped. So an
 * image is never written over; a new file is written and takes the name of the old one, whose memory lives as long as
 * it is mapped.
 */
#define _POSIX_C_SOURCE 200809L
#include <librobots.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALL_ALLOWED = 0, SOME_DISALLOWED = 1, FAILED = 2 };

/* A file in memory; `ptr` is NULL when that failed, and a sentence was printed. An empty file cannot be mapped, and
 * needs no memory. */
static robots_str map_file(const char *path)
{
    static const char nothing[1] = "";
    robots_str file = {NULL, 0};
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor >= 0 && fstat(descriptor, &about) == 0) {
        file.len = (size_t)about.st_size;
        if (file.len == 0 && S_ISREG(about.st_mode)) {
            file.ptr = nothing;
        } else {
            void *memory = mmap(NULL, file.len, PROT_READ, MAP_SHARED, descriptor, 0);
            file.ptr = memory != MAP_FAILED ? memory : NULL;
        }
    }
    if (file.ptr == NULL)
        fprintf(stderr, "map_image: cannot map %s: %s\n", path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return file;
}

static void unmap(robots_str file)
{
    if (file.len > 0)
        munmap((void *)file.ptr, file.len);
}

/* Writes a new file beside `path`, which then takes its name: a process that has mapped the old one keeps it. */
static int write_file(const char *path, robots_str bytes)
{
    size_t room = strlen(path) + sizeof ".XXXXXX";
    char *beside = malloc(room);
    FILE *out = NULL;
    int descriptor = -1, is_written = 0;

    if (beside != NULL) {
        snprintf(beside, room, "%s.XXXXXX", path);
        descriptor = mkstemp(beside);
    }
    if (descriptor >= 0 && (out = fdopen(descriptor, "wb")) != NULL) {
        is_written = fwrite(bytes.ptr, 1, bytes.len, out) == bytes.len;
        is_written = fchmod(descriptor, 0644) == 0 && is_written; /* mkstemp lets nobody else read it */
        is_written = fclose(out) == 0 && is_written && rename(beside, path) == 0;
    }
    if (!is_written) {
        fprintf(stderr, "map_image: cannot write %s: %s\n", path, strerror(errno));
        if (descriptor >= 0)
            unlink(beside);
    }
    free(beside);
    return is_written;
}

static int compile(const char *robots_txt, const char *token, const char *path)
{
    robots_crawler *crawler = NULL;
    robots_rules *rules = NULL;
    robots_str body = map_file(robots_txt), image;
    robots_status status;
    int result = FAILED;

    if (body.ptr == NULL)
        return FAILED;
    status = robots_crawler_new(token, strlen(token), &crawler);
    if (status == ROBOTS_OK)
        status = robots_rules_parse(crawler, body.ptr, body.len, &rules);
    if (status == ROBOTS_OK) {
        image = robots_rules_image(rules); /* borrowed: it lives as long as the rules */
        if (write_file(path, image)) {
            printf("%s: %lu bytes of robots.txt became %lu\n", path, (unsigned long)body.len, (unsigned long)image.len);
            result = ALL_ALLOWED;
        }
    } else {
        fprintf(stderr, "map_image: %s\n", robots_status_text(status));
    }
    robots_rules_free(rules);
    robots_crawler_free(crawler);
    unmap(body);
    return result;
}

/* Decides one URL and prints its row. Returns one of the exit statuses. */
static int decide(robots_str image, const char *url)
{
    robots_verdict verdict = robots_image_check(image.ptr, image.len, url, strlen(url));
    robots_status status = ROBOTS_VERDICT_STATUS(verdict);

    if (status != ROBOTS_OK) {
        printf("%-10s  %4s  %s: %s\n", "error", "-", url, robots_status_text(status));
        return FAILED;
    }
    printf("%-10s  %4lu  %s\n", ROBOTS_VERDICT_ALLOWED(verdict) ? "allowed" : "disallowed",
           (unsigned long)ROBOTS_VERDICT_LINE(verdict), url);
    return ROBOTS_VERDICT_ALLOWED(verdict) ? ALL_ALLOWED : SOME_DISALLOWED;
}

int main(int argc, char **argv)
{
    robots_str image;
    int worst = ALL_ALLOWED, i;

    if (argc == 5 && strcmp(argv[1], "--compile") == 0)
        return compile(argv[2], argv[3], argv[4]);
    if (argc < 3 || argv[1][0] == '-') {
        fprintf(stderr, "usage: map_image --compile ROBOTS_TXT TOKEN IMAGE\n"
                        "       map_image IMAGE URL...\n");
        return FAILED;
    }
    image = map_file(argv[1]);
    if (image.ptr == NULL)
        return FAILED;
    for (i = 2; i < argc; i++) {
        int result = decide(image, argv[i]);
        worst = result > worst ? result : worst;
    }
    unmap(image);
    return worst;
}
