// Crawler is a small polite crawler on colly, which obeys robots.txt by librobots:
//
//	crawler https://example.com/
//
// It fetches the robots.txt of each site it meets once, following redirects, leaves out what that forbids and says by which
// line, and waits between two pages of a site for as long as its crawl-delay says. It stays on the site of the URL given.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"
	robots "github.com/librobots/librobots/bindings/go"
)

// userAgent is sent to servers; token, the product token in it, is what robots.txt files name.
const (
	token     = "ExampleBot"
	userAgent = token + "/1.0 (+https://example.com/bot)"

	mostBytes = 512_000
	mostDelay = 30 * time.Second // who asks for more gets no visit at all
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: crawler URL")
	}
	if err := crawl(os.Args[1], os.Stdout); err != nil {
		log.Fatal("crawler: ", err)
	}
}

// crawl visits start and what it links to on the same site, and writes a line for each URL.
func crawl(start string, out io.Writer) error {
	who, err := robots.NewCrawler(token)
	if err != nil {
		return err
	}
	home, err := url.Parse(start)
	if err != nil {
		return err
	}
	sites := &sites{who: who, client: &http.Client{Timeout: 30 * time.Second}, known: map[string]*site{}}
	// colly's own look at robots.txt is off until asked for (Collector.IgnoreRobotsTxt); this one tells more.
	collector := colly.NewCollector(colly.UserAgent(userAgent), colly.AllowedDomains(home.Hostname()), colly.MaxDepth(5))

	collector.OnRequest(func(request *colly.Request) {
		site := sites.of(request.URL)
		if verdict := site.rules.Check(request.URL.String()); !verdict.Allowed() {
			fmt.Fprintf(out, "left out  %s  (%v)\n", request.URL.RequestURI(), verdict)
			request.Abort()
			return
		}
		if !site.wait() {
			fmt.Fprintf(out, "left out  %s  (the crawl-delay is too long)\n", request.URL.RequestURI())
			request.Abort()
		}
	})
	// colly follows redirects by itself: where they lead is asked as well.
	collector.SetRedirectHandler(func(request *http.Request, _ []*http.Request) error {
		if verdict := sites.of(request.URL).rules.Check(request.URL.String()); !verdict.Allowed() {
			fmt.Fprintf(out, "left out  %s  (%v)\n", request.URL.RequestURI(), verdict)
			return http.ErrUseLastResponse
		}
		return nil
	})
	collector.OnResponse(func(response *colly.Response) {
		fmt.Fprintf(out, "%d       %s\n", response.StatusCode, response.Request.URL.RequestURI())
	})
	collector.OnError(func(response *colly.Response, err error) {
		fmt.Fprintf(out, "failed    %s  (%v)\n", response.Request.URL.RequestURI(), err)
	})
	collector.OnHTML("a[href]", func(link *colly.HTMLElement) {
		_ = link.Request.Visit(link.Attr("href")) // visited already, or not of this site: nothing to say
	})
	err = collector.Visit(start)
	if err == colly.ErrAbortedBeforeRequest {
		err = nil // said already
	}
	collector.Wait()
	return err
}

// sites keeps the rules of each site.
type sites struct {
	who    *robots.Crawler
	client *http.Client
	lock   sync.Mutex
	known  map[string]*site
}

type site struct {
	rules *robots.Rules
	lock  sync.Mutex
	next  time.Time // no request before
}

// of gives the site of a URL: scheme, host and port.
func (s *sites) of(url *url.URL) *site {
	s.lock.Lock()
	defer s.lock.Unlock()
	origin := url.Scheme + "://" + url.Host
	if s.known[origin] == nil {
		s.known[origin] = &site{rules: s.fetch(origin)}
	}
	return s.known[origin]
}

// fetch gives the rules of a site; of one that does not answer: that nothing may be fetched.
func (s *sites) fetch(origin string) *robots.Rules {
	request, err := http.NewRequest(http.MethodGet, origin+"/robots.txt", nil)
	if err != nil {
		return robots.DisallowAll()
	}
	request.Header.Set("User-Agent", userAgent)
	response, err := s.client.Do(request)
	if err != nil {
		return robots.DisallowAll()
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		body, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
		if err != nil {
			return robots.DisallowAll()
		}
		rules, err := s.who.Parse(body)
		if err != nil {
			return robots.DisallowAll()
		}
		return rules
	case status >= 400 && status < 500 && status != http.StatusTooManyRequests:
		return robots.AllowAll()
	default:
		return robots.DisallowAll()
	}
}

// wait returns when the site's crawl-delay has passed since the last request; false: that would be too long.
func (s *site) wait() bool {
	delay, _ := s.rules.CrawlDelay()
	if delay > mostDelay {
		return false
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	time.Sleep(time.Until(s.next))
	s.next = time.Now().Add(delay)
	return true
}
