//! The checksum of an image: it finds damage, not forgery.
//!
//! A step adds a word to a state: spread the word, exclusive or, multiply by 0x9E3779B97F4A7C15, rotate by 32 bits. To spread a
//! word is to take the exclusive or with the same word shifted right by 31 bits. The image is padded with at least one zero to a
//! multiple of 32 bytes, and the bytes of the checksum count as zeros. Each block of 32 bytes has four words, one for each of four
//! lanes. Lane n starts as the length of the image plus n. At the end, the states of the other lanes are added to the first lane
//! as words. The checksum is the exclusive or of the two halves of the first lane.

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
    // A product spreads bits only upwards. So the rotation moves the well-mixed upper half to the lower half, and the highest bits of
    // a word are spread before: a later word could cancel a single bit.
    (state ^ word ^ word >> 31)
        .wrapping_mul(MULTIPLIER)
        .rotate_left(32)
}
