//! The placements of a block, sorted by column set and, within a set, by the queens in the middle columns.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::block::{Block, Buckets, Pass};
use super::diagonals::Side;
use super::kernels::{Kept, Keys, SLACK, Simd, Test};
use super::shape::Shape;
use super::subsets::Subsets;
use crate::board::bits;

/// Sorted placements. A *segment* is what shares a column set and a tag: from 0 to one less than the block's rows, 0 if
/// no queen is in a middle column, its row counted from the centre if one is, the distance between them if two are.
#[derive(Debug, Default)]
pub struct Groups {
    /// The low parts of the keys, and behind them [`SLACK`] or more unused ones.
    low: Vec<u32>,
    /// The high parts, likewise, or nothing if they are all 0.
    high: Vec<u16>,
    /// Where each segment starts, and the last one ends.
    starts: Vec<u32>,
    wide: bool,
    /// The prefix rows of the stage.
    stage: u32,
}

/// A bucket to be sorted: its number, where it starts, and its parts of the three lists.
type Task<'a> = (usize, u32, &'a mut [u32], &'a mut [u16], &'a mut [u32]);

/// A block has more placements than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Memory to be used again: fresh pages cost more than filling them.
#[derive(Debug, Default)]
pub struct Pool {
    groups: Mutex<Vec<Groups>>,
    buckets: Mutex<Vec<Buckets>>,
}

impl Pool {
    /// Groups with anything in them. Those of different stages are of different sizes, so each has its own.
    fn groups(&self, stage: Shape) -> Groups {
        let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let found = groups.iter().rposition(|groups| groups.stage == stage.fixed);
        found.map_or_else(|| Groups { stage: stage.fixed, ..Groups::default() }, |i| groups.swap_remove(i))
    }

    /// Takes groups back.
    pub fn give_back(&self, groups: Groups) {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner).push(groups);
    }

    fn buckets(&self) -> Buckets {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back_buckets(&self, buckets: Vec<Buckets>) {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).extend(buckets);
    }
}

impl Groups {
    /// Enumerates and sorts the placements of a block, at most about `most` of them.
    pub fn new(
        shape: Shape,
        side: &Side,
        subsets: &Subsets,
        pass: Pass,
        most: usize,
        (pool, parallel): (&Pool, bool),
    ) -> Result<Self, TooLarge> {
        let shares = if parallel { rayon::current_num_threads() } else { 1 };
        // Where a segment starts is a u32.
        let most = most.min(u32::MAX as usize / 2);
        let used = Arc::default();
        let mut groups = pool.groups(shape);
        // Zeroed pages are there when they are first touched, which the threads then do together.
        groups.renew(side.is_wide(), expected(shape).min(most), subsets.len() * shape.block() as usize + 1);
        let mut total = 0;
        for (pass, range) in quarters(side.board.free_column_mask, subsets, pass) {
            let block = Block::new(shape, side, subsets, pass);
            let parts = block.parts(if shares == 1 { 0 } else { 2 });
            let filled: Vec<Buckets> = (0..shares)
                .into_par_iter()
                .with_max_len(1)
                .map(|share| {
                    let mut buckets = pool.buckets();
                    buckets.reset(subsets.buckets(), most, &used);
                    parts.iter().skip(share).step_by(shares).for_each(|part| block.complete(part, &mut buckets));
                    buckets
                })
                .collect();
            if filled.iter().any(Buckets::is_too_large) {
                // Nothing is kept for later: smaller passes come next, and what these lists took is not to stay beside them.
                return Err(TooLarge);
            }
            total = groups.sort(shape, subsets, range, total, &filled, parallel);
            pool.give_back_buckets(filled);
        }
        Ok(groups)
    }

    /// Makes room, never less than there is: what is there already needs no clearing. What was there is lost.
    fn renew(&mut self, wide: bool, keys: usize, starts: usize) {
        self.wide = wide;
        fn renew<T: Clone + Default>(list: &mut Vec<T>, wanted: usize) {
            if list.len() < wanted {
                // Freed first, so that both never exist.
                *list = Vec::new();
                *list = vec![T::default(); wanted];
            }
        }
        renew(&mut self.low, keys + SLACK);
        if wide {
            let wanted = self.low.len();
            renew(&mut self.high, wanted);
        }
        renew(&mut self.starts, starts);
    }

