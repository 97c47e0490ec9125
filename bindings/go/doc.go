// Package robots decides which URLs a robots.txt lets a crawler fetch. It calls librobots through cgo, or
// without cgo as WebAssembly. librobots implements
// RFC 9309, Google's variant of it, and Koster's draft of 1996. "SPEC" with a number is a row of [the specification], where
// each row has an anchor, such as #8.11.
//
// Create one crawler, parse each robots.txt with it, then check each URL:
//
//	crawler, err := robots.NewCrawler("ExampleBot")
//	rules, err := crawler.Parse(body)
//	if rules.Allowed("https://example.com/page") { ... }
//
// There is nothing to close. A [Rules] is one block of bytes (the image) in Go's memory, compiled for one crawler. Its size
// is usually a quarter of the file's. Keep one per site, share it between goroutines, store it with [Rules.MarshalBinary].
// A check takes no lock, and allocates nothing for a URL of up to 16 KiB, as it is and in canonical form (SPEC 8.12).
// The garbage collector frees what the library allocates for a [Crawler], a [Cache] or an [Outcome].
//
// Check a URL with the rules of its own site: of an absolute URL, only path and query count. A URL that clients rewrite
// before they send it, such as /a/../private, is allowed only if each reading is (SPEC 8.11); [URLToSend] returns the form of a URL that
// no client rewrites, and a [Transport] sends it.
//
// # Fetching
//
// A [Cache] and a [Transport] fetch and keep the robots.txt of each site. They implement what RFC 9309 says about redirects,
// missing files and failing servers:
//
//	cache, err := robots.NewCache(64<<20, crawler)
//	client := &http.Client{Transport: &robots.Transport{Cache: cache}}
//	response, err := client.Get("https://example.com/page")
//
// A [*ForbiddenError] says that robots.txt disallows the URL: drop it. A [*DeferError] says that the site or its robots.txt
// cannot be reached now: keep the URL, because an outage is no ban. The same holds for verdicts: [ReasonUnreachable] and
// [ReasonDefer] mean "keep the URL", every other reason of a URL that is not allowed means "drop it".
//
// [Crawler.Fetch] fetches one robots.txt and returns its [Outcome]. [Cache.Check] and [Fetch] leave the I/O to the caller.
// The dialect defines the results of failures; an option of the crawler changes each of them.
//
// # Explaining
//
// [Crawler.Explain] reports which line decides and why the others do not. [Crawler.Lint] reports what is wrong with a file.
// [Rules.Difference] returns a path that only one of two sets of rules allows, or proves that there is none.
// [Crawler.Extensions] returns the records other than groups and rules.
//
// # Using
//
// [Crawler.Uses] and [Uses.UseFor] say whether a page that was fetched may be used, such as for training, and who says so. A
// crawler decides what [UseUnstated] means. [Uses.Receipt] writes an answer as one line of JSON.
//
// # Misuse
//
// Misuse never permits a fetch. A string that is no URL, rules that were never parsed, a damaged image and a site that was
// never fetched are not allowed. [Verdict.Err] or the error gives the reason.
//
// # Building
//
// With cgo (CGO_ENABLED=1 and a C compiler), the package links a native part, such as
// internal/native/librobots_linux_amd64.syso. In a checkout of librobots, `make go` builds it, and a release has it for Linux,
// Windows and macOS. It is the fast way. To link an installed librobots, which pkg-config finds:
//
//	go build -tags librobots_system
//
// Without cgo, and on other systems, the package runs the same engine as WebAssembly, by wazero. The program is static then.
// The README has its costs. -tags librobots_wasm chooses it anywhere.
//
// [the specification]: https://github.com/librobots/librobots/blob/main/src/spec.md
package robots
