package main

import (
	"fmt"
	"net/url"
	"sync"

	"github.com/jimsmart/grobotstxt"
	robots "github.com/librobots/librobots/bindings/go"
	"github.com/librobots/librobots/bindings/go/robotstxt"
	temoto "github.com/temoto/robotstxt"
)

var rows = []func([]*site) row{
	emptyRow, parseRow, parseDecideRow, decideRow, pathRow, batchRow, dropInParseRow, dropInRow, dropInGroupRow,
	func([]*site) row { return named("whole sites, parse", dropInParseRow(wholeSites)) },
	func([]*site) row { return named("whole sites, TestAgent", dropInRow(wholeSites)) },
	func([]*site) row { return named("whole sites, Group.Test", dropInGroupRow(wholeSites)) },
	func([]*site) row { return statusRow() },
	func([]*site) row { return named("2 rules, TestAgent", dropInRow(twoRules)) },
	func([]*site) row { return named("2 rules, Group.Test", dropInGroupRow(twoRules)) },
	func([]*site) row { return named("200 agents, 2 rules", agentsRow(twoRules[0])) },
	func([]*site) row {
		return named("200 agents, 1000 rules", agentsRow(ruled(1000, "/shop/department-%d/")))
	},
	func([]*site) row { return ruledRow("literal-10", ruled(10, "/shop/department-%d/")) },
	func([]*site) row { return ruledRow("literal-10000", ruled(10_000, "/shop/department-%d/")) },
	func([]*site) row { return ruledRow("wildcard-10", ruled(10, "/*/item-%d/*.html")) },
	func([]*site) row { return ruledRow("wildcard-10000", ruled(10_000, "/*/item-%d/*.html")) },
	func(sites []*site) row { return goroutinesRow("1 goroutine", sites, 1) },
	func(sites []*site) row { return goroutinesRow("2 goroutines", sites, 2) },
}

// count returns a pass that decides about each URL of each site and counts the allowed ones.
func count(sites []*site, texts func(*site) []string, allowed func(*site, string) bool) func() int {
	return func() (n int) {
		for _, s := range sites {
			for _, text := range texts(s) {
				if allowed(s, text) {
					n++
				}
			}
		}
		return n
	}
}

func urls(s *site) []string  { return s.urls }
func paths(s *site) []string { return s.paths }
func first(s *site) []string { return s.urls[:1] }

func size(sites []*site, texts func(*site) []string) (n float64) {
	for _, s := range sites {
		n += float64(len(texts(s)))
	}
	return n
}

func bodyBytes(sites []*site) (n float64) {
	for _, s := range sites {
		n += float64(len(s.body))
	}
	return n
}

func oursAllowed(s *site, url string) bool { return s.rules.Allowed(url) }

// temotoAllowed splits the URL as colly does, because that package decides about paths.
func temotoAllowed(s *site, whole string) bool {
	parsed, err := url.Parse(whole)
	return err == nil && s.group.Test(parsed.RequestURI())
}

// grobotstxtAllowed parses the file for each URL, because that package keeps no rules.
func grobotstxtAllowed(s *site, url string) bool { return grobotstxt.AgentAllowed(s.text, agent, url) }

func emptyRow(sites []*site) row {
	return row{name: "empty cgo call", size: size(sites, urls), work: []work{
		{"librobots", count(sites, urls, func(_ *site, url string) bool { return emptyCall(url) })},
	}}
}

func parseRow(sites []*site) row {
	return row{name: "parse", unit: "MB/s", size: bodyBytes(sites), ops: float64(len(sites)), work: []work{
		{"librobots", func() (n int) {
			for _, s := range sites {
				if _, err := crawler.Parse(s.body); err == nil {
					n++
				}
			}
			return n
		}},
		{"temoto", func() (n int) {
			for _, s := range sites {
				if _, err := temoto.FromBytes(s.body); err == nil {
					n++
				}
			}
			return n
		}},
	}}
}

func parseDecideRow(sites []*site) row {
	return row{name: "parse, decide", unit: "MB/s", size: bodyBytes(sites), ops: float64(len(sites)), work: []work{
		{"librobots", count(sites, first, func(s *site, url string) bool {
			rules, err := crawler.Parse(s.body)
			return err == nil && rules.Allowed(url)
		})},
		{"temoto", count(sites, first, func(s *site, _ string) bool {
			data, err := temoto.FromBytes(s.body)
			return err == nil && data.TestAgent(s.paths[0], agent)
		})},
		{"grobotstxt", count(sites, first, grobotstxtAllowed)},
	}}
}

func decideRow(sites []*site) row {
	return row{name: "decide", size: size(sites, urls), work: []work{
		{"librobots", count(sites, urls, oursAllowed)},
		{"temoto", count(sites, urls, temotoAllowed)},
		{"grobotstxt", count(sites, urls, grobotstxtAllowed)},
	}}
}

