//! Splits a slice into arrays of a fixed length, as `slice::as_chunks` of Rust 1.88 does.

/// Splits `bytes` into arrays of `N` bytes and a rest of less than `N`.
#[inline(always)]
#[allow(
    unsafe_code,
    reason = "a slice of arrays has the layout of a slice of their elements"
)]
pub(crate) fn as_chunks<const N: usize>(bytes: &[u8]) -> (&[[u8; N]], &[u8]) {
    const { assert!(N > 0) };
    let (whole, tail) = bytes.split_at(bytes.len() - bytes.len() % N);
    // SAFETY: `whole` is `len / N` adjacent arrays of `N` bytes. An array of bytes has the alignment of a byte. The result has
    // the lifetime of `bytes`.
    let arrays = unsafe { core::slice::from_raw_parts(whole.as_ptr().cast(), whole.len() / N) };
    (arrays, tail)
}
