package robotstxt

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

const body = "Host: example.com # main\nuser-agent: Googlebot\ndisallow: /news\ncrawl-delay: 0.5\n\n" +
	"user-agent: *\ndisallow: /all\nallow: /all/*/open$\nSitemap: https://example.com/1\nsitemap: 2\nnonsense\n"

func parsed(t *testing.T, body string) *RobotsData {
	t.Helper()
	r, err := FromString(body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnswers(t *testing.T) {
	r := parsed(t, body)
	for _, c := range []struct {
		path, agent string
		want        bool
	}{
		{"/news", "Googlebot", false}, {"/news", "googlebot/2.1 (+http://example.com)", false}, {"/all", "Googlebot", true},
		{"/news", "Googlebot-News", true}, {"/all", "Googlebot-News", false}, {"/news", "Google", true},
		{"/all/x", "ExampleBot", false}, {"/all/x/open", "ExampleBot", true}, {"/all/x/open?", "ExampleBot", false},
		{"/%61ll", "ExampleBot", false}, {"/all", "", false}, {"/all", "*", false}, {"/all", "(x)", false},
		{"/", "ExampleBot", true}, {"", "ExampleBot", true}, {"?a=b", "ExampleBot", true}, {"all", "ExampleBot", false},
		{"x", "ExampleBot", false}, {"https://example.com/", "ExampleBot", false}, {"/robots.txt", "ExampleBot", true},
		{"/all", strings.Repeat("a", 2000), false}, {"/news", " Googlebot ", false},
	} {
		if got := r.TestAgent(c.path, c.agent); got != c.want {
			t.Errorf("%q for %.30q: %v", c.path, c.agent, got)
		}
		if got := r.FindGroup(c.agent).Test(c.path); got != c.want {
			t.Errorf("group of %.30q: %q: %v", c.agent, c.path, got)
		}
	}
	if g := r.FindGroup("googlebot/2.1"); g.CrawlDelay != 500*time.Millisecond || g.Agent != "" {
		t.Errorf("%+v", g)
	}
	if g := r.FindGroup("ExampleBot"); g.CrawlDelay != 0 || g != r.FindGroup("ExampleBot") {
		t.Errorf("%+v is not remembered", g)
	}
	if r.Host != "example.com" || !slices.Equal(r.Sitemaps, []string{"https://example.com/1", "2"}) {
		t.Errorf("host %q, sitemaps %q", r.Host, r.Sitemaps)
	}
}

// The documented differences to temoto/robotstxt.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		body, path string
		want       bool
	}{
		{"Disalow: /a", "/a", false}, {"Disallow : /a", "/a", false}, {"Disallow: a", "/a", true}, {"Disallow: *a", "/a", false},
		{"Disallow: /a$b", "/a$b", false}, {"Disallow: /a$", "/a", false}, {"Disallow: /a$", "/ab", true},
		{"Crawl-delay: x\nDisallow: /a", "/a", false}, {"Disallow: /\nAllow: /", "/a", true}, {"Disallow: /%7Ea", "/~a", false},
		{"Disallow: /a%2Cb", "/a,b", false}, {"Disallow: /a b", "/a", true}, {"Disallow: /a b", "/a b", false},
		{"Disallow: /a#b", "/a", false}, {"Disallow: *", "/a", false}, {"Disallow: /a\nAllow: /a*", "/a", true},
		{"", "/a", true}, {"Disallow: /ab\nCrawl-delay: 1\nUser-agent: other\nDisallow: /a", "/a", true},
		{"Crawl-delay: 1\nUser-agent: other\nDisallow: /a", "/a", false}, {"User-agent: x\n\nUser-agent: y\nDisallow: /a", "/a", false},
	} {
		for _, agent := range []string{"bot", "bot/1.0", "*"} {
			if got := parsed(t, "User-agent: "+agent+"\n"+c.body+"\n").TestAgent(c.path, "bot"); got != c.want {
				t.Errorf("%q for %s: %s: %v", c.body, agent, c.path, got)
			}
		}
	}
	if r := parsed(t, "Disallow: /\nUser-agent: *\nHost: one\nHost: two\n"); !r.TestAgent("/", "bot") || r.Host != "one" {
		t.Errorf("host %q", r.Host)
	}
}

func TestStatus(t *testing.T) {
	for status, want := range map[int]string{
		200: "false true", 204: "false true", 299: "false true", 400: "true true", 401: "true true", 403: "true true",
		404: "true true", 410: "true true", 429: "false false", 500: "false false", 503: "false false", 599: "false false",
		100: "error", 301: "error", 304: "error", 0: "error", 600: "error", -1: "error",
	} {
		got := "error"
		if r, err := FromStatusAndString(status, body); err == nil {
			got = fmt.Sprint(r.TestAgent("/all", "ExampleBot"), r.FindGroup("ExampleBot").Test("/other"))
		} else if r != nil || !strings.Contains(err.Error(), fmt.Sprint(status)) {
			t.Errorf("%d: %v, %v", status, r, err)
		}
		if got != want {
			t.Errorf("%d: %s", status, got)
		}
	}
}

