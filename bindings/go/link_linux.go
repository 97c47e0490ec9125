//go:build cgo && !librobots_wasm && !librobots_system && !android && (amd64 || arm64)

package robots

import _ "github.com/librobots/librobots/bindings/go/internal/native"
