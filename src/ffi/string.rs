//! `robots_str`: a borrowed string. Texts that fill a caller's buffer.

use core::ffi::c_char;

use super::{Stop, result_into, robots_status};
use crate::error::Error;

/// A borrowed string: `len` bytes at `ptr`, not NUL-terminated. `ptr` is NULL only if `len` is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_str {
    /// The first byte.
    pub ptr: *const c_char,
    /// The number of bytes.
    pub len: usize,
}

impl robots_str {
    pub(super) const EMPTY: robots_str = robots_str {
        ptr: core::ptr::null(),
        len: 0,
    };

    pub(super) fn new(bytes: &[u8]) -> robots_str {
        robots_str {
            ptr: bytes.as_ptr().cast(),
            len: bytes.len(),
        }
    }

    /// Returns the text, empty for none.
    pub(super) fn maybe(bytes: Option<&[u8]>) -> robots_str {
        bytes.map_or(robots_str::EMPTY, robots_str::new)
    }
}

/// Copies a text to a caller's buffer and writes its length to `len`, also if the buffer is too small.
///
/// # Safety
/// `buffer` is null or writable for `capacity` bytes, `len` is null or writable, by us alone.
pub(super) unsafe fn fill(
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
