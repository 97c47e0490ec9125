package robots

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// start is the time at which a clock starts.
var start = time.Date(2027, time.January, 15, 8, 0, 0, 0, time.UTC)

// A clock advances only when it is moved.
type clock struct{ since atomic.Int64 }

func (c *clock) now() time.Time              { return start.Add(time.Duration(c.since.Load())) }
func (c *clock) move(by time.Duration)       { c.since.Add(int64(by)) }
func (c *clock) option() Option              { return WithClock(c.now) }
func after(duration time.Duration) time.Time { return start.Add(duration) }

// A site serves a robots.txt by a handler that tests replace, and records its requests. All its pages exist.
type site struct {
	*httptest.Server
	robots atomic.Value // http.HandlerFunc
	lock   sync.Mutex
	log    []*http.Request
	times  []time.Time // of the requests
}

func open(t testing.TB, robots http.HandlerFunc) *site {
	s := new(site)
	s.answer(robots)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.lock.Lock()
		s.log, s.times = append(s.log, r), append(s.times, time.Now())
		s.lock.Unlock()
		switch r.URL.Path {
		case "/robots.txt":
			s.robots.Load().(http.HandlerFunc)(w, r)
		case "/moved":
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		case "/busy":
			status(http.StatusTooManyRequests, "Retry-After", "30")(w, r)
		default:
			fmt.Fprint(w, "a page")
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) answer(robots http.HandlerFunc) { s.robots.Store(robots) }

func (s *site) requests() []*http.Request {
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.Clone(s.log)
}

// count returns the number of requests for a path.
func (s *site) count(path string) (count int) {
	for _, request := range s.requests() {
		if request.URL.Path == path {
			count++
		}
	}
	return count
}

const file = "user-agent: *\ndisallow: /private\ncrawl-delay: 3\n"

// text responds with 200, a body, and headers given as name, value, name, value.
func text(body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Add(headers[i], headers[i+1])
		}
		fmt.Fprint(w, body)
	}
}

// status responds with a status, a body that disallows everything, and headers.
func status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Add(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		if code != http.StatusNoContent && code != http.StatusNotModified {
			fmt.Fprint(w, "user-agent: *\ndisallow: /\n")
		}
	}
}

// raw writes text instead of a response and closes the connection, with a reset if text is empty.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		if text == "" {
			_ = connection.(*net.TCPConn).SetLinger(0)
		}
		fmt.Fprint(connection, text)
		connection.Close()
	}
}

// hops redirects count times, then calls last.
func hops(count int, last http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		hop := 0
		_, _ = fmt.Sscan(r.URL.RawQuery, &hop)
		if hop == count {
			last(w, r)
			return
		}
		http.Redirect(w, r, fmt.Sprintf("/robots.txt?%d", hop+1), http.StatusMovedPermanently)
	}
}

// drip sends a line, then waits until the client disconnects.
func drip(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, "user-agent: *\n")
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}
