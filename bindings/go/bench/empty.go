package main

// #cgo noescape empty
// #cgo nocallback empty
// static int empty(const char *start, unsigned long len) { return start != 0 && len > 0; }
import "C"
import "unsafe"

// emptyCall calls a C function that does nothing with a string: the minimum cost of a call.
func emptyCall(s string) bool {
	return C.empty((*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.ulong(len(s))) != 0
}
