package robots

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What net/http and the network report becomes a cause. tests/wire has many more responses, without their causes.
func TestCauses(t *testing.T) {
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	closed := open(t, text(file))
	closed.Close()
	noHost := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}
	})}
	half := open(t, raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"+file))
	for _, c := range []struct {
		url    string
		client *http.Client
		want   Cause
		status int
	}{
		{closed.URL, nil, CauseConnect, 0}, {"http://example.invalid/", noHost, CauseDNS, 0}, {secure.URL, nil, CauseTLS, 0},
		{strings.Replace(half.URL, "http:", "https:", 1), nil, CauseTLS, 0}, {"ftp://127.0.0.1/", nil, CauseOtherFailure, 0},
		{open(t, raw("")).URL, nil, CauseReset, 0}, {open(t, raw("\x00\r\n\r\n")).URL, nil, CauseOtherFailure, 0}, {half.URL, nil, CauseTruncated, 200},
		{open(t, drip).URL, &http.Client{Timeout: 50 * time.Millisecond}, CauseTimeout, 200},
	} {
		o, err := mustCrawler(t, "ExampleBot").Fetch(t.Context(), c.client, c.url)
		if err != nil || o.Cause != c.want || o.Kind != KindUnreachable || o.HTTPStatus != c.status {
			t.Errorf("%s: %v, %v", c.url, o, err)
		}
	}
	dial := func(err error) error { return &net.OpError{Op: "dial", Err: err} }
	for err, want := range map[error]Failure{
		&net.DNSError{}: FailureDNS, dial(syscall.ECONNREFUSED): FailureConnect, dial(os.ErrDeadlineExceeded): FailureTimeout,
		context.DeadlineExceeded: FailureTimeout, http.ErrSchemeMismatch: FailureTLS, &net.OpError{Op: "remote error"}: FailureTLS,
		fmt.Errorf("%w", io.EOF): FailureReset, syscall.ECONNRESET: FailureReset, errors.New("malformed response"): FailureOther,
	} {
		if got := FailureOf(fmt.Errorf("get: %w", err)); got != want {
			t.Errorf("%v: %v, not %v", err, got, want)
		}
	}
}

// A transport may keep its responses: a redirect leaves them as they are.
func TestTransportThatKeepsItsResponses(t *testing.T) {
	site := open(t, hops(1, text(file)))
	var kept []*http.Response
	client := &http.Client{Transport: roundTrip(func(request *http.Request) (*http.Response, error) {
		response, err := http.DefaultTransport.RoundTrip(request)
		kept = append(kept, response)
		return response, err
	})}
	o, err := mustCrawler(t, "ExampleBot", WithUserAgent("ExampleBot/1.0 (+https://example.com)")).Fetch(t.Context(), client, site.URL)
	if err != nil || o.Hops != 1 || o.FinalURL != site.URL+"/robots.txt?1" || kept[0].Header.Get("Location") != "/robots.txt?1" {
		t.Error(o, err, kept[0].Header)
	}
	if agent := site.requests()[1].UserAgent(); agent != "ExampleBot/1.0 (+https://example.com)" {
		t.Error(agent)
	}
}

// endless is a body of a MiB, which counts what is read of it.
type endless struct{ read int }

func (e *endless) Read(buffer []byte) (int, error) {
	if e.read >= 1<<20 {
		return 0, io.EOF
	}
	e.read += copy(buffer, bytes.Repeat([]byte("#"), len(buffer)))
	return len(buffer), nil
}

// No more of a body is read than counts: its server may never end it.
func TestBodiesThatNeverEnd(t *testing.T) {
	for status, most := range map[int]int{200: 512 << 10, 404: 2 << 10, 503: 2 << 10} {
		body := new(endless)
		client := &http.Client{Transport: roundTrip(func(request *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Body: io.NopCloser(body), Request: request}, nil
		})}
		o, err := mustCrawler(t, "ExampleBot").Fetch(t.Context(), client, "http://example.com/")
		if err != nil || o.HTTPStatus != status || body.read > most {
			t.Errorf("%d: %v, %v, %d bytes were read", status, o, err, body.read)
		}
	}
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
}

