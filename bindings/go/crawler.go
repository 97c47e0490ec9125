package robots

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// A Crawler is the identity of a crawler: its product tokens, its dialect, its limits. It is immutable and safe for
// concurrent use. The garbage collector frees it. Create it once with [NewCrawler] or [Preset].
type Crawler struct {
	object *owned[crawlerHandle]
	token  string // for messages
	// For fetching robots.txt files (policy.go).
	userAgent string
	timeout   time.Duration
	clock     func() time.Time // nil: time.Now
	tokens    []string         // for the cache's warning about another User-Agent
}

// An Option configures a crawler. The order of options does not matter.
type Option func(*settings)

type settings struct {
	fallbacks []string
	texts     []string
	numbers   []setting
	userAgent string
	timeout   time.Duration
	clock     func() time.Time
}

type setting struct {
	name   string
	option uint32
	value  uint64
	given  any    // the value as the caller wrote it, for messages
	valid  string // what may be passed
}

func set(one setting) Option {
	return func(s *settings) { s.numbers = append(s.numbers, one) }
}

func number(name string, option uint32, value uint64, valid string) Option {
	return set(setting{name, option, value, value, valid})
}

// A Dialect is a variant of the Robots Exclusion Protocol.
type Dialect uint32

// String returns the name of the dialect.
func (d Dialect) String() string {
	return wordOf(dialects[:], uint64(d), "dialect")
}

var dialects = [...]string{
	RFC9309:    "rfc9309",
	Google:     "google",
	Koster1996: "koster1996",
}

// WithFallback adds up to 63 product tokens, in order of preference. A token counts when no group of a robots.txt names an
// earlier one (SPEC 7.1): NewCrawler("Googlebot-Image", WithFallback("Googlebot")).
func WithFallback(tokens ...string) Option {
	return func(s *settings) { s.fallbacks = append(s.fallbacks, tokens...) }
}

// WithNamesIn adds the names in a text as product tokens, in order of preference (SPEC 7.9). The text is any, such as a User-Agent header
// or the name in a user-agent line: NewCrawlerWithoutToken(WithNamesIn("Yahoo! Slurp")). A text without a name adds none.
func WithNamesIn(text string) Option {
	return func(s *settings) { s.texts = append(s.texts, text) }
}

// NewCrawler returns a crawler whose product token is token, such as "ExampleBot": letters, digits, '.', '_' and '-'
// ([Google]: letters, '_' and '-'; [Koster1996]: a token of RFC 1945), not a whole User-Agent header (SPEC 7.6): [TokenFromUserAgent] finds the token in one.
//
// The error is [ErrToken] if token is no product token, and [ErrArgument] for an option out of its range; errors.Is
// distinguishes them.
func NewCrawler(token string, options ...Option) (*Crawler, error) {
	if token == "*" { // C's name of a crawler without a token
		return nil, fmt.Errorf("robots: token %q: for a crawler without a token call NewCrawlerWithoutToken: %w", token, ErrToken)
	}
	return newCrawler([]string{token}, options)
}

// TokenFromUserAgent returns the product token in a User-Agent header, such as "Mozilla/5.0 (compatible; ExampleBot/1.0)": the
// first product that is not a browser's (SPEC 7.6). In a comment only the products after "compatible;" count. The error is
// [ErrToken] if there is none.
func TokenFromUserAgent(header string) (string, error) {
	token, err := tokenFromUserAgent(header)
	if err != nil {
		return "", fmt.Errorf("robots: User-Agent %q: %w", header, err)
	}
	return token, nil
}

// NewCrawlerWithoutToken returns a crawler that obeys only the groups for '*' (SPEC 7.4). Its requests carry the User-Agent of
// [WithUserAgent]. The error is [ErrArgument] for an option out of its range.
func NewCrawlerWithoutToken(options ...Option) (*Crawler, error) {
	return newCrawler(nil, options)
}

func newCrawler(tokens []string, options []Option) (*Crawler, error) {
	handle, err := crawlerNew("*")
	if err != nil {
		return nil, fmt.Errorf("robots: %w", err)
	}
	return configure(handle, strings.Join(tokens, ""), tokens, options)
}

