package main

import (
	"testing"

	"github.com/librobots/librobots/bindings/go/robotstxt"
	temoto "github.com/temoto/robotstxt"
)

// The drop-in package parses no slower than the original, also the small files that most sites have.
func TestNoOriginalIsFaster(t *testing.T) {
	const rules = "User-agent: *\nDisallow: /admin/\nDisallow: /cart/\n\nUser-agent: GPTBot\nDisallow: /\n"
	type data interface{ TestAgent(path, agent string) bool }
	fastest := func(parse func() data) (least int64) {
		for range 5 {
			result := testing.Benchmark(func(b *testing.B) {
				for range b.N {
					file := parse()
					for range 20 {
						file.TestAgent("/shop/page", agent)
					}
				}
			})
			if time := result.NsPerOp(); least == 0 || time < least {
				least = time
			}
		}
		return least
	}
	ours := fastest(func() data { file, _ := robotstxt.FromString(rules); return file })
	theirs := fastest(func() data { file, _ := temoto.FromString(rules); return file })
	if 2*ours > theirs {
		t.Errorf("a parse and 20 checks take %d ns, those of temoto/robotstxt %d", ours, theirs)
	}
}
