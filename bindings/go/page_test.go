package robots

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestPageOfNothing(t *testing.T) {
	var page PageControls
	if page.MayIndex() || page.MayFollow() || len(page.Unknown()) > 0 {
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

// A Transport with PageControls attaches what the headers of each response permit its crawler.
func TestTransportAttachesPageControls(t *testing.T) {
	site := open(t, text(file+"user-agent: otherbot\ndisallow: /other\n"))
	cache := must(NewCache(1<<20, mustCrawler(t, "ExampleBot"), mustCrawler(t, "OtherBot")))
	if err := cache.SetMaxDelay(0); err != nil {
		t.Fatal(err)
	}
	answer := func(request *http.Request) (*http.Response, error) {
		response, err := http.DefaultTransport.RoundTrip(request)
		if err == nil && request.URL.Path == "/open" {
			response.Header.Add("X-Robots-Tag", "otherbot: noindex, nofollow")
		}
		return response, err
	}
	for index, permitted := range []bool{true, false} {
		transport := &Transport{Cache: cache, Base: roundTrip(answer), Crawler: index, PageControls: true}
		client := &http.Client{Transport: transport}
		if _, err := get(client, site.URL+"/other"); errors.As(err, new(*ForbiddenError)) == permitted {
			t.Error("crawler", index, err)
		}
		response := must(client.Get(site.URL + "/moved?to=/open"))
		response.Body.Close()
		page := PageControlsOf(response)
		if page.MayIndex() != permitted || page.MayFollow() != permitted {
			t.Error(index, page.DecidedBy(ControlIndex), page.DecidedBy(ControlFollow))
		}
		if response.Request.URL.Path != "/open" {
			t.Error("the request of the response:", response.Request.URL)
		}
		// The <meta> elements of the page come later.
		if err := page.AddMeta("robots", "nofollow"); err != nil || PageControlsOf(response).MayFollow() {
			t.Error("a meta element:", err)
		}
		transport.PageControls = false
		response = must(client.Get(site.URL + "/open"))
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
