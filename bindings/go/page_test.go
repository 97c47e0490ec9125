package robots

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pageText undoes the escapes of the case files.
var pageText = func() func(string) string {
	escapes := []string{`\\`, `\`, `\t`, "\t", `\n`, "\n", `\s`, " "}
	for i := range 256 {
		escapes = append(escapes, `\x`+strconv.FormatUint(uint64(0x100+i), 16)[1:], string([]byte{byte(i)}))
	}
	return strings.NewReplacer(escapes...).Replace
}()

// checkPage runs one case of tests/data/*.page; the head of the file describes the format.
func checkPage(t *testing.T, lines []string) {
	tokens, header, metas := []string{"ExampleBot"}, http.Header{}, [][2]string(nil)
	var expected []string
	for _, line := range lines {
		word, rest, _ := strings.Cut(line, " ")
		name, value, _ := strings.Cut(rest, ": ")
		switch word {
		case "crawler":
			tokens = strings.Fields(rest)
		case "header":
			header.Add(name, pageText(value))
		case "meta":
			metas = append(metas, [2]string{pageText(name), pageText(value)})
		default:
			expected = append(expected, line)
		}
	}
	page, err := mustCrawler(t, tokens[0], WithFallback(tokens[1:]...)).PageControls(header)
	if err != nil {
		t.Fatal(err)
	}
	for _, meta := range metas {
		if err := page.AddMeta(meta[0], meta[1]); err != nil {
			t.Fatal(err)
		}
	}
	listed, unknown := map[string]bool{}, page.Unknown()
	for _, line := range expected {
		words := strings.SplitN(line, " ", 4)
		control := Control(max(slices.Index(controls[:], words[0]), 0))
		switch words[0] {
		case "by":
			words = strings.SplitN(line, " ", 5)
			rule := page.DecidedBy(Control(slices.Index(controls[:], words[1])))
			if rule.Source.String() != words[2] || strconv.Itoa(rule.Number) != words[3] || rule.Text != pageText(words[4]) {
				t.Errorf("%s: %+v", line, rule)
			}
		case "for":
			agent := page.DecidedBy(Control(slices.Index(controls[:], words[1]))).Agent
			if agent != strings.TrimPrefix(words[2], "*") {
				t.Errorf("%s: %q", line, agent)
			}
		case "zone":
			listed["zone"] = true
			if zone := page.DecidedBy(ControlUnavailableAfter).Zone; zone.String() != words[1] {
				t.Errorf("%s: %s", line, zone)
			}
		case "unknown":
			rule := PageRule{Text: "none left"}
			if len(unknown) > 0 {
				rule, unknown = unknown[0], unknown[1:]
			}
			if rule.Source.String() != words[1] || strconv.Itoa(rule.Number) != words[2] || rule.Text != pageText(words[3]) {
				t.Errorf("%s: %+v", line, rule)
			}
		case "usage":
			if choice := page.Usage(words[1]); choice.String() != words[2] {
				t.Errorf("%s: %s", line, choice)
			}
		default:
			listed[words[0]] = true
			if value := page.Value(control); strconv.FormatInt(value, 10) != words[1] {
				t.Errorf("%s: %d", line, value)
			}
		}
	}
	if len(unknown) > 0 {
		t.Errorf("unknown: %+v", unknown)
	}
	for i, name := range controls {
		unrestricted := int64(1)
		if Control(i) >= ControlMaxSnippet {
			unrestricted = -1
		}
		if value := page.Value(Control(i)); !listed[name] && value != unrestricted {
			t.Errorf("%s: %d", name, value)
		}
	}
	if zone := page.DecidedBy(ControlUnavailableAfter).Zone; !listed["zone"] && zone != ZoneKnown {
		t.Errorf("zone: %s", zone)
	}
}

func TestPageCases(t *testing.T) {
	files, err := filepath.Glob("../../tests/data/*.page")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split("\n"+string(text), "\ncase ")[1:] {
			lines := slices.DeleteFunc(strings.Split(block, "\n"), func(line string) bool { return line == "" || line[0] == '#' })
			count++
			t.Run(lines[0], func(t *testing.T) { checkPage(t, lines[1:]) })
		}
	}
	if count < 70 {
		t.Error("cases:", count)
	}
}

func TestPageOfNothing(t *testing.T) {
	var page PageControls
	if page.MayIndex() || page.MayFollow() || page.Usage("train-ai") != ChoiceNo || len(page.Unknown()) > 0 {
		t.Error("the zero value permits something")
	}
	err := page.AddMeta("robots", "all")
	if !errors.Is(err, ErrArgument) || !strings.Contains(err.Error(), "Transport.PageControls") || page.MayIndex() {
		t.Error("an element of the zero value:", err)
	}
	if _, err := new(Crawler).PageControls(http.Header{}); err == nil {
		t.Error("the zero crawler reads controls")
	}
	if after, ok := page.UnavailableAfter(); !ok || after.Unix() != 0 {
		t.Error("after:", after, ok)
	}
}

// Names of headers have no case, also where a response does not come from net/http.
func TestPageHeaderInAnyCase(t *testing.T) {
	header := http.Header{"x-robots-tag": {"noindex"}, "ROBOTS-TAG": {"*;nofollow"}, "content-usage": {"train-ai=n"}}
	page, err := mustCrawler(t, "ExampleBot").PageControls(header)
	if err != nil {
		t.Fatal(err)
	}
	if page.MayIndex() || page.MayFollow() || page.Usage("train-ai") != ChoiceNo {
		t.Error(page.MayIndex(), page.MayFollow(), page.Usage("train-ai"))
	}
}

func TestPageText(t *testing.T) {
	for want, value := range map[string]interface{ String() string }{
		"image_index": ControlImageIndex, "robots-tag": SourceRobotsTag, "missing": ZoneMissing, "control 99": Control(99),
	} {
		if value.String() != want {
			t.Errorf("%s: %s", want, value)
		}
	}
}

// A Transport with PageControls attaches what the headers of each response permit its crawler.
func TestTransportAttachesPageControls(t *testing.T) {
	site := open(t, text(file))
	cache, err := NewCache(1<<20, mustCrawler(t, "ExampleBot", WithMaxDelay(0)), mustCrawler(t, "OtherBot"))
	if err != nil {
		t.Fatal(err)
	}
	answer := func(request *http.Request) (*http.Response, error) {
		response, err := http.DefaultTransport.RoundTrip(request)
		if err == nil && request.URL.Path == "/open" {
			response.Header.Add("X-Robots-Tag", "otherbot: noindex, nofollow")
			response.Header.Add("Content-Usage", "train-ai=n")
		}
		return response, err
	}
	for index, permitted := range []bool{true, false} {
		transport := &Transport{Cache: cache, Base: roundTrip(answer), Crawler: index, PageControls: true}
		client := &http.Client{Transport: transport}
		response, err := client.Get(site.URL + "/moved?to=/open")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		page := PageControlsOf(response)
		if page.MayIndex() != permitted || page.MayFollow() != permitted || page.Usage("train-ai") != ChoiceNo {
			t.Error(index, page.DecidedBy(ControlIndex), page.DecidedBy(ControlFollow), page.Usage("train-ai"))
		}
		if response.Request.URL.Path != "/open" {
			t.Error("the request of the response:", response.Request.URL)
		}
		// The <meta> elements of the page come later.
		if err := page.AddMeta("robots", "nofollow"); err != nil || PageControlsOf(response).MayFollow() {
			t.Error("a meta element:", err)
		}
		transport.PageControls = false
		if response, err = client.Get(site.URL + "/open"); err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if PageControlsOf(response).MayIndex() {
			t.Error("controls that nobody read permit")
		}
	}
	if PageControlsOf(nil).MayFollow() || PageControlsOf(new(http.Response)).MayFollow() {
		t.Error("no response permits")
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
