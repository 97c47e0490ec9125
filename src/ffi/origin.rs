//! What a URL names: its origin, and the form of it that clients send.

use std::borrow::Cow;

use super::convert::*;
use crate::url::{origin, send};

/// Writes the origin of a URL as text: scheme and host in lower case, the host in Punycode, and the port unless it is the
/// scheme's default port; such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). A robots.txt applies to the
/// URLs with an equal key (SPEC 1.2); its own URL is the key and "/robots.txt" (SPEC 1.1).
///
/// Parameters: `url`, `url_len`: an absolute URL; its path and query may be any bytes. `buffer`, `capacity`: receives the
/// key, without a NUL. `len`: receives the length of the key; 0 after an error other than `ROBOTS_E_SPACE`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small: nothing is written to it; `ROBOTS_E_SCHEME` for a
/// scheme other than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` if `url` is not an absolute URL with a valid host;
/// `ROBOTS_E_ARG`.
/// Allocates: work space that is freed; may abort when out of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_key(
    url: *const c_char,
    url_len: usize,
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { text_into(buffer, capacity, len, || origin::key(text(url, url_len)?)) }
}

/// Writes the form of a URL to be checked and then sent: each HTTP client sends it byte for byte, so that what is judged is
/// what is sent (SPEC 8.11). Other URLs are changed by some clients, each in its own way. The form is the origin key, and
/// the path and query as a browser reads them, with everything escaped that RFC 3986 does not permit; without user name,
/// password, empty query and fragment. It is its own form. If the URL is allowed, so is its form.
///
/// Parameters: `url`, `url_len`: an absolute URL; its path and query may be any bytes. `buffer`, `capacity`: receives the
/// form, without a NUL. 3 bytes for each byte of the URL are enough for path and query, and 300 for the origin. `len`:
/// receives the length of the form; 0 after an error other than `ROBOTS_E_SPACE`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SPACE` if the buffer is too small: nothing is written to it; `ROBOTS_E_SCHEME` and
/// `ROBOTS_E_URL` as from `robots_origin_key`; `ROBOTS_E_URL` also for a path and query of more than 64 KiB in that form;
/// `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
/// Allocates: work space that is freed; may abort when out of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_url_to_send(
    url: *const c_char,
    url_len: usize,
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { text_into(buffer, capacity, len, || send::to_send(text(url, url_len)?)) }
}

/// Writes a text to a caller's buffer.
///
/// # Safety
/// As for [`output`]; `buffer` is null, or valid for writes of `capacity` bytes.
unsafe fn text_into<'u>(
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
    body: impl FnOnce() -> Result<Cow<'u, str>, Error>,
) -> robots_status {
    let mut status = Ok(());
    // SAFETY: the promises of the caller.
    let made = unsafe {
        result_into(len, 0, || {
            let text = body()?;
            if buffer.is_null() && capacity > 0 {
                return Err(Error::Argument.into());
            }
            if text.len() > capacity {
                status = Err(Stop::Space);
            } else {
                buffer.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
            }
            Ok(text.len())
        })
    };
    status.map_or_else(Stop::status, |()| made)
}
