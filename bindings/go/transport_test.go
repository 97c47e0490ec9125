//go:build cgo

package robots

import (
	"errors"
	"io"
	"net/http"
	"strings"
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
			!strings.Contains(err.Error(), "before 2027-01-15T09:00:00Z") {
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

// OnOutcome is called before the first page is requested.
func TestOnOutcome(t *testing.T) {
	site := open(t, hops(2, text(file)))
	cache := mustCache(t)
	pages := -1
	cache.OnOutcome = func(o *Outcome) {
		pages = site.count("/open")
		if delay, given := o.Rules().CrawlDelay(); o.Origin != site.URL || o.Hops != 2 || delay != 3*time.Second || !given {
			t.Error(o, delay)
		}
	}
	if status, err := get(&http.Client{Transport: &Transport{Cache: cache}}, site.URL+"/open"); status != 200 || err != nil || pages != 0 {
		t.Error(status, err, pages)
	}
}
