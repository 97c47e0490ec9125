// Package robotstxt has the functions and types of github.com/temoto/robotstxt, on the engine of librobots: programs and
// libraries that are written for that package, such as colly, use librobots when go.mod says
//
//	replace (
//		github.com/temoto/robotstxt => /path/to/librobots/bindings/go/robotstxt
//		github.com/librobots/librobots/bindings/go => /path/to/librobots/bindings/go
//	)
//
// New programs are better off with package robots, which says why, asks many URLs at once and reads other dialects.
//
// # Where the answers differ
//
// They are those of RFC 9309, which temoto/robotstxt does not give everywhere:
//
//   - No file is an error; lines that are not understood are skipped. A file is read up to 500 KiB.
//   - Common misspellings of fields count ("Disalow: /a", "Disallow : /a"). A rule that starts with neither '/' nor '*' never
//     matches: "Disallow: a" is not "Disallow: /a".
//   - An agent obeys the groups that name it, all of them, not those whose name it merely starts with: Googlebot-News does
//     not obey a group for Googlebot. Of what is given as agent, the product token at its start counts: "ExampleBot/2.1
//     (+https://example.com)" is ExampleBot, and so on a user-agent line. So pass your own name: a header that begins with Mozilla is Mozilla.
//   - The longest rule wins, its wildcards counted as they are written, and at equal length allow wins; "Disallow: /" is
//     a rule of length 1 wherever it stands. A '$' that is not the last octet of a rule is one like any other.
//   - Rules and paths are compared in canonical form: /%7Ejoe is /~joe, /ツ is /%E3%83%84.
//   - /robots.txt itself may always be fetched.
//   - A path that starts with neither '/' nor '?' is refused, not allowed; so is everything by a Group or RobotsData that was
//     not made by a function of this package.
//   - Where a server failed (5xx) all is disallowed, also to a Group that FindGroup gives. Status 429 counts as a failure.
//   - Of several crawl-delays the longest counts, and it is exact to the nanosecond. Of several host lines it is the first.
package robotstxt

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
)

// RobotsData is a robots.txt. It is safe for concurrent use.
type RobotsData struct {
	Host     string   // the value of the first host line
	Sitemaps []string // the values of the sitemap lines

	body     []byte        // parsed once per agent
	siteWide *robots.Rules // instead of a body: they allow or disallow the whole site

	lock   sync.RWMutex
	groups map[string]*Group // by agent, as passed to FindGroup
}

// Group is the rules of a robots.txt for one agent.
type Group struct {
	Agent      string // the product token that was looked for
	CrawlDelay time.Duration

	rules *robots.Rules
}

// ParseError exists for programs that name it. No robots.txt is an error.
type ParseError struct {
	Errs []error
}

// Error returns the errors as text.
func (e ParseError) Error() string {
	return fmt.Sprint("robotstxt: ", e.Errs)
}

const (
	// The rest of a longer file is ignored (SPEC 4.5).
	maxBytes = 512_000
	// The cache of groups keeps at most this number of agents, because the agents may come from an untrusted source.
	maxGroups = 64
	// The token for an agent without a product token. It obeys the groups for '*'.
	noToken = "-"
)

// FromStatusAndBytes returns the RobotsData of a response, by the rules of RFC 9309. 2xx: body is parsed. 4xx: everything is
// allowed. 429 and 5xx: nothing is allowed. Any other status is an error, also a redirect: the HTTP client follows it.
func FromStatusAndBytes(statusCode int, body []byte) (*RobotsData, error) {
	outcome, err := outcomeOf(statusCode)
	if err != nil {
		return nil, err
	}
	switch {
	case statusCode < 200 || statusCode >= 600 || statusCode/100 == 3:
		return nil, fmt.Errorf("robotstxt: unexpected status %d: fetch again later, and follow redirects", statusCode)
	case outcome.Kind == robots.KindRules:
		return FromBytes(body)
	default:
		return &RobotsData{siteWide: outcome.Rules()}, nil
	}
}

// outcomeOf returns the outcome of a status, which is the same for all sites and crawlers.
func outcomeOf(statusCode int) (*robots.Outcome, error) {
	crawler, err := robots.NewCrawler(noToken)
	if err != nil {
		return nil, err
	}
	return crawler.OutcomeFromStatus("http://localhost/", statusCode, nil, time.Now())
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
	// One byte more shows whether the last line is complete.
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("robotstxt: fetch again later: %w", err)
	}
	return FromStatusAndBytes(res.StatusCode, body)
}

// FromBytes parses a robots.txt. The error is not nil only on allocation failure.
func FromBytes(body []byte) (*RobotsData, error) {
	rules, err := parse(body, noToken)
	if err != nil {
		return nil, err
	}
	return &RobotsData{
		Host:     host(body),
		Sitemaps: rules.Sitemaps(),
		body:     bytes.Clone(body[:min(len(body), maxBytes+1)]),
		groups:   map[string]*Group{noToken: newGroup(noToken, rules)},
	}, nil
}

// FromString is [FromBytes] for a string.
func FromString(body string) (*RobotsData, error) {
	return FromBytes([]byte(body))
}

// TestAgent reports whether agent may fetch path: path and query of a URL.
func (r *RobotsData) TestAgent(path, agent string) bool {
	return r.FindGroup(agent).Test(path)
}

// FindGroup returns the rules for agent, a product token or a User-Agent header that begins with one. It is never nil.
func (r *RobotsData) FindGroup(agent string) *Group {
	switch {
	case r != nil && r.siteWide != nil:
		return &Group{Agent: token(agent), rules: r.siteWide}
	case r == nil || r.groups == nil: // a zero value
		return &Group{Agent: token(agent)}
	}
	r.lock.RLock()
	group := r.groups[agent]
	r.lock.RUnlock()
	if group != nil {
		return group
	}
	token := token(agent)
	rules, err := parse(r.body, token)
	if err != nil {
		return &Group{Agent: token}
	}
	group = newGroup(token, rules)
	r.lock.Lock()
	defer r.lock.Unlock()
	if len(r.groups) < maxGroups {
		r.groups[strings.Clone(agent)] = group
	}
	return group
}

// Test reports whether path may be fetched: path and query of a URL.
func (g *Group) Test(path string) bool {
	if g == nil || g.rules == nil {
		return false
	}
	// The path of http://host and http://host?query is "/".
	if path == "" || path[0] == '?' {
		path = "/" + path
	}
	return path[0] == '/' && g.rules.Allowed(path)
}

func newGroup(token string, rules *robots.Rules) *Group {
	delay, _ := rules.CrawlDelay()
	return &Group{Agent: token, CrawlDelay: delay, rules: rules}
}

func parse(body []byte, token string) (*robots.Rules, error) {
	crawler, err := robots.NewCrawler(token)
	if err != nil {
		return nil, err
	}
	return crawler.Parse(body)
}

// token returns the product token at the start of a User-Agent.
func token(agent string) string {
	agent = strings.TrimSpace(agent)
	end := strings.IndexFunc(agent, func(c rune) bool {
		return !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-')
	})
	if end >= 0 {
		agent = agent[:end]
	}
	// No file names a token of this length.
	if agent == "" || len(agent) > 1024 {
		return noToken
	}
	return agent
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
