package robots

import (
	"cmp"
	"fmt"
	"runtime"
)

// An Explanation is why a URL is allowed or not: the line that decides, and why the others do not. It holds plain values.
// Its texts are raw bytes of the file and the URL; only [Explanation.String] is safe for a terminal.
type Explanation struct {
	Verdict Verdict // the one that Check returns
	// Path is the path and query in canonical form, in which they are compared (SPEC 8.6).
	Path string
	// Token is the product token that the obeyed groups name: "*" for groups for everyone, "" if no group applies.
	Token string
	// Agents are the user-agent lines that name the crawler, in the order of the file.
	Agents []AgentLine
	// Rules are the rules that match, by descending priority: if any decides, it is the first.
	Rules []MatchedRule
	// Dialects is the verdict of each dialect about the same file and URL; [ErrURL] if its form of the path is too long.
	Dialects map[Dialect]Verdict

	text string
}

// An AgentLine is a user-agent line of a robots.txt.
type AgentLine struct {
	Line int    // counted from 1
	Text string // the raw line, without comment
}

// A MatchedRule is a rule that matches the URL of an [Explanation].
type MatchedRule struct {
	Line    int    // counted from 1
	Text    string // the raw line, without comment
	Path    string // the path in it
	Pattern string // the path in canonical form, whose length counts (SPEC 8.7)
	Allow   bool
	Result  MatchResult
}

// A MatchResult is why a rule that matches decides or does not.
type MatchResult uint32

// String returns the result in words.
func (m MatchResult) String() string {
	return wordOf(results[:], uint64(m), "result")
}

var results = [...]string{
	MatchWon:             "decides",
	MatchShorter:         "a longer rule decides",
	MatchTieLostToAllow:  "an allow rule of the same length decides",
	MatchLaterEqual:      "an equal rule in an earlier line decides",
	MatchAfterFirstMatch: "an earlier rule decides",
	MatchEmpty:           "a rule without a path never decides",
}

// Explain returns why the robots.txt body allows or disallows url for the crawler. It is for people, not for each URL of a
// crawl: it parses the file each time. The error is [ErrURL] for a string that is no URL (SPEC 8.5b).
func (c *Crawler) Explain(body []byte, url string) (*Explanation, error) {
	explanation, err := c.explain(body, url)
	if err != nil {
		return nil, fmt.Errorf("robots: explain %q: %w", url, err)
	}
	return explanation, nil
}

func (c *Crawler) explain(body []byte, url string) (*Explanation, error) {
	e, err := explanationNew(c.object.get(), body, url)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, err
	}
	defer explanationFree(e)
	var parts explanationParts
	err = explanationGet(e, &parts)
	out := &Explanation{
		Verdict: parts.Verdict, Path: parts.Path, Token: parts.Token, text: parts.Text,
		Dialects: map[Dialect]Verdict{RFC9309: parts.RFC9309, Google: parts.Google, Koster1996: parts.Koster1996},
	}
	agents := each(e, explanationAgent, func(line *agentParts) {
		out.Agents = append(out.Agents, AgentLine{Line: int(line.Line), Text: line.Text})
	})
	rules := each(e, explanationRule, func(rule *matchedParts) {
		out.Rules = append(out.Rules, MatchedRule{
			Line: int(rule.Line), Text: rule.Text, Path: rule.Path, Pattern: rule.Pattern, Allow: rule.Allow != 0, Result: rule.Result,
		})
	})
	if err := cmp.Or(err, agents, rules); err != nil {
		return nil, err
	}
	return out, nil
}

// String returns the explanation as lines for a terminal, without control characters other than line ends. Later versions
// may change the words.
func (e *Explanation) String() string { return e.text }
