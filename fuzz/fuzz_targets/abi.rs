#![no_main]
// The C that is called, and the library that it calls, are linked with these.
use {librobots_fuzz as _, robots as _};

unsafe extern "C" {
    fn fuzz_abi(data: *const u8, len: usize);
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    // SAFETY: the bytes are readable for their length, and nothing of them is kept.
    unsafe { fuzz_abi(data.as_ptr(), data.len()) }
});
