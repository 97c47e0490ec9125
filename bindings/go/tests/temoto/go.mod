// The dependencies of tests/temoto/run: the test files of temoto/robotstxt, and what they import.
module github.com/librobots/librobots/bindings/go/tests/temoto

go 1.24.0

require (
	github.com/librobots/librobots/bindings/go v0.1.0
	github.com/stretchr/testify v1.11.1
	github.com/temoto/robotstxt v1.1.2
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/tetratelabs/wazero v1.11.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/librobots/librobots/bindings/go => ../..
