//! Counting below one prefix: fill the centre rows, grow the lists of both blocks, join them.

use super::prefixes::Middle;
use std::sync::Mutex;

use rayon::prelude::*;

use super::filling::{Filling, Fillings};
use super::join::{Join, Joined};
use super::kernels::{Key, Simd};
use super::layout::{KEY_BITS, Layout, TooWide};
use super::lists::{Crew, Level, Lists, Pass, Pool, Stored};
use super::shape::Shape;
use super::watch::{Halt, Progress};
use crate::method::algorithm::Watch;
use crate::prefix::Prefix;

/// How threads share the work of a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// There is one thread.
    Alone,
    /// Each takes a filling, so many at a time.
    Fillings(usize),
    /// All work at one filling.
    Lists,
}

/// Counts below prefixes of a shape.
#[derive(Debug)]
pub struct Counter {
    /// How the rows are shared out.
    pub shape: Shape,
    /// The instructions to use.
    pub simd: Simd,
    /// How threads share the work.
    pub sharing: Sharing,
    /// Bytes that the lists of one filling may take, roughly; with more, it is counted in parts.
    pub bytes: usize,
    /// The bits of a key, fewer in tests.
    pub(super) key_bits: u32,
    pool: Pool,
    works: Mutex<Vec<Work>>,
}

/// The lists of one filling.
#[derive(Debug, Default)]
struct Work {
    /// Of the rows before: those of the last row, and those that the next one makes of them.
    early: [Lists<u64>; 2],
    /// Of both blocks but for their last rows.
    low: [Lists<u32>; 2],
    /// The same where keys need more than 32 bits.
    whole: [Lists<u64>; 2],
}

/// The part of the time that growing takes, for who waits.
const GROWING: f64 = 0.4;

/// The most columns that passes are split by.
pub const MAX_SPLITS: u32 = 8;

/// Lists of fewer bytes are not counted in parts.
const MIN_BYTES: usize = 1 << 16;

impl Counter {
    /// A counter for a shape, with the best instructions there are.
    pub fn new(shape: Shape, bytes: usize, sharing: Sharing) -> Self {
        let bytes = bytes.max(MIN_BYTES);
        Self {
            shape,
            simd: Simd::detect(),
            sharing,
            bytes,
            key_bits: KEY_BITS,
            pool: Pool::default(),
            works: Mutex::default(),
        }
    }

    /// The solutions that complete a prefix, weighted, if nobody stops it.
    pub fn count_prefix(&self, prefix: &Prefix, watch: Watch) -> Option<u64> {
        let progress = Progress::new(watch);
        let crew = Crew {
            simd: self.simd,
            parallel: self.sharing == Sharing::Lists,
            pool: &self.pool,
            progress: &progress,
            bytes: self.bytes,
        };
        let fillings = Mutex::new(Fillings::new(self.shape, prefix));
        let shape = Shape { fixed: self.shape.centre, ..self.shape };
        let count = || {
            let mut work = lock(&self.works).pop().unwrap_or_default();
            let mut sum = 0;
            let result = loop {
                let Some(filling) = lock(&fillings).next() else { break Ok(sum) };
                match self.count_filling(shape, &filling, &mut work, crew) {
                    Ok(count) => sum += count,
                    Err(halt) => break Err(halt),
                }
            };
            lock(&self.works).push(work);
            result
        };
        let sum: Result<u64, Halt> = match self.sharing {
            Sharing::Fillings(threads) => (0..threads).into_par_iter().with_max_len(1).map(|_| count()).sum(),
            Sharing::Alone | Sharing::Lists => count(),
        };
        sum.ok()
    }

    /// Counts with all centre rows of the shape filled.
    fn count_filling(&self, shape: Shape, filling: &Filling, work: &mut Work, crew: Crew) -> Result<u64, Halt> {
        let Filling { prefix, share } = filling;
        let count = match Layout::new(shape, &prefix.board, Middle::from(prefix).rows.into(), self.key_bits) {
            Ok(layout) => {
                let mut pass = Pass::default();
                if Middle::from(prefix).unmoved.has(2) {
                    // Upside down, what has the last column above is what has it below.
                    pass.barred = 1 << (shape.free_columns() - 1);
                }
                Filled { shape, prefix, layout: &layout, share: *share, crew }.count(work, pass)?
            }
            // Two rows more between the blocks make the keys less wide.
            Err(TooWide) => {
                let shape = Shape { centre: shape.centre + 2, ..shape };
                let next = Shape { fixed: shape.centre, ..shape };
                let mut sum = 0;
                for inner in Fillings::new(shape, prefix) {
                    sum += self.count_filling(next, &Filling { share: share * inner.share, ..inner }, work, crew)?;
                }
                sum
            }
        };
        Ok(u64::from(prefix.multiplicity) * count)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics while it holds this")
}

/// A filling to be counted.
struct Filled<'a> {
    shape: Shape,
    prefix: &'a Prefix,
    layout: &'a Layout,
    share: f64,
    crew: Crew<'a>,
}

