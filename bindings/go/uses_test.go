package robots

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

const usesURL = "https://example.com/page"

func TestUses(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	uses := must(crawler.Uses(usesURL, []byte("content-signal: search=yes, ai-train=no\nlicense: https://example.com/l\n")))
	// A header that was filled by hand may not write its names as net/http does.
	page := must(crawler.PageControls(http.Header{
		"Content-Usage": {"train-ai=y"}, "content-signal": {"ai-input=no"}, "Link": {`</terms>; rel="license"`}, "tdm-reservation": {"0"},
		"Content-Type": {"text/html"},
	}))
	answer := must(uses.UseFor(usesURL, PurposeTraining, page))
	want := []UseSignal{
		{Source: UseSourceContentSignalLine, Line: 1, Text: "ai-train=no"},
		{Source: UseSourceLicenseLine, Says: UseLicensed, Line: 2, Text: "https://example.com/l"},
		{Source: UseSourceContentUsageHeader, Says: UseAllowed, Text: "train-ai=y"},
		{Source: UseSourceLinkHeader, Says: UseLicensed, Text: "/terms"},
		{Source: UseSourceTdmHeader, Says: UseAllowed, Text: "0"},
	}
	if answer.Says != UseDenied || answer.Terms() != "" || !reflect.DeepEqual(*answer.DecidedBy(), want[0]) {
		t.Errorf("%+v", answer)
	}
	for _, signal := range want {
		found := false
		for _, got := range answer.Signals {
			found = found || got == signal
		}
		if !found {
			t.Errorf("%+v is not in %+v", signal, answer.Signals)
		}
	}
	if len(answer.Signals) != len(want) {
		t.Errorf("%+v", answer.Signals)
	}
	if answer := must(uses.UseFor(usesURL, PurposeSearch, page)); answer.Says != UseLicensed || answer.Terms() != "https://example.com/l" {
		t.Errorf("%+v", answer)
	}
	if answer := must(uses.UseFor(usesURL, PurposeAiSearch, page)); answer.Says != UseDenied || answer.DecidedBy().Source != UseSourceContentSignalHeader {
		t.Errorf("%+v", answer)
	}
	receipt := must(uses.Receipt(usesURL, PurposeTraining, page, time.Unix(1800000000, 0)))
	if !strings.HasPrefix(receipt, `{"receipt":1,"url":"https://example.com/page",`) || !strings.Contains(receipt, `"fetched_at":1800000000,`) {
		t.Error(receipt)
	}
	long := usesURL + strings.Repeat("x", 3000)
	if receipt := must(uses.Receipt(long, PurposeTraining, page, start)); !strings.Contains(receipt, long) {
		t.Error(receipt)
	}
}

// What is not known is not what is empty, and permits nothing.
func TestUsesOfUnknownParts(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	page := must(crawler.PageControls(http.Header{"Content-Usage": {"train-ai=y"}}))
	for name, c := range map[string]struct {
		body    []byte
		options []UsesOption
		page    *PageControls
		want    Use
	}{
		"all known":             {[]byte{}, nil, page, UseAllowed},
		"an empty tdmrep.json":  {[]byte{}, []UsesOption{WithTDMFile([]byte("[]"))}, page, UseAllowed},
		"no robots.txt":         {nil, nil, page, UseUnstated},
		"no page":               {[]byte("content-usage: train-ai=y"), nil, nil, UseUnstated},
		"a page that none read": {[]byte("content-usage: train-ai=y"), nil, new(PageControls), UseUnstated},
		"no tdmrep.json":        {[]byte{}, []UsesOption{WithTDMFile(nil)}, page, UseUnstated},
		"a tdmrep.json of none": {[]byte{}, []UsesOption{WithTDMFile([]byte{})}, page, UseUnstated},
	} {
		answer := must(must(crawler.Uses(usesURL, c.body, c.options...)).UseFor(usesURL, PurposeTraining, c.page))
		if answer.Says != c.want || answer.Says == UseUnstated && answer.DecidedBy().Source != UseSourceNotRead {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	if answer := must(must(crawler.Uses("", []byte{})).UseFor("/", PurposeOther, page)); answer.Says != UseUnstated || answer.DecidedBy() != nil {
		t.Errorf("%+v", answer)
	}
}

// More signals than the layer below has room for at first.
func TestUsesWithManySignals(t *testing.T) {
	uses := must(mustCrawler(t, "ExampleBot").Uses("", []byte("content-signal: a=1, b=2, c=3, d=4, e=5, f=6, g=7\n")))
	answer := must(uses.UseFor("/", PurposeSeo, nil))
	texts := make([]string, 0, len(answer.Signals))
	for _, signal := range answer.Signals {
		texts = append(texts, signal.Text)
	}
	if got := strings.Join(texts, " "); !strings.HasSuffix(got, " a=1 b=2 c=3 d=4 e=5 f=6 g=7") {
		t.Error(got)
	}
}

func TestMisuseAllowsNoUse(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	uses := must(crawler.Uses(usesURL, []byte("content-signal: search=yes\n")))
	page := must(crawler.PageControls(http.Header{}))
	if must(uses.UseFor(usesURL, PurposeSearch, page)).Says != UseAllowed {
		t.Fatal("the good call")
	}
	unread := must(crawler.PageControls(nil))
	if answer := must(uses.UseFor(usesURL, PurposeSearch, unread)); answer.Says != UseUnstated || answer.DecidedBy().Source != UseSourceNotRead {
		t.Errorf("a nil header: %+v", answer)
	}
	if unread.MayIndex() || !isError(unread.AddMeta("robots", "all"), ErrArgument) {
		t.Error("the controls of a nil header permit something")
	}
	for name, c := range map[string]struct {
		uses    *Uses
		url     string
		purpose Purpose
		want    Error
	}{
		"another site":       {uses, "https://other.example/", PurposeSearch, ErrURL},
		"another scheme":     {uses, "file:///page", PurposeSearch, ErrScheme},
		"no URL":             {uses, "page", PurposeSearch, ErrURL},
		"an unknown purpose": {uses, usesURL, PurposeOther + 1, ErrArgument},
		"no uses":            {new(Uses), usesURL, PurposeSearch, ErrArgument},
	} {
		if answer, err := c.uses.UseFor(c.url, c.purpose, page); answer.Says != UseDenied || answer.DecidedBy() != nil || !isError(err, c.want) {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
		if receipt, err := c.uses.Receipt(c.url, c.purpose, page, start); receipt != "" || !isError(err, c.want) {
			t.Errorf("%s: %s, %v", name, receipt, err)
		}
	}
	for url, at := range map[string]time.Time{"/page": start, usesURL: time.Unix(1800000, 0), usesURL + "\xff": start} {
		if receipt, err := uses.Receipt(url, PurposeSearch, page, at); receipt != "" || err == nil {
			t.Errorf("%q: %s, %v", url, receipt, err)
		}
	}
	_, none := new(Crawler).Uses(usesURL, nil)
	_, path := crawler.Uses("/page", nil)
	if !isError(none, ErrArgument) || !isError(path, ErrURL) {
		t.Error(none, path)
	}
}
