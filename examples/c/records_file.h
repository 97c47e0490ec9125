/* records_file: the records of a cache in a file, for the next run or another program. */
#ifndef RECORDS_FILE_H
#define RECORDS_FILE_H

#include <librobots.h>

/* What was read: records of other crawlers or another format version, damaged ones, and those that the cache had no room
 * for are counted, not fatal. After a damaged length the rest of the file counts as one. */
typedef struct {
    unsigned long imported, foreign, damaged, no_room;
} records_loaded;

/* Writes all records to a file, whole or not at all: to a file beside it, which is synced and then renamed. Each record
 * follows its length, four bytes big-endian, as in the files of Go, Java and Python. Returns 0, or an errno; the file at
 * `path` is then as it was. */
int records_save(const robots_cache *cache, const char *path);

/* Imports the records of a file. Returns 0, or an errno if the file cannot be read; the records before that are imported. */
int records_load(const robots_cache *cache, const char *path, records_loaded *loaded);

#endif
