/* See records_file.h. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, fsync, fileno */
#include "records_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes one record. Returning 1 ends robots_cache_each; stdio remembers the error. */
static uint32_t write_record(void *file, const char *record, size_t len)
{
    unsigned char length[4] = {(unsigned char)(len >> 24), (unsigned char)(len >> 16), (unsigned char)(len >> 8), (unsigned char)len};

    return fwrite(length, 1, sizeof length, file) != sizeof length || fwrite(record, 1, len, file) != len;
}

/* Makes a new name in the folder of a file durable. */
static int sync_folder(const char *path)
{
    const char *end = strrchr(path, '/');
    char *folder = end == NULL ? strdup(".") : strndup(path, (size_t)(end - path) + 1);
    int at = folder == NULL ? -1 : open(folder, O_RDONLY);
    int failed = at < 0 || fsync(at) != 0 ? errno : 0;

    free(folder);
    if (at >= 0)
        close(at);
    return failed;
}

int records_save(const robots_cache *cache, const char *path)
{
    char *beside = malloc(strlen(path) + sizeof ".XXXXXX");
    FILE *file = NULL;
    int at, failed = 0;

    if (beside == NULL)
        return ENOMEM;
    sprintf(beside, "%s.XXXXXX", path);
    at = mkstemp(beside);
    if (at < 0 || (file = fdopen(at, "wb")) == NULL) {
        failed = errno;
    } else {
        if (robots_cache_each(cache, write_record, file) != ROBOTS_OK)
            failed = ENOMEM;
        if (ferror(file) || fflush(file) != 0 || fsync(at) != 0)
            failed = errno != 0 ? errno : EIO;
        if (fclose(file) != 0 && failed == 0)
            failed = errno;
        if (failed == 0 && rename(beside, path) != 0)
            failed = errno;
        if (failed != 0)
            unlink(beside);
    }
    free(beside);
    return failed != 0 ? failed : sync_folder(path);
}

static void import(const robots_cache *cache, const char *record, size_t len, records_loaded *loaded)
{
    switch (robots_cache_import(cache, record, len)) {
    case ROBOTS_OK: loaded->imported++; break;
    case ROBOTS_E_IMAGE_FORMAT: loaded->foreign++; break;
    case ROBOTS_E_MEMORY: loaded->no_room++; break;
    default: loaded->damaged++;
    }
}

int records_load(const robots_cache *cache, const char *path, records_loaded *loaded)
{
    unsigned char length[4];
    size_t count;
    struct stat info;
    FILE *file = fopen(path, "rb");
    int failed = 0;

    memset(loaded, 0, sizeof *loaded);
    if (file == NULL)
        return errno;
    if (fstat(fileno(file), &info) != 0)
        failed = errno;
    while (failed == 0 && (count = fread(length, 1, sizeof length, file)) > 0) {
        size_t len = (size_t)length[0] << 24 | (size_t)length[1] << 16 | (size_t)length[2] << 8 | length[3];
        char *record = NULL;

        if (count < sizeof length || (off_t)len > info.st_size - ftello(file)) { /* without its length, nothing after it can be read */
            loaded->damaged++;
            break;
        }
        if ((record = malloc(len + 1)) == NULL)
            failed = ENOMEM;
        else if (fread(record, 1, len, file) == len)
            import(cache, record, len, loaded);
        free(record);
    }
    if (ferror(file))
        failed = EIO;
    fclose(file);
    return failed;
}
