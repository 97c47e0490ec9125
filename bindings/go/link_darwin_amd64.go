//go:build cgo && !librobots_system

package robots

// The native part of a release for this system is an archive, because its object needs others.

// #cgo LDFLAGS: ${SRCDIR}/librobots_darwin_amd64.a
import "C"
