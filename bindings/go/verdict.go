//go:build cgo

package robots

import "fmt"

// A Verdict is the answer about one URL: [Verdict.Allowed], [Verdict.Reason], [Verdict.Line] and [Verdict.Err]. Verdicts
// may be compared; the zero Verdict is not allowed. It is the robots_verdict of the C API.
type Verdict uint64

func verdict(allowed bool, reason Reason) Verdict {
	v := Verdict(reason) << 8
	if allowed {
		v |= 1
	}
	return v
}

// Allowed tells whether the URL may be fetched; never where there is an error.
func (v Verdict) Allowed() bool { return v&1 != 0 }

// Reason says why.
func (v Verdict) Reason() Reason { return Reason(v >> 8) }

// Line gives the line of the robots.txt that decided, counted from 1; 0: none did.
func (v Verdict) Line() int { return int(v >> 32) }

// Err says why there is no answer: [ErrURL] for what is no URL, [ErrScheme] for one of a scheme without robots.txt,
// [ErrImage] for rules that were never parsed, [ErrArgument] for a crawler that an [Outcome] or a [Cache] does not have; else nil.
func (v Verdict) Err() error {
	if status := Error(v >> 16 & 0xFFFF); status != 0 {
		return status
	}
	return nil
}

// String gives the verdict in words: "disallowed by line 2".
func (v Verdict) String() string {
	word := "disallowed"
	if v.Allowed() {
		word = "allowed"
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

// A Reason is why a verdict is what it is.
type Reason uint8

const (
	ReasonNone           Reason = iota // there is no decision, because of an error
	ReasonRuleAllowed                  // an allow rule won
	ReasonRuleDisallowed               // a disallow rule won
	ReasonNoRule                       // a group applies to the crawler, but none of its rules matches
	ReasonNoGroup                      // no group applies to the crawler
	ReasonRobotsTxt                    // the URL is the robots.txt itself
	ReasonAllowAll                     // the rules are those of AllowAll
	ReasonDisallowAll                  // the rules are those of DisallowAll
	ReasonDefer                        // nothing of the site may be fetched now; keep the URL and ask again later
)

var reasons = [...]string{
	"no decision", "an allow rule", "a disallow rule", "no rule matches", "no group applies", "the robots.txt itself",
	"the whole site is allowed", "the whole site is disallowed",
	"nothing of the site may be fetched now",
}

// String gives the reason in words.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return fmt.Sprintf("reason %d", uint8(r))
}

// An Error is a status of the library (ROBOTS_E_... in C); errors.Is finds it in what this package returns.
type Error uint16

const (
	ErrArgument    Error = 1 // an option out of its range, or a Crawler that NewCrawler did not make
	ErrToken       Error = 2 // not a product token
	ErrURL         Error = 3 // no absolute URL, nor a path that starts with '/' where one would do
	ErrMemory      Error = 4 // not enough memory
	ErrPanic       Error = 5 // a defect of the library; it stays usable
	ErrImage       Error = 6 // a damaged image or record, or rules that were never parsed
	ErrImageFormat Error = 7 // an image or a record of another format version or byte order, or of other crawlers
	ErrScheme      Error = 8 // a URL of another scheme than http, https and ftp
	ErrState       Error = 9 // an event that a Fetch does not wait for now, or a Ticket that was given back
)

// Error says what is wrong and what to do next.
func (e Error) Error() string { return statusText(e) }
