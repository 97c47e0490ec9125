package robots

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func mustCrawler(t testing.TB, token string, options ...Option) *Crawler {
	t.Helper()
	crawler, err := NewCrawler(token, options...)
	if err != nil {
		t.Fatal(err)
	}
	return crawler
}

func mustParse(t testing.TB, body string, options ...Option) *Rules {
	t.Helper()
	rules, err := mustCrawler(t, "ExampleBot", options...).Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func isError(err error, want Error) bool {
	text, _, _ := strings.Cut(want.Error(), ";") // what follows is not said of each URL
	return errors.Is(err, want) && strings.Contains(err.Error(), text)
}

// The texts name what Go has: no pointers, no names of C. An outage does not read as a ban by the site.
func TestTexts(t *testing.T) {
	for status := ErrArgument; status <= ErrState; status++ {
		text := status.Error()
		for _, word := range []string{"null", "pointer", "max_bytes", "robots_", "the function"} {
			if text == "" || strings.Contains(text, word) {
				t.Errorf("%d: %s", status, text)
			}
		}
	}
	_, err := OriginOf("example.com")
	rules := mustParse(t, "user-agent: *\ndisallow: /a\nallow: /a/b\n")
	for got, want := range map[string]string{
		err.Error():                `robots: origin of "example.com": invalid URL: pass an absolute URL such as https://example.com/page`,
		rules.Check("/a").String(): "disallowed by line 2", rules.Check("/a/b").String(): "allowed by line 3",
		rules.Check("/c").String(): "allowed: no rule matches", rules.Check("/robots.txt").String(): "allowed: the robots.txt itself",
		rules.Check("c").String():                        "not allowed: " + ErrURL.Error(),
		verdictOf(false, ReasonUnreachable).String():     "not allowed now: the robots.txt is unreachable",
		verdictOf(false, ReasonDefer).String():           "not allowed now: no page of the site may be fetched now",
		verdictOf(false, ReasonDisallowAll).String():     "disallowed: the whole site is disallowed",
		ReasonUnreachable.String() + Reason(99).String(): "the robots.txt is unreachable" + "reason 99",
		RFC9309.String() + Dialect(9).String():           "rfc9309" + "dialect 9",
		ActionDecided.String() + Action(9).String():      "decided" + "action 9",
		StepGet.String() + Step(9).String():              "get" + "step 9",
		FailureDNS.String() + Failure(99).String():       "DNS failure" + "failure 99",
		KindUnreachable.String():                         "unreachable", CauseNonGlobalRedirect.String(): "redirect to a non-global address",
		ControlImageIndex.String() + Control(99).String(): "image_index" + "control 99",
		SourceRobotsTag.String() + ZoneMissing.String():   "robots-tag" + "missing",
		ExtensionHost.String() + PurposeAiSearch.String(): "host" + "ai_search", Use(9).String(): "use 9", UseSourceTdmFile.String(): "tdm_file",
		Code(7).String() + Code(9999).Title(): "R007", SeverityError.String() + LineAllow.String(): "error" + "allow",
		MatchShorter.String(): "a longer rule decides",
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

func TestCrawlerErrors(t *testing.T) {
	for _, c := range []struct {
		token   string
		options []Option
		want    Error
	}{
		{"", nil, ErrToken}, {"*", nil, ErrToken}, {"Mozilla/5.0 (compatible; ExampleBot/1.0)", nil, ErrToken}, {"(ExampleBot)", nil, ErrToken},
		{"ExampleBot", []Option{WithFallback("Good", "not good")}, ErrToken},
		// SPEC 7.6: the dialect says what a token is, also of the first.
		{"MJ12bot", []Option{WithDialect(Google)}, ErrToken},
		{"Good", []Option{WithFallback("MJ12bot"), WithDialect(Google)}, ErrToken},
		{"ExampleBot", []Option{WithUserAgent("ExampleBot/1.0\n")}, ErrArgument},
		{"ExampleBot", []Option{WithUserAgent("ExampleBot/1.0\x7f")}, ErrArgument},
		{"ExampleBot", []Option{WithFallback(make([]string, 1)...)}, ErrToken},
		{"ExampleBot", []Option{WithFallback(strings.Fields(strings.Repeat("a ", 64))...)}, ErrArgument},
	} {
		crawler, err := NewCrawler(c.token, c.options...)
		if crawler != nil || !isError(err, c.want) || c.token == "*" && !strings.Contains(err.Error(), "NewCrawlerWithoutToken") {
			t.Errorf("%q: %v, %v", c.token, crawler, err)
		}
	}
	_, none := new(Crawler).Parse([]byte("user-agent: *"))
	unknown, nobody := Preset("Nobody")
	if !isError(none, ErrArgument) || unknown != nil || !errors.Is(nobody, ErrToken) ||
		nobody.Error() != "robots: no preset has the name \"Nobody\": `robots crawlers` lists them; or create the crawler with its product token" {
		t.Error(none, unknown, nobody)
	}
	if v := new(Crawler).CheckOnce(nil, "/"); v.Allowed() || v.Err() != ErrArgument {
		t.Error(v)
	}
}

// A text names itself (SPEC 7.9).
func TestNamesIn(t *testing.T) {
	for _, text := range []string{"Yahoo! Slurp", "*DotBot*", "Mozilla/5.0 (compatible; ExampleBot/1.0)"} {
		crawler, err := NewCrawlerWithoutToken(WithNamesIn(text))
		if err != nil {
			t.Fatal(err)
		}
		if crawler.CheckOnce([]byte("User-agent: "+text+"\nDisallow: /\n"), "/").Allowed() {
			t.Errorf("%q is allowed", text)
		}
	}
	var options []Option
	for i := range 65 {
		options = append(options, WithNamesIn(fmt.Sprintf("bot%d/1.0", i)))
	}
	if _, err := NewCrawlerWithoutToken(options...); !isError(err, ErrArgument) {
		t.Error(err)
	}
}

// The error for a User-Agent header names the token in it.
func TestTokenFromUserAgent(t *testing.T) {
	for header, want := range map[string]string{
		"ExampleBot": "ExampleBot", "ExampleBot/1.0 (+https://example.com/bot)": "ExampleBot",
		"Mozilla/5.0 (compatible; ExampleBot/1.0)": "ExampleBot", "curl/8.0 ExampleBot": "curl",
	} {
		if token, err := TokenFromUserAgent(header); token != want || err != nil {
			t.Errorf("%q: %q, %v", header, token, err)
		}
		_, err := NewCrawler(header)
		if pass := fmt.Sprintf("pass its product token %q: ", want); header != want && (!isError(err, ErrToken) || !strings.Contains(err.Error(), pass)) {
			t.Errorf("%q: %v", header, err)
		}
	}
	for _, header := range []string{"", "Mozilla/5.0", "(ExampleBot)", "\xff"} {
		if token, err := TokenFromUserAgent(header); token != "" || !isError(err, ErrToken) || !strings.Contains(err.Error(), strconv.Quote(header)) {
			t.Errorf("%q: %q, %v", header, token, err)
		}
		if _, err := NewCrawler(header); !isError(err, ErrToken) || strings.Contains(err.Error(), "pass its product token") {
			t.Errorf("%q: %v", header, err)
		}
	}
}

func verdictOf(allowed bool, reason Reason) Verdict {
	v := Verdict(reason) << 8
	if allowed {
		v |= 1
	}
	return v
}

// TestMisuseNeverAllows passes texts that are no URL, and addresses in place of a body.
func TestMisuseNeverAllows(t *testing.T) {
	for _, dialect := range []Dialect{RFC9309, Google, Koster1996} {
		rules := mustParse(t, "user-agent: *\nallow: /\n", WithDialect(dialect))
		for _, bad := range []string{"", "cart", "mailto:a@b", "example.com", "http:/x", "http://", "*", " /x", "\\x", "?x"} {
			if v := rules.Check(bad); v.Allowed() || v.Err() != ErrURL {
				t.Errorf("dialect %v, %q: %v", dialect, bad, v)
			}
		}
		for _, body := range []string{"https://example.com/robots.txt", "robots.txt", "/etc/robots.txt\n"} {
			for _, url := range []string{"/x", "https://example.com/", "/a/../b"} {
				if v := mustParse(t, body, WithDialect(dialect)).Check(url); v.Allowed() || v.Err() != ErrArgument {
					t.Errorf("dialect %v, body %q, %s: %v", dialect, body, url, v)
				}
			}
		}
	}
}

// FuzzCheck compares the ways to ask about a URL.
func FuzzCheck(f *testing.F) {
	f.Add(uint8(0), "user-agent: *\ndisallow: /a\n", "ExampleBot", "https://example.com/a")
	f.Add(uint8(1), "user-agent: b\nallow: /*x$\ndisallow: /\n", "b", "/%61x")
	f.Add(uint8(2), "user-agent: *\n\ncrawl-delay: 1\n", "a b", "robots.txt")
	f.Add(uint8(10), "", "ExampleBot", "/robots.txt")
	f.Add(uint8(0), "", "ExampleBot", "http://@")
	f.Fuzz(func(t *testing.T, kind uint8, body, token, url string) {
		switches := []Option{WithIgnoreStar(), WithMergeTokens(), WithCrawlDelayEndsAgents(), WithFallback()}
		crawler, err := NewCrawler(token, WithDialect(Dialect(kind%3)), switches[kind/3%4])
		if err != nil {
			return
		}
		rules := must(crawler.Parse([]byte(body)))
		var again Rules
		if err := again.UnmarshalBinary(must(rules.MarshalBinary())); err != nil {
			t.Fatal(err)
		}
		want := check(rules, url)
		for name, got := range map[string]Verdict{
			"Check": rules.Check(url), "CheckOnce": crawler.CheckOnce([]byte(body), url), "CheckBatch": rules.CheckBatch([]string{"/", url}, nil)[1],
			"an image": again.Check(url),
		} {
			if got != want {
				t.Fatalf("%s: %v, not %v", name, got, want)
			}
		}
	})
}

func TestRulesNeverParsed(t *testing.T) {
	var rules Rules
	if v := rules.Check("/"); v.Allowed() || v.Err() != ErrImage || !strings.Contains(v.String(), "not allowed: damaged") {
		t.Error(v)
	}
	if out := rules.CheckBatch([]string{"/", "/a"}, nil); out[0].Allowed() || out[1].Allowed() {
		t.Error(out)
	}
	if _, given := rules.CrawlDelay(); given || rules.Sitemaps() != nil {
		t.Error("rules never parsed say something")
	}
	if image, err := rules.MarshalBinary(); len(image) != 0 || !isError(err, ErrImage) {
		t.Error(image, err)
	}
}

func TestEffectiveRules(t *testing.T) {
	rules := mustParse(t, "user-agent: *\ndisallow: /b%7e$\ndisallow:\nallow: /ä*x\ndisallow: b\ndisallow: /b~$\n")
	list, err := rules.EffectiveRules()
	want := []EffectiveRule{{"/b~$", 2, false}, {"/%C3%A4*x", 4, true}}
	if err != nil || !slices.Equal(list, want) || fmt.Sprint(list) != "[Disallow: /b~$ Allow: /%C3%A4*x]" {
		t.Error(list, err)
	}
	if list, err := DisallowAll().EffectiveRules(); err != nil || !slices.Equal(list, []EffectiveRule{{"/", 0, false}}) {
		t.Error(list, err)
	}
	if list, err := AllowAll().EffectiveRules(); err != nil || list != nil {
		t.Error(list, err)
	}
	if list, err := new(Rules).EffectiveRules(); !isError(err, ErrImage) || list != nil {
		t.Error(list, err)
	}
}

func TestDifference(t *testing.T) {
	rules, other := mustParse(t, "user-agent: *\ndisallow: /*.php\n"), mustParse(t, "user-agent: *\ndisallow: /*.php\nallow: /shop/\n")
	found := must(rules.Difference(other))
	want := DifferentPath{"/shop/.php", [2]Verdict{rules.Check("/shop/.php"), other.Check("/shop/.php")}}
	if found.Result != DifferenceFound || !slices.Equal(found.Paths, []DifferentPath{want}) || !want.Verdicts[1].Allowed() {
		t.Errorf("%+v", found)
	}
	if none := must(rules.Difference(rules)); none.Result.String() != "none" || none.Paths != nil {
		t.Errorf("%+v", none)
	}
	for _, empty := range [][2]*Rules{{rules, new(Rules)}, {new(Rules), rules}} {
		if found, err := empty[0].Difference(empty[1]); found != nil || !isError(err, ErrImage) {
			t.Error(found, err)
		}
	}
}

// The image is a copy in both directions; a refused one changes nothing.
func TestImages(t *testing.T) {
	rules := mustParse(t, "sitemap: a\nsitemap: b\nuser-agent: *\ncrawl-delay: 1.5\ndisallow: /*x\nallow: /abc\n")
	image := must(rules.MarshalBinary())
	var again, decoded Rules
	if err := again.UnmarshalBinary(image); err != nil {
		t.Fatal(err)
	}
	clear(image)
	for i := range rules.image {
		damaged := bytes.Clone(rules.image)
		damaged[i] ^= 0x10
		if err := again.UnmarshalBinary(damaged); !isError(err, ErrImage) && !isError(err, ErrImageFormat) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	for _, short := range [][]byte{nil, rules.image[:5], rules.image[:len(rules.image)-1]} {
		if err := again.UnmarshalBinary(short); !isError(err, ErrImage) {
			t.Errorf("%d bytes: %v", len(short), err)
		}
	}
	var buffer bytes.Buffer
	if err := errors.Join(gob.NewEncoder(&buffer).Encode(rules), gob.NewDecoder(&buffer).Decode(&decoded)); err != nil {
		t.Error("encoding/gob:", err)
	}
	for _, copied := range []*Rules{&again, &decoded} {
		delay, _ := copied.CrawlDelay()
		if copied.Check("/abx") != rules.Check("/abx") || delay.String() != "1.5s" || fmt.Sprint(copied.Sitemaps()) != "[a b]" {
			t.Error(copied.Check("/abx"), delay, copied.Sitemaps())
		}
	}
}

func TestBatch(t *testing.T) {
	rules := mustParse(t, "user-agent: *\ndisallow: /a\n")
	urls := make([]string, 10_000)
	for i := range urls {
		urls[i] = strings.Repeat("/a"[:1+i%2], 1+i%7) + strings.Repeat("b", i%300)
	}
	urls[5], urls[6] = "", "no URL"
	room := make([]Verdict, 3, len(urls))
	out := rules.CheckBatch(urls, room)
	if len(out) != len(urls) || &out[0] != &room[0] || len(rules.CheckBatch(nil, nil)) != 0 {
		t.Error("the memory of the caller is not used")
	}
	for i, url := range urls {
		if out[i] != rules.Check(url) {
			t.Fatalf("%d: %q: %v", i, url, out[i])
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	rules := mustParse(t, "user-agent: *\ndisallow: /a\ndisallow: /*b$\n")
	urls := []string{"https://example.com/a/b", "/c", "https://example.com/%61", "bad"}
	urlBytes := []byte(urls[0])
	out, cache := rules.CheckBatch(urls, nil), mustCache(t)
	storeSite(t, cache, urls[0], file)
	for name, work := range map[string]func(){
		"Allowed":     func() { rules.Allowed(urls[0]) },
		"Check":       func() { _ = rules.Check(urls[2]).Err() },
		"Check bytes": func() { rules.Check(string(urlBytes)) },
		"AllowAll":    func() { allows.Check(urls[0]) },
		"CrawlDelay":  func() { rules.CrawlDelay() },
		"a hit":       func() { cache.Check(urls[0], start) },
	} {
		if n := testing.AllocsPerRun(200, work); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	// The race detector empties pools at random.
	if n := testing.AllocsPerRun(200, func() { rules.CheckBatch(urls, out) }); n >= 1 && !raceEnabled {
		t.Errorf("CheckBatch: %v allocations", n)
	}
}

var allows = AllowAll()

// collectAllTheTime runs the garbage collector in a loop until the returned function is called.
func collectAllTheTime() (end func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	return func() { close(stop); <-ended }
}

// Many goroutines create crawlers, parse and check, while the garbage collector runs.
func TestParallelUnderGC(t *testing.T) {
	defer collectAllTheTime()()
	var workers sync.WaitGroup
	shared := mustParse(t, "user-agent: *\ndisallow: /a\nallow: /a/b\nsitemap: https://example.com/s\n")
	for worker := range 8 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			var out []Verdict
			for i := range 200 {
				name := "bot" + strconv.Itoa(i%3)
				body := fmt.Appendf(nil, "user-agent: %s\ndisallow: /%d\nsitemap: s%d\n", name, worker, i)
				crawler, err := NewCrawler(name)
				if err != nil {
					t.Error(err)
					return
				}
				rules, err := crawler.Parse(body)
				if err != nil || rules.Allowed("/"+strconv.Itoa(worker)+"/x") || !rules.Allowed("/x") {
					t.Errorf("worker %d, turn %d: %v", worker, i, err)
				}
				if got := rules.Sitemaps(); len(got) != 1 || got[0] != "s"+strconv.Itoa(i) {
					t.Error(got)
				}
				out = shared.CheckBatch([]string{"/a", "/a/b", string(body)}, out)
				if out[0].Allowed() || out[1].Line() != 3 || out[2].Err() != ErrURL || shared.Allowed("/a"+name) {
					t.Error(out)
				}
			}
		}()
	}
	workers.Wait()
}

// A crawler without references stays alive until its last parse ends: it obeys its groups at the end of a long file, while
// other crawlers reuse freed memory.
func TestCrawlerStaysAliveWhileItParses(t *testing.T) {
	defer collectAllTheTime()()
	var workers sync.WaitGroup
	for worker := range 2 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			name := strings.Repeat(string(rune('a'+worker)), 100)
			var body bytes.Buffer
			for i := range 60_000 {
				fmt.Fprintf(&body, "user-agent: %s\ndisallow: /%d/\n", name, i)
			}
			for range 5 {
				rules, err := mustCrawler(t, name, WithMaxBytes(1<<24)).Parse(body.Bytes())
				if err != nil || rules.Check("/59999/").Line() != 120_000 || rules.Check("/1500/").Line() != 3002 {
					t.Errorf("worker %d: a name was lost: %v", worker, err)
				}
			}
		}()
	}
	workers.Wait()
}

// 4,000 unreachable crawlers of 64 KiB each are freed, and rules of the same size.
func TestNothingLeaks(t *testing.T) {
	long := strings.Repeat("a", 1024)
	tokens := make([]string, 63)
	for i := range tokens {
		tokens[i] = long
	}
	body := []byte("user-agent: *\nsitemap: " + strings.Repeat("x", 64*1024) + "\n")
	for name, work := range map[string]func() error{
		"crawlers": func() error { _, err := NewCrawler(long, WithFallback(tokens...)); return err },
		"refused":  func() error { _, _ = NewCrawler(long, WithFallback(append(tokens, "bad token")...)); return nil },
		"rules":    func() error { _, err := mustCrawler(t, "ExampleBot").Parse(body); return err },
	} {
		before := residentKiB(t)
		for i := range 4000 {
			if err := work(); err != nil {
				t.Fatal(err)
			}
			if i%100 == 99 {
				runtime.GC()
			}
		}
		if grown := residentKiB(t) - before; grown > 100*1024 {
			t.Errorf("%s: %d KiB more than before", name, grown)
		}
	}
}

func residentKiB(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib
}
