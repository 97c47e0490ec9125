//go:build cgo

package robots

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// A Fetch is one retrieval of a robots.txt. It does no I/O by itself: it says what it waits for ([Fetch.Step]) and is told what
// an HTTP client sees. [Fetch.Do] does all that with net/http; the single events are for other clients. It belongs to one
// goroutine at a time, and frees itself.
type Fetch struct {
	object  *owned[fetchHandle]
	crawler *Crawler // the first
}

// A Step is what a [Fetch] waits for.
type Step uint32

const (
	StepGet     Step = 0 // send a GET for URL with the headers of Header, follow no redirect, then tell Status
	StepHeaders Step = 1 // tell Headers
	StepBody    Step = 2 // tell Body with decoded pieces of any size, then End
	StepDone    Step = 3 // there is an Outcome; what is left of the response is of no use
)

// A Failure is why there is no response, or no more of it.
type Failure uint32

const (
	FailureDNS       Failure = iota + 1 // the host has no address
	FailureConnect                      // no connection
	FailureTLS                          // no secure connection
	FailureTimeout                      // it took too long
	FailureReset                        // the connection broke
	FailureTruncated                    // the body ended early or was invalid: chunks, length, compression
	FailureOther                        // anything else
)

// NewFetch begins the retrieval of the robots.txt that governs url, any URL of the site, for one crawler or up to 16, of which
// the first decides how failures are taken and how long the outcome lives (SPEC 3.7). The error is [ErrURL] or [ErrScheme]
// as for [OriginOf], [ErrArgument] for another number of crawlers.
func NewFetch(url string, now time.Time, crawlers ...*Crawler) (*Fetch, error) {
	if len(crawlers) == 0 {
		return nil, fmt.Errorf("robots: fetch for %q without a crawler: %w", url, ErrArgument)
	}
	defer runtime.KeepAlive(crawlers)
	handle, err := fetchNew(crawlers[0].object.get(), url, now)
	if err != nil {
		return nil, fmt.Errorf("robots: fetch for %q: %w", url, err)
	}
	fetch := newFetch(handle, crawlers[0])
	for _, crawler := range crawlers[1:] {
		if err := fetchAddCrawler(handle, crawler.object.get()); err != nil {
			fetch.free()
			return nil, fmt.Errorf("robots: fetch for %q and %d crawlers: %w", url, len(crawlers), err)
		}
	}
	return fetch, nil
}

func newFetch(handle fetchHandle, crawler *Crawler) *Fetch {
	return &Fetch{own(handle, fetchFree, 0), crawler}
}

// free does not wait for the garbage collector, which does not see how long the body is.
func (f *Fetch) free() { f.object.end() }

// SetPrevious passes the earlier outcome of the same site and crawlers, be it as old as it may: the file is asked for on
// condition that it changed (SPEC 3.5), and its rules go on being used while it cannot be reached (SPEC 2.11). To be called
// before the first event; later it is [ErrState]. An outcome of another site or other crawlers is [ErrArgument].
func (f *Fetch) SetPrevious(outcome *Outcome) error {
	defer runtime.KeepAlive(outcome)
	return f.told("SetPrevious", fetchSetPrevious(f.object.get(), outcome.object.get()))
}

// Step tells what the fetch waits for.
func (f *Fetch) Step() Step {
	defer runtime.KeepAlive(f)
	return fetchStep(f.object.get())
}

// URL gives the URL to get: ASCII, without user name and fragment. A redirect changes it.
func (f *Fetch) URL() string {
	defer runtime.KeepAlive(f)
	return fetchURL(f.object.get())
}

// Header gives the headers to send: the User-Agent, and conditions.
func (f *Fetch) Header() http.Header {
	defer runtime.KeepAlive(f)
	header := http.Header{"User-Agent": {f.crawler.userAgent}}
	fetchHeaders(f.object.get(), header.Add)
	return header
}

// Status tells the status of the response. As for all events: at another step than its own it is [ErrState], and changes
// nothing.
func (f *Fetch) Status(status int, now time.Time) error {
	return f.told("status", fetchStatus(f.object.get(), status, now))
}

// Headers tells all headers of the response.
func (f *Fetch) Headers(header http.Header) error {
	for name, values := range header {
		for _, value := range values {
			if err := fetchHeader(f.object.get(), name, value); err != nil {
				return f.told("header", err)
			}
		}
	}
	return f.told("headers", fetchHeadersEnd(f.object.get()))
}

// Body tells a piece of the body, decoded from any transfer or content encoding. When it has enough, which is the size limit
// (SPEC 4.5), [StepDone] follows: ask for the step before the next piece.
func (f *Fetch) Body(piece []byte) error {
	return f.told("body", fetchBody(f.object.get(), piece))
}

// End tells that the body has ended, as it should; tell Fail where it has not.
func (f *Fetch) End() error {
	return f.told("end", fetchEnd(f.object.get()))
}

// Fail tells that there is no response, or no more of it.
func (f *Fetch) Fail(failure Failure, now time.Time) error {
	return f.told("failure", fetchFail(f.object.get(), failure, now))
}

func (f *Fetch) told(what string, err error) error {
	runtime.KeepAlive(f)
	if err != nil {
		return fmt.Errorf("robots: fetch: %s: %w", what, err)
	}
	return nil
}

