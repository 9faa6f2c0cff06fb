//! The last row of both blocks, and the pairs: never stored, made set by set and joined while still in the cache.

use rayon::prelude::*;

use super::columns::{self, Without};
use super::kernels::{Instructions, Job, Key, Scratch, pairs, wide_pairs};
use super::layout::Row;
use super::lists::{Crew, Lists, Pass, Stored};
use super::watch::{Halt, Progress};
use crate::method::half_join::mirrors::Mirrors;

/// So many sets are joined at a time.
const CHUNK: usize = 64;

/// So many pairs are counted before it is looked whether to stop.
const PAIRS_AT_ONCE: usize = 1 << 24;

/// The blocks of one filling but for their last rows.
pub struct Join<'a, K> {
    /// The lists above, and those below upside down.
    pub lists: [&'a Lists<K>; 2],
    /// The last row of each block.
    pub rows: [&'a Row; 2],
    /// How many columns there are.
    pub columns: u32,
    /// How many rows a block has.
    pub size: u32,
    /// How many join diagonals there are.
    pub join_bits: u32,
    /// Whether the centre rows have a queen in a middle column as far from the middle as those of the middle rows.
    pub equal: bool,
    /// The mirrors that leave the centre rows as they are.
    pub unmoved: Mirrors,
    /// Which sets to join.
    pub pass: Pass,
    /// What the join is of all that is to be done.
    pub share: f64,
}

/// A key as it is joined.
pub trait Joined: Stored {
    /// The pairs that share none of the join diagonals.
    fn pairs<I: Instructions>(a: &[Self], b: &[Self], bits: u32, scratch: &mut Scratch) -> u64;
}

impl Joined for u32 {
    #[inline(always)]
    fn pairs<I: Instructions>(a: &[Self], b: &[Self], bits: u32, scratch: &mut Scratch) -> u64 {
        pairs::<I>(a, b, bits, scratch)
    }
}

impl Joined for u64 {
    #[inline(always)]
    fn pairs<I: Instructions>(a: &[Self], b: &[Self], _: u32, scratch: &mut Scratch) -> u64 {
        wide_pairs::<I>(a, b, scratch)
    }
}

impl<K: Stored> Join<'_, K> {
    /// The weighted number of solutions.
    pub fn count<O: Joined>(&self, crew: Crew) -> Result<u64, Halt>
    where
        K: Key<O>,
    {
        let sets = columns::sets(self.columns, self.size);
        let count = |i: usize| {
            let sets_here = CHUNK.min(sets - i * CHUNK);
            let count = crew.pool.with(|scratch| {
                let (buffers, scratch) = O::buffers(scratch);
                let progress = crew.progress;
                crew.simd.run(Chunk { join: self, first: i * CHUNK, sets: sets_here, buffers, scratch, progress })
            });
            crew.progress.check()?;
            crew.progress.add(self.share * sets_here as f64 / sets as f64);
            Ok(count)
        };
        let chunks = sets.div_ceil(CHUNK);
        if crew.parallel { (0..chunks).into_par_iter().map(count).sum() } else { (0..chunks).map(count).sum() }
    }

    /// How many images a set has under the mirrors that leave the centre rows as they are, if it is the first of them.
    #[inline(always)]
    fn images(&self, set: u32) -> Option<u32> {
        if self.unmoved.count() == 1 {
            return Some(1);
        }
        let all = columns::first(self.columns);
        let turned = set.reverse_bits() >> (u32::BITS - self.columns);
        // Upside down, the columns above are those that were below.
        let images = [set, turned, all & !set, all & !turned];
        let images = || (0..4).filter(|&mirror| self.unmoved.has(mirror as u8)).map(|mirror| images[mirror]);
        let is_first = images().all(|image| set <= image);
        is_first.then(|| self.unmoved.count() / images().filter(|&image| image == set).count() as u32)
    }
}

/// Joins some sets.
struct Chunk<'a, K, O> {
    join: &'a Join<'a, K>,
    first: usize,
    sets: usize,
    buffers: &'a mut [Vec<O>; 2],
    scratch: &'a mut Scratch,
    progress: &'a Progress<'a>,
}

impl<K: Stored + Key<O>, O: Joined> Job for Chunk<'_, K, O> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Instructions>(self) -> u64 {
        let Join { lists, rows, columns, size, join_bits, pass, .. } = *self.join;
        let (all, keep) = (columns::first(columns), (1 << join_bits) - 1);
        let [above, below] = self.buffers;
        let mut set = columns::set(self.first, size);
        let mut sum = 0;
        for _ in 0..self.sets {
            let now = set;
            set = columns::next(set);
            if self.progress.is_stopped() {
                break;
            }
            if !pass.needs(now, 0) {
                continue;
            }
            let Some(images) = self.join.images(now) else { continue };
            let others = Without::new(all & !now);
            lists[1].prefetch::<I>(&others);
            let a = lists[0].extend::<I, O>(&Without::new(now), rows[0], keep, above, 0);
            if a[1] == 0 {
                continue;
            }
            if set & !all == 0 {
                lists[0].prefetch::<I>(&Without::new(set));
            }
            let b = lists[1].extend::<I, O>(&others, rows[1], keep, below, 0);
            if b[1] > 0 {
                let lists = [(&above[..a[1]], a[0]), (&below[..b[1]], b[0])];
                sum += u64::from(images) * weighted_pairs::<I, O>(self.join, lists, self.scratch, self.progress);
            }
        }
        sum
    }
}

/// Each pair twice, or once if a queen in a middle column is as far from the middle as those of the middle rows.
#[inline(always)]
fn weighted_pairs<I: Instructions, O: Joined>(
    join: &Join<impl Stored>,
    [(a, a_equal), (b, b_equal)]: [(&[O], usize); 2],
    scratch: &mut Scratch,
    progress: &Progress,
) -> u64 {
    let ((a_far, a_near), (b_far, b_near)) = (a.split_at(a_equal), b.split_at(b_equal));
    let (parts, weights) = if join.equal {
        ([(a, b), (a, &b[..0]), (a, &b[..0])], [1, 0, 0])
    } else {
        ([(a_far, b_far), (a, b_near), (a_near, b_far)], [2, 1, 1])
    };
    let mut sum = 0;
    for i in 0..3 {
        let (a, b) = parts[i];
        if a.is_empty() || b.is_empty() {
            continue;
        }
        let at_once = (PAIRS_AT_ONCE / b.len()).max(1024);
        if a.len() <= at_once {
            sum += weights[i] * O::pairs::<I>(a, b, join.join_bits, scratch);
            continue;
        }
        for a in a.chunks(at_once) {
            if !progress.is_stopped() {
                sum += weights[i] * O::pairs::<I>(a, b, join.join_bits, scratch);
            }
        }
    }
    sum
}
