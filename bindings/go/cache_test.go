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
	cache := pacedCache(t, options...)
	if err := cache.SetMaxDelay(0); err != nil {
		t.Fatal(err)
	}
	return cache
}

func pacedCache(t testing.TB, options ...Option) *Cache {
	t.Helper()
	return must(NewCache(1<<20, mustCrawler(t, "ExampleBot", options...)))
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
		return "deferred until " + deferred.Until.Sub(start).String()
	case err != nil:
		t.Fatal(err)
	case verdict.Allowed():
		return "allowed"
	}
	return "disallowed"
}

// SPEC 3.5, 3.8: an unchanged file is not sent again; it is asked for in the background before its lifetime ends.
func TestNotModified(t *testing.T) {
	clock := new(clock)
	cache := mustCache(t, clock.option())
	const modified = "Thu, 14 Jan 2027 08:00:00 GMT"
	site := open(t, text(file, "ETag", `"1"`, "Last-Modified", modified))
	var last *Outcome
	cache.OnOutcome = func(o *Outcome) { last = o }
	for i, step := range []struct {
		move  time.Duration
		count int
	}{{0, 1}, {21 * time.Hour, 1}, {time.Hour, 2}, {0, 2}} {
		clock.move(step.move)
		if got := ask(t, cache, site.URL+"/private"); got != "disallowed" || site.count("/robots.txt") != step.count {
			t.Errorf("step %d: %s, %d requests", i, got, site.count("/robots.txt"))
		}
		site.answer(status(304))
	}
	if h := site.requests()[1].Header; h.Get("If-None-Match") != `"1"` || h.Get("If-Modified-Since") != modified {
		t.Error(h)
	}
	if last.Cause != CauseNotModified || !last.FreshUntil.Equal(after(46*time.Hour)) {
		t.Error(last)
	}
}

func TestCacheErrors(t *testing.T) {
	crawler, cache := mustCrawler(t, "ExampleBot"), mustCache(t)
	for _, c := range []struct {
		bytes    int
		crawlers []*Crawler
		want     string
	}{
		{1 << 20, nil, "without a crawler"}, {65_535, []*Crawler{crawler}, "65536"}, {-1, []*Crawler{crawler}, "65536"},
		{1 << 20, slices.Repeat([]*Crawler{crawler}, 17), "17 crawlers"}, {1 << 20, []*Crawler{nil}, "crawler 0 of the cache is nil or empty"},
		{1 << 20, []*Crawler{crawler, crawler, new(Crawler)}, "crawler 2 of the cache is nil or empty"},
	} {
		if cache, err := NewCache(c.bytes, c.crawlers...); cache != nil || !isError(err, ErrArgument) || !strings.Contains(err.Error(), c.want) {
			t.Error(cache, err)
		}
	}
	for url, want := range map[string]Error{"": ErrURL, "/a": ErrURL, "data:,": ErrScheme, "http://": ErrURL} {
		verdict, of := cache.Fetch(t.Context(), nil, url)
		_, _, delay := cache.CrawlDelay(url)
		_, outcome := cache.Outcome(url)
		for _, err := range []error{of, cache.Remove(url), outcome, delay} {
			if verdict.Allowed() || !isError(err, want) {
				t.Errorf("%q: %v", url, err)
			}
		}
	}
	for _, crawler := range []int{1, -1, 1 << 40} {
		a := cache.CheckFor(crawler, "http://h/", start)
		if a.Verdict.Allowed() || a.Verdict.Err() != ErrArgument || a.Ticket != nil || a.Action != ActionDefer || !a.Until.Equal(after(time.Minute)) {
			t.Errorf("crawler %d: %+v", crawler, a)
		}
		client := &http.Client{Transport: &Transport{Cache: cache, Crawler: crawler, PageControls: true}}
		want := fmt.Sprintf("crawler %d of a cache with 1: ", crawler)
		if _, err := get(client, "http://127.0.0.1/"); !isError(err, ErrArgument) || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
	var none Cache
	_, outcome := none.Outcome("http://h/")
	_, fetched := none.Fetch(t.Context(), nil, "http://h/")
	_, sent := get(&http.Client{Transport: new(Transport)}, "http://127.0.0.1/")
	a := none.Check("http://h/", start)
	for _, err := range []error{outcome, fetched, sent, a.Verdict.Err()} {
		if !isError(err, ErrArgument) || a.Verdict.Allowed() || a.Action != ActionDefer {
			t.Error(err, a)
		}
	}
	for range none.Records() {
		t.Error("a record of no cache")
	}
}

// A file that does not fit is an error for all waiting goroutines, not an endless loop of requests.
func TestFileThatDoesNotFit(t *testing.T) {
	site := open(t, text("user-agent: *\ndisallow: /"+strings.Repeat("x", 100_000)))
	small := must(NewCache(65_536, mustCrawler(t, "ExampleBot", new(clock).option())))
	for range 2 {
		if v, err := small.Fetch(t.Context(), nil, site.URL+"/z"); v.Allowed() || !isError(err, ErrMemory) || site.count("/robots.txt") != 1 {
			t.Error(v, err, site.count("/robots.txt"))
		}
	}
	a := small.Check(site.URL, start)
	if a.Verdict.Allowed() || a.Verdict.Err() != ErrMemory || a.Action != ActionDefer || !a.Until.Equal(after(24*time.Hour)) {
		t.Errorf("%+v", a)
	}
}

// A ticket ends once. The drivers of tests/drivers pass tickets on.
func TestTickets(t *testing.T) {
	cache := mustCache(t)
	first := cache.Check("http://H/a", start).Ticket
	outcome := must(cache.crawlers[0].OutcomeFromStatus(first.Origin(), 200, []byte(file), start))
	first.Release()
	first.Release() // does nothing
	second := cache.Check("http://h/b", start).Ticket
	_, fetched := second.Fetch(start)
	finished, again := second.Finish(outcome, start), second.Finish(outcome, start)
	_, late := second.Fetch(start)
	if fetched != nil || finished != nil || !isError(again, ErrState) || !isError(late, ErrState) {
		t.Error(fetched, finished, again, late)
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

// The loop over the records may use the cache, and end. A panic of it leaves the cache usable.
func TestRecords(t *testing.T) {
	cache := mustCache(t)
	for i := range 100 {
		storeSite(t, cache, fmt.Sprintf("https://host%d.example/", i), file)
	}
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
		if err := mustCache(t).Import(record[:20]); !isError(err, ErrImage) {
			t.Error(err)
		}
		if stranger := must(NewCache(1<<20, mustCrawler(t, "OtherBot"))); !isError(stranger.Import(record), ErrImageFormat) {
			t.Error("the records of another crawler")
		}
		break
	}
}
