//! Vectors of sixteen bytes: SSE2 on x86-64, NEON on aarch64, simd128 on wasm32, plain loops elsewhere.
//!
//! [`simd`](super::simd) builds its searches from the operations of this module. Every x86-64 has SSE2, every aarch64 has NEON,
//! and the build selects simd128, so nothing is detected at run time. Tests compare the vectors of a target with the plain
//! loops.

/// A vector of sixteen bytes. A comparison returns 0xFF in each lane where it is true, and 0 in each other lane.
#[allow(
    non_camel_case_types,
    reason = "named as the vector types of std::simd are"
)]
#[derive(Clone, Copy)]
pub(crate) struct u8x16(imp::Vector);

impl u8x16 {
    pub(crate) const ZERO: u8x16 = u8x16(imp::ZERO);

    #[inline(always)]
    pub(crate) fn new(bytes: [u8; 16]) -> u8x16 {
        u8x16(imp::new(bytes))
    }

    #[inline(always)]
    pub(crate) fn splat(byte: u8) -> u8x16 {
        u8x16(imp::splat(byte))
    }

    /// Returns a vector that has the four bytes of a little-endian number four times.
    #[inline(always)]
    pub(crate) fn splat_u32(word: u32) -> u8x16 {
        u8x16(imp::splat_u32(word))
    }

    /// Returns a bit for each group of four lanes, set if all four are 0; the lowest bit is for the first group.
    #[inline(always)]
    pub(crate) fn zero_u32(self) -> u32 {
        imp::zero_u32(self.0)
    }

    /// Returns the highest bit of each lane; the lowest bit is for the first lane.
    #[inline(always)]
    pub(crate) fn to_bitmask(self) -> u32 {
        imp::bitmask(self.0)
    }
}

/// Declares operations on the lanes of two vectors.
macro_rules! binary {
    ($($name:ident = $of_lanes:ident),*; $($operator:ident::$method:ident = $call:ident),*) => {
        impl u8x16 {
            $(#[inline(always)]
            pub(crate) fn $name(self, other: u8x16) -> u8x16 {
                u8x16(imp::$of_lanes(self.0, other.0))
            })*
        }
        $(impl core::ops::$operator for u8x16 {
            type Output = u8x16;
            #[inline(always)]
            fn $method(self, other: u8x16) -> u8x16 {
                u8x16(imp::$call(self.0, other.0))
            }
        })*
    };
}

// Subtraction is modulo 256.
binary! {
    and_not = and_not, simd_eq = eq, signed_gt = gt;
    BitAnd::bitand = and, BitOr::bitor = or, Sub::sub = sub
}

/// Returns a bit for each lane of the results of four comparisons; the lowest bit is for the first lane.
#[inline(always)]
pub(crate) fn to_bitmask_64(vectors: [u8x16; 4]) -> u64 {
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    return imp::bitmask_64(vectors.map(|vector| vector.0));
    #[cfg(not(all(target_arch = "aarch64", target_endian = "little")))]
    {
        let [a, b, c, d] = vectors.map(u8x16::to_bitmask);
        u64::from(a | b << 16) | u64::from(c | d << 16) << 32
    }
}

/// Declares the operations that take one instruction.
#[allow(unused_macros, reason = "other targets have loops")]
macro_rules! instructions {
    ($($name:ident($($operand:ident: $type:ty),*) = $call:expr;)*) => {
        $(#[inline(always)]
        pub(super) fn $name($($operand: $type),*) -> Vector {
            // SAFETY: the target has these instructions, and they read no memory.
            unsafe { $call }
        })*
    };
}

#[cfg(target_arch = "x86_64")]
#[allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics are unsafe functions before Rust 1.87"
)]
mod imp {
    use core::arch::x86_64 as arch;

    pub(super) type Vector = arch::__m128i;

    // SAFETY: any 16 bytes are a vector.
    pub(super) const ZERO: Vector = unsafe { core::mem::transmute([0_u8; 16]) };

    instructions! {
        splat(byte: u8) = arch::_mm_set1_epi8(byte as i8);
        splat_u32(word: u32) = arch::_mm_set1_epi32(word as i32);
        gt(a: Vector, b: Vector) = arch::_mm_cmpgt_epi8(a, b);
        eq(a: Vector, b: Vector) = arch::_mm_cmpeq_epi8(a, b);
        and(a: Vector, b: Vector) = arch::_mm_and_si128(a, b);
        and_not(a: Vector, b: Vector) = arch::_mm_andnot_si128(b, a);
        or(a: Vector, b: Vector) = arch::_mm_or_si128(a, b);
        sub(a: Vector, b: Vector) = arch::_mm_sub_epi8(a, b);
    }

