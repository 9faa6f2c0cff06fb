//! The cost model: how many centre rows, and how many of them in the prefix.
//!
//! Fewer centre rows mean more pairs, more of them more and smaller groups. Fewer prefix rows mean longer lists, in memory
//! and enumerated less often. The sizes are estimated by random descents, the costs are measured ones.

use super::block::PIECE;
use super::diagonals::{LOW_BITS, Layout};
use super::kernels::WIDTH;
use super::shape::Shape;
use super::subsets::{Subsets, binomial};
use crate::board::{Board, bits};

/// What things cost, in nanoseconds on one core of a 2.4 GHz server with AVX2, and in bytes.
mod cost {
    /// To enumerate and sort a placement.
    pub const PLACEMENT: f64 = 16.0;
    /// To test a placement against a filling.
    pub const READ: f64 = 0.25;
    /// To look at two groups and a filling, however few placements they have.
    pub const JOIN: f64 = 110.0;
    /// To copy out a group at a stage before the last.
    pub const STAGE: f64 = 50.0;
    /// To compare a pair of short lists.
    pub const PAIR: f64 = 0.06;
    /// To compare a key with a matrix of keys, and to make one, as so many keys.
    pub const KEY: f64 = 3.5;
    pub const MATRIX: f64 = 125.0;
    /// How many more pairs there are than if groups were of equal size.
    pub const SKEW: f64 = 1.4;
    /// Of a placement while it waits to be sorted.
    pub const RECORD_BYTES: f64 = 8.0;
    /// How many of the placements wait at a time if there are columns enough to take them in four passes.
    pub const WAITING: f64 = 0.35;
    /// Of what is left of a placement at later stages: one in ten or fewer.
    pub const LATER_BYTES: f64 = 1.0;
    /// Of a sorted placement.
    pub const KEY_BYTES: f64 = 6.0;
    /// Of a segment: where it starts, in both blocks, now and at later stages.
    pub const SEGMENT_BYTES: f64 = 16.0;
    /// Of the program itself, and of what allocators keep.
    pub const PROGRAM_BYTES: f64 = 16e6;
    /// How much of a list is in the largest of its passes, for each column that they are split by.
    pub const LARGEST: f64 = 0.65;
    /// How often a placement is enumerated in all passes, for each column that they are split by.
    pub const REPEATED: f64 = 1.6;
    /// And how much more to find out how many columns that takes.
    pub const FAILED: f64 = 1.4;
    /// Prefixes differ, and estimates err: the largest list may be so much longer than the average, for each row of the
    /// prefix and for none.
    pub const SPREAD: [f64; 2] = [0.15, 1.1];
}

/// A shape and what it is estimated to take.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How the rows are shared out.
    pub shape: Shape,
    /// Time on one core.
    pub nanoseconds: f64,
    /// The part of it that enumeration and sorting take.
    pub enumeration: f64,
    /// Bytes for one prefix.
    pub memory: f64,
    /// How many prefixes there are.
    pub prefixes: f64,
}

/// The most columns that passes are split by: with each of them they are three times as many.
const MOST_SPLITS: i32 = 6;

impl Plan {
    /// The plan with each prefix in as many passes as keep it to a number of bytes, if some do.
    fn in_passes(self, bytes: f64) -> Self {
        let fixed = fixed_memory(self.shape);
        let lists = (self.memory - fixed) * 2.0 / lists(self.shape);
        let passes = |columns: i32| Self {
            nanoseconds: self.nanoseconds + self.enumeration * (cost::FAILED * cost::REPEATED.powi(columns) - 1.0),
            memory: lists * cost::LARGEST.powi(columns) + fixed,
            ..self
        };
        if self.memory <= bytes {
            return self;
        }
        (1..=MOST_SPLITS).map(passes).find(|plan| plan.memory <= bytes).unwrap_or(self)
    }
}

/// How many random descents a plan is made of: small boards would wait for it longer than for the count.
fn descents(n: u32) -> u32 {
    if n <= 16 { 200 } else { 2000 }
}

/// More prefixes than this take minutes to be listed.
const MOST_LISTED: f64 = (1u64 << 28) as f64;

