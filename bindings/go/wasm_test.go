//go:build librobots_wasm || !cgo || !(librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
)

// useEngine runs the test with an engine of its own.
func useEngine(t *testing.T, start func() (*compiled, error)) {
	t.Helper()
	before := theEngine
	theEngine = newEngine(nil)
	theEngine.start = sync.OnceValues(start)
	t.Cleanup(func() { theEngine = before })
}

// trap lets the library free an address that is none.
func trap(t *testing.T, in *instance, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	in.run("robots_fetch_free", uint32(0xFFFF_FFF0))
	if err := in.leave(); err != error(ErrPanic) {
		t.Fatal("no trap:", err)
	}
}

// After a trap, the objects in the instance allow nothing; all others continue.
func TestTrap(t *testing.T) {
	useEngine(t, theEngine.start)
	crawler, cache := mustCrawler(t, "ExampleBot"), mustCache(t)
	rules := mustParse(t, "user-agent: *\ndisallow: /a\n")
	const url = "https://example.com/b"
	fetch, err := NewFetch(url, start, crawler)
	outcome, also := crawler.OutcomeFromStatus(url, 200, nil, start)
	page, alike := crawler.PageControls(http.Header{"X-Robots-Tag": {"all"}})
	uses, too := crawler.Uses(url, []byte("content-signal: search=yes\n"))
	if err := errors.Join(err, also, alike, too); err != nil {
		t.Fatal(err)
	}
	ticket := cache.Check(url, start).Ticket
	if !outcome.Check(url, start).Allowed() || !page.MayIndex() || !rules.Allowed(url) ||
		must(uses.UseFor(url, PurposeSearch, page)).Says != UseAllowed {
		t.Fatal("before the trap")
	}
	in, err := theEngine.home.enter()
	trap(t, in, err)
	for range theEngine.workers {
		in, err := theEngine.worker()
		trap(t, in, err)
	}
	if v := outcome.Check(url, start); v.Allowed() || v.Err() != ErrPanic {
		t.Error("an outcome:", v)
	}
	if outcome.Rules().Allowed(url) {
		t.Error("rules of an outcome that is gone")
	}
	if _, err := outcome.MarshalBinary(); !errors.Is(err, ErrPanic) {
		t.Error("a record:", err)
	}
	if page.MayIndex() || page.DecidedBy(ControlIndex).Value != 0 || page.AddMeta("robots", "all") == nil {
		t.Error("page controls")
	}
	// Neither old uses nor new ones with an old page.
	for _, uses := range []*Uses{uses, must(crawler.Uses(url, []byte("content-signal: search=yes\n")))} {
		if answer, err := uses.UseFor(url, PurposeSearch, page); answer.Says != UseDenied || !errors.Is(err, ErrPanic) {
			t.Error("a use:", answer, err)
		}
	}
	if err := fetch.Status(200, start); !errors.Is(err, ErrPanic) || fetch.Step() != StepDone {
		t.Error("a fetch:", err)
	}
	if _, err := fetch.Outcome(); !errors.Is(err, ErrPanic) {
		t.Error("its outcome:", err)
	}
	if err := ticket.Finish(outcome, start); !errors.Is(err, ErrPanic) {
		t.Error("a ticket:", err)
	}
	// The rest goes on: rules and crawlers as before, the cache without its sites.
	if rules.Allowed("/a") || !rules.Allowed(url) {
		t.Error("rules")
	}
	if again, err := crawler.Parse([]byte("user-agent: examplebot\ndisallow: /b\n")); err != nil || again.Allowed(url) {
		t.Error("a crawler:", err)
	}
	answer := cache.Check(url, start)
	if answer.Verdict.Allowed() || answer.Action != ActionFetch || answer.Ticket == nil {
		t.Fatalf("a cache: %+v", answer)
	}
	if err := answer.Ticket.Finish(outcome, start); !errors.Is(err, ErrPanic) {
		t.Error("an outcome of the former instance:", err)
	}
	fresh, err := crawler.OutcomeFromStatus(url, 404, nil, start)
	if err != nil || cache.Check(url, start).Ticket.Finish(fresh, start) != nil || !cache.Check(url, start).Verdict.Allowed() {
		t.Error("after the trap:", err)
	}
}

