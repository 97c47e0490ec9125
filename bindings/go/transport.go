//go:build cgo

package robots

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// A Transport is an [http.RoundTripper] that obeys robots.txt. It refuses a disallowed request before it is sent, with a
// [*ForbiddenError] or a [*DeferError], which errors.As finds in the error of the client. It checks each redirect like any
// request. One goroutine fetches the robots.txt of a site through Base; the others wait for it as long as their context
// allows. An old robots.txt stays in use while it is refreshed. A Transport is safe for concurrent use.
type Transport struct {
	Cache   *Cache
	Base    http.RoundTripper // nil: http.DefaultTransport
	Crawler int               // the index of the cache's crawler that sends the requests
}

// A ForbiddenError is the refusal of a request that robots.txt disallows.
type ForbiddenError struct {
	URL     string // without user name and password
	Verdict Verdict
}

// Error returns the URL and the verdict.
func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("robots: %s: %v", e.URL, e.Verdict)
}

// A DeferError is the refusal of a request to a site of which no page may be fetched now. Keep the URL.
type DeferError struct {
	URL   string
	Until time.Time // when to try again; not before
}

// Error returns the URL and the time.
func (e *DeferError) Error() string {
	return fmt.Sprintf("robots: %s: no page of the site may be fetched before %s", e.URL, e.Until.UTC().Format(time.RFC3339))
}

// RoundTrip sends the request if robots.txt allows it. It always closes the body of the request.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	base := transportOf(t.Base)
	// A request for a robots.txt is not checked: otherwise it would wait for itself.
	if request.Context().Value(fetching{}) == nil {
		target := *request.URL
		target.User = nil // errors must not show a password
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

// CloseIdleConnections closes the idle connections of Base, for [http.Client.CloseIdleConnections].
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: transportOf(t.Base)}).CloseIdleConnections()
}

// Fetch returns whether the first crawler may fetch url. If the site is unknown, it fetches the robots.txt with client (see
// [Fetch.Do]), or waits for the goroutine that does. The error is a [*DeferError] for a deferred site, that of ctx if it
// ends first, [ErrURL] or [ErrScheme] as for [OriginOf], and [ErrMemory] for a robots.txt too large for the cache; the
// verdict is then not allowed.
//
// The end of ctx does not stop a running fetch, because others may wait for it; the crawler's timeout does.
func (c *Cache) Fetch(ctx context.Context, client *http.Client, url string) (Verdict, error) {
	return c.fetch(ctx, client, 0, url)
}

func (c *Cache) fetch(ctx context.Context, client *http.Client, crawler int, url string) (Verdict, error) {
	if c == nil || len(c.crawlers) == 0 {
		return 0, fmt.Errorf("robots: a cache that NewCache did not make: %w", ErrArgument)
	}
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		decision := c.CheckFor(crawler, url, c.now())
		var running *flight
		if decision.Ticket != nil {
			running, decision.Until = decision.Ticket.flight, c.now().Add(c.crawlers[0].timeout)
			go c.retrieve(context.WithoutCancel(ctx), client, decision.Ticket)
		}
		switch err := decision.Verdict.Err(); {
		case err != nil:
			return decision.Verdict, fmt.Errorf("robots: %q: %w", url, err)
		case decision.Action == ActionDecided:
			return decision.Verdict, nil
		case decision.Action == ActionDefer:
			return decision.Verdict, &DeferError{url, decision.Until}
		case decision.Action == ActionWait:
			running = c.running(url)
		}
		// No fetch is known if the cache has no room or issued the ticket just now. And a holder may never finish.
		while := pause
		if running != nil {
			while = max(pause, decision.Until.Sub(c.now()))
		}
		if err := wait(ctx, running, while); err != nil {
			return decision.Verdict, fmt.Errorf("robots: wait for the robots.txt of %q: %w", url, err)
		}
	}
}

// wait returns when it is time to check again: when the running fetch ends, or after a while.
func wait(ctx context.Context, running *flight, while time.Duration) error {
	if running == nil {
		running = new(flight) // its channel is nil: never done
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

// retrieve fetches the robots.txt of the ticket's origin and ends the ticket.
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
