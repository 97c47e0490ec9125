#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| librobots_fuzz::targets::page_controls::run(data));
