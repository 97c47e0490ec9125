package robots

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Transport is an [http.RoundTripper] that obeys robots.txt. It refuses a disallowed request before it is sent, with a
// [*ForbiddenError] or a [*DeferError], which errors.As finds in the error of the client. It checks each redirect like any
// request. One goroutine fetches the robots.txt of a site through Base; the others wait for it as long as their context
// allows. An old robots.txt stays in use while it is refreshed. A Transport is safe for concurrent use.
//
// A request with a deadline, such as the Timeout of a client, waits until shortly before it: the error is then a
// [*DeferError], too, because the client would replace any later one. The fetch goes on for later requests.
//
// It checks and sends the form of the URL that [URLToSend] returns, also for [url.URL.Opaque] (SPEC 8.11).
//
// It refuses a request of another scheme than http and https with [ErrScheme]. Send such a request through Base.
//
// It waits for the slot of each request, as long as its context allows (SPEC 3.9): a crawl-delay after the one before, and after a
// 429 or 503 of a page not before its Retry-After. A slot after the deadline of the request, or later than [Cache.SetHorizon], is a
// [*DeferError]. A request that is cancelled while it waits leaves its slot unused.
//
// If [http.Request.Host] is set, it names the site: its robots.txt is requested from the same server as the page, with the
// same Host header.
//
// The values of a request's context, such as a net/http/httptrace, do not apply to the request for the robots.txt, because
// other goroutines wait for it too.
type Transport struct {
	Cache   *Cache
	Base    http.RoundTripper // nil: http.DefaultTransport
	Crawler int               // the index of the cache's crawler that sends the requests
	// PageControls makes RoundTrip read the headers of each response for the crawler. [PageControlsOf] returns what it read.
	PageControls bool
}

// pageControls is the key of the page controls in the context of a response's request.
type pageControls struct{}

// PageControlsOf returns the page controls of a response from a [Transport] with the field PageControls: what its headers permit
// the crawler. [PageControls.AddMeta] adds the <meta> elements of the page. For any other response the controls permit nothing.
func PageControlsOf(response *http.Response) *PageControls {
	if response != nil && response.Request != nil {
		if page, ok := response.Request.Context().Value(pageControls{}).(*PageControls); ok {
			return page
		}
	}
	return new(PageControls)
}

// A ForbiddenError is the refusal of a request that the site's robots.txt disallows. Drop the URL.
type ForbiddenError struct {
	URL     string // without user name and password
	Verdict Verdict
}

// Error returns the URL and the verdict.
func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("robots: %s: %v", e.URL, e.Verdict)
}

// A DeferError is the refusal of a request because the site or its robots.txt cannot be reached now, or because the site asks
// to wait, also by a crawl-delay ([CauseCrawlDelay]). This is no ban: keep the URL. A request whose deadline ends before its robots.txt is there gets one with [CauseTimeout].
type DeferError struct {
	URL        string    // without user name and password
	Until      time.Time // when to try again, not before; with CauseCrawlDelay the slot, to the millisecond
	Reason     Reason    // ReasonUnreachable or ReasonDefer
	Cause      Cause     // why: such as CauseDNS or CauseServerError; 0 if the cache has evicted the site
	HTTPStatus int       // the status of the last response; 0 without a response
}

// Error returns the URL, the cause and the time.
func (e *DeferError) Error() string {
	text := fmt.Sprintf("robots: %s: %v", e.URL, e.Reason)
	if e.Cause != 0 {
		text += fmt.Sprintf(" (%v)", e.Cause)
	}
	return fmt.Sprintf("%s; try again at %s", text, e.Until.UTC().Format(time.RFC3339Nano))
}

