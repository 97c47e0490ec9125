package robots

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const pacedURL = "https://example.com/page"

func delayed(seconds float64) string {
	return fmt.Sprintf("user-agent: *\ndisallow: /private\ncrawl-delay: %v\n", seconds)
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
	cache := pacedCache(t)
	for want, err := range map[string]error{
		"default delay is 0 to 24h, not -1ns":        cache.SetDefaultDelay(-1),
		"horizon is 0 to 24h, not 24h0m0.000000001s": cache.SetHorizon(24*time.Hour + 1),
	} {
		if !isError(err, ErrArgument) || !strings.Contains(err.Error(), want) {
			t.Error(err, "instead of", want)
		}
	}
	if err := cache.SetDefaultDelay(1500*time.Millisecond + 1); err != nil {
		t.Error(err)
	}
	storeSite(t, cache, pacedURL, delayed(0.2))
	storeSite(t, cache, "https://none.example", "")
	if err := cache.SetMaxDelay(0); !isError(err, ErrState) {
		t.Error(err)
	}
	if delay, given, err := cache.CrawlDelay(pacedURL); delay != 200*time.Millisecond || !given || err != nil {
		t.Error(delay, given, err)
	}
	for _, unknown := range []string{"https://none.example/", "https://other.example/"} {
		if delay, given, err := cache.CrawlDelay(unknown); delay != 0 || given || err != nil {
			t.Error(delay, given, err)
		}
	}
	if none := cache.Request("https://none.example/", time.Time{}, start); none.CrawlDelay != 1501*time.Millisecond { // rounded up
		t.Errorf("%+v", none)
	}
	// As of a clock that starts with the process, or seconds in place of a time.
	early := time.UnixMilli(start.Unix())
	if decision := cache.Request(pacedURL, time.Time{}, early); !errors.Is(decision.Verdict.Err(), ErrArgument) || decision.Verdict.Allowed() {
		t.Errorf("%+v", decision)
	}
	record := slices.Collect(cache.Records())[0]
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

func TestRecordsInAFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "cache.records")
	cache := pacedCache(t)
	const count = 1000
	for i := range count {
		storeSite(t, cache, fmt.Sprintf("https://%d.example/", i), delayed(1))
	}
	slot := cache.Request("https://3.example/", time.Time{}, start).RequestAt
	if saved, err := cache.Save(path); saved != count || err != nil {
		t.Fatal(saved, err)
	}
	again := pacedCache(t)
	if loaded, err := again.Load(path); loaded != (LoadedRecords{Imported: count}) || err != nil {
		t.Fatal(loaded, err)
	}
	if at := again.Request("https://3.example/", time.Time{}, start).RequestAt; !at.Equal(slot) {
		t.Errorf("%v instead of %v, which a process that ended had reserved", at, slot)
	}
	other, small := must(NewCache(1<<20, mustCrawler(t, "OtherBot"))), must(NewCache(65536, cache.crawlers...))
	if loaded, err := other.Load(path); loaded != (LoadedRecords{Foreign: count}) || err != nil {
		t.Error(loaded, err)
	}
	if loaded, err := small.Load(path); loaded.Imported == 0 || loaded.NoRoom == 0 || loaded.Imported+loaded.NoRoom != count || err != nil {
		t.Error(loaded, err)
	}
	data := must(os.ReadFile(path))
	flipped := bytes.Clone(data)
	flipped[40] ^= 1
	for i, c := range []struct {
		data              []byte
		imported, damaged int
	}{
		{data[:len(data)-1], count - 1, 1}, {data[:2], 0, 1}, {append(bytes.Clone(data), 0, 0), count, 1}, {flipped, count - 1, 1},
		{data[:16], 0, 0}, {nil, 0, 1}, {append(bytes.Clone(data[:20]), data[21:]...), count - 1, 1},
	} {
		damaged := filepath.Join(t.TempDir(), "damaged")
		failed := os.WriteFile(damaged, c.data, 0o600)
		loaded, err := mustCache(t).Load(damaged)
		if loaded != (LoadedRecords{Imported: c.imported, Damaged: c.damaged}) || errors.Join(failed, err) != nil {
			t.Errorf("%d: %+v %v", i, loaded, err)
		}
	}
	// What fails changes nothing.
	if _, err := cache.Load(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	script := filepath.Join(t.TempDir(), "script")
	failed := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o600)
	if loaded, err := cache.Load(script); !isError(err, ErrImageFormat) || loaded != (LoadedRecords{}) || failed != nil {
		t.Error(loaded, err, failed)
	}
	taken := filepath.Join(folder, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{filepath.Join(folder, "none", "x"), taken, "/"} {
		if count, err := cache.Save(wrong); err == nil || count != 0 {
			t.Errorf("Save(%q): %d", wrong, count)
		}
	}
	if left := must(filepath.Glob(filepath.Join(folder, "*"))); !slices.Equal(left, []string{path, taken}) || !bytes.Equal(data, must(os.ReadFile(path))) {
		t.Error(left)
	}
}

