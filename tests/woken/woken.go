// Woken requests each URL in a goroutine of its own, for tests/woken/run.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	robots "github.com/librobots/librobots/bindings/go"
)

func main() {
	crawler, err := robots.NewCrawler("ExampleBot")
	if err != nil {
		log.Fatal(err)
	}
	cache, err := robots.NewCache(1<<20, crawler)
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &robots.Transport{Cache: cache}}
	var workers sync.WaitGroup
	for _, url := range os.Args[1:] {
		workers.Add(1)
		go func() {
			defer workers.Done()
			request, err := http.NewRequest(http.MethodGet, url, nil)
			if err != nil {
				log.Fatal(err)
			}
			request.Header.Set("User-Agent", "ExampleBot/1.0")
			response, err := client.Do(request)
			if err != nil {
				log.Fatal(err)
			}
			defer response.Body.Close()
			if _, err := io.Copy(io.Discard, response.Body); err != nil {
				log.Fatal(err)
			}
		}()
	}
	workers.Wait()
}