/// All shapes worth a thought, or those of them with so many prefix rows, with their estimates.
pub fn plans(n: u32, prefix_rows: Option<u32>) -> Vec<Plan> {
    let fixed = prefix_rows.unwrap_or(0);
    // Blocks of few rows have next to nothing to join; but rows of the prefix are centre rows.
    let fewest_rows = if n > 12 { 5.min((n - fixed) / 2) } else { 1 };
    let mut plans = Vec::new();
    for centre in (fixed.max(2 - n % 2)..=n.saturating_sub(2)).filter(|centre| (n + centre).is_multiple_of(2)) {
        let Some(root) = Shape::new(n, centre, 0) else { continue };
        if (fewest_rows..=10).contains(&root.block()) {
            plans.extend(plans_of(root));
        }
    }
    plans.retain(|plan| match prefix_rows {
        Some(rows) => plan.shape.fixed == rows,
        None => plan.prefixes <= MOST_LISTED,
    });
    plans
}

/// The fastest plan that keeps to a number of bytes a prefix, in passes if need be, and has so many prefixes. If there is
/// none, the one of those that keep to it with the most prefixes; or else the one with the fewest bytes. None only if there
/// is no plan.
pub fn choose(plans: &[Plan], memory: usize, prefixes: f64) -> Option<Plan> {
    let fits = || plans.iter().map(|plan| plan.in_passes(memory as f64)).filter(|plan| plan.memory <= memory as f64);
    fits()
        .filter(|plan| plan.prefixes >= prefixes)
        .min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds))
        .or_else(|| fits().max_by(|a, b| a.prefixes.total_cmp(&b.prefixes)))
        .or_else(|| plans.iter().min_by(|a, b| a.memory.total_cmp(&b.memory)).copied())
}

/// The most placements of a block that a number of bytes has room for.
pub fn most_placements(shape: Shape, memory: usize) -> usize {
    ((memory as f64 - fixed_memory(shape)).max(0.0) / bytes_per_placement(shape)) as usize
}

/// Bytes for each placement of a block. The other block's, if they are not the same, are sorted already.
fn bytes_per_placement(shape: Shape) -> f64 {
    let waiting = if shape.free_columns() >= 16 { cost::WAITING } else { 1.0 };
    cost::RECORD_BYTES * waiting + cost::LATER_BYTES + cost::KEY_BYTES * lists(shape)
}

/// How many lists there are: the block below can be the block above upside down.
fn lists(shape: Shape) -> f64 {
    let mirrored = Layout::new(shape, &Board::empty(shape.n), LOW_BITS).is_ok_and(|layout| layout.mirrored);
    if mirrored { 1.0 } else { 2.0 }
}

fn fixed_memory(shape: Shape) -> f64 {
    let segments = binomial(shape.free_columns(), shape.block()) as f64 * f64::from(shape.block());
    segments * cost::SEGMENT_BYTES + unfinished_pieces(shape) as f64 + cost::PROGRAM_BYTES
}

/// Bytes of the pieces of buckets that a thread has begun to fill.
pub fn unfinished_pieces(shape: Shape) -> usize {
    (8 * PIECE) << shape.free_columns().saturating_sub(Subsets::low_bits(shape.free_columns()))
}

/// The plans with some number of centre rows, by number of prefix rows.
fn plans_of(root: Shape) -> Vec<Plan> {
    let mut stages = vec![root];
    while let Some(&last) = stages.last()
        && last.fixed < last.centre
    {
        stages.push(last.next_stage());
    }
    let sizes = sizes(&stages);
    (0..stages.len())
        .map(|first| {
            let shape = stages[first];
            let enumeration = lists(shape) * sizes[first].prefixes * sizes[first].placements * cost::PLACEMENT;
            let mut time = enumeration;
            for i in first..stages.len().max(2) - 1 {
                let (now, next) = (stages[i], stages[i + 1]);
                let block = now.block();
                let groups = binomial(next.free_columns(), block) as f64;
                let read = sizes[i].placements * groups / binomial(now.free_columns(), block) as f64;
                let is_last = i + 2 == stages.len();
                let each = if is_last { cost::JOIN / 2.0 } else { cost::STAGE };
                time += sizes[i + 1].prefixes * 2.0 * (read * cost::READ + groups * each);
            }
            let end = sizes[stages.len() - 1];
            let groups = binomial(root.n - root.centre, root.block()) as f64;
            let size = end.placements / groups;
            // Transposition leaves half of the pairs. Some of them are between all of two groups, some between segments.
            let pair = (pair_cost(size) + pair_cost(size / 4.0)) / 2.0;
            time += end.prefixes * groups * (size * size * cost::SKEW / 2.0) * pair;
            if first + 1 == stages.len() {
                time += end.prefixes * groups * cost::JOIN;
            }
            let spread = cost::SPREAD[0] * f64::from(shape.fixed) + cost::SPREAD[1];
            let memory = sizes[first].placements * spread * bytes_per_placement(shape) + fixed_memory(shape);
            Plan { shape, nanoseconds: time, enumeration, memory, prefixes: sizes[first].prefixes }
        })
        .collect()
}