func TestResponse(t *testing.T) {
	response := func(status int, body io.Reader) *http.Response {
		return &http.Response{StatusCode: status, Body: io.NopCloser(body)}
	}
	r, err := FromResponse(response(200, strings.NewReader(body)))
	if err != nil || r.TestAgent("/all", "ExampleBot") {
		t.Error(r, err)
	}
	// A truncated body is an error.
	cut := errors.New("connection reset")
	broken := io.MultiReader(strings.NewReader("user-agent: *\n"), iotest.ErrReader(cut))
	if r, err := FromResponse(response(200, broken)); r != nil || !errors.Is(err, cut) {
		t.Error(r, err)
	}
	// 500 KiB are parsed; the line cut there is ignored.
	filler := strings.Repeat("#", 512_000-len("user-agent: *\ndisallow: /b\ndisallow: /al\n")) + "\n"
	long := "user-agent: *\ndisallow: /b\n" + filler + "disallow: /a" + "ll\ndisallow: /c\n"
	r, err = FromResponse(response(200, strings.NewReader(long)))
	if err != nil || r.TestAgent("/b", "x") || !r.TestAgent("/all", "x") || !r.TestAgent("/c", "x") {
		t.Error("the limit of 500 KiB", err)
	}
	if r, err := FromResponse(nil); r != nil || err != nil || r.TestAgent("/", "ExampleBot") {
		t.Error("no response")
	}
}

// What is not the file is an outage: it allows nothing (SPEC 2.17). An empty body is an empty file.
func TestEncodedBodies(t *testing.T) {
	const zipped = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
	for name, c := range map[string]struct {
		status int
		body   string
		want   bool
	}{
		"gzip": {200, zipped, false}, "zstd": {200, "\x28\xB5\x2F\xFD\x04", false}, "gzip, cut": {200, zipped[:2], false}, "part": {206, body, false},
		"empty part": {206, "", false}, "one byte": {200, zipped[:1], true}, "gzip of a 404": {404, zipped, true},
	} {
		r, err := FromStatusAndString(c.status, c.body)
		if err != nil || r.TestAgent("/open", "ExampleBot") != c.want || r.FindGroup("ExampleBot").Test("/open") != c.want {
			t.Error(name, r, err)
		}
	}
	if r := parsed(t, zipped); r.TestAgent("/open", "ExampleBot") {
		t.Error("FromString")
	}
	for coding, want := range map[string]string{"br": "error", "deflate": "error", "gzip": "true", "identity": "true", "": "true"} {
		for _, body := range []string{body, ""} {
			response := &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {coding}}, Body: io.NopCloser(strings.NewReader(body))}
			got := "error"
			if r, err := FromResponse(response); err == nil {
				got = fmt.Sprint(r.TestAgent("/open", "ExampleBot"))
			}
			if body == "" {
				want = "true"
			}
			if got != want {
				t.Errorf("%q, %d bytes: %s", coding, len(body), got)
			}
		}
	}
}

// Zero values allow nothing.
func TestMisuse(t *testing.T) {
	var group *Group
	if new(RobotsData).TestAgent("/", "ExampleBot") || new(RobotsData).TestAgent("/", "-") || new(Group).Test("/") ||
		group.Test("/") {
		t.Error("allowed")
	}
	if !parsed(t, "").TestAgent("/x", "ExampleBot") || !parsed(t, "\x00<html>:").TestAgent("/x", "ExampleBot") {
		t.Error("an empty file, or nonsense, disallows")
	}
}

// wholeSites are files that say the same about every path to ExampleBot, except /robots.txt, and whether they allow it.
var wholeSites = map[string]bool{
	"": true, "# nothing\n": true, "Host: example.com\n": true, "Sitemap: /map\n": true, "User-agent: Other\nDisallow: /a\n": true,
	"User-agent: *\nDisallow:\n": true, "User-agent: *\nDisallow:\nCrawl-delay: 2\nSitemap: /map\n": true, "User-agent: *\nAllow: /\n": true,
	"User-agent: *\nDisallow: x\n": true, "User-agent: *\nDisallow: /\n": false, "User-agent: *\nDisallow: /\nDisallow: /\n": false,
}

