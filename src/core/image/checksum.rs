//! The checksum of an image. The checksum detects damage, but not forgery, because anybody can compute it.
//!
//! The image is padded with at least one zero to a multiple of 32 bytes; the four bytes of the checksum count as zeros. Each
//! block of 32 bytes has four words, one for each of four lanes. Lane n starts as the length of the image plus n. One step adds
//! a word to a lane: `lane = ((lane ^ word ^ word >> 31) * 0x9E3779B97F4A7C15)`, rotated left by 32 bits. At the end, three
//! more steps add lanes 1, 2 and 3 to lane 0, as if these lanes were words. The checksum is the exclusive or of the two halves
//! of lane 0.

use super::header;
use crate::bytes::chunks::as_chunks;

/// 2^64 divided by the golden ratio: not divisible by 2, with well-spread bits.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

const BLOCK: usize = 32;

/// Returns the checksum of all bytes of `image` except the checksum itself.
pub(crate) fn compute(image: &[u8]) -> u32 {
    // Four lanes run in parallel; with a single lane, each step would wait for the step before.
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
    // A product spreads bits only upwards. So the rotation moves the well-mixed upper half to the lower half. Without the
    // shift, the highest bit of a word would change only one bit of the product, and a later word could cancel this change. So
    // the shift copies the high bits of a word to its low bits first.
    (state ^ word ^ word >> 31)
        .wrapping_mul(MULTIPLIER)
        .rotate_left(32)
}
