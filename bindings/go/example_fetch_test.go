package robots_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
)

// shop is a site with a robots.txt.
func shop() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "user-agent: *\ndisallow: /checkout\ncrawl-delay: 2\n")
			return
		}
		fmt.Fprint(w, "tea")
	}))
}

func ExampleTransport() {
	shop := shop()
	defer shop.Close()
	crawler, _ := robots.NewCrawler("ExampleBot", robots.WithUserAgent("ExampleBot/1.0 (+https://example.com/bot)"))
	cache, _ := robots.NewCache(64<<20, crawler)
	client := &http.Client{Transport: &robots.Transport{Cache: cache}}

	response, err := client.Get(shop.URL + "/tea")
	if err == nil {
		fmt.Println(response.Status)
		response.Body.Close()
	}
	_, err = client.Get(shop.URL + "/checkout")
	var forbidden *robots.ForbiddenError
	var deferred *robots.DeferError
	switch {
	case errors.As(err, &forbidden): // drop the URL
		fmt.Println(forbidden.Verdict)
	case errors.As(err, &deferred): // keep the URL: an outage is no ban
		fmt.Println("try again at", deferred.Until, "because of", deferred.Cause)
	}
	// Output:
	// 200 OK
	// disallowed by line 2
}

// A dialer refuses host names that resolve to a non-global address; the fetch itself refuses redirects to such an address.
func ExampleWithNonGlobalRedirects() {
	dialer := &net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if ip := target.Addr().Unmap(); !ip.IsGlobalUnicast() || ip.IsPrivate() {
			return fmt.Errorf("%v is not a public address", ip)
		}
		return nil
	}}
	crawler, _ := robots.NewCrawler("ExampleBot")
	cache, _ := robots.NewCache(64<<20, crawler)
	client := &http.Client{Transport: &robots.Transport{
		Cache: cache,
		Base:  &http.Transport{DialContext: dialer.DialContext},
	}}
	_, err := client.Get("http://127.0.0.1/page")
	var deferred *robots.DeferError
	fmt.Println(errors.As(err, &deferred) && deferred.Cause == robots.CauseConnect)
	// Output: true
}

// Processes share their fetches in a store: any database of records by origin.
func ExampleCache_lookup() {
	shop := shop()
	defer shop.Close()
	crawler, _ := robots.NewCrawler("ExampleBot")
	var stored sync.Map
	newProcess := func() *robots.Cache {
		cache, _ := robots.NewCache(64<<20, crawler)
		cache.Lookup = func(_ context.Context, origin string) ([]byte, error) {
			record, _ := stored.Load(origin)
			bytes, _ := record.([]byte)
			return bytes, nil
		}
		cache.OnOutcome = func(outcome *robots.Outcome) {
			if record, err := outcome.MarshalBinary(); err == nil {
				stored.Store(outcome.Origin, record)
			}
		}
		return cache
	}
	for range 2 { // the second process loads what the first has stored
		fmt.Println(newProcess().Fetch(context.Background(), shop.Client(), shop.URL+"/checkout"))
	}
	// Output:
	// disallowed by line 2 <nil>
	// disallowed by line 2 <nil>
}

func ExampleCrawler_Fetch() {
	shop := shop()
	defer shop.Close()
	crawler, _ := robots.NewCrawler("ExampleBot")
	outcome, err := crawler.Fetch(context.Background(), shop.Client(), shop.URL+"/tea")
	if err != nil {
		panic(err)
	}
	fmt.Println(outcome)
	fmt.Println(outcome.Check(shop.URL+"/checkout", time.Now()))
	fmt.Println(outcome.Rules().CrawlDelay())
	// Output:
	// rules: found, status 200
	// disallowed by line 2
	// 2s true
}

// A caller with its own I/O: Check returns what to do, and Finish stores the outcome.
func ExampleCache_Check() {
	shop := shop()
	defer shop.Close()
	crawler, _ := robots.NewCrawler("ExampleBot")
	cache, _ := robots.NewCache(64<<20, crawler)
	for {
		answer := cache.Check(shop.URL+"/checkout", time.Now())
		if answer.Ticket != nil {
			fetch, _ := answer.Ticket.Fetch(time.Now())
			outcome, err := fetch.Do(context.Background(), shop.Client())
			if err != nil {
				answer.Ticket.Release()
				continue
			}
			_ = answer.Ticket.Finish(outcome, time.Now())
		}
		switch answer.Action {
		case robots.ActionDecided:
			fmt.Println(answer.Verdict)
			return
		case robots.ActionWait:
			time.Sleep(10 * time.Millisecond) // another goroutine has the ticket
		case robots.ActionDefer:
			fmt.Println("not before", answer.Until)
			return
		}
	}
	// Output: disallowed by line 2
}

