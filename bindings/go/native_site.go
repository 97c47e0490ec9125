//go:build cgo

package robots

// The calls into the library about origins, fetches and outcomes.

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
#cgo nocallback robots_fetch_status
#cgo noescape robots_fetch_header
#cgo nocallback robots_fetch_header
#cgo nocallback robots_fetch_headers_end
#cgo noescape robots_fetch_body
#cgo nocallback robots_fetch_body
#cgo nocallback robots_fetch_end
#cgo noescape robots_fetch_outcome
#cgo nocallback robots_fetch_outcome
#cgo nocallback robots_fetch_free
#cgo noescape robots_outcome_from_status
#cgo nocallback robots_outcome_from_status
#cgo noescape robots_outcome_encode
#cgo nocallback robots_outcome_encode
#cgo noescape robots_outcome_get
#cgo nocallback robots_outcome_get
#cgo nocallback robots_outcome_rules
#cgo noescape robots_outcome_check
#cgo nocallback robots_outcome_check
#cgo nocallback robots_outcome_free
#cgo noescape robots_outcome_decode
#cgo nocallback robots_outcome_decode

// Writes the key of a URL's origin to the buffer, and after it the URL of the robots.txt.
#cgo noescape go_origin
#cgo nocallback go_origin
static robots_status go_origin(const char *url, size_t len, char *buffer, size_t capacity, size_t *key_len, size_t *url_len)
{
    robots_status status = robots_origin_key(url, len, buffer, capacity, key_len);
    if (status == ROBOTS_OK)
        status = robots_origin_robots_url(url, len, buffer + *key_len, capacity - *key_len, url_len);
    return status;
}
*/
import "C"

import (
	"math"
	"time"
	"unsafe"
)

const (
	optionMaxRedirects         = C.ROBOTS_OPT_MAX_REDIRECTS
	optionOnForbidden          = C.ROBOTS_OPT_ON_FORBIDDEN
	optionOnTooManyRequests    = C.ROBOTS_OPT_ON_TOO_MANY_REQUESTS
	optionOnServerError        = C.ROBOTS_OPT_ON_SERVER_ERROR
	optionOnUnreachable        = C.ROBOTS_OPT_ON_UNREACHABLE
	optionServerErrorIsMissing = C.ROBOTS_OPT_SERVER_ERROR_IS_MISSING
	optionDefaultTTL           = C.ROBOTS_OPT_DEFAULT_TTL
	optionMinTTL               = C.ROBOTS_OPT_MIN_TTL
	optionMaxTTL               = C.ROBOTS_OPT_MAX_TTL
	optionFailureTTL           = C.ROBOTS_OPT_FAILURE_TTL
	optionMaxRetryAfter        = C.ROBOTS_OPT_MAX_RETRY_AFTER
	optionUnreachableTTL       = C.ROBOTS_OPT_UNREACHABLE_TTL
	optionMissingKeepsCopy     = C.ROBOTS_OPT_MISSING_KEEPS_COPY
	optionMissingTTL           = C.ROBOTS_OPT_MISSING_TTL
	optionOnBadRedirect        = C.ROBOTS_OPT_ON_BAD_REDIRECT
	optionNonGlobalRedirects   = C.ROBOTS_OPT_NON_GLOBAL_REDIRECTS
)

type (
	fetchHandle   = *C.robots_fetch
	outcomeHandle = *C.robots_outcome
)

func originOf(url string) (key, robotsURL string, err error) {
	for buffer := make([]byte, 1024); ; buffer = make([]byte, 2*len(buffer)) {
		var keyLen, urlLen C.size_t
		status := C.go_origin(stringStart(url), C.size_t(len(url)), bytesStart(buffer), C.size_t(len(buffer)), &keyLen, &urlLen)
		if status != C.ROBOTS_E_SPACE {
			return string(buffer[:keyLen]), string(buffer[keyLen:][:urlLen]), errorOf(status)
		}
	}
}

func fetchNew(crawler handle, url string, now time.Time) (fetchHandle, error) {
	var fetch fetchHandle
	status := C.robots_fetch_new(crawler, stringStart(url), C.size_t(len(url)), clockOf(now), &fetch)
	return fetch, errorOf(status)
}

func fetchAddCrawler(fetch fetchHandle, crawler handle) error {
	return errorOf(C.robots_fetch_add_crawler(fetch, crawler))
}

func fetchSetPrevious(fetch fetchHandle, outcome outcomeHandle) error {
	return errorOf(C.robots_fetch_set_previous(fetch, outcome))
}

func fetchStep(fetch fetchHandle) Step  { return Step(C.robots_fetch_step(fetch)) }
func fetchURL(fetch fetchHandle) string { return textOf(C.robots_fetch_url(fetch)) }

func fetchHeaders(fetch fetchHandle, each func(name, value string)) {
	c := C.robots_header{size: C.sizeof_robots_header}
	for i := C.size_t(0); C.robots_fetch_request_header(fetch, i, &c) == C.ROBOTS_OK; i++ {
		each(textOf(c.name), textOf(c.value))
	}
}

