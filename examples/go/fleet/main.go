// Fleet checks URLs with robots.txt files that several processes share in Redis:
//
//	fleet [-redis ADDRESS] URL...
//
// The first process that needs the robots.txt of a site fetches it and stores the record. The others load the record.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	robots "github.com/librobots/librobots/bindings/go"
	"github.com/redis/go-redis/v9"
)

const (
	token     = "ExampleBot"
	userAgent = token + "/1.0 (+https://example.com/bot)"
	cacheSize = 64 << 20
)

func main() {
	address := flag.String("redis", "localhost:6379", "the address of the Redis server")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: fleet [-redis ADDRESS] URL...")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client := redis.NewClient(&redis.Options{Addr: *address})
	defer client.Close()
	if err := run(ctx, client, flag.Args(), os.Stdout); err != nil {
		log.Fatal("fleet: ", err)
	}
}

func run(ctx context.Context, client *redis.Client, urls []string, out io.Writer) error {
	cache, err := newCache(ctx, client)
	if err != nil {
		return err
	}
	for _, url := range urls {
		verdict, err := cache.Fetch(ctx, nil, url)
		if err != nil {
			fmt.Fprintln(out, err) // for an outage: a *robots.DeferError with the time of the next attempt
			continue
		}
		fmt.Fprintf(out, "%s: %v\n", url, verdict)
	}
	return ctx.Err()
}

// newCache returns a cache that shares its outcomes in Redis. It starts with all stored outcomes.
func newCache(ctx context.Context, client *redis.Client) (*robots.Cache, error) {
	crawler, err := robots.NewCrawler(token, robots.WithUserAgent(userAgent))
	if err != nil {
		return nil, err
	}
	cache, err := robots.NewCache(cacheSize, crawler)
	if err != nil {
		return nil, err
	}
	store := &store{client}
	cache.Lookup, cache.OnOutcome = store.load, store.save
	return cache, store.warm(ctx, cache)
}
