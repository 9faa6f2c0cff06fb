//! Sixteen lanes with AVX-512 (F and VPOPCNTDQ).

use super::levels::Levels;
use super::step::{step_table, steps};
use super::{Lanes, Steps};
use std::arch::x86_64::*;

/// Whether this CPU can run [`STEPS`].
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt,bmi1,bmi2")]
fn here<const K: usize, const NODES: bool>(levels: &mut Levels) {
    steps::<Sixteen, K, NODES>(levels);
}

pub(super) static STEPS: Steps = [step_table!(here, false), step_table!(here, true)];

/// Sixteen 32-bit lanes.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m512i);

// SAFETY (all blocks below): plain register arithmetic, needing only the CPU features that `available` checks;
// values of this type are made nowhere but inside `here`.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Sixteen {
    const WIDTH: usize = 16;
    type Mask = __mmask16;
    type Order = __mmask16;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(unsafe { _mm512_set1_epi32(word as i32) })
    }
    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller lends 16 words.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }
    #[inline(always)]
    fn order(chosen: __mmask16) -> __mmask16 {
        chosen
    }
    #[inline(always)]
    unsafe fn pack(self, order: __mmask16, to: *mut u32) {
        // SAFETY: the caller lends 16 words. Packing in a register and storing all of it is much faster on
        // Zen 4 than the compressing store.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi32(order, self.0)) }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { _mm512_sub_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(unsafe { _mm512_abs_epi32(self.0) })
    }
    #[inline(always)]
    fn shl(self, count: Self) -> Self {
        Self(unsafe { _mm512_sllv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn shr(self, count: Self) -> Self {
        Self(unsafe { _mm512_srlv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Self {
        Self(unsafe { _mm512_srli_epi32::<COUNT>(self.0) })
    }
    #[inline(always)]
    fn bits(self) -> Self {
        Self(unsafe { _mm512_popcnt_epi32(self.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> __mmask16 {
        unsafe { _mm512_cmplt_epi32_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn has_bits(self, bits: u32) -> __mmask16 {
        unsafe { _mm512_cmpeq_epi32_mask(_mm512_popcnt_epi32(self.0), _mm512_set1_epi32(bits as i32)) }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn meets(self, other: Self) -> __mmask16 {
        unsafe { _mm512_test_epi32_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn blend(self, mask: __mmask16, yes: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_epi32(mask, self.0, yes.0) })
    }
    #[inline(always)]
    fn first(count: usize) -> __mmask16 {
        ((1u32 << count) - 1) as u16
    }
    #[inline(always)]
    fn both(a: __mmask16, b: __mmask16) -> __mmask16 {
        a & b
    }
    #[inline(always)]
    fn count(mask: __mmask16) -> u32 {
        u32::from(mask).count_ones()
    }
    #[inline(always)]
    fn strike(self, bit: Self, distance: Self, low: Self) -> Self {
        // 0xFE = a | b | c; 0x70 = x & !(y & z)
        Self(unsafe {
            let any = _mm512_ternarylogic_epi32::<0xFE>(bit.0, bit.shl(distance).0, bit.shr(distance).0);
            _mm512_ternarylogic_epi32::<0x70>(self.0, any, low.0)
        })
    }
    #[inline(always)]
    fn carry(self, one: Self, squares: Self) -> Self {
        // 0xF8 = x | y & z
        Self(unsafe { _mm512_ternarylogic_epi32::<0xF8>(self.0, one.0, squares.0) })
    }
}