    /// Makes room for more keys behind those there are.
    fn grow(&mut self, keys: usize, spare: usize) {
        let wanted = keys + SLACK;
        if self.low.len() < wanted {
            let wanted = wanted + spare;
            self.low.reserve_exact(wanted - self.low.len());
            self.low.resize(wanted, 0);
        }
        if self.wide && self.high.len() < self.low.len() {
            self.high.reserve_exact(self.low.len() - self.high.len());
            self.high.resize(self.low.len(), 0);
        }
    }

    /// Sorts the placements of some buckets behind the `start` there are. Gives how many there are then.
    fn sort(
        &mut self,
        shape: Shape,
        subsets: &Subsets,
        buckets: Range<usize>,
        start: usize,
        filled: &[Buckets],
        parallel: bool,
    ) -> usize {
        let segments = shape.block() as usize;
        let wide = self.wide;
        let sizes: Vec<usize> = buckets.clone().map(|b| filled.iter().map(|f| f.len(b)).sum()).collect();
        let total = start + sizes.iter().sum::<usize>();
        self.grow(total, 0);
        let first = subsets.of_bucket(buckets.start).start * segments;
        self.starts[subsets.of_bucket(buckets.end - 1).end * segments] = total as u32;

        // Each bucket gets its own part of the three lists.
        let mut rest_low = &mut self.low[start..];
        let mut rest_high = if wide { &mut self.high[start..] } else { &mut [] };
        let mut rest_starts = &mut self.starts[first..];
        let mut base = start as u32;
        let mut tasks: Vec<Task> = Vec::with_capacity(sizes.len());
        for (bucket, &size) in buckets.zip(&sizes) {
            let low = rest_low.split_off_mut(..size).expect("the sizes add up");
            let high = rest_high.split_off_mut(..if wide { size } else { 0 }).expect("the sizes add up");
            let groups = subsets.of_bucket(bucket).len() * segments;
            let starts = rest_starts.split_off_mut(..groups).expect("the buckets add up");
            tasks.push((bucket, base, low, high, starts));
            base += size as u32;
        }
        let sort_bucket = |next: &mut Vec<u32>, (bucket, base, low, high, starts): Task| {
            let pieces = || filled.iter().flat_map(|f| f.of_bucket(bucket));
            next.clear();
            next.resize(starts.len() + 1, 0);
            for piece in pieces() {
                for record in piece {
                    next[(record >> 48) as usize + 1] += 1;
                }
            }
            for i in 1..next.len() {
                next[i] += next[i - 1];
            }
            for (start, &offset) in starts.iter_mut().zip(&*next) {
                *start = base + offset;
            }
            for piece in pieces() {
                for record in piece {
                    let at = &mut next[(record >> 48) as usize];
                    low[*at as usize] = *record as u32;
                    if wide {
                        high[*at as usize] = (record >> 32) as u16;
                    }
                    *at += 1;
                }
            }
        };
        if parallel {
            tasks.into_par_iter().for_each_init(Vec::new, sort_bucket);
        } else {
            let mut next = Vec::new();
            tasks.into_iter().for_each(|task| sort_bucket(&mut next, task));
        }
        total
    }

    /// The placements that pass a test and have no queen in `columns`, among the column sets of the columns left over.
    pub fn filtered(
        &self,
        simd: Simd,
        shape: Shape,
        (subsets, columns): (&Subsets, u32),
        test: Test,
        pool: &Pool,
    ) -> Self {
        let segments = shape.block() as usize;
        let mut groups = pool.groups(shape.next_stage());
        let wide = self.wide;
        let sets = || subsets.iter().enumerate().filter(|(_, set)| set & columns == 0);
        groups.renew(wide, 0, sets().count() * segments + 1);
        groups.starts[0] = 0;
        let (mut end, mut at) = (0, 0);
        for (number, _) in sets() {
            let bounds = self.bounds(number, segments);
            let len = (bounds[segments] - bounds[0]) as usize;
            if len == 0 {
                groups.starts[at + 1..=at + segments].fill(end as u32);
                at += segments;
                continue;
            }
            groups.grow(end + len, end / 4);
            let kept = Kept {
                low: &mut groups.low[end..],
                high: if wide { &mut groups.high[end..] } else { &mut [] },
                ends: &mut groups.starts[at + 1..at + 1 + segments],
            };
            let count = simd.filter(self.keys(), bounds, test, kept);
            groups.starts[at + 1..at + 1 + segments].iter_mut().for_each(|start| *start += end as u32);
            at += segments;
            end += count;
        }
        groups
    }

