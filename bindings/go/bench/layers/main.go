// Layers compares package robots with cgo and without it: two builds of this program, which run in turns.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
	"github.com/librobots/librobots/bindings/go/bench/figures"
)

const (
	turns     = 14 // of each build
	rounds    = 5  // of each row, in a turn
	roundTime = 20 * time.Millisecond
	child     = "measure" // the argument of the two builds
	calls     = 4         // the rows before that of the first crawler
)

var names = []string{"`Check`", "`CheckBatch` of 100, each URL", "`Cache.Check`, a hit", "`Parse`", "the first `NewCrawler`"}

func main() {
	log.SetFlags(0)
	if len(os.Args) == 2 && os.Args[1] == child {
		must(json.NewEncoder(os.Stdout).Encode(measure()))
		return
	}
	folder, err := os.MkdirTemp("", "layers")
	must(err)
	defer os.RemoveAll(folder)
	tags := []string{"", "librobots_wasm"}
	best := make([][]float64, len(tags))
	for layer, tag := range tags {
		build := exec.Command("go", "build", "-tags", tag, "-o", program(folder, layer), "./layers")
		build.Env = append(os.Environ(), "CGO_ENABLED=1")
		build.Stderr = os.Stderr
		must(build.Run())
	}
	for range turns {
		for layer := range tags {
			output, err := exec.Command(program(folder, layer), child).Output()
			must(err)
			var figures []float64
			must(json.Unmarshal(output, &figures))
			if best[layer] == nil {
				best[layer] = figures
			}
			for i, figure := range figures {
				best[layer][i] = min(best[layer][i], figure)
			}
		}
	}
	load, _ := os.ReadFile("/proc/loadavg") // of Linux alone
	fmt.Printf("%s, %s/%s, %d processors, load %s\n\n| | cgo | without cgo | ratio |\n|---|---|---|---|\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), strings.TrimSpace(string(load)))
	least, most := math.Inf(1), 0.0
	for i, name := range names {
		ratio := "-"
		if i < calls {
			times := best[1][i] / best[0][i]
			least, most = min(least, times), max(most, times)
			ratio = fmt.Sprintf("%.1f", times)
		}
		fmt.Printf("| %s | %s | %s | %s |\n", name, amount(best[0][i]), amount(best[1][i]), ratio)
		figures.Write(name+", cgo", "%s", amount(best[0][i]))
		figures.Write(name+", wasm", "%s", amount(best[1][i]))
	}
	figures.Write("slower", "%.1f to %.1f", least, most)
	module, err := os.Stat("../built_by_make_go/librobots.wasm")
	must(err)
	figures.Write("module", "%.1f MB", float64(module.Size())/1e6)
}

func amount(ns float64) string {
	switch {
	case ns >= 1e6:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	case ns >= 1e4:
		return fmt.Sprintf("%.1f us", ns/1e3)
	}
	return fmt.Sprintf("%.0f ns", ns)
}

func program(folder string, layer int) string {
	return filepath.Join(folder, fmt.Sprint("layer", layer))
}

func must(err error) {
	if err != nil {
		log.Fatal("layers: ", err)
	}
}

// measure returns the nanoseconds of each row, the best round of several. The file has 120 rules, half of them with wildcards.
func measure() []float64 {
	var body strings.Builder
	body.WriteString("User-agent: *\n")
	for i := range 60 {
		fmt.Fprintf(&body, "Disallow: /shop/department-%d/\nDisallow: /*/item-%d/*.html\n", i, i)
	}
	file, now := []byte(body.String()), time.Now()
	var urls []string
	for i := range 100 {
		urls = append(urls, fmt.Sprintf("https://www.example.com/shop/department-%d/page", i)) // 60 are disallowed
	}
	start := time.Now()
	crawler, err := robots.NewCrawler("ExampleBot")
	must(err)
	first := float64(time.Since(start).Nanoseconds())
	rules, err := crawler.Parse(file)
	must(err)
	cache, err := robots.NewCache(1<<20, crawler)
	must(err)
	outcome, err := crawler.OutcomeFromStatus(urls[0], 200, file, now)
	must(err)
	must(cache.Check(urls[0], now).Ticket.Finish(outcome, now))
	verdicts := rules.CheckBatch(urls, nil)

	expect := func(allowed int) {
		if allowed != 40 {
			log.Fatalf("layers: %d URLs are allowed, not 40", allowed)
		}
	}
	each := func(allowed func(string) bool) func() {
		return func() {
			n := 0
			for _, url := range urls {
				if allowed(url) {
					n++
				}
			}
			expect(n)
		}
	}
	count := float64(len(urls))
	return []float64{
		best(each(func(url string) bool { return rules.Check(url).Allowed() })) / count,
		best(func() {
			verdicts = rules.CheckBatch(urls, verdicts)
			n := 0
			for _, verdict := range verdicts {
				if verdict.Allowed() {
					n++
				}
			}
			expect(n)
		}) / count,
		best(each(func(url string) bool { return cache.Check(url, now).Verdict.Allowed() })) / count,
		best(func() {
			_, err := crawler.Parse(file)
			must(err)
		}),
		first,
	}
}

// best returns the nanoseconds of one pass in the best round.
func best(pass func()) (ns float64) {
	for range rounds {
		passes, start := 0, time.Now()
		for passes == 0 || time.Since(start) < roundTime {
			pass()
			passes++
		}
		if figure := float64(time.Since(start).Nanoseconds()) / float64(passes); ns == 0 || figure < ns {
			ns = figure
		}
	}
	return ns
}
