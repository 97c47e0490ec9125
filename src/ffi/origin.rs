//! Origins of URLs.

use core::ffi::c_char;

use super::status::robots_status;
use super::stop::Stop;
use super::{guarded, result_into, text};
use crate::error::Error;
use crate::url::origin::Origin;

/// Writes the origin of a URL as text: scheme and host in lower case, the host in Punycode, and the port unless it is the
/// scheme's default port; such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). Equal keys are equal
/// origins.
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
    let key = || {
        // SAFETY: the caller's promise, passed on.
        let url = unsafe { text(url, url_len)? };
        Ok(Origin::from_url(url)?.key().to_owned())
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { fill(buffer, capacity, len, key) }
}

/// Writes the URL of the robots.txt that governs a URL (SPEC 1.1).
///
/// Parameters: `url`, `url_len`, `buffer`, `capacity`, `len`: as for `robots_origin_key`.
/// Returns: as for `robots_origin_key`: `ROBOTS_OK`, or an error.
/// Allocates: work space that is freed; may abort when out of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_robots_url(
    url: *const c_char,
    url_len: usize,
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> robots_status {
    let robots_url = || {
        // SAFETY: the caller's promise, passed on.
        let url = unsafe { text(url, url_len)? };
        Ok(Origin::from_url(url)?.robots_url())
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { fill(buffer, capacity, len, robots_url) }
}

/// Checks whether two URLs have the same origin, so that the robots.txt of one applies to the other (SPEC 1.2).
///
/// Parameters: `site`, `site_len`: any URL of the site, such as the key of its origin. `url`, `url_len`: any bytes.
/// Returns: 1 if they have, else 0; 0 for NULL, and if one of them is not an absolute URL.
/// Allocates: work space that is freed; may abort when out of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_governs(
    site: *const c_char,
    site_len: usize,
    url: *const c_char,
    url_len: usize,
) -> u32 {
    guarded(|| {
        // SAFETY: the caller's promises, passed on.
        let (site, url) = unsafe { (text(site, site_len)?, text(url, url_len)?) };
        Ok(Origin::from_url(site)?.governs(url).into())
    })
    .unwrap_or_default()
}

/// Copies a text to a caller's buffer and writes its length to `len`, also if the buffer is too small.
///
/// # Safety
/// `buffer` is null or writable for `capacity` bytes, `len` is null or writable, by us alone.
unsafe fn fill(
    buffer: *mut c_char,
    capacity: usize,
    len: *mut usize,
    text: impl FnOnce() -> Result<String, Error>,
) -> robots_status {
    let mut status = Ok(());
    // SAFETY: passed on.
    let made = unsafe {
        result_into(len, 0, || {
            let text = text()?;
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
