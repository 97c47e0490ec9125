// The client of tests/wire/run for Go: client net/http|colly BASE, or client net/http|colly ways SECONDS. colly.go adds colly.
package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
)

const agent = "ExampleBot/1.0"

// A noter keeps the URL of the last request for a page.
type noter struct{ sent string }

func (n *noter) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Path != "/robots.txt" {
		n.sent = request.URL.String()
	}
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	getter := getters[os.Args[1]]
	var options []robots.Option
	isWays := os.Args[2] == "ways"
	if isWays {
		timeout, err := time.ParseDuration(os.Args[3] + "s")
		options = append(options, robots.WithTimeout(timeout))
		must(err)
	}
	crawler, err := robots.NewCrawler("ExampleBot", options...)
	must(err)
	cache, err := robots.NewCache(16<<20, crawler)
	must(err)
	if isWays {
		visitWays(cache, getter(&robots.Transport{Cache: cache}))
		return
	}
	var last noter
	get := getter(&robots.Transport{Cache: cache, Base: &last})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		url, err := hex.DecodeString(lines.Text())
		must(err)
		switch err := get(string(url)); {
		case errors.As(err, new(*robots.ForbiddenError)):
			fmt.Println("forbidden")
		case err != nil:
			fmt.Println("error")
		default:
			sent, _, _ := strings.Cut(last.sent, "#")
			fmt.Println("sent", sent)
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// getters has a function for each client: it returns one that gets a URL by a client with the transport.
var getters = map[string]func(*robots.Transport) func(url string) error{"net/http": netHTTP}

func netHTTP(transport *robots.Transport) func(url string) error {
	client := http.Client{Transport: transport}
	return func(url string) error {
		request, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		request.Header.Set("User-Agent", agent)
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return err
	}
}

func visitWays(cache *robots.Cache, get func(url string) error) {
	ways := make(chan string)
	var workers sync.WaitGroup
	for range 24 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for line := range ways {
				way, base, _ := strings.Cut(line, " ")
				kind := "- for=-"
				open, private := answer(get(base+"/open")), answer(get(base+"/private"))
				if outcome, err := cache.Outcome(base); err == nil && outcome != nil {
					minutes := outcome.RetryAt.Sub(outcome.FetchedAt).Round(time.Minute) / time.Minute
					kind = fmt.Sprintf("%s for=%d", strings.ReplaceAll(outcome.Kind.String(), " ", "_"), minutes)
				}
				fmt.Printf("%s open=%s private=%s kind=%s\n", way, open, private, kind)
			}
		}()
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		ways <- lines.Text()
	}
	close(ways)
	workers.Wait()
}

func answer(err error) string {
	switch {
	case errors.As(err, new(*robots.ForbiddenError)):
		return "forbidden"
	case errors.As(err, new(*robots.DeferError)):
		return "deferred"
	}
	return "allowed"
}
