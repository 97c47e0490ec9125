module github.com/librobots/librobots/examples/go/fleet

go 1.24.0

require (
	github.com/librobots/librobots/bindings/go v0.1.0
	github.com/redis/go-redis/v9 v9.17.2
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dgryski/go-rendezvous v0.0.0-20200823014737-9f7001d12a5f // indirect
	github.com/tetratelabs/wazero v1.11.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
)

// A checkout of librobots, in which `make go` was run.
replace github.com/librobots/librobots/bindings/go => ../../../bindings/go
