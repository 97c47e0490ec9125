//go:build cgo

package robots

/*
#include "native.h"

#cgo noescape robots_extensions_parse
#cgo nocallback robots_extensions_parse
#cgo noescape robots_extensions_line
#cgo nocallback robots_extensions_line
#cgo noescape robots_extensions_preferences
#cgo nocallback robots_extensions_preferences
#cgo nocallback robots_extensions_free
#cgo noescape robots_preferences_from_header
#cgo nocallback robots_preferences_from_header
#cgo noescape robots_preferences_get
#cgo nocallback robots_preferences_get
#cgo nocallback robots_preferences_free
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

// Extensions are the records of a robots.txt other than groups and rules: lines without effect on a verdict (SPEC 9.3 to
// 9.5), in the groups that the crawler obeys and outside of groups. They are safe for concurrent use. There is nothing to
// close.
type Extensions struct {
	Lines  []Extension // in the order of the file
	object *owned[*C.robots_extensions]
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

// A Preference is whether one use of the fetched content is preferred. A label that is not listed has no preference, which
// neither permits nor forbids the use.
type Preference struct {
	Vocabulary Vocabulary
	Label      string // such as "train-ai"; case-sensitive, any bytes
	Choice     Choice
	Line       int // of the robots.txt, counted from 1; 0 for a header
}

// A Vocabulary is where a label is defined.
type Vocabulary uint32

// A Choice is the value of a [Preference].
type Choice uint32

// String returns the choice in a word.
func (c Choice) String() string {
	return wordOf(choices[:], uint64(c), "choice")
}

var choices = [...]string{
	ChoiceNo:      "no",
	ChoiceYes:     "yes",
	ChoiceUnknown: "unknown",
}

// Extensions returns the records of a robots.txt other than groups and rules. No content is an error; the error is
// [ErrMemory] on allocation failure.
func (c *Crawler) Extensions(body []byte) (*Extensions, error) {
	var e *C.robots_extensions
	status := C.robots_extensions_parse(c.object.get(), bytesStart(body), C.size_t(len(body)), &e)
	runtime.KeepAlive(c)
	if err := errorOf(status); err != nil {
		return nil, fmt.Errorf("robots: extensions: %w", err)
	}
	var lines []Extension
	line := C.robots_extension{size: C.sizeof_robots_extension}
	for i := C.size_t(0); C.robots_extensions_line(e, i, &line) == C.ROBOTS_OK; i++ {
		lines = append(lines, Extension{
			Field: ExtensionField(line.field), Line: int(line.line), Value: textOf(line.value), InGroup: line.in_group != 0,
			Requests: int(line.requests), Per: time.Duration(line.seconds) * time.Second,
			From: time.Duration(line.from) * time.Minute, Until: time.Duration(line.until) * time.Minute,
		})
	}
	free := func(e *C.robots_extensions) { C.robots_extensions_free(e) }
	return &Extensions{lines, own(e, free, len(body))}, nil
}

// Preferences returns the file's preferences about the content of url, sorted by vocabulary, then by label. A URL that is
// not allowed has none. The error is [ErrURL] for a string that is no URL.
func (e *Extensions) Preferences(url string) ([]Preference, error) {
	var p *C.robots_preferences
	status := C.robots_extensions_preferences(e.object.get(), stringStart(url), C.size_t(len(url)), &p)
	runtime.KeepAlive(e)
	preferences, err := preferencesOf(p, status)
	if err != nil {
		return nil, fmt.Errorf("robots: preferences for %q: %w", url, err)
	}
	return preferences, nil
}

// PreferencesFromHeader parses the value of a Content-Usage header. Join the values of several such headers by ", ". A
// value that cannot be parsed has no preferences. The error is [ErrMemory] on allocation failure.
func PreferencesFromHeader(value string) ([]Preference, error) {
	var p *C.robots_preferences
	status := C.robots_preferences_from_header(stringStart(value), C.size_t(len(value)), &p)
	preferences, err := preferencesOf(p, status)
	if err != nil {
		return nil, fmt.Errorf("robots: preferences of a header: %w", err)
	}
	return preferences, nil
}

func preferencesOf(p *C.robots_preferences, status C.robots_status) ([]Preference, error) {
	if err := errorOf(status); err != nil {
		return nil, err
	}
	defer C.robots_preferences_free(p)
	var preferences []Preference
	c := C.robots_preference{size: C.sizeof_robots_preference}
	for i := C.size_t(0); C.robots_preferences_get(p, i, &c) == C.ROBOTS_OK; i++ {
		preferences = append(preferences, Preference{Vocabulary(c.vocabulary), textOf(c.label), Choice(c.choice), int(c.line)})
	}
	return preferences, nil
}
