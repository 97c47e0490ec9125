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
	"net/url"
	"slices"
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
	site, other := open(t, text(file)), open(t, text("user-agent: *\ndisallow: /open\n"))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	for url, forbidden := range map[string]string{
		site.URL + "/open": "", site.URL + "/private/x": site.URL + "/private/x",
		// Errors do not show a password.
		strings.Replace(site.URL, "//", "//user:secret@", 1) + "/private/x": site.URL + "/private/x",
		// The target of a redirect is checked too, on the same site and on another.
		site.URL + "/moved?to=/private/y": site.URL + "/private/y", site.URL + "/moved?to=" + other.URL + "/open": other.URL + "/open",
		site.URL + "/moved?to=" + other.URL + "/private": "", site.URL + "/robots.txt": "",
	} {
		status, err := get(client, url)
		var refusal *ForbiddenError
		if isRefused := errors.As(err, &refusal); isRefused != (forbidden != "") || !isRefused && (status != 200 || err != nil) {
			t.Error(url, status, err)
		} else if isRefused && (refusal.URL != forbidden || refusal.Verdict.Line() != 2 || strings.Contains(err.Error(), "secret") ||
			!strings.Contains(err.Error(), "disallowed by line 2")) {
			t.Error(url, err)
		}
	}
	// Once for the transport, and once as a page.
	if site.count("/robots.txt") != 2 || other.count("/robots.txt") != 1 || other.count("/open")+site.count("/private/x")+site.count("/private/y") != 0 {
		t.Error("what was forbidden was asked for")
	}
	for url, want := range map[string]string{"ftp://127.0.0.1/x": "by ftp", "data://x/y": ErrScheme.Error()} {
		if _, err := get(client, url); !isError(err, ErrScheme) || !strings.Contains(err.Error(), want) {
			t.Error(url, err)
		}
	}
	client.CloseIdleConnections()
}

type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error { b.closed = true; return nil }

// RoundTrip closes the body of a refused request.
func TestTransportClosesBodies(t *testing.T) {
	site := open(t, text(file))
	private := must(http.NewRequest(http.MethodPost, site.URL+"/private", nil))
	for request, want := range map[*http.Request]string{private: "disallowed by line 2", {Method: http.MethodPost}: "without a URL"} {
		body := &body{Reader: strings.NewReader("x")}
		request.Body = body
		response, err := (&Transport{Cache: mustCache(t)}).RoundTrip(request)
		if response != nil || err == nil || !strings.Contains(err.Error(), want) || !body.closed {
			t.Error(response, err, body.closed)
		}
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
	refused := roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
	})
	busy := open(t, status(503))
	for _, c := range []struct {
		site    *site
		base    http.RoundTripper
		options []Option
		want    DeferError
		text    string
	}{
		{busy, nil, nil, DeferError{Until: after(10 * time.Minute), Reason: ReasonUnreachable, Cause: CauseServerError, HTTPStatus: 503},
			"the robots.txt is unreachable (server error); try again at 2027-01-15T08:10:00Z"},
		{busy, refused, []Option{WithFailureTTL(time.Hour)}, DeferError{Until: after(time.Hour), Reason: ReasonUnreachable, Cause: CauseConnect},
			"the robots.txt is unreachable (connection failed); try again at 2027-01-15T09:00:00Z"},
		{open(t, status(429, "Retry-After", "1200")), nil, []Option{WithDialect(Koster1996)},
			DeferError{Until: after(20 * time.Minute), Reason: ReasonDefer, Cause: CauseTooManyRequests, HTTPStatus: 429},
			"no page of the site may be fetched now (too many requests); try again at 2027-01-15T08:20:00Z"},
	} {
		before := len(c.site.requests())
		cache := mustCache(t, append(c.options, new(clock).option())...)
		for range 2 {
			_, err := get(&http.Client{Transport: &Transport{Cache: cache, Base: c.base}}, c.site.URL+"/open")
			var got *DeferError
			if !errors.As(err, &got) || errors.As(err, new(*ForbiddenError)) || !strings.HasSuffix(err.Error(), c.text) {
				t.Fatal(err)
			}
			c.want.URL = c.site.URL + "/open"
			if got.Until = got.Until.UTC(); *got != c.want {
				t.Errorf("%+v", got)
			}
		}
		if c.site.count("/open") != 0 || len(c.site.requests()) > before+1 {
			t.Error(c.site.requests())
		}
	}
}

