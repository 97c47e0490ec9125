//! Origins of URLs.

use super::convert::*;
use crate::url::origin;

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
    unsafe {
        let mut status = Ok(());
        let made = result_into(len, 0, || {
            let key = origin::key(text(url, url_len)?)?;
            if buffer.is_null() && capacity > 0 {
                return Err(Error::Argument.into());
            }
            if key.len() > capacity {
                status = Err(Stop::Space);
            } else {
                buffer.copy_from_nonoverlapping(key.as_ptr().cast(), key.len());
            }
            Ok(key.len())
        });
        status.map_or_else(Stop::status, |()| made)
    }
}
