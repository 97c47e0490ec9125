package main

import (
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/html"
)

// references returns the target of a redirect, or the href of each link of an HTML page.
func references(response *http.Response) []string {
	if location := response.Header.Get("Location"); location != "" && response.StatusCode/100 == 3 {
		return []string{location}
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	var found []string
	page := html.NewTokenizer(io.LimitReader(response.Body, mostPage))
	for {
		switch page.Next() {
		case html.ErrorToken: // the end of the page, or a truncated page
			return found
		case html.StartTagToken, html.SelfClosingTagToken:
			if name, more := page.TagName(); string(name) == "a" && more {
				found = append(found, href(page)...)
			}
		}
	}
}

func href(tag *html.Tokenizer) []string {
	for {
		key, value, more := tag.TagAttr()
		if string(key) == "href" {
			return []string{strings.TrimSpace(string(value))}
		}
		if !more {
			return nil
		}
	}
}