    /// The keys of all segments.
    pub fn keys(&self) -> Keys<'_> {
        Keys { low: &self.low, high: if self.wide { &self.high } else { &[] } }
    }

    /// The bounds of the segments of a column set.
    pub fn bounds(&self, number: usize, segments: usize) -> &[u32] {
        &self.starts[number * segments..=(number + 1) * segments]
    }
}

/// About how many placements a block has, as if each queen took two squares of every other row.
fn expected(shape: Shape) -> usize {
    let squares = |row: u32| shape.free_columns().saturating_sub(2 * row).max(1) as usize;
    (0..shape.block()).map(squares).fold(1, usize::saturating_mul)
}

/// A pass in four, by the highest two columns that it leaves open, each with its buckets: what they find comes one after
/// the other, and only one of them waits to be sorted at a time.
fn quarters(free_columns: u32, subsets: &Subsets, pass: Pass) -> Vec<(Pass, Range<usize>)> {
    let decided = pass.needed | pass.barred;
    let open = free_columns & !decided;
    let buckets = subsets.buckets();
    let width = buckets >> (decided.count_ones() + 2);
    // As long as the columns decided are the highest ones.
    if width < 16 || decided != 0 && open.ilog2() > decided.trailing_zeros() {
        return vec![(pass, 0..buckets)];
    }
    let highest = 1 << open.ilog2();
    let second = 1 << (open & !highest).ilog2();
    // The buckets of the columns decided otherwise are empty: they go to the first and the last.
    let pattern: usize = bits(decided).enumerate().map(|(i, column)| ((pass.needed >> column & 1) as usize) << i).sum();
    let start = |i: usize| match i {
        0 => 0,
        4 => buckets,
        _ => (pattern * 4 + i) * width,
    };
    [0, second, highest, highest | second]
        .into_iter()
        .enumerate()
        .map(|(i, needed)| (pass.needing(needed).barring((highest | second) & !needed), start(i)..start(i + 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::method::half_join::diagonals::{LOW_BITS, Layout};
    use crate::method::half_join::prefixes::MiddlePrefixes;
    use crate::problem::Problem;

    /// The number of ways to place queens in some rows.
    fn placements(board: Board, rows: u32) -> usize {
        let Some(row) = rows.checked_sub(1) else { return 1 };
        crate::board::bits(board.free_squares(row)).map(|c| placements(board.place(row, c), row)).sum()
    }

    #[test]
    fn all_placements_whatever_the_passes() {
        for (n, centre, fixed) in [(9, 3, 3), (10, 2, 0), (10, 4, 2), (11, 1, 1), (11, 5, 3)] {
            let shape = Shape::new(n, centre, fixed).unwrap();
            let subsets = Subsets::new(shape.free_columns(), shape.block());
            let pool = Pool::default();
            for prefix in MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed).step_by(7) {
                let layout = Layout::new(shape, &prefix.board, LOW_BITS).unwrap();
                for side in &layout.sides {
                    let free = side.board.free_column_mask;
                    let split = free & 0b1011;
                    let count = |needed: u32, parallel: bool| {
                        let pass = Pass { needed, barred: split & !needed };
                        let groups = Groups::new(shape, side, &subsets, pass, usize::MAX, (&pool, parallel)).unwrap();
                        let bounds = groups.bounds(subsets.len() - 1, shape.block() as usize);
                        bounds[bounds.len() - 1] as usize
                    };
                    let mut parts = 0;
                    // All subsets of the columns by which the passes are split.
                    let mut needed = split;
                    loop {
                        parts += count(needed, needed % 2 == 1);
                        if needed == 0 {
                            break;
                        }
                        needed = (needed - 1) & split;
                    }
                    assert_eq!(parts, placements(side.board, shape.block()), "{prefix:?}");
                }
            }
        }
    }

    #[test]
    fn too_many_placements() {
        let shape = Shape::new(14, 2, 0).unwrap();
        let subsets = Subsets::new(14, 6);
        let layout = Layout::new(shape, &Board::empty(14), LOW_BITS).unwrap();
        let most = 10_000;
        let groups = Groups::new(shape, &layout.sides[0], &subsets, Pass::default(), most, (&Pool::default(), false));
        assert_eq!(groups.err(), Some(TooLarge));
    }
}
