//! A slice as arrays of a fixed length, as `slice::as_chunks` does since Rust 1.88.

/// The arrays of `N` bytes that `bytes` begins with, and the rest, which is shorter than `N`.
#[inline(always)]
#[allow(
    unsafe_code,
    reason = "a slice of arrays has the layout of a slice of their elements"
)]
pub(crate) fn as_chunks<const N: usize>(bytes: &[u8]) -> (&[[u8; N]], &[u8]) {
    const { assert!(N > 0) };
    let (whole, tail) = bytes.split_at(bytes.len() - bytes.len() % N);
    // SAFETY: `whole` is `len / N` times `N` bytes in a row, an array of bytes has their alignment, and the lifetime is
    // that of `bytes`.
    let arrays = unsafe { core::slice::from_raw_parts(whole.as_ptr().cast(), whole.len() / N) };
    (arrays, tail)
}
