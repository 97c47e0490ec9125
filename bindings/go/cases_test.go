package robots

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// caseFolder returns the folder of the case files that all languages share; ROBOTS_CASES overrides it.
func caseFolder(t testing.TB) string {
	folder := os.Getenv("ROBOTS_CASES")
	if folder == "" {
		folder = filepath.Join("..", "..", "tests", "data")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the shared cases are not here: %v", err)
	}
	return folder
}

type sharedCase struct {
	place, title string
	tokens       []string
	badTokens    []string
	dialect      Dialect
	options      []Option
	body         []byte
	verdicts     []expectedVerdict
	delay        string
	sitemaps     []string
	hasSitemaps  bool
}

type expectedVerdict struct {
	place, word, reason, url string
	line                     int
}

var reasonNames = map[string]Reason{
	"rule_allowed": ReasonRuleAllowed, "rule_disallowed": ReasonRuleDisallowed, "no_rule": ReasonNoRule,
	"no_group": ReasonNoGroup, "robots_txt": ReasonRobotsTxt, "allow_all": ReasonAllowAll,
	"disallow_all": ReasonDisallowAll, "unreachable": ReasonUnreachable,
}

func TestSharedCases(t *testing.T) {
	cases := readCases(t, caseFolder(t))
	if len(cases) < 300 {
		t.Fatalf("only %d cases were found", len(cases))
	}
	for _, c := range cases {
		t.Run(c.place, func(t *testing.T) { runCase(t, c) })
	}
}

func runCase(t *testing.T, c *sharedCase) {
	for _, token := range c.badTokens {
		if _, err := NewCrawler(token, WithDialect(c.dialect)); !isError(err, ErrToken) {
			t.Errorf("%s: token %q: %v", c.title, token, err)
		}
	}
	if len(c.body) == 0 && len(c.verdicts) == 0 {
		return
	}
	rules, crawler := c.parse(t)
	var urls []string
	for _, want := range c.verdicts {
		got := rules.Check(want.url)
		urls = append(urls, want.url)
		if once := crawler.CheckOnce(c.body, want.url); once != got {
			t.Errorf("%s: %s: %q: %v at once, %v by rules", want.place, c.title, want.url, once, got)
		}
		if want.word == "error" {
			if got.Allowed() || got.Err() != ErrURL {
				t.Errorf("%s: %s: %q: %v", want.place, c.title, want.url, got)
			}
			continue
		}
		if got.Allowed() != (want.word == "allowed") || got.Line() != want.line ||
			got.Reason() != reasonNames[want.reason] || got.Err() != nil {
			t.Errorf("%s: %s: %q: %v (%v)", want.place, c.title, want.url, got, got.Reason())
		}
	}
	for i, got := range rules.CheckBatch(urls, nil) {
		if got != rules.Check(urls[i]) {
			t.Errorf("%s: %q: %v in a batch", c.title, urls[i], got)
		}
	}
	checkDelay(t, c, rules)
	if got := rules.Sitemaps(); c.hasSitemaps && !slices.Equal(got, c.sitemaps) {
		t.Errorf("%s: sitemaps %q, not %q", c.title, got, c.sitemaps)
	}
}

func checkDelay(t *testing.T, c *sharedCase, rules *Rules) {
	got, given := rules.CrawlDelay()
	switch c.delay {
	case "":
	case "none":
		if given {
			t.Errorf("%s: crawl-delay %v", c.title, got)
		}
	default:
		seconds, err := strconv.ParseFloat(c.delay, 64)
		if err != nil {
			t.Fatal(err)
		}
		want := time.Duration(math.MaxInt64)
		if seconds*1e9 < math.MaxInt64 {
			want = time.Duration(math.Round(seconds * 1e9))
		}
		if !given || got != want {
			t.Errorf("%s: crawl-delay %v (%v), not %v", c.title, got, given, want)
		}
	}
}

func (c *sharedCase) parse(t *testing.T) (*Rules, *Crawler) {
	t.Helper()
	tokens := c.tokens
	if len(tokens) == 0 {
		tokens = []string{"ExampleBot"}
	}
	options := append(c.options, WithDialect(c.dialect), WithFallback(tokens[1:]...))
	crawler := mustCrawler(t, tokens[0], options...)
	rules, err := crawler.Parse(c.body)
	if err != nil {
		t.Fatal(err)
	}
	return rules, crawler
}

func readCases(t *testing.T, folder string) []*sharedCase {
	files, err := filepath.Glob(filepath.Join(folder, "*.case"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []*sharedCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			place := filepath.Base(file) + ":" + strconv.Itoa(i+1)
			word, rest, _ := strings.Cut(line, " ")
			switch {
			case word == "" || word[0] == '#':
			case word == "case":
				cases = append(cases, &sharedCase{place: place, title: rest})
			default:
				if !cases[len(cases)-1].read(t, place, word, rest) {
					t.Fatalf("%s: what is %q?", place, line)
				}
			}
		}
	}
	return cases
}

func (c *sharedCase) read(t *testing.T, place, word, rest string) bool {
	switch word {
	case "token":
		c.tokens = append(c.tokens, unescape(t, rest))
	case "bad_token":
		c.badTokens = append(c.badTokens, unescape(t, rest))
	case "dialect":
		dialect, known := map[string]Dialect{"rfc9309": RFC9309, "google": Google, "koster1996": Koster1996}[rest]
		c.dialect = dialect
		return known
	case "set":
		name, value, _ := strings.Cut(rest, " ")
		return c.set(name, value)
	case "|":
		c.addLine(t, rest, 1)
	case "repeat":
		count, line, _ := strings.Cut(rest, " |")
		n, err := strconv.Atoi(count)
		c.addLine(t, strings.TrimPrefix(line, " "), n)
		return err == nil
	case "allowed", "disallowed":
		parts := append(strings.SplitN(rest, " ", 3), "")
		line, err := strconv.Atoi(parts[0])
		c.verdicts = append(c.verdicts, expectedVerdict{place, word, parts[1], unescape(t, parts[2]), line})
		return err == nil && reasonNames[parts[1]] != 0
	case "error":
		kind, url, _ := strings.Cut(rest, " ")
		c.verdicts = append(c.verdicts, expectedVerdict{place: place, word: word, url: unescape(t, url)})
		return kind == "url"
	case "delay":
		c.delay = rest
	case "sitemap":
		c.sitemaps, c.hasSitemaps = append(c.sitemaps, unescape(t, rest)), true
	case "sitemaps":
		c.hasSitemaps = true
		return rest == "0"
	default:
		return false
	}
	return true
}

func (c *sharedCase) set(name, value string) bool {
	n, err := strconv.ParseUint(value, 10, 64)
	option, known := optionNumbers[name]
	c.options = append(c.options, number(name, option, n, "another"))
	return known && err == nil
}

func (c *sharedCase) addLine(t *testing.T, text string, times int) {
	line := unescape(t, text)
	if !endsWithoutLF(text) {
		line += "\n"
	}
	c.body = append(c.body, bytes.Repeat([]byte(line), times)...)
}

// endsWithoutLF reports whether text ends with an unescaped backslash.
func endsWithoutLF(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

func unescape(t *testing.T, text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out.WriteByte(text[i])
			continue
		}
		if i++; i == len(text) {
			break
		}
		switch plain := strings.IndexByte(`rnts\`, text[i]); {
		case plain >= 0:
			out.WriteByte("\r\n\t \\"[plain])
		case text[i] == 'x' && i+2 < len(text):
			value, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			out.WriteByte(byte(value))
			i += 2
		default:
			t.Fatalf("%q: unknown escape", text)
		}
	}
	return out.String()
}
