// Package robotstxt has the API of github.com/temoto/robotstxt and runs on librobots. A program that uses that package,
// directly or through colly, uses librobots with these lines in its go.mod, after `go mod tidy`:
//
//	require github.com/librobots/librobots/bindings/go v0.1.0
//
//	replace github.com/temoto/robotstxt => github.com/librobots/librobots/bindings/go/robotstxt v0.1.0
//
// That needs the module proxy of a release, because a module has native objects that the repository has not:
// GOPROXY=file:///path/to/dist/goproxy,https://proxy.golang.org GONOSUMDB=github.com/librobots go mod tidy.
// With a checkout after "make go", replace both modules with its folders:
//
//	replace (
//		github.com/temoto/robotstxt => /path/to/librobots/bindings/go/robotstxt
//		github.com/librobots/librobots/bindings/go => /path/to/librobots/bindings/go
//	)
//
// New programs should use package robots: it returns reasons, checks many URLs in one call and has other dialects.
//
// # Differences
//
// The verdicts are those of RFC 9309. temoto/robotstxt differs in these points:
//
//   - It refuses a file with a rule before the first user-agent line, or with an invalid crawl-delay. Here, no file is an
//     error: an invalid line is ignored. Only the first 500 KiB of a file count.
//   - It ignores misspelled fields. Here, common misspellings count ("Disalow: /a", "Disallow : /a").
//   - It completes "Disallow: a" to "Disallow: /a". Here, a rule that starts with neither '/' nor '*' matches nothing.
//   - It cuts values at the first space: "Disallow: /a b" is "Disallow: /a". Here, a path, a sitemap and a host may contain
//     spaces. It reads a '#' within a value as part of the value. Here, it starts a comment.
//   - It applies the group with the longest name that the agent starts with. Here, an agent obeys all groups that name its
//     product token, or else those for '*': Googlebot-News does not obey a group for Googlebot, nor Googlebot one for Google.
//     The product token of "ExampleBot/2.1 (+https://example.com)" and of "Mozilla/5.0 (compatible; ExampleBot/2.1)" is
//     ExampleBot; without a group for ExampleBot, the second obeys one for Mozilla ([robots.WithNamesIn]). A user-agent line is
//     read in the same way; if the token has no digit and no '.', "ExampleBot2" also names ExampleBot.
//   - It ignores a group without rules. Here, such a group allows everything to the agents that it names.
//   - It measures a rule with wildcards by the length of a regular expression, ignores trailing wildcards and therefore
//     "Disallow: *", and of two rules of equal length applies the first. Here, the longest rule decides, including its
//     wildcards; at equal length, an allow rule decides; "Disallow: *" disallows everything.
//   - It reads every '$' as the end of the URL. Here, only a '$' at the end of a rule has this meaning.
//   - It compares raw bytes. Here, rules and paths are compared in canonical form: /%7Ejoe equals /~joe, /a%2Cb equals /a,b,
//     and /ツ equals /%E3%83%84.
//   - It applies the rules to /robots.txt. Here, this path is always allowed.
//   - It allows a path without a leading '/'. Here, a path that starts with neither '/' nor '?' is not allowed.
//   - It ends a list of user-agent lines at a crawl-delay line. Here, only a rule ends the list.
//   - It keeps the last of several crawl-delays and host lines. Here, the longest crawl-delay and the first host count.
//   - It allows everything with a zero RobotsData or Group, and panics with nil. Here, they allow nothing.
//   - It allows everything after status 429. Here, nothing is allowed then.
//   - It allows everything with a Group that FindGroup returns after status 5xx. Here, such a Group allows nothing.
//   - It allows everything with a body whose gzip was not undone, or a response with status 206. Here, both allow nothing.
package robotstxt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
)

// RobotsData is a robots.txt. It is safe for concurrent use.
type RobotsData struct {
	Host     string   // the value of the first host line
	Sitemaps []string // the values of the sitemap lines

	body     []byte // parsed once per agent
	hasDelay bool   // whether a group may have a crawl-delay
	every    *Group // instead of a body: the group of every agent

	lock   sync.RWMutex
	groups map[string]*Group // by agent, as passed to FindGroup
	shared map[string]*Group // by the image of their rules: agents with the same rules have the same group
	size   int               // bytes of shared
}

