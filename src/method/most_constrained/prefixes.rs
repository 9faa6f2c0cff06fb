//! Prefixes of the centre lines, one of each class of eight symmetric ones, deepened by the most constrained lines.
//!
//! The centre lines (odd n: the middle row and column; even n: the two middle rows and columns) map to themselves under
//! all eight symmetries of the square. Every solution restricts to one placement on those lines, and the images of a
//! solution to the images of that placement. So only the canonical placement of each class is searched, the smallest of
//! its images, and counts as often as it has different images: `orbit size = 8 / symmetries that leave it as it is`.

use super::search::choose;
use crate::board::{Board, Line};
use crate::method::descent::Choice;
use crate::prefix::{Prefix, Search};
use crate::problem::Problem;
use crate::symmetry::SymmetryGroup;

/// The canonical placements on the centre lines, deepened until few enough rows are free, in one fixed order.
///
/// Boards with a line that has no free square left are dropped: they complete to nothing. Memory is one board for each
/// queen placed, however many prefixes there are.
#[derive(Clone, Debug)]
pub struct CentrePrefixes {
    n: u32,
    symmetries: SymmetryGroup,
    free_rows: u32,
    queens: Vec<(u32, u32)>,
    stack: Vec<Level>,
    /// The prefix to give before the search goes on.
    found: Option<Prefix>,
}

/// A line being filled: the board before, the squares of the line not yet tried, the one tried last, and the multiplicity, 0
/// on the centre lines where it is not known yet.
#[derive(Clone, Copy, Debug)]
struct Level {
    board: Board,
    line: Line,
    untried: u32,
    at: u32,
    multiplicity: u32,
}

impl CentrePrefixes {
    /// Prefixes with at most `free_rows` free rows. The centre lines are always filled, so they can have fewer.
    pub fn new(problem: &Problem, free_rows: u32) -> Self {
        // Its multiplicity is not known before the centre lines are filled.
        Self::below(problem, &Prefix::new(*problem.board(), 0), free_rows)
    }

    /// Those of them that go on from one with more free rows.
    pub fn below(problem: &Problem, prefix: &Prefix, free_rows: u32) -> Self {
        let (n, symmetries) = (problem.n(), problem.symmetries());
        let mut search = Self { n, symmetries, free_rows, queens: Vec::new(), stack: Vec::new(), found: None };
        search.found = search.enter(prefix.board, prefix.multiplicity);
        search
    }

    /// The same from the prefix at the end of a [path](Search::path) on; `None` if there is none.
    pub fn starting_at(mut self, path: &[u8]) -> Option<Self> {
        for &at in path {
            let untried = self.stack.last().filter(|_| self.found.is_none())?.untried;
            if at >= 32 || untried >> at & 1 == 0 {
                return None;
            }
            self.found = self.fill(at.into());
        }
        // Each choice but the last led to another line.
        (self.found.is_some() && self.stack.len() == path.len()).then_some(self)
    }

    /// The least number of free rows that a prefix can have before it is deepened: each queen fills at least one line.
    pub fn min_free_rows(n: u32) -> u32 {
        n - (centre_lines(n).count() as u32).min(n)
    }

    /// Gives a finished prefix, or puts the next line on the stack.
    fn enter(&mut self, board: Board, mut multiplicity: u32) -> Option<Prefix> {
        if multiplicity == 0 {
            if let Some(line) = centre_lines(self.n).find(|&line| board.is_open(line)) {
                let untried = board.free_squares_of(line);
                self.stack.push(Level { board, line, untried, at: 0, multiplicity });
                return None;
            }
            let (size, canonical) = self.symmetries.orbit(board.n, &self.queens);
            if !canonical {
                return None;
            }
            multiplicity = size;
        }
        match choose(&board) {
            Choice::Dead => None,
            _ if board.free_rows() <= self.free_rows => Some(Prefix::new(board, multiplicity)),
            Choice::Solved => Some(Prefix::new(board, multiplicity)),
            Choice::Line(line, untried) => {
                self.stack.push(Level { board, line, untried, at: 0, multiplicity });
                None
            }
        }
    }

    /// Puts a queen on a square of the line on top of the stack. The squares before it count as tried.
    fn fill(&mut self, at: u32) -> Option<Prefix> {
        let level = self.stack.last_mut()?;
        level.untried &= !(u32::MAX >> (31 - at));
        level.at = at;
        let Level { board, line, multiplicity, .. } = *level;
        if multiplicity == 0 {
            // On the centre lines every queen has a level of its own.
            self.queens.truncate(self.stack.len() - 1);
            self.queens.push(line.square(at));
        }
        self.enter(board.place_on(line, at), multiplicity)
    }
}

impl Iterator for CentrePrefixes {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        if let Some(prefix) = self.found.take() {
            return Some(prefix);
        }
        while let Some(level) = self.stack.last() {
            if level.untried == 0 {
                self.stack.pop();
            } else if let Some(prefix) = self.fill(level.untried.trailing_zeros()) {
                return Some(prefix);
            }
        }
        None
    }
}

impl Search for CentrePrefixes {
    fn path(&self) -> Vec<u8> {
        self.stack.iter().map(|level| level.at as u8).collect()
    }
}

/// The rows and columns in the middle of the board, rows first.
pub fn centre_lines(n: u32) -> impl Iterator<Item = Line> {
    let middle = if n == 0 { 0..0 } else { (n - 1) / 2..n / 2 + 1 };
    middle.clone().map(Line::Row).chain(middle.map(Line::Column))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(n: u32, free_rows: u32) -> CentrePrefixes {
        CentrePrefixes::new(&Problem::empty(n).unwrap(), free_rows)
    }

    #[test]
    fn classes_of_placements_on_the_centre_lines() {
        // Counted independently with an earlier prototype, which dropped no dead ends; these boards have none.
        for (n, classes) in [(13, 16), (15, 22), (16, 1814), (17, 29)] {
            assert_eq!(prefixes(n, n).count(), classes, "n={n}");
        }
    }

    #[test]
    fn prefixes_are_as_deep_as_asked() {
        for n in 0u32..=32 {
            for free_rows in [n, n.saturating_sub(5), 9.min(n), 0] {
                for Prefix { board, .. } in prefixes(n, free_rows).take(100) {
                    let free = board.free_rows();
                    let fewest = free_rows.min(CentrePrefixes::min_free_rows(n));
                    assert!(free <= free_rows.min(n) || n == 0, "n={n} free_rows={free_rows}: {free}");
                    assert!(free >= fewest, "n={n} free_rows={free_rows}: {free}");
                    assert_eq!(free, board.free_column_mask.count_ones());
                }
            }
        }
    }
}
