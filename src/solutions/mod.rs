//! The solutions themselves, one by one, in lexicographic order of the queens' columns.
//!
//! ```
//! let mut boards = nqueens::solutions(6)?;
//! assert_eq!(boards.next().unwrap().to_string(), "1 3 5 0 2 4");
//! assert_eq!(boards.count(), 3);
//! # Ok::<(), nqueens::Error>(())
//! ```

mod symmetric;

pub use symmetric::SymmetricSolutions;

use crate::board::{MAX_N, full_mask};
use crate::error::Result;
use crate::method::row_order::Rows;
use crate::placement::Placement;
use crate::problem::Problem;
use crate::symmetry::Class;

/// All solutions for a board of `n` rows (A000170), in lexicographic order.
///
/// # Errors
/// If `n` is greater than [`MAX_N`].
pub fn solutions(n: u32) -> Result<Solutions> {
    Solutions::new(n)
}

/// One solution of each class of images under the eight symmetries (A002562), the lexicographically smallest, in
/// lexicographic order.
///
/// ```
/// assert_eq!(nqueens::solutions::unique(8)?.count(), 12);
/// # Ok::<(), nqueens::Error>(())
/// ```
///
/// # Errors
/// If `n` is greater than [`MAX_N`].
pub fn unique(n: u32) -> Result<impl Iterator<Item = Placement>> {
    Ok(canonical(solutions(n)?))
}

/// The solutions that these rotations leave unchanged, in lexicographic order: [`Class::HalfTurn`] gives A032522, those
/// of the quarter turn included, and [`Class::QuarterTurn`] gives A033148.
///
/// ```
/// use nqueens::{solutions::symmetric, symmetry::Class};
///
/// assert_eq!(symmetric(12, Class::HalfTurn)?.count(), 80);
/// assert_eq!(symmetric(12, Class::QuarterTurn)?.count(), 8);
/// # Ok::<(), nqueens::Error>(())
/// ```
///
/// # Errors
/// If `n` is greater than [`MAX_N`].
pub fn symmetric(n: u32, class: Class) -> Result<SymmetricSolutions> {
    SymmetricSolutions::new(n, class)
}

/// Those of some solutions in lexicographic order that are the smallest of their images. Ends early: in the smallest
/// image the first queen is in the left half.
pub fn canonical(solutions: impl Iterator<Item = Placement>) -> impl Iterator<Item = Placement> {
    let left_half =
        |placement: &Placement| placement.columns().first().is_none_or(|&column| 2 * u32::from(column) < placement.n());
    solutions.take_while(left_half).filter(Placement::is_canonical)
}

/// The iterator behind [`solutions`]. Its memory is one board and one level a row, however many solutions there are.
#[derive(Clone, Debug)]
pub struct Solutions {
    n: usize,
    /// The row to continue with.
    row: usize,
    /// For each row down to `row`: the board as it sees it, and its squares that are still to be tried.
    levels: [(Rows, u32); MAX_N as usize],
    /// The queens of the rows above.
    columns: [u8; MAX_N as usize],
    /// The empty board has one solution, and no row to look for it.
    empty: bool,
}

impl Solutions {
    fn new(n: u32) -> Result<Self> {
        let n = Problem::empty(n)?.n();
        let mut levels = [(Rows::default(), 0); MAX_N as usize];
        levels[0].1 = full_mask(n);
        Ok(Self { n: n as usize, row: 0, levels, columns: [0; MAX_N as usize], empty: n == 0 })
    }

    /// Goes on to the next solution, which is then in `columns`; false after the last.
    fn advance(&mut self) -> bool {
        let full = full_mask(self.n as u32);
        loop {
            let (Rows { columns, left, right }, squares) = &mut self.levels[self.row];
            if *squares == 0 {
                if self.row == 0 {
                    return std::mem::take(&mut self.empty);
                }
                self.row -= 1;
                continue;
            }
            let queen = *squares & squares.wrapping_neg();
            *squares ^= queen;
            self.columns[self.row] = queen.trailing_zeros() as u8;
            if self.row + 1 == self.n {
                return true;
            }
            let next = Rows { columns: *columns | queen, left: (*left | queen) << 1, right: (*right | queen) >> 1 };
            self.row += 1;
            self.levels[self.row] = (next, full & !(next.columns | next.left | next.right));
        }
    }
}

impl Iterator for Solutions {
    type Item = Placement;

    fn next(&mut self) -> Option<Placement> {
        self.nth(0)
    }

    /// Skipped solutions are searched for but not built.
    fn nth(&mut self, skipped: usize) -> Option<Placement> {
        for _ in 0..skipped {
            if !self.advance() {
                return None;
            }
        }
        self.advance().then(|| Placement::found(&self.columns[..self.n]))
    }
}

impl std::iter::FusedIterator for Solutions {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::symmetry::Symmetry;

    #[test]
    fn the_smallest_boards() {
        let text = |n| solutions(n).unwrap().map(|p| p.to_string()).collect::<Vec<_>>();
        assert_eq!(text(0), [""]);
        assert_eq!(text(1), ["0"]);
        assert!(text(2).is_empty() && text(3).is_empty());
        assert_eq!(text(4), ["1 3 0 2", "2 0 3 1"]);
        assert!(matches!(solutions(33), Err(Error::BoardSize(33))));
        assert!(matches!(symmetric(33, Class::HalfTurn), Err(Error::BoardSize(33))));
    }

    #[test]
    fn skipping_is_the_same_as_walking() {
        let all: Vec<Placement> = solutions(7).unwrap().collect();
        for skipped in 0..=all.len() + 1 {
            let rest: Vec<Placement> = solutions(7).unwrap().skip(skipped).collect();
            assert_eq!(rest, all.get(skipped..).unwrap_or_default());
        }
        let mut ended = solutions(4).unwrap();
        assert_eq!(ended.nth(2), None);
        assert_eq!(ended.next(), None);
        assert_eq!(solutions(0).unwrap().nth(1), None);
    }

    #[test]
    fn the_largest_board_starts_at_once() {
        let two: Vec<Placement> = symmetric(32, Class::QuarterTurn).unwrap().take(2).collect();
        assert!(two[0] < two[1]);
        for placement in &two {
            assert_eq!(Placement::new(placement.columns()).unwrap().image(Symmetry::QuarterTurn), *placement);
        }
    }

    #[test]
    fn symmetric_solutions_are_those_that_a_rotation_leaves_unchanged() {
        for n in 0..=10 {
            let all: Vec<Placement> = solutions(n).unwrap().collect();
            for class in [Class::None, Class::HalfTurn, Class::QuarterTurn] {
                let unchanged = |p: &&Placement| class.rotations().iter().all(|&rotation| p.image(rotation) == **p);
                let expected: Vec<Placement> = all.iter().filter(unchanged).copied().collect();
                assert_eq!(symmetric(n, class).unwrap().collect::<Vec<_>>(), expected, "n={n} {class}");
            }
        }
    }
}
