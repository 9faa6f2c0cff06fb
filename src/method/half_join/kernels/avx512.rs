//! AVX-512: 16 keys a vector, masks and compression.

use std::arch::x86_64::*;

use super::{Kept, Keys, Test};

const LANES: usize = 16;

/// # Safety
/// The keys must reach a vector past the last bound, and the room for what is kept a vector past all keys in between; the
/// high parts, where there are any, are as many as the low ones; the bounds do not go down.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt,bmi1,bmi2")]
pub unsafe fn filter(keys: Keys, bounds: &[u32], test: Test, kept: Kept) -> usize {
    // SAFETY: passed on.
    unsafe {
        match (keys.high.is_empty(), kept.high.is_empty()) {
            (false, false) => filter_parts::<true, true>(keys, bounds, test, kept),
            (false, true) if test.high != 0 => filter_parts::<true, false>(keys, bounds, test, kept),
            _ => filter_parts::<false, false>(keys, bounds, test, kept),
        }
    }
}

/// # Safety
/// As [`filter`]. `READ` needs high parts, `WRITE` room for them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt,bmi1,bmi2")]
unsafe fn filter_parts<const READ: bool, const WRITE: bool>(
    keys: Keys,
    bounds: &[u32],
    test: Test,
    kept: Kept,
) -> usize {
    let test_low = _mm512_set1_epi32(test.low as i32);
    let test_high = _mm512_set1_epi32(i32::from(test.high));
    let rotate = _mm512_set1_epi32(test.rotate as i32);
    let mut count = 0;
    let mut i = bounds[0] as usize;
    for (&bound, end) in bounds[1..].iter().zip(kept.ends) {
        let bound = bound as usize;
        while i < bound {
            let lanes = _bzhi_u32(u32::MAX, (bound - i).min(LANES) as u32) as u16;
            // SAFETY: a load ends at most a vector past the last bound; a store at most a vector past the keys kept, which
            // are no more than those read.
            unsafe {
                let low = _mm512_loadu_si512(keys.low.as_ptr().add(i).cast());
                let mut pass = _mm512_mask_testn_epi32_mask(lanes, low, test_low);
                let mut high = test_high;
                if READ {
                    high = _mm512_cvtepu16_epi32(_mm256_loadu_si256(keys.high.as_ptr().add(i).cast()));
                    pass = _mm512_mask_testn_epi32_mask(pass, high, test_high);
                }
                let low = _mm512_maskz_compress_epi32(pass, _mm512_rolv_epi32(low, rotate));
                _mm512_storeu_si512(kept.low.as_mut_ptr().add(count).cast(), low);
                if WRITE {
                    let high = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(pass, high));
                    _mm256_storeu_si256(kept.high.as_mut_ptr().add(count).cast(), high);
                }
                count += pass.count_ones() as usize;
            }
            i += LANES;
        }
        i = bound;
        *end = count as u32;
    }
    count
}

/// Counts with up to eight vectors of the one list held in registers while all of the other goes by.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt,bmi1,bmi2")]
pub fn pairs(a: &[u32], b: &[u32]) -> u64 {
    // That list in vectors that leaves fewer lanes empty.
    let cost = |a: &[u32], b: &[u32]| a.len() * b.len().div_ceil(LANES);
    let (a, b) = if cost(b, a) < cost(a, b) { (b, a) } else { (a, b) };
    let mut count = 0;
    // So few at a time that 32 bits hold the count.
    for a in a.chunks(1 << 24) {
        for b in b.chunks(8 * LANES) {
            count += match b.len().div_ceil(LANES) {
                1 => against::<1>(a, b),
                2 => against::<2>(a, b),
                3 => against::<3>(a, b),
                4 => against::<4>(a, b),
                5 => against::<5>(a, b),
                6 => against::<6>(a, b),
                7 => against::<7>(a, b),
                _ => against::<8>(a, b),
            };
        }
    }
    count
}

/// The pairs with a list that fills `V` vectors, the last one at least in part.
#[target_feature(enable = "avx512f,popcnt,bmi1,bmi2")]
fn against<const V: usize>(a: &[u32], b: &[u32]) -> u64 {
    assert_eq!(b.len().div_ceil(LANES), V, "as many vectors as keys");
    let one = _mm512_set1_epi32(1);
    let mut vectors = [_mm512_setzero_si512(); V];
    for (i, vector) in vectors.iter_mut().enumerate() {
        let left = b.len() - i * LANES;
        let lanes = if left >= LANES { u16::MAX } else { (1 << left) - 1 };
        // SAFETY: the load touches only the lanes inside the slice.
        *vector = unsafe { _mm512_maskz_loadu_epi32(lanes, b.as_ptr().add(i * LANES).cast()) };
    }
    let mut sums = [_mm512_setzero_si512(); 4];
    for &key in a {
        let key = _mm512_set1_epi32(key as i32);
        for (i, &vector) in vectors.iter().enumerate() {
            let disjoint = _mm512_testn_epi32_mask(key, vector);
            sums[i % 4] = _mm512_mask_add_epi32(sums[i % 4], disjoint, sums[i % 4], one);
        }
    }
    let sum = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), _mm512_add_epi32(sums[2], sums[3]));
    // The empty lanes of the last vector are disjoint to everything.
    let empty = (V * LANES - b.len()) as u64 * a.len() as u64;
    _mm512_reduce_add_epi32(sum) as u32 as u64 - empty
}
