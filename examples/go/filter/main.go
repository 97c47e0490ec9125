// Filter reads URLs, one per line, and writes those that a robots.txt allows:
//
//	filter robots.txt ExampleBot < urls.txt > allowed.txt
//
// A string that is no URL is not allowed. The exit status is 2 after an error.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	robots "github.com/librobots/librobots/bindings/go"
)

// batchSize is the number of URLs that one call decides about.
const batchSize = 1000

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "filter:", err)
		os.Exit(2)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("usage: filter FILE TOKEN < URLS")
	}
	body, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	crawler, err := robots.NewCrawler(args[1])
	if err != nil {
		return err
	}
	rules, err := crawler.Parse(body)
	if err != nil {
		return err
	}
	return filter(rules, in, out)
}

func filter(rules *robots.Rules, in io.Reader, out io.Writer) error {
	lines, allowed := bufio.NewReader(in), bufio.NewWriter(out)
	var urls []string
	var verdicts []robots.Verdict
	for {
		line, err := lines.ReadString('\n')
		if url := strings.TrimRight(line, "\r\n"); url != "" {
			urls = append(urls, url)
		}
		if len(urls) == batchSize || err != nil {
			verdicts = rules.CheckBatch(urls, verdicts)
			for i, verdict := range verdicts {
				if verdict.Allowed() {
					fmt.Fprintln(allowed, urls[i])
				}
			}
			urls = urls[:0]
		}
		if err == io.EOF {
			return allowed.Flush()
		}
		if err != nil {
			return err
		}
	}
}
