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

	goroutines = 16               // of all sites together
	longest    = 30 * time.Second // a page whose slot is later is deferred
)

// A crawler is one run over some sites.
type crawler struct {
	client   *http.Client
	queue    *robots.Queue
	pages    int
	progress io.Writer // nil: none

	lock  sync.Mutex // guards all fields below
	out   io.Writer
	sites map[string]*site // by the key of the origin; immutable
	seen  map[string]bool  // every URL that was ever queued
	count counts
}

type site struct{ pages int }

type counts struct{ fetched, forbidden, deferred, failed, waiting int }

// crawl visits the URLs of start and their links on the same sites. It writes a line for each URL, and a summary.
func crawl(ctx context.Context, start []string, pages int, delay time.Duration, out, progress io.Writer) error {
	who, err := robots.NewCrawler(token, robots.WithUserAgent(userAgent))
	if err != nil {
		return err
	}
	cache, err := robots.NewCache(cacheSize, who)
	if err != nil {
		return err
	}
	if err := cache.SetDefaultDelay(delay); err != nil {
		return err
	}
	c := &crawler{
		pages: pages, out: out, progress: progress,
		sites: map[string]*site{}, seen: map[string]bool{},
		client: &http.Client{
			Transport: &robots.Transport{Cache: cache, PageControls: true},
			Timeout:   longest,
			// The target of a redirect is queued like any link.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	c.queue = robots.NewQueue(c.visit)
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
	ended := c.queue.Run(ctx, goroutines)
	c.print("")
	fmt.Fprintf(out, "%d pages of %d sites in %v; left out: %d forbidden, %d deferred; %d failed\n", c.count.fetched, len(c.sites),
		time.Since(began).Round(time.Millisecond), c.count.forbidden, c.count.deferred, c.count.failed)
	return ended
}

// add queues a new URL of one of the sites: first in, first out, so breadth-first.
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
	_ = c.queue.Add(url) // its error is that of OriginOf
}

// visit fetches a page. The transport checks the URL. Before its slot, the URL stays in the queue.
func (c *crawler) visit(ctx context.Context, url string) error {
	origin, err := robots.OriginOf(url)
	if err != nil {
		return err
	}
	c.lock.Lock()
	site := c.sites[origin.Key]
	isDone := site.pages == c.pages
	if isDone {
		c.count.waiting--
	}
	c.lock.Unlock()
	if isDone {
		return nil
	}
	err = c.get(ctx, site, url)
	var forbidden *robots.ForbiddenError
	var deferred *robots.DeferError
	switch {
	case errors.As(err, &forbidden):
		c.end(&c.count.forbidden, "left out  %s  (%v)\n", url, forbidden.Verdict)
	case errors.As(err, &deferred) && deferred.Cause == robots.CauseCrawlDelay && time.Until(deferred.Until) < longest:
		return err // the queue calls again, at the time of the slot
	case errors.As(err, &deferred):
		c.end(&c.count.deferred, "deferred  %s  (%v, until %v)\n", url, deferred.Cause, deferred.Until)
	case err != nil:
		c.end(&c.count.failed, "failed    %s  (%v)\n", url, err)
	}
	return nil
}

// get fetches a page and queues its links.
func (c *crawler) get(ctx context.Context, site *site, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
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