func pathRow(sites []*site) row {
	return row{name: "decide, path", size: size(sites, urls), work: []work{
		{"librobots", count(sites, paths, oursAllowed)},
		{"temoto", count(sites, paths, func(s *site, path string) bool { return s.group.Test(path) })},
	}}
}

func batchRow(sites []*site) row {
	var verdicts []robots.Verdict
	return row{name: "batch", size: size(sites, urls), work: []work{
		{"librobots", func() (n int) {
			for _, s := range sites {
				verdicts = s.rules.CheckBatch(s.urls, verdicts)
				for _, verdict := range verdicts {
					if verdict.Allowed() {
						n++
					}
				}
			}
			return n
		}},
		{"temoto", count(sites, urls, temotoAllowed)},
	}}
}

// dropInParseRow compares the drop-in package with the original: a parse, and each URL of the file.
func dropInParseRow(sites []*site) row {
	return row{name: "robotstxt, parse", unit: "MB/s", size: bodyBytes(sites), ops: float64(len(sites)), work: []work{
		{"librobots", func() (n int) {
			for _, s := range sites {
				data, _ := robotstxt.FromBytes(s.body)
				n += count([]*site{s}, paths, func(_ *site, path string) bool { return data.TestAgent(path, agent) })()
			}
			return n
		}},
		{"temoto", func() (n int) {
			for _, s := range sites {
				data, _ := temoto.FromBytes(s.body)
				n += count([]*site{s}, paths, func(_ *site, path string) bool { return data.TestAgent(path, agent) })()
			}
			return n
		}},
	}}
}

// dropInRow compares the drop-in package with the original.
func dropInRow(sites []*site) row {
	return row{name: "TestAgent", size: size(sites, urls), work: []work{
		{"librobots", count(sites, paths, func(s *site, path string) bool { return s.dropIn.TestAgent(path, agent) })},
		{"temoto", count(sites, paths, func(s *site, path string) bool { return s.data.TestAgent(path, agent) })},
	}}
}

// dropInGroupRow is dropInRow with groups that the caller keeps.
func dropInGroupRow(sites []*site) row {
	return row{name: "Group.Test", size: size(sites, urls), work: []work{
		{"librobots", count(sites, paths, func(s *site, path string) bool { return s.dropInGroup.Test(path) })},
		{"temoto", count(sites, paths, func(s *site, path string) bool { return s.group.Test(path) })},
	}}
}

// agentsRow compares TestAgent of the drop-in package with that of the original, for many agents in turn.
func agentsRow(s *site) row {
	agents := make([]string, 200)
	for i := range agents {
		agents[i] = fmt.Sprintf("bot%dx", i)
	}
	turn := func(allowed func(path, agent string) bool) func() int {
		return func() (n int) {
			for _, agent := range agents {
				if allowed(s.paths[0], agent) {
					n++
				}
			}
			return n
		}
	}
	return row{size: float64(len(agents)), work: []work{
		{"librobots", turn(s.dropIn.TestAgent)},
		{"temoto", turn(s.data.TestAgent)},
	}}
}

// statusRow compares the drop-in package with the original on failed fetches.
func statusRow() row {
	statuses := []int{404, 410, 503}
	return row{name: "status, TestAgent", size: float64(len(statuses)), work: []work{
		{"librobots", func() (n int) {
			for _, status := range statuses {
				if data, err := robotstxt.FromStatusAndBytes(status, nil); err == nil && data.TestAgent("/page", agent) {
					n++
				}
			}
			return n
		}},
		{"temoto", func() (n int) {
			for _, status := range statuses {
				if data, err := temoto.FromStatusAndBytes(status, nil); err == nil && data.TestAgent("/page", agent) {
					n++
				}
			}
			return n
		}},
	}}
}

func ruledRow(name string, s *site) row { return named(name, decideRow([]*site{s})) }

func named(name string, r row) row {
	r.name = name
	return r
}

// goroutinesRow lets several goroutines decide about all URLs. The figure is the time per decision.
func goroutinesRow(name string, sites []*site, goroutines int) row {
	all := func(pass func() int) func() int {
		return func() int {
			answers := make([]int, goroutines)
			var group sync.WaitGroup
			for i := range answers {
				group.Add(1)
				go func() {
					defer group.Done()
					answers[i] = pass()
				}()
			}
			group.Wait()
			return answers[0]
		}
	}
	return row{name: name, size: size(sites, urls) * float64(goroutines), work: []work{
		{"librobots", all(count(sites, urls, oursAllowed))},
		{"temoto", all(count(sites, urls, temotoAllowed))},
	}}
}
