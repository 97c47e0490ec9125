package robots

import (
	"math"
	"time"
)

// The package has two lowest layers with the same functions: native*.go calls the library through cgo, wasm*.go calls the
// same library as WebAssembly, without cgo. Both fill these structs. A struct has the fields of its struct of C, after the
// size if it has one, in the order of C: wasm*.go finds them by their position.
type (
	ruleParts struct { // robots_rule
		Pattern     string
		Line, Allow uint32
	}
	headerParts struct { // robots_header
		Name, Value string
	}
	outcomeParts struct { // robots_outcome_info
		Kind                                                                    OutcomeKind
		Cause                                                                   Cause
		HTTPStatus, Hops, Downgraded, Stale                                     uint32
		FetchedAtMS, FreshUntilMS, UsableUntilMS, RetryAtMS, UnreachableSinceMS uint64
		Origin, FinalURL, ETag, LastModified                                    string
	}
	cacheCounts struct { // robots_cache_counts
		Sites, Bytes                                       uintptr
		Hits, StaleHits, Fetches, Waits, Deferred, Evicted uint64
		Images, SavedBytes                                 uintptr
	}
	extensionParts struct { // robots_extension
		Value                                             string
		Line                                              uint32
		Field                                             ExtensionField
		InGroup, Requests, Seconds, From, Until, Reserved uint32
	}
	pageParts struct { // robots_page_rule
		Text, Agent string
		Value       int64
		Source      PageSource
		Number      uint32
		Zone        Zone
		Reserved    uint32
	}
	useParts struct { // robots_use_answer
		Signals uintptr
		Says    Use
		Decided uint32
	}
	signalParts struct { // robots_use_signal
		Text, Token string
		Line        uint32
		Source      UseSource
		Says        Use
		Reserved    uint32
	}
	explanationParts struct { // robots_explained
		Verdict, RFC9309, Google, Koster1996 Verdict
		Path, Token, Text                    string
	}
	agentParts struct { // robots_explained_line
		Text           string
		Line, Reserved uint32
	}
	matchedParts struct { // robots_explained_rule
		Text, Path, Pattern string
		Line, Allow         uint32
		Result              MatchResult
		Reserved            uint32
	}
	lintCounts struct { // robots_lint_counts
		Errors, Warnings, Notes, Lines uint64
	}
	diagnosticParts struct { // robots_lint_diagnostic
		Start, End              uintptr
		Message, Suggestion     string
		Code                    Code
		Severity                Severity
		Line, Column, OtherLine uint32
		Fix                     uint32
		FixStart, FixEnd        uintptr
		FixReplacement          string
	}
	lineParts struct { // robots_lint_line
		Start, End   uintptr
		Field, Value string
		Kind         LineKind
		Group        uint32
	}
	pathParts struct { // robots_different_path
		Path                  string
		Verdict, OtherVerdict Verdict
	}
	meaningParts struct { // robots_lint_meaning
		Title, Explanation string
	}
)

// Statuses that do not leave the package.
const (
	endOfList Error = 64 // ROBOTS_END
	noSpace   Error = 65 // ROBOTS_E_SPACE
	badTime   Error = 67 // ROBOTS_E_TIME
)

// each calls add with each element of a list of the library, in order. get returns endOfList after the last one. add keeps no
// pointer to an element.
func each[H, P any](list H, get func(list H, index uint, element *P) error, add func(element *P)) error {
	var element P
	for index := uint(0); ; index++ {
		switch err := get(list, index, &element); err {
		case nil:
			add(&element)
		case error(endOfList):
			return nil
		default:
			return err
		}
	}
}

// httpStatus returns 0 for a number that cannot be a status.
func httpStatus(status int) uint32 {
	if status < 0 || status > math.MaxUint16 {
		return 0
	}
	return uint32(status)
}

// year9999 is the last millisecond that the library accepts.
const year9999 = 253_402_300_799_999

// clockOf converts to the library's milliseconds since 1970. A time that has none becomes one that the library refuses.
func clockOf(now time.Time) uint64 {
	if seconds := now.Unix(); seconds < 0 || seconds > year9999/1000 {
		return 0
	}
	return uint64(now.UnixMilli())
}

// timeOf converts from the library's milliseconds: "never" becomes the zero Time, and a later year than 9999 becomes 9999.
func timeOf(milliseconds uint64) time.Time {
	if milliseconds == math.MaxUint64 {
		return time.Time{}
	}
	return time.UnixMilli(int64(min(milliseconds, year9999)))
}

// enough panics on allocation failure, as the runtime does for a few bytes.
func enough(err error) {
	if err == error(ErrMemory) {
		panic(err)
	}
}