    #[inline(always)]
    pub(super) fn new(bytes: [u8; 16]) -> Vector {
        // SAFETY: 16 bytes are read, and the load needs no alignment.
        unsafe { arch::_mm_loadu_si128(bytes.as_ptr().cast()) }
    }
    #[inline(always)]
    pub(super) fn zero_u32(a: Vector) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            let zero = arch::_mm_cmpeq_epi32(a, ZERO);
            arch::_mm_movemask_ps(arch::_mm_castsi128_ps(zero)) as u32
        }
    }
    #[inline(always)]
    pub(super) fn bitmask(a: Vector) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { arch::_mm_movemask_epi8(a) as u32 }
    }
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
#[allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics are unsafe functions before Rust 1.87"
)]
mod imp {
    use core::arch::aarch64 as arch;

    pub(super) type Vector = arch::uint8x16_t;

    // SAFETY: any 16 bytes are a vector.
    pub(super) const ZERO: Vector = unsafe { core::mem::transmute([0_u8; 16]) };

    instructions! {
        splat(byte: u8) = arch::vdupq_n_u8(byte);
        splat_u32(word: u32) = arch::vreinterpretq_u8_u32(arch::vdupq_n_u32(word));
        gt(a: Vector, b: Vector) = arch::vcgtq_s8(arch::vreinterpretq_s8_u8(a), arch::vreinterpretq_s8_u8(b));
        eq(a: Vector, b: Vector) = arch::vceqq_u8(a, b);
        and(a: Vector, b: Vector) = arch::vandq_u8(a, b);
        and_not(a: Vector, b: Vector) = arch::vbicq_u8(a, b);
        or(a: Vector, b: Vector) = arch::vorrq_u8(a, b);
        sub(a: Vector, b: Vector) = arch::vsubq_u8(a, b);
    }

    #[inline(always)]
    pub(super) fn new(bytes: [u8; 16]) -> Vector {
        // SAFETY: 16 bytes are read, and the load needs no alignment.
        unsafe { arch::vld1q_u8(bytes.as_ptr()) }
    }
    #[inline(always)]
    pub(super) fn zero_u32(a: Vector) -> u32 {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        // SAFETY: the target has NEON, and four numbers are read.
        unsafe {
            let zero = arch::vceqzq_u32(arch::vreinterpretq_u32_u8(a));
            arch::vaddvq_u32(arch::vandq_u32(zero, arch::vld1q_u32(BITS.as_ptr())))
        }
    }
    #[inline(always)]
    pub(super) fn bitmask(a: Vector) -> u32 {
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let bits = new(BITS);
        // SAFETY: the target has NEON.
        unsafe {
            // Spread the highest bit of each lane over the lane, keep one bit of each lane, add the bits of each half.
            let lanes =
                arch::vreinterpretq_u8_s8(arch::vshrq_n_s8::<7>(arch::vreinterpretq_s8_u8(a)));
            let bits = arch::vandq_u8(lanes, bits);
            let low = arch::vaddv_u8(arch::vget_low_u8(bits));
            let high = arch::vaddv_u8(arch::vget_high_u8(bits));
            u32::from(low) | u32::from(high) << 8
        }
    }
    #[inline(always)]
    pub(super) fn bitmask_64([a, b, c, d]: [Vector; 4]) -> u64 {
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let bits = new(BITS);
        // SAFETY: the target has NEON.
        unsafe {
            // Keep one bit of each lane. Adding neighbours three times turns eight lanes into one byte.
            let ab = arch::vpaddq_u8(arch::vandq_u8(a, bits), arch::vandq_u8(b, bits));
            let cd = arch::vpaddq_u8(arch::vandq_u8(c, bits), arch::vandq_u8(d, bits));
            let sums = arch::vpaddq_u8(ab, cd);
            let sums = arch::vpaddq_u8(sums, sums);
            arch::vgetq_lane_u64::<0>(arch::vreinterpretq_u64_u8(sums))
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code, unused_unsafe, reason = "a load takes a raw pointer")]
mod imp {
    use core::arch::wasm32 as arch;

    pub(super) type Vector = arch::v128;

    pub(super) const ZERO: Vector = arch::u64x2(0, 0);

    instructions! {
        splat(byte: u8) = arch::u8x16_splat(byte);
        splat_u32(word: u32) = arch::u32x4_splat(word);
        gt(a: Vector, b: Vector) = arch::i8x16_gt(a, b);
        eq(a: Vector, b: Vector) = arch::u8x16_eq(a, b);
        and(a: Vector, b: Vector) = arch::v128_and(a, b);
        and_not(a: Vector, b: Vector) = arch::v128_andnot(a, b);
        or(a: Vector, b: Vector) = arch::v128_or(a, b);
        sub(a: Vector, b: Vector) = arch::u8x16_sub(a, b);
    }

    #[inline(always)]
    pub(super) fn new(bytes: [u8; 16]) -> Vector {
        // SAFETY: 16 bytes are read, and the load needs no alignment.
        unsafe { arch::v128_load(bytes.as_ptr().cast()) }
    }
    #[inline(always)]
    pub(super) fn zero_u32(a: Vector) -> u32 {
        u32::from(arch::u32x4_bitmask(arch::u32x4_eq(a, ZERO)))
    }
    #[inline(always)]
    pub(super) fn bitmask(a: Vector) -> u32 {
        u32::from(arch::u8x16_bitmask(a))
    }
}

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
use portable as imp;

/// The operations of the vector modules above as loops, for other targets and for the tests.
#[allow(dead_code, reason = "other targets and the tests use it")]
mod portable {
    pub(super) type Vector = [u8; 16];

