module github.com/librobots/librobots/tests/conformance/adapters/go-peers

go 1.24.0

require (
	github.com/jimsmart/grobotstxt v1.0.3
	github.com/temoto/robotstxt v1.1.2
)
