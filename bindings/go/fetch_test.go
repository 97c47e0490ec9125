package robots

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestOrigins(t *testing.T) {
	const want = "https://www.xn--exmple-cua.com"
	if got, err := OriginOf("HTTPS://me@www.Exämple.com:443/a"); err != nil || got != (Origin{want, want + "/robots.txt"}) {
		t.Error(got, err)
	}
	for url, want := range map[string]Error{"gopher://h/": ErrScheme, "/path": ErrURL, "": ErrURL} { // SPEC 1.6
		if got, err := OriginOf(url); got != (Origin{}) || !isError(err, want) {
			t.Errorf("%q: %v, %v", url, got, err)
		}
	}
}

func gzipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = io.WriteString(w, text)
	w.Close()
	return out.String()
}

// How Fetch reports what net/http returns. tests/wire has many more responses.
func TestResponses(t *testing.T) {
	for name, c := range map[string]struct {
		robots http.HandlerFunc
		cause  Cause
		status int
		hops   int
	}{
		"204":              {status(204), CauseFound, 204, 0},
		"10 MB":            {text(file + strings.Repeat("# a comment\n", 1<<20)), CauseFound, 200, 0},
		"gzip":             {text(gzipped(file), "Content-Encoding", "gzip"), CauseFound, 200, 0},
		"half of gzip":     {text(gzipped(file)[:20], "Content-Encoding", "gzip"), CauseTruncated, 200, 0},
		"unknown coding":   {text(file+"\x03", "Content-Encoding", "br"), CauseEncodedBody, 200, 0},
		"103 before":       {raw("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" + file), CauseFound, 200, 0},
		"two redirects":    {hops(2, status(404)), CauseMissing, 404, 2},
		"to itself":        {status(302, "Location", "/robots.txt"), CauseTooManyRedirects, 302, 5},
		"no target":        {status(302), CauseBadRedirect, 302, 0},
		"target is no URL": {status(308, "Location", "http://[::"), CauseBadRedirect, 308, 0},
		"reset":            {raw(""), CauseReset, 0, 0},
		"no HTTP":          {raw("\x00\x01\x02\r\n\r\n"), CauseOtherFailure, 0, 0},
		"half a body":      {raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + file), CauseTruncated, 200, 0},
		"bad chunk":        {raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), CauseTruncated, 200, 0},
		"slow":             {drip, CauseTimeout, 200, 0},
	} {
		site := open(t, c.robots)
		timeout := 20 * time.Second
		if c.cause == CauseTimeout {
			timeout = 100 * time.Millisecond
		}
		o, err := mustCrawler(t, "ExampleBot", WithTimeout(timeout)).Fetch(t.Context(), site.Client(), site.URL+"/open")
		if err != nil || o.Cause != c.cause || o.HTTPStatus != c.status || o.Hops != c.hops || o.Origin != site.URL {
			t.Errorf("%s: %v, hops %d, %v", name, o, o.Hops, err)
		}
	}
}

func wordFor(verdict Verdict) string {
	switch {
	case verdict.Allowed():
		return "allowed"
	case verdict.Reason() == ReasonDefer:
		return "deferred"
	case verdict.Reason() == ReasonUnreachable:
		return "unreachable"
	}
	return "disallowed"
}

// SPEC 2.2: rules from another host govern the first host. SPEC 2.10: sites without a server.
func TestOtherHosts(t *testing.T) {
	other := open(t, text(file))
	site := open(t, status(301, "Location", other.URL+"/robots.txt"))
	crawler := mustCrawler(t, "ExampleBot", WithUserAgent("ExampleBot/1.0 (+https://example.com)"))
	o, err := crawler.Fetch(t.Context(), nil, site.URL)
	if err != nil || o.Origin != site.URL || o.FinalURL != other.URL+"/robots.txt" || o.Hops != 1 {
		t.Fatal(o, err)
	}
	if v := o.Check(other.URL+"/open", time.Now()); v.Allowed() || v.Err() != ErrURL {
		t.Error("the other host is governed:", v)
	}
	if agent := other.requests()[0].UserAgent(); agent != "ExampleBot/1.0 (+https://example.com)" {
		t.Error(agent)
	}
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	closed := open(t, text(file))
	closed.Close()
	noHost := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}
	}}}
	for _, c := range []struct {
		url    string
		client *http.Client
		want   Cause
	}{
		{closed.URL, nil, CauseConnect}, {"http://example.invalid/", noHost, CauseDNS}, {secure.URL, nil, CauseTLS},
		{strings.Replace(site.URL, "http:", "https:", 1), nil, CauseTLS}, {"ftp://127.0.0.1/", nil, CauseOtherFailure},
	} {
		if o, err := crawler.Fetch(t.Context(), c.client, c.url); err != nil || o.Cause != c.want || o.Kind != KindUnreachable {
			t.Errorf("%s: %v, %v", c.url, o, err)
		}
	}
}

