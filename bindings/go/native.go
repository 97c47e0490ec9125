//go:build cgo && !librobots_wasm && (librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the library about crawlers and rules, and the conversions of all calls. None of them keeps a pointer, and none
// but cacheEach calls back: noescape and nocallback let the caller's variables stay on the stack.

/*
#include "native.h"

#cgo noescape robots_crawler_new
#cgo nocallback robots_crawler_new
#cgo noescape robots_crawler_preset
#cgo nocallback robots_crawler_preset
#cgo noescape robots_crawler_add_token
#cgo nocallback robots_crawler_add_token
#cgo noescape robots_crawler_add_names_in
#cgo nocallback robots_crawler_add_names_in
#cgo nocallback robots_crawler_set
#cgo nocallback robots_crawler_free
#cgo nocallback robots_rules_free
#cgo noescape go_validate
#cgo nocallback go_validate
#cgo noescape robots_image_check
#cgo nocallback robots_image_check
#cgo nocallback robots_status_text
#cgo noescape robots_check_once
#cgo nocallback robots_check_once
#cgo noescape robots_rule_list_get
#cgo nocallback robots_rule_list_get
#cgo nocallback robots_rule_list_free

// The token is header[*start] to header[*start + *token_len].
#cgo noescape go_token_from_user_agent
#cgo nocallback go_token_from_user_agent
static robots_status go_token_from_user_agent(const char *header, size_t len, size_t *start, size_t *token_len)
{
    robots_str token;
    robots_status status = robots_token_from_user_agent(header, len, &token);
    if (status == ROBOTS_OK) {
        *start = (size_t)(token.ptr - header);
        *token_len = token.len;
    }
    return status;
}

// New rules and their image, returned by one call.
typedef struct {
    robots_status status;
    robots_rules *rules;
    robots_str image;
} go_made;

static go_made go_with_image(robots_status status, robots_rules *rules)
{
    go_made made = {status, rules, robots_rules_image(rules)};
    return made;
}

#cgo noescape go_parse
#cgo nocallback go_parse
static go_made go_parse(const robots_crawler *crawler, const char *body, size_t len)
{
    robots_rules *rules;
    robots_status status = robots_rules_parse(crawler, body, len, &rules);
    return go_with_image(status, rules);
}

#cgo nocallback go_site_wide
static go_made go_site_wide(uint32_t allow)
{
    robots_rules *rules;
    robots_status status = robots_rules_site_wide(allow, &rules);
    return go_with_image(status, rules);
}

// URL i ends at ends[i], where URL i + 1 starts.
#cgo noescape go_check_many
#cgo nocallback go_check_many
static void go_check_many(const char *image, size_t len, const char *text, const size_t *ends, size_t count,
                          robots_verdict *verdicts)
{
    size_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++])
        verdicts[i] = robots_image_check(image, len, text + start, ends[i] - start);
}

// The functions below borrow an image in Go memory and end with its rules: no pointer to Go memory stays in C.

static robots_status go_validate(const char *image, size_t len)
{
    robots_rules *rules;
    robots_status status = robots_rules_from_image(image, len, &rules);
    robots_rules_free(rules);
    return status;
}

#cgo noescape go_crawl_delay
#cgo nocallback go_crawl_delay
static robots_status go_crawl_delay(const char *image, size_t len, double *seconds)
{
    robots_rules *rules;
    robots_status status = robots_rules_borrow_image(image, len, &rules);
    *seconds = robots_rules_crawl_delay(rules);
    robots_rules_free(rules);
    return status;
}

// The sitemap is image[*start] to image[*start + *sitemap_len].
#cgo noescape go_sitemap
#cgo nocallback go_sitemap
static robots_status go_sitemap(const char *image, size_t len, size_t index, size_t *start, size_t *sitemap_len)
{
    robots_rules *rules;
    robots_str sitemap;
    robots_status status = robots_rules_borrow_image(image, len, &rules);
    if (status == ROBOTS_OK)
        status = robots_rules_sitemap(rules, index, &sitemap);
    if (status == ROBOTS_OK) {
        *start = sitemap.len > 0 ? (size_t)(sitemap.ptr - image) : 0;
        *sitemap_len = sitemap.len;
    }
    robots_rules_free(rules);
    return status;
}

#cgo noescape go_rule_list
#cgo nocallback go_rule_list
static robots_status go_rule_list(const char *image, size_t len, robots_rule_list **list)
{
    robots_rules *rules;
    robots_status status = robots_rules_borrow_image(image, len, &rules);
    if (status == ROBOTS_OK)
        status = robots_rule_list_new(rules, list);
    robots_rules_free(rules);
    return status;
}

#cgo noescape robots_origin_key
#cgo nocallback robots_origin_key
#cgo noescape robots_url_to_send
#cgo nocallback robots_url_to_send
*/
import "C"

import (
	"slices"
	"strings"
	"unsafe"
)

type (
	crawlerHandle  = *C.robots_crawler
	ruleListHandle = *C.robots_rule_list
)

// A rulesID is needed without cgo only: the library reads an image where it is.
type rulesID struct{}

func newRulesID() rulesID { return rulesID{} }

// weightOf returns the Go memory that makes the garbage collector see an object of size bytes.
func weightOf(size int) int { return size }

func crawlerNew(token string) (crawler crawlerHandle, err error) {
	err = errorOf(C.robots_crawler_new(stringStart(token), C.size_t(len(token)), &crawler))
	return crawler, err
}

func crawlerPreset(name string) (crawler crawlerHandle, err error) {
	err = errorOf(C.robots_crawler_preset(stringStart(name), C.size_t(len(name)), &crawler))
	return crawler, err
}

