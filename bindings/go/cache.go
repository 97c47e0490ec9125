package robots

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
)

// A Cache keeps the outcomes of fetches by origin, in a bounded amount of memory, for one or several crawlers (SPEC 3.7). It
// is safe for concurrent use. Decisions do not wait for each other, and allocate nothing. There is nothing to
// close.
//
// [Transport] checks the requests of an [http.Client] with it. [Cache.Fetch] returns a verdict and fetches a missing
// robots.txt. [Cache.Check] returns what to do and does no I/O.
type Cache struct {
	// OnOutcome, if not nil, is called with the outcome of each fetch by [Cache.Fetch] and [Transport]: after the cache has
	// stored it, before the goroutines that wait for it continue. It may use the cache, also for the same site. Many
	// goroutines call it at the same time, for different sites. Set it before the cache is used.
	OnOutcome func(*Outcome)

	// Lookup, if not nil, is called before each fetch by [Cache.Fetch] and [Transport]. It returns a record of
	// [Outcome.MarshalBinary] for the origin, such as "https://example.com", or nil. A current record replaces the fetch;
	// an old one makes the fetch conditional. With an OnOutcome that stores the records, several processes share their
	// fetches. After an error, or with an unusable record, the cache fetches. Set Lookup before the cache is used.
	Lookup func(ctx context.Context, origin string) (record []byte, err error)

	// Logger, if not nil, receives a record for each fetch by [Cache.Fetch] and [Transport]: at level Info, or Warn for an
	// outage. At level Debug it receives requests that are refused, deferred, or wait for their slot. Set it before the cache is used.
	Logger *slog.Logger

	object   *owned[cacheHandle]
	crawlers []*Crawler
	flights  *flights
	foreign  *atomic.Bool // warnOfForeign has warned
}

// The levels of the Logger.
const (
	levelRefusal = slog.LevelDebug
	levelFetch   = slog.LevelInfo
	levelOutage  = slog.LevelWarn
)

func (c *Cache) log(ctx context.Context, level slog.Level, message string, attributes ...any) {
	if c.Logger != nil {
		c.Logger.Log(ctx, level, "robots: "+message, attributes...)
	}
}

// An Action is what to do with a URL.
type Action uint32

// String returns the action in a word.
func (a Action) String() string {
	return wordOf(actions[:], uint64(a), "action")
}

var actions = [...]string{
	ActionDecided: "decided",
	ActionFetch:   "fetch",
	ActionWait:    "wait",
	ActionDefer:   "defer",
}

// A CacheDecision is the result of [Cache.Check].
type CacheDecision struct {
	Verdict Verdict // allowed only with ActionDecided
	Action  Action
	Until   time.Time // with ActionDefer when to check again; with ActionWait the expiry of the ticket: see Cache.Wait
	Ticket  *Ticket   // always with ActionFetch, sometimes with ActionDecided, else nil

	// Of Request alone: the slot, or with ActionDefer that which is too late to be reserved; else the zero Time.
	RequestAt     time.Time
	CrawlDelay    time.Duration // from this request to the next one to the site
	CrawlDelayCut bool          // the file states a longer one
}

// NewCache returns a cache that uses at most maxBytes of memory, 65,536 or more. A small site takes about 115 bytes, a large
// robots.txt as much as its compiled rules. There are 1 to 16 crawlers; the options, clock, timeout and User-Agent of the
// first one count for fetches. The error is [ErrArgument] for other numbers, and for a nil Crawler.
func NewCache(maxBytes int, crawlers ...*Crawler) (*Cache, error) {
	if len(crawlers) == 0 {
		return nil, fmt.Errorf("robots: a cache without a crawler: %w", ErrArgument)
	}
	if err := areCreated(crawlers, "the cache"); err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(crawlers)
	handle, err := cacheNew(crawlers[0].object.get(), uint(max(maxBytes, 0)))
	if err != nil {
		return nil, fmt.Errorf("robots: a cache of %d bytes, at least 65536 are needed: %w", maxBytes, err)
	}
	cache := &Cache{
		object:   own(handle, cacheFree, 0),
		crawlers: slices.Clone(crawlers), // the list may be the caller's own
		flights:  &flights{running: map[string]*flight{}},
		foreign:  new(atomic.Bool),
	}
	defer runtime.KeepAlive(cache)
	for _, crawler := range crawlers[1:] {
		if err := cacheAddCrawler(handle, crawler.object.get()); err != nil {
			return nil, fmt.Errorf("robots: a cache for %d crawlers: %w", len(crawlers), err)
		}
	}
	// A ticket is valid for longer than a fetch takes: otherwise two goroutines fetch the same file.
	const defaultTime, longest = 2 * time.Minute, 24 * time.Hour
	ttl := min(max(defaultTime, crawlers[0].timeout+time.Minute), longest)
	const ticketTTL = 1 // ROBOTS_CACHE_OPT_TICKET_TTL_MS
	if err := cacheSet(handle, ticketTTL, wholeSeconds(ttl)); err != nil {
		return nil, fmt.Errorf("robots: ticket TTL %v: %w", ttl, err)
	}
	return cache, nil
}

// Check returns what the first crawler has to do with url. It does no I/O. A string that is no absolute URL is decided, with
// [ErrURL] or [ErrScheme] in the verdict. With any other action than [ActionDecided], the reason is [ReasonDefer] or
// [ReasonUnreachable]. After another error the action is [ActionDefer], for a minute or longer: [ErrMemory] for a site whose
// robots.txt does not fit into the cache.
func (c *Cache) Check(url string, now time.Time) CacheDecision {
	return c.CheckFor(0, url, now)
}

