package robots

import (
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

// A Fetch is one retrieval of a robots.txt, as a state machine without I/O. [Fetch.Step] returns which event it expects; the
// caller passes the events of an HTTP client. [Fetch.Do] does this with net/http; the single events are for other clients.
// It is not safe for concurrent use. The garbage collector frees it.
type Fetch struct {
	object  *owned[fetchHandle]
	crawler *Crawler // the first
	failure *failed  // the last failure of Do
}

// A Step is the event that a [Fetch] expects.
type Step uint32

// String returns the step in a word.
func (s Step) String() string {
	return wordOf(steps[:], uint64(s), "step")
}

var steps = [...]string{
	StepGet:     "get",
	StepHeaders: "headers",
	StepBody:    "body",
	StepDone:    "done",
}

// A Failure is why there is no response, or only a part of it.
type Failure uint32

// String returns the failure in words.
func (f Failure) String() string {
	return wordOf(failures[:], uint64(f), "failure")
}

var failures = [...]string{
	0:                  "none",
	FailureDNS:         "DNS failure",
	FailureConnect:     "connection failed",
	FailureTLS:         "TLS failure",
	FailureTimeout:     "timeout",
	FailureReset:       "connection reset",
	FailureTruncated:   "truncated",
	FailureOther:       "other failure",
	FailureEncodedBody: "unknown content coding",
}

// NewFetch returns a fetch of the robots.txt that governs url, any URL of the site, for 1 to 16 crawlers. The options of the
// first crawler define the results of failures and the lifetime of the outcome (SPEC 3.7). The error is [ErrURL] or
// [ErrScheme] as for [OriginOf], and [ErrArgument] for another number of crawlers or a nil Crawler.
func NewFetch(url string, now time.Time, crawlers ...*Crawler) (*Fetch, error) {
	if len(crawlers) == 0 {
		return nil, fmt.Errorf("robots: fetch for %q without a crawler: %w", url, ErrArgument)
	}
	if err := areCreated(crawlers, "the fetch"); err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(crawlers)
	handle, err := fetchNew(crawlers[0].object.get(), url, clockOf(now))
	if err != nil {
		return nil, fmt.Errorf("robots: fetch for %q: %w", url, ofAbsoluteURL(err))
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
	return &Fetch{object: own(handle, fetchFree, 0), crawler: crawler}
}

// free frees the fetch now: the garbage collector does not know the size of the body.
func (f *Fetch) free() { f.object.release() }

// SetPrevious passes an earlier outcome of the same site and crawlers, of any age. The request then becomes conditional
// (SPEC 3.5), and the earlier rules stay in use while the site is unreachable (SPEC 2.11). Call it before the first event;
// later it is [ErrState]. An outcome of another site or other crawlers is [ErrArgument].
func (f *Fetch) SetPrevious(outcome *Outcome) error {
	defer runtime.KeepAlive(outcome)
	return f.wrap("SetPrevious", fetchSetPrevious(f.object.get(), outcome.object.get()))
}

// Step returns the event that the fetch expects.
func (f *Fetch) Step() Step {
	defer runtime.KeepAlive(f)
	return fetchStep(f.object.get())
}

// URL returns the URL to get: ASCII, without user name and fragment. A redirect changes it.
func (f *Fetch) URL() string {
	defer runtime.KeepAlive(f)
	return fetchURL(f.object.get())
}

// Header returns the headers to send: the User-Agent, conditions, and an Accept-Encoding that keeps net/http from decoding the body.
func (f *Fetch) Header() http.Header {
	defer runtime.KeepAlive(f)
	header := http.Header{"User-Agent": {f.crawler.userAgent}, "Accept-Encoding": {"identity"}}
	// Without the conditions, the response is a whole file.
	_ = each(f.object.get(), fetchRequestHeader, func(c *headerParts) { header.Add(c.Name, c.Value) })
	return header
}

// Status passes the status of the response. At any other step, this and every event returns [ErrState] and changes nothing.
func (f *Fetch) Status(status int, now time.Time) error {
	return f.wrap("status", fetchStatus(f.object.get(), httpStatus(status), clockOf(now)))
}

// FTPReply passes the final reply of an FTP server, instead of a status: 200 to 299 is a file, whose body follows; 550 counts as
// status 404, 530 as 401, any other as an outage (SPEC 2.19). For a URL of another scheme it is [ErrState].
func (f *Fetch) FTPReply(reply int, now time.Time) error {
	return f.wrap("FTP reply", fetchFTPReply(f.object.get(), httpStatus(reply), clockOf(now)))
}

// Headers passes all headers of the response.
func (f *Fetch) Headers(header http.Header) error {
	for name, values := range header {
		for _, value := range values {
			if err := fetchHeader(f.object.get(), name, value); err != nil {
				return f.wrap("header", err)
			}
		}
	}
	return f.wrap("headers", fetchHeadersEnd(f.object.get()))
}

// Body passes a piece of the body as the server sent it: without the transfer coding, with the content coding that the headers name.
// Call Step before the next piece: after the size limit (SPEC 4.5) it returns [StepDone].
func (f *Fetch) Body(piece []byte) error {
	return f.wrap("body", fetchBody(f.object.get(), piece))
}

// End passes the regular end of a transfer, at any step; after an irregular one, call Fail. One of them ends each transfer, also that
// of a redirect.
func (f *Fetch) End() error {
	return f.wrap("end", fetchEnd(f.object.get(), 0, 0))
}

// Fail passes that there is no response, or that the rest of it is missing.
func (f *Fetch) Fail(failure Failure, now time.Time) error {
	return f.wrap("failure", fetchEnd(f.object.get(), failure, clockOf(now)))
}

func (f *Fetch) wrap(what string, err error) error {
	runtime.KeepAlive(f)
	if err != nil {
		return fmt.Errorf("robots: fetch: %s: %w", what, err)
	}
	return nil
}

// Outcome returns the result; [ErrState] before [StepDone].
func (f *Fetch) Outcome() (*Outcome, error) {
	outcome, err := newOutcome(fetchOutcome(f.object.get()))
	return outcome, f.wrap("outcome", err)
}

// Fetch fetches the robots.txt that governs url; see [NewFetch] and [Fetch.Do]. A [Cache] keeps the outcome for later URLs.
func (c *Crawler) Fetch(ctx context.Context, client *http.Client, url string) (*Outcome, error) {
	fetch, err := NewFetch(url, c.now(), c)
	if err != nil {
		return nil, err
	}
	defer fetch.free()
	return fetch.Do(ctx, client)
}

// Do fetches with an HTTP client (nil: [http.DefaultClient]), with the clock and the timeout of the first crawler. It uses
// the client's transport, cookie jar and timeout; the fetch follows redirects itself.
//
// A failure of the site, also a timeout, is no error but an outcome. If ctx ends first, the error is that of ctx: nothing is
// known of the site then.
func (f *Fetch) Do(ctx context.Context, client *http.Client) (*Outcome, error) {
	if client == nil {
		client = http.DefaultClient
	}
	limited, cancel := context.WithTimeout(context.WithValue(ctx, fetching{}, true), f.crawler.timeout)
	defer cancel()
	for f.Step() != StepDone {
		err := f.hop(limited, client)
		f.failure = nil
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return nil, fmt.Errorf("robots: fetch %s: %w", f.URL(), ctx.Err())
		case !errors.As(err, &f.failure):
			return nil, err
		default:
			if err := f.Fail(f.failure.failure, f.crawler.now()); err != nil {
				return nil, err
			}
		}
	}
	return f.Outcome()
}

// fetching marks the context of requests for a robots.txt, which a Transport does not check.
type fetching struct{}

// failed is an error of the network. All other errors are the library's.
type failed struct {
	failure Failure
	error
}

func (f *failed) Unwrap() error { return f.error }

// hop sends one request and passes the response to the fetch.
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
	// The rest of a short response is read, so that the connection can be reused for the site's pages.
	_, _ = io.CopyN(io.Discard, response.Body, 2<<10)
	return f.End()
}