func fetchStatus(fetch fetchHandle, status int, now time.Time) error {
	return errorOf(C.robots_fetch_status(fetch, httpStatus(status), clockOf(now)))
}

func fetchHeader(fetch fetchHandle, name, value string) error {
	return errorOf(C.robots_fetch_header(fetch, stringStart(name), C.size_t(len(name)), stringStart(value), C.size_t(len(value))))
}

func fetchHeadersEnd(fetch fetchHandle) error { return errorOf(C.robots_fetch_headers_end(fetch)) }

func fetchBody(fetch fetchHandle, piece []byte) error {
	return errorOf(C.robots_fetch_body(fetch, bytesStart(piece), C.size_t(len(piece))))
}

// fetchEnd passes the end of the body, or with a failure that there is no more of it. Without one, now does not count.
func fetchEnd(fetch fetchHandle, failure Failure, now time.Time) error {
	return errorOf(C.robots_fetch_end(fetch, C.uint32_t(failure), clockOf(now)))
}

func fetchOutcome(fetch fetchHandle) (outcomeHandle, error) {
	var outcome outcomeHandle
	status := C.robots_fetch_outcome(fetch, &outcome)
	return outcome, errorOf(status)
}

func fetchFree(fetch fetchHandle) { C.robots_fetch_free(fetch) }

func outcomeFromStatus(crawler handle, url string, status int, body []byte, now time.Time) (outcomeHandle, error) {
	var outcome outcomeHandle
	made := C.robots_outcome_from_status(crawler, stringStart(url), C.size_t(len(url)), httpStatus(status), bytesStart(body),
		C.size_t(len(body)), clockOf(now), &outcome)
	return outcome, errorOf(made)
}

func outcomeDecode(crawlers []handle, record []byte) (outcomeHandle, error) {
	var outcome outcomeHandle
	status := C.robots_outcome_decode(unsafe.SliceData(crawlers), C.size_t(len(crawlers)), bytesStart(record),
		C.size_t(len(record)), &outcome)
	return outcome, errorOf(status)
}

func outcomeEncode(outcome outcomeHandle) ([]byte, error) {
	var record C.robots_str
	if err := errorOf(C.robots_outcome_encode(outcome, &record)); err != nil {
		return nil, err
	}
	return bytesOf(record), nil
}

// outcomeGet returns an outcome without its object.
func outcomeGet(outcome outcomeHandle) *Outcome {
	c := C.robots_outcome_info{size: C.sizeof_robots_outcome_info}
	C.robots_outcome_get(outcome, &c)
	return &Outcome{
		Kind: OutcomeKind(c.kind), Cause: Cause(c.cause), HTTPStatus: int(c.http_status), Hops: int(c.hops),
		Downgraded: c.downgraded != 0, Stale: c.stale != 0, Origin: textOf(c.origin), FinalURL: textOf(c.final_url),
		ETag: textOf(c.etag), LastModified: textOf(c.last_modified), FetchedAt: timeOf(c.fetched_at),
		FreshUntil: timeOf(c.fresh_until), UsableUntil: timeOf(c.usable_until), RetryAt: timeOf(c.retry_at),
		UnreachableSince: timeOf(c.unreachable_since),
	}
}

// outcomeSize returns the size of the rules for all crawlers in bytes.
func outcomeSize(outcome outcomeHandle) int {
	size := 0
	for i := C.size_t(0); ; i++ {
		rules := C.robots_outcome_rules(outcome, i)
		if rules == nil {
			return size
		}
		size += int(C.robots_rules_image(rules).len)
	}
}

// outcomeImage returns the image of the rules for one of the crawlers; nil for an unknown one.
func outcomeImage(outcome outcomeHandle, crawler uint32) []byte {
	return bytesOf(C.robots_rules_image(C.robots_outcome_rules(outcome, C.size_t(crawler))))
}

func outcomeCheck(outcome outcomeHandle, crawler uint32, url string, now time.Time) Verdict {
	return Verdict(C.robots_outcome_check(outcome, C.size_t(crawler), stringStart(url), C.size_t(len(url)), clockOf(now)).bits)
}

func outcomeFree(outcome outcomeHandle) { C.robots_outcome_free(outcome) }

// httpStatus returns 0 for a number that cannot be a status.
func httpStatus(status int) C.uint32_t {
	if status < 0 || status > math.MaxUint16 {
		return 0
	}
	return C.uint32_t(status)
}

// clockOf converts to the library's seconds since 1970.
func clockOf(now time.Time) C.uint64_t { return C.uint64_t(max(now.Unix(), 0)) }

// timeOf converts from the library's seconds: "never" becomes the zero Time, and a later year than 9999 becomes 9999.
func timeOf(seconds C.uint64_t) time.Time {
	const year9999 = 253_402_300_799
	if seconds == math.MaxUint64 {
		return time.Time{}
	}
	return time.Unix(int64(min(seconds, year9999)), 0)
}

// crawlerIndex returns an index that no crawler has for one out of range.
func crawlerIndex(index int) uint32 {
	if index < 0 || index > math.MaxInt32 {
		return math.MaxUint32
	}
	return uint32(index)
}
