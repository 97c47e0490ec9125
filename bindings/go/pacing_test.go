package robots

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const pacedURL = "https://example.com/page"

func delayed(seconds float64) string {
	return fmt.Sprintf("user-agent: *\ndisallow: /private\ncrawl-delay: %v\n", seconds)
}

// pacedCache returns a cache whose site has a robots.txt since start.
func pacedCache(t testing.TB, file string, options ...Option) *Cache {
	t.Helper()
	crawler := must(NewCrawler("ExampleBot", options...))
	cache := must(NewCache(1<<20, crawler))
	storeSite(t, cache, pacedURL, file)
	return cache
}

func storeSite(t testing.TB, cache *Cache, url, file string) {
	t.Helper()
	ticket := cache.Check(url, start).Ticket
	if ticket == nil {
		t.Fatalf("no ticket for %s", url)
	}
	outcome := must(cache.crawlers[0].OutcomeFromStatus(url, 200, []byte(file), start))
	if err := ticket.Finish(outcome, start); err != nil {
		t.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestCrawlDelay(t *testing.T) {
	cache := pacedCache(t, delayed(0.2))
	if delay, given, err := cache.CrawlDelay(pacedURL); delay != 200*time.Millisecond || !given || err != nil {
		t.Error(delay, given, err)
	}
	if delay, given, err := cache.CrawlDelay("https://other.example/"); delay != 0 || given || err != nil {
		t.Error(delay, given, err)
	}
	if _, _, err := cache.CrawlDelay("/page"); !errors.Is(err, ErrURL) {
		t.Error(err)
	}
	if none := pacedCache(t, "", WithDefaultDelay(1500*time.Millisecond+1)).Request(pacedURL, time.Time{}, start); none.CrawlDelay != 1501*time.Millisecond {
		t.Errorf("%+v", none)
	}
	for _, wrong := range []time.Duration{-1, 24*time.Hour + 1, 1 << 62} {
		for _, option := range []func(time.Duration) Option{WithDefaultDelay, WithMaxDelay, WithHorizon} {
			if _, err := NewCrawler("ExampleBot", option(wrong)); !errors.Is(err, ErrArgument) {
				t.Errorf("%v: %v", wrong, err)
			}
		}
	}
	// As of a clock that starts with the process, or seconds in place of a time.
	early := time.UnixMilli(start.Unix())
	if decision := cache.Request(pacedURL, time.Time{}, early); !errors.Is(decision.Verdict.Err(), ErrArgument) || decision.Verdict.Allowed() {
		t.Errorf("%+v", decision)
	}
	for _, record := range slices.Collect(cache.Records()) {
		for _, damaged := range [][]byte{nil, record[:50], append([]byte("x"), record[1:]...)} {
			if verdict := CheckRecord(damaged, 0, pacedURL, start); verdict.Allowed() || !errors.Is(verdict.Err(), ErrImage) {
				t.Error(verdict)
			}
		}
		for name, work := range map[string]func(){
			"CrawlDelay": func() { _, _, _ = cache.CrawlDelay(pacedURL) }, "CheckRecord": func() { CheckRecord(record, 0, pacedURL, start) },
		} {
			if allocations := testing.AllocsPerRun(100, work); allocations > 0 {
				t.Errorf("%s allocates %v times", name, allocations)
			}
		}
	}
}

func TestRecordsInAFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "cache.records")
	crawler := must(NewCrawler("ExampleBot"))
	cache := must(NewCache(1<<20, crawler))
	for i := range 20 {
		storeSite(t, cache, fmt.Sprintf("https://%d.example/", i), delayed(1))
	}
	slot := cache.Request("https://3.example/", time.Time{}, start).RequestAt
	if count, err := cache.Save(path); count != 20 || err != nil {
		t.Fatal(count, err)
	}
	names := func() (names []string) {
		for _, entry := range must(os.ReadDir(folder)) {
			names = append(names, entry.Name())
		}
		return names
	}
	if got := names(); !slices.Equal(got, []string{"cache.records"}) {
		t.Error(got)
	}
	again := must(NewCache(1<<20, crawler))
	if loaded, err := again.LoadFile(path); loaded != (LoadedRecords{Imported: 20}) || err != nil {
		t.Fatal(loaded, err)
	}
	if at := again.Request("https://3.example/", time.Time{}, start).RequestAt; !at.Equal(slot.Add(time.Second)) {
		t.Errorf("the slot after %v is %v", slot, at)
	}
	data := must(os.ReadFile(path))
	other := must(NewCache(1<<20, must(NewCrawler("OtherBot"))))
	if loaded, err := other.LoadFile(path); loaded != (LoadedRecords{Foreign: 20}) || err != nil {
		t.Error(loaded, err)
	}
	flipped := bytes.Clone(data)
	flipped[40] ^= 1
	for i, c := range []struct {
		data              []byte
		imported, damaged int
	}{
		{data[:len(data)-1], 19, 1}, {data[:2], 0, 1}, {append(bytes.Clone(data), 0, 0), 20, 1}, {flipped, 19, 1},
		{[]byte("#!/bin/sh\n"), 0, 1}, {nil, 0, 0}, {bytes.Repeat([]byte{255}, 100), 0, 1},
	} {
		damaged := filepath.Join(t.TempDir(), "damaged")
		if err := os.WriteFile(damaged, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, err := must(NewCache(1<<20, crawler)).LoadFile(damaged)
		if loaded != (LoadedRecords{Imported: c.imported, Damaged: c.damaged}) || err != nil {
			t.Errorf("%d: %+v %v", i, loaded, err)
		}
	}
	// What fails changes nothing.
	if _, err := cache.LoadFile(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "taken", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{filepath.Join(folder, "none", "x"), filepath.Join(folder, "taken"), "/"} {
		if count, err := cache.Save(wrong); err == nil || count != 0 {
			t.Errorf("Save(%q): %d", wrong, count)
		}
	}
	if got := names(); !slices.Equal(got, []string{"cache.records", "taken"}) || !bytes.Equal(data, must(os.ReadFile(path))) {
		t.Error(got)
	}
	small := must(NewCache(65536, crawler))
	for i := range 300 {
		storeSite(t, cache, fmt.Sprintf("https://site-%d.example/", i), delayed(1))
	}
	if _, err := cache.Save(path); err != nil {
		t.Fatal(err)
	}
	if loaded, err := small.LoadFile(path); loaded.Imported == 0 || loaded.NoRoom == 0 || loaded.Imported+loaded.NoRoom != 320 || err != nil {
		t.Error(loaded, err)
	}
}

// TestPacing sends 50 requests at once to three sites. No gap that a server sees is below the delay: a request that arrives late does not
// come closer to the next one, because the delay counts from its response.
func TestPacing(t *testing.T) {
	pages := map[float64]int{1: 3, 0.2: 12, 0: 35}
	cache := must(NewCache(1<<20, must(NewCrawler("ExampleBot"))))
	client := &http.Client{Transport: &Transport{Cache: cache}}
	sites := map[float64]*site{}
	begin, tasks := make(chan struct{}), sync.WaitGroup{}
	for seconds, count := range pages {
		server := open(t, text(delayed(seconds)))
		sites[seconds] = server
		for i := range count {
			tasks.Add(1)
			go func() {
				defer tasks.Done()
				<-begin
				request := must(http.NewRequest("GET", fmt.Sprintf("%s/%d", server.URL, i), nil))
				request.Header.Set("User-Agent", "ExampleBot/1.0")
				response, err := client.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				response.Body.Close()
			}()
		}
	}
	close(begin)
	tasks.Wait()
	for seconds, count := range pages {
		times, delay := sites[seconds].times, time.Duration(seconds*float64(time.Second))
		if len(times) != count+1 {
			t.Fatalf("%v: %d requests", delay, len(times))
		}
		for i := 1; i <= count; i++ {
			// The clock of the cache has milliseconds.
			if gap := times[i].Sub(times[i-1]); gap < delay-time.Millisecond {
				t.Errorf("%v: page %d %v after the request before", delay, i, gap)
			}
		}
		// One after another, the sites would take as long.
		if took := times[count].Sub(times[0]); took > 5400*time.Millisecond {
			t.Errorf("%v: %v", delay, took)
		}
	}
	if !sites[0].times[35].Before(sites[1].times[2]) {
		t.Error("a site waited for another one")
	}
}

func TestSlotAndContext(t *testing.T) {
	server := open(t, text(delayed(20)))
	client := &http.Client{Transport: &Transport{Cache: must(NewCache(1<<20, must(NewCrawler("ExampleBot"))))}}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	began := time.Now()
	_, err := client.Do(must(http.NewRequestWithContext(ctx, "GET", server.URL, nil)))
	if !errors.Is(err, context.Canceled) || time.Since(began) > 15*time.Second {
		t.Error(err, time.Since(began))
	}
	// A slot after the deadline, or the horizon, is deferred at once.
	near := must(NewCache(1<<20, must(NewCrawler("ExampleBot", WithHorizon(time.Second)))))
	for _, hasty := range []*http.Client{
		{Transport: client.Transport, Timeout: 5 * time.Second},
		{Transport: &Transport{Cache: near}},
	} {
		_, err := hasty.Get(server.URL)
		var deferred *DeferError
		if !errors.As(err, &deferred) || deferred.Reason != ReasonDefer || deferred.Cause != 0 || !deferred.Until.After(time.Now()) {
			t.Error(err)
		}
	}
	if count := server.count("/"); count != 0 {
		t.Errorf("%d pages were requested", count)
	}
}

func TestBusyPage(t *testing.T) {
	server := open(t, text("", "Retry-After", "30"))
	cache := must(NewCache(1<<20, must(NewCrawler("ExampleBot"))))
	for _, controls := range []bool{false, true} {
		response, err := (&http.Client{Transport: &Transport{Cache: cache, PageControls: controls}, Timeout: time.Minute}).Get(server.URL + "/busy")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if left := time.Until(cache.Request(server.URL, time.Time{}, time.Now()).RequestAt); left < 20*time.Second {
			t.Errorf("the next slot is in %v", left)
		}
		cache.Clear()
		cache = must(NewCache(1<<20, must(NewCrawler("ExampleBot"))))
	}
}

func TestForeignUserAgent(t *testing.T) {
	server := open(t, text(""))
	for _, c := range []struct {
		crawler *Crawler
		agent   string
		warned  int
	}{
		{must(NewCrawler("ExampleBot")), "examplebot/2.0", 0},
		{must(NewCrawler("ExampleBot")), "", 1},
		{must(NewCrawler("ExampleBot", WithFallback("Other"))), "Mozilla/5.0 (Other)", 0},
		{must(NewCrawlerWithoutToken(WithUserAgent("x"))), "Mozilla/5.0", 0},
		{must(Preset("Googlebot")), "Mozilla/5.0", 0},
	} {
		var logged strings.Builder
		cache := must(NewCache(1<<20, c.crawler))
		cache.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelWarn}))
		for range 3 {
			request := must(http.NewRequest("GET", server.URL, nil))
			if c.agent != "" {
				request.Header.Set("User-Agent", c.agent)
			}
			response, err := (&http.Client{Transport: &Transport{Cache: cache}}).Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
		if count := strings.Count(logged.String(), "does not hold the product token"); count != c.warned {
			t.Errorf("%q: %d warnings: %s", c.agent, count, logged.String())
		}
	}
}

func TestFailureOf(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Err: err} }
	want := map[error]Failure{
		&net.DNSError{}:                  FailureDNS,
		dial(syscall.ECONNREFUSED):       FailureConnect,
		dial(os.ErrDeadlineExceeded):     FailureTimeout,
		context.DeadlineExceeded:         FailureTimeout,
		http.ErrSchemeMismatch:           FailureTLS,
		&net.OpError{Op: "remote error"}: FailureTLS,
		fmt.Errorf("%w", io.EOF):         FailureReset,
		syscall.ECONNRESET:               FailureReset,
		errors.New("malformed response"): FailureOther,
	}
	for err := range maps.Keys(want) {
		if got := FailureOf(fmt.Errorf("get: %w", err)); got != want[err] {
			t.Errorf("%v: %v, not %v", err, got, want[err])
		}
	}
}
