//! The checksum of an image: it finds damage, not forgery.
//!
//! A step takes a word into a state: exclusive or, multiply by 0x9E3779B97F4A7C15, rotate by 32 bits.
//! The bytes before the checksum and then those after it are taken in: 16 at a time as two words,
//! one into each of two states, that start from the state before and its complement; what is left,
//! byte by byte, into the first; the second as a word into the first. The very first state is the
//! image's length; the checksum is the last, its halves combined by exclusive or.

use super::header;
use crate::util::chunks::as_chunks;

/// An odd constant with well-spread bits (2^64 / golden ratio).
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Of all bytes of `image` but the checksum's own.
pub(crate) fn compute(image: &[u8]) -> u32 {
    let (head, rest) = image
        .split_at_checked(header::CHECKSUM)
        .unwrap_or((image, &[]));
    let rest = rest
        .get(header::DIALECT - header::CHECKSUM..)
        .unwrap_or_default();
    let state = absorb(image.len() as u64, head);
    let state = absorb(state, rest);
    (state ^ state >> 32) as u32
}

/// Two lanes, since each step waits for the one before it.
fn absorb(state: u64, bytes: &[u8]) -> u64 {
    let (blocks, tail) = as_chunks::<16>(bytes);
    let (mut a, mut b) = (state, !state);
    for block in blocks {
        let both = u128::from_le_bytes(*block);
        a = step(a, both as u64);
        b = step(b, (both >> 64) as u64);
    }
    for byte in tail {
        a = step(a, u64::from(*byte));
    }
    step(a, b)
}

#[inline]
fn step(state: u64, word: u64) -> u64 {
    // Rotation brings the well-mixed upper half to where the next product spreads it.
    (state ^ word).wrapping_mul(MULTIPLIER).rotate_left(32)
}
