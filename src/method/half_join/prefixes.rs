//! Prefixes of the middle rows: one of each orbit of the symmetries that keep rows rows, in lexicographic order of their
//! columns, from the top row down.

use std::cmp::Ordering;

use super::mirrors::{Mirrors, distance};
use crate::board::Board;
use crate::prefix::Prefix;
use crate::problem::Problem;

/// What queens in the middle rows leave for the symmetries to do: which mirrors do not move them, and what
/// [transposition](super::mirrors) compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Middle {
    /// The mirrors that leave the queens as they are.
    pub unmoved: Mirrors,
    /// The least [`distance`] of a queen in the middle rows, along the row; [`FAR`] while there is none.
    pub rows: u8,
    /// The same of the middle columns. They may have queens still to come.
    pub columns: u8,
}

/// Farther than any queen.
pub const FAR: u8 = u8::MAX;

impl Middle {
    /// Of an empty board.
    pub const EMPTY: Self = Self { unmoved: Mirrors::ALL, rows: FAR, columns: FAR };

    /// With more queens, `(row, column)`, which are moved by all mirrors but these.
    #[must_use]
    pub fn with(self, n: u32, queens: impl IntoIterator<Item = (u32, u32)>, unmoved: Mirrors) -> Self {
        let lines = [n.saturating_sub(1) / 2, n / 2];
        let mut next = Self { unmoved, ..self };
        for (row, column) in queens {
            if lines.contains(&row) {
                next.rows = next.rows.min(distance(n, column) as u8);
            }
            if lines.contains(&column) {
                next.columns = next.columns.min(distance(n, row) as u8);
            }
        }
        next
    }

    /// A prefix with this to say of itself.
    pub fn prefix(self, board: Board, multiplicity: u32) -> Prefix {
        Prefix { board, multiplicity, tag: [self.unmoved.to_bits(), self.rows, self.columns, 0] }
    }

    /// How often a solution counts, once the middle rows and columns have all their queens.
    pub fn weight(self) -> u64 {
        match self.rows.cmp(&self.columns) {
            Ordering::Less => 2,
            Ordering::Equal => 1,
            Ordering::Greater => 0,
        }
    }
}

/// What a prefix of the middle rows says of itself.
impl From<&Prefix> for Middle {
    fn from(prefix: &Prefix) -> Self {
        let [unmoved, rows, columns, _] = prefix.tag;
        Self { unmoved: Mirrors::from_bits(unmoved), rows, columns }
    }
}

/// The middle rows of a board of `n`, so many of them: an even number of rows less than it has.
pub fn middle_rows(n: u32, rows: u32) -> std::ops::Range<u32> {
    let first = (n - rows) / 2;
    first..first + rows
}

/// How many middle rows a prefix has that is to have so many at least: none or as many as are symmetric from top to bottom,
/// and never the first and the last row too, which is what joining two halves leaves for the halves.
pub fn whole_middle(n: u32, rows: u32) -> u32 {
    let most = n.saturating_sub(2);
    if rows == 0 || most == 0 { 0 } else { (rows + (n + rows) % 2).min(most) }
}

/// The rows of a board of `n` from the middle outwards, as they are added to a prefix.
pub fn from_the_middle(n: u32) -> impl Iterator<Item = u32> {
    (1..=n.div_ceil(2)).rev().flat_map(move |i| {
        let (above, below) = (i - 1, n - i);
        [above, below].into_iter().take(if above == below { 1 } else { 2 })
    })
}

/// All prefixes of the middle rows. Memory is one board a row.
#[derive(Clone, Debug)]
pub struct MiddlePrefixes {
    n: u32,
    rows: u32,
    /// Of each row placed so far: the board before it and its squares not yet tried.
    levels: Vec<(Board, u32)>,
    columns: Vec<u32>,
    /// The one prefix without queens.
    empty: Option<Prefix>,
}

impl MiddlePrefixes {
    /// All prefixes with queens on so many middle rows, or [a few more](whole_middle).
    pub fn new(problem: &Problem, rows: u32) -> Self {
        let (n, board) = (problem.n(), *problem.board());
        let rows = whole_middle(n, rows);
        let empty = (rows == 0).then(|| Middle::EMPTY.prefix(board, 1));
        let mut prefixes = Self { n, rows, levels: Vec::new(), columns: Vec::new(), empty };
        if rows > 0 {
            prefixes.enter(board);
        }
        prefixes
    }

    fn enter(&mut self, board: Board) {
        let row = middle_rows(self.n, self.rows).start + self.levels.len() as u32;
        self.levels.push((board, board.free_squares(row)));
    }
}

impl Iterator for MiddlePrefixes {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        let Self { n, rows, .. } = *self;
        while let Some((board, squares)) = self.levels.last_mut() {
            if *squares == 0 {
                self.levels.pop();
                self.columns.pop();
                continue;
            }
            let column = squares.trailing_zeros();
            *squares &= *squares - 1;
            let before = *board;
            let depth = self.levels.len();
            let board = before.place(middle_rows(n, rows).start + depth as u32 - 1, column);
            self.columns.truncate(depth - 1);
            self.columns.push(column);
            if depth < rows as usize {
                self.enter(board);
            } else if let Some((multiplicity, unmoved)) = Mirrors::ALL.orbit_if_smallest(n, &self.columns) {
                let queens = middle_rows(n, rows).zip(self.columns.iter().copied());
                return Some(Middle::EMPTY.with(n, queens, unmoved).prefix(board, multiplicity));
            }
        }
        self.empty.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::most_constrained::plain_tail::count_completions;

    #[test]
    fn prefixes_with_multiplicities_make_all_solutions() {
        for n in 0..=9 {
            for rows in 0..=n {
                let sum: u64 = MiddlePrefixes::new(&Problem::empty(n).unwrap(), rows)
                    .map(|p| u64::from(p.multiplicity) * count_completions(&p.board).solutions)
                    .sum();
                assert_eq!(sum, count_completions(&Board::empty(n)).solutions, "n={n} rows={rows}");
            }
        }
    }

    #[test]
    fn rows_are_symmetric_from_top_to_bottom() {
        assert_eq!([0, 1, 2, 3, 6, 7, 8].map(|rows| whole_middle(8, rows)), [0, 2, 2, 4, 6, 6, 6]);
        assert_eq!([0, 1, 2, 7, 8, 9].map(|rows| whole_middle(9, rows)), [0, 1, 3, 7, 7, 7]);
        assert_eq!([0, 1, 2].map(|n| whole_middle(n, n)), [0; 3]);
        assert_eq!(from_the_middle(6).collect::<Vec<_>>(), [2, 3, 1, 4, 0, 5]);
        assert_eq!(from_the_middle(5).collect::<Vec<_>>(), [2, 1, 3, 0, 4]);
        assert_eq!((middle_rows(8, 4), middle_rows(9, 1), middle_rows(9, 0)), (2..6, 4..5, 4..4));
    }
}