// Outcome gives what came of it; [ErrState] until the step is [StepDone].
func (f *Fetch) Outcome() (*Outcome, error) {
	handle, err := fetchOutcome(f.object.get())
	if err := f.told("outcome", err); err != nil {
		return nil, err
	}
	return newOutcome(handle), nil
}

// Fetch retrieves the robots.txt that governs url, see [NewFetch] and [Fetch.Do]. Who meets a site more than once wants a
// [Cache].
func (c *Crawler) Fetch(ctx context.Context, client *http.Client, url string) (*Outcome, error) {
	fetch, err := NewFetch(url, c.now(), c)
	if err != nil {
		return nil, err
	}
	defer fetch.free()
	return fetch.Do(ctx, client)
}

// Do does the retrieval with an HTTP client (nil: [http.DefaultClient]), by the crawler's clock, within its timeout. Of the
// client the transport, the cookies and the timeout count; redirects are followed as the fetch says, not by the client.
//
// A site that fails, and be it by a timeout, is no error but an outcome. The error is that of ctx when it ended first:
// nothing is known of the site then.
func (f *Fetch) Do(ctx context.Context, client *http.Client) (*Outcome, error) {
	if client == nil {
		client = http.DefaultClient
	}
	limited, cancel := context.WithTimeout(context.WithValue(ctx, fetching{}, true), f.crawler.timeout)
	defer cancel()
	for f.Step() != StepDone {
		err := f.hop(limited, client)
		var failed *failed
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return nil, fmt.Errorf("robots: fetch %s: %w", f.URL(), ctx.Err())
		case !errors.As(err, &failed):
			return nil, err
		default:
			if err := f.Fail(failed.failure, f.crawler.now()); err != nil {
				return nil, err
			}
		}
	}
	return f.Outcome()
}

// fetching marks the context of requests for a robots.txt, which a Transport lets pass.
type fetching struct{}

// failed is an error of the network, all others are the library's.
type failed struct {
	failure Failure
	error
}

// hop sends one request and tells what comes back.
func (f *Fetch) hop(ctx context.Context, client *http.Client) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL(), nil)
	if err != nil {
		return &failed{FailureOther, err}
	}
	request.Header = f.Header()
	still := &still{base: transportOf(client.Transport)}
	response, err := (&http.Client{Transport: still, Jar: client.Jar, Timeout: client.Timeout}).Do(request)
	if err != nil {
		return &failed{failureOf(err, FailureOther), err}
	}
	defer response.Body.Close()
	if len(still.location) > 0 {
		response.Header["Location"] = still.location
	}
	if err := f.Status(response.StatusCode, f.crawler.now()); err != nil {
		return err
	}
	if err := f.Headers(response.Header); err != nil {
		return err
	}
	if f.Step() == StepBody {
		return f.read(response)
	}
	// Of a short response the rest is read, so that the connection can serve the site's pages.
	_, _ = io.CopyN(io.Discard, response.Body, 2<<10)
	return nil
}

func (f *Fetch) read(response *http.Response) error {
	body, err := decoded(response)
	if err != nil {
		return &failed{failureOf(err, FailureTruncated), err}
	}
	buffer := make([]byte, 16<<10)
	for f.Step() == StepBody {
		n, err := body.Read(buffer)
		if told := f.Body(buffer[:n]); told != nil {
			return told
		}
		switch {
		case err == nil || f.Step() != StepBody:
		case err == io.EOF:
			return f.End()
		default:
			return &failed{failureOf(err, FailureTruncated), err}
		}
	}
	return nil
}

// decoded gives the body without compression. Go's own transport has undone that which it asked for.
func decoded(response *http.Response) (io.Reader, error) {
	switch encoding := strings.ToLower(response.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return response.Body, nil
	case "gzip", "x-gzip":
		return gzip.NewReader(response.Body)
	default:
		return nil, fmt.Errorf("unknown Content-Encoding %q", encoding)
	}
}

// still hides from the client where a redirect leads, so that it neither follows nor judges it.
type still struct {
	base     http.RoundTripper
	location []string
}

func (s *still) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := s.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if s.location = response.Header["Location"]; len(s.location) > 0 {
		copied := *response
		copied.Header = response.Header.Clone()
		delete(copied.Header, "Location")
		response = &copied
	}
	return response, nil
}

func transportOf(transport http.RoundTripper) http.RoundTripper {
	if transport == nil {
		return http.DefaultTransport
	}
	return transport
}

// failureOf says what an error of net/http is; usual: where it is none of those that are told apart.
func failureOf(err error, usual Failure) Failure {
	var timeout interface{ Timeout() bool }
	var operation *net.OpError
	switch {
	case isA[*net.DNSError](err):
		return FailureDNS
	case errors.As(err, &timeout) && timeout.Timeout():
		return FailureTimeout
	case isA[*tls.CertificateVerificationError](err), isA[tls.RecordHeaderError](err), errors.Is(err, http.ErrSchemeMismatch),
		errors.As(err, &operation) && strings.HasSuffix(operation.Op, " error"): // "remote error": an alert of TLS
		return FailureTLS
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return FailureReset
	case errors.As(err, &operation) && operation.Op == "dial":
		return FailureConnect
	case errors.Is(err, io.EOF) && usual == FailureOther: // the server hung up without a word
		return FailureReset
	}
	return usual
}

func isA[E error](err error) bool {
	var is E
	return errors.As(err, &is)
}
