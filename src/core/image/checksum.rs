//! The checksum of an image: it finds damage, not forgery.
//!
//! A step takes a word into a state: exclusive or, multiply by 0x9E3779B97F4A7C15, rotate by 32 bits. At least one zero
//! follows the image, up to a multiple of 32 bytes; the bytes of the checksum count as zeros, too. Each block of 32 bytes is
//! four words, one for each of four lanes; lane n starts as the length of the image plus n. At the end the other lanes, as
//! words, go into the first; the checksum is that lane, its halves combined by exclusive or.

use super::header;
use crate::bytes::chunks::as_chunks;

/// 2^64 / golden ratio: not even, with well-spread bits.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

const BLOCK: usize = 32;

/// Returns the checksum of all bytes of `image` but the checksum's own.
pub(crate) fn compute(image: &[u8]) -> u32 {
    // Four lanes, since each step waits for the one before it.
    let mut lanes = [0, 1, 2, 3].map(|lane| image.len() as u64 + lane);
    let mut absorb = |block: &[u8; BLOCK]| {
        for (lane, word) in lanes.iter_mut().zip(as_chunks::<8>(block).0) {
            *lane = step(*lane, u64::from_le_bytes(*word));
        }
    };
    let (blocks, tail) = as_chunks::<BLOCK>(image);
    if let Some((first, others)) = blocks.split_first() {
        let mut first = *first;
        if let Some(own) = first.get_mut(header::CHECKSUM..header::DIALECT) {
            own.fill(0);
        }
        absorb(&first);
        others.iter().for_each(&mut absorb);
    }
    let mut last = [0; BLOCK];
    for (to, from) in last.iter_mut().zip(tail) {
        *to = *from;
    }
    absorb(&last);
    let [first, others @ ..] = lanes;
    let state = others.into_iter().fold(first, step);
    (state ^ state >> 32) as u32
}

#[inline]
fn step(state: u64, word: u64) -> u64 {
    // Rotation brings the well-mixed upper half to where the next product spreads it.
    (state ^ word).wrapping_mul(MULTIPLIER).rotate_left(32)
}
