//! AVX-512: 16 keys a vector, masks, compression in one instruction; pairs by tables of five bits.

use std::arch::x86_64::*;

use super::avx512_tables::{self, LANES};
use super::{Instructions, Job, Line, SLACK, Step};

/// AVX-512. Only [`run`] makes jobs use it.
pub struct Avx512;

/// Whether this machine has the instructions: Intel's from Ice Lake, AMD's from Zen 4 on.
pub fn is_here() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// # Safety
/// The machine must have these instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,avx2,popcnt,bmi1,bmi2")]
pub unsafe fn run<J: Job>(job: J) -> J::Output {
    job.run::<Avx512>()
}

/// The first lanes, as a mask.
#[inline(always)]
fn first(lanes: usize) -> u16 {
    ((1u32 << lanes) - 1) as u16
}

// SAFETY, of the intrinsics in all of these: they are inlined into `run`, where there is AVX-512. Loads stay inside the
// slices, the last one by its mask; stores end at most a vector behind the keys kept, which are no more than those read,
// and the assertions see to it that there is room for these and `SLACK`, a vector.
impl Instructions for Avx512 {
    #[inline(always)]
    fn extend(keys: &[u64], step: Step, out: &mut [u64]) -> usize {
        assert!(out.len() >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let (chunks, rest) = keys.as_chunks::<8>();
            let mut count = 0;
            for chunk in chunks {
                count = store(out, count, _mm512_loadu_si512(chunk.as_ptr().cast()), u8::MAX, step);
            }
            let last = first(rest.len()) as u8;
            store(out, count, _mm512_maskz_loadu_epi64(last, rest.as_ptr().cast()), last, step)
        }
    }

    #[inline(always)]
    fn extend_to_low(keys: &[u64], step: Step, out: &mut [u32]) -> usize {
        assert!(out.len() >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let (chunks, rest) = keys.as_chunks::<LANES>();
            let mut count = 0;
            for chunk in chunks {
                let halves = [0, 8].map(|at| _mm512_loadu_si512(chunk[at..].as_ptr().cast()));
                count = store_low(out, count, halves, u16::MAX, step);
            }
            let last = first(rest.len());
            let (low, high) = rest.split_at(rest.len().min(8));
            let halves = [
                _mm512_maskz_loadu_epi64(last as u8, low.as_ptr().cast()),
                _mm512_maskz_loadu_epi64((last >> 8) as u8, high.as_ptr().cast()),
            ];
            store_low(out, count, halves, last, step)
        }
    }

    #[inline(always)]
    fn extend_low(keys: &[u32], step: Step, out: &mut [u32]) -> usize {
        assert!(out.len() >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let (chunks, rest) = keys.as_chunks::<LANES>();
            let mut count = 0;
            for chunk in chunks {
                count = store_words(out, count, _mm512_loadu_si512(chunk.as_ptr().cast()), u16::MAX, step);
            }
            let last = first(rest.len());
            store_words(out, count, _mm512_maskz_loadu_epi32(last, rest.as_ptr().cast()), last, step)
        }
    }

    #[inline(always)]
    fn split(keys: &[u32], bit: u32, without: &mut [u32], with: &mut [u32]) -> usize {
        assert!(without.len().min(with.len()) >= keys.len() + SLACK, "room for whole vectors");
        unsafe {
            let bit = _mm512_set1_epi32(1 << bit);
            let (mut zeros, mut ones) = (0, 0);
            for chunk in keys.chunks(LANES) {
                let lanes = first(chunk.len());
                let keys = _mm512_maskz_loadu_epi32(lanes, chunk.as_ptr().cast());
                let has = _mm512_test_epi32_mask(keys, bit);
                let (to_with, to_without) = (with.as_mut_ptr().add(ones), without.as_mut_ptr().add(zeros));
                _mm512_storeu_si512(to_with.cast(), _mm512_maskz_compress_epi32(has, keys));
                _mm512_storeu_si512(to_without.cast(), _mm512_maskz_compress_epi32(has ^ lanes, keys));
                ones += has.count_ones() as usize;
                zeros += (has ^ lanes).count_ones() as usize;
            }
            zeros
        }
    }

    /// Up to eight vectors of the one list are held in registers while all of the other goes by.
    #[inline(always)]
    fn few_pairs(a: &[u32], b: &[u32]) -> u64 {
        let mut count = 0;
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
        count
    }

