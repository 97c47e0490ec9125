//go:build !cgo

package robots

import "runtime"

// The compiler stops at the variable and prints the constant, up to 72 characters.
const librobotsNeedsCgo = "librobots on " + runtime.GOOS + "/" + runtime.GOARCH + " needs cgo: set CGO_ENABLED=1, install gcc"

var _ int = librobotsNeedsCgo
