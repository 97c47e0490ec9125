package robots

import (
	"fmt"
	"sync"
	"time"
)

// Rules are a robots.txt, compiled for one crawler. They are safe for concurrent use. There is nothing to close: they are
// one block of bytes (the image) in Go's memory. [Crawler.Parse], [AllowAll], [DisallowAll] and [Rules.UnmarshalBinary]
// create them. The zero Rules allows nothing.
type Rules struct {
	image []byte
	id    rulesID // for the copies of the image that the lowest layer keeps
}

// String returns the size of the rules.
func (r *Rules) String() string {
	return fmt.Sprintf("rules of %d bytes", len(r.image))
}

func newRules(image []byte) *Rules {
	return &Rules{image: image, id: newRulesID()}
}

// Allowed reports whether the crawler may fetch url. [Rules.Check] also returns the reason.
func (r *Rules) Allowed(url string) bool {
	return r.Check(url).Allowed()
}

// Check decides about one URL (SPEC 8). url is an absolute URL or a path that starts with '/'. Only path and query count. It
// may hold any bytes and have any length. Any other string gets a verdict with [ErrURL], which is not allowed.
//
// Pass the URL that the client sends. One that clients rewrite, such as /a/../b, is allowed only if each reading is (SPEC 8.11).
func (r *Rules) Check(url string) Verdict {
	return check(r, url)
}

// CheckBatch decides about many URLs with one call into the library, which is faster than one call per URL. It returns the
// verdicts in the order of the URLs. It uses the memory of out if that is large enough: pass the last result to allocate
// nothing.
func (r *Rules) CheckBatch(urls []string, out []Verdict) []Verdict {
	if cap(out) < len(urls) {
		out = make([]Verdict, len(urls))
	}
	out = out[:len(urls)]
	if len(urls) > 0 {
		b := batches.Get().(*batch)
		b.fill(urls)
		checkMany(r, b.text, b.ends, out)
		b.release()
	}
	return out
}

// A batch is a list of URLs as one block of memory: the library cannot follow the pointers of a []string.
type batch struct {
	text []byte
	ends []uintptr
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) fill(urls []string) {
	b.text, b.ends = b.text[:0], b.ends[:0]
	for _, url := range urls {
		b.text = append(b.text, url...)
		b.ends = append(b.ends, uintptr(len(b.text)))
	}
}

func (b *batch) release() {
	// The pool does not keep the memory of an unusually large batch.
	const most = 1 << 20
	if cap(b.text) <= most && cap(b.ends) <= most/8 {
		batches.Put(b)
	}
}

// CrawlDelay returns the longest crawl-delay of the groups that the crawler obeys (SPEC 9.2); false if there is none. A
// delay beyond the longest Duration, 292 years, becomes the longest Duration.
func (r *Rules) CrawlDelay() (time.Duration, bool) {
	return durationOf(crawlDelay(r))
}

// Sitemaps returns the values of the sitemap lines, unchanged and in the order of the file (SPEC 9.1); nil if there are
// none.
func (r *Rules) Sitemaps() []string { return sitemaps(r) }

// An EffectiveRule is a rule that can decide.
type EffectiveRule struct {
	// Pattern is the path in canonical form, as it is compared (SPEC 8.6): '*' is the wildcard and a final '$' the end of the URL,
	// but not in Koster1996. A pattern with more '*' than it needs is an equivalent one of the same length.
	Pattern string
	Line    int // from 1; 0 for a site-wide rule that no line states
	Allow   bool
}

// String returns the rule as a line of a robots.txt.
func (e EffectiveRule) String() string {
	if e.Allow {
		return "Allow: " + e.Pattern
	}
	return "Disallow: " + e.Pattern
}

// EffectiveRules returns the rules that can decide, in the order of the file; nil if there are none. It is for people:
// [Rules.Check] is the way to a verdict. Left out are rules that never decide: equal to an earlier one, without a path, or with
// a path that matches no URL (SPEC 8.5). Rules that disallow the whole site are one rule, "/". Each call builds the list. The
// error is [ErrImage] for rules that were never parsed, and [ErrMemory], also for patterns of more than 64 MiB.
func (r *Rules) EffectiveRules() ([]EffectiveRule, error) {
	list, err := ruleListNew(r)
	if err != nil {
		return nil, fmt.Errorf("robots: list the rules: %w", err)
	}
	defer ruleListFree(list)
	var rules []EffectiveRule
	err = each(list, ruleListGet, func(c *ruleParts) {
		rules = append(rules, EffectiveRule{Pattern: c.Pattern, Line: int(c.Line), Allow: c.Allow != 0})
	})
	if err != nil {
		return nil, fmt.Errorf("robots: list the rules: %w", err)
	}
	return rules, nil
}

// MarshalBinary returns a copy of the rules' image, the same bytes that robots_rules_image returns in C. It can be stored,
// and read on other machines. Rules that were never parsed are [ErrImage].
func (r *Rules) MarshalBinary() ([]byte, error) {
	return r.AppendBinary(nil)
}

// AppendBinary appends what [Rules.MarshalBinary] returns to bytes.
func (r *Rules) AppendBinary(bytes []byte) ([]byte, error) {
	if len(r.image) == 0 {
		return bytes, fmt.Errorf("robots: marshal rules that were never parsed: %w", ErrImage)
	}
	return append(bytes, r.image...), nil
}

// UnmarshalBinary replaces the rules by those of an image. The image may come from an untrusted source: it is copied, then
// validated as a whole. The error is [ErrImage] for a damaged image, [ErrImageFormat] for one of another format version;
// the rules then stay as they were. It is not safe for concurrent use with other methods.
func (r *Rules) UnmarshalBinary(image []byte) error {
	// Copied first: another goroutine could write to the bytes after they were validated.
	image = append([]byte(nil), image...)
	if err := validate(image); err != nil {
		return fmt.Errorf("robots: unmarshal: %w", err)
	}
	*r = *newRules(image)
	return nil
}

// AllowAll returns rules that allow every URL, as for a site without a robots.txt (SPEC 2.5).
func AllowAll() *Rules {
	rules := *sharedAllowAll()
	return &rules
}

// DisallowAll returns rules that disallow every URL except /robots.txt.
func DisallowAll() *Rules {
	rules := *sharedDisallowAll()
	return &rules
}

// Images are immutable, so all such rules share one.
var (
	sharedAllowAll    = sync.OnceValue(func() *Rules { return mustHave(siteWide(true)) })
	sharedDisallowAll = sync.OnceValue(func() *Rules { return mustHave(siteWide(false)) })
)

// mustHave panics on allocation failure, as the runtime does for a few bytes.
func mustHave(rules *Rules, err error) *Rules {
	if err != nil {
		panic(err)
	}
	return rules
}
