// Adapters for robots.txt parsers that the Go module proxy has: go-peers NAME.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jimsmart/grobotstxt"
	"github.com/temoto/robotstxt"
)

type testCase struct {
	Kind, Dialect string
	Agents        []string
	Options       map[string]uint64
	Robots        []byte `json:"robots_base64"`
	URL           []byte `json:"url_base64"`
}

func word(allowed bool) string {
	if allowed {
		return "allow"
	}
	return "deny"
}

func temoto(it testCase, url string) string {
	if len(it.Agents) > 1 || it.Options != nil || it.Dialect != "rfc9309" {
		return "unsupported"
	}
	data, err := robotstxt.FromBytes(it.Robots)
	if err != nil {
		return "error " + err.Error()
	}
	switch it.Kind {
	case "crawl-delay":
		delay := data.FindGroup(it.Agents[0]).CrawlDelay
		if delay == 0 {
			return "value none"
		}
		return "value " + strconv.FormatFloat(delay.Seconds(), 'g', -1, 64)
	case "check":
		// What it tests is a path with its query.
		if scheme := strings.Index(url, "://"); scheme >= 0 {
			rest := url[scheme+3:]
			if end := strings.IndexAny(rest, "/?#"); end < 0 {
				url = "/"
			} else if url = rest[end:]; url[0] != '/' {
				url = "/" + url
			}
		}
		url, _, _ = strings.Cut(url, "#")
		return word(data.TestAgent(url, it.Agents[0]))
	}
	return "unsupported"
}

func grobots(it testCase, url string) string {
	isMerged := it.Options["merge_tokens"] == 1 && len(it.Options) == 1
	if it.Kind != "check" || (len(it.Agents) > 1) != isMerged || (it.Options != nil) != isMerged {
		return "unsupported"
	}
	return word(grobotstxt.AgentsAllowed(string(it.Robots), it.Agents, url))
}

func answer(it testCase, engine func(testCase, string) string) (said string) {
	defer func() {
		if fault := recover(); fault != nil {
			said = fmt.Sprint("error panic: ", fault)
		}
	}()
	url := string(it.URL)
	if it.Dialect == "koster1996" || !utf8.ValidString(url) {
		return "unsupported"
	}
	if strings.HasPrefix(url, "/") && it.Dialect != "google" {
		url = "https://example.com" + url
	}
	return engine(it, url)
}

func main() {
	engines := map[string]func(testCase, string) string{
		"github.com/temoto/robotstxt": temoto, "github.com/jimsmart/grobotstxt": grobots,
	}
	name, version := os.Args[1], ""
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == name {
			version = module.Version
		}
	}
	fmt.Println("engine", name, version)
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for line, err := lines.ReadBytes('\n'); err == nil; line, err = lines.ReadBytes('\n') {
		var it testCase
		if err := json.Unmarshal(line, &it); err != nil {
			fmt.Println("unsupported", err)
			continue
		}
		fmt.Println(strings.ReplaceAll(answer(it, engines[name]), "\n", " "))
	}
}
