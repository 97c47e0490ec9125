//go:build cgo

package robots

import (
	"context"
	"errors"
	"net/http"
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
