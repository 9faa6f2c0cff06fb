//! Prefixes of the first rows, one of each mirror pair.
//!
//! A solution and its left-right mirror image are two different solutions (for n > 1), so only those whose first queen is
//! in the left half are searched and each counts twice. For odd n a first queen in the middle column mirrors onto itself;
//! then the second row decides, whose queen cannot be in the middle.

use crate::board::{Board, full_mask};
use crate::prefix::Prefix;
use crate::problem::Problem;
use crate::symmetry::Symmetry;

/// The prefixes with queens in the first rows, in lexicographic order of their columns, one of each mirror pair.
///
/// Memory is one board a row, however many prefixes there are.
#[derive(Clone, Debug)]
pub struct RowPrefixes {
    depth: u32,
    /// Whether the mirror image of a solution is a solution too, so that the first row is halved.
    mirrors: bool,
    /// For each row placed so far: the board before it and the squares of it not yet tried.
    levels: Vec<(Board, u32)>,
    /// The one prefix of no rows, if that was asked for and not yet given.
    empty: Option<Prefix>,
}

impl RowPrefixes {
    /// All prefixes of a board's first `depth` rows.
    ///
    /// # Panics
    /// If `depth` is greater than `n`.
    pub fn new(problem: &Problem, depth: u32) -> Self {
        let (n, board) = (problem.n(), *problem.board());
        assert!(depth <= n, "a board of {n} rows has no prefixes of {depth} rows");
        let mirrors = problem.symmetries().contains(Symmetry::LeftRight);
        let search = Self { depth, mirrors, levels: Vec::new(), empty: None };
        if depth == 0 {
            return Self { empty: Some(Prefix::new(board, 1)), ..search };
        }
        let half = if mirrors { full_mask(n.div_ceil(2)) } else { full_mask(n) };
        Self { levels: vec![(board, board.free_squares(0) & half)], ..search }
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
            let on_mirror_axis = self.mirrors && row == 0 && 2 * column + 1 == n;
            if row + 1 == self.depth {
                let multiplicity = if self.mirrors && !on_mirror_axis { 2 } else { 1 };
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
        let prefixes = |n, depth| RowPrefixes::new(&Problem::empty(n).unwrap(), depth);
        let multiplicities = |n, depth| prefixes(n, depth).map(|p| p.multiplicity).collect::<Vec<_>>();
        assert_eq!(multiplicities(0, 0), [1]);
        assert_eq!(multiplicities(1, 1), [1]);
        assert_eq!(multiplicities(6, 1), [2, 2, 2]);
        assert_eq!(multiplicities(7, 1), [2, 2, 2, 1]);
        assert_eq!(prefixes(5, 5).map(|p| p.multiplicity).sum::<u32>(), 10);
    }

    #[test]
    fn the_largest_board_has_prefixes_too() {
        let largest = Problem::empty(32).unwrap();
        assert_eq!(RowPrefixes::new(&largest, 1).count(), 16);
        assert_eq!(RowPrefixes::new(&largest, 2).map(|p| p.multiplicity as usize).sum::<usize>(), 31 * 30);
    }
}
