package robots

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// mustCache returns a cache that obeys no crawl-delay: only TestPacing and its like wait.
func mustCache(t testing.TB, options ...Option) *Cache {
	t.Helper()
	options = append([]Option{WithMaxDelay(0)}, options...)
	cache, err := NewCache(1<<20, mustCrawler(t, "ExampleBot", options...))
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

// settle waits until no fetch is running.
func settle(t *testing.T, cache *Cache) {
	t.Helper()
	for range 2000 {
		cache.flights.lock.Lock()
		running := len(cache.flights.running)
		cache.flights.lock.Unlock()
		if running == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("a retrieval does not end")
}

// ask returns what a crawler does with a URL, as one word. No fetch is running when it returns.
func ask(t *testing.T, cache *Cache, url string) string {
	t.Helper()
	verdict, err := cache.Fetch(t.Context(), nil, url)
	settle(t, cache)
	var deferred *DeferError
	switch {
	case errors.As(err, &deferred):
		word := "deferred"
		if deferred.Reason == ReasonUnreachable {
			word = "unreachable"
		}
		return word + " until " + deferred.Until.Sub(start).String()
	case err != nil:
		t.Fatal(err)
	}
	return wordFor(verdict)
}

// SPEC 3.8: the refresh starts in the last tenth of the lifetime, in the background; the old rules decide until it ends.
func TestRefresh(t *testing.T) {
	clock := new(clock)
	cache, site := mustCache(t, clock.option()), open(t, text(file))
	for i, step := range []struct {
		move  time.Duration
		word  string
		count int
	}{{0, "disallowed", 1}, {21 * time.Hour, "disallowed", 1}, {time.Hour, "disallowed", 2}, {0, "allowed", 2}} {
		clock.move(step.move)
		if got := ask(t, cache, site.URL+"/private"); got != step.word || site.count("/robots.txt") != step.count {
			t.Errorf("step %d: %s, %d requests", i, got, site.count("/robots.txt"))
		}
		site.answer(text("user-agent: *\n"))
	}
}

// SPEC 3.5: an unchanged file is not sent again.
func TestNotModified(t *testing.T) {
	clock := new(clock)
	cache := mustCache(t, clock.option())
	const modified = "Thu, 14 Jan 2027 08:00:00 GMT"
	site := open(t, text(file, "ETag", `"1"`, "Last-Modified", modified))
	ask(t, cache, site.URL)
	site.answer(status(304))
	var last *Outcome
	cache.OnOutcome = func(o *Outcome) { last = o }
	clock.move(24 * time.Hour)
	for range 2 {
		if got := ask(t, cache, site.URL+"/private"); got != "disallowed" {
			t.Error(got)
		}
	}
	requests := site.requests()
	if len(requests) != 2 || last.Cause != CauseNotModified || !last.FreshUntil.Equal(after(48*time.Hour)) {
		t.Error(len(requests), last)
	}
	if h := requests[1].Header; h.Get("If-None-Match") != `"1"` || h.Get("If-Modified-Since") != modified {
		t.Error(h)
	}
}

func TestCacheErrors(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	for _, c := range []struct {
		bytes    int
		crawlers []*Crawler
	}{{1 << 20, nil}, {65_535, []*Crawler{crawler}}, {-1, []*Crawler{crawler}}, {1 << 20, []*Crawler{new(Crawler)}},
		{1 << 20, slices.Repeat([]*Crawler{crawler}, 17)}} {
		if cache, err := NewCache(c.bytes, c.crawlers...); cache != nil || !isError(err, ErrArgument) {
			t.Error(cache, err)
		}
	}
	for i, crawlers := range [][]*Crawler{{nil}, {crawler, nil}, {crawler, crawler, new(Crawler)}} {
		want := fmt.Sprintf("crawler %d of the cache is nil or empty", i)
		if cache, err := NewCache(1<<20, crawlers...); cache != nil || !isError(err, ErrArgument) || !strings.Contains(err.Error(), want) {
			t.Error(cache, err)
		}
	}
	cache := mustCache(t)
	for url, want := range map[string]Error{"": ErrURL, "/a": ErrURL, "data:,": ErrScheme, "http://": ErrURL} {
		if a := cache.Check(url, start); a.Verdict.Allowed() || a.Verdict.Err() != want || a.Action != ActionDecided || a.Ticket != nil {
			t.Errorf("%q: %+v", url, a)
		}
		if v, err := cache.Fetch(t.Context(), nil, url); v.Allowed() || !isError(err, want) {
			t.Errorf("%q: %v, %v", url, v, err)
		}
		if err := cache.Remove(url); !isError(err, want) {
			t.Errorf("%q: %v", url, err)
		}
		if o, err := cache.Outcome(url); o != nil || !isError(err, want) {
			t.Errorf("%q: %v, %v", url, o, err)
		}
	}
	for _, crawler := range []int{1, -1, 1 << 40} {
		a := cache.CheckFor(crawler, "http://h/", start)
		if a.Verdict.Allowed() || a.Verdict.Err() != ErrArgument || a.Ticket != nil || a.Action != ActionDefer || !a.Until.Equal(after(time.Minute)) {
			t.Errorf("crawler %d: %+v", crawler, a)
		}
	}
	var none Cache
	if a := none.Check("http://h/", start); a.Verdict.Allowed() || a.Verdict.Err() != ErrArgument || a.Action != ActionDefer {
		t.Error(a)
	}
	if v, err := none.Fetch(t.Context(), nil, "http://h/"); v.Allowed() || !isError(err, ErrArgument) {
		t.Error(v, err)
	}
	if status, err := get(&http.Client{Transport: new(Transport)}, "http://127.0.0.1/"); status != 0 || !isError(err, ErrArgument) {
		t.Error(status, err)
	}
	for _, crawler := range []int{3, -1} {
		client := &http.Client{Transport: &Transport{Cache: cache, Crawler: crawler, PageControls: true}}
		want := fmt.Sprintf("crawler %d of a cache with 1: ", crawler)
		if _, err := get(client, "http://127.0.0.1/"); !isError(err, ErrArgument) || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
	// No client for HTTP can fetch it: it is no outage.
	for _, url := range []string{"ftp://127.0.0.1/a", "FTP://127.0.0.1/a"} {
		_, err := get(&http.Client{Transport: &Transport{Cache: cache}}, url)
		if v, of := cache.Fetch(t.Context(), nil, url); v.Allowed() || !isError(of, ErrScheme) || !isError(err, ErrScheme) ||
			!strings.Contains(err.Error(), "by ftp") {
			t.Error(v, of, err)
		}
	}
	if o, err := none.Outcome("http://h/"); o != nil || !isError(err, ErrArgument) {
		t.Error(o, err)
	}
	for range none.Records() {
		t.Error("a record of no cache")
	}
	// A file that does not fit is an error for all waiting goroutines, not an endless loop of requests.
	site := open(t, text("user-agent: *\ndisallow: /"+strings.Repeat("x", 100_000)))
	small, err := NewCache(65_536, mustCrawler(t, "ExampleBot", new(clock).option()))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := small.Fetch(t.Context(), nil, site.URL+"/z"); v.Allowed() || !isError(err, ErrMemory) || site.count("/robots.txt") != 1 {
		t.Error(v, err, site.count("/robots.txt"))
	}
	ticket := small.Check("http://big/", start).Ticket
	outcome, err := small.crawlers[0].OutcomeFromStatus("http://big/", 200, []byte("user-agent: *\ndisallow: /"+strings.Repeat("x", 100_000)), start)
	if err != nil || !isError(ticket.Finish(outcome, start), ErrMemory) {
		t.Fatal(err)
	}
	if a := small.Check("http://big/", start); a.Verdict.Allowed() || a.Verdict.Err() != ErrMemory || a.Action != ActionDefer || !a.Until.Equal(after(24*time.Hour)) {
		t.Errorf("%+v", a)
	}
}

// A ticket ends once.
func TestTickets(t *testing.T) {
	cache := mustCache(t)
	first := cache.Check("http://H/a", start).Ticket
	if first.Origin() != "http://h" {
		t.Fatal(first.Origin())
	}
	first.Release()
	first.Release() // does nothing
	second := cache.Check("http://h/b", start).Ticket
	outcome := must(cache.crawlers[0].OutcomeFromStatus("http://h", 200, []byte(file), start))
	if err := second.Finish(outcome, start); err != nil {
		t.Error(err)
	}
	if err := second.Finish(outcome, start); !isError(err, ErrState) {
		t.Error(err)
	}
	if f, err := second.Fetch(start); f != nil || !isError(err, ErrState) {
		t.Error(f, err)
	}
	if cache.Len() != 1 || cache.Bytes() == 0 || cache.Remove("http://h/x") != nil || cache.Len() != 0 || cache.Bytes() != 0 {
		t.Error("remove", cache.Len(), cache.Bytes())
	}
	settle(t, cache)
}

// The garbage collector ends an abandoned ticket and wakes the goroutines that wait for it.
func TestAbandonedTicket(t *testing.T) {
	site := open(t, text(file))
	cache := mustCache(t, new(clock).option())
	if cache.Check(site.URL, start).Action != ActionFetch {
		t.Fatal("no ticket")
	}
	defer collectAllTheTime()()
	if got := ask(t, cache, site.URL+"/private"); got != "disallowed" {
		t.Error(got)
	}
}

func TestRecords(t *testing.T) {
	cache := mustCache(t)
	for i := range 100 {
		storeSite(t, cache, fmt.Sprintf("https://host%d.example/", i), file)
	}
	records := slices.Collect(cache.Records())
	if len(records) != 100 || cache.Len() != 100 {
		t.Fatal(len(records))
	}
	for range cache.Records() {
		break
	}
	// The loop may use the cache, and a panic of it leaves the cache usable.
	func() {
		defer func() { _ = recover() }()
		for range cache.Records() {
			panic(cache.Len())
		}
	}()
	for record := range cache.Records() {
		if err := cache.Import(record); err != nil || len(slices.Collect(cache.Records())) != 100 {
			t.Error(err)
		}
		break
	}
	warm := mustCache(t)
	damaged := slices.Clone(records[7])
	damaged[len(damaged)/2] ^= 4
	for _, bad := range [][]byte{damaged, nil, records[7][:20]} {
		if err := warm.Import(bad); !isError(err, ErrImage) {
			t.Error(err)
		}
	}
	if stranger := must(NewCache(1<<20, mustCrawler(t, "OtherBot"))); !isError(stranger.Import(records[0]), ErrImageFormat) {
		t.Error("the records of another crawler")
	}
}

// An outcome of the cache stays valid without it.
func TestCacheOutcome(t *testing.T) {
	cache := mustCache(t)
	if o, err := cache.Outcome(pacedURL); o != nil || err != nil {
		t.Error("before the fetch:", o, err)
	}
	storeSite(t, cache, pacedURL, file)
	o := must(cache.Outcome(pacedURL))
	cache.Clear()
	if delay, given := o.Rules().CrawlDelay(); delay != 3*time.Second || !given || o.Origin != "https://example.com" || !o.FetchedAt.Equal(start) {
		t.Error(o, delay)
	}
	if again, err := cache.Outcome(pacedURL); again != nil || err != nil {
		t.Error(again, err)
	}
}

// SPEC 3.7: one fetch serves several crawlers.
func TestSeveralCrawlers(t *testing.T) {
	site := open(t, text("user-agent: secondbot\ndisallow: /b\n\nuser-agent: *\ndisallow: /a\n"))
	cache, err := NewCache(1<<20, mustCrawler(t, "ExampleBot"), mustCrawler(t, "SecondBot"))
	if err != nil {
		t.Fatal(err)
	}
	for crawler, forbidden := range []string{"/a", "/b"} {
		client := &http.Client{Transport: &Transport{Cache: cache, Crawler: crawler}}
		for _, path := range []string{"/a", "/b"} {
			response, err := client.Get(site.URL + path)
			if err == nil {
				response.Body.Close()
			}
			if (err != nil) != (path == forbidden) {
				t.Error(crawler, path, err)
			}
		}
	}
	if site.count("/robots.txt") != 1 {
		t.Error(site.count("/robots.txt"))
	}
}
