//go:build !cgo

package robots

// The compiler stops here, with a name that says what to do.
var _ = package_robots_needs_cgo__set_CGO_ENABLED_to_1_and_install_a_C_compiler