impl Filled<'_> {
    /// Counts a pass; in two if its lists take too much memory: the highest column not yet decided has its queen above, or
    /// below.
    fn count(&self, work: &mut Work, pass: Pass) -> Result<u64, Halt> {
        match self.count_pass(work, pass) {
            Err(Halt::TooLarge) => {
                let undecided = super::columns::first(self.shape.free_columns()) & !(pass.must | pass.barred);
                let column = 1 << undecided.ilog2();
                let half = |pass| Filled { share: self.share / 2.0, ..*self }.count_half(work, pass);
                [Pass { must: pass.must | column, ..pass }, Pass { barred: pass.barred | column, ..pass }]
                    .into_iter()
                    .map(half)
                    .sum()
            }
            result => result,
        }
    }

    fn count_half(&self, work: &mut Work, pass: Pass) -> Result<u64, Halt> {
        // The sets of another pass are in other blocks: what those hold would be too much.
        *work = Work::default();
        if (pass.must | pass.barred).count_ones() >= MAX_SPLITS.min(self.shape.free_columns()) {
            // What is too large even so takes the memory that it takes.
            let crew = Crew { bytes: usize::MAX, ..self.crew };
            return Filled { crew, ..*self }.count_pass(work, pass);
        }
        self.count(work, pass)
    }

    fn count_pass(&self, work: &mut Work, pass: Pass) -> Result<u64, Halt> {
        let Work { early, low, whole } = work;
        let (join_bits, is_narrow) = (self.layout.join_bits, self.layout.is_narrow);
        // Few fillings are wide: what the one kind has held is given back before the other one takes it.
        if is_narrow {
            *whole = Default::default();
            self.grow(early, low, pass)?;
            self.join::<u32, u32>(low, pass)
        } else {
            *low = Default::default();
            self.grow(early, whole, pass)?;
            if join_bits <= u32::BITS { self.join::<u64, u32>(whole, pass) } else { self.join::<u64, u64>(whole, pass) }
        }
    }

    /// Makes the lists of both blocks but for their last rows.
    fn grow<K: Stored>(&self, early: &mut [Lists<u64>; 2], lists: &mut [Lists<K>; 2], pass: Pass) -> Result<(), Halt>
    where
        u64: Key<K>,
    {
        let last = self.shape.block() - 1;
        let [now, next] = early;
        let mut others = 0;
        for (side, (lists, pass)) in lists.iter_mut().zip([pass, pass.turned()]).enumerate() {
            if last == 0 {
                lists.start();
                continue;
            }
            now.start();
            for row in 0..last {
                let level = Level {
                    columns: self.shape.free_columns(),
                    row: &self.layout.rows[side][row as usize],
                    size: row + 1,
                    rows_left: last - row,
                    pass,
                };
                let crew = Crew { bytes: self.crew.bytes.saturating_sub(others + now.bytes()), ..self.crew };
                if row + 1 == last {
                    now.grow(lists, level, crew)?;
                } else {
                    now.grow::<u64>(next, level, crew)?;
                    std::mem::swap(now, next);
                }
            }
            others = lists.bytes();
            self.crew.progress.add(self.share * GROWING / 2.0);
        }
        Ok(())
    }

    fn join<K: Stored + Key<O>, O: Joined>(&self, [above, below]: &[Lists<K>; 2], pass: Pass) -> Result<u64, Halt> {
        let last = self.shape.block() as usize - 1;
        let middle = Middle::from(self.prefix);
        Join {
            lists: [above, below],
            rows: [&self.layout.rows[0][last], &self.layout.rows[1][last]],
            columns: self.shape.free_columns(),
            size: self.shape.block(),
            join_bits: self.layout.join_bits,
            equal: middle.columns == middle.rows,
            unmoved: middle.unmoved,
            pass,
            share: self.share * (1.0 - GROWING),
        }
        .count::<O>(self.crew)
    }
}
