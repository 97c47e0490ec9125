//! Images: compiled rules in the caller's own memory.

use core::ffi::c_char;

use super::rules::{check_batch, into_handle, robots_rules};
use super::status::robots_status;
use super::string::robots_str;
use super::verdict::robots_verdict;
use super::{guarded, handle_into, status_of, text};
use crate::image::{View, validate};
use crate::rules;
use crate::verdict::Verdict;

/// Creates rules from an image. The image is validated (see `robots_image_validate`) and copied.
///
/// Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine. `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image; `ROBOTS_E_IMAGE_FORMAT` for another format version or
/// byte order; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
/// Allocates: the rules.
///
/// # Safety
/// `image` is readable for `len` bytes; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_from_image(
    image: *const c_char,
    len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let image = unsafe { text(image, len)? };
        into_handle(validate(image)?.bytes())
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Validates an image from an untrusted source: its header, its checksum and every offset in it.
///
/// Parameters: `image`, `len`: any bytes.
/// Returns: `ROBOTS_OK`: no check of a URL on it fails because of the image; `ROBOTS_E_IMAGE` for a damaged image;
/// `ROBOTS_E_IMAGE_FORMAT` for another format version or byte order; `ROBOTS_E_ARG`.
/// Allocates: work space that is freed.
///
/// # Safety
/// `image` is readable for `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_validate(image: *const c_char, len: usize) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    status_of(|| validate(unsafe { text(image, len)? }).map(|_| ()))
}

/// Checks one URL on an image in the caller's memory, such as a mapped file or a database row.
///
/// Parameters: `image`, `len`: an image. `url`, `url_len`: as for `robots_rules_check`.
/// Returns: a verdict as from `robots_rules_check`; its status may also be `ROBOTS_E_IMAGE` or `ROBOTS_E_IMAGE_FORMAT`.
///
/// # Safety
/// `image` is readable for `len` bytes, `url` for `url_len`.
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

/// Checks many URLs on an image in the caller's memory.
///
/// Parameters: `image`, `len`: an image. The others as for `robots_rules_check_batch`.
/// Returns: as for `robots_rules_check_batch`; every result for a damaged image is `ROBOTS_BAD_URL`.
///
/// # Safety
/// `image` is readable for `len` bytes, the rest as for `robots_rules_check_batch`.
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

/// Checks many URLs on an image in the caller's memory, with 64-bit offsets for texts of 4 GiB and more.
///
/// Parameters: as for `robots_image_check_batch`, with offsets of 64 bits.
/// Returns: as for `robots_image_check_batch`.
///
/// # Safety
/// As for `robots_image_check_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_check_batch64(
    image: *const c_char,
    len: usize,
    text: *const c_char,
    offsets: *const u64,
    count: usize,
    verdicts: *mut u8,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe { check_batch(super::text(image, len), text, offsets, count, verdicts) }
}

/// Returns the verdict of an image that does not depend on the URL, so that a binding need not call for each URL.
///
/// Parameters: `image`, `len`: an image.
/// Returns: the verdict on every URL except /robots.txt if the image has a site-wide rule or no group applies; 0 if the
/// verdict depends on the URL; a verdict with a status if it is not an image.
///
/// # Safety
/// `image` is readable for `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_site_verdict(
    image: *const c_char,
    len: usize,
) -> robots_verdict {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { text(image, len)? }))
        .map_or_else(|error| Some(Verdict::from_error(error)), View::site_verdict)
        .map_or(0, Verdict::bits)
}

/// Returns the crawl-delay in an image (SPEC 9.2).
///
/// Parameters: `image`, `len`: an image.
/// Returns: seconds, as `robots_rules_crawl_delay`; NaN if there is none, or if it is not an image.
///
/// # Safety
/// `image` is readable for `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_crawl_delay(image: *const c_char, len: usize) -> f64 {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { text(image, len)? }))
        .ok()
        .and_then(View::crawl_delay)
        .unwrap_or(f64::NAN)
}

/// Returns the number of sitemaps in an image (SPEC 9.1).
///
/// Parameters: `image`, `len`: an image.
/// Returns: the number; 0 if it is not an image.
///
/// # Safety
/// `image` is readable for `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_sitemap_count(image: *const c_char, len: usize) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { text(image, len)? })).map_or(0, View::sitemap_count)
}

/// Returns one sitemap in an image (SPEC 9.1).
///
/// Parameters: `image`, `len`: an image. `index`: 0 to `robots_image_sitemap_count(image, len)` - 1.
/// Returns: the address; empty for an index out of range, or if it is not an image.
/// Owner: the image; valid as long as it is.
///
/// # Safety
/// `image` is readable for `len` bytes.
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
        .map_or(robots_str::EMPTY, robots_str::new)
}
