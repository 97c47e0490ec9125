package robots

import (
	"fmt"
	"runtime"
	"time"
)

// Extensions are the records of a robots.txt other than groups and rules: lines without effect on a verdict (SPEC 9.3 to
// 9.5), in the groups that the crawler obeys and outside of groups. [Crawler.Uses] says what some of them mean for a URL.
type Extensions struct {
	Lines []Extension // in the order of the file
}

// An Extension is a line without effect on a verdict.
type Extension struct {
	Field   ExtensionField
	Line    int    // counted from 1
	Value   string // the raw value, without comment; any bytes
	InGroup bool   // the line is in a group that the crawler obeys, not outside of groups

	Requests int           // of a request-rate: the number of requests
	Per      time.Duration // of a request-rate: the time for them; 0 if the value is invalid, and for another line
	// From and Until are the hours of a visit-time or request-rate, since midnight UTC. An Until that is not later than
	// From is after midnight. Both are 0 if the line gives no hours.
	From, Until time.Duration
}

// An ExtensionField is the field of an [Extension].
type ExtensionField uint32

// String returns the field's name.
func (f ExtensionField) String() string {
	return wordOf(extensionFields[:], uint64(f), "field")
}

var extensionFields = [...]string{
	ExtensionRequestRate:   "request-rate",
	ExtensionVisitTime:     "visit-time",
	ExtensionHost:          "host",
	ExtensionCleanParam:    "clean-param",
	ExtensionNoIndex:       "noindex",
	ExtensionContentSignal: "content-signal",
	ExtensionContentUsage:  "content-usage",
	ExtensionLicense:       "license",
}

// Extensions returns the records of a robots.txt other than groups and rules. No content is an error; the error is
// [ErrMemory] on allocation failure.
func (c *Crawler) Extensions(body []byte) (*Extensions, error) {
	e, err := extensionsParse(c.object.get(), body)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: extensions: %w", err)
	}
	defer extensionsFree(e)
	out := new(Extensions)
	err = each(e, extensionsLine, func(line *extensionParts) {
		out.Lines = append(out.Lines, Extension{
			Field: line.Field, Line: int(line.Line), Value: line.Value, InGroup: line.InGroup != 0,
			Requests: int(line.Requests), Per: time.Duration(line.Seconds) * time.Second,
			From: time.Duration(line.From) * time.Minute, Until: time.Duration(line.Until) * time.Minute,
		})
	})
	if err != nil {
		return nil, fmt.Errorf("robots: extensions: %w", err)
	}
	return out, nil
}
