package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"

	robots "github.com/librobots/librobots/bindings/go"
)

// A shop is a server that records its requests and their times.
type shop struct {
	*httptest.Server
	lock   sync.Mutex
	visits []string
	times  []time.Time
}

// open serves a robots.txt after two redirects, and pages that link to each other.
func open(t *testing.T, robotsStatus int, robots string) *shop {
	shop := new(shop)
	pages := map[string]string{
		"/":              `<a href="/tea">tea</a> <a href="/secret/plans">plans</a> <a href="/moved">moved</a>`,
		"/tea":           `<a href="/%73ecret/%70lans?x">the same plans</a> <a href="/tea?page=2">more</a> <a href="/">home</a>`,
		"/tea?page=2":    `<a href="/secret/open">open</a> <a href="https://elsewhere.invalid/">elsewhere</a>`,
		"/secret/open":   `come in`,
		"/secret/plans":  `oh`,
		"/secret/plans?": `oh`,
	}
	mux := http.NewServeMux()
	mux.Handle("/robots.txt", http.RedirectHandler("/old/robots.txt", http.StatusMovedPermanently))
	mux.Handle("/old/robots.txt", http.RedirectHandler("/new/robots.txt", http.StatusFound))
	mux.HandleFunc("/new/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(robotsStatus)
		fmt.Fprint(w, robots)
	})
	mux.Handle("/moved", http.RedirectHandler("/secret/plans", http.StatusFound))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, pages[r.URL.RequestURI()])
	})
	shop.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shop.lock.Lock()
		shop.visits = append(shop.visits, r.URL.RequestURI())
		shop.times = append(shop.times, time.Now())
		shop.lock.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(shop.Close)
	return shop
}

const rules = "user-agent: examplebot\nallow: /secret/open\ndisallow: /secret/\ncrawl-delay: 0.2\n\nuser-agent: *\ndisallow: /\n"

// run crawls without a delay and returns the output, without the shop's address.
func run(t *testing.T, shop *shop, pages int) string {
	t.Helper()
	var out, progress bytes.Buffer
	if err := crawl(t.Context(), []string{shop.URL + "/"}, pages, 0, &out, &progress); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(progress.String(), " waiting") {
		t.Errorf("progress: %q", &progress)
	}
	return strings.ReplaceAll(out.String(), shop.URL, "")
}

func TestCrawl(t *testing.T) {
	shop := open(t, http.StatusOK, rules)
	out := run(t, shop, 100)
	// Breadth-first: the links of the first page come before those of the second.
	want := []string{
		"/robots.txt", "/old/robots.txt", "/new/robots.txt", "/", "/tea", "/moved", "/tea?page=2", "/secret/open",
	}
	if !slices.Equal(shop.visits, want) {
		t.Errorf("visited %q, not %q", shop.visits, want)
	}
	for _, line := range []string{
		"left out  /secret/plans  (disallowed by line 3)\n", "left out  /%73ecret/%70lans?x  (disallowed by line 3)\n",
		"302       /moved\n", "200       /secret/open\n", "\n5 pages of 1 sites in ", "left out: 2 forbidden, 0 deferred; 0 failed\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("%q is not in:\n%s", line, out)
		}
	}
	// The crawl-delay separates all requests for pages.
	for i := 4; i < len(shop.times); i++ {
		if gap := shop.times[i].Sub(shop.times[i-1]); gap < 150*time.Millisecond {
			t.Errorf("only %v between %s and %s", gap, shop.visits[i-1], shop.visits[i])
		}
	}
}

// The links of a page that is nofollow are not visited, and noindex is reported (SPEC 9.6).
func TestPageControls(t *testing.T) {
	pages := map[string]string{
		"/":       `<a href="/header">header</a> <a href="/meta">meta</a> <a href="/other">other</a>`,
		"/header": `<a href="/hidden">hidden</a>`,
		"/meta":   `<a href="/hidden">hidden</a> <meta name="Robots" content="none">`,
		"/other":  `<meta name="otherbot" content="none"><a href="/open">open</a>`,
		"/open":   `come in`, "/hidden": `oh`, "/robots.txt": ``,
	}
	headers := map[string]string{"/header": "examplebot: noindex, nofollow", "/other": "otherbot: nofollow", "/open": "noindex"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if value := headers[r.URL.Path]; value != "" {
			w.Header().Set("X-Robots-Tag", value)
		}
		fmt.Fprint(w, pages[r.URL.Path])
	}))
	defer server.Close()
	var out bytes.Buffer
	if err := crawl(t.Context(), []string{server.URL + "/"}, 100, 0, &out, nil); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(out.String(), server.URL, "")
	for _, line := range []string{
		"200       /\n", "200       /header  (noindex)\n", "200       /meta  (none)\n", "200       /other\n", "200       /open  (noindex)\n",
		"5 pages of 1 sites in ",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is not in:\n%s", line, text)
		}
	}
}

