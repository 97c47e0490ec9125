// The adapter for librobots in Go.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
)

// One case; encoding/json undoes base64 for []byte.
type testCase struct {
	Kind, Dialect, Site, Control string
	Agents                       [][]byte          `json:"agents_base64"`
	Options                      map[string]uint64 `json:"options"`
	Robots                       []byte            `json:"robots_base64"`
	URL                          []byte            `json:"url_base64"`
	RobotsURL                    string            `json:"robots_url"`
	At                           int64
	Attempts                     []struct {
		At        int64
		Responses []response
	}
	Headers, Metas pairs
}

type response struct {
	Status  *int
	Headers pairs
	Body    []byte `json:"body_base64"`
	Failure string
}

// Names and values, escaped.
type pairs [][2]string

func (p pairs) all(use func(name, value string)) {
	for _, pair := range p {
		name, _ := url.PathUnescape(pair[0])
		value, _ := url.PathUnescape(pair[1])
		use(name, value)
	}
}

func (p pairs) header() http.Header {
	header := http.Header{}
	p.all(func(name, value string) { header[name] = append(header[name], value) })
	return header
}

var failures = map[string]robots.Failure{
	"dns": robots.FailureDNS, "connect": robots.FailureConnect, "tls": robots.FailureTLS, "timeout": robots.FailureTimeout,
	"reset": robots.FailureReset, "truncated": robots.FailureTruncated, "other": robots.FailureOther,
	"encodedbody": robots.FailureEncodedBody,
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
		if made := option(name, value); made != nil {
			options = append(options, made)
		}
	}
	for _, agent := range it.Agents[1:] {
		options = append(options, robots.WithFallback(string(agent)))
	}
	return robots.NewCrawler(string(it.Agents[0]), options...)
}

// The outcome after the attempts, and the time of the last one.
func play(crawler *robots.Crawler, it testCase) (last *robots.Outcome, now time.Time, err error) {
	for _, attempt := range it.Attempts {
		now = time.Unix(attempt.At, 0)
		fetch, err := robots.NewFetch(it.Site, now, crawler)
		if err == nil && last != nil {
			err = fetch.SetPrevious(last)
		}
		for _, response := range attempt.Responses {
			if err == nil {
				err = report(fetch, response, now)
			}
		}
		if err != nil {
			return nil, now, err
		}
		if last, err = fetch.Outcome(); err != nil {
			return nil, now, err
		}
	}
	return last, now, nil
}

func report(fetch *robots.Fetch, response response, now time.Time) (err error) {
	if response.Status != nil {
		err = errors.Join(fetch.Status(*response.Status, now), fetch.Headers(response.Headers.header()))
		if fetch.Step() == robots.StepBody {
			err = errors.Join(err, fetch.Body(response.Body))
		}
	}
	if response.Failure != "" {
		return errors.Join(err, fetch.Fail(failures[response.Failure], now))
	}
	return errors.Join(err, fetch.End())
}

func page(crawler *robots.Crawler, it testCase) (string, error) {
	page, err := crawler.PageControls(it.Headers.header())
	if err != nil {
		return "", err
	}
	it.Metas.all(func(name, content string) { err = errors.Join(err, page.AddMeta(name, content)) })
	if it.Kind == "page-usage" {
		return "value " + page.Usage(it.Control).String(), err
	}
	for control := robots.ControlIndex; control <= robots.ControlUnavailableAfter; control++ {
		if control.String() == it.Control {
			return fmt.Sprint("value ", page.Value(control)), err
		}
	}
	return "unsupported " + it.Control, err
}

func preferences(crawler *robots.Crawler, it testCase) (string, error) {
	extensions, err := crawler.Extensions(it.Robots)
	if err != nil {
		return "", err
	}
	all, err := extensions.Preferences(string(it.URL))
	out := "value"
	for _, one := range all {
		vocabulary := "content-usage"
		if one.Vocabulary == robots.SignalVocabulary {
			vocabulary = "content-signal"
		}
		out += fmt.Sprintf(" %s:%s=%c", vocabulary, escaped(one.Label), "ny?"[one.Choice])
	}
	return out, err
}

func word(verdict robots.Verdict) (string, error) {
	switch {
	case verdict.Allowed():
		return "allow", nil
	case verdict.Reason() == robots.ReasonUnreachable || verdict.Reason() == robots.ReasonDefer:
		return "defer", verdict.Err()
	}
	return "deny", verdict.Err()
}

func answer(it testCase) (string, error) {
	switch it.Kind {
	case "origin":
		origin, err := robots.OriginOf(string(it.URL))
		return "value " + escaped(origin.RobotsURL), err
	case "governs":
		site, err := robots.OriginOf(it.RobotsURL)
		if other, invalid := robots.OriginOf(string(it.URL)); invalid == nil && other == site {
			return "value yes", err
		}
		return "value no", err
	}
	crawler, err := crawler(it)
	if err != nil {
		return "", err
	}
	switch it.Kind {
	case "preferences":
		return preferences(crawler, it)
	case "page", "page-usage":
		return page(crawler, it)
	case "fetch", "due":
		last, now, err := play(crawler, it)
		switch {
		case err != nil:
			return "", err
		case it.Kind == "due":
			return fmt.Sprint("value ", last.RetryAt.Unix()-now.Unix()), nil
		}
		return word(last.Check(string(it.URL), time.Unix(it.At, 0)))
	}
	rules, err := crawler.Parse(it.Robots)
	if err != nil {
		return "", err
	}
	switch it.Kind {
	case "crawl-delay":
		delay, given := rules.CrawlDelay()
		if !given {
			return "value none", nil
		}
		return "value " + strconv.FormatFloat(math.Round(delay.Seconds()*1e6)/1e6, 'f', -1, 64), nil
	case "sitemaps":
		out := "value"
		for _, sitemap := range rules.Sitemaps() {
			out += " " + escaped(sitemap)
		}
		return out, nil
	}
	verdict := rules.Check(string(it.URL))
	said, err := word(verdict)
	return fmt.Sprint(said, " ", verdict.Line()), err
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
		said := ""
		if err = json.Unmarshal(line, &it); err == nil {
			said, err = answer(it)
		}
		if err != nil {
			said = "error " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(said)
	}
}
