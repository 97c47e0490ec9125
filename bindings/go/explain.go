//go:build cgo

package robots

/*
#include "native.h"

#cgo noescape robots_rules_explain
#cgo nocallback robots_rules_explain
#cgo noescape robots_explanation_get
#cgo nocallback robots_explanation_get
#cgo noescape robots_explanation_agent
#cgo nocallback robots_explanation_agent
#cgo noescape robots_explanation_rule
#cgo nocallback robots_explanation_rule
#cgo nocallback robots_explanation_free
*/
import "C"

import (
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
	// Dialects is the verdict of each dialect about the same file and URL; [ErrURL] if only Google's accepts the URL.
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
	var e *C.robots_explanation
	status := C.robots_rules_explain(c.object.get(), bytesStart(body), C.size_t(len(body)), stringStart(url), C.size_t(len(url)), &e)
	runtime.KeepAlive(c)
	if err := errorOf(status); err != nil {
		return nil, fmt.Errorf("robots: explain %q: %w", url, err)
	}
	defer C.robots_explanation_free(e)
	parts := C.robots_explained{size: C.sizeof_robots_explained}
	C.robots_explanation_get(e, &parts)
	out := &Explanation{
		Verdict: Verdict(parts.verdict.bits), Path: textOf(parts.path), Token: textOf(parts.token), text: textOf(parts.text),
		Dialects: map[Dialect]Verdict{
			RFC9309: Verdict(parts.rfc9309.bits), Google: Verdict(parts.google.bits), Koster1996: Verdict(parts.koster1996.bits),
		},
	}
	line := C.robots_explained_line{size: C.sizeof_robots_explained_line}
	for i := C.size_t(0); C.robots_explanation_agent(e, i, &line) == C.ROBOTS_OK; i++ {
		out.Agents = append(out.Agents, AgentLine{Line: int(line.line), Text: textOf(line.text)})
	}
	rule := C.robots_explained_rule{size: C.sizeof_robots_explained_rule}
	for i := C.size_t(0); C.robots_explanation_rule(e, i, &rule) == C.ROBOTS_OK; i++ {
		out.Rules = append(out.Rules, MatchedRule{
			Line: int(rule.line), Text: textOf(rule.text), Path: textOf(rule.path), Pattern: textOf(rule.pattern),
			Allow: rule.allow != 0, Result: MatchResult(rule.result),
		})
	}
	return out, nil
}

// String returns the explanation as lines for a terminal, without control characters other than line ends. Later versions
// may change the words.
func (e *Explanation) String() string { return e.text }
