// A user's program; tests/install/go builds it in another folder, with a copy of the package.
package main

import (
	"fmt"

	robots "github.com/librobots/librobots/bindings/go"
)

func main() {
	crawler, err := robots.NewCrawler("ExampleBot")
	if err != nil {
		panic(err)
	}
	rules, err := crawler.Parse([]byte("user-agent: *\ndisallow: /private\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(rules.Check("https://example.com/private/x"), other())
}