/// Of a pair of two lists of some size, as the kernels count them.
fn pair_cost(size: f64) -> f64 {
    let matrices = size / WIDTH as f64 + 0.5;
    (matrices * (size + cost::MATRIX) * cost::KEY / (size * size)).min(cost::PAIR)
}

/// Estimates for a stage.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    /// How many prefixes there are, up to symmetry.
    prefixes: f64,
    /// How many placements a block has, on the average.
    placements: f64,
}

/// D. E. Knuth's estimate (1975): the product of the numbers of choices met on random descents.
fn sizes(stages: &[Shape]) -> Vec<Size> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut sums = vec![Size::default(); stages.len()];
    let descents = descents(stages[0].n);
    for _ in 0..descents {
        let mut board = Board::empty(stages[0].n);
        let mut weight = 1.0;
        for (i, &shape) in stages.iter().enumerate() {
            if i > 0 {
                weight *= place(&mut board, stages[i - 1].stage_rows(), &mut random);
            }
            sums[i].prefixes += weight;
            // A block nearest its end first, as everywhere.
            sums[i].placements += weight * place(&mut board.clone(), (0..shape.block()).rev(), &mut random);
        }
    }
    for (sum, shape) in sums.iter_mut().zip(stages) {
        sum.placements /= sum.prefixes.max(1e-9);
        sum.prefixes /= f64::from(descents) * if shape.fixed == 0 { 1.0 } else { 4.0 };
    }
    sums
}

/// Places queens at random. Gives the number of choices there were, 0 at a dead end.
fn place(board: &mut Board, rows: impl Iterator<Item = u32>, random: &mut Random) -> f64 {
    let mut weight = 1.0;
    for row in rows {
        let squares = board.free_squares(row);
        let Some(column) = bits(squares).nth(random.below(squares.count_ones()) as usize) else { return 0.0 };
        weight *= f64::from(squares.count_ones());
        *board = board.place(row, column);
    }
    weight
}

/// Marsaglia's xorshift: the same plan every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * u128::from(bound)) >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::half_join::prefixes::MiddlePrefixes;
    use crate::problem::Problem;

    #[test]
    fn estimates_are_near_the_truth() {
        for (n, centre, fixed) in [(14, 4, 2), (15, 3, 3), (16, 4, 4)] {
            let shape = Shape::new(n, centre, fixed).unwrap();
            let plan = plans(n, None).into_iter().find(|plan| plan.shape == shape).unwrap();
            let prefixes = MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed).count() as f64;
            assert!((plan.prefixes / prefixes - 1.0).abs() < 0.1, "{plan:?}: {prefixes} prefixes");
        }
    }

    #[test]
    fn less_memory_never_makes_it_faster() {
        for n in 3..=32 {
            let mut before = 0.0;
            for memory in [1 << 34, 1 << 31, 1 << 28, 1 << 25] {
                let plan = choose(&plans(n, None), memory, 0.0).unwrap();
                assert!(plan.nanoseconds >= before, "n={n} memory={memory}");
                assert!(plan.memory <= memory as f64 || n > 24, "n={n} memory={memory}: {plan:?}");
                before = plan.nanoseconds;
            }
        }
        assert!(choose(&plans(2, None), usize::MAX, 0.0).is_none());
    }
}
