//go:build second

package main

// #cgo LDFLAGS: ${SRCDIR}/libsecond.a -lm
// extern int second_caught_panics(void);
import "C"
import "fmt"

func other() string { return fmt.Sprint("beside another Rust library, ", C.second_caught_panics()) }
