//! `robots_str`: a borrowed string.

use core::ffi::c_char;

/// A borrowed string: `len` bytes at `ptr`, not NUL-terminated. `ptr` is NULL only if `len` is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_str {
    /// Pointer to the first byte.
    pub ptr: *const c_char,
    /// Number of bytes.
    pub len: usize,
}

impl robots_str {
    pub(super) const EMPTY: robots_str = robots_str {
        ptr: core::ptr::null(),
        len: 0,
    };

    pub(super) fn new(text: &(impl AsRef<[u8]> + ?Sized)) -> robots_str {
        let bytes = text.as_ref();
        robots_str {
            ptr: bytes.as_ptr().cast(),
            len: bytes.len(),
        }
    }

    /// Returns the text; an empty string for `None`.
    pub(super) fn maybe(text: Option<&(impl AsRef<[u8]> + ?Sized)>) -> robots_str {
        text.map_or(robots_str::EMPTY, robots_str::new)
    }
}