// RoundTrip sends the request if robots.txt allows it. It always closes the body of the request.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	base := transportOf(t.Base)
	// A request for a robots.txt is not checked: otherwise it would wait for itself.
	if request.Context().Value(fetching{}) != nil {
		return base.RoundTrip(request)
	}
	asked, err := t.check(request, base)
	if err == nil {
		request, err = withForm(request, asked)
	}
	if err != nil {
		if request.Body != nil {
			request.Body.Close()
		}
		return nil, err
	}
	t.Cache.warnOfForeign(request.Context(), t.Crawler, request.Header)
	send := base.RoundTrip
	if t.PageControls {
		send = func(request *http.Request) (*http.Response, error) { return t.withPageControls(request, base) }
	}
	response, err := send(request)
	if err == nil {
		t.Cache.responded(asked, response)
	}
	return response, err
}

// withPageControls attaches the page controls to the response's request: nothing else of a response can carry them.
func (t *Transport) withPageControls(request *http.Request, base http.RoundTripper) (*http.Response, error) {
	response, err := base.RoundTrip(request)
	if err != nil {
		return response, err
	}
	page, err := t.Cache.crawlers[t.Crawler].PageControls(response.Header)
	if err != nil { // without memory, nothing is permitted
		page = new(PageControls)
	}
	response.Request = request.WithContext(context.WithValue(request.Context(), pageControls{}, page))
	return response, nil
}

// withForm returns a request whose path and query are those of form, for the same server.
func withForm(request *http.Request, form string) (*http.Request, error) {
	sent, err := url.Parse(form)
	if err != nil {
		return request, fmt.Errorf("robots: %q: %w: %w", form, ErrURL, err)
	}
	if request.URL.Opaque == "" && request.URL.RequestURI() == sent.RequestURI() {
		return request, nil
	}
	copied := request.Clone(request.Context())
	sent.Scheme, sent.User, sent.Host = request.URL.Scheme, request.URL.User, request.URL.Host
	copied.URL = sent
	return copied, nil
}

// check returns the form of the URL, which may be sent now.
func (t *Transport) check(request *http.Request, base http.RoundTripper) (string, error) {
	if request.URL == nil {
		return "", fmt.Errorf("robots: request without a URL: %w", ErrURL)
	}
	target := *request.URL
	target.User = nil // errors must not show a password
	if request.Host != "" && request.Host != target.Host {
		base = &virtualHost{base, request.Host, target.Host}
		target.Host = request.Host
	}
	asked, err := requested(&target)
	if err == nil {
		asked, err = URLToSend(asked)
	}
	if err != nil {
		return "", err
	}
	ctx, cancel := beforeDeadline(request.Context())
	if request.Response != nil { // a redirect: its request is not in the queue
		ctx = context.WithValue(ctx, heldSlot{}, nil)
	}
	defer cancel()
	verdict, err := t.Cache.request(ctx, &http.Client{Transport: base}, t.Crawler, asked)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		until := t.Cache.now().Add(t.Cache.crawlers[0].timeout) // the running fetch ends by then
		err = &DeferError{URL: asked, Until: until, Reason: ReasonUnreachable, Cause: CauseTimeout}
		t.Cache.log(request.Context(), levelRefusal, "request deferred", "url", asked, "cause", CauseTimeout, "until", until)
	}
	if err == nil && !verdict.Allowed() {
		err = &ForbiddenError{asked, verdict}
		t.Cache.log(request.Context(), levelRefusal, "request refused", "url", asked, "verdict", verdict)
	}
	return asked, err
}

// requested returns the URL that net/http sends for u: the host is that of the connection, and the path that of the request line.
// A path that starts with // stays a path. The error is [ErrURL] if [url.URL.Opaque] names another host.
func requested(u *url.URL) (string, error) {
	site := (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
	line := u.RequestURI()
	if u.Opaque == "" || strings.HasPrefix(line, "/") && !strings.HasPrefix(line, "//") {
		return site + "/" + strings.TrimPrefix(line, "/"), nil
	}
	if path, ok := strings.CutPrefix(line, site); ok && strings.HasPrefix(path, "/") {
		return line, nil
	}
	return "", fmt.Errorf("robots: the request for %q asks %q for a URL of another site: %w", line, u.Host, ErrURL)
}

// beforeDeadline returns a context that ends shortly before the deadline of ctx, if it has one: an http.Client whose Timeout has
// expired replaces every error with its own, which does not say that the robots.txt is what is missing.
func beforeDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, given := ctx.Deadline()
	if !given {
		return ctx, func() {}
	}
	early := min(time.Until(deadline)/10, 250*time.Millisecond)
	return context.WithDeadline(ctx, deadline.Add(-early))
}

