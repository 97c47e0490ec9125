package robots

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// get requests a page and returns its status, or 0 and an error.
func get(client *http.Client, url string) (int, error) {
	response, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	response.Body.Close()
	return response.StatusCode, nil
}

func TestTransport(t *testing.T) {
	site := open(t, text(file))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	if status, err := get(client, site.URL+"/open"); status != 200 || err != nil {
		t.Error(status, err)
	}
	_, err := get(client, site.URL+"/private/x")
	var forbidden *ForbiddenError
	if !errors.As(err, &forbidden) || forbidden.URL != site.URL+"/private/x" || forbidden.Verdict.Line() != 2 ||
		!strings.Contains(err.Error(), "disallowed by line 2") {
		t.Error(err)
	}
	// Errors do not show a password.
	_, err = get(client, strings.Replace(site.URL, "http://", "http://user:secret@", 1)+"/private/x")
	if !errors.As(err, &forbidden) || forbidden.URL != site.URL+"/private/x" || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	// The target of a redirect is checked too, on the same site and on another.
	if _, err := get(client, site.URL+"/moved?to=/private/y"); !errors.As(err, &forbidden) {
		t.Error(err)
	}
	other := open(t, text("user-agent: *\ndisallow: /open\n"))
	if _, err := get(client, site.URL+"/moved?to="+other.URL+"/open"); !errors.As(err, &forbidden) || forbidden.URL != other.URL+"/open" {
		t.Error(err)
	}
	if status, err := get(client, site.URL+"/moved?to="+other.URL+"/private"); status != 200 || err != nil {
		t.Error(status, err)
	}
	if status, err := get(client, site.URL+"/robots.txt"); status != 200 || err != nil {
		t.Error("the robots.txt itself:", status, err)
	}
	// Once for the transport, and once as a page.
	if site.count("/robots.txt") != 2 || other.count("/robots.txt") != 1 || other.count("/open")+site.count("/private/x")+site.count("/private/y") != 0 {
		t.Error("what was forbidden was asked for")
	}
	if _, err := get(client, "ftp://127.0.0.1/x"); err == nil {
		t.Error("no error")
	}
	if _, err := get(client, "data://x/y"); !isError(err, ErrScheme) {
		t.Error(err)
	}
	client.CloseIdleConnections()
}

func TestTransportDefers(t *testing.T) {
	site := open(t, status(429, "Retry-After", "3600"))
	clock := new(clock)
	client := &http.Client{Transport: &Transport{Cache: mustCache(t, clock.option(), WithOnTooManyRequests(KindDefer))}}
	for range 3 {
		var deferred *DeferError
		if _, err := get(client, site.URL+"/open"); !errors.As(err, &deferred) || !deferred.Until.Equal(after(time.Hour)) ||
			!strings.HasSuffix(err.Error(), "no page of the site may be fetched now (too many requests); try again at 2027-01-15T09:00:00Z") {
			t.Error(err)
		}
	}
	if site.answer(text(file)); len(site.requests()) != 1 {
		t.Error(len(site.requests()), "requests")
	}
	clock.move(time.Hour)
	if status, err := get(client, site.URL+"/open"); status != 200 || err != nil {
		t.Error(status, err)
	}
}

type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error { b.closed = true; return nil }

// RoundTrip closes the body of a refused request.
func TestTransportClosesBodies(t *testing.T) {
	site := open(t, text(file))
	body := &body{Reader: strings.NewReader("x")}
	request, err := http.NewRequest(http.MethodPost, site.URL+"/private", body)
	if err != nil {
		t.Fatal(err)
	}
	var forbidden *ForbiddenError
	if response, err := (&Transport{Cache: mustCache(t)}).RoundTrip(request); response != nil || !errors.As(err, &forbidden) || !body.closed {
		t.Error(response, err, body.closed)
	}
}

// A client with a Transport may fetch the robots.txt: the fetch does not wait for itself.
func TestTransportInTransport(t *testing.T) {
	site := open(t, text(file))
	cache := mustCache(t)
	inner := &Transport{Cache: cache}
	if v, err := cache.Fetch(t.Context(), &http.Client{Transport: inner}, site.URL+"/open"); !v.Allowed() || err != nil {
		t.Error(v, err)
	}
	cache.Clear()
	if status, err := get(&http.Client{Transport: &Transport{Cache: cache, Base: inner}}, site.URL+"/open"); status != 200 || err != nil {
		t.Error(status, err)
	}
	if site.count("/robots.txt") != 2 {
		t.Error(site.count("/robots.txt"))
	}
}

