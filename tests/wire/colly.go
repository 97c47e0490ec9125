package main

import (
	"github.com/gocolly/colly/v2"

	robots "github.com/librobots/librobots/bindings/go"
)

func init() {
	getters["colly"] = func(transport *robots.Transport) func(url string) error {
		collector := colly.NewCollector(colly.UserAgent(agent), colly.AllowURLRevisit())
		collector.WithTransport(transport)
		return collector.Visit
	}
}
