//! librobots through its C ABI.

use crate::abi::{self, Abi, RawCrawler, RawRules};
use crate::corpus::{Batch, Site};
use crate::engine::{Engine, TOKEN};
use crate::files::Body;
use std::ffi::c_char;
use std::ptr;

/// Bodies are taken whole, also those past the 500 KiB that are the default.
pub const MAX_BYTES: usize = 8 << 20;

pub struct Ours {
    /// Lives as long as the program, as a loaded library does.
    abi: &'static Abi,
    crawler: *mut RawCrawler,
}

// SAFETY: a crawler is only read once it is set up, and the library allows `const robots_crawler *` to many threads.
unsafe impl Send for Ours {}
// SAFETY: as above.
unsafe impl Sync for Ours {}

/// A `robots_rules *` that frees itself.
pub struct Handle {
    rules: *mut RawRules,
    abi: &'static Abi,
}

// SAFETY: the library allows `const robots_rules *` to many threads, and one owner frees it.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: `rules` came from the library and is freed once.
        unsafe { (self.abi.free)(self.rules) }
    }
}

fn chars(bytes: &[u8]) -> *const c_char {
    bytes.as_ptr().cast()
}

impl Ours {
    pub fn new() -> Self {
        let mut crawler = ptr::null_mut();
        // SAFETY: pointer and length of a string, and a place for the result.
        let made =
            unsafe { abi::robots_crawler_new(chars(TOKEN.as_bytes()), TOKEN.len(), &mut crawler) };
        assert_eq!(made, abi::OK, "robots_crawler_new");
        // SAFETY: a crawler just made and shared with no one.
        let set = unsafe { abi::robots_crawler_set(crawler, abi::OPT_MAX_BYTES, MAX_BYTES as u64) };
        assert_eq!(set, abi::OK, "robots_crawler_set");
        Self {
            abi: Box::leak(Box::new(Abi::linked())),
            crawler,
        }
    }

    /// The whole verdict word.
    pub fn verdict(&self, rules: &Handle, url: &str) -> u64 {
        // SAFETY: rules that are alive, pointer and length of a URL.
        unsafe { (self.abi.check)(rules.rules, chars(url.as_bytes()), url.len()) }.bits
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once; rules do not refer to it.
        unsafe { abi::robots_crawler_free(self.crawler) }
    }
}

impl Engine for Ours {
    const NAME: &'static str = "librobots";
    type Rules<'b> = Handle;

    fn parse(&self, body: &Body) -> Handle {
        let mut rules = ptr::null_mut();
        let (text, len) = (chars(&body.bytes), body.bytes.len());
        // SAFETY: a crawler, pointer and length of a body, and a place for the result.
        let parsed = unsafe { (self.abi.parse)(self.crawler, text, len, &mut rules) };
        assert_eq!(parsed, abi::OK, "robots_rules_parse");
        Handle {
            rules,
            abi: self.abi,
        }
    }

    fn sitemaps(&self, rules: &Handle) -> usize {
        let mut sitemap = abi::RobotsStr {
            ptr: ptr::null(),
            len: 0,
        };
        // SAFETY: rules that are alive, and a place for the result.
        let is_there =
            |index| unsafe { (self.abi.sitemap)(rules.rules, index, &mut sitemap) } == abi::OK;
        (0..).map(is_there).take_while(|is_there| *is_there).count()
    }

    fn allowed(&self, rules: &Handle, url: &str) -> bool {
        self.verdict(rules, url) & 1 == 1
    }

    fn allowed_once(&self, body: &Body, url: &str) -> bool {
        let (text, len) = (chars(&body.bytes), body.bytes.len());
        // SAFETY: a crawler, pointers and lengths of a body and a URL.
        let verdict = unsafe {
            (self.abi.check_once)(self.crawler, text, len, chars(url.as_bytes()), url.len())
        };
        verdict.bits & 1 == 1
    }
}

/// Asserts that the C functions return the verdicts of the Rust ones, to the bit.
pub fn assert_rust_agrees(ours: &Ours, sites: &[Site]) {
    let crawler = robots::Crawler::new(TOKEN).and_then(|crawler| crawler.with_max_bytes(MAX_BYTES));
    let crawler = crawler.expect("the token and the limit are valid");
    for site in sites {
        let (ours_rules, rules) = (ours.parse(&site.body), crawler.parse(&site.body.bytes));
        for url in &site.urls {
            let (c, rust) = (ours.verdict(&ours_rules, url), rules.check(url).bits());
            assert_eq!(c, rust, "the verdict word of C and of Rust for {url}");
        }
    }
}

/// The calls beyond one URL at a time: batches, and rules as bytes.
impl Ours {
    /// Asks for all URLs of `batch` at once; how many are allowed.
    pub fn batch_allowed(&self, rules: &Handle, batch: &Batch, verdicts: &mut Vec<u8>) -> usize {
        verdicts.resize(batch.len(), 0);
        let (text, offsets) = (chars(batch.text.as_bytes()), batch.offsets.as_ptr());
        // SAFETY: rules that are alive, len + 1 offsets into the text, room for len verdicts.
        let status = unsafe {
            (self.abi.check_batch)(
                rules.rules,
                text,
                offsets,
                batch.len(),
                verdicts.as_mut_ptr(),
            )
        };
        assert_eq!(status, abi::OK, "robots_rules_check_batch");
        verdicts.iter().filter(|verdict| **verdict == 1).count()
    }

    /// The flat bytes of the rules.
    pub fn image<'r>(&self, rules: &'r Handle) -> &'r [u8] {
        // SAFETY: rules that are alive, and stay so while the result is borrowed from them.
        let image = unsafe { (self.abi.image)(rules.rules) };
        // SAFETY: the library lends `len` bytes at `ptr` for as long as the rules live.
        unsafe { std::slice::from_raw_parts(image.ptr.cast(), image.len) }
    }

    pub fn load(&self, image: &[u8]) -> Handle {
        let mut rules = ptr::null_mut();
        // SAFETY: pointer and length of an image, and a place for the result.
        let status = unsafe { (self.abi.from_image)(chars(image), image.len(), &mut rules) };
        assert_eq!(status, abi::OK, "robots_rules_from_image");
        Handle {
            rules,
            abi: self.abi,
        }
    }

    /// Decides in place, on bytes that are the caller's.
    pub fn image_allowed(&self, image: &[u8], url: &str) -> bool {
        // SAFETY: pointers and lengths of an image and of a URL.
        let verdict = unsafe {
            (self.abi.image_check)(chars(image), image.len(), chars(url.as_bytes()), url.len())
        };
        verdict.bits & 1 == 1
    }
}