// What is known about a group is what the library says about each path.
func TestWholeSitesAreThoseOfTheLibrary(t *testing.T) {
	paths := []string{
		"", "?q", "x", "/", "//", "/robots.txt", "/robots.txt?", "/robots.txt#", "/robots.txtx", "/%72obots.txt", "/%72%6Fbots.txt", "/ROBOTS.TXT",
		"/./robots.txt", "/a/../robots.txt", "/x#y", "/" + strings.Repeat("a", 70_000), "/" + strings.Repeat("\xFF", shortPath-1),
		"/" + strings.Repeat("\xFF", shortPath), "/" + strings.Repeat("#", shortPath-1), "/" + strings.Repeat("../", shortPath/3-1),
		"https://example.com/",
	}
	for c := range 256 {
		paths = append(paths, "/"+string([]byte{byte(c)}), "/"+string([]byte{byte(c)})+"/%2e%2e/\\?;é")
	}
	data := map[string]*RobotsData{}
	for body := range wholeSites {
		data[body] = parsed(t, body)
	}
	for _, status := range []int{404, 429, 503} {
		var err error
		if data[fmt.Sprint(status)], err = FromStatusAndString(status, ""); err != nil {
			t.Fatal(err)
		}
	}
	// These answers depend on the path.
	for _, body := range []string{
		body, "User-agent: *\nDisallow: /$\n", "User-agent: *\nDisallow: /*\nAllow: /robots\n", "User-agent: *\nDisallow: *x\n",
		"User-agent: *\nDisallow: /\nAllow: /a\n", "User-agent: *\nDisallow: /x\n", "https://example.com/robots.txt",
	} {
		data[body] = parsed(t, body)
	}
	for name, r := range data {
		group := r.FindGroup("ExampleBot")
		for range 3 {
			for _, path := range paths {
				whole := path
				if path == "" || path[0] == '?' {
					whole = "/" + path
				}
				want := whole[0] == '/' && group.rules.Allowed(strings.ReplaceAll(whole, "#", "%23"))
				if group.Test(path) != want || r.TestAgent(path, "ExampleBot") != want {
					t.Errorf("%q, %.30q: not %v", name, path, want)
				}
			}
		}
	}
}

func TestManyAgents(t *testing.T) {
	r := parsed(t, body)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 100 {
				agent := fmt.Sprintf("bot%d", (worker+i)%90)
				if r.TestAgent("/all", agent) || !r.TestAgent("/x", agent) || r.TestAgent("/news", "Googlebot") {
					t.Errorf("worker %d, turn %d", worker, i)
				}
			}
		}()
	}
	group.Wait()
	// With "", for the sitemaps.
	if len(r.groups) != 92 || len(r.shared) != 2 {
		t.Errorf("%d agents with %d groups are remembered", len(r.groups), len(r.shared))
	}
	if one, other := r.FindGroup("bot1"), r.FindGroup("bot2"); one != other || one == r.FindGroup("Googlebot") {
		t.Error("agents that no line names have a group of their own")
	}
}

// What is kept of a file is bounded, whatever the agents and the file are.
func TestAgentsAreForgotten(t *testing.T) {
	r := parsed(t, body)
	for i := range 3 * maxAgents {
		if r.TestAgent("/all", fmt.Sprintf("bot%d", i)) {
			t.Fatalf("bot%d", i)
		}
	}
	r.TestAgent("/all", strings.Repeat("a", maxName+1))
	if len(r.groups) != maxAgents || len(r.shared) != 1 || r.groups[strings.Repeat("a", maxName+1)] != nil {
		t.Errorf("%d agents with %d groups", len(r.groups), len(r.shared))
	}
	// Each agent has a large group and a rule of its own.
	const agents = 300
	var names, rules strings.Builder
	for i := range agents {
		fmt.Fprintf(&names, "User-agent: bot%d\n", i)
		fmt.Fprintf(&rules, "User-agent: bot%d\nDisallow: /own%d\n", i, i)
	}
	for i := range 1000 {
		fmt.Fprintf(&names, "Disallow: /%d/%s\n", i, strings.Repeat("x", 60))
	}
	r = parsed(t, names.String()+rules.String())
	for i := range agents {
		agent, path := fmt.Sprintf("bot%d", i), fmt.Sprintf("/own%d", i)
		if r.TestAgent(path, agent) || !r.TestAgent("/x", agent) {
			t.Fatal(agent)
		}
		if len(r.shared) != len(r.groups) || r.size > maxShared {
			t.Fatalf("%s: %d groups, %d bytes", agent, len(r.shared), r.size)
		}
	}
	if len(r.groups) == agents {
		t.Errorf("nothing was forgotten: %d bytes", r.size)
	}
}

// Empty lines at the end take no time of their own, and do not make a text an address (SPEC 4.7).
func TestBlankLinesAtTheEnd(t *testing.T) {
	blank := strings.Repeat("\n", 500_000)
	r := parsed(t, "User-agent: *\nCrawlDelay: 2\nDisallow: /b\n"+blank)
	if group := r.FindGroup("x"); len(r.body) > 16<<10 || group.CrawlDelay != 2*time.Second || group.Test("/b") || !group.Test("/a") {
		t.Errorf("%d bytes, %+v", len(r.body), group)
	}
	for blanks, want := range map[int]bool{10: false, len(blank): true} {
		if r := parsed(t, "https://example.com/robots.txt"+blank[:blanks]); r.TestAgent("/x", "x") != want {
			t.Errorf("%d: not %v", blanks, want)
		}
	}
}

