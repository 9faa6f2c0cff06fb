//! AVX2: 8 keys a vector; compression by a table of permutations.

use std::arch::x86_64::*;

use super::bit_matrix::{self, Row};
use super::{Kept, Keys, Test};

const LANES: usize = 8;

/// Of each mask of lanes: the lanes in it, moved to the front.
static COMPRESS: [[u32; LANES]; 256] = {
    let mut table = [[0; LANES]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                table[mask][at] = lane as u32;
                at += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// # Safety
/// The keys must reach a vector past the last bound, and the room for what is kept a vector past all keys in between; the
/// high parts, where there are any, are as many as the low ones; the bounds do not go down.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn filter(keys: Keys, bounds: &[u32], test: Test, kept: Kept) -> usize {
    let read = !keys.high.is_empty() && test.high != 0;
    // SAFETY: passed on.
    unsafe {
        match (kept.high.is_empty(), read, test.rotate != 0) {
            (false, _, _) => filter_parts::<true, true, true>(keys, bounds, test, kept),
            (true, true, true) => filter_parts::<true, false, true>(keys, bounds, test, kept),
            (true, true, false) => filter_parts::<true, false, false>(keys, bounds, test, kept),
            (true, false, true) => filter_parts::<false, false, true>(keys, bounds, test, kept),
            (true, false, false) => filter_parts::<false, false, false>(keys, bounds, test, kept),
        }
    }
}

/// # Safety
/// As [`filter`]. `READ` needs high parts, `WRITE` room for them; without `ROTATE` the test must not ask for it.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn filter_parts<const READ: bool, const WRITE: bool, const ROTATE: bool>(
    keys: Keys,
    bounds: &[u32],
    test: Test,
    kept: Kept,
) -> usize {
    let test_low = _mm256_set1_epi32(test.low as i32);
    let test_high = _mm256_set1_epi32(i32::from(test.high));
    let left = _mm_cvtsi32_si128(test.rotate as i32);
    let right = _mm_cvtsi32_si128(32 - test.rotate as i32);
    let zero = _mm256_setzero_si256();
    let mut count = 0;
    let mut i = bounds[0] as usize;
    for (&bound, end) in bounds[1..].iter().zip(kept.ends) {
        let bound = bound as usize;
        while i < bound {
            let lanes = (1 << (bound - i).min(LANES)) - 1;
            // SAFETY: a load ends at most a vector past the last bound; a store at most a vector past the keys kept, which
            // are no more than those read.
            unsafe {
                let mut low = _mm256_loadu_si256(keys.low.as_ptr().add(i).cast());
                let mut hit = _mm256_and_si256(low, test_low);
                let mut high = zero;
                if READ {
                    high = _mm256_cvtepu16_epi32(_mm_loadu_si128(keys.high.as_ptr().add(i).cast()));
                    hit = _mm256_or_si256(hit, _mm256_and_si256(high, test_high));
                }
                let pass = lanes & _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(hit, zero))) as usize;
                if ROTATE {
                    // A shift by 32 gives 0, so this rotates by 0 too.
                    low = _mm256_or_si256(_mm256_sll_epi32(low, left), _mm256_srl_epi32(low, right));
                }
                let order = _mm256_loadu_si256(COMPRESS[pass].as_ptr().cast());
                _mm256_storeu_si256(kept.low.as_mut_ptr().add(count).cast(), _mm256_permutevar8x32_epi32(low, order));
                if WRITE {
                    let high = _mm256_permutevar8x32_epi32(high, order);
                    let high = _mm_packus_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
                    _mm_storeu_si128(kept.high.as_mut_ptr().add(count).cast(), high);
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

/// Counts with four vectors of one list held in registers while all of the other goes by.
#[target_feature(enable = "avx2,popcnt")]
pub fn pairs(a: &[u32], b: &[u32]) -> u64 {
    let (a, b) = if b.len() % LANES > a.len() % LANES { (b, a) } else { (a, b) };
    // A lane counts at most four pairs a key in 32 bits.
    a.chunks(1 << 24).map(|a| some_pairs(a, b)).sum()
}

#[target_feature(enable = "avx2,popcnt")]
fn some_pairs(a: &[u32], b: &[u32]) -> u64 {
    let mut count = 0;
    for b in b.chunks(4 * LANES) {
        let zero = _mm256_setzero_si256();
        let mut padded = [0; 4 * LANES];
        padded[..b.len()].copy_from_slice(b);
        // SAFETY: four vectors fit the array.
        let vectors: [_; 4] =
            unsafe { std::array::from_fn(|i| _mm256_loadu_si256(padded.as_ptr().add(i * LANES).cast())) };
        let mut sums = [zero; 4];
        for &key in a {
            let key = _mm256_set1_epi32(key as i32);
            for (sum, &vector) in sums.iter_mut().zip(&vectors) {
                *sum = _mm256_sub_epi32(*sum, _mm256_cmpeq_epi32(_mm256_and_si256(key, vector), zero));
            }
        }
        let sum = _mm256_add_epi32(_mm256_add_epi32(sums[0], sums[1]), _mm256_add_epi32(sums[2], sums[3]));
        let mut lanes = [0u32; LANES];
        // SAFETY: one vector fits the array.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
        // The empty lanes are disjoint to everything.
        let empty = (4 * LANES - b.len()) as u64 * a.len() as u64;
        count += lanes.iter().map(|&lane| u64::from(lane)).sum::<u64>() - empty;
    }
    count
}

/// 256 bits in a register. Only used where there is AVX2.
#[derive(Clone, Copy)]
struct Register(__m256i);

// SAFETY, in all of these: a `Register` is only made and used in functions with AVX2; a load stays in the array.
impl Row for Register {
    #[inline(always)]
    fn load(words: &[u32; 8]) -> Self {
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
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
    fn right<const BITS: i32>(self) -> Self {
        Self(unsafe { _mm256_srli_epi32::<BITS>(self.0) })
    }

    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        Self(unsafe { _mm256_slli_epi32::<BITS>(self.0) })
    }

    #[inline(always)]
    fn ones(self) -> u64 {
        let mut words = [0u64; 4];
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// The pairs of a list and at most 256 keys, as a bit matrix.
#[target_feature(enable = "avx2,popcnt")]
pub fn many_pairs(a: &[u32], b: &[u32]) -> u64 {
    bit_matrix::pairs::<Register>(a, b)
}
