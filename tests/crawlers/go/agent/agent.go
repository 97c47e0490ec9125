// Package agent has what the crawlers of this module share.
package agent

import (
	"log"
	"net/http"

	robots "github.com/librobots/librobots/bindings/go"
)

// Header is the User-Agent of the crawlers, Token their product token.
const (
	Token  = "ExampleBot"
	Header = Token + "/1.0 (+https://example.com/bot)"
)

// Transport returns a transport that checks each request.
func Transport() http.RoundTripper {
	crawler, err := robots.NewCrawler(Token, robots.WithUserAgent(Header))
	if err != nil {
		log.Fatal(err)
	}
	cache, err := robots.NewCache(16<<20, crawler)
	if err != nil {
		log.Fatal(err)
	}
	return &robots.Transport{Cache: cache}
}
