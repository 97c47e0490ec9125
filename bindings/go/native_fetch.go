//go:build cgo && !librobots_wasm && (librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the library about fetches and their outcomes.

/*
#include "native.h"

#cgo noescape robots_fetch_new
#cgo nocallback robots_fetch_new
#cgo nocallback robots_fetch_add_crawler
#cgo nocallback robots_fetch_set_previous
#cgo nocallback robots_fetch_step
#cgo nocallback robots_fetch_url
#cgo noescape robots_fetch_request_header
#cgo nocallback robots_fetch_request_header
#cgo nocallback robots_fetch_report_status
#cgo nocallback robots_fetch_report_ftp_reply
#cgo noescape robots_fetch_report_header
#cgo nocallback robots_fetch_report_header
#cgo nocallback robots_fetch_report_headers_end
#cgo noescape robots_fetch_report_body
#cgo nocallback robots_fetch_report_body
#cgo nocallback robots_fetch_report_end
#cgo noescape robots_fetch_outcome
#cgo nocallback robots_fetch_outcome
#cgo nocallback robots_fetch_free

#cgo noescape robots_outcome_from_status
#cgo nocallback robots_outcome_from_status
#cgo noescape robots_outcome_decode
#cgo nocallback robots_outcome_decode
#cgo noescape robots_outcome_encode
#cgo nocallback robots_outcome_encode
#cgo noescape robots_outcome_get
#cgo nocallback robots_outcome_get
#cgo nocallback robots_outcome_rules
#cgo noescape robots_outcome_check
#cgo nocallback robots_outcome_check
#cgo nocallback robots_outcome_free
*/
import "C"

import "unsafe"

type (
	fetchHandle   = *C.robots_fetch
	outcomeHandle = *C.robots_outcome
)

func fetchNew(crawler crawlerHandle, url string, now uint64) (fetch fetchHandle, err error) {
	err = errorOf(C.robots_fetch_new(crawler, stringStart(url), C.size_t(len(url)), C.uint64_t(now), &fetch))
	return fetch, err
}

func fetchAddCrawler(fetch fetchHandle, crawler crawlerHandle) error {
	return errorOf(C.robots_fetch_add_crawler(fetch, crawler))
}

func fetchSetPrevious(fetch fetchHandle, outcome outcomeHandle) error {
	return errorOf(C.robots_fetch_set_previous(fetch, outcome))
}

func fetchStep(fetch fetchHandle) Step { return Step(C.robots_fetch_step(fetch)) }

func fetchURL(fetch fetchHandle) string { return textOf(C.robots_fetch_url(fetch)) }

func fetchRequestHeader(fetch fetchHandle, index uint, out *headerParts) error {
	c := C.robots_header{size: C.sizeof_robots_header}
	if err := errorOf(C.robots_fetch_request_header(fetch, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = headerParts{textOf(c.name), textOf(c.value)}
	return nil
}

func fetchStatus(fetch fetchHandle, status uint32, now uint64) error {
	return errorOf(C.robots_fetch_report_status(fetch, C.uint32_t(status), C.uint64_t(now)))
}

func fetchFTPReply(fetch fetchHandle, reply uint32, now uint64) error {
	return errorOf(C.robots_fetch_report_ftp_reply(fetch, C.uint32_t(reply), C.uint64_t(now)))
}

func fetchHeader(fetch fetchHandle, name, value string) error {
	return errorOf(C.robots_fetch_report_header(fetch, stringStart(name), C.size_t(len(name)), stringStart(value), C.size_t(len(value))))
}

func fetchHeadersEnd(fetch fetchHandle) error {
	return errorOf(C.robots_fetch_report_headers_end(fetch))
}

func fetchBody(fetch fetchHandle, piece []byte) error {
	return errorOf(C.robots_fetch_report_body(fetch, bytesStart(piece), C.size_t(len(piece))))
}

func fetchEnd(fetch fetchHandle, failure Failure, now uint64) error {
	return errorOf(C.robots_fetch_report_end(fetch, C.uint32_t(failure), C.uint64_t(now)))
}

func fetchOutcome(fetch fetchHandle) (outcome outcomeHandle, err error) {
	err = errorOf(C.robots_fetch_outcome(fetch, &outcome))
	return outcome, err
}

func fetchFree(fetch fetchHandle) { C.robots_fetch_free(fetch) }

func outcomeFromStatus(crawler crawlerHandle, url string, status uint32, body []byte, now uint64) (outcome outcomeHandle, err error) {
	err = errorOf(C.robots_outcome_from_status(crawler, stringStart(url), C.size_t(len(url)), C.uint32_t(status),
		bytesStart(body), C.size_t(len(body)), C.uint64_t(now), &outcome))
	return outcome, err
}

func outcomeDecode(crawlers []crawlerHandle, record []byte) (outcome outcomeHandle, err error) {
	err = errorOf(C.robots_outcome_decode(unsafe.SliceData(crawlers), C.size_t(len(crawlers)), bytesStart(record),
		C.size_t(len(record)), &outcome))
	return outcome, err
}

func outcomeEncode(outcome outcomeHandle) ([]byte, error) {
	var record C.robots_str
	if err := errorOf(C.robots_outcome_encode(outcome, &record)); err != nil {
		return nil, err
	}
	return bytesOf(record), nil
}

func outcomeGet(outcome outcomeHandle, out *outcomeParts) error {
	c := C.robots_outcome_info{size: C.sizeof_robots_outcome_info}
	if err := errorOf(C.robots_outcome_get(outcome, &c)); err != nil {
		return err
	}
	*out = outcomeParts{
		Kind: OutcomeKind(c.kind), Cause: Cause(c.cause), HTTPStatus: uint32(c.http_status), Hops: uint32(c.hops),
		Downgraded: uint32(c.downgraded), Stale: uint32(c.stale), FetchedAtMS: uint64(c.fetched_at_ms), FreshUntilMS: uint64(c.fresh_until_ms),
		UsableUntilMS: uint64(c.usable_until_ms), RetryAtMS: uint64(c.retry_at_ms), UnreachableSinceMS: uint64(c.unreachable_since_ms),
		Origin: textOf(c.origin), FinalURL: textOf(c.final_url), ETag: textOf(c.etag), LastModified: textOf(c.last_modified),
	}
	return nil
}

// outcomeSize returns the size of the rules for all crawlers in bytes.
func outcomeSize(outcome outcomeHandle) (size int) {
	for i := C.size_t(0); ; i++ {
		rules := C.robots_outcome_rules(outcome, i)
		if rules == nil {
			return size
		}
		size += int(C.robots_rules_image(rules).len)
	}
}

// outcomeImage returns the image of the rules for a crawler; it is empty if there are none.
func outcomeImage(outcome outcomeHandle, crawler uint) []byte {
	return bytesOf(C.robots_rules_image(C.robots_outcome_rules(outcome, C.size_t(crawler))))
}

func outcomeCheck(outcome outcomeHandle, crawler uint, url string, now uint64) Verdict {
	return Verdict(C.robots_outcome_check(outcome, C.size_t(crawler), stringStart(url), C.size_t(len(url)), C.uint64_t(now)).bits)
}

func outcomeFree(outcome outcomeHandle) { C.robots_outcome_free(outcome) }