    #[inline(always)]
    fn many_pairs(a: &[u32], b: &[u32], bits: u32, scratch: &mut Vec<Line>) -> u64 {
        let sharing = match bits.div_ceil(5) {
            0..=5 => avx512_tables::sharing::<5>(a, b, scratch),
            6 => avx512_tables::sharing::<6>(a, b, scratch),
            _ => avx512_tables::sharing::<7>(a, b, scratch),
        };
        (a.len() * b.len()) as u64 - sharing
    }

    #[inline(always)]
    fn costs(a: usize, b: usize) -> [usize; 2] {
        let vectors = b.div_ceil(LANES);
        [vectors * (a + 8), vectors * 5 + a.div_ceil(32) * (50 + 7 * vectors) + 50]
    }

    const SPLIT_PAIRS: usize = 500_000;

    #[inline(always)]
    fn call<J: Job>(job: J) -> J::Output {
        unsafe { run(job) }
    }

    #[inline(always)]
    fn prefetch<T>(keys: &[T]) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(keys.as_ptr().cast()) }
    }
}

/// `keys & keep | add`
const AND_OR: i32 = 0xEA;

/// Writes the keys that are kept of some lanes of 64 bits, and gives what is written then.
#[inline(always)]
unsafe fn store(out: &mut [u64], at: usize, keys: __m512i, lanes: u8, step: Step) -> usize {
    // SAFETY: the caller has AVX-512 and room.
    unsafe {
        let [test, keep, add] = [step.test, step.keep, step.add].map(|bits| _mm512_set1_epi64(bits as i64));
        let pass = _mm512_mask_testn_epi64_mask(lanes, keys, test);
        let kept = _mm512_maskz_compress_epi64(pass, _mm512_ternarylogic_epi64::<AND_OR>(keys, keep, add));
        _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), kept);
        at + pass.count_ones() as usize
    }
}

/// Writes the low halves of the keys that are kept of two vectors, and gives what is written then.
#[inline(always)]
unsafe fn store_low(out: &mut [u32], at: usize, halves: [__m512i; 2], lanes: u16, step: Step) -> usize {
    // SAFETY: the caller has AVX-512 and room.
    unsafe {
        let test = _mm512_set1_epi64(step.test as i64);
        let low = _mm512_mask_testn_epi64_mask(lanes as u8, halves[0], test);
        let high = _mm512_mask_testn_epi64_mask((lanes >> 8) as u8, halves[1], test);
        let pass = u16::from(low) | u16::from(high) << 8;
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        let keys = _mm512_permutex2var_epi32(halves[0], even, halves[1]);
        let [keep, add] = [step.keep, step.add].map(|bits| _mm512_set1_epi32(bits as i32));
        let kept = _mm512_maskz_compress_epi32(pass, _mm512_ternarylogic_epi32::<AND_OR>(keys, keep, add));
        _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), kept);
        at + pass.count_ones() as usize
    }
}

/// Writes the keys that are kept of some lanes, and gives what is written then.
#[inline(always)]
unsafe fn store_words(out: &mut [u32], at: usize, keys: __m512i, lanes: u16, step: Step) -> usize {
    // SAFETY: the caller has AVX-512 and room.
    unsafe {
        let [test, keep, add] = [step.test, step.keep, step.add].map(|bits| _mm512_set1_epi32(bits as i32));
        let pass = _mm512_mask_testn_epi32_mask(lanes, keys, test);
        let kept = _mm512_maskz_compress_epi32(pass, _mm512_ternarylogic_epi32::<AND_OR>(keys, keep, add));
        _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), kept);
        at + pass.count_ones() as usize
    }
}

/// The disjoint pairs of a list and one that fills `V` vectors, the last one at least in part.
#[inline(always)]
fn against<const V: usize>(a: &[u32], b: &[u32]) -> u64 {
    // SAFETY: inlined where there is AVX-512; the loads touch only the lanes inside the slices.
    unsafe {
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi32(1));
        let mut vectors = [zero; V];
        for (vector, keys) in vectors.iter_mut().zip(b.chunks(LANES)) {
            *vector = _mm512_maskz_loadu_epi32(first(keys.len()), keys.as_ptr().cast());
        }
        let mut sums = [zero; 4];
        for &key in a {
            let key = _mm512_set1_epi32(key as i32);
            for (i, &vector) in vectors.iter().enumerate() {
                let disjoint = _mm512_testn_epi32_mask(key, vector);
                sums[i % 4] = _mm512_mask_add_epi32(sums[i % 4], disjoint, sums[i % 4], one);
            }
        }
        let sum = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), _mm512_add_epi32(sums[2], sums[3]));
        // The empty lanes of the last vector are disjoint to everything.
        let empty = (V * LANES - b.len()) * a.len();
        u64::from(_mm512_reduce_add_epi32(sum) as u32) - empty as u64
    }
}
