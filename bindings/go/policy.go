//go:build cgo

package robots

import (
	"math"
	"time"
)

// Options for fetching a robots.txt (SPEC 2 and 3). The dialect defines the default of each. Durations are rounded up to
// seconds. NewCrawler returns ErrArgument for a value out of its range.

// An OutcomeKind is the result of fetching a robots.txt: rules of its own, or one rule for the whole site.
type OutcomeKind uint32

const (
	KindRules       OutcomeKind = 0 // the rules of the robots.txt decide
	KindAllowAll    OutcomeKind = 1 // every URL of the site is allowed
	KindDisallowAll OutcomeKind = 2 // no URL of the site is allowed
	KindDefer       OutcomeKind = 3 // no page may be fetched now; keep the URLs of the site and try again later
	// KindUnreachable: the robots.txt cannot be reached. This is no ban: fetch no page now, keep the URLs, try again later.
	KindUnreachable OutcomeKind = 4
)

// String returns the kind in words.
func (k OutcomeKind) String() string {
	return wordOf(kinds[:], uint64(k), "kind")
}

var kinds = [...]string{"rules", "allow all", "disallow all", "defer", "unreachable"}

// WithUserAgent sets the User-Agent header of requests for a robots.txt, such as
// "ExampleBot/1.0 (+https://example.com/bot)", without control characters; default: the product token. It does not change
// requests for pages.
func WithUserAgent(header string) Option {
	return func(s *settings) { s.userAgent = header }
}

// WithTimeout sets the timeout of one fetch of a robots.txt, including all its redirects; default: 30 seconds. A fetch that
// takes longer has failed (SPEC 2.10). It must be more than 0.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithClock sets the clock of caches and fetches; default: [time.Now]. Many goroutines call it at the same time.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.clock = now }
}

// WithMaxRedirects sets how many consecutive redirects a fetch follows: 0 to 20; default: 5, [Koster1996]: 20 (SPEC
// 2.2, 2.3).
func WithMaxRedirects(hops uint64) Option {
	return number("max redirects", optionMaxRedirects, hops, "0 to 20")
}

// WithOnForbidden sets the outcome of 401 and 403: [KindAllowAll], [KindDisallowAll], [KindDefer] or [KindUnreachable];
// default: allow all, [Koster1996]: disallow all (SPEC 2.6). With the last two, the site counts as unreachable.
func WithOnForbidden(kind OutcomeKind) Option {
	return meaning("on forbidden", optionOnForbidden, kind)
}

// WithOnTooManyRequests sets the outcome of 429, one of the four of [WithOnForbidden]; default: unreachable, [Koster1996]:
// defer (SPEC 2.7). With allow all, 429 counts like 404.
func WithOnTooManyRequests(kind OutcomeKind) Option {
	return meaning("on too many requests", optionOnTooManyRequests, kind)
}

// WithOnServerError sets the outcome of 500 to 599, one of the four of [WithOnForbidden]; default: unreachable,
// [Koster1996]: defer (SPEC 2.8). With allow all, they count like 404.
func WithOnServerError(kind OutcomeKind) Option {
	return meaning("on server error", optionOnServerError, kind)
}

// WithOnUnreachable sets the outcome of all other failures, one of the four of [WithOnForbidden]; default: unreachable,
// [Koster1996]: defer (SPEC 2.9, 2.10).
func WithOnUnreachable(kind OutcomeKind) Option {
	return meaning("on unreachable", optionOnUnreachable, kind)
}

// WithOnBadRedirect sets the outcome of a redirect that leads nowhere, for a site without a copy: no usable target, a loop,
// too many redirects, or a refused target; one of the four of [WithOnForbidden]; default: allow all, [Koster1996]: defer for a
// loop and too many (SPEC 2.3, 2.15).
func WithOnBadRedirect(kind OutcomeKind) Option {
	return meaning("on bad redirect", optionOnBadRedirect, kind)
}

