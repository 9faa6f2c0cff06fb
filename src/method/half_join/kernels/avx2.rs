//! AVX2: 8 keys a vector; compression by a table of permutations; pairs by tables of nibbles.

use std::arch::x86_64::*;

use super::{Instructions, Job, Line, SLACK, Step, avx2_tables};
use crate::method::avx2 as shared;

/// AVX2. Only [`run`] makes jobs use it.
pub struct Avx2;

/// Lanes of 32 bits.
pub const LANES: usize = 8;

/// # Safety
/// The machine must have these instructions.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub unsafe fn run<J: Job>(job: J) -> J::Output {
    job.run::<Avx2>()
}

// SAFETY, of the intrinsics in all of these: they are inlined into `run`, where there is AVX2. Loads stay inside the slices,
// the last one by its mask; stores end at most a vector behind the keys kept, which are no more than those read, and the
// assertions see to it that there is room for these and `SLACK`, at least a vector.
impl Instructions for Avx2 {
    #[inline(always)]
    fn extend(keys: &[u64], step: Step, out: &mut [u64]) -> usize {
        assert!(out.len() >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let (chunks, rest) = keys.as_chunks::<4>();
            let mut count = 0;
            for chunk in chunks {
                let (kept, pass) = kept(_mm256_loadu_si256(chunk.as_ptr().cast()), step);
                count = store(out, count, kept, pass);
            }
            let (kept, pass) = kept(_mm256_maskload_epi64(rest.as_ptr().cast(), first_long(rest.len())), step);
            store(out, count, kept, pass & ((1 << rest.len()) - 1))
        }
    }

    #[inline(always)]
    fn extend_to_low(keys: &[u64], step: Step, out: &mut [u32]) -> usize {
        assert!(out.len() >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let (chunks, rest) = keys.as_chunks::<4>();
            let mut count = 0;
            for chunk in chunks {
                let (kept, pass) = kept(_mm256_loadu_si256(chunk.as_ptr().cast()), step);
                count = store_low(out, count, kept, pass);
            }
            let (kept, pass) = kept(_mm256_maskload_epi64(rest.as_ptr().cast(), first_long(rest.len())), step);
            store_low(out, count, kept, pass & ((1 << rest.len()) - 1))
        }
    }

    #[inline(always)]
    fn extend_low(keys: &[u32], step: Step, out: &mut [u32]) -> usize {
        assert!(out.len() >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let (chunks, rest) = keys.as_chunks::<LANES>();
            let mut count = 0;
            for chunk in chunks {
                let (kept, pass) = kept_low(_mm256_loadu_si256(chunk.as_ptr().cast()), step);
                count = store_words(out, count, kept, pass);
            }
            let (kept, pass) = kept_low(_mm256_maskload_epi32(rest.as_ptr().cast(), first(rest.len())), step);
            store_words(out, count, kept, pass & ((1 << rest.len()) - 1))
        }
    }

    #[inline(always)]
    fn split(keys: &[u32], bit: u32, without: &mut [u32], with: &mut [u32]) -> usize {
        assert!(without.len().min(with.len()) >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let to_sign = _mm_cvtsi32_si128(31 - bit as i32);
            let (chunks, rest) = keys.as_chunks::<LANES>();
            let (mut zeros, mut ones) = (0, 0);
            for chunk in chunks {
                let keys = _mm256_loadu_si256(chunk.as_ptr().cast());
                let has = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sll_epi32(keys, to_sign))) as usize;
                zeros = store_words(without, zeros, keys, has ^ 255);
                ones = store_words(with, ones, keys, has);
            }
            let keys = _mm256_maskload_epi32(rest.as_ptr().cast(), first(rest.len()));
            let has = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sll_epi32(keys, to_sign))) as usize;
            store_words(with, ones, keys, has);
            store_words(without, zeros, keys, has ^ ((1 << rest.len()) - 1))
        }
    }

    /// Four vectors of the one list are held in registers while all of the other goes by.
    #[inline(always)]
    fn few_pairs(a: &[u32], b: &[u32]) -> u64 {
        let mut count = 0;
        for b in b.chunks(4 * LANES) {
            let mut padded = [0; 4 * LANES];
            padded[..b.len()].copy_from_slice(b);
            let sum = match b.len().div_ceil(LANES) {
                1 => against::<1>(a, &padded),
                2 => against::<2>(a, &padded),
                3 => against::<3>(a, &padded),
                _ => against::<4>(a, &padded),
            };
            // The empty lanes of the last vector are disjoint to everything.
            count += sum - ((b.len().next_multiple_of(LANES) - b.len()) * a.len()) as u64;
        }
        count
    }

    #[inline(always)]
    fn many_pairs(a: &[u32], b: &[u32], bits: u32, scratch: &mut Vec<Line>) -> u64 {
        let sharing = match bits.div_ceil(4) {
            0..=4 => avx2_tables::sharing::<4>(a, b, scratch),
            5 => avx2_tables::sharing::<5>(a, b, scratch),
            6 => avx2_tables::sharing::<6>(a, b, scratch),
            7 => avx2_tables::sharing::<7>(a, b, scratch),
            _ => avx2_tables::sharing::<8>(a, b, scratch),
        };
        (a.len() * b.len()) as u64 - sharing
    }

    #[inline(always)]
    fn costs(a: usize, b: usize) -> [usize; 2] {
        let (vectors, blocks) = (b.div_ceil(LANES), b.div_ceil(32));
        let (groups, rest) = (a / 32, (a % 32).div_ceil(8));
        [vectors * (a + 8), 120 + 16 * blocks + groups * (150 + 28 * blocks) + rest * (40 + 10 * blocks)]
    }

    const SPLIT_PAIRS: usize = 200_000;

    #[inline(always)]
    fn call<J: Job>(job: J) -> J::Output {
        unsafe { run(job) }
    }

    #[inline(always)]
    fn prefetch<T>(keys: &[T]) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(keys.as_ptr().cast()) }
    }
}

