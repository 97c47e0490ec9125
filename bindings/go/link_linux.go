//go:build cgo && !librobots_wasm && !librobots_system && !android && (amd64 || arm64)

package robots

// The native part needs gcc's unwinder, which is linked in, so that programs do not need libgcc_s.so.1. Built by
// an older Rust (1.85), it also needs libm.

// #cgo LDFLAGS: -static-libgcc -Wl,--as-needed -lm
import "C"

import _ "github.com/librobots/librobots/bindings/go/internal/native"
