// Command colly crawls with colly as its users set it up: colly drop-in|transport URL, or colly own URL drop-in|transport for
// the same set-up without librobots.
package main

import (
	"fmt"
	"os"

	"github.com/gocolly/colly/v2"

	"github.com/librobots/librobots/tests/crawlers/go/agent"
)

func main() {
	collector := colly.NewCollector(colly.UserAgent(agent.Header))
	// The default of colly is true: without this line it asks no parser at all.
	if os.Args[len(os.Args)-1] == "drop-in" || os.Args[1] == "drop-in" {
		collector.IgnoreRobotsTxt = false
	}
	if os.Args[1] == "transport" {
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
