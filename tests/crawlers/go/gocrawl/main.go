// Command gocrawl crawls with gocrawl: gocrawl own|drop-in|transport URL
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/PuerkitoBio/gocrawl"
	"github.com/PuerkitoBio/purell"

	"github.com/librobots/librobots/tests/crawlers/go/agent"
)

// follower visits each page once, on all hosts.
type follower struct {
	gocrawl.DefaultExtender
	transport bool
}

func (*follower) Filter(_ *gocrawl.URLContext, visited bool) bool {
	return !visited
}

// RequestRobots leaves robots.txt to the transport: an empty file allows everything.
func (f *follower) RequestRobots(*gocrawl.URLContext, string) ([]byte, bool) {
	return nil, !f.transport
}

func main() {
	options := gocrawl.NewOptions(&follower{transport: os.Args[1] == "transport"})
	options.RobotUserAgent = agent.Token
	options.UserAgent = agent.Header
	options.CrawlDelay = time.Millisecond
	options.WorkerIdleTTL = 20 * time.Second
	options.SameHostOnly = false
	options.URLNormalizationFlags = purell.FlagsSafe // the others change the path
	options.LogFlags = gocrawl.LogError | gocrawl.LogIgnored
	if os.Args[1] == "transport" {
		gocrawl.HttpClient.Transport = agent.Transport()
	}
	if err := gocrawl.NewCrawlerWithOptions(options).Run(os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
