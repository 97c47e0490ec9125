// Package robots says what a robots.txt lets a crawler fetch. It is librobots, an engine for RFC 9309, for Google's
// reading of it and for Koster's draft of 1996, called through cgo.
//
// A crawler says once who it is, parses the robots.txt of each site for itself, and asks about each URL:
//
//	crawler, err := robots.NewCrawler("ExampleBot")
//	rules, err := crawler.Parse(body)
//	if rules.Allowed("https://example.com/page") { ... }
//
// There is nothing to close. A [Rules] is one block of bytes in Go's own memory, made for one crawler, as a rule a
// quarter of the size of the robots.txt: keep one per site, share it between goroutines, store it with
// [Rules.MarshalBinary]. Asking it takes no lock and allocates nothing. What the library holds itself, a [Crawler], a
// [Cache], an [Outcome], is freed when it is no longer reachable.
//
// Ask the rules of the site that a URL belongs to: of an absolute URL only path and query are looked at.
//
// # Fetching
//
// What a robots.txt says is half of it; the other half is which one to ask, what its absence or a failing server means, and
// for how long. A [Cache] with a [Transport] before the requests of an [http.Client] does all that:
//
//	cache, err := robots.NewCache(64<<20, crawler)
//	client := &http.Client{Transport: &robots.Transport{Cache: cache}}
//	response, err := client.Get("https://example.com/page") // a *ForbiddenError if robots.txt says no
//
// [Crawler.Fetch] retrieves one robots.txt and says what came of it, [Cache.Check] and [Fetch] leave the I/O to the caller.
// How failures are taken follows the dialect, and each choice is an option of the crawler.
//
// # Explaining
//
// [Crawler.Explain] says which line decided and why not another, [Crawler.Lint] what is wrong with a file, and
// [Crawler.Extensions] what else stands in it.
//
// # Misuse
//
// Misuse never permits a fetch: what is no URL, rules that were never parsed, a damaged image and a site that nobody has
// fetched are not allowed, and [Verdict.Err] or the error says why.
//
// # Building
//
// cgo is needed (CGO_ENABLED=1 and a C compiler), Rust is not: the native part is an object file beside the Go files,
// librobots_linux_amd64.syso and its like for other platforms, which the go command links of its own accord. In a
// checkout of librobots `make go` writes it. With
//
//	go build -tags librobots_system
//
// the librobots that is installed on the machine is linked instead; pkg-config finds it. That is also the way for
// systems without glibc.
package robots
