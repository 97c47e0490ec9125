package robots

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A thousand unreachable objects of each type, of 64 KiB each, are freed.
func TestNothingLeaksFromCaches(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	body := []byte("user-agent: *\ndisallow: /" + strings.Repeat("x", 64*1024) + "\nhost: h\n")
	url := "http://example.com/"
	for name, work := range map[string]func() error{
		"outcomes":     func() error { _, err := crawler.OutcomeFromStatus(url, 200, body, start); return err },
		"explanations": func() error { _, err := crawler.Explain(body, url); return err },
		"reports":      func() error { _, err := crawler.Lint(body); return err },
		"uses":         func() error { _, err := crawler.Uses(url, body); return err },
		"fetches": func() error {
			fetch, err := NewFetch(url, start, crawler)
			return errors.Join(err, fetch.Status(200, start), fetch.Headers(nil), fetch.Body(body))
		},
		"caches": func() error {
			cache, err := NewCache(1<<20, crawler)
			if err != nil {
				return err
			}
			cache.Check("http://other/", start) // a ticket that is forgotten
			outcome, _ := crawler.OutcomeFromStatus(url, 200, body, start)
			return cache.Check(url, start).Ticket.Finish(outcome, start)
		},
	} {
		before := 0
		for i := range 1500 {
			if i == 500 { // the heap has grown as far as the garbage collector lets it
				before = residentKiB(t)
			}
			if err := work(); err != nil {
				t.Fatal(err)
			}
			// The other types report their size to the garbage collector.
			if i%50 == 49 && (name == "fetches" || name == "caches") {
				runtime.GC()
			}
		}
		if grown := residentKiB(t) - before; grown > 32*1024 {
			t.Errorf("%s: %d KiB more than before", name, grown)
		}
	}
}

// A copy shares the object of its original: nothing is freed while it is in use.
func TestCopiesShareTheObject(t *testing.T) {
	const hosts = 50
	body := []byte("user-agent: *\ndisallow: /private\nhost: h\ncontent-signal: search=no\n")
	crawlers, caches, outcomes := make([]Crawler, hosts), make([]Cache, hosts), make([]Outcome, hosts)
	uses, fetches, tickets := make([]Uses, hosts), make([]Fetch, hosts), make([]Ticket, hosts)
	url := func(i int) string { return "http://host" + strconv.Itoa(i) + "/private" }
	for i := range hosts {
		crawlers[i], caches[i] = *mustCrawler(t, "ExampleBot"), *mustCache(t)
		outcome, err := crawlers[i].OutcomeFromStatus(url(i), 200, body, start)
		stated, also := crawlers[i].Uses(url(i), body)
		fetch, alike := NewFetch(url(i), start, &crawlers[i])
		if err := errors.Join(err, also, alike); err != nil {
			t.Fatal(err)
		}
		outcomes[i], uses[i], fetches[i], tickets[i] = *outcome, *stated, *fetch, *caches[i].Check(url(i), start).Ticket
	}
	for range 5 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond) // for the cleanups
	}
	for i := range hosts {
		if line := outcomes[i].Check(url(i), start).Line(); line != 2 {
			t.Errorf("an outcome: line %d", line)
		}
		if answer, err := uses[i].UseFor("/", PurposeSearch, nil); answer.Says != UseDenied || err != nil {
			t.Errorf("uses: %v, %v", answer, err)
		}
		if rules, err := crawlers[i].Parse(body); err != nil || rules.Allowed("/private") {
			t.Errorf("a crawler: %v", err)
		}
		if err := errors.Join(fetches[i].Status(404, start), fetches[i].Headers(nil)); err != nil || fetches[i].Step() != StepDone {
			t.Errorf("a fetch: %v", err)
		}
		again := tickets[i]
		if err := again.Finish(&outcomes[i], start); err != nil {
			t.Errorf("a ticket: %v", err)
		}
		tickets[i].Release() // it shares the released ticket
		if line := caches[i].Check(url(i), start).Verdict.Line(); line != 2 {
			t.Errorf("a cache: line %d", line)
		}
	}
}

// Many goroutines share a cache, and drop its objects, while the garbage collector runs.
func TestCacheUnderGC(t *testing.T) {
	defer collectAllTheTime()()
	shared := mustCache(t)
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range 100 {
				host := "http://host" + strconv.Itoa((worker+i)%20)
				if answer := shared.Check(host+"/a", start); answer.Ticket != nil {
					fetch, err := answer.Ticket.Fetch(start)
					if err != nil {
						t.Error(err)
						return
					}
					events := errors.Join(fetch.Status(200, start), fetch.Headers(nil), fetch.Body([]byte(file)), fetch.End())
					outcome, err := fetch.Outcome()
					if events != nil || err != nil || answer.Ticket.Finish(outcome, start) != nil || outcome.Rules().Allowed("/private") {
						t.Error(events, err)
					}
				} else if answer.Action == ActionDecided && !answer.Verdict.Allowed() {
					t.Error(answer)
				}
				if i%20 == 0 {
					shared.Remove(host)
				}
			}
		}()
	}
	workers.Wait()
}
