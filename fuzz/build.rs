//! The target of the C API is C.

fn main() {
    println!("cargo::rerun-if-changed=abi.c");
    println!("cargo::rerun-if-changed=../tests/c");
    println!("cargo::rerun-if-changed=../include");
    cc::Build::new()
        .file("abi.c")
        .include("../include")
        .include("../tests/c")
        .compile("fuzz_abi");
}
