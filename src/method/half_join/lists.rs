//! Lists of placements, one for each set of columns, and how a row is added to them.
//!
//! ```text
//! list(S) = concatenation over c in S of { key | add(c) : key in list(S without c), key & test(c) = 0 }
//! ```
//!
//! Each list is two runs: first the placements whose queens in the middle columns are all farther from the middle than those
//! of the middle rows, then those with one that is equally far.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::columns::{self, Without};
use super::kernels::{self, Instructions, Job, Key, SLACK, Simd, Step};
use super::layout::Row;
use super::watch::{Halt, Progress};
use crate::board::bits;

/// So many lists, of sets that follow each other, are made at a time and kept in one block.
const CHUNK: usize = 128;

/// Where a list is in its block.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    start: u32,
    /// Where the equal ones start.
    equal: u32,
    end: u32,
}

/// A list for each set of a size.
#[derive(Debug, Default)]
pub struct Lists<K> {
    blocks: Vec<Vec<K>>,
    runs: Vec<Run>,
}

/// Which sets are needed in a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// Columns that must have a queen in the end.
    pub must: u32,
    /// Columns that must not.
    pub barred: u32,
}

impl Pass {
    /// What is left for the other block.
    pub fn turned(self) -> Self {
        Self { must: self.barred, barred: self.must }
    }

    /// Whether a set can become one of the pass with so many queens more.
    #[inline(always)]
    pub fn needs(self, set: u32, rows_left: u32) -> bool {
        set & self.barred == 0 && (self.must & !set).count_ones() <= rows_left
    }
}

/// A row that is added to all lists.
#[derive(Clone, Copy)]
pub struct Level<'a> {
    /// How many columns there are.
    pub columns: u32,
    /// The row's squares.
    pub row: &'a Row,
    /// How many rows there are with it.
    pub size: u32,
    /// How many rows are still to come.
    pub rows_left: u32,
    /// The sets that are needed.
    pub pass: Pass,
}

/// Who makes lists, and on what terms.
#[derive(Clone, Copy)]
pub struct Crew<'a> {
    /// The instructions to use.
    pub simd: Simd,
    /// Whether all threads are to help.
    pub parallel: bool,
    /// Where to take buffers from.
    pub pool: &'a Pool,
    /// When to stop.
    pub progress: &'a Progress<'a>,
    /// The bytes that the keys of lists may take.
    pub bytes: usize,
}

/// Buffers that are used again.
#[derive(Debug, Default)]
pub struct Pool(std::sync::Mutex<Vec<Scratch>>);

/// Buffers of one thread.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Of 32-bit keys, for the block above and the block below.
    low: [Vec<u32>; 2],
    /// Of 64-bit keys.
    whole: [Vec<u64>; 2],
    /// For pairs.
    pub pairs: kernels::Scratch,
}

impl Pool {
    /// Does something with buffers.
    pub fn with<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let lock = || self.0.lock().expect("no thread panics in here");
        let mut scratch = lock().pop().unwrap_or_default();
        let result = work(&mut scratch);
        lock().push(scratch);
        result
    }
}

/// A key that can be kept in buffers and blocks.
pub trait Stored: Copy + Default + Send + Sync + 'static {
    /// The buffers for such keys.
    fn buffers(scratch: &mut Scratch) -> (&mut [Vec<Self>; 2], &mut kernels::Scratch);
}

impl Stored for u32 {
    #[inline(always)]
    fn buffers(scratch: &mut Scratch) -> (&mut [Vec<Self>; 2], &mut kernels::Scratch) {
        (&mut scratch.low, &mut scratch.pairs)
    }
}

impl Stored for u64 {
    #[inline(always)]
    fn buffers(scratch: &mut Scratch) -> (&mut [Vec<Self>; 2], &mut kernels::Scratch) {
        (&mut scratch.whole, &mut scratch.pairs)
    }
}

impl<K: Stored> Lists<K> {
    /// Of no rows: one empty placement.
    pub fn start(&mut self) {
        self.resize(1);
        self.blocks[0].clear();
        self.blocks[0].push(K::default());
        self.runs[0] = Run { start: 0, equal: 1, end: 1 };
    }

    fn resize(&mut self, sets: usize) {
        self.runs.resize(sets, Run::default());
        self.blocks.resize_with(sets.div_ceil(CHUNK), Vec::new);
    }

