//go:build cgo

package robots

import (
	"fmt"
	"runtime"
)

// A Report is what is wrong with a robots.txt, and what each of its lines means. It is made of plain values.
type Report struct {
	// Diagnostics are in the order of the file, those about the file as a whole first; of each kind the first 100.
	Diagnostics []Diagnostic
	// Lines are those that were read; Lines[0] is line 1.
	Lines []LintLine
	// How many diagnostics there are of each severity, also those that were not kept.
	Notes, Warnings, Errors int

	text string
}

// A Diagnostic is one thing that may be wrong.
type Diagnostic struct {
	Code         Code
	Severity     Severity
	Line, Column int    // counted from 1, the column in bytes; 0: it is about the file as a whole
	Start, End   int    // the bytes of the file that it is about, from 0; the end is behind the last
	OtherLine    int    // another line that has to do with it; 0: none
	Message      string // one sentence
	Suggestion   string // what to do; "" where there is no advice
}

// String gives code, place and message: "warning R051, line 3: ...".
func (d Diagnostic) String() string {
	place := ""
	if d.Line > 0 {
		place = fmt.Sprintf(", line %d", d.Line)
	}
	return fmt.Sprintf("%v %v%s: %s", d.Severity, d.Code, place, d.Message)
}

// A Code is a kind of diagnostic; it keeps its number for ever.
type Code uint32

// String gives the code as it is shown: "R051".
func (c Code) String() string { return fmt.Sprintf("R%03d", uint32(c)) }

// Title says in a few words what the kind is; "" for a number that is none.
func (c Code) Title() string { return lintTitle(c) }

// Explanation says what the kind means and what to do; "" for a number that is none.
func (c Code) Explanation() string { return lintExplanation(c) }

// A Severity says how bad it is.
type Severity uint32

const (
	SeverityNote    Severity = 1 // worth knowing; nothing is wrong
	SeverityWarning Severity = 2 // it may not do what its writer thinks, or not for every crawler
	SeverityError   Severity = 3 // it does not do what its writer must have meant
)

// String gives the severity as compilers do: "note", "warning", "error".
func (s Severity) String() string {
	return wordOf(severities[:], uint64(s), "severity")
}

var severities = [...]string{"none", "note", "warning", "error"}

// A LintLine is one line of a robots.txt and what it means.
type LintLine struct {
	Kind         LineKind
	Group        int // the group that it belongs to, counted from 1; 0: none
	Start, End   int // its bytes in the file, from 0, without the line end
	Field, Value string
}

// A LineKind is what a line is.
type LineKind uint32

const (
	LineBlank         LineKind = iota // nothing stands there but white space
	LineComment                       // only a comment
	LineUserAgent                     // it names a crawler
	LineAllow                         // an allow rule
	LineDisallow                      // a disallow rule
	LineSitemap                       // a sitemap
	LineCrawlDelay                    // a crawl-delay
	LineExtension                     // a field that some crawlers read, without effect on a verdict
	LineUnknown                       // a field that nobody knows; the line is skipped
	LineNotUnderstood                 // neither field and value nor a comment; the line is skipped
)

// String gives the kind in words.
func (k LineKind) String() string {
	return wordOf(lineKinds[:], uint64(k), "kind")
}

var lineKinds = [...]string{
	"blank", "comment", "user-agent", "allow", "disallow", "sitemap", "crawl-delay", "extension", "unknown", "not understood",
}

// Lint looks over a robots.txt for its writer. Of the crawler only the dialect, the size limit and the options count, for a
// robots.txt is for everyone. Nothing in a file is an error; the error is [ErrMemory] where the machine has none left.
func (c *Crawler) Lint(body []byte) (*Report, error) {
	report, err := lint(c.object.get(), body)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: lint: %w", err)
	}
	return report, nil
}

// String gives the report in the manner of compilers: each diagnostic with its line and a mark below it, then a summary. Of
// each kind the first ten are shown. There are no control characters in it but line ends.
func (r *Report) String() string { return r.text }
