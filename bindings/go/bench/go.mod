module github.com/librobots/librobots/bindings/go/bench

go 1.24.0

require (
	github.com/jimsmart/grobotstxt v1.0.3
	github.com/librobots/librobots/bindings/go v0.1.0
	github.com/librobots/librobots/bindings/go/robotstxt v0.1.0
	github.com/temoto/robotstxt v1.1.2
)

require (
	github.com/tetratelabs/wazero v1.11.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
)

replace (
	github.com/librobots/librobots/bindings/go => ../
	github.com/librobots/librobots/bindings/go/robotstxt => ../robotstxt
)
