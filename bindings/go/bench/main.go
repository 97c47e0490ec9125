// Bench compares librobots with other robots.txt packages for Go in one table, from one run (see README.md).
package main

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"

	"github.com/librobots/librobots/bindings/go/bench/figures"
)

// agent is the crawler's name in all engines.
const agent = "ExampleBot"

func main() {
	log.SetFlags(0)
	sites, err := load(os.Getenv("ROBOTS_CORPUS"))
	if err != nil {
		log.Fatal("bench: ", err)
	}
	fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
	sites = report(sites)
	fmt.Println(header())
	for _, make := range rows {
		row := make(sites)
		// The arguments select the rows whose name contains one of them.
		if len(os.Args) == 1 || containsAny(row.name, os.Args[1:]) {
			fmt.Println(row.measure())
		}
	}
}

func containsAny(name string, texts []string) bool {
	for _, text := range texts {
		if strings.Contains(name, text) {
			return true
		}
	}
	return false
}

// report prints the corpus and returns it without the sites whose file an engine refuses.
func report(sites []*site) []*site {
	var size, refused int
	var kept []*site
	for _, s := range sites {
		if !s.parse() {
			refused++
			continue
		}
		size += len(s.body)
		kept = append(kept, s)
	}
	figures.Write("with", "%s", runtime.Version())
	figures.Write("files", "%d", len(kept))
	fmt.Printf("%d robots.txt files, %d bytes mean, %d URLs; %d more are left out, because temoto/robotstxt refuses them\n\n",
		len(kept), size/max(len(kept), 1), len(kept)*perSite, refused)
	return kept
}
