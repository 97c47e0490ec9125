package robots

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Queue passes the URLs of many sites to a fixed number of goroutines. Each site has a queue of its own, first in, first out, and
// at most one goroutine. A site whose crawl-delay is not over has none: with the context of a visit, a [Transport] does not wait for the
// slot of a request. So a slow site does not hold up the others. A Queue is safe for concurrent use.
type Queue struct {
	visit func(ctx context.Context, url string) error

	lock    sync.Mutex
	sites   map[string]*queued // those that have URLs, by origin
	due     dueSites           // those that no goroutine visits
	changed chan struct{}      // closed at the next change
}

// queued is the queue of a site.
type queued struct {
	origin string
	urls   []string
	due    time.Time // when to visit the next one
	slot   time.Time // the reserved slot of the first URL, if not zero
}

// A heldSlot is the slot of a request, in its context. With one, a Transport does not wait.
type heldSlot struct {
	origin string
	at     time.Time // zero: none
}

// NewQueue returns a queue that calls visit for each URL. visit sends its request with ctx ([http.NewRequestWithContext]), and returns
// the error. After a [*DeferError] with [CauseCrawlDelay], also a wrapped one, the URL stays the first of its site until the time of the
// error. Any other URL leaves the queue. To keep a URL after the response 429, return such an error. After an outage, add the URL again
// at the Until of its error. The Transport waits for the slot of a redirect. NewQueue panics if visit is nil.
func NewQueue(visit func(ctx context.Context, url string) error) *Queue {
	if visit == nil {
		panic("robots: NewQueue needs a function that visits a URL")
	}
	return &Queue{visit: visit, sites: map[string]*queued{}, changed: make(chan struct{})}
}

// Add adds a URL to the end of the queue of its site. visit may call it. The error is [ErrURL] or [ErrScheme] as for [OriginOf].
func (q *Queue) Add(url string) error {
	origin, err := OriginOf(url)
	if err != nil {
		return err
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	site := q.sites[origin.Key]
	if site == nil {
		site = &queued{origin: origin.Key}
		q.sites[origin.Key] = site
		q.push(site, time.Now())
	}
	site.urls = append(site.urls, url)
	return nil
}

// Run visits URLs with a number of goroutines until no URL is left, or ctx ends. The error is that of ctx, or [ErrArgument] for less
// than one goroutine.
func (q *Queue) Run(ctx context.Context, goroutines int) error {
	if goroutines < 1 {
		return fmt.Errorf("robots: a queue runs with at least one goroutine, not %d: %w", goroutines, ErrArgument)
	}
	var running sync.WaitGroup
	for range goroutines {
		running.Add(1)
		go func() {
			defer running.Done()
			for site, url := q.next(ctx); site != nil; site, url = q.next(ctx) {
				q.end(site, q.visit(context.WithValue(ctx, heldSlot{}, heldSlot{site.origin, site.slot}), url))
			}
		}()
	}
	running.Wait()
	return ctx.Err()
}

// next waits for a site that is due, and returns its first URL. It returns nil at the end.
func (q *Queue) next(ctx context.Context) (*queued, string) {
	for {
		q.lock.Lock()
		if ctx.Err() != nil || len(q.sites) == 0 {
			q.lock.Unlock()
			return nil, ""
		}
		wait := time.Duration(1<<63 - 1)
		if len(q.due) > 0 {
			if wait = time.Until(q.due[0].due); wait <= 0 {
				site := heap.Pop(&q.due).(*queued)
				url := site.urls[0]
				q.lock.Unlock()
				return site, url
			}
		}
		changed := q.changed
		q.lock.Unlock()
		select {
		case <-changed:
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// end takes the first URL of a site away, unless its slot is later.
func (q *Queue) end(site *queued, err error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	due := time.Now()
	site.slot = time.Time{}
	var deferred *DeferError
	if errors.As(err, &deferred) && deferred.Cause == CauseCrawlDelay {
		site.slot = deferred.Until
		if due = due.Add(time.Millisecond); due.Before(site.slot) { // by another clock, the slot may be past
			due = site.slot
		}
	} else {
		site.urls = site.urls[1:]
	}
	if len(site.urls) > 0 {
		q.push(site, due)
		return
	}
	delete(q.sites, site.origin)
	q.wake()
}

func (q *Queue) push(site *queued, due time.Time) {
	site.due = due
	heap.Push(&q.due, site)
	q.wake()
}

func (q *Queue) wake() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// dueSites is a heap: the first site is due first.
type dueSites []*queued

func (d dueSites) Len() int           { return len(d) }
func (d dueSites) Less(i, j int) bool { return d[i].due.Before(d[j].due) }
func (d dueSites) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *dueSites) Push(site any)     { *d = append(*d, site.(*queued)) }
func (d *dueSites) Pop() any {
	last := len(*d) - 1
	site := (*d)[last]
	*d = (*d)[:last]
	return site
}
