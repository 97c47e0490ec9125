//go:build cgo

package robots

/*
#include "native.h"

#cgo noescape robots_lint
#cgo nocallback robots_lint
#cgo noescape robots_lint_report_count
#cgo nocallback robots_lint_report_count
#cgo noescape robots_lint_report_get
#cgo nocallback robots_lint_report_get
#cgo noescape robots_lint_report_line
#cgo nocallback robots_lint_report_line
#cgo nocallback robots_lint_report_text
#cgo nocallback robots_lint_report_free
#cgo noescape robots_lint_code
#cgo nocallback robots_lint_code
*/
import "C"

import (
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
func (c Code) Title() string { return textOf(c.meaning().title) }

// Explanation returns what the code means and what to do; "" for an unknown code.
func (c Code) Explanation() string { return textOf(c.meaning().explanation) }

func (c Code) meaning() C.robots_lint_meaning {
	meaning := C.robots_lint_meaning{size: C.sizeof_robots_lint_meaning}
	C.robots_lint_code(C.uint32_t(c), &meaning)
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
	var r *C.robots_lint_report
	status := C.robots_lint(c.object.get(), bytesStart(body), C.size_t(len(body)), &r)
	runtime.KeepAlive(c)
	if err := errorOf(status); err != nil {
		return nil, fmt.Errorf("robots: lint: %w", err)
	}
	defer C.robots_lint_report_free(r)
	counts := C.robots_lint_counts{size: C.sizeof_robots_lint_counts}
	C.robots_lint_report_count(r, &counts)
	out := &Report{
		Notes: int(counts.notes), Warnings: int(counts.warnings), Errors: int(counts.errors), text: textOf(C.robots_lint_report_text(r)),
		Lines: make([]LintLine, 0, counts.lines),
	}
	d := C.robots_lint_diagnostic{size: C.sizeof_robots_lint_diagnostic}
	for i := C.size_t(0); C.robots_lint_report_get(r, i, &d) == C.ROBOTS_OK; i++ {
		diagnostic := Diagnostic{
			Code: Code(d.code), Severity: Severity(d.severity), Line: int(d.line), Column: int(d.column), Start: int(d.start),
			End: int(d.end), OtherLine: int(d.other_line), Message: textOf(d.message), Suggestion: textOf(d.suggestion),
		}
		if d.fix != C.ROBOTS_LINT_FIX_NONE {
			diagnostic.Fix = &Fix{int(d.fix_start), int(d.fix_end), textOf(d.fix_replacement), d.fix == C.ROBOTS_LINT_FIX_SAFE}
		}
		out.Diagnostics = append(out.Diagnostics, diagnostic)
	}
	line := C.robots_lint_line{size: C.sizeof_robots_lint_line}
	for number := C.size_t(1); C.robots_lint_report_line(r, number, &line) == C.ROBOTS_OK; number++ {
		out.Lines = append(out.Lines, LintLine{
			Kind: LineKind(line.kind), Group: int(line.group), Start: int(line.start), End: int(line.end), Field: textOf(line.field),
			Value: textOf(line.value),
		})
	}
	return out, nil
}

// String returns the report in the format of compilers: each diagnostic with its line and a mark below it, then a summary.
// It shows the first ten diagnostics of each code. It has no control characters other than line ends.
func (r *Report) String() string { return r.text }
