package robots_test

import (
	"errors"
	"fmt"

	robots "github.com/librobots/librobots/bindings/go"
)

func Example() {
	crawler, err := robots.NewCrawler("ExampleBot")
	if err != nil {
		panic(err)
	}
	rules, err := crawler.Parse([]byte("user-agent: *\ndisallow: /private/\ncrawl-delay: 2.5\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(rules.Allowed("https://example.com/"))
	fmt.Println(rules.Check("https://example.com/private/diary"))
	fmt.Println(rules.CrawlDelay())
	// Output:
	// true
	// disallowed by line 2
	// 2.5s true
}

func ExampleNewCrawler() {
	// An image crawler that obeys the groups for ExampleBot if none names ExampleBot-Image.
	_, err := robots.NewCrawler("ExampleBot-Image", robots.WithFallback("ExampleBot"), robots.WithMaxBytes(1<<20))
	fmt.Println(err)

	_, err = robots.NewCrawler("Mozilla/5.0 (compatible; ExampleBot/2.1)")
	fmt.Println(errors.Is(err, robots.ErrToken))
	// Output:
	// <nil>
	// true
}

func ExampleRules_Check() {
	crawler, _ := robots.NewCrawler("ExampleBot")
	rules, _ := crawler.Parse([]byte("user-agent: examplebot\nallow: /shop/$\ndisallow: /shop\n"))
	for _, url := range []string{"/shop/", "/shop/cart", "/about", "shop"} {
		verdict := rules.Check(url)
		fmt.Println(verdict.Allowed(), verdict.Line(), verdict.Err() != nil)
	}
	// Output:
	// true 2 false
	// false 3 false
	// true 0 false
	// false 0 true
}

func ExampleRules_CheckBatch() {
	crawler, _ := robots.NewCrawler("ExampleBot")
	rules, _ := crawler.Parse([]byte("user-agent: *\ndisallow: /a\n"))
	var verdicts []robots.Verdict
	for _, page := range [][]string{{"/a/1", "/b/1"}, {"/b/2"}} {
		verdicts = rules.CheckBatch(page, verdicts)
		for i, verdict := range verdicts {
			fmt.Println(page[i], verdict.Allowed())
		}
	}
	// Output:
	// /a/1 false
	// /b/1 true
	// /b/2 true
}

func ExampleRules_MarshalBinary() {
	crawler, _ := robots.NewCrawler("ExampleBot")
	rules, _ := crawler.Parse([]byte("user-agent: *\ndisallow: /private/\n"))
	image, _ := rules.MarshalBinary() // store it, or send it to another machine

	var stored robots.Rules
	if err := stored.UnmarshalBinary(image); err != nil {
		fmt.Println("parse the robots.txt again:", err)
	}
	fmt.Println(stored.Allowed("/private/diary"))
	// Output: false
}

func ExampleDisallowAll() {
	rules := robots.DisallowAll() // the server answers 503
	fmt.Println(rules.Allowed("https://example.com/"))
	fmt.Println(rules.Allowed("https://example.com/robots.txt"))
	// Output:
	// false
	// true
}
