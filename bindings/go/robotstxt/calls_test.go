//go:build cgo && !librobots_wasm

package robotstxt

import (
	"fmt"
	"runtime"
	"testing"
)

// The library is asked at most twice what a group says about every path.
func TestWholeSitesAreKnown(t *testing.T) {
	const path = "/category/page?q=1"
	calls := func(group *Group, want bool) int64 {
		for range 2 {
			group.Test(path)
		}
		before := runtime.NumCgoCall()
		for range 100 {
			if group.Test(path) != want {
				t.Errorf("not %v", want)
			}
		}
		return runtime.NumCgoCall() - before
	}
	if n := calls(parsed(t, body).FindGroup("ExampleBot"), true); n < 100 {
		t.Fatalf("%d calls are counted for 100 tests of rules that distinguish paths", n)
	}
	for body, want := range wholeSites {
		if n := calls(parsed(t, body).FindGroup("ExampleBot"), want); n > 0 {
			t.Errorf("%q: %d calls for 100 tests", body, n)
		}
	}
	for _, status := range []int{404, 429, 503} {
		for range 2 {
			r, err := FromStatusAndString(status, "")
			if err != nil {
				t.Fatal(err)
			}
			if n := calls(r.FindGroup("ExampleBot"), status == 404); n > 0 {
				t.Errorf("%d: %d calls for 100 tests", status, n)
			}
		}
	}
}

// A file is compiled once for all agents in turn, not for each whenever its turn comes.
func TestManyAgentsInTurnAreRemembered(t *testing.T) {
	r := parsed(t, "User-agent: other\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n")
	turn := func() int64 {
		before := runtime.NumCgoCall()
		for i := range 200 {
			if r.TestAgent("/x", fmt.Sprintf("bot%d", i)) {
				t.Error(i)
			}
		}
		return runtime.NumCgoCall() - before
	}
	if n := turn(); n < 200 {
		t.Fatalf("%d calls are counted for 200 new agents", n)
	}
	if n := turn(); n > 0 {
		t.Errorf("%d calls for 200 known agents", n)
	}
}
