//! The target of the C API is C.

fn main() {
    println!("cargo::rerun-if-changed=abi.c");
    println!("cargo::rerun-if-changed=../tests/c");
    println!("cargo::rerun-if-changed=../include");
    println!("cargo::rerun-if-env-changed=FUZZ_CFLAGS");
    let mut build = cc::Build::new();
    build
        .file("abi.c")
        .include("../include")
        .include("../tests/c");
    for flag in std::env::var("FUZZ_CFLAGS")
        .unwrap_or_default()
        .split_whitespace()
    {
        build.flag(flag);
    }
    build.compile("fuzz_abi");
}
