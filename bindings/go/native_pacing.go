//go:build cgo && !librobots_wasm && (librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the library about slots and records.

/*
#include "native.h"

#cgo noescape go_cache_request
#cgo nocallback go_cache_request
static robots_cache_answer go_cache_request(const robots_cache *cache, size_t crawler, const char *url, size_t len,
                                            uint64_t slot_ms, uint64_t now_ms)
{
    robots_cache_answer answer = {.size = sizeof answer};
    answer.verdict = robots_cache_request(cache, crawler, url, len, (robots_slot){slot_ms}, now_ms, &answer);
    return answer;
}

#cgo noescape robots_cache_report_response
#cgo nocallback robots_cache_report_response

#cgo noescape go_cache_crawl_delay
#cgo nocallback go_cache_crawl_delay
static robots_status go_cache_crawl_delay(const robots_cache *cache, const char *url, size_t len, double *seconds)
{
    robots_outcome *outcome = NULL;
    robots_status status = robots_cache_outcome(cache, url, len, &outcome);
    *seconds = robots_rules_crawl_delay(robots_outcome_rules(outcome, 0));
    robots_outcome_free(outcome);
    return status;
}

#cgo noescape robots_cache_save
#cgo nocallback robots_cache_save
#cgo noescape robots_cache_load
#cgo nocallback robots_cache_load

#cgo noescape robots_record_check
#cgo nocallback robots_record_check
*/
import "C"

import "syscall"

func cacheRequest(cache cacheHandle, crawler uint, url string, held, now uint64) (cacheAnswer, slot) {
	c := C.go_cache_request(cache, C.size_t(crawler), stringStart(url), C.size_t(len(url)), C.uint64_t(held), C.uint64_t(now))
	answer := cacheAnswer{Verdict(c.verdict.bits), Action(c.action), uint64(c.until_ms), c.ticket}
	return answer, slot{uint64(c.slot.at_ms), uint64(c.crawl_delay_ms), uint64(c.crawl_delay_cut)}
}

func cacheRetryAfter(cache cacheHandle, url string, status uint32, value string, now uint64) error {
	return errorOf(C.robots_cache_report_response(cache, stringStart(url), C.size_t(len(url)), C.uint32_t(status), stringStart(value),
		C.size_t(len(value)), C.uint64_t(now)))
}

func cacheCrawlDelay(cache cacheHandle, url string) (float64, error) {
	var seconds C.double
	err := errorOf(C.go_cache_crawl_delay(cache, stringStart(url), C.size_t(len(url)), &seconds))
	return float64(seconds), err
}

func cacheSave(cache cacheHandle, path string) (LoadedRecords, error) {
	c := C.robots_cache_file{size: C.sizeof_robots_cache_file}
	status := C.robots_cache_save(cache, stringStart(path), C.size_t(len(path)), &c)
	return recordsOf(&c, status)
}

func cacheLoad(cache cacheHandle, path string) (LoadedRecords, error) {
	c := C.robots_cache_file{size: C.sizeof_robots_cache_file}
	status := C.robots_cache_load(cache, stringStart(path), C.size_t(len(path)), &c)
	return recordsOf(&c, status)
}

func recordsOf(c *C.robots_cache_file, status C.robots_status) (LoadedRecords, error) {
	err := errorOf(status)
	if status == C.ROBOTS_E_FILE && c.os_error != 0 {
		err = syscall.Errno(c.os_error)
	}
	return LoadedRecords{int(c.records), int(c.foreign), int(c.damaged), int(c.no_room)}, err
}

func recordCheck(record []byte, crawler uint, url string, now uint64) Verdict {
	verdict := C.robots_record_check(bytesStart(record), C.size_t(len(record)), C.size_t(crawler), stringStart(url),
		C.size_t(len(url)), C.uint64_t(now))
	return Verdict(verdict.bits)
}
