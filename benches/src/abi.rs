//! The C functions of librobots as a program in another language sees them: declared here, found by the linker.

use std::ffi::c_char;
use std::hint::black_box;

#[repr(C)]
pub struct RawCrawler {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct RawRules {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct RobotsStr {
    pub ptr: *const c_char,
    pub len: usize,
}

#[repr(C)]
pub struct RobotsVerdict {
    pub bits: u64,
}

pub const OK: i32 = 0;
pub const OPT_MAX_BYTES: u32 = 2;

unsafe extern "C" {
    pub fn robots_crawler_new(
        token: *const c_char,
        token_len: usize,
        out: *mut *mut RawCrawler,
    ) -> i32;
    pub fn robots_crawler_set(crawler: *mut RawCrawler, option: u32, value: u64) -> i32;
    pub fn robots_crawler_free(crawler: *mut RawCrawler);
    fn robots_rules_parse(
        crawler: *const RawCrawler,
        body: *const c_char,
        body_len: usize,
        out: *mut *mut RawRules,
    ) -> i32;
    fn robots_check_once(
        crawler: *const RawCrawler,
        body: *const c_char,
        body_len: usize,
        url: *const c_char,
        url_len: usize,
    ) -> RobotsVerdict;
    fn robots_rules_check(
        rules: *const RawRules,
        url: *const c_char,
        url_len: usize,
    ) -> RobotsVerdict;
    fn robots_rules_sitemap(rules: *const RawRules, index: usize, out: *mut RobotsStr) -> i32;
    fn robots_rules_free(rules: *mut RawRules);
    fn robots_rules_check_batch(
        rules: *const RawRules,
        text: *const c_char,
        offsets: *const u64,
        count: usize,
        verdicts: *mut u8,
    ) -> i32;
    fn robots_rules_image(rules: *const RawRules) -> RobotsStr;
    fn robots_rules_from_image(image: *const c_char, len: usize, out: *mut *mut RawRules) -> i32;
    fn robots_image_check(
        image: *const c_char,
        len: usize,
        url: *const c_char,
        url_len: usize,
    ) -> RobotsVerdict;
}

/// The functions that are timed, as addresses the optimiser cannot see through: each call costs what a call into
/// a shared library costs, even where link-time optimisation could have inlined the Rust function.
pub struct Abi {
    pub parse:
        unsafe extern "C" fn(*const RawCrawler, *const c_char, usize, *mut *mut RawRules) -> i32,
    pub check_once: unsafe extern "C" fn(
        *const RawCrawler,
        *const c_char,
        usize,
        *const c_char,
        usize,
    ) -> RobotsVerdict,
    pub check: unsafe extern "C" fn(*const RawRules, *const c_char, usize) -> RobotsVerdict,
    pub sitemap: unsafe extern "C" fn(*const RawRules, usize, *mut RobotsStr) -> i32,
    pub free: unsafe extern "C" fn(*mut RawRules),
    pub check_batch:
        unsafe extern "C" fn(*const RawRules, *const c_char, *const u64, usize, *mut u8) -> i32,
    pub image: unsafe extern "C" fn(*const RawRules) -> RobotsStr,
    pub from_image: unsafe extern "C" fn(*const c_char, usize, *mut *mut RawRules) -> i32,
    pub image_check:
        unsafe extern "C" fn(*const c_char, usize, *const c_char, usize) -> RobotsVerdict,
}

impl Abi {
    pub fn linked() -> Self {
        black_box(Self {
            parse: robots_rules_parse,
            check_once: robots_check_once,
            check: robots_rules_check,
            sitemap: robots_rules_sitemap,
            free: robots_rules_free,
            check_batch: robots_rules_check_batch,
            image: robots_rules_image,
            from_image: robots_rules_from_image,
            image_check: robots_image_check,
        })
    }
}
