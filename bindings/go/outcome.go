package robots

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"
)

// An Origin is the site of a URL: scheme, host and port (SPEC 1). One robots.txt governs exactly one origin. Origins are
// comparable.
type Origin struct {
	// Key is the canonical form of the origin: "https://example.com", "http://[::1]:8080" (SPEC 1.3, 1.4).
	Key string
	// RobotsURL is the URL of its robots.txt: the key and "/robots.txt" (SPEC 1.1).
	RobotsURL string
}

// OriginOf returns the origin of an absolute URL. The error is [ErrScheme] for a scheme that is not http, https or ftp (SPEC
// 1.6), and [ErrURL] for a string that is no absolute URL.
func OriginOf(url string) (Origin, error) {
	key, err := originKey(url)
	if err != nil {
		return Origin{}, fmt.Errorf("robots: origin of %q: %w", url, ofAbsoluteURL(err))
	}
	return Origin{key, key + "/robots.txt"}, nil
}

// URLToSend returns the form of an absolute URL to be checked and then sent: every client sends it as it is, so that what is
// judged is what is sent (SPEC 8.11). It has no user name, password, empty query and fragment. If the URL is allowed, so is its form.
// A [Transport] sends that form. The error is as from [OriginOf], and [ErrURL] for a path and query of more than 64 KiB.
func URLToSend(url string) (string, error) {
	form, err := urlToSend(url)
	if err != nil {
		return "", fmt.Errorf("robots: form of %q: %w", url, ofAbsoluteURL(err))
	}
	return form, nil
}

// An Outcome is the result of fetching the robots.txt of a site: its kind, its cause and its lifetime (SPEC 2 and 3). It is
// safe for concurrent use; its fields are read-only. There is nothing to close.
type Outcome struct {
	Kind       OutcomeKind
	Cause      Cause  // why it is of that kind
	HTTPStatus int    // the status of the last response; 0 without a response
	Hops       int    // the number of redirects that were followed
	Downgraded bool   // a redirect led from https to http, where others may have changed the file
	Stale      bool   // the rules are those of an earlier fetch, still in use (SPEC 2.11)
	Origin     string // the key of the site that the outcome governs, before any redirect
	FinalURL   string // the URL of the last request, after all redirects; for stale rules, that of the fetch they came from
	ETag       string // the ETag of the rules; "" if there is none
	// LastModified is the Last-Modified header of the rules; "" if there is none.
	LastModified string

	FetchedAt        time.Time // when the rules (of a copy that waits, too) were fetched or revalidated; without rules the last attempt
	FreshUntil       time.Time // the end of the freshness lifetime; it may be past for stale rules
	UsableUntil      time.Time // until when the outcome decides if there is no newer one
	RetryAt          time.Time // when the next fetch is due; do not fetch before
	UnreachableSince time.Time // since when every attempt has failed; zero after a response

	object   *owned[outcomeHandle]
	crawlers []*Crawler // for UnmarshalBinary
}

// newOutcome returns an outcome that owns handle and its memory.
func newOutcome(handle outcomeHandle, err error) (*Outcome, error) {
	if err != nil {
		return nil, err
	}
	return outcomeOf(own(handle, outcomeFree, outcomeSize(handle)))
}

func outcomeOf(object *owned[outcomeHandle]) (*Outcome, error) {
	defer runtime.KeepAlive(object)
	var c outcomeParts
	if err := outcomeGet(object.get(), &c); err != nil {
		return nil, err
	}
	return &Outcome{
		Kind: c.Kind, Cause: c.Cause, HTTPStatus: int(c.HTTPStatus), Hops: int(c.Hops), Downgraded: c.Downgraded != 0,
		Stale: c.Stale != 0, Origin: c.Origin, FinalURL: c.FinalURL, ETag: c.ETag, LastModified: c.LastModified,
		FetchedAt: timeOf(c.FetchedAtMS), FreshUntil: timeOf(c.FreshUntilMS), UsableUntil: timeOf(c.UsableUntilMS),
		RetryAt: timeOf(c.RetryAtMS), UnreachableSince: timeOf(c.UnreachableSinceMS), object: object,
	}, nil
}

// OutcomeFromStatus returns the outcome of a complete response, for a client that has already followed redirects. url is any
// URL of the first site; body is the file, which counts for 200 to 299. Without headers, the outcome has the default
// lifetime. The error is [ErrURL] or [ErrScheme] as for [OriginOf].
func (c *Crawler) OutcomeFromStatus(url string, status int, body []byte, now time.Time) (*Outcome, error) {
	outcome, err := newOutcome(outcomeFromStatus(c.object.get(), url, httpStatus(status), body, clockOf(now)))
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: outcome for %q: %w", url, err)
	}
	return outcome, nil
}

// DecodeOutcome decodes a record of [Outcome.MarshalBinary], from this machine or another, made for a crawler of the same
// configuration. The error is [ErrImage] for a damaged record, and [ErrImageFormat] for one of another version or crawler:
// fetch the file again.
func (c *Crawler) DecodeOutcome(record []byte) (*Outcome, error) {
	return decodeOutcome([]*Crawler{c}, record)
}

func decodeOutcome(crawlers []*Crawler, record []byte) (*Outcome, error) {
	handles := make([]crawlerHandle, len(crawlers))
	for i, crawler := range crawlers {
		handles[i] = crawler.object.get()
	}
	decoded, err := newOutcome(outcomeDecode(handles, record))
	runtime.KeepAlive(crawlers)
	if err != nil {
		return nil, fmt.Errorf("robots: decode outcome%s: %w", foreign(err), err)
	}
	decoded.crawlers = crawlers
	return decoded, nil
}

