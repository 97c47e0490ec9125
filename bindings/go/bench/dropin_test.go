package main

import (
	"testing"
	"time"

	"github.com/librobots/librobots/bindings/go/robotstxt"
	temoto "github.com/temoto/robotstxt"
)

// A small file, which most sites have, takes the drop-in package no longer than the original.
func TestNoOriginalIsFaster(t *testing.T) {
	const rules = "User-agent: *\nDisallow: /admin/\nDisallow: /cart/\n\nUser-agent: GPTBot\nDisallow: /\n"
	type data interface{ TestAgent(path, agent string) bool }
	fastest := func(parse func() data) time.Duration {
		least := time.Hour
		for range 20 {
			start := time.Now()
			for range 200 {
				file := parse()
				for range 20 {
					file.TestAgent("/shop/page", agent)
				}
			}
			least = min(least, time.Since(start)/200)
		}
		return least
	}
	ours := fastest(func() data { file, _ := robotstxt.FromString(rules); return file })
	theirs := fastest(func() data { file, _ := temoto.FromString(rules); return file })
	if ours > theirs {
		t.Errorf("a parse and 20 checks take %v, those of temoto/robotstxt %v", ours, theirs)
	}
}