// Preset returns a crawler configured like a well-known one, such as "Googlebot-Image" (case does not matter). It sets what
// the operator has published: product tokens in order of preference, dialect, whether it ignores the groups for '*'.
// Operators may change these. options override them. An unknown name is [ErrToken].
func Preset(name string, options ...Option) (*Crawler, error) {
	handle, err := crawlerPreset(name)
	if err == ErrToken {
		return nil, fmt.Errorf("robots: %w", unknownPreset(name))
	}
	if err != nil {
		return nil, fmt.Errorf("robots: preset %q: %w", name, err)
	}
	return configure(handle, name, nil, options)
}

// An unknownPreset is the name of no preset. It is an [ErrToken], whose text is about tokens.
type unknownPreset string

func (u unknownPreset) Error() string {
	return fmt.Sprintf("no preset has the name %q: `robots crawlers` lists them; or create the crawler with its product token", string(u))
}

func (unknownPreset) Unwrap() error { return ErrToken }

func configure(handle crawlerHandle, token string, tokens []string, options []Option) (*Crawler, error) {
	s := settings{userAgent: token, timeout: 30 * time.Second}
	for _, option := range options {
		option(&s)
	}
	tokens = append(tokens, s.fallbacks...)
	crawler := &Crawler{own(handle, crawlerFree, 0), token, s.userAgent, s.timeout, s.clock, tokens}
	defer runtime.KeepAlive(crawler)
	// The dialect first: it defines which tokens are valid.
	for _, n := range s.numbers {
		if err := crawlerSet(handle, n.option, n.value); err != nil {
			return nil, fmt.Errorf("robots: token %q: %s is %s, not %v: %w", token, n.name, n.valid, n.given, err)
		}
	}
	for _, token := range tokens {
		if err := crawlerAddToken(handle, token); err != nil {
			if found, missing := tokenFromUserAgent(token); err == ErrToken && missing == nil && found != token {
				return nil, fmt.Errorf("robots: token %q: pass its product token %q: %w", token, found, err)
			}
			return nil, fmt.Errorf("robots: token %q: %w", token, err)
		}
	}
	for _, text := range s.texts {
		if err := crawlerAddNamesIn(handle, text); err != nil {
			return nil, fmt.Errorf("robots: names in %q: %w", text, err)
		}
	}
	if s.timeout < time.Millisecond {
		return nil, fmt.Errorf("robots: token %q: timeout is at least a millisecond, not %v: %w", token, s.timeout, ErrArgument)
	}
	if strings.ContainsFunc(s.userAgent, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7F }) {
		// net/http refuses such a header, and every site would seem unreachable.
		return nil, fmt.Errorf("robots: token %q, User-Agent %q: %w", token, s.userAgent, ErrArgument)
	}
	return crawler, nil
}

// areCreated returns an error if a crawler is nil or empty: usually the error of NewCrawler was ignored.
func areCreated(crawlers []*Crawler, of string) error {
	for i, crawler := range crawlers {
		if crawler == nil || crawler.object == nil {
			return fmt.Errorf("robots: crawler %d of %s is nil or empty: pass what NewCrawler returned, and check its error: %w", i, of, ErrArgument)
		}
	}
	return nil
}

// CheckOnce decides about one URL of a robots.txt and keeps nothing of it. The verdict is that of [Crawler.Parse] and
// [Rules.Check], in a third of the time of both. For more than one URL of a site, parse. The verdict of a Crawler that
// NewCrawler did not return has [ErrArgument].
func (c *Crawler) CheckOnce(body []byte, url string) Verdict {
	verdict := checkOnce(c.object.get(), body, url)
	runtime.KeepAlive(c)
	return verdict
}

// now returns the time of the crawler's clock.
func (c *Crawler) now() time.Time {
	if c.clock == nil {
		return time.Now()
	}
	return c.clock()
}

// Parse compiles a robots.txt for the crawler. body may be any bytes, also none: no content is an error (SPEC 4.3). The
// rules keep no reference to body. Pass the body after its content coding is undone: if it is still compressed, every check
// returns [ReasonUnreachable], except in [Google] (SPEC 4.4). If it is an address in place of the content, such as
// "https://example.com/robots.txt", every verdict has [ErrArgument] (SPEC 4.7). A fetch that failed has no file, which is not an
// empty one: pass its status to that method. The error is [ErrMemory] on allocation failure, and [ErrArgument] for a Crawler that
// NewCrawler did not return.
func (c *Crawler) Parse(body []byte) (*Rules, error) {
	rules, err := parse(c.object.get(), body)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: parse for token %q: %w", c.token, err)
	}
	return rules, nil
}