// OnOutcome is called before the first page is requested, and may use the cache for the same site.
func TestOnOutcome(t *testing.T) {
	site := open(t, hops(2, text(file)))
	cache := mustCache(t)
	transport := &Transport{Cache: cache}
	pages := -1
	cache.OnOutcome = func(o *Outcome) {
		pages = site.count("/open")
		if delay, given := o.Rules().CrawlDelay(); o.Origin != site.URL || o.Hops != 2 || delay != 3*time.Second || !given {
			t.Error(o, delay)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if v, err := cache.Fetch(ctx, nil, site.URL+"/private"); v.Line() != 2 || err != nil {
			t.Error("the cache blocks OnOutcome:", v, err)
		}
	}
	if status, err := get(&http.Client{Transport: transport}, site.URL+"/open"); status != 200 || err != nil || pages != 0 {
		t.Error(status, err, pages)
	}
	// Also if the outcome does not fit into the cache.
	site.answer(text("user-agent: *\ndisallow: /" + strings.Repeat("x", 100_000)))
	small, err := NewCache(65_536, mustCrawler(t, "ExampleBot"))
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{}, 1)
	small.OnOutcome = func(o *Outcome) {
		select {
		case called <- struct{}{}:
		default: // it was called before
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if v, err := small.Fetch(ctx, nil, site.URL+"/z"); v.Allowed() || !isError(err, ErrMemory) {
			t.Error("the cache blocks OnOutcome:", v, err)
		}
	}
	if v, err := small.Fetch(t.Context(), nil, site.URL+"/z"); v.Allowed() || !isError(err, ErrMemory) {
		t.Error(v, err)
	}
	// The goroutines that wait get the error before OnOutcome is called.
	select {
	case <-called:
	case <-time.After(10 * time.Second):
		t.Error("OnOutcome was not called")
	}
	settle(t, small)
}

// An outage is no ban: the error is a DeferError with the cause and the time of the next attempt.
func TestOutages(t *testing.T) {
	refused := errors.New("connection refused")
	for name, c := range map[string]struct {
		robots  http.HandlerFunc
		dial    error
		options []Option
		want    DeferError
		text    string
	}{
		"503": {status(503), nil, nil, DeferError{Until: after(10 * time.Minute), Reason: ReasonUnreachable, Cause: CauseServerError, HTTPStatus: 503},
			"the robots.txt is unreachable (server error); try again at 2027-01-15T08:10:00Z"},
		"429": {status(429, "Retry-After", "1200"), nil, nil, DeferError{Until: after(20 * time.Minute), Reason: ReasonUnreachable, Cause: CauseTooManyRequests, HTTPStatus: 429},
			"the robots.txt is unreachable (too many requests); try again at 2027-01-15T08:20:00Z"},
		"DNS": {text(file), &net.DNSError{Err: "no such host", IsNotFound: true}, nil, DeferError{Until: after(10 * time.Minute), Reason: ReasonUnreachable, Cause: CauseDNS},
			"the robots.txt is unreachable (DNS failure); try again at 2027-01-15T08:10:00Z"},
		"connect": {text(file), &net.OpError{Op: "dial", Err: refused}, []Option{WithFailureTTL(time.Hour)},
			DeferError{Until: after(time.Hour), Reason: ReasonUnreachable, Cause: CauseConnect},
			"the robots.txt is unreachable (connection failed); try again at 2027-01-15T09:00:00Z"},
		"koster": {status(500), nil, []Option{WithDialect(Koster1996)}, DeferError{Until: after(10 * time.Minute), Reason: ReasonDefer, Cause: CauseServerError, HTTPStatus: 500},
			"no page of the site may be fetched now (server error); try again at 2027-01-15T08:10:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			site := open(t, c.robots)
			base := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if c.dial != nil {
					return nil, c.dial
				}
				return new(net.Dialer).DialContext(ctx, network, address)
			}}
			cache := mustCache(t, append(c.options, new(clock).option())...)
			for range 2 {
				_, err := get(&http.Client{Transport: &Transport{Cache: cache, Base: base}}, site.URL+"/open")
				var got *DeferError
				var forbidden *ForbiddenError
				if !errors.As(err, &got) || errors.As(err, &forbidden) || !strings.HasSuffix(err.Error(), c.text) {
					t.Fatal(err)
				}
				c.want.URL = site.URL + "/open"
				if got.Until = got.Until.UTC(); *got != c.want {
					t.Errorf("%+v", got)
				}
			}
			if site.count("/open") != 0 || site.count("/robots.txt") > 1 {
				t.Error(site.requests())
			}
		})
	}
}

