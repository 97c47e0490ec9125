//go:build cgo && !librobots_wasm && !librobots_system

package robots

// #cgo LDFLAGS: ${SRCDIR}/librobots_darwin_arm64.a
import "C"
