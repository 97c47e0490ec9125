package robots

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
	object *owned[extensionsHandle]
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
	Label      string // such as "train-ai"; case-sensitive, any bytes; that of a content-signal is in lower case
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
	e, err := extensionsParse(c.object.get(), body)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: extensions: %w", err)
	}
	out := &Extensions{object: own(e, extensionsFree, len(body))}
	err = each(e, extensionsLine, func(line *extensionParts) {
		out.Lines = append(out.Lines, Extension{
			Field: line.Field, Line: int(line.Line), Value: line.Value, InGroup: line.InGroup != 0,
			Requests: int(line.Requests), Per: time.Duration(line.Seconds) * time.Second,
			From: time.Duration(line.From) * time.Minute, Until: time.Duration(line.Until) * time.Minute,
		})
	})
	runtime.KeepAlive(out)
	if err != nil {
		return nil, fmt.Errorf("robots: extensions: %w", err)
	}
	return out, nil
}

// Preferences returns the file's preferences about the content of url, sorted by vocabulary, then by label. A URL that is
// not allowed has none. The error is [ErrURL] for a string that is no URL.
func (e *Extensions) Preferences(url string) ([]Preference, error) {
	preferences, err := preferencesOf(extensionsPreferences(e.object.get(), url))
	runtime.KeepAlive(e)
	if err != nil {
		return nil, fmt.Errorf("robots: preferences for %q: %w", url, err)
	}
	return preferences, nil
}

// PreferencesFromHeader parses the value of a Content-Usage header. Join the values of several such headers by ", ". A
// value that cannot be parsed has no preferences. The error is [ErrMemory] on allocation failure.
func PreferencesFromHeader(value string) ([]Preference, error) {
	preferences, err := preferencesOf(preferencesFromHeader(value))
	if err != nil {
		return nil, fmt.Errorf("robots: preferences of a header: %w", err)
	}
	return preferences, nil
}

func preferencesOf(p preferencesHandle, err error) ([]Preference, error) {
	if err != nil {
		return nil, err
	}
	defer preferencesFree(p)
	var preferences []Preference
	err = each(p, preferencesGet, func(c *preferenceParts) {
		preferences = append(preferences, Preference{c.Vocabulary, c.Label, c.Choice, int(c.Line)})
	})
	if err != nil {
		return nil, err
	}
	return preferences, nil
}
