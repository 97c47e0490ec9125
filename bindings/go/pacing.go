package robots

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime"
	"strings"
	"time"
)

// The numbers of the options of a cache.
const (
	optionDefaultDelay = 2
	optionMaxDelay     = 3
	optionHorizon      = 4
)

// SetDefaultDelay sets the delay between two requests to a site whose robots.txt states no crawl-delay: 0 to 24 hours, in
// milliseconds, rounded up; default: 0. Call the setters before the cache is used: later the error is [ErrState]. It is
// [ErrArgument] for a value out of range.
func (c *Cache) SetDefaultDelay(delay time.Duration) error {
	return c.set("default delay", optionDefaultDelay, delay)
}

// SetMaxDelay sets the longest crawl-delay that is obeyed; a longer one counts as this. Range and errors are those of
// [Cache.SetDefaultDelay]; default: a minute; 0: none is obeyed.
func (c *Cache) SetMaxDelay(delay time.Duration) error {
	return c.set("max delay", optionMaxDelay, delay)
}

// SetHorizon sets how far ahead [Cache.Request] reserves a slot, and so how long a [Transport] waits for one. Range and errors are
// those of [Cache.SetDefaultDelay]; default: a minute.
func (c *Cache) SetHorizon(horizon time.Duration) error {
	return c.set("horizon", optionHorizon, horizon)
}

func (c *Cache) set(name string, option uint32, value time.Duration) error {
	defer runtime.KeepAlive(c)
	if value < 0 || value > 24*time.Hour {
		return fmt.Errorf("robots: %s is 0 to 24h, not %v: %w", name, value, ErrArgument)
	}
	if err := cacheSet(c.object.get(), option, uint64((value+time.Millisecond-1)/time.Millisecond)); err != nil {
		return fmt.Errorf("robots: set the %s before the cache is used: %w", name, err)
	}
	return nil
}

// A slot is the part of a robots_cache_answer about pacing.
type slot struct{ at, delay, cut uint64 }

// Request returns what the first crawler has to do with url, which it is about to request, and reserves a slot of the site if url
// is allowed (SPEC 3.9). Unless RequestAt of the decision is after now, send the request. Else sleep until that time and call again with
// it as the slot, which is first the zero Time: the site may ask for a little more, since another request was late. What any number of
// goroutines send so is a crawl-delay apart. A slot later than [Cache.SetHorizon] is not reserved: the action is [ActionDefer].
// [Cache.Check] reserves nothing: it is for URLs that are found, not requested. Otherwise the decision is that of Check; a time
// before March 1973 is [ErrArgument].
func (c *Cache) Request(url string, slot, now time.Time) CacheDecision {
	return c.RequestFor(0, url, slot, now)
}

// RequestFor is [Cache.Request] for one of several crawlers, as [Cache.CheckFor].
func (c *Cache) RequestFor(crawler int, url string, slot, now time.Time) CacheDecision {
	answer, reserved := cacheRequest(c.object.get(), uint(crawler), url, clockOf(slot), clockOf(now))
	runtime.KeepAlive(c)
	decision := c.decisionOf(answer)
	if reserved.at != 0 {
		decision.RequestAt = time.UnixMilli(int64(reserved.at))
	}
	decision.CrawlDelay, decision.CrawlDelayCut = time.Duration(reserved.delay)*time.Millisecond, reserved.cut != 0
	return decision
}

// RetryAfter reports the response to a page: the crawl-delay counts from it. After the status 429 or 503 its site rests until
// retryAfter, the value of the header Retry-After (SPEC 3.10): nothing is sent earlier. Without a readable value it rests for 5
// seconds. [WithMaxRetryAfter] of the first crawler limits the rest. The error is [ErrURL] or [ErrScheme] as for [OriginOf],
// [ErrArgument] for a time before March 1973, and [ErrMemory].
func (c *Cache) RetryAfter(url string, status int, retryAfter string, now time.Time) error {
	defer runtime.KeepAlive(c)
	if err := cacheRetryAfter(c.object.get(), url, uint32(status), retryAfter, clockOf(now)); err != nil {
		return fmt.Errorf("robots: retry %q later: %w", url, ofAbsoluteURL(err))
	}
	return nil
}

// CrawlDelay returns the crawl-delay that the robots.txt of the site of url states for the first crawler, whatever [Cache.SetMaxDelay] is;
// false if there is none, or the cache does not know the site. It copies nothing. The error is that of [Cache.Outcome].
func (c *Cache) CrawlDelay(url string) (time.Duration, bool, error) {
	seconds, err := cacheCrawlDelay(c.object.get(), url)
	runtime.KeepAlive(c)
	if err != nil {
		return 0, false, fmt.Errorf("robots: crawl-delay of %q: %w", url, ofAbsoluteURL(err))
	}
	delay, given := durationOf(seconds)
	return delay, given, nil
}

// durationOf returns a number of seconds as a Duration; false for NaN.
func durationOf(seconds float64) (time.Duration, bool) {
	switch nanoseconds := seconds * float64(time.Second); {
	case math.IsNaN(seconds):
		return 0, false
	case nanoseconds >= math.MaxInt64:
		return math.MaxInt64, true
	default:
		return time.Duration(math.Round(nanoseconds)), true
	}
}

// CacheCounts is what a cache holds, and what it did since it was created. See [Cache.Counts].
type CacheCounts struct {
	Sites      int    // including those that are fetched for the first time
	Bytes      int    // of memory
	Hits       uint64 // URLs that a fresh outcome decided
	StaleHits  uint64 // URLs that an outcome decided after its freshness lifetime
	Fetches    uint64 // tickets
	Waits      uint64 // decisions ActionWait
	Deferred   uint64 // decisions ActionDefer, without those for misuse
	Evicted    uint64 // outcomes and slots that were evicted for others
	Images     int    // distinct images: sites with equal rules share one
	SavedBytes int    // memory that sharing saves
}

