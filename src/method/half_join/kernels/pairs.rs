//! Counting disjoint pairs of lists of any length: short ones compared each with each, longer ones by tables, and the
//! longest first split by the diagonals that most pairs share.
//!
//! `pairs(A, B) = pairs(A without d, B) + pairs(A with d, B without d)`: all pairs that share the diagonal `d` are never looked at.

use super::{Instructions, Job, Line, SLACK, Step};

/// Room that is used again from call to call.
#[derive(Debug, Default)]
pub struct Scratch {
    /// For the tables of the kernels.
    tables: Vec<Line>,
    /// Of each split.
    splits: [Halves; MAX_SPLITS],
    /// Wide keys in the order of what is left over, and their low parts.
    wide: [(Vec<u64>, Vec<u32>); 2],
}

/// What a split makes of two lists: of the first the keys without the diagonal and those with it, of the second those
/// without.
#[derive(Debug, Default)]
struct Halves {
    first: [Vec<u32>; 2],
    second: Vec<u32>,
}

/// So many times a pair of lists is split at most.
const MAX_SPLITS: usize = 6;
/// So few pairs are compared at once: no call, and nothing to choose.
const MAX_FEW: usize = 1024;
/// Lists are cut to this length: sums inside the kernels are 32 bits wide.
const MAX_LENGTH: usize = 1 << 22;

/// The number of pairs, one of each list, that have none of the lowest `bits` bits in common; all others must be clear.
#[inline(always)]
pub fn pairs<I: Instructions>(a: &[u32], b: &[u32], bits: u32, scratch: &mut Scratch) -> u64 {
    if a.len() * b.len() <= MAX_FEW {
        return few::<I>(a, b);
    }
    let Scratch { tables, splits, .. } = scratch;
    I::call(Split { a, b, bits, tables, splits })
}

/// Each with each.
#[inline(always)]
fn few<I: Instructions>(a: &[u32], b: &[u32]) -> u64 {
    if a.is_empty() || b.is_empty() {
        return 0;
    }
    let (a, b) = if I::costs(a.len(), b.len())[0] <= I::costs(b.len(), a.len())[0] { (a, b) } else { (b, a) };
    I::few_pairs(a, b)
}

/// Without splitting.
#[inline(always)]
fn unsplit<I: Instructions>(a: &[u32], b: &[u32], bits: u32, tables: &mut Vec<Line>) -> u64 {
    if a.is_empty() || b.is_empty() {
        return 0;
    }
    let mut sum = 0;
    for a in a.chunks(MAX_LENGTH) {
        for b in b.chunks(MAX_LENGTH) {
            let ([few, many], [few_turned, many_turned]) = (I::costs(a.len(), b.len()), I::costs(b.len(), a.len()));
            sum += if few.min(few_turned) <= many.min(many_turned) {
                let (a, b) = if few <= few_turned { (a, b) } else { (b, a) };
                I::few_pairs(a, b)
            } else {
                let (a, b) = if many <= many_turned { (a, b) } else { (b, a) };
                I::many_pairs(a, b, bits, tables)
            };
        }
    }
    sum
}

/// Two lists to be split for as long as it pays.
struct Split<'a> {
    a: &'a [u32],
    b: &'a [u32],
    bits: u32,
    tables: &'a mut Vec<Line>,
    splits: &'a mut [Halves],
}

impl Job for Split<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Instructions>(self) -> u64 {
        let Self { a, b, bits, tables, splits } = self;
        let Some((halves, splits)) = splits.split_first_mut().filter(|_| a.len() * b.len() >= I::SPLIT_PAIRS) else {
            return unsplit::<I>(a, b, bits, tables);
        };
        let Halves { first: [without, with], second } = halves;
        let bit = (MAX_SPLITS - 1 - splits.len()) as u32;
        for (half, keys) in [(&mut *without, a), (&mut *with, a), (&mut *second, b)] {
            if half.len() < keys.len() + SLACK {
                half.resize((keys.len() + SLACK).next_power_of_two(), 0);
            }
        }
        let count = I::split(a, bit, without, with);
        let (without, with) = (&without[..count], &with[..a.len() - count]);
        let count = I::extend_low(b, Step { test: 1 << bit, keep: u64::MAX, add: 0 }, second);
        let second = &second[..count];
        I::call(Split { a: without, b, bits, tables, splits })
            + I::call(Split { a: with, b: second, bits, tables, splits })
    }
}

/// The same of wider keys: the bits that do not fit 32 are rare, so keys with the same ones are put together, and groups
/// that share one not compared.
#[inline(always)]
pub fn wide_pairs<I: Instructions>(a: &[u64], b: &[u64], scratch: &mut Scratch) -> u64 {
    let mut wide = std::mem::take(&mut scratch.wide);
    for ((keys, low), list) in wide.iter_mut().zip([a, b]) {
        keys.clear();
        keys.extend_from_slice(list);
        keys.sort_unstable_by_key(|key| key >> u32::BITS);
        low.clear();
        low.extend(keys.iter().map(|&key| key as u32));
    }
    let mut sum = 0;
    let [(a, low_a), (b, low_b)] = &wide;
    let mut start_a = 0;
    for same_a in a.chunk_by(|x, y| x >> u32::BITS == y >> u32::BITS) {
        let mut start_b = 0;
        for same_b in b.chunk_by(|x, y| x >> u32::BITS == y >> u32::BITS) {
            if (same_a[0] & same_b[0]) >> u32::BITS == 0 {
                let groups = (&low_a[start_a..][..same_a.len()], &low_b[start_b..][..same_b.len()]);
                sum += pairs::<I>(groups.0, groups.1, u32::BITS, scratch);
            }
            start_b += same_b.len();
        }
        start_a += same_a.len();
    }
    scratch.wide = wide;
    sum
}
