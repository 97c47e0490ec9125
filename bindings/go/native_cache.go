//go:build cgo

package robots

// The calls into the library about caches and tickets.

/*
#include "native.h"

#cgo nocallback robots_cache_new
#cgo noescape robots_cache_new
#cgo nocallback robots_cache_add_crawler
#cgo nocallback robots_cache_set
#cgo noescape robots_cache_outcome
#cgo nocallback robots_cache_outcome
#cgo noescape robots_cache_remove
#cgo nocallback robots_cache_remove
#cgo nocallback robots_cache_clear
#cgo noescape robots_cache_count
#cgo nocallback robots_cache_count
#cgo noescape robots_cache_import
#cgo nocallback robots_cache_import
#cgo nocallback robots_cache_free
#cgo nocallback robots_ticket_origin
#cgo noescape robots_ticket_fetch
#cgo nocallback robots_ticket_fetch
#cgo nocallback robots_ticket_finish
#cgo nocallback robots_ticket_free

#cgo noescape go_cache_check
#cgo nocallback go_cache_check
static inline robots_cache_answer go_cache_check(const robots_cache *cache, uint32_t crawler, const char *url, size_t len,
                                          uint64_t now)
{
    robots_cache_answer answer = {.size = sizeof answer};
    robots_cache_check(cache, crawler, url, len, now, &answer);
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
*/
import "C"

import (
	"runtime/cgo"
	"time"
)

type (
	cacheHandle  = *C.robots_cache
	ticketHandle = *C.robots_ticket
)

func cacheNew(crawler handle, maxBytes int) (cacheHandle, error) {
	var cache cacheHandle
	status := C.robots_cache_new(crawler, C.size_t(max(maxBytes, 0)), &cache)
	return cache, errorOf(status)
}

func cacheAddCrawler(cache cacheHandle, crawler handle) error {
	return errorOf(C.robots_cache_add_crawler(cache, crawler))
}

func cacheSetTicketTTL(cache cacheHandle, seconds uint64) error {
	return errorOf(C.robots_cache_set(cache, C.ROBOTS_CACHE_OPT_TICKET_TTL, C.uint64_t(seconds)))
}

func cacheCheck(cache cacheHandle, crawler uint32, url string, now time.Time) (CacheDecision, ticketHandle) {
	c := C.go_cache_check(cache, C.uint32_t(crawler), stringStart(url), C.size_t(len(url)), clockOf(now))
	decision := CacheDecision{Verdict: Verdict(c.verdict.bits), Action: Action(c.action)}
	if c.until != 0 {
		decision.Until = timeOf(c.until)
	}
	return decision, c.ticket
}

// cacheOutcome returns nil for an unknown site.
func cacheOutcome(cache cacheHandle, url string) (outcomeHandle, error) {
	var outcome outcomeHandle
	status := C.robots_cache_outcome(cache, stringStart(url), C.size_t(len(url)), &outcome)
	return outcome, errorOf(status)
}

func cacheRemove(cache cacheHandle, url string) error {
	return errorOf(C.robots_cache_remove(cache, stringStart(url), C.size_t(len(url))))
}

func cacheClear(cache cacheHandle) { C.robots_cache_clear(cache) }
func cacheFree(cache cacheHandle)  { C.robots_cache_free(cache) }

func cacheCount(cache cacheHandle) (sites, bytes int) {
	c := C.robots_cache_counts{size: C.sizeof_robots_cache_counts}
	C.robots_cache_count(cache, &c)
	return int(c.sites), int(c.bytes)
}

func cacheImport(cache cacheHandle, record []byte) error {
	return errorOf(C.robots_cache_import(cache, bytesStart(record), C.size_t(len(record))))
}

// cacheEach calls receive with a copy of each record, until it returns false. receive must not panic or end its goroutine.
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

func ticketOrigin(ticket ticketHandle) string { return textOf(C.robots_ticket_origin(ticket)) }

func ticketFetch(ticket ticketHandle, now time.Time) (fetchHandle, error) {
	var fetch fetchHandle
	status := C.robots_ticket_fetch(ticket, clockOf(now), &fetch)
	return fetch, errorOf(status)
}

func ticketFinish(ticket ticketHandle, outcome outcomeHandle, now time.Time) error {
	return errorOf(C.robots_ticket_finish(ticket, outcome, clockOf(now)))
}

func ticketFree(ticket ticketHandle) { C.robots_ticket_free(ticket) }
