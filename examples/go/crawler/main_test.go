package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
)

// A shop that writes down who asked for what, and when.
type shop struct {
	*httptest.Server
	lock   sync.Mutex
	visits []string
	times  []time.Time
}

// open serves robots, a robots.txt, behind two redirects, and pages that link to each other.
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

func TestCrawl(t *testing.T) {
	shop := open(t, http.StatusOK, rules)
	var out bytes.Buffer
	if err := crawl(shop.URL+"/", &out); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/robots.txt", "/old/robots.txt", "/new/robots.txt", "/", "/tea", "/tea?page=2", "/secret/open", "/moved",
	}
	if !slices.Equal(shop.visits, want) {
		t.Errorf("visited %q, not %q", shop.visits, want)
	}
	for _, line := range []string{
		"left out  /secret/plans  (disallowed by line 3)\n", "left out  /%73ecret/%70lans?x  (disallowed by line 3)\n",
		"200       /secret/open\n",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is not in:\n%s", line, &out)
		}
	}
	// Two pages are apart by the crawl-delay, from the first on.
	for i := 4; i < len(shop.times); i++ {
		if gap := shop.times[i].Sub(shop.times[i-1]); gap < 150*time.Millisecond {
			t.Errorf("only %v between %s and %s", gap, shop.visits[i-1], shop.visits[i])
		}
	}
}

func TestServerFails(t *testing.T) {
	for status, want := range map[int]int{http.StatusServiceUnavailable: 0, http.StatusTooManyRequests: 0, http.StatusNotFound: 1} {
		shop := open(t, status, rules)
		var out bytes.Buffer
		if err := crawl(shop.URL+"/", &out); err != nil {
			t.Error(err)
		}
		if pages := min(len(shop.visits)-3, 1); pages != want {
			t.Errorf("status %d: visited %q", status, shop.visits)
		}
	}
}

func TestLongDelay(t *testing.T) {
	shop := open(t, http.StatusOK, "user-agent: *\ncrawl-delay: 86400\n")
	var out bytes.Buffer
	if err := crawl(shop.URL+"/", &out); err != nil || !strings.Contains(out.String(), "too long") || len(shop.visits) != 3 {
		t.Errorf("%v, %q, %s", err, shop.visits, &out)
	}
}

// colly itself obeys librobots, by the replace line of go.mod: it leaves out a path that its own package would fetch.
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