// Group is the rules of a robots.txt for one agent.
type Group struct {
	Agent      string // always empty, as in temoto/robotstxt
	CrawlDelay time.Duration

	rules *robots.Rules
	site  robots.Verdict // on "/", and on every path if it is site-wide
}

func newGroup(rules *robots.Rules) *Group {
	return &Group{rules: rules, site: rules.Check("/")}
}

// ParseError exists for programs that name it. No robots.txt is an error.
type ParseError struct {
	Errs []error
}

// WhitespaceChars exists for programs that name it. It has no effect.
var WhitespaceChars = []rune{' ', '\t', '\v'}

// Error returns the errors as text.
func (e ParseError) Error() string {
	return fmt.Sprint("robotstxt: ", e.Errs)
}

// Unwrap returns the errors, for errors.Is and errors.As.
func (e ParseError) Unwrap() []error {
	return e.Errs
}

const (
	// The rest of a longer file is ignored (SPEC 4.5).
	maxBytes = 512_000
	// The caches of groups and of crawlers keep at most this number of agents, which may come from an untrusted source, and none with
	// a longer name.
	maxAgents, maxName = 1000, 1024
	// The groups of a file are forgotten when their rules need more bytes: each agent of a hostile file may have other rules.
	maxShared = 8 << 20
	// A longer path may exceed 64 KiB in canonical form; then the library refuses it (SPEC 8.12).
	shortPath = 64 << 10 / len("%23")
)

// blankLines are a run of empty lines.
var blankLines = bytes.Repeat([]byte("\n"), 64)

// FromStatusAndBytes returns the RobotsData of a response, by the rules of RFC 9309. 2xx: body is parsed. 4xx: everything is
// allowed. 429, 5xx, 206 and a body that is still compressed by gzip or zstd: nothing is allowed. Any other status is an error, also a
// redirect: the HTTP client follows it. As in temoto/robotstxt, responses without a file share one RobotsData.
func FromStatusAndBytes(statusCode int, body []byte) (*RobotsData, error) {
	if statusCode < 200 || statusCode >= 600 || statusCode/100 == 3 {
		return nil, fmt.Errorf("robotstxt: unexpected status %d: fetch again later, and follow redirects", statusCode)
	}
	start := startOf(body)
	known := &outcomes[statusCode][start]
	outcome := known.Load()
	if outcome == nil {
		var err error
		if outcome, err = outcomeOf(statusCode, start); err != nil {
			return nil, err
		}
		known.Store(outcome)
	}
	if outcome == aFile {
		return fromBytes(body)
	}
	return outcome, nil
}

// starts are the bodies that stand for all bodies in an outcome: none, a file, one that is compressed. What begins like zstd counts
// like gzip (SPEC 4.4).
var starts = [...]string{"", "# ", "\x1F\x8B"}

func startOf(body []byte) int {
	switch {
	case len(body) == 0:
		return 0
	case bytes.HasPrefix(body, []byte(starts[2])), bytes.HasPrefix(body, []byte("\x28\xB5\x2F\xFD")):
		return 2
	default:
		return 1
	}
}

// outcomes are what a status and the start of a body mean: the same for all sites and crawlers.
var outcomes [600][len(starts)]atomic.Pointer[RobotsData]

// aFile is the outcome of a body that is parsed.
var aFile = new(RobotsData)

func outcomeOf(statusCode, start int) (*RobotsData, error) {
	crawler, err := crawlerOf("")
	if err != nil {
		return nil, err
	}
	outcome, err := crawler.OutcomeFromStatus("http://localhost/", statusCode, []byte(starts[start]), time.Now())
	switch {
	case err != nil:
		return nil, err
	case outcome.Kind != robots.KindRules:
		return &RobotsData{every: newGroup(outcome.Rules())}, nil
	case start == 0:
		return fromBytes(nil)
	default:
		return aFile, nil
	}
}

// FromStatusAndString is [FromStatusAndBytes] for a string.
func FromStatusAndString(statusCode int, body string) (*RobotsData, error) {
	return FromStatusAndBytes(statusCode, []byte(body))
}