/// A mask of the first lanes, for a load.
#[inline(always)]
unsafe fn first(lanes: usize) -> __m256i {
    // SAFETY: the caller has AVX2.
    unsafe { _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)) }
}

/// A mask of the first lanes of 64 bits, for a load.
#[inline(always)]
unsafe fn first_long(lanes: usize) -> __m256i {
    // SAFETY: the caller has AVX2.
    unsafe { _mm256_cmpgt_epi64(_mm256_set1_epi64x(lanes as i64), _mm256_setr_epi64x(0, 1, 2, 3)) }
}

/// What the keys become, and which are kept.
#[inline(always)]
unsafe fn kept(keys: __m256i, step: Step) -> (__m256i, usize) {
    // SAFETY: the caller has AVX2.
    unsafe {
        let hit = _mm256_and_si256(keys, _mm256_set1_epi64x(step.test as i64));
        let pass = _mm256_cmpeq_epi64(hit, _mm256_setzero_si256());
        let keys = _mm256_and_si256(keys, _mm256_set1_epi64x(step.keep as i64));
        let keys = _mm256_or_si256(keys, _mm256_set1_epi64x(step.add as i64));
        (keys, _mm256_movemask_pd(_mm256_castsi256_pd(pass)) as usize)
    }
}

/// The same of the low halves.
#[inline(always)]
unsafe fn kept_low(keys: __m256i, step: Step) -> (__m256i, usize) {
    // SAFETY: the caller has AVX2.
    unsafe {
        let hit = _mm256_and_si256(keys, _mm256_set1_epi32(step.test as i32));
        let pass = _mm256_cmpeq_epi32(hit, _mm256_setzero_si256());
        let keys = _mm256_and_si256(keys, _mm256_set1_epi32(step.keep as i32));
        let keys = _mm256_or_si256(keys, _mm256_set1_epi32(step.add as i32));
        (keys, _mm256_movemask_ps(_mm256_castsi256_ps(pass)) as usize)
    }
}

/// Writes the lanes of 64 bits that pass, and gives what is written then.
#[inline(always)]
unsafe fn store(out: &mut [u64], at: usize, keys: __m256i, pass: usize) -> usize {
    // SAFETY: the caller has AVX2 and room.
    unsafe {
        let order = _mm256_loadu_si256(shared::PAIRS[pass % 16].as_ptr().cast());
        _mm256_storeu_si256(out.as_mut_ptr().add(at).cast(), _mm256_permutevar8x32_epi32(keys, order));
    }
    at + pass.count_ones() as usize
}

/// Writes the low halves of the lanes of 64 bits that pass, and gives what is written then.
#[inline(always)]
unsafe fn store_low(out: &mut [u32], at: usize, keys: __m256i, pass: usize) -> usize {
    // SAFETY: the caller has AVX2 and room.
    unsafe {
        let order = _mm256_loadu_si256(shared::LOW[pass % 16].as_ptr().cast());
        let low = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(keys, order));
        _mm_storeu_si128(out.as_mut_ptr().add(at).cast(), low);
    }
    at + pass.count_ones() as usize
}

/// Writes the lanes that pass, and gives what is written then.
#[inline(always)]
unsafe fn store_words(out: &mut [u32], at: usize, keys: __m256i, pass: usize) -> usize {
    // SAFETY: the caller has AVX2 and room.
    unsafe {
        let order = _mm256_loadu_si256(shared::WORDS[pass % 256].as_ptr().cast());
        _mm256_storeu_si256(out.as_mut_ptr().add(at).cast(), _mm256_permutevar8x32_epi32(keys, order));
    }
    at + pass.count_ones() as usize
}

/// The disjoint pairs of a list and the first vectors of an array.
#[inline(always)]
fn against<const VECTORS: usize>(a: &[u32], b: &[u32; 4 * LANES]) -> u64 {
    // SAFETY: inlined where there is AVX2; the loads stay in the arrays.
    unsafe {
        let zero = _mm256_setzero_si256();
        let (mut vectors, mut sums) = ([zero; VECTORS], [zero; VECTORS]);
        for (vector, keys) in vectors.iter_mut().zip(b.as_chunks::<LANES>().0) {
            *vector = _mm256_loadu_si256(keys.as_ptr().cast());
        }
        for &key in a {
            let key = _mm256_set1_epi32(key as i32);
            for (sum, &vector) in sums.iter_mut().zip(&vectors) {
                *sum = _mm256_sub_epi32(*sum, _mm256_cmpeq_epi32(_mm256_and_si256(key, vector), zero));
            }
        }
        let mut lanes = [[0u32; LANES]; VECTORS];
        for (lanes, &sum) in lanes.iter_mut().zip(&sums) {
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum);
        }
        lanes.as_flattened().iter().map(|&lane| u64::from(lane)).sum()
    }
}
