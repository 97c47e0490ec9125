#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| librobots_fuzz::targets::explain::run(data));
