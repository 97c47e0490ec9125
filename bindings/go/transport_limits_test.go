package robots

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// What is judged is what is sent: the form of the URL, whose request line net/http does not change (SPEC 8.11).
func TestTransportSendsTheForm(t *testing.T) {
	site := open(t, text("user-agent: *\ndisallow: /private\ndisallow: /*.pdf$\n"))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	for given, sent := range map[string]string{
		"/a/../private/x": "", "/./private": "", "/a/%2e%2E/private": "", "/a\\..\\private": "", "/x.pdf?": "", "/p%72ivate/1": "",
		"/private/../open1": "/open1", "/a/../open2?": "/open2", "/a/..private": "/a/..private", "/open3?x=/../private'": "/open3?x=/../private%27",
		"/open4%2Fmy file": "/open4%2Fmy%20file", "/..//private": "//private", "/caf\u00e9%7e;": "/caf%C3%A9~%3B", "/open5%41?a b": "/open5A?a%20b",
	} {
		before := len(lines(site))
		request := &http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: "http", Host: strings.TrimPrefix(site.URL, "http://"), Opaque: given}}
		response, err := client.Do(request)
		if err == nil {
			response.Body.Close()
		}
		var forbidden *ForbiddenError
		if sent == "" && !errors.As(err, &forbidden) || sent != "" && (err != nil || !slices.Contains(lines(site), sent)) {
			t.Errorf("%s: %v, %q", given, err, lines(site)[before:])
		}
	}
	for _, line := range lines(site) {
		if strings.HasPrefix(line, "/private") || strings.Contains(line, ".pdf") {
			t.Error(line, "was requested")
		}
	}
}

// lines returns the targets of the request lines that a site got.
func lines(s *site) (targets []string) {
	for _, request := range s.requests() {
		targets = append(targets, request.RequestURI)
	}
	return targets
}

// A path that starts with // is a path: no other site is asked, and none gets the request.
func TestTransportTwoSlashes(t *testing.T) {
	other := open(t, text(""))
	site := open(t, text("user-agent: *\ndisallow: /private\n"))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	host := strings.TrimPrefix(other.URL, "http:")
	for path, sent := range map[string]string{host + "/../private/x": "//private/x", "//x/../y": "//y", host + "/private/x": host + "/private/x"} {
		if status, err := get(client, site.URL+path); status != 200 || err != nil || !slices.Contains(lines(site), sent) {
			t.Errorf("%s: %d, %v, %q", path, status, err, lines(site))
		}
	}
	if got := len(other.requests()); got != 0 {
		t.Error("the other site got", got, "requests")
	}
}

// Opaque may name any site: another one than that of the connection is refused.
func TestTransportOpaque(t *testing.T) {
	site := open(t, text("user-agent: *\ndisallow: /private\n"))
	client := &http.Client{Transport: &Transport{Cache: mustCache(t)}}
	host := strings.TrimPrefix(site.URL, "http://")
	for opaque, allowed := range map[string]bool{
		"/private/x": false, "//" + host + "/private/x": false, "/open": true, "//" + host + "/open": true,
		"/open#/private": true, "//other.example/open": false, "//other.example": false, "//" + host + ".example/open": false, "open": false,
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
