package robots

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// pages returns the paths that a site was asked for, in order, and the times.
func (s *site) pages() (paths []string, times []time.Time) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for i, request := range s.log {
		if request.URL.Path != "/robots.txt" {
			paths, times = append(paths, request.URL.Path), append(times, s.times[i])
		}
	}
	return paths, times
}

// queueOf returns a queue that requests each URL, and passes its error to seen.
func queueOf(t *testing.T, seen func(error)) *Queue {
	client := &http.Client{Transport: &Transport{Cache: pacedCache(t)}}
	return NewQueue(func(ctx context.Context, url string) error {
		response, err := client.Do(must(http.NewRequestWithContext(ctx, http.MethodGet, url, nil)))
		if err == nil {
			response.Body.Close()
		}
		seen(err)
		return err
	})
}

// Thirty URLs of a slow site stand before six of a fast one. Four goroutines do not wait for the slow site, and its own pace is kept.
func TestQueueDoesNotStarve(t *testing.T) {
	const delay = 300 * time.Millisecond
	slow, fast := open(t, text(delayed(delay.Seconds()))), open(t, text(""))
	queue := queueOf(t, func(error) {})
	add := func(s *site, count int) (paths []string) {
		for i := range count {
			paths = append(paths, fmt.Sprintf("/%d", i))
			if err := queue.Add(s.URL + paths[i]); err != nil {
				t.Fatal(err)
			}
		}
		return paths
	}
	slowPaths, fastPaths := add(slow, 30), add(fast, 6)
	began := time.Now()
	if err := queue.Run(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	paths, times := fast.pages()
	if !slices.Equal(paths, fastPaths) || times[5].Sub(began) > 5*delay {
		t.Error(paths, times[len(times)-1].Sub(began))
	}
	paths, times = slow.pages()
	if !slices.Equal(paths, slowPaths) {
		t.Fatal(paths)
	}
	for i := 1; i < len(times); i++ {
		if gap := times[i].Sub(times[i-1]); gap < delay-time.Millisecond {
			t.Errorf("page %d %v after the one before", i, gap)
		}
	}
	// With DeferError.Until in whole seconds, the rate was a third of the permitted one.
	if took := times[29].Sub(times[0]); took > 29*delay*5/4 {
		t.Errorf("30 pages took %v", took)
	}
}

// A request before its slot is a DeferError that names the slot, to the millisecond. The redirect of a page waits.
func TestDeferredSlot(t *testing.T) {
	server := open(t, text(delayed(0.35)))
	var sent []time.Time
	var errs []error
	queue := queueOf(t, func(err error) { sent, errs = append(sent, time.Now()), append(errs, err) })
	if err := errors.Join(queue.Add(server.URL+"/moved?to=/b"), queue.Add(server.URL+"/c"), queue.Run(t.Context(), 2)); err != nil {
		t.Fatal(err)
	}
	if paths, _ := server.pages(); !slices.Equal(paths, []string{"/moved", "/b", "/c"}) || len(errs) != 4 {
		t.Fatal(paths, errs)
	}
	for i, isDeferred := range []bool{true, false, true, false} {
		var deferred *DeferError
		if errors.As(errs[i], &deferred) != isDeferred {
			t.Error(i, errs[i])
		} else if isDeferred {
			left := deferred.Until.Sub(sent[i])
			if deferred.Cause != CauseCrawlDelay || left < 300*time.Millisecond || left > 351*time.Millisecond {
				t.Error(i, deferred, left)
			}
		}
	}
}

// One goroutine visits the sites that are due while another site waits for its slot.
func TestQueueTakesTheSiteThatIsDueFirst(t *testing.T) {
	var seen []string
	queue := NewQueue(func(_ context.Context, url string) error {
		if seen = append(seen, url); len(seen) == 1 {
			return &DeferError{Cause: CauseCrawlDelay, Until: time.Now().Add(200 * time.Millisecond)}
		}
		return nil
	})
	if err := errors.Join(queue.Add("http://a/1"), queue.Add("http://b/1"), queue.Add("http://b/2"), queue.Run(t.Context(), 1)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"http://a/1", "http://b/1", "http://b/2", "http://a/1"}; !slices.Equal(seen, want) {
		t.Error(seen)
	}
}

// An added URL wakes the goroutines; an error ends a URL, not the queue; the end of the context ends Run.
func TestQueueEnds(t *testing.T) {
	var lock sync.Mutex
	var seen []string
	var queue *Queue
	ctx, cancel := context.WithCancel(t.Context())
	queue = NewQueue(func(_ context.Context, url string) error {
		lock.Lock()
		defer lock.Unlock()
		seen = append(seen, url)
		switch url {
		case "http://a/1":
			return errors.Join(queue.Add("http://a/2"), queue.Add("http://b/1"), errors.New("no page"))
		case "http://a/3":
			cancel()
			return &DeferError{Cause: CauseCrawlDelay, Until: time.Now().Add(time.Hour)}
		}
		return nil
	})
	if err := queue.Add("mailto:a@b"); !isError(err, ErrScheme) {
		t.Error(err)
	}
	if err := queue.Run(ctx, 0); !isError(err, ErrArgument) {
		t.Error(err)
	}
	if err := errors.Join(queue.Add("http://a/1"), queue.Run(ctx, 3)); err != nil {
		t.Error(err)
	}
	slices.Sort(seen)
	if want := []string{"http://a/1", "http://a/2", "http://b/1"}; !slices.Equal(seen, want) {
		t.Error(seen)
	}
	if err := errors.Join(queue.Add("http://a/3"), queue.Run(ctx, 3)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The end of a ticket ends the wait of another caller of Check.
func TestWait(t *testing.T) {
	cache := mustCache(t)
	ticket := cache.Check(pacedURL, start).Ticket
	if cache.Check(pacedURL, start).Action != ActionWait {
		t.Fatal("no wait")
	}
	began := time.Now()
	time.AfterFunc(200*time.Millisecond, ticket.Release)
	if err := cache.Wait(t.Context(), pacedURL); err != nil || time.Since(began) < 200*time.Millisecond || time.Since(began) > 20*time.Second {
		t.Error(err, time.Since(began))
	}
	// Without a ticket, the wait is short; the end of the context ends it, too.
	if err := cache.Wait(t.Context(), pacedURL); err != nil || time.Since(began) > 20*time.Second {
		t.Error(err)
	}
	defer cache.Check(pacedURL, start).Ticket.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := cache.Wait(ctx, pacedURL); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := cache.Wait(t.Context(), "/page"); !isError(err, ErrURL) {
		t.Error(err)
	}
}
