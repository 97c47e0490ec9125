//! Images: compiled rules in the caller's own memory.

use core::ffi::c_char;

use super::rules::{check_batch, hand_out, robots_rules, robots_str};
use super::status::robots_status;
use super::verdict::robots_verdict;
use super::{guarded, handle_into, status_of, text};
use crate::image::{View, validate};
use crate::rules;
use crate::verdict::Verdict;

/// Makes rules from an image, which is checked as by `robots_image_validate` and copied.
///
/// Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine; `out`: receives the
/// rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image, `ROBOTS_E_IMAGE_FORMAT` for one of another format
/// version or byte order; `ROBOTS_E_ARG` for `out` NULL or `image` NULL with a length; `ROBOTS_E_MEMORY`.
/// `*out` is NULL after an error.
/// Owner: the caller, who ends the rules with `robots_rules_free`. `image` is not needed afterwards.
/// Threads: any, at any time.
/// Allocates: the rules.
/// Since: 0.1.0
///
/// # Safety
/// `image` is readable for `len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_from_image(
    image: *const c_char,
    len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let image = unsafe { text(image, len)? };
        hand_out(validate(image)?.bytes())
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Checks an image from a stranger: its header, its checksum and every offset in it.
///
/// Parameters: `image`, `len`: any octets.
/// Returns: `ROBOTS_OK`: every decision on it will be answered; `ROBOTS_E_IMAGE` for a damaged image,
/// `ROBOTS_E_IMAGE_FORMAT` for one of another format version or byte order, `ROBOTS_E_ARG` for `image` NULL with
/// a length.
/// Owner: nothing is handed over.
/// Threads: any; nobody may write the image meanwhile.
/// Allocates: work space that is freed.
/// Since: 0.1.0
///
/// # Safety
/// `image` is readable for `len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_validate(image: *const c_char, len: usize) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    status_of(|| validate(unsafe { text(image, len)? }).map(|_| ()))
}

/// Decides on one URL by an image in the caller's memory: a mapped file, a row of a database, a block that
/// a garbage collector owns. It need not have been validated: every read is checked, and the answer of a
/// damaged image is an error or wrong, no more.
///
/// Parameters: `image`, `len`: an image; `url`, `url_len`: as for `robots_rules_check`.
/// Returns: a verdict as from `robots_rules_check`; its status may be `ROBOTS_E_IMAGE` or
/// `ROBOTS_E_IMAGE_FORMAT`, too.
/// Owner: nothing is handed over.
/// Threads: any; many may ask one image at once; nobody may write it meanwhile. Takes no lock.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `image` is readable for `len` octets, `url` for `url_len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_check(
    image: *const c_char,
    len: usize,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    guarded(|| {
        // SAFETY: the caller's promises, passed on.
        let (image, url) = unsafe { (text(image, len)?, text(url, url_len)?) };
        Ok(rules::check(image, url))
    })
    .unwrap_or_else(Verdict::from_error)
    .bits()
}

/// Decides on many URLs at once by an image in the caller's memory.
///
/// Parameters: `image`, `len`: an image; the rest as for `robots_rules_check_batch`.
/// Returns: as for `robots_rules_check_batch`; where the image is damaged, every answer is `ROBOTS_BAD_URL`.
/// Owner: nothing is handed over.
/// Threads: as for `robots_image_check`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `image` is readable for `len` octets, the rest as for `robots_rules_check_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_check_batch(
    image: *const c_char,
    len: usize,
    text: *const c_char,
    offsets: *const u32,
    count: usize,
    verdicts: *mut u8,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe { check_batch(super::text(image, len), text, offsets, count, verdicts) }
}

/// Gives the crawl-delay that an image holds (SPEC 9.2).
///
/// Parameters: `image`, `len`: an image.
/// Returns: seconds, as `robots_rules_crawl_delay`; NaN if there is none, or for what is no image.
/// Owner: nothing is handed over.
/// Threads: as for `robots_image_check`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `image` is readable for `len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_crawl_delay(image: *const c_char, len: usize) -> f64 {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { text(image, len)? }))
        .ok()
        .and_then(View::crawl_delay)
        .unwrap_or(f64::NAN)
}

/// Counts the sitemaps that an image holds (SPEC 9.1).
///
/// Parameters: `image`, `len`: an image.
/// Returns: how many there are; 0 for what is no image.
/// Owner: nothing is handed over.
/// Threads: as for `robots_image_check`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `image` is readable for `len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_sitemap_count(image: *const c_char, len: usize) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { text(image, len)? })).map_or(0, View::sitemap_count)
}

/// Gives one sitemap that an image holds (SPEC 9.1).
///
/// Parameters: `image`, `len`: an image; `index`: 0 to `robots_image_sitemap_count(image, len)` - 1.
/// Returns: the address; an empty string past the last, or for what is no image.
/// Owner: the image; valid as long as it is.
/// Threads: as for `robots_image_check`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `image` is readable for `len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_sitemap(
    image: *const c_char,
    len: usize,
    index: usize,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    let sitemap = guarded(|| Ok(View::open(unsafe { text(image, len)? })?.sitemap(index)));
    sitemap
        .ok()
        .flatten()
        .map_or(robots_str::EMPTY, robots_str::of)
}