func TestRequestWithoutURL(t *testing.T) {
	body := &body{Reader: strings.NewReader("x")}
	response, err := (&Transport{Cache: mustCache(t)}).RoundTrip(&http.Request{Method: http.MethodPost, Body: body})
	if response != nil || !isError(err, ErrURL) || !body.closed {
		t.Error(response, err, body.closed)
	}
}

// Request.Host names the site; the server is that of the URL.
func TestRequestHost(t *testing.T) {
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.EqualFold(r.Host, "shop.example") {
			text("user-agent: *\ndisallow: /shop\n")(w, r)
			return
		}
		text("user-agent: *\ndisallow: /other\n")(w, r)
	})
	cache := mustCache(t)
	client := &http.Client{Transport: &Transport{Cache: cache}}
	for _, c := range []struct {
		host, path string
		allowed    bool
	}{
		{"Shop.Example", "/shop", false}, {"shop.example", "/other", true}, {"", "/shop", true}, {"", "/other", false},
		{strings.TrimPrefix(site.URL, "http://"), "/other", false},
	} {
		request, err := http.NewRequest(http.MethodGet, site.URL+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = c.host
		response, err := client.Do(request)
		var forbidden *ForbiddenError
		if c.allowed != (err == nil) || !c.allowed && !errors.As(err, &forbidden) {
			t.Errorf("%q %s: %v", c.host, c.path, err)
		}
		if err == nil {
			response.Body.Close()
		}
	}
	if cache.Len() != 2 || site.count("/robots.txt") != 2 {
		t.Error(cache.Len(), site.count("/robots.txt"))
	}
}

// The trace of a page request does not see the request for the robots.txt.
func TestTrace(t *testing.T) {
	site := open(t, text(file))
	var connections, requests atomic.Int32
	trace := &httptrace.ClientTrace{
		GetConn:      func(string) { connections.Add(1) },
		ConnectStart: func(string, string) { connections.Add(1) },
		WroteRequest: func(httptrace.WroteRequestInfo) { requests.Add(1) },
	}
	client := &http.Client{Transport: &Transport{Cache: mustCache(t), Base: &http.Transport{DisableKeepAlives: true}}}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodGet, site.URL+"/open", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if connections.Load() != 2 || requests.Load() != 1 { // GetConn and ConnectStart of the page
		t.Error(connections.Load(), requests.Load())
	}
}

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	site := open(t, status(503))
	cache, clock := mustCache(t), new(clock)
	cache.crawlers[0].clock = clock.now
	cache.Logger = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	client := &http.Client{Transport: &Transport{Cache: cache}}
	_, _ = get(client, site.URL+"/open")
	site.answer(text(file))
	clock.move(time.Hour)
	_, _ = get(client, site.URL+"/private")
	settle(t, cache)
	for _, line := range []string{
		`level=WARN msg="robots: robots.txt fetched" outcome.origin=` + site.URL + ` outcome.kind=unreachable outcome.cause="server error" outcome.status=503`,
		`level=DEBUG msg="robots: request deferred" url=` + site.URL + `/open cause="server error" until=2027-01-15T08:10:00`,
		`level=INFO msg="robots: robots.txt fetched" outcome.origin=` + site.URL + ` outcome.kind=rules outcome.cause=found outcome.status=200`,
		`level=DEBUG msg="robots: request refused" url=` + site.URL + `/private verdict="disallowed by line 2"`,
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%s is not in:\n%s", line, &out)
		}
	}
	// The error of the network is logged, too.
	out.Reset()
	closed := open(t, text(file))
	closed.Close()
	_, _ = get(client, closed.URL+"/open")
	if !strings.Contains(out.String(), `outcome.cause="connection failed"`) || !strings.Contains(out.String(), "connection refused") {
		t.Error(&out)
	}
}