func TestParseError(t *testing.T) {
	reason := errors.New("x")
	var err error = &ParseError{[]error{reason}}
	if !strings.Contains(err.Error(), "x") || !errors.Is(err, reason) {
		t.Error(err)
	}
	if !slices.Equal(WhitespaceChars, []rune{' ', '\t', '\v'}) {
		t.Error(WhitespaceChars)
	}
}

// Programs such as gocrawl and geziyor pass URL.Path, which is decoded and may contain '#'.
func TestDecodedPaths(t *testing.T) {
	r := parsed(t, "user-agent: *\ndisallow: /*.pdf$\ndisallow: /c%23/private\n")
	for path, want := range map[string]bool{
		"/x#y.pdf": false, "/x#y.html": true, "/x.pdf#y": true, "/c#/private": false, "/c#/public": true, "/#": true,
	} {
		if r.TestAgent(path, "ExampleBot") != want || r.FindGroup("ExampleBot").Test(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

func TestCrawlDelayWithoutHyphen(t *testing.T) {
	for body, want := range map[string]time.Duration{
		"user-agent: b\ncrawldelay: 3.5\n": 3500 * time.Millisecond, "user-agent: b\r\n CrawlDelay : 2": 2 * time.Second,
		"user-agent: b\ndisallow: /crawldelay: 3\n": 0, "user-agent: b\ncrawldelays: 3\n": 0,
		"user-agent: b\r crawldelay:1\r\rcrawldelay:2\r": 2 * time.Second, "crawldelay: 9\nuser-agent: b\ncrawldelay \t: 1": time.Second,
		"user-agent: b\nx crawldelay: 3\ncrawldelaycrawldelay: 4\n# crawldelay: 5\ncrawldelay\n": 0,
	} {
		if got := parsed(t, body).FindGroup("b").CrawlDelay; got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
	if r := parsed(t, "user-agent: b\ncrawldelay: 1\ndisallow: /b\n"); r.TestAgent("/b", "b") || !r.TestAgent("/c", "b") {
		t.Error("the rule after crawldelay")
	}
}

func ExampleFromString() {
	data, err := FromString("user-agent: *\ndisallow: /private/\ncrawl-delay: 2\n")
	if err != nil {
		panic(err)
	}
	group := data.FindGroup("ExampleBot/1.0")
	fmt.Println(group.Test("/private/diary"), group.Test("/"), group.CrawlDelay)
	// Output: false true 2s
}

// names returns the names of tests/data/names.txt, and those in the user-agent lines of all files of ROBOTS_CORPUS.
func names(t *testing.T) []string {
	t.Helper()
	kinds, err := os.ReadFile("../../../tests/data/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Split(strings.TrimSpace(string(kinds)), "\n")
	corpus := os.Getenv("ROBOTS_CORPUS")
	if corpus == "" {
		return found
	}
	files, err := os.ReadDir(corpus)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"": true}
	for _, file := range files {
		body, err := os.ReadFile(filepath.Join(corpus, file.Name()))
		if err != nil {
			continue // a folder
		}
		for line := range strings.FieldsFuncSeq(string(body), func(c rune) bool { return c == '\n' || c == '\r' }) {
			line, _, _ = strings.Cut(line, "#")
			field, name, _ := strings.Cut(line, ":")
			if name = strings.Trim(name, " \t"); strings.EqualFold(strings.TrimSpace(field), "user-agent") && !seen[name] {
				seen[name] = true
				found = append(found, name)
			}
		}
	}
	return found
}

// A file that names an agent by any text disallows that agent (SPEC 7.9).
func TestEachNameNamesItself(t *testing.T) {
	for _, name := range names(t) {
		if parsed(t, "User-agent: "+name+"\nDisallow: /\n").TestAgent("/x", name) {
			t.Errorf("%q is allowed", name)
		}
	}
}

// Only a file has a coding that matters.
func TestCodingOfAnError(t *testing.T) {
	for status, want := range map[int]bool{404: true, 410: true, 500: false, 429: false} {
		res := &http.Response{
			StatusCode: status,
			Header:     http.Header{"Content-Encoding": {"br"}},
			Body:       io.NopCloser(strings.NewReader("\x0b\x02\x80gone\x03")),
		}
		r, err := FromResponse(res)
		if err != nil || r.TestAgent("/x", "bot") != want {
			t.Errorf("%d: %v", status, err)
		}
	}
}
