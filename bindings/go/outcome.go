//go:build cgo

package robots

import (
	"fmt"
	"runtime"
	"time"
)

// An Origin is the site that a URL belongs to: scheme, host and port (SPEC 1). One robots.txt governs exactly one. Origins may
// be compared.
type Origin struct {
	// Key is the one spelling of the origin: "https://example.com", "http://[::1]:8080" (SPEC 1.3, 1.4).
	Key string
	// RobotsURL is where its robots.txt is: the key and "/robots.txt" (SPEC 1.1).
	RobotsURL string
}

// OriginOf gives the origin of an absolute URL. The error is [ErrScheme] for another scheme than http, https and ftp (SPEC
// 1.6), [ErrURL] for what is no absolute URL.
func OriginOf(url string) (Origin, error) {
	key, robotsURL, err := originOf(url)
	if err != nil {
		return Origin{}, fmt.Errorf("robots: origin of %q: %w", url, err)
	}
	return Origin{key, robotsURL}, nil
}

// An Outcome is what came of fetching the robots.txt of a site: rules or a word for the whole site, why, and how long that
// holds (SPEC 2 and 3). Any number of goroutines may ask it at once; nobody may change its fields. There is nothing to close.
type Outcome struct {
	Kind       OutcomeKind
	Cause      Cause  // why it is of that kind
	HTTPStatus int    // of the last response; 0 where there was none
	Hops       int    // how many redirects were followed
	Downgraded bool   // a redirect led from https to http, where anyone on the way may have changed the file
	Stale      bool   // these are the rules of an earlier fetch, which go on being used (SPEC 2.11)
	Origin     string // the key of the site that is governed, behind no redirect
	FinalURL   string // of the last request, behind all redirects; of rules that of the request they came from
	ETag       string // of the rules; "" if there is none
	// LastModified is that of the rules; "" if there is none.
	LastModified string

	FetchedAt        time.Time // when the rules were fetched or found unchanged; of other kinds when the fetch ended
	FreshUntil       time.Time // the end of its life; of stale rules it may have passed
	UsableUntil      time.Time // until when it decides while nothing newer is there
	RetryAt          time.Time // when the next try is due, and not before
	UnreachableSince time.Time // since when each try has failed; zero after a fetch that was answered

	object *owned[outcomeHandle]
}

// newOutcome takes over an outcome that was made just now.
func newOutcome(handle outcomeHandle) *Outcome {
	return outcomeOf(own(handle, outcomeFree, outcomeSize(handle)))
}

func outcomeOf(object *owned[outcomeHandle]) *Outcome {
	defer runtime.KeepAlive(object)
	handle := object.get()
	get := func(what uint32) uint64 { return outcomeGet(handle, what) }
	return &Outcome{
		Kind: OutcomeKind(get(getKind)), Cause: Cause(get(getCause)), HTTPStatus: int(get(getHTTPStatus)), Hops: int(get(getHops)),
		Downgraded: get(getDowngraded) != 0, Stale: get(getStale) != 0,
		Origin: outcomeText(handle, textOrigin), FinalURL: outcomeText(handle, textFinalURL),
		ETag: outcomeText(handle, textETag), LastModified: outcomeText(handle, textLastModified),
		FetchedAt: timeOf(get(getFetchedAt)), FreshUntil: timeOf(get(getFreshUntil)),
		UsableUntil: timeOf(get(getUsableUntil)), RetryAt: timeOf(get(getRetryAt)),
		UnreachableSince: timeOf(get(getUnreachableSince)),
		object:           object,
	}
}

// OutcomeOf gives what follows from a response that is known as a whole, for who has followed redirects already: url is any
// URL of the site that was asked first, body the file, which counts for 200 to 299. There are no headers, so it lives as
// long as usual. The error is [ErrURL] or [ErrScheme] as for [OriginOf].
func (c *Crawler) OutcomeOf(url string, status int, body []byte, now time.Time) (*Outcome, error) {
	handle, err := outcomeFromStatus(c.object.get(), url, status, body, now)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: outcome for %q: %w", url, err)
	}
	return newOutcome(handle), nil
}

