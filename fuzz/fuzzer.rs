//! The fuzzer of all targets: TARGET names the one that runs, or else the file name of the program, as OSS-Fuzz has it.
#![no_main]

use librobots_fuzz::targets::TARGETS;
use std::{env, path::PathBuf, sync::LazyLock};

unsafe extern "C" {
    fn fuzz_abi(data: *const u8, len: usize);
}

/// The target that is C, with the library that it calls.
fn abi(data: &[u8]) {
    use robots as _;
    // SAFETY: the bytes are readable for their length, and nothing of them is kept.
    unsafe { fuzz_abi(data.as_ptr(), data.len()) }
}

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = env::var("TARGET").unwrap_or_else(|_| {
        let program = env::args_os().next().map(PathBuf::from);
        let name = program.as_deref().and_then(|path| path.file_name());
        name.unwrap_or_default().to_string_lossy().into_owned()
    });
    let mut all = TARGETS.iter().copied().chain([("abi", abi as fn(&[u8]))]);
    let found = all.find(|(of, _)| *of == name);
    found
        .unwrap_or_else(|| panic!("TARGET names no target: {name}"))
        .1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
