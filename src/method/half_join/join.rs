//! Joining the blocks of one prefix: every column set above with every set below that the fillings leave.
//!
//! A placement above with the columns `S`, a filling with the columns `C` and a placement below make a solution if the
//! placement below has just the columns left over and none shares a diagonal. For each `S` and filling, the keys of both
//! groups that leave the filling's diagonals free are copied out, and of those the disjoint pairs counted.

use std::ops::Range;

use rayon::prelude::*;

use super::filling::{Last, Weights};
use super::groups::Groups;
use super::kernels::{Kept, SLACK, Simd, Test};
use super::shape::Shape;
use super::subsets::Subsets;

/// All that joins the blocks of a prefix.
pub struct Join<'a> {
    /// How the rows are shared out.
    pub shape: Shape,
    /// The instructions to use.
    pub simd: Simd,
    /// Whether to use all threads.
    pub parallel: bool,
    /// How solutions are weighted.
    pub weights: Weights,
    /// The placements above, and those below upside down.
    pub groups: [&'a Groups; 2],
    /// The numbers of the column sets.
    pub subsets: &'a Subsets,
    /// The fillings of the last stage, those with the same columns next to each other.
    pub fillings: &'a [Last],
    /// The middle columns as the column sets have them, 0 where the prefix has a queen.
    pub middle: [u32; 2],
}

/// The most segments a group has.
const MOST_SEGMENTS: usize = 12;

/// A group, what its keys must leave free, and room for those that do.
struct Part<'a> {
    groups: &'a Groups,
    bounds: &'a [u32],
    test: Test,
    low: &'a mut Vec<u32>,
}

impl Part<'_> {
    /// Copies out the keys of some segments, in a row or apart, that pass the test. Gives where each of them ends.
    #[inline]
    fn keep<const N: usize>(&mut self, simd: Simd, bounds: [usize; N], ends: &mut [u32]) -> usize {
        self.keep_between(simd, &bounds.map(|bound| self.bounds[bound]), ends)
    }

    fn keep_between(&mut self, simd: Simd, bounds: &[u32], ends: &mut [u32]) -> usize {
        let room = (bounds[bounds.len() - 1] - bounds[0]) as usize + SLACK;
        if self.low.len() < room {
            self.low.resize(room.next_power_of_two(), 0);
        }
        simd.filter(self.groups.keys(), bounds, self.test, Kept { low: self.low, high: &mut [], ends })
    }
}

