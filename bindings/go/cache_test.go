package robots

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
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

// SPEC 3: lifetimes, end to end. Each step sets the handler of the robots.txt, moves the clock, checks a page, and gives the
// number of requests for the robots.txt so far.
func TestLifetimes(t *testing.T) {
	type step struct {
		robots http.HandlerFunc
		move   time.Duration
		word   string
		count  int
	}
	const day = 24 * time.Hour
	fresh := func(headers ...string) http.HandlerFunc { return text(file, headers...) }
	open2 := text("user-agent: *\n")
	koster := WithDialect(Koster1996)
	for row, c := range map[string]struct {
		options []Option
		steps   []step
	}{
		// SPEC 3.8: the refresh starts in the last tenth of the lifetime; the old rules decide until it ends.
		"3.1 24 hours": {nil, []step{
			{fresh(), 0, "disallowed", 1}, {open2, 21 * time.Hour, "disallowed", 1}, {nil, time.Hour, "disallowed", 2}, {nil, 0, "allowed", 2},
		}},
		"3.1 7 days": {[]Option{koster}, []step{
			{fresh(), 0, "disallowed", 1}, {open2, 6 * day, "disallowed", 1}, {nil, day - time.Hour, "disallowed", 2}, {nil, 0, "allowed", 2},
		}},
		"3.2 max-age": {nil, []step{
			{fresh("Cache-Control", "max-age=7200", "Age", "3600"), 0, "disallowed", 1}, {nil, 50 * time.Minute, "disallowed", 1},
			{nil, 5 * time.Minute, "disallowed", 2},
		}},
		"3.2 no-store": {nil, []step{{fresh("Cache-Control", "no-store"), 0, "disallowed", 1}, {nil, 5 * time.Minute, "disallowed", 2}}},
		"3.3 Expires": {nil, []step{
			{fresh("Date", "Fri, 15 Jan 2027 08:00:00 GMT", "Expires", "Fri, 15 Jan 2027 10:00:00 GMT"), 0, "disallowed", 1},
			{nil, 100 * time.Minute, "disallowed", 1}, {nil, 10 * time.Minute, "disallowed", 2},
		}},
		"3.8 no old rules after 24 hours": {nil, []step{{fresh(), 0, "disallowed", 1}, {open2, day, "allowed", 2}}},
		"3.8 old rules within 24 hours": {nil, []step{
			{fresh("Cache-Control", "max-age=3600"), 0, "disallowed", 1}, {open2, day - time.Second, "disallowed", 2}, {nil, 0, "allowed", 2},
		}},
		"2.11 unreachable, with a copy": {nil, []step{
			{fresh(), 0, "disallowed", 1}, {status(503), day, "disallowed", 2}, {nil, 20 * day, "disallowed", 3},
			{status(600), 40 * day, "disallowed", 4}, {open2, day, "disallowed", 5}, {nil, 0, "allowed", 5},
		}},
		"2.11 an option": {[]Option{WithUnreachableOverridesCopy()}, []step{
			{fresh(), 0, "disallowed", 1}, {status(503), day, "unreachable until 24h10m0s", 2}, {fresh(), 10 * time.Minute, "disallowed", 3},
		}},
		"2.8 unreachable": {nil, []step{
			{status(503), 0, "unreachable until 10m0s", 1}, {nil, 10*time.Minute - time.Second, "unreachable until 10m0s", 1},
			{fresh(), time.Second, "disallowed", 2},
		}},
		"2.12 an option": {[]Option{WithUnreachableTTL(time.Hour)}, []step{
			{status(503), 0, "unreachable until 10m0s", 1}, {nil, 30 * time.Minute, "unreachable until 1h0m0s", 2},
			{nil, 31 * time.Minute, "allowed", 3},
		}},
		"2.12 not after a pause": {[]Option{WithUnreachableTTL(time.Hour)}, []step{
			{status(503), 0, "unreachable until 10m0s", 1}, {nil, 31 * day, "unreachable until 744h10m0s", 2},
		}},
		"2.5 missing is forgotten": {nil, []step{{status(404), 0, "allowed", 1}, {fresh(), 5 * time.Hour, "allowed", 1}, {nil, time.Hour, "disallowed", 2}}},
		"2.5 the copy is dropped":  {nil, []step{{fresh(), 0, "disallowed", 1}, {status(404), day - time.Hour, "disallowed", 2}, {nil, 0, "allowed", 2}}},
		"2.5 an option": {[]Option{WithMissingKeepsCopy(), WithMaxTTL(time.Hour)}, []step{
			{fresh(), 0, "disallowed", 1}, {status(404), time.Hour, "disallowed", 2}, {nil, 0, "disallowed", 2},
		}},
		"2.3 an option":      {[]Option{WithMaxRedirects(0)}, []step{{hops(1, text(file)), 0, "allowed", 1}}},
		"2.3 a bad redirect": {[]Option{WithOnBadRedirect(KindUnreachable)}, []step{{status(302), 0, "unreachable until 10m0s", 1}}},
		"2.15 with a copy": {nil, []step{
			{fresh(), 0, "disallowed", 1}, {status(302), day - time.Hour, "disallowed", 2}, {nil, 0, "disallowed", 2},
		}},
		"3.6 Retry-After on 429": {nil, []step{
			{status(429, "Retry-After", "7200"), 0, "unreachable until 2h0m0s", 1}, {fresh(), 2*time.Hour - time.Second, "unreachable until 2h0m0s", 1},
			{open2, time.Second, "allowed", 2},
		}},
		"3.6 Retry-After on 503, deferred": {[]Option{koster}, []step{
			{status(503, "Retry-After", "3600"), 0, "deferred until 1h0m0s", 1}, {fresh(), time.Hour - time.Second, "deferred until 1h0m0s", 1},
			{nil, time.Second, "disallowed", 2},
		}},
		"3.6 Retry-After is clamped": {[]Option{koster, WithMaxRetryAfter(30 * time.Minute)}, []step{
			{status(429, "Retry-After", "Sat, 15 Jan 2028 08:00:00 GMT"), 0, "deferred until 30m0s", 1},
		}},
	} {
		t.Run(row, func(t *testing.T) {
			clock := new(clock)
			cache := mustCache(t, append(c.options, clock.option())...)
			site := open(t, nil)
			for i, s := range c.steps {
				if s.robots != nil {
					site.answer(s.robots)
				}
				clock.move(s.move)
				if got := ask(t, cache, site.URL+"/private"); got != s.word || site.count("/robots.txt") != s.count {
					t.Errorf("step %d: %s, %d requests", i, got, site.count("/robots.txt"))
				}
			}
		})
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

func TestTickets(t *testing.T) {
	cache := mustCache(t)
	crawler := cache.crawlers[0]
	first := cache.Check("http://H/a", start)
	if first.Action != ActionFetch || first.Ticket.Origin() != "http://h" || first.Verdict.Reason() != ReasonDefer {
		t.Fatalf("%+v", first)
	}
	if a := cache.Check("http://h/b", start); a.Action != ActionWait || a.Ticket != nil || !a.Until.Equal(after(2*time.Minute)) {
		t.Errorf("%+v", a)
	}
	first.Ticket.Release()
	first.Ticket.Release() // does nothing
	second := cache.Check("http://h/b", start).Ticket
	other, _ := crawler.OutcomeFromStatus("http://other", 200, nil, start)
	if err := second.Finish(other, start); !isError(err, ErrArgument) {
		t.Error(err)
	}
	// An abandoned ticket blocks the site only for its TTL. Its late outcome is ignored.
	dead := cache.Check("http://h/b", start).Ticket
	third := cache.Check("http://h/b", after(2*time.Minute)).Ticket
	if dead == nil || third == nil {
		t.Fatal("no ticket")
	}
	newer, _ := crawler.OutcomeFromStatus("http://h", 200, []byte(file), after(2*time.Minute))
	older, _ := crawler.OutcomeFromStatus("http://h", 404, nil, start)
	if third.Finish(newer, after(2*time.Minute)) != nil || dead.Finish(older, after(2*time.Minute)) != nil ||
		cache.Check("http://h/private", after(3*time.Minute)).Verdict.Line() != 2 {
		t.Error("the late one counts")
	}
	if err := third.Finish(newer, start); !isError(err, ErrState) {
		t.Error(err)
	}
	if f, err := third.Fetch(start); f != nil || !isError(err, ErrState) {
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
	cache, crawler := mustCache(t), mustCrawler(t, "ExampleBot")
	for i := range 100 {
		url := "https://host" + strconv.Itoa(i) + ".example/"
		ticket := cache.Check(url, start).Ticket
		outcome, err := crawler.OutcomeFromStatus(url, 200, []byte("user-agent: *\ndisallow: /"+strconv.Itoa(i)+"$\n"), start)
		if err != nil || ticket.Finish(outcome, start) != nil {
			t.Fatal(err)
		}
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
	for i, record := range records {
		if err := warm.Import(record); err != nil {
			t.Error(i, err)
		}
	}
	for i := range 100 {
		url := "https://host" + strconv.Itoa(i) + ".example/" + strconv.Itoa(i)
		if a := warm.Check(url, start); a.Verdict.Line() != 2 || a.Verdict.Allowed() || a.Action != ActionDecided {
			t.Errorf("%s: %+v", url, a)
		}
	}
	stranger, err := NewCache(1<<20, mustCrawler(t, "OtherBot"))
	if err != nil || !isError(stranger.Import(records[0]), ErrImageFormat) {
		t.Error("the records of another crawler", err)
	}
	if warm.Clear(); warm.Len() != 0 {
		t.Error("clear")
	}
}

// SPEC 9.1, 9.2: crawl-delay and sitemaps of a cached site, also of an old one and of an imported record.
func TestCacheOutcome(t *testing.T) {
	clock, site := new(clock), open(t, text(file+"sitemap: https://h/s.xml\n"))
	cache := mustCache(t, clock.option())
	if o, err := cache.Outcome(site.URL); o != nil || err != nil {
		t.Error("before the fetch:", o, err)
	}
	for range 2 {
		ask(t, cache, site.URL+"/private")
	}
	clock.move(1000 * time.Hour)
	warm := mustCache(t)
	for record := range cache.Records() {
		if err := warm.Import(record); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]*Cache{"kept": cache, "imported": warm} {
		o, err := c.Outcome(site.URL + "/any/page")
		if err != nil || o == nil {
			t.Fatal(name, o, err)
		}
		c.Clear() // the outcome stays valid
		if delay, given := o.Rules().CrawlDelay(); delay != 3*time.Second || !given || o.Origin != site.URL || !o.FetchedAt.Equal(start) {
			t.Errorf("%s: %v, %v", name, o, delay)
		}
		if s := o.Rules().Sitemaps(); !slices.Equal(s, []string{"https://h/s.xml"}) {
			t.Errorf("%s: %q", name, s)
		}
		if again, err := c.Outcome(site.URL); again != nil || err != nil {
			t.Errorf("%s: %v, %v", name, again, err)
		}
	}
	if site.count("/robots.txt") != 1 {
		t.Error(site.count("/robots.txt"))
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
