package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
)

// userAgent is the header sent to servers. token, the product token in it, is the name in robots.txt files.
const (
	token     = "ExampleBot"
	userAgent = token + "/1.0 (+https://example.com/bot)"

	mostPage  = 1 << 20 // the bytes of a page that are parsed
	cacheSize = 64 << 20
)

// A crawler is one run over some sites.
type crawler struct {
	ctx      context.Context
	cache    *robots.Cache
	client   *http.Client
	pages    int
	progress io.Writer // nil: none
	workers  sync.WaitGroup

	lock  sync.Mutex // guards all fields below
	out   io.Writer
	sites map[string]*site // by the key of the origin; immutable
	seen  map[string]bool  // every URL that was ever queued
	count counts
}

type site struct {
	queue   []string // first in, first out: breadth-first
	working bool
	pages   int
}

type counts struct{ fetched, forbidden, deferred, failed, waiting int }

// crawl visits the URLs of start and their links on the same sites. It writes a line for each URL, and a summary.
func crawl(ctx context.Context, start []string, pages int, delay time.Duration, out, progress io.Writer) error {
	who, err := robots.NewCrawler(token, robots.WithUserAgent(userAgent), robots.WithDefaultDelay(delay))
	if err != nil {
		return err
	}
	cache, err := robots.NewCache(cacheSize, who)
	if err != nil {
		return err
	}
	c := &crawler{
		ctx: ctx, cache: cache, pages: pages, out: out, progress: progress,
		sites: map[string]*site{}, seen: map[string]bool{},
		client: &http.Client{
			Transport: &robots.Transport{Cache: cache, PageControls: true},
			Timeout:   30 * time.Second, // a page whose slot is later is deferred
			// The target of a redirect is queued like any link.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	for _, url := range start {
		origin, err := robots.OriginOf(url)
		if err != nil {
			return err
		}
		c.sites[origin.Key] = new(site)
	}
	began := time.Now()
	for _, url := range start {
		c.add(url)
	}
	c.workers.Wait()
	c.print("")
	fmt.Fprintf(out, "%d pages of %d sites in %v; left out: %d forbidden, %d deferred; %d failed\n", c.count.fetched, len(c.sites),
		time.Since(began).Round(time.Millisecond), c.count.forbidden, c.count.deferred, c.count.failed)
	return ctx.Err()
}

// add queues a new URL of one of the sites and starts a worker if the site has none.
func (c *crawler) add(url string) {
	origin, err := robots.OriginOf(url)
	c.lock.Lock()
	defer c.lock.Unlock()
	site := c.sites[origin.Key]
	if err != nil || site == nil || c.seen[url] {
		return
	}
	c.seen[url] = true
	c.count.waiting++
	site.queue = append(site.queue, url)
	if !site.working {
		site.working = true
		c.workers.Add(1)
		go c.work(site)
	}
}

// work visits the URLs of a site's queue one after the other.
func (c *crawler) work(site *site) {
	defer c.workers.Done()
	for {
		c.lock.Lock()
		if len(site.queue) == 0 || site.pages == c.pages || c.ctx.Err() != nil {
			c.count.waiting -= len(site.queue)
			site.queue, site.working = nil, false
			c.lock.Unlock()
			return
		}
		url := site.queue[0]
		site.queue = site.queue[1:]
		c.lock.Unlock()
		c.visit(site, url)
	}
}

// visit fetches a page. The transport checks the URL and waits for the crawl-delay.
func (c *crawler) visit(site *site, url string) {
	err := c.get(site, url)
	var forbidden *robots.ForbiddenError
	var deferred *robots.DeferError
	switch {
	case errors.As(err, &forbidden):
		c.end(&c.count.forbidden, "left out  %s  (%v)\n", url, forbidden.Verdict)
	case errors.As(err, &deferred):
		c.end(&c.count.deferred, "deferred  %s  (%v, until %v)\n", url, deferred.Cause, deferred.Until)
	case err != nil:
		c.end(&c.count.failed, "failed    %s  (%v)\n", url, err)
	}
}

// get fetches a page and queues its links.
func (c *crawler) get(site *site, address string) error {
	request, err := http.NewRequestWithContext(c.ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", userAgent)
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	page := robots.PageControlsOf(response)
	for _, link := range links(response, page) {
		c.add(link)
	}
	c.lock.Lock()
	site.pages++
	c.lock.Unlock()
	note := ""
	if !page.MayIndex() {
		note = "  (" + page.DecidedBy(robots.ControlIndex).Text + ")"
	}
	c.end(&c.count.fetched, "%d       %s%s\n", response.StatusCode, address, note)
	return nil
}

// links returns the links that the crawler may follow, as absolute URLs without fragment. It adds the <meta> elements to page.
func links(response *http.Response, page *robots.PageControls) []string {
	var found []string
	for _, reference := range references(response, page) {
		if target, err := response.Request.URL.Parse(reference); err == nil && (target.Scheme == "http" || target.Scheme == "https") {
			found = append(found, withoutFragment(target))
		}
	}
	return found
}

func withoutFragment(target *url.URL) string {
	target.Fragment, target.RawFragment = "", ""
	if target.Path == "" {
		target.Path = "/"
	}
	return target.String()
}

// end counts the result of a URL and writes a line.
func (c *crawler) end(counter *int, format string, values ...any) {
	c.lock.Lock()
	*counter++
	c.count.waiting--
	c.lock.Unlock()
	c.print(fmt.Sprintf(format, values...))
}

// print writes a line, and the progress below it on a terminal.
func (c *crawler) print(line string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.progress != nil {
		fmt.Fprint(c.progress, "\r\x1b[K")
	}
	fmt.Fprint(c.out, line)
	if c.progress != nil && line != "" {
		fmt.Fprintf(c.progress, "%d fetched, %d left out, %d waiting", c.count.fetched, c.count.forbidden+c.count.deferred,
			c.count.waiting)
	}
}
