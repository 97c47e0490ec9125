package robots

import (
	"math"
	"time"
)

// Options for fetching a robots.txt (SPEC 2 and 3). The dialect defines the default of each. Durations are rounded up to
// seconds. NewCrawler returns ErrArgument for a value out of its range.

// An OutcomeKind is the result of fetching a robots.txt: rules of its own, or one rule for the whole site.
type OutcomeKind uint32

// String returns the kind in words.
func (k OutcomeKind) String() string {
	return wordOf(kinds[:], uint64(k), "kind")
}

var kinds = [...]string{
	KindRules:       "rules",
	KindAllowAll:    "allow all",
	KindDisallowAll: "disallow all",
	KindDefer:       "defer",
	KindUnreachable: "unreachable",
}

// WithUserAgent sets the User-Agent header of requests for a robots.txt, such as
// "ExampleBot/1.0 (+https://example.com/bot)", without control characters; default: the product token. It does not change
// requests for pages.
func WithUserAgent(header string) Option {
	return func(s *settings) { s.userAgent = header }
}

// WithTimeout sets the timeout of one fetch of a robots.txt, including all its redirects; default: 30 seconds. A fetch that
// takes longer has failed (SPEC 2.10). The least is a millisecond.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithClock sets the clock of caches and fetches; default: [time.Now]. Many goroutines call it at the same time.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.clock = now }
}

// meaning returns an option whose value is the kind of an outcome.
func meaning(name string, option uint32, kind OutcomeKind) Option {
	return set(setting{name, option, uint64(kind), kind, "allow all, disallow all, defer or unreachable"})
}

// duration returns an option of whole seconds.
func duration(name string, option uint32, d time.Duration, least string) Option {
	return set(setting{name, option, wholeSeconds(d), d, least + " to 87600h0m0s (10 years)"})
}

// wholeSeconds rounds up, to milliseconds. A negative duration, or one of less than a second, becomes a value that no option accepts:
// WithMaxTTL(3600) is 3.6 microseconds where an hour was meant.
func wholeSeconds(d time.Duration) uint64 {
	if d < 0 || 0 < d && d < time.Second {
		return math.MaxUint64
	}
	return 1000 * (uint64(d/time.Second) + min(1, uint64(d%time.Second)))
}
