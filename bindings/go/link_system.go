//go:build cgo && !librobots_wasm && librobots_system

package robots

// #cgo CFLAGS: -DLIBROBOTS_SYSTEM
// #cgo pkg-config: librobots
import "C"
