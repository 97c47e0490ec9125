package robots

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A redirect of the robots.txt to another site goes to its server, also where Request.Host names the site.
func TestRedirectWithRequestHost(t *testing.T) {
	other := open(t, text(file))
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.EqualFold(r.Host, "shop.example") {
			http.Redirect(w, r, other.URL+"/robots.txt", http.StatusFound)
			return
		}
		status(200)(w, r) // disallows everything
	})
	client := &http.Client{Transport: &Transport{Cache: mustCache(t, WithNonGlobalRedirects())}}
	for path, allowed := range map[string]bool{"/open": true, "/private": false} {
		request, err := http.NewRequest(http.MethodGet, site.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "shop.example"
		response, err := client.Do(request)
		var forbidden *ForbiddenError
		if allowed != (err == nil) || !allowed && !errors.As(err, &forbidden) {
			t.Error(path, err)
		}
		if err == nil {
			response.Body.Close()
		}
	}
	if requests := other.requests(); len(requests) != 1 || "http://"+requests[0].Host != other.URL {
		t.Error("the other server got", len(requests), "requests")
	}
}

// All fields of a name count, not the first alone.
func TestSecondHeader(t *testing.T) {
	site := open(t, text(file, "Cache-Control", "public", "Cache-Control", "max-age=7200"))
	outcome, err := mustCrawler(t, "ExampleBot").Fetch(t.Context(), nil, site.URL)
	if err != nil || outcome.FreshUntil.Sub(outcome.FetchedAt) != 2*time.Hour {
		t.Error(outcome, err)
	}
}

// The timeout is for all redirects together.
func TestTimeoutOverRedirects(t *testing.T) {
	site := open(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		hops(3, text(file))(w, r)
	})
	outcome, err := mustCrawler(t, "ExampleBot", WithTimeout(700*time.Millisecond)).Fetch(t.Context(), nil, site.URL)
	if err != nil || outcome.Cause != CauseTimeout {
		t.Error(outcome, err)
	}
}

// A record from Load that is past its lifetime decides nothing before it is renewed.
func TestLoadAfterLifetime(t *testing.T) {
	site := open(t, text(file, "Cache-Control", "max-age=3600"))
	clock := new(clock)
	shared := &store{records: map[string][]byte{}}
	if got := ask(t, shared.attach(t, mustCache(t, clock.option())), site.URL+"/private"); got != "disallowed" {
		t.Fatal(got)
	}
	clock.move(2 * time.Hour)
	site.answer(text("user-agent: *\n"))
	if got := ask(t, shared.attach(t, mustCache(t, clock.option())), site.URL+"/private"); got != "allowed" || site.count("/robots.txt") != 2 {
		t.Error(got, site.count("/robots.txt"))
	}
}
