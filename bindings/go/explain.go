//go:build cgo

package robots

import (
	"fmt"
	"runtime"
)

// An Explanation says why a URL may be fetched or not: which line decided, and why not another. It is made of plain values;
// the texts in it are as strangers wrote them, any bytes, but those of [Explanation.String].
type Explanation struct {
	Verdict Verdict // as Check gives it
	// Path is the path and query as they were compared: in canonical form (SPEC 8.6).
	Path string
	// Token is the product token that the groups obeyed name; "*" where they are for everyone, "" where none applies.
	Token string
	// Agents are the user-agent lines that name the crawler, in the order of the file: why their groups are obeyed.
	Agents []AgentLine
	// Rules are those that match, the strongest first: the first decides, if any does.
	Rules []MatchedRule
	// Dialects has what each dialect decides on the same file and URL; [ErrURL] where only Google's takes it for a URL.
	Dialects map[Dialect]Verdict

	text string
}

// An AgentLine is a user-agent line of a robots.txt.
type AgentLine struct {
	Line int    // counted from 1
	Text string // as it is written, without comment
}

// A MatchedRule is a rule that matches the URL of an [Explanation].
type MatchedRule struct {
	Line    int    // counted from 1
	Text    string // the line as it is written, without comment
	Path    string // the path in it
	Pattern string // the path as it is compared; its length is what counts (SPEC 8.7)
	Allow   bool
	Result  MatchResult
}

// A MatchResult is what became of a rule that matches.
type MatchResult uint32

const (
	MatchWon             MatchResult = iota // it decides
	MatchShorter                            // a longer one decides (SPEC 8.7)
	MatchTieLostToAllow                     // as long as the winner, which allows (SPEC 8.7)
	MatchLaterEqual                         // as long as the winner and of the same kind, but further down
	MatchAfterFirstMatch                    // an earlier one decides (SPEC 8.7, Koster1996)
	MatchEmpty                              // without a path it decides nothing (SPEC 8.8, Google)
)

// String gives the result in words.
func (f MatchResult) String() string {
	return wordOf(results[:], uint64(f), "result")
}

var results = [...]string{
	"decides", "a longer rule decides", "at equal length allow decides", "an equal rule stands further up",
	"an earlier rule decides", "without a path it decides nothing",
}

// Explain says why the robots.txt body lets the crawler fetch url, or not. It is for people, not for the way of every URL: the
// file is read each time. The error is [ErrURL] for what is no URL (SPEC 8.5b).
func (c *Crawler) Explain(body []byte, url string) (*Explanation, error) {
	explanation, err := explain(c.object.get(), body, url)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: explain %q: %w", url, err)
	}
	return explanation, nil
}

// String gives the explanation as lines for a terminal, with nothing in them that a terminal would obey. Later versions may
// word it otherwise.
func (e *Explanation) String() string { return e.text }