func (f *Fetch) read(response *http.Response) error {
	buffer := make([]byte, 16<<10)
	for f.Step() == StepBody {
		n, err := response.Body.Read(buffer)
		if err := f.Body(buffer[:n]); err != nil {
			return err
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

// still hides the Location of a redirect from the client, so that the client neither follows nor rejects it.
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

// failureOf classifies an error of net/http; usual is the class of an unknown error.
func failureOf(err error, usual Failure) Failure {
	var timeout interface{ Timeout() bool }
	var operation *net.OpError
	switch {
	case isA[*net.DNSError](err):
		return FailureDNS
	case errors.As(err, &timeout) && timeout.Timeout():
		return FailureTimeout
	case isA[*tls.CertificateVerificationError](err), isA[tls.RecordHeaderError](err), errors.Is(err, http.ErrSchemeMismatch),
		errors.As(err, &operation) && strings.HasSuffix(operation.Op, " error"): // "remote error": a TLS alert
		return FailureTLS
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return FailureReset
	case errors.As(err, &operation) && operation.Op == "dial":
		return FailureConnect
	case errors.Is(err, io.EOF) && usual == FailureOther: // the server closed the connection without a response
		return FailureReset
	}
	return usual
}

func isA[E error](err error) bool {
	var is E
	return errors.As(err, &is)
}
