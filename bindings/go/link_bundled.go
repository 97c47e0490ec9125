//go:build cgo && !librobots_system

package robots

// The object beside the Go files is linked because of its name. Where there is none for the platform, this says so
// instead of a page of undefined references.

/*
#if defined(__linux__) && defined(__x86_64__)
# if !__has_include("librobots_linux_amd64.syso")
#  define NO_OBJECT
# endif
#elif defined(__linux__) && defined(__aarch64__)
# if !__has_include("librobots_linux_arm64.syso")
#  define NO_OBJECT
# endif
#else
# define NO_OBJECT
#endif
#ifdef NO_OBJECT
# error "no librobots object for this platform beside package robots: run `make go` in librobots, or install librobots and build with -tags librobots_system"
#endif
*/
import "C"