// A transport that keeps its responses.
func TestUnusualTransports(t *testing.T) {
	site := open(t, hops(1, text(file)))
	crawler := mustCrawler(t, "ExampleBot")
	kept := new(keeper)
	if o, err := crawler.Fetch(t.Context(), &http.Client{Transport: kept}, site.URL); err != nil || o.Hops != 1 {
		t.Error(o, err)
	}
	if kept.responses[0].Header.Get("Location") != "/robots.txt?1" {
		t.Error("the transport's own response was changed")
	}
}

type keeper struct{ responses []*http.Response }

func (k *keeper) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	k.responses = append(k.responses, response)
	return response, err
}

// The end of the context is an error, not a failure of the site.
func TestFetchEndsWithContext(t *testing.T) {
	site := open(t, drip)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	o, err := mustCrawler(t, "ExampleBot").Fetch(ctx, nil, site.URL)
	if o != nil || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), site.URL) {
		t.Error(o, err)
	}
	// The client's timeout is a failure of the site.
	slow := &http.Client{Timeout: 50 * time.Millisecond}
	if o, err := mustCrawler(t, "ExampleBot").Fetch(t.Context(), slow, site.URL); err != nil || o.Cause != CauseTimeout {
		t.Error(o, err)
	}
}

// The events one by one, as another client than net/http passes them.
func TestFetchEvents(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	fetch, err := NewFetch("http://Example.com/a?b", start, crawler, mustCrawler(t, "OtherBot"))
	if err != nil || fetch.Step() != StepGet || fetch.URL() != "http://example.com/robots.txt" ||
		fmt.Sprint(fetch.Header()) != "map[Accept-Encoding:[identity] User-Agent:[ExampleBot]]" {
		t.Fatal(fetch, err)
	}
	for what, err := range map[string]error{
		"body": fetch.Body([]byte("x")), "end": fetch.End(), "headers": fetch.Headers(nil),
		"header": fetch.Headers(http.Header{"Etag": {"x"}}),
	} {
		if !isError(err, ErrState) || fetch.Step() != StepGet {
			t.Error(what, err)
		}
	}
	if o, err := fetch.Outcome(); o != nil || !isError(err, ErrState) {
		t.Error(o, err)
	}
	events := errors.Join(fetch.Status(200, start), fetch.Headers(http.Header{"Etag": {`"1"`}, "Cache-Control": {"max-age=7200"}}),
		fetch.Body([]byte("user-agent: examplebot\ndis")), fetch.Body([]byte("allow: /a\n")), fetch.End())
	o, err := fetch.Outcome()
	if events != nil || err != nil || o.Kind != KindRules || o.ETag != `"1"` || !o.FreshUntil.Equal(after(2*time.Hour)) ||
		!o.FetchedAt.Equal(start) || !o.UnreachableSince.IsZero() || o.String() != "rules: found, status 200" {
		t.Fatalf("%v, %v, %+v", events, err, o)
	}
	// SPEC 3.7.
	if o.Check("/a", start).Allowed() || !o.CheckFor(1, "/a", start).Allowed() || o.CheckFor(2, "/b", start).Allowed() ||
		o.CheckFor(-1, "/b", start).Allowed() || o.Rules().Allowed("/a") || !o.RulesFor(1).Allowed("/a") || o.RulesFor(2).Allowed("/b") {
		t.Error("one file for two crawlers")
	}
	again, err := NewFetch("http://example.com", after(3*time.Hour), crawler)
	if err != nil || !isError(again.SetPrevious(o), ErrArgument) { // other crawlers
		t.Error(err)
	}
	if again.Fail(FailureDNS, start) != nil || again.Step() != StepDone || !isError(again.Fail(FailureDNS, start), ErrState) {
		t.Error("a fetch after its end")
	}
	for url, want := range map[string]Error{"a": ErrURL, "data:x": ErrScheme} {
		if f, err := NewFetch(url, start, crawler); f != nil || !isError(err, want) {
			t.Error(url, f, err)
		}
	}
	many := make([]*Crawler, 17)
	for i := range many {
		many[i] = crawler
	}
	for _, crawlers := range [][]*Crawler{nil, many, {new(Crawler)}, {nil}, {crawler, nil}} {
		if f, err := NewFetch("http://h", start, crawlers...); f != nil || !isError(err, ErrArgument) {
			t.Error(len(crawlers), f, err)
		}
	}
}

