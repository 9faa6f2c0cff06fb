//! Counting below one prefix: enumerate the blocks, filter them stage by stage, join what is left.

use rayon::prelude::*;

use super::block::Pass;
use super::diagonals::{LOW_BITS, Layout};
use super::filling::{Filling, Last, Weights, extensions, fillings};
use super::groups::{Groups, Pool, TooLarge};
use super::join::Join;
use super::kernels::Simd;
use super::shape::Shape;
use super::subsets::Subsets;
use crate::prefix::Prefix;

/// Counts below prefixes of a shape.
#[derive(Debug)]
pub struct Counter {
    /// How the rows are shared out.
    pub shape: Shape,
    /// How solutions are weighted.
    pub weights: Weights,
    /// The instructions to use.
    pub simd: Simd,
    /// Whether to use all threads for one prefix.
    pub parallel: bool,
    /// The most placements of a block to hold at a time, roughly; more are counted in parts.
    pub most: usize,
    /// Bits of the low part of a key, fewer in tests.
    pub(super) low_bits: u32,
    pool: Pool,
}

/// Fewer placements than this are not worth a part of their own.
const FEWEST: usize = 1 << 13;

impl Counter {
    /// A counter for a shape, with the best instructions there are.
    pub fn new(shape: Shape, weights: Weights, most: usize, parallel: bool) -> Self {
        let (simd, most, pool) = (Simd::detect(), most.max(FEWEST), Pool::default());
        Self { shape, weights, simd, parallel, most, low_bits: LOW_BITS, pool }
    }

    /// The solutions that complete a prefix, weighted: times the prefixes' multiplicities they make all solutions.
    ///
    /// # Panics
    /// If they are more than a `u64` can hold.
    pub fn count_prefix(&self, prefix: &Prefix) -> u64 {
        u64::try_from(self.count(self.shape, prefix))
            .expect("a prefix of so many solutions could not be counted in years")
    }

    fn count(&self, shape: Shape, prefix: &Prefix) -> i128 {
        let board = &prefix.board;
        let subsets = Subsets::new(shape.free_columns(), shape.block());
        if let Ok(layout) = Layout::new(shape, board, self.low_bits)
            && let Ok(count) = self.count_pass(shape, prefix, &layout, &subsets, [Pass::default(); 2], self.most)
        {
            return count;
        }
        if shape.fixed < shape.centre {
            // Too large or too wide: one stage less to filter makes it smaller.
            return extensions(shape, prefix, self.weights)
                .iter()
                .map(|next| i128::from(next.prefix.multiplicity) * self.count(shape.next_stage(), &next.prefix))
                .sum();
        }
        let layout = Layout::new(shape, board, self.low_bits).expect("without filter rows every prefix fits");
        self.count_passes(shape, prefix, &layout, &subsets, Pass::default(), board.free_columns)
    }

    /// Counts in two passes or more: one of the columns left has a queen above in the one and below in the other.
    fn count_passes(
        &self,
        shape: Shape,
        prefix: &Prefix,
        layout: &Layout,
        subsets: &Subsets,
        above: Pass,
        columns: u32,
    ) -> i128 {
        // A list that one column set makes too large cannot be split further; memory is then what it takes.
        let limit = if columns & columns.wrapping_sub(1) == 0 { usize::MAX } else { self.most };
        let column = columns & columns.wrapping_neg();
        let passes = [Pass { needed: above.needed | column, ..above }, Pass { barred: above.barred | column, ..above }];
        passes
            .into_iter()
            .map(|above| {
                let below = Pass { needed: above.barred, barred: above.needed };
                match self.count_pass(shape, prefix, layout, subsets, [above, below], limit) {
                    Ok(count) => count,
                    Err(TooLarge) => self.count_passes(shape, prefix, layout, subsets, above, columns & !column),
                }
            })
            .sum()
    }

    fn count_pass(
        &self,
        shape: Shape,
        prefix: &Prefix,
        layout: &Layout,
        subsets: &Subsets,
        passes: [Pass; 2],
        most: usize,
    ) -> Result<i128, TooLarge> {
        let groups = |side: usize| {
            let memory = (&self.pool, self.parallel);
            Groups::new(shape, &layout.sides[side], subsets, passes[side], most, memory)
        };
        let above = groups(0)?;
        if layout.mirrored {
            let count = self.descend(shape, prefix, layout, [&above; 2], subsets, self.parallel);
            self.pool.give_back(above);
            return Ok(count);
        }
        let below = groups(1);
        let count = below.map(|below| {
            let count = self.descend(shape, prefix, layout, [&above, &below], subsets, self.parallel);
            self.pool.give_back(below);
            count
        });
        self.pool.give_back(above);
        count
    }

    /// Counts with the groups of this stage.
    fn descend(
        &self,
        shape: Shape,
        prefix: &Prefix,
        layout: &Layout,
        groups: [&Groups; 2],
        subsets: &Subsets,
        parallel: bool,
    ) -> i128 {
        if shape.fixed == shape.centre {
            return self.join(shape, prefix, groups, subsets, &Last::new(prefix, None, layout), parallel);
        }
        let fillings = fillings(shape, prefix, layout, self.weights);
        let next = shape.next_stage();
        if next.fixed == shape.centre {
            let last: Vec<_> = fillings.iter().flat_map(|filling| Last::new(prefix, Some(filling), layout)).collect();
            return self.join(shape, prefix, groups, subsets, &last, parallel);
        }
        let next_subsets = Subsets::new(next.free_columns(), next.block());
        // From here on the keys below are what the layout says.
        let next_layout = Layout { mirrored: false, ..layout.clone() };
        let count_filling = |filling: &Filling, parallel: bool| {
            let filtered = |side: usize| {
                groups[side].filtered(self.simd, shape, (subsets, filling.columns), filling.tests[side], &self.pool)
            };
            let (above, below) =
                if parallel { rayon::join(|| filtered(0), || filtered(1)) } else { (filtered(0), filtered(1)) };
            let count = self.descend(next, &filling.prefix, &next_layout, [&above, &below], &next_subsets, parallel);
            self.pool.give_back(above);
            self.pool.give_back(below);
            i128::from(filling.prefix.multiplicity) * count
        };
        if parallel && fillings.len() >= 16 * rayon::current_num_threads() {
            return fillings.par_iter().map(|filling| count_filling(filling, false)).sum();
        }
        fillings.iter().map(|filling| count_filling(filling, parallel)).sum()
    }

    fn join(
        &self,
        shape: Shape,
        prefix: &Prefix,
        groups: [&Groups; 2],
        subsets: &Subsets,
        fillings: &[Last],
        parallel: bool,
    ) -> i128 {
        let free = prefix.board.free_columns;
        let middle = shape.middle_columns().map(|column| {
            let bit = 1 << column;
            if free & bit == 0 { 0 } else { 1 << (free & (bit - 1)).count_ones() }
        });
        let &Self { simd, weights, .. } = self;
        Join { shape, simd, parallel, weights, groups, subsets, fillings, middle }.count()
    }
}
