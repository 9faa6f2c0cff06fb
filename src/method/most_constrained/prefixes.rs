//! Prefixes of the centre lines, one of each class of eight symmetric ones, deepened by the most constrained lines.
//!
//! The centre lines (odd n: the middle row and column; even n: the two middle rows and columns) map to themselves under
//! all eight symmetries of the square. Every solution restricts to one placement on those lines, and the images of a
//! solution to the images of that placement. So only the canonical placement of each class is searched, the smallest of
//! its images, and counts as often as it has different images: `orbit size = 8 / symmetries that leave it as it is`.

use super::search::choose;
use crate::board::{Board, Line};
use crate::method::descent::Choice;
use crate::prefix::Prefix;
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
    start: Option<Board>,
}

/// A line being filled: the board before, the squares of the line not yet tried, and the multiplicity, 0 on the centre
/// lines where it is not known yet.
#[derive(Clone, Copy, Debug)]
struct Level {
    board: Board,
    line: Line,
    untried: u32,
    multiplicity: u32,
}

impl CentrePrefixes {
    /// Prefixes with at most `free_rows` free rows. The centre lines are always filled, so they can have fewer.
    pub fn new(problem: &Problem, free_rows: u32) -> Self {
        let start = Some(*problem.board());
        Self {
            n: problem.n(),
            symmetries: problem.symmetries(),
            free_rows,
            queens: Vec::new(),
            stack: Vec::new(),
            start,
        }
    }

    /// The least number of free rows that a prefix can have before it is deepened: each queen fills at least one line.
    pub fn min_free_rows(n: u32) -> u32 {
        n - (centre_lines(n).count() as u32).min(n)
    }

    /// Gives a finished prefix, or puts the next line on the stack.
    fn enter(&mut self, board: Board, mut multiplicity: u32) -> Option<Prefix> {
        if multiplicity == 0 {
            if let Some(line) = centre_lines(self.n).find(|&line| board.is_open(line)) {
                self.stack.push(Level { board, line, untried: board.free_squares_of(line), multiplicity });
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
                self.stack.push(Level { board, line, untried, multiplicity });
                None
            }
        }
    }
}

impl Iterator for CentrePrefixes {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        if let Some(board) = self.start.take()
            && let Some(prefix) = self.enter(board, 0)
        {
            return Some(prefix);
        }
        while let Some(level) = self.stack.last_mut() {
            if level.untried == 0 {
                self.stack.pop();
                continue;
            }
            let at = level.untried.trailing_zeros();
            level.untried &= level.untried - 1;
            let Level { board, line, multiplicity, .. } = *level;
            if multiplicity == 0 {
                // On the centre lines every queen has a level of its own.
                self.queens.truncate(self.stack.len() - 1);
                self.queens.push(line.square(at));
            }
            if let Some(prefix) = self.enter(board.place_on(line, at), multiplicity) {
                return Some(prefix);
            }
        }
        None
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
