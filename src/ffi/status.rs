//! `robots_status`, the result of functions that can fail, and the version.

use core::ffi::c_char;

use super::guard::guarded;
use super::refusal;
use super::verdict::robots_verdict;
use crate::base::error::Error;

/// The result of a function that can fail: one of `enum robots_status_code`. Later versions may add values.
pub type robots_status = i32;

constants! {
    robots_status_code("ROBOTS_E_"): robots_status, "The numbers of a `robots_status`. They are never renumbered.";
    /// Success.
    ROBOTS_OK = 0,
    /// A pointer that is NULL or not aligned, a `size` that is too small, an unknown option, a number out of range, or a
    /// body that is the address of a file instead of its content (SPEC 4.7).
    ROBOTS_E_ARG = Error::Argument,
    /// Not a product token (SPEC 7.6).
    ROBOTS_E_TOKEN = Error::Token,
    /// Not a URL that can be checked (SPEC 8.5b), or a URL of a different site than the outcome.
    ROBOTS_E_URL = Error::Url,
    /// Out of memory, or the limit of a cache is exceeded.
    ROBOTS_E_MEMORY = Error::Memory,
    /// A defect of the library. The library stays usable; please report it.
    ROBOTS_E_PANIC = Error::Panic,
    /// A damaged image or record.
    ROBOTS_E_IMAGE = Error::Image,
    /// An image or record of another format version, byte order or crawler.
    ROBOTS_E_IMAGE_FORMAT = Error::ImageFormat,
    /// A URL with a scheme other than http, https and ftp (SPEC 1.6).
    ROBOTS_E_SCHEME = Error::Scheme,
    /// Wrong state: an event at the wrong step of a fetch, a setting for a cache in use, a finished ticket.
    ROBOTS_E_STATE = Error::InvalidState,
    /// No error: the list has no element with this index. Read a list from index 0 until this status.
    ROBOTS_END = 64,
    /// The buffer is too small; `*len` is the required length.
    ROBOTS_E_SPACE = 65,
    /// The file cannot be read or written; `os_error` of the output is the system's error number.
    ROBOTS_E_FILE = 66,
    /// Not a time in milliseconds since 1970: before March 1973, such as a time in seconds, or after the year 9999.
    ROBOTS_E_TIME = 67,
}

/// Returns one English sentence that says what a status means and what to do. For `ROBOTS_E_ARG` the sentence names the
/// parameter that was refused in the thread's last call with this status.
///
/// Parameters: `status`: any number. The sentence for a number that is not a status says that it is unknown.
/// Returns: a NUL-terminated string, never NULL.
/// Owner: the library; valid until it is unloaded.
#[unsafe(no_mangle)]
pub extern "C" fn robots_status_text(status: robots_status) -> *const c_char {
    let text = || {
        match status {
        ROBOTS_OK => c"success",
        ROBOTS_END => c"end of the list: this index and those after it have no element",
        ROBOTS_E_SPACE => {
            c"buffer too small: call again with a buffer of the length that was returned"
        }
        ROBOTS_E_FILE => {
            c"the file cannot be read or written: os_error of the output is the error of the system, whose text strerror has; ENOENT when loading: there is no file yet, go on with the empty cache"
        }
        ROBOTS_E_TIME => {
            c"invalid time: pass milliseconds since 1970-01-01 UTC, from March 1973 to the year 9999; a lower number is probably one of seconds, a higher one of microseconds"
        }
        ROBOTS_E_ARG => refusal::last(),
        _ => u16::try_from(status)
            .ok()
            .and_then(Error::from_code)
            .map_or(
                c"unknown status: not a number that this version of librobots returns",
                Error::text,
            ),
    }
    };
    guarded(|| Ok(text())).unwrap_or_else(Error::text).as_ptr()
}

/// Returns the version of the library as one number. `ROBOTS_VERSION_NUMBER` is the version of this header.
///
/// Returns: major * 1000000 + minor * 1000 + patch; 0.1.0 is 1000.
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

/// The status of a body that ended early: an error of the core, or a status that only C has, such as `ROBOTS_END`.
pub(super) struct Stop(pub(super) robots_status);

impl From<Error> for Stop {
    #[inline(always)]
    fn from(error: Error) -> Stop {
        Stop(error.code().into())
    }
}

impl From<Stop> for robots_verdict {
    #[inline(always)]
    fn from(Stop(status): Stop) -> robots_verdict {
        // As in `Verdict::from_error`, the URL is not allowed. No status has more than 16 bits.
        robots_verdict {
            bits: (status as u64 & 0xFFFF) << 16,
        }
    }
}
