//! The key of the origin of a URL, and the form of a URL to send (SPEC 8.11).

use core::ffi::CStr;
use std::borrow::Cow;

use super::convert::*;
use super::status::ROBOTS_E_SPACE;
use crate::url::{origin, send};

const LEN: &CStr = why!("len is NULL or not aligned: pass the address of a size_t");
const BUFFER: &CStr =
    why!("buffer is NULL, but capacity is not 0: pass the address of capacity bytes");

/// Writes the key of a URL's origin, such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). The key has
/// scheme and host in lower case, the host in Punycode, and the port unless it is the scheme's default. A robots.txt
/// applies to URLs with an equal key (SPEC 1.2). The URL of the robots.txt is the key, then "/robots.txt" (SPEC 1.1).
///
/// Parameters: `url`, `url_len`: an absolute URL; path and query may be any bytes. `buffer`, `capacity`: receives the
/// key, without a NUL. `len`: receives the length of the key; 0 after an error other than `ROBOTS_E_SPACE`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small, which then stays unchanged; `ROBOTS_E_SCHEME` for
/// a scheme other than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` if `url` is not an absolute URL with a valid
/// host.
/// Allocates: work space that is freed; may abort when out of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_key(
    url: *const c_char,
    url_len: usize,
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> robots_status {
    exported!(text_into(buffer, capacity, len, || origin::key(bytes!(
        url, url_len
    )?)))
}

/// Writes the form of a URL to check and then send. Each HTTP client sends the form byte for byte, so the checked URL is the
/// sent URL (SPEC 8.11). Clients may change other URLs, each in its own way. The form is the origin key, then path and query as
/// a browser reads them. Bytes that RFC 3986 does not permit are escaped. The form has no user name, password or fragment, and
/// no empty query. The form of a form is the same form. Except in google, the form of an allowed URL is allowed.
///
/// Parameters: `url`, `url_len`: an absolute URL; path and query may be any bytes. `buffer`, `capacity`: receives the
/// form, without a NUL. Path and query need at most 3 bytes per byte of the URL, and the origin at most 300. `len`:
/// receives the length of the form; 0 after an error other than `ROBOTS_E_SPACE`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small, which then stays unchanged; `ROBOTS_E_SCHEME` and
/// `ROBOTS_E_URL` as from `robots_origin_key`; `ROBOTS_E_URL` also if path and query exceed 64 KiB in the form.
/// Allocates: work space that is freed; may abort when out of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_url_to_send(
    url: *const c_char,
    url_len: usize,
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> robots_status {
    exported!(text_into(buffer, capacity, len, || send::to_send(bytes!(
        url, url_len
    )?)))
}

/// Runs `body`, writes its text to a caller's buffer and the length of the text to `len`. Returns the status.
///
/// # Safety
/// As for [`output`]; `buffer` is null, or valid for writes of `capacity` bytes.
pub(super) unsafe fn text_into<'u, E: Into<Stop> + From<Error>>(
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
    body: impl FnOnce() -> Result<Cow<'u, str>, E>,
) -> robots_status {
    let mut is_too_small = false;
    // SAFETY: the caller's promise.
    let status = unsafe {
        result_into_named(len, 0, LEN, || {
            let text = body().map_err(E::into)?;
            if buffer.is_null() && capacity > 0 {
                return Err(refuse(BUFFER).into());
            }
            is_too_small = text.len() > capacity;
            if !is_too_small {
                buffer.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
            }
            Ok(text.len())
        })
    };
    if is_too_small { ROBOTS_E_SPACE } else { status }
}
