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
	for url, want := range map[string]string{ // SPEC 1.1 to 1.4, 1.7
		"https://example.com/a/b?c#d":      "https://example.com",
		"HTTPS://me@www.Exämple.com:443":   "https://www.xn--exmple-cua.com",
		"http://[::1]:8080/":               "http://[::1]:8080",
		"ftp://example.com:21/robots.txt?": "ftp://example.com",
	} {
		if got, err := OriginOf(url); err != nil || got != (Origin{want, want + "/robots.txt"}) {
			t.Errorf("%s: %v, %v", url, got, err)
		}
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

// SPEC 2: the outcome of each response, end to end. The words are the verdicts about an allowed and a disallowed page.
func TestResults(t *testing.T) {
	const (
		obeyed     = "allowed disallowed"
		allowed    = "allowed allowed"
		disallowed = "disallowed disallowed"
		deferred   = "deferred deferred"
		outage     = "unreachable unreachable"
	)
	long := file + strings.Repeat("# a comment\n", 1<<20) + "disallow: /open\n"
	for _, c := range []struct {
		row     string
		robots  http.HandlerFunc
		cause   Cause
		status  int
		hops    int
		rfc9309 string
		koster  string
	}{
		{"2.1 200", text(file), CauseFound, 200, 0, obeyed, obeyed},
		{"2.1 204", status(204), CauseFound, 204, 0, allowed, allowed},
		{"2.1 299", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(299); text(file)(w, r) }, CauseFound, 299, 0, obeyed, obeyed},
		{"2.1 10 MB", text(long), CauseFound, 200, 0, obeyed, obeyed},
		{"2.1 gzip", text(gzipped(file), "Content-Encoding", "gzip"), CauseFound, 200, 0, obeyed, obeyed},
		{"2.1 two of gzip", text(gzipped(file[:20])+gzipped(file[20:]), "Content-Encoding", "x-gzip"), CauseFound, 200, 0, obeyed, obeyed},
		{"2.1 103 before", raw("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" + file), CauseFound, 200, 0, obeyed, obeyed},
		{"2.1 UTF-16", text("\xff\xfeu\x00s\x00"), CauseFound, 200, 0, allowed, allowed},
		{"2.2 one redirect", hops(1, text(file)), CauseFound, 200, 1, obeyed, obeyed},
		{"2.2 five redirects", hops(5, text(file)), CauseFound, 200, 5, obeyed, obeyed},
		{"2.2 to a missing file", hops(2, status(404)), CauseMissing, 404, 2, allowed, allowed},
		{"2.2 to a failing server", hops(2, status(500)), CauseServerError, 500, 2, outage, deferred},
		{"2.3 six redirects", hops(6, text(file)), CauseTooManyRedirects, 301, 5, allowed, deferred},
		{"2.3 loop", loop, CauseRedirectLoop, 302, 2, allowed, deferred},
		{"2.3 to itself", status(302, "Location", "/robots.txt"), CauseTooManyRedirects, 302, 5, allowed, deferred},
		{"2.3 no target", status(302), CauseBadRedirect, 302, 0, allowed, allowed},
		{"2.3 no http", status(307, "Location", "mailto:a@b"), CauseBadRedirect, 307, 0, allowed, allowed},
		{"2.3 no URL", status(308, "Location", "http://[::"), CauseBadRedirect, 308, 0, allowed, allowed},
		{"2.4 HTML", text(`<meta http-equiv="refresh" content="0; url=/other">`), CauseHTML, 200, 0, allowed, allowed},
		{"2.5 404", status(404), CauseMissing, 404, 0, allowed, allowed},
		{"2.5 410", status(410), CauseMissing, 410, 0, allowed, allowed},
		{"2.5 418", status(418), CauseMissing, 418, 0, allowed, allowed},
		{"2.6 401", status(401), CauseForbidden, 401, 0, allowed, disallowed},
		{"2.6 403", status(403), CauseForbidden, 403, 0, allowed, disallowed},
		{"2.7 429", status(429), CauseTooManyRequests, 429, 0, outage, deferred},
		{"2.8 500", status(500), CauseServerError, 500, 0, outage, deferred},
		{"2.8 503", status(503), CauseServerError, 503, 0, outage, deferred},
		{"2.9 101", raw("HTTP/1.1 101 Switching\r\n\r\n"), CauseOddStatus, 101, 0, outage, deferred},
		{"2.9 304 unasked", status(304), CauseOddStatus, 304, 0, outage, deferred},
		{"2.9 600", status(600), CauseOddStatus, 600, 0, outage, deferred},
		{"2.10 reset", raw(""), CauseReset, 0, 0, outage, deferred},
		{"2.10 no HTTP", raw("\x00\x01\x02\r\n\r\n"), CauseOtherFailure, 0, 0, outage, deferred},
		{"2.10 half a body", raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + file), CauseTruncated, 200, 0, outage, deferred},
		{"2.10 half a chunk", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nuser"), CauseTruncated, 200, 0, outage, deferred},
		{"2.10 bad chunk", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), CauseTruncated, 200, 0, outage, deferred},
		{"2.10 half of gzip", text(gzipped(file)[:20], "Content-Encoding", "gzip"), CauseTruncated, 200, 0, outage, deferred},
		{"2.17 no gzip", text(file, "Content-Encoding", "gzip"), CauseFound, 200, 0, obeyed, obeyed},
		{"2.17 unknown coding", text(file+"\x03", "Content-Encoding", "br"), CauseEncodedBody, 200, 0, outage, deferred},
		{"2.17 two codings", text(gzipped(file), "Content-Encoding", "gzip, br"), CauseEncodedBody, 200, 0, outage, deferred},
		{"2.17 empty, gzip", text("", "Content-Encoding", "gzip"), CauseFound, 200, 0, allowed, allowed},
		{"2.17 empty, unknown coding", text("", "Content-Encoding", "br"), CauseFound, 200, 0, allowed, allowed},
		{"2.17 empty, gzip, chunked", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n0\r\n\r\n"),
			CauseFound, 200, 0, allowed, allowed},
		{"2.17 206", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(206); text(file)(w, r) }, CausePartialContent, 206, 0,
			outage, deferred},
		{"2.10 slow", drip, CauseTimeout, 200, 0, outage, deferred},
	} {
		t.Run(c.row, func(t *testing.T) {
			site := open(t, c.robots)
			for dialect, want := range map[Dialect]string{RFC9309: c.rfc9309, Koster1996: c.koster} {
				timeout := 20 * time.Second
				if c.cause == CauseTimeout {
					timeout = 100 * time.Millisecond
				}
				crawler := mustCrawler(t, "ExampleBot", WithDialect(dialect), new(clock).option(), WithTimeout(timeout), WithMaxRedirects(5))
				o, err := crawler.Fetch(t.Context(), site.Client(), site.URL+"/open")
				if err != nil {
					t.Fatal(err)
				}
				got := wordFor(o.Check(site.URL+"/open", start)) + " " + wordFor(o.Check("/private/x", start))
				if got != want || o.Cause != c.cause || o.HTTPStatus != c.status || o.Hops != c.hops || o.Origin != site.URL {
					t.Errorf("dialect %d: %s, hops %d: %v", dialect, got, o.Hops, o)
				}
			}
		})
	}
}