// FromResponse reads the body of a response and returns its RobotsData. The caller closes the body. For nil it returns nil,
// which allows nothing.
func FromResponse(res *http.Response) (*RobotsData, error) {
	if res == nil {
		return nil, nil
	}
	if res.StatusCode/100 != 2 { // the body says nothing
		return FromStatusAndBytes(res.StatusCode, nil)
	}
	// One byte more shows whether the last line is complete.
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("robotstxt: fetch again later: %w", err)
	}
	switch coding := strings.ToLower(res.Header.Get("Content-Encoding")); coding {
	case "", "identity", "gzip", "x-gzip": // a coding that was not undone is found by the bytes
	default:
		if len(body) > 0 {
			return nil, fmt.Errorf("robotstxt: the body has the Content-Encoding %q: undo it, or request without Accept-Encoding", coding)
		}
	}
	return FromStatusAndBytes(res.StatusCode, body)
}

// FromBytes parses a robots.txt. The error is not nil only on allocation failure. Bytes that are compressed by gzip or zstd
// allow nothing.
func FromBytes(body []byte) (*RobotsData, error) {
	return FromStatusAndBytes(http.StatusOK, body)
}

func fromBytes(body []byte) (*RobotsData, error) {
	body = body[:min(len(body), maxBytes+1)]
	// The library needs more time for empty lines than temoto/robotstxt. A text of up to 4 KiB may be an address (SPEC 4.7).
	for len(body) > 8<<10 && bytes.HasSuffix(body, blankLines) {
		body = body[:len(body)-len(blankLines)]
	}
	lower := lowered(body)
	r := &RobotsData{body: withHyphens(body, lower)}
	if at := bytes.Index(lower, []byte("host")); at >= 0 {
		r.Host = host(body[bytes.LastIndexAny(body[:at], "\r\n")+1:])
	}
	hasAgents, hasSitemaps := bytes.Contains(lower, []byte("agent")), bytes.Contains(lower, []byte("map"))
	if hasAgents {
		r.groups = map[string]*Group{}
		r.hasDelay = bytes.Contains(lower, []byte("delay"))
	}
	switch {
	case hasSitemaps:
	case hasAgents:
		return r, nil
	case r.hasNoGroup():
		r.body, r.every = nil, noGroup()
		return r, nil
	}
	group, err := r.parse("")
	if err != nil {
		return nil, err
	}
	r.Sitemaps = group.rules.Sitemaps()
	if hasAgents {
		r.keep("", group)
	} else { // only user-agent lines distinguish agents
		r.body, r.every = nil, group
	}
	return r, nil
}

// hasNoGroup reports whether the library finds no group for an agent without a name.
func (r *RobotsData) hasNoGroup() bool {
	crawler, err := crawlerOf("")
	return err == nil && crawler.CheckOnce(r.body, "/").Reason() == robots.ReasonNoGroup
}

// noGroup returns the group of a file without groups.
var noGroup = sync.OnceValue(func() *Group {
	group, err := new(RobotsData).parse("")
	if err != nil {
		return new(Group)
	}
	return group
})

// lowered returns a copy with all letters in lower case. Other bytes may change, but never to a letter.
func lowered(body []byte) []byte {
	const word = 8
	lower := make([]byte, 0, len(body)+word)
	rest := body
	for ; len(rest) >= word; rest = rest[word:] {
		lower = binary.NativeEndian.AppendUint64(lower, binary.NativeEndian.Uint64(rest)|0x2020_2020_2020_2020)
	}
	for _, c := range rest {
		lower = append(lower, c|0x20)
	}
	return lower
}

// withHyphens writes the field crawldelay, which temoto/robotstxt knows, as crawl-delay.
func withHyphens(body, lower []byte) []byte {
	const field, hyphenAt = "crawldelay", len("crawl")
	var written []byte
	done := 0 // what is written
	for from := 0; ; {
		at := bytes.Index(lower[from:], []byte(field))
		if at < 0 {
			break
		}
		before := bytes.TrimRight(body[from:from+at], " \t")
		isFirst := len(before) == 0 && from == 0 || bytes.HasSuffix(before, []byte("\n")) || bytes.HasSuffix(before, []byte("\r"))
		at += from
		from = at + len(field)
		if isFirst && bytes.HasPrefix(bytes.TrimLeft(body[from:], " \t"), []byte(":")) {
			written = append(append(written, body[done:at+hyphenAt]...), '-')
			done = at + hyphenAt
		}
	}
	if done == 0 {
		return body
	}
	return append(written, body[done:]...)
}

// FromString is [FromBytes] for a string.
func FromString(body string) (*RobotsData, error) {
	return FromBytes([]byte(body))
}

// TestAgent reports whether agent may fetch path: path and query of a URL.
func (r *RobotsData) TestAgent(path, agent string) bool {
	if r != nil && r.every != nil {
		if allowed, known := r.every.known(path); known {
			return allowed
		}
	}
	return r.FindGroup(agent).Test(path)
}