// TestPacing sends 50 requests at once to three sites. No gap that a server sees is below the delay: a request that arrives late does not
// come closer to the next one, because the delay counts from its response.
func TestPacing(t *testing.T) {
	pages := map[float64]int{1: 3, 0.2: 12, 0: 35}
	cache := must(NewCache(1<<20, mustCrawler(t, "ExampleBot")))
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
	client := &http.Client{Transport: &Transport{Cache: must(NewCache(1<<20, mustCrawler(t, "ExampleBot")))}}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	began := time.Now()
	_, err := client.Do(must(http.NewRequestWithContext(ctx, "GET", server.URL, nil)))
	if !errors.Is(err, context.Canceled) || time.Since(began) > 15*time.Second {
		t.Error(err, time.Since(began))
	}
	// The wait is logged.
	var logged strings.Builder
	brief := pacedCache(t)
	brief.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	fast := open(t, text(delayed(0.1)))
	must((&http.Client{Transport: &Transport{Cache: brief}}).Get(fast.URL + "/open")).Body.Close()
	if paced := `level=DEBUG msg="robots: request paced" url=` + fast.URL + "/open until=20"; !strings.Contains(logged.String(), paced) {
		t.Errorf("%s is not in:\n%s", paced, logged.String())
	}
	// A slot after the deadline, or the horizon, is deferred at once.
	near := pacedCache(t)
	if err := near.SetHorizon(time.Second); err != nil {
		t.Fatal(err)
	}
	for _, hasty := range []*http.Client{
		{Transport: client.Transport, Timeout: 5 * time.Second},
		{Transport: &Transport{Cache: near}},
	} {
		_, err := hasty.Get(server.URL)
		var deferred *DeferError
		if !errors.As(err, &deferred) || deferred.Reason != ReasonDefer || deferred.Cause != CauseCrawlDelay || !deferred.Until.After(time.Now()) ||
			!strings.Contains(err.Error(), "(crawl-delay)") {
			t.Error(err)
		}
	}
	if count := server.count("/"); count != 0 {
		t.Errorf("%d pages were requested", count)
	}
}

func TestForeignUserAgent(t *testing.T) {
	server := open(t, text(""))
	for _, c := range []struct {
		crawler *Crawler
		agent   string
		warned  int
	}{
		{mustCrawler(t, "ExampleBot"), "examplebot/2.0", 0}, {mustCrawler(t, "ExampleBot"), "Mozilla/5.0", 1},
		{mustCrawler(t, "ExampleBot", WithFallback("Other")), "Mozilla/5.0 (Other)", 0},
		{must(NewCrawlerWithoutToken()), "Mozilla/5.0", 0}, {must(Preset("Googlebot")), "Mozilla/5.0", 0},
	} {
		var logged strings.Builder
		cache := must(NewCache(1<<20, c.crawler))
		cache.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelWarn}))
		for range 3 {
			request := must(http.NewRequest("GET", server.URL, nil))
			request.Header.Set("User-Agent", c.agent)
			must((&http.Client{Transport: &Transport{Cache: cache}}).Do(request)).Body.Close()
		}
		if count := strings.Count(logged.String(), "does not hold the product token"); count != c.warned {
			t.Errorf("%q: %d warnings: %s", c.agent, count, logged.String())
		}
	}
}
