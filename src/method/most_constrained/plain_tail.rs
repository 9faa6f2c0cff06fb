//! The plain tail: the last rows of a board that was searched with care so far, row by row.
//!
//! `free squares of the next row = its squares at entry and not (columns | left | right)` of the new queens alone
//!
//! Unlike [row order](crate::method::row_order) the rows left need not be neighbours: the two sets of diagonals are shifted by
//! the gap to the next free row. The rows are taken from the top or from the bottom, whichever end has fewer ways to
//! place its first two queens: that saves a quarter of the nodes for the price of a comparison.
//!
//! Twin of `shaders/plain_tail.wgsl`, step by step.

use crate::board::{Board, MAX_N, bits};
use crate::prefix::Completions;

/// A board as its last rows see it, in the order in which they will be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Survivor {
    /// Of each row its free squares, and the gap from the row before it.
    rows: [(u32, u32); MAX_N as usize],
    count: usize,
}

impl Survivor {
    /// Takes the free squares of the free rows.
    fn new(board: &Board) -> Self {
        let mut rows = [(0, 0); MAX_N as usize];
        let mut count = 0;
        for row in bits(board.free_row_mask) {
            rows[count] = (board.free_squares(row), row);
            count += 1;
        }
        let taken = &mut rows[..count];
        if let [first, second, ..] = *taken
            && let [.., before_last, last] = *taken
        {
            let ways = |a: (u32, u32), b: (u32, u32)| a.0.count_ones() * b.0.count_ones();
            if ways(last, before_last) < ways(first, second) {
                taken.reverse();
            }
        }
        let mut before = taken.first().map_or(0, |&(_, row)| row);
        for (_, row) in taken {
            let gap = row.abs_diff(before);
            before = *row;
            *row = gap;
        }
        Self { rows, count }
    }
}

/// Counts the ways to fill the free rows of a board, and the queens placed on the way.
pub fn count_completions(board: &Board) -> Completions {
    let survivor = Survivor::new(board);
    let mut found = Completions::default();
    let Some(last) = survivor.count.checked_sub(1) else {
        return Completions { solutions: 1, ..found };
    };
    let mut stack = [[0u32; 4]; MAX_N as usize];
    let mut height = 0;
    let [mut columns, mut left, mut right] = [0u32; 3];
    let mut squares = survivor.rows[0].0;
    if last == 0 {
        let solutions = u64::from(squares != 0);
        return Completions { solutions, nodes: solutions, tail_nodes: solutions };
    }
    loop {
        if squares == 0 {
            if height == 0 {
                found.tail_nodes = found.nodes;
                return found;
            }
            height -= 1;
            [squares, columns, left, right] = stack[height];
        }
        let queen = squares & squares.wrapping_neg();
        squares ^= queen;
        if squares != 0 {
            stack[height] = [squares, columns, left, right];
            height += 1;
        }
        columns |= queen;
        found.nodes += 1;
        let row = columns.count_ones() as usize;
        let (free, gap) = survivor.rows[row];
        left = (left | queen) << gap;
        right = (right | queen) >> gap;
        squares = free & !(columns | left | right);
        // The last row has one free column: it needs no step of its own.
        if row == last {
            found.solutions += u64::from(squares != 0);
            found.nodes += u64::from(squares != 0);
            squares = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::row_order::{self, RowPrefixes};
    use crate::problem::Problem;

    #[test]
    fn on_the_first_rows_it_is_row_order() {
        for rows in 0..=8 {
            for prefix in RowPrefixes::new(&Problem::empty(8).unwrap(), rows) {
                let tail = count_completions(&prefix.board);
                assert_eq!(tail.solutions, row_order::count_completions(&prefix).solutions, "{prefix:?}");
            }
        }
    }

    #[test]
    fn rows_apart_from_each_other() {
        // Rows 1 and 4 of a board of 5, filled with 0 2 4 1 3: one queen more or less in every pair of rows.
        let solution = [0, 2, 4, 1, 3];
        for (a, b) in [(0, 1), (1, 4), (0, 4), (2, 3)] {
            let mut board = Board::empty(5);
            for row in (0..5).filter(|&row| row != a && row != b) {
                board = board.place(row, solution[row as usize]);
            }
            assert_eq!(count_completions(&board).solutions, 1, "rows {a} and {b}");
        }
    }
}
