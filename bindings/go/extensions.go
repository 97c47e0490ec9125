//go:build cgo

package robots

import (
	"fmt"
	"runtime"
	"time"
)

// Extensions are what else stands in a robots.txt for one crawler: lines without effect on a verdict (SPEC 9.3 to 9.5), in the
// groups that it obeys and in no group. Any number of goroutines may ask at once; there is nothing to close.
type Extensions struct {
	Lines  []Extension // in the order of the file
	object *owned[extensionsHandle]
}

// An Extension is a line without effect on a verdict.
type Extension struct {
	Field   ExtensionField
	Line    int    // counted from 1
	Value   string // as it is written, without comment; any bytes
	InGroup bool   // it stands in a group that the crawler obeys, not outside of all

	Requests int           // of a request-rate: so many requests at most,
	Per      time.Duration // in this time; 0 for another line and for nonsense
	// From and Until: of a visit-time, or of a request-rate that holds at times: since midnight UTC. An Until that is not
	// later than From is past midnight; 0: no time was given.
	From, Until time.Duration
}

// An ExtensionField is what such a line is about.
type ExtensionField uint32

const (
	ExtensionRequestRate ExtensionField = iota
	ExtensionVisitTime
	ExtensionHost
	ExtensionCleanParam
	ExtensionNoIndex
	ExtensionContentSignal // its preferences: Extensions.Preferences
	ExtensionContentUsage  // its preferences: Extensions.Preferences
)

// String gives the field's name.
func (f ExtensionField) String() string {
	return wordOf(extensionFields[:], uint64(f), "field")
}

var extensionFields = [...]string{
	"request-rate", "visit-time", "host", "clean-param", "noindex", "content-signal", "content-usage",
}

// A Preference is what may be done with what was fetched, in one respect. A label that is not listed was not spoken of, which
// neither permits nor forbids it.
type Preference struct {
	Vocabulary Vocabulary
	Label      string // such as "train-ai"; case-sensitive, any bytes
	Choice     Choice
	Line       int // that says so, counted from 1; 0 for a header
}

// A Vocabulary is whose label it is.
type Vocabulary uint32

const (
	UsageVocabulary  Vocabulary = 0 // content-usage, line or header (SPEC 9.5)
	SignalVocabulary Vocabulary = 1 // content-signal (SPEC 9.4)
)

// A Choice is what is preferred.
type Choice uint32

const (
	ChoiceNo      Choice = 0 // it should not be done
	ChoiceYes     Choice = 1 // it may be done
	ChoiceUnknown Choice = 2 // the label stands there with something else, which says nothing
)

// String gives the choice in a word.
func (c Choice) String() string {
	return wordOf(choices[:], uint64(c), "choice")
}

var choices = [...]string{"no", "yes", "unknown"}

// Extensions reads what else stands in a robots.txt. Nothing in a file is an error; the error is [ErrMemory] where the machine has
// none left.
func (c *Crawler) Extensions(body []byte) (*Extensions, error) {
	handle, lines, err := extensionsParse(c.object.get(), body)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: extensions: %w", err)
	}
	return &Extensions{lines, own(handle, extensionsFree, len(body))}, nil
}

// Preferences gives what the file prefers to be done with what url gives, by vocabulary, then by label. A URL that may not be
// fetched has none. The error is [ErrURL] for what is no URL.
func (e *Extensions) Preferences(url string) ([]Preference, error) {
	preferences, err := extensionsPreferences(e.object.get(), url)
	runtime.KeepAlive(e)
	if err != nil {
		return nil, fmt.Errorf("robots: preferences for %q: %w", url, err)
	}
	return preferences, nil
}

// PreferencesFromHeader reads the value of a Content-Usage header; of several join the values by ", ". What cannot be read says
// nothing. The error is [ErrMemory] where the machine has none left.
func PreferencesFromHeader(value string) ([]Preference, error) {
	preferences, err := headerPreferences(value)
	if err != nil {
		return nil, fmt.Errorf("robots: preferences of a header: %w", err)
	}
	return preferences, nil
}