// CloseIdleConnections closes the idle connections of Base, for [http.Client.CloseIdleConnections].
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: transportOf(t.Base)}).CloseIdleConnections()
}

// A virtualHost sends the requests for a host to another address, with the Host header of the host.
type virtualHost struct {
	base          http.RoundTripper
	host, address string
}

func (v *virtualHost) RoundTrip(request *http.Request) (*http.Response, error) {
	// The fetch requests the canonical form of the host.
	origin, err := OriginOf((&url.URL{Scheme: request.URL.Scheme, Host: v.host}).String())
	if err == nil && origin.Key == request.URL.Scheme+"://"+request.URL.Host {
		copied := request.Clone(request.Context())
		copied.URL.Host, copied.Host = v.address, v.host
		request = copied
	}
	return v.base.RoundTrip(request)
}

// Fetch returns whether the first crawler may fetch url. If the site is unknown, it fetches the robots.txt with client (see
// [Fetch.Do]), or waits for the goroutine that does. The error is a [*DeferError] for an unreachable or deferred site, that
// of ctx if it ends first, [ErrURL] or [ErrScheme] as for [OriginOf], [ErrScheme] also for ftp, and [ErrMemory] for a robots.txt too large for the
// cache; the verdict is then not allowed.
//
// The end of ctx does not stop a running fetch, because others may wait for it; the crawler's timeout does. The values of
// ctx do not apply to the fetch, for the same reason.
func (c *Cache) Fetch(ctx context.Context, client *http.Client, url string) (Verdict, error) {
	decision, err := c.fetch(ctx, client, 0, url, c.CheckFor)
	return decision.Verdict, err
}

// fetch returns what check, CheckFor or RequestFor, decides, when the robots.txt is there.
func (c *Cache) fetch(ctx context.Context, client *http.Client, crawler int, url string,
	check func(int, string, time.Time) CacheDecision) (none CacheDecision, _ error) {
	if c == nil || len(c.crawlers) == 0 {
		return none, fmt.Errorf("robots: a cache that NewCache did not return: %w", ErrArgument)
	}
	if crawler < 0 || crawler >= len(c.crawlers) {
		return none, fmt.Errorf("robots: crawler %d of a cache with %d: %w", crawler, len(c.crawlers), ErrArgument)
	}
	if scheme, _, _ := strings.Cut(url, ":"); strings.EqualFold(scheme, "ftp") {
		return none, fmt.Errorf("robots: %q: no client for HTTP fetches a robots.txt by ftp: use Cache.Check and Ticket.Fetch: %w", url, ErrScheme)
	}
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		decision := check(crawler, url, c.now())
		var running *flight
		if decision.Ticket != nil {
			running, decision.Until = decision.Ticket.flight, c.now().Add(c.crawlers[0].timeout)
			go c.retrieve(client, decision.Ticket)
		}
		switch err := decision.Verdict.Err(); {
		case err != nil:
			return decision, fmt.Errorf("robots: %q: %w", url, ofAbsoluteURL(err))
		case decision.Action == ActionDecided:
			return decision, nil
		case decision.Action == ActionDefer:
			return decision, c.deferError(ctx, url, decision)
		case decision.Action == ActionWait:
			running = c.running(url)
		}
		// No fetch is known if the cache has no room or issued the ticket just now. And a holder may never finish.
		while := pause
		if running != nil {
			while = max(pause, decision.Until.Sub(c.now()))
		}
		if err := wait(ctx, running, while); err != nil {
			return decision, fmt.Errorf("robots: wait for the robots.txt of %q: %w", url, err)
		}
	}
}