func tokenFromUserAgent(header string) (string, error) {
	var start, length C.size_t
	err := errorOf(C.go_token_from_user_agent(stringStart(header), C.size_t(len(header)), &start, &length))
	return header[start:][:length], err
}

func crawlerAddToken(crawler crawlerHandle, token string) error {
	return errorOf(C.robots_crawler_add_token(crawler, stringStart(token), C.size_t(len(token))))
}

func crawlerAddNamesIn(crawler crawlerHandle, text string) error {
	return errorOf(C.robots_crawler_add_names_in(crawler, stringStart(text), C.size_t(len(text))))
}

func crawlerSet(crawler crawlerHandle, option uint32, value uint64) error {
	return errorOf(C.robots_crawler_set(crawler, C.uint32_t(option), C.uint64_t(value)))
}

func crawlerFree(crawler crawlerHandle) { C.robots_crawler_free(crawler) }

func parse(crawler crawlerHandle, body []byte) (*Rules, error) {
	return collect(C.go_parse(crawler, bytesStart(body), C.size_t(len(body))))
}

func siteWide(allow bool) (*Rules, error) {
	if allow {
		return collect(C.go_site_wide(C.ROBOTS_ALLOWED))
	}
	return collect(C.go_site_wide(C.ROBOTS_DISALLOWED))
}

// collect copies the image to Go memory and frees the native rules.
func collect(made C.go_made) (*Rules, error) {
	if err := errorOf(made.status); err != nil {
		return nil, err
	}
	rules := newRules(bytesOf(made.image))
	C.robots_rules_free(made.rules)
	return rules, nil
}

func validate(image []byte) error {
	return errorOf(C.go_validate(bytesStart(image), C.size_t(len(image))))
}

func check(r *Rules, url string) Verdict {
	return Verdict(C.robots_image_check(bytesStart(r.image), C.size_t(len(r.image)), stringStart(url), C.size_t(len(url))).bits)
}

func checkOnce(crawler crawlerHandle, body []byte, url string) Verdict {
	return Verdict(C.robots_check_once(crawler, bytesStart(body), C.size_t(len(body)), stringStart(url), C.size_t(len(url))).bits)
}

// checkMany decides about the URLs of text; URL i ends before ends[i]. ends and verdicts have the same length, at least 1.
func checkMany(r *Rules, text []byte, ends []uintptr, verdicts []Verdict) {
	C.go_check_many(bytesStart(r.image), C.size_t(len(r.image)), bytesStart(text),
		(*C.size_t)(unsafe.Pointer(unsafe.SliceData(ends))), C.size_t(len(ends)),
		(*C.robots_verdict)(unsafe.Pointer(unsafe.SliceData(verdicts))))
}

// crawlDelay returns seconds, or NaN.
func crawlDelay(r *Rules) float64 {
	var seconds C.double
	enough(errorOf(C.go_crawl_delay(bytesStart(r.image), C.size_t(len(r.image)), &seconds)))
	return float64(seconds)
}

func sitemaps(r *Rules) (sitemaps []string) {
	for i := C.size_t(0); ; i++ {
		var start, length C.size_t
		err := errorOf(C.go_sitemap(bytesStart(r.image), C.size_t(len(r.image)), i, &start, &length))
		if enough(err); err != nil {
			return sitemaps
		}
		sitemaps = append(sitemaps, string(r.image[start:][:length]))
	}
}

func ruleListNew(r *Rules) (list ruleListHandle, err error) {
	err = errorOf(C.go_rule_list(bytesStart(r.image), C.size_t(len(r.image)), &list))
	return list, err
}

func ruleListGet(list ruleListHandle, index uint, out *ruleParts) error {
	c := C.robots_rule{size: C.sizeof_robots_rule}
	if err := errorOf(C.robots_rule_list_get(list, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = ruleParts{textOf(c.pattern), uint32(c.line), uint32(c.allow)}
	return nil
}

func ruleListFree(list ruleListHandle) { C.robots_rule_list_free(list) }

func originKey(url string) (string, error) {
	return written(func(buffer []byte, length *C.size_t) C.robots_status {
		return C.robots_origin_key(stringStart(url), C.size_t(len(url)), bytesStart(buffer), C.size_t(len(buffer)), length)
	})
}

func urlToSend(url string) (string, error) {
	return written(func(buffer []byte, length *C.size_t) C.robots_status {
		return C.robots_url_to_send(stringStart(url), C.size_t(len(url)), bytesStart(buffer), C.size_t(len(buffer)), length)
	})
}

// written returns the text that a function writes to a buffer.
func written(write func(buffer []byte, length *C.size_t) C.robots_status) (string, error) {
	for buffer := make([]byte, 1024); ; buffer = make([]byte, 2*len(buffer)) {
		var length C.size_t
		err := errorOf(write(buffer, &length))
		if err != error(noSpace) {
			return string(buffer[:length]), err
		}
	}
}

func statusText(status Error) string {
	return C.GoString(C.robots_status_text(C.robots_status(status)))
}

// textOf copies a borrowed string.
func textOf(text C.robots_str) string {
	return strings.Clone(unsafe.String((*byte)(unsafe.Pointer(text.ptr)), int(text.len)))
}

// bytesOf copies borrowed bytes of any length: C.GoBytes is limited to 2 GiB.
func bytesOf(borrowed C.robots_str) []byte {
	return slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(borrowed.ptr)), int(borrowed.len)))
}

func errorOf(status C.robots_status) error {
	if status == C.ROBOTS_OK {
		return nil
	}
	return errorFrom(uint64(status))
}

// The library ignores the pointer of an empty string.

func stringStart(text string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(text))) }
func bytesStart(text []byte) *C.char  { return (*C.char)(unsafe.Pointer(unsafe.SliceData(text))) }
