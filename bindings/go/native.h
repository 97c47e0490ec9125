/* Includes librobots.h and librobots_tools.h for the cgo files. If the native part is missing, the compiler stops here with one sentence. */
#if defined LIBROBOTS_SYSTEM
# include <librobots_tools.h>
#elif defined __linux__ && defined __x86_64__
# include <features.h>
# if !defined __GLIBC__ && !__has_include("librobots_any_libc.h")
#  error "librobots has no native part for Linux without glibc: build with CGO_ENABLED=0 or -tags librobots_wasm, or install librobots and build with -tags librobots_system"
# elif !__has_include("internal/native/librobots_linux_amd64.syso") || !__has_include("librobots.h") || !__has_include("librobots_tools.h")
#  error "the native part of librobots for linux/amd64 is missing: run `make go` in librobots, or install librobots and build with -tags librobots_system"
# else
#  include "librobots_tools.h"
# endif
#elif defined __linux__ && defined __aarch64__
# include <features.h>
# if !defined __GLIBC__ && !__has_include("librobots_any_libc.h")
#  error "librobots has no native part for Linux without glibc: build with CGO_ENABLED=0 or -tags librobots_wasm, or install librobots and build with -tags librobots_system"
# elif !__has_include("internal/native/librobots_linux_arm64.syso") || !__has_include("librobots.h") || !__has_include("librobots_tools.h")
#  error "the native part of librobots for linux/arm64 is missing: run `make go` in librobots, or install librobots and build with -tags librobots_system"
# else
#  include "librobots_tools.h"
# endif
#elif defined __APPLE__ && defined __x86_64__ && __has_include("librobots_darwin_amd64.a") && __has_include("librobots.h") && __has_include("librobots_tools.h")
# include "librobots_tools.h"
#elif defined __APPLE__ && defined __aarch64__ && __has_include("librobots_darwin_arm64.a") && __has_include("librobots.h") && __has_include("librobots_tools.h")
# include "librobots_tools.h"
#elif defined _WIN32 && defined __x86_64__ && __has_include("librobots_windows_amd64.a") && __has_include("librobots.h") && __has_include("librobots_tools.h")
# include "librobots_tools.h"
#elif defined __APPLE__
# error "librobots has no native part for macOS: build with CGO_ENABLED=0 or -tags librobots_wasm, or install librobots and build with -tags librobots_system"
#else
# error "librobots has no native part for Windows: build with CGO_ENABLED=0 or -tags librobots_wasm, or install librobots and build with -tags librobots_system"
#endif
