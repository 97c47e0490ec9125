//go:build cgo

package robots

import (
	"math"
	"time"
)

// Options about fetching a robots.txt. Until set, each is as the crawler's dialect says (SPEC 2 and 3). Durations are rounded
// up to seconds; one out of its range is ErrArgument when the crawler is made.

// An OutcomeKind is what came of fetching a robots.txt: rules, or a word for the whole site.
type OutcomeKind uint32

const (
	KindRules       OutcomeKind = 0 // there is a robots.txt, its rules decide
	KindAllowAll    OutcomeKind = 1 // all of the site may be fetched
	KindDisallowAll OutcomeKind = 2 // nothing of the site may be fetched
	KindDefer       OutcomeKind = 3 // nothing of the site may be fetched now; keep its URLs and ask again later
)

// String gives the kind in words.
func (k OutcomeKind) String() string {
	return wordOf(kinds[:], uint64(k), "kind")
}

var kinds = [...]string{"rules", "allow all", "disallow all", "defer"}

// WithUserAgent sets the User-Agent header that is sent with requests for a robots.txt, such as
// "ExampleBot/1.0 (+https://example.com/bot)", without control characters; the product token until set. Requests for pages are not
// touched.
func WithUserAgent(header string) Option {
	return func(s *settings) { s.userAgent = header }
}

// WithTimeout sets how long one retrieval of a robots.txt may take, with all its redirects; 30 seconds until set. What takes
// longer has failed (SPEC 2.10). It must be more than 0.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithClock sets the clock by which what is fetched ages; [time.Now] until set. It is called by any number of goroutines.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.clock = now }
}

// WithMaxRedirects sets how many redirects in a row are followed, 0 to 20; 5 until set (SPEC 2.2, 2.3).
func WithMaxRedirects(hops uint64) Option {
	return number("max redirects", optionMaxRedirects, hops)
}

// WithOnForbidden sets what 401 and 403 mean for the site: [KindAllowAll], [KindDisallowAll] or [KindDefer]; until set allow
// all, [Koster1996]: disallow all (SPEC 2.6). To defer makes them count as unreachable.
func WithOnForbidden(kind OutcomeKind) Option {
	return number("on forbidden", optionOnForbidden, uint64(kind))
}

// WithOnTooManyRequests sets what 429 means; until set disallow all, [Koster1996]: defer (SPEC 2.7). To allow all makes it
// count like 404.
func WithOnTooManyRequests(kind OutcomeKind) Option {
	return number("on too many requests", optionOnTooManyRequests, uint64(kind))
}

// WithOnServerError sets what 500 to 599 mean; until set disallow all, [Koster1996]: defer (SPEC 2.8). To allow all makes
// them count like 404.
func WithOnServerError(kind OutcomeKind) Option {
	return number("on server error", optionOnServerError, uint64(kind))
}

// WithOnUnreachable sets what all other failures mean; until set disallow all, [Koster1996]: defer (SPEC 2.9, 2.10).
func WithOnUnreachable(kind OutcomeKind) Option {
	return number("on unreachable", optionOnUnreachable, uint64(kind))
}

// WithServerErrorIsMissing takes 500 to 599 for 404, for sites that are known to answer so for pages that do not exist
// (SPEC 2.14).
func WithServerErrorIsMissing() Option {
	return number("server error is missing", optionServerErrorIsMissing, 1)
}

// WithDefaultTTL sets how long a robots.txt lives where its headers do not say, 1 second to 10 years; until set 24 hours,
// [Koster1996]: 7 days (SPEC 3.1).
func WithDefaultTTL(life time.Duration) Option {
	return number("default life", optionDefaultTTL, secondsOf(life))
}

// WithMinTTL sets the shortest life, whatever the headers say, and the shortest wait, whatever Retry-After says, 0 to 10
// years; 5 minutes until set (SPEC 3.2).
func WithMinTTL(life time.Duration) Option {
	return number("min life", optionMinTTL, secondsOf(life))
}

// WithMaxTTL sets the longest life, whatever the headers say, 1 second to 10 years; until set 24 hours, [Google] and
// [Koster1996]: 30 days (SPEC 3.2).
func WithMaxTTL(life time.Duration) Option {
	return number("max life", optionMaxTTL, secondsOf(life))
}

// WithFailureTTL sets how long after a first failure the next try is due, 1 second to 10 years; 10 minutes until set. The
// longer a site is unreachable, the longer the waits become.
func WithFailureTTL(life time.Duration) Option {
	return number("failure life", optionFailureTTL, secondsOf(life))
}

// WithMaxRetryAfter sets the longest wait that a Retry-After can ask for, 0 to 10 years; 24 hours until set (SPEC 3.6). The
// shortest wait ([WithMinTTL]) is stronger.
func WithMaxRetryAfter(wait time.Duration) Option {
	return number("max retry-after", optionMaxRetryAfter, secondsOf(wait))
}

// WithUnreachableTTL sets after how long a site that is unreachable, and of which there is no copy, may be fetched as a
// whole, 0 to 10 years; 30 days until set (SPEC 2.12).
func WithUnreachableTTL(life time.Duration) Option {
	return number("unreachable life", optionUnreachableTTL, secondsOf(life))
}

// WithMissingKeepsCopy goes on using a copy of up to 24 hours when the file is missing (SPEC 2.5).
func WithMissingKeepsCopy() Option {
	return number("missing keeps copy", optionMissingKeepsCopy, 1)
}

// WithMissingTTL sets the longest life of an answer by which there is no file to obey, 1 second to 10 years; 6 hours until
// set.
func WithMissingTTL(life time.Duration) Option {
	return number("missing life", optionMissingTTL, secondsOf(life))
}

// secondsOf rounds up; what is negative becomes more than any option takes.
func secondsOf(d time.Duration) uint64 {
	if d < 0 {
		return math.MaxUint64
	}
	return uint64(d/time.Second) + min(1, uint64(d%time.Second))
}
