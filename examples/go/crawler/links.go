package main

import (
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	robots "github.com/librobots/librobots/bindings/go"
)

// references returns the target of a redirect, or the href of each link of an HTML page whose links may be followed.
func references(response *http.Response, controls *robots.PageControls) []string {
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
			if !controls.MayFollow() {
				return nil
			}
			return found
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := page.TagName()
			if !more {
				continue
			}
			switch attributes := attributesOf(page); string(name) {
			case "a":
				if target, ok := attributes["href"]; ok {
					found = append(found, strings.TrimSpace(target))
				}
			case "meta":
				// After an error the controls permit nothing.
				_ = controls.AddMeta(attributes["name"], attributes["content"])
			}
		}
	}
}

// attributesOf returns the attributes of a tag; of equal names the first counts.
func attributesOf(tag *html.Tokenizer) map[string]string {
	attributes := map[string]string{}
	for {
		key, value, more := tag.TagAttr()
		if _, known := attributes[string(key)]; !known {
			attributes[string(key)] = string(value)
		}
		if !more {
			return attributes
		}
	}
}
