//go:build cgo

package robots

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"
)

// A Cache keeps what came of fetching robots.txt files, by origin, in a bounded piece of memory, for one crawler or several
// (SPEC 3.7). Any number of goroutines may use it at once. An answer from it takes no lock that other sites share and
// allocates nothing. There is nothing to close.
//
// [Transport] puts it in front of an [http.Client], [Cache.Fetch] asks it and fetches what is missing. Below them,
// [Cache.Check] says what to do and does no I/O.
type Cache struct {
	// OnOutcome, where it is not nil, is called with what came of each retrieval by [Cache.Fetch] and [Transport], before
	// anyone decides by it; [Cache.Outcome] tells it afterwards. Set it before the cache is used. It is called from many
	// goroutines, of different sites at once.
	OnOutcome func(*Outcome)

	object   *owned[cacheHandle]
	crawlers []*Crawler
	flights  *flights
}

// An Action is what is to be done with a URL.
type Action uint32

const (
	// ActionDecided: obey the verdict. If there is a ticket beside it, fetch the robots.txt anew; until that is done the old
	// outcome serves everybody (SPEC 3.4).
	ActionDecided Action = 0
	// ActionFetch: nothing is known of the site, and the ticket is yours: fetch, finish the ticket and ask again.
	ActionFetch Action = 1
	// ActionWait: somebody else is fetching, or there is no room; ask again in a while, at Until at the latest.
	ActionWait Action = 2
	// ActionDefer: nothing of the site may be fetched before Until, its robots.txt neither; keep the URL.
	ActionDefer Action = 3
)

// A CacheDecision is what a [Cache] says about a URL.
type CacheDecision struct {
	Verdict Verdict   // allowed only with ActionDecided
	Action  Action    //
	Until   time.Time // of ActionWait and ActionDefer: when to ask again
	Ticket  *Ticket   // always with ActionFetch, at times with ActionDecided, else nil
}

// NewCache makes a cache of at most maxBytes of memory, 65,536 or more, everything counted; a small site takes about 800
// bytes, a large robots.txt as much as its compiled rules. Of up to 16 crawlers the first decides how fetches go, its clock,
// timeout and User-Agent count. The error is [ErrArgument] for other numbers.
func NewCache(maxBytes int, crawlers ...*Crawler) (*Cache, error) {
	if len(crawlers) == 0 {
		return nil, fmt.Errorf("robots: a cache without a crawler: %w", ErrArgument)
	}
	defer runtime.KeepAlive(crawlers)
	handle, err := cacheNew(crawlers[0].object.get(), maxBytes)
	if err != nil {
		return nil, fmt.Errorf("robots: a cache of %d bytes, at least 65536 are needed: %w", maxBytes, err)
	}
	cache := &Cache{
		object:   own(handle, cacheFree, 0),
		crawlers: slices.Clone(crawlers), // the list may be the caller's own
		flights:  &flights{running: map[string]*flight{}},
	}
	defer runtime.KeepAlive(cache)
	for _, crawler := range crawlers[1:] {
		if err := cacheAddCrawler(handle, crawler.object.get()); err != nil {
			return nil, fmt.Errorf("robots: a cache for %d crawlers: %w", len(crawlers), err)
		}
	}
	// A ticket outlives the retrieval, or another would fetch the same file.
	const usual, longest = 2 * time.Minute, 24 * time.Hour
	life := min(max(usual, crawlers[0].timeout+time.Minute), longest)
	if err := cacheSetTicketTTL(handle, secondsOf(life)); err != nil {
		return nil, fmt.Errorf("robots: ticket life %v: %w", life, err)
	}
	return cache, nil
}

// Check says what to do with a URL of the first crawler, and does no I/O. What is no absolute URL is decided, with [ErrURL] or
// [ErrScheme] in the verdict. With an action other than [ActionDecided] the verdict's reason is [ReasonDefer].
func (c *Cache) Check(url string, now time.Time) CacheDecision {
	return c.CheckFor(0, url, now)
}

// CheckFor does what [Cache.Check] does, for one of several crawlers, counted from 0 as [NewCache] was given them. Past the last
// the verdict has [ErrArgument].
func (c *Cache) CheckFor(crawler int, url string, now time.Time) CacheDecision {
	answer, ticket := cacheCheck(c.object.get(), crawlerIndex(crawler), url, now)
	if ticket != nil {
		answer.Ticket = c.newTicket(ticket)
	}
	runtime.KeepAlive(c)
	return answer
}

// Outcome tells what is known of the site of url, whatever its age: for its crawl-delay, its sitemaps or its times, which a
// verdict does not tell. It is nil where nothing is known, and does not change when the cache does. It takes no lock. The error
// is [ErrURL] or [ErrScheme] as for [OriginOf].
func (c *Cache) Outcome(url string) (*Outcome, error) {
	handle, err := cacheOutcome(c.object.get(), url)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: outcome of %q: %w", url, err)
	}
	if handle == nil {
		return nil, nil
	}
	return outcomeOf(own(handle, outcomeFree, 0)), nil // it shares its memory with the cache
}

// Remove forgets what is known of the site of url. The error is [ErrURL] or [ErrScheme] as for [OriginOf].
func (c *Cache) Remove(url string) error {
	defer runtime.KeepAlive(c)
	if err := cacheRemove(c.object.get(), url); err != nil {
		return fmt.Errorf("robots: remove %q: %w", url, err)
	}
	return nil
}

// Clear forgets what is known of all sites.
func (c *Cache) Clear() {
	defer runtime.KeepAlive(c)
	cacheClear(c.object.get())
}

// Bytes counts the bytes of memory that the kept sites take, never more than [NewCache] was given.
func (c *Cache) Bytes() int {
	defer runtime.KeepAlive(c)
	return cacheBytes(c.object.get())
}

// Len counts the sites that are kept, those that are being fetched for the first time among them.
func (c *Cache) Len() int {
	defer runtime.KeepAlive(c)
	return cacheCount(c.object.get())
}

// Records lists what is kept, for another process or machine: each site one record for [Cache.Import], those first that would
// be evicted first. The cache may be used meanwhile; sites that come or go then may be left out.
func (c *Cache) Records() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		cursor, err := cursorNew(c.object.get())
		runtime.KeepAlive(c)
		if err == ErrMemory {
			panic(err) // like the runtime, it knows no way on without
		}
		defer cursorFree(cursor)
		for {
			record := cursorNext(cursor)
			if len(record) == 0 || !yield(record) {
				return
			}
		}
	}
}

// Import takes a record over that [Cache.Records] gave, unless as new an outcome of the site is kept. The error is [ErrImage]
// for a damaged record, [ErrImageFormat] for one of another version or of other crawlers, [ErrMemory] for one that does not
// fit: nobody is evicted for it. The cache is then as it was; go on with the next.
func (c *Cache) Import(record []byte) error {
	defer runtime.KeepAlive(c)
	if err := cacheImport(c.object.get(), record); err != nil {
		return fmt.Errorf("robots: import: %w", err)
	}
	return nil
}

// now is the time by the crawlers' clock.
func (c *Cache) now() time.Time { return c.crawlers[0].now() }