// Request.Host names the site; the server is that of the URL. A redirect of the robots.txt to another site goes to its server.
func TestRequestHost(t *testing.T) {
	other := open(t, text("user-agent: *\ndisallow: /far\n"))
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		switch strings.ToLower(r.Host) {
		case "shop.example":
			text("user-agent: *\ndisallow: /shop\n")(w, r)
		case "moved.example":
			http.Redirect(w, r, other.URL+"/robots.txt", http.StatusFound)
		default:
			text("user-agent: *\ndisallow: /other\n")(w, r)
		}
	})
	cache := mustCache(t, WithNonGlobalRedirects())
	client := &http.Client{Transport: &Transport{Cache: cache}}
	for host, forbidden := range map[string]string{
		"Shop.Example": "/shop", "shop.example": "/shop", "": "/other", strings.TrimPrefix(site.URL, "http://"): "/other", "moved.example": "/far",
	} {
		for _, path := range []string{"/shop", "/other", "/far"} {
			request := must(http.NewRequest(http.MethodGet, site.URL+path, nil))
			request.Host = host
			response, err := client.Do(request)
			if isForbidden := errors.As(err, new(*ForbiddenError)); isForbidden != (path == forbidden) || !isForbidden && err != nil {
				t.Errorf("%q %s: %v", host, path, err)
			}
			if err == nil {
				response.Body.Close()
			}
		}
	}
	if requests := other.requests(); cache.Len() != 3 || site.count("/robots.txt") != 3 || len(requests) != 1 || "http://"+requests[0].Host != other.URL {
		t.Error(cache.Len(), site.count("/robots.txt"), len(requests))
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
	request := must(http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodGet, site.URL+"/open", nil))
	must(client.Do(request)).Body.Close()
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

// A store is what a fleet shares: records by origin.
type store struct {
	records map[string][]byte
	loads   int
	err     error
}

