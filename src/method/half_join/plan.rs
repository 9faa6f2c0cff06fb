//! The cost model: how many centre rows, and how many of them in the prefix.
//!
//! Fewer centre rows mean longer lists, in memory and to be compared; more mean more fillings, each with lists of its own.
//! The sizes are estimated by random descents, always the same ones; the costs are measured.

use super::columns::sets;
use super::counter::MAX_SPLITS;
use super::shape::Shape;
use crate::board::{Board, bits};

/// What things cost, in nanoseconds on one core, and in bytes.
mod cost {
    /// To begin a filling: its layout, and buffers.
    pub const FILLING: f64 = 20_000.0;
    /// To make the list of a set, and for each list that it is made of.
    pub const SET: f64 = 25.0;
    pub const RUN: f64 = 6.0;
    /// To test a key of 64 bits, and one of 32.
    pub const TEST: f64 = 0.45;
    pub const TEST_LOW: f64 = 0.25;
    /// To compare a pair of long lists, and how much longer in all for each key.
    pub const PAIR: f64 = 0.0075;
    pub const TABLES: f64 = 1.0;
    /// Lists with more pairs are split, and then so much less of their pairs is compared the more they have.
    pub const SPLIT_PAIRS: f64 = 400e3;
    pub const SPLIT_POWER: f64 = 0.3;
    /// How much longer joining takes for each join diagonal that does not fit 32 bits, up to twice as long in all.
    pub const WIDE: f64 = 0.5;
    /// How much of the work is left where one middle row is the whole centre: it is the same upside down.
    pub const UPSIDE_DOWN: f64 = 0.55;
    /// For each key of two lists to be compared.
    pub const KEY: f64 = 0.7;
    /// How many more pairs there are than if lists were of equal length.
    pub const SKEW: f64 = 1.8;
    /// Of the program itself.
    pub const PROGRAM_BYTES: f64 = 16e6;
    /// The part of the bytes that is for lists. Allocators keep what lists of other sizes have left.
    pub const KEPT: f64 = 0.6;
    /// Of a set: where its list is.
    pub const RUN_BYTES: f64 = 12.0;
    /// Prefixes differ, and estimates err: the largest lists may be so much longer than the average.
    pub const SPREAD: f64 = 2.1;
    /// How much of a list is in the largest of its passes, for each column that they are split by.
    pub const LARGEST: f64 = 0.65;
    /// How often lists are grown in all passes, for each column that they are split by.
    pub const REPEATED: f64 = 1.4;
}

/// A shape and what it is estimated to take.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How the rows are shared out.
    pub shape: Shape,
    /// Time on one core.
    pub nanoseconds: f64,
    /// The part of it that growing lists takes.
    pub growing: f64,
    /// Bytes for one filling.
    pub memory: f64,
    /// How many prefixes there are.
    pub prefixes: f64,
    /// How many fillings a prefix has.
    pub fillings: f64,
}

impl Plan {
    /// The plan with each filling in as many passes as keep it to a number of bytes, if some do.
    fn in_passes(self, bytes: f64) -> Self {
        let fixed = fixed_memory(self.shape);
        let passes = |columns: i32| Self {
            nanoseconds: self.nanoseconds + self.growing * (cost::REPEATED.powi(columns) - 1.0),
            memory: (self.memory - fixed) * cost::LARGEST.powi(columns) + fixed,
            ..self
        };
        (0..=MAX_SPLITS as i32).map(passes).find(|plan| plan.memory <= bytes).unwrap_or(self)
    }
}

/// The best plan with so many bytes and at least so many prefixes. If there is none, as many prefixes as can be, and if that
/// takes more bytes, as few bytes as can be.
pub fn choose(plans: &[Plan], memory: usize, prefixes: f64) -> Option<Plan> {
    let bytes = memory as f64;
    let most = plans.iter().map(|plan| plan.prefixes).fold(0.0, f64::max).min(prefixes);
    let plans = plans.iter().filter(|plan| plan.prefixes >= most).map(|plan| plan.in_passes(bytes));
    // Of plans that take the same time those with the fewest prefixes, which come first.
    plans.min_by(|a, b| {
        let beyond = |plan: &Plan| (plan.memory - bytes).max(0.0);
        beyond(a).total_cmp(&beyond(b)).then(a.nanoseconds.total_cmp(&b.nanoseconds))
    })
}

/// Bytes that lists may take of those that a plan has.
pub fn list_bytes(shape: Shape, memory: usize) -> usize {
    (cost::KEPT * (memory as f64 - fixed_memory(shape)).max(0.0)) as usize
}

/// What does not depend on the number of placements.
fn fixed_memory(shape: Shape) -> f64 {
    let (columns, block) = (shape.free_columns(), shape.block());
    let lists = 2.0 * sets(columns, block - 1) as f64 + (0..block - 1).map(|j| sets(columns, j) as f64).sum::<f64>();
    cost::PROGRAM_BYTES + lists * cost::RUN_BYTES
}

/// All plans for a board, with enough memory, by number of centre rows and then of prefix rows.
pub fn plans(n: u32) -> Vec<Plan> {
    (0..n).filter_map(|centre| Shape::new(n, centre, 0)).flat_map(plans_of).collect()
}