// SPEC 2.2, 2.3: how many redirects each dialect follows.
func TestRedirectsOfDialects(t *testing.T) {
	for dialect, limit := range map[Dialect]int{RFC9309: 5, Google: 5, Koster1996: 20} {
		for count, cause := range map[int]Cause{limit: CauseFound, limit + 1: CauseTooManyRedirects} {
			site := open(t, hops(count, text(file)))
			o, err := mustCrawler(t, "ExampleBot", WithDialect(dialect)).Fetch(t.Context(), site.Client(), site.URL)
			if err != nil || o.Cause != cause || o.Hops != limit {
				t.Errorf("%v, %d redirects: %v, %v", dialect, count, o, err)
			}
		}
	}
}

// SPEC 2.19: a client for ftp reports the replies of the server.
func TestFTPReplies(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	begin := func(url string) *Fetch {
		fetch, err := NewFetch(url, start, crawler)
		if err != nil {
			t.Fatal(err)
		}
		return fetch
	}
	for reply, want := range map[int]OutcomeKind{
		550: KindAllowAll, 530: KindAllowAll, 421: KindUnreachable, 551: KindUnreachable, 0: KindUnreachable, -1: KindUnreachable, 1 << 20: KindUnreachable,
	} {
		fetch := begin("ftp://example.com/x")
		err := fetch.FTPReply(reply, start)
		if o, late := fetch.Outcome(); err != nil || late != nil || o.Kind != want {
			t.Errorf("%d: %v, %v, %v", reply, o, err, late)
		}
	}
	fetch := begin("ftp://example.com/x")
	if err := errors.Join(fetch.FTPReply(226, start), fetch.Body([]byte(file)), fetch.End()); err != nil {
		t.Fatal(err)
	}
	o, err := fetch.Outcome()
	if err != nil || o.Cause != CauseFound || o.Check("ftp://example.com/private/x", start).Allowed() || !o.Check("ftp://example.com/open", start).Allowed() {
		t.Error(o, err)
	}
	for _, fetch := range []*Fetch{fetch, begin("http://example.com/x")} {
		if err := fetch.FTPReply(550, start); !isError(err, ErrState) || !strings.Contains(err.Error(), "FTP reply") {
			t.Error(err)
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
		200: "rules: found, status 200", 404: "allow all: missing, status 404", 429: "unreachable: too many requests, status 429",
		301: "unreachable: redirect not followed, status 301", 0: "unreachable: unexpected status", -1: "unreachable: unexpected status",
		70_000: "unreachable: unexpected status",
	} {
		o, err := crawler.OutcomeFromStatus("https://example.com/x", status, []byte(file), start)
		if err != nil || o.String() != want {
			t.Errorf("%d: %v, %v", status, o, err)
		}
		record, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := crawler.DecodeOutcome(record); err != nil || again.String() != want || !again.RetryAt.Equal(o.RetryAt) {
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
			decoded.String() != want || decoded.Check("/private", start) != o.Check("/private", start) {
			t.Error(decoded, err)
		}
		if err := decoded.UnmarshalBinary(record[:9]); !isError(err, ErrImage) || decoded.String() != want {
			t.Error(decoded, err)
		}
		if err := mustCrawler(t, "OtherBot").NewOutcome().UnmarshalBinary(record); !isError(err, ErrImageFormat) {
			t.Error(err)
		}
		record[len(record)-1] ^= 1
		if o, err := crawler.DecodeOutcome(record); o != nil || !isError(err, ErrImage) {
			t.Error(o, err)
		}
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

// Each option sets the right option of the library.
func TestPolicy(t *testing.T) {
	kindAt := func(status int, options ...Option) OutcomeKind {
		t.Helper()
		o, err := mustCrawler(t, "ExampleBot", options...).OutcomeFromStatus("http://h", status, nil, start)
		if err != nil {
			t.Fatal(err)
		}
		return o.Kind
	}
	for want, got := range map[OutcomeKind]OutcomeKind{
		KindDisallowAll: kindAt(403, WithOnForbidden(KindDisallowAll)), KindDefer: kindAt(503, WithOnServerError(KindDefer)),
		KindAllowAll: kindAt(429, WithOnTooManyRequests(KindAllowAll)),
	} {
		if got != want {
			t.Errorf("%v, not %v", got, want)
		}
	}
	if kindAt(600, WithOnUnreachable(KindDefer)) != KindDefer || kindAt(500, WithServerErrorIsMissing()) != KindAllowAll {
		t.Error("unreachable, or a server error")
	}
	ttl := func(status int, options ...Option) time.Duration {
		t.Helper()
		o, err := mustCrawler(t, "ExampleBot", options...).OutcomeFromStatus("http://h", status, nil, start)
		if err != nil {
			t.Fatal(err)
		}
		return o.RetryAt.Sub(start)
	}
	for what, c := range map[string][2]time.Duration{
		"default": {ttl(200, WithDefaultTTL(90*time.Minute)), 90 * time.Minute},
		"max":     {ttl(200, WithMaxTTL(time.Hour)), time.Hour},
		"min":     {ttl(404, WithMissingTTL(time.Minute), WithMinTTL(2*time.Minute)), time.Minute},
		"missing": {ttl(404, WithMissingTTL(time.Hour)), time.Hour},
		"failure": {ttl(503, WithFailureTTL(29*time.Minute+1)), 29*time.Minute + time.Second},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v, not %v", what, c[0], c[1])
		}
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
