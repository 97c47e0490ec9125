//! `robots_origin`: the site that a URL belongs to.

use core::ffi::c_char;

use super::rules::robots_str;
use super::status::robots_status;
use super::{borrowed, guarded, handle_into, text};
use crate::url::origin::Origin;

/// The site that a URL belongs to: scheme, host and port (SPEC 1). Immutable. Made by `robots_origin_new`,
/// ended by `robots_origin_free`.
pub struct robots_origin {
    origin: Origin,
    robots_url: String,
}

/// Finds the site that a URL belongs to.
///
/// Parameters: `url`, `url_len`: an absolute URL; its path and query may be any octets. `out`: receives the
/// origin.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` for another scheme than http, https and ftp (SPEC 1.6); `ROBOTS_E_URL` for
/// what is no absolute URL, or has no host that can be read; `ROBOTS_E_ARG` for `out` NULL or `url` NULL with a
/// length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_origin_free`. `url` is not needed afterwards.
/// Threads: any, at any time.
/// Allocates: the origin.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `url` is readable for `url_len` octets; `out` is NULL or writable.
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
        super::hand_out(robots_origin { origin, robots_url })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Gives the origin in its one spelling: lower-case scheme and host, the host in punycode, and the port unless
/// it is the scheme's own, such as "https://example.com" or "http://[::1]:8080" (SPEC 1.3, 1.4). Equal keys are
/// equal origins.
///
/// Parameters: `origin`.
/// Returns: the key; empty for `origin` NULL.
/// Owner: the origin; valid until `robots_origin_free`.
/// Threads: any; many may ask one origin at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `origin` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_key(origin: *const robots_origin) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { borrowed(origin) }).map_or(robots_str::EMPTY, |origin| {
        robots_str::of(origin.origin.key().as_bytes())
    })
}

/// Gives the URL of the origin's robots.txt (SPEC 1.1).
///
/// Parameters: `origin`.
/// Returns: the URL; empty for `origin` NULL.
/// Owner: the origin; valid until `robots_origin_free`.
/// Threads: any; many may ask one origin at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `origin` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_robots_url(origin: *const robots_origin) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { borrowed(origin) }).map_or(robots_str::EMPTY, |origin| {
        robots_str::of(origin.robots_url.as_bytes())
    })
}

/// Tells whether a robots.txt of the origin governs a URL: whether that is of the same origin (SPEC 1.2).
///
/// Parameters: `origin`; `url`, `url_len`: any octets.
/// Returns: 1 or 0; 0 for what is no absolute URL, for `origin` NULL or `url` NULL with a length.
/// Owner: nothing is handed over.
/// Threads: any; many may ask one origin at once.
/// Allocates: nothing for an ordinary URL; work space that is freed for one with capitals, a user name, an address
/// or a name that is not ASCII in its authority.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `origin` is NULL or was not freed; `url` is readable for `url_len` octets.
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

/// Ends an origin.
///
/// Parameters: `origin`: NULL does nothing.
/// Returns: nothing.
/// Owner: `origin` is handed back; it, and what was borrowed from it, must not be used again.
/// Threads: any; no other may use the origin meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `origin` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_origin_free(origin: *mut robots_origin) {
    // SAFETY: the caller's promise, passed on.
    unsafe { super::free(origin) };
}
