//! Prefixes of the first rows, one of each mirror pair.
//!
//! A solution and its left-right mirror image are two different solutions (for n > 1), so only those whose first queen is
//! in the left half are searched and each counts twice. For odd n a first queen in the middle column mirrors onto itself;
//! then the second row decides, whose queen cannot be in the middle.

use super::Prefix;
use crate::board::{Board, full_mask};

/// The prefixes with queens in the first rows, in lexicographic order of their columns, one of each mirror pair.
///
/// Memory is one board a row, however many prefixes there are.
#[derive(Clone, Debug)]
pub struct RowPrefixes {
    rows: u32,
    /// For each row placed so far: the board before it and the squares of it not yet tried.
    levels: Vec<(Board, u32)>,
    /// The one prefix of no rows, if that was asked for and not yet given.
    empty: Option<Prefix>,
}

impl RowPrefixes {
    /// All prefixes of `rows` rows on a board of `n`.
    ///
    /// # Panics
    /// If `rows` is greater than `n` or `n` greater than [`MAX_N`](crate::board::MAX_N).
    pub fn new(n: u32, rows: u32) -> Self {
        assert!(rows <= n, "a board of {n} rows has no {rows} prefix rows");
        let board = Board::empty(n);
        if rows == 0 {
            return Self { rows, levels: Vec::new(), empty: Some(Prefix::new(board, 1)) };
        }
        let left_half = full_mask(n.div_ceil(2));
        Self { rows, levels: vec![(board, left_half)], empty: None }
    }
}

impl Iterator for RowPrefixes {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        while let Some((board, squares)) = self.levels.last_mut() {
            if *squares == 0 {
                self.levels.pop();
                continue;
            }
            let (n, column) = (board.n, squares.trailing_zeros());
            *squares &= *squares - 1;
            let row = board.queens();
            let next = board.place(row, column);
            let on_mirror_axis = row == 0 && 2 * column + 1 == n;
            if row + 1 == self.rows {
                let multiplicity = if on_mirror_axis { 1 } else { 2 };
                return Some(Prefix::new(next, multiplicity));
            }
            let half = if on_mirror_axis { full_mask(n / 2) } else { full_mask(n) };
            self.levels.push((next, next.free_squares(row + 1) & half));
        }
        self.empty.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_is_halved() {
        let multiplicities = |n, rows| RowPrefixes::new(n, rows).map(|p| p.multiplicity).collect::<Vec<_>>();
        assert_eq!(multiplicities(0, 0), [1]);
        assert_eq!(multiplicities(1, 1), [1]);
        assert_eq!(multiplicities(6, 1), [2, 2, 2]);
        assert_eq!(multiplicities(7, 1), [2, 2, 2, 1]);
        assert_eq!(RowPrefixes::new(5, 5).map(|p| p.multiplicity).sum::<u32>(), 10);
    }

    #[test]
    fn the_largest_board_has_prefixes_too() {
        assert_eq!(RowPrefixes::new(32, 1).count(), 16);
        assert_eq!(RowPrefixes::new(32, 2).map(|p| p.multiplicity as usize).sum::<usize>(), 31 * 30);
    }
}