func TestOutcomeFromStatus(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	for status, want := range map[int]string{
		200: "rules: found, status 200", 429: "unreachable: too many requests, status 429", -1: "unreachable: unexpected status",
		70_000: "unreachable: unexpected status",
	} {
		if o, err := crawler.OutcomeFromStatus("https://example.com/x", status, []byte(file), start); err != nil || o.String() != want {
			t.Errorf("%d: %v, %v", status, o, err)
		}
	}
	o := must(crawler.OutcomeFromStatus("https://example.com/x", 200, []byte(file), start))
	record := must(o.MarshalBinary())
	if again, err := crawler.DecodeOutcome(record); err != nil || again.String() != o.String() || !again.RetryAt.Equal(o.RetryAt) {
		t.Error(again, err)
	}
	if _, err := mustCrawler(t, "OtherBot").DecodeOutcome(record); !isError(err, ErrImageFormat) {
		t.Error(err)
	}
	decoded := crawler.NewOutcome()
	if decoded.Check("/open", start).Allowed() {
		t.Error("an empty outcome allows")
	}
	// Without a crawler nobody knows for whom the rules are.
	zero := new(Outcome)
	if err := zero.UnmarshalBinary(record); !isError(err, ErrArgument) || !strings.Contains(err.Error(), "Crawler.NewOutcome") ||
		zero.Origin != "" || zero.Check("/open", start).Allowed() {
		t.Error(zero, err)
	}
	var stream bytes.Buffer
	if err := errors.Join(gob.NewEncoder(&stream).Encode(o), gob.NewDecoder(&stream).Decode(decoded)); err != nil ||
		decoded.String() != o.String() || decoded.Check("/private", start) != o.Check("/private", start) {
		t.Error(decoded, err)
	}
	if err := decoded.UnmarshalBinary(record[:9]); !isError(err, ErrImage) || decoded.String() != o.String() {
		t.Error(decoded, err)
	}
	record[len(record)-1] ^= 1
	if o, err := crawler.DecodeOutcome(record); o != nil || !isError(err, ErrImage) {
		t.Error(o, err)
	}
	var none Outcome
	if none.Check("/", start).Allowed() || none.Rules().Allowed("/") {
		t.Error("an outcome never made allows")
	}
	if _, err := none.MarshalBinary(); !isError(err, ErrArgument) {
		t.Error(err)
	}
	if o, err := crawler.OutcomeFromStatus("x", 200, nil, start); o != nil || !isError(err, ErrURL) {
		t.Error(o, err)
	}
	if o, err := new(Crawler).Fetch(t.Context(), nil, "http://h"); o != nil || !isError(err, ErrArgument) {
		t.Error(o, err)
	}
	if o, err := new(Crawler).DecodeOutcome(nil); o != nil || !isError(err, ErrArgument) {
		t.Error(o, err)
	}
}

// What an option refuses. The drivers of tests/drivers set each option.
func TestPolicy(t *testing.T) {
	half := must(mustCrawler(t, "ExampleBot", WithFailureTTL(29*time.Minute+1)).OutcomeFromStatus("http://h", 503, nil, start))
	if ttl := half.RetryAt.Sub(start); ttl != 29*time.Minute+time.Second { // whole seconds, rounded up
		t.Error(ttl)
	}
	for _, option := range []Option{
		WithMaxRedirects(21), WithOnForbidden(KindRules), WithOnServerError(5), WithMinTTL(-1), WithMaxTTL(0),
		WithDefaultTTL(20 * 365 * 24 * time.Hour), WithMaxRetryAfter(-time.Hour), WithUnreachableTTL(-1), WithMissingTTL(0), WithTimeout(0),
	} {
		if c, err := NewCrawler("ExampleBot", option); c != nil || !isError(err, ErrArgument) {
			t.Error(c, err)
		}
	}
	// The message names the value as it was passed, and the range.
	for want, option := range map[string]Option{
		"min TTL is 0s to 87600h0m0s (10 years), not -1ns": WithMinTTL(-1), "max redirects is 0 to 20, not 21": WithMaxRedirects(21),
		"max bytes is 512000 to 1073741824, not 3": WithMaxBytes(3), "dialect is RFC9309, Google or Koster1996, not dialect 7": WithDialect(7),
		"on server error is allow all, disallow all, defer or unreachable, not rules": WithOnServerError(KindRules),
		"timeout is more than 0, not -1s":                                             WithTimeout(-time.Second),
	} {
		if _, err := NewCrawler("ExampleBot", option); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err, "instead of", want)
		}
	}
}

func TestPresets(t *testing.T) {
	crawler, err := Preset("googlebot-image", WithDialect(RFC9309))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := crawler.Parse([]byte("user-agent: googlebot\ndisallow: /a\n"))
	if err != nil || rules.Allowed("/a") {
		t.Error("the second token does not count", err)
	}
	if c, err := Preset("Nobody"); c != nil || !isError(err, ErrToken) || !strings.Contains(err.Error(), "Nobody") {
		t.Error(c, err)
	}
}