// foreign returns what [ErrImageFormat] says about a record, whose crawlers may differ as well as its format.
func foreign(err error) string {
	if errors.Is(err, ErrImageFormat) {
		return ", which other crawlers (tokens, dialect, options) or another format version wrote: fetch the robots.txt again"
	}
	return ""
}

// NewOutcome returns an empty outcome, for [Outcome.UnmarshalBinary] and encoding/gob. It allows nothing.
func (c *Crawler) NewOutcome() *Outcome {
	return &Outcome{crawlers: []*Crawler{c}}
}

// UnmarshalBinary replaces the outcome by that of a record, as [Crawler.DecodeOutcome] does. The outcome comes from
// [Crawler.NewOutcome], or from the decoding of another record: the record must be for the same crawler. The zero Outcome is
// [ErrArgument], because it has no crawler that the record could be compared with: the rules of one crawler do not hold for
// another. After an error the outcome is unchanged. It is not safe for concurrent use with other methods.
func (o *Outcome) UnmarshalBinary(record []byte) error {
	if len(o.crawlers) == 0 {
		return fmt.Errorf("robots: unmarshal an outcome without a crawler: create it with Crawler.NewOutcome: %w", ErrArgument)
	}
	decoded, err := decodeOutcome(o.crawlers, record)
	if err != nil {
		return err
	}
	*o = *decoded
	return nil
}

// MarshalBinary returns the outcome as one record, which [Crawler.DecodeOutcome] decodes.
func (o *Outcome) MarshalBinary() ([]byte, error) {
	defer runtime.KeepAlive(o)
	record, err := outcomeEncode(o.object.get())
	if err != nil {
		return nil, fmt.Errorf("robots: marshal outcome: %w", err)
	}
	return record, nil
}

// Check decides about one URL of the site, absolute or a path that starts with '/'. If no page may be fetched now, or if the
// outcome has expired (UsableUntil), the reason is [ReasonUnreachable] or [ReasonDefer]. A URL of another site is [ErrURL].
func (o *Outcome) Check(url string, now time.Time) Verdict {
	return o.CheckFor(0, url, now)
}

// CheckFor is [Outcome.Check] for one of several crawlers, counted from 0 in the order of [NewFetch]. The verdict for an
// unknown crawler has [ErrArgument].
func (o *Outcome) CheckFor(crawler int, url string, now time.Time) Verdict {
	verdict := outcomeCheck(o.object.get(), uint(crawler), url, clockOf(now))
	runtime.KeepAlive(o)
	return verdict
}

// Rules returns a copy of the rules, for their crawl-delay and sitemaps. If the kind is not [KindRules], they allow all or
// nothing, and nothing for [KindUnreachable] and [KindDefer]. They check neither the site nor the time: [Outcome.Check] does.
func (o *Outcome) Rules() *Rules {
	return o.RulesFor(0)
}

// RulesFor is [Outcome.Rules] for one of several crawlers. The rules for an unknown crawler allow nothing.
func (o *Outcome) RulesFor(crawler int) *Rules {
	defer runtime.KeepAlive(o)
	return newRules(outcomeImage(o.object.get(), uint(crawler)))
}

// LogValue returns the outcome as attributes for log/slog.
func (o *Outcome) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("origin", o.Origin), slog.String("kind", o.Kind.String()), slog.String("cause", o.Cause.String()),
		slog.Int("status", o.HTTPStatus), slog.Int("hops", o.Hops), slog.Bool("stale", o.Stale),
		slog.String("final_url", o.FinalURL), slog.Time("retry_at", o.RetryAt),
	)
}

// String returns a summary of the outcome: "rules: found, status 200".
func (o *Outcome) String() string {
	text := fmt.Sprintf("%v: %v", o.Kind, o.Cause)
	if o.Stale {
		text = fmt.Sprintf("stale rules: %v", o.Cause)
	}
	if o.HTTPStatus != 0 {
		text += fmt.Sprintf(", status %d", o.HTTPStatus)
	}
	return text
}

// A Cause is why an outcome is what it is, or why a request is deferred.
type Cause uint32

// CauseCrawlDelay: the site's next slot is later than a request can wait, by its crawl-delay or a Retry-After of a page. Only a
// [DeferError] has it.
const CauseCrawlDelay Cause = 1 << 16

// String returns the cause in words.
func (c Cause) String() string {
	if c == CauseCrawlDelay {
		return "crawl-delay"
	}
	return wordOf(causes[:], uint64(c), "cause")
}

var causes = [...]string{
	0:                        "no fetch",
	CauseFound:               "found",
	CauseNotModified:         "not modified",
	CauseMissing:             "missing",
	CauseForbidden:           "forbidden",
	CauseTooManyRequests:     "too many requests",
	CauseServerError:         "server error",
	CauseOddStatus:           "unexpected status",
	CauseTooManyRedirects:    "too many redirects",
	CauseRedirectLoop:        "redirect loop",
	CauseBadRedirect:         "bad redirect",
	CauseDNS:                 "DNS failure",
	CauseConnect:             "connection failed",
	CauseTLS:                 "TLS failure",
	CauseTimeout:             "timeout",
	CauseReset:               "connection reset",
	CauseTruncated:           "truncated",
	CauseOtherFailure:        "other failure",
	CauseUnreachableLong:     "unreachable for long",
	CausePartialContent:      "partial content",
	CauseShortBody:           "short body",
	CauseEncodedBody:         "unknown content coding",
	CauseRedirectNotFollowed: "redirect not followed",
	CauseNonGlobalRedirect:   "redirect to a non-global address",
	CauseHTML:                "HTML page in place of the file",
}