// DecodeOutcome reads what [Outcome.MarshalBinary] gave, on this machine or another, for a crawler that is set up as this one.
// The error is [ErrImage] for a damaged record, [ErrImageFormat] for one of another version or another crawler: fetch the
// file again.
func (c *Crawler) DecodeOutcome(record []byte) (*Outcome, error) {
	handle, err := outcomeDecode(c.object.get(), record)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: decode outcome: %w", err)
	}
	return newOutcome(handle), nil
}

// MarshalBinary gives the outcome as one block of bytes, which [Crawler.DecodeOutcome] reads.
func (o *Outcome) MarshalBinary() ([]byte, error) {
	record, err := outcomeEncode(o.object.get())
	runtime.KeepAlive(o)
	if err != nil {
		return nil, fmt.Errorf("robots: marshal outcome: %w", err)
	}
	return record, nil
}

// Check decides on one URL of the site, an absolute one or a path that starts with '/'. [ReasonDefer]: the site is deferred or
// the outcome has passed (UsableUntil). A URL of another site is [ErrURL].
func (o *Outcome) Check(url string, now time.Time) Verdict {
	return o.CheckFor(0, url, now)
}

// CheckFor does what [Outcome.Check] does, for one of several crawlers, counted from 0 as [NewFetch] was given them. Past the last
// the verdict has [ErrArgument].
func (o *Outcome) CheckFor(crawler int, url string, now time.Time) Verdict {
	verdict := outcomeCheck(o.object.get(), crawlerIndex(crawler), url, now)
	runtime.KeepAlive(o)
	return verdict
}

// Rules gives a copy of the rules: their crawl-delay, their sitemaps. Where the kind is not [KindRules] they allow all or, also
// for [KindDefer], nothing. They know neither the site nor the time: [Outcome.Check] does.
func (o *Outcome) Rules() *Rules {
	return o.RulesFor(0)
}

// RulesFor does what [Outcome.Rules] does, for one of several crawlers. Past the last it gives rules that allow nothing.
func (o *Outcome) RulesFor(crawler int) *Rules {
	image := outcomeImage(o.object.get(), crawlerIndex(crawler))
	runtime.KeepAlive(o)
	return newRules(image)
}

// String sums the outcome up: "rules: found, status 200".
func (o *Outcome) String() string {
	text := fmt.Sprintf("%v: %v", o.Kind, o.Cause)
	if o.Stale {
		text = fmt.Sprintf("rules of before: %v", o.Cause)
	}
	if o.HTTPStatus != 0 {
		text += fmt.Sprintf(", status %d", o.HTTPStatus)
	}
	return text
}

// A Cause is why an outcome is what it is.
type Cause uint32

const (
	CauseFound            Cause = iota + 1 // there is a file
	CauseNotModified                       // the file is as it was
	CauseMissing                           // there is no file: 400 to 499, or a server error that is taken for that
	CauseForbidden                         // 401 or 403
	CauseTooManyRequests                   // 429
	CauseServerError                       // 500 to 599
	CauseOddStatus                         // a status that is no answer: below 200, above 599, or a 304 nobody asked for
	CauseTooManyRedirects                  // more redirects in a row than are followed
	CauseRedirectLoop                      // a redirect to where one had been already
	CauseBadRedirect                       // a redirect without a target, or to one that is no http or https URL
	CauseDNS                               // the host has no address
	CauseConnect                           // no connection
	CauseTLS                               // no secure connection
	CauseTimeout                           // it took too long
	CauseReset                             // the connection broke
	CauseTruncated                         // the file ended before its end, or was invalid on the way
	CauseOtherFailure                      // any other failure
	CauseUnreachableLong                   // unreachable for so long that the site counts as one without a file
)

// String gives the cause in words.
func (c Cause) String() string {
	return wordOf(causes[:], uint64(c), "cause")
}

var causes = [...]string{
	"nothing was fetched", "found", "not modified", "missing", "forbidden", "too many requests", "server error",
	"odd status", "too many redirects", "redirect loop", "bad redirect", "no address", "no connection",
	"no secure connection", "timeout", "connection reset", "truncated", "failed", "unreachable for long",
}

// wordOf names a number; later versions of the library may know more of them.
func wordOf(words []string, number uint64, what string) string {
	if number < uint64(len(words)) {
		return words[number]
	}
	return fmt.Sprintf("%s %d", what, number)
}
