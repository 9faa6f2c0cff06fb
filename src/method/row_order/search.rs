//! Row order: place one queen a row, from the top down.
//!
//! `free squares of the next row = not (columns | left | right)`, where `left` and `right` are the two sets of diagonals
//! as they cross that row: one row further down they are shifted by one bit, left and right.
//! This is the classic bit-mask backtracking (M. Richards, "Backtracking algorithms in MCPL using bit patterns and
//! recursion", 1997), made iterative. It is the baseline and the oracle of every better method.
//!
//! Twin of `shaders/row_order.wgsl`, step by step: a trip of the loop goes back if it must, then places one queen. A
//! level is put on the stack only if squares of it remain to be tried, so going back is one read however far it goes.

use crate::board::{Line, MAX_N, full_mask};
use crate::method::descent::Descent;
use crate::prefix::{Completions, Prefix};

/// The board as the next free row sees it. The shader gets prefixes in this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rows {
    /// Occupied columns.
    pub columns: u32,
    /// Squares of the next row attacked along diagonals; shifted left by one bit a row.
    pub left: u32,
    /// Squares of the next row attacked along antidiagonals; shifted right by one bit a row.
    pub right: u32,
}

impl Rows {
    /// The prefix as its first free row sees it.
    ///
    /// The queens of the prefix must be in its first rows, as [`RowPrefixes`](super::RowPrefixes) places them.
    pub fn new(prefix: &Prefix) -> Self {
        let board = &prefix.board;
        let full = full_mask(board.n);
        let row = board.queens();
        debug_assert_eq!(board.free_row_mask, full & !full_mask(row), "the first rows are the occupied ones");
        if row == board.n {
            return Self { columns: full, left: 0, right: 0 };
        }
        Self {
            columns: full & !board.free_column_mask,
            left: (board.diagonal_mask >> (board.n - 1 - row)) as u32 & full,
            right: (board.antidiagonal_mask >> row) as u32 & full,
        }
    }
}

impl Rows {
    /// The squares of the next row that are tried one after the other: none if that row has one free column at most.
    pub fn first_squares(&self, n: u32) -> u32 {
        let free = full_mask(n) & !self.columns;
        if free & free.wrapping_sub(1) == 0 { 0 } else { free & !(self.left | self.right) }
    }
}

/// Counts the solutions that complete a prefix, and the queens placed on the way.
pub fn count_completions(prefix: &Prefix) -> Completions {
    search::<true>(prefix)
}

/// The same, without counting nodes.
pub fn count_solutions(prefix: &Prefix) -> Completions {
    search::<false>(prefix)
}

fn search<const NODES: bool>(prefix: &Prefix) -> Completions {
    let full = full_mask(prefix.board.n);
    let Rows { mut columns, mut left, mut right } = Rows::new(prefix);
    let mut stack = [(0u32, Rows::default()); MAX_N as usize];
    let mut height = 0;
    let mut found = Completions::default();

    let free = full & !columns;
    let mut squares = free & !(left | right);
    if free & free.wrapping_sub(1) == 0 {
        found.solutions = u64::from(free == 0 || squares != 0);
        found.nodes = u64::from(squares != 0);
        return found;
    }
    loop {
        if squares == 0 {
            if height == 0 {
                return found;
            }
            height -= 1;
            (squares, Rows { columns, left, right }) = stack[height];
        }
        let queen = squares & squares.wrapping_neg();
        squares ^= queen;
        if squares != 0 {
            stack[height] = (squares, Rows { columns, left, right });
            height += 1;
        }
        columns |= queen;
        left = (left | queen) << 1;
        right = (right | queen) >> 1;
        found.nodes += u64::from(NODES);
        let free = full & !columns;
        squares = free & !(left | right);
        // The last row has one free column: it needs no step of its own.
        if free & free.wrapping_sub(1) == 0 {
            found.solutions += u64::from(squares != 0);
            found.nodes += u64::from(NODES && squares != 0);
            squares = 0;
        }
    }
}

/// One random [descent](Descent) below a prefix: an unbiased estimate of the nodes that [`count_completions`] would visit.
pub fn probe(prefix: &Prefix, random: &mut fastrand::Rng) -> f64 {
    let (mut descent, mut nodes) = (Descent::from(prefix.board), 0.0);
    for row in prefix.board.queens()..prefix.board.n {
        if descent.step(Line::Row(row), descent.board.free_squares(row), random).is_none() {
            break;
        }
        nodes += descent.weight;
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::row_order::RowPrefixes;
    use crate::problem::Problem;

    fn prefixes(n: u32, depth: u32) -> RowPrefixes {
        RowPrefixes::new(&Problem::empty(n).unwrap(), depth)
    }

    fn count(n: u32, rows: u32) -> u64 {
        prefixes(n, rows).map(|p| u64::from(p.multiplicity) * count_completions(&p).solutions).sum()
    }

    #[test]
    fn every_prefix_depth_gives_the_same_count() {
        let known = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724];
        for (n, &expected) in (0..).zip(&known) {
            for rows in 0..=n {
                assert_eq!(count(n, rows), expected, "n={n} rows={rows}");
            }
        }
    }

    #[test]
    fn probes_estimate_the_nodes() {
        let prefix = prefixes(10, 1).nth(2).unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        let estimate = (0..20_000).map(|_| probe(&prefix, &mut random)).sum::<f64>() / 20_000.0;
        let nodes = count_completions(&prefix).nodes as f64;
        assert!((estimate / nodes - 1.0).abs() < 0.03, "{estimate} for {nodes}");
    }

    #[test]
    fn nodes_of_the_four_queens_by_hand() {
        // Below the empty board: 4 queens in row 0; 2, 1, 1, 2 in row 1; 0, 1, 1, 1, 1, 0 in row 2; 0, 1, 1, 0 in row 3.
        let empty = prefixes(4, 0).next().unwrap();
        assert_eq!(count_completions(&empty), Completions { solutions: 2, nodes: 4 + 6 + 4 + 2, tail_nodes: 0 });
    }
}
