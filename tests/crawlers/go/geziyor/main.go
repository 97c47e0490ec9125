// Command geziyor crawls with geziyor: geziyor own|drop-in|transport URL
package main

import (
	"os"

	"github.com/PuerkitoBio/goquery"
	"github.com/geziyor/geziyor"
	"github.com/geziyor/geziyor/client"

	"github.com/librobots/librobots/tests/crawlers/go/agent"
)

func follow(g *geziyor.Geziyor, page *client.Response) {
	if page.HTMLDoc == nil {
		return
	}
	page.HTMLDoc.Find("a[href]").Each(func(_ int, link *goquery.Selection) {
		href, _ := link.Attr("href")
		g.Get(page.JoinURL(href), follow)
	})
}

func main() {
	crawl := geziyor.NewGeziyor(&geziyor.Options{
		StartURLs:          []string{os.Args[2]},
		ParseFunc:          follow,
		UserAgent:          agent.Header,
		RetryTimes:         -1,
		ConcurrentRequests: 8,
		RobotsTxtDisabled:  os.Args[1] == "transport",
	})
	if os.Args[1] == "transport" {
		crawl.Client.Transport = agent.Transport()
	}
	crawl.Start()
}