// CheckFor is [Cache.Check] for one of several crawlers, counted from 0 in the order of [NewCache]. For an
// unknown crawler the verdict has [ErrArgument], with [ActionDefer].
func (c *Cache) CheckFor(crawler int, url string, now time.Time) CacheDecision {
	answer := cacheCheck(c.object.get(), uint(crawler), url, clockOf(now))
	runtime.KeepAlive(c)
	return c.decisionOf(answer)
}

// Wait waits, after [ActionWait], until the ticket of the site of url ends; then check again. If no ticket of the site was issued
// here, such as when the cache is full, it waits for 10 milliseconds. The error is that of ctx, and [ErrURL] or [ErrScheme] as for
// [OriginOf].
func (c *Cache) Wait(ctx context.Context, url string) error {
	origin, err := OriginOf(url)
	if err != nil {
		return err
	}
	var done chan struct{} // nil: never
	poll := 10 * time.Millisecond
	if running := c.flights.of(origin.Key); running != nil {
		done, poll = running.done, math.MaxInt64
	}
	select {
	case <-done:
	case <-time.After(poll):
	case <-ctx.Done():
	}
	return ctx.Err()
}

func (c *Cache) decisionOf(answer cacheAnswer) CacheDecision {
	decision := CacheDecision{Verdict: answer.verdict, Action: answer.action}
	if answer.until != 0 {
		decision.Until = timeOf(answer.until)
	}
	if answer.ticket != noTicket {
		decision.Ticket = c.newTicket(answer.ticket)
	}
	return decision
}

// A cacheAnswer is a robots_cache_answer of C.
type cacheAnswer struct {
	verdict Verdict
	action  Action
	until   uint64
	ticket  ticketHandle
}

// Outcome returns the cached outcome of the site of url, of any age, for its crawl-delay, its sitemaps or its times. It is
// nil for an unknown site. It does not change when the cache does. The error is [ErrURL] or
// [ErrScheme] as for [OriginOf].
func (c *Cache) Outcome(url string) (*Outcome, error) {
	handle, err := cacheOutcome(c.object.get(), url)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: outcome of %q: %w", url, ofAbsoluteURL(err))
	}
	var unknown outcomeHandle
	if handle == unknown {
		return nil, nil
	}
	outcome, err := outcomeOf(own(handle, outcomeFree, 0)) // it shares its memory with the cache
	if err != nil {
		return nil, fmt.Errorf("robots: outcome of %q: %w", url, err)
	}
	return outcome, nil
}

// Remove removes the site of url from the cache; "*" removes all sites, as [Cache.Clear] does. The error is [ErrURL] or [ErrScheme] as for [OriginOf].
func (c *Cache) Remove(url string) error {
	defer runtime.KeepAlive(c)
	if err := cacheRemove(c.object.get(), url); err != nil {
		return fmt.Errorf("robots: remove %q: %w", url, ofAbsoluteURL(err))
	}
	return nil
}

// Clear removes all sites from the cache.
func (c *Cache) Clear() {
	defer runtime.KeepAlive(c)
	_ = cacheRemove(c.object.get(), "*")
}

// Bytes returns the memory of the cached sites in bytes, at most the limit of [NewCache].
func (c *Cache) Bytes() int {
	return int(c.count().Bytes)
}

// Len returns the number of cached sites, including those that are fetched for the first time.
func (c *Cache) Len() int {
	return int(c.count().Sites)
}

func (c *Cache) count() (counts cacheCounts) {
	defer runtime.KeepAlive(c)
	_ = cacheCount(c.object.get(), &counts)
	return counts
}

// Records iterates over the cached sites, to pass them to another process or machine: one record for [Cache.Import] per
// site, in the order of eviction. The cache may be used at the same time; sites added or removed then may be omitted.
func (c *Cache) Records() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		// The library calls another goroutine than this one, where yield may panic: no panic may pass through its frames.
		records, stop, failed := make(chan []byte, 64), make(chan struct{}), error(nil)
		defer close(stop)
		go func() {
			defer close(records)
			failed = cacheEach(c.object.get(), func(record []byte) bool {
				select {
				case records <- record:
					return true
				case <-stop:
					return false
				}
			})
			runtime.KeepAlive(c)
		}()
		for record := range records {
			if !yield(record) {
				return
			}
		}
		if failed == ErrMemory || failed == ErrPanic {
			panic(failed) // as the runtime does on allocation failure
		}
	}
}

// Import adds a record of [Cache.Records] or [Outcome.MarshalBinary], unless the cache has an outcome that is as new. The
// error is [ErrImage] for a damaged record, [ErrImageFormat] for one of another version or other crawlers, and [ErrMemory]
// if there is no room for it: Import evicts no site. After an error the cache is unchanged; continue with the next record.
func (c *Cache) Import(record []byte) error {
	defer runtime.KeepAlive(c)
	if err := cacheImport(c.object.get(), record); err != nil {
		return fmt.Errorf("robots: import a record of %d bytes%s: %w", len(record), foreign(err), err)
	}
	return nil
}

// now returns the time of the first crawler's clock.
func (c *Cache) now() time.Time { return c.crawlers[0].now() }
