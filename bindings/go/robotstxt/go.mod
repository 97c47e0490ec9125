module github.com/librobots/librobots/bindings/go/robotstxt

go 1.24.0

require github.com/librobots/librobots/bindings/go v0.1.0

require (
	github.com/tetratelabs/wazero v1.11.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
)

replace github.com/librobots/librobots/bindings/go => ../
