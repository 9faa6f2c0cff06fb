//! Eight lanes with AVX2.

use super::levels::Levels;
use super::step::{step_table, steps};
use super::{Lanes, Steps};
use crate::method::avx2 as shared;
use std::arch::x86_64::*;

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn here<const K: usize, const NODES: bool>(levels: &mut Levels) {
    steps::<Eight, K, NODES>(levels);
}

pub(super) static STEPS: Steps = [step_table!(here, false), step_table!(here, true)];

/// Eight 32-bit lanes; a mask has all bits of its chosen lanes set.
#[derive(Clone, Copy)]
pub(super) struct Eight(__m256i);

// SAFETY (all blocks below): plain register arithmetic, needing only the CPU features that `shared::is_here` checks;
// values of this type are made nowhere but inside `here`.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Eight {
    const WIDTH: usize = 8;
    type Mask = __m256i;
    type Order = __m256i;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(unsafe { _mm256_set1_epi32(word as i32) })
    }
    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller lends 8 words.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    fn order(chosen: __m256i) -> __m256i {
        // SAFETY: an entry of the table is 8 words.
        unsafe {
            let mask = _mm256_movemask_ps(_mm256_castsi256_ps(chosen)) as usize & 255;
            _mm256_loadu_si256(shared::WORDS[mask].as_ptr().cast())
        }
    }
    #[inline(always)]
    unsafe fn pack(self, order: __m256i, to: *mut u32) {
        // SAFETY: the caller lends 8 words.
        unsafe { _mm256_storeu_si256(to.cast(), _mm256_permutevar8x32_epi32(self.0, order)) }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { _mm256_sub_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(unsafe { _mm256_abs_epi32(self.0) })
    }
    #[inline(always)]
    fn shl(self, count: Self) -> Self {
        Self(unsafe { _mm256_sllv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn shr(self, count: Self) -> Self {
        Self(unsafe { _mm256_srlv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Self {
        Self(unsafe { _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(COUNT as i32)) })
    }
    #[inline(always)]
    fn bits(self) -> Self {
        // Look up each half byte's count, then add the four bytes of each word.
        Self(unsafe {
            let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let half = _mm256_set1_epi8(15);
            let even = _mm256_shuffle_epi8(counts, _mm256_and_si256(self.0, half));
            let odd = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), half));
            let bytes = _mm256_add_epi8(even, odd);
            _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1))
        })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm256_min_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> __m256i {
        unsafe { _mm256_cmpgt_epi32(other.0, self.0) }
    }
    #[inline(always)]
    fn has_bits(self, bits: u32) -> __m256i {
        unsafe { _mm256_cmpeq_epi32(self.bits().0, _mm256_set1_epi32(bits as i32)) }
    }
    #[inline(always)]
    fn meets(self, other: Self) -> __m256i {
        unsafe { _mm256_cmpgt_epi32(_mm256_and_si256(self.0, other.0), _mm256_setzero_si256()) }
    }
    #[inline(always)]
    fn blend(self, mask: __m256i, yes: Self) -> Self {
        Self(unsafe { _mm256_blendv_epi8(self.0, yes.0, mask) })
    }
    #[inline(always)]
    fn first(count: usize) -> __m256i {
        unsafe { _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)) }
    }
    #[inline(always)]
    fn both(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn count(mask: __m256i) -> u32 {
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(mask)) as u32 }.count_ones()
    }
}
