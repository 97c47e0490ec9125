// The differential test's driver for Go; wire.rs defines its input and output.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"os"
	"slices"

	robots "github.com/librobots/librobots/bindings/go"
)

const (
	word    = 0
	allowed = 2
	none    = ^uint64(0)
)

var (
	in  = bufio.NewReaderSize(os.Stdin, 1<<16)
	out = bufio.NewWriterSize(os.Stdout, 1<<16)
)

func number() uint32 {
	var raw [4]byte
	must(io.ReadFull(in, raw[:]))
	return binary.LittleEndian.Uint32(raw[:])
}

func quad() uint64 {
	var raw [8]byte
	must(io.ReadFull(in, raw[:]))
	return binary.LittleEndian.Uint64(raw[:])
}

func text() []byte {
	raw := make([]byte, number())
	must(io.ReadFull(in, raw))
	return raw
}

func list() []string {
	texts := make([]string, number())
	for i := range texts {
		texts[i] = string(text())
	}
	return texts
}

func must(_ int, err error) {
	if err != nil {
		log.Fatal("driver.go: ", err)
	}
}

func writeNumber(n uint32) { must(out.Write(binary.LittleEndian.AppendUint32(nil, n))) }
func writeWord(n uint64)   { must(out.Write(binary.LittleEndian.AppendUint64(nil, n))) }

func writeText(text string) {
	writeNumber(uint32(len(text)))
	must(out.WriteString(text))
}

func writeWay(name string, kind uint32, urls []string, ask func(i int, url string) uint64) {
	writeText(name)
	writeNumber(kind)
	for i, url := range urls {
		writeWord(ask(i, url))
	}
}

func newCrawler() (*robots.Crawler, error) {
	var options []robots.Option
	for range number() {
		name := string(text())
		if made := option(name, quad()); made != nil {
			options = append(options, made)
		}
	}
	tokens := list()
	if len(tokens) == 0 {
		return nil, robots.ErrToken
	}
	if slices.Equal(tokens, []string{"*"}) {
		return robots.NewCrawlerWithoutToken(options...)
	}
	return robots.NewCrawler(tokens[0], append(options, robots.WithFallback(tokens[1:]...))...)
}

func answer() {
	crawler, err := newCrawler()
	body, urls := text(), list()
	var rules *robots.Rules
	if err == nil {
		rules, err = crawler.Parse(body)
	}
	var status robots.Error
	if err != nil && !errors.As(err, &status) {
		log.Fatal("driver.go: ", err)
	}
	writeNumber(uint32(status))
	if status != 0 {
		return
	}

	if delay, given := rules.CrawlDelay(); given {
		writeWord(uint64(delay))
	} else {
		writeWord(none)
	}
	sitemaps := rules.Sitemaps()
	writeNumber(uint32(len(sitemaps)))
	for _, sitemap := range sitemaps {
		writeText(sitemap)
	}
	image, err := rules.MarshalBinary()
	must(0, err)
	writeText(string(image))

	var again robots.Rules
	must(0, again.UnmarshalBinary(image))
	batch := rules.CheckBatch(urls, nil)
	writeNumber(4)
	writeWay("Rules.Check", word, urls, func(_ int, url string) uint64 { return uint64(rules.Check(url)) })
	writeWay("Rules.Check, from an image", word, urls, func(_ int, url string) uint64 { return uint64(again.Check(url)) })
	writeWay("Rules.CheckBatch", word, urls, func(i int, _ string) uint64 { return uint64(batch[i]) })
	writeWay("Rules.Allowed", allowed, urls, func(_ int, url string) uint64 {
		if rules.Allowed(url) {
			return 1
		}
		return 0
	})
}

func main() {
	for {
		if _, err := in.Peek(1); err == io.EOF {
			return
		}
		answer()
		must(0, out.Flush())
	}
}
