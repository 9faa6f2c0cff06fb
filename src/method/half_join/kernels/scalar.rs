//! Plain Rust: the twin of the other kernels, and what other machines run.

use super::{Instructions, Job, Line, Step, bit_matrix};

/// Plain Rust.
pub struct Scalar;

impl Instructions for Scalar {
    fn extend(keys: &[u64], step: Step, out: &mut [u64]) -> usize {
        extend(keys, step, out, |key| key, |key| key)
    }

    fn extend_to_low(keys: &[u64], step: Step, out: &mut [u32]) -> usize {
        extend(keys, step, out, |key| key, |key| key as u32)
    }

    fn extend_low(keys: &[u32], step: Step, out: &mut [u32]) -> usize {
        extend(keys, step, out, u64::from, |key| key as u32)
    }

    fn split(keys: &[u32], bit: u32, without: &mut [u32], with: &mut [u32]) -> usize {
        let mut counts = [0; 2];
        for &key in keys {
            without[counts[0]] = key;
            with[counts[1]] = key;
            counts[(key >> bit & 1) as usize] += 1;
        }
        counts[0]
    }

    fn few_pairs(a: &[u32], b: &[u32]) -> u64 {
        a.iter().map(|a| b.iter().map(|b| u32::from(a & b == 0)).sum::<u32>()).map(u64::from).sum()
    }

    fn many_pairs(a: &[u32], b: &[u32], _bits: u32, _scratch: &mut Vec<Line>) -> u64 {
        b.chunks(bit_matrix::WIDTH).map(|b| bit_matrix::pairs::<[u64; 4]>(a, b)).sum()
    }

    fn costs(a: usize, b: usize) -> [usize; 2] {
        [8 * a * b, b.div_ceil(bit_matrix::WIDTH) * 40 * (a + 125)]
    }

    const SPLIT_PAIRS: usize = 300_000;

    #[inline(never)]
    fn call<J: Job>(job: J) -> J::Output {
        job.run::<Self>()
    }

    fn prefetch<T>(_keys: &[T]) {}
}

/// Every key is written, but the next one goes over it if it was not to be kept: no branch to be mispredicted.
#[inline(always)]
fn extend<K: Copy, O>(keys: &[K], step: Step, out: &mut [O], wide: fn(K) -> u64, narrow: fn(u64) -> O) -> usize {
    let mut count = 0;
    for &key in keys {
        let key = wide(key);
        out[count] = narrow(key & step.keep | step.add);
        count += usize::from(key & step.test == 0);
    }
    count
}
