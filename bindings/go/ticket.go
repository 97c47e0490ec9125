//go:build cgo

package robots

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

// A Ticket lets its holder fetch the robots.txt of one origin, which nobody else who asks the cache does meanwhile. End it
// with [Ticket.Finish] or [Ticket.Release]; one that is forgotten gives itself back when the garbage collector finds it, or
// two minutes after it was given (longer where the crawler's timeout is). It belongs to one goroutine at a time.
type Ticket struct {
	object  *owned[hold]
	origin  string
	flight  *flight
	crawler *Crawler
}

// A hold is what there is to give back.
type hold struct {
	handle  ticketHandle
	origin  string
	flight  *flight
	flights *flights
}

func (c *Cache) newTicket(handle ticketHandle) *Ticket {
	origin := ticketOrigin(handle)
	flight := c.flights.begin(origin)
	return &Ticket{own(hold{handle, origin, flight, c.flights}, hold.end, 0), origin, flight, c.crawlers[0]}
}

func (h hold) end() {
	ticketFree(h.handle)
	h.flights.end(h.origin, h.flight)
}

// Origin gives the key of the origin: "https://example.com".
func (t *Ticket) Origin() string { return t.origin }

// Fetch begins the retrieval, for all crawlers of the cache. It knows the outcome that the cache has: it asks the server
// whether the file changed, and goes on using it where the server cannot be reached (SPEC 2.11). [ErrState]: the ticket was
// given back.
func (t *Ticket) Fetch(now time.Time) (*Fetch, error) {
	handle := t.object.get().handle
	if handle == nil {
		return nil, fmt.Errorf("robots: fetch with a ticket that was given back: %w", ErrState)
	}
	fetch, err := ticketFetch(handle, now)
	runtime.KeepAlive(t)
	if err != nil {
		return nil, fmt.Errorf("robots: fetch for %s: %w", t.origin, err)
	}
	return newFetch(fetch, t.crawler), nil
}

// Finish hands the outcome in, for all who ask, and gives the ticket back, also with an error: [ErrArgument] for an outcome of
// another origin or other crawlers, [ErrMemory] for one that does not fit into the cache, [ErrState] for a ticket that was
// given back before.
func (t *Ticket) Finish(outcome *Outcome, now time.Time) error {
	err := t.finish(outcome, now)
	t.Release()
	return err
}

// finish leaves the ticket to be released, so that those who wait do not look before all is said.
func (t *Ticket) finish(outcome *Outcome, now time.Time) error {
	handle := t.object.get().handle
	if handle == nil {
		return fmt.Errorf("robots: finish a ticket that was given back: %w", ErrState)
	}
	err := ticketFinish(handle, outcome.object.get(), now)
	runtime.KeepAlive(t)
	runtime.KeepAlive(outcome)
	if err != nil {
		return fmt.Errorf("robots: keep the robots.txt of %s: %w", t.origin, err)
	}
	return nil
}

// Release gives the ticket back without an outcome: the next who asks the cache gets one. After Finish it does nothing.
func (t *Ticket) Release() {
	if t.object.get().handle != nil {
		t.object.end()
	}
}

// flights are the retrievals that are under way, for those who wait for them.
type flights struct {
	lock    sync.Mutex
	running map[string]*flight // by origin
}

type flight struct {
	done chan struct{} // closed when the ticket is given back
	err  error         // written before that: why nobody can be told more
}

func (f *flights) begin(origin string) *flight {
	f.lock.Lock()
	defer f.lock.Unlock()
	flight := &flight{done: make(chan struct{})}
	f.running[origin] = flight
	return flight
}

func (f *flights) end(origin string, flight *flight) {
	f.lock.Lock()
	defer f.lock.Unlock()
	close(flight.done)
	// After a ticket's life another may have been given.
	if f.running[origin] == flight {
		delete(f.running, origin)
	}
}

// of gives nil where nothing is under way.
func (f *flights) of(origin string) *flight {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.running[origin]
}
