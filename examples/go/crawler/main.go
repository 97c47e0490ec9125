// Crawler is a small polite crawler, which obeys robots.txt by librobots:
//
//	crawler [-pages N] [-delay DURATION] URL...
//
// It goes breadth-first through the sites of the URLs given and stays on them. The robots.txt of a site is fetched once, by
// the robots.Cache that stands before every request; what it forbids is left out, with the line that says so. Each site has
// a queue of its own, and between two requests to it there is as much time as its crawl-delay says, or -delay.
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
	delay := flag.Duration("delay", time.Second, "leave at least so much time between two requests to a site")
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
