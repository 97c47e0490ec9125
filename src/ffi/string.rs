//! `robots_str`: a borrowed string.

use core::ffi::c_char;

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
