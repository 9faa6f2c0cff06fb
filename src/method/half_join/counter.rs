//! Counting below one prefix: enumerate the blocks, filter them stage by stage, join what is left.

use rayon::prelude::*;

use super::block::Pass;
use super::diagonals::{LOW_BITS, Layout, TooWide};
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

/// The placements of both blocks, as far as a pass has them.
#[derive(Clone, Copy)]
struct Lists<'a> {
    groups: [&'a Groups; 2],
    passes: [Pass; 2],
}

impl Lists<'_> {
    /// Whether the queens of a prefix are in columns that the pass leaves to them; all of those if they are the `last`.
    fn fit(&self, prefix: &Prefix, last: bool) -> bool {
        let [above, below] = self.passes;
        let columns = !prefix.board.free_column_mask;
        columns & (above.needed | below.needed) == 0 && (!last || above.barred & below.barred & !columns == 0)
    }
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
        match Layout::new(shape, board, self.low_bits) {
            Ok(layout) => {
                let passes = [Pass::default(); 2];
                self.count_pass(shape, prefix, &layout, &subsets, passes, self.most).unwrap_or_else(|TooLarge| {
                    self.count_passes(shape, prefix, &layout, &subsets, passes, board.free_column_mask)
                })
            }
            // One stage less to filter makes it less wide: without filter rows every prefix fits.
            Err(TooWide) => extensions(shape, prefix, self.weights)
                .iter()
                .map(|next| i128::from(next.prefix.multiplicity) * self.count(shape.next_stage(), &next.prefix))
                .sum(),
        }
    }

    /// Counts in passes: the highest of the columns left has a queen above, or below, or between the blocks.
    fn count_passes(
        &self,
        shape: Shape,
        prefix: &Prefix,
        layout: &Layout,
        subsets: &Subsets,
        [above, below]: [Pass; 2],
        columns: u32,
    ) -> i128 {
        let column = 1 << columns.ilog2();
        let left = columns & !column;
        // Two different lists take more than one that is turned upside down.
        let most = if layout.mirrored { self.most / 2 } else { self.most };
        // A list that one column set makes too large cannot be split further; memory is then what it takes.
        let limit = if left == 0 { usize::MAX } else { most };
        let mut passes =
            vec![[above.needing(column), below.barring(column)], [above.barring(column), below.needing(column)]];
        if shape.fixed < shape.centre {
            passes.push([above.barring(column), below.barring(column)]);
        }
        passes
            .into_iter()
            .map(|passes| match self.count_pass(shape, prefix, layout, subsets, passes, limit) {
                Ok(count) => count,
                Err(TooLarge) => self.count_passes(shape, prefix, layout, subsets, passes, left),
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
            // Upside down, the placements below are placements above.
            let board = &layout.sides[if layout.mirrored { 0 } else { side }];
            Groups::new(shape, board, subsets, passes[side], most, (&self.pool, self.parallel))
        };
        let count = |above: &Groups, below: &Groups| {
            let lists = Lists { groups: [above, below], passes };
            self.descend(shape, prefix, layout, lists, subsets, self.parallel)
        };
        let above = groups(0)?;
        if layout.mirrored && passes[0] == passes[1] {
            let count = count(&above, &above);
            self.pool.give_back(above);
            return Ok(count);
        }
        let below = groups(1);
        let count = below.map(|below| {
            let count = count(&above, &below);
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
        lists: Lists,
        subsets: &Subsets,
        parallel: bool,
    ) -> i128 {
        let groups = lists.groups;
        if shape.fixed == shape.centre {
            return self.join(shape, prefix, groups, subsets, &Last::new(prefix, None, layout), parallel);
        }
        let next = shape.next_stage();
        let is_last = next.fixed == shape.centre;
        let mut fillings = fillings(shape, prefix, layout, self.weights);
        fillings.retain(|filling| lists.fit(&filling.prefix, is_last));
        if is_last {
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
            let filtered = Lists { groups: [&above, &below], ..lists };
            let count = self.descend(next, &filling.prefix, &next_layout, filtered, &next_subsets, parallel);
            self.pool.give_back(above);
            self.pool.give_back(below);
            i128::from(filling.prefix.multiplicity) * count
        };
        // Each thread would have filtered lists of its own, which the plan has room for once: about a tenth of these.
        let threads = rayon::current_num_threads();
        let segments = shape.block() as usize;
        let placements: u32 = groups.iter().map(|groups| groups.bounds(subsets.len() - 1, segments)[segments]).sum();
        let filtered = placements as usize / 8 + next_subsets.len() * 2 * segments;
        if parallel && fillings.len() >= 16 * threads && threads * filtered <= self.most / 4 {
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
        let free = prefix.board.free_column_mask;
        let middle = shape.middle_columns().map(|column| {
            let bit = 1 << column;
            if free & bit == 0 { 0 } else { 1 << (free & (bit - 1)).count_ones() }
        });
        let &Self { simd, weights, .. } = self;
        Join { shape, simd, parallel, weights, groups, subsets, fillings, middle }.count()
    }
}
