//go:build cgo && librobots_system

package robots

// #cgo pkg-config: librobots
import "C"
