//! The solutions that a rotation leaves unchanged, counted by placing whole orbits of queens.
//!
//! A queen brings its images under the rotations with it: two queens at a time for the half turn, four for the quarter
//! turn. [`solutions::symmetric`](crate::solutions::symmetric) lists the same boards in lexicographic order; this counts
//! them faster, on the most constrained line of the board.
//!
//! A032522 (half turn) and A033148 (quarter turn) of the OEIS.

use crate::board::{Board, bits};
use crate::method::descent::Choice;
use crate::method::most_constrained::choose;
use crate::symmetry::Class;

/// The number of solutions on a board of `n` rows that the rotations of a class leave unchanged.
///
/// # Panics
/// If `n` is greater than [`MAX_N`](crate::board::MAX_N).
pub fn count(n: u32, class: Class) -> u64 {
    let board = Board::empty(n);
    // The queen of the middle row can only be its own image: on the middle square.
    let centre = n % 2 == 1 && class != Class::None;
    complete(&if centre { board.place(n / 2, n / 2) } else { board }, class)
}

fn complete(board: &Board, class: Class) -> u64 {
    let (line, squares) = match choose(board) {
        Choice::Dead => return 0,
        Choice::Solved => return 1,
        Choice::Line(line, squares) => (line, squares),
    };
    bits(squares)
        .filter_map(|at| {
            let (row, column) = line.square(at);
            board.place_all(class.images(board.n, row, column))
        })
        .map(|board| complete(&board, class))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solutions;

    #[test]
    fn published_counts() {
        let half =
            [1, 1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152, 18104, 44184, 144_620, 375_664];
        let quarter = [1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0, 0, 3328];
        for (n, &expected) in (0..).zip(&half) {
            assert_eq!(count(n, Class::HalfTurn), expected, "half turn, n={n}");
        }
        for (n, &expected) in (0..).zip(&quarter) {
            assert_eq!(count(n, Class::QuarterTurn), expected, "quarter turn, n={n}");
        }
    }

    #[test]
    fn as_many_as_are_listed() {
        for class in [Class::None, Class::HalfTurn, Class::QuarterTurn] {
            for n in 0..=if class == Class::None { 8 } else { 13 } {
                let listed = solutions::symmetric(n, class).unwrap().count() as u64;
                assert_eq!(count(n, class), listed, "{class} n={n}");
            }
        }
    }
}
