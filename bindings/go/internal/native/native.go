// Package native holds the library for Linux, as librobots_linux_ARCH.syso: `make go` and releases write it. The go command links
// such an object with each program that imports its package, also without cgo. So only the files that need it import this one.
package native