// FindGroup returns the rules for agent, a product token or a User-Agent header that begins with one. It is never nil.
func (r *RobotsData) FindGroup(agent string) *Group {
	switch {
	case r != nil && r.every != nil:
		return r.every
	case r == nil || r.groups == nil: // a zero value
		return new(Group)
	}
	r.lock.RLock()
	group := r.groups[agent]
	r.lock.RUnlock()
	if group != nil {
		return group
	}
	group, err := r.parse(agent)
	if err != nil {
		return new(Group)
	}
	return r.keep(agent, group)
}

// keep remembers the group of an agent, and returns that of earlier agents with the same rules.
func (r *RobotsData) keep(agent string, group *Group) *Group {
	image, err := group.rules.MarshalBinary()
	if err != nil {
		return group
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if same := r.shared[string(image)]; same != nil {
		group = same
	} else {
		if r.size += 2 * len(image); r.shared == nil || r.size > maxShared {
			clear(r.groups)
			r.shared, r.size = map[string]*Group{}, 2*len(image)
		}
		r.shared[string(image)] = group
	}
	remember(r.groups, agent, group)
	return group
}

// remember adds the value of an agent, in place of any other if there are too many.
func remember[T any](values map[string]*T, agent string, value *T) {
	if len(agent) > maxName {
		return
	}
	for other := range values {
		if len(values) < maxAgents {
			break
		}
		delete(values, other)
	}
	values[strings.Clone(agent)] = value
}

// Test reports whether path may be fetched: path and query of a URL. A '#' in it belongs to the path, as in a decoded URL.Path.
func (g *Group) Test(path string) bool {
	if g == nil {
		return false
	}
	if allowed, known := g.known(path); known {
		return allowed
	}
	return g.check(path)
}

// known returns the answer of a site-wide verdict, and whether it is one: a call into the library takes thirty times as long. The
// compiler inlines it.
func (g *Group) known(path string) (allowed, known bool) {
	if !g.site.IsSiteWide() || len(path) == 0 || len(path) > shortPath || path[0] != '/' {
		return false, false
	}
	// In canonical form, /%72obots.txt is /robots.txt, too.
	allowed = g.site.Allowed()
	return allowed, allowed || len(path) == 1 || path[1] != 'r' && path[1] != '%'
}

// check asks the library.
func (g *Group) check(path string) bool {
	// The path of http://host and http://host?query is "/".
	if path == "" || path[0] == '?' {
		path = "/" + path
	}
	if g.rules == nil || path[0] != '/' {
		return false
	}
	// A URL without a fragment contains no raw '#'.
	return g.rules.Allowed(strings.ReplaceAll(path, "#", "%23"))
}

// parse returns the group of an agent.
func (r *RobotsData) parse(agent string) (*Group, error) {
	crawler, err := crawlerOf(agent)
	if err != nil {
		return nil, err
	}
	rules, err := crawler.Parse(r.body)
	if err != nil {
		return nil, err
	}
	group := newGroup(rules)
	if r.hasDelay {
		group.CrawlDelay, _ = rules.CrawlDelay()
	}
	return group, nil
}

// crawlers are the crawlers by agent: a program asks many files for one agent.
var crawlers = struct {
	lock sync.RWMutex
	of   map[string]*robots.Crawler
}{of: map[string]*robots.Crawler{}}

func crawlerOf(agent string) (*robots.Crawler, error) {
	crawlers.lock.RLock()
	crawler := crawlers.of[agent]
	crawlers.lock.RUnlock()
	if crawler != nil {
		return crawler, nil
	}
	crawler, err := robots.NewCrawlerWithoutToken(robots.WithNamesIn(agent))
	if err != nil {
		return nil, err
	}
	crawlers.lock.Lock()
	defer crawlers.lock.Unlock()
	remember(crawlers.of, agent, crawler)
	return crawler, nil
}

// host returns the value of the first host line, which has no effect on verdicts.
func host(body []byte) string {
	for line := range bytes.FieldsFuncSeq(body, func(c rune) bool { return c == '\n' || c == '\r' }) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		field, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(bytes.TrimSpace(field), []byte("host")) {
			if value = bytes.TrimSpace(value); len(value) > 0 {
				return string(value)
			}
		}
	}
	return ""
}