func (c *Cache) deferError(ctx context.Context, url string, decision CacheDecision) error {
	e := &DeferError{URL: url, Until: decision.Until, Reason: decision.Verdict.Reason()}
	if !decision.RequestAt.IsZero() { // only the slot is too late: nothing is wrong with the robots.txt
		e.Until, e.Cause = decision.RequestAt, CauseCrawlDelay
	} else if outcome, err := c.Outcome(url); err == nil && outcome != nil {
		e.Cause, e.HTTPStatus = outcome.Cause, outcome.HTTPStatus
	}
	c.log(ctx, levelRefusal, "request deferred", "url", url, "cause", e.Cause, "until", e.Until)
	return e
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
	key, err := originKey(url)
	if err != nil {
		return nil
	}
	return c.flights.of(key)
}

// retrieve loads or fetches the robots.txt of the ticket's origin and ends the ticket. Its context has no values: those of a
// request are not for the other requests that wait.
func (c *Cache) retrieve(client *http.Client, ticket *Ticket) {
	defer ticket.Release()
	ctx := context.Background()
	loaded := c.load(ctx, ticket)
	if loaded != nil && c.now().Before(loaded.RetryAt) && ticket.finish(loaded, c.now()) == nil {
		c.log(ctx, levelFetch, "robots.txt loaded", "outcome", loaded)
		return
	}
	outcome, err := c.download(ctx, client, ticket, loaded)
	if err != nil {
		ticket.flight.err = err
		c.log(ctx, levelOutage, "robots.txt not fetched", "origin", ticket.origin, "error", err)
		return
	}
	if err := ticket.finish(outcome, c.now()); err != nil {
		// Nothing is cached. The waiting goroutines get the error, and OnOutcome does not wait for its own ticket.
		ticket.flight.err = err
		ticket.Release()
	}
	if c.OnOutcome != nil {
		c.OnOutcome(outcome)
	}
}

// load returns the outcome of Lookup if it is newer than the cached one; else nil.
func (c *Cache) load(ctx context.Context, ticket *Ticket) *Outcome {
	if c.Lookup == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.crawlers[0].timeout)
	defer cancel()
	record, err := c.Lookup(ctx, ticket.origin)
	if err != nil || len(record) == 0 {
		if err != nil {
			c.log(ctx, levelOutage, "stored robots.txt not loaded", "origin", ticket.origin, "error", err)
		}
		return nil
	}
	loaded, err := decodeOutcome(c.crawlers, record)
	if err == nil && loaded.Origin != ticket.origin {
		err = fmt.Errorf("record of %s: %w", loaded.Origin, ErrArgument)
	}
	if err != nil {
		c.log(ctx, levelOutage, "stored robots.txt not usable", "origin", ticket.origin, "error", err)
		return nil
	}
	if cached, err := c.Outcome(ticket.origin); err == nil && cached != nil && !loaded.RetryAt.After(cached.RetryAt) {
		return nil
	}
	return loaded
}

// download fetches. loaded is the previous outcome, if not nil.
func (c *Cache) download(ctx context.Context, client *http.Client, ticket *Ticket, loaded *Outcome) (*Outcome, error) {
	began := time.Now()
	fetch, err := ticket.Fetch(c.now())
	if err != nil {
		return nil, err
	}
	defer fetch.free()
	if loaded != nil {
		if err := fetch.SetPrevious(loaded); err != nil {
			return nil, err
		}
	}
	outcome, err := fetch.Do(ctx, client)
	if err != nil {
		return nil, err
	}
	level := levelFetch
	if outcome.Kind == KindUnreachable || outcome.Kind == KindDefer || outcome.Stale {
		level = levelOutage
	}
	attributes := []any{"outcome", outcome, "took", time.Since(began)}
	if fetch.failure != nil {
		attributes = append(attributes, "error", errors.Unwrap(fetch.failure))
	}
	c.log(ctx, level, "robots.txt fetched", attributes...)
	return outcome, nil
}
