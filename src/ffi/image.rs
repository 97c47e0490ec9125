//! Images: compiled rules in the caller's own memory.

use super::convert::*;
use super::rules::{robots_rules, rules_into};
use crate::bytes::shared_bytes::SharedBytes;
use crate::core::check::check_image;
use crate::core::image::validate;
use crate::core::rules::Rules;

/// Creates rules from an image. The image is validated (see `robots_image_validate`) and copied.
///
/// Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine. `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image; `ROBOTS_E_IMAGE_FORMAT` for another format version or
/// byte order; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_from_image(
    image: *const c_char,
    len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { rules_into(out, || Rules::from_image(text(image, len)?)) }
}

/// Creates rules that borrow an image in the caller's memory, in constant time: only its header is examined. A check on
/// them costs what `robots_image_check` costs.
///
/// Parameters: `image`, `len`: an image. It stays where it is, unchanged, until the last reference to the rules is
/// released. `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` and `ROBOTS_E_IMAGE_FORMAT` as from `robots_rules_from_image`, for the header;
/// `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
/// Owner: the image stays the caller's.
/// Allocates: 24 bytes (12 on 32-bit machines).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_borrow_image(
    image: *const c_char,
    len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        rules_into(out, || {
            Rules::open(SharedBytes::borrowing(text(image, len)?)?)
        })
    }
}

/// Validates an image from an untrusted source: its header, its checksum and every offset in it.
///
/// Parameters: `image`, `len`: any bytes.
/// Returns: `ROBOTS_OK`: no check of a URL on it fails because of the image; `ROBOTS_E_IMAGE` for a damaged image;
/// `ROBOTS_E_IMAGE_FORMAT` for another format version or byte order; `ROBOTS_E_ARG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_validate(image: *const c_char, len: usize) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { status_of(|| validate(text(image, len)?).map(|_| ())) }
}

/// Checks one URL on an image in the caller's memory, such as a mapped file or a database row, in one call.
///
/// Parameters: `image`, `len`: an image. `url`, `url_len`: as for `robots_rules_check`.
/// Returns: a verdict as from `robots_rules_check`; its status may also be `ROBOTS_E_IMAGE` or `ROBOTS_E_IMAGE_FORMAT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_image_check(
    image: *const c_char,
    len: usize,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { verdict_of(|| Ok(check_image(text(image, len)?, text(url, url_len)?).verdict)) }
}
