// The client of tests/wire/run for Go.
package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	robots "github.com/librobots/librobots/bindings/go"
)

func main() {
	crawler, err := robots.NewCrawler("ExampleBot")
	if err != nil {
		panic(err)
	}
	cache, err := robots.NewCache(1<<20, crawler)
	if err != nil {
		panic(err)
	}
	client := http.Client{Transport: &robots.Transport{Cache: cache}}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		url, err := hex.DecodeString(lines.Text())
		if err != nil {
			panic(err)
		}
		fmt.Println(get(&client, string(url)))
	}
}

func get(client *http.Client, url string) string {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return "error"
	}
	request.Header.Set("User-Agent", "ExampleBot/1.0")
	response, err := client.Do(request)
	var forbidden *robots.ForbiddenError
	if errors.As(err, &forbidden) {
		return "forbidden"
	}
	if err != nil {
		return "error"
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return "error"
	}
	sent := *response.Request.URL
	sent.Fragment = ""
	return "sent " + sent.String()
}