impl Join<'_> {
    /// The weighted number of solutions.
    pub fn count(&self) -> i128 {
        let mut by_columns = Vec::new();
        let mut start = 0;
        for same in self.fillings.chunk_by(|a, b| a.columns == b.columns) {
            by_columns.push((same[0].columns, start..start + same.len()));
            start += same.len();
        }
        let free = ((1u64 << self.shape.free_columns()) - 1) as u32;
        let segments = self.shape.block() as usize;
        let [above, below] = self.groups;
        let count_set = |scratch: &mut [Vec<u32>; 2], (number, set): (usize, u32)| {
            let bounds_above = above.bounds(number, segments);
            let mut sum = 0;
            if bounds_above[0] == bounds_above[segments] {
                return sum;
            }
            let [low_above, low_below] = scratch;
            for (columns, range) in by_columns.iter().filter(|(columns, _)| columns & set == 0) {
                let other = free & !set & !columns;
                let bounds_below = below.bounds(self.subsets.rank(other), segments);
                if bounds_below[0] == bounds_below[segments] {
                    continue;
                }
                for filling in &self.fillings[range.clone()] {
                    let [test, test_below] = filling.tests;
                    let above = Part { groups: above, bounds: bounds_above, test, low: low_above };
                    let below = Part { groups: below, bounds: bounds_below, test: test_below, low: low_below };
                    let count = self.count_groups([set, other], above, below, filling);
                    sum += i128::from(filling.weight) * i128::from(count);
                }
            }
            sum
        };
        if !self.parallel {
            let mut scratch = Default::default();
            return self.subsets.iter().enumerate().map(|set| count_set(&mut scratch, set)).sum();
        }
        let sets: Vec<(usize, u32)> = self.subsets.iter().enumerate().collect();
        sets.par_chunks(64)
            .map_init(Default::default, |scratch, sets| sets.iter().map(|&set| count_set(scratch, set)).sum::<i128>())
            .sum()
    }

    /// The weighted number of pairs of two groups with a filling between them.
    fn count_groups(&self, sets: [u32; 2], mut above: Part, mut below: Part, filling: &Last) -> u64 {
        let simd = self.simd;
        let segments = self.shape.block() as usize;
        let tagged = |set: u32| self.weights == Weights::Symmetric && (self.middle[0] | self.middle[1]) & set != 0;
        let limit = match self.weights {
            Weights::Completions => -1,
            Weights::Symmetric => filling.number - self.middle_base(sets, filling),
        };
        // The number of the middle columns is `base + tag above + tag below`, a tag 0 in a set without middle column; it
        // counts twice where greater than that of the middle rows, once where equal.
        match sets.map(tagged) {
            [false, false] => {
                let weight = match self.weights {
                    Weights::Completions => 1,
                    Weights::Symmetric => weight_of(limit),
                };
                if weight == 0 {
                    return 0;
                }
                let a = above.keep(simd, [0, segments], &mut [0]);
                if a == 0 {
                    return 0;
                }
                let b = below.keep(simd, [0, segments], &mut [0]);
                weight * simd.pairs(&above.low[..a], &below.low[..b])
            }
            [true, false] => self.count_tagged(above, below, limit),
            [false, true] => self.count_tagged(below, above, limit),
            [true, true] => self.count_both_tagged(above, below, limit),
        }
    }

    /// As [`count_groups`](Self::count_groups) where only the first of two groups has tags that matter.
    fn count_tagged(&self, mut tagged: Part, mut other: Part, limit: i32) -> u64 {
        let simd = self.simd;
        let segments = self.shape.block() as usize;
        if limit >= segments as i32 {
            return 0;
        }
        let mut ends = [0; 2];
        if limit < 0 {
            tagged.keep(simd, [0, segments], &mut ends[1..]);
        } else {
            tagged.keep(simd, [limit as usize, limit as usize + 1, segments], &mut ends);
        }
        let [equal, end] = ends.map(|end| end as usize);
        if end == 0 {
            return 0;
        }
        let b = other.keep(simd, [0, segments], &mut [0]);
        let b = &other.low[..b];
        simd.pairs(&tagged.low[..equal], b) + 2 * simd.pairs(&tagged.low[equal..end], b)
    }

    /// As [`count_groups`](Self::count_groups) where both groups have a queen in a middle column: the segment `u` above
    /// joins the segments from `limit - u` on below.
    fn count_both_tagged(&self, mut above: Part, mut below: Part, limit: i32) -> u64 {
        let simd = self.simd;
        let segments = self.shape.block() as usize;
        // Segments below this one join none.
        let first = (limit - (segments as i32 - 1)).max(0) as usize;
        if first >= segments {
            return 0;
        }
        let mut ends = [[0; MOST_SEGMENTS + 1]; 2];
        let [ends_above, ends_below] = &mut ends;
        if above.keep_between(simd, &above.bounds[first..], &mut ends_above[first + 1..=segments]) == 0
            || below.keep_between(simd, &below.bounds[first..], &mut ends_below[first + 1..=segments]) == 0
        {
            return 0;
        }
        let part = |side: usize, segments: Range<usize>| {
            ends[side][segments.start] as usize..ends[side][segments.end] as usize
        };
        let mut count = 0;
        let full = (limit + 1).clamp(first as i32, segments as i32) as usize;
        for u in first..full {
            let equal = limit as usize - u;
            let a = &above.low[part(0, u..u + 1)];
            count += simd.pairs(a, &below.low[part(1, equal..equal + 1)]);
            count += 2 * simd.pairs(a, &below.low[part(1, equal + 1..segments)]);
        }
        // Above the limit every segment joins all.
        count + 2 * simd.pairs(&above.low[part(0, full..segments)], &below.low[part(1, first..segments)])
    }

    /// The [`middle_number`](super::mirrors::middle_number) of the middle columns, less the tags.
    fn middle_base(&self, sets: [u32; 2], filling: &Last) -> i32 {
        let (n, block) = (self.shape.n as i32, self.shape.block() as i32);
        // The row nearest the centre of the block that has a middle column.
        let row = |i: usize| match filling.middle[i] {
            Some(row) => row as i32,
            None if self.middle[i] & sets[0] != 0 => block - 1,
            None => n - block,
        };
        // Two in one block: the tag is the whole distance, and the base 0.
        if n % 2 == 1 { (row(0) - n / 2).abs() } else { (row(0) - row(1)).abs() }
    }
}

/// How often to count what has the number 0 if `limit` is the number to compare with.
fn weight_of(limit: i32) -> u64 {
    match limit.cmp(&0) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}
