//go:build cgo && !librobots_wasm

package robotstxt

import (
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
