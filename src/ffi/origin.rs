//! `robots_origin`: the origin of a URL.

use core::ffi::c_char;

use super::status::robots_status;
use super::string::robots_str;
use super::{borrowed, guarded, handle_into, text};
use crate::url::origin::Origin;

/// The origin of a URL: scheme, host and port (SPEC 1). Immutable.
///
/// Owner: created by `robots_origin_new`, freed by `robots_origin_free`.
/// Threads: any number of threads may use it at once.
/// Allocates: the function that creates it. It may abort when out of memory.
pub struct robots_origin {
    origin: Origin,
    robots_url: String,
}

/// Creates the origin of a URL.
///
/// Parameters: `url`, `url_len`: an absolute URL; its path and query may be any bytes. `out`: receives the origin.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` for a scheme other than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` if
/// `url` is not an absolute URL with a valid host; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
///
/// # Safety
/// `url` is readable for `url_len` bytes; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_new(
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_origin,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let url = unsafe { text(url, url_len)? };
        let origin = Origin::from_url(url)?;
        let robots_url = origin.robots_url();
        super::into_handle(robots_origin { origin, robots_url })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Returns the origin as text: scheme and host in lower case, the host in Punycode, and the port unless it is the
/// scheme's default port; such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). Equal keys are equal
/// origins.
///
/// Returns: the key; empty for NULL.
///
/// # Safety
/// `origin` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_key(origin: *const robots_origin) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { borrowed(origin) }).map_or(robots_str::EMPTY, |origin| {
        robots_str::new(origin.origin.key().as_bytes())
    })
}

/// Returns the URL of the origin's robots.txt (SPEC 1.1).
///
/// Returns: the URL; empty for NULL.
///
/// # Safety
/// `origin` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_robots_url(origin: *const robots_origin) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { borrowed(origin) }).map_or(robots_str::EMPTY, |origin| {
        robots_str::new(origin.robots_url.as_bytes())
    })
}

/// Checks whether a URL has this origin, so that the origin's robots.txt applies to it (SPEC 1.2).
///
/// Parameters: `url`, `url_len`: any bytes.
/// Returns: 1 if it has, else 0; 0 for NULL, and if `url` is not an absolute URL.
/// Allocates: usually nothing; work space that is freed if the authority of the URL has capitals, a user name, an
/// address or a name that is not ASCII.
///
/// # Safety
/// `origin` is NULL or was not freed; `url` is readable for `url_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_governs(
    origin: *const robots_origin,
    url: *const c_char,
    url_len: usize,
) -> u32 {
    guarded(|| {
        // SAFETY: the caller's promises, passed on.
        let (origin, url) = unsafe { (borrowed(origin)?, text(url, url_len)?) };
        Ok(u32::from(origin.origin.governs(url)))
    })
    .unwrap_or_default()
}

/// Frees an origin and everything borrowed from it.
///
/// # Safety
/// `origin` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_free(origin: *mut robots_origin) {
    // SAFETY: the caller's promise, passed on.
    unsafe { super::free(origin) };
}