// The drivers of tests/drivers pass the events of many fetches, each in its order.
func TestFetchMisuse(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	fetch := must(NewFetch("http://Example.com/a?b", start, crawler, mustCrawler(t, "OtherBot")))
	if header := fmt.Sprint(fetch.Header()); header != "map[Accept-Encoding:[identity] User-Agent:[ExampleBot]]" {
		t.Error(header)
	}
	_, none := fetch.Outcome()
	for _, err := range []error{fetch.Body([]byte("x")), fetch.End(), fetch.Headers(http.Header{"Etag": {"x"}}), none} {
		if !isError(err, ErrState) || fetch.Step() != StepGet {
			t.Error(err)
		}
	}
	events := errors.Join(fetch.Status(200, start), fetch.Headers(http.Header{"Etag": {`"1"`}}), fetch.Body([]byte("user-agent: examplebot\ndisallow: /a\n")), fetch.End())
	o, err := fetch.Outcome()
	if events != nil || err != nil || o.ETag != `"1"` || o.String() != "rules: found, status 200" {
		t.Fatalf("%v, %v, %+v", events, err, o)
	}
	for index, allowed := range map[int]bool{0: false, 1: true, 2: false, -1: false} {
		if o.CheckFor(index, "/a", start).Allowed() != allowed || o.RulesFor(index).Allowed("/a") != allowed {
			t.Error("crawler", index)
		}
	}
	again := must(NewFetch("http://example.com", start, crawler))
	if err := again.SetPrevious(o); !isError(err, ErrArgument) { // other crawlers
		t.Error(err)
	}
	for url, want := range map[string]Error{"a": ErrURL, "data:x": ErrScheme} {
		if f, err := NewFetch(url, start, crawler); f != nil || !isError(err, want) {
			t.Error(url, f, err)
		}
	}
	for _, crawlers := range [][]*Crawler{nil, slices.Repeat([]*Crawler{crawler}, 17), {new(Crawler)}, {nil}, {crawler, nil}} {
		if f, err := NewFetch("http://h", start, crawlers...); f != nil || !isError(err, ErrArgument) {
			t.Error(len(crawlers), f, err)
		}
	}
	if o, err := new(Crawler).Fetch(t.Context(), nil, "http://h"); o != nil || !isError(err, ErrArgument) {
		t.Error(o, err)
	}
}

func TestOutcomeFromStatus(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	for _, status := range []int{-1, 70_000} { // no uint16
		if o, err := crawler.OutcomeFromStatus("https://example.com/x", status, []byte(file), start); err != nil || o.String() != "unreachable: unexpected status" {
			t.Errorf("%d: %v, %v", status, o, err)
		}
	}
	if o, err := crawler.OutcomeFromStatus("x", 200, nil, start); o != nil || !isError(err, ErrURL) {
		t.Error(o, err)
	}
}

// Records hold an outcome, for encoding/gob too. What is not a record changes nothing.
func TestOutcomeRecords(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	o := must(crawler.OutcomeFromStatus("https://example.com/x", 200, []byte(file), start))
	record := must(o.MarshalBinary())
	again, err := crawler.DecodeOutcome(record)
	if err != nil || again.String() != o.String() || !again.RetryAt.Equal(o.RetryAt) {
		t.Error(again, err)
	}
	decoded, zero := crawler.NewOutcome(), new(Outcome)
	for _, empty := range []*Outcome{decoded, zero} {
		if empty.Check("/open", start).Allowed() || empty.Rules().Allowed("/") {
			t.Error("an empty outcome allows")
		}
	}
	var stream bytes.Buffer
	if err := errors.Join(gob.NewEncoder(&stream).Encode(o), gob.NewDecoder(&stream).Decode(decoded)); err != nil ||
		decoded.String() != o.String() || decoded.Check("/private", start) != o.Check("/private", start) {
		t.Error(decoded, err)
	}
	if err := decoded.UnmarshalBinary(record[:9]); !isError(err, ErrImage) || decoded.String() != o.String() {
		t.Error(decoded, err)
	}
	// Without a crawler nobody knows for whom the rules are.
	if err := zero.UnmarshalBinary(record); !isError(err, ErrArgument) || !strings.Contains(err.Error(), "Crawler.NewOutcome") || zero.Origin != "" {
		t.Error(zero, err)
	}
	_, none := zero.MarshalBinary()
	_, unmade := new(Crawler).DecodeOutcome(record)
	_, foreign := mustCrawler(t, "OtherBot").DecodeOutcome(record)
	if !isError(none, ErrArgument) || !isError(unmade, ErrArgument) || !isError(foreign, ErrImageFormat) {
		t.Error(none, unmade, foreign)
	}
}

// What an option refuses. The drivers of tests/drivers set each option.
func TestPolicy(t *testing.T) {
	half := must(mustCrawler(t, "ExampleBot", WithFailureTTL(29*time.Minute+1)).OutcomeFromStatus("http://h", 503, nil, start))
	if ttl := half.RetryAt.Sub(start); ttl != 29*time.Minute+time.Second { // whole seconds, rounded up
		t.Error(ttl)
	}
	// The message names the value as it was passed, and the range.
	for want, option := range map[string]Option{
		"min TTL is 0s to 87600h0m0s (10 years), not -1ns": WithMinTTL(-1), "max redirects is 0 to 20, not 21": WithMaxRedirects(21),
		"max bytes is 512000 to 1073741824, not 3": WithMaxBytes(3), "dialect is RFC9309, Google or Koster1996, not dialect 7": WithDialect(7),
		"on server error is allow all, disallow all, defer or unreachable, not rules": WithOnServerError(KindRules),
		"timeout is at least a millisecond, not -1s":                                  WithTimeout(-time.Second),
		"timeout is at least a millisecond, not 20ns":                                 WithTimeout(20),
		"max TTL is 1s to 87600h0m0s (10 years), not 3.6µs":                           WithMaxTTL(3600),
		"timeout is at least a millisecond, not 0s":                                   WithTimeout(0),
	} {
		if c, err := NewCrawler("ExampleBot", option); c != nil || !isError(err, ErrArgument) || !strings.Contains(err.Error(), want) {
			t.Error(err, "instead of", want)
		}
	}
}
