//! Images: compiled rules in the caller's own memory.

use super::convert::*;
use super::rules::{handle_of, robots_rules};
use crate::bytes::shared_bytes::SharedBytes;
use crate::core::check::check_image;
use crate::core::rules::Rules;

/// Creates rules from a copy of an image. The call validates header, checksum and every offset, so the image may come
/// from an untrusted source.
///
/// Parameters: `image`, `len`: from `robots_rules_image`, of this or another machine. `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged image; `ROBOTS_E_IMAGE_FORMAT` for another format version or
/// byte order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_from_image(
    image: *const c_char,
    len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    exported!(result_into(out, null_mut(), || {
        Ok(handle_of(Rules::from_image(bytes!(image, len)?)?))
    }))
}

/// Creates rules that borrow an image in the caller's memory. The call takes constant time, because it validates only
/// the header. A check with the rules costs as much as `robots_image_check`.
///
/// Parameters: `image`, `len`: an image, which stays at its address, unchanged, until the last reference to the rules is
/// released. `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` and `ROBOTS_E_IMAGE_FORMAT` as from `robots_rules_from_image`, but only for
/// the header.
/// Owner: the image stays the caller's.
/// Allocates: 24 bytes (12 on 32-bit machines).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_borrow_image(
    image: *const c_char,
    len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    exported!(result_into(out, null_mut(), || {
        let image = SharedBytes::borrowing(bytes!(image, len)?)?;
        Ok(handle_of(Rules::open(image)?))
    }))
}

/// Checks one URL with an image in the caller's memory, such as a mapped file or a database row, in one call.
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
    exported!(verdict_of(|| {
        let decision = check_image(bytes!(image, len)?, bytes!(url, url_len)?);
        Ok::<_, Error>(decision.verdict)
    }))
}
