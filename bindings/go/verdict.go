package robots

import "fmt"

// A Verdict is the decision about one URL: [Verdict.Allowed], [Verdict.Reason], [Verdict.Line] and [Verdict.Err]. Verdicts
// are comparable. The zero Verdict is not allowed. It is the robots_verdict of the C API.
type Verdict uint64

// Allowed reports whether the crawler may fetch the URL. It is false when there is an error.
func (v Verdict) Allowed() bool { return v&1 != 0 }

// IsSiteWide reports whether this is the verdict on every URL of the site except /robots.txt, so that all may be kept or
// dropped at once (SPEC 8.13).
func (v Verdict) IsSiteWide() bool { return v&2 != 0 }

// Reason returns why the URL is allowed or not.
func (v Verdict) Reason() Reason { return Reason(v >> 8) }

// Line returns the line of the robots.txt that decided, counted from 1; 0: no line did.
func (v Verdict) Line() int { return int(v >> 32) }

// Err returns why there is no decision: [ErrURL] for a string that is no URL, [ErrScheme] for a URL whose scheme has no
// robots.txt, [ErrImage] for rules that were never parsed, [ErrArgument] for a crawler that the [Outcome] or [Cache] does
// not have. It is nil for a decision.
func (v Verdict) Err() error {
	if status := errorFrom(uint64(v) >> 16 & 0xFFFF); status != 0 {
		return status
	}
	return nil
}

// String returns the verdict in words: "disallowed by line 2".
func (v Verdict) String() string {
	word := "disallowed"
	switch {
	case v.Allowed():
		word = "allowed"
	case v.Reason() == ReasonUnreachable, v.Reason() == ReasonDefer: // no ban
		word = "not allowed now"
	}
	switch {
	case v.Err() != nil:
		return fmt.Sprintf("not allowed: %v", v.Err())
	case v.Line() > 0:
		return fmt.Sprintf("%s by line %d", word, v.Line())
	default:
		return fmt.Sprintf("%s: %v", word, v.Reason())
	}
}

// A Reason is why a URL is allowed or not.
type Reason uint8

var reasons = [...]string{
	ReasonNone:           "no decision",
	ReasonRuleAllowed:    "an allow rule",
	ReasonRuleDisallowed: "a disallow rule",
	ReasonNoRule:         "no rule matches",
	ReasonNoGroup:        "no group applies",
	ReasonRobotsTxt:      "the robots.txt itself",
	ReasonAllowAll:       "the whole site is allowed",
	ReasonDisallowAll:    "the whole site is disallowed",
	ReasonDefer:          "no page of the site may be fetched now",
	ReasonUnreachable:    "the robots.txt is unreachable",
}

// String returns the reason in words.
func (r Reason) String() string {
	return wordOf(reasons[:], uint64(r), "reason")
}

// An Error is a status of the library (ROBOTS_E_... in C). errors.Is finds it in the errors of this package.
type Error uint16

// errorFrom converts a status of the library. A time that the library refuses is an argument out of its range.
func errorFrom(status uint64) Error {
	if Error(status) == badTime {
		return ErrArgument
	}
	return Error(status)
}

// Error returns what failed and what to do.
func (e Error) Error() string {
	if text, ok := errorTexts[e]; ok {
		return text
	}
	return statusText(e)
}

// errorTexts are the texts of errors that C describes in words of its own.
var errorTexts = map[Error]string{
	ErrArgument: "invalid argument: a number or option out of its range, a time before March 1973 or after 9999, or an object that its constructor did not return",
	ErrMemory:   "out of memory: lower WithMaxBytes if it was raised; if a site does not fit into a cache, raise the bytes of NewCache",
	ErrState:    "wrong state: report to a Fetch only the event that its step names, and finish a Ticket once",
}

// An absoluteURLError is [ErrURL] where no path is accepted.
type absoluteURLError struct{}

func (absoluteURLError) Error() string {
	return "invalid URL: pass an absolute URL such as https://example.com/page"
}

func (absoluteURLError) Unwrap() error { return ErrURL }

// ofAbsoluteURL returns an error with the advice for absolute URLs.
func ofAbsoluteURL(err error) error {
	if err == error(ErrURL) {
		return absoluteURLError{}
	}
	return err
}

// wordOf names a number. Later versions of the library may return more numbers than there are words.
func wordOf(words []string, number uint64, what string) string {
	if number < uint64(len(words)) {
		return words[number]
	}
	return fmt.Sprintf("%s %d", what, number)
}
