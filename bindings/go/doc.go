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
// [Rules.MarshalBinary]. Asking it takes no lock and allocates nothing. A [Crawler] frees itself.
//
// Ask the rules of the site that a URL belongs to: of an absolute URL only path and query are looked at.
//
// Misuse never permits a fetch: what is no URL, rules that were never parsed and a damaged image are not allowed, and
// [Verdict.Err] says why.
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