// Without an engine, nothing is allowed.
func TestEngineThatCannotStart(t *testing.T) {
	rules, crawler, cache := mustParse(t, ""), mustCrawler(t, "ExampleBot"), mustCache(t)
	useEngine(t, func() (*compiled, error) { return compile(wasmModule[:len(wasmModule)/2]) })
	for _, err := range []error{
		func() error { _, err := NewCrawler("ExampleBot"); return err }(),
		func() error { _, err := Preset("Googlebot"); return err }(),
		func() error { _, err := crawler.Parse(nil); return err }(),
		func() error { _, err := crawler.Fetch(t.Context(), nil, "https://example.com"); return err }(),
		func() error { _, err := crawler.Lint(nil); return err }(),
		func() error { _, err := crawler.PageControls(nil); return err }(),
		func() error { _, err := OriginOf("https://example.com"); return err }(),
		new(Rules).UnmarshalBinary(rules.image), crawler.CheckOnce(nil, "/").Err(),
	} {
		if !errors.Is(err, ErrPanic) {
			t.Error(err)
		}
	}
	for _, v := range append(rules.CheckBatch([]string{"/a", "/b"}, []Verdict{1, 1}), rules.Check("/a")) {
		if v.Allowed() || v.Err() != ErrPanic {
			t.Error(v)
		}
	}
	if answer := cache.Check("https://example.com", start); answer.Verdict.Allowed() || answer.Action != ActionDefer || !answer.Until.After(start) {
		t.Errorf("%+v", answer)
	}
}

// With less and less memory, each call succeeds as a whole or allows nothing.
func TestLackOfMemory(t *testing.T) {
	const pages = 32 // of 64 KiB; an instance begins with 20
	useEngine(t, func() (*compiled, error) {
		return compileWith(wazero.NewRuntimeConfig().WithMemoryLimitPages(pages), wasmModule)
	})
	theEngine.workers = theEngine.workers[:1]
	crawler := mustCrawler(t, "ExampleBot")
	rules := mustParse(t, "user-agent: *\ndisallow: /a\n")
	body := []byte("user-agent: *\ndisallow: /a\ndisallow: /*b$\nsitemap: s\n")
	header := http.Header{"X-Robots-Tag": {"nofollow, all", "examplebot: max-snippet: 20, nonsense"}}
	const url = "https://example.com/b"
	if _, err := crawler.Parse(make([]byte, pages<<16)); !errors.Is(err, ErrMemory) {
		t.Error("a file larger than the memory:", err)
	}
	if v := rules.Check("/" + strings.Repeat("b", pages<<16)); v.Allowed() || v.Err() != ErrMemory {
		t.Error("a URL larger than the memory:", v)
	}
	if _, err := crawler.PageControls(header); err != nil { // each place has made the crawler
		t.Fatal(err)
	}
	failures := map[string]int{}
	for free := 0; free < 4096; free += 16 {
		for _, place := range []*wasmPlace{&theEngine.home, &theEngine.workers[0]} {
			fill(t, place, free)
		}
		if made, err := crawler.Parse(body); err != nil {
			failures["parse"]++
		} else if made.Allowed("/a") || !made.Allowed("/c") {
			t.Errorf("%d bytes: other rules", free)
		}
		if page, err := crawler.PageControls(header); err != nil {
			failures["page controls"]++
		} else if page.MayFollow() || !page.MayIndex() {
			t.Errorf("%d bytes: other controls", free)
		}
		if outcome, err := crawler.OutcomeFromStatus(url, 200, body, start); err != nil {
			failures["outcome"]++
		} else if v := outcome.Check(url, start); v.Allowed() {
			t.Errorf("%d bytes: %v", free, v)
		}
		if v := crawler.CheckOnce(body, "/a"); v.Allowed() {
			t.Errorf("%d bytes: %v", free, v)
		}
		if rules.Allowed("/a/b") {
			t.Errorf("%d bytes: a check", free)
		}
		empty(t)
	}
	for _, name := range []string{"parse", "page controls", "outcome"} {
		if failures[name] == 0 || failures[name] == 256 {
			t.Errorf("%s failed %d times", name, failures[name])
		}
	}
}