    pub(super) const ZERO: Vector = [0; 16];

    fn zip(a: Vector, b: Vector, combine: impl Fn(u8, u8) -> u8) -> Vector {
        let mut result = a;
        for (lane, other) in result.iter_mut().zip(b) {
            *lane = combine(*lane, other);
        }
        result
    }

    pub(super) fn new(bytes: [u8; 16]) -> Vector {
        bytes
    }
    pub(super) fn splat(byte: u8) -> Vector {
        [byte; 16]
    }
    pub(super) fn splat_u32(word: u32) -> Vector {
        let bytes = word.to_le_bytes();
        let mut lanes = [0; 16];
        lanes
            .chunks_exact_mut(4)
            .for_each(|four| four.copy_from_slice(&bytes));
        lanes
    }
    pub(super) fn zero_u32(a: Vector) -> u32 {
        let fours = a.chunks_exact(4).enumerate();
        fours.fold(0, |mask, (number, four)| {
            mask | u32::from(four.iter().all(|byte| *byte == 0)) << number
        })
    }
    pub(super) fn and_not(a: Vector, b: Vector) -> Vector {
        zip(a, b, |a, b| a & !b)
    }
    pub(super) fn eq(a: Vector, b: Vector) -> Vector {
        zip(a, b, |a, b| if a == b { 0xFF } else { 0 })
    }
    pub(super) fn gt(a: Vector, b: Vector) -> Vector {
        zip(a, b, |a, b| if a as i8 > b as i8 { 0xFF } else { 0 })
    }
    pub(super) fn bitmask(a: Vector) -> u32 {
        let lanes = a.iter().enumerate();
        lanes.fold(0, |mask, (lane, byte)| mask | u32::from(byte >> 7) << lane)
    }
    pub(super) fn and(a: Vector, b: Vector) -> Vector {
        zip(a, b, |a, b| a & b)
    }
    pub(super) fn or(a: Vector, b: Vector) -> Vector {
        zip(a, b, |a, b| a | b)
    }
    pub(super) fn sub(a: Vector, b: Vector) -> Vector {
        zip(a, b, u8::wrapping_sub)
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// Returns the lanes of a vector: a comparison with each byte value finds the lanes that have this value.
    fn bytes(lanes: u8x16) -> [u8; 16] {
        let mut all = [0; 16];
        for byte in 0..=255 {
            let mask = lanes.simd_eq(u8x16::splat(byte)).to_bitmask();
            for (lane, slot) in all.iter_mut().enumerate() {
                if mask >> lane & 1 != 0 {
                    *slot = byte;
                }
            }
        }
        all
    }

    #[test]
    fn the_vectors_agree_with_the_loops() {
        let mut state = 1_u64;
        for _ in 0..2_000 {
            let mut random = || {
                let mut bytes = [0; 16];
                for byte in &mut bytes {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    // Most values are from a short list, so that some lanes are equal.
                    *byte =
                        [0, 1, 0x7F, 0x80, 0xFF, (state >> 33) as u8][(state >> 60) as usize % 6];
                }
                bytes
            };
            let (a, b) = (random(), random());
            let (va, vb) = (u8x16::new(a), u8x16::new(b));
            assert_eq!(bytes(va), a);
            assert_eq!(bytes(va.signed_gt(vb)), portable::gt(a, b));
            assert_eq!(bytes(va.simd_eq(vb)), portable::eq(a, b));
            assert_eq!(bytes(va & vb), portable::and(a, b));
            assert_eq!(bytes(va | vb), portable::or(a, b));
            assert_eq!(bytes(va - vb), portable::sub(a, b));
            assert_eq!(bytes(va.and_not(vb)), portable::and_not(a, b));
            assert_eq!(va.to_bitmask(), portable::bitmask(portable::new(a)));
            assert_eq!(bytes(u8x16::splat(a[0])), portable::splat(a[0]));
            let compared = [va.simd_eq(vb), vb.simd_eq(u8x16::ZERO), va.simd_eq(va)];
            let [same, zero, all] = compared;
            let masks = [all, same, zero, same].map(|lanes| portable::bitmask(bytes(lanes)));
            let joined = masks
                .iter()
                .fold(0, |mask, lanes| mask << 16 | u64::from(*lanes));
            assert_eq!(to_bitmask_64([same, zero, same, all]), joined);
            let word = u32::from_le_bytes([a[0], a[1], a[2], a[3]]);
            assert_eq!(bytes(u8x16::splat_u32(word)), portable::splat_u32(word));
            let equal = va.and_not(vb).simd_eq(va);
            assert_eq!(equal.zero_u32(), portable::zero_u32(bytes(equal)));
        }
        assert_eq!(bytes(u8x16::ZERO), portable::ZERO);
    }
}
