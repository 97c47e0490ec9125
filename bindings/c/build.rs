//! Gives the shared library its SONAME, or on macOS its install name.

fn main() {
    println!("cargo::rerun-if-changed=bindings/c/build.rs");
    // The number of the binary interface, as in bindings/c/c.mk.
    const ABI: u32 = 0;
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if matches!(
        system.as_str(),
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd"
    ) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,librobots.so.{ABI}");
    } else if system == "macos" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/librobots.{ABI}.dylib");
    }
}
