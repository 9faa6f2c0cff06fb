//! Prefixes of the centre lines, one of each class of eight symmetric ones, deepened by the most constrained lines.
//!
//! The centre lines (odd n: the middle row and column; even n: the two middle rows and columns) map to themselves under
//! all eight symmetries of the square. Every solution restricts to one placement on those lines, and the images of a
//! solution to the images of that placement. So only the canonical placement of each class is searched, the smallest of
//! its images, and counts as often as it has different images: `orbit size = 8 / symmetries that leave it as it is`.

use super::Prefix;
use crate::board::{Board, Line};
use crate::search::most_constrained::{Choice, choose};
use crate::symmetry::Symmetry;

/// The canonical placements on the centre lines, deepened until so many rows are free, in one fixed order.
///
/// Boards with a line that has no free square left are dropped: they complete to nothing. Memory is one board for each
/// queen placed, however many prefixes there are.
#[derive(Clone, Debug)]
pub struct CentrePrefixes {
    n: u32,
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
    ///
    /// # Panics
    /// If `n` is greater than [`MAX_N`](crate::board::MAX_N).
    pub fn new(n: u32, free_rows: u32) -> Self {
        let start = Some(Board::empty(n));
        Self { n, free_rows, queens: Vec::new(), stack: Vec::new(), start }
    }

    /// The least number of free rows that a prefix can have before it is deepened: each queen fills at least one line.
    pub fn fewest_free_rows(n: u32) -> u32 {
        n - (centre_lines(n).count() as u32).min(n)
    }

    /// Gives a finished prefix, or puts the next line on the stack.
    fn enter(&mut self, board: Board, mut multiplicity: u32) -> Option<Prefix> {
        if multiplicity == 0 {
            if let Some(line) = centre_lines(self.n).find(|&line| board.is_open(line)) {
                self.stack.push(Level { board, line, untried: board.free_squares_of(line), multiplicity });
                return None;
            }
            multiplicity = orbit_size_if_canonical(board.n, &self.queens)?;
        }
        match choose(&board) {
            Choice::Dead => None,
            _ if board.free_row_mask.count_ones() <= self.free_rows => Some(Prefix::new(board, multiplicity)),
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

/// The number of different images of some queens, if they are the smallest of those images.
fn orbit_size_if_canonical(n: u32, queens: &[(u32, u32)]) -> Option<u32> {
    let (size, canonical) = orbit(n, queens);
    canonical.then_some(size)
}

/// The number of different images of some queens, and whether they are the smallest of those images.
pub fn orbit(n: u32, queens: &[(u32, u32)]) -> (u32, bool) {
    let mut own = queens.to_vec();
    own.sort_unstable();
    let mut image = Vec::with_capacity(own.len());
    let (mut unmoved, mut canonical) = (0, true);
    for symmetry in Symmetry::ALL {
        image.clear();
        image.extend(own.iter().map(|&(row, column)| symmetry.square(n, row, column)));
        image.sort_unstable();
        unmoved += u32::from(image == own);
        canonical &= own <= image;
    }
    (8 / unmoved, canonical)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{bits, full_mask};

    #[test]
    fn classes_of_placements_on_the_centre_lines() {
        // Counted independently with an earlier prototype, which dropped no dead ends; these boards have none.
        for (n, classes) in [(13, 16), (15, 22), (16, 1814), (17, 29)] {
            assert_eq!(CentrePrefixes::new(n, n).count(), classes, "n={n}");
        }
    }

    #[test]
    fn orbits_add_up_to_all_placements() {
        // Every pair of squares belongs to exactly one class.
        for n in 1..=6 {
            let squares: Vec<_> = bits(full_mask(n)).flat_map(|r| bits(full_mask(n)).map(move |c| (r, c))).collect();
            let mut sum = 0;
            for (i, &a) in squares.iter().enumerate() {
                sum += squares[..i].iter().filter_map(|&b| orbit_size_if_canonical(n, &[b, a])).sum::<u32>();
            }
            assert_eq!(sum, n * n * (n * n - 1) / 2, "n={n}");
        }
        assert_eq!(orbit_size_if_canonical(5, &[(2, 2)]), Some(1));
        assert_eq!(orbit_size_if_canonical(5, &[(4, 4)]), None);
        assert_eq!(orbit_size_if_canonical(0, &[]), Some(1));
    }

    #[test]
    fn prefixes_are_as_deep_as_asked() {
        for n in 0u32..=32 {
            for free_rows in [n, n.saturating_sub(5), 9.min(n), 0] {
                for Prefix { board, .. } in CentrePrefixes::new(n, free_rows).take(100) {
                    let free = board.free_row_mask.count_ones();
                    let fewest = free_rows.min(CentrePrefixes::fewest_free_rows(n));
                    assert!(free <= free_rows.min(n) || n == 0, "n={n} free_rows={free_rows}: {free}");
                    assert!(free >= fewest, "n={n} free_rows={free_rows}: {free}");
                    assert_eq!(free, board.free_column_mask.count_ones());
                }
            }
        }
    }
}
