//go:build cgo && !librobots_wasm && linux

package robots

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// failingMalloc names the file through which a test and testdata/failing_malloc.c communicate.
const failingMalloc = "ROBOTS_FAILING_MALLOC"

// eachAllocationFails calls work again and again: the first allocation of the library in a function passed to during fails, then
// the second, until none is left. during reports whether one has failed. eachAllocationFails returns how many did.
func eachAllocationFails(t *testing.T, work func(during func(func()) (failed bool))) (count int64) {
	t.Helper()
	file, err := os.OpenFile(os.Getenv(failingMalloc), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	shared, err := syscall.Mmap(int(file.Fd()), 0, 16, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	plan := (*struct{ thread, before int64 })(unsafe.Pointer(unsafe.SliceData(shared)))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for ; ; count++ {
		plan.before = count
		work(func(call func()) bool {
			plan.thread = int64(syscall.Gettid())
			call()
			plan.thread = 0
			return plan.before < 0
		})
		if plan.before >= 0 {
			return count
		}
	}
}

// runWithFailingMalloc runs the current test again, in a process of its own in which allocations can fail.
func runWithFailingMalloc(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	library, file := filepath.Join(folder, "failing_malloc.so"), filepath.Join(folder, "plan")
	compiler := strings.Fields(os.Getenv("CC") + " cc")[0]
	if text, err := exec.Command(compiler, "-shared", "-fPIC", "-o", library, "testdata/failing_malloc.c").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := os.WriteFile(file, make([]byte, 16), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), "LD_PRELOAD="+library, failingMalloc+"="+file)
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// After a failed allocation, page controls permit nothing: neither those that are read nor those that a Transport attaches. No use is
// allowed.
func TestNothingIsPermittedWithoutMemory(t *testing.T) {
	if os.Getenv(failingMalloc) == "" {
		runWithFailingMalloc(t)
		return
	}
	crawler := mustCrawler(t, "ExampleBot")
	header := http.Header{
		"X-Robots-Tag": {"nofollow, all", "examplebot: max-snippet: 20, nonsense", "unavailable_after: 2030-01-01"}, "Content-Usage": {"search=y"},
	}
	const url = "https://example.com/"
	uses := must(crawler.Uses(url, []byte{}))
	permitsNothing := func(page *PageControls) {
		t.Helper()
		for control := ControlIndex; control <= ControlUnavailableAfter; control++ {
			if value, rule := page.Value(control), page.DecidedBy(control); value != 0 || rule.Value != 0 {
				t.Errorf("%v: %d, %d by %q", control, value, rule.Value, rule.Text)
			}
		}
		if answer, err := uses.UseFor(url, PurposeSearch, page); err != nil || answer.Says == UseAllowed {
			t.Error("a use:", answer, err)
		}
	}
	read := eachAllocationFails(t, func(during func(func()) bool) {
		var page *PageControls
		var err error
		failed := during(func() { page, err = crawler.PageControls(header) })
		if failed && (page != nil || !isError(err, ErrMemory)) {
			t.Error(page, err)
		}
	})
	attached := eachAllocationFails(t, func(during func(func()) bool) {
		var response *http.Response
		transport := &Transport{Cache: &Cache{crawlers: []*Crawler{crawler}}}
		base := roundTrip(func(*http.Request) (*http.Response, error) { return &http.Response{Header: header}, nil })
		failed := during(func() { response, _ = transport.withPageControls(new(http.Request), base) })
		page := PageControlsOf(response)
		if failed {
			permitsNothing(page)
		} else if !page.MayIndex() || page.MayFollow() || must(uses.UseFor(url, PurposeSearch, page)).Says != UseAllowed {
			t.Error("the controls of the response are not attached")
		}
	})
	added := eachAllocationFails(t, func(during func(func()) bool) {
		page, err := crawler.PageControls(header)
		if err != nil {
			t.Fatal(err)
		}
		if failed := during(func() { err = page.AddMeta("robots", "max-snippet: 5, nonsense") }); !failed {
			return
		}
		permitsNothing(page)
		if !isError(err, ErrMemory) {
			t.Error(err)
		}
	})
	page := must(crawler.PageControls(header))
	asked := eachAllocationFails(t, func(during func(func()) bool) {
		var answer UseAnswer
		var err error
		failed := during(func() {
			var uses *Uses
			if uses, err = crawler.Uses("", []byte("content-signal: search=yes\n")); err == nil {
				answer, err = uses.UseFor(url, PurposeSearch, page)
			}
		})
		if failed && (answer.Says != UseDenied || !isError(err, ErrMemory)) || !failed && answer.Says != UseAllowed {
			t.Error(answer, err)
		}
	})
	if read < 4 || attached != read || added == 0 || asked < 4 {
		t.Error("allocations that failed:", read, attached, added, asked)
	}
}
