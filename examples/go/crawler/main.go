// Crawler is a small polite crawler that obeys robots.txt with librobots:
//
//	crawler [-pages N] [-delay DURATION] URL...
//
// It crawls the sites of the given URLs breadth-first. A robots.Cache fetches the robots.txt of each site once, and a
// robots.Transport checks every request. A disallowed URL is reported with the line that disallows it. A robots.Queue has a
// queue for each site: a slow site does not hold up the others. Two requests to a site are the crawl-delay of the site apart, or
// -delay.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"
)

func main() {
	pages := flag.Int("pages", 100, "fetch at most so many pages of a site")
	delay := flag.Duration("delay", time.Second, "the time between two requests to a site whose robots.txt states no crawl-delay")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: crawler [-pages N] [-delay DURATION] URL...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var progress io.Writer
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		progress = os.Stderr
	}
	if err := crawl(ctx, flag.Args(), *pages, *delay, os.Stdout, progress); err != nil {
		log.Fatal("crawler: ", err)
	}
}
