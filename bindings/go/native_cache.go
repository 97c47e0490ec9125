//go:build cgo && !librobots_wasm && (librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the library about caches and their tickets.

/*
#include "native.h"

#cgo noescape robots_cache_new
#cgo nocallback robots_cache_new
#cgo nocallback robots_cache_add_crawler
#cgo nocallback robots_cache_set
#cgo noescape robots_cache_outcome
#cgo nocallback robots_cache_outcome
#cgo noescape robots_cache_remove
#cgo nocallback robots_cache_remove
#cgo noescape robots_cache_count
#cgo nocallback robots_cache_count
#cgo noescape robots_cache_import
#cgo nocallback robots_cache_import
#cgo nocallback robots_cache_free

#cgo noescape go_cache_check
#cgo nocallback go_cache_check
// A file that exports a function has only static inline ones.
static inline robots_cache_answer go_cache_check(const robots_cache *cache, size_t crawler, const char *url, size_t len,
                                                 uint64_t now_ms)
{
    robots_cache_answer answer = {.size = sizeof answer};
    robots_cache_check(cache, crawler, url, len, now_ms, &answer);
    return answer;
}

extern uint32_t goCacheRecord(uintptr_t receive, robots_str record);

static inline uint32_t go_cache_record(void *receive, const char *record, size_t len)
{
    robots_str text = {record, len};
    return goCacheRecord((uintptr_t)receive, text);
}

static inline robots_status go_cache_each(const robots_cache *cache, uintptr_t receive)
{
    return robots_cache_each(cache, go_cache_record, (void *)receive);
}

#cgo nocallback robots_ticket_origin
#cgo noescape robots_ticket_fetch
#cgo nocallback robots_ticket_fetch
#cgo nocallback robots_ticket_finish
#cgo nocallback robots_ticket_free
*/
import "C"

import "runtime/cgo"

type (
	cacheHandle  = *C.robots_cache
	ticketHandle = *C.robots_ticket
)

func cacheNew(crawler crawlerHandle, maxBytes uint) (cache cacheHandle, err error) {
	err = errorOf(C.robots_cache_new(crawler, C.size_t(maxBytes), &cache))
	return cache, err
}

func cacheAddCrawler(cache cacheHandle, crawler crawlerHandle) error {
	return errorOf(C.robots_cache_add_crawler(cache, crawler))
}

func cacheSet(cache cacheHandle, option uint32, value uint64) error {
	return errorOf(C.robots_cache_set(cache, C.uint32_t(option), C.uint64_t(value)))
}

func cacheCheck(cache cacheHandle, crawler uint, url string, now uint64) cacheAnswer {
	c := C.go_cache_check(cache, C.size_t(crawler), stringStart(url), C.size_t(len(url)), C.uint64_t(now))
	return cacheAnswer{Verdict(c.verdict.bits), Action(c.action), uint64(c.until_ms), c.ticket}
}

// cacheOutcome returns no handle for an unknown site.
func cacheOutcome(cache cacheHandle, url string) (outcome outcomeHandle, err error) {
	err = errorOf(C.robots_cache_outcome(cache, stringStart(url), C.size_t(len(url)), &outcome))
	return outcome, err
}

func cacheRemove(cache cacheHandle, url string) error {
	return errorOf(C.robots_cache_remove(cache, stringStart(url), C.size_t(len(url))))
}

func cacheCount(cache cacheHandle, out *cacheCounts) error {
	c := C.robots_cache_counts{size: C.sizeof_robots_cache_counts}
	if err := errorOf(C.robots_cache_count(cache, &c)); err != nil {
		return err
	}
	*out = cacheCounts{
		uintptr(c.sites), uintptr(c.bytes),
		uint64(c.hits), uint64(c.stale_hits), uint64(c.fetches), uint64(c.waits), uint64(c.deferred), uint64(c.evicted),
		uintptr(c.images), uintptr(c.saved_bytes),
	}
	return nil
}

// cacheEach calls receive with a copy of each record, until it returns false.
func cacheEach(cache cacheHandle, receive func(record []byte) bool) error {
	handle := cgo.NewHandle(receive)
	defer handle.Delete()
	return errorOf(C.go_cache_each(cache, C.uintptr_t(handle)))
}

//export goCacheRecord
func goCacheRecord(receive C.uintptr_t, record C.robots_str) C.uint32_t {
	if cgo.Handle(receive).Value().(func([]byte) bool)(bytesOf(record)) {
		return 0
	}
	return 1
}

func cacheImport(cache cacheHandle, record []byte) error {
	return errorOf(C.robots_cache_import(cache, bytesStart(record), C.size_t(len(record))))
}

func cacheFree(cache cacheHandle) { C.robots_cache_free(cache) }

func ticketOrigin(ticket ticketHandle) string { return textOf(C.robots_ticket_origin(ticket)) }

func ticketFetch(ticket ticketHandle, now uint64) (fetch fetchHandle, err error) {
	err = errorOf(C.robots_ticket_fetch(ticket, C.uint64_t(now), &fetch))
	return fetch, err
}

func ticketFinish(ticket ticketHandle, outcome outcomeHandle, now uint64) error {
	return errorOf(C.robots_ticket_finish(ticket, outcome, C.uint64_t(now)))
}

func ticketFree(ticket ticketHandle) { C.robots_ticket_free(ticket) }
