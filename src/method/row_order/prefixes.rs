//! Prefixes of the first rows, one of each mirror pair.
//!
//! A solution and its left-right mirror image are two different solutions (for n > 1), so only those whose first queen is
//! in the left half are searched and each counts twice. For odd n a first queen in the middle column mirrors onto itself;
//! then the second row decides, whose queen cannot be in the middle.

use crate::board::{Board, full_mask};
use crate::prefix::{Prefix, Search};
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
    levels: Vec<Level>,
    /// The prefix to give before the search goes on.
    found: Option<Prefix>,
}

/// A row being filled: the board before it, the squares of it not yet tried, the one tried last.
#[derive(Clone, Copy, Debug)]
struct Level {
    board: Board,
    untried: u32,
    column: u32,
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
        let mut search = Self { depth, mirrors, levels: Vec::new(), found: None };
        match depth {
            0 => search.found = Some(Prefix::new(board, 1)),
            _ => search.enter(board, 0, if mirrors { n.div_ceil(2) } else { n }),
        }
        search
    }

    /// Those of them that go on from one of two rows or more, which the mirror does not touch any more.
    pub fn below(problem: &Problem, prefix: &Prefix, depth: u32) -> Self {
        let (n, rows) = (problem.n(), prefix.board.queens());
        let mirrors = problem.symmetries().contains(Symmetry::LeftRight);
        let mut search = Self { depth, mirrors, levels: Vec::new(), found: None };
        match rows < depth {
            true => search.enter(prefix.board, rows, n),
            false => search.found = Some(*prefix),
        }
        search
    }

    /// The same from the prefix at the end of a [path](Search::path) on; `None` if there is none.
    pub fn starting_at(mut self, path: &[u8]) -> Option<Self> {
        for &at in path {
            let untried = self.levels.last().filter(|_| self.found.is_none())?.untried;
            if at >= 32 || untried >> at & 1 == 0 {
                return None;
            }
            self.found = self.fill(at.into());
        }
        self.found.is_some().then_some(self)
    }

    /// Puts a row on the stack, of which the first `columns` columns are to be tried.
    fn enter(&mut self, board: Board, row: u32, columns: u32) {
        self.levels.push(Level { board, untried: board.free_squares(row) & full_mask(columns), column: 0 });
    }

    /// Puts a queen into the row on top of the stack. The squares before it count as tried.
    fn fill(&mut self, column: u32) -> Option<Prefix> {
        let level = self.levels.last_mut()?;
        level.untried &= !(u32::MAX >> (31 - column));
        level.column = column;
        let (n, row) = (level.board.n, level.board.queens());
        let next = level.board.place(row, column);
        let on_mirror_axis = self.mirrors && row == 0 && 2 * column + 1 == n;
        if row + 1 == self.depth {
            let multiplicity = if self.mirrors && !on_mirror_axis { 2 } else { 1 };
            return Some(Prefix::new(next, multiplicity));
        }
        self.enter(next, row + 1, if on_mirror_axis { n / 2 } else { n });
        None
    }
}

impl Iterator for RowPrefixes {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        if let Some(prefix) = self.found.take() {
            return Some(prefix);
        }
        while let Some(level) = self.levels.last() {
            if level.untried == 0 {
                self.levels.pop();
            } else if let Some(prefix) = self.fill(level.untried.trailing_zeros()) {
                return Some(prefix);
            }
        }
        None
    }
}

impl Search for RowPrefixes {
    fn path(&self) -> Vec<u8> {
        self.levels.iter().map(|level| level.column as u8).collect()
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
