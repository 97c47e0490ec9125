package robots

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

// A Ticket is the permission to fetch the robots.txt of one origin. The cache issues one ticket per origin at a time. End it
// with [Ticket.Finish] or [Ticket.Release]. Otherwise it ends when the garbage collector frees it, or two minutes after it
// was issued (later if the crawler's timeout is longer). It is not safe for concurrent use.
type Ticket struct {
	object  *owned[lease]
	origin  string
	flight  *flight
	crawler *Crawler
}

// noTicket is the handle of a ticket that was released.
var noTicket ticketHandle

// A lease is what the end of a ticket releases.
type lease struct {
	handle  ticketHandle
	origin  string
	flight  *flight
	flights *flights
}

func (c *Cache) newTicket(handle ticketHandle) *Ticket {
	origin := ticketOrigin(handle)
	flight := c.flights.begin(origin)
	return &Ticket{own(lease{handle, origin, flight, c.flights}, lease.end, 0), origin, flight, c.crawlers[0]}
}

func (l lease) end() {
	ticketFree(l.handle)
	l.flights.end(l.origin, l.flight)
}

// Origin returns the key of the origin: "https://example.com".
func (t *Ticket) Origin() string { return t.origin }

// Fetch returns a fetch for all crawlers of the cache. Its previous outcome is the cached one: the request is conditional,
// and the cached rules stay in use while the site is unreachable (SPEC 2.11). The error is [ErrState] after the end of the
// ticket.
func (t *Ticket) Fetch(now time.Time) (*Fetch, error) {
	handle := t.object.get().handle
	if handle == noTicket {
		return nil, fmt.Errorf("robots: fetch with a released ticket: %w", ErrState)
	}
	fetch, err := ticketFetch(handle, clockOf(now))
	runtime.KeepAlive(t)
	if err != nil {
		return nil, fmt.Errorf("robots: fetch for %s: %w", t.origin, err)
	}
	return newFetch(fetch, t.crawler), nil
}

// Finish stores the outcome in the cache and ends the ticket, also on error. The error is [ErrArgument] for an outcome of
// another origin or other crawlers, [ErrMemory] for one that does not fit into the cache, and [ErrState] after the end of
// the ticket.
func (t *Ticket) Finish(outcome *Outcome, now time.Time) error {
	err := t.finish(outcome, now)
	t.Release()
	return err
}

// finish stores the outcome. The caller releases the ticket: then the goroutines that wait for it continue.
func (t *Ticket) finish(outcome *Outcome, now time.Time) error {
	handle := t.object.get().handle
	if handle == noTicket {
		return fmt.Errorf("robots: finish a released ticket: %w", ErrState)
	}
	err := ticketFinish(handle, outcome.object.get(), clockOf(now))
	runtime.KeepAlive(t)
	runtime.KeepAlive(outcome)
	if err != nil {
		return fmt.Errorf("robots: keep the robots.txt of %s: %w", t.origin, err)
	}
	return nil
}

// Release ends the ticket without an outcome: the next check gets a ticket. After Finish it does nothing.
func (t *Ticket) Release() {
	if t.object.get().handle != noTicket {
		t.object.release()
	}
}

// flights are the running fetches, for the goroutines that wait for them.
type flights struct {
	lock    sync.Mutex
	running map[string]*flight // by origin
}

type flight struct {
	done chan struct{} // closed at the end of the ticket
	err  error         // why there is no outcome; written before done is closed
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
	// After the TTL of a ticket, the cache may have issued another.
	if f.running[origin] == flight {
		delete(f.running, origin)
	}
}

// of returns nil if no fetch is running.
func (f *flights) of(origin string) *flight {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.running[origin]
}
