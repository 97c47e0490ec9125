// The adapter for librobots in Go.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	robots "github.com/librobots/librobots/bindings/go"
)

// One case; encoding/json undoes base64 for []byte.
type testCase struct {
	Kind, Dialect string
	Agents        [][]byte          `json:"agents_base64"`
	Options       map[string]uint64 `json:"options"`
	Robots        []byte            `json:"robots_base64"`
	URL           []byte            `json:"url_base64"`
	RobotsURL     string            `json:"robots_url"`
}

func escaped(text string) string {
	var out strings.Builder
	for _, b := range []byte(text) {
		if b > ' ' && b < 0x7F && b != '%' {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return out.String()
}

func crawler(it testCase) (*robots.Crawler, error) {
	dialects := map[string]robots.Dialect{"rfc9309": robots.RFC9309, "google": robots.Google, "koster1996": robots.Koster1996}
	options := []robots.Option{robots.WithDialect(dialects[it.Dialect])}
	for name, value := range it.Options {
		switch name {
		case "ignore_star":
			options = append(options, robots.WithIgnoreStar())
		case "merge_tokens":
			options = append(options, robots.WithMergeTokens())
		case "crawl_delay_ends_agents":
			options = append(options, robots.WithCrawlDelayEndsAgents())
		case "max_bytes":
			options = append(options, robots.WithMaxBytes(value))
		}
	}
	for _, agent := range it.Agents[1:] {
		options = append(options, robots.WithFallback(string(agent)))
	}
	return robots.NewCrawler(string(it.Agents[0]), options...)
}

func answer(it testCase) string {
	switch it.Kind {
	case "check", "crawl-delay", "sitemaps":
	default:
		return "unsupported " + it.Kind
	}
	made, err := crawler(it)
	if err != nil {
		return "error " + err.Error()
	}
	rules, err := made.Parse(it.Robots)
	if err != nil {
		return "error " + err.Error()
	}
	switch it.Kind {
	case "crawl-delay":
		delay, given := rules.CrawlDelay()
		if !given {
			return "value none"
		}
		return "value " + strconv.FormatFloat(math.Round(delay.Seconds()*1e6)/1e6, 'g', -1, 64)
	case "sitemaps":
		out := "value"
		for _, sitemap := range rules.Sitemaps() {
			out += " " + escaped(sitemap)
		}
		return out
	}
	verdict := rules.Check(string(it.URL))
	word := "deny"
	switch {
	case verdict.Err() != nil:
		return "error " + verdict.Err().Error()
	case verdict.Allowed():
		word = "allow"
	case verdict.Reason() == robots.ReasonUnreachable || verdict.Reason() == robots.ReasonDefer:
		word = "defer"
	}
	return fmt.Sprint(word, " ", verdict.Line())
}

func main() {
	fmt.Println("engine librobots-go", os.Getenv("ROBOTS_VERSION"))
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var it testCase
		if err := json.Unmarshal(line, &it); err != nil {
			fmt.Println("error", err)
			continue
		}
		fmt.Println(strings.ReplaceAll(answer(it), "\n", " "))
	}
}