// WithNonGlobalRedirects follows a redirect to an address that is not global, such as http://127.0.0.1, http://[::1],
// http://169.254.169.254 or http://localhost. By default, a fetch refuses it, unless the host of the first URL is such an
// address (SPEC 2.15).
//
// A host name may also resolve to such an address. Only the client knows: refuse the address in net.Dialer.ControlContext,
// as the example shows.
func WithNonGlobalRedirects() Option {
	return number("non-global redirects", optionNonGlobalRedirects, 1, "1")
}

// WithServerErrorIsMissing treats 500 to 599 like 404, for sites that return 5xx for missing pages (SPEC 2.14).
func WithServerErrorIsMissing() Option {
	return number("server error is missing", optionServerErrorIsMissing, 1, "1")
}

// WithDefaultTTL sets the freshness lifetime of a robots.txt whose headers give none: 1 second to 10 years; default: 24
// hours, [Koster1996]: 7 days (SPEC 3.1).
func WithDefaultTTL(ttl time.Duration) Option {
	return duration("default TTL", optionDefaultTTL, ttl, "1s")
}

// WithMinTTL sets the shortest freshness lifetime that headers can set, and the shortest wait that a Retry-After can ask
// for: 0 to 10 years; default: 5 minutes (SPEC 3.2).
func WithMinTTL(ttl time.Duration) Option {
	return duration("min TTL", optionMinTTL, ttl, "0s")
}

// WithMaxTTL sets the longest freshness lifetime that headers can set: 1 second to 10 years; default: 24 hours, [Google] and
// [Koster1996]: 30 days (SPEC 3.2).
func WithMaxTTL(ttl time.Duration) Option {
	return duration("max TTL", optionMaxTTL, ttl, "1s")
}

// WithFailureTTL sets the wait between a first failure and the next attempt: 1 second to 10 years; default: 10 minutes. The
// wait grows with the time that the site is unreachable.
func WithFailureTTL(ttl time.Duration) Option {
	return duration("failure TTL", optionFailureTTL, ttl, "1s")
}

// WithMaxRetryAfter sets the longest wait that a Retry-After can ask for: 0 to 10 years; default: 24 hours (SPEC 3.6). The
// shortest wait ([WithMinTTL]) takes precedence.
func WithMaxRetryAfter(wait time.Duration) Option {
	return duration("max retry-after", optionMaxRetryAfter, wait, "0s")
}

// WithUnreachableTTL sets after which time an unreachable site without a copy is allowed as a whole: 0 to 10 years; default:
// 30 days, [Koster1996]: never (SPEC 2.12).
func WithUnreachableTTL(ttl time.Duration) Option {
	return duration("unreachable TTL", optionUnreachableTTL, ttl, "0s")
}

// WithUnreachableOverridesCopy refuses every URL of an unreachable site, even with a copy of its robots.txt. The copy waits for
// the end of the outage or for [WithUnreachableTTL]. By default, it stays in use (SPEC 2.11).
func WithUnreachableOverridesCopy() Option {
	return number("unreachable overrides copy", optionUnreachableOverridesCopy, 1, "1")
}

// WithMissingKeepsCopy keeps a copy in use for up to 24 hours when the file is missing (SPEC 2.5).
func WithMissingKeepsCopy() Option {
	return number("missing keeps copy", optionMissingKeepsCopy, 1, "1")
}

// WithMissingTTL sets the longest freshness lifetime of an outcome without a file: 1 second to 10 years; default: 6 hours.
func WithMissingTTL(ttl time.Duration) Option {
	return duration("missing TTL", optionMissingTTL, ttl, "1s")
}

// meaning returns an option whose value is the kind of an outcome.
func meaning(name string, option uint32, kind OutcomeKind) Option {
	return set(setting{name, option, uint64(kind), kind, "allow all, disallow all, defer or unreachable"})
}

// duration returns an option of whole seconds.
func duration(name string, option uint32, d time.Duration, least string) Option {
	return set(setting{name, option, secondsOf(d), d, least + " to 87600h0m0s (10 years)"})
}

// secondsOf rounds up. A negative duration becomes a value that no option accepts.
func secondsOf(d time.Duration) uint64 {
	if d < 0 {
		return math.MaxUint64
	}
	return uint64(d/time.Second) + min(1, uint64(d%time.Second))
}