func TestTwoSites(t *testing.T) {
	first, second := open(t, http.StatusOK, ""), open(t, http.StatusOK, rules)
	var out bytes.Buffer
	began := time.Now()
	if err := crawl(t.Context(), []string{first.URL, second.URL}, 3, 100*time.Millisecond, &out, nil); err != nil {
		t.Fatal(err)
	}
	if len(first.visits) != 3+3 || len(second.visits) != 3+3 || !strings.Contains(out.String(), "\n6 pages of 2 sites in ") {
		t.Errorf("%q, %q, %s", first.visits, second.visits, &out)
	}
	if took := time.Since(began); took < 400*time.Millisecond {
		t.Errorf("only %v", took)
	}
}

func TestServerFails(t *testing.T) {
	for status, want := range map[int]int{http.StatusServiceUnavailable: 0, http.StatusTooManyRequests: 0, http.StatusNotFound: 1} {
		shop := open(t, status, rules)
		out := run(t, shop, 1)
		if pages := len(shop.visits) - 3; pages != want || want == 0 && !strings.Contains(out, "left out: 0 forbidden, 1 deferred; 0 failed") {
			t.Errorf("status %d: visited %q, %s", status, shop.visits, out)
		}
	}
}

func TestLongDelay(t *testing.T) {
	shop := open(t, http.StatusOK, "user-agent: *\ncrawl-delay: 86400\n")
	if out := run(t, shop, 100); !strings.Contains(out, "0 forbidden, 1 deferred; 0 failed") || len(shop.visits) != 3 {
		t.Errorf("%q, %s", shop.visits, out)
	}
}

func TestBadStart(t *testing.T) {
	for _, start := range []string{"", "/path", "gopher://example.com/"} {
		if err := crawl(t.Context(), []string{start}, 1, 0, io.Discard, nil); err == nil {
			t.Errorf("%q: no error", start)
		}
	}
}

// colly uses librobots because of the replace line in go.mod: it refuses a path that its own package allows.
func TestCollyObeys(t *testing.T) {
	shop := open(t, http.StatusOK, rules)
	collector := colly.NewCollector(colly.UserAgent(userAgent))
	collector.IgnoreRobotsTxt = false
	for path, want := range map[string]error{
		"/tea": nil, "/secret/plans": colly.ErrRobotsTxtBlocked, "/%73ecret/x": colly.ErrRobotsTxtBlocked, "/secret/open": nil,
	} {
		if err := collector.Visit(shop.URL + path); err != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	failing := open(t, http.StatusServiceUnavailable, rules)
	if err := collector.Visit(failing.URL + "/tea"); err != colly.ErrRobotsTxtBlocked {
		t.Errorf("a server that fails: %v", err)
	}
}

// A Transport in colly checks every request, also the target of a redirect, which colly's own check leaves out.
func TestCollyWithTransport(t *testing.T) {
	shop := open(t, http.StatusOK, rules)
	crawler, err := robots.NewCrawler(token, robots.WithUserAgent(userAgent))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := robots.NewCache(cacheSize, crawler)
	if err != nil {
		t.Fatal(err)
	}
	collector := colly.NewCollector(colly.UserAgent(userAgent))
	collector.AllowURLRevisit = true
	collector.WithTransport(&robots.Transport{Cache: cache})
	var forbidden *robots.ForbiddenError
	for path, allowed := range map[string]bool{"/tea": true, "/secret/plans": false, "/secret/open": true, "/moved": false} {
		if err := collector.Visit(shop.URL + path); (err == nil) != allowed || !allowed && !errors.As(err, &forbidden) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if slices.Contains(shop.visits, "/secret/plans") {
		t.Errorf("visited %q", shop.visits)
	}
	// An outage is a DeferError.
	failing := open(t, http.StatusServiceUnavailable, rules)
	var deferred *robots.DeferError
	if err := collector.Visit(failing.URL + "/tea"); !errors.As(err, &deferred) || deferred.Cause != robots.CauseServerError {
		t.Errorf("a server that fails: %v", err)
	}
}
