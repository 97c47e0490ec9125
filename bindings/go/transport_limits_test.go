package robots

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// net/http sends dot segments as they are, and servers resolve them: the rules for both paths count.
func TestTransportDotSegments(t *testing.T) {
	site := open(t, text("user-agent: *\ndisallow: /private\nallow: /private/a//\n"))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	for path, allowed := range map[string]bool{
		"/a/../private/x": false, "/a/./../private": false, "/./private": false, "/../private": false, "/a/%2e%2E/private": false,
		"/private/../open": false, "/a/../open": true, "/a/..private": true, "/a/...": true, "/open?x=/../private": true,
		"/b/../private/a//": true,
	} {
		status, err := get(client, site.URL+path)
		var forbidden *ForbiddenError
		if allowed && (status != 200 || err != nil) || !allowed && !errors.As(err, &forbidden) {
			t.Errorf("%s: %d, %v", path, status, err)
		}
		if !allowed && site.count("/private/x") != 0 {
			t.Error(path, "was requested")
		}
	}
}

// A path that starts with // is a path: no other site is asked, and none gets the request.
func TestTransportTwoSlashes(t *testing.T) {
	other := open(t, text(""))
	site := open(t, text("user-agent: *\ndisallow: /private\n"))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	host := strings.TrimPrefix(other.URL, "http:")
	for _, path := range []string{host + "/../private/x", "//x/../y", host + "/private/x", "//x/..//y"} {
		if status, err := get(client, site.URL+path); status != 200 || err != nil {
			t.Errorf("%s: %d, %v", path, status, err)
		}
		if site.count(path) != 1 {
			t.Errorf("%s was not requested as it is", path)
		}
	}
	if got := len(other.requests()); got != 0 {
		t.Error("the other site got", got, "requests")
	}
}

// The request line is what is checked; net/http takes it from Opaque, which may name any site.
func TestTransportOpaque(t *testing.T) {
	site := open(t, text("user-agent: *\ndisallow: /private\n"))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	host := strings.TrimPrefix(site.URL, "http://")
	for opaque, allowed := range map[string]bool{
		"/private/x": false, "//" + host + "/private/x": false, "/open": true, "//" + host + "/open": true,
		"//other.example/open": false, "//other.example": false, "//" + host + ".example/open": false, "open": false,
	} {
		request := &http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: "http", Host: host, Path: "/open", Opaque: opaque}}
		_, err := client.Transport.(*Transport).check(request, http.DefaultTransport)
		if (err == nil) != allowed {
			t.Errorf("%s: %v", opaque, err)
		}
	}
}

// A deadline that expires while the robots.txt is fetched is an outage: the client's own error would not say what is missing.
func TestTransportDeadline(t *testing.T) {
	release := make(chan struct{})
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		text(file)(w, r)
	})
	cache := mustCache(t, new(clock).option())
	transport := &Transport{Cache: cache}
	limited := func(limit time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		t.Cleanup(cancel)
		return ctx
	}
	for name, c := range map[string]struct {
		client *http.Client
		ctx    context.Context
	}{
		"the client's":  {&http.Client{Transport: transport, Timeout: 500 * time.Millisecond}, t.Context()},
		"the context's": {&http.Client{Transport: transport}, limited(500 * time.Millisecond)},
		"both":          {&http.Client{Transport: transport, Timeout: time.Hour}, limited(500 * time.Millisecond)},
	} {
		request, err := http.NewRequestWithContext(c.ctx, http.MethodGet, site.URL+"/open", nil)
		if err != nil {
			t.Fatal(err)
		}
		var got *DeferError
		if _, err = c.client.Do(request); !errors.As(err, &got) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := (DeferError{site.URL + "/open", after(30 * time.Second), ReasonUnreachable, CauseTimeout, 0}); *got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// A request that its caller ends is no outage.
	ctx, cancel := context.WithCancel(limited(time.Hour))
	time.AfterFunc(50*time.Millisecond, cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, site.URL+"/open", nil)
	if err != nil {
		t.Fatal(err)
	}
	var deferred *DeferError
	if _, err := (&http.Client{Transport: transport}).Do(request); !errors.Is(err, context.Canceled) || errors.As(err, &deferred) {
		t.Error(err)
	}
	// The fetch went on for this request.
	close(release)
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	if status, err := get(client, site.URL+"/open"); status != 200 || err != nil || site.count("/robots.txt") != 1 {
		t.Error(status, err, site.count("/robots.txt"))
	}
}