// filled has the blocks that fill allocated.
var filled = map[*instance][]span{}

// fill allocates all memory of an instance but so many bytes.
func fill(t *testing.T, place *wasmPlace, free int) {
	in, err := place.enter()
	if err != nil {
		t.Fatal(err)
	}
	reserve := in.call(in.alloc, uint64(free))
	for size := 1 << 20; size >= 8; size /= 2 {
		for {
			at := uint32(in.call(in.alloc, uint64(size)))
			if at == 0 {
				break
			}
			filled[in] = append(filled[in], span{at, uint32(size)})
		}
	}
	in.drop(in.free, reserve, uint64(free))
	_ = in.leave()
}

// empty frees what fill allocated.
func empty(t *testing.T) {
	for in, blocks := range filled {
		if in.ended {
			continue
		}
		in.place.lock.Lock()
		for _, block := range blocks {
			in.drop(in.free, uint64(block.at), uint64(block.size))
		}
		if err := in.leave(); err != nil {
			t.Fatal(err)
		}
	}
	clear(filled)
}

// An instance keeps copies of the rules that it used last, and finds those of others again.
func TestCopiesOfImages(t *testing.T) {
	useEngine(t, theEngine.start)
	theEngine.workers = theEngine.workers[:1]
	crawler := mustCrawler(t, "ExampleBot", WithMaxBytes(1<<24))
	var many []*Rules
	for i := range 3000 {
		rules, err := crawler.Parse(fmt.Appendf(nil, "user-agent: *\ndisallow: /%d/\nsitemap: %s\n", i, strings.Repeat("s", i)))
		if err != nil {
			t.Fatal(err)
		}
		many = append(many, rules)
	}
	large, err := crawler.Parse([]byte("user-agent: *\nsitemap: " + strings.Repeat("s", 3<<20) + "\ndisallow: /large\n"))
	if err != nil {
		t.Fatal(err)
	}
	for step := range 9000 {
		i := step * 7919 % len(many)
		if many[i].Allowed(fmt.Sprintf("/%d/", i)) || !many[i].Allowed(fmt.Sprintf("/%d/", i+1)) {
			t.Fatal("the rules of another file:", i)
		}
		if step%1000 == 0 && (large.Allowed("/large") || !large.Allowed("/1/")) {
			t.Fatal("large rules")
		}
		if size := theEngine.workers[0].instance.images.size; size > mostImages && size != len(large.image) {
			t.Fatal("the copies have", size, "bytes")
		}
	}
	// The memory for a large file is not kept.
	if _, err := crawler.Parse(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if place := &theEngine.workers[0]; place.instance != nil && place.instance.memory.Size() > heavyMemory+4*mostImages {
		t.Error("a worker keeps", place.instance.memory.Size(), "bytes")
	}
	if many[5].Allowed("/5/") || !many[5].Allowed("/6/") {
		t.Error("rules in a new instance")
	}
}

// Goroutines use several workers at once.
func TestWorkers(t *testing.T) {
	useEngine(t, theEngine.start)
	theEngine.workers = make([]wasmPlace, 3)
	for i := range theEngine.workers {
		theEngine.workers[i].engine = theEngine
	}
	rules := mustParse(t, "user-agent: *\ndisallow: /a\n")
	var group sync.WaitGroup
	busy := map[*wasmPlace]bool{}
	for range 3 {
		in, err := theEngine.worker() // each is busy
		if err != nil {
			t.Fatal(err)
		}
		busy[in.place] = true
		group.Add(1)
		go func() {
			defer group.Done()
			time.Sleep(20 * time.Millisecond)
			_ = in.leave()
		}()
	}
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			if rules.Allowed("/a") || !rules.Allowed("/b") {
				t.Error("another verdict")
			}
		}()
	}
	group.Wait()
	if len(busy) != 3 {
		t.Error("three calls at once used", len(busy), "workers")
	}
}