// Counts returns what the cache holds, and what it did since it was created, for metrics.
func (c *Cache) Counts() CacheCounts {
	n := c.count()
	return CacheCounts{
		int(n.Sites), int(n.Bytes), n.Hits, n.StaleHits, n.Fetches, n.Waits, n.Deferred, n.Evicted,
		int(n.Images), int(n.SavedBytes),
	}
}

// CheckRecord returns the verdict of the crawler with this index on a URL by a record of [Cache.Records] or
// [Outcome.MarshalBinary], in place: for processes that share memory. The record names its site and its expiry, which an image of
// rules does not. Its checksum and its crawlers are not compared: [Outcome.UnmarshalBinary] does that. No error is allowed:
// [ErrImage] and [ErrImageFormat] for the record, [ErrURL] for a URL of another site.
func CheckRecord(record []byte, crawler int, url string, now time.Time) Verdict {
	return recordCheck(record, uint(crawler), url, clockOf(now))
}

// Save writes all records to a file, whole or not at all: it writes a file beside it, syncs that and renames it. It returns the number of
// records. After an error the file is as before. Every language loads the file. The error is one of the file system.
func (c *Cache) Save(path string) (int, error) {
	defer runtime.KeepAlive(c)
	saved, err := cacheSave(c.object.get(), path)
	if err != nil {
		return 0, fmt.Errorf("robots: save a cache to %s: %w", path, err)
	}
	return saved.Imported, nil
}

// LoadedRecords is how many records [Cache.Load] imported, and how many it did not.
type LoadedRecords struct {
	Imported int
	Foreign  int // of other crawlers or another format version
	Damaged  int // places; each holds one record or several
	NoRoom   int // the cache was full
}

// Load imports a file that [Cache.Save] wrote. Damaged and foreign records are counted, not fatal. The error is that of the file
// system, such as [os.ErrNotExist]; the records before it are imported. It is [ErrImageFormat] for another file.
func (c *Cache) Load(path string) (LoadedRecords, error) {
	defer runtime.KeepAlive(c)
	loaded, err := cacheLoad(c.object.get(), path)
	if err != nil {
		err = fmt.Errorf("robots: load a cache from %s: %w", path, err)
	}
	return loaded, err
}

// FailureOf returns the failure that an error of net/http, or of another client, stands for: for [Fetch.Fail].
//
//	*net.DNSError                                            FailureDNS
//	an error whose Timeout() is true                         FailureTimeout
//	*tls.CertificateVerificationError, a TLS alert, a server
//	without TLS (http.ErrSchemeMismatch)                     FailureTLS
//	ECONNRESET, EPIPE, io.EOF                                FailureReset
//	*net.OpError of "dial", such as ECONNREFUSED             FailureConnect
//	any other                                                FailureOther
//
// If the connection breaks within the body, any other error is [FailureTruncated]: the caller knows that.
func FailureOf(err error) Failure { return failureOf(err, FailureOther) }

// request returns the verdict on url when it may be sent, or may not. The error is that of fetch, or a [*DeferError] if ctx ends before
// the slot.
func (c *Cache) request(ctx context.Context, client *http.Client, crawler int, url string) (Verdict, error) {
	var slot, asked time.Time
	held, neverWaits := ctx.Value(heldSlot{}).(heldSlot)
	if origin, err := OriginOf(url); err == nil && origin.Key == held.origin {
		slot = held.at
	}
	for {
		decision, err := c.fetch(ctx, client, crawler, url, func(crawler int, url string, now time.Time) CacheDecision {
			asked = now
			return c.RequestFor(crawler, url, slot, now)
		})
		slot = decision.RequestAt
		left := slot.Sub(asked)
		if err != nil || !decision.Verdict.Allowed() || left <= 0 {
			return decision.Verdict, err
		}
		if deadline, given := ctx.Deadline(); neverWaits || given && time.Until(deadline) < left {
			c.log(ctx, levelRefusal, "request deferred", "url", url, "cause", CauseCrawlDelay, "until", slot)
			return decision.Verdict, &DeferError{URL: url, Until: slot, Reason: ReasonDefer, Cause: CauseCrawlDelay}
		}
		c.log(ctx, levelRefusal, "request paced", "url", url, "until", slot)
		if err := wait(ctx, nil, left); err != nil {
			return decision.Verdict, fmt.Errorf("robots: wait for the slot of %q: %w", url, err)
		}
	}
}

// responded reports the response to a page.
func (c *Cache) responded(url string, response *http.Response) {
	// The URL was checked, and without memory there is nothing to remember.
	_ = c.RetryAfter(url, response.StatusCode, response.Header.Get("Retry-After"), c.now())
}

// warnOfForeign logs a warning, once, if servers cannot know the crawler whose rules are obeyed.
func (c *Cache) warnOfForeign(ctx context.Context, crawler int, header http.Header) {
	if c.foreign == nil || c.foreign.Load() {
		return
	}
	agent := "Go-http-client" // that of net/http
	if values, given := header["User-Agent"]; given {
		agent = strings.Join(values, " ")
	}
	tokens := c.crawlers[crawler].tokens
	for _, token := range tokens {
		if strings.Contains(strings.ToLower(agent), strings.ToLower(token)) {
			return
		}
	}
	if len(tokens) == 0 || c.foreign.Swap(true) {
		return
	}
	logger := c.Logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.WarnContext(ctx, "robots: the User-Agent of requests does not hold the product token that robots.txt is read for: name it",
		"user_agent", agent, "tokens", tokens)
}
