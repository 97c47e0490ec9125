//go:build cgo

package robots

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
)

// Rules are a robots.txt, compiled for one crawler. Any number of goroutines may ask them at once. There is nothing to
// close: they are one block of bytes (the image) in Go's memory. [Crawler.Parse], [AllowAll], [DisallowAll] and
// [Rules.UnmarshalBinary] make them; a zero Rules allows nothing.
type Rules struct {
	image []byte
	// The answer for every URL but those that take a closer look, where there are no rules to ask; else 0.
	whole Verdict
}

// Fields of the image's header that its documentation names (src/image/mod.rs).
const (
	headerFlags   = 5
	headerDialect = 16
	headerLen     = 40

	flagGroup       = 2
	flagAllowAll    = 4
	flagDisallowAll = 8
)

func newRules(image []byte) *Rules {
	return &Rules{image: image, whole: wholeSite(image)}
}

// wholeSite gives the verdict that an image without rules gives on every URL but the robots.txt and what is no URL; 0
// where there may be rules.
func wholeSite(image []byte) Verdict {
	if len(image) < headerLen || image[headerDialect] == byte(Google) {
		return 0
	}
	switch flags := image[headerFlags]; {
	case flags&flagDisallowAll != 0:
		return verdict(false, ReasonDisallowAll)
	case flags&flagAllowAll != 0:
		return verdict(true, ReasonAllowAll)
	case flags&flagGroup == 0:
		return verdict(true, ReasonNoGroup)
	}
	return 0
}

// isOrdinary tells that url is a URL for certain, and not that of a robots.txt, which may be fetched even where nothing
// else may (SPEC 8.9). False: ask the library.
func isOrdinary(url string) bool {
	return (strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "/")) &&
		!strings.Contains(url, "robots.txt") && strings.IndexByte(url, '%') < 0
}

// Allowed tells whether url may be fetched; [Rules.Check] says why.
func (r *Rules) Allowed(url string) bool {
	return r.Check(url).Allowed()
}

// Check decides on one URL (SPEC 8). url is absolute ("https://...", of which path and query count) or a path that starts
// with '/', any bytes of any length. Anything else gives a verdict with [ErrURL], which is not allowed.
func (r *Rules) Check(url string) Verdict {
	if r.whole != 0 && isOrdinary(url) {
		return r.whole
	}
	return check(r.image, url)
}

// CheckBatch decides on many URLs with one call into the library, which is faster than to ask one by one. The verdicts are
// in the order of the URLs, in the memory of out where there is room: hand in the last result to allocate nothing.
func (r *Rules) CheckBatch(urls []string, out []Verdict) []Verdict {
	if cap(out) < len(urls) {
		out = make([]Verdict, len(urls))
	}
	out = out[:len(urls)]
	switch {
	case len(urls) == 0:
	case r.whole != 0:
		for i, url := range urls {
			out[i] = r.Check(url)
		}
	default:
		b := batches.Get().(*batch)
		b.fill(urls)
		checkMany(r.image, b.text, b.ends, out)
		b.release()
	}
	return out
}

// A batch is a list of URLs as one block of memory: C may not follow the pointers of Go's own list.
type batch struct {
	text []byte
	ends []uintptr
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) fill(urls []string) {
	b.text, b.ends = b.text[:0], b.ends[:0]
	for _, url := range urls {
		b.text = append(b.text, url...)
		b.ends = append(b.ends, uintptr(len(b.text)))
	}
}

func (b *batch) release() {
	// A batch out of the ordinary does not hold on to its memory.
	const most = 1 << 20
	if cap(b.text) <= most && cap(b.ends) <= most/8 {
		batches.Put(b)
	}
}

// CrawlDelay gives the crawl-delay of the groups that the crawler obeys, of several the longest (SPEC 9.2); false if there
// is none. What is longer than a Duration can hold, 292 years, becomes the longest Duration.
func (r *Rules) CrawlDelay() (time.Duration, bool) {
	seconds := crawlDelay(r.image)
	switch nanoseconds := seconds * float64(time.Second); {
	case math.IsNaN(seconds):
		return 0, false
	case nanoseconds >= math.MaxInt64:
		return math.MaxInt64, true
	default:
		return time.Duration(math.Round(nanoseconds)), true
	}
}

// Sitemaps gives the addresses of the file's sitemap lines, in their order, as they are written (SPEC 9.1); nil if there
// are none.
func (r *Rules) Sitemaps() []string {
	count := sitemapCount(r.image)
	if count == 0 {
		return nil
	}
	sitemaps := make([]string, count)
	for i := range sitemaps {
		sitemaps[i] = sitemap(r.image, i)
	}
	return sitemaps
}

// MarshalBinary gives a copy of the rules' image, the same bytes that robots_rules_image gives in C: store it, send it, to
// other machines too. Rules that were never made are [ErrImage].
func (r *Rules) MarshalBinary() ([]byte, error) {
	return r.AppendBinary(nil)
}

// AppendBinary does what [Rules.MarshalBinary] does, behind the bytes given.
func (r *Rules) AppendBinary(bytes []byte) ([]byte, error) {
	if len(r.image) == 0 {
		return bytes, fmt.Errorf("robots: marshal rules that were never parsed: %w", ErrImage)
	}
	return append(bytes, r.image...), nil
}

// UnmarshalBinary makes the rules those of an image, which may come from a stranger: it is checked as a whole, and copied.
// The error is [ErrImage] for a damaged image, [ErrImageFormat] for one of another version of the format; the rules are
// then as they were. Nobody may ask the rules meanwhile.
func (r *Rules) UnmarshalBinary(image []byte) error {
	// Copied first: who checks bytes that another goroutine can still write has checked nothing.
	image = append([]byte(nil), image...)
	if err := validate(image); err != nil {
		return fmt.Errorf("robots: unmarshal: %w", err)
	}
	*r = *newRules(image)
	return nil
}

// AllowAll gives the rules of a site that may be fetched as a whole, such as one without a robots.txt (SPEC 2.5).
func AllowAll() *Rules {
	return newRules(allowAllImage())
}

// DisallowAll gives the rules of a site of which nothing may be fetched but its robots.txt, such as one whose server
// fails (SPEC 2.8).
func DisallowAll() *Rules {
	return newRules(disallowAllImage())
}

// Images are never written, so all such rules share one.
var (
	allowAllImage    = sync.OnceValue(func() []byte { return mustHave(allowAll()) })
	disallowAllImage = sync.OnceValue(func() []byte { return mustHave(disallowAll()) })
)

// mustHave: like the runtime, it knows no way on without memory for a few bytes.
func mustHave(image []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return image
}
