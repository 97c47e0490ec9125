package robots

import (
	"cmp"
	"fmt"
	"runtime"
)

// A Report lists the problems of a robots.txt and what each of its lines means. It holds plain values.
type Report struct {
	// Diagnostics are in the order of the file, after those about the whole file. Of each code the first 100 are kept.
	Diagnostics []Diagnostic
	// Lines are the lines that were parsed; Lines[0] is line 1.
	Lines []LintLine
	// The number of diagnostics of each severity, also of those that were not kept.
	Notes, Warnings, Errors int

	text string
}

// A Diagnostic is one possible problem.
type Diagnostic struct {
	Code         Code
	Severity     Severity
	Line, Column int    // counted from 1, the column in bytes; 0: it is about the whole file
	Start, End   int    // the byte range of the file that it is about: from Start to before End
	OtherLine    int    // a related line; 0: none
	Message      string // one sentence
	Suggestion   string // what to do; "" where there is no advice
	Fix          *Fix   // an edit of the file that removes it; nil: none
}

// A Fix is an edit of a robots.txt. To apply several, sort them by Start and leave out those that begin before the end of the
// one before.
type Fix struct {
	Start, End  int    // the byte range to replace, from Start to before End; equal for an insertion
	Replacement string // the text in its place
	// Safe: the edit changes no verdict of any crawler with one token in the dialect of the report; RFC9309 and Google count as
	// one dialect. This also holds for all safe edits together.
	Safe bool
}

// String returns severity, code, line and message: "warning R051, line 3: ...".
func (d Diagnostic) String() string {
	place := ""
	if d.Line > 0 {
		place = fmt.Sprintf(", line %d", d.Line)
	}
	return fmt.Sprintf("%v %v%s: %s", d.Severity, d.Code, place, d.Message)
}

// A Code is a kind of diagnostic. Codes are never renumbered.
type Code uint32

// String returns the code as reports show it: "R051".
func (c Code) String() string { return fmt.Sprintf("R%03d", uint32(c)) }

// Title returns a title of a few words; "" for an unknown code.
func (c Code) Title() string { return c.meaning().Title }

// Explanation returns what the code means and what to do; "" for an unknown code.
func (c Code) Explanation() string { return c.meaning().Explanation }

func (c Code) meaning() (meaning meaningParts) {
	if lintCode(c, &meaning) != nil {
		return meaningParts{} // an unknown code
	}
	return meaning
}

// A Severity is how serious a diagnostic is.
type Severity uint32

// String returns the severity: "note", "warning", "error".
func (s Severity) String() string {
	return wordOf(severities[:], uint64(s), "severity")
}

var severities = [...]string{
	0:               "none",
	SeverityNote:    "note",
	SeverityWarning: "warning",
	SeverityError:   "error",
}

// A LintLine is one line of a robots.txt and what it means.
type LintLine struct {
	Kind         LineKind
	Group        int // the group that it belongs to, counted from 1; 0: none
	Start, End   int // its byte range in the file, without the line end
	Field, Value string
}

// A LineKind is what a line is.
type LineKind uint32

// String returns the kind in words.
func (k LineKind) String() string {
	return wordOf(lineKinds[:], uint64(k), "kind")
}

var lineKinds = [...]string{
	LineBlank:         "blank",
	LineComment:       "comment",
	LineUserAgent:     "user-agent",
	LineAllow:         "allow",
	LineDisallow:      "disallow",
	LineSitemap:       "sitemap",
	LineCrawlDelay:    "crawl-delay",
	LineExtension:     "extension",
	LineUnknown:       "unknown",
	LineNotUnderstood: "not understood",
}

// Lint reports the problems of a robots.txt to its author. A robots.txt is for all crawlers: of c, only the dialect, the
// size limit and the options count, not the tokens. No content is an error; the error is [ErrMemory] on allocation failure.
func (c *Crawler) Lint(body []byte) (*Report, error) {
	report, err := c.lint(body)
	if err != nil {
		return nil, fmt.Errorf("robots: lint: %w", err)
	}
	return report, nil
}

func (c *Crawler) lint(body []byte) (*Report, error) {
	r, err := lintNew(c.object.get(), body)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, err
	}
	defer lintFree(r)
	var counts lintCounts
	counted := lintCount(r, &counts)
	text, written := lintText(r)
	out := &Report{
		Notes: int(counts.Notes), Warnings: int(counts.Warnings), Errors: int(counts.Errors), text: text,
		Lines: make([]LintLine, 0, counts.Lines),
	}
	diagnostics := each(r, lintGet, func(d *diagnosticParts) {
		diagnostic := Diagnostic{
			Code: d.Code, Severity: d.Severity, Line: int(d.Line), Column: int(d.Column), Start: int(d.Start),
			End: int(d.End), OtherLine: int(d.OtherLine), Message: d.Message, Suggestion: d.Suggestion,
		}
		const unsafe, safe = 1, 2 // enum robots_lint_fix
		if d.Fix == unsafe || d.Fix == safe {
			diagnostic.Fix = &Fix{int(d.FixStart), int(d.FixEnd), d.FixReplacement, d.Fix == safe}
		}
		out.Diagnostics = append(out.Diagnostics, diagnostic)
	})
	lines := each(r, lintLine, func(line *lineParts) {
		out.Lines = append(out.Lines, LintLine{
			Kind: line.Kind, Group: int(line.Group), Start: int(line.Start), End: int(line.End), Field: line.Field, Value: line.Value,
		})
	})
	if err := cmp.Or(counted, written, diagnostics, lines); err != nil {
		return nil, err
	}
	return out, nil
}

// String returns the report in the format of compilers: each diagnostic with its line and a mark below it, then a summary.
// It shows the first ten diagnostics of each code. It has no control characters other than line ends.
func (r *Report) String() string { return r.text }
