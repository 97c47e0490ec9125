//go:build cgo

package robots

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// A Transport is an [http.RoundTripper] that obeys robots.txt: a request that is forbidden is refused before it is sent, with
// a [*ForbiddenError] or a [*DeferError], which errors.As finds in the error of the client. The robots.txt of a site is
// fetched through Base when it is first needed, by one goroutine, while others who ask for the same site wait as long as
// their context lets them, and anew when it is old, while the old one serves. Each redirect is a request of its own and is
// judged as such. Any number of goroutines may use a Transport at once.
type Transport struct {
	Cache   *Cache
	Base    http.RoundTripper // nil: http.DefaultTransport
	Crawler int               // which of the cache's crawlers sends the requests
}

// A ForbiddenError is a request that robots.txt does not allow.
type ForbiddenError struct {
	URL     string // without user name and password, as that of a DeferError
	Verdict Verdict
}

// Error says which URL, and why.
func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("robots: %s: %v", e.URL, e.Verdict)
}

// A DeferError is a request to a site of which nothing may be fetched now. Keep the URL.
type DeferError struct {
	URL   string
	Until time.Time // when to try again, not before
}

// Error says which URL, and until when.
func (e *DeferError) Error() string {
	return fmt.Sprintf("robots: %s: nothing of the site may be fetched before %s", e.URL, e.Until.UTC().Format(time.RFC3339))
}

// RoundTrip sends the request if robots.txt allows it. As of any RoundTripper, the body of the request is closed in any case.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	base := transportOf(t.Base)
	// The request may itself be for a robots.txt that some caller waits for.
	if request.Context().Value(fetching{}) == nil {
		target := *request.URL
		target.User = nil // a password is not for messages
		url := target.String()
		verdict, err := t.Cache.fetch(request.Context(), &http.Client{Transport: base}, t.Crawler, url)
		if err == nil && !verdict.Allowed() {
			err = &ForbiddenError{url, verdict}
		}
		if err != nil {
			if request.Body != nil {
				request.Body.Close()
			}
			return nil, err
		}
	}
	return base.RoundTrip(request)
}

// CloseIdleConnections closes those of Base, for [http.Client.CloseIdleConnections].
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: transportOf(t.Base)}).CloseIdleConnections()
}

// Fetch says whether the first crawler may fetch url. What is not known of the site it retrieves first, with client (see
// [Fetch.Do]), or waits while another goroutine does. The error is a [*DeferError] where the site is deferred, that of ctx
// when it ended first, [ErrURL] or [ErrScheme] for what is no URL, [ErrMemory] for a robots.txt too large for the cache; the
// verdict is then not allowed. A site that fails is no error: the verdict says so.
//
// A retrieval that was begun goes on when ctx ends, for others may wait for it; the crawler's timeout ends it.
func (c *Cache) Fetch(ctx context.Context, client *http.Client, url string) (Verdict, error) {
	return c.fetch(ctx, client, 0, url)
}

func (c *Cache) fetch(ctx context.Context, client *http.Client, crawler int, url string) (Verdict, error) {
	if c == nil || len(c.crawlers) == 0 {
		return 0, fmt.Errorf("robots: a cache that NewCache did not make: %w", ErrArgument)
	}
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		answer := c.CheckFor(crawler, url, c.now())
		var running *flight
		if answer.Ticket != nil {
			running, answer.Until = answer.Ticket.flight, c.now().Add(c.crawlers[0].timeout)
			go c.retrieve(context.WithoutCancel(ctx), client, answer.Ticket)
		}
		switch err := answer.Verdict.Err(); {
		case err != nil:
			return answer.Verdict, fmt.Errorf("robots: %q: %w", url, err)
		case answer.Action == ActionDecided:
			return answer.Verdict, nil
		case answer.Action == ActionDefer:
			return answer.Verdict, &DeferError{url, answer.Until}
		case answer.Action == ActionWait:
			running = c.running(url)
		}
		// Nobody is known to be fetching for want of room, or because a ticket was given just now. And a holder may be dead.
		while := pause
		if running != nil {
			while = max(pause, answer.Until.Sub(c.now()))
		}
		if err := wait(ctx, running, while); err != nil {
			return answer.Verdict, fmt.Errorf("robots: wait for the robots.txt of %q: %w", url, err)
		}
	}
}

// wait returns when it is time to ask the cache again: in a while, or when the retrieval that is known to be under way ends.
func wait(ctx context.Context, running *flight, while time.Duration) error {
	if running == nil {
		running = new(flight) // never done
	}
	timer := time.NewTimer(while)
	defer timer.Stop()
	select {
	case <-running.done:
		return running.err
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Cache) running(url string) *flight {
	key, _, err := originOf(url)
	if err != nil {
		return nil
	}
	return c.flights.of(key)
}

// retrieve uses the ticket up.
func (c *Cache) retrieve(ctx context.Context, client *http.Client, ticket *Ticket) {
	defer ticket.Release()
	ticket.flight.err = func() error {
		fetch, err := ticket.Fetch(c.now())
		if err != nil {
			return err
		}
		defer fetch.free()
		outcome, err := fetch.Do(ctx, client)
		if err != nil {
			return err
		}
		if c.OnOutcome != nil {
			c.OnOutcome(outcome)
		}
		return ticket.finish(outcome, c.now())
	}()
}