    /// Bytes of all keys.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(Vec::capacity).sum::<usize>() * size_of::<K>()
    }

    /// Asks for the beginning of each list that a set's is made of.
    #[inline(always)]
    pub fn prefetch<I: Instructions>(&self, set: &Without) {
        for column in bits(set.set) {
            let number = set.number(column);
            let start = self.runs[number].start as usize;
            I::prefetch(self.blocks[number / CHUNK].get(start..).unwrap_or_default());
        }
    }

    /// Makes the list of a set with one queen more, from `at` on. Gives where the equal ones start, and where it ends.
    #[inline(always)]
    pub fn extend<I: Instructions, O: Stored>(
        &self,
        set: &Without,
        row: &Row,
        keep: u64,
        out: &mut Vec<O>,
        at: usize,
    ) -> [usize; 2]
    where
        K: Key<O>,
    {
        let free = set.set & (row.plain_mask | row.equal_mask);
        // The lists that equal ones come from: found first, so that no branch depends on a square.
        let mut near = set.set & row.equal_mask;
        let mut most = SLACK;
        for column in bits(free) {
            let run = self.runs[set.number(column)];
            most += (run.end - run.start) as usize;
            near |= u32::from(run.equal != run.end) << column;
        }
        if out.len() < at + most {
            out.resize((at + most).next_power_of_two(), O::default());
        }
        let mut end = at;
        for column in bits(free & row.plain_mask) {
            let number = set.number(column);
            let run = self.runs[number];
            let keys = &self.blocks[number / CHUNK][run.start as usize..run.equal as usize];
            let square = &row.squares[column as usize];
            let step = Step { test: square.test, keep, add: square.add };
            end += K::extend::<I>(keys, step, &mut out[end..]);
        }
        let equal = end;
        for column in bits(near) {
            let number = set.number(column);
            let run = self.runs[number];
            let start = if row.equal_mask >> column & 1 == 1 { run.start } else { run.equal };
            let keys = &self.blocks[number / CHUNK][start as usize..run.end as usize];
            let square = &row.squares[column as usize];
            let step = Step { test: square.test, keep, add: square.add };
            end += K::extend::<I>(keys, step, &mut out[end..]);
        }
        [equal, end]
    }

    /// Adds a row: the lists of all sets that are needed.
    pub fn grow<O: Stored>(&self, to: &mut Lists<O>, level: Level, crew: Crew) -> Result<(), Halt>
    where
        K: Key<O>,
    {
        to.resize(columns::sets(level.columns, level.size));
        let held = AtomicUsize::new(0);
        let grow = |(i, (runs, block)): (usize, (&mut [Run], &mut Vec<O>))| {
            crew.progress.check()?;
            crew.pool.with(|scratch| {
                let buffer = &mut O::buffers(scratch).0[0];
                let len = crew.simd.run(Grow { from: self, level, runs, first: i * CHUNK, buffer });
                keep(block, &buffer[..len]);
            });
            let bytes = block.capacity() * size_of::<O>();
            if held.fetch_add(bytes, Ordering::Relaxed) + bytes > crew.bytes { Err(Halt::TooLarge) } else { Ok(()) }
        };
        if crew.parallel {
            to.runs.par_chunks_mut(CHUNK).zip(&mut to.blocks).enumerate().try_for_each(grow)
        } else {
            to.runs.chunks_mut(CHUNK).zip(&mut to.blocks).enumerate().try_for_each(grow)
        }
    }
}

/// Replaces what a block has, in the memory that it has if that is about right.
fn keep<K: Stored>(block: &mut Vec<K>, keys: &[K]) {
    block.clear();
    if block.capacity() > 2 * keys.len() + 1024 {
        *block = Vec::new();
    }
    block.reserve_exact(keys.len());
    block.extend_from_slice(keys);
}

/// Makes the lists of one block.
struct Grow<'a, K, O> {
    from: &'a Lists<K>,
    level: Level<'a>,
    runs: &'a mut [Run],
    first: usize,
    buffer: &'a mut Vec<O>,
}

impl<K: Stored + Key<O>, O: Stored> Job for Grow<'_, K, O> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Instructions>(self) -> usize {
        let Level { row, size, rows_left, pass, .. } = self.level;
        let (mut end, mut set) = (0, columns::set(self.first, size));
        let mut next = Without::new(set);
        for run in self.runs {
            let now = next;
            let following = columns::next(set);
            // Beyond the last set, which is the first of too many columns, nothing is read.
            if following >> self.level.columns == 0 {
                next = Without::new(following);
                self.from.prefetch::<I>(&next);
            }
            *run = Run { start: end as u32, equal: end as u32, end: end as u32 };
            if pass.needs(set, rows_left) {
                let [equal, all] = self.from.extend::<I, O>(&now, row, u64::MAX, self.buffer, end);
                (run.equal, run.end) = (equal as u32, all as u32);
                end = all;
            }
            set = following;
        }
        end
    }
}