// SPEC 2.15: a redirect to a non-global address is refused, unless the first host is such an address.
func TestNonGlobalRedirects(t *testing.T) {
	inner := open(t, text(file))
	site := open(t, status(302, "Location", inner.URL+"/robots.txt"))
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, strings.Replace(address, "site.example:80", site.Listener.Addr().String(), 1))
	}}}
	for name, c := range map[string]struct {
		options []Option
		url     string
		cause   Cause
		kind    OutcomeKind
	}{
		"default":       {nil, "http://site.example/", CauseNonGlobalRedirect, KindAllowAll},
		"unreachable":   {[]Option{WithOnBadRedirect(KindUnreachable)}, "http://site.example/", CauseNonGlobalRedirect, KindUnreachable},
		"option":        {[]Option{WithNonGlobalRedirects()}, "http://site.example/", CauseFound, KindRules},
		"first address": {nil, site.URL, CauseFound, KindRules},
	} {
		o, err := mustCrawler(t, "ExampleBot", c.options...).Fetch(t.Context(), client, c.url)
		if err != nil || o.Cause != c.cause || o.Kind != c.kind {
			t.Errorf("%s: %v, %v", name, o, err)
		}
	}
}

// A store is what a fleet shares: records by origin.
type store struct {
	records map[string][]byte
	loads   int
	err     error
}

func (s *store) attach(t *testing.T, cache *Cache) *Cache {
	cache.Load = func(_ context.Context, origin string) ([]byte, error) {
		s.loads++
		return s.records[origin], s.err
	}
	cache.OnOutcome = func(o *Outcome) {
		record, err := o.MarshalBinary()
		if err != nil {
			t.Error(err)
		}
		s.records[o.Origin] = record
	}
	return cache
}

// Several caches share their fetches with Load and OnOutcome.
func TestLoad(t *testing.T) {
	site := open(t, text(file, "ETag", `"1"`))
	clock := new(clock)
	shared := &store{records: map[string][]byte{}}
	first, second := shared.attach(t, mustCache(t, clock.option())), shared.attach(t, mustCache(t, clock.option()))
	for _, cache := range []*Cache{first, second, first, second} {
		if got := ask(t, cache, site.URL+"/private"); got != "disallowed" {
			t.Error(got)
		}
	}
	if site.count("/robots.txt") != 1 || shared.loads != 2 {
		t.Error(site.count("/robots.txt"), shared.loads)
	}
	// The refresh: one process fetches, the other loads. A new process revalidates an old record.
	clock.move(23 * time.Hour)
	site.answer(text("user-agent: *\n"))
	ask(t, first, site.URL)
	ask(t, second, site.URL)
	if got := ask(t, second, site.URL+"/private"); got != "allowed" || site.count("/robots.txt") != 2 {
		t.Error(got, site.count("/robots.txt"))
	}
	shared.records[site.URL] = record(t, mustCrawler(t, "ExampleBot"), site.URL, file)
	third := shared.attach(t, mustCache(t, clock.option()))
	clock.move(24 * time.Hour)
	if got := ask(t, third, site.URL+"/private"); got != "allowed" || site.count("/robots.txt") != 3 {
		t.Error(got, site.count("/robots.txt"))
	}
	// An error, a damaged record, one of another crawler and one of another site: the cache fetches.
	other := record(t, mustCrawler(t, "OtherBot"), site.URL, "")
	for name, s := range map[string]*store{
		"error": {err: errors.New("no connection")}, "damaged": {records: map[string][]byte{site.URL: []byte("x")}},
		"crawler": {records: map[string][]byte{site.URL: other}},
		"site":    {records: map[string][]byte{site.URL: record(t, mustCrawler(t, "ExampleBot"), "http://other", "")}},
	} {
		var log bytes.Buffer
		before := site.count("/robots.txt")
		if s.records == nil {
			s.records = map[string][]byte{}
		}
		cache := s.attach(t, mustCache(t, clock.option()))
		cache.Logger = slog.New(slog.NewTextHandler(&log, nil))
		if got := ask(t, cache, site.URL+"/private"); got != "allowed" || site.count("/robots.txt") != before+1 ||
			!strings.Contains(log.String(), "level=WARN msg=\"robots: stored robots.txt not ") {
			t.Error(name, got, site.count("/robots.txt")-before, &log)
		}
	}
}

