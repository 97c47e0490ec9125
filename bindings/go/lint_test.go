package robots

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestExplain(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	body := []byte("user-agent: examplebot # us\ndisallow: /a\nallow: /a/%62\ndisallow: /a/*\nuser-agent: *\ndisallow: /\n")
	e := must(crawler.Explain(body, "https://example.com/a/b?c#d"))
	if e.Verdict != must(crawler.Parse(body)).Check("/a/b?c") || e.Path != "/a/b?c" || e.Token != "ExampleBot" ||
		!slices.Equal(e.Agents, []AgentLine{{1, "user-agent: examplebot"}}) || !strings.Contains(e.String(), "allow: /a/%62") {
		t.Errorf("%+v", e)
	}
	if !slices.Equal(e.Rules, []MatchedRule{
		{3, "allow: /a/%62", "/a/%62", "/a/b", true, MatchWon}, {4, "disallow: /a/*", "/a/*", "/a/*", false, MatchTieLostToAllow},
		{2, "disallow: /a", "/a", "/a", false, MatchShorter},
	}) {
		t.Errorf("%+v", e.Rules)
	}
	// The first rule that matches decides in the first draft.
	if len(e.Dialects) != 3 || e.Dialects[RFC9309] != e.Verdict || e.Dialects[Koster1996].Line() != 2 {
		t.Errorf("%v", e.Dialects)
	}
	if e := must(crawler.Explain(nil, "/")); e.Token != "" || e.Agents != nil || e.Rules != nil {
		t.Error(e)
	}
	if e, err := crawler.Explain(body, "no URL"); e != nil || !isError(err, ErrURL) {
		t.Error(e, err)
	}
	_, explained := new(Crawler).Explain(body, "/")
	_, linted := new(Crawler).Lint(body)
	_, extended := new(Crawler).Extensions(body)
	if !isError(explained, ErrArgument) || !isError(linted, ErrArgument) || !isError(extended, ErrArgument) {
		t.Error(explained, linted, extended)
	}
}

func TestLint(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	body := []byte("disallow: /early\nuser-agent: *\nDisallow: private\n\n# a comment\nsitemap: https://example.com/s\n")
	r := must(crawler.Lint(body))
	var kinds []LineKind
	for _, line := range r.Lines {
		kinds = append(kinds, line.Kind)
	}
	want := []LineKind{LineDisallow, LineUserAgent, LineDisallow, LineBlank, LineComment, LineSitemap}
	if !slices.Equal(kinds, want) {
		t.Error(kinds)
	}
	if line := r.Lines[2]; line.Field != "Disallow" || line.Value != "private" || line.Group != 1 ||
		string(body[line.Start:line.End]) != "Disallow: private" {
		t.Errorf("%+v", line)
	}
	if len(r.Diagnostics) != r.Notes+r.Warnings+r.Errors || r.Warnings+r.Errors < 2 {
		t.Errorf("%+v", r)
	}
	i := slices.IndexFunc(r.Diagnostics, func(d Diagnostic) bool { return d.Line == 3 })
	if i < 0 {
		t.Fatalf("%+v", r.Diagnostics)
	}
	d := r.Diagnostics[i]
	if string(body[d.Start:d.End]) != "private" || d.Column != 11 || d.Message == "" || d.Suggestion == "" ||
		d.Code.Title() == "" || d.Code.Explanation() == "" || !strings.Contains(r.String(), d.Code.String()) ||
		!strings.Contains(d.String(), ", line 3: "+d.Message) || !strings.Contains(r.String(), "Disallow: private") {
		t.Errorf("%+v\n%v", d, r)
	}
	if want := (Fix{Start: d.Start, End: d.End, Replacement: "/private"}); d.Fix == nil || *d.Fix != want {
		t.Errorf("%+v", d.Fix)
	}
	fixed := must(crawler.Lint([]byte("user-agent: *\nDisalow: /a\nSitemap: /map.xml\n")))
	if fix := fixed.Diagnostics[0].Fix; fix == nil || *fix != (Fix{14, 21, "Disallow", true}) || fixed.Diagnostics[1].Fix != nil {
		t.Errorf("%+v", fixed.Diagnostics)
	}
	hidden := []byte("User-agent: *\nDisallow: /admin/\n")
	some, all := must(crawler.Lint(hidden)), must(mustCrawler(t, "ExampleBot", WithLintAll()).Lint(hidden))
	if len(some.Diagnostics) != 0 || len(all.Diagnostics) != 1 || all.Diagnostics[0].Code != 87 {
		t.Error(some, all)
	}
}

func TestExtensions(t *testing.T) {
	crawler := mustCrawler(t, "ExampleBot")
	extensions := must(crawler.Extensions([]byte("host: example.com\nuser-agent: *\nrequest-rate: 3/2m 2200-0600\ndisallow: /no\n" +
		"content-usage: train-ai=n, search=y\ncontent-usage: /news train-ai=y\ncontent-signal: ai-input=maybe\nlicense: https://example.com/l\n")))
	want := []Extension{
		{Field: ExtensionHost, Line: 1, Value: "example.com"},
		{Field: ExtensionRequestRate, Line: 3, Value: "3/2m 2200-0600", InGroup: true, Requests: 3, Per: 2 * time.Minute,
			From: 22 * time.Hour, Until: 6 * time.Hour},
		{Field: ExtensionContentUsage, Line: 5, Value: "train-ai=n, search=y", InGroup: true},
		{Field: ExtensionContentUsage, Line: 6, Value: "/news train-ai=y", InGroup: true},
		{Field: ExtensionContentSignal, Line: 7, Value: "ai-input=maybe", InGroup: true},
		{Field: ExtensionLicense, Line: 8, Value: "https://example.com/l", InGroup: true},
	}
	if !slices.Equal(extensions.Lines, want) {
		t.Errorf("%+v", extensions.Lines)
	}
}