func ExampleCache_Outcome() {
	shop := shop()
	defer shop.Close()
	crawler, _ := robots.NewCrawler("ExampleBot")
	cache, _ := robots.NewCache(64<<20, crawler)
	if verdict, err := cache.Fetch(context.Background(), shop.Client(), shop.URL+"/tea"); err != nil || !verdict.Allowed() {
		return
	}
	outcome, _ := cache.Outcome(shop.URL + "/tea")
	if outcome != nil { // nil: the cache has evicted the site
		fmt.Println(outcome.Rules().CrawlDelay())
	}
	// Output: 2s true
}

func ExampleCache_Records() {
	crawler, _ := robots.NewCrawler("ExampleBot")
	cache, _ := robots.NewCache(64<<20, crawler)
	outcome, _ := crawler.OutcomeFromStatus("https://example.com", 200, []byte("user-agent: *\ndisallow: /private\n"), time.Now())
	_ = cache.Check("https://example.com", time.Now()).Ticket.Finish(outcome, time.Now())

	var stored bytes.Buffer // a file
	encoder := gob.NewEncoder(&stored)
	for record := range cache.Records() {
		_ = encoder.Encode(record)
	}

	// After a restart, or on another machine.
	warm, _ := robots.NewCache(64<<20, crawler)
	decoder := gob.NewDecoder(&stored)
	for {
		var record []byte
		if err := decoder.Decode(&record); err != nil {
			break
		}
		if err := warm.Import(record); err != nil {
			fmt.Println("left out:", err)
		}
	}
	fmt.Println(warm.Check("https://example.com/private", time.Now()).Verdict)
	// Output: disallowed by line 2
}

func ExampleOriginOf() {
	origin, err := robots.OriginOf("HTTPS://user@Example.com:443/page")
	fmt.Println(origin.Key, origin.RobotsURL, err)
	// Output: https://example.com https://example.com/robots.txt <nil>
}

func ExamplePreset() {
	crawler, err := robots.Preset("Googlebot-Image")
	if err != nil {
		panic(err)
	}
	rules, _ := crawler.Parse([]byte("user-agent: googlebot\ndisallow: /photos\n"))
	fmt.Println(rules.Check("/photos/1.jpg"))
	// Output: disallowed by line 2
}

func ExampleCrawler_Explain() {
	crawler, _ := robots.NewCrawler("ExampleBot")
	explanation, err := crawler.Explain([]byte("user-agent: *\ndisallow: /a\nallow: /a/b\n"), "https://example.com/a/b/c")
	if err != nil {
		panic(err)
	}
	for _, rule := range explanation.Rules {
		fmt.Printf("line %d, %s: %v\n", rule.Line, rule.Text, rule.Result)
	}
	// Output:
	// line 3, allow: /a/b: decides
	// line 2, disallow: /a: a longer rule decides
}

func ExampleCrawler_Lint() {
	crawler, _ := robots.NewCrawler("ExampleBot")
	report, err := crawler.Lint([]byte("user-agent: *\ndisallow: private\n"))
	if err != nil {
		panic(err)
	}
	for _, diagnostic := range report.Diagnostics {
		fmt.Println(diagnostic.Severity, diagnostic.Code, diagnostic.Line)
	}
	fmt.Println(strings.Contains(report.String(), "disallow: private"))
	// Output:
	// error R050 2
	// true
}

func ExampleUses_UseFor() {
	crawler, _ := robots.NewCrawler("ExampleBot")
	uses, err := crawler.Uses("https://example.com/", []byte("user-agent: *\ncontent-signal: search=yes\n"))
	if err != nil {
		panic(err)
	}
	page, err := crawler.PageControls(http.Header{"Content-Usage": {"train-ai=n"}})
	if err != nil {
		panic(err)
	}
	for _, purpose := range []robots.Purpose{robots.PurposeSearch, robots.PurposeTraining, robots.PurposeArchive} {
		answer, err := uses.UseFor("https://example.com/tea", purpose, page)
		if err != nil {
			panic(err)
		}
		fmt.Print(purpose, ": ", answer.Says)
		if by := answer.DecidedBy(); by != nil {
			fmt.Printf(", by %s: %s", by.Source, by.Text)
		}
		fmt.Println()
	}
	// Output:
	// search: allowed, by content_signal_line: search=yes
	// training: denied, by content_usage_header: train-ai=n
	// archive: unstated
}
