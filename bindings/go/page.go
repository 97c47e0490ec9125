package robots

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"time"
)

// PageControls are what a crawler may do with one response (SPEC 9.6), by the headers X-Robots-Tag and Robots-Tag and the <meta>
// elements of the page. Of several rules the most restrictive one decides. They keep what the page says about its use, too, for
// [Uses.UseFor]. The zero value permits nothing.
//
// [Crawler.PageControls] reads a header. A [Transport] can attach them to each response.
//
// They are safe for concurrent use, except during AddMeta. There is nothing to close.
type PageControls struct {
	object *owned[pageHandle]
}

// A Control is one thing that a page can restrict. Its value 0 is the most restrictive one.
type Control uint32

var controls = [...]string{
	ControlIndex:            "index",
	ControlFollow:           "follow",
	ControlArchive:          "archive",
	ControlSnippet:          "snippet",
	ControlTranslate:        "translate",
	ControlImageIndex:       "image_index",
	ControlIndexIfEmbedded:  "index_if_embedded",
	ControlMaxSnippet:       "max_snippet",
	ControlMaxImagePreview:  "max_image_preview",
	ControlMaxVideoPreview:  "max_video_preview",
	ControlUnavailableAfter: "unavailable_after",
}

// String returns the control's name.
func (c Control) String() string { return wordOf(controls[:], uint64(c), "control") }

// A PageSource is where a rule of a page is.
type PageSource uint32

var pageSources = [...]string{
	SourceNone:       "none",
	SourceXRobotsTag: "x-robots-tag",
	SourceRobotsTag:  "robots-tag",
	SourceMeta:       "meta",
}

// String returns the source's name.
func (s PageSource) String() string { return wordOf(pageSources[:], uint64(s), "source") }

// A Zone is what a date says about its time zone.
type Zone uint32

var zones = [...]string{
	ZoneKnown:   "known",
	ZoneMissing: "missing",
	ZoneUnknown: "unknown",
}

// String returns the zone in a word.
func (z Zone) String() string { return wordOf(zones[:], uint64(z), "zone") }

// A PageRule is one rule of a page.
type PageRule struct {
	Text   string // as it is written, at most 256 bytes
	Agent  string // the product token that the rule names; empty if it is for every crawler
	Value  int64  // the value of the control; 0 for an unknown rule
	Source PageSource
	Number int // which value of that source it is in, from 1
	Zone   Zone
}

// PageControls returns the controls in the headers of a response, whose names are read in any case; see
// [PageControls.AddMeta] for those in the page. A nil header was not read: its controls are the zero value. The error is [ErrMemory] on allocation failure, and [ErrArgument] for a zero
// Crawler.
func (c *Crawler) PageControls(header http.Header) (*PageControls, error) {
	handle, err := pageNew(c.object.get())
	runtime.KeepAlive(c)
	if err != nil {
		return nil, fmt.Errorf("robots: page controls: %w", err)
	}
	if header == nil {
		pageFree(handle)
		return new(PageControls), nil
	}
	page := &PageControls{own(handle, pageFree, 0)}
	// A header that was filled by hand may not write its names as net/http does. In order, so that Number is the same each time.
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			if err := pageAddHeader(handle, name, value); err != nil {
				return nil, fmt.Errorf("robots: header %s: %w", name, err)
			}
		}
	}
	runtime.KeepAlive(page)
	return page, nil
}

// AddMeta adds a <meta> element of the page. It has an effect if its name is "robots" or a product token of the crawler.
// After an error every control has the value 0.
func (p *PageControls) AddMeta(name, content string) error {
	if p.object == nil {
		const advice = "robots: meta element %q, but no response: set Transport.PageControls, or call Crawler.PageControls: %w"
		return fmt.Errorf(advice, name, ErrArgument)
	}
	err := pageAddMeta(p.object.get(), name, content)
	runtime.KeepAlive(p)
	if err != nil {
		return fmt.Errorf("robots: meta element %q: %w", name, err)
	}
	return nil
}

// Value returns the value of a control.
func (p *PageControls) Value(control Control) int64 {
	defer runtime.KeepAlive(p)
	return inSeconds(control, pageValue(p.object.get(), control))
}

// inSeconds converts the value of the one control that is a time: the library has milliseconds.
func inSeconds(control Control, value int64) int64 {
	if control == ControlUnavailableAfter && value > 0 {
		return value / 1000
	}
	return value
}

// MayIndex reports whether the page may be indexed.
func (p *PageControls) MayIndex() bool { return p.Value(ControlIndex) != 0 }

// MayFollow reports whether links of the page may be followed.
func (p *PageControls) MayFollow() bool { return p.Value(ControlFollow) != 0 }

// UnavailableAfter returns the time after which the page is not to be shown, and whether there is one.
func (p *PageControls) UnavailableAfter() (time.Time, bool) {
	seconds := p.Value(ControlUnavailableAfter)
	return time.Unix(max(seconds, 0), 0).UTC(), seconds >= 0
}

// DecidedBy returns the rule that decides a control; its Source is [SourceNone] if no rule does.
func (p *PageControls) DecidedBy(control Control) PageRule {
	defer runtime.KeepAlive(p)
	var c pageParts
	if pageGet(p.object.get(), control, &c) != nil {
		return PageRule{}
	}
	c.Value = inSeconds(control, c.Value)
	return pageRuleOf(&c)
}

// Unknown returns the rules for the crawler that are unknown or have an invalid value, at most 64.
func (p *PageControls) Unknown() (rules []PageRule) {
	defer runtime.KeepAlive(p)
	// After an error, no control permits anything either.
	_ = each(p.object.get(), pageUnknown, func(c *pageParts) { rules = append(rules, pageRuleOf(c)) })
	return rules
}

func pageRuleOf(c *pageParts) PageRule {
	return PageRule{Text: c.Text, Agent: c.Agent, Value: c.Value, Source: c.Source, Number: int(c.Number), Zone: c.Zone}
}
