//! The checksum of an image: it finds damage, not forgery.
//!
//! A step takes a word into a state: exclusive or, multiply by 0x9E3779B97F4A7C15, rotate by 32 bits. The bytes
//! before the checksum and then those after it are absorbed. Blocks of 32 bytes are four words, one for each of four
//! lanes; lane n starts as the state before plus n. Further bytes go one by one into the first lane; then the other
//! lanes, as words, into the first, which is the new state. The first state is the length of the image; the checksum
//! is the last, its halves combined by exclusive or.

use super::header;
use crate::util::chunks::as_chunks;

/// 2^64 / golden ratio: not even, with well-spread bits.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the checksum of all bytes of `image` but the checksum's own.
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

/// Four lanes, since each step waits for the one before it.
fn absorb(state: u64, bytes: &[u8]) -> u64 {
    let (blocks, tail) = as_chunks::<32>(bytes);
    let mut lanes = [0, 1, 2, 3].map(|lane| state.wrapping_add(lane));
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(as_chunks::<8>(block).0) {
            *lane = step(*lane, u64::from_le_bytes(*word));
        }
    }
    let [mut first, others @ ..] = lanes;
    for byte in tail {
        first = step(first, u64::from(*byte));
    }
    others.into_iter().fold(first, step)
}

#[inline]
fn step(state: u64, word: u64) -> u64 {
    // Rotation brings the well-mixed upper half to where the next product spreads it.
    (state ^ word).wrapping_mul(MULTIPLIER).rotate_left(32)
}
