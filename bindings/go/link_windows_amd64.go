//go:build cgo && !librobots_wasm && !librobots_system

package robots

// The native part of a release for this system is an archive, because its object needs others, and what Rust's
// standard library needs of Windows.

// #cgo LDFLAGS: ${SRCDIR}/librobots_windows_amd64.a -lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp
import "C"
