// Command colly crawls with colly: colly own|drop-in|transport URL
package main

import (
	"fmt"
	"os"

	"github.com/gocolly/colly/v2"

	"github.com/librobots/librobots/tests/crawlers/go/agent"
)

func main() {
	collector := colly.NewCollector(colly.UserAgent(agent.Header))
	collector.IgnoreRobotsTxt = false
	if os.Args[1] == "transport" {
		collector.IgnoreRobotsTxt = true
		collector.WithTransport(agent.Transport())
	}
	collector.OnHTML("a[href]", func(link *colly.HTMLElement) {
		if err := link.Request.Visit(link.Attr("href")); err != nil {
			fmt.Println(link.Attr("href"), err)
		}
	})
	if err := collector.Visit(os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