func record(t *testing.T, crawler *Crawler, url, body string) []byte {
	t.Helper()
	o, err := crawler.OutcomeFromStatus(url, 200, []byte(body), start)
	if err != nil {
		t.Fatal(err)
	}
	record, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return record
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		RFC9309.String(): "rfc9309", Google.String(): "google", Koster1996.String(): "koster1996", Dialect(9).String(): "dialect 9",
		ActionDecided.String(): "decided", ActionDefer.String(): "defer", Action(9).String(): "action 9",
		StepGet.String(): "get", StepDone.String(): "done", Step(9).String(): "step 9",
		FailureDNS.String(): "DNS failure", FailureEncodedBody.String(): "unknown content coding", Failure(99).String(): "failure 99",
		KindUnreachable.String(): "unreachable", CauseNonGlobalRedirect.String(): "redirect to a non-global address",
		ReasonUnreachable.String(): "the robots.txt is unreachable",
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// A file that is old at once is not fetched again and again for one request.
func TestFileThatIsAlwaysOld(t *testing.T) {
	site := open(t, text(file, "Cache-Control", "no-store"))
	cache, err := NewCache(1<<20, mustCrawler(t, "ExampleBot", WithMinTTL(0)))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &Transport{Cache: cache}, Timeout: 20 * time.Second}
	for _, path := range []string{"/open", "/private/x"} {
		response, err := client.Get(site.URL + path)
		if isForbidden := errors.As(err, new(*ForbiddenError)); isForbidden != (path != "/open") || !isForbidden && err != nil {
			t.Error(path, err)
		}
		if err == nil {
			response.Body.Close()
		}
	}
	if count := site.count("/robots.txt"); count > 6 {
		t.Errorf("robots.txt was requested %d times", count)
	}
}

// A redirect of the robots.txt to another site goes to its server, also where Request.Host names the site.
func TestRedirectWithRequestHost(t *testing.T) {
	other := open(t, text(file))
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.EqualFold(r.Host, "shop.example") {
			http.Redirect(w, r, other.URL+"/robots.txt", http.StatusFound)
			return
		}
		status(200)(w, r) // disallows everything
	})
	client := &http.Client{Transport: &Transport{Cache: mustCache(t, WithNonGlobalRedirects())}}
	for path, allowed := range map[string]bool{"/open": true, "/private": false} {
		request, err := http.NewRequest(http.MethodGet, site.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "shop.example"
		response, err := client.Do(request)
		var forbidden *ForbiddenError
		if allowed != (err == nil) || !allowed && !errors.As(err, &forbidden) {
			t.Error(path, err)
		}
		if err == nil {
			response.Body.Close()
		}
	}
	if requests := other.requests(); len(requests) != 1 || "http://"+requests[0].Host != other.URL {
		t.Error("the other server got", len(requests), "requests")
	}
}

// All fields of a name count, not the first alone.
func TestSecondHeader(t *testing.T) {
	site := open(t, text(file, "Cache-Control", "public", "Cache-Control", "max-age=7200"))
	outcome, err := mustCrawler(t, "ExampleBot").Fetch(t.Context(), nil, site.URL)
	if err != nil || outcome.FreshUntil.Sub(outcome.FetchedAt) != 2*time.Hour {
		t.Error(outcome, err)
	}
}

// The timeout is for all redirects together.
func TestTimeoutOverRedirects(t *testing.T) {
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		hops(3, text(file))(w, r)
	})
	outcome, err := mustCrawler(t, "ExampleBot", WithTimeout(700*time.Millisecond)).Fetch(t.Context(), nil, site.URL)
	if err != nil || outcome.Cause != CauseTimeout {
		t.Error(outcome, err)
	}
}

// A record from Load that is past its lifetime decides nothing before it is renewed.
func TestLoadAfterLifetime(t *testing.T) {
	site := open(t, text(file, "Cache-Control", "max-age=3600"))
	clock := new(clock)
	shared := &store{records: map[string][]byte{}}
	if got := ask(t, shared.attach(t, mustCache(t, clock.option())), site.URL+"/private"); got != "disallowed" {
		t.Fatal(got)
	}
	clock.move(2 * time.Hour)
	site.answer(text("user-agent: *\n"))
	if got := ask(t, shared.attach(t, mustCache(t, clock.option())), site.URL+"/private"); got != "allowed" || site.count("/robots.txt") != 2 {
		t.Error(got, site.count("/robots.txt"))
	}
}
