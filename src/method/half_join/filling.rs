//! Fillings: the queens in the rows of one stage, what they ask of the blocks, and how often they count.

use super::diagonals::Layout;
use super::kernels::Test;
use super::mirrors::Mirrors;
use super::prefixes::Middle;
use super::shape::Shape;
use crate::board::{Board, bits};
use crate::prefix::Prefix;

/// How solutions are weighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Every completion of the prefix counts once.
    Completions,
    /// Only what the symmetries leave, weighted: with the prefixes' multiplicities it makes all solutions.
    Symmetric,
}

/// The prefix of the next stage that some queens in the stage's rows make of one of this stage.
#[derive(Clone, Debug)]
pub struct Extension {
    /// The prefix with these queens; its multiplicity counts from the prefix before.
    pub prefix: Prefix,
    /// Their rows and columns, from the top.
    pub queens: Vec<(u32, u32)>,
}

/// What an extension asks of the blocks.
#[derive(Clone, Debug)]
pub struct Filling {
    /// The prefix with its queens; its multiplicity counts from the prefix before.
    pub prefix: Prefix,
    /// Their columns, among those that the prefix before leaves free.
    pub columns: u32,
    /// What a placement above and one below must leave free.
    pub tests: [Test; 2],
}

/// All ways to go on from a prefix to the next stage, up to the mirrors that leave it as it is.
pub fn extensions(shape: Shape, prefix: &Prefix, weights: Weights) -> Vec<Extension> {
    let n = shape.n;
    let rows: Vec<u32> = shape.stage_rows().collect();
    let mut found = Vec::new();
    let mut push = |columns: &[u32], board: Board| {
        let orbit = match weights {
            Weights::Completions => Some((1, Mirrors::default())),
            Weights::Symmetric => Middle::of(prefix).unmoved.orbit_if_smallest(n, columns),
        };
        if let Some((multiplicity, unmoved)) = orbit {
            let queens: Vec<_> = rows.iter().copied().zip(columns.iter().copied()).collect();
            let middle = Middle::of(prefix).with(n, queens.iter().copied(), unmoved);
            found.push(Extension { prefix: middle.prefix(board, multiplicity), queens });
        }
    };
    let board = prefix.board;
    for first in bits(board.free_squares(rows[0])) {
        let next = board.place(rows[0], first);
        match rows.get(1) {
            None => push(&[first], next),
            Some(&row) => {
                bits(next.free_squares(row)).for_each(|second| push(&[first, second], next.place(row, second)))
            }
        }
    }
    found
}

/// All fillings of the next stage's rows that fit a prefix, those with the same columns next to each other.
pub fn fillings(shape: Shape, prefix: &Prefix, layout: &Layout, weights: Weights) -> Vec<Filling> {
    let free = prefix.board.free_column_mask;
    let mut found: Vec<_> = extensions(shape, prefix, weights)
        .into_iter()
        .map(|Extension { prefix, queens }| {
            let columns = queens.iter().map(|&(_, column)| 1 << (free & ((1 << column) - 1)).count_ones()).sum();
            Filling { columns, tests: tests(shape, layout, &queens), prefix }
        })
        .collect();
    found.sort_by_key(|filling| filling.columns);
    found
}

fn tests(shape: Shape, layout: &Layout, queens: &[(u32, u32)]) -> [Test; 2] {
    let above = layout.sides[0].test(queens.iter().copied());
    let mut below = layout.sides[1].test(queens.iter().map(|&(row, column)| (shape.n - 1 - row, column)));
    if layout.mirrored {
        // What is tested is the key of the placement above whose mirror image is meant.
        below = Test { low: below.low.rotate_right(16), rotate: 16, ..below };
    }
    [above, below]
}

/// What the join needs to know of a filling of the last stage.
#[derive(Clone, Copy, Debug)]
pub struct Last {
    /// The columns, among those that the prefix before leaves free.
    pub columns: u32,
    /// What a placement above and one below must leave free.
    pub tests: [Test; 2],
    /// How often a pair counts, before the weight of transposition; negative in an inclusion and exclusion.
    pub weight: i64,
    /// The rows of the queens in the two middle columns, if the centre rows have them.
    pub middle: [Option<u32>; 2],
    /// The [`middle_number`](super::mirrors::middle_number) of the middle rows.
    pub number: i32,
}

impl Last {
    /// A filling of the last stage; none stands for a prefix with all centre rows.
    pub fn new(prefix: &Prefix, filling: Option<&Filling>, layout: &Layout) -> Vec<Self> {
        let middle = Middle::of(filling.map_or(prefix, |filling| &filling.prefix));
        let mut variants = vec![Self {
            columns: filling.map_or(0, |filling| filling.columns),
            tests: filling.map_or([Test::default(); 2], |filling| filling.tests),
            weight: filling.map_or(1, |filling| i64::from(filling.prefix.multiplicity)),
            middle: middle.rows(),
            number: middle.number() as i32,
        }];
        // A join diagonal without a bit in the low part: pairs where neither has it, or only one. With A0 and B0 for those
        // that do not have it that is (A0, B) + (A, B0) - (A0, B0).
        for &bit in &layout.extra {
            variants = variants
                .iter()
                .flat_map(|&v| {
                    let with = |[above, below]: [bool; 2], weight| {
                        let mut tests = v.tests;
                        tests[0].high |= if above { bit } else { 0 };
                        tests[1].high |= if below { bit } else { 0 };
                        Self { tests, weight, ..v }
                    };
                    [with([true, false], v.weight), with([false, true], v.weight), with([true, true], -v.weight)]
                })
                .collect();
        }
        variants
    }
}