fn plans_of(root: Shape) -> Vec<Plan> {
    let Sizes { prefixes, placements } = Sizes::new(root);
    let (columns, block) = (root.free_columns(), root.block() as usize);
    let fillings = prefixes[prefixes.len() - 1];
    let each = |rows: usize| sets(columns, rows as u32) as f64;
    let mut growing = cost::FILLING;
    let mut joining = 0.0;
    for rows in 1..=block {
        // Each list of the row before is read once for each column that it has not.
        let runs = each(rows - 1) * f64::from(columns + 1 - rows as u32);
        let tests = placements[rows - 1] * 0.7 * f64::from(columns + 1 - rows as u32);
        let test = if rows == block { cost::TEST_LOW } else { cost::TEST };
        let time = 2.0 * (each(rows) * cost::SET + runs * cost::RUN + tests * test);
        if rows == block { joining += time } else { growing += time }
    }
    let length = placements[block] / each(block);
    // Transposition leaves half of the pairs.
    joining += each(block) * (cost::SKEW / 2.0 * pairs_cost(length) + 2.0 * cost::KEY * length);
    // Each queen of the centre is on two diagonals, most of them join diagonals.
    let join_bits = 4.0 * f64::from(root.block()) - 2.0 - 1.7 * f64::from(root.centre);
    joining *= 1.0 + (cost::WIDE * (join_bits - f64::from(u32::BITS))).clamp(0.0, 1.0);
    if root.centre == 1 {
        growing *= cost::UPSIDE_DOWN;
        joining *= cost::UPSIDE_DOWN;
    }
    let bytes = 8.0 * placements[block - 1] + 8.0 * placements[block.saturating_sub(2)];
    let memory = fixed_memory(root) + cost::SPREAD * bytes;
    let mut shapes = vec![root];
    while let Some(&last) = shapes.last()
        && last.fixed < last.centre
    {
        shapes.push(last.next_stage());
    }
    let plan = |(shape, &prefixes): (Shape, &f64)| Plan {
        shape,
        nanoseconds: fillings * (growing + joining),
        growing: fillings * growing,
        memory,
        prefixes,
        fillings: fillings / prefixes,
    };
    shapes.into_iter().zip(&prefixes).map(plan).collect()
}

/// Of the pairs of two lists of some length.
fn pairs_cost(length: f64) -> f64 {
    let pairs = length * length;
    (pairs * cost::PAIR + length * cost::TABLES)
        * (cost::SPLIT_PAIRS / pairs.max(cost::SPLIT_PAIRS)).powf(cost::SPLIT_POWER)
}

/// Estimates for a number of centre rows.
#[derive(Clone, Debug)]
struct Sizes {
    /// How many prefixes there are, up to symmetry, at each stage.
    prefixes: Vec<f64>,
    /// How many placements a block has, on the average, after each row.
    placements: Vec<f64>,
}

impl Sizes {
    /// D. E. Knuth's estimate (1975): the product of the numbers of choices met on random descents.
    fn new(root: Shape) -> Self {
        const DESCENTS: u32 = 400;
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let mut stages = vec![root];
        while let Some(&last) = stages.last()
            && last.fixed < last.centre
        {
            stages.push(last.next_stage());
        }
        let mut prefixes = vec![0.0; stages.len()];
        let mut placements = vec![0.0; root.block() as usize + 1];
        for _ in 0..DESCENTS {
            let mut board = Board::empty(root.n);
            let mut weight = 1.0;
            for (i, prefixes) in prefixes.iter_mut().enumerate() {
                if i > 0 {
                    stages[i - 1].stage_rows().for_each(|row| weight *= place(&mut board, row, &mut random));
                }
                *prefixes += weight;
            }
            placements[0] += weight;
            for row in 0..root.block() {
                weight *= place(&mut board, row, &mut random);
                placements[row as usize + 1] += weight;
            }
        }
        let all = prefixes[prefixes.len() - 1].max(1e-9);
        placements.iter_mut().for_each(|placements| *placements /= all);
        for (i, prefixes) in prefixes.iter_mut().enumerate() {
            *prefixes /= f64::from(DESCENTS) * if i == 0 { 1.0 } else { 4.0 };
        }
        Self { prefixes, placements }
    }
}

/// Places a queen at random. Gives the number of choices there were.
fn place(board: &mut Board, row: u32, random: &mut Random) -> f64 {
    let squares = board.free_squares(row);
    let choices = squares.count_ones();
    if let Some(column) = bits(squares).nth(random.below(choices) as usize) {
        *board = board.place(row, column);
    }
    f64::from(choices)
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
            let plan = plans(n).into_iter().find(|plan| plan.shape == shape).unwrap();
            let prefixes = MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed).count() as f64;
            assert!((plan.prefixes / prefixes - 1.0).abs() < 0.15, "{plan:?}: {prefixes} prefixes");
        }
    }

    #[test]
    fn less_memory_never_makes_it_faster() {
        for n in 3..=32 {
            let mut before = 0.0;
            for memory in [1 << 34, 1 << 31, 1 << 28, 1 << 25] {
                let plan = choose(&plans(n), memory, 0.0).unwrap();
                assert!(plan.nanoseconds >= before, "n={n} memory={memory}");
                assert!(plan.memory <= memory as f64 || n > 24, "n={n} memory={memory}: {plan:?}");
                before = plan.nanoseconds;
            }
        }
        assert!(choose(&plans(2), usize::MAX, 0.0).is_none());
    }
}
