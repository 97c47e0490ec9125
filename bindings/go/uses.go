package robots

import (
	"fmt"
	"runtime"
	"time"
)

// Uses are what a site says about the use of its pages, to one crawler (SPEC 13): its robots.txt, and its tdmrep.json if the
// crawler read it. [Uses.UseFor] adds what a page says, and answers. They are safe for concurrent use. There is nothing to close.
// The zero value answers nothing.
type Uses struct {
	object *owned[usesHandle]
}

// A Purpose is what a page is used for (SPEC 13.2).
type Purpose uint32

var purposes = [...]string{
	PurposeSearch:      "search",
	PurposeAiSearch:    "ai_search",
	PurposeTraining:    "training",
	PurposeUserRequest: "user_request",
	PurposeCommerce:    "commerce",
	PurposeArchive:     "archive",
	PurposeSeo:         "seo",
	PurposeOther:       "other",
}

// String returns the purpose in a word.
func (p Purpose) String() string { return wordOf(purposes[:], uint64(p), "purpose") }

// A Use is whether a page may be used (SPEC 13.1), the most restrictive first. The zero value is [UseDenied].
type Use uint32

var useWords = [...]string{
	UseDenied:   "denied",
	UseLicensed: "licensed",
	UseAllowed:  "allowed",
	UseUnstated: "unstated",
}

// String returns the use in a word.
func (u Use) String() string { return wordOf(useWords[:], uint64(u), "use") }

// A UseSource is where a signal about a use is (SPEC 13.2).
type UseSource uint32

var useSources = [...]string{
	UseSourceNotRead:             "not_read",
	UseSourceRule:                "rule",
	UseSourceTokenRule:           "token_rule",
	UseSourceContentUsageLine:    "content_usage_line",
	UseSourceContentSignalLine:   "content_signal_line",
	UseSourceLicenseLine:         "license_line",
	UseSourceContentUsageHeader:  "content_usage_header",
	UseSourceContentSignalHeader: "content_signal_header",
	UseSourceLinkHeader:          "link_header",
	UseSourcePageRule:            "page_rule",
	UseSourceTdmHeader:           "tdm_header",
	UseSourceTdmMeta:             "tdm_meta",
	UseSourceTdmFile:             "tdm_file",
}

// String returns the source in a word.
func (s UseSource) String() string { return wordOf(useSources[:], uint64(s), "source") }

// A UseSignal is what one statement says about a URL and a purpose.
type UseSignal struct {
	Source UseSource
	Says   Use    // [UseUnstated] for an unknown label or value, and for what was not read
	Line   int    // of the robots.txt, from 1; 0 for any other source
	Token  string // the policy or control token of a [UseSourceTokenRule]
	Text   string // as it is written; the address of the terms if Says is [UseLicensed], which a Link header may give relative to the page
}

// A UseAnswer is the answer for a URL and a purpose. The zero value is [UseDenied].
type UseAnswer struct {
	Says    Use
	Signals []UseSignal // every signal that speaks of the purpose, the deciding one first and unknown labels last
	decided bool
}

// DecidedBy returns the signal that decides; nil if nothing is stated, and nothing was left unread.
func (a *UseAnswer) DecidedBy() *UseSignal {
	if !a.decided {
		return nil
	}
	return &a.Signals[0]
}

// Terms returns the address of the terms if the answer is [UseLicensed], else an empty string.
func (a *UseAnswer) Terms() string {
	if by := a.DecidedBy(); by != nil && a.Says == UseLicensed {
		return by.Text
	}
	return ""
}

// A UsesOption is a further file of the site for [Crawler.Uses].
type UsesOption func(*usesFiles)

type usesFiles struct{ tdm []byte }

// WithTDMFile adds the file /.well-known/tdmrep.json of the site (SPEC 13.4). If it is not known, as in an outage, pass an empty
// text. Without this option the site has no such file.
func WithTDMFile(json []byte) UsesOption {
	return func(f *usesFiles) {
		f.tdm = json
		if json == nil {
			f.tdm = []byte{}
		}
	}
}

// Uses reads what a site says about the use of its pages. site is a URL of the site; if it is empty, every URL is taken for one of
// the site. body is the robots.txt: empty if the site has none (404), and nil if it is not known, as in an outage. Then no answer
// is [UseAllowed]. The error is [ErrURL] or [ErrScheme] for a site without a robots.txt, [ErrMemory] on allocation failure, and
// [ErrArgument] for a zero Crawler.
func (c *Crawler) Uses(site string, body []byte, options ...UsesOption) (*Uses, error) {
	var files usesFiles
	for _, option := range options {
		option(&files)
	}
	handle, err := usesNew(c.object.get(), site, body, files.tdm)
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: uses of %q: %w", site, err)
	}
	return &Uses{own(handle, usesFree, len(body)+len(files.tdm))}, nil
}

// UseFor returns whether the page at url may be used for a purpose, and each statement about it. page is what the response said to
// the same crawler, of [Crawler.PageControls]; nil, and controls that nobody read, are not known: then the answer is never
// [UseAllowed]. The error is [ErrURL] if url is no URL of the site, [ErrScheme], [ErrMemory], or [ErrArgument] for an unknown
// purpose. After an error the answer is [UseDenied]: do not use the page.
func (u *Uses) UseFor(url string, purpose Purpose, page *PageControls) (UseAnswer, error) {
	var c useParts
	signals, err := useFor(u.object.get(), url, purpose, page.handle(), &c)
	runtime.KeepAlive(u)
	runtime.KeepAlive(page)
	if err != nil {
		return UseAnswer{}, fmt.Errorf("robots: use of %q for %v: %w", url, purpose, err)
	}
	answer := UseAnswer{Says: c.Says, Signals: make([]UseSignal, len(signals)), decided: c.Decided != 0}
	for i, s := range signals {
		answer.Signals[i] = UseSignal{Source: s.Source, Says: s.Says, Line: int(s.Line), Token: s.Token, Text: s.Text}
	}
	return answer, nil
}

// Receipt returns the receipt of an answer (SPEC 13.7): one line of JSON without a line end. `robots replay` decides receipts
// again. fetchedAt is when the page was fetched, and url is absolute. The error is that of [Uses.UseFor], [ErrURL] also for a URL
// that is not UTF-8, [ErrArgument] also for a time before 1973, and [ErrMemory] also if memory failed while the page was read.
func (u *Uses) Receipt(url string, purpose Purpose, page *PageControls, fetchedAt time.Time) (string, error) {
	receipt, err := useReceipt(u.object.get(), url, purpose, page.handle(), clockOf(fetchedAt))
	runtime.KeepAlive(u)
	runtime.KeepAlive(page)
	if err != nil {
		return "", fmt.Errorf("robots: receipt of %q for %v: %w", url, purpose, err)
	}
	return receipt, nil
}

// handle returns the handle of the controls; that of controls that nobody read is none.
func (p *PageControls) handle() (handle pageHandle) {
	if p != nil {
		handle = p.object.get()
	}
	return handle
}