func (s *store) attach(t *testing.T, cache *Cache) *Cache {
	cache.Lookup = func(_ context.Context, origin string) ([]byte, error) {
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

// Several caches share their fetches with Lookup and OnOutcome.
func TestLookup(t *testing.T) {
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
	shared.records[site.URL] = record(t, "ExampleBot", site.URL, file)
	third := shared.attach(t, mustCache(t, clock.option()))
	clock.move(24 * time.Hour)
	if got := ask(t, third, site.URL+"/private"); got != "allowed" || site.count("/robots.txt") != 3 {
		t.Error(got, site.count("/robots.txt"))
	}
	// An error, a damaged record, one of another crawler and one of another site: the cache fetches.
	other := record(t, "OtherBot", site.URL, "")
	for name, s := range map[string]*store{
		"error": {err: errors.New("no connection")}, "damaged": {records: map[string][]byte{site.URL: []byte("x")}},
		"crawler": {records: map[string][]byte{site.URL: other}},
		"site":    {records: map[string][]byte{site.URL: record(t, "ExampleBot", "http://other", "")}},
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

func record(t *testing.T, token, url, body string) []byte {
	return must(must(mustCrawler(t, token).OutcomeFromStatus(url, 200, []byte(body), start)).MarshalBinary())
}

// A file that is old at once is not fetched again and again for one request.
func TestFileThatIsAlwaysOld(t *testing.T) {
	site := open(t, text(file, "Cache-Control", "no-store"))
	cache := must(NewCache(1<<20, mustCrawler(t, "ExampleBot", WithMinTTL(0))))
	client := &http.Client{Transport: &Transport{Cache: cache}, Timeout: 20 * time.Second}
	for path, forbidden := range map[string]bool{"/open": false, "/private/x": true} {
		if _, err := get(client, site.URL+path); errors.As(err, new(*ForbiddenError)) != forbidden || !forbidden && err != nil {
			t.Error(path, err)
		}
	}
	if count := site.count("/robots.txt"); count > 6 {
		t.Errorf("robots.txt was requested %d times", count)
	}
}

// A record from Lookup that is past its lifetime decides nothing before it is renewed.
func TestLookupAfterLifetime(t *testing.T) {
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

// What is judged is what is sent: the form of the URL, whose request line net/http does not change (SPEC 8.11). URL.Opaque may name
// any site: another one than that of the connection is refused. A path that starts with // is a path.
func TestTransportSendsTheForm(t *testing.T) {
	site, other := open(t, text("user-agent: *\ndisallow: /private\ndisallow: /*.pdf$\n")), open(t, text(""))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	host, elsewhere := strings.TrimPrefix(site.URL, "http:"), strings.TrimPrefix(other.URL, "http:")
	const forbidden, refused = "", "-"
	urls := map[*url.URL]string{
		{Path: elsewhere + "/../private/x"}: "//private/x", {Path: "//x/../y"}: "//y", {Path: elsewhere + "/private/x"}: elsewhere + "/private/x",
	}
	for opaque, sent := range map[string]string{
		"/a/../private/x": forbidden, "/a/%2e%2E/private": forbidden, "/a\\..\\private": forbidden, "/x.pdf?": forbidden, "/p%72ivate/1": forbidden,
		"/private/../open1": "/open1", "/a/../open2?": "/open2", "/a/..private": "/a/..private", "/open3?x=/../private'": "/open3?x=/../private%27",
		"/open4%2Fmy file": "/open4%2Fmy%20file", "/..//private": "//private", "/caf\u00e9%7e;": "/caf%C3%A9~%3B", "/open5%41?a b": "/open5A?a%20b",
		host + "/private/x": forbidden, host + "/open6": "/open6", "/open7#/private": "/open7", "//other.example/open": refused,
		"//other.example": refused, host + ".example/open": refused, "open": refused, elsewhere + "/open": refused,
	} {
		urls[&url.URL{Path: "/open", Opaque: opaque}] = sent
	}
	for given, sent := range urls {
		given.Scheme, given.Host = "http", host[2:]
		response, err := client.Do(&http.Request{Method: http.MethodGet, URL: given})
		if err == nil {
			response.Body.Close()
		}
		isSent := slices.ContainsFunc(site.requests(), func(r *http.Request) bool { return r.RequestURI == sent })
		isForbidden := errors.As(err, new(*ForbiddenError))
		if isForbidden != (sent == forbidden) || isSent != (err == nil) || errors.Is(err, ErrURL) != (sent == refused) {
			t.Errorf("%v: %v, %t", given, err, isSent)
		}
	}
	if got := len(other.requests()); got != 0 {
		t.Error("the other site got", got, "requests")
	}
}

// A deadline that expires while the robots.txt is fetched is an outage: the client's own error would not say what is missing.
func TestTransportDeadline(t *testing.T) {
	release := make(chan struct{})
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		text(file)(w, r)
	})
	transport := &Transport{Cache: mustCache(t, new(clock).option())}
	limited, end := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer end()
	// A request that its caller ends is no outage.
	ended, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	for name, c := range map[string]struct {
		timeout  time.Duration
		ctx      context.Context
		isOutage bool
	}{
		"the client's": {500 * time.Millisecond, t.Context(), true}, "the context's": {0, limited, true}, "both": {time.Hour, limited, true},
		"none": {0, ended, false},
	} {
		request := must(http.NewRequestWithContext(c.ctx, http.MethodGet, site.URL+"/open", nil))
		_, err := (&http.Client{Transport: transport, Timeout: c.timeout}).Do(request)
		var got *DeferError
		if errors.As(err, &got) != c.isOutage || !c.isOutage && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		} else if want := (DeferError{site.URL + "/open", after(30 * time.Second), ReasonUnreachable, CauseTimeout, 0}); c.isOutage && *got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// The fetch went on for this request.
	close(release)
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	if status, err := get(client, site.URL+"/open"); status != 200 || err != nil || site.count("/robots.txt") != 1 {
		t.Error(status, err, site.count("/robots.txt"))
	}
}
