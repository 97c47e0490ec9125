//! `robots_status`: what every fallible function returns, and the version.

use core::ffi::{CStr, c_char};

use super::guarded;
use crate::error::Error;

/// What a fallible call returns: `ROBOTS_OK` (0) or one of the positive `ROBOTS_E_...` numbers.
/// Numbers are never given another meaning; later versions may add some.
pub type robots_status = i32;

/// Success.
pub const ROBOTS_OK: robots_status = 0;
/// A null pointer, an unknown option, or a value out of its range.
pub const ROBOTS_E_ARG: robots_status = 1;
/// Not a product token (SPEC 7.6).
pub const ROBOTS_E_TOKEN: robots_status = 2;
/// Not a URL that can be decided on (SPEC 8.5b).
pub const ROBOTS_E_URL: robots_status = 3;
/// Not enough memory.
pub const ROBOTS_E_MEMORY: robots_status = 4;
/// A defect of the library; it stays usable.
pub const ROBOTS_E_PANIC: robots_status = 5;
/// A damaged image.
pub const ROBOTS_E_IMAGE: robots_status = 6;
/// An image of another format version or byte order.
pub const ROBOTS_E_IMAGE_FORMAT: robots_status = 7;
/// A URL of another scheme than http, https and ftp (SPEC 1.6).
pub const ROBOTS_E_SCHEME: robots_status = 8;
/// Too early or too late: an event that a fetch does not wait for now, a setting of a cache that is in use, a ticket
/// that was finished.
pub const ROBOTS_E_STATE: robots_status = 9;

// The numbers of C are those of the core.
const _: () = assert!(
    ROBOTS_E_ARG == Error::Argument.code() as robots_status
        && ROBOTS_E_TOKEN == Error::Token.code() as robots_status
        && ROBOTS_E_URL == Error::Url.code() as robots_status
        && ROBOTS_E_MEMORY == Error::Memory.code() as robots_status
        && ROBOTS_E_PANIC == Error::Panic.code() as robots_status
        && ROBOTS_E_IMAGE == Error::Image.code() as robots_status
        && ROBOTS_E_IMAGE_FORMAT == Error::ImageFormat.code() as robots_status
        && ROBOTS_E_SCHEME == Error::Scheme.code() as robots_status
        && ROBOTS_E_STATE == Error::InvalidState.code() as robots_status
);

/// The version, from Cargo.toml, for C.
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version holds no NUL"),
    };

/// Says in one sentence what a status means and what to do next.
///
/// Parameters: `status`, any number.
/// Returns: a NUL-terminated English sentence; for a number that is no status a sentence that says so.
/// Never NULL.
/// Owner: the library; valid for ever, not to be freed.
/// Threads: any, at any time.
/// Allocates: nothing.
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn robots_status_text(status: robots_status) -> *const c_char {
    let text = || match status {
        ROBOTS_OK => c"success",
        _ => u16::try_from(status)
            .ok()
            .and_then(Error::from_code)
            .map_or(
                c"unknown status: not a number that this version of librobots returns",
                Error::text,
            ),
    };
    guarded(|| Ok(text())).unwrap_or_else(Error::text).as_ptr()
}

/// Gives the version of the library as one number, to be compared with `ROBOTS_VERSION_NUMBER` of
/// the header.
///
/// Parameters: none.
/// Returns: major * 1000000 + minor * 1000 + patch; 0.1.0 is 1000.
/// Owner: nothing is handed over.
/// Threads: any, at any time.
/// Allocates: nothing.
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn robots_version_number() -> u32 {
    const fn number(digits: &str) -> u32 {
        match u32::from_str_radix(digits, 10) {
            Ok(number) => number,
            Err(_) => panic!("a part of a version is a number"),
        }
    }
    const {
        number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
            + number(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
            + number(env!("CARGO_PKG_VERSION_PATCH"))
    }
}

/// Gives the version of the library as text.
///
/// Parameters: none.
/// Returns: a NUL-terminated string such as "0.1.0". Never NULL.
/// Owner: the library; valid for ever, not to be freed.
/// Threads: any, at any time.
/// Allocates: nothing.
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn robots_version() -> *const c_char {
    VERSION.as_ptr()
}
