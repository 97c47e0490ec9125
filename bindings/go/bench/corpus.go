package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	robots "github.com/librobots/librobots/bindings/go"
	"github.com/librobots/librobots/bindings/go/robotstxt"
	temoto "github.com/temoto/robotstxt"
)

// A site is a robots.txt, the URLs to check, and the parsed rules of each engine.
type site struct {
	body  []byte
	text  string // the same
	urls  []string
	paths []string // path and query of the URLs

	rules       *robots.Rules
	dropIn      *robotstxt.RobotsData
	dropInGroup *robotstxt.Group
	data        *temoto.RobotsData
	group       *temoto.Group
}

const perSite = 20

var crawler = func() *robots.Crawler {
	// The other engines have no limit.
	crawler, err := robots.NewCrawler(agent, robots.WithMaxBytes(1<<30))
	if err != nil {
		panic(err)
	}
	return crawler
}()

func newSite(body []byte, urls []string) *site {
	s := &site{body: body, text: string(body), urls: urls}
	for _, u := range urls {
		parsed, err := url.Parse(u)
		if err != nil {
			panic(err)
		}
		s.paths = append(s.paths, parsed.RequestURI())
	}
	return s
}

// parse parses the file with each engine. It returns false if temoto's package refuses the file.
func (s *site) parse() bool {
	var err error
	if s.rules, err = crawler.Parse(s.body); err != nil {
		panic(err)
	}
	if s.dropIn, err = robotstxt.FromBytes(s.body); err != nil {
		panic(err)
	}
	if s.data, err = temoto.FromBytes(s.body); err != nil {
		return false
	}
	s.dropInGroup, s.group = s.dropIn.FindGroup(agent), s.data.FindGroup(agent)
	return true
}

// load reads a folder of robots.txt files, each named after its host.
func load(folder string) ([]*site, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var sites []*site
	for i, entry := range entries {
		body, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		sites = append(sites, newSite(body, derive(entry.Name(), body, uint64(i))))
	}
	return sites, nil
}

var (
	fillings = []string{"", "x", "42", "news", "a/b", "summer-sale", "2024/05", "category/shoes"}
	segments = []string{"page", "details.html", "archive/2023", "index.php?id=7", "large-photo-of-the-harbour.jpg"}
	// %d is a number.
	generic = []string{
		"/?%d", "/news/2024/05/%d/council-approves-new-plan-for-the-old-harbour", "/search?q=robots+exclusion&page=%d",
		"/products/furniture/living-room/corner-sofa-with-storage-%d", "/user/profile/%d/settings?tab=privacy",
		"/category/home-and-garden/page/%d/?orderby=price", "/wp-content/uploads/2023/11/annual-report-%d.pdf",
		"/caf%%C3%%A9/menu%%20%d.html", "/video/watch/%d-the-long-way-home-season-2", "/static/js/main.%d.chunk.js",
	}
)

// derive returns the URLs to check, the same in every run: half match the site's rules, half are generic.
func derive(host string, body []byte, seed uint64) []string {
	random := rand.New(rand.NewPCG(seed, 1))
	rules := rulePaths(body)
	urls := make([]string, perSite)
	for i := range urls {
		path := fmt.Sprintf(pick(random, generic), 10_000+random.IntN(90_000))
		if i%2 == 0 && len(rules) > 0 {
			path = fromRule(rules[random.IntN(len(rules))], random)
		}
		urls[i] = "https://www." + host + path
	}
	return urls
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

// rulePaths returns the paths of all allow and disallow lines, of all groups.
func rulePaths(body []byte) (paths []string) {
	for line := range bytes.FieldsFuncSeq(body, func(c rune) bool { return c == '\n' || c == '\r' }) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		field, value, _ := bytes.Cut(line, []byte(":"))
		name, path := strings.ToLower(string(bytes.TrimSpace(field))), string(bytes.TrimSpace(value))
		if (name == "disallow" || name == "allow") && path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// fromRule returns a path that a rule matches, or a path one segment below it.
func fromRule(rule string, random *rand.Rand) string {
	var path strings.Builder
	for i, piece := range strings.Split(strings.TrimSuffix(rule, "$"), "*") {
		if i > 0 {
			path.WriteString(pick(random, fillings))
		}
		for _, byte := range []byte(piece) {
			if byte <= ' ' || byte >= 0x7F || strings.IndexByte("\"<>\\^`{|}#%", byte) >= 0 {
				fmt.Fprintf(&path, "%%%02X", byte)
			} else {
				path.WriteByte(byte)
			}
		}
	}
	whole := "/" + strings.TrimPrefix(path.String(), "/")
	if random.IntN(10) < 6 {
		whole = strings.TrimSuffix(whole, "/") + "/" + pick(random, segments)
	}
	return whole
}

// wholeSites are files that say the same about every path to the crawler: a sixth of all files do.
var wholeSites = small("", "# nothing\n", "User-agent: OtherBot\nDisallow: /a/\n", "User-agent: *\nDisallow:\n", "User-agent: *\nAllow: /\n",
	"User-agent: *\nDisallow: /\n")

// twoRules is the file of most blogs.
var twoRules = small("User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n")

func small(bodies ...string) (sites []*site) {
	for i, body := range bodies {
		s := newSite([]byte(body), derive("example.com", []byte(body), uint64(i)))
		if !s.parse() {
			panic(body)
		}
		sites = append(sites, s)
	}
	return sites
}

// ruled returns a site of count rules of one shape, in which %d is the number of the rule.
func ruled(count int, shape string) *site {
	var body strings.Builder
	body.WriteString("User-agent: *\n")
	for i := range count {
		fmt.Fprintf(&body, "Disallow: "+shape+"\n", i)
	}
	random := rand.New(rand.NewPCG(uint64(count), 2))
	var urls []string
	for i := range 200 {
		number := random.IntN(2 * count)
		path := fmt.Sprintf(strings.ReplaceAll(shape, "*", pick(random, fillings)), number)
		if i%4 == 0 {
			path = fmt.Sprintf(pick(random, generic), number)
		}
		urls = append(urls, "https://www.example.com"+path)
	}
	s := newSite([]byte(body.String()), urls)
	s.parse()
	return s
}
